//! An operation as its envelope, with only what differs from the defaults.

use serde_json::{Map, Value, json};
use workspace::word::op::{
    Alignment, ApplyStyle, Color, Highlight, InsertPicture, InsertText, List, ListStyles, Location, Matching,
    Op, PictureSource, Replace, ReplaceMode, Scope, Search, SetSelection, Side, StyleCategory,
    TableApplyStyle, TableCreate, TableDelete, TableInsert, TableMergeCells, TableRef, TableSetCellText,
    Target, Underline, Wrap,
};

pub(crate) fn envelope(op: &Op) -> Value {
    json!({ "type": "word.op", "op": op.name(), "version": "1.0", "args": args(op) })
}

struct Written(Map<String, Value>);

impl Written {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn unless(&mut self, default: bool, name: &str, value: impl Into<Value>) {
        if !default {
            self.put(name, value);
        }
    }

    fn given<T: Into<Value>>(&mut self, name: &str, value: Option<T>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    fn place(&mut self, at: &Scope, location: Location) {
        self.unless(*at == Scope::Selection, "scope", scope(at));
        self.unless(location == Location::Replace, "location", word(location));
    }

    fn matching(&mut self, matching: Matching) {
        let flags = [
            ("useRegex", matching.regex),
            ("matchWildcards", matching.wildcards),
            ("matchCase", matching.case),
            ("matchWholeWord", matching.whole_word),
            ("matchPrefix", matching.prefix),
        ];
        for (name, flag) in flags {
            self.unless(!flag, name, flag);
        }
    }
}

fn args(op: &Op) -> Value {
    let mut args = Written(Map::new());
    match op {
        Op::GetSelection => {}
        Op::InsertText(InsertText { text, scope, location, new_paragraph, keep_formatting }) => {
            args.put("text", text.as_str());
            args.place(scope, *location);
            args.unless(!new_paragraph, "newParagraph", *new_paragraph);
            args.unless(*keep_formatting, "keepFormatting", *keep_formatting);
        }
        Op::SetSelection(SetSelection { scope: at, location }) => {
            args.put("scope", scope(at));
            args.unless(*location == Location::Replace, "location", word(*location));
        }
        Op::Search(Search { query, scope: at, matching, max_results }) => {
            args.put("query", query.as_str());
            args.unless(*at == Scope::Document, "scope", scope(at));
            args.matching(*matching);
            args.unless(*max_results == 100, "maxResults", *max_results);
        }
        Op::Replace(op) => replace(&mut args, op),
        Op::InsertPicture(op) => picture(&mut args, op),
        Op::TableCreate(TableCreate { rows, cols, scope, location, data, header }) => {
            args.put("rows", *rows);
            args.put("cols", *cols);
            args.place(scope, *location);
            args.unless(data.is_empty(), "data", data.clone());
            args.unless(!header, "header", *header);
        }
        Op::TableInsertRows(TableInsert { table: which, at, count, side })
        | Op::TableInsertColumns(TableInsert { table: which, at, count, side }) => {
            args.put("tableRef", table(which));
            args.put("at", at.map_or_else(|| json!("last"), |at| json!(at)));
            args.put("count", *count);
            args.unless(*side == Side::After, "side", "before");
        }
        Op::TableDeleteRows(TableDelete { table: which, indexes })
        | Op::TableDeleteColumns(TableDelete { table: which, indexes }) => {
            args.put("tableRef", table(which));
            args.put("indexes", indexes.clone());
        }
        Op::TableSetCellText(TableSetCellText { table: which, row, col, text }) => {
            args.put("tableRef", table(which));
            args.put("row", *row);
            args.put("col", *col);
            args.put("text", text.as_str());
        }
        Op::TableMergeCells(op) => {
            let TableMergeCells { table: which, start_row, start_col, row_span, col_span } = op;
            args.put("tableRef", table(which));
            for (name, number) in [
                ("startRow", start_row),
                ("startCol", start_col),
                ("rowSpan", row_span),
                ("colSpan", col_span),
            ] {
                args.put(name, *number);
            }
        }
        Op::TableApplyStyle(op) => table_style(&mut args, op),
        Op::ApplyStyle(op) => apply_style(&mut args, op),
        Op::ListStyles(ListStyles { category, query, built_in_only, include_localized, max }) => {
            let name = match category {
                StyleCategory::Paragraph => "paragraph",
                StyleCategory::Character => "character",
                StyleCategory::Table => "table",
                StyleCategory::All => "all",
            };
            args.unless(*category == StyleCategory::All, "category", name);
            args.given("query", query.clone());
            args.unless(*built_in_only, "builtInOnly", *built_in_only);
            args.unless(*include_localized, "includeLocalized", *include_localized);
            args.given("max", *max);
        }
    }
    Value::Object(args.0)
}

fn replace(args: &mut Written, Replace { target, with, mode }: &Replace) {
    match target {
        Target::Whole(at) => args.put("target", scope(at)),
        Target::Query { query, matching, scope: at } => {
            args.put("target", "searchQuery");
            args.put("query", query.as_str());
            args.matching(*matching);
            args.unless(*at == Scope::Document, "scope", scope(at));
        }
    }
    args.put("replaceWith", with.as_str());
    args.put("mode", if *mode == ReplaceMode::First { "replaceFirst" } else { "replaceAll" });
}

fn picture(args: &mut Written, op: &InsertPicture) {
    let (source, data) = match &op.source {
        PictureSource::Url(url) => ("url", url),
        PictureSource::Base64(data) => ("base64", data),
    };
    args.put("source", source);
    args.put("data", data.as_str());
    args.place(&op.scope, op.location);
    args.given("width", op.width);
    args.given("height", op.height);
    args.unless(op.lock_aspect_ratio, "lockAspectRatio", op.lock_aspect_ratio);
    args.given("altText", op.alt_text.clone());
    let wrap = match op.wrap {
        Wrap::Inline => "inline",
        Wrap::Square => "square",
        Wrap::Tight => "tight",
        Wrap::Behind => "behind",
        Wrap::InFront => "inFront",
    };
    args.unless(op.wrap == Wrap::Inline, "wrapType", wrap);
}

fn table_style(args: &mut Written, TableApplyStyle { table: which, style }: &TableApplyStyle) {
    args.put("tableRef", table(which));
    let mut flags = Written(Map::new());
    flags.given("bandedRows", style.banded_rows);
    flags.given("bandedColumns", style.banded_columns);
    flags.given("firstRow", style.first_row);
    flags.given("lastRow", style.last_row);
    flags.given("firstColumn", style.first_column);
    flags.given("lastColumn", style.last_column);
    match &style.name {
        Some(name) if flags.0.is_empty() => args.put("style", name.as_str()),
        name => {
            flags.given("name", name.clone());
            args.put("style", Value::Object(flags.0));
        }
    }
}

fn apply_style(args: &mut Written, op: &ApplyStyle) {
    let mut char = Written(Map::new());
    char.given("bold", op.character.bold);
    char.given("italic", op.character.italic);
    let underline = op.character.underline.map(|underline| match underline {
        Underline::None => "none",
        Underline::Single => "single",
        Underline::Double => "double",
    });
    char.given("underline", underline);
    char.given("fontName", op.character.font_name.clone());
    char.given("fontSize", op.character.font_size);
    char.given("color", op.character.color.map(color));
    let highlight = op.character.highlight.map(|highlight| match highlight {
        Highlight::None => "none".to_owned(),
        Highlight::Color(known) => color(known),
    });
    char.given("highlight", highlight);
    let mut para = Written(Map::new());
    let alignment = op.paragraph.alignment.map(|alignment| match alignment {
        Alignment::Left => "left",
        Alignment::Center => "center",
        Alignment::Right => "right",
        Alignment::Justify => "justify",
    });
    para.given("alignment", alignment);
    para.given("lineSpacing", op.paragraph.line_spacing);
    para.given("spaceBefore", op.paragraph.space_before);
    para.given("spaceAfter", op.paragraph.space_after);
    let list = op.paragraph.list.map(|list| match list {
        List::None => "none",
        List::Bullet => "bullet",
        List::Number => "number",
    });
    para.given("list", list);
    args.unless(op.scope == Scope::Selection, "scope", scope(&op.scope));
    args.unless(char.0.is_empty(), "char", Value::Object(char.0));
    args.unless(para.0.is_empty(), "para", Value::Object(para.0));
    args.given("namedStyle", op.named_style.clone());
    args.unless(!op.clear_other_styles, "clearOtherStyles", op.clear_other_styles);
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Document => "document".to_owned(),
        Scope::Selection => "selection".to_owned(),
        Scope::Range(id) => format!("rangeId:{id}"),
        Scope::Table(id) => format!("tableId:{id}"),
        Scope::Found(text) => format!("text:{text}"),
        Scope::First(text) => format!("first:{text}"),
        Scope::Paragraph(text) => format!("paragraph:{text}"),
    }
}

fn table(table: &TableRef) -> Value {
    match table {
        TableRef::Table(id) => json!(format!("tableId:{id}")),
        TableRef::Range(id) => json!(format!("rangeId:{id}")),
        TableRef::Current => json!("current"),
        TableRef::Nth(number) => json!(number),
    }
}

fn word(location: Location) -> &'static str {
    match location {
        Location::Start => "start",
        Location::End => "end",
        Location::Before => "before",
        Location::After => "after",
        Location::Replace => "replace",
    }
}

fn color(color: Color) -> String {
    format!("#{:02X}{:02X}{:02X}", color.red, color.green, color.blue)
}

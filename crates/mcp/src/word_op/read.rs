//! From the envelope to a typed operation.

use serde_json::{Map, Value};
use workspace::word::op::{
    Alignment, ApplyStyle, CharacterFormat, InsertPicture, InsertText, List, ListStyles, Location, Matching,
    Op, ParagraphFormat, PictureSource, Replace, ReplaceMode, Scope, Search, SetSelection, Side,
    StyleCategory, TableApplyStyle, TableCreate, TableDelete, TableInsert, TableMergeCells, TableSetCellText,
    TableStyle, Target, Underline, Wrap,
};

use super::args::Args;
use super::{Failure, OperationCall};
use workspace::{Refusal, nearest};

/// The operation that `meta` asks for.
pub(crate) fn operation(meta: &Value) -> Result<OperationCall, (String, Failure)> {
    let unnamed = |failure: Failure| (String::new(), failure);
    let envelope = match meta {
        Value::Object(envelope) => envelope.clone(),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(envelope)) => envelope,
            Ok(_) => return Err(unnamed(Failure::invalid("meta must hold a JSON object"))),
            Err(error) => return Err(unnamed(Failure::invalid(format!("meta is not valid JSON: {error}")))),
        },
        _ => return Err(unnamed(Failure::invalid("meta must be an object, or a string that holds one"))),
    };
    let name = match envelope.get("op") {
        Some(Value::String(name)) => name.clone(),
        None => return Err(unnamed(Failure::required("op"))),
        Some(_) => return Err(unnamed(Failure::invalid("op must be a string"))),
    };
    read(&name, envelope).map_err(|failure| (name, failure))
}

fn read(name: &str, mut envelope: Map<String, Value>) -> Result<OperationCall, Failure> {
    let mut warnings = Vec::new();
    envelope.remove("op");
    match envelope.remove("type") {
        Some(Value::String(kind)) if kind == "word.op" => {}
        None => return Err(Failure::required("type")),
        Some(other) => return Err(Failure::invalid(format!("type must be \"word.op\", found {other}"))),
    }
    match envelope.remove("version") {
        None => warnings.push("version is missing; 1.0 was assumed".to_owned()),
        Some(Value::String(version)) if version == "1" || version.starts_with("1.") => {}
        Some(Value::Number(version)) if version.as_f64().is_some_and(|v| (1.0..2.0).contains(&v)) => {}
        Some(other) => {
            let messages = vec![format!("version {other} is not supported; this server speaks 1.0")];
            return Err(Failure { code: "E_UNSUPPORTED", messages });
        }
    }
    let args = match envelope.remove("args") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(args)) => args,
        Some(other) => return Err(Failure::invalid(format!("args must be an object, found {other}"))),
    };
    if let Some(unknown) = envelope.keys().next() {
        let known = ["type", "op", "args", "version"];
        let near = nearest(unknown, known).map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(Failure::invalid(format!("{unknown} is not a key of the envelope{near}")));
    }
    let mut args = Args::new("", args);
    let op = match Op::NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)) {
        Some(known) => arguments(known, &mut args)?,
        None => {
            let near = nearest(name, Op::NAMES.iter().copied());
            let advice = match near {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known: {}", Op::NAMES.join(", ")),
            };
            let messages = vec![format!("op {name} is not supported; {advice}")];
            return Err(Failure { code: "E_UNSUPPORTED", messages });
        }
    };
    args.finish()?;
    Ok(OperationCall { op, warnings })
}

fn arguments(name: &str, args: &mut Args) -> Result<Op, Failure> {
    Ok(match name {
        "insertText" => Op::InsertText(InsertText {
            text: args.required_text("text")?,
            scope: args.scope("scope")?.unwrap_or_default(),
            location: args.location()?.unwrap_or_default(),
            new_paragraph: args.flag("newParagraph")?.unwrap_or(false),
            keep_formatting: args.flag("keepFormatting")?.unwrap_or(true),
        }),
        "getSelection" => Op::GetSelection,
        "setSelection" => Op::SetSelection(SetSelection {
            scope: {
                let given = args.scope("scope")?;
                args.required("scope", given, Scope::Selection)
            },
            location: args.location()?.unwrap_or_default(),
        }),
        "search" => Op::Search(Search {
            query: args.required_text("query")?,
            scope: args.scope("scope")?.unwrap_or(Scope::Document),
            matching: matching(args)?,
            max_results: args.count("maxResults")?.unwrap_or(100),
        }),
        "replace" => replace(args)?,
        "insertPicture" => picture(args)?,
        "table.create" => Op::TableCreate(TableCreate {
            rows: args.required_count("rows")?,
            cols: args.required_count("cols")?,
            scope: args.scope("scope")?.unwrap_or_default(),
            location: args.location()?.unwrap_or_default(),
            data: args.rows("data")?,
            header: args.flag("header")?.unwrap_or(false),
        }),
        "table.insertRows" => Op::TableInsertRows(insert(args)?),
        "table.insertColumns" => Op::TableInsertColumns(insert(args)?),
        "table.deleteRows" => {
            Op::TableDeleteRows(TableDelete { table: args.table()?, indexes: args.numbers("indexes")? })
        }
        "table.deleteColumns" => {
            Op::TableDeleteColumns(TableDelete { table: args.table()?, indexes: args.numbers("indexes")? })
        }
        "table.setCellText" => Op::TableSetCellText(TableSetCellText {
            table: args.table()?,
            row: args.required_count("row")?,
            col: args.required_count("col")?,
            text: args.required_text("text")?,
        }),
        "table.mergeCells" => Op::TableMergeCells(TableMergeCells {
            table: args.table()?,
            start_row: args.required_count("startRow")?,
            start_col: args.required_count("startCol")?,
            row_span: args.required_count("rowSpan")?,
            col_span: args.required_count("colSpan")?,
        }),
        "table.applyStyle" => {
            Op::TableApplyStyle(TableApplyStyle { table: args.table()?, style: table_style(args)? })
        }
        "applyStyle" => apply_style(args)?,
        "listStyles" => Op::ListStyles(ListStyles {
            category: args
                .choice(
                    "category",
                    &[
                        ("paragraph", StyleCategory::Paragraph),
                        ("character", StyleCategory::Character),
                        ("table", StyleCategory::Table),
                        ("all", StyleCategory::All),
                    ],
                )?
                .unwrap_or_default(),
            query: args.text("query")?,
            built_in_only: args.flag("builtInOnly")?.unwrap_or(true),
            include_localized: args.flag("includeLocalized")?.unwrap_or(true),
            max: args.count("max")?,
        }),
        other => return Err(Refusal::internal(format!("`{other}` is listed and cannot be read")).into()),
    })
}

fn matching(args: &mut Args) -> Result<Matching, Failure> {
    let wildcards = args.flag("useWildcards")?;
    Ok(Matching {
        regex: args.flag("useRegex")?.unwrap_or(false),
        wildcards: args.flag("matchWildcards")?.or(wildcards).unwrap_or(false),
        case: args.flag("matchCase")?.unwrap_or(false),
        whole_word: args.flag("matchWholeWord")?.unwrap_or(false),
        prefix: args.flag("matchPrefix")?.unwrap_or(false),
    })
}

fn replace(args: &mut Args) -> Result<Op, Failure> {
    let target = args.value("target");
    let by_query = match target.as_ref() {
        None => true,
        Some(target) => target.as_str().is_some_and(|text| text.eq_ignore_ascii_case("searchQuery")),
    };
    let query = args.text("query")?;
    let scope = args.scope("scope")?;
    let matching = matching(args)?;
    let with = args.required_text("replaceWith")?;
    let mode = args.choice(
        "mode",
        &[
            ("replaceAll", ReplaceMode::All),
            ("replaceFirst", ReplaceMode::First),
            ("all", ReplaceMode::All),
            ("first", ReplaceMode::First),
        ],
    )?;
    let named = match target.filter(|_| !by_query) {
        Some(target) => Args::new("", Map::from_iter([("target".to_owned(), target)])).scope("target")?,
        None => None,
    };
    let target = match (named, query) {
        (None, Some(query)) => Target::Query { query, matching, scope: scope.unwrap_or(Scope::Document) },
        (None, None) => {
            let missing = if by_query { "query" } else { "target" };
            Target::Whole(args.required(missing, None, Scope::Selection))
        }
        // A query beside a place can only mean: the matches in that place.
        (Some(named), Some(query)) => Target::Query { query, matching, scope: named },
        (Some(named), None) => Target::Whole(named),
    };
    Ok(Op::Replace(Replace { target, with, mode: mode.unwrap_or_default() }))
}

fn picture(args: &mut Args) -> Result<Op, Failure> {
    let url = args.choice("source", &[("url", true), ("base64", false)])?;
    let url = args.required("source", url, false);
    let data = args.required_text("data")?;
    Ok(Op::InsertPicture(InsertPicture {
        source: if url { PictureSource::Url(data) } else { PictureSource::Base64(data) },
        scope: args.scope("scope")?.unwrap_or_default(),
        location: args.location()?.unwrap_or_default(),
        width: args.points("width")?,
        height: args.points("height")?,
        lock_aspect_ratio: args.flag("lockAspectRatio")?.unwrap_or(true),
        alt_text: args.text("altText")?,
        wrap: args
            .choice(
                "wrapType",
                &[
                    ("inline", Wrap::Inline),
                    ("square", Wrap::Square),
                    ("tight", Wrap::Tight),
                    ("behind", Wrap::Behind),
                    ("inFront", Wrap::InFront),
                ],
            )?
            .unwrap_or_default(),
    }))
}

fn insert(args: &mut Args) -> Result<TableInsert, Failure> {
    let table = args.table()?;
    let at = match args.value("at") {
        Some(Value::String(text)) if text == "last" => None,
        Some(value) => Some(Args::new("", Map::from_iter([("at".to_owned(), value)])).required_count("at")?),
        None => Some(args.required("at", None, 0)),
    };
    let sides = [("after", Side::After), ("before", Side::Before)];
    let side = args.choice("side", &sides)?.unwrap_or_default();
    Ok(TableInsert { table, at, count: args.count("count")?.unwrap_or(1), side })
}

fn table_style(args: &mut Args) -> Result<TableStyle, Failure> {
    match args.value("style") {
        None => Ok(args.required("style", None, TableStyle::default())),
        Some(Value::String(name)) => Ok(TableStyle { name: Some(name), ..TableStyle::default() }),
        Some(Value::Object(flags)) => {
            let mut flags = Args::new("style.", flags);
            let style = TableStyle {
                name: flags.text("name")?,
                banded_rows: flags.flag("bandedRows")?,
                banded_columns: flags.flag("bandedColumns")?,
                first_row: flags.flag("firstRow")?,
                last_row: flags.flag("lastRow")?,
                first_column: flags.flag("firstColumn")?,
                last_column: flags.flag("lastColumn")?,
            };
            flags.finish()?;
            Ok(style)
        }
        Some(other) => {
            Err(Failure::invalid(format!("style must be a name or an object of flags, found {other}")))
        }
    }
}

fn apply_style(args: &mut Args) -> Result<Op, Failure> {
    let mut char = Args::new("char.", args.object("char")?.unwrap_or_default());
    let character = CharacterFormat {
        bold: char.flag("bold")?,
        italic: char.flag("italic")?,
        underline: char.choice(
            "underline",
            &[("none", Underline::None), ("single", Underline::Single), ("double", Underline::Double)],
        )?,
        font_name: char.text("fontName")?,
        font_size: char.points("fontSize")?,
        color: char.color("color")?,
        highlight: char.highlight("highlight")?,
    };
    char.finish()?;
    let mut para = Args::new("para.", args.object("para")?.unwrap_or_default());
    let paragraph = ParagraphFormat {
        alignment: para.choice(
            "alignment",
            &[
                ("left", Alignment::Left),
                ("center", Alignment::Center),
                ("right", Alignment::Right),
                ("justify", Alignment::Justify),
            ],
        )?,
        line_spacing: para.points("lineSpacing")?,
        space_before: para.points("spaceBefore")?,
        space_after: para.points("spaceAfter")?,
        list: para
            .choice("list", &[("none", List::None), ("bullet", List::Bullet), ("number", List::Number)])?,
    };
    para.finish()?;
    Ok(Op::ApplyStyle(ApplyStyle {
        scope: args.scope("scope")?.unwrap_or_default(),
        character,
        paragraph,
        named_style: args.text("namedStyle")?,
        clear_other_styles: args.flag("clearOtherStyles")?.unwrap_or(false),
    }))
}

/// The simple form: some text, what to do with it, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Insert,
    Replace,
    Append,
}

/// `document` is whether the whole document is meant, and not the cursor or the selection.
pub(crate) fn simple(action: Action, content: &str, document: bool) -> Op {
    let (scope, location) = match (action, document) {
        (Action::Insert, false) | (Action::Replace, false) => (Scope::Selection, Location::Replace),
        (Action::Append, false) => (Scope::Selection, Location::End),
        (Action::Insert, true) => (Scope::Document, Location::Start),
        (Action::Replace, true) => (Scope::Document, Location::Replace),
        (Action::Append, true) => (Scope::Document, Location::End),
    };
    Op::InsertText(InsertText { text: content.to_owned(), scope, location, ..InsertText::default() })
}

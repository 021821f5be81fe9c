//! Things of a workbook in a few words.

use crate::edits::book::page::Page;
use crate::edits::book::sheet_edit::FilterColumn;
use crate::edits::rules::conditional::ConditionalFormat;
use crate::file::styles::{Color, Style};
use crate::file::workbook::Visibility;
use crate::read::features::{Columns, Frozen, Hyperlink, Validation};
use crate::read::objects::{Chart, Drawing, DrawingKind, NoteOnCell, Thread};
use crate::read::tables::Table;

pub(super) fn switch(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

/// What is said of something that may be missing.
pub(super) fn or_none<T>(value: Option<&T>, words: impl Fn(&T) -> String) -> String {
    value.map_or_else(|| "none".to_owned(), words)
}

pub(super) fn visibility(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Visible => "shown",
        Visibility::Hidden => "hidden",
        Visibility::VeryHidden => "hidden, for programs to show",
    }
}

pub(super) fn frozen(frozen: &Frozen) -> String {
    format!("{} rows, {} columns", frozen.rows, frozen.columns)
}

pub(super) fn filter(columns: &[FilterColumn]) -> String {
    let told = columns.iter().map(|column| {
        let blanks = if column.blanks { " and blanks" } else { "" };
        format!("column {}: {}{blanks}", column.column + 1, column.values.join(", "))
    });
    told.collect::<Vec<_>>().join("; ")
}

pub(super) fn colour(colour: &Color) -> String {
    match colour {
        Color::Rgb(digits) => format!("#{}", digits.get(2..).unwrap_or(digits)),
        Color::Theme { index, tint } if *tint == 0.0 => format!("theme {index}"),
        Color::Theme { index, tint } => format!("theme {index} ({tint:+.2})"),
        Color::Indexed(index) => format!("palette {index}"),
        Color::Automatic => "automatic".to_owned(),
    }
}

/// What differs between two set-ups of a page.
pub(super) fn page(old: &Page, new: &Page) -> (String, String) {
    let mut pairs = Pairs::default();
    let way = |page: &Page| if page.landscape { "landscape" } else { "portrait" }.to_owned();
    let number = |number: Option<u32>| number.map_or("none".to_owned(), |number| number.to_string());
    let fit = |page: &Page| or_none(page.fit.as_ref(), |(wide, tall)| format!("{wide} by {tall} pages"));
    let margins = |page: &Page| {
        or_none(page.margins.as_ref(), |m| format!("{} {} {} {}", m.left, m.right, m.top, m.bottom))
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    pairs.add("", way(old), way(new));
    pairs.add("paper", number(old.paper), number(new.paper));
    pairs.add("scale", number(old.scale), number(new.scale));
    pairs.add("fit to", fit(old), fit(new));
    pairs.add("margins", margins(old), margins(new));
    let centred =
        |page: &Page| format!("{}/{}", switch(page.center_horizontally), switch(page.center_vertically));
    pairs.add("centred", centred(old), centred(new));
    pairs.add("gridlines", switch(old.gridlines), switch(new.gridlines));
    pairs.add("headings", switch(old.headings), switch(new.headings));
    pairs.add("header", text(&old.header), text(&new.header));
    pairs.add("footer", text(&old.footer), text(&new.footer));
    pairs.add("areas", joined(old.areas.iter()), joined(new.areas.iter()));
    pairs.add("titles", joined(old.titles.iter()), joined(new.titles.iter()));
    pairs.finish()
}

/// Words for what differs, of both sides.
#[derive(Default)]
struct Pairs {
    was: Vec<String>,
    is: Vec<String>,
}

impl Pairs {
    fn add(&mut self, what: &str, old: String, new: String) {
        if old != new {
            let said = |text: String| match (what, text.as_str()) {
                ("", _) => text,
                (_, "") => format!("{what} none"),
                _ => format!("{what} {text}"),
            };
            self.was.push(said(old));
            self.is.push(said(new));
        }
    }

    fn finish(self) -> (String, String) {
        (self.was.join(", "), self.is.join(", "))
    }
}

fn joined<'a>(areas: impl Iterator<Item = &'a crate::file::a1::Area>) -> String {
    areas.map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

pub(super) fn columns(columns: &Columns) -> String {
    let letters = formula::column_letters;
    let (first, last) = (letters(columns.first), letters(columns.last));
    let mut words = vec![if first == last { first } else { format!("{first}:{last}") }];
    words.extend(columns.width.map(|width| format!("width {width}")));
    words.extend(columns.hidden.then(|| "hidden".to_owned()));
    words.extend((columns.outline > 0).then(|| format!("outline {}", columns.outline)));
    words.join(", ")
}

pub(super) fn validation(rule: &Validation) -> String {
    let values = [&rule.operator, &rule.formula1, &rule.formula2];
    let values: Vec<&str> = values.into_iter().filter_map(Option::as_deref).collect();
    format!("{}: {} {}", joined(rule.areas.iter()), rule.kind, values.join(" ")).trim_end().to_owned()
}

pub(super) fn conditional(format: &ConditionalFormat) -> String {
    let mut words = vec![format!("{}: {}", joined(format.areas.iter()), format.kind)];
    words.extend(format.operator.clone());
    words.extend(format.formulas.iter().cloned());
    words.extend(format.text.clone());
    words.join(" ")
}

pub(super) fn link(link: &Hyperlink) -> String {
    let to = link.target.as_deref().or(link.location.as_deref()).unwrap_or("nowhere");
    format!("{} to {to}", link.area)
}

pub(super) fn note(note: &NoteOnCell) -> String {
    format!("{}: {}", note.at, note.text)
}

pub(super) fn thread(thread: &Thread) -> String {
    let texts: Vec<&str> = thread.comments.iter().map(|comment| comment.text.as_str()).collect();
    let resolved = if thread.resolved { " (resolved)" } else { "" };
    format!("{}: {}{resolved}", thread.at, texts.join(" / "))
}

pub(super) fn drawing(drawing: &Drawing) -> String {
    let area = drawing.area.map_or_else(String::new, |area| format!(" at {area}"));
    let kind = match drawing.kind {
        DrawingKind::Picture => "picture",
        DrawingKind::Chart => "chart",
        DrawingKind::Shape => "shape",
    };
    format!("{kind} {}{area}", drawing.name.as_deref().unwrap_or("without a name"))
}

pub(super) fn chart(chart: &Chart) -> String {
    let title = chart.title.as_deref().or(chart.name.as_deref()).unwrap_or("without a title");
    let series: Vec<&str> = chart.series.iter().filter_map(|series| series.values.as_deref()).collect();
    format!("{title}: {}", series.join(", "))
}

pub(super) fn table(table: &Table) -> String {
    let style = table.style.as_deref().unwrap_or("no style");
    format!("{} over {} ({}), {style}", table.name, table.area, table.columns.join(", "))
}

/// What differs between two looks of a cell.
pub(super) fn looks(old: &Style, new: &Style) -> (String, String) {
    let mut pairs = Pairs::default();
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    let size = |style: &Style| or_none(style.font.size.as_ref(), ToString::to_string);
    let font_colour = |style: &Style| or_none(style.font.color.as_ref(), colour);
    pairs.add("number format", old.number_format.clone(), new.number_format.clone());
    pairs.add("bold", switch(old.font.bold), switch(new.font.bold));
    pairs.add("italic", switch(old.font.italic), switch(new.font.italic));
    pairs.add("strike", switch(old.font.strike), switch(new.font.strike));
    pairs.add("underline", text(&old.font.underline), text(&new.font.underline));
    pairs.add("font", text(&old.font.name), text(&new.font.name));
    pairs.add("size", size(old), size(new));
    pairs.add("colour", font_colour(old), font_colour(new));
    let fill = |style: &Style| {
        or_none(style.fill.as_ref(), |fill| match &fill.color {
            Some(known) => colour(known),
            None if fill.gradient.is_empty() => fill.pattern.clone(),
            None => "gradient".to_owned(),
        })
    };
    pairs.add("fill", fill(old), fill(new));
    let border = |style: &Style| {
        let border = &style.border;
        let edges = [
            ("left", &border.left),
            ("right", &border.right),
            ("top", &border.top),
            ("bottom", &border.bottom),
            ("diagonal", &border.diagonal),
        ];
        let told = edges.iter().filter_map(|(side, edge)| {
            let edge = edge.as_ref()?;
            let coloured =
                edge.color.as_ref().map_or_else(String::new, |known| format!(" {}", colour(known)));
            Some(format!("{side} {}{coloured}", edge.style))
        });
        told.collect::<Vec<_>>().join(" ")
    };
    pairs.add("border", border(old), border(new));
    let placed = |style: &Style| {
        let to = &style.alignment;
        let mut words: Vec<String> = [&to.horizontal, &to.vertical].into_iter().flatten().cloned().collect();
        words.extend(to.wrap.then(|| "wrapped".to_owned()));
        words.extend(to.shrink.then(|| "shrunk to fit".to_owned()));
        words.extend((to.indent > 0).then(|| format!("indent {}", to.indent)));
        words.extend((to.rotation > 0).then(|| format!("turned {}", to.rotation)));
        words.join(" ")
    };
    pairs.add("alignment", placed(old), placed(new));
    pairs.add("locked", switch(old.locked), switch(new.locked));
    pairs.finish()
}

//! `table.create`: a table between paragraphs.

use edit::{Context, Patch, Planned, Refusal};
use ooxml::xml::ns;

use super::super::TableCreate;
use super::super::beside_table::{beside_table, outside};
use super::super::place::{Ground, Places};
use super::super::styles::{self, Kind};
use super::super::text::{Look, body_blocks, remove, replace_ground};
use super::super::{Location, Scope};
use super::{around, is_document};
use crate::document::index::BoxKind;
use crate::document::names::attribute;
use crate::document::stamp::Stamp;
use crate::document::tables::Position;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::dialect::Dialect;
use crate::edits::marks::{formatting, put_in_mark, record};
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::outcome::Answer;
use crate::edits::plain_near;
use crate::edits::run_properties::RunProperties;
use crate::edits::run_siblings::{Sibling, siblings};
use crate::edits::{InsertTable, Markup, Outcome, body_look, check_controls, clean};

/// What Word allows.
const MOST_COLUMNS: usize = 63;
const MOST_ROWS: usize = 32_767;
const MOST_CELLS: usize = 100_000;

pub(super) fn plan(
    view: &View,
    op: &TableCreate,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    check(op)?;
    let mut draft = Draft::new(view, markup, cx);
    draft.note_selection(&op.scope, places);
    let (anchor, before) = site(&mut draft, op, places)?;
    put(draft, op, anchor, before)
}

/// A table beside a paragraph that is known.
pub(crate) fn beside(view: &View, edit: &InsertTable, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let cols = edit.rows.iter().map(Vec::len).max().unwrap_or(0);
    let op = TableCreate { rows: edit.rows.len(), cols, data: edit.rows.clone(), ..TableCreate::default() };
    check(&op)?;
    let anchor = view.find(edit.anchor)?;
    put(Draft::new(view, edit.markup, cx), &op, anchor, edit.position == Position::Before)
}

fn put(
    mut draft: Draft<'_>,
    op: &TableCreate,
    anchor: Place,
    before: bool,
) -> Result<Planned<Outcome>, Refusal> {
    check_controls(draft.view(), anchor)?;
    let style = styles::ensure(&mut draft, "Table Grid", &[Kind::Table])?;
    let opened = draft.open(anchor)?;
    let part = draft.view().part(anchor).ok_or_else(|| Refusal::internal("a paragraph of another view"))?;
    let around_it = siblings(part, anchor.index as usize);
    let width = width_at(draft.view(), anchor);
    let stamp = draft.stamp();
    let look = cell_look(&draft, anchor)?;
    let table = markup_of(op, &opened.dialect, &style.id, width, &look, stamp.as_ref())?;
    let empty = opened.dialect.empty("p", &[]);
    // Two tables that touch become one, and neither a cell nor a document may end in a table.
    let (at, lead, tail) = match before {
        true => {
            let touches = around_it.before == Sibling::Table;
            (opened.paragraph.span.start, touches, false)
        }
        false => (opened.paragraph.span.end, false, around_it.after != Sibling::Paragraph),
    };
    let lead = if lead { empty.as_str() } else { "" };
    let tail = if tail { empty.as_str() } else { "" };
    let name = opened.part.clone();
    let mut patch = Patch::new();
    let (tail, grown) = match &stamp {
        Some(stamp) if !tail.is_empty() && joins(&opened) => tracked_tail(&mut patch, &opened, stamp)?,
        _ => (tail.to_owned(), 0),
    };
    patch.splice(&name, at..at, format!("{lead}{table}{tail}"))?;
    draft.apply(&patch)?;
    let start = at + grown + lead.len();
    let inside = super::Span { part: name.as_str().to_owned(), start, end: start + 1 };
    let span = around(draft.view(), &inside).filter(|span| span.start == start);
    let span = span.ok_or_else(|| Refusal::internal("the new table cannot be found again"))?;
    let summary = format!("Insert a table of {} by {}", op.rows, op.cols);
    Ok(draft.done(summary, Answer::Table { table: span.clone(), range: span }))
}

/// The paragraph behind a table: rejected, the table goes, and the mark in front of it, which is tracked as inserted,
/// takes this one along. Answers by how much the bytes in front of the table grow.
fn tracked_tail(
    patch: &mut Patch,
    opened: &OpenParagraph,
    stamp: &Stamp,
) -> Result<(String, usize), Refusal> {
    let (dialect, node) = (&opened.dialect, opened.node()?);
    let mark = node.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
    let mark = mark.map_or_else(RunProperties::default, RunProperties::of).without_change();
    let mut inner = mark.write(dialect);
    let old = formatting(node);
    if !old.is_empty() {
        inner.push_str(&record(&old, stamp, dialect));
    }
    let inner = if inner.is_empty() { inner } else { dialect.wrap("pPr", "", &inner) };
    let ins = format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute));
    let splice = put_in_mark(node, &ins, dialect);
    let grown = splice.1.len() - splice.0.len();
    opened.add_to(patch, vec![splice])?;
    Ok((dialect.wrap("p", "", &inner), grown))
}

/// Whether the mark of a paragraph can be tracked as inserted, to go with what follows when that is rejected.
fn joins(opened: &OpenParagraph) -> bool {
    let section = opened.node().is_ok_and(|node| {
        node.child(ns::W, "pPr").is_some_and(|properties| {
            ["sectPr", "pPrChange"].iter().any(|name| properties.child(ns::W, name).is_some())
        })
    });
    let mark = &opened.paragraph.mark;
    !section && mark.inserted.is_none() && mark.deleted.is_none() && !opened.paragraph.closes_itself
}

fn check(op: &TableCreate) -> Result<(), Refusal> {
    let within = |field: &'static str, found: usize, most: usize| match (1..=most).contains(&found) {
        true => Ok(()),
        false => Err(Refusal::invalid(field, found, format!("a number from 1 to {most}"))),
    };
    within("rows", op.rows, MOST_ROWS)?;
    within("cols", op.cols, MOST_COLUMNS)?;
    if op.rows * op.cols > MOST_CELLS {
        let found = format!("{} cells", op.rows * op.cols);
        return Err(Refusal::invalid("rows", found, format!("at most {MOST_CELLS} cells in one table")));
    }
    if op.data.len() > op.rows {
        let expected = format!("at most {}, the number of rows", op.rows);
        return Err(Refusal::invalid("data", format!("{} rows", op.data.len()), expected));
    }
    for (number, row) in op.data.iter().enumerate() {
        if row.len() > op.cols {
            let expected = format!("at most {}, the number of columns", op.cols);
            return Err(Refusal::invalid(
                format!("data[{number}]"),
                format!("{} cells", row.len()),
                expected,
            ));
        }
    }
    Ok(())
}

/// The paragraph that the table goes beside, and whether before it.
fn site(draft: &mut Draft<'_>, op: &TableCreate, places: &Places) -> Result<(Place, bool), Refusal> {
    if is_document(&op.scope) && op.location != Location::Replace {
        let start = matches!(op.location, Location::Start | Location::Before);
        let blocks = body_blocks(draft.view());
        let mut paragraphs = blocks.iter().filter_map(|(_, place)| *place);
        let edge = if start { paragraphs.next() } else { paragraphs.next_back() };
        let edge = edge.ok_or_else(|| Refusal::unsupported("a document without a paragraph of its own"))?;
        return Ok((edge, start));
    }
    if is_document(&op.scope) {
        let empty = super::super::InsertText { scope: Scope::Document, ..Default::default() };
        let planned = super::super::text::plan(draft.view(), &empty, places, draft.markup, draft.cx)?;
        draft.apply(&planned.step.patch)?;
        let only = draft.view().body().next();
        return Ok((only.ok_or_else(|| Refusal::internal("an emptied document has no paragraph"))?, true));
    }
    let ground = Ground::of(draft.view(), &op.scope, places)?;
    let (first, last) = (ground.first()?.clone(), ground.last()?.clone());
    if let (Some(table), Some(position)) = (&ground.table, outside(op.location)) {
        // Two tables that touch are one, so a paragraph comes between them.
        let (between, _) = beside_table(draft, table, position, &[""], Look::Kept)?.from;
        return Ok((between, position == Position::Before));
    }
    if ground.table.is_some() && op.location == Location::Replace {
        return Err(Refusal::Unsupported {
            what: "replacing a table by another one".to_owned(),
            instead: Some("create the new one after it, then delete all rows of the old one".to_owned()),
        });
    }
    match op.location {
        Location::Start | Location::Before => Ok((first.place, true)),
        Location::End | Location::After => Ok((last.place, false)),
        Location::Replace => {
            if first.whole && !ground.is_cursor() {
                replace_ground(draft, &ground, &[], Look::Kept)?;
            } else if !ground.is_cursor() {
                remove(draft, &ground.stretches)?;
            }
            let empty = draft.view().paragraph(first.place)?.is_empty();
            Ok((first.place, empty))
        }
    }
}

/// The room for text there, in twentieths of a point.
pub(crate) fn width_at(view: &View, place: Place) -> usize {
    const USUAL: usize = 9_360;
    let Some(part) = view.part(place) else { return USUAL };
    let number = |tag: &[u8], name: &str| attribute(tag, name).and_then(|value| value.parse::<usize>().ok());
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(crate::document::index::NOWHERE);
    let cell = part.around(boxed).find(|(_, block)| block.kind == BoxKind::Cell);
    if let Some((_, cell)) = cell {
        let properties = part.blob.slice(cell.props.0 as usize..cell.props.1 as usize);
        let at = memchr::memmem::find(&properties, b"tcW ");
        let width = at.and_then(|at| number(properties.get(at.saturating_sub(3)..)?, "w"));
        return width.filter(|width| *width > 400).map_or(USUAL / 3, |width| width - 216);
    }
    // The section that a paragraph belongs to is described behind it.
    let rest = part.blob.slice(view.span(place).start..part.blob.len());
    let tag = |name: &[u8]| memchr::memmem::find(&rest, name).and_then(|at| rest.get(at..));
    let page = tag(b"pgSz").and_then(|tag| number(tag, "w"));
    let margins = tag(b"pgMar").and_then(|tag| Some(number(tag, "left")? + number(tag, "right")?));
    match (page, margins) {
        (Some(page), Some(margins)) if page > margins + 720 => page - margins,
        _ => USUAL,
    }
}

fn markup_of(
    op: &TableCreate,
    dialect: &Dialect,
    style: &str,
    width: usize,
    look: &CellLook,
    stamp: Option<&Stamp>,
) -> Result<String, Refusal> {
    let column = (width / op.cols).max(1).to_string();
    let first_row = if op.header { "1" } else { "0" };
    let properties = [
        dialect.empty("tblStyle", &[("val", style)]),
        dialect.empty("tblW", &[("w", "0"), ("type", "auto")]),
        dialect.empty(
            "tblLook",
            &[
                ("val", if op.header { "0420" } else { "0400" }),
                ("firstRow", first_row),
                ("lastRow", "0"),
                ("firstColumn", "0"),
                ("lastColumn", "0"),
                ("noHBand", "0"),
                ("noVBand", "1"),
            ],
        ),
    ];
    let grid: String = (0..op.cols).map(|_| dialect.empty("gridCol", &[("w", &column)])).collect();
    let cell_properties = dialect.wrap("tcPr", "", &dialect.empty("tcW", &[("w", &column), ("type", "dxa")]));
    let mut rows = String::new();
    for row in 0..op.rows {
        let mut facts = String::new();
        if row == 0 && op.header {
            facts.push_str(&dialect.empty("tblHeader", &[]));
        }
        if let Some(stamp) = stamp {
            facts.push_str(&format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute)));
        }
        let mut cells = if facts.is_empty() { facts } else { dialect.wrap("trPr", "", &facts) };
        for col in 0..op.cols {
            let text = op.data.get(row).and_then(|row| row.get(col)).map_or("", String::as_str);
            let text = clean("data", text)?;
            let inner: String =
                text.split('\n').map(|line| cell_paragraph(line, look, dialect, stamp)).collect();
            cells.push_str(&dialect.wrap("tc", "", &format!("{cell_properties}{inner}")));
        }
        rows.push_str(&dialect.wrap("tr", "", &cells));
    }
    let head =
        format!("{}{}", dialect.wrap("tblPr", "", &properties.concat()), dialect.wrap("tblGrid", "", &grid));
    Ok(dialect.wrap("tbl", "", &format!("{head}{rows}")))
}

/// How the text of new cells looks: properties of paragraphs and of runs, as written.
struct CellLook {
    paragraph: String,
    run: String,
}

/// Like the text around: its style, and its font, size, colour and language where it has some of its own. What makes a
/// heading or a list of a paragraph, or spaces it apart, is left to the table.
fn cell_look(draft: &Draft<'_>, anchor: Place) -> Result<CellLook, Refusal> {
    const KEPT: [&str; 8] = ["rFonts", "sz", "szCs", "color", "lang", "rtl", "cs", "w"];
    let model = plain_near(draft.view(), anchor);
    let opened = draft.open(model)?;
    let mut run = body_look(draft.view(), model, &opened.anatomy()?);
    let names: Vec<String> = run.children().iter().map(|(name, _)| name.clone()).collect();
    for name in names.iter().filter(|name| !KEPT.contains(&name.as_str())) {
        run.remove(name);
    }
    let run = run.write(&opened.dialect);
    let style = opened.node()?.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "pStyle"));
    let is_heading = !crate::edits::is_plain(draft.view(), model);
    let style =
        style.filter(|_| !is_heading).map(|style| String::from_utf8_lossy(style.source()).into_owned());
    let inner = format!("{}{run}", style.unwrap_or_default());
    let paragraph = if inner.is_empty() { inner } else { opened.dialect.wrap("pPr", "", &inner) };
    Ok(CellLook { paragraph, run })
}

fn cell_paragraph(line: &str, look: &CellLook, dialect: &Dialect, stamp: Option<&Stamp>) -> String {
    if line.is_empty() {
        return match look.paragraph.is_empty() {
            true => dialect.empty("p", &[]),
            false => dialect.wrap("p", "", &look.paragraph),
        };
    }
    let run = dialect.wrap("r", "", &format!("{}{}", look.run, dialect.content(line)));
    let run = match stamp {
        Some(stamp) => dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run),
        None => run,
    };
    dialect.wrap("p", "", &format!("{}{run}", look.paragraph))
}

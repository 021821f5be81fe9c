//! The text of single cells.

use edit::{Context, OrEmpty, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::TableSetCellText;
use super::super::place::{Ground, Places, Stretch, whole};
use super::super::text::{Look, replace_ground};
use super::tracked::mark_of;
use super::{Cell, Merge, Row, Table, index};
use crate::document::index::BoxKind;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::{Markup, Outcome, clean};
use crate::text::quotation::excerpt;

pub(super) fn set_text(
    view: &View,
    op: &TableSetCellText,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &op.text)?;
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let (rows, (count, columns)) = (table.rows()?, table.size()?);
    let (row, col) = (index("row", op.row, count)?, index("col", op.col, columns)?);
    // What covers the place may have begun in a row above.
    let covering = (0..=row).rev().find_map(|row| {
        let cell = rows.get(row)?.covering(col)?;
        (cell.merge != Merge::Goes).then_some(cell)
    });
    let cell = match rows.get(row).and_then(|row| row.covering(col)) {
        None => {
            let why = format!("row {row} has no cell in column {col}");
            return Err(Refusal::invalid("col", col, why));
        }
        Some(cell) => covering.unwrap_or(cell),
    };
    check_seen(&rows, row, cell)?;
    let start = table.base + cell.node.span().start;
    let ground = Ground::stretches(stretches(draft.view(), &table, start)?);
    let lines: Vec<&str> = text.split('\n').collect();
    replace_ground(&mut draft, &ground, &lines, Look::Kept)?;
    let summary = format!("Set row {}, column {} of a table to \"{}\"", row + 1, col + 1, excerpt(&text));
    table.finish(draft, &Patch::new(), summary)
}

/// The mark of a row that is deleted in a tracked change.
fn deleted<'a>(row: &Row<'a>) -> Option<Node<'a>> {
    row.node.child(ns::W, "trPr")?.child(ns::W, "del")
}

/// Refuses a cell that a tracked change has deleted: nobody would see what is written there.
fn check_seen(rows: &[Row<'_>], number: usize, cell: &Cell<'_>) -> Result<(), Refusal> {
    let holder = rows.iter().find(|row| row.cells.iter().any(|known| known.node.span() == cell.node.span()));
    let (what, mark, stay) = match (holder.and_then(deleted), mark_of(cell.node)) {
        (Some(mark), _) => {
            let stay = rows.iter().enumerate().filter(|(_, row)| deleted(row).is_none());
            let stay: Vec<String> = stay.map(|(number, _)| number.to_string()).collect();
            (format!("row {number}"), mark, format!("rows that stay: {}", stay.join(", ")))
        }
        (None, Some(mark)) if word_name(&mark) == "cellDel" => (
            format!("the cell in row {number}, column {}", cell.column),
            mark,
            "choose another cell".to_owned(),
        ),
        _ => return Ok(()),
    };
    let author = mark.value(ns::W, "author").or_empty();
    Err(Refusal::Unsafe {
        why: format!("{what} is deleted in a tracked change by {author}, so nobody would see the text"),
        instead: Some(format!("{stay}; or reject the deletion first")),
    })
}

/// The paragraphs that stand directly in the cell whose bytes begin at `start`.
fn stretches(view: &View, table: &Table, start: usize) -> Result<Vec<Stretch>, Refusal> {
    let part = view.part(Place { part: table.story, index: 0 });
    let part = part.ok_or_else(|| Refusal::internal("a table of another view"))?;
    let known = |kind: BoxKind| kind == BoxKind::Cell;
    let number = part.boxes.iter().position(|block| known(block.kind) && block.start as usize == start);
    let number = number.ok_or_else(|| Refusal::internal("a cell that cannot be found again"))? as u32;
    let holds = |kind: BoxKind| part.boxes.iter().any(|block| block.parent == number && block.kind == kind);
    if holds(BoxKind::Table) {
        return Err(Refusal::Unsafe {
            why: "the cell holds a table of its own, which would be lost".to_owned(),
            instead: Some("change the text of the inner table, or delete that first".to_owned()),
        });
    }
    let mut found = Vec::new();
    for (index, boxed) in part.paragraphs.boxed.iter().enumerate() {
        let inside = part.around(boxed).take_while(|(_, block)| block.kind != BoxKind::TextBox);
        if inside.take_while(|(at, _)| *at >= number).any(|(at, _)| at == number) {
            found.push(whole(view, Place { part: table.story, index: index as u32 })?);
        }
    }
    match found.is_empty() {
        true => Err(Refusal::unsupported("a cell without a paragraph")),
        false => Ok(found),
    }
}

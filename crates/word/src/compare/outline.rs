//! A story as the paragraphs and tables that stand in it, one in the other.

use super::report::{Told, boxed};
use crate::document::index::BoxKind;
use crate::document::view::View;

#[derive(Debug, Clone)]
pub(super) enum Item {
    Paragraph(Told),
    Table(Table),
}

#[derive(Debug, Clone)]
pub(super) struct Table {
    /// The number of its part.
    pub(super) part: u32,
    pub(super) boxed: u32,
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) boxed: u32,
    pub(super) cells: Vec<Cell>,
}

#[derive(Debug, Clone)]
pub(super) struct Cell {
    boxed: u32,
    pub(super) items: Vec<Item>,
}

impl Item {
    /// What stands in it, one paragraph a line.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Paragraph(told) => told.text.clone(),
            Self::Table(table) => table.rows.iter().map(Row::text).collect::<Vec<_>>().join("\n"),
        }
    }

    /// What two items that are the same have in common.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Paragraph(told) => told.key.clone(),
            Self::Table(table) => {
                let rows = table.rows.iter().map(Row::key).collect::<Vec<_>>().join("\n");
                format!("\u{6}{rows}")
            }
        }
    }

    pub(super) fn paragraph(&self) -> Option<&Told> {
        match self {
            Self::Paragraph(told) => Some(told),
            Self::Table(_) => None,
        }
    }
}

impl Row {
    pub(super) fn text(&self) -> String {
        self.cells.iter().map(Cell::text).collect::<Vec<_>>().join("\n")
    }
}

impl Row {
    pub(super) fn key(&self) -> String {
        self.cells.iter().map(Cell::key).collect::<Vec<_>>().join("\u{7}")
    }

    /// All paragraphs in it, also those of tables inside.
    pub(super) fn paragraphs(&self) -> Vec<&Told> {
        let mut all = Vec::new();
        for item in self.cells.iter().flat_map(|cell| &cell.items) {
            match item {
                Item::Paragraph(told) => all.push(told),
                Item::Table(table) => all.extend(table.rows.iter().flat_map(Self::paragraphs)),
            }
        }
        all
    }
}

impl Cell {
    pub(super) fn text(&self) -> String {
        self.items.iter().map(Item::text).collect::<Vec<_>>().join("\n")
    }

    fn key(&self) -> String {
        self.items.iter().map(Item::key).collect::<Vec<_>>().join("\n")
    }
}

/// The paragraphs as they stand in each other.
pub(super) fn outline(view: &View, paragraphs: Vec<Told>) -> Vec<Item> {
    let mut items = Vec::new();
    for told in paragraphs {
        let Some((place, part)) = told.first().and_then(|place| Some((place, view.part(place)?))) else {
            continue;
        };
        let parts = [BoxKind::Table, BoxKind::Row, BoxKind::Cell];
        let mut around: Vec<u32> = part
            .around(boxed(view, place))
            .filter(|(_, block)| parts.contains(&block.kind))
            .map(|(at, _)| at)
            .collect();
        around.reverse();
        put(&mut items, place.part, &around, &told);
    }
    items
}

fn put(items: &mut Vec<Item>, part: u32, around: &[u32], told: &Told) {
    let [table, row, cell, inner @ ..] = around else {
        items.push(Item::Paragraph(told.clone()));
        return;
    };
    if !matches!(items.last(), Some(Item::Table(last)) if last.boxed == *table) {
        items.push(Item::Table(Table { part, boxed: *table, rows: Vec::new() }));
    }
    let Some(Item::Table(known)) = items.last_mut() else { return };
    if known.rows.last().is_none_or(|last| last.boxed != *row) {
        known.rows.push(Row { boxed: *row, cells: Vec::new() });
    }
    let Some(known) = known.rows.last_mut() else { return };
    if known.cells.last().is_none_or(|last| last.boxed != *cell) {
        known.cells.push(Cell { boxed: *cell, items: Vec::new() });
    }
    if let Some(known) = known.cells.last_mut() {
        put(&mut known.items, part, inner, told);
    }
}

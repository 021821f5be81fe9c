//! A story as the paragraphs and tables that stand in it, one in the other.

use super::report::{Told, boxed};
use crate::document::index::BoxKind;
use crate::document::view::{Place, View};
use crate::op;

#[derive(Debug, Clone)]
pub(super) enum Item {
    Paragraph(Told),
    Table(Table),
}

#[derive(Debug, Clone)]
pub(super) struct Table {
    boxed: u32,
    /// Its number among the tables of the body that stand in no other.
    pub(super) number: Option<usize>,
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    boxed: u32,
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

    pub(super) fn paragraph(&self) -> Option<&Told> {
        match self {
            Self::Paragraph(told) => Some(told),
            Self::Table(_) => None,
        }
    }
}

impl Item {
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Self::Paragraph(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

impl Table {
    /// A paragraph that stands in it and in no table inside it.
    pub(super) fn first(&self) -> Option<Place> {
        self.rows.iter().find_map(Row::first)
    }
}

impl Row {
    pub(super) fn first(&self) -> Option<Place> {
        let mut items = self.cells.iter().flat_map(|cell| &cell.items);
        items.find_map(Item::paragraph).and_then(Told::first)
    }

    pub(super) fn text(&self) -> String {
        self.cells.iter().map(Cell::text).collect::<Vec<_>>().join("\n")
    }
}

impl Cell {
    pub(super) fn text(&self) -> String {
        self.items.iter().map(Item::text).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn holds_tables(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Table(_)))
    }
}

/// The paragraphs as they stand in each other.
pub(super) fn outline(view: &View, paragraphs: Vec<Told>) -> Vec<Item> {
    let mut items = Vec::new();
    let tables = op::top_tables(view);
    for told in paragraphs {
        let Some((place, part)) = told.first().and_then(|place| Some((place, view.part(place)?))) else {
            continue;
        };
        let parts = [BoxKind::Table, BoxKind::Row, BoxKind::Cell];
        let mut around: Vec<(u32, BoxKind)> = part
            .around(boxed(view, place))
            .filter(|(_, block)| parts.contains(&block.kind))
            .map(|(at, block)| (at, block.kind))
            .collect();
        around.reverse();
        let number = |table: u32| {
            let start = part.bounds(table)?.start as usize;
            tables.binary_search_by_key(&start, |table| table.start).ok().filter(|_| place.part == 0)
        };
        put(&mut items, &around, &told, &number);
    }
    items
}

fn put(items: &mut Vec<Item>, around: &[(u32, BoxKind)], told: &Told, number: &dyn Fn(u32) -> Option<usize>) {
    let [(table, _), (row, _), (cell, _), inner @ ..] = around else {
        items.push(Item::Paragraph(told.clone()));
        return;
    };
    if !matches!(items.last(), Some(Item::Table(last)) if last.boxed == *table) {
        items.push(Item::Table(Table { boxed: *table, number: number(*table), rows: Vec::new() }));
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
        put(&mut known.items, inner, told, number);
    }
}

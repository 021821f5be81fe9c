//! Tables: their ids, their grid, and where a paragraph stands in it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use edit::{PartName, Refusal};
use serde::{Deserialize, Serialize};

use crate::document::ids::ParagraphId;
use crate::document::index::{BoxKind, NOWHERE, Part, digest};
use crate::document::props::each_child;
use crate::document::view::{Place, View};

/// On which side of a paragraph or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    Before,
    After,
}

/// `tbl_` and twelve hexadecimal digits. A table is named by its first paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TableId(u64);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tbl_{:012x}", self.0)
    }
}

impl FromStr for TableId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let digits = text.trim().strip_prefix("tbl_").filter(|digits| digits.len() == 12);
        let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let expected = "a table id such as tbl_0123456789ab";
        number.map(Self).ok_or_else(|| Refusal::invalid("table id", format!("`{text}`"), expected))
    }
}

impl From<TableId> for String {
    fn from(id: TableId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for TableId {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

/// A table and its grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub id: TableId,
    pub part: PartName,
    pub span: Range<usize>,
    /// `w:tblPr`; empty if there is none.
    pub properties: Range<usize>,
    pub rows: Vec<Row>,
    /// Columns of the grid.
    pub columns: usize,
    /// Tables around this one.
    pub depth: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub span: Range<usize>,
    pub properties: Range<usize>,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub span: Range<usize>,
    pub content: Range<usize>,
    pub properties: Range<usize>,
    /// The column of the grid it starts in, from 0, and how many it takes.
    pub column: usize,
    pub columns: usize,
    pub merge: Merge,
    pub(crate) boxed: u32,
}

/// How a cell is merged with those above and below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Merge {
    #[default]
    None,
    Starts,
    Continues,
}

/// Where a paragraph stands in a table; counted from 1, as people do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grid {
    pub table: TableId,
    pub row: usize,
    pub column: usize,
}

/// What stands beside a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Neighbour {
    /// A paragraph, and the side of it that the table is on.
    Paragraph(ParagraphId, Position),
    /// Another table, or the edge of what holds the table.
    None {
        /// The first paragraph in the table.
        inside: Place,
        at: usize,
        /// Plain text nearby, for new text to look like.
        like: Option<Place>,
    },
}

/// How many paragraphs are looked at for one that is plain text.
const NEAR: usize = 50;

impl View {
    /// All tables of all stories, outer before inner.
    pub fn tables(&self) -> impl Iterator<Item = Table> {
        self.parts().iter().flat_map(|part| {
            let tables = part.boxes.iter().enumerate().filter(|(_, block)| block.kind == BoxKind::Table);
            tables.filter_map(|(index, _)| table(part, index as u32))
        })
    }

    pub fn table(&self, id: TableId) -> Result<Table, Refusal> {
        let found = self.parts().iter().find_map(|part| {
            let mut tables = part.boxes.iter().enumerate().filter(|(_, block)| block.kind == BoxKind::Table);
            let (index, _) = tables.find(|(index, _)| table_id(part, *index as u32) == id)?;
            table(part, index as u32)
        });
        found.ok_or_else(|| Refusal::not_found("table", id.to_string()))
    }

    /// Where text goes that is to stand directly before or behind a table.
    pub(crate) fn beside_table(&self, id: TableId, position: Position) -> Result<Neighbour, Refusal> {
        let table = self.table(id)?;
        let numbered = self.parts().iter().enumerate().find(|(_, part)| part.name == table.part);
        let (number, part) = numbered.ok_or_else(|| Refusal::internal("a table of another view"))?;
        let container = part.boxes.iter().find(|block| block.start as usize == table.span.start);
        let container = container.map_or(NOWHERE, |block| block.parent);
        let from = |offset: usize| part.paragraphs.start.partition_point(|start| (start as usize) < offset);
        let (first, behind) = (from(table.span.start), from(table.span.end));
        let (neighbour, side) = match position {
            Position::Before => (first.checked_sub(1), Position::After),
            Position::After => (Some(behind), Position::Before),
        };
        let same = |index: &usize| part.paragraphs.boxed.get(*index) == Some(container);
        let place = |index: usize| Place { part: number as u32, index: index as u32 };
        if let Some(index) = neighbour.filter(same) {
            return Ok(Neighbour::Paragraph(self.id(place(index)), side));
        }
        // Some programs put a table into a paragraph, which cannot hold another one.
        if part.paragraph_holding(&table.span).as_ref().is_some_and(same) || first == behind {
            return Err(Refusal::Unsafe {
                why: format!("table {id} stands inside a paragraph"),
                instead: Some("insert beside that paragraph".to_owned()),
            });
        }
        let plain = |index: &usize| {
            same(index)
                && self.heading_level(place(*index)).is_none()
                && self.numbered(place(*index)).is_none()
        };
        let after = (behind..part.paragraphs.len()).filter(same).take(NEAR).find(plain);
        let like = after.or_else(|| (0..first).rev().filter(same).take(NEAR).find(plain)).map(place);
        let at = match position {
            Position::Before => table.span.start,
            Position::After => table.span.end,
        };
        Ok(Neighbour::None { inside: place(first), at, like })
    }

    /// The innermost table around a paragraph.
    pub(crate) fn table_around(&self, place: Place) -> Option<Table> {
        let part = self.part(place)?;
        table(part, self.table_box(place)?)
    }

    pub(crate) fn table_box(&self, place: Place) -> Option<u32> {
        let part = self.part(place)?;
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        let mut boxes = part.around(boxed).take_while(|(_, block)| block.kind != BoxKind::TextBox);
        boxes.find(|(_, block)| block.kind == BoxKind::Table).map(|(index, _)| index)
    }

    /// The cell of `table` that a paragraph stands in, by row and place in the row, from 0.
    pub fn cell_of(&self, place: Place, table: &Table) -> Option<(usize, usize)> {
        let part = self.part(place)?;
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        let (cell, _) = part.around(boxed).find(|(_, block)| block.kind == BoxKind::Cell)?;
        table.rows.iter().enumerate().find_map(|(row, cells)| {
            let at = cells.cells.iter().position(|known| known.boxed == cell)?;
            Some((row, at))
        })
    }
}

fn table_id(part: &Part, index: u32) -> TableId {
    let start = part.bounds(index).map_or(0, |block| block.inner);
    let first = part.paragraphs.start.partition_point(|paragraph| paragraph < start);
    let depth = part.around(index).filter(|(_, block)| block.kind == BoxKind::Table).count() as u8;
    let id = part.paragraphs.id.get(first).unwrap_or(0);
    TableId(digest(digest(7, &[depth]), &id.to_le_bytes()) & ((1 << 48) - 1))
}

pub(crate) fn table(part: &Part, index: u32) -> Option<Table> {
    let block = part.bounds(index).filter(|block| block.kind == BoxKind::Table)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut columns = 0;
    let inside = part.boxes.iter().enumerate().skip(index as usize + 1);
    for (at, inner) in inside.take_while(|(_, inner)| inner.start < block.end) {
        if part.table_owning(inner.parent) != Some(index) {
            continue;
        }
        let span = inner.start as usize..inner.end as usize;
        let properties = inner.props.0 as usize..inner.props.1 as usize;
        match inner.kind {
            BoxKind::Row => rows.push(Row { span, properties, cells: Vec::new() }),
            BoxKind::Cell => {
                let Some(row) = rows.last_mut() else { continue };
                let (taken, merge) = cell_properties(&part.blob.slice(properties.clone()));
                let column = match row.cells.last() {
                    Some(last) => last.column + last.columns,
                    None => grid_before(&part.blob.slice(row.properties.clone())),
                };
                columns = columns.max(column + taken);
                let content = inner.inner as usize..inner.inner_end as usize;
                row.cells.push(Cell {
                    span,
                    content,
                    properties,
                    column,
                    columns: taken,
                    merge,
                    boxed: at as u32,
                });
            }
            _ => {}
        }
    }
    let depth = part.around(block.parent).filter(|(_, outer)| outer.kind == BoxKind::Table).count();
    Some(Table {
        id: table_id(part, index),
        part: part.name.clone(),
        span: block.start as usize..block.end as usize,
        properties: block.props.0 as usize..block.props.1 as usize,
        rows,
        columns,
        depth,
    })
}

impl Part {
    /// The table whose row or cell a box is that stands in `parent`. Controls may stand between a table and its rows,
    /// and between a row and its cells.
    pub(crate) fn table_owning(&self, parent: u32) -> Option<u32> {
        let mut outer = self.around(parent);
        let (owner, block) = outer
            .find(|(_, outer)| matches!(outer.kind, BoxKind::Table | BoxKind::Cell | BoxKind::TextBox))?;
        (block.kind == BoxKind::Table).then_some(owner)
    }
}

fn cell_properties(properties: &[u8]) -> (usize, Merge) {
    let (mut columns, mut merge) = (1, Merge::None);
    each_child(properties, |child| match child.name {
        "gridSpan" => columns = child.val().and_then(|value| value.parse().ok()).unwrap_or(1),
        "vMerge" => {
            merge = match child.val().as_deref() {
                Some("restart") => Merge::Starts,
                _ => Merge::Continues,
            }
        }
        _ => {}
    });
    (columns.clamp(1, 63), merge)
}

fn grid_before(properties: &[u8]) -> usize {
    let mut before = 0;
    each_child(properties, |child| {
        if child.name == "gridBefore" {
            before = child.val().and_then(|value| value.parse().ok()).unwrap_or(0);
        }
    });
    before.min(63)
}

//! Everything that refers to cells, adjusted to a change of the workbook's structure.
//!
//! Rows and columns come and go, sheets are renamed and deleted: formulas, names, tables, validations,
//! conditional formats, charts, merges, filters, links, comments, drawings and pivot sources follow, each by
//! splices of the bytes that change. A part that cannot be read is left alone, with a note.

mod parts;
mod rows;

use std::cell::Cell;
use std::collections::BTreeSet;

use edit::{Content, Level, Note, PartName, Patch, Refusal};
use formula::{Change, MAX_COLS, MAX_ROWS};

use crate::calc::view::View;
use crate::file::a1::{Area, CellRef};

/// Rows or columns that are inserted into, or deleted from, one sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    /// Position of the sheet.
    pub(crate) sheet: usize,
    pub(crate) axis: Axis,
    pub(crate) at: u32,
    pub(crate) count: u32,
    pub(crate) deletes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Rows,
    Columns,
}

impl Axis {
    pub(crate) fn size(self) -> u32 {
        match self {
            Axis::Rows => MAX_ROWS,
            Axis::Columns => MAX_COLS,
        }
    }
}

impl Shift {
    /// Where a line goes; `None` if it is deleted or pushed off the sheet.
    pub(crate) fn line(&self, line: u32) -> Option<u32> {
        match self.deletes {
            false if line < self.at => Some(line),
            false => line.checked_add(self.count).filter(|line| *line < self.axis.size()),
            true if line < self.at => Some(line),
            true if line < self.at + self.count => None,
            true => Some(line - self.count),
        }
    }

    pub(crate) fn cell(&self, cell: CellRef) -> Option<CellRef> {
        match self.axis {
            Axis::Rows => self.line(cell.row).map(|row| CellRef { row, ..cell }),
            Axis::Columns => self.line(cell.col).map(|col| CellRef { col, ..cell }),
        }
    }

    /// Lines `first..=last` afterwards: grown by an insertion inside, shrunk by a deletion.
    pub(crate) fn lines(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        if !self.deletes {
            let first = self.line(first)?;
            return Some((first, self.line(last).unwrap_or(self.axis.size() - 1)));
        }
        let end = self.at + self.count;
        if first >= self.at && last < end {
            return None;
        }
        let low = if first >= self.at && first < end { self.at } else { self.line(first)? };
        let high = if last >= self.at && last < end { self.at - 1 } else { self.line(last)? };
        Some((low, high))
    }

    pub(crate) fn area(&self, area: &Area) -> Option<Area> {
        match self.axis {
            Axis::Rows if area.is_whole_columns() => Some(*area),
            Axis::Columns if area.is_whole_rows() => Some(*area),
            Axis::Rows => {
                self.lines(area.top, area.bottom).map(|(top, bottom)| Area { top, bottom, ..*area })
            }
            Axis::Columns => {
                self.lines(area.left, area.right).map(|(left, right)| Area { left, right, ..*area })
            }
        }
    }

    /// A line that something hangs on and that stays in sight: deleted lines go to the next one left.
    pub(crate) fn anchor(&self, line: u32) -> u32 {
        self.line(line).unwrap_or(if self.deletes { self.at } else { self.axis.size() - 1 })
    }
}

/// A change and the patch that follows it.
pub(crate) struct Follow<'a> {
    pub(crate) view: &'a View,
    pub(crate) change: Change,
    pub(crate) shift: Option<Shift>,
    pub(crate) patch: Patch,
    pub(crate) notes: Vec<Note>,
    /// The sheet that is going, whose own parts need no adjusting.
    pub(crate) without: Option<usize>,
    /// Whether a formula lost something that it referred to.
    pub(crate) lost: Cell<bool>,
    /// Parts that hang on a sheet and have been adjusted.
    followed: BTreeSet<PartName>,
}

impl<'a> Follow<'a> {
    pub(crate) fn new(view: &'a View, change: Change, shift: Option<Shift>) -> Follow<'a> {
        Follow {
            view,
            change,
            shift,
            patch: Patch::new(),
            notes: Vec::new(),
            without: None,
            lost: Cell::new(false),
            followed: BTreeSet::new(),
        }
    }

    /// Plans everything that follows the change, except for the workbook's list of sheets.
    pub(crate) fn everything(&mut self) -> Result<(), Refusal> {
        for position in 0..self.view.workbook.sheets.len() {
            let worksheet = self
                .view
                .workbook
                .sheets
                .get(position)
                .is_some_and(|tab| tab.kind == crate::file::workbook::TabKind::Worksheet);
            if worksheet && self.without != Some(position) {
                self.rows(position)?;
                self.frame(position)?;
                self.hangers(position)?;
            }
        }
        self.names()?;
        self.charts()?;
        self.pivots()
    }

    /// A formula afterwards, if it changes. `home` is the name of the sheet it is on.
    pub(crate) fn formula(&self, text: &str, home: &str) -> Option<String> {
        let parsed = formula::parse(text).ok()?;
        let rewritten = formula::rewrite(&parsed, home, None, &self.change)?;
        let errors = |text: &str| text.matches("#REF!").count();
        if errors(&rewritten) > errors(text) {
            self.lost.set(true);
        }
        Some(rewritten)
    }

    pub(crate) fn warn(&mut self, text: String) {
        self.notes.push(Note { level: Level::Warning, text });
    }

    pub(crate) fn content(&self) -> &'a Content {
        &self.view.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(deletes: bool) -> Shift {
        Shift { sheet: 0, axis: Axis::Rows, at: 2, count: 2, deletes }
    }

    #[test]
    fn areas_grow_shrink_and_go() {
        let area = |text: &str| text.parse::<Area>().unwrap();
        let after = |shift: Shift, text: &str| shift.area(&area(text)).map(|area| area.to_string());
        for (text, inserted, deleted) in [
            ("A1:A2", "A1:A2", Some("A1:A2")),
            ("A1:A3", "A1:A5", Some("A1:A2")),
            ("A3:A4", "A5:A6", None),
            ("A3", "A5", None),
            ("A4:A6", "A6:A8", Some("A3:A4")),
            ("A:B", "A:B", Some("A:B")),
            ("3:8", "5:10", Some("3:6")),
        ] {
            assert_eq!(after(shift(false), text).as_deref(), Some(inserted), "insert {text}");
            assert_eq!(after(shift(true), text).as_deref(), deleted, "delete {text}");
        }
        assert_eq!(after(shift(false), "A1048575:A1048576"), None);
        assert_eq!(shift(true).anchor(3), 2);
    }
}

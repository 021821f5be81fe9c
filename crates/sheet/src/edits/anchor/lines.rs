//! Rows and columns held by tags in the bytes of their sheet.
//!
//! A row that is in the file is held by its own tag, a column by the tags of two of its cells. A line that is not
//! there is held by what stands before and behind it: as long as both moved alike, so did everything between them.

use std::collections::BTreeSet;

use edit::{Patch, Refusal};

use crate::edits::meant::{Line, Tag};
use crate::file::scan::Row;
use crate::file::worksheet::{RowSpot, Worksheet};

/// Rows that are looked through for a cell of a column, besides those that the edit names.
const MOST_ROWS: usize = 2_000;
const FIRST_ROWS: usize = 8;
/// Of the rows that an edit names, those in which its columns are looked for.
const OWN_ROWS: usize = 4;

/// `<r` or `<c`: enough to know that a tag was not written anew.
const START: usize = 2;

impl Tag {
    fn carry(&mut self, patch: &Patch, part: &str) -> Option<()> {
        self.at = patch.carry(part, self.at..self.at + START)?.start;
        Some(())
    }
}

impl Line {
    fn new(line: u32) -> Line {
        Line { line, own: Vec::new(), before: None, behind: None }
    }

    /// `None` if the line has lost its place.
    pub(super) fn carry(&mut self, patch: &Patch, part: &str) -> Option<()> {
        if !self.own.is_empty() {
            self.own.retain_mut(|tag| tag.carry(patch, part).is_some());
            return (!self.own.is_empty()).then_some(());
        }
        self.before.iter_mut().chain(&mut self.behind).try_for_each(|tag| tag.carry(patch, part))
    }

    pub(super) fn row_now(&self, sheet: &Worksheet) -> Result<Option<u32>, Refusal> {
        self.now(&|at| sheet.row_starting_at(at))
    }

    pub(super) fn column_now(&self, sheet: &Worksheet) -> Result<Option<u32>, Refusal> {
        self.now(&|at| Ok(sheet.cell_starting_at(at)?.map(|cell| cell.col)))
    }

    /// Where the line is now; `None` if its tags do not agree on that.
    fn now(&self, find: &dyn Fn(usize) -> Result<Option<u32>, Refusal>) -> Result<Option<u32>, Refusal> {
        let mut places = BTreeSet::new();
        let by = |tag: &Tag| -> Result<Option<u32>, Refusal> {
            let moved = find(tag.at)?.map(|now| i64::from(now) - i64::from(tag.line) + i64::from(self.line));
            Ok(moved.and_then(|line| u32::try_from(line).ok()))
        };
        for tag in self.own.iter().chain(&self.before).chain(&self.behind) {
            match by(tag)? {
                Some(line) => places.insert(line),
                None => return Ok(None),
            };
        }
        // Nothing stands before it, so what is above stays where it is: the edge of the sheet.
        if self.own.is_empty() && self.before.is_none() {
            places.insert(self.line);
        }
        let mut places = places.into_iter();
        Ok(places.next().filter(|_| places.next().is_none()))
    }
}

pub(super) fn hold_rows(sheet: &Worksheet, rows: &BTreeSet<u32>) -> Result<Vec<Line>, Refusal> {
    let held = rows.iter().map(|row| {
        let mut line = Line::new(*row);
        match sheet.find_row(*row)? {
            RowSpot::Found(range, _) => line.own.push(Tag { at: range.start, line: *row }),
            RowSpot::Missing(at) => {
                line.before = sheet.row_before(at)?.map(|(at, line)| Tag { at, line });
                line.behind = sheet.row_starting_at(at)?.map(|line| Tag { at, line });
            }
        }
        Ok(line)
    });
    held.collect()
}

/// Columns held by cells, of the given rows first; `None` if the sheet is too long to tell that a column has none.
pub(super) fn hold_columns(
    sheet: &Worksheet,
    columns: &BTreeSet<u32>,
    rows: &BTreeSet<u32>,
) -> Result<Option<Vec<Line>>, Refusal> {
    let mut lines: Vec<Line> = columns.iter().map(|column| Line::new(*column)).collect();
    if lines.is_empty() {
        return Ok(Some(lines));
    }
    for row in rows.iter().take(OWN_ROWS) {
        if let RowSpot::Found(range, found) = sheet.find_row(*row)? {
            let bytes = sheet.blob.slice(range.clone());
            look_in(sheet, &bytes, range.start, &found, &mut lines)?;
        }
    }
    let mut start = sheet.data.start;
    for looked in 0.. {
        // The first rows are headers more often than not, and stay where others come and go.
        if looked >= FIRST_ROWS && lines.iter().all(Line::is_held) {
            break;
        }
        let Some((from, number)) = sheet.row_at_or_after(start)? else { break };
        if looked >= MOST_ROWS {
            return Ok(None);
        }
        let RowSpot::Found(range, row) = sheet.row_at(from, number)? else { break };
        let bytes = sheet.blob.slice(range.clone());
        look_in(sheet, &bytes, range.start, &row, &mut lines)?;
        start = range.end;
    }
    Ok(Some(lines))
}

impl Line {
    /// Whether looking further would not tell more: a cell of its own, or one behind it.
    fn is_held(&self) -> bool {
        !self.own.is_empty() || self.behind.is_some()
    }
}

/// Takes note of the cells of a row that hold columns.
fn look_in(
    sheet: &Worksheet,
    bytes: &[u8],
    start: usize,
    row: &Row,
    lines: &mut [Line],
) -> Result<(), Refusal> {
    const ENOUGH: usize = 2;
    let mut cells = sheet.cells(bytes, row);
    let mut tags = Vec::new();
    while let Some(cell) = cells.next().map_err(|broken| sheet.broken(broken.after(start)))? {
        tags.push(Tag { at: start + cell.tag.start, line: cell.at.col });
    }
    for line in lines {
        let index = tags.partition_point(|tag| tag.line < line.line);
        match tags.get(index) {
            Some(tag) if tag.line == line.line => {
                if line.own.len() < ENOUGH && !line.own.contains(tag) {
                    line.own.push(*tag);
                }
                (line.before, line.behind) = (None, None);
            }
            _ if !line.own.is_empty() => {}
            Some(tag) if line.behind.is_none() => {
                line.behind = Some(*tag);
                line.before = index.checked_sub(1).and_then(|index| tags.get(index)).copied();
            }
            Some(_) => {}
            // The last cell of all, as far as we have looked.
            None if line.behind.is_none() => {
                let last = tags.last().filter(|tag| line.before.is_none_or(|known| known.line < tag.line));
                line.before = last.copied().or(line.before);
            }
            None => {}
        }
    }
    Ok(())
}

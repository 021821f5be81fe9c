//! Rows and columns held by tags in the bytes of their sheet.
//!
//! Whoever inserts or deletes lines writes the mark of their axis anew, which is a byte of the tag around the rows: as
//! long as it stands, every line is where it was. Once it does not, a row that is in the file is held by its own tag, a
//! column by the tags of two of its cells. A line that is not there is held by what stands before and behind it: as
//! long as both moved alike, so did everything between them.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Content, Gravity, PartName, Patch, Refusal};

use crate::edits::anchored_meaning::{HeldSheet, Line, Tag};
use crate::edits::lines::follow::Axis;
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

/// Writes the mark of an axis anew, because lines of it come or go.
pub(crate) fn mark(sheet: &Worksheet, axis: Axis, patch: &mut Patch) -> Result<(), Refusal> {
    let range = mark_of(sheet.frame.data_tag.start, axis);
    let same = sheet.blob.sub(range.clone());
    patch.splice(&sheet.part, range, same)
}

/// The first byte of the tag around the rows stands for them, the second for columns.
fn mark_of(start: usize, axis: Axis) -> Range<usize> {
    let at = match axis {
        Axis::Rows => start,
        Axis::Columns => start + 1,
    };
    at..at + 1
}

/// Adds the marks of each changed sheet to what another program did: it may have moved lines.
pub fn mark_lines(content: &Content, patch: &mut Patch) -> Result<(), Refusal> {
    let changed: Vec<PartName> = patch.parts().map(|(name, _)| name.clone()).collect();
    for part in changed {
        let Some(blob) = content.read(&part)? else { continue };
        let Some(start) = Worksheet::start_of_rows(&blob) else { continue };
        for axis in [Axis::Rows, Axis::Columns] {
            let range = mark_of(start, axis);
            if patch.carry(&part, range.clone()).is_some() {
                patch.splice(&part, range.clone(), blob.sub(range))?;
            }
        }
    }
    Ok(())
}

/// Whether a patch leaves every row and column of a sheet where it is.
pub(crate) fn stand(sheet: &Worksheet, patch: &Patch) -> bool {
    let start = sheet.frame.data_tag.start;
    let stands = |axis| patch.carry(&sheet.part, mark_of(start, axis)).is_some();
    stands(Axis::Rows) && stands(Axis::Columns)
}

impl HeldSheet {
    /// Where the tag around the rows is after a patch, and for rows and columns whether the patch left their mark alone.
    pub(in crate::edits) fn carry_mark(&mut self, patch: &Patch) -> (bool, bool) {
        let Some(start) = self.mark else { return (false, false) };
        let stands = |axis| patch.carry(&self.part, mark_of(start, axis)).is_some();
        let both = (stands(Axis::Rows), stands(Axis::Columns));
        // What is put before the tag moves it; the marks themselves keep their length.
        let behind = mark_of(start, Axis::Columns).end;
        self.mark = patch.map(&self.part, behind, Gravity::Left).checked_sub(behind - start);
        both
    }
}

impl Line {
    fn new(line: u32) -> Line {
        Line { line, still: true, own: Vec::new(), before: None, behind: None, frayed: false }
    }

    /// `None` if the line has lost its place. `still` says that no lines of its axis came or went.
    pub(in crate::edits) fn carry(&mut self, patch: &Patch, part: &str, still: bool) -> Option<()> {
        self.still &= still;
        self.own.retain_mut(|tag| tag.carry(patch, part).is_some());
        for beside in [&mut self.before, &mut self.behind] {
            if beside.as_mut().is_some_and(|tag| tag.carry(patch, part).is_none()) {
                (*beside, self.frayed) = (None, true);
            }
        }
        (self.still || !self.own.is_empty() || !self.frayed).then_some(())
    }

    pub(in crate::edits) fn row_now(&self, sheet: &Worksheet) -> Result<Option<u32>, Refusal> {
        self.now(&|at| sheet.row_starting_at(at))
    }

    pub(in crate::edits) fn column_now(&self, sheet: &Worksheet) -> Result<Option<u32>, Refusal> {
        self.now(&|at| Ok(sheet.cell_starting_at(at)?.map(|cell| cell.col)))
    }

    /// Where the line is now; `None` if its tags do not agree on that.
    fn now(&self, find: &dyn Fn(usize) -> Result<Option<u32>, Refusal>) -> Result<Option<u32>, Refusal> {
        if self.still {
            return Ok(Some(self.line));
        }
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

pub(in crate::edits) fn hold_rows(sheet: &Worksheet, rows: &BTreeSet<u32>) -> Result<Vec<Line>, Refusal> {
    let held = rows.iter().map(|row| {
        let mut line = Line::new(*row);
        match sheet.find_row(*row)? {
            RowSpot::Found(range, _) => {
                line.own.push(Tag { at: range.start, line: *row });
                line.frayed = true;
            }
            RowSpot::Missing(at) => {
                line.before = sheet.row_before(at)?.map(|(at, line)| Tag { at, line });
                line.behind = sheet.row_starting_at(at)?.map(|line| Tag { at, line });
            }
        }
        Ok(line)
    });
    held.collect()
}

/// Columns held by cells, of the given rows first.
pub(in crate::edits) fn hold_columns(
    sheet: &Worksheet,
    columns: &BTreeSet<u32>,
    rows: &BTreeSet<u32>,
) -> Result<Vec<Line>, Refusal> {
    let mut lines: Vec<Line> = columns.iter().map(|column| Line::new(*column)).collect();
    if lines.is_empty() {
        return Ok(lines);
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
            // Too long to tell that a column has no cells, so it has its place only as long as no column moves.
            for line in lines.iter_mut().filter(|line| !line.is_held()) {
                (line.before, line.behind, line.frayed) = (None, None, true);
            }
            break;
        }
        let RowSpot::Found(range, row) = sheet.row_at(from, number)? else { break };
        let bytes = sheet.blob.slice(range.clone());
        look_in(sheet, &bytes, range.start, &row, &mut lines)?;
        start = range.end;
    }
    for line in lines.iter_mut().filter(|line| !line.own.is_empty()) {
        line.frayed = true;
    }
    Ok(lines)
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

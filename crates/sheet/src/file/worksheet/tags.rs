//! Rows and cells by where their tags start.

use edit::Refusal;
use memchr::memmem;

use super::{RowSpot, SMALL, WINDOW, Worksheet};
use crate::file::a1::CellRef;

impl Worksheet {
    /// The number of the row whose tag starts here; `None` if none does.
    pub(crate) fn row_starting_at(&self, at: usize) -> Result<Option<u32>, Refusal> {
        Ok(self.row_at_or_after(at)?.filter(|(start, _)| *start == at).map(|(_, row)| row))
    }

    /// The first row that starts here or behind: where, and its number.
    pub(crate) fn row_at_or_after(&self, at: usize) -> Result<Option<(usize, u32)>, Refusal> {
        let at = at.max(self.data.start);
        if self.says_numbers() {
            match self.next_row_tag(at, self.data.end).map_err(|broken| self.broken(broken))? {
                None => return Ok(None),
                Some((start, _, Some(row))) => return Ok(Some((start, row))),
                // One without a number: all have to be counted.
                Some((_, _, None)) => {}
            }
        }
        let places = self.row_places()?;
        let index = places.partition_point(|place| place.start < at);
        Ok(places.get(index).map(|place| (place.start, place.row)))
    }

    /// The last row that starts before this place: where, and its number.
    pub(crate) fn row_before(&self, at: usize) -> Result<Option<(usize, u32)>, Refusal> {
        if self.says_numbers() {
            let mut window = WINDOW;
            loop {
                let low = at.saturating_sub(window).max(self.data.start);
                let bytes = self.blob.slice(low..at);
                match memmem::rfind(&bytes, &self.spelling().row_start) {
                    Some(found) => {
                        // Only the start of a tag of some other name, where the next row is not there.
                        return match self.row_at_or_after(low + found)? {
                            Some((start, row)) if start < at => Ok(Some((start, row))),
                            _ => self.row_before(low + found),
                        };
                    }
                    None if low == self.data.start => return Ok(None),
                    None => window *= 4,
                }
            }
        }
        let places = self.row_places()?;
        let index = places.partition_point(|place| place.start < at);
        Ok(index.checked_sub(1).and_then(|index| places.get(index)).map(|place| (place.start, place.row)))
    }

    /// The cell whose tag starts here; `None` if none does.
    pub(crate) fn cell_starting_at(&self, at: usize) -> Result<Option<CellRef>, Refusal> {
        let Some((start, number)) = self.row_before(at)? else { return Ok(None) };
        let RowSpot::Found(range, row) = self.row_at(start, number)? else { return Ok(None) };
        if range.end <= at {
            return Ok(None);
        }
        let bytes = self.blob.slice(range.clone());
        let mut cells = self.cells(&bytes, &row);
        while let Some(cell) = cells.next().map_err(|broken| self.broken(broken.after(range.start)))? {
            if range.start + cell.tag.start >= at {
                return Ok((range.start + cell.tag.start == at).then_some(cell.at));
            }
        }
        Ok(None)
    }

    /// Whether rows can be looked for by their tags, without counting.
    fn says_numbers(&self) -> bool {
        self.searchable && self.data.len() > SMALL
    }
}

//! The array and shared formulas of a sheet after a patch, taken over from before it.
//!
//! Finding them means going through every row, which for one changed cell of a large sheet costs a thousand times
//! what the change costs. So only the rows that the patch touched are read again.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{PartName, Patch, Refusal};

use super::{ArrayFormula, SharedFormula, Worksheet, array_of, shared_of};
use crate::file::a1::CellRef;
use crate::file::scan::{Attributes, Cell, Rows};

/// Rows longer than this together are not read again at once; whoever asks goes through the whole sheet.
const MOST: usize = 1 << 19;

/// The splices of a part as ranges before and after, those of one neighbourhood joined.
pub(crate) fn regions(patch: &Patch, part: &PartName) -> Vec<(Range<usize>, Range<usize>)> {
    let mut regions: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut shift = 0isize;
    for splice in patch.splices(part) {
        let start = splice.range.start.saturating_add_signed(shift);
        let here = start..start + splice.with.len();
        shift += splice.with.len() as isize - splice.range.len() as isize;
        match regions.last_mut() {
            Some((before, after)) if splice.range.start - before.end < 4096 => {
                before.end = splice.range.end;
                after.end = here.end;
            }
            _ => regions.push((splice.range.clone(), here)),
        }
    }
    regions
}

impl Worksheet {
    /// Takes over what was known before `patch` made this sheet of `old`.
    pub(super) fn carry(&self, old: &Worksheet, patch: &Patch) {
        if old.arrays.get().is_none() && old.shared.get().is_none() {
            return;
        }
        let mut rows = BTreeSet::new();
        let (mut arrays, mut shared) = (Vec::new(), Vec::new());
        let mut left = MOST;
        for (before, after) in regions(patch, &self.part) {
            let read = old.read_around(&before, &mut left, &mut rows, &mut |_, _| {}).and_then(|()| {
                self.read_around(&after, &mut left, &mut rows, &mut |bytes, cell| {
                    arrays.extend(array_of(bytes, cell));
                    shared.extend(shared_of(bytes, cell));
                })
            });
            if read.is_none() {
                return;
            }
        }
        take_over(&old.arrays, &self.arrays, &rows, arrays, |array: &ArrayFormula| array.at);
        take_over(&old.shared, &self.shared, &rows, shared, |group: &SharedFormula| group.at);
    }

    /// Calls `each` with the cells of the rows around a region, and notes the rows. `None` where that is too much,
    /// or where a row leaves its number to be counted, so that rows elsewhere may have got another one.
    fn read_around(
        &self,
        region: &Range<usize>,
        left: &mut usize,
        numbers: &mut BTreeSet<u32>,
        each: &mut dyn FnMut(&[u8], &Cell),
    ) -> Option<()> {
        *left = left.checked_sub(region.len())?;
        let Some((start, end)) = self.rows_around(region.clone()).ok()? else { return Some(()) };
        *left = left.checked_sub(end - start)?;
        let bytes = self.blob.slice(start..end);
        let mut rows = Rows::new(&bytes, 0..bytes.len(), self.spelling(), 0);
        while let Some(row) = rows.next().ok()? {
            Attributes::of(&bytes, row.tag.start).find("r")?;
            numbers.insert(row.row);
            let mut cells = self.cells(&bytes, &row);
            while let Some(cell) = cells.next().ok()? {
                each(&bytes, &cell);
            }
        }
        Some(())
    }
}

type Known<T> = OnceLock<Result<Arc<Vec<T>>, Refusal>>;

fn take_over<T: Clone>(
    old: &Known<T>,
    new: &Known<T>,
    rows: &BTreeSet<u32>,
    found: Vec<T>,
    place: fn(&T) -> CellRef,
) {
    let Some(Ok(known)) = old.get() else { return };
    let gone = |one: &T| rows.contains(&place(one).row);
    let list = if found.is_empty() && !known.iter().any(gone) {
        Arc::clone(known)
    } else {
        let mut list: Vec<T> = known.iter().filter(|one| !gone(one)).cloned().collect();
        list.extend(found);
        list.sort_by_key(place);
        Arc::new(list)
    };
    let _ = new.set(Ok(list));
}

//! The formulas still to calculate, by column, so that a range knows at once whether one of them lies in it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Id;
use crate::address::{Area, CellRef, SheetId};

#[derive(Debug, Default)]
pub(super) struct Dirty {
    columns: BTreeMap<(SheetId, u32), Column>,
}

#[derive(Debug, Default)]
struct Column {
    /// Rows in order, each with the formula that writes it.
    rows: Vec<(u32, Id)>,
    /// For each place the next one that is still dirty; shortened as it is walked.
    next: RefCell<Vec<u32>>,
}

impl Column {
    fn place(&self, row: u32) -> usize {
        self.rows.partition_point(|(known, _)| *known < row)
    }

    fn next_dirty(&self, from: usize) -> usize {
        let mut next = self.next.borrow_mut();
        let mut at = from;
        while let Some(step) = next.get(at).copied() {
            if step as usize == at {
                break;
            }
            at = step as usize;
        }
        // Whoever comes this way again goes straight there.
        let mut back = from;
        while let Some(step) = next.get_mut(back) {
            let old = std::mem::replace(step, at as u32);
            if old as usize == at || old as usize == back {
                break;
            }
            back = old as usize;
        }
        at
    }
}

impl Dirty {
    pub(super) fn new(cells: impl Iterator<Item = (CellRef, Id)>) -> Dirty {
        let mut dirty = Dirty::default();
        for (cell, id) in cells {
            dirty.columns.entry((cell.sheet, cell.col)).or_default().rows.push((cell.row, id));
        }
        for column in dirty.columns.values_mut() {
            column.rows.sort_unstable();
            column.rows.dedup_by_key(|(row, _)| *row);
            *column.next.borrow_mut() = (0..=column.rows.len() as u32).collect();
        }
        dirty
    }

    /// A formula of the range that is still to calculate.
    pub(super) fn within(&self, area: Area) -> Option<Id> {
        self.within_except(area, None)
    }

    /// The same, passing over one formula, which may read its own cells.
    pub(super) fn within_except(&self, area: Area, own: Option<Id>) -> Option<Id> {
        for column in
            self.columns.range((area.sheet, area.left)..=(area.sheet, area.right)).map(|(_, column)| column)
        {
            let mut at = column.next_dirty(column.place(area.top));
            while let Some((row, id)) = column.rows.get(at) {
                if *row > area.bottom {
                    break;
                }
                if Some(*id) != own {
                    return Some(*id);
                }
                at = column.next_dirty(at + 1);
            }
        }
        None
    }

    /// The formula of the cell is calculated.
    pub(super) fn done(&self, area: Area) {
        for column in
            self.columns.range((area.sheet, area.left)..=(area.sheet, area.right)).map(|(_, column)| column)
        {
            let mut next = column.next.borrow_mut();
            for at in column.place(area.top)..column.place(area.bottom + 1) {
                if let Some(slot) = next.get_mut(at)
                    && *slot as usize == at
                {
                    *slot = at as u32 + 1;
                }
            }
        }
    }
}

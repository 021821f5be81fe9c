//! The formulas still to calculate, by column, so that a range knows at once whether one of them lies in it.

use std::cell::RefCell;

use super::Id;
use crate::address::{Area, CellRef, SheetId};
use crate::hash::QuickMap;

#[derive(Debug, Default)]
pub(super) struct Dirty {
    /// In order.
    columns: Vec<((SheetId, u32), Column)>,
}

#[derive(Debug, Default)]
struct Column {
    /// Rows in order, each with the formula that writes it.
    rows: Vec<(u32, Id)>,
    /// For each place the next one that is still dirty; shortened as it is walked.
    next: RefCell<Vec<u32>>,
}

impl Column {
    /// The place of the first formula not above a row. Formulas mostly stand without gaps, so look there first.
    fn place(&self, row: u32) -> usize {
        let Some((first, _)) = self.rows.first() else { return 0 };
        let Some(guess) = row.checked_sub(*first) else { return 0 };
        let guess = guess as usize;
        match self.rows.get(guess) {
            Some((found, _)) if *found == row => guess,
            _ => {
                let end = guess.saturating_add(1).min(self.rows.len());
                let before = &self.rows[..end];
                before.partition_point(|(known, _)| *known < row)
            }
        }
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
        while back != at
            && let Some(step) = next.get_mut(back)
        {
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
        let mut columns: Vec<((SheetId, u32), Column)> = Vec::new();
        let mut known: QuickMap<(SheetId, u32), usize> = QuickMap::default();
        let mut last = None;
        for (cell, id) in cells {
            let key = (cell.sheet, cell.col);
            let index = match last {
                Some((same, index)) if same == key => index,
                _ => *known.entry(key).or_insert_with(|| {
                    columns.push((key, Column::default()));
                    columns.len() - 1
                }),
            };
            last = Some((key, index));
            if let Some((_, column)) = columns.get_mut(index) {
                column.rows.push((cell.row, id));
            }
        }
        columns.sort_unstable_by_key(|(key, _)| *key);
        for (_, column) in &mut columns {
            column.rows.sort_unstable();
            column.rows.dedup_by_key(|(row, _)| *row);
            *column.next.borrow_mut() = (0..=column.rows.len() as u32).collect();
        }
        Dirty { columns }
    }

    fn columns(&self, area: Area) -> &[((SheetId, u32), Column)] {
        let from = self.columns.partition_point(|(key, _)| *key < (area.sheet, area.left));
        let rest = &self.columns[from..];
        let count = match rest.first() {
            Some((key, _)) if *key > (area.sheet, area.right) => 0,
            Some(_) if area.left == area.right => 1,
            _ => rest.partition_point(|(key, _)| *key <= (area.sheet, area.right)),
        };
        &rest[..count]
    }

    /// A formula of the range that is still to calculate.
    pub(super) fn within(&self, area: Area) -> Option<Id> {
        self.within_except(area, None)
    }

    /// The same, passing over one formula, which may read its own cells.
    pub(super) fn within_except(&self, area: Area, own: Option<Id>) -> Option<Id> {
        for (_, column) in self.columns(area) {
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

    /// The formula of the cells is calculated.
    pub(super) fn done(&self, area: Area) {
        for (_, column) in self.columns(area) {
            let from = column.place(area.top);
            let mut next = column.next.borrow_mut();
            for (at, (row, _)) in column.rows.iter().enumerate().skip(from) {
                if *row > area.bottom {
                    break;
                }
                if let Some(slot) = next.get_mut(at)
                    && *slot as usize == at
                {
                    *slot = at as u32 + 1;
                }
            }
        }
    }
}

//! Cells that changed, by column, so that a range knows at once whether one of them lies in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::{Area, CellRef, SheetId};

#[derive(Debug, Default)]
pub(super) struct News {
    columns: BTreeMap<(SheetId, u32), BTreeSet<u32>>,
}

impl News {
    pub(super) fn add(&mut self, cell: CellRef) {
        self.columns.entry((cell.sheet, cell.col)).or_default().insert(cell.row);
    }

    pub(super) fn within(&self, area: Area) -> bool {
        self.columns
            .range((area.sheet, area.left)..=(area.sheet, area.right))
            .any(|(_, rows)| rows.range(area.top..=area.bottom).next().is_some())
    }
}

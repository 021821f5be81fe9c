//! Whether a cell is seen by somebody who opens the workbook, or who prints it.

use std::collections::BTreeMap;

use edit::Refusal;
use serde::Serialize;

use crate::file::a1::{Area, CellRef};
use crate::file::workbook::Visibility;
use crate::read::features::Columns;
use crate::read::sheet_view::SheetView;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CellVisibility {
    Visible,
    OutsidePrintArea,
    /// Hidden by a closed outline group.
    Collapsed,
    /// Its row, its column or its sheet is hidden.
    Hidden,
}

impl CellVisibility {
    pub fn name(self) -> &'static str {
        match self {
            CellVisibility::Visible => "visible",
            CellVisibility::OutsidePrintArea => "outsidePrintArea",
            CellVisibility::Collapsed => "collapsed",
            CellVisibility::Hidden => "hidden",
        }
    }
}

/// What a sheet says of its rows and columns, read once for many cells.
#[derive(Clone, Debug)]
pub struct Sight {
    hidden_sheet: bool,
    columns: Vec<Columns>,
    print_areas: Vec<Area>,
    /// Whether a row is hidden, and whether it is in an outline group.
    rows: BTreeMap<u32, (bool, bool)>,
}

impl Sight {
    pub fn of(sheet: &SheetView<'_>) -> Sight {
        Sight {
            hidden_sheet: sheet.tab.visibility != Visibility::Visible,
            columns: sheet.columns(),
            print_areas: sheet.page().areas,
            rows: BTreeMap::new(),
        }
    }

    pub fn at(&mut self, sheet: &SheetView<'_>, at: CellRef) -> Result<CellVisibility, Refusal> {
        let (row_hidden, row_grouped) = match self.rows.get(&at.row) {
            Some(known) => *known,
            None => {
                let row = sheet.row_properties(at.row)?;
                let known = (row.hidden, row.outline > 0);
                self.rows.insert(at.row, known);
                known
            }
        };
        let column = self.columns.iter().find(|columns| (columns.first..=columns.last).contains(&at.col));
        let (column_hidden, column_grouped) =
            column.map_or((false, false), |column| (column.hidden, column.outline > 0));
        Ok(match () {
            () if self.hidden_sheet => CellVisibility::Hidden,
            () if (row_hidden && !row_grouped) || (column_hidden && !column_grouped) => {
                CellVisibility::Hidden
            }
            () if row_hidden || column_hidden => CellVisibility::Collapsed,
            () if !self.print_areas.is_empty() && !self.print_areas.iter().any(|area| area.contains(at)) => {
                CellVisibility::OutsidePrintArea
            }
            () => CellVisibility::Visible,
        })
    }
}

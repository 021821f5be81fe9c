//! Rows and columns that come and go.

use sheet::Edit;

use super::write::{WriteResult, edited, known_sheet};
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::Column;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<InsertRowAfter>(),
        entry::<DeleteRows>(),
        entry::<InsertColumnAfter>(),
        entry::<DeleteColumns>(),
    ]
}

fn default_count() -> u32 {
    1
}

macro_rules! lines {
    ($(#[$doc:meta])* $name:literal $type:ident, $argument:ident: $kind:ty, $run:ident) => {
        function! {
            $(#[$doc])*
            $name $type { sheet: String, $argument: $kind, #[serde(default = "default_count")] #[schemars(range(min = 1, max = 1_048_576))] count: u32 } -> WriteResult => $run
        }
    };
}

lines! {
    /// New rows after a row; 0 puts them first. They look like the row above, and go on with the formulas of a table.
    "insertRowAfter" InsertRowAfter, row: u32, insert_rows
}
lines! {
    /// Delete rows from `row` on.
    "deleteRows" DeleteRows, row: u32, delete_rows
}
lines! {
    /// New columns after a column.
    "insertColumnAfter" InsertColumnAfter, col: Column, insert_columns
}
lines! {
    /// Delete columns from `col` on.
    "deleteColumns" DeleteColumns, col: Column, delete_columns
}

fn insert_rows(host: &mut Host, call: InsertRowAfter) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    edited(host, Edit::InsertRows { sheet, at: call.row, count: call.count })
}

fn delete_rows(host: &mut Host, call: DeleteRows) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let at = call.row.checked_sub(1).ok_or_else(|| Fault::invalid("rows count from 1"))?;
    edited(host, Edit::DeleteRows { sheet, at, count: call.count })
}

fn insert_columns(host: &mut Host, call: InsertColumnAfter) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let at = match call.col {
        Column::Number(0) => 0,
        col => col.index()? + 1,
    };
    edited(host, Edit::InsertColumns { sheet, at, count: call.count })
}

fn delete_columns(host: &mut Host, call: DeleteColumns) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    edited(host, Edit::DeleteColumns { sheet, at: call.col.index()?, count: call.count })
}

//! What a cell is about: the text beside or above it.

use sheet::{CellRef, Value};

use crate::host::{Fault, Host};

/// How far a label may stand from its cell.
const REACH: u32 = 30;

/// The nearest text to the left in the row, together with the nearest header above in the column.
pub(crate) fn nearby_label(host: &Host, sheet: usize, at: CellRef) -> Result<Option<String>, Fault> {
    let view = host.sheet(sheet)?;
    let text_at = |cell: CellRef| -> Result<Option<String>, Fault> {
        Ok(match view.cell(cell)? {
            Some(found) if found.formula.is_none() => match found.value {
                Value::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
                _ => None,
            },
            _ => None,
        })
    };
    let mut beside = None;
    for col in (at.col.saturating_sub(REACH)..at.col).rev() {
        beside = text_at(CellRef::new(at.row, col))?;
        if beside.is_some() {
            break;
        }
    }
    let mut above = None;
    for row in (at.row.saturating_sub(REACH)..at.row).rev() {
        above = text_at(CellRef::new(row, at.col))?;
        if above.is_some() {
            break;
        }
    }
    Ok(match (beside, above) {
        (Some(beside), Some(above)) if beside != above => Some(format!("{beside} | {above}")),
        (Some(label), _) | (None, Some(label)) => Some(label),
        (None, None) => None,
    })
}

//! A workbook that starts empty.

use edit::Refusal;

use crate::edits::lines::structure::check_name_among;

/// The bytes of a workbook with empty sheets of these names; refuses names that Excel does not take.
pub fn new_workbook(sheets: &[&str]) -> Result<Vec<u8>, Refusal> {
    if sheets.is_empty() {
        return Err(Refusal::invalid("sheets", "none", "at least one sheet"));
    }
    for (index, name) in sheets.iter().enumerate() {
        check_name_among(name, sheets.iter().take(index).copied())?;
    }
    crate::xls::empty(sheets)
}

//! Cells and areas of the whole workbook, and how the calculation names them.
//!
//! A file names cells within their sheet, by what stands in its attributes: [`CellRef`] and [`Area`] of this crate.
//! Formulas reach across sheets, so the addresses of `formula` carry theirs, and that crate knows none of ours. Here
//! is the one place where the two meet.

use formula::{Area as FormulaArea, CellRef as FormulaCell, SheetId};

use crate::file::a1::{Area, CellRef};

/// A cell and its sheet's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellOnSheet {
    pub sheet: usize,
    pub at: CellRef,
}

/// An area and its sheet's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaOnSheet {
    pub sheet: usize,
    pub area: Area,
}

pub(crate) fn place(sheet: usize, at: CellRef) -> FormulaCell {
    FormulaCell::new(SheetId(sheet as u32), at.row, at.col)
}

pub(crate) fn area_on(sheet: usize, area: Area) -> FormulaArea {
    FormulaArea::new(SheetId(sheet as u32), (area.top, area.left), (area.bottom, area.right))
}

pub(crate) fn inner(cell: CellOnSheet) -> FormulaCell {
    place(cell.sheet, cell.at)
}

pub(crate) fn outer(at: FormulaCell) -> CellOnSheet {
    let SheetId(sheet) = at.sheet;
    CellOnSheet { sheet: sheet as usize, at: CellRef::new(at.row, at.col) }
}

//! Where a cell is: sheets, cells, rectangles, and the letters of columns.

use std::fmt::Write as _;

/// Rows of a sheet.
pub const MAX_ROWS: u32 = 1_048_576;
/// Columns of a sheet.
pub const MAX_COLS: u32 = 16_384;

/// A sheet by its position in [`crate::Book::sheets`]. Sheets of external workbooks have ids of their own,
/// from `1 << 24` on; their cells are answered from the cache the workbook carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SheetId(pub u32);

impl SheetId {
    /// The first id of an external sheet: `EXTERNAL + book * 4096 + sheet`.
    pub(crate) const EXTERNAL: u32 = 1 << 24;

    pub(crate) fn external(book: usize, sheet: usize) -> SheetId {
        SheetId(Self::EXTERNAL + ((book as u32) << 12) + (sheet as u32 & 0xfff))
    }

    pub(crate) fn as_external(self) -> Option<(usize, usize)> {
        let offset = self.0.checked_sub(Self::EXTERNAL)?;
        Some(((offset >> 12) as usize, (offset & 0xfff) as usize))
    }
}

/// One cell; row and column count from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellRef {
    pub sheet: SheetId,
    pub row: u32,
    pub col: u32,
}

impl CellRef {
    #[must_use]
    pub fn new(sheet: SheetId, row: u32, col: u32) -> CellRef {
        CellRef { sheet, row, col }
    }
}

/// A rectangle on one sheet, both corners included, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Area {
    pub sheet: SheetId,
    pub top: u32,
    pub left: u32,
    pub bottom: u32,
    pub right: u32,
}

impl Area {
    /// The rectangle between two corners, in whichever order they come.
    #[must_use]
    pub fn new(sheet: SheetId, a: (u32, u32), b: (u32, u32)) -> Area {
        Area { sheet, top: a.0.min(b.0), left: a.1.min(b.1), bottom: a.0.max(b.0), right: a.1.max(b.1) }
    }

    #[must_use]
    pub fn cell(cell: CellRef) -> Area {
        Area { sheet: cell.sheet, top: cell.row, left: cell.col, bottom: cell.row, right: cell.col }
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        (self.bottom - self.top) as usize + 1
    }

    #[must_use]
    pub fn cols(&self) -> usize {
        (self.right - self.left) as usize + 1
    }

    /// Its cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = CellRef> + use<> {
        let area = *self;
        (area.top..=area.bottom).flat_map(move |row| {
            (area.left..=area.right).map(move |col| CellRef { sheet: area.sheet, row, col })
        })
    }

    #[must_use]
    pub fn is_cell(&self) -> bool {
        self.top == self.bottom && self.left == self.right
    }

    #[must_use]
    pub fn contains(&self, cell: CellRef) -> bool {
        self.sheet == cell.sheet
            && (self.top..=self.bottom).contains(&cell.row)
            && (self.left..=self.right).contains(&cell.col)
    }

    #[must_use]
    pub(crate) fn intersect(&self, other: &Area) -> Option<Area> {
        let area = Area {
            sheet: self.sheet,
            top: self.top.max(other.top),
            left: self.left.max(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.min(other.right),
        };
        (self.sheet == other.sheet && area.top <= area.bottom && area.left <= area.right).then_some(area)
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn hull(&self, other: &Area) -> Area {
        Area {
            sheet: self.sheet,
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }

    pub(crate) fn top_left(&self) -> CellRef {
        CellRef { sheet: self.sheet, row: self.top, col: self.left }
    }

    pub(crate) fn is_whole_columns(&self) -> bool {
        self.top == 0 && self.bottom == MAX_ROWS - 1
    }

    pub(crate) fn is_whole_rows(&self) -> bool {
        self.left == 0 && self.right == MAX_COLS - 1
    }
}

/// The letters of a column counted from zero: 0 is `A`, 26 is `AA`.
#[must_use]
pub fn column_letters(col: u32) -> String {
    let mut letters = [0u8; 7];
    let mut at = letters.len();
    let mut rest = u64::from(col) + 1;
    while rest > 0 && at > 0 {
        at -= 1;
        letters[at] = b'A' + ((rest - 1) % 26) as u8;
        rest = (rest - 1) / 26;
    }
    letters[at..].iter().map(|letter| char::from(*letter)).collect()
}

/// The column, counted from zero, of one to three letters.
#[must_use]
pub fn column_index(letters: &str) -> Option<u32> {
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let mut col = 0u32;
    for byte in letters.bytes() {
        if !byte.is_ascii_alphabetic() {
            return None;
        }
        col = col * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1;
    }
    (col <= MAX_COLS).then(|| col - 1)
}

/// `B7`, without dollars, of a cell counted from zero.
#[must_use]
pub fn a1(row: u32, col: u32) -> String {
    let mut text = column_letters(col);
    let _ = write!(text, "{}", row + 1);
    text
}

/// Whether a sheet name must stand in quotes in a formula.
#[must_use]
pub fn needs_quotes(name: &str) -> bool {
    let Some(first) = name.chars().next() else { return true };
    if !(first.is_alphabetic() || first == '_') {
        return true;
    }
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
        return true;
    }
    // A name that reads as a cell (`A1`, `R1C1`, `RC`) would be taken for one.
    let letters = name.chars().take_while(char::is_ascii_alphabetic).count();
    let rest = &name[letters..];
    let like_a1 = column_index(&name[..letters]).is_some()
        && !rest.is_empty()
        && rest.bytes().all(|b| b.is_ascii_digit());
    like_a1
        || crate::parse::looks_like_r1c1(name)
        || matches!(name.to_ascii_uppercase().as_str(), "TRUE" | "FALSE")
}

/// A sheet name as it stands before `!`, quoted when it must be.
#[must_use]
pub fn quote_sheet(name: &str) -> String {
    if needs_quotes(name) { format!("'{}'", name.replace('\'', "''")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_back() {
        for (col, letters) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")] {
            assert_eq!(column_letters(col), letters);
            assert_eq!(column_index(letters), Some(col));
        }
        assert_eq!(column_index("XFE"), None);
        assert_eq!(column_index("A1"), None);
    }

    #[test]
    fn quoting() {
        for (name, quoted) in [
            ("Sheet1", "Sheet1"),
            ("My Sheet", "'My Sheet'"),
            ("A1", "'A1'"),
            ("it's", "'it''s'"),
            ("R1C1", "'R1C1'"),
            ("2020", "'2020'"),
            ("Été", "Été"),
        ] {
            assert_eq!(quote_sheet(name), quoted);
        }
    }
}

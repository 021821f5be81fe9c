//! Where a cell is on its sheet, and how people write that.

use std::fmt;
use std::str::FromStr;

use edit::{Cut, Refusal};
use formula::{MAX_COLS, MAX_ROWS, column_index, column_letters};
use serde::{Deserialize, Serialize};

/// One cell of a sheet; row and column count from zero. Written `B7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CellRef {
    pub row: u32,
    pub col: u32,
}

/// A rectangle of a sheet, both corners included. Written `A1:B7`, `A:B` or `1:7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Area {
    pub top: u32,
    pub left: u32,
    pub bottom: u32,
    pub right: u32,
}

impl CellRef {
    pub const fn new(row: u32, col: u32) -> CellRef {
        CellRef { row, col }
    }

    /// Reads `B7` from bytes as sheets have it: capital letters, no dollars. The fast path of loading.
    pub(crate) fn read(bytes: &[u8]) -> Option<CellRef> {
        let mut col = 0u32;
        let mut at = 0;
        while let Some(letter @ (b'A'..=b'Z' | b'a'..=b'z')) = bytes.get(at) {
            col = col * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
            at += 1;
            if at > 3 {
                return None;
            }
        }
        let row = read_number(bytes.get(at..)?)?;
        (at > 0 && col <= MAX_COLS && (1..=MAX_ROWS).contains(&row))
            .then(|| CellRef { row: row - 1, col: col - 1 })
    }
}

/// Decimal digits and nothing else.
pub(crate) fn read_number(bytes: &[u8]) -> Option<u32> {
    if bytes.is_empty() || bytes.len() > 9 {
        return None;
    }
    bytes
        .iter()
        .try_fold(0u32, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0')))
}

impl Area {
    /// The rectangle between two corners, in whichever order they come.
    pub fn new(a: CellRef, b: CellRef) -> Area {
        Area {
            top: a.row.min(b.row),
            left: a.col.min(b.col),
            bottom: a.row.max(b.row),
            right: a.col.max(b.col),
        }
    }

    pub fn cell(cell: CellRef) -> Area {
        Area::new(cell, cell)
    }

    pub fn first(&self) -> CellRef {
        CellRef { row: self.top, col: self.left }
    }

    pub fn last(&self) -> CellRef {
        CellRef { row: self.bottom, col: self.right }
    }

    pub fn is_cell(&self) -> bool {
        self.first() == self.last()
    }

    pub fn contains(&self, cell: CellRef) -> bool {
        (self.top..=self.bottom).contains(&cell.row) && (self.left..=self.right).contains(&cell.col)
    }

    pub fn intersects(&self, other: &Area) -> bool {
        self.top <= other.bottom
            && other.top <= self.bottom
            && self.left <= other.right
            && other.left <= self.right
    }

    pub fn is_whole_columns(&self) -> bool {
        self.top == 0 && self.bottom == MAX_ROWS - 1
    }

    pub fn is_whole_rows(&self) -> bool {
        self.left == 0 && self.right == MAX_COLS - 1
    }

    pub fn cells(&self) -> impl Iterator<Item = CellRef> + use<> {
        let area = *self;
        (area.top..=area.bottom)
            .flat_map(move |row| (area.left..=area.right).map(move |col| CellRef { row, col }))
    }

    pub fn count(&self) -> u64 {
        u64::from(self.bottom - self.top + 1) * u64::from(self.right - self.left + 1)
    }

    /// The smallest rectangle around both.
    pub fn hull(&self, other: &Area) -> Area {
        Area {
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }
}

impl fmt::Display for CellRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letters(self.col), self.row + 1)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_cell() {
            self.first().fmt(f)
        } else if self.is_whole_columns() && !self.is_whole_rows() {
            write!(f, "{}:{}", column_letters(self.left), column_letters(self.right))
        } else if self.is_whole_rows() {
            write!(f, "{}:{}", self.top + 1, self.bottom + 1)
        } else {
            write!(f, "{}:{}", self.first(), self.last())
        }
    }
}

impl FromStr for CellRef {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<CellRef, Refusal> {
        let bare: Vec<u8> = text.bytes().filter(|byte| *byte != b'$').collect();
        CellRef::read(&bare).ok_or_else(|| {
            let wrong =
                || Refusal::invalid("cell", format!("`{text}`"), "an address such as B7, up to XFD1048576");
            outside(text).unwrap_or_else(wrong)
        })
    }
}

impl FromStr for Area {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Area, Refusal> {
        let bare = text.replace('$', "");
        let refuse = || {
            let wrong = || {
                Refusal::invalid("range", format!("`{text}`"), "a range such as A1:C10, a cell, A:C or 1:10")
            };
            outside(text).unwrap_or_else(wrong)
        };
        let Some((first, last)) = bare.split_once(':') else {
            return CellRef::read(bare.as_bytes()).map(Area::cell).ok_or_else(refuse);
        };
        if let (Some(a), Some(b)) = (CellRef::read(first.as_bytes()), CellRef::read(last.as_bytes())) {
            return Ok(Area::new(a, b));
        }
        if let (Some(a), Some(b)) = (column_index(first), column_index(last)) {
            return Ok(Area { top: 0, bottom: MAX_ROWS - 1, left: a.min(b), right: a.max(b) });
        }
        if let (Some(a @ 1..=MAX_ROWS), Some(b @ 1..=MAX_ROWS)) =
            (read_number(first.as_bytes()), read_number(last.as_bytes()))
        {
            return Ok(Area { left: 0, right: MAX_COLS - 1, top: a.min(b) - 1, bottom: a.max(b) - 1 });
        }
        Err(refuse())
    }
}

/// What is written like an address and lies outside every sheet.
fn outside(text: &str) -> Option<Refusal> {
    let bare = text.replace('$', "");
    let mut lines = bare.split(':').flat_map(|end| {
        let letters = end.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(end.len());
        [end.part(..letters), end.part(letters..)]
    });
    let like = !bare.is_empty()
        && bare.split(':').count() <= 2
        && lines.all(|line| {
            line.len() <= 12 && line.bytes().all(|byte| byte.is_ascii_alphabetic())
                || line.bytes().all(|byte| byte.is_ascii_digit())
        })
        && bare.bytes().any(|byte| byte.is_ascii_digit());
    like.then(|| Refusal::Rule {
        code: "OUT_OF_SHEET",
        why: format!("`{text}` lies outside the sheet"),
        instead: Some("rows go from 1 to 1048576, columns from A to XFD".to_owned()),
    })
}

/// The areas of an attribute such as `sqref`, which lists them with blanks between.
pub(crate) fn read_areas(text: &str) -> Vec<Area> {
    text.split_ascii_whitespace().filter_map(|one| one.parse().ok()).collect()
}

macro_rules! as_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = Refusal;

            fn try_from(text: String) -> Result<$type, Refusal> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }
    };
}

as_text!(CellRef);
as_text!(Area);

pub(crate) fn sqref(areas: &[Area]) -> Result<String, Refusal> {
    if areas.is_empty() {
        return Err(Refusal::invalid("areas", "none", "at least one area"));
    }
    Ok(areas.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

/// What is left of `area` when `cut` is taken out: up to four areas around it.
pub(crate) fn without(area: &Area, cut: &Area) -> Vec<Area> {
    if !area.intersects(cut) {
        return vec![*area];
    }
    let mut left = Vec::new();
    if area.top < cut.top {
        left.push(Area { bottom: cut.top - 1, ..*area });
    }
    if area.bottom > cut.bottom {
        left.push(Area { top: cut.bottom + 1, ..*area });
    }
    let (top, bottom) = (area.top.max(cut.top), area.bottom.min(cut.bottom));
    if area.left < cut.left {
        left.push(Area { top, bottom, left: area.left, right: cut.left - 1 });
    }
    if area.right > cut.right {
        left.push(Area { top, bottom, left: cut.right + 1, right: area.right });
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read_back_as_written() {
        for text in ["A1", "B7", "XFD1048576", "AA10"] {
            assert_eq!(text.parse::<CellRef>().unwrap().to_string(), text);
        }
        for text in ["A1:B2", "C:C", "A:XFC", "3:4", "B2"] {
            assert_eq!(text.parse::<Area>().unwrap().to_string(), text);
        }
        assert_eq!("$B$7:$A$1".parse::<Area>().unwrap().to_string(), "A1:B7");
        for bad in ["", "A", "1", "A0", "XFE1", "A1048577", "A1:B", "1A", "A1B", "ABCD1"] {
            assert!(bad.parse::<CellRef>().is_err(), "{bad}");
        }
        assert!("A1:".parse::<Area>().is_err());
    }
}

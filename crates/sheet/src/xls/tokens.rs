//! A formula of an old workbook, which is stored as tokens in the order of their calculation, back to its text.

use super::compound::{u16_at, u32_at};
use super::table;
use crate::file::numbers::show_number;

/// What tokens refer to by number.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// All sheets, those without cells too.
    pub(super) sheets: Vec<String>,
    /// For each number of a 3D reference: the book, the first and the last sheet.
    pub(super) spans: Vec<(u16, u16, u16)>,
    pub(super) books: Vec<Origin>,
    /// Defined names from one on, with the sheet they belong to.
    pub(super) defined: Vec<(String, Option<usize>)>,
}

#[derive(Debug)]
pub(super) enum Origin {
    /// This workbook.
    Own,
    /// Add-in functions by their names.
    AddIn(Vec<String>),
    /// Another workbook, which we do not follow.
    Other,
}

/// How references are to be read.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReferenceBase {
    /// As they stand.
    Cell,
    /// Shared by many cells: relative ones count from this one.
    Shared(u16, u16),
    /// In a defined name: relative ones count from the first cell and may wrap around.
    Name,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn u8(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        let word = u16_at(self.bytes, self.at)?;
        self.at += 2;
        Some(word)
    }

    fn f64(&mut self) -> Option<f64> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(8)?)?;
        self.at += 8;
        bytes.try_into().ok().map(f64::from_le_bytes)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }

    fn text(&mut self, letters: usize) -> Option<String> {
        let (text, length) = letters_at(self.bytes.get(self.at..)?, letters)?;
        self.at += length;
        Some(text)
    }
}

/// Text of so many letters with its flag before it, and the bytes it takes.
pub(super) fn letters_at(bytes: &[u8], letters: usize) -> Option<(String, usize)> {
    let wide = bytes.first()? & 1 != 0;
    if wide {
        let units: Option<Vec<u16>> = (0..letters).map(|index| u16_at(bytes, 1 + 2 * index)).collect();
        Some((String::from_utf16_lossy(&units?), 1 + 2 * letters))
    } else {
        let bytes = bytes.get(1..1 + letters)?;
        Some((bytes.iter().map(|byte| char::from(*byte)).collect(), 1 + letters))
    }
}

/// Where a formula of one token says that its text stands elsewhere.
pub(super) fn elsewhere(tokens: &[u8]) -> Option<(u16, u16)> {
    matches!(tokens.first()?, 1 | 2).then_some(())?;
    Some((u16_at(tokens, 1)?, u16_at(tokens, 3)?))
}

/// The operators between two operands, from token 3 on.
const SIGNS: [&str; 15] = ["+", "-", "*", "/", "^", "&", "<", "<=", "=", ">=", ">", "<>", " ", ",", ":"];

/// The text of a formula; `extra` is what follows its tokens. `None` for what we cannot say.
pub(super) fn text(tokens: &[u8], extra: &[u8], names: &Names, place: ReferenceBase) -> Option<String> {
    let mut reader = Reader { bytes: tokens, at: 0 };
    let mut extra = Reader { bytes: extra, at: 0 };
    let mut stack: Vec<String> = Vec::new();
    while reader.at < tokens.len() {
        let token = reader.u8()?;
        // The class of an operand changes nothing in the text.
        let kind = match token {
            0x60.. => token - 0x40,
            0x40.. => token - 0x20,
            _ => token,
        };
        match kind {
            0x03..=0x11 => {
                let right = stack.pop()?;
                let left = stack.last_mut()?;
                left.push_str(SIGNS[usize::from(kind - 0x03)]);
                left.push_str(&right);
            }
            0x12 => stack.last_mut()?.insert(0, '+'),
            0x13 => stack.last_mut()?.insert(0, '-'),
            0x14 => stack.last_mut()?.push('%'),
            0x15 => {
                let inner = stack.last_mut()?;
                *inner = format!("({inner})");
            }
            0x16 => stack.push(String::new()),
            0x17 => {
                let letters = usize::from(reader.u8()?);
                stack.push(format!("\"{}\"", reader.text(letters)?.replace('"', "\"\"")));
            }
            0x19 => {
                let flags = reader.u8()?;
                let data = reader.u16()?;
                if flags & 0x04 != 0 {
                    reader.skip(2 * (usize::from(data) + 1))?;
                } else if flags & 0x10 != 0 {
                    let inner = stack.last_mut()?;
                    *inner = format!("SUM({inner})");
                }
            }
            0x1C => stack.push(error(reader.u8()?)?.to_owned()),
            0x1D => stack.push(if reader.u8()? == 0 { "FALSE" } else { "TRUE" }.to_owned()),
            0x1E => stack.push(reader.u16()?.to_string()),
            0x1F => stack.push(show_number(reader.f64()?)),
            0x20 => {
                reader.skip(7)?;
                stack.push(constant(&mut extra)?);
            }
            0x21 => {
                let name = table::name(reader.u16()?)?;
                call(&mut stack, name, table::count(name)?)?;
            }
            0x22 => {
                let count = usize::from(reader.u8()? & 0x7F);
                match reader.u16()? & 0x7FFF {
                    table::NAMED => call_named(&mut stack, count)?,
                    number => call(&mut stack, table::name(number)?, count)?,
                }
            }
            0x23 => {
                let (name, _) = names.defined.get(usize::from(reader.u16()?).checked_sub(1)?)?;
                reader.skip(2)?;
                stack.push(name.clone());
            }
            0x24 | 0x2C => {
                let (row, col) = (reader.u16()?, reader.u16()?);
                stack.push(place.cell(row, col, kind == 0x2C));
            }
            0x25 | 0x2D => {
                let corners = (reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?);
                stack.push(place.area(corners, kind == 0x2D));
            }
            // Areas worked out beforehand, told again by the tokens that follow.
            0x26 => {
                reader.skip(6)?;
                let count = usize::from(extra.u16()?);
                extra.skip(8 * count)?;
            }
            0x27 | 0x28 => reader.skip(6)?,
            0x29 | 0x2E | 0x2F => reader.skip(2)?,
            0x2A => {
                reader.skip(4)?;
                stack.push("#REF!".to_owned());
            }
            0x2B => {
                reader.skip(8)?;
                stack.push("#REF!".to_owned());
            }
            0x39 => stack.push(foreign_name(&mut reader, names)?),
            0x3A..=0x3D => stack.push(on_sheets(&mut reader, kind, names, place)?),
            _ => return None,
        }
    }
    let done = stack.pop()?;
    stack.is_empty().then_some(done)
}

/// A name of another book or of an add-in.
fn foreign_name(reader: &mut Reader<'_>, names: &Names) -> Option<String> {
    let (span, number) = (reader.u16()?, usize::from(reader.u16()?).checked_sub(1)?);
    reader.skip(2)?;
    let (book, _, _) = names.spans.get(usize::from(span))?;
    Some(match names.books.get(usize::from(*book))? {
        Origin::Own => {
            let (name, sheet) = names.defined.get(number)?;
            match sheet.and_then(|sheet| names.sheets.get(sheet)) {
                Some(sheet) => format!("{}!{name}", formula::quote_sheet(sheet)),
                None => name.clone(),
            }
        }
        Origin::AddIn(functions) => functions.get(number)?.clone(),
        Origin::Other => return None,
    })
}

/// A cell or an area of named sheets, or what such a one was before it was deleted.
fn on_sheets(reader: &mut Reader<'_>, kind: u8, names: &Names, place: ReferenceBase) -> Option<String> {
    let sheets = span(names, reader.u16()?)?;
    let (row, second) = (reader.u16()?, reader.u16()?);
    let target = match kind {
        0x3A => place.cell(row, second, false),
        0x3C => "#REF!".to_owned(),
        _ => {
            let (left, right) = (reader.u16()?, reader.u16()?);
            if kind == 0x3B { place.area((row, second, left, right), false) } else { "#REF!".to_owned() }
        }
    };
    Some(match sheets {
        Some(sheets) => format!("{sheets}!{target}"),
        None => "#REF!".to_owned(),
    })
}

/// A call of a function by its name, which stands before the arguments.
fn call_named(stack: &mut Vec<String>, count: usize) -> Option<()> {
    let first = stack.len().checked_sub(count)?;
    let name = stack.get(first)?.clone();
    call(stack, &name, count.checked_sub(1)?)?;
    // The call stands where the name stood.
    let done = stack.pop()?;
    *stack.last_mut()? = done;
    Some(())
}

fn call(stack: &mut Vec<String>, name: &str, count: usize) -> Option<()> {
    let first = stack.len().checked_sub(count)?;
    let arguments = stack.split_off(first).join(",");
    stack.push(format!("{name}({arguments})"));
    Some(())
}

fn error(code: u8) -> Option<&'static str> {
    Some(match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0F => "#VALUE!",
        0x17 => "#REF!",
        0x1D => "#NAME?",
        0x24 => "#NUM!",
        0x2A => "#N/A",
        _ => return None,
    })
}

fn constant(extra: &mut Reader<'_>) -> Option<String> {
    let (cols, rows) = (usize::from(extra.u8()?) + 1, usize::from(extra.u16()?) + 1);
    let mut lines = Vec::new();
    for _ in 0..rows {
        let mut line = Vec::new();
        for _ in 0..cols {
            line.push(match extra.u8()? {
                0 => {
                    extra.skip(8)?;
                    "\"\"".to_owned()
                }
                1 => show_number(extra.f64()?),
                2 => {
                    let letters = usize::from(extra.u16()?);
                    format!("\"{}\"", extra.text(letters)?.replace('"', "\"\""))
                }
                4 => {
                    let flag = extra.u8()?;
                    extra.skip(7)?;
                    if flag == 0 { "FALSE" } else { "TRUE" }.to_owned()
                }
                16 => {
                    let code = extra.u8()?;
                    extra.skip(7)?;
                    error(code)?.to_owned()
                }
                _ => return None,
            });
        }
        lines.push(line.join(","));
    }
    Some(format!("{{{}}}", lines.join(";")))
}

/// The sheets of a 3D reference, quoted; `Some(None)` for sheets that are gone, `None` for another workbook.
#[expect(
    clippy::option_option,
    reason = "a lost sheet is an error in the text, another workbook ends the reading"
)]
fn span(names: &Names, number: u16) -> Option<Option<String>> {
    let (book, first, last) = *names.spans.get(usize::from(number))?;
    if !matches!(names.books.get(usize::from(book))?, Origin::Own) {
        return None;
    }
    let (Some(from), Some(to)) = (names.sheets.get(usize::from(first)), names.sheets.get(usize::from(last)))
    else {
        return Some(None);
    };
    Some(Some(if first == last {
        formula::quote_sheet(from)
    } else if formula::needs_quotes(from) || formula::needs_quotes(to) {
        format!("'{}:{}'", from.replace('\'', "''"), to.replace('\'', "''"))
    } else {
        format!("{from}:{to}")
    }))
}

const ROW_IS_RELATIVE: u16 = 0x8000;
const COL_IS_RELATIVE: u16 = 0x4000;

impl ReferenceBase {
    /// Row and column as they are now; `offset` says that relative ones are distances.
    fn resolve(self, row: u16, col: u16, offset: bool) -> (u32, u32) {
        let index = col & 0x00FF;
        let (free_row, free_col) = (col & ROW_IS_RELATIVE != 0, col & COL_IS_RELATIVE != 0);
        match self {
            ReferenceBase::Shared(base_row, base_col) if offset => (
                u32::from(if free_row { base_row.wrapping_add(row) } else { row }),
                u32::from(if free_col { base_col.wrapping_add(index) & 0x00FF } else { index }),
            ),
            // Before the first row comes the last, which in a new workbook is another one.
            ReferenceBase::Name => (
                if free_row && row >= 0x8000 {
                    formula::MAX_ROWS - (0x1_0000 - u32::from(row))
                } else {
                    u32::from(row)
                },
                if free_col && index >= 0x80 {
                    formula::MAX_COLS - (0x100 - u32::from(index))
                } else {
                    u32::from(index)
                },
            ),
            _ => (u32::from(row), u32::from(index)),
        }
    }

    fn cell(self, row: u16, col: u16, offset: bool) -> String {
        let (at_row, at_col) = self.resolve(row, col, offset);
        format!("{}{}", letters(at_col, col), number(at_row, col))
    }

    fn area(self, (top, bottom, left, right): (u16, u16, u16, u16), offset: bool) -> String {
        let (top_row, left_col) = self.resolve(top, left, offset);
        let (bottom_row, right_col) = self.resolve(bottom, right, offset);
        let whole_columns = top == 0 && bottom == u16::MAX && (left | right) & ROW_IS_RELATIVE == 0;
        let whole_rows = left & 0xFF == 0 && right & 0xFF == 0xFF && (left | right) & COL_IS_RELATIVE == 0;
        if whole_columns {
            return format!("{}:{}", letters(left_col, left), letters(right_col, right));
        }
        if whole_rows {
            return format!("{}:{}", number(top_row, left), number(bottom_row, right));
        }
        format!(
            "{}{}:{}{}",
            letters(left_col, left),
            number(top_row, left),
            letters(right_col, right),
            number(bottom_row, right)
        )
    }
}

fn letters(col: u32, flags: u16) -> String {
    let dollar = if flags & COL_IS_RELATIVE == 0 { "$" } else { "" };
    format!("{dollar}{}", formula::column_letters(col))
}

fn number(row: u32, flags: u16) -> String {
    let dollar = if flags & ROW_IS_RELATIVE == 0 { "$" } else { "" };
    format!("{dollar}{}", row + 1)
}

/// Four bytes as a number, for records that count so.
pub(super) fn long(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).map(|number| number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names {
            sheets: vec!["One".to_owned(), "Two 2".to_owned()],
            spans: vec![(0, 0, 0), (0, 1, 1), (0, 0, 1), (1, 0xFFFE, 0xFFFE), (0, 0xFFFF, 0xFFFF), (2, 0, 0)],
            books: vec![Origin::Own, Origin::AddIn(vec!["GCD".to_owned()]), Origin::Other],
            defined: vec![("_xlfn.IFERROR".to_owned(), None), ("mine".to_owned(), Some(1))],
        }
    }

    fn read(tokens: &[u8], place: ReferenceBase) -> Option<String> {
        text(tokens, &[], &names(), place)
    }

    #[test]
    fn operators_stand_between_their_operands() {
        assert_eq!(read(&[0x1E, 2, 0, 0x1E, 3, 0, 0x0C], ReferenceBase::Cell).as_deref(), Some("2>=3"));
        assert_eq!(read(&[0x1E, 2, 0, 0x1E, 3, 0, 0x0D], ReferenceBase::Cell).as_deref(), Some("2>3"));
        assert_eq!(read(&[0x1E, 2, 0, 0x14, 0x13, 0x15], ReferenceBase::Cell).as_deref(), Some("(-2%)"));
        assert_eq!(read(&[0x0C], ReferenceBase::Cell), None);
    }

    #[test]
    fn references_are_read_with_their_sheets() {
        assert_eq!(read(&[0x44, 1, 0, 2, 0xC0], ReferenceBase::Cell).as_deref(), Some("C2"));
        assert_eq!(read(&[0x5A, 1, 0, 1, 0, 2, 0], ReferenceBase::Cell).as_deref(), Some("'Two 2'!$C$2"));
        assert_eq!(
            read(&[0x5A, 2, 0, 1, 0, 2, 0x40], ReferenceBase::Cell).as_deref(),
            Some("'One:Two 2'!C$2")
        );
        assert_eq!(read(&[0x5A, 4, 0, 1, 0, 2, 0x40], ReferenceBase::Cell).as_deref(), Some("#REF!"));
        assert_eq!(read(&[0x5A, 5, 0, 1, 0, 2, 0x40], ReferenceBase::Cell), None);
        assert_eq!(
            read(&[0x25, 0, 0, 0xFF, 0xFF, 0, 0x40, 1, 0x40], ReferenceBase::Cell).as_deref(),
            Some("A:B")
        );
        // From the first row to the one above.
        assert_eq!(
            read(&[0x2D, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0xC0], ReferenceBase::Shared(3, 0)).as_deref(),
            Some("$A$1:A3")
        );
        assert_eq!(read(&[0x4C, 0xFF, 0xFF, 0x01, 0xC0], ReferenceBase::Shared(5, 2)).as_deref(), Some("D5"));
        assert_eq!(
            read(&[0x5A, 0, 0, 0xFF, 0xFF, 0, 0xC0], ReferenceBase::Name).as_deref(),
            Some("One!A1048576")
        );
    }

    #[test]
    fn functions_are_called_by_number_or_by_name() {
        assert_eq!(read(&[0x1E, 2, 0, 0x41, 15, 0], ReferenceBase::Cell).as_deref(), Some("SIN(2)"));
        assert_eq!(
            read(&[0x23, 1, 0, 0, 0, 0x1E, 2, 0, 0x16, 0x42, 3, 255, 0], ReferenceBase::Cell).as_deref(),
            Some("_xlfn.IFERROR(2,)")
        );
        assert_eq!(
            read(&[0x59, 3, 0, 1, 0, 0, 0, 0x1E, 6, 0, 0x42, 2, 255, 0], ReferenceBase::Cell).as_deref(),
            Some("GCD(6)")
        );
        assert_eq!(read(&[0x39, 0, 0, 2, 0, 0, 0], ReferenceBase::Cell).as_deref(), Some("'Two 2'!mine"));
    }

    #[test]
    fn constants_follow_the_tokens() {
        let extra = [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 2, 1, 0, 0, b'x'];
        let tokens = [0x60, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(text(&tokens, &extra, &names(), ReferenceBase::Cell).as_deref(), Some("{1,\"x\"}"));
        assert_eq!(text(&tokens, &extra[..9], &names(), ReferenceBase::Cell), None);
    }
}

//! The sheet that a reference names, or the sheets, or those of another workbook.

use std::sync::Arc;

use super::Parser;
use crate::ast::{ParseError, SheetSpec, Span};

impl Parser<'_> {
    /// `Sheet1!`, `'My Sheet'!`, `A:C!`, `[1]Sheet1!`, `'C:\[b.xlsx]S'!`, `[1]!`. Moves only when there is one.
    pub(super) fn sheet_prefix(&mut self) -> Result<Option<(SheetSpec, Span)>, ParseError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        if self.byte(0) == b'\'' {
            let mut text = String::new();
            self.at += 1;
            loop {
                let Some(end) = self.rest().find('\'') else {
                    self.at = start;
                    return Err(self.error("a closing `'` for the sheet name"));
                };
                text.push_str(&self.rest()[..end]);
                self.at += end + 1;
                if !self.eat("'") {
                    break;
                }
                text.push('\'');
            }
            // 'First sheet':'Last sheet'!A1 is not written by Excel, but a range of quoted sheets inside one
            // pair of quotes is.
            if !self.eat("!") {
                return Err(self.error("`!` after the sheet name"));
            }
            return Ok(Some((split_spec(&text), start..self.at)));
        }
        let mut end = start;
        if self.byte(0) == b'[' {
            // `[1]Sheet1!` against `[@Column]`: only the first is followed by a name and `!`.
            let Some(close) = self.rest().find(']') else { return Ok(None) };
            end = start + close + 1;
        }
        let ascii = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':');
        end += bytes[end..].iter().take_while(|b| ascii(b)).count();
        while let Some(c) = self.text.get(end..).and_then(|rest| rest.chars().next()) {
            if c.is_alphanumeric() || matches!(c, '_' | '.' | '?' | ':' | '\\') || !c.is_ascii() {
                end += c.len_utf8();
            } else {
                break;
            }
        }
        if bytes.get(end) != Some(&b'!') || end == start {
            return Ok(None);
        }
        let text = &self.text[start..end];
        if text.starts_with(':') {
            return Ok(None);
        }
        // `A1:Sheet2!B1` is a range whose second corner names its sheet again; `Jan:Dec!A1` is a 3D
        // reference. A leading part that reads as a cell decides for the range.
        if let Some((first, second)) = text.split_once(':') {
            let cell = Parser { text: first, at: 0, depth: 0, notation: self.notation, trim: None }
                .reads_as_reference();
            if cell || second.is_empty() || second.contains(':') {
                return Ok(None);
            }
        }
        self.at = end + 1;
        Ok(Some((split_spec(text), start..self.at)))
    }

    fn reads_as_reference(mut self) -> bool {
        self.reference_target().is_some() && self.at == self.text.len()
    }
}

/// `[book]First:Last` into its parts; a path before the bracket stays with the book.
fn split_spec(text: &str) -> SheetSpec {
    let (book, sheets) = match text.rfind(']') {
        Some(close) => {
            let book = text[..close].replacen('[', "", 1);
            (Some(Arc::from(book)), &text[close + 1..])
        }
        None => (None, text),
    };
    match sheets.split_once(':') {
        Some((first, last)) => SheetSpec { book, first: Arc::from(first), last: Some(Arc::from(last)) },
        None => SheetSpec { book, first: Arc::from(sheets), last: None },
    }
}

//! Cells and ranges in text: `$A$1:B2`, `3:4`, `R[-1]C`.

use super::{Notation, Parser};
use crate::address::{MAX_COLS, MAX_ROWS, column_index};
use crate::ast::{CellCoord, Coord, Target, Trim};

impl Parser<'_> {
    /// A cell, area, rows or columns. Moves only when there is one.
    pub(super) fn reference_target(&mut self) -> Option<Target> {
        if let Notation::R1C1 { .. } = self.notation {
            return self.r1c1_target();
        }
        let start = self.at;
        self.trim = None;
        let result = self.a1_target();
        if result.is_none() {
            self.at = start;
        }
        result
    }

    fn a1_target(&mut self) -> Option<Target> {
        let start = self.at;
        if let Some(first) = self.a1_cell() {
            let middle = self.at;
            if let Some(trim) = self.colon() {
                if let Some(second) = self.a1_cell()
                    && !matches!(self.byte(0), b'!' | b'(')
                {
                    self.trim = trim;
                    return Some(Target::Area(first, second));
                }
                self.at = middle;
            }
            return Some(Target::Cell(first));
        }
        self.at = start;
        if let Some(first) = self.a1_column()
            && let Some(trim) = self.colon()
            && let Some(second) = self.a1_column()
            && self.word_ends()
        {
            self.trim = trim;
            return Some(Target::Cols(first, second));
        }
        self.at = start;
        if let Some(first) = self.a1_row()
            && let Some(trim) = self.colon()
            && let Some(second) = self.a1_row()
            && self.word_ends()
        {
            self.trim = trim;
            return Some(Target::Rows(first, second));
        }
        None
    }

    /// The operator between two corners, and what it trims. Moves only when there is one.
    fn colon(&mut self) -> Option<Option<Trim>> {
        for (symbol, trim) in
            [(".:.", Some(Trim::All)), (".:", Some(Trim::Leading)), (":.", Some(Trim::Trailing)), (":", None)]
        {
            if self.eat(symbol) {
                return Some(trim);
            }
        }
        None
    }

    fn word_ends(&self) -> bool {
        if self.byte(0) == b'.' && self.byte(1) == b':' {
            return true;
        }
        !self
            .peek()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | '!' | '[' | '\\' | '?'))
    }

    fn a1_cell(&mut self) -> Option<CellCoord> {
        let start = self.at;
        let col = self.a1_column();
        let row = col.and_then(|_| self.a1_row());
        match (col, row) {
            (Some(col), Some(row)) if self.word_ends() => Some(CellCoord { row, col }),
            _ => {
                self.at = start;
                None
            }
        }
    }

    fn a1_column(&mut self) -> Option<Coord> {
        let start = self.at;
        let absolute = self.eat("$");
        let length = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        match self.rest().get(..length).and_then(column_index) {
            Some(at) => {
                self.at += length;
                Some(Coord { at, absolute })
            }
            None => {
                self.at = start;
                None
            }
        }
    }

    fn a1_row(&mut self) -> Option<Coord> {
        let start = self.at;
        let absolute = self.eat("$");
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest().get(..length).and_then(|digits| digits.parse::<u32>().ok());
        match number {
            Some(row) if (1..=MAX_ROWS).contains(&row) => {
                self.at += length;
                Some(Coord { at: row - 1, absolute })
            }
            _ => {
                self.at = start;
                None
            }
        }
    }

    pub(super) fn r1c1_target(&mut self) -> Option<Target> {
        let start = self.at;
        let first = self.r1c1_part();
        if let Some(first) = first {
            let middle = self.at;
            if self.eat(":")
                && let Some(second) = self.r1c1_part()
                && self.word_ends()
            {
                match (first, second) {
                    ((Some(row), Some(col)), (Some(row2), Some(col2))) => {
                        return Some(Target::Area(
                            CellCoord { row, col },
                            CellCoord { row: row2, col: col2 },
                        ));
                    }
                    ((Some(row), None), (Some(row2), None)) => return Some(Target::Rows(row, row2)),
                    ((None, Some(col)), (None, Some(col2))) => return Some(Target::Cols(col, col2)),
                    _ => {}
                }
            }
            self.at = middle;
            if self.word_ends() {
                match first {
                    (Some(row), Some(col)) => return Some(Target::Cell(CellCoord { row, col })),
                    (Some(row), None) => return Some(Target::Rows(row, row)),
                    (None, Some(col)) => return Some(Target::Cols(col, col)),
                    (None, None) => {}
                }
            }
        }
        self.at = start;
        None
    }

    fn r1c1_part(&mut self) -> Option<(Option<Coord>, Option<Coord>)> {
        let Notation::R1C1 { row, col } = self.notation else { return None };
        let start = self.at;
        let row = if self.eat("R") || self.eat("r") { Some(self.r1c1_coord(row, MAX_ROWS)?) } else { None };
        let col = if self.eat("C") || self.eat("c") { Some(self.r1c1_coord(col, MAX_COLS)?) } else { None };
        if self.at == start { None } else { Some((row, col)) }
    }

    fn r1c1_coord(&mut self, base: u32, limit: u32) -> Option<Coord> {
        let digits = |parser: &mut Self| -> Option<i64> {
            let length = parser.rest().bytes().take_while(u8::is_ascii_digit).count();
            let number = parser.rest().get(..length)?.parse().ok()?;
            parser.at += length;
            Some(number)
        };
        if self.byte(0) == b'[' {
            self.at += 1;
            let negative = self.eat("-");
            let offset = digits(self)?;
            if !self.eat("]") {
                return None;
            }
            let at = (i64::from(base) + if negative { -offset } else { offset }).rem_euclid(i64::from(limit));
            return Some(Coord { at: at as u32, absolute: false });
        }
        if self.byte(0).is_ascii_digit() {
            let at = digits(self)?;
            return (1..=i64::from(limit))
                .contains(&at)
                .then(|| Coord { at: (at - 1) as u32, absolute: true });
        }
        Some(Coord { at: base, absolute: false })
    }
}

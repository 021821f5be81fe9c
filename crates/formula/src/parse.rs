//! Text to [`Formula`]: one pass over the bytes, operators by precedence.
//!
//! Accepts what Excel stores in files (`_xlfn.` prefixes, `[1]Sheet1!A1`, `Table[[#This Row],[x]]`) and what
//! people type (`=`, `[@x]`, `A1#`, `'C:\[book.xlsx]Sheet'!A1`).

mod reference;
mod sheet;
mod table;

use std::sync::Arc;

use crate::ast::{Expr, Formula, NameUse, Operator, ParseError, Reference, SheetSpec, Span, Target, Trim};
use crate::value::{Array, ErrorKind, Value};

/// Brackets, calls and signs may stand this deep inside one another. Excel stops at 64 calls.
const MAX_DEPTH: usize = 96;

/// How references are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    A1,
    /// Relative parts count from this cell (row, column).
    R1C1 {
        row: u32,
        col: u32,
    },
}

/// Parse a formula in A1 notation; a leading `=` is allowed and dropped.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    parse_notation(text, Notation::A1)
}

/// Excel takes 8,192 characters; a file may say the same at greater length.
const MAX_FORMULA: usize = 65_536;

/// Parse a formula in the given notation.
pub fn parse_notation(text: &str, notation: Notation) -> Result<Formula, ParseError> {
    let body = text.strip_prefix('=').unwrap_or(text);
    if body.len() > MAX_FORMULA {
        let found = format!("a formula of {} bytes", body.len());
        return Err(ParseError { at: MAX_FORMULA, expected: "a formula of at most 65,536 bytes", found });
    }
    let mut parser = Parser { text: body, at: 0, depth: 0, notation, trim: None };
    parser.space();
    let expr = parser.expression(0, Commas::Unions)?;
    parser.space();
    if parser.at < body.len() {
        return Err(parser.error("an operator or the end of the formula"));
    }
    Ok(Formula { text: Arc::from(body), expr })
}

/// Whether a word reads as a reference in R1C1 notation (`R`, `C`, `RC`, `R1C1`, `R[2]C`).
pub(crate) fn looks_like_r1c1(word: &str) -> bool {
    let mut parser =
        Parser { text: word, at: 0, depth: 0, notation: Notation::R1C1 { row: 0, col: 0 }, trim: None };
    parser.r1c1_target().is_some() && parser.at == word.len()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Commas {
    /// A comma joins references.
    Unions,
    /// A comma separates arguments.
    Arguments,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    notation: Notation,
    /// How the range that was read last is trimmed.
    trim: Option<Trim>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found =
            self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()));
        if found {
            self.at += token.len();
        }
        found
    }

    fn space(&mut self) -> bool {
        let before = self.at;
        loop {
            self.at += match self.byte(0) {
                b' ' | b'\n' | b'\r' | b'\t' => 1,
                // A space that does not break.
                0xc2 if self.byte(1) == 0xa0 => 2,
                _ => return self.at > before,
            };
        }
    }

    fn error(&self, expected: &'static str) -> ParseError {
        let found = match self.peek() {
            None => "the end of the formula".to_owned(),
            Some(_) => {
                let shown: String = self.rest().chars().take(12).collect();
                format!("`{shown}`")
            }
        };
        ParseError { at: self.at, expected, found }
    }

    fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.error("at most 96 levels of nesting")) } else { Ok(()) }
    }

    /// An expression whose operators bind at least as tightly as `level`.
    fn expression(&mut self, level: u8, commas: Commas) -> Result<Expr, ParseError> {
        let mut left = self.prefixed(commas)?;
        // Chains of operators of one level; a tighter one to the right is taken by the operand.
        loop {
            let Some((operator, after)) = self.operator(commas) else { return Ok(left) };
            let own = operator.level();
            if own < level {
                return Ok(left);
            }
            self.at = after;
            self.space();
            let right = self.expression(own + 1, commas)?;
            left = chain(left, operator, right);
        }
    }

    /// Signs, then an operand with its postfix operators. Signs bind tighter than `^`, looser than `:`.
    fn prefixed(&mut self, commas: Commas) -> Result<Expr, ParseError> {
        self.space();
        let start = self.at;
        let sign = match self.byte(0) {
            sign @ (b'-' | b'+' | b'@') => sign,
            _ => {
                let mut operand = self.references(6, commas)?;
                loop {
                    let before = self.at;
                    self.space();
                    if !self.eat("%") {
                        self.at = before;
                        return Ok(operand);
                    }
                    operand = Expr::Percent(Box::new(operand));
                }
            }
        };
        self.at += 1;
        self.enter()?;
        let inner = self.prefixed(commas)?;
        self.depth -= 1;
        let end = self.at;
        let signed = |inner: Box<Expr>| match sign {
            b'-' => Expr::Negate(inner),
            b'+' => Expr::Plus(inner),
            _ => Expr::Single(inner, start..end),
        };
        // `-A1%` is `-(A1%)` either way; keep the percent outside so that printing keeps its place.
        Ok(match inner {
            Expr::Percent(inner) => Expr::Percent(Box::new(signed(inner))),
            inner => signed(Box::new(inner)),
        })
    }

    /// Operands joined by `:`, space and, where it joins, `,`.
    fn references(&mut self, level: u8, commas: Commas) -> Result<Expr, ParseError> {
        let mut left = self.primary()?;
        loop {
            let Some((operator, after)) = self.operator(commas) else { return Ok(left) };
            let own = operator.level();
            if own < 6 || own < level {
                return Ok(left);
            }
            self.at = after;
            self.space();
            let right = self.references(own + 1, commas)?;
            left = chain(left, operator, right);
        }
    }

    /// The operator that follows, and where it ends. Does not move.
    fn operator(&mut self, commas: Commas) -> Option<(Operator, usize)> {
        let before = self.at;
        let spaced = self.space();
        let at = self.at;
        let next = (self.byte(0), self.byte(1));
        let starts_operand = spaced
            && self.peek().is_some_and(|c| {
                c.is_alphanumeric()
                    || matches!(c, '_' | '\\' | '$' | '\'' | '[' | '(' | '?')
                    || (c == '#' && self.byte(1) == b'R')
            });
        self.at = before;
        let (operator, length) = match next {
            (b':', _) => (Operator::Range, 1),
            (b',', _) if commas == Commas::Unions => (Operator::Union, 1),
            (b'^', _) => (Operator::Power, 1),
            (b'*', _) => (Operator::Multiply, 1),
            (b'/', _) => (Operator::Divide, 1),
            (b'+', _) => (Operator::Add, 1),
            (b'-', _) => (Operator::Subtract, 1),
            (b'&', _) => (Operator::Concat, 1),
            (b'=', _) => (Operator::Equal, 1),
            (b'<', b'>') => (Operator::NotEqual, 2),
            (b'<', b'=') => (Operator::LessEqual, 2),
            (b'<', _) => (Operator::Less, 1),
            (b'>', b'=') => (Operator::GreaterEqual, 2),
            (b'>', _) => (Operator::Greater, 1),
            _ if starts_operand => return Some((Operator::Intersect, at)),
            _ => return None,
        };
        Some((operator, at + length))
    }

    fn primary(&mut self) -> Result<Expr, ParseError> {
        self.space();
        let start = self.at;
        let mut expr = match self.byte(0) {
            b'"' => self.string()?,
            b'(' => self.parenthesis()?,
            b'{' => self.array()?,
            b'#' => self.error_literal()?,
            _ => self.word()?,
        };
        loop {
            if self.byte(0) == b'#' && ErrorKind::prefix_of(self.rest()).is_none() {
                self.at += 1;
                expr = Expr::Spill(Box::new(expr), start..self.at);
            } else if self.byte(0) == b'('
                && matches!(expr, Expr::Call { .. } | Expr::Apply { .. } | Expr::Paren(_))
            {
                self.at += 1;
                let args = self.arguments()?;
                expr = Expr::Apply { callee: Box::new(expr), args };
            } else {
                return Ok(expr);
            }
        }
    }

    fn parenthesis(&mut self) -> Result<Expr, ParseError> {
        self.at += 1;
        self.enter()?;
        let inner = self.expression(0, Commas::Unions)?;
        self.space();
        if !self.eat(")") {
            return Err(self.error("`)`"));
        }
        self.depth -= 1;
        Ok(Expr::Paren(Box::new(inner)))
    }

    fn string(&mut self) -> Result<Expr, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(end) = self.rest().find('"') else {
                self.at = start;
                return Err(self.error("a closing `\"` for the text"));
            };
            text.push_str(&self.rest()[..end]);
            self.at += end + 1;
            if !self.eat("\"") {
                return Ok(Expr::Text(Arc::from(text)));
            }
            text.push('"');
        }
    }

    fn error_literal(&mut self) -> Result<Expr, ParseError> {
        match ErrorKind::prefix_of(self.rest()) {
            Some((ErrorKind::Ref, length)) => {
                // `#REF!A1` is what is left of a reference to a deleted sheet.
                let start = self.at;
                self.at += length;
                let save = self.at;
                if self.reference_target().is_none() {
                    self.at = save;
                }
                Ok(Expr::Reference(Reference {
                    span: start..self.at,
                    sheet_span: start..start,
                    sheet: None,
                    target: Target::Lost,
                }))
            }
            Some((kind, length)) => {
                self.at += length;
                Ok(Expr::Error(kind))
            }
            None => Err(self.error("an error value such as #N/A")),
        }
    }

    fn array(&mut self) -> Result<Expr, ParseError> {
        self.at += 1;
        let mut values = Vec::new();
        let (mut rows, mut cols, mut width) = (1, 0, 0);
        loop {
            self.space();
            values.push(self.constant()?);
            width += 1;
            self.space();
            match self.byte(0) {
                b',' => {}
                b';' | b'}' => {
                    if cols != 0 && cols != width {
                        return Err(self.error("rows of equal length in the array"));
                    }
                    cols = width;
                    width = 0;
                    if self.byte(0) == b'}' {
                        self.at += 1;
                        return Ok(Expr::Array(Arc::new(Array::new(rows, cols, values))));
                    }
                    rows += 1;
                }
                _ => return Err(self.error("`,`, `;` or `}` in the array")),
            }
            self.at += 1;
        }
    }

    fn constant(&mut self) -> Result<Value, ParseError> {
        let negative = if self.eat("-") {
            true
        } else {
            self.eat("+");
            false
        };
        self.space();
        match self.byte(0) {
            b'"' if !negative => match self.string()? {
                Expr::Text(text) => Ok(Value::Text(text)),
                _ => Err(self.error("a text")),
            },
            b'#' if !negative => match ErrorKind::prefix_of(self.rest()) {
                Some((kind, length)) => {
                    self.at += length;
                    Ok(Value::Error(kind))
                }
                None => Err(self.error("an error value such as #N/A")),
            },
            b'0'..=b'9' | b'.' => {
                let number = self.number().ok_or_else(|| self.error("a number"))?;
                Ok(Value::Number(if negative { -number } else { number }))
            }
            _ => {
                for (word, flag) in [("TRUE", true), ("FALSE", false)] {
                    if !negative
                        && self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
                    {
                        self.at += word.len();
                        return Ok(Value::Bool(flag));
                    }
                }
                Err(self.error("a constant in the array"))
            }
        }
    }

    /// A number: digits, a point, an exponent. `None` when the digits do not end as a number does.
    fn number(&mut self) -> Option<f64> {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        while digit(end) {
            end += 1;
        }
        if bytes.get(end) == Some(&b'.') {
            end += 1;
            while digit(end) {
                end += 1;
            }
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if digit(end + 1 + sign) {
                end += 1 + sign;
                while digit(end) {
                    end += 1;
                }
            }
        }
        let number = crate::coerce::fifteen_digits(self.text.get(self.at..end)?).parse::<f64>().ok()?;
        self.at = end;
        Some(number)
    }

    /// Numbers, references, names, calls, booleans, tables.
    fn word(&mut self) -> Result<Expr, ParseError> {
        let start = self.at;
        if let Some((sheet, sheet_span)) = self.sheet_prefix()? {
            return self.after_sheet(start, sheet, sheet_span);
        }
        if let Some(target) = self.reference_target() {
            return Ok(self.referred(Reference {
                span: start..self.at,
                sheet_span: start..start,
                sheet: None,
                target,
            }));
        }
        match self.byte(0) {
            b'0'..=b'9' | b'.' => {
                if let Some(number) = self.number() {
                    return Ok(Expr::Number(number));
                }
                return Err(self.error("a number"));
            }
            b'[' => return self.structured(start, None, None),
            _ => {}
        }
        let name = self.identifier();
        if name.is_empty() {
            return Err(self.error("a value, a reference or a function"));
        }
        self.named(start, start..start, None, name)
    }

    /// A reference, trimmed where its operator said so.
    fn referred(&mut self, reference: Reference) -> Expr {
        match self.trim.take() {
            Some(trim) => Expr::Trimmed(Box::new(Expr::Reference(reference)), trim),
            None => Expr::Reference(reference),
        }
    }

    /// What follows a name: arguments, table columns, or nothing.
    fn named(
        &mut self,
        start: usize,
        sheet_span: Span,
        sheet: Option<SheetSpec>,
        name: &str,
    ) -> Result<Expr, ParseError> {
        match self.byte(0) {
            b'(' => {
                let span = start..self.at;
                self.at += 1;
                let args = self.arguments()?;
                return Ok(Expr::Call { name: Arc::from(name), span, args });
            }
            b'[' => return self.structured(start, Some(name), sheet),
            _ => {}
        }
        if sheet.is_none() {
            if name.eq_ignore_ascii_case("TRUE") {
                return Ok(Expr::Bool(true));
            }
            if name.eq_ignore_ascii_case("FALSE") {
                return Ok(Expr::Bool(false));
            }
        }
        Ok(Expr::Name(NameUse { span: start..self.at, sheet_span, sheet, name: Arc::from(name) }))
    }

    fn after_sheet(&mut self, start: usize, sheet: SheetSpec, sheet_span: Span) -> Result<Expr, ParseError> {
        if let Some((ErrorKind::Ref, length)) = ErrorKind::prefix_of(self.rest()) {
            self.at += length;
            let reference =
                Reference { span: start..self.at, sheet_span, sheet: Some(sheet), target: Target::Lost };
            return Ok(Expr::Reference(reference));
        }
        if let Some(target) = self.reference_target() {
            let reference = Reference { span: start..self.at, sheet_span, sheet: Some(sheet), target };
            return Ok(self.referred(reference));
        }
        let name = self.identifier();
        if name.is_empty() {
            return Err(self.error("a cell or a name after `!`"));
        }
        self.named(start, sheet_span, Some(sheet), name)
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, ParseError> {
        self.enter()?;
        let mut args = Vec::new();
        self.space();
        if self.eat(")") {
            self.depth -= 1;
            return Ok(args);
        }
        loop {
            self.space();
            if matches!(self.byte(0), b',' | b')') {
                args.push(Expr::Missing);
            } else {
                args.push(self.expression(0, Commas::Arguments)?);
            }
            self.space();
            if self.eat(")") {
                self.depth -= 1;
                return Ok(args);
            }
            if !self.eat(",") {
                return Err(self.error("`,` or `)`"));
            }
        }
    }

    fn identifier(&mut self) -> &'a str {
        let rest = self.rest();
        let plain = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
        let mut length = match rest.as_bytes().first() {
            Some(first) if first.is_ascii_alphabetic() || *first == b'_' => plain.count(),
            _ => 0,
        };
        let from = length;
        for (at, c) in rest[from..].char_indices().map(|(at, c)| (from + at, c)) {
            let inside = c.is_alphanumeric()
                || matches!(c, '_' | '\\' | '.' | '?')
                || (!c.is_ascii() && !c.is_whitespace());
            let fits = if at == 0 { inside && !c.is_ascii_digit() && c != '.' } else { inside };
            if !fits {
                break;
            }
            length = at + c.len_utf8();
        }
        let word = &self.rest()[..length];
        self.at += length;
        word
    }
}

/// Joins an operand to a chain of operators of the same level, or begins one.
fn chain(left: Expr, operator: Operator, right: Expr) -> Expr {
    match left {
        Expr::Chain { first, mut rest }
            if rest.first().is_some_and(|(op, _)| op.level() == operator.level()) =>
        {
            rest.push((operator, right));
            Expr::Chain { first, rest }
        }
        other => Expr::Chain { first: Box::new(other), rest: vec![(operator, right)] },
    }
}

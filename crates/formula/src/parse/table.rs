//! References into tables: `Sales[[#Totals],[Net]]`, `[@Net]`.

use std::sync::Arc;

use super::Parser;
use crate::ast::{Expr, ParseError, SheetSpec, Structured, TableColumns, TableRows};

impl Parser<'_> {
    /// `[...]` after a table's name, or alone inside the table.
    pub(super) fn structured(
        &mut self,
        start: usize,
        table: Option<&str>,
        sheet: Option<SheetSpec>,
    ) -> Result<Expr, ParseError> {
        self.at += 1;
        let mut rows = TableRows::default();
        let mut columns: Vec<Arc<str>> = Vec::new();
        let mut ranged = false;
        self.space();
        if self.eat("@") {
            rows.this_row = true;
            self.space();
        }
        match self.byte(0) {
            b']' => {}
            b'[' => {
                loop {
                    self.space();
                    if self.byte(0) != b'[' {
                        return Err(self.error("`[`"));
                    }
                    self.at += 1;
                    self.space();
                    let item = self.bracketed()?;
                    item_or_column(&item, &mut rows, &mut columns);
                    self.space();
                    if self.eat(":") {
                        ranged = true;
                    } else if !self.eat(",") {
                        break;
                    }
                }
                self.space();
                if self.byte(0) != b']' {
                    return Err(self.error("`]`"));
                }
            }
            _ => {
                let item = self.bracketed()?;
                item_or_column(&item, &mut rows, &mut columns);
                self.at -= 1;
            }
        }
        self.at += 1;
        if rows == TableRows::default() {
            rows.data = true;
        }
        let mut names = columns.into_iter();
        let columns = match (names.next(), names.next(), ranged) {
            (None, _, _) => TableColumns::All,
            (Some(first), Some(last), true) => TableColumns::Range(first, last),
            (Some(first), _, _) => TableColumns::One(first),
        };
        Ok(Expr::Structured(Structured {
            span: start..self.at,
            table: table.map(Arc::from),
            sheet,
            rows,
            columns,
        }))
    }

    /// Up to the closing `]`; `'` takes the next character as it is.
    fn bracketed(&mut self) -> Result<String, ParseError> {
        let mut text = String::new();
        let start = self.at;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                ']' => return Ok(text),
                '\'' => {
                    if let Some(next) = self.peek() {
                        text.push(next);
                        self.at += next.len_utf8();
                    }
                }
                '[' => {
                    self.at -= 1;
                    return Err(self.error("`]`"));
                }
                other => text.push(other),
            }
        }
        self.at = start;
        Err(self.error("a closing `]`"))
    }
}

fn item_or_column(item: &str, rows: &mut TableRows, columns: &mut Vec<Arc<str>>) {
    match item.to_ascii_lowercase().as_str() {
        "#all" => *rows = TableRows { headers: true, data: true, totals: true, this_row: false },
        "#data" => rows.data = true,
        "#headers" => rows.headers = true,
        "#totals" => rows.totals = true,
        "#this row" => rows.this_row = true,
        _ => columns.push(Arc::from(item)),
    }
}

//! Formulas and bounds inside validations and conditional formats.
//!
//! Excel takes less there than in a cell: no unions, intersections or lists in braces, no columns of tables by name, no
//! other workbooks. A file that holds one of them is repaired when it is opened, and the rule is gone. What stands there
//! without `=` is read as it is typed into Excel's dialog, so that a day is that day and not two subtractions.

use edit::Refusal;
use formula::{Expr, Operator, Region, Target};
use ooxml::xml::escape_text;

use crate::calc::view::View;
use crate::edits::cells::mentions;
use crate::edits::cells::typed;
use crate::edits::entry;
use crate::edits::input::Input;
use crate::file::formula_text::{Singles, formula_for_file};
use crate::file::workbook::same_name;

/// The sheet that a rule is for, and the workbook around it.
#[derive(Clone, Copy)]
pub(crate) struct RuleFormulas<'a> {
    pub(crate) view: &'a View,
    pub(crate) home: usize,
}

impl RuleFormulas<'_> {
    /// A formula, in the words of the file.
    pub(crate) fn formula(&self, text: &str) -> Result<String, Refusal> {
        let body = entry::check_formula(text, "the rule")?;
        if let Ok(parsed) = formula::parse(body) {
            barred(&parsed.expr).map_or(Ok(()), Err)?;
        }
        mentions::check(self.view, body, self.home)?;
        Ok(escape_text(&formula_for_file(body, Singles::Told, &|_| true)).into_owned())
    }

    /// What a cell is compared with: a formula, or a number, day, time or text as it is typed.
    pub(crate) fn compared(&self, text: &str) -> Result<String, Refusal> {
        if text.starts_with('=') {
            return self.formula(text);
        }
        if let Some(number) = self.number(text) {
            return Ok(number);
        }
        match formula::parse(text).map(|parsed| parsed.expr) {
            Ok(Expr::Name(name)) if name.sheet.is_none() && !self.knows(&name.name) => Ok(quoted(text)),
            // Words beside each other are no intersection of names.
            Ok(expr) if !is_words(&expr, self) => self.formula(text),
            _ if text.contains(['(', '"']) => self.formula(text),
            _ => Ok(quoted(text)),
        }
    }

    /// A bound of numbers, days, times or lengths.
    pub(crate) fn bound(&self, text: &str) -> Result<String, Refusal> {
        match self.number(text) {
            Some(number) if !text.starts_with('=') => Ok(number),
            _ => self.formula(text),
        }
    }

    /// What may be chosen from: cells, or the choices themselves.
    pub(crate) fn choices(&self, text: &str) -> Result<String, Refusal> {
        let body = text.strip_prefix('=').unwrap_or(text);
        let parsed = formula::parse(body).map(|parsed| parsed.expr);
        let is_formula = text.starts_with('=')
            || match &parsed {
                Ok(Expr::Name(name)) => name.sheet.is_some() || self.knows(&name.name),
                Ok(Expr::Text(_) | Expr::Reference(_) | Expr::Call { .. } | Expr::Spill(..)) => true,
                _ => false,
            };
        let choices = match &parsed {
            Ok(Expr::Text(text)) => Some(text.to_string()),
            _ if is_formula => None,
            _ => {
                let each: Vec<&str> =
                    text.split(',').map(str::trim).filter(|choice| !choice.is_empty()).collect();
                Some(each.join(","))
            }
        };
        if let Some(choices) = choices {
            return match choices.encode_utf16().count() {
                0 => Err(Refusal::invalid(
                    "formula1",
                    format!("`{text}`"),
                    "cells, or the choices as `Yes,No`",
                )),
                // Excel repairs a file whose list of choices is longer.
                1..=255 => Ok(quoted(&choices)),
                found => Err(entry::rule(
                    "TEXT_TOO_LONG",
                    format!("the choices of the list have {found} characters"),
                    "Excel takes 255 at most; put longer ones into cells and name those",
                )),
            };
        }
        if let Ok(Expr::Reference(reference)) = &parsed
            && let Target::Area(first, last) = &reference.target
            && first.row.at != last.row.at
            && first.col.at != last.col.at
        {
            return Err(entry::rule(
                "LIST_IS_A_BLOCK",
                format!("`{body}` has several rows and several columns"),
                "the choices of a list stand in one row or one column",
            ));
        }
        self.formula(text)
    }

    fn number(&self, text: &str) -> Option<String> {
        let region = Region { dates: self.view.workbook.dates, ..Region::default() };
        match typed::read(text.trim(), region, None) {
            Input::Number(number) | Input::Formatted { number, .. } => Some(number.to_string()),
            _ => None,
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.view
            .workbook
            .names
            .iter()
            .any(|known| known.scope.is_none_or(|scope| scope == self.home) && same_name(&known.name, name))
    }
}

/// A quoted text of a formula, for the file.
fn quoted(text: &str) -> String {
    escape_text(&format!("\"{}\"", text.replace('"', "\"\""))).into_owned()
}

/// `In progress` parses as the intersection of two names.
fn is_words(expr: &Expr, formulas: &RuleFormulas<'_>) -> bool {
    let unknown = |expr: &Expr| match expr {
        Expr::Name(name) => name.sheet.is_none() && !formulas.knows(&name.name),
        _ => false,
    };
    match expr {
        Expr::Chain { first, rest } => {
            unknown(first)
                || rest.iter().any(|(operator, one)| *operator == Operator::Intersect && unknown(one))
        }
        _ => false,
    }
}

/// What Excel does not take in the formula of a rule.
fn barred(expr: &Expr) -> Option<Refusal> {
    let mut refusal = None;
    expr.walk(&mut |expr| {
        let found = match expr {
            Expr::Array(_) => Some(("a list in braces", "put the values into cells and name those")),
            Expr::Structured(_) => Some((
                "a table by its name",
                "write the cells of the column, such as =$C$2:$C$9, or INDIRECT(\"Table[Column]\")",
            )),
            Expr::Chain { rest, .. } if rest.iter().any(|(operator, _)| *operator == Operator::Union) => {
                Some(("several areas joined by a comma", "use one area; a decimal is written 1.2"))
            }
            Expr::Chain { rest, .. } if rest.iter().any(|(operator, _)| *operator == Operator::Intersect) => {
                Some(("the cells that two areas share", "name the cells themselves"))
            }
            Expr::Reference(reference)
                if reference.sheet.as_ref().is_some_and(|sheet| sheet.book.is_some()) =>
            {
                Some(("another workbook", "copy its values into this one"))
            }
            Expr::Name(name) if name.sheet.as_ref().is_some_and(|sheet| sheet.book.is_some()) => {
                Some(("another workbook", "copy its values into this one"))
            }
            _ => None,
        };
        if let (Some((what, instead)), None) = (found, &refusal) {
            refusal = Some(entry::rule(
                "RULE_FORMULA",
                format!("the formula of a rule cannot use {what}"),
                instead,
            ));
        }
    });
    refusal
}

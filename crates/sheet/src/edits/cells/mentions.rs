//! What a formula that somebody writes refers to: sheets and tables that are not there are refused, as Excel
//! does; names and functions that it does not know become #NAME?, which is said.

use std::collections::BTreeSet;

use edit::{Level, Note, Refusal};
use formula::{Expr, Operator, SheetSpec, TableColumns};

use crate::calc::view::View;
use crate::file::workbook::same_name;
use crate::read::book::Book;
use crate::read::nearest::nearest;

/// Checks a formula that was parsed before; notes say what will not be found when it is calculated.
pub(crate) fn check(view: &View, text: &str, home: usize) -> Result<Vec<Note>, Refusal> {
    let Ok(parsed) = formula::parse(text) else { return Ok(Vec::new()) };
    let mut refusal = None;
    let mut names: Vec<String> = Vec::new();
    let mut functions: Vec<String> = Vec::new();
    // Names that LET and LAMBDA bring in look like any other.
    let mut brings_names = false;
    let mut tables = None;
    parsed.expr.walk(&mut |expr| {
        let spec = match expr {
            Expr::Reference(reference) => reference.sheet.as_ref(),
            Expr::Name(name) => {
                if name.sheet.is_none() {
                    names.push(name.name.to_string());
                }
                name.sheet.as_ref()
            }
            Expr::Structured(structured) => {
                if structured.sheet.is_none() {
                    let tables = tables.get_or_insert_with(|| view.tables());
                    if let Ok(tables) = tables {
                        refusal = refusal.take().or_else(|| missing_column(structured, tables));
                    }
                }
                None
            }
            Expr::Call { name, .. } => {
                let plain = formula::plain_name(name).to_ascii_uppercase();
                brings_names |= matches!(plain.as_str(), "LET" | "LAMBDA");
                functions.push(plain);
                None
            }
            _ => None,
        };
        if let Some(missing) = spec.and_then(|spec| missing_sheet(view, spec)) {
            refusal.get_or_insert(missing);
        }
    });
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    if let Some(name) =
        names.iter().find(|name| name.contains(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']))
    {
        return Err(crate::edits::entry::rule(
            "FORMULA_SYNTAX",
            format!(
                "`={text}` has the curved quotation marks of `{name}`, which stand for no text in a formula"
            ),
            "write straight quotation marks, such as \"text\"",
        ));
    }
    if let Some(refusal) = no_operand(view, home, text, &parsed.expr) {
        return Err(refusal);
    }
    let defined = |name: &str| {
        let names = view.workbook.names.iter();
        names
            .filter(|known| known.scope.is_none_or(|scope| scope == home))
            .any(|known| same_name(&known.name, name))
    };
    let mut notes: Vec<Note> = Vec::new();
    for name in bare_functions(&parsed.expr).into_iter().filter(|name| !brings_names && !defined(name)) {
        let text = format!(
            "`{name}` without brackets is a name that is not known; the function is {}()",
            name.to_uppercase()
        );
        notes.push(Note { level: Level::Warning, text });
    }
    let mut warn = |what: &str, name: &str, close: Vec<String>| {
        let close = close.first().map_or(String::new(), |close| format!("; nearest: {close}"));
        let text = format!("the {what} `{name}` is not known, so the formula shows #NAME?{close}");
        notes.push(Note { level: Level::Warning, text });
    };
    for name in names.iter().filter(|name| !brings_names && !defined(name)) {
        let function = formula::functions().iter().any(|known| known.name.eq_ignore_ascii_case(name));
        if view.table_named(name)?.is_none() && !function {
            let known = view.workbook.names.iter().filter(|known| !known.is_built_in());
            warn("name", name, nearest(name, known.map(|known| known.name.as_str())));
        }
    }
    for name in &functions {
        let known = || formula::functions().iter().map(|function| function.name);
        let macro_name = view.workbook.has_macros || name.contains('!');
        if !macro_name
            && !brings_names
            && !defined(name)
            && !known().any(|known| known.eq_ignore_ascii_case(name))
        {
            warn("function", name, nearest(name, known()));
        }
    }
    Ok(notes)
}

/// Whether a formula calls a function that there is not, so that Excel shows #NAME? in its cell. A workbook with macros
/// may have functions of its own, and so may an add-in.
pub(crate) fn calls_nothing_known(book: &Book, body: &str, home: usize) -> bool {
    let Ok(parsed) = formula::parse(body) else { return false };
    let (mut unknown, mut brings_names) = (false, false);
    parsed.expr.walk(&mut |expr| {
        let Expr::Call { name, .. } = expr else { return };
        let plain = formula::plain_name(name);
        brings_names |= ["LET", "LAMBDA"].iter().any(|known| plain.eq_ignore_ascii_case(known));
        let known = formula::functions().iter().any(|function| function.name.eq_ignore_ascii_case(plain));
        let mut names =
            book.workbook.names.iter().filter(|name| name.scope.is_none_or(|scope| scope == home));
        let special = ["SINGLE", "ANCHORARRAY"].iter().any(|known| plain.eq_ignore_ascii_case(known));
        unknown |=
            !known && !special && !plain.contains('!') && !names.any(|known| same_name(&known.name, plain));
    });
    unknown && !brings_names && !book.workbook.has_macros
}

impl Book {
    /// Whether a formula calls a function that neither Excel nor this workbook has.
    pub fn calls_nothing_known(&self, formula: &str, home: usize) -> bool {
        calls_nothing_known(self, formula.strip_prefix('=').unwrap_or(formula), home)
    }
}

/// Functions that stand without brackets beside operators: `PI*2`.
fn bare_functions(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    expr.walk(&mut |expr| {
        let Expr::Chain { first, rest } = expr else { return };
        for operand in std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)) {
            if let Expr::Name(name) = operand
                && name.sheet.is_none()
                && formula::functions().iter().any(|known| known.name.eq_ignore_ascii_case(&name.name))
            {
                found.push(name.name.to_string());
            }
        }
    });
    found
}

/// Names that mean nothing where only a range can stand: `A1 AND B1`, `NOT A1`, `A1:B`.
fn no_operand(view: &View, home: usize, text: &str, expr: &Expr) -> Option<Refusal> {
    let means = |name: &str| {
        let mut names = view.workbook.names.iter();
        names.any(|known| known.scope.is_none_or(|scope| scope == home) && same_name(&known.name, name))
            || view.table_named(name).is_ok_and(|table| table.is_some())
    };
    let variables = variables(expr);
    let mut refusal = None;
    expr.walk(&mut |expr| {
        let Expr::Chain { first, rest } = expr else { return };
        let operands = std::iter::once((rest.first().map(|(operator, _)| operator), &**first))
            .chain(rest.iter().map(|(operator, operand)| (Some(operator), operand)));
        for (operator, operand) in operands {
            let Expr::Name(name) = operand else { continue };
            let function =
                formula::functions().iter().any(|known| known.name.eq_ignore_ascii_case(&name.name));
            let wrong = match operator {
                Some(Operator::Range) => true,
                Some(Operator::Intersect | Operator::Union) => function || name.name.starts_with('?'),
                _ => false,
            };
            if name.sheet.is_none() && wrong && !means(&name.name) && !variables.contains(&plain(&name.name))
            {
                let how = match function {
                    true => format!("; {} is a function: {}(...)", name.name, name.name.to_uppercase()),
                    false => String::new(),
                };
                refusal.get_or_insert(crate::edits::entry::rule(
                    "FORMULA_SYNTAX",
                    format!("`={text}` has `{}` where only a range can stand{how}", name.name),
                    "conditions are joined by AND(a, b), OR(a, b) and NOT(a), ranges are written A1:B9",
                ));
            }
        }
    });
    refusal
}

/// The names that LET and LAMBDA give, which may stand for ranges: `LET(start, A1, SUM(start:A9))`.
fn variables(expr: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |expr| {
        let Expr::Call { name, args, .. } = expr else { return };
        let called = formula::plain_name(name);
        let each = match called {
            _ if called.eq_ignore_ascii_case("LET") => 2,
            _ if called.eq_ignore_ascii_case("LAMBDA") => 1,
            _ => return,
        };
        let Some((_, given)) = args.split_last() else { return };
        for arg in given.iter().step_by(each) {
            if let Expr::Name(name) = arg {
                found.insert(plain(&name.name));
            }
        }
    });
    found
}

/// A variable as people write it.
fn plain(name: &str) -> String {
    let bare = name.strip_prefix("_xlpm.").or_else(|| name.strip_prefix("_xlop.")).unwrap_or(name);
    bare.to_lowercase()
}

/// Whether a text is a formula that refers to something, and all of it is there.
pub(crate) fn knows_all(view: &View, home: usize, body: &str) -> bool {
    let Ok(parsed) = formula::parse(body) else { return false };
    let (mut refers, mut known) = (false, true);
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Reference(reference) => {
            refers = true;
            known &= reference.target != formula::Target::Lost
                && reference
                    .sheet
                    .as_ref()
                    .is_none_or(|spec| spec.book.is_none() && missing_sheet(view, spec).is_none());
        }
        Expr::Call { name, .. } => {
            refers = true;
            known &= formula::functions().iter().any(|function| function.name.eq_ignore_ascii_case(name));
        }
        Expr::Name(name) => {
            refers = true;
            let mut names = view.workbook.names.iter();
            known &= name.sheet.is_none()
                && names.any(|own| {
                    own.scope.is_none_or(|scope| scope == home) && same_name(&own.name, &name.name)
                });
        }
        Expr::Structured(used) => {
            refers = true;
            known &= view
                .tables()
                .is_ok_and(|tables| used.table.is_some() && missing_column(used, &tables).is_none());
        }
        Expr::Chain { rest, .. } => {
            known &= !rest.iter().any(|(operator, _)| *operator == formula::Operator::Intersect);
        }
        _ => {}
    });
    refers && known
}

fn missing_sheet(view: &View, spec: &SheetSpec) -> Option<Refusal> {
    if spec.book.is_some() || spec.first.is_empty() {
        return None;
    }
    let named = std::iter::once(&spec.first).chain(&spec.last);
    let missing = named.into_iter().find(|name| view.workbook.position(name).is_none())?;
    // `Book!Name` reads like a sheet too.
    Some(view.no_sheet(missing))
}

fn missing_column(
    used: &formula::Structured,
    tables: &[(usize, crate::read::tables::Table)],
) -> Option<Refusal> {
    let name = used.table.as_deref()?;
    let Some((_, table)) = tables.iter().find(|(_, table)| same_name(&table.name, name)) else {
        return Some(Refusal::NotFound {
            what: "table",
            id: name.to_owned(),
            nearest: nearest(name, tables.iter().map(|(_, table)| table.name.as_str())),
        });
    };
    let wanted: Vec<&str> = match &used.columns {
        TableColumns::All => Vec::new(),
        TableColumns::One(one) => vec![one],
        TableColumns::Range(first, last) => vec![first, last],
    };
    let columns = || table.columns.iter().map(String::as_str);
    let missing = wanted.into_iter().find(|wanted| !columns().any(|known| same_name(known, wanted)))?;
    Some(Refusal::NotFound { what: "column", id: missing.to_owned(), nearest: nearest(missing, columns()) })
}

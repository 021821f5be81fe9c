//! What a formula that somebody writes refers to: sheets and tables that are not there are refused, as Excel
//! does; names and functions that it does not know become #NAME?, which is said.

use edit::{Level, Note, Refusal};
use formula::{Expr, SheetSpec, TableColumns};

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
    let defined = |name: &str| {
        let names = view.workbook.names.iter();
        names
            .filter(|known| known.scope.is_none_or(|scope| scope == home))
            .any(|known| same_name(&known.name, name))
    };
    let mut notes = Vec::new();
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
        let macro_name = view.workbook.has_macros || name.contains('.') || name.contains('!');
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
        unknown |= !known
            && !special
            && !plain.contains(['.', '!'])
            && !names.any(|known| same_name(&known.name, plain));
    });
    unknown && !brings_names && !book.workbook.has_macros
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

//! A formula as Excel rewrites it when it is entered.
//!
//! What was typed loosely (`=sum( data!a1 : a3`, `=[@Qty]*2`, `=SUM(Jan:Mar!A1)`) is kept as Excel keeps it: functions
//! and columns in capitals, sheets and names as they are called, rows of a table with the table's name, since a file
//! that says only `[@Qty]` is repaired when Excel opens it. A formula that is already so comes back as it is.

use edit::{Cut, Level, Note, Refusal};
use formula::{Expr, Formula, Operator, Reference, Span, Structured, TableColumns, Target};

use crate::calc::view::View;
use crate::edits::entry::rule;
use crate::file::a1::CellRef;
use crate::file::refs::splice_text;
use crate::file::workbook::same_name;
use crate::read::tables::Table;

/// A formula without its `=`, and what to say of it.
pub(crate) struct Entered {
    pub(crate) body: String,
    pub(crate) notes: Vec<Note>,
}

/// What is kept of a formula typed into a cell of the sheet at `home`. What cannot be read comes back as it was, and is
/// refused by who checks formulas.
pub(crate) fn entered(view: &View, home: usize, at: CellRef, text: &str) -> Result<Entered, Refusal> {
    let typed = text.strip_prefix('=').unwrap_or(text).trim();
    let mut notes = Vec::new();
    let Some(formula) = readable(view, typed, &mut notes) else {
        return Ok(Entered { body: text.strip_prefix('=').unwrap_or(text).to_owned(), notes });
    };
    let mut tables = None;
    let mut writer = Rewriter { view, home, at, formula: &formula, changes: Vec::new(), tables: &mut tables };
    writer.formula()?;
    let mut changes = writer.changes;
    // Of two that overlap the wider one says all.
    let spans: Vec<Span> = changes.iter().map(|(span, _)| span.clone()).collect();
    let within =
        |inner: &Span, outer: &Span| inner != outer && outer.start <= inner.start && inner.end <= outer.end;
    changes.retain(|(span, _)| !spans.iter().any(|other| !span.is_empty() && within(span, other)));
    let body = match changes.is_empty() {
        true => formula.text.to_string(),
        false => splice_text(&formula.text, changes).unwrap_or_else(|| formula.text.to_string()),
    };
    // What was made of it has to be a formula still.
    let body = if formula::parse(&body).is_ok() { body } else { formula.text.to_string() };
    Ok(Entered { body, notes })
}

/// The formula, with letters of double width made plain and brackets closed that are still open at the end.
fn readable(view: &View, typed: &str, notes: &mut Vec<Note>) -> Option<Formula> {
    let wide_name = || view.workbook.names.iter().any(|name| name.name.contains(is_wide));
    let plain = if typed.contains(is_wide) && !wide_name() { narrowed(typed) } else { typed.to_owned() };
    let plain = without_gaps(view, &plain);
    if let Ok(formula) = formula::parse(&plain) {
        return Some(formula);
    }
    let open = open_brackets(&plain)?;
    let closed = format!("{plain}{}", ")".repeat(open));
    let formula = formula::parse(&closed).ok()?;
    let text = format!("a closing bracket was missing; the formula is taken as `={closed}`");
    notes.push(Note { level: Level::Warning, text });
    Some(formula)
}

/// `SUM (A1)` as `SUM(A1)`: Excel takes the blank between a function and its bracket away.
fn without_gaps(view: &View, text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\\');
    let is_function = |name: &str| {
        let known = formula::functions().iter().map(|known| known.name).chain(["LET", "LAMBDA"]);
        known.into_iter().any(|known| known.eq_ignore_ascii_case(name))
            && !view.workbook.names.iter().any(|known| same_name(&known.name, name))
    };
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(mark), c) if mark == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => {
                let before = out.trim_end_matches(' ');
                let name = before.rsplit(|c: char| !word(c)).next().unwrap_or_default();
                if before.len() < out.len() && !name.is_empty() && is_function(name) {
                    out.truncate(before.len());
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Forms of ASCII as wide as a Chinese character, which keyboards of East Asia type.
fn is_wide(c: char) -> bool {
    ('\u{ff01}'..='\u{ff5e}').contains(&c) || c == '\u{3000}'
}

/// Wide letters and signs made plain, outside of texts and names of sheets.
fn narrowed(text: &str) -> String {
    let mut quote = None;
    let narrow = |c: char| match c {
        '\u{3000}' => ' ',
        wide if is_wide(wide) => char::from_u32(u32::from(wide) - 0xfee0).unwrap_or(wide),
        other => other,
    };
    let read = |c: char| {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => return c,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
        narrow(c)
    };
    text.chars().map(read).collect()
}

/// How many round brackets are open at the end, if no other is and no text.
fn open_brackets(text: &str) -> Option<usize> {
    let (mut open, mut quote) = (0_usize, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(mark), c) if mark == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => open += 1,
            (None, ')') => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    (quote.is_none() && open > 0).then_some(open)
}

/// Names that LET and LAMBDA bring in, which look like functions and names of the workbook, and where LAMBDA names what
/// may be left out, which looks like a column.
fn variables(expr: &Expr) -> (Vec<String>, Vec<Span>) {
    let (mut names, mut optional) = (Vec::new(), Vec::new());
    expr.walk(&mut |expr| {
        let Expr::Call { name, args, .. } = expr else { return };
        let plain = formula::plain_name(name).to_ascii_uppercase();
        let named = args.iter().enumerate().filter(|(index, _)| match plain.as_str() {
            "LET" => index % 2 == 0 && index + 1 < args.len(),
            "LAMBDA" => index + 1 < args.len(),
            _ => false,
        });
        for (_, arg) in named {
            match arg {
                Expr::Name(name) => names.push(name.name.to_lowercase()),
                Expr::Structured(Structured {
                    table: None, columns: TableColumns::One(name), span, ..
                }) => {
                    names.push(name.to_lowercase());
                    optional.push(span.clone());
                }
                _ => {}
            }
        }
    });
    (names, optional)
}

struct Rewriter<'a> {
    view: &'a View,
    home: usize,
    at: CellRef,
    formula: &'a Formula,
    changes: Vec<(Span, String)>,
    /// All tables of the workbook, once one was asked for.
    tables: &'a mut Option<Vec<(usize, Table)>>,
}

impl Rewriter<'_> {
    fn formula(&mut self) -> Result<(), Refusal> {
        let formula = self.formula;
        let (variables, optional) = variables(&formula.expr);
        let own = |name: &str| variables.contains(&name.to_lowercase());
        let mut nodes: Vec<&Expr> = Vec::new();
        formula.expr.walk(&mut |expr| nodes.push(expr));
        for node in nodes {
            match node {
                Expr::Reference(reference) => self.reference(reference)?,
                Expr::Structured(one) if !optional.contains(&one.span) => self.structured(one)?,
                Expr::Call { name, span, .. } if !own(name) => self.call(name, span),
                Expr::Name(name) if name.sheet.is_none() && !own(&name.name) => {
                    let known =
                        self.view.workbook.names.iter().find(|known| same_name(&known.name, &name.name));
                    if let Some(known) = known.filter(|known| *known.name != *name.name) {
                        self.changes.push((name.span.clone(), known.name.clone()));
                    }
                }
                Expr::Chain { first, rest } => {
                    let mut left: &Expr = first;
                    for (operator, right) in rest {
                        if *operator == Operator::Range {
                            self.range(left, right)?;
                        }
                        left = right;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Functions are in capitals; one that was typed with half of the prefix of files loses it.
    fn call(&mut self, name: &str, span: &Span) {
        let lower = name.to_ascii_lowercase();
        let bare = if lower.starts_with("_xlws.") { name.get(6..).unwrap_or(name) } else { name };
        let mut known = formula::functions().iter().map(|known| known.name).chain(["LET", "LAMBDA"]);
        if let Some(known) =
            known.find(|known| known.eq_ignore_ascii_case(bare)).filter(|known| *known != name)
        {
            self.changes.push((span.clone(), known.to_owned()));
        }
    }

    fn reference(&mut self, reference: &Reference) -> Result<(), Refusal> {
        let target = reference.sheet_span.end..reference.span.end;
        let written = self.formula.text.cut(target.clone())?;
        if reference.target != Target::Lost && written.bytes().any(|byte| byte.is_ascii_lowercase()) {
            self.changes.push((target, written.to_ascii_uppercase()));
        }
        let Some(sheet) = &reference.sheet else { return Ok(()) };
        if let Some(book) = &sheet.book {
            return self.other_book(book, &reference.sheet_span);
        }
        let tab = |name: &str| {
            let position = self.view.workbook.position(name)?;
            self.view.workbook.sheets.get(position).map(|tab| tab.name.as_str())
        };
        let (Some(first), None) = (tab(&sheet.first), &sheet.last) else { return Ok(()) };
        let written = self.formula.text.cut(reference.sheet_span.clone())?;
        // A name that could be a number or a cell stands in quotes; others may.
        let unquoted = !written.starts_with('\'') && formula::needs_quotes(first);
        if first != &*sheet.first || unquoted {
            self.changes.push((reference.sheet_span.clone(), format!("{}!", formula::quote_sheet(first))));
        }
        Ok(())
    }

    /// Another workbook is written as the number of a link, which only Excel can make.
    fn other_book(&mut self, book: &str, sheet_span: &Span) -> Result<(), Refusal> {
        let links = &self.view.workbook.external_links;
        if book.parse::<u32>().is_ok_and(|index| links.iter().any(|link| link.index as u32 == index)) {
            return Ok(());
        }
        let file = book.rsplit(['/', '\\', '[']).next().unwrap_or(book);
        let linked = links.iter().find(|link| {
            let target = link.target.as_deref().unwrap_or_default().replace("%20", " ");
            target.rsplit(['/', '\\']).next().is_some_and(|name| name.eq_ignore_ascii_case(file))
        });
        let Some(link) = linked else {
            return Err(rule(
                "EXTERNAL_WORKBOOK",
                format!("the formula refers to the workbook `{file}`, to which this one has no link"),
                "bring its values into this workbook, or make the link in Excel once",
            ));
        };
        let written = self.formula.text.cut(sheet_span.clone())?;
        let sheet =
            written.rsplit(']').next().unwrap_or_default().trim_end_matches('!').trim_end_matches('\'');
        let quoted = written.starts_with('\'');
        let marks = if quoted { "'" } else { "" };
        self.changes.push((sheet_span.clone(), format!("{marks}[{}]{sheet}{marks}!", link.index)));
        Ok(())
    }

    /// `Jan:Mar!A1` between sheets that could be cells too (`Q1:Q3!A1`), and corners with blanks between them.
    fn range(&mut self, left: &Expr, right: &Expr) -> Result<(), Refusal> {
        let (Expr::Reference(left), Expr::Reference(right)) = (left, right) else { return Ok(()) };
        if !matches!((left.target, right.target), (Target::Cell(_), Target::Cell(_) | Target::Area(..))) {
            return Ok(());
        }
        let Some(between) = self.formula.text.get(left.span.end..right.span.start) else { return Ok(()) };
        if between.trim() != ":" {
            return Ok(());
        }
        match (&left.sheet, &right.sheet) {
            (None, Some(last)) if last.book.is_none() && last.last.is_none() => {
                let name = self.formula.text.cut(left.span.clone())?;
                let sheets = &self.view.workbook;
                let (Some(from), Some(to)) = (sheets.position(name), sheets.position(&last.first)) else {
                    return Ok(());
                };
                let tab = |at: usize| sheets.sheets.get(at).map_or("", |tab| &*tab.name);
                let quoted = format!("{}:{}", tab(from), tab(to)).replace('\'', "''");
                self.changes.push((left.span.start..right.sheet_span.end, format!("'{quoted}'!")));
            }
            (_, None) if between != ":" && matches!(right.target, Target::Cell(_)) => {
                self.changes.push((left.span.end..right.span.start, ":".to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Tables and columns as they are called, with `[#This Row]` for `@`, and the name of the table always.
    fn structured(&mut self, used: &Structured) -> Result<(), Refusal> {
        if used.sheet.is_some() {
            return Ok(());
        }
        let written = self.formula.text.cut(used.span.clone())?.to_owned();
        let tables = match self.tables {
            Some(known) => known,
            None => self.tables.insert(self.view.tables()?),
        };
        let own = |(sheet, table): &&(usize, Table)| *sheet == self.home && table.area.contains(self.at);
        let table = match &used.table {
            Some(name) => tables.iter().find(|(_, table)| same_name(&table.name, name)),
            None => tables.iter().find(own),
        };
        let Some((_, table)) = table else {
            return match used.table {
                // A table that is not there is refused by who checks what formulas mention.
                Some(_) => Ok(()),
                None => Err(rule(
                    "NOT_IN_A_TABLE",
                    format!(
                        "`{written}` stands for a column of the table around the cell, and {} is in none",
                        self.at
                    ),
                    "write the table's name before the brackets, such as Sales[Qty], or a reference to cells",
                )),
            };
        };
        let column = |name: &std::sync::Arc<str>| {
            let known = table.columns.iter().find(|known| same_name(known, name));
            known.map_or_else(|| name.clone(), |known| std::sync::Arc::from(known.as_str()))
        };
        let mut kept = used.clone();
        kept.table = Some(std::sync::Arc::from(table.name.as_str()));
        kept.columns = match &used.columns {
            TableColumns::All => TableColumns::All,
            TableColumns::One(one) => TableColumns::One(column(one)),
            TableColumns::Range(first, last) => TableColumns::Range(column(first), column(last)),
        };
        if kept != *used || (used.rows.this_row && !written.to_ascii_lowercase().contains("#this row")) {
            self.changes.push((used.span.clone(), formula::print_structured(&kept)));
        }
        Ok(())
    }
}

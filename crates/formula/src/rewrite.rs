//! References adjusted to changes of the workbook. Only the bytes of a reference that changes are replaced.

use std::sync::Arc;

use crate::address::{MAX_COLS, MAX_ROWS};
use crate::ast::{
    CellCoord, Coord, Expr, Formula, Reference, SheetSpec, Span, Structured, TableColumns, Target,
};
use crate::eval::wrap;
use crate::parse::{Notation, parse};
use crate::print::{print_structured, sheet_prefix, target};
use crate::value::ErrorKind;

/// A change of the workbook that references must follow. Rows and columns count from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    InsertRows {
        sheet: String,
        at: u32,
        count: u32,
    },
    DeleteRows {
        sheet: String,
        at: u32,
        count: u32,
    },
    InsertColumns {
        sheet: String,
        at: u32,
        count: u32,
    },
    DeleteColumns {
        sheet: String,
        at: u32,
        count: u32,
    },
    RenameSheet {
        from: String,
        to: String,
    },
    /// `order` is the sheets as they stood before, for references over several.
    DeleteSheet {
        name: String,
        order: Vec<String>,
    },
    /// Cells cut and pasted: top, left, bottom, right, and where the first lands.
    MoveRange {
        sheet: String,
        from: (u32, u32, u32, u32),
        to_sheet: String,
        to: (u32, u32),
    },
    RenameTable {
        from: String,
        to: String,
    },
    RenameColumn {
        table: String,
        from: String,
        to: String,
    },
    RenameName {
        from: String,
        to: String,
    },
    /// Columns of a table are gone; `order` is all of them as they stood before.
    DeleteTableColumns {
        table: String,
        gone: Vec<String>,
        order: Vec<String>,
    },
    /// Tables are gone, as they go with their sheet.
    DeleteTables {
        tables: Vec<String>,
    },
}

/// The formula after a change, or `None` when nothing in it changes. `home` is the sheet the formula is on;
/// `table` the table its cell is in, for references without a table name.
#[must_use]
pub fn rewrite(formula: &Formula, home: &str, table: Option<&str>, change: &Change) -> Option<String> {
    let mut edits: Vec<(Span, String)> = Vec::new();
    formula.expr.walk(&mut |expr| match expr {
        Expr::Reference(reference) => edits.extend(adjust(reference, home, change)),
        Expr::Name(name) => match change {
            Change::RenameName { from, to } if same(&name.name, from) => {
                edits.push((name.sheet_span.end..name.span.end, to.clone()));
            }
            // A table's name alone is its data.
            Change::DeleteTables { tables }
                if name.sheet.is_none() && tables.iter().any(|table| same(&name.name, table)) =>
            {
                edits.push((name.span.clone(), ErrorKind::Ref.text().to_owned()));
            }
            _ => {
                if let Some(sheet) = &name.sheet
                    && let Some(text) = renamed(sheet, change)
                {
                    edits.push((name.sheet_span.clone(), text));
                }
            }
        },
        Expr::Structured(structured) => edits.extend(adjust_structured(structured, table, change)),
        _ => {}
    });
    splice(&formula.text, edits)
}

/// The formula as if written in a cell so many rows and columns away, as a shared formula is: references
/// that leave the sheet come back at its other side.
#[must_use]
pub fn shift(text: &str, rows: i64, cols: i64) -> String {
    let Ok(formula) = parse(text) else { return text.to_owned() };
    moved(&formula, |target| {
        let row = |coord: Coord| {
            if coord.absolute { coord } else { Coord { at: wrap(coord.at, rows, MAX_ROWS), ..coord } }
        };
        let col = |coord: Coord| {
            if coord.absolute { coord } else { Coord { at: wrap(coord.at, cols, MAX_COLS), ..coord } }
        };
        map_target(target, |coord| Some(row(coord)), |coord| Some(col(coord)))
    })
}

/// The formula as copied to a cell so many rows and columns away: references that leave the sheet are lost.
#[must_use]
pub fn copied(formula: &Formula, rows: i64, cols: i64) -> String {
    let step = |coord: Coord, by: i64, limit: u32| {
        if coord.absolute {
            return Some(coord);
        }
        let at = i64::from(coord.at) + by;
        (0..i64::from(limit)).contains(&at).then_some(Coord { at: at as u32, ..coord })
    };
    moved(formula, |target| {
        map_target(target, |coord| step(coord, rows, MAX_ROWS), |coord| step(coord, cols, MAX_COLS))
    })
}

/// The formula in the other notation, its spacing kept. `row` and `col` are the cell's.
#[must_use]
pub fn renotate(formula: &Formula, notation: Notation) -> String {
    let mut edits = Vec::new();
    formula.expr.walk(&mut |expr| {
        if let Expr::Reference(reference) = expr
            && reference.target != Target::Lost
        {
            edits.push((reference.sheet_span.end..reference.span.end, target(&reference.target, notation)));
        }
    });
    splice(&formula.text, edits).unwrap_or_else(|| formula.text.to_string())
}

fn moved(formula: &Formula, change: impl Fn(&Target) -> Target) -> String {
    let mut edits = Vec::new();
    formula.expr.walk(&mut |expr| {
        if let Expr::Reference(reference) = expr {
            let new = change(&reference.target);
            if new != reference.target {
                edits.push((reference.sheet_span.end..reference.span.end, target(&new, Notation::A1)));
            }
        }
    });
    splice(&formula.text, edits).unwrap_or_else(|| formula.text.to_string())
}

fn splice(text: &str, mut edits: Vec<(Span, String)>) -> Option<String> {
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for (span, with) in edits {
        out.push_str(&text[from..span.start]);
        out.push_str(&with);
        from = span.end;
    }
    out.push_str(&text[from..]);
    Some(out)
}

fn same(a: &str, b: &str) -> bool {
    crate::key::same_text(a, b)
}

fn map_target(
    target: &Target,
    row: impl Fn(Coord) -> Option<Coord>,
    col: impl Fn(Coord) -> Option<Coord>,
) -> Target {
    let cell = |cell: CellCoord| Some(CellCoord { row: row(cell.row)?, col: col(cell.col)? });
    let mapped = match *target {
        Target::Cell(at) => cell(at).map(Target::Cell),
        Target::Area(first, last) => {
            cell(first).zip(cell(last)).map(|(first, last)| Target::Area(first, last))
        }
        Target::Rows(first, last) => row(first).zip(row(last)).map(|(first, last)| Target::Rows(first, last)),
        Target::Cols(first, last) => col(first).zip(col(last)).map(|(first, last)| Target::Cols(first, last)),
        Target::Lost => Some(Target::Lost),
    };
    mapped.unwrap_or(Target::Lost)
}

fn adjust(reference: &Reference, home: &str, change: &Change) -> Option<(Span, String)> {
    let external = reference.sheet.as_ref().is_some_and(|sheet| sheet.book.is_some());
    if external {
        return None;
    }
    let on = |sheet: &str| match &reference.sheet {
        None => same(home, sheet),
        Some(spec) => spec.last.is_none() && same(&spec.first, sheet),
    };
    let rest = reference.sheet_span.end..reference.span.end;
    let edited = |new: Target| (new != reference.target).then(|| (rest.clone(), target(&new, Notation::A1)));
    match change {
        Change::InsertRows { sheet, at, count } if on(sheet) => {
            edited(inserted(&reference.target, *at, *count, Axis::Row))
        }
        Change::InsertColumns { sheet, at, count } if on(sheet) => {
            edited(inserted(&reference.target, *at, *count, Axis::Column))
        }
        Change::DeleteRows { sheet, at, count } if on(sheet) => {
            edited(deleted(&reference.target, *at, *count, Axis::Row))
        }
        Change::DeleteColumns { sheet, at, count } if on(sheet) => {
            edited(deleted(&reference.target, *at, *count, Axis::Column))
        }
        Change::RenameSheet { .. } => {
            let sheet = reference.sheet.as_ref()?;
            renamed(sheet, change).map(|text| (reference.sheet_span.clone(), text))
        }
        Change::DeleteSheet { name, order } => {
            let sheet = reference.sheet.as_ref()?;
            sheet_deleted(sheet, name, order).map(|text| (reference.sheet_span.clone(), text))
        }
        Change::MoveRange { sheet, from, to_sheet, to } if on(sheet) => {
            let (top, left, bottom, right) = *from;
            let inside = |cell: CellCoord| {
                (top..=bottom).contains(&cell.row.at) && (left..=right).contains(&cell.col.at)
            };
            let fits = match &reference.target {
                Target::Cell(cell) => inside(*cell),
                Target::Area(first, last) => inside(*first) && inside(*last),
                _ => false,
            };
            if !fits {
                return None;
            }
            let step = |coord: Coord, from: u32, to: u32, limit: u32| {
                let at = i64::from(coord.at) - i64::from(from) + i64::from(to);
                (0..i64::from(limit)).contains(&at).then_some(Coord { at: at as u32, ..coord })
            };
            let new = map_target(
                &reference.target,
                |coord| step(coord, top, to.0, MAX_ROWS),
                |coord| step(coord, left, to.1, MAX_COLS),
            );
            let prefix = if same(home, to_sheet) && reference.sheet.is_none() {
                String::new()
            } else {
                sheet_prefix(&SheetSpec { book: None, first: Arc::from(to_sheet.as_str()), last: None })
            };
            Some((reference.span.clone(), format!("{prefix}{}", target(&new, Notation::A1))))
        }
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Row,
    Column,
}

/// The two coordinates of a reference along an axis, or `None` when it spans the whole of it.
fn along(target: &Target, axis: Axis) -> Option<(Coord, Coord)> {
    match (target, axis) {
        (Target::Cell(cell), Axis::Row) => Some((cell.row, cell.row)),
        (Target::Cell(cell), Axis::Column) => Some((cell.col, cell.col)),
        (Target::Area(first, last), Axis::Row) => Some((first.row, last.row)),
        (Target::Area(first, last), Axis::Column) => Some((first.col, last.col)),
        (Target::Rows(first, last), Axis::Row) | (Target::Cols(first, last), Axis::Column) => {
            Some((*first, *last))
        }
        _ => None,
    }
}

fn with_along(target: &Target, axis: Axis, first: u32, last: u32) -> Target {
    let set = |mut cell: CellCoord, at: u32| {
        match axis {
            Axis::Row => cell.row.at = at,
            Axis::Column => cell.col.at = at,
        }
        cell
    };
    match target {
        Target::Cell(cell) => Target::Cell(set(*cell, first)),
        Target::Area(a, b) => Target::Area(set(*a, first), set(*b, last)),
        Target::Rows(a, b) => Target::Rows(Coord { at: first, ..*a }, Coord { at: last, ..*b }),
        Target::Cols(a, b) => Target::Cols(Coord { at: first, ..*a }, Coord { at: last, ..*b }),
        Target::Lost => Target::Lost,
    }
}

fn inserted(target: &Target, at: u32, count: u32, axis: Axis) -> Target {
    let Some((first, last)) = along(target, axis) else { return *target };
    let limit = if axis == Axis::Row { MAX_ROWS } else { MAX_COLS };
    let push = |coord: u32| if coord >= at { coord.saturating_add(count) } else { coord };
    let (low, high) = (push(first.at.min(last.at)), push(first.at.max(last.at)));
    // What is pushed off the sheet is lost; a range is cut at the edge.
    if low >= limit {
        return Target::Lost;
    }
    let high = high.min(limit - 1);
    if first.at <= last.at {
        with_along(target, axis, low, high)
    } else {
        with_along(target, axis, high, low)
    }
}

fn deleted(target: &Target, at: u32, count: u32, axis: Axis) -> Target {
    let Some((first, last)) = along(target, axis) else { return *target };
    let end = at.saturating_add(count);
    let (low, high) = (first.at.min(last.at), first.at.max(last.at));
    if low >= at && high < end {
        return Target::Lost;
    }
    let low = if low < at {
        low
    } else if low < end {
        at
    } else {
        low - count
    };
    let high = if high < at {
        high
    } else if high < end {
        at - 1
    } else {
        high - count
    };
    if first.at <= last.at {
        with_along(target, axis, low, high)
    } else {
        with_along(target, axis, high, low)
    }
}

fn renamed(sheet: &SheetSpec, change: &Change) -> Option<String> {
    let Change::RenameSheet { from, to } = change else { return None };
    if sheet.book.is_some() {
        return None;
    }
    let pick = |name: &Arc<str>| if same(name, from) { Arc::from(to.as_str()) } else { name.clone() };
    let new = SheetSpec { book: None, first: pick(&sheet.first), last: sheet.last.as_ref().map(pick) };
    (new != *sheet).then(|| sheet_prefix(&new))
}

fn sheet_deleted(sheet: &SheetSpec, name: &str, order: &[String]) -> Option<String> {
    if sheet.book.is_some() {
        return None;
    }
    let Some(last) = &sheet.last else {
        return same(&sheet.first, name).then(|| "#REF!".to_owned());
    };
    // The end of a span moves to its neighbour inside.
    let place = |wanted: &str| order.iter().position(|known| same(known, wanted));
    let (a, b) = (place(&sheet.first)?, place(last)?);
    let step = |at: usize, towards: usize| if at < towards { at + 1 } else { at.saturating_sub(1) };
    let (mut from, mut to) = (a, b);
    if same(&sheet.first, name) {
        from = step(a, b);
    }
    if same(last, name) {
        to = step(b, a);
    }
    if (from, to) == (a, b) {
        return None;
    }
    if same(order.get(from)?, name) {
        return Some("#REF!".to_owned());
    }
    let first = Arc::from(order.get(from)?.as_str());
    let last: Arc<str> = Arc::from(order.get(to)?.as_str());
    Some(sheet_prefix(&SheetSpec { book: None, last: (from != to).then_some(last), first }))
}

/// What is left of columns after some are gone; the inner `None` if nothing is, the outer one if nothing changes.
fn left_of(columns: &TableColumns, gone: &[String], order: &[String]) -> Option<Option<TableColumns>> {
    let is_gone = |name: &str| gone.iter().any(|known| same(known, name));
    let place = |name: &str| order.iter().position(|known| same(known, name));
    match columns {
        TableColumns::All => None,
        TableColumns::One(name) => is_gone(name).then_some(None),
        TableColumns::Range(first, last) => {
            if !is_gone(first) && !is_gone(last) {
                return None;
            }
            let (first, last) = (place(first)?, place(last)?);
            let between = order.get(first.min(last)..=first.max(last))?;
            let mut left = between.iter().filter(|name| !is_gone(name)).map(|name| Arc::from(name.as_str()));
            let Some(first) = left.next() else { return Some(None) };
            Some(Some(
                left.next_back()
                    .map_or(TableColumns::One(Arc::clone(&first)), |last| TableColumns::Range(first, last)),
            ))
        }
    }
}

fn adjust_structured(
    structured: &Structured,
    table: Option<&str>,
    change: &Change,
) -> Option<(Span, String)> {
    let mut new = structured.clone();
    match change {
        Change::RenameTable { from, to } => {
            let name = structured.table.as_ref()?;
            if !same(name, from) {
                return None;
            }
            // Only the name itself is replaced, so that the brackets stay as they were written.
            let start = structured.span.start;
            return Some((start..start + name.len(), to.clone()));
        }
        Change::RenameColumn { table: of, from, to } => {
            let owner = structured.table.as_deref().or(table)?;
            if !same(owner, of) {
                return None;
            }
            let pick = |name: &Arc<str>| if same(name, from) { Arc::from(to.as_str()) } else { name.clone() };
            new.columns = match &structured.columns {
                TableColumns::All => return None,
                TableColumns::One(name) => TableColumns::One(pick(name)),
                TableColumns::Range(first, last) => TableColumns::Range(pick(first), pick(last)),
            };
        }
        Change::DeleteTableColumns { table: of, gone, order } => {
            let owner = structured.table.as_deref().or(table)?;
            if !same(owner, of) {
                return None;
            }
            match left_of(&structured.columns, gone, order)? {
                Some(columns) => new.columns = columns,
                None => return Some((structured.span.clone(), ErrorKind::Ref.text().to_owned())),
            }
        }
        Change::DeleteTables { tables } => {
            let owner = structured.table.as_deref().or(table)?;
            let gone = tables.iter().any(|table| same(owner, table));
            return gone.then(|| (structured.span.clone(), ErrorKind::Ref.text().to_owned()));
        }
        _ => return None,
    }
    (new != *structured).then(|| (structured.span.clone(), print_structured(&new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, change: &Change) -> String {
        let formula = parse(text).expect(text);
        rewrite(&formula, "Sheet1", None, change).unwrap_or_else(|| formula.text.to_string())
    }

    #[test]
    fn columns_of_a_table_that_go() {
        let order = ["a", "b", "c"].map(str::to_owned).to_vec();
        let gone = |names: &[&str]| Change::DeleteTableColumns {
            table: "T".into(),
            gone: names.iter().map(|name| (*name).to_owned()).collect(),
            order: order.clone(),
        };
        for (before, names, after) in [
            ("SUM(T[b])", vec!["B"], "SUM(#REF!)"),
            ("SUM(T[b])+T[[#This Row],[b]]", vec!["b"], "SUM(#REF!)+#REF!"),
            ("SUM(T[[b]:[c]])", vec!["b"], "SUM(T[c])"),
            ("SUM(T[[a]:[c]])", vec!["c"], "SUM(T[[a]:[b]])"),
            ("SUM(T[[a]:[c]])", vec!["b"], "SUM(T[[a]:[c]])"),
            ("SUM(T[[b]:[c]])", vec!["b", "c"], "SUM(#REF!)"),
            ("SUM(T[a])+SUM(U[b])+ROWS(T)", vec!["b"], "SUM(T[a])+SUM(U[b])+ROWS(T)"),
        ] {
            assert_eq!(changed(before, &gone(&names)), after, "{before} without {names:?}");
        }
    }

    #[test]
    fn rows_and_columns() {
        let insert = Change::InsertRows { sheet: "Sheet1".into(), at: 2, count: 2 };
        let delete = Change::DeleteRows { sheet: "Sheet1".into(), at: 2, count: 2 };
        for (before, change, after) in [
            ("SUM( A1:A3 ) + $B$5", &insert, "SUM( A1:A5 ) + $B$7"),
            ("A2+A3", &insert, "A2+A5"),
            ("Sheet2!A5", &insert, "Sheet2!A5"),
            ("Sheet1!A5", &insert, "Sheet1!A7"),
            ("A:A+3:4", &insert, "A:A+5:6"),
            ("SUM(A1:A10)", &delete, "SUM(A1:A8)"),
            ("SUM(A3:A4)", &delete, "SUM(#REF!)"),
            ("A3", &delete, "#REF!"),
            ("A3:A10", &delete, "A3:A8"),
            ("A1:A4", &delete, "A1:A2"),
            ("A6", &delete, "A4"),
        ] {
            assert_eq!(changed(before, change), after);
        }
    }

    #[test]
    fn sheets() {
        let rename = Change::RenameSheet { from: "Data".into(), to: "New data".into() };
        assert_eq!(changed("Data!A1+'data'!B2", &rename), "'New data'!A1+'New data'!B2");
        assert_eq!(changed("SUM(Data:Last!A1)", &rename), "SUM('New data:Last'!A1)");
        let order = ["A", "B", "C"].map(str::to_owned).to_vec();
        let delete = Change::DeleteSheet { name: "B".into(), order };
        assert_eq!(changed("B!A1+A!A1", &delete), "#REF!A1+A!A1");
        assert_eq!(changed("SUM(A:B!A1)", &delete), "SUM(A!A1)");
    }

    #[test]
    fn shared_and_copied() {
        assert_eq!(shift("A1+$B1+C$1", 1, 1), "B2+$B2+D$1");
        assert_eq!(shift("A1", -1, 0), "A1048576");
        let formula = parse("A1+B2").expect("formula");
        assert_eq!(copied(&formula, -1, 0), "#REF!+B1");
    }

    #[test]
    fn tables() {
        let rename = Change::RenameTable { from: "T".into(), to: "Sales".into() };
        assert_eq!(changed("SUM(T[a])+T[[#This Row],[b]]", &rename), "SUM(Sales[a])+Sales[[#This Row],[b]]");
        let column = Change::RenameColumn { table: "T".into(), from: "a".into(), to: "x#y".into() };
        assert_eq!(changed("SUM(T[a])", &column), "SUM(T[x'#y])");
    }

    #[test]
    fn notation() {
        let formula = parse("SUM(A1:$B$2) + C3").expect("formula");
        let text = renotate(&formula, Notation::R1C1 { row: 2, col: 2 });
        assert_eq!(text, "SUM(R[-2]C[-2]:R2C2) + RC");
        let back = crate::parse::parse_notation(&text, Notation::R1C1 { row: 2, col: 2 }).expect("formula");
        assert_eq!(renotate(&back, Notation::A1), "SUM(A1:$B$2) + C3");
    }
}

//! Tables in requests: rows and columns that come, go and are sorted, and lists that become tables.
//!
//! Sorting moves the texts of cells, not the cells, so that the look of each row stays where it was; what cannot be
//! moved as text is refused.

use edit::{Note, OrEmpty, Refusal};
use planner::{Beside, Line, Target, WordAct, WordStep};
use word::op::{Op, Side as OpSide, TableDelete, TableInsert, TableRef, TableSetCellText};
use word::{DeleteParagraph, Edit, InsertTable, Markup, Merge, Position, Table};

use super::acts::{Make, op_on};
use super::ground::{Ground, Meant, nth};
use crate::requests::note;

pub(super) fn carry_out(
    ground: &Ground<'_>,
    step: &WordStep,
    markup: Markup,
    make: Make<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, Refusal> {
    let table_of = |table: &Option<Target>| -> Result<Table, Refusal> {
        match table {
            Some(target) => {
                let meant = ground.find(target, &step.within)?;
                ground.table_in(Some(&meant))
            }
            None => ground.table_in(ground.around(&step.within)?.as_ref()),
        }
    };
    match &step.act {
        WordAct::InsertRows { table, beside, side, count, cells } => {
            let table = table_of(table)?;
            if cells.len() > table.columns {
                return Err(Refusal::invalid(
                    "row",
                    format!("{} texts", cells.len()),
                    format!("at most {} columns", table.columns),
                ));
            }
            let at = match beside {
                Some(pick) => nth(*pick, table.rows.len(), "row")?,
                None => table.rows.len().saturating_sub(1),
            };
            let (op_side, new) = match side {
                Beside::Before | Beside::Start => (OpSide::Before, at),
                Beside::After | Beside::End => (OpSide::After, at + 1),
            };
            let insert = TableInsert { table: here(), at: Some(at), count: *count, side: op_side };
            let (view, _) =
                make(op_on(vec![(Op::TableInsertRows(insert), inside(ground, &table)?)], markup))?;
            if !cells.is_empty() {
                let after = Ground { view: &view, selection: None, ranges: Default::default() };
                let grown = same(&after, ground, &table)?;
                let place = inside(&after, &grown)?;
                let set = |(col, text): (usize, &String)| {
                    let op = TableSetCellText { table: here(), row: new, col, text: text.clone() };
                    (Op::TableSetCellText(op), place.clone())
                };
                make(op_on(cells.iter().enumerate().map(set).collect(), markup))?;
            }
            let beside = ground.row_text(&table, at);
            Ok(vec![format!(
                "{count} new row(s) {} row {} ({beside})",
                if new == at { "before" } else { "after" },
                at + 1
            )])
        }
        WordAct::InsertColumns { table, beside, side, count, header } => {
            let table = table_of(table)?;
            let at = match beside {
                Some(pick) => nth(*pick, table.columns, "column")?,
                None => table.columns.saturating_sub(1),
            };
            let (op_side, new) = match side {
                Beside::Before | Beside::Start => (OpSide::Before, at),
                Beside::After | Beside::End => (OpSide::After, at + 1),
            };
            let insert = TableInsert { table: here(), at: Some(at), count: *count, side: op_side };
            let (view, _) =
                make(op_on(vec![(Op::TableInsertColumns(insert), inside(ground, &table)?)], markup))?;
            if let Some(header) = header {
                let after = Ground { view: &view, selection: None, ranges: Default::default() };
                let grown = same(&after, ground, &table)?;
                make(cell_edit(&after, &grown, 0, new, header, markup)?)?;
            }
            Ok(vec![format!("{count} new column(s) at column {}", new + 1)])
        }
        WordAct::Sort { table, column, descending } => {
            sort(ground, step, table, column, *descending, markup, make, notes)
        }
        WordAct::ListToTable { under } => list_to_table(ground, step, under.as_ref(), markup, make),
        _ => Err(Refusal::internal("no step about a table")),
    }
}

fn here() -> TableRef {
    TableRef::Table("here".to_owned())
}

/// Bytes inside a table, by which it is found.
fn inside(ground: &Ground<'_>, table: &Table) -> Result<word::op::Span, Refusal> {
    let places = ground.paragraphs(&Meant::Table(table.clone()))?;
    let first = places.first().map_or(&[][..], std::slice::from_ref);
    let spans = ground.stretches(first);
    spans.into_iter().next().ok_or_else(|| Refusal::not_found("paragraph", "the table"))
}

/// The table in a later view, counted among its like.
fn same(after: &Ground<'_>, before: &Ground<'_>, table: &Table) -> Result<Table, Refusal> {
    let at =
        before.tables(None)?.iter().position(|known| known.span == table.span && known.part == table.part);
    let found = at.and_then(|at| after.tables(None).ok()?.into_iter().nth(at));
    found.ok_or_else(|| Refusal::not_found("table", "the one that was changed"))
}

pub(super) fn cell_edit(
    ground: &Ground<'_>,
    table: &Table,
    row: usize,
    col: usize,
    text: &str,
    markup: Markup,
) -> Result<Edit, Refusal> {
    let op = TableSetCellText { table: here(), row, col, text: text.to_owned() };
    Ok(op_on(vec![(Op::TableSetCellText(op), inside(ground, table)?)], markup))
}

pub(super) fn delete(
    ground: &Ground<'_>,
    meant: &Meant,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let (table, op, lines) = match meant {
        Meant::Table(table) => {
            let indexes = (0..table.rows.len()).collect();
            let line = format!("deleted the table that starts with \"{}\"", ground.row_text(table, 0));
            (table, Op::TableDeleteRows(TableDelete { table: here(), indexes }), vec![line])
        }
        Meant::Rows(table, rows) => {
            let lines =
                rows.iter().map(|row| format!("deleted row {}: {}", row + 1, ground.row_text(table, *row)));
            let lines = lines.collect();
            (table, Op::TableDeleteRows(TableDelete { table: here(), indexes: rows.clone() }), lines)
        }
        Meant::Columns(table, columns) => {
            let header = |column: &usize| {
                // Said in the report only: a column may have no cell in the first row.
                let places = ground.paragraphs(&Meant::Cell(table.clone(), 0, *column)).unwrap_or_default();
                let texts: Vec<String> = places.iter().filter_map(|place| ground.text(*place).ok()).collect();
                format!("deleted column {}: {}", column + 1, texts.join(" "))
            };
            let lines = columns.iter().map(header).collect();
            (table, Op::TableDeleteColumns(TableDelete { table: here(), indexes: columns.clone() }), lines)
        }
        _ => return Err(Refusal::internal("no part of a table")),
    };
    make(op_on(vec![(op, inside(ground, table)?)], markup))?;
    Ok(lines)
}

#[expect(clippy::too_many_arguments, reason = "the parts of one sentence")]
fn sort(
    ground: &Ground<'_>,
    step: &WordStep,
    target: &Target,
    column: &str,
    descending: bool,
    markup: Markup,
    make: Make<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, Refusal> {
    let table = ground.table_in(Some(&ground.find(target, &step.within)?))?;
    let plain = table.rows.iter().all(|row| {
        row.cells.len() == table.columns
            && row.cells.iter().all(|cell| cell.merge == Merge::None && cell.columns == 1)
    });
    let mut texts: Vec<Vec<String>> = Vec::new();
    for row in 0..table.rows.len() {
        let mut cells = Vec::new();
        for col in 0..table.columns {
            let places = ground.paragraphs(&Meant::Cell(table.clone(), row, col))?;
            let [only] = places.as_slice() else {
                return Err(unsortable());
            };
            cells.push(ground.text(*only)?);
        }
        texts.push(cells);
    }
    if !plain {
        return Err(unsortable());
    }
    let at = ground.column(&table, &Line::Named(column.to_owned()))?;
    let mut rows: Vec<Vec<String>> = texts.iter().skip(1).cloned().collect();
    let total = rows
        .last()
        .is_some_and(|row| row.first().is_some_and(|first| first.trim().to_lowercase().starts_with("total")));
    let last = if total { rows.pop() } else { None };
    if last.is_some() {
        notes.push(note("the row of totals stayed last"));
    }
    crate::requests::order::sort(&mut rows, descending, |row| row.get(at).cloned().or_empty());
    rows.extend(last);
    let place = inside(ground, &table)?;
    let mut ops = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (col, text) in cells.iter().enumerate() {
            if texts.get(row + 1).and_then(|old| old.get(col)) != Some(text) {
                let op = TableSetCellText { table: here(), row: row + 1, col, text: text.clone() };
                ops.push((Op::TableSetCellText(op), place.clone()));
            }
        }
    }
    if ops.is_empty() {
        return Ok(vec![format!("the table is sorted by {column} already")]);
    }
    make(op_on(ops, markup))?;
    Ok(rows.iter().map(|row| row.join(" | ")).collect())
}

fn unsortable() -> Refusal {
    Refusal::Unsupported {
        what: "sorting a table with merged cells, or with several paragraphs in a cell".to_owned(),
        instead: Some("set the cells one by one".to_owned()),
    }
}

fn list_to_table(
    ground: &Ground<'_>,
    step: &WordStep,
    under: Option<&Target>,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let mut within: Vec<Target> = under.into_iter().cloned().collect();
    within.extend(step.within.iter().cloned());
    let items = ground.paragraphs(&ground.find(&Target::List, &within)?)?;
    let texts: Vec<String> = items.iter().map(|place| ground.text(*place)).collect::<Result<_, _>>()?;
    // A separator that every item has makes two columns.
    let separator = [": ", " – ", " — ", " - ", "\t"]
        .iter()
        .find(|mark| texts.iter().all(|text| text.matches(**mark).count() == 1));
    let rows = texts.iter().map(|text| match separator.and_then(|mark| text.split_once(*mark)) {
        Some((left, right)) => vec![left.trim().to_owned(), right.trim().to_owned()],
        None => vec![text.trim().to_owned()],
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let first = items.first().ok_or_else(|| Refusal::not_found("list", "that place"))?;
    let anchor = ground.view.id(*first);
    make(Edit::InsertTable(InsertTable { anchor, position: Position::Before, rows: rows.clone(), markup }))?;
    for place in &items {
        make(Edit::DeleteParagraph(DeleteParagraph {
            paragraph: ground.view.id(*place),
            expect: None,
            markup,
        }))?;
    }
    Ok(rows.iter().map(|row| format!("row: {}", row.join(" | "))).collect())
}

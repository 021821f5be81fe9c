//! Tables, edited in the style they are written in: pipes, padding and alignment row stay as found.

use std::ops::Range;

use edit::{OrEmpty, Refusal};

use super::node::{insert_block, removal};
use super::{Draft, in_turn};
use crate::block::Kind;
use crate::format::preview;
use crate::view::{Node, View};
use crate::vocabulary::{Header, Side, TableAt, TableOperation};
use grid::{Cells, Grid, Row, padded, row_of, written};

pub(super) mod grid;

/// More than anybody edits by hand; protects from a slip of the keyboard.
const MOST: usize = 1000;

pub(super) fn insert(
    view: &View,
    at: usize,
    rows: usize,
    columns: usize,
    header: Header,
) -> Result<Draft, Refusal> {
    for (field, value) in [("rows", rows), ("cols", columns)] {
        if !(1..=MOST).contains(&value) {
            return Err(Refusal::invalid(field, value, format!("1 to {MOST}")));
        }
    }
    let row = format!("|{}", "     |".repeat(columns));
    let rule = format!("|{}", " --- |".repeat(columns));
    let body = match header {
        Header::Row => rows - 1,
        Header::Empty => rows,
    };
    let mut text = format!("{row}\n{rule}");
    for _ in 0..body {
        text.push('\n');
        text.push_str(&row);
    }
    let draft = insert_block(view, at, &text)?;
    Ok(Draft { summary: format!("Insert a table of {rows} rows and {columns} columns"), ..draft })
}

pub(super) fn delete(view: &View, table: &TableAt) -> Result<Draft, Refusal> {
    let (node, _) = find(view, table)?;
    let (range, with) = removal(&node, &node);
    Ok(Draft::new("Delete the table").splice(range, with))
}

pub(super) fn modify(view: &View, at: &TableAt, operations: &[TableOperation]) -> Result<Draft, Refusal> {
    let (node, mut place) = find(view, at)?;
    let start = node.range().start;
    let id = node.id().map(|id| id.to_string()).or_empty();
    in_turn(view, format!("Change {id}"), operations, |view, operation| {
        // The table stays where it is; only what it holds changes.
        let table = Grid::at(view, start).ok_or_else(|| Refusal::not_found("table", id.clone()))??;
        let operation = fixed(&table, operation, place)?;
        let wanted = table.wanted(&operation)?;
        let draft = table.done(&operation, &wanted)?;
        let patch = draft.patch()?;
        place = place.map(|place| patch.map(crate::PART, place, edit::Gravity::Left));
        Ok(draft)
    })
}

/// An operation that names its row or column, which one at the cursor does not.
fn fixed(
    table: &Grid<'_>,
    operation: &TableOperation,
    place: Option<usize>,
) -> Result<TableOperation, Refusal> {
    let here = || {
        place.and_then(|place| table.cell_at(place)).ok_or_else(|| Refusal::Unsafe {
            why: "the cursor is not in a row of the table".to_owned(),
            instead: Some("put the cursor into a cell".to_owned()),
        })
    };
    let beside = |index: usize, side: Side| Some(index + usize::from(side == Side::After));
    Ok(match operation {
        TableOperation::AddRowHere { side } => {
            TableOperation::AddRow { at: beside(here()?.0, *side), cells: Vec::new() }
        }
        TableOperation::DeleteRowHere => TableOperation::DeleteRow { at: here()?.0 },
        TableOperation::AddColumnHere { side } => TableOperation::AddColumn {
            at: beside(here()?.1, *side),
            header: String::new(),
            cells: Vec::new(),
        },
        TableOperation::DeleteColumnHere => TableOperation::DeleteColumn { at: here()?.1 },
        other => other.clone(),
    })
}

fn find<'a>(view: &'a View, at: &TableAt) -> Result<(Node<'a>, Option<usize>), Refusal> {
    match at {
        TableAt::Node(id) => {
            let node = view.node(*id)?;
            if node.kind() != Kind::Table {
                return Err(Refusal::invalid(
                    "nodeId",
                    format!("`{id}`"),
                    "the id of a table, such as table-0",
                ));
            }
            Ok((node, None))
        }
        TableAt::Place(place) => {
            let table =
                view.node_at(*place).and_then(|node| node.chain().find(|node| node.kind() == Kind::Table));
            let table = table.ok_or_else(|| Refusal::Unsafe {
                why: "the cursor is not in a table".to_owned(),
                instead: Some("put the cursor into a table, or use table_modify with its nodeId".to_owned()),
            })?;
            Ok((table, Some(*place)))
        }
    }
}

impl Grid<'_> {
    fn row(&self, row: usize) -> Result<&Row, Refusal> {
        self.rows.get(row).ok_or_else(|| {
            Refusal::invalid("row", row, format!("0 (the header) to {}", self.rows.len().saturating_sub(1)))
        })
    }

    fn column(&self, column: usize) -> Result<usize, Refusal> {
        if column < self.columns {
            return Ok(column);
        }
        Err(Refusal::invalid("column", column, format!("0 to {}", self.columns.saturating_sub(1))))
    }

    /// What the table says afterwards.
    fn wanted(&self, operation: &TableOperation) -> Result<Cells, Refusal> {
        let mut cells = self.cells();
        let most = |given: &[String], most: usize, what: &str| match given.len() > most {
            true => Err(Refusal::invalid("cells", given.len(), format!("at most {most} cells{what}"))),
            false => Ok(()),
        };
        let texts = |given: &[String]| -> Vec<String> {
            (0..self.columns).map(|column| given.get(column).map(|cell| written(cell)).or_empty()).collect()
        };
        match operation {
            TableOperation::SetCell { row, column, content } => {
                self.row(*row)?;
                let column = self.column(*column)?;
                cells.set(*row, column, written(content));
            }
            TableOperation::SetHeader { cells: given } => {
                most(given, self.columns, "")?;
                for (column, content) in given.iter().enumerate() {
                    cells.set(0, column, written(content));
                }
            }
            TableOperation::AddRow { at, cells: given } => {
                let at = at.unwrap_or(self.rows.len());
                if at == 0 {
                    return Err(Refusal::Unsafe {
                        why: "the header is always the first row of a Markdown table".to_owned(),
                        instead: Some("add the row behind it, or set the header's cells".to_owned()),
                    });
                }
                if at > self.rows.len() {
                    return Err(Refusal::invalid("row", at, format!("1 to {}", self.rows.len())));
                }
                most(given, self.columns, "")?;
                cells.rows.insert(at, texts(given));
            }
            TableOperation::DeleteRow { at } => {
                self.row(*at)?;
                if *at == 0 {
                    return Err(Refusal::Unsafe {
                        why: "a Markdown table cannot be without its header row".to_owned(),
                        instead: Some("use table_toggle_header_row to empty it, or table_delete".to_owned()),
                    });
                }
                cells.rows.remove(*at);
            }
            TableOperation::AddColumn { at, header, cells: given } => {
                let at = at.unwrap_or(self.columns);
                if at > self.columns {
                    return Err(Refusal::invalid("column", at, format!("0 to {}", self.columns)));
                }
                most(given, self.rows.len() - 1, ", one for each row below the header")?;
                cells.rule.insert(at, "---".to_owned());
                for (index, row) in cells.rows.iter_mut().enumerate() {
                    row.insert(at, new_cell(index, header, given));
                }
            }
            TableOperation::DeleteColumn { at } => {
                let at = self.column(*at)?;
                if self.columns == 1 {
                    return Err(Refusal::Unsafe {
                        why: "it is the only column of the table".to_owned(),
                        instead: Some("delete the table".to_owned()),
                    });
                }
                cells.rule.remove(at);
                for row in &mut cells.rows {
                    row.remove(at);
                }
            }
            TableOperation::ToggleHeader => {
                let head = cells.rows.first().map(|row| row.iter().take(self.columns).cloned().collect());
                let head: Vec<String> = head.unwrap_or_default();
                if !head.iter().all(String::is_empty) {
                    cells.rows.insert(1, head);
                    cells.rows.insert(0, vec![String::new(); self.columns]);
                    cells.rows.remove(1);
                } else if cells.rows.len() > 1 {
                    cells.rows.remove(0);
                } else {
                    return Err(Refusal::Unsafe {
                        why: "the table has no row that could become its header".to_owned(),
                        instead: None,
                    });
                }
            }
            TableOperation::AddRowHere { .. }
            | TableOperation::DeleteRowHere
            | TableOperation::AddColumnHere { .. }
            | TableOperation::DeleteColumnHere => {
                return Err(Refusal::internal("a place in a table that was not looked up"));
            }
        }
        Ok(cells)
    }

    /// The splices that lead to what is wanted: in the style of the table if that can say it, else with pipes at the
    /// ends of the rows that need them.
    fn done(&self, operation: &TableOperation, wanted: &Cells) -> Result<Draft, Refusal> {
        let styled = self.styled(operation)?;
        if self.leads_to(&styled, wanted)? {
            return Ok(styled);
        }
        for piped in [self.one_piped(operation, wanted), Some(self.all_piped(wanted))].into_iter().flatten() {
            if self.leads_to(&piped, wanted)? {
                return Ok(piped);
            }
        }
        Err(Refusal::Unsafe {
            why: "a Markdown table cannot say this: its rows would be read as something else".to_owned(),
            instead: Some("check the new text for block markup, or replace the whole table".to_owned()),
        })
    }

    /// Whether the table after these splices has exactly the wanted cells.
    fn leads_to(&self, draft: &Draft, wanted: &Cells) -> Result<bool, Refusal> {
        let after = preview(self.view(), &draft.patch()?)?;
        Ok(match Grid::at(&after, self.node.range().start) {
            Some(found) => found?.cells().same(wanted),
            None => false,
        })
    }

    fn one_piped(&self, operation: &TableOperation, wanted: &Cells) -> Option<Draft> {
        let index = match operation {
            TableOperation::SetCell { row, .. } => *row,
            TableOperation::SetHeader { .. } => 0,
            _ => return None,
        };
        let (row, cells) = (self.rows.get(index)?, wanted.rows.get(index)?);
        Some(Draft::default().splice(row.range.clone(), row_of(cells)))
    }

    fn all_piped(&self, wanted: &Cells) -> Draft {
        let end = self.rows.last().map_or(self.rule.range.end, |row| row.range.end.max(self.rule.range.end));
        let between = format!("{}{}", self.view().eol(), self.indent());
        Draft::default().splice(self.node.range().start..end, wanted.piped().join(&between))
    }

    fn styled(&self, operation: &TableOperation) -> Result<Draft, Refusal> {
        Ok(match operation {
            TableOperation::SetCell { row, column, content } => self.set(*row, *column, content)?,
            TableOperation::SetHeader { cells } => {
                let mut draft = Draft::default();
                for (column, content) in cells.iter().enumerate() {
                    draft.splices.extend(self.set(0, column, content)?.splices);
                }
                draft
            }
            TableOperation::AddRow { at, cells } => self.add_row(at.unwrap_or(self.rows.len()), cells),
            TableOperation::DeleteRow { at } => self.delete_row(*at)?,
            TableOperation::AddColumn { at, header, cells } => {
                self.add_column(at.unwrap_or(self.columns), header, cells)
            }
            TableOperation::DeleteColumn { at } => self.delete_column(*at),
            _ => self.toggle_header()?,
        })
    }

    fn set(&self, row: usize, column: usize, content: &str) -> Result<Draft, Refusal> {
        let found = self.row(row)?;
        let text = written(content);
        let Some(cell) = found.cells.get(column) else {
            return Ok(match text.is_empty() {
                true => Draft::default(),
                false => Draft::default()
                    .splice(found.range.end..found.range.end, lengthened(found, column, &text)),
            });
        };
        let old = self.view().slice(cell.clone());
        if old.trim() == text {
            return Ok(Draft::default());
        }
        let lead = old.len() - old.trim_start().len();
        let with = if old.trim().is_empty() {
            if old.is_empty() { text } else { padded(&text, self.width(cell)) }
        } else {
            // The blanks before the text stay; those behind it give way as far as there are any.
            let tail = old.len() - old.trim_end().len();
            let lead_text = &old[..lead];
            let used = lead + text.chars().count();
            let blanks = self.width(cell).saturating_sub(used).max(tail.min(1));
            format!("{lead_text}{text}{}", " ".repeat(if tail == 0 { 0 } else { blanks }))
        };
        Ok(Draft::default().splice(cell.clone(), with))
    }

    /// A whole row in the style of the header.
    fn new_row(&self, cells: &[String]) -> String {
        let written: Vec<String> = (0..self.columns)
            .map(|column| {
                let width = self.rule.cells.get(column).map_or(3, |cell| self.width(cell));
                padded(&cells.get(column).map(|cell| written(cell)).or_empty(), width)
            })
            .collect();
        let (open, closed) = self.rows.first().map_or((true, true), |head| (head.open, head.closed));
        let mut row = written.join("|");
        if open {
            row.insert(0, '|');
        }
        if closed {
            row.push('|');
        }
        // Without pipes at its ends an empty row would be a blank line.
        if !open && !closed {
            row = row.trim_start().to_owned();
            if self.columns == 1 || row.trim().is_empty() || row.starts_with('|') {
                row = format!("|{}|", written.join("|"));
            }
        }
        row
    }

    fn add_row(&self, at: usize, cells: &[String]) -> Draft {
        let view = self.view();
        let above = if at <= 1 { Some(&self.rule) } else { self.rows.get(at - 1) };
        let end = view.line_end(above.unwrap_or(&self.rule).range.end);
        let row = format!("{}{}{}", view.eol(), self.indent(), self.new_row(cells));
        Draft::default().splice(end..end, row)
    }

    fn delete_row(&self, at: usize) -> Result<Draft, Refusal> {
        let row = self.row(at)?;
        let view = self.view();
        let before = if at <= 1 { &self.rule } else { self.row(at - 1)? };
        let start = view.line_end(before.range.end);
        Ok(Draft::default().splice(start..view.line_end(row.range.end), ""))
    }

    fn add_column(&self, at: usize, header: &str, cells: &[String]) -> Draft {
        let mut draft = Draft::default();
        let texts: Vec<String> = (0..self.rows.len()).map(|row| new_cell(row, header, cells)).collect();
        let width = 2 + texts.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        draft.splices.extend(insert_cell(&self.rule, at, &padded(&"-".repeat(width - 2), width)));
        for (row, text) in self.rows.iter().zip(&texts) {
            if row.cells.len() < at {
                // A short row stays short unless there is something to write.
                if !text.is_empty() {
                    draft.splices.push((row.range.end..row.range.end, lengthened(row, at, text)));
                }
                continue;
            }
            draft.splices.extend(insert_cell(row, at, &padded(text, width)));
        }
        draft
    }

    fn delete_column(&self, at: usize) -> Draft {
        let mut draft = Draft::default();
        for row in std::iter::once(&self.rule).chain(&self.rows) {
            let Some(cell) = row.cells.get(at) else { continue };
            let last = at + 1 == row.cells.len();
            // One pipe goes with the cell: the one behind it, or before it if it is the last.
            let range = match (last, at) {
                (true, 0) => cell.clone(),
                (true, _) => cell.start - 1..cell.end,
                (false, _) => cell.start..cell.end + 1,
            };
            draft.splices.push((range, String::new()));
        }
        draft
    }

    fn toggle_header(&self) -> Result<Draft, Refusal> {
        let cells = self.cells();
        let head: Vec<String> =
            cells.rows.first().map_or_else(Vec::new, |row| row.iter().take(self.columns).cloned().collect());
        let mut draft = Draft::default();
        let texts = if head.iter().all(String::is_empty) {
            draft.splices.extend(self.delete_row(1)?.splices);
            cells.rows.get(1).cloned().or_empty()
        } else {
            draft.splices.extend(self.add_row(1, &head).splices);
            vec![String::new(); self.columns]
        };
        for (column, cell) in self.row(0)?.cells.iter().take(self.columns).enumerate() {
            let with = padded(texts.get(column).map_or("", String::as_str), self.width(cell).max(3));
            draft.splices.push((cell.clone(), with));
        }
        Ok(draft)
    }
}

impl Cells {
    fn set(&mut self, row: usize, column: usize, text: String) {
        if let Some(cell) = self.rows.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell = text;
        }
    }

    /// Whether a reader sees the same: how long the dashes are is style.
    pub(super) fn same(&self, other: &Self) -> bool {
        let colons = |rule: &[String]| -> Vec<(bool, bool)> {
            rule.iter().map(|cell| (cell.starts_with(':'), cell.ends_with(':'))).collect()
        };
        colons(&self.rule) == colons(&other.rule) && self.rows == other.rows
    }
}

/// The text of a new column in a row, the header being row 0.
fn new_cell(row: usize, header: &str, cells: &[String]) -> String {
    match row.checked_sub(1) {
        None => written(header),
        Some(row) => cells.get(row).map(|cell| written(cell)).or_empty(),
    }
}

/// What has to follow a short row so that it has a cell `column` with this text.
fn lengthened(row: &Row, column: usize, text: &str) -> String {
    let mut cells = String::new();
    if !row.closed {
        cells.push_str(" |");
    }
    for missing in row.cells.len()..=column {
        cells.push_str(&padded(if missing == column { text } else { "" }, 3));
        if missing < column || row.closed {
            cells.push('|');
        }
    }
    cells
}

/// The splice that puts a cell into a row so that it becomes column `at`.
fn insert_cell(row: &Row, at: usize, cell: &str) -> Option<(Range<usize>, String)> {
    match row.cells.get(at) {
        Some(next) => Some((next.start..next.start, format!("{cell}|"))),
        None if row.cells.len() == at => {
            let end = row.range.end;
            Some(if row.closed {
                (end..end, format!("{cell}|"))
            } else {
                (end..end, format!(" |{}", cell.trim_end()))
            })
        }
        None => None,
    }
}

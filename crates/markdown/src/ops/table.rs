//! Tables, edited in the style they are written in: pipes, padding and alignment row stay as found.

use std::ops::Range;

use edit::Refusal;

use super::node::{insert_block, removal};
use super::{Draft, in_turn};
use crate::block::Kind;
use crate::prefix;
use crate::view::{Node, View};
use crate::vocabulary::{Header, Side, TableAt, TableOperation};

/// More than anybody edits by hand; protects from a slip of the keyboard.
const MOST: usize = 1000;

/// A table with the places of its cells.
struct Table<'a> {
    node: Node<'a>,
    /// The header, then the body.
    rows: Vec<Row>,
    /// The cells of the line of dashes.
    rule: Row,
    columns: usize,
}

struct Row {
    range: Range<usize>,
    /// Between the pipes, padding included. A short row has fewer than the table has columns.
    cells: Vec<Range<usize>>,
    /// Whether the row starts and ends with a pipe.
    open: bool,
    closed: bool,
}

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
    let id = node.id().map(|id| id.to_string()).unwrap_or_default();
    in_turn(view, format!("Change {id}"), operations, |view, operation| {
        // The table stays where it is; only what it holds changes.
        let node = view.blocks_in(start..start + 1).find(|node| node.kind() == Kind::Table);
        let node = node.ok_or_else(|| Refusal::not_found("table", id.clone()))?;
        let table = read(node)?;
        let here = |place: Option<usize>| {
            place.and_then(|place| table.cell_at(place)).ok_or_else(|| Refusal::Unsafe {
                why: "the cursor is not in a row of the table".to_owned(),
                instead: Some("put the cursor into a cell".to_owned()),
            })
        };
        let draft = match operation {
            TableOperation::SetCell { row, column, content } => table.set(*row, *column, content)?,
            TableOperation::AddRow { at, cells } => table.add_row(at.unwrap_or(table.rows.len()), cells)?,
            TableOperation::AddRowHere { side } => {
                let (row, _) = here(place)?;
                table.add_row(row + usize::from(*side == Side::After), &[])?
            }
            TableOperation::DeleteRow { at } => table.delete_row(*at)?,
            TableOperation::DeleteRowHere => table.delete_row(here(place)?.0)?,
            TableOperation::AddColumn { at, header, cells } => {
                table.add_column(at.unwrap_or(table.columns), header, cells)?
            }
            TableOperation::AddColumnHere { side } => {
                let (_, column) = here(place)?;
                table.add_column(column + usize::from(*side == Side::After), "", &[])?
            }
            TableOperation::DeleteColumn { at } => table.delete_column(*at)?,
            TableOperation::DeleteColumnHere => table.delete_column(here(place)?.1)?,
            TableOperation::SetHeader { cells } => {
                if cells.len() > table.columns {
                    let expected = format!("at most {} cells", table.columns);
                    return Err(Refusal::invalid("cells", cells.len(), expected));
                }
                let mut draft = Draft::default();
                for (column, content) in cells.iter().enumerate() {
                    draft.splices.extend(table.set(0, column, content)?.splices);
                }
                draft
            }
            TableOperation::ToggleHeader => table.toggle_header()?,
        };
        let patch = draft.patch()?;
        place = place.map(|place| patch.map(crate::PART, place, edit::Gravity::Left));
        Ok(draft)
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

fn read(node: Node<'_>) -> Result<Table<'_>, Refusal> {
    let view = node.view();
    let mut rows = Vec::new();
    let mut columns = 0;
    for child in node.children() {
        let cells: Vec<Node<'_>> = child.children().collect();
        columns = columns.max(cells.len());
        rows.push(split(view, child.range()));
    }
    let head = rows.first().ok_or_else(|| Refusal::internal("a table without a header"))?;
    let line = view.next_line(head.range.end);
    let prefix = prefix::of(&node);
    let source = view.slice(line..view.line_end(line));
    let skipped = source.len() - prefix.strip(&source).trim_start().len();
    let rule = split(view, line + skipped..line + source.trim_end().len());
    Ok(Table { node, rows, rule, columns })
}

/// A row by its pipes. A pipe behind a backslash is text.
fn split(view: &View, range: Range<usize>) -> Row {
    let source = view.slice(range.clone());
    let bytes = source.as_bytes();
    let mut pipes = Vec::new();
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\\' => escaped = !escaped,
            b'|' if !escaped => pipes.push(at),
            _ => {}
        }
        if *byte != b'\\' {
            escaped = false;
        }
    }
    let open = pipes.first() == Some(&0);
    let closed = pipes.last().is_some_and(|last| *last + 1 == bytes.len() && (pipes.len() > 1 || !open));
    let mut cells = Vec::new();
    let mut start = usize::from(open);
    for pipe in pipes.iter().skip(usize::from(open)) {
        cells.push(range.start + start..range.start + pipe);
        start = pipe + 1;
    }
    if !closed && (start < bytes.len() || cells.is_empty()) {
        cells.push(range.start + start..range.end);
    }
    Row { range, cells, open, closed }
}

/// Cell text on one line, with pipes that do not end the cell.
fn written(content: &str) -> String {
    let line = prefix::lines(content.trim()).map(str::trim).collect::<Vec<_>>().join("<br>");
    let mut text = String::with_capacity(line.len());
    let mut escaped = false;
    for c in line.chars() {
        if c == '|' && !escaped {
            text.push('\\');
        }
        escaped = c == '\\' && !escaped;
        text.push(c);
    }
    text
}

impl Table<'_> {
    fn view(&self) -> &View {
        self.node.view()
    }

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

    /// The row and column of a place; the header is row 0, and the rule belongs to it.
    fn cell_at(&self, place: usize) -> Option<(usize, usize)> {
        let row = self.rows.iter().rposition(|row| self.view().line_start(row.range.start) <= place)?;
        let cells = &self.rows.get(row)?.cells;
        let cells = if row == 0 && place >= self.rule.range.start { &self.rule.cells } else { cells };
        let column =
            cells.iter().position(|cell| place <= cell.end).unwrap_or(self.columns.saturating_sub(1));
        Some((row, column.min(self.columns.saturating_sub(1))))
    }

    fn width(&self, cell: &Range<usize>) -> usize {
        self.view().slice(cell.clone()).chars().count()
    }

    /// A cell of `width` characters if the text fits, with a blank on each side.
    fn padded(content: &str, width: usize) -> String {
        let mut cell = format!(" {content}");
        let length = cell.chars().count();
        cell.extend(std::iter::repeat_n(' ', width.saturating_sub(length).max(1)));
        cell
    }

    fn set(&self, row: usize, column: usize, content: &str) -> Result<Draft, Refusal> {
        let (found, column) = (self.row(row)?, self.column(column)?);
        let text = written(content);
        let Some(cell) = found.cells.get(column) else {
            // The row is short: the missing cells are written out.
            let mut cells = String::new();
            if !found.closed {
                cells.push_str(" |");
            }
            for missing in found.cells.len()..=column {
                cells.push_str(&Self::padded(if missing == column { &text } else { "" }, 3));
                if missing < column || found.closed {
                    cells.push('|');
                }
            }
            return Ok(Draft::default().splice(found.range.end..found.range.end, cells));
        };
        let old = self.view().slice(cell.clone());
        let lead = old.len() - old.trim_start().len();
        let with = if old.trim().is_empty() {
            if old.is_empty() { text } else { Self::padded(&text, self.width(cell)) }
        } else {
            // The blanks before the text stay; those behind it give way as far as there are any.
            let tail = old.len() - old.trim_end().len();
            let lead_text = &old[..lead];
            let used = lead + text.chars().count();
            let blanks = self.width(cell).saturating_sub(used).max(tail.min(1));
            format!("{lead_text}{text}{}", " ".repeat(if tail == 0 { 0 } else { blanks }))
        };
        let draft =
            if *old == *with { Draft::default() } else { Draft::default().splice(cell.clone(), with) };
        Ok(draft)
    }

    /// A whole row in the style of the header.
    fn new_row(&self, cells: &[String]) -> String {
        let head = &self.rows[0];
        let written: Vec<String> = (0..self.columns)
            .map(|column| {
                let width = self.rule.cells.get(column).map_or(3, |cell| self.width(cell));
                Self::padded(&cells.get(column).map(|cell| written(cell)).unwrap_or_default(), width)
            })
            .collect();
        let mut row = written.join("|");
        if head.open {
            row.insert(0, '|');
        }
        if head.closed {
            row.push('|');
        }
        // Without pipes at its ends an empty row would be a blank line.
        if !head.open && !head.closed {
            row = row.trim_start().to_owned();
            if self.columns == 1 || row.trim().is_empty() || row.starts_with('|') {
                row = format!("|{}|", written.join("|"));
            }
        }
        row
    }

    fn add_row(&self, at: usize, cells: &[String]) -> Result<Draft, Refusal> {
        if at == 0 {
            return Err(Refusal::Unsafe {
                why: "the header is always the first row of a Markdown table".to_owned(),
                instead: Some("add the row behind it, or set the header's cells".to_owned()),
            });
        }
        if at > self.rows.len() {
            return Err(Refusal::invalid("row", at, format!("1 to {}", self.rows.len())));
        }
        if cells.len() > self.columns {
            return Err(Refusal::invalid("cells", cells.len(), format!("at most {} cells", self.columns)));
        }
        let view = self.view();
        let above = if at == 1 { &self.rule } else { &self.rows[at - 1] };
        let end = view.line_end(above.range.end);
        let prefix = prefix::of(&self.node);
        let row = format!("{}{}{}", view.eol(), self.indent(&prefix), self.new_row(cells));
        Ok(Draft::default().splice(end..end, row))
    }

    /// What stands before each line of the table but its first.
    fn indent(&self, prefix: &prefix::Prefix) -> String {
        let view = self.view();
        let line = view.line_start(self.rule.range.start);
        let before = view.slice(line..self.rule.range.start);
        if before.chars().all(|c| matches!(c, ' ' | '\t' | '>')) {
            before.into_owned()
        } else {
            prefix.as_str().to_owned()
        }
    }

    fn delete_row(&self, at: usize) -> Result<Draft, Refusal> {
        let row = self.row(at)?;
        if at == 0 {
            return Err(Refusal::Unsafe {
                why: "a Markdown table cannot be without its header row".to_owned(),
                instead: Some("use table_toggle_header_row to empty it, or table_delete".to_owned()),
            });
        }
        let view = self.view();
        let before = if at == 1 { &self.rule } else { &self.rows[at - 1] };
        let start = view.line_end(before.range.end);
        Ok(Draft::default().splice(start..view.line_end(row.range.end), ""))
    }

    fn add_column(&self, at: usize, header: &str, cells: &[String]) -> Result<Draft, Refusal> {
        if at > self.columns {
            return Err(Refusal::invalid("column", at, format!("0 to {}", self.columns)));
        }
        if cells.len() >= self.rows.len() && !cells.is_empty() && cells.len() > self.rows.len() - 1 {
            let expected =
                format!("at most {} cells, one for each row below the header", self.rows.len() - 1);
            return Err(Refusal::invalid("cells", cells.len(), expected));
        }
        let mut draft = Draft::default();
        let width = 2 + std::iter::once(header)
            .chain(cells.iter().map(String::as_str))
            .map(|cell| written(cell).chars().count())
            .max()
            .unwrap_or(0)
            .max(3);
        draft.splices.extend(insert_cell(&self.rule, at, &Self::padded(&"-".repeat(width - 2), width)));
        for (index, row) in self.rows.iter().enumerate() {
            let content = match index.checked_sub(1) {
                None => header,
                Some(index) => cells.get(index).map_or("", String::as_str),
            };
            if row.cells.len() < at {
                // A short row stays short unless there is something to write.
                if !content.is_empty() {
                    return Err(Refusal::Unsafe {
                        why: format!("row {index} has no cell before column {at}"),
                        instead: Some("fill the short row first".to_owned()),
                    });
                }
                continue;
            }
            draft.splices.extend(insert_cell(row, at, &Self::padded(&written(content), width)));
        }
        Ok(draft)
    }

    fn delete_column(&self, at: usize) -> Result<Draft, Refusal> {
        let at = self.column(at)?;
        if self.columns == 1 {
            return Err(Refusal::Unsafe {
                why: "it is the only column of the table".to_owned(),
                instead: Some("delete the table".to_owned()),
            });
        }
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
        Ok(draft)
    }

    fn toggle_header(&self) -> Result<Draft, Refusal> {
        let view = self.view();
        let texts = |row: &Row| -> Vec<String> {
            (0..self.columns)
                .map(|column| {
                    row.cells
                        .get(column)
                        .map(|cell| view.slice(cell.clone()).trim().to_owned())
                        .unwrap_or_default()
                })
                .collect()
        };
        let head = texts(&self.rows[0]);
        let empty = head.iter().all(String::is_empty);
        let mut draft = Draft::default();
        let cells = if empty {
            let Some(first) = self.rows.get(1) else {
                return Err(Refusal::Unsafe {
                    why: "the table has no row that could become its header".to_owned(),
                    instead: None,
                });
            };
            draft.splices.extend(self.delete_row(1)?.splices);
            texts(first)
        } else {
            draft.splices.extend(self.add_row(1, &head)?.splices);
            vec![String::new(); self.columns]
        };
        for (column, cell) in self.rows[0].cells.iter().take(self.columns).enumerate() {
            let content = cells.get(column).map_or("", String::as_str);
            let old = view.slice(cell.clone());
            let with = Self::padded(content, self.width(cell).max(3));
            if *old != *with {
                draft.splices.push((cell.clone(), with));
            }
        }
        Ok(draft)
    }
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

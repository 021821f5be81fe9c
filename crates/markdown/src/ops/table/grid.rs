//! A table as rows of cells with their places, and what those cells say.
//!
//! Markdown has no grid: a row is a line, and where its cells are follows from its pipes. Whether it has pipes at its
//! ends is a matter of taste until its first cell is empty, its last column goes or only one column is left; then a row
//! without them is another row, or no row at all. So nobody here trusts a rule of thumb: what an edit should lead to is
//! written down as [`Cells`], and what it leads to is read back and compared.

use std::ops::Range;

use edit::Refusal;

use crate::block::Kind;
use crate::prefix;
use crate::view::{Node, View};

/// A table with the places of its cells.
pub(in crate::ops) struct Grid<'a> {
    pub(in crate::ops) node: Node<'a>,
    /// The header, then the body.
    pub(in crate::ops) rows: Vec<Row>,
    /// The cells of the line of dashes.
    pub(in crate::ops) rule: Row,
    pub(in crate::ops) columns: usize,
}

pub(in crate::ops) struct Row {
    pub(in crate::ops) range: Range<usize>,
    /// Between the pipes, padding included. A short row has fewer than the table has columns; one that is too long has
    /// more, and no reader sees those.
    pub(in crate::ops) cells: Vec<Range<usize>>,
    /// Whether the row starts and ends with a pipe.
    pub(in crate::ops) open: bool,
    pub(in crate::ops) closed: bool,
}

/// What a table says, without its style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) struct Cells {
    pub(in crate::ops) rule: Vec<String>,
    /// The header, then the body; none is shorter than the rule.
    pub(in crate::ops) rows: Vec<Vec<String>>,
}

impl<'a> Grid<'a> {
    /// The table that starts here, if there is one.
    pub(in crate::ops) fn at(view: &'a View, start: usize) -> Option<Result<Self, Refusal>> {
        let node = view.blocks_in(start..start + 1).find(|node| node.kind() == Kind::Table)?;
        Some(Self::read(node))
    }

    pub(in crate::ops) fn read(node: Node<'a>) -> Result<Self, Refusal> {
        let view = node.view();
        let rows: Vec<Row> = node.children().map(|child| Row::split(view, child.range())).collect();
        let head = rows.first().ok_or_else(|| Refusal::internal("a table without a header"))?;
        let line = view.next_line(head.range.end);
        let prefix = prefix::of(&node);
        let source = view.slice(line..view.line_end(line));
        let skipped = source.len() - prefix.strip(&source).trim_start().len();
        let rule = Row::split(view, line + skipped..line + source.trim_end().len());
        let columns = rule.cells.len();
        Ok(Self { node, rows, rule, columns })
    }

    pub(in crate::ops) fn view(&self) -> &'a View {
        self.node.view()
    }

    pub(in crate::ops) fn cells(&self) -> Cells {
        let view = self.view();
        let texts = |row: &Row| -> Vec<String> {
            let mut texts: Vec<String> =
                row.cells.iter().map(|cell| view.slice(cell.clone()).trim().to_owned()).collect();
            texts.resize(texts.len().max(self.columns), String::new());
            texts
        };
        Cells { rule: texts(&self.rule), rows: self.rows.iter().map(texts).collect() }
    }

    /// The row and column of a place; the header is row 0, and the rule belongs to it.
    pub(in crate::ops) fn cell_at(&self, place: usize) -> Option<(usize, usize)> {
        let row = self.rows.iter().rposition(|row| self.view().line_start(row.range.start) <= place)?;
        let cells = &self.rows.get(row)?.cells;
        let cells = if row == 0 && place >= self.rule.range.start { &self.rule.cells } else { cells };
        let column =
            cells.iter().position(|cell| place <= cell.end).unwrap_or(self.columns.saturating_sub(1));
        Some((row, column.min(self.columns.saturating_sub(1))))
    }

    pub(in crate::ops) fn width(&self, cell: &Range<usize>) -> usize {
        self.view().slice(cell.clone()).chars().count()
    }

    /// What stands before each line of the table but its first.
    pub(in crate::ops) fn indent(&self) -> String {
        let view = self.view();
        let line = view.line_start(self.rule.range.start);
        let before = view.slice(line..self.rule.range.start);
        if before.chars().all(|c| matches!(c, ' ' | '\t' | '>')) {
            before.into_owned()
        } else {
            prefix::of(&self.node).as_str().to_owned()
        }
    }
}

impl Row {
    /// A row by its pipes. A pipe directly behind a backslash is text, however many backslashes there are.
    fn split(view: &View, range: Range<usize>) -> Self {
        let source = view.slice(range.clone());
        let bytes = source.as_bytes();
        let is_pipe =
            |at: usize| bytes.get(at) == Some(&b'|') && (at == 0 || bytes.get(at - 1) != Some(&b'\\'));
        let pipes: Vec<usize> = (0..bytes.len()).filter(|at| is_pipe(*at)).collect();
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
        Self { range, cells, open, closed }
    }
}

impl Cells {
    /// Row by row with a pipe at both ends of each, the rule second: this form can say everything.
    pub(in crate::ops) fn piped(&self) -> Vec<String> {
        let rule = row_of(&self.rule);
        let mut rows = self.rows.iter().map(|row| row_of(row));
        rows.next().into_iter().chain([rule]).chain(rows).collect()
    }
}

/// One row with a pipe at both ends.
pub(in crate::ops) fn row_of(cells: &[String]) -> String {
    let mut row = String::from("|");
    for cell in cells {
        row.push_str(&padded(cell, 0));
        row.push('|');
    }
    row
}

/// A cell of `width` characters if the text fits, with a blank on each side.
pub(in crate::ops) fn padded(content: &str, width: usize) -> String {
    let mut cell = format!(" {content}");
    let length = cell.chars().count();
    cell.extend(std::iter::repeat_n(' ', width.saturating_sub(length).max(1)));
    cell
}

/// Cell text on one line, with pipes that do not end the cell.
pub(in crate::ops) fn written(content: &str) -> String {
    let lines: Vec<&str> = prefix::lines(content.trim()).map(str::trim).collect();
    escaped(&lines.join("<br>"), None)
}

/// Text whose pipes are no ends of cells, behind the character `before`.
pub(in crate::ops) fn escaped(content: &str, before: Option<char>) -> String {
    let mut text = String::with_capacity(content.len());
    // A backslash that is escaped itself escapes no pipe.
    let mut escapes = before == Some('\\');
    for c in content.chars() {
        if c == '|' && !escapes {
            text.push('\\');
        }
        escapes = c == '\\' && !escapes;
        text.push(c);
    }
    text
}

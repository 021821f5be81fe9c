//! Tables as a grid: which cell covers which row and column, whatever spans or merges there are.
//!
//! Rows and columns count from 0; a column is one of the grid, so that a cell over two columns answers to both.

mod cells;
mod columns;
mod create;
mod look;
mod merge;
mod shape;
mod tracked;

use std::ops::Range;

use edit::{Context, Level, PartName, Patch, Planned, Refusal};
use ooxml::xml::{Document, Node, Tree, XmlLimits, ns};

use super::place::{Ground, Places};
use super::{Op, Scope, TableRef};
use crate::document::index::{Block, BoxKind};
use crate::document::span::Span;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::open_paragraph::root_namespaces;
use crate::edits::outcome::Answer;
use crate::edits::{Markup, Outcome};

pub(crate) use create::{beside as insert_table, width_at};

/// A table taken out of its part.
pub(crate) struct Table {
    part: PartName,
    /// Of the story, as places count them.
    story: u32,
    base: usize,
    source: Vec<u8>,
    tree: Tree,
    dialect: Dialect,
}

pub(crate) struct Row<'a> {
    node: Node<'a>,
    /// Grid columns that the row leaves out at its start and its end.
    before: usize,
    after: usize,
    cells: Vec<Cell<'a>>,
    /// Whether a tracked merge has taken cells of the row that are still in the file. They cover no column of their own.
    joined: bool,
}

#[derive(Clone)]
pub(crate) struct Cell<'a> {
    node: Node<'a>,
    column: usize,
    span: usize,
    merge: Merge,
}

/// How a cell is joined with those above and below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Merge {
    Alone,
    First,
    Goes,
}

impl Row<'_> {
    fn width(&self) -> usize {
        self.before + self.cells.iter().map(|cell| cell.span).sum::<usize>() + self.after
    }

    fn covering(&self, column: usize) -> Option<&Cell<'_>> {
        self.cells.iter().find(|cell| cell.columns().contains(&column))
    }
}

impl Cell<'_> {
    fn columns(&self) -> Range<usize> {
        self.column..self.column + self.span
    }
}

pub(crate) fn plan(
    view: &View,
    op: &Op,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    match op {
        Op::TableCreate(op) => create::plan(view, op, places, markup, cx),
        Op::TableInsertRows(op) => shape::insert_rows(view, op, places, markup, cx),
        Op::TableInsertColumns(op) => columns::insert_columns(view, op, places, markup, cx),
        Op::TableDeleteRows(op) => shape::delete_rows(view, op, places, markup, cx),
        Op::TableDeleteColumns(op) => columns::delete_columns(view, op, places, markup, cx),
        Op::TableSetCellText(op) => cells::set_text(view, op, places, markup, cx),
        Op::TableMergeCells(op) => merge::merge(view, op, places, markup, cx),
        Op::TableApplyStyle(op) => look::apply(view, op, places, markup, cx),
        other => Err(Refusal::internal(format!("`{}` is no operation on a table", other.name()))),
    }
}

/// The bytes of the table that is meant.
pub(crate) fn resolve(view: &View, table: &TableRef, places: &Places) -> Result<Span, Refusal> {
    match table {
        TableRef::Table(id) => {
            let span = places.find(view, "table", id)?;
            around(view, &span).ok_or_else(|| Refusal::not_found("table", id.as_str()))
        }
        TableRef::Range(id) => {
            let named = places.find(view, "range", id)?;
            let span = Ground::under(view, &named)?.span(view)?;
            around(view, &span)
                .or_else(|| around(view, &named))
                .ok_or_else(|| Refusal::not_found("table around range", id.as_str()))
        }
        TableRef::Current => {
            let selected = places.selection.as_ref().and_then(|span| around(view, span));
            let mut all = top_tables(view);
            match (selected, all.len()) {
                (Some(span), _) => Ok(span),
                (None, 1) => Ok(all.remove(0)),
                (None, 0) => Err(Refusal::not_found("table", "at the selection")),
                (None, count) => Err(Refusal::Ambiguous {
                    text: "the table".to_owned(),
                    count,
                    within: "the document".to_owned(),
                    contexts: Vec::new(),
                }),
            }
        }
        TableRef::Nth(number) => {
            let all = top_tables(view);
            all.get(*number).cloned().ok_or_else(|| Refusal::NotFound {
                what: "table",
                id: number.to_string(),
                nearest: match all.len() {
                    0 => Vec::new(),
                    1 => vec!["0, the only table".to_owned()],
                    count => vec![format!("0 to {}, the tables of the body", count - 1)],
                },
            })
        }
    }
}

/// The innermost table that holds all of these bytes.
fn around(view: &View, span: &Span) -> Option<Span> {
    let number = view.layout().stories.iter().position(|(_, name)| name.as_str() == span.part)?;
    let part = view.part(Place { part: number as u32, index: 0 })?;
    let holds = |block: &Block| {
        block.kind == BoxKind::Table && block.start as usize <= span.start && span.end <= block.end as usize
    };
    let block = part.boxes.iter().filter(holds).max_by_key(|block| block.start)?;
    Some(Span::new(&part.name, block.start as usize..block.end as usize))
}

/// The tables of the body that stand in no other table, in order.
pub(crate) fn top_tables(view: &View) -> Vec<Span> {
    let Some(part) = view.part(Place { part: 0, index: 0 }) else { return Vec::new() };
    let nested = |block: &Block| part.around(block.parent).any(|(_, outer)| outer.kind == BoxKind::Table);
    let mut all: Vec<Span> = part
        .boxes
        .iter()
        .filter(|block| block.kind == BoxKind::Table && !nested(block))
        .map(|block| Span::new(&part.name, block.start as usize..block.end as usize))
        .collect();
    all.sort_by_key(|span| span.start);
    all
}

impl Table {
    pub(crate) fn open(view: &View, span: &Span) -> Result<Self, Refusal> {
        let story = view.layout().stories.iter().position(|(_, name)| name.as_str() == span.part);
        let story = story.ok_or_else(|| Refusal::not_found("part", span.part.as_str()))? as u32;
        let part = PartName::new(span.part.as_str());
        let blob = view.content().existing(&part)?;
        let source = blob.slice(span.range()).into_owned();
        let limits = XmlLimits::default();
        let wrong = |error: ooxml::xml::XmlError| error.in_part(&part);
        let namespaces = root_namespaces(&blob).map_err(wrong)?;
        let (tree, namespaces) = match Tree::parse_fragment(&source, &namespaces, &limits) {
            Ok(tree) => (tree, namespaces),
            // A prefix that is declared somewhere between the root and the table.
            Err(_) => {
                let document = Document::parse(&blob, &limits).map_err(wrong)?;
                let found = document.root().descendants().find(|node| node.span() == span.range());
                let namespaces = found
                    .and_then(|node| node.parent())
                    .map(|parent| parent.namespaces())
                    .ok_or_else(|| Refusal::internal("a table that the part does not have"))?;
                (Tree::parse_fragment(&source, &namespaces, &limits).map_err(wrong)?, namespaces)
            }
        };
        let dialect = Dialect::of(&namespaces)?;
        Ok(Self { part, story, base: span.start, source, tree, dialect })
    }

    /// The table that is meant, ready to be changed: unlocked, and with each cell over the columns it covers.
    fn for_edit(draft: &mut Draft<'_>, table: &TableRef, places: &Places) -> Result<Self, Refusal> {
        let span = resolve(draft.view(), table, places)?;
        let table = Self::open(draft.view(), &span)?;
        check_locks(draft.view(), &table)?;
        let splices = merge::old_merges(&table)?;
        if splices.is_empty() {
            return Ok(table);
        }
        let mut patch = Patch::new();
        table.add_to(&mut patch, splices)?;
        draft.apply(&patch)?;
        draft.note(
            Level::Info,
            "cells merged in the old way (hMerge) are now written as one over several columns",
        );
        let inside = Span { part: span.part, start: span.start, end: span.start + 1 };
        let span = around(draft.view(), &inside).filter(|found| found.start == inside.start);
        Self::open(
            draft.view(),
            &span.ok_or_else(|| Refusal::internal("a table that cannot be found again"))?,
        )
    }

    fn node(&self) -> Result<Node<'_>, Refusal> {
        let mut elements = self.tree.document(&self.source).elements();
        elements.next().ok_or_else(|| Refusal::internal("a table without an element"))
    }

    fn rows(&self) -> Result<Vec<Row<'_>>, Refusal> {
        let mut rows = Vec::new();
        for node in held(self.node()?, "tr") {
            let properties = node.child(ns::W, "trPr");
            let number = |name: &str| -> usize {
                let value =
                    properties.and_then(|properties| properties.child(ns::W, name)?.value(ns::W, "val"));
                value.and_then(|value| value.parse().ok()).unwrap_or(0)
            };
            let before = number("gridBefore");
            let mut row = Row { node, before, after: number("gridAfter"), cells: Vec::new(), joined: false };
            let mut column = before;
            // Columns that the cell before has taken over from those that follow.
            let mut taken: usize = 0;
            for node in held(node, "tc") {
                let properties = node.child(ns::W, "tcPr");
                let child = |name: &str| properties.and_then(|properties| properties.child(ns::W, name));
                let span = child("gridSpan").and_then(|span| span.value(ns::W, "val")?.parse().ok());
                let span: usize = span.filter(|span| (1..=1000).contains(span)).unwrap_or(1);
                let pending = child("cellMerge").and_then(|merge| merge.value(ns::W, "vMerge"));
                let merge = match (pending.as_deref(), child("vMerge").map(|merge| merge.value(ns::W, "val")))
                {
                    (Some("rest"), _) => Merge::First,
                    (Some("cont"), _) => Merge::Goes,
                    (_, None) => Merge::Alone,
                    (_, Some(Some(value))) if value == "restart" => Merge::First,
                    (_, Some(_)) => Merge::Goes,
                };
                let old = child("tcPrChange").and_then(|record| {
                    let old = record.child(ns::W, "tcPr")?.child(ns::W, "gridSpan");
                    Some(old.and_then(|span| span.value(ns::W, "val")?.parse().ok()).unwrap_or(1))
                });
                if taken >= span && child("cellDel").is_some() {
                    taken -= span;
                    row.joined = true;
                    continue;
                }
                taken = old.map_or(0, |old: usize| span.saturating_sub(old));
                row.cells.push(Cell { node, column, span, merge });
                column += span;
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn size(&self) -> Result<(usize, usize), Refusal> {
        let rows = self.rows()?;
        Ok((rows.len(), rows.iter().map(Row::width).max().unwrap_or(0)))
    }

    /// Widths of the grid's columns in twentieths of a point, as far as they are known.
    fn widths(&self, columns: usize) -> Result<Vec<usize>, Refusal> {
        let grid = self.node()?.child(ns::W, "tblGrid");
        let listed = grid.iter().flat_map(|grid| grid.elements()).filter(|node| node.is(ns::W, "gridCol"));
        let mut widths: Vec<usize> =
            listed.map(|node| node.value(ns::W, "w").and_then(|w| w.parse().ok()).unwrap_or(0)).collect();
        let usual = widths.iter().copied().filter(|width| *width > 0).min().unwrap_or(1440);
        widths.resize(columns, usual);
        Ok(widths)
    }

    /// Adds splices of the table's own source to a patch.
    fn add_to(&self, patch: &mut Patch, splices: Vec<(Range<usize>, String)>) -> Result<(), Refusal> {
        for (range, with) in splices {
            patch.splice(&self.part, self.base + range.start..self.base + range.end, with)?;
        }
        Ok(())
    }

    /// Makes the change and answers with the table as it is then.
    fn finish(
        &self,
        mut draft: Draft<'_>,
        patch: &Patch,
        summary: String,
    ) -> Result<Planned<Outcome>, Refusal> {
        draft.apply(patch)?;
        let start = self.base;
        let at = Span { part: self.part.as_str().to_owned(), start, end: start + 1 };
        let answer = match around(draft.view(), &at).filter(|span| span.start == start) {
            Some(span) => {
                let (rows, cols) = Table::open(draft.view(), &span)?.size()?;
                Answer::TableChanged { table: span, rows, cols }
            }
            None => Answer::TableGone { deleted: true },
        };
        Ok(draft.done(summary, answer))
    }
}

/// Rows of a table or cells of a row, also those that a content control or a revision is wrapped around.
fn held<'a>(node: Node<'a>, name: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    for child in node.elements() {
        match word_name(&child) {
            known if known == name => found.push(child),
            "sdt" | "sdtContent" | "customXml" | "ins" | "del" | "moveFrom" | "moveTo" => {
                found.extend(held(child, name));
            }
            _ => {}
        }
    }
    found
}

/// Refuses what a lock on a content control around the table forbids.
fn check_locks(view: &View, table: &Table) -> Result<(), Refusal> {
    let span = Span {
        part: table.part.as_str().to_owned(),
        start: table.base,
        end: table.base + table.source.len(),
    };
    match Ground::under(view, &span) {
        Ok(ground) => {
            ground.stretches.iter().try_for_each(|stretch| crate::edits::check_controls(view, stretch.place))
        }
        Err(_) => Ok(()),
    }
}

/// Refuses to take columns out of a table in which the merge of some waits for a decision.
fn check_columns(rows: &[Row<'_>]) -> Result<(), Refusal> {
    match rows.iter().any(|row| row.joined) {
        false => Ok(()),
        true => Err(Refusal::Unsafe {
            why: "cells of the table are merged in a tracked change".to_owned(),
            instead: Some("accept or reject that first".to_owned()),
        }),
    }
}

fn index(field: &'static str, found: usize, count: usize) -> Result<usize, Refusal> {
    match found < count {
        true => Ok(found),
        false => {
            Err(Refusal::invalid(field, found, format!("a number from 0 to {}", count.saturating_sub(1))))
        }
    }
}

/// Where a scope's table would be, for operations that only name a scope.
pub(crate) fn anchor_table(view: &View, table: &mut TableRef, places: &mut Places) -> Result<(), Refusal> {
    if matches!(table, TableRef::Current | TableRef::Nth(_)) {
        let span = resolve(view, table, places)?;
        let id = format!("table:{}", span.start);
        places.named.insert(id.clone(), span);
        *table = TableRef::Table(id);
    }
    Ok(())
}

/// What a cell shows when a table says only where it is.
fn is_document(scope: &Scope) -> bool {
    matches!(scope, Scope::Document)
}

//! Operations carried out in a file.
//!
//! An operation names places by words and ids; who keeps those ids resolves them to bytes first
//! ([`Places`]), so that what is planned, staged and written down means the same whoever reads it later.

use edit::{Context, Lost, Note, Patch, Planned, Refusal};
use serde::{Deserialize, Serialize};

use super::place::{Ground, Places};
use super::{
    Op, Scope, SetSelection, TableRef, Target, beside_table, format, picture, replace, search, styles, table,
    text,
};
use crate::document::span::Span;
use crate::document::view::View;
use crate::edits::outcome::Answer;
use crate::edits::{Markup, Outcome};

/// An operation with all it speaks of made concrete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub op: Op,
    #[serde(default)]
    pub places: Places,
    #[serde(default)]
    pub markup: Markup,
}

/// An answer, and what is to be said about it.
pub type Reading = (Answer<Span>, Vec<Note>);

/// Carries out an operation that leaves the document as it is; `None` if it is another one.
///
/// Of `SetSelection` the answer is the new selection, which the caller keeps.
pub fn read(view: &View, op: &Op, places: &Places) -> Option<Result<Reading, Refusal>> {
    let alone = |answer: Result<Answer<Span>, Refusal>| Ok((answer?, Vec::new()));
    let (scope, read) = match op {
        Op::Search(search) => (&search.scope, search::run(view, search, places)),
        Op::ListStyles(op) => (&Scope::Document, alone(styles::answer(view, op))),
        Op::GetSelection => {
            (&Scope::Selection, alone(selected(view, &Scope::Selection, super::Location::Replace, places)))
        }
        Op::SetSelection(SetSelection { scope, location }) => {
            (scope, alone(selected(view, scope, *location, places)))
        }
        _ => return None,
    };
    Some(read.map(|(answer, mut notes)| {
        notes.extend(places.no_selection(scope));
        (answer, notes)
    }))
}

/// What stands in these bytes; paragraphs end in a line feed.
pub fn text_of(view: &View, span: &Span) -> Result<String, Refusal> {
    Ground::under(view, span)?.text(view)
}

fn selected(
    view: &View,
    scope: &Scope,
    location: super::Location,
    places: &Places,
) -> Result<Answer<Span>, Refusal> {
    use super::Location;
    let mut ground = Ground::of(view, scope, places)?;
    if let (Some(table), Some(position)) =
        (ground.table.take_if(|_| location != Location::Replace), beside_table::outside(location))
    {
        ground = beside_table::cursor_beside(view, &table, position)?;
    }
    match location {
        Location::Replace => {}
        Location::Start | Location::Before => {
            ground.stretches.truncate(1);
            if let Some(first) = ground.stretches.first_mut() {
                first.range.end = first.range.start;
            }
        }
        Location::End | Location::After => {
            let last = ground.last()?.clone();
            ground.stretches = vec![last];
            if let Some(last) = ground.stretches.first_mut() {
                last.range.start = last.range.end;
            }
        }
    }
    let (start, end) = ground.positions(view)?;
    Ok(Answer::Selection { text: ground.text(view)?, range: ground.span(view)?, start, end })
}

pub(crate) fn plan(view: &View, operation: &Operation, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let Operation { op, places, markup } = operation;
    match op {
        Op::InsertText(op) => text::plan(view, op, places, *markup, cx),
        Op::Replace(op) => replace::plan(view, op, places, *markup, cx),
        Op::GetSelection | Op::SetSelection(_) | Op::Search(_) | Op::ListStyles(_) => {
            let (answer, notes) =
                read(view, op, places).unwrap_or_else(|| Err(Refusal::internal("no such reading")))?;
            Ok(Planned {
                step: edit::Step { notes, ..edit::Step::default() },
                outcome: Outcome::Op { answer },
            })
        }
        Op::ApplyStyle(op) => format::plan(view, op, places, *markup, cx),
        Op::InsertPicture(op) => picture::plan(view, op, places, *markup, cx),
        op => table::plan(view, op, places, *markup, cx),
    }
}

/// Fixes what an operation found by looking: the place of a text it quotes, the table it counted to.
pub(crate) fn anchor(view: &View, operation: &Operation) -> Result<Operation, Refusal> {
    let mut fixed = operation.clone();
    let Operation { op, places, .. } = &mut fixed;
    if let Some(scope) = scope_of(op) {
        match scope {
            Scope::Found(text) | Scope::First(text) | Scope::Paragraph(text) => {
                let id = format!("found:{text}");
                let span = Ground::of(view, scope, places)?.span(view)?;
                places.named.insert(id.clone(), span);
                *scope = Scope::Range(id);
            }
            Scope::Selection if places.selection.is_none() => {
                places.selection = Some(Ground::of(view, scope, places)?.span(view)?);
            }
            _ => {}
        }
    }
    if let Some(table) = table_of(op) {
        table::anchor_table(view, table, places)?;
    }
    Ok(fixed)
}

fn table_of(op: &mut Op) -> Option<&mut TableRef> {
    match op {
        Op::TableInsertRows(op) | Op::TableInsertColumns(op) => Some(&mut op.table),
        Op::TableDeleteRows(op) | Op::TableDeleteColumns(op) => Some(&mut op.table),
        Op::TableSetCellText(op) => Some(&mut op.table),
        Op::TableMergeCells(op) => Some(&mut op.table),
        Op::TableApplyStyle(op) => Some(&mut op.table),
        _ => None,
    }
}

pub(crate) fn carry(operation: &Operation, patch: &Patch) -> Result<Operation, Lost> {
    match operation.places.carried(patch) {
        Some(places) => Ok(Operation { places, ..operation.clone() }),
        None => Err(Lost { why: "the text it was made for has changed".to_owned() }),
    }
}

fn scope_of(op: &mut Op) -> Option<&mut Scope> {
    match op {
        Op::InsertText(op) => Some(&mut op.scope),
        Op::InsertPicture(op) => Some(&mut op.scope),
        Op::TableCreate(op) => Some(&mut op.scope),
        Op::ApplyStyle(op) => Some(&mut op.scope),
        Op::Replace(op) => match &mut op.target {
            Target::Whole(scope) | Target::Query { scope, .. } => Some(scope),
        },
        _ => None,
    }
}

impl Op {
    /// The ids of ranges and tables that the operation names, for whoever keeps them.
    pub fn ids(&self) -> Vec<&str> {
        let scope = match self {
            Op::InsertText(op) => Some(&op.scope),
            Op::InsertPicture(op) => Some(&op.scope),
            Op::TableCreate(op) => Some(&op.scope),
            Op::ApplyStyle(op) => Some(&op.scope),
            Op::Search(op) => Some(&op.scope),
            Op::SetSelection(op) => Some(&op.scope),
            Op::Replace(op) => match &op.target {
                Target::Whole(scope) | Target::Query { scope, .. } => Some(scope),
            },
            _ => None,
        };
        let table = match self {
            Op::TableInsertRows(op) | Op::TableInsertColumns(op) => Some(&op.table),
            Op::TableDeleteRows(op) | Op::TableDeleteColumns(op) => Some(&op.table),
            Op::TableSetCellText(op) => Some(&op.table),
            Op::TableMergeCells(op) => Some(&op.table),
            Op::TableApplyStyle(op) => Some(&op.table),
            _ => None,
        };
        let range = scope.and_then(|scope| match scope {
            Scope::Range(id) | Scope::Table(id) => Some(id.as_str()),
            _ => None,
        });
        let table = table.and_then(|table| match table {
            TableRef::Table(id) | TableRef::Range(id) => Some(id.as_str()),
            TableRef::Current | TableRef::Nth(_) => None,
        });
        range.into_iter().chain(table).collect()
    }
}

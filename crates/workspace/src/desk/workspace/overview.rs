//! What a caller is told of a document at a glance: its title, what is selected, where the cursor is, how much there is.

use word::op::{self, Span};

use super::*;
use crate::targets::{Cells, mark, shown_cell, text_blocks, word_said};

/// A document as one caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    pub title: String,
    pub kind: Kind,
    pub revision: RevisionId,
    pub dirty: bool,
    /// Suggestions that wait for a decision.
    pub pending: usize,
    /// What this caller has selected; empty if it has a cursor only.
    pub selection: Option<String>,
    pub cursor: Option<Cursor>,
    pub count: Count,
    /// Those that positions count: paragraphs of the body, blocks that hold text; none in a workbook.
    pub paragraphs: usize,
}

/// Where the caller's selection ends, with characters in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub paragraph: usize,
    pub character: usize,
}

/// A paragraph as positions count it, and the text in which they count characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParagraphText {
    pub number: usize,
    pub id: Option<String>,
    pub text: String,
}

impl Workspace {
    /// A document at a glance; `window` says whose selection is meant.
    pub fn overview(&self, document: DocId, window: &WindowLabel) -> Result<Overview, Refusal> {
        let status = self.status(document)?;
        let count = self.count(document)?;
        let selected = self.selection(document, window)?;
        let (revision, paragraphs, selection) = match status.kind {
            Kind::Word => {
                let Snapshot { revision, view, .. } = self.snapshot::<word::Word>(document)?;
                (revision, view.body().count(), selected.map(|place| in_word(&view, &place)).transpose()?)
            }
            Kind::Markdown => {
                let Snapshot { revision, view, .. } = self.snapshot::<markdown::Markdown>(document)?;
                let paragraphs = text_blocks(&view).count();
                (revision, paragraphs, selected.map(|place| in_prose(&view, &place)))
            }
            Kind::Sheet | Kind::Text => (status.revision, 0, None),
        };
        let (selection, cursor) = selection.map_or((None, None), |(text, cursor)| (Some(text), cursor));
        let DocumentStatus { title, kind, dirty, pending, .. } = status;
        Ok(Overview { title, kind, revision, dirty, pending, selection, cursor, count, paragraphs })
    }

    /// Some paragraphs, from number `first` on. Of a workbook, the cells that hold something.
    pub fn paragraphs(
        &self,
        document: DocId,
        first: usize,
        most: usize,
    ) -> Result<(RevisionId, Vec<ParagraphText>), Refusal> {
        match self.status(document)?.kind {
            Kind::Word => {
                let Snapshot { revision, view, .. } = self.snapshot::<word::Word>(document)?;
                let some = view.body().enumerate().skip(first).take(most);
                let told = some.map(|(number, place)| {
                    let (id, text) = (Some(view.id(place).to_string()), word_said(&view, place)?);
                    Ok(ParagraphText { number, id, text })
                });
                Ok((revision, told.collect::<Result<_, Refusal>>()?))
            }
            Kind::Markdown => {
                let Snapshot { revision, view, .. } = self.snapshot::<markdown::Markdown>(document)?;
                let mut ids = markdown::Ids::new(&view);
                let some = text_blocks(&view).enumerate().skip(first).take(most);
                let told = some.map(|(number, node)| {
                    let id = ids.of(&node).map(|id| format!("{id}@{}", mark(revision)));
                    ParagraphText { number, id, text: node.source().into_owned() }
                });
                let told = told.collect();
                Ok((revision, told))
            }
            Kind::Sheet => {
                let Snapshot { revision, view, .. } = self.snapshot::<sheet::Sheet>(document)?;
                Ok((revision, cells_told(&view, first, most)?))
            }
            Kind::Text => Err(Refusal::unsupported("reading a text file by paragraphs")),
        }
    }
}

fn cells_told(view: &sheet::View, first: usize, most: usize) -> Result<Vec<ParagraphText>, Refusal> {
    let (mut told, mut number) = (Vec::new(), 0);
    for worksheet in view.worksheets() {
        let worksheet = worksheet?;
        let Some(extent) = worksheet.extent()? else { continue };
        for cell in worksheet.cells(extent)? {
            if cell.formula.is_none() && cell.value == sheet::Value::Blank {
                continue;
            }
            if (first..first.saturating_add(most)).contains(&number) {
                let (top, left) = (cell.at.row, cell.at.col);
                let area = sheet::Area { top, left, bottom: top, right: left };
                let here = Cells { sheet: worksheet.name().to_owned(), area };
                let text = shown_cell(view, &here)?.unwrap_or_default();
                told.push(ParagraphText { number, id: Some(here.to_string()), text });
            }
            number += 1;
        }
    }
    Ok(told)
}

fn in_word(view: &word::View, place: &Selection) -> Result<(String, Option<Cursor>), Refusal> {
    let span = Span::new(&place.part, place.range.clone());
    let text = op::text_of(view, &span)?;
    let (end, byte) = op::end_of(view, &span)?;
    let Some(paragraph) = view.body().position(|body| body == end) else { return Ok((text, None)) };
    let said = word_said(view, end)?;
    let before = said.get(..byte).ok_or_else(|| Refusal::internal("a cursor beyond its paragraph"))?;
    let character = before.encode_utf16().count();
    Ok((text, Some(Cursor { paragraph, character })))
}

fn in_prose(view: &markdown::View, place: &Selection) -> (String, Option<Cursor>) {
    let end = place.range.end.min(view.len());
    let text = view.slice(place.range.start.min(end)..end).into_owned();
    let before = text_blocks(view).enumerate().take_while(|(_, node)| node.range().start <= end);
    let cursor = before.last().map(|(paragraph, node)| {
        let range = node.range();
        let within = view.slice(range.start..end.min(range.end));
        Cursor { paragraph, character: within.encode_utf16().count() }
    });
    (text, cursor)
}

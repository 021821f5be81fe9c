//! Operations of the `word.op` vocabulary on a document of the workspace.
//!
//! An operation names its places by words, by the selection and by the ids of ranges; here they become bytes of the
//! document, the operations become one change through [`Workspace::edit`], and the ranges of the answers get ids. How
//! an operation is written down, and what its answer looks like on a wire, is for the doors.

mod pictures;

use edit::{Note, PartName, Refusal, RevisionId};
use word::op::{self, Op, Operation, Places, RangeOf, Span};
use word::{Edit, Markup, Outcome, ParagraphId, TableId, Word};

use crate::caller::network::FetchError;
use crate::caller::windows::WindowLabel;
use crate::desk::workspace::Workspace;
use crate::document::edits::{EditRequest, Ending, Mode, Standing};
use crate::document::moving_ranges::Selection;
use crate::ids::{DocId, RangeId, SessionId};

/// What an operation answers. A range has an id if it stands in the document, and none as long as it only would.
pub type Answer = op::Answer<Option<RangeId>>;

/// Where operations are carried out, and how.
#[derive(Debug, Clone)]
pub struct Site {
    pub document: DocId,
    /// Whose selection is meant.
    pub cursor: WindowLabel,
    pub mode: Mode,
    pub markup: Markup,
    pub standing: Standing,
}

/// What came of operations.
#[derive(Debug, Clone)]
pub struct Done {
    /// One for each operation.
    pub answers: Vec<Answer>,
    /// `None` if all of them only read.
    pub ending: Option<Ending>,
    /// What was changed, for people.
    pub summary: String,
    pub notes: Vec<Note>,
    /// The head after a change.
    pub revision: Option<RevisionId>,
}

/// Why operations were not carried out.
#[derive(Debug)]
pub enum OperationError {
    Refused(Refusal),
    /// A picture that they need cannot be had.
    Picture(FetchError),
}

impl From<Refusal> for OperationError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<FetchError> for OperationError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Picture(other),
        }
    }
}

/// Whose selection operations in a session use: that of the window that shows the document; elsewhere the session has one of
/// its own.
pub fn cursor(workspace: &Workspace, document: DocId, session: &SessionId) -> WindowLabel {
    match workspace.active(None) {
        Ok((window, shown)) if shown == document => window,
        _ => WindowLabel::new(session.to_string()),
    }
}

/// Carries out operations, each on what the one before it left: one change, made whole or not at all.
pub fn carry_out(workspace: &Workspace, site: &Site, ops: &[Op]) -> Result<Done, OperationError> {
    let cx = Cx { workspace, site };
    if ops.iter().all(Op::only_reads) {
        let (mut answers, mut notes) = (Vec::with_capacity(ops.len()), Vec::new());
        for op in ops {
            let (answer, told) = cx.read(op)?;
            answers.push(answer);
            notes.extend(told);
        }
        return Ok(Done { answers, ending: None, summary: String::new(), notes, revision: None });
    }
    Ok(cx.edit(prepared(workspace, site, ops)?)?)
}

/// Operations with their pictures fetched and their names turned into bytes of the head.
pub(crate) fn prepared(
    workspace: &Workspace,
    site: &Site,
    ops: &[Op],
) -> Result<Vec<Operation>, OperationError> {
    let cx = Cx { workspace, site };
    let mut operations = Vec::with_capacity(ops.len());
    for op in ops {
        let op = pictures::fetched(op, &workspace.caller().network)?;
        operations.push(Operation { places: cx.places(&op)?, op, markup: site.markup });
    }
    Ok(operations)
}

struct Cx<'a> {
    workspace: &'a Workspace,
    site: &'a Site,
}

impl Cx<'_> {
    fn read(&self, op: &Op) -> Result<(Answer, Vec<Note>), Refusal> {
        let places = self.places(op)?;
        let view = self.workspace.snapshot::<Word>(self.site.document)?.view;
        let (answer, notes) = op::read(&view, op, &places)
            .unwrap_or_else(|| Err(Refusal::unsupported(format!("`{}`", op.name()))))?;
        if let (Op::SetSelection(_), op::Answer::Selection { range, .. }) = (op, &answer) {
            self.select(range)?;
        }
        Ok((self.named(answer)?, notes))
    }

    fn edit(&self, mut operations: Vec<Operation>) -> Result<Done, Refusal> {
        let edit = match operations.pop() {
            Some(only) if operations.is_empty() => Edit::Op(Box::new(only)),
            last => {
                operations.extend(last);
                Edit::Ops { operations }
            }
        };
        let request = EditRequest::new(vec![edit], self.site.mode).standing(self.site.standing);
        let outcome = self.workspace.edit::<Word>(self.site.document, request)?;
        let summary = outcome.summary();
        let (answers, selection) = match outcome.outcomes.into_iter().next() {
            Some(Outcome::Op { answer }) => (vec![answer], None),
            Some(Outcome::Ops { answers, selection }) => (answers, selection),
            _ => return Err(Refusal::internal("operations without an answer")),
        };
        let stands = matches!(outcome.ending, Ending::Applied | Ending::Unchanged);
        if let (Some(range), true) = (selection, stands) {
            self.select(&range)?;
        }
        let told = |answer: op::Answer<Span>| match stands {
            true => self.named(answer),
            false => answer.map(|_, _| Ok(None)),
        };
        let answers = answers.into_iter().map(told).collect::<Result<_, Refusal>>()?;
        let (ending, notes, revision) = (Some(outcome.ending), outcome.notes, Some(outcome.revision));
        Ok(Done { answers, ending, summary, notes, revision })
    }

    fn places(&self, op: &Op) -> Result<Places, Refusal> {
        let Site { document, cursor, .. } = self.site;
        let selection = self.workspace.selection(*document, cursor)?;
        let mut places =
            Places { selection: selection.map(|at| Span::new(&at.part, at.range)), ..Places::default() };
        for name in op.ids() {
            // What reading prints is known to the engine itself.
            if name.parse::<ParagraphId>().is_ok() || name.parse::<TableId>().is_ok() {
                continue;
            }
            let id: RangeId = name.parse().map_err(|_| Refusal::not_found("range", name))?;
            let range = self.workspace.range(*document, &id)?;
            places.named.insert(name.to_owned(), Span::new(&range.part, range.range));
        }
        Ok(places)
    }

    fn select(&self, range: &Span) -> Result<(), Refusal> {
        self.workspace.select(self.site.document, &self.site.cursor, place(range))
    }

    /// Gives every range of an answer an id, under which the workspace carries it along.
    fn named(&self, answer: op::Answer<Span>) -> Result<Answer, Refusal> {
        let document = self.site.document;
        let view = self.workspace.snapshot::<Word>(document)?.view;
        answer.map(|span, of| {
            let text = match of {
                // Only told once the range is gone; the change it came from is made by now and cannot be refused.
                RangeOf::Text => op::text_of(&view, &span).unwrap_or_else(|_| "text".to_owned()),
                RangeOf::Table => "a table".to_owned(),
            };
            let text: String = text.chars().take(200).collect();
            self.workspace.name_range(document, place(&span), &text).map(Some)
        })
    }
}

fn place(span: &Span) -> Selection {
    Selection { part: PartName::new(span.part.as_str()), range: span.range() }
}

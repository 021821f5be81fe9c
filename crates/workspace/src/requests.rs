//! Plain requests carried out: what becomes of a sentence once the grammar understood it, for each kind of document.
//!
//! The steps of a request are one change through [`Workspace::edit`]: each speaks of what the one before it left, all or
//! none are made, and one undo takes them back. Nothing is done unless all was understood. What is told here is typed;
//! doors make JSON or sentences of it.

mod order;
mod prose;
mod rule;
mod text;
mod workbook;

use edit::{Note, Refusal, RevisionId, Shown};
use planner::{Format, Plan};
use sheet::{CellRef, Value};
use word::Markup;

use crate::desk::DocumentStatus;
use crate::desk::workspace::Workspace;
use crate::document::edits::{Ending, Mode, Outcome, Standing};
use crate::ids::{DocId, SessionId};
use crate::kind::Kind;
use crate::operations::{self, OperationError};
use crate::targets::Cells;

pub use planner::{Entry, MarkdownStep, NotUnderstood, Place, SheetStep, Step, WordAct, WordStep};

/// Characters; nobody says more in plain words, and the grammar looks at each several times.
const LONGEST: usize = 4_000;

/// A request, and how it is to be carried out.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub text: &'a str,
    /// The session it is made in, if one was named.
    pub session: Option<SessionId>,
    pub markup: Markup,
    pub mode: Mode,
    pub standing: Standing,
}

/// What a request came to.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The document as it is by now.
    pub document: DocumentStatus,
    /// In which a Word document is worked on.
    pub session: Option<SessionId>,
    /// What was understood.
    pub steps: Vec<Carried>,
    pub conclusion: Conclusion,
    /// What was changed, for people; nothing where the steps say it themselves.
    pub summary: String,
    pub notes: Vec<Note>,
    /// What changed or would change, read from the result: where, before and after.
    pub shown: Vec<Shown>,
    /// The head after it.
    pub revision: RevisionId,
}

/// A step, and what it found or did unless nothing was done.
#[derive(Debug, Clone)]
pub struct Carried {
    pub step: Step,
    pub found: Option<Found>,
}

#[derive(Debug, Clone)]
pub enum Found {
    Operation(operations::Answer),
    /// What was found or done, a line each.
    Told(Vec<String>),
    /// Cells that were set or cleared.
    Written(Cells),
    Read(Cells, Vec<ShownCell>),
    /// Sections came, went or changed, or text was added.
    Prose,
    /// How often a text was replaced.
    Replaced(usize),
    Matches(Vec<Match>),
}

#[derive(Debug, Clone)]
pub struct ShownCell {
    pub at: CellRef,
    pub value: Value,
    /// As Excel shows it.
    pub text: String,
    /// With its equals sign.
    pub formula: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub line: usize,
    pub column: usize,
    pub context: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion {
    /// What was not understood, so nothing was done.
    NotUnderstood(Vec<NotUnderstood>),
    /// The request only asked.
    Answered,
    Changed(Ending),
}

/// Why a request that was understood was not carried out; nothing of it was.
#[derive(Debug)]
pub enum RequestError {
    /// Requests are understood for Word, Excel and Markdown documents only.
    Format { title: String, kind: Kind },
    Refused {
        steps: Vec<Step>,
        /// Which of the steps it was, where that is known.
        at: Option<usize>,
        why: Box<OperationError>,
    },
}

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { steps: Vec::new(), at: None, why: Box::new(refusal.into()) }
    }
}

/// Carries out a request on a document.
pub fn carry_out(
    workspace: &Workspace,
    document: DocId,
    request: &Request<'_>,
) -> Result<Answer, RequestError> {
    workspace.refresh(document)?;
    let format = format(workspace, document, request)?;
    let session = match (format, &request.session) {
        (Format::Word, Some(session)) => Some(session.clone()),
        (Format::Word, None) => Some(workspace.working_session(document)?),
        (Format::Sheet | Format::Markdown, _) => None,
    };
    let Plan { steps, mut rest } = planner::understand(request.text, format);
    if steps.is_empty() && rest.is_empty() {
        let why = "the request says nothing to do".to_owned();
        rest.push(NotUnderstood { text: String::new(), why });
    }
    let work = match &session {
        _ if !rest.is_empty() => Ok(Work::none(Conclusion::NotUnderstood(rest))),
        Some(session) => text::carry_out(workspace, document, session, request, &steps),
        None if format == Format::Sheet => workbook::carry_out(workspace, document, request, &steps),
        None => prose::carry_out(workspace, document, request, &steps),
    };
    let Work { found, conclusion, summary, notes, revision, shown } = match work {
        Ok(work) => work,
        Err(Stumble { at, why }) => return Err(RequestError::Refused { steps, at, why: Box::new(why) }),
    };
    let found = found.into_iter().map(Some).chain(std::iter::repeat(None));
    let steps = steps.into_iter().zip(found).map(|(step, found)| Carried { step, found }).collect();
    let document = workspace.status(document)?;
    let revision = revision.unwrap_or(document.revision);
    Ok(Answer { document, session, steps, conclusion, summary, notes, shown, revision })
}

/// What the grammar has to know of the document; refuses what no request can ask of it.
fn format(workspace: &Workspace, document: DocId, request: &Request<'_>) -> Result<Format, RequestError> {
    let DocumentStatus { kind, title, .. } = workspace.status(document)?;
    let format = match kind {
        Kind::Word => Format::Word,
        Kind::Sheet => Format::Sheet,
        Kind::Markdown => Format::Markdown,
        Kind::Text => return Err(RequestError::Format { title, kind }),
    };
    let length = request.text.chars().count();
    if length > LONGEST {
        let found = format!("a text of {length} characters");
        return Err(Refusal::invalid("request", found, format!("at most {LONGEST} characters")).into());
    }
    match request.markup {
        Markup::Tracked if format != Format::Word => Err(RequestError::from(Refusal::Unsupported {
            what: format!("tracking changes of a {kind} document"),
            instead: Some("only Word tracks changes; suggest it instead, and a person decides".to_owned()),
        })),
        Markup::Tracked | Markup::Plain => Ok(format),
    }
}

/// What the steps came to.
struct Work {
    /// One for each step, if they were carried out.
    found: Vec<Found>,
    conclusion: Conclusion,
    summary: String,
    notes: Vec<Note>,
    /// After a change.
    revision: Option<RevisionId>,
    shown: Vec<Shown>,
}

impl Work {
    fn none(conclusion: Conclusion) -> Self {
        let (found, summary, notes, shown) = Default::default();
        Self { found, conclusion, summary, notes, revision: None, shown }
    }

    fn answered(found: Vec<Found>) -> Self {
        Self { found, ..Self::none(Conclusion::Answered) }
    }

    fn changed<O>(found: Vec<Found>, outcome: Outcome<O>) -> Self {
        Self {
            found,
            summary: outcome.summary(),
            conclusion: Conclusion::Changed(outcome.ending),
            notes: outcome.notes,
            revision: Some(outcome.revision),
            shown: Vec::new(),
        }
    }
}

/// A step that cannot be carried out, or the change as a whole.
struct Stumble {
    at: Option<usize>,
    why: OperationError,
}

impl Stumble {
    fn at(step: usize) -> impl Fn(Refusal) -> Self {
        move |refusal| Self { at: Some(step), why: refusal.into() }
    }
}

impl<E: Into<OperationError>> From<E> for Stumble {
    fn from(why: E) -> Self {
        Self { at: None, why: why.into() }
    }
}

/// Something that whoever asked should know.
fn note(text: impl Into<String>) -> Note {
    Note { level: edit::Level::Info, text: text.into() }
}

/// Words that can be read in two ways.
fn two_readings(text: &str, one: &str, other: &str) -> Refusal {
    Refusal::Unsafe { why: format!("`{text}` can be read in two ways: {one}; or {other}"), instead: None }
}

/// A request for a change that would change nothing.
fn unchanged(why: &str) -> Refusal {
    let why = if why.is_empty() { "it is as it was asked to be" } else { why };
    Refusal::Unsupported { what: format!("a change that changes nothing: {why};"), instead: None }
}

/// A step that the grammar gave for another kind of document.
fn misplaced(step: &Step) -> Refusal {
    Refusal::internal(format!("{step:?} is about another kind of document"))
}

//! Plain requests on the wire: what `ask` answers, and what it says when a request cannot be carried out.
//!
//! What a request means and does is decided in [`workspace::requests`]; here it only gets its JSON.

mod steps;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use workspace::requests::{self, Answer, Carried, Conclusion, Request, RequestError, Step, WordAct};
use workspace::{Ending, OpenIn, SessionId};

use crate::cx::Cx;
use crate::error::ToolError;
use crate::wire;
use crate::word::{self, Track};
use crate::word_op::{self, Failure, envelope};

/// What a request came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Done {
    ok: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// `applied`, `suggested`, `dry_run`, `unchanged`, `answered` or `not_understood`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    /// Those that were chosen, each with what it answers.
    operations: Vec<Value>,
    /// What changed or would change: where, before and after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Changed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_understood: Vec<Unclear>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Changed {
    place: String,
    before: String,
    after: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Unclear {
    text: String,
    why: String,
}

/// How a request is asked for.
pub(crate) struct RequestArguments<'a> {
    pub(crate) request: &'a str,
    pub(crate) file_path: Option<&'a str>,
    pub(crate) session_id: Option<&'a str>,
    pub(crate) track: Track,
    pub(crate) dry_run: bool,
    pub(crate) override_protection: bool,
}

pub(crate) fn carry_out(cx: &Cx<'_>, asked: &RequestArguments<'_>) -> Result<Done, ToolError> {
    let (document, session) = match (asked.session_id, asked.file_path) {
        (Some(id), _) => {
            let session: SessionId = id.parse()?;
            (word::document_of(cx, &session)?, Some(session))
        }
        (None, Some(path)) => (cx.workspace.open(path, OpenIn::Tab(None))?.document, None),
        (None, None) => (cx.document(None)?.1, None),
    };
    cx.cancel.check()?;
    let (markup, mode) = (asked.track.markup(), asked.track.mode(asked.dry_run));
    let standing = asked.track.standing(asked.override_protection);
    let request = Request { text: asked.request, session, markup, mode, standing };
    Ok(Done::from(&requests::carry_out(cx.workspace, document, &request)?))
}

impl From<&Answer> for Done {
    fn from(answer: &Answer) -> Self {
        let done = Self {
            ok: true,
            file: wire::file(&answer.document),
            session_id: answer.session.as_ref().map(SessionId::to_string),
            revision: Some(answer.revision.to_string()),
            operations: operations(answer),
            changes: changes(answer),
            diagnostics: diagnostics(answer),
            ..Self::default()
        };
        match &answer.conclusion {
            Conclusion::NotUnderstood(rest) => {
                let unclear =
                    rest.iter().map(|rest| Unclear { text: rest.text.clone(), why: rest.why.clone() });
                let not_understood = unclear.collect();
                Self { ok: false, status: "not_understood", revision: None, not_understood, ..done }
            }
            Conclusion::Answered => Self { status: "answered", ..done },
            Conclusion::Changed(ending) => {
                let (status, suggestion_id) = wire::ending(ending);
                // A request that changed nothing was not carried out.
                let ok = *ending != Ending::Unchanged;
                Self { ok, status, suggestion_id, ..done }
            }
        }
    }
}

fn changes(answer: &Answer) -> Vec<Changed> {
    let told = answer.shown.iter().map(|shown| Changed {
        place: shown.place.clone(),
        before: shown.before.clone(),
        after: shown.after.clone(),
    });
    told.collect()
}

/// How the change of a request ended, if there is one.
fn ending(answer: &Answer) -> Option<&Ending> {
    match &answer.conclusion {
        Conclusion::Changed(ending) => Some(ending),
        Conclusion::Answered | Conclusion::NotUnderstood(_) => None,
    }
}

fn operations(answer: &Answer) -> Vec<Value> {
    let only = answer.steps.len() == 1;
    let told = answer.steps.iter().map(|Carried { step, found }| {
        let mut told = understood(step);
        match found {
            Some(requests::Found::Operation(said)) => {
                told["data"] = word_op::data(said, ending(answer).filter(|_| only)).into();
            }
            Some(found) => steps::add(&mut told, found),
            None => {}
        }
        told
    });
    told.collect()
}

/// A step as it was understood.
fn understood(step: &Step) -> Value {
    match step {
        Step::Word(step) => match &step.act {
            WordAct::Op(op) => json!({ "meta": envelope(op) }),
            _ => json!({ "op": step.name(), "reading": step.to_string() }),
        },
        Step::Sheet(step) => steps::sheet(step),
        Step::Markdown(step) => steps::prose(step),
    }
}

/// Word's operations say the level of each remark, as their own tool does.
fn diagnostics(answer: &Answer) -> Vec<String> {
    if answer.session.is_none() {
        return wire::notes(&answer.notes);
    }
    let said = answer.steps.iter().filter_map(|step| match &step.found {
        Some(requests::Found::Operation(said)) => Some(said),
        _ => None,
    });
    let remarks = word_op::remarks(&said.collect::<Vec<_>>(), ending(answer), &answer.notes);
    remarks.into_iter().map(|(level, text)| format!("{level}: {text}")).collect()
}

impl From<RequestError> for ToolError {
    fn from(error: RequestError) -> Self {
        let (steps, at, why) = match error {
            RequestError::Format { title, kind } => {
                return Self::new("WRONG_FORMAT", format!("`{title}` is a {kind} document"))
                    .hint("requests are understood for Word, Excel and Markdown documents");
            }
            RequestError::Refused { steps, at, why } => (steps, at, *why),
        };
        let error = match (why, steps.first()) {
            (why, Some(Step::Word(_))) => {
                let operations: Vec<Value> = steps.iter().map(understood).collect();
                return Failure::from(why).into_tool_error().data(json!({ "operations": operations }));
            }
            (workspace::operations::OperationError::Refused(refusal), _) => Self::from(refusal),
            (why, _) => Failure::from(why).into_tool_error(),
        };
        // A refusal of one step among several says which.
        match at.and_then(|index| Some((index, steps.get(index)?))) {
            Some((index, step)) if steps.len() > 1 => {
                let place = format!("operation {} of {} ({})", index + 1, steps.len(), steps::name(step));
                error.within(place)
            }
            _ => error,
        }
    }
}

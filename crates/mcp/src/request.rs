//! Plain requests carried out: what `ask` does once it was understood, for each kind of document.
//!
//! The steps of a request are one change: each speaks of what the one before it left, all or none are made, and one
//! undo takes them back.

mod prose;
mod sheet;
mod text;

use planner::{Format, MarkdownStep, Plan, SheetStep, Step};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use workspace::word::op::Op;
use workspace::{DocId, Ending, Kind, OpenIn, Outcome};

use crate::cx::Cx;
use crate::error::ToolError;
use crate::word::Track;

/// What a request came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Done {
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    /// `applied`, `suggested`, `dry_run`, `unchanged`, `answered` or `not_understood`.
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) suggestion_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) revision: Option<String>,
    /// Those that were chosen, each with what it answers.
    pub(crate) operations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_understood: Vec<Unclear>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) diagnostics: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Unclear {
    text: String,
    why: String,
}

/// How a request is asked for.
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a str,
    pub(crate) file_path: Option<&'a str>,
    pub(crate) session_id: Option<&'a str>,
    pub(crate) track: Track,
    pub(crate) dry_run: bool,
}

pub(crate) fn carry_out(cx: &Cx<'_>, asked: &Asked<'_>) -> Result<Done, ToolError> {
    let document = match (asked.session_id, asked.file_path) {
        (Some(id), _) => cx.workspace.session(&id.parse()?)?,
        (None, Some(path)) => cx.workspace.open(path, OpenIn::Tab(None))?.document,
        (None, None) => cx.document(None)?.1,
    };
    let status = cx.workspace.status(document)?;
    let format = match status.kind {
        Kind::Word => Format::Word,
        Kind::Sheet => Format::Sheet,
        Kind::Markdown => Format::Markdown,
        other => {
            let message = format!("`{}` is a {other} document", status.title);
            return Err(ToolError::new("WRONG_FORMAT", message)
                .hint("requests are understood for Word, Excel and Markdown documents"));
        }
    };
    let plan = planner::understand(asked.request, format);
    let done = match format {
        Format::Word => text::carry_out(cx, asked, plan),
        _ if asked.track == Track::On => {
            Err(ToolError::new("UNSUPPORTED", "only Word documents have tracked changes")
                .hint("use track: suggest, and a person decides"))
        }
        Format::Sheet => sheet::carry_out(cx, document, asked, plan),
        Format::Markdown => prose::carry_out(cx, document, asked, plan),
    }?;
    Ok(Done { file: cx.file(document)?, ..done })
}

/// The steps of one kind, if all of the request was understood; else the answer that says what was not.
fn understood<T>(
    plan: Plan,
    mine: fn(Step) -> Option<T>,
    told: fn(&T) -> Value,
) -> Result<Vec<T>, Box<Done>> {
    let steps: Vec<T> = plan.steps.into_iter().filter_map(mine).collect();
    let mut unclear: Vec<Unclear> =
        plan.rest.into_iter().map(|rest| Unclear { text: rest.text, why: rest.why }).collect();
    if unclear.is_empty() && steps.is_empty() {
        unclear.push(Unclear { text: String::new(), why: "the request says nothing to do".to_owned() });
    }
    match unclear.is_empty() {
        true => Ok(steps),
        false => Err(Box::new(Done {
            status: "not_understood",
            operations: steps.iter().map(told).collect(),
            not_understood: unclear,
            ..Done::default()
        })),
    }
}

fn word_step(step: Step) -> Option<Op> {
    match step {
        Step::Word(op) => Some(op),
        Step::Sheet(_) | Step::Markdown(_) => None,
    }
}

fn sheet_step(step: Step) -> Option<SheetStep> {
    match step {
        Step::Sheet(step) => Some(step),
        Step::Word(_) | Step::Markdown(_) => None,
    }
}

fn prose_step(step: Step) -> Option<MarkdownStep> {
    match step {
        Step::Markdown(step) => Some(step),
        Step::Word(_) | Step::Sheet(_) => None,
    }
}

/// The answer to a request that changed something.
fn done<O>(outcome: &Outcome<O>, operations: Vec<Value>) -> Done {
    let (status, suggestion_id) = ended(&outcome.ending);
    Done {
        ok: true,
        status,
        suggestion_id,
        revision: Some(outcome.revision.to_string()),
        operations,
        diagnostics: crate::wire::notes(&outcome.notes),
        ..Done::default()
    }
}

fn ended(ending: &Ending) -> (&'static str, Option<String>) {
    match ending {
        Ending::Applied => ("applied", None),
        Ending::Suggested(id) => ("suggested", Some(id.to_string())),
        Ending::Previewed => ("dry_run", None),
        Ending::Unchanged => ("unchanged", None),
    }
}

/// The answer to a request that only asked.
fn answered(cx: &Cx<'_>, document: DocId, operations: Vec<Value>) -> Result<Done, ToolError> {
    let revision = Some(cx.workspace.status(document)?.revision.to_string());
    Ok(Done { ok: true, status: "answered", revision, operations, ..Done::default() })
}

/// A refusal of one step among several says which.
fn in_step(index: usize, count: usize, name: &str, error: ToolError) -> ToolError {
    match count {
        1 => error,
        _ => error.within(format_args!("operation {} of {count} ({name})", index + 1)),
    }
}

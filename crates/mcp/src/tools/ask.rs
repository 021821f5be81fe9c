//! `ask`: a plain request, turned into operations without a model.

use planner::{Format, Step, understand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::Ending;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Track},
    word_op::{self, File},
};

pub(crate) const ABOUT: About = About { title: "Plain request", sets: &[Set::Word], hints: Hints::EDIT };

/// Carries out a plain English request on a Word document: "Replace all 2024 with 2025", "Make 'Total' bold, then
/// append a paragraph 'Thanks'". Answers the operations it chose; if any part is not understood, nothing is done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1, max = 4000))]
    request: String,
    /// Default: the document in front.
    file_path: Option<String>,
    session_id: Option<String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    ok: bool,
    session_id: String,
    /// Each with its `meta` and, once carried out, its `data`.
    operations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_understood: Vec<Unclear>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Unclear {
    text: String,
    why: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let session_id = target.session.to_string();
    let plan = understand(&input.request, Format::Word);
    let ops: Vec<_> = plan
        .steps
        .into_iter()
        .filter_map(|step| match step {
            Step::Word(op) => Some(op),
            Step::Sheet(_) | Step::Markdown(_) => None,
        })
        .collect();
    let not_understood: Vec<Unclear> =
        plan.rest.into_iter().map(|rest| Unclear { text: rest.text, why: rest.why }).collect();
    let mut operations: Vec<Value> =
        ops.iter().map(|op| serde_json::json!({ "meta": word_op::envelope(op) })).collect();
    let mut diagnostics = Vec::new();
    if !not_understood.is_empty() || ops.is_empty() {
        return Ok(Output { ok: false, session_id, operations, not_understood, diagnostics });
    }
    cx.cancel.check()?;
    if (input.dry_run || input.track == Track::Suggest) && ops.iter().filter(|op| !op.only_reads()).count() > 1 {
        return Err(ToolError::new("UNSUPPORTED", "staging or trying several operations that build on one another")
            .hint("ask for one at a time, or apply them"));
    }
    let mut file = File::new(cx, &target, input.track, input.dry_run);
    let mut applied = 0;
    for (index, (op, slot)) in ops.iter().zip(&mut operations).enumerate() {
        match file.carry_out(op) {
            Ok(run) => {
                applied += usize::from(file.ending == Some(Ending::Applied));
                slot["data"] = Value::Object(run.data);
                diagnostics.extend(run.diagnostics.into_iter().map(|(level, text)| format!("{level}: {text}")));
            }
            Err(failure) => {
                for _ in 0..applied {
                    cx.workspace.undo(target.document, &cx.actor)?;
                }
                let count = ops.len();
                let message = format!("operation {} of {count} ({}): {}", index + 1, op.name(), failure.messages.join("; "));
                let data = serde_json::json!({ "operations": operations });
                return Err(ToolError::new(failure.code, message).data(data));
            }
        }
    }
    Ok(Output { ok: true, session_id, operations, not_understood, diagnostics })
}

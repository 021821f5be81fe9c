//! `suggestion_review`: accept and reject suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Refusal, SuggestionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Set},
    tools::suggestion_list::{PAGE, Undecided, list},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Decide on suggestions", sets: &[Set::Core], hints: Hints::EDIT };

/// Accepts and rejects suggestions by id, and lists what is still undecided.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(default)]
    accept: Vec<String>,
    #[serde(default)]
    reject: Vec<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    done: Vec<String>,
    file: String,
    undecided: Vec<Undecided>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    let ids = |texts: &[String]| -> Result<Vec<SuggestionId>, ToolError> {
        texts.iter().map(|text| text.parse().map_err(refused)).collect()
    };
    let (accept, reject) = (ids(&input.accept)?, ids(&input.reject)?);
    cx.cancel.check()?;
    let mut done = Vec::new();
    let mut decide = |verb: &str, id: &SuggestionId, result: Result<(), Refusal>| match result {
        Ok(()) => {
            done.push(format!("{verb} {id}"));
            Ok(())
        }
        Err(refusal) => {
            let mut error = refused(refusal);
            error.written = (!done.is_empty()).then(|| done.join(", "));
            Err(error)
        }
    };
    for id in &accept {
        decide("accepted", id, cx.workspace.accept(document, id).map(drop))?;
    }
    for id in &reject {
        decide("rejected", id, cx.workspace.reject(document, id).map(drop))?;
    }
    let mut undecided = list(cx, document)?;
    undecided.truncate(PAGE);
    Ok(Output { undecided, done, file: cx.file(document)? })
}

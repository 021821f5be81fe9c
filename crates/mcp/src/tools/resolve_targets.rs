//! `resolve_targets`: what ids and queries stand for.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::{Mark, Query, candidates, resolve};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, parsed, reply, shorten},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Resolve targets", sets: &[Set::Markdown], hints: Hints::READ };

/// Where node ids, headings or texts stand; or, with `query` {type, level, contains, hasMarks}, the blocks that fit, scored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    targets: Option<Vec<String>>,
    query: Option<Value>,
    window_id: Option<Window>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct QueryInput {
    #[serde(rename = "type")]
    kind: Option<String>,
    level: Option<u8>,
    contains: Option<String>,
    #[serde(default)]
    has_marks: Vec<Mark>,
}

fn scored(prose: &Prose, query: QueryInput) -> Value {
    let QueryInput { kind, level, contains, has_marks } = query;
    let found = candidates(&prose.view, &Query { kind, level, contains, marks: has_marks });
    let told: Vec<Value> = found
        .iter()
        .take(50)
        .map(|candidate| {
            json!({
                "nodeId": candidate.id.to_string(),
                "type": candidate.kind.name(),
                "text": shorten(&candidate.text, 120),
                "from": prose.position(candidate.range.start),
                "to": prose.position(candidate.range.end),
                "score": candidate.score,
                "reason": candidate.why,
            })
        })
        .collect();
    json!({ "candidates": told, "count": found.len(), "isAmbiguous": found.len() > 1 })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    if let Some(query) = input.query {
        let query: QueryInput = parsed("query", query)?;
        return Ok(reply(scored(&prose, query)));
    }
    let targets = input.targets.ok_or_else(|| ToolError::invalid("targets: required, a list of node ids or queries"))?;
    let told = targets.iter().map(|target| match resolve(&prose.view, target) {
        None => json!({ "target": target, "found": false }),
        Some(found) => {
            let mut told = json!({
                "target": target,
                "found": true,
                "from": prose.position(found.range.start),
                "to": prose.position(found.range.end),
            });
            if let Some(kind) = found.kind {
                told["type"] = kind.name().into();
            }
            if let Some(id) = found.id {
                told["nodeId"] = id.to_string().into();
            }
            told
        }
    });
    Ok(reply(told.collect()))
}

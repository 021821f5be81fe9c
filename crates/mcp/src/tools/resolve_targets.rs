//! `resolve_targets`: what ids and queries stand for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::{Mark, Query, candidates, resolve};

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    prose::{Prose, known_kind, parsed},
    tool::{About, Hints, OrBare, Set},
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

/// What `targets` gives stands in `result`, what `query` gives in the rest.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Vec<Resolved>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<Scored>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_ambiguous: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Resolved {
    target: String,
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Scored {
    node_id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    text: String,
    from: usize,
    to: usize,
    score: f64,
    reason: &'static str,
}

fn scored(prose: &Prose, query: QueryInput) -> Result<Output, ToolError> {
    let QueryInput { kind, level, contains, has_marks } = query;
    if let Some(kind) = &kind {
        known_kind(kind)?;
    }
    let found = candidates(&prose.view, &Query { kind, level, contains, marks: has_marks });
    let told = found.iter().take(50).map(|candidate| Scored {
        node_id: prose.told(candidate.id),
        kind: candidate.kind.name(),
        text: workspace::excerpt(&candidate.text, 120),
        from: prose.position(candidate.range.start),
        to: prose.position(candidate.range.end),
        score: candidate.score,
        reason: candidate.why,
    });
    let told = told.collect();
    let (count, is_ambiguous) = (Some(found.len()), Some(found.len() > 1));
    Ok(Output { candidates: Some(told), count, is_ambiguous, ..Output::default() })
}

fn resolved(cx: &Cx<'_>, prose: &Prose, target: String) -> Resolved {
    // An id with the mark of an earlier revision stands for the block it was then.
    let id = prose.named(cx, &target, None, Reliance::Block).ok();
    let found = match id {
        Some(id) => resolve(&prose.view, &id.to_string()),
        None if target.contains('@') => None,
        None => resolve(&prose.view, &target),
    };
    Resolved {
        target,
        found: found.is_some(),
        from: found.as_ref().map(|found| prose.position(found.range.start)),
        to: found.as_ref().map(|found| prose.position(found.range.end)),
        kind: found.as_ref().and_then(|found| found.kind).map(|kind| kind.name()),
        node_id: found.and_then(|found| found.id).map(|id| prose.told(id)),
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<OrBare<Output>, ToolError> {
    let prose = Prose::read(cx, input.window_id)?;
    if let Some(query) = input.query {
        return Ok(OrBare(scored(&prose, parsed("query", query)?)?));
    }
    let targets = input
        .targets
        .ok_or_else(|| ToolError::invalid("targets: required, a list of node ids or queries"))?;
    let result = targets.into_iter().map(|target| resolved(cx, &prose, target)).collect();
    Ok(OrBare(Output { result: Some(result), ..Output::default() }))
}

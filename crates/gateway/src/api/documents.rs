//! Documents: what one is at a glance, changes at positions, what was done to it, and taking that back.

use mcp::documents::{
    Applied, Changes, Context, Decided, Decision, Landing, Page, Reading, Revisions, Undone, Way,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    chat::own_session,
    error::{ApiError, Code},
    route::{Cx, Parameter},
    run_routes::idempotency_key,
};
use crate::agent::Policy;

/// So many paragraphs are told if nobody says how many, and at most.
const PARAGRAPHS: i64 = 100;
const MOST_PARAGRAPHS: i64 = 1000;

/// What may be asked for beside the context itself.
pub(crate) const CONTEXT: &[Parameter] = &[
    Parameter { name: "from", kind: "integer", about: "also tell paragraphs, from this number on" },
    Parameter { name: "count", kind: "integer", about: "how many paragraphs, at most 1000" },
];

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ApplyChanges")]
pub(crate) struct Apply {
    /// By its path relative to a root, or by id; the session's own document if it is left out.
    document_id: Option<String>,
    /// The token says it already; another one is refused.
    session_id: Option<String>,
    #[serde(flatten)]
    changes: Changes,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ChangesApplied")]
pub(crate) struct ApplyAnswer {
    session_id: String,
    timestamp: String,
    #[serde(flatten)]
    applied: Applied,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "TakeBack")]
pub(crate) struct Back {
    /// The session's own document if it is left out.
    document_id: Option<String>,
    /// The revision that the document has to be at, as the change answered it.
    revision: Option<String>,
}

pub(crate) async fn context(cx: Cx) -> Result<Context, ApiError> {
    let name = cx.part("document_id")?.to_owned();
    let page = match (cx.asked("from"), cx.asked("count")) {
        (None, None) => None,
        _ => {
            let from = cx.asked_number("from", 0, i64::from(u32::MAX))?;
            let count = cx.asked_number("count", PARAGRAPHS, MOST_PARAGRAPHS)?;
            let number = |number: i64| usize::try_from(number).map_err(ApiError::internal);
            Some(Page { from: number(from)?, count: number(count)? })
        }
    };
    let session = cx.bearer.session()?;
    Ok(cx.state.client(session)?.overview(name, page).await?)
}

pub(crate) async fn apply(cx: Cx, input: Apply) -> Result<ApplyAnswer, ApiError> {
    let session = cx.bearer.session()?;
    own_session(session, input.session_id.as_deref())?;
    let name = named(&cx, input.document_id)?;
    let client = cx.state.client(session)?;
    // What it last saw before this server began is not known any more, and a number could mean anything.
    let reading = if cx.state.live.is_new(&session.id) { Reading::Known } else { Reading::MayBeForgotten };
    let landing = match session.policy(cx.state.agent.policy) {
        Policy::Auto => Landing::AsTheDeskSays,
        Policy::AskWrite | Policy::AskAll => Landing::WithLeave,
        Policy::ReadOnly => Landing::Nowhere,
    };
    let key = idempotency_key(&cx.headers)?;
    let applied = client.change(name, input.changes, landing, key, reading).await?;
    Ok(ApplyAnswer { session_id: session.id.clone(), timestamp: mcp::timestamp(cx.state.now()), applied })
}

pub(crate) async fn undo(cx: Cx, input: Back) -> Result<Undone, ApiError> {
    step(cx, Way::Undo, input).await
}

pub(crate) async fn redo(cx: Cx, input: Back) -> Result<Undone, ApiError> {
    step(cx, Way::Redo, input).await
}

async fn step(cx: Cx, way: Way, Back { document_id, revision }: Back) -> Result<Undone, ApiError> {
    let session = cx.bearer.session()?;
    if session.policy(cx.state.agent.policy) == Policy::ReadOnly {
        return Err(ApiError::new(Code::Forbidden, "this session may not write"));
    }
    let client = cx.state.client(session)?;
    Ok(client.step(named(&cx, document_id)?, way, revision).await?)
}

pub(crate) async fn approve(cx: Cx) -> Result<Decided, ApiError> {
    decide(cx, Decision::Approve).await
}

pub(crate) async fn deny(cx: Cx) -> Result<Decided, ApiError> {
    decide(cx, Decision::Deny).await
}

async fn decide(cx: Cx, decision: Decision) -> Result<Decided, ApiError> {
    let session = cx.bearer.session()?;
    if session.policy(cx.state.agent.policy) == Policy::ReadOnly {
        return Err(ApiError::new(Code::Forbidden, "this session may not write"));
    }
    let id = cx.part("suggestion_id")?.to_owned();
    Ok(cx.state.client(session)?.decide(id, decision).await?)
}

pub(crate) async fn revisions(cx: Cx) -> Result<Revisions, ApiError> {
    let name = cx.part("document_id")?.to_owned();
    Ok(cx.state.client(cx.bearer.session()?)?.history(name).await?)
}

/// The document that is meant: the one that was named, or the session's own.
fn named(cx: &Cx, given: Option<String>) -> Result<String, ApiError> {
    let own = || cx.bearer.session().ok().and_then(|session| session.document_id.clone());
    given.filter(|name| !name.is_empty()).or_else(own).ok_or_else(|| {
        ApiError::new(
            Code::Params,
            "document_id: the session has no document of its own, so one has to be named",
        )
    })
}

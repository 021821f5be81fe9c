//! Runs of a session, messages and tool calls alike: what happened in them, and what a person says to them.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use mcp::InputShape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    bearer::Bearer,
    error::{ApiError, Code, json_answer},
    route::{Answered, Cx, Parameter},
    sessions::visible,
};
use crate::{
    agent::Decision,
    runs::{
        self,
        live::{Decided, LiveRun},
    },
    store::{LoggedEvent, Run, Session},
};

const PAGE: i64 = 100;
const MOST: i64 = 1_000;

pub(crate) const EVENTS: &[Parameter] = &[
    Parameter { name: "after", kind: "integer", about: "only events after this one" },
    Parameter { name: "limit", kind: "integer", about: "how many, at most 1000" },
];

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Events {
    events: Vec<Value>,
    /// Whether there are more after these; ask for them with `after` and the last id of these.
    has_more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Standing {
    run_id: String,
    status: &'static str,
    error: Option<Value>,
    /// Calls that wait for a person.
    approvals: Vec<Value>,
    resumed_by: Option<String>,
    resumes: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Say {
    /// Which call is meant; needed only if several wait.
    approval_id: Option<String>,
    reason: Option<String>,
}

/// What happened in a run, in its own numbering: the ids of its stream.
pub(crate) async fn events(cx: Cx) -> Result<Events, ApiError> {
    let run = run_of(&cx, cx.bearer.session()?, cx.part("run_id")?).await?;
    let (after, most) = page(&cx)?;
    let events = cx.state.store.events(&run.id, after, most + 1).await?;
    Ok(listed(events, most, |event| event.number))
}

/// What happened in a session, whichever run it was in: its audit trail.
pub(crate) async fn of_session(cx: Cx) -> Result<Events, ApiError> {
    let session = visible(&cx).await?;
    let (after, most) = page(&cx)?;
    let events = cx.state.store.events_of_session(&session.id, after, most + 1).await?;
    Ok(listed(events, most, |event| event.id))
}

fn page(cx: &Cx) -> Result<(i64, i64), ApiError> {
    Ok((cx.asked_number("after", 0, i64::MAX)?, cx.asked_number("limit", PAGE, MOST)?.max(1)))
}

fn listed(mut events: Vec<LoggedEvent>, most: i64, id: fn(&LoggedEvent) -> i64) -> Events {
    let has_more = events.len() as i64 > most;
    events.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let events = events.iter().map(|event| {
        json!({
            "id": id(event),
            "run_id": event.run,
            "event": event.kind.name(),
            "data": event.payload,
            "timestamp": mcp::timestamp(event.at),
        })
    });
    Events { events: events.collect(), has_more }
}

/// Stops a run as soon as it safely can; one that has ended stays as it is.
pub(crate) async fn cancel(cx: Cx) -> Result<Standing, ApiError> {
    let run = run_of(&cx, cx.bearer.session()?, cx.part("run_id")?).await?;
    if let Some(live) = cx.state.runs.get(&run.id) {
        live.cancel.cancel();
        let mut progress = live.watch();
        let ended = progress.wait_for(|progress| progress.ended);
        // A call that cannot stop at once is waited for a little.
        drop(tokio::time::timeout(std::time::Duration::from_secs(5), ended).await);
    }
    standing(&cx, &run.id).await
}

/// Goes on with a run that the end of a process cut off.
pub(crate) async fn resume(cx: Cx) -> Result<Standing, ApiError> {
    let session = cx.bearer.session()?;
    let run = run_of(&cx, session, cx.part("run_id")?).await?;
    let (run, _) = runs::resume(&cx.state, session, &run).await?;
    standing(&cx, &run.id).await
}

pub(crate) async fn approve(cx: Cx, body: Bytes) -> Answered {
    let say: Say = optional(&body)?;
    decide(&cx, say.approval_id.as_deref(), Decision::Approved).await
}

pub(crate) async fn deny(cx: Cx, body: Bytes) -> Answered {
    let say: Say = optional(&body)?;
    let reason = say.reason.map(|reason| reason.chars().take(1_000).collect());
    decide(&cx, say.approval_id.as_deref(), Decision::Denied { reason }).await
}

fn optional(body: &[u8]) -> Result<Say, ApiError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Say::default());
    }
    let value = serde_json::from_slice(body)
        .map_err(|error| ApiError::new(Code::Parse, format!("the body is no JSON: {error}")))?;
    InputShape::of::<Say>().read(value).map_err(|why| ApiError::new(Code::Params, why))
}

async fn decide(cx: &Cx, named: Option<&str>, decision: Decision) -> Answered {
    let session = cx.bearer.session()?;
    let run = run_of(cx, session, cx.part("run_id")?).await?;
    let nothing = || ApiError::new(Code::Conflict, "no call of this run waits for an answer");
    let live = cx.state.runs.get(&run.id).ok_or_else(nothing)?;
    let open = live.open_questions();
    let id = match (named.filter(|id| !id.is_empty()), open.as_slice()) {
        (Some(id), _) => id.to_owned(),
        (None, [only]) => only.clone(),
        (None, []) => return Err(nothing()),
        (None, several) => {
            return Err(ApiError::new(
                Code::Params,
                "several calls wait; approval_id must say which is meant",
            )
            .details(several.join(", ")));
        }
    };
    let by = session.user_id.as_deref().unwrap_or("the session");
    match live.decide(&id, decision, by) {
        Decided::Taken => {}
        Decided::Before => return Err(ApiError::new(Code::Conflict, "this call was decided before")),
        Decided::Unknown => {
            let id: String = id.chars().take(120).collect();
            return Err(ApiError::new(Code::NotFound, format!("no call `{id}` of this run waits")));
        }
    }
    let mut standing = standing(cx, &run.id).await?;
    // It is written down by the run itself, which may take a moment.
    standing.approvals.retain(|waiting| waiting.get("approval_id").and_then(Value::as_str) != Some(&*id));
    let body = serde_json::to_value(standing).map_err(ApiError::internal)?;
    Ok(json_answer(StatusCode::OK, &body))
}

async fn standing(cx: &Cx, id: &str) -> Result<Standing, ApiError> {
    let record = runs::record(&cx.state, id).await?;
    let run = cx.state.store.run(id).await?.ok_or_else(|| unknown(id))?;
    let request = runs::Request::of(&run)?;
    Ok(Standing {
        status: run.state.shown(),
        approvals: if run.error.is_none() { record.approvals } else { Vec::new() },
        error: run.error,
        resumed_by: run.resumed_by,
        resumes: request.resumes,
        run_id: run.id,
    })
}

/// A run that this process will not bring to its end cannot be waited for any longer.
pub(super) fn not_abandoned(live: &LiveRun, id: &str) -> Result<(), ApiError> {
    if !live.is_abandoned() {
        return Ok(());
    }
    let error = ApiError::new(Code::Interrupted, "the server ends before the run does");
    let error = error.status(StatusCode::SERVICE_UNAVAILABLE).with("response_id", id);
    Err(error.details(
        "send it again under the same Idempotency-Key once the server is back, or resume it: what was done is not done \
         again",
    ))
}

/// A run of this session; another's gets the same answer as none.
pub(super) async fn run_of(cx: &Cx, session: &Session, id: &str) -> Result<Run, ApiError> {
    let run = cx.state.store.run(id).await?;
    run.filter(|run| run.session == session.id).ok_or_else(|| unknown(id))
}

pub(super) fn unknown(id: &str) -> ApiError {
    let id: String = id.chars().take(80).collect();
    ApiError::new(Code::NotFound, format!("this session has no run `{id}`"))
}

/// Under the same key nothing is done twice.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    const LONGEST: usize = 200;
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.to_str().ok().map(str::trim).filter(|key| (1..=LONGEST).contains(&key.len()));
    let key = key.ok_or_else(|| {
        ApiError::new(
            Code::Request,
            format!("Idempotency-Key must be 1 to {LONGEST} visible ASCII characters"),
        )
    })?;
    Ok(Some(key.to_owned()))
}

/// The session that asks, if it does so with its token.
pub(super) fn asking(bearer: &Bearer) -> Option<&Session> {
    match bearer {
        Bearer::Session(session) => Some(session),
        Bearer::Nobody | Bearer::Key => None,
    }
}

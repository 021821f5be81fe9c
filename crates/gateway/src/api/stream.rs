//! A run as server-sent events: replayed from where the client was, then as it happens.
//!
//! Each reader takes the events out of the store at its own pace, so a slow one holds up nobody and nothing is told that
//! is not kept.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;
use tokio::sync::watch;

use super::{
    PREFIX,
    error::{ApiError, Code},
    route::{Answered, Cx, Parameter},
    run_routes::{asking, unknown},
    state::State,
};
use crate::{
    runs::live::Progress,
    store::{EventKind, LoggedEvent, Run, RunState},
};

/// Without anything to tell, a comment goes out after this time, so that nobody takes the connection for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events that are read at a time.
const PAGE: i64 = 64;
/// Seconds for which the address of a stream is good on a server with an access key.
const TICKET_TIME: i64 = 60 * 60;

/// What a browser says that sends no headers of its own.
pub(crate) const QUERY: &[Parameter] = &[
    Parameter { name: "ticket", kind: "string", about: "opens the stream on a server with an access key" },
    Parameter { name: "after", kind: "string", about: "the same as Last-Event-ID" },
];

pub(crate) async fn follow(cx: Cx) -> Answered {
    let run = listened_to(&cx).await?;
    let after = last_seen(&cx)?;
    let live = cx.state.runs.get(&run.id);
    if live.is_none() && run.state != RunState::Running && after >= cx.state.store.last_event(&run.id).await?
    {
        // Tells a browser not to come back.
        let mut answer = Response::new(Body::empty());
        *answer.status_mut() = StatusCode::NO_CONTENT;
        return Ok(answer);
    }
    let reader = Reader {
        state: cx.state.clone(),
        run: run.id,
        after,
        progress: live.map(|live| live.watch()),
        done: false,
    };
    let opening = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"retry: 2000\n\n"))]);
    let events = stream::unfold(reader, |mut reader| async move {
        let bytes = reader.next().await?;
        Some((Ok(bytes), reader))
    });
    let body = Body::from_stream(futures::StreamExt::chain(opening, events));
    let mut answer = Response::new(body);
    let head = answer.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that collect answers before they pass them on are told not to.
    head.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(answer)
}

/// The run of the path, if whoever asks may listen: its session, the holder of a ticket, or, on a server that only this
/// machine reaches, whoever knows its id.
async fn listened_to(cx: &Cx) -> Result<Run, ApiError> {
    let id = cx.part("response_id")?;
    let run = cx.state.store.run(id).await?;
    if let Some(session) = asking(&cx.bearer) {
        return run.filter(|run| run.session == session.id).ok_or_else(|| unknown(id));
    }
    if cx.state.key.is_some() {
        let ticket = cx.asked("ticket").ok_or_else(|| {
            ApiError::new(Code::Unauthorized, "a session token or a ticket is needed")
                .details("use the stream_url of the answer, or send the session_token")
        })?;
        if !is_good(cx, id, ticket) {
            return Err(ApiError::new(Code::Unauthorized, "the ticket is not for this stream, or too old")
                .details("chat/send with the same Idempotency-Key answers a new stream_url"));
        }
    }
    run.ok_or_else(|| unknown(id))
}

/// Where a run can be followed by a page, which cannot send a token with an `EventSource`.
pub(super) fn address(cx: &Cx, run: &Run) -> Result<String, ApiError> {
    let path = format!("{PREFIX}/chat/stream/{}", run.id);
    if cx.state.key.is_none() {
        return Ok(path);
    }
    let until = (cx.state.now() + TICKET_TIME).to_string();
    let sealed = cx.state.store.seal().seal(&place(&run.id), &until)?;
    let ticket: String = sealed.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{path}?ticket={ticket}"))
}

fn place(run: &str) -> String {
    format!("ticket {run}")
}

fn is_good(cx: &Cx, run: &str, ticket: &str) -> bool {
    let until = || -> Option<i64> {
        let digit = |at: usize| u8::from_str_radix(ticket.get(at..at + 2)?, 16).ok();
        let sealed: Option<Vec<u8>> = (0..ticket.len()).step_by(2).map(digit).collect();
        cx.state.store.seal().unseal(&place(run), &sealed?).ok()?.parse().ok()
    };
    until().is_some_and(|until| cx.state.now() < until)
}

/// The last event that the client has; `?after=` for clients that cannot set the header.
fn last_seen(cx: &Cx) -> Result<i64, ApiError> {
    let header = last_event_id(&cx.headers);
    let Some(given) = header.or(cx.asked("after")).filter(|given| !given.is_empty()) else { return Ok(0) };
    given.parse().ok().filter(|number| *number >= 0).ok_or_else(|| {
        ApiError::new(Code::Request, "Last-Event-ID must be the id of an event of this stream, a number")
    })
}

fn last_event_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id")?.to_str().ok()
}

struct Reader {
    state: Arc<State>,
    run: String,
    after: i64,
    /// None for a run that does not go on here.
    progress: Option<watch::Receiver<Progress>>,
    done: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.done {
                return None;
            }
            // Looked at before the events are read: whatever ends after this is seen in the next round.
            let over = match &mut self.progress {
                Some(progress) => {
                    let seen = *progress.borrow_and_update();
                    seen.ended
                }
                None => true,
            };
            let events = match self.state.store.events(&self.run, self.after, PAGE).await {
                Ok(events) => events,
                Err(error) => {
                    tracing::error!(%error, "a stream could not be read");
                    return None;
                }
            };
            if let Some(last) = events.last() {
                self.after = last.number;
                self.done = events.iter().any(is_last);
                return Some(events.iter().flat_map(|event| frame(event).into_bytes()).collect());
            }
            if over {
                return None;
            }
            let progress = self.progress.as_mut()?;
            tokio::select! {
                // The end of the run is an event too; without its sender there is no more to come.
                changed = progress.changed() => if changed.is_err() { self.progress = None },
                () = tokio::time::sleep(HEARTBEAT) => return Some(Bytes::from_static(b": still here\n\n")),
                () = self.state.closing.cancelled() => return None,
            }
        }
    }
}

fn is_last(event: &LoggedEvent) -> bool {
    event.kind == EventKind::Chunk && event.payload.get("is_complete").and_then(Value::as_bool) == Some(true)
}

fn frame(event: &LoggedEvent) -> String {
    let name = match event.kind {
        EventKind::Chunk => String::new(),
        kind => format!("event: {}\n", kind.name()),
    };
    // JSON on one line, whatever is in it.
    format!("id: {}\n{name}data: {}\n\n", event.number, event.payload)
}

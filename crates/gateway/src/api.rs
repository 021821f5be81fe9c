//! The HTTP API below `/api/v1`: sessions of add-ins, pages and scripts, each a caller of the desk.
//!
//! Every request takes one road ([`serve`]): who asks, how large it is, the route's own function, and one shape for
//! whatever is refused, also for paths and methods that do not exist.

pub(crate) mod bearer;
mod chat;
pub(crate) mod connections;
mod cors;
mod documents;
pub(crate) mod error;
mod executions;
mod health;
pub(crate) mod live;
mod openapi;
mod page;
mod query;
pub(crate) mod route;
mod run_routes;
mod sessions;
pub(crate) mod state;
mod stream;
mod tools;

use std::{
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{RawPathParams, Request, rejection::RawPathParamsRejection},
    middleware,
    response::{Redirect, Response},
    routing::{MethodFilter, on},
};
use bytes::Bytes;
use futures::FutureExt as _;
use http::{HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use mcp::Callers;
use serde_json::Value;
use tokio::time::Instant;
use tracing::Instrument as _;

use bearer::Bearer;
use error::{ApiError, Code};
use route::{Class, Cx, Route, Who};
use state::State;

use crate::{
    metrics::Failed,
    rates::Count,
    runs::Agent,
    sockets::Peer,
    store::{DatabaseUrl, StoreKey},
};

/// Where the API is.
pub(crate) const PREFIX: &str = "/api/v1";

/// How long a client may take to send its body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// What the API works with.
#[derive(Debug)]
pub struct Api {
    pub callers: Callers,
    /// Where sessions are kept; without a folder they end with the process.
    pub state: Option<PathBuf>,
    /// What seals what is kept; without one, a key in the folder.
    pub store_key: Option<StoreKey>,
    /// PostgreSQL instead of the file in the folder.
    pub database: Option<DatabaseUrl>,
    pub agent: Agent,
}

/// All there is.
fn routes() -> Vec<Route> {
    vec![
        Route::raw(Method::GET, "/health", Who::Anyone, |cx, _| health::service(cx).boxed())
            .gives::<health::ServiceHealth>()
            .about("Whether the server can do its work."),
        Route::raw(Method::GET, "/health/mcp", Who::Anyone, |cx, _| health::mcp(cx).boxed())
            .gives::<health::McpHealth>()
            .about("Whether its tools answer."),
        Route::post("/session/create", Who::Beginner, sessions::create).about("Begins a session."),
        Route::bare(Method::GET, "/session/{session_id}/status", Who::Onlooker, sessions::status)
            .about("What a session is, and whether it lives."),
        Route::post("/session/{session_id}/rename", Who::Onlooker, sessions::rename)
            .about("Gives a session a title."),
        Route::bare(Method::DELETE, "/session/{session_id}", Who::Onlooker, sessions::end)
            .about("Ends a session; work that is not saved is kept and listed."),
        Route::bare(Method::GET, "/sessions", Who::Onlooker, sessions::list)
            .about("This session, or all of them for the holder of the access key."),
        Route::bare(Method::GET, "/session/{session_id}/events", Who::Onlooker, run_routes::of_session)
            .about("What happened in a session: its audit trail.")
            .query(run_routes::EVENTS),
        Route::post("/chat/send", Who::Session, chat::send)
            .about("Sends a message and waits for its answer, or with stream begins one.")
            .headers(&["Idempotency-Key"]),
        Route::bare(Method::GET, "/chat/history/{session_id}", Who::Onlooker, chat::history)
            .about("The messages of a session.")
            .query(chat::HISTORY),
        Route::raw(Method::GET, "/chat/stream/{response_id}", Who::Listener, |cx, _| {
            stream::follow(cx).boxed()
        })
        .about("Follows an answer: what happened so far, or since Last-Event-ID, and then live.")
        .streams()
        .headers(&["Last-Event-ID"])
        .query(stream::QUERY)
        .also(&[(204, "There is nothing after that event, and will be nothing.")])
        .free(),
        Route::bare(Method::GET, "/runs/{run_id}/events", Who::Session, run_routes::events)
            .about("What happened in a run.")
            .query(run_routes::EVENTS),
        Route::bare(Method::POST, "/runs/{run_id}/cancel", Who::Session, run_routes::cancel)
            .about("Ends a run."),
        Route::bare(Method::POST, "/runs/{run_id}/resume", Who::Session, run_routes::resume)
            .about("Goes on with a run that the end of the server cut off."),
        Route::raw(Method::POST, "/runs/{run_id}/approve", Who::Session, |cx, body| {
            run_routes::approve(cx, body).boxed()
        })
        .takes::<run_routes::Say>()
        .gives::<run_routes::Standing>()
        .about("Lets a call of a run that waits be made."),
        Route::raw(Method::POST, "/runs/{run_id}/deny", Who::Session, |cx, body| {
            run_routes::deny(cx, body).boxed()
        })
        .takes::<run_routes::Say>()
        .gives::<run_routes::Standing>()
        .about("Keeps a call of a run that waits from being made."),
        Route::bare(Method::GET, "/mcp/tools", Who::Session, tools::list).about("The tools of the session."),
        Route::bare(Method::GET, "/mcp/status", Who::Session, tools::status)
            .about("Whether the tools can be reached."),
        Route::post("/mcp/tools/execute", Who::Session, executions::execute)
            .about("Calls a tool.")
            .headers(&["Idempotency-Key"]),
        Route::bare(Method::GET, "/mcp/tools/status/{execution_id}", Who::Session, executions::status)
            .about("What became of a call."),
        Route::bare(Method::GET, "/document/context/{*document_id}", Who::Session, documents::context)
            .about("A document at a glance, with some of its paragraphs if they are asked for.")
            .query(documents::CONTEXT),
        Route::post("/document/apply-changes", Who::Session, documents::apply)
            .about("Changes a document at positions, all or none.")
            .headers(&["Idempotency-Key"]),
        Route::bare(Method::GET, "/document/revisions/{*document_id}", Who::Session, documents::revisions)
            .about("What was done to a document since it was opened."),
        Route::post("/document/undo", Who::Session, documents::undo)
            .about("Takes the session's last change of a document back."),
        Route::post("/document/redo", Who::Session, documents::redo)
            .about("Makes again what the session took back."),
        Route::bare(
            Method::POST,
            "/document/suggestions/{suggestion_id}/approve",
            Who::Session,
            documents::approve,
        )
        .about("Makes a change of this session that waits for its leave.")
        .free(),
        Route::bare(
            Method::POST,
            "/document/suggestions/{suggestion_id}/deny",
            Who::Session,
            documents::deny,
        )
        .about("Takes a change of this session back that waits to be made.")
        .free(),
        Route::raw(Method::GET, "/openapi.json", Who::Anyone, |_, _| described().boxed())
            .about("This description, for programs."),
    ]
}

async fn described() -> route::Answered {
    Ok(error::json_answer(StatusCode::OK, description()))
}

/// Made once: the routes do not change while the program runs.
fn description() -> &'static Value {
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    DESCRIPTION.get_or_init(|| openapi::document(&routes()))
}

/// What is measured, for whoever runs the server.
pub(crate) fn measures(state: &Arc<State>) -> Router {
    let state = state.clone();
    let answer = move || async move {
        let mut answer = Response::new(Body::from(state.metrics.text(state.live.ids().len())));
        let text = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
        answer.headers_mut().insert(header::CONTENT_TYPE, text);
        answer
    };
    Router::new().route("/metrics", axum::routing::get(answer))
}

pub(crate) fn router(state: &Arc<State>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let path = format!("{PREFIX}{}", route.path);
        let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::GET);
        let (route, state) = (Arc::new(route), state.clone());
        let answer = move |path: Result<RawPathParams, RawPathParamsRejection>, request: Request| async move {
            match path {
                Ok(path) => serve(state, route, path, request).await,
                Err(_) => refused(&state, &request, ApiError::new(Code::Request, "the address is not UTF-8")),
            }
        };
        router = router.route(&path, on(filter, answer));
    }
    let missing = {
        let state = state.clone();
        move |request: Request| no_such_route(state, request)
    };
    let wrong_method = {
        let state = state.clone();
        move |request: Request| no_such_method(state, request)
    };
    router
        .route(&format!("{PREFIX}/{{*rest}}"), axum::routing::any(missing.clone()))
        .route(PREFIX, axum::routing::any(missing.clone()))
        .route(&format!("{PREFIX}/"), axum::routing::any(missing))
        .route("/", axum::routing::get(|| async { Redirect::temporary("/docs") }))
        .route("/docs", axum::routing::get(|| async { page::answer(description()) }))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(cors::answer))
}

/// The road of every request.
async fn serve(state: Arc<State>, route: Arc<Route>, path: RawPathParams, request: Request) -> Response {
    let method = request.method().clone();
    let template = format!("{PREFIX}{}", route.template());
    let visit = Visit { begun: Instant::now(), id: state.request_id(), method, template };
    let span =
        tracing::info_span!("request", id = %visit.id, method = %visit.method, route = %visit.template);
    let mut standing = None;
    let answering = AssertUnwindSafe(answer(&state, &route, &path, request, &mut standing)).catch_unwind();
    let answered = answering.instrument(span.clone()).await;
    let answered = answered.unwrap_or_else(|_| Err(ApiError::internal("a request panicked")));
    let answer = answered.unwrap_or_else(|error| error.answer(state.now()));
    let standing = standing.unwrap_or_else(|| state.counts.take("nobody", Class::Other));
    span.in_scope(|| visit.ended(&state, answer, standing))
}

/// A request on its way, for what is told of it.
struct Visit {
    begun: Instant,
    id: String,
    method: Method,
    template: String,
}

impl Visit {
    /// Measures, logs and marks an answer.
    fn ended(self, state: &State, mut answer: Response, standing: Count) -> Response {
        let (status, time) = (answer.status(), self.begun.elapsed());
        state.metrics.request(self.method.as_str(), &self.template, status.as_u16(), time);
        match answer.extensions().get::<Failed>().copied() {
            Some(failed) => {
                state.metrics.error(&self.template, failed);
                tracing::info!(
                    status = status.as_u16(),
                    error = failed.name,
                    ms = time.as_millis() as u64,
                    "answered"
                );
            }
            None => tracing::info!(status = status.as_u16(), ms = time.as_millis() as u64, "answered"),
        }
        let headers = answer.headers_mut();
        let reset =
            state.now().saturating_add(i64::try_from(standing.reset.as_secs() + 1).unwrap_or(i64::MAX));
        headers.insert("x-ratelimit-limit", standing.limit.into());
        headers.insert("x-ratelimit-remaining", standing.left.into());
        headers.insert("x-ratelimit-reset", reset.into());
        if standing.refused {
            headers.insert(header::RETRY_AFTER, (standing.reset.as_secs() + 1).into());
        }
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            headers.insert("x-request-id", id);
        }
        answer
    }
}

async fn answer(
    state: &Arc<State>,
    route: &Route,
    path: &RawPathParams,
    request: Request,
    standing: &mut Option<Count>,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let address = address_of(&parts.extensions);
    let bearer = match bearer::check(state, route.who, &parts.headers).await {
        Ok(bearer) => bearer,
        Err(refused) => {
            pass_over(body).await;
            // Whoever guesses tokens is counted as well.
            let count = state.counts.take(&address, Class::Other);
            *standing = Some(count);
            return Err(if count.refused { too_many(Class::Other, count) } else { refused });
        }
    };
    let who = match &bearer {
        Bearer::Session(session) if route.class != Class::Begin => session.id.clone(),
        Bearer::Session(_) | Bearer::Key | Bearer::Nobody => address,
    };
    let count = state.counts.take(&who, route.class);
    *standing = Some(count);
    if count.refused {
        pass_over(body).await;
        return Err(too_many(route.class, count));
    }
    too_large(&parts.headers)?;
    let body = collect(body).await?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = parts.uri.query().map(query::read).unwrap_or_default();
    let cx = Cx { state: state.clone(), bearer, path, headers: parts.headers, query };
    (route.handler)(cx, body).await
}

fn address_of(extensions: &http::Extensions) -> String {
    extensions.get::<Peer>().map_or_else(|| "nobody".to_owned(), |Peer(address)| address.to_string())
}

fn too_many(class: Class, count: Count) -> ApiError {
    let (limit, kind, wait) = (count.limit, class.name(), count.reset.as_secs() + 1);
    ApiError::new(Code::RateLimited, format!("more than {limit} {kind} requests in a minute"))
        .details(format!("there is room again in {wait} seconds"))
        .with("retry_after", wait)
}

/// A refusal that no route made, with all that every answer has.
pub(crate) fn refused(state: &State, request: &Request, error: ApiError) -> Response {
    let (id, method) = (state.request_id(), request.method().clone());
    let visit = Visit { begun: Instant::now(), id, method, template: "unmatched".to_owned() };
    let standing = state.counts.take(&address_of(request.extensions()), Class::Other);
    let error = if standing.refused { too_many(Class::Other, standing) } else { error };
    visit.ended(state, error.answer(state.now()), standing)
}

/// Reads over a small body that nobody looks at. Whoever is still sending it would otherwise find the connection closed,
/// and never read the refusal.
async fn pass_over(body: Body) {
    const MOST: usize = 64 * 1024;
    const TIME: std::time::Duration = std::time::Duration::from_secs(1);
    drop(tokio::time::timeout(TIME, Limited::new(body, MOST).collect()).await);
}

/// What is said to be too large is not waited for.
fn too_large(headers: &http::HeaderMap) -> Result<(), ApiError> {
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let most = mcp::Limits::default().message_bytes;
    match length.is_some_and(|length| length > most as u64) {
        true => Err(over(most)),
        false => Ok(()),
    }
}

fn over(most: usize) -> ApiError {
    ApiError::new(Code::TooLarge, format!("the body is longer than {most} bytes"))
}

async fn collect(body: Body) -> Result<Bytes, ApiError> {
    let most = mcp::Limits::default().message_bytes;
    let collected = tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await;
    let collected = collected.map_err(|_| {
        ApiError::new(Code::Request, "the body took too long").status(StatusCode::REQUEST_TIMEOUT)
    })?;
    let collected = collected.map_err(|error| match error.is::<LengthLimitError>() {
        true => over(most),
        false => ApiError::new(Code::Request, format!("the body could not be read: {error}")),
    })?;
    Ok(collected.to_bytes())
}

async fn no_such_route(state: Arc<State>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let known: Vec<String> = routes().iter().map(|route| format!("{PREFIX}{}", route.template())).collect();
    let mut error = ApiError::new(Code::NoSuchRoute, format!("there is nothing at {path}"));
    if let Some(near) = mcp::nearest(&path, known.iter().map(String::as_str)) {
        error = error.details(format!("did you mean {near}?"));
    }
    refused(&state, &request, error)
}

async fn no_such_method(state: Arc<State>, request: Request) -> Response {
    let why = format!("{} cannot be used at {}", request.method(), request.uri().path());
    let mut error = ApiError::new(Code::NoSuchMethod, why);
    if request.headers().contains_key(header::ORIGIN) {
        error = error.details("pages may ask what is allowed with OPTIONS");
    }
    refused(&state, &request, error)
}

//! The HTTP API below `/api/v1`: sessions of add-ins, pages and scripts, each a caller of the desk.
//!
//! Every request takes one road ([`serve`]): who asks, how large it is, the route's own function, and one shape for
//! whatever is refused, also for paths and methods that do not exist.

pub(crate) mod bearer;
mod chat;
pub(crate) mod connections;
mod cors;
pub(crate) mod error;
mod executions;
mod health;
pub(crate) mod live;
pub(crate) mod route;
mod run_routes;
mod sessions;
pub(crate) mod state;
mod stream;
mod tools;

use std::{panic::AssertUnwindSafe, path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{RawPathParams, Request},
    middleware,
    response::Response,
    routing::{MethodFilter, on},
};
use bytes::Bytes;
use futures::FutureExt as _;
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use mcp::Callers;

use crate::{
    runs::Agent,
    store::{DatabaseUrl, StoreKey},
};
use error::{ApiError, Code};
use route::{Cx, Route, Who};
use state::State;

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
        Route::raw(Method::GET, "/health", Who::Anyone, |cx, _| health::service(cx).boxed()),
        Route::raw(Method::GET, "/health/mcp", Who::Anyone, |cx, _| health::mcp(cx).boxed()),
        Route::post("/session/create", Who::Beginner, sessions::create),
        Route::bare(Method::GET, "/session/{session_id}/status", Who::Onlooker, sessions::status),
        Route::post("/session/{session_id}/rename", Who::Onlooker, sessions::rename),
        Route::bare(Method::DELETE, "/session/{session_id}", Who::Onlooker, sessions::end),
        Route::bare(Method::GET, "/sessions", Who::Onlooker, sessions::list),
        Route::bare(Method::GET, "/session/{session_id}/events", Who::Onlooker, run_routes::of_session),
        Route::post("/chat/send", Who::Session, chat::send),
        Route::bare(Method::GET, "/chat/history/{session_id}", Who::Onlooker, chat::history),
        Route::raw(Method::GET, "/chat/stream/{response_id}", Who::Listener, |cx, _| {
            stream::follow(cx).boxed()
        }),
        Route::bare(Method::GET, "/runs/{run_id}/events", Who::Session, run_routes::events),
        Route::bare(Method::POST, "/runs/{run_id}/cancel", Who::Session, run_routes::cancel),
        Route::bare(Method::POST, "/runs/{run_id}/resume", Who::Session, run_routes::resume),
        Route::raw(Method::POST, "/runs/{run_id}/approve", Who::Session, |cx, body| {
            run_routes::approve(cx, body).boxed()
        }),
        Route::raw(Method::POST, "/runs/{run_id}/deny", Who::Session, |cx, body| {
            run_routes::deny(cx, body).boxed()
        }),
        Route::bare(Method::GET, "/mcp/tools", Who::Session, tools::list),
        Route::bare(Method::GET, "/mcp/status", Who::Session, tools::status),
        Route::post("/mcp/tools/execute", Who::Session, executions::execute),
        Route::bare(Method::GET, "/mcp/tools/status/{execution_id}", Who::Session, executions::status),
    ]
}

pub(crate) fn router(state: &Arc<State>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let path = format!("{PREFIX}{}", route.path);
        let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::GET);
        let (route, state) = (Arc::new(route), state.clone());
        let answer = move |path: RawPathParams, request: Request| serve(state, route, path, request);
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
        .route(PREFIX, axum::routing::any(missing))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(cors::answer))
}

/// The road of every request.
async fn serve(state: Arc<State>, route: Arc<Route>, path: RawPathParams, request: Request) -> Response {
    let answering = AssertUnwindSafe(answer(&state, &route, &path, request)).catch_unwind();
    let answered = answering.await.unwrap_or_else(|_| Err(ApiError::internal("a request panicked")));
    answered.unwrap_or_else(|error| {
        tracing::debug!(route = ?route, code = error.code.name(), why = %error.message, "refused a request");
        error.answer(state.now())
    })
}

async fn answer(
    state: &Arc<State>,
    route: &Route,
    path: &RawPathParams,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let bearer = bearer::check(state, route.who, &parts.headers).await?;
    let body = collect(body).await?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = parts.uri.query().unwrap_or("").to_owned();
    let cx = Cx { state: state.clone(), bearer, path, query, headers: parts.headers };
    (route.handler)(cx, body).await
}

async fn collect(body: Body) -> Result<Bytes, ApiError> {
    let most = mcp::Limits::default().message_bytes;
    let collected = tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await;
    let collected = collected.map_err(|_| {
        ApiError::new(Code::Request, "the body took too long").status(StatusCode::REQUEST_TIMEOUT)
    })?;
    let collected = collected.map_err(|error| match error.is::<LengthLimitError>() {
        true => ApiError::new(Code::TooLarge, format!("the body is longer than {most} bytes")),
        false => ApiError::new(Code::Request, format!("the body could not be read: {error}")),
    })?;
    Ok(collected.to_bytes())
}

async fn no_such_route(state: Arc<State>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let known: Vec<String> = routes().iter().map(|route| format!("{PREFIX}{}", route.path)).collect();
    let mut error = ApiError::new(Code::NoSuchRoute, format!("there is nothing at {path}"));
    if let Some(near) = mcp::nearest(&path, known.iter().map(String::as_str)) {
        error = error.details(format!("did you mean {near}?"));
    }
    error.answer(state.now())
}

async fn no_such_method(state: Arc<State>, request: Request) -> Response {
    let why = format!("{} cannot be used at {}", request.method(), request.uri().path());
    let mut error = ApiError::new(Code::NoSuchMethod, why);
    if request.headers().contains_key(header::ORIGIN) {
        error = error.details("pages may ask what is allowed with OPTIONS");
    }
    error.answer(state.now())
}

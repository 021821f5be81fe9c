//! What a browser has to be told before a page of another origin may read our answers.
//!
//! Only origins that the guard lets through come here at all, so each is told that it may.

use axum::{body::Body, extract::Request, middleware::Next, response::Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const HEADERS: HeaderValue =
    HeaderValue::from_static("Content-Type, Authorization, Last-Event-ID, Idempotency-Key");
/// What a page may read of an answer beside its body.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id",
);

/// Answers a preflight, before any token, and marks every other answer.
pub(crate) async fn answer(request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let asks = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut answer = match &origin {
        Some(_) if asks => preflight(),
        _ => next.run(request).await,
    };
    mark(answer.headers_mut(), origin);
    answer
}

fn preflight() -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::NO_CONTENT;
    let headers = answer.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    answer
}

fn mark(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

//! Who may connect.
//!
//! A web page that somebody has open can send requests to a server on their own machine. `Host` tells a
//! name that was pointed at this machine behind the user's back (DNS rebinding), `Origin` tells the page. Both are looked
//! at on every route; the access key only before MCP, because the API has tokens of its own.

use std::{fmt, net::IpAddr, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{self, Request},
    middleware::{self, Next},
    response::Response,
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN, WWW_AUTHENTICATE},
    uri::Authority,
};

use crate::api::{
    self, PREFIX,
    error::{ApiError, Code},
    state::State,
};

/// Whose requests are served.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Names this server is known by, beside this machine's own.
    pub hosts: Vec<String>,
    /// Origins of web pages that may call, beside the server's own, such as `https://app.example.com`.
    pub origins: Vec<String>,
    pub token: Option<Token>,
}

/// Who can reach the address the server is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    ThisMachine,
    /// Any literal address may then be the server's own.
    Others,
}

/// Bytes of a path with what stands behind it.
const LONGEST_ADDRESS: usize = 8192;

struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    reach: Reach,
    /// Bytes of a head.
    head_bytes: usize,
    /// Whose refusals have a shape of their own.
    api: Option<Arc<State>>,
}

/// A secret that does not show itself in logs.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Shorter ones can be guessed.
    pub(crate) const SHORTEST: usize = 16;

    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub(crate) fn is_too_short(&self) -> bool {
        self.0.len() < Self::SHORTEST
    }

    /// Compares in a time that does not tell how much of it was right.
    pub(crate) fn is(&self, given: &str) -> bool {
        let (secret, given) = (self.0.as_bytes(), given.as_bytes());
        let differing = secret.iter().zip(given).fold(0, |differing, (a, b)| differing | (a ^ b));
        secret.len() == given.len() && std::hint::black_box(differing) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Access {
    /// Puts the checks of `Host` and `Origin` before every route of `router`.
    pub(crate) fn guard(
        &self,
        reach: Reach,
        head_bytes: usize,
        api: Option<Arc<State>>,
        router: Router,
    ) -> Router {
        let (hosts, origins) = (self.hosts.clone(), self.origins.clone());
        let guard = Guard { hosts, origins, reach, head_bytes, api };
        router.layer(middleware::from_fn_with_state(Arc::new(guard), check))
    }

    /// Asks for the access key, where there is one, before every route of `router`.
    pub(crate) fn lock(&self, router: Router) -> Router {
        match &self.token {
            Some(token) => router.layer(middleware::from_fn_with_state(Arc::new(token.clone()), unlock)),
            None => router,
        }
    }
}

async fn unlock(extract::State(token): extract::State<Arc<Token>>, request: Request, next: Next) -> Response {
    if bearer(request.headers()).is_some_and(|given| token.is(given)) {
        return next.run(request).await;
    }
    refusal(StatusCode::UNAUTHORIZED, "a valid bearer token is needed")
}

impl Guard {
    fn refuse(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
        if address > LONGEST_ADDRESS {
            return Some((StatusCode::URI_TOO_LONG, "the address is longer than 8192 bytes"));
        }
        let fields = request.headers().iter();
        let size: usize = fields.map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        if size + address > self.head_bytes {
            return Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too large"));
        }
        let Some(host) = authority(request) else {
            return Some((StatusCode::BAD_REQUEST, "a Host header is needed"));
        };
        if !self.is_known(&host) {
            return Some((StatusCode::FORBIDDEN, "this server does not answer to that Host"));
        }
        if request.headers().get_all(ORIGIN).iter().any(|origin| !self.is_welcome(origin, &host)) {
            return Some((StatusCode::FORBIDDEN, "pages of that Origin may not call this server"));
        }
        None
    }

    fn is_known(&self, host: &Authority) -> bool {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        if let Ok(address) = name.parse::<IpAddr>() {
            // Nobody can point an address elsewhere, as they can a name.
            return address.is_loopback() || self.reach == Reach::Others;
        }
        self.hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host.as_str()))
    }

    fn is_welcome(&self, origin: &HeaderValue, host: &Authority) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        let own = ["http://", "https://"]
            .iter()
            .filter_map(|scheme| origin.strip_prefix(scheme))
            .any(|page| page.eq_ignore_ascii_case(host.as_str()));
        own || self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin))
    }
}

fn authority(request: &Request) -> Option<Authority> {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok()?.parse().ok(),
        // HTTP/2 has it in the request line instead.
        (None, _) => request.uri().authority().cloned(),
        (Some(_), Some(_)) => None,
    }
}

/// What is sent as `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, given) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| given.trim())
}

async fn check(extract::State(guard): extract::State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let Some((status, why)) = guard.refuse(&request) else { return next.run(request).await };
    match &guard.api {
        Some(api) if request.uri().path().starts_with(PREFIX) => {
            tracing::warn!(status = status.as_u16(), why, "refused a request");
            let code = if status == StatusCode::FORBIDDEN { Code::Forbidden } else { Code::Request };
            api::refused(api, &request, ApiError::new(code, why).status(status))
        }
        _ => refusal(status, why),
    }
}

/// A refusal as MCP has it.
fn refusal(status: StatusCode, why: &'static str) -> Response {
    tracing::warn!(status = status.as_u16(), why, "refused a request");
    let error = serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": why}});
    let mut answer = Response::new(Body::from(error.to_string()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

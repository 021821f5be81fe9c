//! A route of the API: what it takes, what it gives, who may ask, and the function that answers.
//!
//! The list of routes is the router and the documentation alike, so that neither has what the other has not.

use std::{fmt, sync::Arc};

use axum::response::Response;
use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture};
use http::{HeaderMap, Method, StatusCode};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    bearer::Bearer,
    error::{ApiError, Code, json_answer},
    state::State,
};

/// Who may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Anyone,
    /// Whoever may begin a session: the holder of the access key, or anybody on a server without one.
    Beginner,
    /// A session, which lives on by asking.
    Session,
    /// A session, or whoever knows a run's address and is found out by the route itself.
    Listener,
    /// A session that may have expired or ended lately, or the holder of the access key. Asking renews nothing.
    Onlooker,
}

/// One request, with all that was found out about it before its route was asked.
#[derive(Debug)]
pub(crate) struct Cx {
    pub(crate) state: Arc<State>,
    pub(crate) bearer: Bearer,
    /// The variable parts of the path, decoded.
    pub(crate) path: Vec<(String, String)>,
    /// What stands behind the question mark, as it came.
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
}

impl Cx {
    /// A variable part of the path.
    pub(crate) fn part(&self, name: &str) -> Result<&str, ApiError> {
        let found = self.path.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| ApiError::internal(format!("no {name} in the path")))
    }

    /// A parameter of the query, if it is given: digits, letters and what needs no escape.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A number of the query, held within these bounds.
    pub(crate) fn asked_number(&self, name: &str, usual: i64, most: i64) -> Result<i64, ApiError> {
        let Some(given) = self.asked(name) else { return Ok(usual) };
        let number = given.parse().ok().filter(|number| (0..=most).contains(number));
        number.ok_or_else(|| {
            let given: String = given.chars().take(40).collect();
            ApiError::new(Code::Params, format!("{name} must be a number from 0 to {most}; it is `{given}`"))
        })
    }
}

pub(crate) type Answered = Result<Response, ApiError>;
type Handler = Arc<dyn Fn(Cx, Bytes) -> BoxFuture<'static, Answered> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) method: Method,
    /// As axum writes it, below `/api/v1`.
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    pub(crate) handler: Handler,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Route {
    /// A route that is asked without a body.
    pub(crate) fn bare<O, F>(method: Method, path: &'static str, who: Who, answer: fn(Cx) -> F) -> Self
    where
        O: Serialize,
        F: Future<Output = Result<O, ApiError>> + Send + 'static,
    {
        Self::raw(method, path, who, move |cx, _| async move { written(&answer(cx).await?) }.boxed())
    }

    /// A route that takes a JSON object.
    pub(crate) fn post<I, O, F>(path: &'static str, who: Who, answer: fn(Cx, I) -> F) -> Self
    where
        I: DeserializeOwned + Send + 'static,
        O: Serialize,
        F: Future<Output = Result<O, ApiError>> + Send + 'static,
    {
        let handler = move |cx: Cx, body: Bytes| async move {
            let input = read(&cx.headers, &body)?;
            written(&answer(cx, input).await?)
        };
        Self::raw(Method::POST, path, who, move |cx, body| handler(cx, body).boxed())
    }

    /// A route that makes its own answer, such as a stream.
    pub(crate) fn raw(
        method: Method,
        path: &'static str,
        who: Who,
        handler: impl Fn(Cx, Bytes) -> BoxFuture<'static, Answered> + Send + Sync + 'static,
    ) -> Self {
        Self { method, path, who, handler: Arc::new(handler) }
    }
}

fn written(output: &impl Serialize) -> Answered {
    let body = serde_json::to_value(output).map_err(ApiError::internal)?;
    Ok(json_answer(StatusCode::OK, &body))
}

/// The body as the route's input. What is in it beyond that is ignored, as the contract's clients expect.
fn read<I: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<I, ApiError> {
    let media = headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_json = media.is_some_and(|media| {
        let kind = media.split(';').next().map(str::trim);
        kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"))
    });
    if !is_json {
        let told = media.map_or_else(|| "there is none".to_owned(), |media| format!("it is `{media}`"));
        return Err(ApiError::new(Code::Request, format!("Content-Type must be application/json; {told}"))
            .status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    serde_json::from_slice(body).map_err(|error| {
        let code = if error.is_data() { Code::Params } else { Code::Parse };
        ApiError::new(code, format!("the body was not understood: {error}"))
    })
}

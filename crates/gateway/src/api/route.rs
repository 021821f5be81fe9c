//! A route of the API: what it takes, what it gives, who may ask, and the function that answers.
//!
//! The list of routes is the router and the documentation alike, so that neither has what the other has not. A new route
//! is one line in `api::routes`: [`Route::post`] and [`Route::bare`] take the schemas of body and answer from the types of
//! the function, whose doc comments are what readers of `/docs` see; [`Route::raw`] is told them by `takes` and `gives`.
//! `about` says in a line what the route is for, `free` takes it out of the rate limit that its path falls under.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use axum::response::Response;
use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture};
use http::{HeaderMap, Method, StatusCode};
use mcp::InputShape;
use schemars::{JsonSchema, Schema, SchemaGenerator};
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
    pub(crate) headers: HeaderMap,
    /// What stands behind the path, decoded.
    pub(crate) query: Vec<(String, String)>,
}

impl Cx {
    /// A variable part of the path.
    pub(crate) fn part(&self, name: &str) -> Result<&str, ApiError> {
        let found = self.path.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| ApiError::internal(format!("no {name} in the path")))
    }

    /// A parameter of the query, if it is given.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
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

/// What counts against which of a session's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    Chat,
    Execute,
    Document,
    Mcp,
    /// Beginning sessions, by address.
    Begin,
    /// All the rest, which has no limit in the contract and a wide one here.
    Other,
}

impl Class {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Chat => "chat",
            Class::Execute => "execute",
            Class::Document => "document",
            Class::Mcp => "mcp",
            Class::Begin => "session",
            Class::Other => "other",
        }
    }

    /// By what a path begins with, as the contract groups them.
    fn of(method: &Method, path: &str) -> Self {
        let is = |start: &str| path.strip_prefix(start).is_some_and(|rest| rest.starts_with('/'));
        match path {
            "/session/create" => Class::Begin,
            "/mcp/tools/execute" if *method == Method::POST => Class::Execute,
            _ if is("/chat") => Class::Chat,
            _ if is("/document") => Class::Document,
            _ if is("/mcp") => Class::Mcp,
            _ => Class::Other,
        }
    }
}

/// A parameter behind the path, for the documentation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// What JSON Schema calls it.
    pub(crate) kind: &'static str,
    pub(crate) about: &'static str,
}

/// Gives the schema of a body or an answer.
pub(crate) type Shape = fn(&mut SchemaGenerator) -> Schema;

pub(crate) type Answered = Result<Response, ApiError>;
type Handler = Arc<dyn Fn(Cx, Bytes) -> BoxFuture<'static, Answered> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) method: Method,
    /// As axum writes it, below `/api/v1`.
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    /// Which limit its use counts against.
    pub(crate) class: Class,
    pub(crate) about: &'static str,
    pub(crate) takes: Option<Shape>,
    pub(crate) gives: Option<Shape>,
    /// What may stand behind the path.
    pub(crate) query: &'static [Parameter],
    /// Headers that mean something to it.
    pub(crate) headers: &'static [&'static str],
    /// Whether it answers with a stream of events.
    pub(crate) streams: bool,
    /// Good answers without a body, by status.
    pub(crate) also: &'static [(u16, &'static str)],
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
        O: Serialize + JsonSchema,
        F: Future<Output = Result<O, ApiError>> + Send + 'static,
    {
        Self::raw(method, path, who, move |cx, _| async move { written(&answer(cx).await?) }.boxed())
            .gives::<O>()
    }

    /// A route that takes a JSON object.
    pub(crate) fn post<I, O, F>(path: &'static str, who: Who, answer: fn(Cx, I) -> F) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema,
        F: Future<Output = Result<O, ApiError>> + Send + 'static,
    {
        let shape = Arc::new(OnceLock::new());
        let handler = move |cx: Cx, body: Bytes| {
            let shape = shape.clone();
            async move {
                let input = read::<I>(shape.get_or_init(InputShape::of::<I>), &cx.headers, &body)?;
                written(&answer(cx, input).await?)
            }
        };
        Self::raw(Method::POST, path, who, move |cx, body| handler(cx, body).boxed())
            .takes::<I>()
            .gives::<O>()
    }

    /// A route that makes its own answer, such as a stream.
    pub(crate) fn raw(
        method: Method,
        path: &'static str,
        who: Who,
        handler: impl Fn(Cx, Bytes) -> BoxFuture<'static, Answered> + Send + Sync + 'static,
    ) -> Self {
        Self {
            class: Class::of(&method, path),
            handler: Arc::new(handler),
            method,
            path,
            who,
            about: "",
            takes: None,
            gives: None,
            query: &[],
            headers: &[],
            also: &[],
            streams: false,
        }
    }

    /// What the route is for, in a line.
    pub(crate) fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Its use counts against no limit of its kind.
    pub(crate) fn free(self) -> Self {
        Self { class: Class::Other, ..self }
    }

    pub(crate) fn takes<I: JsonSchema>(self) -> Self {
        Self { takes: Some(SchemaGenerator::subschema_for::<I>), ..self }
    }

    pub(crate) fn gives<O: JsonSchema>(self) -> Self {
        Self { gives: Some(SchemaGenerator::subschema_for::<O>), ..self }
    }

    pub(crate) fn query(self, query: &'static [Parameter]) -> Self {
        Self { query, ..self }
    }

    pub(crate) fn headers(self, headers: &'static [&'static str]) -> Self {
        Self { headers, ..self }
    }

    /// It answers with a stream of events.
    pub(crate) fn streams(self) -> Self {
        Self { streams: true, ..self }
    }

    /// Answers without a body that it may give as well.
    pub(crate) fn also(self, also: &'static [(u16, &'static str)]) -> Self {
        Self { also, ..self }
    }

    /// As it is documented and counted: a part that may hold slashes is a part like others.
    pub(crate) fn template(&self) -> String {
        self.path.replace("{*", "{")
    }
}

fn written(output: &impl Serialize) -> Answered {
    let body = serde_json::to_value(output).map_err(ApiError::internal)?;
    Ok(json_answer(StatusCode::OK, &body))
}

/// The body as the route's input. What is in it beyond that is ignored, as the contract's clients expect.
fn read<I: DeserializeOwned>(shape: &InputShape, headers: &HeaderMap, body: &[u8]) -> Result<I, ApiError> {
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
    // By way of a value, whose depth is bounded: what an input ignores is passed over however deep it is.
    let value = serde_json::from_slice::<serde_json::Value>(body);
    let value = value.map_err(|error| ApiError::new(Code::Parse, format!("the body is no JSON: {error}")))?;
    shape.read(value).map_err(|why| ApiError::new(Code::Params, why))
}

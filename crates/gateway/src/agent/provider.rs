//! Model providers: OpenAI-compatible chat completions and Anthropic messages, streamed.

mod anthropic;
mod config;
mod openai;

use std::{collections::VecDeque, time::Duration};

use bytes::Bytes;
use futures::{future::BoxFuture, stream};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use serde_json::Value;

use super::{
    context::shortened,
    model::{Model, ModelError, Piece, Pieces, Prompt},
};
use crate::client::{Answer, Client, ClientError, Reach, SseEvent, SseParser};

pub use config::{Kind, Provider, ProviderError, ProviderKey};

/// An answer of a model is never larger; a stream that does not end is cut here.
const MOST_BYTES: usize = 64 << 20;
const MOST_ERROR_BYTES: usize = 64 << 10;
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// A provider ready to be asked.
#[derive(Debug)]
pub struct RemoteModel {
    provider: Provider,
    name: String,
    chat: Uri,
    models: Uri,
    headers: HeaderMap,
    client: Client,
}

impl RemoteModel {
    pub fn new(provider: Provider) -> Result<Self, ProviderError> {
        let (chat, models) = provider.addresses()?;
        let headers = headers(&provider)?;
        let name = format!("{} {}", provider.kind.name(), provider.model);
        // Where a provider is, the operator decides, and local ones are common.
        let client = Client::new(Reach::Anywhere, CONNECT_TIME, provider.idle_time);
        Ok(Self { provider, name, chat, models, headers, client })
    }

    fn body(&self, prompt: &Prompt<'_>) -> Value {
        match self.provider.kind {
            Kind::Anthropic => anthropic::body(&self.provider.model, prompt),
            Kind::OpenAi | Kind::Azure | Kind::Ollama => openai::body(&self.provider, prompt),
        }
    }

    fn reader(&self) -> Box<dyn Dialect> {
        match self.provider.kind {
            Kind::Anthropic => Box::new(anthropic::Reader::default()),
            Kind::OpenAi | Kind::Azure | Kind::Ollama => Box::new(openai::Reader::default()),
        }
    }

    async fn begin(&self, prompt: &Prompt<'_>) -> Result<Pieces<'_>, ModelError> {
        let body = Bytes::from(self.body(prompt).to_string());
        let sent = self.client.send(Method::POST, &self.chat, self.headers.clone(), body).await;
        let mut answer = sent.map_err(model_error)?;
        if !answer.status.is_success() {
            return Err(self.refused(&mut answer).await);
        }
        if !answer.is("text/event-stream") {
            return Err(ModelError::Malformed("it is no event stream".to_owned()));
        }
        let state = Reading {
            model: self,
            answer,
            parser: SseParser::default(),
            dialect: self.reader(),
            ready: VecDeque::new(),
            bytes: 0,
            done: false,
        };
        Ok(Box::pin(stream::unfold(state, |mut state| async move {
            let next = state.next().await?;
            state.done = !matches!(next, Ok(Piece::Text(_)));
            Some((next, state))
        })))
    }

    async fn refused(&self, answer: &mut Answer) -> ModelError {
        let retry_after = retry_after(&answer.headers);
        let status = answer.status.as_u16();
        let message = match answer.whole(MOST_ERROR_BYTES).await {
            Ok(body) => self.without_key(&error_message(&body)),
            Err(_) => "no reason given".to_owned(),
        };
        ModelError::Status { status, message, retry_after }
    }

    /// Some providers put the key that they did not accept into their answer.
    fn without_key(&self, text: &str) -> String {
        match &self.provider.key {
            Some(key) => text.replace(key.secret(), "(key)"),
            None => text.to_owned(),
        }
    }
}

impl Model for RemoteModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn prices(&self) -> Option<(f64, f64)> {
        self.provider.prices
    }

    fn ask<'a>(&'a self, prompt: &'a Prompt<'a>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>> {
        Box::pin(self.begin(prompt))
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), ModelError>> {
        Box::pin(async {
            let sent = self.client.send(Method::GET, &self.models, self.headers.clone(), Bytes::new());
            let mut answer = sent.await.map_err(model_error)?;
            // A server without a list of models still answers.
            if answer.status.is_success() || matches!(answer.status.as_u16(), 404 | 405) {
                return Ok(());
            }
            Err(self.refused(&mut answer).await)
        })
    }
}

/// What a dialect makes of its events.
trait Dialect: Send {
    /// Pieces that the event completes; with [`Piece::Done`] the answer is complete.
    fn event(&mut self, event: &SseEvent) -> Result<Vec<Piece>, ModelError>;

    /// The stream is over: the rest of the answer, if it was complete.
    fn end(&mut self) -> Result<Piece, ModelError>;
}

struct Reading<'a> {
    model: &'a RemoteModel,
    answer: Answer,
    parser: SseParser,
    dialect: Box<dyn Dialect>,
    ready: VecDeque<Piece>,
    bytes: usize,
    done: bool,
}

impl Reading<'_> {
    async fn next(&mut self) -> Option<Result<Piece, ModelError>> {
        if self.done {
            return None;
        }
        match self.read().await {
            Ok(piece) => Some(Ok(piece)),
            Err(ModelError::Status { status, message, retry_after }) => {
                let message = self.model.without_key(&message);
                Some(Err(ModelError::Status { status, message, retry_after }))
            }
            Err(error) => Some(Err(error)),
        }
    }

    async fn read(&mut self) -> Result<Piece, ModelError> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(piece);
            }
            let chunk = self.answer.chunk().await.map_err(|error| match error {
                ClientError::TimedOut(..) => ModelError::TimedOut(error.to_string()),
                _ => ModelError::Cut(error.to_string()),
            })?;
            let Some(chunk) = chunk else { return self.dialect.end() };
            self.bytes += chunk.len();
            if self.bytes > MOST_BYTES {
                return Err(ModelError::Malformed(format!("it is longer than {MOST_BYTES} bytes")));
            }
            for event in self.parser.feed(&chunk).map_err(ModelError::Malformed)? {
                self.ready.extend(self.dialect.event(&event)?);
            }
        }
    }
}

fn headers(provider: &Provider) -> Result<HeaderMap, ProviderError> {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
    if provider.kind == Kind::Anthropic {
        headers.insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
    }
    if let Some(key) = &provider.key {
        let (name, value) = match provider.kind {
            Kind::Anthropic => (HeaderName::from_static("x-api-key"), key.secret().to_owned()),
            Kind::Azure => (HeaderName::from_static("api-key"), key.secret().to_owned()),
            Kind::OpenAi | Kind::Ollama => (header::AUTHORIZATION, format!("Bearer {}", key.secret())),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| ProviderError::BadKey)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

fn model_error(error: ClientError) -> ModelError {
    match error {
        ClientError::TimedOut(..) => ModelError::TimedOut(error.to_string()),
        ClientError::Broken(..) => ModelError::Cut(error.to_string()),
        _ => ModelError::Unreachable(error.to_string()),
    }
}

/// Seconds, or the milliseconds that some providers give beside; a date is not understood and waited for as usual.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|millis| millis / 1000.0).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn error_message(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_str(&text).ok();
    let said = parsed.as_ref().and_then(|parsed| {
        let error = parsed.get("error").unwrap_or(parsed);
        error.get("message").unwrap_or(error).as_str()
    });
    shortened(said.unwrap_or(&text).trim(), 300)
}

/// The data of an event as JSON.
fn parsed(event: &SseEvent) -> Result<Value, ModelError> {
    serde_json::from_str(&event.data)
        .map_err(|error| ModelError::Malformed(format!("an event is no JSON: {error}")))
}

fn in_stream_error(error: &Value, status: u16) -> ModelError {
    let message = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
    ModelError::Status { status, message: shortened(message, 300), retry_after: None }
}

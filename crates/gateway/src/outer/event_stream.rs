//! The transport of 2024-11-05: requests are posted to an address that a stream names, and answered on that stream.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, Method, Uri};
use serde_json::Value;
use tokio::{sync::oneshot, task::JoinHandle};

use super::{Listeners, Lost, MOST_BYTES};
use crate::client::{Answer, Client, Origin, SseParser, resolve};

/// The longest silence of a stream that lives as long as its session; heartbeats are more frequent.
pub(super) const SILENCE: Duration = Duration::from_secs(5 * 60);

type Waiting = Arc<Mutex<BTreeMap<u64, oneshot::Sender<Value>>>>;

/// An open stream, and where requests go.
#[derive(Debug)]
pub(super) struct EventStream {
    endpoint: Uri,
    waiting: Waiting,
    reader: JoinHandle<()>,
}

impl EventStream {
    /// Opens the stream and waits for the address that it names, which must be of the same origin: the token goes there.
    pub(super) async fn open(
        client: &Client,
        url: &Uri,
        headers: HeaderMap,
        listeners: Listeners,
    ) -> Result<Self, Lost> {
        let mut answer = client.send(Method::GET, url, headers, Bytes::new()).await.map_err(Lost::Client)?;
        if !answer.status.is_success() {
            return Err(Lost::Status(answer.status));
        }
        if !answer.is("text/event-stream") {
            return Err(Lost::Protocol("it opened no event stream".to_owned()));
        }
        let mut parser = SseParser::default();
        let (endpoint, early) = endpoint(&mut answer, &mut parser).await?;
        let origin = |uri: &Uri| Origin::of(uri).map_err(Lost::Client);
        let endpoint = resolve(url, &endpoint);
        let endpoint = endpoint.ok_or_else(|| Lost::Protocol("its endpoint is no address".to_owned()))?;
        if origin(&endpoint)? != origin(url)? {
            return Err(Lost::Protocol(
                "its endpoint is of another origin, which is not followed".to_owned(),
            ));
        }
        let waiting = Waiting::default();
        hand_over(&waiting, &listeners, early);
        let reader = tokio::spawn(read(answer, parser, waiting.clone(), listeners));
        Ok(Self { endpoint, waiting, reader })
    }

    /// Posts a message and, if it is a request, waits for its answer.
    pub(super) async fn post(
        &self,
        client: &Client,
        headers: HeaderMap,
        message: &Value,
    ) -> Result<Value, Lost> {
        let id = message.get("id").and_then(Value::as_u64);
        let answered = id.map(|id| {
            let (answer, answered) = oneshot::channel();
            locked(&self.waiting).insert(id, answer);
            answered
        });
        let body = Bytes::from(message.to_string());
        let sent = client.send(Method::POST, &self.endpoint, headers, body).await.map_err(Lost::Client);
        let sent = sent
            .and_then(|sent| if sent.status.is_success() { Ok(()) } else { Err(Lost::Status(sent.status)) });
        let reply = match (sent, answered) {
            (Err(lost), _) => Err(lost),
            (Ok(()), None) => Ok(Value::Null),
            (Ok(()), Some(answered)) => {
                answered.await.map_err(|_| Lost::Protocol("its stream ended without an answer".to_owned()))
            }
        };
        if let Some(id) = id {
            locked(&self.waiting).remove(&id);
        }
        reply
    }

    pub(super) fn has_ended(&self) -> bool {
        self.reader.is_finished()
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// The address in the first event, and the messages that came with it.
async fn endpoint(answer: &mut Answer, parser: &mut SseParser) -> Result<(String, Vec<String>), Lost> {
    while let Some(chunk) = answer.chunk().await.map_err(Lost::Client)? {
        let mut events = parser.feed(&chunk).map_err(Lost::Protocol)?.into_iter();
        if let Some(event) = events.by_ref().find(|event| event.event == "endpoint") {
            return Ok((event.data, events.map(|event| event.data).collect()));
        }
    }
    Err(Lost::Protocol("its stream ended before it named an endpoint".to_owned()))
}

async fn read(mut answer: Answer, mut parser: SseParser, waiting: Waiting, listeners: Listeners) {
    loop {
        let events = match answer.chunk().await {
            Ok(Some(chunk)) if chunk.len() <= MOST_BYTES => parser.feed(&chunk),
            _ => break,
        };
        match events {
            Ok(events) => hand_over(&waiting, &listeners, events.into_iter().map(|event| event.data)),
            Err(_) => break,
        }
    }
    // Whoever still waits hears that there will be no answer.
    locked(&waiting).clear();
}

fn hand_over(waiting: &Waiting, listeners: &Listeners, messages: impl IntoIterator<Item = String>) {
    for message in messages {
        let message: Option<Value> = serde_json::from_str(&message).ok();
        message.iter().for_each(|message| listeners.hear(message));
        let message = message.filter(|message| message.get("method").is_none());
        let id = message.as_ref().and_then(|message| message.get("id")?.as_u64());
        if let Some((id, message)) = id.zip(message)
            && let Some(answer) = locked(waiting).remove(&id)
        {
            // Whoever asked may have given up.
            let _ = answer.send(message);
        }
    }
}

fn locked(waiting: &Waiting) -> MutexGuard<'_, BTreeMap<u64, oneshot::Sender<Value>>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Requests that are being answered.
//!
//! A session's ids must not overlap: the SDK would send the first answer down the second request's stream
//! and none down the other. And a server that ends should know whether anybody still waits.

use std::{
    collections::HashSet,
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt as _, combinators::BoxBody};
use rmcp::model::RequestId;
use tokio::sync::watch;

#[derive(Debug, Default)]
pub(super) struct Active {
    in_use: Mutex<HashSet<(String, RequestId)>>,
    count: watch::Sender<usize>,
}

impl Active {
    /// Takes note of a request; `None` when its id is in use in its session.
    pub(super) fn enter(self: &Arc<Self>, session: Option<&str>, id: &RequestId) -> Option<Guard> {
        let key = session.map(|session| (session.to_owned(), id.clone()));
        if let Some(key) = &key
            && !self.lock().insert(key.clone())
        {
            return None;
        }
        self.count.send_modify(|count| *count += 1);
        Some(Guard { active: self.clone(), key })
    }

    /// Waits until nothing is being answered.
    pub(super) async fn idle(&self) {
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<(String, RequestId)>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Guard {
    active: Arc<Active>,
    key: Option<(String, RequestId)>,
}

impl Guard {
    /// Holds on until the answer's body has been sent, or was given up.
    pub(super) fn until_end_of(self, body: BoxBody<Bytes, Infallible>) -> BoxBody<Bytes, Infallible> {
        Guarded { body, _guard: self }.boxed()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            self.active.lock().remove(key);
        }
        self.active.count.send_modify(|count| *count -= 1);
    }
}

struct Guarded {
    body: BoxBody<Bytes, Infallible>,
    _guard: Guard,
}

impl Body for Guarded {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

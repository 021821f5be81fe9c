//! How long a client may take to say what it wants.
//!
//! A request is looked at when its head is complete, so whoever sends a head byte by byte, or nothing at all,
//! holds a socket without ever being asked for a token. hyper has one clock for a client that rests between two
//! requests and for one that is in the middle of a head; here is the second one, which is much shorter.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::Notify,
    time::Instant,
};

/// What one connection is doing.
#[derive(Debug)]
pub(crate) struct Pace {
    phase: Mutex<Phase>,
    changed: Notify,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Resting between two requests.
    Resting,
    /// Something of a head has come, or is expected of a client that has just connected.
    Head(Instant),
    /// A request is being answered.
    Answering,
}

impl Pace {
    pub(crate) fn begin() -> Arc<Self> {
        Arc::new(Self { phase: Mutex::new(Phase::Head(Instant::now())), changed: Notify::new() })
    }

    /// Completes when a head took longer than this.
    pub(crate) async fn is_late(&self, time: Duration) {
        loop {
            let changed = self.changed.notified();
            let phase = *self.phase();
            match phase {
                Phase::Head(since) => tokio::select! {
                    () = tokio::time::sleep_until(since + time) => return,
                    () = changed => {}
                },
                Phase::Resting | Phase::Answering => changed.await,
            }
        }
    }

    /// A head is complete; lasts until its answer has been sent.
    pub(crate) fn answering(self: &Arc<Self>) -> Answering {
        self.enter(Phase::Answering);
        Answering(self.clone())
    }

    fn read(&self) {
        if *self.phase() == Phase::Resting {
            self.enter(Phase::Head(Instant::now()));
        }
    }

    fn enter(&self, phase: Phase) {
        *self.phase() = phase;
        self.changed.notify_waiters();
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct Answering(Arc<Pace>);

impl Answering {
    /// Holds on until the body has been sent, or was given up.
    pub(crate) fn until_end_of(self, body: Body) -> Body {
        Body::new(Answered { body, _answering: self })
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.enter(Phase::Resting);
    }
}

struct Answered {
    body: Body,
    _answering: Answering,
}

impl http_body::Body for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A socket that tells when something was read from it.
#[derive(Debug)]
pub(crate) struct Paced {
    pub(crate) stream: TcpStream,
    pub(crate) pace: Arc<Pace>,
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.pace.read();
        }
        polled
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

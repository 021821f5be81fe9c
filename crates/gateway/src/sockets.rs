//! Connections: how many there may be, and how long each may waste.
//!
//! All of this happens before a token is asked for, so it is what a stranger meets first.

use std::{convert::Infallible, net::IpAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, response::Response};
use http::Request;
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

use crate::pace::{Pace, Paced};

#[derive(Debug, Clone)]
pub struct Limits {
    /// Open at a time; those who come later wait until one is free.
    pub sockets: u32,
    /// For a whole head, from its first byte or from connecting.
    pub head_time: Duration,
    /// Between two requests on one connection.
    pub rest_time: Duration,
    /// Of a head, with the request line; it has at most 100 fields.
    pub head_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets: 512,
            head_time: Duration::from_secs(10),
            rest_time: Duration::from_secs(75),
            head_bytes: 64 * 1024,
        }
    }
}

/// Whose connection a request came on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The connections of one listener.
#[derive(Debug)]
pub(crate) struct Sockets {
    limits: Limits,
    free: Arc<Semaphore>,
    /// Turns true when no further requests are wanted.
    stopping: watch::Sender<bool>,
}

impl Sockets {
    pub(crate) fn new(limits: Limits) -> Self {
        let free = Arc::new(Semaphore::new(limits.sockets as usize));
        Self { limits, free, stopping: watch::Sender::new(false) }
    }

    /// Takes connections for ever.
    pub(crate) async fn serve(&self, listener: &TcpListener, router: &Router) -> Infallible {
        loop {
            let (stream, permit) = self.next(listener).await;
            let served = connection(stream, router.clone(), self.limits.clone(), self.stopping.subscribe());
            tokio::spawn(async move {
                if let Err(error) = served.await {
                    tracing::debug!(%error, "a connection failed");
                }
                drop(permit);
            });
        }
    }

    async fn next(&self, listener: &TcpListener) -> (TcpStream, OwnedSemaphorePermit) {
        loop {
            // Never closed, so there is always one at last.
            let Ok(permit) = self.free.clone().acquire_owned().await else { continue };
            match listener.accept().await {
                Ok((stream, _)) => return (stream, permit),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    // Without room for another file this would go round and round.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// Lets every connection end after its running requests.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until all of them have ended.
    pub(crate) async fn finished(&self) {
        let _ = self.free.acquire_many(self.limits.sockets).await;
    }
}

async fn connection(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
) -> Result<(), hyper::Error> {
    // Without this every small answer waits 40 ms for an acknowledgement that is itself delayed.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY was not set");
    }
    let peer = stream.peer_addr().ok().map(|address| Peer(address.ip()));
    let pace = Pace::begin();
    let stream = TokioIo::new(Paced { stream, pace: pace.clone() });
    let routes = TowerToHyperService::new(router);
    let answering = pace.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(peer) = peer {
            request.extensions_mut().insert(peer);
        }
        let (routes, answering) = (routes.clone(), answering.answering());
        async move {
            let answer: Response = routes.call(request.map(Body::new)).await?;
            Ok::<_, Infallible>(answer.map(|body| answering.until_end_of(body)))
        }
    });
    let mut serving = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.rest_time)
            // The guard refuses what is over the limit, and says so; this is for what nobody should read.
            .max_header_size(limits.head_bytes.saturating_mul(4))
            .serve_connection(stream, service)
    );
    let asked = async move {
        // Whoever could ask is gone with the listener, which is the same.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    tokio::select! {
        served = serving.as_mut() => return served,
        () = pace.is_late(limits.head_time) => {
            tracing::debug!("a head took too long");
            return Ok(());
        }
        () = asked => serving.as_mut().graceful_shutdown(),
    }
    serving.await
}

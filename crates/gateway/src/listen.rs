//! The port: bound, served, and left in good order.

use std::{io, net::SocketAddr, time::Duration};

use axum::{Router, serve::ListenerExt as _};
use mcp::http::Endpoint;
use tokio::net::TcpListener;

use crate::access::{Access, Reach, Token};

#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    pub access: Access,
    /// How long running calls may go on after the server was asked to end.
    pub grace: Duration,
}

impl Config {
    pub fn new(listen: SocketAddr) -> Self {
        Self { listen, access: Access::default(), grace: Duration::from_secs(5) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("{0} can be reached from other machines; set an access token, or listen on 127.0.0.1")]
    NoToken(SocketAddr),
    #[error("the access token is too short; use at least {} characters", Token::SHORTEST)]
    ShortToken,
    #[error("cannot listen on {address}: {source}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("the server stopped: {0}")]
    Serve(#[from] io::Error),
}

/// A server that has its port and does not serve yet.
#[derive(Debug)]
pub struct Gateway {
    listener: TcpListener,
    address: SocketAddr,
    endpoint: Endpoint,
    router: Router,
    grace: Duration,
}

impl Gateway {
    pub async fn bind(config: Config, endpoint: Endpoint) -> Result<Self, StartError> {
        let Config { listen, access, grace } = config;
        if access.token.as_ref().is_some_and(Token::is_too_short) {
            return Err(StartError::ShortToken);
        }
        let reach = if listen.ip().is_loopback() { Reach::ThisMachine } else { Reach::Others };
        if reach == Reach::Others && access.token.is_none() {
            return Err(StartError::NoToken(listen));
        }
        let refused = |source| StartError::Bind { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let router = access.guard(reach, endpoint.router());
        Ok(Self { listener, address, endpoint, router, grace })
    }

    /// Where it listens, the port included when any free one was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<(), StartError> {
        let Self { listener, endpoint, router, grace, .. } = self;
        // Without this every small answer waits 40 ms for an acknowledgement that is itself delayed.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY was not set");
            }
        });
        let (ended, end) = tokio::sync::oneshot::channel::<()>();
        let signal = async move {
            shutdown.await;
            tracing::info!("shutting down");
            // Streams that never end by themselves are closed once running calls are done.
            tokio::spawn(async move {
                endpoint.close(grace).await;
                let _ = ended.send(());
            });
        };
        let served = axum::serve(listener, router).with_graceful_shutdown(signal);
        tokio::select! {
            served = served.into_future() => served.map_err(StartError::from),
            // A client that keeps its connection open does not keep the server.
            () = async {
                match end.await {
                    Ok(()) => tokio::time::sleep(Duration::from_secs(1)).await,
                    Err(_) => std::future::pending().await,
                }
            } => Ok(()),
        }
    }
}

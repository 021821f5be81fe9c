//! The port: bound, served, and left in good order.

use std::{io, net::SocketAddr, time::Duration};

use axum::Router;
use mcp::http::Endpoint;
use tokio::net::TcpListener;

use crate::{
    access::{Access, Reach, Token},
    sockets::{Limits, Sockets},
};

#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    pub access: Access,
    pub limits: Limits,
    /// How long running calls may go on after the server was asked to end.
    pub grace: Duration,
}

impl Config {
    pub fn new(listen: SocketAddr) -> Self {
        let grace = Duration::from_secs(5);
        Self { listen, access: Access::default(), limits: Limits::default(), grace }
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
    limits: Limits,
    grace: Duration,
}

impl Gateway {
    pub async fn bind(config: Config, endpoint: Endpoint) -> Result<Self, StartError> {
        let Config { listen, access, limits, grace } = config;
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
        Ok(Self { listener, address, endpoint, router, limits, grace })
    }

    /// Where it listens, the port included when any free one was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<(), StartError> {
        let Self { listener, endpoint, router, limits, grace, .. } = self;
        let sockets = Sockets::new(limits);
        tokio::select! {
            never = sockets.serve(&listener, &router) => match never {},
            () = shutdown => {}
        }
        tracing::info!("shutting down");
        drop(listener);
        tokio::select! {
            () = sockets.finish() => {}
            // Streams that never end by themselves are closed once running calls are done, and a client that
            // keeps its connection open does not keep the server.
            () = async {
                endpoint.close(grace).await;
                tokio::time::sleep(Duration::from_secs(1)).await;
            } => {}
        }
        Ok(())
    }
}

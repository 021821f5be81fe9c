//! The port: bound, served, and left in good order.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use mcp::http::Endpoint;
use tokio::net::TcpListener;

use crate::{
    access::{Access, Reach, Token},
    api::{self, Api, state::State},
    rates::Rates,
    sockets::{Limits, Sockets},
    store::StoreError,
};

#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    pub access: Access,
    pub limits: Limits,
    /// How often sessions of the API may ask.
    pub rates: Rates,
    /// How long running calls may go on after the server was asked to end.
    pub grace: Duration,
}

impl Config {
    pub fn new(listen: SocketAddr) -> Self {
        let grace = Duration::from_secs(8);
        let (access, limits, rates) = (Access::default(), Limits::default(), Rates::default());
        Self { listen, access, limits, rates, grace }
    }

    /// What can be seen to be wrong before the port is taken.
    pub fn check(&self) -> Result<(), StartError> {
        if self.access.token.as_ref().is_some_and(Token::is_too_short) {
            return Err(StartError::ShortToken);
        }
        if self.reach() == Reach::Others && self.access.token.is_none() {
            return Err(StartError::NoToken(self.listen));
        }
        Ok(())
    }

    fn reach(&self) -> Reach {
        if self.listen.ip().is_loopback() { Reach::ThisMachine } else { Reach::Others }
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
    #[error("sessions cannot be kept: {0}")]
    Store(#[from] StoreError),
    #[error("the server stopped: {0}")]
    Serve(#[from] io::Error),
}

/// A server that has its port and does not serve yet.
#[derive(Debug)]
pub struct Gateway {
    listener: TcpListener,
    address: SocketAddr,
    endpoint: Endpoint,
    api: Option<Arc<State>>,
    router: Router,
    limits: Limits,
    grace: Duration,
}

impl Gateway {
    /// MCP and, if it is given, the API on one port.
    pub async fn bind(config: Config, endpoint: Endpoint, api: Option<Api>) -> Result<Self, StartError> {
        config.check()?;
        let reach = config.reach();
        let Config { listen, access, limits, rates, grace } = config;
        let refused = |source| StartError::Bind { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let mut router = access.lock(endpoint.router());
        let api = match api {
            Some(api) => Some(Arc::new(State::open(api, access.token.clone(), rates).await?)),
            None => None,
        };
        if let Some(state) = &api {
            router = router.merge(api::router(state)).merge(access.lock(api::measures(state)));
        }
        let router = access.guard(reach, limits.head_bytes, api.clone(), router);
        Ok(Self { listener, address, endpoint, api, router, limits, grace })
    }

    /// Where it listens, the port included when any free one was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<(), StartError> {
        let Self { listener, endpoint, api, router, limits, grace, .. } = self;
        let keeping = api.clone().map(|state| tokio::spawn(state.keep_house()));
        let sockets = Sockets::new(limits);
        tokio::select! {
            never = sockets.serve(&listener, &router) => match never {},
            () = shutdown => {}
        }
        tracing::info!("shutting down");
        drop(listener);
        if let Some(state) = &api {
            state.closing.cancel();
        }
        // What is being answered is answered, if that is soon; what is not by then is told to be interrupted.
        sockets.stop();
        let runs = async {
            if let Some(state) = &api {
                drop(tokio::time::timeout(grace, state.runs.come_to_rest()).await);
                state.runs.abandon();
            }
        };
        tokio::join!(endpoint.close(grace), runs);
        // A client that keeps its connection open does not keep the server.
        drop(tokio::time::timeout(Duration::from_secs(1), sockets.finished()).await);
        if let Some(keeping) = keeping {
            keeping.abort();
        }
        if let Some(state) = api {
            state.close().await;
        }
        Ok(())
    }
}

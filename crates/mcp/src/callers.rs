//! Seats for callers that another surface of this process vouches for: the sessions of the HTTP API.
//!
//! What they may do is what the server was started with; who they are is said by the surface, which has checked it.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use workspace::{Caller, CallerId, Performed};

use crate::{error::ToolError, in_process::Client, offer::Offer, server::Server};

/// Where callers of this process are given their seats.
#[derive(Debug, Clone)]
pub struct Callers {
    server: Arc<Server>,
    offer: Arc<Offer>,
    caller: Caller,
}

impl Callers {
    pub fn new(server: Arc<Server>, offer: Arc<Offer>, caller: Caller) -> Self {
        Self { server, offer, caller }
    }

    /// The seat of whoever knows this secret, the same each time; documents show its edits under `author`, or under
    /// the name that the server was started with.
    pub fn seat(&self, secret: &str, author: Option<&str>) -> Result<Client, ToolError> {
        let id = CallerId::of(&["http session", secret]);
        let name = author.map_or_else(|| self.caller.name.clone(), str::to_owned);
        Client::new(self.server.clone(), self.offer.clone(), Caller { id, name, ..self.caller.clone() })
    }

    /// How many sit at the desk, counted by one of the threads that serve calls: that it answers says that they do.
    pub async fn probe(&self) -> Result<usize, ToolError> {
        let desk = self.server.desk().clone();
        self.server.on_thread(&CancellationToken::new(), move || desk.present()).await
    }

    /// What the journals of documents say was done under the name of a request.
    pub async fn performed(&self, operation: &str) -> Result<Vec<Performed>, ToolError> {
        let (desk, operation) = (self.server.desk().clone(), operation.to_owned());
        self.server.on_thread(&CancellationToken::new(), move || desk.performed(&operation)).await
    }

    /// Seconds since 1970-01-01 UTC, by the clock of the desk.
    pub fn now(&self) -> i64 {
        self.server.desk().now()
    }
}

/// Seconds since 1970-01-01 as `2023-11-14T22:13:20Z`.
pub fn timestamp(seconds: i64) -> String {
    format!("{}Z", workspace::utc(seconds))
}

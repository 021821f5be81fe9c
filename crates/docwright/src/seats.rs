//! What callers of the desk are given: a server with their options.

use std::collections::{HashMap, hash_map::Entry};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use desk::{CallerId, Hello, OutputSchemas, Unseated};
use mcp::{Connection, Server};

use crate::cli::{Access, Listing, Net, Tools};
use crate::commands::mcp::server;

#[derive(Debug)]
pub(crate) struct Seats {
    state: PathBuf,
    taken: Mutex<HashMap<CallerId, Taken>>,
}

/// A caller that lost its connection sits down a second time before it is noticed that it left.
#[derive(Debug)]
struct Taken {
    server: Arc<Server>,
    times: usize,
}

impl Seats {
    pub(crate) fn new(state: PathBuf) -> Self {
        Self { state, taken: Mutex::default() }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<CallerId, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn server(&self, hello: &Hello) -> Result<Arc<Server>, Unseated> {
        let Hello { author, roots, read_only, approval, tools, network, .. } = hello;
        let access = Access {
            roots: roots.iter().map(|root| root.path.clone()).collect(),
            read_only: *read_only,
            auto_approve: approval.auto_approve,
            agents_may_accept: approval.agents_may_accept,
            author: author.clone(),
            net: Net { hosts: network.clone() },
            state_dir: Some(self.state.clone()),
        };
        let tools = Tools {
            toolsets: tools.sets.clone(),
            exclude_tools: tools.exclude.clone(),
            output_schemas: match tools.output_schemas {
                OutputSchemas::Fitting => Listing::Auto,
                OutputSchemas::Always => Listing::Always,
                OutputSchemas::Never => Listing::Never,
            },
        };
        server(&tools, &access).map_err(|failure| Unseated { code: failure.code, why: failure.message })
    }
}

impl desk::Seats for Seats {
    fn seat(&self, hello: &Hello) -> Result<Connection, Unseated> {
        if let Some(seat) = self.taken().get_mut(&hello.caller) {
            seat.times += 1;
            return Ok(Connection::new(seat.server.clone()));
        }
        let server = self.server(hello)?;
        self.taken().insert(hello.caller.clone(), Taken { server: server.clone(), times: 1 });
        Ok(Connection::new(server))
    }

    fn left(&self, hello: &Hello) {
        if let Entry::Occupied(mut seat) = self.taken().entry(hello.caller.clone()) {
            seat.get_mut().times -= 1;
            if seat.get().times == 0 {
                seat.remove();
            }
        }
    }
}

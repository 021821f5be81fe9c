//! What callers of the desk are given: a place at its documents, with the tools and rights they came with.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use desk::{Hello, OutputSchemas, Policy, Unseated};
use mcp::{Choice, Connection, Offer, Server};
use workspace::{Access, Approval, Caller, CallerId, Config, Gate, Network, Role};

use crate::commands::mcp::documents;
use crate::report::Failure;

/// Offers that are kept; clients are started with few different choices.
const MOST_OFFERS: usize = 16;

#[derive(Debug)]
pub(crate) struct Seats {
    server: Arc<Server>,
    /// By what was chosen, because making the list of a hundred tools takes longer than anything else a newcomer asks for.
    offers: Mutex<HashMap<String, Arc<Offer>>>,
}

impl Seats {
    /// At the documents of a state folder, whose lock is held.
    pub(crate) fn of(state: PathBuf, seats_kept: u32) -> Result<Self, Failure> {
        let config = Config { state: Some(state), seats_kept, ..Config::default() };
        Ok(Self::at(Arc::new(Server::new(documents(config)?))))
    }

    pub(crate) fn at(server: Arc<Server>) -> Self {
        Self { server, offers: Mutex::default() }
    }

    fn offer(&self, hello: &Hello) -> Result<Arc<Offer>, Unseated> {
        let choice = Choice {
            tools: hello.tools.sets.clone(),
            exclude: hello.tools.exclude.clone(),
            read_only: hello.read_only,
            output_schemas: match hello.tools.output_schemas {
                OutputSchemas::Fitting => mcp::OutputSchemas::Fitting,
                OutputSchemas::Always => mcp::OutputSchemas::Always,
                OutputSchemas::Never => mcp::OutputSchemas::Never,
            },
        };
        let key = format!("{choice:?}");
        let mut offers = self.offers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(offer) = offers.get(&key) {
            return Ok(offer.clone());
        }
        let offer = Offer::new(&choice).map_err(|error| unseated("UNKNOWN_TOOLS", error.to_string()))?;
        let offer = Arc::new(offer);
        if offers.len() < MOST_OFFERS {
            offers.insert(key, offer.clone());
        }
        Ok(offer)
    }
}

fn caller(hello: &Hello) -> Result<Caller, Unseated> {
    let network = Network::allowing(&hello.network);
    Ok(Caller {
        id: CallerId::new(hello.caller.to_string()),
        role: match hello.role {
            desk::Role::Agent => Role::Agent,
            desk::Role::Person => Role::Person,
        },
        roots: hello.roots.iter().map(|root| root.path.clone()).collect(),
        access: if hello.read_only { Access::ReadOnly } else { Access::ReadWrite },
        approval: approval(hello),
        network: network.map_err(|refusal| unseated("BAD_NETWORK", refusal.to_string()))?,
        ..Caller::agent(&hello.author, "")
    })
}

fn approval(hello: &Hello) -> Approval {
    let desk::Approval { agents_may_accept, policies } = &hello.approval;
    let usual = Approval::default();
    let gate = |policy: Option<Policy>, usual: Gate| match policy {
        None => usual,
        Some(Policy::Apply) => Gate::Apply,
        Some(Policy::Suggest) => Gate::Suggest,
        Some(Policy::Track) => Gate::Track,
    };
    Approval {
        markdown: gate(policies.markdown, usual.markdown),
        word: gate(policies.word, usual.word),
        sheet: gate(policies.sheet, usual.sheet),
        agents_may_accept: *agents_may_accept,
    }
}

fn unseated(code: &str, why: String) -> Unseated {
    Unseated { code: code.to_owned(), why }
}

impl desk::Seats for Seats {
    fn seat(&self, hello: &Hello) -> Result<Connection, Unseated> {
        let offer = self.offer(hello)?;
        let workspace = self.server.desk().seat(caller(hello)?);
        let workspace = workspace.map_err(|refusal| unseated("NO_WORKSPACE", refusal.to_string()))?;
        Ok(Connection::new(self.server.clone(), offer, workspace))
    }

    /// The place is kept for a while by the documents' own rules; the connection let go of it.
    fn left(&self, _: &Hello) {}
}

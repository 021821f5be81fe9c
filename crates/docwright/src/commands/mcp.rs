//! `docwright mcp`: MCP over stdin and stdout.
//!
//! Lines are passed on to the desk, so that people and other agents reach the same documents. Where there can be no
//! desk, or none is wanted, this process serves its client by itself.

use std::io::IsTerminal as _;
use std::sync::Arc;

use mcp::{Connection, Limits, Offer, Server, UnknownTools};
use workspace::{Config, Desk};

use crate::access;
use crate::cli::{Access, DeskOptions, Mcp, Tools};
use crate::hello;
use crate::report::{self, Failure, Verdict};

/// For whoever starts the server by hand and wonders that nothing happens.
const TO_A_PERSON: &str = "\
this speaks MCP to a program: an AI client such as Claude, Cursor or VS Code starts it and writes requests to it.
  docwright install    adds it to the clients of this machine
  docwright --help     lists what you can do here yourself
It now waits for JSON-RPC lines; Ctrl-D ends it.";

pub(crate) fn run(arguments: &Mcp) -> Result<Verdict, Failure> {
    let Mcp { tools, access, at } = arguments;
    if std::io::stdin().is_terminal() {
        report::remark(TO_A_PERSON);
    }
    let mut remark = None;
    if !at.alone {
        // What nobody can offer is said at once, and starts no desk.
        access::choice(tools, access.read_only).check().map_err(|error| unknown(&error))?;
        match at_desk(tools, access, &at.desk) {
            Ok(verdict) => return verdict,
            Err(why) => {
                report::remark(&format!("working alone: {why}"));
                remark = Some(alone_because(&why));
            }
        }
    }
    let server = Arc::new(Server::new(alone(access)?));
    let workspace = server.desk().seat(access::caller(access)?)?;
    let connection = Connection::new(server, Arc::new(offer(tools, access)?), workspace);
    mcp::stdio::run(connection.remarking(remark), Limits::default())
        .map_err(|error| Failure::new("TRANSPORT", error.to_string()))?;
    Ok(Verdict::Done)
}

/// What the client is told when it is not where everybody else is.
fn alone_because(why: &str) -> String {
    let why: String = why.chars().take(120).collect();
    format!(
        "NOTE: this server works alone ({why}). Other agents and `docwright review` do not see its open documents and suggestions; save to share what you did."
    )
}

/// Passes lines on to the desk until the client hangs up, or says why that cannot be.
fn at_desk(tools: &Tools, access: &Access, desk: &DeskOptions) -> Result<Result<Verdict, Failure>, String> {
    let way = hello::way(access, desk)?;
    let hello = hello::agent(tools, access)?;
    let reached = desk::reach(&way, &hello).map_err(|alone| alone.to_string())?;
    let forwarded = desk::forward(way, hello, reached);
    Ok(forwarded.map(|()| Verdict::Done).map_err(|error| Failure::new("TRANSPORT", error.to_string())))
}

pub(super) fn offer(tools: &Tools, access: &Access) -> Result<Offer, Failure> {
    Offer::new(&access::choice(tools, access.read_only)).map_err(|error| unknown(&error))
}

fn unknown(error: &UnknownTools) -> Failure {
    Failure::new("UNKNOWN_TOOLS", error.to_string())
}

/// Documents for the clients of this process only.
pub(super) fn alone(access: &Access) -> Result<Arc<Desk>, Failure> {
    let state = access::state_dir(access)?;
    let config = |state| Config { state, lasting: false, ..Config::default() };
    documents(config(Some(state))).or_else(|failure| {
        // Documents can be edited without the folder.
        report::remark(&format!("unsaved edits would not survive a crash: {}", failure.message));
        documents(config(None))
    })
}

/// The documents of a desk.
pub(crate) fn documents(config: Config) -> Result<Arc<Desk>, Failure> {
    Desk::new(Config { old_workbooks: crate::old::converter(), scripts: crate::scripts::runner(), ..config })
        .map_err(|refusal| {
            let failure = Failure::new("NO_WORKSPACE", refusal.to_string());
            match refusal.hint() {
                Some(hint) => failure.with_hint(hint),
                None => failure,
            }
        })
}

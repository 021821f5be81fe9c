//! How a person reaches the documents: who it is, and what is at the other end of the line.

use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use mcp::stdio::Handover;
use mcp::{Choice, Connection, Limits, Offer, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::{Builder, Handle};
use workspace::{Caller, Config, Scope};

use super::client::Client;
use crate::access;
use crate::cli::DeskOptions;
use crate::cli::review::Review;
use crate::commands::mcp::documents;
use crate::hello;
use crate::report::{self, Failure};

/// Room for answers on their way; more waits until it is read.
const ROOM: usize = 1 << 16;

/// A client of the documents that everybody has open.
pub(super) fn connect(arguments: &Review) -> Result<Client, Failure> {
    let name = match &arguments.as_name {
        Some(name) => name.clone(),
        None => login_name()?,
    };
    let state = access::state_folder(arguments.state_dir.as_deref())?;
    if !arguments.at.alone {
        match at_desk(name.clone(), state.clone(), &arguments.at.desk) {
            Ok(client) => return client,
            Err(why) => report::remark(&format!("working alone: {why}")),
        }
    }
    alone(person(name)?, state)
}

/// A client of the desk, which is started if there is none; or why there can be none.
fn at_desk(name: String, state: PathBuf, desk: &DeskOptions) -> Result<Result<Client, Failure>, String> {
    let hello = hello::person(name)?;
    let way = hello::way_to(state, desk);
    let reached = desk::reach(&way, &hello).map_err(|alone| alone.to_string())?;
    // Should the desk end meanwhile, the next one goes on.
    let (from, to) = desk::lines(way, hello, reached).map_err(|error| error.to_string())?;
    Ok(Client::open(BufReader::new(from), to))
}

/// Who decides, with everything in reach: whoever is at the shell can open every file anyway.
fn person(name: String) -> Result<Caller, Failure> {
    let root = std::path::absolute("/").map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
    Ok(Caller { scope: Scope::Folder, ..Caller::person(name, root) })
}

/// A server in this process, for what was left in the state folder.
fn alone(person: Caller, state: PathBuf) -> Result<Client, Failure> {
    let config = Config { state: Some(state), lasting: false, ..Config::default() };
    here(Arc::new(Server::new(documents(config)?)), person)
}

/// A client of a server in this process, which works in a thread of its own until the client is gone.
pub(super) fn here(server: Arc<Server>, person: Caller) -> Result<Client, Failure> {
    let choice = Choice { tools: vec!["review".to_owned()], ..Choice::default() };
    let offer = Offer::new(&choice).map_err(|error| Failure::new("UNKNOWN_TOOLS", error.to_string()))?;
    let workspace = server.desk().seat(person)?;
    let connection = Connection::new(server, Arc::new(offer), workspace);
    let failed = |error: io::Error| Failure::new("RUNTIME", error.to_string());
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let handle = runtime.handle().clone();
    let (near, far) = tokio::io::duplex(ROOM);
    let serve = move || {
        let (read, write) = tokio::io::split(far);
        // How it ended shows at the other end, as an answer that does not come.
        let _ = runtime.block_on(mcp::stdio::serve(
            connection,
            read,
            write,
            Limits::default(),
            Handover::default(),
        ));
    };
    std::thread::Builder::new().name("review".to_owned()).spawn(serve).map_err(failed)?;
    let (read, write) = tokio::io::split(near);
    let from = BufReader::new(Incoming { handle: handle.clone(), read });
    Client::open(from, Outgoing { handle, write })
}

/// The end of a stream of the runtime's, for a thread outside of it.
struct Incoming {
    handle: Handle,
    read: ReadHalf<DuplexStream>,
}

struct Outgoing {
    handle: Handle,
    write: WriteHalf<DuplexStream>,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.handle.block_on(self.read.read(buffer))
    }
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.handle.block_on(self.write.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.handle.block_on(self.write.flush())
    }
}

/// The name that the system knows the user by.
fn login_name() -> Result<String, Failure> {
    let variables = ["USER", "LOGNAME", "USERNAME"];
    let told = variables.iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    told.or_else(registered_name).ok_or_else(|| {
        Failure::new("NO_NAME", "nobody knows who you are, and decisions are recorded with a name")
            .with_hint("tell it with --as-name")
    })
}

/// In containers the environment often says nothing.
#[cfg(unix)]
fn registered_name() -> Option<String> {
    let user = rustix::process::getuid().as_raw().to_string();
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    users.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        match fields.as_slice() {
            [name, _, number, ..] if *number == user => Some((*name).to_owned()),
            _ => None,
        }
    })
}

#[cfg(not(unix))]
fn registered_name() -> Option<String> {
    None
}

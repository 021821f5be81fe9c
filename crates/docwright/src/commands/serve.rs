//! `docwright serve`: MCP over Streamable HTTP, and the HTTP API.
//!
//! While it runs it is also the desk, so that `docwright mcp` on this machine reaches the same documents.

mod agent;
mod check;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use desk::{Folder, Listener, Lock};
use gateway::{Api, Config, DatabaseUrl, Gateway, StoreKey, Token};
use mcp::http::Endpoint;
use mcp::{Callers, Server};
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::mcp::{alone, documents, offer};
use crate::cli::Serve;
use crate::report::{self, Failure, Verdict};
use crate::seats::Seats;
use crate::{access, hello};

#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    api: String,
    docs: String,
    address: SocketAddr,
}

pub(crate) fn run(arguments: &Serve, json: bool) -> Result<Verdict, Failure> {
    keep_heap_small();
    let mut config = Config::new(address(&arguments.listen)?);
    config.access.hosts.clone_from(&arguments.allow_hosts);
    config.access.origins.clone_from(&arguments.allow_origins);
    config.access.token = token(arguments.token_file.as_deref())?;
    for rate in &arguments.rates {
        set_rate(&mut config, rate)?;
    }
    let agent = agent::Settings::of(&arguments.agent)?;
    if arguments.check_config {
        return check::run(arguments, &config, &agent, json);
    }
    let (agent, store_key, database) = (agent.used(), store_key()?, database()?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
    runtime.block_on(async {
        // The lock first: what a desk before this one had open must be let go of before it is looked at.
        let held = if arguments.at.alone { None } else { take_over(arguments).await? };
        let documents = match &held {
            Some((state, ..)) => documents(workspace::Config {
                state: Some(state.clone()),
                seats_kept: arguments.at.desk.seats,
                ..workspace::Config::default()
            }),
            None => alone(&arguments.access),
        };
        let server = Arc::new(Server::new(documents?));
        let offer = Arc::new(offer(&arguments.tools, &arguments.access)?);
        let caller = access::caller(&arguments.access)?;
        let callers = Callers::new(server.clone(), offer.clone(), caller.clone());
        // Without the lock another process may keep its sessions there.
        let api = Api {
            callers,
            state: held.as_ref().map(|(state, ..)| state.clone()),
            store_key,
            database,
            agent,
        };
        let endpoint = Endpoint::new(server.clone(), offer, caller, mcp::http::Options::default());
        let gateway =
            Gateway::bind(config, endpoint, Some(api)).await.map_err(|error| start_failure(&error))?;
        let address = gateway.address();
        let asked = asked_to_end().map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
        let (end, ending) = watch::channel(false);
        let desk = match held {
            Some(held) => be_the_desk(arguments, held, server, ending.clone()).await,
            None => None,
        };
        let (url, api) = (format!("http://{address}/mcp"), format!("http://{address}/api/v1"));
        let docs = format!("http://{address}/docs");
        let listening = Listening { url, api, docs, address };
        report::answer(json, &listening, |listening| {
            let Listening { url, api, docs, .. } = listening;
            format!("MCP at {url}\nHTTP API at {api}\nwhich is described at {docs}")
        })?;
        tokio::spawn(async move {
            asked.await;
            end.send_replace(true);
        });
        gateway.run(ended(ending)).await.map_err(|error| start_failure(&error))?;
        if let Some(desk) = desk {
            // It ends with the same signal, and its lock goes last.
            let _ = desk.await;
        }
        Ok(Verdict::Done)
    })
}

/// The heap is set up before a program begins, by the environment; so this one begins again with it. What the user has
/// set stays. Should it fail, the server only takes more memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_heap_small() {
    use std::os::unix::process::CommandExt as _;
    if desk::HEAP.iter().any(|(name, _)| std::env::var_os(name).is_some()) {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut command = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // Comes back only if it failed.
    let _ = command.args(arguments).envs(desk::HEAP).exec();
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_heap_small() {}

async fn ended(mut ending: watch::Receiver<bool>) {
    // Without a sender there is nobody left who could ask for the end.
    let _ = ending.wait_for(|asked| *asked).await;
}

/// A state folder that this process may be the desk of.
type Held = (PathBuf, Folder, Lock);

/// Takes the place of a desk that runs; where that cannot be, it is said, and this process serves its own clients only.
async fn take_over(arguments: &Serve) -> Result<Option<Held>, Failure> {
    let state = access::state_dir(&arguments.access)?;
    let (folder, version) = (state.clone(), arguments.at.desk.version.clone());
    let taken = tokio::task::spawn_blocking(move || desk::take_over(&folder, &version)).await;
    let why = match taken {
        Ok(Ok((folder, lock))) => return Ok(Some((state, folder, lock))),
        Ok(Err(not_taken)) => not_taken.to_string(),
        Err(error) => error.to_string(),
    };
    report::remark(&format!("not the desk of other processes: {why}"));
    Ok(None)
}

async fn be_the_desk(
    arguments: &Serve,
    (_, folder, lock): Held,
    server: Arc<Server>,
    ending: watch::Receiver<bool>,
) -> Option<JoinHandle<std::io::Result<desk::Ended>>> {
    let options = &arguments.at.desk;
    let listener = Listener::bind(folder, lock, hello::transport(options)).await;
    let mut options = desk::Options::new(&options.version);
    (options.linger, options.steps_down) = (None, false);
    match listener {
        Ok(listener) => {
            let seats = Arc::new(Seats::at(server));
            Some(tokio::spawn(desk::serve(listener, seats, options, ended(ending))))
        }
        Err(error) => {
            report::remark(&format!("not the desk of other processes: {error}"));
            None
        }
    }
}

fn start_failure(error: &gateway::StartError) -> Failure {
    let code = match error {
        gateway::StartError::NoToken(_) | gateway::StartError::ShortToken => "TOKEN_NEEDED",
        gateway::StartError::Store(_) => "NO_STATE",
        gateway::StartError::Bind { .. } => "CANNOT_LISTEN",
        gateway::StartError::Serve(_) => "TRANSPORT",
    };
    Failure::new(code, error.to_string())
}

fn address(text: &str) -> Result<SocketAddr, Failure> {
    let found = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| {
        Failure::new("BAD_ADDRESS", format!("`{text}` is no address to listen on"))
            .with_hint("give a host and a port, such as 127.0.0.1:8717")
    })
}

/// `KIND=COUNT`
fn set_rate(config: &mut Config, rate: &str) -> Result<(), Failure> {
    let unclear = |why: String| {
        Failure::new("BAD_RATE", why)
            .with_hint("give a kind and how many requests a minute, such as document=60")
    };
    let (kind, count) = rate.split_once('=').ok_or_else(|| unclear(format!("`{rate}` is no rate")))?;
    let count = count.parse().map_err(|_| unclear(format!("`{count}` is no number of requests")))?;
    config.rates.set(kind, count).map_err(unclear)
}

/// The token is read from a file or the environment, never from an argument that others can see in `ps`.
fn token(file: Option<&Path>) -> Result<Option<Token>, Failure> {
    let secret = match file {
        Some(path) => std::fs::read_to_string(path).map(Some).map_err(|error| {
            Failure::new("NO_TOKEN_FILE", format!("{} cannot be read: {error}", path.display()))
        })?,
        None => std::env::var("DOCWRIGHT_TOKEN").ok(),
    };
    Ok(secret.map(|secret| secret.trim().to_owned()).filter(|secret| !secret.is_empty()).map(Token::new))
}

/// What seals the database, if it is not to be the key beside it.
pub(super) fn store_key() -> Result<Option<StoreKey>, Failure> {
    const NAME: &str = "DOCWRIGHT_STORE_KEY";
    let given = std::env::var(NAME).ok().filter(|secret| !secret.trim().is_empty());
    let Some(secret) = given else { return Ok(None) };
    let key = StoreKey::new(&secret).ok_or_else(|| {
        Failure::new(
            "SHORT_KEY",
            format!("{NAME} is too short to be a key; use at least 32 random characters"),
        )
    })?;
    Ok(Some(key))
}

/// Where sessions are kept, if it is not to be a file in the state folder. The address holds a password, so it is no
/// argument.
pub(super) fn database() -> Result<Option<DatabaseUrl>, Failure> {
    const NAME: &str = "DOCWRIGHT_DATABASE";
    let given = std::env::var(NAME).ok().filter(|url| !url.trim().is_empty());
    let read = given.map(|url| DatabaseUrl::new(&url)).transpose();
    read.map_err(|error| Failure::new("BAD_DATABASE", format!("{NAME}: {error}")))
}

/// Completes when the user or the system asks the process to end; it listens for that from now on.
#[cfg(unix)]
fn asked_to_end() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn asked_to_end() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

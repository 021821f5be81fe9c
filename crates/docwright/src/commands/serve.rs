//! `docwright serve`: MCP over Streamable HTTP.
//!
//! While it runs it is also the desk, so that `docwright mcp` on this machine reaches the same documents.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;

use desk::{Listener, Options};
use gateway::{Config, Gateway, Token};
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::mcp::server;
use crate::cli::Serve;
use crate::report::{self, Failure, Verdict};
use crate::seats::Seats;
use crate::{access, hello};

#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    address: SocketAddr,
}

pub(crate) fn run(arguments: &Serve, json: bool) -> Result<Verdict, Failure> {
    let server = server(&arguments.tools, &arguments.access)?;
    let mut config = Config::new(address(&arguments.listen)?);
    config.access.hosts.clone_from(&arguments.allow_hosts);
    config.access.origins.clone_from(&arguments.allow_origins);
    config.access.token = token(arguments.token_file.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
    runtime.block_on(async {
        let gateway = Gateway::bind(config, server).await.map_err(|error| start_failure(&error))?;
        let address = gateway.address();
        let asked = asked_to_end().map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
        let (end, ending) = watch::channel(false);
        let desk = match arguments.at.alone {
            true => None,
            false => be_the_desk(arguments, ending.clone()).await?,
        };
        let listening = Listening { url: format!("http://{address}/mcp"), address };
        report::answer(json, &listening, |listening| format!("MCP at {}", listening.url))?;
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

async fn ended(mut ending: watch::Receiver<bool>) {
    // Without a sender there is nobody left who could ask for the end.
    let _ = ending.wait_for(|asked| *asked).await;
}

/// Takes the place of a desk that runs; where that cannot be, there is none here, and it is said.
async fn be_the_desk(
    arguments: &Serve,
    ending: watch::Receiver<bool>,
) -> Result<Option<JoinHandle<std::io::Result<desk::Ended>>>, Failure> {
    let Serve { access, at, .. } = arguments;
    let state = access::state_dir(access)?;
    let (transport, mut options) = (hello::transport(&at.desk), Options::new(&at.desk.version));
    (options.linger, options.steps_down) = (None, false);
    let (folder, version) = (state.clone(), at.desk.version.clone());
    let taken = tokio::task::spawn_blocking(move || desk::take_over(&folder, &version)).await;
    let listener = match taken.map_err(|error| error.to_string()) {
        Ok(Ok((folder, lock))) => {
            Listener::bind(folder, lock, transport).await.map_err(|error| error.to_string())
        }
        Ok(Err(not_taken)) => Err(not_taken.to_string()),
        Err(error) => Err(error),
    };
    Ok(match listener {
        Ok(listener) => {
            Some(tokio::spawn(desk::serve(listener, Arc::new(Seats::new(state)), options, ended(ending))))
        }
        Err(why) => {
            report::remark(&format!("not the desk of other processes: {why}"));
            None
        }
    })
}

fn start_failure(error: &gateway::StartError) -> Failure {
    let code = match error {
        gateway::StartError::NoToken(_) | gateway::StartError::ShortToken => "TOKEN_NEEDED",
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

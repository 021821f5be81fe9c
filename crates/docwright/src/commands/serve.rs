//! `docwright serve`: MCP over Streamable HTTP.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;

use gateway::{Config, Gateway, Token};
use mcp::Server;
use mcp::http::{Endpoint, Options};
use serde::Serialize;

use super::mcp::{desk, offer};
use crate::access;
use crate::cli::Serve;
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    address: SocketAddr,
}

pub(crate) fn run(arguments: &Serve, json: bool) -> Result<Verdict, Failure> {
    let server = Arc::new(Server::new(desk(&arguments.access)?));
    let offer = Arc::new(offer(&arguments.tools, arguments.access.read_only)?);
    let endpoint = Endpoint::new(server, offer, access::caller(&arguments.access)?, Options::default());
    let mut config = Config::new(address(&arguments.listen)?);
    config.access.hosts.clone_from(&arguments.allow_hosts);
    config.access.origins.clone_from(&arguments.allow_origins);
    config.access.token = token(arguments.token_file.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
    runtime.block_on(async {
        let gateway = Gateway::bind(config, endpoint).await.map_err(|error| start_failure(&error))?;
        let address = gateway.address();
        let listening = Listening { url: format!("http://{address}/mcp"), address };
        report::answer(json, &listening, |listening| format!("MCP at {}", listening.url))?;
        gateway.run(asked_to_end()).await.map_err(|error| start_failure(&error))?;
        Ok(Verdict::Done)
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

async fn asked_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        if let Ok(mut terminate) = terminate {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

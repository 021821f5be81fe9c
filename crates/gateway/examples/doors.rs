//! The two MCP doors with nothing around them, for measuring and for tests without the whole program:
//! `doors mcp [--tools LIST] [--exclude-tools LIST] [--read-only] [--root DIR]` on standard input and output,
//! `doors serve --listen ADDR [--token TOKEN]` over HTTP.

use std::{error::Error, sync::Arc};

use gateway::{Config, Token};
use mcp::{Choice, Limits, Server, log};
use workspace::Workspace;

fn main() -> Result<(), Box<dyn Error>> {
    log::to_stderr(log::Verbosity::Quiet);
    let mut arguments = std::env::args().skip(1);
    let door = arguments.next().unwrap_or_default();
    let mut choice = Choice::default();
    let mut roots = Vec::new();
    let mut config = Config::new("127.0.0.1:0".parse()?);
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--tools" => choice.tools = Choice::list(&value()?),
            "--exclude-tools" => choice.exclude = Choice::list(&value()?),
            "--root" => roots.push(value()?.into()),
            "--read-only" => choice.read_only = true,
            "--listen" => config.listen = value()?.parse()?,
            "--token" => config.access.token = Some(Token::new(value()?)),
            unknown => return Err(format!("unknown argument {unknown}").into()),
        }
    }
    if roots.is_empty() {
        roots.push(std::env::current_dir()?);
    }
    let workspace = Workspace::new(workspace::Config { roots, ..workspace::Config::folder("") })?;
    let server = Arc::new(Server::new(Arc::new(workspace), "Agent", &choice)?);
    match door.as_str() {
        "mcp" => mcp::stdio::run(server, Limits::default())?,
        "serve" => tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?
            .block_on(gateway::serve(config, server, std::future::pending()))?,
        _ => return Err("usage: doors mcp | doors serve --listen ADDR".into()),
    }
    Ok(())
}

//! `docwright serve --check-config`: what a server with these settings would use, without starting one.

use std::path::PathBuf;

use gateway::Config;
use serde::Serialize;

use super::agent::{Settings, Shown};
use super::{database, offer, start_failure, store_key};
use crate::access;
use crate::cli::Serve;
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct ServerCheck {
    ok: bool,
    listen: String,
    token: bool,
    hosts: Vec<String>,
    origins: Vec<String>,
    roots: Vec<PathBuf>,
    read_only: bool,
    tools: usize,
    state_dir: PathBuf,
    /// Where sessions are kept: `file` or `postgresql`.
    sessions: &'static str,
    /// `null` is the built-in planner.
    model: Option<Shown>,
    approval: &'static str,
    private_mcp: bool,
}

/// Everything that a start would find wrong is found here, also a database or key that does not open; the port is not
/// taken, no provider is asked and nothing is written.
pub(super) fn run(
    arguments: &Serve,
    config: &Config,
    agent: &Settings,
    json: bool,
) -> Result<Verdict, Failure> {
    config.check().map_err(|error| start_failure(&error))?;
    let (key, database) = (store_key()?, database()?);
    let caller = access::caller(&arguments.access)?;
    for root in &caller.roots {
        if !root.is_dir() {
            return Err(Failure::new("NO_ROOT", format!("{} is no folder", root.display()))
                .with_hint("name a folder with --root"));
        }
    }
    let state_dir = access::state_dir(&arguments.access)?;
    let store = gateway::check_store(database.as_ref(), &state_dir, key.as_ref());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new("RUNTIME", error.to_string()))?;
    runtime.block_on(store).map_err(|error| start_failure(&error))?;
    let checked = ServerCheck {
        ok: true,
        listen: config.listen.to_string(),
        token: config.access.token.is_some(),
        hosts: config.access.hosts.clone(),
        origins: config.access.origins.clone(),
        roots: caller.roots,
        read_only: arguments.access.read_only,
        tools: offer(&arguments.tools, &arguments.access)?.names().len(),
        state_dir,
        sessions: if database.is_some() { "postgresql" } else { "file" },
        model: agent.model.as_ref().map(|(_, shown)| shown.clone()),
        approval: agent.approval.name(),
        private_mcp: agent.private_mcp,
    };
    report::answer(json, &checked, |checked| text(checked, agent))?;
    Ok(Verdict::Done)
}

fn text(checked: &ServerCheck, agent: &Settings) -> String {
    let list = |all: &[String]| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
    let roots: Vec<String> = checked.roots.iter().map(|root| root.display().to_string()).collect();
    let rights = if checked.read_only { ", which may be read only" } else { "" };
    let private = if checked.private_mcp { "allowed" } else { "refused" };
    let token = if checked.token { "needed" } else { "not needed" };
    format!(
        "listen      {}\n\
         token       {token}\n\
         more hosts  {}\n\
         origins     {}\n\
         documents   {}{rights}\n\
         tools       {}\n\
         state       {}\n\
         sessions    {}\n\
         answers     {}\n\
         approval    {}\n\
         private MCP {private}\n",
        checked.listen,
        list(&checked.hosts),
        list(&checked.origins),
        roots.join(", "),
        checked.tools,
        checked.state_dir.display(),
        checked.sessions,
        agent.answers(),
        checked.approval,
    )
}

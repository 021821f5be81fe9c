//! `docwright mcp`: MCP over stdin and stdout.
//!
//! Lines are passed on to the desk, so that everybody works on the same documents. Where that cannot be, or is
//! not wanted, they are answered here.

use std::sync::Arc;

use mcp::{Choice, Limits, OutputSchemas, Server, UnknownTools};
use workspace::{Approval, Config, Scope, SystemClock, Workspace};

use crate::access;
use crate::cli::{Access, DeskOptions, Listing, Mcp, Tools};
use crate::hello;
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(arguments: &Mcp) -> Result<Verdict, Failure> {
    let Mcp { tools, access, at } = arguments;
    if !at.alone {
        // What nobody can offer is said at once, and starts no desk.
        choice(tools, access).check().map_err(|error| unknown(&error))?;
        match at_desk(tools, access, &at.desk) {
            Ok(verdict) => return verdict,
            Err(why) => report::remark(&format!("working alone: {why}")),
        }
    }
    let server = server(tools, access)?;
    mcp::stdio::run(server, Limits::default())
        .map_err(|error| Failure::new("TRANSPORT", error.to_string()))?;
    Ok(Verdict::Done)
}

/// Passes lines on to the desk until the client hangs up, or says why that cannot be.
fn at_desk(tools: &Tools, access: &Access, desk: &DeskOptions) -> Result<Result<Verdict, Failure>, String> {
    let way = hello::way(access, desk)?;
    let hello = hello::hello(tools, access)?;
    let reached = desk::reach(&way, &hello).map_err(|alone| alone.to_string())?;
    let forwarded = desk::forward(way, hello, reached);
    Ok(forwarded.map(|()| Verdict::Done).map_err(|error| Failure::new("TRANSPORT", error.to_string())))
}

pub(crate) fn server(tools: &Tools, access: &Access) -> Result<Arc<Server>, Failure> {
    let workspace = Arc::new(workspace(access)?);
    let server = Server::new(workspace, &access.author, &choice(tools, access));
    Ok(Arc::new(server.map_err(|error| unknown(&error))?))
}

fn choice(tools: &Tools, access: &Access) -> Choice {
    Choice {
        tools: tools.toolsets.clone(),
        exclude: tools.exclude_tools.clone(),
        read_only: access.read_only,
        output_schemas: match tools.output_schemas {
            Listing::Auto => OutputSchemas::Fitting,
            Listing::Always => OutputSchemas::Always,
            Listing::Never => OutputSchemas::Never,
        },
    }
}

fn unknown(error: &UnknownTools) -> Failure {
    Failure::new("UNKNOWN_TOOLS", error.to_string())
}

fn workspace(access: &Access) -> Result<Workspace, Failure> {
    let state = access::state_dir(access)?;
    let config = Config {
        roots: access::roots(access)?,
        scope: Scope::Folder,
        access: if access.read_only { workspace::Access::ReadOnly } else { workspace::Access::ReadWrite },
        approval: Approval { auto_approve: access.auto_approve, agents_may_accept: access.agents_may_accept },
        // Without the folder documents can still be edited; the workspace then says what is not protected.
        state: std::fs::create_dir_all(&state).is_ok().then_some(state),
        limits: workspace::Limits::default(),
        network: access::network(&access.net)?,
        old_workbooks: crate::old::converter(),
        clock: Arc::new(SystemClock),
    };
    Workspace::new(config).map_err(|refusal| {
        let failure = Failure::new("NO_WORKSPACE", refusal.to_string());
        match refusal.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    })
}

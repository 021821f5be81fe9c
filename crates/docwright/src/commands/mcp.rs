//! `docwright mcp`: MCP over stdin and stdout.

use std::sync::Arc;

use mcp::{Choice, Limits, OutputSchemas, Server};
use workspace::{Approval, Config, Scope, SystemClock, Workspace};

use crate::access;
use crate::cli::{Access, Listing, Mcp, Tools};
use crate::report::{Failure, Verdict};

pub(crate) fn run(arguments: &Mcp) -> Result<Verdict, Failure> {
    let server = server(&arguments.tools, &arguments.access)?;
    mcp::stdio::run(server, Limits::default())
        .map_err(|error| Failure::new("TRANSPORT", error.to_string()))?;
    Ok(Verdict::Done)
}

pub(super) fn server(tools: &Tools, access: &Access) -> Result<Arc<Server>, Failure> {
    let read_only = access.read_only;
    let choice = Choice {
        tools: tools.toolsets.clone(),
        exclude: tools.exclude_tools.clone(),
        read_only,
        output_schemas: match tools.output_schemas {
            Listing::Auto => OutputSchemas::Fitting,
            Listing::Always => OutputSchemas::Always,
            Listing::Never => OutputSchemas::Never,
        },
    };
    let workspace = Arc::new(workspace(access)?);
    let server = Server::new(workspace, &access.author, &choice)
        .map_err(|error| Failure::new("UNKNOWN_TOOLS", error.to_string()))?;
    Ok(Arc::new(server))
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

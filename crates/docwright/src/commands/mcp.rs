//! `docwright mcp`: MCP over stdin and stdout.

use std::path::PathBuf;
use std::sync::Arc;

use mcp::{Choice, Connection, Limits, Offer, OutputSchemas, Server};
use workspace::{Config, Desk};

use crate::access;
use crate::cli::{Access, Listing, Mcp, Tools};
use crate::report::{Failure, Verdict};

pub(crate) fn run(arguments: &Mcp) -> Result<Verdict, Failure> {
    let server = Arc::new(Server::new(desk(&arguments.access)?));
    let offer = Arc::new(offer(&arguments.tools, arguments.access.read_only)?);
    let workspace = server.desk().seat(access::caller(&arguments.access)?)?;
    mcp::stdio::run(Connection::new(server, offer, workspace), Limits::default())
        .map_err(|error| Failure::new("TRANSPORT", error.to_string()))?;
    Ok(Verdict::Done)
}

pub(super) fn offer(tools: &Tools, read_only: bool) -> Result<Offer, Failure> {
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
    Offer::new(&choice).map_err(|error| Failure::new("UNKNOWN_TOOLS", error.to_string()))
}

pub(super) fn desk(access: &Access) -> Result<Arc<Desk>, Failure> {
    desk_in(access::state_dir(access)?)
}

pub(super) fn desk_in(state: PathBuf) -> Result<Arc<Desk>, Failure> {
    let config = Config {
        // Without the folder documents can still be edited; the workspace then says what is not protected.
        state: std::fs::create_dir_all(&state).is_ok().then_some(state),
        old_workbooks: crate::old::converter(),
        ..Config::default()
    };
    Desk::new(config).map_err(|refusal| {
        let failure = Failure::new("NO_WORKSPACE", refusal.to_string());
        match refusal.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    })
}

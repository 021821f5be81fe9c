//! `docwright mcp`: MCP over stdin and stdout.

use std::sync::Arc;

use mcp::{Choice, Limits, Server};

use crate::cli::{Mcp, Tools};
use crate::report::{Failure, Verdict};

pub(crate) fn run(arguments: &Mcp) -> Result<Verdict, Failure> {
    let server = server(&arguments.tools, arguments.access.read_only)?;
    mcp::stdio::run(server, Limits::default())
        .map_err(|error| Failure::new("TRANSPORT", error.to_string()))?;
    Ok(Verdict::Done)
}

pub(super) fn server(tools: &Tools, read_only: bool) -> Result<Arc<Server>, Failure> {
    let choice = Choice { tools: tools.toolsets.clone(), exclude: tools.exclude_tools.clone(), read_only };
    let server = Server::new(&choice).map_err(|error| Failure::new("UNKNOWN_TOOLS", error.to_string()))?;
    Ok(Arc::new(server))
}

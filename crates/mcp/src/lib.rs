//! The MCP surface: tools, resources and prompts, over stdio and Streamable HTTP.
//!
//! JSON ends here. A tool's types are its schema, its arguments are checked before it runs, and what it
//! refuses comes back as text a model can act on. The protocol itself is the official SDK's; around it
//! stands what the SDK leaves open (see [`stdio`] and [`http`]).

mod codes;
mod cx;
mod error;
mod tool;
mod tools;

mod digest;
mod operation;
mod prose;

mod request;
mod review;
mod wire;
mod word;
mod word_op;
pub mod workbook;

mod call_thread;
mod callers;
mod choice;
mod connection;
pub mod documents;
mod in_process;
mod input;
mod instructions;
mod offer;
mod prompts;
mod resources;
mod server;

mod door;
pub mod http;
pub mod interrupted;
mod outer_id;
pub mod picture;
pub mod stdio;

mod block_ids;
pub mod log;

#[cfg(test)]
mod tests;

pub use callers::{Callers, timestamp};
pub use choice::{Choice, OutputSchemas, UnknownTools};
pub use connection::Connection;
pub use cx::{Cancel, Cx, Progress, Step};
pub use door::Limits;
pub use error::ToolError;
pub use in_process::{Client, Offered, Result as CallResult, also_asks, negotiated, revisions};
pub use input::InputShape;
pub use offer::Offer;
pub use request::Done;
pub use server::Server;
pub use tokio_util::sync::CancellationToken;
pub use tool::{About, Hints, Image, Output, Reply, Set, Text, Tool};
pub use tools::{batch_edits, only_edits, reads};
pub use word_op::{Operated, operate};
pub use workspace::{Performed, PerformedAs, Pointed, nearest};

//! The HTTP surface: who may connect, and what is behind the port.
//!
//! MCP and the HTTP API are mounted here and checked before they are reached: the `Host` and `Origin` of every
//! request, the access key or a session's token, and no address beyond this machine without a key.

mod access;
pub mod agent;
mod api;
mod client;
mod listen;
mod metrics;
pub mod outer;
mod pace;
mod rates;
mod runs;
mod sockets;
mod store;

pub use access::{Access, Token};
pub use api::Api;
pub use listen::{Config, Gateway, StartError};
pub use rates::Rates;
pub use runs::Agent;
pub use sockets::Limits;
pub use store::{DatabaseUrl, StoreError, StoreKey, check as check_store};

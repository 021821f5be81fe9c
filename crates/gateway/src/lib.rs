//! The HTTP surface: who may connect, and what is behind the port.
//!
//! MCP is mounted here and checked before it is reached: the `Host` and `Origin` of every request, the
//! bearer token where one is set, and no address beyond this machine without one.

mod access;
pub mod agent;
mod listen;
mod pace;
mod sockets;

pub use access::{Access, Token};
pub use listen::{Config, Gateway, StartError};
pub use sockets::Limits;

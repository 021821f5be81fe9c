//! The desk: one process for one state folder, at which every caller sits.
//!
//! Documents, revisions and suggestions are shared, so one process holds them and all others pass MCP lines to
//! it through a socket in a private folder. This crate is that process's door and the way to it: who may be
//! the desk ([`Lock`]), who is there and what it may do ([`Hello`]), the listening side ([`serve`]), and the
//! side that copies lines and does not lose any when the desk ends ([`forward`]). What is served is not known
//! here; [`Seats`] says it.
#![allow(clippy::disallowed_methods, reason = "the desk keeps a lock, a socket and the time")]

mod hello;
mod version;

mod folder;
mod lock;
mod transport;

mod callers;
mod listener;
mod process;
mod reception;
mod seats;
mod serve;
mod silent;

mod call;
mod reach;
mod start;
mod take_over;

mod forward;

pub use call::{AskError, status};
pub use folder::{Folder, NotPrivate};
pub use forward::{Lines, forward, lines};
pub use hello::{
    Approval, CallerId, Hello, OutputSchemas, PROTOCOL, Policies, Policy, Present, Role, Root, Status, Tools,
    Welcome,
};
pub use listener::Listener;
pub use lock::Lock;
pub use process::{RunError, run};
pub use reach::{Alone, Reached, Way, reach};
pub use seats::{Seats, Unseated};
pub use serve::{Ended, Options, Why, serve};
pub use start::HEAP;
pub use take_over::{NotTaken, take_over};
pub use transport::Transport;

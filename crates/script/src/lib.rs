//! JavaScript against a workbook, in a process that can do nothing else.
//!
//! A script is code of somebody who may be anybody. It runs in a child of the same program ([`child`]) that has given up
//! files, network and other processes, on a copy of the workbook, with limits on time, memory and output. Nothing that
//! it writes is taken over: it comes back as a list of typed edits, which the parent ([`Runner`]) hands on to be made
//! again on the real workbook by the one road that all edits go.
//!
//! What a script can call is one table of functions (`functions.rs`): their types are the argument checks, the
//! TypeScript declarations ([`declarations`]) and the reference. Files and the network belong to nobody here.
#![allow(
    clippy::disallowed_methods,
    reason = "processes and their clocks are what this crate is about; documents on disk are not"
)]

mod wire;

mod cage;
mod child;
mod engine;
mod runner;

mod functions;
mod host;
mod reference;

mod declare;

pub use child::child;
pub use declare::declarations;
pub use functions::Probe;
pub use runner::{DEFAULT_OUTPUT, DEFAULT_TIME, Failed, MOST_OUTPUT, MOST_TIME, Ran, Runner, Script};
pub use wire::{Access, ErrorKind, Execution, Operation, Preview, ScriptError};

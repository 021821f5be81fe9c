//! What the binary decides for the workspace.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::formats::Limits;
use crate::network::Network;
use crate::old::Converter;

#[derive(Debug, Clone)]
pub struct Config {
    /// Folders whose files may be used; none means no files. Relative paths start at the first.
    pub roots: Vec<PathBuf>,
    pub scope: Scope,
    pub access: Access,
    pub approval: Approval,
    /// Where unsaved work and the list of recent files are kept; nowhere if `None`.
    pub state: Option<PathBuf>,
    pub limits: Limits,
    /// Where pictures may be fetched from; nowhere by default.
    pub network: Network,
    /// How old binary workbooks are read; not at all by default.
    pub old_workbooks: Converter,
    pub clock: Arc<dyn Clock>,
}

impl Config {
    /// A folder that can be read and written, with suggestions decided by people, and no state kept.
    pub fn folder(root: impl Into<PathBuf>) -> Self {
        Self {
            roots: vec![root.into()],
            scope: Scope::Folder,
            access: Access::ReadWrite,
            approval: Approval::default(),
            state: None,
            limits: Limits::default(),
            network: Network::off(),
            old_workbooks: Converter::none(),
            clock: Arc::new(SystemClock),
        }
    }
}

/// Whether somebody opened a folder, or just a file and its folder with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Folder,
    SingleFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    /// Documents can be read and edits tried out, but nothing is changed.
    ReadOnly,
}

/// Who decides on what agents suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Approval {
    /// Edits that were to be suggested are applied at once.
    pub auto_approve: bool,
    /// An agent may accept suggestions.
    pub agents_may_accept: bool,
}

/// Seconds since 1970-01-01 UTC.
pub trait Clock: fmt::Debug + Send + Sync {
    fn now(&self) -> i64;
}

#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}

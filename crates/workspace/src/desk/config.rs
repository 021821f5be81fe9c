//! What the binary decides for the desk, whoever comes to it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::disk::old_workbooks::Converter;
use crate::document::formats::Limits;

#[derive(Debug, Clone)]
pub struct Config {
    /// Where unsaved work, decisions and the callers' windows are kept; nowhere if `None`.
    pub state: Option<PathBuf>,
    /// Whether callers may come back to this state folder after a restart: for the one process that holds it for all.
    pub lasting: bool,
    /// Seconds that the place of a caller is kept when it has gone.
    pub seats_kept: u32,
    pub limits: Limits,
    /// How old binary workbooks are read; not at all by default.
    pub old_workbooks: Converter,
    /// Where scripts run; nowhere by default.
    pub scripts: Option<Arc<script::Runner>>,
    pub clock: Arc<dyn Clock>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            state: None,
            lasting: true,
            seats_kept: 10 * 60,
            limits: Limits::default(),
            old_workbooks: Converter::none(),
            scripts: None,
            clock: Arc::new(SystemClock),
        }
    }
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

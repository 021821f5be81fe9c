//! What the desk is for, as this crate knows it.

use crate::hello::Hello;

/// Gives callers what they connected for.
pub trait Seats: Send + Sync + 'static {
    /// Someone connected and said who it is. May take a while; runs on a thread that may.
    fn seat(&self, hello: &Hello) -> Result<mcp::Connection, Unseated>;

    /// The connection ended. The caller may come back, and may have: a process that connects anew is seated
    /// before the desk has noticed that its first connection broke.
    fn left(&self, hello: &Hello);
}

/// Why a caller cannot be served here; it then works alone and tells its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseated {
    pub code: String,
    pub why: String,
}

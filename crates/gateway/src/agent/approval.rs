//! Which calls run at once, which only after a person said so, and which never.
//!
//! Decided here from what a tool says of itself, for every call alike: what a model was talked into by a document
//! makes no difference.

use std::{fmt, str::FromStr, time::Duration};

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::tools::Annotations;

/// From the most to the least that an agent may do alone; `Ord` follows, so that the stricter of two is `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Policy {
    /// Every call runs.
    #[default]
    Auto,
    /// Reads run; what may write is asked for.
    AskWrite,
    /// Every call is asked for.
    AskAll,
    /// Reads run; what may write is refused.
    ReadOnly,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Run,
    Ask,
    Refuse,
}

impl Policy {
    pub const ALL: [Policy; 4] = [Policy::Auto, Policy::AskWrite, Policy::AskAll, Policy::ReadOnly];

    pub fn name(self) -> &'static str {
        match self {
            Policy::Auto => "auto",
            Policy::AskWrite => "ask-write",
            Policy::AskAll => "ask-all",
            Policy::ReadOnly => "read-only",
        }
    }

    pub fn decide(self, tool: Annotations) -> Approval {
        match (self, tool.read_only) {
            (Policy::Auto, _) | (Policy::AskWrite | Policy::ReadOnly, true) => Approval::Run,
            (Policy::AskWrite, false) | (Policy::AskAll, _) => Approval::Ask,
            (Policy::ReadOnly, false) => Approval::Refuse,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Policy::ALL.into_iter().find(|policy| policy.name() == name).ok_or_else(|| {
            let valid: Vec<&str> = Policy::ALL.iter().map(|policy| policy.name()).collect();
            format!("`{name}` is no approval policy; valid: {}", valid.join(", "))
        })
    }
}

/// A call that waits for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalRequest {
    /// Also the operation id of the call, so that an approval can be for no other.
    pub id: String,
    pub call_id: String,
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub annotations: Annotations,
    /// How long it is waited for.
    pub expires_in: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Approved,
    Denied {
        reason: Option<String>,
    },
    /// Nobody answered in time.
    Expired,
}

/// Whoever brings a question to a person. The event [`super::Event::ApprovalNeeded`] has gone out when it is called.
/// The loop stops waiting after `expires_in` or when the run is cancelled, and drops the future.
pub trait Approver: Send + Sync {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Decision>;
}

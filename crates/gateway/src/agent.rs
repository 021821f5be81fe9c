//! The agent: a model, the tools of a session, and the loop between them.
//!
//! [`run`] asks the model, decides by policy whether the calls it wants may run, runs them, gives it their
//! results and goes on until it has answered or a limit is met. It knows nothing of routes or storage: what
//! happens goes to a [`Sink`], and who must be asked is asked through an [`Approver`].

mod approval;
mod context;
mod conversation;
mod event;
mod limits;
mod model;
mod planner;
mod provider;
mod tools;

mod run;

pub use approval::{Approval, ApprovalRequest, Approver, Decision, Policy};
pub use context::Context;
pub use conversation::{Message, ToolRequest};
pub use event::{Event, Sink, SinkError, Status};
pub use limits::{Limits, Usage};
pub use model::{Model, ModelError, Piece, Pieces, Prompt, Reply, StopReason};
pub use planner::Planner;
pub use provider::{Kind, Provider, ProviderError, ProviderKey, RemoteModel};
pub(crate) use run::answered;
pub use run::{Called, End, Outcome, Run, run};
pub use tools::{Annotations, Call, CallError, Catalogue, Step, Steps, ToolInfo, ToolResult, Tools};

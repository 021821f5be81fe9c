//! What the loop needs of a model: a prompt in, pieces of an answer out.

use futures::{future::BoxFuture, stream::BoxStream};

use super::{
    conversation::{Message, ToolRequest},
    tools::ToolInfo,
};

pub trait Model: Send + Sync {
    /// What answers, for the log and for people: `openai gpt-4.1`, `built-in planner`.
    fn name(&self) -> &str;

    /// Price of a million tokens, input and output, if known.
    fn prices(&self) -> Option<(f64, f64)> {
        None
    }

    /// Begins an answer. An error here or in the stream says whether asking again may help; the loop asks again only
    /// while nothing of the answer has been shown.
    fn ask<'a>(&'a self, prompt: &'a Prompt<'a>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>>;

    /// Whether it can be reached, for health: no tokens are spent.
    fn probe(&self) -> BoxFuture<'_, Result<(), ModelError>>;
}

pub type Pieces<'a> = BoxStream<'a, Result<Piece, ModelError>>;

#[derive(Debug)]
pub struct Prompt<'a> {
    pub system: &'a str,
    pub messages: &'a [Message],
    pub tools: &'a [ToolInfo],
    pub max_tokens: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    /// The last piece: the answer as a whole.
    Done(Reply),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolRequest>,
    pub stop: StopReason,
    /// Tokens in and out, where the provider counts them.
    pub tokens: Option<(u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    Finished,
    Calls,
    /// The answer was longer than allowed.
    Length,
    /// The provider would not let it pass.
    Refused,
}

/// Never holds a key: what a provider answered is cleaned before it gets here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("the model provider cannot be reached: {0}")]
    Unreachable(String),
    #[error("the model provider did not answer in time: {0}")]
    TimedOut(String),
    #[error("the model provider answered {status}: {message}")]
    Status { status: u16, message: String, retry_after: Option<std::time::Duration> },
    #[error("the answer of the model provider was cut off: {0}")]
    Cut(String),
    #[error("the answer of the model provider is not understood: {0}")]
    Malformed(String),
}

impl ModelError {
    /// Whether the same question may be answered a moment later.
    pub fn passes(&self) -> bool {
        match self {
            ModelError::Unreachable(_) | ModelError::TimedOut(_) | ModelError::Cut(_) => true,
            ModelError::Status { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            ModelError::Malformed(_) => false,
        }
    }
}

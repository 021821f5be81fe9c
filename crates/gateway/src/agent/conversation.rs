//! What was said so far, in the form that every provider's dialect is made from.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    User {
        text: String,
    },
    Assistant {
        text: String,
        calls: Vec<ToolRequest>,
    },
    /// The answer to one call of the assistant's message before it.
    Tool {
        call_id: String,
        name: String,
        text: String,
        is_error: bool,
    },
}

/// A call as a model asked for it. The arguments are still text: a model may write anything there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRequest {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Message {
    pub fn user(text: impl Into<String>) -> Self {
        Message::User { text: text.into() }
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Message::Assistant { text: text.into(), calls: Vec::new() }
    }
}

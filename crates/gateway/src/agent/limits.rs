//! How much a run may take, and how much it took.

use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How often the model is asked.
    pub turns: u32,
    /// Calls of one turn; a model that asks for more is told so.
    pub calls_per_turn: usize,
    /// Input and output of all turns together.
    pub tokens: u64,
    /// The most that one answer of the model may be long.
    pub tokens_per_turn: u32,
    /// The whole run, without the time that persons take to approve.
    pub time: Duration,
    /// One tool call, without approval.
    pub tool_time: Duration,
    pub approval_time: Duration,
    /// In the currency of the prices; no limit without prices.
    pub cost: Option<f64>,
    /// Characters of one tool result that the model is shown.
    pub result_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: 24,
            calls_per_turn: 16,
            tokens: 400_000,
            tokens_per_turn: 4_096,
            time: Duration::from_secs(300),
            tool_time: Duration::from_secs(30),
            approval_time: Duration::from_secs(600),
            cost: None,
            result_chars: 24_000,
        }
    }
}

/// What a run took so far. Where a provider counts nothing, tokens are estimated and `estimated` says so.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub turns: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost: Option<f64>,
    pub estimated: bool,
}

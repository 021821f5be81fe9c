//! The loop: model, calls, results, until it is answered or a limit is met.

mod calls;
mod turn;

pub(crate) use calls::answered;

use std::{collections::BTreeSet, future::Future, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    approval::{Approver, Policy},
    context::{Context, recent, system},
    conversation::Message,
    event::{Event, Sink, SinkError},
    limits::{Limits, Usage},
    model::{Model, ModelError, Prompt, StopReason},
    tools::{Call, CallError, Catalogue, ToolInfo, ToolResult, Tools},
};

/// Of what was said before, this much is told to the model again.
const HISTORY_CHARS: usize = 60_000;

/// Everything that a run is given.
pub struct Run<'a> {
    /// Names the run; the operation ids of its calls begin with it.
    pub id: &'a str,
    pub model: &'a dyn Model,
    pub tools: &'a dyn Tools,
    pub sink: &'a dyn Sink,
    pub approver: &'a dyn Approver,
    pub policy: Policy,
    pub limits: &'a Limits,
    pub cancel: &'a CancellationToken,
    pub context: &'a Context,
    /// What was said before, oldest first.
    pub history: &'a [Message],
    /// What was said in an interrupted run that this one goes on with, from the message on; else empty.
    pub begun: &'a [Message],
    /// Calls of it that may have been done, by name and arguments, which are not made again.
    pub unknown: &'a BTreeSet<(String, String)>,
    pub message: &'a str,
    /// The number of the first call; more than 0 where calls of this run were made before.
    pub first_call: u32,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("id", &self.id).field("policy", &self.policy).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// All text that went to the sink, joined.
    pub text: String,
    /// What to add to the history: the message, and all that followed.
    pub messages: Vec<Message>,
    pub calls: Vec<Called>,
    pub usage: Usage,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    pub call: Call,
    pub result: Result<ToolResult, CallError>,
    pub seconds: f64,
}

/// Why a run is over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum End {
    #[error("finished")]
    Finished,
    #[error("the run was cancelled")]
    Cancelled,
    #[error("the model was asked {0} times and wanted more; that is the limit of a run")]
    TurnLimit(u32),
    #[error("the run took {used} tokens; its limit is {limit}")]
    TokenLimit { used: u64, limit: u64 },
    #[error("the answer was cut at {0} tokens, the limit of one answer")]
    AnswerLimit(u32),
    #[error("the run took more than {} seconds, its limit", .0.as_secs())]
    TimeLimit(Duration),
    #[error("the run cost {used}; its limit is {limit}")]
    CostLimit { used: String, limit: String },
    #[error("nobody approved the call {0} in time")]
    ApprovalExpired(String),
    #[error("the model provider would not let the answer pass")]
    Refused,
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the tools of the session cannot be listed: {0}")]
    Tools(CallError),
    #[error(transparent)]
    Sink(#[from] SinkError),
}

impl End {
    pub fn is_finished(&self) -> bool {
        matches!(self, End::Finished)
    }
}

/// Runs one message to its end. It always returns: every wait inside is under the limit of time and the cancel.
pub async fn run(run: Run<'_>) -> Outcome {
    let mut state = State::new(&run);
    let end = match state.go().await {
        Ok(()) => End::Finished,
        Err(end) => end,
    };
    let State { text, messages, history_len, calls, usage, .. } = state;
    Outcome { end, text, messages: messages.into_iter().skip(history_len).collect(), calls, usage }
}

struct State<'a> {
    run: &'a Run<'a>,
    started: Instant,
    /// Time that persons took, which is not held against the run.
    waited: Duration,
    messages: Vec<Message>,
    history_len: usize,
    text: String,
    calls: Vec<Called>,
    next_call: u32,
    /// Calls without an answer, which are not made a second time.
    unknown: BTreeSet<(String, String)>,
    usage: Usage,
}

impl<'a> State<'a> {
    fn new(run: &'a Run<'a>) -> Self {
        let mut messages = recent(run.history, HISTORY_CHARS).to_vec();
        let history_len = messages.len();
        match run.begun {
            [] => messages.push(Message::user(run.message)),
            begun => messages.extend_from_slice(begun),
        }
        Self {
            run,
            started: Instant::now(),
            waited: Duration::ZERO,
            messages,
            history_len,
            text: String::new(),
            calls: Vec::new(),
            next_call: run.first_call,
            unknown: run.unknown.clone(),
            usage: Usage::default(),
        }
    }

    async fn go(&mut self) -> Result<(), End> {
        let run = self.run;
        let listed = self.within(tokio::time::timeout(run.limits.tool_time, run.tools.list())).await?;
        let all = match listed {
            Ok(listed) => listed.map_err(End::Tools)?,
            Err(_) => return Err(End::Tools(CallError::Failed("no answer in time".to_owned()))),
        };
        let offered = self.offered(&all);
        let system = system(run.context, run.policy);
        loop {
            self.check_limits()?;
            self.usage.turns += 1;
            let messages = std::mem::take(&mut self.messages);
            let prompt = Prompt {
                system: &system,
                messages: &messages,
                tools: &offered,
                max_tokens: run.limits.tokens_per_turn,
            };
            let answered = self.turn(&prompt).await;
            self.messages = messages;
            let reply = answered?;
            let stop = reply.stop.clone();
            self.messages.push(Message::Assistant { text: reply.text, calls: reply.calls.clone() });
            if reply.calls.is_empty() {
                return match stop {
                    StopReason::Length => Err(End::AnswerLimit(run.limits.tokens_per_turn)),
                    StopReason::Refused => Err(End::Refused),
                    StopReason::Finished | StopReason::Calls => Ok(()),
                };
            }
            self.make_calls(&all, reply.calls).await?;
        }
    }

    /// A model that may not write is not shown what it could only write with.
    fn offered(&self, all: &Catalogue) -> Catalogue {
        let refused = super::approval::Approval::Refuse;
        let offered =
            |tool: &&ToolInfo| self.run.policy.decide(tool.annotations) != refused || tool.also_asks;
        all.iter().filter(offered).cloned().collect()
    }

    fn check_limits(&self) -> Result<(), End> {
        let (limits, usage) = (self.run.limits, &self.usage);
        if usage.turns >= limits.turns {
            return Err(End::TurnLimit(usage.turns));
        }
        let used = usage.input_tokens + usage.output_tokens;
        if used >= limits.tokens {
            return Err(End::TokenLimit { used, limit: limits.tokens });
        }
        match (limits.cost, usage.cost) {
            (Some(limit), Some(cost)) if cost >= limit => {
                Err(End::CostLimit { used: format!("{cost:.4}"), limit: limit.to_string() })
            }
            _ => Ok(()),
        }
    }

    fn deadline(&self) -> Instant {
        self.started + self.run.limits.time + self.waited
    }

    /// Waits for something no longer than the run may last.
    async fn within<T>(&self, future: impl Future<Output = T>) -> Result<T, End> {
        tokio::select! {
            biased;
            () = self.run.cancel.cancelled() => Err(End::Cancelled),
            () = tokio::time::sleep_until(self.deadline()) => Err(End::TimeLimit(self.run.limits.time)),
            done = future => Ok(done),
        }
    }

    async fn tell(&self, event: Event) -> Result<(), End> {
        Ok(self.within(self.run.sink.event(event)).await??)
    }
}

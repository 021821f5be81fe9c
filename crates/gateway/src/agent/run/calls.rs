//! The calls of one turn: understood, decided by policy, run, and told to the model.
//!
//! Reads that stand together run at the same time; whatever may write runs alone and in the order it was asked for.

use futures::future::join_all;
use serde_json::{Map, Value};
use tokio::{sync::mpsc, time::Instant};

use super::{Called, End, State};
use crate::agent::{
    approval::{Approval, ApprovalRequest, Decision, Policy},
    context::{as_data, shortened},
    conversation::{Message, ToolRequest},
    event::Event,
    tools::{Annotations, Call, CallError, Catalogue, ToolInfo, ToolResult},
};

/// A call that the model wrote down well enough to be made.
struct Ready {
    call: Call,
    annotations: Annotations,
    approval: Approval,
    /// Whether it may turn out to change nothing, which then needs nobody's leave.
    may_be_a_question: bool,
}

impl Ready {
    fn reads_freely(&self) -> bool {
        self.annotations.read_only && self.approval == Approval::Run
    }
}

impl State<'_> {
    pub(super) async fn make_calls(
        &mut self,
        catalogue: &Catalogue,
        requests: Vec<ToolRequest>,
    ) -> Result<(), End> {
        let mut requests = requests.into_iter().enumerate().peekable();
        while let Some((index, request)) = requests.next() {
            let ready = match self.understand(catalogue, index, &request) {
                Ok(ready) => ready,
                Err(not_made) => {
                    self.announce(&not_made.call).await?;
                    self.record(*not_made).await?;
                    continue;
                }
            };
            if !ready.reads_freely() {
                self.make_one(ready).await?;
                continue;
            }
            let mut reads = vec![ready];
            while let Some((index, request)) = requests.peek() {
                match self.understand(catalogue, *index, request) {
                    Ok(ready) if ready.reads_freely() => reads.push(ready),
                    // Its number is given back: it is understood again as the next one.
                    Ok(_) | Err(_) => {
                        self.next_call -= 1;
                        break;
                    }
                }
                requests.next();
            }
            self.make_reads(reads).await?;
        }
        Ok(())
    }

    fn understand(
        &mut self,
        catalogue: &Catalogue,
        index: usize,
        request: &ToolRequest,
    ) -> Result<Ready, Box<Called>> {
        let arguments = arguments(&request.arguments);
        let call = Call {
            id: request.id.clone(),
            operation: format!("{}/{}", self.run.id, self.next_call),
            name: request.name.clone(),
            arguments: arguments.as_ref().cloned().unwrap_or_else(|_| Map::new()),
        };
        self.next_call += 1;
        let most = self.run.limits.calls_per_turn;
        if index >= most {
            let why = format!("more than {most} calls at once; make fewer and wait for their results");
            return Err(not_made(call, CallError::Failed(why)));
        }
        let Some(tool) = catalogue.iter().find(|tool| tool.name == request.name) else {
            return Err(not_made(call, CallError::NoSuchTool(unknown_tool(&request.name, catalogue))));
        };
        if let Err(why) = arguments {
            return Err(not_made(call, CallError::BadArguments(why)));
        }
        if self.unknown.contains(&fingerprint(&call)) {
            let why =
                "the same call had no answer before and may have been done; look at the document instead";
            return Err(not_made(call, CallError::Failed(why.to_owned())));
        }
        let (annotations, approval) = (tool.annotations, self.run.policy.decide(tool.annotations));
        let writes = matches!(self.run.policy, Policy::AskWrite | Policy::ReadOnly) && !annotations.read_only;
        let may_be_a_question = tool.also_asks && writes;
        Ok(Ready { call, annotations, approval, may_be_a_question })
    }

    async fn make_reads(&mut self, reads: Vec<Ready>) -> Result<(), End> {
        let this = &*self;
        let calls = reads.into_iter().map(|ready| async move {
            this.announce(&ready.call).await?;
            this.made(ready).await
        });
        for called in join_all(calls).await {
            self.record(called?).await?;
        }
        Ok(())
    }

    async fn make_one(&mut self, ready: Ready) -> Result<(), End> {
        self.announce(&ready.call).await?;
        if ready.may_be_a_question {
            let began = Instant::now();
            let asked = self.within(self.run.tools.only_asked(&ready.call, self.run.cancel)).await?;
            if let Some(result) = asked {
                let seconds = began.elapsed().as_secs_f64();
                return self.record(Called { call: ready.call, result: Ok(result), seconds }).await;
            }
        }
        let not_run = match ready.approval {
            Approval::Run => None,
            Approval::Refuse => {
                let why = format!("the policy of this session, {}, does not allow changes", self.run.policy);
                Some(CallError::Failed(why))
            }
            Approval::Ask => match self.approve(&ready).await {
                Ok(not_run) => not_run,
                Err(end) => {
                    // The call ends with its run, and says so.
                    let error = match end {
                        End::Cancelled => CallError::Cancelled,
                        _ => CallError::Failed(end.to_string()),
                    };
                    self.record(*not_made(ready.call, error)).await?;
                    return Err(end);
                }
            },
        };
        let called = match not_run {
            Some(error) => Called { call: ready.call, result: Err(error), seconds: 0.0 },
            None => self.made(ready).await?,
        };
        if matches!(called.result, Err(CallError::Unknown(_))) {
            self.unknown.insert(fingerprint(&called.call));
        }
        let stopped = matches!(called.result, Err(CallError::Cancelled)) && self.run.cancel.is_cancelled();
        self.record(called).await?;
        if stopped { Err(End::Cancelled) } else { Ok(()) }
    }

    /// `None` if a person said yes.
    async fn approve(&mut self, ready: &Ready) -> Result<Option<CallError>, End> {
        let limit = self.run.limits.approval_time;
        let request = ApprovalRequest {
            id: ready.call.operation.clone(),
            call_id: ready.call.id.clone(),
            tool: ready.call.name.clone(),
            arguments: ready.call.arguments.clone(),
            annotations: ready.annotations,
            expires_in: limit,
        };
        self.tell(Event::ApprovalNeeded(request.clone())).await?;
        let asked = Instant::now();
        let decision = tokio::select! {
            biased;
            () = self.run.cancel.cancelled() => return Err(End::Cancelled),
            decided = tokio::time::timeout(limit, self.run.approver.ask(&request)) => {
                decided.unwrap_or(Decision::Expired)
            }
        };
        self.waited += asked.elapsed();
        self.tell(Event::ApprovalDecided { id: request.id.clone(), decision: decision.clone() }).await?;
        match decision {
            Decision::Approved => Ok(None),
            Decision::Denied { reason } => {
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Ok(Some(CallError::Failed(format!(
                    "the person denied this call{reason}; do not try it again"
                ))))
            }
            Decision::Expired => Err(End::ApprovalExpired(request.id)),
        }
    }

    async fn announce(&self, call: &Call) -> Result<(), End> {
        self.tell(Event::ToolCall {
            call_id: call.id.clone(),
            operation: call.operation.clone(),
            tool: call.name.clone(),
            arguments: call.arguments.clone(),
        })
        .await
    }

    /// Runs a call under its time. A call is told to stop and then waited for a little, because only it can say
    /// whether it was done; one that does not even stop is not known to be undone.
    async fn made(&self, ready: Ready) -> Result<Called, End> {
        const GRACE: std::time::Duration = std::time::Duration::from_secs(2);
        let Ready { call, annotations, .. } = ready;
        let began = Instant::now();
        let stop = self.run.cancel.child_token();
        let until = (began + self.run.limits.tool_time).min(self.deadline());
        let (progress, mut steps) = mpsc::unbounded_channel();
        let mut running = self.run.tools.call(&call, &stop, progress);
        let ended = loop {
            tokio::select! {
                ended = &mut running => break Some(ended),
                () = tokio::time::sleep_until(until) => break None,
                () = stop.cancelled() => break None,
                Some(step) = steps.recv() => {
                    let (call_id, operation) = (call.id.clone(), call.operation.clone());
                    let event = Event::Progress { call_id, operation, tool: call.name.clone(), step };
                    // A call is not given up because its progress cannot be told.
                    let _ = self.tell(event).await;
                }
            }
        };
        let result = match ended {
            Some(result) => result,
            None => {
                stop.cancel();
                match tokio::time::timeout(GRACE, &mut running).await {
                    Ok(Err(CallError::Cancelled)) if !self.run.cancel.is_cancelled() => Err(
                        CallError::Failed("it took too long and was stopped; nothing was done".to_owned()),
                    ),
                    Ok(result) => result,
                    Err(_) if annotations.read_only => Err(CallError::Failed("no answer in time".to_owned())),
                    Err(_) => Err(CallError::Unknown("no answer in time".to_owned())),
                }
            }
        };
        drop(running);
        Ok(Called { call, result, seconds: began.elapsed().as_secs_f64() })
    }

    async fn record(&mut self, called: Called) -> Result<(), End> {
        let Called { call, result, seconds } = &called;
        let (text, is_error) = match result {
            Ok(result) => (answered(result, self.run.limits.result_chars), result.is_error),
            Err(error) => (error.to_string(), true),
        };
        self.messages.push(Message::Tool {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text,
            is_error,
        });
        let event = Event::ToolResult {
            call_id: call.id.clone(),
            operation: call.operation.clone(),
            tool: call.name.clone(),
            result: result.clone(),
            seconds: *seconds,
        };
        self.calls.push(called);
        // What was done is recorded also when the run is out of time or was cancelled meanwhile.
        let kept = tokio::time::timeout(self.run.limits.tool_time, self.run.sink.event(event)).await;
        match kept {
            Ok(kept) => Ok(kept?),
            Err(_) => Err(End::Sink(super::SinkError("no answer in time".to_owned()))),
        }
    }
}

fn not_made(call: Call, error: CallError) -> Box<Called> {
    Box::new(Called { call, result: Err(error), seconds: 0.0 })
}

fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err("they must be a JSON object".to_owned()),
        Err(error) => Err(format!("they are no JSON: {error}")),
    }
}

fn unknown_tool(name: &str, catalogue: &[ToolInfo]) -> String {
    let names: Vec<&str> = catalogue.iter().map(|tool| tool.name.as_str()).take(40).collect();
    format!("{}`; there are: `{}", shortened(name, 80), names.join("`, `"))
}

fn fingerprint(call: &Call) -> (String, String) {
    (call.name.clone(), Value::Object(call.arguments.clone()).to_string())
}

/// What a model is told of a result: its text, as data.
pub(crate) fn answered(result: &ToolResult, most_chars: usize) -> String {
    as_data(&shortened(&result.shown(), most_chars))
}

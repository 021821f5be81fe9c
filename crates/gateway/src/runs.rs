//! Runs as jobs: a message or a tool call that a session asked for, carried out whoever still listens.
//!
//! Each has a log of events ([`log`]), from which streams, the history and the audit trail are read ([`record`]). A run
//! goes on when its client hangs up; what a process leaves unfinished is told as interrupted by the next one
//! ([`interrupted`]), with what is known of its calls, and can be gone on with.

pub(crate) mod interrupted;
pub(crate) mod live;
pub(crate) mod log;
mod named;
pub(crate) mod record;
mod requested;
mod seat;
pub(crate) mod shapes;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt as _;
use mcp::Pointed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::{
    agent::{self, Context, End, Limits, Message, Model, ModelError, Outcome, Planner, Policy},
    api::{
        connections::{CONNECTED, Seen},
        error::{ApiError, Code},
        state::State,
    },
    store::{Begun, Ending, EventKind, NewEvent, NewRun, Run, RunKind, RunState, Session, StoreError},
};
use live::{Front, LiveRun};
use log::{Log, chunk};
use record::Record;
use requested::Requested;
pub(crate) use seat::Seat;

/// Messages of a session that may wait for the one that is being answered.
const WAITING: usize = 4;
/// How many earlier messages are looked at for what a model is told again.
const HISTORY: i64 = 40;
/// How long a tool call that a client makes may go on.
const LONGEST_CALL: Duration = Duration::from_secs(10 * 60);
/// Events that are read at a time.
const PAGE: i64 = 500;

/// What a session asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Request {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) document_context: Option<DocumentContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<ToolAsked>,
    /// The interrupted run that this one goes on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resumes: Option<String>,
}

/// What a client says of the document in front of its person.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct DocumentContext {
    #[serde(default)]
    pub(crate) document_id: Option<String>,
    #[serde(default)]
    pub(crate) selection_text: Option<String>,
    #[serde(default)]
    pub(crate) cursor_position: Option<Cursor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Cursor {
    pub(crate) paragraph: u64,
    pub(crate) character: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolAsked {
    pub(crate) tool_name: String,
    pub(crate) parameters: Map<String, Value>,
}

impl Request {
    pub(crate) fn of(run: &Run) -> Result<Self, ApiError> {
        serde_json::from_value(run.request.clone()).map_err(ApiError::internal)
    }

    /// What a model takes for the person's words.
    pub(crate) fn words(&self) -> String {
        match (&self.message, &self.tool) {
            (Some(message), _) => message.clone(),
            (None, Some(tool)) => format!("Call {}.", tool.tool_name),
            (None, None) => String::new(),
        }
    }
}

/// How models are used and what they may do, for all sessions.
#[derive(Debug, Clone, Default)]
pub struct Agent {
    /// Without one the built-in planner answers.
    pub model: Option<Arc<agent::RemoteModel>>,
    /// The most that a session may do alone.
    pub policy: Policy,
    pub limits: Limits,
    /// Whether sessions may use MCP servers on this machine and its network.
    pub private_mcp: bool,
}

/// A run that was asked for: its row, and the run itself while it goes on here.
pub(crate) type Started = (Run, Option<Arc<LiveRun>>);

/// Begins what a session asks for. Under a key that was used for the same before, that run is answered again, or gone on
/// with if it was interrupted.
pub(crate) async fn begin(
    state: &Arc<State>,
    session: &Session,
    kind: RunKind,
    request: &Request,
    key: Option<&str>,
) -> Result<Started, ApiError> {
    // Seats are taken before anything is written down.
    let turn = state.turn(session)?;
    let (waiting, front) = match kind {
        RunKind::Chat => (Some(turn.wait(WAITING).ok_or_else(busy)?), turn.front()),
        RunKind::Tool => (None, Front::default()),
    };
    let asked = serde_json::to_value(request).map_err(ApiError::internal)?;
    let new =
        NewRun { session: &session.id, kind, request: &asked, key, resumes: request.resumes.as_deref() };
    let keyed = match key.or(request.resumes.as_deref()) {
        Some(_) => Some(state.keyed.lock().await),
        None => None,
    };
    match state.store.begin_run(new, state.now()).await? {
        Begun::New(run) => {
            let cancel = state.live.ending(&session.id).child_token();
            let live = Arc::new(LiveRun::new(&run.id, cancel, front));
            state.runs.add(&run.id, live.clone());
            let job =
                Job { state: state.clone(), session: session.clone(), run: run.clone(), live: live.clone() };
            live.is_carried_out_by(tokio::spawn(job.supervised(request.clone(), waiting)).abort_handle());
            Ok((run, Some(live)))
        }
        // Its key stays with the run that it began first, and leads from there to whichever goes on with it.
        Begun::Before(run) | Begun::Resumed(run) if run.is_interrupted() => {
            drop((waiting, keyed));
            Box::pin(resume(state, session, &run)).await
        }
        Begun::Before(run) | Begun::Resumed(run) => {
            let live = state.runs.get(&run.id);
            Ok((run, live))
        }
        Begun::Another => {
            Err(ApiError::new(Code::Conflict, "this Idempotency-Key was used for another request")
                .details("use a new key for a new request"))
        }
    }
}

/// Goes on with an interrupted run, as a run of its own that knows what was done; once, whoever asks and how often.
pub(crate) async fn resume(state: &Arc<State>, session: &Session, run: &Run) -> Result<Started, ApiError> {
    if run.state != RunState::Interrupted {
        let why = format!("the run is {}; only an interrupted one can be resumed", run.state.shown());
        return Err(ApiError::new(Code::Conflict, why));
    }
    let mut last = run.clone();
    while let Some(next) = last.resumed_by {
        let next = state.store.run(&next).await?;
        last = next.ok_or_else(|| ApiError::new(Code::NotFound, "the run that went on is gone"))?;
    }
    if last.state != RunState::Interrupted {
        let live = state.runs.get(&last.id);
        return Ok((last, live));
    }
    let request = Request { resumes: Some(last.id.clone()), ..Request::of(&last)? };
    begin(state, session, last.kind, &request, None).await
}

fn busy() -> ApiError {
    ApiError::new(Code::Busy, format!("the session is answering a message, and {WAITING} more wait"))
        .details("wait for an answer, or cancel a run")
        .with("retry_after", 1)
}

/// Waits until a run has ended or a person has to say something before it goes on, but no longer than this.
pub(crate) async fn settled(live: &LiveRun, patience: Option<Duration>) {
    let settled = live.settled();
    match patience {
        Some(patience) => drop(tokio::time::timeout(patience, settled).await),
        None => settled.await,
    }
}

/// All that is known of a run.
pub(crate) async fn record(state: &State, run: &str) -> Result<Record, StoreError> {
    let mut events = Vec::new();
    loop {
        let after = events.last().map_or(0, |event: &crate::store::LoggedEvent| event.number);
        let page = state.store.events(run, after, PAGE).await?;
        let last = (page.len() as i64) < PAGE;
        events.extend(page);
        if last {
            return Ok(Record::of(&events));
        }
    }
}

/// One run on its way.
struct Job {
    state: Arc<State>,
    session: Session,
    run: Run,
    live: Arc<LiveRun>,
}

/// How a run came to its end, in words and as the contract has it.
type Conclusion = (RunState, Option<Value>);

impl Job {
    /// Carries it out and writes down how it ended, whatever happens inside.
    async fn supervised(self, request: Request, waiting: Option<crate::api::live::Waiting>) {
        let begun = Instant::now();
        let log = Log::begin(&self.state, &self.run, &self.live);
        let work = AssertUnwindSafe(self.carried_out(&request, &log, waiting)).catch_unwind();
        let (state, error) = work.await.unwrap_or_else(|_| {
            tracing::error!(run = %self.run.id.get(..12).unwrap_or(&self.run.id), "a run panicked");
            let details = "the server could not finish the run; its log says why";
            (RunState::Error, Some(shapes::error(Code::Internal, "Internal error", details)))
        });
        let (text, first) = match log.end().await {
            Ok(left) => left,
            Err(error) => {
                tracing::error!(%error, "events of a run were lost");
                let last = self.state.store.last_event(&self.run.id).await;
                (String::new(), last.map_or(i64::MAX, |last| last + 1))
            }
        };
        let status = json!({"status": state.shown(), "error": error});
        let last = [
            NewEvent { kind: EventKind::Status, payload: status },
            NewEvent { kind: EventKind::Chunk, payload: chunk(&text, true) },
        ];
        let seconds = Some(begun.elapsed().as_secs_f64());
        let ending = Ending { state, error: error.as_ref(), seconds, events: &last, first };
        self.write_end(ending).await;
        self.live.reached(first + 1);
        self.state.runs.remove(&self.run.id);
    }

    /// A full disk may pass; a run whose end cannot be written is told as interrupted by the next process.
    async fn write_end(&self, ending: Ending<'_>) {
        let mut pause = Duration::from_millis(100);
        for _ in 0..6 {
            match self.state.store.end_run(&self.run, ending.clone(), self.state.now()).await {
                Ok(()) => return,
                Err(error) => tracing::error!(%error, "the end of a run could not be written"),
            }
            tokio::time::sleep(pause).await;
            pause *= 3;
        }
    }

    async fn carried_out(
        &self,
        request: &Request,
        log: &Log,
        waiting: Option<crate::api::live::Waiting>,
    ) -> Conclusion {
        let cancel = &self.live.cancel;
        let _turn = match waiting {
            None => None,
            Some(waiting) => tokio::select! {
                biased;
                () = cancel.cancelled() => return concluded(&End::Cancelled),
                turn = waiting.turn() => Some(turn),
            },
        };
        self.live.has_its_turn();
        match self.with_model(request, log).await {
            Ok(outcome) => concluded_by(&outcome, self.run.kind),
            Err(error) => {
                let details = "the server could not carry the run out; its log says why";
                tracing::error!(why = %error.message, "a run failed");
                (RunState::Error, Some(shapes::error(error.code, &error.message, details)))
            }
        }
    }

    async fn with_model(&self, request: &Request, log: &Log) -> Result<Outcome, ApiError> {
        let (state, session) = (&self.state, &self.session);
        let mut context = self.context(request).await?;
        let planner = match (&state.agent.model, self.run.kind) {
            (None, RunKind::Chat) => self.planner(request, &mut context).await?,
            _ => Planner::default(),
        };
        let model: &dyn Model = match (&state.agent.model, self.run.kind) {
            (_, RunKind::Tool) => &requested::Nothing,
            (Some(model), RunKind::Chat) => &**model,
            (None, RunKind::Chat) => &planner,
        };
        let requested = request.tool.as_ref().map(|tool| Requested { tool, then: model });
        let model: &dyn Model = requested.as_ref().map_or(model, |requested| requested);
        let policy = session.policy(state.agent.policy);
        let started = json!({"status": "running", "model": model.name(), "approval": policy.name()});
        log.add(EventKind::Status, started).await.map_err(ApiError::internal)?;
        let (history, begun) = self.before(request).await?;
        let connection = state.connection(session);
        if connection.is_none() {
            self.select(request, &context, log).await?;
        }
        let tools = state.tools(session).await;
        let mut heard = connection.as_ref().map(|connection| connection.watch());
        self.tell_mcp_status(log, heard.as_mut().map(|heard| *heard.borrow_and_update())).await?;
        let (tools, limits) = (tools?, self.limits());
        let run = agent::Run {
            id: &self.run.id,
            model,
            tools: &*tools,
            sink: log,
            approver: &*self.live,
            policy,
            limits: &limits,
            cancel: &self.live.cancel,
            context: &context,
            history: &history,
            begun: &begun.messages,
            unknown: &begun.unknown,
            message: &request.words(),
            first_call: 0,
        };
        let telling = async {
            // What becomes of another server meanwhile.
            while let Some(heard) = &mut heard
                && heard.changed().await.is_ok()
            {
                let seen = *heard.borrow_and_update();
                if self.tell_mcp_status(log, Some(seen)).await.is_err() {
                    break;
                }
            }
            std::future::pending().await
        };
        let outcome = tokio::select! {
            outcome = agent::run(run) => outcome,
            outcome = telling => outcome,
        };
        if connection.is_none() && self.run.kind == RunKind::Chat {
            self.save_work(request, log).await?;
        }
        Ok(outcome)
    }

    /// The built-in planner, told which document a message is about: it may name one itself.
    async fn planner(&self, request: &Request, context: &mut Context) -> Result<Planner, ApiError> {
        let (state, session) = (&self.state, &self.session);
        if state.connection(session).is_some() {
            return Ok(Planner { document: context.document.clone(), ..Planner::default() });
        }
        let client = state.client(session)?;
        for named::Named { file, request } in named::readings(&request.words()) {
            let path = state.document_path(session, &file)?;
            if client.open(path.clone()).await.is_ok() {
                context.document = Some(path);
                let document = context.document.clone();
                return Ok(Planner { document, request: Some(request), nothing_open: false });
            }
        }
        let nothing_open = context.document.is_none() && request.tool.is_none() && !client.has_one_in_front();
        Ok(Planner { document: context.document.clone(), request: None, nothing_open })
    }

    /// What the person has selected, as far as it stands in the document: requests may be about it.
    async fn select(&self, request: &Request, context: &Context, log: &Log) -> Result<(), ApiError> {
        let Some((given, document)) = request.document_context.as_ref().zip(context.document.clone()) else {
            return Ok(());
        };
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let cursor = given.cursor_position.map(|at| (number(at.paragraph), number(at.character)));
        let text = given.selection_text.clone().unwrap_or_else(String::new);
        if cursor.is_none() && text.is_empty() {
            return Ok(());
        }
        let client = self.state.client(&self.session)?;
        let found = client.point(document, Pointed { cursor, text: text.clone() }).await;
        // A document that is not there is told of by what is asked of it.
        if matches!(found, Ok(false)) && !text.is_empty() {
            let why = "What is selected in front of you does not stand there in the document as it is here, so \
                       nothing is selected.\n\n";
            let told = agent::Event::Text(why.to_owned());
            agent::Sink::event(log, told).await.map_err(ApiError::internal)?;
        }
        Ok(())
    }

    /// What a message changed is in the files when it is answered, or the answer says why it is not.
    async fn save_work(&self, request: &Request, log: &Log) -> Result<(), ApiError> {
        let client = self.state.client(&self.session)?;
        let (mut runs, left) = interrupted::work_left(&self.state, request).await?;
        runs.push(format!("{}/", self.run.id));
        for work in client.save_work(runs, left).await? {
            if let Some(why) = &work.note {
                let told = format!("\n\n{}: {why}.", work.file);
                agent::Sink::event(log, agent::Event::Text(told)).await.map_err(ApiError::internal)?;
            }
            let payload = serde_json::to_value(&work).map_err(ApiError::internal)?;
            log.add(EventKind::Saved, payload).await.map_err(ApiError::internal)?;
        }
        Ok(())
    }

    /// Tells whether the tools of the session can be reached: those of another server, or our own.
    async fn tell_mcp_status(&self, log: &Log, seen: Option<Seen>) -> Result<(), ApiError> {
        let (status, heartbeat) = match seen {
            Some(Seen { status, heartbeat }) => (status, heartbeat),
            None => (CONNECTED, Some(self.state.now())),
        };
        let payload = json!({
            "connection_status": status,
            "protocol_version": self.session.protocol,
            "last_heartbeat": heartbeat.map(mcp::timestamp),
        });
        log.add(EventKind::McpStatus, payload).await.map_err(ApiError::internal)
    }

    /// A call that a client makes itself is not held up to a model's patience: it is answered as running after a while.
    fn limits(&self) -> Limits {
        let limits = self.state.agent.limits.clone();
        match self.run.kind {
            // The planner reads a result to tell it, and half of one cannot be read.
            RunKind::Chat if self.state.agent.model.is_none() => {
                Limits { result_chars: usize::MAX, ..limits }
            }
            RunKind::Chat => limits,
            RunKind::Tool => Limits { time: LONGEST_CALL, tool_time: LONGEST_CALL, ..limits },
        }
    }

    async fn context(&self, request: &Request) -> Result<Context, ApiError> {
        let given = request.document_context.as_ref();
        let named = given.and_then(|context| context.document_id.clone()).filter(|id| !id.is_empty());
        let document = match named.or_else(|| self.session.document_id.clone()) {
            Some(id) => Some(self.state.document_path(&self.session, &id)?),
            None => None,
        };
        Ok(Context {
            document,
            title: None,
            selection: given.and_then(|context| context.selection_text.clone()),
            cursor: given.and_then(|context| {
                Some((context.cursor_position?.paragraph, context.cursor_position?.character))
            }),
            outline: Vec::new(),
        })
    }

    /// What was said before in this session, and in the run that this one goes on with.
    async fn before(&self, request: &Request) -> Result<(Vec<Message>, interrupted::Before), ApiError> {
        let state = &self.state;
        let begun = match &request.resumes {
            None => interrupted::Before::default(),
            Some(_) => interrupted::before(state, request).await?,
        };
        if self.run.kind == RunKind::Tool || state.agent.model.is_none() {
            // Neither the planner nor a single call looks back.
            return Ok((Vec::new(), begun));
        }
        let mut runs = state.store.chats(&self.session.id, self.run.number, HISTORY).await?;
        runs.reverse();
        let mut history = Vec::new();
        for run in runs.iter().filter(|run| run.state != RunState::Running && run.resumed_by.is_none()) {
            let record = record(state, &run.id).await?;
            history.extend(record.messages(&Request::of(run)?, state.agent.limits.result_chars));
            if run.state != RunState::Completed {
                close_request(&mut history, run);
            }
        }
        Ok((history, begun))
    }
}

/// Says behind a message that was not answered to its end that nobody waits for that any more: a model would otherwise
/// carry out what a person cancelled.
fn close_request(history: &mut Vec<Message>, run: &Run) {
    let name = run.error.as_ref().and_then(|error| error.pointer("/data/name")?.as_str());
    let why = match name {
        Some("CANCELLED") => "the person cancelled this request",
        Some("INTERRUPTED") => "the server ended while this request was carried out",
        _ => "this request failed before it was answered",
    };
    let told =
        format!("({why}. It is closed: nothing more of it is to be done unless the person asks again.)");
    match history.last_mut() {
        Some(Message::Assistant { text, calls }) if calls.is_empty() => {
            text.push_str("\n\n");
            text.push_str(&told);
        }
        _ => history.push(Message::assistant(told)),
    }
}

/// A chat has gone well when the loop has; a call has gone well when the tool has.
fn concluded_by(outcome: &Outcome, kind: RunKind) -> Conclusion {
    if kind == RunKind::Tool
        && outcome.end.is_finished()
        && let Some(called) = outcome.calls.first()
        && let Some(error) = shapes::failure(&called.call.name, &called.result)
    {
        return (RunState::Error, Some(error));
    }
    concluded(&outcome.end)
}

fn concluded(end: &End) -> Conclusion {
    let (code, details) = match end {
        End::Finished => return (RunState::Completed, None),
        End::Cancelled => {
            (Code::Cancelled, "what was done before stays done; the tool calls say what that was")
        }
        End::TurnLimit(_)
        | End::TokenLimit { .. }
        | End::AnswerLimit(_)
        | End::TimeLimit(_)
        | End::CostLimit { .. } => (Code::Limit, "ask for less at a time; what was done stays done"),
        End::ApprovalExpired(_) => (Code::ApprovalExpired, "the call was not made; ask again"),
        End::Model(ModelError::Malformed(_)) | End::Refused | End::Model(_) => {
            (Code::Llm, "the model provider could not answer; what was done before stays done")
        }
        End::Tools(_) => (Code::McpConnection, "the MCP server of the session could not be asked"),
        End::Sink(_) => (Code::Internal, "the server could not keep what happened"),
    };
    (RunState::Error, Some(shapes::error(code, &end.to_string(), details)))
}

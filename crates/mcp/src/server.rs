//! The server: the chosen tools, the workspace they work on, and the answers to every MCP request.
//!
//! One [`Server`] serves every client and every transport; a [`Connection`] is one client's view of it and
//! holds nothing but what that client subscribed to. Tools run on blocking threads, a bounded number at a
//! time, except those that only glance at memory; a panic in one is an answer like any other.

use std::{
    any::Any,
    borrow::Cow,
    collections::BTreeSet,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rmcp::{
    Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
        GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
        JsonObject, ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde_json::Value;
use tokio::{
    runtime::Handle,
    sync::{Semaphore, broadcast},
};
use workspace::{Actor, Notice, Role, Workspace, nearest};

use crate::{
    choice::{Choice, UnknownTools},
    cx::{Cancel, Cx, Progress},
    error::ToolError,
    prompts,
    regular::Regular,
    resources,
    tool::{Tool, error_result},
    tools,
};

/// Every revision of the protocol that this server speaks, oldest first.
const REVISIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// At most 2 KB, because clients cut what is longer; the essentials first.
pub(crate) const INSTRUCTIONS: &str = include_str!("instructions.md");

/// How often the watching thread looks whether the server is still there.
const WATCH: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Server {
    workspace: Arc<Workspace>,
    /// Whose name changes carry.
    author: String,
    tools: Vec<Tool>,
    /// Tools that exist and were not chosen, for a better answer to a call of one.
    left_out: Vec<(&'static str, &'static str)>,
    listed: Vec<rmcp::model::Tool>,
    catalogue: Catalogue,
    threads: Arc<Semaphore>,
    /// How many permits `threads` has when no call is running.
    most: usize,
    regular: Regular,
    /// Beats when something happened in the workspace, whoever did it.
    changes: Arc<broadcast::Sender<()>>,
    watching: Once,
    connections: AtomicU64,
}

/// What a tool answered to a call from this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub failed: bool,
}

/// What the server offers, by name.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) tools: Vec<&'static str>,
    pub(crate) resources: Vec<&'static str>,
    pub(crate) read_only: bool,
}

impl Server {
    pub fn new(workspace: Arc<Workspace>, author: &str, choice: &Choice) -> Result<Self, UnknownTools> {
        Self::with_tools(workspace, author, choice, tools::all())
    }

    /// A server with tools of the caller's making.
    pub fn with_tools(
        workspace: Arc<Workspace>,
        author: &str,
        choice: &Choice,
        all: Vec<Tool>,
    ) -> Result<Self, UnknownTools> {
        let mut left_out: Vec<_> = all
            .iter()
            .map(|tool| (tool.name, tool.about.sets.last().map_or("all", |set| set.name())))
            .collect();
        let tools = choice.pick(all)?;
        left_out.retain(|(name, _)| tools.iter().all(|tool| tool.name != *name));
        let catalogue = Catalogue {
            tools: tools.iter().map(|tool| tool.name).collect(),
            resources: resources::uris(),
            read_only: choice.read_only,
        };
        let most = std::thread::available_parallelism().map_or(4, NonZero::get).clamp(4, 32);
        Ok(Self {
            workspace,
            author: author.to_owned(),
            listed: choice.list_of(&tools),
            tools,
            left_out,
            catalogue,
            threads: Arc::new(Semaphore::new(most)),
            regular: Regular::default(),
            most,
            changes: Arc::new(broadcast::Sender::new(16)),
            watching: Once::new(),
            connections: AtomicU64::new(0),
        })
    }

    /// Hears of every change from now on. The workspace is watched from the first subscriber on, by a thread
    /// that ends with the server.
    fn changes(&self) -> broadcast::Receiver<()> {
        self.watching.call_once(|| {
            let (workspace, changes) = (self.workspace.clone(), Arc::downgrade(&self.changes));
            let mut seen = workspace.beat();
            std::thread::spawn(move || {
                while let Some(changes) = changes.upgrade() {
                    let beat = workspace.wait_for_change(seen, WATCH);
                    if beat != std::mem::replace(&mut seen, beat) {
                        // Nobody listening is not a failure.
                        let _ = changes.send(());
                    }
                }
            });
        });
        self.changes.subscribe()
    }

    fn tool(&self, name: &str) -> Result<usize, ErrorData> {
        let name = tools::listed_name(name);
        if let Ok(index) = self.tools.binary_search_by(|tool| tool.name.cmp(name)) {
            return Ok(index);
        }
        let mut message = format!("Unknown tool: {name}.");
        if let Some((_, set)) = self.left_out.iter().find(|(left_out, _)| *left_out == name) {
            message.push_str(&match self.catalogue.read_only {
                true => " It is not offered by this server, which may be because it was started read-only."
                    .to_owned(),
                false => format!(" It exists, but is not switched on; start the server with --tools {set}."),
            });
        } else if let Some(near) = nearest(name, self.catalogue.tools.iter().copied()) {
            message.push_str(&format!(" Did you mean {near}?"));
        }
        Err(ErrorData::new(ErrorCode::INVALID_PARAMS, message, None))
    }

    /// Call a tool from this process and on this thread, as the command line does.
    pub fn call_here(&self, name: &str, arguments: JsonObject, actor: Actor) -> Result<Said, ToolError> {
        let index = self.tool(name).map_err(|error| ToolError::invalid(error.message))?;
        let Some(tool) = self.tools.get(index) else {
            return Err(ToolError::invalid(format!("no tool {name}")));
        };
        let (workspace, catalogue) = (&*self.workspace, &self.catalogue);
        let cx = Cx { workspace, actor, cancel: Cancel::default(), progress: Progress::default(), catalogue };
        let result = tool.call(&cx, Some(arguments));
        let texts = result.content.iter().filter_map(|block| block.as_text().map(|text| text.text.as_str()));
        Ok(Said { text: texts.collect::<Vec<_>>().join("\n"), failed: result.is_error == Some(true) })
    }

    async fn call(
        self: Arc<Self>,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
        client: String,
    ) -> Result<CallToolResult, ErrorData> {
        let index = self.tool(&params.name)?;
        let progress =
            Progress::new(context.meta.get_progress_token(), context.peer.clone(), Handle::current());
        let cancel = Cancel::new(context.ct.clone());
        let actor = Actor { name: self.author.clone(), client, role: Role::Agent };
        let server = self.clone();
        let call = move || {
            let Some(tool) = server.tools.get(index) else { return CallToolResult::default() };
            let client = actor.client.clone();
            let (workspace, catalogue) = (&*server.workspace, &server.catalogue);
            let result = tool.call(&Cx { workspace, actor, cancel, progress, catalogue }, params.arguments);
            with_notices(result, &workspace.notices(&client))
        };
        let at_once = self.tools.get(index).is_some_and(|tool| tool.about.hints.at_once);
        // With another call running, even a glance may wait for a lock, and must not keep the reader waiting.
        let result = if at_once && self.threads.available_permits() == self.most {
            catch_unwind(AssertUnwindSafe(call)).map_err(panicked)
        } else {
            self.on_thread(&context, call).await
        };
        Ok(result.unwrap_or_else(|error| error_result(&error)))
    }

    /// Runs `work` on a blocking thread, of which a bounded number is busy at a time.
    async fn on_thread<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let permit = tokio::select! {
            permit = self.threads.clone().acquire_owned() => permit.ok(),
            () = context.ct.cancelled() => None,
        };
        let Some(permit) = permit else {
            return Err(ToolError::new(ToolError::CANCELLED, "the call was cancelled before it began"));
        };
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        let stopped = || ToolError::new(ToolError::CANCELLED, "the call was stopped with the server");
        match self.regular.take(work) {
            Ok(done) => done.await.map_err(|_| stopped())?.map_err(panicked),
            Err(work) => {
                tokio::task::spawn_blocking(work).await.map_err(|failed| match failed.try_into_panic() {
                    Ok(panic) => panicked(panic),
                    Err(_) => stopped(),
                })
            }
        }
    }
}

/// The answer to a call that panicked: it is logged and survived, and the caller is told what to do.
fn panicked(panic: Box<dyn Any + Send>) -> ToolError {
    let why = panic_text(panic);
    tracing::error!(%why, "a call panicked");
    let mut error = ToolError::new(ToolError::INTERNAL, format!("the call failed unexpectedly: {why}"))
        .hint("this is a defect of the server; read the document again before going on");
    error.written = Some("unknown; the file on disk is as it was unless it was being saved".to_owned());
    error
}

/// Adds what happened since the client's last call, such as a person's decision about its suggestion.
fn with_notices(mut result: CallToolResult, notices: &[Notice]) -> CallToolResult {
    if notices.is_empty() {
        return result;
    }
    let lines: Vec<String> = notices.iter().map(Notice::to_string).collect();
    result.content.push(ContentBlock::text(format!("Since your last call:\n- {}", lines.join("\n- "))));
    if let Some(Value::Object(structured)) = &mut result.structured_content {
        structured.insert("notices".to_owned(), lines.into());
    }
    result
}

fn panic_text(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => {
            panic.downcast::<&str>().map_or_else(|_| "no reason given".to_owned(), |text| (*text).to_owned())
        }
    }
}

/// One client's view of the server.
#[derive(Debug)]
pub struct Connection {
    server: Arc<Server>,
    /// Names the connection, so that notices reach those they are meant for.
    client: String,
    /// What the client subscribed to by `resources/subscribe`, and whether its updates are being sent.
    subscribed: Arc<Mutex<Subscribed>>,
}

#[derive(Debug, Default)]
struct Subscribed {
    uris: BTreeSet<String>,
    sending: bool,
}

impl Connection {
    pub fn new(server: Arc<Server>) -> Self {
        let number = server.connections.fetch_add(1, Ordering::Relaxed) + 1;
        Self { server, client: format!("client-{number}"), subscribed: Arc::default() }
    }

    /// Who is calling. Without a handshake there is no connection to go by, only what each request says.
    fn client(&self, context: &RequestContext<RoleServer>) -> String {
        match context.meta.client_info() {
            Some(client) => format!("{} {}", client.name, client.version),
            None => self.client.clone(),
        }
    }

    /// Sends an update of each subscribed resource after each change, until the client is gone.
    fn send_updates(&self, peer: Peer<RoleServer>) {
        let mut changes = self.server.changes();
        let subscribed = Arc::downgrade(&self.subscribed);
        tokio::spawn(async move {
            loop {
                if let Err(broadcast::error::RecvError::Closed) = changes.recv().await {
                    return;
                }
                let Some(subscribed) = subscribed.upgrade() else { return };
                let uris: Vec<String> = lock(&subscribed).uris.iter().cloned().collect();
                for uri in uris {
                    if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err()
                    {
                        return;
                    }
                }
            }
        });
    }
}

fn lock(subscribed: &Mutex<Subscribed>) -> MutexGuard<'_, Subscribed> {
    subscribed.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_such_resource(uri: &str) -> ErrorData {
    let mut message = format!("Unknown resource: {uri}.");
    if let Some(near) = nearest(uri, resources::uris()) {
        message.push_str(&format!(" Did you mean {near}?"));
    }
    ErrorData::resource_not_found(message, Some(serde_json::json!({ "uri": uri })))
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(
                Implementation::new("docwright", env!("CARGO_PKG_VERSION")).with_title("Docwright"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(REVISIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let answer = self.negotiate_initialize(&request)?;
        // The revision that was agreed on, not the one that was asked for, decides the shape of answers.
        let mut agreed = request;
        agreed.protocol_version = answer.protocol_version.clone();
        context.peer.set_peer_info(agreed);
        Ok(answer)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.server.listed.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.server.tool(name).ok().and_then(|index| self.server.listed.get(index).cloned())
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = self.client(&context);
        self.server.clone().call(params, context, client).await.map(CallToolResponse::Complete)
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&params).map(GetPromptResponse::from)
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (workspace, uri) = (self.server.workspace.clone(), params.uri.clone());
        let read = self.server.on_thread(&context, move || resources::read(&workspace, &uri)).await;
        match read.and_then(Option::transpose) {
            Ok(Some(contents)) => Ok(ReadResourceResult::new(vec![contents]).into()),
            Ok(None) => Err(no_such_resource(&params.uri)),
            Err(error) => Err(ErrorData::internal_error(error.text(), Some(error.record()))),
        }
    }

    async fn subscribe(
        &self,
        params: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !resources::uris().contains(&params.uri.as_str()) {
            return Err(no_such_resource(&params.uri));
        }
        let first = {
            let mut subscribed = lock(&self.subscribed);
            subscribed.uris.insert(params.uri);
            !std::mem::replace(&mut subscribed.sending, true)
        };
        if first {
            self.send_updates(context.peer);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        params: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        lock(&self.subscribed).uris.remove(&params.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The lists of tools, prompts and resources never change, so there is nothing to tell of them.
        let known = resources::uris();
        let mut accepted = SubscriptionFilter::new();
        accepted.resource_subscriptions = requested
            .resource_subscriptions
            .as_ref()
            .map(|uris| uris.iter().filter(|uri| known.contains(&uri.as_str())).cloned().collect());
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.server.changes();
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => {
                    if let Err(broadcast::error::RecvError::Closed) = change {
                        return Ok(());
                    }
                }
            }
            for uri in &uris {
                if context.sink().notify_resource_updated(uri).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

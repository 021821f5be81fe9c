//! One client at the server: who it is, what it is offered, and the answers to every MCP request.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use rmcp::{
    Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse,
        Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, ResourceUpdatedNotificationParam, ServerCapabilities,
        ServerConfig, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde_json::Value;
use tokio::{runtime::Handle, sync::broadcast};
use workspace::{Approval, Caller, CallerId, Gate, Workspace, nearest};

use crate::{
    cx::Listener,
    error::ToolError,
    instructions::instructions,
    offer::Offer,
    prompts, resources,
    server::{Server, Terms},
    tool::error_result,
};

/// Every revision of the protocol that this server speaks, oldest first.
pub(crate) const REVISIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// One client's view of the server.
#[derive(Debug)]
pub struct Connection {
    server: Arc<Server>,
    offer: Arc<Offer>,
    place: Seating,
    /// What the client is told first.
    remark: Option<String>,
    /// What the client subscribed to by `resources/subscribe`, and whether its updates are being sent.
    subscribed: Arc<Mutex<Subscribed>>,
}

/// Where a client sits.
#[derive(Debug)]
enum Seating {
    /// The connection is the caller.
    Taken(Workspace),
    /// The session is, if there is one, and takes its seat when it first needs it. Requests without a session are one
    /// caller for each client name.
    BySession { caller: Box<Caller>, own: OnceLock<Workspace> },
}

/// Where edits are staged, that is what a call without a mode comes to.
fn staging(tool: &mut rmcp::model::Tool) {
    let default = |schema: &serde_json::Map<String, Value>| {
        schema.get("properties").and_then(|properties| properties.pointer("/mode/default"))
            == Some(&"apply".into())
    };
    if !default(&tool.input_schema) {
        return;
    }
    let mut schema = (*tool.input_schema).clone();
    if let Some(default) = schema.get_mut("properties").and_then(|all| all.pointer_mut("/mode/default")) {
        *default = "suggest".into();
    }
    tool.input_schema = Arc::new(schema);
}

#[derive(Debug, Default)]
struct Subscribed {
    uris: BTreeSet<String>,
    sending: bool,
}

impl Connection {
    /// For a caller that has its place.
    pub fn new(server: Arc<Server>, offer: Arc<Offer>, workspace: Workspace) -> Self {
        Self { server, offer, place: Seating::Taken(workspace), remark: None, subscribed: Arc::default() }
    }

    /// With something about this server that the client should know, said before all else.
    #[must_use]
    pub fn remarking(self, remark: Option<String>) -> Self {
        Self { remark, ..self }
    }

    /// For a transport on which sessions, or single requests, come and go. `caller` says what they may do; who they are
    /// is found out.
    pub fn by_session(server: Arc<Server>, offer: Arc<Offer>, caller: Caller) -> Self {
        let caller = Caller { id: CallerId::random(), ..caller };
        let place = Seating::BySession { caller: Box::new(caller), own: OnceLock::new() };
        Self { server, offer, place, remark: None, subscribed: Arc::default() }
    }

    fn approval(&self) -> Approval {
        match &self.place {
            Seating::Taken(workspace) => workspace.caller().approval,
            Seating::BySession { caller, .. } => caller.approval,
        }
    }

    /// The place of whoever is calling.
    fn workspace(&self, context: &RequestContext<RoleServer>) -> Result<Workspace, ToolError> {
        let (caller, own) = match &self.place {
            Seating::Taken(workspace) => return Ok(workspace.clone()),
            Seating::BySession { caller, own } => (caller, own),
        };
        if let Some(client) = context.meta.client_info() {
            // Without a session there is only what each request says of itself.
            let parts = context.extensions.get::<http::request::Parts>();
            let token = parts.and_then(|parts| parts.headers.get(http::header::AUTHORIZATION)?.to_str().ok());
            let id = CallerId::of(&["without session", token.unwrap_or(""), &client.name]);
            return Ok(self.server.desk.seat(Caller { id, ..(**caller).clone() })?);
        }
        if let Some(workspace) = own.get() {
            return Ok(workspace.clone());
        }
        let workspace = self.server.desk.seat((**caller).clone())?;
        Ok(own.get_or_init(|| workspace).clone())
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
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(
                Implementation::new("docwright", env!("CARGO_PKG_VERSION")).with_title("Docwright"),
            )
            .with_instructions({
                let told = instructions(&self.offer.catalogue, self.approval());
                match &self.remark {
                    None => told,
                    Some(remark) => format!("{remark}\n\n{told}"),
                }
            })
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
        let mut listed = self.offer.listed.clone();
        if self.approval().markdown == Gate::Suggest {
            listed.iter_mut().for_each(staging);
        }
        Ok(ListToolsResult::with_all_items(listed))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.offer.find(name).ok().and_then(|index| self.offer.listed.get(index).cloned())
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let index = self.offer.find(&params.name)?;
        let result = match self.workspace(&context) {
            Ok(workspace) => {
                let (cancel, token) = (context.ct.clone(), context.meta.get_progress_token());
                let listener = token.map(|token| Listener::Client {
                    token,
                    peer: context.peer.clone(),
                    runtime: Handle::current(),
                });
                let terms = Terms { cancel, listener };
                self.server.call(&self.offer, index, params.arguments, terms, workspace).await
            }
            Err(error) => error_result(&error),
        };
        Ok(CallToolResponse::Complete(result))
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
        let uri = params.uri.clone();
        let read = match self.workspace(&context) {
            Ok(workspace) => {
                self.server.on_thread(&context.ct, move || resources::read(&workspace, &uri)).await
            }
            Err(error) => Err(error),
        };
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

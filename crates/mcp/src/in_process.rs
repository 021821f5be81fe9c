//! Tools called from within the process: by other surfaces, such as the HTTP API and its agent.
//!
//! The road is the one of every client ([`Server::call`]); only the protocol is left out. A [`Client`] is a caller of the
//! desk with its own windows, rights and policy.

use std::sync::Arc;

use rmcp::model::{ErrorData, ProtocolVersion};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use workspace::{Caller, Workspace};

use crate::{
    connection::REVISIONS,
    cx::{Listener, Step},
    error::ToolError,
    offer::Offer,
    server::{Server, Terms},
};

/// A caller in this process.
#[derive(Debug, Clone)]
pub struct Client {
    server: Arc<Server>,
    offer: Arc<Offer>,
    workspace: Workspace,
}

/// A tool as its list has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    pub read_only: bool,
    pub destructive: bool,
}

/// The whole of what a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Result {
    pub failed: bool,
    /// The blocks of content as the protocol writes them.
    pub content: Vec<Value>,
    pub structured: Option<Value>,
    /// Of a failure: its code, message, hint and data, if the tool has no form of its own for that.
    pub error: Option<Value>,
}

impl Result {
    /// All its text in one.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| block.get("text")?.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl Client {
    /// Takes a seat at the server's desk.
    pub fn new(
        server: Arc<Server>,
        offer: Arc<Offer>,
        caller: Caller,
    ) -> std::result::Result<Self, ToolError> {
        let workspace = server.desk().seat(caller)?;
        Ok(Self { server, offer, workspace })
    }

    /// The same caller, for a request of this name: it stands in the journals of documents beside what the request does.
    #[must_use]
    pub fn under(&self, operation: &str) -> Self {
        Self { workspace: self.workspace.under(operation), ..self.clone() }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Whether there is a document that a call means which names none.
    pub fn has_one_in_front(&self) -> bool {
        self.workspace.meant(None).is_ok()
    }

    /// The documents that the caller has open and that have work in them which nobody has saved.
    pub fn unsaved(&self) -> Vec<String> {
        let open = self.workspace.documents().into_iter().filter(|document| document.dirty);
        open.map(|document| match document.path {
            Some(path) => path.display().to_string(),
            None => document.title,
        })
        .collect()
    }

    pub fn tools(&self) -> Vec<Offered> {
        let tools = self.offer.tools.iter().zip(&self.offer.listed);
        let offered = tools.map(|(tool, listed)| Offered {
            name: tool.name.to_owned(),
            description: listed.description.as_deref().unwrap_or("").to_owned(),
            input_schema: Value::Object((*listed.input_schema).clone()),
            read_only: tool.about.hints.read_only,
            destructive: tool.about.hints.destructive,
        });
        offered.collect()
    }

    /// Whether there is a tool of this name, also by another name that clients know it by; else what to say of it.
    pub fn knows(&self, name: &str) -> std::result::Result<Offered, String> {
        let index = self.offer.find(name).map_err(|error: ErrorData| error.message.into_owned())?;
        let found = self.tools().into_iter().nth(index);
        found.ok_or_else(|| format!("Unknown tool: {name}."))
    }

    /// Calls a tool and waits for its whole answer. What goes wrong in it is an answer too; only a tool that is not
    /// offered is none.
    pub async fn call(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        cancel: CancellationToken,
        progress: Option<mpsc::UnboundedSender<Step>>,
    ) -> std::result::Result<Result, String> {
        let index = self.offer.find(name).map_err(|error| error.message.into_owned())?;
        let terms = Terms { cancel, listener: progress.map(Listener::InProcess) };
        let workspace = self.workspace.clone();
        let result = self.server.call(&self.offer, index, Some(arguments), terms, workspace).await;
        let error = result.meta.as_ref().and_then(|meta| meta.0.get("docwright/error").cloned());
        let content = result.content.iter().map(|block| {
            serde_json::to_value(block).unwrap_or_else(
                |error| json!({ "type": "text", "text": format!("unreadable content: {error}") }),
            )
        });
        Ok(Result {
            failed: result.is_error.unwrap_or(false),
            content: content.collect(),
            structured: result.structured_content.clone(),
            error,
        })
    }

    /// What a call of a tool that also writes comes to, if it only asks; `None` if it would change something. Nothing is
    /// changed by finding out.
    pub async fn only_asked(
        &self,
        name: &str,
        mut arguments: Map<String, Value>,
        cancel: CancellationToken,
    ) -> Option<Result> {
        if !also_asks(name) {
            return None;
        }
        arguments.insert("dry_run".to_owned(), true.into());
        let tried = self.call(name, arguments, cancel, None).await.ok()?;
        let status = tried.structured.as_ref().and_then(|answer| answer.get("status")?.as_str());
        let asks = matches!(status, Some("answered" | "not_understood"));
        asks.then_some(tried)
    }

    /// Work on the caller's documents that is no tool, on one of the server's threads.
    pub async fn run<T: Send + 'static>(
        &self,
        cancel: &CancellationToken,
        work: impl FnOnce(&Workspace) -> T + Send + 'static,
    ) -> std::result::Result<T, ToolError> {
        let workspace = self.workspace.clone();
        self.server.on_thread(cancel, move || work(&workspace)).await
    }
}

/// Whether a tool that may write also answers questions, and can say without writing which of the two a call is.
pub fn also_asks(name: &str) -> bool {
    name == "ask"
}

/// The revision of the protocol that is spoken with whoever asks for this one; `None` if that is no revision of it.
pub fn negotiated(asked: &str) -> Option<String> {
    let known = |revision: &&ProtocolVersion| revision.as_str() == asked;
    REVISIONS.iter().find(known).map(|revision| revision.as_str().to_owned())
}

/// Every revision of the protocol that can be asked for, oldest first.
pub fn revisions() -> Vec<&'static str> {
    REVISIONS.iter().map(ProtocolVersion::as_str).collect()
}

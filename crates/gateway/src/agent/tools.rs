//! The tools of a session, wherever they are: in this process, or on another MCP server.

use futures::future::BoxFuture;
pub use mcp::Step;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What a session can call. One object answers for all of its tools.
pub trait Tools: Send + Sync {
    /// What there is, with schemas and annotations; asked once a run.
    fn list(&self) -> BoxFuture<'_, Result<Catalogue, CallError>>;

    /// What a call comes to if it only asks and changes nothing, of a tool that also writes; `None` where it would change
    /// something, or where that cannot be told without making it.
    fn only_asked<'a>(
        &'a self,
        _call: &'a Call,
        _cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Option<ToolResult>> {
        Box::pin(async { None })
    }

    /// Runs one call to its end. When `cancel` fires it gives up as soon as it safely can; a write that may have
    /// happened is [`CallError::Unknown`] then, never `Cancelled`.
    /// Meanwhile it may say how far it is.
    fn call<'a>(
        &'a self,
        call: &'a Call,
        cancel: &'a CancellationToken,
        progress: Steps,
    ) -> BoxFuture<'a, Result<ToolResult, CallError>>;
}

pub type Catalogue = Vec<ToolInfo>;

/// Where a call says how far it is.
pub type Steps = mpsc::UnboundedSender<Step>;

#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    pub name: String,
    pub description: String,
    /// A JSON schema of the arguments.
    pub input_schema: Value,
    pub annotations: Annotations,
    /// Whether it also answers questions, although it may write: see [`Tools::only_asked`].
    pub also_asks: bool,
}

/// What a tool says of itself. What it does not say is taken as the protocol has it: a tool may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotations {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

impl Default for Annotations {
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, open_world: true }
    }
}

impl Annotations {
    /// From the `annotations` object of a tool as MCP lists it.
    pub fn from_json(annotations: Option<&Value>) -> Self {
        let says = |name: &str| annotations.and_then(|all| all.get(name)).and_then(Value::as_bool);
        let unsaid = Self::default();
        Self {
            read_only: says("readOnlyHint").unwrap_or(unsaid.read_only),
            destructive: says("destructiveHint").unwrap_or(unsaid.destructive),
            idempotent: says("idempotentHint").unwrap_or(unsaid.idempotent),
            open_world: says("openWorldHint").unwrap_or(unsaid.open_world),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Names the call within its conversation, as the model or the caller named it.
    pub id: String,
    /// The run and the number of the call in it: the same again when a run is resumed, so that a write can be
    /// recognised as done.
    pub operation: String,
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// The whole result of a call, as MCP has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// Content blocks: text, images, resources.
    pub content: Vec<Value>,
    pub structured: Option<Value>,
    /// The tool ran and says that it failed; `content` tells why.
    pub is_error: bool,
    /// The same for programs, where the tool has it.
    pub error: Option<Value>,
}

impl ToolResult {
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { content: vec![serde_json::json!({ "type": "text", "text": text })], ..Self::default() }
    }

    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// From the `result` of `tools/call`; `None` where it is no tool result.
    pub fn from_json(mut result: Value) -> Option<Self> {
        let fields = result.as_object_mut()?;
        let structured = fields.remove("structuredContent").filter(|value| !value.is_null());
        let content = match fields.remove("content") {
            Some(Value::Array(content)) => content,
            None | Some(Value::Null) if structured.is_some() => Vec::new(),
            _ => return None,
        };
        let is_error = match fields.get("isError") {
            None | Some(Value::Null) => false,
            Some(said) => said.as_bool()?,
        };
        Some(Self { content, structured, is_error, error: None })
    }

    /// What of it a model can read; blocks that are no text are named by their kind.
    pub fn shown(&self) -> String {
        let mut lines: Vec<String> = self.content.iter().map(shown_block).collect();
        if lines.is_empty()
            && let Some(structured) = &self.structured
        {
            lines.push(structured.to_string());
        }
        lines.join("\n")
    }
}

fn shown_block(block: &Value) -> String {
    let field = |name: &str| block.get(name).and_then(Value::as_str);
    if let Some(text) = field("text") {
        return text.to_owned();
    }
    if let Some(text) = block.pointer("/resource/text").and_then(Value::as_str) {
        return text.to_owned();
    }
    let kind = field("type").unwrap_or("content");
    match field("mimeType").or_else(|| field("uri")) {
        Some(what) => format!("[{kind}: {what}]"),
        None => format!("[{kind}]"),
    }
}

/// Why there is no result. A tool that ran and failed is a [`ToolResult`] with `is_error` instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("there is no tool `{0}`")]
    NoSuchTool(String),
    #[error("the arguments do not fit: {0}")]
    BadArguments(String),
    /// Nothing was done.
    #[error("cancelled")]
    Cancelled,
    /// It may have been done or not; it must not be repeated.
    #[error("it is not known whether this was done: {0}")]
    Unknown(String),
    /// Nothing was done, and why.
    #[error("{0}")]
    Failed(String),
}

impl CallError {
    /// How the text of [`CallError::Unknown`] begins.
    pub const UNKNOWN: &str = "it is not known whether this was done";
}

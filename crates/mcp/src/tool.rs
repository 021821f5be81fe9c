//! What a tool is: a name, facts about it, an input type, an output type and a function.
//!
//! The input type is the schema and its doc comment is what the model reads; nothing is written twice.
//! Each file in `tools/` holds one tool.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use schema::Side;

use crate::{cx::Cx, error::ToolError};

/// A group of tools that can be asked for at start-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    /// The default: few tools, enough for all three formats.
    Core,
    Word,
    Sheet,
    Markdown,
    Workspace,
    /// What a person needs to decide. Agents have no use for it, so it is no part of `all`.
    Review,
}

impl Set {
    pub const ALL: [Set; 6] = [Set::Core, Set::Word, Set::Sheet, Set::Markdown, Set::Workspace, Set::Review];

    pub fn name(self) -> &'static str {
        match self {
            Set::Core => "core",
            Set::Word => "word",
            Set::Sheet => "sheet",
            Set::Markdown => "markdown",
            Set::Workspace => "workspace",
            Set::Review => "review",
        }
    }
}

/// What a tool does to the world. Clients ask their users for permission by these, so they are true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    pub read_only: bool,
    /// Something may be lost that undo does not bring back.
    pub destructive: bool,
    /// A second identical call changes nothing more.
    pub idempotent: bool,
    /// Reaches beyond the documents it is given.
    pub open_world: bool,
    /// Answers from memory, in less time than it takes to wake another thread for it.
    pub at_once: bool,
}

impl Hints {
    pub const READ: Hints =
        Hints { read_only: true, destructive: false, idempotent: true, open_world: false, at_once: false };
    /// Looks at what the server has in memory: no file, no document's text.
    pub const GLANCE: Hints = Hints { at_once: true, ..Hints::READ };
    /// Changes a document in a way that undo takes back.
    pub const EDIT: Hints =
        Hints { read_only: false, destructive: false, idempotent: false, open_world: false, at_once: false };
    /// Puts something in a state, so that doing it twice is doing it once.
    pub const SET: Hints = Hints { idempotent: true, ..Hints::EDIT };
    /// Replaces what is on disk, or drops what is nowhere else.
    pub const OVERWRITE: Hints = Hints { destructive: true, idempotent: true, ..Hints::EDIT };
    /// The same, where doing it twice may do it twice.
    pub const OVERWRITE_AGAIN: Hints = Hints { idempotent: false, ..Hints::OVERWRITE };
}

/// The facts about a tool that its types do not tell.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub title: &'static str,
    pub sets: &'static [Set],
    pub hints: Hints,
}

type Run = dyn Fn(&Cx<'_>, Value) -> Result<Reply, ToolError> + Send + Sync;

pub struct Tool {
    pub name: &'static str,
    pub about: About,
    define: fn() -> Definition,
    definition: OnceLock<Definition>,
    run: Box<Run>,
}

/// What is derived from the types, when it is first asked for: a server with ten tools does not pay for a
/// hundred at start-up.
struct Definition {
    description: String,
    /// What arguments are checked against.
    input: Arc<JsonObject>,
    /// The same as it is listed.
    shown: Arc<JsonObject>,
    output: Option<Arc<JsonObject>>,
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).field("about", &self.about).finish_non_exhaustive()
    }
}

impl Tool {
    pub fn new<I, O>(
        name: &'static str,
        about: About,
        run: impl Fn(&Cx<'_>, I) -> Result<O, ToolError> + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema,
        O: Output,
    {
        Self {
            name,
            about,
            define: define::<I, O>,
            definition: OnceLock::new(),
            run: Box::new(move |cx, arguments| {
                let input = serde_json::from_value(arguments).map_err(misread)?;
                run(cx, input)?.reply()
            }),
        }
    }

    /// The schema that arguments are checked against.
    #[cfg(test)]
    pub(crate) fn checked_input(&self) -> &JsonObject {
        &self.definition().input
    }

    fn definition(&self) -> &Definition {
        self.definition.get_or_init(self.define)
    }

    /// As the protocol lists it, without the shape of its answer.
    pub(crate) fn listed(&self) -> rmcp::model::Tool {
        let definition = self.definition();
        let Hints { read_only, destructive, idempotent, open_world, at_once: _ } = self.about.hints;
        let annotations = ToolAnnotations::new()
            .read_only(read_only)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(open_world);
        rmcp::model::Tool::new(self.name, definition.description.clone(), definition.shown.clone())
            .with_title(self.about.title)
            .with_annotations(annotations)
    }

    /// As the protocol lists it, with the shape of its answer.
    pub(crate) fn listed_in_full(&self) -> rmcp::model::Tool {
        let mut listed = self.listed();
        listed.output_schema = self.definition().output.clone();
        listed
    }

    /// Checks the arguments, runs the tool and answers. Never fails: what goes wrong is an answer too.
    pub(crate) fn call(&self, cx: &Cx<'_>, arguments: Option<JsonObject>) -> Called {
        let mut arguments = Value::Object(arguments.unwrap_or_default());
        let checked = schema::arguments(self.name, &self.definition().input, &mut arguments);
        let reply = match (checked, crate::tools::own_faults(self.name)) {
            (Ok(()), _) => (self.run)(cx, arguments),
            (Err(fault), Some(answer)) => Ok(answer(&arguments, &fault)),
            (Err(fault), None) => Err(ToolError::invalid(fault)),
        };
        let reply = reply.and_then(|reply| self.as_promised(reply)).and_then(|reply| self.within_cap(reply));
        match reply {
            Ok(reply) => Called { again: reply.again, ..Called::done(reply.into_result()) },
            Err(error) => {
                let cancelled = error.code == ToolError::CANCELLED;
                Called { cancelled, ..Called::done(error_result(&error)) }
            }
        }
    }

    /// Clients refuse an answer that is not of the shape that was listed. While developing, every answer of
    /// every test is held against it; a release does not pay for that.
    fn as_promised(&self, reply: Reply) -> Result<Reply, ToolError> {
        if !cfg!(debug_assertions) || reply.failed {
            return Ok(reply);
        }
        let Some(schema) = &self.definition().output else { return Ok(reply) };
        let broken = |why: &str| {
            let name = self.name;
            ToolError::new(
                ToolError::INTERNAL,
                format!("the answer of {name} is not what was promised: {why}"),
            )
        };
        let Some(structured) = &reply.structured else { return Err(broken("it has no structure")) };
        let mut checked = structured.clone();
        schema::arguments(self.name, schema, &mut checked).map_err(|fault| broken(&fault))?;
        // The check forgives nulls in arguments; clients do not forgive them in answers.
        if checked != *structured { Err(broken("it has members that are null")) } else { Ok(reply) }
    }

    /// Clients cut results at about 25,000 tokens, without saying so. Tools page; this is for the one that
    /// forgot.
    fn within_cap(&self, reply: Reply) -> Result<Reply, ToolError> {
        let size = reply.text.len();
        if size <= REPLY_BYTES {
            return Ok(reply);
        }
        let properties = self.definition().input.get("properties").and_then(Value::as_object);
        let pages = properties.is_some_and(|properties| properties.contains_key("offset"));
        let hint = if pages {
            "pass `offset` and a smaller `limit`"
        } else {
            "ask for a smaller part of the document"
        };
        let mut error = ToolError::new(
            ToolError::RESULT_TOO_LARGE,
            format!("the answer of {} has {size} bytes, at most {REPLY_BYTES} are sent", self.name),
        )
        .hint(hint);
        if !self.about.hints.read_only {
            error.written =
                Some("everything that was asked for; only the report of it is too long".to_owned());
        }
        Err(error)
    }
}

// What is generic over the types of a tool is compiled a hundred times, so it only hands on to what is not.
fn define<I: JsonSchema, O: Output>() -> Definition {
    defined(schema::of::<I>(Side::Input), O::schema())
}

fn defined(mut input: JsonObject, output: Option<JsonObject>) -> Definition {
    let description = match input.remove("description") {
        Some(Value::String(text)) => unwrapped(&text),
        _ => String::new(),
    };
    let shown = Arc::new(schema::as_listed(&input));
    Definition { description, input: Arc::new(input), shown, output: output.map(Arc::new) }
}

fn misread(error: serde_json::Error) -> ToolError {
    ToolError::invalid(error.to_string())
}

/// A doc comment is wrapped for the source; a model pays for the line ends.
fn unwrapped(text: &str) -> String {
    text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n")
}

pub(crate) fn error_result(error: &ToolError) -> CallToolResult {
    let mut meta = MetaObject::new();
    meta.0.insert("docwright/error".to_owned(), error.record());
    CallToolResult::error(vec![ContentBlock::text(error.text())]).with_meta(Some(meta))
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) result: CallToolResult,
    /// See `Reply::again`.
    pub(crate) again: Option<Duration>,
    pub(crate) cancelled: bool,
}

impl Called {
    pub(crate) fn done(result: CallToolResult) -> Self {
        Self { result, again: None, cancelled: false }
    }
}

/// About 22,000 tokens of English; a little below what clients keep.
const REPLY_BYTES: usize = 90_000;

/// What goes back to the caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    /// The same facts for programs. Not sent along with an image, because some clients then drop the image.
    pub structured: Option<Value>,
    pub images: Vec<Image>,
    /// Whether the reply says that it could not be done, in the tool's own form.
    pub failed: bool,
    /// The answer waits for something to happen, for at most so long after the call began. The tool is run again
    /// then, and holds no thread meanwhile.
    pub again: Option<Duration>,
}

/// A picture for the model's eyes.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    pub base64: String,
    pub mime: &'static str,
}

impl Reply {
    fn into_result(self) -> CallToolResult {
        let mut content = vec![ContentBlock::text(self.text)];
        let structured = self.structured.filter(|_| self.images.is_empty());
        content.extend(self.images.into_iter().map(|image| ContentBlock::image(image.base64, image.mime)));
        let mut result = match self.failed {
            true => CallToolResult::error(content),
            false => CallToolResult::success(content),
        };
        result.structured_content = structured;
        result
    }
}

/// What a tool may return.
///
/// A plain value goes out as JSON text and as structured content. A value that is no object, such as a
/// list, is wrapped as `result` in the latter, because the protocol asks for an object there.
pub trait Output {
    fn schema() -> Option<JsonObject>;
    fn reply(self) -> Result<Reply, ToolError>;
}

impl<T: Serialize + JsonSchema> Output for T {
    fn schema() -> Option<JsonObject> {
        output_schema::<T>()
    }

    fn reply(self) -> Result<Reply, ToolError> {
        answered(serde_json::to_string(&self))
    }
}

/// The same facts as text and as structure.
fn answered(written: serde_json::Result<String>) -> Result<Reply, ToolError> {
    let lost = |error: serde_json::Error| ToolError::new(ToolError::INTERNAL, error.to_string());
    let written = written.map_err(lost)?;
    let structured: Value = serde_json::from_str(&written).map_err(lost)?;
    let text = match &structured {
        Value::String(text) => text.clone(),
        _ => written,
    };
    let structured = if structured.is_object() { structured } else { json!({ "result": structured }) };
    Ok(Reply { text, structured: Some(structured), ..Reply::default() })
}

fn output_schema<T: JsonSchema>() -> Option<JsonObject> {
    as_answer(schema::of::<T>(Side::Output))
}

fn as_answer(mut schema: JsonObject) -> Option<JsonObject> {
    schema.remove("description");
    let schema = schema::as_listed(&schema);
    if schema.get("type") == Some(&json!("object")) {
        return Some(schema);
    }
    let wrapped = json!({ "type": "object", "properties": { "result": schema }, "required": ["result"] });
    wrapped.as_object().cloned()
}

/// Text for reading, such as a document's content. It is not sent a second time as structured content.
#[derive(Debug, Clone, PartialEq)]
pub struct Text(pub String);

impl Output for Text {
    fn schema() -> Option<JsonObject> {
        None
    }

    fn reply(self) -> Result<Reply, ToolError> {
        Ok(Reply { text: self.0, ..Reply::default() })
    }
}

/// An object, or else one bare value, which then stands in the member `result`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OrBare<T>(pub(crate) T);

impl<T: Serialize + JsonSchema> Output for OrBare<T> {
    fn schema() -> Option<JsonObject> {
        <T as Output>::schema()
    }

    fn reply(self) -> Result<Reply, ToolError> {
        let mut reply = self.0.reply()?;
        match reply.structured.as_ref().and_then(|structured| structured.get("result")) {
            None => {}
            Some(Value::String(text)) => reply.text.clone_from(text),
            Some(bare) => reply.text = bare.to_string(),
        }
        Ok(reply)
    }
}

/// A reply that a tool composes itself, in the shape of `T`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shaped<T> {
    pub(crate) reply: Reply,
    pub(crate) shape: PhantomData<T>,
}

impl<T> From<Reply> for Shaped<T> {
    fn from(reply: Reply) -> Self {
        Self { reply, shape: PhantomData }
    }
}

impl<T: JsonSchema> Output for Shaped<T> {
    fn schema() -> Option<JsonObject> {
        output_schema::<T>()
    }

    fn reply(self) -> Result<Reply, ToolError> {
        Ok(self.reply)
    }
}

/// A tool that composes its own reply, pictures included.
impl Output for Reply {
    fn schema() -> Option<JsonObject> {
        None
    }

    fn reply(self) -> Result<Reply, ToolError> {
        Ok(self)
    }
}

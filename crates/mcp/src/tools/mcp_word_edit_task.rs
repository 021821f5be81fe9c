//! `mcp_word__editTask`: one operation of the `word.op` vocabulary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use workspace::word::op::Op;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Reply, Set, Shaped},
    word::{self, Track},
    word_op::{self, Failure, Said, Setting},
};

pub(crate) const ABOUT: About =
    About { title: "Word operation", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// One operation on a Word document: insertText, getSelection, setSelection, search, replace, insertPicture,
/// table.create|insertRows|insertColumns|deleteRows|deleteColumns|setCellText|mergeCells|applyStyle, applyStyle,
/// listStyles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    action: Option<Action>,
    /// Summary; without meta, the text itself.
    content: String,
    /// {"type":"word.op","op":"<name>","version":"1.0","args":{…}}, as a string or an object.
    #[serde(default)]
    #[schemars(schema_with = "meta")]
    meta: Option<Value>,
    target: Option<Target>,
    task_id: Option<String>,
    /// Default: the document in front.
    file_path: Option<String>,
    session_id: Option<String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    // Spelled as refusals and the other tools spell it.
    #[serde(default, rename = "override_protection")]
    override_protection: bool,
}

fn meta(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "object"] })
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Insert,
    Replace,
    Append,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Target {
    Cursor,
    Selection,
    Document,
}

/// Only its schema is used; the answer is composed with the operations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    ok: bool,
    op: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<Diagnostic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Diagnostic {
    level: String,
    msg: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Shaped<Response>, ToolError> {
    let (name, outcome) = match asked(&input) {
        Ok((op, warnings)) => (op.name().to_owned(), carry_out(cx, &input, &op, warnings)),
        Err((name, failure)) => (name, Err(failure)),
    };
    Ok(reply(word_op::response(&name, outcome), input.task_id.as_deref()).into())
}

fn reply(mut response: Map<String, Value>, task: Option<&str>) -> Reply {
    if let Some(task) = task {
        response.insert("taskId".to_owned(), task.into());
    }
    let failed = response.get("ok") != Some(&Value::Bool(true));
    let structured = Value::Object(response);
    Reply { text: structured.to_string(), structured: Some(structured), failed, ..Reply::default() }
}

/// Faults of the arguments in the agreed form, one diagnostic for each.
pub(crate) fn refused(arguments: &Value, fault: &str) -> Reply {
    let meta = match arguments.get("meta") {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
        Some(meta) => meta.clone(),
        None => Value::Null,
    };
    let name = meta.get("op").and_then(Value::as_str).unwrap_or("");
    let mut faults: Vec<String> = fault.trim().split("\n- ").map(str::to_owned).collect();
    if faults.len() > 1 {
        // The line that counts them.
        faults.remove(0);
    }
    let failure = Failure { code: "E_INVALID_ARG", messages: faults };
    reply(word_op::response(name, Err(failure)), arguments.get("taskId").and_then(Value::as_str))
}

/// The operation that is meant: in full, or in the simple form.
fn asked(input: &Input) -> Result<(Op, Vec<String>), (String, Failure)> {
    if let Some(meta) = &input.meta {
        let word_op::OperationCall { op, warnings } = word_op::operation(meta)?;
        return Ok((op, warnings));
    }
    // The content is a summary for people unless somebody says what to do with it.
    let Some(action) = input.action else {
        let fault =
            "meta or action required: meta holds the operation, and content is only written by an action";
        return Err((String::new(), Failure { code: "E_INVALID_ARG", messages: vec![fault.to_owned()] }));
    };
    let action = match action {
        Action::Insert => word_op::Action::Insert,
        Action::Replace => word_op::Action::Replace,
        Action::Append => word_op::Action::Append,
    };
    // Whoever appends without a place means the end.
    let appends = matches!(action, word_op::Action::Append) && input.target.is_none();
    let document = input.target == Some(Target::Document) || appends;
    Ok((word_op::simple(action, &input.content, document), Vec::new()))
}

fn carry_out(cx: &Cx<'_>, input: &Input, op: &Op, warnings: Vec<String>) -> Said {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())
        .map_err(|error| Failure::of_tool(&error))?;
    if cx.cancel.is_cancelled() {
        return Err(workspace::Refusal::Cancelled.into());
    }
    let setting = Setting {
        workspace: cx.workspace,
        document: target.document,
        session: &target.session,
        mode: input.track.mode(input.dry_run),
        markup: input.track.markup(),
        standing: input.track.standing(input.override_protection),
    };
    word_op::carry_out(&setting, op, warnings)
}

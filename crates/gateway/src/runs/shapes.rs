//! Calls and their ends as the contract writes them, and back.

use serde_json::{Map, Value, json};

use crate::{
    agent::{CallError, ToolResult},
    api::error::Code,
};

/// The end of a call, as it is kept and told.
pub(crate) fn called_event(
    call_id: &str,
    operation: &str,
    tool: &str,
    (result, error): (Result<ToolResult, CallError>, Option<Value>),
    seconds: f64,
) -> Value {
    let status = if error.is_none() { "completed" } else { "error" };
    json!({
        "call_id": call_id,
        "operation_id": operation,
        "tool_name": tool,
        "status": status,
        "result": result.ok().map(whole),
        "error": error,
        "execution_time": seconds,
    })
}

/// What is said of a call that failed; `None` if it did not.
pub(crate) fn failure(tool: &str, result: &Result<ToolResult, CallError>) -> Option<Value> {
    let (code, details, outcome) = match result {
        Ok(result) if !result.is_error => return None,
        Ok(result) => {
            let mut error = error(Code::ToolExecution, &format!("{tool} failed"), &result.shown());
            if let Some(said) = &result.error {
                error["data"]["tool_error"] = said.clone();
            }
            return Some(error);
        }
        Err(CallError::NoSuchTool(_) | CallError::BadArguments(_)) => (Code::Params, None, "not_done"),
        Err(CallError::Cancelled) => (Code::Cancelled, None, "not_done"),
        Err(CallError::Failed(why)) => (Code::ToolExecution, Some(why), "not_done"),
        Err(CallError::Unknown(why)) => (Code::ToolExecution, Some(why), UNKNOWN),
    };
    let said = match result {
        Ok(_) => String::new(),
        Err(why) => why.to_string(),
    };
    let mut error = error(code, &said, details.map_or(&said, |details| details));
    error["data"]["outcome"] = outcome.into();
    Some(error)
}

/// The outcome of a call that may have been done or not.
pub(crate) const UNKNOWN: &str = "unknown";

/// An error as the contract has it, without the time.
pub(crate) fn error(code: Code, message: &str, details: &str) -> Value {
    json!({
        "code": code.number(),
        "message": message,
        "data": {"details": details, "name": code.name()},
    })
}

/// The result as the contract writes it: a picture is a data URL.
fn whole(called: ToolResult) -> Value {
    let content: Vec<Value> = called.content.into_iter().map(block).collect();
    let mut result = json!({ "content": content });
    if let Some(structured) = called.structured {
        result["structured_content"] = structured;
    }
    result
}

fn block(block: Value) -> Value {
    let text = |name: &str| block.get(name).and_then(Value::as_str);
    match (text("type"), text("mimeType"), text("data")) {
        (Some("image"), Some(media), Some(data)) => {
            json!({"type": "image", "image_url": format!("data:{media};base64,{data}")})
        }
        _ => block,
    }
}

/// A result that was written as the contract has it.
pub(crate) fn result_of(written: &Value, is_error: bool) -> ToolResult {
    ToolResult {
        content: written.get("content").and_then(Value::as_array).cloned().unwrap_or_default(),
        structured: written.get("structured_content").cloned(),
        is_error,
        error: None,
    }
}

/// The suggestions that a call left behind for a person to decide, if it did.
pub(crate) fn suggestions(result: &ToolResult) -> Option<Value> {
    let structured: &Map<String, Value> = result.structured.as_ref()?.as_object()?;
    ["suggestions", "suggestion_ids", "suggestion_id", "suggestionId"]
        .iter()
        .filter_map(|name| structured.get(*name))
        .find(|found| !found.is_null() && found.as_array().is_none_or(|all| !all.is_empty()))
        .map(|found| if found.is_array() { found.clone() } else { json!([found]) })
}

//! The one answer among what a request of a batch was answered with.

use http_body_util::BodyExt as _;
use serde_json::Value;

use super::Answer;

/// Reads the whole answer, be it JSON or a stream of events, and keeps the response in it.
pub(super) async fn answer_in(answer: Answer) -> Option<Value> {
    let body = answer.into_body().collect().await.ok()?.to_bytes();
    let text = std::str::from_utf8(&body).ok()?;
    let is_response = |message: &Value| message.get("result").is_some() || message.get("error").is_some();
    if let Ok(message) = serde_json::from_str::<Value>(text) {
        return Some(message).filter(is_response);
    }
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:")?.trim_start()).ok())
        .find(is_response)
}

//! `docwright ask`: plain requests, through the tool that agents have for them.

use std::path::Path;

use mcp::{Choice, Offer};
use serde_json::{Value, json};

use crate::access;
use crate::cli::{Ask, Destined, Net};
use crate::one_file::OneFile;
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(arguments: &Ask, json: bool) -> Result<Verdict, Failure> {
    let Ask { file, request, track, net, into } = arguments;
    carry_out(&open(file, net, into)?, request, *track, into, json)
}

pub(super) fn open(file: &Path, net: &Net, into: &Destined) -> Result<OneFile, Failure> {
    let others: Vec<&Path> = into.output.as_deref().into_iter().collect();
    OneFile::open_with(file, &others, &into.author, access::network(net)?)
}

pub(super) fn carry_out(
    desk: &OneFile,
    request: &str,
    track: bool,
    into: &Destined,
    json: bool,
) -> Result<Verdict, Failure> {
    let track = if track { "on" } else { "off" };
    call(desk, "ask", json!({ "request": request, "track": track, "dry_run": into.dry_run }), into, json)
}

/// Calls a tool on the desk's document, and saves what came of it.
pub(super) fn call(
    desk: &OneFile,
    tool: &str,
    arguments: Value,
    into: &Destined,
    json: bool,
) -> Result<Verdict, Failure> {
    let choice = Choice { tools: vec!["word".to_owned()], ..Choice::default() };
    let offer = Offer::new(&choice).map_err(|error| Failure::new("UNKNOWN_TOOLS", error.to_string()))?;
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let said = mcp::call_here(&offer, &desk.workspace, tool, arguments)?;
    let understood = serde_json::from_str::<Value>(&said.text).ok();
    let done = !said.failed && understood.as_ref().is_some_and(|answer| answer["ok"] == true);
    if done && (into.output.is_some() || desk.workspace.status(desk.document)?.dirty) {
        desk.save(&into.destination())?;
    }
    match understood {
        Some(answer) => {
            report::answer(json, &answer, |answer| serde_json::to_string_pretty(answer).unwrap_or_default())?
        }
        None => return Err(refused(&said.text)),
    }
    Ok(if done { Verdict::Done } else { Verdict::Failed })
}

/// What a tool says when it refuses: a code and a message, and a hint in a line of its own.
fn refused(text: &str) -> Failure {
    let (message, hint) = match text.split_once("\nHint: ") {
        Some((message, hint)) => (message, Some(hint)),
        None => (text, None),
    };
    let is_code = |code: &str| code.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let failure = match message.split_once(": ").filter(|(code, _)| is_code(code)) {
        Some((code, message)) => Failure::new(code, message),
        None => Failure::new("REFUSED", message),
    };
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

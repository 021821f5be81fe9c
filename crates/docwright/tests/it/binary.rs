//! Running the binary and talking to it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command that keeps its state to itself.
pub(crate) fn docwright(state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_docwright"));
    command.env("XDG_STATE_HOME", state).env("HOME", state).env_remove("DOCWRIGHT_TOKEN");
    command
}

/// What a command printed, and how it ended.
#[track_caller]
pub(crate) fn run(arguments: &[&str]) -> Output {
    let state = tempfile::tempdir().expect("a temporary folder");
    docwright(state.path()).args(arguments).output().expect("the binary starts")
}

#[track_caller]
pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

/// All tools of a toolset, as a client sees them.
pub(crate) fn tools(set: &str) -> Vec<Value> {
    let state = tempfile::tempdir().expect("a temporary folder");
    let mut server = docwright(state.path())
        .args(["mcp", "--tools", set, "--root"])
        .arg(state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut to = server.stdin.take().expect("its input");
    let mut from = BufReader::new(server.stdout.take().expect("its output"));
    let mut ask = |message: Value, answered: bool| {
        writeln!(to, "{message}").expect("the server reads");
        let mut line = String::new();
        if answered {
            from.read_line(&mut line).expect("the server answers");
        }
        serde_json::from_str::<Value>(&line).unwrap_or(Value::Null)
    };
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "docs", "version": "1" } });
    ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }), true);
    ask(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }), false);
    let list = ask(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }), true);
    drop(to);
    server.wait().expect("the server ends when its client hangs up");
    list["result"]["tools"].as_array().expect("a list of tools").clone()
}

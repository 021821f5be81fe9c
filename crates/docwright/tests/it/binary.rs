//! Running the binary and talking to it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command that keeps its state to itself.
pub(crate) fn docwright(state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_docwright"));
    command.env("XDG_STATE_HOME", state).env("HOME", state).env_remove("DOCWRIGHT_TOKEN");
    for name in ["PROVIDER", "MODEL", "MODEL_URL", "MODEL_KEY", "MODEL_API_VERSION", "APPROVAL"] {
        command.env_remove(format!("DOCWRIGHT_{name}"));
    }
    command
}

/// What a command printed, and how it ended.
#[track_caller]
pub(crate) fn run(arguments: &[&str]) -> Output {
    let state = tempfile::tempdir().expect("a temporary folder");
    docwright(state.path()).args(arguments).output().expect("the binary starts")
}

/// A copy of a sample in a folder that goes away with the guard.
pub(crate) fn sample(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::copy(root().join("samples").join(name), &path).expect("the sample can be copied");
    let path = path.to_str().expect("a plain path").to_owned();
    (folder, path)
}

#[track_caller]
pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

/// All tools of a toolset, as a client sees them.
pub(crate) fn tools(set: &str, more: &[&str]) -> Vec<Value> {
    let state = tempfile::tempdir().expect("a temporary folder");
    let arguments = [&["--tools", set], more].concat();
    let list = Session::start(state.path(), &arguments).ask("tools/list", json!({}));
    list["result"]["tools"].as_array().expect("a list of tools").clone()
}

/// One client's conversation with the server, over its standard streams.
pub(crate) struct Session {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    id: u64,
}

impl Session {
    /// Starts a server that may use one folder, and shakes hands with it.
    #[track_caller]
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Self {
        let mut command = docwright(folder);
        command.args(["mcp", "--alone", "--root"]).arg(folder).args(more);
        Self::of(command)
    }

    /// The same with any command.
    #[track_caller]
    pub(crate) fn of(mut command: Command) -> Self {
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let to = server.stdin.take();
        let from = BufReader::new(server.stdout.take().expect("its output"));
        let mut session = Self { server, to, from, id: 0 };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        session.ask("initialize", hello);
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    pub(crate) fn pid(&self) -> u32 {
        self.server.id()
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().expect("its input"), "{message}").expect("the server reads");
    }

    /// The whole answer to a request.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        loop {
            let answer = self.next();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Asks and does not wait; returns the id that the answer will have.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params }));
        self.id
    }

    /// The next message of the server.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).expect("the server answers") > 0, "the server is gone");
        serde_json::from_str(&line).expect("JSON")
    }

    /// What a tool said, and whether it failed.
    #[track_caller]
    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"));
        (text.to_owned(), result["isError"] == true)
    }

    /// Ends the server in the middle of whatever it does.
    pub(crate) fn kill(mut self) {
        self.server.kill().expect("it can be killed");
        self.server.wait().expect("it ends");
        std::mem::forget(self);
    }
}

impl Drop for Session {
    /// The server ends when its client hangs up.
    fn drop(&mut self) {
        self.to = None;
        let ended = self.server.wait().expect("the server ends");
        assert!(std::thread::panicking() || ended.success(), "{ended}");
    }
}

//! MCP conversations, replayed over the real program: `tests/protocol/*.jsonl`.
//!
//! Each line is one step: `args` (what the program is started with), `file` and `text` (a document beside
//! it), `send` (a message), `raw` (bytes as they are, `repeat` times), `expect` (the next answer has at least
//! this; `"*"` is anything), `hangup` (the input ends), `exit` (the program ended so).

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use serde_json::Value;

use crate::binary::{docwright, root};

const PATIENCE: Duration = Duration::from_secs(20);

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Program {
    fn start(root: &Path, args: &[String]) -> Self {
        let mut child = docwright(&root.join(".state"))
            .arg("mcp")
            .args(args)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, answers) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { input: child.stdin.take(), child, answers }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether `found` has everything that `wanted` says.
fn agrees(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::String(any), _) if any == "*" => true,
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(name, wanted)| found.get(name).is_some_and(|found| agrees(wanted, found)))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| agrees(wanted, found))
        }
        _ => wanted == found,
    }
}

fn replay(recording: &Path, way: &[&str]) {
    let root = tempfile::tempdir().unwrap();
    let mut args = vec!["--root".to_owned(), root.path().display().to_string()];
    args.extend(way.iter().copied().map(str::to_owned));
    let mut program: Option<Program> = None;
    for (number, line) in fs::read_to_string(recording).unwrap().lines().enumerate() {
        let at = format!("{}:{}", recording.display(), number + 1);
        let step: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{at}: {error}"));
        if let Some(more) = step["args"].as_array() {
            args.extend(more.iter().filter_map(Value::as_str).map(str::to_owned));
            continue;
        }
        if let Some(name) = step["file"].as_str() {
            let path = root.path().join(name);
            match step.get("is") {
                Some(wanted) => {
                    assert_eq!(Some(fs::read_to_string(path).unwrap().as_str()), wanted.as_str(), "{at}")
                }
                None => fs::write(path, step["text"].as_str().unwrap()).unwrap(),
            }
            continue;
        }
        let program = program.get_or_insert_with(|| Program::start(root.path(), &args));
        if let Some(message) = step.get("send") {
            program.write(message.to_string().as_bytes());
        } else if let Some(raw) = step["raw"].as_str() {
            let times = step["repeat"].as_u64().unwrap_or(1);
            program.write(raw.repeat(usize::try_from(times).unwrap()).as_bytes());
        } else if let Some(bytes) = step["bytes"].as_array() {
            let bytes: Vec<u8> =
                bytes.iter().map(|byte| u8::try_from(byte.as_u64().unwrap()).unwrap()).collect();
            program.write(&bytes);
        } else if let Some(wanted) = step.get("expect") {
            let answer =
                program.answers.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{at}: {error}"));
            let found: Value =
                serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{at}: {error}: {answer}"));
            assert!(agrees(wanted, &found), "{at}: wanted {wanted}\nfound {found}");
        } else if step.get("hangup").is_some() {
            program.input = None;
        } else if let Some(code) = step["exit"].as_i64() {
            assert!(program.answers.recv_timeout(PATIENCE).is_err(), "{at}: there was more to read");
            let ended = program.child.wait().unwrap();
            assert_eq!(ended.code().map(i64::from), Some(code), "{at}");
        } else {
            panic!("{at}: what is {step}?");
        }
    }
}

#[test]
fn recorded_conversations_go_the_same_way_again() {
    replay_all(&["--alone"]);
}

#[test]
fn and_through_a_desk_too() {
    replay_all(&["--desk-linger", "500"]);
    replay_all(&["--desk-linger", "500", "--desk-loopback"]);
}

fn replay_all(way: &[&str]) {
    let folder = root().join("tests/protocol");
    let mut recordings: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    recordings.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    recordings.sort();
    assert!(recordings.len() >= 4, "the recordings are in {}", folder.display());
    for recording in recordings {
        replay(&recording, way);
    }
}

//! One desk for one state folder: processes that find it, start it and replace it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::binary::{Session, docwright};

/// A state folder and a folder with documents, both gone at the end.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("documents")).expect("a folder");
        Self { folder }
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn in_desk(&self, name: &str) -> PathBuf {
        self.state().join("desk").join(name)
    }

    /// `docwright mcp`, whose desk does not stay for long.
    pub(crate) fn command(&self, more: &[&str]) -> Command {
        let mut command = docwright(self.folder.path());
        command.args(["mcp", "--root"]).arg(self.folder.path().join("documents"));
        command.arg("--state-dir").arg(self.state()).args(["--tools", "all"]).args(more);
        if !more.contains(&"--desk-linger") {
            command.args(["--desk-linger", "1000"]);
        }
        command
    }

    pub(crate) fn client(&self, more: &[&str]) -> Session {
        Session::of(self.command(more))
    }

    /// What `doctor` says about the desk.
    pub(crate) fn doctor(&self) -> String {
        let mut command = docwright(self.folder.path());
        command.args(["doctor", "--json", "--root"]).arg(self.folder.path());
        let output = command.arg("--state-dir").arg(self.state()).output().expect("the doctor runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let checks = report["checks"].as_array().expect("checks");
        let check = checks.iter().find(|check| check["name"] == "desk of this state folder");
        check.expect("a check of the desk")["found"].as_str().expect("what was found").to_owned()
    }

    /// The process that is the desk.
    #[track_caller]
    pub(crate) fn desk(&self) -> u32 {
        let found = self.doctor();
        let pid = found.split("process ").nth(1).and_then(|rest| rest.split(';').next());
        pid.and_then(|pid| pid.parse().ok()).unwrap_or_else(|| panic!("no desk: {found}"))
    }
}

/// A process is gone when the system knows it no more, or only keeps its number for whoever started it. Its first
/// thread may be gone while others still hold its files.
pub(crate) fn is_gone(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    status.map_or(true, |status| status.contains("\nState:\tZ") && threads < 2)
}

#[track_caller]
pub(crate) fn within(seconds: u64, what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < until, "not within {seconds} s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn signal(name: &str, pid: u32) {
    let sent = Command::new("kill").args([name, &pid.to_string()]).status().expect("kill runs");
    assert!(sent.success(), "kill {name} {pid}");
}

pub(crate) fn lists_tools(session: &mut Session) -> bool {
    session.ask("tools/list", json!({}))["result"]["tools"].is_array()
}

/// A server over HTTP, once it listens.
pub(crate) fn serve(place: &Place, more: &[&str]) -> Child {
    let mut command = docwright(place.folder.path());
    command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--root"]).arg(place.folder.path());
    command.arg("--state-dir").arg(place.state()).args(more);
    let mut server =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server starts");
    let mut byte = [0];
    server.stdout.as_mut().expect("its output").read_exact(&mut byte).expect("its address");
    server
}

fn end(mut server: Child) -> String {
    signal("-TERM", server.id());
    let mut said = String::new();
    server.stderr.take().expect("stderr").read_to_string(&mut said).expect("what it said");
    assert!(server.wait().expect("an end").success());
    said
}

#[test]
fn clients_share_a_desk_that_ends_after_the_last_one() {
    for more in [&[][..], &["--desk-loopback"]] {
        let place = Place::new();
        assert!(place.doctor().contains("none runs"));
        let (mut one, mut two) = (place.client(more), place.client(more));
        assert!(lists_tools(&mut one) && lists_tools(&mut two));
        let desk = place.desk();
        let found = place.doctor();
        for session in [&one, &two] {
            assert!(found.contains(&format!("process {}", session.pid())), "{found}");
        }
        drop(one);
        std::thread::sleep(Duration::from_millis(1200));
        assert!(lists_tools(&mut two));
        assert_eq!(place.desk(), desk);
        drop(two);
        within(5, "the desk ends", || is_gone(desk));
        assert!(!place.in_desk("socket").exists() && !place.in_desk("port").exists());
    }
}

#[test]
fn two_first_clients_at_once_start_one_desk() {
    for _ in 0..20 {
        let place = Place::new();
        let pids: Vec<u32> = std::thread::scope(|scope| {
            let start = || {
                let mut session = place.client(&[]);
                assert!(lists_tools(&mut session));
                let desk = place.desk();
                (session, desk)
            };
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(start)).collect();
            let clients: Vec<_> =
                threads.into_iter().map(|thread| thread.join().expect("a client")).collect();
            clients.iter().map(|(_, desk)| *desk).collect()
        });
        assert_eq!(pids[0], pids[1]);
        signal("-TERM", pids[0]);
    }
}

#[test]
fn the_desk_is_a_process_of_its_own_and_knows_no_secrets() {
    let place = Place::new();
    let mut command = place.command(&[]);
    command.env("SECRET_TOKEN", "hush").env("LC_ALL", "C.UTF-8");
    let session = Session::of(command);
    let desk = place.desk();
    let environment = std::fs::read(format!("/proc/{desk}/environ")).expect("its environment");
    let environment = String::from_utf8_lossy(&environment).into_owned();
    assert!(!environment.contains("hush"), "{environment}");
    assert!(environment.contains("LC_ALL=C.UTF-8") && environment.contains("PATH="), "{environment}");
    assert_eq!(std::fs::read_link(format!("/proc/{desk}/cwd")).expect("its folder"), Path::new("/"));
    // The sixth number is the session; its own, so that no terminal ends it.
    let stat = std::fs::read_to_string(format!("/proc/{desk}/stat")).expect("its numbers");
    let numbers: Vec<&str> = stat.rsplit(") ").next().expect("numbers").split(' ').collect();
    assert_eq!(numbers[3], desk.to_string());
    drop(session);
}

#[test]
fn a_newer_version_takes_over_and_an_older_one_is_served() {
    for more in [&[][..], &["--desk-loopback"]] {
        let place = Place::new();
        let client = |version| place.client(&[&["--desk-version", version], more].concat());
        let mut first = client("0.1.0");
        assert!(lists_tools(&mut first));
        let old = place.desk();
        let mut newer = client("0.2.0");
        assert!(lists_tools(&mut newer));
        let new = place.desk();
        assert_ne!(old, new);
        within(5, "the old desk ends", || is_gone(old));
        assert!(place.doctor().contains("version 0.2.0"));
        assert!(lists_tools(&mut first));
        let mut older = client("0.0.9");
        assert!(lists_tools(&mut older));
        assert_eq!(place.desk(), new);
    }
}

#[test]
fn what_runs_is_finished_before_another_desk_takes_over() {
    let place = Place::new();
    let mut agent = place.client(&[]);
    agent.call("workspace_new_document", json!({}));
    let (staged, failed) = agent.call("document_insert_at_cursor", json!({ "text": "Hello" }));
    assert!(!failed, "{staged}");
    let id = staged.split('"').find(|word| word.starts_with("sug_")).unwrap_or_else(|| panic!("{staged}"));
    let old = place.desk();
    let wait = json!({ "name": "suggestion_wait", "arguments": { "suggestionIds": [id], "seconds": 1 } });
    let asked = agent.begin("tools/call", wait);
    std::thread::sleep(Duration::from_millis(200));
    let mut newer = place.client(&["--desk-version", "9.0.0"]);
    assert!(lists_tools(&mut newer));
    let answer = agent.next();
    assert_eq!(answer["id"], asked);
    assert_eq!(answer["result"]["structuredContent"]["suggestions"][0]["status"], "pending", "{answer}");
    assert_ne!(place.desk(), old);
    assert!(lists_tools(&mut agent));
}

#[test]
fn serve_is_the_desk_while_it_runs() {
    let place = Place::new();
    let mut agent = place.client(&[]);
    let before = place.desk();
    let server = serve(&place, &[]);
    assert_eq!(place.desk(), server.id());
    within(5, "the desk before ends", || is_gone(before));
    assert!(lists_tools(&mut agent));
    // Neither a newer client nor another server drives it away.
    let mut newer = place.client(&["--desk-version", "9.0.0"]);
    assert!(lists_tools(&mut newer));
    let second = serve(&place, &[]);
    assert_eq!(place.desk(), server.id());
    assert!(end(second).contains("not the desk of other processes"));
    drop(newer);
    assert_eq!(end(server), "");
    assert!(lists_tools(&mut agent));
    assert_ne!(place.desk(), before);
}

#[test]
fn alone_means_alone() {
    let place = Place::new();
    let mut session = place.client(&["--alone"]);
    assert!(lists_tools(&mut session));
    assert!(!place.state().join("desk").exists());
    let server = serve(&place, &["--alone"]);
    assert!(!place.state().join("desk").exists());
    assert_eq!(end(server), "");
}

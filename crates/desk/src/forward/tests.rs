//! A client, and desks that come and go.

use std::{
    io::{BufRead as _, BufReader, PipeReader, PipeWriter, pipe},
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, Sender, channel},
};

use serde_json::{Value, json};

use super::*;

/// A client whose desks are played by the test.
struct Stage {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    /// Desks that will be found, or why there is none.
    desks: Sender<Result<UnixStream, String>>,
    copying: Option<thread::JoinHandle<io::Result<()>>>,
}

/// One desk, as the test plays it.
struct Desk {
    stream: UnixStream,
    read: BufReader<UnixStream>,
}

impl Desk {
    fn pair() -> (Self, UnixStream) {
        let (near, far) = UnixStream::pair().unwrap();
        near.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let read = BufReader::new(near.try_clone().unwrap());
        (Self { stream: near, read }, far)
    }

    /// What the desk was sent next.
    #[track_caller]
    fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.read.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn says(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").unwrap();
    }

    fn answers(&mut self, id: impl Into<Value>) {
        self.says(&json!({ "jsonrpc": "2.0", "id": id.into(), "result": {} }));
    }

    fn dies(self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Stage {
    fn begin() -> (Self, Desk) {
        let (desk, stream) = Desk::pair();
        let (read, input) = pipe().unwrap();
        let (output, write) = pipe().unwrap();
        let (desks, found): (_, Receiver<Result<UnixStream, String>>) = channel();
        let again = move || found.recv().map_err(|_| "nobody".to_owned())?.map(Stream::Socket);
        let copying = thread::spawn(move || copy(Stream::Socket(stream), again, read, write));
        let stage =
            Self { input: Some(input), output: BufReader::new(output), desks, copying: Some(copying) };
        (stage, desk)
    }

    fn says(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn asks(&mut self, id: impl Into<Value>, method: &str) {
        self.says(&json!({ "jsonrpc": "2.0", "id": id.into(), "method": method }));
    }

    fn calls(&mut self, id: impl Into<Value>, tool: &str) {
        let params = json!({ "name": tool, "arguments": {} });
        self.says(&json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params }));
    }

    #[track_caller]
    fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn next_desk(&self) -> Desk {
        let (desk, stream) = Desk::pair();
        self.desks.send(Ok(stream)).unwrap();
        desk
    }

    fn shake_hands(&mut self, desk: &mut Desk) {
        self.says(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "x": 1 } }));
        self.says(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!(desk.hears()["method"], "initialize");
        desk.answers(0);
        assert_eq!(desk.hears()["method"], "notifications/initialized");
        assert_eq!(self.hears()["id"], 0);
    }

    /// Hangs up, and sees that nothing more is said.
    #[track_caller]
    fn ends(mut self, mut desk: Desk) {
        self.input = None;
        let mut rest = String::new();
        desk.read.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        drop(desk);
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        self.copying.take().unwrap().join().unwrap().unwrap();
    }
}

fn code(answer: &Value) -> &str {
    answer["result"]["_meta"]["docwright/error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn lines_go_both_ways_as_they_are() {
    let (mut stage, mut desk) = Stage::begin();
    stage.says(&json!({ "id": 1, "method": "x", "params": { "text": "Grüße \n \u{1f600}" } }));
    assert_eq!(desk.hears()["params"]["text"], "Grüße \n \u{1f600}");
    desk.says(&json!({ "method": "notifications/progress" }));
    desk.answers(1);
    assert_eq!(stage.hears()["method"], "notifications/progress");
    assert_eq!(stage.hears()["id"], 1);
    writeln!(stage.input.as_mut().unwrap(), "not json").unwrap();
    let mut line = String::new();
    desk.read.read_line(&mut line).unwrap();
    assert_eq!(line, "not json\n");
    stage.ends(desk);
}

#[test]
fn the_next_desk_is_told_what_the_client_said_once() {
    let (mut stage, mut desk) = Stage::begin();
    stage.shake_hands(&mut desk);
    let subscribe = |uri: &str| json!({ "jsonrpc": "2.0", "id": uri, "method": "resources/subscribe", "params": { "uri": uri } });
    for uri in ["a:1", "a:2"] {
        stage.says(&subscribe(uri));
        desk.hears();
        desk.answers(uri);
        stage.hears();
    }
    stage.says(
        &json!({ "jsonrpc": "2.0", "id": 5, "method": "resources/unsubscribe", "params": { "uri": "a:1" } }),
    );
    desk.hears();
    desk.answers(5);
    stage.hears();

    let mut next = stage.next_desk();
    desk.dies();
    let opening = next.hears();
    assert_eq!((&opening["method"], &opening["params"]["x"]), (&json!("initialize"), &json!(1)));
    assert_eq!(next.hears()["method"], "notifications/initialized");
    let subscription = next.hears();
    assert_eq!(subscription["params"]["uri"], "a:2");
    // The client has these answers already. What changed meanwhile, nobody told it.
    let updated = stage.hears();
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "a:2");
    next.answers(opening["id"].clone());
    next.answers(subscription["id"].clone());
    stage.asks(6, "ping");
    assert_eq!(next.hears()["id"], 6);
    next.answers(6);
    assert_eq!(stage.hears()["id"], 6);
    stage.ends(next);
}

#[test]
fn reads_are_repeated_and_a_write_is_unknown() {
    let (mut stage, mut desk) = Stage::begin();
    stage.shake_hands(&mut desk);
    stage.calls(1, "read_file");
    stage.calls("two", "smart_edit");
    stage.asks(3, "tools/list");
    (0..3).for_each(|_| drop(desk.hears()));
    // What was answered is not asked again, and half an answer is none.
    desk.answers(3);
    assert_eq!(stage.hears()["id"], 3);
    write!(desk.stream, r#"{{"jsonrpc":"2.0","id":1,"res"#).unwrap();
    let mut next = stage.next_desk();
    desk.dies();
    let unknown = stage.hears();
    assert_eq!((&unknown["id"], code(&unknown)), (&json!("two"), "UNKNOWN_OUTCOME"));
    next.hears();
    next.hears();
    assert_eq!(next.hears()["id"], 1);
    next.answers(1);
    assert_eq!(stage.hears()["id"], 1);
    stage.ends(next);
}

#[test]
fn a_request_that_ends_every_desk_is_given_up() {
    let (mut stage, mut desk) = Stage::begin();
    stage.calls(1, "read_file");
    desk.hears();
    let mut next = stage.next_desk();
    desk.dies();
    assert_eq!(next.hears()["id"], 1);
    let mut last = stage.next_desk();
    next.dies();
    assert_eq!(code(&stage.hears()), "DESK_ENDED");
    stage.asks(2, "ping");
    assert_eq!(last.hears()["id"], 2);
    last.answers(2);
    stage.hears();
    stage.ends(last);
}

#[test]
fn a_desk_that_steps_down_says_what_it_took() {
    let (mut stage, mut desk) = Stage::begin();
    stage.shake_hands(&mut desk);
    stage.calls(1, "smart_edit");
    stage.calls(2, "smart_edit");
    (0..2).for_each(|_| drop(desk.hears()));
    let mut next = stage.next_desk();
    // The handshake's two lines and the first edit were taken.
    desk.answers(1);
    desk.says(&json!({ "taken": 3 }));
    assert_eq!(stage.hears()["id"], 1);
    next.hears();
    next.hears();
    assert_eq!(next.hears()["id"], 2);
    next.answers(2);
    assert_eq!(stage.hears()["id"], 2);
    stage.ends(next);
}

#[test]
fn without_a_desk_every_request_is_answered_and_it_is_tried_again() {
    let (mut stage, mut desk) = Stage::begin();
    stage.calls(1, "read_file");
    desk.hears();
    stage.desks.send(Err("it is late".to_owned())).unwrap();
    desk.dies();
    let answer = stage.hears();
    assert_eq!(code(&answer), "NO_DESK");
    assert!(answer.to_string().contains("it is late"));
    // At once there is no use in trying.
    stage.calls(2, "read_file");
    assert_eq!(code(&stage.hears()), "NO_DESK");
    thread::sleep(Duration::from_millis(1100));
    let mut next = stage.next_desk();
    stage.calls(3, "smart_edit");
    assert_eq!(next.hears()["id"], 3);
    next.answers(3);
    assert_eq!(stage.hears()["id"], 3);
    stage.ends(next);
}

#[test]
fn a_long_line_goes_in_pieces_and_is_not_done_if_its_desk_ends_within() {
    let (mut stage, mut desk) = Stage::begin();
    let call = |id: u64| {
        let text = "x".repeat(400_000);
        let params = json!({ "name": "smart_edit", "arguments": { "text": text } });
        json!({ "method": "tools/call", "params": params, "jsonrpc": "2.0", "id": id })
    };
    let mut input = stage.input.take().unwrap();
    let writing = thread::spawn(move || {
        writeln!(input, "{}", call(1)).unwrap();
        writeln!(input, "{}", call(2)).unwrap();
        input
    });
    assert_eq!(desk.hears()["id"], 1);
    desk.answers(1);
    assert_eq!(stage.hears()["id"], 1);
    desk.read.fill_buf().unwrap();
    let mut next = stage.next_desk();
    desk.dies();
    stage.input = Some(writing.join().unwrap());
    let answer = stage.hears();
    assert_eq!((&answer["id"], code(&answer)), (&json!(2), "DESK_ENDED"));
    stage.asks(3, "ping");
    assert_eq!(next.hears()["id"], 3);
    next.answers(3);
    stage.hears();
    stage.ends(next);
}

#[test]
fn the_last_answers_arrive_when_the_client_hangs_up() {
    let (mut stage, mut desk) = Stage::begin();
    stage.asks(1, "ping");
    // Without a line end.
    write!(stage.input.as_mut().unwrap(), r#"{{"id":2,"method":"ping"}}"#).unwrap();
    stage.input = None;
    assert_eq!((desk.hears()["id"].clone(), desk.hears()["id"].clone()), (json!(1), json!(2)));
    let mut rest = String::new();
    desk.read.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    desk.answers(1);
    desk.answers(2);
    assert_eq!(stage.hears()["id"], 1);
    assert_eq!(stage.hears()["id"], 2);
    stage.ends(desk);
}

//! The desk as a hostile caller and a good one meet it: bytes over its socket.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "these tests connect to a desk in a folder of their own")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use desk::{Ended, Hello, Listener, Options, Seats, Transport, Unseated, Why};
use mcp::{Choice, Connection, Offer, Server};
use serde_json::{Value, json};
use tokio::{sync::oneshot, task::JoinHandle};

/// Everybody but Mallory may sit down.
#[derive(Default)]
struct Room {
    left: AtomicUsize,
}

impl Seats for Room {
    fn seat(&self, hello: &Hello) -> Result<Connection, Unseated> {
        if hello.author == "Mallory" {
            return Err(Unseated { code: "NOT_YOU".into(), why: "not you".into() });
        }
        let caller = workspace::Caller { roots: Vec::new(), ..workspace::Caller::agent(&hello.author, "") };
        let documents = workspace::Desk::new(workspace::Config::default()).unwrap();
        let (place, offer) = (documents.seat(caller).unwrap(), Offer::new(&Choice::default()).unwrap());
        Ok(Connection::new(Arc::new(Server::new(documents)), Arc::new(offer), place))
    }

    fn left(&self, _: &Hello) {
        self.left.fetch_add(1, Ordering::SeqCst);
    }
}

struct Running {
    state: tempfile::TempDir,
    room: Arc<Room>,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<Ended>>,
}

async fn start(change: impl FnOnce(&mut Options)) -> Running {
    let state = tempfile::tempdir().unwrap();
    let mut options = Options::new("1.0.0");
    change(&mut options);
    let (folder, lock) = desk::take_over(state.path(), "1.0.0").unwrap();
    let listener = Listener::bind(folder, lock, Transport::Socket).await.unwrap();
    let (room, (stop, stopped)) = (Arc::new(Room::default()), oneshot::channel());
    let served = tokio::spawn(desk::serve(listener, room.clone(), options, async {
        let _ = stopped.await;
    }));
    Running { state, room, stop: Some(stop), served }
}

struct Caller {
    stream: UnixStream,
    read: BufReader<UnixStream>,
}

impl Caller {
    fn connect(state: &Path) -> Self {
        let stream = UnixStream::connect(state.join("desk/socket")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let read = BufReader::new(stream.try_clone().unwrap());
        Self { stream, read }
    }

    fn says(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").unwrap();
    }

    /// Nothing if the desk hung up.
    fn hears(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.read.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap()),
        }
    }

    fn asks(&mut self, message: &Value) -> Value {
        self.says(message);
        self.hears().expect("an answer")
    }
}

fn hello(author: &str) -> Value {
    json!({ "protocol": 1, "version": "1.0.0", "want": "seat", "caller": "c1", "role": "agent",
            "author": author, "roots": [], "program": "test", "pid": 7 })
}

/// What the desk answers to a first line.
fn answer(state: &Path, line: &Value) -> Value {
    Caller::connect(state).asks(line)
}

/// Sits down as soon as those who left are noticed to have.
fn seated(state: &Path, author: &str) -> Caller {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let mut caller = Caller::connect(state);
        // Whoever is turned away may be hung up on before it has said anything.
        let _ = writeln!(caller.stream, "{}", hello(author));
        match caller.hears() {
            Some(answer) if answer["answer"] == "welcome" => return caller,
            refused => assert!(Instant::now() < until, "{refused:?}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs what blocks beside the desk.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_say_who_it_is_is_hung_up_on() {
    let running = start(|options| options.hello_time = Duration::from_millis(200)).await;
    let state = running.state.path().to_owned();
    beside(move || {
        let began = Instant::now();
        assert_eq!(Caller::connect(&state).hears(), None);
        assert!(began.elapsed() < Duration::from_secs(5));

        let mut dripping = Caller::connect(&state);
        dripping.stream.write_all(b"{").unwrap();
        assert_eq!(dripping.hears(), None);

        let mut long = Caller::connect(&state);
        // The desk may hang up before all of it is written.
        let _ = long.stream.write_all(&vec![b'x'; 100_000]);
        assert_eq!(long.hears(), None);

        let refused = answer(&state, &json!("nonsense"));
        assert_eq!((&refused["answer"], &refused["code"]), (&json!("refused"), &json!("NOT_UNDERSTOOD")));
        let refused = answer(&state, &json!({ "protocol": 1, "version": "1.0.0", "want": "dance" }));
        assert_eq!(refused["code"], "NOT_UNDERSTOOD");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_say_nothing_keep_nobody_out() {
    let running = start(|options| (options.connections, options.silent) = (2, 3)).await;
    let state = running.state.path().to_owned();
    beside(move || {
        let mut silent: Vec<Caller> = (0..40).map(|_| Caller::connect(&state)).collect();
        let _ann = seated(&state, "Ann");
        // The first of them made room; they need not wait until their time is over.
        let began = Instant::now();
        assert_eq!(silent[0].hears(), None);
        assert!(began.elapsed() < Duration::from_secs(2));
        let _bob = seated(&state, "Bob");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_cannot_be_served_is_told_why() {
    let running = start(|_| {}).await;
    let (state, documents) = (running.state.path().to_owned(), tempfile::tempdir().unwrap());
    beside(move || {
        let mut elsewhere = hello("Ann");
        elsewhere["roots"] = json!([{ "path": documents.path(), "device": 1, "inode": 2 }]);
        assert_eq!(answer(&state, &elsewhere)["code"], "OTHER_FOLDERS");
        elsewhere["roots"] = json!([{ "path": documents.path().join("missing") }]);
        assert_eq!(answer(&state, &elsewhere)["code"], "OTHER_FOLDERS");
        elsewhere["roots"] = json!([{ "path": "relative" }]);
        assert_eq!(answer(&state, &elsewhere)["code"], "OTHER_FOLDERS");
        let refused = answer(&state, &hello("Mallory"));
        assert_eq!((&refused["code"], &refused["why"]), (&json!("NOT_YOU"), &json!("not you")));
    })
    .await;
    assert_eq!(running.room.left.load(Ordering::SeqCst), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_are_counted_and_told_of() {
    let running = start(|options| options.connections = 2).await;
    let state = running.state.path().to_owned();
    let room = running.room.clone();
    beside(move || {
        let mut ann = Caller::connect(&state);
        assert_eq!(ann.asks(&hello("Ann"))["answer"], "welcome");
        let status = answer(&state, &json!({ "protocol": 1, "version": "1.0.0", "want": "status" }));
        assert_eq!(status["callers"].as_array().unwrap().len(), 1, "{status}");
        assert_eq!(
            (&status["callers"][0]["author"], &status["callers"][0]["pid"]),
            (&json!("Ann"), &json!(7))
        );
        let _bob = seated(&state, "Bob");
        assert_eq!(answer(&state, &hello("Eve"))["code"], "FULL");
        drop(ann);
        seated(&state, "Eve");
        assert_eq!(room.left.load(Ordering::SeqCst), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_stays_serves_newer_callers_too() {
    let running = start(|options| options.steps_down = false).await;
    let state = running.state.path().to_owned();
    beside(move || {
        let step_down = json!({ "protocol": 1, "version": "1.0.0", "want": "stepDown" });
        assert_eq!(answer(&state, &step_down)["code"], "STAYS");
        let mut newer = hello("Ann");
        newer["version"] = json!("2.0.0");
        assert_eq!(answer(&state, &newer)["answer"], "welcome");
        newer["protocol"] = json!(2);
        assert_eq!(answer(&state, &newer)["code"], "NOT_UNDERSTOOD");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_steps_down_tells_what_it_took_and_gives_its_lock_up_last() {
    let running = start(|_| {}).await;
    let state = running.state.path().to_owned();
    let mut caller = {
        let state = state.clone();
        beside(move || {
            let mut caller = Caller::connect(&state);
            caller.asks(&hello("Ann"));
            let ping = caller.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
            assert_eq!(ping["id"], 1);
            let mut newer = hello("Bob");
            newer["version"] = json!("2.0.0");
            assert_eq!(answer(&state, &newer)["code"], "OLDER_DESK");
            let step_down = json!({ "protocol": 1, "version": "2.0.0", "want": "stepDown" });
            assert_eq!(answer(&state, &step_down)["answer"], "steppingDown");
            caller
        })
        .await
    };
    let ended = running.served.await.unwrap().unwrap();
    assert_eq!(ended.why, Why::SteppedDown);
    beside(move || {
        assert_eq!(caller.hears(), Some(json!({ "taken": 1 })));
        let mut rest = String::new();
        caller.read.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(!state.join("desk/socket").exists());
        let lock = std::fs::OpenOptions::new().write(true).open(state.join("desk/lock")).unwrap();
        assert!(lock.try_lock().is_err());
        drop(ended);
        lock.try_lock().unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_ends_when_nobody_comes_or_when_it_is_told_to() {
    let running = start(|options| options.linger = Some(Duration::from_millis(50))).await;
    assert_eq!(running.served.await.unwrap().unwrap().why, Why::Idle);
    let mut running = start(|options| options.linger = None).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    running.stop.take().unwrap().send(()).unwrap();
    assert_eq!(running.served.await.unwrap().unwrap().why, Why::Shutdown);
}

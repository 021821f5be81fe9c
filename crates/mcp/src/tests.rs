//! The protocol as a client sees it, in process: raw lines in, raw lines out.

mod callers;
mod catalogue;
mod documents;
mod handover;
mod operations;
mod review;
mod session;
mod word;

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};

use workspace::{Caller, Desk};

use crate::{
    About, Choice, Connection, Cx, Hints, Image, Limits, Offer, Output, Reply, Server, Set, Text, Tool,
    ToolError,
    stdio::{self, Handover},
};

/// A client that knows nothing of the SDK.
struct Client {
    write: WriteHalf<DuplexStream>,
    read: BufReader<ReadHalf<DuplexStream>>,
}

impl Client {
    /// Connects without saying anything.
    fn connect() -> Self {
        Self::connect_with(Limits::default(), &Choice::default())
    }

    fn connect_with(limits: Limits, choice: &Choice) -> Self {
        Self::connect_to(sample(choice), limits)
    }

    fn connect_to(connection: Connection, limits: Limits) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(far);
        tokio::spawn(async move { stdio::serve(connection, read, write, limits, Handover::default()).await });
        let (read, write) = tokio::io::split(near);
        Self { write, read: BufReader::new(read) }
    }

    /// Connects and initializes with a revision.
    async fn open(revision: &str) -> Self {
        let mut client = Self::connect();
        client.initialize(revision).await;
        client
    }

    async fn initialize(&mut self, revision: &str) -> Value {
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer =
            self.ask(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    async fn send_raw(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn send(&mut self, message: &Value) {
        self.send_raw(message.to_string().as_bytes()).await;
    }

    async fn next(&mut self) -> Value {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(10), self.read.read_line(&mut line)).await;
        read.expect("an answer in time").unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.send(&message).await;
        self.next().await
    }

    async fn call(&mut self, id: u64, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        self.ask(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await
    }

    async fn is_alive(&mut self) -> bool {
        self.ask(json!({"jsonrpc": "2.0", "id": "alive", "method": "tools/list"})).await["result"]["tools"]
            .is_array()
    }
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {answer}"))
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}

const READS: About = About { title: "Sample", sets: &[Set::Core, Set::Word], hints: Hints::READ };
const WRITES: About = About { title: "Sample", sets: &[Set::Core, Set::Sheet], hints: Hints::EDIT };
const GLANCES: About = About { title: "Sample", sets: &[Set::Core], hints: Hints::GLANCE };
const ASIDE: About = About { title: "Sample", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Says it back.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Say {
    /// What to say.
    text: String,
    #[schemars(range(min = 1, max = 3))]
    times: Option<u8>,
    #[expect(dead_code, reason = "only its name matters")]
    window_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Said {
    said: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Works for a while.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Work {
    steps: u32,
    pause: u64,
}

/// Answers at length.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Long {
    bytes: usize,
    #[expect(dead_code, reason = "only its name matters")]
    offset: Option<usize>,
}

/// A caller that may use no files, with tools of its own.
fn sample(choice: &Choice) -> Connection {
    let caller = Caller { roots: Vec::new(), ..Caller::agent("Tester", "") };
    let desk = Desk::new(workspace::Config::default()).unwrap();
    connect(&Arc::new(Server::new(desk)), Offer::of(choice, sample_tools()).unwrap(), caller)
}

fn connect(server: &Arc<Server>, offer: Offer, caller: Caller) -> Connection {
    let workspace = server.desk.seat(caller).unwrap();
    Connection::new(server.clone(), Arc::new(offer), workspace)
}

/// All tools there are.
fn everything() -> Offer {
    Offer::new(&Choice { tools: vec!["all".to_owned()], ..Choice::default() }).unwrap()
}

fn sample_tools() -> Vec<Tool> {
    vec![
        Tool::new("say", READS, |_: &Cx<'_>, input: Say| {
            Ok(Said { said: input.text.repeat(input.times.unwrap_or(1).into()), note: None })
        }),
        Tool::new("list", READS, |_: &Cx<'_>, _: Nothing| Ok(vec!["a", "b"])),
        Tool::new("read", READS, |_: &Cx<'_>, _: Nothing| Ok(Text("# Title\n".to_owned()))),
        Tool::new("fail", WRITES, |_: &Cx<'_>, _: Nothing| -> Result<Said, ToolError> {
            panic!("the floor gave way")
        }),
        Tool::new("change", WRITES, |cx: &Cx<'_>, _: Nothing| {
            cx.workspace.new_window();
            Ok(Said { said: "changed".to_owned(), note: None })
        }),
        Tool::new("picture", READS, |_: &Cx<'_>, _: Nothing| {
            let mut reply = Said { said: "a picture".to_owned(), note: None }.reply()?;
            reply.images.push(Image { base64: "iVBORw0KGgo=".to_owned(), mime: "image/png" });
            Ok::<Reply, ToolError>(reply)
        }),
        Tool::new("long", READS, |_: &Cx<'_>, input: Long| Ok(Text("x".repeat(input.bytes)))),
        Tool::new("work", READS, |cx: &Cx<'_>, input: Work| {
            for step in 0..input.steps {
                cx.cancel.check()?;
                cx.progress.report(step.into(), Some(input.steps.into()), Some("working"));
                std::thread::sleep(Duration::from_millis(input.pause));
            }
            Ok(Said { said: "done".to_owned(), note: None })
        }),
        Tool::new("stumble", GLANCES, |_: &Cx<'_>, _: Nothing| -> Result<Said, ToolError> {
            panic!("the step was higher")
        }),
        Tool::new("where", GLANCES, |_: &Cx<'_>, _: Nothing| {
            Ok(Text(format!("{:?}", std::thread::current().id())))
        }),
        Tool::new("aside", ASIDE, |_: &Cx<'_>, _: Nothing| Ok(Text(String::new()))),
    ]
}

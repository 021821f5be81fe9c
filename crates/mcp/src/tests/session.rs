//! Sessions: opening one in each revision, and everything that may go wrong in it.

use super::*;

const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

pub(super) fn stateless(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[tokio::test]
async fn every_handshake_revision_is_spoken() {
    for revision in HANDSHAKE {
        let mut client = Client::connect();
        let answer = client.initialize(revision).await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(answer["result"]["serverInfo"]["name"], "docwright");
        assert!(answer["result"]["instructions"].as_str().unwrap().starts_with("Docwright works on"));
        let said = client.call(1, "say", json!({"text": "a"})).await;
        assert_eq!(said["result"]["structuredContent"], json!({"said": "a"}));
        assert_eq!(said["result"].get("resultType"), None, "older clients do not know the field");
    }
}

#[tokio::test]
async fn a_revision_nobody_knows_is_answered_with_the_newest_that_has_a_handshake() {
    for asked in ["2019-01-01", "2026-07-28", "nonsense"] {
        let mut client = Client::connect();
        let answer = client.initialize(asked).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{asked}");
        let said = client.call(1, "say", json!({"text": "a"})).await;
        assert_eq!(said["result"].get("resultType"), None, "{asked}");
    }
}

#[tokio::test]
async fn the_stateless_revision_needs_no_handshake() {
    let mut client = Client::connect();
    let answer =
        client.ask(stateless(1, "tools/call", json!({"name": "say", "arguments": {"text": "a"}}))).await;
    assert_eq!(answer["result"]["structuredContent"]["said"], "a");
    assert_eq!(answer["result"]["resultType"], "complete");
    let list = client.ask(stateless(2, "tools/list", json!({}))).await;
    assert!(list["result"]["ttlMs"].is_number(), "{list}");
}

#[tokio::test]
async fn discovery_leaves_both_ways_open() {
    let mut client = Client::connect();
    let found = client.ask(stateless(1, "server/discover", json!({}))).await;
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    for revision in HANDSHAKE.iter().chain(&["2026-07-28"]) {
        assert!(versions.contains(&json!(revision)), "{found}");
    }
    // Some clients discover and then shake hands all the same.
    assert_eq!(client.initialize("2025-11-25").await["result"]["protocolVersion"], "2025-11-25");
    assert!(client.is_alive().await);

    let mut client = Client::connect();
    client.ask(stateless(1, "server/discover", json!({}))).await;
    let answer = client.ask(stateless(2, "tools/call", json!({"name": "list"}))).await;
    assert_eq!(answer["result"]["structuredContent"], json!({"result": ["a", "b"]}));
}

#[tokio::test]
async fn noise_before_the_session_is_opened_does_not_end_it() {
    let mut client = Client::connect();
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {}})).await;
    assert_eq!(code(&client.ask(json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list"})).await), -32602);
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}))
        .await;
    assert!(client.ask(json!({"jsonrpc": "2.0", "id": 6, "method": "ping"})).await["result"].is_object());
    assert_eq!(client.initialize("2025-06-18").await["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test]
async fn what_cannot_be_read_is_answered() {
    let mut client = Client::connect_with(Limits { message_bytes: 5000, depth: 20 }, &Choice::default());
    client.initialize("2025-11-25").await;

    client.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,").await;
    let answer = client.next().await;
    assert_eq!((code(&answer), &answer["id"]), (-32700, &json!(1)));

    client.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/\xc3\x28\"}").await;
    let answer = client.next().await;
    assert_eq!((code(&answer), &answer["id"]), (-32700, &json!(2)));

    let deep = format!(
        r#"{{"id":3,"jsonrpc":"2.0","method":"ping","params":{}{}}}"#,
        "[".repeat(90),
        "]".repeat(90)
    );
    client.send_raw(deep.as_bytes()).await;
    let answer = client.next().await;
    assert_eq!((code(&answer), &answer["id"]), (-32700, &json!(3)));

    // The id comes last in what some clients write.
    let long =
        format!(r#"{{"method":"ping","params":{{"pad":"{}"}},"jsonrpc":"2.0","id":4}}"#, "x".repeat(300_000));
    client.send_raw(long.as_bytes()).await;
    let answer = client.next().await;
    assert_eq!((code(&answer), &answer["id"]), (-32600, &json!(4)));
    assert_eq!(answer["error"]["message"], "Message is longer than 5000 bytes; it was not read");

    client.send_raw(b"").await;
    client.send_raw(b"  \r").await;
    client.send_raw(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\r").await;
    assert_eq!(client.next().await["id"], 5);

    client.send_raw(b"nonsense").await;
    let answer = client.next().await;
    assert_eq!((code(&answer), &answer["id"]), (-32700, &Value::Null));
    assert!(client.is_alive().await);
}

#[tokio::test]
async fn what_is_no_proper_request_is_answered_with_the_proper_code() {
    let mut client = Client::open("2025-11-25").await;
    assert_eq!(
        code(&client.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}})).await),
        -32602
    );
    assert_eq!(code(&client.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "no/such"})).await), -32601);
    assert_eq!(code(&client.ask(json!({"jsonrpc": "1.0", "id": 1, "method": "ping"})).await), -32600);
    assert_eq!(code(&client.ask(json!("ping")).await), -32600);
    assert_eq!(code(&client.ask(json!([])).await), -32600);

    let unknown = client.call(2, "sya", json!({})).await;
    assert_eq!(code(&unknown), -32602);
    assert_eq!(unknown["error"]["message"], "Unknown tool: sya. Did you mean say?");
    let left_out = client.call(3, "aside", json!({})).await;
    assert_eq!(
        left_out["error"]["message"],
        "Unknown tool: aside. It exists, but is not switched on; start the server with --tools markdown."
    );
    let resource = json!({"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "docwright://giude"}});
    let answer = client.ask(resource).await;
    assert_eq!(code(&answer), -32002);
    assert_eq!(
        answer["error"]["message"],
        "Unknown resource: docwright://giude. Did you mean docwright://guide?"
    );
}

#[tokio::test]
async fn fixable_arguments_are_a_result_and_not_a_protocol_error() {
    let mut client = Client::open("2025-11-25").await;
    let answer = client.call(1, "say", json!({"txt": "a", "times": 9})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"].get("structuredContent"), None);
    assert_eq!(
        text(&answer),
        "INVALID_ARGUMENT: 3 problems in the arguments of say:\n\
         - `text` is required (What to say)\n\
         - `times` must be from 1 to 3, found 9\n\
         - `txt` is not a parameter; did you mean `text`? Valid: `text`, `times`, `windowId`\n \
         Nothing was changed."
    );
    assert_eq!(answer["result"]["_meta"]["docwright/error"]["code"], "INVALID_ARGUMENT");
    let fine = client.call(2, "say", json!({"text": "ab", "times": 2.0, "windowId": null})).await;
    assert_eq!(fine["result"]["structuredContent"]["said"], "abab");
}

#[tokio::test]
async fn text_and_structured_content_say_the_same() {
    let mut client = Client::open("2025-11-25").await;
    let said = client.call(1, "say", json!({"text": "a"})).await;
    assert_eq!(serde_json::from_str::<Value>(text(&said)).unwrap(), said["result"]["structuredContent"]);
    let list = client.call(2, "list", json!({})).await;
    assert_eq!(text(&list), r#"["a","b"]"#);
    assert_eq!(list["result"]["structuredContent"], json!({"result": ["a", "b"]}));
    let read = client.call(3, "read", json!({})).await;
    assert_eq!(text(&read), "# Title\n");
    assert_eq!(read["result"].get("structuredContent"), None);
    let picture = client.call(4, "picture", json!({})).await;
    assert_eq!(picture["result"]["content"][1]["mimeType"], "image/png");
    assert_eq!(picture["result"].get("structuredContent"), None);
}

#[tokio::test]
async fn an_answer_that_would_be_cut_says_so_instead() {
    let mut client = Client::open("2025-11-25").await;
    assert_eq!(text(&client.call(1, "long", json!({"bytes": 90_000})).await).len(), 90_000);
    let answer = client.call(2, "long", json!({"bytes": 90_001})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        text(&answer),
        "RESULT_TOO_LARGE: the answer of long has 90001 bytes, at most 90000 are sent. Nothing was changed.\n\
         Hint: pass `offset` and a smaller `limit`"
    );
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_server_lives_on() {
    let mut client = Client::open("2025-11-25").await;
    let answer = client.call(1, "fail", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).starts_with("INTERNAL_ERROR: the call failed unexpectedly: the floor gave way."));
    assert!(client.is_alive().await);
}

#[tokio::test]
async fn a_glance_is_answered_on_the_readers_thread_unless_another_call_runs() {
    let mut client = Client::open("2025-11-25").await;
    let here = format!("{:?}", std::thread::current().id());
    assert_eq!(text(&client.call(1, "where", json!({})).await), here);
    let answer = client.call(2, "stumble", json!({})).await;
    assert!(text(&answer).starts_with("INTERNAL_ERROR: the call failed unexpectedly: the step was higher."));
    let work = json!({"name": "work", "arguments": {"steps": 3, "pause": 100}});
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": work})).await;
    assert_ne!(text(&client.call(4, "where", json!({})).await), here);
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_free_again_afterwards() {
    let mut client = Client::open("2025-11-25").await;
    let call = |name, arguments| json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    client.send(&call("work", json!({"steps": 3, "pause": 100}))).await;
    let second = client.ask(call("list", json!({}))).await;
    assert_eq!((code(&second), &second["id"]), (-32600, &json!(7)));
    assert_eq!(text(&client.next().await), r#"{"said":"done"}"#);
    assert_eq!(text(&client.ask(call("list", json!({}))).await), r#"["a","b"]"#);
}

#[tokio::test]
async fn cancelling_reaches_the_tool_and_silences_its_answer() {
    let mut client = Client::open("2025-11-25").await;
    let params = json!({"name": "work", "arguments": {"steps": 1_000_000, "pause": 5}});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    assert!(client.is_alive().await);
    // The runtime waits for its blocking threads when the test ends, so a tool that went on would hang here.
}

#[tokio::test]
async fn progress_is_sent_only_on_request_and_only_upwards() {
    let mut client = Client::open("2025-11-25").await;
    let silent = client.call(1, "work", json!({"steps": 5, "pause": 1})).await;
    assert_eq!(silent["id"], 1);

    let params =
        json!({"name": "work", "arguments": {"steps": 60, "pause": 5}, "_meta": {"progressToken": "p"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})).await;
    let mut reports = Vec::new();
    loop {
        let message = client.next().await;
        if message["id"] == 2 {
            break;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p");
        reports.push(message["params"]["progress"].as_f64().unwrap());
    }
    assert!(reports.is_sorted_by(|a, b| a < b), "{reports:?}");
    assert!((2..=10).contains(&reports.len()), "60 steps in 300 ms are rate-limited: {reports:?}");
}

#[tokio::test]
async fn a_batch_is_answered_as_one_in_the_revision_that_has_them() {
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "work", "arguments": {"steps": 2, "pause": 20}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {}},
    ]);
    let mut client = Client::open("2025-03-26").await;
    let answers = client.ask(batch.clone()).await;
    let mut ids: Vec<i64> =
        answers.as_array().unwrap().iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    client.send(&json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}])).await;
    assert!(client.is_alive().await);

    let mut client = Client::open("2025-06-18").await;
    assert_eq!(code(&client.ask(batch).await), -32600);
    assert!(client.is_alive().await);
}

#[tokio::test]
async fn subscribers_hear_of_changes() {
    let mut client = Client::open("2025-11-25").await;
    let subscribe = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "docwright://guide"}});
    assert!(client.ask(subscribe).await["result"].is_object());
    let change = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "change"}});
    client.send(&change).await;
    let mut methods = [client.next().await, client.next().await].map(|message| message["method"].clone());
    methods.sort_by_key(Value::is_null);
    assert_eq!(methods, [json!("notifications/resources/updated"), Value::Null]);

    let mut client = Client::connect();
    let filter = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["docwright://guide", "no://such"]}});
    let acknowledged = client.ask(stateless(1, "subscriptions/listen", filter)).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"resourceSubscriptions": ["docwright://guide"]})
    );
    client.send(&stateless(2, "tools/call", json!({"name": "change"}))).await;
    let mut methods = [client.next().await, client.next().await].map(|message| message["method"].clone());
    methods.sort_by_key(Value::is_null);
    assert_eq!(methods, [json!("notifications/resources/updated"), Value::Null]);
}

#[tokio::test]
async fn prompts_are_filled_in() {
    let mut client = Client::open("2025-11-25").await;
    let get = |id: u64, arguments: Value| {
        let params = json!({"name": "careful_edit", "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": params})
    };
    let answer = client.ask(get(1, json!({"path": "a.docx", "request": "Fix the date"}))).await;
    let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("Change the file a.docx as follows: Fix the date\n"), "{text}");
    assert!(!text.contains('{'), "{text}");
    assert_eq!(code(&client.ask(get(2, json!({"path": "a.docx"}))).await), -32602);
}

#[tokio::test]
async fn the_last_answers_arrive_when_the_client_hangs_up() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    let connection = sample(&Choice::default());
    let served = tokio::spawn(async move {
        stdio::serve(connection, read, write, Limits::default(), Handover::default()).await
    });
    let (mut answers, mut write) = tokio::io::split(near);
    // Without a line end, as `printf '{' | docwright mcp` sends it.
    write.write_all(b"{").await.unwrap();
    write.shutdown().await.unwrap();
    served.await.unwrap().unwrap();
    let mut text = String::new();
    tokio::io::AsyncReadExt::read_to_string(&mut answers, &mut text).await.unwrap();
    assert!(text.contains("-32700"), "{text}");
}

//! What clients notice when the desk ends, and what they do not.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{Place, is_gone, lists_tools, signal, within};

fn code(answer: &Value) -> &str {
    answer["result"]["_meta"]["docwright/error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn the_next_call_is_answered_by_another_desk() {
    for more in [&[][..], &["--desk-loopback"]] {
        let place = Place::new();
        let (mut one, mut two) = (place.client(more), place.client(more));
        for name in ["-KILL", "-TERM", "-KILL"] {
            let desk = place.desk();
            signal(name, desk);
            assert!(lists_tools(&mut one) && lists_tools(&mut two), "{name}");
            within(5, "the desk ends", || is_gone(desk));
            assert_ne!(place.desk(), desk);
        }
    }
}

#[test]
fn what_was_asked_is_read_again_and_a_write_is_reported_as_unknown() {
    let place = Place::new();
    let mut session = place.client(&[]);
    let desk = place.desk();
    // It has the requests and does not get to answer them.
    signal("-STOP", desk);
    let call = |name: &str| json!({ "name": name, "arguments": {} });
    let info = session.begin("tools/call", call("workspace_get_info"));
    let made = session.begin("tools/call", call("workspace_new_document"));
    let list = session.begin("tools/list", json!({}));
    std::thread::sleep(Duration::from_millis(200));
    signal("-KILL", desk);
    let mut answers: Vec<Value> = (0..3).map(|_| session.next()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), [info, made, list]);
    assert_eq!(answers[0]["result"]["isError"], false, "{}", answers[0]);
    assert_eq!(code(&answers[1]), "UNKNOWN_OUTCOME");
    assert_eq!(answers[1]["result"]["isError"], true);
    assert!(answers[2]["result"]["tools"].is_array());
    // Nothing was answered twice, and the edit was not made again.
    let windows = session.ask("tools/call", call("workspace_list_windows"));
    assert!(!windows.to_string().contains("Untitled"), "{windows}");
}

#[test]
fn subscriptions_go_on() {
    let place = Place::new();
    let mut session = place.client(&["--auto-approve"]);
    let listed = session.ask("resources/list", json!({}));
    let uri = listed["result"]["resources"][0]["uri"].clone();
    assert!(session.ask("resources/subscribe", json!({ "uri": uri }))["result"].is_object());
    let desk = place.desk();
    signal("-KILL", desk);
    within(5, "the desk ends", || is_gone(desk));
    let made = session.begin("tools/call", json!({ "name": "workspace_new_document", "arguments": {} }));
    let (first, second) = (session.next(), session.next());
    let methods = [&first, &second].map(|message| message["method"].as_str().unwrap_or("answer"));
    assert!(methods.contains(&"notifications/resources/updated"), "{first} {second}");
    assert!([&first, &second].iter().any(|message| message["id"] == made), "{first} {second}");
}

#[test]
fn without_a_desk_every_request_says_why() {
    let place = Place::new();
    let mut session = place.client(&[]);
    let desk = place.desk();
    let folder = place.state().join("desk");
    let mode = |mode| {
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("its mode");
    };
    mode(0o755);
    signal("-KILL", desk);
    within(5, "the desk ends", || is_gone(desk));
    let call = json!({ "name": "workspace_new_document", "arguments": {} });
    let answer = session.ask("tools/call", call.clone());
    assert_eq!(code(&answer), "NO_DESK");
    assert!(answer.to_string().contains("can be entered by others"), "{answer}");
    mode(0o700);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(session.ask("tools/call", call)["result"]["isError"], false);
}

#[test]
fn a_client_that_is_killed_leaves_the_desk_to_others() {
    let place = Place::new();
    let mut stays = place.client(&[]);
    let mut command = place.command(&[]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let mut goes = command.spawn().expect("the client starts");
    writeln!(goes.stdin.as_mut().expect("its input"), "{{}}").expect("it reads");
    within(5, "both are there", || place.doctor().contains(&format!("process {}", goes.id())));
    goes.kill().expect("it is there");
    goes.wait().expect("an end");
    within(5, "one has left", || !place.doctor().contains(&format!("process {}", goes.id())));
    assert!(lists_tools(&mut stays));
}

/// Kilobytes of the process that are its own, or that it ever had in memory.
fn memory(pid: u32, file: &str, field: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).expect("its memory");
    let line = text.lines().find(|line| line.starts_with(field)).expect("the field");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn a_message_of_any_length_costs_the_client_no_memory() {
    let place = Place::new();
    let mut session = place.client(&[]);
    assert!(lists_tools(&mut session));
    let before = memory(session.pid(), "status", "VmHWM:");
    let long = json!({ "name": "workspace_get_info", "arguments": { "text": "x".repeat(20 << 20) } });
    let answer = session.ask("tools/call", long);
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    let after = memory(session.pid(), "status", "VmHWM:");
    assert!(after < before + 1024, "{before} kB, then {after} kB");
    assert!(lists_tools(&mut session));
    // A debug build has more to relocate than a release has in all.
    let own = memory(session.pid(), "smaps_rollup", "Anonymous:");
    assert!(own < 8 * 1024, "{own} kB");
}

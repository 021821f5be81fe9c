//! What the prompts about workbooks show, run as it stands there.

use serde_json::json;

use crate::client::Client;

#[test]
fn every_example_of_the_prompts_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(crate::binary::root().join("samples/budget.xlsx"), folder.path().join("budget.xlsx"))
        .expect("the sample is there");
    let mut client = Client::start(folder.path(), &[]);
    for name in ["xlsx-code-mode", "xlsx-verify"] {
        let prompt = client.ask("prompts/get", json!({ "name": name }));
        let text = prompt["messages"][0]["content"]["text"].as_str().expect("a text").to_owned();
        let examples: Vec<&str> =
            text.split("```js\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(examples.len() > 3, "{name}: {prompt}");
        for code in examples {
            let arguments = json!({ "path": "budget.xlsx", "code": code });
            let reply = client.ask("tools/call", json!({ "name": "xlsx_exec", "arguments": arguments }));
            let told = reply["content"][0]["text"].as_str().expect("a text");
            let told: serde_json::Value = serde_json::from_str(told).expect("JSON");
            assert_eq!(told["ok"], true, "{code}\n{told}");
            assert!(!told["execution"]["result"].is_null(), "{code}\n{told}");
        }
    }
    let declared = client.ask("resources/read", json!({ "uri": "docwright://xlsx/declarations" }));
    let declared = declared["contents"][0]["text"].as_str().expect("a text");
    assert!(declared.contains("lint(") && declared.contains("setCells("), "{declared}");
}

#[test]
fn a_result_that_is_not_kept_is_drawn_on_request_only() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(crate::binary::root().join("samples/budget.xlsx"), folder.path().join("budget.xlsx"))
        .expect("the sample is there");
    let mut client = Client::start(folder.path(), &[]);
    let mut ask = |what_if: bool| {
        let arguments = json!({
            "path": "budget.xlsx", "code": "return 1", "render": { "range": "Inputs" }, "render_what_if": what_if,
        });
        client.ask("tools/call", json!({ "name": "xlsx_exec", "arguments": arguments }))
    };
    assert_eq!(ask(false)["isError"], true);
    let drawn = ask(true);
    assert_eq!(drawn["content"][1]["type"], "image", "{drawn}");
    assert!(drawn["content"][0]["text"].as_str().is_some_and(|text| text.contains("not kept")), "{drawn}");
}

//! `mcp_word__editTask` and `ask` on a real document.

use std::{fs, path::Path};

use super::*;

pub(super) fn desk(root: &Path) -> Client {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/contract.docx");
    fs::copy(sample, root.join("contract.docx")).unwrap();
    let server = Arc::new(Server::new(Desk::new(workspace::Config::default()).unwrap()));
    Client::connect_to(connect(&server, everything(), Caller::agent("Agent", root)), Limits::default())
}

/// One operation; `isError` and `ok` must agree.
async fn op(client: &mut Client, id: u64, name: &str, args: Value) -> Value {
    let meta = json!({"type": "word.op", "op": name, "version": "1.0", "args": args});
    task(client, id, json!({"content": name, "meta": meta.to_string(), "filePath": "contract.docx"})).await
}

async fn task(client: &mut Client, id: u64, arguments: Value) -> Value {
    let answer = client.call(id, "mcp_word__editTask", arguments).await;
    let said: Value = serde_json::from_str(text(&answer)).unwrap_or_else(|_| panic!("{answer}"));
    assert_eq!(said, answer["result"]["structuredContent"]);
    assert_eq!(answer["result"]["isError"].as_bool().unwrap_or(false), said["ok"] != json!(true), "{answer}");
    said
}

#[tokio::test]
async fn operations_chain_by_the_ids_they_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;

    let found =
        op(&mut client, 1, "search", json!({"query": "the", "matchWholeWord": true, "maxResults": 3})).await;
    let results = found["data"]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3, "{found}");
    let ids: Vec<String> = results.iter().map(|hit| hit["rangeId"].as_str().unwrap().to_owned()).collect();

    let bold = json!({"scope": format!("rangeId:{}", ids[1]), "char": {"bold": true, "color": "#333333"}});
    assert_eq!(op(&mut client, 2, "applyStyle", bold).await["ok"], true);
    let inserted = json!({"scope": format!("rangeId:{}", ids[0]), "location": "before", "text": "NEW "});
    let inserted = op(&mut client, 3, "insertText", inserted).await;
    assert_eq!(inserted["data"]["length"], 4);
    // The other ranges were carried over both changes.
    let select = json!({"scope": format!("rangeId:{}", ids[2])});
    let selected = op(&mut client, 4, "setSelection", select).await;
    assert_eq!(selected["data"]["text"].as_str().unwrap().to_lowercase(), "the", "{selected}");
    let got = op(&mut client, 5, "getSelection", json!({})).await;
    assert_eq!(got["data"]["text"], selected["data"]["text"]);

    let table = op(
        &mut client,
        6,
        "table.create",
        json!({"rows": 2, "cols": 2, "scope": "document", "where": "append", "header": true}),
    )
    .await;
    let table = format!("tableId:{}", table["data"]["tableId"].as_str().unwrap());
    let rows = op(&mut client, 7, "table.insertRows", json!({"tableRef": table, "at": 0, "count": 2})).await;
    assert_eq!((&rows["data"]["rows"], &rows["data"]["cols"]), (&json!(4), &json!(2)), "{rows}");
    let cell = json!({"tableRef": table, "row": 3, "col": 1, "text": "Title"});
    assert_eq!(op(&mut client, 8, "table.setCellText", cell).await["ok"], true);
    let title = op(&mut client, 9, "search", json!({"query": "Title", "matchCase": true})).await;
    assert!(!title["data"]["results"].as_array().unwrap().is_empty());
    let none = op(&mut client, 10, "search", json!({"query": "no such words"})).await;
    assert_eq!((&none["ok"], &none["data"]["results"]), (&json!(true), &json!([])));
}

#[tokio::test]
async fn wrong_operations_have_their_codes_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let start = op(
        &mut client,
        1,
        "replace",
        json!({"target": "searchQuery", "query": "no such words", "replaceWith": "x"}),
    )
    .await;
    assert_eq!(start["data"]["replaced"], 0);
    let cases = [
        ("insertText", json!({}), "E_INVALID_ARG"),
        ("insertText", json!({"text": "x", "scope": "rangeId:nobody"}), "E_NOT_FOUND"),
        ("insertText", json!({"text": "x", "scope": "rangeId:rng_00"}), "E_NOT_FOUND"),
        ("table.insertRows", json!({"tableRef": "tableId:rng_00", "at": 0, "count": 1}), "E_NOT_FOUND"),
        ("search", json!({"query": "(", "useRegex": true}), "E_INVALID_ARG"),
        ("insertPicture", json!({"source": "url", "data": "https://example.com/logo.png"}), "E_PERMISSION"),
        ("insertPicture", json!({"source": "base64", "data": "PHN2Zy8+"}), "E_INVALID_ARG"),
        ("applyStyle", json!({"namedStyle": "No Such Style", "scope": "document"}), "E_NOT_FOUND"),
        ("applyStyle", json!({"char": {"fontSize": 0}}), "E_INVALID_ARG"),
        ("dance", json!({}), "E_UNSUPPORTED"),
    ];
    for (number, (name, args, code)) in cases.into_iter().enumerate() {
        let said = op(&mut client, 10 + number as u64, name, args.clone()).await;
        assert_eq!(
            (&said["ok"], &said["code"], &said["op"]),
            (&json!(false), &json!(code), &json!(name)),
            "{name} {args}: {said}"
        );
        assert!(!said["diagnostics"][0]["msg"].as_str().unwrap().is_empty());
    }
    let end = op(
        &mut client,
        50,
        "replace",
        json!({"target": "searchQuery", "query": "no such words", "replaceWith": "x"}),
    )
    .await;
    assert_eq!(end["data"]["revision"], start["data"]["revision"]);
    let missing = task(
        &mut client,
        51,
        json!({"content": "x", "action": "append", "filePath": "missing.docx", "taskId": "t-1"}),
    )
    .await;
    assert_eq!((&missing["code"], &missing["taskId"]), (&json!("E_NOT_FOUND"), &json!("t-1")));
}

#[tokio::test]
async fn the_simple_form_tracking_suggesting_and_trying() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let file = |more: Value| {
        let mut arguments = json!({"filePath": "contract.docx"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let tried = file(
        json!({"action": "append", "content": "Thanks", "target": "document", "dryRun": true, "taskId": "a"}),
    );
    let tried = task(&mut client, 1, tried).await;
    assert_eq!((&tried["op"], &tried["taskId"]), (&json!("insertText"), &json!("a")));
    assert!(tried["data"].get("rangeId").is_none(), "{tried}");
    let staged =
        file(json!({"action": "append", "content": "Thanks", "target": "document", "track": "suggest"}));
    let staged = task(&mut client, 2, staged).await;
    assert!(staged["data"]["suggestionId"].as_str().unwrap().starts_with("sug_"), "{staged}");
    assert_eq!(staged["data"]["revision"], tried["data"]["revision"]);
    let tracked = file(json!({"action": "append", "content": "Thanks", "target": "document", "track": "on"}));
    let tracked = task(&mut client, 3, tracked).await;
    assert!(tracked["data"]["rangeId"].as_str().unwrap().starts_with("rng_"), "{tracked}");
    assert_ne!(tracked["data"]["revision"], tried["data"]["revision"]);
    let as_object = file(
        json!({"content": "look", "meta": {"type": "word.op", "op": "listStyles", "version": "1.0", "args": {"category": "table"}}}),
    );
    let styles = task(&mut client, 4, as_object).await;
    assert!(
        styles["data"]["tableStyles"].as_array().unwrap().iter().any(|style| style["name"] == "Table Grid")
    );
}

#[tokio::test]
async fn a_plain_request_becomes_operations_or_is_handed_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let request = "Append a new paragraph 'Thanks'. Then make 'Thanks' bold.";
    let done = client.call(1, "ask", json!({"request": request, "file_path": "contract.docx"})).await;
    let done = &done["result"]["structuredContent"];
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(done["operations"][0]["meta"]["op"], "insertText");
    assert!(done["operations"][1]["data"]["rangeId"].is_string(), "{done}");
    let unclear = client
        .call(2, "ask", json!({"request": "Fold the page in half.", "file_path": "contract.docx"}))
        .await;
    let unclear = &unclear["result"]["structuredContent"];
    assert_eq!((&unclear["ok"], &unclear["operations"]), (&json!(false), &json!([])), "{unclear}");
    assert!(unclear["not_understood"][0]["text"].as_str().unwrap().contains("old the page"));
    let failed = client.call(3, "ask", json!({"request": "Append a new paragraph 'More'. Then make 'nowhere at all' bold.", "file_path": "contract.docx"})).await;
    assert_eq!(failed["result"]["isError"], true, "{failed}");
    let more =
        op(&mut client, 4, "search", json!({"query": "More", "matchCase": true, "matchWholeWord": true}))
            .await;
    assert_eq!(more["data"]["results"], json!([]), "what was done before the failure is undone");
}

//! People decide while agents wait, over the tools of the `review` set.

use super::callers::Hall;
use super::*;

fn review() -> Offer {
    Offer::new(&Choice { tools: vec!["review".to_owned()], ..Choice::default() }).unwrap()
}

impl Hall {
    /// A person with the tools to decide, and everything in reach.
    async fn person(&self, name: &str) -> Client {
        let connection = connect(&self.server, review(), Caller::person(name, "/"));
        let mut client = Client::connect_to(connection, Limits::default());
        client.initialize("2025-11-25").await;
        client
    }
}

fn structured(answer: &Value) -> &Value {
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    &answer["result"]["structuredContent"]
}

/// Where the documents are that a list tells of, by their titles.
fn titled<'a>(list: &'a Value, title: &str) -> &'a Value {
    let documents = structured(list)["documents"].as_array().unwrap();
    documents.iter().find(|document| document["title"] == title).unwrap_or_else(|| panic!("{title}: {list}"))
}

#[test]
fn the_set_is_offered_by_name_only() {
    let names = |set: &str| -> Vec<&'static str> {
        let choice = Choice { tools: vec![set.to_owned()], ..Choice::default() };
        Offer::new(&choice).unwrap().tools.iter().map(|tool| tool.name).collect()
    };
    assert_eq!(
        names("review"),
        [
            "accept_changes",
            "editor_undo",
            "reject_changes",
            "review_documents",
            "review_items",
            "suggestion_accept",
            "suggestion_reject",
            "suggestion_restore",
            "suggestion_wait",
            "workspace_save_document",
        ]
    );
    for set in ["all", "core", "word", "markdown", "workspace"] {
        assert!(names(set).iter().all(|name| !name.starts_with("review_")), "{set}");
    }
    let unknown = everything().find("review_items").unwrap_err();
    assert!(unknown.message.ends_with("start the server with --tools review."), "{}", unknown.message);
}

#[tokio::test]
async fn a_person_sees_what_all_agents_suggest_and_decides_while_they_wait() {
    let hall = Hall::new();
    hall.file("a.md", "one\ntwo\n\n# Last\n");
    let mut first = hall.client(Caller::agent("One", hall.root())).await;
    let mut second = hall.client(Caller::agent("Two", hall.root())).await;
    for agent in [&mut first, &mut second] {
        agent.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    }
    first.call(2, "workspace_new_document", json!({"title": "Draft"})).await;
    let insert =
        |text: &str, position: usize| json!({"text": text, "position": position, "windowId": "a.md"});
    let later = first.call(3, "document_insert_at_position", insert(" more", 7)).await;
    let sooner = second.call(3, "document_insert_at_position", insert("zero ", 0)).await;
    let id = |answer: &Value| structured(answer)["suggestionId"].as_str().unwrap().to_owned();
    let (later, sooner) = (id(&later), id(&sooner));
    let wait = json!({"name": "suggestion_wait", "arguments": {"suggestionIds": [sooner], "seconds": 60}});
    second.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": wait})).await;

    let mut person = hall.person("Ann").await;
    let list = person.call(1, "review_documents", json!({})).await;
    let listed = titled(&list, "a.md");
    assert_eq!(
        (&listed["pending"], &listed["stale"], &listed["unsaved"]),
        (&json!(2), &json!(0), &json!(false))
    );
    assert_eq!(listed["authors"], json!(["One", "Two"]));
    assert_eq!(titled(&list, "Draft")["open"], true);

    let items = person.call(2, "review_items", json!({"document": listed["document"]})).await;
    let told: Vec<_> = structured(&items)["items"].as_array().unwrap().clone();
    assert_eq!(told.iter().map(|item| &item["id"]).collect::<Vec<_>>(), [&json!(sooner), &json!(later)]);
    assert_eq!(told[0]["changes"], json!([{"place": "line 1", "before": "one", "after": "zero one"}]));
    assert_eq!(told[1]["changes"], json!([{"place": "line 2", "before": "two", "after": "two more"}]));
    assert_eq!(
        (&told[1]["author"], &told[1]["kind"], &told[1]["tracked"]),
        (&json!("One"), &json!("suggestion"), &json!(false))
    );
    assert_eq!(told[1].get("context"), None);
    let path = hall.root().join("a.md");
    let of_one = json!({"document": path, "author": "One"});
    assert_eq!(structured(&person.call(3, "review_items", of_one).await)["total"], 1);

    person.call(4, "suggestion_accept", json!({"suggestionId": sooner})).await;
    let waited = second.next().await;
    assert_eq!(structured(&waited)["suggestions"][0]["status"], "accepted", "{waited}");
    assert_eq!(structured(&waited)["suggestions"][0]["detail"], "Ann");
    let items = person.call(5, "review_items", json!({"document": path})).await;
    assert_eq!((&structured(&items)["unsaved"], &structured(&items)["total"]), (&json!(true), &json!(1)));

    // What lost its place can still be read.
    let agent = hall.server.desk.seat(Caller::person("Bob", hall.root())).unwrap();
    let document = structured(&items)["document"].as_str().unwrap().parse().unwrap();
    let edit = workspace::markdown::Edit::Replace { range: 9..13, expect: None, with: "2\n".into() };
    let request = workspace::EditRequest::new(vec![edit], workspace::Mode::Apply);
    agent.edit::<workspace::markdown::Markdown>(document, request).unwrap();
    let items = person.call(6, "review_items", json!({"document": path})).await;
    let stale = &structured(&items)["items"][0];
    assert_eq!((&stale["status"], &stale["changes"]), (&json!("stale"), &told[1]["changes"]), "{items}");
    assert!(stale["why"].is_string());
    let refused = person.call(7, "suggestion_accept", json!({"suggestionId": later})).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    structured(&person.call(8, "suggestion_reject", json!({"suggestionId": later})).await);
    let list = person.call(9, "review_documents", json!({})).await;
    assert_eq!(titled(&list, "a.md")["stale"], 0);
}

#[tokio::test]
async fn tracked_changes_are_listed_with_their_place_and_decided_by_id() {
    let hall = Hall::new();
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/contract.docx");
    std::fs::copy(sample, hall.root().join("c.docx")).unwrap();
    let mut agent = hall.agent("Bot").await;
    let replace = json!({"file_path": "c.docx", "request": "Replace 'thirty (30) days' with 'sixty (60) days'", "track": "on"});
    let asked = agent.call(1, "ask", replace).await;
    assert_eq!(asked["result"]["isError"], false, "{asked}");

    let mut person = hall.person("Ann").await;
    let list = person.call(1, "review_documents", json!({})).await;
    let listed = titled(&list, "c.docx");
    let bot = listed["tracked"].as_array().unwrap().iter().find(|of| of["author"] == "Bot").unwrap().clone();
    let arguments = json!({"document": listed["document"], "author": "Bot"});
    let items = person.call(2, "review_items", arguments.clone()).await;
    let page = structured(&items);
    assert_eq!(page["total"], bot["changes"]);
    let told = page["items"].as_array().unwrap();
    let insertion = told.iter().find(|item| item["kind"] == "insertion").unwrap();
    assert_eq!((&insertion["tracked"], &insertion["changes"][0]["before"]), (&json!(true), &json!("")));
    assert!(insertion["changes"][0]["place"].as_str().unwrap().starts_with("paragraph "), "{insertion}");
    assert!(insertion["context"].as_str().unwrap().contains("sixty (60) days"), "{insertion}");
    assert!(insertion["paragraph_id"].is_string() && insertion["at"].is_string(), "{insertion}");
    let ids: Vec<&Value> = told.iter().map(|item| &item["id"]).collect();
    let decided =
        person.call(3, "accept_changes", json!({"session_id": page["session_id"], "ids": ids})).await;
    assert_eq!(structured(&decided)["edits"][0]["changes"].as_array().unwrap().len(), ids.len(), "{decided}");
    assert_eq!(structured(&person.call(4, "review_items", arguments.clone()).await)["total"], 0);
    structured(&person.call(5, "editor_undo", json!({"windowId": listed["document"]})).await);
    assert_eq!(structured(&person.call(6, "review_items", arguments).await)["total"], bot["changes"]);
}

#[tokio::test]
async fn much_to_decide_comes_in_pages_and_long_texts_are_cut_with_a_count() {
    let hall = Hall::new();
    hall.file("a.md", "x\n");
    let mut agent = hall.client(Caller::agent("Bot", hall.root())).await;
    agent.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    for round in 0..12 {
        let text = format!("{}\n\n", "long ".repeat(4_000));
        let insert = json!({"text": text, "position": 0});
        structured(&agent.call(2 + round, "document_insert_at_position", insert).await);
    }
    let mut person = hall.person("Ann").await;
    let (mut offset, mut seen) = (Some(json!(0)), 0);
    while let Some(from) = offset {
        let arguments = json!({"document": hall.root().join("a.md"), "offset": from, "limit": 5});
        let page = person.call(1, "review_items", arguments).await;
        let items = structured(&page)["items"].as_array().unwrap();
        assert!(!items.is_empty() && items.len() <= 5);
        assert!(items.iter().all(|item| item.to_string().contains("more characters")), "{page}");
        seen += items.len();
        offset = structured(&page).get("next_offset").cloned();
    }
    assert_eq!(seen, 12);
}

#[tokio::test]
async fn an_agent_with_these_tools_decides_no_more_than_without() {
    let hall = Hall::new();
    hall.file("a.md", "one");
    let mut agent = hall.client(Caller::agent("Bot", hall.root())).await;
    agent.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    agent.call(2, "workspace_new_document", json!({"title": "Secret"})).await;
    let staged = agent.call(3, "document_insert_at_cursor", json!({"text": "x", "windowId": "a.md"})).await;
    let id = structured(&staged)["suggestionId"].clone();
    let connection = connect(&hall.server, review(), Caller::agent("Eve", hall.root()));
    let mut other = Client::connect_to(connection, Limits::default());
    other.initialize("2025-11-25").await;
    let list = other.call(1, "review_documents", json!({})).await;
    assert_eq!(structured(&list)["documents"].as_array().unwrap().len(), 1, "{list}");
    for tool in ["suggestion_accept", "suggestion_reject"] {
        let refused = other.call(2, tool, json!({"suggestionId": id})).await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
    }
}

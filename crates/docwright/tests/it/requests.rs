//! `docwright ask` and the `ask` tool on documents of each kind.

use serde_json::{Value, json};

use crate::binary::{json as answer, run, sample};
use crate::client::Client;

#[track_caller]
fn ask(path: &str, request: &str, more: &[&str]) -> Value {
    let output = run(&[&["ask", path, request, "--json"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    answer(&output)
}

#[test]
fn cells_are_set_and_read_in_one_request() {
    let (_folder, path) = sample("budget.xlsx");
    let before = std::fs::read(&path).expect("the file");
    let read = ask(&path, "What is Summary!B1?", &[]);
    assert_eq!(
        (&read["status"], &read["operations"][0]["op"]),
        (&json!("answered"), &json!("read")),
        "{read}"
    );
    let old = read["operations"][0]["cells"][0]["value"].as_f64().expect("a number");
    assert_eq!(std::fs::read(&path).expect("the file"), before, "reading writes nothing");

    let request = "Set B3 on Inputs to 1.1, then what is Summary!B1";
    let tried = ask(&path, request, &["--dry-run"]);
    assert_eq!(tried["status"], "dry_run", "{tried}");
    let new = tried["operations"][1]["cells"][0]["value"].as_f64().expect("a number");
    assert!(new > old, "the answer is about what the first step left: {tried}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);

    let done = ask(&path, request, &[]);
    assert_eq!(
        (&done["status"], &done["operations"][0]["range"]),
        (&json!("applied"), &json!("Inputs!B3")),
        "{done}"
    );
    let read = ask(&path, "what is Summary!B1", &[]);
    assert_eq!(read["operations"][0]["cells"][0]["value"].as_f64(), Some(new));
    ask(&path, "put 'Agreed' in A6 on Inputs and clear B4 on Inputs", &[]);
    let read = ask(&path, "show Inputs!A4:B6", &[]);
    let cells = read["operations"][0]["cells"].as_array().expect("cells").clone();
    assert!(cells.iter().any(|cell| cell["address"] == "A6" && cell["value"] == "Agreed"), "{read}");
    assert!(!cells.iter().any(|cell| cell["address"] == "B4" && !cell["value"].is_null()), "{read}");
}

#[test]
fn sections_are_added_moved_renamed_and_deleted() {
    let (_folder, path) = sample("handbook.md");
    let text = || std::fs::read_to_string(&path).expect("the file");
    let at = |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in {text}"));
    let before = text();
    let done = ask(&path, "Add a section Risks after Scope with the text 'None so far.'", &[]);
    assert_eq!(
        (&done["status"], &done["operations"][0]["op"]),
        (&json!("applied"), &json!("addSection")),
        "{done}"
    );
    let after = text();
    assert!(after.contains("\n\n## Risks\n\nNone so far.\n\n## On-call"), "{after}");
    assert_eq!(after.replace("## Risks\n\nNone so far.\n\n", ""), before, "nothing else changed");

    ask(&path, "Rename section Risks to Dangers, then move section Dangers before Scope", &[]);
    let after = text();
    assert!(at(&after, "## Dangers") < at(&after, "## Scope") && !after.contains("Risks"), "{after}");
    ask(&path, "move section Dangers to the end, then append 'The end.'", &[]);
    let after = text();
    assert!(after.ends_with("## Dangers\n\nNone so far.\n\nThe end.\n"), "{after}");
    ask(&path, "delete section Dangers", &[]);
    assert_eq!(text(), before, "it all came back");
    let found = ask(&path, "find 'order service'", &[]);
    assert_eq!(found["operations"][0]["matches"].as_array().map(Vec::len), Some(1), "{found}");
    ask(&path, "Replace all '5 minutes' with '10 minutes'", &[]);
    assert!(text().contains("**10 minutes**"));
}

#[test]
fn what_is_not_understood_is_said_and_nothing_is_done() {
    for (name, request) in [
        ("contract.docx", "Append a new paragraph 'Thanks', then fold the page in half"),
        ("budget.xlsx", "Set B3 on Inputs to 2, then fold the page in half"),
        ("handbook.md", "Append 'Thanks', then fold the page in half"),
    ] {
        let (_folder, path) = sample(name);
        let before = std::fs::read(&path).expect("the file");
        let output = run(&["ask", &path, request, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = answer(&output);
        assert_eq!((&said["ok"], &said["status"]), (&json!(false), &json!("not_understood")), "{said}");
        assert_eq!(said["not_understood"][0]["text"], "fold the page in half");
        assert_eq!(
            said["operations"].as_array().map(Vec::len),
            Some(1),
            "what was understood is told: {said}"
        );
        assert_eq!(std::fs::read(&path).expect("the file"), before);
    }
}

#[test]
fn a_step_that_fails_undoes_the_whole_request() {
    for (name, request, code) in [
        ("contract.docx", "Append a new paragraph 'Thanks', then make 'zebra crossing' bold", "E_NOT_FOUND"),
        ("budget.xlsx", "Set B3 on Inputs to 2, then set B3 on Nowhere to 2", "SHEET_NOT_FOUND"),
        ("handbook.md", "Append 'Thanks', then delete section Nowhere", "NOT_FOUND"),
    ] {
        let (_folder, path) = sample(name);
        let before = std::fs::read(&path).expect("the file");
        let output = run(&["ask", &path, request, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert_eq!(answer(&output)["error"]["code"], code, "{name}: {output:?}");
        assert_eq!(std::fs::read(&path).expect("the file"), before);
    }
}

#[test]
fn several_steps_are_one_change_that_can_be_tried_staged_and_undone() {
    let (folder, _) = sample("contract.docx");
    let mut client = Client::start(folder.path(), &[]);
    let request = "Append a new paragraph 'Thanks', then make 'Thanks' bold, then create a 2x2 table at the end of the document";
    let mut asked = |track: &str, dry_run: bool| {
        let arguments =
            json!({"request": request, "file_path": "contract.docx", "track": track, "dry_run": dry_run});
        client.call("ask", arguments)["structuredContent"].clone()
    };
    let tried = asked("off", true);
    assert_eq!((&tried["ok"], &tried["status"]), (&json!(true), &json!("dry_run")), "{tried}");
    assert_eq!(tried["operations"].as_array().map(Vec::len), Some(3));
    let staged = asked("suggest", false);
    assert_eq!(staged["status"], "suggested", "{staged}");
    assert_eq!(staged["revision"], tried["revision"], "nothing is changed until somebody accepts");
    let done = asked("off", false);
    assert_eq!(done["status"], "applied", "{done}");
    assert!(done["operations"][2]["data"]["tableId"].is_string(), "{done}");
    client.call("editor_undo", json!({}));
    let call = json!({"content": "look", "filePath": "contract.docx", "meta": {"type": "word.op", "op": "search", "version": "1.0", "args": {"query": "Thanks", "matchCase": true}}});
    let left = client.call("mcp_word__editTask", call)["structuredContent"].clone();
    assert_eq!(left["data"]["results"], json!([]), "one undo takes all of it back: {left}");
}

#[test]
fn tracked_requests_are_for_word() {
    let (_folder, path) = sample("contract.docx");
    ask(&path, "Append a new paragraph 'Thanks', then make 'Thanks' italic", &["--track"]);
    let changes = answer(&run(&["word", "changes", &path, "--json"]));
    assert!(changes.to_string().contains("Thanks"), "{changes}");
    let (_folder, path) = sample("handbook.md");
    let output = run(&["ask", &path, "Append 'Thanks'", "--track", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(answer(&output)["error"]["code"], "UNSUPPORTED", "{output:?}");
}

#[test]
fn an_agent_s_prose_waits_for_a_person() {
    let (folder, _) = sample("handbook.md");
    let mut client = Client::start(folder.path(), &[]);
    let call = json!({"request": "Add a section Risks after Scope", "file_path": "handbook.md"});
    let said = client.call("ask", call.clone())["structuredContent"].clone();
    assert_eq!(said["status"], "suggested", "{said}");
    let mut client = Client::start(folder.path(), &["--auto-approve"]);
    let said = client.call("ask", call)["structuredContent"].clone();
    assert_eq!(said["status"], "applied", "{said}");
}

/// What a person reads, with the folder left out of the file's name.
#[track_caller]
fn told(folder: &std::path::Path, arguments: &[&str], code: i32) -> String {
    let output = run(&[&["ask"], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = folder.canonicalize().expect("the folder");
    let text = String::from_utf8(output.stdout).expect("text");
    text.replace(&format!("{}/", folder.display()), "")
}

/// What a growth of 1.1 changes in the budget.
const FASTER: &str = "  Inputs!B3: 1.05 → 1.10
  Model!C2: =B2*Inputs!$B$3 (126,000) → =B2*Inputs!$B$3 (132,000)
  Model!D2: =C2*Inputs!$B$3 (132,300) → =C2*Inputs!$B$3 (145,200)
  Model!E2: =D2*Inputs!$B$3 (138,915) → =D2*Inputs!$B$3 (159,720)
  Model!C3: =C2*CostShare (78,120) → =C2*CostShare (81,840)
  Model!D3: =D2*CostShare (82,026) → =D2*CostShare (90,024)
  Model!E3: =E2*CostShare (86,127) → =E2*CostShare (99,026)
  Model!C4: =C2-C3 (47,880) → =C2-C3 (50,160)
  Model!D4: =D2-D3 (50,274) → =D2-D3 (55,176)
  Model!E4: =E2-E3 (52,788) → =E2-E3 (60,694)
  Summary!B1: =SUM(Model!B4:E4) (196,542) → =SUM(Model!B4:E4) (211,630)
";

#[test]
fn people_are_told_in_words_what_was_done_and_where() {
    let (folder, path) = sample("budget.xlsx");
    let say =
        |request: &str, more: &[&str], code| told(folder.path(), &[&[&path, request], more].concat(), code);
    assert_eq!(say("what is CostShare", &[], 0), "Inputs!B4 is 62.0%\n");
    assert_eq!(
        say("Set B3 on Inputs to 1.1, then what is Inputs!A3:B3", &["--dry-run"], 0),
        format!(
            "Set Inputs!B3 to 1.1\nInputs!A3:B3 is\n  A3\tYearly growth factor\n  B3\t1.10\n{FASTER}\
             a dry run: nothing was written to budget.xlsx\n"
        )
    );
    assert_eq!(
        say("Set B3 on Inputs to 1.1", &[], 0),
        format!("Set Inputs!B3 to 1.1\n{FASTER}saved budget.xlsx\n")
    );
    let said = say("Clear B3, then fold the page in half", &[], 1);
    assert!(said.starts_with("understood: Clear B3\nnot understood: \"fold the page in half\" ("), "{said}");
    assert!(said.ends_with("nothing was done in budget.xlsx\n"), "{said}");

    let (folder, path) = sample("handbook.md");
    let say = |request: &str| told(folder.path(), &[&path, request], 0);
    assert_eq!(
        say("Add a section Risks after Scope, then rename section Risks to Dangers"),
        "Add section Risks after Scope\nRename section Risks to Dangers\n  line 14: + ## Dangers\n\
         saved handbook.md\n"
    );
    assert_eq!(say("find 'escalate'"), "line 25: > If you are not sure, escalate. (under On-call)\n");

    let (folder, path) = sample("contract.docx");
    let say = |request: &str| told(folder.path(), &[&path, request], 0);
    assert_eq!(
        say("Append a new paragraph 'Thanks', then make 'Thanks' bold"),
        "Insert \"Thanks\"; Format text\n  paragraph jr_para_3c801b27c3f0 (Thanks): + Thanks\n\
         saved contract.docx\n"
    );
    assert!(say("find 'Thanks'").starts_with("found: "));
}

#[test]
fn a_refusal_is_the_one_the_tool_gives() {
    let (folder, path) = sample("budget.xlsx");
    let request = "Set B3 on Inputs to 2, then set B3 on Nowhere to 2";
    let shell = answer(&run(&["ask", &path, request, "--json"]));
    let mut client = Client::start(folder.path(), &[]);
    let tool = client.call("ask", json!({ "request": request, "file_path": "budget.xlsx" }));
    let tool = &tool["_meta"]["docwright/error"];
    for member in ["code", "message", "hint"] {
        assert_eq!(shell["error"][member], tool[member], "{member}: {shell} {tool}");
    }
    assert!(
        tool["message"].as_str().is_some_and(|text| text.starts_with("operation 2 of 2 (set): ")),
        "{tool}"
    );
}

#[test]
fn a_request_is_answered_with_the_same_json_in_a_shell_and_by_the_tool() {
    for (name, request) in [
        ("contract.docx", "find 'Supplier', then make 'Definitions' italic"),
        ("budget.xlsx", "Set B3 to 2, then what is CostShare"),
        ("handbook.md", "Replace all '5 minutes' with '10 minutes', then find 'minutes'"),
    ] {
        let (folder, path) = sample(name);
        let mut client = Client::start(folder.path(), &["--auto-approve"]);
        let call = json!({ "request": request, "file_path": name, "dry_run": true });
        let mut tool = client.call("ask", call)["structuredContent"].clone();
        let mut shell = ask(&path, request, &["--dry-run"]);
        // Ids are never used twice.
        for said in [&mut tool, &mut shell] {
            said["session_id"] = Value::Null;
        }
        assert_eq!(shell, tool, "{name}");
    }
}

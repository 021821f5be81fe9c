//! What Excel would not take is refused with a code of its own and a way out, by the command line and by the tools,
//! and nothing is written.

use serde_json::{Value, json};

use crate::binary::{json as answer, root, run};
use crate::client::{Client, text};

/// A workbook with one of everything that cannot be written into.
fn workbook(folder: &std::path::Path) -> String {
    let path = folder.join("rules.xlsx").to_str().expect("a plain path").to_owned();
    let edits = r#"[{"op":"add_sheet","name":"Rules"},
        {"op":"set_cells","sheet":"Rules","cells":[{"at":"A1","input":{"formula":"=SEQUENCE(3)"}},{"at":"J1","input":{"number":2}},{"at":"K1","input":{"formula":"=J1*3"}},{"at":"J2","input":{"number":5}}]},
        {"op":"set_array","sheet":"Rules","area":"C1:C3","formula":"=A1:A3*2"},
        {"op":"merge","sheet":"Rules","area":"E1:F2"},
        {"op":"set_data_table","sheet":"Rules","area":"K2:K3","column_input":"J1"},
        {"op":"define_name","name":"tax_rate","formula":"=Rules!$J$1"}]"#;
    let budget = root().join("samples/budget.xlsx");
    let made =
        run(&["xlsx", "edit", budget.to_str().expect("a path"), "--edits", edits, "-o", &path, "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stdout));
    let read = answer(&run(&["xlsx", "read", &path, "-r", "Rules!A1:K3", "--json"]));
    let cell = |at: &str| {
        read["cells"].as_array().and_then(|cells| cells.iter().find(|cell| cell["address"] == at)).cloned()
    };
    for (at, value) in [("A3", 3.0), ("C3", 6.0), ("K2", 15.0)] {
        assert_eq!(cell(at).unwrap_or_default()["value"].as_f64(), Some(value), "{at}: {read}");
    }
    path
}

/// A cell, what goes into it, the code, and words of the message or hint.
fn entries() -> Vec<(&'static str, String, &'static str, &'static str)> {
    vec![
        ("A2", "7".into(), "SPILL_RANGE", "its formula in A1"),
        ("C2", "7".into(), "ARRAY_MEMBER", "all of C1:C3"),
        ("K3", "7".into(), "DATA_TABLE", "K2:K3"),
        ("F2", "7".into(), "MERGED_CELL", "set E1 instead"),
        ("XFE1", "7".into(), "OUT_OF_SHEET", "XFD"),
        ("A1048577", "7".into(), "OUT_OF_SHEET", "1048576"),
        ("A9", "=1+".into(), "FORMULA_SYNTAX", "at character 3: expected a value"),
        ("A9", "=SUM(1;2)".into(), "FORMULA_SYNTAX", "separated by commas"),
        ("A9", "=IF(1,2,3,4)".into(), "TOO_MANY_ARGUMENTS", "takes 3 at most"),
        ("A9", "=ROUND(2)".into(), "TOO_FEW_ARGUMENTS", "takes 2 at least"),
        ("A9", format!("=SUM(1{})", ",1".repeat(255)), "TOO_MANY_ARGUMENTS", "takes 255 at most"),
        ("A9", format!("={}1{}", "ABS(".repeat(65), ")".repeat(65)), "FORMULA_TOO_DEEP", "64 deep"),
        ("A9", format!("=LEN(\"{}\")", "x".repeat(256)), "FORMULA_TEXT_TOO_LONG", "255"),
        ("A9", "=Input!B2".into(), "SHEET_NOT_FOUND", "nearest: Inputs"),
        ("A9", "=SUM(Sales[x])".into(), "NOT_FOUND", "table `Sales`"),
    ]
}

#[test]
fn the_command_line_refuses_with_a_code_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = workbook(folder.path());
    let before = std::fs::read(&path).expect("the file");
    let refused = |output: &std::process::Output, code: &str, words: &str| {
        assert_eq!(output.status.code(), Some(1), "{code}: {}", String::from_utf8_lossy(&output.stdout));
        let said = answer(output);
        assert_eq!(said["error"]["code"], code, "{said}");
        let all = format!("{} {}", said["error"]["message"], said["error"]["hint"]);
        assert!(all.contains(words), "{code}: `{words}` is not in {all}");
        assert_eq!(std::fs::read(&path).expect("the file"), before, "{code}: nothing is written");
    };
    let long = "x".repeat(32_768);
    let endless = format!("=1{}", "+1".repeat(4_096));
    let mut cases = entries();
    cases.push(("A9", long, "TEXT_TOO_LONG", "32767"));
    cases.push(("A9", endless, "FORMULA_TOO_LONG", "8192"));
    for (cell, entry, code, words) in cases {
        let cell = format!("Rules!{cell}");
        let flag = if entry.starts_with('=') { "--formula" } else { "--value" };
        refused(&run(&["xlsx", "set", &path, "--cell", &cell, flag, &entry, "--json"]), code, words);
    }
    let set = run(&["xlsx", "set", &path, "--cell", "Ruels!A9", "--value", "1", "--json"]);
    refused(&set, "SHEET_NOT_FOUND", "nearest: Rules");

    let edits = [
        (json!({"op":"add_sheet","name":"a/b"}), "BAD_SHEET_NAME", "without"),
        (json!({"op":"add_sheet","name":"x".repeat(32)}), "BAD_SHEET_NAME", "31"),
        (json!({"op":"rename_sheet","sheet":"Rules","to":"History"}), "BAD_SHEET_NAME", "History"),
        (json!({"op":"add_sheet","name":"rules"}), "SHEET_NAME_TAKEN", "another name"),
        (json!({"op":"define_name","name":"A1","formula":"1"}), "BAD_NAME", "cell"),
        (json!({"op":"delete_name","name":"taxrate"}), "NAME_NOT_FOUND", "tax_rate"),
        (json!({"op":"delete_rows","sheet":"Rules","at":1,"count":1}), "CUTS_ARRAY", "clear it first"),
        (
            json!({"op":"set_style","sheet":"Rules","areas":["A1:XFD900"],"style":{}}),
            "TOO_MANY_CELLS",
            "split",
        ),
        (json!({"op":"set_array","sheet":"Rules","area":"E1:E9","formula":"=1"}), "MERGED_CELL", "unmerge"),
        (
            json!({"op":"set_array","sheet":"Rules","area":"C1:C2","formula":"=1"}),
            "ARRAY_MEMBER",
            "all of C1:C3",
        ),
        (
            json!({"op":"set_cells","sheet":"Rules","cells":[{"at":"XFE1","input":{"number":1}}]}),
            "INVALID_ARGUMENT",
            "outside the sheet",
        ),
    ];
    for (edit, code, words) in edits {
        // All or nothing: the edit before it is not made either.
        let batch =
            json!([{"op":"set_cells","sheet":"Rules","cells":[{"at":"A20","input":{"number":1}}]}, edit]);
        refused(&run(&["xlsx", "edit", &path, "--edits", &batch.to_string(), "--json"]), code, words);
    }
}

#[test]
fn the_ask_tool_refuses_with_the_same_codes_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = workbook(folder.path());
    let before = std::fs::read(&path).expect("the file");
    let mut client = Client::start(folder.path(), &["--auto-approve"]);
    for (cell, entry, code, words) in entries() {
        let request = format!("Set {cell} on Rules to {entry}");
        let result = client.call("ask", json!({ "request": request, "file_path": "rules.xlsx" }));
        assert_eq!(result["isError"], true, "{request}: {result}");
        let said = text(&result);
        assert!(said.starts_with(code) && said.contains(words), "{code}: {said}");
        assert!(said.contains("Nothing was changed"), "{said}");
        assert_eq!(result["_meta"]["docwright/error"]["code"], code, "{result}");
    }
    let found = client.good("ask", json!({ "request": "What is Rules!A1:A20", "file_path": "rules.xlsx" }));
    let cells = found["operations"][0]["cells"].as_array().expect("cells").clone();
    assert!(!cells.iter().any(|cell| cell["address"] == "A9" && cell["value"] != Value::Null), "{found}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);
}

#[test]
fn old_workbooks_are_read_by_the_tools_and_never_written() {
    let corpus = root().join("../shared/corpus/xlsx/tafia+calamine/tests");
    if !corpus.exists() {
        println!("SKIPPED: {} is not there", corpus.display());
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(corpus.join("issue444.xls"), folder.path().join("old.xls")).expect("copied");
    let before = std::fs::read(folder.path().join("old.xls")).expect("the file");
    let mut client = Client::start(folder.path(), &["--auto-approve"]);
    let c = &mut client;
    c.good("workspace_open_document", json!({ "path": "old.xls" }));
    let found = c.good("ask", json!({ "request": "What is A1:C9", "file_path": "old.xls" }));
    assert!(!found["operations"][0]["cells"].as_array().expect("cells").is_empty(), "{found}");
    c.bad(
        "ask",
        json!({ "request": "Set A1 to 5", "file_path": "old.xls" }),
        "UNSUPPORTED & old binary workbook & .xlsx",
    );
    c.bad("workspace_save_document", json!({}), "UNSUPPORTED & .xls & .xlsx");
    c.bad(
        "workspace_save_document_as",
        json!({ "path": "other.xls" }),
        "UNSUPPORTED & binary workbook & .xlsx",
    );
    assert!(!folder.path().join("other.xls").exists());
    c.good("workspace_save_document_as", json!({ "path": "new.xlsx" }));
    c.good("ask", json!({ "request": "Set A1 to 5", "file_path": "new.xlsx" }));
    assert_eq!(std::fs::read(folder.path().join("old.xls")).expect("the file"), before);

    let mut broken = before;
    for byte in broken.iter_mut().skip(512).step_by(3) {
        *byte ^= 0x5A;
    }
    std::fs::write(folder.path().join("broken.xls"), broken).expect("writes");
    c.bad("workspace_open_document", json!({ "path": "broken.xls" }), "CORRUPT_FILE & cannot be read");
}

/// Journals write down by whom and when something was done; whoever sends edits does not choose that.
#[test]
fn edits_that_only_journals_have_are_not_offered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = workbook(folder.path());
    let before = std::fs::read(&path).expect("the workbook");
    let run_of_another = r#"{"op":"run","turns":[],"sheets":[],"author":"The Chairwoman","now":0,"seed":1}"#;
    let anchored = r#"{"op":"anchored","edit":{"op":"calculate"},"meant":{}}"#;
    let seen = r#"{"op":"set_cells","sheet":"Rules","cells":[],"seen":7}"#;
    let unknown = r#"{"op":"paint","sheet":"Rules"}"#;
    let cases = [
        (run_of_another, "there is no edit `run`"),
        (anchored, "there is no edit `anchored`"),
        (seen, "unknown field `seen`"),
        (unknown, "there is no edit `paint`; there are set, set_cells"),
    ];
    for (edit, said) in cases {
        let refused = run(&["xlsx", "edit", &path, "--edits", edit, "--json"]);
        let answer = answer(&refused);
        assert_eq!(refused.status.code(), Some(1), "{answer}");
        let message = answer["error"]["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(said), "{message}");
        assert!(!message.contains("anchored`,") && !message.contains(", run"), "{message}");
    }
    assert_eq!(std::fs::read(&path).expect("the workbook"), before);
}

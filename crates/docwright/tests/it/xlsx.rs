//! Workbooks on the command line.

use crate::binary::{json, root, run};

fn text(path: &std::path::Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn edits_are_made_all_or_none_and_objects_are_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = text(&root().join("samples/budget.xlsx"));
    let out = text(&folder.path().join("out.xlsx"));
    let edits = r#"[{"op":"add_sheet","name":"Extra"},
        {"op":"set_cells","sheet":"Extra","cells":[{"at":"A1","input":{"text":"Item"}},{"at":"B1","input":{"text":"Cost"}},{"at":"A2","input":{"text":"x"}},{"at":"B2","input":{"number":2}}]},
        {"op":"add_table","sheet":"Extra","area":"A1:B2","name":"Costs"},
        {"op":"set_note","sheet":"Extra","at":"B2","text":"a guess"},
        {"op":"set_link","sheet":"Extra","area":"A2","to":{"address":"https://example.com"}}]"#;
    let made = run(&["xlsx", "edit", &book, "--edits", edits, "-o", &out, "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stdout));
    let found = json(&run(&["xlsx", "objects", &out, "--sheet", "Extra", "--json"]));
    let sheet = &found["sheets"][0];
    assert_eq!(sheet["tables"][0]["name"], "Costs");
    assert_eq!(sheet["notes"][0]["text"], "a guess");
    assert_eq!(sheet["links"][0]["target"], "https://example.com");
    assert_eq!(
        json(&run(&["xlsx", "check", &out, "--json"]))[0]["problems"].as_array().map(Vec::len),
        Some(0)
    );

    let refused = run(&[
        "xlsx",
        "edit",
        &out,
        "--edits",
        r#"[{"op":"delete_sheet","sheet":"Extra"},{"op":"delete_sheet","sheet":"Extr"}]"#,
        "--json",
    ]);
    assert_eq!(refused.status.code(), Some(1));
    let again = json(&run(&["xlsx", "objects", &out, "--json"]));
    assert!(
        again["sheets"].as_array().expect("sheets").iter().any(|sheet| sheet["name"] == "Extra"),
        "nothing was done"
    );
    let wrong = run(&["xlsx", "edit", &out, "--edits", r#"{"op":"explode"}"#, "--json"]);
    assert_eq!(json(&wrong)["error"]["code"], "INVALID_ARGUMENT");
}

#[test]
fn texts_in_pieces_and_properties_are_set_and_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = text(&root().join("samples/budget.xlsx"));
    let out = text(&folder.path().join("out.xlsx"));
    let edits = r#"[{"op":"set_cells","sheet":"Inputs","cells":[{"at":"D1","input":{"rich":[{"text":"CO"},{"text":"2","font":{"vertical":"subscript","bold":true}}]}}]},
        {"op":"set_workbook","properties":{"title":"Plan","author":"Ann","calculation":"manual","iterate":true}}]"#;
    let made = run(&["xlsx", "edit", &book, "--edits", edits, "-o", &out, "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stdout));
    let cell = &json(&run(&["xlsx", "read", &out, "-r", "Inputs!D1", "--json"]))["cells"][0];
    assert_eq!((&cell["text"], &cell["runs"][0]["text"]), (&"CO2".into(), &"CO".into()));
    assert_eq!(cell["runs"][1]["font"]["vertical"], "subscript");
    assert_eq!(cell["runs"][1]["font"]["bold"], true);
    let said = &json(&run(&["xlsx", "read", &out, "--json"]))["properties"];
    assert_eq!((&said["title"], &said["author"]), (&"Plan".into(), &"Ann".into()));
    assert_eq!((&said["calculation"], &said["iterate"]), (&"manual".into(), &true.into()));
    let wavy = r#"{"op":"set_cells","sheet":"Inputs","cells":[{"at":"D1","input":{"rich":[{"text":"x","font":{"underline":"wavy"}}]}}]}"#;
    let refused = json(&run(&["xlsx", "edit", &out, "--edits", wavy, "--json"]));
    assert!(refused.to_string().contains("doubleAccounting"), "{refused}");
}

#[test]
fn a_formula_that_will_not_work_is_remarked_on() {
    let book = text(&root().join("samples/budget.xlsx"));
    let say = |formula: &str| {
        let set = run(&["xlsx", "set", &book, "--cell", "Inputs!B2", "--formula", formula, "--dry-run"]);
        String::from_utf8(set.stdout).expect("text")
    };
    assert!(say("=SUMM(1,2)").contains("note: the function `SUMM` is not known"));
    assert!(say("=B2+1").contains("note: 1 formula refers to itself in a circle and is 0"));
    assert!(
        say("=SUM(1,2").contains("note: a closing bracket was missing; the formula is taken as `=SUM(1,2)`")
    );
}

#[test]
fn old_workbooks_are_read_and_converted_but_not_edited() {
    let corpus = root().join("../shared/corpus/xlsx/tafia+calamine/tests");
    if !corpus.exists() {
        println!("SKIPPED: {} is not there", corpus.display());
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old = text(&corpus.join("issue444.xls"));
    let sheets = json(&run(&["xlsx", "read", &old, "--json"]));
    assert!(!sheets["sheets"].as_array().expect("sheets").is_empty());
    let set = run(&["xlsx", "set", &old, "--cell", "A1", "--value", "1", "--json"]);
    assert_eq!(set.status.code(), Some(1));
    assert!(json(&set)["error"]["hint"].as_str().is_some_and(|hint| hint.contains("xlsx save")));
    let new = text(&folder.path().join("new.xlsx"));
    let saved = json(&run(&["xlsx", "save", &old, "-o", &new, "--json"]));
    assert_eq!(saved["converted"], true);
    assert_eq!(json(&run(&["xlsx", "read", &new, "--json"])), sheets);
    assert_eq!(
        json(&run(&["xlsx", "check", &new, "--json"]))[0]["problems"].as_array().map(Vec::len),
        Some(0)
    );

    // Bytes that only start like one end in an error of ours, whatever the reader does with them.
    let broken = folder.path().join("broken.xls");
    let mut bytes = std::fs::read(&old).expect("reads");
    for byte in bytes.iter_mut().skip(512).step_by(3) {
        *byte ^= 0x5A;
    }
    std::fs::write(&broken, bytes).expect("writes");
    let answer = run(&["xlsx", "read", &text(&broken), "--json"]);
    assert_eq!(answer.status.code(), Some(1));
    assert!(json(&answer)["error"]["code"].is_string());
}

/// The sample is shown with its third sheet in front.
#[test]
fn an_address_without_a_sheet_is_about_the_one_that_is_shown_on_opening() {
    let book = text(&root().join("samples/budget.xlsx"));
    let read = |range: &str| json(&run(&["xlsx", "read", &book, "-r", range, "--json"]));
    assert_eq!(read("A1:B2"), read("Summary!A1:B2"));
    assert_eq!(read("b1")["sheet"], "Summary");
    assert_eq!(read("CostShare"), read("Inputs!B4"), "a name says itself where its cells are");
    let set = |cell: &str| {
        json(&run(&["xlsx", "set", &book, "--cell", cell, "--value", "1", "--dry-run", "--json"]))["cell"]
            .clone()
    };
    assert_eq!((set("B9"), set("CostShare")), ("Summary!B9".into(), "Inputs!B4".into()));
    let several = run(&["xlsx", "set", &book, "--cell", "A1:B2", "--value", "1", "--json"]);
    assert_eq!(json(&several)["error"]["message"], "`A1:B2` is not one cell");
}

#[test]
fn a_table_s_name_stands_for_its_rows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = text(&root().join("samples/budget.xlsx"));
    let out = text(&folder.path().join("out.xlsx"));
    let edits = r#"[{"op":"add_sheet","name":"Extra"},
        {"op":"set_cells","sheet":"Extra","cells":[{"at":"A1","input":{"text":"Item"}},{"at":"A2","input":{"text":"x"}}]},
        {"op":"add_table","sheet":"Extra","area":"A1:A2","name":"Costs"}]"#;
    assert_eq!(run(&["xlsx", "edit", &book, "--edits", edits, "-o", &out]).status.code(), Some(0));
    let read = json(&run(&["xlsx", "read", &out, "-r", "Costs", "--json"]));
    assert_eq!((&read["sheet"], &read["range"]), (&"Extra".into(), &"A2".into()), "{read}");
    let asked = json(&run(&["ask", &out, "what is Costs", "--json"]));
    assert_eq!(asked["operations"][0]["range"], "Extra!A2", "{asked}");
}

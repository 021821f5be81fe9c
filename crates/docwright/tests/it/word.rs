//! `docwright word` and `docwright xlsx` on samples of our own.

use serde_json::Value;

use crate::binary::{json, run, sample};

fn paragraph_with(path: &str, text: &str) -> Value {
    let page = json(&run(&["word", "read", path, "--json"]));
    let nodes = page["nodes"].as_array().expect("paragraphs").clone();
    nodes.into_iter().find(|node| node["text"].as_str().unwrap().contains(text)).expect("the paragraph")
}

#[test]
fn reading_shows_labels_headers_and_text() {
    let (_folder, path) = sample("contract.docx");
    let node = paragraph_with(&path, "pay each invoice");
    assert_eq!(node["list_label"], "2.1");
    assert_eq!(node["header"], "Invoices");
    let toon = String::from_utf8(run(&["word", "read", &path]).stdout).unwrap();
    assert!(toon.starts_with("#SCHEMA id | list_label | header | style | text\n"), "{toon}");
    let original =
        String::from_utf8(run(&["word", "read", &path, "--view", "original", "--format", "simple"]).stdout);
    assert!(original.unwrap().contains("Interest runs at 4%"));
}

#[test]
fn content_controls_are_listed() {
    let (_folder, path) = sample("form.docx");
    let listed = json(&run(&["word", "read", &path, "--format", "controls", "--json"]));
    let tags: Vec<&str> =
        listed.as_array().unwrap().iter().map(|control| control["tag"].as_str().unwrap()).collect();
    assert_eq!(tags, ["customer", "terms", "start", "approved", "reference", "scope"]);
    let lines = String::from_utf8(run(&["word", "read", &path, "--format", "controls"]).stdout).unwrap();
    assert!(
        lines.contains("dropDown\tterms\tPayment terms\t102\tlocked=open\tNet 30\t[Net 30, Net 60]\n"),
        "{lines}"
    );
    assert!(lines.contains("\tlocked=both\t2026-001\n"), "{lines}");
}

#[test]
fn a_tracked_edit_can_be_listed_accepted_and_rejected() {
    let (folder, path) = sample("contract.docx");
    let before = std::fs::read(&path).unwrap();
    let edited = folder.path().join("edited.docx");
    let edited = edited.to_str().unwrap();
    let arguments =
        ["--old", "thirty (30) days", "--new", "forty-five (45) days", "--track", "--author", "Ann Lee"];
    let output = run(&[&["word", "edit", &path, "-o", edited, "--json"], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(json(&output)["parts"], serde_json::json!(["word/document.xml"]));
    assert_eq!(std::fs::read(&path).unwrap(), before, "the source file is not the output");

    let changes = json(&run(&["word", "changes", edited, "--json"]));
    let authors: Vec<&str> =
        changes.as_array().unwrap().iter().map(|c| c["author"].as_str().unwrap()).collect();
    assert_eq!(authors, ["Ann Lee", "Ann Lee", "Priya Nair", "Priya Nair"]);
    assert_eq!(run(&["word", "check", edited]).status.code(), Some(0));

    let rejected = folder.path().join("rejected.docx");
    let rejected = rejected.to_str().unwrap();
    run(&["word", "reject", edited, "--by", "Ann Lee", "-o", rejected]);
    assert!(
        paragraph_with(rejected, "pay each invoice")["text"].as_str().unwrap().contains("thirty (30) days")
    );
    assert_eq!(json(&run(&["word", "changes", rejected, "--json"])).as_array().unwrap().len(), 2);

    run(&["word", "accept", edited, "--all"]);
    assert!(
        paragraph_with(edited, "pay each invoice")["text"].as_str().unwrap().contains("forty-five (45) days")
    );
    assert_eq!(json(&run(&["word", "changes", edited, "--json"])).as_array().unwrap().len(), 0);
}

#[test]
fn refusals_say_what_to_do_and_write_nothing() {
    let (_folder, path) = sample("contract.docx");
    let before = std::fs::read(&path).unwrap();
    let never = json(&run(&["word", "edit", &path, "--old", "no such words", "--new", "x", "--json"]));
    assert_eq!(never["error"]["code"], "TEXT_NOT_FOUND");
    let several = json(&run(&["word", "edit", &path, "--old", "days", "--new", "x", "--json"]));
    assert_eq!(several["error"]["code"], "MULTIPLE_MATCHES");
    assert!(several["error"]["hint"].as_str().unwrap().contains("jr_para_"));
    let unknown = json(&run(&["word", "edit", &path, "--id", "p1", "--old", "x", "--new", "y", "--json"]));
    assert_eq!(unknown["error"]["code"], "INVALID_ARGUMENT");
    let undecided = run(&["word", "accept", &path]);
    assert_eq!(undecided.status.code(), Some(1));
    let wrong = json(&run(&["xlsx", "read", &path, "--json"]));
    assert_eq!(wrong["error"]["code"], "WRONG_FORMAT");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn saving_without_an_edit_changes_no_byte() {
    for (command, name) in [("word", "contract.docx"), ("xlsx", "budget.xlsx")] {
        let (folder, path) = sample(name);
        let copy = folder.path().join("copy");
        let copy = format!("{}.{}", copy.to_str().unwrap(), name.rsplit('.').next().unwrap());
        let saved = run(&[command, "save", &path, "-o", &copy, "--json"]);
        assert_eq!(json(&saved)["identical"], true, "{name}");
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&copy).unwrap(), "{name}");
    }
}

#[test]
fn a_clean_copy_has_every_change_accepted_and_the_file_stays() {
    let (folder, path) = sample("contract.docx");
    let before = std::fs::read(&path).unwrap();
    let copy = folder.path().join("final.docx").to_str().unwrap().to_owned();
    let receipt = json(&run(&["word", "save", &path, "-o", &copy, "--clean", "--json"]));
    assert_eq!(receipt["parts_changed"], serde_json::json!(["word/document.xml"]), "{receipt}");
    assert_eq!(receipt["tracked_changes"], serde_json::json!({}));
    assert_eq!(json(&run(&["word", "changes", &copy, "--json"])), serde_json::json!([]));
    assert!(!json(&run(&["word", "changes", &path, "--json"])).as_array().unwrap().is_empty());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn text_is_found_in_every_story() {
    let (_folder, path) = sample("contract.docx");
    let hits = json(&run(&["word", "grep", &path, "central bank", "Finch", "--json"]));
    let stories: std::collections::BTreeSet<&str> =
        hits["hits"].as_array().unwrap().iter().map(|hit| hit["story"].as_str().unwrap()).collect();
    assert!(stories.len() >= 3, "{stories:?}");
}

#[test]
fn a_cell_is_set_and_read_back() {
    let (folder, path) = sample("budget.xlsx");
    let out = folder.path().join("scenario.xlsx");
    let out = out.to_str().unwrap();
    let set = run(&["xlsx", "set", &path, "--cell", "Inputs!B3", "--value", "1.1", "-o", out, "--json"]);
    assert_eq!(set.status.code(), Some(0), "{}", String::from_utf8_lossy(&set.stdout));
    let cells = json(&run(&["xlsx", "read", out, "-r", "Inputs!B3", "--json"]));
    assert_eq!(cells["cells"][0]["value"], 1.1);
    // Whoever opens the file without calculating sees the new numbers.
    let summary = json(&run(&["xlsx", "read", out, "-r", "Summary!B1", "--json"]));
    assert_eq!(summary["cells"][0]["text"], "211,630");
    let verified = json(&run(&["xlsx", "calc", out, "--verify", "--json"]));
    assert_eq!(
        (verified["formula_cells"].clone(), verified["equal"].clone()),
        (15.into(), 15.into()),
        "{verified}"
    );
    assert_eq!(run(&["xlsx", "check", out]).status.code(), Some(0));
    let unknown = json(&run(&["xlsx", "set", &path, "--cell", "Input!B3", "--value", "1", "--json"]));
    assert_eq!(unknown["error"]["code"], "SHEET_NOT_FOUND");
    assert!(unknown["error"]["hint"].as_str().unwrap().contains("Inputs"));
}

#[test]
fn a_plain_request_is_carried_out_or_handed_back() {
    let (folder, path) = sample("contract.docx");
    let before = std::fs::read(&path).unwrap();
    let out = folder.path().join("out.docx");
    let out = out.to_str().unwrap();
    let say = "Replace all 2026 with 2028 in the document, then append a new paragraph 'Done.'";
    let done = run(&["word", "op", &path, "--say", say, "-o", out, "--json"]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stdout));
    assert_eq!(json(&done)["operations"].as_array().unwrap().len(), 2);
    assert_eq!(json(&run(&["word", "grep", out, "2026", "--json"]))["total"], 0);
    assert_eq!(json(&run(&["word", "grep", out, "Done.", "--json"]))["total"], 1);

    let unclear = run(&["word", "op", &path, "--say", "fold the page in half", "--json"]);
    assert_eq!(unclear.status.code(), Some(1));
    assert_eq!(json(&unclear)["not_understood"][0]["text"], "fold the page in half");
    let meta = r#"{"type":"word.op","op":"serch","version":"1.0","args":{"query":"x"}}"#;
    let wrong = run(&["word", "op", &path, "--meta", meta, "--json"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert_eq!(json(&wrong)["code"], "E_UNSUPPORTED");
    assert!(json(&wrong)["diagnostics"].to_string().contains("search"), "the nearest name");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn comparing_makes_tracked_changes_that_lead_to_the_other_text() {
    let (folder, path) = sample("contract.docx");
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (revised, redline, accepted) = (file("revised.docx"), file("redline.docx"), file("accepted.docx"));
    run(&["word", "edit", &path, "--old", "sixty (60) days", "--new", "ninety (90) days", "-o", &revised]);
    let before = std::fs::read(&path).unwrap();
    let same = run(&["word", "compare", &path, &path]);
    assert_eq!(
        String::from_utf8_lossy(&same.stdout),
        "changed: nothing\nnote: the two documents say the same; how they look was not compared\nnothing was written\n"
    );
    let shown = run(&["word", "compare", &path, &revised]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("+ Either party may end it by ninety (90) days"));
    assert_eq!(std::fs::read(&path).unwrap(), before, "a comparison writes nothing unless it is told where");
    let compared =
        run(&["word", "compare", &path, &revised, "-o", &redline, "--author", "Ann Lee", "--json"]);
    assert_eq!(compared.status.code(), Some(0), "{}", String::from_utf8_lossy(&compared.stderr));
    let changes = json(&run(&["word", "changes", &redline, "--json"]));
    let ours = changes.as_array().unwrap().iter().filter(|change| change["author"] == "Ann Lee").count();
    assert_eq!(ours, 2, "{changes}");
    run(&["word", "accept", &redline, "--by", "Ann Lee", "-o", &accepted]);
    let text =
        |path: &str| String::from_utf8(run(&["word", "read", path, "--format", "simple"]).stdout).unwrap();
    assert_eq!(text(&accepted), text(&revised));
}

#[test]
fn a_bookmark_s_name_does_wherever_a_paragraph_s_id_does() {
    let (folder, path) = sample("contract.docx");
    let out = folder.path().join("out.docx");
    let out = out.to_str().unwrap();
    let good = |arguments: &[&str]| {
        let done = run(&[arguments, &["--json"]].concat());
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&done.stdout));
        json(&done)
    };
    let text = "Behind the bookmark.";
    let inserted = good(&[
        "word",
        "insert",
        &path,
        "--id",
        "_Ref1",
        "--style-source",
        "_Ref1",
        "--text",
        text,
        "--track",
        "-o",
        out,
    ]);
    let id = &inserted["outcomes"][0]["paragraphs"][0];
    let page = good(&["word", "read", out]);
    let rows = page["nodes"].as_array().unwrap();
    let at = rows.iter().position(|row| row["text"] == text).unwrap_or_else(|| panic!("{id} in {page}"));
    assert!(
        rows[at - 1]["text"].as_str().unwrap().starts_with("The Customer shall pay each invoice"),
        "{page}"
    );
    good(&["word", "edit", &path, "--id", "_Ref1", "--old", "each", "--new", "every", "--track", "-o", out]);
    good(&["word", "reject", out, "--id", "_Ref1", "-o", out]);
    assert_eq!(good(&["word", "read", out]), good(&["word", "read", &path]), "the change in it was rejected");

    let wrong = json(&run(&["word", "edit", &path, "--id", "_Ref7", "--old", "a", "--new", "b", "--json"]));
    assert_eq!(wrong["error"]["code"], "INVALID_ARGUMENT", "{wrong}");
    assert!(wrong["error"]["message"].as_str().unwrap().contains("a bookmark's name"), "{wrong}");
    assert!(wrong["error"]["hint"].as_str().unwrap().contains("word read"), "{wrong}");
}

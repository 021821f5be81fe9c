//! Arguments, exit codes, and what goes to which stream.

use crate::binary::{json, run};

#[test]
fn help_is_for_people_and_ends_well() {
    for arguments in [
        &["--help"][..],
        &["mcp", "--help"],
        &["serve", "--help"],
        &["review", "--help"],
        &["doctor", "--help"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("Examples:"), "{arguments:?}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_a_failure_and_no_finding() {
    for arguments in [&["word", "frob"][..], &["word", "edit", "a.docx", "--old", "x"], &["word"], &[]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    let output = run(&["word", "check", "--jsn", "--json", "a.docx"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["error"]["code"], "USAGE");
    assert!(json(&output)["error"]["message"].as_str().expect("a message").contains("--jsn"));
}

#[test]
fn an_unknown_toolset_names_the_nearest() {
    let output = run(&["mcp", "--tools", "markdwon"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("markdwon") && error.contains("did you mean `markdown`"), "{error}");
}

#[test]
fn a_failure_in_json_is_one_value_on_stdout() {
    let output = run(&["serve", "--listen", "nowhere", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&output);
    assert_eq!(value["ok"], false);
    assert_eq!(value["error"]["code"], "BAD_ADDRESS");
    assert!(value["error"]["hint"].is_string());
}

#[test]
fn an_address_that_others_can_reach_needs_a_token() {
    let output = run(&["serve", "--listen", "0.0.0.0:0", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["error"]["code"], "TOKEN_NEEDED");
}

#[test]
fn the_doctor_checks_what_it_says_it_checks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().to_str().expect("a plain path");
    let well = run(&["doctor", "--json", "--root", root]);
    assert_eq!(well.status.code(), Some(0), "{}", String::from_utf8_lossy(&well.stdout));
    assert_eq!(json(&well)["ok"], true);

    let missing = run(&["doctor", "--json", "--root", &format!("{root}/missing")]);
    assert_eq!(missing.status.code(), Some(1));
    let checks = json(&missing)["checks"].clone();
    let root_check = checks.as_array().expect("checks").iter().find(|check| check["ok"] == false);
    assert!(root_check.expect("one fails")["fix"].is_string());
}

#[test]
fn the_doctor_lists_the_unsaved_work_of_earlier_runs() {
    use workspace::{Caller, Config, EditRequest, Kind, Mode, OpenIn, Text, TextEdit, Workspace};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (root, state) = (folder.path().join("docs"), folder.path().join("state"));
    std::fs::create_dir(&root).expect("a folder");
    std::fs::write(root.join("a.cfg"), "one").expect("a file");
    let unsaved = || {
        let output = run(&[
            "doctor",
            "--json",
            "--root",
            &root.to_string_lossy(),
            "--state-dir",
            &state.to_string_lossy(),
        ]);
        let checks = json(&output)["checks"].clone();
        let check = checks
            .as_array()
            .expect("checks")
            .iter()
            .find(|check| check["name"] == "unsaved work of earlier runs");
        check.expect("the check is there")["found"].as_str().expect("a text").to_owned()
    };
    assert_eq!(unsaved(), "none");
    let config = Config { state: Some(state.clone()), ..Config::default() };
    let workspace = Workspace::alone(Caller::person("Ann", &root), config).expect("a workspace");
    let opened = workspace.open("a.cfg", OpenIn::Tab(None)).expect("it opens").document;
    let untitled =
        workspace.create(Some("Ideas"), Kind::Text, OpenIn::Tab(None)).expect("it is made").document;
    for document in [opened, untitled] {
        let request = EditRequest::new(vec![TextEdit::new(0..0, "x")], Mode::Apply);
        workspace.edit::<Text>(document, request).expect("it is edited");
    }
    // A process that runs has its own in hand.
    assert_eq!(unsaved(), "none");
    drop(workspace);
    let found = unsaved();
    assert!(found.contains("a.cfg: 1 edits, 0 suggestions, back when it is opened"), "{found}");
    assert!(found.contains("Ideas: 1 edits, 0 suggestions, without a file"), "{found}");
    let journals = std::fs::read_dir(state.join("journals")).expect("journals");
    for journal in journals {
        std::fs::write(journal.expect("a journal").path().join("log-1"), "damaged").expect("a log");
    }
    assert!(unsaved().contains("its beginning is damaged"), "{}", unsaved());
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("docwright"), "{shell}");
    }
}

//! What a user settles once, and what stands above it.

use std::path::Path;
use std::process::{Command, Output};

use crate::binary::{docwright, json, root};

/// The binary with a home of its own.
fn command(home: &Path, arguments: &[&str]) -> Command {
    let mut command = docwright(home);
    for variable in ["XDG_CONFIG_HOME", "DOCWRIGHT_AUTHOR", "DOCWRIGHT_CONFIG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command.env("APPDATA", home).args(arguments);
    command
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    command(home, arguments).output().expect("the binary starts")
}

/// Who a tracked change is signed by.
fn author(home: &Path, set: impl FnOnce(&mut Command), more: &[&str]) -> String {
    let file = home.join("contract.docx");
    std::fs::copy(root().join("samples/contract.docx"), &file).expect("copied");
    let path = file.to_str().expect("a plain path");
    let edit = ["word", "edit", path, "--old", "its date", "--new", "receipt", "--track"];
    let mut edit = command(home, &[&edit[..], more].concat());
    set(&mut edit);
    assert_eq!(edit.output().expect("the binary starts").status.code(), Some(0));
    let changes = json(&run(home, &["word", "changes", path, "--json"]));
    let ours = changes.as_array().expect("a list").iter().find(|change| change["text"] == "receipt");
    ours.expect("the change")["author"].as_str().expect("a name").to_owned()
}

#[test]
fn an_option_is_stronger_than_a_variable_and_that_than_the_file() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let home = home.path();
    let plain = |_: &mut Command| {};
    let named = |command: &mut Command| {
        command.env("DOCWRIGHT_AUTHOR", "Var");
    };
    assert_eq!(author(home, plain, &[]), "Docwright");
    assert_eq!(run(home, &["config", "author", "Ann Lee"]).status.code(), Some(0));
    assert_eq!(author(home, plain, &[]), "Ann Lee");
    assert_eq!(author(home, plain, &["--as", "agent"]), "Docwright", "an agent does not sign for the person");
    assert_eq!(author(home, named, &[]), "Var");
    assert_eq!(author(home, named, &["--author", "Opt"]), "Opt");
    let shown = json(&run(home, &["config", "--json"]));
    assert_eq!(shown["settings"][0]["value"], "Ann Lee");
    assert_eq!(shown["settings"][0]["from"], "file");
    assert_eq!(run(home, &["config", "author", "--unset"]).status.code(), Some(0));
    assert_eq!(author(home, plain, &[]), "Docwright");
}

#[test]
fn a_broken_file_is_told_of_and_not_guessed_at() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let file = home.path().join("mine.toml");
    std::fs::write(&file, "autor = 'Ann'\n").expect("a file");
    let mut doctor = command(home.path(), &["md", "read", "x.md", "--json"]);
    let refused = doctor.env("DOCWRIGHT_CONFIG", &file).output().expect("the binary starts");
    assert_eq!(json(&refused)["error"]["code"], "BAD_CONFIG");
    let message = json(&refused)["error"]["message"].to_string();
    assert!(message.contains("mine.toml") && message.contains("autor"), "{message}");
    let wrong = run(home.path(), &["config", "color", "pink", "--json"]);
    assert_eq!(json(&wrong)["error"]["code"], "INVALID_ARGUMENT");
}

#[test]
fn colours_come_when_they_are_asked_for_and_never_unasked() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let file = home.path().join("handbook.md");
    std::fs::copy(root().join("samples/handbook.md"), &file).expect("copied");
    let path = file.to_str().expect("a plain path");
    let edit = ["md", "edit", path, "--old", "5 minutes", "--new", "6 minutes", "--dry-run"];
    let printed =
        |more: &[&str]| String::from_utf8(run(home.path(), &[&edit[..], more].concat()).stdout).unwrap();
    assert!(printed(&[]).contains("line 17: 5 minutes → 6 minutes"), "{}", printed(&[]));
    assert!(!printed(&[]).contains('\u{1b}'));
    assert!(
        printed(&["--color", "always"]).contains("\u{1b}[1;7;31m5\u{1b}[0m"),
        "{}",
        printed(&["--color", "always"])
    );
}

#[test]
fn values_that_begin_with_a_dash_are_values() {
    let home = tempfile::tempdir().expect("a temporary folder");
    for sample in ["handbook.md", "budget.xlsx"] {
        std::fs::copy(root().join("samples").join(sample), home.path().join(sample)).expect("copied");
    }
    let file = |name: &str| home.path().join(name).to_str().expect("a plain path").to_owned();
    let (page, book) = (file("handbook.md"), file("budget.xlsx"));
    for arguments in [
        &["md", "edit", &page, "--after", "h-1", "--new", "- one more point"][..],
        &["md", "edit", &page, "--old", "- one more", "--new", "-- one"],
        &["xlsx", "set", &book, "--cell", "Inputs!B2", "--formula", "-5"],
        &["xlsx", "set", &book, "--cell", "Inputs!B2", "--value", "-5"],
    ] {
        let output = run(home.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    }
}

#[test]
fn a_search_without_a_hit_says_so_beside_the_answer() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let contract = root().join("samples/contract.docx");
    let path = contract.to_str().expect("a plain path");
    let output = run(home.path(), &["word", "grep", path, "thirty days"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nothing found: `thirty days`") && said.contains("thirty (30) days"), "{said}");
}

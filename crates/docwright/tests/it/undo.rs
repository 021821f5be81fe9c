//! `docwright undo`: exactly the bytes that were there, and only while nobody else changed the file.

use std::path::Path;
use std::process::Output;

use crate::binary::{docwright, json, sample};

fn run(state: &Path, arguments: &[&str]) -> Output {
    docwright(state).args(arguments).output().expect("the binary starts")
}

#[track_caller]
fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn changes_are_taken_back_one_by_one_and_made_again() {
    let state = tempfile::tempdir().expect("a temporary folder");
    let (_folder, path) = sample("contract.docx");
    let bytes = || std::fs::read(&path).expect("the file");
    let mut versions = vec![bytes()];
    for new in ["sixty-one (61) days", "ninety (90) days"] {
        let old = if versions.len() == 1 { "thirty (30) days" } else { "sixty-one (61) days" };
        done(&run(state.path(), &["word", "edit", &path, "--old", old, "--new", new]));
        versions.push(bytes());
    }
    let listed = json(&run(state.path(), &["undo", &path, "--list", "--json"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
    assert_eq!(listed[0]["command"], "word edit");

    let undone = run(state.path(), &["undo", &path, "--json"]);
    assert_eq!(json(&undone)["left"], 1, "{undone:?}");
    assert_eq!(bytes(), versions[1]);
    done(&run(state.path(), &["undo", &path]));
    assert_eq!(bytes(), versions[0]);
    let nothing = run(state.path(), &["undo", &path, "--json"]);
    assert_eq!(
        (nothing.status.code(), &json(&nothing)["error"]["code"]),
        (Some(1), &"NOTHING_TO_UNDO".into())
    );

    for version in &versions[1..] {
        done(&run(state.path(), &["undo", &path, "--redo"]));
        assert_eq!(bytes(), *version);
    }
    assert_eq!(run(state.path(), &["undo", &path, "--redo"]).status.code(), Some(1));
}

#[test]
fn a_file_that_changed_since_is_left_alone() {
    let state = tempfile::tempdir().expect("a temporary folder");
    let (_folder, path) = sample("handbook.md");
    done(&run(state.path(), &["md", "edit", &path, "--old", "5 minutes", "--new", "6 minutes"]));
    let mut changed = std::fs::read(&path).expect("the file");
    changed.extend(b"\nmine\n");
    std::fs::write(&path, &changed).expect("it is changed");
    let refused = run(state.path(), &["undo", &path, "--json"]);
    assert_eq!(json(&refused)["error"]["code"], "CHANGED_ON_DISK");
    assert_eq!(std::fs::read(&path).expect("the file"), changed);
}

#[test]
fn what_was_written_over_another_file_comes_back_and_a_dry_run_keeps_nothing() {
    let state = tempfile::tempdir().expect("a temporary folder");
    let (folder, path) = sample("budget.xlsx");
    let other = folder.path().join("other.xlsx");
    std::fs::copy(&path, &other).expect("a copy");
    let output = other.to_str().expect("a plain path");
    let before = std::fs::read(&other).expect("the file");
    done(&run(state.path(), &["xlsx", "set", &path, "--cell", "Inputs!B2", "--value", "9", "-o", output]));
    assert_ne!(std::fs::read(&other).expect("the file"), before);
    done(&run(state.path(), &["undo", output]));
    assert_eq!(std::fs::read(&other).expect("the file"), before);
    done(&run(state.path(), &["xlsx", "set", &path, "--cell", "Inputs!B2", "--value", "9", "--dry-run"]));
    assert_eq!(run(state.path(), &["undo", &path]).status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn modes_and_links_stay_as_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let state = tempfile::tempdir().expect("a temporary folder");
    let (folder, path) = sample("handbook.md");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("a mode");
    let link = folder.path().join("link.md");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    done(&run(state.path(), &["md", "edit", &path, "--old", "5 minutes", "--new", "6 minutes"]));
    done(&run(state.path(), &["undo", link.to_str().expect("a plain path")]));
    assert!(link.is_symlink());
    assert_eq!(std::fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o640);
    assert!(std::fs::read_to_string(&path).expect("text").contains("5 minutes"));
}

//! The settings of clients, in a home folder of the test's own.

use std::path::Path;
use std::process::Output;

use crate::binary::{docwright, json};

fn run(home: &Path, arguments: &[&str]) -> Output {
    let mut command = docwright(home);
    command
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("CODEX_HOME")
        .env("APPDATA", home)
        .env("USERPROFILE", home);
    command.args(arguments).stdin(std::process::Stdio::null()).output().expect("the binary starts")
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a temporary folder");
    for folder in ["Documents", ".cursor", ".codex", ".claude"] {
        std::fs::create_dir(home.path().join(folder)).expect("a folder");
    }
    home
}

#[test]
fn clients_that_are_found_get_the_server_and_lose_it_again() {
    let home = home();
    let claude = home.path().join(".claude.json");
    let before = "{\n  \"numStartups\": 3,\n  \"projects\": { }\n}\n";
    std::fs::write(&claude, before).expect("settings");

    let output = run(home.path(), &["install", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let changed = json(&output)["changed"].as_array().expect("a list").len();
    assert_eq!(changed, 4, "Claude Code with its skill, Cursor and Codex: {output:?}");
    let settings: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&claude).expect("settings")).expect("plain JSON");
    let documents = home.path().join("Documents");
    assert_eq!(settings["mcpServers"]["docwright"]["args"][2], documents.to_str().expect("a plain path"));
    let command = settings["mcpServers"]["docwright"]["command"].as_str().expect("a program");
    assert!(Path::new(command).is_absolute(), "{command}");

    let again = json(&run(home.path(), &["install", "--yes", "--json"]));
    assert_eq!(again["changed"].as_array().map(Vec::len), Some(0), "{again}");

    assert_eq!(run(home.path(), &["uninstall", "--yes"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&claude).expect("settings"), before);
    for gone in [".cursor/mcp.json", ".codex/config.toml", ".claude/skills/docwright/SKILL.md"] {
        assert!(!home.path().join(gone).exists(), "{gone} was made by us and goes with us");
    }
}

#[test]
fn nothing_is_changed_before_somebody_agreed() {
    let home = home();
    let output = run(home.path(), &["install", "--client", "cursor"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(shown.contains("\"docwright\"") && shown.contains("--yes"), "{shown}");
    assert!(!home.path().join(".cursor/mcp.json").exists());
}

#[test]
fn settings_that_cannot_be_read_are_left_and_told_of() {
    let home = home();
    let cursor = home.path().join(".cursor/mcp.json");
    std::fs::write(&cursor, "{ broken").expect("settings");
    let output = run(home.path(), &["install", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(1), "not everything was done");
    let left = json(&output)["left"].clone();
    assert!(left[0]["why"].as_str().expect("a reason").contains("mcp.json"), "{left}");
    assert_eq!(std::fs::read_to_string(&cursor).expect("settings"), "{ broken");
    assert!(home.path().join(".codex/config.toml").exists(), "the others get it");
}

#[test]
fn what_to_paste_elsewhere_is_plain_json() {
    let home = home();
    let output = run(home.path(), &["install", "--print", "--", "--tools", "all"]);
    let printed = json(&output);
    let arguments = printed["mcpServers"]["docwright"]["args"].as_array().expect("arguments");
    assert_eq!(arguments.last().and_then(|last| last.as_str()), Some("all"));
    let nowhere = run(home.path(), &["install", "--print", "--root", "no such folder", "--json"]);
    assert_eq!(json(&nowhere)["error"]["code"], "NO_ROOT");
}

#[cfg(unix)]
#[test]
fn a_link_to_settings_stays_a_link() {
    let home = home();
    let real = home.path().join("dotfiles.json");
    std::fs::write(&real, "{}").expect("settings");
    std::os::unix::fs::symlink(&real, home.path().join(".cursor/mcp.json")).expect("a link");
    assert_eq!(run(home.path(), &["install", "--yes", "--client", "cursor"]).status.code(), Some(0));
    assert!(home.path().join(".cursor/mcp.json").is_symlink());
    assert!(std::fs::read_to_string(&real).expect("settings").contains("docwright"));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = run(folder.path(), &["man", folder.path().to_str().expect("a plain path")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for page in ["docwright.1", "docwright-word-edit.1", "docwright-install.1"] {
        assert!(folder.path().join(page).exists(), "{page}");
    }
}

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
fn every_file_comes_back_to_the_byte() {
    let home = home();
    std::fs::create_dir_all(home.path().join(".gemini")).expect("a folder");
    std::fs::create_dir_all(home.path().join(".codeium/windsurf")).expect("a folder");
    let files = [
        (".cursor/mcp.json", "{\r\n\t\"mcpServers\": {}\r\n}"),
        (".codex/config.toml", "model = \"o4\" # mine\n[profiles.x]\nmodel = \"y\""),
        (".codeium/windsurf/mcp_config.json", ""),
        (
            ".gemini/settings.json",
            "{\"mcpServers\": {\"docwright\": {\"command\": \"/old/docwright\"}}, \"theme\": 1}\n",
        ),
        (".claude.json", "{\n  \"numStartups\": 3\n}\n"),
    ];
    for (path, text) in files {
        std::fs::write(home.path().join(path), text).expect("settings");
    }
    // Put in twice, with other options: what was there before the first time comes back.
    for options in [&["install", "--yes"][..], &["install", "--yes", "--", "--read-only"]] {
        assert_eq!(run(home.path(), options).status.code(), Some(0));
    }
    for (path, text) in files {
        let now = std::fs::read_to_string(home.path().join(path)).expect("settings");
        assert!(now != text && now.contains("--read-only"), "{path}: {now}");
    }
    assert_eq!(run(home.path(), &["uninstall", "--yes"]).status.code(), Some(0));
    for (path, text) in files {
        assert_eq!(std::fs::read_to_string(home.path().join(path)).expect("settings"), text, "{path}");
    }
    // What the user changed meanwhile stays, and only our entry goes.
    assert_eq!(run(home.path(), &["install", "--yes"]).status.code(), Some(0));
    let cursor = home.path().join(".cursor/mcp.json");
    let mine = std::fs::read_to_string(&cursor).expect("settings").replacen('{', "{ \"mine\": 1,", 1);
    std::fs::write(&cursor, mine).expect("settings");
    for _ in 0..2 {
        run(home.path(), &["uninstall", "--yes"]);
        let left = std::fs::read_to_string(&cursor).expect("settings");
        assert!(left.contains("\"mine\": 1") && !left.contains("docwright"), "{left}");
    }
}

#[test]
fn what_is_only_shown_needs_no_folder() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let output = run(home.path(), &["install", "--print"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("\"mcpServers\"") && shown.contains("/path/to/your/documents"), "{shown}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("in the place of"), "{output:?}");
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

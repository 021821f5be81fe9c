//! What somebody at a terminal sees and a pipe does not.

use std::process::Command;

use crate::binary::{docwright, root};
use crate::pseudo_terminal::Terminal;

/// A command in a folder with the samples.
fn command(folder: &std::path::Path, arguments: &[&str]) -> Command {
    for sample in ["contract.docx", "budget.xlsx"] {
        std::fs::copy(root().join("samples").join(sample), folder.join(sample)).expect("copied");
    }
    let mut command = docwright(folder);
    for variable in ["XDG_CONFIG_HOME", "DOCWRIGHT_CONFIG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm").args(arguments).current_dir(folder);
    command
}

const EDIT: [&str; 8] =
    ["word", "edit", "contract.docx", "--old", "its date", "--new", "receipt", "--dry-run"];

#[test]
fn changes_are_shown_word_by_word_in_colours_unless_somebody_wants_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut terminal = Terminal::start(command(folder.path(), &EDIT), 120, 24);
    terminal.has("nothing was written");
    assert!(terminal.sent().contains("\u{1b}[1;7;32mreceipt\u{1b}[0m"), "{:?}", terminal.sent());
    for (variable, more) in [(Some("NO_COLOR"), &[][..]), (None, &["--color", "never"])] {
        let mut plain = command(folder.path(), &[&EDIT[..], more].concat());
        if let Some(variable) = variable {
            plain.env(variable, "1");
        }
        let mut terminal = Terminal::start(plain, 120, 24);
        terminal.has("nothing was written");
        assert!(!terminal.sent().contains("\u{1b}["), "{:?}", terminal.sent());
    }
}

#[test]
fn work_over_a_second_says_what_it_is_at_and_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let slow = "const began = Date.now(); while (Date.now() - began < 2500); return 'done'";
    let exec = command(folder.path(), &["xlsx", "exec", "budget.xlsx", "--code", slow]);
    let mut terminal = Terminal::start(exec, 80, 24);
    terminal.has("working on budget.xlsx … 1 s");
    let (code, screen) = terminal.ended();
    assert_eq!(code, Some(0));
    assert_eq!(screen.trim(), "done");
}

#[test]
fn a_server_explains_itself_to_whoever_starts_it_by_hand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut terminal = Terminal::start(command(folder.path(), &["mcp", "--alone"]), 100, 24);
    terminal.has("docwright install");
    terminal.press("\u{4}");
    assert_eq!(terminal.ended().0, Some(0));
}

//! `docwright review`, on what a killed `docwright mcp` left.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::binary::{Session, docwright, json as value, root};

const LETTER: &str = "# Letter\n\nDear Sir,\n\nwe owe you thirty days.\n\nYours\n";

/// A folder with a letter in which an agent suggested three words, and then was killed. Gives the ids.
fn suggested() -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("letter.md"), LETTER).expect("written");
    let mut agent = Session::start(folder.path(), &["--tools", "all", "--author", "Bot"]);
    agent.call("workspace_open_document", json!({ "path": "letter.md" }));
    let words = [("Sir", "Madam"), ("thirty", "sixty"), ("Yours", "Sincerely yours")];
    let ids = words.map(|(search, replace)| {
        let (said, failed) = agent.call("document_replace", json!({ "search": search, "replace": replace }));
        assert!(!failed, "{said}");
        let said: Value = serde_json::from_str(&said).expect("JSON");
        said["suggestionId"].as_str().expect("an id").to_owned()
    });
    agent.kill();
    (folder, ids.to_vec())
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = docwright(folder);
    command.current_dir(folder).args(["review", "--alone", "--as-name", "Ann"]).args(arguments);
    command
}

#[track_caller]
fn run(folder: &Path, arguments: &[&str], code: i32) -> Output {
    let output = command(folder, arguments).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{said}", text(&output));
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn letter(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("letter.md")).expect("the letter is there")
}

#[test]
fn with_nothing_to_decide_it_says_so_and_how_to_start() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = text(&run(folder.path(), &[], 0));
    assert!(said.starts_with("Nothing to decide.") && said.contains("docwright mcp"), "{said}");
    run(folder.path(), &["--list"], 0);
    std::fs::write(folder.path().join("letter.md"), LETTER).expect("written");
    assert!(text(&run(folder.path(), &["letter.md", "--list"], 0)).starts_with("Nothing to decide in "));
    let missing = value(&run(folder.path(), &["other.md", "--json"], 1));
    assert_eq!(missing["error"]["code"], "FILE_NOT_FOUND");
}

#[test]
fn lists_tell_what_there_is_and_end_with_findings() {
    let (folder, ids) = suggested();
    let said = text(&run(folder.path(), &[], 0));
    assert!(said.contains("letter.md  3 pending"), "{said}");
    let documents = value(&run(folder.path(), &["--list", "--json"], 2));
    assert_eq!(documents["documents"][0]["pending"], 3);
    // Nobody is asked where nobody sits.
    for arguments in [&["letter.md", "--list"][..], &["letter.md"]] {
        let said = text(&run(folder.path(), arguments, 2));
        let rows: Vec<&str> = said.lines().skip(2).collect();
        assert_eq!(rows.len(), 3, "{said}");
        for (row, id) in rows.iter().zip(&ids) {
            assert!(row.starts_with(id) && row.contains("suggestion  Bot"), "{said}");
        }
        assert!(rows[1].ends_with("line 5  Replace \"thirty\" with \"sixty\""), "{said}");
    }
    let items = value(&run(folder.path(), &["letter.md", "--json"], 2));
    assert_eq!(
        items["items"][0]["changes"][0],
        json!({ "place": "line 3", "before": "Dear Sir,", "after": "Dear Madam," })
    );
    assert_eq!(run(folder.path(), &["letter.md", "--list", "--author", "Nobody"], 0).stderr, b"");
}

#[test]
fn decisions_are_made_by_id_kept_and_saved_when_asked() {
    let (folder, ids) = suggested();
    let wrong = value(&run(folder.path(), &["letter.md", "--accept", &ids[0], "sug_0", "--json"], 1));
    assert_eq!(wrong["error"]["code"], "NOT_FOUND");
    run(folder.path(), &["--accept", &ids[0]], 1);
    let done =
        value(&run(folder.path(), &["letter.md", "--accept", &ids[0], "--reject", &ids[1], "--json"], 0));
    assert_eq!((&done["accepted"], &done["rejected"]), (&json!([ids[0]]), &json!([ids[1]])));
    assert_eq!((&done["left"]["pending"], &done["unsaved"]), (&json!(1), &json!(true)));
    assert_eq!(letter(folder.path()), LETTER);
    let gone = value(&run(folder.path(), &["letter.md", "--accept", &ids[1], "--json"], 1));
    assert_eq!(gone["error"]["code"], "NOT_FOUND");
    let saved = text(&run(folder.path(), &["letter.md", "--save"], 0));
    assert!(
        saved.contains("1 left to decide") && saved.contains("still pending") && saved.contains("Saved "),
        "{saved}"
    );
    assert_eq!(letter(folder.path()), LETTER.replace("Sir", "Madam"));
    run(folder.path(), &["letter.md", "--accept-all", "--save"], 0);
    assert_eq!(letter(folder.path()), LETTER.replace("Sir", "Madam").replace("Yours", "Sincerely yours"));
    // Who decided is known to whoever asks later.
    let mut agent = Session::start(folder.path(), &["--tools", "all"]);
    let (said, _) = agent.call("suggestion_wait", json!({ "suggestionIds": ids, "seconds": 0 }));
    let stands: Value = serde_json::from_str(&said).expect("JSON");
    for (stands, how) in
        stands["suggestions"].as_array().expect("all").iter().zip(["accepted", "rejected", "accepted"])
    {
        assert_eq!((&stands["status"], &stands["detail"]), (&json!(how), &json!("Ann")), "{said}");
    }
}

#[test]
fn what_is_named_goes_before_the_rest() {
    let (folder, ids) = suggested();
    let done = value(&run(folder.path(), &["letter.md", "--accept", &ids[2], "--reject-all", "--json"], 0));
    assert_eq!((&done["accepted"], &done["rejected"]), (&json!([ids[2]]), &json!([ids[0], ids[1]])));
}

#[test]
fn tracked_changes_of_word_are_decided_by_number_or_author() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = root().join("samples/contract.docx");
    let mut edit = docwright(folder.path());
    edit.arg("word").arg("edit").arg(sample).args(["--old", "thirty (30) days", "--new", "sixty (60) days"]);
    edit.args(["--track", "--author", "Bot", "-o"]).arg(folder.path().join("c.docx"));
    assert!(edit.status().expect("it runs").success());
    let mine = |code| value(&run(folder.path(), &["c.docx", "--list", "--author", "Bot", "--json"], code));
    let items = mine(2);
    let ids: Vec<&str> =
        items["items"].as_array().expect("items").iter().filter_map(|item| item["id"].as_str()).collect();
    assert!(ids.len() >= 2, "{items}");
    let one = value(&run(folder.path(), &["c.docx", "--reject", ids[0], "--json"], 0));
    assert_eq!((&one["rejected"], &one["unsaved"]), (&json!([ids[0]]), &json!(true)));
    let rest =
        value(&run(folder.path(), &["c.docx", "--accept-all", "--author", "Bot", "--save", "--json"], 0));
    assert_eq!(rest["accepted"].as_array().map(Vec::len), Some(ids.len() - 1), "{rest}");
    assert_eq!((mine(0)["total"].as_u64(), &rest["unsaved"]), (Some(0), &json!(false)));
}

#[cfg(unix)]
mod walk {
    use super::*;
    use crate::pseudo_terminal::Terminal;

    const KEYS: &str = "a accept  r reject  s skip  u undo  A accept rest  R reject rest  ? help  q quit";

    fn walk(folder: &Path, more: &[&str]) -> Terminal {
        let mut command = command(folder, &["letter.md"]);
        command.env("TERM", "xterm").env_remove("NO_COLOR").args(more);
        Terminal::start(command, 80, 16)
    }

    fn item(position: &str, summary: &str, place: &str, diff: &str, said: &str) -> String {
        let title = format!("letter.md{}{position}", " ".repeat(80 - 9 - position.len()));
        let said = if said.is_empty() { String::new() } else { format!("{said}\n") };
        format!("{title}\nSuggestion by Bot, NOW\n{summary}\n\nin Letter\n{place}\n{diff}\n\n{said}{KEYS}")
    }

    fn first(said: &str) -> String {
        let diff = "- Dear [-Sir-],\n+ Dear {+Madam+},";
        item("1 of 3", "Replace \"Sir\" with \"Madam\"", "line 3", diff, said)
    }

    fn second(said: &str) -> String {
        let diff = "- we owe you [-thirty-] days.\n+ we owe you {+sixty+} days.";
        item("2 of 3", "Replace \"thirty\" with \"sixty\"", "line 5", diff, said)
    }

    fn third(said: &str) -> String {
        item(
            "3 of 3",
            "Replace \"Yours\" with \"Sincerely yours\"",
            "line 7",
            "- Yours\n+ Sincerely yours",
            said,
        )
    }

    #[test]
    fn each_key_does_what_it_says() {
        let (folder, _) = suggested();
        let mut terminal = walk(folder.path(), &["--color", "never"]);
        terminal.shows(&first(""));
        terminal.press("u");
        terminal.shows(&first("Nothing was decided yet"));
        terminal.press("a");
        terminal.shows(&second("Accepted: Replace \"Sir\" with \"Madam\""));
        terminal.press("u");
        terminal.shows(&first("Taken back"));
        // Arrows are no letters.
        terminal.press("\u{1b}[A\u{1b}Oa");
        terminal.press("a");
        terminal.shows(&second("Accepted: Replace \"Sir\" with \"Madam\""));
        terminal.press("r");
        terminal.shows(&third("Rejected: Replace \"thirty\" with \"sixty\""));
        terminal.press("u");
        terminal.shows(&second("Taken back"));
        terminal.press("r");
        terminal.shows(&third("Rejected: Replace \"thirty\" with \"sixty\""));
        terminal.press("s");
        terminal.shows(
            "letter.md\n\naccepted 1, rejected 1; 1 left to decide\n\
             The document has changes that are not in its file yet.\n\n\
             Skipped\nw save  u undo  q quit",
        );
        assert_eq!(letter(folder.path()), LETTER);
        terminal.press("w");
        terminal.has("rejected 1; 1 left to decide\nSaved ");
        assert_eq!(letter(folder.path()), LETTER.replace("Sir", "Madam"));
        terminal.press("q");
        let (code, left) = terminal.ended();
        assert_eq!(code, Some(0));
        assert!(left.starts_with("letter.md: accepted 1, rejected 1; 1 left to decide\nSaved "), "{left}");
    }

    #[test]
    fn all_the_rest_is_accepted_at_once_and_rejected_when_one_is_sure() {
        let (folder, _) = suggested();
        let mut terminal = walk(folder.path(), &["--color", "never"]);
        terminal.press("sR");
        terminal.has("Reject everything that is left? y does it");
        terminal.press("n");
        terminal.has("Nothing was rejected");
        terminal.press("A");
        terminal.has("accepted 2, rejected 0; 1 left to decide");
        terminal.press("uuq");
        let (code, left) = terminal.ended();
        assert_eq!(code, Some(0));
        assert!(left.starts_with("letter.md: accepted 0, rejected 0; 3 left to decide"), "{left}");
    }

    #[test]
    fn colours_tell_the_words_unless_they_are_not_wanted() {
        let (folder, _) = suggested();
        let mut terminal = walk(folder.path(), &[]);
        terminal.has("- Dear Sir,");
        assert!(terminal.sent().contains("\u{1b}[1;7;31mSir\u{1b}[0m"), "{:?}", terminal.sent());
        terminal.press("q");
        terminal.ended();
        let mut plain = command(folder.path(), &["letter.md"]);
        plain.env("NO_COLOR", "1");
        let mut terminal = Terminal::start(plain, 80, 16);
        terminal.has("- Dear [-Sir-],");
        assert!(!terminal.sent().contains("[31m"), "{:?}", terminal.sent());
        terminal.press("\u{3}");
        terminal.ended();
    }

    #[test]
    fn a_narrow_or_low_window_wraps_and_cuts_with_a_count() {
        let (folder, _) = suggested();
        let mut terminal = walk(folder.path(), &["--color", "never"]);
        terminal.shows(&first(""));
        terminal.resize(34, 12);
        terminal.has("a accept  r reject  s skip  u undo\nA accept rest  R reject rest\n? help  q quit");
        terminal.has("… 3 more lines; m shows them");
        terminal.press("mm");
        terminal.has("+ Dear {+Madam+},");
        terminal.press("q");
        assert_eq!(terminal.ended().0, Some(0));
    }

    #[test]
    fn a_signal_leaves_the_terminal_as_it_was() {
        let (folder, _) = suggested();
        let mut terminal = walk(folder.path(), &["--color", "never"]);
        terminal.shows(&first(""));
        let process = rustix::process::Pid::from_raw(terminal.id() as i32).expect("a process");
        rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("it is told to end");
        let (code, left) = terminal.ended();
        assert_eq!((code, left.as_str()), (Some(1), ""));
    }

    #[test]
    fn what_is_stale_can_be_rejected_and_not_accepted() {
        let (folder, _) = suggested();
        std::fs::write(folder.path().join("letter.md"), LETTER.replace("Dear Sir", "Hello"))
            .expect("written");
        let mut terminal = walk(folder.path(), &["--color", "never"]);
        // Those that can be applied come first.
        terminal.press("ss");
        terminal.has("3 of 3");
        terminal.has("Stale, it can only be rejected: ");
        terminal.has("r reject  s skip  u undo  R reject rest  ? help  q quit");
        terminal.press("a");
        terminal.has("It is stale: what it would change is not there any more.");
        terminal.press("r");
        terminal.has("accepted 0, rejected 1; 2 left to decide");
        terminal.press("q");
        assert_eq!(terminal.ended().0, Some(0));
    }
}

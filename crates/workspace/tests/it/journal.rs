//! Unsaved work survives whatever ends the process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use workspace::{
    Caller, Closing, Config, DocId, Event, Kind, Mode, OpenIn, Overwrite, Status, Text, TextEdit, Workspace,
};

use crate::Bench;

/// A bench with a state folder, on which processes can be started anew.
pub(crate) struct Lives {
    pub(crate) folder: tempfile::TempDir,
}

impl Lives {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        Self { folder }
    }

    /// The next process on the same folder.
    pub(crate) fn next(&self) -> Bench {
        Bench::of(&self.folder.path().join("state"), &self.folder.path().join("docs"))
    }

    /// The next process, with the document that most tests are about.
    pub(crate) fn open(&self) -> (Bench, DocId) {
        let bench = self.next();
        let document = bench.open("a.cfg");
        (bench, document)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join("docs").join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn on_disk(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("docs").join(name)).unwrap()
    }

    pub(crate) fn journals(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("state/journals")).unwrap().count()
    }

    /// The folder of the only journal.
    pub(crate) fn journal(&self) -> PathBuf {
        let mut journals = std::fs::read_dir(self.folder.path().join("state/journals")).unwrap();
        journals.next().unwrap().unwrap().path()
    }

    pub(crate) fn aside(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("state/aside")).map_or(0, |entries| entries.count())
    }
}

pub(crate) fn events(bench: &Bench) -> Vec<Event> {
    bench.workspace.notices().into_iter().map(|notice| notice.event).collect()
}

#[test]
fn unsaved_edits_and_suggestions_come_back() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three four");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.suggest(document, "two", "2");
    let accepted = bench.suggest(document, "three", "3");
    let rejected = bench.suggest(document, "four", "4");
    bench.person.accept(document, &accepted).unwrap();
    bench.person.reject(document, &rejected).unwrap();
    bench.apply(document, "1", "uno");
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "1 two 3 four");
    drop(bench);

    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "1 two 3 four");
    assert!(bench.workspace.status(document).unwrap().dirty);
    assert_eq!(lives.on_disk("a.cfg"), "one two three four");
    assert!(events(&bench).iter().any(|event| matches!(event, Event::Recovered { suggestions: 1, .. })));
    let suggestions = bench.workspace.suggestions(document).unwrap();
    assert_eq!(suggestions.len(), 1);
    assert_eq!(bench.workspace.document_of(&suggestions[0].id).unwrap(), document);
    bench.person.accept(document, &suggestions[0].id).unwrap();
    assert_eq!(bench.text(document), "1 2 3 four");
    while bench.person.undo(document).unwrap().is_some() {}
    assert_eq!(bench.text(document), "one two three four");
    bench.person.reject_all(document).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    drop(bench);
    let (bench, document) = lives.open();
    assert!(!bench.workspace.status(document).unwrap().dirty);
    assert!(events(&bench).is_empty());
}

#[test]
fn a_document_that_is_let_go_clean_leaves_no_journal_unless_suggestions_wait() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two");
    let (bench, document) = lives.open();
    assert_eq!(lives.journals(), 0);
    bench.apply(document, "one", "1");
    assert_eq!(lives.journals(), 1);
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    drop(bench);
    assert_eq!(lives.journals(), 0);
    let (bench, document) = lives.open();
    let suggestion = bench.suggest(document, "two", "2");
    bench.apply(document, "1", "first");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    drop(bench);
    let (bench, document) = lives.open();
    assert!(!bench.workspace.status(document).unwrap().dirty);
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "first 2");
}

#[test]
fn an_undone_accept_is_pending_again_in_the_next_life() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two");
    let (bench, document) = lives.open();
    let suggestion = bench.suggest(document, "two", "2");
    bench.person.accept(document, &suggestion).unwrap();
    bench.person.undo(document).unwrap();
    drop(bench);
    let (bench, document) = lives.open();
    assert_eq!(bench.workspace.suggestions(document).unwrap()[0].status, Status::Pending);
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "one 2");
}

#[test]
fn edits_are_rebased_on_a_file_that_changed_meanwhile_or_kept_aside() {
    let lives = Lives::new();
    lives.file("a.cfg", "one\ntwo\nthree\n");
    let (bench, document) = lives.open();
    bench.apply(document, "three", "3");
    let suggestion = bench.suggest(document, "two", "2");
    drop(bench);

    lives.file("a.cfg", "zero\none\ntwo\nthree\n");
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "zero\none\ntwo\n3\n");
    assert!(bench.workspace.status(document).unwrap().dirty);
    drop(bench);
    // The journal must now stand on the new file.
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "zero\none\ntwo\n3\n");
    bench.person.accept(document, &suggestion).unwrap();
    drop(bench);

    lives.file("a.cfg", "zero\none\nTWO\nTHREE\n");
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "zero\none\nTWO\nTHREE\n");
    assert!(!bench.workspace.status(document).unwrap().dirty);
    assert!(events(&bench).iter().any(|event| matches!(event, Event::KeptAside { .. })));
    assert_eq!((lives.journals(), lives.aside()), (0, 1));
    let kept = bench.person.recoverable();
    assert!(kept[0].aside);
    let recovered = bench.person.recover(&kept[0].id, OpenIn::Tab(None)).unwrap();
    bench.person.save_as(recovered.document, "b.cfg", Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("b.cfg"), "zero\none\n2\n3\n");
    assert_eq!(lives.aside(), 0);
}

#[test]
fn untitled_documents_can_be_recovered_by_people() {
    let lives = Lives::new();
    let bench = lives.next();
    let document = bench.workspace.create(Some("Ideas"), Kind::Text, OpenIn::Tab(None)).unwrap().document;
    bench.edit(document, TextEdit::new(0..0, "precious"), Mode::Apply).unwrap();
    drop(bench);
    let bench = lives.next();
    let left = bench.person.recoverable();
    assert_eq!((left[0].title.as_str(), left[0].edits), ("Ideas", 1));
    // Another agent may have made it.
    assert!(bench.workspace.recoverable().is_empty());
    assert!(bench.workspace.recover(&left[0].id, OpenIn::Tab(None)).is_err());
    let recovered = bench.person.recover(&left[0].id, OpenIn::Tab(None)).unwrap();
    let text = bench.person.read::<Text, _>(recovered.document, |view| view.bytes().into_owned()).unwrap();
    assert_eq!(text, b"precious");
    assert!(bench.person.status(recovered.document).unwrap().dirty);
    assert!(bench.person.recoverable().is_empty());
}

#[test]
fn untitled_documents_that_nobody_wants_are_kept_up_to_a_bound() {
    let lives = Lives::new();
    let bench = lives.next();
    let create =
        |title: &str| bench.workspace.create(Some(title), Kind::Text, OpenIn::Tab(None)).unwrap().document;
    create("never edited");
    bench.workspace.close_tab(None, None, Closing::Careful).unwrap();
    let most = workspace::MOST_KEPT;
    // A window remembers ten that it closed, which is no reason to keep more than them in memory.
    for number in 0..most + 30 {
        let document = create(&format!("note {number}"));
        bench.edit(document, TextEdit::new(0..0, "short"), Mode::Apply).unwrap();
        bench.workspace.close_tab(None, None, Closing::Force).unwrap();
    }
    assert_eq!(bench.workspace.documents().len(), 10);
    assert_eq!((lives.journals(), lives.aside()), (10, most));
    // What was not closed is kept by itself.
    let document = create("not closed");
    bench.edit(document, TextEdit::new(0..0, "precious"), Mode::Apply).unwrap();
    drop(bench);
    let bench = lives.next();
    assert_eq!(bench.person.recoverable().iter().filter(|left| left.title == "not closed").count(), 1);
    let removed = workspace::removed_in(&lives.folder.path().join("state"));
    assert_eq!(removed.len(), 30);
    assert_eq!((removed[0].title.as_str(), removed[0].edits), ("note 0", 1));
    assert_eq!(removed[29].why, "there were more than 200 documents closed without saving");
}

#[test]
fn what_was_given_up_is_kept_but_not_brought_back() {
    let lives = Lives::new();
    lives.file("a.cfg", "one");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "two");
    bench.workspace.close_tab(None, None, Closing::Force).unwrap();
    drop(bench);
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "one");
    assert_eq!(lives.aside(), 1);

    bench.apply(document, "one", "three");
    bench.workspace.close_tab(None, None, Closing::Force).unwrap();
    bench.workspace.reopen_closed(None).unwrap().unwrap();
    drop(bench);
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "three");
}

#[test]
fn an_expired_session_with_unsaved_edits_loses_nothing() {
    let lives = Lives::new();
    lives.file("a.cfg", "one");
    let bench = lives.next();
    let document = bench.workspace.open("a.cfg", OpenIn::Background).unwrap().document;
    let session = bench.workspace.begin_session(document).unwrap();
    bench.apply(document, "one", "two");
    bench.clock.advance(4000);
    assert!(bench.workspace.session(&session).is_err());
    let document = bench.open("a.cfg");
    assert_eq!(bench.text(document), "two");
}

#[test]
fn two_processes_keep_a_journal_each() {
    let lives = Lives::new();
    lives.file("a.cfg", "one\ntwo\nthree\n");
    let (first, second) = (lives.next(), lives.next());
    let document = first.open("a.cfg");
    first.apply(document, "one", "1");
    let other = second.open("a.cfg");
    assert_eq!(second.text(other), "one\ntwo\nthree\n");
    second.apply(other, "three", "3");
    assert_eq!(lives.journals(), 2);
    second.workspace.save(other, Overwrite::Refuse).unwrap();
    first.workspace.refresh(document).unwrap();
    first.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("a.cfg"), "1\ntwo\n3\n");
    drop((first, second));
    assert_eq!(lives.journals(), 0);
}

const CHILD: &str = "DOCWRIGHT_TEST_CHILD";

/// Not a test of its own: the process that the next test kills.
#[test]
fn child() {
    let Ok(folder) = std::env::var(CHILD) else { return };
    let folder = Path::new(&folder);
    let mut config = Config { state: Some(folder.join("state")), ..Config::default() };
    // So that the journal is written anew again and again.
    config.limits.history.revisions = 12;
    let workspace = Workspace::alone(Caller::person("Ann", folder.join("docs")), config).unwrap();
    let document = workspace.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    let mut out = std::io::stdout();
    for number in 0.. {
        let length = workspace.read::<Text, _>(document, |view| view.len()).unwrap();
        let edit = TextEdit::new(length..length, format!("{number}\n"));
        workspace.edit::<Text>(document, workspace::EditRequest::new(vec![edit], Mode::Apply)).unwrap();
        if number % 50 == 49 {
            workspace.save(document, Overwrite::Refuse).unwrap();
        }
        writeln!(out, "answered {number}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn a_killed_process_has_lost_nothing_it_answered() {
    for round in 0..8 {
        let lives = Lives::new();
        lives.file("a.cfg", "");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["journal::child", "--exact", "--nocapture"])
            .env(CHILD, lives.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let enough = format!("answered {}", 20 + round * 37);
        while lines.read_line(&mut line).unwrap() > 0 && !line.ends_with(&format!("{enough}\n")) {
            line.clear();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        let all = format!("{line}{rest}");
        let answered: u64 =
            all.lines().rev().find_map(|line| line.strip_prefix("answered ")?.parse().ok()).unwrap();

        let (bench, document) = lives.open();
        let text = bench.text(document);
        let numbers: Vec<u64> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
        assert!(numbers.len() as u64 > answered, "{answered} answered, {} found", numbers.len());
        assert!(numbers.len() as u64 <= answered + 2);
    }
}

#[test]
fn a_process_that_ended_right_after_replacing_the_file_did_save_it() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    let suggestion = bench.suggest(document, "three", "3");
    let journal = lives.journal();
    // A second name keeps the log as it was when the file had been replaced and nothing else had happened.
    let kept = lives.folder.path().join("kept");
    std::fs::hard_link(journal.join("log-1"), &kept).unwrap();
    let base = std::fs::read(journal.join("base-1")).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    drop(bench);
    std::fs::remove_dir_all(&journal).unwrap();
    std::fs::create_dir(&journal).unwrap();
    std::fs::rename(&kept, journal.join("log-1")).unwrap();
    std::fs::write(journal.join("base-1"), base).unwrap();

    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "1 two three");
    assert!(!bench.workspace.status(document).unwrap().dirty);
    assert_eq!(lives.aside(), 0);
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "1 two 3");
}

/// A file that is not written down again for each edit after a save.
fn large(lives: &Lives) -> String {
    let text = format!("one two three\n{}four\n", "filler\n".repeat(60_000));
    lives.file("a.cfg", &text);
    text
}

#[test]
fn edits_after_a_save_of_a_large_file_come_back_and_those_before_it_do_not() {
    let lives = Lives::new();
    let text = large(&lives);
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "two", "2");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "three", "3");
    let suggestion = bench.suggest(document, "four", "4");
    drop(bench);
    assert_eq!(lives.journals(), 1);
    assert_eq!(lives.on_disk("a.cfg"), text.replace("one two", "1 2"));

    let bench = lives.next();
    assert_eq!(bench.person.recoverable()[0].edits, 1);
    let document = bench.open("a.cfg");
    assert_eq!(bench.text(document), text.replace("one two three", "1 2 3"));
    assert!(bench.workspace.status(document).unwrap().dirty);
    assert!(
        events(&bench).iter().any(|event| matches!(event, Event::Recovered { edits: 1, suggestions: 1 }))
    );
    bench.person.accept(document, &suggestion).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    drop(bench);
    assert_eq!(lives.on_disk("a.cfg"), text.replace("one two three", "1 2 3").replace("four", "4"));
    assert_eq!(lives.journals(), 0);
}

#[test]
fn another_programs_change_after_a_save_is_taken_in_with_the_edits_since() {
    let lives = Lives::new();
    let text = large(&lives);
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "two", "2");
    drop(bench);
    // Back to what it was when it was first opened, but for its end.
    lives.file("a.cfg", &text.replace("one", "1").replace("four", "IV"));
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), text.replace("one two", "1 2").replace("four", "IV"));

    // A file that was saved and then put back is another program's change, not our own beginning.
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "three", "3");
    drop(bench);
    lives.file("a.cfg", &text);
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), text.replace("three", "3"));
}

#[test]
fn after_a_save_the_next_life_has_the_undo_of_the_last() {
    let lives = Lives::new();
    let text = large(&lives);
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    let state = tempfile::tempdir().unwrap();
    crate::exact::copy(&lives.folder.path().join("state"), state.path());
    drop(bench);
    assert_eq!(lives.journals(), 0);

    let docs = lives.folder.path().join("docs");
    let killed = |change: &dyn Fn()| {
        let copied = tempfile::tempdir().unwrap();
        crate::exact::copy(state.path(), copied.path());
        change();
        let bench = Bench::of(copied.path(), &docs);
        assert_eq!(bench.person.recoverable(), []);
        let document = bench.open("a.cfg");
        assert!(!bench.workspace.status(document).unwrap().dirty);
        (bench, document, copied)
    };
    let (bench, _, copied) = killed(&|| ());
    drop(bench);
    let kept = std::fs::read_dir(copied.path().join("journals")).unwrap().count();
    assert_eq!(kept, 0, "what was brought back and let go clean leaves nothing either");
    let (bench, document, _state) = killed(&|| ());
    assert!(events(&bench).is_empty());
    bench.person.undo(document).unwrap().unwrap();
    assert_eq!(bench.text(document), text);
    drop(bench);
    // Another program has written since, and that is the next change.
    let (bench, document, _state) = killed(&|| _ = lives.file("a.cfg", &text.replace("two", "zwei")));
    assert_eq!(bench.text(document), text.replace("two", "zwei"));
    bench.person.undo(document).unwrap().unwrap();
    assert_eq!(bench.text(document), text.replace("one", "1"));
}

#[test]
fn a_log_does_not_outgrow_what_it_must_say() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    let (bench, document) = lives.open();
    let long = "words ".repeat(50_000);
    for _ in 0..40 {
        // Nothing of it stays, but for its being undone once.
        let suggestion = bench.suggest(document, "one", &long);
        bench.person.reject(document, &suggestion).unwrap();
    }
    let kept =
        std::fs::read_dir(lives.journal()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    let kept: u64 = kept.sum();
    assert!(kept < 3 << 20, "{kept}");
    drop(bench);
    assert_eq!(lives.journals(), 0);
}

#[test]
fn a_command_is_told_what_a_running_process_has_not_saved() {
    let lives = Lives::new();
    let path = lives.file("a.cfg", "one two three");
    let state = lives.folder.path().join("state");
    let elsewhere = || workspace::unsaved_elsewhere(&state, &path);
    assert_eq!(elsewhere(), None);
    let (bench, document) = lives.open();
    assert_eq!(elsewhere(), None);
    bench.apply(document, "one", "1");
    bench.suggest(document, "two", "2");
    let by = vec!["Agent".to_owned()];
    assert_eq!(elsewhere(), Some(workspace::Unsaved { edits: 1, suggestions: 1, by }));
    bench.person.undo(document).unwrap();
    assert_eq!(elsewhere(), Some(workspace::Unsaved { edits: 0, suggestions: 1, by: Vec::new() }));
    bench.person.reject_all(document).unwrap();
    assert_eq!(elsewhere(), None);
    bench.person.redo(document).unwrap();
    let by = vec!["Ann".to_owned()];
    assert_eq!(elsewhere(), Some(workspace::Unsaved { edits: 1, suggestions: 0, by }));
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(elsewhere(), None);
    bench.apply(document, "two", "2");
    drop(bench);
    // Nobody runs any more; opening the file brings it back.
    assert_eq!(elsewhere(), None);
    assert_eq!(workspace::unsaved_elsewhere(&state, Path::new("/nowhere/at/all")), None);
}

#[test]
fn a_document_that_is_edited_for_weeks_stays_bounded() {
    let lives = Lives::new();
    lives.file("a.cfg", "x");
    let depth = workspace::Depth { revisions: 100, bytes: 1 << 20 };
    let open = |state: &Path| {
        let bench = Bench::with(|caller, config| {
            caller.roots = vec![lives.folder.path().join("docs")];
            config.state = Some(state.to_owned());
            config.limits.history = depth;
        });
        let document = bench.open("a.cfg");
        (bench, document)
    };
    let (bench, document) = open(&lives.folder.path().join("state"));
    let base = bench.workspace.revision(document).unwrap().revision;
    for step in 0..2000 {
        let edit = TextEdit::new(0..1, (step % 10).to_string());
        bench.edit(document, edit, Mode::Apply).unwrap();
        if step % 300 == 299 {
            bench.workspace.save(document, Overwrite::Refuse).unwrap();
        }
    }
    assert!(bench.workspace.revisions(document).unwrap().len() <= 100);
    let files = std::fs::read_dir(lives.journal()).unwrap().map(|entry| entry.unwrap());
    let sizes: Vec<u64> = files.map(|entry| entry.metadata().unwrap().len()).collect();
    assert!(sizes.len() == 3 && sizes.iter().sum::<u64>() < 100_000, "{sizes:?}");
    let request = workspace::EditRequest {
        base: Some(base),
        ..workspace::EditRequest::new(vec![TextEdit::new(0..0, "y")], Mode::DryRun)
    };
    let refusal = bench.workspace.edit::<Text>(document, request).unwrap_err();
    assert!(refusal.hint().unwrap().contains("is no longer kept"), "{refusal:?}");

    let state = tempfile::tempdir().unwrap();
    crate::exact::copy(&lives.folder.path().join("state"), state.path());
    let (next, other) = open(state.path());
    assert_eq!(next.text(other), bench.text(document));
    assert_eq!(next.workspace.revision(other).unwrap(), bench.workspace.revision(document).unwrap());
}

#[test]
fn a_file_that_has_what_the_journal_leads_to_is_not_edited_again() {
    let lives = Lives::new();
    lives.file("a.cfg", "one\n");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "one\ntwo");
    bench.apply(document, "two", "two\nthree");
    drop(bench);
    // Somebody put the same text there, or saved it without being able to say so.
    lives.file("a.cfg", "one\ntwo\nthree\n");
    for _ in 0..2 {
        let (bench, document) = lives.open();
        assert_eq!(bench.text(document), "one\ntwo\nthree\n");
        assert!(!bench.workspace.status(document).unwrap().dirty);
        assert!(events(&bench).is_empty());
        drop(bench);
        assert_eq!(lives.journals(), 0);
    }
}

fn docs(lives: &Lives) -> PathBuf {
    lives.folder.path().join("docs")
}

#[test]
fn a_renamed_file_keeps_its_unsaved_work() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "two", "2");
    let suggestion = bench.suggest(document, "three", "3");
    let revision = bench.workspace.revision(document).unwrap();
    drop(bench);
    std::fs::create_dir(docs(&lives).join("sub")).unwrap();
    std::fs::rename(docs(&lives).join("a.cfg"), docs(&lives).join("sub/b.cfg")).unwrap();
    // Another file is another file.
    lives.file("c.cfg", "one two three");

    let bench = lives.next();
    let other = bench.open("c.cfg");
    assert!(!bench.workspace.status(other).unwrap().dirty);
    let document = bench.open("sub/b.cfg");
    assert_eq!(bench.text(document), "1 2 three");
    assert_eq!(bench.workspace.revision(document).unwrap(), revision);
    let told = events(&bench);
    assert!(
        told.iter().any(|event| matches!(event, Event::Recovered { edits: 1, suggestions: 1 })),
        "{told:?}"
    );
    assert!(told.iter().any(|event| matches!(event, Event::Followed { from } if from.ends_with("a.cfg"))));
    assert_eq!(lives.journals(), 1);
    drop(bench);
    // And from then on it is at home there.
    let bench = lives.next();
    let document = bench.open("sub/b.cfg");
    bench.person.accept(document, &suggestion).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("sub/b.cfg"), "1 2 3");
}

#[test]
fn a_new_file_with_the_same_bytes_is_not_taken_for_one_that_is_gone() {
    for _ in 0..20 {
        let lives = Lives::new();
        lives.file("template.cfg", "one two");
        std::fs::copy(docs(&lives).join("template.cfg"), docs(&lives).join("a.cfg")).unwrap();
        let (bench, document) = lives.open();
        bench.apply(document, "two", "2");
        drop(bench);
        std::fs::remove_file(docs(&lives).join("a.cfg")).unwrap();
        std::fs::copy(docs(&lives).join("template.cfg"), docs(&lives).join("b.cfg")).unwrap();
        let bench = lives.next();
        let document = bench.open("b.cfg");
        assert_eq!(bench.text(document), "one two");
        let left = bench.person.recoverable();
        let recovered = bench.person.recover(&left[0].id, OpenIn::Tab(None)).unwrap();
        assert_eq!(bench.text(recovered.document), "one 2");
    }
}

#[test]
fn a_new_file_with_the_number_of_a_removed_one_is_not_taken_for_it() {
    for _ in 0..20 {
        let lives = Lives::new();
        lives.file("a.cfg", "one two");
        let (bench, document) = lives.open();
        bench.apply(document, "two", "2");
        drop(bench);
        std::fs::remove_file(docs(&lives).join("a.cfg")).unwrap();
        lives.file("b.cfg", "something else");
        let bench = lives.next();
        let document = bench.open("b.cfg");
        assert_eq!(bench.text(document), "something else");
        // What belongs to no file any more can still be had.
        let left = bench.person.recoverable();
        let recovered = bench.person.recover(&left[0].id, OpenIn::Tab(None)).unwrap();
        assert_eq!(bench.text(recovered.document), "one 2");
        assert!(bench.person.recoverable().is_empty());
    }
}

#[test]
fn all_who_open_a_file_at_once_find_what_was_unsaved() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two");
    let (bench, document) = lives.open();
    bench.apply(document, "two", "2");
    drop(bench);
    let bench = lives.next();
    let texts: Vec<String> = std::thread::scope(|scope| {
        let openers: Vec<_> = (0..8).map(|_| scope.spawn(|| bench.text(bench.open("a.cfg")))).collect();
        openers.into_iter().map(|opener| opener.join().unwrap()).collect()
    });
    assert!(texts.iter().all(|text| text == "one 2"), "{texts:?}");
}

/// The files below a folder that this process has open.
#[cfg(target_os = "linux")]
fn handles(folder: &Path) -> usize {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    let open = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    open.filter(|path| path.starts_with(folder)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_quick_rounds_hold_few_files() {
    let lives = Lives::new();
    let bench = lives.next();
    let folder = lives.folder.path().canonicalize().unwrap();
    let mut most = 0;
    for round in 0..1000 {
        let name = format!("{}.cfg", round % 50);
        if round < 50 {
            lives.file(&name, "x");
        }
        let document = bench.open(&name);
        bench.edit(document, TextEdit::new(0..0, "y"), Mode::Apply).unwrap();
        if round % 10 == 0 {
            bench.workspace.save(document, Overwrite::Allow).unwrap();
        }
        bench.workspace.close_tab(None, None, Closing::Force).unwrap();
        most = most.max(handles(&folder));
    }
    println!("at most {most} files were open");
    assert!(most < 300, "{most}");
}

#[test]
fn a_killed_save_leaves_nothing_for_long() {
    let lives = Lives::new();
    lives.file("a.cfg", "one");
    lives.file(".docwright-w0123456789abcdef01234567.tmp", "half of a document");
    let (bench, document) = lives.open();
    assert_eq!(std::fs::read_dir(docs(&lives)).unwrap().count(), 1);
    bench.apply(document, "one", "two");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(std::fs::read_dir(docs(&lives)).unwrap().count(), 1);
}

#[test]
fn what_was_done_is_known_by_the_name_of_its_request_after_a_kill() {
    use workspace::{EditRequest, PerformedAs};
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    let edit = |bench: &Bench, place: &Workspace, document, old: &str, new: &str, mode, id: Option<&str>| {
        let edits = vec![bench.replacing(document, old, new)];
        let request = id.map(str::to_owned);
        place.edit::<Text>(document, EditRequest { request, ..EditRequest::new(edits, mode) })
    };
    let (made, staged) = {
        let (bench, document) = lives.open();
        let named = bench.workspace.under("run/0");
        let made = edit(&bench, &named, document, "one", "1", Mode::Apply, None).unwrap().revision;
        edit(&bench, &bench.workspace.under("run/1"), document, "two", "2", Mode::Suggest, None).unwrap();
        edit(&bench, &bench.workspace, document, "three", "3", Mode::Apply, Some("key")).unwrap();
        // Nothing came of this.
        edit(&bench, &bench.workspace.under("run/3"), document, "two", "2", Mode::DryRun, None).unwrap();
        bench.workspace.under("run/4").undo(document).unwrap().unwrap();
        let staged = bench.workspace.suggestions(document).unwrap()[0].id.clone();
        (made, staged)
    };
    for _ in 0..2 {
        let bench = lives.next();
        let done = |name: &str| -> Vec<PerformedAs> {
            bench.workspace.desk().performed(name).into_iter().map(|done| done.what).collect()
        };
        // Read from the journal, and then from the document that was made of it.
        for opened in [false, true] {
            if opened {
                bench.open("a.cfg");
            }
            assert_eq!(done("run/0"), [PerformedAs::Revision(made)], "{opened}");
            assert_eq!(done("run/1"), [PerformedAs::Suggestion(staged.clone())], "{opened}");
            assert_eq!(done("run/3"), [], "{opened}");
            assert_eq!(done("run/4").len(), 1, "{opened}");
        }
        let document = bench.open("a.cfg");
        let again = edit(&bench, &bench.workspace, document, "three", "3", Mode::Apply, Some("key"));
        let why = again.unwrap_err().to_string();
        assert!(why.contains("made as rev-2"), "{why}");
        let other = edit(&bench, &bench.workspace, document, "three", "4", Mode::Apply, Some("key"));
        assert!(other.unwrap_err().to_string().contains("requestId"));
    }
}

#[test]
fn work_on_a_draft_that_was_deleted_does_not_turn_up_in_a_copy_of_the_same_template() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    {
        let (bench, document) = lives.open();
        bench.apply(document, "two", "GHOST");
    }
    std::fs::remove_file(lives.folder.path().join("docs/a.cfg")).unwrap();
    // Clocks of files are coarse.
    std::thread::sleep(std::time::Duration::from_millis(20));
    lives.file("b.cfg", "one two three");
    let bench = lives.next();
    let copy = bench.open("b.cfg");
    assert_eq!(bench.text(copy), "one two three");
    // It is kept, and can be had.
    let kept = bench.workspace.recoverable();
    assert_eq!((kept.len(), kept[0].edits), (1, 1), "{kept:?}");
}

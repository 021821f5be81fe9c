//! Journals that are not as they were written: damaged, torn, of other versions, or without what they need.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use workspace::{Event, Mode, OpenIn, TextEdit};

use crate::Bench;
use crate::journal::{Lives, events};

#[test]
fn a_torn_or_damaged_end_costs_only_itself() {
    let lives = Lives::new();
    lives.file("a.cfg", "0");
    let (bench, document) = lives.open();
    for step in 1..=20 {
        bench.edit(document, TextEdit::new(0..1, format!("{}", step % 10)), Mode::Apply).unwrap();
    }
    drop(bench);
    let whole = std::fs::read(lives.journal().join("log-1")).unwrap();
    let copy = |bytes: &[u8]| {
        let lives = Lives::new();
        let path = lives.file("a.cfg", "0");
        // The journal goes by the path, so it is made anew and its log replaced.
        let (bench, document) = lives.open();
        bench.edit(document, TextEdit::new(0..1, "x"), Mode::Apply).unwrap();
        drop(bench);
        std::fs::write(lives.journal().join("log-1"), bytes).unwrap();
        let bench = lives.next();
        let document = bench.workspace.open(path, OpenIn::Tab(None)).unwrap().document;
        bench.text(document)
    };
    let mut seen = std::collections::BTreeSet::new();
    for cut in (whole.len() / 2..whole.len()).step_by(37) {
        let text = copy(&whole[..cut]);
        assert_eq!(text.len(), 1);
        seen.insert(text);
        let mut damaged = whole.clone();
        damaged[cut] ^= 0x55;
        assert_eq!(copy(&damaged).len(), 1);
    }
    assert!(seen.len() > 5, "{seen:?}");
}

/// A log as version 2 wrote it: an edit, its undo, a suggestion that waits, and one that was accepted.
const VERSION_2: [&str; 7] = [
    r#"{"Opened":{"version":2,"path":"PATH","title":"a.cfg","kind":"text","file":"HASH","at":5}}"#,
    r#"{"Changed":{"patch":[["text",{"Splices":[[0,3,{"Text":"1"}]]}]],"summary":"Replace \"one\" with \"1\"","author":"Agent","at":6,"accepted":[],"restaged":[]}}"#,
    r#"{"Staged":{"id":"sug_0a","group":null,"author":"Agent","client":"client-1","at":7,"summary":"Replace \"two\" with \"2\"","edits":"[{\"range\":{\"start\":2,\"end\":5},\"with\":\"2\",\"expect\":\"two\"}]","stale":null}}"#,
    r#"{"Staged":{"id":"sug_0b","group":null,"author":"Agent","client":"client-1","at":7,"summary":"","edits":"[{\"range\":{\"start\":6,\"end\":11},\"with\":\"3\",\"expect\":\"three\"}]","stale":null}}"#,
    r#"{"Changed":{"patch":[["text",{"Splices":[[6,11,{"Text":"3"}]]}]],"summary":"Accept","author":"Ann","at":8,"accepted":["sug_0b"],"restaged":[]}}"#,
    r#"{"Changed":{"patch":[["text",{"Splices":[[6,7,{"Text":"three"}]]}]],"summary":"Undo: Accept","author":"Ann","at":9,"accepted":[],"restaged":[{"id":"sug_0b","group":null,"author":"Agent","client":"client-1","at":7,"summary":"","edits":"[{\"range\":{\"start\":6,\"end\":11},\"with\":\"3\",\"expect\":\"three\"}]","stale":null}]}}"#,
    r#"{"Rejected":{"ids":["sug_0b"],"by":"Ann","at":10}}"#,
];

pub(crate) fn framed(payload: &str) -> Vec<u8> {
    let mut frame = (payload.len() as u32).to_le_bytes().to_vec();
    frame.extend(&blake3::hash(payload.as_bytes()).as_bytes()[..8]);
    frame.extend(payload.as_bytes());
    frame
}

/// Puts a journal for `a.cfg` into the state folder, as an earlier version of Docwright left it.
fn journal_of_old(lives: &Lives, base: &str, records: &[&str]) -> PathBuf {
    let path = lives.file("a.cfg", base).canonicalize().unwrap();
    let key = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    let folder = lives.folder.path().join(format!("state/journals/{}-0", &key[..24]));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("base-1"), base).unwrap();
    let hash = {
        use sha2::Digest as _;
        sha2::Sha256::digest(base).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let fill = |record: &str| record.replace("PATH", path.to_str().unwrap()).replace("HASH", &hash);
    let log: Vec<u8> = records.iter().flat_map(|record| framed(&fill(record))).collect();
    std::fs::write(folder.join("log-1"), log).unwrap();
    folder
}

#[test]
fn a_journal_of_version_2_is_read() {
    let lives = Lives::new();
    journal_of_old(&lives, "one two three", &VERSION_2);
    for _ in 0..2 {
        let (bench, document) = lives.open();
        assert_eq!(bench.text(document), "1 two three");
        assert!(bench.workspace.status(document).unwrap().dirty);
        assert_eq!(bench.workspace.revision(document).unwrap().revision.number, 3);
        let suggestions = bench.workspace.suggestions(document).unwrap();
        assert_eq!(suggestions.iter().map(|one| one.id.to_string()).collect::<Vec<_>>(), ["sug_0a"]);
        // It is written anew as it is written today, so the next life finds the same.
    }
    let (bench, document) = lives.open();
    bench.person.accept_all(document).unwrap();
    assert_eq!(bench.text(document), "1 2 three");
    for expected in ["1 two three", "1 two 3", "1 two three", "one two three"] {
        bench.person.undo(document).unwrap().unwrap();
        assert_eq!(bench.text(document), expected);
    }
}

#[test]
fn a_log_that_could_not_follow_its_document_is_over_once_that_is_saved() {
    for saved in [true, false] {
        let lives = Lives::new();
        lives.file("a.cfg", "one\n");
        let (bench, document) = lives.open();
        bench.apply(document, "one", "one\ntwo");
        drop(bench);
        // As it is left by a process that could not write its journal and ended while it saved three lines.
        let text = "one\ntwo\nthree\n";
        let hash = {
            use sha2::Digest as _;
            sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let journal = lives.journal();
        std::fs::rename(journal.join("log-1"), journal.join(format!("log-1-{hash}"))).unwrap();
        if saved {
            lives.file("a.cfg", text);
        }
        let (bench, document) = lives.open();
        let expected = if saved { text } else { "one\ntwo\n" };
        assert_eq!((bench.text(document).as_str(), lives.aside()), (expected, 0));
        assert_eq!(bench.workspace.status(document).unwrap().dirty, !saved);
        bench.apply(document, "two", "2");
        drop(bench);
        let (bench, document) = lives.open();
        assert_eq!(bench.text(document), expected.replace("two", "2"));
    }
}

/// A document with ten edits, whose process has ended.
fn ten_edits() -> Lives {
    let lives = Lives::new();
    lives.file("a.cfg", "0");
    let (bench, document) = lives.open();
    for step in 1..=10 {
        bench.edit(document, TextEdit::new(0..0, format!("{step} ")), Mode::Apply).unwrap();
    }
    drop(bench);
    lives
}

fn kept_aside(bench: &Bench) -> Vec<String> {
    let why = |event| match event {
        Event::KeptAside { why, .. } => Some(why),
        _ => None,
    };
    events(bench).into_iter().filter_map(why).collect()
}

fn flip(path: &Path, at: impl FnOnce(usize) -> usize) {
    let mut bytes = std::fs::read(path).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 0x55;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn damage_in_the_middle_costs_what_comes_after_it_and_is_told_of() {
    let lives = ten_edits();
    flip(&lives.journal().join("log-1"), |length| length / 2);
    let bench = lives.next();
    let [waiting] = &bench.person.recoverable()[..] else { panic!("it is not listed") };
    assert!(waiting.why.as_ref().unwrap().contains("damaged") && !waiting.aside, "{waiting:?}");
    let document = bench.open("a.cfg");
    let text = bench.text(document);
    assert!(text.ends_with("2 1 0") && !text.starts_with("10"), "{text}");
    assert_eq!(kept_aside(&bench).len(), 1);
    let [aside] = &bench.person.recoverable()[..] else { panic!("it is not listed") };
    assert!(aside.aside && aside.why.as_ref().unwrap().contains("damaged"), "{aside:?}");
    assert!(aside.path.as_ref().unwrap().ends_with("docs/a.cfg"), "{aside:?}");
    bench.apply(document, "0", "zero");
    drop(bench);
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), text.replace("0", "zero"));
    assert!(kept_aside(&bench).is_empty());
}

#[test]
fn a_journal_of_which_nothing_can_be_read_is_kept_and_told_of() {
    let lives = ten_edits();
    flip(&lives.journal().join("log-1"), |_| 20);
    let bench = lives.next();
    let [waiting] = &bench.person.recoverable()[..] else { panic!("it is not listed") };
    assert_eq!(waiting.why.as_deref(), Some("its beginning is damaged"));
    assert!(bench.person.recover(&waiting.id, OpenIn::Tab(None)).is_err());
    let document = bench.open("a.cfg");
    assert_eq!(bench.text(document), "0");
    assert_eq!(kept_aside(&bench), ["its beginning is damaged"]);
    assert_eq!((lives.journals(), lives.aside()), (0, 1));
    let [aside] = &bench.person.recoverable()[..] else { panic!("it is not listed") };
    assert_eq!((aside.title.as_str(), aside.why.as_deref()), ("a.cfg", Some("its beginning is damaged")));
}

#[test]
fn a_journal_without_its_base_needs_the_file_as_it_was() {
    for changed in [false, true] {
        let lives = ten_edits();
        std::fs::remove_file(lives.journal().join("base-1")).unwrap();
        if changed {
            lives.file("a.cfg", "another");
        }
        let (bench, document) = lives.open();
        let told = kept_aside(&bench);
        match changed {
            false => assert_eq!((bench.text(document).as_str(), told.len()), ("10 9 8 7 6 5 4 3 2 1 0", 0)),
            true => {
                assert_eq!((bench.text(document).as_str(), lives.aside()), ("another", 1));
                assert_eq!(told, ["the file that it starts from is missing or damaged"]);
            }
        }
    }
}

#[test]
fn a_journal_of_a_version_to_come_is_kept_and_told_of() {
    let lives = Lives::new();
    journal_of_old(&lives, "one", &[&VERSION_2[0].replace("\"version\":2", "\"version\":7"), r#""Melted""#]);
    let (bench, document) = lives.open();
    assert_eq!((bench.text(document).as_str(), lives.aside()), ("one", 1));
    assert_eq!(kept_aside(&bench), ["it was written by another version of Docwright (its format is 7)"]);
}

#[test]
fn a_record_that_leads_elsewhere_is_not_followed() {
    let lives = ten_edits();
    // Whole and readable, but not what happened.
    let record = r#"{"Undone":{"to":"rev-11-00000000","by":["Ann","c"],"at":9}}"#;
    let mut log = std::fs::OpenOptions::new().append(true).open(lives.journal().join("log-1")).unwrap();
    log.write_all(&framed(record)).unwrap();
    drop(log);
    let (bench, document) = lives.open();
    assert!(!kept_aside(&bench).is_empty());
    assert!(bench.text(document).ends_with("2 1 0"));
}

#[test]
fn a_journal_whose_log_was_taken_away_is_told_of_and_one_that_was_only_begun_is_not() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    drop(bench);
    let journal = lives.journal();
    std::fs::remove_file(journal.join("log-1")).unwrap();
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "one two");
    let told = events(&bench);
    let missing =
        |event: &Event| matches!(event, Event::KeptAside { why, .. } if why == "its log is missing");
    assert!(told.iter().any(missing), "{told:?}");
    assert_eq!(lives.aside(), 1);
    drop(bench);
    // As a process leaves it that was killed right before the log got its name.
    std::fs::create_dir_all(&journal).unwrap();
    std::fs::write(journal.join("new-1"), "").unwrap();
    std::fs::write(journal.join("base-1"), "one two").unwrap();
    let (bench, _) = lives.open();
    assert_eq!(events(&bench), []);
    assert_eq!(lives.aside(), 1);
}

#[test]
fn a_journal_that_is_damaged_in_the_middle_and_whose_file_was_saved_since_is_called_damaged() {
    let lives = Lives::new();
    lives.file("a.cfg", "0\n");
    let (bench, document) = lives.open();
    let step = |from: &str, to: &str| bench.apply(document, from, to);
    (0..4).for_each(|number| step(&number.to_string(), &(number + 1).to_string()));
    bench.workspace.save(document, workspace::Overwrite::Refuse).unwrap();
    (4..7).for_each(|number| step(&number.to_string(), &(number + 1).to_string()));
    drop(bench);
    let log = lives.journal().join("log-1");
    let mut bytes = std::fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&log, bytes).unwrap();
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "4\n");
    let told = events(&bench);
    let damaged =
        |event: &Event| matches!(event, Event::KeptAside { why, .. } if why.starts_with("it is damaged"));
    assert!(told.iter().any(damaged), "{told:?}");
}

//! Several agents at once, and the formats people use.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use workspace::markdown::{Edit, Markdown};
use workspace::word::{self, Word};
use workspace::{
    Closing, EditRequest, Ending, Kind, Mode, OpenIn, Overwrite, Refreshed, Refusal, Text, TextEdit,
    WindowLabel,
};

use crate::Bench;

#[test]
fn nobodys_edit_is_lost_when_many_write_at_once() {
    const WRITERS: usize = 8;
    const EACH: usize = 40;
    let bench = Bench::with(|caller, _| caller.approval.agents_may_accept = true);
    let lines: String = (0..WRITERS).map(|writer| format!("[{writer}]\n")).collect();
    let document = bench.open_text("a.cfg", &lines);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let snapshot = bench.workspace.snapshot::<Text>(document).unwrap();
                assert_eq!(snapshot.view.bytes(), snapshot.content.read("text").unwrap().unwrap().bytes());
                bench.workspace.tabs(None).unwrap();
                let _ = bench.workspace.save(document, Overwrite::Refuse);
                bench.workspace.suggestions(document).unwrap();
            }
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let bench = &bench;
                scope.spawn(move || {
                    for round in 0..EACH {
                        // Read, then write for what was read, while seven others do the same.
                        let snapshot = bench.workspace.snapshot::<Text>(document).unwrap();
                        let text = String::from_utf8(snapshot.view.bytes().into_owned()).unwrap();
                        let at = text.find(&format!("[{writer}]")).unwrap();
                        let edit = TextEdit::new(at..at + 3, format!("[{writer}]({round})"));
                        let mode = if round % 2 == 0 { Mode::Apply } else { Mode::Suggest };
                        let request = EditRequest {
                            base: Some(snapshot.revision),
                            ..EditRequest::new(vec![edit], mode)
                        };
                        let outcome = bench.workspace.edit::<Text>(document, request).unwrap();
                        if let Ending::Suggested(id) = outcome.ending {
                            bench.workspace.accept(document, &id).unwrap();
                        }
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let expected: String = (0..WRITERS)
        .map(|writer| {
            let rounds: String = (0..EACH).rev().map(|round| format!("({round})")).collect();
            format!("[{writer}]{rounds}\n")
        })
        .collect();
    assert_eq!(bench.text(document), expected);
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), expected);
    while bench.person.undo(document).unwrap().is_some() {}
    assert_eq!(bench.text(document), lines);
}

#[test]
fn a_busy_document_holds_up_no_other() {
    let bench = Bench::new();
    let busy = bench.open_text("busy.cfg", &"some words to count, ".repeat(200_000));
    let idle = bench.open_text("idle.cfg", "x");
    let counted = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            bench.workspace.count(busy).unwrap();
            counted.store(true, Ordering::SeqCst);
        });
        std::thread::sleep(Duration::from_millis(30));
        bench.apply(idle, "x", "y");
        bench.workspace.tabs(None).unwrap();
        bench.workspace.windows();
        bench.workspace.documents();
        assert!(!counted.load(Ordering::SeqCst), "the count was over before anything could be held up");
    });
}

#[test]
fn threads_that_open_one_file_get_one_document() {
    let bench = Bench::new();
    bench.file("a.cfg", "x");
    let ids: Vec<_> = std::thread::scope(|scope| {
        let openers: Vec<_> = (0..8).map(|_| scope.spawn(|| bench.open("a.cfg"))).collect();
        openers.into_iter().map(|opener| opener.join().unwrap()).collect()
    });
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(bench.workspace.tabs(None).unwrap().len(), 1);
}

#[test]
fn suggestions_of_a_closed_document_are_there_when_it_is_opened_again() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two");
    bench.suggest(document, "two", "2");
    bench.workspace.close_tab(None, None, Closing::Careful).unwrap();
    bench.file("a.cfg", "zero one two");
    let document = bench.open("a.cfg");
    assert_eq!(bench.text(document), "zero one two");
    assert_eq!(bench.workspace.suggestions(document).unwrap().len(), 1);
    assert!(bench.workspace.reopen_closed(None).unwrap().is_none());
}

#[test]
fn a_file_that_is_being_written_is_left_alone_until_it_is_whole() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two");
    bench.suggest(document, "two", "2");
    bench.file("a.cfg", "");
    assert_eq!(bench.workspace.refresh(document).unwrap(), Refreshed::Unchanged);
    bench.file("a.cfg", "one two three");
    assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::TakenIn { .. }));
    assert_eq!(bench.text(document), "one two three");
    assert_eq!(bench.workspace.status(document).unwrap().pending, 1);
}

fn markdown(bench: &Bench, document: workspace::DocId) -> String {
    bench.workspace.read::<Markdown, _>(document, |view| view.text()).unwrap()
}

#[test]
fn markdown_goes_the_same_road() {
    let bench = Bench::new();
    let before = "\u{feff}# Title\r\n\r\nFirst paragraph.\r\n\r\n- one\r\n- two\r\n\r\nLast paragraph.";
    bench.file("a.md", before);
    let document = bench.open("a.md");
    assert_eq!(bench.workspace.status(document).unwrap().kind, Kind::Markdown);
    let base = bench.workspace.revision(document).unwrap().revision;
    let request = |edits, mode, base| EditRequest { base, ..EditRequest::new(edits, mode) };
    let node = |id: &str| id.parse().unwrap();
    let batch = vec![
        Edit::Update { node: node("p-0"), content: "Opening paragraph.".into() },
        Edit::InsertAfter { node: node("h-0"), content: "Inserted.".into() },
    ];
    bench.workspace.edit::<Markdown>(document, request(batch, Mode::Apply, None)).unwrap();
    // Ids of the first reading still mean what they meant then.
    let last = Edit::Update { node: node("p-3"), content: "The end.".into() };
    let outcome =
        bench.workspace.edit::<Markdown>(document, request(vec![last], Mode::Suggest, Some(base))).unwrap();
    let Ending::Suggested(id) = outcome.ending else { panic!("{outcome:?}") };
    let typed = Edit::Replace { range: 2..7, expect: Some("Title".into()), with: "A longer title".into() };
    bench.workspace.edit::<Markdown>(document, request(vec![typed], Mode::Apply, None)).unwrap();
    bench.person.accept(document, &id).unwrap();
    let expected =
        "# A longer title\r\n\r\nInserted.\r\n\r\nOpening paragraph.\r\n\r\n- one\r\n- two\r\n\r\nThe end.";
    assert_eq!(markdown(&bench, document), expected);
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.md"), format!("\u{feff}{expected}"));
    while bench.person.undo(document).unwrap().is_some() {}
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.md"), before);
    let refusal = bench.workspace.read::<Word, _>(document, |_| ()).unwrap_err();
    assert!(matches!(refusal, Refusal::Unsupported { .. }), "{refusal:?}");
}

fn corpus(kind: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(kind);
    if folder.exists() {
        return Some(folder);
    }
    println!("SKIPPED: {} is not there", folder.display());
    None
}

fn files(folder: &Path, extension: &str, most: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.truncate(most);
    found
}

#[test]
fn word_documents_are_edited_saved_and_followed() {
    let Some(folder) = corpus("docx") else { return };
    let mut edited = 0;
    for (number, original) in files(&folder, "docx", 60).into_iter().enumerate() {
        let state = tempfile::tempdir().unwrap();
        let bench = Bench::with(|_, config| config.state = Some(state.path().to_owned()));
        let name = format!("document-{number}.docx");
        let path = bench.root().join(&name);
        let first = std::fs::read(&original).unwrap();
        std::fs::write(&path, &first).unwrap();
        let Ok(opened) = bench.workspace.open(&name, OpenIn::Tab(None)) else { continue };
        let document = opened.document;
        let target = bench.workspace.read::<Word, _>(document, |view| {
            view.body().find_map(|place| {
                let text = view.paragraph(place).ok()?.text(word::Side::Final).text;
                let word = text.split_whitespace().find(|word| {
                    word.len() > 4
                        && word.chars().all(char::is_alphanumeric)
                        && text.matches(*word).count() == 1
                })?;
                Some((view.id(place), word.to_owned()))
            })
        });
        let Some((paragraph, old)) = target.unwrap() else { continue };
        let replace = |old: &str, new: &str| {
            word::Edit::ReplaceText(word::ReplaceText {
                paragraph,
                old: old.to_owned(),
                new: new.to_owned(),
                expect: None,
                markup: word::Markup::Plain,
                clear_highlight: false,
            })
        };
        let request = EditRequest::new(vec![replace(&old, "Docwright")], Mode::Suggest);
        let Ok(outcome) = bench.workspace.edit::<Word>(document, request) else { continue };
        let Ending::Suggested(id) = outcome.ending else { panic!("{outcome:?}") };
        bench.person.accept(document, &id).unwrap();
        bench.file(&format!("~${}", &name[2..]), "Ann");
        let refusal = bench.person.save(document, Overwrite::Allow).unwrap_err();
        assert!(matches!(refusal, Refusal::Locked { .. }), "{refusal:?}");
        std::fs::remove_file(bench.root().join(format!("~${}", &name[2..]))).unwrap();
        bench.workspace.save(document, Overwrite::Refuse).unwrap();
        let saved = std::fs::read(&path).unwrap();

        // Another program puts the first version back; then everything is undone and saved.
        std::fs::write(&path, &first).unwrap();
        assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::TakenIn { .. }));
        assert!(!bench.workspace.status(document).unwrap().dirty);
        bench.person.undo(document).unwrap().unwrap();
        bench.workspace.save(document, Overwrite::Refuse).unwrap();
        let again = Bench::new();
        for (name, bytes) in [("saved.docx", &saved), ("again.docx", &std::fs::read(&path).unwrap())] {
            std::fs::write(again.root().join(name), bytes).unwrap();
        }
        let content = |name| again.workspace.content(again.open(name)).unwrap();
        assert!(content("saved.docx") == content("again.docx"), "{}", original.display());
        bench.person.undo(document).unwrap().unwrap();
        bench.person.undo(document).unwrap();
        assert!(bench.workspace.count(document).is_ok());
        edited += 1;
    }
    assert!(edited > 20, "{edited} documents were edited");
}

#[test]
fn markdown_files_are_saved_as_they_were() {
    let Some(folder) = corpus("md") else { return };
    let bench = Bench::new();
    let window = WindowLabel::new("main");
    for (number, original) in files(&folder, "md", 150).into_iter().enumerate() {
        let bytes = std::fs::read(&original).unwrap();
        let name = format!("{number}.md");
        std::fs::write(bench.root().join(&name), &bytes).unwrap();
        let Ok(opened) = bench.workspace.open(&name, OpenIn::Tab(None)) else { continue };
        bench.workspace.save_as(opened.document, format!("copy-{name}"), Overwrite::Refuse).unwrap();
        assert_eq!(std::fs::read(bench.root().join(format!("copy-{name}"))).unwrap(), bytes);
        bench.workspace.close_tab(Some(&window), None, Closing::Careful).unwrap();
    }
}

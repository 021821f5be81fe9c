//! A state folder without room costs the protection of unsaved work, and nothing else.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use workspace::{DocId, Event, Mode, OpenIn, Overwrite, TextEdit};

use crate::{Bench, cases};

/// A small disk for the state folder, which can be filled.
struct Small {
    folder: tempfile::TempDir,
}

impl Small {
    /// `None` where disks cannot be made.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        for name in ["state", "docs"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
            .arg(folder.path().join("state"))
            .output();
        let mounted = mount.is_ok_and(|mount| mount.status.success());
        if !mounted {
            println!("SKIPPED: only root makes disks, and only on Linux");
        }
        mounted.then_some(Self { folder })
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn open(&self) -> (Bench, DocId) {
        let bench = Bench::of(&self.state(), &self.folder.path().join("docs"));
        let document = bench.open("a.cfg");
        (bench, document)
    }

    /// Leaves no room for a single byte.
    fn fill(&self) {
        let mut filler = std::fs::File::create(self.state().join("filler")).unwrap();
        for size in [4096, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn free(&self) {
        let _ = std::fs::remove_file(self.state().join("filler"));
    }

    /// As it was when it was new.
    fn empty(&self) {
        for entry in std::fs::read_dir(self.state()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
        }
    }

    fn journals(&self) -> usize {
        std::fs::read_dir(self.state().join("journals")).unwrap().count()
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.state()).output();
    }
}

fn events(bench: &Bench) -> Vec<Event> {
    bench.workspace.notices().into_iter().map(|notice| notice.event).collect()
}

#[test]
fn a_saved_document_does_not_come_back_with_its_edits_a_second_time() {
    let Some(small) = Small::new() else { return };
    std::fs::write(small.folder.path().join("docs/a.cfg"), "x\n").unwrap();
    let (bench, document) = small.open();
    bench.apply(document, "x", "first\nx");
    small.fill();
    // Enough of them that one meets the end of the last page.
    for _ in 0..40 {
        bench.apply(document, "x", &format!("{}\nx", "more ".repeat(30)));
    }
    assert!(events(&bench).iter().any(|event| matches!(event, Event::Unprotected { .. })));
    let text = bench.text(document);

    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    // It is gone already, so nothing that happens to the process can bring it back.
    assert_eq!(small.journals(), 0);
    small.free();
    drop(bench);
    let (bench, document) = small.open();
    assert_eq!(bench.text(document), text);
    assert!(!bench.workspace.status(document).unwrap().dirty);
    assert!(events(&bench).is_empty());
}

#[test]
fn when_there_is_room_again_everything_is_written_down() {
    let Some(small) = Small::new() else { return };
    std::fs::write(small.folder.path().join("docs/a.cfg"), "x\n").unwrap();
    let (bench, document) = small.open();
    small.fill();
    bench.apply(document, "x", "1x");
    bench.apply(document, "x", "2x");
    assert_eq!(events(&bench).len(), 1);
    small.free();
    bench.clock.advance(60);
    bench.apply(document, "x", "3x");
    assert!(events(&bench).is_empty());
    drop(bench);
    let (bench, document) = small.open();
    assert_eq!(bench.text(document), "123x\n");
    bench.person.undo(document).unwrap().unwrap();
    assert_eq!(bench.text(document), "12x\n");
    assert!(bench.workspace.open("a.cfg", OpenIn::Tab(None)).unwrap().was_open);
}

#[derive(Debug, Clone, Copy)]
enum Op {
    Insert(u16),
    Undo,
    Redo,
    Save,
    Fill,
    Free,
    Kill,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => any::<u16>().prop_map(Op::Insert),
        2 => Just(Op::Undo),
        1 => Just(Op::Redo),
        3 => Just(Op::Save),
        2 => Just(Op::Fill),
        2 => Just(Op::Free),
        3 => Just(Op::Kill),
    ]
}

/// Each word was put in once, so it must not be there twice, whatever was full when.
fn none_twice(text: &str) {
    let mut words: Vec<&str> = text.split('>').collect();
    words.sort_unstable();
    let all = words.len();
    words.dedup();
    assert_eq!(words.len(), all, "{text}");
}

fn life(small: &Small, ops: Vec<Op>) {
    let docs = small.folder.path().join("docs");
    std::fs::write(docs.join("a.cfg"), "begin>").unwrap();
    let (mut bench, mut document) = small.open();
    let mut seen = vec!["begin>".to_owned()];
    for (number, op) in ops.into_iter().enumerate() {
        bench.clock.advance(7);
        match op {
            Op::Insert(at) => {
                let text = bench.text(document);
                let places: Vec<usize> = text.match_indices('>').map(|(at, _)| at + 1).collect();
                let at = places[at as usize % places.len()];
                // Long enough to meet the end of a page now and then.
                let word = format!("{number}{}>", "-".repeat(300));
                bench.edit(document, TextEdit::new(at..at, word), Mode::Apply).unwrap();
            }
            Op::Undo => _ = bench.person.undo(document).unwrap(),
            Op::Redo => _ = bench.person.redo(document).unwrap(),
            Op::Save => _ = bench.workspace.save(document, Overwrite::Refuse).unwrap(),
            Op::Fill => small.fill(),
            Op::Free => small.free(),
            Op::Kill => {
                let copied = tempfile::tempdir().unwrap();
                crate::exact::copy(&small.state(), copied.path());
                let saved = !bench.workspace.status(document).unwrap().dirty;
                let before = bench.text(document);
                // The process is gone, and another one finds what it left.
                drop(bench);
                small.empty();
                crate::exact::copy(&copied.path().join("journals"), &small.state().join("journals"));
                (bench, document) = small.open();
                let text = bench.text(document);
                assert!(seen.contains(&text), "{text}");
                assert!(!saved || text == before, "{text}");
            }
        }
        none_twice(&bench.text(document));
        seen.push(bench.text(document));
    }
    drop(bench);
    small.empty();
}

#[test]
fn whatever_is_full_when_nothing_saved_is_lost_and_nothing_comes_twice() {
    let Some(small) = Small::new() else { return };
    let config = ProptestConfig { cases: cases(48), failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner
        .run(&proptest::collection::vec(op(), 1..40), |ops| {
            life(&small, ops);
            Ok(())
        })
        .unwrap();
}

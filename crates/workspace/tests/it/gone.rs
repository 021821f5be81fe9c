//! Work on files that are not there any more, or not under that name.

use workspace::{Event, Mode, OpenIn, Overwrite, Status, TextEdit};

use crate::journal::{Lives, events};

#[test]
fn work_of_a_file_that_is_gone_comes_back_and_saving_writes_it_anew() {
    let lives = Lives::new();
    lives.file("a.cfg", "one two three");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    bench.apply(document, "two", "2");
    let suggestion = bench.suggest(document, "three", "3");
    let revision = bench.workspace.revision(document).unwrap();
    drop(bench);
    std::fs::remove_file(lives.folder.path().join("docs/a.cfg")).unwrap();

    for _ in 0..2 {
        let (bench, document) = lives.open();
        assert_eq!(bench.text(document), "1 2 three");
        assert_eq!(bench.workspace.revision(document).unwrap(), revision);
        let told = events(&bench);
        assert!(told.contains(&Event::Recovered { edits: 1, suggestions: 1 }), "{told:?}");
        assert!(told.contains(&Event::FileGone), "{told:?}");
        let stands = bench.workspace.decisions(std::slice::from_ref(&suggestion)).unwrap();
        assert_eq!(stands[0].1, Status::Pending);
        // Whoever opens it next has the same one.
        assert_eq!(bench.person.open("a.cfg", OpenIn::Tab(None)).unwrap().document, document);
    }
    let (bench, document) = lives.open();
    bench.person.accept(document, &suggestion).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("a.cfg"), "1 2 3");
}

#[test]
fn a_file_that_is_gone_and_had_everything_is_not_there() {
    let lives = Lives::new();
    lives.file("a.cfg", "one");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    std::fs::remove_file(lives.folder.path().join("docs/a.cfg")).unwrap();
    assert!(bench.person.open("a.cfg", OpenIn::Tab(None)).is_err(), "nothing would be lost");
    drop(bench);
    let bench = lives.next();
    assert!(bench.workspace.open("a.cfg", OpenIn::Tab(None)).is_err());
    assert!(bench.workspace.open("never.cfg", OpenIn::Tab(None)).is_err());
}

#[test]
fn a_file_that_came_back_is_merged_with_what_was_unsaved() {
    let lives = Lives::new();
    let path = lives.file("a.cfg", "one\ntwo\n");
    let (bench, document) = lives.open();
    bench.apply(document, "two", "2");
    drop(bench);
    std::fs::remove_file(&path).unwrap();
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "one\n2\n");
    lives.file("a.cfg", "zero\none\ntwo\n");
    bench.workspace.refresh(document).unwrap();
    assert_eq!(bench.text(document), "zero\none\n2\n");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("a.cfg"), "zero\none\n2\n");
}

#[test]
fn the_old_name_of_a_renamed_file_leads_to_the_new_one() {
    let lives = Lives::new();
    let path = lives.file("a.cfg", "one two");
    let (bench, document) = lives.open();
    bench.apply(document, "one", "1");
    let suggestion = bench.suggest(document, "two", "2");
    drop(bench);
    let docs = lives.folder.path().join("docs");
    std::fs::create_dir(docs.join("sub")).unwrap();
    std::fs::rename(path, docs.join("sub/b.cfg")).unwrap();
    let bench = lives.next();
    let left = bench.person.recoverable();
    assert!(left[0].path.as_ref().unwrap().ends_with("sub/b.cfg"), "{left:?}");
    let document = bench.open("a.cfg");
    assert!(bench.workspace.status(document).unwrap().path.unwrap().ends_with("sub/b.cfg"));
    assert!(events(&bench).iter().any(|event| matches!(event, Event::Followed { .. })));
    bench.person.accept(document, &suggestion).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(lives.on_disk("sub/b.cfg"), "1 2");
    assert!(!docs.join("a.cfg").exists());
}

#[cfg(unix)]
#[test]
fn edits_are_written_down_again_after_somebody_removed_the_state_folder() {
    let lives = Lives::new();
    lives.file("a.cfg", "0");
    let (bench, document) = lives.open();
    let edit = |text: &str| bench.edit(document, TextEdit::new(0..1, text), Mode::Apply).unwrap();
    edit("1");
    std::fs::remove_dir_all(lives.folder.path().join("state")).unwrap();
    edit("2");
    let told = events(&bench);
    assert!(told.iter().any(|event| matches!(event, Event::Unprotected { .. })), "{told:?}");
    bench.clock.advance(60);
    edit("3");
    drop(bench);
    let (bench, document) = lives.open();
    assert_eq!(bench.text(document), "3");
}

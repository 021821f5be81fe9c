//! Opening, saving and living with other programs.

use workspace::{Access, Kind, Mode, OpenIn, Overwrite, Refreshed, Refusal, TextEdit};

use crate::Bench;

#[test]
fn a_saved_edit_is_on_disk_and_the_document_is_clean() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    bench.apply(document, "two", "2");
    assert!(bench.workspace.status(document).unwrap().dirty);
    let report = bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert!(report.written);
    assert_eq!(bench.on_disk("a.cfg"), "one 2 three");
    assert!(!bench.workspace.status(document).unwrap().dirty);
    assert_eq!(bench.names(), ["a.cfg"]);
}

#[test]
fn undoing_to_the_saved_state_is_clean_again() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    bench.apply(document, "one", "two");
    let revision = bench.person.undo(document).unwrap().unwrap();
    assert_eq!(revision.id.number, 2);
    assert!(!bench.workspace.status(document).unwrap().dirty);
    bench.person.redo(document).unwrap().unwrap();
    assert!(bench.workspace.status(document).unwrap().dirty);
    assert!(bench.person.redo(document).unwrap().is_none());
}

#[test]
fn a_clean_document_is_not_written_again() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let before = std::fs::metadata(bench.root().join("a.cfg")).unwrap().modified().unwrap();
    assert!(!bench.workspace.save(document, Overwrite::Refuse).unwrap().written);
    assert_eq!(std::fs::metadata(bench.root().join("a.cfg")).unwrap().modified().unwrap(), before);
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one\ntwo\nthree\n");
    bench.apply(document, "two", "2");
    bench.file("a.cfg", "one\nTWO\nthree\nfour\n");
    let refusal = bench.workspace.save(document, Overwrite::Refuse).unwrap_err();
    let Refusal::ChangedOnDisk { change, .. } = &refusal else { panic!("{refusal:?}") };
    assert_eq!(change, "in 2 places: 1 lines removed, 2 added");
    assert_eq!(bench.on_disk("a.cfg"), "one\nTWO\nthree\nfour\n");
    assert_eq!(bench.names(), ["a.cfg"]);
    bench.person.save(document, Overwrite::Allow).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), "one\n2\nthree\n");
}

#[test]
fn a_file_written_with_the_same_size_in_the_same_moment_is_noticed() {
    let bench = Bench::new();
    for round in 0..20 {
        let name = format!("{round}.cfg");
        let document = bench.open_text(&name, "aaaa");
        bench.file(&name, "bbbb");
        assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::TakenIn { .. }));
        assert_eq!(bench.text(document), "bbbb");
    }
}

#[test]
fn what_another_program_wrote_is_taken_in_beside_unsaved_edits() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one\ntwo\nthree\n");
    bench.apply(document, "three", "3");
    let suggestion = bench.suggest(document, "two", "2");
    bench.file("a.cfg", "zero\none\ntwo\nthree\n");
    assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::TakenIn { .. }));
    assert_eq!(bench.text(document), "zero\none\ntwo\n3\n");
    assert!(bench.workspace.status(document).unwrap().dirty);
    assert_eq!(bench.workspace.refresh(document).unwrap(), Refreshed::Unchanged);
    bench.person.accept(document, &suggestion).unwrap();
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), "zero\none\n2\n3\n");
    let told = bench.workspace.notices();
    assert!(told[0].to_string().contains("another program changed a.cfg"), "{told:?}");
    assert_eq!(told.len(), 2);
    assert!(bench.workspace.notices().is_empty());
}

#[test]
fn a_conflict_keeps_both_texts_until_somebody_decides() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one\ntwo\nthree\n");
    bench.apply(document, "two", "ours");
    bench.file("a.cfg", "one\ntheirs\nthree\n");
    assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::Conflict { .. }));
    assert!(matches!(bench.workspace.refresh(document).unwrap(), Refreshed::Conflict { .. }));
    assert_eq!(bench.text(document), "one\nours\nthree\n");
    let refusal = bench.workspace.save(document, Overwrite::Refuse).unwrap_err();
    assert!(matches!(refusal, Refusal::ChangedOnDisk { .. }));
    assert_eq!(bench.on_disk("a.cfg"), "one\ntheirs\nthree\n");

    bench.person.reload(document).unwrap();
    assert_eq!(bench.text(document), "one\ntheirs\nthree\n");
    assert!(!bench.workspace.status(document).unwrap().dirty);
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "one\nours\nthree\n");
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), "one\nours\nthree\n");
}

#[test]
fn a_deleted_file_stays_open_and_can_be_saved_again() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    std::fs::remove_file(bench.root().join("a.cfg")).unwrap();
    assert_eq!(bench.workspace.refresh(document).unwrap(), Refreshed::NoFile);
    bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), "one");
}

#[test]
fn an_untitled_document_is_saved_under_a_path() {
    let bench = Bench::new();
    let document = bench.workspace.create(Some("Notes"), Kind::Text, OpenIn::Tab(None)).unwrap().document;
    assert!(!bench.workspace.status(document).unwrap().dirty);
    bench.edit(document, TextEdit::new(0..0, "hello"), Mode::Apply).unwrap();
    let refusal = bench.workspace.save(document, Overwrite::Refuse).unwrap_err();
    assert!(refusal.to_string().contains("never been a file"), "{refusal}");
    let report = bench.workspace.save_as(document, "notes.cfg", Overwrite::Refuse).unwrap();
    assert_eq!(report.path, bench.root().join("notes.cfg"));
    assert_eq!(bench.on_disk("notes.cfg"), "hello");
    let status = bench.workspace.status(document).unwrap();
    assert_eq!((status.title.as_str(), status.dirty), ("notes.cfg", false));
    assert!(bench.workspace.open("notes.cfg", OpenIn::Tab(None)).unwrap().was_open);
}

#[test]
fn save_as_never_takes_another_files_name_unasked() {
    let bench = Bench::new();
    bench.file("b.cfg", "precious");
    let document = bench.open_text("a.cfg", "one");
    let refusal = bench.workspace.save_as(document, "b.cfg", Overwrite::Refuse).unwrap_err();
    assert!(matches!(refusal, Refusal::Denied { .. }), "{refusal:?}");
    assert_eq!(bench.on_disk("b.cfg"), "precious");
    bench.workspace.save_as(document, "b.cfg", Overwrite::Allow).unwrap();
    assert_eq!(bench.on_disk("b.cfg"), "one");
    assert_eq!(bench.names(), ["a.cfg", "b.cfg"]);

    bench.open_text("c.cfg", "open");
    let refusal = bench.workspace.save_as(document, "c.cfg", Overwrite::Allow).unwrap_err();
    assert!(matches!(refusal, Refusal::Locked { .. }), "{refusal:?}");
}

#[cfg(unix)]
#[test]
fn permissions_links_and_attributes_survive_a_save() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new();
    let path = bench.file("a.cfg", "one");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let tagged = rustix::fs::setxattr(&path, "user.tag", b"red", rustix::fs::XattrFlags::empty()).is_ok();
    std::fs::hard_link(&path, bench.root().join("other.cfg")).unwrap();
    std::os::unix::fs::symlink(&path, bench.root().join("link.cfg")).unwrap();
    let document = bench.open("link.cfg");
    bench.apply(document, "one", "two");
    let report = bench.workspace.save(document, Overwrite::Refuse).unwrap();
    assert!(report.notes[0].text.contains("2 names"), "{report:?}");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
    assert!(std::fs::symlink_metadata(bench.root().join("link.cfg")).unwrap().is_symlink());
    assert_eq!(bench.on_disk("link.cfg"), "two");
    assert_eq!(bench.on_disk("other.cfg"), "one");
    if tagged {
        let mut value = [0; 16];
        let length = rustix::fs::getxattr(&path, "user.tag", &mut value[..]).unwrap();
        assert_eq!(&value[..length], b"red");
    }
}

#[cfg(unix)]
#[test]
fn a_file_marked_read_only_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new();
    let path = bench.file("a.cfg", "one");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let document = bench.open("a.cfg");
    bench.apply(document, "one", "two");
    let refusal = bench.person.save(document, Overwrite::Allow).unwrap_err();
    assert!(refusal.to_string().contains("read-only"), "{refusal}");
    assert_eq!(bench.on_disk("a.cfg"), "one");
    assert_eq!(bench.names(), ["a.cfg"]);
}

#[test]
fn a_read_only_workspace_only_looks() {
    let bench = Bench::with(|caller, _| caller.access = Access::ReadOnly);
    let document = bench.open_text("a.cfg", "one");
    let edit = TextEdit::new(0..3, "two");
    assert!(matches!(bench.edit(document, edit.clone(), Mode::Apply), Err(Refusal::Denied { .. })));
    assert!(matches!(bench.edit(document, edit.clone(), Mode::Suggest), Err(Refusal::Denied { .. })));
    assert!(bench.edit(document, edit, Mode::DryRun).is_ok());
    let refusal = bench.workspace.save_as(document, "b.cfg", Overwrite::Allow).unwrap_err();
    assert!(matches!(refusal, Refusal::Denied { .. }));
    assert_eq!(bench.names(), ["a.cfg"]);
}

#[test]
fn what_is_too_large_or_not_text_is_refused_by_name() {
    let bench = Bench::with(|_, config| config.limits.file_bytes = 10);
    bench.file("large.cfg", "01234567890");
    let refusal = bench.workspace.open("large.cfg", OpenIn::Tab(None)).unwrap_err();
    assert!(matches!(refusal, Refusal::Limit { .. }), "{refusal:?}");
    std::fs::write(bench.root().join("binary.cfg"), [0xff, 0xfe]).unwrap();
    let refusal = bench.workspace.open("binary.cfg", OpenIn::Tab(None)).unwrap_err();
    assert!(matches!(refusal, Refusal::Corrupt { .. }), "{refusal:?}");
}

#[test]
fn a_revision_names_the_text() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let state = bench.workspace.revision(document).unwrap();
    assert_eq!(state.hash, blake3::hash(b"one").to_hex().to_string());
    bench.clock.advance(5);
    bench.apply(document, "one", "two");
    let after = bench.workspace.revision(document).unwrap();
    assert_eq!((after.at, after.revision.number), (5, 1));
    bench.person.undo(document).unwrap();
    assert_eq!(bench.workspace.revision(document).unwrap().hash, state.hash);
    let count = bench.workspace.count(document).unwrap();
    assert_eq!((count.words, count.chars), (1, 3));
}

/// Office opens no file whose name says something else than what is in it.
#[test]
fn a_file_is_named_for_its_macros() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    let copy = |name: &str| bench.workspace.save_copy(book, bench.root().join(name), Overwrite::Refuse);
    for name in ["b.xlsm", "b.xltx"] {
        let refusal = copy(name).unwrap_err();
        assert_eq!(refusal.hint().as_deref(), Some("name it `b.xlsx`"), "{refusal}");
        assert!(!bench.names().contains(&name.to_owned()));
    }
    copy("b.xlsx").unwrap();
    // One that bears the wrong name already goes on with it.
    std::fs::copy(bench.root().join("b.xlsx"), bench.root().join("wrong.xlsm")).unwrap();
    let wrong = bench.open("wrong.xlsm");
    bench.workspace.save_copy(wrong, bench.root().join("again.xlsm"), Overwrite::Refuse).unwrap();
}

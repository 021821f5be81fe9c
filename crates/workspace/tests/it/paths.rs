//! Attacks on paths. Each is refused for its own reason, and none says what exists outside.

use std::path::Path;

use workspace::{Caller, Config, Fault, Kind, OpenIn, Overwrite, Refusal, Workspace};

use crate::Bench;

fn refused(bench: &Bench, path: impl AsRef<Path>) -> Refusal {
    bench.workspace.open(path, OpenIn::Tab(None)).unwrap_err()
}

fn denied(refusal: &Refusal) -> &str {
    match refusal {
        Refusal::Denied { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

fn new_document(bench: &Bench) -> workspace::DocId {
    bench.workspace.create(None, Kind::Text, OpenIn::Tab(None)).unwrap().document
}

#[test]
fn nothing_outside_the_roots_is_reached_or_told() {
    let bench = Bench::new();
    std::fs::write(bench.outside().join("secret.cfg"), "secret").unwrap();
    std::fs::create_dir(bench.outside().join("docs-2")).unwrap();
    std::fs::write(bench.outside().join("docs-2/a.cfg"), "sibling").unwrap();
    std::fs::create_dir(bench.root().join("x")).unwrap();
    let outside = "outside the folders";
    for path in [
        "../secret.cfg",
        "x/../../secret.cfg",
        "../missing.cfg",
        "/etc/passwd",
        "/no/such/file",
        "../docs-2/a.cfg",
    ] {
        assert!(denied(&refused(&bench, path)).contains(outside), "{path}");
    }
    for path in [bench.outside().join("secret.cfg"), bench.outside().join("docs-2/a.cfg")] {
        assert!(denied(&refused(&bench, path)).contains(outside));
    }
    let document = new_document(&bench);
    for path in ["../new.cfg", "../docs-2/new.cfg", "/tmp/docwright-test-never.cfg"] {
        let refusal = bench.workspace.save_as(document, path, Overwrite::Allow).unwrap_err();
        assert!(denied(&refusal).contains(outside), "{path}");
        assert!(!bench.root().join(path).exists());
    }
}

#[test]
fn a_way_back_into_the_root_is_fine() {
    let bench = Bench::new();
    bench.file("a.cfg", "one");
    std::fs::create_dir(bench.root().join("sub")).unwrap();
    assert!(bench.workspace.open("sub/../a.cfg", OpenIn::Tab(None)).is_ok());
    assert!(bench.workspace.open("../docs/a.cfg", OpenIn::Tab(None)).unwrap().was_open);
}

#[test]
fn without_roots_there_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let workspace =
        Workspace::alone(Caller { roots: Vec::new(), ..Caller::agent("Agent", "") }, Config::default())
            .unwrap();
    for path in ["a.cfg", "/etc/passwd", "."] {
        assert!(denied(&workspace.open(path, OpenIn::Tab(None)).unwrap_err()).contains("no folder"));
    }
    let document = workspace.create(None, Kind::Text, OpenIn::Tab(None)).unwrap().document;
    let refusal = workspace.save_as(document, folder.path().join("a.cfg"), Overwrite::Allow).unwrap_err();
    assert!(denied(&refusal).contains("no folder"));
}

#[test]
fn a_missing_root_is_said_at_the_start() {
    let refusal = Workspace::alone(Caller::person("Ann", "/no/such/folder"), Config::default()).unwrap_err();
    assert!(matches!(refusal, Refusal::Disk { fault: Fault::Missing, .. }), "{refusal:?}");
}

#[test]
fn names_that_no_file_can_have() {
    let bench = Bench::new();
    assert!(denied(&refused(&bench, "a\0.cfg")).contains("NUL"));
    assert!(matches!(refused(&bench, ""), Refusal::Invalid { .. }));
    assert!(matches!(refused(&bench, "x".repeat(256)), Refusal::Limit { .. }));
    assert!(matches!(refused(&bench, "x/".repeat(3000)), Refusal::Limit { .. }));
    let missing = refused(&bench, "missing.cfg");
    assert!(matches!(missing, Refusal::Disk { fault: Fault::Missing, .. }), "{missing:?}");
    let folder = refused(&bench, ".");
    assert!(matches!(folder, Refusal::Disk { fault: Fault::NotAFile, .. }), "{folder:?}");
    std::fs::create_dir(bench.root().join("sub")).unwrap();
    let folder = refused(&bench, "sub");
    assert!(matches!(folder, Refusal::Disk { fault: Fault::NotAFile, .. }), "{folder:?}");
    let document = new_document(&bench);
    for path in ["sub", "sub/..", "no/such/folder/a.cfg"] {
        assert!(bench.workspace.save_as(document, path, Overwrite::Allow).is_err(), "{path}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_name_that_is_not_utf8() {
        let bench = Bench::new();
        assert!(denied(&refused(&bench, OsStr::from_bytes(b"a\xff.cfg"))).contains("UTF-8"));
        let hidden = bench.root().join(OsStr::from_bytes(b"b\xff.cfg"));
        std::fs::write(&hidden, "x").unwrap();
        symlink(&hidden, bench.root().join("plain.cfg")).unwrap();
        assert!(denied(&refused(&bench, "plain.cfg")).contains("UTF-8"));
    }

    #[test]
    fn links_are_judged_by_where_they_lead() {
        let bench = Bench::new();
        std::fs::write(bench.outside().join("secret.cfg"), "secret").unwrap();
        bench.file("inside.cfg", "inside");
        std::fs::create_dir(bench.outside().join("elsewhere")).unwrap();
        symlink(bench.outside().join("secret.cfg"), bench.root().join("out.cfg")).unwrap();
        symlink("../secret.cfg", bench.root().join("relative.cfg")).unwrap();
        symlink(bench.root().join("inside.cfg"), bench.root().join("in.cfg")).unwrap();
        symlink(bench.outside().join("missing.cfg"), bench.root().join("dangling.cfg")).unwrap();
        symlink("loop.cfg", bench.root().join("loop.cfg")).unwrap();
        symlink(bench.outside().join("elsewhere"), bench.root().join("door")).unwrap();

        for path in ["out.cfg", "relative.cfg", "door/a.cfg"] {
            assert!(denied(&refused(&bench, path)).contains("outside"), "{path}");
        }
        assert!(denied(&refused(&bench, "dangling.cfg")).contains("does not exist"));
        assert!(matches!(refused(&bench, "loop.cfg"), Refusal::Disk { .. }));
        assert!(bench.workspace.open("in.cfg", OpenIn::Tab(None)).is_ok());

        let document = new_document(&bench);
        for path in ["out.cfg", "relative.cfg", "dangling.cfg", "door/new.cfg", "loop.cfg"] {
            let refusal = bench.workspace.save_as(document, path, Overwrite::Allow).unwrap_err();
            assert!(matches!(refusal, Refusal::Denied { .. } | Refusal::Disk { .. }), "{path}: {refusal:?}");
        }
        assert_eq!(std::fs::read_to_string(bench.outside().join("secret.cfg")).unwrap(), "secret");
        assert!(!bench.outside().join("missing.cfg").exists());
        assert_eq!(std::fs::read_dir(bench.outside().join("elsewhere")).unwrap().count(), 0);
    }

    #[test]
    fn devices_pipes_and_sockets_are_no_files() {
        let bench = Bench::new();
        let fifo = bench.root().join("fifo.cfg");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(made.success());
        let _socket = std::os::unix::net::UnixListener::bind(bench.root().join("socket.cfg")).unwrap();
        for path in ["fifo.cfg", "socket.cfg"] {
            let refusal = refused(&bench, path);
            assert!(matches!(refusal, Refusal::Disk { fault: Fault::NotAFile, .. }), "{path}: {refusal:?}");
        }
        let document = new_document(&bench);
        let refusal = bench.workspace.save_as(document, "fifo.cfg", Overwrite::Allow).unwrap_err();
        assert!(matches!(refusal, Refusal::Disk { fault: Fault::NotAFile, .. }), "{refusal:?}");

        let devices = Workspace::alone(Caller::person("Ann", "/dev"), Config::default()).unwrap();
        for path in ["zero", "null", "tty"] {
            let refusal = devices.open(path, OpenIn::Tab(None)).unwrap_err();
            assert!(matches!(refusal, Refusal::Disk { fault: Fault::NotAFile, .. }), "{path}: {refusal:?}");
        }
    }

    #[test]
    fn a_link_swapped_in_after_opening_does_not_lead_out() {
        let bench = Bench::new();
        let secret = bench.outside().join("secret.cfg");
        std::fs::write(&secret, "secret").unwrap();
        let document = bench.open_text("a.cfg", "one");
        bench.apply(document, "one", "two");
        std::fs::remove_file(bench.root().join("a.cfg")).unwrap();
        symlink(&secret, bench.root().join("a.cfg")).unwrap();
        assert!(bench.person.save(document, Overwrite::Allow).is_err());
        assert!(bench.workspace.refresh(document).is_err());
        assert_eq!(std::fs::read_to_string(&secret).unwrap(), "secret");
        assert_eq!(bench.text(document), "two");
    }

    #[test]
    fn a_folder_swapped_between_check_and_use_never_lets_anything_out() {
        let bench = Bench::new();
        let (inner, outer) = (bench.root().join("sub"), bench.outside().join("outer"));
        std::fs::create_dir(&inner).unwrap();
        std::fs::create_dir(&outer).unwrap();
        std::fs::write(inner.join("a.cfg"), "inside").unwrap();
        std::fs::write(outer.join("a.cfg"), "OUTSIDE").unwrap();
        let stop = AtomicBool::new(false);
        let workspace = || Workspace::alone(Caller::person("Ann", bench.root()), Config::default()).unwrap();
        workspace().open("sub/a.cfg", OpenIn::Background).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let away = bench.root().join("away");
                while !stop.load(Ordering::Relaxed) {
                    std::fs::rename(&inner, &away).unwrap();
                    symlink(&outer, &inner).unwrap();
                    std::fs::remove_file(&inner).unwrap();
                    std::fs::rename(&away, &inner).unwrap();
                }
            });
            // Which of the rounds find the folder in its place is up to the machine: on a busy one it may be none.
            for round in 0..2000 {
                let workspace = workspace();
                if let Ok(found) = workspace.open("sub/a.cfg", OpenIn::Background) {
                    let text = workspace
                        .read::<workspace::Text, _>(found.document, |view| view.bytes().into_owned());
                    assert_eq!(text.unwrap(), b"inside");
                }
                let document = workspace.create(None, Kind::Text, OpenIn::Background).unwrap().document;
                let _ = workspace.save_as(document, format!("sub/{round}.cfg"), Overwrite::Refuse);
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(std::fs::read_dir(&outer).unwrap().count(), 1);
    }
}

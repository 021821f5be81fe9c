use super::*;
use crate::disk::journal::record::Opened;

fn opened() -> Record {
    Record::Opened(Opened {
        version: VERSION,
        path: None,
        title: "a".into(),
        kind: "text".into(),
        file: None,
        identity: None,
        first: Some((0, "00".repeat(32))),
        at: 0,
    })
}

fn journals() -> (tempfile::TempDir, Arc<Journals>) {
    let state = tempfile::tempdir().unwrap();
    let journals = Arc::new(Journals::new(state.path()).unwrap());
    (state, journals)
}

fn begun(journals: &Arc<Journals>) -> Journal {
    let mut journal = journals.begin(Some(Path::new("/a.cfg"))).unwrap();
    journal.restart(b"base", &[opened()]).unwrap();
    journal
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| name_of(&entry.unwrap().path())).collect();
    names.sort();
    names
}

#[test]
fn a_generation_takes_the_place_of_the_one_before() {
    let (_state, journals) = journals();
    let mut journal = begun(&journals);
    journal.append(&[Record::Closed]).unwrap();
    journal.restart(b"other", &[opened()]).unwrap();
    assert_eq!(names(&journal.folder), ["base-2", "lock", "log-2"]);
    journal.append(&[Record::Closed, Record::Closed]).unwrap();
    let folder = journal.folder.clone();
    drop(journal);
    let left = Left::read(folder).unwrap().unwrap();
    let found = left.found.as_ref().unwrap();
    assert_eq!((found.base.as_deref(), found.log.records.len()), (Some(&b"other"[..]), 2));
    let journal = journals.resume(left).unwrap();
    journal.remove();
    assert_eq!(names(&journals.folder), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_as_it_was_and_can_be_written_anew() {
    let (_state, journals) = journals();
    let mut journal = begun(&journals);
    let log = journal.log.replace(Arc::new(full()));
    assert!(journal.append(&[Record::Closed]).is_err());
    journal.log = log;
    assert!(matches!(
        log::read(&std::fs::read(journal.folder.join("log-1")).unwrap()).unwrap().end,
        End::Whole(_)
    ));
    journal.restart(b"base", &[opened(), Record::Closed]).unwrap();
    assert_eq!(names(&journal.folder), ["base-2", "lock", "log-2"]);
}

/// A disk without room.
#[cfg(target_os = "linux")]
fn full() -> File {
    std::fs::OpenOptions::new().append(true).open("/dev/full").unwrap()
}

#[test]
fn a_generation_that_was_begun_and_not_finished_is_not_read() {
    let (_state, journals) = journals();
    let mut journal = begun(&journals);
    journal.append(&[Record::Closed]).unwrap();
    let folder = journal.folder.clone();
    drop(journal);
    std::fs::write(folder.join("base-2"), "half a").unwrap();
    std::fs::write(folder.join("new-2"), "half a log").unwrap();
    let left = Left::read(folder).unwrap().unwrap();
    assert_eq!(left.found.as_ref().unwrap().generation, 1);
    let mut journal = journals.resume(left).unwrap();
    journal.restart(b"base", &[opened()]).unwrap();
    assert_eq!(names(&journal.folder), ["base-2", "lock", "log-2"]);
}

#[cfg(unix)]
#[test]
fn what_stands_where_a_lock_should_neither_hangs_nor_leads_elsewhere() {
    let (state, journals) = journals();
    let path = Path::new("/some/file");
    let folder = journals.folder.join(format!("{}-0", key(path)));
    let lock = folder.join("lock");
    let elsewhere = state.path().join("elsewhere");
    let traps: [(&str, &dyn Fn()); 3] = [
        ("pipe", &|| {
            let mode = rustix::fs::Mode::from_raw_mode(0o600);
            rustix::fs::mknodat(rustix::fs::CWD, &lock, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        }),
        ("folder", &|| std::fs::create_dir(&lock).unwrap()),
        ("link", &|| std::os::unix::fs::symlink(&elsewhere, &lock).unwrap()),
    ];
    for (what, trap) in traps {
        std::fs::create_dir(&folder).unwrap();
        trap();
        // The next number is nobody's.
        let journal = journals.begin(Some(path)).unwrap();
        assert!(name_of(&journal.folder).ends_with("-1"), "{what}");
        drop(journal);
        let left = journals.left_of(path);
        assert!(left.iter().any(|left| left.found.is_err()), "{what}: {left:?}");
        assert!(!elsewhere.exists());
        assert!(held_elsewhere(state.path(), path).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_others_could_read_is_made_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("docwright");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for name in ["journals", "aside"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let journals = Arc::new(Journals::new(&folder).unwrap());
    let journal = begun(&journals);
    assert_eq!([mode(&folder), mode(&folder.join("journals")), mode(&folder.join("aside"))], [0o700; 3]);
    for name in names(&journal.folder) {
        assert_eq!(mode(&journal.folder.join(&name)), 0o600, "{name}");
    }
    // A folder that is not ours alone stays as it is, and only what we put into it is private.
    let shared = state.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::write(shared.join("theirs"), "").unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    Journals::new(&shared).unwrap();
    assert_eq!([mode(&shared), mode(&shared.join("journals"))], [0o755, 0o700]);
    // Nor is anything reached through a link.
    let linked = state.path().join("linked");
    std::fs::create_dir(&linked).unwrap();
    std::os::unix::fs::symlink(&shared, linked.join("journals")).unwrap();
    assert!(Journals::new(&linked).is_err());
}

#[test]
fn what_was_given_up_long_ago_is_forgotten_and_what_is_damaged_is_not() {
    let (state, journals) = journals();
    let old = std::time::SystemTime::now() - 2 * KEPT;
    for (why, age) in [(GIVEN_UP, Some(old)), (GIVEN_UP, None), ("it is damaged", Some(old))] {
        let journal = begun(&journals);
        let folder = journal.folder.clone();
        drop(journal);
        let left = Left::read(folder).unwrap().unwrap();
        let place = journals.set_aside(left, why, None).unwrap();
        if let Some(age) = age {
            File::open(place).unwrap().set_modified(age).unwrap();
        }
    }
    drop(journals);
    let journals = Journals::new(state.path()).unwrap();
    let mut kept: Vec<String> = journals.recoverable().into_iter().filter_map(|about| about.why).collect();
    kept.sort();
    assert_eq!(kept, ["it is damaged", GIVEN_UP]);
}

#[test]
fn a_log_that_is_outlived_twice_says_so_of_the_last_time() {
    let (_state, journals) = journals();
    let mut journal = begun(&journals);
    journal.outlived_by("aa");
    journal.outlived_by("bb");
    let folder = journal.folder.clone();
    assert_eq!(names(&folder), ["base-1", "lock", "log-1-bb"]);
    drop(journal);
    let left = Left::read(folder).unwrap().unwrap();
    assert_eq!(left.found.as_ref().unwrap().outlived.as_deref(), Some("bb"));
    let mut journal = journals.resume(left).unwrap();
    assert!(journal.append(&[Record::Closed]).is_err(), "it must be written anew first");
    journal.restart(b"base", &[opened()]).unwrap();
    assert_eq!(names(&journal.folder), ["base-2", "lock", "log-2"]);
}

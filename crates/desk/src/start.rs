//! Starting a desk: a process that outlives whoever starts it.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use crate::folder::{self, Folder};

/// What the desk gets of the environment: where programs, the home and temporary files are, and the language.
/// Keys and tokens of whoever happens to start it are none of its business.
const ENVIRONMENT: [&str; 13] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "USERPROFILE",
    "LOCALAPPDATA",
    "APPDATA",
    "TEMP",
    "TMP",
    "SystemRoot",
    "SystemDrive",
];

/// How the C library's heap of a process that runs for weeks is kept small: a few arenas instead of one for each thread,
/// and what is large comes from the system and goes back to it. Without it, a desk of 40 MB grows to several hundred in
/// an hour. Other systems do not look at these.
pub const HEAP: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "4"), ("MALLOC_MMAP_THRESHOLD_", "1048576"), ("MALLOC_TRIM_THRESHOLD_", "1048576")];

/// A desk that was started, and how it ended if it did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Started(Arc<Mutex<Option<End>>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// It found another desk, or nobody came.
    Well,
    /// What the system says about it.
    Badly(String),
}

impl Started {
    /// How the process ended.
    pub(crate) fn ended(&self) -> Option<End> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Starts `program` with the hidden command and `arguments` behind it.
pub(crate) fn start(folder: &Folder, arguments: &[OsString]) -> io::Result<Started> {
    let mut options = fs::OpenOptions::new();
    let log = folder::open_private(&folder.log(), options.create(true).append(true))?;
    log.set_len(0)?;
    let mut command = Command::new(program()?);
    command
        .arg("desk")
        .arg("--state-dir")
        .arg(folder.state())
        .args(arguments)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| is_harmless(name)))
        .envs(HEAP)
        .current_dir(Path::new(if cfg!(windows) { "C:\\" } else { "/" }))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    detach(&mut command);
    let mut child = command.spawn()?;
    let started = Started::default();
    let told = started.clone();
    // Somebody has to hear of its end, or the system keeps what is left of it.
    thread::Builder::new().name("desk's end".to_owned()).stack_size(64 * 1024).spawn(move || {
        let ended = match child.wait() {
            Ok(status) if status.success() => End::Well,
            Ok(status) => End::Badly(format!("it ended with {status}")),
            Err(error) => End::Badly(format!("it cannot be waited for: {error}")),
        };
        *told.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    })?;
    Ok(started)
}

fn is_harmless(name: &std::ffi::OsStr) -> bool {
    name.to_str().is_some_and(|name| ENVIRONMENT.contains(&name) || name.starts_with("LC_"))
}

/// This program, also if it was replaced by a newer one since it was started.
fn program() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let replaced = program.to_str().and_then(|name| name.strip_suffix(" (deleted)")).map(PathBuf::from);
    Ok(match replaced {
        Some(path) if !program.exists() => path,
        _ => program,
    })
}

#[cfg(windows)]
fn detach(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const DETACHED_PROCESS: u32 = 0x8;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
}

/// The desk leaves the session itself, when it begins.
#[cfg(not(windows))]
fn detach(_: &mut Command) {}

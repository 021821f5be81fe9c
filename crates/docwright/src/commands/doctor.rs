//! `docwright doctor`: what works on this machine, and how to fix what does not.
//!
//! Nothing is assumed: folders are written to, a port is bound, a sample document goes through the whole road.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use workspace::{DAYS_KEPT, MOST_BYTES_KEPT, MOST_KEPT, Recoverable, Removed};

use crate::access;
use crate::cli::Doctor;
use crate::one_file::{Destination, OneFile};
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    platform: String,
    ok: bool,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Check {
    name: String,
    ok: bool,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Check {
    fn new(name: impl Into<String>, result: Result<String, (String, String)>) -> Self {
        match result {
            Ok(found) => Self { name: name.into(), ok: true, found, fix: None },
            Err((found, fix)) => Self { name: name.into(), ok: false, found, fix: Some(fix) },
        }
    }
}

pub(crate) fn run(arguments: &Doctor, json: bool) -> Result<Verdict, Failure> {
    let access = &arguments.access;
    let mut checks = Vec::new();
    match access::roots(access) {
        Ok(roots) => {
            for root in roots {
                checks.push(Check::new(
                    format!("root {}", root.display()),
                    root_works(&root, access.read_only),
                ));
            }
        }
        Err(failure) => {
            checks.push(Check::new("roots", Err((failure.message, failure.hint.unwrap_or_default()))))
        }
    }
    checks.push(Check::new(
        "unsaved edits are kept safe",
        access::state_dir(access)
            .map_err(|failure| (failure.message, failure.hint.unwrap_or_default()))
            .and_then(|folder| state_works(&folder)),
    ));
    if let Ok(folder) = access::state_dir(access) {
        checks.push(Check::new("desk of this state folder", desk_answers(&folder)));
    }
    checks.push(Check::new(
        "unsaved work of earlier runs",
        access::state_dir(access)
            .map_err(|failure| (failure.message, failure.hint.unwrap_or_default()))
            .and_then(unsaved_work),
    ));
    checks.push(Check::new("HTTP port on this machine", port_works()));
    for (name, bytes) in SAMPLES {
        checks.push(Check::new(format!("{name}: open, save, compare"), sample_survives(name, bytes)));
    }
    let ok = checks.iter().all(|check| check.ok);
    let platform = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let report = Report { version: env!("CARGO_PKG_VERSION"), platform, ok, checks };
    report::answer(json, &report, text)?;
    Ok(if ok { Verdict::Done } else { Verdict::Failed })
}

fn root_works(root: &Path, read_only: bool) -> Result<String, (String, String)> {
    let fix = || "name another folder with --root, or mend its permissions".to_owned();
    let entries = std::fs::read_dir(root).map_err(|error| (format!("cannot be read: {error}"), fix()))?;
    let documents = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let extension = Path::new(&name).extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("docx" | "docm" | "xlsx" | "xlsm" | "md"))
        })
        .count();
    if read_only {
        return Ok(format!("readable, {documents} documents at its top"));
    }
    write_and_rename(root).map_err(|error| {
        (format!("cannot be written: {error}"), "mend its permissions, or start with --read-only".to_owned())
    })?;
    Ok(format!("readable and writable, {documents} documents at its top"))
}

fn state_works(folder: &Path) -> Result<String, (String, String)> {
    std::fs::create_dir_all(folder)
        .and_then(|()| write_and_rename(folder))
        .map(|()| folder.display().to_string())
        .map_err(|error| {
            let found = format!("{} cannot be written: {error}", folder.display());
            (found, "name a folder with --state-dir".to_owned())
        })
}

/// Having no desk is as good as having one: the next process starts it.
fn desk_answers(folder: &Path) -> Result<String, (String, String)> {
    let status = desk::status(folder, env!("CARGO_PKG_VERSION")).map_err(|error| {
        let fix = "end the process that holds `desk/lock` in the state folder, or start with --alone";
        (error.to_string(), fix.to_owned())
    })?;
    let Some(desk::Status { welcome, callers }) = status else {
        return Ok("none runs; the first `docwright mcp` starts it".to_owned());
    };
    let callers: Vec<String> =
        callers.iter().map(|caller| format!("{} (process {})", caller.program, caller.pid)).collect();
    let present = if callers.is_empty() { "nobody".to_owned() } else { callers.join(", ") };
    Ok(format!("version {}, process {}; there: {present}", welcome.version, welcome.pid))
}

/// What waits to be brought back, and what is kept because it could not be.
fn unsaved_work(state: PathBuf) -> Result<String, (String, String)> {
    let left = workspace::recoverable_in(&state)
        .map_err(|refusal| (refusal.to_string(), refusal.hint().unwrap_or_default().into_owned()))?;
    let aside = state.join("aside");
    let mut told: Vec<String> = left.iter().map(|left| unsaved_line(left, &aside)).collect();
    told.extend(removed_line(&workspace::removed_in(&state)));
    Ok(if told.is_empty() { "none".to_owned() } else { told.join("; ") })
}

/// What is not kept any more, and what would have been.
fn removed_line(removed: &[Removed]) -> Option<String> {
    let last = removed.last()?;
    let Removed { title, edits, suggestions, why, .. } = last;
    let megabytes = MOST_BYTES_KEPT >> 20;
    Some(format!(
        "{} more removed, the last {title} with {edits} edits and {suggestions} suggestions because {why} (of documents without a \
         file, and of those closed without saving, the latest {MOST_KEPT} of up to {megabytes} MB are kept for {DAYS_KEPT} days)",
        removed.len()
    ))
}

fn unsaved_line(left: &Recoverable, aside: &Path) -> String {
    let name = left.path.as_ref().map_or_else(|| left.title.clone(), |path| path.display().to_string());
    let holds = format!("{name}: {} edits, {} suggestions", left.edits, left.suggestions);
    match (&left.why, left.aside) {
        (Some(why), true) => format!("{holds}, kept in {} ({why})", aside.join(&left.id).display()),
        (Some(why), false) => format!("{holds}, as far as it can be read ({why})"),
        (None, _) if left.path.as_ref().is_some_and(|path| !path.exists()) => {
            format!("{holds}; the file is gone, and `docwright review {name}` brings them back")
        }
        (None, _) if left.path.is_some() => format!("{holds}, back when it is opened"),
        (None, _) => format!("{holds}, without a file"),
    }
}

/// Saving writes beside the target and renames; so does this.
fn write_and_rename(folder: &Path) -> std::io::Result<()> {
    let (from, to) = (folder.join(".docwright-doctor.new"), folder.join(".docwright-doctor"));
    let tried =
        std::fs::write(&from, b"docwright doctor was here").and_then(|()| std::fs::rename(&from, &to));
    let _ = std::fs::remove_file(&from);
    let _ = std::fs::remove_file(&to);
    tried
}

fn port_works() -> Result<String, (String, String)> {
    std::net::TcpListener::bind(("127.0.0.1", 0))
        .map(|_| "can be opened".to_owned())
        .map_err(|error| (error.to_string(), "`docwright mcp` needs no port; use that".to_owned()))
}

/// One document of each kind, carried along so that the whole road can be tried anywhere.
const SAMPLES: [(&str, &[u8]); 3] = [
    ("contract.docx", include_bytes!("../../../../samples/contract.docx")),
    ("budget.xlsx", include_bytes!("../../../../samples/budget.xlsx")),
    ("handbook.md", include_bytes!("../../../../samples/handbook.md")),
];

fn sample_survives(name: &str, bytes: &[u8]) -> Result<String, (String, String)> {
    let folder = std::env::temp_dir().join(format!("docwright-doctor-{}", std::process::id()));
    let tried = round_trip(&folder, name, bytes);
    let _ = std::fs::remove_dir_all(&folder);
    tried.map_err(|failure| {
        let fix =
            failure.hint.unwrap_or_else(|| "check that the folder for temporary files can be written".into());
        (failure.message, fix)
    })
}

fn round_trip(folder: &Path, name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let (from, to) = (folder.join(name), folder.join(format!("copy of {name}")));
    let disk = |error: std::io::Error| Failure::new("DISK_ERROR", format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&from, bytes)).map_err(disk)?;
    let desk = OneFile::open(&from, &[], "doctor")?;
    desk.save(&Destination::File(to.clone()))?;
    match std::fs::read(&to).map_err(disk)? == bytes {
        true => Ok(format!("{} bytes, all of them the same", bytes.len())),
        false => Err(Failure::new("CHANGED", "saving without an edit changed the file")),
    }
}

fn text(report: &Report) -> String {
    let mut text = format!("docwright {} on {}\n", report.version, report.platform);
    for check in &report.checks {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{} {}: {}", if check.ok { "ok  " } else { "FAIL" }, check.name, check.found);
        if let Some(fix) = &check.fix {
            let _ = writeln!(text, "       fix: {fix}");
        }
    }
    text
}

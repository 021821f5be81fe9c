//! `docwright install` and `docwright uninstall`: our server in the settings of the MCP clients of this machine.
//!
//! Every change is worked out and shown first, then made; a client whose settings cannot be read is told of and left.

mod clients;
mod put_back;
mod settings;

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::install::{Install, Uninstall, Which};
use crate::report::{self, Failure, Verdict};

use clients::Client;
use settings::Server;

/// What teaches an agent to use us well, for clients that read such files.
const SKILL: &str = include_str!("../../../../skill/SKILL.md");

/// Stands for a folder that only the reader knows.
const TO_FILL_IN: &str = "/path/to/your/documents";

#[derive(Debug, Serialize)]
struct Report {
    changed: Vec<Change>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<Left>,
}

/// A file that is to be different.
#[derive(Debug, Serialize)]
struct Change {
    client: &'static str,
    path: PathBuf,
    #[serde(skip)]
    before: Option<String>,
    /// Nothing where the file goes.
    #[serde(skip)]
    after: Option<String>,
}

/// A client that nothing is done for.
#[derive(Debug, Serialize)]
struct Left {
    client: &'static str,
    why: String,
    /// It should have been changed and could not be.
    failed: bool,
}

pub(crate) fn install(arguments: &Install, json: bool) -> Result<Verdict, Failure> {
    let server = server(arguments)?;
    if arguments.print {
        return print(&server, json);
    }
    let plan = |client: &Client, before: Option<&str>| {
        let text = before.unwrap_or(client.layout.nothing());
        Ok(Some(client.layout.with(text, &server)?))
    };
    let skill = |before: Option<&str>| match before {
        Some(before) if !ours(before) => None,
        _ => Some(Some(SKILL.to_owned())),
    };
    carry_out(&arguments.which, json, "already there", plan, skill, put_back::keep)
}

pub(crate) fn uninstall(arguments: &Uninstall, json: bool) -> Result<Verdict, Failure> {
    let plan = |client: &Client, before: Option<&str>| {
        let Some(before) = before else { return Ok(None) };
        if let Some(original) = put_back::original(&client.settings, before) {
            return Ok(original);
        }
        let Some(after) = client.layout.without(before)? else { return Ok(Some(before.to_owned())) };
        // A file that we made goes with what it was made for.
        Ok((after != client.layout.nothing()).then_some(after))
    };
    let skill = |before: Option<&str>| before.filter(|before| ours(before)).map(|_| None);
    carry_out(&arguments.which, json, "not there", plan, skill, |path, _, _| put_back::forget(path))
}

/// Whether a skill file is the one that we ship, of whichever version.
fn ours(skill: &str) -> bool {
    skill.lines().take(3).any(|line| line.trim() == "name: docwright")
}

fn server(arguments: &Install) -> Result<Server, Failure> {
    let command = match &arguments.command {
        Some(command) => command.clone(),
        None => std::env::current_exe()
            .map_err(|error| Failure::new("NO_PROGRAM", format!("this program cannot be found: {error}")))?,
    };
    let mut roots = arguments.roots.clone();
    if roots.is_empty() {
        let documents = clients::home().map(|home| home.join("Documents")).filter(|folder| folder.is_dir());
        match documents {
            Some(documents) => roots.push(documents),
            // What is only shown may leave a place to fill in.
            None if arguments.print => {
                report::remark(&format!("put the folder that agents may use in the place of {TO_FILL_IN}"));
                let mut words = vec!["mcp".to_owned(), "--root".to_owned(), TO_FILL_IN.to_owned()];
                words.extend(arguments.options.iter().cloned());
                return Ok(Server { command: utf8(&command)?, arguments: words });
            }
            None => {
                return Err(Failure::new("NO_ROOT", "there is no ~/Documents that agents could be given")
                    .with_hint("name the folder that they may use with --root DIR"));
            }
        }
    }
    let mut words = vec!["mcp".to_owned()];
    for root in roots {
        let root = std::path::absolute(&root).ok().filter(|root| root.is_dir()).ok_or_else(|| {
            Failure::new("NO_ROOT", format!("{} is not a folder", root.display()))
                .with_hint("name a folder that exists with --root")
        })?;
        words.extend(["--root".to_owned(), utf8(&root)?]);
    }
    words.extend(arguments.options.iter().cloned());
    Ok(Server { command: utf8(&command)?, arguments: words })
}

/// Settings are text, and half a path would be another one.
fn utf8(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::new(
            "BAD_PATH",
            format!("{} cannot be written into settings, which are text", path.display()),
        )
    })
}

fn print(server: &Server, json: bool) -> Result<Verdict, Failure> {
    let entry = serde_json::json!({ "mcpServers": { (settings::NAME): {
        "command": server.command, "args": server.arguments,
    } } });
    report::answer(json, &entry, |entry| format!("{entry:#}\n"))?;
    Ok(Verdict::Done)
}

/// Works out all changes, shows them, asks, and makes them.
///
/// `plan` says what the settings of a client are to become, nothing for no file; `skill` what becomes of a skill file,
/// if anything. `remember` is told of each change that was made.
fn carry_out(
    which: &Which,
    json: bool,
    nothing_to_do: &str,
    plan: impl Fn(&Client, Option<&str>) -> Result<Option<String>, String>,
    skill: impl Fn(Option<&str>) -> Option<Option<String>>,
    remember: impl Fn(&Path, Option<&str>, Option<&str>),
) -> Result<Verdict, Failure> {
    let mut report = Report { changed: Vec::new(), left: Vec::new() };
    let named = |client: &Client| which.clients.contains(&client.name);
    for client in clients::all()? {
        if !(named(&client) || which.clients.is_empty() && client.is_here()) {
            continue;
        }
        let planned = read(&client.settings).and_then(|before| {
            let after = plan(&client, before.as_deref())?;
            Ok((before, after))
        });
        let before_this = report.changed.len();
        match planned {
            Err(why) => {
                let why = format!("{}: {why}", client.settings.display());
                report.left.push(Left { client: client.title, why, failed: true });
                continue;
            }
            Ok((before, after)) if before == after => {}
            Ok((before, after)) => {
                let path = client.settings.clone();
                report.changed.push(Change { client: client.title, path, before, after });
            }
        }
        if let Some(path) = &client.skill
            && let Ok(before) = read(path)
            && let Some(after) = skill(before.as_deref()).filter(|after| *after != before)
        {
            report.changed.push(Change { client: client.title, path: path.clone(), before, after });
        }
        if report.changed.len() == before_this {
            report.left.push(Left { client: client.title, why: nothing_to_do.to_owned(), failed: false });
        }
    }
    if report.changed.is_empty() && report.left.is_empty() {
        return Err(Failure::new("NO_CLIENTS", "no MCP client that we know was found on this machine")
            .with_hint("name one with --client, or paste what `docwright install --print` shows"));
    }
    if !report.changed.is_empty() && !which.yes {
        agreed(&report.changed)?;
    }
    for change in &report.changed {
        make(change)?;
        remember(&change.path, change.before.as_deref(), change.after.as_deref());
    }
    report::answer(json, &report, told)?;
    let failed = report.left.iter().any(|left| left.failed);
    Ok(if failed { Verdict::Failed } else { Verdict::Done })
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not text in UTF-8".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

/// Shows the changes and lets a person decide. Where nobody can answer, nothing is changed.
fn agreed(changes: &[Change]) -> Result<(), Failure> {
    let mut err = std::io::stderr().lock();
    let mut say = |text: &str| {
        let _ = err.write_all(text.as_bytes());
        let _ = err.flush();
    };
    for change in changes {
        say(&difference(change));
    }
    let not_agreed = || {
        Failure::new("NOT_AGREED", "nothing was changed").with_hint("--yes makes the changes without asking")
    };
    if !std::io::stdin().is_terminal() {
        return Err(not_agreed());
    }
    say("Make these changes? [y/N] ");
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(not_agreed()),
    }
}

/// The lines that differ. A change of ours is one place in a file, so what is around it is alike.
fn difference(change: &Change) -> String {
    let path = change.path.display();
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        let what = if change.after.is_some() { "new file" } else { "goes" };
        let text = change.after.as_deref().filter(|after| after.lines().count() <= 30).unwrap_or("");
        let lines: String = text.lines().map(|line| format!("  + {line}\n")).collect();
        return format!("{} ({path}, {what})\n{lines}\n", change.client);
    };
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let rest = before.len().min(after.len()) - same;
    let ending =
        before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(before, after)| before == after);
    let ending = ending.count();
    let mut text = format!("{} ({path})\n", change.client);
    for (mark, lines) in [("-", &before), ("+", &after)] {
        for line in lines.iter().take(lines.len() - ending).skip(same) {
            text.push_str(&format!("  {mark} {line}\n"));
        }
    }
    text.push('\n');
    text
}

/// Written beside and renamed, so that a client never reads half of it; a link stays a link.
fn make(change: &Change) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new("DISK_ERROR", format!("{}: {error}", change.path.display()))
            .with_hint("what was changed before this file stays changed; run the command again")
    };
    let path = change.path.canonicalize().unwrap_or_else(|_| change.path.clone());
    let Some(after) = &change.after else { return std::fs::remove_file(&path).map_err(failed) };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(after.as_bytes()).map_err(failed)?;
    if let Ok(old) = std::fs::metadata(&path) {
        file.as_file().set_permissions(old.permissions()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn told(report: &Report) -> String {
    let mut text = String::new();
    for change in &report.changed {
        let verb = match (&change.before, &change.after) {
            (None, _) => "made",
            (_, None) => "removed",
            _ => "changed",
        };
        text.push_str(&format!("{}: {verb} {}\n", change.client, change.path.display()));
    }
    for left in &report.left {
        text.push_str(&format!("{}: {}\n", left.client, left.why));
    }
    if !report.changed.is_empty() {
        text.push_str("Start the clients again for this to take effect.\n");
    }
    text
}

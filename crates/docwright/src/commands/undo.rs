//! `docwright undo`: the last change that a command made to a file, taken back.

use std::path::Path;

use serde::Serialize;

use crate::cli::Undo;
use crate::kept_changes::{self, Change};
use crate::one_file::{self, OneFile};
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Undone {
    command: String,
    when: String,
    saved: String,
    sha256: String,
    /// How many further changes can be taken back.
    left: usize,
}

pub(crate) fn run(arguments: &Undo, json: bool) -> Result<Verdict, Failure> {
    let file = arguments
        .file
        .canonicalize()
        .map_err(|error| Failure::new("FILE_NOT_FOUND", format!("{}: {error}", arguments.file.display())))?;
    if !file.is_file() {
        return Err(Failure::new("NOT_A_FILE", format!("{} is no file", file.display())));
    }
    let changes = kept_changes::of(&file)?.changes;
    if arguments.list {
        return list(&changes, json);
    }
    let (index, wanted) = match arguments.redo {
        false => (changes.iter().rposition(|change| !change.undone), "undo"),
        true => (changes.iter().position(|change| change.undone), "do again"),
    };
    let found = index.and_then(|index| changes.get(index).map(|change| (index, change)));
    let Some((index, change)) = found else {
        let message = format!("there is no change of {} to {wanted}", file.display());
        let hint =
            "changes that `docwright` commands wrote over a file are kept; those of other programs are not";
        return Err(Failure::new("NOTHING_TO_UNDO", message).with_hint(hint));
    };
    let (now, then) = match arguments.redo {
        false => (&change.after, &change.before),
        true => (&change.before, &change.after),
    };
    if kept_changes::fingerprint(&file)? != *now {
        let message = format!("{} was changed since `docwright {}`", file.display(), change.command);
        let hint = "nothing was undone, because that would lose what changed; `docwright undo FILE --list` tells what is kept";
        return Err(Failure::new("CHANGED_ON_DISK", message).with_hint(hint));
    }
    restore(&file, index, change, then)?;
    let left = changes.iter().filter(|other| other.undone == arguments.redo).count() - 1;
    let undone = Undone {
        command: change.command.clone(),
        when: change.age(),
        saved: file.display().to_string(),
        sha256: then.clone(),
        left,
    };
    report::answer(json, &undone, |undone| {
        let what = if arguments.redo { "did again" } else { "undid" };
        let more = match (undone.left, arguments.redo) {
            (0, _) => String::new(),
            (left, false) => format!("; {left} more can be undone"),
            (left, true) => format!("; {left} more can be done again"),
        };
        let (command, when) = (&undone.command, &undone.when);
        format!("{what} `docwright {command}` ({when}){more}\nsaved {}\n", undone.saved)
    })?;
    Ok(Verdict::Done)
}

/// The kept bytes go back on the road of every save: whoever has the file open, or marked it read-only, is respected.
fn restore(file: &Path, index: usize, change: &Change, then: &str) -> Result<(), Failure> {
    let copy = kept_changes::copy_of(file, change)?;
    if kept_changes::fingerprint(&copy)? != *then {
        let message = format!("what was kept in {} is damaged", copy.display());
        return Err(Failure::new("DISK_ERROR", message));
    }
    one_file::nobody_works_on(file)?;
    let desk = OneFile::open(&copy, &[file], "undo")?;
    let aside = kept_changes::put_aside(file)
        .ok_or_else(|| Failure::new("DISK_ERROR", "the present file could not be put aside"))?;
    desk.workspace.save_as(desk.document, file, workspace::Overwrite::Allow)?;
    kept_changes::turned(file, index, aside)
}

fn list(changes: &[Change], json: bool) -> Result<Verdict, Failure> {
    #[derive(Debug, Serialize)]
    struct Listed<'a> {
        command: &'a str,
        when: String,
        undone: bool,
        before: &'a str,
        after: &'a str,
    }
    let listed: Vec<Listed<'_>> = changes
        .iter()
        .rev()
        .map(|change| Listed {
            command: &change.command,
            when: change.age(),
            undone: change.undone,
            before: &change.before,
            after: &change.after,
        })
        .collect();
    report::answer(json, &listed, |listed| match listed.is_empty() {
        true => "no changes are kept\n".to_owned(),
        false => listed
            .iter()
            .map(|one| {
                let undone = if one.undone { "\tundone" } else { "" };
                format!("{}\t{}{undone}\n", one.command, one.when)
            })
            .collect(),
    })?;
    Ok(Verdict::Done)
}

//! One file on the command line: opened, edited, saved, under the same rules as everywhere else.
//!
//! Who names a file on the command line is a person and may use it, so the file's own folder is the root. Edits are saved
//! before the command ends; there is nothing to keep for later, hence no journal.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use std::sync::OnceLock;

use workspace::{
    Caller, Config, DocId, EditRequest, Ending, Mode, Network, OpenIn, Opens, Outcome, Overwrite, Reading,
    Refusal, Role, SaveReport, Scope, Standing, Workspace,
};

use crate::access;

use crate::cli::Destined;
use crate::report::Failure;
use crate::{kept_changes, progress};

/// Who gave the command, for all of it; a person if nothing was said.
pub(crate) static ROLE: OnceLock<Role> = OnceLock::new();

/// The language that numbers and dates are typed and shown in, where the command names one.
pub(crate) static LANGUAGE: OnceLock<String> = OnceLock::new();

pub(crate) struct OneFile {
    pub(crate) workspace: Workspace,
    pub(crate) document: DocId,
    pub(crate) standing: Standing,
}

/// What becomes of an edit.
#[derive(Debug, Clone)]
pub(crate) enum Destination {
    InPlace,
    File(PathBuf),
    /// Only show what would happen.
    Nowhere,
}

impl Destination {
    pub(crate) fn mode(&self) -> Mode {
        match self {
            Self::Nowhere => Mode::DryRun,
            Self::InPlace | Self::File(_) => Mode::Apply,
        }
    }
}

impl OneFile {
    /// Open `file`; the folders of `others` may be written too.
    pub(crate) fn open(file: &Path, others: &[&Path], author: &str) -> Result<Self, Failure> {
        Self::open_with(file, others, author, Network::off())
    }

    /// As [`OneFile::open`], with some of the network.
    pub(crate) fn open_with(
        file: &Path,
        others: &[&Path],
        author: &str,
        network: Network,
    ) -> Result<Self, Failure> {
        let file = std::path::absolute(file).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
        let name = file.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned();
        progress::doing(format!("reading {name}"));
        let mut roots = vec![folder(&file)];
        for other in others {
            let other =
                std::path::absolute(other).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
            roots.push(folder(&other));
        }
        let caller = match ROLE.get() {
            Some(Role::Agent) => Caller::agent(author, ""),
            Some(Role::Person) | None => Caller::person(author, ""),
        };
        let language = LANGUAGE.get().cloned();
        let caller = Caller { roots, scope: Scope::SingleFile, network, language, ..caller };
        let config = Config {
            old_workbooks: crate::old::converter(),
            scripts: crate::scripts::runner(),
            ..Config::default()
        };
        let workspace = Workspace::alone(caller, config)?;
        let opened =
            workspace.open(&file, OpenIn::Tab(None)).map_err(|refusal| with_what_was_left(&file, refusal))?;
        progress::doing(format!("working on {name}"));
        Ok(Self { workspace, document: opened.document, standing: Standing::default() })
    }

    pub(crate) fn read<F: Opens, T>(&self, read: impl FnOnce(&F::View) -> T) -> Result<T, Failure> {
        Ok(self.workspace.read::<F, T>(self.document, read)?)
    }

    /// Make the edits and put them where they shall go.
    pub(crate) fn edit<F: Opens>(
        &self,
        edits: Vec<F::Edit>,
        destination: &Destination,
    ) -> Result<(Outcome<F::Outcome>, Option<SaveReport>), Failure> {
        let outcome = self.apply::<F>(edits, destination)?;
        Ok((outcome, self.save(destination)?))
    }

    /// Make the edits, for commands that look at the outcome before they save it.
    pub(crate) fn apply<F: Opens>(
        &self,
        edits: Vec<F::Edit>,
        destination: &Destination,
    ) -> Result<Outcome<F::Outcome>, Failure> {
        // A list of edits on the command line is read in turn: each on what the one before it left.
        let request = EditRequest {
            reading: Reading::InTurn,
            ..EditRequest::new(edits, destination.mode()).standing(self.standing)
        };
        let outcome = self
            .workspace
            .edit::<F>(self.document, request)
            .map_err(|refusal| Failure::from(mcp::ToolError::on(F::KIND, refusal)))?;
        self.must_not_wait(&outcome.ending)?;
        Ok(outcome)
    }

    /// Put what operations and requests came to where it shall go. A file that nothing changed is not written again, a
    /// named output is written all the same.
    pub(crate) fn save_changes(&self, into: &Destined) -> Result<Option<SaveReport>, Failure> {
        match into.output.is_some() || self.workspace.status(self.document)?.dirty {
            true => self.save(&into.destination()),
            false => Ok(None),
        }
    }

    /// A command is over before anybody could decide, so what has to wait is refused.
    pub(crate) fn must_not_wait(&self, ending: &Ending) -> Result<(), Failure> {
        match ending {
            Ending::Suggested(_) => {
                let message = "an agent's edits of this document wait for a person; nothing was changed";
                Err(Failure::new("PERMISSION_DENIED", message)
                    .with_hint("make the edit through `docwright mcp`, where a person decides on it with `docwright review`"))
            }
            Ending::Applied | Ending::Previewed | Ending::Unchanged => Ok(()),
        }
    }

    pub(crate) fn save(&self, destination: &Destination) -> Result<Option<SaveReport>, Failure> {
        Ok(match destination {
            Destination::Nowhere => None,
            Destination::InPlace => {
                let path = self.workspace.status(self.document)?.path;
                if let Some(path) = &path {
                    nobody_works_on(path)?;
                }
                let save = || Ok(self.workspace.save(self.document, Overwrite::Refuse)?);
                Some(kept(path.as_deref(), save)?)
            }
            // Who names an output file means that file.
            Destination::File(path) => {
                let path =
                    std::path::absolute(path).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
                let save = || Ok(self.workspace.save_as(self.document, &path, Overwrite::Allow)?);
                Some(kept(Some(&path), save)?)
            }
        })
    }
}

/// A file that is gone may have left unsaved work behind.
fn with_what_was_left(file: &Path, refusal: Refusal) -> Failure {
    let left = || {
        let state = access::state_folder(None).ok().filter(|state| state.is_dir())?;
        let left = workspace::recoverable_in(&state).ok()?;
        let here = left.iter().any(|left| !left.aside && left.path.as_deref() == Some(file));
        (here || workspace::unsaved_elsewhere(&state, file).is_some()).then_some(())
    };
    let missing = matches!(refusal, Refusal::Disk { fault: workspace::Fault::Missing, .. });
    let left = missing.then(left).flatten();
    let failure = Failure::from(refusal);
    match left {
        None => failure,
        Some(()) => {
            let hint = format!("what was not saved of it is kept: `docwright review {}`", file.display());
            failure.with_hint(hint)
        }
    }
}

/// What a running process has not saved would be lost under what is written in place.
pub(crate) fn nobody_works_on(path: &Path) -> Result<(), Failure> {
    let Ok(state) = access::state_folder(None) else { return Ok(()) };
    let Some(unsaved) = workspace::unsaved_elsewhere(&state, path).filter(|unsaved| unsaved.edits > 0) else {
        return Ok(());
    };
    let by = if unsaved.by.is_empty() { String::new() } else { format!(" by {}", unsaved.by.join(", ")) };
    let message =
        format!("{} has {} unsaved edits{by} in a running docwright", path.display(), unsaved.edits);
    Err(Failure::new("UNSAVED_ELSEWHERE", message)
        .with_hint("save them there first, or write to another file with -o"))
}

/// Saves, and keeps what was there before for `docwright undo`.
pub(crate) fn kept(
    path: Option<&Path>,
    save: impl FnOnce() -> Result<SaveReport, Failure>,
) -> Result<SaveReport, Failure> {
    if let Some(name) = path.and_then(Path::file_name) {
        progress::doing(format!("writing {}", name.to_string_lossy()));
    }
    let aside = path.and_then(kept_changes::put_aside);
    let saved = save();
    match (aside, &saved) {
        (Some(aside), Ok(report)) => aside.written(&report.receipt.after),
        (Some(aside), Err(_)) => aside.dropped(),
        (None, _) => {}
    }
    saved
}

fn folder(file: &Path) -> PathBuf {
    file.parent().map_or_else(|| PathBuf::from("/"), Path::to_path_buf)
}

/// The same codes as the tools give.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        mcp::ToolError::from(refusal).into()
    }
}

impl From<mcp::ToolError> for Failure {
    fn from(error: mcp::ToolError) -> Self {
        Self { code: error.code.into_owned(), message: error.message, hint: error.hint }
    }
}

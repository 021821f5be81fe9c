//! One file on the command line: opened, edited, saved, under the same rules as everywhere else.
//!
//! Who names a file on the command line is a person and may use it, so the file's own folder is the root. Edits are saved
//! before the command ends; there is nothing to keep for later, hence no journal.

use std::path::{Path, PathBuf};

use workspace::{
    Caller, Config, DocId, EditRequest, Mode, Network, OpenIn, Opens, Outcome, Overwrite, Reading, Refusal,
    SaveReport, Scope, Workspace,
};

use crate::cli::Destined;
use crate::report::Failure;

pub(crate) struct OneFile {
    pub(crate) workspace: Workspace,
    pub(crate) document: DocId,
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
        let mut roots = vec![folder(&file)];
        for other in others {
            let other =
                std::path::absolute(other).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
            roots.push(folder(&other));
        }
        let person = Caller { roots, scope: Scope::SingleFile, network, ..Caller::person(author, "") };
        let config = Config { old_workbooks: crate::old::converter(), ..Config::default() };
        let workspace = Workspace::alone(person, config)?;
        let opened = workspace.open(&file, OpenIn::Tab(None))?;
        Ok(Self { workspace, document: opened.document })
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
        let request = EditRequest { reading: Reading::InTurn, ..EditRequest::new(edits, destination.mode()) };
        self.workspace
            .edit::<F>(self.document, request)
            .map_err(|refusal| Failure::from(mcp::ToolError::on(F::KIND, refusal)))
    }

    /// Put what operations and requests came to where it shall go. A file that nothing changed is not written again, a
    /// named output is written all the same.
    pub(crate) fn save_changes(&self, into: &Destined) -> Result<Option<SaveReport>, Failure> {
        match into.output.is_some() || self.workspace.status(self.document)?.dirty {
            true => self.save(&into.destination()),
            false => Ok(None),
        }
    }

    pub(crate) fn save(&self, destination: &Destination) -> Result<Option<SaveReport>, Failure> {
        Ok(match destination {
            Destination::Nowhere => None,
            Destination::InPlace => Some(self.workspace.save(self.document, Overwrite::Refuse)?),
            // Who names an output file means that file.
            Destination::File(path) => {
                let path =
                    std::path::absolute(path).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
                Some(self.workspace.save_as(self.document, path, Overwrite::Allow)?)
            }
        })
    }
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

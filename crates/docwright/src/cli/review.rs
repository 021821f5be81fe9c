//! What can be said to `docwright review`.

use std::path::PathBuf;

use crate::cli::AtDesk;
use clap::Args;

/// Decide on what agents suggest, and on Word's tracked changes
///
/// On a terminal it walks through a document item by item; with flags, or where nobody can press keys, it lists and
/// decides for scripts. Decisions take effect at once, and agents that wait for them go on; the file is written when
/// you save.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright review                                   where there is something to decide
  docwright review contract.docx                     one item after the other; ? tells the keys
  docwright review contract.docx --list              what there is, with ids; ends with 2 if there is something
  docwright review contract.docx --accept 101,102 --save
  docwright review contract.docx --reject-all --author 'Priya Nair' --json")]
pub(crate) struct Review {
    /// The document: a file, or the name that the list gives to one without a file
    pub(crate) file: Option<String>,

    /// List what there is to decide, and decide nothing
    #[arg(long, conflicts_with_all = ["accept", "reject", "accept_all", "reject_all", "save"])]
    pub(crate) list: bool,

    /// Accept the items with these ids
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) accept: Vec<String>,

    /// Reject the items with these ids
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) reject: Vec<String>,

    /// Accept everything that can be accepted
    #[arg(long, conflicts_with_all = ["reject_all", "accept"])]
    pub(crate) accept_all: bool,

    /// Reject everything
    #[arg(long, conflicts_with = "reject")]
    pub(crate) reject_all: bool,

    /// Only what this author suggested or changed
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,

    /// Save the document afterwards
    #[arg(long)]
    pub(crate) save: bool,

    /// Your name, as decisions are recorded [default: the name you are logged in with]
    #[arg(long, value_name = "NAME")]
    pub(crate) as_name: Option<String>,

    #[command(flatten)]
    pub(crate) at: AtDesk,

    /// Where unsaved edits and suggestions are kept safe [default: the user's state folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

impl Review {
    pub(crate) fn decides(&self) -> bool {
        let Self { accept, reject, accept_all, reject_all, .. } = self;
        !accept.is_empty() || !reject.is_empty() || *accept_all || *reject_all
    }
}

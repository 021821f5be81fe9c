//! What can be said about Markdown files: `docwright md`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Destined;

/// Read, edit and check Markdown files
#[derive(Debug, Subcommand)]
pub(crate) enum Md {
    Read(MdRead),
    Outline(MdOutline),
    Edit(MdEdit),
    Check(MdCheck),
}

/// Print a Markdown file, or one block or section of it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md read handbook.md
  docwright md read handbook.md --node h-2 --section")]
pub(crate) struct MdRead {
    /// The Markdown file
    pub(crate) file: PathBuf,

    /// Only this block, by its id, such as p-3, or a heading by its title
    #[arg(long, value_name = "ID")]
    pub(crate) node: Option<String>,

    /// With a heading: the whole section below it
    #[arg(long, requires = "node")]
    pub(crate) section: bool,
}

/// List the headings of a Markdown file, or all its blocks, with their ids
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md outline handbook.md
  docwright md outline handbook.md --blocks
  docwright md outline handbook.md --json")]
pub(crate) struct MdOutline {
    /// The Markdown file
    pub(crate) file: PathBuf,

    /// Every block with its id, not the headings alone
    #[arg(long)]
    pub(crate) blocks: bool,
}

/// Replace text or a block, and leave every other byte as it was
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md edit handbook.md --old '5 minutes' --new '10 minutes'
  docwright md edit handbook.md --node p-0 --new 'A new first paragraph.' -o draft.md
  docwright md edit handbook.md --after h-1 --new '- one more point' --dry-run")]
pub(crate) struct MdEdit {
    /// The Markdown file
    pub(crate) file: PathBuf,

    /// Text to replace, also across formatting; it must occur once unless --all is given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) old: Option<String>,

    /// Block to give new content, by its id; a heading also by its title
    #[arg(long, value_name = "ID")]
    pub(crate) node: Option<String>,

    /// Block to insert behind, by its id; a heading also by its title
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,

    /// The new text or Markdown
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) new: String,

    /// Replace every occurrence
    #[arg(long, requires = "old")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Check Markdown files for broken links, open fences, ragged tables, skipped levels and mixed line ends
///
/// Also checks that saving without an edit changes no byte. Addresses on the network are not asked for. Ends with 2 if
/// anything was found.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md check handbook.md
  docwright md check docs/*.md --json")]
pub(crate) struct MdCheck {
    /// The Markdown files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

//! What can be said about all that stands beside the text of a document, and about several edits at once.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Rules;
use crate::cli::Destined;

/// Delete one paragraph
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word delete contract.docx --id jr_para_86fac56a76c4 --track")]
pub(crate) struct WordDelete {
    /// The Word document
    pub(crate) file: PathBuf,

    /// The paragraph, by the id that `word read` gives it or by a bookmark's name
    #[arg(long, value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Make several edits as one: all or none
#[derive(Debug, Args)]
#[command(after_help = "\
The edits are a JSON list, as the tool batch_edit_docx takes them; each sees what the one before it left:
  [{\"op\":\"replace\",\"paragraph_id\":\"jr_para_…\",\"old_string\":\"A\",\"new_string\":\"B\"},
   {\"op\":\"insert\",\"paragraph_id\":\"jr_para_…\",\"position\":\"AFTER\",\"new_string\":\"More.\"},
   {\"op\":\"delete\",\"paragraph_id\":\"jr_para_…\"}]

Examples:
  docwright word batch contract.docx --edits edits.json -o next.docx
  docwright word batch contract.docx --edits - --track < edits.json")]
pub(crate) struct WordBatch {
    /// The Word document
    pub(crate) file: PathBuf,

    /// A file with the edits; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: PathBuf,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// List, add, answer, resolve or delete comments
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word comment contract.docx list
  docwright word comment contract.docx add --id jr_para_86fac56a76c4 --quote 'set-off' --text 'Agreed?'
  docwright word comment contract.docx reply --comment 0 --text 'Yes.'
  docwright word comment contract.docx resolve --comment 0")]
pub(crate) struct WordComment {
    /// The Word document
    pub(crate) file: PathBuf,

    /// What to do
    #[arg(value_enum, ignore_case = true)]
    pub(crate) action: CommentAction,

    /// The paragraph to comment on
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// The words to comment on; all of the paragraph if there are none
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) quote: Option<String>,

    /// What it says
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,

    /// The comment, as `list` names it, or by its mark (`[c3]`)
    #[arg(long, value_name = "ID")]
    pub(crate) comment: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommentAction {
    List,
    Add,
    Reply,
    Resolve,
    Reopen,
    Delete,
}

/// Add, rewrite or delete footnotes and endnotes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word note contract.docx add --id jr_para_86fac56a76c4 --quote 'set-off' --text 'After tax.'
  docwright word note contract.docx update --note 1 --text 'Before tax.' --track
  docwright word note contract.docx delete --note 1")]
pub(crate) struct WordNote {
    /// The Word document
    pub(crate) file: PathBuf,

    /// What to do with it
    #[arg(value_enum, ignore_case = true)]
    pub(crate) action: NoteAction,

    /// The paragraph to add the note in
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// The words that its mark stands behind; the end of the paragraph if there are none
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) quote: Option<String>,

    /// What it says
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,

    /// The note, by the mark that `word read` shows (`[^2]` or `2`) or by the id of its paragraph
    #[arg(long, value_name = "ID")]
    pub(crate) note: Option<String>,

    /// An endnote instead of a footnote
    #[arg(long)]
    pub(crate) endnote: bool,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NoteAction {
    Add,
    Update,
    Delete,
}

/// Set the header or footer of a section
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word header contract.docx --text 'Draft of 1 May'
  docwright word footer contract.docx --text 'Page {PAGE} of {NUMPAGES}' --pages first")]
pub(crate) struct WordRunning {
    /// The Word document
    pub(crate) file: PathBuf,

    /// {PAGE} and {NUMPAGES} become fields; a blank line starts a new paragraph
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: String,

    /// The section, counted from 1
    #[arg(long, default_value_t = 1)]
    pub(crate) section: usize,

    /// The pages it is for: all, the first, or those with even numbers
    #[arg(long, value_enum, ignore_case = true, default_value = "default")]
    pub(crate) pages: PagesOf,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PagesOf {
    Default,
    First,
    Even,
}

/// Fill {{placeholders}}, content controls and form fields by name
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word fill form.docx --set customer='Ann Lee' --set approved=true -o ann.docx
  docwright word fill form.docx --values values.json -o ann.docx")]
pub(crate) struct WordFill {
    /// The Word document
    pub(crate) file: PathBuf,

    /// One value; may be given more than once
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<String>,

    /// A JSON object with values by name; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Everything of this file, as one enum of subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Beside {
    Delete(WordDelete),
    Batch(WordBatch),
    Comment(WordComment),
    Note(WordNote),
    Header(WordRunning),
    /// Set the footer of a section
    Footer(WordRunning),
    Fill(WordFill),
}

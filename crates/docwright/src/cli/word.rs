//! What can be said about Word documents: `docwright word`.

pub(crate) mod beside_text;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Destined, Net, Signed};
use crate::one_file::OneFile;
use workspace::word::Markup;
use workspace::{Standing, Tracking};

/// Read, edit and check Word documents
#[derive(Debug, Subcommand)]
pub(crate) enum Word {
    Read(WordRead),
    Grep(WordGrep),
    Edit(WordEdit),
    Insert(WordInsert),
    Op(WordOp),
    Compare(WordCompare),
    Changes(WordChanges),
    /// Accept tracked changes
    #[command(after_help = "\
Examples:
  docwright word accept contract.docx --all -o clean.docx
  docwright word accept contract.docx --change 101 --change 102")]
    Accept(WordResolve),
    /// Reject tracked changes
    #[command(after_help = "\
Examples:
  docwright word reject contract.docx --by 'Priya Nair' -o original.docx")]
    Reject(WordResolve),
    Check(WordCheck),
    Save(WordSave),
    #[command(flatten)]
    Beside(beside_text::Beside),
}

/// How an edit stands to tracking and to what the author of the file forbids.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Rules {
    /// Write a tracked change; in Word documents
    #[arg(long)]
    pub(crate) track: bool,

    /// Do not track, even where the document has tracking switched on
    #[arg(long, conflicts_with = "track")]
    pub(crate) no_track: bool,

    /// Edit although the document is protected or signed; the receipt says so
    #[arg(long)]
    pub(crate) override_protection: bool,
}

impl Rules {
    pub(crate) fn markup(self) -> Markup {
        if self.track { Markup::Tracked } else { Markup::Plain }
    }

    pub(crate) fn standing(self) -> Standing {
        let tracking = if self.no_track { Tracking::AsAsked } else { Tracking::AsTheFile };
        Standing { tracking, override_protection: self.override_protection }
    }

    /// The same file under these rules.
    pub(crate) fn over(self, desk: OneFile) -> OneFile {
        OneFile { standing: self.standing(), ..desk }
    }
}

/// Print a Word document: ids, list labels, headers, styles and text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word read contract.docx
  docwright word read contract.docx --view redline --format simple
  docwright word read contract.docx --offset -5 --json
  docwright word read form.docx --format controls")]
pub(crate) struct WordRead {
    /// The Word document
    pub(crate) file: PathBuf,

    /// How it is printed: rows with ids, JSON, plain text, or the content controls
    #[arg(long, value_enum, ignore_case = true, default_value = "toon")]
    pub(crate) format: Page,

    /// With tracked changes accepted, rejected, or both shown
    #[arg(long, value_enum, ignore_case = true, default_value = "final")]
    pub(crate) view: Shown,

    /// First paragraph, from 1; negative counts from the end
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    pub(crate) offset: i64,

    /// Paragraphs at most
    #[arg(long)]
    pub(crate) limit: Option<usize>,

    /// Headers, footers, notes and text boxes too
    #[arg(long)]
    pub(crate) all_stories: bool,

    /// Mark bold, italic and underlined text with tags
    #[arg(long)]
    pub(crate) show_formatting: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Page {
    Toon,
    Json,
    Simple,
    /// The content controls instead of the paragraphs
    Controls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Shown {
    Final,
    Original,
    Redline,
}

/// Find text in every story of a document
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word grep contract.docx 'days'
  docwright word grep contract.docx --syntax regex '\\d+ days' 'Fees?' --json")]
pub(crate) struct WordGrep {
    /// The Word document
    pub(crate) file: PathBuf,

    /// What to look for, each anywhere; behind `--` it may begin with a dash
    #[arg(required = true, value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,

    /// How patterns are meant: as they stand, as regular expressions, or as wildcards of Word
    #[arg(long, value_enum, ignore_case = true, default_value = "literal")]
    pub(crate) syntax: Syntax,

    /// Tell capitals from small letters
    #[arg(long)]
    pub(crate) match_case: bool,

    /// Find whole words alone
    #[arg(long)]
    pub(crate) whole_word: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Syntax {
    Literal,
    Regex,
    Wildcards,
}

/// Replace text in one paragraph and keep its formatting
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word edit contract.docx --old 'thirty (30) days' --new 'forty-five (45) days' -o new.docx
  docwright word edit contract.docx --id jr_para_86fac56a76c4 --old 'its date' --new 'receipt' --track --author 'Ann Lee'")]
pub(crate) struct WordEdit {
    /// The Word document
    pub(crate) file: PathBuf,

    /// The paragraph, by the id that `word read` gives it or by a bookmark's name; needed where the text occurs more than once
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Text to replace
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) old: String,

    /// Its replacement; tags such as `<b>`, `<i>` and `<u>` override the formatting
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) new: String,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Insert paragraphs beside another one, formatted like it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word insert contract.docx --id jr_para_86fac56a76c4 --text 'A further paragraph.'
  docwright word insert contract.docx --id _Ref1 --text 'A paragraph behind the bookmark _Ref1.'
  docwright word insert contract.docx --id jr_para_86fac56a76c4 --position before --text '\"Fee\" means…' --track")]
pub(crate) struct WordInsert {
    /// The Word document
    pub(crate) file: PathBuf,

    /// The paragraph or table to insert beside, by the id that `word read` gives it or by a bookmark's name
    #[arg(long, value_name = "ID")]
    pub(crate) id: String,

    /// On which side of it
    #[arg(long, value_enum, ignore_case = true, default_value = "after")]
    pub(crate) position: Where,

    /// The text; a blank line starts a new paragraph
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: String,

    /// The paragraph to look like, by id or bookmark, if not the one beside it
    #[arg(long, value_name = "ID")]
    pub(crate) style_source: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) into: Destined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Where {
    Before,
    After,
}

/// Carry out a plain request, or one word.op operation
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word op contract.docx --say \"Replace all 2026 with 2027, then make the heading 'Fees' italic\" -o next.docx
  docwright word op contract.docx --meta '{\"type\":\"word.op\",\"op\":\"search\",\"args\":{\"query\":\"days\"}}'")]
pub(crate) struct WordOp {
    /// The Word document
    pub(crate) file: PathBuf,

    /// The request in plain English; nothing is done unless all of it was understood
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) say: Option<String>,

    /// One operation as JSON
    #[arg(long, value_name = "JSON", conflicts_with = "say")]
    pub(crate) meta: Option<String>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) net: Net,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Show how two documents differ, or write the difference as tracked changes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word compare contract.docx new.docx
  docwright word compare contract.docx new.docx -o redline.docx")]
pub(crate) struct WordCompare {
    /// The document that was there first; a redline keeps its formatting
    pub(crate) file: PathBuf,

    /// The document to compare it with
    pub(crate) revised: PathBuf,

    /// Write the first document here with the changes that lead to the second; without it, nothing is written
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Write the changes without tracking
    #[arg(long, requires = "output")]
    pub(crate) plain: bool,

    /// Compare how words and paragraphs look, too
    #[arg(long)]
    pub(crate) formatting: bool,

    #[command(flatten)]
    pub(crate) signed: Signed,
}

/// List the tracked changes of a document
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word changes contract.docx
  docwright word changes contract.docx --json")]
pub(crate) struct WordChanges {
    /// The Word document
    pub(crate) file: PathBuf,
}

/// Which tracked changes are meant.
#[derive(Debug, Args)]
pub(crate) struct WordResolve {
    /// The Word document
    pub(crate) file: PathBuf,

    /// A change, as `word changes` names it; may be given more than once
    #[arg(long = "change", value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// The changes in a paragraph, by the id that `word read` gives it or by a bookmark's name; may be given more than once
    #[arg(long = "id", value_name = "PARAGRAPH")]
    pub(crate) paragraphs: Vec<String>,

    /// All changes of this author
    #[arg(long = "by", value_name = "AUTHOR", allow_hyphen_values = true)]
    pub(crate) change_author: Option<String>,

    /// All changes of the document
    #[arg(long)]
    pub(crate) all: bool,

    /// Decide although the document is protected or signed; the receipt says so
    #[arg(long)]
    pub(crate) override_protection: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Check documents for what makes Word complain, and that saving without an edit changes no byte
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word check contract.docx
  docwright word check *.docx --json")]
pub(crate) struct WordCheck {
    /// The Word documents
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Open and save without an edit, which changes no byte; or a copy with all tracked changes accepted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word save contract.docx -o copy.docx
  docwright word save contract.docx -o final.docx --clean")]
pub(crate) struct WordSave {
    /// The Word document
    pub(crate) file: PathBuf,

    /// Accept every tracked change in the copy
    #[arg(long)]
    pub(crate) clean: bool,

    /// Where the copy goes
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

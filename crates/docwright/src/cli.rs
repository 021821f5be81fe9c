//! What can be said on the command line. Everything a user reads with `--help` is here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::desk::Destination;

/// A careful pair of hands for Word, Excel and Markdown files.
///
/// Docwright reads documents for AI agents and people, changes exactly what it was asked to change, and
/// leaves every other byte as it was.
#[derive(Debug, Parser)]
#[command(name = "docwright", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 done, 1 refused or failed, 2 findings (check, calc --verify).
Every command takes --json and then prints one JSON value on stdout and nothing else.

Examples:
  docwright mcp --root ~/Documents        serve MCP over stdio, for documents below that folder
  docwright doctor                        see what works on this machine")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON value on stdout instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Say on stderr what happens; twice for the protocol's messages too
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Mcp(Mcp),
    Serve(Serve),
    Ask(Ask),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright word read contract.docx
  docwright word edit contract.docx --old 'thirty days' --new 'sixty days' --track -o edited.docx
  docwright word changes edited.docx"
    )]
    Word(Word),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright xlsx read budget.xlsx
  docwright xlsx set budget.xlsx --cell 'Inputs!B2' --value 1200 -o changed.xlsx
  docwright xlsx calc budget.xlsx --verify"
    )]
    Xlsx(Xlsx),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright md outline handbook.md
  docwright md edit handbook.md --old '30 days' --new '60 days'
  docwright md check handbook.md"
    )]
    Md(Md),
    Doctor(Doctor),
    Completions(Completions),
    /// Read an old workbook from stdin, for the program itself
    #[command(name = crate::old::COMMAND, hide = true)]
    ReadOldWorkbook,
}

/// Serve MCP over stdin and stdout, for Claude, Cursor, VS Code and any other MCP client
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright mcp                                    documents below the current folder, core tools
  docwright mcp --root ~/Contracts --tools word    one folder, the Word tools
  docwright mcp --tools all --read-only            look, do not touch")]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) tools: Tools,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// Serve MCP over Streamable HTTP at /mcp, for remote agents and several clients at once
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright serve                                          http://127.0.0.1:8717/mcp
  docwright serve --listen 127.0.0.1:0 --json              any free port; prints where it listens
  docwright serve --listen 0.0.0.0:8717 --token-file key   reachable from outside, with a bearer token")]
pub(crate) struct Serve {
    /// Address to listen on; an address that others can reach needs a token
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8717")]
    pub(crate) listen: String,

    /// File that holds the bearer token clients must send (or set DOCWRIGHT_TOKEN)
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Further Host names to accept beside the loopback ones
    #[arg(long = "allow-host", value_name = "HOST")]
    pub(crate) allow_hosts: Vec<String>,

    /// Web origins whose pages may call; none by default
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) allow_origins: Vec<String>,

    #[command(flatten)]
    pub(crate) tools: Tools,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// Carry out a plain request on a Word, Excel or Markdown document
///
/// All steps of the request are one change, made whole or not at all; what is not understood is said, and then
/// nothing is done.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright ask contract.docx \"Replace all 2026 with 2027, then make the heading 'Fees' italic\" --track -o next.docx
  docwright ask budget.xlsx 'Set B3 on Inputs to 1.08, then what is Summary!B4' --dry-run
  docwright ask handbook.md 'Add a section Risks after Scope'")]
pub(crate) struct Ask {
    pub(crate) file: PathBuf,

    /// The request in plain English
    pub(crate) request: String,

    /// Write tracked changes; in Word documents
    #[arg(long)]
    pub(crate) track: bool,

    #[command(flatten)]
    pub(crate) net: Net,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// What of the network may be used.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Net {
    /// Host that pictures may be fetched from, such as example.com or *.example.com; may be given more than once
    #[arg(long = "allow-net", value_name = "HOST")]
    pub(crate) hosts: Vec<String>,
}

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
    pub(crate) file: PathBuf,

    #[arg(long, value_enum, default_value = "toon")]
    pub(crate) format: Page,

    /// With tracked changes accepted, rejected, or both shown
    #[arg(long, value_enum, default_value = "final")]
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
    pub(crate) file: PathBuf,

    #[arg(required = true, value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,

    #[arg(long, value_enum, default_value = "literal")]
    pub(crate) syntax: Syntax,

    #[arg(long)]
    pub(crate) match_case: bool,

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
  docwright word edit contract.docx --id jr_para_0123456789ab --old A --new B --track --author 'Ann Lee'")]
pub(crate) struct WordEdit {
    pub(crate) file: PathBuf,

    /// The paragraph, as `word read` names it; needed where the text occurs more than once
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Text to replace
    #[arg(long, value_name = "TEXT")]
    pub(crate) old: String,

    /// Its replacement; tags such as `<b>`, `<i>` and `<u>` override the formatting
    #[arg(long, value_name = "TEXT")]
    pub(crate) new: String,

    /// Write a tracked change
    #[arg(long)]
    pub(crate) track: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Insert paragraphs beside another one, formatted like it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word insert contract.docx --id jr_para_0123456789ab --text 'A further paragraph.'
  docwright word insert contract.docx --id jr_para_0123456789ab --position before --text '\"Fee\" means…' --track")]
pub(crate) struct WordInsert {
    pub(crate) file: PathBuf,

    /// The paragraph to insert beside, as `word read` names it
    #[arg(long, value_name = "ID")]
    pub(crate) id: String,

    #[arg(long, value_enum, default_value = "after")]
    pub(crate) position: Where,

    /// The text; a blank line starts a new paragraph
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: String,

    /// The paragraph to look like, if not the one beside it
    #[arg(long, value_name = "ID")]
    pub(crate) style_source: Option<String>,

    /// Write a tracked change
    #[arg(long)]
    pub(crate) track: bool,

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
    pub(crate) file: PathBuf,

    /// The request in plain English; nothing is done unless all of it was understood
    #[arg(long, value_name = "TEXT")]
    pub(crate) say: Option<String>,

    /// One operation as JSON
    #[arg(long, value_name = "JSON", conflicts_with = "say")]
    pub(crate) meta: Option<String>,

    /// Write tracked changes
    #[arg(long)]
    pub(crate) track: bool,

    #[command(flatten)]
    pub(crate) net: Net,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Show how two documents differ, or write the difference as tracked changes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word compare old.docx new.docx
  docwright word compare old.docx new.docx -o redline.docx")]
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

    /// Name to sign the changes with
    #[arg(long, value_name = "NAME", default_value = "Docwright")]
    pub(crate) author: String,
}

/// List the tracked changes of a document
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright word changes contract.docx
  docwright word changes contract.docx --json")]
pub(crate) struct WordChanges {
    pub(crate) file: PathBuf,
}

/// Which tracked changes are meant.
#[derive(Debug, Args)]
pub(crate) struct WordResolve {
    pub(crate) file: PathBuf,

    /// A change, as `word changes` names it; may be given more than once
    #[arg(long = "change", value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// All changes of this author
    #[arg(long = "by", value_name = "AUTHOR")]
    pub(crate) change_author: Option<String>,

    /// All changes of the document
    #[arg(long)]
    pub(crate) all: bool,

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
    pub(crate) file: PathBuf,

    /// Accept every tracked change in the copy
    #[arg(long)]
    pub(crate) clean: bool,

    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

/// Read and edit Excel workbooks
#[derive(Debug, Subcommand)]
pub(crate) enum Xlsx {
    Read(XlsxRead),
    Objects(XlsxObjects),
    Set(XlsxSet),
    Edit(XlsxEdit),
    Calc(XlsxCalc),
    Check(XlsxCheck),
    Save(XlsxSave),
}

/// Print cells of a workbook, or its sheets
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx read budget.xlsx                       the sheets and how far they reach
  docwright xlsx read budget.xlsx -r 'Model!A1:E4'      cells as they are shown
  docwright xlsx read budget.xlsx -r Summary --json     with formulas and raw values
  docwright xlsx read ledger.xls -r A1:F20              old binary workbooks can be read too")]
pub(crate) struct XlsxRead {
    pub(crate) file: PathBuf,

    /// A range such as 'Sheet!A1:C9', or a sheet's name
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: Option<String>,

    #[arg(long, value_enum, default_value = "tsv")]
    pub(crate) format: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Table {
    Tsv,
    Json,
}

/// Calculate a workbook, or compare a calculation with the values in the file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx calc budget.xlsx --verify --json     do we agree with whoever saved it?
  docwright xlsx calc budget.xlsx -o fresh.xlsx       write all values anew")]
pub(crate) struct XlsxCalc {
    pub(crate) file: PathBuf,

    /// Write nothing; report every cell whose value is another
    #[arg(long)]
    pub(crate) verify: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Check workbooks for what makes Excel complain, and that saving without an edit changes no byte
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx check budget.xlsx
  docwright xlsx check *.xlsx --json")]
pub(crate) struct XlsxCheck {
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Set one cell and recalculate what depends on it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx set budget.xlsx --cell 'Inputs!B3' --value 1.08 -o scenario.xlsx
  docwright xlsx set budget.xlsx --cell 'Summary!B4' --formula '=AVERAGE(Model!B4:E4)'")]
pub(crate) struct XlsxSet {
    pub(crate) file: PathBuf,

    /// The cell, such as 'Inputs!B5'
    #[arg(long, value_name = "CELL")]
    pub(crate) cell: String,

    /// A number, TRUE, FALSE or text; text that looks like a number starts with an apostrophe
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,

    #[arg(long, value_name = "FORMULA", conflicts_with = "value")]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// List what a workbook has beside its cells: names, tables, links, notes, threads, rules, drawings, charts, pages
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx objects budget.xlsx
  docwright xlsx objects budget.xlsx --sheet Summary --json")]
pub(crate) struct XlsxObjects {
    pub(crate) file: PathBuf,

    /// Only this sheet
    #[arg(short, long, value_name = "SHEET")]
    pub(crate) sheet: Option<String>,
}

/// Make any edits, given as JSON: all of them or none
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx edit budget.xlsx --edits '[{\"op\":\"insert_rows\",\"sheet\":\"Model\",\"at\":4,\"count\":2}]' -o out.xlsx
  docwright xlsx edit budget.xlsx --edits '{\"op\":\"add_table\",\"sheet\":\"Data\",\"area\":\"A1:D20\",\"name\":\"Sales\"}'
  docwright xlsx edit budget.xlsx --edits @changes.json --dry-run")]
pub(crate) struct XlsxEdit {
    pub(crate) file: PathBuf,

    /// One edit or a list of them as JSON, or @FILE to read it from there
    #[arg(long, value_name = "JSON")]
    pub(crate) edits: String,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Open and save without an edit, which changes no byte; an old .xls is converted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx save budget.xlsx -o copy.xlsx
  docwright xlsx save ledger.xls -o ledger.xlsx     values, formulas and names; not looks and charts")]
pub(crate) struct XlsxSave {
    pub(crate) file: PathBuf,

    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

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
    pub(crate) file: PathBuf,

    /// Only this block, by its id, such as p-3
    #[arg(long, value_name = "ID")]
    pub(crate) node: Option<String>,

    /// With the id of a heading: the whole section below it
    #[arg(long, requires = "node")]
    pub(crate) section: bool,
}

/// List the headings of a Markdown file with their ids
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md outline handbook.md
  docwright md outline handbook.md --json")]
pub(crate) struct MdOutline {
    pub(crate) file: PathBuf,
}

/// Replace text or a block, and leave every other byte as it was
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md edit handbook.md --old '5 minutes' --new '10 minutes'
  docwright md edit handbook.md --node p-0 --new 'A new first paragraph.' -o draft.md
  docwright md edit handbook.md --after h-1 --new '- one more point' --dry-run")]
pub(crate) struct MdEdit {
    pub(crate) file: PathBuf,

    /// Text to replace, also across formatting; it must occur once unless --all is given
    #[arg(long, value_name = "TEXT")]
    pub(crate) old: Option<String>,

    /// Block to give new content, by its id
    #[arg(long, value_name = "ID")]
    pub(crate) node: Option<String>,

    /// Block to insert behind, by its id
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,

    /// The new text or Markdown
    #[arg(long, value_name = "TEXT")]
    pub(crate) new: String,

    /// Replace every occurrence
    #[arg(long, requires = "old")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Check Markdown files; among others, that saving without an edit changes no byte
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright md check handbook.md
  docwright md check docs/*.md --json")]
pub(crate) struct MdCheck {
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Where an edited document goes.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Destined {
    /// Write here instead of over the file
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Show what would change and write nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// Name to sign the edit with
    #[arg(long, value_name = "NAME", default_value = "Docwright")]
    pub(crate) author: String,
}

impl Destined {
    pub(crate) fn destination(&self) -> Destination {
        match &self.output {
            _ if self.dry_run => Destination::Nowhere,
            Some(path) => Destination::File(path.clone()),
            None => Destination::InPlace,
        }
    }
}

/// See what works on this machine, and how to fix what does not
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright doctor
  docwright doctor --root ~/Contracts --json")]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) access: Access,
}

/// Print a completion script for your shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright completions bash > ~/.local/share/bash-completion/completions/docwright
  docwright completions zsh > ~/.zfunc/_docwright")]
pub(crate) struct Completions {
    pub(crate) shell: clap_complete::Shell,
}

/// Which tools are offered.
#[derive(Debug, Clone, Args)]
pub(crate) struct Tools {
    /// Toolsets to offer: core, all, or any of word, sheet, markdown, workspace
    #[arg(long = "tools", value_name = "LIST", value_delimiter = ',', default_value = "core")]
    pub(crate) toolsets: Vec<String>,

    /// Single tools to leave out
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) exclude_tools: Vec<String>,

    /// List the shape of each tool's answer: always, never, or where the list stays within its budget
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) output_schemas: Listing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Listing {
    #[default]
    Auto,
    Always,
    Never,
}

/// Which documents may be touched, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct Access {
    /// Folder whose documents may be opened; may be given more than once [default: the current folder]
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,

    /// Offer only tools that read
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Apply edits at once instead of staging them as suggestions for a person to decide
    #[arg(long)]
    pub(crate) auto_approve: bool,

    /// Let agents accept suggestions, their own too; otherwise only a person can
    #[arg(long)]
    pub(crate) agents_may_accept: bool,

    /// Name that edits, tracked changes and comments are signed with
    #[arg(long, value_name = "NAME", default_value = "Docwright")]
    pub(crate) author: String,

    #[command(flatten)]
    pub(crate) net: Net,

    /// Where unsaved edits and suggestions are kept safe [default: the user's state folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Every command a user can type explains itself with at least one example; hidden ones are for ourselves.
    #[test]
    fn every_command_has_examples() {
        fn walk(command: &clap::Command) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                command.is_hide_set() || help.contains("docwright"),
                "`{}` has no example in its help",
                command.get_name()
            );
            command.get_subcommands().for_each(walk);
        }
        walk(&Cli::command());
    }
}

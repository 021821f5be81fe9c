//! What can be said on the command line. Everything a user reads with `--help` is here, and a file for each format.

pub(crate) mod agent;
pub(crate) mod install;
pub(crate) mod md;
pub(crate) mod review;
pub(crate) mod word;
pub(crate) mod xlsx;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::one_file::Destination;
use crate::settings;

/// A careful pair of hands for Word, Excel and Markdown files.
///
/// Docwright reads documents for AI agents and people, changes exactly what it was asked to change, and
/// leaves every other byte as it was.
#[derive(Debug, Parser)]
#[command(name = "docwright", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 done, 1 refused or failed, 2 findings (check, calc --verify, review --list).
Every command that answers takes --json, and then prints one JSON value on stdout and nothing else.

Examples:
  docwright mcp --root ~/Documents        serve MCP over stdio, for documents below that folder
  docwright review                        decide on what agents suggest
  docwright doctor                        see what works on this machine")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON value on stdout instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Who gives the command: a person, or an agent, whose edits pass the gate as they do in tools
    #[arg(long = "as", value_name = "WHO", global = true, value_enum, ignore_case = true, default_value_t)]
    pub(crate) who: Who,

    /// When to use colours [default: on a terminal, unless NO_COLOR is set]
    #[arg(long, value_name = "WHEN", global = true, value_enum, ignore_case = true)]
    pub(crate) color: Option<Colour>,

    /// Say on stderr what happens; twice for the protocol's messages too
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Who {
    #[default]
    Person,
    Agent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Mcp(Mcp),
    Serve(Box<Serve>),
    Ask(Ask),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright word read contract.docx
  docwright word edit contract.docx --old 'thirty (30) days' --new 'sixty (60) days' --track -o edited.docx
  docwright word changes edited.docx"
    )]
    Word(word::Word),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright xlsx read budget.xlsx
  docwright xlsx set budget.xlsx --cell 'Inputs!B2' --value 1200 -o changed.xlsx
  docwright xlsx calc budget.xlsx --verify"
    )]
    Xlsx(xlsx::Xlsx),
    #[command(
        subcommand,
        after_help = "\
Examples:
  docwright md outline handbook.md
  docwright md edit handbook.md --old '5 minutes' --new '10 minutes'
  docwright md check handbook.md"
    )]
    Md(md::Md),
    Review(review::Review),
    Undo(Undo),
    Config(Config),
    Install(install::Install),
    Uninstall(install::Uninstall),
    Doctor(Doctor),
    Completions(Completions),
    Man(Man),
    /// Be the desk of a state folder, for the program itself
    #[command(hide = true)]
    Desk(DeskArguments),
    /// Read an old workbook from stdin, for the program itself
    #[command(name = crate::old::COMMAND, hide = true)]
    ReadOldWorkbook,
    /// Run a script from stdin, for the program itself
    #[command(name = crate::scripts::COMMAND, hide = true)]
    RunScript,
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
    #[command(flatten)]
    pub(crate) at: AtDesk,
}

/// Serve MCP over Streamable HTTP at /mcp and the HTTP API at /api/v1, for remote agents and several clients at once
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright serve                                          http://127.0.0.1:8717/mcp
  docwright serve --listen 127.0.0.1:0 --json              any free port; prints where it listens
  docwright serve --listen 0.0.0.0:8717 --token-file key   reachable from outside, with a bearer token
  docwright serve --provider ollama --model llama3.2 --check-config   what would be used; starts nothing")]
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

    /// How many requests of a kind a session may send in any 60 seconds: chat (10), execute (5), document (20), mcp
    /// (15); session (30) is for each address
    #[arg(long = "rate", value_name = "KIND=COUNT")]
    pub(crate) rates: Vec<String>,

    /// Write the log as JSON, a line for each request and event
    #[arg(long)]
    pub(crate) log_json: bool,

    /// Say what would be used, or what is wrong with it, and do not start
    #[arg(long)]
    pub(crate) check_config: bool,

    #[command(flatten)]
    pub(crate) tools: Tools,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) at: AtDesk,
    #[command(flatten)]
    pub(crate) agent: agent::Agent,
}

/// Carry out a plain request on a Word, Excel or Markdown document
///
/// All steps of the request are one change, made whole or not at all; what is not understood is said, and then
/// nothing is done. What was done is told in a few lines, or with --json as the tool `ask` answers it. Cells without a
/// sheet are those of the sheet that is shown when the workbook is opened.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright ask contract.docx \"Replace all 2026 with 2027, then make the heading 'Fees' italic\" --track -o next.docx
  docwright ask budget.xlsx 'Set B3 on Inputs to 1.08, then what is Summary!B4' --dry-run
  docwright ask handbook.md 'Add a section Risks after Scope'")]
pub(crate) struct Ask {
    /// The document
    pub(crate) file: PathBuf,

    /// The request in plain English
    pub(crate) request: String,

    #[command(flatten)]
    pub(crate) rules: word::Rules,

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

/// Where an edited document goes.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Destined {
    /// Write here instead of over the file
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Show what would change and write nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) signed: Signed,
}

/// The name that an edit is signed with.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Signed {
    /// Name to sign the edit with (or set DOCWRIGHT_AUTHOR, or `docwright config author NAME`) [default: Docwright]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    author: Option<String>,
}

impl Signed {
    pub(crate) fn author(&self) -> String {
        settings::author(self.author.as_deref())
    }
}

impl Destined {
    pub(crate) fn author(&self) -> String {
        self.signed.author()
    }

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

/// Take back the last change that a command made to a file
///
/// What a command wrote over is kept for a month in the state folder. It comes back byte for byte, unless the file was
/// changed in the meantime; then nothing is done. Given again, the change before that is taken back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright undo contract.docx
  docwright undo contract.docx --redo      the change again
  docwright undo contract.docx --list      what is kept, the latest first")]
pub(crate) struct Undo {
    /// The file that a command changed
    pub(crate) file: PathBuf,

    /// Make the change again that was taken back last
    #[arg(long)]
    pub(crate) redo: bool,

    /// Tell what is kept, and change nothing
    #[arg(long, conflicts_with = "redo")]
    pub(crate) list: bool,
}

/// Show or change your settings
///
/// An option on the command line is stronger than a variable (DOCWRIGHT_AUTHOR, NO_COLOR), and a variable is stronger
/// than the file. The file can be edited by hand too; DOCWRIGHT_CONFIG names another one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright config                          all settings, and where each comes from
  docwright config author 'Ann Lee'         sign your edits with this name
  docwright config color never
  docwright config roots ~/Documents        where `docwright mcp` works if no --root is named
  docwright config author --unset")]
pub(crate) struct Config {
    /// The setting
    #[arg(value_enum, ignore_case = true)]
    pub(crate) name: Option<settings::Name>,

    /// Its new value; several folders for roots
    #[arg(requires = "name", value_name = "VALUE")]
    pub(crate) values: Vec<String>,

    /// Take the setting out of the file
    #[arg(long, requires = "name", conflicts_with = "values")]
    pub(crate) unset: bool,
}

/// Print a completion script for your shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright completions bash > ~/.local/share/bash-completion/completions/docwright
  docwright completions zsh > ~/.zfunc/_docwright")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write the manual pages of all commands into a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder; it is made if it is not there
    pub(crate) folder: PathBuf,
}

/// Which tools are offered.
#[derive(Debug, Clone, Args)]
pub(crate) struct Tools {
    /// Toolsets to offer: core, all, or any of word, sheet, markdown, workspace, review
    #[arg(long = "tools", value_name = "LIST", value_delimiter = ',', default_value = "core")]
    pub(crate) toolsets: Vec<String>,

    /// Single tools to leave out
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) exclude_tools: Vec<String>,

    /// List the shape of each tool's answer: always, never, or where the list stays within its budget
    #[arg(long, value_name = "WHEN", value_enum, ignore_case = true, default_value_t)]
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
    /// Folder whose documents may be opened, or several [default: those of `docwright config`, or the
    /// current one]
    #[arg(long = "root", value_name = "DIR", num_args = 1..)]
    pub(crate) roots: Vec<PathBuf>,

    /// Offer only tools that read
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Apply edits at once instead of staging them as suggestions for a person to decide
    #[arg(long)]
    pub(crate) auto_approve: bool,

    /// Let agents accept their own suggestions; otherwise only a person can
    #[arg(long)]
    pub(crate) agents_may_accept: bool,

    /// What becomes of edits of a format, such as word=track; formats are markdown, word and excel, policies apply,
    /// suggest and track [default: markdown=suggest,word=apply,excel=apply]
    #[arg(long = "policy", value_name = "FORMAT=POLICY", value_delimiter = ',')]
    pub(crate) policies: Vec<String>,

    /// Name that edits, tracked changes and comments are signed with (or set DOCWRIGHT_AUTHOR) [default: Docwright]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    author: Option<String>,

    #[command(flatten)]
    pub(crate) net: Net,

    /// Where unsaved edits and suggestions are kept safe [default: the user's state folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

impl Access {
    pub(crate) fn author(&self) -> String {
        settings::author_of_agents(self.author.as_deref())
    }
}

/// Whether documents are shared with the other processes of this user, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct AtDesk {
    /// Share no documents with other processes, nor their suggestions
    #[arg(long)]
    pub(crate) alone: bool,

    #[command(flatten)]
    pub(crate) desk: DeskOptions,
}

/// The desk of a state folder.
#[derive(Debug, Args)]
pub(crate) struct DeskArguments {
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: PathBuf,

    #[command(flatten)]
    pub(crate) desk: DeskOptions,
}

/// What tests ask of a desk that they start.
#[derive(Debug, Clone, Args)]
pub(crate) struct DeskOptions {
    /// How long it waits for another caller
    #[arg(id = "desk-linger", long, value_name = "MS", hide = true, default_value_t = 30_000)]
    pub(crate) linger: u64,

    /// What it takes itself for
    #[arg(id = "desk-version", long, value_name = "VERSION", hide = true, default_value = env!("CARGO_PKG_VERSION"))]
    pub(crate) version: String,

    /// How long it keeps the places of callers that have gone
    #[arg(id = "desk-seats", long, value_name = "SECONDS", hide = true, default_value_t = 600)]
    pub(crate) seats: u32,

    /// Use a loopback port, as on Windows
    #[arg(id = "desk-loopback", long, hide = true)]
    pub(crate) loopback: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Every argument and option has a sentence that says what it is for.
    #[test]
    fn every_argument_is_explained() {
        fn walk(command: &clap::Command) {
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.len() > 5, "`{}` of `{}` has no help", argument.get_id(), command.get_name());
            }
            command.get_subcommands().filter(|command| !command.is_hide_set()).for_each(walk);
        }
        walk(&Cli::command());
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

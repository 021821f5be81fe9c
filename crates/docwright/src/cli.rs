//! What can be said on the command line. Everything a user reads with `--help` is here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
    Doctor(Doctor),
    Completions(Completions),
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

    /// Name that edits, tracked changes and comments are signed with
    #[arg(long, value_name = "NAME", default_value = "Docwright")]
    pub(crate) author: String,

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

    /// Every command a user can type explains itself with at least one example.
    #[test]
    fn every_command_has_examples() {
        fn walk(command: &clap::Command) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                command.has_subcommands() || help.contains("docwright"),
                "`{}` has no example in its help",
                command.get_name()
            );
            command.get_subcommands().for_each(walk);
        }
        walk(&Cli::command());
    }
}

//! `docwright install` and `docwright uninstall`, as they are said.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Add docwright to the MCP clients of this machine
///
/// Looks for Claude Code, Claude Desktop, Cursor, VS Code, Windsurf, Zed, Codex and Gemini CLI, shows what would change
/// in their settings, and changes it once you agree. Everything else in those files stays as it is, comments and spacing
/// included.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright install                               every client that is found, for ~/Documents
  docwright install --client cursor --root .      one client, one folder
  docwright install --print                       what to paste into any other client
  docwright install --yes -- --tools all          without asking, and with options for `docwright mcp`")]
pub(crate) struct Install {
    #[command(flatten)]
    pub(crate) which: Which,

    /// Folder that agents may use; may be given more than once (default: ~/Documents)
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,

    /// Print the settings for any client and change nothing
    #[arg(long, conflicts_with_all = ["yes", "clients"])]
    pub(crate) print: bool,

    /// Program that clients should start, if it is not this one
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) command: Option<PathBuf>,

    /// Further options for `docwright mcp`, behind `--`
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
}

/// Take docwright out of the settings of the MCP clients of this machine
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright uninstall                      wherever it is found, after showing what would change
  docwright uninstall --client zed --yes   one client, without asking")]
pub(crate) struct Uninstall {
    #[command(flatten)]
    pub(crate) which: Which,
}

#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Only this client; may be given more than once
    #[arg(long = "client", value_name = "CLIENT", value_enum, ignore_case = true)]
    pub(crate) clients: Vec<ClientName>,

    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientName {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    Vscode,
    Windsurf,
    Zed,
    Codex,
    Gemini,
}

//! The MCP clients we know: where each keeps its settings, and how it writes down a server.

use std::path::{Path, PathBuf};

use crate::cli::install::ClientName;
use crate::report::Failure;

use super::settings::Layout;

#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: ClientName,
    /// As people call it.
    pub(super) title: &'static str,
    pub(super) settings: PathBuf,
    pub(super) layout: Layout,
    /// Where a skill for this client belongs, if it reads any.
    pub(super) skill: Option<PathBuf>,
    /// The client is on this machine if one of these is.
    signs: Vec<PathBuf>,
}

impl Client {
    pub(super) fn is_here(&self) -> bool {
        self.settings.exists() || self.signs.iter().any(|sign| sign.exists())
    }
}

/// The folders that clients keep their settings in.
struct Folders {
    home: PathBuf,
    /// Where the system has programs keep their settings: `~/.config`, `Application Support`, `%APPDATA%`.
    settings: PathBuf,
}

pub(super) fn all() -> Result<Vec<Client>, Failure> {
    let Folders { home, settings } = folders()?;
    let servers = |typed| Layout::Json { key: "mcpServers", typed };
    let client = |name, title, settings: PathBuf, layout, signs: Vec<PathBuf>| Client {
        name,
        title,
        settings,
        layout,
        skill: None,
        signs,
    };
    // Both clients let a user say where they keep their things.
    let claude_told = variable("CLAUDE_CONFIG_DIR");
    let claude_settings = claude_told.as_ref().unwrap_or(&home).join(".claude.json");
    let claude = claude_told.unwrap_or_else(|| home.join(".claude"));
    let codex = variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
    let zed = if cfg!(windows) { settings.join("Zed") } else { config_home(&home).join("zed") };
    let in_folder = |folder: &Path, file: &str| (folder.join(file), vec![folder.to_owned()]);
    let (desktop, desktop_signs) = in_folder(&settings.join("Claude"), "claude_desktop_config.json");
    let (cursor, cursor_signs) = in_folder(&home.join(".cursor"), "mcp.json");
    let (code, code_signs) = in_folder(&settings.join("Code/User"), "mcp.json");
    let (windsurf, windsurf_signs) = in_folder(&home.join(".codeium/windsurf"), "mcp_config.json");
    let (zed, zed_signs) = in_folder(&zed, "settings.json");
    let (codex, codex_signs) = in_folder(&codex, "config.toml");
    let (gemini, gemini_signs) = in_folder(&home.join(".gemini"), "settings.json");
    Ok(vec![
        Client {
            skill: Some(claude.join("skills/docwright/SKILL.md")),
            ..client(ClientName::ClaudeCode, "Claude Code", claude_settings, servers(true), vec![claude])
        },
        client(ClientName::ClaudeDesktop, "Claude Desktop", desktop, servers(false), desktop_signs),
        client(ClientName::Cursor, "Cursor", cursor, servers(false), cursor_signs),
        client(ClientName::Vscode, "VS Code", code, Layout::Json { key: "servers", typed: true }, code_signs),
        client(ClientName::Windsurf, "Windsurf", windsurf, servers(false), windsurf_signs),
        client(ClientName::Zed, "Zed", zed, Layout::Json { key: "context_servers", typed: false }, zed_signs),
        client(ClientName::Codex, "Codex", codex, Layout::Toml, codex_signs),
        client(ClientName::Gemini, "Gemini CLI", gemini, servers(false), gemini_signs),
    ])
}

fn folders() -> Result<Folders, Failure> {
    let home = home().ok_or_else(|| {
        Failure::new("NO_HOME", "there is no home folder, so no settings of clients can be found")
            .with_hint("`docwright install --print` shows what to paste into them")
    })?;
    let settings = if cfg!(windows) {
        variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
    } else if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        config_home(&home)
    };
    Ok(Folders { home, settings })
}

pub(super) fn home() -> Option<PathBuf> {
    variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

fn config_home(home: &Path) -> PathBuf {
    variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

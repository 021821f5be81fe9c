//! The settings of a client as text, with our server put in or taken out.
//!
//! Comments, order, spacing and line ends of the rest are the user's and stay as they are. What cannot be read is
//! refused: nobody's settings are written anew.

mod json;

use toml_edit::{Array, DocumentMut, Item, Table, value};

/// The name that the server goes by in every client.
pub(super) const NAME: &str = "docwright";

/// What a client starts.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
}

/// How a client writes servers down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// An object of servers by name under `key`; `typed` ones say that they speak over stdio.
    Json { key: &'static str, typed: bool },
    /// Tables called `mcp_servers.NAME`.
    Toml,
}

impl Layout {
    /// The settings with our server in them, in place of an earlier entry of ours.
    pub(super) fn with(self, text: &str, server: &Server) -> Result<String, String> {
        let (mark, text) = without_mark(text);
        let changed = match self {
            Self::Json { key, typed } => json::with(text, key, NAME, &json_entry(server, typed))?,
            Self::Toml => {
                let mut settings = toml(text)?;
                let servers = settings.entry("mcp_servers").or_insert_with(implicit_table);
                let servers = servers.as_table_like_mut().ok_or("`mcp_servers` is not a table there")?;
                servers.insert(NAME, toml_entry(server));
                settings.to_string()
            }
        };
        Ok(format!("{mark}{changed}"))
    }

    /// The settings without our server, or nothing if it is not in them.
    pub(super) fn without(self, text: &str) -> Result<Option<String>, String> {
        let (mark, text) = without_mark(text);
        let changed = match self {
            Self::Json { key, .. } => json::without(text, key, NAME)?,
            Self::Toml => without_toml(text)?,
        };
        Ok(changed.map(|changed| format!("{mark}{changed}")))
    }

    /// What a new file of settings begins as.
    pub(super) fn nothing(self) -> &'static str {
        match self {
            Self::Json { .. } => "{}\n",
            Self::Toml => "",
        }
    }
}

/// Some editors on Windows begin their files with a byte order mark.
fn without_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    }
}

fn json_entry(server: &Server, typed: bool) -> Vec<(&'static str, serde_json::Value)> {
    let mut fields = Vec::new();
    if typed {
        fields.push(("type", "stdio".into()));
    }
    fields.push(("command", server.command.as_str().into()));
    fields.push(("args", server.arguments.as_slice().into()));
    fields
}

fn without_toml(text: &str) -> Result<Option<String>, String> {
    let mut settings = toml(text)?;
    let servers = settings.get_mut("mcp_servers").and_then(Item::as_table_like_mut);
    let Some(servers) = servers else { return Ok(None) };
    if servers.remove(NAME).is_none() {
        return Ok(None);
    }
    if servers.is_empty() {
        settings.remove("mcp_servers");
    }
    Ok(Some(settings.to_string()))
}

fn toml(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| format!("it cannot be read: {}", error.message()))
}

fn toml_entry(server: &Server) -> Item {
    let mut entry = Table::new();
    entry.insert("command", value(&server.command));
    entry.insert("args", value(server.arguments.iter().collect::<Array>()));
    Item::Table(entry)
}

/// A table that has no line of its own, only its children have.
fn implicit_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

#[cfg(test)]
mod tests;

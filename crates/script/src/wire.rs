//! What goes to the child and what comes back: a length and as many bytes, each way.
//!
//! The child is not trusted. Its answer is read up to a limit, and what it says it did is a list of edits that are made
//! again by others.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sheet::Edit;

/// A run as the child is asked for it; the workbook follows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) code: String,
    pub(crate) input: Value,
    /// For the script and what it calls, not for opening the workbook.
    pub(crate) milliseconds: u64,
    pub(crate) output_chars: usize,
    /// A language tag, for shown text.
    pub(crate) locale: Option<String>,
    pub(crate) author: String,
    pub(crate) now: i64,
    pub(crate) seed: u64,
}

/// What the script came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    pub ok: bool,
    pub stdout: String,
    /// More was printed than is shown.
    pub truncated: bool,
    pub result: Value,
    /// The workbook is another than it was.
    pub writes_detected: bool,
    pub accesses: Vec<Access>,
    /// How many there were in all, where not all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accesses_total: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScriptError>,
    /// What whoever wrote the script may have overlooked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Cells that the script looked at or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub operation: Operation,
    pub address: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Read,
    Write,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptError {
    #[serde(rename = "type")]
    pub kind: ErrorKind,
    pub code: String,
    pub message: String,
    /// In the caller's code, both counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    Syntax,
    Runtime,
    Timeout,
    Limit,
}

/// A picture that the script asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// The range or chart that is drawn.
    pub what: String,
    /// A PNG.
    pub base64: String,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    Done(Box<Done>),
    /// The workbook could not be opened.
    NotOpened(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) execution: Execution,
    /// What was done to the workbook; empty if the script failed.
    pub(crate) turns: Vec<Vec<Edit>>,
    /// Sheets that were read or written.
    pub(crate) sheets: Vec<String>,
    pub(crate) result: Option<String>,
    #[serde(default)]
    pub(crate) previews: Vec<Preview>,
}

pub(crate) fn send(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(bytes)
}

/// The next frame; an error if it is longer than `most`.
pub(crate) fn receive(from: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{length} bytes, over {most}")));
    }
    let mut bytes = Vec::new();
    let read = from.take(length).read_to_end(&mut bytes)?;
    if read as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

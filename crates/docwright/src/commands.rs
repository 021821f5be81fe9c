//! One file a command; each turns arguments into calls on the workspace and answers with a verdict.

pub(crate) mod ask;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod desk;
pub(crate) mod doctor;
pub(crate) mod install;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod md;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod undo;
pub(crate) mod word;
pub(crate) mod xlsx;

use std::path::Path;

use serde::Serialize;

use crate::one_file::{Destination, OneFile};
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Saved {
    saved: String,
    bytes: usize,
    /// Whether the copy has the very bytes of the file.
    identical: bool,
}

/// Open and save without an edit: what every format promises to do without changing a byte.
fn save_copy(desk: &OneFile, from: &Path, to: &Path, json: bool) -> Result<Verdict, Failure> {
    let bytes = desk.workspace.packed(desk.document)?;
    let before = std::fs::read(from).map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    desk.save(&Destination::File(to.to_owned()))?;
    let saved = Saved { saved: to.display().to_string(), bytes: bytes.len(), identical: bytes == before };
    report::answer(json, &saved, |saved| {
        let same = if saved.identical { "byte for byte the same" } else { "NOT THE SAME BYTES" };
        format!("saved {}, {same}\n", saved.saved)
    })?;
    Ok(if saved.identical { Verdict::Done } else { Verdict::Findings })
}

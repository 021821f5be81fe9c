//! `save`: write a Word document to its file or to another one.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Overwrite, Redlined, SaveReport};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire, word,
};

pub(crate) const ABOUT: About =
    About { title: "Save Word document", sets: &[Set::Core, Set::Word], hints: Hints::OVERWRITE };

/// Checks and saves the .docx and answers with a receipt. clean writes a copy with all tracked changes accepted,
/// both writes the two. With a format, output_path is a copy. With tracked and both, untracked edits become a redline
/// against the opened file, in NAME.redline.docx. What another program changed or has open is not overwritten unless
/// overwrite is true.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    /// Default: the file it was read from; of a clean copy NAME.clean.docx.
    output_path: Option<String>,
    /// Default: the document as it is.
    format: Option<Form>,
    #[serde(default)]
    overwrite: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    Tracked,
    Clean,
    Both,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    session_id: String,
    #[serde(flatten)]
    saved: Saved,
    /// With `both`, the copy in which every tracked change is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    clean: Option<Saved>,
}

/// One file, with its receipt.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Saved {
    path: String,
    revision: String,
    /// False when the file had these bytes already.
    written: bool,
    bytes: usize,
    /// Of the file as it was last read or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256_before: Option<String>,
    sha256: String,
    parts_changed: Vec<String>,
    lint: Lint,
    /// Edits since the document was opened.
    edits: usize,
    /// Tracked changes in the file, by author.
    tracked_changes: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// New problems refuse a save, so there are none; `known` ones the file had before.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Lint {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<usize>,
}

impl From<SaveReport> for Saved {
    fn from(report: SaveReport) -> Self {
        let SaveReport { path, revision, written, bytes, notes, receipt } = report;
        let lint = match receipt.findings {
            Some(findings) => Lint { status: "no new problems", known: findings.known },
            None => Lint { status: "nothing changed", known: None },
        };
        Self {
            path: path.display().to_string(),
            revision: revision.to_string(),
            written,
            bytes,
            sha256_before: receipt.before,
            sha256: receipt.after,
            parts_changed: receipt.parts.iter().map(ToString::to_string).collect(),
            lint,
            edits: receipt.edits,
            tracked_changes: receipt.undecided,
            notes: wire::notes(&notes),
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    cx.cancel.check()?;
    let overwrite = if input.overwrite { Overwrite::Allow } else { Overwrite::Refuse };
    let session_id = target.session.to_string();
    let own = || cx.workspace.status(target.document).map(|status| status.path);
    let output = input.output_path.as_deref().map(PathBuf::from);
    if input.format == Some(Form::Clean) {
        let path = match output {
            Some(path) => path,
            None => clean_name(own()?.as_deref())?,
        };
        let saved = cx.workspace.save_clean(target.document, path, overwrite)?.into();
        return Ok(Output { session_id, saved, clean: None });
    }
    // The copy first: it is the one that may be in the way of another file, and then nothing is written.
    let clean = match input.format {
        Some(Form::Both) => {
            let beside = output.clone().map_or_else(own, |path| Ok(Some(path)))?;
            Some(cx.workspace.save_clean(target.document, clean_name(beside.as_deref())?, overwrite)?.into())
        }
        Some(Form::Tracked | Form::Clean) | None => None,
    };
    if input.format.is_some() {
        let path = match &output {
            Some(path) => path.clone(),
            None => beside_name(own()?.as_deref(), "redline")?,
        };
        if let Some(Redlined { report, left }) =
            cx.workspace.save_redline(target.document, path, overwrite)?
        {
            let mut saved = Saved::from(report);
            saved.notes.push("edits that were not tracked are tracked changes in this copy; the document itself was not saved".to_owned());
            if !left.is_empty() {
                saved
                    .notes
                    .push(format!("warning: these differ and could not be shown: {}", left.join("; ")));
            }
            return Ok(Output { session_id, saved, clean });
        }
    }
    let moved_from = if output.is_some() && input.format.is_none() { own()? } else { None };
    let saved = match output {
        // A form is asked for to hand it on: work, and other copies, go on from the document.
        Some(path) if input.format.is_some() => cx.workspace.save_copy(target.document, path, overwrite),
        Some(path) => cx.workspace.save_as(target.document, path, overwrite),
        None => cx.workspace.save(target.document, overwrite),
    };
    let saved = saved.map_err(|refusal| {
        let mut error = ToolError::from(refusal);
        error.written = clean.as_ref().map(|clean: &Saved| format!("the clean copy {}", clean.path));
        error
    })?;
    let mut saved = Saved::from(saved);
    if let Some(was) = moved_from.filter(|was| was.display().to_string() != saved.path) {
        let name = |path: &Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        saved.notes.push(format!(
            "the document is {} from now on; {} stays as it was last saved",
            name(Path::new(&saved.path)),
            name(&was)
        ));
    }
    Ok(Output { session_id, saved, clean })
}

fn clean_name(path: Option<&Path>) -> Result<PathBuf, ToolError> {
    beside_name(path, "clean")
}

/// `contract.docx` has `contract.clean.docx` beside it.
fn beside_name(path: Option<&Path>, what: &str) -> Result<PathBuf, ToolError> {
    let path =
        path.ok_or_else(|| ToolError::invalid("output_path is needed: the document has no file yet"))?;
    let extension = path.extension().unwrap_or(OsStr::new("")).to_string_lossy();
    Ok(path.with_extension(format!("{what}.{extension}")))
}

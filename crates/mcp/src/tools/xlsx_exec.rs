//! `xlsx_exec`: JavaScript against a workbook.
//!
//! The script runs on a copy in a process of its own; what it did is made again on the workbook here. Faults before the
//! script runs are tool errors; what the script, the write or the picture came to is in the answer.

use std::ffi::OsStr;
use std::path::{Component, Path};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use workspace::script::{DEFAULT_OUTPUT, DEFAULT_TIME, Execution, MOST_OUTPUT, MOST_TIME, Operation};
use workspace::sheet;
use workspace::{
    DocId, Ending, Fault, Kind, Mode, OpenIn, Overwrite, Refusal, SaveReport, ScriptFailure, ScriptText,
    Scripted,
};

use crate::{
    cx::Cx,
    error::ToolError,
    picture::{self, Drawn, PictureFormat, Request},
    tool::{About, Hints, Image, Reply, Set},
};

pub(crate) const ABOUT: About =
    About { title: "Script workbook", sets: &[Set::Core, Set::Sheet], hints: Hints::OVERWRITE_AGAIN };

/// Runs JavaScript on an Excel workbook (.xlsx, .xlsm; .xls to read).
///
/// Globals: wb (the workbook), xlsx (functions, all async, wb first), input (your JSON), print(...). No imports, files or
/// network. `return` a small result. Cells: "Sheet!A1", "'My Sheet'!B2:C9", a name, a table, "Table[Column]".
///
/// Read: listSheets, readCell, readRange, readRangeTsv, findCells, describeSheet, tableLookup. Trace: traceToInputs,
/// traceToOutputs. Compute: evaluateFormula, sweepInputs, goalSeek, lint. Write: setCells, copyRange, insertRowAfter,
/// deleteRows, addSheet, setStyle, addChart and more. See: previewStyles.
///
/// const [hit] = await xlsx.findCells(wb, "Revenue", {context: 1});
/// const w = await xlsx.setCells(wb, [{address: "Inputs!B5", value: 1.1}, {address: "Model!C9", formula: "=SUM(C2:C8)"}]);
/// return {now: w.touched, errors: w.errors};
///
/// touched is {address: shown text}: read results there. save_mode: read_only (default; keeps nothing),
/// inplace, save_as. A script that throws leaves nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    path: String,
    code: String,
    #[serde(default)]
    input: Value,
    /// 0: 30 s; at most 120,000.
    #[serde(default)]
    timeout_ms: u64,
    #[serde(default)]
    max_output_chars: usize,
    #[serde(default)]
    save_mode: SaveMode,
    /// For save_as.
    output_path: Option<String>,
    /// Not with read_only.
    render: Option<Render>,
    /// Render with read_only.
    #[serde(default)]
    render_what_if: bool,
    /// A new workbook.
    #[serde(default)]
    create: bool,
    /// Such as de-DE.
    locale: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Render {
    range: String,
    #[schemars(range(min = 1, max = 3))]
    dpr: Option<f32>,
    format: Option<PictureKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PictureKind {
    Png,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SaveMode {
    #[default]
    ReadOnly,
    Inplace,
    SaveAs,
}

/// What became of the changes.
#[derive(Debug, Clone, Serialize)]
struct Write {
    status: WriteStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum WriteStatus {
    /// The file has the changes.
    Written,
    /// The script changed nothing.
    Unchanged,
    /// A person decides; the file is as it was.
    Suggested,
    /// Not asked for.
    NotSaved,
    Failed,
}

impl Write {
    fn of(status: WriteStatus) -> Self {
        Self { status, path: None, revision: None, suggestion_id: None, notes: Vec::new(), error: None }
    }
}

/// Arguments of another shape are told in the same form as all that goes wrong before a script runs.
pub(crate) fn misshapen(_: &Value, fault: &str) -> Reply {
    failed(&error("INVALID_ARGUMENT", fault, false, "arguments"))
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    match prepared(cx, &input) {
        Ok((document, mut notes)) => {
            if Duration::from_millis(input.timeout_ms) > MOST_TIME {
                notes.push(format!("timeout_ms is at most {}, which the run had", MOST_TIME.as_millis()));
            }
            let text = ScriptText {
                code: input.code.clone(),
                input: if input.input.is_null() { json!({}) } else { input.input.clone() },
                time: within(input.timeout_ms, DEFAULT_TIME),
                output_chars: match input.max_output_chars {
                    0 => DEFAULT_OUTPUT,
                    chars => chars.min(MOST_OUTPUT),
                },
                locale: input.locale.clone(),
            };
            match cx.workspace.script(document, &text) {
                Ok(done) => answer(cx, &input, document, done, &mut notes),
                Err(ScriptFailure::Refused(Refusal::Cancelled)) => Err(Refusal::Cancelled.into()),
                Err(ScriptFailure::Refused(refusal)) => Ok(failed(&before(&refusal))),
                Err(ScriptFailure::Process(why)) => {
                    Ok(failed(&error("UPSTREAM_API_ERROR", &why, true, "process")))
                }
            }
        }
        Err(error) => Ok(failed(&error)),
    }
}

fn within(milliseconds: u64, default: Duration) -> Duration {
    match milliseconds {
        0 => default,
        given => Duration::from_millis(given).min(MOST_TIME),
    }
}

/// The open document, or why the script was not even tried.
fn prepared(cx: &Cx<'_>, input: &Input) -> Result<(DocId, Vec<String>), Value> {
    if input.code.trim().is_empty() {
        return Err(invalid(
            "code",
            "`code` is empty; give a script such as `return await xlsx.listSheets(wb)`",
        ));
    }
    let mut notes = Vec::new();
    match (input.save_mode, &input.output_path) {
        (SaveMode::SaveAs, None) => {
            return Err(invalid("output_path", "save_mode save_as needs `output_path`"));
        }
        (SaveMode::SaveAs, Some(path)) if *path == input.path => {
            return Err(invalid("output_path", ITSELF));
        }
        (SaveMode::ReadOnly | SaveMode::Inplace, Some(_)) => {
            notes.push("output_path is only used with save_mode save_as".to_owned());
        }
        _ => {}
    }
    if input.render_what_if && input.render.is_none() {
        return Err(invalid("render", "`render_what_if` needs `render` with a range"));
    }
    if let Some(render) = &input.render {
        check_render(input, &render.range)?;
    }
    if let (SaveMode::SaveAs, Some(path)) = (input.save_mode, &input.output_path) {
        check_output(cx, path)?;
    }
    let extension =
        Path::new(&input.path).extension().unwrap_or(OsStr::new("")).to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "xlsx" | "xlsm" | "xltx" | "xltm" => {}
        other if input.create && other != "xlsx" => {
            return Err(invalid(
                "extension",
                &format!("a new workbook is named .xlsx, and `{}` is not", input.path),
            ));
        }
        "xls" if input.save_mode == SaveMode::Inplace => {
            return Err(invalid(
                "xls",
                "an old .xls workbook can be read, and saved with save_as under a name that ends in .xlsx; it is never written in place",
            ));
        }
        "xls" => {}
        other => {
            return Err(invalid(
                "extension",
                &format!("`{}` {}; .xlsx, .xlsm and .xls can be opened", input.path, ending(other)),
            ));
        }
    }
    if input.create {
        return new_workbook(cx, input).map(|document| (document, notes));
    }
    let opened = cx.workspace.open(&input.path, OpenIn::Beside).map_err(|refusal| match input.save_mode {
        SaveMode::Inplace if is_missing(&refusal) => {
            let hint = format!("{refusal}; create=true begins a new workbook");
            error("WORKBOOK_NOT_FOUND", &hint, false, "missing")
        }
        _ => before(&refusal),
    })?;
    let status = cx.workspace.status(opened.document).map_err(|refusal| before(&refusal))?;
    if status.kind != Kind::Sheet {
        return Err(invalid("format", &format!("{} is a {} document", input.path, status.kind)));
    }
    let output = input.output_path.as_deref().filter(|_| input.save_mode == SaveMode::SaveAs);
    if let (Some(output), Some(own)) = (output, &status.path)
        && is_same(cx, output, own)
    {
        return Err(invalid("output_path", ITSELF));
    }
    Ok((opened.document, notes))
}

fn invalid(reason: &str, message: &str) -> Value {
    error("INVALID_ARGUMENT", message, false, reason)
}

/// What can be said of the picture that is wanted before the script has run.
fn check_render(input: &Input, range: &str) -> Result<(), Value> {
    if input.save_mode == SaveMode::ReadOnly && !input.render_what_if {
        return Err(invalid(
            "render",
            "`render` needs save_mode inplace or save_as, so that the picture shows what is kept; render_what_if=true draws a result that is not, and xlsx_render the file as it is",
        ));
    }
    if range.trim().is_empty() || range.split('!').any(|piece| piece.trim().is_empty()) {
        return Err(invalid(
            "render",
            "`render.range` names no cells; name a range such as `Summary!A1:H20`",
        ));
    }
    // Whether it is there is known when the script has run; whether it can be read at all, now.
    let cells = range.rsplit('!').next().unwrap_or(range);
    if cells.contains(':')
        && !cells.contains('[')
        && cells.to_ascii_uppercase().parse::<sheet::Area>().is_err()
    {
        let message = format!("`render.range` is `{}`; name a range such as `Summary!A1:H20`", range);
        return Err(invalid("render", &message));
    }
    Ok(())
}

fn check_output(cx: &Cx<'_>, path: &str) -> Result<(), Value> {
    let extension =
        Path::new(path).extension().unwrap_or(OsStr::new("")).to_string_lossy().to_ascii_lowercase();
    if !matches!(extension.as_str(), "" | "xlsx" | "xlsm" | "xltx" | "xltm" | "xls") {
        return Err(invalid(
            "extension",
            &format!("`output_path` ends in .{extension}; name an .xlsx or .xlsm"),
        ));
    }
    if let Err(refusal) = cx.workspace.may_write(path) {
        let message = format!("`output_path`: {}", told(&refusal));
        return Err(invalid("output_path", &message));
    }
    Ok(())
}

fn ending(extension: &str) -> String {
    if extension.is_empty() { "has no extension".to_owned() } else { format!("ends in .{extension}") }
}

const ITSELF: &str = "`output_path` is the workbook itself; use save_mode inplace for that";

/// Whether a path, which starts at the first root, is that of an open file.
fn is_same(cx: &Cx<'_>, path: &str, open: &Path) -> bool {
    let root = cx.workspace.folder().root.unwrap_or_default();
    let mut whole = std::path::PathBuf::new();
    for component in root.join(path).components() {
        match component {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole == open
}

fn is_missing(refusal: &Refusal) -> bool {
    matches!(refusal.innermost(), Refusal::Disk { fault: Fault::Missing, .. } | Refusal::NotFound { .. })
}

/// A workbook that is nowhere yet. What has its name already stays as it is.
fn new_workbook(cx: &Cx<'_>, input: &Input) -> Result<DocId, Value> {
    match cx.workspace.open(&input.path, OpenIn::Background) {
        Ok(_) => {
            let message = format!("{} exists already; leave out `create` to work on it", input.path);
            return Err(error("INVALID_ARGUMENT", &message, false, "exists"));
        }
        Err(refusal) if is_missing(&refusal) => {}
        Err(refusal) => return Err(before(&refusal)),
    }
    let created = cx.workspace.create(None, Kind::Sheet, OpenIn::Background);
    created.map(|opened| opened.document).map_err(|refusal| before(&refusal))
}

fn answer(
    cx: &Cx<'_>,
    input: &Input,
    document: DocId,
    done: Scripted,
    notes: &mut Vec<String>,
) -> Result<Reply, ToolError> {
    let execution = &done.execution;
    // Drawn before it is kept, because the revision that the script looked at is at hand now.
    let drawn = match &input.render {
        Some(render) if execution.ok => Some(picture_of(cx, document, &done, render)),
        _ => None,
    };
    if let Some(Err(Refusal::Cancelled)) = &drawn {
        return Err(Refusal::Cancelled.into());
    }
    let mut write = match (execution.ok, input.save_mode) {
        (false, _) | (true, SaveMode::ReadOnly) => Write::of(WriteStatus::NotSaved),
        (true, SaveMode::Inplace) if input.create => {
            copy(cx, document, &input.path, Overwrite::Refuse, &done)?
        }
        (true, SaveMode::Inplace) => in_place(cx, document, &done)?,
        (true, SaveMode::SaveAs) => {
            copy(cx, document, input.output_path.as_deref().unwrap_or(""), Overwrite::Allow, &done)?
        }
    };
    write.notes.append(notes);
    let ok = execution.ok && write.status != WriteStatus::Failed;
    let mut told = json!({ "ok": ok, "execution": as_told(execution), "write": write });
    if let Some(path) = write.path.as_ref().filter(|_| input.save_mode == SaveMode::SaveAs) {
        told["output_path"] = json!(path);
    }
    if let Some(fault) = &execution.error {
        let details = json!({ "type": fault.kind, "script_code": fault.code, "line": fault.line, "column": fault.column });
        told["error"] = json!({ "code": "EXEC_FAILED", "message": fault.message, "retryable": false, "details": details });
    } else if let Some(fault) = &write.error {
        told["error"] = fault.clone();
    }
    let seen = done.previews.iter();
    let mut images: Vec<Image> =
        seen.map(|preview| Image { base64: preview.base64.clone(), mime: "image/png" }).collect();
    if !images.is_empty() {
        told["previews"] = done.previews.iter().map(|preview| json!(preview.what)).collect();
    }
    match drawn.filter(|_| write.status != WriteStatus::Failed) {
        Some(Ok(drawn)) => {
            let range = format!("{}!{}", drawn.sheet, drawn.area);
            let mut render = json!({ "ok": true, "range": range, "width": drawn.picture.width, "height": drawn.picture.height });
            if !drawn.notes.is_empty() {
                render["notes"] = json!(drawn.notes);
            }
            if input.save_mode == SaveMode::ReadOnly {
                render["shows"] = json!("what the script came to, which was not kept");
            }
            if write.status == WriteStatus::Suggested {
                render["shows"] = json!("the proposal, which the file does not have yet");
            }
            told["render"] = render;
            images.push(Image { base64: render::base64(&drawn.picture.bytes), mime: "image/png" });
        }
        Some(Err(refusal)) => {
            let fault = error("RENDER_FAILED", &self::told(&refusal), false, "render")["error"].clone();
            told["render"] = json!({ "ok": false, "error": fault });
        }
        None => {}
    }
    Ok(Reply { text: told.to_string(), images, ..Reply::default() })
}

/// The picture that was asked for, of the workbook as the script left it.
fn picture_of(cx: &Cx<'_>, document: DocId, done: &Scripted, render: &Render) -> Result<Drawn, Refusal> {
    let format = match render.format {
        Some(PictureKind::Png) | None => PictureFormat::Png,
    };
    let stop = Some(cx.workspace.stop().clone());
    let request =
        Request { range: Some(render.range.clone()), dpr: render.dpr, format, stop, ..Request::default() };
    let now = cx.workspace.now();
    let look = |view: &sheet::View| picture::draw(view, &request, now);
    let drawn = cx.workspace.see_run(document, done.run.as_ref(), done.revision, look)??;
    match drawn.picture.bytes.len() {
        bytes if bytes > MOST_PICTURE => Err(Refusal::Limit {
            what: "the picture".into(),
            found: format!("{bytes} bytes"),
            limit: format!("{MOST_PICTURE}; draw fewer cells, or use a smaller dpr"),
        }),
        _ => Ok(drawn),
    }
}

/// More than most clients show.
const MOST_PICTURE: usize = 3_500_000;

/// The envelope has all its fields, whatever came of it.
fn as_told(execution: &Execution) -> Value {
    let mut told = json!(execution);
    if execution.error.is_none() {
        told["error"] = Value::Null;
    }
    told
}

const WROTE_NOTHING: &str = "the script wrote nothing: cells are changed by functions such as `await xlsx.setCells(wb, …)`, not by assigning to what was read";

fn in_place(cx: &Cx<'_>, document: DocId, done: &Scripted) -> Result<Write, ToolError> {
    let file = cx.file(document)?;
    let Some(run) = done.run.clone() else {
        let wrote = done.execution.accesses.iter().any(|access| access.operation == Operation::Write);
        let note = if wrote { "what was written was there already" } else { WROTE_NOTHING };
        return Ok(Write {
            path: Some(file),
            notes: vec![note.to_owned()],
            ..Write::of(WriteStatus::Unchanged)
        });
    };
    let made = match cx.workspace.make_run(document, run, done.revision, Mode::Apply) {
        Ok(made) => made,
        Err(refusal) => return Ok(refused(&refusal)),
    };
    let notes: Vec<String> = made.notes.iter().map(|note| note.text.clone()).collect();
    let revision = Some(made.revision.to_string());
    match made.ending {
        Ending::Suggested(id) => Ok(Write {
            suggestion_id: Some(id.to_string()),
            path: Some(file),
            notes,
            ..Write::of(WriteStatus::Suggested)
        }),
        Ending::Unchanged | Ending::Previewed => {
            Ok(Write { path: Some(file), revision, notes, ..Write::of(WriteStatus::Unchanged) })
        }
        Ending::Applied => match cx.workspace.save(document, Overwrite::Refuse) {
            Ok(saved) => Ok(Write { revision, ..written(saved, notes) }),
            Err(refusal) => {
                let mut write = refused(&refusal);
                write.notes = notes;
                // What could not be saved must not stay behind in the open workbook either.
                match cx.workspace.undo(document) {
                    Ok(_) => write.notes.push("nothing was kept".to_owned()),
                    Err(_) => write.notes.push("the changes are in the open workbook, unsaved".to_owned()),
                }
                Ok(write)
            }
        },
    }
}

fn copy(
    cx: &Cx<'_>,
    document: DocId,
    path: &str,
    overwrite: Overwrite,
    done: &Scripted,
) -> Result<Write, ToolError> {
    let path = fitting(cx, document, path)?;
    let overwrite = if path.1.is_some() { Overwrite::Refuse } else { overwrite };
    if path.1.is_some() && cx.workspace.is_there(&path.0) {
        return Ok(refused(&Refusal::Unsafe {
            why: format!("the copy would be called {}, and a file with that name exists", path.0),
            instead: Some("give that name as output_path to replace it, or another one".to_owned()),
        }));
    }
    let mut notes: Vec<String> = path.1.into_iter().collect();
    if overwrite == Overwrite::Allow && cx.workspace.is_there(&path.0) {
        notes.push(format!("{} was there already and was replaced", path.0));
    }
    match cx.workspace.save_run(document, done.run.as_ref(), done.revision, &path.0, overwrite) {
        Ok(saved) => Ok(written(saved, notes)),
        Err(refusal) => Ok(refused(&refusal)),
    }
}

/// The name of a copy ends as its content asks; a corrected name replaces no other file.
fn fitting(cx: &Cx<'_>, document: DocId, path: &str) -> Result<(String, Option<String>), ToolError> {
    // With macros or without, a workbook or a template: the content says which, and Excel opens no other name.
    let content = cx.workspace.extension(document)?.unwrap_or("xlsx");
    let extension =
        Path::new(path).extension().unwrap_or(OsStr::new("")).to_string_lossy().to_ascii_lowercase();
    let wanted = (extension != content).then_some(content);
    Ok(match wanted {
        None => (path.to_owned(), None),
        Some(wanted) => {
            let corrected = Path::new(path).with_extension(wanted).display().to_string();
            let note = format!("the copy is called {corrected}, because its content is of that kind");
            (corrected, Some(note))
        }
    })
}

fn written(saved: SaveReport, mut notes: Vec<String>) -> Write {
    notes.extend(saved.notes.iter().map(|note| note.text.clone()));
    Write { path: Some(saved.path.display().to_string()), notes, ..Write::of(WriteStatus::Written) }
}

fn refused(refusal: &Refusal) -> Write {
    let retryable = matches!(
        refusal.innermost(),
        Refusal::Stale { .. } | Refusal::Locked { .. } | Refusal::ChangedOnDisk { .. }
    );
    let message = match refusal.innermost() {
        Refusal::Stale { why: Some(why), .. } => why.clone(),
        other => told(other),
    };
    Write {
        error: Some(error("WRITEBACK_FAILED", &message, retryable, "write")["error"].clone()),
        ..Write::of(WriteStatus::Failed)
    }
}

fn told(refusal: &Refusal) -> String {
    match refusal.hint() {
        Some(hint) => format!("{refusal}; {hint}"),
        None => refusal.to_string(),
    }
}

/// What went wrong before the script ran.
fn before(refusal: &Refusal) -> Value {
    let (code, retryable, reason) = match refusal.innermost() {
        _ if is_missing(refusal) => ("WORKBOOK_NOT_FOUND", false, "missing"),
        Refusal::Locked { .. } => ("INVALID_ARGUMENT", true, "locked"),
        Refusal::ChangedOnDisk { .. } => ("INVALID_ARGUMENT", true, "changed"),
        Refusal::Corrupt { .. } => ("INVALID_ARGUMENT", false, "corrupt"),
        Refusal::Encrypted => ("INVALID_ARGUMENT", false, "encrypted"),
        Refusal::Denied { .. } => ("INVALID_ARGUMENT", false, "denied"),
        Refusal::Limit { .. } => ("INVALID_ARGUMENT", false, "too_large"),
        _ => ("INVALID_ARGUMENT", false, "unsupported"),
    };
    error(code, &told(refusal), retryable, reason)
}

fn error(code: &str, message: &str, retryable: bool, reason: &str) -> Value {
    json!({ "ok": false, "error": {
        "code": code, "message": message, "retryable": retryable, "details": { "reason": reason },
    } })
}

fn failed(error: &Value) -> Reply {
    Reply { text: error.to_string(), failed: true, ..Reply::default() }
}

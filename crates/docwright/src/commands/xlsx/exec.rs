//! `docwright xlsx exec`: JavaScript against a workbook.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::{Map, Value as Json, json};
use workspace::script::{DEFAULT_OUTPUT, DEFAULT_TIME, MOST_TIME, Preview};
use workspace::{Ending, Mode, Overwrite, ScriptFailure, ScriptText};

use super::Reading;
use crate::cli::xlsx::XlsxExec;
use crate::one_file::{Destination, OneFile, kept};
use crate::report::{self, Failure, Verdict};

pub(super) fn run(arguments: &XlsxExec, json: bool) -> Result<Verdict, Failure> {
    let code = code(arguments)?;
    let input = input(arguments)?;
    let time = match arguments.timeout_ms {
        0 => DEFAULT_TIME,
        milliseconds => std::time::Duration::from_millis(milliseconds).min(MOST_TIME),
    };
    let locale = arguments.locale.clone();
    let text = ScriptText { code, input, time, output_chars: DEFAULT_OUTPUT, locale };
    let reads_only = !arguments.save && arguments.output.is_none();
    let Reading { desk, _folder } = &opened(arguments, reads_only)?;
    // A new workbook gets its name when there is something in it.
    let (output, overwrite) = match (arguments.create && arguments.save, &arguments.output) {
        (true, _) => (Some(&arguments.file), Overwrite::Refuse),
        (false, output) => (output.as_ref(), Overwrite::Allow),
    };
    let done = desk.workspace.script(desk.document, &text).map_err(|failure| match failure {
        ScriptFailure::Refused(refusal) => Failure::from(refusal),
        ScriptFailure::Process(why) => Failure::new("UPSTREAM_API_ERROR", why).with_hint("run it again"),
    })?;
    let mut answer = json!({ "ok": done.execution.ok, "execution": done.execution });
    let mut saved = None;
    if done.execution.ok && !reads_only {
        match (output, done.run) {
            (Some(path), run) => {
                let path =
                    std::path::absolute(path).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
                let save = || {
                    let (run, revision) = (run.as_ref(), done.revision);
                    Ok(desk.workspace.save_run(desk.document, run, revision, &path, overwrite)?)
                };
                let report = kept(Some(&path), save)?;
                saved = Some(report.path.display().to_string());
            }
            (None, Some(run)) => {
                let outcome = desk.workspace.make_run(desk.document, run, done.revision, Mode::Apply)?;
                desk.must_not_wait(&outcome.ending)?;
                if outcome.ending == Ending::Applied {
                    saved = desk.save(&Destination::InPlace)?.map(|report| report.path.display().to_string());
                }
            }
            (None, None) => {}
        }
    }
    if let Some(path) = &saved {
        answer["saved"] = json!(path);
    }
    let pictures = keep_pictures(arguments, &done.previews)?;
    if !pictures.is_empty() {
        answer["previews"] = json!(pictures);
    }
    let execution = done.execution;
    report::answer(json, &answer, |_| {
        let mut text = execution.stdout.clone();
        if execution.truncated {
            text.push_str("[more was printed]\n");
        }
        match &execution.error {
            Some(error) => {
                let place = match (error.line, error.column) {
                    (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
                    (Some(line), None) => format!(" (line {line})"),
                    _ => String::new(),
                };
                text.push_str(&format!("{}{place}: {}\n", error.code, error.message));
            }
            None => match &execution.result {
                Json::Null => {}
                Json::String(result) => text.push_str(&format!("{}\n", result.trim_end())),
                result => text.push_str(&format!(
                    "{}\n",
                    serde_json::to_string_pretty(result).unwrap_or_else(|_| result.to_string())
                )),
            },
        }
        if let Some(note) = &execution.note {
            text.push_str(&format!("note: {note}\n"));
        }
        for picture in &pictures {
            text.push_str(&format!("{picture}\n"));
        }
        match &saved {
            Some(path) => text.push_str(&format!("saved: {path}\n")),
            None if execution.writes_detected && reads_only => {
                text.push_str("nothing was written; --save keeps the changes, -o writes a copy\n");
            }
            None => {}
        }
        text
    })?;
    Ok(if execution.ok { Verdict::Done } else { Verdict::Failed })
}

/// The workbook that the script gets. An old one can be read and written as a copy.
fn opened(arguments: &XlsxExec, reads_only: bool) -> Result<Reading, Failure> {
    let XlsxExec { file, output, .. } = arguments;
    let author = &arguments.signed.author();
    if arguments.create {
        return super::begin_new(file, output.as_deref().unwrap_or(file), author);
    }
    match output {
        _ if reads_only => super::open_to_read(file),
        Some(output) => Ok(Reading { desk: OneFile::open(file, &[output], author)?, _folder: None }),
        None => Ok(Reading { desk: super::open(file, None, author)?, _folder: None }),
    }
}

/// Writes the pictures that the script asked for, and says what each shows.
fn keep_pictures(arguments: &XlsxExec, previews: &[Preview]) -> Result<Vec<String>, Failure> {
    let Some(folder) = &arguments.pictures else {
        let not_kept =
            |preview: &Preview| format!("picture of {}, not kept; --pictures FOLDER keeps it", preview.what);
        return Ok(previews.iter().map(not_kept).collect());
    };
    let failed = |path: &std::path::Path, why: String| {
        Failure::new("BAD_PATH", format!("{} could not be written: {why}", path.display()))
    };
    let mut kept = Vec::new();
    for (index, preview) in (1..).zip(previews) {
        let path = folder.join(format!("preview-{index}.png"));
        let bytes = BASE64.decode(&preview.base64).map_err(|error| failed(&path, error.to_string()))?;
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error.to_string()))?;
        std::fs::write(&path, bytes).map_err(|error| failed(&path, error.to_string()))?;
        kept.push(format!("picture of {}: {}", preview.what, path.display()));
    }
    Ok(kept)
}

fn code(arguments: &XlsxExec) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::new("DISK_ERROR", error.to_string());
    match (&arguments.code, &arguments.script, &arguments.expr) {
        (Some(code), _, _) => Ok(code.clone()),
        (None, Some(path), _) => std::fs::read_to_string(path)
            .map_err(|error| Failure::new("DISK_ERROR", format!("{}: {error}", path.display()))),
        (None, None, Some(expression)) => Ok(format!("return (\n{expression}\n);")),
        (None, None, None) => {
            let mut code = String::new();
            std::io::stdin().lock().take(16 << 20).read_to_string(&mut code).map_err(unreadable)?;
            Ok(code)
        }
    }
}

fn input(arguments: &XlsxExec) -> Result<Json, Failure> {
    let mut input = match &arguments.input_json {
        Some(text) => serde_json::from_str(text)
            .map_err(|error| Failure::new("BAD_INPUT", format!("--input-json is no JSON: {error}")))?,
        None => Json::Object(Map::new()),
    };
    for pair in &arguments.input_file {
        let wrong = || Failure::new("BAD_INPUT", format!("--input-file {pair}: expected NAME=@FILE"));
        let (name, path) = pair.split_once("=@").ok_or_else(wrong)?;
        let bytes =
            std::fs::read(path).map_err(|error| Failure::new("DISK_ERROR", format!("{path}: {error}")))?;
        let kind = match std::path::Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("png") => "image/png",
            Some("jpg" | "jpeg") => "image/jpeg",
            Some("gif") => "image/gif",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        let members = input.as_object_mut().ok_or_else(|| {
            Failure::new("BAD_INPUT", "--input-file adds to an object; --input-json gave something else")
        })?;
        members.insert(name.to_owned(), json!(format!("data:{kind};base64,{}", BASE64.encode(&bytes))));
    }
    Ok(input)
}

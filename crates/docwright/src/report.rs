//! How commands answer: text for people, or one JSON value; nothing but the answer on stdout.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    /// The work was done and found something: a lint, a difference.
    Findings,
    Failed,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Done => Self::SUCCESS,
            Verdict::Failed => Self::from(1),
            Verdict::Findings => Self::from(2),
        }
    }
}

/// What went wrong, in the form every door gives it.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), hint: None }
    }

    /// The same, said of one thing among several.
    pub(crate) fn prefixed(mut self, of: &str) -> Self {
        self.message.insert_str(0, of);
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// How the text of every edit ends: what to know about it, and where it went.
pub(crate) fn ending(notes: &[String], saved: Option<&str>) -> String {
    let mut text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    match saved {
        Some(path) => text.push_str(&format!("saved {path}\n")),
        None => text.push_str("nothing was written\n"),
    }
    text
}

/// Print an answer.
pub(crate) fn answer<T: Serialize>(
    json: bool,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    write(json, value, text)
        .map_err(|error| Failure::new("OUTPUT", format!("the answer could not be printed: {error}")))
}

fn write<T: Serialize>(json: bool, value: &T, text: impl FnOnce(&T) -> String) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, value)?;
        out.write_all(b"\n")?;
    } else {
        let text = text(value);
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

/// Print text that is the answer in every form.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    answer(false, &text, |text| (*text).to_owned())
}

/// Say something beside the answer, on stderr.
pub(crate) fn remark(text: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(std::io::stderr().lock(), "docwright: {text}");
}

/// Print a failure: as JSON on stdout for programs, on stderr for people.
pub(crate) fn fail(json: bool, failure: &Failure) -> std::io::Result<()> {
    if json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &serde_json::json!({ "ok": false, "error": failure }))?;
        return out.write_all(b"\n");
    }
    let mut err = std::io::stderr().lock();
    writeln!(err, "error[{}]: {}", failure.code, failure.message)?;
    match &failure.hint {
        Some(hint) => writeln!(err, "  hint: {hint}"),
        None => Ok(()),
    }
}

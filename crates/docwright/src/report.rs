//! How commands answer: text for people, or one JSON value; nothing but the answer on stdout.

use std::io::{IsTerminal as _, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use serde::Serialize;

use crate::cli::Colour;
use crate::paint::{self, Paint, Tone};
use crate::visible::visible;
use crate::{diff, progress, settings};

/// What was said with --color, if anything was.
pub(crate) static COLOUR: OnceLock<Option<Colour>> = OnceLock::new();

/// A piece of an answer for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// One line or several, as they are.
    Text(String),
    /// What was there and what is there instead; an empty one was not there, or is gone.
    Change { before: String, after: String },
    /// The same, with where it is.
    Placed { place: String, before: String, after: String },
}

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

/// Print an answer that tells changes: word by word in colours where somebody reads it on a terminal.
pub(crate) fn answer_lines<T: Serialize>(
    json: bool,
    value: &T,
    lines: impl FnOnce(&T) -> Vec<Line>,
) -> Result<(), Failure> {
    let paint = painting(std::io::stdout().is_terminal());
    answer(json, value, |value| lines(value).iter().map(|line| drawn(line, paint)).collect())
}

/// Whether to draw in colours on a stream that is a terminal, or is not.
pub(crate) fn painting(is_terminal: bool) -> Paint {
    let dumb = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    let told = COLOUR.get().copied().flatten();
    let no_colour = settings::variable("NO_COLOR").map(|_| Colour::Never);
    match told.or(no_colour).or(settings::current().color).unwrap_or_default() {
        Colour::Always => Paint::Colours,
        Colour::Auto if is_terminal && !dumb => Paint::Colours,
        Colour::Auto | Colour::Never => Paint::Signs,
    }
}

/// Without colours an answer is the same wherever it goes, so that programs can read it.
fn drawn(line: &Line, paint: Paint) -> String {
    let (place, before, after) = match line {
        Line::Text(text) => return format!("{}\n", text.trim_end_matches('\n')),
        Line::Change { before, after } => (None, before, after),
        Line::Placed { place, before, after } => (Some(place), before, after),
    };
    match (paint, place) {
        (Paint::Colours, place) => {
            let place = place.map(|place| vec![(Tone::Faint, format!("{}:", visible(place)))]);
            let rows = diff::rows(before, after).into_iter().map(|row| paint::compared(&row, paint));
            place.into_iter().chain(rows).map(|line| paint::painted(&line, paint) + "\n").collect()
        }
        (Paint::Signs, None) => {
            let signed = |sign: char, text: &str| match text.is_empty() {
                true => String::new(),
                false => format!("{sign} {text}\n"),
            };
            signed('-', before) + &signed('+', after)
        }
        (Paint::Signs, Some(place)) => match (before.is_empty(), after.is_empty()) {
            (true, _) => format!("  {place}: + {after}\n"),
            (false, true) => format!("  {place}: - {before}\n"),
            (false, false) => format!("  {place}: {before} → {after}\n"),
        },
    }
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
    progress::over();
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
    progress::over();
    if json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &serde_json::json!({ "ok": false, "error": failure }))?;
        return out.write_all(b"\n");
    }
    let mut err = std::io::stderr().lock();
    let paint = painting(err.is_terminal());
    let said = |tone: Tone, text: String| paint::painted(&paint::line(tone, text), paint);
    let code = said(Tone::Gone, format!("error[{}]:", failure.code));
    writeln!(err, "{code} {}", failure.message)?;
    match &failure.hint {
        Some(hint) => writeln!(err, "  {} {hint}", said(Tone::Faint, "hint:".to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change() -> Line {
        Line::Change { before: "within thirty days".to_owned(), after: "within sixty days".to_owned() }
    }

    #[test]
    fn changes_read_the_same_without_colours_and_word_by_word_with_them() {
        assert_eq!(drawn(&change(), Paint::Signs), "- within thirty days\n+ within sixty days\n");
        let painted = drawn(&change(), Paint::Colours);
        assert!(painted.contains("\u{1b}[1;7;31mthirty\u{1b}[0m"), "{painted:?}");
        assert!(painted.contains("\u{1b}[1;7;32msixty\u{1b}[0m"), "{painted:?}");
        let come = Line::Change { before: String::new(), after: "new".to_owned() };
        assert_eq!(drawn(&come, Paint::Signs), "+ new\n");
    }

    #[test]
    fn a_document_cannot_steer_the_terminal() {
        let hostile = Line::Change { before: String::new(), after: "a\u{1b}[2Jb".to_owned() };
        assert!(!drawn(&hostile, Paint::Colours).contains("\u{1b}[2J"));
    }

    #[test]
    fn a_place_stands_before_its_change() {
        let placed = Line::Placed { place: "B3".to_owned(), before: "1".to_owned(), after: "2".to_owned() };
        assert_eq!(drawn(&placed, Paint::Signs), "  B3: 1 → 2\n");
        assert!(drawn(&placed, Paint::Colours).starts_with("\u{1b}[2mB3:\u{1b}[0m\n"));
    }
}

//! `docwright md`: Markdown files.

use std::fmt::Write as _;

use serde::Serialize;
use workspace::markdown::{self, Case, Edit, Markdown, NodeId, View, Which, Within};
use workspace::{Ending, Kind, Refusal, targets};

use crate::cli::Destined;
use crate::cli::md::{Md, MdCheck, MdEdit, MdOutline, MdRead};
use crate::one_file::OneFile;
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(command: &Md, json: bool) -> Result<Verdict, Failure> {
    match command {
        Md::Read(arguments) => read(arguments, json),
        Md::Outline(arguments) => outline(arguments, json),
        Md::Edit(arguments) => edit(arguments, json),
        Md::Check(arguments) => check(arguments, json),
    }
}

fn open(file: &std::path::Path, author: &str, into: &Destined) -> Result<OneFile, Failure> {
    let desk = OneFile::open(file, &into.output.as_deref().into_iter().collect::<Vec<_>>(), author)?;
    match desk.workspace.status(desk.document)?.kind {
        Kind::Markdown => Ok(desk),
        kind => Err(Failure::new("WRONG_FORMAT", format!("{} is a {kind} document", file.display()))
            .with_hint("`docwright md` takes files that end in .md")),
    }
}

#[derive(Debug, Serialize)]
struct Text {
    revision: String,
    text: String,
}

fn read(arguments: &MdRead, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, "reader", &Destined::default())?;
    let text = desk.read::<Markdown, _>(|view| -> Result<String, Refusal> {
        let Some(name) = arguments.node.as_deref() else { return Ok(view.text()) };
        let id = targets::block(view, name)?;
        Ok(match arguments.section {
            true => view.slice(markdown::section(view, id)?.range).into_owned(),
            false => view.node(id)?.source().into_owned(),
        })
    })??;
    let revision = desk.workspace.revision(desk.document)?.revision.to_string();
    report::answer(json, &Text { revision, text }, |answer| answer.text.clone())?;
    Ok(Verdict::Done)
}

#[derive(Debug, Serialize)]
struct Heading {
    id: String,
    level: u8,
    title: String,
    line: usize,
}

fn outline(arguments: &MdOutline, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, "reader", &Destined::default())?;
    let headings = desk.read::<Markdown, _>(|view| {
        markdown::sections(view)
            .into_iter()
            .map(|section| Heading {
                id: section.heading.to_string(),
                level: section.level,
                title: section.title,
                line: view.line_column(section.range.start).line,
            })
            .collect::<Vec<_>>()
    })?;
    report::answer(json, &headings, |headings| {
        let mut text = String::new();
        for heading in headings {
            let indent = usize::from(heading.level.saturating_sub(1)) * 2;
            // Writing to a String does not fail.
            let _ =
                writeln!(text, "{:<6}{:indent$}{} (line {})", heading.id, "", heading.title, heading.line);
        }
        text
    })?;
    Ok(Verdict::Done)
}

#[derive(Debug, Serialize)]
struct Edited {
    changed: bool,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    revision: String,
    changes: Vec<Changed>,
}

#[derive(Debug, Serialize)]
struct Changed {
    line: usize,
    original: String,
    new: String,
}

fn edit(arguments: &MdEdit, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, &arguments.into.author, &arguments.into)?;
    let edit = match (&arguments.old, &arguments.node, &arguments.after) {
        (Some(old), None, None) => {
            let which = if arguments.all { Which::All } else { Which::Only };
            Edit::Substitute {
                find: old.clone(),
                with: arguments.new.clone(),
                which,
                case: Case::Sensitive,
                within: Within::Source,
            }
        }
        (None, Some(node), None) => {
            Edit::Update { node: block(&desk, node)?, content: arguments.new.clone() }
        }
        (None, None, Some(node)) => {
            Edit::InsertAfter { node: block(&desk, node)?, content: arguments.new.clone() }
        }
        _ => {
            return Err(Failure::new("USAGE", "say what to change")
                .with_hint("give one of --old TEXT, --node ID or --after ID, together with --new TEXT"));
        }
    };
    let destination = arguments.into.destination();
    let outcome = desk.apply::<Markdown>(vec![edit], &destination)?;
    if arguments.old.is_some() && outcome.outcomes.iter().all(|outcome| outcome.matches.is_empty()) {
        return Err(Failure::new("NOT_FOUND", "the text to replace was not found")
            .with_hint("it is compared with case, and may run across formatting"));
    }
    let saved = desk.save(&destination)?;
    let lines = |at: usize| desk.read::<Markdown, _>(|view: &View| view.line_column(at).line);
    let changes = outcome
        .changes
        .iter()
        .map(|change| {
            let text = |blob: &workspace::Blob| String::from_utf8_lossy(&blob.bytes()).into_owned();
            Ok(Changed {
                line: lines(change.after)?,
                original: text(&change.original),
                new: text(&change.new),
            })
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let edited = Edited {
        changed: !matches!(outcome.ending, Ending::Unchanged),
        summary: outcome.summary(),
        saved: saved.map(|saved| saved.path.display().to_string()),
        revision: outcome.revision.to_string(),
        changes,
    };
    report::answer(json, &edited, |edited| {
        let mut text = format!("{}\n", edited.summary);
        for change in &edited.changes {
            let _ = writeln!(text, "line {}: {:?} -> {:?}", change.line, change.original, change.new);
        }
        text.push_str(&report::ending(&[], edited.saved.as_deref()));
        text
    })?;
    Ok(Verdict::Done)
}

#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    ok: bool,
    #[serde(flatten)]
    found: Found,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Found {
    Read {
        bytes: usize,
        blocks: usize,
        /// Saving without an edit gives the very same bytes.
        lossless: bool,
        findings: Vec<Finding>,
    },
    Refused {
        error: Failure,
    },
}

#[derive(Debug, Serialize)]
struct Finding {
    line: usize,
    what: String,
}

fn check(arguments: &MdCheck, json: bool) -> Result<Verdict, Failure> {
    let checked: Vec<Checked> = arguments
        .files
        .iter()
        .map(|file| {
            let found = check_one(file).unwrap_or_else(|error| Found::Refused { error });
            let ok = matches!(&found, Found::Read { lossless: true, findings, .. } if findings.is_empty());
            Checked { file: file.display().to_string(), ok, found }
        })
        .collect();
    report::answer(json, &checked, |checked| checked.iter().map(shown).collect())?;
    Ok(match checked.iter().all(|file| file.ok) {
        true => Verdict::Done,
        false => Verdict::Findings,
    })
}

fn check_one(file: &std::path::Path) -> Result<Found, Failure> {
    let desk = open(file, "checker", &Destined::default())?;
    let before = std::fs::read(file).map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    let lossless = desk.workspace.packed(desk.document)? == before;
    let (blocks, findings) = desk.read::<Markdown, _>(|view| (view.nodes().count(), findings(view)))?;
    Ok(Found::Read { bytes: before.len(), blocks, lossless, findings })
}

fn shown(checked: &Checked) -> String {
    match &checked.found {
        Found::Refused { error } => format!("{}: {}: {}\n", checked.file, error.code, error.message),
        Found::Read { bytes, blocks, lossless, findings } => {
            let save = if *lossless { "saving changes nothing" } else { "SAVING CHANGES BYTES" };
            let mut text = format!("{}: {blocks} blocks, {bytes} bytes, {save}\n", checked.file);
            for finding in findings {
                let _ = writeln!(text, "  line {}: {}", finding.line, finding.what);
            }
            text
        }
    }
}

/// What a reader of the rendered page would stumble over.
fn findings(view: &View) -> Vec<Finding> {
    let text = view.text();
    let crlf = text.matches("\r\n").count();
    let lf = text.matches('\n').count() - crlf;
    let mut findings = Vec::new();
    if crlf > 0 && lf > 0 {
        let minority = if crlf < lf { "\r\n" } else { "\n" };
        let at = if minority == "\n" {
            text.match_indices('\n').find(|(at, _)| !text[..*at].ends_with('\r')).map_or(0, |(at, _)| at)
        } else {
            text.find("\r\n").unwrap_or(0)
        };
        let what = format!("line endings are mixed: {crlf} CRLF and {lf} LF");
        findings.push(Finding { line: view.line_column(at).line, what });
    }
    if let Some(at) = text.find('\u{FFFD}') {
        findings.push(Finding {
            line: view.line_column(at).line,
            what: "a replacement character: text was lost before".into(),
        });
    }
    findings
}

fn block(desk: &OneFile, name: &str) -> Result<NodeId, Failure> {
    Ok(desk.read::<Markdown, _>(|view| targets::block(view, name))??)
}

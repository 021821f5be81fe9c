//! `docwright md`: Markdown files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use workspace::markdown::{self, Case, Edit, Markdown, NodeId, View, Which, Within};
use workspace::{Ending, Kind, Refusal, targets};

use crate::cli::Destined;
use crate::cli::md::{Md, MdCheck, MdEdit, MdOutline, MdRead};
use crate::one_file::OneFile;
use crate::report::{self, Failure, Line, Verdict};

pub(crate) fn run(command: &Md, json: bool) -> Result<Verdict, Failure> {
    match command {
        Md::Read(arguments) => read(arguments, json),
        Md::Outline(arguments) => outline(arguments, json),
        Md::Edit(arguments) => edit(arguments, json),
        Md::Check(arguments) => check(arguments, json),
    }
}

fn open(file: &Path, author: &str, into: &Destined) -> Result<OneFile, Failure> {
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

#[derive(Debug, Serialize)]
struct Block {
    id: String,
    kind: &'static str,
    /// How many blocks it is inside of.
    depth: usize,
    line: usize,
    /// The beginning of what a reader sees.
    text: String,
}

/// Every block that has a name, with the beginning of what it says.
fn blocks(view: &View) -> Vec<Block> {
    let named = view.nodes().filter_map(|(id, node)| Some((id?, node)));
    named
        .map(|(id, node)| Block {
            id: id.to_string(),
            kind: node.kind().name(),
            depth: node.ancestors().count(),
            line: view.line_column(node.range().start).line,
            text: beginning(&node.plain()),
        })
        .collect()
}

const MOST_SHOWN: usize = 60;

fn beginning(text: &str) -> String {
    workspace::line_excerpt(text, MOST_SHOWN)
}

fn outline(arguments: &MdOutline, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, "reader", &Destined::default())?;
    if arguments.blocks {
        let blocks = desk.read::<Markdown, _>(blocks)?;
        report::answer(json, &blocks, |blocks| {
            let line = |block: &Block| {
                let Block { id, kind, depth, line, text } = block;
                let indent = depth * 2;
                format!("{id:<8}{:indent$}{kind}: {text} (line {line})\n", "")
            };
            blocks.iter().map(line).collect()
        })?;
        return Ok(Verdict::Done);
    }
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
    let desk = open(&arguments.file, &arguments.into.author(), &arguments.into)?;
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
        // There is no such block in a document without front matter, and this gives it some.
        (None, Some(node), None) if node == "meta-0" => {
            Edit::SetFrontMatter { content: arguments.new.clone() }
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
    report::answer_lines(json, &edited, |edited| {
        let change = |change: &Changed| Line::Placed {
            place: format!("line {}", change.line),
            before: shown_text(&change.original),
            after: shown_text(&change.new),
        };
        let summary = std::iter::once(Line::Text(edited.summary.clone()));
        let ending = Line::Text(report::ending(&[], edited.saved.as_deref()));
        summary.chain(edited.changes.iter().map(change)).chain([ending]).collect()
    })?;
    Ok(Verdict::Done)
}

/// A piece of the source as it is told of: without the line ends around it.
fn shown_text(text: &str) -> String {
    text.trim_matches(['\r', '\n']).to_owned()
}

#[derive(Debug, Serialize)]
struct FileCheck {
    file: String,
    ok: bool,
    #[serde(flatten)]
    found: FileFindings,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum FileFindings {
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
    rule: &'static str,
    what: String,
}

fn check(arguments: &MdCheck, json: bool) -> Result<Verdict, Failure> {
    let checked: Vec<FileCheck> = arguments
        .files
        .iter()
        .map(|file| {
            let found = check_one(file).unwrap_or_else(|error| FileFindings::Refused { error });
            let ok =
                matches!(&found, FileFindings::Read { lossless: true, findings, .. } if findings.is_empty());
            FileCheck { file: file.display().to_string(), ok, found }
        })
        .collect();
    report::answer(json, &checked, |checked| checked.iter().map(check_text).collect())?;
    Ok(match checked.iter().all(|file| file.ok) {
        true => Verdict::Done,
        false => Verdict::Findings,
    })
}

fn check_one(file: &Path) -> Result<FileFindings, Failure> {
    let desk = open(file, "checker", &Destined::default())?;
    let before = std::fs::read(file).map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    let lossless = desk.workspace.packed(desk.document)? == before;
    let folder = file.parent().unwrap_or(Path::new(""));
    let (blocks, findings) =
        desk.read::<Markdown, _>(|view| (view.nodes().count(), findings(view, folder)))?;
    Ok(FileFindings::Read { bytes: before.len(), blocks, lossless, findings })
}

fn check_text(checked: &FileCheck) -> String {
    match &checked.found {
        FileFindings::Refused { error } => format!("{}: {}: {}\n", checked.file, error.code, error.message),
        FileFindings::Read { bytes, blocks, lossless, findings } => {
            let save = if *lossless { "saving changes nothing" } else { "SAVING CHANGES BYTES" };
            let mut text = format!("{}: {blocks} blocks, {bytes} bytes, {save}\n", checked.file);
            for finding in findings {
                let _ = writeln!(text, "  line {}: {} ({})", finding.line, finding.what, finding.rule);
            }
            text
        }
    }
}

/// What the document itself tells, and links to files that are not there or do not have what the link names.
fn findings(view: &View, folder: &Path) -> Vec<Finding> {
    let line = |at: usize| view.line_column(at).line;
    let mut findings: Vec<Finding> = markdown::check(view)
        .into_iter()
        .map(|found| Finding { line: line(found.at), rule: found.rule.name(), what: found.what })
        .collect();
    let mut pages: BTreeMap<PathBuf, Option<BTreeSet<String>>> = BTreeMap::new();
    for link in markdown::links(view).into_iter().filter(|link| !link.path.is_empty()) {
        let target = folder.join(&link.path);
        let what = match &link.fragment {
            _ if !target.exists() => format!("there is no `{}`", link.path),
            Some(fragment) => {
                let anchors = pages.entry(target).or_insert_with_key(|target| anchors_of(target));
                match anchors {
                    Some(anchors) if !markdown::has_anchor(anchors, fragment) => {
                        format!("`{}` has no heading that answers to `#{fragment}`", link.path)
                    }
                    Some(_) | None => continue,
                }
            }
            None => continue,
        };
        findings.push(Finding { line: line(link.at), rule: markdown::Rule::BrokenLink.name(), what });
    }
    findings.sort_by_key(|finding| finding.line);
    findings
}

/// What can be linked to in another page; nothing is known of files that are no Markdown.
fn anchors_of(page: &Path) -> Option<BTreeSet<String>> {
    let desk = open(page, "checker", &Destined::default()).ok()?;
    desk.read::<Markdown, _>(markdown::anchors).ok()
}

fn block(desk: &OneFile, name: &str) -> Result<NodeId, Failure> {
    Ok(desk.read::<Markdown, _>(|view| targets::block(view, name))??)
}

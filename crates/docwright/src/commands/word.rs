//! `docwright word`: Word documents.

mod beside_text;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use mcp::{Operated, ToolError};
use serde::Serialize;
use workspace::targets::{self, Argument, Chosen, Insertion};
use workspace::word::read::{self, Request, Stories};
use workspace::word::{
    self as engine, Comparison, Edit, Formatting, Language, ListedControl, Markup, Outcome, ParagraphId,
    Position, Problem, ReplaceText, Resolution, ResolveChanges, Search, Side, View, Word as Engine,
};
use workspace::{Kind, Overwrite, Refusal, SaveReport, Standing, Stop};

use crate::cli::word::{
    Page, Shown, Syntax, Where, Word, WordChanges, WordCheck, WordCompare, WordEdit, WordGrep, WordInsert,
    WordOp, WordRead, WordResolve, WordSave,
};
use crate::one_file::{Destination, OneFile, kept};
use crate::report::{self, Failure, Line, Verdict};

pub(crate) fn run(command: &Word, json: bool) -> Result<Verdict, Failure> {
    match command {
        Word::Read(arguments) => read(arguments, json),
        Word::Grep(arguments) => grep(arguments, json),
        Word::Edit(arguments) => edit(arguments, json),
        Word::Insert(arguments) => insert(arguments, json),
        Word::Op(arguments) => operate(arguments, json),
        Word::Compare(arguments) => compare(arguments, json),
        Word::Changes(arguments) => changes(arguments, json),
        Word::Accept(arguments) => resolve(arguments, Resolution::Accept, json),
        Word::Reject(arguments) => resolve(arguments, Resolution::Reject, json),
        Word::Check(arguments) => check(arguments, json),
        Word::Save(arguments) => save(arguments, json),
        Word::Beside(command) => beside_text::run(command, json),
    }
}

fn open(file: &Path, output: Option<&Path>, author: &str) -> Result<OneFile, Failure> {
    let desk = OneFile::open(file, &output.into_iter().collect::<Vec<_>>(), author)?;
    check_kind(&desk, file)?;
    Ok(desk)
}

fn check_kind(desk: &OneFile, file: &Path) -> Result<(), Failure> {
    match desk.workspace.status(desk.document)?.kind {
        Kind::Word => Ok(()),
        kind => Err(Failure::new("WRONG_FORMAT", format!("{} is a {kind} document", file.display()))
            .with_hint("`docwright word` takes .docx and .docm files")),
    }
}

fn read(arguments: &WordRead, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, None, "reader")?;
    if arguments.format == Page::Controls {
        let controls = desk.read::<Engine, _>(engine::controls)??;
        report::answer(json, &controls, |controls| controls.iter().map(control_line).collect())?;
        return Ok(Verdict::Done);
    }
    let request = Request {
        stories: if arguments.all_stories { Stories::All } else { Stories::Body },
        offset: arguments.offset,
        limit: arguments.limit,
        side: match arguments.view {
            Shown::Final => Side::Final,
            Shown::Original => Side::Original,
            Shown::Redline => Side::Redline,
        },
        show_formatting: arguments.show_formatting,
        // A terminal has no budget of tokens; a page ends where it was told to.
        budget: usize::MAX,
        ..Request::default()
    };
    let page = desk.read::<Engine, _>(|view| view.page(&request))??;
    let format = if json { Page::Json } else { arguments.format };
    match format {
        Page::Json => report::answer(true, &page, |_| String::new())?,
        Page::Toon | Page::Controls => report::print(&read::toon(&page))?,
        Page::Simple => report::print(&read::simple(&page))?,
    }
    Ok(Verdict::Done)
}

/// Kind, tag, title, id, lock and text of a content control, and what can be chosen, between tabs.
fn control_line(control: &ListedControl) -> String {
    let kind = serde_json::to_value(control.kind).expect("a kind is a word");
    let locked = serde_json::to_value(control.locked).expect("a lock is a word");
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
    let or_dash = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let mut columns = vec![
        word(&kind),
        or_dash(if control.name.is_some() { &control.name } else { &control.tag }),
        or_dash(&control.title),
        or_dash(&control.id),
        format!("locked={}", word(&locked)),
        control.text.replace(['\n', '\t'], " "),
    ];
    if !control.choices.is_empty() {
        let choices: Vec<&str> = control.choices.iter().map(|choice| choice.text.as_str()).collect();
        columns.push(format!("[{}]", choices.join(", ")));
    }
    format!("{}\n", columns.join("\t"))
}

fn grep(arguments: &WordGrep, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, None, "reader")?;
    let search = Search {
        patterns: arguments.patterns.clone(),
        language: match arguments.syntax {
            Syntax::Literal => Language::Literal,
            Syntax::Regex => Language::Regex,
            Syntax::Wildcards => Language::Wildcards,
        },
        match_case: arguments.match_case,
        whole_word: arguments.whole_word,
        limit: usize::MAX,
        ..Search::default()
    };
    let hits = desk.read::<Engine, _>(|view| view.grep(&search))??;
    if hits.hits.is_empty() {
        tell_of_nothing(&desk, arguments)?;
    }
    report::answer(json, &hits, |hits| {
        let mut text = String::new();
        for hit in &hits.hits {
            let _ = writeln!(text, "{}\t{}\t{}[{}]{}", hit.id, hit.story, hit.before, hit.text, hit.after);
        }
        text
    })?;
    Ok(Verdict::Done)
}

/// A search that found nothing says so beside the answer, with what comes near.
fn tell_of_nothing(desk: &OneFile, arguments: &WordGrep) -> Result<(), Failure> {
    for pattern in &arguments.patterns {
        let mut said = format!("nothing found: `{pattern}`");
        if arguments.syntax == Syntax::Literal
            && let Err(refusal) = desk.read::<Engine, _>(|view| engine::locate(view, pattern))?
            && let Some(hint) = ToolError::on(Kind::Word, refusal).hint
        {
            said.push_str(&format!(" ({hint})"));
        }
        report::remark(&said);
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct Edited {
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<Outcome>,
    revision: String,
    /// The parts of the file that changed; all others are as they were.
    parts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// What a save did, for scripts that keep records.
#[derive(Debug, Serialize)]
struct Receipt {
    path: String,
    bytes: usize,
    sha256_before: Option<String>,
    sha256: String,
    parts_changed: Vec<String>,
    /// Problems that the file had before, if it was looked at as a whole; a save that brings new ones is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_problems: Option<usize>,
    /// In the file, by author.
    tracked_changes: BTreeMap<String, usize>,
    /// Such as protection that was set aside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<SaveReport> for Receipt {
    fn from(report: SaveReport) -> Self {
        let receipt = report.receipt;
        Self {
            path: report.path.display().to_string(),
            bytes: report.bytes,
            sha256_before: receipt.before,
            sha256: receipt.after,
            parts_changed: receipt.parts.iter().map(ToString::to_string).collect(),
            known_problems: receipt.findings.and_then(|findings| findings.known),
            tracked_changes: receipt.undecided,
            notes: report.notes.into_iter().map(|note| note.text).collect(),
        }
    }
}

impl Receipt {
    fn text(&self) -> String {
        format!("saved {}, {} bytes, sha256 {}\n", self.path, self.bytes, self.sha256)
    }
}

fn make(desk: &OneFile, edit: Edit, destination: &Destination, json: bool) -> Result<Verdict, Failure> {
    make_all(desk, vec![edit], destination, json)
}

fn make_all(
    desk: &OneFile,
    edits: Vec<Edit>,
    destination: &Destination,
    json: bool,
) -> Result<Verdict, Failure> {
    make_all_noting(desk, edits, destination, Vec::new(), json)
}

fn make_all_noting(
    desk: &OneFile,
    edits: Vec<Edit>,
    destination: &Destination,
    mut notes: Vec<String>,
    json: bool,
) -> Result<Verdict, Failure> {
    let new: Vec<String> = edits.iter().map(text_of).collect();
    let (outcome, saved) = desk.edit::<Engine>(edits, destination)?;
    let mut parts: Vec<String> = outcome.changes.iter().map(|change| change.part.to_string()).collect();
    parts.dedup();
    let edited = Edited {
        summary: outcome.summary(),
        outcomes: outcome.outcomes,
        revision: outcome.revision.to_string(),
        parts,
        saved: saved.as_ref().map(|saved| saved.path.display().to_string()),
        receipt: saved.map(Receipt::from),
        notes: {
            notes.extend(outcome.notes.into_iter().map(|note| note.text));
            notes
        },
    };
    report::answer_lines(json, &edited, |edited| lines(edited, &new))?;
    Ok(Verdict::Done)
}

/// What an edit puts in as paragraphs of its own.
fn text_of(edit: &Edit) -> String {
    match edit {
        Edit::InsertParagraphs(insert) => insert.text.clone(),
        Edit::InsertBesideTable(insert) => insert.text.clone(),
        _ => String::new(),
    }
}

/// What was done, as lines: each change with what was there before.
fn lines(edited: &Edited, new: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    if !edited.summary.is_empty() {
        lines.push(Line::Text(edited.summary.clone()));
    }
    for (outcome, new) in edited.outcomes.iter().zip(new.iter().chain(std::iter::repeat(&String::new()))) {
        lines.extend(lines_of(outcome, new));
    }
    let changed = if edited.parts.is_empty() { "nothing".to_owned() } else { edited.parts.join(", ") };
    lines.push(Line::Text(format!("changed: {changed}")));
    lines.push(Line::Text(report::ending(&edited.notes, edited.saved.as_deref())));
    lines
}

fn lines_of(outcome: &Outcome, new: &str) -> Vec<Line> {
    let come = |text: &str| Line::Change { before: String::new(), after: text.to_owned() };
    let said = |text: String| vec![Line::Text(text)];
    match outcome {
        Outcome::Replaced { before, after, .. } => {
            vec![Line::Change { before: before.clone(), after: after.clone() }]
        }
        Outcome::Inserted { .. } if !new.is_empty() => {
            new.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).map(come).collect()
        }
        Outcome::Inserted { paragraphs } => paragraphs.iter().map(|id| come(&id.to_string())).collect(),
        Outcome::Deleted { text, .. } => {
            vec![Line::Change { before: text.clone(), after: String::new() }]
        }
        Outcome::Resolved { changes, .. } => said(format!("{} changes", changes.len())),
        Outcome::Commented { comment } => said(format!("comment {comment}")),
        Outcome::Noted { before: None, note, .. } => said(format!("note {note}")),
        Outcome::Noted { before: Some(before), after, .. } => {
            let after = after.as_ref().map_or_else(String::new, String::clone);
            vec![Line::Change { before: before.clone(), after }]
        }
        Outcome::Linked { name } => said(name.clone()),
        Outcome::Filled { missing, .. } => {
            missing.iter().map(|name| Line::Text(format!("no value for {{{{{name}}}}}"))).collect()
        }
        Outcome::Compared { differences } => {
            let change = |(before, after): (&String, &String)| Line::Change {
                before: before.clone(),
                after: after.clone(),
            };
            differences.iter().map(|found| change((&found.before, &found.after))).collect()
        }
        Outcome::Op { .. } | Outcome::Ops { .. } => Vec::new(),
    }
}

/// What was named in a document, by the rules of every door.
fn resolved<T>(desk: &OneFile, resolve: impl FnOnce(&View) -> Result<T, Refusal>) -> Result<T, Failure> {
    desk.read::<Engine, _>(resolve)?.map_err(|refusal| {
        let failure = Failure::from(refusal);
        match failure.hint {
            Some(_) => failure,
            None => failure.with_hint("`docwright word read FILE` lists the ids of paragraphs"),
        }
    })
}

fn edit(arguments: &WordEdit, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let desk = arguments.rules.over(desk);
    let paragraph = match &arguments.id {
        Some(name) => resolved(&desk, |view| targets::paragraph(view, Argument { field: "--id", name }))?,
        None => only_paragraph_with(&desk, &arguments.old)?,
    };
    let edit = ReplaceText {
        paragraph,
        old: arguments.old.clone(),
        new: arguments.new.clone(),
        expect: None,
        markup: arguments.rules.markup(),
        clear_highlight: false,
    };
    make(&desk, Edit::ReplaceText(edit), &arguments.into.destination(), json)
}

/// Without an id the text itself must say where: it stands in one paragraph.
fn only_paragraph_with(desk: &OneFile, old: &str) -> Result<ParagraphId, Failure> {
    let found = desk.read::<Engine, _>(|view| engine::locate(view, old))?;
    Ok(found.map_err(|refusal| ToolError::on(Kind::Word, refusal))?)
}

fn insert(arguments: &WordInsert, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let desk = arguments.rules.over(desk);
    let source = arguments.style_source.as_deref();
    let insertion = Insertion {
        beside: Argument { field: "--id", name: &arguments.id },
        position: match arguments.position {
            Where::Before => Position::Before,
            Where::After => Position::After,
        },
        text: arguments.text.clone(),
        style_source: source.map(|name| Argument { field: "--style-source", name }),
        markup: arguments.rules.markup(),
    };
    let edit = resolved(&desk, |view| targets::insertion(view, insertion))?;
    make(&desk, edit, &arguments.into.destination(), json)
}

/// A request in plain English, or one operation as agents send them.
fn operate(arguments: &WordOp, json: bool) -> Result<Verdict, Failure> {
    let WordOp { file, say, meta, rules, net, into } = arguments;
    let desk = super::ask::open(file, net, into)?;
    check_kind(&desk, file)?;
    match (say, meta) {
        (Some(request), None) => super::ask::carry_out(&desk, request, *rules, into, json),
        (None, Some(meta)) => {
            let (mode, markup) = (into.destination().mode(), rules.markup());
            let Operated { done, response } =
                mcp::operate(&desk.workspace, desk.document, meta, mode, markup, rules.standing())?;
            if done {
                desk.save_changes(into)?;
            }
            // What is asked in JSON is answered in JSON, only easier to read for people.
            report::answer(json, &response, |response| format!("{response:#}"))?;
            Ok(if done { Verdict::Done } else { Verdict::Failed })
        }
        _ => Err(Failure::new("USAGE", "give either --say or --meta")),
    }
}

/// What `revised` says as changes of the file.
fn compare(arguments: &WordCompare, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.output.as_deref(), &arguments.signed.author())?;
    let other = open(&arguments.revised, None, "reader")?;
    let revised = other.workspace.snapshot::<Engine>(other.document)?;
    let markup = if arguments.plain { Markup::Plain } else { Markup::Tracked };
    let formatting = if arguments.formatting { Formatting::Compared } else { Formatting::Kept };
    let Comparison { edits, left } = desk.read::<Engine, _>(|view| {
        engine::compare(view, &revised.view, markup, formatting, &Stop::never())
    })??;
    let mut notes = Vec::new();
    match (edits.is_empty(), left.is_empty()) {
        (true, true) => notes.push(match formatting {
            Formatting::Compared => "the two documents say and look the same".to_owned(),
            Formatting::Kept => "the two documents say the same; how they look was not compared".to_owned(),
        }),
        (_, true) => {}
        (_, false) => notes.push(format!("these differ and could not be shown: {}", left.join("; "))),
    }
    // Comparing is reading: unlike an edit it never falls back on writing over the file.
    let destination = match &arguments.output {
        Some(path) => Destination::File(path.clone()),
        None if edits.is_empty() => Destination::Nowhere,
        None => {
            notes.push("-o FILE writes a document with these differences as tracked changes".to_owned());
            Destination::Nowhere
        }
    };
    make_all_noting(&desk, edits, &destination, notes, json)
}

fn changes(arguments: &WordChanges, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, None, "reader")?;
    let changes = desk.read::<Engine, _>(engine::changes)??;
    report::answer(json, &changes, |changes| {
        let mut text = String::new();
        for change in changes {
            let date = change.date.as_deref().unwrap_or("no date");
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{date}\t{}",
                change.id,
                change.kind.name(),
                change.author,
                change.text
            );
        }
        text
    })?;
    Ok(Verdict::Done)
}

fn resolve(arguments: &WordResolve, resolution: Resolution, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let standing = Standing { override_protection: arguments.override_protection, ..desk.standing };
    let desk = OneFile { standing, ..desk };
    let paragraphs = arguments.paragraphs.iter().map(|name| Argument { field: "--id", name });
    let chosen = Chosen {
        ids: arguments.ids.clone(),
        author: arguments.change_author.clone(),
        paragraphs: paragraphs.collect(),
        all: arguments.all,
    };
    let which = resolved(&desk, |view| targets::changes(view, chosen))?.ok_or_else(|| {
        Failure::new("USAGE", "say which changes").with_hint(
            "give one of --change ID (more than once), --id PARAGRAPH (more than once), --by AUTHOR or --all",
        )
    })?;
    make(
        &desk,
        Edit::ResolveChanges(ResolveChanges { resolution, which }),
        &arguments.into.destination(),
        json,
    )
}

#[derive(Debug, Serialize)]
struct FileCheck {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    /// Saving without an edit gives the very same bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    lossless: Option<bool>,
    problems: Vec<Problem>,
}

fn check(arguments: &WordCheck, json: bool) -> Result<Verdict, Failure> {
    let checked: Vec<FileCheck> = arguments
        .files
        .iter()
        .map(|file| {
            let name = file.display().to_string();
            match check_one(file) {
                Ok((lossless, problems)) => {
                    let ok = lossless && problems.is_empty();
                    FileCheck { file: name, ok, error: None, lossless: Some(lossless), problems }
                }
                Err(error) => FileCheck {
                    file: name,
                    ok: false,
                    error: Some(error),
                    lossless: None,
                    problems: Vec::new(),
                },
            }
        })
        .collect();
    report::answer(json, &checked, |checked| {
        let mut text = String::new();
        for file in checked {
            let found = match (&file.error, file.lossless) {
                (Some(error), _) => format!("{}: {}", error.code, error.message),
                (None, Some(true)) => format!("{} problems, saving changes nothing", file.problems.len()),
                (None, _) => format!("{} problems, SAVING CHANGES BYTES", file.problems.len()),
            };
            let _ = writeln!(text, "{}: {found}", file.file);
            for problem in &file.problems {
                let _ = writeln!(text, "  {}: {}", problem.part, problem.what);
            }
        }
        text
    })?;
    Ok(if checked.iter().all(|file| file.ok) { Verdict::Done } else { Verdict::Findings })
}

fn check_one(file: &Path) -> Result<(bool, Vec<Problem>), Failure> {
    let desk = open(file, None, "checker")?;
    let before = std::fs::read(file).map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    let lossless = desk.workspace.packed(desk.document)? == before;
    let content = desk.workspace.content(desk.document)?;
    Ok((lossless, engine::lint(&content)?))
}

fn save(arguments: &WordSave, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, Some(&arguments.output), "copier")?;
    if arguments.clean {
        let path = std::path::absolute(&arguments.output)
            .map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
        let save = || Ok(desk.workspace.save_clean(desk.document, &path, Overwrite::Allow)?);
        let saved = kept(Some(&path), save)?;
        report::answer(json, &Receipt::from(saved), |receipt| receipt.text())?;
        return Ok(Verdict::Done);
    }
    super::save_copy(&desk, &arguments.file, &arguments.output, json)
}

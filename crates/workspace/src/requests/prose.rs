//! Requests about Markdown documents: sections, text, lists, tasks and tables.

use edit::Refusal;
use markdown::{Case, Fixed, Kind, Markdown, Spot, View, find};

use super::{Found, MarkdownStep, Match, Request, Step, Stumble, Work, misplaced};
use crate::desk::workspace::Workspace;
use crate::document::edits::{Change, EditRequest};
use crate::ids::DocId;

mod blocks;
mod ground;
mod lists;
mod places;
mod sections;

/// Matches that one answer shows.
const MOST_SHOWN: usize = 50;

pub(super) fn carry_out(
    workspace: &Workspace,
    document: DocId,
    request: &Request<'_>,
    steps: &[Step],
) -> Result<Work, Stumble> {
    let mut rehearsal = workspace.rehearsal::<Markdown>(document)?;
    let (mut found, mut remarks) = (Vec::with_capacity(steps.len()), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        workspace.still_wanted()?;
        let Step::Markdown(step) = step else { return Err(misplaced(step).into()) };
        let located = Stumble::at(index);
        if step.only_reads() {
            found.push(answer(rehearsal.view(), step).map_err(&located)?);
            continue;
        }
        let edit = match step {
            MarkdownStep::Mark { .. }
            | MarkdownStep::Link { .. }
            | MarkdownStep::Tick { .. }
            | MarkdownStep::AddItem { .. }
            | MarkdownStep::DeleteItem { .. }
            | MarkdownStep::AddRow { .. }
            | MarkdownStep::DeleteRow { .. }
            | MarkdownStep::SortTable { .. }
            | MarkdownStep::ListToTable { .. } => blocks::edit(rehearsal.view(), step),
            MarkdownStep::SwapItems { .. }
            | MarkdownStep::SortList { .. }
            | MarkdownStep::MoveItem { .. }
            | MarkdownStep::ListKind { .. } => lists::edit(rehearsal.view(), step),
            MarkdownStep::AddColumn { .. }
            | MarkdownStep::RenameColumn { .. }
            | MarkdownStep::InsertBeside { .. }
            | MarkdownStep::DeleteColumn { .. }
            | MarkdownStep::SetCell { .. }
            | MarkdownStep::Block { .. }
            | MarkdownStep::Unmark { .. }
            | MarkdownStep::Prepend { .. }
            | MarkdownStep::Field { .. } => places::edit(rehearsal.view(), step),
            _ => sections::edit(rehearsal.view(), step),
        };
        let edit = edit.map_err(&located)?;
        remarks.extend(sections::left_alone(rehearsal.view(), step, &edit));
        let outcome = rehearsal.make(&edit).map_err(&located)?;
        found.push(match step {
            MarkdownStep::Replace { .. } => Found::Replaced(outcome.spots.len()),
            _ => Found::Prose,
        });
    }
    // What the steps came to together is one edit of the document as it is.
    let spots: Vec<Spot> = rehearsal.changes()?.iter().map(spot).collect();
    let asked = |step: &Step| matches!(step, Step::Markdown(step) if step.only_reads());
    if spots.is_empty() && steps.iter().all(asked) {
        return Ok(Work::answered(found));
    }
    if spots.is_empty() {
        return Err(super::unchanged("").into());
    }
    let shown = rehearsal.shown()?;
    let renamed = steps.iter().any(|step| matches!(step, Step::Markdown(MarkdownStep::RenameTitle { .. })));
    let other_title = renamed && places::read_field(rehearsal.view(), "title").is_ok();
    let summary = format!("Carry out \"{}\"", shorten(request.text.trim(), 100));
    let edit = markdown::Edit::Fixed(Fixed { spots, guards: Vec::new(), summary });
    let outcome = workspace
        .edit::<Markdown>(document, EditRequest::new(vec![edit], request.mode).standing(request.standing))?;
    let mut work = Work { shown, ..Work::changed(found, outcome) };
    work.notes.extend(remarks.into_iter().map(super::note));
    if other_title {
        work.notes.push(super::note("the front matter has a title of its own, which was left as it is"));
    }
    Ok(work)
}

/// A section as people name it: by its heading, by the noun behind it, or by the words that only one heading begins with.
pub(super) fn section(view: &View, title: &str) -> Result<markdown::NodeId, Refusal> {
    let refusal = match crate::targets::section(view, title) {
        Err(refusal @ Refusal::NotFound { .. }) => refusal,
        found => return found,
    };
    let lower = title.trim().to_lowercase();
    let bare = [" section", " chapter", " heading"].iter().find_map(|noun| lower.strip_suffix(noun));
    let wanted = bare.unwrap_or(&lower);
    let outline = markdown::outline(view);
    let begins = |own: &str| {
        own.to_lowercase().strip_prefix(wanted).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    // "2. Important Concepts" is found without its number.
    let same = |own: &str| {
        let own = own.trim().to_lowercase();
        own == wanted
            || own.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ')) == wanted
    };
    let exact = outline.iter().filter(|heading| same(&heading.title));
    let found: Vec<_> = exact.map(|heading| heading.id).collect();
    let found = match found.is_empty() {
        false => found,
        true => {
            outline.iter().filter(|heading| begins(heading.title.trim())).map(|heading| heading.id).collect()
        }
    };
    match found.as_slice() {
        [only] => Ok(*only),
        _ => Err(refusal),
    }
}

fn spot(change: &Change) -> Spot {
    let text = |blob: &edit::Blob| String::from_utf8_lossy(&blob.bytes()).into_owned();
    Spot { range: change.range.clone(), original: text(&change.original), with: text(&change.new) }
}

fn answer(view: &View, step: &MarkdownStep) -> Result<Found, Refusal> {
    let body = |name: &Option<String>| -> Result<String, Refusal> {
        Ok(match name {
            Some(name) => view.slice(markdown::section(view, section(view, name)?)?.range).into_owned(),
            None => view.text(),
        })
    };
    let open = || view.nodes().filter(|(_, node)| node.kind() == Kind::Item(Some(false)));
    Ok(match step {
        MarkdownStep::Find { text } => Found::Matches(matches(view, text)),
        MarkdownStep::Block { kind, picked, under, .. } => {
            Found::Told(places::read(view, *kind, picked, under.as_deref())?)
        }
        MarkdownStep::ReadCell { column, row } => Found::Told(places::read_cell(view, column, row)?),
        MarkdownStep::ReadField { name } => Found::Told(vec![places::read_field(view, name)?]),
        MarkdownStep::Title => {
            let outline = markdown::outline(view);
            let title = outline.iter().find(|heading| heading.level == 1).or(outline.first());
            let title = title.ok_or_else(|| Refusal::not_found("heading", "the title"))?;
            Found::Told(vec![title.title.clone()])
        }
        MarkdownStep::Outline => {
            let headings = markdown::outline(view).into_iter();
            let lines = headings.map(|heading| {
                format!("{}{}", "  ".repeat(usize::from(heading.level.saturating_sub(1))), heading.title)
            });
            Found::Told(lines.collect())
        }
        MarkdownStep::Tasks => {
            let mut lines: Vec<String> = open().map(|(_, node)| shorten(node.plain().trim(), 200)).collect();
            if lines.is_empty() {
                lines.push("no task is open".to_owned());
            }
            Found::Told(lines)
        }
        MarkdownStep::Read { section } => {
            Found::Told(body(&Some(section.clone()))?.lines().map(str::to_owned).collect())
        }
        MarkdownStep::Count { what, place } => Found::Told(vec![match what {
            planner::Count::Words => {
                let text: String = match place {
                    Some(planner::Ground::Section(name)) => body(&Some(name.clone()))?,
                    Some(place) => ground::text(view, place)?,
                    None => view.top().map(|node| node.plain()).collect::<Vec<_>>().join("\n"),
                };
                format!("{} words", markdown::words(&text))
            }
            planner::Count::Tasks
            | planner::Count::Items
            | planner::Count::Rows
            | planner::Count::Tables
            | planner::Count::Links
            | planner::Count::OpenTasks
            | planner::Count::DoneTasks
            | planner::Count::Paragraphs => ground::counted(view, *what, place.as_ref())?,
            planner::Count::Sections => format!("{} headings", markdown::outline(view).len()),
        }]),
        _ => return Err(Refusal::internal("no question")),
    })
}

fn matches(view: &View, text: &str) -> Vec<Match> {
    let found = find(view, text, Case::Insensitive);
    let told = found.iter().take(MOST_SHOWN).map(|found| {
        let at = view.line_column(found.range.start);
        let line = view.slice(view.line_start(found.range.start)..view.line_end(found.range.start));
        let mut context = shorten(line.trim(), 200);
        // "Which section mentions it?"
        let under =
            markdown::outline(view).into_iter().rfind(|heading| heading.range.start <= found.range.start);
        if let Some(heading) = under {
            context = format!("{context} (under {})", heading.title);
        }
        Match { line: at.line, column: at.column, context }
    });
    told.collect()
}

/// At most `limit` characters.
fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

//! Requests about Markdown documents: sections come, go, move and get other names, text is added, replaced and found.

use edit::Refusal;
use markdown::{Case, Fixed, Markdown, Spot, View, find};

use super::{Found, MarkdownStep, Match, Request, Step, Stumble, Work, misplaced};
use crate::edits::{Change, EditRequest};
use crate::ids::DocId;
use crate::workspace::Workspace;

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
    let mut found = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        workspace.still_wanted()?;
        let Step::Markdown(step) = step else { return Err(misplaced(step).into()) };
        let located = Stumble::at(index);
        if let MarkdownStep::Find { text } = step {
            found.push(Found::Matches(matches(rehearsal.view(), text)));
            continue;
        }
        let edit = sections::edit(rehearsal.view(), step).map_err(&located)?;
        let outcome = rehearsal.make(&edit).map_err(&located)?;
        found.push(match step {
            MarkdownStep::Replace { text, .. } if outcome.matches.is_empty() => {
                return Err(located(Refusal::not_found("text", text.as_str())));
            }
            MarkdownStep::Replace { .. } => Found::Replaced(outcome.replaced),
            _ => Found::Prose,
        });
    }
    // What the steps came to together is one edit of the document as it is.
    let spots: Vec<Spot> = rehearsal.changes()?.iter().map(spot).collect();
    if spots.is_empty() && found.iter().all(|found| matches!(found, Found::Matches(_))) {
        return Ok(Work::answered(found));
    }
    let summary = format!("Carry out \"{}\"", shorten(request.text.trim(), 100));
    let edit = markdown::Edit::Fixed(Fixed { spots, guards: Vec::new(), summary });
    let outcome = workspace.edit::<Markdown>(document, EditRequest::new(vec![edit], request.mode))?;
    Ok(Work::changed(found, outcome))
}

fn spot(change: &Change) -> Spot {
    let text = |blob: &edit::Blob| String::from_utf8_lossy(&blob.bytes()).into_owned();
    Spot { range: change.range.clone(), original: text(&change.original), with: text(&change.new) }
}

fn matches(view: &View, text: &str) -> Vec<Match> {
    let found = find(view, text, Case::Insensitive);
    let told = found.iter().take(MOST_SHOWN).map(|found| {
        let at = view.line_column(found.range.start);
        let line = view.slice(view.line_start(found.range.start)..view.line_end(found.range.start));
        Match { line: at.line, column: at.column, context: shorten(line.trim(), 200) }
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

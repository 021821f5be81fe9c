//! Requests about Markdown documents: sections come, go, move and get other names, text is added, replaced and found.

use std::ops::Range;

use planner::{MarkdownStep, Place, Plan};
use serde_json::{Value, json};
use workspace::markdown::{
    Case, Edit, Fixed, Markdown, NodeId, Spot, View, Which, find, heading_called, outline, section,
};
use workspace::{Change, DocId, EditRequest, Refusal};

use super::{Asked, Done, answered, done, in_step, prose_step, understood};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::prose::shorten;

/// Matches that one answer shows.
const MOST_SHOWN: usize = 50;

pub(super) fn carry_out(
    cx: &Cx<'_>,
    document: DocId,
    asked: &Asked<'_>,
    plan: Plan,
) -> Result<Done, ToolError> {
    let steps = match understood(plan, prose_step, told) {
        Ok(steps) => steps,
        Err(unclear) => return Ok(*unclear),
    };
    let count = steps.len();
    let mut rehearsal = cx.workspace.rehearsal::<Markdown>(document)?;
    let mut operations = Vec::with_capacity(count);
    for (index, step) in steps.iter().enumerate() {
        cx.cancel.check()?;
        let located = |refusal: Refusal| in_step(index, count, name(step), refusal.into());
        let mut operation = told(step);
        if let MarkdownStep::Find { text } = step {
            operation["matches"] = matches(rehearsal.view(), text).into();
            operations.push(operation);
            continue;
        }
        let edit = edit(rehearsal.view(), step).map_err(located)?;
        let outcome = rehearsal.make(&edit).map_err(located)?;
        if let MarkdownStep::Replace { text, .. } = step {
            if outcome.matches.is_empty() {
                return Err(located(Refusal::not_found("text", text.as_str())));
            }
            operation["replaced"] = outcome.replaced.into();
        }
        operations.push(operation);
    }
    // What the steps came to together is one edit of the document as it is.
    let text = |blob: &workspace::Blob| String::from_utf8_lossy(&blob.bytes()).into_owned();
    let spot = |change: Change| Spot {
        range: change.range.clone(),
        original: text(&change.original),
        with: text(&change.new),
    };
    let spots: Vec<Spot> = rehearsal.changes()?.into_iter().map(spot).collect();
    if spots.is_empty() && steps.iter().all(|step| matches!(step, MarkdownStep::Find { .. })) {
        return answered(cx, document, operations);
    }
    let summary = format!("Carry out \"{}\"", shorten(asked.request.trim(), 100));
    let edit = Edit::Fixed(Fixed { spots, guards: Vec::new(), summary });
    let request = EditRequest::new(vec![edit], asked.track.mode(asked.dry_run));
    let outcome = cx.workspace.edit::<Markdown>(document, request)?;
    Ok(done(&outcome, operations))
}

fn name(step: &MarkdownStep) -> &'static str {
    match step {
        MarkdownStep::AddSection { .. } => "addSection",
        MarkdownStep::DeleteSection { .. } => "deleteSection",
        MarkdownStep::RenameSection { .. } => "renameSection",
        MarkdownStep::MoveSection { .. } => "moveSection",
        MarkdownStep::Replace { .. } => "replace",
        MarkdownStep::Append { .. } => "append",
        MarkdownStep::Find { .. } => "find",
    }
}

/// The step as it was understood.
fn told(step: &MarkdownStep) -> Value {
    let mut told = json!({ "op": name(step) });
    let at = |place: &Place| match place {
        Place::End => json!("end"),
        Place::After(title) => json!({ "after": title }),
        Place::Before(title) => json!({ "before": title }),
    };
    match step {
        MarkdownStep::AddSection { title, level, place, content } => {
            told["title"] = json!(title);
            told["place"] = at(place);
            if let Some(level) = level {
                told["level"] = json!(level);
            }
            if let Some(content) = content {
                told["content"] = json!(content);
            }
        }
        MarkdownStep::DeleteSection { title } => told["title"] = json!(title),
        MarkdownStep::RenameSection { title, to } => {
            told["title"] = json!(title);
            told["to"] = json!(to);
        }
        MarkdownStep::MoveSection { title, place } => {
            told["title"] = json!(title);
            told["place"] = at(place);
        }
        MarkdownStep::Replace { text, with, all } => {
            told["text"] = json!(text);
            told["with"] = json!(with);
            told["all"] = json!(all);
        }
        MarkdownStep::Append { text } | MarkdownStep::Find { text } => told["text"] = json!(text),
    }
    told
}

/// A heading by its title; several sections of one name are not guessed among.
fn called(view: &View, title: &str) -> Result<NodeId, Refusal> {
    let outline = outline(view);
    let wanted = title.trim().to_lowercase();
    let same = outline.iter().filter(|heading| heading.title.trim().to_lowercase() == wanted).count();
    if same > 1 {
        return Err(Refusal::Ambiguous {
            text: title.to_owned(),
            count: same,
            within: "the headings".to_owned(),
            contexts: Vec::new(),
        });
    }
    heading_called(view, title).ok_or_else(|| {
        let nearest = outline.iter().take(10).map(|heading| heading.title.clone()).collect();
        Refusal::NotFound { what: "section", id: title.to_owned(), nearest }
    })
}

fn edit(view: &View, step: &MarkdownStep) -> Result<Edit, Refusal> {
    Ok(match step {
        MarkdownStep::AddSection { title, level, place, content } => {
            let content = content.clone().unwrap_or_default();
            let (level, anchor) = match place {
                Place::After(anchor) | Place::Before(anchor) => {
                    let anchor = called(view, anchor)?;
                    (level.unwrap_or(section(view, anchor)?.level), Some(anchor))
                }
                Place::End => (level.unwrap_or_else(|| usual_level(view)), None),
            };
            match (place, anchor) {
                (Place::After(_), Some(after)) => {
                    Edit::InsertSection { after, level, title: title.clone(), content }
                }
                (_, anchor) => {
                    let mut text = format!("{} {title}", "#".repeat(usize::from(level)));
                    if !content.is_empty() {
                        text.push_str("\n\n");
                        text.push_str(&content);
                    }
                    inserted(view, anchor, &text)?
                }
            }
        }
        MarkdownStep::DeleteSection { title } => {
            let cut = cut(view, called(view, title)?)?;
            spliced(view, vec![cut])
        }
        MarkdownStep::RenameSection { title, to } => {
            Edit::Update { node: called(view, title)?, content: to.clone() }
        }
        MarkdownStep::MoveSection { title, place } => {
            let heading = called(view, title)?;
            match place {
                Place::After(anchor) => Edit::MoveSection { heading, after: called(view, anchor)? },
                Place::Before(anchor) => moved(view, heading, Some(called(view, anchor)?))?,
                Place::End => moved(view, heading, None)?,
            }
        }
        MarkdownStep::Replace { text, with, all } => Edit::Substitute {
            find: text.clone(),
            with: with.clone(),
            which: if *all { Which::All } else { Which::First },
            case: Case::Sensitive,
        },
        MarkdownStep::Append { text } => inserted(view, None, text)?,
        MarkdownStep::Find { .. } => return Err(Refusal::internal("finding changes nothing")),
    })
}

/// The level that sections of this document have, its title aside.
fn usual_level(view: &View) -> u8 {
    let outline = outline(view);
    let levels = outline.iter().map(|heading| heading.level);
    let titles = outline.iter().filter(|heading| heading.level == 1).count();
    levels.filter(|level| *level > 1 || titles > 1).min().unwrap_or(2)
}

/// Bytes that become others, whatever they stand in.
fn spliced(view: &View, mut splices: Vec<(Range<usize>, String)>) -> Edit {
    splices.sort_by_key(|(range, _)| range.start);
    let spot = |(range, with): (Range<usize>, String)| Spot {
        original: view.slice(range.clone()).into_owned(),
        range,
        with,
    };
    let spots = splices.into_iter().map(spot).collect();
    Edit::Fixed(Fixed { spots, guards: Vec::new(), summary: String::new() })
}

/// Blocks before a heading, or at the end of the document and of nothing in it.
fn inserted(view: &View, before: Option<NodeId>, text: &str) -> Result<Edit, Refusal> {
    let at = before.map(|heading| Ok::<_, Refusal>(section(view, heading)?.range.start)).transpose()?;
    Ok(spliced(view, vec![pasted(view, at, text)]))
}

/// The splice that puts blocks before the heading at these bytes, or at the end.
fn pasted(view: &View, before: Option<usize>, text: &str) -> (Range<usize>, String) {
    let eol = view.eol();
    let text = text.trim_end().replace("\r\n", "\n").replace('\n', eol);
    if let Some(at) = before {
        return (at..at, format!("{text}{eol}{eol}"));
    }
    let all = view.text();
    let kept = all.trim_end().len();
    let lead = if kept == 0 { String::new() } else { format!("{eol}{eol}") };
    let tail = if kept == all.len() && kept > 0 { "" } else { eol };
    (kept..all.len(), format!("{lead}{text}{tail}"))
}

/// The bytes of a section with the blank lines behind it, or before it at the end, and what stands there without it.
fn cut(view: &View, heading: NodeId) -> Result<(Range<usize>, String), Refusal> {
    let range = section(view, heading)?.range;
    let all = view.text();
    let behind = all.get(range.end..).unwrap_or_default();
    let next = behind.trim_start_matches(['\n', '\r']);
    if !next.trim().is_empty() {
        return Ok((range.start..all.len() - next.len(), String::new()));
    }
    let kept = all.get(..range.start).unwrap_or_default().trim_end().len();
    let end = if kept > 0 && !behind.is_empty() { view.eol() } else { "" };
    Ok((kept..all.len(), end.to_owned()))
}

/// A section taken to before another, or to the end.
fn moved(view: &View, heading: NodeId, before: Option<NodeId>) -> Result<Edit, Refusal> {
    let own = section(view, heading)?.range;
    let (gone, left) = cut(view, heading)?;
    let all = view.text();
    let text = view.slice(own.clone()).trim_end().to_owned();
    let last = all.get(own.end..).unwrap_or_default().trim().is_empty();
    let at = match before {
        Some(other) => section(view, other)?.range.start,
        None => all.trim_end().len(),
    };
    if own.start <= at && at < own.end {
        return Err(Refusal::Unsafe {
            why: "a section cannot move to a place inside itself".to_owned(),
            instead: Some("name a place outside the section".to_owned()),
        });
    }
    if at == gone.end || before.is_none() && last {
        return Ok(spliced(view, Vec::new()));
    }
    let paste = pasted(view, before.map(|_| at), &text);
    Ok(spliced(view, vec![(gone, left), paste]))
}

fn matches(view: &View, text: &str) -> Vec<Value> {
    let found = find(view, text, Case::Insensitive);
    let told = found.iter().take(MOST_SHOWN).map(|found| {
        let at = view.line_column(found.range.start);
        let line = view.slice(view.line_start(found.range.start)..view.line_end(found.range.start));
        json!({ "line": at.line, "column": at.column, "context": shorten(line.trim(), 200) })
    });
    told.collect()
}

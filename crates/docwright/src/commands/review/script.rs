//! The same for scripts: lists, and decisions by id.

use std::fmt::Write as _;

use serde::Serialize;

use super::client::Client;
use super::decisions::{Decided, Decision, Item, Listed, Page, Reviewed, Standing, documents};
use super::screen::moment;
use crate::cli::review::Review;
use crate::report::{self, Failure, Verdict};
use crate::visible::{in_one_line, width_of};

#[derive(Debug, Serialize)]
struct Documents {
    documents: Vec<Listed>,
}

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    accepted: Vec<String>,
    rejected: Vec<String>,
    refused: Vec<Refused>,
    left: Left,
    unsaved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    /// Why it could not be; what was decided stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_saved: Option<Failure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Refused {
    id: String,
    error: Failure,
}

#[derive(Debug, Serialize)]
struct Left {
    pending: usize,
    stale: usize,
    tracked: usize,
}

/// Where there is something to decide.
pub(super) fn list_documents(mut client: Client, arguments: &Review, json: bool) -> Result<Verdict, Failure> {
    let documents = Documents { documents: documents(&mut client)? };
    report::answer(json, &documents, |Documents { documents }| documents_text(documents))?;
    Ok(if arguments.list && !documents.documents.is_empty() { Verdict::Findings } else { Verdict::Done })
}

fn documents_text(documents: &[Listed]) -> String {
    if documents.is_empty() {
        return "Nothing to decide.\n\n\
            What agents suggest while they work with `docwright mcp` appears here.\n\
            `docwright review FILE` also goes through the tracked changes of a Word document.\n"
            .to_owned();
    }
    let rows: Vec<Vec<String>> = documents.iter().map(document_row).collect();
    format!("{}\n`docwright review FILE` goes through them.\n", table(&rows))
}

fn document_row(listed: &Listed) -> Vec<String> {
    let mut what = Vec::new();
    if listed.pending > 0 {
        what.push(format!("{} pending", listed.pending));
    }
    if listed.stale > 0 {
        what.push(format!("{} stale", listed.stale));
    }
    if !listed.authors.is_empty() {
        what.push(format!("by {}", listed.authors.join(", ")));
    }
    if listed.changes() > 0 {
        let each = listed.tracked.iter().map(|tracked| format!("{} {}", tracked.author, tracked.changes));
        what.push(format!("{} tracked ({})", listed.changes(), each.collect::<Vec<_>>().join(", ")));
    }
    // A document without a file is known by the name that it is asked for with.
    let name = match std::path::Path::new(&listed.file).is_absolute() {
        true => listed.file.clone(),
        false => format!("{} ({})", listed.document, listed.file),
    };
    let unsaved = if listed.unsaved { "unsaved changes" } else { "" };
    vec![name, what.join(", "), unsaved.to_owned()]
}

/// What there is to decide in one document.
pub(super) fn list_items(mut reviewed: Reviewed, json: bool) -> Result<Verdict, Failure> {
    let page = reviewed.all()?;
    report::answer(json, &page, items_text)?;
    Ok(if page.total > 0 { Verdict::Findings } else { Verdict::Done })
}

fn items_text(page: &Page) -> String {
    let unsaved = if page.unsaved { "; it has unsaved changes" } else { "" };
    if page.items.is_empty() {
        return format!("Nothing to decide in {}{unsaved}.\n", page.file);
    }
    let rows: Vec<Vec<String>> = page.items.iter().map(item_row).collect();
    format!("{} to decide in {}{unsaved}\n\n{}", page.total, page.file, table(&rows))
}

fn item_row(item: &Item) -> Vec<String> {
    let kind = match item.status {
        Standing::Stale => format!("{} (stale)", item.kind),
        Standing::Pending => item.kind.clone(),
    };
    let first = item.changes.first();
    let place = first.map(|stretch| stretch.place.clone()).filter(|place| *place != item.summary);
    let what = match (item.tracked, first) {
        (true, Some(stretch)) if stretch.after.is_empty() => stretch.before.clone(),
        (true, Some(stretch)) => stretch.after.clone(),
        _ => item.summary.clone(),
    };
    let when = item.at.as_deref().map(moment);
    vec![
        item.id.clone(),
        kind,
        item.author.clone(),
        when.unwrap_or_default(),
        place.unwrap_or_default(),
        super::screen::cut(&in_one_line(&what), 100),
    ]
}

/// Columns, as wide as what is in them.
fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| in_one_line(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width_of(cell)).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(width_of(cell)) + 2));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Decide as the arguments say: the items that are named first, then all others.
pub(super) fn decide(mut reviewed: Reviewed, arguments: &Review, json: bool) -> Result<Verdict, Failure> {
    let all = reviewed.all()?.items;
    // Nothing is decided if one of the names is wrong.
    let accept = named(&all, &arguments.accept)?;
    let reject = named(&all, &arguments.reject)?;
    if let Some(both) = arguments.accept.iter().find(|id| arguments.reject.contains(id)) {
        return Err(Failure::new("USAGE", format!("`{both}` is to be accepted and rejected"))
            .with_hint("nothing was decided"));
    }
    let mut report = Report {
        file: String::new(),
        accepted: Vec::new(),
        rejected: Vec::new(),
        refused: Vec::new(),
        left: Left { pending: 0, stale: 0, tracked: 0 },
        unsaved: false,
        saved: None,
        not_saved: None,
        notes: Vec::new(),
    };
    report.decide(&mut reviewed, Decision::Accept, |item| accept.contains(&item.key()))?;
    report.decide(&mut reviewed, Decision::Reject, |item| reject.contains(&item.key()))?;
    if arguments.accept_all {
        report.decide(&mut reviewed, Decision::Accept, |item| item.status == Standing::Pending)?;
    }
    if arguments.reject_all {
        report.decide(&mut reviewed, Decision::Reject, |_| true)?;
    }
    if arguments.save {
        match reviewed.save() {
            Ok(saved) => (report.saved, report.notes) = (Some(saved.message), saved.notes),
            Err(failure) => report.not_saved = Some(failure),
        }
    }
    let page = reviewed.page(0)?;
    report.left = Left { pending: page.pending, stale: page.stale, tracked: page.tracked };
    (report.file, report.unsaved) = (page.file, page.unsaved);
    report::answer(json, &report, Report::text)?;
    let done = report.refused.is_empty() && report.not_saved.is_none();
    Ok(if done { Verdict::Done } else { Verdict::Failed })
}

/// The keys of the items with these ids.
fn named(all: &[Item], ids: &[String]) -> Result<Vec<String>, Failure> {
    let find = |id: &String| {
        let found = all.iter().find(|item| item.id == *id).map(Item::key);
        found.ok_or_else(|| {
            Failure::new("NOT_FOUND", format!("there is nothing to decide with the id `{id}`"))
                .with_hint("--list tells the ids; nothing was decided")
        })
    };
    ids.iter().map(find).collect()
}

impl Report {
    /// Decide on what is there now and that `takes` takes. Decisions before may have taken some along.
    fn decide(
        &mut self,
        reviewed: &mut Reviewed,
        decision: Decision,
        takes: impl Fn(&Item) -> bool,
    ) -> Result<(), Failure> {
        let items: Vec<Item> = reviewed.all()?.items.into_iter().filter(takes).collect();
        let outcome = reviewed.decide_all(decision, &items)?;
        for Decided { decision, ids, .. } in outcome.decided {
            match decision {
                Decision::Accept => self.accepted.extend(ids),
                Decision::Reject => self.rejected.extend(ids),
            }
        }
        self.refused.extend(outcome.refused.into_iter().map(|(id, error)| Refused { id, error }));
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut told = |what: &str, ids: &[String]| {
            if !ids.is_empty() {
                let _ = writeln!(text, "{what} {}", ids.join(", "));
            }
        };
        told("accepted", &self.accepted);
        told("rejected", &self.rejected);
        for Refused { id, error } in &self.refused {
            let _ = writeln!(text, "refused {id}: {}", in_one_line(&error.message));
        }
        let Left { pending, stale, tracked } = &self.left;
        let _ = writeln!(text, "{} left to decide in {}", pending + stale + tracked, self.file);
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        match (&self.saved, &self.not_saved) {
            (Some(saved), _) => text.push_str(&format!("{saved}\n")),
            (None, Some(failure)) => {
                let _ = writeln!(text, "not saved: {}", in_one_line(&failure.message));
                if let Some(hint) = &failure.hint {
                    let _ = writeln!(text, "hint: {}", in_one_line(hint));
                }
            }
            (None, None) if self.unsaved => {
                text.push_str("its changes are not in the file yet; --save writes them\n")
            }
            (None, None) => {}
        }
        text
    }
}

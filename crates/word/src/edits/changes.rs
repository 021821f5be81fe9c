//! Tracked changes that are in a document: listing them, and accepting or rejecting some or all.
//!
//! Every story is looked at: body, headers, footers, notes, comments and the text boxes in them. What is not
//! chosen stays byte for byte, whoever it is from.

mod controls;
mod copies;
mod math;
mod moves;
mod resolve;
mod ticks;
mod weave;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Blob, Context, Cut, Level, Note, OrEmpty, Patch, Planned, Refusal, Shared, Step, Undecided};
use ooxml::xml::{Document, Node, NodeId, XmlLimits, ns};
use serde::{Deserialize, Serialize};

use self::controls::Controls;
use crate::document::finders::AUTHOR;
use crate::document::ids::ParagraphId;
use crate::document::layout::Story;
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::{Outcome, take_along};

/// A tracked change as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its `w:id`; with `#2`, `#3` … behind it where several changes of the document share one.
    pub id: String,
    pub kind: ChangeKind,
    pub author: String,
    pub date: Option<String>,
    pub story: String,
    pub paragraph: Option<ParagraphId>,
    /// What was inserted, deleted or formatted.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Insertion,
    Deletion,
    MoveFrom,
    MoveTo,
    /// The end of the paragraph was inserted: a paragraph was divided or added.
    ParagraphInsertion,
    ParagraphDeletion,
    RowInsertion,
    RowDeletion,
    CellInsertion,
    CellDeletion,
    CellMerge,
    /// A content control, or custom XML, was put around what it holds.
    ControlInsertion,
    ControlDeletion,
    /// Formatting of text, paragraph, section or table.
    Formatting,
    Numbering,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Insertion => "insertion",
            Self::Deletion => "deletion",
            Self::MoveFrom => "move_from",
            Self::MoveTo => "move_to",
            Self::ParagraphInsertion => "paragraph_insertion",
            Self::ParagraphDeletion => "paragraph_deletion",
            Self::RowInsertion => "row_insertion",
            Self::RowDeletion => "row_deletion",
            Self::CellInsertion => "cell_insertion",
            Self::CellDeletion => "cell_deletion",
            Self::CellMerge => "cell_merge",
            Self::ControlInsertion => "control_insertion",
            Self::ControlDeletion => "control_deletion",
            Self::Formatting => "formatting",
            Self::Numbering => "numbering",
        }
    }
}

/// What becomes of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resolution {
    Accept,
    Reject,
}

/// Which changes are meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    All,
    Ids(Vec<String>),
    Author(String),
    /// Those in these paragraphs.
    Paragraphs(Vec<ParagraphId>),
}

/// Accept or reject tracked changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolveChanges {
    pub resolution: Resolution,
    pub which: Which,
}

/// A change and the element that says so.
#[derive(Debug, Clone)]
struct ChangeElement {
    node: NodeId,
    change: Change,
}

/// All tracked changes, in reading order.
pub fn changes(view: &View) -> Result<Vec<Change>, Refusal> {
    let mut all = Vec::new();
    for (_, found) in found_by_part(view)? {
        all.extend(found.into_iter().map(|found| found.change));
    }
    Ok(all)
}

/// How many tracked changes each author has. Counted from the bytes, so that a receipt costs no parse; with
/// `known`, only from those that are not the same by descent.
pub fn authors(view: &View, known: Option<&Undecided>) -> Result<BTreeMap<String, usize>, Refusal> {
    let mut authors: BTreeMap<String, isize> = BTreeMap::new();
    let mut count = |blob: &Blob, range: Range<usize>, step: isize| {
        each_author(blob, range, |author| *authors.entry(author).or_default() += step);
    };
    let parts = || view.layout().stories.iter().map(|(_, part)| part);
    // Stories come and go with comments and notes; then all of them are counted.
    let known = known.filter(|known| parts().all(|part| known.content.contains(part)));
    for part in parts() {
        let Some(blob) = view.content().read(part)? else { continue };
        let Some(known) = known else {
            if view.is_signed(part) {
                count(&blob, 0..blob.len(), 1);
            }
            continue;
        };
        if view.content().shares(part, &known.content) {
            continue;
        }
        let Some(old) = known.content.read(part)? else { continue };
        let (mut here, mut there) = (0, 0);
        let end = Shared { here: blob.len()..blob.len(), there: old.len()..old.len() };
        for run in blob.shared_with(&old).into_iter().chain([end]) {
            // A tag that was changed at two places is one tag.
            let text = blob.slice(run.here.start..run.here.end.min(run.here.start + LONGEST));
            if run.here.end < blob.len() && run.here.len() < LONGEST && memchr::memchr(b'<', &text).is_none()
            {
                continue;
            }
            count(&old, there..run.there.start, -1);
            count(&blob, here..run.here.start, 1);
            (here, there) = (run.here.end, run.there.end);
        }
    }
    let known = known.map(|known| known.counts.clone()).unwrap_or_default();
    for (author, count) in known {
        *authors.entry(author).or_default() += count as isize;
    }
    Ok(authors
        .into_iter()
        .filter_map(|(author, count)| Some((author, usize::try_from(count).ok()?)))
        .filter(|(_, count)| *count > 0)
        .collect())
}

/// No tag of a change is longer.
const LONGEST: usize = 4096;

/// The authors of the changes whose tags reach into `range`.
fn each_author(blob: &Blob, range: Range<usize>, mut take: impl FnMut(String)) {
    const STEP: usize = 1 << 20;
    let mut start = range.start;
    // An empty range can still lie in a tag.
    loop {
        let end = range.end.min(start + STEP);
        let from = start.saturating_sub(LONGEST);
        let bytes = blob.slice(from..end + LONGEST);
        for at in AUTHOR.find_all(&bytes) {
            let before = bytes.part(..at);
            let Some(open) = memchr::memrchr(b'<', before) else { continue };
            let head = before.part(open + 1..);
            let rest = bytes.part(at..);
            let close = memchr::memchr(b'>', rest).map_or(bytes.len(), |close| at + close + 1);
            // Once for a tag that lies in two steps; a range that is not all reaches the tags at its edges.
            let first = if start == range.start { from + close > start } else { from + open >= start };
            if !first || from + open >= end {
                continue;
            }
            let name = head.split(u8::is_ascii_whitespace).next().unwrap_or(head);
            let local = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
            // Text that says `author=` is no attribute: a tag has ended before it.
            if memchr::memchr(b'>', head).is_some() || !is_change(local) {
                continue;
            }
            let tag = bytes.part(open..close);
            take(crate::document::names::attribute(tag, "author").or_empty().into_owned());
        }
        if end == range.end {
            return;
        }
        start = end;
    }
}

fn is_change(name: &[u8]) -> bool {
    matches!(name, b"ins" | b"del" | b"moveFrom" | b"moveTo" | b"cellIns" | b"cellDel" | b"cellMerge")
        || name.ends_with(b"Change")
        || name.starts_with(b"customXml") && name.ends_with(b"RangeStart")
}

pub(crate) fn plan(view: &View, edit: &ResolveChanges, _cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    if let Which::Paragraphs(paragraphs) = &edit.which {
        for paragraph in paragraphs {
            view.find(*paragraph)?;
        }
    }
    let mut patch = Patch::new();
    let mut resolved: Vec<String> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut authors: BTreeSet<String> = BTreeSet::new();
    for (document, found) in found_by_part(view)? {
        known.extend(found.iter().map(|found| found.change.id.clone()));
        authors.extend(found.iter().map(|found| found.change.author.clone()));
        let chosen: BTreeMap<NodeId, &ChangeElement> = found
            .iter()
            .filter(|found| is_meant(&found.change, &edit.which))
            .map(|found| (found.node, found))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let kinds = chosen.iter().map(|(node, found)| (*node, found.change.kind)).collect();
        let everything = chosen.len() == found.len();
        let (splices, also) = resolve::resolve(document.root(), &kinds, edit.resolution, everything);
        // The two halves of a move are one decision, whichever was named.
        let decided = found.iter().filter(|found| also.contains(&found.node));
        resolved.extend(decided.map(|found| found.change.id.clone()));
        let part = &document.part;
        for (range, with) in splices {
            patch.splice(part, range, with)?;
        }
    }
    let patch = ticks::settled(view, take_along(view, patch)?)?;
    if let Which::Ids(ids) = &edit.which
        && let Some(missing) = ids.iter().find(|id| !known.contains(*id))
    {
        let nearest = known.into_iter().take(5).collect();
        return Err(Refusal::NotFound { what: "tracked change", id: missing.clone(), nearest });
    }
    let mut notes = Vec::new();
    if let Which::Author(author) = &edit.which
        && resolved.is_empty()
    {
        let others = authors.into_iter().collect::<Vec<_>>().join(", ");
        let others = if others.is_empty() { "nobody".to_owned() } else { others };
        let text = format!("`{author}` has no tracked changes here; there are some of: {others}");
        notes.push(Note { level: Level::Info, text });
    }
    let verb = match edit.resolution {
        Resolution::Accept => "Accept",
        Resolution::Reject => "Reject",
    };
    let summary = match resolved.len() {
        1 => format!("{verb} 1 tracked change"),
        count => format!("{verb} {count} tracked changes"),
    };
    Ok(Planned {
        step: Step { patch, summary, notes },
        outcome: Outcome::Resolved { resolution: edit.resolution, changes: resolved },
    })
}

fn is_meant(change: &Change, which: &Which) -> bool {
    match which {
        Which::All => true,
        Which::Ids(ids) => ids.contains(&change.id),
        Which::Author(author) => change.author == *author,
        Which::Paragraphs(paragraphs) => change.paragraph.is_some_and(|id| paragraphs.contains(&id)),
    }
}

/// A story that was parsed, with its name.
struct Parsed {
    part: edit::PartName,
    document: Document,
}

impl Parsed {
    fn root(&self) -> Node<'_> {
        self.document.root()
    }
}

fn found_by_part(view: &View) -> Result<Vec<(Parsed, Vec<ChangeElement>)>, Refusal> {
    let mut out = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (story, part) in view.layout().stories.iter().filter(|(_, part)| view.is_signed(part)) {
        let Some(blob) = view.content().read(part)? else { continue };
        let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
        let parsed = Parsed { part: part.clone(), document };
        let mut found = collect(view, *story, &parsed);
        for found in &mut found {
            let count = seen.entry(found.change.id.clone()).or_default();
            *count += 1;
            if *count > 1 {
                found.change.id = format!("{}#{count}", found.change.id);
            }
        }
        if !found.is_empty() {
            out.push((parsed, found));
        }
    }
    Ok(out)
}

fn collect(view: &View, story: Story, parsed: &Parsed) -> Vec<ChangeElement> {
    let mut found = Vec::new();
    let (controls, copies) = (Controls::of(parsed.root()), copies::copies(parsed.root()));
    let mut nodes = parsed.root().descendants();
    while let Some(node) = nodes.next() {
        let Some(kind) = kind_of(node) else { continue };
        if word_name(&node).ends_with("Change") {
            // What a record says was so once; nothing in it is a change of its own.
            nodes.skip_below();
        }
        let value = |name: &str| node.value(ns::W, name).map(|value| value.into_owned());
        let control = controls.opened(node.id()).and_then(|control| parsed.document.node(control));
        // A copy is where the change itself is.
        let itself = copies.get(&node.id()).and_then(|itself| parsed.document.node(*itself)).unwrap_or(node);
        let first = row_or_cell(itself, kind)
            .or(control)
            .and_then(|whole| whole.descendants().find(|inner| word_name(inner) == "p"));
        let at = first.map_or(itself.span().start, |first| first.tag_span().end - 1);
        let paragraph = view.place_at(&parsed.part, at).map(|place| view.id(place));
        let change = Change {
            id: value("id").or_empty(),
            kind,
            author: value("author").or_empty(),
            date: value("date"),
            story: story.to_string(),
            paragraph,
            text: control.map_or_else(|| text_of(node, kind), shown_in),
        };
        found.push(ChangeElement { node: node.id(), change });
    }
    found
}

fn kind_of(node: Node<'_>) -> Option<ChangeKind> {
    let name = word_name(&node);
    let kind = match name {
        "ins" | "del" | "moveFrom" | "moveTo" => {
            let parent = node.parent()?;
            match word_name(&parent) {
                "rPr" if parent.parent().is_some_and(|up| word_name(&up) == "pPr") => match name {
                    "ins" | "moveTo" => ChangeKind::ParagraphInsertion,
                    _ => ChangeKind::ParagraphDeletion,
                },
                "trPr" => match name {
                    "ins" | "moveTo" => ChangeKind::RowInsertion,
                    _ => ChangeKind::RowDeletion,
                },
                "numPr" => ChangeKind::Numbering,
                // A mark without content of its own, where nothing is marked so.
                "rPr" | "" if node.elements().next().is_none() && !math::is_marked(parent) => {
                    ChangeKind::Formatting
                }
                _ => match name {
                    "ins" => ChangeKind::Insertion,
                    "del" => ChangeKind::Deletion,
                    "moveFrom" => ChangeKind::MoveFrom,
                    _ => ChangeKind::MoveTo,
                },
            }
        }
        "cellIns" => ChangeKind::CellInsertion,
        "cellDel" => ChangeKind::CellDeletion,
        "cellMerge" => ChangeKind::CellMerge,
        "rPrChange" | "pPrChange" | "sectPrChange" | "tblPrChange" | "tblPrExChange" | "trPrChange"
        | "tcPrChange" | "tblGridChange" => ChangeKind::Formatting,
        "numberingChange" => ChangeKind::Numbering,
        _ => return controls::kind(name),
    };
    Some(kind)
}

/// The row or cell that a change is about.
fn row_or_cell(node: Node<'_>, kind: ChangeKind) -> Option<Node<'_>> {
    let name = match kind {
        ChangeKind::RowInsertion | ChangeKind::RowDeletion => "tr",
        ChangeKind::CellInsertion | ChangeKind::CellDeletion | ChangeKind::CellMerge => "tc",
        _ => return None,
    };
    node.ancestors().find(|up| word_name(up) == name)
}

fn text_of(node: Node<'_>, kind: ChangeKind) -> String {
    if let Some(whole) = row_or_cell(node, kind) {
        return shown_in(whole);
    }
    let around = match kind {
        ChangeKind::Formatting => {
            // The run or paragraph whose properties changed.
            let mut up = node.ancestors().filter(|up| matches!(word_name(up), "r" | "p"));
            up.next().unwrap_or(node)
        }
        _ => node,
    };
    shown_in(around)
}

/// What stands in an element, its paragraphs apart.
fn shown_in(around: Node<'_>) -> String {
    let mut text = String::new();
    for inner in around.descendants() {
        match word_name(&inner) {
            "t" | "delText" => text.push_str(&inner.text()),
            "p" if !text.is_empty() => text.push(' '),
            _ => {}
        }
    }
    crate::edits::excerpt(&text)
}

#[cfg(test)]
mod tests;

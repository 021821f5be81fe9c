//! From what happens to runs to the bytes that change.

use edit::Cut;
use std::collections::BTreeSet;
use std::ops::Range;

use ooxml::xml::{Node, NodeId, escape_text, ns};

use super::{Fate, OnUnit, Work};
use crate::document::stamp::Stamp;
use crate::edits::anatomy::{Anatomy, Shape, Unit, word_name};
use crate::edits::run_properties::RunProperties;
use crate::text::tags::Marks;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Keep,
    Restyle(Marks),
    Cut,
    New(Marks),
}

#[derive(Debug, Clone)]
struct WrittenRun {
    form: Form,
    bit: Bit,
}

#[derive(Debug, Clone)]
enum Bit {
    /// Characters as XML spells them.
    Characters { spelled: String, preserve: bool },
    /// An element as written.
    Verbatim(String),
}

/// A stretch of pieces with one look and one lot.
struct Group {
    lot: Lot,
    properties: RunProperties,
    /// The address it is to link to.
    link: Option<String>,
    bits: Vec<Bit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lot {
    Stays,
    Goes,
    Comes,
}

pub(super) fn write(work: &Work<'_>) -> Vec<(Range<usize>, String)> {
    let mut splices = Vec::new();
    let mut gone = BTreeSet::new();
    for (index, units) in &work.runs {
        let Some(run) = work.anatomy.runs.get(*index) else { continue };
        let pieces = pieces(work, run.node, units);
        let groups = group(work, run.node, pieces, run.inserted);
        let (before, new, after) = spell(work, run.node, &groups, run.inserted);
        if let Some((at, bytes)) = before {
            splices.push((at..at, bytes));
        }
        if new.is_empty() {
            gone.insert(run.node.id());
        } else {
            splices.extend(trimmed(run.node, new));
        }
        if let Some((at, bytes)) = after {
            splices.push((at..at, bytes));
        }
    }
    splices.extend(removals(work.anatomy, &gone));
    for loose in &work.loose {
        let run = work.tools.dialect.wrap(
            "r",
            "",
            &format!(
                "{}{}",
                loose.properties.write(work.tools.dialect),
                work.tools.dialect.content(&loose.text)
            ),
        );
        let run = work.tools.dialect.linked(&run, loose.link.as_deref());
        let run = match work.tools.stamp {
            Some(stamp) => revision(work, "ins", stamp, &run),
            None => run,
        };
        let joined = splices
            .iter_mut()
            .find(|(range, _): &&mut (Range<usize>, String)| *range == (loose.at..loose.at));
        match joined {
            Some((_, bytes)) => bytes.push_str(&run),
            None => splices.push((loose.at..loose.at, run)),
        }
    }
    splices
}

fn pieces(
    work: &Work<'_>,
    run: Node<'_>,
    units: &std::collections::BTreeMap<usize, OnUnit>,
) -> Vec<WrittenRun> {
    let mut pieces = Vec::new();
    for child in run.children() {
        if word_name(&child) == "rPr" {
            continue;
        }
        let unit = work.anatomy.unit_of(child).and_then(|(number, unit)| Some((unit, units.get(&number)?)));
        match unit {
            Some((unit, changes)) => cut_up(work, child, unit, changes, &mut pieces),
            None => {
                let bit = Bit::Verbatim(String::from_utf8_lossy(child.source()).into_owned());
                pieces.push(WrittenRun { form: Form::Keep, bit });
            }
        }
    }
    pieces
}

fn cut_up(work: &Work<'_>, node: Node<'_>, unit: &Unit, on: &OnUnit, pieces: &mut Vec<WrittenRun>) {
    let mut bounds: BTreeSet<usize> = [0, unit.text.len()].into();
    for (range, _) in &on.changes {
        bounds.extend([range.start, range.end]);
    }
    bounds.extend(on.puts.iter().map(|(at, _, _)| *at));
    let bounds: Vec<usize> = bounds.into_iter().collect();
    let preserve = node.value(ns::XML, "space").as_deref() == Some("preserve");
    for (index, at) in bounds.iter().enumerate() {
        for (_, text, marks) in on.puts.iter().filter(|(put, _, _)| put == at) {
            new_pieces(work, text, marks, preserve, pieces);
        }
        let Some(end) = bounds.get(index + 1) else { break };
        let fate = on.changes.iter().find(|(range, _)| range.start <= *at && *end <= range.end);
        let form = match fate {
            None => Form::Keep,
            Some((_, Fate::Cut)) => Form::Cut,
            Some((_, Fate::Restyle(marks))) => Form::Restyle(marks.clone()),
        };
        let bit = match unit.shape {
            Shape::Characters => Bit::Characters { spelled: work.anatomy.spelled(unit, *at..*end), preserve },
            Shape::Single | Shape::Opaque => {
                Bit::Verbatim(String::from_utf8_lossy(node.source()).into_owned())
            }
        };
        pieces.push(WrittenRun { form, bit });
    }
}

fn new_pieces(work: &Work<'_>, text: &str, marks: &Marks, preserve: bool, pieces: &mut Vec<WrittenRun>) {
    let mut rest = text;
    while !rest.is_empty() {
        let cut = rest.find(['\t', '\n', '\u{c}']);
        let (plain, special) = rest.split_at(cut.unwrap_or(rest.len()));
        if !plain.is_empty() {
            let bit = Bit::Characters { spelled: escape_text(plain).into_owned(), preserve };
            pieces.push(WrittenRun { form: Form::New(marks.clone()), bit });
        }
        let length = special.chars().next().map_or(0, char::len_utf8);
        let (one, more) = special.split_at(length);
        if !one.is_empty() {
            let bit = Bit::Verbatim(work.tools.dialect.content(one));
            pieces.push(WrittenRun { form: Form::New(marks.clone()), bit });
        }
        rest = more;
    }
}

fn group(work: &Work<'_>, run: Node<'_>, pieces: Vec<WrittenRun>, inserted: Option<Node<'_>>) -> Vec<Group> {
    let base = RunProperties::of_run(run);
    let dialect = work.tools.dialect;
    let own = is_own(inserted, work.tools.stamp);
    let tracked = work.tools.stamp.filter(|_| !own);
    let mut groups: Vec<Group> = Vec::new();
    for piece in deletions_first(pieces) {
        let link = match &piece.form {
            Form::Restyle(marks) | Form::New(marks) => marks.link.clone(),
            Form::Keep | Form::Cut => None,
        };
        let (lot, properties) = match (&piece.form, tracked) {
            (Form::Keep, _) => (Lot::Stays, base.clone()),
            (Form::Restyle(marks), None) => (Lot::Stays, base.with_marks(marks, dialect)),
            (Form::Restyle(marks), Some(stamp)) => {
                (Lot::Stays, base.with_marks(marks, dialect).recorded(&base, stamp, dialect))
            }
            // Deleting what one has inserted oneself leaves no trace.
            (Form::Cut, None) => continue,
            (Form::Cut, Some(_)) => (Lot::Goes, base.clone()),
            (Form::New(marks), None) => (Lot::Stays, base.with_marks(marks, dialect)),
            (Form::New(marks), Some(_)) => {
                (Lot::Comes, base.clone().without_change().with_marks(marks, dialect))
            }
        };
        match groups.last_mut() {
            Some(last) if (last.lot, &last.properties, &last.link) == (lot, &properties, &link) => {
                last.bits.push(piece.bit)
            }
            _ => groups.push(Group { lot, properties, link, bits: vec![piece.bit] }),
        }
    }
    groups
}

/// Within one change, what goes stands before what comes, as people expect it.
fn deletions_first(pieces: Vec<WrittenRun>) -> Vec<WrittenRun> {
    let mut out: Vec<WrittenRun> = Vec::with_capacity(pieces.len());
    let mut coming: Vec<WrittenRun> = Vec::new();
    for piece in pieces {
        match piece.form {
            Form::New(_) => coming.push(piece),
            Form::Cut => out.push(piece),
            Form::Keep | Form::Restyle(_) => {
                out.append(&mut coming);
                out.push(piece);
            }
        }
    }
    out.append(&mut coming);
    out
}

pub(crate) fn is_own(inserted: Option<Node<'_>>, stamp: Option<&Stamp>) -> bool {
    let author = inserted.and_then(|node| node.value(ns::W, "author"));
    match (author, stamp) {
        (Some(author), Some(stamp)) => author == stamp.author.as_str(),
        _ => false,
    }
}

type SpliceAt = Option<(usize, String)>;

/// The bytes for the run, and what goes before or behind the insertion around it.
fn spell(
    work: &Work<'_>,
    run: Node<'_>,
    groups: &[Group],
    inserted: Option<Node<'_>>,
) -> (SpliceAt, String, SpliceAt) {
    let stamp = work.tools.stamp;
    // Another author's insertion directly around the run: ours cannot be inside it.
    let foreign = inserted.filter(|around| {
        stamp.is_some()
            && !is_own(Some(*around), stamp)
            && run.parent().is_some_and(|p| p.id() == around.id())
    });
    let mut out = String::new();
    let (mut before, mut after) = (None, None);
    let mut index = 0;
    while let Some(group) = groups.get(index) {
        let together =
            groups.iter().skip(index).take_while(|next| next.lot == group.lot && group.lot != Lot::Stays);
        let count = together.count().max(1);
        let runs: String = groups
            .iter()
            .enumerate()
            .skip(index)
            .take(count)
            .map(|(number, group)| linked(work, group, &write_run(work, run, group, number == 0)))
            .collect();
        match (group.lot, stamp) {
            (Lot::Stays, _) | (_, None) => out.push_str(&runs),
            (Lot::Goes, Some(stamp)) => out.push_str(&revision(work, "del", stamp, &runs)),
            (Lot::Comes, Some(stamp)) => {
                let ours = revision(work, "ins", stamp, &runs);
                match foreign {
                    Some(around) if index == 0 && is_edge(around, run, Edge::First) => {
                        before = Some((around.span().start, ours));
                    }
                    Some(around) if index + count == groups.len() && is_edge(around, run, Edge::Last) => {
                        after = Some((around.span().end, ours));
                    }
                    Some(around) => {
                        let end_tag = format!("</{}>", around.qualified());
                        out.push_str(&end_tag);
                        out.push_str(&ours);
                        out.push_str(&reopened(around, stamp));
                    }
                    None => out.push_str(&ours),
                }
            }
        }
        index += count;
    }
    (before, out, after)
}

/// A run as a link, if it is to be one. Text that stays is no change; what makes a link of it is.
fn linked(work: &Work<'_>, group: &Group, run: &str) -> String {
    let dialect = work.tools.dialect;
    match (&group.link, work.tools.stamp.filter(|_| group.lot == Lot::Stays)) {
        (Some(address), Some(stamp)) => {
            let (before, behind) = dialect.link(address);
            let mark = |runs: &str| revision(work, "ins", stamp, runs);
            format!("{}{run}{}", mark(&before), mark(&behind))
        }
        (address, _) => dialect.linked(run, address.as_deref()),
    }
}

enum Edge {
    First,
    Last,
}

fn is_edge(around: Node<'_>, run: Node<'_>, edge: Edge) -> bool {
    let mut children = around.elements();
    let found = match edge {
        Edge::First => children.next(),
        Edge::Last => children.last(),
    };
    found.is_some_and(|child| child.id() == run.id())
}

/// Whether a run is the last of an insertion.
pub(crate) fn is_last_in(around: Node<'_>, run: Node<'_>) -> bool {
    is_edge(around, run, Edge::Last)
}

/// The start tag of another author's insertion again, for its second half.
pub(crate) fn reopened(around: Node<'_>, stamp: &Stamp) -> String {
    let mut tag = format!("<{}", around.qualified());
    for attribute in around.attributes() {
        let is_id = attribute.local() == "id" && attribute.namespace() == ns::W;
        let value = if is_id { stamp.fresh_id().to_string() } else { attribute.raw().to_owned() };
        let quote = if value.contains('"') { '\'' } else { '"' };
        tag.push_str(&format!(" {}={quote}{value}{quote}", attribute.qualified()));
    }
    tag.push('>');
    tag
}

fn revision(work: &Work<'_>, name: &str, stamp: &Stamp, runs: &str) -> String {
    work.tools.dialect.wrap(name, &stamp.attributes(&work.tools.dialect.attribute), runs)
}

/// `first`: the run that takes the place of the old one, and has its properties as they are written.
fn write_run(work: &Work<'_>, run: Node<'_>, group: &Group, first: bool) -> String {
    let name = run.qualified();
    let source = String::from_utf8_lossy(run.source());
    let tag = source.part(..run.tag_span().len());
    let mut out = tag.strip_suffix("/>").map_or_else(|| tag.to_owned(), |tag| format!("{tag}>"));
    match run.child(ns::W, "rPr").filter(|_| first && group.properties == RunProperties::of_run(run)) {
        Some(properties) => out.push_str(&String::from_utf8_lossy(properties.source())),
        None => out.push_str(&group.properties.write(work.tools.dialect)),
    }
    let text = if group.lot == Lot::Goes { "delText" } else { "t" };
    let mut bits = group.bits.iter().peekable();
    while let Some(bit) = bits.next() {
        match bit {
            Bit::Verbatim(source) => out.push_str(source),
            Bit::Characters { spelled, preserve } => {
                let (mut all, mut keep) = (spelled.clone(), *preserve);
                while let Some(Bit::Characters { spelled, preserve }) =
                    bits.next_if(|bit| matches!(bit, Bit::Characters { .. }))
                {
                    all.push_str(spelled);
                    keep |= *preserve;
                }
                match keep {
                    true => out.push_str(&work.tools.dialect.wrap(text, " xml:space=\"preserve\"", &all)),
                    false => out.push_str(&work.tools.dialect.text(text, &all)),
                }
            }
        }
    }
    out.push_str(&format!("</{name}>"));
    out
}

/// The one splice that makes `new` of the node, without the bytes that both share at their ends.
fn trimmed(node: Node<'_>, new: String) -> Option<(Range<usize>, String)> {
    let old = node.source();
    let bytes = new.as_bytes();
    let boundary = |text: &[u8], at: usize| text.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let mut head = old.iter().zip(bytes).take_while(|(a, b)| a == b).count();
    while !boundary(old, head) || !boundary(bytes, head) {
        head -= 1;
    }
    let most = old.len().min(bytes.len()) - head;
    let mut tail = old.iter().rev().zip(bytes.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    while !boundary(old, old.len() - tail) || !boundary(bytes, bytes.len() - tail) {
        tail -= 1;
    }
    let start = node.span().start;
    let with = new.get(head..new.len() - tail)?.to_owned();
    let range = start + head..start + old.len() - tail;
    (!range.is_empty() || !with.is_empty()).then_some((range, with))
}

/// Runs that have nothing left, with the hyperlinks and revisions that would stay behind empty.
pub(crate) fn removals(anatomy: &Anatomy<'_>, gone: &BTreeSet<NodeId>) -> Vec<(Range<usize>, String)> {
    let mut removed: Vec<Node<'_>> = Vec::new();
    for run in anatomy.runs.iter().filter(|run| gone.contains(&run.node.id())) {
        let mut top = run.node;
        while let Some(parent) = top.parent()
            && matches!(word_name(&parent), "hyperlink" | "ins" | "moveTo" | "smartTag")
            && parent.elements().all(|child| {
                gone.contains(&child.id()) || child.id() == top.id() || word_name(&child) == "smartTagPr"
            })
        {
            top = parent;
        }
        if !removed.iter().any(|node| node.contains(top.id())) {
            removed.retain(|node| !top.contains(node.id()));
            removed.push(top);
        }
    }
    removed.into_iter().map(|node| (node.span(), String::new())).collect()
}

//! Inserting paragraphs that look as if they had always been there.

use std::collections::BTreeMap;

use edit::{Context, Cut, Level, Note, OrEmpty, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, ns};

use super::{InsertBesideTable, InsertParagraphs, Markup, Outcome, Position, clean, excerpt, told_of_marks};
use crate::document::index::digest;
use crate::document::paragraph::Side;
use crate::document::stamp::Stamp;
use crate::document::tables::{Neighbour, TableId};
use crate::document::view::{Place, View};
use crate::edits::anatomy::{Anatomy, Shape};
use crate::edits::marks::{cloned_properties, formatting, inside_end, put_in_mark, record};
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::roles;
use crate::edits::run_properties::RunProperties;
use crate::edits::run_siblings::{Sibling, siblings};
use crate::edits::surgeon::mark_properties;
use crate::text::definitions;
use crate::text::tags::{self, Tagged};

pub(crate) fn plan(view: &View, edit: &InsertParagraphs, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    plan_at(view, edit, None, cx)
}

/// Text beside a table is text beside the paragraph next to it, if there is one.
pub(crate) fn beside_table(
    view: &View,
    edit: &InsertBesideTable,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let InsertBesideTable { table, position, text, style_source, markup } = edit.clone();
    let insert = |anchor, position| InsertParagraphs { anchor, position, text, style_source, markup };
    match view.beside_table(table, position)? {
        Neighbour::Paragraph(anchor, position) => {
            let mut insert = insert(anchor, position);
            // Text beside a table is no heading, and no clause of the list around it.
            let near = view.find(anchor)?;
            let model = plain_near(view, near);
            if insert.style_source.is_none() && model != near {
                insert.style_source = Some(view.id(model));
            }
            plan_at(view, &insert, None, cx)
        }
        Neighbour::None { inside, at, like } => {
            plan_at(view, &insert(view.id(inside), position), Some(Beside { table, at, like }), cx)
        }
    }
}

/// Whether a paragraph is text: no heading, no title, and in no list.
pub(crate) fn is_plain(view: &View, place: Place) -> bool {
    let role = view.style_name(place);
    let is_title =
        ["title", "subtitle"].iter().any(|title| role == *title || role.starts_with(&format!("{title}_")));
    !is_title && view.heading_level(place).is_none() && view.numbered(place).is_none()
}

/// The paragraph itself, unless it is a heading or in a list and plain text follows in the same box.
pub(crate) fn plain_near(view: &View, place: Place) -> Place {
    if is_plain(view, place) {
        return place;
    }
    let boxed =
        |place: Place| view.part(place).and_then(|part| part.paragraphs.boxed.get(place.index as usize));
    let mut later = view.story(view.story_of(place)).filter(|other| other.index > place.index);
    later.find(|other| boxed(*other) == boxed(place) && is_plain(view, *other)).unwrap_or(place)
}

/// A place beside a table where no paragraph stands: the anchor is a paragraph inside the table then.
#[derive(Debug, Clone, Copy)]
struct Beside {
    table: TableId,
    at: usize,
    /// A paragraph for new ones to look like.
    like: Option<Place>,
}

fn plan_at(
    view: &View,
    edit: &InsertParagraphs,
    beside: Option<Beside>,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let texts = split(&clean("text", &edit.text)?)?;
    let (planned, labels) = build(view, edit, beside, cx, &texts)?;
    if labels.iter().all(String::is_empty) {
        return Ok(planned);
    }
    let texts: Vec<Vec<Tagged>> =
        texts.into_iter().zip(&labels).map(|(text, label)| without_label(text, label)).collect();
    let (mut planned, _) = build(view, edit, beside, cx, &texts)?;
    let typed: Vec<&str> = labels.iter().map(String::as_str).filter(|label| !label.is_empty()).collect();
    let text = format!("the list numbers the new paragraphs, so `{}` was not written", typed.join("`, `"));
    planned.step.notes.push(Note { level: Level::Info, text });
    Ok(planned)
}

/// The label that a list will print in front of a paragraph, if it was typed there too: who reads `3.` and the text
/// of a clause writes both again.
fn typed_label(view: &View, place: Place, text: &[Tagged]) -> String {
    let first = text.first().map_or("", |tagged| tagged.text.as_str());
    let word = first.split(char::is_whitespace).next().unwrap_or(first);
    let like_a_label =
        word.len() <= 16 && word.ends_with(['.', ')', ':']) && word.len() < first.trim_end().len();
    if !like_a_label || view.numbered(place).is_none() {
        return String::new();
    }
    let label = view.label(place, Side::Final).or_empty();
    if label == word { word.to_owned() } else { String::new() }
}

fn without_label(mut text: Vec<Tagged>, label: &str) -> Vec<Tagged> {
    if let Some(first) = text.first_mut().filter(|_| !label.is_empty()) {
        first.text = first.text.part(label.len()..).trim_start().to_owned();
    }
    text
}

/// The edit, and for each new paragraph the label that was typed and will be printed.
fn build(
    view: &View,
    edit: &InsertParagraphs,
    beside: Option<Beside>,
    cx: &Context,
    texts: &[Vec<Tagged>],
) -> Result<(Planned<Outcome>, Vec<String>), Refusal> {
    let place = view.find(edit.anchor)?;
    let opened = OpenParagraph::open(view, place)?;
    check_controls(view, place)?;
    texts.iter().try_for_each(|text| roles::check_headers(text, ""))?;
    let model_place = match edit.style_source {
        Some(id) => Some(view.find(id)?),
        None => beside.map_or(Some(place), |beside| beside.like),
    };
    let model = model_place.map(|place| OpenParagraph::open(view, place)).transpose()?;
    if model.as_ref().is_some_and(|model| model.dialect != opened.dialect) {
        return Err(Refusal::unsupported("a style source whose part spells its namespaces differently"));
    }
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let ids = new_paragraph_ids(view, place, &opened, cx, texts.len())?;
    let base = match (model_place, &model) {
        (Some(place), Some(model)) => body_look(view, place, &model.anatomy()?),
        _ => RunProperties::default(),
    };
    // When nothing follows that a rejected paragraph could be joined with, the anchor's mark is the new one,
    // and the last new paragraph takes over the old mark.
    let at_end = stamp.is_some()
        && beside.is_none()
        && edit.position == Position::After
        && takes_over_mark(view, place, &opened)?;
    let handing = match at_end {
        true => Handing::of(&opened, edit.style_source.is_none_or(|source| source == edit.anchor))?,
        false => Handing::None,
    };
    let mut bytes = String::new();
    let mut lengths = Vec::new();
    for (text, id) in texts.iter().zip(ids) {
        let tagged = roles::dress(view, place, text.clone(), "", None);
        lengths.push(bytes.len());
        bytes.push_str(&paragraph(&opened, model.as_ref(), &base, &tagged, id.as_deref(), stamp.as_ref())?);
    }
    let at = match (beside, edit.position) {
        (Some(beside), _) => beside.at,
        (None, Position::Before) => opened.paragraph.span.start,
        (None, Position::After) => opened.paragraph.span.end,
    };
    let mut patch = Patch::new();
    let mut shift = 0isize;
    if let (false, Some(stamp)) = (handing == Handing::None, stamp.as_ref()) {
        let last = lengths.last().copied().unwrap_or(0);
        let (handed, mut splices) = handed_over(handing, &bytes, last, &opened, stamp)?;
        bytes = handed;
        shift = splices.iter().map(|(range, with)| with.len() as isize - range.len() as isize).sum();
        splices.sort_by_key(|(range, _)| range.start);
        opened.add_to(&mut patch, splices)?;
    }
    patch.splice(&opened.part, at..at, bytes)?;
    let after = patch.apply(view.content())?;
    let next = view.clone().after(&patch, &after)?;
    let mut paragraphs = Vec::new();
    let mut labels = Vec::new();
    for (start, text) in lengths.into_iter().zip(texts) {
        let new = next
            .place_at(&opened.part, at.saturating_add_signed(shift) + start + 1)
            .ok_or_else(|| Refusal::internal("an inserted paragraph cannot be found again"))?;
        paragraphs.push(next.id(new));
        labels.push(typed_label(&next, new, text));
    }
    let side = match edit.position {
        Position::Before => "before",
        Position::After => "after",
    };
    let anchor = match beside {
        Some(beside) => format!("table {}", beside.table),
        None => format!("\"{}\"", excerpt(opened.text())),
    };
    let summary = match paragraphs.len() {
        1 => format!("Insert a paragraph {side} {anchor}"),
        count => format!("Insert {count} paragraphs {side} {anchor}"),
    };
    let mut notes: Vec<Note> = told_of_marks(&edit.text).into_iter().collect();
    let properties = opened.node()?.child(ns::W, "pPr");
    if edit.position == Position::After
        && beside.is_none()
        && properties.is_some_and(|properties| properties.child(ns::W, "sectPr").is_some())
    {
        let text =
            "the anchor ends its section, so the new text begins the next one, with its pages and headers";
        notes.push(Note { level: Level::Info, text: text.to_owned() });
    }
    let step = Step { patch, summary, notes };
    Ok((Planned { step, outcome: Outcome::Inserted { paragraphs } }, labels))
}

/// Paragraphs of the text: a blank line starts a new one.
fn split(text: &str) -> Result<Vec<Vec<Tagged>>, Refusal> {
    let mut paragraphs: Vec<Vec<Tagged>> = vec![Vec::new()];
    for tagged in tags::parse(text)? {
        let mut rest = tagged.text.as_str();
        while let Some((before, after)) = blank_line(rest) {
            push(&mut paragraphs, before, &tagged);
            paragraphs.push(Vec::new());
            rest = after;
        }
        push(&mut paragraphs, rest, &tagged);
    }
    for paragraph in &mut paragraphs {
        if let Some(first) = paragraph.first_mut() {
            first.text = first.text.trim_start_matches('\n').to_owned();
        }
        if let Some(last) = paragraph.last_mut() {
            last.text = last.text.trim_end_matches('\n').to_owned();
        }
        paragraph.retain(|tagged| !tagged.text.is_empty());
    }
    paragraphs.retain(|paragraph| paragraph.iter().any(|tagged| !tagged.text.trim().is_empty()));
    match paragraphs.is_empty() {
        true => Err(Refusal::invalid("text", "nothing but blanks", "the text of a paragraph")),
        false => Ok(paragraphs),
    }
}

fn blank_line(text: &str) -> Option<(&str, &str)> {
    for (at, _) in text.match_indices('\n') {
        let rest = text.get(at + 1..)?;
        let line = rest.find('\n').map(|end| (end, rest.part(..end)));
        if let Some((end, line)) = line
            && line.trim().is_empty()
        {
            return Some((text.get(..at)?, rest.get(end + 1..)?));
        }
    }
    None
}

fn push(paragraphs: &mut [Vec<Tagged>], text: &str, like: &Tagged) {
    if let Some(paragraph) = paragraphs.last_mut().filter(|_| !text.is_empty()) {
        paragraph.push(Tagged { text: text.to_owned(), marks: like.marks.clone() });
    }
}

fn paragraph(
    opened: &OpenParagraph,
    model: Option<&OpenParagraph>,
    base: &RunProperties,
    text: &[Tagged],
    id: Option<&str>,
    stamp: Option<&Stamp>,
) -> Result<String, Refusal> {
    let dialect = &opened.dialect;
    let mut runs = String::new();
    for tagged in text {
        let properties = base.with_marks(&tagged.marks, dialect).write(dialect);
        let run = dialect.wrap("r", "", &format!("{properties}{}", dialect.content(&tagged.text)));
        runs.push_str(&dialect.linked(&run, tagged.marks.link.as_deref()));
    }
    if let Some(stamp) = stamp {
        runs = dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &runs);
    }
    let properties = match model {
        Some(model) => cloned_properties(model.node()?, stamp, dialect),
        None => stamp.map_or_else(String::new, |stamp| {
            let ins = format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute));
            dialect.wrap("pPr", "", &dialect.wrap("rPr", "", &ins))
        }),
    };
    let id = match (id, &dialect.word2010) {
        (Some(id), Some(prefix)) => format!(" {prefix}paraId=\"{id}\" {prefix}textId=\"77777777\""),
        _ => String::new(),
    };
    Ok(dialect.wrap("p", &id, &format!("{properties}{runs}")))
}

/// The look of the plain text of a paragraph: what most of its characters have, headers and terms aside.
pub(crate) fn body_look(view: &View, place: Place, anatomy: &Anatomy<'_>) -> RunProperties {
    let header = roles::header_end(view, place).unwrap_or(0);
    let mut terms = definitions::find(&anatomy.text);
    terms.extend(definitions::in_brackets(&anatomy.text));
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut looks: Vec<RunProperties> = Vec::new();
    for unit in &anatomy.units {
        let Some(run) = anatomy.runs.get(unit.run) else { continue };
        let special = unit.shape != Shape::Characters
            || unit.field.is_some()
            || run.hyperlink.is_some()
            || unit.text.start < header
            || terms
                .iter()
                .any(|term| term.quoted.start <= unit.text.start && unit.text.end <= term.quoted.end);
        if special {
            continue;
        }
        let look = RunProperties::of_run(run.node).without_change();
        let index = looks.iter().position(|known| *known == look).unwrap_or_else(|| {
            looks.push(look);
            looks.len() - 1
        });
        *votes.entry(index).or_default() += unit.text.len();
    }
    let winner = votes.into_iter().max_by_key(|(index, count)| (*count, std::cmp::Reverse(*index)));
    match winner.and_then(|(index, _)| looks.get(index)) {
        Some(look) => look.clone(),
        None => mark_properties(anatomy.node),
    }
}

/// Whether the last new paragraph has to take over the anchor's mark.
fn takes_over_mark(view: &View, place: Place, opened: &OpenParagraph) -> Result<bool, Refusal> {
    let Some(part) = view.part(place) else { return Ok(false) };
    let followed = siblings(part, place.index as usize).after == Sibling::Paragraph;
    let mark = &opened.paragraph.mark;
    let section = opened.node()?.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "sectPr"));
    Ok(!followed && mark.inserted.is_none() && mark.deleted.is_none() && section.is_none())
}

/// How the last new paragraph takes over the mark of the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handing {
    /// It does not.
    None,
    /// With its properties byte for byte, so that they are back when the new text is rejected, whatever somebody else has
    /// recorded in them.
    AsItIs,
    /// With its own, which are a tracked change of those of the anchor.
    Recorded,
}

impl Handing {
    fn of(opened: &OpenParagraph, looks_like_the_anchor: bool) -> Result<Self, Refusal> {
        let properties = opened.node()?.child(ns::W, "pPr");
        let has = |name: &str| properties.is_some_and(|properties| properties.child(ns::W, name).is_some());
        let mark = properties.and_then(|properties| properties.child(ns::W, "rPr"));
        let recorded = has("pPrChange") || mark.is_some_and(|mark| mark.child(ns::W, "rPrChange").is_some());
        // A page break before the anchor is one before its copy, too.
        let clean = is_clean(opened.node()?);
        Ok(match looks_like_the_anchor && !has("pageBreakBefore") && (clean || !recorded) {
            true => Self::AsItIs,
            // A paragraph has room for one record, and the one that it has is somebody's.
            false if recorded => Self::None,
            false => Self::Recorded,
        })
    }
}

/// Whether the formatting of a paragraph is written as the schema has it: each property once, and in its order.
fn is_clean(paragraph: Node<'_>) -> bool {
    let properties = paragraph.child(ns::W, "pPr");
    let all = properties
        .iter()
        .flat_map(Node::elements)
        .filter(|child| !matches!(crate::edits::anatomy::word_name(child), "rPr" | "sectPr" | "pPrChange"));
    all.map(|child| String::from_utf8_lossy(child.source()).into_owned()).collect::<String>()
        == formatting(paragraph)
}

/// What an anchor gets instead of the mark that it gave away.
type Handed = Vec<(std::ops::Range<usize>, String)>;

/// `bytes` with the mark of the anchor on the paragraph that starts at `last`, and what that changes of the anchor.
fn handed_over(
    handing: Handing,
    bytes: &str,
    last: usize,
    opened: &OpenParagraph,
    stamp: &Stamp,
) -> Result<(String, Handed), Refusal> {
    let node = opened.node()?;
    let ins = format!("<{}ins{}/>", opened.dialect.element, stamp.attributes(&opened.dialect.attribute));
    let mut splices = vec![put_in_mark(node, &ins, &opened.dialect)];
    if handing != Handing::AsItIs {
        return Ok((hand_over_mark(bytes, last, opened, stamp)?, splices));
    }
    match node.child(ns::W, "pPr").filter(|_| !is_clean(node)) {
        // What is out of order goes along with the mark, and is not there twice.
        Some(properties) => {
            splices = vec![(properties.span(), cloned_properties(node, Some(stamp), &opened.dialect))];
        }
        None => splices.extend(renamed_record(node, stamp)),
    }
    Ok((hand_over_as_it_is(bytes, last, opened)?, splices))
}

/// The record of the anchor's formatting under an id of its own: the old one goes along with the old mark.
fn renamed_record(paragraph: Node<'_>, stamp: &Stamp) -> Option<(std::ops::Range<usize>, String)> {
    let record = paragraph.child(ns::W, "pPr")?.child(ns::W, "pPrChange")?;
    Some((record.attribute(ns::W, "id")?.value_span(), stamp.fresh_id().to_string()))
}

/// `bytes` with the properties of the anchor in the paragraph that starts at `last`.
fn hand_over_as_it_is(bytes: &str, last: usize, opened: &OpenParagraph) -> Result<String, Refusal> {
    let (head, tail) = bytes.split_at(last);
    let start = tail.find('>').map_or(0, |end| end + 1);
    let close = format!("</{}pPr>", opened.dialect.element);
    let own = format!("<{}pPr>", opened.dialect.element);
    let rest = match tail.part(start..).starts_with(&own) {
        true => tail.find(&close).map_or(start, |at| at + close.len()),
        false => start,
    };
    let properties = opened.node()?.child(ns::W, "pPr");
    let properties = properties
        .map_or_else(String::new, |properties| String::from_utf8_lossy(properties.source()).into_owned());
    Ok(format!("{head}{}{properties}{}", tail.part(..start), tail.part(rest..)))
}

/// `bytes` with the mark of the paragraph that starts at `last` made the old one: it is not inserted, and what
/// it looks like is a change of what the anchor looked like.
fn hand_over_mark(
    bytes: &str,
    last: usize,
    opened: &OpenParagraph,
    stamp: &Stamp,
) -> Result<String, Refusal> {
    let (head, tail) = bytes.split_at(last);
    let namespaces = opened.node()?.namespaces();
    let tree =
        ooxml::xml::Tree::parse_fragment(tail.as_bytes(), &namespaces, &ooxml::xml::XmlLimits::default())
            .map_err(|error| Refusal::internal(error.to_string()))?;
    let new = tree.document(tail.as_bytes()).elements().next();
    let new = new.ok_or_else(|| Refusal::internal("a new paragraph without an element"))?;
    let mut splices: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let properties = new.child(ns::W, "pPr");
    if let Some(mark) = properties.and_then(|properties| properties.child(ns::W, "rPr"))
        && let Some(inserted) = mark.child(ns::W, "ins")
    {
        let alone = mark.elements().count() == 1;
        splices.push((if alone { mark.span() } else { inserted.span() }, String::new()));
    }
    let before = formatting(opened.node()?);
    if let Some(properties) = properties.filter(|_| before != formatting(new)) {
        splices.push(inside_end(properties, &record(&before, stamp, &opened.dialect)));
    }
    let mut out = tail.to_owned();
    for (range, with) in splices.into_iter().rev() {
        out.replace_range(range, &with);
    }
    // Properties that held nothing but the mark of insertion would stay behind empty.
    let empty = format!("<{0}pPr></{0}pPr>", opened.dialect.element);
    Ok(format!("{head}{}", out.replacen(&empty, "", 1)))
}

/// `w14:paraId`s that nobody has, if the anchor has one; Word wants them below 0x80000000.
fn new_paragraph_ids(
    view: &View,
    place: Place,
    opened: &OpenParagraph,
    cx: &Context,
    count: usize,
) -> Result<Vec<Option<String>>, Refusal> {
    let has_one = opened.node()?.attribute(ns::W14, "paraId").is_some();
    let ignored = view.part(place).is_some_and(|part| {
        crate::edits::open_paragraph::is_ignored(&part.blob, opened.dialect.word2010.as_deref())
    });
    if !has_one || !ignored {
        return Ok(vec![None; count]);
    }
    let taken = |number: u32| {
        let key = crate::document::index::named_key(number);
        view.parts().iter().any(|part| part.paragraphs.key.contains(key))
    };
    let mut ids: Vec<Option<String>> = Vec::with_capacity(count);
    let mut turn = digest(cx.seed, &opened.paragraph.source);
    while ids.len() < count {
        turn = digest(turn, b"paraId");
        let number = (turn & 0x7FFF_FFFF) as u32;
        let id = format!("{number:08X}");
        if number != 0 && !taken(number) && !ids.iter().flatten().any(|known| *known == id) {
            ids.push(Some(id));
        }
    }
    Ok(ids)
}

/// Refuses to change what a locked content control around the paragraph holds.
pub(crate) fn check_controls(view: &View, place: Place) -> Result<(), Refusal> {
    let Some(part) = view.part(place) else { return Ok(()) };
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(crate::document::index::NOWHERE);
    let locked = part.around(boxed).any(|(_, block)| {
        let properties = part.blob.slice(block.props.0 as usize..block.props.1 as usize);
        block.kind == crate::BoxKind::Control
            && (memchr::memmem::find(&properties, b"\"contentLocked\"").is_some()
                || memchr::memmem::find(&properties, b"\"sdtContentLocked\"").is_some())
    });
    match locked {
        false => Ok(()),
        true => Err(Refusal::Unsafe {
            why: "the paragraph is in a content control whose contents are locked".to_owned(),
            instead: Some("unlock the content control, or edit outside it".to_owned()),
        }),
    }
}

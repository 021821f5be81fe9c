//! `insertText`: new text in, before, behind or in place of a scope.
//!
//! A line end in the text is a paragraph mark, as it is for Word.

use std::borrow::Cow;
use std::ops::Range;

use edit::{Context, Level, Patch, Planned, Refusal};
use ooxml::xml::ns;

use super::beside_table::{beside_table, outside};
use super::cut::Cut;
use super::place::{Ground, Places, Stretch, plain_text, span_of};
use super::{InsertText, Location, Scope};
use crate::document::index::BoxKind;
use crate::document::paragraph::WrapKind;
use crate::document::span::Span;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::kept_marks;
use crate::edits::marks::{cloned_properties, put_in_mark};
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::outcome::Answer;
use crate::edits::rewrite::{Act, Place as At};
use crate::edits::run_properties::RunProperties;
use crate::edits::run_siblings::{Sibling, siblings};
use crate::edits::surgeon::{Results, Tools, mark_properties};
use crate::edits::{DeleteParagraph, Markup, Outcome, check_controls, clean, operate_telling};
use crate::text::quotation::excerpt;
use crate::text::tags::{Marks, Tagged};

/// Whether new text looks like what stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Kept,
    Plain,
}

/// Where new text came to stand: from an offset in one paragraph to an offset in the same or a later one.
pub(crate) struct Landed {
    pub(crate) from: (Place, usize),
    pub(crate) to: (Place, usize),
}

impl Landed {
    pub(crate) fn span(&self, view: &View) -> Result<Span, Refusal> {
        let ((first, from), (last, to)) = (self.from, self.to);
        if first == last {
            return span_of(view, first, from..to);
        }
        let length = plain_text(&view.paragraph(first)?).text.len();
        let start = span_of(view, first, from..length)?;
        let end = span_of(view, last, 0..to)?;
        Ok(Span { end: end.end.max(start.end), ..start })
    }
}

pub(crate) fn plan(
    view: &View,
    op: &InsertText,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &op.text)?;
    let look = if op.keep_formatting { Look::Kept } else { Look::Plain };
    let mut draft = Draft::new(view, markup, cx);
    let lines: Vec<&str> = text.split('\n').collect();
    draft.note_selection(&op.scope, places);
    let landed = match (&op.scope, op.location) {
        (Scope::Document, Location::Replace) => replace_document(&mut draft, &lines, look)?,
        (Scope::Document, location) if op.new_paragraph => {
            let start = matches!(location, Location::Start | Location::Before);
            at_document_edge(&mut draft, start, &lines, look)?
        }
        (scope, location) => {
            let ground = Ground::of(view, scope, places)?;
            place_text(&mut draft, &ground, location, op.new_paragraph, &lines, look)?
        }
    };
    let range = landed.span(draft.view())?;
    let length = text.encode_utf16().count();
    let summary = match op.location {
        Location::Replace if !matches!(op.scope, Scope::Document) => format!("Put \"{}\"", excerpt(&text)),
        Location::Replace => format!("Replace the document with \"{}\"", excerpt(&text)),
        _ => format!("Insert \"{}\"", excerpt(&text)),
    };
    Ok(draft.done(summary, Answer::Text { range, length }))
}

fn place_text(
    draft: &mut Draft<'_>,
    ground: &Ground,
    location: Location,
    new_paragraph: bool,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    let (first, last) = (ground.first()?.clone(), ground.last()?.clone());
    if let (Some(table), Some(position)) = (&ground.table, outside(location)) {
        return beside_table(draft, table, position, lines, look);
    }
    match (location, new_paragraph) {
        (Location::Start | Location::Before, true) => {
            paragraphs_beside(draft, first.place, true, lines, look)
        }
        (Location::End | Location::After, true) => paragraphs_beside(draft, last.place, false, lines, look),
        (Location::Start, false) if look == Look::Kept && !first.range.is_empty() => {
            // The start of a text is inside its formatting; what stands before it is not.
            let opened = draft.open(first.place)?;
            let inside = look_at(&opened, first.range.start, true)?;
            let outside = look_at(&opened, first.range.start, false)?;
            let model = (inside != outside).then_some(inside);
            insert_like(draft, first.place, first.range.start, lines, look, model)
        }
        (Location::Start | Location::Before, false) => {
            insert_at(draft, first.place, first.range.start, lines, look)
        }
        (Location::End | Location::After, false) => insert_at(draft, last.place, last.range.end, lines, look),
        (Location::Replace, false) => replace_ground(draft, ground, lines, look),
        (Location::Replace, true) if ground.is_cursor() => {
            let empty = plain_text(&draft.view().paragraph(first.place)?).text.is_empty();
            match empty {
                true => insert_at(draft, first.place, 0, lines, look),
                false => paragraphs_beside(draft, first.place, false, lines, look),
            }
        }
        (Location::Replace, true) => {
            if first.whole {
                return replace_ground(draft, ground, lines, look);
            }
            remove(draft, &ground.stretches)?;
            paragraphs_beside(draft, first.place, false, lines, look)
        }
    }
}

/// Puts text in the place of a scope's own.
pub(crate) fn replace_ground(
    draft: &mut Draft<'_>,
    ground: &Ground,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    let first = ground.first()?.clone();
    if let ([line], [only], Look::Kept) = (lines, ground.stretches.as_slice(), look)
        && !only.range.is_empty()
    {
        rewrite_in(draft, only, line)?;
        let end = first.range.start + line.len();
        return Ok(Landed { from: (first.place, first.range.start), to: (first.place, end) });
    }
    // What the first character looked like, before it goes.
    let model = match look {
        Look::Kept => Some(look_at(&draft.open(first.place)?, first.range.start, !first.range.is_empty())?),
        Look::Plain => None,
    };
    remove(draft, &ground.stretches)?;
    insert_like(draft, first.place, first.range.start, lines, look, model)
}

/// Rewrites one stretch with the surgeon, so that words which stay keep their looks.
fn rewrite_in(draft: &mut Draft<'_>, stretch: &Stretch, new: &str) -> Result<(), Refusal> {
    let opened = draft.open(stretch.place)?;
    check_controls(draft.view(), stretch.place)?;
    let anatomy = opened.bare_anatomy()?;
    let tagged = [Tagged { text: new.to_owned(), marks: Marks::default() }];
    let new = if new.is_empty() { &tagged[..0] } else { &tagged[..] };
    let acts = kept_marks::acts(&anatomy, &stretch.range, new, &|token| Cow::Borrowed(token))?;
    operate_on(draft, stretch.place, &opened, acts)
}

fn operate_on(
    draft: &mut Draft<'_>,
    place: Place,
    opened: &OpenParagraph,
    acts: Vec<Act>,
) -> Result<(), Refusal> {
    let stamp = draft.stamp();
    let tools = Tools { dialect: &opened.dialect, stamp: stamp.as_ref(), results: Results::Rewritten };
    let mut patch = Patch::new();
    let anatomy = opened.bare_anatomy()?;
    for note in operate_telling((draft.view(), place), opened, &anatomy, acts, tools, &mut patch)? {
        draft.note(note.level, note.text);
    }
    draft.apply(&patch)
}

/// Takes the text of stretches away, and joins the paragraphs they were in as far as they are neighbours.
pub(crate) fn remove(draft: &mut Draft<'_>, stretches: &[Stretch]) -> Result<(), Refusal> {
    for stretch in stretches.iter().rev().filter(|stretch| !stretch.range.is_empty()) {
        check_controls(draft.view(), stretch.place)?;
        let opened = draft.open(stretch.place)?;
        let cut = vec![Act::Cut { old: stretch.range.clone() }];
        operate_on(draft, stretch.place, &opened, cut)?;
    }
    let [first, rest @ ..] = stretches else { return Ok(()) };
    if rest.is_empty() {
        return Ok(());
    }
    if !are_neighbours(draft.view(), stretches) {
        draft.note(Level::Info, "the text stood in different cells or boxes, whose paragraphs stay");
        return Ok(());
    }
    for stretch in stretches {
        let opened = draft.open(stretch.place)?;
        let properties = opened.node()?.child(ns::W, "pPr");
        if properties.and_then(|properties| properties.child(ns::W, "sectPr")).is_some() {
            return Err(Refusal::Unsafe {
                why: "the range holds a section break".to_owned(),
                instead: Some("replace the text of each section on its own".to_owned()),
            });
        }
    }
    match draft.stamp() {
        Some(stamp) => {
            let mut patch = Patch::new();
            for stretch in stretches.iter().take(stretches.len() - 1) {
                let opened = draft.open(stretch.place)?;
                if opened.paragraph.mark.deleted.is_none() {
                    let del = format!(
                        "<{}del{}/>",
                        opened.dialect.element,
                        stamp.attributes(&opened.dialect.attribute)
                    );
                    let node = opened.node()?;
                    let mark = node.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
                    // The schema has the insertion of a mark before its deletion.
                    let splice = match mark.and_then(|mark| mark.child(ns::W, "ins")) {
                        Some(inserted) => (inserted.span().end..inserted.span().end, del),
                        None => put_in_mark(node, &del, &opened.dialect),
                    };
                    opened.add_to(&mut patch, vec![splice])?;
                }
            }
            draft.apply(&patch)
        }
        None => {
            for stretch in rest.iter().rev() {
                let empty = draft.view().paragraph(stretch.place)?.is_empty();
                match empty {
                    true => {
                        let paragraph = draft.view().id(stretch.place);
                        let edit = DeleteParagraph { paragraph, expect: None, markup: Markup::Plain };
                        draft.delete(&edit)?;
                    }
                    false => join(draft, first.place, stretch.place)?,
                }
            }
            Ok(())
        }
    }
}

/// Makes one paragraph of two whose paragraphs between are about to go.
fn join(draft: &mut Draft<'_>, first: Place, last: Place) -> Result<(), Refusal> {
    let (one, two) = (draft.view().paragraph(first)?, draft.view().paragraph(last)?);
    let content =
        two.properties.as_ref().map_or(two.content.start, |properties| properties.end)..two.content.end;
    let moved = String::from_utf8_lossy(two.bytes(content)).into_owned();
    let part = draft.part(first)?;
    let mut patch = Patch::new();
    match one.closes_itself {
        true => {
            let end = one.span.end;
            patch.splice(&part, end - 2..end, format!(">{moved}</{}p>", one.prefix))?;
        }
        false => patch.splice(&part, one.content.end..one.content.end, moved)?,
    }
    patch.splice(&part, two.span.clone(), "")?;
    draft.apply(&patch)
}

/// The box that a paragraph stands in.
pub(super) fn boxed(view: &View, place: Place) -> Option<u32> {
    view.part(place)?.paragraphs.boxed.get(place.index as usize)
}

fn are_neighbours(view: &View, stretches: &[Stretch]) -> bool {
    let boxed = |place: Place| boxed(view, place);
    let Some(first) = stretches.first() else { return false };
    // A cell's last paragraph can be joined with nothing outside, so all have to share their box.
    stretches.iter().all(|stretch| boxed(stretch.place) == boxed(first.place))
        && stretches.windows(2).all(|pair| match pair {
            [a, b] => a.place.index + 1 == b.place.index,
            _ => true,
        })
}

/// Inserts at an offset, looking like the neighbours.
pub(crate) fn insert_at(
    draft: &mut Draft<'_>,
    place: Place,
    offset: usize,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    insert_like(draft, place, offset, lines, look, None)
}

fn insert_like(
    draft: &mut Draft<'_>,
    place: Place,
    offset: usize,
    lines: &[&str],
    look: Look,
    model: Option<RunProperties>,
) -> Result<Landed, Refusal> {
    check_controls(draft.view(), place)?;
    let Some((first, more)) = lines.split_first() else {
        return Ok(Landed { from: (place, offset), to: (place, offset) });
    };
    if !first.is_empty() {
        let opened = draft.open(place)?;
        let empty = plain_text(&opened.paragraph).text.is_empty();
        match (look, &model) {
            (Look::Kept, None) if !(empty && opened.paragraph.closes_itself) => {
                let put = Act::Put {
                    text: (*first).to_owned(),
                    marks: Marks::default(),
                    place: At::Between(offset),
                };
                operate_on(draft, place, &opened, vec![put])?;
            }
            _ => put_run(draft, &opened, offset, first, model.clone().unwrap_or_default())?,
        }
    }
    let end = offset + first.len();
    if more.is_empty() {
        return Ok(Landed { from: (place, offset), to: (place, end) });
    }
    let last = split(draft, place, end, more, look, model)?;
    let length = more.last().map_or(0, |line| line.len());
    Ok(Landed { from: (place, offset), to: (last, length) })
}

/// A run of its own, between others.
fn put_run(
    draft: &mut Draft<'_>,
    opened: &OpenParagraph,
    offset: usize,
    text: &str,
    properties: RunProperties,
) -> Result<(), Refusal> {
    let dialect = &opened.dialect;
    let cut = Cut::at(&opened.paragraph, &plain_text(&opened.paragraph), offset, dialect);
    cut.check(&opened.paragraph, "the text")?;
    let run = dialect.wrap("r", "", &format!("{}{}", properties.write(dialect), dialect.content(text)));
    let stamp = draft.stamp();
    let run = match &stamp {
        Some(stamp) => {
            check_outside_revisions(opened, &cut)?;
            dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run)
        }
        None => run,
    };
    let mut patch = Patch::new();
    cut.put(&mut patch, &opened.part, &run)?;
    draft.apply(&patch)
}

/// A tracked insertion cannot stand inside another one.
pub(crate) fn check_outside_revisions(opened: &OpenParagraph, cut: &Cut) -> Result<(), Refusal> {
    let inside = cut.wraps.iter().filter_map(|wrap| opened.paragraph.wraps.get(*wrap)).any(|wrap| {
        matches!(
            wrap.kind,
            WrapKind::Inserted(_) | WrapKind::Deleted(_) | WrapKind::MovedFrom(_) | WrapKind::MovedTo(_)
        )
    });
    match inside {
        false => Ok(()),
        true => Err(Refusal::Unsupported {
            what: "tracking this inside another tracked change".to_owned(),
            instead: Some("choose a place beside the change, or accept the change first".to_owned()),
        }),
    }
}

/// What text at an offset looks like: the character there when `inside`, else the one before.
fn look_at(opened: &OpenParagraph, offset: usize, inside: bool) -> Result<RunProperties, Refusal> {
    let text = plain_text(&opened.paragraph);
    let piece = match inside {
        true => text.pieces.iter().find(|piece| piece.range.end > offset),
        false => text.pieces.iter().rfind(|piece| piece.range.start < offset).or(text.pieces.first()),
    };
    let run = piece.and_then(|piece| opened.paragraph.atoms.get(piece.atom)).and_then(|atom| {
        // Nobody should look like a link or the result of a field.
        let link = opened
            .paragraph
            .around(atom.wrap)
            .any(|wrap| matches!(wrap.kind, WrapKind::Hyperlink { .. } | WrapKind::SimpleField { .. }));
        atom.run.filter(|_| !link && atom.field.is_none())
    });
    let run = run.and_then(|run| opened.paragraph.runs.get(run));
    let node = opened.node()?;
    let base = opened.paragraph.span.start;
    let found =
        run.and_then(|run| node.descendants().find(|node| node.span().start + base == run.span.start));
    Ok(match found {
        Some(run) => RunProperties::of_run(run).without_change(),
        None => mark_properties(node),
    })
}

/// Ends the paragraph at `offset` and begins a new one for each line; what followed goes with the last.
/// Answers the last of them.
fn split(
    draft: &mut Draft<'_>,
    place: Place,
    offset: usize,
    lines: &[&str],
    look: Look,
    model: Option<RunProperties>,
) -> Result<Place, Refusal> {
    let opened = draft.open(place)?;
    let (dialect, node) = (&opened.dialect, opened.node()?);
    if node.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "sectPr")).is_some() {
        return Err(Refusal::Unsafe {
            why: "the paragraph ends a section".to_owned(),
            instead: Some("insert new paragraphs before it".to_owned()),
        });
    }
    let cut = Cut::at(&opened.paragraph, &plain_text(&opened.paragraph), offset, dialect);
    cut.check(&opened.paragraph, "a paragraph mark")?;
    if !cut.wraps.is_empty() {
        return Err(Refusal::Unsafe {
            why: "the paragraph would be cut inside a link, a content control or a tracked change".to_owned(),
            instead: Some("insert at the end of the paragraph, or as one line".to_owned()),
        });
    }
    let stamp = draft.stamp();
    let properties = match (look, model) {
        (Look::Plain, _) => RunProperties::default(),
        (Look::Kept, Some(model)) => model,
        (Look::Kept, None) => look_at(&opened, offset, false)?,
    }
    .write(dialect);
    let mut markup = String::new();
    let mut last = 0;
    for (index, line) in lines.iter().enumerate() {
        let tracked = stamp.as_ref().filter(|_| index + 1 < lines.len());
        let ppr = match look {
            Look::Kept => cloned_properties(node, tracked, dialect),
            Look::Plain => {
                plain_properties(tracked.map(|stamp| stamp.attributes(&dialect.attribute)), dialect)
            }
        };
        let run = match line.is_empty() {
            true => String::new(),
            false => dialect.wrap("r", "", &format!("{properties}{}", dialect.content(line))),
        };
        let run = match &stamp {
            Some(stamp) if !run.is_empty() => {
                dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run)
            }
            _ => run,
        };
        markup.push_str(&format!("</{0}p>", dialect.element));
        last = markup.len();
        markup.push_str(&format!("<{}p>{ppr}{run}", dialect.element));
    }
    let mut patch = Patch::new();
    if let Some(stamp) = &stamp {
        let ins = format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute));
        match opened.paragraph.closes_itself {
            true => {
                // The tag is opened by the cut, so the mark has to go along with it.
                let mark = dialect.wrap("pPr", "", &dialect.wrap("rPr", "", &ins));
                last += mark.len();
                markup.insert_str(0, &mark);
            }
            false => {
                let splice = put_in_mark(node, &ins, dialect);
                opened.add_to(&mut patch, vec![splice])?;
            }
        }
    }
    let landed = cut.put(&mut patch, &opened.part, &markup)?;
    let inner = landed.start - cut.at;
    let at = patch.map(&opened.part, cut.at, edit::Gravity::Left);
    // A mark put in at the very place of the cut comes before it.
    let before: usize = patch
        .splices(&opened.part)
        .iter()
        .filter(|splice| splice.range.start == cut.at && splice.range.is_empty())
        .map(|splice| splice.with.len())
        .sum::<usize>()
        .saturating_sub(cut.close.len() + markup.len() + cut.open.len());
    let before = if opened.paragraph.closes_itself { 0 } else { before };
    draft.apply(&patch)?;
    draft
        .view()
        .place_at(&opened.part, at + before + inner + last + 1)
        .ok_or_else(|| Refusal::internal("a new paragraph cannot be found again"))
}

fn plain_properties(tracked: Option<String>, dialect: &crate::edits::dialect::Dialect) -> String {
    tracked.map_or_else(String::new, |attributes| {
        let ins = format!("<{}ins{attributes}/>", dialect.element);
        dialect.wrap("pPr", "", &dialect.wrap("rPr", "", &ins))
    })
}

/// New paragraphs before or behind one that is there.
fn paragraphs_beside(
    draft: &mut Draft<'_>,
    anchor: Place,
    before: bool,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    beside_like(draft, anchor, before, lines, look, anchor)
}

/// The same, looking like another paragraph.
pub(super) fn beside_like(
    draft: &mut Draft<'_>,
    anchor: Place,
    before: bool,
    lines: &[&str],
    look: Look,
    model: Place,
) -> Result<Landed, Refusal> {
    check_controls(draft.view(), anchor)?;
    let part = draft.view().part(anchor).ok_or_else(|| Refusal::internal("a paragraph of another view"))?;
    let followed = siblings(part, anchor.index as usize).after == Sibling::Paragraph;
    if !before && !followed && draft.markup == Markup::Tracked {
        // Nothing follows that a rejected paragraph could be joined with, so the anchor's mark is the new one.
        let end = plain_text(&draft.view().paragraph(anchor)?).text.len();
        let model = look_at(&draft.open(anchor)?, end, false)?;
        let first = {
            let mut all = vec![""];
            all.extend_from_slice(lines);
            insert_like(draft, anchor, end, &all, look, (look == Look::Kept).then_some(model))?
        };
        let from = Place { index: first.to.0.index + 1 - lines.len() as u32, ..first.to.0 };
        return Ok(Landed { from: (from, 0), to: first.to });
    }
    let span = draft.view().span(anchor);
    let at = if before { span.start } else { span.end };
    raw_paragraphs(draft, model, at, lines, look)
}

/// New paragraphs at a byte between blocks, looking like `model`.
pub(super) fn raw_paragraphs(
    draft: &mut Draft<'_>,
    model: Place,
    at: usize,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    let opened = draft.open(model)?;
    let (dialect, node) = (&opened.dialect, opened.node()?);
    let stamp = draft.stamp();
    let properties = match look {
        Look::Kept => crate::edits::body_look(draft.view(), model, &opened.anatomy()?),
        Look::Plain => RunProperties::default(),
    }
    .write(dialect);
    let mut markup = String::new();
    let mut starts = Vec::new();
    for line in lines {
        starts.push(markup.len());
        let ppr = match look {
            Look::Kept => cloned_properties(node, stamp.as_ref(), dialect),
            Look::Plain => {
                plain_properties(stamp.as_ref().map(|stamp| stamp.attributes(&dialect.attribute)), dialect)
            }
        };
        let mut run = String::new();
        if !line.is_empty() {
            run = dialect.wrap("r", "", &format!("{properties}{}", dialect.content(line)));
            if let Some(stamp) = &stamp {
                run = dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run);
            }
        }
        markup.push_str(&dialect.wrap("p", "", &format!("{ppr}{run}")));
    }
    let part = opened.part.clone();
    let mut patch = Patch::new();
    patch.splice(&part, at..at, markup)?;
    draft.apply(&patch)?;
    let find = |start: Option<&usize>| {
        start
            .and_then(|start| draft.view().place_at(&part, at + start + 1))
            .ok_or_else(|| Refusal::internal("a new paragraph cannot be found again"))
    };
    let (first, last) = (find(starts.first())?, find(starts.last())?);
    Ok(Landed { from: (first, 0), to: (last, lines.last().map_or(0, |line| line.len())) })
}

/// The blocks of the body that stand in nothing else, in order: their bytes, and the paragraph if it is one. A broken
/// document that has no body has none, wherever its paragraphs are.
pub(crate) fn body_blocks(view: &View) -> Vec<(Range<usize>, Option<Place>)> {
    let mut blocks = Vec::new();
    let Some(part) = view.part(Place { part: 0, index: 0 }) else { return blocks };
    let body = part.boxes.iter().position(|block| block.kind == BoxKind::Body);
    let Some(body) = body.map(|at| at as u32) else { return blocks };
    for (index, boxed) in part.paragraphs.boxed.iter().enumerate() {
        if boxed == body {
            let place = Place { part: 0, index: index as u32 };
            blocks.push((part.paragraphs.span(index), Some(place)));
        }
    }
    for block in part.boxes.iter().filter(|block| block.parent == body) {
        // A text box hangs on a paragraph that is in the list already.
        if block.kind != BoxKind::TextBox {
            blocks.push((block.start as usize..block.end as usize, None));
        }
    }
    blocks.sort_by_key(|(range, _)| range.start);
    let mut reached = 0;
    blocks.retain(|(range, _)| {
        let outer = range.start >= reached;
        reached = reached.max(range.end);
        outer
    });
    blocks
}

fn at_document_edge(
    draft: &mut Draft<'_>,
    start: bool,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    let blocks = body_blocks(draft.view());
    let edge = if start { blocks.first() } else { blocks.last() };
    match edge {
        Some((_, Some(place))) => paragraphs_beside(draft, *place, start, lines, look),
        Some((range, None)) => {
            let at = if start { range.start } else { range.end };
            let paragraphs = || blocks.iter().filter_map(|(_, place)| *place);
            let nearest = if start { paragraphs().next() } else { paragraphs().next_back() };
            let any = nearest.or_else(|| draft.view().body().next());
            let model = any.ok_or_else(|| Refusal::unsupported("a document without a paragraph"))?;
            raw_paragraphs(draft, model, at, lines, look)
        }
        None => Err(Refusal::unsupported("a document without a paragraph")),
    }
}

fn replace_document(draft: &mut Draft<'_>, lines: &[&str], look: Look) -> Result<Landed, Refusal> {
    let blocks = body_blocks(draft.view());
    let plain: Option<Vec<Place>> = blocks.iter().map(|(_, place)| *place).collect();
    let everything = draft.view().body().count();
    if let Some(places) = plain.filter(|places| places.len() == everything) {
        let stretches: Result<Vec<Stretch>, Refusal> =
            places.into_iter().map(|place| super::place::whole(draft.view(), place)).collect();
        let ground = Ground::stretches(stretches?);
        return replace_ground(draft, &ground, lines, look);
    }
    if draft.markup == Markup::Tracked {
        return Err(Refusal::Unsupported {
            what: "tracking the replacement of a document that holds tables".to_owned(),
            instead: Some("replace the text piece by piece, or without tracking".to_owned()),
        });
    }
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return Err(Refusal::unsupported("a document without a paragraph"));
    };
    let part = draft.view().layout().main.clone();
    let range = first.0.start..last.0.end;
    let bytes = draft.view().content().existing(&part)?.slice(range.clone()).into_owned();
    if memchr::memmem::find(&bytes, b"commentReference").is_some() {
        return Err(Refusal::Unsafe {
            why: "comments hang on the text and would lose their place".to_owned(),
            instead: Some("delete the comments first, or replace the text piece by piece".to_owned()),
        });
    }
    let model = blocks.iter().find_map(|(_, place)| *place).or_else(|| draft.view().body().next());
    let model = model.ok_or_else(|| Refusal::unsupported("a document without a paragraph"))?;
    raw_paragraphs(draft, model, range.start, lines, look)?;
    let grown = body_blocks(draft.view());
    let kept = lines.len();
    let (Some((from, _)), Some((to, _))) = (grown.get(kept), grown.last()) else {
        return Err(Refusal::internal("the old text cannot be found again"));
    };
    let mut patch = Patch::new();
    patch.splice(&part, from.start..to.end, "")?;
    draft.apply(&patch)?;
    let places: Vec<Place> = draft.view().body().take(kept).collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Err(Refusal::internal("the new text cannot be found again"));
    };
    Ok(Landed { from: (*first, 0), to: (*last, lines.last().map_or(0, |line| line.len())) })
}

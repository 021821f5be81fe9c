//! The formatting surgeon: carries out a rewrite on the bytes of a paragraph.
//!
//! Only runs that have to change are written, and of those only the bytes that differ. Everything between them
//! (bookmarks, comment ranges, field machinery) is never looked at, which is what keeps it.

mod slots;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Cut, Level, Note, Refusal};
use ooxml::xml::Node;

use crate::document::stamp::Stamp;
use crate::edits::anatomy::{Anatomy, Field, Shape, Unit};
use crate::edits::dialect::Dialect;
use crate::edits::rewrite::{Act, Place};
use crate::edits::run_properties::{RunProperties, told_of_record};
use crate::text::tags::Marks;

pub(crate) use slots::mark_properties;
pub(crate) use write::{is_last_in, is_own, removals, reopened};

/// What the surgeon needs to know beside the paragraph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tools<'a> {
    pub(crate) dialect: &'a Dialect,
    /// Present when the change is to be tracked.
    pub(crate) stamp: Option<&'a Stamp>,
    pub(crate) results: Results,
}

/// What may happen to text that a field has computed and Word may compute again, such as a page number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    /// It is rewritten, with a warning.
    Rewritten,
    /// New text has to last, so such an operation is refused.
    Kept,
}

/// Splices of the source that the paragraph was parsed from, sorted and disjoint.
#[derive(Debug, Default)]
pub(crate) struct Operation {
    pub(crate) splices: Vec<(Range<usize>, String)>,
    pub(crate) notes: Vec<Note>,
}

/// Carries `acts` out. Their offsets are in the text of the anatomy; what they do not mention stays.
pub(crate) fn operate(anatomy: &Anatomy<'_>, acts: &[Act], tools: Tools<'_>) -> Result<Operation, Refusal> {
    let whole = reach(acts);
    let mut work = Work { anatomy, tools, whole: whole.clone(), runs: BTreeMap::new(), loose: Vec::new() };
    check_fields(anatomy, acts, &whole)?;
    for act in acts {
        match act {
            Act::Keep { marks, .. } if marks.is_empty() => {}
            Act::Keep { old, marks } => work.change(old, &Fate::Restyle(marks.clone()))?,
            Act::Cut { old } => work.change(old, &Fate::Cut)?,
            Act::Put { text, marks, place } => work.put(text, marks, *place)?,
        }
    }
    let computed = work.computed();
    if let (Results::Kept, Some(why)) = (tools.results, computed.first()) {
        return Err(Refusal::Unsafe { why: why.clone(), instead: Some(safe_span(anatomy, &whole)) });
    }
    let said = computed.into_iter().chain(work.shared_records());
    let notes = said.map(|text| Note { level: Level::Warning, text }).collect();
    let mut splices = write::write(&work);
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    Ok(Operation { splices, notes })
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Cut,
    Restyle(Marks),
}

/// What is to be done to one unit, in offsets from its start.
#[derive(Debug, Default)]
struct OnUnit {
    changes: Vec<(Range<usize>, Fate)>,
    puts: Vec<(usize, String, Marks)>,
}

/// New text that goes into no run that is there.
#[derive(Debug)]
struct Loose {
    at: usize,
    text: String,
    properties: RunProperties,
    link: Option<String>,
}

struct Work<'a> {
    anatomy: &'a Anatomy<'a>,
    tools: Tools<'a>,
    /// The text that the acts are about, for advice on what of it is safe.
    whole: Range<usize>,
    /// By run, then by unit.
    runs: BTreeMap<usize, BTreeMap<usize, OnUnit>>,
    loose: Vec<Loose>,
}

impl Work<'_> {
    fn on_unit(&mut self, index: usize) -> Result<&mut OnUnit, Refusal> {
        let unit =
            self.anatomy.units.get(index).ok_or_else(|| Refusal::internal("a unit that is not there"))?;
        let run = unit.run;
        if self.anatomy.runs.get(run).is_some_and(|run| run.locked) {
            return Err(Refusal::Unsafe {
                why: "the text is in a content control whose contents are locked".to_owned(),
                instead: Some("unlock the content control, or edit text outside it".to_owned()),
            });
        }
        Ok(self.runs.entry(run).or_default().entry(index).or_default())
    }

    fn change(&mut self, range: &Range<usize>, fate: &Fate) -> Result<(), Refusal> {
        let touched: Vec<(usize, Unit)> =
            self.anatomy.units_in(range).map(|(index, unit)| (index, unit.clone())).collect();
        for (index, unit) in touched {
            if unit.shape == Shape::Opaque {
                if matches!(fate, Fate::Restyle(_)) {
                    continue;
                }
                let whole = range.start <= unit.text.start && unit.text.end <= range.end;
                if !whole {
                    return Err(no_text(self.anatomy, &unit, &self.whole));
                }
                if self.anatomy.form_of(&unit).is_some() {
                    return Err(no_text(self.anatomy, &unit, &self.whole));
                }
                let shown = self.anatomy.text.cut(unit.text.clone())?;
                return Err(Refusal::Unsafe {
                    why: format!("it would delete {shown}, which is no text"),
                    instead: Some(safe_span(self.anatomy, &self.whole)),
                });
            }
            let local = range.start.max(unit.text.start) - unit.text.start
                ..range.end.min(unit.text.end) - unit.text.start;
            self.on_unit(index)?.changes.push((local, fate.clone()));
        }
        Ok(())
    }

    fn put(&mut self, text: &str, marks: &Marks, place: Place) -> Result<(), Refusal> {
        let (index, local) = match place {
            Place::InsteadOf(offset) => {
                let index = self
                    .anatomy
                    .unit_at(offset)
                    .ok_or_else(|| Refusal::internal("new text in place of nothing"))?;
                let start = self.anatomy.units.get(index).map_or(0, |unit| unit.text.start);
                (index, offset - start)
            }
            Place::Between(offset) | Place::Behind(offset) => match slots::choose(
                self.anatomy,
                offset,
                self.tools.stamp.is_some(),
                matches!(place, Place::Behind(_)),
            ) {
                slots::Slot::In { unit, local } => (unit, local),
                slots::Slot::Loose { at, properties } => {
                    let properties = properties.with_marks(marks, self.tools.dialect);
                    let (text, link) = (text.to_owned(), marks.link.clone());
                    self.loose.push(Loose { at, text, properties, link });
                    return Ok(());
                }
            },
        };
        if let Some(unit) = self.anatomy.units.get(index).filter(|unit| unit.shape == Shape::Opaque) {
            return Err(no_text(self.anatomy, unit, &self.whole));
        }
        self.on_unit(index)?.puts.push((local, text.to_owned(), marks.clone()));
        Ok(())
    }

    /// Whose records of formatting get more to cover, in words.
    fn shared_records(&self) -> Vec<String> {
        let mut authors = BTreeSet::new();
        for (run, units) in &self.runs {
            let mut changes = units.values().flat_map(|unit| &unit.changes);
            if let (Some(run), Some(stamp)) = (self.anatomy.runs.get(*run), self.tools.stamp)
                && changes.any(|(_, fate)| matches!(fate, Fate::Restyle(_)))
            {
                authors.extend(RunProperties::of_run(run.node).recorded_by_another(stamp));
            }
        }
        authors.iter().map(|author| told_of_record(author)).collect()
    }

    /// What is written into results of fields, in words.
    fn computed(&self) -> Vec<String> {
        let mut found = Vec::new();
        for units in self.runs.values() {
            for unit in units.keys().filter_map(|index| self.anatomy.units.get(*index)) {
                let field = unit.field.and_then(|field| self.anatomy.fields.get(field));
                if let Some(field) = field.filter(|field| !matches!(&*field.kind, "HYPERLINK" | "FORMTEXT")) {
                    let text =
                        format!("the text is the result of {}, which Word may compute again", field.named());
                    if !found.contains(&text) {
                        found.push(text);
                    }
                }
            }
        }
        found
    }
}

/// What a page prints for a picture, an equation or a note is a sign for it, not its text.
fn no_text(anatomy: &Anatomy<'_>, unit: &Unit, about: &Range<usize>) -> Refusal {
    let shown = anatomy.text.part(unit.text.clone());
    if let Some(form) = anatomy.form_of(unit) {
        return Refusal::Unsafe {
            why: format!(
                "{shown} is what the form field `{}` is set to, and no text of the paragraph",
                form.name
            ),
            instead: Some(format!(
                "fill `{}` (apply_template, word fill), or edit the text beside it",
                form.name
            )),
        };
    }
    Refusal::Unsafe {
        why: format!("{shown} only stands for what is there; its words are no text of the paragraph"),
        instead: Some(safe_span(anatomy, about)),
    }
}

/// From the first to the last character that the acts mention.
fn reach(acts: &[Act]) -> Range<usize> {
    let ranges = acts.iter().filter_map(|act| match act {
        Act::Keep { old, .. } | Act::Cut { old } => Some(old.clone()),
        Act::Put { .. } => None,
    });
    ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end)).unwrap_or(0..0)
}

/// Refuses what would cut through a field or leave it without a result.
fn check_fields(anatomy: &Anatomy<'_>, acts: &[Act], about: &Range<usize>) -> Result<(), Refusal> {
    // Cuts that touch each other are one deletion, even if new text stands between them.
    let mut hunk: Option<Range<usize>> = None;
    for act in acts {
        match act {
            Act::Cut { old } => {
                let whole = hunk.take().map_or(old.clone(), |hunk| hunk.start..old.end);
                if let Some(field) = crossed(anatomy, &whole) {
                    return Err(touches(anatomy, field, about));
                }
                hunk = Some(whole);
            }
            Act::Keep { .. } => hunk = None,
            Act::Put { .. } => {}
        }
    }
    for (index, field) in anatomy.fields.iter().enumerate() {
        let (mut cut, mut put) = (0, 0);
        for act in acts {
            match act {
                Act::Cut { old } => {
                    cut += (old.start.max(field.result.start)..old.end.min(field.result.end)).len();
                }
                Act::Put { text, place: Place::InsteadOf(at), .. } if field.result.contains(at) => {
                    put += text.len()
                }
                _ => {}
            }
        }
        if field.ends.is_some() && cut > 0 && cut >= field.result.len() && put == 0 {
            return Err(touches(anatomy, index, about));
        }
    }
    Ok(())
}

/// A field that `range` is partly in and partly out of.
fn crossed(anatomy: &Anatomy<'_>, range: &Range<usize>) -> Option<usize> {
    anatomy.fields.iter().position(|field| {
        let inside = range.start.max(field.result.start)..range.end.min(field.result.end);
        !inside.is_empty() && inside != *range
    })
}

fn touches(anatomy: &Anatomy<'_>, field: usize, range: &Range<usize>) -> Refusal {
    let shown = anatomy.fields.get(field).filter(|field| field.ends.is_some());
    let shown = shown.and_then(|field| anatomy.text.get(field.result.clone()));
    let field = anatomy.fields.get(field).map_or_else(|| "a field".to_owned(), Field::named);
    let instead = match shown.filter(|shown| !shown.trim().is_empty()) {
        Some(shown) => format!(
            "quote the field whole and say `{shown}` or <field/> where it is to stay; or {}",
            safe_span(anatomy, range)
        ),
        None => safe_span(anatomy, range),
    };
    Refusal::Unsafe { why: format!("it would cut into {field}"), instead: Some(instead) }
}

/// The longest part of `range` that is plain text, as advice.
fn safe_span(anatomy: &Anatomy<'_>, range: &Range<usize>) -> String {
    let mut best: Range<usize> = 0..0;
    let mut current: Option<Range<usize>> = None;
    for (_, unit) in anatomy.units_in(range) {
        let part = unit.text.start.max(range.start)..unit.text.end.min(range.end);
        let plain = unit.field.is_none() && unit.shape != Shape::Opaque;
        current = match (plain, current.take()) {
            (false, _) => None,
            (true, Some(span)) if span.end == part.start => Some(span.start..part.end),
            (true, _) => Some(part),
        };
        if let Some(span) = current.as_ref().filter(|span| span.len() > best.len()) {
            best = span.clone();
        }
    }
    match anatomy.text.get(best).map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => format!("edit only `{text}`"),
        None => "leave this text and edit beside it".to_owned(),
    }
}

/// The topmost element around `node` that does not hold `other`, inside the paragraph or a control's content.
fn outermost<'a>(node: Node<'a>, other: Option<Node<'a>>) -> Node<'a> {
    let mut top = node;
    for ancestor in node.ancestors() {
        let name = crate::edits::anatomy::word_name(&ancestor);
        if matches!(name, "p" | "sdtContent") || other.is_some_and(|other| ancestor.contains(other.id())) {
            break;
        }
        top = ancestor;
    }
    top
}

#[cfg(test)]
mod tests;

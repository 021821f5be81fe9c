//! Filling a template: placeholders in the text, content controls by tag, title or id, and form fields by name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use edit::{Context, Cut, Level, Note, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, Tree, XmlLimits, ns};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::form::{self, Filling};
use super::{Markup, Outcome, clean, control, paragraph_list};
use crate::ParagraphId;
use crate::document::index::BoxKind;
use crate::document::paragraph::{ControlKind, FormKind, Paragraph, Wrap, WrapKind, control_of};
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::anatomy::{Anatomy, word_name};
use crate::edits::dialect::Dialect;
use crate::edits::marks::inside_end;
use crate::edits::open_paragraph::{OpenParagraph, root_namespaces, stamp};
use crate::edits::rewrite::{self, Act};
use crate::edits::run_properties::RunProperties;
use crate::edits::surgeon::{Results, Tools, operate};
use crate::text::tags::{self, Marks, Tagged};

/// Fill `{{name}}` in the text of every story, content controls whose tag, title or id is a name, and form fields. Values
/// are plain text; a line end becomes a line break, and a blank line in a rich text control around paragraphs starts a
/// new paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillTemplate {
    pub values: BTreeMap<String, String>,
    #[serde(default)]
    pub markup: Markup,
}

static PLACEHOLDER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_.\- ]*?)\s*\}\}").ok());

#[derive(Default)]
struct Filled {
    count: BTreeMap<String, usize>,
    missing: BTreeSet<String>,
}

pub(crate) fn plan(view: &View, edit: &FillTemplate, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut values = BTreeMap::new();
    for (name, value) in &edit.values {
        values.insert(name.as_str(), clean("values", value)?);
    }
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let mut patch = Patch::new();
    let mut filled = Filled::default();
    let stated = if stamp.is_some() { stated(view, &values)? } else { BTreeSet::new() };
    let mut notes: Vec<Note> = Vec::new();
    let blocks = fill_blocks(view, &values, stamp.as_ref(), &mut filled, &mut patch)?;
    for place in view.places().filter(|place| !blocks.written.contains(place)) {
        cx.stop.check()?;
        let paragraph = view.paragraph(place)?;
        let text = paragraph.text(crate::Side::Final).text;
        let has_control = paragraph.wraps.iter().any(|wrap| matches!(wrap.kind, WrapKind::Control(_)));
        let has_form = paragraph.fields.iter().any(|field| field.form.is_some());
        if !has_control && !has_form && !text.contains("{{") {
            continue;
        }
        let opened = OpenParagraph::open(view, place)?;
        for note in fill(&opened, &values, stamp.as_ref(), &mut filled, &mut patch)? {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let mut draft = Draft::new(view, edit.markup, cx);
    draft.apply(&patch)?;
    for (paragraphs, texts) in &blocks.several {
        paragraph_list::say(&mut draft, paragraphs, texts, paragraph_list::How::WordByWord)?;
    }
    notes.append(&mut draft.notes);
    let patch = draft.patch();
    let unused =
        values.keys().filter(|name| !filled.count.contains_key(**name)).map(|name| (*name).to_owned());
    let outcome = Outcome::Filled {
        unused: unused.collect(),
        missing: filled.missing.into_iter().collect(),
        filled: filled.count,
    };
    let Outcome::Filled { filled, .. } = &outcome else { return Err(Refusal::internal("another outcome")) };
    let places = filled.values().sum::<usize>();
    if let Outcome::Filled { unused, missing, .. } = &outcome
        && !unused.is_empty()
    {
        let there = match missing.is_empty() {
            true => String::new(),
            false => format!("; still to be filled: {}", missing.join(", ")),
        };
        let text = format!("the template has no place called {}{there}", unused.join(", "));
        notes.push(Note { level: Level::Warning, text });
    }
    if filled.keys().any(|name| stated.contains(name)) {
        let text = "what a check box, a list or a date control stores is no tracked change: rejecting brings back the \
                    text, not the value behind it";
        notes.push(Note { level: Level::Warning, text: text.to_owned() });
    }
    let summary = format!("Fill {places} place{} of the template", if places == 1 { "" } else { "s" });
    Ok(Planned { step: Step { patch, summary, notes }, outcome })
}

/// The names of controls to be filled that store a value besides the text they show.
fn stated(view: &View, values: &BTreeMap<&str, String>) -> Result<BTreeSet<String>, Refusal> {
    let mut found = BTreeSet::new();
    for place in view.places() {
        let paragraph = view.paragraph(place)?;
        for wrap in &paragraph.wraps {
            let WrapKind::Control(control) = &wrap.kind else { continue };
            if matches!(control.kind, ControlKind::CheckBox | ControlKind::Date) {
                let named = control.names().find(|name| values.contains_key(*name));
                found.extend(named.map(str::to_owned));
            }
        }
        let forms = paragraph.fields.iter().filter_map(|field| field.form.as_ref());
        let stored = forms.filter(|form| !matches!(form.kind, FormKind::Text { .. }));
        found.extend(stored.map(|form| form.name.clone()).filter(|name| values.contains_key(name.as_str())));
    }
    Ok(found)
}

fn fill(
    opened: &OpenParagraph,
    values: &BTreeMap<&str, String>,
    stamp: Option<&Stamp>,
    filled: &mut Filled,
    patch: &mut Patch,
) -> Result<Vec<Note>, Refusal> {
    let anatomy = opened.bare_anatomy()?;
    let mut jobs: Vec<(Range<usize>, String)> = Vec::new();
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    for wrap in &opened.paragraph.wraps {
        let WrapKind::Control(control) = &wrap.kind else { continue };
        let Some(name) = control.names().find(|name| values.contains_key(*name)) else { continue };
        let Some(value) = values.get(name) else { continue };
        check_inner(&opened.paragraph, wrap, name)?;
        let base = opened.paragraph.span.start;
        let at = wrap.span.start - base;
        let node = opened.node()?;
        let node = node.descendants().find(|node| word_name(node) == "sdt" && node.span().start == at);
        let properties = node.and_then(|node| node.child(ns::W, "sdtPr"));
        let setting = control::set(name, control, properties, value)?;
        let value = &setting.shown;
        splices.extend(setting.splices);
        *filled.count.entry(name.to_owned()).or_default() += 1;
        let content = wrap.content.start - base..wrap.content.end - base;
        let shown = shown_in(&anatomy, &content);
        match shown.filter(|_| !control.placeholder) {
            Some(range) => jobs.push((range, value.clone())),
            None => splices.extend(first_content(opened, properties, content, value, stamp)),
        }
    }
    for field in &opened.paragraph.fields {
        let Some(form) = &field.form else { continue };
        let Some(value) = values.get(form.name.as_str()) else { continue };
        match form::fill(opened, &anatomy, field, form, value)? {
            Filling::Text(range, text) => jobs.push((range, text)),
            Filling::Bytes(bytes) => splices.extend(bytes),
            Filling::Run(at, run) => {
                let run = match stamp {
                    Some(stamp) => {
                        let dialect = &opened.dialect;
                        dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run)
                    }
                    None => run,
                };
                splices.push((at..at, run));
            }
        }
        *filled.count.entry(form.name.clone()).or_default() += 1;
    }
    for found in PLACEHOLDER.iter().flat_map(|placeholder| placeholder.captures_iter(&anatomy.text)) {
        let (Some(whole), Some(name)) = (found.get(0), found.get(1)) else { continue };
        let name = name.as_str();
        let range = whole.range();
        if jobs.iter().any(|(other, _)| other.start < range.end && range.start < other.end) {
            continue;
        }
        match values.get(name) {
            None => drop(filled.missing.insert(name.to_owned())),
            Some(value) => {
                *filled.count.entry(name.to_owned()).or_default() += 1;
                jobs.push((range, value.clone()));
            }
        }
    }
    jobs.sort_by_key(|(range, _)| range.start);
    let mut acts: Vec<Act> = Vec::new();
    for (range, value) in jobs {
        let old = anatomy.text.cut(range.clone())?;
        let new = [Tagged { text: value, marks: Marks::default() }];
        let mut some = rewrite::rewrite(old, &new, std::borrow::Cow::Borrowed);
        rewrite::shift(&mut some, range.start);
        acts.extend(some);
    }
    let operation =
        operate(&anatomy, &acts, Tools { dialect: &opened.dialect, stamp, results: Results::Rewritten })?;
    splices.extend(operation.splices);
    splices.sort_by_key(|(range, _)| range.start);
    opened.add_to(patch, splices)?;
    Ok(operation.notes)
}

/// A value for a control would empty the controls that stand in it.
fn check_inner(paragraph: &Paragraph, outer: &Wrap, name: &str) -> Result<(), Refusal> {
    let inner = paragraph.wraps.iter().find_map(|wrap| match &wrap.kind {
        WrapKind::Control(control) if outer.content.contains(&wrap.span.start) => Some(control),
        _ => None,
    });
    let Some(inner) = inner else { return Ok(()) };
    let called = inner.tag.as_ref().or(inner.title.as_ref());
    Err(Refusal::Unsafe {
        why: format!("the content control `{name}` holds other controls"),
        instead: Some(match called {
            Some(called) => format!("give values for those in it, such as `{called}`"),
            None => "edit the text in it".to_owned(),
        }),
    })
}

/// What the control shows, as a stretch of the paragraph's text.
pub(super) fn shown_in(anatomy: &Anatomy<'_>, content: &Range<usize>) -> Option<Range<usize>> {
    let mut inside = anatomy
        .units
        .iter()
        .filter(|unit| anatomy.outer_node(unit).is_some_and(|node| content.contains(&node.span().start)));
    let first = inside.next()?.text.clone();
    let end = inside.next_back().map_or(first.end, |last| last.text.end);
    Some(first.start..end)
}

/// Content for a control that is empty or shows its prompt, which then is no prompt any more.
fn first_content(
    opened: &OpenParagraph,
    properties: Option<Node<'_>>,
    content: Range<usize>,
    value: &str,
    stamp: Option<&Stamp>,
) -> Vec<(Range<usize>, String)> {
    let mut splices = vec![(content, first_run(&opened.dialect, properties, value, stamp))];
    splices.extend(no_prompt(properties));
    splices
}

fn first_run(dialect: &Dialect, properties: Option<Node<'_>>, value: &str, stamp: Option<&Stamp>) -> String {
    let look = properties.and_then(|properties| properties.child(ns::W, "rPr")).map(RunProperties::of);
    let look = look.unwrap_or_default().without_change().write(dialect);
    let run = dialect.wrap("r", "", &format!("{look}{}", dialect.content(value)));
    match stamp {
        Some(stamp) => dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run),
        None => run,
    }
}

pub(super) fn no_prompt(properties: Option<Node<'_>>) -> Option<(Range<usize>, String)> {
    let prompt = properties.and_then(|properties| properties.child(ns::W, "showingPlcHdr"))?;
    Some((prompt.span(), String::new()))
}

/// What was done to the content controls around blocks, and what is left to do.
#[derive(Default)]
struct Blocks {
    written: BTreeSet<Place>,
    /// Paragraphs that are to say these texts.
    several: Vec<(Vec<ParagraphId>, Vec<String>)>,
}

/// Fills the content controls that stand around blocks, rows or cells.
fn fill_blocks(
    view: &View,
    values: &BTreeMap<&str, String>,
    stamp: Option<&Stamp>,
    filled: &mut Filled,
    patch: &mut Patch,
) -> Result<Blocks, Refusal> {
    let mut blocks = Blocks::default();
    for (number, part) in view.parts().iter().enumerate() {
        for (index, block) in part.boxes.iter().enumerate().filter(|(_, b)| b.kind == BoxKind::Control) {
            let props = block.props.0 as usize..block.props.1 as usize;
            let bytes = part.blob.slice(props.clone());
            let scope = part.numbered_scope(block.scope);
            let Ok(control) = control_of(&bytes, &scope) else { continue };
            let name = control.names().find_map(|name| values.get_key_value(name));
            let Some((name, value)) = name else { continue };
            let paragraphs = part.paragraphs.boxed.iter().enumerate();
            let inside =
                paragraphs.filter(|(_, boxed)| part.around(*boxed).any(|(at, _)| at as usize == index));
            let places: Vec<Place> =
                inside.map(|(at, _)| Place { part: number as u32, index: at as u32 }).collect();
            let direct =
                |place: &Place| part.paragraphs.boxed.get(place.index as usize) == Some(index as u32);
            let prompts = control.placeholder && places.len() > 1;
            let rich = control.kind == ControlKind::RichText && !prompts && places.iter().all(direct);
            let texts = if rich { paragraph_list::split(value) } else { vec![value.clone()] };
            let (place, rest) = match places.as_slice() {
                [place] => (*place, &[][..]),
                [place, rest @ ..] if rich => (*place, rest),
                places => {
                    let ids: Vec<String> =
                        places.iter().take(5).map(|place| view.id(*place).to_string()).collect();
                    return Err(Refusal::Unsafe {
                        why: format!(
                            "the content control `{name}` holds {} paragraphs, a table or other controls",
                            places.len()
                        ),
                        instead: Some(format!("edit its paragraphs: {}", ids.join(", "))),
                    });
                }
            };
            if places.iter().any(|place| !blocks.written.insert(*place)) {
                continue;
            }
            let namespaces = root_namespaces(&part.blob).map_err(|error| error.in_part(&part.name))?;
            let tree = Tree::parse_fragment(&bytes, &namespaces, &XmlLimits::default())
                .map_err(|error| error.in_part(&part.name))?;
            let properties = tree.document(&bytes).elements().next();
            let value = texts.first().unwrap_or(value);
            let setting = control::set(name, &control, properties, value)?;
            *filled.count.entry((*name).to_owned()).or_default() += 1;
            if !rest.is_empty() || texts.len() > 1 {
                let ids = places.iter().map(|place| view.id(*place)).collect();
                blocks.several.push((ids, texts.iter().map(|text| tags::literal(text)).collect()));
            }
            if !rest.is_empty() {
                continue;
            }
            let opened = OpenParagraph::open(view, place)?;
            let anatomy = opened.bare_anatomy()?;
            let mut changed = setting.splices;
            match anatomy.text.is_empty() || control.placeholder {
                true => {
                    let node = opened.node()?;
                    let run = first_run(&opened.dialect, properties, &setting.shown, stamp);
                    let start = node.child(ns::W, "pPr").map(|properties| properties.span().end);
                    let splice = match start {
                        Some(start) => (start..node.content_span().end, run),
                        None if node.closes_itself() => inside_end(node, &run),
                        None => (node.content_span(), run),
                    };
                    opened.add_to(patch, vec![splice])?;
                    changed.extend(no_prompt(properties));
                }
                false => {
                    let new = [Tagged { text: setting.shown, marks: Marks::default() }];
                    let acts = rewrite::rewrite(&anatomy.text, &new, std::borrow::Cow::Borrowed);
                    let operation = operate(
                        &anatomy,
                        &acts,
                        Tools { dialect: &opened.dialect, stamp, results: Results::Rewritten },
                    )?;
                    opened.add_to(patch, operation.splices)?;
                }
            }
            for (range, with) in changed {
                patch.splice(&part.name, props.start + range.start..props.start + range.end, with)?;
            }
        }
    }
    Ok(blocks)
}

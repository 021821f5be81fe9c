//! Filling a template: placeholders in the text, and content controls by tag or title.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use edit::{Context, Note, Patch, Planned, Refusal, Step};
use ooxml::xml::ns;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{Markup, Outcome, clean};
use crate::anatomy::{Anatomy, word_name};
use crate::paragraph::{Control, ControlKind, Lock, WrapKind};
use crate::rewrite::{self, Act};
use crate::run_properties::RunProperties;
use crate::stamp::Stamp;
use crate::surgeon::{Tools, operate};
use crate::tags::{Marks, Tagged};
use crate::theatre::{Theatre, stamp};
use crate::view::View;

/// Fill `{{name}}` in the text of every story, and content controls whose tag or title is a name. Values are
/// plain text; a line end becomes a line break.
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

pub(super) fn plan(view: &View, edit: &FillTemplate, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut values = BTreeMap::new();
    for (name, value) in &edit.values {
        values.insert(name.as_str(), clean("values", value)?);
    }
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let mut patch = Patch::new();
    let mut filled = Filled::default();
    let mut notes: Vec<Note> = Vec::new();
    for place in view.places() {
        let paragraph = view.paragraph(place)?;
        let text = paragraph.text(crate::Side::Final).text;
        let has_control = paragraph.wraps.iter().any(|wrap| matches!(wrap.kind, WrapKind::Control(_)));
        if !has_control && !text.contains("{{") {
            continue;
        }
        let theatre = Theatre::open(view, place)?;
        for note in fill(&theatre, &values, stamp.as_ref(), &mut filled, &mut patch)? {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let unused =
        values.keys().filter(|name| !filled.count.contains_key(**name)).map(|name| (*name).to_owned());
    let outcome = Outcome::Filled {
        unused: unused.collect(),
        missing: filled.missing.into_iter().collect(),
        filled: filled.count,
    };
    let Outcome::Filled { filled, .. } = &outcome else { return Err(Refusal::internal("another outcome")) };
    let summary = format!("Fill {} places of the template", filled.values().sum::<usize>());
    Ok(Planned { step: Step { patch, summary, notes }, outcome })
}

fn fill(
    theatre: &Theatre,
    values: &BTreeMap<&str, String>,
    stamp: Option<&Stamp>,
    filled: &mut Filled,
    patch: &mut Patch,
) -> Result<Vec<Note>, Refusal> {
    let anatomy = theatre.bare_anatomy()?;
    let mut jobs: Vec<(Range<usize>, String)> = Vec::new();
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    for wrap in &theatre.paragraph.wraps {
        let WrapKind::Control(control) = &wrap.kind else { continue };
        let names = [control.tag.as_deref(), control.title.as_deref()];
        let Some(name) = names.into_iter().flatten().find(|name| values.contains_key(*name)) else {
            continue;
        };
        let Some(value) = values.get(name) else { continue };
        check_control(control, name)?;
        *filled.count.entry(name.to_owned()).or_default() += 1;
        let base = theatre.paragraph.span.start;
        let content = wrap.content.start - base..wrap.content.end - base;
        let shown = shown_in(&anatomy, &content);
        match shown.filter(|_| !control.placeholder) {
            Some(range) => jobs.push((range, value.clone())),
            None => splices.extend(first_content(theatre, wrap.span.start - base, content, value, stamp)?),
        }
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
        let old = anatomy.text.get(range.clone()).unwrap_or_default();
        let new = [Tagged { text: value, marks: Marks::default() }];
        let mut some = rewrite::rewrite(old, &new, std::borrow::Cow::Borrowed);
        rewrite::shift(&mut some, range.start);
        acts.extend(some);
    }
    let operation = operate(&anatomy, &acts, Tools { dialect: &theatre.dialect, stamp })?;
    splices.extend(operation.splices);
    theatre.add_to(patch, splices)?;
    Ok(operation.notes)
}

fn check_control(control: &Control, name: &str) -> Result<(), Refusal> {
    if matches!(control.lock, Lock::Content | Lock::Both) {
        return Err(Refusal::Unsafe {
            why: format!("the content control `{name}` is locked"),
            instead: Some("unlock it, or leave its value out".to_owned()),
        });
    }
    match control.kind {
        ControlKind::RichText
        | ControlKind::PlainText
        | ControlKind::ComboBox
        | ControlKind::DropDown
        | ControlKind::Date => Ok(()),
        _ => Err(Refusal::unsupported(format!(
            "a text for the content control `{name}`, which holds something else"
        ))),
    }
}

/// What the control shows, as a stretch of the paragraph's text.
fn shown_in(anatomy: &Anatomy<'_>, content: &Range<usize>) -> Option<Range<usize>> {
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
    theatre: &Theatre,
    control: usize,
    content: Range<usize>,
    value: &str,
    stamp: Option<&Stamp>,
) -> Result<Vec<(Range<usize>, String)>, Refusal> {
    let node = theatre.node()?;
    let control = node.descendants().find(|node| word_name(node) == "sdt" && node.span().start == control);
    let properties = control.and_then(|control| control.child(ns::W, "sdtPr"));
    let look = properties.and_then(|properties| properties.child(ns::W, "rPr")).map(RunProperties::of);
    let dialect = &theatre.dialect;
    let look = look.unwrap_or_default().without_change().write(dialect);
    let run = dialect.wrap("r", "", &format!("{look}{}", dialect.content(value)));
    let run = match stamp {
        Some(stamp) => dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run),
        None => run,
    };
    let mut splices = vec![(content, run)];
    if let Some(prompt) = properties.and_then(|properties| properties.child(ns::W, "showingPlcHdr")) {
        splices.push((prompt.span(), String::new()));
    }
    splices.sort_by_key(|(range, _)| range.start);
    Ok(splices)
}

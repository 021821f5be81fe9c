//! Fields of forms from before there were content controls, filled in.
//!
//! The text of a text field is text like all other, and can be tracked. What a box or a list is set to stands in the mark
//! that begins the field, where Word keeps no tracked changes.

use std::ops::Range;

use edit::Refusal;
use ooxml::xml::{Node, ns};

use crate::document::paragraph::{Field, FormField, FormKind};
use crate::edits::anatomy::{Anatomy, word_name};
use crate::edits::dialect::Dialect;
use crate::edits::marks::{inside_end, inside_start};
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::run_properties::RunProperties;

/// What filling a field changes.
pub(super) enum Filling {
    /// Words in the place of these.
    Text(Range<usize>, String),
    /// Bytes of the paragraph. An inserted run among them is tracked by whoever writes it.
    Bytes(Vec<(Range<usize>, String)>),
    /// A run, at a byte where the field has no text yet.
    Run(usize, String),
}

/// How a text field without text is drawn.
const NOTHING: &str = "\u{2002}\u{2002}\u{2002}\u{2002}\u{2002}";

pub(super) fn fill(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    field: &Field,
    form: &FormField,
    value: &str,
) -> Result<Filling, Refusal> {
    let name = &form.name;
    if !form.enabled {
        return Err(Refusal::Unsafe {
            why: format!("the form field `{name}` may not be filled in"),
            instead: Some("leave its value out".to_owned()),
        });
    }
    let node = opened.node()?;
    let base = opened.paragraph.span.start;
    let at = |atom: Option<usize>| {
        let start = atom.and_then(|atom| opened.paragraph.atoms.get(atom))?.span.start - base;
        node.descendants().find(|node| word_name(node) == "fldChar" && node.span().start == start)
    };
    let begin = at(field.begin).ok_or_else(|| Refusal::internal("a form field that does not begin"))?;
    let data = begin.child(ns::W, "ffData").ok_or_else(|| Refusal::internal("a form field without data"))?;
    match &form.kind {
        FormKind::CheckBox { .. } => {
            let on = truth(value).ok_or_else(|| wrong(name, value, "true or false"))?;
            let boxed =
                data.child(ns::W, "checkBox").ok_or_else(|| Refusal::internal("a box without a box"))?;
            Ok(Filling::Bytes(vec![state(
                boxed,
                "checked",
                if on { "1" } else { "0" },
                &opened.dialect,
                false,
            )]))
        }
        FormKind::DropDown { choices, .. } => {
            let chosen = choices.iter().position(|choice| choice.trim() == value.trim());
            let chosen = chosen
                .ok_or_else(|| wrong(name, value, &format!("one of its choices: {}", choices.join(", "))))?;
            let list =
                data.child(ns::W, "ddList").ok_or_else(|| Refusal::internal("a list without a list"))?;
            let mut splices = vec![state(list, "result", &chosen.to_string(), &opened.dialect, true)];
            // Some programs write the chosen text besides, and others read it there.
            if let Some(shown) = result(anatomy, begin) {
                splices.extend(shown_anew(anatomy, &shown, choices.get(chosen).map_or("", String::as_str)));
            }
            Ok(Filling::Bytes(splices))
        }
        FormKind::Text { of, longest } => {
            check_text(name, value, of.as_deref(), *longest)?;
            let end = at(field.end).ok_or_else(|| Refusal::Unsafe {
                why: format!("the form field `{name}` goes on in another paragraph"),
                instead: Some("edit the text in it".to_owned()),
            })?;
            let text = if value.is_empty() { NOTHING } else { value };
            if let Some(range) = result(anatomy, begin) {
                return Ok(Filling::Text(range, text.to_owned()));
            }
            let run_of = |mark: Node<'_>| mark.parent().map_or(mark.span(), |run| run.span());
            let look =
                end.parent().map_or_else(RunProperties::default, RunProperties::of_run).without_change();
            let dialect = &opened.dialect;
            let look = look.write(dialect);
            let run = |inner: &str| dialect.wrap("r", "", &format!("{look}{inner}"));
            let text = run(&dialect.content(text));
            match at(field.separate) {
                Some(separate) => Ok(Filling::Run(run_of(separate).end, text)),
                None => {
                    let mark = run(&dialect.empty("fldChar", &[("fldCharType", "separate")]));
                    let at = run_of(end).start;
                    Ok(Filling::Bytes(vec![(at..at, format!("{mark}{text}"))]))
                }
            }
        }
    }
}

/// Where the field that begins with this mark shows text.
fn result(anatomy: &Anatomy<'_>, begin: Node<'_>) -> Option<Range<usize>> {
    let run = begin.parent()?;
    let is_it = |ends: &(ooxml::xml::NodeId, ooxml::xml::NodeId)| ends.0 == run.id();
    let field = anatomy.fields.iter().find(|field| field.ends.as_ref().is_some_and(is_it))?;
    (!field.result.is_empty()).then(|| field.result.clone())
}

/// The text of the first run of a result made another, and that of the others nothing.
fn shown_anew(anatomy: &Anatomy<'_>, range: &Range<usize>, text: &str) -> Vec<(Range<usize>, String)> {
    let mut left = Some(text);
    let mut splices = Vec::new();
    for (_, unit) in anatomy.units_in(range) {
        let Some(run) = anatomy.outer_node(unit) else { continue };
        for child in run.elements().filter(|child| word_name(child) == "t") {
            let text = ooxml::xml::escape_text(left.take().unwrap_or("")).into_owned();
            splices.push((child.content_span(), text));
        }
    }
    splices.dedup_by_key(|(range, _)| range.start);
    splices
}

/// `name` set in `inside`: where it stands, or else first or last in it.
fn state(
    inside: Node<'_>,
    name: &str,
    value: &str,
    dialect: &Dialect,
    first: bool,
) -> (Range<usize>, String) {
    let new = dialect.empty(name, &[("val", value)]);
    match inside.child(ns::W, name) {
        Some(known) => (known.span(), new),
        None if first => inside_start(inside, &new),
        None => inside_end(inside, &new),
    }
}

fn check_text(name: &str, value: &str, of: Option<&str>, longest: Option<usize>) -> Result<(), Refusal> {
    if let Some(longest) = longest.filter(|longest| value.chars().count() > *longest) {
        return Err(wrong(name, value, &format!("at most {longest} characters")));
    }
    match of {
        Some("calculated" | "currentDate" | "currentTime") => Err(Refusal::Unsafe {
            why: format!("Word computes the text of the form field `{name}`"),
            instead: Some("leave its value out".to_owned()),
        }),
        Some("number") if !value.is_empty() && !value.chars().any(|c| c.is_ascii_digit()) => {
            Err(wrong(name, value, "a number"))
        }
        _ => Ok(()),
    }
}

pub(super) fn truth(value: &str) -> Option<bool> {
    match value.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" | "x" | "checked" | "\u{2612}" | "\u{2611}" => Some(true),
        "false" | "no" | "off" | "0" | "" | "unchecked" | "\u{2610}" => Some(false),
        _ => None,
    }
}

fn wrong(name: &str, value: &str, expected: &str) -> Refusal {
    Refusal::invalid("values", format!("`{value}`"), format!("{expected} for the form field `{name}`"))
}

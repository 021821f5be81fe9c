//! Content controls: what each kind may hold, and what else changes when it is filled.

use std::ops::Range;

use edit::calendar::{Day, MONTHS, WEEKDAYS};
use edit::{Cut, OrEmpty, Refusal};
use ooxml::xml::{Attribute, Node, ns};

use super::form;
use crate::document::paragraph::{Control, ControlKind, Lock};
use crate::edits::anatomy::word_name;

/// A value as a control will show it, and the changes of its properties (`w:sdtPr`) that go with it.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) shown: String,
    pub(super) splices: Vec<(Range<usize>, String)>,
}

pub(super) fn set(
    name: &str,
    control: &Control,
    properties: Option<Node<'_>>,
    value: &str,
) -> Result<Setting, Refusal> {
    if matches!(control.lock, Lock::Content | Lock::Both) {
        return Err(Refusal::Unsafe {
            why: format!("the content control `{name}` is locked"),
            instead: Some("unlock it, or leave its value out".to_owned()),
        });
    }
    let find = |wanted: &str| properties.and_then(|p| p.elements().find(|child| word_name(child) == wanted));
    let plain = |shown: &str| Setting { shown: shown.to_owned(), splices: Vec::new() };
    match control.kind {
        ControlKind::RichText | ControlKind::PlainText => Ok(plain(value)),
        ControlKind::ComboBox => Ok(plain(&choose(find("comboBox"), value).unwrap_or_else(|_| value.into()))),
        ControlKind::DropDown => match choose(find("dropDownList"), value) {
            Ok(shown) => Ok(plain(&shown)),
            Err(choices) => {
                let expected = format!("one of the choices of `{name}`: {}", choices.join(", "));
                Err(Refusal::invalid("values", format!("`{value}`"), expected))
            }
        },
        ControlKind::Date => date(name, find("date"), value),
        ControlKind::CheckBox => {
            let boxed = properties.and_then(|p| p.elements().find(|child| child.name().local == "checkbox"));
            check(name, boxed, value)
        }
        _ => Err(Refusal::unsupported(format!(
            "a text for the content control `{name}`, which holds something else"
        ))),
    }
}

/// What the list shows for a value or for what it shows; else what can be chosen.
pub(super) fn choose(list: Option<Node<'_>>, value: &str) -> Result<String, Vec<String>> {
    let items = list.iter().flat_map(Node::elements).filter(|item| word_name(item) == "listItem");
    let mut choices = Vec::new();
    for item in items {
        let stored = item.value(ns::W, "value").or_empty();
        let shown = item.value(ns::W, "displayText").unwrap_or_else(|| stored.clone());
        if shown == value || stored == value {
            return Ok(shown.into_owned());
        }
        choices.push(shown.into_owned());
    }
    Err(choices)
}

pub(super) fn check(name: &str, boxed: Option<Node<'_>>, value: &str) -> Result<Setting, Refusal> {
    let on = form::truth(value).ok_or_else(|| {
        let expected = format!("true or false for the check box `{name}`");
        Refusal::invalid("values", format!("`{value}`"), expected)
    })?;
    let boxed = boxed.ok_or_else(|| Refusal::unsupported(format!("the check box `{name}`")))?;
    let child = |wanted: &str| boxed.elements().find(|child| child.name().local == wanted);
    let mut splices = Vec::new();
    let state = if on { "1" } else { "0" };
    match child("checked").map(|node| (node, value_of(node))) {
        Some((_, Some(attribute))) => splices.push((attribute.value_span(), state.to_owned())),
        // Present without a value means yes.
        Some((node, None)) => {
            let prefix = node.qualified().split_once(':').map_or("", |(prefix, _)| prefix);
            let at = node.span().start + 1 + node.qualified().len();
            splices.push((at..at, format!(" {prefix}:val=\"{state}\"")));
        }
        None => {
            let prefix = boxed.qualified().split_once(':').map_or("", |(prefix, _)| prefix);
            splices.push(crate::edits::marks::inside_start(
                boxed,
                &format!("<{prefix}:checked {prefix}:val=\"{state}\"/>"),
            ));
        }
    }
    let (glyph, usual) = if on { ("checkedState", '\u{2612}') } else { ("uncheckedState", '\u{2610}') };
    let glyph = child(glyph).and_then(value_of).map(|attribute| attribute.value());
    let glyph = glyph.and_then(|code| u32::from_str_radix(&code, 16).ok()).and_then(char::from_u32);
    Ok(Setting { shown: glyph.unwrap_or(usual).to_string(), splices })
}

fn value_of<'a>(node: Node<'a>) -> Option<Attribute<'a>> {
    node.attributes().find(|attribute| attribute.local() == "val")
}

fn date(name: &str, node: Option<Node<'_>>, value: &str) -> Result<Setting, Refusal> {
    let wrong = || {
        let expected = format!("a date such as 2026-11-16 for `{name}`");
        Refusal::invalid("values", format!("`{value}`"), expected)
    };
    let numbers: Vec<u32> = value.trim().split('-').filter_map(|number| number.parse().ok()).collect();
    let &[year, month, day] = numbers.as_slice() else { return Err(wrong()) };
    let day = Day { year: i64::from(year), month, day };
    if value.trim().len() != 10 || !day.exists() {
        return Err(wrong());
    }
    let format = node.and_then(|node| node.child(ns::W, "dateFormat"));
    let format = format.and_then(|format| format.value(ns::W, "val")).unwrap_or("yyyy-MM-dd".into());
    let language = node.and_then(|node| node.child(ns::W, "lid")).and_then(|lid| lid.value(ns::W, "val"));
    let english = language.is_none_or(|language| language.starts_with("en"));
    // Names of months in other languages are not ours to guess.
    let format =
        if english || !format.contains("MMM") && !format.contains("ddd") { &format } else { "yyyy-MM-dd" };
    let mut splices = Vec::new();
    if let Some(node) = node {
        let full = format!("{year:04}-{month:02}-{:02}T00:00:00Z", day.day);
        match node.attribute(ns::W, "fullDate") {
            Some(attribute) => splices.push((attribute.value_span(), full)),
            None => {
                let prefix = node.qualified().split_once(':').map_or("", |(prefix, _)| prefix);
                let at = node.span().start + 1 + node.qualified().len();
                splices.push((at..at, format!(" {prefix}:fullDate=\"{full}\"")));
            }
        }
    }
    Ok(Setting { shown: written(format, day), splices })
}

/// A date in one of Word's date pictures.
fn written(format: &str, date: Day) -> String {
    let Day { year, month, day } = date;
    let name = |list: &[&'static str], at: usize, length: usize| {
        let name = list[at];
        if length == 3 { name.get(..3).unwrap_or(name) } else { name }
    };
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let length = rest.chars().take_while(|c| *c == first).count();
        match (first, length) {
            ('d', 1) => out.push_str(&day.to_string()),
            ('d', 2) => out.push_str(&format!("{day:02}")),
            ('d', _) => out.push_str(name(&WEEKDAYS, date.weekday(), length)),
            ('M', 1) => out.push_str(&month.to_string()),
            ('M', 2) => out.push_str(&format!("{month:02}")),
            ('M', _) => out.push_str(name(&MONTHS, month as usize - 1, length)),
            ('y' | 'Y', 1 | 2) => out.push_str(&format!("{:02}", year % 100)),
            ('y' | 'Y', _) => out.push_str(&format!("{year:04}")),
            ('\'', _) => {
                let (quoted, behind) = rest.get(1..).and_then(|r| r.split_once('\'')).unwrap_or(("", ""));
                out.push_str(quoted);
                rest = behind;
                continue;
            }
            (other, length) => out.extend(std::iter::repeat_n(other, length)),
        }
        rest = rest.part(length * first.len_utf8()..);
    }
    out
}

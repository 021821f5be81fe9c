//! Content controls that show data kept elsewhere in the file: a custom XML part, or the properties of the document.
//!
//! Word shows what the data says, not what stands in the text, as soon as it opens the file. So what fills such a control
//! is written into its data too; where that is not possible, the edit says so. This is seen to once, on the finished
//! patch, whichever edit made it.

mod properties;

use std::collections::{BTreeMap, BTreeSet};

use edit::{Content, Level, Note, OrEmpty, PartName, Patch, Refusal};
use memchr::memmem;
use ooxml::Relationships;
use ooxml::xml::{Document, Node, XmlLimits, escape_text, ns};

use crate::document::index::{BoxKind, Part};
use crate::document::paragraph::is_on;
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::marks::inside_end;

use properties::{Kind, Missing};

const BINDING: &[u8] = b"dataBinding";

/// Where a control keeps what it shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Binding {
    /// In capitals: which of the file's data.
    store: String,
    path: String,
    /// ` xmlns:a='…'`, for the names in the path.
    prefixes: String,
}

/// What an edit may change of what a control shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writes {
    /// One that is about a paragraph changes nothing else, and says how to change the data.
    Text,
    Data,
}

#[derive(Debug)]
struct Bound {
    /// Its tag or title.
    name: Option<String>,
    binding: Binding,
    shown: String,
    /// What the data has to say, if that is known.
    value: Option<Value>,
}

#[derive(Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Tick(bool),
}

/// `patch`, and with it the data of the controls that it fills.
pub(super) fn keep(
    view: &View,
    patch: Patch,
    writes: Writes,
    notes: &mut Vec<Note>,
) -> Result<Patch, Refusal> {
    let parts: Vec<&PartName> =
        view.parts().iter().filter(|part| touches(view, part, &patch)).map(|part| &part.name).collect();
    if parts.is_empty() {
        return Ok(patch);
    }
    let after = patch.apply(view.content())?;
    let mut filled: BTreeMap<Binding, Bound> = BTreeMap::new();
    for part in parts {
        let (old, new) = (bound_in(view.content(), part)?, bound_in(&after, part)?);
        // A control that went, or came, changes nothing in the data.
        if old.len() != new.len() {
            continue;
        }
        let changed = old.into_iter().zip(new).filter(|(old, new)| old.shown != new.shown);
        filled.extend(changed.map(|(_, new)| (new.binding.clone(), new)));
    }
    let mut data = Patch::new();
    let mut written = BTreeSet::new();
    let mut missing = Missing::default();
    for bound in filled.values() {
        let done = match &bound.value {
            Some(value) => {
                write(&after, &bound.binding, value, &mut data, &mut written)?
                    || make(&after, &bound.binding, value, &mut missing)?
            }
            None => false,
        };
        let mut text =
            "the text shows a value kept in the document's data; Word may show the old value again"
                .to_owned();
        match &bound.name {
            Some(name) if done && writes == Writes::Text => {
                text.push_str(&format!(" unless the control `{name}` is filled, which changes both"));
            }
            _ if done && writes == Writes::Data => continue,
            _ => {}
        }
        notes.push(Note { level: Level::Warning, text });
    }
    if writes == Writes::Text {
        return Ok(patch);
    }
    missing.write(&after, view.layout().conformance, &mut data)?;
    let mut others = 0;
    for part in view.parts().iter().filter(|_| !data.is_empty()) {
        let same = bound_in(&after, &part.name)?
            .into_iter()
            .filter(|other| filled.get(&other.binding).is_some_and(|bound| bound.shown != other.shown));
        others += same.count();
    }
    if others > 0 {
        let text = format!(
            "the text shows data of the document that {others} more {} too; Word shows the new value there once it opens the file",
            if others == 1 { "place shows" } else { "places show" }
        );
        notes.push(Note { level: Level::Info, text });
    }
    Ok(if data.is_empty() { patch } else { patch.then(&data) })
}

/// Whether the patch writes into a control with data, or into a paragraph that has one.
fn touches(view: &View, part: &Part, patch: &Patch) -> bool {
    let has = |range: std::ops::Range<usize>| memmem::find(&part.blob.slice(range), BINDING).is_some();
    patch.splices(&part.name).iter().any(|splice| {
        let place = view.place_at(&part.name, splice.range.start);
        place.is_some_and(|place| has(part.paragraphs.span(place.index as usize)))
            || has(splice.range.clone())
            || part.box_holding(&splice.range).is_some_and(|boxed| {
                let mut controls = part.around(boxed).filter(|(_, block)| block.kind == BoxKind::Control);
                controls.any(|(_, block)| has(block.props.0 as usize..block.props.1 as usize))
            })
    })
}

fn bound_in(content: &Content, part: &PartName) -> Result<Vec<Bound>, Refusal> {
    let Some(blob) = content.read(part)? else { return Ok(Vec::new()) };
    if memmem::find(&blob.bytes(), BINDING).is_none() {
        return Ok(Vec::new());
    }
    let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
    let controls = document.root().descendants().filter(|node| word_name(node) == "sdt");
    Ok(controls.filter_map(bound).collect())
}

fn bound(control: Node<'_>) -> Option<Bound> {
    let properties = control.child(ns::W, "sdtPr")?;
    let binding = properties.elements().find(|child| child.name().local == "dataBinding")?;
    let said = |name: &str| binding.value(ns::W, name).or_empty().trim().to_owned();
    let mut shown = String::new();
    if let Some(content) = control.child(ns::W, "sdtContent") {
        read(content, &mut shown);
    }
    let child = |wanted: &str| properties.elements().find(|child| child.name().local == wanted);
    let is_prompt = child("showingPlcHdr")
        .is_some_and(|prompt| prompt.value(ns::W, "val").is_none_or(|value| is_on(&value)));
    let value = if is_prompt { None } else { value(&child, &shown) };
    let (store, path, prefixes) = (said("storeItemID").to_uppercase(), said("xpath"), said("prefixMappings"));
    // Word writes an empty tag beside a title.
    let named = |wanted: &str| {
        let name = child(wanted)?.value(ns::W, "val")?.into_owned();
        (!name.is_empty()).then_some(name)
    };
    let name = named("tag").or_else(|| named("alias"));
    Some(Bound { name, binding: Binding { store, path, prefixes }, shown, value })
}

/// What the data says for a control that shows this. Rich text is kept as a whole document there, which is not ours to
/// write.
fn value<'a>(child: &impl Fn(&str) -> Option<Node<'a>>, shown: &str) -> Option<Value> {
    let list = child("dropDownList").or_else(|| child("comboBox"));
    if let Some(list) = list {
        let mut items = list.elements().filter(|item| word_name(item) == "listItem");
        let stored = |item: Node<'_>| item.value(ns::W, "value").map(|value| value.into_owned());
        let item = items.find(|item| {
            let text = item.value(ns::W, "displayText").or_else(|| item.value(ns::W, "value"));
            text.is_some_and(|text| text == shown)
        });
        return Some(Value::Text(item.and_then(stored).unwrap_or_else(|| shown.to_owned())));
    }
    if let Some(date) = child("date") {
        let how = date.child(ns::W, "storeMappedDataAs").and_then(|how| how.value(ns::W, "val"));
        let full = date.value(ns::W, "fullDate")?;
        return Some(Value::Text(match how.as_deref() {
            Some("text") => shown.to_owned(),
            Some("date") => full.get(..10)?.to_owned(),
            _ => full.trim_end_matches('Z').to_owned(),
        }));
    }
    if let Some(boxed) = child("checkbox") {
        let checked = boxed.elements().find(|child| child.name().local == "checked")?;
        let state = checked.attributes().find(|attribute| attribute.local() == "val");
        return Some(Value::Tick(state.is_none_or(|state| is_on(&state.value()))));
    }
    child("text").map(|_| Value::Text(shown.to_owned()))
}

/// The text below a node, without what was deleted.
fn read(node: Node<'_>, text: &mut String) {
    for child in node.elements() {
        match word_name(&child) {
            "t" => text.extend(child.children().map(|inner| inner.text())),
            "tab" if word_name(&node) == "r" => text.push('\t'),
            "br" | "cr" => text.push('\n'),
            "del" | "moveFrom" | "sdtPr" | "pPr" | "rPr" => {}
            _ => read(child, text),
        }
    }
}

/// Writes a value into the data, and answers whether it could.
fn write(
    content: &Content,
    binding: &Binding,
    value: &Value,
    patch: &mut Patch,
    written: &mut BTreeSet<(PartName, usize)>,
) -> Result<bool, Refusal> {
    let Some(part) = store(content, &binding.store)? else { return Ok(false) };
    let Some(blob) = content.read(&part)? else { return Ok(false) };
    let Ok(document) = Document::parse(&blob, &XmlLimits::default()) else { return Ok(false) };
    let Some(steps) = steps(binding) else { return Ok(false) };
    let Some(node) = follow(document.root(), &steps) else { return Ok(false) };
    if node.elements().next().is_some() {
        return Ok(false);
    }
    let old: String = node.children().map(|inner| inner.text()).collect();
    let new = match value {
        Value::Text(text) => text.clone(),
        Value::Tick(on) if matches!(old.trim(), "0" | "1") => u8::from(*on).to_string(),
        Value::Tick(on) => on.to_string(),
    };
    if old != new && written.insert((part.clone(), node.span().start)) {
        let new = escape_text(&new);
        let (range, with) = match node.closes_itself() {
            true => inside_end(node, &new),
            false => (node.content_span(), new.into_owned()),
        };
        patch.splice(&part, range, with)?;
    }
    Ok(true)
}

/// Has a property of the document made that is not there, and answers whether it is one.
fn make(content: &Content, binding: &Binding, value: &Value, missing: &mut Missing) -> Result<bool, Refusal> {
    let (Some(kind), Value::Text(text)) = (Kind::of(&binding.store), value) else { return Ok(false) };
    let Some(steps) = steps(binding) else { return Ok(false) };
    let blob = kind.part(content)?.map(|part| content.read(&part)).transpose()?.flatten();
    if let Some(blob) = blob {
        // One that is there and could not be written is not made again.
        let document = Document::parse(&blob, &XmlLimits::default());
        if document.is_ok_and(|document| follow(document.root(), &steps).is_some()) {
            return Ok(false);
        }
    }
    Ok(missing.add(kind, &steps, text))
}

/// The part with the data of this name. Word has names of its own for the properties of the document.
fn store(content: &Content, name: &str) -> Result<Option<PartName>, Refusal> {
    match Kind::of(name) {
        Some(kind) => kind.part(content),
        None => custom(content, name),
    }
}

fn custom(content: &Content, name: &str) -> Result<Option<PartName>, Refusal> {
    let main = ooxml::main_part(content)?.name;
    let relationships = Relationships::of_part(content, &main)?;
    let items = relationships.iter().filter(|known| known.kind.ends_with("/customXml"));
    for item in items.filter_map(|known| known.part.clone()).filter(|part| content.contains(part)) {
        let about = Relationships::of_part(content, &item)?;
        let about = about.iter().find(|known| known.kind.ends_with("/customXmlProps"));
        let Some(about) = about.and_then(|known| known.part.clone()) else { continue };
        let Some(blob) = content.read(&about)? else { continue };
        let Ok(document) = Document::parse(&blob, &XmlLimits::default()) else { continue };
        let id = document.root().attributes().find(|attribute| attribute.local() == "itemID");
        if id.is_some_and(|id| id.value().to_uppercase() == name) {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// One element of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step<'a> {
    space: &'a str,
    local: &'a str,
    /// Among those of its name, from 1.
    index: usize,
}

/// The elements of a path such as `/a:b[1]/c[2]`, which is all that Word writes itself.
fn steps(binding: &Binding) -> Option<Vec<Step<'_>>> {
    let steps = binding.path.strip_prefix('/')?.split('/').map(|step| {
        let (name, index) = match step.split_once('[') {
            Some((name, index)) => (name, index.strip_suffix(']')?.parse::<usize>().ok()?),
            None => (step, 1),
        };
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let space = if prefix.is_empty() { "" } else { namespace(&binding.prefixes, prefix)? };
        Some(Step { space, local, index })
    });
    steps.collect()
}

/// The element at the end of a path.
fn follow<'a>(root: Node<'a>, steps: &[Step<'_>]) -> Option<Node<'a>> {
    let mut at: Option<Node<'a>> = None;
    for Step { space, local, index } in steps {
        let is_it = |node: &Node<'_>| node.name().local == *local && node.name().namespace == *space;
        at = match at {
            None => Some(root).filter(|root| *index == 1 && is_it(root)),
            Some(parent) => parent.elements().filter(is_it).nth(index.checked_sub(1)?),
        };
        at?;
    }
    at
}

fn namespace<'a>(prefixes: &'a str, prefix: &str) -> Option<&'a str> {
    prefixes.split_whitespace().find_map(|declared| {
        let (name, uri) = declared.split_once('=')?;
        let uri = uri.trim_matches(['\'', '"']);
        (name.strip_prefix("xmlns:")? == prefix).then_some(uri)
    })
}

//! Lists as real numbering: a definition, and a list that uses it.

use std::collections::BTreeMap;

use edit::{PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, ns};

use super::styles::{add_part, spelled};
use crate::document::index::digest;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::dialect::Dialect;
use crate::edits::marks::inside_end;

const NUMBERING_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";

/// A bulleted list: the document's own if it has one, because bullets need no counting.
pub(crate) fn bullets(draft: &mut Draft<'_>) -> Result<u32, Refusal> {
    let (part, document) = numbering(draft)?;
    let used = used(draft.view());
    match existing_bullets(&document, &used) {
        Some(number) => Ok(number),
        None => add(draft, &part, &document, true, &used),
    }
}

/// A new numbered list, which begins at 1.
pub(crate) fn numbers(draft: &mut Draft<'_>) -> Result<u32, Refusal> {
    let (part, document) = numbering(draft)?;
    let used = used(draft.view());
    add(draft, &part, &document, false, &used)
}

fn numbering(draft: &mut Draft<'_>) -> Result<(PartName, Document), Refusal> {
    let part = match &draft.view().layout().numbering {
        Some(part) => part.clone(),
        None => add_part(draft, "numbering", "numbering", NUMBERING_TYPE, "")?,
    };
    let document = ooxml::read_xml(draft.view().content(), &part)?;
    Ok((part, document))
}

fn number(node: &Node<'_>, name: &str) -> Option<u32> {
    node.value(ns::W, name)?.parse().ok()
}

fn value(node: &Node<'_>, name: &str) -> Option<String> {
    node.child(ns::W, name)?.value(ns::W, "val").map(|value| value.into_owned())
}

/// How many paragraphs each list of the body has.
fn used(view: &View) -> BTreeMap<u32, usize> {
    let mut used = BTreeMap::new();
    for numbered in view.body().filter_map(|place| view.numbered(place)) {
        if let Ok(number) = u32::try_from(numbered.num) {
            *used.entry(number).or_default() += 1;
        }
    }
    used
}

/// What people mean by a bullet; a tick or an arrow says something of its own.
const BULLETS: [&str; 4] = ["\u{F0B7}", "\u{2022}", "\u{B7}", "\u{25CF}"];

/// The list with bullets that the document uses most.
fn existing_bullets(document: &Document, used: &BTreeMap<u32, usize>) -> Option<u32> {
    let root = document.root();
    let bulleted = |node: &Node<'_>| {
        let mut levels = node.elements().filter(|node| node.is(ns::W, "lvl"));
        let first = levels.next();
        first.is_some_and(|level| {
            value(&level, "numFmt").as_deref() == Some("bullet")
                && value(&level, "lvlText").is_some_and(|glyph| BULLETS.contains(&glyph.as_str()))
                && level.child(ns::W, "pStyle").is_none()
                && level.child(ns::W, "lvlPicBulletId").is_none()
        }) && node.child(ns::W, "styleLink").is_none()
    };
    let definitions: Vec<u32> = root
        .elements()
        .filter(|node| node.is(ns::W, "abstractNum") && bulleted(node))
        .filter_map(|node| number(&node, "abstractNumId"))
        .collect();
    root.elements()
        .filter(|node| node.is(ns::W, "num") && node.child(ns::W, "lvlOverride").is_none())
        .filter(|node| {
            let definition = value(node, "abstractNumId").and_then(|id| id.parse().ok());
            definition.is_some_and(|id: u32| definitions.contains(&id))
        })
        .filter_map(|node| number(&node, "numId"))
        .max_by_key(|number| (used.get(number).copied().unwrap_or(0), std::cmp::Reverse(*number)))
}

/// How far the text of each level stands from the margin, and its label before it, in twentieths of a point.
#[derive(Debug, Clone, Copy)]
struct Indents {
    first: usize,
    step: usize,
    hanging: usize,
}

const USUAL: Indents = Indents { first: 720, step: 720, hanging: 360 };

/// Where the list stands that the document uses most.
fn indents(document: &Document, used: &BTreeMap<u32, usize>) -> Option<Indents> {
    let root = document.root();
    let (most, _) = used.iter().max_by_key(|(number, count)| (**count, std::cmp::Reverse(**number)))?;
    let list = root.elements().find(|node| node.is(ns::W, "num") && number(node, "numId") == Some(*most))?;
    let definition = value(&list, "abstractNumId")?.parse::<u32>().ok()?;
    let definition = root
        .elements()
        .find(|node| node.is(ns::W, "abstractNum") && number(node, "abstractNumId") == Some(definition))?;
    let indent = |level: u32| {
        let mut levels = definition.elements().filter(|node| node.is(ns::W, "lvl"));
        let level = levels.find(|node| number(node, "ilvl") == Some(level))?;
        // A heading that is numbered is no list.
        let indent = level
            .child(ns::W, "pPr")?
            .child(ns::W, "ind")
            .filter(|_| level.child(ns::W, "pStyle").is_none())?;
        let twips =
            |names: [&str; 2]| names.iter().find_map(|name| indent.value(ns::W, name)?.parse::<usize>().ok());
        Some((twips(["left", "start"])?, twips(["hanging", "hanging"])?))
    };
    let (first, hanging) = indent(0).filter(|(_, hanging)| *hanging > 0)?;
    let step = indent(1).and_then(|(second, _)| second.checked_sub(first)).filter(|step| *step > 0);
    Some(Indents { first, step: step.unwrap_or(USUAL.step), hanging })
}

fn add(
    draft: &mut Draft<'_>,
    part: &PartName,
    document: &Document,
    bullets: bool,
    used: &BTreeMap<u32, usize>,
) -> Result<u32, Refusal> {
    let indents = indents(document, used).unwrap_or(USUAL);
    let root = document.root();
    let dialect = Dialect::of(&root.namespaces())?;
    let highest = |element: &str, attribute: &str| {
        let nodes = root.elements().filter(|node| node.is(ns::W, element));
        nodes.filter_map(|node| number(&node, attribute)).max()
    };
    let definition = highest("abstractNum", "abstractNumId").map_or(0, |id| id + 1);
    let list = highest("num", "numId").map_or(1, |id| id + 1);
    let nsid = digest(draft.cx.seed, format!("{definition}{list}").as_bytes()) as u32 & 0x7FFF_FFFF;
    let levels: String =
        (0..9).map(|level| if bullets { bullet(level, indents) } else { decimal(level, indents) }).collect();
    let abstract_num = format!(
        "<w:abstractNum w:abstractNumId=\"{definition}\"><w:nsid w:val=\"{nsid:08X}\"/><w:multiLevelType w:val=\"hybridMultilevel\"/>{levels}</w:abstractNum>"
    );
    let num = format!("<w:num w:numId=\"{list}\"><w:abstractNumId w:val=\"{definition}\"/></w:num>");
    let (abstract_num, num) = (spelled(&abstract_num, &dialect), spelled(&num, &dialect));
    // The schema has all definitions before all lists, and a clean-up mark behind both.
    let children: Vec<Node<'_>> = root.elements().collect();
    let first_list = children.iter().find(|node| matches!(node.name().local, "num" | "numIdMacAtCleanup"));
    let cleanup = children.iter().find(|node| node.is(ns::W, "numIdMacAtCleanup"));
    let mut patch = Patch::new();
    match (first_list, cleanup) {
        (None, _) => {
            let (range, with) = inside_end(root, &format!("{abstract_num}{num}"));
            patch.splice(part, range, with)?;
        }
        (Some(first), cleanup) => {
            let at = first.span().start;
            patch.splice(part, at..at, abstract_num)?;
            let end = cleanup.map_or(root.content_span().end, |cleanup| cleanup.span().start);
            patch.splice(part, end..end, num)?;
        }
    }
    draft.apply(&patch)?;
    Ok(list)
}

fn bullet(level: usize, indents: Indents) -> String {
    let (character, font) = match level % 3 {
        0 => ("\u{F0B7}", "Symbol"),
        1 => ("o", "Courier New"),
        _ => ("\u{F0A7}", "Wingdings"),
    };
    format!(
        "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"{character}\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"{}\" w:hanging=\"{}\"/></w:pPr><w:rPr><w:rFonts w:ascii=\"{font}\" w:hAnsi=\"{font}\" w:hint=\"default\"/></w:rPr></w:lvl>",
        indents.first + indents.step * level,
        indents.hanging
    )
}

fn decimal(level: usize, indents: Indents) -> String {
    let (format, align, hanging) = match level % 3 {
        0 => ("decimal", "left", indents.hanging),
        1 => ("lowerLetter", "left", indents.hanging),
        _ => ("lowerRoman", "right", indents.hanging / 2),
    };
    format!(
        "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"%{}.\"/><w:lvlJc w:val=\"{align}\"/><w:pPr><w:ind w:left=\"{}\" w:hanging=\"{hanging}\"/></w:pPr></w:lvl>",
        level + 1,
        indents.first + indents.step * level
    )
}

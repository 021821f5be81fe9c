//! Lists as real numbering: a definition, and a list that uses it.

use edit::{PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, ns};

use super::styles::{add_part, spelled};
use crate::document::index::digest;
use crate::edits::Draft;
use crate::edits::dialect::Dialect;
use crate::edits::marks::inside_end;

const NUMBERING_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";

/// A bulleted list: the document's own if it has one, because bullets need no counting.
pub(crate) fn bullets(draft: &mut Draft<'_>) -> Result<u32, Refusal> {
    let (part, document) = numbering(draft)?;
    match existing_bullets(&document) {
        Some(number) => Ok(number),
        None => add(draft, &part, &document, true),
    }
}

/// A new numbered list, which begins at 1.
pub(crate) fn numbers(draft: &mut Draft<'_>) -> Result<u32, Refusal> {
    let (part, document) = numbering(draft)?;
    add(draft, &part, &document, false)
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

fn existing_bullets(document: &Document) -> Option<u32> {
    let root = document.root();
    let bulleted = |node: &Node<'_>| {
        let mut levels = node.elements().filter(|node| node.is(ns::W, "lvl"));
        let first = levels.next();
        first.is_some_and(|level| {
            value(&level, "numFmt").as_deref() == Some("bullet")
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
        .find(|node| {
            let used = value(node, "abstractNumId").and_then(|id| id.parse().ok());
            used.is_some_and(|id: u32| definitions.contains(&id))
        })
        .and_then(|node| number(&node, "numId"))
}

fn add(draft: &mut Draft<'_>, part: &PartName, document: &Document, bullets: bool) -> Result<u32, Refusal> {
    let root = document.root();
    let dialect = Dialect::of(&root.namespaces())?;
    let highest = |element: &str, attribute: &str| {
        let nodes = root.elements().filter(|node| node.is(ns::W, element));
        nodes.filter_map(|node| number(&node, attribute)).max()
    };
    let definition = highest("abstractNum", "abstractNumId").map_or(0, |id| id + 1);
    let list = highest("num", "numId").map_or(1, |id| id + 1);
    let nsid = digest(draft.cx.seed, format!("{definition}{list}").as_bytes()) as u32 & 0x7FFF_FFFF;
    let levels: String = (0..9).map(|level| if bullets { bullet(level) } else { decimal(level) }).collect();
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

fn bullet(level: usize) -> String {
    let (character, font) = match level % 3 {
        0 => ("\u{F0B7}", "Symbol"),
        1 => ("o", "Courier New"),
        _ => ("\u{F0A7}", "Wingdings"),
    };
    format!(
        "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"{character}\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"{}\" w:hanging=\"360\"/></w:pPr><w:rPr><w:rFonts w:ascii=\"{font}\" w:hAnsi=\"{font}\" w:hint=\"default\"/></w:rPr></w:lvl>",
        720 * (level + 1)
    )
}

fn decimal(level: usize) -> String {
    let (format, align, hanging) = match level % 3 {
        0 => ("decimal", "left", 360),
        1 => ("lowerLetter", "left", 360),
        _ => ("lowerRoman", "right", 180),
    };
    format!(
        "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"%{}.\"/><w:lvlJc w:val=\"{align}\"/><w:pPr><w:ind w:left=\"{}\" w:hanging=\"{hanging}\"/></w:pPr></w:lvl>",
        level + 1,
        720 * (level + 1)
    )
}

//! Which section shows which header or footer: a section may have its own, share one, or show that of the section
//! before it, and Word shows first and even pages of their own only where it is told that there are any.

use std::collections::BTreeMap;

use edit::{Level, PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, XmlLimits, ns};
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships, rels_part_of};

use super::{Edge, Pages, SetRunningText, content_type, tell_even_pages};
use crate::anatomy::word_name;
use crate::dialect::Dialect;
use crate::edit::desk::relate;
use crate::marks::inside_end;
use crate::op::Draft;
use crate::paragraph::is_on;
use crate::schema::{Parent, place as schema_place};
use crate::view::View;

pub(super) fn main_document(view: &View) -> Result<Document, Refusal> {
    let main = &view.layout().main;
    let blob = view.content().read(main)?.ok_or_else(|| Refusal::internal("no main part"))?;
    Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(main))
}

pub(super) fn sections(document: &Document) -> Vec<Node<'_>> {
    document.root().descendants().filter(is_section).collect()
}

/// The section that an edit is about.
pub(super) fn meant<'a>(document: &'a Document, edit: &SetRunningText) -> Result<Node<'a>, Refusal> {
    let sections = sections(document);
    let section = edit.section.checked_sub(1).and_then(|index| sections.get(index)).copied();
    section.ok_or_else(|| {
        Refusal::invalid("section", edit.section, format!("a section from 1 to {}", sections.len()))
    })
}

/// Properties of a section as it is; a tracked change keeps what they were inside `sectPrChange`.
fn is_section(node: &Node<'_>) -> bool {
    word_name(node) == "sectPr"
        && node.parent().is_some_and(|parent| matches!(word_name(&parent), "pPr" | "body"))
        && !node.ancestors().any(|up| word_name(&up).ends_with("Change"))
}

fn reference<'a>(section: Node<'a>, edge: Edge, pages: Pages) -> Option<Node<'a>> {
    let name = format!("{}Reference", edge.name());
    section.elements().find(|child| {
        word_name(child) == name && child.value(ns::W, "type").as_deref().unwrap_or("default") == pages.name()
    })
}

/// Whether the section at `index` shows one, its own or that of a section before it.
fn shows(sections: &[Node<'_>], index: usize, edge: Edge, pages: Pages) -> bool {
    sections.iter().take(index + 1).any(|section| reference(*section, edge, pages).is_some())
}

/// The part that a reference names.
fn part_of(view: &View, relationships: &Relationships, reference: Node<'_>) -> Option<PartName> {
    let id = reference.value(ns::R, "id")?;
    relationships.get(&id)?.part.clone().filter(|part| view.content().contains(part))
}

/// The header or footer that the section itself names.
pub(super) fn own_part(view: &View, edit: &SetRunningText) -> Result<Option<PartName>, Refusal> {
    let document = main_document(view)?;
    let relationships = Relationships::of_part(view.content(), &view.layout().main)?;
    let own = reference(meant(&document, edit)?, edit.edge, edit.pages);
    Ok(own.and_then(|own| part_of(view, &relationships, own)))
}

/// Has Word show the pages that the edit is about, and says what else that changes.
pub(super) fn show(draft: &mut Draft<'_>, edit: &SetRunningText) -> Result<(), Refusal> {
    let document = main_document(&draft.view)?;
    let section = meant(&document, edit)?;
    let sections = sections(&document);
    let index = edit.section - 1;
    let mut patch = Patch::new();
    match edit.pages {
        Pages::Default => {
            let rest = sections.iter().enumerate().skip(edit.section);
            let heirs: Vec<String> = rest
                .take_while(|(_, section)| reference(**section, edit.edge, edit.pages).is_none())
                .map(|(index, _)| (index + 1).to_string())
                .collect();
            let name = edit.edge.name();
            match heirs.as_slice() {
                [] => {}
                [heir] => draft.note(
                    Level::Info,
                    format!("section {heir} has no {name} of its own and shows this one too"),
                ),
                heirs => draft.note(
                    Level::Info,
                    format!(
                        "sections {} have no {name} of their own and show this one too",
                        heirs.join(", ")
                    ),
                ),
            }
        }
        Pages::First => {
            let children: Vec<Node<'_>> = section.elements().collect();
            let title = children.iter().find(|child| word_name(child) == "titlePg");
            if title.is_some_and(|title| title.value(ns::W, "val").is_none_or(|value| is_on(&value))) {
                return Ok(());
            }
            let empty = Dialect::of(&section.namespaces())?.empty("titlePg", &[]);
            let next = schema_place(Parent::Section, "titlePg", children.iter().map(word_name));
            let next = next.and_then(|index| children.get(index)).map(|next| next.span().start);
            let (range, with) = match (title, next) {
                (Some(title), _) => (title.span(), empty),
                (None, Some(next)) => (next..next, empty),
                (None, None) => inside_end(section, &empty),
            };
            patch.splice(&draft.view.layout().main, range, with)?;
            let other = edit.edge.other();
            if shows(&sections, index, other, Pages::Default) && !shows(&sections, index, other, Pages::First)
            {
                draft.note(
                    Level::Info,
                    format!(
                        "the first page of section {} now has a {1} of its own too, which is empty; set that {1} as well if it is to say something",
                        edit.section,
                        other.name()
                    ),
                );
            }
        }
        Pages::Even => {
            if let Some(settings) = tell_even_pages(&draft.view, &mut patch)? {
                let kind = format!("{}/settings", ns::R);
                relate(&draft.view, &mut patch, &[(settings, &kind, &content_type("settings"))])?;
            }
            let emptied = |edge: Edge| {
                edge != edit.edge
                    && shows(&sections, sections.len(), edge, Pages::Default)
                    && !shows(&sections, sections.len(), edge, Pages::Even)
            };
            if !patch.is_empty() && (sections.len() > 1 || emptied(edit.edge.other())) {
                draft.note(
                    Level::Info,
                    "even pages now have headers and footers of their own in every section; those that nobody has set are empty",
                );
            }
        }
    }
    draft.apply(&patch)
}

/// Gives the section a copy of a header or footer that other pages show too, so that setting it changes no others.
/// Answers the copy, if there had to be one.
pub(super) fn part_from_others(
    draft: &mut Draft<'_>,
    edit: &SetRunningText,
    part: &PartName,
) -> Result<Option<PartName>, Refusal> {
    let view = &draft.view;
    let main = &view.layout().main;
    let document = main_document(view)?;
    let Some(own) = reference(meant(&document, edit)?, edit.edge, edit.pages) else { return Ok(None) };
    let relationships = Relationships::of_part(view.content(), main)?;
    let mut references = sections(&document).into_iter().flat_map(|section| section.elements());
    let is_shared = references
        .any(|other| other.id() != own.id() && part_of(view, &relationships, other).as_ref() == Some(part));
    let Some(id) = own.attribute(ns::R, "id").filter(|_| is_shared) else { return Ok(None) };
    let copy = super::free_part(view, edit.edge);
    let mut patch = Patch::new();
    patch.put(&copy, copied(view, part)?);
    let rels = rels_part_of(Some(part));
    if let Some(rels) = view.content().read(&rels)? {
        patch.put(&rels_part_of(Some(&copy)), rels);
    }
    let kind = view.layout().conformance.spell(&format!("{}/{}", ns::R, edit.edge.name()));
    let row = NewRelationship { kind: &kind, target: NewTarget::Part(&copy) };
    let ids = relationships.add(&mut patch, &[row])?;
    let new = ids.first().ok_or_else(|| Refusal::internal("a relationship without an id"))?;
    ContentTypes::read(view.content())?.declare(&mut patch, &[(&copy, &content_type(edit.edge.name()))])?;
    patch.splice(main, id.value_span(), new.clone())?;
    draft.apply(&patch)?;
    Ok(Some(copy))
}

/// The bytes of a part without what there may be once in a document only: names of bookmarks, paragraphs and
/// controls go, tracked changes are numbered anew.
fn copied(view: &View, part: &PartName) -> Result<String, Refusal> {
    let blob = view.content().read(part)?.ok_or_else(|| Refusal::internal("no such part"))?;
    let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
    let mut out = String::from_utf8_lossy(&blob.bytes()).into_owned();
    let mut next = view.highest_id();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut splices = Vec::new();
    for node in document.root().descendants() {
        let name = word_name(&node);
        let is_control = || node.parent().is_some_and(|parent| word_name(&parent) == "sdtPr");
        if name.starts_with("bookmark") || name == "id" && is_control() {
            splices.push((node.span(), String::new()));
            continue;
        }
        for attribute in node.attributes() {
            match (attribute.namespace(), attribute.local()) {
                (ns::W14, "paraId" | "textId") => {
                    splices.push((attribute.span().start - 1..attribute.span().end, String::new()));
                }
                (ns::W, "id") if !name.is_empty() => {
                    let number = numbers.entry(attribute.value().into_owned()).or_insert_with(|| {
                        next = next.saturating_add(1);
                        next
                    });
                    splices.push((attribute.value_span(), number.to_string()));
                }
                _ => {}
            }
        }
    }
    for (range, with) in splices.into_iter().rev() {
        out.replace_range(range, &with);
    }
    Ok(out)
}

//! Which section shows which header or footer: a section may have its own, share one, or show that of the section
//! before it, and Word shows first and even pages of their own only where it is told that there are any.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Level, PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, XmlLimits, ns};
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationship, Relationships, rels_part_of};

use super::{Edge, Pages, SetRunningText, content_type, tell_even_pages};
use crate::document::paragraph::is_on;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::marks::{inside_end, inside_start};
use crate::edits::schema::{Parent, place as schema_place};
use crate::edits::side_part::relate;

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

/// There is one at most, unless another program wrote the file.
fn references<'a>(section: Node<'a>, edge: Edge, pages: Pages) -> impl Iterator<Item = Node<'a>> {
    let name = format!("{}Reference", edge.name());
    section.elements().filter(move |child| {
        word_name(child) == name && child.value(ns::W, "type").as_deref().unwrap_or("default") == pages.name()
    })
}

fn refers(section: Node<'_>, edge: Edge, pages: Pages) -> bool {
    references(section, edge, pages).next().is_some()
}

/// Whether the section at `index` shows one, its own or that of a section before it.
fn shows(sections: &[Node<'_>], index: usize, edge: Edge, pages: Pages) -> bool {
    sections.iter().take(index + 1).any(|section| refers(*section, edge, pages))
}

/// The part that a reference names.
fn part_of(view: &View, relationships: &Relationships, reference: Node<'_>) -> Option<PartName> {
    let id = reference.value(ns::R, "id")?;
    relationships.get(&id)?.part.clone().filter(|part| view.content().contains(part))
}

/// Where the header or footer that a section shows is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Own(PartName),
    /// A section without one of its own shows that of the section before it. `from` counts from 1.
    Inherited {
        part: PartName,
        from: usize,
    },
    /// There is none, or it is lost.
    Nothing,
}

pub(super) fn shown(view: &View, edit: &SetRunningText) -> Result<Shown, Refusal> {
    let document = main_document(view)?;
    let relationships = Relationships::of_part(view.content(), &view.layout().main)?;
    let section = meant(&document, edit)?;
    if let Some((_, part)) = live_reference(view, &relationships, section, edit) {
        return Ok(Shown::Own(part));
    }
    if refers(section, edit.edge, edit.pages) {
        return Ok(Shown::Nothing);
    }
    let mut before = sections(&document).into_iter().enumerate().take(edit.section - 1);
    let nearest = before.rfind(|(_, section)| refers(*section, edit.edge, edit.pages));
    let inherited = nearest.and_then(|(index, section)| {
        let (_, part) = live_reference(view, &relationships, section, edit)?;
        Some(Shown::Inherited { part, from: index + 1 })
    });
    Ok(inherited.unwrap_or(Shown::Nothing))
}

/// The reference of a section whose part is there.
fn live_reference<'a>(
    view: &View,
    relationships: &Relationships,
    section: Node<'a>,
    edit: &SetRunningText,
) -> Option<(Node<'a>, PartName)> {
    references(section, edit.edge, edit.pages)
        .find_map(|reference| Some((reference, part_of(view, relationships, reference)?)))
}

/// The header and footer parts of a section, by edge and pages.
pub(crate) type RunningParts = BTreeMap<(Edge, Pages), PartName>;

/// The headers and footers that each section shows, its own or those of the section before it.
pub(crate) fn shown_by_sections(view: &View) -> Result<Vec<RunningParts>, Refusal> {
    let document = main_document(view)?;
    let relationships = Relationships::of_part(view.content(), &view.layout().main)?;
    let mut all: Vec<RunningParts> = Vec::new();
    for section in sections(&document) {
        let mut shown = all.last().cloned().unwrap_or_else(BTreeMap::new);
        for edge in [Edge::Header, Edge::Footer] {
            for pages in [Pages::Default, Pages::First, Pages::Even] {
                let mut own = references(section, edge, pages);
                if let Some(part) = own.find_map(|own| part_of(view, &relationships, own)) {
                    shown.insert((edge, pages), part);
                }
            }
        }
        all.push(shown);
    }
    Ok(all)
}

/// Has the section point at its new header or footer, in the place of one that it pointed at.
pub(super) fn refer(edit: &SetRunningText, id: &str, view: &View, patch: &mut Patch) -> Result<(), Refusal> {
    let main = &view.layout().main;
    let document = main_document(view)?;
    let section = meant(&document, edit)?;
    let relationships = Relationships::of_part(view.content(), main)?;
    let old = live_reference(view, &relationships, section, edit).map(|(old, _)| old);
    let old = old.or_else(|| references(section, edit.edge, edit.pages).next());
    if let Some(known) = old.and_then(|old| old.attribute(ns::R, "id")) {
        return patch.splice(main, known.value_span(), id.to_owned());
    }
    let namespaces = section.namespaces();
    let dialect = Dialect::of(&namespaces)?;
    let (declaration, prefix) = match namespaces.attribute_prefix_of(ns::R) {
        Some(prefix) => (String::new(), prefix),
        None => (format!(" xmlns:r=\"{}\"", view.layout().conformance.spell(ns::R)), "r"),
    };
    let reference = format!(
        "<{}{}Reference{declaration} {}type=\"{}\" {prefix}:id=\"{id}\"/>",
        dialect.element,
        edit.edge.name(),
        dialect.attribute,
        edit.pages.name()
    );
    let (range, with) = match old {
        Some(old) => (old.span(), reference),
        None => inside_start(section, &reference),
    };
    patch.splice(main, range, with)
}

/// Takes away what the section refers to in vain: all references but one, which will name the new part, and the
/// relationships that nothing else names.
pub(super) fn forget_lost(draft: &mut Draft<'_>, edit: &SetRunningText) -> Result<(), Refusal> {
    let view = draft.view();
    let main = &view.layout().main;
    let document = main_document(view)?;
    let relationships = Relationships::of_part(view.content(), main)?;
    let lost: Vec<Node<'_>> = references(meant(&document, edit)?, edit.edge, edit.pages).collect();
    let mut patch = Patch::new();
    for reference in lost.iter().skip(1) {
        patch.splice(main, reference.span(), "")?;
    }
    let ids: BTreeSet<String> =
        lost.iter().filter_map(|lost| lost.value(ns::R, "id")).map(|id| id.into_owned()).collect();
    for id in ids.iter().filter(|id| relationships.get(id).is_some_and(|known| !is_there(view, known))) {
        let others =
            document.root().descendants().filter(|node| !lost.iter().any(|lost| lost.id() == node.id()));
        let mut named = others.flat_map(|node| node.attributes());
        if !named.any(|attribute| attribute.namespace() == ns::R && attribute.value() == id.as_str()) {
            relationships.remove(&mut patch, id)?;
        }
    }
    draft.apply(&patch)
}

fn is_there(view: &View, relationship: &Relationship) -> bool {
    relationship.part.as_ref().is_none_or(|part| view.content().contains(part))
}

/// Has Word show the pages that the edit is about, and says what else that changes.
pub(super) fn show(draft: &mut Draft<'_>, edit: &SetRunningText) -> Result<(), Refusal> {
    let document = main_document(draft.view())?;
    let section = meant(&document, edit)?;
    let sections = sections(&document);
    let index = edit.section - 1;
    let mut patch = Patch::new();
    match edit.pages {
        Pages::Default => {
            let rest = sections.iter().enumerate().skip(edit.section);
            let heirs: Vec<String> = rest
                .take_while(|(_, section)| !refers(**section, edit.edge, edit.pages))
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
            patch.splice(&draft.view().layout().main, range, with)?;
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
            if let Some(settings) = tell_even_pages(draft.view(), &mut patch)? {
                let kind = format!("{}/settings", ns::R);
                relate(draft.view(), &mut patch, &[(settings, &kind, &content_type("settings"))])?;
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

/// Gives the section a copy of a header or footer that other pages show too, so that setting it changes no others and
/// what else is in it, such as a logo or a table, stays. Answers the copy, if there had to be one.
pub(super) fn copy_for(
    draft: &mut Draft<'_>,
    edit: &SetRunningText,
    shown: &Shown,
) -> Result<Option<PartName>, Refusal> {
    let view = draft.view();
    let main = &view.layout().main;
    let relationships = Relationships::of_part(view.content(), main)?;
    let part = match shown {
        Shown::Own(part) if is_shared(view, &relationships, edit, part)? => part,
        Shown::Inherited { part, .. } => part,
        Shown::Own(_) | Shown::Nothing => return Ok(None),
    };
    let copy = super::free_part(view, edit.edge, part)?;
    let mut patch = Patch::new();
    patch.put(&copy, copied(view, part)?);
    if let Some(rels) = view.content().read(Relationships::of_part(view.content(), part)?.part())? {
        patch.put(&rels_part_of(Some(&copy)), rels);
    }
    let kind = view.layout().conformance.spell(&format!("{}/{}", ns::R, edit.edge.name()));
    let row = NewRelationship { kind: &kind, target: NewTarget::Part(&copy) };
    let ids = relationships.add(&mut patch, &[row])?;
    let new = ids.first().ok_or_else(|| Refusal::internal("a relationship without an id"))?;
    ContentTypes::read(view.content())?.declare(&mut patch, &[(&copy, &content_type(edit.edge.name()))])?;
    refer(edit, new, view, &mut patch)?;
    draft.apply(&patch)?;
    Ok(Some(copy))
}

/// Whether other references name the part that the section itself does.
fn is_shared(
    view: &View,
    relationships: &Relationships,
    edit: &SetRunningText,
    part: &PartName,
) -> Result<bool, Refusal> {
    let document = main_document(view)?;
    let own = live_reference(view, relationships, meant(&document, edit)?, edit).map(|(own, _)| own.id());
    let mut references = sections(&document).into_iter().flat_map(|section| section.elements());
    Ok(references
        .any(|other| Some(other.id()) != own && part_of(view, relationships, other).as_ref() == Some(part)))
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

//! Parts that hang on a sheet or drawing: how they come, how they go, and how several changes of the same parts
//! become one patch.

use std::collections::BTreeMap;

use edit::{Blob, Draft, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, ns};
use ooxml::{Conformance, ContentTypes, NewRelationship, NewTarget, Relationships};

use crate::calc::view::{Sheet, View};
use crate::edits::input::Outcome;
use crate::file::a1::Area;
use crate::read::sheet_view::SheetView;

/// Changes made one after another, each on what the last one left: a draft of one edit.
pub(crate) struct Stage {
    strokes: Draft<Sheet>,
}

impl Stage {
    pub(crate) fn new(view: &View) -> Stage {
        Stage { strokes: Draft::new(view.content.clone(), view.clone()) }
    }

    /// The workbook as it is now.
    pub(crate) fn view(&self) -> &View {
        self.strokes.view()
    }

    /// All that was done so far.
    pub(crate) fn patch(&self) -> Patch {
        self.strokes.patch()
    }

    pub(crate) fn then(&mut self, patch: &Patch) -> Result<(), Refusal> {
        if patch.is_empty() {
            return Ok(());
        }
        let step = Step { patch: patch.clone(), ..Step::default() };
        let next = self.strokes.fork().take(step)?;
        self.strokes.join(next);
        Ok(())
    }
}

/// A part that is new, and what it is to the part it hangs on.
pub(crate) struct NewPart<'a> {
    pub(crate) part: &'a PartName,
    pub(crate) kind: &'a str,
    pub(crate) content_type: &'a str,
    pub(crate) bytes: Blob,
}

/// Adds parts to what `owner` points at and answers the ids of the relationships. A part that is there already
/// is only pointed at.
pub(crate) fn attach(
    view: &View,
    patch: &mut Patch,
    owner: &PartName,
    parts: Vec<NewPart<'_>>,
) -> Result<Vec<String>, Refusal> {
    let relationships = Relationships::of_part(&view.content, owner)?;
    let new: Vec<NewRelationship<'_>> = parts
        .iter()
        .map(|part| NewRelationship { kind: part.kind, target: NewTarget::Part(part.part) })
        .collect();
    let ids = relationships.add(patch, &new)?;
    let types: Vec<(&PartName, &str)> = parts.iter().map(|part| (part.part, part.content_type)).collect();
    ContentTypes::read(&view.content)?.declare(patch, &types)?;
    for part in parts.into_iter().filter(|part| !view.content.contains(part.part)) {
        patch.put(part.part, part.bytes);
    }
    Ok(ids)
}

/// The folder of the workbook with its slash, where new parts go.
pub(crate) fn folder(view: &View) -> String {
    view.workbook.part.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// Strict files spell namespaces and relationships in their own way; what we write whole is written in the
/// usual one.
pub(crate) fn refuse_strict(view: &View, what: &str) -> Result<(), Refusal> {
    match view.workbook.conformance {
        Conformance::Transitional => Ok(()),
        Conformance::Strict => Err(Refusal::Unsupported {
            what: format!("{what} in a strict workbook"),
            instead: Some("save it as an ordinary .xlsx file first".to_owned()),
        }),
    }
}

/// How an attribute with a relationship's id starts below `node`: its prefix, declared first where need be.
pub(crate) fn relationship_attribute(node: &Node<'_>, strict: bool) -> String {
    match node.namespaces().attribute_prefix_of(ns::R) {
        Some(prefix) => format!("{prefix}:id"),
        None if strict => {
            "xmlns:r=\"http://purl.oclc.org/ooxml/officeDocument/relationships\" r:id".to_owned()
        }
        None => format!("xmlns:r=\"{}\" r:id", ns::R),
    }
}

/// A relationship type in the spelling of the workbook.
pub(crate) fn kind(view: &View, name: &str) -> String {
    match view.workbook.relationships.iter().any(|relationship| relationship.strict) {
        true => format!("http://purl.oclc.org/ooxml/officeDocument/relationships/{name}"),
        false => format!("{}/{name}", ns::R),
    }
}

/// The main namespace in the spelling of the workbook.
pub(crate) fn namespace(view: &View) -> &'static str {
    match view.workbook.conformance {
        Conformance::Strict => "http://purl.oclc.org/ooxml/spreadsheetml/main",
        Conformance::Transitional => ns::S,
    }
}

/// A part and everything that hangs on it and on nothing else; nothing where something other than `through`
/// points at it.
pub(crate) fn own_parts(view: &View, part: &PartName, through: &PartName) -> Result<Vec<PartName>, Refusal> {
    let mut owners: BTreeMap<PartName, Vec<PartName>> = BTreeMap::new();
    for name in view.content.names().filter(|name| !name.as_str().ends_with(".rels")) {
        for relationship in Relationships::of_part(&view.content, name)?.iter() {
            if let Some(target) = &relationship.part {
                owners.entry(target.clone()).or_default().push(name.clone());
            }
        }
    }
    if owners.get(part).is_some_and(|owners| owners.len() > 1 || owners.iter().any(|owner| owner != through))
    {
        return Ok(Vec::new());
    }
    let mut gone = vec![part.clone()];
    let mut at = 0;
    while let Some(part) = gone.get(at).cloned() {
        at += 1;
        for relationship in Relationships::of_part(&view.content, &part)?.iter() {
            let Some(target) = relationship.part.clone().filter(|target| view.content.contains(target))
            else {
                continue;
            };
            // Caches, persons and the like belong to the workbook even where a sheet alone points at them.
            let shared =
                owners.get(&target).is_some_and(|owners| owners.iter().any(|owner| !gone.contains(owner)));
            if !shared && !gone.contains(&target) {
                gone.push(target);
            }
        }
    }
    Ok(gone)
}

/// Removes the relationship `id` of `owner`, and what it points at with all that hangs on it alone.
pub(crate) fn detach(view: &View, patch: &mut Patch, owner: &PartName, id: &str) -> Result<(), Refusal> {
    let relationships = Relationships::of_part(&view.content, owner)?;
    let target = relationships.get(id).and_then(|found| found.part.clone());
    relationships.remove(patch, id)?;
    let Some(target) = target.filter(|target| view.content.contains(target)) else { return Ok(()) };
    let types = ContentTypes::read(&view.content)?;
    for part in own_parts(view, &target, owner)? {
        drop_part(view, patch, &types, &part)?;
    }
    Ok(())
}

pub(crate) fn drop_part(
    view: &View,
    patch: &mut Patch,
    types: &ContentTypes,
    part: &PartName,
) -> Result<(), Refusal> {
    // What cannot be read could not be brought back by an undo.
    view.content.read(part)?;
    types.forget(patch, part)?;
    patch.remove(part);
    let relationships = ooxml::rels_part_of(Some(part));
    if view.content.contains(&relationships) {
        view.content.read(&relationships)?;
        patch.remove(&relationships);
    }
    Ok(())
}

/// A planned change of one sheet.
pub(crate) fn planned(
    sheet: &SheetView<'_>,
    patch: Patch,
    summary: String,
    touched: Vec<Area>,
) -> Planned<Outcome> {
    let step = Step { patch, summary, notes: Vec::new() };
    Planned { step, outcome: Outcome { sheet: sheet.name().to_owned(), touched, ..Outcome::default() } }
}

/// A relationship of a sheet by the last word of its type, with its part.
pub(crate) fn attached_part(
    sheet: &SheetView<'_>,
    kind: &str,
) -> Result<Option<(String, PartName)>, Refusal> {
    let found = sheet.relationships()?;
    let mut own = found.iter().filter(|r| r.kind.rsplit('/').next() == Some(kind)).filter_map(|r| {
        Some((r.id.clone(), r.part.clone().filter(|part| sheet.book.content.contains(part))?))
    });
    Ok(own.next())
}

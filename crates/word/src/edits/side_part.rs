//! A part beside the story that an edit adds to, takes from or has to make.

use edit::{Blob, PartName, Patch, Refusal};
use ooxml::xml::{Document, XmlLimits};
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships, find_part};

use crate::document::view::View;
use crate::edits::marks::inside_end;

/// Splices of one part, and what is appended to its root.
#[derive(Debug)]
pub(super) struct SidePart {
    part: PartName,
    /// Absent when the part is to be made.
    pub(super) document: Option<Document>,
    pub(super) splices: Vec<(std::ops::Range<usize>, String)>,
    pub(super) appended: String,
}

impl SidePart {
    pub(super) fn open(view: &View, known: Option<&PartName>, name: &str) -> Result<Self, Refusal> {
        let known = known.cloned().filter(|part| view.content().contains(part));
        let part = known.clone().unwrap_or_else(|| free(view, name));
        let blob: Option<Blob> = match &known {
            Some(part) => view.content().read(part)?,
            None => None,
        };
        let document = blob
            .map(|blob| Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(&part)))
            .transpose()?;
        Ok(Self { part, document, splices: Vec::new(), appended: String::new() })
    }

    /// Answers the part if it had to be made.
    pub(super) fn finish(
        self,
        patch: &mut Patch,
        root: &str,
        name: &str,
    ) -> Result<Option<PartName>, Refusal> {
        match &self.document {
            None if self.appended.is_empty() => Ok(None),
            None => {
                let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n";
                patch.put(&self.part, format!("{head}{root}{}</{name}>", self.appended));
                Ok(Some(self.part))
            }
            Some(document) => {
                for (range, with) in self.splices {
                    patch.splice(&self.part, range, with)?;
                }
                if !self.appended.is_empty() {
                    let (range, with) = inside_end(document.root(), &self.appended);
                    patch.splice(&self.part, range, with)?;
                }
                Ok(None)
            }
        }
    }
}

/// The usual name beside the main part, or one that nobody has.
fn free(view: &View, name: &str) -> PartName {
    let folder = view.layout().main.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let usual = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    match find_part(view.content(), &usual) {
        None => PartName::new(usual),
        Some(_) => {
            let stem = usual.strip_suffix(".xml").unwrap_or(&usual);
            ooxml::free_name(view.content(), stem, "xml")
        }
    }
}

/// Says of new parts what they are, and has the main part point at them.
pub(super) fn relate(view: &View, patch: &mut Patch, new: &[(PartName, &str, &str)]) -> Result<(), Refusal> {
    if new.is_empty() {
        return Ok(());
    }
    let kinds: Vec<String> = new.iter().map(|(_, kind, _)| view.layout().conformance.spell(kind)).collect();
    let relationships: Vec<NewRelationship<'_>> = new
        .iter()
        .zip(&kinds)
        .map(|((part, _, _), kind)| NewRelationship { kind, target: NewTarget::Part(part) })
        .collect();
    Relationships::of_part(view.content(), &view.layout().main)?.add(patch, &relationships)?;
    let types: Vec<(&PartName, &str)> =
        new.iter().map(|(part, _, content_type)| (part, *content_type)).collect();
    ContentTypes::read(view.content())?.declare(patch, &types)
}

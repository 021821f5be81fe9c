//! The properties of the document that Word keeps itself: title, author, company and the like.
//!
//! They are data like any other for the controls that show them, but a file has only those that somebody has set. One
//! that is not there yet is made, as Word does when such a control is filled.

use std::collections::BTreeMap;

use edit::{Content, PartName, Patch, Refusal};
use ooxml::xml::{Document, Namespaces, XmlLimits, escape_attribute, escape_text};
use ooxml::{Conformance, ContentTypes, NewRelationship, NewTarget, Relationships};

use super::Step;
use crate::edits::marks::inside_end;

const DC: &str = "http://purl.org/dc/elements/1.1/";
const CP: &str = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties";
const EP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties";

/// A part with such properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Core,
    Extended,
}

impl Kind {
    /// By the name that Word has for the data.
    pub(super) fn of(store: &str) -> Option<Self> {
        match store {
            "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}" => Some(Self::Core),
            "{6668398D-A668-4E3E-A5EB-62B293D839F1}" => Some(Self::Extended),
            _ => None,
        }
    }

    fn root(self) -> (&'static str, &'static str) {
        match self {
            Self::Core => (CP, "coreProperties"),
            Self::Extended => (EP, "Properties"),
        }
    }

    fn relationship(self) -> &'static str {
        match self {
            Self::Core => {
                "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
            }
            Self::Extended => {
                "http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
            }
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Core => "application/vnd.openxmlformats-package.core-properties+xml",
            Self::Extended => "application/vnd.openxmlformats-officedocument.extended-properties+xml",
        }
    }

    fn usual_name(self) -> &'static str {
        match self {
            Self::Core => "docProps/core.xml",
            Self::Extended => "docProps/app.xml",
        }
    }

    fn free_name(self, content: &Content) -> PartName {
        let usual = self.usual_name();
        match ooxml::find_part(content, usual) {
            None => PartName::new(usual),
            Some(_) => ooxml::free_name(content, usual.trim_end_matches(".xml"), "xml"),
        }
    }

    /// The part of this kind, whether or not it is there.
    pub(super) fn part(self, content: &Content) -> Result<Option<PartName>, Refusal> {
        let end = self.relationship().rsplit('/').next().unwrap_or(self.relationship());
        let relationships = Relationships::of_package(content)?;
        let found = relationships.iter().find(|known| known.kind.rsplit('/').next() == Some(end));
        Ok(found.and_then(|known| known.part.clone()))
    }

    /// Properties that are text and may be missing.
    fn knows(self, space: &str, name: &str) -> bool {
        match self {
            Self::Core if space == DC => matches!(name, "title" | "subject" | "creator" | "description"),
            Self::Core => space == CP && matches!(name, "keywords" | "category" | "contentStatus"),
            Self::Extended => space == EP && matches!(name, "Company" | "Manager" | "HyperlinkBase"),
        }
    }
}

/// Properties to be made.
#[derive(Debug, Default)]
pub(super) struct Missing(BTreeMap<(Kind, String), (String, String)>);

impl Missing {
    /// Notes a property, and answers whether it is one.
    pub(super) fn add(&mut self, kind: Kind, path: &[Step<'_>], value: &str) -> bool {
        let [root, property] = path else { return false };
        let fits = (root.space, root.local) == kind.root()
            && (root.index, property.index) == (1, 1)
            && kind.knows(property.space, property.local);
        if fits {
            let key = (kind, property.local.to_owned());
            self.0.entry(key).or_insert_with(|| (property.space.to_owned(), value.to_owned()));
        }
        fits
    }

    /// Writes them, into parts that are there or new ones.
    pub(super) fn write(
        &self,
        content: &Content,
        conformance: Conformance,
        patch: &mut Patch,
    ) -> Result<(), Refusal> {
        let mut made = Vec::new();
        for kind in [Kind::Core, Kind::Extended] {
            let own = self.0.iter().filter(|((known, _), _)| *known == kind);
            let own: Vec<(&str, &str, &str)> = own
                .map(|((_, name), (space, value))| (space.as_str(), name.as_str(), value.as_str()))
                .collect();
            if own.is_empty() {
                continue;
            }
            let known = kind.part(content)?;
            let blob = known.as_ref().map(|part| content.read(part)).transpose()?.flatten();
            if let (Some(part), Some(blob)) = (&known, blob) {
                let document =
                    Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
                let namespaces = document.root().namespaces();
                let elements: String = own.iter().map(|one| element(*one, Some(&namespaces))).collect();
                let (range, with) = inside_end(document.root(), &elements);
                patch.splice(part, range, with)?;
                continue;
            }
            let elements: String = own.iter().map(|one| element(*one, None)).collect();
            let (space, root) = kind.root();
            let part = known.clone().unwrap_or_else(|| kind.free_name(content));
            patch.put(
                &part,
                format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<p:{root} xmlns:p=\"{space}\">{elements}</p:{root}>"
                ),
            );
            made.push((kind, part, known.is_none()));
        }
        let types: Vec<(&PartName, &str)> =
            made.iter().map(|(kind, part, _)| (part, kind.content_type())).collect();
        if !types.is_empty() {
            ContentTypes::read(content)?.declare(patch, &types)?;
        }
        let kinds: Vec<String> =
            made.iter().map(|(kind, _, _)| conformance.spell(kind.relationship())).collect();
        let rows = made.iter().zip(&kinds).filter(|((_, _, new), _)| *new);
        let rows: Vec<NewRelationship<'_>> = rows
            .map(|((_, part, _), kind)| NewRelationship { kind, target: NewTarget::Part(part) })
            .collect();
        if !rows.is_empty() {
            Relationships::of_package(content)?.add(patch, &rows)?;
        }
        Ok(())
    }
}

fn element((space, name, value): (&str, &str, &str), around: Option<&Namespaces>) -> String {
    let value = escape_text(value);
    match around.and_then(|around| around.prefix_of(space)) {
        Some("") => format!("<{name}>{value}</{name}>"),
        Some(prefix) => format!("<{prefix}:{name}>{value}</{prefix}:{name}>"),
        None => format!("<{name} xmlns=\"{}\">{value}</{name}>", escape_attribute(space)),
    }
}

//! `[Content_Types].xml`: which type each part has.

use edit::{Content, PartName, Patch, Refusal};

use crate::parts::{CONTENT_TYPES, find_part, read_xml};
use crate::xml::{Document, escape_attribute, ns};
use crate::xml_append::append;

/// The types of the parts of a package, by extension and by name.
#[derive(Clone, Debug)]
pub struct ContentTypes {
    part: PartName,
    document: Document,
}

impl ContentTypes {
    pub fn read(content: &Content) -> Result<ContentTypes, Refusal> {
        let part = find_part(content, CONTENT_TYPES).unwrap_or(PartName::new(CONTENT_TYPES));
        let document = read_xml(content, &part)?;
        Ok(ContentTypes { part, document })
    }

    /// The type of `part`: its own, or that of its extension.
    pub fn of(&self, part: &PartName) -> Option<&str> {
        self.override_of(part).or_else(|| self.default_of(extension(part)))
    }

    /// The parts that have a type of their own.
    pub fn overrides(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows("Override", "PartName").map(|(name, kind)| (name.trim_start_matches('/'), kind))
    }

    /// The types by extension.
    pub fn defaults(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows("Default", "Extension")
    }

    /// Plans that each of `parts` gets its type; where it has it already, nothing happens. Pictures are
    /// declared by extension, as Office does, everything else by name.
    pub fn declare(&self, patch: &mut Patch, parts: &[(&PartName, &str)]) -> Result<(), Refusal> {
        let prefix = self.prefix();
        let mut added = String::new();
        let mut extensions: Vec<String> = Vec::new();
        for (part, content_type) in parts {
            if self.of(part) == Some(content_type) {
                continue;
            }
            let extension = extension(part);
            let by_extension = content_type.starts_with("image/")
                && !extension.is_empty()
                && self.default_of(extension).is_none()
                && self.override_of(part).is_none();
            if by_extension {
                if !extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
                    let (extension, kind) = (escape_attribute(extension), escape_attribute(content_type));
                    added += &format!("<{prefix}Default Extension=\"{extension}\" ContentType=\"{kind}\"/>");
                }
                extensions.push(extension.to_owned());
                continue;
            }
            self.forget(patch, part)?;
            let (name, kind) = (escape_attribute(part.as_str()), escape_attribute(content_type));
            added += &format!("<{prefix}Override PartName=\"/{name}\" ContentType=\"{kind}\"/>");
        }
        append(patch, &self.part, &self.document, &added)
    }

    /// Plans that relationship parts have their type, which a package without any may not say.
    pub(crate) fn declare_relationships(&self, patch: &mut Patch) -> Result<(), Refusal> {
        const TYPE: &str = "application/vnd.openxmlformats-package.relationships+xml";
        let said = "Extension=\"rels\"";
        let planned = patch.splices(&self.part).iter();
        let planned = planned
            .map(|splice| splice.with.bytes())
            .any(|new| memchr::memmem::find(&new, said.as_bytes()).is_some());
        if planned || self.default_of("rels").is_some() {
            return Ok(());
        }
        let added = format!("<{}Default {said} ContentType=\"{TYPE}\"/>", self.prefix());
        append(patch, &self.part, &self.document, &added)
    }

    /// Plans that `part`, which is being removed, is no longer listed.
    pub fn forget(&self, patch: &mut Patch, part: &PartName) -> Result<(), Refusal> {
        for node in self.document.root().elements() {
            if node.is(ns::CONTENT_TYPES, "Override")
                && node.value(ns::NONE, "PartName").is_some_and(|name| names(&name, part))
            {
                patch.splice(&self.part, node.span(), "")?;
            }
        }
        Ok(())
    }

    fn override_of(&self, part: &PartName) -> Option<&str> {
        self.rows("Override", "PartName").find(|(name, _)| names(name, part)).map(|(_, kind)| kind)
    }

    fn default_of(&self, extension: &str) -> Option<&str> {
        self.defaults().find(|(known, _)| known.eq_ignore_ascii_case(extension)).map(|(_, kind)| kind)
    }

    fn rows<'a>(&'a self, element: &'a str, key: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.document.root().elements().filter(move |node| node.is(ns::CONTENT_TYPES, element)).filter_map(
            move |node| {
                let key = node.attribute(ns::NONE, key)?.raw();
                Some((key, node.attribute(ns::NONE, "ContentType")?.raw()))
            },
        )
    }

    fn prefix(&self) -> String {
        match self.document.root().prefix() {
            "" => String::new(),
            prefix => format!("{prefix}:"),
        }
    }
}

fn extension(part: &PartName) -> &str {
    let file = part.as_str().rsplit('/').next().unwrap_or(part.as_str());
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn names(written: &str, part: &PartName) -> bool {
    written.strip_prefix('/').unwrap_or(written).eq_ignore_ascii_case(part.as_str())
}

//! Changing `w:rPr` as written: single children are put in, taken out or replaced, the rest stays as it is.

use edit::OrEmpty;
use ooxml::xml::{Node, ns};

use crate::document::stamp::Stamp;
use crate::edits::dialect::Dialect;
use crate::edits::schema::{Parent, place, sort};
use crate::text::tags::{Marks, Vertical};

/// Children of `w:rPr`, as written, with their local names; those of an extension (`w14:shadow`) have their namespace
/// before it, because some are called as one of ours. Change records are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunProperties {
    children: Vec<(String, String)>,
    /// The record of an earlier tracked change, as written.
    change: Option<String>,
}

/// Formatting that marks words out of their sentence, and what people call it.
pub(crate) const EMPHASIS: &[(&str, &str)] = &[
    ("rStyle", "the character style"),
    ("b", "bold"),
    ("bCs", "bold"),
    ("i", "italic"),
    ("iCs", "italic"),
    ("caps", "capitals"),
    ("smallCaps", "small capitals"),
    ("strike", "strike-through"),
    ("dstrike", "strike-through"),
    ("outline", "outline"),
    ("shadow", "shadow"),
    ("emboss", "relief"),
    ("imprint", "relief"),
    ("color", "colour"),
    ("highlight", "highlight"),
    ("u", "underline"),
    ("effect", "effect"),
    ("bdr", "border"),
    ("shd", "shading"),
    ("vertAlign", "raising"),
    ("em", "emphasis mark"),
];

impl RunProperties {
    pub(crate) fn of_run(run: Node<'_>) -> Self {
        run.child(ns::W, "rPr").map_or_else(Self::default, Self::of)
    }

    pub(crate) fn of(properties: Node<'_>) -> Self {
        let mut found = Self::default();
        for child in properties.elements() {
            let source = String::from_utf8_lossy(child.source()).into_owned();
            let (namespace, local) = (child.name().namespace, child.name().local);
            match local {
                _ if namespace != ns::W => found.children.push((format!("{{{namespace}}}{local}"), source)),
                "rPrChange" => found.change = Some(source),
                // Marks of a paragraph's own revisions are no formatting.
                "ins" | "del" | "moveFrom" | "moveTo" => {}
                _ => found.children.push((local.to_owned(), source)),
            }
        }
        found
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.children.is_empty() && self.change.is_none()
    }

    /// For text that is new: the record of a change belongs to the old text.
    pub(crate) fn without_change(mut self) -> Self {
        self.change = None;
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.children.iter().rfind(|(child, _)| child == name).map(|(_, source)| source.as_str())
    }

    pub(crate) fn children(&self) -> &[(String, String)] {
        &self.children
    }

    /// Whether a toggle such as `b` is set here directly; `None` if it is not mentioned.
    pub(crate) fn toggle(&self, name: &str) -> Option<bool> {
        let source = self.get(name)?;
        let off = ["\"0\"", "\"false\"", "\"off\"", "\"none\"", "'0'", "'false'", "'off'", "'none'"];
        Some(!off.iter().any(|off| source.contains(&format!("val={off}"))))
    }

    pub(crate) fn set(&mut self, name: &str, source: String) {
        self.remove(name);
        let at = place(Parent::Run, name, self.children.iter().map(|(name, _)| name.as_str()));
        self.children.insert(at.unwrap_or(self.children.len()), (name.to_owned(), source));
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.children.retain(|(child, _)| child != name);
    }

    /// What of them is emphasis, in the order of the schema.
    pub(crate) fn emphasis(&self) -> Vec<(String, String)> {
        let find = |(name, _): &(&str, &str)| Some(((*name).to_owned(), self.get(name)?.to_owned()));
        EMPHASIS.iter().filter_map(find).collect()
    }

    /// These properties as the marks want them.
    pub(crate) fn with_marks(&self, marks: &Marks, dialect: &Dialect) -> Self {
        let mut changed = self.clone();
        if let Some(emphasis) = marks.emphasis.as_ref().filter(|wanted| **wanted != self.emphasis()) {
            for (name, _) in EMPHASIS {
                changed.remove(name);
            }
            for (name, source) in emphasis {
                changed.set(name, source.clone());
            }
        }
        let toggles = [
            (marks.bold, &["b", "bCs"][..]),
            (marks.italic, &["i", "iCs"][..]),
            (marks.strike, &["strike"][..]),
        ];
        for (wanted, names) in toggles {
            let Some(wanted) = wanted else { continue };
            for name in names {
                match wanted {
                    true if changed.toggle(name) == Some(true) => {}
                    true => changed.set(name, dialect.empty(name, &[])),
                    // Off has to be said, because the style may say on.
                    false if *name == "bCs" || *name == "iCs" => changed.remove(name),
                    false => changed.set(name, dialect.empty(name, &[("val", "0")])),
                }
            }
        }
        match marks.underline {
            Some(true) if changed.toggle("u") != Some(true) => {
                changed.set("u", dialect.empty("u", &[("val", "single")]));
            }
            Some(false) => changed.set("u", dialect.empty("u", &[("val", "none")])),
            _ => {}
        }
        for (name, source) in &marks.look {
            changed.set(name, source.clone());
        }
        if marks.unhighlighted {
            changed.remove("highlight");
            changed.remove("shd");
        }
        if let Some(font) = &marks.font {
            let faces = [("ascii", font.as_str()), ("hAnsi", font), ("cs", font)];
            changed.set("rFonts", dialect.empty("rFonts", &faces));
        }
        if let Some(colour) = &marks.colour {
            changed.set("color", dialect.empty("color", &[("val", colour)]));
        }
        if let Some(size) = marks.size {
            for name in ["sz", "szCs"] {
                changed.set(name, dialect.empty(name, &[("val", &size.to_string())]));
            }
        }
        if marks.link.is_some() && marks.colour.is_none() {
            changed.set("color", dialect.empty("color", &[("val", "0563C1"), ("themeColor", "hyperlink")]));
            changed.set("u", dialect.empty("u", &[("val", "single")]));
        }
        if let Some(colour) = &marks.highlight {
            changed.set("highlight", dialect.empty("highlight", &[("val", colour)]));
        }
        if let Some(vertical) = marks.vertical {
            let value = match vertical {
                Vertical::Superscript => "superscript",
                Vertical::Subscript => "subscript",
            };
            changed.set("vertAlign", dialect.empty("vertAlign", &[("val", value)]));
        }
        changed
    }

    /// These properties with a record that they were `before`; a record that is there already stays.
    pub(crate) fn recorded(&self, before: &Self, stamp: &Stamp, dialect: &Dialect) -> Self {
        let mut changed = self.clone();
        if changed.change.is_none() && changed.children != before.children {
            let old = before.written();
            let rpr = match old.is_empty() {
                true => dialect.empty("rPr", &[]),
                false => dialect.wrap("rPr", "", &old),
            };
            changed.change = Some(dialect.wrap("rPrChange", &stamp.attributes(&dialect.attribute), &rpr));
        }
        changed
    }

    /// Who made the formatting change that is recorded here, if it is somebody else: there is room for one record, so what
    /// is formatted now becomes part of that change.
    pub(crate) fn recorded_by_another(&self, stamp: &Stamp) -> Option<String> {
        another_author(self.change.as_deref()?, stamp)
    }

    /// The element, or nothing if it would be empty.
    pub(crate) fn write(&self, dialect: &Dialect) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut inner = self.written();
        inner.push_str(self.change.as_deref().or_empty());
        dialect.wrap("rPr", "", &inner)
    }

    /// A file may have its properties in any order and twice, and then the last one counts; what we write has each
    /// once, in the order of the schema.
    pub(crate) fn written(&self) -> String {
        let mut children: Vec<&(String, String)> = Vec::with_capacity(self.children.len());
        for child in &self.children {
            children.retain(|(name, _)| *name != child.0);
            children.push(child);
        }
        sort(Parent::Run, &mut children, |(name, _)| name);
        children.iter().map(|(_, source)| source.as_str()).collect()
    }
}

/// Whose record this is, if it is not of whoever the stamp is of.
pub(crate) fn another_author(record: &str, stamp: &Stamp) -> Option<String> {
    let tag = record.split('>').next().unwrap_or(record);
    let author = crate::document::names::attribute(tag.as_bytes(), "author")?.into_owned();
    (author != stamp.author).then_some(author)
}

/// What is to be said where formatting becomes part of a change of somebody else.
pub(crate) fn told_of_record(author: &str) -> String {
    format!(
        "some of the text has a tracked formatting change of {author} already, and Word keeps one record for each: the new \
         formatting is part of that change, and is taken back with it alone; accept or reject it first to have both apart"
    )
}

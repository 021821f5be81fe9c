//! Small changes to XML parts: an attribute set, an element put where the schema wants it.

use std::fmt::Display;
use std::ops::Range;

use edit::{PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, escape_attribute, ns};

use crate::file::worksheet::Worksheet;

/// How every part of ours begins, as Office begins its own.
pub(crate) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n";

/// Children of `workbook`, in the order Excel insists on.
pub(crate) const WORKBOOK_ORDER: &[&str] = &[
    "fileVersion",
    "fileSharing",
    "workbookPr",
    "workbookProtection",
    "bookViews",
    "sheets",
    "functionGroups",
    "externalReferences",
    "definedNames",
    "calcPr",
    "oleSize",
    "customWorkbookViews",
    "pivotCaches",
    "smartTagPr",
    "smartTagTypes",
    "webPublishing",
    "fileRecoveryPr",
    "webPublishObjects",
    "extLst",
];

/// Children of `worksheet`.
pub(crate) const WORKSHEET_ORDER: &[&str] = &[
    "sheetPr",
    "dimension",
    "sheetViews",
    "sheetFormatPr",
    "cols",
    "sheetData",
    "sheetCalcPr",
    "sheetProtection",
    "protectedRanges",
    "scenarios",
    "autoFilter",
    "sortState",
    "dataConsolidate",
    "customSheetViews",
    "mergeCells",
    "phoneticPr",
    "conditionalFormatting",
    "dataValidations",
    "hyperlinks",
    "printOptions",
    "pageMargins",
    "pageSetup",
    "headerFooter",
    "rowBreaks",
    "colBreaks",
    "customProperties",
    "cellWatches",
    "ignoredErrors",
    "smartTags",
    "drawing",
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
];

/// Children of `styleSheet`.
pub(crate) const STYLES_ORDER: &[&str] = &[
    "numFmts",
    "fonts",
    "fills",
    "borders",
    "cellStyleXfs",
    "cellXfs",
    "cellStyles",
    "dxfs",
    "tableStyles",
    "colors",
    "extLst",
];

/// Attributes as they stand in a tag, each with a blank before it. The values are those of XML already.
pub(crate) fn attributes<N: Display, V: Display>(attributes: &[(N, V)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect()
}

/// A part that was parsed, and how offsets of its document read in the part.
#[derive(Clone, Copy)]
pub(crate) struct Xml<'a> {
    pub(crate) part: &'a PartName,
    pub(crate) document: &'a Document,
    worksheet: Option<&'a Worksheet>,
}

impl<'a> Xml<'a> {
    pub(crate) fn new(part: &'a PartName, document: &'a Document) -> Xml<'a> {
        Xml { part, document, worksheet: None }
    }

    /// The frame of a sheet.
    pub(crate) fn frame(worksheet: &'a Worksheet) -> Xml<'a> {
        Xml { part: &worksheet.part, document: &worksheet.frame.document, worksheet: Some(worksheet) }
    }

    pub(crate) fn root(&self) -> Node<'a> {
        self.document.root()
    }

    /// The prefix of the root with its colon, for new elements.
    pub(crate) fn prefix(&self) -> String {
        match self.root().prefix() {
            "" => String::new(),
            prefix => format!("{prefix}:"),
        }
    }

    pub(crate) fn place(&self, span: Range<usize>) -> Range<usize> {
        match self.worksheet {
            Some(worksheet) => worksheet.span_in_part(span),
            None => span,
        }
    }

    pub(crate) fn splice(
        &self,
        patch: &mut Patch,
        span: Range<usize>,
        with: impl Into<String>,
    ) -> Result<(), Refusal> {
        patch.splice(self.part, self.place(span), with.into())
    }

    pub(crate) fn set_attribute(
        &self,
        patch: &mut Patch,
        node: &Node<'_>,
        name: &str,
        value: &str,
    ) -> Result<(), Refusal> {
        if let Some(attribute) = node.attribute(ns::NONE, name) {
            if attribute.value() == value {
                return Ok(());
            }
            return self.splice(patch, attribute.value_span(), escape_attribute(value));
        }
        let tag = node.tag_span();
        let end = if node.closes_itself() { tag.end - 2 } else { tag.end - 1 };
        self.splice(patch, end..end, format!(" {name}=\"{}\"", escape_attribute(value)))
    }

    pub(crate) fn set_attributes(
        &self,
        patch: &mut Patch,
        node: &Node<'_>,
        wanted: &[(&str, impl AsRef<str>)],
    ) -> Result<(), Refusal> {
        wanted.iter().try_for_each(|(name, value)| self.set_attribute(patch, node, name, value.as_ref()))
    }

    /// Sets attributes of a child of the root, which comes to be where it is not there.
    pub(crate) fn set_on_child(
        &self,
        patch: &mut Patch,
        order: &[&str],
        name: &str,
        wanted: &[(&str, impl AsRef<str> + Display)],
    ) -> Result<(), Refusal> {
        if wanted.is_empty() {
            return Ok(());
        }
        match self.root().child(ns::S, name) {
            Some(node) => self.set_attributes(patch, &node, wanted),
            None => {
                let markup = format!("<{}{name}{}/>", self.prefix(), attributes(wanted));
                self.insert(patch, order, name, &markup)
            }
        }
    }

    pub(crate) fn remove_attribute(
        &self,
        patch: &mut Patch,
        node: &Node<'_>,
        name: &str,
    ) -> Result<(), Refusal> {
        let Some(attribute) = node.attribute(ns::NONE, name) else { return Ok(()) };
        let span = attribute.span();
        // With the blank before it.
        self.splice(patch, span.start - 1..span.end, "")
    }

    pub(crate) fn remove(&self, patch: &mut Patch, node: &Node<'_>) -> Result<(), Refusal> {
        self.splice(patch, node.span(), "")
    }

    /// Puts `markup` as the last content of `parent`.
    pub(crate) fn append(&self, patch: &mut Patch, parent: &Node<'_>, markup: &str) -> Result<(), Refusal> {
        if !parent.closes_itself() {
            let end = parent.content_span().end;
            return self.splice(patch, end..end, markup);
        }
        let end = parent.span().end;
        self.splice(patch, end - 2..end, format!(">{markup}</{}>", parent.qualified()))
    }

    /// Puts `markup`, an element `name`, among the children of the root where `order` wants it.
    pub(crate) fn insert(
        &self,
        patch: &mut Patch,
        order: &[&str],
        name: &str,
        markup: &str,
    ) -> Result<(), Refusal> {
        let rank = |local: &str| order.iter().position(|known| *known == local);
        let own = rank(name);
        let later = self.root().elements().find(|node| {
            // What stands in a compatibility block is ranked by what it holds.
            let local = match node.name().local {
                "AlternateContent" => {
                    let inner = node.descendants().find(|inner| inner.is(ns::S, inner.name().local));
                    inner.map_or("", |inner| inner.name().local)
                }
                local => local,
            };
            rank(local).is_some_and(|rank| Some(rank) > own)
        });
        match later {
            Some(later) => {
                let at = later.span().start;
                self.splice(patch, at..at, markup)
            }
            None => self.append(patch, &self.root(), markup),
        }
    }
}

//! What a document is made of: blocks, and the names by which callers address them.

use std::fmt;
use std::str::FromStr;

use edit::Refusal;
use serde::{Deserialize, Serialize};

/// How a heading is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingStyle {
    /// `## Title`
    Atx,
    /// The title underlined with `===` or `---`.
    Setext,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeStyle {
    Fenced,
    Indented,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ListKind {
    Bullet,
    Ordered,
    /// A bullet list with a check box on at least one item.
    Task,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    FrontMatter,
    Heading {
        level: u8,
        style: HeadingStyle,
    },
    /// Also the text of a list item without blank lines, which has no paragraph of its own in the grammar:
    /// one more blank line would give it one, and its name should not depend on that.
    Paragraph,
    Code(CodeStyle),
    /// A paragraph that is one `$$…$$` and nothing else.
    Math,
    /// A paragraph that is one image and nothing else.
    Image,
    Quote,
    List(ListKind),
    /// With the state of its check box, if it has one.
    Item(Option<bool>),
    Table,
    TableHead,
    TableRow,
    TableCell,
    Rule,
    Html,
    Footnote,
    DefinitionList,
    Term,
    Definition,
}

/// The kinds that are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prefix {
    FrontMatter,
    Heading,
    Paragraph,
    Code,
    Math,
    Image,
    Quote,
    Bullets,
    Ordered,
    Tasks,
    Item,
    Table,
    Rule,
    Html,
    Footnote,
    DefinitionList,
    Term,
    Definition,
}

impl Prefix {
    pub(crate) const COUNT: usize = 18;
    const ALL: [(Prefix, &'static str); Self::COUNT] = [
        (Self::FrontMatter, "meta"),
        (Self::Heading, "h"),
        (Self::Paragraph, "p"),
        (Self::Code, "code"),
        (Self::Math, "math"),
        (Self::Image, "img"),
        (Self::Quote, "quote"),
        (Self::Bullets, "ul"),
        (Self::Ordered, "ol"),
        (Self::Tasks, "task"),
        (Self::Item, "li"),
        (Self::Table, "table"),
        (Self::Rule, "hr"),
        (Self::Html, "html"),
        (Self::Footnote, "fn"),
        (Self::DefinitionList, "dl"),
        (Self::Term, "dt"),
        (Self::Definition, "dd"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(prefix, _)| *prefix == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(prefix, _)| *prefix)
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// `h-0`, `p-12`: an ordinal per kind in document order, valid for the revision it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub prefix: Prefix,
    pub ordinal: usize,
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.prefix.as_str(), self.ordinal)
    }
}

impl FromStr for NodeId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let parsed = text.rsplit_once('-').and_then(|(name, ordinal)| {
            let (prefix, _) = Prefix::ALL.iter().find(|(_, known)| *known == name)?;
            // `h-+1` and `h-01` are no ids: one node has one name.
            let canonical = ordinal == "0" || !ordinal.starts_with(['0', '+']);
            Some(NodeId { prefix: *prefix, ordinal: ordinal.parse().ok().filter(|_| canonical)? })
        });
        parsed.ok_or_else(|| Refusal::invalid("node id", format!("`{text}`"), "an id such as h-0 or p-12"))
    }
}

impl Serialize for NodeId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Kind {
    /// `None` for the inner parts of a table, which are addressed by row and column.
    pub fn prefix(self) -> Option<Prefix> {
        Some(match self {
            Self::FrontMatter => Prefix::FrontMatter,
            Self::Heading { .. } => Prefix::Heading,
            Self::Paragraph => Prefix::Paragraph,
            Self::Code(_) => Prefix::Code,
            Self::Math => Prefix::Math,
            Self::Image => Prefix::Image,
            Self::Quote => Prefix::Quote,
            Self::List(ListKind::Bullet) => Prefix::Bullets,
            Self::List(ListKind::Ordered) => Prefix::Ordered,
            Self::List(ListKind::Task) => Prefix::Tasks,
            Self::Item(_) => Prefix::Item,
            Self::Table => Prefix::Table,
            Self::Rule => Prefix::Rule,
            Self::Html => Prefix::Html,
            Self::Footnote => Prefix::Footnote,
            Self::DefinitionList => Prefix::DefinitionList,
            Self::Term => Prefix::Term,
            Self::Definition => Prefix::Definition,
            Self::TableHead | Self::TableRow | Self::TableCell => return None,
        })
    }

    /// The name of the kind at the doors.
    pub fn name(self) -> &'static str {
        match self {
            Self::FrontMatter => "frontMatter",
            Self::Heading { .. } => "heading",
            Self::Paragraph => "paragraph",
            Self::Code(_) => "codeBlock",
            Self::Math => "mathBlock",
            Self::Image => "image",
            Self::Quote => "blockquote",
            Self::List(ListKind::Bullet) => "bulletList",
            Self::List(ListKind::Ordered) => "orderedList",
            Self::List(ListKind::Task) => "taskList",
            Self::Item(_) => "listItem",
            Self::Table => "table",
            Self::TableHead => "tableHeader",
            Self::TableRow => "tableRow",
            Self::TableCell => "tableCell",
            Self::Rule => "horizontalRule",
            Self::Html => "html",
            Self::Footnote => "footnote",
            Self::DefinitionList => "definitionList",
            Self::Term => "definitionTerm",
            Self::Definition => "definition",
        }
    }

    pub fn level(self) -> Option<u8> {
        match self {
            Self::Heading { level, .. } => Some(level),
            _ => None,
        }
    }

    /// Whether it holds blocks. What is no container holds text.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            Self::Quote
                | Self::List(_)
                | Self::Item(_)
                | Self::Table
                | Self::TableHead
                | Self::TableRow
                | Self::Footnote
                | Self::DefinitionList
                | Self::Definition
        )
    }

    /// Whether it holds text with inline formatting.
    pub(crate) fn has_inlines(self) -> bool {
        matches!(
            self,
            Self::Heading { .. } | Self::Paragraph | Self::Math | Self::Image | Self::TableCell | Self::Term
        )
    }
}

/// A block inside a chunk. Ranges count from the start of the chunk; children follow their parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// One past the last block inside this one.
    pub(crate) last: u32,
    /// Index of the block around this one; [`Block::TOP`] if there is none.
    pub(crate) parent: u32,
}

impl Block {
    pub(crate) const TOP: u32 = u32::MAX;

    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_id_reads_back_as_it_was_written() {
        for (prefix, _) in Prefix::ALL {
            assert_eq!(Prefix::ALL[prefix.index()].0, prefix);
            let id = NodeId { prefix, ordinal: 7 };
            assert_eq!(id.to_string().parse::<NodeId>().unwrap(), id);
        }
        for bad in ["", "h", "h-", "h-01", "h-+1", "h--1", "x-1", "H-1", "h-1 "] {
            assert!(bad.parse::<NodeId>().is_err(), "{bad}");
        }
    }
}

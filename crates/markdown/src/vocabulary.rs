//! What can be done to a document, as data.
//!
//! Edits name blocks by id and text by byte range, both of the revision they are planned on. A staged edit
//! is [fixed](Edit::Fixed) first: it becomes the splices it means, with the text each of them expects, and
//! these can be carried over the edits that others make meanwhile.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::block::{ListKind, NodeId};
use crate::inline::Mark;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Edit {
    /// Fill an empty document.
    Write {
        content: String,
    },
    /// Bytes `range` become `with`; `expect` is what must stand there.
    Replace {
        range: Range<usize>,
        expect: Option<String>,
        with: String,
    },
    /// Replace text wherever it stands, also across inline formatting.
    Substitute {
        find: String,
        with: String,
        which: Which,
        case: Case,
        #[serde(default)]
        within: Within,
    },
    /// Replace the occurrence of `text` whose neighbourhood is most like the context given.
    ReplaceAnchored {
        text: String,
        before: String,
        after: String,
        with: String,
    },

    /// Give a block new content. Text that is no block of its kind becomes the content of that kind: a
    /// heading stays a heading.
    Update {
        node: NodeId,
        content: String,
    },
    InsertAfter {
        node: NodeId,
        content: String,
    },
    InsertBefore {
        node: NodeId,
        content: String,
    },
    /// Give the document front matter, with or without its fences; nothing takes it away.
    SetFrontMatter {
        content: String,
    },
    /// Insert at a place as a block of its own: behind the block that holds the place.
    InsertBlock {
        at: usize,
        content: String,
    },
    Delete {
        node: NodeId,
    },
    Move {
        node: NodeId,
        after: NodeId,
    },
    /// Mark all text of a block, or take the mark off if all of it has it.
    Format {
        node: NodeId,
        mark: Mark,
    },

    /// New content for a section; with a heading of the section's level at its start, a new heading too.
    UpdateSection {
        heading: NodeId,
        content: String,
    },
    /// Insert a section behind that of a heading, or behind any other block.
    InsertSection {
        after: NodeId,
        level: u8,
        title: String,
        content: String,
    },
    MoveSection {
        heading: NodeId,
        after: NodeId,
    },

    ToggleMark {
        range: Range<usize>,
        mark: Mark,
    },
    SetLink {
        range: Range<usize>,
        href: String,
        title: Option<String>,
    },
    RemoveLink {
        range: Range<usize>,
    },
    ClearFormatting {
        range: Range<usize>,
    },

    SetBlock {
        range: Range<usize>,
        to: BlockType,
    },
    /// As [`Edit::SetBlock`]; back to a paragraph if the block is of that type already.
    ToggleBlock {
        range: Range<usize>,
        to: BlockType,
    },

    ToggleList {
        range: Range<usize>,
        to: ListKind,
    },
    Indent {
        range: Range<usize>,
    },
    Outdent {
        range: Range<usize>,
    },
    List {
        node: NodeId,
        operations: Vec<ListOperation>,
    },

    InsertTable {
        at: usize,
        rows: usize,
        columns: usize,
        header: Header,
    },
    Table {
        table: TableAt,
        operations: Vec<TableOperation>,
    },
    DeleteTable {
        table: TableAt,
    },

    /// Full-width or half-width punctuation in prose; the whole document if there is no range.
    CjkPunctuation {
        range: Option<Range<usize>>,
        to: Width,
    },
    /// Blanks between CJK and Latin text in prose.
    CjkSpacing {
        range: Option<Range<usize>>,
        action: Spacing,
    },

    /// All or none; every edit speaks of the document as it is before the first.
    Group {
        edits: Vec<Edit>,
    },
    /// What another edit came to.
    Fixed(Fixed),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Case {
    Sensitive,
    Insensitive,
}

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub range: Range<usize>,
    /// The match runs across markup that a reader does not see.
    pub across: bool,
}

/// Which of several matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Which {
    First,
    All,
    /// Counts from 0.
    Nth(usize),
    /// Refuse if there are several.
    Only,
}

/// What of a document is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Within {
    #[default]
    Source,
    /// What a reader reads as text: no code, math, HTML, link targets, addresses or front matter.
    Prose,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum BlockType {
    Paragraph,
    Heading { level: u8 },
    CodeBlock { language: Option<String> },
    Blockquote,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Header {
    Row,
    /// Markdown has no table without a header row; its cells stay empty.
    Empty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Width {
    Full,
    Half,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Spacing {
    Add,
    Remove,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableAt {
    Node(NodeId),
    /// The table around this place.
    Place(usize),
}

/// Rows count from 0 with the header row as row 0, columns from 0. `Here` is where the place in
/// [`TableAt::Place`] is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TableOperation {
    SetCell {
        row: usize,
        column: usize,
        content: String,
    },
    /// Insert a row so that it becomes row `at`; at the end if `None`.
    AddRow {
        at: Option<usize>,
        cells: Vec<String>,
    },
    AddRowHere {
        side: Side,
    },
    DeleteRow {
        at: usize,
    },
    DeleteRowHere,
    AddColumn {
        at: Option<usize>,
        header: String,
        cells: Vec<String>,
    },
    AddColumnHere {
        side: Side,
    },
    DeleteColumn {
        at: usize,
    },
    DeleteColumnHere,
    /// Give the header row these cells.
    SetHeader {
        cells: Vec<String>,
    },
    /// The header's cells become the first row below an empty header, or back.
    ToggleHeader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    Before,
    After,
}

/// Items count from 0 among the direct items of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ListOperation {
    SetItem {
        index: usize,
        content: String,
    },
    /// Insert an item so that it becomes item `at`; at the end if `None`.
    AddItem {
        at: Option<usize>,
        content: String,
        checked: Option<bool>,
    },
    DeleteItem {
        index: usize,
    },
    Indent {
        index: usize,
    },
    Outdent {
        index: usize,
    },
    SetChecked {
        index: usize,
        /// The other state if `None`.
        checked: Option<bool>,
    },
    /// Number an ordered list from its first number on.
    Renumber,
    /// The item at `from` becomes the item at `to`.
    Reorder {
        from: usize,
        to: usize,
    },
}

/// An edit as splices that can be carried to a later revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    pub spots: Vec<Spot>,
    /// What the edit speaks of without changing it: lost if that is changed.
    pub guards: Vec<Guard>,
    pub summary: String,
}

/// Text that is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spot {
    pub range: Range<usize>,
    /// What stands there.
    pub original: String,
    pub with: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    pub range: Range<usize>,
    /// Of the bytes in the range.
    pub hash: u64,
}

/// What an edit has to report beside its patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// In the document as it was.
    pub spots: Vec<Spot>,
    /// What a search found, whether replaced or not.
    pub matches: Vec<Match>,
    /// How many of them were replaced.
    pub replaced: usize,
    /// The blocks that are new or other than they were, in the document as it will be.
    pub changed: Vec<NodeId>,
    /// The blocks that are changed or gone, in the document as it was.
    pub touched: Vec<NodeId>,
}

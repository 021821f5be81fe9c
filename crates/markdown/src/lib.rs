//! Markdown without loss.
//!
//! A document is its source text. Blocks, sections, lists, tables and inline marks are ranges of that text
//! ([`View`]), and an [`Edit`] is a splice on it: what is not changed keeps every byte, odd spacing, CRLF,
//! byte order mark and missing final newline included. Nothing is ever printed back from a tree.
//!
//! Positions are bytes here; [`View`] converts to and from the code points, UTF-16 units, lines and columns
//! that callers use.

mod block;
mod measure;
mod parse;
mod prefix;
mod view;

mod code;
mod inline;
mod list;

mod changed;
mod format;
mod moved;
mod ops;
mod safety;
mod shape;

mod check;
mod read;
mod vocabulary;
mod walk;

pub use block::{CodeStyle, HeadingStyle, Kind, ListKind, NodeId, Prefix};
pub use check::{FileLink, Finding, Rule, anchors, check, has_anchor, links};
pub use code::language;
pub use format::{Limits, Markdown, Source};
pub use inline::{InlinePiece, Leaf, LinkStyle, Mark, PieceKind, Span, SpanKind};
pub use measure::{LineColumn, Measure};
pub use moved::{difference, found_again};
pub use ops::find::{find, is_prose, replacement};
pub use ops::node::fenced_code;
pub use ops::section::{Section, section, sections};
pub use read::{
    Candidate, CursorPlace, Heading, KINDS, PlaceBlock, Query, Resolved, candidates, heading_called, is_kind,
    knows_kind, no_markup_at, outline, place, resolve, words,
};
pub use view::{Node, View};
pub use vocabulary::{
    BlockType, Case, Edit, Fixed, Guard, Header, ListOperation, Match, Outcome, Side, Spacing, Spot, TableAt,
    TableOperation, Which, Width, Within,
};
pub use walk::{Ids, Places};

/// The one part of a Markdown document.
pub const PART: &str = "document.md";

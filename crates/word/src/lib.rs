//! Word documents: what they say, as Word prints it, and edits that touch nothing else.
//!
//! A [`View`] knows where paragraphs are and names them; [`View::paragraph`] takes one apart into atoms, each
//! with its bytes. Reading and editing both work on those atoms, so that what an agent was shown is what it
//! can change. Files, clocks and JSON belong to others.

mod document;
mod text;

mod edits;
pub mod op;

mod compare;
mod vocabulary;

mod format;
mod inventory;

#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod testing;

pub use compare::{Comparison, Formatting, compare};
pub use document::Word;
pub use document::ids::ParagraphId;
pub use document::index::BoxKind;
pub use document::layout::{Layout, Story};
pub use document::look::Fingerprint;
pub use document::notes::{Comment, Owner, Thread};
pub use document::numbering::{Level, Numbered, Numbering, Suffix, number};
pub use document::paragraph::{
    Atom, AtomKind, Control, ControlKind, Field, FormField, FormKind, Lock, Mark, Paragraph, PieceKind,
    Revision, Run, Side, Text, TextAtom, TextPiece, Wrap, WrapKind,
};
pub use document::props::{Font, ParaProps, RunProps, Toggle};
pub use document::protection::Protection;
pub use document::style::{LatentStyle, NumberedBy, Resolved, Style, StyleKind, Styles};
pub use document::tables::{Cell, Grid, Merge, Position, Row, Table, TableId};
pub use document::view::{Enclosure, Place, View};
pub use edits::changes::{Change, ChangeKind, Resolution, ResolveChanges, Which, authors, changes};
pub use edits::controls::{Choice, ListedControl, controls};
pub use edits::lint::{Problem, ProblemKind, lint, new_problems};
pub use edits::{
    AddBookmark, AddComment, AddHyperlink, AddNote, DeleteBookmark, DeleteComment, DeleteNote,
    DeleteParagraph, Difference, Edge, Expect, FillTemplate, InsertBesideTable, InsertParagraphs,
    InsertTable, Markup, NoteKind, Outcome, Pages, Redline, RedlinedPart, RenameBookmark, ReplaceText,
    ReplyToComment, ResolveComment, SetRunningText, UpdateNote,
};
pub use ooxml::extension_of;
pub use text::grep::{Hit, Hits, Language, Search};
pub use text::header::{Header, HeaderFormatting};
pub use text::locate::locate;
pub use text::quotation::text_hash;
pub use text::read;
pub use text::wildcards::{Match, Pattern, Replacement};
pub use vocabulary::Edit;

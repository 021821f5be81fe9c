//! Word documents: what they say, as Word prints it, and edits that touch nothing else.
//!
//! A [`View`] knows where paragraphs are and names them; [`View::paragraph`] takes one apart into atoms, each
//! with its bytes. Reading and editing both work on those atoms, so that what an agent was shown is what it
//! can change. Files, clocks and JSON belong to others.

mod fields;
mod format;
mod grep;
mod header;
mod ids;
mod index;
mod inventory;
mod layout;
mod look;
mod memory;
mod names;
mod notes;
mod numbering;
mod paragraph;
mod props;
pub mod read;
mod regions;
mod scan;
mod style;
mod symbols;
mod tables;
mod view;
mod wanted;

mod accents;
mod anatomy;
mod changes;
mod compare;
mod controls;
mod definitions;
mod dialect;
mod edit;
mod ladder;
mod lint;
mod locate;
mod marks;
mod near;
pub mod op;
mod renumber;
mod rewrite;
mod roles;
mod run_properties;
mod schema;
mod shown;
mod siblings;
mod stamp;
mod surgeon;
mod tags;
mod theatre;
mod tokens;
mod wildcards;

#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod testing;

pub use changes::{Change, ChangeKind, Resolution, ResolveChanges, Which, authors, changes};
pub use compare::{Comparison, compare};
pub use controls::{Choice, ListedControl, controls};
pub use edit::{
    AddBookmark, AddComment, AddHyperlink, AddNote, DeleteBookmark, DeleteComment, DeleteNote,
    DeleteParagraph, Edge, Edit, Expect, FillTemplate, InsertBesideTable, InsertParagraphs, InsertTable,
    Markup, NoteKind, Outcome, Pages, Position, RenameBookmark, ReplaceText, ReplyToComment, ResolveComment,
    SetRunningText, text_hash,
};
pub use format::Word;
pub use grep::{Hit, Hits, Language, Search};
pub use header::{Header, HeaderFormatting};
pub use ids::ParagraphId;
pub use index::BoxKind;
pub use layout::{Layout, Story};
pub use lint::{Problem, ProblemKind, lint, new_problems};
pub use locate::locate;
pub use look::Fingerprint;
pub use notes::{Comment, Owner, Thread};
pub use numbering::{Level, Numbered, Numbering, Suffix, number};
pub use paragraph::{
    Atom, AtomKind, Control, ControlKind, Field, Lock, Mark, Paragraph, Piece, PieceKind, Revision, Run,
    Side, Text, TextAtom, Wrap, WrapKind,
};
pub use props::{Font, ParaProps, RunProps, Toggle};
pub use style::{LatentStyle, NumberedBy, Resolved, Style, StyleKind, Styles};
pub use tables::{Cell, Grid, Merge, Row, Table, TableId};
pub use view::{Enclosure, Place, View};
pub use wildcards::{Match, Pattern, Replacement};

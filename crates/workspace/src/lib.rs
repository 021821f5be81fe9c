//! The open documents.
//!
//! [`Workspace`] is the one owner of documents and the only place that touches them on disk. Every door
//! (MCP, HTTP, the command line) reaches documents through it, with plain data in and out: no JSON, no HTTP.
//! It is `Send + Sync`; its methods take `&self` and block, so an asynchronous door calls them from a thread
//! that may.
//!
//! - **Files** are reached under a path policy, saved atomically, and never overwritten when another program
//!   changed them ([`Workspace::open`], [`Workspace::save`], [`Workspace::save_as`], [`Workspace::refresh`]).
//! - **Windows and tabs** say which document is meant when none is named ([`Workspace::active`]); **sessions**
//!   name one explicitly ([`Workspace::begin_session`]).
//! - **Edits** of every format go one road ([`Workspace::edit`]): planned, then applied, staged or only shown.
//! - **Suggestions** wait for a decision and follow the text meanwhile ([`Workspace::accept`]).
//! - **Unsaved work** is journalled before an edit is answered, and comes back when the file is opened again
//!   ([`Workspace::recoverable`]).
//! - **Notices** tell a client what happened since its last call ([`Workspace::notices`]).
//!
//! ```
//! use workspace::markdown::{Edit, Markdown};
//! use workspace::{Actor, Config, EditRequest, Ending, Mode, OpenIn, Overwrite, Role, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("letter.md"), "Dear Sir")?;
//! let workspace = Workspace::new(Config::folder(folder.path()))?;
//! let opened = workspace.open("letter.md", OpenIn::Tab(None))?;
//! let (_window, document) = workspace.active(None)?;
//! assert_eq!(document, opened.document);
//!
//! let agent = Actor { name: "Agent".into(), client: "client-1".into(), role: Role::Agent };
//! let person = Actor { name: "Ann".into(), client: "browser".into(), role: Role::Person };
//! let edit = Edit::Replace { range: 5..8, expect: Some("Sir".into()), with: "Madam".into() };
//! let outcome = workspace.edit::<Markdown>(document, EditRequest::new(vec![edit], Mode::Suggest, agent))?;
//! let Ending::Suggested(suggestion) = outcome.ending else { panic!("it was to be staged") };
//! assert_eq!(workspace.read::<Markdown, _>(document, |view| view.text())?, "Dear Sir");
//!
//! workspace.accept(document, &suggestion, &person)?;
//! workspace.save(document, Overwrite::Refuse)?;
//! assert_eq!(std::fs::read_to_string(folder.path().join("letter.md"))?, "Dear Madam");
//!
//! workspace.undo(document, &person)?;
//! assert!(workspace.status(document)?.dirty);
//! assert_eq!(workspace.suggestions(document)?.len(), 1);
//! # Ok(())
//! # }
//! ```
#![allow(
    clippy::disallowed_methods,
    reason = "this crate is where the world is touched: documents on disk, the journal, the clock"
)]

mod aside;
mod config;
mod ids;
mod sync;

mod disk;
mod image;
mod network;
mod policy;

mod formats;
mod text;

mod document;
mod edits;
mod elsewhere;
mod engine;
mod journal;
mod marks;
mod notices;
mod old;
mod planning;
mod recovery;
mod rehearsal;
mod saving;
mod staged;
mod suggestions;

mod recent;
mod sessions;
mod windows;
mod workspace;

pub use config::{Access, Approval, Clock, Config, Scope, SystemClock};
pub use edits::{Actor, Change, ChangeKind, EditRequest, Ending, Mode, Outcome, Reading, Role};
pub use elsewhere::{Unsaved, unsaved_elsewhere};
pub use formats::{Count, Kind, Limits, Opens};
pub use ids::{DocId, RangeId, SessionId, SuggestionId, TabId};
pub use marks::{NamedRange, Selection};
pub use network::{FetchError, Network};
pub use notices::{Event, Notice};
pub use old::Converter;
pub use recent::RecentFile;
pub use recovery::Recoverable;
pub use rehearsal::Rehearsal;
pub use saving::{Overwrite, Receipt, Refreshed, SaveReport};
pub use suggestions::{Accepted, Decision, Status, Suggestion};
pub use text::{TEXT, Text, TextEdit};
pub use windows::WindowLabel;
pub use workspace::{
    Closing, DocumentStatus, Folder, OpenIn, Opened, RevisionState, Snapshot, TabStatus, WindowStatus,
    Workspace,
};

pub use {markdown, sheet, word};

pub use edit::{
    Blob, Content, Context, Depth, Fault, Findings, Level, Note, PartName, Refusal, Revision, RevisionId,
    nearest,
};

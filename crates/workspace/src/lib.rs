//! The open documents, and everybody who works on them.
//!
//! [`Desk`] is the one owner of documents and the only place that touches them on disk. Whoever uses it is a
//! [`Caller`] and does so through a [`Workspace`], its place at the desk: every door (MCP, HTTP, the command line)
//! reaches documents through one, with plain data in and out: no JSON, no HTTP. It is `Send + Sync`; its methods take
//! `&self` and block, so an asynchronous door calls them from a thread that may.
//!
//! - **Callers** have a role, roots and rights, and their own windows, tabs, focus, selections and sessions. Documents
//!   are shared by all whose roots hold them; what else may be seen of others is written in `desk/workspace/visibility.rs`.
//! - **Files** are reached under a path policy, saved atomically, and never overwritten when another program
//!   changed them ([`Workspace::open`], [`Workspace::save`], [`Workspace::save_as`], [`Workspace::refresh`]).
//! - **Windows and tabs** say which document is meant when none is named ([`Workspace::meant`]); **sessions**
//!   name one explicitly ([`Workspace::begin_session`]).
//! - **Edits** of every format go one road ([`Workspace::edit`]) through one gate: planned, then applied, tracked,
//!   staged or only shown, as the caller's policy says.
//! - **Names** mean the same for every door ([`targets`]: a bookmark, a defined name, the title of a section), and so do
//!   Word operations ([`operations`]) and plain requests ([`requests`]).
//! - **Suggestions** wait for a decision and follow the text meanwhile ([`Workspace::accept`]).
//! - **Unsaved work** is journalled before an edit is answered, and comes back when the file is opened again
//!   ([`Workspace::recoverable`]).
//! - **Notices** tell a caller what happened since its last call ([`Workspace::notices`]).
//!
//! ```
//! use workspace::markdown::{Edit, Markdown};
//! use workspace::{Caller, Config, Desk, EditRequest, Ending, Mode, OpenIn, Overwrite};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("letter.md"), "Dear Sir")?;
//! let desk = Desk::new(Config::default())?;
//! let agent = desk.seat(Caller::agent("Agent", folder.path()))?;
//! let person = desk.seat(Caller::person("Ann", folder.path()))?;
//!
//! let opened = agent.open("letter.md", OpenIn::Tab(None))?;
//! let (_window, document) = agent.meant(None)?;
//! assert_eq!(document, opened.document);
//!
//! // An agent's edits of prose wait for a person.
//! let edit = Edit::Replace { range: 5..8, expect: Some("Sir".into()), with: "Madam".into() };
//! let outcome = agent.edit::<Markdown>(document, EditRequest::new(vec![edit], Mode::Apply))?;
//! let Ending::Suggested(suggestion) = outcome.ending else { panic!("it was to be staged") };
//! assert_eq!(agent.read::<Markdown, _>(document, |view| view.text())?, "Dear Sir");
//! assert!(agent.accept(document, &suggestion).is_err());
//!
//! person.accept(document, &suggestion)?;
//! person.save(document, Overwrite::Refuse)?;
//! assert_eq!(std::fs::read_to_string(folder.path().join("letter.md"))?, "Dear Madam");
//! assert_eq!(agent.notices().len(), 1);
//!
//! person.undo(document)?;
//! assert!(person.status(document)?.dirty);
//! assert_eq!(person.suggestions(document)?.len(), 1);
//! # Ok(())
//! # }
//! ```
#![allow(
    clippy::disallowed_methods,
    reason = "this crate is where the world is touched: documents on disk, the journal, the clock"
)]

mod ids;
mod kind;
mod sync;

mod caller;
mod disk;
mod document;

pub mod targets;

mod desk;

pub mod operations;

pub mod requests;

pub use caller::network::{FetchError, Network};
pub use caller::notices::{Event, Notice};
pub use caller::seat::OpenIn;
pub use caller::windows::WindowLabel;
pub use caller::{Access, Approval, Caller, CallerId, Gate, Role, Scope};
pub use desk::config::{Clock, Config, SystemClock};
pub use desk::other_processes::{Unsaved, recoverable_in, removed_in, unsaved_elsewhere};
pub use desk::rehearsal::Rehearsal;
pub use desk::workspace::{
    ChangeRequest, Changed, ChangedPlace, Current, Cursor, Meanwhile, Overview, ParagraphText, Pointed,
    Unchanged,
};
pub use desk::workspace::{
    Closing, Earlier, Folder, Opened, Redlined, RevisionState, ScriptFailure, ScriptText, Scripted, Snapshot,
    TabStatus, WindowStatus, Workspace,
};
pub use desk::{Desk, DocumentStatus};
pub use disk::journal::{
    DAYS_KEPT, MOST_BYTES_KEPT, MOST_KEPT, Performed, PerformedAs, Recoverable, Removed,
};
pub use disk::old_workbooks::Converter;
pub use disk::recent::RecentFile;
pub use document::edits::{
    Change, ChangeKind, EditRequest, Ending, Mode, Outcome, Reading, Standing, Tracking,
};
pub use document::formats::{Count, Limits, Opens};
pub use document::moving_ranges::{NamedRange, Selection};
pub use document::saving::{Overwrite, Receipt, Refreshed, SaveReport};
pub use document::suggestions::{Accepted, Decision, Status, Suggestion};
pub use document::text::{TEXT, Text, TextEdit};
pub use ids::{DocId, RangeId, SessionId, SuggestionId, TabId};
pub use kind::Kind;

pub use {markdown, script, sheet, word};

pub use edit::{
    Blob, Content, Context, Depth, Fault, Findings, Gravity, Level, Note, PartName, Patch, Refusal, Revision,
    RevisionId, Shown, Splice, Stop, excerpt, line_excerpt, nearest, utc,
};

//! What a change is.
//!
//! A document is bytes ([`Content`]), a change is a [`Patch`] on those bytes, and every format reaches the
//! patch by the same road: a typed edit is planned against a view ([`Format::plan`]), and the plan is then
//! applied, staged as a suggestion or only shown. Losslessness, undo, dry runs and optimistic locking follow
//! from the patch and are proved here once instead of in each engine.
//!
//! Nothing here knows XML, files, clocks or JSON.
//!
//! ```
//! use edit::{Blob, Content, PartName, Patch};
//!
//! let part = PartName::new("letter.md");
//! let before = Content::single(part.clone(), Blob::from("Dear Sir"));
//! let mut patch = Patch::new();
//! patch.splice(&part, 5..8, "Madam").unwrap();
//!
//! let after = patch.apply(&before).unwrap();
//! assert_eq!(after.read(&part).unwrap().unwrap(), Blob::from("Dear Madam"));
//! let undo = patch.invert(&before).unwrap();
//! assert_eq!(undo.apply(&after).unwrap(), before);
//! ```

mod nearest;
mod refusal;

mod blob;
mod content;
mod cut;
mod patch;

mod draft;
mod excerpt;
mod format;
mod history;
mod or_empty;
mod print;
mod revision;
mod shown;
mod stop;
mod time;

pub mod calendar;

mod diff;

pub use blob::{Blob, Buffer, Folded, Shared};
pub use content::{Content, Deferred, PartName, Survey};
pub use cut::Cut;
pub use diff::{diff, diff_pieces};
pub use draft::{Draft, carry};
pub use excerpt::{excerpt, line_excerpt, summed_up};
pub use format::{
    Batch, Context, Findings, Format, HouseRule, Level, Lost, Note, Packed, Plan, Planned, Proof, Settlement,
    Step, Undecided, pack_and_open, plan, room_for,
};
pub use history::{Change, Depth, Entry, History, How, Revision, Way, Whose};
pub use nearest::nearest;
pub use or_empty::OrEmpty;
pub use patch::{Gravity, Offsets, PartChange, Patch, Splice};
pub use print::Print;
pub use refusal::{Fault, Refusal};
pub use revision::RevisionId;
pub use shown::{LONGEST_SHOWN, MOST_SHOWN, Shown, ShownList, shown_lines, shown_whole};
pub use stop::Stop;
pub use time::utc;

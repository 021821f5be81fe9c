//! The zip archive around a package, read and written by hand.
//!
//! A save copies what was not touched as it stands: local header, data, descriptor, extra fields, times,
//! attributes, order. General zip libraries rebuild the headers, so ours keeps the byte ranges instead.

mod bits;
mod blocks;
mod bytes;
mod deflate;
mod folded;
mod foreign;
mod inflate;
mod read;
mod reuse;
mod room;
mod sums;
mod write;

pub(crate) use folded::fold;
pub(crate) use inflate::inflate;
pub(crate) use read::{Archive, Entry, EntryKind, Method};
pub(crate) use write::{Archived, How, Packing, Written, write};

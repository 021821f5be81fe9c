//! What a caller means: the paragraph, the tracked changes, the cells or the section behind the name that was given.
//!
//! Every door resolves names here, so that a name means the same in a tool and on the command line. Only looks:
//! nothing is opened and nothing is changed. A name that fits several things is refused, never guessed.

mod cells;
mod changes;
mod paragraphs;
mod sections;

pub use cells::{Address, Cells, Region, address, cells, region};
pub use changes::{Chosen, changes};
pub use paragraphs::{Argument, Insertion, insertion, paragraph};
pub use sections::{block, section};

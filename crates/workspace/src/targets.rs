//! What a caller means: the paragraph, the tracked changes, the cells or the section behind the name that was given.
//!
//! Every door resolves names here, so that a name means the same in a tool and on the command line. Only looks:
//! nothing is opened and nothing is changed. A name that fits several things is refused, never guessed.

mod cells;
mod changes;
mod marks;
mod paragraphs;
mod positions;
mod sections;

pub use cells::{Address, Cells, Region, address, cells, region};
pub use changes::{Chosen, changes};
pub use marks::mark;
pub use paragraphs::{Argument, Insertion, insertion, paragraph};
pub use positions::{Act, Characters, Position, PositionedChange, Side};
pub(crate) use positions::{cell_edit, prose_edit, shown_cell, text_blocks, word_edit, word_said};
pub use sections::{block, section};

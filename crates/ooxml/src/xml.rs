//! XML whose nodes know their source bytes.
//!
//! An edit is a splice into the bytes of a part, so the tree stores where things are instead of what they
//! say: a node is 28 bytes of offsets, names are interned, attributes and text are read from the source when
//! somebody asks. That is also why parsing a 38 MB part stays in the tens of milliseconds.
//!
//! Three ways in, from dear to cheap: [`Document`] (source and tree together), [`Tree`] (spans over a source
//! the caller keeps), [`Scanner`] and [`find_spans`] (no nodes at all).
//!
//! Deliberately absent: DTDs (refused, so no entity can expand or fetch anything), a serializer, and
//! `mc:AlternateContent`, whose branches mean something only to the engine that reads them.

mod attribute;
mod encoding;
mod error;
mod names;
mod node;
pub mod ns;
mod scanner;
mod text;
mod tree;

pub use attribute::{Attribute, Attributes};
pub use encoding::to_utf8;
pub use error::{XmlError, XmlFault};
pub use names::{Name, Namespaces};
pub use node::{Children, Descendants, Node};
pub use scanner::{Scanner, Token, TokenKind, find_spans};
pub use text::{decode_attribute, decode_text, escape_attribute, escape_text, first_illegal};
pub use tree::{Document, Kind, NodeId, Tree, XmlLimits};

//! Office files as packages of parts, and the XML in them, where what is not touched is written back byte for
//! byte.
//!
//! [`Package::open`] reads the zip directory, checks it, and gives the parts as [`edit::Content`]; each is
//! inflated when somebody first reads it. Engines plan patches on that content, and [`Package::save`] writes a
//! new file in which every entry the patches did not touch is copied as it stood: header, compressed bytes,
//! times, attributes, order. If nothing was touched, the file is the same file.
//!
//! [`xml`] is the other half: a tree of byte ranges, so that an edit can say which bytes it replaces.
//!
//! This crate knows neither paragraphs nor cells, and never touches the disk.
//!
//! ```
//! use edit::{Patch, PartName};
//! use ooxml::{Limits, Package, xml};
//!
//! # fn main() -> Result<(), edit::Refusal> {
//! let file = ooxml::new_package(&[
//!     ("[Content_Types].xml", r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#),
//!     ("word/document.xml", r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:t>Hello</w:t></w:document>"#),
//! ])?;
//! let (package, content) = Package::open(file.clone(), &Limits::default())?;
//! assert_eq!(package.save(&content)?, file);
//!
//! let part = PartName::new("word/document.xml");
//! let document = ooxml::read_xml(&content, &part)?;
//! let text = document.root().child(xml::ns::W, "t").and_then(|t| t.children().next());
//! let mut patch = Patch::new();
//! if let Some(text) = text {
//!     patch.splice(&part, text.span(), "Goodbye")?;
//! }
//! let saved = package.save(&patch.apply(&content)?)?;
//!
//! let (_, again) = Package::open(saved, &Limits::default())?;
//! assert_eq!(ooxml::read_xml(&again, &part)?.root().text(), "Goodbye");
//! # Ok(())
//! # }
//! ```

mod limits;
mod refuse;

pub mod picture;
pub mod xml;

mod content_types;
mod package;
mod parts;
mod relationships;
mod xml_append;
mod zip;

pub use content_types::ContentTypes;
pub use limits::Limits;
pub use package::{Package, new_package};
pub use parts::{Conformance, Family, MainPart, extension_of, find_part, free_name, main_part, read_xml};
pub use relationships::{
    NewRelationship, NewTarget, Relationship, Relationships, relative_target, rels_part_of, resolve_target,
};

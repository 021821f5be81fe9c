//! What can be wrong with XML, and where.

use edit::{PartName, Refusal};

use crate::refuse;

/// The first thing wrong with a piece of XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (at byte {offset})")]
pub struct XmlError {
    /// Byte offset in the source that was parsed.
    pub offset: usize,
    pub what: &'static str,
    pub fault: XmlFault,
}

/// Whose fault an [`XmlError`] is: the file's, or that of what we accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlFault {
    /// Not well-formed.
    Malformed,
    /// More of something than the limit allows.
    Limit(usize),
    /// Legal XML that this parser does not take: a DTD, another encoding.
    Unsupported,
}

impl XmlError {
    pub(crate) fn malformed(offset: usize, what: &'static str) -> XmlError {
        XmlError { offset, what, fault: XmlFault::Malformed }
    }

    pub(crate) fn limit(offset: usize, what: &'static str, limit: usize) -> XmlError {
        XmlError { offset, what, fault: XmlFault::Limit(limit) }
    }

    pub(crate) fn unsupported(offset: usize, what: &'static str) -> XmlError {
        XmlError { offset, what, fault: XmlFault::Unsupported }
    }

    /// The refusal to give when this happened in `part`.
    pub fn in_part(&self, part: &PartName) -> Refusal {
        let XmlError { offset, what, fault } = self;
        match fault {
            XmlFault::Malformed => refuse::corrupt(part.as_str(), format!("{what} at byte {offset}")),
            XmlFault::Limit(limit) => {
                let what = format!("{what} in {part}, at byte {offset},");
                refuse::limit(what, format!("{} or more", limit.saturating_add(1)), limit)
            }
            XmlFault::Unsupported => {
                refuse::unsupported(format!("{what} in {part}"), "open the file in Office and save it again")
            }
        }
    }
}

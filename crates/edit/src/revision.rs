//! The name of a state of a document.

use std::fmt;
use std::str::FromStr;

use crate::Refusal;

/// `rev-<number>-<8 hex digits>`: the number counts changes since the document was opened, the digits name
/// the content. The digits make an id of another document, or of another run, stale instead of wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RevisionId {
    pub number: u64,
    pub digest: u32,
}

impl RevisionId {
    /// Shows the beginning of what names the content.
    pub fn new(number: u64, digest: &[u8; 32]) -> Self {
        let [a, b, c, d, ..] = *digest;
        Self { number, digest: u32::from_be_bytes([a, b, c, d]) }
    }
}

impl fmt::Display for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rev-{}-{:08x}", self.number, self.digest)
    }
}

impl FromStr for RevisionId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let parsed = text.strip_prefix("rev-").and_then(|rest| rest.split_once('-')).and_then(|(n, d)| {
            let digest = (d.len() == 8).then(|| u32::from_str_radix(d, 16).ok())??;
            Some(Self { number: n.parse().ok()?, digest })
        });
        parsed
            .ok_or_else(|| Refusal::invalid("revision", format!("`{text}`"), "an id such as rev-3-1f2e3d4c"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_reads_back_as_it_was_written() {
        let id = RevisionId { number: 12, digest: 0xab };
        assert_eq!(id.to_string(), "rev-12-000000ab");
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in ["", "rev-", "rev-1", "rev-1-ab", "rev-x-000000ab", "rev-1-000000zz", "1-000000ab"] {
            assert!(bad.parse::<RevisionId>().is_err(), "{bad}");
        }
    }
}

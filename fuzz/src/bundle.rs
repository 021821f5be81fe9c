//! A package with its parts in the clear.
//!
//! Bytes changed inside a zip file seldom get past its checksums. So a package is laid open when the fuzzer first
//! changes it: one part after the other, each with its name, between control characters that no XML can hold. A file
//! as it came from a disk is understood too, so that such files are the seeds.

use edit::{Blob, Content, PartName};
use ooxml::{Limits, Package};

const NAME: u8 = 0x1E;
const TEXT: u8 = 0x1F;
/// Not a part: what a target is to do with the package.
const CHOICES: &str = "choices";

/// Parts by name, in order.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    pub parts: Vec<(String, Vec<u8>)>,
}

impl Bundle {
    /// A zip file, or what [`Bundle::write`] wrote.
    pub fn read(bytes: &[u8]) -> Option<Bundle> {
        if bytes.starts_with(b"PK") {
            return Self::unpack(bytes);
        }
        let mut parts = Vec::new();
        for part in bytes.strip_prefix(&[NAME])?.split(|byte| *byte == NAME) {
            let at = part.iter().position(|byte| *byte == TEXT)?;
            parts.push((String::from_utf8_lossy(&part[..at]).into_owned(), part[at + 1..].to_vec()));
        }
        Some(Bundle { parts })
    }

    fn unpack(bytes: &[u8]) -> Option<Bundle> {
        let limits = Limits { total_bytes: 4 << 20, entry_bytes: 1 << 20, ..Limits::default() };
        let (_, content) = Package::open(bytes.to_vec(), &limits).ok()?;
        let mut parts = Vec::new();
        for name in content.names() {
            let Ok(Some(blob)) = content.read(name) else { continue };
            let mut text = blob.bytes().into_owned();
            // Pictures and the like are looked at from outside only.
            if ![".xml", ".rels", ".vml"].iter().any(|end| name.as_str().ends_with(end)) {
                text.truncate(64);
            }
            text.retain(|byte| *byte != NAME);
            parts.push((name.as_str().to_owned(), text));
        }
        Some(Bundle { parts })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, text) in &self.parts {
            bytes.push(NAME);
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(TEXT);
            bytes.extend_from_slice(text);
        }
        bytes
    }

    pub fn content(&self) -> Content {
        let mut content = Content::new();
        for (name, text) in &self.parts {
            if name != CHOICES {
                content.insert(PartName::new(name.as_str()), Blob::from(text.clone()));
            }
        }
        content
    }

    /// What the target is to do, as far as the fuzzer has chosen.
    pub fn choices(&self) -> &[u8] {
        self.parts.iter().find(|(name, _)| name == CHOICES).map_or(&[], |(_, text)| text)
    }

    /// Puts other choices.
    pub fn choose(&mut self, choices: Vec<u8>) {
        self.parts.retain(|(name, _)| name != CHOICES);
        self.parts.push((CHOICES.to_owned(), choices));
    }
}

//! A patch as the journal has it.

use edit::{Blob, PartChange, PartName, Patch, Refusal};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WirePatch(Vec<(String, WireChange)>);

#[derive(Debug, Clone, Serialize, Deserialize)]
enum WireChange {
    /// Start, end, and what the bytes between become.
    Splices(Vec<(usize, usize, Bytes)>),
    Put(Bytes),
    Remove,
}

/// Nearly all of a document is text; the rest is written in hexadecimal.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Bytes {
    Text(String),
    Hex(String),
}

impl From<&Patch> for WirePatch {
    fn from(patch: &Patch) -> Self {
        let change = |change: &PartChange| match change {
            PartChange::Put(blob) => WireChange::Put(blob.into()),
            PartChange::Remove => WireChange::Remove,
            PartChange::Splices(splices) => WireChange::Splices(
                splices
                    .iter()
                    .map(|splice| (splice.range.start, splice.range.end, (&splice.with).into()))
                    .collect(),
            ),
        };
        Self(patch.parts().map(|(name, part)| (name.as_str().to_owned(), change(part))).collect())
    }
}

impl WirePatch {
    pub(crate) fn to_patch(&self) -> Result<Patch, Refusal> {
        let mut patch = Patch::new();
        for (name, change) in &self.0 {
            let name = PartName::new(name.as_str());
            match change {
                WireChange::Put(bytes) => patch.put(&name, bytes.blob()?),
                WireChange::Remove => patch.remove(&name),
                WireChange::Splices(splices) => {
                    for (start, end, with) in splices {
                        patch.splice(&name, *start..*end, with.blob()?)?;
                    }
                }
            }
        }
        Ok(patch)
    }
}

impl From<&Blob> for Bytes {
    fn from(blob: &Blob) -> Self {
        match String::from_utf8(blob.bytes().into_owned()) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Hex(error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }
}

impl Bytes {
    fn blob(&self) -> Result<Blob, Refusal> {
        let hex = match self {
            Self::Text(text) => return Ok(Blob::from(text.as_str())),
            Self::Hex(hex) => hex.as_bytes(),
        };
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let bytes: Option<Vec<u8>> = hex
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            })
            .collect();
        let corrupt =
            || Refusal::Corrupt { what: "a journal".into(), why: "bytes that are not hexadecimal".into() };
        bytes.map(Blob::from).ok_or_else(corrupt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_reads_back_as_it_was_written() {
        let (text, picture, old) = (PartName::new("a.xml"), PartName::new("b.png"), PartName::new("c"));
        let mut patch = Patch::new();
        patch.splice(&text, 1..3, "é\"\n").unwrap();
        patch.splice(&text, 3..3, "x").unwrap();
        patch.splice(&text, 3..3, "y").unwrap();
        patch.splice(&text, 5..9, "").unwrap();
        patch.put(&picture, vec![0u8, 255, 16]);
        patch.remove(&old);
        let written = serde_json::to_string(&WirePatch::from(&patch)).unwrap();
        let read: WirePatch = serde_json::from_str(&written).unwrap();
        assert_eq!(read.to_patch().unwrap(), patch);
        assert!(Bytes::Hex("0g".into()).blob().is_err());
        assert!(Bytes::Hex("012".into()).blob().is_err());
    }
}

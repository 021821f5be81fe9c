//! The container of old Office files: streams cut into sectors, like a small file system.

use std::collections::BTreeSet;

const END: u32 = 0xFFFF_FFFE;

struct Compound<'a> {
    bytes: &'a [u8],
    sector: usize,
    fat: Vec<u32>,
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

/// A stream at the root of the container, by its name.
pub(super) fn stream(bytes: &[u8], wanted: &str) -> Option<Vec<u8>> {
    let file = Compound::open(bytes)?;
    let directory = file.chain(u32_at(bytes, 48)?)?;
    let root = directory.get(..128)?;
    let entry = directory.chunks_exact(128).find(|entry| {
        let length = usize::from(u16_at(entry, 64).unwrap_or(0)).saturating_sub(2);
        let units: Vec<u16> = (0..length.min(62) / 2).filter_map(|index| u16_at(entry, 2 * index)).collect();
        entry.get(66) == Some(&2) && String::from_utf16_lossy(&units).eq_ignore_ascii_case(wanted)
    })?;
    let (start, length) = (u32_at(entry, 116)?, u32_at(entry, 120)? as usize);
    let mut found = if length < u32_at(bytes, 56)? as usize {
        file.small(root, start, u32_at(bytes, 60)?)?
    } else {
        file.chain(start)?
    };
    found.truncate(length);
    Some(found)
}

/// Whether nothing in the container claims to be longer than the file, nor comes back to itself. The reader of values
/// follows such claims until memory ends.
pub(super) fn is_finite(bytes: &[u8]) -> bool {
    finite(bytes).is_some()
}

fn finite(bytes: &[u8]) -> Option<()> {
    let file = Compound::open(bytes)?;
    let directory = file.chain(u32_at(bytes, 48)?)?;
    let small_table = (u32_at(bytes, 64)? as usize).checked_mul(file.sector)?;
    let long = directory.chunks_exact(128).any(|entry| {
        let named = entry.iter().take(2).any(|byte| *byte != 0);
        // Containers of small sectors say 32 bits of a length, the others 64.
        let length = u32_at(entry, 120).map_or(usize::MAX, |length| length as usize);
        let beyond = file.sector > 512 && u32_at(entry, 124) != Some(0);
        named && (length > bytes.len() || beyond)
    });
    (!long && small_table <= bytes.len()).then_some(())
}

impl<'a> Compound<'a> {
    /// The container with its table of sectors.
    fn open(bytes: &'a [u8]) -> Option<Compound<'a>> {
        let shift = u16_at(bytes, 30)?;
        if !(7..=16).contains(&shift) {
            return None;
        }
        let mut file = Compound { bytes, sector: 1 << shift, fat: Vec::new() };
        let mut lists: Vec<u32> = (0..109).filter_map(|index| u32_at(bytes, 76 + 4 * index)).collect();
        let mut next = u32_at(bytes, 68)?;
        let mut seen = BTreeSet::new();
        while next < 0xFFFF_FFFA && seen.insert(next) {
            let list = file.at(next)?;
            let words = file.sector / 4 - 1;
            lists.extend((0..words).filter_map(|index| u32_at(list, 4 * index)));
            next = u32_at(list, 4 * words)?;
        }
        let mut taken = BTreeSet::new();
        for list in lists.into_iter().filter(|list| *list < 0xFFFF_FFFA) {
            if !taken.insert(list) {
                return None;
            }
            let part = file.at(list)?;
            let words: Vec<u32> = (0..file.sector / 4).filter_map(|index| u32_at(part, 4 * index)).collect();
            file.fat.extend(words);
        }
        Some(file)
    }

    fn at(&self, sector: u32) -> Option<&[u8]> {
        let start = (sector as usize).checked_add(1)?.checked_mul(self.sector)?;
        // The last sector of a file may be cut short.
        let end = start.checked_add(self.sector)?.min(self.bytes.len());
        self.bytes.get(start..end)
    }

    fn chain(&self, start: u32) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut next = start;
        let mut left = self.fat.len();
        while next != END {
            // A chain that comes back to itself has more links than there are sectors.
            left = left.checked_sub(1)?;
            out.extend_from_slice(self.at(next)?);
            if out.len() > self.bytes.len() {
                return None;
            }
            next = *self.fat.get(next as usize)?;
        }
        Some(out)
    }

    /// A stream below the limit lies in pieces of 64 bytes inside the root's stream.
    fn small(&self, root: &[u8], start: u32, table: u32) -> Option<Vec<u8>> {
        let pieces = self.chain(u32_at(root, 116)?)?;
        let table = self.chain(table)?;
        let mut out = Vec::new();
        let mut next = start;
        let mut left = table.len() / 4;
        while next != END {
            left = left.checked_sub(1)?;
            let from = (next as usize).checked_mul(64)?;
            out.extend_from_slice(pieces.get(from..(from + 64).min(pieces.len()))?);
            next = u32_at(&table, 4 * next as usize)?;
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_that_claims_more_than_the_file_is_refused() {
        let mut bytes = vec![0u8; 512];
        bytes[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
        bytes[26] = 3;
        bytes[30] = 9;
        bytes[32] = 6;
        // The table of sectors lies in sector 0, and so does the directory, whose chain never leaves it.
        assert!(!is_finite(&bytes));
        bytes.extend([0u8; 512]);
        bytes[80..512].fill(0xFF);
        bytes[68..72].fill(0xFF);
        assert!(!is_finite(&bytes));
    }
}

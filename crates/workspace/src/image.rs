//! What a file has in it, and the hash that receipts and journals know it by.
//!
//! A save changes a few bytes of a large file, and hashing all of it would be a good part of what the save costs. SHA-256
//! runs from front to back, so its state is kept at every step of the way: the next image goes on from the last step
//! before the first byte that is another.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

pub(crate) type Hash = [u8; 32];

/// Bytes between two states: as much as is hashed in the time that it takes to notice.
const STEP: usize = 64 << 10;

#[derive(Debug, Clone)]
pub(crate) struct Image {
    /// Packages that were opened from it hold the same buffer.
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) hash: Hash,
    /// Before each step, the first one left out.
    states: Arc<Vec<Sha256>>,
}

impl Image {
    pub(crate) fn of(bytes: Arc<Vec<u8>>) -> Self {
        Self::from_states(Vec::new(), bytes)
    }

    /// That of `bytes`, which begin as this one does.
    pub(crate) fn next(&self, bytes: Arc<Vec<u8>>) -> Self {
        let steps = self.bytes.chunks_exact(STEP).zip(bytes.chunks_exact(STEP));
        let same = steps.take_while(|(one, other)| one == other).count();
        Self::from_states(self.states.iter().take(same).cloned().collect(), bytes)
    }

    /// Goes on from states that are known to be those of `bytes`.
    fn from_states(mut states: Vec<Sha256>, bytes: Arc<Vec<u8>>) -> Self {
        let mut state = states.last().cloned().unwrap_or_default();
        let rest = bytes.get(states.len() * STEP..).unwrap_or_default();
        let (steps, end) = rest.as_chunks::<STEP>();
        for step in steps {
            state.update(step);
            states.push(state.clone());
        }
        state.update(end);
        Self { hash: state.finalize().into(), bytes, states: Arc::new(states) }
    }
}

/// SHA-256, which other programs can check. There are faster ones, but receipts need this one, and one is faster
/// than two.
pub(crate) fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

pub(crate) fn hex(hash: &Hash) -> String {
    // Any 32 bytes are written alike.
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    #[test]
    fn an_image_that_goes_on_from_another_has_the_hash_of_its_bytes() {
        for length in [0, 1, STEP - 1, STEP, STEP + 1, 5 * STEP, 5 * STEP + 77] {
            let first = Image::of(Arc::new(noise(length)));
            assert_eq!(first.hash, hash(&noise(length)));
            let mut image = first;
            for at in [length, length / 2, 0, STEP, 3 * STEP + 5, STEP - 1] {
                let mut bytes = image.bytes.to_vec();
                let at = at.min(bytes.len());
                bytes.splice(at..at, *b"new");
                bytes.truncate(bytes.len().saturating_sub(at % 5));
                image = image.next(Arc::new(bytes));
                assert_eq!(image.hash, hash(&image.bytes), "{length} with a change at {at}");
            }
            let shorter = image.next(Arc::new(noise(length / 3)));
            assert_eq!(shorter.hash, hash(&shorter.bytes));
        }
    }
}

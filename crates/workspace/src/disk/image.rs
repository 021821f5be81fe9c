//! What a file has in it, and the hash that receipts and journals know it by.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

pub(crate) type Hash = [u8; 32];

#[derive(Debug, Clone)]
pub(crate) struct Image {
    /// Packages that were opened from it hold the same buffer.
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) hash: Hash,
}

impl Image {
    pub(crate) fn of(bytes: Arc<Vec<u8>>) -> Self {
        Self { hash: hash(&bytes), bytes }
    }
}

/// SHA-256, which other programs can check. There are faster ones, but receipts need this one, and one is faster
/// than two. Going on from where the last file begins to differ would spare little: the checksum of a part stands in
/// front of it.
pub(crate) fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

pub(crate) fn hex(hash: &Hash) -> String {
    // Any 32 bytes are written alike.
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

pub(crate) fn from_hex(text: &str) -> Option<Hash> {
    blake3::Hash::from_hex(text).ok().map(|hash| *hash.as_bytes())
}

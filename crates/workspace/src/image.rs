//! What a file has in it, and the hash that receipts and journals know it by.

use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

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

/// Hashing less than this takes no longer than starting a thread.
const WORTH_A_THREAD: usize = 256 << 10;

/// Does `work`, which mostly waits for the disk, while `bytes` are hashed.
pub(crate) fn while_hashing<T>(bytes: &[u8], work: impl FnOnce(Hashing<'_>) -> T) -> T {
    if bytes.len() < WORTH_A_THREAD {
        return work(Hashing { bytes, thread: None });
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("hash".into());
        let thread = builder.spawn_scoped(scope, || hash(bytes)).ok();
        work(Hashing { bytes, thread })
    })
}

/// A hash that is on its way.
pub(crate) struct Hashing<'a> {
    bytes: &'a [u8],
    /// Without one, the hash is made when it is asked for.
    thread: Option<ScopedJoinHandle<'a, Hash>>,
}

impl Hashing<'_> {
    pub(crate) fn wait(self) -> Hash {
        let hashed = self.thread.and_then(|thread| thread.join().ok());
        hashed.unwrap_or_else(|| hash(self.bytes))
    }
}

pub(crate) fn hex(hash: &Hash) -> String {
    // Any 32 bytes are written alike.
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

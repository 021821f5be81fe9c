//! What a file has in it, and the hash that receipts and journals know it by.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;

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

/// Hashing less than this takes no longer than asking somebody else to.
const WORTH_A_THREAD: usize = 256 << 10;

type Work = (Arc<Vec<u8>>, Sender<Hash>);

/// Hashes large files on a thread of its own, while whoever saves them waits for the disk.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    /// Started with the first one; nothing if there can be no thread.
    work: OnceLock<Option<Sender<Work>>>,
}

impl Hasher {
    pub(crate) fn begin(&self, bytes: &Arc<Vec<u8>>) -> Hashing {
        let thread = || self.work.get_or_init(start).as_ref();
        let work = if bytes.len() < WORTH_A_THREAD { None } else { thread() };
        let answer = work.and_then(|work| {
            let (done, answer) = mpsc::channel();
            work.send((Arc::clone(bytes), done)).ok().map(|()| answer)
        });
        Hashing { bytes: Arc::clone(bytes), answer }
    }
}

fn start() -> Option<Sender<Work>> {
    let (work, waiting) = mpsc::channel::<Work>();
    let hashing = move || {
        for (bytes, done) in waiting {
            let hash = hash(&bytes);
            drop(bytes);
            let _ = done.send(hash);
        }
    };
    thread::Builder::new().name("hash".into()).spawn(hashing).ok().map(|_| work)
}

/// A hash that is on its way.
#[derive(Debug)]
pub(crate) struct Hashing {
    bytes: Arc<Vec<u8>>,
    /// Without one, the hash is made when it is asked for.
    answer: Option<Receiver<Hash>>,
}

impl Hashing {
    pub(crate) fn wait(self) -> Hash {
        let hashed = self.answer.and_then(|answer| answer.recv().ok());
        hashed.unwrap_or_else(|| hash(&self.bytes))
    }
}

pub(crate) fn hex(hash: &Hash) -> String {
    // Any 32 bytes are written alike.
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_same_whoever_makes_it() {
        let hasher = Hasher::default();
        for length in [0, 5, WORTH_A_THREAD - 1, WORTH_A_THREAD, WORTH_A_THREAD + 77] {
            let bytes = Arc::new((0..length).map(|at| (at % 251) as u8).collect::<Vec<u8>>());
            let (one, two) = (hasher.begin(&bytes), hasher.begin(&bytes));
            assert_eq!((one.wait(), two.wait()), (hash(&bytes), hash(&bytes)));
            assert_eq!(Arc::strong_count(&bytes), 1);
        }
    }
}

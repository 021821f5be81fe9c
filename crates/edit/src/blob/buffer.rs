//! Bytes that blobs share.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memchr::memmem;

/// Bytes that many blobs share. Most are vectors; the owner of others gives the same bytes whenever it is asked.
#[derive(Clone)]
pub struct Buffer(Owner);

#[derive(Clone)]
enum Owner {
    Plain(Arc<dyn AsRef<[u8]> + Send + Sync>),
    Folded(Arc<dyn Folded>),
}

/// Bytes that are kept in another form, such as packed, and are only there where somebody looks.
///
/// Whoever asks twice gets the same bytes: a part that was found to be sound does not fail later.
pub trait Folded: Send + Sync {
    fn length(&self) -> usize;

    /// The bytes of `range`, which lies inside. A short one costs little, wherever it is.
    fn slice(&self, range: Range<usize>) -> Cow<'_, [u8]>;

    /// Whether `word` occurs in `range`.
    fn contains(&self, range: Range<usize>, word: &[u8]) -> bool {
        memmem::find(&self.slice(range), word).is_some()
    }

    /// Every byte, from now on.
    fn all(&self) -> &[u8];
}

impl Buffer {
    pub fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self(Owner::Plain(Arc::new(owner)))
    }

    pub fn folded(owner: impl Folded + 'static) -> Self {
        Self(Owner::Folded(Arc::new(owner)))
    }

    pub(super) fn length(&self) -> usize {
        match &self.0 {
            Owner::Plain(bytes) => (**bytes).as_ref().len(),
            Owner::Folded(folded) => folded.length(),
        }
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        match &self.0 {
            Owner::Plain(bytes) => Cow::Borrowed(&(**bytes).as_ref()[range]),
            Owner::Folded(folded) => folded.slice(range),
        }
    }

    pub(super) fn contains(&self, range: Range<usize>, word: &[u8]) -> bool {
        match &self.0 {
            Owner::Plain(bytes) => memmem::find(&(**bytes).as_ref()[range], word).is_some(),
            Owner::Folded(folded) => folded.contains(range, word),
        }
    }

    /// Where the owner is; two that are the same buffer have one.
    pub(super) fn address(&self) -> usize {
        match &self.0 {
            Owner::Plain(owner) => Arc::as_ptr(owner).cast::<u8>() as usize,
            Owner::Folded(owner) => Arc::as_ptr(owner).cast::<u8>() as usize,
        }
    }

    /// Whether both are the very same buffer, not only the same bytes.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Owner::Plain(a), Owner::Plain(b)) => Arc::ptr_eq(a, b),
            (Owner::Folded(a), Owner::Folded(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// All bytes, which unfolds those that are folded.
impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Owner::Plain(bytes) => (**bytes).as_ref(),
            Owner::Folded(folded) => folded.all(),
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.length())
    }
}

impl From<Arc<Vec<u8>>> for Buffer {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Self(Owner::Plain(bytes))
    }
}

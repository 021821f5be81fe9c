//! The bytes of a document, by part.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::{Blob, Buffer, Refusal};

/// The name of a part, as a zip entry has it: `word/document.xml`, without a leading slash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartName(Arc<str>);

impl PartName {
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for PartName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Bytes that are fetched when they are first asked for: the picture in a package that nobody looks at is
/// never inflated.
pub trait Deferred: Send + Sync {
    fn load(&self) -> Result<Buffer, Refusal>;

    /// As `load`, for a reader that will look at few places of the part.
    fn load_folded(&self, _survey: &Survey) -> Result<Buffer, Refusal> {
        self.load()
    }
}

/// What a reader that will look at few places of a large part wants to know of all of it.
#[derive(Debug, Clone, Copy)]
pub struct Survey {
    /// What it will ask [`Blob::contains`] for.
    pub words: &'static [&'static [u8]],
    /// Where this occurs early on, it will read all of the part in the end.
    pub dense: &'static [u8],
}

/// A document: parts by name. Cloning is cheap, and a clone shares what it does not change.
#[derive(Clone, Default)]
pub struct Content {
    parts: Arc<BTreeMap<PartName, Part>>,
}

#[derive(Clone)]
enum Part {
    Ready(Blob),
    Deferred(Arc<Waiting>),
}

struct Waiting {
    source: Arc<dyn Deferred>,
    loaded: OnceLock<Result<Blob, Refusal>>,
}

impl Content {
    pub fn new() -> Self {
        Self::default()
    }

    /// A document of one part, as Markdown is.
    pub fn single(name: PartName, blob: Blob) -> Self {
        let mut content = Self::new();
        content.insert(name, blob);
        content
    }

    pub fn insert(&mut self, name: PartName, blob: Blob) {
        Arc::make_mut(&mut self.parts).insert(name, Part::Ready(blob));
    }

    pub fn insert_deferred(&mut self, name: PartName, source: Arc<dyn Deferred>) {
        let waiting = Waiting { source, loaded: OnceLock::new() };
        Arc::make_mut(&mut self.parts).insert(name, Part::Deferred(Arc::new(waiting)));
    }

    pub(crate) fn remove(&mut self, name: &str) {
        Arc::make_mut(&mut self.parts).remove(name);
    }

    pub fn contains(&self, name: impl AsRef<str>) -> bool {
        self.parts.contains_key(name.as_ref())
    }

    pub fn names(&self) -> impl Iterator<Item = &PartName> {
        self.parts.keys()
    }

    /// The bytes of a part; `None` if there is no such part, a refusal if it cannot be loaded.
    pub fn read(&self, name: impl AsRef<str>) -> Result<Option<Blob>, Refusal> {
        self.parts.get(name.as_ref()).map(Part::load).transpose()
    }

    /// The bytes of a part that has to be there, because it was just listed or is what a patch changes.
    pub fn existing(&self, name: impl AsRef<str>) -> Result<Blob, Refusal> {
        let name = name.as_ref();
        self.read(name)?
            .ok_or_else(|| Refusal::internal(format!("{name} is changed or read, and is not there")))
    }

    /// As `read`, but a large part that nobody has read before may stay packed where nobody looks.
    pub fn read_folded(&self, name: impl AsRef<str>, survey: &Survey) -> Result<Option<Blob>, Refusal> {
        let part = self.parts.get(name.as_ref());
        part.map(|part| part.load_by(|source| source.load_folded(survey))).transpose()
    }

    /// Whether the part is, by descent, the one that `origin` has. Nothing is loaded to find out.
    pub fn shares(&self, name: impl AsRef<str>, origin: &Content) -> bool {
        match (self.parts.get(name.as_ref()), origin.parts.get(name.as_ref())) {
            (Some(Part::Ready(a)), Some(Part::Ready(b))) => a.same(b),
            (Some(Part::Deferred(a)), Some(Part::Deferred(b))) => Arc::ptr_eq(a, b),
            // A patch that was undone leaves the loaded bytes where the deferred part stood.
            (Some(Part::Ready(a)), Some(Part::Deferred(b)))
            | (Some(Part::Deferred(b)), Some(Part::Ready(a))) => {
                matches!(b.loaded.get(), Some(Ok(blob)) if blob.same(a))
            }
            (None, None) => true,
            _ => false,
        }
    }
}

impl Part {
    fn load(&self) -> Result<Blob, Refusal> {
        self.load_by(|source| source.load())
    }

    fn load_by(&self, load: impl FnOnce(&dyn Deferred) -> Result<Buffer, Refusal>) -> Result<Blob, Refusal> {
        match self {
            Self::Ready(blob) => Ok(blob.clone()),
            Self::Deferred(waiting) => {
                waiting.loaded.get_or_init(|| load(&*waiting.source).map(Blob::from)).clone()
            }
        }
    }
}

impl AsRef<str> for PartName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Equal when all parts have equal bytes. Parts that cannot be loaded are equal only to themselves.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
            || self.parts.len() == other.parts.len()
                && self.parts.iter().all(|(name, part)| {
                    self.shares(name, other)
                        || match (part.load(), other.read(name)) {
                            (Ok(a), Ok(Some(b))) => a == b,
                            _ => false,
                        }
                })
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.parts.iter().map(|(name, part)| match part {
            Part::Ready(blob) => (name.as_str(), format!("{blob:?}")),
            Part::Deferred(_) => (name.as_str(), "deferred".to_owned()),
        });
        f.debug_map().entries(shown).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Counting(AtomicUsize);

    impl Deferred for Counting {
        fn load(&self) -> Result<Buffer, Refusal> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Buffer::new(b"late".to_vec()))
        }
    }

    #[test]
    fn a_deferred_part_is_loaded_once_for_all_clones() {
        let source = Arc::new(Counting(AtomicUsize::new(0)));
        let mut content = Content::new();
        content.insert_deferred(PartName::new("a"), source.clone());
        let clone = content.clone();
        assert!(clone.shares("a", &content));
        assert_eq!(source.0.load(Ordering::Relaxed), 0);
        assert_eq!(clone.read("a"), Ok(Some(Blob::from("late"))));
        assert_eq!(content.read("a"), Ok(Some(Blob::from("late"))));
        assert_eq!(source.0.load(Ordering::Relaxed), 1);
        assert_eq!(content.read("b"), Ok(None));
    }

    struct Broken;

    impl Deferred for Broken {
        fn load(&self) -> Result<Buffer, Refusal> {
            Err(Refusal::Corrupt { what: "a".into(), why: "checksum".into() })
        }
    }

    #[test]
    fn a_part_that_cannot_be_loaded_refuses_each_time() {
        let mut content = Content::new();
        content.insert_deferred(PartName::new("a"), Arc::new(Broken));
        assert!(content.read("a").is_err());
        assert!(content.read("a").is_err());
        assert_ne!(content, Content::single(PartName::new("a"), Blob::new()));
    }
}

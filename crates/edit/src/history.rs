//! The revisions of a document, with undo and redo.
//!
//! Undo is an edit like any other: it makes a new revision, so that whoever holds an older one can still be
//! carried forward. Only the content's digest goes back to what it was.
//!
//! A revision knows the way back to the one before it. The stacks of undo and redo therefore only name revisions: taking
//! a change back is taking back the revision that made it, and making it again is taking back the one that undid it.
//! What somebody else must put back with a change (selections, suggestions) stands in the same entry.
//!
//! A document may be open for weeks, so a history forgets its older half when it becomes too long.

use crate::{Blob, Content, PartChange, Patch, Refusal, RevisionId};

/// One step in the life of a document.
#[derive(Debug, Clone)]
pub struct Revision {
    pub id: RevisionId,
    pub how: How,
    /// From the revision before this one.
    pub patch: Patch,
    /// Back to the revision before this one.
    pub inverse: Patch,
    /// Names the content: equal again after an undo.
    pub digest: [u8; 32],
    pub summary: String,
    pub author: String,
    /// See [`crate::Context::caller`].
    pub caller: String,
    /// Seconds since 1970-01-01 UTC.
    pub at: i64,
}

impl Revision {
    fn bytes(&self) -> usize {
        self.patch.bytes() + self.inverse.bytes()
    }

    pub fn whose(&self) -> Whose {
        Whose { author: self.author.clone(), caller: self.caller.clone() }
    }
}

/// How a revision came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Made,
    Undone,
    Redone,
}

/// A change that can be taken back.
#[derive(Debug, Clone)]
pub struct Change {
    pub patch: Patch,
    pub summary: String,
    pub author: String,
    pub caller: String,
}

/// Whose a change is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whose {
    /// As documents and people know them; several callers may go by one name.
    pub author: String,
    /// Empty for the world outside, such as another program that wrote the file.
    pub caller: String,
}

/// A change that can be taken back or made again, with what somebody else keeps beside it.
#[derive(Debug, Clone)]
pub struct Entry<X> {
    /// The number of the revision that made it last, or that took it back.
    pub revision: u64,
    pub summary: String,
    pub made: Whose,
    /// Who took it back, if it waits to be made again.
    pub undone: Option<Whose>,
    pub with: X,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Undo,
    Redo,
}

impl Way {
    #[must_use]
    pub fn back(self) -> Self {
        match self {
            Way::Undo => Way::Redo,
            Way::Redo => Way::Undo,
        }
    }
}

/// How much of its past a history keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    pub revisions: usize,
    /// Of patches, both ways.
    pub bytes: usize,
}

impl Default for Depth {
    fn default() -> Self {
        Self { revisions: 2000, bytes: 64 << 20 }
    }
}

type Digest = [u8; 32];

#[derive(Debug, Clone)]
pub struct History<X> {
    head: Content,
    depth: Depth,
    /// Of the revisions.
    bytes: usize,
    first: RevisionId,
    first_digest: Digest,
    /// Numbered without gaps from the one after `first`.
    revisions: Vec<Revision>,
    undo: Vec<Entry<X>>,
    redo: Vec<Entry<X>>,
}

impl<X> History<X> {
    /// `digest` names the bytes that were opened.
    pub fn new(content: Content, digest: [u8; 32], depth: Depth) -> Self {
        let first = RevisionId::new(0, &digest);
        Self {
            head: content,
            depth,
            bytes: 0,
            first,
            first_digest: digest,
            revisions: Vec::new(),
            undo: Vec::new(),
            redo: Vec::new(),
        }
    }

    pub fn head(&self) -> &Content {
        &self.head
    }

    pub fn current(&self) -> RevisionId {
        self.revisions.last().map_or(self.first, |revision| revision.id)
    }

    /// The oldest revision that is known: the one that was opened, unless there have been too many since.
    pub fn opened(&self) -> RevisionId {
        self.first
    }

    /// Names the content of the oldest revision.
    pub fn opened_digest(&self) -> [u8; 32] {
        self.first_digest
    }

    /// Names the content of the head: equal again after an undo.
    pub fn digest(&self) -> [u8; 32] {
        self.revisions.last().map_or(self.first_digest, |revision| revision.digest)
    }

    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// The changes that can be taken back or made again; the next one is the last.
    pub fn entries(&self, way: Way) -> &[Entry<X>] {
        match way {
            Way::Undo => &self.undo,
            Way::Redo => &self.redo,
        }
    }

    /// The change that would be taken back or made again next.
    pub fn next_mut(&mut self, way: Way) -> Option<&mut Entry<X>> {
        self.stack(way).last_mut()
    }

    /// Make a change. What was undone before cannot be redone after it.
    pub fn commit(&mut self, change: Change, with: X, at: i64) -> Result<&Revision, Refusal> {
        let after = change.patch.apply(&self.head)?;
        self.commit_planned(change, after, with, at)
    }

    /// As [`History::commit`], for a caller that already holds the content which the patch gives.
    pub fn commit_planned(
        &mut self,
        change: Change,
        after: Content,
        with: X,
        at: i64,
    ) -> Result<&Revision, Refusal> {
        let inverse = change.patch.invert(&self.head)?;
        let digest = chain(&self.digest(), &change.patch);
        let Change { patch, summary, author, caller } = change;
        let made = Whose { author: author.clone(), caller: caller.clone() };
        let id = self.next_id(&digest);
        self.redo.clear();
        self.undo.push(Entry { revision: id.number, summary: summary.clone(), made, undone: None, with });
        let how = How::Made;
        self.push(after, Revision { id, how, patch, inverse, digest, summary, author, caller, at });
        Ok(self.shortened())
    }

    /// What the next undo or redo does to the head, and what it leads to; `None` if there is none left.
    pub fn ahead(&self, way: Way) -> Result<Option<(&Patch, Content)>, Refusal> {
        let Some(entry) = self.entries(way).last() else { return Ok(None) };
        let (revision, _) = self.named(entry.revision)?;
        Ok(Some((&revision.inverse, revision.inverse.apply(&self.head)?)))
    }

    /// Take the last change back, or make the last undone one again; `None` if there is none. Its entry is then the next
    /// one in the other direction.
    pub fn step(&mut self, way: Way, whose: Whose, at: i64) -> Result<Option<&Revision>, Refusal> {
        let Some((_, after)) = self.ahead(way)? else { return Ok(None) };
        let Some(mut entry) = self.stack(way).pop() else { return Ok(None) };
        let (revision, digest) = self.named(entry.revision)?;
        let (patch, inverse) = (revision.inverse.clone(), revision.patch.clone());
        let (how, summary) = match way {
            Way::Undo => (How::Undone, format!("Undo: {}", entry.summary)),
            Way::Redo => (How::Redone, format!("Redo: {}", entry.summary)),
        };
        let id = self.next_id(&digest);
        entry.revision = id.number;
        entry.undone = match way {
            Way::Undo => Some(whose.clone()),
            Way::Redo => None,
        };
        self.stack(way.back()).push(entry);
        let Whose { author, caller } = whose;
        let revision = Revision { id, how, patch, inverse, digest, summary, author, caller, at };
        self.push(after, revision);
        Ok(Some(self.shortened()))
    }

    /// A history that goes on from an earlier run. `digest` names the content of its oldest revision.
    pub fn from_revision(content: Content, number: u64, digest: [u8; 32], depth: Depth) -> Self {
        let mut history = Self::new(content, digest, depth);
        history.first.number = number;
        history
    }

    /// Put back a revision of an earlier run.
    pub fn restore(&mut self, how: How, change: Change, digest: [u8; 32], at: i64) -> Result<(), Refusal> {
        let Change { patch, summary, author, caller } = change;
        let (after, inverse) = (patch.apply(&self.head)?, patch.invert(&self.head)?);
        let id = self.next_id(&digest);
        self.push(after, Revision { id, how, patch, inverse, digest, summary, author, caller, at });
        Ok(())
    }

    /// Put back the changes that could be taken back or made again in an earlier run. Refuses one of a revision that is
    /// not there.
    pub fn restore_entries(&mut self, way: Way, entries: Vec<Entry<X>>) -> Result<(), Refusal> {
        for entry in &entries {
            self.named(entry.revision)?;
        }
        *self.stack(way) = entries;
        Ok(())
    }

    /// From the content at `revision` back to that of the oldest one.
    pub fn way_back(&self, revision: RevisionId) -> Result<Patch, Refusal> {
        let until = self.revisions.len() - self.behind(revision)?.len();
        let inverses: Vec<&Patch> =
            self.revisions[..until].iter().rev().map(|revision| &revision.inverse).collect();
        Ok(Patch::joined(&inverses))
    }

    /// The patches that lead from `base` to the head. Refuses a revision that is not of this history.
    pub fn since(&self, base: RevisionId) -> Result<impl DoubleEndedIterator<Item = &Patch>, Refusal> {
        Ok(self.behind(base)?.iter().map(|revision| &revision.patch))
    }

    /// The content as it was at `base`, made by taking the later revisions back.
    pub fn content_at(&self, base: RevisionId) -> Result<Content, Refusal> {
        let later = self.behind(base)?.iter().rev();
        later
            .map(|revision| &revision.inverse)
            .try_fold(self.head.clone(), |content, back| back.apply(&content))
    }

    /// The revisions that came after `base`.
    fn behind(&self, base: RevisionId) -> Result<&[Revision], Refusal> {
        let count = base.number.checked_sub(self.first.number).and_then(|count| usize::try_from(count).ok());
        let known = count.filter(|count| match count.checked_sub(1) {
            None => base == self.first,
            Some(index) => self.revisions.get(index).is_some_and(|revision| revision.id == base),
        });
        known.and_then(|count| self.revisions.get(count..)).ok_or_else(|| Refusal::Stale {
            expected: base,
            current: self.current(),
            why: (base.number < self.first.number)
                .then(|| format!("{base} is no longer kept, the oldest is {}", self.first)),
        })
    }

    /// The revision of that number, and the digest before it.
    fn named(&self, number: u64) -> Result<(&Revision, Digest), Refusal> {
        let index = number.checked_sub(self.first.number + 1).and_then(|index| usize::try_from(index).ok());
        let found = index.and_then(|index| Some((self.revisions.get(index)?, index)));
        let (revision, index) =
            found.ok_or_else(|| Refusal::internal("undo names a revision that is not there"))?;
        let before = index.checked_sub(1).and_then(|before| self.revisions.get(before));
        Ok((revision, before.map_or(self.first_digest, |before| before.digest)))
    }

    fn stack(&mut self, way: Way) -> &mut Vec<Entry<X>> {
        match way {
            Way::Undo => &mut self.undo,
            Way::Redo => &mut self.redo,
        }
    }

    fn next_id(&self, digest: &Digest) -> RevisionId {
        RevisionId::new(self.current().number + 1, digest)
    }

    fn push(&mut self, head: Content, revision: Revision) {
        self.head = head;
        self.bytes += revision.bytes();
        self.revisions.push(revision);
    }

    /// The last revision, which was just made. If there are too many now, the older half is forgotten, and what it could
    /// take back with it.
    fn shortened(&mut self) -> &Revision {
        let last = self.revisions.len() - 1;
        if self.revisions.len() > self.depth.revisions || self.bytes > self.depth.bytes {
            let Depth { revisions, bytes } = self.depth;
            let mut gone = 0;
            while gone < last && (self.revisions.len() - gone > revisions / 2 || self.bytes > bytes / 2) {
                self.bytes -= self.revisions[gone].bytes();
                (self.first, self.first_digest) = (self.revisions[gone].id, self.revisions[gone].digest);
                gone += 1;
            }
            self.revisions.drain(..gone);
            let first = self.first.number;
            self.undo.retain(|entry| entry.revision > first);
            self.redo.retain(|entry| entry.revision > first);
        }
        // Just pushed, and never forgotten.
        &self.revisions[self.revisions.len() - 1]
    }
}

/// Names the content by how it came to be: hashing 40 MB for each edit would cost more than the edit.
fn chain(before: &Digest, patch: &Patch) -> Digest {
    let mut hasher = blake3::Hasher::new();
    let number = |hasher: &mut blake3::Hasher, n: usize| {
        hasher.update(&(n as u64).to_le_bytes());
    };
    let blob = |hasher: &mut blake3::Hasher, blob: &Blob| {
        number(hasher, blob.len());
        for (_, bytes) in blob.chunks() {
            hasher.update(&bytes);
        }
    };
    hasher.update(before);
    for (name, change) in patch.parts() {
        number(&mut hasher, name.as_str().len());
        hasher.update(name.as_str().as_bytes());
        match change {
            PartChange::Splices(splices) => {
                hasher.update(b"splices");
                number(&mut hasher, splices.len());
                for splice in splices {
                    number(&mut hasher, splice.range.start);
                    number(&mut hasher, splice.range.end);
                    blob(&mut hasher, &splice.with);
                }
            }
            PartChange::Put(with) => {
                hasher.update(b"put");
                blob(&mut hasher, with);
            }
            PartChange::Remove => {
                hasher.update(b"remove");
            }
        }
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PartName;
    use proptest::prelude::*;

    fn history(text: &str) -> History<()> {
        deep(text, Depth::default())
    }

    fn deep(text: &str, depth: Depth) -> History<()> {
        History::new(Content::single(PartName::new("p"), Blob::from(text)), [7; 32], depth)
    }

    fn text(content: &Content) -> String {
        String::from_utf8(content.read("p").unwrap().unwrap().bytes().into_owned()).unwrap()
    }

    fn insert(at: usize, with: &str) -> Change {
        let mut patch = Patch::new();
        patch.splice(&PartName::new("p"), at..at, with).unwrap();
        Change { patch, summary: format!("Insert {with}"), author: "me".into(), caller: "c".into() }
    }

    fn me() -> Whose {
        Whose { author: "me".into(), caller: "c".into() }
    }

    fn undo(history: &mut History<()>) -> Result<Option<&Revision>, Refusal> {
        history.step(Way::Undo, me(), 0)
    }

    fn redo(history: &mut History<()>) -> Result<Option<&Revision>, Refusal> {
        history.step(Way::Redo, me(), 0)
    }

    #[test]
    fn undo_is_a_new_revision_of_the_old_content() {
        let mut history = history("ab");
        let first = history.current();
        history.commit(insert(1, "x"), (), 0).unwrap();
        let second = history.current();
        assert_eq!(text(history.head()), "axb");
        undo(&mut history).unwrap().unwrap();
        assert_eq!(text(history.head()), "ab");
        assert_eq!(history.current().number, 2);
        assert_eq!(history.current().digest, first.digest);
        redo(&mut history).unwrap().unwrap();
        assert_eq!(history.current().digest, second.digest);
        assert!(redo(&mut history).unwrap().is_none());
    }

    #[test]
    fn a_change_after_an_undo_ends_redo() {
        let mut history = history("ab");
        history.commit(insert(1, "x"), (), 0).unwrap();
        undo(&mut history).unwrap();
        history.commit(insert(2, "y"), (), 0).unwrap();
        assert!(redo(&mut history).unwrap().is_none());
        assert_eq!(text(history.head()), "aby");
    }

    #[test]
    fn a_revision_of_another_history_is_stale() {
        let mut history = history("ab");
        history.commit(insert(1, "x"), (), 0).unwrap();
        let other = RevisionId { number: 1, digest: 1 };
        assert!(matches!(history.since(other), Err(Refusal::Stale { .. })));
        assert!(history.since(RevisionId { number: 9, digest: 1 }).is_err());
    }

    #[test]
    fn a_revision_that_is_no_longer_kept_is_said_to_be_so() {
        let mut history = deep("ab", Depth { revisions: 4, bytes: 1 << 20 });
        let first = history.current();
        for _ in 0..5 {
            history.commit(insert(1, "x"), (), 0).unwrap();
        }
        assert_eq!((history.revisions().len(), history.opened().number), (2, 3));
        let Err(Refusal::Stale { why: Some(why), .. }) = history.since(first).map(drop) else {
            panic!("it is kept")
        };
        assert_eq!(why, format!("{first} is no longer kept, the oldest is {}", history.opened()));
        assert_eq!(history.entries(Way::Undo).len(), 2);
        // However much the last change weighs, it can be undone.
        history.commit(insert(1, &"x".repeat(2 << 20)), (), 0).unwrap();
        assert_eq!(history.revisions().len(), 1);
        undo(&mut history).unwrap().unwrap();
        assert_eq!(text(history.head()), "axxxxxb");
        assert!(undo(&mut history).unwrap().is_none());
        redo(&mut history).unwrap().unwrap();
    }

    proptest! {
        #[test]
        fn a_short_memory_remembers_rightly(steps in proptest::collection::vec(0u8..5, 0..60), depth in 1usize..9) {
            let mut history = deep("0123456789", Depth { revisions: depth, bytes: 1 << 20 });
            let mut whole = deep("0123456789", Depth::default());
            for (index, step) in steps.into_iter().enumerate() {
                let way = if step == 0 { Way::Undo } else { Way::Redo };
                match step {
                    0 | 1 => {
                        // What cannot be taken back any more is taken back in neither.
                        if history.step(way, me(), 0).unwrap().is_some() {
                            whole.step(way, me(), 0).unwrap().unwrap();
                        }
                    }
                    _ => {
                        let at = (index * 7) % (text(history.head()).len() + 1);
                        history.commit(insert(at, "ab"), (), 0).unwrap();
                        whole.commit(insert(at, "ab"), (), 0).unwrap();
                    }
                }
                prop_assert!(history.revisions().len() <= depth);
                prop_assert_eq!(history.current(), whole.current());
                prop_assert_eq!(history.head(), whole.head());
                for revision in history.revisions() {
                    prop_assert_eq!(history.content_at(revision.id).unwrap(), whole.content_at(revision.id).unwrap());
                }
                let back = history.way_back(history.current()).unwrap();
                prop_assert_eq!(back.apply(history.head()).unwrap(), whole.content_at(history.opened()).unwrap());
            }
        }

        #[test]
        fn every_revision_can_be_seen_again_and_undone(steps in proptest::collection::vec(0u8..5, 0..30)) {
            let mut history = history("0123456789");
            let mut seen = vec![(history.current(), text(history.head()))];
            for (index, step) in steps.into_iter().enumerate() {
                match step {
                    0 => { undo(&mut history).unwrap(); }
                    1 => { redo(&mut history).unwrap(); }
                    _ => {
                        let len = text(history.head()).len();
                        history.commit(insert((index * 7) % (len + 1), "ab"), (), 0).unwrap();
                    }
                }
                seen.push((history.current(), text(history.head())));
            }
            for (id, expected) in &seen {
                prop_assert_eq!(&text(&history.content_at(*id).unwrap()), expected);
                let mut content = history.content_at(*id).unwrap();
                for patch in history.since(*id).unwrap() {
                    content = patch.apply(&content).unwrap();
                }
                prop_assert_eq!(&content, history.head());
            }
            while undo(&mut history).unwrap().is_some() {}
            prop_assert_eq!(text(history.head()), "0123456789");
        }
    }
}

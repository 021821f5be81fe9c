//! The revisions of a document, with undo and redo.
//!
//! Undo is an edit like any other: it makes a new revision, so that whoever holds an older one can still be
//! carried forward. Only the content's digest goes back to what it was.

use crate::{Blob, Content, PartChange, Patch, Refusal, RevisionId};

/// One step in the life of a document.
#[derive(Debug, Clone)]
pub struct Revision {
    pub id: RevisionId,
    /// From the revision before this one.
    pub patch: Patch,
    pub summary: String,
    pub author: String,
    /// Seconds since 1970-01-01 UTC.
    pub at: i64,
}

/// A change that can be taken back.
#[derive(Debug, Clone)]
pub struct Change {
    pub patch: Patch,
    pub summary: String,
    pub author: String,
}

#[derive(Debug, Clone)]
struct Done {
    change: Change,
    inverse: Patch,
    before: Digest,
    after: Digest,
}

type Digest = [u8; 32];

#[derive(Debug, Clone)]
pub struct History {
    head: Content,
    digest: Digest,
    first: RevisionId,
    revisions: Vec<Revision>,
    undo: Vec<Done>,
    redo: Vec<Done>,
}

impl History {
    /// `digest` names the bytes that were opened.
    pub fn new(content: Content, digest: [u8; 32]) -> Self {
        let first = RevisionId { number: 0, digest: short(&digest) };
        Self { head: content, digest, first, revisions: Vec::new(), undo: Vec::new(), redo: Vec::new() }
    }

    pub fn head(&self) -> &Content {
        &self.head
    }

    pub fn current(&self) -> RevisionId {
        self.revisions.last().map_or(self.first, |revision| revision.id)
    }

    /// The revision that was opened.
    pub fn opened(&self) -> RevisionId {
        self.first
    }

    /// Names the content of the head: equal again after an undo.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// Make a change. What was undone before cannot be redone after it.
    pub fn commit(&mut self, change: Change, at: i64) -> Result<&Revision, Refusal> {
        let after = change.patch.apply(&self.head)?;
        self.commit_planned(change, after, at)
    }

    /// As [`History::commit`], for a caller that already holds the content which the patch gives.
    pub fn commit_planned(&mut self, change: Change, after: Content, at: i64) -> Result<&Revision, Refusal> {
        let inverse = change.patch.invert(&self.head)?;
        let (before, digest) = (self.digest, chain(&self.digest, &change.patch));
        self.redo.clear();
        let (patch, summary, author) = (change.patch.clone(), change.summary.clone(), change.author.clone());
        self.undo.push(Done { change, inverse, before, after: digest });
        self.head = after;
        Ok(self.push(patch, digest, summary, author, at))
    }

    /// Take the last change back; `None` if there is none left.
    pub fn undo(&mut self, author: &str, at: i64) -> Result<Option<&Revision>, Refusal> {
        let Some(done) = self.undo.last() else { return Ok(None) };
        let head = done.inverse.apply(&self.head)?;
        let Some(done) = self.undo.pop() else { return Ok(None) };
        self.head = head;
        let (patch, digest) = (done.inverse.clone(), done.before);
        let summary = format!("Undo: {}", done.change.summary);
        self.redo.push(done);
        Ok(Some(self.push(patch, digest, summary, author.to_owned(), at)))
    }

    /// Make the last undone change again; `None` if there is none.
    pub fn redo(&mut self, author: &str, at: i64) -> Result<Option<&Revision>, Refusal> {
        let Some(done) = self.redo.last() else { return Ok(None) };
        let head = done.change.patch.apply(&self.head)?;
        let Some(done) = self.redo.pop() else { return Ok(None) };
        self.head = head;
        let (patch, digest) = (done.change.patch.clone(), done.after);
        let summary = format!("Redo: {}", done.change.summary);
        self.undo.push(done);
        Ok(Some(self.push(patch, digest, summary, author.to_owned(), at)))
    }

    /// The patches that lead from `base` to the head. Refuses a revision that is not of this history.
    pub fn since(&self, base: RevisionId) -> Result<impl Iterator<Item = &Patch>, Refusal> {
        let index = if base == self.first {
            Some(0)
        } else {
            let known = self.revisions.binary_search_by_key(&base.number, |revision| revision.id.number).ok();
            known.filter(|index| self.revisions.get(*index).is_some_and(|r| r.id == base)).map(|i| i + 1)
        };
        match index {
            Some(index) => Ok(self.revisions[index..].iter().map(|revision| &revision.patch)),
            None => Err(Refusal::Stale { expected: base, current: self.current(), why: None }),
        }
    }

    /// The content as it was at `base`, made by taking the later revisions back.
    pub fn content_at(&self, base: RevisionId) -> Result<Content, Refusal> {
        let forward: Vec<&Patch> = self.since(base)?.collect();
        if forward.is_empty() {
            return Ok(self.head.clone());
        }
        // Going back needs what each revision replaced, which only the undo stacks know; going forward from
        // the first revision needs nothing else. The start is therefore rebuilt from the oldest content.
        let mut content = self.oldest()?;
        for revision in &self.revisions[..self.revisions.len() - forward.len()] {
            content = revision.patch.apply(&content)?;
        }
        Ok(content)
    }

    /// The content as opened: the head with every change on the undo stack taken back.
    fn oldest(&self) -> Result<Content, Refusal> {
        self.undo.iter().rev().try_fold(self.head.clone(), |content, done| done.inverse.apply(&content))
    }

    fn push(&mut self, patch: Patch, digest: Digest, summary: String, author: String, at: i64) -> &Revision {
        self.digest = digest;
        let id = RevisionId { number: self.current().number + 1, digest: short(&digest) };
        self.revisions.push(Revision { id, patch, summary, author, at });
        // Just pushed, so there is a last one.
        &self.revisions[self.revisions.len() - 1]
    }
}

fn short(digest: &Digest) -> u32 {
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
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

    fn history(text: &str) -> History {
        History::new(Content::single(PartName::new("p"), Blob::from(text)), [7; 32])
    }

    fn text(content: &Content) -> String {
        String::from_utf8(content.read("p").unwrap().unwrap().bytes().into_owned()).unwrap()
    }

    fn insert(at: usize, with: &str) -> Change {
        let mut patch = Patch::new();
        patch.splice(&PartName::new("p"), at..at, with).unwrap();
        Change { patch, summary: format!("Insert {with}"), author: "me".into() }
    }

    #[test]
    fn undo_is_a_new_revision_of_the_old_content() {
        let mut history = history("ab");
        let first = history.current();
        history.commit(insert(1, "x"), 0).unwrap();
        let second = history.current();
        assert_eq!(text(history.head()), "axb");
        history.undo("me", 0).unwrap().unwrap();
        assert_eq!(text(history.head()), "ab");
        assert_eq!(history.current().number, 2);
        assert_eq!(history.current().digest, first.digest);
        history.redo("me", 0).unwrap().unwrap();
        assert_eq!(history.current().digest, second.digest);
        assert!(history.redo("me", 0).unwrap().is_none());
    }

    #[test]
    fn a_change_after_an_undo_ends_redo() {
        let mut history = history("ab");
        history.commit(insert(1, "x"), 0).unwrap();
        history.undo("me", 0).unwrap();
        history.commit(insert(2, "y"), 0).unwrap();
        assert!(history.redo("me", 0).unwrap().is_none());
        assert_eq!(text(history.head()), "aby");
    }

    #[test]
    fn a_revision_of_another_history_is_stale() {
        let mut history = history("ab");
        history.commit(insert(1, "x"), 0).unwrap();
        let other = RevisionId { number: 1, digest: 1 };
        assert!(matches!(history.since(other), Err(Refusal::Stale { .. })));
        assert!(history.since(RevisionId { number: 9, digest: 1 }).is_err());
    }

    proptest! {
        #[test]
        fn every_revision_can_be_seen_again_and_undone(steps in proptest::collection::vec(0u8..5, 0..30)) {
            let mut history = history("0123456789");
            let mut seen = vec![(history.current(), text(history.head()))];
            for (index, step) in steps.into_iter().enumerate() {
                match step {
                    0 => { history.undo("me", 0).unwrap(); }
                    1 => { history.redo("me", 0).unwrap(); }
                    _ => {
                        let len = text(history.head()).len();
                        history.commit(insert((index * 7) % (len + 1), "ab"), 0).unwrap();
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
            while history.undo("me", 0).unwrap().is_some() {}
            prop_assert_eq!(text(history.head()), "0123456789");
        }
    }
}

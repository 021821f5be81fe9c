//! Records of formatting that an edit has copied get an id of their own.
//!
//! Cutting a run in two leaves both halves with the record of the tracked change that made them look as they do.
//! Word gives the halves different ids, and validators want it so; each planner cuts in its own way, so this is
//! seen to once, on the finished patch.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Blob, Cut, PartChange, Patch, Refusal};
use memchr::memmem;

use crate::document::stamp::highest_id;
use crate::document::view::View;

pub(crate) fn renumber(view: &View, patch: Patch) -> Result<Patch, Refusal> {
    let copies = |change: &PartChange| match change {
        PartChange::Splices(splices) => {
            splices.iter().any(|splice| memmem::find(&splice.with.bytes(), b"rPrChange").is_some())
        }
        PartChange::Put(_) | PartChange::Remove => false,
    };
    if !patch.parts().any(|(_, change)| copies(change)) {
        return Ok(patch);
    }
    let mut next = view.highest_id();
    for (_, change) in patch.parts() {
        let PartChange::Splices(splices) = change else { continue };
        for splice in splices {
            next = next.max(highest_id([&*splice.with.bytes()]));
        }
    }
    let mut renumbered = Patch::new();
    for (part, change) in patch.parts() {
        match change {
            PartChange::Put(blob) => renumbered.put(part, blob.clone()),
            PartChange::Remove => renumbered.remove(part),
            PartChange::Splices(splices) => {
                let before = view.content().existing(part)?;
                // A record that goes in one place and comes in another was moved, not copied.
                let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
                for splice in splices {
                    let removed = before.slice(splice.range.clone());
                    for id in record_ids(&removed) {
                        *known.entry(removed.cut(id)?.to_vec()).or_default() += 1;
                    }
                }
                for splice in splices {
                    let mut with = splice.with.bytes().into_owned();
                    // From the end, so that places further in front stay where they are.
                    let ids = record_ids(&with);
                    let mut extra: Vec<Range<usize>> = Vec::new();
                    for id in ids {
                        match known.get_mut(with.cut(id.clone())?) {
                            Some(count) if *count > 0 => *count -= 1,
                            _ if is_used(view, &with, &id) => extra.push(id),
                            _ => {}
                        }
                    }
                    for id in extra.into_iter().rev() {
                        next = next.saturating_add(1);
                        with.splice(id, next.to_string().into_bytes());
                    }
                    renumbered.splice(part, splice.range.clone(), Blob::from(with))?;
                }
            }
        }
    }
    Ok(renumbered)
}

/// Whether the document has an id already; one above all others is that of a new record.
fn is_used(view: &View, with: &[u8], id: &Range<usize>) -> bool {
    let number = std::str::from_utf8(with.part(id.clone())).ok();
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number <= view.highest_id())
}

/// Where the ids of records of formatting are.
fn record_ids(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut ids = Vec::new();
    for at in memmem::find_iter(bytes, b"rPrChange ") {
        let Some(tag) = bytes.get(at..) else { continue };
        let tag = tag.part(..memchr::memchr(b'>', tag).unwrap_or(0));
        let id = memmem::find_iter(tag, b"id=").find(|id| {
            id.checked_sub(1)
                .and_then(|before| tag.get(before))
                .is_some_and(|before| matches!(before, b':' | b' '))
        });
        let Some(id) = id else { continue };
        let digits = tag.iter().skip(id + 4).take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 {
            ids.push(at + id + 4..at + id + 4 + digits);
        }
    }
    ids
}

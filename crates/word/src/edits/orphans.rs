//! What goes along with an edit: the notes and comments whose last reference it takes out of the text.
//!
//! Nobody could read such a note any more, yet it would still be found, and such a comment would hang on nothing. Few
//! edits take a reference away, so the bytes that one removes are looked through first; only if a reference is in them,
//! and nowhere else, is the edit made on trial to find what to take.

use std::borrow::Cow;
use std::collections::BTreeSet;

use edit::{Patch, Refusal, Splice};
use memchr::{memchr, memmem, memrchr};

use super::{comment, note};
use crate::document::names::attribute;
use crate::document::view::View;

/// The name of an element that refers to a note or comment, and the id that it gives.
pub(super) type Reference = (&'static str, String);

pub(super) const FOOTNOTE: &str = "footnoteReference";
pub(super) const ENDNOTE: &str = "endnoteReference";
pub(super) const COMMENT: &str = "commentReference";

/// `patch`, and with it the notes and comments that nothing refers to any more when it is made.
pub(crate) fn take_along(view: &View, patch: Patch) -> Result<Patch, Refusal> {
    let mut gone = unreferred(view, &patch);
    if gone.is_empty() {
        return Ok(patch);
    }
    let after = patch.apply(view.content())?;
    let next = view.clone().after(&patch, &after)?;
    let mut removal = Patch::new();
    note::remove_all(&next, &gone, &mut removal)?;
    // Somebody may have commented on a note.
    gone.extend(unreferred(&next, &removal));
    comment::remove_all(&next, &gone, &mut removal)?;
    Ok(patch.then(&removal))
}

/// What is referred to before `patch` and not after it.
fn unreferred(view: &View, patch: &Patch) -> BTreeSet<Reference> {
    let mut gone = BTreeSet::new();
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            gone.extend(references(&part.blob.slice(splice.range.clone())).map(|(_, reference)| reference));
        }
    }
    if gone.is_empty() {
        return gone;
    }
    for part in view.parts() {
        let splices = patch.splices(&part.name);
        for (at, reference) in references(&part.blob.bytes()) {
            if !is_cut(at, splices) {
                gone.remove(&reference);
            }
        }
        for splice in splices {
            for (_, reference) in references(&splice.with.bytes()) {
                gone.remove(&reference);
            }
        }
    }
    gone
}

/// Whether splices, which are sorted, take away what begins here.
pub(super) fn is_cut(at: usize, splices: &[Splice]) -> bool {
    let next = splices.get(splices.partition_point(|splice| splice.range.end <= at));
    next.is_some_and(|splice| splice.range.contains(&at))
}

fn references(bytes: &[u8]) -> impl Iterator<Item = (usize, Reference)> {
    [FOOTNOTE, ENDNOTE, COMMENT]
        .into_iter()
        .flat_map(move |name| ids_of(bytes, name).map(move |(at, id)| (at, (name, id.into_owned()))))
}

/// Where elements of this name begin, whatever their prefix, and their ids.
pub(super) fn ids_of<'a>(
    bytes: &'a [u8],
    name: &'static str,
) -> impl Iterator<Item = (usize, Cow<'a, str>)> + use<'a> {
    memmem::find_iter(bytes, name).filter_map(move |at| {
        let start = memrchr(b'<', bytes.get(..at)?)?;
        let tag = bytes.get(start..at + memchr(b'>', bytes.get(at..)?)?)?;
        let written = tag.get(1..at - start + name.len())?;
        let local = memchr(b':', written).map_or(Some(written), |colon| written.get(colon + 1..))?;
        let is_whole = tag.get(at - start + name.len()).is_some_and(u8::is_ascii_whitespace);
        (local == name.as_bytes() && is_whole).then(|| Some((start, attribute(tag, "id")?)))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_known_by_their_names_and_by_nothing_that_looks_like_them() {
        let bytes = b"<w:rStyle w:val=\"FootnoteReference\"/><w:footnoteReference w:id=\"2\"/>\
            <w:t>a:commentReference id=\"3\"</w:t><commentReference\n id='4'></commentReference>\
            <w:commentReferences w:id=\"5\"/><x:endnoteReference x:customMarkFollows=\"1\" x:id=\"6\"/>\
            <w:footnoteReference w:i";
        let found: Vec<Reference> = references(bytes).map(|(_, reference)| reference).collect();
        let wanted = [(FOOTNOTE, "2"), (ENDNOTE, "6"), (COMMENT, "4")];
        assert_eq!(found, wanted.map(|(name, id)| (name, id.to_owned())));
    }
}

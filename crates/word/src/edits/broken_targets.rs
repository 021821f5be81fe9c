//! Bookmarks that an edit takes away although links and cross references point at them.
//!
//! Word shows "Error! Reference source not found" in their place once it computes them again, wherever they are in the
//! document, so whoever deletes the target has to know.

use std::collections::BTreeSet;

use edit::{Cut, Level, Note, Patch};
use memchr::{memchr, memmem, memrchr};

use super::orphans::is_cut;
use crate::document::names::attribute;
use crate::document::view::View;

/// How many paragraphs are named.
const NAMED: usize = 5;

pub(super) fn note(view: &View, patch: &Patch) -> Option<Note> {
    let (mut gone, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            gone.extend(bookmarks(&part.blob.slice(splice.range.clone())));
        }
    }
    if gone.is_empty() {
        return None;
    }
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            kept.extend(bookmarks(&splice.with.bytes()));
        }
    }
    let mut lost = Vec::new();
    let mut targets = BTreeSet::new();
    for part in view.parts() {
        let bytes = part.blob.bytes();
        let splices = patch.splices(&part.name);
        for name in gone.difference(&kept) {
            for at in memmem::find_iter(&bytes, name).filter(|at| refers(&bytes, *at, name.len())) {
                let Some(place) = view.place_at(&part.name, at).filter(|_| !is_cut(at, splices)) else {
                    continue;
                };
                targets.insert(name.as_str());
                let id = view.id(place).to_string();
                if !lost.contains(&id) {
                    lost.push(id);
                }
            }
        }
    }
    let more = if lost.len() > NAMED { " and others" } else { "" };
    lost.truncate(NAMED);
    let targets: Vec<&str> = targets.into_iter().take(NAMED).collect();
    let text = format!(
        "links or cross references point at what is deleted (bookmark {}) and have no target any more: {}{more}",
        targets.join(", "),
        lost.join(", ")
    );
    (!lost.is_empty()).then_some(Note { level: Level::Warning, text })
}

/// The names of the bookmarks that start here.
pub(super) fn bookmarks(bytes: &[u8]) -> impl Iterator<Item = String> + '_ {
    memmem::find_iter(bytes, b"bookmarkStart").filter_map(|at| {
        let tag = bytes.get(at..at + memchr(b'>', bytes.get(at..)?)?)?;
        attribute(tag, "name").map(|name| name.into_owned())
    })
}

/// Whether the name at this place stands in the instruction of a field or is what a link points at.
fn refers(bytes: &[u8], at: usize, length: usize) -> bool {
    let part_of_word = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
    };
    if part_of_word(at.checked_sub(1)) || part_of_word(Some(at + length)) {
        return false;
    }
    let before = bytes.part(..at);
    let Some(tag) = memrchr(b'<', before).and_then(|open| before.get(open..)) else { return false };
    match memchr(b'>', tag) {
        Some(close) => {
            let name = tag.part(1..close).split(u8::is_ascii_whitespace).next();
            name.is_some_and(|name| name.ends_with(b"instrText"))
        }
        None => [&b"anchor="[..], b"instr="].iter().any(|wanted| {
            memmem::rfind(tag, wanted)
                .is_some_and(|at| memmem::rfind(tag, b"=").is_some_and(|last| last < at + wanted.len()))
        }),
    }
}

//! The copy of a text box that older programs read.
//!
//! Word writes a text box twice: as a drawing, which it reads, and as a picture for programs that know no such drawings.
//! The copy stands outside the paragraph that an edit is about, so its bytes stay; Word writes it anew when it saves.
//! Until then it holds the old words, which whoever wanted them gone has to know.

use std::collections::BTreeSet;

use edit::{Cut, Level, Note, Patch};

use crate::document::index::BoxKind;
use crate::document::view::View;

/// No copy stands further behind its text box.
const FARTHEST: usize = 1 << 20;

/// Says so if a text box that `patch` changes has a copy.
pub(super) fn note(view: &View, patch: &Patch) -> Option<Note> {
    let has_copy = view.parts().iter().any(|part| {
        let changed = patch.splices(&part.name).iter().filter_map(|splice| {
            let mut around = part.around(part.box_holding(&splice.range)?);
            around.find(|(_, block)| block.kind == BoxKind::TextBox).map(|(boxed, _)| boxed)
        });
        let changed: BTreeSet<u32> = changed.collect();
        changed.into_iter().filter_map(|boxed| part.bounds(boxed)).any(|block| {
            let behind = block.end as usize;
            let text = part.blob.slice(block.inner as usize..block.inner_end as usize);
            let rest = part.blob.slice(behind..part.blob.len().min(behind + FARTHEST));
            is_copied(&text, &rest)
        })
    });
    let text = "the text box has a copy for older programs, which keeps the old words and looks until Word saves \
        the file";
    has_copy.then(|| Note { level: Level::Info, text: text.to_owned() })
}

/// Whether the fallback that follows a text box says the same.
fn is_copied(text: &[u8], rest: &[u8]) -> bool {
    let copy = || {
        let end = memchr::memmem::find(rest, b"AlternateContent>")?;
        let fallback = memchr::memmem::find(rest.get(..end)?, b":Fallback")?;
        rest.get(fallback..end)
    };
    // Tags may differ: the ids of paragraphs and of revisions are left out in copies.
    let said = words(text);
    copy().is_some_and(|copy| !said.is_empty() && memchr::memmem::find(&words(copy), &said).is_some())
}

/// What stands between the tags.
fn words(source: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    let mut rest = source;
    while let Some(open) = memchr::memchr(b'<', rest) {
        words.extend_from_slice(rest.part(..open));
        let behind = rest.part(open..);
        rest = behind.left(memchr::memchr(b'>', behind).map_or(behind.len(), |close| close + 1));
    }
    words.extend_from_slice(rest);
    words.retain(|byte| !byte.is_ascii_whitespace());
    words
}

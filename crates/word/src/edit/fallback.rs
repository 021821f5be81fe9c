//! The copy of a text box that older programs read.
//!
//! Word writes a text box twice: as a drawing, which it reads, and as a picture for programs that know no such drawings.
//! The copy has the same text, and would go on saying what an edit has changed.

use edit::{Patch, Refusal};

use crate::index::BoxKind;
use crate::view::View;

/// No copy stands further behind its text box.
const FARTHEST: usize = 1 << 20;

/// `patch`, and with it the same changes of the copies of the text boxes that it changes.
pub(super) fn copied(view: &View, patch: Patch) -> Result<Patch, Refusal> {
    let mut more = Vec::new();
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            let boxed = part.box_holding(&splice.range);
            let around = boxed.into_iter().flat_map(|boxed| part.around(boxed));
            let Some((_, block)) = around.into_iter().find(|(_, block)| block.kind == BoxKind::TextBox)
            else {
                continue;
            };
            let inner = block.inner as usize..block.inner_end as usize;
            let behind = block.end as usize;
            let text = part.blob.slice(inner.clone());
            let rest = part.blob.slice(behind..part.blob.len().min(behind + FARTHEST));
            let within = inner.start <= splice.range.start && splice.range.end <= inner.end;
            let place = copy_of(&text, &rest).filter(|_| within);
            if let Some(place) = place {
                let start = behind + place + splice.range.start - inner.start;
                more.push((&part.name, start..start + splice.range.len(), splice.with.clone()));
            }
        }
    }
    let mut patch = patch.clone();
    for (part, range, with) in more {
        // What reaches there already is no copy.
        let free = patch
            .splices(part)
            .iter()
            .all(|known| known.range.end <= range.start || range.end <= known.range.start);
        if free {
            patch.splice(part, range, with)?;
        }
    }
    Ok(patch)
}

/// Where in `rest` the one text box of the fallback begins that holds the same bytes.
fn copy_of(text: &[u8], rest: &[u8]) -> Option<usize> {
    let end = memchr::memmem::find(rest, b"AlternateContent>")?;
    let fallback = memchr::memmem::find(rest.get(..end)?, b":Fallback")?;
    let region = rest.get(fallback..end)?;
    let mut found = memchr::memmem::find_iter(region, b"txbxContent>").filter_map(|at| {
        let start = at + b"txbxContent>".len();
        let same = region.get(start..start + text.len()) == Some(text);
        let closed = region.get(start + text.len()..).is_some_and(|rest| rest.starts_with(b"</"));
        (same && closed).then_some(fallback + start)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

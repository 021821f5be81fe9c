//! What is seen to on the finished patch of every edit, whichever it was.

use edit::{Patch, Planned, Refusal, Step};

use super::data_bound::{self, Writes};
use super::{Markup, Outcome, broken_targets, fallback};
use crate::document::finders::AUTHOR;
use crate::document::index::BoxKind;
use crate::document::view::View;
use crate::edits::revision_ids::renumber;

/// What an edit is about, as far as its finished patch goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// The text of paragraphs.
    Text,
    /// Something else of the document.
    Other,
    /// Whatever an operation may be about.
    Operation(Markup),
    /// Tracked changes that are accepted or rejected.
    Changes,
}

pub(crate) fn finish(
    view: &View,
    mut planned: Planned<Outcome>,
    about: About,
) -> Result<Planned<Outcome>, Refusal> {
    let Step { patch, notes, .. } = &mut planned.step;
    let writes = match about {
        // Data has no tracked changes, and whoever rejects those of the text must have all as it was.
        About::Text | About::Operation(Markup::Tracked) => Writes::Text,
        About::Other | About::Operation(Markup::Plain) | About::Changes => Writes::Data,
    };
    *patch = data_bound::keep(view, std::mem::take(patch), writes, notes)?;
    // An edit that is made of others has their notes already.
    for note in [fallback::note(view, patch), broken_targets::note(view, patch)].into_iter().flatten() {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    // Operations answer with places in the bytes that they have written, which must then stay as they are.
    if !matches!(about, About::Operation(_)) {
        *patch = renumber(view, std::mem::take(patch))?;
    }
    if about != About::Changes {
        refuse_in_text_boxes(view, patch)?;
    }
    Ok(planned)
}

/// Word does not open a file with revisions inside a text box, whichever edit would write them.
fn refuse_in_text_boxes(view: &View, patch: &Patch) -> Result<(), Refusal> {
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            if !AUTHOR.is_in(&splice.with.bytes()) {
                continue;
            }
            let Some(boxed) = part.box_holding(&splice.range) else { continue };
            if part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox) {
                return Err(Refusal::Unsafe {
                    why: "the paragraph is in a text box, and Word refuses files with tracked changes there"
                        .to_owned(),
                    instead: Some("make this edit without tracking, or as a suggestion".to_owned()),
                });
            }
        }
    }
    Ok(())
}

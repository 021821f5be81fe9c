//! Definitions of links, which are no blocks: `[label]: address`.
//!
//! Text that goes into one may end it, and then every link that uses it, wherever it stands, is one no more.

use edit::Refusal;

use super::{Draft, line_excerpt};
use crate::format::preview;
use crate::view::View;

pub(super) fn kept(view: &View, draft: Draft) -> Result<Draft, Refusal> {
    if !draft.splices.iter().any(|(range, _)| in_definition(view, range.start)) {
        return Ok(draft);
    }
    let after = preview(view, &draft.patch()?)?;
    let known = &after.definitions().links;
    let lost = view.definitions().links.keys().find(|label| !known.contains_key(*label));
    let Some(lost) = lost else { return Ok(draft) };
    for (range, with) in &draft.splices {
        let line = view.line_start(range.start)..view.line_end(range.end);
        let rest = view.slice(line.start..range.start).into_owned() + with + &view.slice(range.end..line.end);
        if in_definition(view, range.start) && !rest.trim_matches([' ', '\t', '>']).is_empty() {
            return Err(Refusal::Unsafe {
                why: format!(
                    "`{}` would no longer define `[{}]`, and links that use it would be text",
                    line_excerpt(rest.trim(), 60),
                    lost.as_ref()
                ),
                instead: Some(
                    "an address is one word, or stands between `<` and `>`; take the whole line to delete it"
                        .to_owned(),
                ),
            });
        }
    }
    Ok(draft)
}

/// Whether a place is on a line that begins as a definition does.
fn in_definition(view: &View, at: usize) -> bool {
    let line = view.slice(view.line_start(at)..view.line_end(at));
    let bare = line.trim_start_matches([' ', '\t', '>']);
    bare.starts_with('[') && !bare.starts_with("[^") && bare.contains("]:")
}

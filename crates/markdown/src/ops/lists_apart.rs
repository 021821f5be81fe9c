//! Lists that stay apart when what stood between them goes.
//!
//! Two lists with nothing but blank lines between them are one list. Where an edit takes away what kept them apart, an
//! empty comment takes its place, which is how Markdown says it.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Patch, Refusal};

use super::Draft;
use crate::PART;
use crate::block::Kind;
use crate::format::preview;
use crate::safety;
use crate::shape::APART;
use crate::view::{Node, View};

pub(super) fn kept(view: &View, draft: Draft) -> Result<Draft, Refusal> {
    let takes_away = |(range, with): &(Range<usize>, String)| !range.is_empty() && with.trim().is_empty();
    if !draft.splices.iter().any(takes_away) {
        return Ok(draft);
    }
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    if joined(view, &after, &patch).is_none() && safety::check(view, &after, &patch).is_ok() {
        return Ok(draft);
    }
    let mut apart = draft.clone();
    for (range, with) in apart.splices.iter_mut().filter(|splice| takes_away(splice)) {
        let line = view.line_start(range.start);
        if line != range.start {
            continue;
        }
        let source = view.slice(line..view.line_end(line));
        let blanks = source.len() - source.trim_start_matches([' ', '\t', '>']).len();
        let (prefix, eol) = (&source[..blanks], view.eol());
        let below = view.slice(range.end..view.line_end(range.end));
        let blank = range.end < view.len() && below.trim_matches([' ', '\t', '>']).is_empty();
        let whole = view.line_start(range.end) == range.end;
        *with = match blank {
            true if whole => format!("{prefix}{APART}{eol}"),
            // The end of its line is still there.
            true => format!("{prefix}{APART}"),
            false => format!("{prefix}{APART}{eol}{}{eol}", prefix.trim_end()),
        };
    }
    let patch = apart.patch()?;
    let after = preview(view, &patch)?;
    if joined(view, &after, &patch).is_none() && safety::check(view, &after, &patch).is_ok() {
        return Ok(apart);
    }
    match joined(view, &preview(view, &draft.patch()?)?, &draft.patch()?) {
        // What else is wrong is for the check at the end to say.
        None => Ok(draft),
        Some(line) => Err(Refusal::Unsafe {
            why: format!("the list on line {line} would become part of the list before it"),
            instead: Some(
                "leave something between the two lists, such as `<!-- -->` on a line of its own".to_owned(),
            ),
        }),
    }
}

/// Whether a list would become part of another.
pub(super) fn joins(before: &View, after: &View, patch: &Patch) -> bool {
    joined(before, after, patch).is_some()
}

/// The line of a list whose items would be items of another list.
fn joined(before: &View, after: &View, patch: &Patch) -> Option<usize> {
    let (old, new) = (before.fresh_range(after), after.fresh_range(before));
    let list = |node: &Node<'_>| {
        let list = node.ancestors().find(|around| matches!(around.kind(), Kind::List(_)))?;
        Some((list.range().start, list.ancestors().count()))
    };
    let now: BTreeMap<usize, (usize, usize)> =
        after.leaves_in(new).filter_map(|node| Some((node.range().start, list(&node)?))).collect();
    let mut was: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    let offsets = patch.offsets(PART);
    for node in before.leaves_in(old) {
        let Some(of) = list(&node) else { continue };
        let Some(carried) = offsets.carry(node.range()) else { continue };
        let Some(is) = now.get(&carried.start) else { continue };
        let known = was.entry(*is).or_insert(of);
        if *known != of && known.1 == of.1 {
            return Some(before.line_column(of.0).line);
        }
    }
    None
}

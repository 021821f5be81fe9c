//! The road from a Markdown edit to a patch.

use std::sync::Arc;

use edit::{
    Blob, Content, Context, Format, Lost, PartChange, PartName, Patch, Planned, Refusal, Shown, Step, Stop,
};

use crate::PART;
use crate::block::Kind;
use crate::changed;
use crate::moved;
use crate::ops::{self, Draft};
use crate::safety;
use crate::view::View;
use crate::vocabulary::{Edit, Fixed, Guard, Outcome, Spot};

/// Markdown and plain text.
#[derive(Debug, Clone, Copy)]
pub enum Markdown {}

/// What saving needs of the file that was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Source {
    /// The file starts with a byte order mark. It is no part of the text: positions do not count it.
    pub bom: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 256 << 20 }
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Format for Markdown {
    type View = View;
    type Edit = Edit;
    type Outcome = Outcome;
    type Settled = ();
    type Source = Source;
    type Limits = Limits;

    fn unpack(file: Arc<Vec<u8>>, limits: &Limits) -> Result<(Source, Content), Refusal> {
        if file.len() > limits.bytes {
            return Err(Refusal::Limit {
                what: "the file".into(),
                found: format!("{} bytes", file.len()),
                limit: format!("{} bytes", limits.bytes),
            });
        }
        let corrupt = |why: String| Refusal::Corrupt { what: "the file".to_owned(), why };
        if file.starts_with(b"\xFF\xFE") || file.starts_with(b"\xFE\xFF") {
            return Err(corrupt("it is UTF-16; save it as UTF-8 first".to_owned()));
        }
        if let Err(error) = std::str::from_utf8(&file) {
            return Err(corrupt(format!("it is not UTF-8 text (first bad byte at {})", error.valid_up_to())));
        }
        let bom = file.starts_with(BOM);
        let blob = Blob::from(file);
        let text = if bom { blob.sub(BOM.len()..blob.len()) } else { blob };
        Ok((Source { bom }, Content::single(part(), text)))
    }

    fn pack(source: &Source, content: &Content) -> Result<Vec<u8>, Refusal> {
        let blob = text_of(content)?;
        let mut file = Vec::with_capacity(blob.len() + BOM.len());
        if source.bom {
            file.extend_from_slice(BOM);
        }
        for (_, bytes) in blob.chunks() {
            file.extend_from_slice(&bytes);
        }
        Ok(file)
    }

    fn view(content: &Content) -> Result<View, Refusal> {
        View::new(text_of(content)?)
    }

    fn view_after(view: View, patch: &Patch, after: &Content) -> Result<View, Refusal> {
        view.after(patch, text_of(after)?)
    }

    fn inventory(view: &View) -> Result<Vec<String>, Refusal> {
        let definitions = std::iter::once(format!("{:?} {:?}", view.size(), view.definitions()));
        let nodes = view
            .nodes()
            .map(|(id, node)| format!("{id:?} {:?} {:?} {}", node.kind(), node.range(), node.plain()));
        Ok(definitions.chain(nodes).collect())
    }

    fn anchor(view: &View, edit: &Edit) -> Result<Edit, Refusal> {
        // What fills an empty document means that document and no other, so there is no place to hold.
        if matches!(edit, Edit::Fixed(_) | Edit::Write { .. }) {
            return Ok(edit.clone());
        }
        // New front matter has no place to hold either: it stands first, whatever comes to stand behind it.
        let first = view.top().next().map(|node| node.kind());
        if matches!(edit, Edit::SetFrontMatter { .. }) && first != Some(Kind::FrontMatter) {
            return Ok(edit.clone());
        }
        let draft = ops::draft(view, edit, &Stop::never())?;
        finish(view, &draft, &Stop::never())?;
        Ok(Edit::Fixed(fix(view, draft)))
    }

    fn carry(edit: &Edit, patch: &Patch) -> Result<Edit, Lost> {
        let fixed = match edit {
            Edit::Fixed(fixed) => fixed,
            Edit::SetFrontMatter { .. } => {
                let fenced = |splice: &edit::Splice| {
                    let start = splice.with.slice(0..3);
                    splice.range.start == 0 && matches!(&*start, b"---" | b"+++")
                };
                if patch.splices(PART).iter().any(fenced) {
                    return Err(Lost { why: "the document has front matter now".to_owned() });
                }
                return Ok(edit.clone());
            }
            Edit::Write { .. } if patch.is_empty() => return Ok(edit.clone()),
            Edit::Write { .. } => return Err(Lost { why: "the document is no longer empty".to_owned() }),
            _ => return Err(Lost { why: "the edit was never fixed to a place".to_owned() }),
        };
        let offsets = patch.offsets(PART);
        let carried = |range: &std::ops::Range<usize>, text: &str| {
            offsets.carry(range.clone()).ok_or_else(|| Lost {
                why: if text.is_empty() {
                    "the place it was meant for is gone".to_owned()
                } else {
                    format!("the text it was meant for has changed: `{}`", ops::line_excerpt(text, 60))
                },
            })
        };
        let endings = moved::Endings::of(patch);
        let spots = fixed.spots.iter().map(|spot| {
            let with = endings.given(&spot.with);
            let kept = carried(&spot.range, &spot.original);
            let found = match &kept {
                Ok(_) => None,
                Err(_) => moved::with_other_endings(patch, &spot.range, Some(&spot.original)),
            };
            match found {
                Some((range, original)) => Ok(Spot { range, original, with }),
                None => Ok(Spot { range: kept?, original: spot.original.clone(), with }),
            }
        });
        let spots = spots.collect::<Result<_, _>>()?;
        let guards = fixed.guards.iter().map(|guard| {
            let range = offsets
                .carry(guard.range.clone())
                .or_else(|| Some(moved::with_other_endings(patch, &guard.range, None)?.0));
            let range = range.ok_or_else(|| Lost { why: "the block it refers to has changed".to_owned() })?;
            Ok(Guard { range, hash: guard.hash })
        });
        let guards = guards.collect::<Result<_, _>>()?;
        Ok(Edit::Fixed(Fixed { spots, guards, summary: fixed.summary.clone() }))
    }

    fn shown(before: &View, after: &View, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
        Ok(match patch.part(PART) {
            None => Vec::new(),
            Some(PartChange::Splices(splices)) => edit::shown_lines(before.blob(), after.blob(), splices),
            Some(PartChange::Put(_) | PartChange::Remove) => edit::shown_whole(before.blob(), after.blob()),
        })
    }

    fn plan(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
        let draft = ops::draft(view, edit, &cx.stop)?;
        cx.stop.check()?;
        let (patch, after) = finish(view, &draft, &cx.stop)?;
        cx.stop.check()?;
        let changed = changed::after(view, &after, &patch);
        cx.stop.check()?;
        let touched = changed::before(view, &after, &patch);
        cx.stop.check()?;
        let outcome = Outcome {
            replaced: draft.replaced,
            matches: draft.matches.clone(),
            changed,
            touched,
            spots: fix(view, draft.clone()).spots,
        };
        Ok(Planned { step: Step { patch, summary: draft.summary, notes: Vec::new() }, outcome })
    }

    const AT_ONCE: bool = true;

    fn plan_at_once(view: &View, edits: &[&Edit], _cx: &Context) -> Option<Step> {
        let mut joined = Patch::new();
        let mut summaries = Vec::with_capacity(edits.len());
        for edit in edits {
            let Edit::Fixed(fixed) = edit else { return None };
            ops::draft(view, edit, &Stop::never()).ok()?;
            let Edit::Fixed(carried) = Self::carry(edit, &joined).ok()? else { return None };
            joined = joined.then(&fixed_patch(&carried)?);
            summaries.push(fixed.summary.as_str());
        }
        let after = preview(view, &joined).ok()?;
        safety::check(view, &after, &joined).ok()?;
        Some(Step { patch: joined, summary: edit::summed_up(summaries), notes: Vec::new() })
    }

    fn splices_of(edit: &Edit) -> Option<Patch> {
        match edit {
            Edit::Fixed(fixed) => fixed_patch(fixed),
            _ => None,
        }
    }
}

fn fixed_patch(fixed: &Fixed) -> Option<Patch> {
    let mut patch = Patch::new();
    for spot in &fixed.spots {
        patch.splice(&part(), spot.range.clone(), spot.with.as_str()).ok()?;
    }
    Some(patch)
}

pub(crate) fn part() -> PartName {
    PartName::new(PART)
}

fn text_of(content: &Content) -> Result<Blob, Refusal> {
    content.read(PART)?.ok_or_else(|| Refusal::internal(format!("a Markdown document without `{PART}`")))
}

/// The patch of a draft and the view it leads to, checked.
pub(crate) fn finish(view: &View, draft: &Draft, stop: &Stop) -> Result<(Patch, View), Refusal> {
    let patch = draft.changes(view)?;
    stop.check()?;
    let after = preview(view, &patch)?;
    stop.check()?;
    safety::check(view, &after, &patch)?;
    ops::as_given::checked(view, draft, &after, &patch)?;
    Ok((patch, after))
}

/// The view that a patch leads to.
pub(crate) fn preview(view: &View, patch: &Patch) -> Result<View, Refusal> {
    let content = patch.apply(&Content::single(part(), view.blob().clone()))?;
    view.clone().after(patch, text_of(&content)?)
}

fn fix(view: &View, draft: Draft) -> Fixed {
    let mut spots: Vec<Spot> = draft
        .splices
        .into_iter()
        .filter(|(range, with)| *view.slice(range.clone()) != **with)
        .map(|(range, with)| Spot { original: view.slice(range.clone()).into_owned(), range, with })
        .collect();
    spots.sort_by_key(|spot| (spot.range.start, spot.range.end));
    let guards = draft
        .guards
        .into_iter()
        .map(|range| Guard { hash: hash(view.slice(range.clone()).as_bytes()), range })
        .collect();
    Fixed { spots, guards, summary: draft.summary }
}

/// FNV-1a: only has to tell that a text is not what it was. Line endings do not count.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .filter(|byte| **byte != b'\r')
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

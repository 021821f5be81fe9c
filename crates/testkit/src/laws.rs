//! What must hold for every edit, whatever it does.

use std::fmt::Debug;
use std::sync::Arc;

use edit::{Content, Context, Draft, Format, PartChange, Patch, Refusal, RevisionId};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A format whose edits can be kept, which is what the workspace asks of all.
pub trait Kept: Format<Edit: Serialize + DeserializeOwned + Debug, Limits: Default> + Sized {}

impl<F: Format<Edit: Serialize + DeserializeOwned + Debug, Limits: Default>> Kept for F {}

/// What a case led to, for the assertions that only it can make.
#[expect(missing_debug_implementations, reason = "views are large and have no form worth printing")]
pub struct Checked<F: Format> {
    pub content: Content,
    pub view: F::View,
    pub outcomes: Vec<F::Outcome>,
    pub settled: F::Settled,
    pub patch: Patch,
    pub summary: String,
    /// What the steps tell, in their order.
    pub notes: Vec<String>,
}

/// The world as engine cases know it.
pub fn context() -> Context {
    Context::new("Tester", 1_700_000_000, 42)
}

/// Plan and apply `edits` on `before`, asserting the laws. A refusal is handed back after checking that it
/// is the same each time.
///
/// The laws: planning twice gives one plan; all steps as one patch give what the steps give; bytes outside
/// the patch are untouched; undo restores every byte; the view that was taken along says what the view from scratch
/// says; staging and accepting gives what applying gives; the file that is packed holds the document.
#[track_caller]
pub fn check<F: Kept>(before: &Content, edits: &[F::Edit]) -> Result<Checked<F>, Refusal> {
    let base = RevisionId { number: 0, digest: 0 };
    let cx = context();
    let view = F::view(before)?;
    let run = |view: F::View| edit::plan::<F>(before, view, base, edits, &cx);
    // On two views, because one that was looked at may know more than a fresh one.
    let (first, second) = (run(view.clone()), run(F::view(before)?));
    let batch = match (first, second) {
        (Ok(first), Ok(second)) => {
            assert_eq!(first.plan.patch(), second.plan.patch(), "planning twice gave two plans");
            first
        }
        (Err(first), Err(second)) => {
            assert_eq!(first, second, "planning twice gave two refusals");
            return Err(first);
        }
        _ => panic!("planning twice gave a plan and a refusal"),
    };
    let patch = batch.plan.patch();
    let after = patch.apply(before).expect("the joined patch applies");
    assert_eq!(after, batch.content, "all steps at once gave something else than one by one");
    assert_untouched(before, &after, &patch);
    let back = patch.invert(before).and_then(|inverse| inverse.apply(&after)).expect("undo applies");
    assert_eq!(&back, before, "undo did not restore every byte");
    // What goes through the whole document would take hours over a corpus of large ones.
    let touched = patch.parts().filter_map(|(name, _)| after.read(name).ok().flatten());
    if touched.map(|blob| blob.len()).sum::<usize>() <= MOST_LISTED {
        assert_same_view::<F>(&after, &batch.view);
    }
    assert_staged::<F>(before, view, edits, &after);
    assert_packed::<F>(before, &after);
    Ok(Checked {
        summary: batch.plan.summary(),
        notes: batch
            .plan
            .steps
            .iter()
            .flat_map(|step| step.notes.iter().map(|note| note.text.clone()))
            .collect(),
        content: batch.content,
        view: batch.view,
        outcomes: batch.outcomes,
        settled: batch.settled,
        patch,
    })
}

/// The view that was taken along says what the view from scratch says.
#[track_caller]
pub fn assert_same_view<F: Format>(content: &Content, carried: &F::View) {
    let fresh = F::view(content).expect("the result can be viewed again");
    let lines = |view| F::inventory(view).expect("an inventory");
    assert_alike(&lines(&fresh), &lines(carried), "the view that was taken along differs from a fresh one");
}

#[track_caller]
fn assert_alike(wanted: &[String], found: &[String], what: &str) {
    let differs = wanted.iter().zip(found).position(|(a, b)| a != b);
    let differs = differs.or((wanted.len() != found.len()).then_some(wanted.len().min(found.len())));
    if let Some(at) = differs {
        let (none, count) = ("(nothing)".to_owned(), (wanted.len(), found.len()));
        let (wanted, found) = (wanted.get(at).unwrap_or(&none), found.get(at).unwrap_or(&none));
        panic!("{what}, from line {at} of {count:?} on:\n  wanted {wanted}\n  found  {found}");
    }
}

/// Anchored, written down, read back and planned, the edits do what they do when they are made at once.
#[track_caller]
fn assert_staged<F: Kept>(before: &Content, view: F::View, edits: &[F::Edit], after: &Content) {
    let cx = context();
    let mut draft = Draft::<F>::new(before.clone(), view);
    for edit in edits {
        let anchored = match F::anchor(draft.view(), edit) {
            Ok(anchored) => kept::<F>(&anchored),
            // What cannot be staged says so, and is made at once or not at all.
            Err(Refusal::Unsupported { .. }) => edit.clone(),
            Err(refusal) => panic!("an edit that can be made cannot be staged: {refusal}"),
        };
        draft =
            draft.make(&anchored, &cx).unwrap_or_else(|refusal| panic!("staged, it is refused: {refusal}")).0;
    }
    let (draft, _) = draft.settle(&cx).expect("settles");
    assert_eq!(draft.content(), after, "accepting gave something else than applying");
}

/// An edit after a stay in a journal.
#[track_caller]
pub fn kept<F: Kept>(edit: &F::Edit) -> F::Edit {
    let written = serde_json::to_string(edit).expect("an edit can be written down");
    serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error}: {written}"))
}

/// What comes of staging `edit`, then making `other`, then accepting: both contents at the end, or why the staged edit
/// is refused. The law is that nothing else can happen: with `other` made last the document reads the same.
#[track_caller]
pub fn check_carried<F: Kept>(before: &Content, edit: &F::Edit, other: &F::Edit) -> Result<Content, Refusal> {
    let cx = context();
    let start = || Draft::<F>::new(before.clone(), F::view(before).expect("a view"));
    let settled = |draft: Draft<F>| draft.settle(&cx).expect("settles").0;
    let anchored = kept::<F>(&F::anchor(start().view(), edit)?);
    let (moved, _) = start().make(other, &cx).expect("the other edit can be made");
    let moved = settled(moved);
    let carried = moved.carry(&anchored).map_err(|lost| Refusal::Stale {
        expected: RevisionId { number: 0, digest: 0 },
        current: RevisionId { number: 1, digest: 0 },
        why: Some(lost.why),
    })?;
    let (accepted, _) = moved.make(&kept::<F>(&carried), &cx)?;
    let accepted = settled(accepted);
    assert_same_view::<F>(accepted.content(), accepted.view());
    // The other edit speaks of the document as it was, so it is carried over the first.
    let other = F::anchor(start().view(), other).expect("anchored");
    let first = settled(start().make(edit, &cx).expect("the edit can be made").0);
    if let Ok(other) = first.carry(&other)
        && let Ok((last, _)) = first.make(&other, &cx)
    {
        let last = settled(last);
        let lines = |draft: &Draft<F>| F::inventory(draft.view()).expect("an inventory");
        assert_alike(&lines(&last), &lines(&accepted), "the order of two edits made a difference");
    }
    Ok(accepted.content().clone())
}

/// Of documents whose changed parts are larger than this, not all is listed.
const MOST_LISTED: usize = 1 << 17;
/// Files larger than this are packed by tests of their own.
const MOST_PACKED: usize = 1 << 18;

/// A file with these parts, of so many bytes at most. None if a part is damaged: it is left alone by whoever saves, and
/// cannot be packed anew.
pub fn packed(content: &Content, most: usize) -> Option<Vec<u8>> {
    let parts = content.names().map(|name| {
        let blob = content.read(name).ok().flatten()?;
        Some((name.as_str().to_owned(), blob.bytes().into_owned()))
    });
    let parts = parts.collect::<Option<Vec<(String, Vec<u8>)>>>()?;
    if parts.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > most {
        return None;
    }
    Some(match parts.as_slice() {
        [(_, only)] => only.clone(),
        parts => ooxml::new_package(parts).expect("a package"),
    })
}

/// The file with the edited document holds it, and the file with nothing edited is the file.
#[track_caller]
fn assert_packed<F: Kept>(before: &Content, after: &Content) {
    let Some(file) = packed(before, MOST_PACKED) else { return };
    let limits = F::Limits::default();
    let (source, same) = F::unpack(Arc::new(file.clone()), &limits).expect("a file of it opens");
    assert_eq!(&same, before, "packing and unpacking gave another document");
    assert_eq!(F::pack(&source, before).expect("packs"), file, "nothing changed, and the file is another");
    let packed = F::pack(&source, after).expect("packs");
    let (_, again) = F::unpack(Arc::new(packed), &limits).expect("the edited file opens");
    assert_eq!(&again, after, "the packed file does not hold the document");
}

/// Untouched parts are identical, and touched ones differ only inside the splices.
#[track_caller]
fn assert_untouched(before: &Content, after: &Content, patch: &Patch) {
    for name in before.names() {
        match patch.part(name) {
            None => assert!(after.shares(name, before), "{name} was not in the patch and changed"),
            Some(PartChange::Splices(splices)) => {
                let (old, new) = (read(before, name.as_str()), read(after, name.as_str()));
                let (mut from, mut to) = (0, 0);
                for splice in splices {
                    let kept = splice.range.start - from;
                    assert_eq!(
                        old[from..from + kept],
                        new[to..to + kept],
                        "{name} changed outside the patch"
                    );
                    from = splice.range.end;
                    to += kept + splice.with.len();
                }
                assert_eq!(old[from..], new[to..], "{name} changed outside the patch");
            }
            Some(PartChange::Put(_) | PartChange::Remove) => {}
        }
    }
}

#[track_caller]
fn read(content: &Content, name: &str) -> Vec<u8> {
    content.read(name).expect("loads").expect("is there").bytes().into_owned()
}

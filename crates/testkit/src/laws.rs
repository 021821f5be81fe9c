//! What must hold for every edit, whatever it does.

use edit::{Content, Context, Format, PartChange, Patch, Refusal, RevisionId};

/// What a case led to, for the assertions that only it can make.
#[expect(missing_debug_implementations, reason = "views are large and have no form worth printing")]
pub struct Checked<F: Format> {
    pub content: Content,
    pub view: F::View,
    pub outcomes: Vec<F::Outcome>,
    pub settled: F::Settled,
    pub patch: Patch,
    pub summary: String,
}

/// The world as engine cases know it.
pub fn context() -> Context {
    Context::new("Tester", 1_700_000_000, 42)
}

/// Plan and apply `edits` on `before`, asserting the laws. A refusal is handed back after checking that it
/// is the same each time.
///
/// The laws: planning twice gives one plan; all steps as one patch give what the steps give; bytes outside
/// the patch are untouched; undo restores every byte; the result can be viewed from scratch.
#[track_caller]
pub fn check<F: Format>(before: &Content, edits: &[F::Edit]) -> Result<Checked<F>, Refusal> {
    let base = RevisionId { number: 0, digest: 0 };
    let cx = context();
    let run = || edit::plan::<F>(before, F::view(before)?, base, edits, &cx);
    let (first, second) = (run(), run());
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
    F::view(&after).expect("the result can be viewed again");
    Ok(Checked {
        summary: batch.plan.summary(),
        content: batch.content,
        view: batch.view,
        outcomes: batch.outcomes,
        settled: batch.settled,
        patch,
    })
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

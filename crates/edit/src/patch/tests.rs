use super::*;
use proptest::prelude::*;

fn part() -> PartName {
    PartName::new("p")
}

fn content(bytes: &[u8]) -> Content {
    Content::single(part(), Blob::from(bytes))
}

fn bytes(content: &Content) -> Vec<u8> {
    content.read("p").unwrap().unwrap().bytes().into_owned()
}

fn patch(splices: &[(Range<usize>, &str)]) -> Patch {
    let mut patch = Patch::new();
    for (range, with) in splices {
        patch.splice(&part(), range.clone(), *with).unwrap();
    }
    patch
}

#[test]
fn splices_apply_in_order_of_place_whatever_the_order_they_were_made_in() {
    let patch = patch(&[(6..11, "there"), (0..1, "J")]);
    assert_eq!(bytes(&patch.apply(&content(b"Hello world")).unwrap()), b"Jello there");
}

#[test]
fn insertions_at_one_place_keep_their_order_and_stand_before_a_replacement() {
    let patch = patch(&[(2..3, "X"), (2..2, "a"), (2..2, "b"), (3..3, "c")]);
    assert_eq!(bytes(&patch.apply(&content(b"01234")).unwrap()), b"01abXc34");
}

#[test]
fn overlapping_splices_are_refused_and_leave_the_patch_as_it_was() {
    let mut patch = patch(&[(2..5, "x")]);
    let before = patch.clone();
    for range in [0..3, 2..5, 3..4, 3..3, 4..9, 0..9] {
        assert!(patch.splice(&part(), range.clone(), "y").is_err(), "{range:?}");
    }
    assert_eq!(patch, before);
}

#[test]
fn a_patch_for_other_bytes_is_refused_instead_of_panicking() {
    assert!(patch(&[(2..9, "x")]).apply(&content(b"abc")).is_err());
    assert!(patch(&[(0..1, "x")]).apply(&Content::new()).is_err());
}

#[test]
fn parts_come_and_go_and_come_back() {
    let before = content(b"one");
    let mut patch = Patch::new();
    patch.remove(&part());
    patch.put(&PartName::new("q"), "two");
    let after = patch.apply(&before).unwrap();
    assert!(!after.contains("p") && after.contains("q"));
    assert_eq!(patch.invert(&before).unwrap().apply(&after).unwrap(), before);
}

#[test]
fn a_range_is_carried_past_edits_beside_it_and_lost_to_edits_in_it() {
    let patch = patch(&[(2..4, "long"), (8..8, "!")]);
    assert_eq!(patch.carry("p", 0..2), Some(0..2));
    assert_eq!(patch.carry("p", 4..8), Some(6..10));
    assert_eq!(patch.carry("p", 8..9), Some(11..12));
    assert_eq!(patch.carry("p", 3..6), None);
    assert_eq!(patch.carry("p", 7..9), None);
    assert_eq!(patch.carry("p", 8..8), Some(11..11));
    assert_eq!(patch.carry("other", 3..6), Some(3..6));
}

#[test]
fn gravity_decides_at_an_insertion_and_inside_a_replacement() {
    let patch = patch(&[(2..2, "ab"), (5..8, "x")]);
    assert_eq!(patch.map("p", 2, Gravity::Left), 2);
    assert_eq!(patch.map("p", 2, Gravity::Right), 4);
    assert_eq!(patch.map("p", 6, Gravity::Left), 7);
    assert_eq!(patch.map("p", 6, Gravity::Right), 8);
    assert_eq!(patch.map("p", 9, Gravity::Left), 9);
}

/// Random disjoint splices of `len` bytes.
fn arbitrary(len: usize) -> impl Strategy<Value = Patch> {
    proptest::collection::vec((0..=len, 0..=len, "[a-z]{0,4}"), 0..6).prop_map(|raw| {
        let mut patch = Patch::new();
        for (a, b, with) in raw {
            // Those that overlap are refused; what remains is a patch.
            let _ = patch.splice(&part(), a.min(b)..a.max(b), with);
        }
        patch.parts.retain(|_, change| !matches!(change, PartChange::Splices(s) if s.is_empty()));
        patch
    })
}

fn base_and_patches() -> impl Strategy<Value = (Vec<u8>, Patch, Patch)> {
    proptest::collection::vec(b'0'..=b'9', 0..40).prop_flat_map(|base| {
        let len = base.len();
        arbitrary(len).prop_flat_map(move |first| {
            let after = bytes(&first.apply(&content(&base)).unwrap()).len();
            (Just(base.clone()), Just(first), arbitrary(after))
        })
    })
}

fn base_and_rivals() -> impl Strategy<Value = (Vec<u8>, Patch, Patch)> {
    proptest::collection::vec(b'0'..=b'9', 0..40).prop_flat_map(|base| {
        let len = base.len();
        (Just(base), arbitrary(len), arbitrary(len))
    })
}

proptest! {
    #[test]
    fn undo_restores_every_byte((base, patch, _) in base_and_patches()) {
        let before = content(&base);
        let after = patch.apply(&before).unwrap();
        let inverse = patch.invert(&before).unwrap();
        let again = inverse.apply(&after).unwrap();
        prop_assert_eq!(bytes(&again), base);
        // And redo is the inverse of the inverse.
        let redo = inverse.invert(&after).unwrap();
        prop_assert_eq!(redo.apply(&before).unwrap(), after);
    }

    #[test]
    fn two_patches_as_one_do_what_both_did((base, first, second) in base_and_patches()) {
        let before = content(&base);
        let stepwise = second.apply(&first.apply(&before).unwrap()).unwrap();
        let at_once = first.then(&second).apply(&before).unwrap();
        prop_assert_eq!(bytes(&stepwise), bytes(&at_once));
    }

    #[test]
    fn disjoint_patches_commute_up_to_ties((base, mine, theirs) in base_and_rivals()) {
        let before = content(&base);
        if let (Some(mine_after), Some(theirs_after)) = (mine.rebase(&theirs), theirs.rebase(&mine)) {
            let one = bytes(&mine_after.apply(&theirs.apply(&before).unwrap()).unwrap());
            let other = bytes(&theirs_after.apply(&mine.apply(&before).unwrap()).unwrap());
            let starts = |p: &Patch| p.splices("p").iter().flat_map(|s| [s.range.start, s.range.end]).collect::<Vec<_>>();
            let tie = starts(&mine).iter().any(|at| starts(&theirs).contains(at));
            if tie {
                // Two insertions at one place have no order of their own; nothing else may differ.
                let (mut one, mut other) = (one, other);
                one.sort_unstable();
                other.sort_unstable();
                prop_assert_eq!(one, other);
            } else {
                prop_assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn a_carried_range_holds_the_same_bytes((base, patch, _) in base_and_patches(), a in 0usize..40, b in 0usize..40) {
        let (a, b) = (a.min(base.len()), b.min(base.len()));
        let range = a.min(b)..a.max(b);
        let after = bytes(&patch.apply(&content(&base)).unwrap());
        if let Some(carried) = patch.carry("p", range.clone()) {
            prop_assert_eq!(&after[carried], &base[range]);
        }
    }

    #[test]
    fn mapped_positions_keep_their_order((base, patch, _) in base_and_patches(), a in 0usize..40, b in 0usize..40) {
        let (a, b) = (a.min(base.len()), b.min(base.len()));
        let (low, high) = (a.min(b), a.max(b));
        let len = bytes(&patch.apply(&content(&base)).unwrap()).len();
        for gravity in [Gravity::Left, Gravity::Right] {
            prop_assert!(patch.map("p", low, gravity) <= patch.map("p", high, gravity));
            prop_assert!(patch.map("p", high, gravity) <= len);
        }
        prop_assert!(patch.map("p", low, Gravity::Left) <= patch.map("p", low, Gravity::Right));
    }
    #[test]
    fn many_questions_are_answered_as_one((base, patch, _) in base_and_patches()) {
        let offsets = patch.offsets("p");
        for at in 0..=base.len() {
            for gravity in [Gravity::Left, Gravity::Right] {
                prop_assert_eq!(offsets.map(at, gravity), patch.map("p", at, gravity));
            }
            for end in at..=base.len() {
                prop_assert_eq!(offsets.carry(at..end), patch.carry("p", at..end));
            }
        }
    }
}

//! What another program changed, as splices.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::{Blob, Splice};

/// The splices that take `old` to `new`: whole lines first, then trimmed to the bytes that differ, never in
/// the middle of a UTF-8 character.
pub fn diff(old: &[u8], new: &[u8]) -> Vec<Splice> {
    let (old_starts, new_starts) = (starts(old), starts(new));
    let mut input = InternedInput::default();
    input.update_before(pieces(old, &old_starts));
    input.update_after(pieces(new, &new_starts));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks()
        .map(|hunk| {
            let range = bytes_of(&old_starts, hunk.before);
            let with = bytes_of(&new_starts, hunk.after);
            trim(old, range, new, with)
        })
        .map(|(range, with)| Splice { range, with: Blob::from(&new[with]) })
        .collect()
}

/// Which pieces of `old` become which of `new`, in order; the pieces between are the same.
pub fn diff_pieces(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let places = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (places(hunk.before), places(hunk.after))).collect()
}

/// Equal lines in a row that are compared as one piece.
const ROW: usize = 64;

/// Where pieces start, and the end. A piece is a line, or [`ROW`] lines that are the same: comparing tens of thousands
/// of equal lines one by one takes minutes.
fn starts(text: &[u8]) -> Vec<usize> {
    let (mut starts, mut at) = (Vec::new(), 0);
    let (mut last, mut equal): (&[u8], usize) = (&[], 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        starts.push(at);
        at += line.len();
        equal = if line == last { equal + 1 } else { 1 };
        last = line;
        if equal == ROW {
            starts.truncate(starts.len() - (ROW - 1));
            equal = 0;
        }
    }
    starts.push(at);
    starts
}

fn pieces<'a>(text: &'a [u8], starts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    starts.windows(2).filter_map(|ends| match ends {
        [from, to] => text.get(*from..*to),
        _ => None,
    })
}

fn bytes_of(starts: &[usize], pieces: Range<u32>) -> Range<usize> {
    let at = |piece: u32| starts.get(piece as usize).or(starts.last()).copied().unwrap_or(0);
    at(pieces.start)..at(pieces.end)
}

fn trim(old: &[u8], mut a: Range<usize>, new: &[u8], mut b: Range<usize>) -> (Range<usize>, Range<usize>) {
    let continues = |text: &[u8], at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut same = old[a.clone()].iter().zip(&new[b.clone()]).take_while(|(x, y)| x == y).count();
    while same > 0 && (continues(old, a.start + same) || continues(new, b.start + same)) {
        same -= 1;
    }
    a.start += same;
    b.start += same;
    let mut same =
        old[a.clone()].iter().rev().zip(new[b.clone()].iter().rev()).take_while(|(x, y)| x == y).count();
    while same > 0 && (continues(old, a.end - same) || continues(new, b.end - same)) {
        same -= 1;
    }
    a.end -= same;
    b.end -= same;
    (a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, PartName, Patch};
    use proptest::prelude::*;

    fn patched(old: &str, new: &str) -> (Vec<Splice>, String) {
        let name = PartName::new("p");
        let splices = diff(old.as_bytes(), new.as_bytes());
        let mut patch = Patch::new();
        for splice in &splices {
            patch.splice(&name, splice.range.clone(), splice.with.clone()).unwrap();
        }
        let after = patch.apply(&Content::single(name, Blob::from(old))).unwrap();
        let after = after.read("p").unwrap().unwrap().bytes().into_owned();
        (splices, String::from_utf8(after).unwrap())
    }

    #[test]
    fn only_what_differs_is_touched() {
        let (splices, after) = patched("a\nthe quick fox\nb\n", "a\nthe slow fox\nb\nc\n");
        assert_eq!(after, "a\nthe slow fox\nb\nc\n");
        assert_eq!(splices.len(), 2);
        assert_eq!(splices[0].range, 6..11);
    }

    #[test]
    fn characters_are_never_cut() {
        let (splices, _) = patched("x é y", "x è y");
        assert_eq!(splices[0].range, 2..4);
    }

    #[test]
    fn a_row_of_equal_lines_is_kept_where_it_is_longer_or_shorter() {
        let row = "same\n".repeat(50_000);
        let (old, new) = (format!("one\n{row}four\n"), format!("1\n{row}same\nIV\n"));
        let (splices, after) = patched(&old, &new);
        assert_eq!(after, new);
        let lengths: Vec<usize> = splices.iter().map(|splice| splice.range.len()).collect();
        assert!(lengths.iter().sum::<usize>() < 5 * ROW * 2, "{lengths:?}");
    }

    proptest! {
        #[test]
        fn the_splices_lead_from_old_to_new(old in "([ab\né]|\r\n){0,30}", new in "([ab\nè]|\r\n){0,30}") {
            let (splices, after) = patched(&old, &new);
            prop_assert_eq!(after, &*new);
            if old == new {
                prop_assert!(splices.is_empty());
            }
        }
    }
}

//! What another program changed, as splices.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, sources::byte_lines};

use crate::{Blob, Splice};

/// The splices that take `old` to `new`: whole lines first, then trimmed to the bytes that differ, never in
/// the middle of a UTF-8 character.
pub fn diff(old: &[u8], new: &[u8]) -> Vec<Splice> {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let (old_starts, new_starts) = (line_starts(old), line_starts(new));
    diff.hunks()
        .map(|hunk| {
            let range = bytes_of(&old_starts, hunk.before);
            let with = bytes_of(&new_starts, hunk.after);
            trim(old, range, new, with)
        })
        .map(|(range, with)| Splice { range, with: Blob::from(&new[with]) })
        .collect()
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    starts
}

fn bytes_of(starts: &[usize], lines: Range<u32>) -> Range<usize> {
    let at = |line: u32| starts.get(line as usize).or(starts.last()).copied().unwrap_or(0);
    at(lines.start)..at(lines.end)
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

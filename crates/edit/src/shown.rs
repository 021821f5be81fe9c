//! A change as people read it: what they would point at, as it was and as it is.
//!
//! Kept with suggestions and printed in terminals, so it is plain text and never much of it: whoever wants all of a
//! change has the patch.

use crate::{Blob, Splice, diff};

/// One thing that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// `Inputs!B5`, `line 12`, `paragraph jr_para_0123456789ab (4.2)`.
    pub place: String,
    /// Empty where there was nothing.
    pub before: String,
    pub after: String,
}

/// Entries of one change, the one that counts the rest included.
pub const MOST_SHOWN: usize = 50;
/// Characters of a text.
pub const LONGEST_SHOWN: usize = 2_000;
/// Characters that are kept before the first difference of long texts.
const LEAD: usize = 200;

/// Things that changed, of which only the first are kept.
#[derive(Debug, Clone, Default)]
pub struct ShownList {
    kept: Vec<Shown>,
    more: usize,
}

impl ShownList {
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether another entry would only be counted; what it says need not be found out then.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= MOST_SHOWN
    }

    pub fn push(&mut self, place: impl Into<String>, before: impl Into<String>, after: impl Into<String>) {
        if self.is_full() {
            self.more += 1;
            return;
        }
        let (before, after) = shortened(before.into(), after.into());
        self.kept.push(Shown { place: place.into(), before, after });
    }

    /// Count things that are not told one by one.
    pub fn count(&mut self, more: usize) {
        self.more += more;
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.more == 0
    }

    pub fn finish(mut self) -> Vec<Shown> {
        if self.more > 0 {
            if self.kept.len() == MOST_SHOWN {
                self.kept.pop();
                self.more += 1;
            }
            let place = format!("and {} more", self.more);
            self.kept.push(Shown { place, before: String::new(), after: String::new() });
        }
        self.kept
    }
}

/// Both texts from a little before their first difference on, where they are long.
fn shortened(before: String, after: String) -> (String, String) {
    let long = |text: &str| text.chars().nth(LONGEST_SHOWN).is_some();
    if !long(&before) && !long(&after) {
        return (before, after);
    }
    let same = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let skip = same.saturating_sub(LEAD);
    let cut = |text: &str| {
        let lead = if skip > 0 { "…" } else { "" };
        let mut cut: String = lead.chars().chain(text.chars().skip(skip)).take(LONGEST_SHOWN).collect();
        if text.chars().count() + lead.chars().count() > skip + LONGEST_SHOWN {
            cut.pop();
            cut.push('…');
        }
        cut
    };
    (cut(&before), cut(&after))
}

/// The lines of a text that splices change.
pub fn shown_lines(before: &Blob, after: &Blob, splices: &[Splice]) -> Vec<Shown> {
    let mut list = ShownList::new();
    let (mut line, mut counted) = (1, 0);
    for (old, new) in stretches(before, after, splices) {
        line += line_feeds(before, counted..old.start);
        counted = old.start;
        let (was, is) = (text_of(before, old), text_of(after, new));
        push_lines(&mut list, line, &was, &is);
    }
    list.finish()
}

/// As [`shown_lines`], where the text was replaced whole.
pub fn shown_whole(before: &Blob, after: &Blob) -> Vec<Shown> {
    shown_lines(before, after, &diff(&before.bytes(), &after.bytes()))
}

type Range = std::ops::Range<usize>;

/// Whole lines around splices, before and after; those that touch are one.
fn stretches(before: &Blob, after: &Blob, splices: &[Splice]) -> Vec<(Range, Range)> {
    let mut stretches: Vec<(Range, Range)> = Vec::new();
    let mut shift = 0isize;
    for splice in splices {
        let start = splice.range.start.saturating_add_signed(shift);
        shift += splice.with.len() as isize - splice.range.len() as isize;
        let old = line_start(before, splice.range.start)..line_end(before, splice.range.end);
        let new = line_start(after, start)..line_end(after, start + splice.with.len());
        match stretches.last_mut() {
            Some((last_old, last_new)) if old.start <= last_old.end || new.start <= last_new.end => {
                last_old.end = old.end.max(last_old.end);
                last_new.end = new.end.max(last_new.end);
            }
            _ => stretches.push((old, new)),
        }
    }
    stretches
}

/// Lines that both begin or end with did not change.
fn push_lines(list: &mut ShownList, line: usize, was: &str, is: &str) {
    let (was, is): (Vec<&str>, Vec<&str>) =
        (was.split_inclusive('\n').collect(), is.split_inclusive('\n').collect());
    let first = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
    let most = was.len().min(is.len()) - first;
    let last = was.iter().rev().zip(is.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (was, is) = (&was[first..was.len() - last], &is[first..is.len() - last]);
    if was.is_empty() && is.is_empty() {
        return;
    }
    let from = line + first;
    let place = match was.len() {
        0 | 1 => format!("line {from}"),
        count => format!("lines {from}-{}", from + count - 1),
    };
    let joined = |lines: &[&str]| lines.concat().trim_end_matches(['\n', '\r']).to_owned();
    list.push(place, joined(was), joined(is));
}

const WINDOW: usize = 4096;

fn line_start(blob: &Blob, at: usize) -> usize {
    let mut end = at;
    loop {
        let from = end.saturating_sub(WINDOW);
        match memchr::memrchr(b'\n', &blob.slice(from..end)) {
            Some(found) => return from + found + 1,
            None if from == 0 => return 0,
            None => end = from,
        }
    }
}

/// Behind the line feed that ends the line; a place at the start of a line is in the line before it as well.
fn line_end(blob: &Blob, at: usize) -> usize {
    let mut from = at;
    loop {
        let to = (from + WINDOW).min(blob.len());
        match memchr::memchr(b'\n', &blob.slice(from..to)) {
            Some(found) => return from + found + 1,
            None if to == blob.len() => return to,
            None => from = to,
        }
    }
}

fn line_feeds(blob: &Blob, range: Range) -> usize {
    memchr::memchr_iter(b'\n', &blob.slice(range)).count()
}

fn text_of(blob: &Blob, range: Range) -> String {
    String::from_utf8_lossy(&blob.slice(range)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, PartName, Patch};

    fn shown(text: &str, splices: &[(Range, &str)]) -> Vec<(String, String, String)> {
        let part = PartName::new("p");
        let before = Content::single(part.clone(), Blob::from(text));
        let mut patch = Patch::new();
        for (range, with) in splices {
            patch.splice(&part, range.clone(), *with).unwrap();
        }
        let after = patch.apply(&before).unwrap().read("p").unwrap().unwrap();
        let lines = shown_lines(&Blob::from(text), &after, patch.splices("p"));
        lines.into_iter().map(|shown| (shown.place, shown.before, shown.after)).collect()
    }

    fn one(place: &str, before: &str, after: &str) -> Vec<(String, String, String)> {
        vec![(place.to_owned(), before.to_owned(), after.to_owned())]
    }

    #[test]
    fn lines_are_shown_whole_and_only_those_that_changed() {
        let text = "one\ntwo\nthree\n";
        assert_eq!(shown(text, &[(4..7, "2")]), one("line 2", "two", "2"));
        assert_eq!(shown(text, &[(4..4, "new\n")]), one("line 2", "", "new"));
        assert_eq!(shown(text, &[(4..8, "")]), one("line 2", "two", ""));
        assert_eq!(shown(text, &[(5..10, "x")]), one("lines 2-3", "two\nthree", "txree"));
        assert_eq!(shown(text, &[(14..14, "end")]), one("line 4", "", "end"));
        assert_eq!(shown("", &[(0..0, "a\nb\n")]), one("line 1", "", "a\nb"));
        let both = shown(text, &[(0..1, "O"), (8..9, "T")]);
        assert_eq!(both, [one("line 1", "one", "One"), one("line 3", "three", "Three")].concat());
        // Neighbours are one change to people.
        assert_eq!(shown(text, &[(0..1, "O"), (4..5, "T")]), one("lines 1-2", "one\ntwo", "One\nTwo"));
    }

    #[test]
    fn much_is_counted_and_long_texts_are_cut_near_the_difference() {
        let text = "x\n\n".repeat(80);
        let splices: Vec<(Range, &str)> = (0..80).map(|n| (n * 3..n * 3 + 1, "y")).collect();
        let all = shown(&text, &splices);
        assert_eq!(all.len(), MOST_SHOWN);
        assert_eq!(all.last().unwrap().0, "and 31 more");
        let long = format!("{}b{}", "a".repeat(9_000), "c".repeat(9_000));
        let cut = shown(&long, &[(9_000..9_001, "B")]);
        let (before, after) = (&cut[0].1, &cut[0].2);
        assert_eq!((before.chars().count(), after.chars().count()), (LONGEST_SHOWN, LONGEST_SHOWN));
        assert!(
            before.starts_with("…a") && before.contains('b') && after.contains('B') && after.ends_with('…')
        );
    }
}

//! What a suggestion would change, as people read it.
//!
//! Kept with the suggestion from the moment it is staged: one that lost its place can no longer be planned, and whoever
//! decides on it still wants to read it. While it has its place, text is shown as it would change by now, in whole lines.

use std::ops::Range;

use edit::{Content, Patch, Refusal, Shown};

use crate::document::edits::changes;
use crate::kind::Kind;

/// What a patch would change in `head`, where that can be told from the bytes; other formats told it when they planned.
pub(crate) fn of(kind: Kind, head: &Content, patch: &Patch) -> Result<Option<Vec<Shown>>, Refusal> {
    match kind {
        Kind::Markdown | Kind::Text => Ok(Some(bounded(lines(head, patch)?))),
        Kind::Word | Kind::Sheet => Ok(None),
    }
}

/// More is not read before a decision, and is kept with every suggestion.
const MOST_SHOWN: usize = 50;
const MOST_CHARS: usize = 2000;

fn bounded(mut shown: Vec<Shown>) -> Vec<Shown> {
    let more = shown.len().saturating_sub(MOST_SHOWN);
    shown.truncate(MOST_SHOWN);
    let cut = |text: &mut String| {
        if let Some((at, _)) = text.char_indices().nth(MOST_CHARS) {
            let rest = text.get(at..).map_or(0, |rest| rest.chars().count());
            text.truncate(at);
            text.push_str(&format!("… and {rest} more characters"));
        }
    };
    for stretch in &mut shown {
        cut(&mut stretch.before);
        cut(&mut stretch.after);
    }
    if more > 0 {
        shown.push(Shown {
            place: format!("and {more} more places"),
            before: String::new(),
            after: String::new(),
        });
    }
    shown
}

/// Bytes that become others.
struct Replacement {
    range: Range<usize>,
    with: Vec<u8>,
}

fn lines(head: &Content, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
    let mut shown = Vec::new();
    for (part, _) in patch.parts() {
        // A part that the patch brings was not there before.
        let blob = head.read(part)?.unwrap_or_default();
        let text = blob.bytes();
        let planned = changes(patch, head)?.into_iter().filter(|change| change.part == *part);
        let planned =
            planned.map(|change| Replacement { range: change.range, with: change.new.bytes().into_owned() });
        for stretch in whole_lines(&text, planned)? {
            let old = piece(&text, stretch.range.clone())?;
            // A patch may replace much more than it changes, such as all of the text.
            let differing = edit::diff(old, &stretch.with).into_iter();
            let differing = differing
                .map(|splice| Replacement { range: splice.range, with: splice.with.bytes().into_owned() });
            let first = line_at(&text, stretch.range.start)?;
            for inner in whole_lines(old, differing)? {
                let before = piece(old, inner.range.clone())?;
                let line = first + line_at(old, inner.range.start)? - 1;
                shown.push(Shown {
                    place: place(line, before),
                    before: readable(before),
                    after: readable(&inner.with),
                });
            }
        }
    }
    Ok(shown)
}

/// The replacements, which are in order, widened to whole lines; those that meet become one.
fn whole_lines(
    text: &[u8],
    replacements: impl Iterator<Item = Replacement>,
) -> Result<Vec<Replacement>, Refusal> {
    let mut widened: Vec<(Range<usize>, Vec<Replacement>)> = Vec::new();
    for replacement in replacements {
        let range = lines_around(text, &replacement)?;
        match widened.last_mut() {
            Some((last, inner)) if range.start <= last.end => {
                last.end = last.end.max(range.end);
                inner.push(replacement);
            }
            _ => widened.push((range, vec![replacement])),
        }
    }
    let whole = widened.into_iter().map(|(range, inner)| {
        let (mut with, mut at) = (Vec::new(), range.start);
        for Replacement { range, with: new } in inner {
            with.extend_from_slice(piece(text, at..range.start)?);
            with.extend_from_slice(&new);
            at = range.end;
        }
        with.extend_from_slice(piece(text, at..range.end)?);
        Ok(Replacement { range, with })
    });
    whole.collect()
}

fn lines_around(text: &[u8], Replacement { range, with }: &Replacement) -> Result<Range<usize>, Refusal> {
    let begins = |at: usize| at == 0 || text.get(at - 1) == Some(&b'\n');
    let before = piece(text, 0..range.start)?;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    // Lines that come or go as a whole need none of the next one.
    let ends_a_line = with.ends_with(b"\n") || with.is_empty() && begins(range.start);
    if begins(range.end) && ends_a_line {
        return Ok(start..range.end);
    }
    let behind = piece(text, range.end..text.len())?;
    let end = behind.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| range.end + at + 1);
    Ok(start..end)
}

/// Counted from one.
fn line_at(text: &[u8], offset: usize) -> Result<usize, Refusal> {
    Ok(piece(text, 0..offset)?.iter().filter(|byte| **byte == b'\n').count() + 1)
}

fn piece(text: &[u8], range: Range<usize>) -> Result<&[u8], Refusal> {
    text.get(range).ok_or_else(|| Refusal::internal("a change beyond the end of its text"))
}

fn place(first: usize, before: &[u8]) -> String {
    match before.split_inclusive(|byte| *byte == b'\n').count() {
        0 | 1 => format!("line {first}"),
        count => format!("lines {first}-{}", first + count - 1),
    }
}

fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::text::TEXT;
    use edit::{Blob, PartName};

    #[track_caller]
    fn check(text: &str, splices: &[(Range<usize>, &str)], wanted: &[(&str, &str, &str)]) {
        let part = PartName::new(TEXT);
        let mut put = Patch::new();
        put.put(&part, Blob::from(text));
        let head = put.apply(&Content::default()).unwrap();
        let mut patch = Patch::new();
        for (range, with) in splices {
            patch.splice(&part, range.clone(), *with).unwrap();
        }
        let shown = of(Kind::Text, &head, &patch).unwrap().unwrap();
        let shown: Vec<(&str, &str, &str)> = shown
            .iter()
            .map(|shown| (shown.place.as_str(), shown.before.as_str(), shown.after.as_str()))
            .collect();
        assert_eq!(shown, wanted);
    }

    #[test]
    fn a_word_is_shown_in_its_line() {
        check("a\nDear Sir\nb\n", &[(7..10, "Madam")], &[("line 2", "Dear Sir", "Dear Madam")]);
        check("no end", &[(0..2, "an")], &[("line 1", "no end", "an end")]);
    }

    #[test]
    fn changes_of_one_line_are_shown_together_and_others_apart() {
        check(
            "a b\nc\nd\n",
            &[(0..1, "A"), (2..3, "B"), (6..7, "D")],
            &[("line 1", "a b", "A B"), ("line 3", "d", "D")],
        );
    }

    #[test]
    fn lines_that_come_or_go_are_shown_alone() {
        check("a\nb\n", &[(2..2, "new\n")], &[("line 2", "", "new")]);
        check("a\nb\nc\n", &[(2..4, "")], &[("line 2", "b", "")]);
        check("a\nb\nc\n", &[(1..3, "")], &[("line 2", "b", "")]);
        check("a\nb\nc\n", &[(1..2, "")], &[("lines 1-2", "a\nb", "ab")]);
        check("a\r\nb\r\n", &[(1..1, "\r\nx")], &[("line 2", "", "x")]);
    }

    #[test]
    fn a_text_that_is_replaced_whole_shows_what_differs() {
        check("a\nb\nc\nd\n", &[(0..8, "a\nB\nc\nD\n")], &[("line 2", "b", "B"), ("line 4", "d", "D")]);
    }
}

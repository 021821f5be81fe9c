//! Words, blanks and punctuation, and which of them two texts share.

use std::borrow::Cow;
use std::ops::Range;

use edit::Cut;
use imara_diff::{Algorithm, Diff, InternedInput};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// A stretch that both texts share, or one that differs. In token numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
    pub(crate) same: bool,
}

/// Byte ranges of the tokens of `text`. They touch, cover all of it and never cut a grapheme.
pub(crate) fn tokens(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return plain_tokens(text.as_bytes());
    }
    text.split_word_bound_indices().map(|(at, token)| at..at + token.len()).collect()
}

/// The same for text in ASCII, most of which is letters, without looking each of them up in the tables of Unicode.
fn plain_tokens(text: &[u8]) -> Vec<Range<usize>> {
    let is_core = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let holds_together = |before: u8, byte: u8, behind: u8| match byte {
        b'.' | b'\'' if before.is_ascii_alphabetic() => behind.is_ascii_alphabetic(),
        b':' => before.is_ascii_alphabetic() && behind.is_ascii_alphabetic(),
        b'.' | b'\'' | b',' | b';' => before.is_ascii_digit() && behind.is_ascii_digit(),
        _ => false,
    };
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut start = 0;
    while let Some(rest) = text.get(start..)
        && let Some(first) = rest.first()
    {
        let length = match first {
            b' ' => rest.iter().take_while(|byte| **byte == b' ').count(),
            b'\r' if rest.get(1) == Some(&b'\n') => 2,
            first if is_core(*first) => {
                let mut length = 1;
                while let Some(byte) = rest.get(length)
                    && (is_core(*byte)
                        || rest.get(length + 1).is_some_and(|behind| {
                            rest.get(length - 1).is_some_and(|before| holds_together(*before, *byte, *behind))
                        }))
                {
                    length += 1;
                }
                length
            }
            _ => 1,
        };
        tokens.push(start..start + length);
        start += length;
    }
    tokens
}

/// Whether `at` lies inside what is drawn as one picture: a family, a flag, a hand with its colour. What else Unicode
/// counts as one character people do take apart: an accent, a vowel sign.
pub(crate) fn cuts_a_picture(text: &str, at: usize) -> bool {
    const JOINER: char = '\u{200D}';
    let is_flag = |c: char| ('\u{1F1E6}'..='\u{1F1FF}').contains(&c);
    let (Some(before), Some(behind)) = (text.get(..at), text.get(at..)) else { return false };
    let (Some(last), Some(next)) = (before.chars().next_back(), behind.chars().next()) else { return false };
    let bound = match (last, next) {
        (last, JOINER) => !last.is_alphanumeric(),
        (_, '\u{FE0E}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}') => true,
        (last, next) => last == JOINER || is_flag(last) && is_flag(next),
    };
    bound && GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0) == Ok(false)
}

/// The whole picture that a place in the text is in or before.
pub(crate) fn picture_at(text: &str, at: usize) -> &str {
    let from =
        (0..=at).rev().find(|at| text.is_char_boundary(*at) && !cuts_a_picture(text, *at)).unwrap_or(0);
    text.get(from..).and_then(|rest| rest.graphemes(true).next()).unwrap_or("")
}

pub(crate) fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

/// The hunks that take the `old` tokens to the `new` ones, covering both.
///
/// Blanks and punctuation alone do not make a shared stretch: "the quick fox" and "a slow dog" share two
/// spaces, and nothing that a reader would call kept. Tabs, line breaks and objects do, because they are
/// elements of their own that should not be rewritten.
pub(crate) fn compare(old: &[Cow<'_, str>], new: &[Cow<'_, str>]) -> Vec<Hunk> {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.iter().map(AsRef::as_ref));
    input.update_after(new.iter().map(AsRef::as_ref));
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut from, mut to) = (0, 0);
    let shared = |from: usize, until: usize, to: usize, end: usize, hunks: &mut Vec<Hunk>| {
        if from < until {
            hunks.push(Hunk { old: from..until, new: to..end, same: true });
        }
    };
    for hunk in diff.hunks() {
        let before = hunk.before.start as usize..hunk.before.end as usize;
        let after = hunk.after.start as usize..hunk.after.end as usize;
        shared(from, before.start, to, after.start, &mut hunks);
        from = before.end;
        to = after.end;
        hunks.push(Hunk { old: before, new: after, same: false });
    }
    shared(from, old.len(), to, new.len(), &mut hunks);
    join(hunks, old)
}

/// The same, with words before all else: a word that both texts have in one order is shared, even where more blanks and
/// commas could be shared without it. Blanks and punctuation are shared beside what is, those before a word first.
pub(crate) fn compare_words(old: &[Cow<'_, str>], new: &[Cow<'_, str>]) -> Vec<Hunk> {
    let telling = |tokens: &[Cow<'_, str>]| -> Vec<usize> {
        (0..tokens.len()).filter(|index| !tokens.get(*index).is_some_and(|token| is_weak(token))).collect()
    };
    let (old_words, new_words) = (telling(old), telling(new));
    let said = |tokens: &[Cow<'_, str>], words: &[usize]| -> Vec<Cow<'static, str>> {
        let words = words.iter().filter_map(|index| tokens.get(*index));
        words.map(|token| Cow::Owned(token.clone().into_owned())).collect()
    };
    let mut anchors: Vec<(usize, usize)> = Vec::new();
    for hunk in compare(&said(old, &old_words), &said(new, &new_words)).into_iter().filter(|hunk| hunk.same) {
        let pairs = old_words.get(hunk.old).unwrap_or_default().iter().zip(new_words.part(hunk.new));
        anchors.extend(pairs.map(|(old, new)| (*old, *new)));
    }
    anchors.push((old.len(), new.len()));
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut put = |old: Range<usize>, new: Range<usize>, same: bool| {
        if old.is_empty() && new.is_empty() {
            return;
        }
        match hunks.last_mut().filter(|last| last.same == same) {
            Some(last) => (last.old.end, last.new.end) = (old.end, new.end),
            None => hunks.push(Hunk { old, new, same }),
        }
    };
    let (mut from, mut to) = (0, 0);
    for (until, end) in anchors {
        let equal =
            |one: usize, other: usize| old.get(one).is_some_and(|token| Some(token) == new.get(other));
        let most = (until - from).min(end - to);
        let tail_of = |most: usize| (1..=most).take_while(|back| equal(until - back, end - back)).count();
        // A quote or a bracket that opens belongs to the word behind it.
        let gap = old.part(from..until);
        let opening = gap.iter().rev().take_while(|token| is_opening(token)).count();
        let opening = if opening < gap.len() || from == 0 { tail_of(most.min(opening)) } else { 0 };
        let head = (0..most - opening).take_while(|ahead| equal(from + ahead, to + ahead)).count();
        let tail = tail_of(most - head);
        put(from..from + head, to..to + head, true);
        put(from + head..until - tail, to + head..end - tail, false);
        put(until - tail..until, end - tail..end, true);
        if until < old.len() && end < new.len() {
            put(until..until + 1, end..end + 1, true);
        }
        (from, to) = (until + 1, end + 1);
    }
    hunks
}

fn is_opening(token: &str) -> bool {
    matches!(token, "(" | "[" | "{" | "\"" | "'" | "\u{201C}" | "\u{201E}" | "\u{2018}" | "\u{AB}")
}

/// Blanks and punctuation, which any two texts share.
fn is_weak(token: &str) -> bool {
    token.chars().all(|c| c == ' ' || c == '\u{A0}' || c.is_ascii_punctuation() || is_dash_or_quote(c))
}

/// Makes one hunk of changes that only blanks and punctuation hold apart.
fn join(hunks: Vec<Hunk>, old: &[Cow<'_, str>]) -> Vec<Hunk> {
    let weak = |hunk: &Hunk| old.part(hunk.old.clone()).iter().all(|token| is_weak(token));
    let mut joined: Vec<Hunk> = Vec::new();
    let mut hunks = hunks.into_iter().peekable();
    while let Some(hunk) = hunks.next() {
        // Only between two replacements: next to a pure insertion or deletion the blanks are really kept.
        let replaces = |hunk: &Hunk| !hunk.same && !hunk.old.is_empty() && !hunk.new.is_empty();
        let bridges = hunk.same
            && weak(&hunk)
            && joined.last().is_some_and(replaces)
            && hunks.peek().is_some_and(replaces);
        match joined.last_mut() {
            Some(last) if bridges => {
                let Some(next) = hunks.next() else { break };
                last.old.end = next.old.end;
                last.new.end = next.new.end;
            }
            _ => joined.push(hunk),
        }
    }
    joined
}

fn is_dash_or_quote(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '\u{2026}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn owned(text: &str) -> Vec<Cow<'_, str>> {
        tokens(text).into_iter().map(|range| Cow::Borrowed(&text[range])).collect()
    }

    fn shown(old: &str, new: &str) -> String {
        let (a, b) = (owned(old), owned(new));
        let show = |tokens: &[Cow<'_, str>], range: Range<usize>| tokens[range].concat();
        compare(&a, &b)
            .into_iter()
            .map(|hunk| match hunk.same {
                true => show(&a, hunk.old),
                false => format!("[{}>{}]", show(&a, hunk.old), show(&b, hunk.new)),
            })
            .collect()
    }

    #[test]
    fn words_that_stay_are_kept_and_the_rest_is_grouped() {
        assert_eq!(shown("within 30 days of", "within sixty (60) days of"), "within [30>sixty (60)] days of");
        assert_eq!(shown("the quick fox", "a slow dog"), "[the quick fox>a slow dog]");
        assert_eq!(shown("a b c", "b c d"), "[a >]b c[> d]");
        assert_eq!(shown("one\ttwo", "uno\tdos"), "[one>uno]\t[two>dos]");
        assert_eq!(shown("", "x"), "[>x]");
        assert_eq!(shown("x", ""), "[x>]");
        assert_eq!(shown("", ""), "");
    }

    #[test]
    fn a_family_emoji_is_one_token() {
        assert_eq!(tokens("a👨‍👩‍👧é").len(), 3);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn text_in_ascii_has_the_tokens_that_unicode_says(
            few in "[aZ09_.,;:'\"\\- \r\n\t]{0,24}",
            any in "[\0-\x7f]{0,60}",
        ) {
            for text in [few, any] {
                let wanted: Vec<Range<usize>> =
                    text.split_word_bound_indices().map(|(at, token)| at..at + token.len()).collect();
                prop_assert_eq!(tokens(&text), wanted, "{:?}", text);
            }
        }
    }

    #[test]
    fn words_are_shared_before_blanks() {
        let (a, b) = (owned("within thirty (30) days of"), owned("no later than thirty days of"));
        let kept: String = compare_words(&a, &b)
            .into_iter()
            .map(|hunk| if hunk.same { a[hunk.old].concat() } else { "|".to_owned() })
            .collect();
        assert_eq!(kept, "| thirty |days of");
    }

    proptest! {
        #[test]
        fn hunks_of_words_cover_both_texts_in_order(old in "[ab ,\t]{0,30}", new in "[ab ,\t]{0,30}") {
            let (a, b) = (owned(&old), owned(&new));
            let (mut from, mut to) = (0, 0);
            for hunk in compare_words(&a, &b) {
                prop_assert_eq!((hunk.old.start, hunk.new.start), (from, to));
                if hunk.same {
                    prop_assert_eq!(&a[hunk.old.clone()], &b[hunk.new.clone()]);
                }
                (from, to) = (hunk.old.end, hunk.new.end);
            }
            prop_assert_eq!((from, to), (a.len(), b.len()));
        }

        #[test]
        fn hunks_cover_both_texts_in_order(old in "[ab ,\t]{0,30}", new in "[ab ,\t]{0,30}") {
            let (a, b) = (owned(&old), owned(&new));
            let (mut from, mut to) = (0, 0);
            for hunk in compare(&a, &b) {
                prop_assert_eq!((hunk.old.start, hunk.new.start), (from, to));
                if hunk.same {
                    prop_assert_eq!(&a[hunk.old.clone()], &b[hunk.new.clone()]);
                }
                (from, to) = (hunk.old.end, hunk.new.end);
            }
            prop_assert_eq!((from, to), (a.len(), b.len()));
        }
    }
}

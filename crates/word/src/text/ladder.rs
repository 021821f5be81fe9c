//! Finding the text a caller quoted, as forgivingly as is safe.
//!
//! Models quote with straight quotes where the document has curly ones, and lose double spaces. So the
//! search climbs a ladder and stops at the first rung that hits; if that rung hits more than once it refuses
//! rather than guess.

use std::borrow::Cow;
use std::ops::Range;

use edit::{Cut, Refusal};
use memchr::memmem::Finder;

use crate::text::near::Near;
use crate::text::quotation::excerpt;
use crate::text::tags::{self, Tagged};

/// How advice begins that shows what stands where nothing like the quoted text does.
pub(crate) const INSTEAD: &str = "there it says";

/// How closely the quoted text matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    Exact,
    TagsStripped,
    QuotesNormalised,
    BlanksFlexible,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Bytes of the text that was searched.
    pub(crate) range: Range<usize>,
    pub(crate) rung: Rung,
    /// What was quoted had blanks at an end that the document does not have; the replacement loses them too.
    pub(crate) trimmed: (bool, bool),
}

impl Rung {
    /// What two tokens must share to be the same at this rung.
    pub(crate) fn key(self, token: &str) -> Cow<'_, str> {
        match self {
            Self::Exact | Self::TagsStripped => Cow::Borrowed(token),
            Self::QuotesNormalised => fold(token, quote),
            // Any blanks are the same blanks.
            Self::BlanksFlexible if !token.is_empty() && token.chars().all(char::is_whitespace) => {
                Cow::Borrowed(" ")
            }
            Self::BlanksFlexible => fold(token, |c| dash(quote(c))),
        }
    }
}

/// The one place where `wanted` stands in `text`; `within` names the text in a refusal.
pub(crate) fn find(text: &str, wanted: &str, within: &str) -> Result<Hit, Refusal> {
    check(wanted)?;
    let found = Quoted::new(wanted).search(text, within).map(|(_, found)| found);
    found.unwrap_or_else(|| {
        let near = Near::to(wanted).in_text(text, None);
        let nearest = near
            .and_then(|like| text.get(like.range).map(str::to_owned))
            .or_else(|| (!text.trim().is_empty()).then(|| format!("{INSTEAD} `{}`", excerpt(text.trim()))));
        let nearest = nearest.into_iter().collect();
        Err(Refusal::NotFound { what: "text", id: wanted.to_owned(), nearest })
    })
}

/// Refuses a text that is everywhere.
pub(crate) fn check(wanted: &str) -> Result<(), Refusal> {
    match wanted.is_empty() {
        true => Err(Refusal::invalid("old_string", "an empty text", "text that occurs in the paragraph")),
        false => Ok(()),
    }
}

/// A text to be found in many others.
#[derive(Debug)]
pub(crate) struct Quoted<'a> {
    wanted: &'a str,
    /// Without tags.
    needle: Cow<'a, str>,
    /// As the last rung sees it.
    loose: String,
    /// The longest of its words. No rung finds the text where that is not.
    word: Finder<'static>,
}

impl<'a> Quoted<'a> {
    pub(crate) fn new(wanted: &'a str) -> Self {
        let stripped = tags::strip(wanted);
        let needle = match stripped.is_empty() || stripped == wanted {
            true => Cow::Borrowed(wanted),
            false => Cow::Owned(stripped),
        };
        let loose = Folded::new(&needle, loosely, true).text;
        let words = loose.split(|c: char| !c.is_alphanumeric());
        let word = Finder::new(words.max_by_key(|word| word.len()).unwrap_or("")).into_owned();
        Self { wanted, needle, loose, word }
    }

    /// Finds it in `text`, which `within` names in a refusal: the first rung that hits, and what it hits.
    pub(crate) fn search(&self, text: &str, within: &str) -> Option<(Rung, Result<Hit, Refusal>)> {
        let one = |wanted: &str, found: Vec<Range<usize>>, rung: Rung, trimmed: (bool, bool)| {
            Some((rung, one(text, wanted, within, found, rung, trimmed)))
        };
        let needle = &*self.needle;
        let tagged = needle != self.wanted;
        let may_be =
            self.word.find(text.as_bytes()).is_some() || !text.is_ascii() && text.contains(is_unseen);
        if tagged || may_be {
            let exact = places(text, self.wanted);
            if !exact.is_empty() {
                return one(self.wanted, exact, Rung::Exact, (false, false));
            }
        }
        if !may_be {
            return None;
        }
        if tagged {
            let found = places(text, needle);
            if !found.is_empty() {
                return one(needle, found, Rung::TagsStripped, (false, false));
            }
        }
        let quotes = Folded::new(text, |c| Some(quote(c)), false);
        let found = quotes.places(&Folded::new(needle, |c| Some(quote(c)), false).text);
        if !found.is_empty() {
            return one(needle, found, Rung::QuotesNormalised, (false, false));
        }
        let blanks = Folded::new(text, loosely, true);
        for (candidate, trimmed) in trims(&self.loose) {
            let found = blanks.places(candidate);
            if !found.is_empty() {
                return one(needle, found, Rung::BlanksFlexible, trimmed);
            }
        }
        None
    }
}

/// Soft hyphens, zero-width blanks and joiners.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

fn loosely(character: char) -> Option<char> {
    (!is_unseen(character)).then(|| dash(quote(character)))
}

/// The replacement with quotes as the document has them, where the caller's own were forgiven: a text must not open
/// with a curly quote that stays and close with a straight one that is new. `before` is what stands in front of it.
pub(crate) fn agree(mut new: Vec<Tagged>, wanted: &str, matched: &str, before: &str) -> Vec<Tagged> {
    let forgiven = |straight: char| wanted.contains(straight) && !matched.contains(straight);
    let has = |any: &[char]| matched.contains(any);
    let double = match forgiven('"') {
        true if has(&['\u{201E}']) => Some(('\u{201E}', '\u{201C}')),
        true if has(&['\u{201C}', '\u{201D}']) => Some(('\u{201C}', '\u{201D}')),
        true if matched.find('\u{BB}') < matched.find('\u{AB}') && has(&['\u{BB}']) && has(&['\u{AB}']) => {
            Some(('\u{BB}', '\u{AB}'))
        }
        true if has(&['\u{AB}', '\u{BB}']) => Some(('\u{AB}', '\u{BB}')),
        _ => None,
    };
    let single = match forgiven('\'') {
        true if has(&['\u{2018}', '\u{2019}']) => Some(('\u{2018}', '\u{2019}')),
        true if has(&['\u{2039}', '\u{203A}']) => Some(('\u{2039}', '\u{203A}')),
        _ => None,
    };
    let mut last = before.chars().next_back();
    for tagged in &mut new {
        let turn = |character: char| {
            let opens =
                last.is_none_or(|last| last.is_whitespace() || "([{-\u{2013}\u{2014}/".contains(last));
            let pair = match character {
                '"' => double,
                '\'' => single,
                _ => None,
            };
            last = Some(character);
            pair.map_or(character, |(open, close)| if opens { open } else { close })
        };
        tagged.text = tagged.text.chars().map(turn).collect();
    }
    new
}

/// Every place of `wanted`, without overlaps.
fn places(text: &str, wanted: &str) -> Vec<Range<usize>> {
    text.match_indices(wanted).map(|(at, found)| at..at + found.len()).collect()
}

fn one(
    text: &str,
    wanted: &str,
    within: &str,
    found: Vec<Range<usize>>,
    rung: Rung,
    trimmed: (bool, bool),
) -> Result<Hit, Refusal> {
    match found.as_slice() {
        [range] => Ok(Hit { range: range.clone(), rung, trimmed }),
        many => Err(Refusal::Ambiguous {
            text: wanted.to_owned(),
            count: many.len(),
            within: within.to_owned(),
            contexts: many.iter().take(5).map(|range| context(text, range)).collect(),
        }),
    }
}

/// The match in brackets with a few words either side.
pub(crate) fn context(text: &str, range: &Range<usize>) -> String {
    const AROUND: usize = 30;
    let floor = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = floor(range.start.saturating_sub(AROUND));
    let end = (range.end.saturating_add(AROUND).min(text.len())..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len());
    let slice = |range: Range<usize>| text.part(range);
    format!(
        "{}{}[{}]{}{}",
        if start > 0 { "…" } else { "" },
        slice(start..range.start),
        slice(range.clone()),
        slice(range.end..end),
        if end < text.len() { "…" } else { "" }
    )
}

fn trims(folded: &str) -> Vec<(&str, (bool, bool))> {
    let mut out = vec![(folded, (false, false))];
    for (candidate, trimmed) in [
        (folded.trim_start(), (true, false)),
        (folded.trim_end(), (false, true)),
        (folded.trim(), (true, true)),
    ] {
        if !candidate.is_empty() && out.iter().all(|(other, _)| *other != candidate) {
            out.push((candidate, trimmed));
        }
    }
    out
}

pub(crate) fn quote(character: char) -> char {
    match character {
        '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{2039}' | '\u{203A}' | '`' | '\u{B4}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{AB}' | '\u{BB}' => '"',
        other => other,
    }
}

fn dash(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

fn fold(text: &str, with: impl Fn(char) -> char) -> Cow<'_, str> {
    if text.chars().all(|c| with(c) == c) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(with).collect())
    }
}

/// A text as a rung sees it, with the way back to the bytes it was made from.
struct Folded {
    text: String,
    /// Folded offset of each character beside the source bytes it stands for.
    map: Vec<(usize, Range<usize>)>,
}

impl Folded {
    fn new(source: &str, with: impl Fn(char) -> Option<char>, blanks: bool) -> Self {
        let mut folded = Self { text: String::with_capacity(source.len()), map: Vec::new() };
        for (at, character) in source.char_indices() {
            let end = at + character.len_utf8();
            if blanks && character.is_whitespace() {
                if folded.text.ends_with(' ') {
                    if let Some((_, range)) = folded.map.last_mut() {
                        range.end = end;
                    }
                    continue;
                }
                folded.map.push((folded.text.len(), at..end));
                folded.text.push(' ');
            } else if let Some(character) = with(character) {
                folded.map.push((folded.text.len(), at..end));
                folded.text.push(character);
            }
        }
        folded
    }

    fn places(&self, wanted: &str) -> Vec<Range<usize>> {
        if wanted.is_empty() {
            return Vec::new();
        }
        let found = self.text.match_indices(wanted).filter_map(|(at, found)| {
            let first = self.map.binary_search_by_key(&at, |(folded, _)| *folded).ok()?;
            let behind = self.map.partition_point(|(folded, _)| *folded < at + found.len());
            let start = self.map.get(first)?.1.start;
            let end = self.map.get(behind.checked_sub(1)?)?.1.end;
            Some(start..end)
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn texts_without_the_longest_word_are_those_in_which_no_rung_finds_anything(
            text in "[ab \u{a0}\"'\u{201c}\u{2019}\u{ad}\u{200b}\u{2013}\u{e9}<>/-]{0,16}",
            wanted in "[ab \"'\u{ad}\u{e9}-]{1,4}|<b>[ab]{1,2}</b>[ab ]{0,2}|[ab]<b>[ab]</b>",
        ) {
            let quoted = Quoted::new(&wanted);
            let thorough = Quoted { word: Finder::new("").into_owned(), ..Quoted::new(&wanted) };
            let shown = |found| format!("{found:?}");
            prop_assert_eq!(shown(quoted.search(&text, "p")), shown(thorough.search(&text, "p")));
        }
    }

    fn hit(text: &str, wanted: &str) -> (String, Rung) {
        let hit = find(text, wanted, "p").unwrap_or_else(|refusal| panic!("{refusal}"));
        (text[hit.range].to_owned(), hit.rung)
    }

    #[test]
    fn each_rung_finds_what_the_one_before_missed() {
        assert_eq!(hit("a cat", "cat"), ("cat".into(), Rung::Exact));
        assert_eq!(hit("a bold cat", "<b>bold</b> cat"), ("bold cat".into(), Rung::TagsStripped));
        assert_eq!(
            hit("the \u{201C}Seller\u{2019}s\u{201D} x", "\"Seller's\""),
            ("\u{201C}Seller\u{2019}s\u{201D}".into(), Rung::QuotesNormalised)
        );
        assert_eq!(hit("a  b\u{A0}c\td", "a b c d"), ("a  b\u{A0}c\td".into(), Rung::BlanksFlexible));
        assert_eq!(hit("Sec\u{AD}tion 1\u{2013}2", "Section 1-2").1, Rung::BlanksFlexible);
    }

    #[test]
    fn blanks_at_the_ends_are_forgiven_and_remembered() {
        let found = find("end.", " end. ", "p").expect("found");
        assert_eq!((found.range, found.trimmed), (0..4, (true, true)));
    }

    #[test]
    fn the_first_rung_that_hits_decides() {
        assert_eq!(hit("\u{201C}a\u{201D} \"a\"", "\"a\""), ("\"a\"".into(), Rung::Exact));
        let Err(Refusal::Ambiguous { count, contexts, .. }) = find("the x and the x", "x", "p") else {
            panic!("two are too many");
        };
        assert_eq!((count, contexts[0].as_str()), (2, "the [x] and the x"));
    }

    #[test]
    fn what_is_not_there_is_answered_with_the_nearest() {
        let Err(Refusal::NotFound { nearest, .. }) =
            find("The Tenant shall pay rent within 30 days.", "Tenant must pay rent within", "p")
        else {
            panic!("not there");
        };
        assert_eq!(nearest, ["Tenant shall pay rent within"]);
        let near = |text: &str, wanted: &str| match find(text, wanted, "p") {
            Err(Refusal::NotFound { nearest, .. }) => nearest.join(""),
            other => panic!("{other:?}"),
        };
        assert_eq!(near("The second half.", "secnod"), "second");
        assert_eq!(near("a cafe\u{301} here", "caf\u{e9}"), "cafe\u{301}");
        assert_eq!(near("The second half.", "completely other"), "there it says `The second half.`");
        assert!(matches!(find("abc", "", "p"), Err(Refusal::Invalid { .. })));
        assert!(matches!(find("", "x", "p"), Err(Refusal::NotFound { .. })));
    }

    #[test]
    fn new_quotes_are_those_of_the_document_where_the_quoted_ones_were_forgiven() {
        let agreed = |new: &str, wanted: &str, matched: &str| -> String {
            let new = tags::parse(new).expect("balanced");
            agree(new, wanted, matched, "").into_iter().map(|tagged| tagged.text).collect()
        };
        let curly = "\u{201C}quoted\u{201D} it\u{2019}s";
        assert_eq!(
            agreed("\"cited\" (\"x\") it's '<b>y</b>'", "\"quoted\" it's", curly),
            "\u{201C}cited\u{201D} (\u{201C}x\u{201D}) it\u{2019}s \u{2018}y\u{2019}"
        );
        assert_eq!(agreed("\"b\"", "\"a\"", "\u{AB}a\u{BB}"), "\u{AB}b\u{BB}");
        assert_eq!(agreed("\"b\"", "\"a\"", "\u{201E}a\u{201C}"), "\u{201E}b\u{201C}");
        // What was quoted as it is, and what was not quoted, is written as given.
        assert_eq!(agreed("\"b\"", curly, curly), "\"b\"");
        assert_eq!(agreed("\"b\"", "a", "a"), "\"b\"");
    }
}

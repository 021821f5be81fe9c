//! Accents, which are written in two ways: é is one character, or an e with an accent behind it.
//!
//! Both look alike, and which one a document has depends on the program and the system it was typed on. Quoted text is
//! looked for as it is written first, and then with the accents of both texts composed; offsets are carried back to the
//! text as it stands, which is never respelled.

use std::borrow::Cow;
use std::ops::Range;

use edit::Refusal;
use regex::Regex;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::ladder::{self, Hit, Quoted, Rung};
use crate::text::tokens::{cuts_a_picture, picture_at};

/// Whether a character only goes with the one in front of it.
pub(crate) fn is_mark(character: char) -> bool {
    is_combining_mark(character)
}

/// A hit of the ladder, and whether it takes other spellings of accents to see it.
#[derive(Debug)]
pub(crate) struct RespelledHit {
    pub(crate) hit: Hit,
    respelled: bool,
}

impl RespelledHit {
    /// What two tokens must share to be the same.
    pub(crate) fn key<'t>(&self, token: &'t str) -> Cow<'t, str> {
        match self.hit.rung.key(token) {
            key if !self.respelled || is_composed(&key) => key,
            key => Cow::Owned(key.nfc().collect()),
        }
    }
}

/// The one place where `wanted` stands in `text`, as [`ladder::find`] finds it, with its own accents or else with
/// others.
pub(crate) fn find(text: &str, wanted: &str, within: &str) -> Result<RespelledHit, Refusal> {
    let found = match ladder::find(text, wanted, within) {
        Ok(hit) => RespelledHit { hit, respelled: false },
        Err(refusal @ Refusal::NotFound { .. }) => {
            find_respelled(text, wanted, within).unwrap_or(Err(refusal))?
        }
        Err(refusal) => return Err(refusal),
    };
    let Range { start, end } = found.hit.range;
    match [start, end].into_iter().find(|at| cuts_a_picture(text, *at)) {
        None => Ok(found),
        Some(at) => Err(Refusal::Unsafe {
            why: format!("it would cut into {}, which is one character", picture_at(text, at)),
            instead: Some("quote the character whole".to_owned()),
        }),
    }
}

fn find_respelled(text: &str, wanted: &str, within: &str) -> Option<Result<RespelledHit, Refusal>> {
    let wanted = Respelled::of(wanted);
    let (_, found) = wanted.search(&wanted.quoted(), text, within)?;
    Some(found.map(|hit| RespelledHit { hit, respelled: true }))
}

/// A quote with its accents composed, to be looked for where it does not stand as it was typed.
#[derive(Debug)]
pub(crate) struct Respelled<'a> {
    text: Cow<'a, str>,
    differs: bool,
}

impl<'a> Respelled<'a> {
    pub(crate) fn of(wanted: &'a str) -> Self {
        let Composed { text, changes } = Composed::of(wanted);
        Self { text, differs: !changes.is_empty() }
    }

    pub(crate) fn quoted(&self) -> Quoted<'_> {
        Quoted::new(&self.text)
    }

    /// As [`Quoted::search`], whatever the accents of `text`. Nothing where all are as they were typed.
    pub(crate) fn search(
        &self,
        quoted: &Quoted<'_>,
        text: &str,
        within: &str,
    ) -> Option<(Rung, Result<Hit, Refusal>)> {
        if !self.differs && is_composed(text) {
            return None;
        }
        let composed = Composed::of(text);
        let (rung, found) = quoted.search(&composed.text, within)?;
        let found = match found {
            Ok(hit) => Ok(Hit { range: composed.source(&hit.range)?, ..hit }),
            Err(refusal) => Err(refusal),
        };
        Some((rung, found))
    }
}

/// A literal to search for, wherever it stands.
#[derive(Debug)]
pub(crate) struct Literal {
    typed: Regex,
    /// Present where the text was typed in parts.
    composed: Option<Regex>,
    respells: bool,
}

impl Literal {
    /// `build` makes a pattern of a text.
    pub(crate) fn new(text: &str, build: impl Fn(&str) -> Result<Regex, Refusal>) -> Result<Self, Refusal> {
        let composed = Composed::of(text);
        let differs = !composed.changes.is_empty();
        let composed = differs.then(|| build(&composed.text)).transpose()?;
        Ok(Self { typed: build(text)?, composed, respells: true })
    }

    /// The same, found with no other accents than it was typed with.
    pub(crate) fn only_typed(self) -> Self {
        Self { respells: false, ..self }
    }

    /// All matches, from the left, without overlaps.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = self.typed.find_iter(text).map(|found| found.range()).collect();
        if !self.respells || (self.composed.is_none() && is_composed(text)) {
            return found;
        }
        let composed = Composed::of(text);
        let regex = self.composed.as_ref().unwrap_or(&self.typed);
        let free = |range: &Range<usize>| {
            let next = found.get(found.partition_point(|known| known.end <= range.start));
            next.is_none_or(|next| range.end <= next.start)
        };
        let others = regex.find_iter(&composed.text).filter_map(|found| composed.source(&found.range()));
        let others: Vec<Range<usize>> = others.filter(free).collect();
        found.extend(others);
        found.sort_by_key(|range| range.start);
        found
    }
}

/// A text with its accents composed, and the way back.
struct Composed<'a> {
    text: Cow<'a, str>,
    /// Characters that were composed, where they are here and where they are in the source.
    changes: Vec<(Range<usize>, Range<usize>)>,
}

impl<'a> Composed<'a> {
    fn of(source: &'a str) -> Self {
        let mut changes = Vec::new();
        if is_composed(source) {
            return Self { text: Cow::Borrowed(source), changes };
        }
        let mut text = String::with_capacity(source.len());
        for (at, cluster) in source.grapheme_indices(true) {
            let start = text.len();
            text.extend(cluster.nfc());
            if text.get(start..) != Some(cluster) {
                changes.push((start..text.len(), at..at + cluster.len()));
            }
        }
        Self { text: Cow::Owned(text), changes }
    }

    /// The same range in the source; `None` if it cuts through what was composed.
    fn source(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(self.offset(range.start)?..self.offset(range.end)?)
    }

    fn offset(&self, at: usize) -> Option<usize> {
        let next = self.changes.partition_point(|(here, _)| here.end <= at);
        if self.changes.get(next).is_some_and(|(here, _)| here.start < at) {
            return None;
        }
        let last = next.checked_sub(1).and_then(|last| self.changes.get(last));
        Some(last.map_or(at, |(here, there)| at - here.end + there.end))
    }
}

/// `false` where some character may have another spelling that is composed.
fn is_composed(text: &str) -> bool {
    text.is_ascii() || text.chars().all(is_settled) || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

/// Characters that a composed text has as they are and that change none before them, as nearly all that people write
/// are. Asking the tables about each of them would take longer than the search.
fn is_settled(character: char) -> bool {
    matches!(character,
        '\0'..='\u{2FF}'
        | '\u{388}'..='\u{482}'
        | '\u{2010}'..='\u{205F}'
        | '\u{3000}'..='\u{3029}'
        | '\u{3030}'..='\u{3098}'
        | '\u{309B}'..='\u{A48F}'
        | '\u{AC00}'..='\u{D7A3}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::char::canonical_combining_class;

    use super::*;

    #[test]
    fn what_counts_as_settled_is_so_in_the_tables() {
        for character in ('\0'..=char::MAX).filter(|character| is_settled(*character)) {
            let alone = is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes;
            assert!(alone && canonical_combining_class(character) == 0, "{character:?}");
        }
    }

    #[test]
    fn either_spelling_finds_the_other_and_the_same_one_first() {
        for (text, wanted, found) in [
            ("un cafe\u{301} noir", "caf\u{e9}", Some("cafe\u{301}")),
            ("un caf\u{e9} noir", "cafe\u{301} noir", Some("caf\u{e9} noir")),
            ("caf\u{e9}, cafe\u{301}", "cafe\u{301}", Some("cafe\u{301}")),
            ("Vi\u{ea}\u{323}t Nam", "Vi\u{1ec7}t", Some("Vi\u{ea}\u{323}t")),
            (
                "\u{1112}\u{1161}\u{11ab}\u{ae00}",
                "\u{d55c}\u{ae00}",
                Some("\u{1112}\u{1161}\u{11ab}\u{ae00}"),
            ),
            (
                "the \u{201c}cafe\u{301}\u{201d}\u{a0}bar",
                "\"caf\u{e9}\" bar",
                Some("\u{201c}cafe\u{301}\u{201d}\u{a0}bar"),
            ),
            ("cafe noir", "caf\u{e9}", None),
            ("caf\u{e9} noir", "cafe", None),
            ("plain", "other", None),
        ] {
            let hit = find(text, wanted, "p").ok().map(|found| &text[found.hit.range]);
            assert_eq!(hit, found, "{wanted} in {text}");
        }
        let twice = find("cafe\u{301} cafe\u{301}", "caf\u{e9}", "p");
        assert!(matches!(twice, Err(Refusal::Ambiguous { count: 2, .. })));
    }

    #[test]
    fn words_that_only_look_alike_are_the_same_where_that_was_forgiven() {
        let exact = find("caf\u{e9}", "caf\u{e9}", "p").expect("found");
        assert_eq!(exact.key("cafe\u{301}"), "cafe\u{301}");
        let other = find("cafe\u{301}", "caf\u{e9}", "p").expect("found");
        assert_eq!((other.key("cafe\u{301}"), other.hit.rung), ("caf\u{e9}".into(), Rung::Exact));
    }

    #[test]
    fn a_literal_is_found_in_every_spelling_and_accents_alone_as_they_are() {
        let literal = |text: &str| {
            let build = |text: &str| Ok(Regex::new(&regex::escape(text)).expect("a pattern"));
            Literal::new(text, build).expect("built")
        };
        let text = "\u{e9}te\u{301} e\u{301}t\u{e9} ete";
        let found = |wanted: &str| literal(wanted).find(text);
        assert_eq!(found("\u{e9}t\u{e9}"), [0..6, 7..13]);
        assert_eq!(found("e\u{301}te\u{301}"), [0..6, 7..13]);
        assert_eq!(found("e\u{301}t"), [0..3, 7..11]);
        assert_eq!(found("\u{301}"), [4..6, 8..10]);
        assert_eq!(literal("\u{e9}t").only_typed().find(text).as_slice(), std::slice::from_ref(&(0..3)));
    }

    proptest! {
        #[test]
        fn the_way_back_leads_to_the_same_text(text in "[ae\u{301}\u{302}\u{323}\u{e9}\u{1ec7} ]{0,20}") {
            let composed = Composed::of(&text);
            prop_assert_eq!(&composed.text, &text.nfc().collect::<String>());
            let cuts: Vec<usize> = composed.text.char_indices().map(|(at, _)| at).collect();
            for (start, end) in cuts.iter().flat_map(|start| cuts.iter().map(move |end| (*start, *end))) {
                let Some(range) = composed.source(&(start..end.max(start))) else { continue };
                let there = text[range].nfc().collect::<String>();
                prop_assert_eq!(&composed.text[start..end.max(start)], there);
            }
        }
    }
}

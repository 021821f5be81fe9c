//! Searching every text of a document.

use std::ops::Range;

use edit::{Cut, OrEmpty, Refusal};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::document::ids::ParagraphId;
use crate::document::index::flag;
use crate::document::paragraph::{Paragraph, PieceKind, Side};
use crate::document::tables::{Grid, Table};
use crate::document::view::{Place, View};
use crate::text::accents::{Literal, is_mark};
use crate::text::ladder::quote;
use crate::text::read::Stories;
use crate::text::tokens::cuts_a_picture;
use crate::text::wildcards::Pattern;

/// A compiled pattern may take this much memory; beyond it is refused.
const LARGEST_PATTERN: usize = 4 << 20;

/// How patterns are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Literal,
    /// Regular expressions, matched in linear time.
    Regex,
    /// Word's own.
    Wildcards,
}

/// What to search for, and where.
#[derive(Debug, Clone)]
pub struct Search {
    pub patterns: Vec<String>,
    pub language: Language,
    pub match_case: bool,
    pub whole_word: bool,
    pub stories: Stories,
    pub side: Side,
    /// Characters to show on each side of a hit.
    pub context: usize,
    /// Hits to pass over.
    pub offset: usize,
    /// Hits at most.
    pub limit: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            patterns: Vec::new(),
            language: Language::Literal,
            match_case: false,
            whole_word: false,
            stories: Stories::All,
            side: Side::Final,
            context: 60,
            offset: 0,
            limit: 100,
        }
    }
}

/// One hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit {
    pub id: ParagraphId,
    pub story: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub list_label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Grid>,
    /// Which of the patterns, from 0.
    pub pattern: usize,
    /// Characters of the paragraph's text before the hit, and in it.
    pub start: usize,
    pub length: usize,
    pub text: String,
    pub before: String,
    pub after: String,
    /// The same in bytes of the text, and the runs that hold it.
    #[serde(skip)]
    pub range: Range<usize>,
    #[serde(skip)]
    pub runs: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hits {
    pub hits: Vec<Hit>,
    pub total: usize,
    /// Paragraphs with at least one.
    pub paragraphs: usize,
    pub has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

enum Matcher {
    Literal(Literal),
    Regex(Regex),
    Wildcards(Pattern),
}

impl View {
    /// Finds the patterns, in the order of the document.
    pub fn grep(&self, search: &Search) -> Result<Hits, Refusal> {
        if search.patterns.is_empty() || search.patterns.iter().any(String::is_empty) {
            return Err(Refusal::invalid("pattern", "``", "something to search for"));
        }
        let matchers: Vec<Matcher> =
            search.patterns.iter().map(|pattern| matcher(pattern, search)).collect::<Result<_, _>>()?;
        let mut found =
            Hits { hits: Vec::new(), total: 0, paragraphs: 0, has_more: false, next_offset: None };
        let mut table: Option<(u32, Table)> = None;
        let needles: Option<Vec<Needle>> =
            search.patterns.iter().map(|pattern| Needle::of(pattern, search)).collect();
        for place in self.places_of(search.stories) {
            if needles.as_ref().is_some_and(|needles| !self.may_hold(place, needles)) {
                continue;
            }
            let paragraph = self.paragraph(place)?;
            let text = paragraph.text(search.side);
            let mut ranges: Vec<(Range<usize>, usize)> = Vec::new();
            for (number, matcher) in matchers.iter().enumerate() {
                matches(matcher, &text.text, &mut |range| {
                    if !range.is_empty() && (!search.whole_word || is_whole(&text.text, &range)) {
                        ranges.push((range, number));
                    }
                })?;
            }
            let side = search.side;
            if ranges.is_empty() || paragraph.vanishes(side) || self.is_row_gone(place, side) {
                continue;
            }
            ranges.sort_by_key(|(range, number)| (range.start, range.end, *number));
            found.paragraphs += 1;
            for (range, pattern) in ranges {
                let number = found.total;
                found.total += 1;
                if number < search.offset || found.hits.len() >= search.limit {
                    continue;
                }
                let runs = runs_of(&paragraph, &text, &range);
                let said = |range: Range<usize>| text.text.part(range);
                let (before, after) = (said(0..range.start), said(range.end..text.text.len()));
                found.hits.push(Hit {
                    id: self.id(place),
                    story: self.story_of(place).to_string(),
                    list_label: self.label(place, search.side).or_empty().to_owned(),
                    cell: self.grid_of(place, &mut table),
                    pattern,
                    start: before.chars().count(),
                    length: said(range.clone()).chars().count(),
                    text: said(range.clone()).to_owned(),
                    before: last_characters(before, search.context),
                    after: after.chars().take(search.context).collect(),
                    runs,
                    range,
                });
            }
        }
        let end = search.offset + found.hits.len();
        found.has_more = end < found.total;
        found.next_offset = found.has_more.then_some(end);
        Ok(found)
    }

    /// The paragraphs whose final text may hold `text` as it is.
    pub(crate) fn that_may_hold(&self, text: &str) -> impl Iterator<Item = Place> {
        let search = Search { match_case: true, ..Search::default() };
        let needle = Needle::of(text, &search);
        self.places()
            .filter(move |place| needle.as_ref().is_none_or(|needle| self.may_hold(*place, [needle])))
    }

    /// `false` only if none of the needles stands there, which is seen without reading the paragraph.
    fn may_hold<'a>(&self, place: Place, needles: impl IntoIterator<Item = &'a Needle>) -> bool {
        let Some(source) = self.source(place).filter(|_| !self.is_partly_written(place)) else { return true };
        needles.into_iter().any(|needle| needle.may_stand_in(&source))
    }

    /// Whether some of its text is not there as characters: symbols, and the numbers of notes and comments.
    fn is_partly_written(&self, place: Place) -> bool {
        let written = flag::SYMBOL | flag::NOTE_REFERENCE | flag::COMMENT_REFERENCE;
        let flags = self.part(place).and_then(|part| part.paragraphs.flags.get(place.index as usize));
        flags.is_none_or(|flags| flags & written != 0)
    }

    fn grid_of(&self, place: Place, known: &mut Option<(u32, Table)>) -> Option<Grid> {
        let boxed = self.table_box(place)?;
        let key = boxed.wrapping_mul(64).wrapping_add(place.part);
        if known.as_ref().is_none_or(|(at, _)| *at != key) {
            *known = Some((key, self.table_around(place)?));
        }
        let (_, table) = known.as_ref()?;
        let (row, at) = self.cell_of(place, table)?;
        Some(Grid { table: table.id, row: row + 1, column: table.rows.get(row)?.cells.get(at)?.column + 1 })
    }
}

/// The letters and digits that a literal begins with, for telling from a paragraph's bytes that it is not there.
struct Needle {
    start: Vec<u8>,
    fold: bool,
    /// The bytes an occurrence can begin with.
    firsts: [u8; 3],
}

impl Needle {
    fn of(pattern: &str, search: &Search) -> Option<Self> {
        if search.language != Language::Literal {
            return None;
        }
        let fold = !search.match_case;
        let mut start: Vec<u8> = pattern.bytes().take_while(u8::is_ascii_alphanumeric).collect();
        // With the accent behind it, the last letter may be another character.
        if pattern.get(start.len()..).and_then(|rest| rest.chars().next()).is_some_and(is_mark) {
            start.pop();
        }
        let first = *start.first()?;
        let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        let firsts = match lower {
            // The Kelvin sign is another spelling of this one letter.
            _ if !fold && first == b'K' => [first, first, 0xE2],
            _ if !fold => [first; 3],
            // Without regard to case these two are also the Kelvin sign and the long s.
            b'k' => [lower, upper, 0xE2],
            b's' => [lower, upper, 0xC5],
            _ => [lower, upper, upper],
        };
        Some(Self { start, fold, firsts })
    }

    /// `false` only if no text of a paragraph of these bytes holds it, but for what is written as elements. Text is cut
    /// by tags anywhere, and some of it is written as references.
    fn may_stand_in(&self, source: &[u8]) -> bool {
        let mut may_begin = |at: usize| self.may_begin(source.part(at..));
        let [a, b, c] = self.firsts;
        // One pass for all that an occurrence can begin with, if that is not too much for one.
        if b == c {
            return match a == b {
                true => memchr::memchr2_iter(a, b'&', source).any(may_begin),
                false => memchr::memchr3_iter(a, b, b'&', source).any(may_begin),
            };
        }
        memchr::memchr3_iter(a, b, c, source).any(&mut may_begin)
            || memchr::memchr_iter(b'&', source).any(may_begin)
    }

    fn may_begin(&self, rest: &[u8]) -> bool {
        if let [b'&', then, ..] = rest {
            return *then == b'#';
        }
        for (wanted, found) in self.start.iter().zip(rest) {
            let same = wanted == found || self.fold && wanted.eq_ignore_ascii_case(found);
            if !same {
                return matches!(found, b'<' | b'&' | 0x80..);
            }
        }
        true
    }
}

/// Text as people type it, for text as Word sets it: curly quotes, blanks and hyphens that do not break, and hyphens
/// that only show at the end of a line.
fn literal(pattern: &str) -> String {
    const LONGEST: usize = 500;
    const UNSEEN: &str = "[\\u{AD}\\u{200B}\\u{2060}\\u{FEFF}]*";
    let between = if pattern.len() <= LONGEST { UNSEEN } else { "" };
    let mut source = String::new();
    let mut number = [0; 4];
    for (index, character) in pattern.chars().enumerate() {
        if index > 0 {
            source.push_str(between);
        }
        match quote(character) {
            '\'' => source.push_str("['`\\u{B4}\\u{2018}-\\u{201B}\\u{2032}\\u{2039}\\u{203A}]"),
            '"' => source.push_str("[\"\\u{201C}-\\u{201F}\\u{2033}\\u{AB}\\u{BB}]"),
            ' ' | '\u{A0}' => source.push_str("[ \\u{A0}\\u{2007}\\u{202F}]"),
            '-' | '\u{2010}' | '\u{2011}' => source.push_str("[-\\u{2010}\\u{2011}]"),
            _ => source.push_str(&regex::escape(character.encode_utf8(&mut number))),
        }
    }
    source
}

fn matcher(pattern: &str, search: &Search) -> Result<Matcher, Refusal> {
    match search.language {
        Language::Wildcards => Pattern::parse(pattern).map(Matcher::Wildcards),
        Language::Literal => {
            Literal::new(pattern, |text| regex(text, &literal(text), search)).map(Matcher::Literal)
        }
        Language::Regex => regex(pattern, pattern, search).map(Matcher::Regex),
    }
}

fn regex(pattern: &str, source: &str, search: &Search) -> Result<Regex, Refusal> {
    let built = RegexBuilder::new(source)
        .case_insensitive(!search.match_case)
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN)
        .build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(limit) => Refusal::Limit {
            what: "the compiled pattern".into(),
            found: "larger".to_owned(),
            limit: format!("{limit} bytes"),
        },
        error => {
            Refusal::invalid("pattern", format!("`{pattern}`"), format!("a regular expression ({error})"))
        }
    })
}

fn matches(matcher: &Matcher, text: &str, take: &mut dyn FnMut(Range<usize>)) -> Result<(), Refusal> {
    let mut take = |found: Range<usize>| {
        if ![found.start, found.end].into_iter().any(|at| cuts_a_picture(text, at)) {
            take(found);
        }
    };
    match matcher {
        Matcher::Literal(literal) => literal.find(text).into_iter().for_each(take),
        Matcher::Regex(regex) => regex.find_iter(text).for_each(|found| take(found.range())),
        Matcher::Wildcards(pattern) => {
            pattern.find_all(text)?.into_iter().for_each(|found| take(found.range))
        }
    }
    Ok(())
}

fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || is_mark(c);
    let (before, after) = (text.get(..range.start), text.get(range.end..));
    !before.and_then(|text| text.chars().next_back()).is_some_and(word)
        && !after.and_then(|text| text.chars().next()).is_some_and(word)
}

fn runs_of(paragraph: &Paragraph, text: &crate::Text, range: &Range<usize>) -> Vec<usize> {
    let touched = text.pieces.iter().filter(|piece| {
        piece.kind != PieceKind::Marker && piece.range.start < range.end && range.start < piece.range.end
    });
    let mut runs: Vec<usize> =
        touched.filter_map(|piece| paragraph.atoms.get(piece.atom).and_then(|atom| atom.run)).collect();
    runs.dedup();
    runs
}

fn last_characters(text: &str, count: usize) -> String {
    let from = text.char_indices().rev().take(count).last().map_or(text.len(), |(at, _)| at);
    text.part(from..).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;
    use crate::testing::{document_with, p, r, rr};
    use edit::Format;

    fn view() -> View {
        let body = format!(
            "{}<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>{}",
            p(&(r("The ter") + &rr("<w:b/>", "mination") + &r(" of Termination fees"))),
            p(&r("Cell: determination")),
            p(&format!(
                "<w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r>",
                p(&r("box termination"))
            )),
        );
        let note = format!("<w:footnote w:id=\"1\">{}</w:footnote>", p(&r("see termination")));
        Word::view(&document_with(&body, &[("header1", &p(&r("Termination deed"))), ("footnotes", &note)]))
            .expect("views")
    }

    fn search(patterns: &[&str]) -> Search {
        Search {
            patterns: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
            ..Search::default()
        }
    }

    fn found(search: &Search) -> Vec<(String, String)> {
        let hits = view().grep(search).expect("searches").hits;
        hits.into_iter().map(|hit| (hit.story, hit.text)).collect()
    }

    #[test]
    fn every_story_is_searched() {
        let hits = view().grep(&search(&["termination"])).expect("searches");
        assert_eq!((hits.total, hits.paragraphs), (6, 5));
        let stories: Vec<&str> = hits.hits.iter().map(|hit| hit.story.as_str()).collect();
        assert_eq!(stories, ["body", "body", "body", "body", "header1", "footnotes"]);
        let first = &hits.hits[0];
        assert_eq!((first.start, first.length, first.runs.as_slice()), (4, 11, &[0, 1][..]));
        assert_eq!((first.before.as_str(), first.after.as_str()), ("The ", " of Termination fees"));
        assert_eq!(hits.hits[2].cell.map(|cell| (cell.row, cell.column)), Some((1, 1)));
    }

    #[test]
    fn case_words_and_languages_are_respected() {
        let mut wanted = search(&["Termination"]);
        wanted.match_case = true;
        assert_eq!(found(&wanted).len(), 2);
        let mut wanted = search(&["termination"]);
        wanted.whole_word = true;
        assert_eq!(found(&wanted).len(), 5);
        let regex = Search { language: Language::Regex, ..search(&[r"\bT\w+ (of|deed)"]) };
        assert_eq!(found(&regex).len(), 2);
        let wildcards = Search { language: Language::Wildcards, ..search(&["<[Tt]er*n>"]) };
        assert_eq!(found(&wildcards).len(), 5);
        let several = found(&search(&["fees", "deed"]));
        assert_eq!(
            several,
            [("body".to_owned(), "fees".to_owned()), ("header1".to_owned(), "deed".to_owned())]
        );
    }

    #[test]
    fn hits_come_in_pages() {
        let page =
            |offset| view().grep(&Search { offset, limit: 4, ..search(&["termination"]) }).expect("searches");
        assert_eq!((page(0).hits.len(), page(0).next_offset), (4, Some(4)));
        assert_eq!((page(4).hits.len(), page(4).next_offset, page(4).total), (2, None, 6));
    }

    #[test]
    fn what_is_passed_over_does_not_hold_the_pattern() {
        let paragraphs = [
            "Mark77x",
            "mark7&amp;",
            "M&#97;rk77x",
            "\u{212A}elvin and \u{17F}ea",
            "Mar</w:t></w:r><w:r><w:t>k77x",
            "M<w:noBreakHyphen/>",
            "tmp Mark7",
            "plain",
        ];
        let body: String = paragraphs.iter().map(|text| p(&r(text))).collect();
        let view = Word::view(&document_with(&body, &[])).expect("views");
        for (pattern, match_case) in [
            ("Mark77x", true),
            ("mark77X", false),
            ("kelvin", false),
            ("sea", false),
            ("plain", true),
            ("m", false),
            ("Mark7&", false),
        ] {
            let literal = Search { match_case, ..search(&[pattern]) };
            // Everything is read for a regular expression.
            let regex = Search { language: Language::Regex, ..literal.clone() };
            let hits = view.grep(&literal).expect("searches");
            assert_eq!(hits, view.grep(&regex).expect("searches"), "{pattern}");
            assert!(hits.total > 0, "{pattern}");
        }
    }

    #[test]
    fn patterns_that_cannot_work_are_refused() {
        assert!(view().grep(&search(&[])).is_err());
        assert!(view().grep(&Search { language: Language::Regex, ..search(&["("]) }).is_err());
        let huge = Search { language: Language::Regex, ..search(&[r"(\w{1000}){1000}"]) };
        assert!(matches!(view().grep(&huge), Err(Refusal::Limit { .. })));
    }

    #[test]
    fn text_is_found_as_people_type_it() {
        let body = p(&r("the Seller\u{2019}s \u{201C}Fee\u{201D} of 10\u{A0}days"))
            + &p("<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t><w:softHyphen/><w:t>erate</w:t></w:r>");
        let view = Word::view(&document_with(&body, &[])).expect("views");
        for (typed, found) in [
            ("Seller's", "Seller\u{2019}s"),
            ("\"Fee\" of 10 days", "\u{201C}Fee\u{201D} of 10\u{A0}days"),
            ("co-operate", "co\u{2011}op\u{AD}erate"),
            ("\u{201C}fee\u{201D}", "\u{201C}Fee\u{201D}"),
        ] {
            let hits = view.grep(&search(&[typed])).expect("searched").hits;
            assert_eq!(hits.iter().map(|hit| hit.text.as_str()).collect::<Vec<_>>(), [found], "{typed}");
        }
        assert_eq!(view.grep(&search(&["10.days"])).expect("searched").total, 0);
    }

    #[test]
    fn accents_are_found_in_either_spelling() {
        let body = p(&r("Un cafe\u{301}, un caf\u{e9}, un CAFE\u{301}."))
            + &p(&r("\u{c9}tat"))
            + &p(&r("E\u{301}tat"))
            + &p(&r("\u{212A}elvin"))
            + &p(&r("cafe"));
        let view = Word::view(&document_with(&body, &[])).expect("views");
        let found = |search: &Search| {
            let hits = view.grep(search).expect("searched").hits;
            hits.into_iter().map(|hit| (hit.start, hit.text)).collect::<Vec<_>>()
        };
        let hits = |all: &[(usize, &str)]| {
            all.iter().map(|(at, text)| (*at, (*text).to_owned())).collect::<Vec<_>>()
        };
        let cafes = [(3, "cafe\u{301}"), (13, "caf\u{e9}"), (22, "CAFE\u{301}")];
        for typed in ["caf\u{e9}", "cafe\u{301}"] {
            assert_eq!(found(&search(&[typed])), hits(&cafes), "{typed}");
            let exactly = Search { match_case: true, whole_word: true, ..search(&[typed]) };
            assert_eq!(found(&exactly), hits(&cafes[..2]), "{typed}");
        }
        for typed in ["\u{c9}tat", "E\u{301}tat"] {
            let search = Search { match_case: true, ..search(&[typed]) };
            assert_eq!(found(&search), hits(&[(0, "\u{c9}tat"), (0, "E\u{301}tat")]), "{typed}");
        }
        let search = Search { match_case: true, whole_word: true, ..search(&["cafe", "Kelvin"]) };
        assert_eq!(found(&search), hits(&[(0, "\u{212A}elvin"), (0, "cafe")]));
    }
}

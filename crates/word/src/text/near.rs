//! What in a text is most like one that is not in it.
//!
//! Whoever quotes text that is nowhere is shown what he may have meant, out of all that a document says. So each text
//! is gone through once, whatever its length: its letters are counted into and out of a window that moves from word
//! to word, instead of being compared anew for each place.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::text::tags;
use crate::text::tokens::tokens;

/// So many letters of a text are compared.
const LETTERS: usize = 200;
/// Less in common than this, of a thousand, is not worth showing.
const LEAST: usize = 400;
/// Texts of more different words are not looked for where other words stand between theirs.
const MOST_SPREAD: usize = 64;

/// What is looked for.
#[derive(Debug)]
pub(crate) struct Near {
    /// In lower case and in order.
    words: Vec<String>,
    /// How many words, blanks and marks it is.
    width: usize,
    pairs: Pairs,
}

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Like {
    /// How much it has in common with what is looked for, of a thousand.
    pub(crate) likeness: usize,
    pub(crate) range: Range<usize>,
}

impl Near {
    pub(crate) fn to(wanted: &str) -> Self {
        let stripped = tags::strip(wanted);
        let needle = if stripped.is_empty() { wanted } else { stripped.as_str() };
        let all = tokens(needle);
        let mut words: Vec<String> = all
            .iter()
            .filter_map(|range| needle.get(range.clone()))
            .filter(|token| token.len() > 1)
            .map(str::to_lowercase)
            .collect();
        words.sort_unstable();
        words.dedup();
        Self { words, width: all.len(), pairs: Pairs::of(needle) }
    }

    /// What in `text` is most like it, of three stretches: the one that has the most of its words, if it has a third of
    /// them; the one whose letters are most like it, for words that are misspelt or written with other accents; and the
    /// one that has its words with others between. `None` also if that is no more like it than something else that is
    /// known.
    pub(crate) fn in_text(&mut self, text: &str, known: Option<usize>) -> Option<Like> {
        self.pairs.read(text);
        let most = self.pairs.most();
        if known.is_some_and(|known| most <= known) {
            return None;
        }
        let ours = tokens(text);
        let width = self.width.min(ours.len());
        let hits = self.hits(text, &ours);
        let words = self.most_words(&hits, ours.len(), width);
        let letters = if most >= LEAST { self.most_letters(text, &ours, width) } else { None };
        let close = |first: usize| first..first + width;
        let stretches = [words.map(close), letters.map(close), self.spread(&hits)];
        let mut best: Option<Like> = None;
        for tokens in stretches.into_iter().flatten() {
            let range = ours.get(tokens.start)?.start..ours.get(tokens.end - 1)?.end;
            let found = text.get(range.clone())?;
            let start = range.start + (found.len() - found.trim_start().len());
            let range = start..start + found.trim().len();
            let likeness = self.likeness(text.get(range.clone())?);
            if best.as_ref().is_none_or(|best| likeness > best.likeness) {
                best = Some(Like { likeness, range });
            }
        }
        best.filter(|best| known.is_none_or(|known| best.likeness > known))
    }

    /// Where its words stand among the tokens of a text, each with its number.
    fn hits(&self, text: &str, ours: &[Range<usize>]) -> Vec<(usize, usize)> {
        let word = |range: &Range<usize>| text.get(range.clone()).and_then(|token| self.number(token));
        (0..).zip(ours).filter_map(|(at, range)| Some((at, word(range)?))).collect()
    }

    /// Where the stretch of `width` tokens begins that has the most of the words.
    fn most_words(&self, hits: &[(usize, usize)], tokens: usize, width: usize) -> Option<usize> {
        if self.words.is_empty() || tokens == 0 {
            return None;
        }
        let last = tokens - width;
        let mut best = (0, 0);
        // The first of the best windows begins with all others or ends with a hit.
        let starts =
            std::iter::once(0).chain(hits.iter().filter_map(|(hit, _)| (hit + 1).checked_sub(width)));
        for start in starts.filter(|start| *start <= last) {
            let behind = hits.partition_point(|(hit, _)| *hit < start + width);
            let score = behind - hits.partition_point(|(hit, _)| *hit < start);
            if score > best.0 {
                best = (score, start);
            }
        }
        (best.0 * 3 >= self.words.len()).then_some(best.1)
    }

    /// The shortest stretch that has the most different words, from one to another, where not much more than as many
    /// again stand between them. Whoever quotes from memory leaves out what stood between.
    fn spread(&self, hits: &[(usize, usize)]) -> Option<Range<usize>> {
        if !(2..=MOST_SPREAD).contains(&self.words.len()) {
            return None;
        }
        let reach = 2 * self.width + 4;
        let mut best: Option<(usize, Range<usize>)> = None;
        let mut met = vec![usize::MAX; self.words.len()];
        for (index, (start, _)) in hits.iter().enumerate() {
            let (mut different, mut end) = (0, *start);
            let near = hits.iter().skip(index).take_while(|(at, _)| at - start < reach);
            for (at, word) in near {
                if let Some(met) = met.get_mut(*word).filter(|met| **met != index) {
                    (*met, different, end) = (index, different + 1, at + 1);
                }
            }
            let is_better = |(most, range): &(usize, Range<usize>)| {
                different > *most || different == *most && end - start < range.len()
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((different, *start..end));
            }
        }
        best.filter(|(different, _)| *different > 1 && different * 3 >= self.words.len())
            .map(|(_, range)| range)
    }

    fn number(&self, token: &str) -> Option<usize> {
        let found = match token.is_ascii() {
            true => {
                let folded = || token.bytes().map(|byte| byte.to_ascii_lowercase());
                self.words.binary_search_by(|word| word.bytes().cmp(folded()))
            }
            false => self.words.binary_search(&token.to_lowercase()),
        };
        found.ok()
    }

    /// Where the stretch of `width` tokens begins whose letters are most like those that are wanted.
    fn most_letters(&mut self, text: &str, ours: &[Range<usize>], width: usize) -> Option<usize> {
        // Letters before the end of each token.
        let mut ends = Vec::with_capacity(ours.len());
        let mut letters = 0;
        for range in ours {
            let token = text.get(range.clone())?;
            letters += if token.is_ascii() { token.len() } else { lower(token).count() };
            ends.push(letters);
        }
        self.pairs.begin();
        let mut best: Option<(usize, usize)> = None;
        let mut start = 0;
        for (first, end) in ends.iter().skip(width.checked_sub(1)?).enumerate() {
            let likeness = self.pairs.likeness_of(start..(*end).min(start + LETTERS));
            if best.is_none_or(|(most, _)| likeness > most) {
                best = Some((likeness, first));
            }
            start = *ends.get(first)?;
        }
        best.filter(|(likeness, _)| *likeness >= LEAST).map(|(_, first)| first)
    }

    /// How much it has in common with a text, of a thousand.
    fn likeness(&mut self, text: &str) -> usize {
        self.pairs.read(text);
        self.pairs.begin();
        self.pairs.likeness_of(0..self.pairs.letters.min(LETTERS))
    }
}

/// Letters that follow one another: those that are wanted, and those of a text.
#[derive(Debug)]
struct Pairs {
    wanted: usize,
    /// Numbers of those that are wanted, from 1 on; by both letters if they are in ASCII.
    plain: Vec<u8>,
    others: BTreeMap<(char, char), u8>,
    /// How often each is wanted, and how often it is in the window. Fewer than [`LETTERS`] have a number, but any byte
    /// has a place.
    counts: [(u8, u8); 256],
    /// Those of the text that are wanted: the number, and how many letters are before it.
    text: Vec<(u8, u32)>,
    letters: usize,
    /// Letters, and which of those of the text are among them.
    window: Range<usize>,
    inside: Range<usize>,
    /// How many of those that are wanted are in the window.
    shared: usize,
}

impl Pairs {
    fn of(needle: &str) -> Self {
        let mut pairs = Self {
            wanted: 0,
            plain: vec![0; 1 << 14],
            others: BTreeMap::new(),
            counts: [(0, 0); 256],
            text: Vec::new(),
            letters: 0,
            window: 0..0,
            inside: 0..0,
            shared: 0,
        };
        let mut last = None;
        let mut used = 0;
        for letter in lower(needle).take(LETTERS) {
            if let Some(last) = last.replace(letter) {
                pairs.wanted += 1;
                let number = match plain(last, letter) {
                    Some(at) => pairs.plain.get_mut(at),
                    None => Some(pairs.others.entry((last, letter)).or_default()),
                };
                let Some(number) = number else { continue };
                if *number == 0 {
                    used += 1;
                    *number = used;
                }
                pairs.counts[usize::from(*number)].0 += 1;
            }
        }
        pairs
    }

    /// Takes the letters of a text in place of those of another.
    fn read(&mut self, text: &str) {
        let Self { plain: numbers, others, text: read, .. } = self;
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        read.clear();
        if text.is_ascii() {
            self.letters = text.len();
            let mut bytes = text.bytes().map(|byte| usize::from(byte.to_ascii_lowercase()));
            let mut last = bytes.next().unwrap_or(0);
            for (at, byte) in (0..).zip(bytes) {
                let number = number(last << 7 | byte);
                if number > 0 {
                    read.push((number, at));
                }
                last = byte;
            }
            return;
        }
        let mut last = None;
        self.letters = 0;
        for letter in lower(text) {
            if let Some(last) = last.replace(letter) {
                let number = match plain(last, letter) {
                    Some(at) => number(at),
                    None => others.get(&(last, letter)).copied().unwrap_or(0),
                };
                if number > 0 {
                    read.push((number, self.letters as u32 - 1));
                }
            }
            self.letters += 1;
        }
    }

    /// No stretch of the text has more in common with what is wanted.
    fn most(&self) -> usize {
        let mut left = self.counts;
        let mut shared = 0;
        for (number, _) in &self.text {
            let (wanted, _) = &mut left[usize::from(*number)];
            let one = u8::from(*wanted > 0);
            *wanted -= one;
            shared += usize::from(one);
        }
        2000 * shared / (shared + self.wanted).max(1)
    }

    /// Puts nothing into the window.
    fn begin(&mut self) {
        (self.window, self.inside, self.shared) = (0..0, 0..0, 0);
        for (_, held) in &mut self.counts {
            *held = 0;
        }
    }

    /// Moves the window, which has to go forward, to these letters: how much they have in common with what is wanted.
    fn likeness_of(&mut self, letters: Range<usize>) -> usize {
        let Self { counts, text, inside, shared, .. } = self;
        // The last letter has none behind it.
        self.window = letters.start..letters.end.saturating_sub(1).max(letters.start);
        let is_before = |at: &u32, letter: usize| (*at as usize) < letter;
        while let Some((number, at)) = text.get(inside.start)
            && is_before(at, self.window.start)
        {
            if inside.start < inside.end {
                let (wanted, held) = &mut counts[usize::from(*number)];
                *held -= 1;
                *shared -= usize::from(*held < *wanted);
            }
            inside.start += 1;
        }
        inside.end = inside.end.max(inside.start);
        while let Some((number, at)) = text.get(inside.end)
            && is_before(at, self.window.end)
        {
            let (wanted, held) = &mut counts[usize::from(*number)];
            *shared += usize::from(*held < *wanted);
            *held += 1;
            inside.end += 1;
        }
        2000 * *shared / (self.window.len() + self.wanted).max(1)
    }
}

fn plain(one: char, next: char) -> Option<usize> {
    (one.is_ascii() && next.is_ascii()).then_some((one as usize) << 7 | next as usize)
}

/// The letters of a text without regard to case.
fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The same by comparing every stretch with all that is wanted.
    pub(crate) fn slowly(text: &str, wanted: &str) -> Option<Like> {
        let stripped = tags::strip(wanted);
        let needle = if stripped.is_empty() { wanted } else { stripped.as_str() };
        let fold = |token: &str| token.to_lowercase();
        let all =
            |text: &str| -> Vec<String> { tokens(text).into_iter().map(|at| text[at].to_owned()).collect() };
        let words: BTreeSet<String> =
            all(needle).iter().filter(|token| token.len() > 1).map(|token| fold(token)).collect();
        let ours = tokens(text);
        let width = tokens(needle).len().min(ours.len());
        if width == 0 {
            return None;
        }
        let windows = || ours.windows(width).map(|window| window[0].start..window[width - 1].end);
        let best = |score: &dyn Fn(&str) -> usize| {
            let mut best: Option<(usize, Range<usize>)> = None;
            for range in windows() {
                let score = score(&text[range.clone()]);
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((score, range));
                }
            }
            best.unwrap()
        };
        let (score, range) =
            best(&|found| all(found).iter().filter(|token| words.contains(&fold(token))).count());
        let most_words = (!words.is_empty() && score * 3 >= words.len()).then_some(range);
        let (similar, range) = best(&|found| likeness(found, needle));
        let most_letters = (similar >= LEAST).then_some(range);
        let wanted = |index: &usize| words.contains(&fold(&text[ours[*index].clone()]));
        let hits: Vec<usize> = (0..ours.len()).filter(wanted).collect();
        let mut spread: Option<(usize, usize, Range<usize>)> = None;
        for (index, start) in hits.iter().enumerate() {
            let mut met = BTreeSet::new();
            for end in hits.iter().skip(index).filter(|end| **end - start < 2 * tokens(needle).len() + 4) {
                met.insert(fold(&text[ours[*end].clone()]));
                let better = |(most, length, _): &(usize, usize, _)| {
                    met.len() > *most || met.len() == *most && end - start < *length
                };
                if spread.as_ref().is_none_or(better) {
                    spread = Some((met.len(), end - start, ours[*start].start..ours[*end].end));
                }
            }
        }
        let spread = spread
            .filter(|(different, ..)| *different > 1 && different * 3 >= words.len())
            .filter(|_| words.len() <= MOST_SPREAD)
            .map(|(.., range)| range);
        let mut best: Option<Like> = None;
        for range in [most_words, most_letters, spread].into_iter().flatten() {
            let found = &text[range.clone()];
            let start = range.start + found.len() - found.trim_start().len();
            let range = start..start + found.trim().len();
            let likeness = likeness(&text[range.clone()], needle);
            if best.as_ref().is_none_or(|best| likeness > best.likeness) {
                best = Some(Like { likeness, range });
            }
        }
        best
    }

    #[test]
    fn what_was_left_out_of_a_quotation_is_shown() {
        let text = "Each invoice is due within thirty (30) days of its date; disputes within five days.";
        for (wanted, found) in [
            ("within thirty days", "within thirty (30) days"),
            ("within days", "within five days"),
            ("thirty (30) days", "thirty (30) days"),
            ("five dayz", "five days"),
        ] {
            let like = Near::to(wanted).in_text(text, None).expect("near");
            assert_eq!(&text[like.range], found);
        }
    }

    fn likeness(one: &str, other: &str) -> usize {
        let pairs = |text: &str| -> Vec<(char, char)> {
            let letters: Vec<char> = lower(text).take(LETTERS).collect();
            letters.iter().copied().zip(letters.iter().copied().skip(1)).collect()
        };
        let (mine, mut left) = (pairs(one), pairs(other));
        let all = mine.len() + left.len();
        let shared = mine.iter().filter(|pair| {
            let at = left.iter().position(|other| other == *pair);
            at.map(|at| left.swap_remove(at)).is_some()
        });
        2000 * shared.count() / all.max(1)
    }

    /// Texts in which much is the same, and some is not.
    pub(crate) fn sentence() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            8 => prop::sample::select(vec![
                "the", "Tenant", "tenant", "shall", "pay", "rent", "within", "30", "days", "Landlord", "may", "notice",
                "of", "agreement", "Agrement", "cafe\u{301}", "caf\u{e9}", "STRASSE", "stra\u{df}e", "\u{4f4f}\u{623f}",
                "\u{3a3}\u{39f}\u{3a3}", "\u{130}x", "don't", "1,000.50", "a_b", "<b>bold</b>",
            ]).prop_map(str::to_owned),
            2 => "[a-zA-Z]{1,12}",
            1 => "[a-c]{150,450}",
            1 => "\\PC{0,4}",
        ];
        let between = prop::sample::select(vec![" ", " ", " ", "  ", ", ", ". ", "\t", "-", "\u{a0}", ""]);
        prop::collection::vec((word, between), 0..40)
            .prop_map(|words| words.into_iter().map(|(word, between)| word + between).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_nearest_is_the_one_that_is_found_slowly(
            text in sentence(),
            long in prop::collection::vec(sentence(), 0..6),
            wanted in sentence(),
            known in prop::option::of(0usize..1100),
        ) {
            for text in [&text, &long.concat()] {
                for wanted in [&wanted, &wanted.chars().take(30).collect::<String>()] {
                    let slowly = slowly(text, wanted);
                    let mut near = Near::to(wanted);
                    prop_assert_eq!(&near.in_text(text, None), &slowly);
                    let better = slowly.filter(|like| known.is_none_or(|known| like.likeness > known));
                    prop_assert_eq!(near.in_text(text, known), better);
                }
            }
        }
    }
}

//! Words of one step, eaten phrase by phrase.
//!
//! Phrases that may stand anywhere ("in the selection", "whole word only") are taken out first; what is left
//! must then match the sentence's own pattern to the last word.

use crate::token::{Kind, Token};

#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    items: Vec<Kind>,
}

impl Words {
    pub(crate) fn new(tokens: &[Token]) -> Self {
        Self { items: tokens.iter().map(|token| token.kind.clone()).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn drop_politeness(&mut self) {
        let fronts: &[&[&str]] = &[
            &["please"],
            &["kindly"],
            &["now"],
            &["also"],
            &["next"],
            &["finally"],
            &["first", ","],
            &["can", "you"],
            &["could", "you"],
            &["would", "you"],
            &["i", "want", "to"],
            &["i", "want", "you", "to"],
            &["i'd", "like", "to"],
            &["let's"],
            &[","],
        ];
        while fronts.iter().any(|front| self.eat(front)) {}
        while self.eat_last(&["please"]) || self.eat_last(&["thanks"]) || self.eat_last(&[","]) {}
    }

    /// Take these words from the front, if they stand there.
    pub(crate) fn eat(&mut self, words: &[&str]) -> bool {
        let found = self.matches_at(0, words);
        if found {
            self.items.drain(..words.len());
        }
        found
    }

    /// Take the longest of these from the front, so that their order does not matter.
    pub(crate) fn eat_any(&mut self, alternatives: &[&[&str]]) -> bool {
        let fitting = alternatives.iter().rev().filter(|words| self.matches_at(0, words));
        let longest = fitting.max_by_key(|words| words.len());
        longest.is_some_and(|words| self.eat(words))
    }

    fn eat_last(&mut self, words: &[&str]) -> bool {
        let Some(at) = self.items.len().checked_sub(words.len()) else { return false };
        let found = self.matches_at(at, words);
        if found {
            self.items.truncate(at);
        }
        found
    }

    /// Take these words out, wherever they stand.
    pub(crate) fn take(&mut self, words: &[&str]) -> bool {
        match self.position(words) {
            Some(at) => {
                self.items.drain(at..at + words.len());
                true
            }
            None => false,
        }
    }

    /// Take the longest of these out, wherever it stands.
    pub(crate) fn take_any(&mut self, alternatives: &[&[&str]]) -> bool {
        let fitting = alternatives.iter().rev().filter(|words| self.position(words).is_some());
        let longest = fitting.max_by_key(|words| words.len());
        longest.is_some_and(|words| self.take(words))
    }

    /// "In the selection, replace …": what stands before the comma goes to the end, where it is looked for.
    pub(crate) fn turn_round(&mut self) {
        let leads = self.clone().eat_any(&[&["in"], &["for"], &["throughout"], &["within"]]);
        let comma = self.items.iter().position(|item| *item == Kind::Mark(','));
        if let (true, Some(comma @ 1..=6)) = (leads, comma) {
            let mut rest = self.items.split_off(comma);
            rest.remove(0);
            rest.append(&mut self.items);
            self.items = rest;
        }
    }

    /// Commas at both ends, which are left when phrases were taken out.
    pub(crate) fn trim_commas(&mut self) {
        while self.eat(&[","]) || self.eat_last(&[","]) {}
    }

    /// Cut at these words: what stands before them stays, what follows is returned. The last place wins.
    pub(crate) fn cut_last(&mut self, words: &[&str]) -> Option<Words> {
        let at = (0..self.items.len()).rev().find(|at| self.matches_at(*at, words))?;
        let items = self.items.split_off(at);
        Some(Words { items: items[words.len()..].to_vec() })
    }

    /// As [`Words::cut_last`], at the first place.
    pub(crate) fn cut_first(&mut self, words: &[&str]) -> Option<Words> {
        let at = self.position(words)?;
        let items = self.items.split_off(at);
        Some(Words { items: items[words.len()..].to_vec() })
    }

    pub(crate) fn position(&self, words: &[&str]) -> Option<usize> {
        (0..self.items.len()).find(|at| self.matches_at(*at, words))
    }

    fn matches_at(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(index, wanted)| match self.items.get(at + index) {
            Some(Kind::Word(word)) => word.eq_ignore_ascii_case(wanted),
            Some(Kind::Mark(mark)) => wanted.chars().eq([*mark]),
            _ => false,
        })
    }

    pub(crate) fn has_quotation(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Kind::Quoted(_)))
    }

    /// The next item, if it is a quotation.
    pub(crate) fn quotation(&mut self) -> Option<String> {
        match self.items.first() {
            Some(Kind::Quoted(text)) => {
                let text = text.clone();
                self.items.remove(0);
                Some(text)
            }
            _ => None,
        }
    }

    /// The next word that satisfies `wanted`, as written.
    pub(crate) fn word_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        match self.items.first() {
            Some(Kind::Word(word)) if wanted(word) => {
                let word = word.clone();
                self.items.remove(0);
                Some(word)
            }
            _ => None,
        }
    }

    /// The first word anywhere that `read` makes something of; the word is taken out.
    pub(crate) fn find_map<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, found) = self.items.iter().enumerate().find_map(|(at, item)| match item {
            Kind::Word(word) => Some((at, read(word)?)),
            _ => None,
        })?;
        self.items.remove(at);
        Some(found)
    }

    /// As [`Words::find_map`]; a word of `leads` right before it is taken out with it.
    pub(crate) fn find_map_after<T>(
        &mut self,
        leads: &[&[&str]],
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let (at, found) = self.items.iter().enumerate().find_map(|(at, item)| match item {
            Kind::Word(word) => Some((at, read(word)?)),
            _ => None,
        })?;
        self.items.remove(at);
        if let Some(before) = at.checked_sub(1)
            && leads.iter().any(|lead| self.matches_at(before, lead))
        {
            self.items.remove(before);
        }
        Some(found)
    }

    /// Two words around `middle`, read together and taken out.
    pub(crate) fn around<T>(&mut self, middle: &[&str], read: impl Fn(&str, &str) -> Option<T>) -> Option<T> {
        let at = self.position(middle)?;
        let left = at.checked_sub(1)?;
        let right = at + middle.len();
        let found = match (self.items.get(left), self.items.get(right)) {
            (Some(Kind::Word(left)), Some(Kind::Word(right))) => read(left, right)?,
            _ => return None,
        };
        self.items.drain(left..=right);
        Some(found)
    }

    /// The number right before one of `nouns`; both are taken out.
    pub(crate) fn number_before(&mut self, nouns: &[&str]) -> Option<usize> {
        let at = nouns.iter().find_map(|noun| self.position(&[noun]))?;
        let before = at.checked_sub(1)?;
        let mut number = Words { items: vec![self.items.get(before)?.clone()] };
        let found = number.number()?;
        self.items.drain(before..=at);
        Some(found)
    }

    /// The measure right before these words, such as `200pt` before `wide`; both are taken out.
    pub(crate) fn measure_before<T>(
        &mut self,
        words: &[&str],
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let at = self.position(words)?;
        let before = at.checked_sub(1)?;
        let found = match self.items.get(before)? {
            Kind::Word(word) => read(word)?,
            _ => return None,
        };
        self.items.drain(before..at + words.len());
        Some(found)
    }

    /// "nothing", "an empty string": no text at all.
    pub(crate) fn is_nothing(&self) -> bool {
        let phrases: [&[&str]; 5] = [
            &["nothing"],
            &["an", "empty", "string"],
            &["empty", "text"],
            &["no", "text"],
            &["empty", "string"],
        ];
        phrases.iter().any(|phrase| self.len() == phrase.len() && self.matches_at(0, phrase))
    }

    /// Whether the words go: articles, an optional count, then this noun.
    pub(crate) fn count_then(mut self, noun: &str) -> bool {
        self.drop_articles();
        self.number();
        self.eat_any(&[&["new"], &["more"]]);
        self.eat(&[noun])
    }

    pub(crate) fn push_front(&mut self, word: &str) {
        self.items.insert(0, Kind::Word(word.to_owned()));
    }

    pub(crate) fn append(&mut self, tail: Words) {
        self.items.extend(tail.items);
    }

    /// A whole number at the front: digits or a small number word.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let word = self.word_if(|word| number(word).is_some())?;
        number(&word)
    }

    /// An ordinal at the front, as an index from 0: `first` and `1st` are 0, so is `header`.
    pub(crate) fn ordinal(&mut self) -> Option<usize> {
        let word = self.word_if(|word| ordinal(word).is_some())?;
        ordinal(&word)
    }

    /// Several ordinals: `second`, `first and third`, `1st, 2nd and 4th`.
    pub(crate) fn ordinals(&mut self) -> Option<Vec<usize>> {
        let mut found = vec![self.ordinal()?];
        loop {
            let mut ahead = self.clone();
            if !ahead.eat_any(&[&[",", "and"], &["and"], &[","]]) {
                return Some(found);
            }
            ahead.eat(&["the"]);
            let Some(next) = ahead.ordinal() else { return Some(found) };
            *self = ahead;
            found.push(next);
        }
    }

    /// A list of names: quotations or plain words, with commas and `and` between them.
    pub(crate) fn names(self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let mut name = Words::default();
        for item in self.items {
            let between = match &item {
                Kind::Mark(',') => true,
                Kind::Word(word) => word.eq_ignore_ascii_case("and"),
                _ => false,
            };
            match between {
                // ", and" has nothing between the two.
                true if name.is_empty() => {}
                true => names.push(std::mem::take(&mut name).rest_as_text()?),
                false => name.items.push(item),
            }
        }
        names.push(name.rest_as_text()?);
        Some(names)
    }

    /// Several whole numbers: `1`, `1 and 3`, `1, 2 and 4`, `2-4`, `2 to 4`.
    pub(crate) fn numbers(&mut self) -> Option<Vec<usize>> {
        let mut numbers = Vec::new();
        loop {
            let range = self.word_if(|word| span(word).is_some());
            if let Some((low, high)) = range.as_deref().and_then(span) {
                numbers.extend(low..=high);
            } else {
                let low = self.number()?;
                let high = if self.eat(&["to"]) || self.eat(&["through"]) { self.number()? } else { low };
                if high < low || high - low > 10_000 {
                    return None;
                }
                numbers.extend(low..=high);
            }
            let more = self.eat(&[",", "and"]) || self.eat(&["and"]) || self.eat(&[","]);
            if !more {
                return Some(numbers);
            }
        }
    }

    /// All that is left, as the text it stands for: one quotation, or plain words.
    pub(crate) fn rest_as_text(self) -> Option<String> {
        match self.items.as_slice() {
            [] => None,
            [Kind::Quoted(text)] => Some(text.clone()),
            items => {
                let mut text = String::new();
                for item in items {
                    match item {
                        Kind::Word(word) => {
                            if !text.is_empty() && !text.ends_with(['(', '!']) {
                                text.push(' ');
                            }
                            text.push_str(word);
                        }
                        Kind::Mark(mark) => {
                            if *mark == '(' && !text.is_empty() {
                                text.push(' ');
                            }
                            text.push(*mark);
                        }
                        // Quotations amid plain words: the sentence is more complicated than it looks.
                        Kind::Quoted(_) | Kind::Break => return None,
                    }
                }
                Some(text)
            }
        }
    }

    /// Nothing may be left: every word must have been understood.
    pub(crate) fn done(self) -> Result<(), String> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(format!("I did not understand `{}`", self.shown())),
        }
    }

    pub(crate) fn shown(&self) -> String {
        let words: Vec<String> = self
            .items
            .iter()
            .map(|item| match item {
                Kind::Word(word) => word.clone(),
                Kind::Quoted(text) => format!("'{text}'"),
                Kind::Mark(mark) => mark.to_string(),
                Kind::Break => String::new(),
            })
            .collect();
        words.join(" ")
    }

    pub(crate) fn drop_articles(&mut self) {
        while self.eat_any(&[&["the"], &["a"], &["an"], &["all"], &["every"], &["each"], &["of"]]) {}
    }
}

fn ordinal(word: &str) -> Option<usize> {
    if let Some(index) = ORDINALS.iter().position(|name| word.eq_ignore_ascii_case(name)) {
        return Some(index);
    }
    if word.eq_ignore_ascii_case("header") {
        return Some(0);
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
    digits.parse::<usize>().ok()?.checked_sub(1)
}

pub(crate) const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Digits, or a small number word.
pub(crate) fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    word.parse().ok().or_else(|| WORDS.iter().position(|name| word.eq_ignore_ascii_case(name)))
}

fn span(word: &str) -> Option<(usize, usize)> {
    let (low, high) = word.split_once('-')?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high && high - low <= 10_000).then_some((low, high))
}

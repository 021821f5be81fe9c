//! Words of one step, eaten phrase by phrase.
//!
//! Phrases that may stand anywhere ("in the selection", "whole word only") are taken out first; what is left
//! must then match the sentence's own pattern to the last word.

use crate::token::{Kind, Token};

mod texts;

use texts::BEGINNERS;
pub(crate) use texts::is_beginner;

#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    items: Vec<Kind>,
    /// Whether rows and columns are counted from 0, as the operations do.
    pub(crate) from_zero: bool,
    /// What stood between backticks, which are code where a document has some.
    code: Vec<String>,
    /// Which way a number is to go, by the verb that was said.
    pub(crate) towards: Option<crate::Towards>,
}

impl Words {
    pub(crate) fn new(tokens: &[Token]) -> Self {
        let code = tokens.iter().filter(|token| token.code).filter_map(|token| match &token.kind {
            Kind::Quoted(text) => Some(text.clone()),
            _ => None,
        });
        Self {
            items: tokens.iter().map(|token| token.kind.clone()).collect(),
            from_zero: false,
            code: code.collect(),
            towards: None,
        }
    }

    fn with(&self, items: Vec<Kind>) -> Self {
        Self { items, from_zero: self.from_zero, code: self.code.clone(), towards: self.towards }
    }

    /// Whether a text stood between backticks.
    pub(crate) fn is_code(&self, text: &str) -> bool {
        self.code.iter().any(|code| code == text)
    }

    /// Whether the numbers of the sentence are the operations': it names a table or range by its id, or a row 0.
    pub(crate) fn counts_from_zero(&self) -> bool {
        let speaks_of_ids = self.items.iter().any(|item| match item {
            Kind::Word(word) => word.starts_with("tableId:") || word.starts_with("rangeId:"),
            _ => false,
        });
        let zero = |at: usize| matches!(self.items.get(at), Some(Kind::Word(word)) if word == "0");
        let counted = (0..self.items.len()).any(|at| {
            ["row", "rows", "column", "columns", "col", "(", ","]
                .iter()
                .any(|lead| self.matches_at(at, &[lead]))
                && zero(at + 1)
        });
        speaks_of_ids || counted
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// As [`Words::eat_any`], with the alternatives written in one line: `in the|in|within`.
    pub(crate) fn eats(&mut self, alternatives: &str) -> bool {
        let longest = self.longest(alternatives, |words| self.matches_at(0, words));
        if let Some(length) = longest {
            self.items.drain(..length);
        }
        longest.is_some()
    }

    /// Whether one of these stands at the front.
    pub(crate) fn begins(&self, alternatives: &str) -> bool {
        self.longest(alternatives, |words| self.matches_at(0, words)).is_some()
    }

    pub(crate) fn eats_last(&mut self, alternatives: &str) -> bool {
        let at_end = |words: &[&str]| {
            self.items.len().checked_sub(words.len()).is_some_and(|at| self.matches_at(at, words))
        };
        let longest = self.longest(alternatives, at_end);
        if let Some(length) = longest {
            self.items.truncate(self.items.len() - length);
        }
        longest.is_some()
    }

    /// How many words the longest of the fitting alternatives has.
    fn longest(&self, alternatives: &str, fits: impl Fn(&[&str]) -> bool) -> Option<usize> {
        let fitting = alternatives.split('|').map(|phrase| phrase.split_whitespace().collect::<Vec<_>>());
        fitting.filter(|words| !words.is_empty() && fits(words)).map(|words| words.len()).max()
    }

    /// Cut at the first of these: what stands before stays, what follows is returned.
    pub(crate) fn cut(&mut self, alternatives: &str) -> Option<Words> {
        let at = |at: usize| {
            let length = self.longest(alternatives, |words| self.matches_at(at, words))?;
            Some((at, length))
        };
        let (at, length) = (0..self.items.len()).find_map(at)?;
        let items = self.items.split_off(at);
        Some(self.with(items.into_iter().skip(length).collect()))
    }

    /// The words from `at` on; the others stay.
    pub(crate) fn split_at(&self, at: usize) -> (Words, Words) {
        let (head, tail) = self.items.split_at(at.min(self.items.len()));
        (self.with(head.to_vec()), self.with(tail.to_vec()))
    }

    /// "Turn on track changes", as a part of its own.
    pub(crate) fn turns_on_tracking(&self) -> bool {
        let mut words = self.clone();
        words.eats("turn on|switch on|enable|activate|turn")
            && words.eats("track changes|tracked changes|tracking|change tracking|the tracking of changes")
            && (words.is_empty() || words.eats("on") && words.is_empty())
    }

    /// "Row 2 and row 3" as "rows 2 and 3".
    pub(crate) fn joins(&mut self, one: &str, many: &str) {
        let number =
            |item: Option<&Kind>| matches!(item, Some(Kind::Word(word)) if word.parse::<usize>().is_ok());
        let is = |words: &Self, at: usize, word: &str| words.matches_at(at, &[word]);
        let mut at = 0;
        while at + 4 < self.items.len() {
            let first = is(self, at, one) || is(self, at, many);
            let second = is(self, at + 3, one) || is(self, at + 3, many);
            if first
                && number(self.items.get(at + 1))
                && is(self, at + 2, "and")
                && second
                && number(self.items.get(at + 4))
            {
                self.items[at] = Kind::Word(many.to_owned());
                self.items.remove(at + 3);
            }
            at += 1;
        }
    }

    /// The same words for each of several clauses that are named in one place: "in clauses 2 and 4".
    pub(crate) fn each_of(&self, many: &[&str], one: &str) -> Option<Vec<Words>> {
        let label = |item: Option<&Kind>| match item {
            Some(Kind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => Some(word.clone()),
            _ => None,
        };
        let at = many.iter().find_map(|noun| self.position(&[noun]))?;
        let mut labels = vec![label(self.items.get(at + 1))?];
        let mut end = at + 2;
        loop {
            let comma = self.items.get(end) == Some(&Kind::Mark(','));
            let next = end + usize::from(comma);
            let next = next + usize::from(self.matches_at(next, &["and"]));
            if next == end {
                break;
            }
            let Some(more) = label(self.items.get(next)) else { break };
            labels.push(more);
            end = next + 1;
        }
        (labels.len() > 1).then_some(())?;
        let copy = |label: &String| {
            let mut items = self.items[..at].to_vec();
            items.extend([Kind::Word(one.to_owned()), Kind::Word(label.clone())]);
            items.extend_from_slice(&self.items[end..]);
            self.with(items)
        };
        Some(labels.iter().map(copy).collect())
    }

    /// The next word as written, whatever it is.
    pub(crate) fn word(&mut self) -> Option<String> {
        self.word_if(|_| true)
    }

    /// The words outside quotation marks.
    pub(crate) fn plain_words(&self) -> Vec<String> {
        let words = self.items.iter().filter_map(|item| match item {
            Kind::Word(word) => Some(word.clone()),
            _ => None,
        });
        words.collect()
    }

    /// Whether lines are named by their number: row 3, clause 2.1, step 4, B5.
    pub(crate) fn counts_lines(&self) -> bool {
        const NOUNS: [&str; 20] = [
            "row",
            "rows",
            "column",
            "columns",
            "clause",
            "clauses",
            "section",
            "sections",
            "paragraph",
            "paragraphs",
            "step",
            "steps",
            "item",
            "items",
            "bullet",
            "bullets",
            "line",
            "lines",
            "cell",
            "cells",
        ];
        let noun = |word: &str| NOUNS.iter().any(|noun| word.eq_ignore_ascii_case(noun));
        let word = |at: usize| match self.items.get(at) {
            Some(Kind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        (0..self.items.len()).any(|at| {
            let here = word(at).unwrap_or_default();
            let next = word(at + 1).unwrap_or_default();
            let by_number = noun(here) && (next.starts_with(|c: char| c.is_ascii_digit()) || next.len() == 1);
            let by_place = noun(next)
                && (ordinal(here).is_some_and(|_| !here.eq_ignore_ascii_case("header"))
                    || here.eq_ignore_ascii_case("last"));
            let letters = here.chars().take_while(char::is_ascii_uppercase).count();
            let address = (1..=3).contains(&letters)
                && here.len() > letters
                && here[letters..].chars().all(|c| c.is_ascii_digit());
            by_number || by_place || address
        })
    }

    /// Whether a step can begin here.
    pub(crate) fn begins_step(&self) -> bool {
        matches!(self.items.first(), Some(Kind::Word(word)) if crate::split::begins_step(word))
    }

    pub(crate) fn peek(&self) -> Option<&Kind> {
        self.items.first()
    }

    /// A name at the front: a quotation, words with capitals ("Terms of Payment"), or a word that is the last one.
    pub(crate) fn name(&mut self) -> Option<String> {
        if let Some(text) = self.quotation() {
            return Some(text);
        }
        let capital = |item: Option<&Kind>| match item {
            Some(Kind::Word(word)) => word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()),
            _ => false,
        };
        let joins = |item: Option<&Kind>| match item {
            Some(Kind::Word(word)) => matches!(word.as_str(), "of" | "and" | "for" | "the" | "to" | "&"),
            _ => false,
        };
        let mut length = 0;
        while capital(self.items.get(length)) {
            length += 1;
            while joins(self.items.get(length)) && capital(self.items.get(length + 1)) {
                length += 2;
            }
        }
        let alone = self.items.len() == 1
            && matches!(self.items.first(), Some(Kind::Word(word)) if {
                let lower = word.to_lowercase();
                !BEGINNERS.contains(&lower.as_str())
                    && !["the", "a", "an", "all", "both", "every", "each", "one", "everything", "something", "my", "our"].contains(&lower.as_str())
            });
        if length == 0 && alone {
            length = 1;
        }
        if length == 0 {
            return None;
        }
        let (name, rest) = self.split_at(length);
        let name = name.rest_as_text()?;
        *self = rest;
        Some(name)
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

    /// Cut at these words: what stands before them stays, what follows is returned. The last place wins.
    pub(crate) fn cut_last(&mut self, words: &[&str]) -> Option<Words> {
        let at = (0..self.items.len()).rev().find(|at| self.matches_at(*at, words))?;
        let items = self.items.split_off(at);
        Some(self.with(items[words.len()..].to_vec()))
    }

    /// As [`Words::cut_last`], at the first place.
    pub(crate) fn cut_first(&mut self, words: &[&str]) -> Option<Words> {
        let at = self.position(words)?;
        let items = self.items.split_off(at);
        Some(self.with(items[words.len()..].to_vec()))
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
        let mut number = self.with(vec![self.items.get(before)?.clone()]);
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

    pub(crate) fn push_quoted(&mut self, text: &str) {
        self.items.push(Kind::Quoted(text.to_owned()));
    }

    pub(crate) fn push_back(&mut self, word: &str) {
        self.items.push(Kind::Word(word.to_owned()));
    }

    pub(crate) fn push_mark(&mut self, mark: char) {
        self.items.push(Kind::Mark(mark));
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

    /// What stands between commas and `and`.
    pub(crate) fn parts(self) -> Vec<Words> {
        let mut parts = vec![Words::default()];
        for item in self.items {
            let between = match &item {
                Kind::Mark(',' | '|' | ';') => true,
                Kind::Word(word) => word.eq_ignore_ascii_case("and"),
                _ => false,
            };
            match (between, parts.last_mut()) {
                (true, Some(last)) if !last.is_empty() => parts.push(Words::default()),
                (false, Some(last)) => last.items.push(item),
                _ => {}
            }
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The texts of cells, with commas between them: quotations, or words that end nothing.
    pub(crate) fn cells(self) -> Option<Vec<String>> {
        let mut cells = Vec::new();
        let mut cell = Words::default();
        for item in self.items {
            match item {
                Kind::Mark(',' | '|') => cells.push(std::mem::take(&mut cell).value().ok()?),
                item => cell.items.push(item),
            }
        }
        // "A, B and C": the last comma may be a word.
        if !cells.is_empty() {
            let mut first = cell.clone();
            if first.eats("and") {
                cell = first;
            } else if let Some(last) = first.cut("and") {
                cells.push(first.value().ok()?);
                cell = last;
            }
        }
        cells.push(cell.value().ok()?);
        Some(cells)
    }

    /// Several whole numbers: `1`, `1 and 3`, `1, 2 and 4`, `2-4`, `2 to 4`. What follows them stays.
    pub(crate) fn numbers(&mut self) -> Option<Vec<usize>> {
        let mut numbers = Vec::new();
        loop {
            let range = self.word_if(|word| span(word).is_some());
            if let Some((low, high)) = range.as_deref().and_then(span) {
                numbers.extend(low..=high);
            } else {
                let low = self.number()?;
                let mut ahead = self.clone();
                let high = ahead.eats("to|through|until").then(|| ahead.number()).flatten();
                let high = match high {
                    Some(high) => {
                        *self = ahead;
                        high
                    }
                    None => low,
                };
                if high < low || high - low > 10_000 {
                    return None;
                }
                numbers.extend(low..=high);
            }
            let mut ahead = self.clone();
            if !ahead.eats(", and|and|,") || ahead.clone().number().is_none() {
                return Some(numbers);
            }
            *self = ahead;
        }
    }

    /// Pairs of quotations that one verb stands before: `"a" with "b" and "c" with "d"`, if there are several.
    pub(crate) fn pairs(&self, by: &[&str]) -> Option<Vec<Words>> {
        let mut pairs = Vec::new();
        let mut items = self.items.get(1..)?.iter();
        loop {
            let (Some(from @ Kind::Quoted(_)), Some(Kind::Word(lead)), Some(to @ Kind::Quoted(_))) =
                (items.next(), items.next(), items.next())
            else {
                return None;
            };
            if !by.iter().any(|by| lead.eq_ignore_ascii_case(by)) {
                return None;
            }
            let verb = self.items.first()?.clone();
            pairs.push(self.with(vec![verb, from.clone(), Kind::Word(lead.clone()), to.clone()]));
            match (items.next(), items.as_slice().first()) {
                (None, _) => return (pairs.len() > 1).then_some(pairs),
                (Some(Kind::Mark(',')), Some(Kind::Word(and))) if and.eq_ignore_ascii_case("and") => {
                    items.next();
                }
                (Some(Kind::Mark(',')), _) => {}
                (Some(Kind::Word(and)), _) if and.eq_ignore_ascii_case("and") => {}
                _ => return None,
            }
        }
    }

    /// Whether a sentence leads to its end in a place: "in clause 2, …".
    pub(crate) fn leading_place(&self) -> Option<(Words, Words)> {
        if !self.begins("in|within|under|inside|throughout") {
            return None;
        }
        let comma = self.items.iter().position(|item| *item == Kind::Mark(','))?;
        let (place, rest) = self.split_at(comma);
        let (_, rest) = rest.split_at(1);
        Some((place, rest))
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
                            if matches!(mark, '(' | '&') && !text.is_empty() {
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
        let mut text = String::new();
        for item in &self.items {
            let (word, glued) = match item {
                Kind::Word(word) => (word.clone(), false),
                Kind::Quoted(quoted) => (format!("'{quoted}'"), false),
                Kind::Mark(mark) => (mark.to_string(), !matches!(mark, '(' | '[' | '&' | '=' | '<' | '>')),
                Kind::Break => (String::new(), false),
            };
            if !text.is_empty() && !glued && !text.ends_with(['(', '[']) {
                text.push(' ');
            }
            text.push_str(&word);
        }
        text
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

//! Marks that a rewritten text keeps: notes, the ends of comments and bookmarks.
//!
//! A mark stays behind the word that it follows (or before the one that it precedes) where the new text has that word,
//! and else where its clause ends. The caller may also say where, with the mark as a page shows it. A note whose place
//! cannot be told is not moved to another word: the edit is refused.

use std::borrow::Cow;
use std::ops::Range;

use edit::{Cut, Refusal};

use crate::edits::anatomy::Anatomy;
use crate::edits::rewrite::{self, Act, Place};
use crate::text::tags::Tagged;
use crate::text::tokens::{compare_words, is_word, tokens};

/// A change of more words than this rewrites its clause; in a smaller one the new words stand where the old ones stood.
const FEW: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// The reference of a footnote or endnote.
    Note,
    /// The end of a comment or a bookmark, and the sign of a comment.
    Closing,
    /// The start of a comment or a bookmark.
    Opening,
}

/// A mark between the characters of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    /// In [`Anatomy::text`]; empty where the text does not show it.
    pub(crate) at: Range<usize>,
    pub(crate) atom: usize,
    /// How a page shows it; empty for what no page shows.
    pub(crate) label: String,
}

/// What two tokens must share to be the same.
pub(crate) type Key<'k> = &'k dyn for<'t> Fn(&'t str) -> Cow<'t, str>;

/// The acts that take `range` to `new` and leave each mark where it belongs.
pub(crate) fn acts(
    anatomy: &Anatomy<'_>,
    range: &Range<usize>,
    new: &[Tagged],
    key: Key<'_>,
) -> Result<Vec<Act>, Refusal> {
    let old = anatomy.text.part(range.clone());
    let after: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let mut pins = Pins::new(old, &after, key);
    for mark in inside(anatomy, range) {
        pins.add(mark, range.start)?;
    }
    let mut acts = Vec::new();
    let (mut from, mut to) = (0, 0);
    let end = Pin { old: old.len()..old.len(), new: after.len()..after.len(), label: None };
    for pin in pins.settled()?.iter().chain([&end]) {
        let part = slice(new, &(to..pin.new.start));
        let mut some = rewrite::rewrite(old.part(from..pin.old.start), &part, key);
        rewrite::shift(&mut some, range.start + from);
        for act in &mut some {
            match act {
                Act::Put { place, .. } if from > 0 && *place == Place::Between(range.start + from) => {
                    *place = Place::Behind(range.start + from);
                }
                _ => {}
            }
        }
        acts.append(&mut some);
        if !pin.old.is_empty() {
            let old = range.start + pin.old.start..range.start + pin.old.end;
            acts.push(Act::Keep { old, marks: Default::default() });
        }
        (from, to) = (pin.old.end, pin.new.end);
    }
    Ok(acts)
}

/// Refuses where a note would have to pass a field to stay behind its words: `new` is what becomes of `range`, between two
/// fields that stay, and `whole` the new text with all of them.
pub(crate) fn check_order(
    anatomy: &Anatomy<'_>,
    range: &Range<usize>,
    new: &str,
    whole: &str,
) -> Result<(), Refusal> {
    if new.len() == whole.len() {
        return Ok(());
    }
    let old = anatomy.text.part(range.clone());
    let key: Key<'_> = &|token| Cow::Borrowed(token);
    let (here, all) = (Pins::new(old, new, key), Pins::new(old, whole, key));
    for mark in inside(anatomy, range).into_iter().filter(|mark| mark.kind == MarkKind::Note) {
        let at = mark.at.start - range.start..mark.at.end - range.start;
        let Some(word) = here.neighbour(&at, false) else { continue };
        let said = here.said(&mark.label).is_some();
        if !said && here.same_word(word, false).is_none() && all.same_word(word, false).is_some()
            || !said && all.said(&mark.label).is_some()
        {
            return Err(passes(&mark.label, "a field"));
        }
    }
    Ok(())
}

/// The marks that a rewrite of `range` could leave behind another word, those of one place together: the note, if there
/// is one, else what ends there.
fn inside<'a>(anatomy: &'a Anatomy<'_>, range: &Range<usize>) -> Vec<&'a Mark> {
    let rank = |mark: &Mark| match mark.kind {
        MarkKind::Note => 0,
        MarkKind::Closing => 1,
        MarkKind::Opening => 2,
    };
    let mut found: Vec<&Mark> = Vec::new();
    for mark in &anatomy.marks {
        // What stands at an end of the match stays at that end.
        let strictly = range.start < mark.at.start && mark.at.end < range.end;
        if !(strictly || range.start <= mark.at.start && mark.at.end <= range.end && !mark.at.is_empty()) {
            continue;
        }
        match found.last_mut().filter(|last| last.at.is_empty() && last.at == mark.at) {
            Some(last) if mark.label.is_empty() || !last.label.is_empty() => {
                if rank(mark) < rank(last) {
                    *last = mark;
                }
            }
            Some(last) => *last = mark,
            None => found.push(mark),
        }
    }
    found
}

/// A mark in the old text, and its place in the new.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pin {
    old: Range<usize>,
    /// Empty, or the sign that the caller wrote for it.
    new: Range<usize>,
    /// Of a note, for which no other place will do.
    label: Option<String>,
}

struct Pins<'a> {
    old: &'a str,
    new: &'a str,
    old_tokens: Vec<Range<usize>>,
    new_tokens: Vec<Range<usize>>,
    hunks: Vec<crate::text::tokens::Hunk>,
    found: Vec<Pin>,
}

impl<'a> Pins<'a> {
    fn new(old: &'a str, new: &'a str, key: Key<'_>) -> Self {
        let (old_tokens, new_tokens) = (tokens(old), tokens(new));
        let keys = |text: &'a str, tokens: &[Range<usize>]| -> Vec<Cow<'a, str>> {
            tokens.iter().map(|token| Cow::Owned(key(text.part(token.clone())).into_owned())).collect()
        };
        let hunks = compare_words(&keys(old, &old_tokens), &keys(new, &new_tokens));
        Self { old, new, old_tokens, new_tokens, hunks, found: Vec::new() }
    }

    fn add(&mut self, mark: &Mark, base: usize) -> Result<(), Refusal> {
        let old = mark.at.start - base..mark.at.end - base;
        let note = (mark.kind == MarkKind::Note).then(|| mark.label.clone());
        let said = (!mark.label.is_empty()).then(|| self.said(&mark.label)).flatten();
        if let Some(new) = said {
            self.found.push(Pin { old, new, label: Some(mark.label.clone()) });
            return Ok(());
        }
        // A note that was quoted and is not named any more was meant to go, which is for the surgeon to refuse.
        if note.is_some() && !old.is_empty() || self.new.trim().is_empty() {
            return Ok(());
        }
        let opens = mark.kind == MarkKind::Opening;
        let Some(word) = self.neighbour(&old, opens) else { return Ok(()) };
        let place = match self.same_word(word, opens) {
            Some(token) => Some(self.beside(word, token, &old, opens)),
            None if self.is_light(word) => return Ok(()),
            None => self.clause(&old, opens),
        };
        let place = match (place, &note) {
            (Some(place), _) => place,
            (None, Some(label)) => return Err(lost(label, self.old.part(self.token(word)))),
            (None, None) if opens => 0,
            (None, None) => self.new.len(),
        };
        self.found.push(Pin { old, new: place..place, label: note });
        Ok(())
    }

    fn token(&self, index: usize) -> Range<usize> {
        self.old_tokens.get(index).cloned().unwrap_or(0..0)
    }

    /// Where the new text shows a mark as a page does.
    fn said(&self, label: &str) -> Option<Range<usize>> {
        let taken = |at: usize| self.found.iter().any(|pin| pin.new.start <= at && at < pin.new.end);
        let (at, _) = self.new.match_indices(label).find(|(at, _)| !taken(*at))?;
        Some(at..at + label.len())
    }

    /// The word that a mark follows, or precedes.
    fn neighbour(&self, mark: &Range<usize>, opens: bool) -> Option<usize> {
        let word = |token: &Range<usize>| self.old.get(token.clone()).is_some_and(is_word);
        match opens {
            true => self.old_tokens.iter().position(|token| token.start >= mark.end && word(token)),
            false => self.old_tokens.iter().rposition(|token| token.end <= mark.start && word(token)),
        }
    }

    /// The token of the new text that is this word of the old one: the one with most of the same words around it.
    fn same_word(&self, word: usize, opens: bool) -> Option<usize> {
        let said = self.old.part(self.token(word)).to_lowercase();
        let candidates: Vec<usize> = (0..self.new_tokens.len())
            .filter(|index| self.new_word(*index).is_some_and(|new| new == said))
            .collect();
        let telling = said.chars().count() > 3
            || self.old.part(self.token(word)).contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let mut best: Option<((usize, usize, bool), usize)> = None;
        for candidate in candidates {
            let (before, behind) = (self.shared(word, candidate, false), self.shared(word, candidate, true));
            let near = if opens { behind } else { before };
            if !telling && near == 0 {
                continue;
            }
            let score = (near, before + behind, self.is_kept(word, candidate));
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    fn new_word(&self, index: usize) -> Option<String> {
        let said = self.new.get(self.new_tokens.get(index)?.clone())?;
        is_word(said).then(|| said.to_lowercase())
    }

    /// How many words in a row are the same beside an old one and a new one.
    fn shared(&self, old: usize, new: usize, behind: bool) -> usize {
        let words = |text: &str, all: &[Range<usize>], at: usize| -> Vec<String> {
            let side: Vec<&Range<usize>> = match behind {
                true => all.iter().skip(at + 1).collect(),
                false => all.iter().take(at).rev().collect(),
            };
            let said = side.into_iter().filter_map(|token| text.get(token.clone()));
            said.filter(|said| is_word(said)).take(5).map(str::to_lowercase).collect()
        };
        let (old, new) = (words(self.old, &self.old_tokens, old), words(self.new, &self.new_tokens, new));
        old.iter().zip(&new).take_while(|(one, other)| one == other).count()
    }

    /// Whether the plain comparison takes the one for the other.
    fn is_kept(&self, old: usize, new: usize) -> bool {
        let hunk = self.hunks.iter().find(|hunk| hunk.old.contains(&old));
        hunk.is_some_and(|hunk| hunk.same && hunk.new.start + (old - hunk.old.start) == new)
    }

    /// Whether a word is one of a few that are replaced.
    fn is_light(&self, word: usize) -> bool {
        let Some(hunk) = self.hunks.iter().find(|hunk| hunk.old.contains(&word)) else { return false };
        let count = |text: &str, all: &[Range<usize>], part: Range<usize>| {
            let part = all.get(part).unwrap_or_default();
            part.iter().filter(|token| text.get((*token).clone()).is_some_and(is_word)).count()
        };
        let old = count(self.old, &self.old_tokens, hunk.old.clone());
        let new = count(self.new, &self.new_tokens, hunk.new.clone());
        (1..=2 * FEW).contains(&new) && old <= FEW
    }

    /// Behind (or before) a word of the new text, with as much punctuation between as there was.
    fn beside(&self, word: usize, token: usize, mark: &Range<usize>, opens: bool) -> usize {
        let (old, new) = (self.token(word), self.new_tokens.get(token).cloned().unwrap_or(0..0));
        let closing = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        match opens {
            true => {
                let between = self.old.part(mark.end..old.start);
                let head = self.new.part(..new.start);
                if head.ends_with(between) {
                    return new.start - between.len();
                }
                new.start
            }
            false => {
                let between = self.old.part(old.end..mark.start);
                let tail = self.new.part(new.end..);
                if tail.starts_with(between) {
                    return new.end + between.len();
                }
                let count = between.chars().filter(|c| closing(*c)).count();
                let some = tail.chars().take_while(|c| closing(*c)).take(count);
                new.end + some.map(char::len_utf8).sum::<usize>()
            }
        }
    }

    /// The end (or the start) of the clause in which a mark stood, if the new text has as many clauses, or only one.
    fn clause(&self, mark: &Range<usize>, opens: bool) -> Option<usize> {
        let (old, new) = (sentences(self.old), sentences(self.new));
        let index = old.iter().position(|sentence| mark.start <= sentence.end)?;
        let sentence = match new.as_slice() {
            [only] => only.clone(),
            all if all.len() == old.len() => all.get(index)?.clone(),
            _ => return None,
        };
        if opens {
            return Some(sentence.start);
        }
        // Behind the stop where it stood behind one, else behind the last word.
        let closing = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let behind_stop = self.old.part(..mark.start).ends_with(closing);
        let said = self.new.part(sentence.clone());
        let last = said.trim_end_matches(['.', ';', ':', '!', '?', ',']);
        Some(if behind_stop { sentence.end } else { sentence.start + last.len() })
    }

    /// The pins in their order. A mark that may stand elsewhere gives way to a note.
    fn settled(mut self) -> Result<Vec<Pin>, Refusal> {
        let all = self.found.len();
        for index in 0..all {
            let (head, tail) = self.found.split_at_mut(index);
            let Some((pin, behind)) = tail.split_first_mut() else { break };
            let floor = head.last().map_or(0, |pin: &Pin| pin.new.end);
            if pin.label.is_some() {
                if pin.new.start < floor {
                    return Err(crossed(pin));
                }
                continue;
            }
            let roof =
                behind.iter().find(|pin| pin.label.is_some()).map_or(self.new.len(), |pin| pin.new.start);
            if roof < floor {
                continue;
            }
            let place = pin.new.start.clamp(floor, roof);
            pin.new = place..place;
        }
        Ok(self.found)
    }
}

/// Sentences and parts between semicolons, without the blanks between them.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if start.is_none() && !c.is_whitespace() {
            start = Some(at);
        }
        let ends = matches!(c, '.' | ';' | '!' | '?') || c == '\n';
        let next = chars.peek().map(|(_, next)| *next);
        let rest = text.part(at + c.len_utf8()..);
        let opens = rest.trim_start().chars().next();
        // `No. 4` and `i.e. this` are no ends.
        let is_end =
            ends && next.is_none_or(char::is_whitespace) && opens.is_none_or(|c| c == '(' || !c.is_numeric());
        let is_end = is_end && (c != '.' || opens.is_none_or(|c| !c.is_lowercase()));
        if let Some(from) = start.filter(|_| is_end) {
            found.push(from..at + c.len_utf8());
            start = None;
        }
    }
    if let Some(from) = start {
        found.push(from..text.trim_end().len().max(from));
    }
    found
}

fn lost(label: &str, word: &str) -> Refusal {
    Refusal::Unsafe {
        why: format!(
            "the note {label} stands behind `{word}`, and nothing in the new text says where it belongs"
        ),
        instead: Some(format!("write {label} in the new text where the note is to stand")),
    }
}

fn crossed(pin: &Pin) -> Refusal {
    passes(pin.label.as_deref().unwrap_or("the mark"), "another mark")
}

fn passes(label: &str, what: &str) -> Refusal {
    Refusal::Unsafe {
        why: format!("{label} would have to pass {what} of the paragraph to stay behind its words"),
        instead: Some(
            "keep notes, comments and fields in their order, or edit the parts between them one by one"
                .to_owned(),
        ),
    }
}

/// The tagged text of a stretch of the whole.
pub(super) fn slice(new: &[Tagged], range: &Range<usize>) -> Vec<Tagged> {
    let mut out = Vec::new();
    let mut at = 0;
    for tagged in new {
        let end = at + tagged.text.len();
        let (from, to) = (range.start.max(at), range.end.min(end));
        if from < to
            && let Some(text) = tagged.text.get(from - at..to - at)
        {
            out.push(Tagged { text: text.to_owned(), marks: tagged.marks.clone() });
        }
        at = end;
    }
    out
}

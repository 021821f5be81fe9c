//! Which words of a rewritten text take over the bold, the underline and the other emphasis of the words they replace.
//!
//! A word that stays keeps its own. Where a few words change among many that stay, the new ones stand for the old ones
//! in their place. Where little of a sentence survives, position says nothing: only what clearly corresponds (the same
//! words elsewhere, a quoted term, a number, a name, a run-in header) is emphasised, all else looks like the plain text
//! of the paragraph, and what was dropped is told. Fonts, sizes and languages are not looked at.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Cut, Level, Note};

use crate::edits::anatomy::{Anatomy, Shape};
use crate::edits::rewrite::{Act, Place};
use crate::edits::run_properties::{EMPHASIS, RunProperties};
use crate::text::definitions;
use crate::text::tokens::{is_word, tokens};

mod dyed;

use dyed::{Dyed, Opening};

/// A change of more words than this rewrites its sentence.
const FEW: usize = 4;
/// Changes with fewer words than this between them are one rewrite: `of the` survives any.
const ANCHOR: usize = 3;

/// What ends a phrase.
const STOPS: [char; 7] = ['.', ',', ';', ':', '!', '?', ')'];

type Look = Vec<(String, String)>;

/// The same acts, with the emphasis that their new text is to have, and what is told of emphasis that went.
pub(crate) fn settle(anatomy: &Anatomy<'_>, acts: Vec<Act>) -> (Vec<Act>, Vec<Note>) {
    let looks = ParagraphEmphasis::of(anatomy);
    let Some(base) = looks.base.filter(|_| looks.all.len() > 1) else { return (acts, Vec::new()) };
    let text = Rewritten::of(anatomy, &looks, &acts);
    if text.old.iter().all(|old| old.kept) && text.new.is_empty() {
        return (acts, Vec::new());
    }
    let mut wanted: Vec<Option<usize>> = vec![None; text.new.len()];
    for (index, hunk) in text.hunks.iter().enumerate() {
        let look = text.default_look(anatomy, &looks, base, index, hunk);
        for (new, wanted) in text.new.iter().zip(&mut wanted).filter(|(new, _)| new.hunk == index) {
            *wanted = look.or_else(|| text.place_look(&looks, &acts, new));
        }
    }
    let kept = text.old.iter().map(|old| old.look).collect();
    let mut dyed = Dyed { text: &text, base, wanted, kept };
    let mut dropped = Vec::new();
    for stretch in text.stretches(base) {
        if !dyed.carry(anatomy, &stretch) {
            dropped.push(stretch);
        }
    }
    dyed.strip_edges(&acts);
    let restyled = dyed.restyled();
    let note = told(anatomy, &looks, base, &dropped);
    let wanted = dyed.wanted;
    (dress(&looks, base, acts, &text, &wanted, &restyled), note.into_iter().collect())
}

/// The looks of a paragraph, and which of them is plain text.
struct ParagraphEmphasis {
    all: Vec<Look>,
    /// Start and end of each unit in the text, and its look.
    units: Vec<(Range<usize>, Option<usize>)>,
    base: Option<usize>,
}

impl ParagraphEmphasis {
    fn of(anatomy: &Anatomy<'_>) -> Self {
        let mut all: Vec<Look> = Vec::new();
        // Letters that have each look, first in text of its own, then also in links and results of fields.
        let mut letters: Vec<(usize, usize)> = Vec::new();
        let mut units = Vec::new();
        for unit in &anatomy.units {
            let run = anatomy.runs.get(unit.run).filter(|_| unit.shape != Shape::Opaque);
            let look = run.map(|run| {
                let look = RunProperties::of_run(run.node).emphasis();
                all.iter().position(|known| *known == look).unwrap_or_else(|| {
                    all.push(look);
                    letters.push((0, 0));
                    all.len() - 1
                })
            });
            let said = anatomy.text.part(unit.text.clone());
            let count = said.chars().filter(|c| !c.is_whitespace()).count();
            if let Some((own, any)) = look.and_then(|look| letters.get_mut(look)) {
                let linked = unit.field.is_some() || run.is_some_and(|run| run.hyperlink.is_some());
                *own += if linked { 0 } else { count };
                *any += count;
            }
            units.push((unit.text.clone(), look));
        }
        let most = letters.iter().enumerate().max_by_key(|(index, letters)| (**letters, usize::MAX - index));
        let base = most.filter(|(_, (_, any))| *any > 0).map(|(index, _)| index);
        Self { all, units, base }
    }

    fn at(&self, offset: usize) -> Option<usize> {
        let index = self.units.partition_point(|(range, _)| range.end <= offset);
        self.units.get(index).filter(|(range, _)| range.contains(&offset)).and_then(|(_, look)| *look)
    }

    /// The one of two looks with less emphasis.
    fn plainer(&self, one: usize, other: usize) -> usize {
        let count = |look: usize| self.all.get(look).map_or(0, Vec::len);
        if count(one) < count(other) { one } else { other }
    }

    /// How the nearest letter before `offset` looks.
    fn before(&self, text: &str, offset: usize) -> Option<usize> {
        let head = text.get(..offset)?;
        let (at, _) = head.char_indices().rfind(|(_, c)| !c.is_whitespace())?;
        self.at(at)
    }

    fn behind(&self, text: &str, offset: usize) -> Option<usize> {
        let (at, _) = text.get(offset..)?.char_indices().find(|(_, c)| !c.is_whitespace())?;
        self.at(offset + at)
    }
}

struct Old {
    range: Range<usize>,
    /// Its bytes in the text as it will be, if it stays.
    shown: Range<usize>,
    look: Option<usize>,
    word: bool,
    blank: bool,
    kept: bool,
    hunk: usize,
}

struct New {
    /// Its bytes in the text as it will be.
    shown: Range<usize>,
    act: usize,
    /// Its bytes in the text that the act puts.
    within: Range<usize>,
    word: bool,
    hunk: usize,
}

/// Acts between two stretches of text that stay.
#[derive(Default)]
struct Hunk {
    /// In the old text.
    range: Range<usize>,
    old_words: usize,
    new_words: usize,
    /// Words that stay between the hunk before it and this one.
    anchor: usize,
    light: bool,
}

/// The old text and the new, token by token.
struct Rewritten {
    old: Vec<Old>,
    new: Vec<New>,
    hunks: Vec<Hunk>,
    after: String,
    reach: Range<usize>,
}

/// Neighbours with one look that is not the plain one.
struct Stretch {
    look: usize,
    range: Range<usize>,
    /// Of [`Rewritten::old`].
    tokens: Range<usize>,
}

impl Rewritten {
    fn of(anatomy: &Anatomy<'_>, looks: &ParagraphEmphasis, acts: &[Act]) -> Self {
        let (mut old, mut new): (Vec<Old>, Vec<New>) = (Vec::new(), Vec::new());
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut after = String::new();
        let (mut open, mut anchor) = (false, 0);
        let starts = acts.iter().map(|act| match act {
            Act::Keep { old, .. } | Act::Cut { old } => old.start,
            Act::Put { place: Place::Between(at) | Place::Behind(at) | Place::InsteadOf(at), .. } => *at,
        });
        let start = starts.min().unwrap_or(0);
        let mut reached = start;
        for (index, act) in acts.iter().enumerate() {
            let kept = matches!(act, Act::Keep { .. });
            if kept {
                open = false;
            } else if !open {
                open = true;
                hunks.push(Hunk { range: reached..reached, anchor, ..Hunk::default() });
                anchor = 0;
            }
            let hunk = hunks.len().saturating_sub(1);
            match act {
                Act::Keep { old: range, .. } | Act::Cut { old: range } => {
                    let said = anatomy.text.part(range.clone());
                    for token in tokens(said) {
                        let text = said.part(token.clone());
                        let start = range.start + token.start;
                        let word = is_word(text);
                        let shown = after.len() + token.start..after.len() + token.end;
                        old.push(Old {
                            shown: if kept { shown } else { 0..0 },
                            look: looks.at(start),
                            range: start..range.start + token.end,
                            word,
                            blank: text.trim().is_empty(),
                            kept,
                            hunk: if kept { usize::MAX } else { hunk },
                        });
                        if kept {
                            anchor += usize::from(word);
                        } else if let Some(hunk) = hunks.last_mut() {
                            hunk.old_words += usize::from(word);
                        }
                    }
                    reached = range.end;
                    if kept {
                        after.push_str(said);
                    } else if let Some(hunk) = hunks.last_mut() {
                        hunk.range.end = range.end;
                    }
                }
                Act::Put { text, .. } => {
                    for token in tokens(text) {
                        let word = text.get(token.clone()).is_some_and(is_word);
                        let shown = after.len() + token.start..after.len() + token.end;
                        new.push(New { shown, act: index, within: token, word, hunk });
                        if let Some(hunk) = hunks.last_mut() {
                            hunk.new_words += usize::from(word);
                        }
                    }
                    after.push_str(text);
                }
            }
        }
        weigh(&mut hunks);
        Self { old, new, hunks, after, reach: start..reached }
    }

    fn is_light(&self, hunk: usize) -> bool {
        self.hunks.get(hunk).is_none_or(|hunk| hunk.light)
    }

    fn cut(&self, hunk: usize) -> impl Iterator<Item = &Old> {
        self.old.iter().filter(move |old| old.hunk == hunk && !old.blank)
    }

    /// How all new text of a hunk looks; `None` if each word looks like the one it stands for.
    fn default_look(
        &self,
        anatomy: &Anatomy<'_>,
        looks: &ParagraphEmphasis,
        base: usize,
        index: usize,
        hunk: &Hunk,
    ) -> Option<usize> {
        let mut cut = self.cut(index);
        let Some(first) = cut.next() else { return Some(self.beside(anatomy, looks, base, index, hunk)) };
        let uniform = cut.all(|old| old.look == first.look);
        // Whoever rewrites nothing but emphasised text means it to stay so.
        let all = self.old.iter().filter(|old| old.word).all(|old| old.look == first.look);
        match first.look {
            Some(look) if uniform && (look == base || all) => Some(look),
            // In the place of a whole that is emphasised, or of a part of it, not much more than it.
            Some(look) if uniform && hunk.light && hunk.new_words <= hunk.old_words.max(1) + 2 => Some(look),
            _ if !uniform && hunk.light && hunk.new_words == hunk.old_words => None,
            _ => Some(base),
        }
    }

    /// How text looks that stands for nothing: as what it stands in; at the edge of emphasis as plain text.
    fn beside(
        &self,
        anatomy: &Anatomy<'_>,
        looks: &ParagraphEmphasis,
        base: usize,
        index: usize,
        hunk: &Hunk,
    ) -> usize {
        let text = &anatomy.text;
        let (left, right) = (looks.before(text, hunk.range.start), looks.behind(text, hunk.range.end));
        match (left, right) {
            (Some(left), Some(right)) if left == right => left,
            // A link or a field ends where it ends.
            (Some(_), None) if self.is_linked(anatomy, hunk.range.start.checked_sub(1)) => base,
            (None, Some(_)) if self.is_linked(anatomy, Some(hunk.range.end)) => base,
            // A stop or a comma at the seam: what is put there is another phrase.
            (Some(left), None) if text.part(..hunk.range.start).trim_end().ends_with(STOPS) => {
                looks.plainer(left, base)
            }
            (None, Some(right)) if self.put_by(index).trim_end().ends_with(STOPS) => {
                looks.plainer(right, base)
            }
            (Some(left), None) => left,
            (None, Some(right)) => right,
            (Some(left), Some(_)) => {
                // A further letter or ending of the word in front of it.
                let attached =
                    text.get(..hunk.range.start).is_some_and(|head| head.ends_with(char::is_alphanumeric));
                let first = self.new.iter().find(|new| new.hunk == index);
                if attached && first.is_some_and(|new| new.word) { left } else { base }
            }
            (None, None) => base,
        }
    }

    /// Whether the character at `offset` stands in a link or in the result of a field.
    fn is_linked(&self, anatomy: &Anatomy<'_>, offset: Option<usize>) -> bool {
        let unit = offset.and_then(|at| anatomy.units.iter().find(|unit| unit.text.contains(&at)));
        unit.is_some_and(|unit| {
            unit.field.is_some() || anatomy.runs.get(unit.run).is_some_and(|run| run.hyperlink.is_some())
        })
    }

    /// All new text of a hunk.
    fn put_by(&self, index: usize) -> &str {
        let mut of_hunk = self.new.iter().filter(|new| new.hunk == index);
        let Some(first) = of_hunk.next() else { return "" };
        let last = of_hunk.next_back().unwrap_or(first);
        self.after.part(first.shown.start..last.shown.end)
    }

    /// How the character looks that a token stands for, where that is a letter.
    fn place_look(&self, looks: &ParagraphEmphasis, acts: &[Act], new: &New) -> Option<usize> {
        let Some(Act::Put { place: Place::InsteadOf(at), .. }) = acts.get(new.act) else { return None };
        let stood = self.old.iter().find(|old| old.range.contains(at))?;
        if !new.word || !stood.blank {
            return looks.at(*at);
        }
        let nearest = self.cut(new.hunk).min_by_key(|old| old.range.start.abs_diff(*at))?;
        nearest.look
    }

    fn stretches(&self, base: usize) -> Vec<Stretch> {
        let mut found: Vec<Stretch> = Vec::new();
        let mut open = false;
        for (index, old) in self.old.iter().enumerate().filter(|(_, old)| !old.blank) {
            let Some(look) = old.look.filter(|look| *look != base) else {
                open = false;
                continue;
            };
            match found.last_mut().filter(|last| open && last.look == look) {
                Some(last) => {
                    last.range.end = old.range.end;
                    last.tokens.end = index + 1;
                }
                None => found.push(Stretch { look, range: old.range.clone(), tokens: index..index + 1 }),
            }
            open = true;
        }
        found
    }

    fn words(&self, stretch: &Stretch) -> impl Iterator<Item = &Old> {
        self.old.part(stretch.tokens.clone()).iter().filter(|old| old.word)
    }

    /// Whether its place has new words.
    fn is_replaced(&self, stretch: &Stretch) -> bool {
        let new = |old: &Old| self.hunks.get(old.hunk).is_some_and(|hunk| hunk.new_words > 0);
        self.words(stretch).any(|old| !old.kept && new(old))
    }

    /// What stands for a stretch in the text as it will be.
    fn image(&self, anatomy: &Anatomy<'_>, stretch: &Stretch) -> Option<Range<usize>> {
        let said = anatomy.text.get(stretch.range.clone())?;
        let before = anatomy.text.get(self.reach.clone())?;
        let local = stretch.range.start.checked_sub(self.reach.start)?..stretch.range.end - self.reach.start;
        self.like_words(said)
            .or_else(|| quoted(before, &self.after, &local))
            .or_else(|| nth(before, &self.after, &local, numbers))
            .or_else(|| nth(before, &self.after, &local, |text| amounts(text, false)))
            .or_else(|| nth(before, &self.after, &local, |text| amounts(text, true)))
            .or_else(|| nth(before, &self.after, &local, names))
    }

    /// The same words somewhere else.
    fn phrase(&self, said: &str, anatomy: &Anatomy<'_>, stretch: &Stretch) -> Option<Range<usize>> {
        let is_bound = |at: usize| self.after.is_char_boundary(at);
        let alone = |range: &Range<usize>| {
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let starts = said.starts_with(char::is_alphanumeric);
            let ends = said.ends_with(char::is_alphanumeric);
            !(starts && word(self.after.get(..range.start).and_then(|head| head.chars().next_back()))
                || ends && word(self.after.get(range.end..).and_then(|tail| tail.chars().next())))
        };
        let new = |range: &Range<usize>| {
            self.new
                .iter()
                .any(|new| new.word && range.start <= new.shown.start && new.shown.end <= range.end)
        };
        let said = said.trim();
        let all: Vec<Range<usize>> = (0..(self.after.len() + 1).saturating_sub(said.len()))
            .map(|at| at..at + said.len())
            .filter(|range| is_bound(range.start) && is_bound(range.end))
            .filter(|range| alone(range) && new(range))
            .collect();
        let says = |range: &&Range<usize>, same: &dyn Fn(&str) -> bool| {
            self.after.get((*range).clone()).is_some_and(same)
        };
        // Of several, the one that stands between the same characters.
        let around = |text: &str, range: &Range<usize>| {
            let before = text.get(..range.start).and_then(|head| head.chars().next_back());
            (before, text.get(range.end..).and_then(|tail| tail.chars().next()))
        };
        let wanted = around(&anatomy.text, &stretch.range);
        let alike = |range: &Range<usize>| {
            let found = around(&self.after, range);
            usize::from(found.0 == wanted.0) + usize::from(found.1 == wanted.1)
        };
        let same = all.iter().enumerate().filter(|(_, range)| says(range, &|text| text == said));
        let found =
            same.max_by_key(|(index, range)| (alike(range), usize::MAX - index)).map(|(_, range)| range);
        // A word that begins a sentence now, or did before, is the same but for its first letter.
        let rest = |text: &str| text.chars().skip(1).collect::<String>();
        let found = found.or_else(|| {
            all.iter().find(|range| {
                says(range, &|text| {
                    text.eq_ignore_ascii_case(said) && rest(text) == rest(said) && said.contains(' ')
                })
            })
        });
        found.cloned()
    }

    /// The one new word that only ends otherwise.
    fn like_words(&self, said: &str) -> Option<Range<usize>> {
        if said.contains(char::is_whitespace) {
            return None;
        }
        let alike = |new: &&New| {
            let text = self.after.part(new.shown.clone());
            let shared =
                said.chars().zip(text.chars()).take_while(|(a, b)| a.to_lowercase().eq(b.to_lowercase()));
            let (shared, longer) = (shared.count(), said.chars().count().max(text.chars().count()));
            new.word && shared >= 4 && shared * 3 >= longer * 2
        };
        let mut alike = self.new.iter().filter(alike);
        alike.next().filter(|_| alike.next().is_none()).map(|new| new.shown.clone())
    }

    /// What becomes of a stretch that is a run-in header, which is one thing up to its stop; `None` if it is none, or
    /// the edit begins inside it.
    fn header(&self, anatomy: &Anatomy<'_>, stretch: &Stretch) -> Option<Opening> {
        let head = anatomy.text.get(..stretch.range.start)?;
        let is_first = head.trim().is_empty() || crate::text::header::typed_number(head) == Some(head.len());
        let said = anatomy.text.get(stretch.range.clone())?;
        let behind = anatomy.text.get(stretch.range.end..)?;
        let inner = said.ends_with(['.', ':']);
        let stop = match inner {
            true => said.chars().next_back()?,
            false => behind.chars().next().filter(|c| matches!(c, '.' | ':'))?,
        };
        let text_behind = if inner { behind } else { behind.get(1..)? };
        if !is_first || text_behind.trim().is_empty() || self.reach.start > stretch.range.start {
            return None;
        }
        let from = stretch.range.start - self.reach.start;
        if self.after.get(..from) != anatomy.text.get(self.reach.start..stretch.range.start) {
            return None;
        }
        let opening = self.after.get(from..)?;
        let end = opening.match_indices(stop).map(|(at, _)| at).find(|at| {
            let rest = opening.split_at_checked(at + 1).map_or("", |(_, rest)| rest);
            // What follows the edit goes on behind it.
            let goes_on = !rest.trim().is_empty() || self.reach.end < anatomy.text.trim_end().len();
            goes_on && (rest.is_empty() || rest.starts_with(char::is_whitespace))
        });
        let words = |text: &str| {
            tokens(text).into_iter().filter(|token| text.get(token.clone()).is_some_and(is_word)).count()
        };
        let all_kept = self.words(stretch).all(|old| old.kept);
        let end =
            end.filter(|end| opening.get(..*end).is_some_and(|opening| (1..=8).contains(&words(opening))));
        let Some(end) = end else { return Some(if all_kept { Opening::Same } else { Opening::None }) };
        let image = from..from + end + usize::from(inner);
        let new = self.new.iter().any(|new| image.start <= new.shown.start && new.shown.end <= image.end);
        Some(if all_kept && !new { Opening::Same } else { Opening::Now(image) })
    }
}

/// Says which hunks change a few words among others that stay.
fn weigh(hunks: &mut [Hunk]) {
    let mut start = 0;
    while start < hunks.len() {
        let more = hunks.iter().skip(start + 1).take_while(|hunk| hunk.anchor < ANCHOR).count();
        let end = start + 1 + more;
        let region = &mut hunks[start..end];
        let gone: usize = region.iter().map(|hunk| hunk.old_words).sum();
        let stays: usize = region.iter().skip(1).map(|hunk| hunk.anchor).sum();
        let survives = gone + stays <= FEW + 2 || stays >= gone;
        for hunk in region {
            let few = hunk.old_words <= FEW && hunk.new_words <= 2 * FEW;
            hunk.light = few && survives;
        }
        start = end;
    }
}

/// The quotation of the new text that comes where that of the stretch came.
fn quoted(before: &str, after: &str, stretch: &Range<usize>) -> Option<Range<usize>> {
    let (old, new) = (definitions::quotations(before), definitions::quotations(after));
    let holds = |range: &Range<usize>| range.start <= stretch.start && stretch.end <= range.end;
    let index = old.iter().position(|quotation| holds(&quotation.quoted))?;
    let image = new.get(index).filter(|_| old.len() == new.len())?;
    let with_quotes = old.get(index).is_some_and(|quotation| quotation.quoted == *stretch);
    Some(if with_quotes { image.quoted.clone() } else { image.term.clone() })
}

/// The stretch of its kind that is the same in number, if both texts have as many.
fn nth(
    before: &str,
    after: &str,
    stretch: &Range<usize>,
    kind: impl Fn(&str) -> Vec<Range<usize>>,
) -> Option<Range<usize>> {
    let (old, new) = (kind(before), kind(after));
    let index = old.iter().position(|range| range == stretch)?;
    new.get(index).filter(|_| old.len() == new.len()).cloned()
}

fn numbers(text: &str) -> Vec<Range<usize>> {
    series(text, |token| token.contains(|c: char| c.is_ascii_digit()))
}

/// Numbers with what is written before them in letters, as in `thirty (30)`, and with the word behind them.
fn amounts(text: &str, with_unit: bool) -> Vec<Range<usize>> {
    let all: Vec<Range<usize>> = tokens(text);
    let said = |index: usize| all.get(index).and_then(|token| text.get(token.clone())).unwrap_or_default();
    let mut found = Vec::new();
    for index in 0..all.len() {
        if !said(index).contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (mut first, mut last) = (index, index);
        if let Some(open) = index.checked_sub(1).filter(|open| said(*open) == "(" && said(index + 1) == ")") {
            (first, last) = (open, index + 1);
            // `forty-five` is three tokens.
            let mut at = open.checked_sub(1).filter(|blank| said(*blank).trim().is_empty());
            while let Some(before) = at.and_then(|at| at.checked_sub(1)) {
                if !is_word(said(before)) && said(before) != "-" {
                    break;
                }
                first = before;
                at = Some(before);
            }
        }
        if with_unit && said(last + 1).trim().is_empty() && is_word(said(last + 2)) {
            last += 2;
        }
        if let (Some(from), Some(to)) = (all.get(first), all.get(last)) {
            found.push(from.start..to.end);
        }
    }
    found
}

/// Names and defined terms; a single word that opens a sentence has its capital from there.
fn names(text: &str) -> Vec<Range<usize>> {
    let mut found = series(text, |token| token.starts_with(char::is_uppercase));
    found.retain(|range| {
        let head = text.part(..range.start).trim_end();
        let opens = head.is_empty() || head.ends_with(['.', ':', ';', '?', '!']);
        !opens || text.get(range.clone()).is_some_and(|said| said.contains(' '))
    });
    found
}

/// Neighbouring words of which `wanted` holds.
fn series(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for token in tokens(text) {
        let said = text.part(token.clone());
        if said.trim().is_empty() {
            continue;
        }
        match (is_word(said) && wanted(said), found.last_mut().filter(|_| open)) {
            (true, Some(last)) => last.end = token.end,
            (true, None) => found.push(token),
            (false, _) => {}
        }
        open = is_word(said) && wanted(said);
    }
    found
}

fn dress(
    looks: &ParagraphEmphasis,
    base: usize,
    acts: Vec<Act>,
    text: &Rewritten,
    wanted: &[Option<usize>],
    restyled: &[(Range<usize>, usize)],
) -> Vec<Act> {
    let look_of = |index: usize| looks.all.get(index).cloned().unwrap_or_default();
    let mut out: Vec<Act> = Vec::with_capacity(acts.len());
    for (index, act) in acts.into_iter().enumerate() {
        match act {
            Act::Put { text: said, marks, place } => {
                let pieces: Vec<(&New, Option<usize>)> = text
                    .new
                    .iter()
                    .zip(wanted)
                    .filter(|(new, _)| new.act == index)
                    .map(|(new, wanted)| (new, *wanted))
                    .collect();
                let pieces = between_alike(&pieces, base);
                let mut last = None;
                for (range, look) in pieces {
                    let piece = said.part(range);
                    match out.last_mut() {
                        Some(Act::Put { text, .. }) if last == Some(look) => text.push_str(piece),
                        _ => {
                            let mut marks = marks.clone();
                            marks.emphasis = look.map(look_of);
                            out.push(Act::Put { text: piece.to_owned(), marks, place });
                        }
                    }
                    last = Some(look);
                }
            }
            Act::Keep { old, marks } => {
                let mut from = old.start;
                let inside = |range: &Range<usize>| old.start <= range.start && range.end <= old.end;
                for (range, look) in restyled.iter().filter(|(range, _)| inside(range)) {
                    if from < range.start {
                        out.push(Act::Keep { old: from..range.start, marks: marks.clone() });
                    }
                    let mut dressed = marks.clone();
                    dressed.emphasis = Some(look_of(*look));
                    out.push(Act::Keep { old: range.clone(), marks: dressed });
                    from = range.end;
                }
                if from < old.end {
                    out.push(Act::Keep { old: from..old.end, marks });
                }
            }
            cut @ Act::Cut { .. } => out.push(cut),
        }
    }
    out
}

/// The pieces with their looks; a blank is only emphasised between two words that are.
fn between_alike(pieces: &[(&New, Option<usize>)], base: usize) -> Vec<(Range<usize>, Option<usize>)> {
    let looks: Vec<Option<usize>> = pieces.iter().map(|(_, look)| *look).collect();
    let mut out = Vec::with_capacity(pieces.len());
    for (index, (new, look)) in pieces.iter().enumerate() {
        let beside = |at: Option<usize>| at.and_then(|at| looks.get(at)).copied();
        let lone = !new.word && look.is_some_and(|look| look != base) && {
            let (left, right) = (beside(index.checked_sub(1)), beside(Some(index + 1)));
            left.is_some_and(|left| left != *look) && right.is_some_and(|right| right != *look)
        };
        out.push((new.within.clone(), if lone { Some(base) } else { *look }));
    }
    out
}

/// Which emphasis went, and how to have it.
fn told(anatomy: &Anatomy<'_>, looks: &ParagraphEmphasis, base: usize, dropped: &[Stretch]) -> Option<Note> {
    let mut parts: Vec<String> = Vec::new();
    let plain = looks.all.get(base)?;
    for stretch in dropped {
        let kinds: BTreeSet<&str> = looks
            .all
            .get(stretch.look)?
            .iter()
            .filter(|child| !plain.contains(child))
            .filter_map(|(name, _)| EMPHASIS.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind))
            .collect();
        // What is plainer than its paragraph has lost nothing.
        if kinds.is_empty() {
            continue;
        }
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let said = anatomy.text.part(stretch.range.clone());
        parts.push(format!("{} of `{}`", kinds.join(" and "), super::excerpt(said)));
    }
    if parts.is_empty() {
        return None;
    }
    let text = format!(
        "not carried over, because nothing in the new text clearly stands for it: {}; tags such as <b> mark new words",
        parts.join(", ")
    );
    Some(Note { level: Level::Info, text })
}

#[cfg(test)]
mod tests;

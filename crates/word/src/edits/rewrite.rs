//! How one text becomes another without losing its formatting: the surgeon's plan, before any XML.
//!
//! Words that both texts share are kept where they are. A replaced group stands for the old words in its
//! place: word for word if there are as many, else in proportion. The plan says for each piece of new text
//! which old character it is to look like; what that means in a paragraph is not decided here.

use std::borrow::Cow;
use std::ops::Range;

use edit::Cut;

use crate::text::tags::{Marks, Tagged};
use crate::text::tokens::{compare_words, is_word, tokens};

/// What becomes of the old text, in its order. Ranges and offsets are bytes of the old text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// The characters stay; `marks` that are not empty change their formatting.
    Keep {
        old: Range<usize>,
        marks: Marks,
    },
    Cut {
        old: Range<usize>,
    },
    Put {
        text: String,
        marks: Marks,
        place: Place,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Instead of the character that starts at this offset, and looking like it.
    InsteadOf(usize),
    /// Between two characters that stay, at this offset.
    Between(usize),
    /// The same, behind the notes and the ends of comments and bookmarks that stand there.
    Behind(usize),
}

/// The acts that take `old` to `new`. `key` gives what two tokens must have in common to count as the same:
/// the text itself, or the text with its quotes and blanks normalised.
pub(crate) fn rewrite<'a>(
    old: &'a str,
    new: &'a [Tagged],
    key: impl Fn(&'a str) -> Cow<'a, str>,
) -> Vec<Act> {
    let old_tokens = tokens(old);
    let new_tokens = tagged_tokens(new);
    let old_keys: Vec<_> = old_tokens.iter().map(|range| key(old.part(range.clone()))).collect();
    let new_keys: Vec<_> = new_tokens.iter().map(|(text, _)| key(text)).collect();
    let mut acts = Acts::default();
    for hunk in compare_words(&old_keys, &new_keys) {
        let old_part = old_tokens.part(hunk.old);
        let new_part = new_tokens.part(hunk.new);
        if hunk.same {
            for (range, (_, marks)) in old_part.iter().zip(new_part) {
                acts.keep(range.clone(), marks);
            }
        } else {
            replace(old, old_part, new_part, &key, &mut acts);
        }
    }
    acts.done
}

/// Moves all offsets of `acts` by `by`: from the matched text to the text around it.
pub(crate) fn shift(acts: &mut [Act], by: usize) {
    for act in acts {
        match act {
            Act::Keep { old, .. } | Act::Cut { old } => *old = old.start + by..old.end + by,
            Act::Put { place: Place::InsteadOf(at) | Place::Between(at) | Place::Behind(at), .. } => {
                *at += by
            }
        }
    }
}

/// Tokens of the whole new text, cut again where the marks change.
fn tagged_tokens(new: &[Tagged]) -> Vec<(&str, &Marks)> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let bounds: Vec<usize> = tokens(&whole).into_iter().map(|range| range.end).collect();
    let mut bounds = bounds.into_iter().peekable();
    let mut out = Vec::new();
    let mut base = 0;
    for tagged in new {
        let end = base + tagged.text.len();
        let mut start = base;
        while start < end {
            let stop = match bounds.peek() {
                Some(bound) if *bound <= end => *bound,
                _ => end,
            };
            if bounds.peek() == Some(&stop) {
                bounds.next();
            }
            if let Some(text) = tagged.text.get(start - base..stop - base).filter(|text| !text.is_empty()) {
                out.push((text, &tagged.marks));
            }
            start = stop;
        }
        base = end;
    }
    out
}

fn replace<'a>(
    old: &'a str,
    old_part: &[Range<usize>],
    new_part: &[(&'a str, &Marks)],
    key: impl Fn(&'a str) -> Cow<'a, str>,
    acts: &mut Acts,
) {
    if old_part.is_empty() {
        for (text, marks) in new_part {
            acts.put(text, marks, Place::Between(acts.reached));
        }
        return;
    }
    let stands_for = correspondence(
        &old_part.iter().map(|range| is_word(old.part(range.clone()))).collect::<Vec<_>>(),
        &new_part.iter().map(|(text, _)| is_word(text)).collect::<Vec<_>>(),
    );
    let mut pending = new_part.iter().zip(stands_for).peekable();
    for (index, range) in old_part.iter().enumerate() {
        acts.cut(range.clone());
        while let Some(((text, marks), _)) = pending.next_if(|(_, stands_for)| *stands_for <= index) {
            // A blank, dash or quote that counts as the same is written as it was.
            let was = old.part(range.clone());
            let text = if !is_word(text) && key(was) == key(text) { was } else { *text };
            acts.put(text, marks, Place::InsteadOf(range.start));
        }
    }
}

/// For each new token the old one it stands for; never decreasing.
fn correspondence(old: &[bool], new: &[bool]) -> Vec<usize> {
    let words = |tokens: &[bool]| -> Vec<usize> {
        tokens.iter().enumerate().filter_map(|(index, word)| word.then_some(index)).collect()
    };
    let (old_words, new_words) = (words(old), words(new));
    let last = old.len().saturating_sub(1);
    if old_words.is_empty() || new_words.is_empty() {
        return (0..new.len()).map(|index| (index * old.len() / new.len().max(1)).min(last)).collect();
    }
    let word_for = |word: usize| -> usize {
        let scaled = word * old_words.len() / new_words.len();
        old_words.get(scaled).copied().unwrap_or(last)
    };
    let mut seen = 0;
    let mut out: Vec<usize> = Vec::with_capacity(new.len());
    let mut after_word = 0;
    for (index, is_word) in new.iter().enumerate() {
        let target = if *is_word {
            seen += 1;
            after_word = 0;
            word_for(seen - 1)
        } else if seen == 0 {
            // What stands before the first word goes with what stood there.
            index.min(word_for(0))
        } else {
            // What follows a word goes with what followed its counterpart, or with the counterpart itself,
            // but never past the word that comes next.
            after_word += 1;
            let base = word_for(seen - 1);
            let same_word_next = seen < new_words.len() && word_for(seen) == base;
            let gap = (base + 1..old.len()).take_while(|next| old.get(*next) == Some(&false)).count();
            if same_word_next { base } else { base + after_word.min(gap) }
        };
        out.push(target.max(out.last().copied().unwrap_or(0)).min(last));
    }
    out
}

#[derive(Default)]
struct Acts {
    done: Vec<Act>,
    /// End of the old text dealt with so far.
    reached: usize,
}

impl Acts {
    fn keep(&mut self, range: Range<usize>, marks: &Marks) {
        self.reached = range.end;
        match self.done.last_mut() {
            Some(Act::Keep { old, marks: same }) if same == marks => old.end = range.end,
            _ => self.done.push(Act::Keep { old: range, marks: marks.clone() }),
        }
    }

    fn cut(&mut self, range: Range<usize>) {
        self.reached = range.end;
        match self.done.last_mut() {
            Some(Act::Cut { old }) => old.end = range.end,
            _ => self.done.push(Act::Cut { old: range }),
        }
    }

    fn put(&mut self, more: &str, wanted: &Marks, at: Place) {
        match self.done.last_mut() {
            Some(Act::Put { text, marks, place }) if marks == wanted && *place == at => text.push_str(more),
            _ => self.done.push(Act::Put { text: more.to_owned(), marks: wanted.clone(), place: at }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tags;
    use proptest::prelude::*;

    fn shown(old: &str, new: &str) -> String {
        let new = tags::parse(new).expect("balanced");
        rewrite(old, &new, Cow::Borrowed)
            .into_iter()
            .map(|act| match act {
                Act::Keep { old: range, marks } if marks.is_empty() => old[range].to_owned(),
                Act::Keep { old: range, .. } => format!("*{}*", &old[range]),
                Act::Cut { old: range } => format!("-{}-", &old[range]),
                Act::Put { text, place: Place::InsteadOf(at), .. } => format!("+{text}@{at}+"),
                Act::Put { text, place: Place::Between(at) | Place::Behind(at), .. } => {
                    format!("+{text}|{at}+")
                }
            })
            .collect()
    }

    #[test]
    fn as_many_words_map_one_to_one() {
        assert_eq!(shown("The quick fox", "A slow fox"), "-The-+A@0+- -+ @3+-quick-+slow@4+ fox");
    }

    #[test]
    fn more_words_map_in_proportion() {
        assert_eq!(shown("Seller shall", "The Buyer must"), "-Seller-+The Buyer@0+- -+ @6+-shall-+must@7+");
        assert_eq!(shown("30 days", "sixty (60) days"), "-30-+sixty (60)@0+ days");
    }

    #[test]
    fn a_pure_insertion_stands_between() {
        assert_eq!(shown("a b", "a new b"), "a +new |2+b");
        assert_eq!(shown("", "x"), "+x|0+");
    }

    #[test]
    fn tags_on_words_that_stay_restyle_them() {
        assert_eq!(shown("the Term means", "the <b>Term</b> means"), "the *Term* means");
    }

    proptest! {
        #[test]
        fn the_acts_give_the_new_text_and_use_up_the_old(
            old in "[ab ,.\té]{0,30}", new in "[ab ,.\té]{0,30}", cut in 0usize..30,
        ) {
            let cut = (0..=cut.min(new.len())).rev().find(|at| new.is_char_boundary(*at)).unwrap_or(0);
            let bold = Marks { bold: Some(true), ..Marks::default() };
            let tagged = [
                Tagged { text: new[..cut].to_owned(), marks: Marks::default() },
                Tagged { text: new[cut..].to_owned(), marks: bold },
            ];
            let (mut result, mut used) = (String::new(), 0);
            let mut last_place = 0;
            for act in rewrite(&old, &tagged, Cow::Borrowed) {
                match act {
                    Act::Keep { old: range, .. } => {
                        prop_assert_eq!(range.start, used);
                        used = range.end;
                        result.push_str(&old[range]);
                    }
                    Act::Cut { old: range } => {
                        prop_assert_eq!(range.start, used);
                        used = range.end;
                    }
                    Act::Put { text, place, .. } => {
                        let (Place::InsteadOf(at) | Place::Between(at) | Place::Behind(at)) = place;
                        prop_assert!(at >= last_place && at <= used);
                        last_place = at;
                        result.push_str(&text);
                    }
                }
            }
            prop_assert_eq!(used, old.len());
            prop_assert_eq!(result, new);
        }
    }
}

//! The looks that the tokens of a rewritten text are to have: those of what was emphasised go with what stands for it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Old, Rewritten, Stretch};
use crate::edits::anatomy::Anatomy;
use crate::edits::rewrite::Act;

/// The looks that all tokens are to have.
pub(super) struct Dyed<'a> {
    pub(super) text: &'a Rewritten,
    pub(super) base: usize,
    /// Of new tokens.
    pub(super) wanted: Vec<Option<usize>>,
    /// Of old ones that stay.
    pub(super) kept: Vec<Option<usize>>,
}

impl Dyed<'_> {
    /// Carries the look of a stretch to what stands for it in the new text; `false` if nothing does and it went.
    pub(super) fn carry(&mut self, anatomy: &Anatomy<'_>, stretch: &Stretch) -> bool {
        let text = self.text;
        if let Some(header) = text.header(anatomy, stretch) {
            return match header {
                Opening::Same => true,
                Opening::Now(image) => {
                    self.give(stretch, &image);
                    true
                }
                Opening::None => {
                    self.take(stretch, &(0..0));
                    false
                }
            };
        }
        let all = text.old.iter().filter(|old| old.word).all(|old| old.look == Some(stretch.look));
        if all || text.words(stretch).all(|old| old.kept) {
            return true;
        }
        let Some(said) = anatomy.text.get(stretch.range.clone()) else { return true };
        if let Some(image) = text.phrase(said, anatomy, stretch) {
            self.give(stretch, &image);
            return true;
        }
        if text.words(stretch).filter(|old| !old.kept).all(|old| text.is_light(old.hunk)) {
            return true;
        }
        if let Some(image) = text.image(anatomy, stretch) {
            self.give(stretch, &image);
            return true;
        }
        // All or nothing: a few little words that stay are not what was emphasised.
        let weight = |old: &Old| old.range.len();
        let stays: usize = text.words(stretch).filter(|old| old.kept).map(weight).sum();
        let whole: usize = text.words(stretch).map(weight).sum();
        if stays * 2 < whole {
            self.take(stretch, &(0..0));
        }
        !text.is_replaced(stretch)
    }

    /// What stands in `image` looks like the stretch, and what else took over its look does not.
    fn give(&mut self, stretch: &Stretch, image: &Range<usize>) {
        self.take(stretch, image);
        let inside = |shown: &Range<usize>| image.start <= shown.start && shown.end <= image.end;
        for (new, wanted) in self.text.new.iter().zip(&mut self.wanted).filter(|(new, _)| inside(&new.shown))
        {
            *wanted = Some(stretch.look);
            let _ = new;
        }
        for (old, look) in self.text.old.iter().zip(&mut self.kept).filter(|(old, _)| old.kept) {
            if inside(&old.shown) {
                *look = Some(stretch.look);
            }
        }
    }

    /// Takes the look from all that is not in `image`: what stays of the stretch, and new text in its place.
    fn take(&mut self, stretch: &Stretch, image: &Range<usize>) {
        let text = self.text;
        let outside = |shown: &Range<usize>| shown.start < image.start || image.end < shown.end;
        let mut hunks: BTreeSet<usize> = BTreeSet::new();
        for index in stretch.tokens.clone() {
            let (Some(old), Some(look)) = (text.old.get(index), self.kept.get_mut(index)) else { continue };
            match old.kept {
                true if outside(&old.shown) => *look = Some(self.base),
                true => {}
                false => drop(hunks.insert(old.hunk)),
            }
        }
        // Text put between the tokens of the stretch belongs to it, too.
        let between =
            text.hunks.iter().enumerate().filter(|(_, hunk)| {
                stretch.range.start < hunk.range.start && hunk.range.end < stretch.range.end
            });
        hunks.extend(between.map(|(index, _)| index));
        for (new, wanted) in text.new.iter().zip(&mut self.wanted) {
            if hunks.contains(&new.hunk) && *wanted == Some(stretch.look) && outside(&new.shown) {
                *wanted = Some(self.base);
            }
        }
    }

    /// Blanks, quotes and stops that stay at an end of emphasis whose next word went are plain.
    pub(super) fn strip_edges(&mut self, acts: &[Act]) {
        // In the order of the text as it will be: new tokens, and old ones that stay.
        let mut shown: Vec<(Option<usize>, Option<usize>)> = Vec::new();
        for (index, act) in acts.iter().enumerate() {
            match act {
                Act::Keep { old: range, .. } => {
                    let from = self.text.old.partition_point(|old| old.range.start < range.start);
                    let inside = self.text.old.iter().enumerate().skip(from);
                    let inside = inside.take_while(|(_, old)| old.range.end <= range.end);
                    shown.extend(inside.map(|(at, _)| (None, Some(at))));
                }
                Act::Put { .. } => {
                    let from = self.text.new.partition_point(|new| new.act < index);
                    let of_act = self.text.new.iter().enumerate().skip(from);
                    shown.extend(
                        of_act.take_while(|(_, new)| new.act == index).map(|(at, _)| (Some(at), None)),
                    );
                }
                Act::Cut { .. } => {}
            }
        }
        // Each pass may take a neighbour away from the next one.
        for _ in 0..3 {
            let mut bare = Vec::new();
            for (index, (_, at)) in shown.iter().enumerate() {
                let Some((at, old)) = at.and_then(|at| Some((at, self.text.old.get(at)?))) else { continue };
                let Some(look) = self.kept.get(at).copied().flatten().filter(|look| *look != self.base)
                else {
                    continue;
                };
                if old.word {
                    continue;
                }
                let now = |beside: Option<usize>| {
                    let (new, old) = beside.and_then(|beside| shown.get(beside))?;
                    match (new, old) {
                        (Some(new), _) => self.wanted.get(*new).copied().flatten(),
                        (_, Some(old)) => self.kept.get(*old).copied().flatten(),
                        _ => Some(look),
                    }
                };
                let was = |beside: Option<usize>| self.text.old.get(beside?).and_then(|old| old.look);
                let lost = |was: Option<usize>, now: Option<usize>| was == Some(look) && now != was;
                let (left, right) = (at.checked_sub(1), Some(at + 1));
                if lost(was(left), now(index.checked_sub(1))) || lost(was(right), now(Some(index + 1))) {
                    bare.push(at);
                }
            }
            if bare.is_empty() {
                return;
            }
            for at in bare {
                if let Some(look) = self.kept.get_mut(at) {
                    *look = Some(self.base);
                }
            }
        }
    }

    /// What stays and looks otherwise from now on.
    pub(super) fn restyled(&self) -> Vec<(Range<usize>, usize)> {
        let changed =
            self.text.old.iter().zip(&self.kept).filter(|(old, look)| old.kept && old.look != **look);
        changed.filter_map(|(old, look)| Some((old.range.clone(), (*look)?))).collect()
    }
}

/// What became of the header that opened a paragraph.
pub(super) enum Opening {
    Same,
    /// It stands here in the new text.
    Now(Range<usize>),
    None,
}

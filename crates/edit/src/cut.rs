//! A stretch of text or bytes that has to be there.
//!
//! Ranges come from looking at a text and are used a few lines later on the same text, so one that does not fit is our
//! mistake. Taking nothing in its place would turn the mistake into another edit than the one that was asked for;
//! [`Cut::cut`] makes it a refusal, which leaves the document as it was and says where the mistake is; [`Cut::part`] is
//! for code that cannot refuse, and ends the call, with the same effect for whoever asked.

use std::panic::Location;
use std::slice::SliceIndex;

use crate::Refusal;

pub trait Cut {
    fn cut<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> Result<&Self, Refusal>;

    fn part<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> &Self;

    /// What is left from here on: nothing at the end, and nothing beyond it, where readers of broken files end up.
    fn left(&self, from: usize) -> &Self;
}

impl Cut for str {
    #[track_caller]
    fn cut<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> Result<&Self, Refusal> {
        self.get(range).ok_or_else(missed(self.len()))
    }

    #[inline]
    #[track_caller]
    fn part<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> &Self {
        &self[range]
    }

    #[inline]
    #[track_caller]
    fn left(&self, from: usize) -> &Self {
        &self[from.min(self.len())..]
    }
}

impl<T> Cut for [T] {
    #[track_caller]
    fn cut<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> Result<&Self, Refusal> {
        self.get(range).ok_or_else(missed(self.len()))
    }

    #[inline]
    #[track_caller]
    fn part<I: SliceIndex<Self, Output = Self>>(&self, range: I) -> &Self {
        &self[range]
    }

    #[inline]
    fn left(&self, from: usize) -> &Self {
        &self[from.min(self.len())..]
    }
}

#[track_caller]
fn missed(length: usize) -> impl FnOnce() -> Refusal {
    let place = Location::caller();
    move || {
        let (file, line) = (place.file(), place.line());
        Refusal::internal(format!("{file}:{line} asks for a range that is not within the {length} there are"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_end_nothing_is_left() {
        assert_eq!(("ab".left(1), "ab".left(2), "ab".left(9)), ("b", "", ""));
        assert_eq!([1, 2].left(3), &[] as &[i32]);
    }

    #[test]
    fn what_is_there_is_cut_and_what_is_not_is_refused_with_the_place() {
        assert_eq!("häuser".cut(0..3), Ok("hä"));
        assert_eq!([1, 2, 3].cut(1..), Ok(&[2, 3][..]));
        for refusal in ["häuser".cut(0..2).unwrap_err(), "ab".cut(1..3).unwrap_err()] {
            let Refusal::Internal { why } = refusal else { panic!("{refusal}") };
            assert!(why.contains("cut.rs:"), "{why}");
        }
    }
}

//! What is left out says nothing.
//!
//! An attribute that a tag does not have, a label that a paragraph does not carry, an argument that nobody gave: to
//! read it as the empty text or list is the meaning of the format, and [`OrEmpty::or_empty`] says so. It is for texts
//! and lists only, since no number left out is zero by itself. What has to be there, a range above all, is
//! [`Cut`](crate::Cut), and `tidy` sees to it that the two are not mixed up.

use std::borrow::Cow;

/// An option whose absence means the same as something empty.
pub trait OrEmpty {
    type Known;

    fn or_empty(self) -> Self::Known;
}

macro_rules! empty_by_default {
    ($([$($of:tt)*] $known:ty),* $(,)?) => {$(
        impl<$($of)*> OrEmpty for Option<$known> {
            type Known = $known;

            #[inline]
            fn or_empty(self) -> $known {
                self.unwrap_or_default()
            }
        }
    )*};
}

empty_by_default! {
    ['a] &'a str,
    [] String,
    ['a] Cow<'a, str>,
    ['a] Cow<'a, [u8]>,
    ['a, T] &'a [T],
    [T] Vec<T>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_is_empty() {
        assert_eq!((Some("a").or_empty(), None::<&str>.or_empty()), ("a", ""));
        assert_eq!(None::<Vec<u8>>.or_empty(), Vec::<u8>::new());
    }
}

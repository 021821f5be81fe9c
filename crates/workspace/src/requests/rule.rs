//! One rule for a text that a request replaces, deletes or marks, whatever the document: whole words as they are written;
//! where there are none, whole words in any case. A text that stands only inside other words is refused with one of them,
//! because "air" was never meant to change "fair".

use std::ops::Range;

use edit::Refusal;

/// How a text is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looked {
    pub(super) case: bool,
    pub(super) whole: bool,
}

/// What was found, how, and how many other places have it inside a word or in another case.
pub(super) struct Hits<T> {
    pub(super) kept: Vec<T>,
    pub(super) looked: Looked,
    pub(super) others: usize,
}

impl<T> Hits<T> {
    /// What whoever asked should know of the places that were left.
    pub(super) fn remark(&self, text: &str) -> Option<String> {
        (self.others > 0).then(|| {
            format!(
                "{} more with \"{text}\" inside a longer word or in another case were left alone",
                self.others
            )
        })
    }
}

/// The hits that are meant; none where there are none at all.
pub(super) fn hits<T>(
    text: &str,
    mut find: impl FnMut(Looked) -> Result<Vec<T>, Refusal>,
) -> Result<Hits<T>, Refusal> {
    let whole = is_wordlike(text);
    let all = find(Looked { case: false, whole: false })?.len();
    for case in [true, false] {
        let looked = Looked { case, whole };
        let kept = find(looked)?;
        if !kept.is_empty() || all == 0 {
            let others = all.saturating_sub(kept.len());
            return Ok(Hits { kept, looked, others });
        }
    }
    Err(Refusal::NotFound {
        what: "word",
        id: text.to_owned(),
        nearest: vec![format!("it stands {all} times inside longer words; name one of them whole")],
    })
}

/// Whether both ends of a text are parts of words, so that a longer word can hold it.
fn is_wordlike(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric)
}

/// Whether a stretch of a text is no part of a longer word or number.
pub(super) fn stands_alone(all: &str, range: &Range<usize>) -> bool {
    let (Some(before), Some(own), Some(after)) =
        (all.get(..range.start), all.get(range.clone()), all.get(range.end..))
    else {
        return false;
    };
    !runs_on(before.chars().rev(), own.chars().next()) && !runs_on(after.chars(), own.chars().next_back())
}

/// Whether what stands beside the end of a text belongs to the same word: a letter or figure, a figure behind the comma or
/// point of a number, a letter behind a hyphen. `chars` go away from the text, which ends in `own`.
fn runs_on(mut chars: impl Iterator<Item = char>, own: Option<char>) -> bool {
    let Some(own) = own.filter(|c| c.is_alphanumeric() || *c == '_') else { return false };
    let Some(next) = chars.next() else { return false };
    let further = chars.next();
    match next {
        c if c.is_alphanumeric() || c == '_' => true,
        '.' | ',' => own.is_ascii_digit() && further.is_some_and(|c| c.is_ascii_digit()),
        '-' | '\u{2010}' | '\u{2011}' => {
            let figures = own.is_ascii_digit() && further.is_some_and(|c| c.is_ascii_digit());
            !figures && further.is_some_and(char::is_alphanumeric)
        }
        _ => false,
    }
}

/// A new text with the case of the words that it replaces, where those were found in another case than they were said.
pub(super) fn adapted(found: &str, said: &str, with: &str) -> String {
    let lower = |text: &str| !text.chars().any(char::is_uppercase);
    if found == said || !lower(said) || !lower(with) {
        return with.to_owned();
    }
    let mut letters = found.chars().filter(|c| c.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let rest: Vec<char> = letters.collect();
    if first && !rest.is_empty() && rest.iter().all(|c| c.is_uppercase()) {
        return with.to_uppercase();
    }
    let mut new = with.chars();
    match (first, new.next()) {
        (true, Some(c)) => c.to_uppercase().chain(new).collect(),
        _ => with.to_owned(),
    }
}

/// Where a text stands in a plain one.
pub(super) fn places(all: &str, text: &str, looked: Looked) -> Vec<Range<usize>> {
    let (lower, wanted) = match looked.case {
        true => (all.to_owned(), text.to_owned()),
        false => (all.to_lowercase(), text.to_lowercase()),
    };
    // Letters that change their length with their case would shift the places.
    if wanted.is_empty() || lower.len() != all.len() {
        return all.match_indices(text).map(|(at, found)| at..at + found.len()).collect();
    }
    let found = lower.match_indices(&wanted).map(|(at, found)| at..at + found.len());
    found.filter(|range| !looked.whole || stands_alone(all, range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_behind_a_comma_and_a_word_behind_a_hyphen_go_on() {
        let alone = |all: &str, text: &str| {
            let at = all.find(text).unwrap();
            stands_alone(all, &(at..at + text.len()))
        };
        for (all, text) in [
            ("1,400 days", "400"),
            ("3.14", "14"),
            ("set-off", "off"),
            ("set-off", "set"),
            ("awesome-mac", "awesome"),
            ("a_b", "b"),
        ] {
            assert!(!alone(all, text), "{text} in {all}");
        }
        for (all, text) in [
            ("for 400, or", "400"),
            ("400.", "400"),
            ("2026-03-01", "2026"),
            ("the set-off.", "set-off"),
            ("- off", "off"),
            ("Customer's", "Customer"),
            ("(30)", "30"),
        ] {
            assert!(alone(all, text), "{text} in {all}");
        }
    }
}

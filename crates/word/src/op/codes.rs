//! Word's codes for characters that cannot be typed into a box: `^t`, `^p` and their kin.
//!
//! They count where somebody searches and replaces literally. A caret before any other letter is a caret.

use edit::Refusal;

/// Stands for the end of a paragraph in a query; no text holds it.
pub(super) const MARK: char = '\u{2029}';

const CODES: [(char, char); 8] = [
    ('t', '\t'),
    ('p', MARK),
    ('l', '\n'),
    ('s', '\u{A0}'),
    ('~', '\u{2011}'),
    ('+', '\u{2014}'),
    ('=', '\u{2013}'),
    ('^', '^'),
];

/// A text with its codes as the characters that they stand for.
pub(super) fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let code = rest.peek().filter(|_| character == '^');
        match code.and_then(|code| CODES.iter().find(|(known, _)| known == code)) {
            Some((_, meant)) => {
                rest.next();
                out.push(*meant);
            }
            None => out.push(character),
        }
    }
    out
}

/// A query and what takes its place, without the paragraph mark that both may end in.
pub(super) fn pair(query: &str, with: &str) -> Result<(String, String), Refusal> {
    let (query, with) = (decoded(query), decoded(with));
    let within = |text: &str| !text.contains(MARK);
    match (query.strip_suffix(MARK), with.strip_suffix(MARK)) {
        (None, _) if within(&query) => Ok((query, with.replace(MARK, "\n"))),
        // The end of the paragraph stays where it is, so only what stands before it is replaced.
        (Some(before), Some(new)) if within(before) && !before.is_empty() => {
            Ok((query.clone(), new.replace(MARK, "\n")))
        }
        _ => Err(Refusal::Unsupported {
            what: "replacing paragraph marks (^p in the query)".to_owned(),
            instead: Some(
                "let both query and replaceWith end in ^p, or take paragraphs away by their ids".to_owned(),
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_characters_and_other_carets_are_carets() {
        assert_eq!(decoded("a^tb^p"), "a\tb\u{2029}");
        assert_eq!(decoded("2^3 ^^t ^"), "2^3 ^t ^");
    }

    #[test]
    fn a_mark_that_stays_is_not_replaced() {
        assert_eq!(pair("a^p", "b^p"), Ok(("a\u{2029}".to_owned(), "b".to_owned())));
        assert_eq!(pair("a", "b^pc"), Ok(("a".to_owned(), "b\nc".to_owned())));
        assert!(pair("a^p", "b").is_err());
    }
}

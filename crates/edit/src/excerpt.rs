//! The beginning of a text, for messages that quote more than a line holds.

/// At most so many characters, and `…` where there are more.
#[must_use]
pub fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The same in one line, each stretch of blanks and line ends as one blank.
#[must_use]
pub fn line_excerpt(text: &str, most: usize) -> String {
    excerpt(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// The first few summaries in one line, and how many more there are.
#[must_use]
pub fn summed_up<'a>(summaries: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 3;
    let summaries: Vec<&str> = summaries.into_iter().collect();
    let (first, more) = summaries.split_at(summaries.len().min(SHOWN));
    let mut summary = first.join("; ");
    if !more.is_empty() {
        summary.push_str(&format!("; and {} more", more.len()));
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_between_characters() {
        assert_eq!((excerpt("häuser", 2), excerpt("hä", 2)), ("hä…".to_owned(), "hä".to_owned()));
        assert_eq!(line_excerpt(" two\n\tlines ", 5), "two l…");
    }

    #[test]
    fn three_are_told_and_the_others_counted() {
        assert_eq!(summed_up(["a", "b", "c"]), "a; b; c");
        assert_eq!(summed_up(["a", "b", "c", "d", "e"]), "a; b; c; and 2 more");
    }
}

//! The sentences of a paragraph: where one surely ends, and where only a reader could tell.

/// A sentence, with the place inside it at which another may begin.
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) doubt: Option<String>,
}

enum End {
    Sure,
    Doubtful,
    No,
}

/// Never the last word of a sentence: a name or a number follows.
const TITLES: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "messrs", "mme", "st", "hon", "rev", "gen", "col", "capt", "lt", "sgt",
    "art", "arts", "sec", "secs", "para", "paras", "cl", "fig", "figs", "nr", "vs", "cf", "viz", "approx",
    "ca", "eq", "vol", "pp",
];

/// Abbreviations that may as well be the last word of one.
const ABBREVIATIONS: &[&str] = &[
    "inc", "ltd", "corp", "co", "bros", "llc", "plc", "etc", "al", "jr", "sr", "no", "nos", "dept", "est",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ave", "blvd", "rd",
    "esq", "bzw", "usw",
];

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
];

/// Each ends where a full stop is followed by a capital, a figure or a quotation, and the word before it is no abbreviation.
pub(super) fn of(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let (mut start, mut doubt) = (0, None);
    for (at, mark) in text.char_indices().filter(|(_, mark)| matches!(mark, '.' | '!' | '?')) {
        let after = at + mark.len_utf8();
        let (Some(said), Some(rest)) = (text.get(start..at), text.get(after..)) else { continue };
        let rest_bare = rest.trim_start_matches(['”', '"', ')', '’', '\'', ']']);
        let end = after + rest.len() - rest_bare.len();
        let next = rest_bare.trim_start();
        if rest_bare.len() == next.len() && !next.is_empty() {
            continue;
        }
        let begins =
            |c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '“' | '"' | '(' | '‘' | '[');
        if !next.is_empty() && !next.starts_with(begins) {
            continue;
        }
        let whole = text.get(start..end).unwrap_or(said);
        let found = match (next.is_empty(), mark) {
            (true, _) => End::Sure,
            _ if is_open(whole) => End::Doubtful,
            (_, '.') => ending(said, next),
            _ => End::Sure,
        };
        match found {
            End::No => {}
            End::Doubtful => doubt = doubt.or_else(|| Some(around(said, next))),
            End::Sure => {
                sentences.push(Sentence { text: whole.trim().to_owned(), doubt: doubt.take() });
                start = end;
            }
        }
    }
    if let Some(rest) = text.get(start..).map(str::trim).filter(|rest| !rest.is_empty()) {
        sentences.push(Sentence { text: rest.to_owned(), doubt });
    }
    sentences.retain(|sentence| !sentence.text.is_empty());
    sentences
}

/// What a full stop behind these words is.
fn ending(said: &str, next: &str) -> End {
    let last = said.split_whitespace().next_back().unwrap_or(said);
    let word = last.trim_start_matches(|c: char| !c.is_alphanumeric());
    let lower = word.to_lowercase();
    let month = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(next).to_lowercase();
    if TITLES.contains(&lower.as_str()) {
        return End::No;
    }
    let letters = word.chars().all(char::is_alphabetic);
    let initials = word.contains('.')
        && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    let day = word.len() <= 2 && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let dated = day && MONTHS.contains(&month.as_str());
    let numbered = day && said.trim() == word;
    match () {
        () if dated || numbered => End::No,
        () if initials || letters && word.chars().count() == 1 => End::Doubtful,
        () if ABBREVIATIONS.contains(&lower.as_str()) => End::Doubtful,
        () => End::Sure,
    }
}

/// Whether a bracket or a quotation is still open at the end.
fn is_open(text: &str) -> bool {
    let count = |mark: char| text.matches(mark).count();
    count('(') > count(')') || count('“') > count('”') || count('"') % 2 == 1
}

/// The words at a full stop.
fn around(said: &str, next: &str) -> String {
    let last = said.split_whitespace().next_back().unwrap_or(said);
    let next = next.split_whitespace().next().unwrap_or(next);
    format!("{last}. {next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> (String, bool) {
        let first = of(text).swap_remove(0);
        (first.text, first.doubt.is_some())
    }

    #[test]
    fn titles_and_dates_end_no_sentence() {
        for (text, expected) in [
            ("Mr. Jones and Mrs. Lee pay. Next.", "Mr. Jones and Mrs. Lee pay."),
            ("See Art. 5 and Sec. 6 of it. Next.", "See Art. 5 and Sec. 6 of it."),
            ("On 5. March 2026 it ends. Next.", "On 5. March 2026 it ends."),
            ("The 5. Marker is due. Next.", "The 5."),
            ("He said \"Stop.\" Then he left.", "He said \"Stop.\""),
            ("Pay 3.5% on 1.1.2026. The fee is due.", "Pay 3.5% on 1.1.2026."),
        ] {
            assert_eq!(first(text), (expected.to_owned(), false));
        }
    }

    #[test]
    fn where_one_ends_is_said_to_be_doubtful() {
        for text in [
            "All fees are in U.S. Dollars. Next.",
            "Acme Corp. Bolt pays. Next.",
            "J. R. Smith pays. Next.",
            "(This is it. And more.) Next.",
            "Pay by Jan. 5. Next.",
        ] {
            assert!(first(text).1, "{text}");
        }
    }
}

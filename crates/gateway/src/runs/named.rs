//! Files that a message names, for an agent without a model: "Replace 2024 with 2025 in contract.docx".

/// What documents end in.
const ENDINGS: [&str; 8] = [".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".markdown", ".md", ".txt"];
/// What stands before the name of a file in which something is to be done.
const PLACES: [&str; 8] = ["in", "of", "from", "on", "inside", "within", "throughout", "across"];
/// What begins a request for which `to` is such a place as well.
const ADDS: [&str; 5] = ["add", "append", "insert", "attach", "prepend"];
/// The longest name that is looked for, in words.
const MOST_WORDS: usize = 8;

/// A file that a message may mean, and what is left of the message without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) file: String,
    pub(super) request: String,
}

/// Every reading of the message as one about a file, the shortest names first. Text in quotation marks is content.
pub(super) fn readings(message: &str) -> Vec<Named> {
    let words = words(message);
    let adds = words.first().is_some_and(|(start, end)| {
        message.get(*start..*end).is_some_and(|word| ADDS.contains(&word.to_lowercase().as_str()))
    });
    let mut found = Vec::new();
    for (last, (_, end)) in words.iter().enumerate() {
        let Some(name_end) = file_end(message, words[last].0, *end) else { continue };
        for first in (last.saturating_sub(MOST_WORDS)..last).rev() {
            let Some(place) = message.get(words[first].0..words[first].1).map(str::to_lowercase) else {
                continue;
            };
            let is_place = PLACES.contains(&place.as_str()) || (adds && place == "to");
            if !is_place || is_quoted(message, words[first].0) {
                continue;
            }
            let (from, to) = (words[first].0, words[first + 1].0);
            let name = message[to..name_end].trim_matches(QUOTES);
            let rest = format!("{} {}", &message[..from], message[name_end..].trim_start_matches(QUOTES));
            found.push(Named { file: name.to_owned(), request: tidied(&rest) });
        }
    }
    found
}

const QUOTES: [char; 9] = ['"', '\'', '“', '”', '„', '‘', '’', '`', '«'];

/// Where the words of a text begin and end.
fn words(message: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in message.char_indices() {
        match (character.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                words.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|from| (from, message.len())));
    words
}

/// Where the name of a file ends that ends in this word, punctuation aside.
fn file_end(message: &str, start: usize, end: usize) -> Option<usize> {
    let word = message.get(start..end)?;
    let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']).trim_end_matches(QUOTES);
    let lower = bare.to_lowercase();
    ENDINGS
        .iter()
        .any(|ending| lower.ends_with(ending) && lower.len() > ending.len())
        .then_some(start + bare.len())
}

/// Whether this place is inside quotation marks.
fn is_quoted(message: &str, at: usize) -> bool {
    let before = &message[..at];
    let count = |mark: char| before.matches(mark).count();
    count('"') % 2 == 1 || count('“') + count('„') > count('”') || count('«') > count('»')
}

/// Without what is left standing where the name was.
fn tidied(rest: &str) -> String {
    let mut text = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    for mark in [",", ".", ";", ":", "!", "?"] {
        text = text.replace(&format!(" {mark}"), mark);
    }
    text.trim_start_matches([',', ':', ';', ' ']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::readings;

    #[track_caller]
    fn check(message: &str, wanted: &[(&str, &str)]) {
        let found = readings(message);
        let found: Vec<(&str, &str)> =
            found.iter().map(|named| (named.file.as_str(), named.request.as_str())).collect();
        assert_eq!(found, wanted, "{message}");
    }

    #[test]
    fn a_file_in_which_something_is_to_be_done_is_named_with_its_place() {
        check("Replace A with B in contract.docx.", &[("contract.docx", "Replace A with B.")]);
        check("In deep/notes.md, replace A with B", &[("deep/notes.md", "replace A with B")]);
        check(
            "How many words of “Service Terms.docx” are there?",
            &[("Service Terms.docx", "How many words are there?")],
        );
        check("Append Reviewed. to notes.md", &[("notes.md", "Append Reviewed.")]);
        check(
            "Replace A with B in the file of May.docx",
            &[("May.docx", "Replace A with B in the file"), ("the file of May.docx", "Replace A with B")],
        );
        for message in [
            "Replace old.docx with new.docx",
            "Rename notes.md to other.md",
            "Add \"see in notes.md\" at the end",
            "in general",
            "",
            "Ü in ß",
        ] {
            check(message, &[]);
        }
    }
}

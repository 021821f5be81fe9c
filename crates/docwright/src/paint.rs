//! Lines for a terminal: in tones, wrapped to its width, in colours or in signs.

use crate::diff::{Row, Side};
use crate::visible::{visible, width};

/// What a piece of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Strong,
    Faint,
    Gone,
    Come,
    GoneWord,
    ComeWord,
    Warning,
}

/// Whether tones are told by colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Colours,
    Signs,
}

pub(crate) type Line = Vec<(Tone, String)>;

pub(crate) fn line(tone: Tone, text: impl Into<String>) -> Line {
    vec![(tone, text.into())]
}

/// A row of a comparison. Where there are no colours, signs stand around the words that differ.
pub(crate) fn compared(row: &Row, paint: Paint) -> Line {
    let (sign, whole, word, signs) = match row.side {
        Side::Same => ("  ", Tone::Plain, Tone::Plain, ("", "")),
        Side::Gone => ("- ", Tone::Gone, Tone::GoneWord, ("[-", "-]")),
        Side::Come => ("+ ", Tone::Come, Tone::ComeWord, ("{+", "+}")),
    };
    let mut line = line(whole, sign);
    for piece in &row.pieces {
        let text = visible(&piece.text);
        line.push(match (piece.differs, paint) {
            (false, _) => (whole, text),
            (true, Paint::Colours) => (word, text),
            (true, Paint::Signs) => (word, format!("{}{text}{}", signs.0, signs.1)),
        });
    }
    line
}

/// A line in as many rows as the width needs, broken between words where that can be; further rows are indented.
pub(crate) fn wrapped(line: &Line, columns: usize) -> Vec<Line> {
    const INDENT: usize = 2;
    let characters: Vec<(Tone, char)> =
        line.iter().flat_map(|(tone, text)| text.chars().map(move |c| (*tone, c))).collect();
    let mut rows = Vec::new();
    let mut rest = characters.as_slice();
    loop {
        let indent = if rows.is_empty() { 0 } else { INDENT };
        let room = columns.saturating_sub(indent).max(1);
        let fits = fitting(rest, room);
        let end = match rest.get(fits) {
            None => rest.len(),
            Some((_, ' ')) => fits,
            // Behind the last blank, unless that leaves a row that says nothing.
            Some(_) => {
                let blank = rest[..fits].iter().rposition(|(_, c)| *c == ' ').map(|at| at + 1);
                blank.filter(|end| *end > INDENT).unwrap_or(fits)
            }
        };
        let (row, behind) = rest.split_at(end.max(1).min(rest.len()));
        let mut pieces: Line = Vec::new();
        if indent > 0 {
            pieces.push((Tone::Plain, " ".repeat(indent)));
        }
        for (tone, c) in row {
            match pieces.last_mut() {
                Some((last, text)) if last == tone => text.push(*c),
                _ => pieces.push((*tone, c.to_string())),
            }
        }
        rows.push(pieces);
        // A blank at the edge is not needed to tell words apart.
        let blanks = behind.iter().take_while(|(_, c)| *c == ' ').count();
        rest = &behind[blanks..];
        if rest.is_empty() {
            return rows;
        }
    }
}

/// How many characters the room has space for.
fn fitting(characters: &[(Tone, char)], room: usize) -> usize {
    let mut used = 0;
    for (index, (_, c)) in characters.iter().enumerate() {
        used += width(*c);
        if used > room {
            return index;
        }
    }
    characters.len()
}

/// As it is sent to a terminal.
pub(crate) fn painted(line: &Line, paint: Paint) -> String {
    let piece = |(tone, text): &(Tone, String)| match (paint, code(*tone)) {
        (Paint::Colours, Some(code)) => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        _ => text.clone(),
    };
    line.iter().map(piece).collect()
}

fn code(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Strong => Some("1"),
        Tone::Faint => Some("2"),
        Tone::Gone => Some("31"),
        Tone::Come => Some("32"),
        Tone::GoneWord => Some("1;7;31"),
        Tone::ComeWord => Some("1;7;32"),
        Tone::Warning => Some("33"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff;

    fn rows(text: &str, columns: usize) -> Vec<String> {
        let rows = wrapped(&line(Tone::Plain, text), columns);
        rows.iter().map(|row| painted(row, Paint::Signs)).collect()
    }

    #[test]
    fn lines_break_between_words_and_wide_characters_count_twice() {
        assert_eq!(rows("one two three", 9), ["one two ", "  three"]);
        assert_eq!(rows("one two  three", 7), ["one two", "  three"]);
        assert_eq!(rows("abcdefghij", 4), ["abcd", "  ef", "  gh", "  ij"]);
        assert_eq!(rows("漢字漢字", 4), ["漢字", "  漢", "  字"]);
        assert_eq!(rows("", 4), [""]);
        assert_eq!(rows("漢", 1), ["漢"]);
    }

    #[test]
    fn what_differs_reads_without_colours() {
        let rows = diff::rows("Dear Sir", "Dear Madam");
        let signs: Vec<String> =
            rows.iter().map(|row| painted(&compared(row, Paint::Signs), Paint::Signs)).collect();
        assert_eq!(signs, ["- Dear [-Sir-]", "+ Dear {+Madam+}"]);
        let colours = painted(&compared(&rows[0], Paint::Colours), Paint::Colours);
        assert_eq!(colours, "\u{1b}[31m- \u{1b}[0m\u{1b}[31mDear \u{1b}[0m\u{1b}[1;7;31mSir\u{1b}[0m");
    }
}

//! What differs between two texts: line by line, and word by word within the lines that differ.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// A line of one text or of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) side: Side,
    pub(crate) pieces: Vec<LinePart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Same,
    Gone,
    Come,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinePart {
    pub(crate) text: String,
    /// Whether it is what makes the line differ; nothing is where all of a line does.
    pub(crate) differs: bool,
}

/// Lines that are the same, shown around those that differ.
const AROUND: usize = 2;

/// Characters that are the same, shown around those that differ.
const NEAR: usize = 60;

pub(crate) fn rows(before: &str, after: &str) -> Vec<Row> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut rows = Vec::new();
    let mut shared = 0..0;
    let hunks = hunks(&old, &new);
    let last = hunks.len();
    for (index, (gone, come)) in hunks.into_iter().enumerate() {
        shared.end = gone.start;
        rows.extend(same(&old[shared.clone()], index > 0, true));
        shared.start = gone.end;
        rows.extend(changed(&old[gone], &new[come]));
    }
    rows.extend(same(&old[shared.start..], last > 0, false));
    rows
}

/// What the two have not in common, as ranges of both.
fn hunks(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

/// Lines that both have; of many, only those next to what differs.
fn same(lines: &[&str], behind: bool, ahead: bool) -> Vec<Row> {
    let row = |line: &&str| Row {
        side: Side::Same,
        pieces: vec![LinePart { text: (*line).to_owned(), differs: false }],
    };
    let kept = (usize::from(behind) * AROUND, usize::from(ahead) * AROUND);
    if lines.len() <= kept.0 + kept.1 + 1 || !behind && !ahead {
        return lines.iter().map(row).collect();
    }
    let left_out = format!("… {} lines that stay", lines.len() - kept.0 - kept.1);
    let mut rows: Vec<Row> = lines[..kept.0].iter().map(row).collect();
    rows.push(row(&left_out.as_str()));
    rows.extend(lines[lines.len() - kept.1..].iter().map(row));
    rows
}

fn changed(gone: &[&str], come: &[&str]) -> Vec<Row> {
    let (old, new) = (gone.join("\n"), come.join("\n"));
    let (old, new) = (words(&old), words(&new));
    let hunks = hunks(&old, &new);
    let of = |tokens: &[&str], differing: Vec<Range<usize>>| -> Vec<LinePart> {
        let kept = tokens.len() - differing.iter().map(ExactSizeIterator::len).sum::<usize>();
        if kept == 0 {
            return vec![LinePart { text: tokens.concat(), differs: false }];
        }
        let (mut pieces, mut at) = (Vec::new(), 0);
        for range in differing {
            pieces.push(LinePart { text: tokens[at..range.start].concat(), differs: false });
            pieces.push(LinePart { text: tokens[range.clone()].concat(), differs: true });
            at = range.end;
        }
        pieces.push(LinePart { text: tokens[at..].concat(), differs: false });
        pieces.retain(|piece| !piece.text.is_empty());
        shortened(pieces)
    };
    // An empty line that comes is a row, though it has no words.
    let mut rows = Vec::new();
    if !gone.is_empty() {
        rows.extend(in_lines(Side::Gone, of(&old, hunks.iter().map(|(gone, _)| gone.clone()).collect())));
    }
    if !come.is_empty() {
        rows.extend(in_lines(Side::Come, of(&new, hunks.iter().map(|(_, come)| come.clone()).collect())));
    }
    rows
}

/// Words, blanks, line ends and single signs, which together are the text.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = class(first);
        let end = match class {
            Class::Sign => first.len_utf8(),
            _ => rest.find(|c| self::class(c) != class).unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(end);
        words.push(word);
        rest = behind;
    }
    words
}

#[derive(PartialEq, Eq)]
enum Class {
    Word,
    Blank,
    Sign,
}

fn class(c: char) -> Class {
    match c {
        '\n' => Class::Sign,
        c if c.is_whitespace() => Class::Blank,
        c if c.is_alphanumeric() || c == '_' => Class::Word,
        _ => Class::Sign,
    }
}

/// Long stretches that stay are cut down to what is near what does not.
fn shortened(pieces: Vec<LinePart>) -> Vec<LinePart> {
    let last = pieces.len().saturating_sub(1);
    let shorten = |(index, piece): (usize, LinePart)| {
        let length = piece.text.chars().count();
        if piece.differs || length <= 2 * NEAR + 20 || piece.text.contains('\n') {
            return piece;
        }
        let head: String = piece.text.chars().take(NEAR).collect();
        let tail: String = piece.text.chars().skip(length - NEAR).collect();
        let text = match index {
            0 => format!("…{tail}"),
            index if index == last => format!("{head}…"),
            _ => format!("{head} … {tail}"),
        };
        LinePart { text, ..piece }
    };
    pieces.into_iter().enumerate().map(shorten).collect()
}

fn in_lines(side: Side, pieces: Vec<LinePart>) -> Vec<Row> {
    let mut rows = vec![Row { side, pieces: Vec::new() }];
    for LinePart { text, differs } in pieces {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                rows.push(Row { side, pieces: Vec::new() });
            }
            if let Some(row) = rows.last_mut().filter(|_| !line.is_empty()) {
                row.pieces.push(LinePart { text: line.to_owned(), differs });
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> Vec<String> {
        let row = |row: Row| {
            let sign = match row.side {
                Side::Same => ' ',
                Side::Gone => '-',
                Side::Come => '+',
            };
            let pieces = row.pieces.iter().map(|piece| match piece.differs {
                true => format!("[{}]", piece.text),
                false => piece.text.clone(),
            });
            format!("{sign}{}", pieces.collect::<String>())
        };
        rows(before, after).into_iter().map(row).collect()
    }

    #[test]
    fn words_that_differ_are_told_within_their_lines() {
        assert_eq!(
            told("Dear Sir, hello", "Dear Madam, hello"),
            ["-Dear [Sir], hello", "+Dear [Madam], hello"]
        );
        assert_eq!(told("a\nb c\nd", "a\nb x\nd"), [" a", "-b [c]", "+b [x]", " d"]);
    }

    #[test]
    fn lines_that_come_or_go_are_told_whole() {
        assert_eq!(told("", "new\nlines"), ["+new", "+lines"]);
        assert_eq!(told("old", ""), ["-old"]);
        assert_eq!(told("one", "two"), ["-one", "+two"]);
        assert_eq!(told("a\nb", "a\n\nb"), [" a", "+", " b"]);
    }

    #[test]
    fn what_stays_is_cut_down_to_what_is_near() {
        let text = "x\n".repeat(20);
        let rows = told(&format!("{text}a\n{text}"), &format!("{text}b\n{text}"));
        assert_eq!(
            rows,
            ["… 18 lines that stay", "x", "x"]
                .map(|line| format!(" {line}"))
                .into_iter()
                .chain(["-a".into(), "+b".into()])
                .chain(["x", "x", "… 18 lines that stay"].map(|line| format!(" {line}")))
                .collect::<Vec<_>>()
        );
        let long = "word ".repeat(100);
        let rows = told(&format!("{long}end"), &format!("{long}stop"));
        assert!(
            rows[0].starts_with("-…") && rows[0].ends_with("word [end]") && rows[0].len() < 100,
            "{}",
            rows[0]
        );
    }

    #[test]
    fn texts_that_are_the_same_are_told_once() {
        assert_eq!(told("bold", "bold"), [" bold"]);
        assert_eq!(told("", ""), Vec::<String>::new());
    }
}

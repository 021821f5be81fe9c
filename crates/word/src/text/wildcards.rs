//! Word's own search patterns: `?`, `*`, `[a-z]`, `[!x]`, `{n,m}`, `@`, `<`, `>`, `( )`, `\1` and the `^` codes.
//!
//! A pattern without back-references becomes a regular expression and matches in linear time. One with a
//! back-reference is matched by trying, within a budget of steps, and refused beyond it. As in Word, letters
//! are matched with their case, `*` and `@` take as little as they can, and `{n,m}` as much as it can.
//!
//! A paragraph mark (`^p`, `^13`) is the character `\r`; a line break (`^l`, `^11`) is `\n`, a page break
//! `\u{c}`. Whether a text ends in a mark is for the caller to say.

mod backtrack;
mod parse;
mod replacement;

use std::ops::Range;

use edit::Refusal;
use regex::Regex;

pub use replacement::Replacement;

/// A pattern ready to search with.
#[derive(Debug, Clone)]
pub struct Pattern {
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    Linear(Regex),
    Trying(Vec<Item>),
}

/// Where a pattern matched, in bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub range: Range<usize>,
    /// What each pair of brackets took, from `\1` on.
    pub groups: Vec<Option<Range<usize>>>,
}

/// A piece of a pattern with how often it may occur.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    what: What,
    least: u32,
    most: Option<u32>,
    greedy: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Literal(char),
    Any,
    Set { negated: bool, ranges: Vec<(char, char)> },
    WordStart,
    WordEnd,
    Group { number: usize, items: Vec<Item> },
    Back(usize),
}

impl Pattern {
    pub fn parse(pattern: &str) -> Result<Self, Refusal> {
        let items = parse::parse(pattern)?;
        if parse::has_back_reference(&items) {
            return Ok(Self { engine: Engine::Trying(items) });
        }
        let mut source = String::from("(?s)");
        to_regex(&items, &mut source);
        let regex =
            regex::RegexBuilder::new(&source).size_limit(8 << 20).build().map_err(|_| Refusal::Limit {
                what: "the size of the pattern".into(),
                found: format!("`{pattern}`"),
                limit: "8 MiB compiled".to_owned(),
            })?;
        Ok(Self { engine: Engine::Linear(regex) })
    }

    /// All matches without overlaps, from the left. Empty matches are left out, as in Word.
    pub fn find_all(&self, text: &str) -> Result<Vec<Match>, Refusal> {
        match &self.engine {
            Engine::Linear(regex) => Ok(regex
                .captures_iter(text)
                .filter_map(|found| {
                    let range = found.get(0)?.range();
                    let groups = (1..found.len()).map(|n| found.get(n).map(|group| group.range())).collect();
                    (!range.is_empty()).then_some(Match { range, groups })
                })
                .collect()),
            Engine::Trying(items) => backtrack::find_all(items, text),
        }
    }
}

/// What a reader counts as one: a flag, a picture of several, or a character.
const ONE: &str = "(?:\\p{RI}{2}|\\p{ExtPict}[\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]*(?:\\x{200D}\\p{ExtPict}[\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]*)*|.)";

fn to_regex(items: &[Item], out: &mut String) {
    for item in items {
        match &item.what {
            What::Literal(c) => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            // `*` takes any characters there are, whole ones or not.
            What::Any => out.push_str(if item.most.is_none() { "." } else { ONE }),
            What::Set { negated, ranges } => {
                out.push_str(if *negated { "[^" } else { "[" });
                for (low, high) in ranges {
                    out.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(*low), u32::from(*high)));
                }
                out.push(']');
            }
            What::WordStart => out.push_str("\\b{start}"),
            What::WordEnd => out.push_str("\\b{end}"),
            What::Group { items, .. } => {
                out.push('(');
                to_regex(items, out);
                out.push(')');
            }
            // Patterns with back-references never come here.
            What::Back(_) => {}
        }
        match (item.least, item.most) {
            (1, Some(1)) => continue,
            (least, Some(most)) => out.push_str(&format!("{{{least},{most}}}")),
            (least, None) => out.push_str(&format!("{{{least},}}")),
        }
        if !item.greedy {
            out.push('?');
        }
    }
}

#[cfg(test)]
mod tests;

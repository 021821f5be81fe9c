//! Criteria as `SUMIF`, `COUNTIFS` and the database functions read them, and wildcard patterns.

use std::cmp::Ordering;

use crate::ast::Operator;
use crate::coerce;
use crate::key::{folded, lower, same_text};
use crate::region::Region;
use crate::value::{ErrorKind, Value};

/// A test on one cell.
#[derive(Clone, Debug)]
pub(crate) struct Criterion {
    pub(crate) operator: Operator,
    pub(crate) wanted: Wanted,
}

#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Number(f64),
    Bool(bool),
    Error(ErrorKind),
    /// Text without wildcards, in lower case.
    Text(String),
    Pattern(Pattern),
    /// `=`: only a cell with nothing in it.
    Nothing,
    /// `""`: nothing, or an empty text.
    Empty,
}

impl Criterion {
    pub(crate) fn parse(value: &Value, region: Region) -> Criterion {
        let equal = |wanted| Criterion { operator: Operator::Equal, wanted };
        let text = match value {
            Value::Number(number) => return equal(Wanted::Number(*number)),
            Value::Blank => return equal(Wanted::Number(0.0)),
            Value::Bool(flag) => return equal(Wanted::Bool(*flag)),
            Value::Error(kind) => return equal(Wanted::Error(*kind)),
            Value::Text(text) => text,
        };
        let operators = [
            (">=", Operator::GreaterEqual),
            ("<=", Operator::LessEqual),
            ("<>", Operator::NotEqual),
            (">", Operator::Greater),
            ("<", Operator::Less),
            ("=", Operator::Equal),
        ];
        let found = operators
            .iter()
            .find_map(|(symbol, operator)| text.strip_prefix(symbol).map(|rest| (*operator, rest)));
        let (operator, rest) = match found {
            Some((operator, rest)) => (operator, rest),
            None if text.is_empty() => return equal(Wanted::Empty),
            None => (Operator::Equal, &**text),
        };
        if rest.is_empty() {
            return Criterion {
                operator,
                wanted: if found.is_some() { Wanted::Nothing } else { Wanted::Empty },
            };
        }
        let wanted = if let Some(number) = coerce::text_to_number(rest, region) {
            Wanted::Number(number)
        } else if rest.eq_ignore_ascii_case("TRUE") {
            Wanted::Bool(true)
        } else if rest.eq_ignore_ascii_case("FALSE") {
            Wanted::Bool(false)
        } else if let Some(kind) = ErrorKind::parse(rest) {
            Wanted::Error(kind)
        } else if matches!(operator, Operator::Equal | Operator::NotEqual) && rest.contains(['*', '?', '~']) {
            Wanted::Pattern(Pattern::new(rest))
        } else {
            Wanted::Text(folded(rest).into_owned())
        };
        Criterion { operator, wanted }
    }

    pub(crate) fn matches(&self, value: &Value) -> bool {
        match self.operator {
            Operator::Equal => self.equals(value),
            Operator::NotEqual => match (&self.wanted, value) {
                // Text that reads as the number is equal to it, yet also different from it.
                (Wanted::Number(_), Value::Text(_)) => true,
                _ => !self.equals(value),
            },
            _ => {
                let order = match (&self.wanted, value) {
                    (Wanted::Number(wanted), Value::Number(number)) => number.partial_cmp(wanted),
                    (Wanted::Text(wanted), Value::Text(text)) => Some(coerce::compare_text(text, wanted)),
                    (Wanted::Bool(wanted), Value::Bool(flag)) => Some(flag.cmp(wanted)),
                    _ => None,
                };
                match (order, self.operator) {
                    (None, _) => false,
                    (Some(order), Operator::Less) => order == Ordering::Less,
                    (Some(order), Operator::LessEqual) => order != Ordering::Greater,
                    (Some(order), Operator::Greater) => order == Ordering::Greater,
                    (Some(order), _) => order != Ordering::Less,
                }
            }
        }
    }

    fn equals(&self, value: &Value) -> bool {
        match (&self.wanted, value) {
            (Wanted::Number(wanted), Value::Number(number)) => wanted == number,
            (Wanted::Number(wanted), Value::Text(text)) => coerce::plain_number(text) == Some(*wanted),
            (Wanted::Bool(wanted), Value::Bool(flag)) => wanted == flag,
            (Wanted::Error(wanted), Value::Error(kind)) => wanted == kind,
            (Wanted::Text(wanted), Value::Text(text)) => same_text(wanted, text),
            (Wanted::Pattern(pattern), Value::Text(text)) => pattern.matches(text),
            (Wanted::Nothing, value) => value.is_blank(),
            (Wanted::Empty, Value::Blank) => true,
            (Wanted::Empty, Value::Text(text)) => text.is_empty(),
            _ => false,
        }
    }

    /// Whether a cell with nothing in it passes.
    pub(crate) fn matches_blank(&self) -> bool {
        self.matches(&Value::Blank)
    }
}

/// Text with `*`, `?` and `~`, matched without case.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Letter(char),
    Any,
    Many,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '*' if parts.last() != Some(&Part::Many) => parts.push(Part::Many),
                '*' => {}
                '?' => parts.push(Part::Any),
                // A tilde takes the next letter as it is; one at the end stands for nothing.
                '~' => {
                    if let Some(next) = letters.next() {
                        parts.extend(lower(next).map(Part::Letter));
                    }
                }
                other => parts.extend(lower(other).map(Part::Letter)),
            }
        }
        Pattern { parts }
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        let letters: Vec<char> = text.chars().flat_map(lower).collect();
        self.prefix(&letters, true).is_some()
    }

    /// Where the pattern first matches inside the letters (already in lower case).
    pub(crate) fn find(&self, letters: &[char], from: usize) -> Option<usize> {
        (from..=letters.len()).find(|start| self.prefix(&letters[*start..], false).is_some())
    }

    /// Match at the start of the letters, to their very end if asked; how many letters that took.
    fn prefix(&self, letters: &[char], whole: bool) -> Option<usize> {
        let (mut part, mut at) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let fits = match self.parts.get(part) {
                None if !whole || at == letters.len() => return Some(at),
                None => false,
                Some(Part::Many) => {
                    retry = Some((part, at));
                    part += 1;
                    continue;
                }
                Some(Part::Any) => at < letters.len(),
                Some(Part::Letter(wanted)) => letters.get(at) == Some(wanted),
            };
            if fits {
                part += 1;
                at += 1;
                continue;
            }
            // Let the last `*` take one letter more.
            let (star, taken) = retry?;
            if taken >= letters.len() {
                return None;
            }
            retry = Some((star, taken + 1));
            part = star + 1;
            at = taken + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, fits) in [
            ("a*", "Apple", true),
            ("*le", "apple", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("~*", "*", true),
            ("a*b*c", "aXXbYYc", true),
            ("a*b*c", "aXXbYY", false),
            ("*", "", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), fits, "{pattern} {text}");
        }
    }
}

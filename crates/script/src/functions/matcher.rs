//! What a cell is looked for by: texts without case and with small misspellings, numbers, regular expressions.

use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::write::DateInput;
use crate::host::Fault;

/// A text (found inside cells, without case), a number, true or false, a RegExp, a Date, or a list of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum MatcherArg {
    Many(Vec<One>),
    Single(One),
}

/// A text (found inside cells, without case), a number, true or false, a RegExp or a Date.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum One {
    Text(String),
    Number(f64),
    Bool(bool),
    Pattern(PatternArg),
    Date(DateInput),
}

impl std::fmt::Display for One {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            One::Text(text) => write!(f, "`{text}`"),
            One::Number(number) => write!(f, "{number}"),
            One::Bool(truth) => write!(f, "{truth}"),
            One::Pattern(pattern) => write!(f, "/{}/", pattern.source),
            One::Date(date) => write!(f, "{}", date.day()),
        }
    }
}

/// A JavaScript RegExp.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatternArg {
    #[serde(rename = "$regexp")]
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) flags: String,
}

/// A matcher that is ready to be asked.
#[derive(Debug)]
pub(crate) struct Matcher(Vec<Ready>);

#[derive(Debug)]
enum Ready {
    Text(String),
    Number(f64),
    Bool(bool),
    Pattern(Regex),
    Day(String),
}

/// How well a cell matches; better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    Whole,
    Word,
    Inside,
    /// With a letter or two wrong; counts only where nothing fits better.
    Nearly,
}

impl Matcher {
    pub(crate) fn new(argument: &MatcherArg) -> Result<Self, Fault> {
        let all = match argument {
            MatcherArg::Many(all) => all.clone(),
            MatcherArg::Single(one) => vec![one.clone()],
        };
        let ready = all.into_iter().map(|one| {
            Ok(match one {
                One::Text(text) if text.trim().is_empty() => {
                    return Err(Fault::invalid("an empty text is in every cell; say what to look for"));
                }
                One::Text(text) => Ready::Text(folded(&text)),
                One::Number(number) => Ready::Number(number),
                One::Bool(truth) => Ready::Bool(truth),
                One::Pattern(pattern) => Ready::Pattern(compiled(&pattern)?),
                One::Date(date) => Ready::Day(date.day()),
            })
        });
        let ready: Vec<Ready> = ready.collect::<Result<_, Fault>>()?;
        if ready.is_empty() {
            return Err(Fault::invalid("there is nothing to look for"));
        }
        Ok(Self(ready))
    }

    /// How a cell fits, by its value, its shown text, and the day it shows if it is a date.
    pub(crate) fn fit(&self, value: &sheet::Value, shown: &str, day: Option<&str>) -> Option<Fit> {
        let fits = self.0.iter().filter_map(|ready| match (ready, value) {
            (Ready::Number(wanted), sheet::Value::Number(number)) if close(*wanted, *number) => {
                Some(Fit::Whole)
            }
            (Ready::Number(wanted), _) => (shown.trim() == wanted.to_string()).then_some(Fit::Whole),
            (Ready::Bool(wanted), sheet::Value::Bool(truth)) => (wanted == truth).then_some(Fit::Whole),
            (Ready::Bool(_), _) => None,
            (Ready::Pattern(pattern), _) => pattern.is_match(shown).then_some(Fit::Inside),
            (Ready::Day(wanted), _) => (day == Some(wanted)).then_some(Fit::Whole),
            // `2024-02` is a month of days, and `2024-02-29` one of them.
            (Ready::Text(wanted), _) => {
                let is_day = wanted.len() >= 7 && day.is_some_and(|day| day.starts_with(wanted.as_str()));
                if is_day { Some(Fit::Whole) } else { text_fit(wanted, shown) }
            }
        });
        fits.min()
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// A JavaScript expression as ours, which know no looking around and no back references.
pub(crate) fn compiled(pattern: &PatternArg) -> Result<Regex, Fault> {
    let has = |flag: char| pattern.flags.contains(flag);
    RegexBuilder::new(&pattern.source.replace("\\/", "/"))
        .case_insensitive(has('i'))
        .multi_line(has('m'))
        .dot_matches_new_line(has('s'))
        .size_limit(1 << 20)
        .build()
        .map_err(|error| {
            let why = error.to_string();
            let why =
                why.lines().last().unwrap_or("it cannot be read").trim_start_matches("error: ").to_owned();
            Fault::invalid(format!(
                "/{}/ cannot be searched for ({why}); read the cells and test them in JavaScript instead",
                pattern.source
            ))
        })
}

fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_fit(wanted: &str, shown: &str) -> Option<Fit> {
    if shown.is_empty() || shown.len() > 20_000 {
        return None;
    }
    let shown = folded(shown);
    if shown == wanted {
        return Some(Fit::Whole);
    }
    if let Some(at) = shown.find(wanted) {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let before = edge(shown[..at].chars().next_back());
        let after = edge(shown[at + wanted.len()..].chars().next());
        return Some(if before && after { Fit::Word } else { Fit::Inside });
    }
    // Short words differ by a letter from too many others.
    let count = wanted.split(' ').count();
    if wanted.chars().count() < 5 {
        return None;
    }
    let words: Vec<&str> = shown.split(' ').collect();
    let near = words.windows(count.min(words.len())).any(|window| {
        let candidate = window.join(" ");
        candidate.chars().count().abs_diff(wanted.chars().count()) <= 2
            && edit::nearest(wanted, [candidate.as_str()]).is_some()
            && candidate.chars().next() == wanted.chars().next()
    });
    near.then_some(Fit::Nearly)
}

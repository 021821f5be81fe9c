//! Splitting text by delimiters and patterns.

use std::sync::Arc;

use super::super::{Function, def};
use super::growing::Growing;
use crate::coerce;
use crate::eval::args::{Args, array, fail, flag, text};
use crate::eval::{Answer, Stop};
use crate::value::{Array, ErrorKind, Value};

const REGEX: &str = "with look-around or back-references the value that the file has is kept";

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("TEXTBEFORE", "VAVVVE", 2, 6, |a| around(a, Side::Before)),
    def("TEXTAFTER", "VAVVVE", 2, 6, |a| around(a, Side::After)),
    def("TEXTSPLIT", "VAAVVE", 2, 6, split),
    def("REGEXTEST", "VVV", 2, 3, |a| flag(pattern(a, 1, 2)?.is_match(&a.text(0)?))).note(REGEX),
    def("REGEXEXTRACT", "VVVV", 2, 4, regex_extract).note(REGEX),
    def("REGEXREPLACE", "VVVVV", 3, 5, regex_replace).note(REGEX),
];

enum Side {
    Before,
    After,
}

fn delimiters(a: &Args<'_>, index: usize) -> Result<Vec<Arc<str>>, Stop> {
    a.array(index)?
        .values()
        .iter()
        .map(|value| coerce::text(value, a.cx.region()).map_err(Stop::Error))
        .collect()
}

/// Where the delimiters stand: start and end in bytes, longest first at each place.
fn places(source: &str, delimiters: &[Arc<str>], blind: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at <= source.len() {
        let rest = &source[at..];
        let hit = delimiters
            .iter()
            .filter(|delimiter| !delimiter.is_empty())
            .filter_map(|delimiter| {
                let head: String = rest.chars().take(delimiter.chars().count()).collect();
                let same = if blind { crate::key::same_text(&head, delimiter) } else { head == **delimiter };
                same.then_some(head.len())
            })
            .max();
        match hit {
            Some(size) => {
                found.push((at, at + size));
                at += size;
            }
            None => match rest.chars().next() {
                Some(letter) => at += letter.len_utf8(),
                None => break,
            },
        }
    }
    found
}

fn around(a: &Args<'_>, side: Side) -> Answer {
    let source = a.text(0)?;
    let delimiters = delimiters(a, 1)?;
    // Rounded down, also below zero.
    let instance = a.number_default(2, 1.0)?.floor();
    let blind = a.number_default(3, 0.0)? != 0.0;
    let end = a.number_default(4, 0.0)?.trunc();
    let end_counts = end != 0.0;
    let longer = |delimiter: &Arc<str>| delimiter.encode_utf16().count() > source.encode_utf16().count();
    let too_long = a.given(2) && !delimiters.is_empty() && delimiters.iter().all(longer);
    if instance == 0.0 || instance.abs() > 32_767.0 || !(0.0..=1.0).contains(&end) || too_long {
        return fail(ErrorKind::Value);
    }
    // An empty delimiter matches at once: before it is nothing, after it everything.
    if delimiters.iter().any(|delimiter| delimiter.is_empty()) {
        let nothing_before = instance > 0.0;
        return match (side, nothing_before) {
            (Side::Before, true) | (Side::After, false) => text(""),
            _ => text(source.to_string()),
        };
    }
    let mut places = places(&source, &delimiters, blind);
    if end_counts {
        if instance > 0.0 {
            places.push((source.len(), source.len()));
        } else {
            places.insert(0, (0, 0));
        }
    }
    let wanted = if instance > 0.0 {
        places.get(instance as usize - 1)
    } else {
        places.len().checked_sub(-instance as usize).and_then(|at| places.get(at))
    };
    match wanted {
        Some((start, end)) => match side {
            Side::Before => text(&source[..*start]),
            Side::After => text(&source[*end..]),
        },
        None if a.given(5) => match a.value(5) {
            Value::Blank => text(""),
            _ => Ok(a.op(5).clone()),
        },
        None => fail(ErrorKind::NotAvailable),
    }
}

fn pieces(source: &str, delimiters: &[Arc<str>], blind: bool, skip_empty: bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    for (start, end) in places(source, delimiters, blind) {
        out.push(source[from..start].to_owned());
        from = end;
    }
    out.push(source[from..].to_owned());
    if skip_empty {
        out.retain(|piece| !piece.is_empty());
    }
    out
}

fn split(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let columns = if a.given(1) { delimiters(a, 1)? } else { Vec::new() };
    let rows = if a.given(2) { delimiters(a, 2)? } else { Vec::new() };
    if (columns.is_empty() && rows.is_empty())
        || columns.iter().chain(&rows).any(|delimiter| delimiter.is_empty())
    {
        return fail(ErrorKind::Value);
    }
    let skip_empty = a.flag_default(3, false)?;
    let blind = a.number_default(4, 0.0)? != 0.0;
    let padding = if a.given(5) { a.value(5) } else { Value::Error(ErrorKind::NotAvailable) };
    let lines =
        if rows.is_empty() { vec![source.to_string()] } else { pieces(&source, &rows, blind, skip_empty) };
    let table: Vec<Vec<String>> =
        lines
            .iter()
            .map(|line| {
                if columns.is_empty() {
                    vec![line.clone()]
                } else {
                    pieces(line, &columns, blind, skip_empty)
                }
            })
            .collect();
    let width = table.iter().map(Vec::len).max().unwrap_or(0);
    if width == 0 {
        return fail(ErrorKind::Calc);
    }
    array(Array::from_fn(table.len(), width, |row, col| {
        table
            .get(row)
            .and_then(|line| line.get(col))
            .map_or_else(|| padding.clone(), |piece| Value::text(piece))
    }))
}

/// A pattern that is none is an error; one that only another engine for patterns knows is left to Excel.
pub(in super::super) fn compiled(builder: &regex::RegexBuilder) -> Result<regex::Regex, Stop> {
    builder.build().map_err(|error| match error {
        regex::Error::Syntax(why) if why.contains("look-around") || why.contains("backreferences") => {
            Stop::Unanswerable("a regular expression with look-around or back-references".into())
        }
        _ => Stop::Error(ErrorKind::Value),
    })
}

fn pattern(a: &Args<'_>, index: usize, blind: usize) -> Result<regex::Regex, Stop> {
    let blind = a.number_default(blind, 0.0)? != 0.0;
    let pattern = a.text(index)?;
    // What a search takes grows with the pattern and with the text.
    a.cx.charge(100 + pattern.len() * (8 + a.text(0)?.len() / 32))?;
    compiled(
        regex::RegexBuilder::new(&pattern)
            .case_insensitive(blind)
            .size_limit(1 << 20)
            .dfa_size_limit(1 << 20),
    )
}

fn regex_extract(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let pattern = pattern(a, 1, 3)?;
    match a.int_default(2, 0.0)? as i64 {
        0 => match pattern.find(&source) {
            Some(found) => text(found.as_str()),
            None => fail(ErrorKind::NotAvailable),
        },
        1 => {
            let all: Vec<Value> =
                pattern.find_iter(&source).map(|found| Value::text(found.as_str())).collect();
            if all.is_empty() { fail(ErrorKind::NotAvailable) } else { array(Array::column(all)) }
        }
        2 => match pattern.captures(&source) {
            Some(groups) if groups.len() > 1 => {
                let parts = groups
                    .iter()
                    .skip(1)
                    .map(|group| Value::text(group.map_or("", |group| group.as_str())))
                    .collect();
                array(Array::row(parts))
            }
            Some(groups) => text(groups.get(0).map_or("", |group| group.as_str())),
            None => fail(ErrorKind::NotAvailable),
        },
        _ => fail(ErrorKind::Value),
    }
}

fn regex_replace(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let pattern = pattern(a, 1, 4)?;
    let with = a.text(2)?;
    let which = a.int_default(3, 0.0)?;
    // Groups stand in the source, so this is what they can add up to.
    if with.matches('$').count() * source.len() > MOST_EXPANDED {
        return fail(ErrorKind::Value);
    }
    if which == 0.0 {
        return replace_all(&source, &pattern, &with);
    }
    let all: Vec<regex::Captures<'_>> = pattern.captures_iter(&source).collect();
    let at = if which > 0.0 { Some(which as usize - 1) } else { all.len().checked_sub(-which as usize) };
    let Some(groups) = at.and_then(|at| all.get(at)) else { return text(source.to_string()) };
    let Some(whole) = groups.get(0) else { return text(source.to_string()) };
    let mut out = source[..whole.start()].to_owned();
    groups.expand(&with, &mut out);
    out.push_str(&source[whole.end()..]);
    text(out)
}

/// Bytes that the groups named in a replacement may come to before it is called too long unseen.
const MOST_EXPANDED: usize = 64 << 20;

fn replace_all(source: &str, pattern: &regex::Regex, with: &str) -> Answer {
    let mut out = Growing::default();
    let mut done = 0;
    for groups in pattern.captures_iter(source) {
        let Some(whole) = groups.get(0) else { continue };
        let mut piece = String::new();
        groups.expand(with, &mut piece);
        out.push(&source[done..whole.start()]);
        out.push(&piece);
        done = whole.end();
        if out.is_too_long() {
            break;
        }
    }
    out.push(&source[done..]);
    out.done()
}

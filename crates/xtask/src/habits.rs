//! Habits that hide a mistake or the way: defaults in the place of what has to be there, and functions of many pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::floors::{source, without_tests};

/// What a range that does not fit may not become: an empty text or list, with which the edit goes on.
const EMPTY: [&str; 6] = [
    "unwrap_or_default()",
    "or_empty()",
    "unwrap_or(\"\")",
    "unwrap_or(b\"\")",
    "unwrap_or(&[])",
    "unwrap_or(&[][..])",
];

/// Left of `unwrap_or_default()` in each crate: arguments and settings whose absence means the usual ones. New ones are
/// said in another form (`or_empty` of `edit`, `unwrap_or` with the value, `map_or_else`), so this only ever falls.
const DEFAULTS: &[(&str, usize)] = &[
    ("desk", 4),
    ("docwright", 10),
    ("edit", 2),
    ("formula", 2),
    ("gateway", 5),
    ("markdown", 2),
    ("mcp", 31),
    ("ooxml", 5),
    ("planner", 10),
    ("render", 2),
    ("script", 35),
    ("sheet", 47),
    ("testkit", 2),
    ("word", 30),
    ("workspace", 22),
    ("xtask", 3),
];

const MOST_LINES: usize = 100;

pub(crate) fn problems(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut defaults: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let Some((name, _)) = source(file) else { continue };
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let code = without_tests(&text);
        let place = |at: usize| format!("{}:{}", file.display(), code[..at].matches('\n').count() + 1);
        problems.extend(emptied_ranges(code).into_iter().map(|at| {
            let advice = "`cut(range)?` of edit refuses, `part(range)` or an index ends the call";
            format!("{}: a wrong range is taken for nothing: {advice}", place(at))
        }));
        problems.extend(long_functions(code).into_iter().map(|(at, name, lines)| {
            format!("{}: `{name}` has {lines} lines: look for the second idea", place(at))
        }));
        *defaults.entry(name).or_default() += code.matches(".unwrap_or_default()").count();
    }
    for (name, count) in defaults {
        let most = DEFAULTS.iter().find(|(known, _)| *known == name).map_or(0, |(_, most)| *most);
        if count > most {
            problems.push(format!(
                "crate {name} has {count} `unwrap_or_default()` and had {most}: say what the default means"
            ));
        }
    }
    problems
}

/// Where `get` of a range is followed by something empty for one that does not fit.
fn emptied_ranges(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, get) in code.match_indices(".get(").chain(code.match_indices(".get_mut(")) {
        let Some((argument, behind)) = argument(&code[at + get.len()..]) else { continue };
        let answer = behind.trim_start().strip_prefix('.');
        if names_a_range(argument)
            && answer.is_some_and(|answer| EMPTY.iter().any(|empty| answer.starts_with(empty)))
        {
            found.push(at);
        }
    }
    found
}

/// Whether it is written as a range, or called one: a key of a map is not handed over as a copy.
fn names_a_range(argument: &str) -> bool {
    let mut names = argument.split(|c: char| !c.is_alphanumeric() && c != '_');
    argument.contains("..")
        || argument.trim_end().ends_with(".clone()")
        || names.any(|name| name.ends_with("span") || name.ends_with("range"))
}

/// What stands before the bracket that closes, and what behind it.
fn argument(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some((&text[..at], &text[at + 1..])),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where functions of more than [`MOST_LINES`] begin, with their names and lengths. The code is formatted, so a
/// function ends with the first bracket that stands as far in as it began.
fn long_functions(code: &str) -> Vec<(usize, &str, usize)> {
    let mut found = Vec::new();
    let lines: Vec<&str> = code.lines().collect();
    let mut at = 0;
    for (number, line) in lines.iter().enumerate() {
        if let Some(name) = function(line) {
            let indent = &line[..line.len() - line.trim_start().len()];
            // A declaration in a trait ends with its semicolon.
            let ends = |line: &&str| {
                let own = line.strip_prefix(indent).filter(|own| !own.starts_with(' '));
                own.is_some_and(|own| own == "}" || own.starts_with(')') && own.ends_with(';'))
            };
            let length = match line.ends_with(['}', ';']) {
                true => 1,
                false => lines[number..].iter().position(ends).map_or(1, |end| end + 1),
            };
            if length > MOST_LINES {
                found.push((at, name, length));
            }
        }
        at += line.len() + 1;
    }
    found
}

fn function(line: &str) -> Option<&str> {
    let (before, behind) = line.split_once("fn ")?;
    let qualifies = |word: &str| {
        word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe" | "in" | "extern" | "\"C\"")
    };
    let name = behind.split(['(', '<']).next().filter(|name| !name.is_empty() && !name.contains(' '))?;
    before.split_whitespace().all(qualifies).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_for_a_range_is_seen() {
        let count = |code| emptied_ranges(code).len();
        assert_eq!(count("let a = text.get(at(1)..b).unwrap_or_default();"), 1);
        assert_eq!(count("let a = text\n    .get(..b)\n    .unwrap_or(\"\");"), 1);
        assert_eq!(count("let a = buffer.get_mut(end..).or_empty();"), 1);
        assert_eq!(count("let a = text.get(span.clone()).unwrap_or_default();"), 1);
        assert_eq!(count("let a = text.get(target.clone()).or_empty();"), 1);
        assert_eq!(count("let a = list.get(piece.within(&range)).unwrap_or(&[]);"), 1);
        assert_eq!(count("let a = map.get(key).unwrap_or_default();"), 0);
        assert_eq!(count("let a = map.get(&id).unwrap_or_default();"), 0);
        assert_eq!(count("let a = text.get(..3).unwrap_or(text);"), 0);
    }

    #[test]
    fn a_long_function_is_seen() {
        let body = "        x();\n".repeat(MOST_LINES);
        let code =
            format!("impl A {{\n    pub(crate) fn short() {{}}\n\n    fn long() {{\n{body}    }}\n}}\n");
        let found: Vec<_> = long_functions(&code).into_iter().map(|(_, name, lines)| (name, lines)).collect();
        assert_eq!(found, [("long", MOST_LINES + 2)]);
    }
}

//! The floors inside the large crates: each a folder (or one file), and each knows only those below it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// From the bottom up. What stands beside the floors in `src` (the format, what tests share) is above them all.
const FLOORS: &[(&str, &[&str])] = &[
    ("word", &["document", "text", "edits", "op"]),
    ("sheet", &["file", "read", "calc", "edits"]),
    (
        "workspace",
        &["sync", "ids", "kind", "caller", "disk", "document", "targets", "desk", "operations", "requests"],
    ),
];

pub(crate) fn problems(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, floors) in FLOORS {
        let lib = format!("crates/{name}/src/lib.rs");
        let Ok(lib) = std::fs::read_to_string(root.join(&lib)) else {
            problems.push(format!("{lib} cannot be read"));
            continue;
        };
        let house = House { floors, shown: shown(&lib) };
        for file in files {
            let Some((_, inside)) = source(file).filter(|(of, _)| of == name) else { continue };
            let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
            let up = house.arrows_up(&inside, without_tests(&text));
            problems.extend(up.into_iter().map(|up| format!("{}: {up}", file.display())));
        }
    }
    problems
}

/// The crate of a file and where it stands in its `src`; nothing for tests.
pub(crate) fn source(file: &Path) -> Option<(String, String)> {
    let path = file.to_str()?.strip_prefix("crates/")?;
    let (name, inside) = path.split_once("/src/")?;
    let is_test =
        inside.split('/').any(|piece| matches!(piece, "tests" | "tests.rs" | "testing" | "testing.rs"));
    (inside.ends_with(".rs") && !is_test).then(|| (name.to_owned(), inside.to_owned()))
}

/// Tests inside a file stand at its end.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

struct House<'a> {
    floors: &'a [&'a str],
    /// What `lib.rs` shows under a name of its own, with the floor that it comes from.
    shown: BTreeMap<String, String>,
}

impl House<'_> {
    fn height(&self, module: &str) -> Option<usize> {
        self.floors.iter().position(|floor| *floor == module)
    }

    /// What a file names of the floors above its own.
    fn arrows_up(&self, inside: &str, code: &str) -> Vec<String> {
        let own = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
        let Some(height) = self.height(own) else { return Vec::new() };
        let mut above: Vec<(&str, &str)> = Vec::new();
        let code = without_comments(code);
        for name in named(&code, inside) {
            let floor = self.shown.get(name).map_or(name, String::as_str);
            if self.height(floor).is_some_and(|other| other > height) && !above.contains(&(floor, name)) {
                above.push((floor, name));
            }
        }
        let told = |(floor, name): (&str, &str)| match floor == name {
            true => format!("{own} knows {floor}, which is a floor above it"),
            false => format!("{own} knows {name} of {floor}, which is a floor above it"),
        };
        above.into_iter().map(told).collect()
    }
}

/// The names under which `lib.rs` shows what its modules have.
fn shown(lib: &str) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for (at, _) in lib.match_indices("use ") {
        let Some(path) = lib[at + 4..].split(';').next() else { continue };
        let Some((module, rest)) = path.split_once("::") else { continue };
        let list = rest.split_once('{').map_or(rest, |(_, list)| list);
        for item in list.split(',') {
            let item = item.rsplit(" as ").next().unwrap_or(item);
            let name = item.rsplit("::").next().unwrap_or(item).trim_matches(['{', '}', ' ', '\n']);
            shown.insert(name.to_owned(), module.to_owned());
        }
    }
    shown
}

/// What a file takes from the root of its crate, by `crate::` or by as many `super::` as lead there.
fn named<'a>(code: &'a str, inside: &str) -> Vec<&'a str> {
    let depth = inside.split('/').count();
    let to_the_root = "super::".repeat(depth);
    let starts =
        |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$'));
    let crates = code.match_indices("crate::").filter(|(at, _)| starts(*at));
    let supers = code.match_indices(to_the_root.as_str()).filter(|(at, _)| starts(*at));
    let mut names = Vec::new();
    for (at, found) in crates.chain(supers) {
        let behind = &code[at + found.len()..];
        match behind.strip_prefix('{') {
            Some(list) => names.extend(listed(list)),
            None => names.extend(identifier(behind)),
        }
    }
    names
}

/// The first name of each entry of a list in braces.
fn listed(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut names) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.extend(identifier(list[from..at].trim_start()));
                from = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

fn without_comments(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_knows_those_below_it_only() {
        let lib =
            "mod document;\npub use edits::{Edit, position::{self as at}};\npub use text::read::Read;\n";
        let house = House { floors: &["document", "text", "edits"], shown: shown(lib) };
        let up = |inside: &str, code: &str| house.arrows_up(inside, code);
        assert_eq!(up("text/read.rs", "use crate::document::View;\nuse edit::edits::X;").len(), 0);
        assert_eq!(up("text/read.rs", "use crate::edits::Position;").len(), 1);
        assert_eq!(up("document/view.rs", "use crate::{\n    text::Read, edits::Position};").len(), 2);
        assert_eq!(up("document.rs", "crate::text::read(view)").len(), 1);
        assert_eq!(up("format.rs", "use crate::edits::Edit;").len(), 0);
        assert_eq!(up("document/view.rs", "/// See [`crate::Edit`].").len(), 0);
        assert_eq!(up("document/view.rs", "use crate::{Read, document::place::Edit};").len(), 1);
        assert_eq!(
            up("document/view.rs", "fn f() -> crate::Edit {}"),
            ["document knows Edit of edits, which is a floor above it"]
        );
        assert_eq!(up("document/view/at.rs", "use super::super::super::edits::Edit;").len(), 1);
        assert_eq!(up("document/view/at.rs", "use super::super::edits::Edit;").len(), 0);
    }
}

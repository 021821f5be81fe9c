//! The floors inside the large crates: each a folder (or one file), and each knows only those below it.

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
    for file in files {
        let Some((name, inside)) = source(file) else { continue };
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let code = without_tests(&text);
        let Some((_, floors)) = FLOORS.iter().find(|(of, _)| *of == name) else { continue };
        problems.extend(arrows_up(floors, &inside, code).map(|up| format!("{}: {up}", file.display())));
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

/// What a file names of the floors above its own.
fn arrows_up<'a>(floors: &'a [&str], inside: &str, code: &'a str) -> impl Iterator<Item = String> + 'a {
    let own = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs").to_owned();
    let height = floors.iter().position(|floor| *floor == own);
    let above = height.map_or(&[][..], |height| &floors[height + 1..]);
    let named = move |floor: &&&str| {
        code.match_indices(**floor).any(|(at, _)| {
            let behind = &code[at + floor.len()..];
            let before = &code[..at];
            let within = before.rsplit_once("use crate::{").is_some_and(|(_, list)| !list.contains(';'));
            behind.starts_with("::")
                && (before.ends_with("crate::") || (within && before.ends_with([' ', '{', '\n'])))
        })
    };
    above.iter().filter(named).map(move |floor| format!("{own} knows {floor}, which is a floor above it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_knows_those_below_it_only() {
        let floors = ["document", "text", "edits"];
        let up = |inside: &str, code: &'static str| arrows_up(&floors, inside, code).collect::<Vec<_>>();
        assert_eq!(up("text/read.rs", "use crate::document::View;\nuse edit::edits::X;").len(), 0);
        assert_eq!(up("text/read.rs", "use crate::edits::Position;").len(), 1);
        assert_eq!(up("document/view.rs", "use crate::{\n    text::Read, edits::Position};").len(), 2);
        assert_eq!(up("document.rs", "crate::text::read(view)").len(), 1);
        assert_eq!(up("format.rs", "use crate::edits::Edit;").len(), 0);
    }
}

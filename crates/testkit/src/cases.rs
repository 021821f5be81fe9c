//! Cases that can be read: Markdown files with a small document, an edit and what becomes of it.
//!
//! ````text
//! ## A replacement across two runs keeps the underline of the second
//! ```doc
//! "The " "quick"{u} " fox"
//! ```
//! ```edit
//! replace "The quick" with "A slow"
//! ```
//! ```after
//! "A " "slow"{u} " fox"
//! ```
//! ````
//!
//! A heading of the second level begins a case. A block that the [`Notation`] calls given is what an edit is made on;
//! blocks behind an `edit` are what is expected of it. Another `edit` begins with the same given blocks, unless there are
//! new ones before it. `UPDATE_CASES=1` writes what was found into the files, for somebody to read.

use std::fmt::Write as _;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// How a format is written in cases.
pub trait Notation {
    /// What came of an edit.
    type Outcome;

    /// The kinds of blocks that an edit is made on.
    const GIVEN: &'static [&'static str];

    /// Make the edit on what is given. Panics where the notation is wrong.
    fn make(&self, given: &[Block], edit: &Block) -> Self::Outcome;

    /// What an expected block ought to say. Nothing if there is no such kind. Lines end as those of a block do.
    fn show(&self, given: &[Block], outcome: &Self::Outcome, expected: &Block) -> Option<String>;
}

/// A fenced block: its info string and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The first word of the info string.
    pub kind: String,
    /// The rest of it.
    pub about: String,
    pub text: String,
    /// Where the text is in the file.
    range: Range<usize>,
}

impl Block {
    /// The commands of the block, one a line: a name and `key=value` pairs. A value is JSON if it begins as text in
    /// quotes, a list or an object does; otherwise it is a word, a number or a truth up to the next blank. The name becomes
    /// the value of `tag`, so that an edit can be read from it. Lines that begin with blanks are commands within the one
    /// above them, its `lines`.
    pub fn commands(&self, tag: &str) -> Vec<Value> {
        let mut commands: Vec<Value> = Vec::new();
        for line in self.text.lines().filter(|line| !line.trim().is_empty()) {
            if line.starts_with(' ') {
                let above = commands.last_mut().and_then(Value::as_object_mut).expect("a command above");
                let lines = above.entry("lines").or_insert_with(|| Value::Array(Vec::new()));
                lines.as_array_mut().expect("no value called lines").push(command(line.trim_start(), tag));
            } else {
                commands.push(command(line, tag));
            }
        }
        commands
    }
}

fn command(line: &str, tag: &str) -> Value {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = (tag.to_owned(), Value::from(name));
    Value::Object([name].into_iter().chain(pairs(rest)).collect())
}

/// `key=value` pairs, in their order.
pub fn pairs(text: &str) -> Vec<(String, Value)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((key, value)) = rest.trim_start().split_once('=') {
        let (read, length) = if value.starts_with(['"', '[', '{']) {
            let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
            let read =
                values.next().expect("a value").unwrap_or_else(|error| panic!("{text}: {key}: {error}"));
            (read, values.byte_offset())
        } else {
            let word = value.split(' ').next().unwrap_or(value);
            (serde_json::from_str(word).unwrap_or_else(|_| Value::from(word)), word.len())
        };
        pairs.push((key.to_owned(), read));
        rest = &value[length..];
    }
    assert!(rest.trim().is_empty(), "{text}: {rest:?} is no key=value");
    pairs
}

#[derive(Debug, PartialEq, Eq)]
struct Case {
    title: String,
    line: usize,
    blocks: Vec<Block>,
}

/// Run every case of every `.md` file in the folder, and say at the end what failed. Returns how many cases there were.
#[track_caller]
pub fn run(folder: &Path, notation: &impl Notation) -> usize {
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let mut failures = String::new();
    let mut count = 0;
    for path in files(folder) {
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut changes = Vec::new();
        for case in cases(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display())) {
            count += 1;
            let found = catch_unwind(AssertUnwindSafe(|| differences(&case, notation)));
            let place = format!("{}:{}: {}", path.display(), case.line, case.title);
            match found {
                Ok(different) => {
                    for (block, found) in different {
                        let _ = write!(
                            failures,
                            "\n{place}\n--- {} expected\n{}--- found\n{found}",
                            block.kind, block.text
                        );
                        changes.push((block.range.clone(), found));
                    }
                }
                Err(panic) => {
                    let said = panic.downcast_ref::<String>().map(String::as_str);
                    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panicked");
                    let _ = write!(failures, "\n{place}\n{said}\n");
                }
            }
        }
        if update && !changes.is_empty() {
            let mut text = text;
            for (range, found) in changes.into_iter().rev() {
                text.replace_range(range, &found);
            }
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
    assert!(count > 0, "{} has no cases", folder.display());
    assert!(
        failures.is_empty(),
        "{failures}\nUPDATE_CASES=1 writes what was found; read it before you keep it."
    );
    count
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = listed.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "md"));
    files.sort();
    files
}

/// The expected blocks that say something else than what was found, with what was found.
fn differences<'a, N: Notation>(case: &'a Case, notation: &N) -> Vec<(&'a Block, String)> {
    let mut different = Vec::new();
    let mut given = Vec::new();
    let mut done = None;
    for block in &case.blocks {
        if N::GIVEN.contains(&&*block.kind) {
            if done.take().is_some() {
                given.clear();
            }
            given.push(block.clone());
        } else if block.kind == "edit" {
            done = Some(notation.make(&given, block));
        } else {
            let outcome = done.as_ref().unwrap_or_else(|| panic!("{:?} is expected of no edit", block.kind));
            let found = notation.show(&given, outcome, block);
            let found = found.unwrap_or_else(|| panic!("no block is called {:?}", block.kind));
            if found != block.text {
                different.push((block, found));
            }
        }
    }
    assert!(done.is_some(), "the case has no edit at its end");
    different
}

fn cases(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        let ticks = bare.len() - bare.trim_start_matches('`').len();
        match open.take() {
            Some((fence, block)) if ticks == fence && bare.len() == fence => {
                let range = block.range.start..start;
                let text = text[range.clone()].to_owned();
                let case = cases
                    .last_mut()
                    .ok_or_else(|| format!("line {}: a block before the first case", number + 1))?;
                case.blocks.push(Block { text, range, ..block });
            }
            Some(block) => open = Some(block),
            None if ticks >= 3 => {
                let info = bare.trim_start_matches('`').trim();
                let (kind, about) = info.split_once(' ').unwrap_or((info, ""));
                let (kind, about) = (kind.to_owned(), about.trim().to_owned());
                open = Some((ticks, Block { kind, about, text: String::new(), range: at..at }));
            }
            None => {
                if let Some(title) = bare.strip_prefix("## ") {
                    cases.push(Case { title: title.to_owned(), line: number + 1, blocks: Vec::new() });
                }
            }
        }
    }
    match open {
        Some((_, block)) => Err(format!("the last block ({}) has no end", block.kind)),
        None => Ok(cases),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents are words, an edit is a word to put behind them.
    struct Words;

    impl Notation for Words {
        type Outcome = String;

        const GIVEN: &'static [&'static str] = &["doc"];

        fn make(&self, given: &[Block], edit: &Block) -> String {
            format!("{} {}", given[0].text.trim_end(), edit.text.trim_end())
        }

        fn show(&self, _: &[Block], outcome: &String, expected: &Block) -> Option<String> {
            (expected.kind == "after").then(|| format!("{outcome}\n"))
        }
    }

    const TEXT: &str = "# Words\n\n## One more\nAs people write.\n```doc\na b\n```\n````edit now\nc\n````\n```after\na b c\n```\n\
                        ```edit\nd\n```\n```after\na b\n```\n```doc\nx\n```\n```edit\ny\n```\n```after\nx y\n```\n## Another\n";

    #[test]
    fn each_edit_begins_with_what_is_given() {
        let cases = cases(TEXT).unwrap();
        assert_eq!([&*cases[0].title, &*cases[1].title], ["One more", "Another"]);
        assert_eq!((cases[0].line, cases[0].blocks.len()), (3, 8));
        assert_eq!((&*cases[0].blocks[1].kind, &*cases[0].blocks[1].about), ("edit", "now"));
        let different = differences(&cases[0], &Words);
        assert_eq!(different.len(), 1);
        assert_eq!((&*different[0].1, &TEXT[different[0].0.range.clone()]), ("a b d\n", "a b\n"));
    }

    #[test]
    fn commands_are_names_with_values() {
        let text = r#"set at=B2 number=2.5 text="a b=\"c\"" list=[1, 2] on=true"#;
        let wanted = serde_json::json!({ "op": "set", "at": "B2", "number": 2.5, "text": "a b=\"c\"", "list": [1, 2], "on": true });
        assert_eq!(command(text, "op"), wanted);
        assert_eq!(command("clear", "op"), serde_json::json!({ "op": "clear" }));
    }

    #[test]
    fn what_is_not_a_case_is_said() {
        assert!(super::cases("```doc\n```\n").unwrap_err().contains("line 2"));
        assert!(super::cases("## a\n```doc\n").unwrap_err().contains("no end"));
    }
}

//! How cases are written (`cases/*.md`): the document is Markdown as it is, with `⟦` and `⟧` around the selection if an
//! edit needs one. `doc open` and `after open` have no line end at their end. Every case is run with both kinds of line
//! ends.

use std::ops::Range;
use std::path::Path;

use edit::Refusal;
use markdown::{Edit, Markdown};
use serde_json::{Value, json};
use testkit::cases::{Block, Notation};

use crate::{content, text};

#[test]
fn cases() {
    testkit::cases::run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"), &Source);
}

struct Source;

impl Notation for Source {
    type Outcome = Result<String, Refusal>;

    const GIVEN: &'static [&'static str] = &["doc"];

    fn make(&self, given: &[Block], edit: &Block) -> Self::Outcome {
        let [doc] = given else { panic!("one document, not {}", given.len()) };
        let [unix, dos] = ["\n", "\r\n"].map(|end| {
            let (before, selection) = selected(&whole(doc).replace('\n', end));
            let edits = edit.commands("op").into_iter().map(|command| read(command, selection.clone()));
            let edits: Vec<Edit> = edits.collect();
            let done = testkit::check::<Markdown>(&content(&before), &edits);
            done.map(|done| text(&done.content))
        });
        if let (Ok(unix), Ok(dos)) = (&unix, &dos) {
            assert_eq!(&unix.replace('\n', "\r\n"), dos, "the kind of line ends made a difference");
        }
        unix
    }

    fn show(&self, _: &[Block], outcome: &Self::Outcome, expected: &Block) -> Option<String> {
        match (&*expected.kind, outcome) {
            ("after", Ok(text)) if expected.about == "open" => Some(format!("{text}\n")),
            ("after", Ok(text)) => Some(text.clone()),
            ("after", Err(refusal)) => panic!("refused: {refusal}"),
            ("refused", Err(refusal)) => Some(format!("{refusal}\n")),
            ("refused", Ok(text)) => panic!("not refused, but:\n{text}"),
            _ => None,
        }
    }
}

fn whole(doc: &Block) -> String {
    match &*doc.about {
        "open" => doc.text.strip_suffix('\n').unwrap_or(&doc.text).to_owned(),
        "" => doc.text.clone(),
        other => panic!("a document is not {other:?}"),
    }
}

fn selected(marked: &str) -> (String, Option<Range<usize>>) {
    let Some(start) = marked.find('⟦') else { return (marked.to_owned(), None) };
    let bare = marked.replacen('⟦', "", 1);
    let end = bare.find('⟧').expect("the end of the selection");
    (bare.replacen('⟧', "", 1), Some(start..end))
}

/// An edit of a selection has the one that is marked, and a table may be named as other blocks are.
fn read(mut command: Value, selection: Option<Range<usize>>) -> Edit {
    let fields = command.as_object_mut().expect("an object");
    let op = fields["op"].as_str().expect("a name").to_owned();
    if let Some(lines) = fields.remove("lines") {
        fields.insert(if op == "group" { "edits" } else { "operations" }.into(), lines);
    }
    let of_table = matches!(&*op, "table" | "deleteTable");
    if of_table && let Some(node) = fields.remove("node") {
        fields.insert("table".into(), json!({ "node": node }));
    }
    if let Some(Range { start, end }) = selection {
        let (key, value) = match &*op {
            "insertBlock" | "insertTable" => ("at", json!(start)),
            _ if of_table => ("table", json!({ "place": start })),
            _ => ("range", json!({ "start": start, "end": end })),
        };
        fields.insert(key.into(), value);
    }
    serde_json::from_value(command.clone()).unwrap_or_else(|error| panic!("{error}: {command}"))
}

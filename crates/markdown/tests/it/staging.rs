//! Edits that wait while others change the document: every kind of edit.

use markdown::{
    BlockType, Case, Edit, Header, ListKind, ListOperation, Mark, Markdown, NodeId, Spacing, TableAt,
    TableOperation, Which, Width, Within,
};

use crate::{content, text, view};

const TEXT: &str = "Opening words.\n\n# First\n\nSome plain prose here, with a [link](https://example.org/).\n\n- one\n- two\n  - three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Second\n\n你好,world and 世界abc.\n\n## Third\n\nLast words.\n";

fn place(of: &str) -> std::ops::Range<usize> {
    let start = TEXT.find(of).unwrap_or_else(|| panic!("{of}"));
    start..start + of.len()
}

fn node(of: &str) -> NodeId {
    let view = view(TEXT);
    let at = view.node_at(place(of).start).expect("a node");
    at.chain().find_map(|node| node.id()).expect("a name")
}

fn list() -> NodeId {
    let view = view(TEXT);
    let item = view.node_at(place("one").start).expect("a node");
    item.chain().filter_map(|node| node.id()).find(|id| id.to_string().starts_with("ul")).expect("a list")
}

fn samples() -> Vec<Edit> {
    let table = TableAt::Place(place("| 1").start + 2);
    let with = |text: &str| text.to_owned();
    let (only, case) = (Which::Only, Case::Sensitive);
    vec![
        Edit::Replace { range: place("plain prose"), expect: None, with: with("prose") },
        Edit::Substitute {
            find: with("prose"),
            with: with("text"),
            which: only,
            case,
            within: Within::Source,
        },
        Edit::ReplaceAnchored {
            text: with("prose"),
            before: with("plain "),
            after: with(" here"),
            with: with("x"),
        },
        Edit::Update { node: node("Some plain"), content: with("Other prose.") },
        Edit::InsertAfter { node: node("Some plain"), content: with("More.") },
        Edit::InsertBefore { node: node("Some plain"), content: with("More.") },
        Edit::SetFrontMatter { content: with("a: 1") },
        Edit::InsertBlock { at: place("Some plain").start, content: with("More.") },
        Edit::Delete { node: node("Some plain") },
        Edit::Move { node: node("Some plain"), after: node("Last words") },
        Edit::Format { node: node("Some plain"), mark: Mark::Bold },
        Edit::UpdateSection { heading: node("Second"), content: with("New prose.") },
        Edit::InsertSection { after: node("Second"), level: 2, title: with("Between"), content: with("x") },
        Edit::MoveSection { heading: node("Third"), after: node("Some plain") },
        Edit::ToggleMark { range: place("plain"), mark: Mark::Italic },
        Edit::SetLink { range: place("plain"), href: with("https://example.com/"), title: None },
        Edit::RemoveLink { range: place("link") },
        Edit::ClearFormatting { range: place("link") },
        Edit::SetBlock { range: place("Last words"), to: BlockType::Heading { level: 3 } },
        Edit::ToggleBlock { range: place("Last words"), to: BlockType::Blockquote },
        Edit::ToggleList { range: place("Last words"), to: ListKind::Bullet },
        Edit::Indent { range: place("two") },
        Edit::Outdent { range: place("three") },
        Edit::List { node: list(), operations: vec![ListOperation::DeleteItem { index: 0 }] },
        Edit::InsertTable { at: place("Last words").start, rows: 2, columns: 2, header: Header::Row },
        Edit::Table {
            table: table.clone(),
            operations: vec![TableOperation::AddRow { at: None, cells: vec![with("3"), with("4")] }],
        },
        Edit::DeleteTable { table },
        Edit::CjkPunctuation { range: None, to: Width::Full },
        Edit::CjkSpacing { range: None, action: Spacing::Add },
        Edit::Group {
            edits: vec![
                Edit::Delete { node: node("Last words") },
                Edit::Replace { range: place("plain"), expect: None, with: with("simple") },
            ],
        },
    ]
}

/// A new kind of edit gets its line here, and its sample above.
fn kind(edit: &Edit) -> usize {
    match edit {
        Edit::Replace { .. } => 0,
        Edit::Substitute { .. } => 1,
        Edit::ReplaceAnchored { .. } => 2,
        Edit::Update { .. } => 3,
        Edit::InsertAfter { .. } => 4,
        Edit::InsertBlock { .. } => 5,
        Edit::Delete { .. } => 6,
        Edit::Move { .. } => 7,
        Edit::Format { .. } => 8,
        Edit::UpdateSection { .. } => 9,
        Edit::InsertSection { .. } => 10,
        Edit::MoveSection { .. } => 11,
        Edit::ToggleMark { .. } => 12,
        Edit::SetLink { .. } => 13,
        Edit::RemoveLink { .. } => 14,
        Edit::ClearFormatting { .. } => 15,
        Edit::SetBlock { .. } => 16,
        Edit::ToggleBlock { .. } => 17,
        Edit::ToggleList { .. } => 18,
        Edit::Indent { .. } => 19,
        Edit::Outdent { .. } => 20,
        Edit::List { .. } => 21,
        Edit::InsertTable { .. } => 22,
        Edit::Table { .. } => 23,
        Edit::DeleteTable { .. } => 24,
        Edit::CjkPunctuation { .. } => 25,
        Edit::CjkSpacing { .. } => 26,
        Edit::Group { .. } => 27,
        Edit::InsertBefore { .. } => 28,
        Edit::SetFrontMatter { .. } => 29,
        // Fills an empty document, so nothing can happen elsewhere.
        Edit::Write { .. } => 30,
        // Made by anchoring each of the others.
        Edit::Fixed(_) => 31,
    }
}

const KINDS: usize = 30;

#[test]
fn every_kind_of_edit_can_wait_for_what_happens_elsewhere() {
    let before = content(TEXT);
    let samples = samples();
    for number in 0..KINDS {
        assert!(samples.iter().any(|sample| kind(sample) == number), "no sample of kind {number}");
    }
    let others = [
        Edit::Replace { range: 0..0, expect: None, with: "A title that was not there.\n\n".to_owned() },
        Edit::Replace { range: place("Opening"), expect: None, with: "First".to_owned() },
        Edit::Delete { node: node("Opening") },
    ];
    for sample in samples {
        if let Err(refusal) = testkit::check::<Markdown>(&before, std::slice::from_ref(&sample)) {
            panic!("{refusal}: {sample:?}");
        }
        for other in &others {
            if let Err(refusal) = testkit::check_carried::<Markdown>(&before, &sample, other) {
                panic!("{sample:?}\n    over {other:?}\n    {refusal} ({:?})", refusal.hint());
            }
        }
    }
    let write = Edit::Write { content: "Words.\n".to_owned() };
    let written = testkit::check::<Markdown>(&content(""), std::slice::from_ref(&write)).expect("written");
    assert_eq!(text(&written.content), "Words.\n");
    // Somebody else was faster.
    let other = Edit::Replace { range: 0..0, expect: None, with: "Others".to_owned() };
    assert!(testkit::check_carried::<Markdown>(&content(""), &write, &other).is_err());
}

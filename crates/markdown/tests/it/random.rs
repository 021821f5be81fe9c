//! Random edits on random documents: whatever is planned obeys the laws, and nothing is our own fault.

use std::ops::Range;

use edit::{Format, Refusal};
use markdown::{
    BlockType, Case, Edit, Header, ListKind, ListOperation, Mark, Markdown, NodeId, Side, Spacing, TableAt,
    TableOperation, View, Which, Width, Within,
};
use proptest::prelude::*;

use crate::laws::soup;
use crate::{content, text, view};

/// Numbers that choose an edit.
#[derive(Debug, Clone)]
struct Dice {
    kind: u8,
    a: u16,
    b: u16,
    small: u8,
    word: String,
}

fn dice() -> impl Strategy<Value = Dice> {
    let word = prop_oneof!["[a-z ]{0,8}", Just("# h".to_owned()), Just("- i".to_owned()), soup()];
    (any::<u8>(), any::<u16>(), any::<u16>(), any::<u8>(), word).prop_map(|(kind, a, b, small, word)| Dice {
        kind,
        a,
        b,
        small,
        word,
    })
}

fn node(view: &View, pick: u16) -> Option<NodeId> {
    let ids: Vec<NodeId> = view.nodes().filter_map(|(id, _)| id).collect();
    ids.get(usize::from(pick) % ids.len().max(1)).copied()
}

fn range(view: &View, a: u16, b: u16) -> Range<usize> {
    let chars = view.size().chars + 1;
    let (a, b) = (usize::from(a) % chars, usize::from(b) % chars);
    let byte = |at: usize| view.byte_of_char(at).unwrap();
    byte(a.min(b))..byte(a.max(b))
}

fn edit_of(view: &View, dice: &Dice) -> Option<Edit> {
    let Dice { kind, a, b, small, word } = dice.clone();
    let range = range(view, a, b);
    let at = range.start;
    let index = usize::from(small % 4);
    let mark = Mark::ALL[usize::from(small) % Mark::ALL.len()];
    let to = match small % 4 {
        0 => BlockType::Paragraph,
        1 => BlockType::Heading { level: 1 + small % 6 },
        2 => BlockType::CodeBlock { language: Some("x".to_owned()) },
        _ => BlockType::Blockquote,
    };
    let list = [ListKind::Bullet, ListKind::Ordered, ListKind::Task][usize::from(small) % 3];
    let lists: Vec<NodeId> = view
        .nodes()
        .filter(|(_, n)| matches!(n.kind(), markdown::Kind::List(_)))
        .filter_map(|(id, _)| id)
        .collect();
    let a_list = lists.get(usize::from(a) % lists.len().max(1)).copied();
    let tables = view.count(markdown::Prefix::Table);
    let table = (tables > 0)
        .then(|| TableAt::Node(NodeId { prefix: markdown::Prefix::Table, ordinal: usize::from(a) % tables }));
    let which = [Which::First, Which::All, Which::Nth(1), Which::Only][usize::from(small) % 4];
    Some(match kind % 30 {
        0 => Edit::Replace { range, expect: None, with: word },
        1 => Edit::Substitute {
            find: "a".to_owned(),
            with: word,
            which,
            case: Case::Insensitive,
            within: Within::Source,
        },
        2 => Edit::Update { node: node(view, a)?, content: word },
        3 => Edit::InsertAfter { node: node(view, a)?, content: word },
        4 => Edit::InsertBlock { at, content: word },
        5 => Edit::Delete { node: node(view, a)? },
        6 => Edit::Move { node: node(view, a)?, after: node(view, b)? },
        7 => Edit::Format { node: node(view, a)?, mark },
        8 => Edit::UpdateSection { heading: node(view, a)?, content: word },
        9 => Edit::InsertSection { after: node(view, a)?, level: 2, title: "T".to_owned(), content: word },
        10 => Edit::MoveSection { heading: node(view, a)?, after: node(view, b)? },
        11 | 12 => Edit::ToggleMark { range, mark },
        13 => Edit::SetLink { range, href: "u v".to_owned(), title: None },
        14 => Edit::RemoveLink { range },
        15 => Edit::ClearFormatting { range },
        16 => Edit::SetBlock { range, to },
        17 => Edit::ToggleBlock { range: at..at, to },
        18 => Edit::ToggleList { range, to: list },
        19 => Edit::Indent { range },
        20 => Edit::Outdent { range },
        21 => Edit::List {
            node: a_list?,
            operations: vec![ListOperation::AddItem { at: Some(index), content: word, checked: None }],
        },
        22 => Edit::List {
            node: a_list?,
            operations: vec![
                ListOperation::DeleteItem { index },
                ListOperation::SetChecked { index: 0, checked: None },
            ],
        },
        23 => Edit::List { node: a_list?, operations: vec![ListOperation::Reorder { from: index, to: 0 }] },
        24 => Edit::InsertTable { at, rows: 1 + index, columns: 2, header: Header::Row },
        25 => Edit::Table {
            table: table?,
            operations: vec![TableOperation::SetCell { row: index, column: 0, content: word }],
        },
        26 => Edit::Table {
            table: table?,
            operations: vec![
                TableOperation::AddRow { at: None, cells: vec![word] },
                TableOperation::AddColumn { at: None, header: "n".to_owned(), cells: Vec::new() },
            ],
        },
        27 => Edit::Table {
            table: TableAt::Place(at),
            operations: vec![
                TableOperation::AddRowHere { side: Side::After },
                TableOperation::DeleteColumnHere,
            ],
        },
        28 => {
            Edit::CjkPunctuation { range: None, to: if small % 2 == 0 { Width::Full } else { Width::Half } }
        }
        _ => Edit::CjkSpacing {
            range: Some(range),
            action: if small % 2 == 0 { Spacing::Add } else { Spacing::Remove },
        },
    })
}

fn is_internal(refusal: &Refusal) -> bool {
    matches!(refusal.innermost(), Refusal::Internal { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1200, ..ProptestConfig::default() })]

    #[test]
    fn every_edit_obeys_the_laws(source in soup(), dice in dice()) {
        let before = content(&source);
        let old = view(&source);
        let Some(edit) = edit_of(&old, &dice) else { return Ok(()) };
        match testkit::check::<Markdown>(&before, std::slice::from_ref(&edit)) {
            Err(refusal) => prop_assert!(!is_internal(&refusal), "{:?} on {:?}: {}", edit, source, refusal),
            Ok(checked) => {
                prop_assert!(checked.view == view(&text(&checked.content)), "{:?} on {:?}", edit, source);
            }
        }
    }

    #[test]
    fn a_staged_edit_follows_typing_or_is_lost(source in soup(), dice in dice(), at in any::<u16>()) {
        let old = view(&source);
        let Some(edit) = edit_of(&old, &dice) else { return Ok(()) };
        let Ok(anchored) = Markdown::anchor(&old, &edit) else { return Ok(()) };
        let place = old.byte_of_char(usize::from(at) % (old.size().chars + 1)).unwrap();
        let mut typing = edit::Patch::new();
        typing.splice(&edit::PartName::new(markdown::PART), place..place, "Z").unwrap();
        let typed = typing.apply(&content(&source)).unwrap();
        let Ok(carried) = Markdown::carry(&anchored, &typing) else { return Ok(()) };
        let Edit::Fixed(fixed) = &carried else { panic!("not fixed") };
        // What it replaces is what it replaced, wherever that stands by now.
        let now = text(&typed);
        for spot in &fixed.spots {
            prop_assert_eq!(&now[spot.range.clone()], spot.original.as_str());
        }
    }
}

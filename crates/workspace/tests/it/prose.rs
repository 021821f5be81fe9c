//! Random lives of a Markdown document: edits of every kind as suggestions, decided in any order while
//! somebody types and another program writes the file.

use std::collections::BTreeMap;
use std::ops::Range;

use proptest::prelude::*;
use workspace::markdown::{Edit, ListKind, Mark, Markdown, NodeId, PART, View};
use workspace::{
    DocId, EditRequest, Ending, Mode, Outcome, Overwrite, PartName, Refreshed, Refusal, Selection, Status,
    Suggestion, SuggestionId, WindowLabel,
};

use crate::{Bench, cases};

#[derive(Debug, Clone)]
enum Op {
    Suggest(Wanted),
    Type(Wanted),
    Select(u16, u16),
    Accept(u16),
    AcceptAll,
    Reject(u16),
    Undo,
    Redo,
    External(u16),
    Save,
    Restart,
}

/// Numbers that choose an edit.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    kind: u8,
    at: u16,
    length: u8,
}

fn wanted() -> impl Strategy<Value = Wanted> {
    (any::<u8>(), any::<u16>(), 0u8..12).prop_map(|(kind, at, length)| Wanted { kind, at, length })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => wanted().prop_map(Op::Suggest),
        5 => wanted().prop_map(Op::Type),
        2 => (any::<u16>(), any::<u16>()).prop_map(|(at, length)| Op::Select(at, length)),
        4 => any::<u16>().prop_map(Op::Accept),
        2 => Just(Op::AcceptAll),
        2 => any::<u16>().prop_map(Op::Reject),
        3 => Just(Op::Undo),
        2 => Just(Op::Redo),
        2 => any::<u16>().prop_map(Op::External),
        1 => Just(Op::Save),
        1 => Just(Op::Restart),
    ]
}

fn block() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("# Heading *one*\n"),
        Just("## Heading two\n"),
        Just("Plain words and **bold words**\nover two lines.\n"),
        Just("漢字 and [a link](there.md) here.\n"),
        Just("- item one\n- item two\n  - inner item\n"),
        Just("1. first\n2. second\n"),
        Just("> quoted words\n> and more\n"),
        Just("| a | b |\n|---|---|\n| 1 | 2 |\n"),
        Just("```rust\nfn main() {}\n```\n"),
        Just("- [ ] open\n- [x] done\n"),
    ]
}

fn document() -> impl Strategy<Value = String> {
    (proptest::collection::vec(block(), 1..7), any::<bool>()).prop_map(|(blocks, crlf)| {
        let text = blocks.join("\n");
        if crlf { text.replace('\n', "\r\n") } else { text }
    })
}

/// What a suggestion would do, wherever it stands.
type Wish = Vec<(Vec<u8>, Vec<u8>)>;

fn wish(changes: &[workspace::Change]) -> Wish {
    changes.iter().map(|change| (change.original.bytes().into(), change.new.bytes().into())).collect()
}

struct Life {
    bench: Bench,
    state: tempfile::TempDir,
    docs: tempfile::TempDir,
    document: DocId,
    wishes: BTreeMap<SuggestionId, Wish>,
    made: u32,
}

impl Life {
    fn new(first: &str) -> Self {
        let (state, docs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(docs.path().join("a.md"), first).unwrap();
        let bench = Bench::of(state.path(), docs.path());
        let document = bench.open("a.md");
        Self { bench, state, docs, document, wishes: BTreeMap::new(), made: 0 }
    }

    fn view(&self) -> View {
        self.bench.workspace.snapshot::<Markdown>(self.document).unwrap().view
    }

    fn text(&self) -> String {
        self.view().text()
    }

    fn on_disk(&self) -> String {
        std::fs::read_to_string(self.docs.path().join("a.md")).unwrap()
    }

    fn window(&self) -> WindowLabel {
        self.bench.workspace.focused()
    }

    fn selection(&self) -> Option<Range<usize>> {
        let selection = self.bench.workspace.selection(self.document, &self.window()).unwrap();
        selection.map(|selection| selection.range)
    }

    fn edit_for(&mut self, wanted: Wanted) -> Edit {
        self.made += 1;
        let view = self.view();
        let new = format!("new {}", self.made);
        let range = place(&view, wanted.at, wanted.length.into());
        let node = |pick: u16| -> Option<NodeId> {
            let ids: Vec<NodeId> = view.nodes().filter_map(|(id, _)| id).collect();
            ids.get(usize::from(pick) % ids.len().max(1)).copied()
        };
        let replace = Edit::Replace { range: range.clone(), expect: None, with: new.clone() };
        let Some(id) = node(wanted.at) else { return replace };
        match wanted.kind % 10 {
            0 => Edit::Update { node: id, content: new },
            1 => Edit::InsertAfter { node: id, content: new },
            2 => Edit::Delete { node: id },
            3 => Edit::ToggleMark { range, mark: Mark::Bold },
            4 => Edit::ToggleList { range, to: ListKind::Bullet },
            5 => {
                let other = node(wanted.at.wrapping_add(u16::from(wanted.length) + 1)).unwrap_or(id);
                let second = Edit::InsertAfter { node: other, content: format!("also {}", self.made) };
                Edit::Group { edits: vec![replace, second] }
            }
            _ => replace,
        }
    }

    fn edit(&self, edit: Edit, mode: Mode) -> Result<Outcome<workspace::markdown::Outcome>, Refusal> {
        self.bench.workspace.edit::<Markdown>(self.document, EditRequest::new(vec![edit], mode))
    }

    fn listed(&self) -> Vec<Suggestion> {
        self.bench.workspace.suggestions(self.document).unwrap()
    }

    fn pick(&self, which: u16) -> Option<Suggestion> {
        let listed = self.listed();
        listed.get(usize::from(which) % listed.len().max(1)).cloned()
    }

    fn step(&mut self, op: &Op) {
        let before = self.text();
        match op {
            Op::Suggest(wanted) => {
                let edit = self.edit_for(*wanted);
                if let Ok(outcome) = self.edit(edit, Mode::Suggest)
                    && let Ending::Suggested(id) = outcome.ending
                {
                    self.wishes.insert(id, wish(&outcome.changes));
                }
                assert_eq!(self.text(), before, "a suggestion changes nothing");
            }
            Op::Type(wanted) => {
                let edit = self.edit_for(*wanted);
                let selected = self.selection();
                match self.edit(edit, Mode::Apply) {
                    Err(_) => assert_eq!(self.text(), before),
                    Ok(outcome) => {
                        assert_eq!(self.text(), applied(&before, &outcome.changes));
                        if outcome.ending == Ending::Applied {
                            self.bench.person.undo(self.document).unwrap();
                            assert_eq!(self.text(), before);
                            assert_eq!(self.selection(), selected, "undo restores the selection");
                            self.bench.person.redo(self.document).unwrap();
                        }
                    }
                }
            }
            Op::Select(at, length) => {
                let range = place(&self.view(), *at, usize::from(*length) % 20);
                let selection = Selection { part: PartName::new(PART), range };
                self.bench.workspace.select(self.document, &self.window(), selection).unwrap();
            }
            Op::Accept(which) => {
                let Some(suggestion) = self.pick(*which) else { return };
                match self.bench.person.accept(self.document, &suggestion.id) {
                    Ok(_) => assert_eq!(self.text(), applied(&before, &suggestion.changes)),
                    Err(Refusal::Unsafe { .. } | Refusal::Stale { .. }) => assert_eq!(self.text(), before),
                    Err(other) => panic!("{other:?}"),
                }
            }
            Op::AcceptAll => {
                let pending = self.pending();
                let all = self.bench.person.accept_all(self.document).unwrap();
                assert_eq!(all.accepted.len() + all.left.len(), pending.len());
                let taken: Vec<workspace::Change> = pending
                    .iter()
                    .filter(|one| all.accepted.contains(&one.id))
                    .flat_map(|one| one.changes.clone())
                    .collect();
                assert_eq!(self.text(), applied(&before, &taken));
                if !all.accepted.is_empty() {
                    self.bench.person.undo(self.document).unwrap();
                    assert_eq!(self.text(), before, "accepting all is one undo step");
                    for id in &all.accepted {
                        let back = self.bench.workspace.suggestion(self.document, id).unwrap();
                        assert_eq!(
                            (back.status, wish(&back.changes)),
                            (Status::Pending, self.wishes[id].clone())
                        );
                    }
                    self.bench.person.redo(self.document).unwrap();
                }
            }
            Op::Reject(which) => {
                let Some(suggestion) = self.pick(*which) else { return };
                let revision = self.bench.workspace.revision(self.document).unwrap();
                self.bench.person.reject(self.document, &suggestion.id).unwrap();
                assert_eq!(self.bench.workspace.revision(self.document).unwrap(), revision);
            }
            Op::Undo => drop(self.bench.person.undo(self.document).unwrap()),
            Op::Redo => drop(self.bench.person.redo(self.document).unwrap()),
            Op::External(which) => {
                self.made += 1;
                let mut theirs = self.on_disk();
                let at = floor(&theirs, usize::from(*which) % (theirs.len() + 1));
                // It begins and ends as nothing else does, so that there is one way to say what was inserted.
                let mark = char::from_u32(0xE000 + self.made).unwrap();
                theirs.insert_str(at, &format!("{mark} external {mark}"));
                std::fs::write(self.docs.path().join("a.md"), &theirs).unwrap();
                let dirty = self.bench.workspace.status(self.document).unwrap().dirty;
                match self.bench.workspace.refresh(self.document).unwrap() {
                    Refreshed::TakenIn { .. } if dirty => {
                        let text = self.text();
                        assert!(text.contains(&format!("{mark} external {mark}")), "{text:?}");
                    }
                    Refreshed::TakenIn { .. } => assert_eq!(self.text(), theirs),
                    Refreshed::Conflict { .. } => {
                        assert!(dirty);
                        assert_eq!(self.text(), before);
                        self.bench.person.save(self.document, Overwrite::Allow).unwrap();
                    }
                    other => panic!("{other:?}"),
                }
            }
            Op::Save => {
                self.bench.workspace.save(self.document, Overwrite::Refuse).unwrap();
                assert_eq!(self.on_disk(), before);
            }
            Op::Restart => {
                let told = |life: &Self| -> Vec<_> {
                    life.listed().into_iter().map(|one| (one.id, wish(&one.changes))).collect()
                };
                let suggestions = told(self);
                self.bench = Bench::new();
                self.bench = Bench::of(self.state.path(), self.docs.path());
                self.document = self.bench.open("a.md");
                assert_eq!(self.text(), before);
                assert_eq!(told(self), suggestions);
            }
        }
    }

    fn pending(&self) -> Vec<Suggestion> {
        self.listed().into_iter().filter(|suggestion| suggestion.status == Status::Pending).collect()
    }

    /// What is pending would put what it was made to put where it was made to put it.
    fn check(&self) {
        let text = self.text();
        for suggestion in self.pending() {
            assert_eq!(wish(&suggestion.changes), self.wishes[&suggestion.id]);
            for change in &suggestion.changes {
                let found = text.as_bytes().get(change.range.clone());
                assert_eq!(found, Some(&*change.original.bytes()));
            }
        }
        if let Some(range) = self.selection() {
            assert!(range.start <= range.end && range.end <= text.len(), "{range:?} of {}", text.len());
            assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end), "{range:?}");
        }
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) || at > 0 && text.as_bytes().get(at - 1..=at) == Some(b"\r\n") {
        at -= 1;
    }
    at
}

fn place(view: &View, at: u16, length: usize) -> Range<usize> {
    let text = view.text();
    let start = floor(&text, usize::from(at) % (text.len() + 1));
    start..floor(&text, (start + length).min(text.len())).max(start)
}

/// From the end to the start, so that places stay as they were listed; what is inserted where something else
/// is replaced stands before it.
fn applied(before: &str, changes: &[workspace::Change]) -> String {
    let mut bytes = before.as_bytes().to_vec();
    let mut ordered: Vec<&workspace::Change> = changes.iter().collect();
    ordered.sort_by_key(|change| (change.range.start, change.range.end));
    for change in ordered.into_iter().rev() {
        bytes.splice(change.range.clone(), change.new.bytes().iter().copied());
    }
    String::from_utf8(bytes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), ..ProptestConfig::default() })]

    #[test]
    fn suggestions_of_prose_hold(first in document(), ops in proptest::collection::vec(op(), 1..30)) {
        let mut life = Life::new(&first);
        for op in &ops {
            life.step(op);
            life.check();
        }
        let end = life.text();
        life.bench.workspace.save(life.document, Overwrite::Refuse).unwrap();
        assert_eq!(life.on_disk(), end);
        if !ops.iter().any(|op| matches!(op, Op::Restart)) {
            while life.bench.person.undo(life.document).unwrap().is_some() {
                life.check();
            }
            assert_eq!(life.text(), first);
        }
    }

    /// Suggestions at different places, accepted in any order or all at once, make one document.
    #[test]
    fn the_order_of_decisions_does_not_matter(
        first in document(),
        wanted in proptest::collection::vec(wanted(), 1..8),
        order in any::<u64>(),
    ) {
        let results: Vec<String> = [None, Some(order), Some(order.rotate_left(17))].into_iter().map(|order| {
            let mut life = Life::new(&first);
            let mut taken: Vec<Range<usize>> = Vec::new();
            let mut ids = Vec::new();
            for wanted in &wanted {
                let range = place(&life.view(), wanted.at, wanted.length.into());
                // Apart from one another, so that none depends on another.
                if taken.iter().any(|other| range.start <= other.end + 2 && other.start <= range.end + 2) {
                    continue;
                }
                let edit = Edit::Replace { range: range.clone(), expect: None, with: format!("w{}", ids.len()) };
                if let Ok(outcome) = life.edit(edit, Mode::Suggest)
                    && let Ending::Suggested(id) = outcome.ending
                {
                    taken.push(range);
                    life.wishes.insert(id.clone(), wish(&outcome.changes));
                    ids.push(id);
                }
            }
            match order {
                None => {
                    // What is unsafe beside the others is left, and made alone if it can be.
                    let left = life.bench.person.accept_all(life.document).unwrap().left;
                    prop_assume!(left.is_empty());
                }
                Some(mut seed) => while !ids.is_empty() {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let id = ids.swap_remove((seed >> 33) as usize % ids.len());
                    let accepted = life.bench.person.accept(life.document, &id);
                    prop_assume!(!matches!(accepted, Err(Refusal::Unsafe { .. })));
                    accepted.unwrap();
                    life.check();
                },
            }
            Ok(life.text())
        }).collect::<Result<_, TestCaseError>>()?;
        prop_assert_eq!(&results[0], &results[1]);
        prop_assert_eq!(&results[0], &results[2]);
    }
}

/// Five hundred at once, a few of which cannot be made: the others are, and the few are named.
#[test]
fn many_are_accepted_in_one_pass_and_the_impossible_are_left() {
    let text: String = (0..1000).map(|n| format!("Paragraph {n} has words.\n\n")).collect();
    let mut life = Life::new(&text);
    let mut ids = Vec::new();
    for number in 0..500 {
        let view = life.view();
        let node = view.top().nth(number * 2).unwrap().range();
        let edit = Edit::Replace { range: node.start..node.start + 9, expect: None, with: "Section".into() };
        let outcome = life.edit(edit, Mode::Suggest).unwrap();
        let Ending::Suggested(id) = outcome.ending else { panic!("{:?}", outcome.ending) };
        life.wishes.insert(id.clone(), wish(&outcome.changes));
        ids.push(id);
    }
    // Two that want the same words: the later one loses.
    let node = life.view().top().nth(200).unwrap().range();
    let edit = Edit::Replace { range: node.start + 2..node.start + 12, expect: None, with: "X".into() };
    let outcome = life.edit(edit, Mode::Suggest).unwrap();
    let Ending::Suggested(second) = outcome.ending else { panic!("{:?}", outcome.ending) };
    // Somebody types in between.
    let at = life.view().top().nth(501).unwrap().range().start;
    life.edit(Edit::Replace { range: at..at, expect: None, with: "Typed. ".into() }, Mode::Apply).unwrap();
    let all = life.bench.person.accept_all(life.document).unwrap();
    assert_eq!(all.accepted.len(), 500);
    let left: Vec<&SuggestionId> = all.left.iter().map(|(id, _)| id).collect();
    assert_eq!(left, [&second]);
    let done = life.text();
    assert_eq!((done.matches("Section ").count(), done.matches("Typed. ").count()), (500, 1));
    life.bench.person.undo(life.document).unwrap();
    assert_eq!(life.listed().len(), 501);
    assert!(life.text().contains("Typed. ") && !life.text().contains("Section"));
}

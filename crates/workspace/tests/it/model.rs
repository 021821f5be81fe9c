//! Random lives of a document, against what must hold for every one of them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use workspace::{Mode, Overwrite, Refreshed, Status, SuggestionId, TextEdit};

use crate::{Bench, cases};

#[derive(Debug, Clone, Copy)]
enum Op {
    Apply(u16, u16),
    Suggest(u16, u16),
    Accept(u16),
    AcceptAll,
    Reject(u16),
    Undo,
    Redo,
    /// Another program changes one line of the file.
    External(u16),
    Save,
    /// The process ends and another one opens the file.
    Restart,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => (any::<u16>(), 0u16..6).prop_map(|(at, length)| Op::Apply(at, length)),
        6 => (any::<u16>(), 0u16..6).prop_map(|(at, length)| Op::Suggest(at, length)),
        3 => any::<u16>().prop_map(Op::Accept),
        1 => Just(Op::AcceptAll),
        2 => any::<u16>().prop_map(Op::Reject),
        3 => Just(Op::Undo),
        2 => Just(Op::Redo),
        2 => any::<u16>().prop_map(Op::External),
        1 => Just(Op::Save),
        1 => Just(Op::Restart),
    ]
}

/// What a suggestion was made to do.
#[derive(Debug, Clone)]
struct Wish {
    original: String,
    new: String,
}

struct Life {
    bench: Bench,
    state: tempfile::TempDir,
    docs: tempfile::TempDir,
    document: workspace::DocId,
    wishes: BTreeMap<SuggestionId, Wish>,
    made: u32,
}

const FIRST: &str = "alpha beta\ngamma delta\nepsilon zeta\neta theta\n";

impl Life {
    fn new() -> Self {
        let (state, docs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(docs.path().join("a.cfg"), FIRST).unwrap();
        let bench = Bench::of(state.path(), docs.path());
        let document = bench.open("a.cfg");
        Self { bench, state, docs, document, wishes: BTreeMap::new(), made: 0 }
    }

    fn text(&self) -> String {
        self.bench.text(self.document)
    }

    fn on_disk(&self) -> String {
        std::fs::read_to_string(self.docs.path().join("a.cfg")).unwrap()
    }

    fn replacement(&mut self, at: u16, length: u16) -> TextEdit {
        self.made += 1;
        let text = self.text();
        let start = at as usize % (text.len() + 1);
        let end = (start + length as usize).min(text.len());
        TextEdit::new(start..end, format!("<{}>", self.made))
    }

    fn pending(&self) -> Vec<workspace::Suggestion> {
        let listed = self.bench.workspace.suggestions(self.document).unwrap();
        listed.into_iter().filter(|suggestion| suggestion.status == Status::Pending).collect()
    }

    fn step(&mut self, op: Op) {
        let before = self.text();
        match op {
            Op::Apply(at, length) => {
                let edit = self.replacement(at, length);
                self.bench.edit(self.document, edit.clone(), Mode::Apply).unwrap();
                let mut expected = before;
                expected.replace_range(edit.range, &edit.with);
                assert_eq!(self.text(), expected);
            }
            Op::Suggest(at, length) => {
                let edit = self.replacement(at, length);
                let original = before[edit.range.clone()].to_owned();
                let outcome = self.bench.edit(self.document, edit.clone(), Mode::Suggest).unwrap();
                let workspace::Ending::Suggested(id) = outcome.ending else { panic!("{outcome:?}") };
                self.wishes.insert(id, Wish { original, new: edit.with });
                assert_eq!(self.text(), before);
            }
            Op::Accept(which) => {
                let listed = self.bench.workspace.suggestions(self.document).unwrap();
                let Some(suggestion) = listed.get(which as usize % listed.len().max(1)) else { return };
                let accepted = self.bench.person.accept(self.document, &suggestion.id);
                let expected = match suggestion.changes.first() {
                    Some(change) => {
                        accepted.unwrap();
                        let mut expected = before;
                        expected.replace_range(change.range.clone(), &self.wishes[&suggestion.id].new);
                        expected
                    }
                    None => {
                        accepted.unwrap_err();
                        before
                    }
                };
                assert_eq!(self.text(), expected);
            }
            Op::AcceptAll => {
                let pending = self.pending();
                let all = self.bench.person.accept_all(self.document).unwrap();
                assert_eq!(all.accepted.len() + all.left.len(), pending.len());
                // From the end to the start, so that the places stay as they were listed; what is inserted where
                // something else is replaced stands before it.
                let mut expected = before;
                let mut taken: Vec<_> = pending.iter().filter(|one| all.accepted.contains(&one.id)).collect();
                taken.sort_by_key(|one| (one.changes[0].range.start, one.changes[0].range.end));
                for suggestion in taken.into_iter().rev() {
                    expected
                        .replace_range(suggestion.changes[0].range.clone(), &self.wishes[&suggestion.id].new);
                }
                assert_eq!(self.text(), expected);
            }
            Op::Reject(which) => {
                let listed = self.bench.workspace.suggestions(self.document).unwrap();
                let Some(suggestion) = listed.get(which as usize % listed.len().max(1)) else { return };
                let revision = self.bench.workspace.revision(self.document).unwrap();
                self.bench.person.reject(self.document, &suggestion.id).unwrap();
                assert_eq!(self.bench.workspace.revision(self.document).unwrap(), revision);
            }
            Op::Undo => {
                self.bench.person.undo(self.document).unwrap();
            }
            Op::Redo => {
                self.bench.person.redo(self.document).unwrap();
            }
            Op::External(which) => {
                let disk = self.on_disk();
                let mut lines: Vec<String> = disk.split_inclusive('\n').map(str::to_owned).collect();
                self.made += 1;
                let at = which as usize % (lines.len() + 1);
                lines.insert(at, format!("external {}\n", self.made));
                let theirs = lines.concat();
                std::fs::write(self.docs.path().join("a.cfg"), &theirs).unwrap();
                let dirty = self.bench.workspace.status(self.document).unwrap().dirty;
                match self.bench.workspace.refresh(self.document).unwrap() {
                    Refreshed::TakenIn { .. } if dirty => {
                        assert!(self.text().contains(&format!("external {}\n", self.made)));
                    }
                    Refreshed::TakenIn { .. } => assert_eq!(self.text(), theirs),
                    Refreshed::Conflict { .. } => {
                        assert!(dirty);
                        assert_eq!(self.text(), before);
                        self.bench.workspace.save(self.document, Overwrite::Refuse).unwrap_err();
                        assert_eq!(self.on_disk(), theirs);
                        self.bench.person.save(self.document, Overwrite::Allow).unwrap();
                    }
                    other => panic!("{other:?}"),
                }
            }
            Op::Save => {
                self.bench.workspace.save(self.document, Overwrite::Refuse).unwrap();
                assert_eq!(self.on_disk(), before);
                assert!(!self.bench.workspace.status(self.document).unwrap().dirty);
            }
            Op::Restart => {
                let listed = |life: &Self| {
                    let listed = life.bench.workspace.suggestions(life.document).unwrap();
                    listed.into_iter().map(|one| (one.id, one.changes)).collect::<Vec<_>>()
                };
                let (dirty, suggestions) =
                    (self.bench.workspace.status(self.document).unwrap().dirty, listed(self));
                // The old process must be gone before the new one looks.
                self.bench = Bench::new();
                self.bench = Bench::of(self.state.path(), self.docs.path());
                self.document = self.bench.open("a.cfg");
                assert_eq!(self.text(), before);
                assert_eq!(listed(self), suggestions);
                // A document that was edited back to what is on disk is clean in its next life.
                assert!(dirty || !self.bench.workspace.status(self.document).unwrap().dirty);
            }
        }
    }

    /// What is pending would replace exactly what it was made to replace.
    fn check(&self) {
        let text = self.text();
        for suggestion in self.pending() {
            let wish = &self.wishes[&suggestion.id];
            let [change] = suggestion.changes.as_slice() else { panic!("{suggestion:?}") };
            assert_eq!(text.get(change.range.clone()), Some(wish.original.as_str()));
            assert_eq!(&*change.original.bytes(), wish.original.as_bytes());
            assert_eq!(&*change.new.bytes(), wish.new.as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(96), ..ProptestConfig::default() })]

    #[test]
    fn nothing_lands_where_it_should_not(ops in proptest::collection::vec(op(), 1..40)) {
        let mut life = Life::new();
        for op in ops {
            life.step(op);
            life.check();
        }
        let end = life.text();
        life.bench.workspace.save(life.document, Overwrite::Refuse).unwrap();
        assert_eq!(life.on_disk(), end);
    }

    #[test]
    fn undoing_everything_gives_back_the_first_byte(ops in proptest::collection::vec(op(), 1..40)) {
        let mut life = Life::new();
        for op in ops.into_iter().filter(|op| !matches!(op, Op::Restart)) {
            life.step(op);
        }
        while life.bench.person.undo(life.document).unwrap().is_some() {
            life.check();
        }
        assert_eq!(life.text(), FIRST);
        while life.bench.person.redo(life.document).unwrap().is_some() {
            life.check();
        }
    }

    #[test]
    fn disjoint_suggestions_give_one_result_in_any_order(order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle()) {
        let bench = Bench::new();
        let document = bench.open_text("a.cfg", "0 1 2 3 4 5 6 7");
        let ids: Vec<SuggestionId> =
            (0..8).map(|digit| bench.suggest(document, &digit.to_string(), &format!("<{}>", "x".repeat(digit)))).collect();
        for (step, index) in order.into_iter().enumerate() {
            bench.person.accept(document, &ids[index]).unwrap();
            let length = bench.text(document).len();
            // Somebody types at the end meanwhile.
            bench.edit(document, TextEdit::new(length..length, format!(".{step}")), Mode::Apply).unwrap();
        }
        let expected = "<> <x> <xx> <xxx> <xxxx> <xxxxx> <xxxxxx> <xxxxxxx>.0.1.2.3.4.5.6.7";
        assert_eq!(bench.text(document), expected);
    }
}

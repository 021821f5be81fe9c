//! A process that is killed leaves behind exactly what it had: random lives of a document, each seen from the next one.
//!
//! To kill without a process, the state folder is copied at that instant and the copy is opened: what a process does
//! while it ends comes too late for it.

use std::path::Path;

use proptest::prelude::*;
use workspace::{
    Closing, Depth, DocId, EditRequest, Ending, Mode, Opens, Overwrite, PartName, RangeId, Refreshed,
    RevisionId, Selection, Status, SuggestionId, TEXT, Text, TextEdit,
};

use crate::{Bench, cases};

#[derive(Debug, Clone, Copy)]
enum Op {
    Apply(u16, u16),
    Suggest(u16, u16, bool),
    Accept(u16),
    AcceptAll,
    Reject(u16),
    /// A rejection is taken back, if its suggestion still has its place.
    Restore(u16),
    Undo,
    Redo,
    Name(u16, u16),
    /// Another program changes one line of the file.
    External(u16),
    /// Another program changes what somebody is about to change.
    Collide,
    Reload,
    Save,
    /// The tab is closed and opened again, for which the journal is written anew.
    CloseAndReopen,
    Kill,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (any::<u16>(), 0u16..6).prop_map(|(at, length)| Op::Apply(at, length)),
        5 => (any::<u16>(), 0u16..6, any::<bool>()).prop_map(|(at, length, grouped)| Op::Suggest(at, length, grouped)),
        3 => any::<u16>().prop_map(Op::Accept),
        1 => Just(Op::AcceptAll),
        2 => any::<u16>().prop_map(Op::Reject),
        2 => any::<u16>().prop_map(Op::Restore),
        5 => Just(Op::Undo),
        4 => Just(Op::Redo),
        2 => (any::<u16>(), 1u16..8).prop_map(|(at, length)| Op::Name(at, length)),
        2 => any::<u16>().prop_map(Op::External),
        1 => Just(Op::Collide),
        1 => Just(Op::Reload),
        2 => Just(Op::Save),
        2 => Just(Op::CloseAndReopen),
        4 => Just(Op::Kill),
    ]
}

struct Life {
    bench: Bench,
    depth: Depth,
    state: tempfile::TempDir,
    docs: tempfile::TempDir,
    document: DocId,
    suggested: Vec<SuggestionId>,
    named: Vec<RangeId>,
    made: u32,
}

const FIRST: &str = "alpha beta\ngamma delta\nepsilon zeta\neta theta\n";

/// All that can be seen of a document.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    text: String,
    dirty: bool,
    revision: RevisionId,
    revisions: Vec<String>,
    listed: Vec<String>,
    suggested: Vec<String>,
    ranges: Vec<String>,
    refreshed: String,
}

impl Life {
    fn new(depth: Depth) -> Self {
        let (state, docs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(docs.path().join("a.cfg"), FIRST).unwrap();
        let bench = bench(state.path(), docs.path(), depth);
        let document = bench.open("a.cfg");
        Self { bench, depth, state, docs, document, suggested: Vec::new(), named: Vec::new(), made: 0 }
    }

    fn text(&self) -> String {
        self.bench.text(self.document)
    }

    fn seen(&self) -> Seen {
        look(&self.bench, self.document, &self.suggested, &self.named)
    }

    /// What a process finds that starts now.
    fn next(&self) -> (Bench, DocId, tempfile::TempDir) {
        let state = tempfile::tempdir().unwrap();
        copy(self.state.path(), state.path());
        let bench = bench(state.path(), self.docs.path(), self.depth);
        bench.clock.advance(workspace::Clock::now(&*self.bench.clock));
        let document = bench.open("a.cfg");
        (bench, document, state)
    }

    fn replacement(&mut self, at: u16, length: u16) -> TextEdit {
        self.made += 1;
        let text = self.text();
        let start = at as usize % (text.len() + 1);
        let end = (start + length as usize).min(text.len());
        TextEdit::new(start..end, format!("<{}>", self.made))
    }

    fn write(&self, text: &str) {
        std::fs::write(self.docs.path().join("a.cfg"), text).unwrap();
    }

    fn on_disk(&self) -> String {
        std::fs::read_to_string(self.docs.path().join("a.cfg")).unwrap()
    }

    fn one(&self, which: u16) -> Option<SuggestionId> {
        let listed = self.bench.workspace.suggestions(self.document).unwrap();
        listed.get(which as usize % listed.len().max(1)).map(|suggestion| suggestion.id.clone())
    }

    fn step(&mut self, op: Op) {
        self.bench.clock.advance(1);
        let (workspace, person, document) = (&self.bench.workspace, &self.bench.person, self.document);
        match op {
            Op::Apply(at, length) => {
                let edit = self.replacement(at, length);
                self.bench.edit(document, edit, Mode::Apply).unwrap();
            }
            Op::Suggest(at, length, grouped) => {
                let edit = self.replacement(at, length);
                let request = EditRequest {
                    group: grouped.then(|| format!("group {}", self.made / 3)),
                    ..EditRequest::new(vec![edit], Mode::Suggest)
                };
                let outcome = self.bench.workspace.edit::<Text>(document, request).unwrap();
                let Ending::Suggested(id) = outcome.ending else { panic!("{outcome:?}") };
                self.suggested.push(id);
            }
            Op::Accept(which) => {
                if let Some(id) = self.one(which) {
                    let _ = person.accept(document, &id);
                }
            }
            Op::AcceptAll => {
                person.accept_all(document).unwrap();
            }
            Op::Reject(which) => {
                if let Some(id) = self.one(which) {
                    person.reject(document, &id).unwrap();
                }
            }
            Op::Restore(which) => {
                let rejected = self.suggested.iter().filter(|id| {
                    let stands = person.decisions(std::slice::from_ref(*id));
                    stands.is_ok_and(|stands| matches!(stands[..], [(_, Status::Rejected(_))]))
                });
                let rejected: Vec<SuggestionId> = rejected.cloned().collect();
                if let Some(id) = rejected.get(which as usize % rejected.len().max(1)) {
                    let _ = person.restore(document, std::slice::from_ref(id));
                }
            }
            Op::Undo => {
                person.undo(document).unwrap();
            }
            Op::Redo => {
                person.redo(document).unwrap();
            }
            Op::Name(at, length) => {
                let text = self.text();
                let start = at as usize % text.len().max(1);
                let range = start..(start + length as usize).min(text.len());
                let (part, text) = (PartName::new(TEXT), text[range.clone()].to_owned());
                let place = Selection { part, range };
                self.named.push(workspace.name_range(document, place, &text).unwrap());
            }
            Op::External(which) => {
                let disk = self.on_disk();
                let mut lines: Vec<String> = disk.split_inclusive('\n').map(str::to_owned).collect();
                self.made += 1;
                lines.insert(which as usize % (lines.len() + 1), format!("external {}\n", self.made));
                self.write(&lines.concat());
                self.bench.workspace.refresh(document).unwrap();
            }
            Op::Collide => {
                let text = self.text();
                self.bench.edit(document, TextEdit::new(0..text.len(), "all of it\n"), Mode::Apply).unwrap();
                self.write(&format!("{}theirs {}\n", self.on_disk(), self.made));
                self.bench.workspace.refresh(document).unwrap();
            }
            Op::Reload => {
                person.reload(document).unwrap();
            }
            Op::Save => {
                person.save(document, Overwrite::Allow).unwrap();
                assert_eq!(self.on_disk(), self.text());
            }
            Op::CloseAndReopen => {
                workspace.close_tab(None, None, Closing::Force).unwrap();
                workspace.reopen_closed(None).unwrap().unwrap();
            }
            Op::Kill => {
                let before = self.seen();
                let (bench, document, state) = self.next();
                assert_eq!(look(&bench, document, &self.suggested, &self.named), before);
                (self.bench, self.document, self.state) = (bench, document, state);
            }
        }
    }

    /// Undo and redo lead through the same states in this life and in the next.
    fn walk(&self) {
        let (next, other, _state) = self.next();
        let both = |what: &dyn Fn(&Bench, DocId) -> bool| {
            let (here, there) = (what(&self.bench, self.document), what(&next, other));
            assert_eq!(here, there);
            assert_eq!(look(&next, other, &self.suggested, &self.named), self.seen());
            here
        };
        while both(&|bench, document| bench.person.redo(document).unwrap().is_some()) {}
        while both(&|bench, document| bench.person.undo(document).unwrap().is_some()) {}
        while both(&|bench, document| bench.person.redo(document).unwrap().is_some()) {}
        // An edit for a revision that somebody read before means the same.
        for revision in self.bench.workspace.revisions(self.document).unwrap() {
            let tried = |bench: &Bench, document: DocId| {
                let edit = TextEdit::new(0..0, "x");
                let request =
                    EditRequest { base: Some(revision.id), ..EditRequest::new(vec![edit], Mode::DryRun) };
                bench.workspace.edit::<Text>(document, request).map(|outcome| outcome.changes)
            };
            assert_eq!(tried(&next, other), tried(&self.bench, self.document));
        }
    }
}

fn bench(state: &Path, docs: &Path, depth: Depth) -> Bench {
    Bench::with(|caller, config| {
        caller.id = workspace::CallerId::new("clr_agent");
        caller.roots = vec![docs.to_owned()];
        config.state = Some(state.to_owned());
        config.limits.history = depth;
    })
}

fn look(bench: &Bench, document: DocId, suggested: &[SuggestionId], named: &[RangeId]) -> Seen {
    let workspace = &bench.workspace;
    let refreshed = match workspace.refresh(document).unwrap() {
        Refreshed::Conflict { .. } => "conflict".to_owned(),
        other => format!("{other:?}"),
    };
    let revisions = workspace.revisions(document).unwrap();
    let shown = |one: workspace::Suggestion| format!("{one:?}");
    let listed: Vec<_> = workspace.suggestions(document).unwrap().into_iter().map(shown).collect();
    let status = |id| match workspace.suggestion(document, id) {
        Ok(one) => format!("{:?}", one.status),
        Err(refusal) => refusal.to_string(),
    };
    Seen {
        text: bench.text(document),
        dirty: workspace.status(document).unwrap().dirty,
        revision: workspace.status(document).unwrap().revision,
        revisions: revisions.iter().map(|revision| format!("{revision:?}")).collect(),
        listed,
        suggested: suggested.iter().map(status).collect(),
        ranges: named.iter().map(|id| format!("{:?}", workspace.range(document, id))).collect(),
        refreshed,
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(32), ..ProptestConfig::default() })]

    #[test]
    fn a_killed_process_leaves_exactly_what_it_had(ops in proptest::collection::vec(op(), 1..50)) {
        let mut life = Life::new(Depth::default());
        for op in ops {
            life.step(op);
        }
        life.step(Op::Kill);
        life.walk();
    }

    #[test]
    fn so_does_one_that_has_forgotten_how_it_began(ops in proptest::collection::vec(op(), 1..60), depth in 1usize..12) {
        let mut life = Life::new(Depth { revisions: depth, bytes: 2000 });
        for op in ops {
            life.step(op);
        }
        life.step(Op::Kill);
        life.walk();
    }
}

#[test]
fn a_decision_outlives_the_save_and_the_restart() {
    let mut life = Life::new(Depth::default());
    for at in [0, 6, 12] {
        life.step(Op::Suggest(at, 2, false));
    }
    life.step(Op::Accept(0));
    life.step(Op::Reject(0));
    life.step(Op::Save);
    life.step(Op::Kill);
    let status = |id| life.bench.workspace.suggestion(life.document, id).unwrap().status;
    let by_ann = |status: &Status| match status {
        Status::Accepted(decision) | Status::Rejected(decision) => decision.by == "Ann" && decision.at > 0,
        Status::Pending | Status::Stale { .. } => false,
    };
    let stands: Vec<Status> = life.suggested.iter().map(status).collect();
    assert!(matches!(&stands[0], Status::Accepted(_)) && by_ann(&stands[0]), "{stands:?}");
    assert!(matches!(&stands[1], Status::Rejected(_)) && by_ann(&stands[1]), "{stands:?}");
    assert_eq!(stands[2], Status::Pending);
}

fn sample(name: &str) -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(samples.join(name)).unwrap()
}

/// The contract as a program writes it that gives paragraphs no ids.
fn contract_without_ids() -> Vec<u8> {
    use workspace::word::Word;
    let (_, content) =
        <Word as edit::Format>::unpack(sample("contract.docx").into(), &Default::default()).unwrap();
    let mut without = content.clone();
    for name in content.names() {
        let bytes = content.read(name).unwrap().unwrap().bytes().into_owned();
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let mut pieces = text.split(r#" w14:paraId=""#);
        let mut kept = pieces.next().unwrap().to_owned();
        pieces.for_each(|piece| kept += piece.split_once('"').unwrap().1);
        without.insert(name.clone(), edit::Blob::from(kept.into_bytes()));
    }
    testkit::packed(&without, usize::MAX).unwrap()
}

/// Edits, suggestions, a save and undo of a real document, seen from the next life.
fn survives<F: Opens>(sample: &str, file: &[u8], edits: impl FnOnce(&F::View) -> [F::Edit; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let (state, docs) = (folder.path().join("state"), folder.path().join("docs"));
    std::fs::create_dir(&docs).unwrap();
    std::fs::write(docs.join(sample), file).unwrap();
    let life = bench(&state, &docs, Depth::default());
    let document = life.open(sample);
    let [first, second] = life.workspace.read::<F, _>(document, edits).unwrap();
    let edit = |edit: &F::Edit, mode| {
        life.workspace.edit::<F>(document, EditRequest::new(vec![edit.clone()], mode)).unwrap().ending
    };
    assert_eq!(edit(&first, Mode::Apply), Ending::Applied);
    life.workspace.save(document, Overwrite::Refuse).unwrap();
    let Ending::Suggested(suggestion) = edit(&second, Mode::Suggest) else { panic!("it was not staged") };
    life.person.accept(document, &suggestion).unwrap();
    life.person.undo(document).unwrap().unwrap();

    let copied = tempfile::tempdir().unwrap();
    copy(&state, copied.path());
    let next = bench(copied.path(), &docs, Depth::default());
    let other = next.open(sample);
    let same = || {
        let content = |bench: &Bench, document| bench.workspace.content(document).unwrap();
        assert!(content(&life, document) == content(&next, other), "{sample}");
        let inventory = |bench: &Bench, document| {
            bench.workspace.read::<F, _>(document, |view| F::inventory(view).unwrap()).unwrap()
        };
        assert_eq!(inventory(&life, document), inventory(&next, other), "{sample}");
        let revisions = |bench: &Bench, document| {
            let revisions = bench.workspace.revisions(document).unwrap();
            revisions
                .iter()
                .map(|revision| format!("{:?}", (revision.id, &revision.summary)))
                .collect::<Vec<_>>()
        };
        assert_eq!(revisions(&life, document), revisions(&next, other));
        let status =
            |bench: &Bench, document| bench.workspace.suggestion(document, &suggestion).unwrap().status;
        assert_eq!(status(&life, document), status(&next, other));
    };
    same();
    for undo in [false, true, true, false, false] {
        for (bench, document) in [(&life, document), (&next, other)] {
            let stepped = if undo { bench.person.undo(document) } else { bench.person.redo(document) };
            stepped.unwrap().unwrap();
        }
        same();
    }
    // It is whole enough to be saved and opened again.
    next.workspace.save(other, Overwrite::Refuse).unwrap();
    let again = Bench::of(&folder.path().join("other"), &docs);
    assert!(again.workspace.content(again.open(sample)).unwrap() == next.workspace.content(other).unwrap());
}

#[test]
fn real_documents_survive() {
    use workspace::markdown::{self, Markdown};
    use workspace::sheet::{self, Sheet};
    use workspace::word::{self, Word};
    survives::<Markdown>("handbook.md", &sample("handbook.md"), |view| {
        // Not before the front matter, which has to stay first.
        let end = view.text().len();
        ["First. ", "Second. "].map(|with| markdown::Edit::Replace {
            range: end..end,
            expect: None,
            with: with.into(),
        })
    });
    survives::<Sheet>("budget.xlsx", &sample("budget.xlsx"), |_| {
        let cell =
            |value| sheet::CellChange { at: "B2".parse().unwrap(), input: sheet::Input::Number(value) };
        [1234.0, 4321.0].map(|value| sheet::Edit::SetCells {
            sheet: "Inputs".into(),
            cells: vec![cell(value)],
            seen: None,
        })
    });
    let edits = |view: &word::View| {
        let titled = view.body().find(|place| {
            view.paragraph(*place).unwrap().text(word::Side::Final).text == "Services Agreement"
        });
        let paragraph = view.id(titled.unwrap());
        [("Services", "Consulting"), ("Agreement", "Contract")].map(|(old, new)| {
            let (old, new) = (old.to_owned(), new.to_owned());
            let markup = word::Markup::Plain;
            word::Edit::ReplaceText(word::ReplaceText {
                paragraph,
                old,
                new,
                expect: None,
                markup,
                clear_highlight: false,
            })
        })
    };
    for file in [sample("contract.docx"), contract_without_ids()] {
        survives::<Word>("contract.docx", &file, edits);
    }
}

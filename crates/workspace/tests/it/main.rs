//! The workspace as a door sees it, on real files.
#![allow(clippy::disallowed_methods, reason = "tests play the other programs that touch the files")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod callers;
mod damaged;
mod exact;
mod files;
mod full;
mod gone;
mod journal;
mod model;
mod operations;
mod paths;
mod prose;
mod requests;
mod saving_as;
mod sentences;
mod suggesting;
mod targets;
mod together;
mod windows;
mod yesterday;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use workspace::{
    Approval, Caller, Clock, Config, Desk, DocId, EditRequest, Ending, Mode, OpenIn, Outcome, Refusal,
    SuggestionId, Text, TextEdit, Workspace,
};

/// How many random cases: what the environment says, for a long run, or as many as a usual run has time for.
pub(crate) fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// A clock that stands until it is set.
#[derive(Debug, Default)]
pub(crate) struct Hand(AtomicI64);

impl Hand {
    pub(crate) fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn now(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A folder of documents, with an agent and a person at one desk.
pub(crate) struct Bench {
    /// The agent's. Its edits are applied; it decides on nothing.
    pub(crate) workspace: Workspace,
    pub(crate) person: Workspace,
    pub(crate) clock: Arc<Hand>,
    folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(|_, _| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Caller, &mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        let clock = Arc::new(Hand::default());
        let mut config = Config { clock: clock.clone(), ..Config::default() };
        let mut agent = Caller::agent("Agent", folder.path().join("docs"));
        agent.id = workspace::CallerId::new("clr_agent");
        agent.approval = Approval { agents_may_accept: false, ..Approval::auto() };
        change(&mut agent, &mut config);
        let id = workspace::CallerId::of(&["Ann", agent.id.as_str()]);
        let person = Caller { id, roots: agent.roots.clone(), ..Caller::person("Ann", "") };
        let desk = Desk::new(config).unwrap();
        let (workspace, person) = (desk.seat(agent).unwrap(), desk.seat(person).unwrap());
        Self { workspace, person, clock, folder }
    }

    /// Somebody else at the same desk.
    pub(crate) fn seat(&self, caller: Caller) -> Workspace {
        self.workspace.desk().seat(caller).unwrap()
    }

    /// On folders that outlive it, so that another process can be started on them.
    pub(crate) fn of(state: &Path, docs: &Path) -> Self {
        Self::with(|caller, config| {
            config.state = Some(state.to_owned());
            caller.roots = vec![docs.to_owned()];
        })
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("docs").canonicalize().unwrap()
    }

    pub(crate) fn outside(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn on_disk(&self, name: &str) -> String {
        std::fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Everything in the folder, to see that nothing was left behind.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.root()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn open(&self, name: &str) -> DocId {
        self.workspace.open(name, OpenIn::Tab(None)).unwrap().document
    }

    /// A copy of one of our own samples.
    pub(crate) fn open_sample(&self, name: &str) -> DocId {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
        std::fs::copy(sample, self.root().join(name)).unwrap();
        self.open(name)
    }

    pub(crate) fn open_text(&self, name: &str, text: &str) -> DocId {
        self.file(name, text);
        self.open(name)
    }

    pub(crate) fn text(&self, document: DocId) -> String {
        let bytes = self.person.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Replace the first occurrence of `old`.
    pub(crate) fn replacing(&self, document: DocId, old: &str, new: &str) -> TextEdit {
        let at = self.text(document).find(old).unwrap();
        TextEdit::new(at..at + old.len(), new)
    }

    pub(crate) fn edit(
        &self,
        document: DocId,
        edit: TextEdit,
        mode: Mode,
    ) -> Result<Outcome<std::ops::Range<usize>>, Refusal> {
        self.workspace.edit::<Text>(document, EditRequest::new(vec![edit], mode))
    }

    pub(crate) fn apply(&self, document: DocId, old: &str, new: &str) {
        let edit = self.replacing(document, old, new);
        let outcome = self.edit(document, edit, Mode::Apply).unwrap();
        assert_eq!(outcome.ending, Ending::Applied);
    }

    pub(crate) fn suggest(&self, document: DocId, old: &str, new: &str) -> SuggestionId {
        let edit = self.replacing(document, old, new);
        match self.edit(document, edit, Mode::Suggest).unwrap().ending {
            Ending::Suggested(id) => id,
            other => panic!("{other:?}"),
        }
    }
}

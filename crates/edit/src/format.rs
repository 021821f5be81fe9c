//! The road from an edit to a patch, the same for every format.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::draft::{Draft, joined};
use crate::{Content, Patch, Refusal, RevisionId, Shown, Stop, Whose, summed_up};

/// Bytes to ask for when a file will be about as long as `source`. A file that grows a little from save to save asks
/// for the same, so the memory of one that was replaced can take the next. Memory that is new to the process is
/// cleared page by page, which costs more than all that is written into it.
pub fn room_for(source: usize) -> usize {
    let some = source + source / 16 + 4096;
    some.next_multiple_of((some / 8).next_power_of_two())
}

/// What a file says about edits of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HouseRule {
    Free,
    /// Edits are to be written as tracked changes; `always` even if somebody asks for something else.
    Tracked {
        why: String,
        always: bool,
    },
    /// Edits are not wanted, unless somebody sets that aside.
    Forbidden {
        why: String,
    },
}

/// A document format: how its bytes are read, and how its own edits become patches.
///
/// Engines implement this and nothing else of the workspace. All of it is pure.
pub trait Format {
    /// Everything known about one revision, computed from its content and never edited in place. Cloning
    /// must be cheap: share, and copy on write.
    type View: Clone;
    /// The format's own vocabulary; bulk where the format is bulk.
    type Edit: Clone;
    /// What an edit has to report beside its patch: new ids, counts, what was found.
    type Outcome;
    /// What bringing a document up to date finds out, beside its step.
    type Settled: Default + Clone;
    /// What saving needs of the file that was opened, such as the archive with its untouched entries.
    type Source;
    /// How much of a file is accepted.
    type Limits;

    /// Take a file apart.
    fn unpack(file: Arc<Vec<u8>>, limits: &Self::Limits) -> Result<(Self::Source, Content), Refusal>;

    /// Put the file together again. Content that was not changed gives the bytes that were opened.
    fn pack(source: &Self::Source, content: &Content) -> Result<Vec<u8>, Refusal>;

    /// As `pack`, for a file that is about to be written. `room` is memory to write it to, if it is enough.
    fn repack(
        source: &Self::Source,
        content: &Content,
        limits: &Self::Limits,
        _room: Vec<u8>,
    ) -> Result<Packed<Self::Source>, Refusal> {
        pack_and_open::<Self>(source, content, limits)
    }

    fn view(content: &Content) -> Result<Self::View, Refusal>;

    /// The view of `after`, which `patch` made from what `view` shows.
    ///
    /// A batch calls this once for each edit, so it must not read the whole part again: shift what moved,
    /// read again only the paragraph, row or block that was touched. `Self::view(after)` is the meaning of
    /// the result, whatever the road to it.
    fn view_after(view: Self::View, patch: &Patch, after: &Content) -> Result<Self::View, Refusal>;

    /// Everything that the view says of the document, line by line. Two views of one content say the same, however
    /// they came to be; tests hold them to it. Reads the whole document.
    fn inventory(view: &Self::View) -> Result<Vec<String>, Refusal>;

    /// Fix what an edit means in this revision, so that it can be carried to a later one: ordinals become
    /// places, the text it expects is noted. An edit that is already fixed comes back as it is.
    fn anchor(view: &Self::View, edit: &Self::Edit) -> Result<Self::Edit, Refusal>;

    /// An anchored edit as it reads after `patch`, or why it has lost its place.
    fn carry(edit: &Self::Edit, patch: &Patch) -> Result<Self::Edit, Lost>;

    fn plan(view: &Self::View, edit: &Self::Edit, cx: &Context) -> Result<Planned<Self::Outcome>, Refusal>;

    /// Make an edit of what a draft shows. Only for edits that are made in turns, each settled before the next, is that
    /// more than planning them.
    fn make(
        draft: Draft<Self>,
        edit: &Self::Edit,
        cx: &Context,
    ) -> Result<(Draft<Self>, Self::Outcome), Refusal>
    where
        Self: Sized,
    {
        draft.make_planned(edit, cx)
    }

    /// The same edit written as changes that the file itself keeps for somebody to decide on. Only if all that it
    /// changes is kept so; an edit that is written so already comes back as it is.
    fn tracked(_edit: &Self::Edit) -> Option<Self::Edit> {
        None
    }

    /// What the author of the file wants of an edit.
    fn house_rule(_view: &Self::View, _edit: &Self::Edit) -> HouseRule {
        HouseRule::Free
    }

    /// Whether `plan_at_once` is worth asking.
    const AT_ONCE: bool = false;

    /// Anchored edits of one revision as one step, each as it would be made on what those before it left.
    ///
    /// Planned one by one, five hundred edits of a long document take seconds. `None` is no refusal: one of
    /// the edits cannot be made, and planning fewer of them tells which.
    fn plan_at_once(_view: &Self::View, _edits: &[&Self::Edit], _cx: &Context) -> Option<Step> {
        None
    }

    /// What an anchored edit changes, if it can be told without looking at the document.
    fn splices_of(_edit: &Self::Edit) -> Option<Patch> {
        None
    }

    /// What `patch`, which takes `before` to `after`, changes as people read it. Costs what was changed.
    fn shown(before: &Self::View, after: &Self::View, patch: &Patch) -> Result<Vec<Shown>, Refusal>;

    /// What must follow the edits before the document is whole again, such as recalculation.
    fn settle(_view: &Self::View, _cx: &Context) -> Result<Settlement<Self::Settled>, Refusal> {
        Ok(Settlement::default())
    }

    /// Completes what the edits of a batch report by what settling found; `view` is the settled document.
    fn report(
        _outcomes: &mut [Self::Outcome],
        _settled: &Self::Settled,
        _view: &Self::View,
    ) -> Result<(), Refusal> {
        Ok(())
    }

    /// The view of `after`, which settling `view` came to; what was found need not be found again.
    fn view_settled(
        view: Self::View,
        settlement: &Settlement<Self::Settled>,
        after: &Content,
    ) -> Result<Self::View, Refusal> {
        match &settlement.step {
            Some(step) if !step.patch.is_empty() => Self::view_after(view, &step.patch, after),
            _ => Ok(view),
        }
    }

    /// Look for what is wrong with a document that is about to be saved, beside what was wrong with the file
    /// it came from. `None` if the format has nobody who looks.
    fn examine(_before: &Content, _after: &Content) -> Result<Option<Findings>, Refusal> {
        Ok(None)
    }

    /// The changes that the file itself keeps for somebody to decide on, counted by author. `known` is what was
    /// counted in an earlier state.
    fn undecided(_view: &Self::View, _known: Option<&Undecided>) -> Result<BTreeMap<String, usize>, Refusal> {
        Ok(BTreeMap::new())
    }

    /// Accept all of those changes; `None` if there are none.
    fn decide(_view: &Self::View, _cx: &Context) -> Result<Option<Step>, Refusal> {
        Ok(None)
    }
}

/// A file that is about to be written and has been opened again.
#[derive(Debug)]
pub struct Packed<S> {
    pub file: Arc<Vec<u8>>,
    /// What saving needs of the new file.
    pub source: S,
    /// What must still be shown before the file may take the place of another.
    pub proof: Proof,
}

/// Whether a packed file holds the document. Reading it back can wait until somebody has time for it, such as while
/// the disk is busy.
pub struct Proof(Option<Box<dyn FnOnce() -> bool + Send>>);

impl Proof {
    pub fn given() -> Self {
        Self(None)
    }

    pub fn by(look: impl FnOnce() -> bool + Send + 'static) -> Self {
        Self(Some(Box::new(look)))
    }

    pub fn holds(self) -> bool {
        self.0.is_none_or(|look| look())
    }
}

impl std::fmt::Debug for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Proof(waiting)" } else { "Proof(given)" })
    }
}

/// The file with `content`, read back whole.
pub fn pack_and_open<F: Format + ?Sized>(
    source: &F::Source,
    content: &Content,
    limits: &F::Limits,
) -> Result<Packed<F::Source>, Refusal> {
    let file = Arc::new(F::pack(source, content)?);
    let (source, again) = F::unpack(Arc::clone(&file), limits).map_err(|cause| {
        Refusal::internal(format!("the packed file does not open again ({cause}); nothing was written"))
    })?;
    if again != *content {
        return Err(Refusal::internal("the packed file does not hold the document; nothing was written"));
    }
    Ok(Packed { file, source, proof: Proof::given() })
}

/// What looking at a document brought, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// What edits brought. A document with any is not saved.
    pub new: Vec<String>,
    /// How much was wrong before and still is; `None` if only what changed was looked at.
    pub known: Option<usize>,
}

/// What [`Format::undecided`] counted in a content.
#[derive(Debug, Clone)]
pub struct Undecided {
    pub content: Content,
    pub counts: BTreeMap<String, usize>,
}

/// Why an edit could not be carried to a later revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    pub why: String,
}

/// What an engine may know of the world.
#[derive(Debug, Clone)]
pub struct Context {
    /// As it is written into documents.
    pub author: String,
    /// Which caller asks, for the history; two may go by one name. Empty for the world outside.
    pub caller: String,
    /// Seconds since 1970-01-01 UTC.
    pub now: i64,
    /// For ids that only have to be new.
    pub seed: u64,
    /// The language that numbers and dates are typed and shown in, such as `de-DE`; nothing means that of the document.
    pub language: Option<String>,
    /// Long work asks it between steps.
    pub stop: Stop,
}

impl Context {
    /// On behalf of nobody in particular, for as long as it takes.
    pub fn new(author: impl Into<String>, now: i64, seed: u64) -> Self {
        Self { author: author.into(), caller: String::new(), now, seed, language: None, stop: Stop::never() }
    }

    pub fn whose(&self) -> Whose {
        Whose { author: self.author.clone(), caller: self.caller.clone() }
    }
}

/// One edit as it will be made.
#[derive(Debug, Clone, Default)]
pub struct Step {
    pub patch: Patch,
    /// For people: 'Replace "30 days" with "60 days" in 4.2'.
    pub summary: String,
    pub notes: Vec<Note>,
}

/// Something the caller should know about a step that was nevertheless made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub level: Level,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warning,
}

#[derive(Debug, Clone)]
pub struct Planned<Outcome> {
    pub step: Step,
    pub outcome: Outcome,
}

/// What settling came to.
#[derive(Debug, Clone, Default)]
pub struct Settlement<Settled> {
    /// What it writes, and what people should know of it.
    pub step: Option<Step>,
    pub found: Settled,
}

/// Steps, each on the result of the last.
#[derive(Debug, Clone)]
pub struct Plan {
    pub base: RevisionId,
    pub steps: Vec<Step>,
}

impl Plan {
    /// All steps as one patch on the base.
    pub fn patch(&self) -> Patch {
        joined(&self.steps)
    }

    pub fn summary(&self) -> String {
        let summaries = self.steps.iter().map(|step| step.summary.as_str());
        summed_up(summaries.filter(|summary| !summary.is_empty()))
    }
}

/// A plan with what it leads to, so that applying it costs nothing more.
#[expect(missing_debug_implementations, reason = "views are large and have no form worth printing")]
pub struct Batch<F: Format> {
    pub plan: Plan,
    /// One for each edit.
    pub outcomes: Vec<F::Outcome>,
    pub settled: F::Settled,
    pub content: Content,
    pub view: F::View,
}

/// Plan edits one after the other, each on the result of the last, all or none.
pub fn plan<F: Format>(
    content: &Content,
    view: F::View,
    base: RevisionId,
    edits: &[F::Edit],
    cx: &Context,
) -> Result<Batch<F>, Refusal> {
    let (draft, outcomes) = Draft::<F>::new(content.clone(), view).make_in_turn(edits, cx)?;
    let (draft, settled) = draft.settle(cx)?;
    draft.finish(base, outcomes, settled)
}

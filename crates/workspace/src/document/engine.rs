//! A document's engine at work: the view of the head, and what it makes of edits that are staged on it.
//!
//! `Typed` knows the format; the rest of the workspace reaches it through `Engine`, so that windows, saving,
//! journals and undo are written once.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use edit::{Content, Context, Draft, Findings, Lost, Packed, Patch, Plan, Refusal, RevisionId, Undecided};
use markdown::Markdown;
use sheet::Sheet;
use word::Word;

use crate::disk::journal::reused;
use crate::document::edits::Outcome;
use crate::document::formats::{Count, Limits, Opens};
use crate::document::planning;
use crate::document::staged::{Anchored, Staged};
use crate::document::text::Text;
use crate::ids::SuggestionId;
use crate::kind::Kind;

pub(crate) struct Typed<F: Opens> {
    source: F::Source,
    limits: F::Limits,
    /// Of the head.
    pub(crate) view: F::View,
    pub(crate) answers: Answers<F>,
    /// What was last counted for a receipt.
    counted: Option<Undecided>,
}

/// Outcomes by request id, the oldest forgotten first.
pub(crate) struct Answers<F: Opens> {
    kept: VecDeque<(String, [u8; 32], Outcome<F::Outcome>)>,
    most: usize,
}

/// Suggestions that are decided together, with their edits.
pub(crate) type Group = Vec<(SuggestionId, Arc<dyn Staged>)>;

pub(crate) struct Unpacked {
    pub(crate) content: Content,
    source: Box<dyn Any + Send>,
}

/// See `Format::examine`.
pub(crate) type Examiner = fn(&Content, &Content) -> Result<Option<Findings>, Refusal>;

pub(crate) trait Engine: Send {
    fn kind(&self) -> Kind;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;

    fn pack(&self, content: &Content) -> Result<Vec<u8>, Refusal>;
    /// The file to be written, into `room` if that is enough, with what it is opened as.
    fn repack(&self, content: &Content, room: Vec<u8>) -> Result<Packed<Unpacked>, Refusal>;
    /// The same on the slow road, where nothing is left to prove.
    fn repack_proven(&self, content: &Content) -> Result<Packed<Unpacked>, Refusal>;
    fn unpack(&self, file: Arc<Vec<u8>>) -> Result<Unpacked, Refusal>;
    /// From now on, pack from what was unpacked.
    fn adopt(&mut self, unpacked: Unpacked);
    fn count(&self, content: &Content) -> Result<Count, Refusal>;
    /// See `Opens::extension`.
    fn extension(&self, content: &Content) -> Result<Option<&'static str>, Refusal>;
    /// `Format::examine`, for somebody who has time for it.
    fn examiner(&self) -> Examiner;
    /// See `Format::undecided`; of the head.
    fn undecided(&mut self, head: &Content) -> Result<BTreeMap<String, usize>, Refusal>;
    /// The head with every change accepted that the file keeps for somebody to decide on.
    fn decided(&self, head: &Content, cx: &Context) -> Result<Content, Refusal>;

    /// The head is now `after`, which `patch` made of it.
    fn changed(&mut self, patch: &Patch, after: &Content) -> Result<(), Refusal>;

    /// See `Opens::NAMES_FOLLOW`.
    fn names_follow(&self) -> bool;

    /// The head is now this, however it came to be.
    fn look(&mut self, head: &Content) -> Result<(), Refusal>;

    /// See `Opens::difference`.
    fn difference(&self, from: &Content, to: &Content) -> Result<Option<Patch>, Refusal>;
    /// See `Opens::MERGES`.
    fn merges(&self) -> bool;
    /// See `Opens::mark`.
    fn mark(&self, content: &Content, patch: &mut Patch) -> Result<(), Refusal>;
    /// Staged edits of `before` that have lost their place, where it is in `after`.
    fn found_again(
        &self,
        staged: &dyn Staged,
        before: &Content,
        after: &Content,
    ) -> Result<Option<Arc<dyn Staged>>, Refusal>;

    /// Staged edits, as `Staged::written` gave them.
    fn read_staged(&self, written: &str) -> Result<Arc<dyn Staged>, Refusal>;
    /// What staged edits would do to `content`, which is the head.
    fn propose(
        &self,
        staged: &dyn Staged,
        content: &Content,
        base: RevisionId,
        cx: &Context,
    ) -> Result<Plan, Refusal>;
    /// All of these, one group after the other. A group of which one cannot be made is left out, with the
    /// reason.
    fn propose_all(
        &self,
        groups: &[Group],
        content: &Content,
        base: RevisionId,
        cx: &Context,
    ) -> Result<(Plan, Vec<(SuggestionId, Refusal)>), Refusal>;
}

impl<F: Opens> Typed<F> {
    pub(crate) fn open(file: Arc<Vec<u8>>, limits: &Limits) -> Result<(Box<dyn Engine>, Content), Refusal> {
        let most = limits.answers;
        let limits = F::limits(limits);
        let (source, content) = F::unpack(file, &limits)?;
        let view = F::view(&content)?;
        let answers = Answers { kept: VecDeque::new(), most };
        Ok((Box::new(Self { source, limits, view, answers, counted: None }), content))
    }

    /// Add what these groups do to a draft: all in one step if they allow it, otherwise by halves, so that
    /// few that cannot be made do not make all others slow.
    fn propose_groups(
        &self,
        draft: &mut Draft<F>,
        groups: &[Group],
        left: &mut Vec<(SuggestionId, Refusal)>,
        base: RevisionId,
        cx: &Context,
    ) {
        if F::AT_ONCE && groups.len() > 1 {
            if !cx.stop.is_asked() && self.propose_at_once(draft, groups, cx).is_none() {
                let (first, second) = groups.split_at(groups.len() / 2);
                self.propose_groups(draft, first, left, base, cx);
                self.propose_groups(draft, second, left, base, cx);
            }
            return;
        }
        for group in groups {
            match self.propose_group(draft, group, base, cx) {
                Ok(made) => draft.join(made),
                Err(refusal) => left.extend(group.iter().map(|(id, _)| (id.clone(), refusal.clone()))),
            }
        }
    }

    /// Add all of these groups to a draft in one step.
    fn propose_at_once(&self, draft: &mut Draft<F>, groups: &[Group], cx: &Context) -> Option<()> {
        let mut edits: Vec<F::Edit> = Vec::new();
        for (_, staged) in groups.iter().flatten() {
            let staged = Anchored::<F>::of(&**staged).ok()?;
            edits.extend(staged.iter().map(|edit| draft.carry(edit)).collect::<Result<Vec<_>, _>>().ok()?);
        }
        draft.make_at_once(&edits.iter().collect::<Vec<_>>(), cx)
    }

    /// What the suggestions of a group do to a draft, on a fork of it.
    fn propose_group(
        &self,
        draft: &Draft<F>,
        group: &Group,
        base: RevisionId,
        cx: &Context,
    ) -> Result<Draft<F>, Refusal> {
        let stale = |lost: Lost| Refusal::Stale { expected: base, current: base, why: Some(lost.why) };
        let mut fork = draft.fork();
        for (_, staged) in group {
            let carried: Result<Vec<F::Edit>, Lost> = Anchored::<F>::of(&**staged)?
                .iter()
                .map(|edit| draft.carry(edit).and_then(|edit| fork.carry(&edit)))
                .collect();
            let (made, _) = fork.make_together(&carried.map_err(stale)?, cx)?;
            (fork, _) = made.settle(cx)?;
        }
        Ok(fork)
    }
}

/// Take a file apart with the engine of its kind.
pub(crate) fn open(
    kind: Kind,
    file: Arc<Vec<u8>>,
    limits: &Limits,
) -> Result<(Box<dyn Engine>, Content), Refusal> {
    match kind {
        Kind::Markdown => Typed::<Markdown>::open(file, limits),
        Kind::Word => Typed::<Word>::open(file, limits),
        Kind::Sheet => Typed::<Sheet>::open(file, limits),
        Kind::Text => Typed::<Text>::open(file, limits),
    }
}

fn unpacked_as<S: Send + 'static>(content: &Content, packed: Packed<S>) -> Packed<Unpacked> {
    let Packed { file, source, proof } = packed;
    Packed { file, source: Unpacked { content: content.clone(), source: Box::new(source) }, proof }
}

impl<F: Opens> Engine for Typed<F> {
    fn kind(&self) -> Kind {
        F::KIND
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn pack(&self, content: &Content) -> Result<Vec<u8>, Refusal> {
        F::pack(&self.source, content)
    }

    fn repack(&self, content: &Content, room: Vec<u8>) -> Result<Packed<Unpacked>, Refusal> {
        let packed = F::repack(&self.source, content, &self.limits, room)?;
        Ok(unpacked_as(content, packed))
    }

    fn repack_proven(&self, content: &Content) -> Result<Packed<Unpacked>, Refusal> {
        let packed = edit::pack_and_open::<F>(&self.source, content, &self.limits)?;
        Ok(unpacked_as(content, packed))
    }

    fn unpack(&self, file: Arc<Vec<u8>>) -> Result<Unpacked, Refusal> {
        let (source, content) = F::unpack(file, &self.limits)?;
        Ok(Unpacked { content, source: Box::new(source) })
    }

    fn adopt(&mut self, unpacked: Unpacked) {
        if let Ok(source) = unpacked.source.downcast() {
            self.source = *source;
        }
    }

    fn count(&self, content: &Content) -> Result<Count, Refusal> {
        F::count(&self.view, content)
    }

    fn examiner(&self) -> Examiner {
        F::examine
    }

    fn undecided(&mut self, head: &Content) -> Result<BTreeMap<String, usize>, Refusal> {
        let counts = F::undecided(&self.view, self.counted.as_ref())?;
        self.counted = Some(Undecided { content: head.clone(), counts: counts.clone() });
        Ok(counts)
    }

    fn decided(&self, head: &Content, cx: &Context) -> Result<Content, Refusal> {
        match F::decide(&self.view, cx)? {
            Some(step) => step.patch.apply(head),
            None => Ok(head.clone()),
        }
    }

    fn changed(&mut self, patch: &Patch, after: &Content) -> Result<(), Refusal> {
        self.view = F::view_after(self.view.clone(), patch, after).or_else(|_| F::view(after))?;
        Ok(())
    }

    fn extension(&self, content: &Content) -> Result<Option<&'static str>, Refusal> {
        F::extension(content)
    }

    fn names_follow(&self) -> bool {
        F::NAMES_FOLLOW
    }

    fn look(&mut self, head: &Content) -> Result<(), Refusal> {
        self.view = F::view(head)?;
        Ok(())
    }

    fn difference(&self, from: &Content, to: &Content) -> Result<Option<Patch>, Refusal> {
        F::difference(from, to)
    }

    fn merges(&self) -> bool {
        F::MERGES
    }

    fn mark(&self, content: &Content, patch: &mut Patch) -> Result<(), Refusal> {
        F::mark(content, patch)
    }

    fn found_again(
        &self,
        staged: &dyn Staged,
        before: &Content,
        after: &Content,
    ) -> Result<Option<Arc<dyn Staged>>, Refusal> {
        let (before, after) = (F::view(before)?, F::view(after)?);
        let edits = Anchored::<F>::of(staged)?.iter();
        let found: Option<Vec<F::Edit>> = edits.map(|edit| F::found_again(edit, &before, &after)).collect();
        Ok(found.map(|found| Arc::new(Anchored::<F>(found)) as Arc<dyn Staged>))
    }

    fn read_staged(&self, written: &str) -> Result<Arc<dyn Staged>, Refusal> {
        Ok(Arc::new(Anchored::<F>::read(written)?))
    }

    fn propose(
        &self,
        staged: &dyn Staged,
        content: &Content,
        base: RevisionId,
        cx: &Context,
    ) -> Result<Plan, Refusal> {
        let edits = Anchored::<F>::of(staged)?;
        Ok(planning::together::<F>(content, self.view.clone(), base, edits, cx)?.plan)
    }

    fn propose_all(
        &self,
        groups: &[Group],
        content: &Content,
        base: RevisionId,
        cx: &Context,
    ) -> Result<(Plan, Vec<(SuggestionId, Refusal)>), Refusal> {
        let mut draft = Draft::<F>::new(content.clone(), self.view.clone());
        let mut left = Vec::new();
        self.propose_groups(&mut draft, groups, &mut left, base, cx);
        // Whoever stopped it wants none of them, not those that came first.
        cx.stop.check()?;
        let (_, _, steps) = draft.into_parts();
        Ok((Plan { base, steps }, left))
    }
}

impl<F: Opens> Answers<F> {
    /// The answer that was given to this request. The same id with another request is a mistake.
    pub(crate) fn find(&self, id: &str, print: &[u8; 32]) -> Result<Option<Outcome<F::Outcome>>, Refusal> {
        match self.kept.iter().find(|(kept, _, _)| kept == id) {
            None => Ok(None),
            Some((_, kept, outcome)) if kept == print => Ok(Some(outcome.clone())),
            Some(_) => Err(reused()),
        }
    }

    pub(crate) fn keep(&mut self, id: String, print: [u8; 32], outcome: Outcome<F::Outcome>) {
        if self.kept.len() >= self.most {
            self.kept.pop_front();
        }
        self.kept.push_back((id, print, outcome));
    }
}

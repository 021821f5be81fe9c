//! The gate: what becomes of the edits of a caller, and what of others' work it may take back.
//!
//! Every change of every format passes here, because nothing else in the workspace reaches a document's history.

use edit::Whose;

use super::rules;
use super::*;
use crate::caller::Gate;
use crate::disk::policy::FilePlace;
use crate::document::edits::{self, Ending, Mode};

impl Workspace {
    /// Plan edits, and apply, stage or only show them.
    pub fn edit<F: Opens>(
        &self,
        document: DocId,
        mut request: EditRequest<F::Edit>,
    ) -> Result<Outcome<F::Outcome>, Refusal> {
        let passed = self.pass::<F>(&mut request);
        if request.mode != Mode::DryRun {
            self.writable("editing")?;
        }
        let (cx, actor) = (self.context(), self.actor());
        let mut outcome = self.with(document, |document| {
            if document.only_read && request.mode != Mode::DryRun {
                return Err(crate::disk::old_workbooks::only_read("editing", &document.title));
            }
            let ruled = rules::keep::<F>(document, request)?;
            let made = |document: &mut Document, request| {
                edits::edit::<F>(document, request, &actor, &cx, || self.desk.ids.suggestion())
            };
            ruled.carry_out(document, made)
        })?;
        if self.status(document)?.path.is_none() {
            // What has no file is found again by its journal, which the first edit began.
            self.desk.keep_seat(self.id());
        }
        if outcome.ending == Ending::Applied {
            self.has_made(document, outcome.revision)?;
        }
        if let Ending::Suggested(id) = &outcome.ending {
            self.desk.registry.lock().suggested.insert(id.clone(), document);
        }
        outcome.notes.extend(passed.filter(|_| matches!(outcome.ending, Ending::Suggested(_))));
        Ok(outcome)
    }

    /// What the policy makes of a request that wants to be applied, and what its caller must be told of that.
    fn pass<F: Opens>(&self, request: &mut EditRequest<F::Edit>) -> Option<Note> {
        if request.mode != Mode::Apply {
            return None;
        }
        match self.caller().approval.of(F::KIND) {
            Gate::Apply => None,
            Gate::Suggest => {
                request.mode = Mode::Suggest;
                None
            }
            Gate::Track => {
                let tracked: Option<Vec<F::Edit>> = request.edits.iter().map(F::tracked).collect();
                match tracked {
                    Some(edits) => {
                        request.edits = edits;
                        None
                    }
                    None => {
                        request.mode = Mode::Suggest;
                        let text = "staged as a suggestion: this edit cannot be written as a tracked change"
                            .to_owned();
                        Some(Note { level: Level::Info, text })
                    }
                }
            }
        }
    }

    pub fn undo(&self, document: DocId) -> Result<Option<Revision>, Refusal> {
        self.step(document, Way::Undo)
    }

    pub fn redo(&self, document: DocId) -> Result<Option<Revision>, Refusal> {
        self.step(document, Way::Redo)
    }

    fn step(&self, document: DocId, way: Way) -> Result<Option<Revision>, Refusal> {
        self.writable("editing")?;
        let cx = self.context();
        let stepped = self.with(document, |document| {
            self.own_step(document, way)?;
            document.step(way, &cx)
        })?;
        if let Some(revision) = &stepped {
            self.has_made(document, revision.id)?;
        }
        Ok(stepped)
    }

    /// An agent takes back what it made itself, and makes again what it took back itself. A person's text, another
    /// agent's, and what came from outside are for people to undo.
    fn own_step(&self, document: &Document, way: Way) -> Result<(), Refusal> {
        if self.caller().role == Role::Person {
            return Ok(());
        }
        let (what, others) = match way {
            Way::Undo => {
                let whose = document.undoable().filter(|whose| !self.made(whose));
                ("undoing the last change", whose.map(|whose| format!("it was made by {}", self.told(whose))))
            }
            Way::Redo => {
                let others = document.redoable().and_then(|(made, undone)| {
                    match (self.made(made), self.made(undone)) {
                        (true, true) => None,
                        (false, _) => Some(format!("it was made by {}", self.told(made))),
                        (true, false) => Some(format!("it was taken back by {}", self.told(undone))),
                    }
                });
                ("redoing the last change", others)
            }
        };
        match others {
            None => Ok(()),
            Some(why) => Err(Refusal::Denied {
                what: format!("{what} of {}", document.title),
                why: format!("{why}, and an agent undoes and redoes only its own"),
                instead: Some(
                    "make an edit that says what should be there instead, or let a person undo it".into(),
                ),
            }),
        }
    }

    fn made(&self, whose: &Whose) -> bool {
        whose.caller == self.id().as_str()
    }

    /// Somebody else, for the caller. A client that was started anew is another caller with the same name.
    fn told(&self, other: &Whose) -> String {
        match other.author == self.caller().name {
            true => {
                format!("another client that calls itself {} (or an earlier run of this one)", other.author)
            }
            false => other.author.clone(),
        }
    }

    /// Make the document what its file is now, as one change that can be undone.
    pub fn reload(&self, document: DocId) -> Result<Refreshed, Refusal> {
        self.writable("reloading")?;
        let cx = self.context();
        // What an earlier run of this client left behind and was recovered is its own, as long as nobody who goes by
        // that name is here: to make the document what the file is can be undone.
        let here = self.desk.callers_here();
        let left = |whose: &Whose| whose.author == self.caller().name && !here.contains(&whose.caller);
        self.with(document, |document| {
            let unsaved = document.unsaved_of();
            if let Some(other) = unsaved.iter().find(|whose| !self.made(whose) && !left(whose))
                && self.caller().role == Role::Agent
            {
                return Err(Refusal::Denied {
                    what: format!("reloading {}", document.title),
                    why: format!("it would put unsaved changes of {} away", self.told(other)),
                    instead: Some("save it under another name, or let a person decide".into()),
                });
            }
            saving::reload(document, &self.saving_desk(), &cx)
        })
    }

    /// What may become of a file that has the name already under which a document of this kind is to be written. Where
    /// edits wait for somebody, another file written over one would be a way round: there an agent replaces only what it
    /// wrote itself and nobody changed since.
    pub(super) fn over_others(
        &self,
        kind: Kind,
        place: &FilePlace,
        asked: Overwrite,
    ) -> Result<Overwrite, Refusal> {
        let gate = self.caller().approval.of(kind);
        if self.caller().role == Role::Person || gate == Gate::Apply || asked == Overwrite::Refuse {
            return Ok(asked);
        }
        if files::stamp(place)?.is_none() {
            // Should one come in between, it stays.
            return Ok(Overwrite::Refuse);
        }
        let found = image::hex(&files::read(place, self.desk.config.limits.file_bytes)?.image.hash);
        match self.seat(|seat| seat.is_as_written(&place.path, &found)) {
            true => Ok(Overwrite::Allow),
            false => Err(Refusal::Denied {
                what: format!("replacing {}", place.shown()),
                why: format!(
                    "edits of such files wait for a person here (policy `{}`), and what is there is not what you wrote",
                    gate.name()
                ),
                instead: Some("save under a name that is free, or edit that file itself".into()),
            }),
        }
    }

    /// An agent does not write over what somebody else put into a file, whatever it asks for.
    pub(super) fn over_own(&self, overwrite: Overwrite) -> Overwrite {
        match self.caller().role {
            Role::Agent => Overwrite::Refuse,
            Role::Person => overwrite,
        }
    }

    /// Why an agent that asked to overwrite was refused.
    pub(super) fn not_own(&self, asked: Overwrite, refusal: Refusal) -> Refusal {
        match (self.caller().role, asked, refusal) {
            (Role::Agent, Overwrite::Allow, Refusal::ChangedOnDisk { path, change }) => Refusal::Denied {
                what: format!("overwriting {path}"),
                why: format!("somebody else changed it since it was read ({change})"),
                instead: Some("save under another name, or let a person decide".into()),
            },
            (_, _, refusal) => refusal,
        }
    }
}

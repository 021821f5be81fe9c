//! Scripts against a workbook: run elsewhere on a copy, and what they did made again here, by the road of all edits.

use std::collections::BTreeMap;
use std::time::Duration;

use edit::Draft;
use script::{Execution, Failed, Preview, Script};
use sheet::{Edit, Run, Sheet};

use super::saves::named_for;
use super::*;
use crate::document::edits::Mode;

/// A script and its limits.
#[derive(Debug, Clone)]
pub struct ScriptText {
    pub code: String,
    pub input: serde_json::Value,
    pub time: Duration,
    pub output_chars: usize,
    /// The language in whose manner numbers and dates are shown, such as `de-DE`.
    pub locale: Option<String>,
}

/// What a script came to, and where.
#[derive(Debug)]
pub struct Scripted {
    pub execution: Execution,
    /// What it would do to the workbook.
    pub run: Option<Run>,
    /// Pictures that it asked for.
    pub previews: Vec<Preview>,
    /// The revision that it looked at.
    pub revision: RevisionId,
}

#[derive(Debug)]
pub enum ScriptFailure {
    Refused(Refusal),
    /// No script ran, or the process that ran it came to harm.
    Process(String),
}

impl From<Refusal> for ScriptFailure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Workspace {
    /// Run a script on a copy of the head. Nothing is written.
    pub fn script(&self, document: DocId, text: &ScriptText) -> Result<Scripted, ScriptFailure> {
        if let Some(tag) = text.locale.as_deref().filter(|tag| sheet::Locale::of(tag).is_none()) {
            let known = sheet::Locale::all().map(sheet::Locale::tag).collect::<Vec<_>>().join(", ");
            let wanted = format!("a language such as de-DE, one of {known}");
            return Err(Refusal::invalid("locale", format!("`{tag}`"), wanted).into());
        }
        let runner = self.desk.config.scripts.clone();
        let runner =
            runner.ok_or_else(|| ScriptFailure::Process("this program runs no scripts".to_owned()))?;
        let snapshot = self.snapshot::<Sheet>(document)?;
        let packed = self.packed(document)?;
        if self.revision_of(document)? != snapshot.revision {
            return Err(self.moved_on(document, snapshot.revision)?.into());
        }
        let Context { author, now, seed, .. } = self.context();
        let script = Script {
            code: text.code.clone(),
            input: text.input.clone(),
            time: text.time,
            output_chars: text.output_chars,
            locale: text.locale.clone(),
            author,
            now,
            seed,
        };
        match runner.run(&script, &packed, &self.stop) {
            Ok(ran) => Ok(Scripted {
                execution: ran.execution,
                run: ran.run,
                previews: ran.previews,
                revision: snapshot.revision,
            }),
            Err(Failed::Cancelled) => Err(Refusal::Cancelled.into()),
            Err(Failed::Workbook(why)) => {
                Err(Refusal::Corrupt { what: self.status(document)?.title, why }.into())
            }
            Err(other) => Err(ScriptFailure::Process(other.to_string())),
        }
    }

    /// Make again what a script did, if nobody changed the workbook meanwhile.
    pub fn make_run(
        &self,
        document: DocId,
        run: Run,
        base: RevisionId,
        mode: Mode,
    ) -> Result<Outcome<sheet::Outcome>, Refusal> {
        if self.revision_of(document)? != base {
            return Err(self.moved_on(document, base)?);
        }
        let request = EditRequest { base: Some(base), ..EditRequest::new(vec![Edit::Run(run)], mode) };
        self.edit::<Sheet>(document, request)
    }

    /// Look at the workbook as a script left it, whether or not that is kept.
    pub fn see_run<T>(
        &self,
        document: DocId,
        run: Option<&Run>,
        base: RevisionId,
        look: impl FnOnce(&sheet::View) -> T,
    ) -> Result<T, Refusal> {
        Ok(look(self.with_run(document, run, base)?.view()))
    }

    fn with_run(
        &self,
        document: DocId,
        run: Option<&Run>,
        base: RevisionId,
    ) -> Result<Draft<Sheet>, Refusal> {
        let snapshot = self.snapshot::<Sheet>(document)?;
        if snapshot.revision != base {
            return Err(self.moved_on(document, base)?);
        }
        let draft = Draft::<Sheet>::new(snapshot.content, snapshot.view);
        match run {
            Some(run) => Ok(draft.make(&Edit::Run(run.clone()), &self.context())?.0),
            None => Ok(draft),
        }
    }

    /// Whether a workbook of that name can be written, as far as that is known before anything is.
    pub fn may_write(&self, path: impl AsRef<Path>) -> Result<(), Refusal> {
        let path = path.as_ref();
        if path.as_os_str().is_empty() {
            return Err(Refusal::invalid("path", "an empty path", "a file path"));
        }
        self.writable("saving")?;
        let place = self.policy().target(path)?;
        self.over_others(Kind::Sheet, &place, Overwrite::Allow).map(drop)
    }

    /// Whether there is a file of that name.
    pub fn is_there(&self, path: impl AsRef<Path>) -> bool {
        self.policy().target(path.as_ref()).is_ok_and(|place| place.path.exists())
    }

    /// Write a copy of a workbook in which a script did what it did; the document stays as it is.
    pub fn save_run(
        &self,
        document: DocId,
        run: Option<&Run>,
        base: RevisionId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let place = self.policy().target(path.as_ref())?;
        if let Some(taken) = self.desk.registry.lock().paths.get(&place.path) {
            let by = if *taken == document { "the workbook itself" } else { "another open document" };
            return Err(Refusal::Locked { path: place.path.display().to_string(), by: by.into() });
        }
        let overwrite = self.over_others(Kind::Sheet, &place, overwrite)?;
        let content = self.with_run(document, run, base)?.content().clone();
        let report = self.with(document, |document| {
            named_for(document, &place.path)?;
            saving::save_copy(document, (content, BTreeMap::new()), place, overwrite, &self.saving_desk())
        })?;
        Ok(self.put_on_disk(report))
    }

    fn revision_of(&self, document: DocId) -> Result<RevisionId, Refusal> {
        Ok(self.cell(document)?.document.lock().revision())
    }

    fn moved_on(&self, document: DocId, expected: RevisionId) -> Result<Refusal, Refusal> {
        let current = self.revision_of(document)?;
        let why = "somebody changed the workbook while the script ran; run it again".to_owned();
        Ok(Refusal::Stale { expected, current, why: Some(why) })
    }
}

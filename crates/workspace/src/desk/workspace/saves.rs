//! Saving: to a document's own file, to another one, and copies.

use std::ffi::OsStr;

use super::*;
use crate::disk::policy::FilePlace;

impl Workspace {
    /// Save to the document's own file.
    pub fn save(&self, document: DocId, overwrite: Overwrite) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let cell = self.cell(document)?;
        let report = self.desk.with(&cell, |document| {
            let report = saving::save(document, self.over_own(overwrite), &self.saving_desk());
            report
                .map(|report| with_pending(document, report))
                .map_err(|refusal| self.not_own(overwrite, refusal))
        })?;
        Ok(self.put_on_disk(report))
    }

    /// Save under another path, which is the document's from then on.
    pub fn save_as(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let place = self.policy().target(path.as_ref())?;
        let path = place.path.clone();
        let taken = self.desk.registry.lock().paths.get(&path).copied();
        if taken == Some(document) {
            return self.save(document, overwrite);
        }
        if taken.is_some() {
            return Err(Refusal::Locked {
                path: path.display().to_string(),
                by: "another open document".into(),
            });
        }
        let overwrite = self.over_others(self.status(document)?.kind, &place, overwrite)?;
        if self.desk.registry.lock().is_open_elsewhere(document, self.id()) {
            return self.part(document, place, overwrite);
        }
        let report = self.with(document, |document| {
            named_for(document, &path)?;
            let report = saving::save_as(document, place, overwrite, &self.saving_desk())?;
            Ok(with_pending(document, report))
        })?;
        let mut registry = self.desk.registry.lock();
        registry.paths.retain(|_, id| *id != document);
        registry.paths.insert(path, document);
        drop(registry);
        self.desk.keep_seat(self.id());
        Ok(self.put_on_disk(report))
    }

    /// Others have the document open, so for them it stays what it is, with what is unsaved and suggested in it. The caller
    /// goes on with a document of its own, in the tabs and sessions in which it had the other.
    fn part(&self, from: DocId, place: FilePlace, overwrite: Overwrite) -> Result<SaveReport, Refusal> {
        let path = place.path.clone();
        let (mut report, was) = self.with(from, |document| {
            named_for(document, &path)?;
            let head = (document.history.head().clone(), saving::undecided(document)?);
            let report = saving::save_copy(document, head, place, overwrite, &self.saving_desk())?;
            Ok((report, document.title.clone()))
        })?;
        let (cell, _, notes) = self.load_file(&path)?;
        let status = cell.status.lock().clone();
        self.seat(|seat| seat.go_on(from, cell.id, &status.title));
        self.desk.keep_seat(self.id());
        report.revision = status.revision;
        report.notes.extend(notes);
        let text = format!(
            "others have {was} open, so it stays as it is, with its unsaved edits and suggestions; {} is a document of its own \
             from here on, and undo begins with it",
            status.title
        );
        report.notes.push(Note { level: Level::Info, text });
        Ok(self.put_on_disk(report))
    }

    /// The caller has put a file on disk.
    pub(super) fn put_on_disk(&self, report: SaveReport) -> SaveReport {
        self.used(&report.path);
        self.seat(|seat| seat.has_written(&report.path, &report.receipt.after));
        report
    }

    /// How the name of a file has to end that the document is saved to, where programs insist on it.
    pub fn extension(&self, document: DocId) -> Result<Option<&'static str>, Refusal> {
        self.with(document, |document| document.engine.extension(document.history.head()))
    }

    /// Write the document as it is to another file, and go on with its own; one without a file that it may be saved
    /// to takes the path for its own.
    pub fn save_copy(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let homeless = self.with(document, |document| Ok(document.file.is_none() || document.only_read))?;
        let place = self.policy().target(path.as_ref())?;
        let taken = self.desk.registry.lock().paths.get(&place.path).copied();
        if homeless || taken.is_some() {
            return self.save_as(document, path, overwrite);
        }
        let overwrite = self.over_others(self.status(document)?.kind, &place, overwrite)?;
        let report = self.with(document, |document| {
            named_for(document, &place.path)?;
            let head = document.history.head().clone();
            let head = (head, saving::undecided(document)?);
            let mut report = saving::save_copy(document, head, place, overwrite, &self.saving_desk())?;
            let own = document.file.as_ref().filter(|_| document.is_dirty());
            if let Some(own) = own {
                let text = format!("this is a copy; {} has not been saved yet", disk::name_of(&own.path));
                report.notes.push(Note { level: Level::Info, text });
            }
            Ok(with_pending(document, report))
        })?;
        Ok(self.put_on_disk(report))
    }

    /// Write a copy in which every change is accepted that the document keeps for somebody to decide on, such
    /// as Word's tracked changes. The document and its own file stay as they are.
    pub fn save_clean(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let place = self.policy().target(path.as_ref())?;
        if let Some(taken) = self.desk.registry.lock().paths.get(&place.path) {
            let by = if *taken == document {
                "the document that it is a copy of"
            } else {
                "another open document"
            };
            return Err(Refusal::Locked { path: place.path.display().to_string(), by: by.into() });
        }
        let overwrite = self.over_others(self.status(document)?.kind, &place, overwrite)?;
        let cx = self.context();
        let report = self.with(document, |document| {
            named_for(document, &place.path)?;
            let report = saving::save_clean(document, place, overwrite, &self.saving_desk(), &cx)?;
            Ok(with_pending(document, report))
        })?;
        Ok(self.put_on_disk(report))
    }
}

/// What is suggested and not decided is not in the file, which a reader of the report may not expect.
pub(super) fn with_pending(document: &Document, mut report: SaveReport) -> SaveReport {
    let text = match document.suggestions.pending().count() {
        0 => return report,
        1 => "1 suggestion is still pending and is not in the file".to_owned(),
        count => format!("{count} suggestions are still pending and are not in the file"),
    };
    report.notes.push(Note { level: Level::Info, text });
    report
}

/// An Office document is known by the end of its name, so it must not be saved under another one.
pub(super) fn named_for(document: &Document, path: &Path) -> Result<(), Refusal> {
    let (kind, named) = (document.engine.kind(), Kind::of(path));
    let extension = path.extension().unwrap_or(OsStr::new("")).to_ascii_lowercase();
    if kind == Kind::Sheet && matches!(extension.to_str(), Some("xls" | "xlt" | "xlsb")) {
        return Err(Refusal::Unsupported {
            what: format!("writing {}, a binary workbook,", path.display()),
            instead: Some("give it a name that ends in .xlsx".to_owned()),
        });
    }
    if kind != named && (kind.is_office() || named.is_office()) {
        let found = format!("`{}`", disk::name_of(path));
        return Err(Refusal::invalid("path", found, format!("a name for a {kind} document")));
    }
    // A file that bears the wrong name already may keep it: its owner has a way to open it.
    let own = document.file.as_ref().and_then(|file| file.path.extension()).map(OsStr::to_ascii_lowercase);
    let fits = document.engine.extension(document.history.head())?;
    if let Some(fits) = fits.filter(|fits| extension != **fits && own.as_ref() != Some(&extension)) {
        let of = if fits.ends_with('m') { "macros" } else { "no macros" };
        let of =
            if fits.contains('t') { format!("a template with {of}") } else { format!("a file with {of}") };
        return Err(Refusal::Rule {
            code: "WRONG_EXTENSION",
            why: format!(
                "`{}` cannot be the name of {of}: Office would refuse to open it",
                disk::name_of(path)
            ),
            instead: Some(format!("name it `{}`", disk::name_of(&path.with_extension(fits)))),
        });
    }
    Ok(())
}

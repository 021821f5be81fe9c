//! Opening a file that is not there any more, for what was left unsaved of it.

use super::*;
use crate::caller::notices::Event;
use crate::desk::register::StoredDocument;
use crate::disk::image::Image;
use crate::disk::journal::Account;

impl Workspace {
    /// The document of a file that is gone, if there is work in it that the file never had: a document that is still open, or
    /// what an earlier run left. Saving writes the file anew. One that was only renamed is opened under its new name.
    pub(super) fn load_gone(
        &self,
        path: &Path,
        missing: Refusal,
    ) -> Result<(Arc<Cell>, bool, Vec<Note>), Refusal> {
        // Without its folder there is nowhere to write it.
        let Ok(place) = self.policy().target(path) else { return Err(missing) };
        let path = place.path;
        let opening = self.desk.opening.lock(path.clone());
        let known = {
            let registry = self.desk.registry.lock();
            registry.paths.get(&path).and_then(|id| registry.documents.get(id).cloned())
        };
        if let Some(cell) = known {
            return match cell.document.lock().is_idle() {
                true => Err(missing),
                false => Ok((Arc::clone(&cell), true, Vec::new())),
            };
        }
        if let Some(moved) = self.moved_to(&path) {
            drop(opening);
            self.desk.registry.lock().wake_at(&path, &moved);
            return self.load_file(&moved);
        }
        let document = self.left_without_file(&path).ok_or(missing)?;
        let (cell, was_open) = self.register(path, document);
        Ok((cell, was_open, Vec::new()))
    }

    /// Where a file is now that was renamed since it was last worked on, if something was left unsaved of it.
    pub(super) fn moved_to(&self, path: &Path) -> Option<PathBuf> {
        let journals = self.desk.journals.as_ref()?;
        let left = journals.left_of(path);
        let accounts = left.iter().filter_map(|left| Some(Account::of(&left.found.as_ref().ok()?.log)));
        let identity = accounts.filter(|account| !account.is_idle()).find_map(|account| account.identity)?;
        self.policy().find(path, identity)
    }

    /// What an earlier run left of a file that is gone.
    fn left_without_file(&self, path: &Path) -> Option<Document> {
        let journals = self.desk.journals.as_ref()?;
        journals.left_of(path).into_iter().find_map(|left| {
            let found = left.found.as_ref().ok()?;
            let account = Account::of(&found.log);
            if account.given_up || account.is_idle() {
                return None;
            }
            let base = Arc::new(found.base.clone()?);
            let file = |image| {
                let stamp = files::Stamp::of_nothing();
                OnDisk { path: path.to_owned(), stamp, image, conflict: None, held: None }
            };
            let (limits, now) = (&self.desk.config.limits, self.now());
            let image = Image::of(Arc::clone(&base));
            let replayed = found.document(base, Some(file(image)), limits, now).ok()?;
            let (mut document, damage) = (replayed.document, replayed.damage);
            // It is the file as it was last saved that would be missed, not as it was when the journal began.
            let saved = document.engine.pack(&document.saved.content).ok()?;
            document.file = Some(file(Image::of(Arc::new(saved))));
            let edits = if document.is_dirty() { account.edits } else { 0 };
            let suggestions = document.suggestions.entries.iter().filter(|entry| entry.undecided()).count();
            document.events.push(Event::Recovered { edits, suggestions });
            document.events.push(Event::FileGone);
            Some(self.go_on_without_file(document, damage, left, path))
        })
    }
}

impl crate::desk::Registry {
    /// A document that callers had open before a restart has another path by now.
    fn wake_at(&mut self, was: &Path, is: &Path) {
        let id = self.asleep_at(was);
        let stored = id.and_then(|id| self.asleep.get_mut(&id));
        stored.into_iter().for_each(|stored| *stored = StoredDocument::File(is.to_owned()));
    }
}

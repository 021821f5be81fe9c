//! What a caller may see of what others have. Decided here, for every door.
//!
//! | of others | an agent | a person |
//! |---|---|---|
//! | a document whose file lies in the caller's roots | yes, by id or path | yes |
//! | a document whose file does not | unknown | unknown |
//! | an untitled document | unknown | yes |
//! | what earlier runs left unsaved | of files in its roots | the same, and of untitled documents |
//! | suggestions and revisions of a document it sees, with authors' names | yes | yes |
//! | deciding on those suggestions | no | yes |
//! | windows, tabs, focus, selections, sessions, named ranges, request ids | unknown | unknown |
//! | notices | of its own suggestions, and of documents it has open | the same |
//!
//! What may not be seen is answered as what is not there, so that nobody learns that it is.

use super::*;
use crate::desk::register::StoredDocument;
use crate::disk::journal::Recoverable;

impl Workspace {
    /// A document by its id, if this caller may see it.
    pub(super) fn cell(&self, id: DocId) -> Result<Arc<Cell>, Refusal> {
        let found = self.desk.registry.lock().documents.get(&id).cloned();
        let cell = match found {
            Some(cell) => Some(cell),
            None => self.wake(id)?,
        };
        cell.filter(|cell| self.sees(cell)).ok_or_else(|| Refusal::not_found("document", id.to_string()))
    }

    /// All documents that are open and that this caller may see.
    pub fn documents(&self) -> Vec<DocumentStatus> {
        let cells: Vec<Arc<Cell>> = self.desk.registry.lock().documents.values().cloned().collect();
        cells.iter().filter(|cell| self.sees(cell)).map(|cell| cell.status.lock().clone()).collect()
    }

    fn sees(&self, cell: &Cell) -> bool {
        match &cell.status.lock().path {
            Some(path) => self.policy().holds(path),
            None => cell.made_by == *self.id() || self.caller().role == Role::Person,
        }
    }

    /// Whether this caller may see what an earlier run left. Nobody knows who made an untitled document.
    pub(super) fn sees_left(&self, left: &Recoverable) -> bool {
        match &left.path {
            Some(path) => self.policy().holds(path),
            None => self.caller().role == Role::Person,
        }
    }

    /// Open a document that was open before a restart, under the id that it had.
    fn wake(&self, id: DocId) -> Result<Option<Arc<Cell>>, Refusal> {
        let stored = self.desk.registry.lock().asleep.get(&id).cloned();
        match stored {
            Some(StoredDocument::File(path)) if self.policy().holds(&path) => {
                let (cell, _, _) = self.load_file(&path)?;
                Ok(Some(cell))
            }
            Some(StoredDocument::Untitled(journal)) if self.seat(|seat| seat.documents().contains(&id)) => {
                self.wake_untitled(id, &journal)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// Open everything that this caller had open before a restart, for what is looked up by other names.
    pub(super) fn wake_all(&self) {
        let mine = self.seat(|seat| seat.documents());
        for id in mine {
            // What cannot be opened is told of when it is asked for by itself.
            let _ = self.cell(id);
        }
    }
}

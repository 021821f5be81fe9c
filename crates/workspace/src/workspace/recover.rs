//! Opening a file with what an earlier run left unsaved of it.

use super::*;
use crate::journal::Found;
use crate::notices::Event;
use crate::recovery::{Protection, Recoverable};

/// A document that was brought back, or why it was not.
enum Back {
    Whole(Box<Document>),
    /// There was nothing unsaved in it.
    Empty,
    Not(String),
}

impl Workspace {
    /// The document at `path`, which has just been read.
    pub(super) fn load(&self, path: &Path, read: disk::Read) -> Result<Document, Refusal> {
        let mut document = None;
        let mut events = Vec::new();
        let left = self.desk.journals.as_ref().map(|journals| journals.left_of(path)).unwrap_or_default();
        for found in left {
            let back = match &document {
                _ if found.given_up() => Back::Not("it was closed without saving".into()),
                None => self.bring_back(&found, path, &read),
                Some(_) => Back::Not("there is later unsaved work".into()),
            };
            match back {
                Back::Whole(back) => document = Some(self.go_on(*back, found)),
                Back::Empty => found.discard(),
                Back::Not(why) => events.extend(self.set_aside(found, why)),
            }
        }
        let mut document = match document {
            Some(document) => document,
            None => {
                let (title, limits, now) = (saving::name_of(path), &self.desk.config.limits, self.now());
                let converted = self.desk.config.old_workbooks.convert(path, &read.image.bytes)?;
                let only_read = converted.is_some();
                let bytes = converted.map_or_else(|| Arc::clone(&read.image.bytes), Arc::new);
                let file = on_disk(path, &read);
                let mut document =
                    Document::open(Kind::of(path), title, bytes, read.image.hash, Some(file), limits, now)?;
                document.only_read = only_read;
                if !only_read {
                    document.protection = self.protection();
                }
                document
            }
        };
        document.events.extend(events);
        Ok(document)
    }

    pub(super) fn protection(&self) -> Protection {
        self.desk
            .journals
            .as_ref()
            .map_or(Protection::Off, |journals| Protection::Ready(Arc::clone(journals)))
    }

    /// Unsaved work of earlier runs, of any document that this caller may see.
    pub fn recoverable(&self) -> Vec<Recoverable> {
        let found = self.desk.journals.as_ref().map(|journals| journals.all_left()).unwrap_or_default();
        found.iter().map(Found::describe).filter(|left| self.sees_left(left)).collect()
    }

    /// Bring back unsaved work: in its file, or as an untitled document if it has none or was set aside.
    pub fn recover(&self, id: &str, place: OpenIn) -> Result<Opened, Refusal> {
        let found = self.desk.journals.as_ref().map(|journals| journals.all_left()).unwrap_or_default();
        let meant = |found: &Found| {
            let about = found.describe();
            about.id == id && self.sees_left(&about)
        };
        let mut found: Vec<Found> = found.into_iter().filter(meant).collect();
        let found = found.pop().ok_or_else(|| Refusal::not_found("unsaved work", id))?;
        let about = found.describe();
        if let (Some(path), false) = (&about.path, about.aside) {
            drop(found);
            return self.open(path, place);
        }
        let (mut document, edits) = found.document(None, &self.desk.config.limits, self.now())?;
        if about.aside {
            document.title = format!("{} (recovered)", about.title);
        }
        document.events.push(Event::Recovered { edits, suggestions: about.suggestions });
        let document = self.go_on(document, found);
        let id = self.desk.document_id();
        let cell = self.desk.registry.lock().add(id, document, self.id());
        let tab = self.show(id, &place)?;
        self.desk.with(&cell, |_| Ok(()))?;
        Ok(Opened { document: id, tab, was_open: false, notes: Vec::new() })
    }

    /// An untitled document that this caller had open before a restart.
    pub(super) fn wake_untitled(&self, _id: DocId) -> Result<Option<Arc<Cell>>, Refusal> {
        Ok(None)
    }

    fn bring_back(&self, found: &Found, path: &Path, read: &disk::Read) -> Back {
        let file = on_disk(path, read);
        let (mut document, edits) =
            match found.document(Some(file.clone()), &self.desk.config.limits, self.now()) {
                Ok(made) => made,
                Err(refusal) => return Back::Not(refusal.to_string()),
            };
        if !found.knows(&read.image.hash) {
            let cx = Context { author: "another program".into(), caller: String::new(), ..self.context() };
            match saving::take_in(&mut document, file, read, &cx) {
                Ok(Refreshed::Conflict { change }) => {
                    return Back::Not(format!("the file has changed in the same places meanwhile, {change}"));
                }
                Ok(_) => {}
                Err(refusal) => return Back::Not(refusal.to_string()),
            }
        }
        let suggestions = document.suggestions.entries.iter().filter(|entry| entry.undecided()).count();
        if !document.is_dirty() && suggestions == 0 {
            return Back::Empty;
        }
        let edits = if document.is_dirty() { edits } else { 0 };
        document.events.push(Event::Recovered { edits, suggestions });
        Back::Whole(Box::new(document))
    }

    /// Continue the journal that the document was made from.
    fn go_on(&self, mut document: Document, found: Found) -> Document {
        let Some(journals) = &self.desk.journals else { return document };
        match journals.resume(found) {
            Ok(journal) => {
                document.protection = Protection::On(Arc::clone(journals), journal);
                document.protect_all();
            }
            Err(error) => {
                document.protection = Protection::Failed(Arc::clone(journals));
                document.events.push(Event::Unprotected { why: error.to_string() });
            }
        }
        document
    }

    fn set_aside(&self, found: Found, why: String) -> Option<Event> {
        let folder = match self.desk.journals.as_ref()?.set_aside(found, &why) {
            Ok(place) => place.display().to_string(),
            // Then it stays where it is.
            Err(error) => format!("the state folder ({error})"),
        };
        Some(Event::KeptAside { folder, why })
    }
}

fn on_disk(path: &Path, read: &disk::Read) -> OnDisk {
    OnDisk { path: path.to_owned(), stamp: read.stamp, image: read.image.clone(), conflict: None, held: None }
}

//! Opening a file with what an earlier run left unsaved of it.

use edit::OrEmpty;

use super::*;
use crate::caller::notices::Event;
use crate::disk::files;
use crate::disk::image::Image;
use crate::disk::journal::Recoverable;
use crate::disk::journal::{Account, End, GIVEN_UP, KeptJournal, Left};
use crate::document::recovery::{Protection, Replayed};

/// A document that was brought back, or why it was not.
enum Back {
    Whole(Box<Brought>),
    /// There was nothing unsaved in it.
    Empty,
    Not(String),
}

struct Brought {
    document: Document,
    /// Why not all of the journal could be followed.
    damage: Option<String>,
    /// The journal does not say how the document stands now.
    anew: bool,
}

impl Workspace {
    /// The document at `path`, which has just been read.
    pub(super) fn load(&self, path: &Path, read: files::Read) -> Result<Document, Refusal> {
        let mut document = None;
        let mut events = Vec::new();
        let left = self.desk.journals.as_ref().map(|journals| journals.left_of(path)).or_empty();
        for left in left {
            let back = match &left.found {
                Err(why) => Back::Not(why.clone()),
                Ok(found) => self.bring_back(found, path, &read, document.is_none()),
            };
            match back {
                Back::Whole(back) => document = Some(self.go_on(*back, left, Some(path))),
                Back::Empty => left.discard(),
                Back::Not(why) => events.extend(self.set_aside(left, why, path)),
            }
        }
        let mut document = match document.or_else(|| self.follow_moved(path, &read)) {
            Some(document) => document,
            None => self.fresh(path, &read)?,
        };
        document.events.extend(events);
        Ok(document)
    }

    /// The document of a file that was renamed to `path` since it was last worked on.
    fn follow_moved(&self, path: &Path, read: &files::Read) -> Option<Document> {
        let journals = self.desk.journals.as_ref()?;
        let hash = image::hex(&read.image.hash);
        for left in journals.left_of_moved(path, read.stamp.identity(), &hash) {
            let Ok(found) = &left.found else { continue };
            let Back::Whole(brought) = self.bring_back(found, path, read, true) else { continue };
            let Brought { mut document, damage, .. } = *brought;
            if let (Some(from), false) = (&found.log.opened.path, document.events.is_empty()) {
                document.events.push(Event::Followed { from: from.display().to_string() });
            }
            if let Some(why) = damage {
                document.events.extend(self.copy_aside(&left, why, Some(path)));
            }
            // Its journal goes by the path, so it is another one from now on.
            document.protection = Protection::Ready(Arc::clone(journals));
            document.protect_anew();
            if document.is_protected() {
                left.discard();
            }
            return Some(document);
        }
        None
    }

    /// The document at `path`, as its file says it is.
    fn fresh(&self, path: &Path, read: &files::Read) -> Result<Document, Refusal> {
        let (title, limits, now) = (disk::name_of(path), &self.desk.config.limits, self.now());
        let converted = self.desk.config.old_workbooks.convert(path, &read.image.bytes)?;
        let only_read = converted.is_some();
        let bytes = converted.map_or_else(|| Arc::clone(&read.image.bytes), Arc::new);
        let file = on_disk(path, read);
        let mut document =
            Document::open(Kind::of(path), title, bytes, read.image.hash, Some(file), limits, now)?;
        document.only_read = only_read;
        if !only_read {
            document.protection = self.protection();
        }
        Ok(document)
    }

    pub(super) fn protection(&self) -> Protection {
        self.desk
            .journals
            .as_ref()
            .map_or(Protection::Off, |journals| Protection::Ready(Arc::clone(journals)))
    }

    /// Unsaved work of earlier runs, of any document, and what is kept because it could not be brought back.
    pub fn recoverable(&self) -> Vec<Recoverable> {
        let left = self.desk.journals.as_ref().map(|journals| journals.recoverable()).or_empty();
        let left = left.into_iter().filter(|left| self.sees_left(left));
        left.map(|left| Recoverable { path: self.path_now(&left).or(left.path.clone()), ..left }).collect()
    }

    /// Where the file is that something was left of, if it was renamed since.
    fn path_now(&self, left: &Recoverable) -> Option<PathBuf> {
        let path =
            left.path.as_ref().filter(|path| !left.aside && std::fs::symlink_metadata(path).is_err())?;
        self.moved_to(path)
    }

    /// Bring back unsaved work: in its file, or as an untitled document if it has none or was set aside.
    pub fn recover(&self, id: &str, place: OpenIn) -> Result<Opened, Refusal> {
        let left = self.desk.journals.as_ref().map(|journals| journals.all_left()).or_empty();
        let left = left.into_iter().find(|left| left.id() == id && self.sees_left(&left.describe()));
        let left = left.ok_or_else(|| Refusal::not_found("unsaved work", id))?;
        let about = left.describe();
        if let (Some(path), false) = (&about.path, about.aside)
            && path.exists()
        {
            drop(left);
            return self.open(path, place);
        }
        let corrupt = |why: String| Refusal::Corrupt { what: format!("unsaved work `{id}`"), why };
        let found = left.found.as_ref().map_err(|why| corrupt(why.clone()))?;
        let base =
            found.base.clone().ok_or_else(|| corrupt("the file that it starts from is missing".into()))?;
        let Replayed { mut document, .. } =
            found.document(Arc::new(base), None, &self.desk.config.limits, self.now())?;
        if about.aside || about.path.is_some() {
            document.title = format!("{} (recovered)", about.title);
        }
        document.events.push(Event::Recovered { edits: about.edits, suggestions: about.suggestions });
        document.protection = self.protection();
        document.protect_anew();
        if document.is_protected() {
            left.discard();
        }
        let id = self.desk.document_id();
        let cell = self.desk.registry.lock().add(id, document, self.id());
        let tab = self.show(id, &place)?;
        self.desk.with(&cell, |_| Ok(()))?;
        Ok(Opened { document: id, tab, was_open: false, notes: Vec::new() })
    }

    /// An untitled document that this caller had open before a restart.
    pub(super) fn wake_untitled(&self, id: DocId, journal: &str) -> Result<Option<Arc<Cell>>, Refusal> {
        let left = self.desk.journals.as_ref().and_then(|journals| journals.left_named(journal));
        let Some(left) = left else { return Ok(None) };
        let Ok(found @ KeptJournal { base: Some(base), .. }) = &left.found else { return Ok(None) };
        let (base, limits) = (Arc::new(base.clone()), &self.desk.config.limits);
        let Replayed { document, damage } = found.document(base, None, limits, self.now())?;
        let anew = found.can_go_on().is_none();
        let document = self.go_on(Brought { document, damage, anew }, left, None);
        let cell = self.desk.registry.lock().add(id, document, self.id());
        Ok(Some(cell))
    }

    /// What a journal makes of the file at `path`. There may be a `later` one that was used already.
    fn bring_back(&self, found: &KeptJournal, path: &Path, read: &files::Read, latest: bool) -> Back {
        let (account, hash) = (Account::of(&found.log), image::hex(&read.image.hash));
        if found.outlived.as_ref() == Some(&hash) {
            return Back::Empty;
        }
        let brought = match () {
            () if account.given_up => Err(GIVEN_UP.into()),
            () if !latest => Err("there is later unsaved work".into()),
            () => self.replayed(found, &account, path, read),
        };
        match brought {
            Ok(brought) => Back::Whole(Box::new(brought)),
            // Then the file is all there is to say.
            Err(_) if account.is_idle() && matches!(found.log.end, End::Whole(_) | End::Torn) => Back::Empty,
            Err(why) => Back::Not(why),
        }
    }

    fn replayed(
        &self,
        found: &KeptJournal,
        account: &Account,
        path: &Path,
        read: &files::Read,
    ) -> Result<Brought, String> {
        let said = |refusal: Refusal| refusal.to_string();
        let hash = image::hex(&read.image.hash);
        let file = on_disk(path, read);
        let base = match &found.base {
            Some(base) => Arc::new(base.clone()),
            // The file itself will do, if it is still what it was.
            None if found.log.opened.file.as_ref() == Some(&hash) => Arc::clone(&read.image.bytes),
            None => return Err("the file that it starts from is missing or damaged".into()),
        };
        let Replayed { mut document, damage } =
            found.document(base, Some(file.clone()), &self.desk.config.limits, self.now()).map_err(said)?;
        let mut anew = found.can_go_on().is_none();
        if account.conflict.as_ref() == Some(&hash) {
            // As it was: both versions are kept, and saving refuses.
            let ours = document.engine.pack(&document.saved.content).map_err(said)?;
            let image = Image::of(Arc::new(ours));
            document.file = Some(OnDisk { image, conflict: Some(read.image.hash), ..file });
        } else if !account.knows(&hash) {
            let met = self.meet(&mut document, file, read);
            // What is missing at the end of the journal may well be what the file says now.
            met.map_err(|why| match &damage {
                Some(damage) => format!("{damage}, and what can be read of it does not lead to the file"),
                None => why,
            })?;
            anew = true;
        }
        let edits = if document.is_dirty() { account.edits } else { 0 };
        let suggestions = document.suggestions.entries.iter().filter(|entry| entry.undecided()).count();
        if edits + suggestions > 0 {
            document.events.push(Event::Recovered { edits, suggestions });
        }
        Ok(Brought { document, damage, anew })
    }

    /// Bring a document together with a file that is another one than its journal knows.
    fn meet(&self, document: &mut Document, file: OnDisk, read: &files::Read) -> Result<(), String> {
        let theirs =
            document.engine.unpack(Arc::clone(&read.image.bytes)).map_err(|refusal| refusal.to_string())?;
        if theirs.content == *document.history.head() {
            // Somebody saved it without saying so here.
            document.engine.adopt(theirs);
            document.saved_here();
            return Ok(());
        }
        let cx = Context { author: "another program".into(), caller: String::new(), ..self.context() };
        match saving::take_in(document, file, read, &cx) {
            Ok(Refreshed::Conflict { change }) => {
                Err(format!("the file has changed in the same places meanwhile, {change}"))
            }
            Ok(_) => Ok(()),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    /// Continue the journal that the document was made from.
    fn go_on(&self, brought: Brought, left: Left, path: Option<&Path>) -> Document {
        let Brought { mut document, damage, anew } = brought;
        let Some(journals) = &self.desk.journals else { return document };
        let anew = anew || damage.is_some();
        if let Some(why) = damage {
            document.events.extend(self.copy_aside(&left, why, path));
        }
        match journals.resume(left) {
            Ok(mut journal) => {
                journal.idle = document.is_idle();
                document.protection = Protection::On(journal);
                if anew {
                    document.protect_anew();
                }
            }
            Err(error) => {
                document.protection = Protection::Failed(Arc::clone(journals), None, document.changed_at);
                document.events.push(Event::Unprotected { why: error.to_string() });
            }
        }
        document
    }

    /// Continue the journal of a document whose file is gone, from how the document stands now.
    pub(super) fn go_on_without_file(
        &self,
        document: Document,
        damage: Option<String>,
        left: Left,
        path: &Path,
    ) -> Document {
        self.go_on(Brought { document, damage, anew: true }, left, Some(path))
    }

    fn copy_aside(&self, left: &Left, why: String, path: Option<&Path>) -> Option<Event> {
        let kept = self.desk.journals.as_ref()?.copy_aside(left, &why, path);
        let folder = kept.map_or_else(|error| nowhere(&error), |place| place.display().to_string());
        Some(Event::KeptAside { folder, why })
    }

    fn set_aside(&self, left: Left, why: String, path: &Path) -> Option<Event> {
        let kept = self.desk.journals.as_ref()?.set_aside(left, &why, Some(path));
        let folder = kept.map_or_else(|error| nowhere(&error), |place| place.display().to_string());
        Some(Event::KeptAside { folder, why })
    }
}

/// Where something is that could not be put aside: it stays where it is.
fn nowhere(error: &std::io::Error) -> String {
    format!("the state folder ({error})")
}

fn on_disk(path: &Path, read: &files::Read) -> OnDisk {
    OnDisk { path: path.to_owned(), stamp: read.stamp, image: read.image.clone(), conflict: None, held: None }
}

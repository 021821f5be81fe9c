//! Putting a document on disk, and taking in what other programs put there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edit::{Content, Context, Findings, Level, Note, PartName, Patch, Refusal, RevisionId};

use crate::caller::notices::Event;
use crate::disk;
use crate::disk::files::{self, Existing, Leftovers, Placed, Stamp};
use crate::disk::image::{self, Hash};
use crate::disk::journal::record::Record;
use crate::disk::policy::{FilePlace, Policy};
use crate::disk::work_thread::SideThread;
use crate::document::{Document, OnDisk, Saved};
use crate::ids::Ids;

mod storing;

use storing::{SaveCheck, Stored, store};

/// What becomes of a file that is not the one we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    Refuse,
    Allow,
}

#[derive(Debug, Clone)]
pub struct SaveReport {
    pub path: PathBuf,
    pub revision: RevisionId,
    /// `false` when the file had these bytes already.
    pub written: bool,
    /// Of the file.
    pub bytes: usize,
    pub notes: Vec<Note>,
    pub receipt: Receipt,
}

/// What a save did, for the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// SHA-256 of the file that was last read or written, in hexadecimal; `None` if there was none.
    pub before: Option<String>,
    pub after: String,
    /// The parts that were added, changed or removed since then.
    pub parts: Vec<PartName>,
    /// `None` when no part changed, or the format has nobody who looks.
    pub findings: Option<Findings>,
    /// Edits since the document was opened.
    pub edits: usize,
    /// Changes that the file keeps for somebody to decide on, by author.
    pub undecided: BTreeMap<String, usize>,
}

/// What looking at the file brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refreshed {
    Unchanged,
    /// The document has no file, or the file is gone; what is open stays.
    NoFile,
    TakenIn {
        change: String,
    },
    /// Both changed the same place. Nothing was touched; saving will refuse.
    Conflict {
        change: String,
    },
}

/// What saving needs of the workspace.
pub(crate) struct SavingDesk<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) ids: &'a Ids,
    pub(crate) side_thread: &'a SideThread,
    pub(crate) leftovers: &'a Leftovers,
    pub(crate) file_bytes: u64,
}

/// Save to the file the document was opened from.
pub(crate) fn save(
    document: &mut Document,
    overwrite: Overwrite,
    desk: &SavingDesk<'_>,
) -> Result<SaveReport, Refusal> {
    let Some(file) = document.file.clone() else {
        return Err(Refusal::Unsupported {
            what: format!("saving `{}`, which has never been a file,", document.title),
            instead: Some("save it under a path".into()),
        });
    };
    if document.only_read {
        return Err(crate::disk::old_workbooks::only_read("saving", &document.title));
    }
    let place = desk.policy.target(&file.path)?;
    if place.path != file.path {
        return Err(Refusal::Denied {
            what: format!("saving {}", file.path.display()),
            why: format!("its folder now leads to {}", place.path.display()),
            instead: Some("save it under a path of its own".into()),
        });
    }
    unlocked(document, &place)?;
    // What is about to be replaced is read right before that; until then a look from outside is enough.
    let look = if document.is_dirty() { DiskCheck::Outside } else { DiskCheck::Inside };
    let found = still_ours(document, &file, &place, look, desk);
    let found = match overwrite {
        Overwrite::Refuse => found?,
        Overwrite::Allow => found.ok().flatten(),
    };
    if found.is_some() && !document.is_dirty() {
        let (revision, bytes) = (document.revision(), files::size(&place)?);
        let undecided = undecided(document)?;
        let receipt = receipt(document, file.image.hash, SaveCheck::default(), undecided);
        return Ok(SaveReport {
            path: file.path,
            revision,
            written: false,
            bytes,
            notes: Vec::new(),
            receipt,
        });
    }
    let room = std::mem::take(&mut document.room);
    let head = document.history.head().clone();
    let links = files::links_of(&place);
    let known = OnDisk { stamp: found.unwrap_or(file.stamp), ..file };
    let last_look = |document: &mut Document, hash: &Hash| {
        document.protect_saving(hash);
        match overwrite {
            Overwrite::Refuse => still_ours(document, &known, &place, DiskCheck::Inside, desk).map(drop),
            Overwrite::Allow => Ok(()),
        }
    };
    let stored = store(document, head, room, (&place, Existing::Replace), desk, last_look)?;
    drop(known);
    let mut report = settle(document, place, stored)?;
    if links > 1 {
        let text = format!("the file had {links} names; the others keep what they had");
        report.notes.push(Note { level: Level::Warning, text });
    }
    Ok(report)
}

/// Save under another path, which is the document's from then on.
pub(crate) fn save_as(
    document: &mut Document,
    place: FilePlace,
    overwrite: Overwrite,
    desk: &SavingDesk<'_>,
) -> Result<SaveReport, Refusal> {
    unlocked(document, &place)?;
    let (head, to) = (document.history.head().clone(), (&place, overwrite.existing()));
    let stored = store(document, head, Vec::new(), to, desk, |_, _| Ok(()))?;
    // The journal goes by the path, so the work continues in another one.
    let journal = document.detach_journal();
    document.title = disk::name_of(&place.path);
    document.only_read = false;
    let report = settle(document, place, stored);
    if let Some(journal) = journal {
        journal.remove();
    }
    report
}

/// Write a copy in which every change is accepted that the document keeps for somebody to decide on. The
/// document and its own file stay as they are.
pub(crate) fn save_clean(
    document: &mut Document,
    place: FilePlace,
    overwrite: Overwrite,
    desk: &SavingDesk<'_>,
    cx: &Context,
) -> Result<SaveReport, Refusal> {
    unlocked(document, &place)?;
    let clean = document.engine.decided(document.history.head(), cx)?;
    save_copy(document, (clean, BTreeMap::new()), place, overwrite, desk)
}

/// Write what may become of the document, with the changes in it that wait for a decision, to another file; the
/// document and its own file stay as they are.
pub(crate) fn save_copy(
    document: &mut Document,
    (content, undecided): (Content, BTreeMap<String, usize>),
    place: FilePlace,
    overwrite: Overwrite,
    desk: &SavingDesk<'_>,
) -> Result<SaveReport, Refusal> {
    unlocked(document, &place)?;
    let to = (&place, overwrite.existing());
    let Stored { image, checked, .. } = store(document, content, Vec::new(), to, desk, |_, _| Ok(()))?;
    let receipt = receipt(document, image.hash, checked, undecided);
    let (path, revision, bytes) = (place.path, document.revision(), image.bytes.len());
    Ok(SaveReport { path, revision, written: true, bytes, notes: set_aside(document), receipt })
}

impl Overwrite {
    fn existing(self) -> Existing {
        match self {
            Overwrite::Refuse => Existing::Keep,
            Overwrite::Allow => Existing::Replace,
        }
    }
}

/// More memory than this is not kept between two saves.
const MOST_ROOM: usize = 8 << 20;

pub(crate) fn undecided(document: &mut Document) -> Result<BTreeMap<String, usize>, Refusal> {
    document.engine.undecided(document.history.head())
}

fn receipt(
    document: &Document,
    hash: Hash,
    checked: SaveCheck,
    undecided: BTreeMap<String, usize>,
) -> Receipt {
    let SaveCheck { parts, findings } = checked;
    Receipt {
        before: document.file.as_ref().map(|file| image::hex(&file.image.hash)),
        after: image::hex(&hash),
        parts,
        findings,
        edits: usize::try_from(document.revision().number).unwrap_or(usize::MAX),
        undecided,
    }
}

/// What of the author's protection was set aside for what is written.
fn set_aside(document: &Document) -> Vec<Note> {
    document.overridden.iter().map(|text| Note { level: Level::Warning, text: text.clone() }).collect()
}

fn settle(document: &mut Document, place: FilePlace, stored: Stored) -> Result<SaveReport, Refusal> {
    let Stored { image, placed: Placed { stamp, held }, opened, checked } = stored;
    // The file is written whatever counting brings.
    let undecided = undecided(document);
    let receipt = undecided.map(|undecided| receipt(document, image.hash, checked, undecided));
    let (path, length) = (place.path, image.bytes.len());
    let file = OnDisk { path: path.clone(), stamp, image, conflict: None, held };
    let replaced = document.file.replace(file);
    document.saved_here();
    document.engine.adopt(opened);
    if let Some(OnDisk { image, held, .. }) = replaced {
        if let Some(held) = held {
            document.let_go(held);
        }
        // What the file was is nobody's any more, unless there are parts that have not been read yet.
        let room = Arc::try_unwrap(image.bytes).ok().filter(|room| room.capacity() <= MOST_ROOM);
        document.room = room.unwrap_or_else(Vec::new);
    }
    document.protect_saved();
    let (revision, bytes) = (document.revision(), length);
    let notes = set_aside(document);
    Ok(SaveReport { path, revision, written: true, bytes, notes, receipt: receipt? })
}

/// How a file is told from another that took its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DiskCheck {
    /// By its size and times, which a write in the same moment may leave as they were.
    Outside,
    /// By its bytes, unless size and times leave no doubt.
    Inside,
}

/// What the file looks like if it is there and is the one we know; refuses if it is another.
fn still_ours(
    document: &Document,
    file: &OnDisk,
    place: &FilePlace,
    look: DiskCheck,
    desk: &SavingDesk<'_>,
) -> Result<Option<Stamp>, Refusal> {
    let Some(now) = files::stamp(place)? else { return Ok(None) };
    let same = match look {
        DiskCheck::Outside => file.stamp.looks_like(&now),
        DiskCheck::Inside => file.stamp.surely_still(&now),
    };
    if file.conflict.is_none() && same {
        return Ok(Some(file.stamp));
    }
    if let Some(stamp) = files::has(place, &file.image.bytes)? {
        return Ok(Some(stamp));
    }
    let read = files::read(place, desk.file_bytes)?;
    let theirs = document.engine.unpack(Arc::clone(&read.image.bytes)).ok();
    let change = theirs.map_or_else(
        || "it is no longer a file of its kind".to_owned(),
        |theirs| summary(&document.saved.content, &theirs.content),
    );
    Err(Refusal::ChangedOnDisk { path: place.shown(), change })
}

/// Take in what another program wrote since the file was last read.
pub(crate) fn refresh(
    document: &mut Document,
    desk: &SavingDesk<'_>,
    cx: &Context,
) -> Result<Refreshed, Refusal> {
    if document.only_read {
        return Ok(Refreshed::Unchanged);
    }
    let Some(file) = document.file.clone() else { return Ok(Refreshed::NoFile) };
    let place = match desk.policy.existing(&file.path) {
        Ok(place) => place,
        Err(Refusal::Disk { fault: edit::Fault::Missing, .. }) => return Ok(Refreshed::NoFile),
        Err(refusal) => return Err(refusal),
    };
    let Some(now) = files::stamp(&place)? else { return Ok(Refreshed::NoFile) };
    if file.stamp.surely_still(&now) {
        return Ok(match &file.conflict {
            None => Refreshed::Unchanged,
            Some(_) => Refreshed::Conflict { change: "as reported before".into() },
        });
    }
    // While the file is as young as when we wrote it, it is not read each time: it is once it has grown older, and
    // before it is replaced in any case.
    if file.conflict.is_none() && now.is_young() && file.stamp.looks_like(&now) {
        return Ok(Refreshed::Unchanged);
    }
    if let Some(stamp) = files::has(&place, &file.image.bytes)? {
        document.file = Some(OnDisk { stamp, ..file });
        return Ok(Refreshed::Unchanged);
    }
    let read = files::read(&place, desk.file_bytes)?;
    // Programs that do not save as we do empty the file first. That is not yet what they mean to write.
    if read.stamp.half_written() {
        return Ok(Refreshed::Unchanged);
    }
    if file.conflict == Some(read.image.hash) {
        return Ok(Refreshed::Conflict { change: "as reported before".into() });
    }
    take_in(document, file, &read, cx)
}

pub(crate) fn take_in(
    document: &mut Document,
    file: OnDisk,
    read: &files::Read,
    cx: &Context,
) -> Result<Refreshed, Refusal> {
    let theirs = match document.engine.unpack(Arc::clone(&read.image.bytes)) {
        Ok(theirs) => theirs,
        Err(refusal) => {
            return Ok(conflict(document, file, read.image.hash, refusal.to_string()));
        }
    };
    let external = difference_in(document, &document.saved.content, &theirs.content)?;
    let change = summary(&document.saved.content, &theirs.content);
    let head = document.history.head();
    let merged = if document.is_dirty() && !document.engine.merges() {
        None
    } else if document.is_dirty() {
        let ours = difference_in(document, &document.saved.content, head)?;
        merge(&ours, &external, head, &theirs.content)?
    } else {
        Some((external.clone(), theirs.content.clone()))
    };
    let Some((mut patch, after)) = merged else {
        return Ok(conflict(document, file, read.image.hash, change));
    };
    document.engine.mark(head, &mut patch)?;
    let was_dirty = document.is_dirty();
    let cx = Context { author: "another program".into(), ..cx.clone() };
    let content = theirs.content.clone();
    let before = document.history.head().clone();
    document.change(patch, after, format!("Changes by another program ({change})"), &[], &cx)?;
    let found = document.find_again(&before)?;
    document.engine.adopt(theirs);
    let image = read.image.clone();
    document.file = Some(OnDisk { stamp: read.stamp, image, conflict: None, held: None, ..file });
    match was_dirty {
        true => document.saved = Saved { content, digest: None, revision: None },
        false => document.saved_here(),
    }
    document.protect_with(|document| {
        let mut records =
            vec![document.change_record(&[])?, document.saved_record(was_dirty.then_some(&external))?];
        records.extend(document.found_records(&found)?);
        Ok(records)
    });
    document.events.push(Event::TakenIn { change: change.clone() });
    Ok(Refreshed::TakenIn { change })
}

fn conflict(document: &mut Document, file: OnDisk, theirs: Hash, change: String) -> Refreshed {
    document.file = Some(OnDisk { conflict: Some(theirs), ..file });
    document.protect(|_| Ok(Record::Conflict { hash: image::hex(&theirs) }));
    document.events.push(Event::Conflict { change: change.clone() });
    Refreshed::Conflict { change }
}

/// Make the document what the file is now, as one change that can be undone.
pub(crate) fn reload(
    document: &mut Document,
    desk: &SavingDesk<'_>,
    cx: &Context,
) -> Result<Refreshed, Refusal> {
    if document.only_read {
        return Err(crate::disk::old_workbooks::only_read("reloading", &document.title));
    }
    let Some(file) = document.file.clone() else { return Ok(Refreshed::NoFile) };
    let place = desk.policy.existing(&file.path)?;
    let read = files::read(&place, desk.file_bytes)?;
    let theirs = document.engine.unpack(Arc::clone(&read.image.bytes))?;
    let content = theirs.content.clone();
    let mut patch = difference_in(document, document.history.head(), &content)?;
    document.engine.mark(document.history.head(), &mut patch)?;
    let change = summary(document.history.head(), &content);
    let changed = !patch.is_empty();
    if changed {
        document.change(patch, content.clone(), "Reload from disk".into(), &[], cx)?;
        document.engine.adopt(theirs);
    }
    let image = read.image.clone();
    document.file = Some(OnDisk { stamp: read.stamp, image, conflict: None, held: None, ..file });
    document.saved_here();
    document.protect_with(|document| {
        let change = changed.then(|| document.change_record(&[])).transpose()?;
        Ok(change.into_iter().chain([document.saved_record(None)?]).collect())
    });
    Ok(if changed { Refreshed::TakenIn { change } } else { Refreshed::Unchanged })
}

/// Their change on our head, with the content both lead to; `None` if both changed the same place.
fn merge(
    ours: &Patch,
    theirs: &Patch,
    head: &Content,
    disk: &Content,
) -> Result<Option<(Patch, Content)>, Refusal> {
    let Some(patch) = theirs.rebase(ours) else { return Ok(None) };
    let after = patch.apply(head)?;
    // Descending from the new file keeps what a package has in compressed form; when both inserted at one
    // place the two ways differ in order, and then ours counts.
    let other = ours.rebase(theirs).map(|ours| ours.apply(disk)).transpose()?;
    let after = other.filter(|other| *other == after).unwrap_or(after);
    Ok(Some((patch, after)))
}

/// The patch that another program made, as the document's engine sees it.
fn difference_in(document: &Document, from: &Content, to: &Content) -> Result<Patch, Refusal> {
    match document.engine.difference(from, to)? {
        Some(patch) => Ok(patch),
        None => difference(from, to),
    }
}

/// The patch from one content to another: splices where both have text, else whole parts.
pub(crate) fn difference(from: &Content, to: &Content) -> Result<Patch, Refusal> {
    let mut patch = Patch::new();
    let names: std::collections::BTreeSet<&PartName> = from.names().chain(to.names()).collect();
    for name in names {
        if from.shares(name, to) {
            continue;
        }
        match (from.read(name)?, to.read(name)?) {
            (Some(old), Some(new)) if old != new => {
                let (old, bytes) = (old.bytes(), new.bytes());
                if std::str::from_utf8(&old).is_ok() && std::str::from_utf8(&bytes).is_ok() {
                    for splice in edit::diff(&old, &bytes) {
                        patch.splice(name, splice.range, splice.with)?;
                    }
                } else {
                    patch.put(name, new.clone());
                }
            }
            (None, Some(new)) => patch.put(name, new),
            (Some(_), None) => patch.remove(name),
            _ => {}
        }
    }
    Ok(patch)
}

/// For people: how two states of a file differ.
fn summary(from: &Content, to: &Content) -> String {
    let Ok(patch) = difference(from, to) else { return "it cannot be compared".into() };
    let parts: Vec<&PartName> = patch.parts().map(|(name, _)| name).collect();
    match parts.as_slice() {
        [] => "the same text in other bytes".into(),
        [part] if from.names().count() == 1 => {
            let Ok(Some(old)) = from.read(part) else { return "it cannot be compared".into() };
            let lines = |bytes: &[u8]| bytes.split_inclusive(|byte| *byte == b'\n').count();
            let (mut removed, mut added) = (0, 0);
            for splice in patch.splices(part) {
                removed += lines(&old.slice(splice.range.clone()));
                added += lines(&splice.with.bytes());
            }
            format!("in {} places: {removed} lines removed, {added} added", patch.splices(part).len())
        }
        many => {
            let shown: Vec<&str> = many.iter().take(3).map(|part| part.as_str()).collect();
            let more = if many.len() > 3 { ", …" } else { "" };
            format!("{} parts changed: {}{more}", many.len(), shown.join(", "))
        }
    }
}

/// Office programs put a file beside one that they have open, and would overwrite ours when they save.
fn unlocked(document: &Document, place: &FilePlace) -> Result<(), Refusal> {
    if !document.engine.kind().is_office() {
        return Ok(());
    }
    let name = place.name.to_string_lossy();
    // Word leaves out the first character of a name of seven, and the first two of a longer one.
    let cut = match Path::new(&*name).file_stem().map_or(0, |stem| stem.to_string_lossy().chars().count()) {
        0..=6 => 0,
        7 => 1,
        _ => 2,
    };
    let owners = [
        (format!("~${name}"), "Microsoft Office"),
        (format!("~${}", name.chars().skip(cut).collect::<String>()), "Microsoft Word"),
        (format!(".~lock.{name}#"), "LibreOffice"),
    ];
    for (lock, program) in owners {
        if place.folder.symlink_metadata(OsString::from(&lock)).is_ok() {
            let by = format!("{program} (there is a file `{lock}` beside it)");
            return Err(Refusal::Locked { path: place.shown(), by });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

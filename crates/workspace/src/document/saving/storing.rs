//! From a document to its file: packed, examined and written, so that nothing takes the file's name that has not been
//! found to be the document.

use std::collections::BTreeSet;
use std::sync::Arc;

use edit::{Content, Findings, Packed, PartName, Proof, Refusal};

use super::SavingDesk;
use crate::disk::files::{self, Existing, Placed};
use crate::disk::image::{self, Hash, Image};
use crate::disk::policy::FilePlace;
use crate::document::Document;
use crate::document::engine::{Examiner, Unpacked};

/// Examining less than this takes no longer than asking somebody else to.
const WORTH_A_THREAD: usize = 256 << 10;

/// A document as a file.
pub(super) struct Stored {
    pub(super) image: Image,
    pub(super) placed: Placed,
    pub(super) opened: Unpacked,
    pub(super) checked: SaveCheck,
}

/// How a document that is saved differs from its file, and what was found in it.
#[derive(Default)]
pub(super) struct SaveCheck {
    pub(super) parts: Vec<PartName>,
    pub(super) findings: Option<Findings>,
}

/// Writes `head` to `place`. `room` is memory for the file, if it is enough. `last_look` runs when all is done but
/// giving the file its name, and can still call it off.
pub(super) fn store(
    document: &mut Document,
    head: Content,
    room: Vec<u8>,
    to: (&FilePlace, Existing),
    desk: &SavingDesk<'_>,
    last_look: impl FnMut(&mut Document, &Hash) -> Result<(), Refusal>,
) -> Result<Stored, Refusal> {
    desk.leftovers.sweep(to.0);
    let packed = document.engine.repack(&head, room)?;
    store_packed(document, head, packed, to, desk, last_look)
}

fn store_packed(
    document: &mut Document,
    head: Content,
    packed: Packed<Unpacked>,
    to: (&FilePlace, Existing),
    desk: &SavingDesk<'_>,
    mut last_look: impl FnMut(&mut Document, &Hash) -> Result<(), Refusal>,
) -> Result<Stored, Refusal> {
    let checks = Checks::of(document, head)?;
    if let Some(stored) = write(packed, checks.clone(), to, desk, |hash| last_look(document, hash))? {
        return Ok(stored);
    }
    // The packing is at fault, not the document, and there is a slower one.
    let packed = document.engine.repack_proven(&checks.after)?;
    let unsound = || Refusal::internal("the file was not packed well; nothing was written");
    write(packed, checks, to, desk, |hash| last_look(document, hash))?.ok_or_else(unsound)
}

/// What there is to examine in a document beside its packing.
#[derive(Clone)]
struct Checks {
    parts: Vec<PartName>,
    before: Content,
    after: Content,
    examiner: Examiner,
}

/// What was found out about a file while it was written.
struct Examined {
    hash: Hash,
    sound: bool,
    findings: Option<Findings>,
}

impl Checks {
    fn of(document: &Document, after: Content) -> Result<Self, Refusal> {
        let before = document.saved.content.clone();
        let parts = changed_parts(&before, &after)?;
        Ok(Self { parts, before, after, examiner: document.engine.examiner() })
    }

    fn examine(&self, file: &[u8], proof: Proof) -> Result<Examined, Refusal> {
        let sound = proof.holds();
        let findings = match self.parts.is_empty() {
            true => None,
            false => (self.examiner)(&self.before, &self.after)?,
        };
        Ok(Examined { hash: image::hash(file), sound, findings })
    }
}

/// Examines the file while it is written. `None`, and nothing is written, if it was not packed well.
fn write(
    packed: Packed<Unpacked>,
    checks: Checks,
    (place, existing): (&FilePlace, Existing),
    desk: &SavingDesk<'_>,
    last_look: impl FnOnce(&Hash) -> Result<(), Refusal>,
) -> Result<Option<Stored>, Refusal> {
    let Packed { file: bytes, source: opened, proof } = packed;
    let parts = checks.parts.clone();
    let file = Arc::clone(&bytes);
    let examining =
        desk.side_thread.begin(bytes.len() >= WORTH_A_THREAD, move || checks.examine(&file, proof));
    let mut sound = true;
    let written = files::write(place, &bytes, existing, desk.ids, || {
        let examined = examining.wait()??;
        if let Some(Findings { new, .. }) = &examined.findings
            && !new.is_empty()
        {
            // Faults that the file had before are its own.
            return Err(Refusal::Damaged { problems: new.clone() });
        }
        sound = examined.sound;
        if !sound {
            return Err(Refusal::Cancelled);
        }
        last_look(&examined.hash)?;
        Ok(examined)
    });
    if !sound {
        return Ok(None);
    }
    let (placed, Examined { hash, findings, .. }) = written?;
    let checked = SaveCheck { parts, findings };
    Ok(Some(Stored { image: Image { bytes, hash }, placed, opened, checked }))
}

fn changed_parts(from: &Content, to: &Content) -> Result<Vec<PartName>, Refusal> {
    let names: BTreeSet<&PartName> = from.names().chain(to.names()).collect();
    let mut changed = Vec::new();
    for name in names {
        if !from.shares(name, to) && from.read(name)? != to.read(name)? {
            changed.push(name.clone());
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::Case;
    use super::*;

    #[test]
    fn a_file_that_was_not_packed_well_is_packed_again_and_the_bad_one_is_never_seen() {
        let mut case = Case::new();
        case.put("<w:p><w:r><w:t>y</w:t></w:r></w:p>");
        let head = case.document.history.head().clone();
        let packed = case.document.engine.repack(&head, Vec::new()).unwrap();
        let wrong = Arc::new(vec![0; packed.file.len()]);
        let packed = Packed { file: wrong, proof: Proof::by(|| false), ..packed };
        let place = case.office.policy.existing("contract.docx".as_ref()).unwrap();
        let to = (&place, Existing::Replace);
        let mut looks = 0;
        let look = |_: &mut Document, _: &Hash| {
            looks += 1;
            Ok(())
        };
        let desk = case.office.desk();
        let stored = store_packed(&mut case.document, head.clone(), packed, to, &desk, look).unwrap();
        assert_eq!((looks, &case.bytes()), (1, &*stored.image.bytes));
        assert_eq!(case.document.engine.unpack(stored.image.bytes).unwrap().content, head);
    }
}

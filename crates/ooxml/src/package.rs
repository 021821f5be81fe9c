//! A file and its parts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use edit::{Blob, Buffer, Content, Deferred, Packed, PartName, Proof, Refusal, Survey};

use crate::zip::{Archive, Archived, Entry, EntryKind, How, Packing, Written, fold, inflate, write};
use crate::{Limits, parts, refuse};

/// The file a document was opened from: what [`Package::save`] copies from.
#[derive(Clone)]
pub struct Package {
    source: Arc<Vec<u8>>,
    archive: Arc<Archive>,
    /// The content as it was opened, to tell what was touched.
    original: Content,
    limits: Limits,
}

impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Package")
            .field("bytes", &self.source.len())
            .field("entries", &self.archive.entries.len())
            .finish()
    }
}

impl Package {
    /// Reads the directory of a package. Parts are inflated, and their checksums verified, when the content is
    /// first asked for them.
    ///
    /// What is no Office package, is encrypted, damaged or larger than `limits` is refused with the reason.
    pub fn open(bytes: impl Into<Arc<Vec<u8>>>, limits: &Limits) -> Result<(Package, Content), Refusal> {
        let source: Arc<Vec<u8>> = bytes.into();
        let archive = Arc::new(Archive::read(&source, limits)?);
        let mut content = Content::new();
        for (index, entry) in archive.entries.iter().enumerate() {
            if entry.kind == EntryKind::Part {
                let packed = PackedPart { source: Arc::clone(&source), archive: Arc::clone(&archive), index };
                content.insert_deferred(entry.name.clone(), Arc::new(packed));
            }
        }
        if parts::find_part(&content, parts::CONTENT_TYPES).is_none() {
            return Err(not_a_package(&content));
        }
        let package = Package { source, archive, original: content.clone(), limits: *limits };
        Ok((package, content))
    }

    /// The file with `content`: the same bytes when nothing differs, otherwise a new archive in which only the
    /// entries that differ are new. Each of those was read back.
    pub fn save(&self, content: &Content) -> Result<Vec<u8>, Refusal> {
        let Some(archived) = self.archived(content, How::FromPieces, Vec::new())? else {
            return Ok(self.source.to_vec());
        };
        if archived.unproven.iter().all(|part| part.holds(&archived.bytes)) {
            return Ok(archived.bytes);
        }
        let anew = self.archived(content, How::Anew, Vec::new())?;
        anew.map(|archived| archived.bytes)
            .ok_or_else(|| Refusal::internal("a changed document has no changes"))
    }

    /// As [`Package::save`], with the package that the new file is: it was opened again, and later saves of the
    /// same document start from it and from what was learnt in packing it. What was packed from pieces is read back
    /// when the proof is asked for. `room` is memory that the new file may have, such as that of a file before this
    /// one; see [`edit::room_for`].
    pub fn save_on(&self, content: &Content, room: Vec<u8>) -> Result<Packed<Package>, Refusal> {
        let original = content.clone();
        let Some(Archived { bytes, packings, unproven }) = self.archived(content, How::FromPieces, room)?
        else {
            let (file, source) = (Arc::clone(&self.source), Package { original, ..self.clone() });
            return Ok(Packed { file, source, proof: Proof::given() });
        };
        let wrong = |what: &str| Refusal::internal(format!("the saved file {what}; nothing was written"));
        let mut archive = Archive::read(&bytes, &self.limits)
            .map_err(|cause| wrong(&format!("does not open again ({cause})")))?;
        let mut packings: BTreeMap<PartName, Packing> = packings.into_iter().collect();
        let old: BTreeMap<&PartName, &Entry> =
            self.archive.entries.iter().map(|entry| (&entry.name, entry)).collect();
        let mut parts = 0;
        for entry in &mut archive.entries {
            parts += usize::from(entry.kind == EntryKind::Part && content.contains(&entry.name));
            let expected = match (packings.remove(&entry.name), old.get(&entry.name)) {
                (Some(Packing { sums, crc, size, blocks, fresh }), _) => {
                    (entry.sums, entry.blocks, entry.fresh) = (sums.into(), blocks.into(), fresh);
                    (crc, u64::from(size))
                }
                (None, Some(old)) => {
                    (entry.sums, entry.blocks, entry.fresh) =
                        (old.sums.clone(), old.blocks.clone(), old.fresh);
                    entry.stretches = old.stretches.clone();
                    (old.crc, old.size)
                }
                (None, None) => return Err(wrong("has a part that is not in the document")),
            };
            if expected != (entry.crc, entry.size) {
                return Err(wrong(&format!("has another {}", entry.name)));
            }
        }
        if parts != content.names().count() || !packings.is_empty() {
            return Err(wrong("lacks a part of the document"));
        }
        let file = Arc::new(bytes);
        let source =
            Package { source: Arc::clone(&file), archive: Arc::new(archive), original, limits: self.limits };
        let proof = match unproven.is_empty() {
            true => Proof::given(),
            false => {
                let file = Arc::clone(&file);
                Proof::by(move || unproven.iter().all(|part| part.holds(&file)))
            }
        };
        Ok(Packed { file, source, proof })
    }

    /// `None` when nothing differs.
    fn archived(&self, content: &Content, how: How, room: Vec<u8>) -> Result<Option<Archived>, Refusal> {
        let fates: Vec<Written> =
            self.archive.entries.iter().map(|entry| self.fate(entry, content)).collect::<Result<_, _>>()?;
        let mut added = Vec::new();
        for name in content.names().filter(|name| !self.original.contains(name)) {
            if let Some(blob) = content.read(name)? {
                added.push((name.clone(), blob));
            }
        }
        if added.is_empty() && fates.iter().all(|fate| matches!(fate, Written::Kept)) {
            return Ok(None);
        }
        write(&self.source, &self.archive, &fates, &added, how, room).map(Some)
    }

    /// The names of parts that saving `content` would write anew, drop or add, in order.
    pub fn touched(&self, content: &Content) -> Result<Vec<PartName>, Refusal> {
        let mut touched = Vec::new();
        for entry in &self.archive.entries {
            if !matches!(self.fate(entry, content)?, Written::Kept) {
                touched.push(entry.name.clone());
            }
        }
        touched.extend(content.names().filter(|name| !self.original.contains(name)).cloned());
        touched.sort();
        Ok(touched)
    }

    /// The bytes this package was opened from.
    pub fn source(&self) -> &Arc<Vec<u8>> {
        &self.source
    }

    /// The content as it was opened.
    pub fn original(&self) -> &Content {
        &self.original
    }

    fn fate(&self, entry: &Entry, content: &Content) -> Result<Written, Refusal> {
        let name = &entry.name;
        if entry.kind == EntryKind::Folder || content.shares(name, &self.original) {
            return Ok(Written::Kept);
        }
        let Some(blob) = content.read(name)? else { return Ok(Written::Removed) };
        // A part that cannot be read may be put anew: then there is nothing to compare with or to copy from.
        let before = match self.original.read(name) {
            Ok(Some(before)) => before,
            Ok(None) | Err(_) => Blob::default(),
        };
        // Bytes that were changed and changed back are as good as untouched.
        if blob.len() as u64 == entry.size && before == blob {
            return Ok(Written::Kept);
        }
        Ok(Written::Changed { before, after: blob })
    }
}

/// One entry, waiting to be read.
struct PackedPart {
    source: Arc<Vec<u8>>,
    archive: Arc<Archive>,
    index: usize,
}

impl Deferred for PackedPart {
    fn load(&self) -> Result<Buffer, Refusal> {
        match self.archive.entries.get(self.index) {
            Some(entry) => inflate(&self.source, entry),
            None => Err(Refusal::internal("an entry outside its archive")),
        }
    }

    fn load_folded(&self, survey: &Survey) -> Result<Buffer, Refusal> {
        let folded = match self.archive.entries.get(self.index) {
            Some(entry) if entry.may_fold() => fold(&self.source, entry, survey)?,
            _ => None,
        };
        folded.map_or_else(|| self.load(), |folded| Ok(Buffer::folded(folded)))
    }
}

fn not_a_package(content: &Content) -> Refusal {
    let open_document = content.contains("mimetype") && content.contains("META-INF/manifest.xml");
    if open_document {
        return refuse::unsupported("an OpenDocument file", "save it as .docx or .xlsx first");
    }
    if content.contains("Index/Document.iwa") {
        return refuse::unsupported("an Apple iWork file", "export it to .docx or .xlsx first");
    }
    refuse::damaged("it is a zip archive, but not an Office package: [Content_Types].xml is missing")
}

/// A new package with the given parts, in that order. For documents made from nothing, and for tests.
pub fn new_package<N: AsRef<str>, B: AsRef<[u8]>>(parts: &[(N, B)]) -> Result<Vec<u8>, Refusal> {
    let added: Vec<(PartName, Blob)> = parts
        .iter()
        .map(|(name, bytes)| (PartName::new(name.as_ref()), Blob::from(bytes.as_ref())))
        .collect();
    let nothing = Archive { entries: Vec::new(), comment: 0..0 };
    write(&[], &nothing, &[], &added, How::Anew, Vec::new()).map(|archived| archived.bytes)
}

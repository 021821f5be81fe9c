//! From a checked archive and new bytes for some entries to a new archive.

use std::ops::Range;

use edit::{Blob, Cut, PartName, Refusal};

use super::blocks::Boundary;
use super::bytes::{extra_fields, put, u16_at, u32_at};
use super::deflate::deflate;
use super::inflate::unpacks_to;
use super::read::{
    Archive, CENTRAL, CENTRAL_SIZE, ELSEWHERE, END, Entry, EntryKind, LOCAL, LOCAL_SIZE, Method, ZIP64_FIELD,
};
use super::reuse::{Before, Seams, repack};
use super::sums::Sums;

/// What becomes of an entry of the old archive.
#[derive(Debug)]
pub(crate) enum Written {
    Kept,
    Removed,
    Changed { before: Blob, after: Blob },
}

/// How a changed entry is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Out of pieces of what it was, as far as they fit. Somebody has to read it back: see [`Unproven`].
    FromPieces,
    Anew,
}

/// A new archive, and what the next save can use of the work.
#[derive(Debug)]
pub(crate) struct Archived {
    pub(crate) bytes: Vec<u8>,
    pub(crate) packings: Vec<(PartName, Packing)>,
    pub(crate) unproven: Vec<Unproven>,
}

/// A part that was packed from pieces, which nobody has read back yet.
#[derive(Debug)]
pub(crate) struct Unproven {
    /// Where in the archive.
    stream: Range<usize>,
    seams: Seams,
    blob: Blob,
    crc: u32,
}

impl Unproven {
    /// Whether the part unpacks from `archive`.
    pub(crate) fn holds(&self, archive: &[u8]) -> bool {
        let Self { stream, seams, blob, crc } = self;
        let stream = archive.part(stream.clone());
        let holds = seams.holds(stream, blob).unwrap_or_else(|| unpacks_to(stream, blob.len(), *crc));
        debug_assert!(holds && unpacks_to(stream, blob.len(), *crc), "a repacked stream is another part");
        holds
    }
}

/// What is known of the new data of an entry.
#[derive(Debug)]
pub(crate) struct Packing {
    pub(crate) sums: Sums,
    pub(crate) crc: u32,
    pub(crate) size: u32,
    pub(crate) blocks: Vec<Boundary>,
    pub(crate) fresh: usize,
}

/// The archive with `fates` for its entries, in order, and with `added` behind them.
///
/// Kept entries are copied with everything that belongs to them, and keep their order both in the data and in
/// the directory. No clock is read: a changed entry keeps its time, a new one gets the earliest.
pub(crate) fn write(
    source: &[u8],
    archive: &Archive,
    fates: &[Written],
    added: &[(PartName, Blob)],
    how: How,
    room: Vec<u8>,
) -> Result<Archived, Refusal> {
    let mut packings = Vec::new();
    let mut unproven = Vec::new();
    let enough = room.capacity() >= edit::room_for(source.len());
    let mut out = if enough { room } else { Vec::with_capacity(edit::room_for(source.len())) };
    out.clear();
    let mut records: Vec<(usize, Vec<u8>)> = Vec::with_capacity(fates.len() + added.len());
    let mut order: Vec<(usize, &Entry, &Written)> = archive
        .entries
        .iter()
        .zip(fates)
        .enumerate()
        .map(|(index, (entry, fate))| (index, entry, fate))
        .collect();
    order.sort_by_key(|(_, entry, _)| entry.local.start);
    for (index, entry, fate) in order {
        let offset = offset(&out)?;
        let central = source.cut(entry.central.clone())?;
        let local = source.cut(entry.local.clone())?;
        match fate {
            Written::Removed => {}
            Written::Kept => {
                out.extend_from_slice(local);
                records.push((index, moved(central, offset)));
            }
            Written::Changed { before, after } => {
                let packed = match (how, entry.method) {
                    (How::FromPieces, Method::Deflated) => source.get(entry.data.clone()),
                    (How::Anew, _) | (_, Method::Stored) => None,
                };
                let packed = write_entry(&mut out, local, after, Some((before, packed, entry)))?;
                records.push((index, changed(central, offset, &packed)));
                unproven.extend(packed.unproven);
                packings.push((entry.name.clone(), packed.packing));
            }
        }
    }
    let part = archive.entries.iter().find(|entry| entry.kind == EntryKind::Part);
    let model = part.and_then(|entry| source.get(entry.central.clone()));
    for (index, (name, blob)) in added.iter().enumerate() {
        let offset = offset(&out)?;
        let (local, central) = new_headers(name.as_str(), model.unwrap_or_default());
        let packed = write_entry(&mut out, &local, blob, None)?;
        records.push((archive.entries.len() + index, changed(&central, offset, &packed)));
        packings.push((name.clone(), packed.packing));
    }
    records.sort_by_key(|(index, _)| *index);
    let start = offset(&out)?;
    for (_, record) in &records {
        out.extend_from_slice(record);
    }
    let size = offset(&out)? - start;
    let comment = source.cut(archive.comment.clone())?;
    let count = (records.len() as u16).to_le_bytes();
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count);
    out.extend(count);
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend_from_slice(comment);
    Ok(Archived { bytes: out, packings, unproven })
}

/// Offsets and sizes of 32 bits are enough below 4 GiB, which is far beyond any limit in use.
fn offset(out: &[u8]) -> Result<u32, Refusal> {
    let most = u32::MAX - 1;
    u32::try_from(out.len()).ok().filter(|offset| *offset < most).ok_or_else(|| {
        crate::refuse::limit("the size of the saved file", crate::refuse::bytes(out.len() as u64), "4 GiB")
    })
}

/// What was written for an entry with new data.
struct Packed {
    length: u32,
    method: u16,
    packing: Packing,
    unproven: Option<Unproven>,
}

/// What a part was: plain, packed where it was, and what is known of that.
type Old<'a> = (&'a Blob, Option<&'a [u8]>, &'a Entry);

/// Smaller parts are packed anew in a millisecond.
const REUSE_FROM: usize = 128 << 10;
/// Each reuse leaves seams. When they come to a quarter of the file, it is time to pack all of it anew.
const WORN: usize = 4;

/// Packs `blob` behind what is in `out`; what it was before saves most of the work. What is packed has to be read back
/// before it may stand for somebody's document; what is packed anew has been.
fn pack(out: &mut Vec<u8>, blob: &Blob, before: Option<Old<'_>>) -> Result<Packed, Refusal> {
    let size = u32::try_from(blob.len()).map_err(|_| {
        crate::refuse::limit("the size of a part", crate::refuse::bytes(blob.len() as u64), "4 GiB")
    })?;
    let shared = before.map(|(before, ..)| blob.shared_with(before)).unwrap_or_default();
    let known =
        before.and_then(|(before, _, entry)| entry.sums.get().filter(|_| before.len() as u64 == entry.size));
    let sums = known.map_or_else(|| Sums::of_blob(blob), |sums| sums.after(blob, &shared));
    let crc = sums.total();
    debug_assert_eq!(crc, crc32fast::hash(&blob.bytes()), "a checksum put together from pieces is another");
    let start = out.len();
    let reused = match before {
        Some((plain, Some(packed), entry)) if blob.len() >= REUSE_FROM => {
            let stretches = entry.stretches.get().map(|stretches| &**stretches);
            let before =
                Before { plain, packed, blocks: entry.blocks.get().cloned().unwrap_or_default(), stretches };
            repack(blob, &shared, before, out)?
        }
        _ => None,
    };
    let fresh = before.map_or(0, |(_, _, entry)| entry.fresh);
    let worn = out.len() - start > fresh + fresh / WORN + REUSE_FROM;
    let (blocks, seams, fresh) = match reused.filter(|_| !worn) {
        Some(repacked) => (repacked.blocks, Some(repacked.seams), fresh),
        None => {
            let packed = deflate(&blob.bytes())?;
            if !unpacks_to(&packed, blob.len(), crc) {
                return Err(Refusal::internal("a part was not packed well; nothing was written"));
            }
            out.truncate(start);
            out.extend_from_slice(&packed);
            (Vec::new(), None, packed.len())
        }
    };
    let packing = Packing { sums, crc, size, blocks, fresh };
    // Pictures do not get smaller; storing them spares every reader the work.
    let (method, packing, seams) = match out.len() - start < blob.len() {
        true => (8, packing, seams),
        false => {
            out.truncate(start);
            out.extend_from_slice(&blob.bytes());
            (0, Packing { blocks: Vec::new(), ..packing }, None)
        }
    };
    let length = u32::try_from(out.len() - start).unwrap_or(size);
    let stream = start..out.len();
    let unproven = seams.map(|seams| Unproven { stream, seams, blob: blob.clone(), crc });
    Ok(Packed { length, method, packing, unproven })
}

/// Bit 3: sizes follow the data. Ours stand in the header.
const DESCRIPTOR: u16 = 1 << 3;
const UTF8_NAME: u16 = 1 << 11;

/// The entry with new data, behind a header that is otherwise as it was.
fn write_entry(
    out: &mut Vec<u8>,
    old: &[u8],
    blob: &Blob,
    before: Option<Old<'_>>,
) -> Result<Packed, Refusal> {
    let name_end = LOCAL_SIZE + usize::from(u16_at(old, 26).unwrap_or(0));
    let extra_end = name_end + usize::from(u16_at(old, 28).unwrap_or(0));
    let extra = without_zip64(old.cut(name_end..extra_end)?);
    let start = out.len();
    out.extend_from_slice(old.cut(..name_end)?);
    out.extend_from_slice(&extra);
    // The data first, straight to its place: a copy of a large part is a good part of what a save costs.
    let packed = pack(out, blob, before)?;
    let header = &mut out[start..];
    put(header, 6, &(u16_at(old, 6).unwrap_or(0) & !DESCRIPTOR).to_le_bytes());
    put(header, 8, &packed.method.to_le_bytes());
    put(header, 14, &packed.packing.crc.to_le_bytes());
    put(header, 18, &packed.length.to_le_bytes());
    put(header, 22, &packed.packing.size.to_le_bytes());
    put(header, 28, &(extra.len() as u16).to_le_bytes());
    Ok(packed)
}

/// The directory record of an entry that now starts at `offset` and is otherwise as it was.
fn moved(central: &[u8], offset: u32) -> Vec<u8> {
    let mut record = central.to_vec();
    if u32_at(central, 42) != Some(ELSEWHERE) {
        put(&mut record, 42, &offset.to_le_bytes());
        return record;
    }
    // The offset stands in the zip64 field, behind those of the two sizes that are there as well.
    let before = [24, 20].iter().filter(|at| u32_at(central, **at) == Some(ELSEWHERE)).count();
    let name_end = CENTRAL_SIZE + usize::from(u16_at(central, 28).unwrap_or(0));
    let extra = central.part(name_end..);
    if let Some((_, data)) = extra_fields(extra).find(|(id, _)| *id == ZIP64_FIELD) {
        put(&mut record, name_end + data.start + 8 * before, &u64::from(offset).to_le_bytes());
    }
    record
}

/// The directory record of an entry with new data.
fn changed(central: &[u8], offset: u32, packed: &Packed) -> Vec<u8> {
    let name_end = CENTRAL_SIZE + usize::from(u16_at(central, 28).unwrap_or(0));
    let extra_end = name_end + usize::from(u16_at(central, 30).unwrap_or(0));
    let extra = without_zip64(central.part(name_end..extra_end));
    let mut record = central.part(..name_end).to_vec();
    put(&mut record, 8, &(u16_at(central, 8).unwrap_or(0) & !DESCRIPTOR).to_le_bytes());
    put(&mut record, 10, &packed.method.to_le_bytes());
    put(&mut record, 16, &packed.packing.crc.to_le_bytes());
    put(&mut record, 20, &packed.length.to_le_bytes());
    put(&mut record, 24, &packed.packing.size.to_le_bytes());
    put(&mut record, 30, &(extra.len() as u16).to_le_bytes());
    put(&mut record, 42, &offset.to_le_bytes());
    record.extend_from_slice(&extra);
    record.extend_from_slice(central.part(extra_end..));
    record
}

fn without_zip64(extra: &[u8]) -> Vec<u8> {
    let mut kept = extra.to_vec();
    if let Some((_, data)) = extra_fields(extra).find(|(id, _)| *id == ZIP64_FIELD) {
        kept.drain(data.start - 4..data.end);
    }
    kept
}

/// Headers for an entry that is new. System and attributes are those of `model`, an entry of the same file:
/// Word has refused files that mixed them.
fn new_headers(name: &str, model: &[u8]) -> (Vec<u8>, Vec<u8>) {
    const NEEDED: u16 = 20;
    const EARLIEST_DATE: u16 = 0x0021;
    let flags = if name.is_ascii() { 0 } else { UTF8_NAME };
    let length = (name.len() as u16).to_le_bytes();
    let mut local = vec![0; LOCAL_SIZE];
    put(&mut local, 0, &LOCAL.to_le_bytes());
    put(&mut local, 4, &NEEDED.to_le_bytes());
    put(&mut local, 6, &flags.to_le_bytes());
    put(&mut local, 12, &EARLIEST_DATE.to_le_bytes());
    put(&mut local, 26, &length);
    local.extend_from_slice(name.as_bytes());
    let mut central = vec![0; CENTRAL_SIZE];
    put(&mut central, 0, &CENTRAL.to_le_bytes());
    put(&mut central, 4, &u16_at(model, 4).unwrap_or(NEEDED).to_le_bytes());
    put(&mut central, 6, &NEEDED.to_le_bytes());
    put(&mut central, 8, &flags.to_le_bytes());
    put(&mut central, 14, &EARLIEST_DATE.to_le_bytes());
    put(&mut central, 28, &length);
    put(&mut central, 38, &u32_at(model, 38).unwrap_or(0).to_le_bytes());
    central.extend_from_slice(name.as_bytes());
    (local, central)
}

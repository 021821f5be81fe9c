//! From bytes to a checked list of entries. Nothing is inflated here.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Cut, PartName, Refusal};

use super::blocks::Boundary;
use super::bytes::{extra_fields, u16_at, u32_at, u64_at};
use super::folded::{FOLD_FROM, Stretches};
use super::foreign;
use super::sums::Sums;
use crate::Limits;
use crate::refuse::{self, bytes, corrupt, damaged};

#[derive(Debug)]
pub(crate) struct Archive {
    /// In the order of the directory.
    pub(crate) entries: Vec<Entry>,
    /// The comment at the very end.
    pub(crate) comment: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// With `/` between folders, whatever the archive uses.
    pub(crate) name: PartName,
    pub(crate) kind: EntryKind,
    /// The record in the directory.
    pub(crate) central: Range<usize>,
    /// Local header, data, descriptor, and any padding up to the next entry.
    pub(crate) local: Range<usize>,
    /// The packed bytes.
    pub(crate) data: Range<usize>,
    pub(crate) method: Method,
    pub(crate) crc: u32,
    /// Inflated size as declared.
    pub(crate) size: u64,
    /// Checksums of the bytes in pieces, once they were read.
    pub(crate) sums: OnceLock<Sums>,
    /// Where the packed bytes can be unpacked from, once they were found to be many.
    pub(crate) stretches: OnceLock<Arc<Stretches>>,
    /// Blocks of the packed bytes that follow one another, once they were read or an earlier save found them.
    pub(crate) blocks: OnceLock<Vec<Boundary>>,
    /// Packed bytes there were when they were read from a file, or packed in one go.
    pub(crate) fresh: usize,
}

impl Entry {
    /// Whether it can stay packed where nobody looks, and is so large that this is worth its while.
    pub(crate) fn may_fold(&self) -> bool {
        self.method == Method::Deflated && self.size >= FOLD_FROM
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Part,
    /// A folder: kept in the file, no part of the content.
    Folder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Stored,
    Deflated,
}

pub(super) const LOCAL: u32 = 0x0403_4B50;
pub(super) const CENTRAL: u32 = 0x0201_4B50;
pub(super) const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;
pub(super) const LOCAL_SIZE: usize = 30;
pub(super) const CENTRAL_SIZE: usize = 46;
pub(super) const END_SIZE: usize = 22;
pub(super) const ZIP64_FIELD: u16 = 1;
/// A field of 32 bits that says: look into the extra area.
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// Where the directory is and what comes behind it.
struct Directory {
    count: u64,
    range: Range<usize>,
    comment: Range<usize>,
}

impl Archive {
    pub(crate) fn read(source: &[u8], limits: &Limits) -> Result<Archive, Refusal> {
        let directory = find_directory(source)?;
        if directory.count > limits.entries as u64 {
            return Err(refuse::limit("the number of files in the package", directory.count, limits.entries));
        }
        let mut entries = Vec::with_capacity(directory.count as usize);
        let mut at = directory.range.start;
        for _ in 0..directory.count {
            let entry = read_entry(source, at, &directory)?;
            at = entry.central.end;
            entries.push(entry);
        }
        if at != directory.range.end {
            return Err(damaged("the zip directory is longer than its entries"));
        }
        if entries.is_empty() {
            return Err(damaged("it is an empty zip archive"));
        }
        check_names(&entries)?;
        lay_out(&mut entries, directory.range.start)?;
        check_sizes(&entries, limits)?;
        Ok(Archive { entries, comment: directory.comment })
    }
}

fn find_directory(source: &[u8]) -> Result<Directory, Refusal> {
    let end = find_end(source)?;
    let short = || damaged("the end of the zip archive is cut off");
    // What follows the comment belongs to no archive: padding that a transfer left, most often.
    let length = u16_at(source, end + 20).ok_or_else(short)?;
    let comment = end + END_SIZE..end + END_SIZE + usize::from(length);
    let field16 = |at| u16_at(source, end + at).ok_or_else(short);
    let field32 = |at| u32_at(source, end + at).ok_or_else(short);
    let (disk, directory_disk) = (field16(4)?, field16(6)?);
    let mut count = u64::from(field16(10)?);
    let mut size = u64::from(field32(12)?);
    let mut offset = u64::from(field32(16)?);
    let mut directory_end = end;
    let locator = end.checked_sub(20).filter(|at| u32_at(source, *at) == Some(LOCATOR_64));
    if let Some(locator) = locator {
        let broken = || damaged("its zip64 directory is broken");
        let record =
            u64_at(source, locator + 8).and_then(|at| usize::try_from(at).ok()).ok_or_else(broken)?;
        if record >= locator || u32_at(source, record) != Some(END_64) {
            return Err(broken());
        }
        count = u64_at(source, record + 32).ok_or_else(broken)?;
        size = u64_at(source, record + 40).ok_or_else(broken)?;
        offset = u64_at(source, record + 48).ok_or_else(broken)?;
        directory_end = record;
    } else if (disk, directory_disk) != (0, 0) {
        return Err(refuse::unsupported("a zip archive split over several files", "join it first"));
    }
    let start = (directory_end as u64).checked_sub(size);
    match start {
        Some(start) if start == offset => {
            let range = start as usize..directory_end;
            Ok(Directory { count, range, comment })
        }
        Some(start) if start > offset => {
            let extra = start - offset;
            Err(damaged(format!("{extra} bytes that do not belong to it stand before or inside the archive")))
        }
        _ => Err(damaged("its zip directory points outside the file, so bytes are missing")),
    }
}

/// The end record: the last one whose comment ends where the file ends, or else the last one that fits.
fn find_end(source: &[u8]) -> Result<usize, Refusal> {
    let from = source.len().saturating_sub(END_SIZE + usize::from(u16::MAX));
    let tail = source.cut(from..)?;
    let mut loose = None;
    for at in memchr::memmem::rfind_iter(tail, &END.to_le_bytes()).map(|at| from + at) {
        let Some(length) = u16_at(source, at + 20) else { continue };
        let end = at + END_SIZE + usize::from(length);
        if end == source.len() {
            return Ok(at);
        }
        if end < source.len() {
            loose.get_or_insert(at);
        }
    }
    loose.ok_or_else(|| foreign::refusal(source))
}

fn read_entry(source: &[u8], at: usize, directory: &Directory) -> Result<Entry, Refusal> {
    let cut = || damaged("its zip directory is cut off or broken");
    let record = source.get(at..directory.range.end).ok_or_else(cut)?;
    if u32_at(record, 0) != Some(CENTRAL) || record.len() < CENTRAL_SIZE {
        return Err(cut());
    }
    let field16 = |at| u16_at(record, at).ok_or_else(cut);
    let field32 = |at| u32_at(record, at).ok_or_else(cut);
    let name_end = CENTRAL_SIZE + usize::from(field16(28)?);
    let extra_end = name_end + usize::from(field16(30)?);
    let record_end = extra_end + usize::from(field16(32)?);
    let raw_name = record.get(CENTRAL_SIZE..name_end).ok_or_else(cut)?;
    let extra = record.get(name_end..extra_end).ok_or_else(cut)?;
    if record_end > record.len() {
        return Err(cut());
    }
    let name = part_name(raw_name)?;
    let (flags, method) = (field16(8)?, field16(10)?);
    if flags & 1 != 0 {
        return Err(Refusal::Encrypted);
    }
    let method = match method {
        0 => Method::Stored,
        8 => Method::Deflated,
        other => {
            let what = format!("compression method {other} of {name}");
            return Err(refuse::unsupported(what, "save the file again with Office"));
        }
    };
    let (crc, packed, size, offset) = (field32(16)?, field32(20)?, field32(24)?, field32(42)?);
    let mut wide = zip64_values(extra);
    let mut widen = |value: u32| match value {
        ELSEWHERE => wide.next().ok_or_else(|| damaged(format!("the zip64 sizes of {name} are missing"))),
        value => Ok(u64::from(value)),
    };
    // The values stand in this order, each only when its 32-bit field points here.
    let (size, packed, offset) = (widen(size)?, widen(packed)?, widen(offset)?);
    let kind = if name.as_str().ends_with('/') { EntryKind::Folder } else { EntryKind::Part };
    let central = at..at + record_end;
    let (local, data) = read_local(source, &name, raw_name, flags, offset, packed, directory.range.start)?;
    let (sums, stretches, blocks, fresh) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), data.len());
    Ok(Entry { name, kind, central, local, data, method, crc, size, sums, stretches, blocks, fresh })
}

fn zip64_values(extra: &[u8]) -> impl Iterator<Item = u64> {
    let field = extra_fields(extra).find(|(id, _)| *id == ZIP64_FIELD).map(|(_, data)| data);
    let data = field.map_or(&[][..], |data| extra.part(data));
    data.as_chunks::<8>().0.iter().map(|value| u64::from_le_bytes(*value))
}

/// Where header and data of an entry stand. The local header has to agree with the directory: where the two
/// differ, two programs can see two different files.
fn read_local(
    source: &[u8],
    name: &PartName,
    raw_name: &[u8],
    flags: u16,
    offset: u64,
    packed: u64,
    directory_start: usize,
) -> Result<(Range<usize>, Range<usize>), Refusal> {
    let missing = || damaged(format!("the data of {name} is missing"));
    let offset = usize::try_from(offset).map_err(|_| missing())?;
    let packed = usize::try_from(packed).map_err(|_| missing())?;
    let header = source.get(offset..directory_start).ok_or_else(missing)?;
    if u32_at(header, 0) != Some(LOCAL) {
        return Err(missing());
    }
    let name_end = LOCAL_SIZE + usize::from(u16_at(header, 26).ok_or_else(missing)?);
    let extra = usize::from(u16_at(header, 28).ok_or_else(missing)?);
    if header.get(LOCAL_SIZE..name_end) != Some(raw_name) {
        return Err(damaged(format!("{name} has another name in its own header")));
    }
    if (u16_at(header, 6).unwrap_or(0) ^ flags) & 1 != 0 {
        return Err(Refusal::Encrypted);
    }
    let start = name_end + extra;
    let end = start.checked_add(packed).filter(|end| *end <= header.len()).ok_or_else(missing)?;
    Ok((offset..offset + end, offset + start..offset + end))
}

fn part_name(raw: &[u8]) -> Result<PartName, Refusal> {
    let name = std::str::from_utf8(raw).map_err(|_| damaged("it has an entry whose name is not UTF-8"))?;
    // Some Windows programs write backslashes, and Office reads them.
    let name = name.replace('\\', "/");
    let unsafe_name = |why: &str| Err(damaged(format!("it has an entry named `{name}`, {why}")));
    if name.is_empty() {
        return Err(damaged("it has an entry without a name"));
    }
    if name.starts_with('/') || name.as_bytes().get(1) == Some(&b':') {
        return unsafe_name("an absolute path");
    }
    if name.split('/').any(|segment| segment == "..") {
        return unsafe_name("which leads out of the package");
    }
    if name.contains('\0') {
        return unsafe_name("with a zero byte in it");
    }
    Ok(PartName::new(name))
}

fn check_names(entries: &[Entry]) -> Result<(), Refusal> {
    let mut seen = HashSet::new();
    match entries.iter().find(|entry| !seen.insert(entry.name.as_str())) {
        Some(entry) => Err(damaged(format!("{} occurs twice in it", entry.name))),
        None => Ok(()),
    }
}

/// Checks that no two entries share bytes (a bomb, or a file that different programs read differently), and
/// lets each entry reach up to the next, so that copying it takes its descriptor and padding along.
fn lay_out(entries: &mut [Entry], directory_start: usize) -> Result<(), Refusal> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|index| entries.get(*index).map(|entry| entry.local.start));
    let mut next = directory_start;
    for index in order.into_iter().rev() {
        let Some(entry) = entries.get_mut(index) else { continue };
        if entry.local.end > next {
            return Err(damaged(format!("{} overlaps another entry", entry.name)));
        }
        entry.local.end = next;
        next = entry.local.start;
    }
    match next {
        0 => Ok(()),
        extra => Err(damaged(format!("{extra} bytes that do not belong to it stand before the archive"))),
    }
}

fn check_sizes(entries: &[Entry], limits: &Limits) -> Result<(), Refusal> {
    let mut total = 0u64;
    for entry in entries {
        let name = &entry.name;
        if entry.size > limits.entry_bytes {
            let what = format!("the size of {name}");
            return Err(refuse::limit(what, bytes(entry.size), bytes(limits.entry_bytes)));
        }
        let packed = entry.data.len() as u64;
        if entry.method == Method::Stored && packed != entry.size {
            return Err(corrupt(name.as_str(), "it is stored with another size than declared"));
        }
        if entry.size > limits.ratio_from && entry.size / limits.ratio.max(1) > packed {
            let what = format!("the compression ratio of {name}");
            return Err(refuse::limit(what, entry.size / packed.max(1), limits.ratio));
        }
        total = total.saturating_add(entry.size);
    }
    if total > limits.total_bytes {
        return Err(refuse::limit(
            "the unpacked size of the package",
            bytes(total),
            bytes(limits.total_bytes),
        ));
    }
    Ok(())
}

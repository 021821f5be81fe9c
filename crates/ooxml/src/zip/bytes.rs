//! Little-endian numbers at an offset, absent past the end.

pub(super) fn u16_at(source: &[u8], at: usize) -> Option<u16> {
    source.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

pub(super) fn u32_at(source: &[u8], at: usize) -> Option<u32> {
    source.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

pub(super) fn u64_at(source: &[u8], at: usize) -> Option<u64> {
    source.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Overwrites the bytes at `at`; nothing happens past the end.
pub(super) fn put(target: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = target.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// The fields of an extra area: id, and where the data of the field stands in `extra`.
pub(super) fn extra_fields(extra: &[u8]) -> impl Iterator<Item = (u16, std::ops::Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let id = u16_at(extra, at)?;
        let length = usize::from(u16_at(extra, at + 2)?);
        let data = at + 4..at + 4 + length;
        extra.get(data.clone())?;
        at = data.end;
        Some((id, data))
    })
}

//! Unpacking one entry.

use edit::{Blob, Buffer, Cut, OrEmpty, Refusal};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::blocks::{Stop, settle};
use super::room::Room;
use super::sums::{PIECE, Sums};
use super::{Entry, Method};
use crate::refuse::corrupt;

/// The bytes of `entry`, which have to be as many as declared (and that was checked against the limits) and
/// have the declared checksum. The output buffer is the bound: a stream that would write more is refused.
pub(crate) fn inflate(source: &[u8], entry: &Entry) -> Result<Buffer, Refusal> {
    let (packed, size) = packed_bytes(source, entry)?;
    if entry.method == Method::Stored {
        let bytes = Buffer::new(packed.to_vec());
        check_sums(entry, Sums::of(&bytes))?;
        return Ok(bytes);
    }
    let Inflated { bytes, sums, stops } =
        inflate_to(packed, size).map_err(|why| corrupt(entry.name.as_str(), why))?;
    check_sums(entry, sums)?;
    if !stops.is_empty() {
        let _ = entry.blocks.set(settle(packed, &bytes, &stops));
    }
    Ok(bytes)
}

/// What is packed in `entry`, and how much it declares to unpack to.
pub(super) fn packed_bytes<'a>(source: &'a [u8], entry: &Entry) -> Result<(&'a [u8], usize), Refusal> {
    let refusal = |why: &str| corrupt(entry.name.as_str(), why);
    let packed = source.get(entry.data.clone()).ok_or_else(|| refusal("its data is missing"))?;
    let size = usize::try_from(entry.size).map_err(|_| refusal("it is too large"))?;
    Ok((packed, size))
}

/// Refuses an entry whose bytes have other checksums than declared.
pub(super) fn check_sums(entry: &Entry, sums: Sums) -> Result<(), Refusal> {
    if sums.total() != entry.crc {
        let why = "its checksum does not match, so some of its bytes are wrong";
        return Err(corrupt(entry.name.as_str(), why));
    }
    // Kept for the next save. Who comes second has found the same.
    let _ = entry.sums.set(sums);
    Ok(())
}

/// In smaller parts blocks are found soon enough when they are needed. Tests have few large parts.
const NOTED_FROM: usize = if cfg!(debug_assertions) { 64 << 10 } else { 4 << 20 };
/// Blocks that unpack to fewer bytes than these are not worth stopping behind them.
const SHORT: usize = if cfg!(debug_assertions) { 16 << 10 } else { 64 << 10 };

pub(super) struct Inflated {
    pub(super) bytes: Buffer,
    pub(super) sums: Sums,
    /// Where blocks begin, if there are many bytes: all behind the first, or as many as are not short.
    pub(super) stops: Vec<Stop>,
}

/// What is packed. Checksums are taken of what was just unpacked, while it is in the processor's cache.
pub(super) fn inflate_to(packed: &[u8], size: usize) -> Result<Inflated, &'static str> {
    let mut stops = Vec::new();
    let mut sums = Sums::default();
    let mut summed = 0;
    let mut stuck = false;
    // One byte more than declared, to notice a stream that wants to go on.
    let mut out = Room::of(size + 1);
    let mut stream = Inflate::new(false, 15);
    loop {
        let (read, written) = (stream.total_in() as usize, stream.total_out() as usize);
        let input = packed.part(read..);
        let output = &mut out[written..];
        let stopping = size >= NOTED_FROM && stops.len() <= 16 + written / SHORT;
        let flush = if stopping { InflateFlush::Block } else { InflateFlush::NoFlush };
        let status = stream.decompress(input, output, flush);
        let (taken, unpacked) = (stream.total_in() as usize, stream.total_out() as usize);
        let moved = taken > read || unpacked > written;
        let whole = unpacked.min(size) / PIECE * PIECE;
        out.part(summed..whole).chunks(PIECE).for_each(|piece| sums.push(piece));
        summed = summed.max(whole);
        match status {
            Ok(Status::StreamEnd) => break,
            Ok(_) if unpacked > size => return Err("it unpacks to more than declared"),
            // The end of a block may be found without a byte more.
            Ok(_) if moved || !stuck => {}
            Ok(_) => return Err("its compressed data is cut off"),
            Err(_) => return Err("its compressed data is broken"),
        }
        stuck = !moved;
        // Every block has more bits than can be left of a byte, so at the end of the stream none begins.
        if stopping && moved && taken < packed.len() {
            stops.push(Stop { taken, unpacked });
        }
    }
    checked_end(&stream, packed, size)?;
    sums.push(out.part(summed..size));
    Ok(Inflated { bytes: out.cut(size), sums, stops })
}

/// Refuses a stream that ended elsewhere than it should.
pub(super) fn checked_end(stream: &Inflate, packed: &[u8], size: usize) -> Result<(), &'static str> {
    if stream.total_out() as usize != size {
        return Err("it unpacks to another size than declared");
    }
    if stream.total_in() as usize != packed.len() {
        return Err("bytes that do not belong to it follow its compressed data");
    }
    Ok(())
}

/// Whether a raw deflate stream unpacks to `size` bytes with this checksum. Nothing is kept, so a large part is
/// checked in the processor's cache.
pub(super) fn unpacks_to(packed: &[u8], size: usize, crc: u32) -> bool {
    let mut buffer = vec![0; 64 << 10];
    let mut stream = Inflate::new(false, 15);
    let mut checksum = crc32fast::Hasher::new();
    loop {
        let (read, written) = (stream.total_in() as usize, stream.total_out());
        let input = packed.part(read..);
        let status = stream.decompress(input, &mut buffer, InflateFlush::NoFlush);
        let produced = (stream.total_out() - written) as usize;
        checksum.update(buffer.part(..produced));
        match status {
            Ok(Status::StreamEnd) => break,
            Ok(_) if produced > 0 || stream.total_in() as usize > read => {}
            _ => return false,
        }
    }
    let (read, written) = (stream.total_in() as usize, stream.total_out() as usize);
    (read, written, checksum.finalize()) == (packed.len(), size, crc)
}

/// Whether a raw deflate stream in two pieces, with `dictionary` before it, unpacks to the bytes of `blob` from `start`
/// on, and to all of them up to `enough`, if there are so many, or else to the end of both. What follows is not read.
pub(super) fn unpacks_as(
    pieces: [&[u8]; 2],
    dictionary: &[u8],
    blob: &Blob,
    start: usize,
    enough: usize,
) -> bool {
    let [first, second] = pieces;
    let mut buffer = vec![0; 64 << 10];
    let mut stream = Inflate::new(false, 15);
    if !dictionary.is_empty() && stream.set_dictionary(dictionary).is_err() {
        return false;
    }
    let mut at = start;
    loop {
        let (read, written) = (stream.total_in() as usize, stream.total_out());
        let rest = first.get(read..).filter(|rest| !rest.is_empty());
        let input = rest.or_else(|| second.get(read.checked_sub(first.len())?..)).or_empty();
        let room = buffer.len().min(enough.saturating_sub(at));
        let output = &mut buffer[..room];
        let status = stream.decompress(input, output, InflateFlush::NoFlush);
        let produced = (stream.total_out() - written) as usize;
        if *blob.slice(at..at + produced) != *buffer.part(..produced) {
            return false;
        }
        at += produced;
        match status {
            Ok(Status::StreamEnd) => {
                return at == blob.len() && stream.total_in() as usize == first.len() + second.len();
            }
            Ok(_) if at >= enough => return true,
            Ok(_) if produced > 0 || stream.total_in() as usize > read => {}
            _ => return false,
        }
    }
}

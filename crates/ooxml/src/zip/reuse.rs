//! Packing a changed part out of pieces of its old packing.
//!
//! A symbol of a deflate stream can be copied as it stands when everything it can refer to, 32 KiB before it, is
//! still the same at the same distance. So after an edit, the blocks before it are copied, the last of them up to
//! where the edit begins. The edited bytes and the 32 KiB behind them are written in the codes that are there, or
//! else packed anew; the block that is reached with them is begun again with the codes it had, and the rest is
//! copied. So a save costs as much as its edits, however large the blocks are. They start at any bit, and stored
//! blocks depend on where in the byte they do; empty blocks are put between so that what is copied keeps its place
//! in the byte.

use std::ops::Range;

use edit::{Blob, Cut as _, Refusal, Shared};
use zlib_rs::{Deflate, DeflateFlush};

use super::bits::BitWriter;
use super::blocks::{Boundary, Cut, Cuts, Gap, explore, mend};
use super::deflate::{LEVEL, compress};
use super::folded::Stretches;
use super::inflate::unpacks_as;

/// How far back a reference can reach.
const WINDOW: usize = 32 << 10;
/// Copying less than this is not worth its seams.
const LEAST_BITS: usize = 4096;
/// Packing so many bytes more is less than a block is worth that begins or ends between symbols.
const NEAR: usize = 2 << 10;
/// Bytes behind a seam that are read back with it: what a reference can reach, and the longest one.
const BEHIND: usize = WINDOW + 258;

/// What a part was: its bytes, how it was packed, and what is known of that: blocks that follow one another, and
/// places to begin from.
pub(super) struct Before<'a> {
    pub(super) plain: &'a Blob,
    pub(super) packed: &'a [u8],
    pub(super) blocks: Vec<Boundary>,
    pub(super) stretches: Option<&'a Stretches>,
}

/// What is known of a raw deflate stream that was put together from pieces.
#[derive(Debug)]
pub(super) struct Repacked {
    /// Boundaries that follow one another, as far as they are known.
    pub(super) blocks: Vec<Boundary>,
    pub(super) seams: Seams,
}

#[derive(Debug)]
pub(super) struct Seams(Vec<Seam>);

/// Where new blocks stand between copied ones.
#[derive(Debug)]
struct Seam {
    /// Where the block begins that new symbols follow in, or one block before the new ones.
    from: Boundary,
    /// Behind the new ones.
    to: Boundary,
}

/// Appends `blob` to `to` as a raw deflate stream, reusing blocks of what it was. `None` when there is nothing to
/// reuse, and then nothing is appended.
pub(super) fn repack(
    blob: &Blob,
    shared: &[Shared],
    before: Before<'_>,
    to: &mut Vec<u8>,
) -> Result<Option<Repacked>, Refusal> {
    let Before { plain, packed, mut blocks, stretches } = before;
    begin_near(&mut blocks, shared, plain.len(), packed, stretches);
    let Some(copies) = copies(shared, blob.len(), plain.len(), packed, &mut blocks) else { return Ok(None) };
    let mut out = BitWriter::behind(to);
    let mut encoder = None;
    let mut known = vec![Boundary { bit: 0, unpacked: 0 }];
    let mut seams = Vec::new();
    let mut old = blocks.iter().peekable();
    let mut done = 0;
    let mut ended = false;
    let mut mended = None;
    let mut next = copies.iter();
    while let Some(copy) = next.next() {
        let from = mended.take().unwrap_or_else(|| one_before(&known));
        encode(&mut encoder, blob, done..copy.here.start, DeflateFlush::SyncFlush, &mut out)?;
        let header = copy.header.clone().unwrap_or_default();
        // Behind the header comes the place in the byte that the bits have to be at.
        out.fill_to((copy.bits.start + 8 * header.len() - header.len()) % 8);
        let start = Boundary { bit: out.position(), unpacked: copy.here.start };
        if known.last() != Some(&start) {
            known.push(start);
        }
        if start.bit > 0 {
            seams.push(Seam { from, to: start });
        }
        out.copy_shifted(packed, header);
        let moved = out.position();
        out.copy(packed, copy.bits.clone());
        if copy.ends_last
            && let Some(cut) = &copy.end
        {
            // A block whose header is not among the bits has it before them.
            let within = cut.header.start.checked_sub(copy.bits.start);
            out.clear(within.map_or(start.bit, |within| moved + within));
        }
        while old.next_if(|block| block.bit <= copy.bits.start).is_some() {}
        while let Some(block) = old.next_if(|block| block.bit <= copy.bits.end) {
            known.push(Boundary {
                bit: moved + (block.bit - copy.bits.start),
                unpacked: start.unpacked + (block.unpacked - copy.there),
            });
        }
        done = copy.here.end;
        ended = copy.bits.end == packed.len() * 8;
        if let Some(cut) = &copy.end {
            let (from, end) = (known.last().copied(), out.position());
            let count = known.len();
            let behind = next.as_slice().first();
            if let Some(behind) = behind
                && mend_between(blob, packed, (copy, cut, behind), &mut out, &mut known).is_some()
            {
                (done, mended) = (behind.here.start, from);
                continue;
            }
            out.truncate(end);
            known.truncate(count);
            out.push(cut.end);
            known.push(Boundary { bit: out.position(), unpacked: copy.here.end });
        }
    }
    if !ended {
        let from = one_before(&known);
        encode(&mut encoder, blob, done..blob.len(), DeflateFlush::Finish, &mut out)?;
        let end = Boundary { bit: out.position(), unpacked: blob.len() };
        known.push(end);
        seams.push(Seam { from, to: end });
    }
    if blocks.first().is_some_and(|first| first.bit > 0) {
        known.remove(0);
    }
    Ok(Some(Repacked { blocks: known, seams: Seams(seams) }))
}

/// Writes what is between two copies in the codes of the block that the first of them ends inside of.
fn mend_between(
    blob: &Blob,
    packed: &[u8],
    (copy, cut, behind): (&Copy, &Cut, &Copy),
    out: &mut BitWriter<'_>,
    known: &mut Vec<Boundary>,
) -> Option<()> {
    let start = copy.here.end.saturating_sub(WINDOW);
    let bytes = blob.slice(start..behind.here.start);
    let there = copy.run.there.end..behind.run.there.start;
    let here = copy.run.here.end..behind.run.here.start;
    let gap = Gap { there, here, bytes: &bytes, start };
    mend(packed, cut, copy.here.end, &gap, behind.bits.start, out, known)
}

/// Forgets blocks that begin too far behind to be of use for an edit, and without any begins near it if it can.
fn begin_near(
    blocks: &mut Vec<Boundary>,
    shared: &[Shared],
    size: usize,
    packed: &[u8],
    stretches: Option<&Stretches>,
) {
    let Some(first) = shared.first() else { return };
    let edit = if first.there.start == 0 { first.there.end } else { first.there.start };
    // With one block before that of the edit, from which the new stream is read back.
    if blocks.first().is_some_and(|first| first.bit > 0)
        && blocks.get(1).is_none_or(|next| next.unpacked > edit)
    {
        blocks.clear();
    }
    if blocks.is_empty() {
        blocks.extend(stretches.and_then(|stretches| stretches.boundary_before(edit, packed, size)));
    }
}

fn one_before(known: &[Boundary]) -> Boundary {
    let last = known.len().saturating_sub(2);
    known.get(last).copied().unwrap_or(Boundary { bit: 0, unpacked: 0 })
}

impl Seams {
    /// Whether `stream` unpacks to `blob` around each seam: from the block that was ended early over the new ones to
    /// beyond the reach of references to them. The rest are copies of symbols that did so before, with the same bytes
    /// in reach of them and the same codes before them: whatever begins [`WINDOW`] bytes behind a seam or later refers
    /// to nothing before it. `None` when that would be no less work than reading all of it.
    pub(super) fn holds(&self, stream: &[u8], blob: &Blob) -> Option<bool> {
        let work: usize = self.0.iter().map(|seam| seam.to.unpacked - seam.from.unpacked + 4 * WINDOW).sum();
        if work > blob.len() / 2 {
            return None;
        }
        Some(self.0.iter().all(|seam| {
            // Empty blocks lead to the place in the byte.
            let mut lead = Vec::new();
            let mut piece = BitWriter::behind(&mut lead);
            let whole = seam.from.bit.div_ceil(8);
            piece.fill_to(seam.from.bit % 8);
            piece.copy(stream, seam.from.bit..whole * 8);
            let stream = stream.part(whole..);
            let start = seam.from.unpacked;
            let dictionary = blob.slice(start.saturating_sub(WINDOW)..start);
            unpacks_as([&lead, stream], &dictionary, blob, start, seam.to.unpacked + BEHIND)
        }))
    }
}

/// Blocks and parts of blocks to be copied: their bits in the old stream, the first of the old bytes and the new
/// bytes they stand for.
struct Copy {
    /// What they are taken from.
    run: Shared,
    bits: Range<usize>,
    there: usize,
    here: Range<usize>,
    /// What the block that they begin inside of begins with.
    header: Option<Range<usize>>,
    /// Where in a block they end, if not between two.
    end: Option<Cut>,
    /// Whether that block says that it is the last. It is not, with an end of its own before new blocks.
    ends_last: bool,
}

fn copies(
    shared: &[Shared],
    length: usize,
    length_before: usize,
    packed: &[u8],
    blocks: &mut Vec<Boundary>,
) -> Option<Vec<Copy>> {
    let last = shared.last()?;
    let keeps_end = last.there.end == length_before && last.here.end == length;
    let enough = if keeps_end { last.there.start + WINDOW } else { usize::MAX };
    explore(packed, length_before, enough, blocks)?;
    let end = Boundary { bit: packed.len() * 8, unpacked: length_before };
    let mut copies: Vec<Copy> = Vec::new();
    let mut cuts = Cuts::of(packed);
    // Where many edits stand close together, nothing between them is out of their reach.
    let reached = |run: &Shared| run.there.start > 0 && run.there.len() < WINDOW;
    for run in shared.iter().filter(|run| !reached(run)) {
        let Some((start, header)) = beginning(run, blocks, &mut cuts) else { continue };
        let (at, cut) = match keeps_end && run == last {
            true => (end, None),
            false => match ending(run, blocks, end, &mut cuts) {
                Some(ending) => ending,
                None => continue,
            },
        };
        let here = |there: usize| run.here.start + (there - run.there.start);
        let bits = start.bit..at.bit;
        if bits.start + LEAST_BITS > bits.end {
            continue;
        }
        let is_last = |bit: usize| packed.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
        copies.push(Copy {
            run: run.clone(),
            bits,
            there: start.unpacked,
            here: here(start.unpacked)..here(at.unpacked),
            header,
            ends_last: cut.as_ref().is_some_and(|cut| is_last(cut.header.start)),
            end: cut,
        });
    }
    (!copies.is_empty()).then_some(copies)
}

/// The first place in `run` from which on no reference reaches what is before the run, and the header to write
/// again if that is inside a block.
fn beginning(
    run: &Shared,
    blocks: &[Boundary],
    cuts: &mut Cuts<'_>,
) -> Option<(Boundary, Option<Range<usize>>)> {
    if run.there.start == 0 {
        return Some((Boundary { bit: 0, unpacked: 0 }, None));
    }
    let least = run.there.start + WINDOW;
    let index = blocks.partition_point(|block| block.unpacked < least);
    let boundary = blocks.get(index).copied();
    let far = boundary.is_none_or(|block| block.unpacked - least > NEAR);
    let around = index.checked_sub(1).and_then(|index| blocks.get(index)).filter(|_| far);
    match around.and_then(|block| cuts.first_behind(*block, least)) {
        Some(Cut { at, header, .. }) => Some((at, Some(header))),
        None => boundary.map(|boundary| (boundary, None)),
    }
}

/// The last place in `run`, which does not go on to the end of both the old and the new bytes, and how to end the
/// block that it is inside of.
fn ending(
    run: &Shared,
    blocks: &[Boundary],
    end: Boundary,
    cuts: &mut Cuts<'_>,
) -> Option<(Boundary, Option<Cut>)> {
    // The last block itself does not end where new ones can follow.
    let usable = blocks.partition_point(|block| block.unpacked <= run.there.end && block.bit < end.bit);
    let block = *blocks.get(usable.checked_sub(1)?)?;
    let far = run.there.end - block.unpacked > NEAR;
    let cut = if far { cuts.last_before(block, run.there.end) } else { None };
    Some(cut.map_or((block, None), |cut| (cut.at, Some(cut))))
}

/// Packs `range` of `blob` behind what was written, with what comes before it as the dictionary.
fn encode(
    encoder: &mut Option<Deflate>,
    blob: &Blob,
    range: Range<usize>,
    flush: DeflateFlush,
    out: &mut BitWriter<'_>,
) -> Result<(), Refusal> {
    if range.is_empty() && flush == DeflateFlush::SyncFlush {
        return Ok(());
    }
    out.fill_to(0);
    let stream = match encoder {
        Some(used) => {
            used.reset();
            used
        }
        None => encoder.insert(Deflate::new(LEVEL, false, 15)),
    };
    if range.start > 0 {
        let dictionary = blob.slice(range.start.saturating_sub(WINDOW)..range.start);
        let set = stream.set_dictionary(&dictionary);
        set.map_err(|_| Refusal::internal("the deflate encoder refused its dictionary"))?;
    }
    compress(stream, &blob.slice(range), flush, out.bytes)
}

#[cfg(test)]
pub(super) mod tests;

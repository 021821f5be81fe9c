//! A large part that stays packed where nobody looks.
//!
//! To change one cell of a sheet that unpacks to 300 MB, a few kilobytes of it are needed; but all of it has to be
//! sound, and asking a system for 300 MB takes it longer than unpacking them takes us. So such a part is unpacked
//! once through a buffer that stays in the processor's cache, which checks it. On the way it is noted what can be
//! asked of all of it ([`Survey`]) and where blocks begin, so that later any stretch can be unpacked by itself.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Buffer, Cut, Folded, Refusal, Survey};
use memchr::memmem::{self, Finder};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::Entry;
use super::bits::BitWriter;
use super::blocks::Boundary;
use super::inflate::{check_sums, checked_end, inflate_to, packed_bytes};
use super::sums::{PIECE, Sums};

/// Smaller parts are unpacked whole: reading all of one later costs no second unpacking then. Tests, which have few
/// large parts, fold small ones.
pub(super) const FOLD_FROM: u64 = if cfg!(debug_assertions) { 64 << 10 } else { 64 << 20 };
/// A stretch ends with the first block that ends so far behind its beginning.
const STRETCH: usize = if cfg!(debug_assertions) { 16 << 10 } else { 1 << 20 };
/// How far back a reference can reach.
const WINDOW: usize = 32 << 10;
/// Whoever asks for more than this part of all at once gets all, and at once the next time.
const MUCH: usize = 8;

/// A part whose every byte was unpacked once, and found to be as declared.
pub(crate) struct FoldedPart {
    source: Arc<Vec<u8>>,
    data: Range<usize>,
    size: usize,
    stretches: Arc<Stretches>,
    /// Words, and all places of about [`PIECE`] bytes that each occurs in.
    words: Vec<(&'static [u8], Vec<Range<usize>>)>,
    all: OnceLock<Buffer>,
}

/// Adjacent, from the first byte of a part to its last. A save uses them too, to get to the place of an edit.
#[derive(Debug)]
pub(crate) struct Stretches(Vec<Stretch>);

/// Bytes of a part that can be unpacked by themselves.
#[derive(Debug)]
struct Stretch {
    /// The first of its unpacked bytes.
    start: usize,
    /// Packed bytes that unpacking had taken when it got here. The last of them may hold up to seven bits of what
    /// follows, and it is not known how many.
    taken: usize,
    /// What comes before it, as far as references can reach.
    before: Vec<u8>,
    sums: Sums,
    /// And the bit at which its first block begins, from the beginning of the part.
    bytes: OnceLock<Option<(usize, Vec<u8>)>>,
}

/// Goes through an entry that is packed. `None` where all of it had better be unpacked, whether sound or not.
pub(crate) fn fold(
    source: &Arc<Vec<u8>>,
    entry: &Entry,
    survey: &Survey,
) -> Result<Option<FoldedPart>, Refusal> {
    let (packed, size) = packed_bytes(source, entry)?;
    let refusal = |why| crate::refuse::corrupt(entry.name.as_str(), why);
    let mut pass = Pass::new(size, survey);
    if !pass.run(packed).map_err(refusal)? {
        return Ok(None);
    }
    let Pass { stretches, words, .. } = pass;
    check_sums(entry, Sums::joined(stretches.iter().map(|stretch| &stretch.sums)))?;
    let (source, data) = (Arc::clone(source), entry.data.clone());
    let stretches = Arc::new(Stretches(stretches));
    let _ = entry.stretches.set(Arc::clone(&stretches));
    Ok(Some(FoldedPart { source, data, size, stretches, words, all: OnceLock::new() }))
}

struct Pass<'a> {
    size: usize,
    survey: &'a Survey,
    finders: Vec<Finder<'static>>,
    words: Vec<(&'static [u8], Vec<Range<usize>>)>,
    stretches: Vec<Stretch>,
    /// What came before, as far as references can reach, and a piece behind it.
    buffer: Vec<u8>,
    /// Bytes of the piece that are there.
    filled: usize,
    /// Bytes before the piece.
    done: usize,
}

impl<'a> Pass<'a> {
    fn new(size: usize, survey: &'a Survey) -> Self {
        let words = || survey.words.iter().copied();
        Self {
            size,
            survey,
            finders: words().map(Finder::new).collect(),
            words: words().map(|word| (word, Vec::new())).collect(),
            stretches: Vec::with_capacity(size / STRETCH + 1),
            buffer: vec![0; WINDOW + PIECE],
            filled: 0,
            done: 0,
        }
    }

    /// Whether it is worth going on to the end, and does so.
    fn run(&mut self, packed: &[u8]) -> Result<bool, &'static str> {
        let mut stream = Inflate::new(false, 15);
        self.begin_stretch(0);
        let mut stuck = false;
        loop {
            let (read, written) = (stream.total_in() as usize, stream.total_out() as usize);
            let input = packed.part(read..);
            let output = &mut self.buffer[WINDOW + self.filled..];
            // Returns at the end of each block.
            let status = stream.decompress(input, output, InflateFlush::Block);
            let (taken, all) = (stream.total_in() as usize, stream.total_out() as usize);
            self.filled += all - written;
            let ended = match status {
                Ok(Status::StreamEnd) => true,
                Ok(_) if all > self.size => return Err("it unpacks to more than declared"),
                // The end of a block may be found without a byte more.
                Ok(_) if taken > read || all > written || !stuck => false,
                Ok(_) => return Err("its compressed data is cut off"),
                Err(_) => return Err("its compressed data is broken"),
            };
            stuck = taken == read && all == written;
            let full = self.filled == PIECE;
            let between_blocks = !full && taken < packed.len();
            let start = self.stretches.last().map_or(0, |stretch| stretch.start);
            let long = between_blocks && all - start >= STRETCH;
            if (full || ended || long) && !self.end_piece() {
                return Ok(false);
            }
            if ended {
                checked_end(&stream, packed, self.size)?;
                return Ok(true);
            }
            if long {
                self.begin_stretch(taken);
            }
        }
    }

    /// Takes stock of what is in the buffer and makes room. Not if all of the part will be wanted.
    fn end_piece(&mut self) -> bool {
        let (start, end) = (self.done, self.done + self.filled);
        for (finder, (word, found)) in self.finders.iter().zip(&mut self.words) {
            // With what may begin in the piece before.
            let reach = start.min(word.len().saturating_sub(1));
            let bytes = self.buffer.part(WINDOW - reach..WINDOW + self.filled);
            if finder.find(bytes).is_some() {
                if *word == self.survey.dense && start < self.size / MUCH {
                    return false;
                }
                found.push(start - reach..end);
            }
        }
        let piece = self.buffer.part(WINDOW..WINDOW + self.filled);
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.sums.push(piece);
        }
        self.buffer.copy_within(self.filled..self.filled + WINDOW, 0);
        (self.done, self.filled) = (end, 0);
        true
    }

    fn begin_stretch(&mut self, taken: usize) {
        let before = self.buffer.part(WINDOW - WINDOW.min(self.done)..WINDOW).to_vec();
        let (start, sums, bytes) = (self.done, Sums::default(), OnceLock::new());
        self.stretches.push(Stretch { start, taken, before, sums, bytes });
    }
}

impl Stretches {
    fn end_of(&self, index: usize, size: usize) -> usize {
        self.0.get(index + 1).map_or(size, |next| next.start)
    }

    fn index_of(&self, offset: usize) -> usize {
        self.0.partition_point(|stretch| stretch.start <= offset).saturating_sub(1)
    }

    /// Where a stretch of a stream that unpacks to `size` bytes begins, and its bytes.
    fn unpacked(&self, index: usize, packed: &[u8], size: usize) -> Option<(usize, &[u8])> {
        let stretch = self.0.get(index)?;
        let unpacked = stretch.bytes.get_or_init(|| {
            let end = self.0.get(index + 1).map_or(packed.len(), |next| next.taken);
            stretch.unpack(packed.get(..end)?, self.end_of(index, size) - stretch.start)
        });
        unpacked.as_ref().map(|(bit, bytes)| (*bit, bytes.as_slice()))
    }

    /// A place between two blocks that is not far before `offset`, but more than one stretch.
    pub(super) fn boundary_before(&self, offset: usize, packed: &[u8], size: usize) -> Option<Boundary> {
        let index = self.index_of(offset).checked_sub(1).filter(|index| *index > 0)?;
        let (bit, _) = self.unpacked(index, packed, size)?;
        Some(Boundary { bit, unpacked: self.0.get(index)?.start })
    }
}

impl FoldedPart {
    fn packed(&self) -> &[u8] {
        self.source.part(self.data.clone())
    }

    /// The bytes of a range from stretch to stretch.
    fn joined(&self, range: &Range<usize>) -> Option<Cow<'_, [u8]>> {
        let first = self.stretches.index_of(range.start);
        let mut joined = Vec::new();
        for index in first.. {
            let start = self.stretches.0.get(index)?.start;
            let end = self.stretches.end_of(index, self.size);
            let inside = range.start.saturating_sub(start)..range.end.min(end) - start;
            let (_, bytes) = self.stretches.unpacked(index, self.packed(), self.size)?;
            let bytes = bytes.get(inside)?;
            if bytes.len() == range.len() {
                return Some(Cow::Borrowed(bytes));
            }
            joined.reserve_exact(range.len() - joined.len());
            joined.extend_from_slice(bytes);
            if range.end <= end {
                break;
            }
        }
        Some(Cow::Owned(joined))
    }
}

impl Folded for FoldedPart {
    fn length(&self) -> usize {
        self.size
    }

    fn slice(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        if self.all.get().is_none()
            && range.len() <= self.size / MUCH
            && let Some(bytes) = self.joined(&range)
        {
            return bytes;
        }
        Cow::Borrowed(self.all().part(range))
    }

    fn contains(&self, range: Range<usize>, word: &[u8]) -> bool {
        let Some((_, places)) = self.words.iter().find(|(known, _)| *known == word) else {
            return memmem::find(&self.slice(range), word).is_some();
        };
        places.iter().any(|place| {
            let both = range.start.max(place.start)..range.end.min(place.end);
            both == *place || !both.is_empty() && memmem::find(&self.slice(both), word).is_some()
        })
    }

    fn all(&self) -> &[u8] {
        // The same bytes were unpacked before by the same code, so there is nothing that could be reported.
        self.all.get_or_init(|| {
            inflate_to(self.packed(), self.size)
                .map_or_else(|_| Buffer::new(Vec::new()), |inflated| inflated.bytes)
        })
    }
}

impl Stretch {
    /// Its first bit and its bytes, `length` of them, from a stream that goes on to the end of it.
    fn unpack(&self, packed: &[u8], length: usize) -> Option<(usize, Vec<u8>)> {
        // Beginning at a wrong bit, most fail at once, and none has the right checksums.
        (0..8.min(self.taken * 8 + 1)).find_map(|held| {
            let bit = self.taken * 8 - held;
            let bytes = self.unpack_from(packed, bit, length)?;
            (Sums::of(&bytes) == self.sums).then_some((bit, bytes))
        })
    }

    fn unpack_from(&self, packed: &[u8], bit: usize, length: usize) -> Option<Vec<u8>> {
        // Empty blocks lead to the place in the byte.
        let mut lead = Vec::new();
        let mut out = BitWriter::behind(&mut lead);
        out.fill_to(bit % 8);
        if bit < self.taken * 8 {
            out.copy(packed, bit..self.taken * 8);
        }
        let mut stream = Inflate::new(false, 15);
        if !self.before.is_empty() {
            stream.set_dictionary(&self.before).ok()?;
        }
        let mut bytes = vec![0; length];
        stream.decompress(&lead, &mut bytes, InflateFlush::NoFlush).ok()?;
        loop {
            let (read, written) = (stream.total_in() as usize, stream.total_out() as usize);
            if written == length {
                return Some(bytes);
            }
            let input = packed.get(self.taken + read.checked_sub(lead.len())?..)?;
            stream.decompress(input, bytes.get_mut(written..)?, InflateFlush::NoFlush).ok()?;
            if (stream.total_in() as usize, stream.total_out() as usize) == (read, written) {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests;

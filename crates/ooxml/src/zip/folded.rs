//! A large part that stays packed where nobody looks.
//!
//! To change one cell of a sheet that unpacks to 300 MB, a few kilobytes of it are needed; but all of it has to be
//! sound, and asking a system for 300 MB takes it longer than unpacking them takes us. So such a part is unpacked
//! once through a buffer that stays in the processor's cache, which checks it. On the way it is noted what can be
//! asked of all of it ([`Survey`]) and where blocks begin, so that later any stretch can be unpacked by itself.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Buffer, Folded, Refusal, Survey};
use memchr::memmem::{self, Finder};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::Entry;
use super::bits::BitWriter;
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
    /// Adjacent, from the first byte to the last.
    stretches: Vec<Stretch>,
    /// Words, and all places of about [`PIECE`] bytes that each occurs in.
    words: Vec<(&'static [u8], Vec<Range<usize>>)>,
    all: OnceLock<Buffer>,
}

/// A part of a part that can be unpacked by itself.
struct Stretch {
    /// The first of its unpacked bytes.
    start: usize,
    /// Packed bytes that unpacking had taken when it got here. The last of them may hold up to seven bits of what
    /// follows, and it is not known how many.
    taken: usize,
    /// What comes before it, as far as references can reach.
    before: Vec<u8>,
    sums: Sums,
    bytes: OnceLock<Option<Vec<u8>>>,
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
            let input = packed.get(read..).unwrap_or_default();
            let output = self.buffer.get_mut(WINDOW + self.filled..).unwrap_or_default();
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
            let bytes = self.buffer.get(WINDOW - reach..WINDOW + self.filled).unwrap_or_default();
            if finder.find(bytes).is_some() {
                if *word == self.survey.dense && start < self.size / MUCH {
                    return false;
                }
                found.push(start - reach..end);
            }
        }
        let piece = self.buffer.get(WINDOW..WINDOW + self.filled).unwrap_or_default();
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.sums.push(piece);
        }
        self.buffer.copy_within(self.filled..self.filled + WINDOW, 0);
        (self.done, self.filled) = (end, 0);
        true
    }

    fn begin_stretch(&mut self, taken: usize) {
        let before = self.buffer.get(WINDOW - WINDOW.min(self.done)..WINDOW).unwrap_or_default().to_vec();
        let (start, sums, bytes) = (self.done, Sums::default(), OnceLock::new());
        self.stretches.push(Stretch { start, taken, before, sums, bytes });
    }
}

impl FoldedPart {
    fn packed(&self) -> &[u8] {
        self.source.get(self.data.clone()).unwrap_or_default()
    }

    fn end_of(&self, index: usize) -> usize {
        self.stretches.get(index + 1).map_or(self.size, |next| next.start)
    }

    /// The bytes of a stretch.
    fn stretch(&self, index: usize) -> Option<&[u8]> {
        let stretch = self.stretches.get(index)?;
        let bytes = stretch.bytes.get_or_init(|| {
            let packed = self.packed();
            let end = self.stretches.get(index + 1).map_or(packed.len(), |next| next.taken);
            stretch.unpack(packed.get(..end)?, self.end_of(index) - stretch.start)
        });
        bytes.as_deref()
    }

    fn index_of(&self, offset: usize) -> usize {
        self.stretches.partition_point(|stretch| stretch.start <= offset).saturating_sub(1)
    }

    /// The bytes of a range from stretch to stretch.
    fn joined(&self, range: &Range<usize>) -> Option<Cow<'_, [u8]>> {
        let first = self.index_of(range.start);
        let from = self.stretches.get(first)?.start;
        if range.end <= self.end_of(first) {
            return self.stretch(first)?.get(range.start - from..range.end - from).map(Cow::Borrowed);
        }
        let mut bytes = Vec::with_capacity(range.len());
        for index in first.. {
            let start = self.stretches.get(index)?.start;
            let inside = range.start.saturating_sub(start)..range.end.min(self.end_of(index)) - start;
            bytes.extend_from_slice(self.stretch(index)?.get(inside)?);
            if range.end <= self.end_of(index) {
                break;
            }
        }
        Some(Cow::Owned(bytes))
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
        Cow::Borrowed(self.all().get(range).unwrap_or_default())
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
        self.all
            .get_or_init(|| inflate_to(self.packed(), self.size).unwrap_or_else(|_| Buffer::new(Vec::new())))
    }
}

impl Stretch {
    /// Its bytes, `length` of them, from a stream that goes on to the end of it.
    fn unpack(&self, packed: &[u8], length: usize) -> Option<Vec<u8>> {
        // Beginning at a wrong bit, most fail at once, and none has the right checksums.
        (0..8.min(self.taken * 8 + 1)).find_map(|held| {
            let bytes = self.unpack_from(packed, self.taken * 8 - held, length)?;
            (Sums::of(&bytes) == self.sums).then_some(bytes)
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

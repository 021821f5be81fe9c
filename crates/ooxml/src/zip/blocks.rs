//! Where the blocks of a deflate stream begin.
//!
//! To reuse compressed data one has to know where its blocks are, in bits, and which bytes they unpack to.
//! This reads the codes of a stream without unpacking anything: no window, no output, only a running count,
//! which is several times faster than inflating. Streams come from entries that were inflated before, so
//! anything unexpected here just means that nothing is reused.

mod cut;
mod mend;
mod stops;

pub(super) use cut::{Cut, Cuts};
pub(super) use mend::{Gap, mend};
pub(super) use stops::{Stop, settle};

/// A place between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boundary {
    /// Bits of the stream before it.
    pub(super) bit: usize,
    /// Unpacked bytes before it.
    pub(super) unpacked: usize,
}

/// Reads on in `stream`, which unpacks to `size` bytes, from the last boundary that is known to the first at or
/// after `enough`, or to the end. `None` if the stream is not understood.
pub(super) fn explore(stream: &[u8], size: usize, enough: usize, known: &mut Vec<Boundary>) -> Option<()> {
    let end = Boundary { bit: stream.len() * 8, unpacked: size };
    if known.is_empty() {
        known.push(Boundary { bit: 0, unpacked: 0 });
    }
    let last = *known.last()?;
    if last == end || last.unpacked >= enough {
        return Some(());
    }
    let mut bits = Bits::at(stream, last.bit)?;
    let mut tables = Tables::new();
    let mut unpacked = last.unpacked;
    loop {
        bits.refill();
        let last = bits.take(1)?;
        unpacked += match bits.take(2)? {
            0 => skip_stored(&mut bits)?,
            1 => {
                fixed_tables(&mut tables)?;
                skip_coded(&mut bits, &tables, size - unpacked)?
            }
            2 => {
                dynamic_tables(&mut bits, &mut tables)?;
                skip_coded(&mut bits, &tables, size - unpacked)?
            }
            _ => return None,
        };
        if unpacked > size {
            return None;
        }
        if last == 1 {
            known.push(end);
            let complete = unpacked == size && bits.position().div_ceil(8) == stream.len();
            return complete.then_some(());
        }
        known.push(Boundary { bit: bits.position(), unpacked });
        if unpacked >= enough {
            return Some(());
        }
    }
}

struct Bits<'a> {
    stream: &'a [u8],
    next: usize,
    buffer: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    fn at(stream: &'a [u8], bit: usize) -> Option<Self> {
        let mut bits = Self { stream, next: bit / 8, buffer: 0, count: 0 };
        bits.refill();
        bits.drop((bit % 8) as u32)?;
        Some(bits)
    }

    fn position(&self) -> usize {
        self.next * 8 - self.count as usize
    }

    /// Makes 56 bits available, or all that are left.
    #[inline(always)]
    fn refill(&mut self) {
        if let Some(word) = self.stream.get(self.next..).and_then(<[u8]>::first_chunk) {
            self.buffer |= u64::from_le_bytes(*word) << self.count;
            self.next += ((63 - self.count) >> 3) as usize;
            self.count |= 56;
            return;
        }
        while self.count < 56 {
            let Some(byte) = self.stream.get(self.next) else { return };
            self.buffer |= u64::from(*byte) << self.count;
            self.next += 1;
            self.count += 8;
        }
    }

    #[inline(always)]
    fn drop(&mut self, count: u32) -> Option<()> {
        self.count = self.count.checked_sub(count)?;
        self.buffer >>= count;
        Some(())
    }

    fn take(&mut self, count: u32) -> Option<usize> {
        let value = self.buffer & ((1 << count) - 1);
        self.drop(count)?;
        Some(value as usize)
    }
}

/// One code of a table: what it takes from the stream and what it gives.
///
/// Bits 0..8: bits to drop, extra bits included. 8..13: length of the code alone. 13..16: kind.
/// 16..32: the literal, or a length or distance without extra bits, or where a second table starts.
type Code = u32;

const LITERAL: Code = 1 << 13;
const LENGTH: Code = 2 << 13;
const END_OF_BLOCK: Code = 3 << 13;
const DISTANCE: Code = 4 << 13;
const SECOND: Code = 5 << 13;
const KIND: Code = 7 << 13;

const FIRST_BITS: u32 = 11;
const LONGEST: u32 = 15;

struct Tables {
    literal: Vec<Code>,
    distance: Vec<Code>,
}

impl Tables {
    fn new() -> Self {
        Self { literal: Vec::new(), distance: Vec::new() }
    }
}

/// The codes of the block whose kind comes next. `None` if it has none.
fn coded_tables(bits: &mut Bits<'_>, tables: &mut Tables) -> Option<()> {
    match bits.take(2)? {
        1 => fixed_tables(tables),
        2 => dynamic_tables(bits, tables),
        _ => None,
    }
}

fn skip_stored(bits: &mut Bits<'_>) -> Option<usize> {
    bits.drop(bits.count % 8)?;
    let start = bits.position() / 8;
    let header = bits.stream.get(start..)?.first_chunk::<4>()?;
    let length = u16::from_le_bytes([header[0], header[1]]);
    if length != !u16::from_le_bytes([header[2], header[3]]) {
        return None;
    }
    bits.next = start + 4 + usize::from(length);
    (bits.buffer, bits.count) = (0, 0);
    (bits.next <= bits.stream.len()).then_some(usize::from(length))
}

fn skip_coded(bits: &mut Bits<'_>, tables: &Tables, most: usize) -> Option<usize> {
    let mut unpacked = 0usize;
    loop {
        bits.refill();
        let mut code = look_up(&tables.literal, bits.buffer)?;
        // A refill holds two codes of any kind, but not a literal and the longest match.
        if code & KIND == LITERAL {
            bits.drop(code & 0xFF)?;
            unpacked += 1;
            code = look_up(&tables.literal, bits.buffer)?;
            if code & KIND == LITERAL {
                bits.drop(code & 0xFF)?;
                unpacked += 1;
                continue;
            }
            bits.refill();
        }
        match code & KIND {
            LENGTH => {
                unpacked += value(bits, code)?;
                let distance = look_up(&tables.distance, bits.buffer)?;
                if distance & KIND != DISTANCE {
                    return None;
                }
                bits.drop(distance & 0xFF)?;
                if unpacked > most {
                    return None;
                }
            }
            END_OF_BLOCK => {
                bits.drop(code & 0xFF)?;
                return Some(unpacked);
            }
            _ => return None,
        }
    }
}

/// What a code stands for.
enum Symbol {
    Literal(u8),
    Match { length: usize, distance: usize },
    End,
}

/// Reads one symbol. `None` where there is none.
#[inline(always)]
fn symbol(bits: &mut Bits<'_>, tables: &Tables) -> Option<Symbol> {
    // Enough for the longest match.
    bits.refill();
    let code = look_up(&tables.literal, bits.buffer)?;
    match code & KIND {
        LITERAL => {
            bits.drop(code & 0xFF)?;
            Some(Symbol::Literal((code >> 16) as u8))
        }
        LENGTH => {
            let length = value(bits, code)?;
            let code = look_up(&tables.distance, bits.buffer)?;
            if code & KIND != DISTANCE {
                return None;
            }
            Some(Symbol::Match { length, distance: value(bits, code)? })
        }
        END_OF_BLOCK => {
            bits.drop(code & 0xFF)?;
            Some(Symbol::End)
        }
        _ => None,
    }
}

/// A length or distance, with its extra bits.
#[inline(always)]
fn value(bits: &mut Bits<'_>, code: Code) -> Option<usize> {
    let (total, own) = (code & 0xFF, (code >> 8) & 0x1F);
    let extra = (bits.buffer >> own) & ((1 << (total - own)) - 1);
    bits.drop(total)?;
    Some((code >> 16) as usize + extra as usize)
}

#[inline(always)]
fn look_up(table: &[Code], buffer: u64) -> Option<Code> {
    let code = *table.get((buffer & ((1 << FIRST_BITS) - 1)) as usize)?;
    if code & KIND != SECOND {
        return Some(code);
    }
    let rest = (buffer >> FIRST_BITS) & ((1 << (LONGEST - FIRST_BITS)) - 1);
    table.get((code >> 16) as usize + rest as usize).copied()
}

fn fixed_tables(tables: &mut Tables) -> Option<()> {
    let mut lengths = [8u8; 288];
    lengths.get_mut(144..256)?.fill(9);
    lengths.get_mut(256..280)?.fill(7);
    build(&lengths, literal_code, &mut tables.literal)?;
    build(&[5; 30], distance_code, &mut tables.distance)
}

fn dynamic_tables(bits: &mut Bits<'_>, tables: &mut Tables) -> Option<()> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    bits.refill();
    let literals = bits.take(5)? + 257;
    let distances = bits.take(5)? + 1;
    let given = bits.take(4)? + 4;
    let mut code_lengths = [0u8; 19];
    for index in ORDER.iter().take(given) {
        bits.refill();
        *code_lengths.get_mut(*index)? = bits.take(3)? as u8;
    }
    build(
        &code_lengths,
        |symbol, length| Some(LITERAL | (symbol as Code) << 16 | length),
        &mut tables.literal,
    )?;
    let mut lengths = [0u8; 288 + 32];
    let (mut at, all) = (0, literals + distances);
    while at < all {
        bits.refill();
        let code = look_up(&tables.literal, bits.buffer)?;
        if code & KIND != LITERAL {
            return None;
        }
        bits.drop(code & 0xFF)?;
        let (value, repeat) = match code >> 16 {
            16 => (*lengths.get(at.checked_sub(1)?)?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        if at + repeat > all {
            return None;
        }
        lengths.get_mut(at..at + repeat)?.fill(value);
        at += repeat;
    }
    let (literal, rest) = lengths.split_at_checked(literals)?;
    build(literal, literal_code, &mut tables.literal)?;
    build(rest.get(..distances)?, distance_code, &mut tables.distance)
}

fn literal_code(symbol: usize, length: u32) -> Option<Code> {
    let code = |kind: Code, value: usize, extra: u32| {
        Some(kind | (value as Code) << 16 | length << 8 | (length + extra))
    };
    match symbol {
        0..256 => code(LITERAL, symbol, 0),
        256 => code(END_OF_BLOCK, 0, 0),
        257..265 => code(LENGTH, symbol - 254, 0),
        265..285 => {
            let extra = (symbol - 261) / 4;
            code(LENGTH, ((4 + (symbol - 265) % 4) << extra) + 3, extra as u32)
        }
        285 => code(LENGTH, 258, 0),
        _ => None,
    }
}

fn distance_code(symbol: usize, length: u32) -> Option<Code> {
    let (least, extra) = match symbol {
        0..4 => (symbol + 1, 0),
        4..30 => {
            let extra = (symbol - 2) / 2;
            (((2 + symbol % 2) << extra) + 1, extra as u32)
        }
        _ => return None,
    };
    Some(DISTANCE | (least as Code) << 16 | length << 8 | (length + extra))
}

/// Fills `table` for the canonical code with these lengths. Symbols that may not occur get no entry.
fn build(lengths: &[u8], code_of: impl Fn(usize, u32) -> Option<Code>, table: &mut Vec<Code>) -> Option<()> {
    const FIRST: usize = 1 << FIRST_BITS;
    let mut starts = [0u32; LONGEST as usize + 2];
    for length in lengths.iter().filter(|length| **length > 0) {
        *starts.get_mut(usize::from(*length) + 1)? += 1;
    }
    // `starts[n]` becomes the first code of length n.
    let mut code = 0;
    for length in 1..=LONGEST as usize {
        code = (code + starts.get(length)?) << 1;
        // `starts[length]` held the count of length - 1, which is not needed any more.
        *starts.get_mut(length)? = code;
        if code > 1 << length {
            return None;
        }
    }
    table.clear();
    table.resize(FIRST, 0);
    for (symbol, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
        let length = u32::from(*length);
        let next = starts.get_mut(length as usize)?;
        let reversed = (next.reverse_bits() >> (32 - length)) as usize;
        if *next >= 1 << length {
            return None;
        }
        *next += 1;
        let Some(code) = code_of(symbol, length) else { continue };
        if length <= FIRST_BITS {
            for slot in table.get_mut(..FIRST)?.iter_mut().skip(reversed).step_by(1 << length) {
                *slot = code;
            }
            continue;
        }
        let prefix = reversed & (FIRST - 1);
        if table.get(prefix)? & KIND != SECOND {
            *table.get_mut(prefix)? = SECOND | (table.len() as Code) << 16;
            table.resize(table.len() + (1 << (LONGEST - FIRST_BITS)), 0);
        }
        let second = (*table.get(prefix)? >> 16) as usize;
        let slots = table.get_mut(second..second + (1 << (LONGEST - FIRST_BITS)))?;
        for slot in slots.iter_mut().skip(reversed >> FIRST_BITS).step_by(1 << (length - FIRST_BITS)) {
            *slot = code;
        }
    }
    Some(())
}

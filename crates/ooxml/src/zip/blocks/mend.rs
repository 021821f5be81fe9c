//! The symbols around an edit, in the codes of the block they are in.
//!
//! Behind an edit most symbols stay what they were. Literals do, and references to bytes behind the edit; those to
//! bytes before it only reach another distance. So what a reference can reach is not packed anew: its symbols are
//! read, and written again, each after a look whether it gives the bytes that are wanted. What no longer does is
//! written as literals, and so is what was inserted. That takes a fraction of the time that packing takes, and the
//! block needs no new codes. Bytes that it has no codes for get a block of their own, with the codes that are fixed,
//! and then the old one is begun again.

use std::ops::Range;

use edit::Cut as _;
use memchr::memmem;

use super::super::bits::{self, BitWriter};
use super::cut::{Cut, end_code};
use super::{
    Bits, Boundary, Code, DISTANCE, FIRST_BITS, KIND, LENGTH, LITERAL, LONGEST, SECOND, Symbol, Tables,
    coded_tables, fixed_tables, symbol,
};

/// More bytes than these are worth a search for what they repeat.
const MOST_INSERTED: usize = 512;
/// So many bits more than before are about what other codes for all of it would cost.
const MOST_GROWN: usize = 1200;
/// So many bytes are looked for, or half of them.
const FOUND: usize = 8;
const MOST_SEARCHES: usize = 24;
const SHORTEST: usize = 3;
const LONGEST_MATCH: usize = 258;
const FARTHEST: usize = 32 << 10;

/// What was replaced, and by what.
#[derive(Debug)]
pub(in crate::zip) struct Gap<'a> {
    pub(in crate::zip) there: Range<usize>,
    pub(in crate::zip) here: Range<usize>,
    /// The new bytes, from before those that references can reach to behind the last that is written.
    pub(in crate::zip) bytes: &'a [u8],
    /// Where they begin.
    pub(in crate::zip) start: usize,
}

/// Goes on behind `cut`, which stands for the new bytes up to `here`, to the place at bit `to` of `stream`, and ends
/// the block there. Blocks that begin on the way are added to `known`. `None` if that cannot be done or would not be
/// worth it; then what was written is of no use.
pub(in crate::zip) fn mend(
    stream: &[u8],
    cut: &Cut,
    here: usize,
    gap: &Gap<'_>,
    to: usize,
    out: &mut BitWriter<'_>,
    known: &mut Vec<Boundary>,
) -> Option<()> {
    if gap.here.len() > MOST_INSERTED {
        return None;
    }
    let mut bits = Bits::at(stream, cut.header.start)?;
    let mut tables = Tables::new();
    bits.take(1)?;
    coded_tables(&mut bits, &mut tables)?;
    bits = Bits::at(stream, cut.at.bit)?;
    let most = out.position() + 8 * gap.here.len() + MOST_GROWN;
    let mut writing = Writing {
        stream,
        gap,
        out,
        known,
        here,
        header: cut.header.clone(),
        kept: cut.at.bit..cut.at.bit,
        codes: None,
        aside: None,
        searches: MOST_SEARCHES,
    };
    let mut there = cut.at.unpacked;
    let mut inserted = false;
    loop {
        let before = bits.position();
        if before >= to {
            writing.end(&tables)?;
            return (before == to && inserted).then_some(());
        }
        let (length, distance) = match symbol(&mut bits, &tables)? {
            Symbol::Literal(_) => (1, None),
            Symbol::Match { length, distance } => (length, Some(distance)),
            Symbol::End => {
                writing.end(&tables)?;
                let start = bits.position();
                if start >= to {
                    return (start == to && inserted).then_some(());
                }
                bits.refill();
                bits.take(1)?;
                coded_tables(&mut bits, &mut tables)?;
                writing.begin(start..bits.position());
                continue;
            }
        };
        let next = there + length;
        if inserted {
            writing.write(length, distance, Some(before..bits.position()), &tables)?;
        } else {
            if there < gap.there.start {
                let whole = (next <= gap.there.start).then(|| before..bits.position());
                writing.write(next.min(gap.there.start) - there, distance, whole, &tables)?;
            }
            if next >= gap.there.end {
                writing.anew(gap.here.len(), [None; 2], &tables)?;
                inserted = true;
                let rest = there.max(gap.there.end);
                let whole = (rest == there).then(|| before..bits.position());
                writing.write(next - rest, distance, whole, &tables)?;
            }
        }
        there = next;
        if writing.out.position() + writing.kept.len() > most + (bits.position() - cut.at.bit) {
            return None;
        }
    }
}

struct Writing<'a, 'b> {
    stream: &'a [u8],
    gap: &'a Gap<'a>,
    out: &'a mut BitWriter<'b>,
    known: &'a mut Vec<Boundary>,
    /// The next byte to be written.
    here: usize,
    /// What the block that is read begins with.
    header: Range<usize>,
    /// Bits that stay what they were, and are written with those that follow them.
    kept: Range<usize>,
    /// Those of the block that is read, once they are needed.
    codes: Option<Codes>,
    /// Those of the block that is written, if that is another.
    aside: Option<Codes>,
    /// How often it may still be looked for what is repeated.
    searches: usize,
}

impl Writing<'_, '_> {
    /// The next `length` bytes. They were literals before, or those at a distance. If all bytes of a symbol are
    /// wanted, these are its bits.
    fn write(
        &mut self,
        length: usize,
        distance: Option<usize>,
        symbol: Option<Range<usize>>,
        tables: &Tables,
    ) -> Option<()> {
        if let Some(bits) = symbol
            && distance.is_none_or(|distance| self.repeats(length, distance))
        {
            self.keep(bits);
            self.here += length;
            return Some(());
        }
        // Farther by as much as there is more between.
        let grown = |distance: usize| (distance + self.gap.here.len()).checked_sub(self.gap.there.len());
        self.anew(length, [distance, distance.and_then(grown)], tables)
    }

    /// The next `length` bytes, by what they repeat: at one of some distances, or wherever that is found.
    fn anew(&mut self, length: usize, distances: [Option<usize>; 2], tables: &Tables) -> Option<()> {
        let end = self.here + length;
        while self.here < end {
            let left = end - self.here;
            let known =
                distances.iter().flatten().map(|distance| (self.repeated(left, *distance), *distance));
            let known = known.max().filter(|(length, _)| *length >= SHORTEST);
            let Some((length, distance)) = known.or_else(|| self.search(left)) else {
                self.literals(1, tables)?;
                continue;
            };
            let codes = self.codes(tables);
            let both = (code_for(&codes.lengths, length), code_for(&codes.distances, distance));
            let (Some(first), Some(second)) = both else {
                self.literals(length, tables)?;
                continue;
            };
            self.flush();
            self.out.push(first);
            self.out.push(second);
            self.here += length;
        }
        Some(())
    }

    /// Some of the next bytes, at most `most`, in what comes before them: how many, and at which distance.
    fn search(&mut self, most: usize) -> Option<(usize, usize)> {
        let at = self.here - self.gap.start;
        let before = self.gap.bytes.get(at.saturating_sub(FARTHEST)..at)?;
        for length in [most.min(FOUND), most.min(FOUND / 2)] {
            self.searches = self.searches.checked_sub(1).filter(|_| length > SHORTEST)?;
            if let Some(found) = memmem::find(before, self.gap.bytes.get(at..at + length)?) {
                let distance = before.len() - found;
                return Some((self.repeated(most.min(LONGEST_MATCH), distance), distance));
            }
        }
        None
    }

    /// How many of the next bytes, at most, are those at a distance before them.
    fn repeated(&self, most: usize, distance: usize) -> usize {
        let at = self.here - self.gap.start;
        let Some(from) = at.checked_sub(distance).filter(|_| (1..=FARTHEST).contains(&distance)) else {
            return 0;
        };
        let bytes = |at: usize| self.gap.bytes.part(at..at + most);
        let same = bytes(at).iter().zip(bytes(from)).take_while(|(wanted, before)| wanted == before);
        same.count()
    }

    /// Whether the next bytes are those at a distance before them.
    fn repeats(&self, length: usize, distance: usize) -> bool {
        let at = self.here - self.gap.start;
        let Some(from) = at.checked_sub(distance) else { return false };
        let bytes = |at: usize| self.gap.bytes.get(at..at + length);
        bytes(at).is_some_and(|wanted| bytes(from) == Some(wanted))
    }

    fn literals(&mut self, length: usize, tables: &Tables) -> Option<()> {
        let at = self.here - self.gap.start;
        let bytes = self.gap.bytes.get(at..at + length)?;
        self.flush();
        if bytes.iter().any(|byte| self.codes(tables).literal(*byte).is_none()) {
            self.step_aside(tables)?;
        }
        for byte in bytes {
            let code = self.codes(tables).literal(*byte)?;
            self.out.push(code);
        }
        self.here += length;
        Some(())
    }

    /// Those of the block that is written.
    fn codes(&mut self, tables: &Tables) -> &Codes {
        match &self.aside {
            Some(aside) => aside,
            None => self.codes.get_or_insert_with(|| Codes::of(tables)),
        }
    }

    /// Ends the block for one that has codes for everything.
    fn step_aside(&mut self, tables: &Tables) -> Option<()> {
        self.end(tables)?;
        self.known.push(Boundary { bit: self.out.position(), unpacked: self.here });
        self.out.push((0b010, 3));
        let mut fixed = Tables::new();
        fixed_tables(&mut fixed)?;
        self.aside = Some(Codes::of(&fixed));
        Some(())
    }

    /// Begins a block with this header. It is not the last: that is begun once more behind all this.
    fn begin(&mut self, header: Range<usize>) {
        self.known.push(Boundary { bit: self.out.position(), unpacked: self.here });
        self.out.push((0, 1));
        self.out.copy_shifted(self.stream, header.start + 1..header.end);
        self.kept = header.end..header.end;
        (self.header, self.codes) = (header, None);
    }

    /// Ends the block that is written.
    fn end(&mut self, tables: &Tables) -> Option<()> {
        self.flush();
        self.out.push(if self.aside.take().is_some() { (0, 7) } else { end_code(tables)? });
        Some(())
    }

    fn keep(&mut self, bits: Range<usize>) {
        if self.aside.take().is_some() {
            self.out.push((0, 7));
            self.begin(self.header.clone());
        }
        if self.kept.end != bits.start {
            self.flush();
            self.kept.start = bits.start;
        }
        self.kept.end = bits.end;
    }

    fn flush(&mut self) {
        self.out.copy_shifted(self.stream, self.kept.clone());
        self.kept.start = self.kept.end;
    }
}

/// How to write what a block has codes for.
struct Codes {
    /// Of no length where there is none.
    literals: Vec<bits::Code>,
    lengths: Vec<Ranged>,
    distances: Vec<Ranged>,
}

/// The code for some neighbouring lengths or distances.
struct Ranged {
    least: usize,
    extra: usize,
    code: bits::Code,
}

impl Codes {
    fn of(tables: &Tables) -> Self {
        let mut codes = Self { literals: vec![(0, 0); 256], lengths: Vec::new(), distances: Vec::new() };
        codes.add(&tables.literal);
        codes.add(&tables.distance);
        codes
    }

    fn add(&mut self, table: &[Code]) {
        for (low, code) in table.iter().enumerate().take(1 << FIRST_BITS) {
            if code & KIND != SECOND {
                self.add_one(low, *code);
                continue;
            }
            let start = (code >> 16) as usize;
            let second = table.part(start..start + (1 << (LONGEST - FIRST_BITS)));
            for (high, code) in second.iter().enumerate() {
                self.add_one(high << FIRST_BITS | low, *code);
            }
        }
    }

    /// A code fills all slots whose lowest bits are its own. The first of them has nothing else.
    fn add_one(&mut self, bits: usize, code: Code) {
        let length = (code >> 8 & 0x1F) as usize;
        if bits >> length != 0 {
            return;
        }
        let (least, extra) = ((code >> 16) as usize, (code & 0xFF) as usize - length);
        let codes = match code & KIND {
            LITERAL => {
                if let Some(slot) = self.literals.get_mut(least) {
                    *slot = (bits as u128, length);
                }
                return;
            }
            LENGTH => &mut self.lengths,
            DISTANCE => &mut self.distances,
            _ => return,
        };
        codes.push(Ranged { least, extra, code: (bits as u128, length) });
    }

    fn literal(&self, byte: u8) -> Option<bits::Code> {
        self.literals.get(usize::from(byte)).copied().filter(|(_, length)| *length > 0)
    }
}

fn code_for(codes: &[Ranged], value: usize) -> Option<bits::Code> {
    let fitting = codes.iter().filter(|code| code.least <= value).max_by_key(|code| code.least)?;
    let rest = value - fitting.least;
    let (bits, length) = fitting.code;
    (rest < 1 << fitting.extra).then_some((bits | (rest as u128) << length, length + fitting.extra))
}

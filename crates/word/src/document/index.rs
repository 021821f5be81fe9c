//! Where the blocks of a part are.
//!
//! One walk over a part notes paragraphs and the boxes they stand in (tables, cells, content controls, text
//! boxes, notes) with plain offsets; what is inside a paragraph is read from its own slice when it is asked
//! for. That keeps opening cheap, and an edit shifts offsets instead of reading the part again.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, PartName};

use crate::document::fields::OpenFields;
use crate::document::names::Scope;

mod between;
mod blocks;
mod column;
mod openings;
mod update;

#[cfg(test)]
mod tests;

pub(crate) use blocks::{Blocks, keeps_blanks, scan_blocks, understands};
pub(crate) use column::Column;

/// No box around: only the root of a part.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What paragraphs stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoxKind {
    /// The root element of a part that is no story itself.
    Root,
    Body,
    Header,
    Footer,
    Footnote,
    Endnote,
    Comment,
    Table,
    Row,
    Cell,
    /// A content control around blocks, rows or cells.
    Control,
    CustomXml,
    TextBox,
    /// The branch of `mc:AlternateContent` that is read.
    Branch,
    /// Blocks inside `w:ins`, `w:del`, `w:moveFrom` or `w:moveTo`.
    Inserted,
    Deleted,
    /// HTML or another document that Word would import here; noted, not read.
    Foreign,
}

/// Offsets of an element that holds blocks. `inner` is where the blocks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: BoxKind,
    pub(crate) start: u32,
    pub(crate) inner: u32,
    pub(crate) inner_end: u32,
    pub(crate) end: u32,
    /// The properties element (`tblPr`, `trPr`, `tcPr`, `sdtPr`); empty if there is none.
    pub(crate) props: (u32, u32),
    pub(crate) parent: u32,
    /// The prefixes that hold inside, by their place in [`Part::scopes`].
    pub(crate) scope: u16,
}

impl column::Entry for Block {
    fn moved(mut self, by: i32) -> Self {
        let (from, to) = &mut self.props;
        for offset in [&mut self.start, &mut self.inner, &mut self.inner_end, &mut self.end, from, to] {
            *offset = offset.wrapping_add_signed(by);
        }
        self
    }
}

pub(crate) mod flag {
    /// Fields begin or end here without their other half.
    pub(crate) const OPEN_FIELD: u8 = 1;
    pub(crate) const NOTE_REFERENCE: u8 = 2;
    pub(crate) const COMMENT_REFERENCE: u8 = 4;
    pub(crate) const REVISION: u8 = 8;
    pub(crate) const BOOKMARK: u8 = 16;
    /// The id was derived from `w14:paraId`.
    pub(crate) const NAMED: u8 = 32;
    pub(crate) const TEXT_BOX: u8 = 64;
    pub(crate) const SYMBOL: u8 = 128;
}

/// Paragraphs in document order, each property in its own column: finding an id is a plain loop, and what an edit
/// leaves alone is shared with the revision before.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Paragraphs {
    pub(crate) start: Column<u32>,
    pub(crate) end: Column<u32>,
    pub(crate) boxed: Column<u32>,
    pub(crate) properties: Column<u32>,
    pub(crate) scope: Column<u16>,
    pub(crate) flags: Column<u8>,
    /// What the paragraph says, hashed; from `w14:paraId` where there is one.
    pub(crate) key: Column<u64>,
    pub(crate) id: Column<u64>,
}

/// The same columns while they are filled.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) start: Vec<u32>,
    pub(crate) end: Vec<u32>,
    pub(crate) boxed: Vec<u32>,
    pub(crate) properties: Vec<u32>,
    pub(crate) scope: Vec<u16>,
    pub(crate) flags: Vec<u8>,
    pub(crate) key: Vec<u64>,
    pub(crate) id: Vec<u64>,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }
}

impl From<Columns> for Paragraphs {
    fn from(columns: Columns) -> Self {
        let Columns { start, end, boxed, properties, scope, flags, key, id } = columns;
        Self {
            start: start.into(),
            end: end.into(),
            boxed: boxed.into(),
            properties: properties.into(),
            scope: scope.into(),
            flags: flags.into(),
            key: key.into(),
            id: id.into(),
        }
    }
}

impl Paragraphs {
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    pub(crate) fn span(&self, index: usize) -> Range<usize> {
        let at = |column: &Column<u32>| column.at(index) as usize;
        at(&self.start)..at(&self.end)
    }

    /// The last paragraph that starts before `offset`.
    fn before(&self, offset: usize) -> Option<usize> {
        self.start.partition_point(|start| (start as usize) < offset).checked_sub(1)
    }
}

/// A part with stories in it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) name: PartName,
    pub(crate) blob: Blob,
    pub(crate) paragraphs: Paragraphs,
    pub(crate) boxes: Column<Block>,
    pub(crate) scopes: Vec<Arc<Scope>>,
    /// Whether the root element asks for blanks to be kept.
    pub(crate) keeps_blanks: bool,
    /// As [`Blocks::nests`]: rare enough for everything to be read again after an edit.
    pub(crate) nests: bool,
    /// As [`Blocks::signed`], now or before an edit.
    pub(crate) signed: bool,
    /// Found when first asked for, and again after an edit.
    pub(crate) open_fields: OnceLock<Vec<OpenFields>>,
}

impl Part {
    pub(crate) fn bounds(&self, boxed: u32) -> Option<Block> {
        self.boxes.get(boxed as usize)
    }

    /// The boxes around a place in the part, from the innermost out.
    pub(crate) fn around(&self, boxed: u32) -> impl Iterator<Item = (u32, Block)> + '_ {
        std::iter::successors(self.bounds(boxed).map(|block| (boxed, block)), |(_, block)| {
            self.bounds(block.parent).map(|parent| (block.parent, parent))
        })
    }

    pub(crate) fn scope(&self, index: usize) -> Arc<Scope> {
        let scope = self.paragraphs.scope.at(index);
        self.numbered_scope(scope)
    }

    /// The declarations that a paragraph or a box stands under; those of the root if there are more than can be numbered.
    pub(crate) fn numbered_scope(&self, number: u16) -> Arc<Scope> {
        let known = self.scopes.get(usize::from(number)).or(self.scopes.first());
        known.map_or_else(Arc::default, Arc::clone)
    }

    /// The innermost paragraph that holds `range` strictly inside its tags.
    pub(crate) fn paragraph_holding(&self, range: &Range<usize>) -> Option<usize> {
        let mut index = self.paragraphs.before(range.start)?;
        if self.nests {
            return (0..=index).rev().find(|index| range.end < self.paragraphs.span(*index).end);
        }
        loop {
            if range.end < self.paragraphs.span(index).end {
                return Some(index);
            }
            // It may still be inside the paragraph whose text box this one stands in.
            let boxed = self.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
            let (_, text_box) = self.around(boxed).find(|(_, block)| block.kind == BoxKind::TextBox)?;
            index = self.paragraphs.before(text_box.start as usize)?;
        }
    }

    /// The innermost box whose content holds `range`.
    pub(crate) fn box_holding(&self, range: &Range<usize>) -> Option<u32> {
        let last = self.boxes.partition_point(|block| (block.start as usize) < range.start);
        let last = last.checked_sub(1)? as u32;
        let holds = |block: &Block| {
            block.inner as usize <= range.start
                && range.end <= block.inner_end as usize
                && block.inner < block.inner_end
        };
        self.around(last).find(|(_, block)| holds(block)).map(|(index, _)| index)
    }
}

/// Paragraph properties as written, each distinct spelling once: documents repeat a few hundred of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spellings {
    list: Vec<Arc<[u8]>>,
    known: HashMap<Arc<[u8]>, u32, Quick>,
}

impl Spellings {
    /// The number of these bytes; no bytes are number 0.
    pub(crate) fn number(&mut self, bytes: &[u8]) -> u32 {
        if self.list.is_empty() {
            let nothing: Arc<[u8]> = Arc::from(&b""[..]);
            self.list.push(Arc::clone(&nothing));
            self.known.insert(nothing, 0);
        }
        if let Some(known) = self.known.get(bytes) {
            return *known;
        }
        let number = self.list.len() as u32;
        let bytes: Arc<[u8]> = Arc::from(bytes);
        self.list.push(Arc::clone(&bytes));
        self.known.insert(bytes, number);
        number
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.list.get(number as usize).map_or(&[], |bytes| bytes)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

/// The key of a paragraph whose `w14:paraId` is this number.
pub(crate) fn named_key(number: u32) -> u64 {
    digest(2, &number.to_le_bytes())
}

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes with [`digest`]; keys come from documents of limited size, so flooding gains nobody anything.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quick;

#[derive(Debug, Default)]
pub(crate) struct QuickHasher(u64);

impl std::hash::BuildHasher for Quick {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher(0)
    }
}

impl std::hash::Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = digest(self.0, bytes);
    }

    /// Numbers of this size are digests themselves, though some are cut at the top.
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(MIX);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A hash of `bytes` that is the same on every machine and in every version: paragraph ids are made of it.
pub(crate) fn digest(seed: u64, bytes: &[u8]) -> u64 {
    let mut state = seed ^ (bytes.len() as u64).wrapping_mul(MIX);
    let mut turn = |word: u64| {
        let wide = u128::from(state ^ word) * u128::from(MIX);
        state = (wide as u64) ^ ((wide >> 64) as u64) ^ word.rotate_left(29);
    };
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        turn(u64::from_le_bytes(*chunk));
    }
    let mut last = [0u8; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    turn(u64::from_le_bytes(last));
    turn(0xD6E8_FEB8_6659_FD93);
    state
}

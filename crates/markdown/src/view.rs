//! Everything known about one revision of a document.
//!
//! The text is cut into chunks, one for each block at the top level with what follows it up to the next.
//! A chunk can be understood by itself, so an edit parses again only the chunks around it, and a document of
//! ten megabytes answers as fast as a short one. Two things are not local and are watched: definitions of
//! links and footnotes, and front matter.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, Cut, Refusal};

use crate::block::{Block, Kind, NodeId, Prefix};
use crate::inline::Inlines;
use crate::measure::{LineColumn, Measure, nth_char};
use crate::parse::{Definition, Definitions, Parsed, Position, parse};

mod after;
mod node;

pub use node::Node;

/// Cloning is cheap.
#[derive(Clone)]
pub struct View {
    blob: Blob,
    chunks: Arc<Vec<Placed>>,
    definitions: Arc<Definitions>,
    total: Measure,
}

/// A chunk with how much text stands before it.
#[derive(Clone)]
struct Placed {
    at: Measure,
    chunk: Arc<Chunk>,
}

struct Chunk {
    source: Arc<str>,
    range: Range<usize>,
    size: Measure,
    blocks: Box<[Block]>,
    counts: [u32; Prefix::COUNT],
    definitions: Box<[Definition]>,
    inlines: OnceLock<Inlines>,
}

impl Chunk {
    fn text(&self) -> &str {
        self.source.part(self.range.clone())
    }
}

impl View {
    pub(crate) fn new(blob: Blob) -> Result<Self, Refusal> {
        let bytes = blob.bytes();
        let text = std::str::from_utf8(&bytes).map_err(|error| Refusal::Corrupt {
            what: "the document".to_owned(),
            why: format!("it is not UTF-8 text (first bad byte at {})", error.valid_up_to()),
        })?;
        if text.len() >= u32::MAX as usize {
            return Err(Refusal::Limit {
                what: "the document".into(),
                found: format!("{} bytes", text.len()),
                limit: "4 GiB".into(),
            });
        }
        let source: Arc<str> = Arc::from(text);
        let parsed = parse(&source, Position::DocumentStart, &Definitions::default());
        let definitions = collect(parsed.definitions.iter().map(|(_, definition)| definition));
        let chunks = cut(&source, 0..source.len(), parsed);
        let mut view = Self {
            blob: blob.clone(),
            chunks: Arc::new(Vec::new()),
            definitions: Arc::new(definitions),
            total: Measure::default(),
        };
        view.place(chunks.into_iter().map(Arc::new));
        Ok(view)
    }

    fn place(&mut self, chunks: impl Iterator<Item = Arc<Chunk>>) {
        let mut at = Measure::default();
        let placed = chunks.map(|chunk| {
            let placed = Placed { at, chunk };
            at = at + placed.chunk.size;
            placed
        });
        self.chunks = Arc::new(placed.collect());
        self.total = at;
    }

    pub fn len(&self) -> usize {
        self.total.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.total.bytes == 0
    }

    /// The size of the document in every unit.
    pub fn size(&self) -> Measure {
        self.total
    }

    /// The whole text, as `document_get_content` returns it.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.len());
        for placed in self.chunks.iter() {
            text.push_str(placed.chunk.text());
        }
        text
    }

    /// The text of a range of bytes, clamped to the document and to whole characters.
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let end = self.floor(range.end.min(self.len()));
        let start = self.floor(range.start.min(end));
        let first = self.chunk_at(start);
        let Some(placed) = self.chunks.get(first) else { return Cow::Borrowed("") };
        if end <= placed.at.bytes + placed.chunk.size.bytes {
            let local = start - placed.at.bytes..end - placed.at.bytes;
            return Cow::Borrowed(placed.chunk.text().part(local));
        }
        let mut text = String::with_capacity(end - start);
        for placed in &self.chunks[first..] {
            if placed.at.bytes >= end {
                break;
            }
            let local =
                start.saturating_sub(placed.at.bytes)..(end - placed.at.bytes).min(placed.chunk.size.bytes);
            text.push_str(placed.chunk.text().part(local));
        }
        Cow::Owned(text)
    }

    /// The same bytes, shared.
    pub fn blob(&self) -> &Blob {
        &self.blob
    }

    /// The line ending of the document: that of its first line, or `\n`.
    pub fn eol(&self) -> &'static str {
        for placed in self.chunks.iter() {
            let text = placed.chunk.text().as_bytes();
            if let Some(at) = memchr::memchr2(b'\n', b'\r', text) {
                return match (text.get(at), text.get(at + 1)) {
                    (Some(b'\r'), Some(b'\n')) => "\r\n",
                    (Some(b'\r'), _) => "\r",
                    _ => "\n",
                };
            }
        }
        "\n"
    }

    /// How much text stands before `byte`.
    pub fn measure(&self, byte: usize) -> Measure {
        let byte = byte.min(self.len());
        match self.chunks.get(self.chunk_at(byte)) {
            None => Measure::default(),
            Some(placed) => {
                let local = byte - placed.at.bytes;
                let text = placed.chunk.text();
                let local = floor_char(text, local);
                placed.at + Measure::of(text.part(..local))
            }
        }
    }

    /// The byte at which the `chars`th character starts; `None` behind the end of the document.
    pub fn byte_of_char(&self, chars: usize) -> Option<usize> {
        if chars > self.total.chars {
            return None;
        }
        let index = self.chunks.partition_point(|placed| placed.at.chars <= chars).saturating_sub(1);
        Some(
            self.chunks
                .get(index)
                .map_or(0, |placed| placed.at.bytes + nth_char(placed.chunk.text(), chars - placed.at.chars)),
        )
    }

    pub fn char_of_byte(&self, byte: usize) -> usize {
        self.measure(byte).chars
    }

    pub fn line_column(&self, byte: usize) -> LineColumn {
        let line = self.measure(byte).lines + 1;
        let start = self.line_start(byte);
        LineColumn { line, column: self.measure(byte).chars - self.measure(start).chars + 1 }
    }

    /// Where the line that holds `byte` starts.
    pub fn line_start(&self, byte: usize) -> usize {
        let byte = byte.min(self.len());
        let mut index = self.chunk_at(byte);
        let mut end = byte;
        loop {
            let Some(placed) = self.chunks.get(index) else { return 0 };
            let local = end - placed.at.bytes;
            let text = placed.chunk.text().as_bytes();
            if let Some(at) = text.get(..local).and_then(|text| memchr::memrchr2(b'\n', b'\r', text)) {
                return placed.at.bytes + at + 1;
            }
            if index == 0 {
                return 0;
            }
            end = placed.at.bytes;
            index -= 1;
        }
    }

    /// Where a line starts, the first being line 1; the end of the document if there are not so many.
    pub fn start_of_line(&self, line: usize) -> usize {
        let index = self.chunks.partition_point(|placed| placed.at.lines < line.saturating_sub(1));
        let mut at = self.chunks.get(index.saturating_sub(1)).map_or(0, |placed| placed.at.bytes);
        while self.line_column(at).line < line && at < self.len() {
            at = self.next_line(at);
        }
        at
    }

    /// Where the text of the line that holds `byte` ends, before its line ending.
    pub fn line_end(&self, byte: usize) -> usize {
        let byte = byte.min(self.len());
        for placed in &self.chunks[self.chunk_at(byte).min(self.chunks.len())..] {
            let from = byte.saturating_sub(placed.at.bytes);
            let text = placed.chunk.text().as_bytes();
            if let Some(at) = text.get(from..).and_then(|text| memchr::memchr2(b'\n', b'\r', text)) {
                return placed.at.bytes + from + at;
            }
        }
        self.len()
    }

    /// Where the line behind the one that holds `byte` starts; the end of the document if there is none.
    pub fn next_line(&self, byte: usize) -> usize {
        let end = self.line_end(byte);
        let ending = self.slice(end..(end + 2).min(self.len()));
        end + if ending.starts_with("\r\n") { 2 } else { ending.len().min(1) }
    }

    /// The nearest character boundary at or before `byte`.
    pub(crate) fn floor(&self, byte: usize) -> usize {
        match self.chunks.get(self.chunk_at(byte)) {
            None => 0,
            Some(placed) => placed.at.bytes + floor_char(placed.chunk.text(), byte - placed.at.bytes),
        }
    }

    pub fn is_char_boundary(&self, byte: usize) -> bool {
        byte <= self.len() && self.floor(byte) == byte
    }

    pub(crate) fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Index of the chunk that holds `byte`; the last one at the end of the document.
    fn chunk_at(&self, byte: usize) -> usize {
        self.chunks.partition_point(|placed| placed.at.bytes <= byte).saturating_sub(1)
    }
}

/// Two views are equal when they show the same, whatever the road to them.
impl PartialEq for View {
    fn eq(&self, other: &Self) -> bool {
        self.total == other.total
            && self.definitions == other.definitions
            && self.chunks.len() == other.chunks.len()
            && self.chunks.iter().zip(other.chunks.iter()).all(|(a, b)| {
                a.at == b.at
                    && (Arc::ptr_eq(&a.chunk, &b.chunk)
                        || a.chunk.text() == b.chunk.text() && a.chunk.blocks == b.chunk.blocks)
            })
    }
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut list = f.debug_list();
        for (id, node) in self.nodes() {
            list.entry(&format_args!("{id:?} {:?} {:?}", node.kind(), node.range()));
        }
        list.finish()
    }
}

fn floor_char(text: &str, mut byte: usize) -> usize {
    byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

fn collect<'a>(definitions: impl Iterator<Item = &'a Definition>) -> Definitions {
    let mut known = Definitions::default();
    for definition in definitions {
        match definition {
            Definition::Link(label, target) => {
                // The first definition of a label counts.
                known.links.entry(label.clone()).or_insert_with(|| target.clone());
            }
            Definition::Footnote(label) => {
                known.footnotes.insert(label.clone());
            }
        }
    }
    known
}

/// Cut a parsed stretch into chunks, at the line on which each top-level block starts. What stands before
/// the first block goes with it.
fn cut(source: &Arc<str>, stretch: Range<usize>, parsed: Parsed) -> Vec<Chunk> {
    let text = source.part(stretch.clone());
    if text.is_empty() {
        return Vec::new();
    }
    let starts = top_starts(text, &parsed.blocks);
    let mut chunks = Vec::with_capacity(starts.len().max(1));
    let mut definitions = parsed.definitions.into_iter().peekable();
    let mut block = 0;
    for index in 0..starts.len().max(1) {
        let start = if index == 0 { 0 } else { starts[index] };
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let first = block;
        let last = parsed.blocks.get(first).map_or(first, |top| top.last as usize);
        block = last;
        let mut counts = [0; Prefix::COUNT];
        let blocks = parsed.blocks[first..last].iter().map(|block| {
            if let Some(prefix) = block.kind.prefix() {
                counts[prefix.index()] += 1;
            }
            Block {
                kind: block.kind,
                start: block.start - start as u32,
                end: block.end - start as u32,
                last: block.last - first as u32,
                parent: if block.parent == Block::TOP { Block::TOP } else { block.parent - first as u32 },
            }
        });
        let blocks = blocks.collect();
        let mut own = Vec::new();
        while let Some((_, definition)) = definitions.next_if(|(at, _)| *at < end) {
            own.push(definition);
        }
        chunks.push(Chunk {
            source: Arc::clone(source),
            range: stretch.start + start..stretch.start + end,
            size: Measure::of(&text[start..end]),
            blocks,
            counts,
            definitions: own.into(),
            inlines: OnceLock::new(),
        });
    }
    chunks
}

/// The line starts of the blocks at the top level.
fn top_starts(text: &str, blocks: &[Block]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut index = 0;
    while let Some(block) = blocks.get(index) {
        let start = block.start as usize;
        let before = text.as_bytes().part(..start);
        starts.push(memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1));
        index = block.last as usize;
    }
    starts
}

impl View {
    /// All blocks in document order, each with its id if its kind is numbered.
    pub fn nodes(&self) -> impl Iterator<Item = (Option<NodeId>, Node<'_>)> {
        let mut counts = [0usize; Prefix::COUNT];
        self.chunks.iter().enumerate().flat_map(move |(chunk, placed)| {
            let with_ids: Vec<_> = placed
                .chunk
                .blocks
                .iter()
                .enumerate()
                .map(|(block, found)| {
                    let id = found.kind.prefix().map(|prefix| {
                        let ordinal = counts[prefix.index()];
                        counts[prefix.index()] += 1;
                        NodeId { prefix, ordinal }
                    });
                    (id, Node::new(self, chunk, block))
                })
                .collect();
            with_ids
        })
    }

    /// The blocks at the top level.
    pub fn top(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        let with_block = |(_, placed): &(usize, &Placed)| !placed.chunk.blocks.is_empty();
        self.chunks.iter().enumerate().filter(with_block).map(|(chunk, _)| Node::new(self, chunk, 0))
    }

    pub fn node(&self, id: NodeId) -> Result<Node<'_>, Refusal> {
        let mut before = 0;
        for (chunk, placed) in self.chunks.iter().enumerate() {
            let count = placed.chunk.counts[id.prefix.index()] as usize;
            if id.ordinal < before + count {
                let mut of_kind = placed
                    .chunk
                    .blocks
                    .iter()
                    .enumerate()
                    .filter(|(_, b)| b.kind.prefix() == Some(id.prefix));
                if let Some((block, _)) = of_kind.nth(id.ordinal - before) {
                    return Ok(Node::new(self, chunk, block));
                }
            }
            before += count;
        }
        let nearest = before.checked_sub(1).map(|ordinal| NodeId { prefix: id.prefix, ordinal }.to_string());
        Err(Refusal::NotFound { what: "node", id: id.to_string(), nearest: nearest.into_iter().collect() })
    }

    /// Count the blocks from `next` up to `place`, each by chunk and place in it, and move `next` there.
    pub(crate) fn count_between(
        &self,
        next: &mut (usize, usize),
        place: (usize, usize),
        counts: &mut [usize; Prefix::COUNT],
    ) {
        while *next < place {
            let Some(placed) = self.chunks.get(next.0) else { return };
            if next.1 == 0 && next.0 < place.0 {
                for (sum, count) in counts.iter_mut().zip(placed.chunk.counts) {
                    *sum += count as usize;
                }
                *next = (next.0 + 1, 0);
                continue;
            }
            match placed.chunk.blocks.get(next.1) {
                Some(block) => {
                    if let Some(prefix) = block.kind.prefix() {
                        counts[prefix.index()] += 1;
                    }
                    next.1 += 1;
                }
                None => *next = (next.0 + 1, 0),
            }
        }
    }

    /// The ids of blocks, each once and in the order they come. Asking each by itself counts the document from its
    /// start for each.
    pub(crate) fn ids_of(&self, nodes: &[Node<'_>]) -> Vec<NodeId> {
        let mut wanted: Vec<(usize, usize)> = nodes.iter().map(Node::place).collect();
        wanted.sort_unstable();
        let mut ids = BTreeMap::new();
        let mut before = [0usize; Prefix::COUNT];
        let mut counted = 0;
        for of_chunk in wanted.chunk_by(|a, b| a.0 == b.0) {
            let chunk = of_chunk[0].0;
            for placed in &self.chunks[counted..chunk] {
                for (sum, count) in before.iter_mut().zip(placed.chunk.counts) {
                    *sum += count as usize;
                }
            }
            counted = chunk;
            let (mut here, mut next) = (before, 0);
            for place in of_chunk {
                while next <= place.1 {
                    if let Some(prefix) = self.chunks[chunk].chunk.blocks[next].kind.prefix() {
                        let ordinal = here[prefix.index()];
                        here[prefix.index()] += 1;
                        if next == place.1 {
                            ids.insert(*place, NodeId { prefix, ordinal });
                        }
                    }
                    next += 1;
                }
            }
        }
        nodes.iter().filter_map(|node| ids.remove(&node.place())).collect()
    }

    /// How many blocks of a kind there are.
    pub fn count(&self, prefix: Prefix) -> usize {
        self.chunks.iter().map(|placed| placed.chunk.counts[prefix.index()] as usize).sum()
    }

    /// The innermost block whose lines hold `byte`; a place between blocks has none.
    pub fn node_at(&self, byte: usize) -> Option<Node<'_>> {
        let chunk = self.chunk_at(byte);
        let placed = self.chunks.get(chunk)?;
        let local = byte - placed.at.bytes.min(byte);
        let blocks = &placed.chunk.blocks;
        // At a border between two siblings the later one, which starts there, is meant.
        let last = blocks.partition_point(|block| block.start as usize <= local).checked_sub(1);
        let around = std::iter::successors(last, |block| {
            let parent = blocks[*block].parent;
            (parent != Block::TOP).then_some(parent as usize)
        });
        // A place on the first line before the text, such as behind a list marker, is in the block.
        let mut found = around.into_iter().find(|block| blocks[*block].end as usize >= local);
        if found.is_none() {
            // On the indentation of the first line, or on blanks at the end of the last.
            let line = self.line_start(byte);
            let end = self.line_end(byte);
            let touches = |block: &Block| {
                let range = placed.at.bytes + block.start as usize..placed.at.bytes + block.end as usize;
                range.start <= end && range.end >= line && block.start < block.end
            };
            found = placed.chunk.blocks.iter().rposition(touches);
        }
        found.map(|block| Node::new(self, chunk, block))
    }
}

impl View {
    /// The bytes of this view that `other` did not take over as they are.
    pub(crate) fn fresh_range(&self, other: &View) -> Range<usize> {
        let same = |(a, b): &(&Placed, &Placed)| Arc::ptr_eq(&a.chunk, &b.chunk);
        let before = self.chunks.iter().zip(other.chunks.iter()).take_while(same).count();
        let rest = self.chunks.len().min(other.chunks.len()) - before;
        let behind =
            self.chunks.iter().rev().zip(other.chunks.iter().rev()).take(rest).take_while(same).count();
        let start = self.chunks.get(before).map_or(self.len(), |placed| placed.at.bytes);
        let end = self.chunks.get(self.chunks.len() - behind).map_or(self.len(), |placed| placed.at.bytes);
        start..end
    }

    /// The blocks that hold no others, rows standing for their cells, of the chunks in a range.
    pub(crate) fn leaves_in(&self, range: Range<usize>) -> impl Iterator<Item = Node<'_>> {
        let first = self.chunk_at(range.start);
        let chunks = self.chunks.iter().enumerate().skip(first);
        chunks.take_while(move |(_, placed)| placed.at.bytes < range.end).flat_map(move |(chunk, placed)| {
            let leaf = |kind: Kind| match kind {
                Kind::TableHead | Kind::TableRow => true,
                Kind::TableCell => false,
                kind => !kind.is_container(),
            };
            let blocks = placed.chunk.blocks.iter().enumerate().filter(move |(_, block)| leaf(block.kind));
            blocks.map(move |(block, _)| Node::new(self, chunk, block))
        })
    }

    /// All blocks that hold text with inline formatting, from those of one chunk on.
    pub(crate) fn text_blocks(&self, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = Node<'_>> {
        self.chunks.iter().enumerate().filter(move |(_, placed)| wanted(placed.chunk.text())).flat_map(
            move |(chunk, placed)| {
                let blocks = placed.chunk.blocks.iter().enumerate();
                blocks
                    .filter(|(_, block)| block.kind.has_inlines())
                    .map(move |(block, _)| Node::new(self, chunk, block))
            },
        )
    }
}

impl View {
    /// All blocks that a range touches, in document order.
    pub(crate) fn blocks_in(&self, range: Range<usize>) -> impl Iterator<Item = Node<'_>> {
        let first = self.chunk_at(range.start);
        let chunks = self.chunks.iter().enumerate().skip(first);
        let end = range.end;
        chunks.take_while(move |(_, placed)| placed.at.bytes < end.max(1)).flat_map(move |(chunk, placed)| {
            let base = placed.at.bytes;
            let range = range.clone();
            let touched = move |block: &Block| {
                let (start, end) = (base + block.start as usize, base + block.end as usize);
                start < range.end && range.start < end
            };
            let blocks = placed.chunk.blocks.iter().enumerate().filter(move |(_, block)| touched(block));
            blocks.map(move |(block, _)| Node::new(self, chunk, block))
        })
    }
}

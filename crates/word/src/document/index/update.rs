//! Carrying the index over a patch.
//!
//! Each splice lies in some paragraph or between the blocks of some box. Only that paragraph, or those
//! blocks, are walked again; everything behind is shifted. Whatever does not fit this picture (a splice
//! through a root tag, blocks that no longer nest) is read from scratch, which also gives the true verdict.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, PartName, Refusal, Splice};

use super::{
    Block, Blocks, BoxKind, Column, Columns, NOWHERE, Paragraphs, Part, Spellings, flag, scan_blocks,
};
use crate::document::names::Scope;

/// What an update left to do.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Paragraphs that were read again, by their present places.
    pub(crate) paragraphs: Vec<Range<usize>>,
    /// Whether paragraphs or boxes came or went, or the properties of one changed.
    pub(crate) structure: bool,
}

/// Blocks to be read again: `old` is in the bytes before the patch.
#[derive(Debug, Clone)]
struct Region {
    old: Range<usize>,
    parent: u32,
    delta: isize,
}

impl Part {
    pub(crate) fn read(name: PartName, blob: Blob, spellings: &mut Spellings) -> Result<Part, Refusal> {
        let found = scan(&name, &blob, spellings)?;
        Ok(Part::new(name, blob, found))
    }

    fn new(name: PartName, blob: Blob, found: Blocks) -> Part {
        let Blocks { paragraphs, boxes, scopes, keeps_blanks, nests, signed } = found;
        let (paragraphs, boxes) = (paragraphs.into(), boxes.into());
        let open_fields = OnceLock::new();
        Part { name, blob, paragraphs, boxes, scopes, keeps_blanks, nests, signed, open_fields }
    }

    /// Takes the part to `after`, which `splices` made of it.
    pub(crate) fn update(
        &mut self,
        splices: &[Splice],
        after: Blob,
        spellings: &mut Spellings,
    ) -> Result<Touched, Refusal> {
        let Some(regions) = self.regions(splices) else { return self.read_again(splices, after, spellings) };
        let mut scanned = Vec::with_capacity(regions.len());
        let mut shift = 0isize;
        for region in &regions {
            let start = region.old.start.saturating_add_signed(shift);
            let end = region.old.end.saturating_add_signed(shift + region.delta);
            shift += region.delta;
            let bytes = after.slice(start..end);
            let scope = self.bounds(region.parent).map_or(0, |block| block.scope);
            let scope = self.numbered_scope(scope);
            let found = match std::str::from_utf8(&bytes) {
                Ok(_) => scan_blocks(&bytes, start, &scope, spellings).ok(),
                Err(_) => None,
            };
            match found {
                Some(found) if !found.nests => scanned.push(found),
                _ => return self.read_again(splices, after, spellings),
            }
        }
        self.blob = after;
        self.signed |= scanned.iter().any(|found| found.signed);
        // Where no field spanned paragraphs and none does now, looking at all of them again finds the same.
        let spans = |found: &Blocks| found.paragraphs.flags.iter().any(|flags| flags & flag::OPEN_FIELD != 0);
        let none = self.open_fields.get().is_some_and(Vec::is_empty);
        if !none || scanned.iter().any(spans) {
            self.open_fields = OnceLock::new();
        }
        Ok(self.replace(&regions, scanned, splices))
    }

    fn read_again(
        &mut self,
        splices: &[Splice],
        after: Blob,
        spellings: &mut Spellings,
    ) -> Result<Touched, Refusal> {
        let mut found = scan(&self.name, &after, spellings)?;
        let moves = Moves::of(splices);
        carry_ids(&self.paragraphs, 0..self.paragraphs.len(), &mut found.paragraphs, &moves);
        let all = 0..found.paragraphs.len();
        *self = Part::new(self.name.clone(), after, found);
        Ok(Touched { paragraphs: vec![all], structure: true })
    }

    /// What to read again, in order and disjoint; `None` if only everything will do.
    fn regions(&self, splices: &[Splice]) -> Option<Vec<Region>> {
        if self.nests {
            return None;
        }
        let mut regions: Vec<Region> = Vec::new();
        for splice in splices {
            let mut region = self.region(splice.range.clone())?;
            region.delta = splice.with.len() as isize - splice.range.len() as isize;
            while let Some(last) = regions.last() {
                let apart = last.old.end <= region.old.start && last.old != region.old;
                if apart {
                    break;
                }
                let within = |a: &Region, b: &Region| b.old.start <= a.old.start && a.old.end <= b.old.end;
                let delta = last.delta + region.delta;
                region = if within(&region, last) {
                    Region { delta, ..last.clone() }
                } else if within(last, &region) {
                    Region { delta, ..region }
                } else if last.parent == region.parent {
                    let old = last.old.start..region.old.end.max(last.old.end);
                    Region { old, parent: region.parent, delta }
                } else {
                    return None;
                };
                regions.pop();
            }
            regions.push(region);
        }
        Some(regions)
    }

    fn region(&self, range: Range<usize>) -> Option<Region> {
        let boxed = self.box_holding(&range)?;
        if let Some(index) = self.paragraph_holding(&range) {
            let span = self.paragraphs.span(index);
            if self.bounds(boxed).is_some_and(|block| (block.start as usize) < span.start) {
                let parent = self.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
                return Some(Region { old: span, parent, delta: 0 });
            }
        }
        self.region_in(range, boxed)
    }

    /// The blocks of box `boxed` that `range` touches.
    fn region_in(&self, range: Range<usize>, boxed: u32) -> Option<Region> {
        let block = self.bounds(boxed)?;
        let has_properties =
            matches!(block.kind, BoxKind::Table | BoxKind::Row | BoxKind::Cell | BoxKind::Control);
        if has_properties && range.start <= self.first_block_in(&block).max(block.props.1 as usize) {
            // The properties of the box may be what changes: read the whole box.
            let whole = block.start as usize..block.end as usize;
            return match block.parent {
                NOWHERE => None,
                parent => Some(Region { old: whole, parent, delta: 0 }),
            };
        }
        let start = self.block_at(boxed, range.start).map_or(range.start, |span| span.start);
        let end = self.block_at(boxed, range.end).map_or(range.end, |span| span.end);
        Some(Region { old: start..end, parent: boxed, delta: 0 })
    }

    fn first_block_in(&self, block: &Block) -> usize {
        let from = block.inner;
        let paragraph = self.paragraphs.start.partition_point(|start| start < from);
        let inner = self.boxes.partition_point(|other| other.start < from);
        let paragraph = self.paragraphs.start.get(paragraph);
        let inner = self.boxes.get(inner).map(|block| block.start);
        let first = paragraph.into_iter().chain(inner).min().unwrap_or(block.inner_end);
        first.min(block.inner_end) as usize
    }

    /// The block directly in box `boxed` that has `offset` strictly inside.
    fn block_at(&self, boxed: u32, offset: usize) -> Option<Range<usize>> {
        let child_of = |from: u32| self.around(from).find(|(_, block)| block.parent == boxed);
        let mut next = self.paragraphs.before(offset);
        while let Some(index) = next {
            let inside = self.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
            if inside == boxed {
                let span = self.paragraphs.span(index);
                if span.end > offset {
                    return Some(span);
                }
                break;
            }
            match child_of(inside) {
                Some((_, child)) if child.kind == BoxKind::TextBox => {
                    next = self.paragraphs.before(child.start as usize);
                }
                _ => break,
            }
        }
        let last = self.boxes.partition_point(|block| (block.start as usize) < offset).checked_sub(1)?;
        let (_, child) = child_of(last as u32)?;
        let holds = child.kind != BoxKind::TextBox && child.end as usize > offset;
        holds.then_some(child.start as usize..child.end as usize)
    }

    fn replace(&mut self, regions: &[Region], scanned: Vec<Blocks>, splices: &[Splice]) -> Touched {
        let mut touched = Touched::default();
        let places: Vec<Places> = regions.iter().map(|region| self.places(region)).collect();
        let grown: Vec<(usize, isize)> = places
            .iter()
            .zip(&scanned)
            .map(|(place, found)| (place.boxes.end, found.boxes.len() as isize - place.boxes.len() as isize))
            .collect();
        let renumber = |index: u32| {
            let grown = grown.iter().take_while(|(end, _)| *end <= index as usize).map(|(_, by)| by);
            index.saturating_add_signed(grown.sum::<isize>() as i32)
        };
        if grown.iter().any(|(_, by)| *by != 0) {
            let kept = |index: u32| if index == NOWHERE { NOWHERE } else { renumber(index) };
            self.paragraphs.boxed.change_all(kept);
            self.boxes.change_all(|block| Block { parent: kept(block.parent), ..block });
            touched.structure = true;
        }
        let total: isize = regions.iter().map(|region| region.delta).sum();
        let mut shift = total;
        let (mut paragraphs_to, mut boxes_to) = (self.paragraphs.len(), self.boxes.len());
        let mut counts: Vec<(usize, usize)> = Vec::with_capacity(regions.len());
        let mut before: isize = grown.iter().map(|(_, by)| by).sum();
        let moves = Moves::of(splices);
        let parts = regions.iter().zip(&places).zip(scanned).zip(&grown);
        for (((region, place), mut found), (_, by)) in parts.rev() {
            before -= by;
            self.shift(place.paragraphs.end..paragraphs_to, place.boxes.end..boxes_to, shift);
            shift -= region.delta;
            let later = |end: u32| end.saturating_add_signed(region.delta as i32);
            for host in &place.hosts {
                self.paragraphs.end.change(*host, later);
            }
            for index in &place.ancestors {
                let grow = |block: Block| Block {
                    inner_end: later(block.inner_end),
                    end: later(block.end),
                    ..block
                };
                self.boxes.change(*index as usize, grow);
            }
            let parent = renumber(region.parent);
            let first_box = (place.boxes.start as u32).saturating_add_signed(before as i32);
            self.adopt(&mut found, parent, first_box);
            let spelled = self.paragraphs.properties.range(place.paragraphs.clone());
            touched.structure |= !spelled.eq(found.paragraphs.properties.iter().copied())
                || !place.boxes.is_empty()
                || !found.boxes.is_empty();
            carry_ids(&self.paragraphs, place.paragraphs.clone(), &mut found.paragraphs, &moves);
            counts.push((place.paragraphs.start, found.paragraphs.len()));
            self.paragraphs.splice(&place.paragraphs, &found.paragraphs);
            self.boxes.splice(place.boxes.clone(), &found.boxes);
            (paragraphs_to, boxes_to) = (place.paragraphs.start, place.boxes.start);
        }
        // Places in the new numbering: those of earlier regions moved what comes behind them.
        let mut moved = 0isize;
        for ((start, count), place) in counts.into_iter().rev().zip(&places) {
            let start = start.saturating_add_signed(moved);
            touched.paragraphs.push(start..start + count);
            moved += count as isize - place.paragraphs.len() as isize;
        }
        touched
    }

    fn places(&self, region: &Region) -> Places {
        let within = |column: &Column<u32>| {
            let from = column.partition_point(|start| (start as usize) < region.old.start);
            from..column.partition_point(|start| (start as usize) < region.old.end).max(from)
        };
        let from = self.boxes.partition_point(|block| (block.start as usize) < region.old.start);
        let to = self.boxes.partition_point(|block| (block.start as usize) < region.old.end);
        let text_boxes = self.around(region.parent).filter(|(_, block)| block.kind == BoxKind::TextBox);
        let hosts = text_boxes
            .filter_map(|(_, block)| self.paragraph_holding(&(block.start as usize..block.end as usize)));
        Places {
            paragraphs: within(&self.paragraphs.start),
            boxes: from..to.max(from),
            hosts: hosts.collect(),
            ancestors: self.around(region.parent).map(|(index, _)| index).collect(),
        }
    }

    fn shift(&mut self, paragraphs: Range<usize>, boxes: Range<usize>, by: isize) {
        let by = by as i32;
        self.paragraphs.start.shift(paragraphs.clone(), by);
        self.paragraphs.end.shift(paragraphs, by);
        self.boxes.shift(boxes, by);
    }

    /// Makes the numbers in what was found numbers of this part.
    fn adopt(&mut self, found: &mut Blocks, parent: u32, first_box: u32) {
        let scopes: Vec<u16> = found
            .scopes
            .iter()
            .map(|scope| match self.scopes.iter().position(|known| known == scope) {
                Some(known) => known as u16,
                None if self.scopes.len() < usize::from(u16::MAX) => {
                    self.scopes.push(Arc::clone(scope));
                    self.scopes.len() as u16 - 1
                }
                None => 0,
            })
            .collect();
        let scope = |number: &mut u16| *number = scopes.get(*number as usize).copied().unwrap_or(0);
        let place = |index: &mut u32| {
            *index = if *index == NOWHERE { parent } else { *index + first_box };
        };
        found.paragraphs.boxed.iter_mut().for_each(place);
        found.paragraphs.scope.iter_mut().for_each(scope);
        for block in &mut found.boxes {
            place(&mut block.parent);
            scope(&mut block.scope);
        }
    }
}

/// The blocks of a whole part.
fn scan(name: &PartName, blob: &Blob, spellings: &mut Spellings) -> Result<Blocks, Refusal> {
    let bytes = blob.bytes();
    if bytes.len() >= u32::MAX as usize {
        return Err(Refusal::Limit {
            what: format!("the part {name}").into(),
            found: format!("{} bytes", bytes.len()),
            limit: "4 GiB".to_owned(),
        });
    }
    if std::str::from_utf8(&bytes).is_err() {
        let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
        return Err(match utf16 {
            true => Refusal::unsupported(format!("the part {name}, which is in UTF-16,")),
            false => Refusal::Corrupt { what: format!("the part {name}"), why: "it is not UTF-8".to_owned() },
        });
    }
    scan_blocks(&bytes, 0, &Arc::new(Scope::default()), spellings).map_err(|error| error.in_part(name))
}

struct Places {
    paragraphs: Range<usize>,
    boxes: Range<usize>,
    /// Paragraphs around the region, by way of a text box.
    hosts: Vec<usize>,
    ancestors: Vec<u32>,
}

impl Paragraphs {
    fn splice(&mut self, range: &Range<usize>, with: &Columns) {
        self.start.splice(range.clone(), &with.start);
        self.end.splice(range.clone(), &with.end);
        self.boxed.splice(range.clone(), &with.boxed);
        self.properties.splice(range.clone(), &with.properties);
        self.scope.splice(range.clone(), &with.scope);
        self.flags.splice(range.clone(), &with.flags);
        self.key.splice(range.clone(), &with.key);
        self.id.splice(range.clone(), &with.id);
    }
}

/// Where splices move the bytes between them. Added up once: a patch may have a splice for each paragraph.
struct Moves<'a> {
    splices: &'a [Splice],
    /// How far what stands behind so many splices moves.
    behind: Vec<isize>,
}

impl<'a> Moves<'a> {
    fn of(splices: &'a [Splice]) -> Moves<'a> {
        let mut behind = vec![0];
        let mut shift = 0;
        for splice in splices {
            shift += splice.with.len() as isize - splice.range.len() as isize;
            behind.push(shift);
        }
        Moves { splices, behind }
    }

    /// Where a place went; `None` if it was replaced.
    fn moved(&self, at: usize) -> Option<usize> {
        let next = self.splices.partition_point(|splice| splice.range.end <= at);
        let replaced = self.splices.get(next).is_some_and(|splice| splice.range.start <= at);
        let shift = self.behind.get(next).copied().unwrap_or(0);
        (!replaced).then(|| at.saturating_add_signed(shift))
    }
}

/// Gives paragraphs that were read again the ids they had: those whose start the splices left alone by where
/// it went, the rest in order, unless the file itself names them. What has no counterpart keeps 0 and is named
/// by the view.
fn carry_ids(old: &Paragraphs, range: Range<usize>, new: &mut Columns, moves: &Moves<'_>) {
    let mut lost = Vec::new();
    for index in range {
        let id = old.id.at(index);
        let moved = moves.moved(old.span(index).start);
        let found = moved.and_then(|moved| new.start.binary_search(&(moved as u32)).ok());
        match found.and_then(|found| new.id.get_mut(found)) {
            Some(slot) => *slot = id,
            None => lost.push((id, old.key.get(index))),
        }
    }
    let named = |flags: &u8| flags & flag::NAMED != 0;
    let mut free = (0..new.len()).filter(|at| new.id.get(*at) == Some(&0)).collect::<Vec<_>>().into_iter();
    for (id, key) in lost {
        let Some(at) = free.next() else { return };
        let own = new.flags.get(at).is_some_and(named) && new.key.get(at).copied() != key;
        if let Some(slot) = new.id.get_mut(at).filter(|_| !own) {
            *slot = id;
        }
    }
}

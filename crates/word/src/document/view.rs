//! Everything known about one revision of a document.
//!
//! Opening reads where blocks are; all else (text, styles, numbers, notes) is found when it is asked for. A
//! view is shared and never changes; the next revision takes over what an edit left alone.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, Content, PartChange, PartName, Patch, Refusal};

use crate::document::ids::{self, ParagraphId};
use crate::document::index::{BoxKind, NOWHERE, Part, Spellings, flag};
use crate::document::layout::{Layout, Story};
use crate::document::look::{Looks, Registry};
use crate::document::notes::NoteNumbers;
use crate::document::numbering::{Labels, Numbering};
use crate::document::paragraph::{Atom, AtomKind, Control, Paragraph, Phase, Side, control_of, plain_text};
use crate::document::props::each_child;
use crate::document::stamp::highest_id;
use crate::document::style::{Resolved, Styles};

/// Where a paragraph is in one view: its part, and its number in that part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub(crate) part: u32,
    pub(crate) index: u32,
}

/// An element that a paragraph stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosure {
    pub kind: BoxKind,
    pub span: Range<usize>,
    pub content: Range<usize>,
    /// For content controls.
    pub control: Option<Control>,
}

/// One revision of a Word document.
#[derive(Clone)]
pub struct View {
    inner: Arc<Inner>,
}

#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) content: Content,
    pub(crate) layout: Arc<Layout>,
    /// One for each of `layout.stories`.
    pub(crate) parts: Vec<Arc<Part>>,
    pub(crate) spellings: Arc<Spellings>,
    pub(crate) styles: Arc<Styles>,
    pub(crate) numbering: Arc<Numbering>,
    /// Final and original, counted when first asked for and kept over edits that leave lists alone.
    labels: [OnceLock<Arc<Labels>>; 2],
    notes: OnceLock<Arc<NoteNumbers>>,
    /// Once made, kept for the session.
    registry: OnceLock<Arc<Registry>>,
    /// No revision, bookmark or comment has a higher id. Found once; edits only add to it, so that a thousand
    /// tracked edits do not search the document a thousand times.
    highest: OnceLock<u32>,
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.inner.layout.stories.iter().zip(&self.inner.parts);
        f.debug_map()
            .entries(counts.map(|((story, _), part)| (story.to_string(), part.paragraphs.len())))
            .finish()
    }
}

impl View {
    pub(crate) fn read(content: &Content) -> Result<Self, Refusal> {
        let layout = Layout::read(content)?;
        let mut spellings = Spellings::default();
        spellings.number(b"");
        let mut parts = Vec::with_capacity(layout.stories.len());
        for (_, name) in &layout.stories {
            parts.push(Arc::new(read_part(content, name, &mut spellings)?));
        }
        ids::name_all(&mut parts);
        let styles = Styles::read(content, &layout)?;
        let numbering = Numbering::read(content, &layout)?;
        let inner = Inner {
            content: content.clone(),
            layout: Arc::new(layout),
            parts,
            spellings: Arc::new(spellings),
            styles: Arc::new(styles),
            numbering: Arc::new(numbering),
            labels: Default::default(),
            notes: OnceLock::new(),
            registry: OnceLock::new(),
            highest: OnceLock::new(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub(crate) fn after(mut self, patch: &Patch, after: &Content) -> Result<Self, Refusal> {
        let inner = Arc::make_mut(&mut self.inner);
        inner.content = after.clone();
        if let Some(known) = inner.highest.take() {
            inner.highest = OnceLock::from(known.max(highest_in(patch, after)?));
        }
        let mut structure = false;
        for (name, change) in patch.parts() {
            if name.as_str().ends_with(".rels") || !matches!(change, PartChange::Splices(_)) {
                structure = true;
            }
        }
        if structure {
            inner.lay_out(patch)?;
        }
        let mut recount = structure;
        let mut relook = Vec::new();
        let mut restyled = false;
        let changed = |name: &Option<PartName>| name.as_ref().is_some_and(|name| patch.part(name).is_some());
        if structure || changed(&inner.layout.styles) || changed(&inner.layout.theme) {
            inner.styles = Arc::new(Styles::read(after, &inner.layout)?);
            (recount, restyled) = (true, true);
        }
        if structure || changed(&inner.layout.numbering) {
            inner.numbering = Arc::new(Numbering::read(after, &inner.layout)?);
            (recount, restyled) = (true, true);
        }
        for index in 0..inner.parts.len() {
            let Some(name) = inner.parts.get(index).map(|part| part.name.clone()) else { continue };
            let splices = patch.splices(&name);
            if splices.is_empty() {
                continue;
            }
            let blob = existing(after, &name)?;
            let Some(part) = inner.parts.get_mut(index).filter(|part| !part.blob.same(&blob)) else {
                continue;
            };
            let spellings = Arc::make_mut(&mut inner.spellings);
            let touched = Arc::make_mut(part).update(splices, blob, spellings)?;
            recount |= touched.structure || inner.styles.hide();
            for range in touched.paragraphs {
                recount |= inner.counts_by_content(index, range.clone());
                relook.extend(range.clone().map(|at| Place { part: index as u32, index: at as u32 }));
                if touched.structure && inner.styles.cut_tables() {
                    relook.extend(inner.beside_in_tables(index, range.clone()));
                }
                ids::name_new(&mut inner.parts, index, range);
            }
        }
        if recount {
            inner.labels = Default::default();
        }
        inner.notes = OnceLock::new();
        if let Some(mut registry) = inner.registry.take() {
            let all = restyled.then(|| self.places().collect());
            self.add_looks(Arc::make_mut(&mut registry), all.unwrap_or(relook).into_iter());
            Arc::make_mut(&mut self.inner).registry = OnceLock::from(registry);
        }
        Ok(self)
    }

    pub fn content(&self) -> &Content {
        &self.inner.content
    }

    pub fn layout(&self) -> &Layout {
        &self.inner.layout
    }

    pub fn styles(&self) -> &Styles {
        &self.inner.styles
    }

    pub fn numbering(&self) -> &Numbering {
        &self.inner.numbering
    }

    pub(crate) fn labels(&self, side: Side) -> &Labels {
        let [finally, originally] = &self.inner.labels;
        let slot = if side == Side::Original { originally } else { finally };
        slot.get_or_init(|| Arc::new(self.count(side)))
    }

    pub(crate) fn note_numbers(&self) -> &NoteNumbers {
        self.inner.notes.get_or_init(|| Arc::new(self.count_notes()))
    }

    pub(crate) fn registry(&self) -> &Registry {
        self.inner.registry.get_or_init(|| Arc::new(self.register()))
    }

    /// An id that no revision, bookmark or comment of any story exceeds.
    pub(crate) fn highest_id(&self) -> u32 {
        *self.inner.highest.get_or_init(|| {
            let blobs: Vec<&Blob> = self.inner.parts.iter().map(|part| &part.blob).collect();
            let bytes: Vec<_> = blobs.iter().map(|blob| blob.bytes()).collect();
            highest_id(bytes.iter().map(|bytes| &**bytes))
        })
    }

    /// What the paragraph's own words, its styles and its list come to.
    pub fn resolved(&self, place: Place) -> Arc<Resolved> {
        Looks::new(self).paragraph(place)
    }

    /// Whether properties spelled so carry a tracked change.
    pub(crate) fn spelled_with_revision(&self, number: u32) -> bool {
        let mut found = false;
        each_child(self.inner.spellings.get(number), |child| match child.name {
            "pPrChange" => found = true,
            "rPr" => each_child(child.whole, |inner| {
                found |= matches!(inner.name, "ins" | "del" | "moveFrom" | "moveTo" | "rPrChange");
            }),
            _ => {}
        });
        found
    }

    /// Whether the table row or cell a paragraph stands in was inserted, and whether it was deleted.
    pub(crate) fn row_fate(&self, part: &Part, index: usize) -> (bool, bool) {
        let boxed = part.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
        let (mut inserted, mut deleted) = (false, false);
        for (_, block) in part.around(boxed) {
            match block.kind {
                BoxKind::Row | BoxKind::Cell if block.props.0 < block.props.1 => {
                    let properties = part.blob.slice(block.props.0 as usize..block.props.1 as usize);
                    each_child(&properties, |child| match child.name {
                        "ins" | "moveTo" | "cellIns" => inserted = true,
                        "del" | "moveFrom" | "cellDel" => deleted = true,
                        _ => {}
                    });
                }
                BoxKind::Inserted => inserted = true,
                BoxKind::Deleted => deleted = true,
                _ => {}
            }
        }
        (inserted, deleted)
    }

    /// Whether a reader of this side finds the row or cell that a paragraph stands in gone.
    pub(crate) fn is_row_gone(&self, place: Place, side: Side) -> bool {
        let Some(part) = self.part(place) else { return false };
        let (inserted, deleted) = self.row_fate(part, place.index as usize);
        match side {
            Side::Final => deleted,
            Side::Original => inserted,
            Side::Redline => false,
        }
    }

    pub(crate) fn spellings(&self) -> &Spellings {
        &self.inner.spellings
    }

    pub(crate) fn parts(&self) -> &[Arc<Part>] {
        &self.inner.parts
    }

    /// Every paragraph of every story, in reading order.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        (0..self.inner.parts.len() as u32).flat_map(|part| self.places_in(part))
    }

    /// The paragraphs of the body, tables and text boxes included.
    pub fn body(&self) -> impl Iterator<Item = Place> {
        self.places_in(0)
    }

    /// The paragraphs of one story.
    pub fn story(&self, story: Story) -> impl Iterator<Item = Place> {
        let stories = self.inner.layout.stories.iter().enumerate();
        let parts = stories.filter(move |(_, (known, _))| *known == story).map(|(part, _)| part as u32);
        parts.flat_map(|part| self.places_in(part))
    }

    fn places_in(&self, part: u32) -> impl Iterator<Item = Place> + use<> {
        let count = self.inner.parts.get(part as usize).map_or(0, |part| part.paragraphs.len());
        (0..count as u32).map(move |index| Place { part, index })
    }

    pub fn story_of(&self, place: Place) -> Story {
        self.inner.layout.stories.get(place.part as usize).map_or(Story::Body, |(story, _)| *story)
    }

    pub fn part_of(&self, place: Place) -> Option<&PartName> {
        self.inner.parts.get(place.part as usize).map(|part| &part.name)
    }

    /// Whether anything in a part may have an author. Every tracked change has one.
    pub(crate) fn is_signed(&self, part: &PartName) -> bool {
        self.inner.parts.iter().find(|known| known.name == *part).is_none_or(|known| known.signed)
    }

    /// Where the paragraph stands in its part, tags included.
    pub fn span(&self, place: Place) -> Range<usize> {
        self.part(place).map_or(0..0, |part| part.paragraphs.span(place.index as usize))
    }

    pub fn id(&self, place: Place) -> ParagraphId {
        let id = self.part(place).and_then(|part| part.paragraphs.id.get(place.index as usize));
        ParagraphId::new(id.unwrap_or_default())
    }

    pub fn place_of(&self, id: ParagraphId) -> Option<Place> {
        self.inner.parts.iter().enumerate().find_map(|(part, known)| {
            let index = known.paragraphs.id.position(id.number())?;
            Some(Place { part: part as u32, index: index as u32 })
        })
    }

    /// The paragraph with this id, or a refusal that says so.
    pub fn find(&self, id: ParagraphId) -> Result<Place, Refusal> {
        self.place_of(id).ok_or_else(|| Refusal::NotFound {
            what: "paragraph",
            id: id.to_string(),
            nearest: self.near(id).iter().map(ToString::to_string).collect(),
        })
    }

    /// Ids that differ from this one in few digits, the closest first: what somebody meant who copied one wrong.
    fn near(&self, id: ParagraphId) -> Vec<ParagraphId> {
        const DIGITS: u32 = 3;
        let different = |known: u64| {
            (0..16).filter(|digit| (known ^ id.number()) >> (digit * 4) & 0xF != 0).count() as u32
        };
        let all = self.inner.parts.iter().flat_map(|part| part.paragraphs.id.iter());
        let mut near: Vec<(u32, u64)> =
            all.map(|known| (different(known), known)).filter(|(digits, _)| *digits <= DIGITS).collect();
        near.sort_unstable();
        near.into_iter().take(3).map(|(_, known)| ParagraphId::new(known)).collect()
    }

    /// The paragraph that a name stands for: an id in either spelling, or a bookmark.
    pub fn find_named(&self, name: &str) -> Result<Place, Refusal> {
        let parsed = name.parse::<ParagraphId>();
        if let Ok(id) = parsed
            && let Some(place) = self.place_of(id)
        {
            return Ok(place);
        }
        match self.place_of_bookmark(name) {
            Some(place) => Ok(place),
            None => parsed.and_then(|id| self.find(id)),
        }
    }

    /// The paragraph in which a bookmark starts.
    pub fn place_of_bookmark(&self, name: &str) -> Option<Place> {
        self.places().find(|place| {
            let flags = self.part(*place).and_then(|part| part.paragraphs.flags.get(place.index as usize));
            let starts = |atom: &Atom| matches!(&atom.kind, AtomKind::BookmarkStart { name: known, .. } if known == name);
            flags.is_some_and(|flags| flags & flag::BOOKMARK != 0)
                && self.paragraph(*place).is_ok_and(|paragraph| paragraph.atoms.iter().any(starts))
        })
    }

    /// What a paragraph stands in, from the innermost out.
    pub fn enclosures(&self, place: Place) -> Vec<Enclosure> {
        let Some(part) = self.part(place) else { return Vec::new() };
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        let enclosures = part.around(boxed).map(|(_, block)| {
            let properties = part.blob.slice(block.props.0 as usize..block.props.1 as usize);
            let scope = part.numbered_scope(block.scope);
            Enclosure {
                kind: block.kind,
                span: block.start as usize..block.end as usize,
                content: block.inner as usize..block.inner_end as usize,
                control: match block.kind {
                    BoxKind::Control => control_of(&properties, &scope).ok(),
                    _ => None,
                },
            }
        });
        enclosures.collect()
    }

    /// The innermost paragraph around a place in a part.
    pub fn place_at(&self, part: &PartName, offset: usize) -> Option<Place> {
        let (number, known) = self.inner.parts.iter().enumerate().find(|(_, known)| known.name == *part)?;
        let index = known.paragraph_holding(&(offset..offset))?;
        Some(Place { part: number as u32, index: index as u32 })
    }

    /// The fields open where a paragraph starts, the outermost first.
    pub(crate) fn open_fields(&self, place: Place) -> &[Phase] {
        self.part(place).map_or(&[], |part| part.open_fields_at(place.index))
    }

    /// What is inside a paragraph, read from its bytes.
    pub fn paragraph(&self, place: Place) -> Result<Paragraph, Refusal> {
        let part = self.part(place).ok_or_else(|| Refusal::internal("a paragraph of another view"))?;
        let index = place.index as usize;
        let span = part.paragraphs.span(index);
        let source = part.blob.slice(span.clone());
        let before = self.open_fields(place);
        Paragraph::read(&source, span.start, part.scope(index), part.keeps_blanks, before)
            .map_err(|error| error.in_part(&part.name))
    }

    /// What a paragraph says after any change.
    pub(crate) fn said(&self, place: Place) -> Result<String, Refusal> {
        let plain = self.part(place).filter(|_| self.open_fields(place).is_empty()).and_then(|part| {
            let source = self.source(place)?;
            plain_text(&source, &part.scope(place.index as usize), part.keeps_blanks)
        });
        match plain {
            Some(text) => Ok(text),
            None => Ok(self.paragraph(place)?.text(Side::Final).text),
        }
    }

    /// The bytes of a paragraph.
    pub(crate) fn source(&self, place: Place) -> Option<std::borrow::Cow<'_, [u8]>> {
        let part = self.part(place)?;
        Some(part.blob.slice(part.paragraphs.span(place.index as usize)))
    }

    /// The paragraph's properties as they are written; no bytes if it has none.
    pub(crate) fn spelling(&self, place: Place) -> &[u8] {
        self.inner.spellings.get(self.spelling_number(place))
    }

    pub(crate) fn spelling_number(&self, place: Place) -> u32 {
        let number = self.part(place).and_then(|part| part.paragraphs.properties.get(place.index as usize));
        number.unwrap_or_default()
    }

    pub(crate) fn part(&self, place: Place) -> Option<&Part> {
        self.inner.parts.get(place.part as usize).map(|part| &**part)
    }
}

impl Inner {
    /// Whether one of these paragraphs is counted or not for what it says: its mark is hidden, inserted,
    /// deleted or a section break, so the rest decides.
    fn counts_by_content(&self, part: usize, range: Range<usize>) -> bool {
        let spelled = self.parts.get(part).map(|part| part.paragraphs.properties.range(range));
        let telling: [&[u8]; 5] = [b":vanish", b":ins ", b":del ", b":move", b"sectPr"];
        spelled.into_iter().flatten().any(|number| {
            let bytes = self.spellings.get(number);
            telling.iter().any(|word| memchr::memmem::find(bytes, word).is_some())
        })
    }

    /// The paragraphs of the tables that these paragraphs stand in: which cells lie in which region of a table can
    /// change with each of its rows.
    fn beside_in_tables(&self, number: usize, range: Range<usize>) -> Vec<Place> {
        let Some(part) = self.parts.get(number) else { return Vec::new() };
        let tables = part.paragraphs.boxed.range(range).filter_map(|boxed| {
            part.around(boxed).find(|(_, block)| block.kind == BoxKind::Table).map(|(table, _)| table)
        });
        let tables: BTreeSet<u32> = tables.collect();
        let spans = tables.iter().filter_map(|table| part.bounds(*table)).flat_map(|block| {
            let from = part.paragraphs.start.partition_point(|start| start < block.start);
            from..part.paragraphs.start.partition_point(|start| start < block.end)
        });
        spans.map(|index| Place { part: number as u32, index: index as u32 }).collect()
    }

    /// Finds the parts again after some came or went, keeping those that are known.
    fn lay_out(&mut self, patch: &Patch) -> Result<(), Refusal> {
        let layout = Layout::read(&self.content)?;
        let mut parts = Vec::with_capacity(layout.stories.len());
        let mut fresh = Vec::new();
        for (_, name) in &layout.stories {
            let replaced = matches!(patch.part(name), Some(PartChange::Put(_) | PartChange::Remove));
            match self.parts.iter().find(|part| part.name == *name && !replaced) {
                Some(known) => parts.push(Arc::clone(known)),
                None => {
                    let spellings = Arc::make_mut(&mut self.spellings);
                    fresh.push(parts.len());
                    parts.push(Arc::new(read_part(&self.content, name, spellings)?));
                }
            }
        }
        self.layout = Arc::new(layout);
        self.parts = parts;
        for part in fresh {
            let count = self.parts.get(part).map_or(0, |part| part.paragraphs.len());
            ids::name_new(&mut self.parts, part, 0..count);
        }
        Ok(())
    }
}

/// The highest id in what a patch brought, and beside it: a splice may have touched a number.
fn highest_in(patch: &Patch, after: &Content) -> Result<u32, Refusal> {
    const BESIDE: usize = 24;
    let mut highest = 0;
    for (name, change) in patch.parts() {
        let Some(blob) = after.read(name)?.filter(|_| name.as_str().ends_with(".xml")) else { continue };
        match change {
            PartChange::Put(_) | PartChange::Remove => highest = highest.max(highest_id([&*blob.bytes()])),
            PartChange::Splices(splices) => {
                let (mut added, mut removed) = (0, 0);
                for splice in splices {
                    let start = splice.range.start + added - removed;
                    let end = start + splice.with.len();
                    let beside = start.saturating_sub(BESIDE)..end.saturating_add(BESIDE).min(blob.len());
                    highest = highest.max(highest_id([&*blob.slice(beside)]));
                    added += splice.with.len();
                    removed += splice.range.len();
                }
            }
        }
    }
    Ok(highest)
}

fn read_part(content: &Content, name: &PartName, spellings: &mut Spellings) -> Result<Part, Refusal> {
    Part::read(name.clone(), existing(content, name)?, spellings)
}

fn existing(content: &Content, name: &PartName) -> Result<Blob, Refusal> {
    content.read(name)?.ok_or_else(|| Refusal::Corrupt {
        what: "the file".to_owned(),
        why: format!("the part {name} is missing"),
    })
}

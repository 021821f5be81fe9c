//! Pages of a document, for readers who pay by the word.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use edit::{Cut, OrEmpty, Refusal};
use serde::Serialize;

use crate::document::ids::ParagraphId;
use crate::document::index::{BoxKind, flag};
use crate::document::layout::Story;
use crate::document::look::{Looks, is_on_colour, is_white};
use crate::document::numbering::Numbered;
use crate::document::paragraph::{Atom, AtomKind, Paragraph, PieceKind, Side, Text};
use crate::document::props::{RunProps, Toggle};
use crate::document::style::Resolved;
use crate::document::tables::{Grid, Table, table};
use crate::document::view::{Place, View};
use crate::text::header::{self, Header, HeaderFormatting};
use crate::text::quotation::{marker, shown_text, text_hash};

mod render;

#[cfg(test)]
mod tests;

pub(crate) use render::unescape;
pub use render::{simple, toon};

/// Tokens that a page holds unless told otherwise.
pub const BUDGET: usize = 14_000;

/// What to read.
#[derive(Debug, Clone)]
pub struct Request {
    pub stories: Stories,
    /// From 1; from the end if negative; 0 is the start.
    pub offset: i64,
    /// Paragraphs at most.
    pub limit: Option<usize>,
    /// These paragraphs and no others, in this order. Offset, limit and stories then do not count.
    pub ids: Vec<ParagraphId>,
    pub side: Side,
    pub show_formatting: bool,
    /// Tokens at most; the first paragraph comes whatever it costs.
    pub budget: usize,
}

/// Which texts of the document a page runs through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stories {
    #[default]
    Body,
    One(Story),
    All,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            stories: Stories::Body,
            offset: 0,
            limit: None,
            ids: Vec::new(),
            side: Side::Final,
            show_formatting: false,
            budget: BUDGET,
        }
    }
}

/// One paragraph as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    pub id: ParagraphId,
    pub list_label: String,
    pub header: String,
    /// The header as the paragraph has it, with its stop.
    #[serde(skip)]
    pub opening: String,
    pub style: String,
    pub text: String,
    /// For an edit that is to be refused once the paragraph says something else.
    pub text_hash: String,
    pub style_fingerprint: String,
    /// The name of the Word style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word_style: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_formatting: Option<HeaderFormatting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbering: Option<NumberingFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Grid>,
    /// `body`, `header1`, `footnotes`, …
    pub story: String,
    /// Its number in the story, from 1.
    pub index: usize,
    /// Whether the paragraph as a whole is an insertion or a deletion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<ParagraphRevision>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NumberingFacts {
    #[serde(rename = "numId")]
    pub num: i64,
    #[serde(rename = "ilvl")]
    pub level: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ParagraphRevision {
    Inserted,
    Deleted,
}

/// Something in the text that people do not see and models do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    HiddenText,
    WhiteText,
    TinyText,
    InvisibleCharacters,
    BidiControls,
}

impl Warning {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HiddenText => "hidden text",
            Self::WhiteText => "white text on white",
            Self::TinyText => "text too small to read",
            Self::InvisibleCharacters => "invisible characters",
            Self::BidiControls => "characters that change the direction of text",
        }
    }
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Page {
    pub nodes: Vec<Node>,
    pub total_paragraphs: usize,
    pub has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Footnotes, endnotes and comments that the text of this page refers to, by their marks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteText>,
    /// Tables on this page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableFacts>,
    /// Other texts of the document that have something to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_stories: Vec<StoryFacts>,
    /// Whether there is text that is not shown, because Word takes it from another file or web page in the package
    /// once it opens the document. Told behind the last paragraph.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub imports: bool,
    /// Whether the document has tracked changes.
    pub tracked_changes: bool,
    /// The side that was read.
    #[serde(skip)]
    pub side: Side,
    /// Whether it goes on to the end of what was asked for, rather than being some paragraphs that were named.
    #[serde(skip)]
    pub is_last: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteText {
    /// `[^1]`, `[^ei]` or `[c3]`.
    pub mark: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    pub id: Option<ParagraphId>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableFacts {
    pub id: crate::document::tables::TableId,
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryFacts {
    pub story: String,
    pub paragraphs: usize,
}

impl View {
    /// Reads a page.
    pub fn page(&self, request: &Request) -> Result<Page, Refusal> {
        let places = self.requested(request)?;
        let total = places.len();
        let from = match (request.ids.is_empty(), request.offset) {
            (false, _) | (_, 0) => 0,
            (_, offset @ 1..) => usize::try_from(offset).unwrap_or(usize::MAX) - 1,
            (_, offset) => total.saturating_sub(usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX)),
        };
        let from = from.min(total);
        let limit = if request.ids.is_empty() { request.limit.unwrap_or(usize::MAX) } else { usize::MAX };
        let mut reader = Reader::new(self, request.side, request.show_formatting);
        let mut page = Page {
            nodes: Vec::new(),
            total_paragraphs: if request.ids.is_empty() { total } else { self.body().count() },
            has_more: false,
            next_offset: None,
            notes: Vec::new(),
            tables: Vec::new(),
            other_stories: Vec::new(),
            imports: false,
            tracked_changes: self.has_revisions(),
            side: request.side,
            is_last: false,
        };
        let (mut spent, mut taken) = (0usize, 0usize);
        for place in places.left(from) {
            if taken >= limit {
                break;
            }
            if let Some((node, cost)) = reader.node(*place)? {
                if !page.nodes.is_empty() && spent + cost > request.budget {
                    break;
                }
                spent += cost;
                page.nodes.push(node);
            }
            taken += 1;
        }
        let end = from + taken;
        page.has_more = end < total;
        page.next_offset = page.has_more.then_some(end + 1);
        page.tables = reader.table_facts(&page.nodes);
        page.notes = reader.note_texts()?;
        page.other_stories = self.other_stories(request.stories);
        page.is_last = !page.has_more && request.ids.is_empty();
        page.imports = page.is_last && self.imports();
        Ok(page)
    }

    fn imports(&self) -> bool {
        let mut boxes = self.parts().iter().flat_map(|part| part.boxes.iter());
        boxes.any(|block| block.kind == BoxKind::Foreign)
    }

    fn requested(&self, request: &Request) -> Result<Vec<Place>, Refusal> {
        if !request.ids.is_empty() {
            return request.ids.iter().map(|id| self.find(*id)).collect();
        }
        Ok(self.places_of(request.stories))
    }

    /// The paragraphs of some stories; separators of notes are no text and left out.
    pub(crate) fn places_of(&self, stories: Stories) -> Vec<Place> {
        let readable = |place: &Place| !self.owner(*place).is_some_and(|owner| owner.special);
        match stories {
            Stories::Body => self.body().collect(),
            Stories::One(story) => self.story(story).filter(readable).collect(),
            Stories::All => {
                let others = self.places().filter(|place| place.part > 0).filter(readable);
                self.body().chain(others).collect()
            }
        }
    }

    fn has_revisions(&self) -> bool {
        let mut known: Vec<Option<bool>> = vec![None; self.spellings().len()];
        let mut spelled = |number: u32| {
            let slot = known.get_mut(number as usize);
            slot.is_some_and(|slot| *slot.get_or_insert_with(|| self.spelled_with_revision(number)))
        };
        self.parts().iter().any(|part| {
            part.paragraphs.flags.iter().any(|flags| flags & flag::REVISION != 0)
                || part.paragraphs.properties.iter().any(&mut spelled)
        })
    }

    fn other_stories(&self, shown: Stories) -> Vec<StoryFacts> {
        let shown = match shown {
            Stories::All => return Vec::new(),
            Stories::Body => Story::Body,
            Stories::One(story) => story,
        };
        let stories = self.layout().stories.iter().enumerate().filter(|(_, (story, _))| *story != shown);
        stories
            .map(|(number, (story, _))| {
                let places = self.places().filter(|place| place.part == number as u32);
                let paragraphs = match story {
                    Story::Footnotes | Story::Endnotes => {
                        places.filter(|place| !self.owner(*place).is_some_and(|owner| owner.special)).count()
                    }
                    _ => places.count(),
                };
                StoryFacts { story: story.to_string(), paragraphs }
            })
            .filter(|facts| facts.paragraphs > 0)
            .collect()
    }
}

/// What a paragraph says once every change is accepted, with tags for formatting that is not its paragraph's.
pub(crate) fn formatted(view: &View, place: Place) -> Result<String, Refusal> {
    let mut reader = Reader::new(view, Side::Final, true);
    let paragraph = view.paragraph(place)?;
    let (text, resolved) = (paragraph.text(Side::Final), reader.looks.paragraph(place));
    Ok(reader.shown(&resolved, &paragraph, &text, 0, (false, false)))
}

/// How the end of a paragraph changed, where its text does not tell: it was divided here, or joined with the next.
fn pilcrow(paragraph: &Paragraph, text: &Text) -> Option<render::Change> {
    let told = |side| paragraph.vanishes(side) && !text.pieces.is_empty();
    match &paragraph.mark {
        mark if mark.deleted.is_some() => (!told(Side::Final)).then_some(render::Change::Deleted),
        mark if mark.inserted.is_some() => (!told(Side::Original)).then_some(render::Change::Inserted),
        _ => None,
    }
}

struct Reader<'v> {
    view: &'v View,
    looks: Looks<'v>,
    side: Side,
    show_formatting: bool,
    tables: HashMap<(u32, u32), Option<Table>>,
    /// Notes and comments that were referred to, by mark.
    seen: BTreeMap<(u8, usize), (String, AtomKind)>,
}

impl<'v> Reader<'v> {
    fn new(view: &'v View, side: Side, show_formatting: bool) -> Self {
        let seen = BTreeMap::new();
        Self { view, looks: Looks::new(view), side, show_formatting, tables: HashMap::new(), seen }
    }

    /// The row of a paragraph and what it costs; none if a reader of this side finds it gone.
    fn node(&mut self, place: Place) -> Result<Option<(Node, usize)>, Refusal> {
        let view = self.view;
        let paragraph = view.paragraph(place)?;
        let Some(part) = view.part(place) else { return Ok(None) };
        let (row_inserted, row_deleted) = view.row_fate(part, place.index as usize);
        if view.is_row_gone(place, self.side) || paragraph.vanishes(self.side) {
            return Ok(None);
        }
        let resolved = self.looks.paragraph(place);
        let (mut marks, side) = (Vec::new(), self.side);
        let text = paragraph.text_with(side, |atom| {
            let (key, mark) = marker(view, &paragraph, atom, side)?;
            if let Some(key) = key {
                marks.push((key, (mark.clone(), atom.kind.clone())));
            }
            Some(mark)
        });
        self.seen.extend(marks);
        let rows = (row_inserted, row_deleted);
        let found = header::find(&mut self.looks, &resolved, &paragraph, &text, 0)
            .and_then(|header| Some((self.change_of(&header, &paragraph, &text, rows)?, header)));
        let strip = found.as_ref().map_or(0, |(_, header)| header.range.end);
        let shown = self.shown(&resolved, &paragraph, &text, strip, rows);
        let warnings = self.warnings(place, &resolved, &paragraph, &text);
        let (fingerprint, role) = self.looks.fingerprint(place);
        let style = view.registry().name(fingerprint).unwrap_or(&role).to_owned();
        let named = resolved.style.as_deref().and_then(|id| view.styles().get(id));
        let numbered = view.numbered(place);
        let deleted = row_deleted || paragraph.mark.deleted.is_some() && paragraph.vanishes(Side::Final);
        let inserted =
            row_inserted || paragraph.mark.inserted.is_some() && paragraph.vanishes(Side::Original);
        let node = Node {
            id: view.id(place),
            list_label: self.label(place),
            header_formatting: found.as_ref().map(|(_, header)| header.formatting),
            opening: found.as_ref().map(|(change, header)| change.mark(&header.opening)).or_empty(),
            header: found.map(|(change, header)| change.mark(&header.text)).or_empty(),
            style,
            text: shown,
            text_hash: text_hash(&shown_text(view, &paragraph).text),
            style_fingerprint: fingerprint.to_string(),
            word_style: named.map(|style| style.name.clone()),
            numbering: numbered.map(|Numbered { num, level }| NumberingFacts { num, level }),
            cell: self.grid(place),
            story: view.story_of(place).to_string(),
            index: place.index as usize + 1,
            revision: match (deleted, inserted) {
                (true, _) => Some(ParagraphRevision::Deleted),
                (_, true) => Some(ParagraphRevision::Inserted),
                _ => None,
            },
            warnings,
        };
        let columns = [&node.list_label, &node.header, &node.style, &node.text];
        let cost = columns.iter().map(|column| tokens(column)).sum::<usize>() + 10;
        Ok(Some((node, cost)))
    }

    fn label(&self, place: Place) -> String {
        let label = self.view.label(place, self.side).or_empty();
        if !label.is_empty() {
            return label.to_owned();
        }
        // The first paragraph of a note or a comment is labelled with its mark.
        let Some(owner) = self.view.owner(place) else { return String::new() };
        let before = (place.index as usize)
            .checked_sub(1)
            .map(|index| Place { part: place.part, index: index as u32 });
        if before.and_then(|before| self.view.owner(before)).is_some_and(|before| before == owner) {
            return String::new();
        }
        let numbers = self.view.note_numbers();
        match owner.kind {
            crate::BoxKind::Footnote => numbers.footnote(&owner.id).map(|note| format!("[^{}]", note.mark)),
            crate::BoxKind::Endnote => numbers.endnote(&owner.id).map(|note| format!("[^e{}]", note.mark)),
            crate::BoxKind::Comment => Some(format!("[c{}]", owner.id)),
            _ => None,
        }
        .unwrap_or_default()
    }

    fn grid(&mut self, place: Place) -> Option<Grid> {
        let part = self.view.part(place)?;
        let boxed = self.view.table_box(place)?;
        let found = self.tables.entry((place.part, boxed)).or_insert_with(|| table(part, boxed));
        let found = found.as_ref()?;
        let (row, at) = self.view.cell_of(place, found)?;
        let cell = found.rows.get(row)?.cells.get(at)?;
        Some(Grid { table: found.id, row: row + 1, column: cell.column + 1 })
    }

    /// The text from `strip` on, with marks for changes and, if wanted, tags for formatting.
    fn shown(
        &mut self,
        resolved: &Arc<Resolved>,
        paragraph: &Paragraph,
        text: &Text,
        strip: usize,
        (row_inserted, row_deleted): (bool, bool),
    ) -> String {
        let redline = self.side == Side::Redline;
        let pilcrow = pilcrow(paragraph, text).filter(|_| redline);
        let has_changes = redline
            && (row_inserted
                || row_deleted
                || paragraph.atoms.iter().any(|atom| atom.inserted || atom.deleted))
            || pilcrow.is_some();
        if !self.show_formatting && !has_changes {
            // A mark inside the header would be lost with it.
            let marks = text
                .pieces
                .iter()
                .filter(|piece| piece.kind == PieceKind::Marker && piece.range.end <= strip);
            let kept = marks.filter_map(|piece| text.text.get(piece.range.clone()));
            return kept.chain(text.text.get(strip..)).collect();
        }
        let base = self.looks.run(resolved, b"");
        let mut out = render::Tagged::default();
        for piece in &text.pieces {
            let from = piece.range.start.max(strip).min(piece.range.end);
            let keep = if piece.kind == PieceKind::Marker { piece.range.start } else { from };
            let Some(said) = text.text.get(keep..piece.range.end).filter(|said| !said.is_empty()) else {
                continue;
            };
            let Some(atom) = paragraph.atoms.get(piece.atom) else { continue };
            let tags = match self.show_formatting && piece.kind != PieceKind::Marker {
                true => {
                    let run = self.run_of(resolved, paragraph, atom);
                    render::tags(&base, &run)
                }
                false => Vec::new(),
            };
            let change = self.change(atom, (row_inserted, row_deleted));
            match self.show_formatting {
                true => out.push(&render::literal(said), change, tags),
                false => out.push(said, change, tags),
            }
        }
        if let Some(change) = pilcrow {
            out.push("\u{B6}", change, Vec::new());
        }
        out.finish()
    }

    /// How a redline marks the header. One that changed in part has no column of its own: its marks stand in the text.
    fn change_of(
        &self,
        header: &Header,
        paragraph: &Paragraph,
        text: &Text,
        rows: (bool, bool),
    ) -> Option<render::Change> {
        let pieces = text.pieces.iter().filter(|piece| {
            piece.kind != PieceKind::Marker && piece.range.start < header.opening_end(&text.text)
        });
        let atoms = pieces.filter_map(|piece| paragraph.atoms.get(piece.atom));
        let mut changes = atoms.map(|atom| self.change(atom, rows));
        let first = changes.next()?;
        changes.all(|change| change == first).then_some(first)
    }

    fn change(&self, atom: &Atom, (row_inserted, row_deleted): (bool, bool)) -> render::Change {
        let redline = self.side == Side::Redline;
        match (redline, atom.deleted || row_deleted, atom.inserted || row_inserted) {
            (true, true, _) => render::Change::Deleted,
            (true, _, true) => render::Change::Inserted,
            _ => render::Change::None,
        }
    }

    fn run_of(&mut self, resolved: &Arc<Resolved>, paragraph: &Paragraph, atom: &Atom) -> Arc<RunProps> {
        let run = atom.run.and_then(|run| paragraph.runs.get(run));
        let properties = run.and_then(|run| run.properties.clone());
        self.looks.run(resolved, properties.map_or(&[][..], |span| paragraph.bytes(span)))
    }

    fn warnings(
        &mut self,
        place: Place,
        resolved: &Arc<Resolved>,
        paragraph: &Paragraph,
        text: &Text,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let add = |warnings: &mut Vec<Warning>, warning: Warning| {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        };
        for piece in text.pieces.iter().filter(|piece| piece.kind == PieceKind::Characters) {
            let said = text.text.part(piece.range.clone());
            let Some(atom) = paragraph.atoms.get(piece.atom).filter(|_| !said.trim().is_empty()) else {
                continue;
            };
            let run = self.run_of(resolved, paragraph, atom);
            if run.is(Toggle::Hidden) {
                add(&mut warnings, Warning::HiddenText);
            }
            if is_white(&run)
                && !warnings.contains(&Warning::WhiteText)
                && !is_on_colour(self.view, place, resolved)
            {
                add(&mut warnings, Warning::WhiteText);
            }
            if run.size.is_some_and(|size| size <= 2) {
                add(&mut warnings, Warning::TinyText);
            }
        }
        for character in text.text.chars().filter(|character| !character.is_ascii()) {
            match character {
                '\u{200B}'
                | '\u{2060}'..='\u{2064}'
                | '\u{FEFF}'
                | '\u{180E}'
                | '\u{E0000}'..='\u{E007F}' => {
                    add(&mut warnings, Warning::InvisibleCharacters);
                }
                '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                    add(&mut warnings, Warning::BidiControls)
                }
                _ => {}
            }
        }
        warnings
    }

    fn table_facts(&self, nodes: &[Node]) -> Vec<TableFacts> {
        let mut facts: Vec<TableFacts> = Vec::new();
        for grid in nodes.iter().filter_map(|node| node.cell) {
            if facts.iter().any(|known| known.id == grid.table) {
                continue;
            }
            let tables = self.tables.values().flatten();
            if let Some(table) = tables.clone().find(|table| table.id == grid.table) {
                let (id, rows, columns, depth) = (table.id, table.rows.len(), table.columns, table.depth);
                facts.push(TableFacts { id, rows, columns, depth });
            }
        }
        facts
    }

    fn note_texts(&mut self) -> Result<Vec<NoteText>, Refusal> {
        let mut notes = Vec::new();
        if self.seen.is_empty() {
            return Ok(notes);
        }
        let mut comments = None;
        for (mark, kind) in std::mem::take(&mut self.seen).into_values() {
            let (story, id) = match &kind {
                AtomKind::FootnoteReference { id, .. } => (Story::Footnotes, id),
                AtomKind::EndnoteReference { id, .. } => (Story::Endnotes, id),
                AtomKind::CommentReference { id } => {
                    let comments = match &comments {
                        Some(known) => known,
                        None => comments.insert(self.view.comments()?),
                    };
                    if let Some(comment) = comments.iter().find(|comment| comment.id == *id) {
                        notes.push(NoteText {
                            mark,
                            author: Some(comment.author.clone()),
                            id: comment.places.first().map(|place| self.view.id(*place)),
                            text: comment.text.clone(),
                        });
                    }
                    continue;
                }
                _ => continue,
            };
            let places = self.view.story(story);
            let own: Vec<Place> =
                places.filter(|place| self.view.owner(*place).is_some_and(|owner| owner.id == *id)).collect();
            let mut text = Vec::with_capacity(own.len());
            for place in &own {
                let (paragraph, resolved) = (self.view.paragraph(*place)?, self.looks.paragraph(*place));
                let said = paragraph.text(self.side);
                let shown = self.shown(&resolved, &paragraph, &said, 0, (false, false));
                text.push(shown.trim_start().to_owned());
            }
            let first = own.first().map(|place| self.view.id(*place));
            notes.push(NoteText { mark, author: None, id: first, text: text.join("\n") });
        }
        Ok(notes)
    }
}

/// Roughly what a text costs a model: four ASCII characters, or one other, make a token.
pub(crate) fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().count() - ascii;
    ascii.div_ceil(4) + others
}

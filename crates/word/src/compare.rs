//! Two documents as one, whose tracked changes make the second of the first.
//!
//! Paragraphs are matched by what they say; those that say nearly the same are rewritten word by word, the others come
//! and go, and those that only changed their place are moved. Accepting all of it gives what the revised document says,
//! rejecting all of it the original. What cannot be shown that way is told, with the paragraphs where it stands.

mod carrier;
mod heads;
mod left;
mod loom;
mod moves;
mod outline;
mod report;
mod strands;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Cut, Refusal, Stop};
use serde::{Deserialize, Serialize};

use crate::document::layout::Story;
use crate::document::notes::Owner;
use crate::document::paragraph::AtomKind;
use crate::document::view::{Place, View};
use crate::edits::marks::survivors;
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::redline::STAMP;
use crate::edits::run_siblings::{Sibling, siblings};
use crate::edits::running::shown_by_sections;
use crate::edits::{Difference, Markup, NoteKind, Redline, RedlinedPart};
use crate::text::tokens::{compare as diff, is_word, tokens};
use crate::vocabulary::Edit;
use carrier::{Carrier, NewMark, Speech, holds_section, in_text_box};
use heads::{Head, MarkChange};
use left::Left;
use loom::{Going, cut_all, weave};
use moves::Moves;
use outline::{Item, Row, Table, outline};
use report::{Told, boxed, texts};
use strands::Cloth;

/// What it takes to make one document say what another says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    pub edits: Vec<Edit>,
    /// What differs and stays as it is, each kind once, with the paragraphs where it stands.
    pub left: Vec<String>,
}

/// Whether words and paragraphs that only look different count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formatting {
    /// What stays keeps the look that it has in the original.
    #[default]
    Kept,
    Compared,
}

/// Finds the edit on `original` that makes it say what `revised` says.
pub fn compare(
    original: &View,
    revised: &View,
    markup: Markup,
    formatting: Formatting,
    stop: &Stop,
) -> Result<Comparison, Refusal> {
    let (old, new) = (Speech::of(original)?, Speech::of(revised)?);
    let carrier = Carrier { original, revised, old, new, markup };
    let mut weaver = Weaver {
        carrier: &carrier,
        stop,
        formatting,
        splices: BTreeMap::new(),
        heads: BTreeMap::new(),
        left: Left::default(),
        notes: Vec::new(),
        moves: Moves::default(),
        differences: Vec::new(),
    };
    weaver.body()?;
    weaver.text_boxes()?;
    weaver.running()?;
    weaver.notes()?;
    let comments = |view: &View| texts(view, view.story(Story::Comments));
    if texts_of(&comments(original)?).ne(texts_of(&comments(revised)?)) {
        weaver.left.name("comments");
    }
    stop.check()?;
    weaver.finish()
}

fn texts_of(told: &[Told]) -> impl Iterator<Item = &str> {
    told.iter().map(|told| told.text.as_str())
}

struct Weaver<'a> {
    carrier: &'a Carrier<'a>,
    /// Once it is asked, the rest is left out; nobody will see it.
    stop: &'a Stop,
    formatting: Formatting,
    splices: BTreeMap<u32, Vec<(Range<usize>, String)>>,
    /// What becomes of the marks and looks of paragraphs.
    heads: BTreeMap<Place, Head>,
    left: Left,
    /// Notes whose references stand in both documents.
    notes: Vec<(NoteKind, String, String)>,
    moves: Moves,
    differences: Vec<Difference>,
}

/// Bytes where blocks may be put: the number of the part, and the offset.
type Gap = (u32, usize);

impl Weaver<'_> {
    fn body(&mut self) -> Result<(), Refusal> {
        let (original, revised) = (self.carrier.original, self.carrier.revised);
        let said = |view: &View| texts(view, view.body().filter(|place| !in_text_box(view, *place)));
        let old = outline(original, said(original)?);
        let new = outline(revised, said(revised)?);
        let home = match old.is_empty() {
            true => Some((0, start_of_body(original)?)),
            false => None,
        };
        if self.carrier.markup == Markup::Tracked {
            self.moves = Moves::find(&old, &new);
        }
        self.items(&old, &new, home)
    }

    fn text_boxes(&mut self) -> Result<(), Refusal> {
        let said = |view: &View| texts(view, view.places().filter(|place| in_text_box(view, *place)));
        let (old, new) = (said(self.carrier.original)?, said(self.carrier.revised)?);
        if texts_of(&old).eq(texts_of(&new)) {
            return Ok(());
        }
        let differs = old.len() != new.len();
        for (old, new) in old.iter().zip(&new).filter(|(old, new)| old.text != new.text) {
            match (self.carrier.markup, old.first()) {
                (Markup::Plain, _) if !differs => self.rewrite(old, new)?,
                (_, Some(place)) => self.left.add("text boxes", self.carrier.original, place),
                (_, None) => {}
            }
        }
        if differs {
            self.left.name("text boxes");
        }
        Ok(())
    }

    /// Headers and footers are the same where they stand on the same pages of the same section.
    fn running(&mut self) -> Result<(), Refusal> {
        let (original, revised) = (self.carrier.original, self.carrier.revised);
        let (old, new) = (shown_by_sections(original)?, shown_by_sections(revised)?);
        if old.len() != new.len() {
            self.left.name("the number of sections");
        }
        let mut pairs = BTreeMap::new();
        for (index, (old, new)) in old.iter().zip(&new).enumerate() {
            let all: BTreeSet<_> = old.keys().chain(new.keys()).collect();
            for (edge, pages) in all {
                let which = || format!("the {} {} of section {}", pages.name(), edge.name(), index + 1);
                let (old, new) = (old.get(&(*edge, *pages)), new.get(&(*edge, *pages)));
                let said = |view: &View, part| -> Result<bool, Refusal> {
                    Ok(part_texts(view, part)?.iter().any(|told| !told.text.is_empty()))
                };
                match (old, new) {
                    (Some(old), Some(new)) => match pairs.insert(old.clone(), new.clone()) {
                        None => self.part_items(old, new)?,
                        Some(before) if before == *new => {}
                        Some(before) => {
                            let differ = texts_of(&part_texts(revised, &before)?)
                                .ne(texts_of(&part_texts(revised, new)?));
                            if differ {
                                self.left.name(&which());
                            }
                        }
                    },
                    (Some(part), None) if said(original, part)? => self.left.name(&which()),
                    (None, Some(part)) if said(revised, part)? => self.left.name(&which()),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn part_items(&mut self, old: &edit::PartName, new: &edit::PartName) -> Result<(), Refusal> {
        let (original, revised) = (self.carrier.original, self.carrier.revised);
        let (old, new) = (part_texts(original, old)?, part_texts(revised, new)?);
        self.items(&outline(original, old), &outline(revised, new), None)
    }

    /// Notes are the same where their references are.
    fn notes(&mut self) -> Result<(), Refusal> {
        let (original, revised) = (self.carrier.original, self.carrier.revised);
        for (kind, old, new) in std::mem::take(&mut self.notes) {
            let story = match kind {
                NoteKind::Footnote => Story::Footnotes,
                NoteKind::Endnote => Story::Endnotes,
            };
            let said = |view: &View, id: &str| {
                let inside = |place: &Place| view.owner(*place).is_some_and(|owner: Owner| owner.id == id);
                texts(view, view.story(story).filter(inside))
            };
            let (old, new) = (said(original, &old)?, said(revised, &new)?);
            self.items(&outline(original, old), &outline(revised, new), None)?;
        }
        Ok(())
    }

    /// Paragraphs and tables that stand in one place of both documents: the body, a cell, a note.
    fn items(&mut self, old: &[Item], new: &[Item], home: Option<Gap>) -> Result<(), Refusal> {
        let keys = |items: &[Item]| -> Vec<Cow<'static, str>> {
            items.iter().map(|item| Cow::Owned(item.key())).collect()
        };
        for hunk in diff(&keys(old), &keys(new)) {
            let after = new.cut(hunk.new)?;
            if !hunk.same {
                self.replace(old, hunk.old, after, home)?;
                continue;
            }
            for (old, new) in old.cut(hunk.old)?.iter().zip(after) {
                self.unchanged(old, new)?;
            }
        }
        Ok(())
    }

    /// What is said is the same; notes hang on it, and it may look different.
    fn unchanged(&mut self, old: &Item, new: &Item) -> Result<(), Refusal> {
        match (old, new) {
            (Item::Paragraph(old), Item::Paragraph(new))
                if self.formatting == Formatting::Compared || old.key.contains('\u{4}') =>
            {
                self.rewrite(old, new)?;
            }
            (Item::Table(old), Item::Table(new)) => {
                for (old, new) in old.rows.iter().zip(&new.rows) {
                    for (old, new) in old.cells.iter().zip(&new.cells) {
                        for (old, new) in old.items.iter().zip(&new.items) {
                            self.unchanged(old, new)?;
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes `after` of the items `range` of `old`.
    fn replace(
        &mut self,
        old: &[Item],
        range: Range<usize>,
        after: &[Item],
        home: Option<Gap>,
    ) -> Result<(), Refusal> {
        let mut waiting = after.iter().peekable();
        let mut gone: Vec<usize> = Vec::new();
        for index in range.clone() {
            if self.stop.is_asked() {
                return Ok(());
            }
            let Some(item) = old.get(index) else { continue };
            let left = range.end - index;
            let moved = self.moves.goes(item);
            let alike = |candidate: &Item| are_alike(item, candidate) && !self.moves.comes(candidate);
            let twin = if moved { None } else { twin(&waiting, left, alike) };
            if let Some(skipped) = twin {
                let new: Vec<&Item> = waiting.by_ref().take(skipped).collect();
                self.insert(old, index, &new, home)?;
                if let Some(new) = waiting.next() {
                    self.rewrite_item(item, new)?;
                }
                continue;
            }
            let paragraph = |item: &Item| item.paragraph().is_some();
            // The last one becomes another text rather than going: a story must not end without its mark.
            let moves = &self.moves;
            let last = |next: &&Item| {
                left == 1 && !moved && !moves.comes(next) && paragraph(item) && paragraph(next)
            };
            match waiting.next_if(last) {
                Some(new) => self.rewrite_item(item, new)?,
                None => gone.push(index),
            }
        }
        let rest: Vec<&Item> = waiting.collect();
        self.insert(old, range.end, &rest, home)?;
        self.delete(old, &gone)
    }

    fn rewrite_item(&mut self, old: &Item, new: &Item) -> Result<(), Refusal> {
        match (old, new) {
            (Item::Paragraph(old), Item::Paragraph(new)) => self.rewrite(old, new),
            (Item::Table(old), Item::Table(new)) => self.tables(old, new),
            _ => Ok(()),
        }
    }

    /// Weaves the words of a paragraph into those of another.
    fn rewrite(&mut self, old: &Told, new: &Told) -> Result<(), Refusal> {
        let before = Cloth::of(self.carrier.original, old.parts.iter().copied())?;
        let after = Cloth::of(self.carrier.revised, new.parts.iter().copied())?;
        let looks = self.formatting == Formatting::Compared;
        match weave(&before, &after, self.carrier, looks, &mut self.left) {
            Ok(woven) => {
                if !woven.splices.is_empty() {
                    self.tell(old.first(), &old.text, &new.text);
                }
                self.notes.extend(woven.notes);
                self.add(woven.splices);
            }
            Err(Refusal::Unsupported { .. }) => {
                if let Some(place) = old.first().filter(|_| old.key != new.key) {
                    self.left.add("phonetic guides", self.carrier.original, place);
                }
            }
            Err(refusal) => return Err(refusal),
        }
        if looks && let (Some(old), Some((place, paragraph))) = (old.last(), after.parts.last()) {
            let look = self.carrier.paragraph_look(*place, paragraph, old.part, &mut self.left)?;
            self.head(old).look = Some(look.formatting);
        }
        Ok(())
    }

    fn tell(&mut self, place: Option<Place>, before: &str, after: &str) {
        let paragraph = place.map(|place| self.carrier.original.id(place));
        let (before, after) = (before.to_owned(), after.to_owned());
        self.differences.push(Difference { paragraph, before, after });
    }

    fn add(&mut self, splices: Vec<(u32, Range<usize>, String)>) {
        for (part, range, with) in splices {
            self.splices.entry(part).or_default().push((range, with));
        }
    }

    fn head(&mut self, place: Place) -> &mut Head {
        self.heads.entry(place).or_default()
    }

    /// Inserts in front of the item `at` of `old`.
    fn insert(&mut self, old: &[Item], at: usize, new: &[&Item], home: Option<Gap>) -> Result<(), Refusal> {
        let Some(last) = new.last() else { return Ok(()) };
        let before = at.checked_sub(1).and_then(|before| old.get(before));
        let behind = before.and_then(|item| self.span_of(item)).map(|(part, span)| (part, span.end));
        let ahead = old.get(at).and_then(|item| self.span_of(item)).map(|(part, span)| (part, span.start));
        let Some((part, byte)) = behind.or(ahead).or(home) else {
            self.left.name("text for a story that has no paragraph");
            return Ok(());
        };
        let anchor = before.and_then(Item::paragraph).and_then(Told::last);
        let over = match anchor.filter(|_| last.paragraph().is_some()) {
            Some(anchor) if self.takes_over_mark(anchor)? => Some(anchor),
            _ => None,
        };
        let mut bytes = String::new();
        for (index, item) in new.iter().enumerate() {
            let formatting = match over.filter(|_| index + 1 == new.len()) {
                Some(anchor) => {
                    self.head(anchor).mark = Some(MarkChange::Inserted);
                    Some(heads::formatting_of(self.carrier.original, anchor)?)
                }
                None => None,
            };
            match item {
                Item::Paragraph(told) => {
                    let cloth = Cloth::of(self.carrier.revised, told.parts.iter().copied())?;
                    let moved = self.moves.number_of_new(told).filter(|_| over.is_none());
                    let mark = match (&formatting, moved) {
                        (Some(formatting), _) => NewMark::TakenOver { formatting },
                        (None, Some(_)) => NewMark::Moved,
                        (None, None) => NewMark::Inserted,
                    };
                    let paragraph = self.carrier.paragraph(&cloth, part, mark, &mut self.left)?;
                    let (_, dialect) = self.carrier.old.part(part)?;
                    bytes.push_str(&match moved {
                        Some(number) => moves::arrived(number, &paragraph, dialect),
                        None => paragraph,
                    });
                }
                Item::Table(table) => {
                    let known = self.carrier.revised.parts().get(table.part as usize);
                    let known = known.ok_or_else(|| Refusal::internal("a table of another document"))?;
                    let table = self.carrier.blocks(known, table.part, table.boxed, part, &mut self.left)?;
                    bytes.push_str(&table);
                }
            }
            self.tell(None, "", &item.text());
        }
        self.add(vec![(part, byte..byte, bytes)]);
        Ok(())
    }

    /// Whether what is inserted behind a paragraph has to take over its mark: nothing follows that a rejected
    /// paragraph could be joined with.
    fn takes_over_mark(&self, place: Place) -> Result<bool, Refusal> {
        if self.carrier.markup == Markup::Plain {
            return Ok(false);
        }
        let paragraph = self.carrier.original.paragraph(place)?;
        let mark = &paragraph.mark;
        let free = mark.inserted.is_none() && mark.deleted.is_none() && !holds_section(&paragraph);
        Ok(free && !self.is_followed(place))
    }

    /// Whether a paragraph stands directly behind another.
    fn is_followed(&self, place: Place) -> bool {
        let part = self.carrier.original.part(place);
        part.is_some_and(|part| siblings(part, place.index as usize).after == Sibling::Paragraph)
    }

    /// Where an item stands.
    fn span_of(&self, item: &Item) -> Option<(u32, Range<usize>)> {
        let original = self.carrier.original;
        match item {
            Item::Paragraph(told) => {
                let (first, last) = (told.first()?, told.last()?);
                Some((first.part, original.span(first).start..original.span(last).end))
            }
            Item::Table(table) => {
                let block = original.parts().get(table.part as usize)?.bounds(table.boxed)?;
                Some((table.part, block.start as usize..block.end as usize))
            }
        }
    }

    fn delete(&mut self, old: &[Item], gone: &[usize]) -> Result<(), Refusal> {
        let mut rest = gone;
        while let Some(first) = rest.first() {
            let Some(Item::Paragraph(_)) = old.get(*first) else {
                if let Some(Item::Table(table)) = old.get(*first) {
                    self.delete_table(table)?;
                }
                rest = rest.cut(1..)?;
                continue;
            };
            let together = rest.iter().zip(*first..).take_while(|(index, wanted)| {
                *index == wanted && old.get(**index).is_some_and(|item| item.paragraph().is_some())
            });
            let count = together.count();
            self.delete_paragraphs(old, *first..*first + count)?;
            rest = rest.cut(count..)?;
        }
        Ok(())
    }

    fn delete_paragraphs(&mut self, old: &[Item], range: Range<usize>) -> Result<(), Refusal> {
        let original = self.carrier.original;
        let told: Vec<&Told> = old.cut(range.clone())?.iter().filter_map(Item::paragraph).collect();
        let places: Vec<Place> = told.iter().flat_map(|told| told.parts.iter().copied()).collect();
        let Some(last) = places.last().copied() else { return Ok(()) };
        let machinery = self.is_balanced(&places)?;
        let before = range.start.checked_sub(1).and_then(|before| old.get(before)?.paragraph()?.last());
        let before = before.filter(|before| boxed(original, *before) == boxed(original, last));
        let followed = self.is_followed(last);
        for told in told {
            self.tell(told.first(), &told.text, "");
            let moved = self.moves.number_of_old(told).filter(|_| followed);
            for place in &told.parts {
                let stays = *place == last && !followed && before.is_none();
                self.delete_paragraph(*place, machinery, moved, stays)?;
                if *place == last
                    && !followed
                    && let Some(before) = before
                {
                    // The text goes into the paragraph before it, and the last mark stays the last.
                    self.head(*place).mark = None;
                    let ended = self.is_ended(before)?;
                    if ended && holds_section(&original.paragraph(before)?) {
                        // A section has to have a paragraph.
                        self.left.add("paragraphs that have to stay, empty", original, *place);
                    }
                    if self.carrier.markup == Markup::Tracked && !ended {
                        self.head(before).mark = Some(MarkChange::Deleted);
                        self.head(*place).look = Some(heads::formatting_of(original, before)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a paragraph ends a section, or its mark goes already.
    fn is_ended(&self, place: Place) -> Result<bool, Refusal> {
        let paragraph = self.carrier.original.paragraph(place)?;
        Ok(holds_section(&paragraph) || paragraph.mark.deleted.is_some())
    }

    fn delete_paragraph(
        &mut self,
        place: Place,
        machinery: bool,
        moved: Option<usize>,
        stays: bool,
    ) -> Result<(), Refusal> {
        let original = self.carrier.original;
        let cloth = Cloth::of(original, std::iter::once(place))?;
        let Some((_, paragraph)) = cloth.parts.first() else { return Ok(()) };
        let section = holds_section(paragraph);
        let open =
            !machinery && paragraph.fields.iter().any(|field| field.begin.is_none() != field.end.is_none());
        if section {
            self.left.add("section breaks", original, place);
        }
        if self.carrier.markup == Markup::Plain && !section && !stays && !open {
            let opened = OpenParagraph::open(original, place)?;
            let with = survivors(&[opened.node()?]);
            self.add(vec![(place.part, paragraph.span.clone(), with)]);
            return Ok(());
        }
        let going = if moved.is_some() { Going::Moved } else { Going::Deleted };
        match cut_all(&cloth, self.carrier, going, machinery) {
            Ok(splices) => self.add(splices),
            Err(Refusal::Unsupported { .. }) => {
                self.left.add("phonetic guides", original, place);
                return Ok(());
            }
            Err(refusal) => return Err(refusal),
        }
        if stays && !cloth.strands.is_empty() {
            self.left.add("paragraphs that have to stay, empty", original, place);
        }
        if section || stays || self.carrier.markup == Markup::Plain || paragraph.mark.deleted.is_some() {
            return Ok(());
        }
        match moved {
            Some(number) => {
                let (_, dialect) = self.carrier.old.part(place.part)?;
                let [before, behind] = moves::departed(number, dialect);
                let Range { start, end } = paragraph.span;
                self.add(vec![(place.part, start..start, before), (place.part, end..end, behind)]);
                self.head(place).mark = Some(MarkChange::MovedFrom);
            }
            None => self.head(place).mark = Some(MarkChange::Deleted),
        }
        Ok(())
    }

    /// Whether all fields that begin in these paragraphs end in them, and the other way round.
    fn is_balanced(&self, places: &[Place]) -> Result<bool, Refusal> {
        let (mut depth, mut sound) = (0i64, true);
        for place in places {
            for atom in self.carrier.original.paragraph(*place)?.atoms.iter().filter(|atom| !atom.deleted) {
                match atom.kind {
                    AtomKind::FieldBegin => depth += 1,
                    AtomKind::FieldEnd => depth -= 1,
                    _ => {}
                }
                sound &= depth >= 0;
            }
        }
        Ok(sound && depth == 0)
    }

    fn delete_table(&mut self, table: &Table) -> Result<(), Refusal> {
        let original = self.carrier.original;
        let part = original.parts().get(table.part as usize);
        let block = part.and_then(|part| part.bounds(table.boxed));
        let block = block.ok_or_else(|| Refusal::internal("a table that is gone"))?;
        match self.carrier.markup {
            Markup::Plain => {
                let first = table.rows.iter().flat_map(Row::paragraphs).find_map(Told::first);
                let texts: Vec<String> = table.rows.iter().map(Row::text).collect();
                self.tell(first, &texts.join("\n"), "");
                self.add(vec![(table.part, block.start as usize..block.end as usize, String::new())]);
                Ok(())
            }
            Markup::Tracked => table.rows.iter().try_for_each(|row| self.delete_row(table, row)),
        }
    }

    fn delete_row(&mut self, table: &Table, row: &Row) -> Result<(), Refusal> {
        let original = self.carrier.original;
        let part = original.parts().get(table.part as usize);
        let part = part.ok_or_else(|| Refusal::internal("a table of another document"))?;
        let block = part.bounds(row.boxed).ok_or_else(|| Refusal::internal("a row that is gone"))?;
        self.tell(row.paragraphs().into_iter().find_map(Told::first), &row.text(), "");
        if self.carrier.markup == Markup::Plain {
            self.add(vec![(table.part, block.start as usize..block.end as usize, String::new())]);
            return Ok(());
        }
        let (_, dialect) = self.carrier.old.part(table.part)?;
        let del = format!("<{}del{STAMP}/>", dialect.element);
        let bytes = part.blob.slice(block.start as usize..block.end as usize);
        let (at, with) = heads::in_row(&bytes, &block, &del, dialect);
        self.add(vec![(table.part, at..at, with)]);
        for told in row.paragraphs() {
            for place in &told.parts {
                let cloth = Cloth::of(original, std::iter::once(*place))?;
                let machinery = self.is_balanced(&[*place])?;
                match cut_all(&cloth, self.carrier, Going::Deleted, machinery) {
                    Ok(splices) => self.add(splices),
                    // The row goes with all that it holds.
                    Err(Refusal::Unsupported { .. }) => {}
                    Err(refusal) => return Err(refusal),
                }
            }
        }
        Ok(())
    }

    /// Rows are matched as paragraphs are, by what they say.
    fn tables(&mut self, old: &Table, new: &Table) -> Result<(), Refusal> {
        let keys = |table: &Table| -> Vec<Cow<'static, str>> {
            table.rows.iter().map(|row| Cow::Owned(row.key())).collect()
        };
        for hunk in diff(&keys(old), &keys(new)) {
            let after = new.rows.cut(hunk.new)?;
            let before = hunk.old.clone();
            if hunk.same {
                for (old, new) in old.rows.cut(before)?.iter().zip(after) {
                    for (old, new) in old.cells.iter().zip(&new.cells) {
                        old.items
                            .iter()
                            .zip(&new.items)
                            .try_for_each(|(old, new)| self.unchanged(old, new))?;
                    }
                }
                continue;
            }
            let mut waiting = after.iter();
            for index in before.clone() {
                let Some(row) = old.rows.get(index) else { continue };
                let left = before.end - index;
                let text = row.text();
                let cells = row.cells.len();
                let twin =
                    twin(&waiting, left, |new| new.cells.len() == cells && is_alike(&text, &new.text()));
                // As many rows as there were are the same rows with other words.
                let next = waiting.clone().next().is_some_and(|next| next.cells.len() == cells);
                let twin = twin.or_else(|| (next && waiting.len() == left).then_some(0));
                match twin {
                    Some(skipped) => {
                        let come: Vec<&Row> = waiting.by_ref().take(skipped).collect();
                        self.insert_rows(old, index, new, &come)?;
                        if let Some(new) = waiting.next() {
                            for (old, new) in row.cells.iter().zip(&new.cells) {
                                self.items(&old.items, &new.items, None)?;
                            }
                        }
                    }
                    None => self.delete_row(old, row)?,
                }
            }
            let come: Vec<&Row> = waiting.collect();
            self.insert_rows(old, before.end, new, &come)?;
        }
        Ok(())
    }

    /// New rows in front of the row `at`.
    fn insert_rows(&mut self, old: &Table, at: usize, new: &Table, rows: &[&Row]) -> Result<(), Refusal> {
        if rows.is_empty() {
            return Ok(());
        }
        let part = self.carrier.original.parts().get(old.part as usize);
        let bounds = |row: usize| part?.bounds(old.rows.get(row)?.boxed);
        let behind = at.checked_sub(1).and_then(bounds).map(|block| block.end as usize);
        let byte = behind.or(bounds(at).map(|block| block.start as usize));
        let byte = byte.ok_or_else(|| Refusal::internal("a table without rows"))?;
        let known = self.carrier.revised.parts().get(new.part as usize);
        let known = known.ok_or_else(|| Refusal::internal("a table of another document"))?;
        let mut bytes = String::new();
        for row in rows {
            self.tell(None, "", &row.text());
            bytes.push_str(&self.carrier.blocks(known, new.part, row.boxed, old.part, &mut self.left)?);
        }
        self.add(vec![(old.part, byte..byte, bytes)]);
        Ok(())
    }

    fn finish(mut self) -> Result<Comparison, Refusal> {
        let original = self.carrier.original;
        let told: BTreeSet<_> = self.differences.iter().filter_map(|known| known.paragraph).collect();
        // Where the splices of a part stand that replace something.
        let mut known: BTreeMap<(u32, usize, usize), usize> = BTreeMap::new();
        for (part, splices) in &self.splices {
            let replacing = splices.iter().enumerate().filter(|(_, (range, _))| !range.is_empty());
            known.extend(replacing.map(|(index, (range, _))| ((*part, range.start, range.end), index)));
        }
        for (place, head) in std::mem::take(&mut self.heads) {
            let (_, dialect) = self.carrier.old.part(place.part)?;
            let Some((range, with)) = heads::splice(original, place, &head, self.carrier.markup, dialect)?
            else {
                continue;
            };
            if head.mark.is_none() && !told.contains(&original.id(place)) {
                let text = original.said(place)?;
                self.tell(Some(place), &text, &text);
            }
            let splices = self.splices.entry(place.part).or_default();
            // A paragraph that is one tag is opened once.
            let twin = known.get(&(place.part, range.start, range.end)).copied();
            match twin.and_then(|index| splices.get_mut(index)) {
                Some((_, known)) => {
                    let opened = with.rfind("</").map_or(with.as_str(), |end| with.part(..end));
                    *known = format!("{opened}{}", known.trim_start_matches('>'));
                }
                None => splices.push((range, with)),
            }
        }
        let mut parts = Vec::new();
        for (number, mut splices) in std::mem::take(&mut self.splices) {
            let part = original.parts().get(number as usize);
            let part = part.ok_or_else(|| Refusal::internal("a part that is gone"))?;
            splices.sort_by_key(|(range, _)| (range.start, range.end));
            let mut joined: Vec<(usize, usize, String)> = Vec::new();
            for (Range { start, end }, with) in splices {
                match joined.last_mut() {
                    Some((_, last, before)) if *last == start => {
                        *last = end;
                        before.push_str(&with);
                    }
                    _ => joined.push((start, end, with)),
                }
            }
            let hash = Some(RedlinedPart::hash_of(&part.blob.bytes()));
            parts.push(RedlinedPart { part: part.name.as_str().to_owned(), hash, splices: joined });
        }
        let (differences, markup) = (self.differences, self.carrier.markup);
        let edits = match parts.is_empty() {
            true => Vec::new(),
            false => vec![Edit::Redline(Redline { parts, differences, markup })],
        };
        Ok(Comparison { edits, left: self.left.lines() })
    }
}

/// What a header or footer says outside of text boxes.
fn part_texts(view: &View, name: &edit::PartName) -> Result<Vec<Told>, Refusal> {
    let story = view.layout().stories.iter().find(|(_, part)| part == name).map(|(story, _)| *story);
    match story {
        Some(story) => texts(view, view.story(story).filter(|place| !in_text_box(view, *place))),
        None => Ok(Vec::new()),
    }
}

/// Where the first paragraph of a document would stand that has none.
fn start_of_body(view: &View) -> Result<usize, Refusal> {
    let main = &view.layout().main;
    let document = ooxml::read_xml(view.content(), main)?;
    let body = document.root().elements().next();
    let body = body.filter(|body| !body.closes_itself()).map(|body| body.content_span().start);
    body.ok_or_else(|| Refusal::unsupported("comparing a document that has no body"))
}

/// So many are looked at in any case.
const FAR: usize = 32;
/// Where documents have nothing in common, comparing all of one with all of the other would take hours.
const COMPARED: usize = 500_000;

/// How many of those that wait stand before the first that is `alike`, which are then new ones. It is looked for only so
/// far that one is left for each of the `left` old ones, with the one whose twin this is.
fn twin<'a, T: 'a>(
    waiting: &(impl ExactSizeIterator<Item = &'a T> + Clone),
    left: usize,
    alike: impl Fn(&T) -> bool,
) -> Option<usize> {
    let ahead = waiting.len().saturating_sub(left - 1);
    waiting.clone().take(ahead.clamp(1, FAR.max(COMPARED / left))).position(alike)
}

fn are_alike(old: &Item, new: &Item) -> bool {
    match (old, new) {
        (Item::Paragraph(old), Item::Paragraph(new)) => {
            old.text == new.text || is_alike(&old.text, &new.text)
        }
        (Item::Table(table), Item::Table(other)) => {
            is_alike(&old.text(), &new.text()) || table.rows.len() == other.rows.len()
        }
        _ => false,
    }
}

/// Whether two paragraphs share a third of their words.
fn is_alike(old: &str, new: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let all = tokens(text).into_iter().filter_map(|range| text.get(range).map(str::to_lowercase));
        all.filter(|token| is_word(token)).collect()
    };
    let (old, new) = (words(old), words(new));
    let shared = old.intersection(&new).count();
    shared > 0 && shared * 3 >= old.len().max(new.len())
}

#[cfg(test)]
mod tests;

//! The edits that take one document to another, so that their difference can be shown as tracked changes.
//!
//! Paragraphs are matched by what they say; those that say nearly the same are rewritten word by word, the
//! others come and go. The original keeps its formatting: only text is compared.

mod outline;
mod report;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Refusal, Stop};

use crate::document::ids::ParagraphId;
use crate::document::index::{BoxKind, NOWHERE};
use crate::document::layout::Story;
use crate::document::paragraph::{AtomKind, WrapKind};
use crate::document::tables::Merge;
use crate::document::tables::Position;
use crate::document::view::{Place, View};
use crate::edits::{DeleteParagraph, InsertBesideTable, InsertParagraphs, InsertTable, Markup, ReplaceText};
use crate::op::{self, Op, Operation, Places, TableDelete, TableInsert, TableRef, TableSetCellText};
use crate::text::tokens::{compare as diff, is_word, tokens};
use crate::vocabulary::Edit;
use outline::{Cell, Item, Row, Table, outline};
use report::{Told, texts};

/// What it takes to make one document say what another says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    pub edits: Vec<Edit>,
    /// The texts that differ and that the edits leave as they are.
    pub left: Vec<String>,
}

/// Finds the edits on `original` that make it say what `revised` says. Beside the body, headers, footers and notes are
/// compared where both have as many paragraphs.
pub fn compare(original: &View, revised: &View, markup: Markup, stop: &Stop) -> Result<Comparison, Refusal> {
    let mut redline = Redline {
        original,
        stop,
        markup,
        edits: Vec::new(),
        left: BTreeSet::new(),
        depth: 0,
        came: Vec::new(),
        went: BTreeSet::new(),
    };
    redline.items(&outline(original, body(original)?), &outline(revised, body(revised)?));
    let mut left = Vec::new();
    let (boxed, reboxed) = (boxed(original)?, boxed(revised)?);
    match markup {
        Markup::Plain => redline.text_boxes(&boxed, &reboxed),
        Markup::Tracked if texts_of(&boxed).ne(texts_of(&reboxed)) => left.push("text boxes".to_owned()),
        Markup::Tracked => {}
    }
    let mut stories = Vec::new();
    for (story, pairs) in beside(original, revised)? {
        if !pairs.is_some_and(|pairs| redline.pairs(&pairs)) {
            stories.push(story.to_string());
        }
    }
    let comments = |view: &View| texts(view, view.story(Story::Comments));
    if texts_of(&comments(original)?).ne(texts_of(&comments(revised)?)) {
        stories.push(Story::Comments.to_string());
    }
    stop.check()?;
    left.extend(redline.left.into_iter().map(str::to_owned));
    left.extend(stories);
    Ok(Comparison { edits: redline.edits, left })
}

/// Paragraphs of one story side by side.
type Pairs = Vec<(Told, Told)>;

/// The paragraphs of headers, footers and notes side by side; `None` where there are more in one document.
fn beside(original: &View, revised: &View) -> Result<Vec<(Story, Option<Pairs>)>, Refusal> {
    let stories = original.layout().stories.iter().chain(&revised.layout().stories);
    let mut all: Vec<Story> = stories.map(|(story, _)| *story).collect();
    all.retain(|story| !matches!(story, Story::Body | Story::Comments));
    all.sort_unstable();
    all.dedup();
    let mut out = Vec::new();
    for story in all {
        let old = texts(original, original.story(story))?;
        let new = texts(revised, revised.story(story))?;
        let said = |texts: &[Told]| texts.iter().any(|told| !told.text.is_empty());
        let pairs = match old.len() == new.len() {
            true => Some(old.into_iter().zip(new).collect()),
            // Paragraphs without a word are no difference.
            false if !said(&old) && !said(&new) => Some(Vec::new()),
            false => None,
        };
        out.push((story, pairs));
    }
    Ok(out)
}

/// What the body says outside of text boxes.
fn body(view: &View) -> Result<Vec<Told>, Refusal> {
    texts(view, view.body().filter(|place| !in_text_box(view, *place)))
}

/// What its text boxes say.
fn boxed(view: &View) -> Result<Vec<Told>, Refusal> {
    texts(view, view.body().filter(|place| in_text_box(view, *place)))
}

fn in_text_box(view: &View, place: Place) -> bool {
    let Some(part) = view.part(place) else { return false };
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
    part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox)
}

fn texts_of(told: &[Told]) -> impl Iterator<Item = &str> {
    told.iter().map(|told| told.text.as_str())
}

/// The edits found so far, and the kinds of things that differ and have no edit.
struct Redline<'a> {
    original: &'a View,
    /// Once it is asked, the rest is left out; nobody will see it.
    stop: &'a Stop,
    markup: Markup,
    edits: Vec<Edit>,
    left: BTreeSet<&'static str>,
    /// How many tables the items stand in.
    depth: usize,
    /// For each table that the edits so far insert, the number of the table of the original that it stands before.
    came: Vec<usize>,
    /// The numbers of the tables that the edits so far take out.
    went: BTreeSet<usize>,
}

impl Redline<'_> {
    fn text_boxes(&mut self, old: &[Told], new: &[Told]) {
        if old.len() != new.len() {
            self.left.insert("text boxes");
            return;
        }
        for (old, new) in old.iter().zip(new).filter(|(old, new)| old.text != new.text) {
            match old.text.is_empty() {
                true => drop(self.left.insert("text boxes")),
                false => self.rewrite_paragraph(old, &new.text),
            }
        }
    }

    /// Rewrites paragraphs of a story beside the body; answers whether that makes them all alike.
    fn pairs(&mut self, pairs: &Pairs) -> bool {
        let mut alike = true;
        for (old, new) in pairs.iter().filter(|(old, new)| old.text != new.text) {
            match old.text.is_empty() || old.first().is_some_and(|place| in_text_box(self.original, place)) {
                true => alike = false,
                false => self.rewrite_paragraph(old, &new.text),
            }
        }
        alike
    }

    fn rewrite_paragraph(&mut self, old: &Told, new: &str) {
        for (place, old, new) in old.divided(new).into_iter().filter(|(_, old, new)| old != new) {
            self.push(place, rewrite(self.original.id(place), old, new, self.markup));
        }
    }

    /// Paragraphs and tables that stand in one place of both documents: the body, or a cell.
    fn items(&mut self, old: &[Item], new: &[Item]) {
        let keys = |items: &[Item]| -> Vec<Cow<'static, str>> {
            let key = |item: &Item| match item {
                Item::Paragraph(told) => told.text.clone(),
                Item::Table(_) => format!("\u{1}{}", item.text()),
            };
            items.iter().map(|item| Cow::Owned(key(item))).collect()
        };
        for hunk in diff(&keys(old), &keys(new)) {
            if !hunk.same {
                let after = new.get(hunk.new).unwrap_or_default();
                self.replace(old, hunk.old, after);
            }
        }
    }

    /// Makes `after` of the items `range` of `old`. What goes, goes last, so that what comes still finds its place.
    fn replace(&mut self, old: &[Item], range: Range<usize>, after: &[Item]) {
        let mut waiting = after.iter().peekable();
        let mut gone: Vec<&Item> = Vec::new();
        for index in range.clone() {
            if self.stop.is_asked() {
                return;
            }
            let Some(item) = old.get(index) else { continue };
            let left = range.end - index;
            if let Some(skipped) = twin(&waiting, left, |candidate| are_alike(item, candidate)) {
                let new: Vec<&Item> = waiting.by_ref().take(skipped).collect();
                self.insert(old, index, &new);
                if let Some(new) = waiting.next() {
                    self.rewrite(item, new);
                }
                continue;
            }
            let words = |item: &Item| item.paragraph().is_some_and(|told| !told.text.is_empty());
            // The last one becomes another text rather than going: a story must not end without its mark.
            match waiting.next_if(|next| left == 1 && words(item) && words(next)) {
                Some(new) => self.rewrite(item, new),
                None => gone.push(item),
            }
        }
        let rest: Vec<&Item> = waiting.collect();
        self.insert(old, range.end, &rest);
        for item in gone {
            self.delete(item);
        }
    }

    fn rewrite(&mut self, old: &Item, new: &Item) {
        match (old, new) {
            (Item::Paragraph(old), Item::Paragraph(new)) if old.text != new.text => {
                self.rewrite_paragraph(old, &new.text);
            }
            (Item::Table(old), Item::Table(new)) => self.tables(old, new),
            _ => {}
        }
    }

    fn delete(&mut self, item: &Item) {
        match item {
            Item::Paragraph(told) => {
                for (place, _) in &told.parts {
                    let (paragraph, markup) = (self.original.id(*place), self.markup);
                    let edit = DeleteParagraph { paragraph, expect: None, markup };
                    self.push(*place, Edit::DeleteParagraph(edit));
                }
            }
            Item::Table(table) => self.delete_table(table),
        }
    }

    fn delete_table(&mut self, table: &Table) {
        let grid = table.first().and_then(|place| self.original.table_around(place));
        let rows = grid.map_or(0, |grid| grid.rows.len());
        let delete = |number: usize| {
            let indexes = (0..rows).collect();
            self.operation(Op::TableDeleteRows(TableDelete { table: TableRef::Nth(number), indexes }))
        };
        // It is counted in the original whether the table can go.
        let number = table.number.filter(|number| self.is_possible(&delete(*number)));
        let Some(number) = number else {
            self.left.insert("tables");
            return;
        };
        self.edits.push(delete(self.number_now(number)));
        if self.markup == Markup::Plain {
            self.went.insert(number);
        }
    }

    /// The number that a table of the original has when the edits so far are made.
    fn number_now(&self, number: usize) -> usize {
        let came = self.came.iter().filter(|before| **before <= number).count();
        number + came - self.went.range(..number).count()
    }

    /// One field that cannot be divided must not keep all else from being compared. Answers whether the edit is made.
    fn push(&mut self, place: Place, edit: Edit) -> bool {
        let possible = !self.is_held(place) || self.is_possible(&edit);
        match possible {
            true => self.edits.push(edit),
            false => drop(self.left.insert("text in fields and locked controls")),
        }
        possible
    }

    fn is_possible(&self, edit: &Edit) -> bool {
        let nobody = edit::Context::new("", 0, 0);
        crate::vocabulary::plan(self.original, edit, &nobody).is_ok()
    }

    /// Whether something in or around a paragraph may refuse an edit.
    fn is_held(&self, place: Place) -> bool {
        let Some(part) = self.original.part(place) else { return false };
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        let around = part.around(boxed).any(|(_, block)| block.kind == BoxKind::Control);
        let holds = |kind: &WrapKind| matches!(kind, WrapKind::Control(_) | WrapKind::SimpleField { .. });
        let inside = self.original.paragraph(place).is_ok_and(|paragraph| {
            !paragraph.fields.is_empty()
                || paragraph.wraps.iter().any(|wrap| holds(&wrap.kind))
                || paragraph.atoms.iter().any(|atom| matches!(atom.kind, AtomKind::CommentReference { .. }))
        });
        around || inside
    }

    /// Inserts in front of the item `at` of `old`: behind the paragraph before it, or before it.
    fn insert(&mut self, old: &[Item], at: usize, new: &[&Item]) {
        let blank = |item: &&&Item| item.paragraph().is_some_and(|told| told.text.trim().is_empty());
        let new: Vec<&Item> = new.iter().filter(|item| !blank(item)).copied().collect();
        let before = at.checked_sub(1).and_then(|before| old.get(before));
        let last = before.and_then(Item::paragraph).and_then(Told::last).map(|place| self.original.id(place));
        let next = old.get(at).and_then(Item::paragraph).and_then(Told::first);
        let (anchor, position) = match (last, next.map(|place| self.original.id(place))) {
            (Some(anchor), _) => (Some(anchor), Position::After),
            (None, anchor) => (anchor, Position::Before),
        };
        let Some(anchor) = anchor else { return self.insert_beside_tables(old, at, &new) };
        let mut edits = Vec::new();
        for (index, item) in new.iter().enumerate() {
            let markup = self.markup;
            let mut came = None;
            let edit = match item {
                Item::Paragraph(told) => {
                    let (text, style_source) = (literal(&told.text), None);
                    Edit::InsertParagraphs(InsertParagraphs { anchor, position, text, style_source, markup })
                }
                Item::Table(table) => {
                    // Tables that touch are one, and a paragraph to keep them apart could not be rejected with them.
                    let said = |item: Option<&Item>| item.is_some_and(|item| item.paragraph().is_some());
                    let lead = match index.checked_sub(1) {
                        Some(lead) => said(new.get(lead).copied()),
                        None => at == 0 || said(before),
                    };
                    let tail = new.get(index + 1).is_none_or(|tail| said(Some(tail)));
                    let apart = lead && tail && said(old.get(at));
                    let Some(rows) = plain_rows(table).filter(|_| apart && self.depth == 0) else {
                        self.left.insert("tables");
                        continue;
                    };
                    let next = old.iter().skip(at).find_map(Item::table).and_then(|table| table.number);
                    came = Some(next.unwrap_or(usize::MAX));
                    Edit::InsertTable(InsertTable { anchor, position, rows, markup })
                }
            };
            edits.push((edit, came));
        }
        // Of those behind one paragraph, the nearest to it is inserted last.
        if position == Position::After {
            edits.reverse();
        }
        for (edit, came) in edits {
            let made = match self.original.place_of(anchor) {
                Some(place) => self.push(place, edit),
                None => {
                    self.edits.push(edit);
                    true
                }
            };
            self.came.extend(came.filter(|_| made));
        }
    }

    /// Where no paragraph stands: between two tables, or at an edge.
    fn insert_beside_tables(&mut self, old: &[Item], at: usize, new: &[&Item]) {
        let first = |item: Option<&Item>| item.and_then(Item::table).and_then(Table::first);
        let behind = at.checked_sub(1).and_then(|before| first(old.get(before)));
        let beside = first(old.get(at)).map(|place| (place, Position::Before));
        let beside = beside.or(behind.map(|place| (place, Position::After)));
        let table =
            beside.and_then(|(place, position)| Some((self.original.table_around(place)?.id, position)));
        for item in new {
            match (item.paragraph(), table) {
                (Some(told), Some((table, position))) if position == Position::Before => {
                    let (text, style_source, markup) = (literal(&told.text), None, self.markup);
                    let edit = InsertBesideTable { table, position, text, style_source, markup };
                    self.edits.push(Edit::InsertBesideTable(edit));
                }
                (Some(_), _) => drop(self.left.insert("paragraphs beside tables")),
                (None, _) => drop(self.left.insert("tables")),
            }
        }
    }

    /// Rows are matched as paragraphs are, by what they say.
    fn tables(&mut self, old: &Table, new: &Table) {
        let keys = |table: &Table| -> Vec<Cow<'static, str>> {
            table.rows.iter().map(|row| Cow::Owned(row.text())).collect()
        };
        let mut shape: Vec<Edit> = Vec::new();
        for hunk in diff(&keys(old), &keys(new)).into_iter().rev().filter(|hunk| !hunk.same) {
            let (before, after) = (hunk.old.clone(), new.rows.get(hunk.new).unwrap_or_default());
            let mut waiting = after.iter();
            let mut gone: Vec<usize> = Vec::new();
            let mut come: Vec<(usize, Vec<&Row>)> = Vec::new();
            for index in before.clone() {
                let Some(row) = old.rows.get(index) else { continue };
                let left = before.end - index;
                let text = row.text();
                let twin = twin(&waiting, left, |new| is_alike(&text, &new.text()));
                // As many rows as there were are the same rows with other words.
                let twin = twin.or_else(|| (waiting.len() == left).then_some(0));
                match twin {
                    Some(skipped) => {
                        come.push((index, waiting.by_ref().take(skipped).collect()));
                        if let Some(new) = waiting.next() {
                            self.row(row, new);
                        }
                    }
                    None => gone.push(index),
                }
            }
            come.push((before.end, waiting.collect()));
            // From the last to the first, so that the numbers of the others hold.
            for (at, rows) in come.into_iter().rev() {
                let behind = gone.iter().copied().filter(|index| *index >= at);
                shape.extend(behind.rev().filter_map(|index| self.delete_row(old, index)));
                gone.retain(|index| *index < at);
                shape.extend(self.insert_rows(old, at, &rows));
            }
            shape.extend(gone.into_iter().rev().filter_map(|index| self.delete_row(old, index)));
        }
        self.edits.extend(shape);
    }

    fn row(&mut self, old: &Row, new: &Row) {
        if old.cells.len() != new.cells.len() {
            self.left.insert("tables");
            return;
        }
        self.depth += 1;
        for (old, new) in old.cells.iter().zip(&new.cells) {
            self.items(&old.items, &new.items);
        }
        self.depth -= 1;
    }

    fn operation(&self, op: Op) -> Edit {
        Edit::Op(Box::new(Operation { op, places: Places::default(), markup: self.markup }))
    }

    fn delete_row(&mut self, table: &Table, index: usize) -> Option<Edit> {
        let (Some(number), Some(row)) = (table.number, self.row_number(table, index)) else {
            self.left.insert("tables");
            return None;
        };
        let table = TableRef::Nth(self.number_now(number));
        let op = TableDelete { table, indexes: vec![row] };
        Some(self.operation(Op::TableDeleteRows(op)))
    }

    /// The number that a row has in the file, where it is counted with those that go.
    fn row_number(&self, table: &Table, row: usize) -> Option<usize> {
        let place = table.rows.get(row)?.first()?;
        let (row, _) = self.original.cell_of(place, &self.original.table_around(place)?)?;
        Some(row)
    }

    /// How many cells a row has, if none of them is merged. Behind the last row nothing is merged.
    fn plain_cells(&self, table: &Table, row: usize) -> Option<usize> {
        let Some(known) = table.rows.get(row) else { return Some(0) };
        let grid = self.original.table_around(known.first()?)?;
        let cells = &grid.rows.get(self.row_number(table, row)?)?.cells;
        cells.iter().all(|cell| cell.columns == 1 && cell.merge == Merge::None).then_some(cells.len())
    }

    /// New rows in front of the row `at`, made like the one above it, or like it.
    fn insert_rows(&mut self, table: &Table, at: usize, rows: &[&Row]) -> Vec<Edit> {
        let model = at.saturating_sub(1);
        if rows.is_empty() {
            return Vec::new();
        }
        let cells =
            self.plain_cells(table, model).filter(|_| at == 0 || self.plain_cells(table, at).is_some());
        let sound = |row: &&Row| Some(row.cells.len()) == cells && !row.cells.iter().any(Cell::holds_tables);
        let number = table.number.filter(|_| rows.iter().all(sound));
        let (Some(number), Some(model)) = (number, self.row_number(table, model)) else {
            self.left.insert("tables");
            return Vec::new();
        };
        let (table, count) = (TableRef::Nth(self.number_now(number)), rows.len());
        let (side, first) = if at == 0 { (op::Side::Before, model) } else { (op::Side::After, model + 1) };
        let new = TableInsert { table: table.clone(), at: Some(model), count, side };
        let mut edits = vec![self.operation(Op::TableInsertRows(new))];
        for (row, cells) in (first..).zip(rows) {
            for (col, cell) in cells.cells.iter().enumerate().filter(|(_, cell)| !cell.text().is_empty()) {
                let set = TableSetCellText { table: table.clone(), row, col, text: cell.text() };
                edits.push(self.operation(Op::TableSetCellText(set)));
            }
        }
        edits
    }
}

/// What the cells of a table say, each paragraph a line, if that is all there is to it.
fn plain_rows(table: &Table) -> Option<Vec<Vec<String>>> {
    let columns = table.rows.first()?.cells.len();
    let cell = |cell: &Cell| {
        let lines = cell.items.iter().map(|item| item.paragraph().map(|told| told.text.as_str()));
        let lines: Vec<&str> = lines.collect::<Option<_>>()?;
        (!lines.iter().any(|line| line.contains('\n'))).then(|| lines.join("\n"))
    };
    let row = |row: &Row| (row.cells.len() == columns).then(|| row.cells.iter().map(cell).collect())?;
    table.rows.iter().map(row).collect()
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
        (Item::Paragraph(old), Item::Paragraph(new)) => is_alike(&old.text, &new.text),
        (Item::Table(table), Item::Table(other)) => {
            is_alike(&old.text(), &new.text()) || table.rows.len() == other.rows.len()
        }
        _ => false,
    }
}

fn rewrite(paragraph: ParagraphId, old: &str, new: &str, markup: Markup) -> Edit {
    Edit::ReplaceText(ReplaceText {
        paragraph,
        old: old.to_owned(),
        new: literal(new),
        expect: None,
        markup,
        clear_highlight: false,
    })
}

/// Text that holds what looks like a tag says so literally.
fn literal(text: &str) -> String {
    crate::text::tags::literal(text)
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

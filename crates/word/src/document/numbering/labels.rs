//! Counting: which label Word prints before each paragraph.

use edit::OrEmpty;

use std::collections::{BTreeMap, BTreeSet};

use super::{LEVELS, Level, Numbering, Suffix, format};
use crate::document::index::{BoxKind, NOWHERE, Part};
use crate::document::paragraph::{AtomKind, Paragraph, Side};
use crate::document::props::{Font, ParaProps, RunProps, Toggle, each_child};
use crate::document::style::{NumberedBy, Styles};
use crate::document::symbols;
use crate::document::view::{Place, View};

/// The list a paragraph belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbered {
    pub num: i64,
    pub level: u8,
}

/// The labels of a document, by part and paragraph.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    parts: Vec<Vec<Option<Box<str>>>>,
}

impl Labels {
    pub(crate) fn get(&self, place: Place) -> Option<&str> {
        self.parts.get(place.part as usize)?.get(place.index as usize)?.as_deref()
    }
}

/// What the properties of a paragraph, as spelled, mean for counting.
#[derive(Debug, Clone, Copy, Default)]
struct Spelled {
    numbered: Option<Numbered>,
    inserted: bool,
    deleted: bool,
    /// Whether the paragraph mark is hidden, and with it perhaps the paragraph.
    hidden: bool,
    /// Whether a section ends here; Word numbers no paragraph that is nothing but such a break.
    section: bool,
}

impl View {
    /// The list a paragraph belongs to, whether or not it is counted.
    pub fn numbered(&self, place: Place) -> Option<Numbered> {
        spelled(self.spelling(place), Side::Final, self.styles(), self.numbering()).numbered
    }

    /// The label before a paragraph; none if it is in no list, or its list prints none.
    pub fn label(&self, place: Place, side: Side) -> Option<&str> {
        match side {
            Side::Final => self.labels(Side::Final).get(place),
            Side::Original => self.labels(Side::Original).get(place),
            Side::Redline => {
                self.labels(Side::Final).get(place).or_else(|| self.labels(Side::Original).get(place))
            }
        }
    }

    /// What stands between label and text.
    pub fn suffix(&self, place: Place) -> Option<Suffix> {
        let Numbered { num, level } = self.numbered(place)?;
        Some(self.numbering().level(num, level, self.styles())?.suffix)
    }

    pub(crate) fn count(&self, side: Side) -> Labels {
        let mut meanings: Vec<Option<Spelled>> = vec![None; self.spellings().len()];
        let mut labels = Labels::default();
        for (number, part) in self.parts().iter().enumerate() {
            let mut counters = [Counters::default(), Counters::default()];
            let mut printed: Vec<Option<Box<str>>> = Vec::with_capacity(part.paragraphs.len());
            // The first of several paragraphs that are one on this side.
            let mut head: Option<usize> = None;
            for index in 0..part.paragraphs.len() {
                let spelling = part.paragraphs.properties.at(index);
                let slot = meanings.get_mut(spelling as usize);
                let meaning = match slot {
                    Some(slot) => *slot.get_or_insert_with(|| {
                        spelled(self.spellings().get(spelling), side, self.styles(), self.numbering())
                    }),
                    None => Spelled::default(),
                };
                let place = Place { part: number as u32, index: index as u32 };
                if Self::goes_into_next(part, place, meaning, side) {
                    head = head.or_else(|| (!self.is_gone(place, side)).then_some(index));
                    printed.push(None);
                    continue;
                }
                let label = meaning.numbered.filter(|_| self.counts(part, place, meaning, side)).and_then(
                    |numbered| {
                        let counters = counters.get_mut(usize::from(in_text_box(part, index)))?;
                        counters.next(numbered, self.numbering(), self.styles())
                    },
                );
                let label = label.filter(|label| !label.is_empty()).map(String::into_boxed_str);
                match head.take().and_then(|head| printed.get_mut(head)) {
                    Some(first) => {
                        *first = label;
                        printed.push(None);
                    }
                    None => printed.push(label),
                }
            }
            labels.parts.push(printed);
        }
        labels
    }

    /// Whether the end of a paragraph is gone on this side, and what it says stands in the next one.
    fn goes_into_next(part: &Part, place: Place, meaning: Spelled, side: Side) -> bool {
        let gone = match side {
            Side::Final | Side::Redline => meaning.deleted,
            Side::Original => meaning.inserted,
        };
        let boxed = |index: usize| part.paragraphs.boxed.get(index);
        let index = place.index as usize;
        gone && index + 1 < part.paragraphs.len() && boxed(index) == boxed(index + 1)
    }

    /// Whether nothing of a paragraph is left on this side.
    fn is_gone(&self, place: Place, side: Side) -> bool {
        self.paragraph(place).is_ok_and(|paragraph| paragraph.vanishes(side))
    }

    /// Whether a paragraph of a list is one that a reader of this side finds.
    fn counts(&self, part: &Part, place: Place, meaning: Spelled, side: Side) -> bool {
        let (row_inserted, row_deleted) = self.row_fate(part, place.index as usize);
        let gone = match side {
            Side::Final | Side::Redline => meaning.deleted || row_deleted,
            Side::Original => meaning.inserted || row_inserted,
        };
        if row_deleted && side != Side::Original || row_inserted && side == Side::Original {
            return false;
        }
        if !gone && !meaning.hidden && !meaning.section {
            return true;
        }
        let Ok(paragraph) = self.paragraph(place) else { return true };
        if gone && paragraph.vanishes(side) || meaning.section && paragraph.is_empty() {
            return false;
        }
        !(meaning.hidden && self.is_hidden(place, &paragraph))
    }

    /// Whether all characters of a paragraph are hidden.
    fn is_hidden(&self, place: Place, paragraph: &Paragraph) -> bool {
        let resolved = self.resolved(place);
        let hidden = |run: Option<usize>| {
            let own = run.and_then(|run| paragraph.runs.get(run)).and_then(|run| run.properties.clone());
            let own = own.map_or_else(RunProps::default, |span| RunProps::read(paragraph.bytes(span)));
            self.styles().run(&resolved, &own).is(Toggle::Hidden)
        };
        paragraph.atoms.iter().all(|atom| match atom.kind {
            AtomKind::Text(_) | AtomKind::Drawing { .. } | AtomKind::Object | AtomKind::Math { .. } => {
                hidden(atom.run)
            }
            _ => true,
        })
    }
}

/// Word counts the lists of text boxes apart from those of the text around them.
fn in_text_box(part: &Part, index: usize) -> bool {
    let boxed = part.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
    part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox)
}

fn spelled(properties: &[u8], side: Side, styles: &Styles, numbering: &Numbering) -> Spelled {
    let mut own = ParaProps::read(properties);
    if side == Side::Original {
        own = originally(properties, own);
    }
    let resolved = styles.resolve(&own, None);
    let numbered = resolved.props.number.filter(|num| *num != 0).map(|num| {
        let by_style = || {
            let lineage = resolved.style.as_deref().map(|id| styles.lineage(id)).or_empty();
            // The list's word on a style counts before the style's own.
            lineage
                .iter()
                .find_map(|style| numbering.level_of_style(num, &style.id, styles).or(style.paragraph.level))
        };
        let level = match resolved.numbered_by {
            NumberedBy::Style => own.level.or_else(by_style).or(resolved.props.level),
            _ => resolved.props.level,
        };
        Numbered { num, level: level.unwrap_or(0).min(LEVELS as u8 - 1) }
    });
    // Word joins a paragraph to the next with a hidden mark that is special; its text is still there.
    let special = memchr::memmem::find(properties, b"specVanish").is_some();
    let hidden = !special && styles.run(&resolved, &own.mark).is(Toggle::Hidden);
    Spelled { numbered, inserted: own.mark_inserted, deleted: own.mark_deleted, hidden, section: own.section }
}

/// The properties of a paragraph before tracked changes of its formatting and its numbering.
fn originally(properties: &[u8], now: ParaProps) -> ParaProps {
    let (mut before, mut numbering_is_new) = (None, false);
    each_child(properties, |child| match child.name {
        "pPrChange" => each_child(child.whole, |record| before = Some(ParaProps::read(record.whole))),
        "numPr" => each_child(child.whole, |inner| numbering_is_new |= inner.name == "ins"),
        _ => {}
    });
    match before {
        // A record is of the paragraph alone; the mark and the section are as they are.
        Some(before) => ParaProps {
            mark: now.mark,
            mark_inserted: now.mark_inserted,
            mark_deleted: now.mark_deleted,
            section: now.section,
            ..before
        },
        None if numbering_is_new => ParaProps { number: None, level: None, ..now },
        None => now,
    }
}

#[derive(Debug, Default)]
struct Counters {
    /// By `abstractNum`: the number each level has reached.
    reached: BTreeMap<i64, [Option<i64>; LEVELS]>,
    /// Levels of `num`s that have started over, which they do once.
    started: BTreeSet<(i64, u8)>,
}

impl Counters {
    fn next(&mut self, numbered: Numbered, numbering: &Numbering, styles: &Styles) -> Option<String> {
        let Numbered { num, level } = numbered;
        let definition = numbering.level(num, level, styles)?;
        let reached = self.reached.entry(numbering.counted_by(num, styles)?).or_default();
        let first = self.started.insert((num, level));
        let here = reached.get_mut(usize::from(level))?;
        *here = Some(match (*here, numbering.starts_over(num, level)) {
            (_, Some(start)) if first => start,
            (Some(number), _) => number.saturating_add(1),
            (None, _) => numbering.start(num, level, styles),
        });
        for deeper in level + 1..LEVELS as u8 {
            let restart = numbering.level(num, deeper, styles).and_then(|level| level.restart);
            let restarts = match restart {
                None => true,
                Some(0) => false,
                Some(after) => level < after,
            };
            if restarts && let Some(slot) = reached.get_mut(usize::from(deeper)) {
                *slot = None;
            }
        }
        // A level that was skipped counts as if it had been there once, and has then started.
        let started = &mut self.started;
        let numbers: Vec<i64> = (0..=level)
            .filter_map(|at| {
                let reached = reached.get_mut(usize::from(at))?;
                Some(*reached.get_or_insert_with(|| {
                    started.insert((num, at));
                    numbering.start(num, at, styles)
                }))
            })
            .collect();
        Some(print(definition, num, &numbers, numbering, styles))
    }
}

fn print(level: &Level, num: i64, numbers: &[i64], numbering: &Numbering, styles: &Styles) -> String {
    if level.picture {
        return "•".to_owned();
    }
    if level.format == "bullet" {
        let font = match &level.run.font {
            Some(Font::Named(name)) => name.as_str(),
            _ => "",
        };
        return level.text.chars().map(|character| symbols::unicode(font, character)).collect();
    }
    let mut label = String::new();
    let mut characters = level.text.chars().peekable();
    while let Some(character) = characters.next() {
        let place = match character {
            '%' => {
                characters.peek().and_then(|digit| digit.to_digit(10)).filter(|place| (1..=9).contains(place))
            }
            _ => None,
        };
        let Some(place) = place else {
            label.push(character);
            continue;
        };
        characters.next();
        let at = place as usize - 1;
        let Some(value) = numbers.get(at) else { continue };
        let of = numbering.level(num, at as u8, styles).unwrap_or(level);
        match (level.legal, of.format.as_str()) {
            (_, "none") => {}
            (true, "decimalZero") | (false, _) => {
                label.push_str(&format::number_as(*value, &of.format, of.pattern.as_deref()))
            }
            (true, _) => label.push_str(&value.to_string()),
        }
    }
    label
}

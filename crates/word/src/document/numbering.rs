//! List definitions.
//!
//! A paragraph points at a `num`, which points at an `abstractNum`, which may hand over to a numbering style,
//! which points at another `num`. Counting is done per `abstractNum`: two `num`s that share one continue each
//! other unless they say where to start.

use std::collections::BTreeMap;

use edit::{Content, Cut, OrEmpty, Refusal};
use ooxml::xml::{Node, ns};

use crate::document::layout::Layout;
use crate::document::names::{attribute, attributes};
use crate::document::paragraph::is_on;
use crate::document::props::{ParaProps, RunProps};
use crate::document::style::Styles;

mod format;
mod labels;

#[cfg(test)]
mod tests;

pub use format::number;
pub(crate) use labels::Labels;
pub use labels::Numbered;

const LEVELS: usize = 9;

/// What stands between a label and the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Suffix {
    #[default]
    Tab,
    Space,
    Nothing,
}

#[derive(Debug, Clone, Default)]
pub struct Level {
    pub start: i64,
    /// As the file spells it: `decimal`, `lowerRoman`, …
    pub format: String,
    /// The pattern of a custom format, `001, 002, …`.
    pub pattern: Option<String>,
    /// `%1.%2)`; each `%n` stands for the number of level n.
    pub text: String,
    pub suffix: Suffix,
    /// Whether all numbers in the label are written in digits.
    pub legal: bool,
    /// After which level counting starts again: 0 for never, `None` for every higher one.
    pub restart: Option<u8>,
    pub style: Option<String>,
    pub picture: bool,
    pub paragraph: ParaProps,
    pub run: RunProps,
}

#[derive(Debug, Clone, Default)]
struct Abstract {
    levels: [Option<Level>; LEVELS],
    hands_over_to: Option<String>,
    /// The numbering style that this defines.
    defines: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct Num {
    of: i64,
    starts: [Option<i64>; LEVELS],
    levels: [Option<Level>; LEVELS],
}

/// The list definitions of a document.
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    abstracts: BTreeMap<i64, Abstract>,
    nums: BTreeMap<i64, Num>,
}

impl Numbering {
    pub(crate) fn read(content: &Content, layout: &Layout) -> Result<Self, Refusal> {
        let mut numbering = Numbering::default();
        let Some(name) = &layout.numbering else { return Ok(numbering) };
        let document = ooxml::read_xml(content, name)?;
        for node in document.root().elements() {
            let id = |name: &str| node.value(ns::W, name).and_then(|id| id.trim().parse::<i64>().ok());
            if node.is(ns::W, "abstractNum")
                && let Some(id) = id("abstractNumId")
            {
                numbering.abstracts.entry(id).or_insert_with(|| read_abstract(&node));
            } else if node.is(ns::W, "num")
                && let Some(id) = id("numId")
            {
                numbering.nums.entry(id).or_insert_with(|| read_num(&node));
            }
        }
        Ok(numbering)
    }

    /// The `abstractNum` whose counters a `num` uses, through the numbering style it may hand over to.
    fn counted_by(&self, num: i64, styles: &Styles) -> Option<i64> {
        let mut id = self.nums.get(&num)?.of;
        // Definitions that hand over in a circle define nothing.
        for _ in 0..8 {
            let Some(style) = self.abstracts.get(&id)?.hands_over_to.as_deref() else { return Some(id) };
            let next = match styles.get(style).and_then(|style| style.paragraph.number) {
                Some(number) => self.nums.get(&number)?.of,
                // The style is not there, and what would define it may be.
                None => {
                    let defined = |list: &Abstract| list.defines.as_deref() == Some(style);
                    self.abstracts.iter().find(|(_, list)| defined(list)).map_or(id, |(next, _)| *next)
                }
            };
            if next == id {
                return Some(id);
            }
            id = next;
        }
        None
    }

    /// What level `level` of a list looks like.
    pub fn level(&self, num: i64, level: u8, styles: &Styles) -> Option<&Level> {
        let index = usize::from(level);
        if let Some(own) = self.nums.get(&num)?.levels.get(index)?.as_ref() {
            return Some(own);
        }
        let counted_by = self.counted_by(num, styles)?;
        self.abstracts.get(&counted_by)?.levels.get(index)?.as_ref()
    }

    /// The level of a list that belongs to a paragraph style.
    fn level_of_style(&self, num: i64, style: &str, styles: &Styles) -> Option<u8> {
        let levels = (0..LEVELS as u8).map(|level| (level, self.level(num, level, styles)));
        let mut named =
            levels.filter(|(_, level)| level.is_some_and(|level| level.style.as_deref() == Some(style)));
        named.next().map(|(level, _)| level)
    }

    fn start(&self, num: i64, level: u8, styles: &Styles) -> i64 {
        let own = self.nums.get(&num).and_then(|num| *num.starts.get(usize::from(level))?);
        own.or_else(|| self.level(num, level, styles).map(|level| level.start)).unwrap_or(1)
    }

    fn starts_over(&self, num: i64, level: u8) -> Option<i64> {
        *self.nums.get(&num)?.starts.get(usize::from(level))?
    }
}

fn read_abstract(node: &Node<'_>) -> Abstract {
    let mut read = Abstract::default();
    for child in node.elements() {
        if child.is(ns::W, "numStyleLink") {
            read.hands_over_to = child.value(ns::W, "val").map(|value| value.into_owned());
        } else if child.is(ns::W, "styleLink") {
            read.defines = child.value(ns::W, "val").map(|value| value.into_owned());
        } else if child.is(ns::W, "lvl") {
            put_level(&mut read.levels, &child);
        }
    }
    read
}

fn read_num(node: &Node<'_>) -> Num {
    let mut read = Num::default();
    for child in node.elements() {
        if child.is(ns::W, "abstractNumId") {
            read.of = child.value(ns::W, "val").and_then(|id| id.trim().parse().ok()).unwrap_or(-1);
        } else if child.is(ns::W, "lvlOverride") {
            let level = child.value(ns::W, "ilvl").and_then(|level| level.trim().parse::<usize>().ok());
            for inner in child.elements() {
                if inner.is(ns::W, "startOverride") {
                    let start = inner.value(ns::W, "val").and_then(|start| start.trim().parse().ok());
                    if let Some(slot) = level.and_then(|level| read.starts.get_mut(level)) {
                        *slot = start;
                    }
                } else if inner.is(ns::W, "lvl") {
                    put_level(&mut read.levels, &inner);
                }
            }
        }
    }
    read
}

fn put_level(levels: &mut [Option<Level>; LEVELS], node: &Node<'_>) {
    let index = node.value(ns::W, "ilvl").and_then(|level| level.trim().parse::<usize>().ok());
    if let Some(slot) = index.and_then(|index| levels.get_mut(index)) {
        *slot = Some(read_level(node));
    }
}

fn read_level(node: &Node<'_>) -> Level {
    // Counting starts at 0 where the file does not say; Word always says.
    let mut level = Level { format: "decimal".to_owned(), ..Level::default() };
    for child in node.elements() {
        let value = || child.value(ns::W, "val").map(|value| value.into_owned());
        match child.name().local {
            "start" => level.start = value().and_then(|start| start.trim().parse().ok()).unwrap_or(0),
            "numFmt" => read_format(&mut level, child.source()),
            "AlternateContent" => {
                let branch = child.elements().find(|branch| branch.name().local == "Choice");
                let formats = branch.into_iter().flat_map(|branch| branch.elements());
                if let Some(found) = formats.filter(|inner| inner.is(ns::W, "numFmt")).last() {
                    read_format(&mut level, found.source());
                }
            }
            "lvlText" => level.text = value().or_empty(),
            "suff" => {
                level.suffix = match value().as_deref() {
                    Some("space") => Suffix::Space,
                    Some("nothing") => Suffix::Nothing,
                    _ => Suffix::Tab,
                }
            }
            "isLgl" => level.legal = value().is_none_or(|value| is_on(&value)),
            "lvlRestart" => level.restart = value().and_then(|after| after.trim().parse().ok()),
            "pStyle" => level.style = value(),
            "lvlPicBulletId" => level.picture = true,
            "pPr" => level.paragraph = ParaProps::read(child.source()),
            "rPr" => level.run = RunProps::read(child.source()),
            _ => {}
        }
    }
    level
}

fn read_format(level: &mut Level, element: &[u8]) {
    let end = memchr::memchr(b'>', element).map_or(element.len(), |end| end + 1);
    let tag = element.part(..end);
    level.format = attribute(tag, "val").map_or_else(|| "decimal".to_owned(), |value| value.into_owned());
    level.pattern = attributes(tag)
        .find(|attribute| attribute.local() == b"format")
        .map(|attribute| attribute.value().into_owned());
}

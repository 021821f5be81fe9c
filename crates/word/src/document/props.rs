//! Formatting as one element states it: `w:pPr` and `w:rPr`.
//!
//! Only what the reader, the style fingerprint or numbering need is kept. What is missing here is still in the
//! bytes of the document, where the editor works.

use std::sync::Arc;

use edit::{Cut, OrEmpty};

use crate::document::names::{Scope, attribute};
use crate::document::paragraph::is_on;
use crate::document::scan::{Scan, ScanEvent};

/// Properties that a style can switch back off by setting them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggle {
    Bold,
    Italic,
    Caps,
    SmallCaps,
    Strike,
    Hidden,
    Emboss,
    Imprint,
    Outline,
    Shadow,
}

const TOGGLES: [(&str, Toggle); 10] = [
    ("b", Toggle::Bold),
    ("i", Toggle::Italic),
    ("caps", Toggle::Caps),
    ("smallCaps", Toggle::SmallCaps),
    ("strike", Toggle::Strike),
    ("vanish", Toggle::Hidden),
    ("emboss", Toggle::Emboss),
    ("imprint", Toggle::Imprint),
    ("outline", Toggle::Outline),
    ("shadow", Toggle::Shadow),
];

/// Formatting of characters, as far as it is stated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunProps {
    pub style: Option<String>,
    pub(crate) toggles: [Option<bool>; 10],
    pub double_strike: Option<bool>,
    /// `none` where underlining is switched off.
    pub underline: Option<String>,
    pub color: Option<String>,
    pub highlight: Option<String>,
    pub shading: Option<String>,
    /// In half points.
    pub size: Option<u32>,
    pub font: Option<Font>,
    pub east_asian_font: Option<Font>,
    pub vertical: Option<String>,
    pub spacing: Option<i32>,
    pub position: Option<i32>,
}

/// A font by name, or by its place in the theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Font {
    Named(String),
    Theme(String),
}

/// Formatting of a paragraph, as far as it is stated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParaProps {
    pub style: Option<String>,
    pub number: Option<i64>,
    pub level: Option<u8>,
    pub alignment: Option<String>,
    /// In twips.
    pub left: Option<i32>,
    pub right: Option<i32>,
    /// Negative for a hanging indent.
    pub first: Option<i32>,
    pub before: Option<i32>,
    pub after: Option<i32>,
    pub line: Option<i32>,
    pub line_rule: Option<String>,
    pub keep_next: Option<bool>,
    pub keep_lines: Option<bool>,
    pub page_break_before: Option<bool>,
    pub right_to_left: Option<bool>,
    pub outline: Option<u8>,
    pub shading: Option<String>,
    pub borders: Option<String>,
    /// Formatting of the paragraph mark.
    pub mark: RunProps,
    pub mark_inserted: bool,
    pub mark_deleted: bool,
    /// Whether a section ends with this paragraph.
    pub section: bool,
}

macro_rules! overlay {
    ($self:ident, $over:ident: $($field:ident),+) => {
        $(if $over.$field.is_some() { $self.$field.clone_from(&$over.$field); })+
    };
}

impl RunProps {
    pub fn toggle(&self, toggle: Toggle) -> Option<bool> {
        self.toggles.get(toggle as usize).copied().flatten()
    }

    /// Takes over what `over` states. For one kind of style, where the later word counts.
    pub(crate) fn overlay(&mut self, over: &RunProps) {
        for (mine, theirs) in self.toggles.iter_mut().zip(&over.toggles) {
            *mine = theirs.or(*mine);
        }
        overlay!(self, over: double_strike, underline, color, highlight, shading, size, font, east_asian_font);
        overlay!(self, over: vertical, spacing, position);
    }

    /// Reads `w:rPr`.
    pub(crate) fn read(element: &[u8]) -> RunProps {
        let mut props = RunProps::default();
        each_child(element, |child| props.take(child));
        props
    }

    fn take(&mut self, child: Child<'_>) {
        if let Some((_, toggle)) = TOGGLES.iter().find(|(name, _)| *name == child.name) {
            if let Some(slot) = self.toggles.get_mut(*toggle as usize) {
                *slot = Some(child.on());
            }
            return;
        }
        match child.name {
            "rStyle" => self.style = child.val(),
            "dstrike" => self.double_strike = Some(child.on()),
            "u" => self.underline = child.val().or(Some("single".to_owned())),
            "color" => {
                // A shade of a colour of the theme is another colour: white in shade 80 is grey.
                let shade = ["themeShade", "themeTint"].map(|name| child.get(name).filter(|by| by != "FF"));
                let shade: String = shade.into_iter().flatten().map(|by| format!("/{by}")).collect();
                let theme = child.get("themeColor").map(|theme| format!("theme:{theme}{shade}"));
                self.color = theme.or_else(|| child.val().map(|color| color.to_ascii_uppercase()));
            }
            "highlight" => self.highlight = child.val(),
            "shd" => self.shading = child.get("fill").map(|fill| fill.to_ascii_uppercase()),
            "sz" => self.size = child.val().and_then(|size| half_points(&size)),
            "rFonts" => {
                let font = |theme: &str, name: &str| {
                    let theme = child.get(theme).map(Font::Theme);
                    theme.or_else(|| child.get(name).map(Font::Named))
                };
                self.font = font("asciiTheme", "ascii").or_else(|| font("hAnsiTheme", "hAnsi"));
                self.east_asian_font = font("eastAsiaTheme", "eastAsia");
            }
            "vertAlign" => self.vertical = child.val(),
            "spacing" => self.spacing = child.val().and_then(|value| twips(&value)),
            "position" => self.position = child.val().and_then(|value| value.parse().ok()),
            _ => {}
        }
    }
}

impl ParaProps {
    /// Takes over what `over` states.
    pub(crate) fn overlay(&mut self, over: &ParaProps) {
        overlay!(self, over: style, number, level, alignment, left, right, first, before, after, line, line_rule);
        overlay!(self, over: keep_next, keep_lines, page_break_before, right_to_left, outline, shading, borders);
    }

    /// Reads `w:pPr`.
    pub(crate) fn read(element: &[u8]) -> ParaProps {
        let mut props = ParaProps::default();
        each_child(element, |child| props.take(child));
        props
    }

    fn take(&mut self, child: Child<'_>) {
        let measure = |name: &str| child.get(name).and_then(|value| twips(&value));
        match child.name {
            "pStyle" => self.style = child.val(),
            "numPr" => each_child(child.whole, |inner| match inner.name {
                "numId" => self.number = inner.val().and_then(|number| number.trim().parse().ok()),
                "ilvl" => self.level = inner.val().and_then(|level| level.trim().parse().ok()),
                _ => {}
            }),
            "jc" => self.alignment = child.val(),
            "ind" => {
                self.left = measure("left").or_else(|| measure("start"));
                self.right = measure("right").or_else(|| measure("end"));
                self.first = measure("hanging").map(|hanging| -hanging).or_else(|| measure("firstLine"));
            }
            "spacing" => {
                self.before = measure("before");
                self.after = measure("after");
                self.line = measure("line");
                self.line_rule = child.get("lineRule");
            }
            "keepNext" => self.keep_next = Some(child.on()),
            "keepLines" => self.keep_lines = Some(child.on()),
            "pageBreakBefore" => self.page_break_before = Some(child.on()),
            "bidi" => self.right_to_left = Some(child.on()),
            "outlineLvl" => self.outline = child.val().and_then(|level| level.parse().ok()),
            "shd" => self.shading = child.get("fill").map(|fill| fill.to_ascii_uppercase()),
            "pBdr" => {
                let mut sides = String::new();
                each_child(child.whole, |side| {
                    sides += &format!("{}:{} ", side.name, side.val().or_empty());
                });
                self.borders = Some(sides.trim_end().to_owned());
            }
            "sectPr" => self.section = true,
            "rPr" => {
                self.mark = RunProps::read(child.whole);
                each_child(child.whole, |inner| match inner.name {
                    "ins" | "moveTo" => self.mark_inserted = true,
                    "del" | "moveFrom" => self.mark_deleted = true,
                    _ => {}
                });
            }
            _ => {}
        }
    }
}

/// A child element: its local name, its start tag, and all of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child<'a> {
    pub(crate) name: &'a str,
    pub(crate) tag: &'a [u8],
    pub(crate) whole: &'a [u8],
}

impl Child<'_> {
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        attribute(self.tag, name).map(|value| value.into_owned())
    }

    pub(crate) fn val(&self) -> Option<String> {
        self.get("val")
    }

    /// Whether a property that is on by being there is on.
    pub(crate) fn on(&self) -> bool {
        self.val().is_none_or(|value| is_on(&value))
    }
}

/// Visits the child elements of an element. Only for bytes that were checked before: what does not nest ends
/// the visit.
pub(crate) fn each_child<'a>(element: &'a [u8], mut visit: impl FnMut(Child<'a>)) {
    let mut scan = Scan::new(element, Arc::new(Scope::default()));
    while let Ok(Some(piece)) = scan.next() {
        let (tag, end) = match piece {
            ScanEvent::Start(tag) if scan.depth() == 2 => match scan.skip() {
                Ok(end) => (tag, end),
                Err(_) => return,
            },
            ScanEvent::Empty(tag) if scan.depth() == 1 => (tag, tag.end),
            _ => continue,
        };
        let source = element.part(tag.start..tag.end);
        let whole = element.part(tag.start..end);
        visit(Child { name: local_name(source), tag: source, whole });
    }
}

fn local_name(tag: &[u8]) -> &str {
    let name = tag.left(1);
    let end = name.iter().position(|byte| matches!(byte, b' ' | b'/' | b'>' | b'\t' | b'\r' | b'\n'));
    let name = name.part(..end.unwrap_or(name.len()));
    let colon = memchr::memchr(b':', name).map_or(0, |colon| colon + 1);
    std::str::from_utf8(name.left(colon)).unwrap_or_default()
}

/// A measure in twips: a number, or a number with a unit as the strict format writes it.
fn twips(value: &str) -> Option<i32> {
    let value = value.trim();
    if let Ok(number) = value.parse::<f64>() {
        return Some(number as i32);
    }
    let unit = value.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = value.split_at(unit);
    let number: f64 = number.parse().ok()?;
    let factor = match unit {
        "pt" => 20.0,
        "in" => 1440.0,
        "cm" => 567.0,
        "mm" => 56.7,
        "pc" | "pi" => 240.0,
        _ => return None,
    };
    Some((number * factor).round() as i32)
}

fn half_points(value: &str) -> Option<u32> {
    match value.strip_suffix("pt") {
        Some(points) => points.trim().parse::<f64>().ok().map(|points| (points * 2.0).round() as u32),
        None => value.trim().parse::<f64>().ok().map(|size| size as u32),
    }
}

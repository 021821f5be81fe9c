//! Colours as they are drawn: themes, tints, the old palette and the colours of drawings.

use std::fmt;

use edit::Refusal;
use ooxml::xml::{Node, ns};
use serde::{Serialize, Serializer};

use crate::file::styles::Color;
use crate::file::workbook::{number, string};
use crate::read::book::Book;

/// Red, green and blue. Written `#RRGGBB`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    pub const BLACK: Rgb = Rgb(0, 0, 0);
    pub const WHITE: Rgb = Rgb(255, 255, 255);

    /// Between this colour and another, 0 to 1.
    pub fn toward(self, other: Rgb, part: f64) -> Rgb {
        let part = part.clamp(0.0, 1.0);
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// Lightened (up to 1) or darkened (down to -1) as Excel does it: by lightness, keeping the hue.
    pub fn tinted(self, tint: f64) -> Rgb {
        if tint == 0.0 || !tint.is_finite() {
            return self;
        }
        let tint = tint.clamp(-1.0, 1.0);
        self.with_hsl(|h, s, l| (h, s, if tint < 0.0 { l * (1.0 + tint) } else { l * (1.0 - tint) + tint }))
    }

    pub(crate) fn with_hsl(self, change: impl Fn(f64, f64, f64) -> (f64, f64, f64)) -> Rgb {
        let (h, s, l) = self.hsl();
        let (h, s, l) = change(h, s, l);
        Rgb::from_hsl(h, s.clamp(0.0, 1.0), l.clamp(0.0, 1.0))
    }

    fn hsl(self) -> (f64, f64, f64) {
        let [r, g, b] = [self.0, self.1, self.2].map(|part| f64::from(part) / 255.0);
        let (high, low) = (r.max(g).max(b), r.min(g).min(b));
        let (l, spread) = ((high + low) / 2.0, high - low);
        if spread == 0.0 {
            return (0.0, 0.0, l);
        }
        let s = if l > 0.5 { spread / (2.0 - high - low) } else { spread / (high + low) };
        let h = if high == r {
            ((g - b) / spread).rem_euclid(6.0)
        } else if high == g {
            (b - r) / spread + 2.0
        } else {
            (r - g) / spread + 4.0
        };
        (h / 6.0, s, l)
    }

    fn from_hsl(h: f64, s: f64, l: f64) -> Rgb {
        let spread = (1.0 - (2.0 * l - 1.0).abs()) * s;
        let sixth = h.rem_euclid(1.0) * 6.0;
        let middle = spread * (1.0 - (sixth % 2.0 - 1.0).abs());
        let (r, g, b) = match sixth as u32 {
            0 => (spread, middle, 0.0),
            1 => (middle, spread, 0.0),
            2 => (0.0, spread, middle),
            3 => (0.0, middle, spread),
            4 => (middle, 0.0, spread),
            _ => (spread, 0.0, middle),
        };
        let low = l - spread / 2.0;
        let part = |value: f64| ((value + low) * 255.0).round().clamp(0.0, 255.0) as u8;
        Rgb(part(r), part(g), part(b))
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

impl Serialize for Rgb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A colour of a drawing and how much it covers, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ink {
    pub color: Rgb,
    pub cover: f64,
}

impl From<Rgb> for Ink {
    fn from(color: Rgb) -> Ink {
        Ink { color, cover: 1.0 }
    }
}

/// What the colours of a workbook mean, and the fonts its theme names.
#[derive(Clone, Debug)]
pub struct Palette {
    /// In the order that cells count them: light 1, dark 1, light 2, dark 2, six accents, two links.
    theme: [Rgb; 12],
    /// Colours of the old palette, where the workbook has its own.
    indexed: Vec<Rgb>,
    pub major_font: Option<String>,
    pub minor_font: Option<String>,
}

/// The theme of Office from 2013 on, for workbooks without one.
const OFFICE: [Rgb; 12] = [
    Rgb::WHITE,
    Rgb::BLACK,
    Rgb(0xE7, 0xE6, 0xE6),
    Rgb(0x44, 0x54, 0x6A),
    Rgb(0x44, 0x72, 0xC4),
    Rgb(0xED, 0x7D, 0x31),
    Rgb(0xA5, 0xA5, 0xA5),
    Rgb(0xFF, 0xC0, 0x00),
    Rgb(0x5B, 0x9B, 0xD5),
    Rgb(0x70, 0xAD, 0x47),
    Rgb(0x05, 0x63, 0xC1),
    Rgb(0x95, 0x4F, 0x72),
];

/// The names of the colours of a theme in the order that cells count them.
const SLOTS: [&str; 12] = [
    "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink",
    "folHlink",
];

impl Default for Palette {
    fn default() -> Palette {
        Palette { theme: OFFICE, indexed: Vec::new(), major_font: None, minor_font: None }
    }
}

impl Book {
    /// The colours and fonts of the theme, and the old palette.
    pub fn palette(&self) -> Result<Palette, Refusal> {
        let mut palette = Palette::default();
        let kind = format!("{}/theme", ns::R);
        let part = self.workbook.relationships.of_kind(&kind).find_map(|r| r.part.clone());
        if let Some(part) = part.filter(|part| self.content.contains(part)) {
            // A theme that cannot be read is as good as none.
            if let Ok(document) = ooxml::read_xml(&self.content, &part) {
                palette.read_theme(document.root());
            }
        }
        if let Some(styles) = self.styles()? {
            let colors = styles.document.root().child(ns::S, "colors");
            let own = colors.and_then(|node| node.child(ns::S, "indexedColors"));
            for node in own.iter().flat_map(|list| list.elements()) {
                palette.indexed.push(string(&node, "rgb").and_then(|text| hex(&text)).unwrap_or(Rgb::BLACK));
            }
        }
        Ok(palette)
    }
}

impl Palette {
    fn read_theme(&mut self, root: Node<'_>) {
        let Some(elements) = root.child(ns::A, "themeElements") else { return };
        let scheme = elements.child(ns::A, "clrScheme");
        for (slot, name) in self.theme.iter_mut().zip(SLOTS) {
            let node = scheme.and_then(|scheme| scheme.child(ns::A, name));
            let found = node.and_then(|node| node.elements().find_map(|node| plain(&node)));
            if let Some(found) = found {
                *slot = found;
            }
        }
        let fonts = elements.child(ns::A, "fontScheme");
        let latin = |name: &str| {
            let font = fonts?.child(ns::A, name)?.child(ns::A, "latin")?;
            string(&font, "typeface").filter(|name| !name.is_empty())
        };
        (self.major_font, self.minor_font) = (latin("majorFont"), latin("minorFont"));
    }

    /// A colour of a cell; `None` where it is left to the program.
    pub fn color(&self, color: &Color) -> Option<Rgb> {
        match color {
            Color::Rgb(text) => hex(text),
            Color::Theme { index, tint } => self.theme.get(*index as usize).map(|color| color.tinted(*tint)),
            Color::Indexed(index) => self.indexed(*index),
            Color::Automatic => None,
        }
    }

    /// The colours that number formats call `[Color1]` to `[Color56]`.
    pub fn numbered(&self, number: u8) -> Option<Rgb> {
        self.indexed(u32::from(number) + 7)
    }

    fn indexed(&self, index: u32) -> Option<Rgb> {
        if index >= 64 {
            return None;
        }
        let own = self.indexed.get(index as usize).copied();
        own.or_else(|| {
            let bits = *OLD.get(if index < 8 { index } else { index - 8 } as usize)?;
            Some(Rgb((bits >> 16) as u8, (bits >> 8) as u8, bits as u8))
        })
    }

    /// One of the six accents, counted from zero and round again.
    pub fn accent(&self, index: usize) -> Rgb {
        self.theme.get(4 + index % 6).copied().unwrap_or_default()
    }

    /// A colour of the theme by the name that drawings use.
    pub fn scheme(&self, name: &str) -> Option<Rgb> {
        let name = match name {
            "tx1" => "dk1",
            "bg1" => "lt1",
            "tx2" => "dk2",
            "bg2" => "lt2",
            other => other,
        };
        self.theme.get(SLOTS.iter().position(|slot| *slot == name)?).copied()
    }

    /// A colour of a drawing (`srgbClr`, `schemeClr` and so on) with what is done to it.
    pub(crate) fn ink(&self, node: &Node<'_>) -> Option<Ink> {
        let color = match node.name().local {
            "schemeClr" => self.scheme(&string(node, "val")?)?,
            _ => plain(node)?,
        };
        let mut ink = Ink::from(color);
        for change in node.elements() {
            let Some(amount) = number_of(&change) else { continue };
            let part = amount / 100_000.0;
            ink.color = match change.name().local {
                "lumMod" => ink.color.with_hsl(|h, s, l| (h, s, l * part)),
                "lumOff" => ink.color.with_hsl(|h, s, l| (h, s, l + part)),
                "satMod" => ink.color.with_hsl(|h, s, l| (h, s * part, l)),
                "shade" => Rgb::BLACK.toward(ink.color, part),
                "tint" => Rgb::WHITE.toward(ink.color, part),
                "alpha" => {
                    ink.cover = part.clamp(0.0, 1.0);
                    ink.color
                }
                _ => ink.color,
            };
        }
        Some(ink)
    }

    /// The colour inside an element such as `solidFill`.
    pub(crate) fn ink_inside(&self, node: &Node<'_>) -> Option<Ink> {
        node.elements().find_map(|child| self.ink(&child))
    }
}

fn number_of(node: &Node<'_>) -> Option<f64> {
    let text = string(node, "val")?;
    let text = text.trim();
    match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|number| number * 1000.0),
        None => text.parse().ok(),
    }
}

/// A colour that says itself what it is.
fn plain(node: &Node<'_>) -> Option<Rgb> {
    match node.name().local {
        "srgbClr" => hex(&string(node, "val")?),
        "sysClr" => string(node, "lastClr").and_then(|text| hex(&text)).or_else(|| {
            Some(if string(node, "val")?.starts_with("window") { Rgb::WHITE } else { Rgb::BLACK })
        }),
        "scrgbClr" => {
            let part = |name| Some((f64::from(number(node, name)?) / 100_000.0 * 255.0).min(255.0) as u8);
            Some(Rgb(part("r")?, part("g")?, part("b")?))
        }
        "prstClr" => {
            let name = string(node, "val")?;
            NAMED
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, bits)| Rgb((bits >> 16) as u8, (bits >> 8) as u8, *bits as u8))
        }
        _ => None,
    }
}

/// Six digits, or eight of which the first two say how much is covered (which cells ignore).
fn hex(text: &str) -> Option<Rgb> {
    let text = text.trim().trim_start_matches('#');
    let digits = if text.len() == 8 { text.get(2..)? } else { text };
    if digits.len() != 6 {
        return None;
    }
    let bits = u32::from_str_radix(digits, 16).ok()?;
    Some(Rgb((bits >> 16) as u8, (bits >> 8) as u8, bits as u8))
}

/// Colours 8 to 63 of the old palette; 0 to 7 are the first eight again.
const OLD: [u32; 56] = [
    0x000000, 0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF, 0x800000, 0x008000,
    0x000080, 0x808000, 0x800080, 0x008080, 0xC0C0C0, 0x808080, 0x9999FF, 0x993366, 0xFFFFCC, 0xCCFFFF,
    0x660066, 0xFF8080, 0x0066CC, 0xCCCCFF, 0x000080, 0xFF00FF, 0xFFFF00, 0x00FFFF, 0x800080, 0x800000,
    0x008080, 0x0000FF, 0x00CCFF, 0xCCFFFF, 0xCCFFCC, 0xFFFF99, 0x99CCFF, 0xFF99CC, 0xCC99FF, 0xFFCC99,
    0x3366FF, 0x33CCCC, 0x99CC00, 0xFFCC00, 0xFF9900, 0xFF6600, 0x666699, 0x969696, 0x003366, 0x339966,
    0x003300, 0x333300, 0x993300, 0x993366, 0x333399, 0x333333,
];

/// The names that drawings use most.
const NAMED: &[(&str, u32)] = &[
    ("black", 0x000000),
    ("white", 0xFFFFFF),
    ("red", 0xFF0000),
    ("green", 0x008000),
    ("lime", 0x00FF00),
    ("blue", 0x0000FF),
    ("yellow", 0xFFFF00),
    ("cyan", 0x00FFFF),
    ("magenta", 0xFF00FF),
    ("gray", 0x808080),
    ("grey", 0x808080),
    ("ltGray", 0xD3D3D3),
    ("lightGray", 0xD3D3D3),
    ("dkGray", 0xA9A9A9),
    ("darkGray", 0xA9A9A9),
    ("silver", 0xC0C0C0),
    ("maroon", 0x800000),
    ("navy", 0x000080),
    ("orange", 0xFFA500),
    ("purple", 0x800080),
    ("teal", 0x008080),
    ("brown", 0xA52A2A),
    ("pink", 0xFFC0CB),
    ("gold", 0xFFD700),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_are_those_of_excel() {
        // What Excel shows for the lighter and darker shades of its blue accent.
        for (tint, wanted) in [
            (0.799_981_688_894_314_4, "#D9E2F3"),
            (0.599_993_896_298_104_8, "#B4C7E7"),
            (0.399_975_585_192_419_2, "#8FAADC"),
            (-0.249_977_111_117_893_2, "#2F5597"),
        ] {
            let Rgb(r, g, b) = Rgb(0x44, 0x72, 0xC4).tinted(tint);
            let near = hex(wanted).unwrap();
            let far = r.abs_diff(near.0).max(g.abs_diff(near.1)).max(b.abs_diff(near.2));
            assert!(far <= 1, "{tint}: {} is not {wanted}", Rgb(r, g, b));
        }
        assert_eq!(Rgb::WHITE.tinted(-0.15).to_string(), "#D9D9D9");
        assert_eq!(Rgb::BLACK.tinted(0.5).to_string(), "#808080");
    }

    #[test]
    fn the_old_palette_repeats_its_first_eight() {
        let palette = Palette::default();
        assert_eq!(palette.color(&Color::Indexed(2)), palette.color(&Color::Indexed(10)));
        assert_eq!(palette.color(&Color::Indexed(10)), Some(Rgb(255, 0, 0)));
        assert_eq!(palette.color(&Color::Indexed(64)), None);
        assert_eq!(palette.numbered(3), Some(Rgb(255, 0, 0)));
    }
}

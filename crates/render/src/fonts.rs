//! The fonts that pictures are drawn with: twenty faces in the program, and those that a caller brings.
//!
//! Plain letters need no shaper: Excel neither kerns nor joins them, so that a text is as wide as its letters. Scripts
//! whose letters join, move or run to the left go through one. Faces are unpacked when they are first needed and kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use sheet::resolved::LookFont;
use sheet::resolved::metrics::{Family, Likeness, PIXELS_PER_POINT};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use tiny_skia::{Path, PathBuilder};
use zlib_rs::{Inflate, InflateFlush, Status};

macro_rules! face {
    ($name:literal, $size:literal) => {
        (include_bytes!(concat!("../fonts/", $name, ".ttf.z")).as_slice(), $size)
    };
}

/// Packed faces and their sizes unpacked, as [`Family::ALL`] counts them: regular, bold, italic, both.
const PACKED: [(&[u8], usize); 20] = [
    face!("Carlito-Regular", 635_996),
    face!("Carlito-Bold", 690_516),
    face!("Carlito-Italic", 623_416),
    face!("Carlito-BoldItalic", 816_716),
    face!("Caladea-Regular", 81_600),
    face!("Caladea-Bold", 84_492),
    face!("Caladea-Italic", 83_780),
    face!("Caladea-BoldItalic", 83_356),
    face!("LiberationSans-Regular", 410_712),
    face!("LiberationSans-Bold", 414_456),
    face!("LiberationSans-Italic", 415_816),
    face!("LiberationSans-BoldItalic", 408_996),
    face!("LiberationSerif-Regular", 393_576),
    face!("LiberationSerif-Bold", 370_096),
    face!("LiberationSerif-Italic", 375_632),
    face!("LiberationSerif-BoldItalic", 376_772),
    face!("LiberationMono-Regular", 319_508),
    face!("LiberationMono-Bold", 307_996),
    face!("LiberationMono-Italic", 281_536),
    face!("LiberationMono-BoldItalic", 284_068),
];

static UNPACKED: [OnceLock<Option<Vec<u8>>>; 20] = [const { OnceLock::new() }; 20];

/// A face: one of the program's, or behind them one of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Face(usize);

impl Face {
    fn of(family: Family, bold: bool, italic: bool) -> Face {
        Face(family as usize * 4 + usize::from(bold) + 2 * usize::from(italic))
    }
}

fn embedded(index: usize) -> Option<&'static [u8]> {
    let unpacked = UNPACKED.get(index)?.get_or_init(|| {
        let (packed, size) = PACKED.get(index)?;
        let mut bytes = vec![0; *size];
        let mut inflate = Inflate::new(true, 15);
        match inflate.decompress(packed, &mut bytes, InflateFlush::Finish) {
            Ok(Status::StreamEnd) if inflate.total_out() == *size as u64 => Some(bytes),
            _ => None,
        }
    });
    unpacked.as_deref()
}

/// A glyph and where it stands from the start of its line, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    pub(crate) face: Face,
    pub(crate) id: u16,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A text as glyphs of one size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shaped {
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) width: f32,
}

/// The fonts of one picture, and what was learnt of them while drawing it.
pub(crate) struct Fonts {
    extra: Vec<Arc<[u8]>>,
    letters: HashMap<(Face, char), Option<(u16, f32)>>,
    outlines: HashMap<(Face, u16), Option<Arc<Path>>>,
    substituted: BTreeMap<String, Family>,
    missing: BTreeSet<char>,
}

impl Fonts {
    pub(crate) fn new(extra: &[Arc<[u8]>]) -> Fonts {
        Fonts {
            extra: extra.iter().filter(|bytes| FontRef::new(bytes).is_ok()).cloned().collect(),
            letters: HashMap::new(),
            outlines: HashMap::new(),
            substituted: BTreeMap::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Fonts that others stand for without having their widths.
    pub(crate) fn substituted(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.substituted.iter().map(|(name, family)| (name.as_str(), family.name()))
    }

    /// Characters that no font has.
    pub(crate) fn missing(&self) -> &BTreeSet<char> {
        &self.missing
    }

    fn bytes(&self, face: Face) -> Option<&[u8]> {
        match face.0.checked_sub(PACKED.len()) {
            None => embedded(face.0),
            Some(index) => self.extra.get(index).map(|bytes| &**bytes),
        }
    }

    /// Letters of a font in a line, `size` pixels high.
    pub(crate) fn shape(&mut self, text: &str, font: &LookFont, size: f32) -> Shaped {
        let (family, likeness) = Family::of(&font.name);
        if likeness == Likeness::SameKind && !text.trim().is_empty() {
            self.substituted.entry(font.name.clone()).or_insert(family);
        }
        let face = Face::of(family, font.bold, font.italic);
        if text.chars().any(is_complex) {
            return self.shape_complex(text, face, font, size);
        }
        let mut shaped = Shaped::default();
        for character in text.chars() {
            let (face, id, advance) = self.letter(face, font, character);
            shaped.glyphs.push(Glyph { face, id, x: shaped.width, y: 0.0 });
            shaped.width += advance * size;
        }
        shaped
    }

    pub(crate) fn width(&mut self, text: &str, font: &LookFont, size: f32) -> f32 {
        if text.chars().any(is_complex) {
            return self.shape(text, font, size).width;
        }
        let face = Face::of(Family::of(&font.name).0, font.bold, font.italic);
        text.chars().map(|character| self.letter(face, font, character).2 * size).sum()
    }

    /// The width with each letter a whole number of pixels wide, as Excel counts what fits into a cell.
    pub(crate) fn whole_width(&mut self, text: &str, font: &LookFont, size: f32) -> f32 {
        let face = Face::of(Family::of(&font.name).0, font.bold, font.italic);
        text.chars().map(|character| (self.letter(face, font, character).2 * size).round()).sum()
    }

    /// The glyph of a character, from the first face that has it, and its width in parts of the size.
    fn letter(&mut self, face: Face, font: &LookFont, character: char) -> (Face, u16, f32) {
        // Before the face is asked: some have a picture for what says only how its neighbour is drawn.
        if character.is_control() || is_invisible(character) {
            let blank = self.own_letter(face, ' ').map_or(3, |(id, _)| id);
            return (face, blank, 0.0);
        }
        if let Some((id, advance)) = self.own_letter(face, character) {
            return (face, id, advance);
        }
        let others = [
            Face::of(Family::LiberationSans, font.bold, font.italic),
            Face::of(Family::Carlito, font.bold, font.italic),
            Face::of(Family::LiberationSans, false, false),
        ];
        let extra = (0..self.extra.len()).map(|index| Face(PACKED.len() + index));
        for other in others.into_iter().chain(extra) {
            if let Some((id, advance)) = self.own_letter(other, character) {
                return (other, id, advance);
            }
        }
        self.missing.insert(character);
        let wide = Family::LiberationSans.advance(font.bold, font.italic, character);
        (Face::of(Family::LiberationSans, false, false), 0, wide as f32)
    }

    fn own_letter(&mut self, face: Face, character: char) -> Option<(u16, f32)> {
        if let Some(known) = self.letters.get(&(face, character)) {
            return *known;
        }
        let found = self.bytes(face).and_then(|bytes| {
            let font = FontRef::new(bytes).ok()?;
            let id = font.charmap().map(character).filter(|id| id.to_u32() != 0)?;
            let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
            Some((u16::try_from(id.to_u32()).ok()?, metrics.advance_width(id).unwrap_or(0.0)))
        });
        self.letters.insert((face, character), found);
        found
    }

    /// Runs in the order in which they are read, each through the shaper.
    fn shape_complex(&mut self, text: &str, face: Face, font: &LookFont, size: f32) -> Shaped {
        let mut shaped = Shaped::default();
        let bidi = unicode_bidi::BidiInfo::new(text, None);
        for paragraph in &bidi.paragraphs {
            let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
            for run in runs {
                let to_left = levels.get(run.start).is_some_and(|level| level.is_rtl());
                let Some(piece) = text.get(run) else { continue };
                self.shape_run(piece, to_left, face, font, size, &mut shaped);
            }
        }
        shaped
    }

    fn shape_run(
        &mut self,
        text: &str,
        to_left: bool,
        face: Face,
        font: &LookFont,
        size: f32,
        shaped: &mut Shaped,
    ) {
        // Of a run that no face has whole, the face of its first letter has to do.
        let first = text.chars().find(|letter| !letter.is_whitespace());
        let face = first.map_or(face, |letter| self.letter(face, font, letter).0);
        let Some(glyphs) = self.bytes(face).and_then(|bytes| run_glyphs(bytes, text, to_left)) else {
            return;
        };
        if glyphs.iter().any(|glyph| glyph.0 == 0) {
            for letter in text.chars().filter(|letter| !letter.is_whitespace() && !is_invisible(*letter)) {
                self.letter(face, font, letter);
            }
        }
        for (id, advance, x, y) in glyphs {
            let at = shaped.width;
            shaped.glyphs.push(Glyph { face, id, x: at + x * size, y: -y * size });
            shaped.width += advance * size;
        }
    }

    /// The outline of a glyph for a font of one pixel, the line at zero, downwards positive.
    pub(crate) fn outline(&mut self, face: Face, id: u16) -> Option<Arc<Path>> {
        if let Some(known) = self.outlines.get(&(face, id)) {
            return known.clone();
        }
        let found = self.bytes(face).and_then(|bytes| {
            let font = FontRef::new(bytes).ok()?;
            let outline = font.outline_glyphs().get(GlyphId::new(u32::from(id)))?;
            let mut pen = Pen(PathBuilder::new());
            outline.draw(DrawSettings::unhinted(Size::new(1.0), LocationRef::default()), &mut pen).ok()?;
            pen.0.finish().map(Arc::new)
        });
        self.outlines.insert((face, id), found.clone());
        found
    }
}

/// Glyphs of a run with their advances and offsets, in parts of the size.
fn run_glyphs(bytes: &[u8], text: &str, to_left: bool) -> Option<Vec<(u16, f32, f32, f32)>> {
    let font = harfrust::FontRef::new(bytes).ok()?;
    let data = harfrust::ShaperData::new(&font);
    let shaper = data.shaper(&font).build();
    let mut buffer = harfrust::UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(if to_left {
        harfrust::Direction::RightToLeft
    } else {
        harfrust::Direction::LeftToRight
    });
    let em = shaper.units_per_em().max(1) as f32;
    let out = shaper.shape(buffer, harfrust::ShapeOptions::new());
    let glyphs = out.glyph_infos().iter().zip(out.glyph_positions()).map(|(glyph, place)| {
        let part = |units: i32| units as f32 / em;
        let id = u16::try_from(glyph.glyph_id).unwrap_or(0);
        (id, part(place.x_advance), part(place.x_offset), part(place.y_offset))
    });
    Some(glyphs.collect())
}

/// Whether a font file has at least one of these characters.
pub fn has_any(font: &[u8], characters: &str) -> bool {
    FontRef::new(font)
        .is_ok_and(|font| characters.chars().any(|character| font.charmap().map(character).is_some()))
}

/// Letters that join, move or run to the left.
pub(crate) fn is_complex(character: char) -> bool {
    matches!(u32::from(character), 0x300..=0x36F | 0x590..=0x8FF | 0x900..=0x109F | 0x1780..=0x17FF | 0x200E..=0x200F
        | 0x202A..=0x202E | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF)
}

fn is_invisible(character: char) -> bool {
    matches!(u32::from(character), 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x2064 | 0xFE00..=0xFE0F
        | 0xFEFF | 0x1F3FB..=0x1F3FF | 0xE0000..=0xE01EF)
}

/// The size of a font in pixels at 96 to the inch.
pub(crate) fn pixels(font: &LookFont) -> f32 {
    (font.size * PIXELS_PER_POINT) as f32
}

/// How far letters of a font reach above and below their line, in pixels.
pub(crate) fn reach(font: &LookFont) -> (f32, f32) {
    let (above, below) = Family::of(&font.name).0.reach();
    (above as f32 * pixels(font), below as f32 * pixels(font))
}

struct Pen(PathBuilder);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, -y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, -y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(cx, -cy, x, -y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.0.cubic_to(ax, -ay, bx, -by, x, -y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widths_known_without_drawing_are_those_of_the_fonts() {
        let mut fonts = Fonts::new(&[]);
        for family in Family::ALL {
            for (bold, italic) in [(false, false), (true, false), (false, true), (true, true)] {
                let face = Face::of(family, bold, italic);
                for character in (0x20..0x180).filter_map(char::from_u32) {
                    let Some((_, advance)) = fonts.own_letter(face, character) else { continue };
                    let known = family.advance(bold, italic, character) as f32;
                    assert!((known - advance).abs() < 0.001, "{family:?} {bold} {italic} {character:?}");
                }
            }
        }
    }

    #[test]
    fn hebrew_runs_to_the_left_and_unknown_letters_are_told() {
        let mut fonts = Fonts::new(&[]);
        let font = LookFont::default();
        let shaped = fonts.shape("אב", &font, 10.0);
        assert_eq!(shaped.glyphs.len(), 2);
        let first = fonts.shape("א", &font, 10.0).glyphs.first().map(|glyph| glyph.id);
        assert_eq!(shaped.glyphs.last().map(|glyph| glyph.id), first);
        assert!(fonts.missing().is_empty());
        fonts.shape("中", &font, 10.0);
        assert!(fonts.missing().contains(&'中'));
    }
}

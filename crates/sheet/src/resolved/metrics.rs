//! How wide texts and how high lines are, without drawing: for widths of columns, heights of rows and clipped texts.
//!
//! The widths are those of the open fonts that pictures are drawn with, which are as wide as the fonts of Office that
//! they stand for. `advances.bin` has 352 characters from the blank on for each of twenty faces, as 16-bit numbers in
//! 1/2048 of the font's size, lowest byte first; a test of `render` holds it against the fonts. Other characters are
//! estimated, which is enough to fit a column.

use super::look::LookFont;

const ADVANCES: &[u8] = include_bytes!("advances.bin");
const FIRST: u32 = 0x20;
const COUNT: usize = 352;
/// Pixels of a point, at the resolution that Excel counts widths in.
pub const PIXELS_PER_POINT: f64 = 96.0 / 72.0;

/// The open fonts that stand for those of Office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Calibri.
    Carlito,
    /// Cambria.
    Caladea,
    /// Arial and Helvetica.
    LiberationSans,
    /// Times New Roman.
    LiberationSerif,
    /// Courier New.
    LiberationMono,
}

/// How well a family stands for the font that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Every letter is as wide.
    SameWidths,
    /// Only its kind is the same.
    SameKind,
}

impl Family {
    pub const ALL: [Family; 5] = [
        Family::Carlito,
        Family::Caladea,
        Family::LiberationSans,
        Family::LiberationSerif,
        Family::LiberationMono,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Carlito => "Carlito",
            Family::Caladea => "Caladea",
            Family::LiberationSans => "Liberation Sans",
            Family::LiberationSerif => "Liberation Serif",
            Family::LiberationMono => "Liberation Mono",
        }
    }

    /// The family that stands for a font.
    pub fn of(font: &str) -> (Family, Likeness) {
        let name = font.trim().to_lowercase();
        let same = [
            ("calibri", Family::Carlito),
            ("carlito", Family::Carlito),
            ("cambria", Family::Caladea),
            ("caladea", Family::Caladea),
            ("arial", Family::LiberationSans),
            ("helvetica", Family::LiberationSans),
            ("liberation sans", Family::LiberationSans),
            ("times new roman", Family::LiberationSerif),
            ("times", Family::LiberationSerif),
            ("liberation serif", Family::LiberationSerif),
            ("courier new", Family::LiberationMono),
            ("courier", Family::LiberationMono),
            ("liberation mono", Family::LiberationMono),
        ];
        if let Some((_, family)) = same.iter().find(|(known, _)| *known == name) {
            return (*family, Likeness::SameWidths);
        }
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let family = if has(&["mono", "courier", "consol", "code", "menlo", "terminal", "typewriter"]) {
            Family::LiberationMono
        } else if has(&["cambria"]) {
            Family::Caladea
        } else if has(&[
            "arial",
            "helvet",
            "verdana",
            "tahoma",
            "segoe",
            "gothic",
            "dejavu sans",
            "open sans",
            "roboto",
        ]) {
            Family::LiberationSans
        } else if has(&[
            "times", "serif", "roman", "georgia", "garamond", "palatino", "book", "minion", "song", "mincho",
        ]) && !has(&["sans"])
        {
            Family::LiberationSerif
        } else {
            Family::Carlito
        };
        (family, Likeness::SameKind)
    }

    /// How far letters reach above and below their line, in parts of the font's size.
    pub fn reach(self) -> (f64, f64) {
        match self {
            Family::Carlito => (1950.0 / 2048.0, 550.0 / 2048.0),
            Family::Caladea => (0.95, 0.222),
            Family::LiberationSans => (1854.0 / 2048.0, 434.0 / 2048.0),
            Family::LiberationSerif => (1825.0 / 2048.0, 443.0 / 2048.0),
            Family::LiberationMono => (1705.0 / 2048.0, 615.0 / 2048.0),
        }
    }

    /// The width of a character in parts of the font's size.
    pub fn advance(self, bold: bool, italic: bool, character: char) -> f64 {
        let face = self as usize * 4 + usize::from(bold) + 2 * usize::from(italic);
        let code = u32::from(character);
        let known = code.checked_sub(FIRST).map(|index| index as usize).filter(|index| *index < COUNT);
        let units = known.and_then(|index| {
            let at = (face * COUNT + index) * 2;
            let bytes = ADVANCES.get(at..at + 2)?;
            Some(u16::from_le_bytes([*bytes.first()?, *bytes.get(1)?]))
        });
        match units {
            Some(units) if units > 0 || code < 0x7F => f64::from(units) / 2048.0,
            // Chinese, Japanese and Korean letters fill a square.
            _ if (0x1100..0x1200).contains(&code) || (0x2E80..0xD7B0).contains(&code) || code >= 0x1F300 => {
                1.0
            }
            _ if (0xFF00..0xFF61).contains(&code) => 1.0,
            // Marks stand on the letter before.
            _ if (0x300..0x370).contains(&code) || (0x200B..0x2010).contains(&code) => 0.0,
            _ => 0.55,
        }
    }
}

/// The width of a line of text in pixels at 96 to the inch.
pub fn text_width(font: &LookFont, text: &str) -> f64 {
    let (family, _) = Family::of(&font.name);
    let size = font.size * PIXELS_PER_POINT;
    text.chars().map(|character| family.advance(font.bold, font.italic, character) * size).sum()
}

/// The height of a line of text in pixels at 96 to the inch, as Excel makes rows for it.
pub fn line_height(font: &LookFont) -> f64 {
    let (above, below) = Family::of(&font.name).0.reach();
    ((above + below) * font.size * PIXELS_PER_POINT).round().max(1.0)
}

/// The width of the widest digit in whole pixels, which Excel counts widths of columns in.
pub fn digit_width(normal: &LookFont) -> f64 {
    if is_of_squares(&normal.name) {
        // A digit is half a square, in whole pixels: 8 for 11 and 12 points.
        return (normal.size * PIXELS_PER_POINT / 2.0).ceil().max(1.0);
    }
    let (family, _) = Family::of(&normal.name);
    let widest =
        ('0'..='9').map(|digit| family.advance(normal.bold, normal.italic, digit)).fold(0.0, f64::max);
    (widest * normal.size * PIXELS_PER_POINT).round().max(1.0)
}

/// Whether a font is made for Chinese, Japanese or Korean, whose letters fill squares.
fn is_of_squares(font: &str) -> bool {
    const LATIN: [&str; 14] = [
        "gothic", "mincho", "simsun", "simhei", "mingliu", "dengxian", "meiryo", "malgun", "gulim", "dotum",
        "batang", "yahei", "jhenghei", "fangsong",
    ];
    let name = font.to_lowercase();
    // Century Gothic and Franklin Gothic are Latin.
    let latin =
        ["century", "franklin", "letter", "copperplate", "news"].iter().any(|word| name.contains(word));
    name.chars().any(|letter| u32::from(letter) >= 0x2E80)
        || !latin && LATIN.iter().any(|word| name.contains(word))
}

/// Pixels of a column whose width the file gives in characters, margins included.
pub fn column_pixels(width: f64, digit: f64) -> f64 {
    if !width.is_finite() || width <= 0.0 {
        return 0.0;
    }
    ((256.0 * width.min(255.0) + (128.0 / digit).trunc()) / 256.0 * digit).trunc()
}

/// Pixels of a column of which nothing is said: eight characters, margins, and up to the next eight pixels.
pub fn default_column_pixels(base: u32, digit: f64) -> f64 {
    let margins = 2.0 * (digit / 4.0).ceil() + 1.0;
    ((f64::from(base.min(255)) * digit + margins) / 8.0).ceil() * 8.0
}

/// The width that a file gives for a column of so many pixels.
pub fn width_of_pixels(pixels: f64, digit: f64) -> f64 {
    (pixels / digit * 256.0).trunc() / 256.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_in_excel() {
        let normal = LookFont::default();
        assert_eq!(digit_width(&normal), 7.0);
        assert_eq!(digit_width(&LookFont { name: "Arial".into(), size: 10.0, ..LookFont::default() }), 7.0);
        assert_eq!(default_column_pixels(8, 7.0), 64.0);
        for name in ["ＭＳ Ｐゴシック", "宋体", "MS PGothic", "Yu Gothic", "맑은 고딕"] {
            assert_eq!(digit_width(&LookFont { name: name.into(), ..LookFont::default() }), 8.0, "{name}");
        }
        assert_eq!(default_column_pixels(8, 8.0), 72.0);
        for (width, pixels) in
            [(8.7109375, 61.0), (9.140625, 64.0), (10.7109375, 75.0), (0.0, 0.0), (50.7109375, 355.0)]
        {
            assert_eq!(column_pixels(width, 7.0), pixels, "{width}");
        }
        assert_eq!(width_of_pixels(64.0, 7.0), 9.140625);
    }

    #[test]
    fn rows_are_as_high_as_in_excel() {
        // Excel's rows are two pixels higher than their lines: 20 for Calibri 11, 17 for Arial 10.
        assert_eq!(line_height(&LookFont::default()), 18.0);
        assert_eq!(line_height(&LookFont { name: "Arial".into(), size: 10.0, ..LookFont::default() }), 15.0);
    }

    #[test]
    fn fonts_have_somebody_to_stand_for_them() {
        assert_eq!(Family::of("Calibri"), (Family::Carlito, Likeness::SameWidths));
        assert_eq!(Family::of("Arial Narrow").1, Likeness::SameKind);
        assert_eq!(Family::of("Consolas").0, Family::LiberationMono);
        assert_eq!(Family::of("Georgia").0, Family::LiberationSerif);
        assert_eq!(Family::of("").0, Family::Carlito);
    }
}

//! The text of a cell as lines: broken, shortened, shrunk or filled up to the room there is.

use edit::Cut;
use sheet::Value;
use sheet::resolved::{LookFont, ResolvedCell, Rgb};

use crate::fonts::{Fonts, pixels, reach};

/// A piece of a line in one font.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) font: LookFont,
    pub(super) color: Rgb,
    pub(super) width: f32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) words: Vec<Word>,
    pub(super) width: f32,
    pub(super) above: f32,
    pub(super) below: f32,
    /// Ends where its paragraph ends.
    pub(super) is_last: bool,
}

impl Line {
    fn push(&mut self, fonts: &mut Fonts, text: &str, font: &LookFont, color: Rgb) {
        if text.is_empty() {
            return;
        }
        let (above, below) = reach(font);
        (self.above, self.below) = (self.above.max(above), self.below.max(below));
        let width = fonts.width(text, font, size_of(font));
        self.width += width;
        self.words.push(Word { text: text.to_owned(), font: font.clone(), color, width });
    }

    /// Letters closer to each other, so that the line is at most so wide.
    pub(super) fn squeezed(mut self, room: f32) -> Line {
        if self.width > room && room > 0.0 {
            let by = room / self.width;
            self.words.iter_mut().for_each(|word| word.width *= by);
            self.width = room;
        }
        self
    }

    pub(super) fn height(&self) -> f32 {
        (self.above + self.below).round()
    }
}

/// Raised and lowered letters are smaller.
pub(super) fn size_of(font: &LookFont) -> f32 {
    pixels(font) * if font.vertical.is_some() { 0.66 } else { 1.0 }
}

/// The pieces of a cell's text with their fonts and colours.
pub(super) fn pieces(cell: &ResolvedCell) -> Vec<(String, LookFont, Rgb)> {
    let own = &cell.look.font;
    let color = |font: &LookFont| cell.shown.color.or(font.color).unwrap_or(Rgb::BLACK);
    match &cell.pieces {
        Some(pieces) => {
            pieces.iter().map(|piece| (piece.text.clone(), piece.font.clone(), color(&piece.font))).collect()
        }
        None => vec![(cell.shown.text.clone(), own.clone(), color(own))],
    }
}

/// One line, as it comes.
pub(super) fn single(fonts: &mut Fonts, pieces: &[(String, LookFont, Rgb)]) -> Line {
    let mut line = Line { is_last: true, ..Line::default() };
    for (text, font, color) in pieces {
        // Without wrapping a line break is not seen.
        let text: String = text.chars().filter(|character| !matches!(character, '\n' | '\r')).collect();
        line.push(fonts, &text, font, *color);
    }
    line
}

/// Lines that fit into the room, broken where the text says so and between words.
pub(super) fn broken(fonts: &mut Fonts, pieces: &[(String, LookFont, Rgb)], room: f32) -> Vec<Line> {
    let room = room.max(1.0);
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mut tallest = (0.0f32, 0.0f32);
    for (text, font, color) in pieces {
        tallest = reach(font);
        let mut paragraphs = text.split('\n').peekable();
        while let Some(paragraph) = paragraphs.next() {
            for part in breakable(paragraph.trim_end_matches('\r')) {
                let trimmed = part.trim_end_matches(' ');
                let width = fonts.width(trimmed, font, size_of(font));
                if line.width + width > room && !line.words.is_empty() {
                    without_blanks(fonts, &mut line);
                    lines.push(finished(std::mem::take(&mut line), false, tallest));
                }
                if width <= room {
                    line.push(fonts, part, font, *color);
                    continue;
                }
                // A word longer than the room is broken between letters.
                let mut start = 0;
                let mut used = 0.0;
                for (at, letter) in part.char_indices() {
                    let wide = fonts.width(letter.encode_utf8(&mut [0; 4]), font, size_of(font));
                    if used + wide > room && at > start {
                        line.push(fonts, part.part(start..at), font, *color);
                        lines.push(finished(std::mem::take(&mut line), false, tallest));
                        (start, used) = (at, 0.0);
                    }
                    used += wide;
                }
                line.push(fonts, part.part(start..), font, *color);
            }
            if paragraphs.peek().is_some() {
                lines.push(finished(std::mem::take(&mut line), true, tallest));
            }
        }
    }
    lines.push(finished(line, true, tallest));
    lines
}

fn finished(mut line: Line, is_last: bool, tallest: (f32, f32)) -> Line {
    line.is_last = is_last;
    if line.words.is_empty() {
        (line.above, line.below) = tallest;
    }
    line
}

/// Blanks at the end of a line that is broken take no room.
fn without_blanks(fonts: &mut Fonts, line: &mut Line) {
    if let Some(last) = line.words.last_mut() {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        let width = fonts.width(&last.text, &last.font, size_of(&last.font));
        line.width += width - last.width;
        last.width = width;
    }
}

/// Where a line may be broken: behind blanks and hyphens, and around letters that fill a square.
fn breakable(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, character) in text.char_indices() {
        let square = |c: char| matches!(u32::from(c), 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFF60);
        let cut = before.is_some_and(|before| {
            before == ' ' && character != ' '
                || before == '-' && character != '-' && !character.is_numeric()
                || square(before) && !matches!(character, '。' | '、' | '，' | '）' | '」')
                || square(character) && before != ' '
        });
        if cut && at > start {
            parts.extend(text.get(start..at));
            start = at;
        }
        before = Some(character);
    }
    parts.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

/// A number in a cell without a format shows fewer digits where there is less room; `None` if none fit.
pub(super) fn shorter_number(fonts: &mut Fonts, value: &Value, font: &LookFont, room: f32) -> Option<String> {
    let Value::Number(number) = value else { return None };
    let mut fits = |text: &str| fonts.width(text, font, size_of(font)) <= room;
    if number.abs() < 1e15 && (number.abs() >= 1e-4 || *number == 0.0) {
        for digits in (0..=9).rev() {
            let text = trimmed(&format!("{number:.digits$}"));
            if fits(&text) && (!text.trim_matches(['0', '-', '.']).is_empty() || *number == 0.0) {
                return Some(text);
            }
        }
    }
    for digits in (0..=5).rev() {
        let text = format!("{number:.digits$E}");
        let (digits, power) = text.split_once('E')?;
        let power: i32 = power.parse().ok()?;
        let sign = if power < 0 { '-' } else { '+' };
        let text = format!("{}E{sign}{:02}", trimmed(digits), power.abs());
        if fits(&text) {
            return Some(text);
        }
    }
    None
}

fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(breakable("ab  cd-ef 中文"), ["ab  ", "cd-", "ef ", "中", "文"]);
        let mut fonts = Fonts::new(&[]);
        let pieces = [("one two\nthree".to_owned(), LookFont::default(), Rgb::BLACK)];
        let lines = broken(&mut fonts, &pieces, 40.0);
        let texts: Vec<String> =
            lines.iter().map(|line| line.words.iter().map(|word| word.text.as_str()).collect()).collect();
        assert_eq!(texts, ["one", "two", "three"]);
        assert!(
            broken(&mut fonts, &[("abcdefgh".to_owned(), LookFont::default(), Rgb::BLACK)], 20.0).len() > 2
        );
    }

    #[test]
    fn numbers_lose_digits_before_they_lose_their_meaning() {
        let mut fonts = Fonts::new(&[]);
        let font = LookFont::default();
        let value = Value::Number(1234.56789);
        assert_eq!(shorter_number(&mut fonts, &value, &font, 60.0).as_deref(), Some("1234.568"));
        assert_eq!(shorter_number(&mut fonts, &value, &font, 32.0).as_deref(), Some("1235"));
        assert_eq!(
            shorter_number(&mut fonts, &Value::Number(123456789.0), &font, 50.0).as_deref(),
            Some("1.2E+08")
        );
        assert_eq!(shorter_number(&mut fonts, &value, &font, 8.0), None);
    }
}

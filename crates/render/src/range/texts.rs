//! Texts of cells, put into their places.

use sheet::resolved::{LookFont, ResolvedCell, Rgb};
use sheet::{CellRef, Value};

use super::Painter;
use super::words::{self, Line, Word, size_of};
use crate::fonts::pixels;
use crate::scene::{Rect, Shape, Text};

/// Room between a cell's edge and its text.
const MARGIN: f32 = 2.0;

/// Where the text of a cell stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Across {
    Left,
    Center,
    Right,
    Fill,
    Spread,
}

impl Painter<'_> {
    /// The text of one cell; `cell` is what it covers, its merge included.
    pub(super) fn text(&mut self, at: CellRef, rect: Rect, is_merged: bool) {
        let Some(cell) = self.resolved.cell(at) else { return };
        let cell = cell.clone();
        if cell.hides_value || cell.value.is_blank() || rect.width <= 0.0 || rect.height <= 0.0 {
            return;
        }
        let alignment = &cell.look.alignment;
        let is_number = matches!(cell.value, Value::Number(_));
        let is_text = matches!(cell.value, Value::Text(_));
        let across = match alignment.horizontal.as_deref() {
            Some("left") => Across::Left,
            Some("center" | "centerContinuous") => Across::Center,
            Some("right") => Across::Right,
            Some("fill") => Across::Fill,
            Some("justify") => Across::Spread,
            Some("distributed") => Across::Spread,
            _ => match &cell.value {
                Value::Number(_) => Across::Right,
                Value::Bool(_) | Value::Error(_) => Across::Center,
                _ if self.runs_to_left(&cell) => Across::Right,
                _ => Across::Left,
            },
        };
        // The last pixel of a cell belongs to its line.
        let inner = Rect { width: rect.width - 1.0, height: rect.height - 1.0, ..rect };
        let indent = alignment.indent as f32 * 9.0;
        let icon = if cell.icon.is_some() { 18.0 } else { 0.0 };
        let room = inner.width - 2.0 * MARGIN - indent - icon;
        if (1..=180).contains(&alignment.rotation) {
            return self.turned(&cell, inner, across);
        }
        if alignment.rotation == 255 {
            return self.stacked(&cell, inner, across);
        }
        let wraps = alignment.wrap
            || matches!(alignment.horizontal.as_deref(), Some("justify" | "distributed"))
            || matches!(alignment.vertical.as_deref(), Some("justify" | "distributed"));
        let pieces = words::pieces(&cell);
        let mut lines = match wraps && !is_number {
            true => words::broken(self.fonts, &pieces, room),
            false => vec![words::single(self.fonts, &pieces)],
        };
        let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
        let mut clip = inner;
        let mut place = inner;
        if cell.shown.no_date {
            lines = vec![self.hashes(&cell.look.font, &cell, room)];
        } else if alignment.shrink && widest > room && widest > 0.0 {
            lines = vec![self.shrunk(&pieces, (room / widest).max(0.05))];
        } else if is_number && let Some((before, filler)) = cell.shown.fill {
            lines = vec![self.filled(&cell, before, filler, room)];
        } else if !is_text && self.narrowest(&cell, widest) > room + 2.0 * MARGIN {
            // A number may use its margins before it gives way to `#`.
            let shorter = (cell.look.number_format.eq_ignore_ascii_case("general"))
                .then(|| words::shorter_number(self.fonts, &cell.value, &cell.look.font, room + MARGIN))
                .flatten();
            let (font, color) = (cell.look.font.clone(), colour(&cell));
            lines = vec![match shorter {
                Some(text) => words::single(self.fonts, &[(text, font, color)]),
                None => self.hashes(&font, &cell, room),
            }];
        } else if is_number && widest > room {
            lines = lines.into_iter().map(|line| line.squeezed(room + MARGIN)).collect();
        } else if across == Across::Fill && widest > 0.0 && room > widest {
            let times = (room / widest).floor().clamp(1.0, 1000.0) as usize;
            let text = cell.shown.text.repeat(times);
            lines = vec![words::single(self.fonts, &[(text, cell.look.font.clone(), colour(&cell))])];
        } else if !wraps && !is_number {
            if alignment.horizontal.as_deref() == Some("centerContinuous") && !is_merged {
                place = self.continued(at, rect);
                clip = place;
            } else if widest > room
                && !is_merged
                && across != Across::Fill
                && matches!(cell.value, Value::Text(_))
            {
                clip = self.overflow(at, rect, across, widest + 2.0 * MARGIN + indent);
            }
        }
        self.lines(&cell, &lines, place, clip, across, (indent, icon));
    }

    fn runs_to_left(&self, cell: &ResolvedCell) -> bool {
        match cell.look.reading {
            sheet::resolved::Reading::RightToLeft => true,
            sheet::resolved::Reading::LeftToRight => false,
            sheet::resolved::Reading::Context => {
                let first = cell.shown.text.chars().find(|c| c.is_alphabetic());
                first.is_some_and(
                    |c| matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF),
                )
            }
        }
    }

    /// How far a text reaches over empty neighbours.
    fn overflow(&mut self, at: CellRef, rect: Rect, across: Across, wanted: f32) -> Rect {
        let extra = wanted - rect.width;
        let (mut to_left, mut to_right) = match across {
            Across::Left => (0.0, extra),
            Across::Right => (extra, 0.0),
            _ => (extra / 2.0, extra / 2.0),
        };
        let mut clip = Rect { width: rect.width - 1.0, height: rect.height - 1.0, ..rect };
        let mut col = at.col;
        let mirrored = self.resolved.shape.right_to_left;
        if mirrored {
            std::mem::swap(&mut to_left, &mut to_right);
        }
        while to_right > 0.0 {
            let next = CellRef::new(at.row, col + 1);
            if !self.is_free(next) {
                break;
            }
            let width = self.grid.column_width(next.col) as f32;
            to_right -= width;
            clip.width += width;
            if mirrored {
                clip.x -= width;
            }
            self.covered.insert((at.row, col));
            col += 1;
        }
        col = at.col;
        while to_left > 0.0 && col > 0 {
            let next = CellRef::new(at.row, col - 1);
            if !self.is_free(next) {
                break;
            }
            let width = self.grid.column_width(next.col) as f32;
            to_left -= width;
            clip.width += width;
            if !mirrored {
                clip.x -= width;
            }
            self.covered.insert((at.row, col - 1));
            col -= 1;
        }
        clip
    }

    /// Blank and in no merge, so that a neighbour's text may be written over it.
    fn is_free(&self, at: CellRef) -> bool {
        let blank = self.resolved.cell(at).is_some_and(|cell| cell.value.is_blank());
        blank && !self.merges.iter().any(|merge| merge.contains(at))
    }

    /// The cells over which a text is centred without a merge.
    fn continued(&mut self, at: CellRef, rect: Rect) -> Rect {
        let mut place = rect;
        let mut col = at.col;
        loop {
            let next = CellRef::new(at.row, col + 1);
            let goes_on = self.is_free(next)
                && self.resolved.cell(next).is_some_and(|cell| {
                    cell.look.alignment.horizontal.as_deref() == Some("centerContinuous")
                });
            if !goes_on {
                return place;
            }
            let width = self.grid.column_width(next.col) as f32;
            place.width += width;
            if self.resolved.shape.right_to_left {
                place.x -= width;
            }
            self.covered.insert((at.row, col));
            col += 1;
        }
    }

    /// How wide what is no text is at least. Excel's letters are whole pixels wide, which makes most digits narrower
    /// than they are here; what fits there has to fit here, for `#` says something else.
    fn narrowest(&mut self, cell: &ResolvedCell, widest: f32) -> f32 {
        let font = &cell.look.font;
        widest.min(self.fonts.whole_width(&cell.shown.text, font, size_of(font)))
    }

    fn hashes(&mut self, font: &LookFont, cell: &ResolvedCell, room: f32) -> Line {
        let one = self.fonts.width("#", font, size_of(font)).max(1.0);
        let text = "#".repeat((room / one).floor().clamp(1.0, 500.0) as usize);
        words::single(self.fonts, &[(text, font.clone(), colour(cell))])
    }

    fn shrunk(&mut self, pieces: &[(String, LookFont, Rgb)], by: f32) -> Line {
        let smaller: Vec<_> = pieces
            .iter()
            .map(|(text, font, color)| {
                let size = (font.size * f64::from(by)).max(1.0);
                (text.clone(), LookFont { size, ..font.clone() }, *color)
            })
            .collect();
        words::single(self.fonts, &smaller)
    }

    /// A number whose format fills the room with a character, mostly a blank between the currency and the digits.
    fn filled(&mut self, cell: &ResolvedCell, before: usize, filler: char, room: f32) -> Line {
        let font = &cell.look.font;
        let text = &cell.shown.text;
        let (head, tail) = text.split_at_checked(before).unwrap_or((text, ""));
        let used = self.fonts.width(text, font, size_of(font));
        let one = self.fonts.width(filler.encode_utf8(&mut [0; 4]), font, size_of(font)).max(0.5);
        if self.narrowest(cell, used) > room + 2.0 * MARGIN {
            return self.hashes(font, cell, room);
        }
        if used > room {
            let pieces = [(text.clone(), font.clone(), colour(cell))];
            return words::single(self.fonts, &pieces).squeezed(room + MARGIN);
        }
        let count = ((room - used) / one).floor().clamp(0.0, 1000.0) as usize;
        let middle: String = std::iter::repeat_n(filler, count).collect();
        let mut line = words::single(
            self.fonts,
            &[(head.to_owned(), font.clone(), colour(cell)), (middle, font.clone(), colour(cell))],
        );
        // The filler is not a whole number of times in the room; what is left stands before the end.
        let rest = words::single(self.fonts, &[(tail.to_owned(), font.clone(), colour(cell))]);
        if let Some(last) = line.words.last_mut() {
            let gap = (room - line.width - rest.width).max(0.0);
            last.width += gap;
            line.width += gap;
        }
        line.width += rest.width;
        line.above = line.above.max(rest.above);
        line.below = line.below.max(rest.below);
        line.words.extend(rest.words);
        line
    }

    fn lines(
        &mut self,
        cell: &ResolvedCell,
        lines: &[Line],
        place: Rect,
        clip: Rect,
        across: Across,
        (indent, icon): (f32, f32),
    ) {
        let total: f32 = lines.iter().map(Line::height).sum();
        let vertical = cell.look.alignment.vertical.as_deref();
        let gap = match vertical {
            Some("justify" | "distributed") if lines.len() > 1 => {
                ((place.height - total) / (lines.len() - 1) as f32).max(0.0)
            }
            _ => 0.0,
        };
        let mut y = match vertical {
            Some("top" | "justify" | "distributed") => place.y + 1.0,
            Some("center") => place.y + (place.height - total) / 2.0,
            _ => place.bottom() - total,
        };
        // Of lines that do not fit, the first are shown.
        if total > place.height && lines.len() > 1 {
            y = place.y.max(y);
        }
        for line in lines {
            let room = place.width - 2.0 * MARGIN;
            let x = match across {
                Across::Left | Across::Fill | Across::Spread => place.x + MARGIN + indent + icon,
                Across::Center => place.x + MARGIN + icon + (room - icon - line.width) / 2.0,
                Across::Right => place.right() - MARGIN - indent - line.width,
            };
            let stretch = across == Across::Spread && !line.is_last && line.words.len() > 1;
            let gap_between = match stretch {
                true => ((room - indent - line.width) / (line.words.len() - 1) as f32).max(0.0),
                false => 0.0,
            };
            let base = (y + line.above).round();
            self.line_words(&line.words, x, base, gap_between, place, clip);
            y += line.height() + gap;
        }
    }

    pub(super) fn line_words(
        &mut self,
        words: &[Word],
        x: f32,
        base: f32,
        gap: f32,
        place: Rect,
        clip: Rect,
    ) {
        let mut x = x;
        for word in words {
            let size = size_of(&word.font);
            let shift = match word.font.vertical.as_deref() {
                Some("superscript") => -pixels(&word.font) * 0.35,
                Some("subscript") => pixels(&word.font) * 0.12,
                _ => 0.0,
            };
            let mut shaped = self.fonts.shape(&word.text, &word.font, size);
            if word.width < shaped.width {
                let by = word.width / shaped.width;
                shaped.glyphs.iter_mut().for_each(|glyph| glyph.x *= by);
            }
            let text = Text {
                glyphs: shaped.glyphs,
                size,
                x,
                y: base + shift,
                ink: word.color.into(),
                rotation: 0.0,
                words: word.text.clone(),
            };
            self.scene.push(Shape::Text(text), Some(clip));
            let whole = place.inset(MARGIN);
            let thick = (size / 14.0).round().max(1.0);
            let mut stripe = |x: f32, width: f32, y: f32| {
                self.scene.rect(Rect::new(x, y.round(), width, thick), word.color, Some(clip));
            };
            match word.font.underline.as_deref() {
                Some("single") => stripe(x, word.width, base + size * 0.1),
                Some("double") => {
                    stripe(x, word.width, base + size * 0.07);
                    stripe(x, word.width, base + size * 0.07 + 2.0 * thick);
                }
                Some("singleAccounting") => stripe(whole.x, whole.width, base + size * 0.18),
                Some("doubleAccounting") => {
                    stripe(whole.x, whole.width, base + size * 0.14);
                    stripe(whole.x, whole.width, base + size * 0.14 + 2.0 * thick);
                }
                _ => {}
            }
            if word.font.strike {
                stripe(x, word.width, base - size * 0.28);
            }
            x += word.width + gap;
        }
    }

    /// Text at an angle: 1 to 90 upwards, 91 to 180 downwards.
    fn turned(&mut self, cell: &ResolvedCell, inner: Rect, across: Across) {
        let rotation = cell.look.alignment.rotation as f32;
        let degrees = if rotation > 90.0 { 90.0 - rotation } else { rotation };
        let pieces = words::pieces(cell);
        let angle = degrees.to_radians();
        let (sine, cosine) = (angle.sin(), angle.cos());
        let lines = match cell.look.alignment.wrap && degrees.abs() == 90.0 {
            true => words::broken(self.fonts, &pieces, inner.height - 4.0),
            false => vec![words::single(self.fonts, &pieces)],
        };
        let total: f32 = lines.iter().map(Line::height).sum();
        let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
        // The box around the turned text.
        let (wide, high) =
            (widest * cosine.abs() + total * sine.abs(), widest * sine.abs() + total * cosine.abs());
        let left = match across {
            Across::Right => inner.right() - MARGIN - wide,
            Across::Center | Across::Fill | Across::Spread => inner.x + (inner.width - wide) / 2.0,
            // Turned numbers stand to the right, turned texts to the left.
            Across::Left => inner.x + MARGIN,
        };
        let top = match cell.look.alignment.vertical.as_deref() {
            Some("top") => inner.y + MARGIN,
            Some("center" | "justify" | "distributed") => inner.y + (inner.height - high) / 2.0,
            _ => inner.bottom() - MARGIN - high,
        };
        // Slanted texts with lines lean out of their cell, as their borders do in Excel.
        let slanted = degrees.abs() < 90.0;
        let clip = if slanted {
            Rect { x: inner.x - high, width: inner.width + 2.0 * high, ..inner }
        } else {
            inner
        };
        let mut down = 0.0;
        for line in &lines {
            let base = down + line.above;
            // From the upper left of the text, along it and across it.
            let (ox, oy) = match degrees >= 0.0 {
                true => (left, top + widest * sine),
                false => (left + total * -sine, top),
            };
            let (mut x, mut y) = (ox + base * sine, oy + base * cosine);
            for word in &line.words {
                let size = size_of(&word.font);
                let shaped = self.fonts.shape(&word.text, &word.font, size);
                let text = Text {
                    glyphs: shaped.glyphs,
                    size,
                    x,
                    y,
                    ink: word.color.into(),
                    rotation: degrees,
                    words: word.text.clone(),
                };
                self.scene.push(Shape::Text(text), Some(clip));
                x += word.width * cosine;
                y -= word.width * sine;
            }
            down += line.height();
        }
    }

    /// Letters above each other.
    fn stacked(&mut self, cell: &ResolvedCell, inner: Rect, across: Across) {
        let (font, color) = (&cell.look.font, colour(cell));
        let mut lines = Vec::new();
        for letter in cell.shown.text.chars().filter(|letter| !letter.is_control()) {
            lines.push(words::single(self.fonts, &[(letter.to_string(), font.clone(), color)]));
        }
        let across = if across == Across::Left { Across::Center } else { across };
        self.lines(cell, &lines, inner, inner, across, (0.0, 0.0));
    }
}

fn colour(cell: &ResolvedCell) -> Rgb {
    cell.shown.color.or(cell.look.font.color).unwrap_or(Rgb::BLACK)
}

//! Charts of the plain kinds, with axes as Excel chooses them.

mod axes;
mod groups;
mod labels;
mod legend;
mod round;
mod scale;
mod trend;

use sheet::resolved::{ChartText, Ink, LookFont, PlainChart, Stroke, Words};

use crate::fonts::{Fonts, pixels};
use crate::scene::{Rect, Scene, Shape, Text};

pub(crate) struct ChartPainter<'a> {
    pub(crate) scene: &'a mut Scene,
    pub(crate) fonts: &'a mut Fonts,
    /// Nothing outside of it is drawn.
    pub(crate) clip: Rect,
    /// Where the chart is.
    pub(crate) frame: Rect,
    /// What there was no room for.
    pub(crate) left_out: Vec<&'static str>,
    /// A number by a format code.
    pub(crate) show: &'a dyn Fn(f64, &str) -> String,
}

fn look(text: &ChartText) -> LookFont {
    LookFont {
        name: text.font.clone(),
        size: text.size,
        bold: text.bold,
        italic: text.italic,
        ..LookFont::default()
    }
}

/// The height of a line of text.
fn line_height(text: &ChartText) -> f32 {
    pixels(&look(text)) * 1.22
}

impl ChartPainter<'_> {
    /// Draws it, and gives what is on it and is not drawn.
    pub(crate) fn chart(mut self, chart: &PlainChart) -> Vec<&'static str> {
        self.left_out.extend(&chart.left_out);
        self.whole(chart);
        self.left_out
    }

    fn whole(&mut self, chart: &PlainChart) {
        let frame = self.frame;
        if let Some(ground) = chart.ground {
            self.scene.fill(frame.path(), ground, Some(self.clip));
        }
        if let Some(line) = &chart.frame {
            self.stroke(frame.inset(0.5).path(), line);
        }
        let mut place = frame.inset(7.0);
        if let Some(title) = &chart.title {
            let height = self.title(title, place);
            if !title.overlay {
                place = Rect { y: place.y + height, height: (place.height - height).max(0.0), ..place };
            }
        }
        if let Some(legend) = &chart.legend {
            place = self.legend(chart, legend, place, frame);
        }
        if place.width < 20.0 || place.height < 20.0 {
            return;
        }
        match chart.groups.first() {
            Some(group) if group.is_round() => self.round(chart, group, place, frame),
            Some(_) => self.axes(chart, place, frame),
            None => {}
        }
    }

    /// Draws the title and gives the height it takes.
    fn title(&mut self, title: &Words, place: Rect) -> f32 {
        // A long title is broken, and a chart that is small has a small one.
        let mut text = title.text.clone();
        text.size = text.size.min(f64::from(place.height) / 6.0 * 0.75).max(6.0);
        let lines = self.wrapped(&title.words, &text, place.width * 0.9, 3);
        let height = line_height(&text);
        for (index, line) in lines.iter().enumerate() {
            let y = place.y + height * (index as f32 + 0.82);
            self.label(line, place.x + place.width / 2.0, y, 0.5, &text);
        }
        height * lines.len() as f32 + 6.0
    }

    fn stroke(&mut self, path: Option<tiny_skia::Path>, line: &Stroke) {
        self.stroke_within(path, line, self.clip);
    }

    fn stroke_within(&mut self, path: Option<tiny_skia::Path>, line: &Stroke, clip: Rect) {
        let dash: Vec<f32> = line.dash.iter().map(|part| *part as f32).collect();
        self.scene.stroke(path, line.ink, line.width as f32, &dash, Some(clip));
    }

    fn width(&mut self, words: &str, text: &ChartText) -> f32 {
        let font = look(text);
        self.fonts.width(words, &font, pixels(&font))
    }

    /// A line of text; `anchor` is the part of its width that lies left of `x`.
    fn label(&mut self, words: &str, x: f32, y: f32, anchor: f32, text: &ChartText) -> f32 {
        self.turned_label(words, x, y, anchor, 0.0, text)
    }

    /// A line of text turned counter-clockwise around the point that `anchor` names.
    fn turned_label(
        &mut self,
        words: &str,
        x: f32,
        y: f32,
        anchor: f32,
        degrees: f32,
        text: &ChartText,
    ) -> f32 {
        let font = look(text);
        let shaped = self.fonts.shape(words, &font, pixels(&font));
        let width = shaped.width;
        let (sin, cos) = degrees.to_radians().sin_cos();
        let item = Text {
            glyphs: shaped.glyphs,
            size: pixels(&font),
            x: x - width * anchor * cos,
            y: y + width * anchor * sin,
            ink: text.ink,
            rotation: degrees,
            words: words.to_owned(),
        };
        self.scene.push(Shape::Text(item), Some(self.clip));
        width
    }

    /// A text in lines that fit, with dots for what is cut off.
    fn wrapped(&mut self, words: &str, text: &ChartText, room: f32, most: usize) -> Vec<String> {
        let lines = self.broken(words, text, room, most);
        lines.into_iter().map(|line| self.shortened(&line, text, room)).collect()
    }

    /// A text in lines that are at most so wide where its words allow it.
    fn broken(&mut self, words: &str, text: &ChartText, room: f32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for paragraph in words.lines() {
            let mut line = String::new();
            for word in paragraph.split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if line.is_empty() || self.width(&longer, text) <= room || lines.len() + 1 >= most {
                    line = longer;
                } else {
                    lines.push(std::mem::replace(&mut line, word.to_owned()));
                }
            }
            lines.push(line);
        }
        lines.truncate(most.max(1));
        lines
    }

    /// A text that fits, with dots for what is cut off.
    fn shortened(&mut self, words: &str, text: &ChartText, room: f32) -> String {
        if self.width(words, text) <= room {
            return words.to_owned();
        }
        let dots = self.width("…", text);
        let mut kept = String::new();
        let mut width = dots;
        for letter in words.chars() {
            width += self.width(letter.encode_utf8(&mut [0; 4]), text);
            if width > room {
                break;
            }
            kept.push(letter);
        }
        format!("{}…", kept.trim_end())
    }

    fn fill_within(&mut self, path: Option<tiny_skia::Path>, ink: Ink, clip: Rect) {
        self.scene.fill(path, ink, Some(clip));
    }
}

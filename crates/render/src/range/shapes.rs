//! Shapes, text boxes and lines with their words. Of geometries that are not known a frame is drawn, and they are told.

use sheet::resolved::{LookFont, Placed, ShapeLook, Stroke};

use super::Painter;
use super::words::{Line, broken, single};
use crate::scene::{Rect, polyline};

impl Painter<'_> {
    /// Draws a shape; whether it could be drawn.
    pub(super) fn shape(&mut self, object: &Placed, rect: Rect, whole: Rect) -> bool {
        let look = self.sheet.shape_look(object, &self.resolved.palette).ok().flatten();
        let Some(look) = look else { return false };
        let Some(mut outline) = outline(&look.geometry, rect) else { return false };
        for point in &mut outline.points {
            if look.flip_across {
                point.0 = rect.x + rect.right() - point.0;
            }
            if look.flip_down {
                point.1 = rect.y + rect.bottom() - point.1;
            }
            *point = turned(*point, rect, object.rotation as f32);
        }
        let path = || polyline(&outline.points, outline.is_closed);
        if let Some(fill) = look.fill.filter(|_| outline.is_closed) {
            self.scene.fill(path(), fill, Some(whole));
        }
        if let Some(Stroke { ink, width, dash }) = &look.line {
            let dash: Vec<f32> = dash.iter().map(|part| *part as f32).collect();
            self.scene.stroke(path(), *ink, *width as f32, &dash, Some(whole));
        }
        if outline.is_closed {
            self.words_of(&look, rect, whole);
            if object.rotation.abs() >= 1.0 && !object.text.trim().is_empty() {
                let name = object.name.as_deref().unwrap_or("without a name");
                self.not_drawn.push(format!("the turn of the words of the shape `{name}`"));
            }
        }
        true
    }

    fn words_of(&mut self, look: &ShapeLook, rect: Rect, whole: Rect) {
        let [left, top, right, bottom] = look.place.insets.map(|inset| inset as f32);
        let place = Rect::new(
            rect.x + left,
            rect.y + top,
            (rect.width - left - right).max(1.0),
            (rect.height - top - bottom).max(1.0),
        );
        let mut lines: Vec<(Line, &str)> = Vec::new();
        for paragraph in &look.paragraphs {
            let piece = |(text, style): &(String, sheet::resolved::ChartText)| {
                let font = LookFont {
                    name: style.font.clone(),
                    size: style.size,
                    bold: style.bold,
                    italic: style.italic,
                    ..LookFont::default()
                };
                (text.clone(), font, style.ink.color)
            };
            let mut pieces: Vec<_> = paragraph.pieces.iter().map(piece).collect();
            if pieces.iter().all(|(text, ..)| text.is_empty()) {
                // A blank line is as high as one with words.
                pieces = vec![(
                    " ".to_owned(),
                    LookFont { size: 11.0, ..LookFont::default() },
                    sheet::resolved::Rgb(0, 0, 0),
                )];
            }
            let made = match look.place.wraps {
                true => broken(self.fonts, &pieces, place.width),
                false => vec![single(self.fonts, &pieces)],
            };
            lines.extend(made.into_iter().map(|line| (line, paragraph.across.as_str())));
        }
        let total: f32 = lines.iter().map(|(line, _)| line.height()).sum();
        let mut y = match look.place.down.as_str() {
            "ctr" => place.y + (place.height - total) / 2.0,
            "b" => place.bottom() - total,
            _ => place.y,
        };
        for (line, across) in &lines {
            let x = match *across {
                "ctr" => place.x + (place.width - line.width) / 2.0,
                "r" => place.right() - line.width,
                _ => place.x,
            };
            let base = (y + line.above).round();
            self.line_words(&line.words, x, base, 0.0, place, whole);
            y += line.height();
        }
    }
}

struct Outline {
    points: Vec<(f32, f32)>,
    is_closed: bool,
}

/// The rim of a geometry with its usual proportions.
fn outline(geometry: &str, rect: Rect) -> Option<Outline> {
    let closed = |points: &[(f32, f32)]| {
        let at = |&(x, y): &(f32, f32)| (rect.x + x * rect.width, rect.y + y * rect.height);
        Some(Outline { points: points.iter().map(at).collect(), is_closed: true })
    };
    let short = rect.width.min(rect.height);
    // Heads of arrows are as long as half of the short side.
    let (dx, dy) = (short * 0.5 / rect.width.max(1.0), short * 0.5 / rect.height.max(1.0));
    match geometry {
        "rect" | "flowChartProcess" | "plaque" | "foldedCorner" | "frame" => {
            closed(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        }
        "roundRect" | "flowChartAlternateProcess" => Some(rounded(rect, short * 0.166_67)),
        "flowChartTerminator" => Some(rounded(rect, short * 0.5)),
        "ellipse" | "flowChartConnector" => {
            let at = |step: u32| {
                let angle = (step as f32 * 5.0).to_radians();
                let (x, y) = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
                (x + rect.width / 2.0 * angle.cos(), y + rect.height / 2.0 * angle.sin())
            };
            Some(Outline { points: (0..72).map(at).collect(), is_closed: true })
        }
        "triangle" | "flowChartExtract" => closed(&[(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        "rtTriangle" => closed(&[(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        "diamond" | "flowChartDecision" => closed(&[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]),
        "parallelogram" | "flowChartInputOutput" => {
            closed(&[(0.25, 0.0), (1.0, 0.0), (0.75, 1.0), (0.0, 1.0)])
        }
        "trapezoid" => closed(&[(0.25, 0.0), (0.75, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        "homePlate" => closed(&[(0.0, 0.0), (1.0 - dx, 0.0), (1.0, 0.5), (1.0 - dx, 1.0), (0.0, 1.0)]),
        "chevron" => {
            closed(&[(0.0, 0.0), (1.0 - dx, 0.0), (1.0, 0.5), (1.0 - dx, 1.0), (0.0, 1.0), (dx, 0.5)])
        }
        "rightArrow" => closed(&[
            (0.0, 0.25),
            (1.0 - dx, 0.25),
            (1.0 - dx, 0.0),
            (1.0, 0.5),
            (1.0 - dx, 1.0),
            (1.0 - dx, 0.75),
            (0.0, 0.75),
        ]),
        "leftArrow" => {
            closed(&[(1.0, 0.25), (dx, 0.25), (dx, 0.0), (0.0, 0.5), (dx, 1.0), (dx, 0.75), (1.0, 0.75)])
        }
        "downArrow" => closed(&[
            (0.25, 0.0),
            (0.75, 0.0),
            (0.75, 1.0 - dy),
            (1.0, 1.0 - dy),
            (0.5, 1.0),
            (0.0, 1.0 - dy),
            (0.25, 1.0 - dy),
        ]),
        "upArrow" => {
            closed(&[(0.25, 1.0), (0.75, 1.0), (0.75, dy), (1.0, dy), (0.5, 0.0), (0.0, dy), (0.25, dy)])
        }
        "line" | "straightConnector1" => {
            Some(Outline { points: vec![(rect.x, rect.y), (rect.right(), rect.bottom())], is_closed: false })
        }
        _ => None,
    }
}

fn rounded(rect: Rect, radius: f32) -> Outline {
    let corners = [
        (rect.right() - radius, rect.y + radius, -90.0f32),
        (rect.right() - radius, rect.bottom() - radius, 0.0),
        (rect.x + radius, rect.bottom() - radius, 90.0),
        (rect.x + radius, rect.y + radius, 180.0),
    ];
    let arc = |(x, y, from): (f32, f32, f32)| {
        (0..=6).map(move |step| {
            let angle = (from + 15.0 * step as f32).to_radians();
            (x + radius * angle.cos(), y + radius * angle.sin())
        })
    };
    Outline { points: corners.into_iter().flat_map(arc).collect(), is_closed: true }
}

/// A point carried around the middle of a rectangle, clockwise.
fn turned((x, y): (f32, f32), rect: Rect, degrees: f32) -> (f32, f32) {
    let (middle_x, middle_y) = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (dx, dy) = (x - middle_x, y - middle_y);
    (middle_x + dx * cos - dy * sin, middle_y + dx * sin + dy * cos)
}

//! What a picture is made of, in pixels at 96 to the inch, before anybody decides how it is stored.

use std::sync::Arc;

use sheet::resolved::{Ink, Rgb};
use tiny_skia::{Path, PathBuilder};

use crate::fonts::Glyph;

/// Things in the order in which they cover each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Rect {
    pub(crate) fn new(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect { x, y, width, height }
    }

    pub(crate) fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub(crate) fn inset(&self, by: f32) -> Rect {
        Rect {
            x: self.x + by,
            y: self.y + by,
            width: (self.width - 2.0 * by).max(0.0),
            height: (self.height - 2.0 * by).max(0.0),
        }
    }

    pub(crate) fn path(&self) -> Option<Path> {
        let rect = tiny_skia::Rect::from_xywh(self.x, self.y, self.width, self.height)?;
        Some(PathBuilder::from_rect(rect))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) shape: Shape,
    /// Nothing outside of it is drawn.
    pub(crate) clip: Option<Rect>,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Fill { path: Path, paint: Paint },
    Stroke { path: Path, ink: Ink, width: f32, dash: Vec<f32> },
    Text(Text),
    Image { pixels: Arc<Pixels>, at: Rect, crop: Rect, rotation: f32 },
}

#[derive(Clone, Debug)]
pub(crate) enum Paint {
    Plain(Ink),
    /// Along a line, with places from 0 to 1.
    Linear {
        from: (f32, f32),
        to: (f32, f32),
        stops: Vec<(f32, Ink)>,
    },
    /// Eight rows of eight dots.
    Dots {
        rows: [u8; 8],
        ink: Rgb,
        ground: Rgb,
    },
}

/// A line of text.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) size: f32,
    /// Where the line starts.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) ink: Ink,
    /// In degrees, counter-clockwise around the start of the line.
    pub(crate) rotation: f32,
    pub(crate) words: String,
}

/// A picture, decoded: red, green, blue and cover, not multiplied.
#[derive(Debug)]
pub(crate) struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: Vec<u8>,
    /// As it stood in the file, and what kind of file.
    pub(crate) source: Vec<u8>,
    pub(crate) mime: &'static str,
}

impl Scene {
    pub(crate) fn push(&mut self, shape: Shape, clip: Option<Rect>) {
        self.items.push(Item { shape, clip });
    }

    pub(crate) fn rect(&mut self, rect: Rect, color: Rgb, clip: Option<Rect>) {
        if let Some(path) = rect.path() {
            self.push(Shape::Fill { path, paint: Paint::Plain(color.into()) }, clip);
        }
    }

    pub(crate) fn fill(&mut self, path: Option<Path>, ink: Ink, clip: Option<Rect>) {
        if let Some(path) = path {
            self.push(Shape::Fill { path, paint: Paint::Plain(ink) }, clip);
        }
    }

    pub(crate) fn stroke(
        &mut self,
        path: Option<Path>,
        ink: Ink,
        width: f32,
        dash: &[f32],
        clip: Option<Rect>,
    ) {
        if let Some(path) = path {
            self.push(Shape::Stroke { path, ink, width, dash: dash.to_vec() }, clip);
        }
    }

    pub(crate) fn line(
        &mut self,
        from: (f32, f32),
        to: (f32, f32),
        ink: Ink,
        width: f32,
        clip: Option<Rect>,
    ) {
        self.stroke(polyline(&[from, to], false), ink, width, &[], clip);
    }
}

pub(crate) fn polyline(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first.0, first.1);
    for point in rest {
        path.line_to(point.0, point.1);
    }
    if closed {
        path.close();
    }
    path.finish()
}

pub(crate) fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    PathBuilder::from_circle(x, y, radius)
}

/// A slice of a disc or, with an inner radius, of a ring; angles in degrees clockwise from the top.
pub(crate) fn slice(x: f32, y: f32, inner: f32, outer: f32, from: f32, to: f32) -> Option<Path> {
    let steps = (((to - from).abs() / 3.0).ceil() as usize).clamp(1, 720);
    let at = |radius: f32, step: usize| {
        let angle = (from + (to - from) * step as f32 / steps as f32).to_radians();
        (x + radius * angle.sin(), y - radius * angle.cos())
    };
    let mut points: Vec<(f32, f32)> = (0..=steps).map(|step| at(outer, step)).collect();
    match inner > 0.0 {
        true => points.extend((0..=steps).rev().map(|step| at(inner, step))),
        false => points.push((x, y)),
    }
    polyline(&points, true)
}

/// A smooth line through points.
pub(crate) fn curve(points: &[(f32, f32)]) -> Option<Path> {
    let (first, _) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first.0, first.1);
    for (index, pair) in points.windows(2).enumerate() {
        let &[from, to] = pair else { continue };
        // Each point is left in the direction that its neighbours have.
        let before = index.checked_sub(1).and_then(|index| points.get(index)).copied().unwrap_or(from);
        let after = points.get(index + 2).copied().unwrap_or(to);
        path.cubic_to(
            from.0 + (to.0 - before.0) / 6.0,
            from.1 + (to.1 - before.1) / 6.0,
            to.0 - (after.0 - from.0) / 6.0,
            to.1 - (after.1 - from.1) / 6.0,
            to.0,
            to.1,
        );
    }
    path.finish()
}

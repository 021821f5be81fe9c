//! Grounds of cells, and bars in them.

use sheet::CellRef;
use sheet::resolved::{Gradient, GradientShape, Ink, LookFill, Rgb};

use super::{GRID, Painter};
use crate::scene::{Paint, Rect, Shape};

impl Painter<'_> {
    /// A cell's ground, up to and over the line at its right and lower edge.
    pub(super) fn fill(&mut self, at: CellRef, rect: Rect) {
        let Some(cell) = self.resolved.cell(at) else { return };
        let look = std::sync::Arc::clone(&cell.look);
        // Grounds reach one pixel up and left, where the neighbour has its line.
        let rect = Rect::new(rect.x - 1.0, rect.y - 1.0, rect.width + 1.0, rect.height + 1.0);
        match &look.fill {
            LookFill::None => {}
            LookFill::Solid(color) => self.scene.rect(rect, *color, None),
            LookFill::Pattern { kind, ink, ground } => {
                let (Some(rows), Some(path)) = (dots(kind), rect.path()) else { return };
                let paint = Paint::Dots { rows, ink: *ink, ground: *ground };
                self.scene.push(Shape::Fill { path, paint }, None);
            }
            LookFill::Gradient(gradient) => self.gradient(gradient, rect),
        }
    }

    fn gradient(&mut self, gradient: &Gradient, rect: Rect) {
        let stops: Vec<(f32, Ink)> =
            gradient.stops.iter().map(|(place, color)| (*place as f32, Ink::from(*color))).collect();
        let Some((_, first)) = stops.first().copied() else { return };
        match gradient.shape {
            GradientShape::Linear(degrees) => {
                let angle = (degrees as f32).to_radians();
                let (dx, dy) = (angle.cos(), angle.sin());
                let reach = (rect.width * dx.abs() + rect.height * dy.abs()) / 2.0;
                let middle = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
                let from = (middle.0 - dx * reach, middle.1 - dy * reach);
                let to = (middle.0 + dx * reach, middle.1 + dy * reach);
                let Some(path) = rect.path() else { return };
                self.scene.push(Shape::Fill { path, paint: Paint::Linear { from, to, stops } }, None);
            }
            GradientShape::Path { left, right, top, bottom } => {
                // Frames within frames; thirty-two steps are finer than a cell is large.
                self.scene.rect(rect, first.color, None);
                for step in 1..=32u8 {
                    let part = f32::from(step) / 32.0;
                    let side = |share: f64, length: f32| share as f32 * length * part;
                    let x = rect.x + side(left, rect.width);
                    let y = rect.y + side(top, rect.height);
                    let width = rect.right() - side(right, rect.width) - x;
                    let height = rect.bottom() - side(bottom, rect.height) - y;
                    let color = between(&gradient.stops, f64::from(part));
                    self.scene.rect(Rect::new(x, y, width.max(0.0), height.max(0.0)), color, None);
                }
            }
        }
    }

    /// A bar of a conditional format.
    pub(super) fn bar(&mut self, at: CellRef, rect: Rect) {
        let Some(bar) = self.resolved.cell(at).and_then(|cell| cell.bar.clone()) else { return };
        let inner = Rect::new(rect.x + 2.0, rect.y + 2.0, rect.width - 5.0, rect.height - 5.0);
        if inner.width <= 1.0 || inner.height <= 1.0 {
            return;
        }
        let place = |part: f64| inner.x + inner.width * part.clamp(0.0, 1.0) as f32;
        let (from, to) = (place(bar.from), place(bar.to));
        let shape = Rect::new(from, inner.y, to - from, inner.height);
        if shape.width > 0.5
            && let Some(path) = shape.path()
        {
            let paint = match bar.gradient {
                false => Paint::Plain(bar.color.into()),
                true => {
                    let pale = bar.color.toward(Rgb::WHITE, 0.85);
                    let backwards = bar.axis.is_some_and(|(zero, _)| bar.to <= zero + 1e-9);
                    let (start, end) = if backwards { (to, from) } else { (from, to) };
                    Paint::Linear {
                        from: (start, inner.y),
                        to: (end, inner.y),
                        stops: vec![(0.0, bar.color.into()), (1.0, pale.into())],
                    }
                }
            };
            self.scene.push(Shape::Fill { path, paint }, None);
            if let Some(border) = bar.border {
                self.scene.stroke(shape.inset(0.5).path(), border.into(), 1.0, &[], None);
            }
        }
        if let Some((zero, color)) = bar.axis {
            let x = place(zero).round() + 0.5;
            let path = crate::scene::polyline(&[(x, rect.y), (x, rect.bottom() - 1.0)], false);
            self.scene.stroke(path, color.into(), 1.0, &[2.0, 2.0], None);
        }
    }

    /// Lines between cells that have no ground of their own.
    pub(super) fn gridlines(&mut self, merges: &[sheet::Area]) {
        let area = self.grid.area;
        let bare = |at: CellRef| self.resolved.cell(at).is_none_or(|cell| cell.look.fill == LookFill::None);
        let merge = |at: CellRef| merges.iter().position(|merge| merge.contains(at));
        let mut lines = Vec::new();
        for row in area.top..=area.bottom {
            for col in area.left..=area.right {
                let at = CellRef::new(row, col);
                let rect = self.grid.cell(at);
                if rect.width <= 0.0 || rect.height <= 0.0 {
                    continue;
                }
                let own = merge(at);
                let right = CellRef::new(row, col + 1);
                let below = CellRef::new(row + 1, col);
                let joined = |other: CellRef| own.is_some() && own == merge(other);
                let x = if self.resolved.shape.right_to_left { rect.x } else { rect.right() };
                if bare(at) && bare(right) && !joined(right) && !self.covered.contains(&(row, col)) {
                    lines.push(Rect::new(x - 1.0, rect.y, 1.0, rect.height));
                }
                if bare(at) && bare(below) && !joined(below) {
                    lines.push(Rect::new(rect.x - 1.0, rect.bottom() - 1.0, rect.width + 1.0, 1.0));
                }
                if col == area.left && bare(at) {
                    lines.push(Rect::new(rect.x - 1.0, rect.y - 1.0, 1.0, rect.height + 1.0));
                }
                if row == area.top && bare(at) {
                    lines.push(Rect::new(rect.x - 1.0, rect.y - 1.0, rect.width + 1.0, 1.0));
                }
            }
        }
        for line in lines {
            self.scene.rect(line, GRID, None);
        }
    }
}

fn between(stops: &[(f64, Rgb)], part: f64) -> Rgb {
    for pair in stops.windows(2) {
        let [(from, first), (to, second)] = pair else { continue };
        if part <= *to {
            return first.toward(*second, if to > from { (part - from) / (to - from) } else { 1.0 });
        }
    }
    stops.last().map_or(Rgb::WHITE, |(_, color)| *color)
}

/// The dots of a pattern.
fn dots(kind: &str) -> Option<[u8; 8]> {
    Some(match kind {
        "gray0625" => [0x80, 0, 0x08, 0, 0x80, 0, 0x08, 0],
        "gray125" => [0x88, 0, 0x22, 0, 0x88, 0, 0x22, 0],
        "lightGray" => [0x88, 0x22, 0x88, 0x22, 0x88, 0x22, 0x88, 0x22],
        "mediumGray" => [0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x55],
        "darkGray" => [0x77, 0xDD, 0x77, 0xDD, 0x77, 0xDD, 0x77, 0xDD],
        "lightHorizontal" => [0xFF, 0, 0, 0, 0xFF, 0, 0, 0],
        "darkHorizontal" => [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0],
        "lightVertical" => [0x88; 8],
        "darkVertical" => [0xCC; 8],
        "lightDown" => [0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11],
        "darkDown" => [0xCC, 0x66, 0x33, 0x99, 0xCC, 0x66, 0x33, 0x99],
        "lightUp" => [0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88],
        "darkUp" => [0x33, 0x66, 0xCC, 0x99, 0x33, 0x66, 0xCC, 0x99],
        "lightGrid" => [0xFF, 0x88, 0x88, 0x88, 0xFF, 0x88, 0x88, 0x88],
        "darkGrid" => [0xCC, 0xCC, 0x33, 0x33, 0xCC, 0xCC, 0x33, 0x33],
        "lightTrellis" => [0x88, 0x55, 0x22, 0x55, 0x88, 0x55, 0x22, 0x55],
        "darkTrellis" => [0xFF, 0x66, 0xFF, 0x99, 0xFF, 0x66, 0xFF, 0x99],
        _ => return None,
    })
}

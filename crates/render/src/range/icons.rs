//! Icons of conditional formats, as small shapes of our own.

use sheet::CellRef;
use sheet::resolved::{Ink, Rgb};

use super::Painter;
use crate::scene::{Rect, circle, polyline, slice};

const GREEN: Rgb = Rgb(0x3F, 0xA0, 0x4A);
const YELLOW: Rgb = Rgb(0xF2, 0xB8, 0x00);
const RED: Rgb = Rgb(0xD8, 0x3B, 0x2F);
const GRAY: Rgb = Rgb(0x75, 0x75, 0x75);
const BLACK: Rgb = Rgb(0x30, 0x30, 0x30);
const PINK: Rgb = Rgb(0xE0, 0x8E, 0x88);
const BLUE: Rgb = Rgb(0x3B, 0x6F, 0xB6);
const PALE: Rgb = Rgb(0xD0, 0xD0, 0xD0);

impl Painter<'_> {
    pub(super) fn icon(&mut self, at: CellRef, rect: Rect) {
        let Some(cell) = self.resolved.cell(at) else { return };
        let Some(icon) = cell.icon.clone() else { return };
        let side = 14.0f32.min(rect.height - 3.0).min(rect.width - 3.0);
        if side < 3.0 {
            return;
        }
        let top = match cell.look.alignment.vertical.as_deref() {
            Some("top") => rect.y + 2.0,
            Some("center") => rect.y + (rect.height - 1.0 - side) / 2.0,
            _ => rect.bottom() - 2.0 - side - 1.0,
        };
        let left = match (cell.hides_value, cell.look.alignment.horizontal.as_deref()) {
            (true, Some("center")) => rect.x + (rect.width - 1.0 - side) / 2.0,
            (true, Some("right")) => rect.right() - side - 3.0,
            _ => rect.x + 3.0,
        };
        let mut pen = Pen { painter: self, place: Rect::new(left, top, side, side), clip: rect };
        let count = icon.set.as_bytes().first().map_or(3, |digit| usize::from(digit.saturating_sub(b'0')));
        pen.draw(&icon.set, icon.index.min(count.saturating_sub(1)), count);
    }
}

struct Pen<'a, 'b> {
    painter: &'a mut Painter<'b>,
    place: Rect,
    clip: Rect,
}

impl Pen<'_, '_> {
    /// A point in parts of the icon's size.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.place.x + x * self.place.width, self.place.y + y * self.place.height)
    }

    fn shape(&mut self, points: &[(f32, f32)], color: Rgb) {
        let points: Vec<(f32, f32)> = points.iter().map(|(x, y)| self.at(*x, *y)).collect();
        self.painter.scene.fill(polyline(&points, true), color.into(), Some(self.clip));
    }

    fn disc(&mut self, color: Rgb) {
        let (x, y) = self.at(0.5, 0.5);
        let path = circle(x, y, self.place.width * 0.46);
        self.painter.scene.fill(path, color.into(), Some(self.clip));
    }

    fn stroke(&mut self, points: &[(f32, f32)], color: Rgb) {
        let points: Vec<(f32, f32)> = points.iter().map(|(x, y)| self.at(*x, *y)).collect();
        let width = self.place.width * 0.16;
        self.painter.scene.stroke(polyline(&points, false), Ink::from(color), width, &[], Some(self.clip));
    }

    fn draw(&mut self, set: &str, index: usize, count: usize) {
        let three = [RED, YELLOW, GREEN].get(index.min(2)).copied().unwrap_or(GREEN);
        let kind = set.trim_start_matches(|c: char| c.is_ascii_digit());
        match kind {
            "Arrows" | "ArrowsGray" => {
                let gray = kind == "ArrowsGray";
                let colors: &[Rgb] = match count {
                    3 => &[RED, YELLOW, GREEN],
                    4 => &[RED, YELLOW, YELLOW, GREEN],
                    _ => &[RED, YELLOW, YELLOW, YELLOW, GREEN],
                };
                let angles: &[f32] = match count {
                    3 => &[180.0, 90.0, 0.0],
                    4 => &[180.0, 135.0, 45.0, 0.0],
                    _ => &[180.0, 135.0, 90.0, 45.0, 0.0],
                };
                let color = colors.get(index).copied().unwrap_or(GREEN);
                self.arrow(angles.get(index).copied().unwrap_or(0.0), if gray { GRAY } else { color });
            }
            "Flags" => {
                self.shape(&[(0.15, 0.05), (0.27, 0.05), (0.27, 0.98), (0.15, 0.98)], GRAY);
                self.shape(&[(0.27, 0.08), (0.95, 0.32), (0.27, 0.58)], three);
            }
            "TrafficLights1" | "TrafficLights" => {
                let four = [BLACK, RED, YELLOW, GREEN];
                self.disc(if count == 4 { four.get(index).copied().unwrap_or(GREEN) } else { three });
            }
            "TrafficLights2" => {
                self.shape(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], BLACK);
                let (x, y) = self.at(0.5, 0.5);
                let path = circle(x, y, self.place.width * 0.36);
                self.painter.scene.fill(path, three.into(), Some(self.clip));
            }
            "Signs" => match index {
                0 => self.shape(&[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)], RED),
                1 => self.shape(&[(0.5, 0.05), (1.0, 0.95), (0.0, 0.95)], YELLOW),
                _ => self.disc(GREEN),
            },
            "Symbols" | "Symbols2" => {
                let ink = if kind == "Symbols" { Rgb::WHITE } else { three };
                if kind == "Symbols" {
                    self.disc(three);
                }
                match index {
                    0 => {
                        self.stroke(&[(0.3, 0.3), (0.7, 0.7)], ink);
                        self.stroke(&[(0.7, 0.3), (0.3, 0.7)], ink);
                    }
                    1 => {
                        self.stroke(&[(0.5, 0.18), (0.5, 0.6)], ink);
                        self.stroke(&[(0.5, 0.7), (0.5, 0.84)], ink);
                    }
                    _ => self.stroke(&[(0.25, 0.52), (0.43, 0.72), (0.77, 0.28)], ink),
                }
            }
            "RedToBlack" => {
                self.disc([BLACK, GRAY, PINK, RED].get(index).copied().unwrap_or(RED));
            }
            "Rating" => self.bars(count, index),
            "Quarters" => {
                self.disc(PALE);
                let (x, y) = self.at(0.5, 0.5);
                let part = 90.0 * index as f32;
                let path = slice(x, y, 0.0, self.place.width * 0.46, 0.0, part);
                if index > 0 {
                    self.painter.scene.fill(path, BLACK.into(), Some(self.clip));
                }
            }
            "Stars" => {
                let points: Vec<(f32, f32)> = (0..10u8)
                    .map(|at| {
                        let angle = (f32::from(at) * 36.0).to_radians();
                        let radius = if at % 2 == 0 { 0.5 } else { 0.21 };
                        (0.5 + radius * angle.sin(), 0.53 - radius * angle.cos())
                    })
                    .collect();
                self.shape(&points, if index == 0 { PALE } else { YELLOW });
                if index == 1 {
                    let half: Vec<(f32, f32)> = points.iter().map(|(x, y)| (x.max(0.5), *y)).collect();
                    self.shape(&half, PALE);
                }
            }
            "Triangles" => match index {
                0 => self.shape(&[(0.1, 0.3), (0.9, 0.3), (0.5, 0.8)], RED),
                1 => self.shape(&[(0.1, 0.42), (0.9, 0.42), (0.9, 0.6), (0.1, 0.6)], YELLOW),
                _ => self.shape(&[(0.1, 0.7), (0.9, 0.7), (0.5, 0.2)], GREEN),
            },
            "Boxes" => {
                for at in 0..4usize {
                    let (x, y) = (0.05 + 0.48 * (at % 2) as f32, 0.53 - 0.48 * (at / 2) as f32);
                    let color = if at < index { BLUE } else { PALE };
                    self.shape(&[(x, y), (x + 0.42, y), (x + 0.42, y + 0.42), (x, y + 0.42)], color);
                }
            }
            _ => self.disc(three),
        }
    }

    fn arrow(&mut self, degrees: f32, color: Rgb) {
        let (sine, cosine) = (degrees.to_radians().sin(), degrees.to_radians().cos());
        let points =
            [(0.5, 0.02), (0.92, 0.46), (0.66, 0.46), (0.66, 0.96), (0.34, 0.96), (0.34, 0.46), (0.08, 0.46)];
        let turned: Vec<(f32, f32)> = points
            .iter()
            .map(|(x, y)| {
                let (x, y) = (x - 0.5, y - 0.5);
                (0.5 + x * cosine - y * sine, 0.5 + x * sine + y * cosine)
            })
            .collect();
        self.shape(&turned, color);
    }

    fn bars(&mut self, count: usize, index: usize) {
        let filled = if count == 5 { index } else { index + 1 };
        for at in 0..4usize {
            let (left, height) = (0.04 + 0.24 * at as f32, 0.28 + 0.22 * at as f32);
            let color = if at < filled { BLUE } else { PALE };
            let (right, top) = (left + 0.18, 0.96 - height);
            self.shape(&[(left, top), (right, top), (right, 0.96), (left, 0.96)], color);
        }
    }
}

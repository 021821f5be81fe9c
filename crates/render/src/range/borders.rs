//! Lines around cells. Where two cells share an edge, the stronger line wins.

use std::collections::BTreeMap;

use sheet::resolved::{Line, LineStyle};
use sheet::{Area, CellRef};

use super::Painter;
use crate::scene::{Rect, polyline};

impl Painter<'_> {
    pub(super) fn borders(&mut self, merges: &[Area]) {
        let area = self.grid.area;
        // Lines above a row and left of a column, by row and column.
        let mut above: BTreeMap<(u32, u32), Line> = BTreeMap::new();
        let mut before: BTreeMap<(u32, u32), Line> = BTreeMap::new();
        let around = self.resolved.area;
        let rows = area.top.max(around.top)..=area.bottom.min(around.bottom);
        let columns = area.left.saturating_sub(1).max(around.left)..=(area.right + 1).min(around.right);
        let mut diagonals = Vec::new();
        for row in rows {
            for col in columns.clone() {
                let at = CellRef::new(row, col);
                let Some(cell) = self.resolved.cell(at) else { continue };
                let border = &cell.look.border;
                let merge = merges.iter().find(|merge| merge.contains(at));
                let rim = merge.copied().unwrap_or(Area::cell(at));
                let put = |map: &mut BTreeMap<(u32, u32), Line>, key, line: Option<Line>, on_rim: bool| {
                    if let Some(line) = line.filter(|_| on_rim) {
                        let slot = map.entry(key).or_insert(line);
                        if line.style > slot.style {
                            *slot = line;
                        }
                    }
                };
                put(&mut before, (row, col), border.left, col == rim.left);
                put(&mut before, (row, col + 1), border.right, col == rim.right);
                put(&mut above, (row, col), border.top, row == rim.top);
                put(&mut above, (row + 1, col), border.bottom, row == rim.bottom);
                if let Some(line) = border.diagonal.filter(|_| at == rim.first() && area.contains(at)) {
                    diagonals.push((self.grid.rect(rim), line, border.up, border.down));
                }
            }
        }
        for (rect, line, up, down) in diagonals {
            let (width, dash) = pen(line.style);
            let (left, top, right, bottom) = (rect.x, rect.y, rect.right() - 1.0, rect.bottom() - 1.0);
            let mut draw = |from, to| {
                self.scene.stroke(polyline(&[from, to], false), line.color.into(), width, dash, Some(rect));
            };
            if down {
                draw((left, top), (right, bottom));
            }
            if up {
                draw((left, bottom), (right, top));
            }
        }
        self.horizontal(&above);
        self.vertical(&before);
    }

    fn horizontal(&mut self, above: &BTreeMap<(u32, u32), Line>) {
        let area = self.grid.area;
        for ((row, col), line) in above {
            if !(area.left..=area.right).contains(col) || *row > area.bottom + 1 || *row < area.top {
                continue;
            }
            let rect = self.grid.cell(CellRef::new((*row).min(area.bottom), *col));
            if rect.width <= 0.0 {
                continue;
            }
            let y = if *row > area.bottom { rect.bottom() } else { rect.y };
            // Dashes run on from cell to cell.
            self.edge(*line, (rect.x - 1.0, y), rect.width + 1.0, true);
        }
    }

    fn vertical(&mut self, before: &BTreeMap<(u32, u32), Line>) {
        let area = self.grid.area;
        let turned = self.resolved.shape.right_to_left;
        for ((row, col), line) in before {
            if !(area.top..=area.bottom).contains(row) || *col > area.right + 1 || *col < area.left {
                continue;
            }
            let rect = self.grid.cell(CellRef::new(*row, (*col).min(area.right)));
            if rect.height <= 0.0 {
                continue;
            }
            let behind = *col > area.right;
            let x = if behind != turned { rect.right() } else { rect.x };
            self.edge(*line, (x, rect.y - 1.0), rect.height + 1.0, false);
        }
    }

    /// A line that starts at a corner of cells.
    fn edge(&mut self, line: Line, at: (f32, f32), length: f32, is_row: bool) {
        let stripe = |offset: f32, thick: f32| match is_row {
            true => Rect::new(at.0, at.1 + offset, length, thick),
            false => Rect::new(at.0 + offset, at.1, thick, length),
        };
        let (width, dash) = pen(line.style);
        if line.style == LineStyle::Double {
            self.scene.rect(stripe(-2.0, 1.0), line.color, None);
            self.scene.rect(stripe(0.0, 1.0), line.color, None);
            return;
        }
        let offset = if width >= 3.0 { -2.0 } else { -1.0 };
        if dash.is_empty() {
            self.scene.rect(stripe(offset, width), line.color, None);
            return;
        }
        // Dashes are counted from the start of the sheet, so that they do not begin anew in each cell.
        let start = if is_row { at.0 } else { at.1 };
        let period: f32 = dash.iter().sum();
        let mut from = start - start.rem_euclid(period);
        while from < start + length {
            let mut place = from;
            for pair in dash.chunks(2) {
                let [on, off] = pair else { break };
                let (a, b) = (place.max(start), (place + on).min(start + length));
                if b > a {
                    let rect = match is_row {
                        true => Rect::new(a, at.1 + offset, b - a, width),
                        false => Rect::new(at.0 + offset, a, width, b - a),
                    };
                    self.scene.rect(rect, line.color, None);
                }
                place += on + off;
            }
            from += period;
        }
    }
}

/// How thick a line is, and how long its dashes and gaps are.
fn pen(style: LineStyle) -> (f32, &'static [f32]) {
    match style {
        LineStyle::Hair => (1.0, &[1.0, 1.0]),
        LineStyle::Dotted => (1.0, &[2.0, 2.0]),
        LineStyle::DashDotDot => (1.0, &[9.0, 3.0, 3.0, 3.0, 3.0, 3.0]),
        LineStyle::DashDot => (1.0, &[9.0, 3.0, 3.0, 3.0]),
        LineStyle::Dashed => (1.0, &[3.0, 1.0]),
        LineStyle::Thin | LineStyle::Double => (1.0, &[]),
        LineStyle::MediumDashDotDot => (2.0, &[9.0, 3.0, 3.0, 3.0, 3.0, 3.0]),
        LineStyle::SlantDashDot => (2.0, &[11.0, 1.0, 5.0, 1.0]),
        LineStyle::MediumDashDot => (2.0, &[9.0, 3.0, 3.0, 3.0]),
        LineStyle::MediumDashed => (2.0, &[9.0, 3.0]),
        LineStyle::Medium => (2.0, &[]),
        LineStyle::Thick => (3.0, &[]),
    }
}

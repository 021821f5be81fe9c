//! Where rows and columns lie.

use std::collections::BTreeMap;

use sheet::resolved::metrics::{
    PIXELS_PER_POINT, column_pixels, default_column_pixels, digit_width, line_height, text_width,
};
use sheet::resolved::{Anchor, Corner, Resolved};
use sheet::{Area, CellRef, Columns, SheetView};

use crate::scene::Rect;

/// Units of drawings in a pixel.
const UNITS: f64 = 9525.0;

/// Rows and columns of a picture and around it, in pixels.
#[derive(Debug)]
pub(super) struct Grid {
    /// What is shown.
    pub(super) area: Area,
    columns: Vec<Columns>,
    default_width: f64,
    digit: f64,
    default_height: f64,
    rows_hidden: bool,
    /// Heights that are not the default, rows around the picture among them.
    heights: BTreeMap<u32, f64>,
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// Where the cells begin.
    pub(super) left: f32,
    pub(super) top: f32,
    right_to_left: bool,
}

impl Grid {
    pub(super) fn new(sheet: &SheetView<'_>, resolved: &Resolved, area: Area, left: f32, top: f32) -> Grid {
        let digit = digit_width(&resolved.normal_font);
        let shape = resolved.shape;
        let default_width = match shape.column_width {
            Some(width) => column_pixels(width, digit),
            None => default_column_pixels(shape.base_width.unwrap_or(8), digit),
        };
        let own = line_height(&resolved.normal_font) + 2.0;
        let default_height = shape.row_height.map_or(own, |points| (points * PIXELS_PER_POINT).round());
        let mut grid = Grid {
            area,
            columns: sheet.columns(),
            default_width,
            digit,
            default_height,
            rows_hidden: shape.rows_hidden,
            heights: BTreeMap::new(),
            xs: Vec::new(),
            ys: Vec::new(),
            left,
            top,
            right_to_left: shape.right_to_left,
        };
        let merges = sheet.merges();
        for (row, known) in (resolved.area.top..).zip(&resolved.rows) {
            let height = match (known.hidden, known.height) {
                (true, _) => 0.0,
                (_, Some(points)) => (points * PIXELS_PER_POINT).round().clamp(0.0, 546.0),
                _ if grid.rows_hidden => 0.0,
                _ => grid.fitted(resolved, row, &merges),
            };
            grid.heights.insert(row, height);
        }
        let mut at = 0.0;
        grid.xs.push(at);
        for col in area.left..=area.right {
            at += grid.column_width(col) as f32;
            grid.xs.push(at);
        }
        at = 0.0;
        grid.ys.push(at);
        for row in area.top..=area.bottom {
            at += grid.row_height(row) as f32;
            grid.ys.push(at);
        }
        grid
    }

    /// The height of a row that nobody set: as Excel makes it when it opens the file.
    fn fitted(&self, resolved: &Resolved, row: u32, merges: &[Area]) -> f64 {
        let mut height = self.default_height;
        for col in resolved.area.left..=resolved.area.right {
            let at = CellRef::new(row, col);
            let Some(cell) = resolved.cell(at).filter(|cell| !cell.value.is_blank()) else { continue };
            if merges.iter().any(|merge| merge.contains(at)) {
                continue;
            }
            let alignment = &cell.look.alignment;
            let font = &cell.look.font;
            let line = line_height(font);
            let mut lines = 1.0;
            if alignment.wrap && (alignment.rotation == 0 || alignment.rotation == 255) {
                let room = (self.column_width(col) - 5.0).max(1.0);
                lines = cell.shown.text.lines().map(|text| wrapped(font, text, room)).sum::<f64>().max(1.0);
            } else if (1..=180).contains(&alignment.rotation) {
                let degrees =
                    if alignment.rotation > 90 { alignment.rotation - 90 } else { alignment.rotation };
                let turned = f64::from(degrees).to_radians();
                let tall = text_width(font, &cell.shown.text) * turned.sin() + line * turned.cos();
                height = height.max((tall + 4.0).round());
            }
            height = height.max(line * lines + 2.0);
        }
        height.min(546.0)
    }

    pub(super) fn column_width(&self, col: u32) -> f64 {
        let found = self.columns.iter().find(|columns| (columns.first..=columns.last).contains(&col));
        match found {
            Some(columns) if columns.hidden => 0.0,
            Some(Columns { width: Some(width), .. }) => column_pixels(*width, self.digit),
            _ => self.default_width,
        }
    }

    pub(super) fn row_height(&self, row: u32) -> f64 {
        let plain = if self.rows_hidden { 0.0 } else { self.default_height };
        self.heights.get(&row).copied().unwrap_or(plain)
    }

    pub(super) fn width(&self) -> f32 {
        self.xs.last().copied().unwrap_or(0.0)
    }

    pub(super) fn height(&self) -> f32 {
        self.ys.last().copied().unwrap_or(0.0)
    }

    /// The left edge of a column, or what would be for one outside, before a sheet that runs to the left is turned.
    fn x(&self, col: u32) -> f32 {
        if col < self.area.left {
            let before = (col..self.area.left).map(|col| self.column_width(col)).sum::<f64>();
            return -(before as f32);
        }
        let index = (col - self.area.left) as usize;
        self.xs.get(index).copied().unwrap_or_else(|| {
            let after = (self.area.right + 1..col).map(|col| self.column_width(col)).sum::<f64>();
            self.width() + after as f32
        })
    }

    fn y(&self, row: u32) -> f32 {
        if row < self.area.top {
            let before = (row..self.area.top).map(|row| self.row_height(row)).sum::<f64>();
            return -(before as f32);
        }
        let index = (row - self.area.top) as usize;
        self.ys.get(index).copied().unwrap_or_else(|| {
            let after = (self.area.bottom + 1..row).map(|row| self.row_height(row)).sum::<f64>();
            self.height() + after as f32
        })
    }

    /// Where cells lie in the picture.
    pub(super) fn rect(&self, area: Area) -> Rect {
        let (x, right) = (self.x(area.left), self.x(area.right + 1));
        let (y, bottom) = (self.y(area.top), self.y(area.bottom + 1));
        self.turned(Rect::new(x, y, right - x, bottom - y))
    }

    pub(super) fn cell(&self, at: CellRef) -> Rect {
        self.rect(Area::cell(at))
    }

    fn turned(&self, rect: Rect) -> Rect {
        let x = if self.right_to_left { self.width() - rect.right() } else { rect.x };
        Rect { x: x + self.left, y: rect.y + self.top, ..rect }
    }

    /// Everything that is cells.
    pub(super) fn whole(&self) -> Rect {
        Rect::new(self.left, self.top, self.width(), self.height())
    }

    /// Where an object lies.
    pub(super) fn object(&self, anchor: &Anchor) -> Rect {
        let pixels = |units: i64| (units as f64 / UNITS) as f32;
        let corner = |corner: &Corner| {
            let width = self.column_width(corner.cell.col) as f32;
            let height = self.row_height(corner.cell.row) as f32;
            (
                self.x(corner.cell.col) + pixels(corner.x).clamp(0.0, width),
                self.y(corner.cell.row) + pixels(corner.y).clamp(0.0, height),
            )
        };
        let rect = match anchor {
            Anchor::Between { from, to } => {
                let (from, to) = (corner(from), corner(to));
                Rect::new(from.0, from.1, (to.0 - from.0).max(0.0), (to.1 - from.1).max(0.0))
            }
            Anchor::At { from, width, height } => {
                let (x, y) = corner(from);
                Rect::new(x, y, pixels(*width).max(0.0), pixels(*height).max(0.0))
            }
            Anchor::Fixed { x, y, width, height } => Rect::new(
                self.x(0) + pixels(*x),
                self.y(0) + pixels(*y),
                pixels(*width).max(0.0),
                pixels(*height).max(0.0),
            ),
        };
        self.turned(rect)
    }
}

/// Lines that a text takes in so much room, breaking between words.
fn wrapped(font: &sheet::resolved::LookFont, text: &str, room: f64) -> f64 {
    let (mut lines, mut used) = (1.0, 0.0);
    for word in text.split_inclusive(' ') {
        let width = text_width(font, word);
        if used + text_width(font, word.trim_end()) > room && used > 0.0 {
            lines += 1.0;
            used = 0.0;
        }
        if width > room {
            lines += (width / room).floor();
            used = width % room;
        } else {
            used += width;
        }
    }
    lines
}

//! A range of a sheet as a scene: what lies under, in and over its cells.

mod borders;
mod fills;
mod grid;
mod icons;
mod objects;
mod shapes;
mod sparklines;
mod texts;
mod words;

use std::collections::BTreeSet;

use edit::{Context, Refusal, Stop};
use sheet::resolved::{Anchor, LookFont, Resolved, Rgb};
use sheet::{Area, CellRef, SheetView};

use crate::fonts::Fonts;
use crate::scene::{Rect, Scene, Shape, Text};
use grid::Grid;

/// Cells beside the picture that are looked at, because their texts may reach into it.
const AROUND: u32 = 16;
const GRID: Rgb = Rgb(0xD9, 0xD9, 0xD9);

/// What may be shown beside the cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras {
    /// As the sheet has it, if nothing is said.
    pub(crate) gridlines: Option<bool>,
    pub(crate) headings: bool,
}

pub(crate) struct Painter<'a> {
    sheet: &'a SheetView<'a>,
    resolved: &'a Resolved,
    grid: &'a Grid,
    merges: &'a [Area],
    fonts: &'a mut Fonts,
    scene: Scene,
    /// Cells whose right edge a text runs over.
    covered: BTreeSet<(u32, u32)>,
    pub(crate) not_drawn: Vec<String>,
}

/// The pixels of a range before it is drawn, to refuse what is too large.
pub(crate) fn scene(
    sheet: &SheetView<'_>,
    area: Area,
    extras: Extras,
    fonts: &mut Fonts,
    cx: &Context,
    fits: &dyn Fn(f32, f32) -> Result<(), Refusal>,
) -> Result<(Scene, Vec<String>), Refusal> {
    let merges = sheet.merges();
    let wide =
        merges.iter().filter(|merge| intersects(merge, &area)).fold(area, |known, merge| known.hull(merge));
    let last = (sheet_limits().0 - 1, sheet_limits().1 - 1);
    let around = Area {
        top: wide.top,
        bottom: wide.bottom,
        left: area.left.saturating_sub(AROUND).min(wide.left),
        right: (area.right.saturating_add(AROUND)).min(last.1).max(wide.right),
    };
    let resolved = sheet.resolved(around, cx)?;
    let (left, top) = match extras.headings {
        true => (heading_width(area.bottom, fonts), 20.0),
        false => (1.0, 1.0),
    };
    let grid = Grid::new(sheet, &resolved, area, left, top);
    let mut scene = Scene { width: left + grid.width(), height: top + grid.height(), items: Vec::new() };
    if grid.width() < 1.0 || grid.height() < 1.0 {
        return Err(Refusal::Rule {
            code: "RENDER_FAILED",
            why: format!("all rows or columns of {}!{area} are hidden", sheet.name()),
            instead: Some("draw a range with visible rows and columns, or show them first".to_owned()),
        });
    }
    fits(scene.width, scene.height)?;
    scene.items.reserve(area.count() as usize);
    let mut painter = Painter {
        sheet,
        resolved: &resolved,
        grid: &grid,
        merges: &merges,
        fonts,
        scene,
        covered: BTreeSet::new(),
        not_drawn: resolved.notes.clone(),
    };
    for pivot in sheet.pivot_tables()?.into_iter().filter(|pivot| intersects(pivot, &area)) {
        painter.not_drawn.push(format!("the style of the pivot table at {pivot}"));
    }
    cx.stop.check()?;
    painter.paint(extras, &cx.stop)?;
    cx.stop.check()?;
    Ok((painter.scene, painter.not_drawn))
}

/// Rows and columns below an object that are looked at to know its size.
const MOST_BELOW: u32 = 1_000;

/// The size of an object in pixels.
pub(crate) fn object_size(
    sheet: &SheetView<'_>,
    anchor: &Anchor,
    cx: &Context,
) -> Result<(f32, f32), Refusal> {
    let (from, to) = match anchor {
        Anchor::Between { from, to } => (from.cell, to.cell),
        Anchor::At { from, .. } => (from.cell, from.cell),
        Anchor::Fixed { .. } => (CellRef::new(0, 0), CellRef::new(0, 0)),
    };
    let area = Area {
        top: from.row,
        left: from.col,
        bottom: to.row.clamp(from.row, from.row.saturating_add(MOST_BELOW)),
        right: to.col.clamp(from.col, from.col.saturating_add(MOST_BELOW / 10)),
    };
    let resolved = sheet.resolved(area, cx)?;
    let rect = Grid::new(sheet, &resolved, area, 0.0, 0.0).object(anchor);
    Ok((rect.width, rect.height))
}

fn sheet_limits() -> (u32, u32) {
    (1_048_576, 16_384)
}

fn intersects(a: &Area, b: &Area) -> bool {
    a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right
}

fn heading_font() -> LookFont {
    LookFont { size: 10.0, color: Some(Rgb(0x44, 0x44, 0x44)), ..LookFont::default() }
}

fn heading_width(last_row: u32, fonts: &mut Fonts) -> f32 {
    let font = heading_font();
    let width = fonts.width(&(last_row + 1).to_string(), &font, crate::fonts::pixels(&font));
    (width + 12.0).ceil().max(28.0)
}

impl Painter<'_> {
    fn paint(&mut self, extras: Extras, stop: &Stop) -> Result<(), Refusal> {
        let area = self.grid.area;
        let merges: Vec<Area> =
            self.merges.iter().filter(|merge| intersects(merge, &area)).copied().collect();
        let mut places: Vec<(CellRef, Rect, bool)> = Vec::new();
        for at in area.cells() {
            if merges.iter().any(|merge| merge.contains(at)) {
                continue;
            }
            let rect = self.grid.cell(at);
            if rect.width > 0.0 && rect.height > 0.0 {
                places.push((at, rect, false));
            }
        }
        places.extend(merges.iter().map(|merge| (merge.first(), self.grid.rect(*merge), true)));
        for (at, rect, _) in &places {
            stop.check()?;
            self.fill(*at, *rect);
        }
        for (at, rect, _) in &places {
            self.bar(*at, *rect);
        }
        // Texts are laid out first, because lines of the grid stop where a text runs over them.
        let items = std::mem::take(&mut self.scene.items);
        for (at, rect, is_merged) in &places {
            stop.check()?;
            self.text(*at, *rect, *is_merged);
        }
        self.texts_from_outside(&merges);
        let texts = std::mem::replace(&mut self.scene.items, items);
        if extras.gridlines.unwrap_or_else(|| self.sheet.gridlines()) {
            self.gridlines(&merges);
        }
        self.borders(&merges);
        self.scene.items.extend(texts);
        for (at, rect, _) in &places {
            self.icon(*at, *rect);
        }
        self.frozen();
        self.sparklines()?;
        self.notes()?;
        self.objects()?;
        if extras.headings {
            self.headings();
        }
        Ok(())
    }

    /// Texts of cells beside the picture that reach into it.
    fn texts_from_outside(&mut self, merges: &[Area]) {
        let area = self.grid.area;
        let around = self.resolved.area;
        let before = around.left..area.left;
        let behind = area.right + 1..around.right + 1;
        for row in area.top..=area.bottom {
            if self.grid.row_height(row) <= 0.0 {
                continue;
            }
            for col in before.clone().rev().chain(behind.clone()) {
                let at = CellRef::new(row, col);
                let Some(cell) = self.resolved.cell(at) else { continue };
                if !matches!(cell.value, sheet::Value::Text(_))
                    || merges.iter().any(|merge| merge.contains(at))
                {
                    continue;
                }
                let alignment = &cell.look.alignment;
                if alignment.wrap || alignment.rotation != 0 || alignment.shrink {
                    continue;
                }
                self.text(at, self.grid.cell(at), false);
            }
        }
    }

    /// Where the sheet is frozen, if that is inside.
    fn frozen(&mut self) {
        let Some(frozen) = self.sheet.frozen() else { return };
        let area = self.grid.area;
        let whole = self.grid.whole();
        let ink = Rgb(0x80, 0x80, 0x80);
        if frozen.rows > area.top && frozen.rows <= area.bottom {
            let edge = self.grid.cell(CellRef::new(frozen.rows, area.left));
            self.scene.rect(Rect::new(whole.x, edge.y - 1.0, whole.width, 1.0), ink, None);
        }
        if frozen.columns > area.left && frozen.columns <= area.right {
            let edge = self.grid.cell(CellRef::new(area.top, frozen.columns));
            let x = if self.resolved.shape.right_to_left { edge.right() } else { edge.x };
            self.scene.rect(Rect::new(x - 1.0, whole.y, 1.0, whole.height), ink, None);
        }
    }

    /// Red corners where notes are, purple ones where people talk.
    fn notes(&mut self) -> Result<(), Refusal> {
        let notes = self.sheet.notes()?.into_iter().map(|note| (note.at, Rgb(0xFF, 0, 0)));
        let threads = self.sheet.threads()?.into_iter().map(|thread| (thread.at, Rgb(0x8A, 0x3F, 0xC7)));
        let marks: Vec<(CellRef, Rgb)> = notes.chain(threads).collect();
        for (at, color) in marks {
            if !self.grid.area.contains(at) {
                continue;
            }
            let rect = self.grid.cell(at);
            if rect.width < 6.0 || rect.height < 6.0 {
                continue;
            }
            let right = rect.right() - 1.0;
            let corner = [(right - 6.0, rect.y), (right, rect.y), (right, rect.y + 6.0)];
            self.scene.fill(crate::scene::polyline(&corner, true), color.into(), None);
        }
        Ok(())
    }

    /// Letters of columns and numbers of rows.
    fn headings(&mut self) {
        let (ground, rule) = (Rgb(0xF0, 0xF0, 0xF0), Rgb(0xBF, 0xBF, 0xBF));
        let whole = self.grid.whole();
        let (left, top) = (self.grid.left, self.grid.top);
        self.scene.rect(Rect::new(0.0, 0.0, left + whole.width, top), ground, None);
        self.scene.rect(Rect::new(0.0, 0.0, left, top + whole.height), ground, None);
        self.scene.rect(Rect::new(0.0, top - 1.0, left + whole.width, 1.0), rule, None);
        self.scene.rect(Rect::new(left - 1.0, 0.0, 1.0, top + whole.height), rule, None);
        let area = self.grid.area;
        for col in area.left..=area.right {
            let cell = self.grid.cell(CellRef::new(area.top, col));
            if cell.width <= 0.0 {
                continue;
            }
            let rect = Rect::new(cell.x, 0.0, cell.width, top);
            self.scene.rect(Rect::new(rect.right() - 1.0, 0.0, 1.0, top), rule, None);
            let one = Area { top: 0, bottom: sheet_limits().0 - 1, left: col, right: col };
            let name = one.to_string();
            self.label(name.split(':').next().unwrap_or(&name), rect, &heading_font());
        }
        for row in area.top..=area.bottom {
            let cell = self.grid.cell(CellRef::new(row, area.left));
            if cell.height <= 0.0 {
                continue;
            }
            let rect = Rect::new(0.0, cell.y, left, cell.height);
            self.scene.rect(Rect::new(0.0, rect.bottom() - 1.0, left, 1.0), rule, None);
            self.label(&(row + 1).to_string(), rect, &heading_font());
        }
    }

    /// A line of text in the middle of a place.
    fn label(&mut self, text: &str, rect: Rect, font: &LookFont) {
        let size = crate::fonts::pixels(font);
        let shaped = self.fonts.shape(text, font, size);
        let text = Text {
            x: rect.x + (rect.width - shaped.width) / 2.0,
            y: rect.y + rect.height / 2.0 + size * 0.32,
            glyphs: shaped.glyphs,
            size,
            ink: font.color.unwrap_or(Rgb::BLACK).into(),
            rotation: 0.0,
            words: text.to_owned(),
        };
        self.scene.push(Shape::Text(text), Some(rect));
    }
}

//! The look of a range, decided: what a reader of the sheet sees in each cell, without drawing it.
//!
//! One answer for pictures, for questions about a cell's style and for checks of what is shown: theme colours with
//! their tints, formats of rows and columns, styles of tables with their stripes, and conditional formats as they
//! apply now. Where things lie that are no cells (pictures, charts, sparklines) is told too. Widths of text are not
//! known here, and nothing is ever changed.

mod chart;
mod fit;
mod look;
pub mod metrics;
mod palette;
mod placed;
mod references;
mod rules;
mod shape;
mod sparklines;
mod table_style;
mod valued;

use std::collections::HashMap;
use std::sync::Arc;

use edit::{Context, Refusal};
use formula::numfmt;
use formula::{DateSystem, Value};
use ooxml::xml::ns;
use serde::Serialize;

use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{decimal, flag, number};
use crate::read::book::Book;
use crate::read::features::RowProperties;
use crate::read::sheet_view::SheetView;

pub use chart::{
    AxisDates, Blanks, ChartText, Crossing, DateUnit, LabelPlace, LabelText, Labels, LegendSide, Marker,
    MarkerShape, PlainAxis, PlainChart, PlainGroup, PlainKind, PlainLegend, PlainSeries, PlotLayout,
    Stacking, Stroke, TickLabels, TickMarks, Trend, TrendKind, Words, axis_text,
};
pub use fit::{FitOptions, Fitted};
pub use look::{Gradient, GradientShape, Line, LineStyle, Look, LookBorder, LookFill, LookFont, Reading};
pub use palette::{Ink, Palette, Rgb};
pub use placed::{Anchor, Corner, Crop, Placed, PlacedKind};
pub use rules::{Bar, Icon};
pub use shape::{ShapeLook, ShapeParagraph, ShapeText};
pub use sparklines::{Sparkline, SparklineKind, SparklineLooks, SparklineRange};

use look::look_font;
use rules::Rules;
use table_style::StyledTable;

/// Cells that are resolved at once; a picture of more would not be read by anybody.
const MOST_CELLS: u64 = 2_000_000;

/// The look of an area.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub area: Area,
    /// Row by row, as many as the area has.
    cells: Vec<ResolvedCell>,
    pub palette: Palette,
    /// The font that widths of columns are counted in.
    pub normal_font: LookFont,
    pub rows: Vec<RowProperties>,
    pub shape: SheetShape,
    /// Conditional formats that could not be decided.
    pub notes: Vec<String>,
}

/// A cell as it is shown.
#[derive(Clone, Debug)]
pub struct ResolvedCell {
    pub value: Value,
    pub look: Arc<Look>,
    pub shown: Shown,
    /// Pieces of the text with fonts of their own.
    pub pieces: Option<Vec<Piece>>,
    pub bar: Option<Bar>,
    pub icon: Option<Icon>,
    /// Only the bar or icon is shown.
    pub hides_value: bool,
}

/// The text of a cell before it is known how much room there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub text: String,
    /// What the number format asks for.
    pub color: Option<Rgb>,
    /// A character that fills the room left, and the byte of the text before which it stands.
    pub fill: Option<(usize, char)>,
    /// A date that there is no day for: the cell is filled with `#`.
    pub no_date: bool,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    pub text: String,
    pub font: LookFont,
}

/// How large rows and columns are where nothing is said, and which way the sheet runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SheetShape {
    /// In characters of the normal font.
    pub column_width: Option<f64>,
    /// Characters that a column has room for, beside its margins.
    pub base_width: Option<u32>,
    /// In points.
    pub row_height: Option<f64>,
    /// Rows that are not in the file are hidden.
    pub rows_hidden: bool,
    pub right_to_left: bool,
}

impl Resolved {
    /// `None` outside the area.
    pub fn cell(&self, at: CellRef) -> Option<&ResolvedCell> {
        if !self.area.contains(at) {
            return None;
        }
        let width = (self.area.right - self.area.left + 1) as usize;
        self.cells.get((at.row - self.area.top) as usize * width + (at.col - self.area.left) as usize)
    }
}

impl Book {
    /// How a cell format looks by itself, without tables and conditional formats.
    pub fn look(&self, style: u32) -> Result<Look, Refusal> {
        let palette = self.palette()?;
        let styles = self.styles()?;
        let normal = styles.map_or_else(LookFont::default, |styles| styles.normal_font(&palette));
        let mut looks = LookCache { book: self, palette: &palette, normal: &normal, known: HashMap::new() };
        looks.get(style).map(Arc::unwrap_or_clone)
    }
}

impl SheetView<'_> {
    /// What the colours of the workbook mean.
    pub fn palette(&self) -> Result<Palette, Refusal> {
        self.book.palette()
    }

    /// Where pivot tables lie, whose styles are not resolved.
    pub fn pivot_tables(&self) -> Result<Vec<Area>, Refusal> {
        let found = crate::read::pivot_areas::pivot_areas(self)?;
        Ok(found.iter().filter_map(|areas| areas.first().copied()).collect())
    }

    /// What is said of rows and columns in general.
    pub fn shape(&self) -> SheetShape {
        let format = self.root().child(ns::S, "sheetFormatPr");
        let format = format.as_ref();
        let views = self.root().child(ns::S, "sheetViews");
        let view = views.and_then(|views| views.child(ns::S, "sheetView"));
        SheetShape {
            column_width: format.and_then(|node| decimal(node, "defaultColWidth")),
            base_width: format.and_then(|node| number(node, "baseColWidth")),
            row_height: format.and_then(|node| decimal(node, "defaultRowHeight")),
            rows_hidden: format.is_some_and(|node| flag(node, "zeroHeight", false)),
            right_to_left: view.is_some_and(|view| flag(&view, "rightToLeft", false)),
        }
    }

    /// The width of columns of which nothing is said, as a file writes it.
    pub fn usual_column_width(&self) -> Result<f64, Refusal> {
        let shape = self.shape();
        if let Some(width) = shape.column_width {
            return Ok(width);
        }
        let palette = self.book.palette()?;
        let normal =
            self.book.styles()?.map_or_else(LookFont::default, |styles| styles.normal_font(&palette));
        let digit = metrics::digit_width(&normal);
        let pixels = metrics::default_column_pixels(shape.base_width.unwrap_or(8), digit);
        Ok(metrics::width_of_pixels(pixels, digit))
    }

    /// The look of an area.
    pub fn resolved(&self, area: Area, cx: &Context) -> Result<Resolved, Refusal> {
        if area.count() > MOST_CELLS {
            return Err(Refusal::Limit {
                what: format!("the cells of {}!{area}", self.name()).into(),
                found: area.count().to_string(),
                limit: MOST_CELLS.to_string(),
            });
        }
        let palette = self.book.palette()?;
        let styles = self.book.styles()?;
        let normal = styles.map_or_else(LookFont::default, |styles| styles.normal_font(&palette));
        let mut looks =
            LookCache { book: self.book, palette: &palette, normal: &normal, known: HashMap::new() };
        let columns = self.column_styles();
        let mut rows = Vec::with_capacity((area.bottom - area.top + 1) as usize);
        let mut cells = Vec::with_capacity(area.count() as usize);
        for row in area.top..=area.bottom {
            cx.stop.check()?;
            let row_properties = self.row_properties(row)?;
            for col in area.left..=area.right {
                let of_column = columns.iter().find(|(first, last, _)| (*first..=*last).contains(&col));
                let style = row_properties.style.or(of_column.map(|(_, _, style)| *style)).unwrap_or(0);
                cells.push(ResolvedCell {
                    value: Value::Blank,
                    look: looks.get(style)?,
                    shown: Shown::default(),
                    pieces: None,
                    bar: None,
                    icon: None,
                    hides_value: false,
                });
            }
            rows.push(row_properties);
        }
        let width = (area.right - area.left + 1) as usize;
        let index = |at: CellRef| (at.row - area.top) as usize * width + (at.col - area.left) as usize;
        let mut failed = None;
        self.each_cell(area, &mut |cell| {
            let Some(slot) = cells.get_mut(index(cell.at)) else { return };
            match looks.get(cell.style) {
                Ok(look) => slot.look = look,
                Err(refusal) => failed = Some(refusal),
            }
            slot.value = cell.value;
        })?;
        if let Some(refusal) = failed {
            return Err(refusal);
        }
        let mut resolved = Resolved {
            area,
            cells,
            normal_font: normal.clone(),
            rows,
            shape: self.shape(),
            notes: Vec::new(),
            palette: palette.clone(),
        };
        self.apply_tables(&mut resolved)?;
        self.apply_rules(&mut resolved, cx)?;
        self.show(&mut resolved)?;
        Ok(resolved)
    }

    fn apply_tables(&self, resolved: &mut Resolved) -> Result<(), Refusal> {
        let styles = self.book.styles()?.map(|styles| &**styles);
        let tables = self.tables()?;
        let tables = tables.iter().filter(|table| table.area.intersects(&resolved.area));
        let tables: Vec<StyledTable> =
            tables.filter_map(|table| StyledTable::new(table, styles, &resolved.palette)).collect();
        if tables.is_empty() {
            return Ok(());
        }
        for (at, cell) in resolved.area.cells().zip(&mut resolved.cells) {
            let Some(table) = tables.iter().find(|table| table.contains(at)) else { continue };
            let under = table.difference(at);
            let mut look = Look {
                font: resolved.normal_font.clone(),
                alignment: cell.look.alignment.clone(),
                reading: cell.look.reading,
                number_format: cell.look.number_format.clone(),
                ..Look::default()
            };
            under.apply(&mut look);
            own_over_table(&cell.look, &resolved.normal_font, &mut look);
            cell.look = Arc::new(look);
        }
        Ok(())
    }

    fn apply_rules(&self, resolved: &mut Resolved, cx: &Context) -> Result<(), Refusal> {
        let styles = self.book.styles()?.map(|styles| &**styles);
        let mut rules = Rules::new(*self, resolved.area, styles, &resolved.palette, cx);
        if rules.is_empty() {
            return Ok(());
        }
        for (at, cell) in resolved.area.cells().zip(&mut resolved.cells) {
            let effect = rules.effect(at, &cell.value, &resolved.palette);
            if effect.difference != look::Difference::default() {
                effect.difference.apply(Arc::make_mut(&mut cell.look));
            }
            (cell.bar, cell.icon, cell.hides_value) = (effect.bar, effect.icon, effect.hides_value);
        }
        resolved.notes.append(&mut rules.undecided);
        Ok(())
    }

    /// The texts, once it is known which number format each cell has.
    fn show(&self, resolved: &mut Resolved) -> Result<(), Refusal> {
        let dates = self.book.workbook.dates;
        for (at, cell) in resolved.area.cells().zip(&mut resolved.cells) {
            cell.shown = shown(&cell.value, &cell.look.number_format, dates, &resolved.palette);
            if matches!(cell.value, Value::Text(_)) {
                let runs = self.rich_text(at)?;
                cell.pieces = runs.map(|runs| {
                    let own = &cell.look.font;
                    let font = |run: &crate::RichRun| {
                        run.font.as_ref().map(|font| look_font(font, &resolved.palette, own))
                    };
                    let pieces = runs.iter().map(|run| Piece {
                        text: run.text.clone(),
                        font: font(run).unwrap_or_else(|| own.clone()),
                    });
                    pieces.collect()
                });
            }
        }
        Ok(())
    }
}

/// What a cell says itself hides what its table says of it; the normal font says nothing.
fn own_over_table(own: &Look, normal: &LookFont, look: &mut Look) {
    let font = &mut look.font;
    font.name.clone_from(&own.font.name);
    font.size = own.font.size;
    font.bold |= own.font.bold;
    font.italic |= own.font.italic;
    font.strike |= own.font.strike;
    if own.font.underline.is_some() {
        font.underline.clone_from(&own.font.underline);
    }
    font.vertical.clone_from(&own.font.vertical);
    if own.font.color.is_some() && own.font.color != normal.color {
        font.color = own.font.color;
    }
    if own.fill != LookFill::None {
        look.fill.clone_from(&own.fill);
    }
    let (border, wanted) = (&mut look.border, &own.border);
    border.left = wanted.left.or(border.left);
    border.right = wanted.right.or(border.right);
    border.top = wanted.top.or(border.top);
    border.bottom = wanted.bottom.or(border.bottom);
    (border.diagonal, border.up, border.down) = (wanted.diagonal, wanted.up, wanted.down);
}

/// A value by a format code, with the colours the code names.
pub(crate) fn shown(value: &Value, code: &str, dates: DateSystem, palette: &Palette) -> Shown {
    if value.is_blank() {
        return Shown::default();
    }
    let Some(formatted) = numfmt::format(value, code, dates) else {
        return Shown { no_date: true, ..Shown::default() };
    };
    let color = formatted.color.and_then(|color| match color {
        numfmt::Color::Black => Some(Rgb::BLACK),
        numfmt::Color::Blue => Some(Rgb(0, 0, 255)),
        numfmt::Color::Cyan => Some(Rgb(0, 255, 255)),
        numfmt::Color::Green => Some(Rgb(0, 255, 0)),
        numfmt::Color::Magenta => Some(Rgb(255, 0, 255)),
        numfmt::Color::Red => Some(Rgb(255, 0, 0)),
        numfmt::Color::White => Some(Rgb::WHITE),
        numfmt::Color::Yellow => Some(Rgb(255, 255, 0)),
        numfmt::Color::Indexed(number) => palette.numbered(number),
    });
    Shown { text: formatted.text, color, fill: formatted.fill, no_date: false }
}

/// LookCache of cell formats, each made once.
struct LookCache<'a> {
    book: &'a Book,
    palette: &'a Palette,
    normal: &'a LookFont,
    known: HashMap<u32, Arc<Look>>,
}

impl LookCache<'_> {
    fn get(&mut self, style: u32) -> Result<Arc<Look>, Refusal> {
        if let Some(known) = self.known.get(&style) {
            return Ok(Arc::clone(known));
        }
        let look = match self.book.styles()? {
            Some(styles) => styles.look(style, self.palette, self.normal),
            None => Look { font: self.normal.clone(), ..Look::default() },
        };
        let look = Arc::new(look);
        self.known.insert(style, Arc::clone(&look));
        Ok(look)
    }
}

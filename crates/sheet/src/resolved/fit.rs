//! How wide columns have to be to show what is in them.

use edit::{Context, Refusal};
use formula::Value;

use super::metrics::{column_pixels, default_column_pixels, digit_width, text_width, width_of_pixels};
use super::{Resolved, ResolvedCell};
use crate::file::a1::{Area, CellRef};
use crate::read::sheet_view::SheetView;

/// Bounds of a fitted width, in characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    pub least: f64,
    pub most: f64,
    /// Beside the margins that every column has.
    pub padding: f64,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { least: 0.0, most: 255.0, padding: 0.0 }
    }
}

/// A column and its width as files give it, before and fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub column: u32,
    pub width: f64,
    pub previous: f64,
}

/// The button of a filter.
const BUTTON: f64 = 17.0;
/// Rows that are resolved at a time.
const ROWS: u32 = 5_000;

impl SheetView<'_> {
    /// The widths that show what columns hold. Wrapped, turned and merged cells do not count, as in Excel; a column
    /// without anything in it is left out.
    pub fn fitted(
        &self,
        columns: &[u32],
        options: &FitOptions,
        cx: &Context,
    ) -> Result<Vec<Fitted>, Refusal> {
        let Some(extent) = self.extent()? else { return Ok(Vec::new()) };
        let merges = self.merges();
        let filters: Vec<Area> = self
            .tables()?
            .into_iter()
            .filter(|table| table.header_rows > 0)
            .map(|table| table.area)
            .chain(self.auto_filter())
            .map(|area| Area { bottom: area.top, ..area })
            .collect();
        let known = self.columns();
        let mut fitted = Vec::new();
        for column in columns.iter().copied().filter(|column| (extent.left..=extent.right).contains(column)) {
            let mut widest: f64 = 0.0;
            let mut digit = 7.0;
            let mut base = None;
            let mut top = extent.top;
            while top <= extent.bottom {
                cx.stop.check()?;
                let bottom = extent.bottom.min(top + ROWS - 1);
                let area = Area { top, bottom, left: column, right: column };
                let resolved = self.resolved(area, cx)?;
                digit = digit_width(&resolved.normal_font);
                base = Some(resolved.shape);
                for at in area.cells().filter(|at| !merges.iter().any(|merge| merge.contains(*at))) {
                    let button = if filters.iter().any(|filter| filter.contains(at)) { BUTTON } else { 0.0 };
                    widest = widest.max(needed(&resolved, at).map_or(0.0, |width| width + button));
                }
                top = bottom + 1;
            }
            if widest <= 0.0 {
                continue;
            }
            let margins = 2.0 * (digit / 4.0).ceil() + 1.0;
            let wanted = width_of_pixels((widest + margins).ceil(), digit) + options.padding;
            let own = known.iter().find(|known| (known.first..=known.last).contains(&column));
            let usual = || match base.and_then(|shape| shape.column_width) {
                Some(width) => width,
                None => {
                    let characters = base.and_then(|shape| shape.base_width).unwrap_or(8);
                    width_of_pixels(default_column_pixels(characters, digit), digit)
                }
            };
            let previous = own.and_then(|own| own.width).unwrap_or_else(usual);
            let width = wanted.clamp(options.least.min(options.most), options.most.min(255.0));
            // A width that shows the same pixels is the same width.
            let same = column_pixels(previous, digit) == column_pixels(width, digit);
            fitted.push(Fitted { column, width: if same { previous } else { width }, previous });
        }
        Ok(fitted)
    }
}

/// The pixels that a cell wants, if it has a say.
fn needed(resolved: &Resolved, at: CellRef) -> Option<f64> {
    let cell: &ResolvedCell = resolved.cell(at)?;
    let alignment = &cell.look.alignment;
    let spreads = matches!(alignment.horizontal.as_deref(), Some("centerContinuous" | "fill"));
    if cell.shown.text.is_empty() || alignment.rotation != 0 || spreads || cell.hides_value {
        return None;
    }
    if alignment.wrap && matches!(cell.value, Value::Text(_)) {
        return None;
    }
    let width = match &cell.pieces {
        Some(pieces) => pieces.iter().map(|piece| text_width(&piece.font, &piece.text)).sum(),
        None => {
            let lines = cell.shown.text.split('\n');
            lines.map(|line| text_width(&cell.look.font, line)).fold(0.0, f64::max)
        }
    };
    let indent = f64::from(alignment.indent) * 3.0 * text_width(&resolved.normal_font, " ");
    let icon = if cell.icon.is_some() { 18.0 } else { 0.0 };
    Some(width + indent + icon)
}

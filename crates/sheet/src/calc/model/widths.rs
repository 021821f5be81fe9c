//! How wide the columns of a sheet are, for `CELL("width")`.

use edit::Refusal;

use crate::read::sheet_view::SheetView;
use crate::resolved::LookFont;
use crate::resolved::metrics::{column_pixels, default_column_pixels, digit_width};

/// Widths in characters of the workbook's font, without margins.
#[derive(Clone, Debug)]
pub(super) struct Widths {
    standard: f64,
    /// First column, last column, width.
    runs: Vec<(u32, u32, f64)>,
}

impl Default for Widths {
    fn default() -> Widths {
        Widths { standard: 8.43, runs: Vec::new() }
    }
}

impl Widths {
    pub(super) fn of_sheet(view: &SheetView<'_>) -> Result<Widths, Refusal> {
        let palette = view.book.palette()?;
        let styles = view.book.styles()?;
        let digit =
            digit_width(&styles.map_or_else(LookFont::default, |styles| styles.normal_font(&palette)));
        let margins = 2.0 * (digit / 4.0).ceil() + 1.0;
        let characters = |pixels: f64| ((pixels - margins) / digit).max(0.0);
        let shape = view.shape();
        let standard = match shape.column_width {
            Some(width) => column_pixels(width, digit),
            None => default_column_pixels(shape.base_width.unwrap_or(8), digit),
        };
        let runs = view.columns().into_iter().filter_map(|run| {
            let pixels = if run.hidden { 0.0 } else { column_pixels(run.width?, digit) };
            Some((run.first, run.last, characters(pixels)))
        });
        Ok(Widths { standard: characters(standard), runs: runs.collect() })
    }

    /// The width of a column, and whether it is the one that all columns have.
    pub(super) fn of(&self, col: u32) -> (f64, bool) {
        let run = self.runs.iter().find(|(first, last, _)| (*first..=*last).contains(&col));
        run.map_or((self.standard, true), |(_, _, width)| (*width, false))
    }
}

//! Values as they are shown.

use edit::Refusal;
use formula::{Locale, Region, Value, numfmt};

use crate::file::styles::Style;
use crate::read::book::Book;
use crate::read::sheet_view::Cell;

/// Whether numbers in this format are dates or times.
pub(crate) fn is_date_format(code: &str) -> bool {
    numfmt::is_date(code)
}

impl Book {
    /// How a cell format looks.
    pub fn style(&self, style: u32) -> Result<Style, Refusal> {
        let general = || Style { number_format: "General".to_owned(), locked: true, ..Style::default() };
        Ok(self.styles()?.map_or_else(general, |styles| styles.style(style)))
    }

    pub fn number_format(&self, style: u32) -> Result<&str, Refusal> {
        Ok(self.styles()?.map_or("General", |styles| styles.number_format(style)))
    }

    /// A value as a cell of that format shows it, wide enough.
    pub fn text(&self, value: &Value, style: u32) -> Result<String, Refusal> {
        let code = self.number_format(style)?;
        let shown = numfmt::format(value, code, self.workbook.dates);
        Ok(shown.map_or_else(|| "#".repeat(8), |shown| shown.text))
    }

    /// The same in another language: its signs, names of months, and order of short dates.
    pub fn text_in(&self, value: &Value, style: u32, locale: Locale) -> Result<String, Refusal> {
        let code = match self.number_format(style)? {
            "m/d/yyyy" => locale.short_date(),
            code => code,
        };
        let region = Region { dates: self.workbook.dates, locale };
        Ok(numfmt::format(value, code, region).map_or_else(|| "#".repeat(8), |shown| shown.text))
    }

    /// Whether the number in a cell stands for a date or time.
    pub fn is_date(&self, cell: &Cell) -> Result<bool, Refusal> {
        Ok(matches!(cell.value, Value::Number(_)) && is_date_format(self.number_format(cell.style)?))
    }
}

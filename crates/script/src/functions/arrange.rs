//! Sorting rows, and widths that fit.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::FitOptions;
use sheet::{Area, CellRef, Edit, LineChange, SortKey};

use super::cell_value::letters;
use super::write::{WriteResult, told};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, Column, RangeArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<SortRange>(), entry::<AutoFitColumns>()]
}

/// A column by its letters, its number on the sheet or its header.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SortBy {
    col: Column,
    #[serde(default)]
    order: SortOrder,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SortOrder {
    #[default]
    Asc,
    Desc,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SortOptions {
    /// The first row stays where it is; the default, except for the rows of a table, which come without their header.
    has_header: Option<bool>,
}

function! {
    /// Put the rows of a range into another order, with their formats; formulas read as if they were copied to their
    /// new row. Numbers come before texts, texts before FALSE and TRUE, blanks last.
    "sortRange" SortRange { range: RangeArg, keys: Vec<SortBy>, options: Option<SortOptions> } -> WriteResult => sort_range
}

fn sort_range(host: &mut Host, call: SortRange) -> Result<WriteResult, Fault> {
    let Range { sheet, area } = reference::range(host, &call.range)?;
    let tables = host.sheet(sheet)?.tables()?;
    let rows = tables.iter().find(|table| reference::body(table) == Some(area));
    let said = call.options.unwrap_or_default().has_header;
    let headed = said.unwrap_or(rows.is_none());
    let header = match (headed, rows) {
        (true, _) => Some(area.top),
        (false, Some(table)) if table.header_rows > 0 => Some(table.area.top),
        (false, _) => None,
    };
    let data = if headed { Area { top: area.top + 1, ..area } } else { area };
    if data.top > data.bottom {
        return Err(Fault::invalid(format!(
            "{area} is one row, which is its header; give the rows below it too, or `{{hasHeader: false}}`"
        )));
    }
    let keys = call.keys.iter().map(|key| {
        let column = key_column(host, sheet, &data, header, &key.col)?;
        Ok(SortKey { column, descending: key.order == SortOrder::Desc })
    });
    let keys = keys.collect::<Result<Vec<_>, Fault>>()?;
    host.read(Range { sheet, area });
    let written = host.write(vec![Edit::SortRange { sheet: host.sheet_name(sheet), area: data, keys }])?;
    let mut told = told(host, &written)?;
    if headed && said.is_none() {
        let row = host.address(sheet, Area { bottom: area.top, ..area });
        told.notes.push(format!(
            "{row} was taken for the header and stayed; with `{{hasHeader: false}}` it is sorted too"
        ));
    }
    Ok(told)
}

/// A column of the range; what is no column of it may be a header.
fn key_column(
    host: &Host,
    sheet: usize,
    data: &Area,
    header: Option<u32>,
    col: &Column,
) -> Result<u32, Fault> {
    if let Ok(column) = col.index()
        && (data.left..=data.right).contains(&column)
    {
        return Ok(column);
    }
    let view = host.sheet(sheet)?;
    let mut headers = Vec::new();
    for column in data.left..=data.right {
        if let Some(row) = header
            && let Some(cell) = view.cell(CellRef::new(row, column))?
        {
            headers.push((column, host.text(&cell.value, cell.style)?));
        }
    }
    if let Column::Letters(wanted) = col {
        let wanted = wanted.trim().to_lowercase();
        let mut found = headers.iter().filter(|(_, text)| text.trim().to_lowercase() == wanted);
        if let (Some((column, _)), None) = (found.next(), found.next()) {
            return Ok(*column);
        }
    }
    let names: Vec<String> = headers.iter().map(|(_, text)| format!("`{text}`")).collect();
    let named = if names.is_empty() { String::new() } else { format!(", or one of {}", names.join(", ")) };
    Err(Fault::invalid(format!(
        "{col} is no column of the range; use {} to {}{named}",
        letters(data.left),
        letters(data.right)
    )))
}

/// In characters of the default font.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FitInput {
    #[schemars(range(min = 0, max = 255))]
    min_width: Option<f64>,
    #[schemars(range(min = 0, max = 255))]
    max_width: Option<f64>,
    /// Room beside the usual margins.
    #[schemars(range(min = 0, max = 255))]
    padding: Option<f64>,
}

/// The widths of a column.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FittedWidth {
    width: f64,
    previous_width: f64,
}

function! {
    /// Make columns as wide as what they show; all that hold something if none are named. Wrapped, turned and merged
    /// cells do not count.
    "autoFitColumns" AutoFitColumns { sheet: String, columns: Option<Vec<Column>>, options: Option<FitInput> }
        -> BTreeMap<String, FittedWidth> => auto_fit
}

fn auto_fit(host: &mut Host, call: AutoFitColumns) -> Result<BTreeMap<String, FittedWidth>, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let view = host.sheet(sheet)?;
    let columns: Vec<u32> = match &call.columns {
        Some(columns) => columns.iter().map(Column::index).collect::<Result<_, _>>()?,
        None => view.extent()?.map_or_else(Vec::new, |area| (area.left..=area.right).collect()),
    };
    let input = call.options.unwrap_or_default();
    let usual = FitOptions::default();
    let options = FitOptions {
        least: input.min_width.unwrap_or(usual.least),
        most: input.max_width.unwrap_or(usual.most),
        padding: input.padding.unwrap_or(usual.padding),
    };
    if options.least > options.most {
        return Err(Fault::invalid(format!("minWidth {} is over maxWidth {}", options.least, options.most)));
    }
    let fitted = view.fitted(&columns, &options, host.cx())?;
    let name = host.sheet_name(sheet);
    let edits: Vec<Edit> = fitted
        .iter()
        .filter(|fitted| fitted.width != fitted.previous)
        .map(|fitted| Edit::SetColumns {
            sheet: name.clone(),
            first: fitted.column,
            last: fitted.column,
            properties: LineChange { size: Some(fitted.width), ..LineChange::default() },
        })
        .collect();
    if !edits.is_empty() {
        host.write(edits)?;
    }
    let told = fitted.into_iter().map(|fitted| {
        let widths = FittedWidth { width: fitted.width, previous_width: fitted.previous };
        (letters(fitted.column), widths)
    });
    Ok(told.collect())
}

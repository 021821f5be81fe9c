//! Reading: the workbook, its sheets, cells one by one and as text.

use std::collections::BTreeMap;

use edit::OrEmpty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{Area, Cell, CellRef, TabKind};

use super::cell_value::{Around, CellValue, letters};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range, quoted};
use crate::reference::{self, CellArg, Column, RangeArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<ListSheets>(),
        entry::<ListDefinedNames>(),
        entry::<ReadCell>(),
        entry::<ReadRange>(),
        entry::<ReadRow>(),
        entry::<ReadColumn>(),
        entry::<ReadRangeTsv>(),
        entry::<ReadRowTsv>(),
        entry::<ReadColumnTsv>(),
    ]
}

/// The most cells that are answered one by one; text takes more.
const MOST_VALUES: u64 = 100_000;

/// A sheet and how far it is filled.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SheetInfo {
    sheet: String,
    /// What is filled, or nothing for an empty sheet.
    address: Option<String>,
    rows: u32,
    cols: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    print_area: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    list_objects: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_tables: Vec<String>,
    /// Sheets that its formulas read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    precedents: Vec<String>,
    /// Sheets whose formulas read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependents: Vec<String>,
}

function! {
    /// The sheets of the workbook, how far they are filled, and which of them read which.
    "listSheets" ListSheets {} -> Vec<SheetInfo> => list_sheets
}

fn list_sheets(host: &mut Host, _: ListSheets) -> Result<Vec<SheetInfo>, Fault> {
    let count = host.view().workbook().sheets.len();
    let mut reads: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let calculator = host.calculator()?;
    let cells: Vec<_> = calculator.formulas().map(|(place, _)| place).collect();
    for place in cells {
        let known = reads.entry(place.sheet).or_default();
        for region in calculator.precedents(place) {
            if region.sheet != place.sheet && !known.contains(&region.sheet) {
                known.push(region.sheet);
            }
        }
    }
    let mut sheets = Vec::new();
    for position in 0..count {
        let tab = &host.view().workbook().sheets[position];
        if tab.kind != TabKind::Worksheet {
            continue;
        }
        let view = host.sheet(position)?;
        let extent = view.extent()?;
        let areas = view.page().areas;
        let names = |positions: Vec<usize>| positions.into_iter().map(|at| host.sheet_name(at)).collect();
        let mut from: Vec<usize> = reads.get(&position).cloned().or_empty();
        from.sort_unstable();
        let to = reads.iter().filter(|(_, read)| read.contains(&position)).map(|(at, _)| *at).collect();
        sheets.push(SheetInfo {
            sheet: tab.name.clone(),
            address: extent.map(|area| host.address(position, area)),
            rows: extent.map_or(0, |area| area.bottom + 1),
            cols: extent.map_or(0, |area| area.right + 1),
            hidden: tab.visibility != sheet::Visibility::Visible,
            print_area: (!areas.is_empty())
                .then(|| areas.iter().map(Area::to_string).collect::<Vec<_>>().join(",")),
            list_objects: view.tables()?.into_iter().map(|table| table.name).collect(),
            data_tables: data_tables(host, position)?,
            precedents: names(from),
            dependents: names(to),
        });
    }
    Ok(sheets)
}

fn data_tables(host: &Host, position: usize) -> Result<Vec<String>, Fault> {
    let areas = host.sheet(position)?.data_tables()?;
    Ok(areas.into_iter().map(|area| host.address(position, area)).collect())
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NameInfo {
    name: String,
    range: String,
    /// The sheet it is local to.
    scope: Option<String>,
}

function! {
    /// The defined names, with what they stand for.
    "listDefinedNames" ListDefinedNames {} -> Vec<NameInfo> => list_names
}

fn list_names(host: &mut Host, _: ListDefinedNames) -> Result<Vec<NameInfo>, Fault> {
    let names = host.view().workbook().names.iter().filter(|name| !name.is_built_in() && !name.hidden);
    let told = names.map(|name| NameInfo {
        name: name.name.clone(),
        range: name.formula.clone(),
        scope: name.scope.map(|position| host.sheet_name(position)),
    });
    Ok(told.collect())
}

/// How many cells around to show as `context`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextOption {
    #[schemars(range(min = 0, max = 20))]
    pub(crate) context: Option<u32>,
}

function! {
    /// One cell: value, formula, shown text, format, note, link and comments.
    "readCell" ReadCell { cell: CellArg, options: Option<ContextOption> } -> CellValue => read_cell
}

fn read_cell(host: &mut Host, call: ReadCell) -> Result<CellValue, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    host.read(Range { sheet, area: Area::cell(at) });
    let found = host.sheet(sheet)?.cell(at)?;
    let mut value = Around::new(host, sheet)?.cell(host, at, found.as_ref())?;
    value.context = match call.options.and_then(|options| options.context) {
        Some(steps) if steps > 0 => Some(context(host, sheet, at, steps)?),
        _ => None,
    };
    Ok(value)
}

/// The cells around a cell, as text.
pub(crate) fn context(host: &Host, sheet: usize, at: CellRef, steps: u32) -> Result<String, Fault> {
    let area = Area {
        top: at.row.saturating_sub(steps),
        left: at.col.saturating_sub(steps),
        bottom: (at.row + steps).min(1_048_575),
        right: (at.col + steps).min(16_383),
    };
    tsv(host, Range { sheet, area }, &TsvOptions::default())
}

function! {
    /// The cells of a range, row by row.
    "readRange" ReadRange { range: RangeArg } -> Vec<Vec<CellValue>> => read_range
}

fn read_range(host: &mut Host, call: ReadRange) -> Result<Vec<Vec<CellValue>>, Fault> {
    let range = reference::range(host, &call.range)?;
    values(host, range)
}

pub(crate) fn values(host: &mut Host, range: Range) -> Result<Vec<Vec<CellValue>>, Fault> {
    let count = range.area.count();
    if count > MOST_VALUES {
        return Err(Fault::new(
            "RANGE_TOO_LARGE",
            format!(
                "{} has {count} cells, and {MOST_VALUES} can be read at once; read a part, or use readRangeTsv",
                host.address(range.sheet, range.area)
            ),
        ));
    }
    host.read(range);
    let cells = host.sheet(range.sheet)?.cells(range.area)?;
    let mut around = Around::new(host, range.sheet)?;
    let mut found = cells.iter().peekable();
    let mut rows = Vec::new();
    for row in range.area.top..=range.area.bottom {
        host.cx().stop.check()?;
        let mut line = Vec::new();
        for col in range.area.left..=range.area.right {
            let at = CellRef::new(row, col);
            let cell: Option<&Cell> = found.next_if(|cell| cell.at == at);
            line.push(around.cell(host, at, cell)?);
        }
        rows.push(line);
    }
    Ok(rows)
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ColumnsOf {
    start_col: Option<Column>,
    end_col: Option<Column>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RowsOf {
    #[schemars(range(min = 1, max = 1_048_576))]
    start_row: Option<u32>,
    #[schemars(range(min = 1, max = 1_048_576))]
    end_row: Option<u32>,
}

function! {
    /// The cells of a row, as far as the sheet is filled.
    "readRow" ReadRow { sheet: String, #[schemars(range(min = 1, max = 1_048_576))] row: u32, options: Option<ColumnsOf> } -> Vec<CellValue> => read_row
}

fn read_row(host: &mut Host, call: ReadRow) -> Result<Vec<CellValue>, Fault> {
    let range = row_range(host, &call.sheet, call.row, call.options.unwrap_or_default())?;
    Ok(values(host, range)?.into_iter().flatten().collect())
}

fn row_range(host: &Host, sheet: &str, row: u32, columns: ColumnsOf) -> Result<Range, Fault> {
    let sheet = sheet_position(host.view(), sheet)?;
    let row = row.checked_sub(1).ok_or_else(|| Fault::invalid("rows count from 1"))?;
    let extent = host.extent(sheet)?.unwrap_or(Area::cell(CellRef::new(0, 0)));
    let left = columns.start_col.as_ref().map(Column::index).transpose()?.unwrap_or(0);
    let right = columns.end_col.as_ref().map(Column::index).transpose()?.unwrap_or(extent.right.max(left));
    Ok(Range { sheet, area: Area::new(CellRef::new(row, left), CellRef::new(row, right)) })
}

function! {
    /// The cells of a column, as far as the sheet is filled.
    "readColumn" ReadColumn { sheet: String, col: Column, options: Option<RowsOf> } -> Vec<CellValue> => read_column
}

fn read_column(host: &mut Host, call: ReadColumn) -> Result<Vec<CellValue>, Fault> {
    let range = column_range(host, &call.sheet, &call.col, call.options.unwrap_or_default())?;
    Ok(values(host, range)?.into_iter().flatten().collect())
}

fn column_range(host: &Host, sheet: &str, col: &Column, rows: RowsOf) -> Result<Range, Fault> {
    let sheet = sheet_position(host.view(), sheet)?;
    let col = col.index()?;
    let extent = host.extent(sheet)?.unwrap_or(Area::cell(CellRef::new(0, 0)));
    let top = rows.start_row.map_or(0, |row| row.saturating_sub(1));
    let bottom = rows.end_row.map_or(extent.bottom.max(top), |row| row.saturating_sub(1));
    Ok(Range { sheet, area: Area::new(CellRef::new(top, col), CellRef::new(bottom, col)) })
}

/// How cells are written as text.
#[derive(Debug, Default, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TsvOptions {
    /// Rows without anything too.
    #[serde(default)]
    include_empty: bool,
    /// Formulas in place of values.
    #[serde(default)]
    include_formulas: bool,
}

function! {
    /// A range as text: row numbers, column letters, and what is shown in each cell.
    "readRangeTsv" ReadRangeTsv { range: RangeArg, options: Option<TsvOptions> } -> String => read_range_tsv
}

fn read_range_tsv(host: &mut Host, call: ReadRangeTsv) -> Result<String, Fault> {
    let range = reference::range(host, &call.range)?;
    host.read(range);
    tsv(host, range, &call.options.unwrap_or_default())
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RowTsv {
    start_col: Option<Column>,
    end_col: Option<Column>,
    #[serde(default)]
    include_empty: bool,
    #[serde(default)]
    include_formulas: bool,
}

function! {
    /// A row as text.
    "readRowTsv" ReadRowTsv { sheet: String, #[schemars(range(min = 1, max = 1_048_576))] row: u32, options: Option<RowTsv> } -> String => read_row_tsv
}

fn read_row_tsv(host: &mut Host, call: ReadRowTsv) -> Result<String, Fault> {
    let options = call.options.unwrap_or_default();
    let columns = ColumnsOf { start_col: options.start_col, end_col: options.end_col };
    let range = row_range(host, &call.sheet, call.row, columns)?;
    host.read(range);
    let options =
        TsvOptions { include_empty: options.include_empty, include_formulas: options.include_formulas };
    tsv(host, range, &options)
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ColumnTsv {
    #[schemars(range(min = 1, max = 1_048_576))]
    start_row: Option<u32>,
    #[schemars(range(min = 1, max = 1_048_576))]
    end_row: Option<u32>,
    #[serde(default)]
    include_empty: bool,
    #[serde(default)]
    include_formulas: bool,
}

function! {
    /// A column as text.
    "readColumnTsv" ReadColumnTsv { sheet: String, col: Column, options: Option<ColumnTsv> } -> String => read_column_tsv
}

fn read_column_tsv(host: &mut Host, call: ReadColumnTsv) -> Result<String, Fault> {
    let options = call.options.unwrap_or_default();
    let rows = RowsOf { start_row: options.start_row, end_row: options.end_row };
    let range = column_range(host, &call.sheet, &call.col, rows)?;
    host.read(range);
    let options =
        TsvOptions { include_empty: options.include_empty, include_formulas: options.include_formulas };
    tsv(host, range, &options)
}

/// The most cells that are written as text at once.
const MOST_TSV: u64 = 1_000_000;

pub(crate) fn tsv(host: &Host, range: Range, options: &TsvOptions) -> Result<String, Fault> {
    if range.area.count() > MOST_TSV {
        return Err(Fault::new(
            "RANGE_TOO_LARGE",
            format!(
                "{} has {} cells, and {MOST_TSV} can be read at once",
                host.address(range.sheet, range.area),
                range.area.count()
            ),
        ));
    }
    let sheet = host.sheet(range.sheet)?;
    let area = range.area;
    let mut text = quoted(sheet.name());
    for col in area.left..=area.right {
        text.push('\t');
        text.push_str(&letters(col));
    }
    text.push('\n');
    let cells = sheet.cells(area)?;
    let mut found = cells.iter().peekable();
    for row in area.top..=area.bottom {
        let mut line = String::new();
        let mut filled = false;
        for col in area.left..=area.right {
            line.push('\t');
            if let Some(cell) = found.next_if(|cell| cell.at == CellRef::new(row, col)) {
                let shown = match &cell.formula {
                    Some(formula) if options.include_formulas => format!("={}", formula.shown()),
                    _ => host.text(&host.valued(range.sheet, cell.clone())?.value, cell.style)?,
                };
                filled = filled || !shown.is_empty();
                line.push_str(&shown.replace(['\t', '\n', '\r'], " "));
            }
        }
        if filled || options.include_empty {
            text.push_str(&(row + 1).to_string());
            text.push_str(line.trim_end_matches('\t'));
            text.push('\n');
        }
    }
    Ok(text)
}

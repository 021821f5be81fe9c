//! `xlsx_read`: cells of a workbook as text, page by page.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::sheet::{self, Area, Cell, Sheet, SheetView, View, Visibility};
use workspace::targets::{self, Region};
use workspace::{Context, Kind, Refusal};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Reply, Set},
    workbook,
};

pub(crate) const ABOUT: About =
    About { title: "Read workbook", sets: &[Set::Core, Set::Sheet], hints: Hints::READ };

/// Reads cells of an .xlsx as they are shown, with row numbers and column letters. Without range: the sheets, names and
/// tables there are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The one in front otherwise.
    path: Option<String>,
    /// `Sheet!A1:H20`, a sheet, name or table.
    range: Option<String>,
    #[serde(default)]
    format: Format,
    /// In tsv in place of values, in json beside them.
    #[serde(default)]
    formulas: bool,
    /// Number formats; json only.
    #[serde(default)]
    formats: bool,
    /// Rows to skip.
    #[serde(default)]
    offset: u32,
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Tsv,
    Json,
}

/// Rows of a page if nothing is said.
const ROWS: u32 = 200;
/// A page ends before it has more than this; clients cut what is much longer.
const PAGE_BYTES: usize = 60_000;

const CALCULATED: &str = "; the file has no values for formulas in it, they are shown calculated";

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    if input.formats && input.format == Format::Tsv {
        return Err(ToolError::invalid("`formats` are told in format json").hint("pass format=json"));
    }
    let document = workbook::open(cx, input.path.as_deref())?;
    let asking = Context::new("reader".to_owned(), cx.workspace.now(), 0);
    let text = cx.workspace.read::<Sheet, _>(document, |view| match &input.range {
        None => overview(view, input.format),
        Some(range) => page(view, range, &input, &asking),
    })?;
    let text = text.map_err(|refusal| ToolError::on(Kind::Sheet, refusal))?;
    Ok(Reply { text, ..Reply::default() })
}

/// What there is to read.
fn overview(view: &View, format: Format) -> Result<String, Refusal> {
    let mut sheets = Vec::new();
    for worksheet in view.worksheets() {
        let worksheet = worksheet?;
        let mut told = json!({ "sheet": worksheet.name() });
        told["range"] = worksheet.extent()?.map_or(Value::Null, |area| json!(area.to_string()));
        if view
            .workbook()
            .sheets
            .get(worksheet.position)
            .is_some_and(|tab| tab.visibility != Visibility::Visible)
        {
            told["hidden"] = json!(true);
        }
        sheets.push(told);
    }
    let names: Vec<Value> = (view.workbook().names.iter().filter(|name| !name.name.starts_with("_xlnm.")))
        .map(|name| json!({ "name": name.name, "refers_to": format!("={}", name.formula) }))
        .collect();
    let tables = view.tables()?.into_iter().map(|(position, table)| {
        let sheet = view.sheet_at(position)?.name().to_owned();
        Ok(json!({ "table": table.name, "sheet": sheet, "range": table.area.to_string(), "columns": table.columns }))
    });
    let tables: Vec<Value> = tables.collect::<Result<_, Refusal>>()?;
    if format == Format::Json {
        return Ok(json!({ "sheets": sheets, "names": names, "tables": tables }).to_string());
    }
    let word = |value: &Value| value.as_str().unwrap_or("empty").to_owned();
    let mut text = String::from("sheets\n");
    for sheet in &sheets {
        let hidden = if sheet.get("hidden").is_some() { "\thidden" } else { "" };
        text.push_str(&format!("{}\t{}{hidden}\n", word(&sheet["sheet"]), word(&sheet["range"])));
    }
    for (title, list, key, value) in
        [("names", &names, "name", "refers_to"), ("tables", &tables, "table", "range")]
    {
        if list.is_empty() {
            continue;
        }
        text.push_str(&format!("{title}\n"));
        for one in list {
            let sheet = one.get("sheet").map_or_else(String::new, |sheet| format!("{}!", word(sheet)));
            text.push_str(&format!("{}\t{sheet}{}\n", word(&one[key]), word(&one[value])));
        }
    }
    Ok(text)
}

/// Where the page lies in what was asked for.
struct Page {
    sheet: String,
    rows: u32,
    first: u32,
    area: Area,
    /// Formulas of it have no value in the file.
    calculated: bool,
}

fn page(view: &View, range: &str, input: &Input, cx: &Context) -> Result<String, Refusal> {
    let (worksheet, mut area) = match targets::region(view, range)? {
        Region::Sheet(name) => {
            let worksheet = view.sheet(&name)?;
            let Some(extent) = worksheet.extent()? else { return Ok(format!("{name} is empty\n")) };
            (worksheet, extent)
        }
        Region::Cells(cells) => (view.sheet(&cells.sheet)?, cells.area),
    };
    // Whole rows and columns reach as far as the sheet holds something.
    if let Some(extent) = worksheet.extent()? {
        if area.is_whole_columns() {
            area.bottom = extent.bottom.max(area.top);
        }
        if area.is_whole_rows() {
            area.right = extent.right.max(area.left);
        }
    }
    let rows = area.bottom - area.top + 1;
    if input.offset >= rows {
        return Err(Refusal::invalid("offset", input.offset, format!("a row of {area}, which has {rows}")));
    }
    let first = area.top + input.offset;
    let last = area.bottom.min(first + input.limit.unwrap_or(ROWS) - 1);
    let area = Area { top: first, bottom: last, ..area };
    let page = Page {
        sheet: sheet::quote_sheet(worksheet.name()).to_string(),
        rows,
        first: input.offset,
        area,
        calculated: false,
    };
    let valued = view.readable([(worksheet.position, area)], cx)?;
    let page = Page { calculated: matches!(valued, Cow::Owned(_)), ..page };
    let view = &*valued;
    let worksheet = view.sheet_at(worksheet.position)?;
    let cells = worksheet.cells(area)?;
    match input.format {
        Format::Tsv => tsv(view, &page, &cells, input.formulas),
        Format::Json => as_json(view, &worksheet, &page, &cells, input),
    }
}

impl Page {
    /// What is shown of how much, once it is known how many rows fitted.
    fn told(&self, shown: u32) -> String {
        let Self { rows, first, .. } = self;
        let end = first + shown;
        let more = if end < *rows { format!("; pass offset={end}") } else { String::new() };
        let told = if self.calculated { CALCULATED } else { "" };
        format!("rows {}-{end} of {rows}{more}{told}", first + 1)
    }
}

fn tsv(view: &View, page: &Page, cells: &[Cell], formulas: bool) -> Result<String, Refusal> {
    let area = page.area;
    let mut text = String::from("row");
    for col in area.left..=area.right {
        text.push('\t');
        text.push_str(sheet::CellRef::new(0, col).to_string().trim_end_matches('1'));
    }
    text.push('\n');
    let mut found = cells.iter().peekable();
    let mut shown = 0;
    for row in area.top..=area.bottom {
        let mut line = (row + 1).to_string();
        let mut column = area.left;
        while let Some(cell) = found.next_if(|cell| cell.at.row == row) {
            line.extend(std::iter::repeat_n('\t', (cell.at.col + 1 - column) as usize));
            column = cell.at.col + 1;
            let said = match &cell.formula {
                Some(formula) if formulas => format!("={}", formula.shown()),
                _ => view.text(&cell.value, cell.style)?,
            };
            line.push_str(&said.replace(['\t', '\n', '\r'], " "));
        }
        if shown > 0 && text.len() + line.len() > PAGE_BYTES {
            break;
        }
        text.push_str(line.trim_end_matches('\t'));
        text.push('\n');
        shown += 1;
    }
    Ok(format!("{}!{area} {}\n{text}", page.sheet, page.told(shown)))
}

fn as_json(
    view: &View,
    worksheet: &SheetView<'_>,
    page: &Page,
    cells: &[Cell],
    input: &Input,
) -> Result<String, Refusal> {
    let mut told = Vec::new();
    let (mut bytes, mut full) = (0, None);
    for cell in cells {
        let value = match &cell.value {
            sheet::Value::Number(number) => json!(number),
            sheet::Value::Bool(value) => json!(value),
            sheet::Value::Text(text) => json!(&**text),
            _ => Value::Null,
        };
        let text = view.text(&cell.value, cell.style)?;
        if text.is_empty() && cell.formula.is_none() {
            continue;
        }
        let mut one = json!({ "cell": cell.at.to_string(), "value": value, "text": text });
        if let Some(formula) = cell.formula.as_ref().filter(|_| input.formulas) {
            one["formula"] = json!(format!("={}", formula.shown()));
        }
        if input.formats {
            one["format"] = json!(view.number_format(cell.style)?);
        }
        bytes += one.to_string().len();
        if bytes > PAGE_BYTES && cell.at.row > page.area.top {
            full = Some(cell.at.row);
            break;
        }
        told.push((cell.at.row, one));
    }
    // A row is told whole or on the next page.
    let end = full.unwrap_or(page.area.bottom + 1);
    told.retain(|(row, _)| *row < end);
    let cells: Vec<Value> = told.into_iter().map(|(_, one)| one).collect();
    let shown = page.told(end - page.area.top);
    Ok(json!({ "sheet": worksheet.name(), "range": page.area.to_string(), "page": shown, "cells": cells })
        .to_string())
}

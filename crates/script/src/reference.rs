//! How scripts name cells and ranges, and which cells those are.

use edit::OrEmpty;
use schemars::JsonSchema;
use serde::Deserialize;
use sheet::{Area, CellRef, Table, View};

use crate::host::{Fault, Host, Range};

/// A cell: `"Sheet!A1"`, `"'My Sheet'!A1"`, a name that stands for one cell, or `{sheet, row, col}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CellArg {
    Text(String),
    At(CellAt),
}

/// Row and column count from 1; a column may be letters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CellAt {
    pub(crate) sheet: String,
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(crate) row: u32,
    pub(crate) col: Column,
}

/// A column by its letters or its number, counted from 1.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Column {
    Number(#[schemars(range(min = 1, max = 16_384))] u32),
    Letters(String),
}

/// A range: `"Sheet!A1:C9"`, `"Sheet"`, `"Sheet!A:C"`, a name, a table, `"Table[Column]"`, or
/// `{sheet, from: {row, col}, to: {row, col}}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum RangeArg {
    Text(String),
    Parts(RangeParts),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeParts {
    pub(crate) sheet: String,
    pub(crate) from: Option<Corner>,
    pub(crate) to: Option<Corner>,
}

/// What is left out reaches to the end of what the sheet holds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Corner {
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(crate) row: Option<u32>,
    pub(crate) col: Option<Column>,
}

impl Column {
    /// Counted from zero.
    pub(crate) fn index(&self) -> Result<u32, Fault> {
        let number = match self {
            Column::Number(number) => Some(*number),
            Column::Letters(letters) => match letters.parse::<u32>() {
                Ok(number) => Some(number),
                Err(_) => format!("{letters}1").parse::<CellRef>().ok().map(|cell| cell.col + 1),
            },
        };
        let known = number.and_then(|number| number.checked_sub(1)).filter(|index| *index < 16_384);
        known.ok_or_else(|| {
            Fault::new(
                "ADDRESS_PARSE_ERROR",
                format!("{self} is no column; use letters such as \"C\" or a number from 1 to 16384"),
            )
        })
    }
}

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Column::Number(number) => write!(f, "{number}"),
            Column::Letters(letters) => write!(f, "`{letters}`"),
        }
    }
}

/// The position of a sheet by its name.
pub(crate) fn sheet_position(view: &View, name: &str) -> Result<usize, Fault> {
    let book = view.workbook();
    book.position(name).ok_or_else(|| {
        let names: Vec<&str> = book.sheets.iter().map(|tab| tab.name.as_str()).collect();
        let near = edit::nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let listed = names.iter().take(20).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
        Fault::new(
            "SHEET_NOT_FOUND",
            format!(
                "there is no sheet `{name}`{} Sheets: {listed}{more}",
                near.unwrap_or_else(|| ".".to_owned())
            ),
        )
    })
}

pub(crate) fn cell(host: &Host, argument: &CellArg) -> Result<(usize, CellRef), Fault> {
    match argument {
        CellArg::At(at) => {
            let sheet = sheet_position(host.view(), &at.sheet)?;
            let row = at.row.checked_sub(1).ok_or_else(|| Fault::invalid("rows count from 1"))?;
            Ok((sheet, CellRef::new(row, at.col.index()?)))
        }
        CellArg::Text(text) => {
            let Range { sheet, area } = text_range(host, text).map_err(|fault| Fault {
                code: if fault.code == "RANGE_PARSE_ERROR" {
                    "ADDRESS_PARSE_ERROR".to_owned()
                } else {
                    fault.code
                },
                ..fault
            })?;
            if !area.is_cell() {
                return Err(Fault::new(
                    "ADDRESS_PARSE_ERROR",
                    format!("`{text}` is a range of {} cells; one cell is asked for", area.count()),
                ));
            }
            Ok((sheet, area.first()))
        }
    }
}

/// The cells that a range means; whole sheets, rows and columns as far as the sheet holds something.
pub(crate) fn range(host: &Host, argument: &RangeArg) -> Result<Range, Fault> {
    let range = exact_range(host, argument)?;
    clip(host, range)
}

/// The same without looking how far the sheet is filled, for edits that mean whole lines.
pub(crate) fn exact_range(host: &Host, argument: &RangeArg) -> Result<Range, Fault> {
    match argument {
        RangeArg::Text(text) => text_range(host, text),
        RangeArg::Parts(parts) => {
            let sheet = sheet_position(host.view(), &parts.sheet)?;
            let mut area = Area { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };
            if let Some(from) = &parts.from {
                if let Some(row) = from.row {
                    area.top = row.saturating_sub(1);
                }
                if let Some(col) = &from.col {
                    area.left = col.index()?;
                }
            }
            if let Some(to) = &parts.to {
                if let Some(row) = to.row {
                    area.bottom = row.saturating_sub(1);
                }
                if let Some(col) = &to.col {
                    area.right = col.index()?;
                }
            }
            if area.top > area.bottom || area.left > area.right {
                return Err(Fault::new("RANGE_PARSE_ERROR", "`from` lies behind `to`"));
            }
            Ok(Range { sheet, area })
        }
    }
}

fn clip(host: &Host, range: Range) -> Result<Range, Fault> {
    let Area { top, left, bottom, right } = range.area;
    let open_down = bottom == 1_048_575;
    let open_right = right == 16_383;
    if !open_down && !open_right {
        return Ok(range);
    }
    let extent = host.extent(range.sheet)?.unwrap_or(Area::cell(CellRef::new(0, 0)));
    let bottom = if open_down { extent.bottom.max(top) } else { bottom };
    let right = if open_right { extent.right.max(left) } else { right };
    let whole = range.area.is_whole_columns() && range.area.is_whole_rows();
    let (top, left) = if whole { (extent.top, extent.left) } else { (top, left) };
    Ok(Range { sheet: range.sheet, area: Area { top, left, bottom, right } })
}

fn text_range(host: &Host, text: &str) -> Result<Range, Fault> {
    let view = host.view();
    let text = text.trim().strip_prefix('=').unwrap_or(text.trim());
    if let Some((sheet, cells)) = split(text) {
        let position = sheet_position(view, &sheet)?;
        if let Ok(area) = cells.to_ascii_uppercase().parse::<Area>() {
            return Ok(Range { sheet: position, area });
        }
        if let Some(found) = named(view, Some(position), &cells)? {
            return Ok(found);
        }
        return Err(unreadable(text));
    }
    let whole = Area { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };
    if let Some(position) = view.workbook().position(unquoted(text).as_str()) {
        return Ok(Range { sheet: position, area: whole });
    }
    if let Some(found) = named(view, None, text)? {
        return Ok(found);
    }
    if let Some(found) = structured(view, text)? {
        return Ok(found);
    }
    if let Ok(area) = text.to_ascii_uppercase().parse::<Area>() {
        let sheets = &view.workbook().sheets;
        return match sheets.len() {
            1 => Ok(Range { sheet: 0, area }),
            count => {
                let first = sheets.first().map(|tab| crate::host::quoted(&tab.name)).or_empty();
                Err(Fault::new(
                    "ADDRESS_PARSE_ERROR",
                    format!(
                        "`{text}` names no sheet, and the workbook has {count}; write it as `{first}!{text}`"
                    ),
                ))
            }
        };
    }
    Err(unreadable(text))
}

fn unreadable(text: &str) -> Fault {
    Fault::new(
        "RANGE_PARSE_ERROR",
        format!(
            "`{text}` is no range; use `Sheet!A1:C9`, `'My Sheet'!A1`, `Sheet`, `Sheet!A:C`, a name, a table or `Table[Column]`"
        ),
    )
}

/// Sheet and cells of `'My Sheet'!A1`.
pub(crate) fn split(text: &str) -> Option<(String, String)> {
    if let Some(rest) = text.strip_prefix('\'') {
        let end = rest.rfind("'!")?;
        return Some((rest[..end].replace("''", "'"), rest[end + 2..].to_owned()));
    }
    let (sheet, cells) = text.split_once('!')?;
    Some((sheet.to_owned(), cells.to_owned()))
}

fn unquoted(text: &str) -> String {
    let bare = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    bare.map_or_else(|| text.to_owned(), |bare| bare.replace("''", "'"))
}

/// A defined name that stands for cells.
fn named(view: &View, home: Option<usize>, text: &str) -> Result<Option<Range>, Fault> {
    let wanted = text.to_lowercase();
    let book = view.workbook();
    let same: Vec<_> = book.names.iter().filter(|name| name.name.to_lowercase() == wanted).collect();
    let local = home.and_then(|home| same.iter().find(|name| name.scope == Some(home)));
    let global = same.iter().find(|name| name.scope.is_none());
    let Some(name) = local.or(global).or(if same.len() == 1 { same.first() } else { None }) else {
        return match same.len() {
            0 => Ok(None),
            count => Err(Fault::new(
                "AMBIGUOUS",
                format!("{count} sheets have a name `{text}` of their own; write it as `Sheet!{text}`"),
            )),
        };
    };
    let stands_for = || {
        Fault::new(
            "RANGE_PARSE_ERROR",
            format!("the name `{}` stands for `={}`, which is no fixed range", name.name, name.formula),
        )
    };
    let formula = name.formula.replace('$', "");
    let (sheet, cells) = split(&formula).ok_or_else(stands_for)?;
    let sheet = book.position(&sheet).ok_or_else(stands_for)?;
    let area = cells.parse::<Area>().map_err(|_| stands_for())?;
    Ok(Some(Range { sheet, area }))
}

/// `Table`, `Table[Column]`, `Table[#All]`, `Table[[First]:[Last]]`.
fn structured(view: &View, text: &str) -> Result<Option<Range>, Fault> {
    let (name, inside) = match text.split_once('[') {
        Some((name, rest)) => (name, rest.strip_suffix(']')),
        None => (text, None),
    };
    let wanted = name.to_lowercase();
    let tables = view.tables()?;
    let Some((sheet, table)) = tables.iter().find(|(_, table)| table.name.to_lowercase() == wanted) else {
        return Ok(None);
    };
    let area = table.area;
    let body =
        || body(table).ok_or_else(|| Fault::new("NOT_FOUND", format!("table `{}` has no rows", table.name)));
    let column = |name: &str| {
        let wanted = name.trim().trim_matches(['[', ']']).to_lowercase();
        let index = table.columns.iter().position(|column| column.to_lowercase() == wanted);
        index.map(|index| area.left + index as u32).ok_or_else(|| {
            Fault::new(
                "NOT_FOUND",
                format!("table `{}` has no column `{name}`; it has {}", table.name, table.columns.join(", ")),
            )
        })
    };
    let found = match inside {
        None => body()?,
        Some(special) if special.eq_ignore_ascii_case("#all") => area,
        Some(special) if special.eq_ignore_ascii_case("#data") => body()?,
        Some(special) if special.eq_ignore_ascii_case("#headers") && table.header_rows > 0 => {
            Area { bottom: area.top, ..area }
        }
        Some(special) if special.eq_ignore_ascii_case("#totals") && table.totals_rows > 0 => {
            Area { top: area.bottom, ..area }
        }
        Some(columns) => {
            let (first, last) = columns.split_once("]:[").unwrap_or((columns, columns));
            let (first, last) = (column(first)?, column(last)?);
            Area { left: first.min(last), right: first.max(last), ..body()? }
        }
    };
    Ok(Some(Range { sheet: *sheet, area: found }))
}

/// The rows of a table between its header and its totals.
pub(crate) fn body(table: &Table) -> Option<Area> {
    let top = table.area.top + table.header_rows;
    let bottom = table.area.bottom.checked_sub(table.totals_rows)?;
    (top <= bottom).then_some(Area { top, bottom, ..table.area })
}

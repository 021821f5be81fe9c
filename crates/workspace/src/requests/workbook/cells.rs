//! Cells that people name: by address, by a column's letter or header, by row, by the label beside them.

use edit::{Cut, Refusal};
use planner::{Address, SheetRef};
use sheet::{Area, CellRef, SheetView, Value, View};

use super::home;
use crate::targets::{self, Cells};

/// Places that a refusal names.
const MOST_NAMED: usize = 8;

/// The cells that are meant; of whole columns and rows, those in use.
pub(super) fn meant(view: &View, at: &SheetRef) -> Result<Cells, Refusal> {
    match at {
        SheetRef::Cells(address) => match targets::cells(view, address) {
            Ok(cells) => Ok(cells),
            // A capitalised word may be a label: "set Revenue to 5".
            Err(refusal) if is_word(address) => {
                match label(view, address.sheet.as_ref(), &address.cells, Beside::Numbers) {
                    Err(Refusal::NotFound { .. }) => Err(refusal),
                    found => found,
                }
            }
            Err(refusal) => Err(refusal),
        },
        SheetRef::Column { sheet, name, to } => {
            let sheet = home(view, sheet.as_ref())?;
            let (left, header) = column(view, &sheet, name)?;
            let right = match to {
                Some(to) => column(view, &sheet, to)?.0,
                None => left,
            };
            let used = used(&sheet)?;
            // A column by its header is what stands below the header.
            let top = header.map_or(used.top, |row| row + 1);
            Ok(Cells {
                sheet: sheet.name().to_owned(),
                area: Area { top, bottom: used.bottom.max(top), left, right },
            })
        }
        SheetRef::Rows { sheet, from, to } => {
            let sheet = home(view, sheet.as_ref())?;
            let used = used(&sheet)?;
            let (top, bottom) = (row(*from)?, row(*to)?);
            Ok(Cells {
                sheet: sheet.name().to_owned(),
                area: Area { top, bottom, left: used.left, right: used.right },
            })
        }
        SheetRef::LastRows { sheet, count } => {
            let sheet = home(view, sheet.as_ref())?;
            let used = used(&sheet)?;
            let rows = u32::try_from(*count).unwrap_or(u32::MAX);
            // The header is no row that is meant by its place at the end.
            if used.bottom - used.top < rows {
                return Err(Refusal::not_found("rows below the header", rows.to_string()));
            }
            Ok(Cells { sheet: sheet.name().to_owned(), area: Area { top: used.bottom + 1 - rows, ..used } })
        }
        SheetRef::Label { sheet, text } => label(view, sheet.as_ref(), text, Beside::Numbers),
        SheetRef::RowOf { sheet, text } => row_of(view, sheet.as_ref(), text),
        SheetRef::Used { sheet } => {
            if let Some(name) = sheet
                && view.sheet(name).is_err()
                && let Ok(cells) = targets::cells(view, &Address { sheet: None, cells: name.clone() })
            {
                return Ok(cells);
            }
            let sheet = home(view, sheet.as_ref())?;
            Ok(Cells { sheet: sheet.name().to_owned(), area: used(&sheet)? })
        }
        SheetRef::It => Err(Refusal::not_found("cells", "it")),
    }
}

/// The rows of data: up to the first blank one, without totals below them. A column by its header, or all of a sheet; other
/// cells are as they were named.
pub(super) fn data(view: &View, at: &SheetRef) -> Result<Cells, Refusal> {
    let mut cells = meant(view, at)?;
    let listed = match at {
        SheetRef::Column { .. } => true,
        SheetRef::Used { sheet } => sheet.as_ref().is_none_or(|name| view.sheet(name).is_ok()),
        _ => false,
    };
    if !listed {
        return Ok(cells);
    }
    let sheet = view.sheet(&cells.sheet)?;
    let area = used(&sheet)?;
    let bottom = super::rows::last_of_data(view, &Cells { sheet: cells.sheet.clone(), area })?;
    cells.area.bottom = cells.area.bottom.min(bottom.max(cells.area.top));
    Ok(cells)
}

/// The cells that get one value: of a column by its letter, those below a header, which is a text above numbers.
pub(super) fn below_header(view: &View, at: &SheetRef, mut cells: Cells) -> Result<Cells, Refusal> {
    let lettered = matches!(at, SheetRef::Column { to: None, .. }) && cells.area.top < cells.area.bottom;
    let sheet = view.sheet(&cells.sheet)?;
    if !lettered || cells.area.top != used(&sheet)?.top {
        return Ok(cells);
    }
    let first = sheet.value(cells.area.first())?;
    let below = sheet.value(CellRef { row: cells.area.top + 1, ..cells.area.first() })?;
    match (first, below) {
        (Value::Text(_), Value::Number(_) | Value::Bool(_)) => {
            cells.area.top += 1;
            Ok(cells)
        }
        (Value::Text(header), _) => Err(crate::requests::two_readings(
            &cells.to_string(),
            &format!("with the first cell, '{header}', then name the cells by their address"),
            &format!("without it, then say: the {header} column"),
        )),
        _ => Ok(cells),
    }
}

fn is_word(address: &Address) -> bool {
    address.cells.chars().all(|c| c.is_alphabetic() || c == '_')
}

fn row(index: usize) -> Result<u32, Refusal> {
    u32::try_from(index)
        .ok()
        .filter(|row| *row < 1_048_576)
        .ok_or_else(|| Refusal::not_found("row", (index + 1).to_string()))
}

pub(super) fn used(sheet: &SheetView<'_>) -> Result<Area, Refusal> {
    sheet.extent()?.ok_or_else(|| Refusal::not_found("a filled cell of sheet", sheet.name()))
}

/// A column by its letter, or by a header in the first filled row; with the row of the header.
pub(super) fn column(view: &View, sheet: &SheetView<'_>, name: &str) -> Result<(u32, Option<u32>), Refusal> {
    let named = header(view, sheet, name)?;
    let letters = (1..=3).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphabetic());
    match (named.as_slice(), letters) {
        ([only], _) => Ok((only.col, Some(only.row))),
        ([], true) => {
            let area: Area = format!("{0}1:{0}1", name.to_ascii_uppercase()).parse()?;
            Ok((area.left, None))
        }
        ([], false) => {
            let area = used(sheet)?;
            let first = Area { bottom: area.top, ..area };
            let mut nearest = Vec::new();
            for cell in sheet.cells(first)? {
                nearest.push(view.text(&cell.value, cell.style)?);
            }
            Err(Refusal::NotFound { what: "column", id: name.to_owned(), nearest })
        }
        (several, _) => Err(Refusal::Ambiguous {
            text: name.to_owned(),
            count: several.len(),
            within: format!("the headers of {}", sheet.name()),
            contexts: several.iter().map(ToString::to_string).collect(),
        }),
    }
}

fn header(view: &View, sheet: &SheetView<'_>, name: &str) -> Result<Vec<CellRef>, Refusal> {
    let area = used(sheet)?;
    let mut found = Vec::new();
    for cell in sheet.cells(Area { bottom: area.top, ..area })? {
        if same(&view.text(&cell.value, cell.style)?, name) {
            found.push(cell.at);
        }
    }
    // "the prices" are what stands below Price, "the quantities" below Quantity.
    let one = match name.strip_suffix("ies") {
        Some(stem) => Some(format!("{stem}y")),
        None => name.strip_suffix('s').map(str::to_owned),
    };
    match one.filter(|one| found.is_empty() && one.len() > 2) {
        Some(one) => header(view, sheet, &one),
        None if found.is_empty() && name.ends_with("ses") => header(view, sheet, name.trim_end_matches("es")),
        None => Ok(found),
    }
}

/// The only cell of a workbook that is this text, typed and not calculated.
pub(super) fn only_text(view: &View, text: &str) -> Result<Option<Cells>, Refusal> {
    let mut found = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        let Some(area) = sheet.extent()? else { continue };
        sheet.each_cell(area, &mut |cell| {
            if cell.formula.is_none() && matches!(&cell.value, Value::Text(value) if same(value, text)) {
                found.push(Cells { sheet: sheet.name().to_owned(), area: Area::cell(cell.at) });
            }
        })?;
    }
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// What may stand beside a label for it to be what the label means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// A number, which a request can change.
    Numbers,
    /// Anything, where it is only read.
    Anything,
}

/// The row whose first cell says this, on the sheet that is meant.
fn row_of(view: &View, only: Option<&String>, text: &str) -> Result<Cells, Refusal> {
    let mut sheets = vec![home(view, only)?.name().to_owned()];
    if only.is_none() {
        for sheet in view.worksheets() {
            let name = sheet?.name().to_owned();
            if !sheets.contains(&name) {
                sheets.push(name);
            }
        }
    }
    let mut found = Vec::new();
    for (index, name) in sheets.iter().enumerate() {
        let sheet = view.sheet(name)?;
        let Some(area) = sheet.extent()? else { continue };
        for cell in sheet.cells(Area { right: area.left, ..area })? {
            if same(&view.text(&cell.value, cell.style)?, text) {
                found.push(Cells {
                    sheet: name.clone(),
                    area: Area { top: cell.at.row, bottom: cell.at.row, ..area },
                });
            }
        }
        // The sheet that is shown comes first, the others only where it has no such row.
        if index == 0 && !found.is_empty() {
            break;
        }
    }
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        0 => Err(Refusal::not_found("row that begins with", text)),
        count => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count,
            within: "the first cells of rows".to_owned(),
            contexts: found.iter().take(MOST_NAMED).map(ToString::to_string).collect(),
        }),
    }
}

fn same(text: &str, name: &str) -> bool {
    let plain = |text: &str| {
        text.trim()
            .trim_end_matches([':', '.'])
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase()
    };
    !name.trim().is_empty() && plain(text) == plain(name)
}

/// The cell to the right of the only cell that says so.
pub(super) fn label(
    view: &View,
    only: Option<&String>,
    text: &str,
    allowed: Beside,
) -> Result<Cells, Refusal> {
    let own = only.map(|only| home(view, Some(only)).map(|sheet| sheet.name().to_owned())).transpose()?;
    let only = own.as_ref();
    let mut found: Vec<(String, CellRef)> = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        if only.is_some_and(|only| !only.eq_ignore_ascii_case(sheet.name())) {
            continue;
        }
        let Some(area) = sheet.extent()? else { continue };
        let mut here = Vec::new();
        sheet.each_cell(area, &mut |cell| {
            if matches!(&cell.value, Value::Text(value) if same(value, text)) {
                here.push(cell.at);
            }
        })?;
        found.extend(here.into_iter().map(|at| (sheet.name().to_owned(), at)));
    }
    let told = |(sheet, at): &(String, CellRef)| format!("{sheet}!{at}");
    match found.as_slice() {
        [] => {
            if let Some(name) = only {
                view.sheet(name)?;
            }
            match crossing(view, only, text) {
                Err(refusal @ Refusal::NotFound { .. }) => match ending(view, only, text)? {
                    Some(cells) => Ok(cells),
                    None => Err(refusal),
                },
                found => found,
            }
        }
        [(sheet, at)] => {
            let calculated = view
                .sheet(sheet)?
                .cell(CellRef { col: at.col + 1, ..*at })?
                .is_some_and(|cell| cell.formula.is_some());
            let beside = CellRef { col: at.col + 1, ..*at };
            let worksheet = view.sheet(sheet)?;
            let value = worksheet.value(beside)?;
            // A row with a number for every year has no value that is the label's alone.
            let next = CellRef { col: beside.col + 1, ..beside };
            if matches!(worksheet.value(next)?, Value::Number(_)) && matches!(value, Value::Number(_)) {
                return Err(Refusal::Ambiguous {
                    text: text.to_owned(),
                    count: 2,
                    within: format!("{sheet}, as the label of several numbers"),
                    contexts: vec![format!("{sheet}!{beside}"), format!("{sheet}!{next}")],
                });
            }
            match value {
                Value::Text(_) if allowed == Beside::Anything && !is_header(&worksheet, *at)? => {
                    Ok(Cells { sheet: sheet.clone(), area: Area::cell(beside) })
                }
                _ if calculated => Ok(Cells { sheet: sheet.clone(), area: Area::cell(beside) }),
                Value::Number(_) | Value::Bool(_) => {
                    Ok(Cells { sheet: sheet.clone(), area: Area::cell(beside) })
                }
                // A header, or a label with its value somewhere else.
                _ => Err(Refusal::Unsupported {
                    what: format!(
                        "the value of \"{text}\" in {sheet}!{at}, beside which there is no number,"
                    ),
                    instead: Some(format!("name the cell, such as {sheet}!{beside}")),
                }),
            }
        }
        several => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count: several.len(),
            within: "the workbook".to_owned(),
            contexts: several.iter().take(MOST_NAMED).map(told).collect(),
        }),
    }
}

/// The only label that ends in these words and has a typed number beside it: "growth factor" is "Yearly growth factor".
fn ending(view: &View, only: Option<&String>, text: &str) -> Result<Option<Cells>, Refusal> {
    let wanted = format!(" {}", text.trim().to_lowercase());
    if wanted.trim().len() < 4 {
        return Ok(None);
    }
    let mut labels = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        if only.is_some_and(|only| !only.eq_ignore_ascii_case(sheet.name())) {
            continue;
        }
        let Some(area) = sheet.extent()? else { continue };
        sheet.each_cell(area, &mut |cell| {
            if matches!(&cell.value, Value::Text(own) if own.trim().to_lowercase().ends_with(&wanted)) {
                labels.push((sheet.name().to_owned(), cell.at));
            }
        })?;
    }
    let [(sheet, at)] = labels.as_slice() else { return Ok(None) };
    let beside = CellRef { col: at.col + 1, ..*at };
    let cell = view.sheet(sheet)?.cell(beside)?;
    let typed = cell.is_some_and(|cell| cell.formula.is_none() && matches!(cell.value, Value::Number(_)));
    Ok(typed.then(|| Cells { sheet: sheet.clone(), area: Area::cell(beside) }))
}

/// Whether a cell stands in the first row of a table of more columns than a form has.
fn is_header(sheet: &SheetView<'_>, at: CellRef) -> Result<bool, Refusal> {
    let area = used(sheet)?;
    Ok(at.row == area.top && area.bottom > area.top)
}

/// "The price of Widget", "Q2 for Sales", "Sales in Q2": the cell where the column with one header meets the row that
/// begins with the other.
fn crossing(view: &View, only: Option<&String>, text: &str) -> Result<Cells, Refusal> {
    let mut text = text;
    // "The headcount of Engineering in Q4" speaks of the sheet Headcount.
    if only.is_none()
        && let Some((name, rest)) = text.split_once(" of ")
        && let Ok(sheet) = view.sheet(name)
    {
        let own = sheet.name().to_owned();
        if let Ok(found) = crossing(view, Some(&own), rest) {
            return Ok(found);
        }
        text = rest;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found: Vec<Cells> = Vec::new();
    let mut nearest = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        if only.is_some_and(|only| !only.eq_ignore_ascii_case(sheet.name())) {
            continue;
        }
        let Some(area) = sheet.extent()? else { continue };
        let (mut headers, mut keys) = (Vec::new(), Vec::new());
        for cell in sheet.cells(Area { bottom: area.top, ..area })? {
            headers.push((cell.at, view.text(&cell.value, cell.style)?));
        }
        for cell in sheet.cells(Area { top: area.top + 1, right: area.left, ..area })? {
            keys.push((cell.at, view.text(&cell.value, cell.style)?));
        }
        if area.top == area.bottom || area.left == area.right {
            continue;
        }
        let corner = headers.iter().find(|(at, _)| at.col == area.left).map(|(_, text)| text.to_lowercase());
        // "of level 2" is the row 2 of the column Level.
        let key_is = |at: &CellRef, own: &str, wanted: &str| {
            let number = wanted
                .to_lowercase()
                .strip_prefix("row ")
                .and_then(|number| number.trim().parse::<u32>().ok());
            if let Some(number) = number {
                return at.row + 1 == number;
            }
            same(own, wanted)
                || corner.as_ref().is_some_and(|corner| {
                    wanted.to_lowercase().strip_prefix(corner.as_str()).is_some_and(|rest| same(own, rest))
                })
        };
        for (at, word) in words.iter().enumerate() {
            // "Q3 travel" joins the two without a word between them.
            let joined = matches!(word.to_lowercase().as_str(), "of" | "for" | "in" | "on");
            let behind = if joined { at + 1 } else { at };
            let (left, right) = (plain_name(&words[..at]), plain_name(&words[behind..]));
            for (header, key) in [(&left, &right), (&right, &left)] {
                let columns = headers.iter().filter(|(at, own)| at.col > area.left && same(own, header));
                for (column, _) in columns {
                    for (row, _) in keys.iter().filter(|(at, own)| key_is(at, own, key)) {
                        let cell = CellRef { row: row.row, col: column.col };
                        let cells = Cells { sheet: sheet.name().to_owned(), area: Area::cell(cell) };
                        if !found.iter().any(|known| known.sheet == cells.sheet && known.area == cells.area) {
                            found.push(cells);
                        }
                    }
                }
            }
        }
        if found.is_empty() && words.len() > 1 {
            found.extend(crossing_anywhere(view, &sheet, area, &headers, &words)?);
        }
        nearest.extend(headers.into_iter().chain(keys).map(|(_, text)| text).take(MOST_NAMED));
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            nearest.truncate(MOST_NAMED);
            Err(Refusal::NotFound { what: "label", id: text.to_owned(), nearest })
        }
        count => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count,
            within: "the workbook".to_owned(),
            contexts: found.iter().take(MOST_NAMED).map(ToString::to_string).collect(),
        }),
    }
}

/// The same where what the row is called stands in another column than the first: "the quantity of Banana" in a list of
/// numbered items.
fn crossing_anywhere(
    view: &View,
    sheet: &SheetView<'_>,
    area: Area,
    headers: &[(CellRef, String)],
    words: &[&str],
) -> Result<Vec<Cells>, Refusal> {
    let mut texts = Vec::new();
    for cell in sheet.cells(Area { top: area.top + 1, left: area.left + 1, ..area })? {
        if matches!(cell.value, Value::Text(_)) && cell.formula.is_none() {
            texts.push((cell.at, view.text(&cell.value, cell.style)?));
        }
    }
    let mut found: Vec<Cells> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let joined = matches!(word.to_lowercase().as_str(), "of" | "for");
        let behind = if joined { at + 1 } else { at };
        let (left, right) = (plain_name(&words[..at]), plain_name(&words[behind..]));
        for (header, key) in [(&left, &right), (&right, &left)] {
            for (column, _) in headers.iter().filter(|(_, own)| same(own, header)) {
                for (row, _) in texts.iter().filter(|(at, own)| at.col != column.col && same(own, key)) {
                    let cell = CellRef { row: row.row, col: column.col };
                    let cells = Cells { sheet: sheet.name().to_owned(), area: Area::cell(cell) };
                    if !found.iter().any(|known| known.area == cells.area) {
                        found.push(cells);
                    }
                }
            }
        }
    }
    Ok(found)
}

fn plain_name(words: &[&str]) -> String {
    let words = match words.first() {
        Some(first) if first.eq_ignore_ascii_case("the") => words.part(1..),
        _ => words,
    };
    words.join(" ")
}

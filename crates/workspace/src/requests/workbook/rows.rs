//! Rows and columns by what they say: added below, counted and deleted where a column holds a value; figures below data.

use edit::{OrEmpty, Refusal};
use planner::{Condition, Entry, SheetRef, Summary, Test};
use sheet::{Area, CellChange, CellRef, Edit, Input, TableChange, Value, View};

use super::cells::{column, data, meant};
use super::edits::{Work, input, limited};
use crate::requests::Found;
use crate::targets::Cells;

/// Cells that a condition is looked for in.
const MOST_LOOKED_AT: u64 = 200_000;

/// A row below the last one.
pub(super) fn add(view: &View, at: &SheetRef, cells: &[Entry]) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let area = place.area;
    let width = (area.right - area.left + 1) as usize;
    if cells.len() > width {
        let valid = format!("at most {width}, as {place} has columns");
        return Err(Refusal::invalid("row", format!("{} values", cells.len()), valid));
    }
    // Below the data, where blank rows and a total follow it.
    let end = last_of_data(view, &place)?;
    let blank = |row: u32| -> Result<bool, Refusal> {
        let cells = view.sheet(&place.sheet)?.cells(Area { top: row, bottom: row, ..area })?;
        Ok(cells.iter().all(|cell| matches!(cell.value, Value::Blank) && cell.formula.is_none()))
    };
    let area = match end < area.bottom && blank(end + 1)? {
        true => Area { bottom: end, ..area },
        false => area,
    };
    let last = Area { top: area.bottom, ..area };
    if let Some(total) = total_in(view, &Cells { sheet: place.sheet.clone(), area: last })? {
        return Err(Refusal::Unsafe {
            why: format!("the last row, {}, holds a total ({total})", area.bottom + 1),
            instead: Some(format!("insert a row above row {} and set its cells", area.bottom + 1)),
        });
    }
    let row = area.bottom + 1;
    let changes = cells.iter().enumerate().map(|(offset, entry)| CellChange {
        at: CellRef { row, col: area.left + offset as u32 },
        input: input(entry),
    });
    let said: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let mut changes: Vec<CellChange> = changes.collect();
    // A column that is calculated in the row above is calculated in the new one too.
    let mut carried = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(last)? {
        if let Some(formula) = &cell.formula
            && cell.at.col >= area.left + cells.len() as u32
        {
            let at = CellRef { row, col: cell.at.col };
            let text = sheet::formula_moved(&formula.shown(), cell.at, at);
            changes.push(CellChange { at, input: Input::Formula(text) });
            carried.push(at.to_string());
        }
    }
    let mut remarks = Vec::new();
    if cells.len() < width {
        remarks.push(format!("{} of {width} columns were given", cells.len()));
    }
    if !carried.is_empty() {
        remarks.push(format!("the formula of the row above was carried on in {}", carried.join(", ")));
    }
    let mut edits = Vec::new();
    // As under a table that somebody types below: it takes the row in.
    for table in view.sheet(&place.sheet)?.tables()? {
        let own = table.area;
        let below = own.bottom + 1 == row && own.left <= place.area.left && place.area.left <= own.right;
        if below && table.totals_rows == 0 {
            let grown = TableChange { area: Some(Area { bottom: row, ..own }), ..TableChange::default() };
            edits.push(Edit::SetTable { table: table.name.clone(), change: grown });
        }
    }
    edits.push(Edit::SetCells { sheet: place.sheet.clone(), cells: changes, seen: None });
    Ok(Work {
        edits,
        told: Found::Told(vec![format!("row {} of {}: {}", row + 1, place.sheet, said.join(" | "))]),
        remarks,
    })
}

/// The last row of data: above the first blank row, or above a total.
pub(super) fn last_of_data(view: &View, place: &Cells) -> Result<u32, Refusal> {
    let area = place.area;
    let mut filled = std::collections::BTreeSet::new();
    view.sheet(&place.sheet)?.each_cell(area, &mut |cell| {
        if !matches!(cell.value, Value::Blank) || cell.formula.is_some() {
            filled.insert(cell.at.row);
        }
    })?;
    // A heading above the data may have blank rows below it.
    let first = filled.iter().copied().find(|row| *row > area.top);
    let Some(mut last) = first.filter(|row| *row == area.top + 1) else { return Ok(area.bottom) };
    while filled.contains(&(last + 1)) {
        last += 1;
    }
    let row = |at: u32| Cells { sheet: place.sheet.clone(), area: Area { top: at, bottom: at, ..area } };
    while last > area.top + 1 && total_in(view, &row(last))?.is_some() {
        last -= 1;
    }
    Ok(last)
}

/// What in these cells is a total: a label that says so, or a formula that sums.
fn total_in(view: &View, place: &Cells) -> Result<Option<String>, Refusal> {
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let labelled = matches!(&cell.value, Value::Text(text) if {
            let text = text.trim().to_lowercase();
            text.starts_with("total") || text.starts_with("sum") || text.ends_with("total")
        });
        let formula = cell.formula.as_ref().map(|formula| formula.shown().to_uppercase());
        let sums = formula.is_some_and(|formula| {
            ["SUM", "AVERAGE", "COUNT", "MAX", "MIN"].iter().any(|name| formula.starts_with(name))
        });
        if labelled || sums {
            return Ok(Some(cell.at.to_string()));
        }
    }
    Ok(None)
}

/// A header right of the last one.
pub(super) fn add_column(view: &View, at: &SheetRef, name: &str) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let header = CellRef { row: place.area.top, col: place.area.right + 1 };
    let cells = vec![CellChange { at: header, input: Input::Text(name.to_owned()) }];
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells, seen: None }],
        told: Found::Told(vec![format!("new column \"{name}\" at {}!{header}", place.sheet)]),
        remarks: Vec::new(),
    })
}

/// The rows that a condition is true of, below the header; and the column that was looked at.
pub(super) struct Fitting {
    pub(super) place: Cells,
    pub(super) column: u32,
    /// Below the header.
    pub(super) top: u32,
    /// With what each of them says.
    pub(super) rows: Vec<(u32, String)>,
}

pub(super) fn fitting(view: &View, at: &SheetRef, condition: &Condition) -> Result<Fitting, Refusal> {
    let place = data(view, at)?;
    limited(&place, MOST_LOOKED_AT)?;
    let sheet = view.sheet(&place.sheet)?;
    let condition = &headed(view, &place, condition)?;
    let (col, header) = match condition.column.is_empty() {
        true if matches!(condition.test, Test::Above | Test::Below | Test::AtLeast | Test::AtMost) => {
            (only_numbers(view, &place)?, Some(place.area.top))
        }
        true => only_column(view, &place, condition)?,
        false => column(view, &sheet, &condition.column)?,
    };
    if col < place.area.left || place.area.right < col {
        return Err(Refusal::not_found("column", condition.column.as_str()));
    }
    let top = header.map_or(place.area.top, |row| row + 1);
    known(view, &place, (col, top), condition)?;
    let mut rows = Vec::new();
    let mut values = Vec::new();
    let mut row = top;
    for cell in sheet.cells(Area { top, bottom: place.area.bottom, left: col, right: col })? {
        let text = view.text(&cell.value, cell.style)?;
        // Cells that are not in the file are blank.
        if condition.test == Test::Blank {
            (row..cell.at.row).for_each(|row| rows.push(row));
        }
        row = cell.at.row + 1;
        if fits(condition, &cell.value, &text) {
            rows.push(cell.at.row);
        } else if values.len() < 10 && !values.contains(&text) {
            values.push(text);
        }
    }
    if condition.test == Test::Blank {
        (row..=place.area.bottom).for_each(|row| rows.push(row));
    }
    let named = |row: u32| -> Result<(u32, String), Refusal> {
        let whole = Area { top: row, bottom: row, ..place.area };
        Ok((row, super::edits::said(view, &Cells { sheet: place.sheet.clone(), area: whole })?))
    };
    let rows = rows.into_iter().map(named).collect::<Result<Vec<_>, _>>()?;
    match rows.is_empty() {
        true => Err(Refusal::NotFound { what: "row where", id: condition.to_string(), nearest: values }),
        false => Ok(Fitting { place, column: col, top, rows }),
    }
}

/// "The North region": a value with the header of its column behind it.
fn headed(view: &View, place: &Cells, condition: &Condition) -> Result<Condition, Refusal> {
    let named = condition.value.rsplit_once(' ').filter(|_| condition.column.is_empty());
    let Some((value, noun)) = named else { return Ok(condition.clone()) };
    if holds(view, place, condition)? {
        return Ok(condition.clone());
    }
    for cell in view.sheet(&place.sheet)?.cells(Area { bottom: place.area.top, ..place.area })? {
        let header = view.text(&cell.value, cell.style)?;
        if header.eq_ignore_ascii_case(noun) {
            return Ok(Condition { column: header, value: value.to_owned(), ..condition.clone() });
        }
    }
    Ok(condition.clone())
}

/// A value that a column cannot have is a mistake, and so is one that no cell has where all others are meant.
fn known(view: &View, place: &Cells, (col, top): (u32, u32), condition: &Condition) -> Result<(), Refusal> {
    if !matches!(condition.test, Test::Is | Test::IsNot | Test::Contains | Test::Lacks) {
        return Ok(());
    }
    let sheet = view.sheet(&place.sheet)?;
    let (mut numbers, mut texts, mut has, mut nearest) = (0u32, 0u32, false, Vec::new());
    let positive = match condition.test {
        Test::IsNot => Test::Is,
        Test::Lacks => Test::Contains,
        test => test,
    };
    let positive = Condition { test: positive, ..condition.clone() };
    for cell in sheet.cells(Area { top, bottom: place.area.bottom, left: col, right: col })? {
        match &cell.value {
            Value::Number(_) => numbers += 1,
            Value::Blank => continue,
            _ => texts += 1,
        }
        let shown = view.text(&cell.value, cell.style)?;
        has |= fits(&positive, &cell.value, &shown);
        if nearest.len() < 10 && !nearest.contains(&shown) {
            nearest.push(shown);
        }
    }
    let negative = matches!(condition.test, Test::IsNot | Test::Lacks);
    let words = condition.number().is_none() && !condition.value.contains(|c: char| c.is_ascii_digit());
    if has || !(negative || words && numbers > 0 && texts == 0) {
        return Ok(());
    }
    // Words against numbers.
    let what = if words && numbers > 0 && texts == 0 { "number" } else { "value" };
    Err(Refusal::NotFound { what, id: condition.value.clone(), nearest })
}

/// Whether a condition is true of a cell: numbers are compared as numbers, all else as it is shown.
pub(super) fn fits(condition: &Condition, value: &Value, text: &str) -> bool {
    let wanted = condition.value.trim().to_lowercase();
    let shown = text.trim().to_lowercase();
    let number = match (value, condition.number()) {
        (Value::Number(own), Some(wanted)) => Some((*own, wanted)),
        _ => None,
    };
    let near = |own: f64, wanted: f64| (own - wanted).abs() <= 1e-9 * wanted.abs().max(1.0);
    let same = shown == wanted || number.is_some_and(|(own, wanted)| near(own, wanted));
    match condition.test {
        Test::Is => same,
        Test::IsNot => !same && !shown.is_empty(),
        Test::Contains => shown.contains(&wanted),
        Test::Lacks => !shown.contains(&wanted) && !shown.is_empty(),
        Test::Blank => shown.is_empty(),
        Test::Filled => !shown.is_empty(),
        Test::Above => number.is_some_and(|(own, wanted)| own > wanted && !near(own, wanted)),
        Test::Below => number.is_some_and(|(own, wanted)| own < wanted && !near(own, wanted)),
        Test::AtLeast => number.is_some_and(|(own, wanted)| own > wanted || near(own, wanted)),
        Test::AtMost => number.is_some_and(|(own, wanted)| own < wanted || near(own, wanted)),
    }
}

/// The only column of amounts: numbers that are no dates, below a header.
fn only_numbers(view: &View, place: &Cells) -> Result<u32, Refusal> {
    let sheet = view.sheet(&place.sheet)?;
    let mut columns = Vec::new();
    for cell in sheet.cells(Area { top: place.area.top + 1, ..place.area })? {
        let dated = view.text(&cell.value, cell.style)?.matches(['-', '/', ':']).count() >= 1;
        let amount = matches!(cell.value, Value::Number(number) if !(dated && number >= 0.0));
        if amount && !columns.contains(&cell.at.col) {
            columns.push(cell.at.col);
        }
    }
    match columns.as_slice() {
        [only] => Ok(*only),
        [] => Err(Refusal::not_found("a column of numbers", place.to_string())),
        several => Err(Refusal::Ambiguous {
            text: "the numbers".to_owned(),
            count: several.len(),
            within: format!("the columns of {}", place.sheet),
            contexts: several
                .iter()
                .map(|col| CellRef { row: place.area.top, col: *col }.to_string())
                .collect(),
        }),
    }
}

/// Whether some cell below the header says what a condition asks for.
fn holds(view: &View, place: &Cells, condition: &Condition) -> Result<bool, Refusal> {
    let is = Condition { test: Test::Is, ..condition.clone() };
    for cell in view.sheet(&place.sheet)?.cells(Area { top: place.area.top + 1, ..place.area })? {
        if fits(&is, &cell.value, &view.text(&cell.value, cell.style)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The only column that has this value.
pub(super) fn column_of(view: &View, place: &Cells, value: &str) -> Result<(u32, Option<u32>), Refusal> {
    let (column, test, called) = (String::new(), Test::Is, None);
    only_column(view, place, &Condition { column, test, value: value.to_owned(), called })
}

/// The only column that has a value, below its header.
fn only_column(view: &View, place: &Cells, condition: &Condition) -> Result<(u32, Option<u32>), Refusal> {
    if let Some(called) = &condition.called
        && let Ok(other) = view.sheet(called)
        && other.name() != place.sheet
        && holds(
            view,
            &Cells { sheet: other.name().to_owned(), area: super::cells::used(&other)? },
            condition,
        )?
    {
        return Err(Refusal::Ambiguous {
            text: called.clone(),
            count: 2,
            within: "the workbook".to_owned(),
            contexts: vec![format!("the sheet {}", other.name()), format!("the rows of {}", place.sheet)],
        });
    }
    let is = Condition { test: Test::Is, ..condition.clone() };
    let mut columns = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(Area { top: place.area.top + 1, ..place.area })? {
        let text = view.text(&cell.value, cell.style)?;
        // A state is a word; a number may stand in any column.
        if matches!(cell.value, Value::Text(_))
            && fits(&is, &cell.value, &text)
            && !columns.contains(&cell.at.col)
        {
            columns.push(cell.at.col);
        }
    }
    match columns.as_slice() {
        [only] => Ok((*only, Some(place.area.top))),
        [] => Err(Refusal::not_found("cell that says", condition.value.as_str())),
        several => Err(Refusal::Ambiguous {
            text: condition.value.clone(),
            count: several.len(),
            within: format!("the columns of {}", place.sheet),
            contexts: several
                .iter()
                .map(|col| CellRef { row: place.area.top, col: *col }.to_string())
                .collect(),
        }),
    }
}

pub(super) fn delete(view: &View, at: &SheetRef, condition: &Condition) -> Result<Work, Refusal> {
    let Fitting { place, rows, .. } = fitting(view, at, condition)?;
    // From below, so that those above keep their numbers.
    let edits =
        rows.iter().rev().map(|(row, _)| Edit::DeleteRows { sheet: place.sheet.clone(), at: *row, count: 1 });
    let lines = rows.iter().map(|(row, text)| format!("deleted row {} of {}: {text}", row + 1, place.sheet));
    Ok(Work { edits: edits.collect(), told: Found::Told(lines.collect()), remarks: Vec::new() })
}

pub(super) fn count(
    view: &View,
    at: &SheetRef,
    condition: &Condition,
    most: usize,
) -> Result<Vec<String>, Refusal> {
    let Fitting { place, rows, .. } = match fitting(view, at, condition) {
        Ok(found) => found,
        Err(Refusal::NotFound { what: "row where", .. }) => {
            return Ok(vec![format!("0 rows where {condition}")]);
        }
        Err(refusal) => return Err(refusal),
    };
    let rows_noun = if rows.len() == 1 { "row" } else { "rows" };
    let mut lines = vec![format!(
        "{} {rows_noun} of {} where {}",
        rows.len(),
        place.sheet,
        told(view, &place, condition)?
    )];
    lines.extend(rows.iter().take(most).map(|(row, text)| format!("row {}: {text}", row + 1)));
    Ok(lines)
}

/// A condition with the header of its column, where it was not named.
fn told(view: &View, place: &Cells, condition: &Condition) -> Result<String, Refusal> {
    if !condition.column.is_empty() {
        return Ok(condition.to_string());
    }
    let (col, _) = match condition.test {
        Test::Above | Test::Below | Test::AtLeast | Test::AtMost => (only_numbers(view, place)?, None),
        _ => only_column(view, place, condition)?,
    };
    let header = view.sheet(&place.sheet)?.value(CellRef { row: place.area.top, col })?;
    Ok(match header {
        Value::Text(header) => Condition { column: header.to_string(), ..condition.clone() }.to_string(),
        _ => condition.to_string(),
    })
}

/// One value in a column of the rows that fit.
pub(super) fn set(
    view: &View,
    name: &str,
    entry: &Entry,
    at: &SheetRef,
    condition: &Condition,
) -> Result<Work, Refusal> {
    let Fitting { place, rows, .. } = fitting(view, at, condition)?;
    let sheet = view.sheet(&place.sheet)?;
    let (col, header) = column(view, &sheet, name)?;
    if header.is_none() {
        return Err(Refusal::not_found("column", name));
    }
    let cells: Vec<CellChange> = rows
        .iter()
        .map(|(row, _)| CellChange { at: CellRef { row: *row, col }, input: input(entry) })
        .collect();
    let whole = Cells { sheet: place.sheet.clone(), area: Area { left: col, right: col, ..place.area } };
    for (row, _) in &rows {
        let at = Area::cell(CellRef { row: *row, col });
        super::holds::entry_fits(view, &Cells { sheet: place.sheet.clone(), area: at }, entry)?;
    }
    let remarks = super::edits::overwritten(view, &whole, &cells)?;
    let lines = rows.iter().map(|(row, text)| {
        format!("{}!{}: {entry}, in the row {text}", place.sheet, CellRef { row: *row, col })
    });
    Ok(Work {
        told: Found::Told(lines.collect()),
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells, seen: None }],
        remarks,
    })
}

/// The areas of the rows that fit, or of their cells in the column.
pub(super) fn areas(
    view: &View,
    at: &SheetRef,
    condition: &Condition,
    whole: bool,
) -> Result<(Cells, Vec<Area>, Vec<String>), Refusal> {
    // "Negative numbers": all cells, whatever the column.
    if condition.column.is_empty() && condition.test == Test::Below {
        let place = meant(view, at)?;
        limited(&place, MOST_LOOKED_AT)?;
        let mut areas = Vec::new();
        for cell in view.sheet(&place.sheet)?.cells(place.area)? {
            if fits(condition, &cell.value, "") {
                areas.push(Area::cell(cell.at));
            }
        }
        if areas.is_empty() {
            return Err(Refusal::not_found("a negative number", place.to_string()));
        }
        let lines = areas.iter().map(|area| format!("{}!{area}", place.sheet)).collect();
        return Ok((place, areas, lines));
    }
    let Fitting { place, column, rows, .. } = fitting(view, at, condition)?;
    let area = |row: u32| match whole {
        true => Area { top: row, bottom: row, ..place.area },
        false => Area::cell(CellRef { row, col: column }),
    };
    let areas: Vec<Area> = rows.iter().map(|(row, _)| area(*row)).collect();
    let lines = rows.iter().map(|(row, text)| format!("row {}: {text}", row + 1)).collect();
    Ok((place, areas, lines))
}

/// A figure of one column, of the rows that fit.
pub(super) fn summarised(
    view: &View,
    what: Summary,
    name: &str,
    at: &SheetRef,
    condition: &Condition,
) -> Result<Vec<String>, Refusal> {
    let found = match fitting(view, at, condition) {
        // "the total amount in Data": a sheet.
        Err(refusal @ Refusal::NotFound { .. }) if condition.column.is_empty() => {
            if view.sheet(&condition.value).is_err() {
                return Err(refusal);
            }
            let at =
                SheetRef::Column { sheet: Some(condition.value.clone()), name: name.to_owned(), to: None };
            return Ok(vec![super::questions::summary(view, what, &meant(view, &at)?)?]);
        }
        found => found?,
    };
    let Fitting { place, rows, top, .. } = found;
    let sheet = view.sheet(&place.sheet)?;
    let (col, header) = match name.is_empty() {
        true => (only_numbers(view, &place)?, Some(place.area.top)),
        false => column(view, &sheet, name)?,
    };
    if header.is_none() {
        return Err(Refusal::not_found("column", name));
    }
    let mut numbers = Vec::new();
    for cell in sheet.cells(Area { top, bottom: place.area.bottom, left: col, right: col })? {
        if !rows.iter().any(|(row, _)| *row == cell.at.row) {
            continue;
        }
        match &cell.value {
            Value::Number(number) => numbers.push((*number, cell.style)),
            Value::Error(_) => {
                return Err(Refusal::Unsupported {
                    what: format!("a figure of cells of which {} is an error", cell.at),
                    instead: Some("mend that cell first".to_owned()),
                });
            }
            _ => {}
        }
    }
    let (name, figure) = super::questions::figure(what, &numbers)
        .ok_or_else(|| Refusal::not_found("a number", format!("column {name} of those rows")))?;
    let header = sheet.value(CellRef { row: place.area.top, col })?;
    let header = match header {
        Value::Text(text) => text.to_string(),
        _ => CellRef { row: 0, col }.to_string(),
    };
    let mut lines = vec![format!(
        "the {name} of {header} is {figure}, of the {} rows of {} where {}",
        rows.len(),
        place.sheet,
        told(view, &place, condition)?
    )];
    lines.extend(rows.iter().take(10).map(|(row, text)| format!("row {}: {text}", row + 1)));
    Ok(lines)
}

/// The row with the largest or smallest number of a column; all of them where several have it.
pub(super) fn extreme(
    view: &View,
    at: &SheetRef,
    name: &str,
    most: bool,
    called: Option<&str>,
) -> Result<Vec<String>, Refusal> {
    let place = meant(view, at)?;
    let sheet = view.sheet(&place.sheet)?;
    if column(view, &sheet, name).is_err()
        && let Some(lines) = extreme_of_row(view, at, name, most, called)?
    {
        return Ok(lines);
    }
    let (col, header) = column(view, &sheet, name)?;
    let Some(header) = header else { return Err(Refusal::not_found("column", name)) };
    // "Which region has the highest amount" may mean a sum of each region.
    if let Some(called) = called {
        let (own, _) = match column(view, &sheet, called) {
            Ok(found) => found,
            Err(_) => (place.area.left, None),
        };
        if own != place.area.left {
            return Err(Refusal::Unsupported {
                what: format!("comparing what rows with the same {called} come to together"),
                instead: Some(format!("ask for the sum of {name} for one {called} at a time")),
            });
        }
    }
    let mut best: Option<(f64, Vec<(u32, String)>)> = None;
    for cell in sheet.cells(Area { top: header + 1, bottom: place.area.bottom, left: col, right: col })? {
        let Value::Number(number) = cell.value else { continue };
        let whole = Area { top: cell.at.row, bottom: cell.at.row, ..place.area };
        let row = Cells { sheet: place.sheet.clone(), area: whole };
        if total_in(view, &row)?.is_some() {
            continue;
        }
        let better =
            best.as_ref().is_none_or(|(known, _)| if most { number > *known } else { number < *known });
        let text = || super::edits::said(view, &row).map(|said| (cell.at.row, said));
        match &mut best {
            Some((known, rows)) if *known == number => rows.push(text()?),
            _ if better => best = Some((number, vec![text()?])),
            _ => {}
        }
    }
    let Some((_, rows)) = best else { return Err(Refusal::not_found("a number", format!("column {name}"))) };
    let which = if most { "largest" } else { "smallest" };
    Ok(rows
        .into_iter()
        .map(|(row, text)| format!("the {which} {name} is in row {} of {}: {text}", row + 1, place.sheet))
        .collect())
}

/// "Which year has the highest cost", where years stand beside each other: the largest number of a row, with its header.
fn extreme_of_row(
    view: &View,
    at: &SheetRef,
    name: &str,
    most: bool,
    called: Option<&str>,
) -> Result<Option<Vec<String>>, Refusal> {
    let sheet = match at {
        SheetRef::Used { sheet } => sheet.clone(),
        _ => None,
    };
    let Ok(row) = meant(view, &SheetRef::RowOf { sheet, text: name.to_owned() }) else { return Ok(None) };
    let sheet = view.sheet(&row.sheet)?;
    let area = super::cells::used(&sheet)?;
    // What the columns are is said in the corner.
    let corner = match sheet.value(area.first())? {
        Value::Text(text) => text.to_string(),
        _ => String::new(),
    };
    if !called.is_some_and(|called| corner.trim().eq_ignore_ascii_case(called)) {
        return Ok(None);
    }
    let mut best: Option<(f64, Vec<String>)> = None;
    for cell in sheet.cells(row.area)? {
        let Value::Number(number) = cell.value else { continue };
        let head = sheet.cell(CellRef { row: area.top, ..cell.at })?;
        let head = head.map(|head| view.text(&head.value, head.style)).transpose()?;
        let told = format!("{}!{} ({})", row.sheet, cell.at, head.or_empty());
        match &mut best {
            Some((known, cells)) if *known == number => cells.push(told),
            Some((known, _)) if (number > *known) != most => {}
            _ => best = Some((number, vec![told])),
        }
    }
    let which = if most { "largest" } else { "smallest" };
    Ok(best.and_then(|(number, cells)| {
        let (_, number) = super::questions::figure(Summary::Sum, &[(number, 0)])?;
        Some(vec![format!("the {which} {name} is {number} in {}", cells.join(", "))])
    }))
}

pub(super) fn figure(what: Summary, of: &str) -> Result<String, Refusal> {
    let function = match what {
        Summary::Sum => "SUM",
        Summary::Average => "AVERAGE",
        Summary::Maximum => "MAX",
        Summary::Minimum => "MIN",
        Summary::Count => "COUNTA",
        Summary::Blanks => "COUNTBLANK",
    };
    Ok(format!("={function}({of})"))
}

/// The figure of the numbers of a column, in the first free cell below it.
pub(super) fn below(view: &View, what: Summary, of: &SheetRef) -> Result<(Cells, String), Refusal> {
    let place = meant(view, of)?;
    if place.area.left != place.area.right {
        return Err(Refusal::invalid("figure", place.to_string(), "one column"));
    }
    let mut numbers: Option<(u32, u32)> = None;
    let mut last = place.area.top;
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        if matches!(cell.value, Value::Blank) && cell.formula.is_none() {
            continue;
        }
        last = cell.at.row;
        if matches!(cell.value, Value::Number(_)) {
            numbers = Some((numbers.map_or(cell.at.row, |(first, _)| first), cell.at.row));
        }
    }
    let Some((first, end)) = numbers else { return Err(Refusal::not_found("a number", place.to_string())) };
    let area = Area { top: first, bottom: end, ..place.area };
    let ending = Cells { sheet: place.sheet.clone(), area: Area { top: end, ..area } };
    if let Some(total) = total_in(view, &ending)? {
        return Err(Refusal::Unsafe {
            why: format!("{}!{total} is a figure of the column already", place.sheet),
            instead: Some("name the cells and the cell: put the sum of B2:B9 in B10".to_owned()),
        });
    }
    let at = CellRef { row: last + 1, col: area.left };
    Ok((Cells { sheet: place.sheet, area: Area::cell(at) }, figure(what, &area.to_string())?))
}

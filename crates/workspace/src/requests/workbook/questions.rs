//! What is asked of a workbook.

use edit::Refusal;
use planner::{SheetRef, SheetStep, Summary};
use sheet::{Area, Value, View};

use super::cells::{Beside, data, label, meant, used};
use crate::requests::{Found, ShownCell};
use crate::targets::Cells;

/// Cells that one answer shows, and matches.
const MOST_SHOWN: u64 = 1_000;
const MOST_MATCHES: usize = 50;

pub(super) fn answer(view: &View, step: &SheetStep) -> Result<Found, Refusal> {
    Ok(match step {
        SheetStep::Read { at } => {
            let place = match (meant(view, at), at) {
                // What stands beside a label may be a text, where it is only read.
                (Err(Refusal::Unsupported { .. }), SheetRef::Label { sheet, text }) => {
                    label(view, sheet.as_ref(), text, Beside::Anything)?
                }
                (Err(refusal @ Refusal::NotFound { .. }), SheetRef::Label { sheet, text }) => {
                    return figure_of(view, sheet.as_ref(), text).unwrap_or(Err(refusal));
                }
                (place, _) => place?,
            };
            let read = shown(view, &place)?;
            Found::Read(place, read)
        }
        SheetStep::Formula { at } => {
            let place = meant(view, at)?;
            let several = matches!(at, SheetRef::Used { .. });
            let cells = shown(view, &place)?.into_iter().filter(|cell| !several || cell.formula.is_some());
            let lines = cells.map(|cell| match cell.formula {
                Some(formula) => format!("{}!{}: {formula}", place.sheet, cell.at),
                None => format!("{}!{} has no formula; it is {}", place.sheet, cell.at, cell.text),
            });
            let mut lines: Vec<String> = lines.collect();
            if lines.is_empty() {
                lines.push(if several {
                    format!("{place} has no formula")
                } else {
                    format!("{place} is empty")
                });
            }
            Found::Told(lines)
        }
        SheetStep::Summarise { what, at } => Found::Told(vec![summary(view, *what, &figures(view, at)?)?]),
        SheetStep::SummariseWhere { what, column, at, condition } => {
            Found::Told(super::rows::summarised(view, *what, column, at, condition)?)
        }
        SheetStep::ListWhere { at, condition } => Found::Told(super::rows::count(view, at, condition, 50)?),
        SheetStep::Extreme { at, column, most, called } => {
            Found::Told(super::rows::extreme(view, at, column, *most, called.as_deref())?)
        }
        SheetStep::Test { at, condition } => {
            let place = meant(view, at)?;
            if !place.area.is_cell() {
                return Err(Refusal::invalid("cell", place.to_string(), "one cell"));
            }
            let sheet = view.sheet(&place.sheet)?;
            let cell = sheet.cell(place.area.first())?;
            let (value, text) = match &cell {
                Some(cell) => (cell.value.clone(), view.text(&cell.value, cell.style)?),
                None => (Value::Blank, String::new()),
            };
            let word = if super::rows::fits(condition, &value, &text) { "yes" } else { "no" };
            let shown = if text.is_empty() { "empty" } else { &text };
            Found::Told(vec![format!("{word}: {place} is {shown}")])
        }
        SheetStep::CountSheets => {
            let names: Vec<&str> = view.workbook().sheets.iter().map(|tab| tab.name.as_str()).collect();
            Found::Told(vec![format!("{} sheets: {}", names.len(), names.join(", "))])
        }
        SheetStep::CountRows { at } => {
            let place = meant(view, at)?;
            let area = place.area;
            Found::Told(vec![format!("{place} has {} rows, the header included", area.bottom - area.top + 1)])
        }
        SheetStep::CountWhere { at, condition } => Found::Told(super::rows::count(view, at, condition, 10)?),
        SheetStep::Find { text, at } => Found::Told(find(view, text, at.as_ref())?),
        _ => return Err(Refusal::internal("no question")),
    })
}

/// "The total amount", "the average price": a figure of the column with that header, where no cell is called so.
fn figure_of(view: &View, sheet: Option<&String>, text: &str) -> Option<Result<Found, Refusal>> {
    let (what, name) = text.split_once(' ')?;
    let what = match what.to_lowercase().as_str() {
        "total" | "overall" | "summed" => Summary::Sum,
        "average" | "mean" => Summary::Average,
        "highest" | "largest" | "biggest" | "maximum" | "top" => Summary::Maximum,
        "lowest" | "smallest" | "minimum" => Summary::Minimum,
        _ => return None,
    };
    let column = SheetRef::Column { sheet: sheet.cloned(), name: name.to_owned(), to: None };
    // A letter is no header.
    let place = data(view, &column).ok().filter(|_| name.len() > 3)?;
    Some(summary(view, what, &place).map(|line| Found::Told(vec![line])))
}

/// The cells that a figure is asked of: by address, by the header of a column on any sheet, or the numbers of a row of a
/// series ("the total for Support", beside quarters or years).
fn figures(view: &View, at: &SheetRef) -> Result<Cells, Refusal> {
    let name = match at {
        SheetRef::Cells(address) if !address.cells.contains(':') => Some(&address.cells),
        SheetRef::Label { sheet: None, text } | SheetRef::RowOf { sheet: None, text } => Some(text),
        _ => None,
    };
    let Some(name) = name else { return data(view, at) };
    let only = match at {
        SheetRef::Cells(address) => address.sheet.as_ref(),
        _ => None,
    };
    let mut headed = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        if sheet.extent()?.is_none() || only.is_some_and(|only| !only.eq_ignore_ascii_case(sheet.name())) {
            continue;
        }
        let is_letters = (1..=3).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphabetic());
        if !is_letters && matches!(super::cells::column(view, &sheet, name), Ok((_, Some(_)))) {
            headed.push(sheet.name().to_owned());
        }
    }
    match headed.as_slice() {
        [] => {}
        [sheet] => {
            return data(
                view,
                &SheetRef::Column { sheet: Some(sheet.clone()), name: name.clone(), to: None },
            );
        }
        several => {
            return Err(Refusal::Ambiguous {
                text: name.clone(),
                count: several.len(),
                within: "the headers of the sheets".to_owned(),
                contexts: several.to_vec(),
            });
        }
    }
    match meant(view, at) {
        Err(refusal @ (Refusal::Ambiguous { .. } | Refusal::NotFound { .. })) => {
            let row = SheetRef::RowOf { sheet: None, text: name.clone() };
            match meant(view, &row) {
                Ok(row) if is_series(view, &row)? => {
                    Ok(Cells { area: Area { left: row.area.left + 1, ..row.area }, ..row })
                }
                _ => Err(refusal),
            }
        }
        found => found,
    }
}

/// Whether the columns of a row are one after the other in time, so that a sum over them means something.
fn is_series(view: &View, row: &Cells) -> Result<bool, Refusal> {
    let sheet = view.sheet(&row.sheet)?;
    let area = used(&sheet)?;
    let mut headers = Vec::new();
    for cell in sheet.cells(Area { bottom: area.top, left: area.left + 1, ..area })? {
        headers.push(view.text(&cell.value, cell.style)?.trim().to_lowercase());
    }
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let in_time = |text: &String| {
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let quarter = text.strip_prefix('q').is_some_and(digits);
        let year = text.len() == 4 && digits(text) && (text.starts_with("19") || text.starts_with("20"));
        let month = MONTHS.iter().any(|month| text.starts_with(month)) && text.len() <= 9;
        let counted = ["week ", "month ", "year ", "day "]
            .iter()
            .any(|unit| text.strip_prefix(unit).is_some_and(digits));
        quarter || year || month || counted
    };
    Ok(headers.len() > 1 && headers.iter().all(in_time))
}

pub(super) fn summary(view: &View, what: Summary, place: &Cells) -> Result<String, Refusal> {
    let sheet = view.sheet(&place.sheet)?;
    let (mut numbers, mut filled, mut broken) = (Vec::new(), 0u64, None);
    sheet.each_cell(place.area, &mut |cell| match &cell.value {
        Value::Number(number) => {
            numbers.push((*number, cell.style));
            filled += 1;
        }
        Value::Error(_) => {
            filled += 1;
            broken = Some(cell.at);
        }
        Value::Blank => {}
        _ => filled += 1,
    })?;
    if let (Some(at), false) = (broken, matches!(what, Summary::Count | Summary::Blanks)) {
        return Err(Refusal::Unsupported {
            what: format!("a figure of {place}, in which {at} is an error,"),
            instead: Some("mend that cell first, or leave it out".to_owned()),
        });
    }
    match what {
        Summary::Count => return Ok(format!("{place} has {filled} filled cells")),
        Summary::Blanks => return Ok(format!("{place} has {} blank cells", place.area.count() - filled)),
        _ => {}
    }
    let (name, value) =
        figure(what, &numbers).ok_or_else(|| Refusal::not_found("a number", place.to_string()))?;
    Ok(format!("the {name} of {place} is {value} ({} numbers)", numbers.len()))
}

/// A figure of numbers with its name, as people read it.
pub(super) fn figure(what: Summary, numbers: &[(f64, u32)]) -> Option<(&'static str, String)> {
    let count = numbers.len();
    let values = numbers.iter().map(|(number, _)| *number);
    let sum: f64 = values.clone().sum();
    let (name, value) = match what {
        _ if count == 0 => return None,
        Summary::Sum => ("sum", sum),
        Summary::Average => ("average", sum / count as f64),
        Summary::Maximum => ("maximum", values.reduce(f64::max)?),
        Summary::Minimum => ("minimum", values.reduce(f64::min)?),
        Summary::Count => ("number of entries", count as f64),
        Summary::Blanks => return None,
    };
    // Fifteen digits, as Excel shows.
    let rounded = format!("{value:.10}");
    Some((name, rounded.trim_end_matches('0').trim_end_matches('.').to_owned()))
}

fn find(view: &View, text: &str, at: Option<&SheetRef>) -> Result<Vec<String>, Refusal> {
    let wanted = text.to_lowercase();
    let mut places = Vec::new();
    match at {
        Some(at) => places.push(meant(view, at)?),
        None => {
            for sheet in view.worksheets() {
                let sheet = sheet?;
                if sheet.extent()?.is_some() {
                    places.push(Cells { sheet: sheet.name().to_owned(), area: used(&sheet)? });
                }
            }
        }
    }
    let (mut lines, mut count) = (Vec::new(), 0);
    for place in places {
        for cell in view.sheet(&place.sheet)?.cells(place.area)? {
            let own = view.text(&cell.value, cell.style)?;
            if own.to_lowercase().contains(&wanted) {
                count += 1;
                if lines.len() < MOST_MATCHES {
                    lines.push(format!("{}!{}: {}", place.sheet, cell.at, own.replace('\n', " ")));
                }
            }
        }
    }
    lines.insert(0, format!("\"{text}\" is in {count} cells"));
    Ok(lines)
}

pub(super) fn shown(view: &View, place: &Cells) -> Result<Vec<ShownCell>, Refusal> {
    super::edits::limited(place, MOST_SHOWN)?;
    let mut shown = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let text = view.text(&cell.value, cell.style)?;
        let formula = cell.formula.as_ref().map(|formula| format!("={}", formula.shown()));
        shown.push(ShownCell { at: cell.at, value: cell.value, text, formula });
    }
    Ok(shown)
}

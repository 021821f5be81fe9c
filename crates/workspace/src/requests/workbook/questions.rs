//! What is asked of a workbook.

use edit::Refusal;
use planner::{SheetRef, SheetStep, Summary};
use sheet::{Value, View};

use super::cells::{Beside, label, meant, used};
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
            let lines = shown(view, &place)?.into_iter().map(|cell| match cell.formula {
                Some(formula) => format!("{}!{}: {formula}", place.sheet, cell.at),
                None => format!("{}!{} has no formula; it is {}", place.sheet, cell.at, cell.text),
            });
            let mut lines: Vec<String> = lines.collect();
            if lines.is_empty() {
                lines.push(format!("{place} is empty"));
            }
            Found::Told(lines)
        }
        SheetStep::Summarise { what, at } => Found::Told(vec![summary(view, *what, &meant(view, at)?)?]),
        SheetStep::CountSheets => {
            let names: Vec<&str> = view.workbook().sheets.iter().map(|tab| tab.name.as_str()).collect();
            Found::Told(vec![format!("{} sheets: {}", names.len(), names.join(", "))])
        }
        SheetStep::CountRows { at } => {
            let place = meant(view, at)?;
            let area = place.area;
            Found::Told(vec![format!("{place} has {} rows, the header included", area.bottom - area.top + 1)])
        }
        SheetStep::CountWhere { at, condition } => Found::Told(super::rows::count(view, at, condition)?),
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
    let place = meant(view, &column).ok().filter(|_| name.len() > 3)?;
    Some(summary(view, what, &place).map(|line| Found::Told(vec![line])))
}

fn summary(view: &View, what: Summary, place: &Cells) -> Result<String, Refusal> {
    let sheet = view.sheet(&place.sheet)?;
    let (mut numbers, mut filled, mut broken) = (Vec::new(), 0u64, None);
    sheet.each_cell(place.area, &mut |cell| match &cell.value {
        Value::Number(number) => {
            numbers.push(*number);
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
    let none = || Refusal::not_found("a number", place.to_string());
    let count = numbers.len();
    let (name, value) = match what {
        Summary::Sum if count == 0 => return Err(none()),
        Summary::Sum => ("sum", numbers.iter().sum::<f64>()),
        Summary::Average if count == 0 => return Err(none()),
        Summary::Average => ("average", numbers.iter().sum::<f64>() / count as f64),
        Summary::Maximum => ("maximum", numbers.iter().copied().reduce(f64::max).ok_or_else(none)?),
        Summary::Minimum => ("minimum", numbers.iter().copied().reduce(f64::min).ok_or_else(none)?),
        Summary::Count => return Ok(format!("{place} has {filled} filled cells")),
        Summary::Blanks => return Ok(format!("{place} has {} blank cells", place.area.count() - filled)),
    };
    // Fifteen digits, as Excel shows.
    let rounded = format!("{value:.10}");
    let value = rounded.trim_end_matches('0').trim_end_matches('.');
    Ok(format!("the {name} of {place} is {value} ({count} numbers)"))
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

//! What a request says that cells hold, against what they hold: "from 1.05 to 1.06", "raise it to 5", words over a number.

use edit::Refusal;
use planner::Entry;
use sheet::{Value, View};

use super::edits::{MOST_FILLED, limited};
use crate::targets::Cells;

/// Whether a cell holds what somebody said it holds.
fn is_value(was: &Entry, value: &Value, shown: &str) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    let bare = |text: &str| {
        let bare: String = text.chars().filter(|c| !matches!(c, ' ' | ',' | '$' | '€' | '£')).collect();
        bare.to_lowercase()
    };
    match (was, value) {
        (Entry::Number(wanted), Value::Number(found)) => {
            near(*wanted, *found) || shown.contains('%') && near(*wanted / 100.0, *found)
        }
        (Entry::Typed(wanted), Value::Number(found)) => {
            let percent = wanted.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
            percent.is_some_and(|percent| near(percent / 100.0, *found)) || bare(wanted) == bare(shown)
        }
        (Entry::Bool(wanted), Value::Bool(found)) => wanted == found,
        (Entry::Text(wanted) | Entry::Words(wanted), Value::Blank) => {
            ["empty", "blank", "nothing"].contains(&wanted.to_lowercase().as_str())
        }
        (Entry::Text(wanted) | Entry::Words(wanted) | Entry::Typed(wanted) | Entry::Date(wanted), _) => {
            bare(wanted) == bare(shown)
        }
        (Entry::Number(wanted), Value::Text(_)) => {
            bare(shown).parse::<f64>().is_ok_and(|found| near(*wanted, found))
        }
        _ => false,
    }
}

/// "Raise it to 7 %", where it is 1.05: the request and the workbook contradict each other.
pub(super) fn goes(view: &View, place: &Cells, entry: &Entry, way: planner::Towards) -> Result<(), Refusal> {
    let new = match entry {
        Entry::Number(number) => Some(*number),
        Entry::Typed(text) => text
            .strip_suffix('%')
            .and_then(|number| number.trim().parse::<f64>().ok())
            .map(|percent| percent / 100.0),
        _ => None,
    };
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let (Value::Number(old), Some(new)) = (&cell.value, new) else { continue };
        let shown = view.text(&cell.value, cell.style)?;
        // "To 70" where per cents are shown is 70 %.
        let new = if shown.contains('%') && new.abs() > 1.0 { new / 100.0 } else { new };
        if !way.fits(*old, new) {
            return Err(Refusal::NotFound {
                what: "condition",
                id: format!("{entry} is {way} from what is in {}!{}", place.sheet, cell.at),
                nearest: vec![format!("it is {shown}, so nothing was changed")],
            });
        }
    }
    Ok(())
}

/// Words without quotation marks where a number, a date or a formula is may describe what is meant instead of being it,
/// and a bare number is no date: 2025 over a date would be a day of the year 1905.
pub(super) fn entry_fits(view: &View, place: &Cells, entry: &Entry) -> Result<(), Refusal> {
    if !matches!(entry, Entry::Words(_) | Entry::Number(_)) {
        return Ok(());
    }
    limited(place, MOST_FILLED)?;
    let sheet = view.sheet(&place.sheet)?;
    for cell in sheet.cells(place.area)? {
        let holds_value = matches!(cell.value, Value::Number(_) | Value::Bool(_));
        let (why, instead) = match entry {
            Entry::Words(text) if cell.formula.is_some() || holds_value => {
                let what = if cell.formula.is_some() { "a formula" } else { "a number" };
                (
                    format!("holds {what}, and `{text}` may be a description of what is meant"),
                    format!("say \"{text}\" in quotation marks if it is the text to write"),
                )
            }
            Entry::Number(number) if view.is_date(&cell)? => (
                format!("holds a date, and {number} is none"),
                "say the whole date, such as 2025-03-01".to_owned(),
            ),
            _ => continue,
        };
        let why = format!("{}!{} {why}", place.sheet, cell.at);
        return Err(Refusal::Unsafe { why, instead: Some(instead) });
    }
    Ok(())
}

/// "only if it is 1.05"
pub(super) fn check(view: &View, place: &Cells, was: &Entry) -> Result<(), Refusal> {
    let sheet = view.sheet(&place.sheet)?;
    let value = sheet.value(place.area.first())?;
    let shown = match sheet.cell(place.area.first())? {
        Some(cell) => view.text(&cell.value, cell.style)?,
        None => String::new(),
    };
    let same = place.area.is_cell() && is_value(was, &value, &shown);
    match same {
        true => Ok(()),
        false => {
            let cell = sheet.cell(place.area.first())?;
            let text = cell
                .map(|cell| view.text(&cell.value, cell.style))
                .transpose()?
                .unwrap_or_else(|| "empty".to_owned());
            Err(Refusal::NotFound {
                what: "condition",
                id: format!("{place} is {was}"),
                nearest: vec![format!("{place} is {text}, so nothing was changed")],
            })
        }
    }
}

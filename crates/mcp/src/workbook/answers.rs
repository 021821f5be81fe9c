//! What an edit of a workbook came to, in lines.

use workspace::sheet::{CellShown, Outcome};

/// What the written cells show, what else changed, and new errors; empty where there is nothing to say.
pub fn told(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let written: Vec<&CellShown> = outcomes.iter().flat_map(|outcome| &outcome.written).collect();
    if !written.is_empty() {
        text.push_str(&format!("now: {}\n", list(written.into_iter().take(10))));
    }
    for found in outcomes.iter().filter_map(|outcome| outcome.calculated.as_ref()) {
        if found.changed > 0 {
            let (cells, more) = (list(found.first.iter()), more(found.changed, found.first.len()));
            text.push_str(&format!("{} changed with it: {cells}{more}\n", cells_in_words(found.changed)));
        }
        if found.new_errors > 0 {
            let (cells, more) = (list(found.errors.iter()), more(found.new_errors, found.errors.len()));
            text.push_str(&format!("new errors in {}: {cells}{more}\n", cells_in_words(found.new_errors)));
        }
    }
    text
}

fn list<'a>(cells: impl Iterator<Item = &'a CellShown>) -> String {
    let said = cells.map(|one| match one.value.as_str() {
        "" => format!("{} empty", one.cell),
        value => format!("{} = {value}", one.cell),
    });
    said.collect::<Vec<_>>().join(", ")
}

fn more(all: usize, shown: usize) -> String {
    if all > shown { format!(" and {} more", all - shown) } else { String::new() }
}

fn cells_in_words(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

//! Positions in a workbook: a cell, or cells to be cleared.

use edit::Refusal;
use sheet::{Area, CellChange, CellRef, Edit, Input, Value, View};

use super::{Act, Position, PositionedChange, not_in};
use crate::targets::{Cells, address, cells};

pub(crate) fn cell_edit(view: &View, change: &PositionedChange) -> Result<Edit, Refusal> {
    const INSTEAD: &str = "name a cell, such as Sheet1!B2";
    let name = match &change.position {
        Position::Cell(name) => name,
        Position::Paragraph(_) => return Err(not_in("paragraph", "a workbook", INSTEAD)),
        Position::ParagraphId(_) => return Err(not_in("paragraph_id", "a workbook", INSTEAD)),
        Position::Block(_) => return Err(not_in("block_id", "a workbook", INSTEAD)),
        Position::Range(_) => return Err(not_in("range_id", "a workbook", INSTEAD)),
        Position::Text { .. } => return Err(not_in("text", "a workbook", INSTEAD)),
    };
    if change.characters.is_some() || change.side.is_some() {
        let expected = "a cell by itself: what is in it is replaced as a whole";
        return Err(Refusal::invalid("position", "a place inside or beside a cell", expected));
    }
    let found = cells(view, &address(name))?;
    // What is wrong with the content is told as for every other position.
    change.meant()?;
    let changes = match change.act {
        Act::Delete => {
            held(view, &found)?.into_iter().map(|at| CellChange { at, input: Input::Clear }).collect()
        }
        Act::Replace => vec![CellChange { at: single(&found)?, input: Input::Typed(change.content.clone()) }],
        Act::Insert => {
            let at = single(&found)?;
            if let Some(shown) = shown(view, &found)?.filter(|shown| !shown.is_empty()) {
                return Err(Refusal::Unsafe {
                    why: format!("{found} holds `{shown}`, and an insertion replaces nothing"),
                    instead: Some("use the type replace, or insert into an empty cell".to_owned()),
                });
            }
            vec![CellChange { at, input: Input::Typed(change.content.clone()) }]
        }
    };
    Ok(Edit::SetCells { sheet: found.sheet, cells: changes, seen: None })
}

/// What a cell says: its formula, else the value as it is shown. Of several, how many hold something.
pub(crate) fn shown(view: &View, cells: &Cells) -> Result<Option<String>, Refusal> {
    let sheet = view.sheet(&cells.sheet)?;
    let Ok(at) = single(cells) else {
        return Ok(Some(format!("{} cells", held(view, cells)?.len())));
    };
    let Some(cell) = sheet.cell(at)? else { return Ok(None) };
    match &cell.formula {
        Some(formula) => Ok(Some(format!("={}", formula.shown()))),
        None => Ok(Some(view.text(&cell.value, cell.style)?)),
    }
}

/// The cells of an area that hold something.
fn held(view: &View, cells: &Cells) -> Result<Vec<CellRef>, Refusal> {
    let sheet = view.sheet(&cells.sheet)?;
    let mut held = Vec::new();
    sheet.each_cell(cells.area, &mut |cell| {
        if cell.formula.is_some() || cell.value != Value::Blank {
            held.push(cell.at);
        }
    })?;
    Ok(held)
}

fn single(Cells { area, sheet }: &Cells) -> Result<CellRef, Refusal> {
    let Area { top, left, bottom, right } = *area;
    match (top, left) == (bottom, right) {
        true => Ok(CellRef::new(top, left)),
        false => {
            let expected = "one cell; several can only be cleared at once";
            Err(Refusal::invalid("position.cell", format!("{sheet}!{area}"), expected))
        }
    }
}

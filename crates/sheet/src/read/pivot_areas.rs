//! Where pivot tables lie. What they show is theirs; it is written when they are refreshed.

use edit::Refusal;
use ooxml::xml::ns;

use crate::file::a1::Area;
use crate::file::workbook::{number, string};
use crate::read::sheet_view::SheetView;

/// Where the pivot tables of a sheet lie: each the table, and above it, behind a free row, the fields that filter it.
pub(crate) fn pivot_areas(sheet: &SheetView<'_>) -> Result<Vec<Vec<Area>>, Refusal> {
    let content = &sheet.book.content;
    let mut areas = Vec::new();
    for found in sheet.relationships()?.iter().filter(|found| found.kind.ends_with("/pivotTable")) {
        let Some(part) = found.part.as_ref().filter(|part| content.contains(part)) else { continue };
        // One that cannot be read is left alone, with a note.
        let Ok(document) = ooxml::read_xml(content, part) else { continue };
        let Some(location) = document.root().child(ns::S, "location") else { continue };
        let Some(Ok(table)) = string(&location, "ref").map(|text| text.parse::<Area>()) else { continue };
        let count = |name| number(&location, name).unwrap_or(0);
        let (rows, columns) = (count("rowPageCount"), count("colPageCount").max(1));
        let mut own = vec![table];
        if let (1.., Some(top)) = (rows, table.top.checked_sub(rows.saturating_add(1))) {
            // A label and a choice each, and a free column between two.
            let right = table.left.saturating_add(columns.saturating_mul(3) - 2).min(formula::MAX_COLS - 1);
            own.push(Area { top, left: table.left, bottom: top + rows - 1, right });
        }
        areas.push(own);
    }
    Ok(areas)
}

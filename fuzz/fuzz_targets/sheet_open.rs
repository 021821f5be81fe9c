//! A workbook, damaged in its parts, or any bytes as the rows of one: all of it is read, then edited and undone.
#![no_main]

use edit::{Content, Format};
use fuzz::{Bundle, Chance};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::{Value, json};
use sheet::{CellRef, Edit, Sheet};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| match Bundle::read(bytes) {
    Some(bundle) => exercise(&bundle.content(), &mut Chance::from_bytes(bundle.choices())),
    None => exercise(&fuzz::workbook(bytes), &mut Chance::from_bytes(bytes)),
});

fn exercise(content: &Content, chance: &mut Chance) {
    let Ok(view) = Sheet::view(content) else { return };
    let _ = sheet::check(&view);
    for sheet in view.worksheets().take(4) {
        let Ok(sheet) = sheet else { continue };
        let _ = (
            sheet.hyperlinks(),
            sheet.notes(),
            sheet.threads(),
            sheet.charts(),
            sheet.page(),
            sheet.tables(),
        );
        let _ = (sheet.conditional_formats(), sheet.drawings(), sheet.validations());
        let Ok(Some(area)) = sheet.extent() else { continue };
        let mut left = 2_000;
        let area = sheet::Area {
            bottom: area.bottom.min(area.top + 400),
            right: area.right.min(area.left + 60),
            ..area
        };
        let _ = sheet.each_cell(area, &mut |cell| {
            if left > 0 {
                left -= 1;
                let _ = cell.formula.map(|formula| formula.shown());
            }
        });
    }
    let name = chance.pick(&view.workbook().sheets).map(|tab| tab.name.clone()).unwrap_or_default();
    let edit = edit(&name, chance);
    match testkit::check::<Sheet>(content, std::slice::from_ref(&edit)) {
        Ok(_) => {}
        Err(refusal) => assert!(!fuzz::is_ours(&refusal), "{edit:?}: {refusal}"),
    }
}

fn edit(sheet: &str, chance: &mut Chance) -> Edit {
    let at = CellRef::new(chance.below(30) as u32, chance.below(8) as u32).to_string();
    let (line, count) = (chance.below(9), 1 + chance.below(3));
    let edit: Value = match chance.below(17) {
        0 => json!({"op": "set_cells", "sheet": sheet, "cells": [{"at": at, "input": {"number": 1.5}}]}),
        1 => {
            json!({"op": "set_cells", "sheet": sheet, "cells": [{"at": at, "input": {"formula": "SUM(A1:B3)"}}]})
        }
        2 => json!({"op": "insert_rows", "sheet": sheet, "at": line, "count": count}),
        3 => json!({"op": "delete_rows", "sheet": sheet, "at": line, "count": count}),
        4 => json!({"op": "insert_columns", "sheet": sheet, "at": line, "count": count}),
        5 => json!({"op": "delete_columns", "sheet": sheet, "at": line, "count": count}),
        6 => json!({"op": "rename_sheet", "sheet": sheet, "to": "Other"}),
        7 => json!({"op": "set_note", "sheet": sheet, "at": at, "text": "x"}),
        8 => json!({"op": "add_comment", "sheet": sheet, "at": at, "text": "x"}),
        9 => json!({"op": "set_link", "sheet": sheet, "area": at, "to": {"place": "A1"}}),
        10 => json!({"op": "add_table", "sheet": sheet, "area": "M1:N9"}),
        11 => {
            json!({"op": "add_chart", "sheet": sheet, "area": "M1:S9", "chart": {"kind": "line", "series": [{"values": "B2:B9"}]}})
        }
        12 => json!({"op": "delete_drawing", "sheet": sheet, "drawing": "#1"}),
        13 => json!({"op": "set_page", "sheet": sheet, "page": {"landscape": true, "areas": ["A1:B2"]}}),
        14 => json!({"op": "set_array", "sheet": sheet, "area": "M1:N3", "formula": "A1:B3*2"}),
        15 => {
            json!({"op": "add_conditional_format", "sheet": sheet, "areas": [format!("{at}:J40")], "rule": {"kind": "icon_set", "icons": "3Arrows"}})
        }
        _ => json!({"op": "remove_conditional_formats", "sheet": sheet, "areas": ["A1:F20"]}),
    };
    serde_json::from_value(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}"))
}

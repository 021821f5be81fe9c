//! All that can be read of a workbook, and an edit of each kind: what damaged workbooks are put through, here and in the
//! fuzz target `sheet_open`, which takes this file in as it is.

use serde_json::{Value, json};
use sheet::{Area, CellRef, Edit, View};
use testkit::Chance;

/// Damage may make sheets huge; the first of them are as good as all.
const SHEETS: usize = 4;
const FORMULAS: usize = 2_000;

pub(crate) fn read(view: &View) {
    let _ = sheet::check(view);
    for sheet in view.worksheets().take(SHEETS) {
        let Ok(sheet) = sheet else { continue };
        let _ = (sheet.hyperlinks(), sheet.notes(), sheet.threads(), sheet.charts(), sheet.drawings());
        let _ = (sheet.page(), sheet.tables(), sheet.conditional_formats(), sheet.validations());
        let Ok(Some(extent)) = sheet.extent() else { continue };
        let area = Area {
            bottom: extent.bottom.min(extent.top + 400),
            right: extent.right.min(extent.left + 60),
            ..extent
        };
        let mut left = FORMULAS;
        let _ = sheet.each_cell(area, &mut |cell| {
            if left > 0 {
                left -= 1;
                let _ = cell.formula.map(|formula| formula.shown());
            }
        });
    }
}

pub(crate) fn random_edit(sheet: &str, chance: &mut Chance) -> Edit {
    let at = CellRef::new(chance.below(30) as u32, chance.below(8) as u32).to_string();
    let (line, count) = (chance.below(9), 1 + chance.below(3));
    let mut edit: Value = match chance.below(19) {
        0 => json!({"op": "set_cells", "cells": [{"at": at, "input": {"number": 1.5}}]}),
        1 => json!({"op": "set_cells", "cells": [{"at": at, "input": {"formula": "SUM(A1:B3)"}}]}),
        2 => json!({"op": "insert_rows", "at": line, "count": count}),
        3 => json!({"op": "delete_rows", "at": line, "count": count}),
        4 => json!({"op": "insert_columns", "at": line, "count": count}),
        5 => json!({"op": "delete_columns", "at": line, "count": count}),
        6 => json!({"op": "rename_sheet", "to": "Other"}),
        7 => json!({"op": "set_note", "at": at, "text": "x"}),
        8 => json!({"op": "add_comment", "at": at, "text": "x"}),
        9 => json!({"op": "set_link", "area": at, "to": {"place": "A1"}}),
        10 => json!({"op": "add_table", "area": "M1:N9"}),
        11 => {
            let chart = json!({"kind": "line", "series": [{"values": "B2:B9"}]});
            json!({"op": "add_chart", "area": "M1:S9", "chart": chart})
        }
        12 => json!({"op": "delete_drawing", "drawing": "#1"}),
        13 => json!({"op": "set_page", "page": {"landscape": true, "areas": ["A1:B2"]}}),
        14 => json!({"op": "set_array", "area": "M1:N3", "formula": "A1:B3*2"}),
        15 => {
            let rule = json!({"kind": "icon_set", "icons": "3Arrows"});
            json!({"op": "add_conditional_format", "areas": [format!("{at}:J40")], "rule": rule})
        }
        16 => json!({"op": "remove_notes", "areas": ["A1:XFD1048576"]}),
        17 => json!({"op": "set_data_table", "area": format!("{at}:Z40"), "row_input": "AB1"}),
        _ => json!({"op": "remove_conditional_formats", "areas": ["A1:F20"]}),
    };
    edit["sheet"] = sheet.into();
    serde_json::from_value(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}"))
}

//! Files before and after an edit, written out for validators that are not ours.
//!
//! `SHEET_PAIRS=/some/folder cargo test -p sheet --test it pairs` writes them and a list for
//! `../shared/check/validate --pairs`, and one for `tests/sheet/read_back.py`, which asks other programs what they
//! read in the cells that were set.

use std::path::Path;

use edit::{Context, Format, RevisionId};
use sheet::{CellChange, CellRef, Edit, Input, Sheet, StyleChange, TabKind};

use crate::corpus::{open, workbooks};

#[test]
fn pairs_for_other_validators() {
    let Ok(folder) = std::env::var("SHEET_PAIRS") else { return };
    let folder = Path::new(&folder);
    let stride: usize = std::env::var("SHEET_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let only = std::env::var("SHEET_KIND").unwrap_or_default();
    let (mut list, mut values) = (String::new(), String::new());
    let mut refused = 0;
    for (index, sample) in workbooks().iter().enumerate().step_by(stride) {
        let Ok((package, content, view)) = open(sample) else { continue };
        let tabs: Vec<_> =
            view.workbook().sheets.iter().filter(|tab| tab.kind == TabKind::Worksheet).collect();
        let Some(tab) = tabs.get(index % tabs.len().max(1)) else { continue };
        let sheet = || tab.name.clone();
        let seed = (index as u32).wrapping_mul(2_654_435_761);
        let at = CellRef::new(seed % 40, (seed >> 8) % 12);
        let cell = |input: Input| Edit::SetCells {
            sheet: sheet(),
            cells: vec![CellChange { at, input }],
            seen: None,
        };
        let style: StyleChange = serde_json::from_str(
            r##"{"number_format":"0.000","font":{"bold":true,"color":{"rgb":"FF0000"}},"border":{"top":{"line":{"style":"thin","color":null}}},"alignment":{"wrap":true}}"##,
        )
        .expect("a style");
        let edits = [
            ("number", cell(Input::Number(1234.5))),
            ("text", cell(Input::Text("été & <x> ".into()))),
            ("formula", cell(Input::Formula("SUM(A1:A3)*2".into()))),
            ("style", Edit::SetStyle { sheet: sheet(), areas: vec![sheet::Area::cell(at)], style }),
            ("insert_rows", Edit::InsertRows { sheet: sheet(), at: seed % 12, count: 2 }),
            ("delete_rows", Edit::DeleteRows { sheet: sheet(), at: seed % 12, count: 2 }),
            ("insert_columns", Edit::InsertColumns { sheet: sheet(), at: seed % 5, count: 1 }),
            ("delete_columns", Edit::DeleteColumns { sheet: sheet(), at: seed % 5, count: 1 }),
            ("rename", Edit::RenameSheet { sheet: sheet(), to: "Renamed it's".into() }),
            ("add_sheet", Edit::AddSheet { name: "Fresh one".into(), before: Some(sheet()) }),
            ("delete_sheet", Edit::DeleteSheet { sheet: sheet() }),
            ("freeze", Edit::Freeze { sheet: sheet(), rows: 1, columns: 1 }),
            (
                "columns",
                Edit::SetColumns {
                    sheet: sheet(),
                    first: 1,
                    last: 3,
                    properties: sheet::LineChange { size: Some(20.0), ..Default::default() },
                },
            ),
            ("name", Edit::DefineName { name: "fresh_name".into(), scope: None, formula: "=1+2".into() }),
        ];
        let mut batches: Vec<(&str, Vec<Edit>)> =
            edits.into_iter().map(|(kind, edit)| (kind, vec![edit])).collect();
        batches.extend(objects(&tab.name));
        for (kind, edits) in batches {
            if !only.is_empty() && !only.split(',').any(|only| only == kind) {
                continue;
            }
            let base = RevisionId { number: 0, digest: 0 };
            let cx = Context::new("Tester", 0, 1);
            let batch = match edit::plan::<Sheet>(&content, view.clone(), base, &edits, &cx) {
                Ok(batch) => batch,
                Err(refusal) => {
                    refused += 1;
                    println!("{kind} {}: {refusal}", sample.path.display());
                    continue;
                }
            };
            let file = Sheet::pack(&package, &batch.content).expect("packs");
            let extension = sample.path.extension().and_then(|e| e.to_str()).unwrap_or("xlsx");
            let to = folder.join(format!("{kind}-{index}.{extension}"));
            std::fs::write(&to, file).expect("writes");
            list += &format!("{}\t{}\n", sample.path.display(), to.display());
            let value = match kind {
                "number" => "1234.5".to_owned(),
                "text" => "été & <x> ".to_owned(),
                "insert_rows" => format!("{} 2", seed % 12),
                "insert_columns" => format!("{} 1", seed % 5),
                _ => continue,
            };
            let (before, after) = (sample.path.display(), to.display());
            values += &format!("{kind}\t{before}\t{after}\t{}\t{at}\t{value}\n", tab.name);
        }
    }
    println!("{} pairs, {refused} refused", list.lines().count());
    std::fs::write(folder.join("pairs.tsv"), list).expect("writes");
    std::fs::write(folder.join("values.tsv"), values).expect("writes");
}

/// Things that are added to a sheet, far from what it has.
fn objects(sheet: &str) -> Vec<(&'static str, Vec<Edit>)> {
    let own = || serde_json::Value::from(sheet);
    let place = |cells: &str| format!("{}!{cells}", formula::quote_sheet(sheet));
    let read = |edits: serde_json::Value| serde_json::from_value::<Vec<Edit>>(edits).expect("edits");
    let at = |text: &str| text.parse::<CellRef>().expect("a cell");
    let numbers = |edits: &mut Vec<Edit>| {
        let cells = [("BA500", "Label"), ("BB500", "Amount"), ("BA501", "x"), ("BA502", "y & z")];
        let mut cells: Vec<CellChange> = cells
            .iter()
            .map(|(cell, text)| CellChange { at: at(cell), input: Input::Text((*text).into()) })
            .collect();
        cells.push(CellChange { at: at("BB501"), input: Input::Number(1.5) });
        cells.push(CellChange { at: at("BB502"), input: Input::Number(-2.0) });
        edits.insert(0, Edit::SetCells { sheet: sheet.to_owned(), cells, seen: None });
    };
    let mut table = read(serde_json::json!([
        {"op":"add_table","sheet":own(),"area":"BA500:BB502","name":"Fresh_table"},
        {"op":"set_table","table":"Fresh_table","change":{"column_totals":[{"column":"Amount","total":"sum"}],"style":"TableStyleLight9","first_column":true}},
    ]));
    numbers(&mut table);
    let mut charts = Vec::new();
    for (row, kind) in ["column", "bar", "line", "area", "pie", "doughnut", "scatter"].iter().enumerate() {
        let area = format!("BD{}:BK{}", 500 + row * 20, 515 + row * 20);
        charts.extend(read(serde_json::json!([
            {"op":"add_chart","sheet":own(),"area":area,"chart":{"kind":kind,"title":"Title & <more>","x_title":"x","y_title":"y","stacked":row % 2 == 1,"legend":"bottom",
             "series":[{"values":place("$BB$501:$BB$502"),"categories":place("BA501:BA502"),"name":format!("={}", place("BB500"))},{"values":"BB501:BB502","name":"plain"}]}},
        ])));
    }
    numbers(&mut charts);
    vec![
        ("table", table),
        ("chart", charts),
        (
            "link",
            read(serde_json::json!([
                {"op":"set_link","sheet":own(),"area":"BA500","to":{"address":"https://example.com/?a=1&b=2#frag"},"tooltip":"tip"},
                {"op":"set_link","sheet":own(),"area":"BA501:BB502","to":{"place":place("A1")}},
                {"op":"set_link","sheet":own(),"area":"BA503","to":{"address":"mailto:a@example.com"}},
            ])),
        ),
        (
            "note",
            read(serde_json::json!([
                {"op":"set_note","sheet":own(),"at":"BA500","text":"a note\nof two lines"},
                {"op":"set_note","sheet":own(),"at":"BA7","text":"another <one>","author":"Somebody"},
            ])),
        ),
        (
            "thread",
            read(serde_json::json!([
                {"op":"add_comment","sheet":own(),"at":"BA500","text":"why?"},
                {"op":"add_comment","sheet":own(),"at":"BA500","text":"because & so"},
                {"op":"resolve_thread","sheet":own(),"at":"BA500","resolved":true},
            ])),
        ),
        (
            "image",
            read(serde_json::json!([
                {"op":"add_image","sheet":own(),"at":"BA500","image":{"data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","width":50.0,"description":"dot"}},
            ])),
        ),
        (
            "page",
            read(serde_json::json!([
                {"op":"set_sheet","sheet":own(),"properties":{"tab_color":{"color":{"rgb":"FF8800"}},"zoom":120,"gridlines":false,"column_width":11.0,"row_height":18.0}},
                {"op":"set_page","sheet":own(),"page":{"landscape":true,"paper":9,"fit":[1,0],"margins":{"left":0.5,"right":0.5,"top":0.6,"bottom":0.6,"header":0.3,"footer":0.3},
                 "header":"&LLeft&RPage &P","footer":"&C&F","areas":["A1:D20"],"titles":["1:1","A:A"],"gridlines":true,"center_horizontally":true}},
            ])),
        ),
        (
            "filter",
            read(serde_json::json!([
                {"op":"set_filter","sheet":own(),"area":"BA500:BB502","columns":[{"column":0,"values":["x"]}]},
                {"op":"protect","sheet":own(),"protected":true},
            ])),
        ),
    ]
}

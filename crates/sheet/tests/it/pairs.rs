//! Files before and after an edit, written out for validators that are not ours.
//!
//! `SHEET_PAIRS=/some/folder cargo test -p sheet --test it pairs` writes them and a list for
//! `../shared/check/validate --pairs`.

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
    let mut list = String::new();
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
        for (kind, edit) in edits {
            if !only.is_empty() && !only.split(',').any(|only| only == kind) {
                continue;
            }
            let base = RevisionId { number: 0, digest: 0 };
            let cx = Context { author: "Tester".into(), now: 0, seed: 1 };
            let batch = match edit::plan::<Sheet>(&content, view.clone(), base, &[edit], &cx) {
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
        }
    }
    println!("{} pairs, {refused} refused", list.lines().count());
    std::fs::write(folder.join("pairs.tsv"), list).expect("writes");
}

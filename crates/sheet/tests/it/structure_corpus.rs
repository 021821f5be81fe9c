//! Rows and columns that come and go in real workbooks: what is left is what a fresh calculation of the result says,
//! nothing new is wrong with the file, and undo restores it.
//!
//! `SHEET_WHOLE=1` takes every workbook instead of some, `SHEET_ONLY` those with a name, `SHEET_SEED` other places.

use std::collections::BTreeMap;

use edit::{Context, Refusal, RevisionId};
use sheet::{Area, CellRef, Edit, Sheet, SheetView, TabKind, View};

use crate::corpus::{open, stride, workbooks};

/// Formulas of one workbook; larger ones take minutes without optimisation.
const MOST_FORMULAS: usize = if cfg!(debug_assertions) { 3_000 } else { 50_000 };
/// Edits of one workbook, each on what the one before it left.
const EDITS: u64 = 4;

fn cx() -> Context {
    Context::new("Tester", 0, 1)
}

/// Formulas whose value in the file is another than a calculation from nothing gives.
fn different(view: &View) -> Result<BTreeMap<String, String>, Refusal> {
    let found = sheet::verify(view, &cx())?;
    let shown =
        |cell: &sheet::Difference| format!("={}: {} instead of {}", cell.formula, cell.cached, cell.ours);
    Ok(found.different.iter().map(|cell| (cell.address.clone(), shown(cell))).collect())
}

fn formulas(view: &View) -> usize {
    let mut count = 0;
    let everything = Area::new(CellRef::new(0, 0), CellRef::new(1_048_575, 16_383));
    for sheet in view.worksheets().flatten() {
        let _ = sheet.each_cell(everything, &mut |cell| count += usize::from(cell.formula.is_some()));
    }
    count
}

fn random_edit(sheet: &SheetView<'_>, seed: u64) -> Edit {
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let extent = sheet.extent().ok().flatten().unwrap_or(Area::cell(CellRef::new(4, 4)));
    let name = || sheet.name().to_owned();
    let count = 1 + (mixed >> 40) as u32 % 3;
    let row = (mixed >> 8) as u32 % (extent.bottom + 2);
    let column = (mixed >> 24) as u32 % (extent.right + 2);
    match (mixed >> 60) % 4 {
        0 => Edit::InsertRows { sheet: name(), at: row, count },
        1 => Edit::DeleteRows { sheet: name(), at: row, count },
        2 => Edit::InsertColumns { sheet: name(), at: column, count },
        _ => Edit::DeleteColumns { sheet: name(), at: column, count },
    }
}

#[test]
fn lines_come_and_go_in_real_workbooks() {
    let seed: u64 = std::env::var("SHEET_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut made, mut refused, mut files, mut large) = (0, BTreeMap::<String, usize>::new(), 0, 0);
    let mut wrong = Vec::new();
    for (index, sample) in workbooks().iter().enumerate().step_by(stride(11)) {
        if let Ok(only) = std::env::var("SHEET_ONLY")
            && !sample.path.display().to_string().contains(&only)
        {
            continue;
        }
        let Ok((_, mut content, mut view)) = open(sample) else { continue };
        if formulas(&view) > MOST_FORMULAS {
            large += 1;
            continue;
        }
        let Ok(mut known) = different(&view) else { continue };
        let mut problems = sheet::check(&view);
        files += 1;
        for step in 0..EDITS {
            let tabs: Vec<_> =
                view.workbook().sheets.iter().filter(|tab| tab.kind == TabKind::Worksheet).collect();
            let chance = seed.wrapping_mul(1_000_003) + index as u64 * 31 + step;
            let Some(tab) = tabs.get(chance as usize % tabs.len().max(1)) else { break };
            let Ok(sheet) = view.sheet(&tab.name) else { break };
            let edit = random_edit(&sheet, chance);
            let name = format!("{} {edit:?}", sample.path.display());
            let base = RevisionId { number: 0, digest: 0 };
            let batch =
                match edit::plan::<Sheet>(&content, view.clone(), base, std::slice::from_ref(&edit), &cx()) {
                    Ok(batch) => batch,
                    Err(Refusal::Internal { why }) => {
                        wrong.push(format!("{name}: {why}"));
                        continue;
                    }
                    Err(refusal) => {
                        let code = match &refusal {
                            Refusal::Rule { code, .. } => (*code).to_owned(),
                            other => other.to_string().split(' ').next().unwrap_or_default().to_owned(),
                        };
                        *refused.entry(code).or_default() += 1;
                        continue;
                    }
                };
            let undone = batch.plan.patch().invert(&content).and_then(|patch| patch.apply(&batch.content));
            assert!(undone.as_ref() == Ok(&content), "{name}: undo does not restore it");
            // The view that was carried through the edit says what a fresh one says.
            let now = different(&batch.view).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            if now.len() > known.len() {
                let new: Vec<_> = now.iter().filter(|(at, _)| !known.contains_key(*at)).take(3).collect();
                wrong.push(format!("{name}: {} more values are stale: {new:?}", now.len() - known.len()));
            }
            let found = sheet::check(&batch.view);
            if found.len() > problems.len() {
                let new: Vec<_> =
                    found.iter().filter(|problem| !problems.contains(problem)).take(3).collect();
                wrong.push(format!("{name}: {new:?}"));
            }
            (known, problems) = (now, found);
            (content, view) = (batch.content, batch.view);
            made += 1;
        }
    }
    println!("{made} edits in {files} workbooks, refused {refused:?}, {large} workbooks too large");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Real workbooks: each opens or is refused with a reason, comes back as it was, and takes an edit.
use std::collections::BTreeMap;
use std::sync::Arc;

use edit::{Content, Format, Refusal};
use sheet::{Area, CellChange, CellRef, Edit, Input, Sheet, TabKind, Value, View};
use testkit::corpus::{Sample, samples};

pub(crate) fn workbooks() -> Vec<Sample> {
    let kept = |sample: &Sample| {
        let extension = sample.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        matches!(extension.to_ascii_lowercase().as_str(), "xlsx" | "xlsm" | "xltx" | "xltm" | "xlsb")
    };
    samples("xlsx").unwrap_or_default().into_iter().filter(kept).collect()
}

/// Every file where `SHEET_WHOLE` is set, a sample otherwise.
pub(crate) fn stride(sample: usize) -> usize {
    if std::env::var("SHEET_WHOLE").is_ok() { 1 } else { sample }
}

pub(crate) fn open(sample: &Sample) -> Result<(ooxml::Package, Content, View), Refusal> {
    let (package, content) = Sheet::unpack(Arc::new(sample.bytes()), &sheet::limits())?;
    let view = Sheet::view(&content)?;
    Ok((package, content, view))
}

fn code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Corrupt { .. } => "corrupt",
        Refusal::Unsupported { .. } => "unsupported",
        Refusal::Encrypted => "encrypted",
        Refusal::Limit { .. } => "limit",
        Refusal::Internal { .. } => "internal",
        _ => "other",
    }
}

#[test]
fn every_workbook_opens_or_is_refused_and_saves_as_it_was() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut cells, mut formulas, mut unreadable) = (0usize, 0usize, 0usize);
    for sample in workbooks().into_iter().step_by(stride(3)) {
        let (package, content, view) = match open(&sample) {
            Ok(opened) => opened,
            Err(refusal) => {
                println!("{}: {refusal}", sample.path.display());
                *counts.entry(code(&refusal)).or_default() += 1;
                continue;
            }
        };
        *counts.entry("open").or_default() += 1;
        assert_eq!(Sheet::pack(&package, &content).unwrap(), sample.bytes(), "{}", sample.path.display());
        for sheet in view.worksheets() {
            let read = sheet.and_then(|sheet| {
                let everything = Area::new(CellRef::new(0, 0), CellRef::new(1_048_575, 16_383));
                sheet.each_cell(everything, &mut |cell| {
                    cells += 1;
                    formulas += usize::from(cell.formula.is_some());
                })
            });
            if let Err(refusal) = read {
                unreadable += 1;
                println!("{}: {refusal}", sample.path.display());
            }
        }
    }
    println!("{counts:?}, {cells} cells, {formulas} formulas, {unreadable} sheets not readable");
    assert_eq!(counts.get("internal"), None);
}

#[test]
fn setting_a_cell_touches_what_it_must_and_undo_restores_the_rest() {
    let mut edited = 0;
    for (index, sample) in workbooks().iter().enumerate().step_by(stride(7)) {
        let Ok((package, content, view)) = open(sample) else { continue };
        let name = sample.path.display();
        let tabs: Vec<_> =
            view.workbook().sheets.iter().filter(|tab| tab.kind == TabKind::Worksheet).collect();
        let Some(tab) = tabs.get(index % tabs.len().max(1)) else { continue };
        let seed = (index as u32).wrapping_mul(2_654_435_761);
        let at = CellRef::new(seed % 40, (seed >> 8) % 12);
        for input in [
            Input::Number(f64::from(seed) / 8.0),
            Input::Text(format!("été & <{seed}> ")),
            Input::Formula("1+1".into()),
        ] {
            let edits = [Edit::SetCells {
                sheet: tab.name.clone(),
                cells: vec![CellChange { at, input: input.clone() }],
                seen: None,
            }];
            let checked = match testkit::check::<Sheet>(&content, &edits) {
                Ok(checked) => checked,
                Err(
                    Refusal::Unsafe { .. }
                    | Refusal::Rule { .. }
                    | Refusal::Corrupt { .. }
                    | Refusal::Denied { .. }
                    // Such as a document type declaration in a part that is only now looked at.
                    | Refusal::Unsupported { .. },
                ) => continue,
                Err(refusal) => panic!("{name}: {refusal}"),
            };
            edited += 1;
            let touched = package.touched(&checked.content).unwrap();
            for part in &touched {
                let part = part.as_str().to_lowercase();
                let expected = part.contains("sheets/")
                    || part.contains("sharedstrings")
                    || part.contains("workbook")
                    || part.contains("calcchain")
                    || part.contains("content_types")
                    || part.ends_with(".rels")
                    || part.contains("/tables/")
                    || !part.starts_with("xl/");
                assert!(expected, "{name}: {part} was touched");
            }
            let known = sheet::check(&view);
            // By rule and place: what is wrong with bytes further on moves along with them.
            let same = |a: &sheet::Problem, b: &sheet::Problem| a.rule == b.rule && a.place == b.place;
            let mut new = sheet::check(&checked.view);
            new.retain(|problem| !known.iter().any(|old| same(old, problem)));
            assert_eq!(new, [], "{name}");
            let file = Sheet::pack(&package, &checked.content).unwrap();
            let (_, again) = Sheet::unpack(Arc::new(file), &sheet::limits()).unwrap();
            let read = Sheet::view(&again).unwrap();
            let cell = read.sheet(&tab.name).unwrap().cell(at).unwrap().unwrap();
            match &input {
                Input::Number(number) => assert_eq!(cell.value, Value::Number(*number), "{name}"),
                Input::Text(text) => assert_eq!(cell.value, Value::text(text), "{name}"),
                Input::Formula(text) => assert_eq!(&cell.formula.unwrap().text, text, "{name}"),
                _ => unreachable!(),
            }
        }
    }
    println!("{edited} edits");
}

//! Damaged workbooks: real ones with bytes changed, cut and doubled are opened, edited and undone, or refused.
//!
//! `SHEET_FUZZ_SECONDS=300 cargo test -p sheet --test it mutated` goes on that long; otherwise a second or two. The
//! damage is the same for the same seed (`SHEET_FUZZ_SEED`), which a failure names.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{Content, Context, Format, PartName, Patch, RevisionId};
use sheet::{CellChange, CellRef, Edit, Input, Sheet};

use crate::corpus::workbooks;

struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

#[test]
fn mutated_workbooks_are_refused_or_edited_and_undone() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = Duration::from_secs(number("SHEET_FUZZ_SECONDS").unwrap_or(2));
    let mut seed = number("SHEET_FUZZ_SEED").unwrap_or(1);
    let samples: Vec<_> = workbooks().into_iter().filter(|sample| sample.bytes().len() < 60_000).collect();
    if samples.is_empty() {
        println!("SKIPPED: no workbooks in ../shared/corpus/xlsx");
        return;
    }
    let started = Instant::now();
    let (mut rounds, mut opened, mut edited) = (0u64, 0u64, 0u64);
    while started.elapsed() < time {
        let mut chance = Chance(seed);
        let sample = &samples[chance.below(samples.len())];
        let name = sample.path.display();
        let outcome = std::panic::catch_unwind(|| {
            let mut chance = Chance(seed);
            chance.next();
            one(sample.bytes(), &mut chance)
        });
        let Ok((open, done)) = outcome else { panic!("SHEET_FUZZ_SEED={seed}: {name}") };
        rounds += 1;
        opened += u64::from(open);
        edited += done;
        seed += 1;
    }
    println!("{rounds} damaged workbooks, {opened} opened, {edited} edits made and undone");
}

/// Damages a part inside the package, or the package itself now and then.
fn one(file: Vec<u8>, chance: &mut Chance) -> (bool, u64) {
    if chance.below(8) == 0 {
        let mut file = file;
        damage(&mut file, chance);
        return match Sheet::unpack(Arc::new(file), &sheet::limits()) {
            Ok((_, content)) => exercise(&content, chance),
            Err(_) => (false, 0),
        };
    }
    let Ok((_, content)) = Sheet::unpack(Arc::new(file), &sheet::limits()) else { return (false, 0) };
    let names: Vec<PartName> =
        content.names().filter(|name| name.as_str().contains("xl/")).cloned().collect();
    let mut patch = Patch::new();
    for _ in 0..1 + chance.below(2) {
        let Some(name) = names.get(chance.below(names.len())) else { continue };
        let Ok(Some(blob)) = content.read(name) else { continue };
        let mut bytes = blob.bytes().into_owned();
        damage(&mut bytes, chance);
        patch.put(name, bytes);
    }
    match patch.apply(&content) {
        Ok(content) => exercise(&content, chance),
        Err(_) => (false, 0),
    }
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    const PIECES: &[&str] = &[
        "<",
        ">",
        "/>",
        "\"",
        "&",
        "&#0;",
        "<c r=\"XFD1048576\">",
        "<row r=\"0\">",
        "<row r=\"99999999999\"/>",
        "t=\"s\"",
        "ref=\"A1:XFD1048576\"",
        "<f t=\"shared\" si=\"0\"/>",
        "<f t=\"array\" ref=\"B2:A1\">1</f>",
        "si=\"4294967295\"",
        "-1",
        "1e999",
        "<!--",
        "]]>",
        "\u{0}",
        "s=\"65535\"",
        "count=\"0\"",
        "<v>99999999</v>",
        "r:id=\"rId1\"",
    ];
    for _ in 0..1 + chance.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = chance.below(bytes.len());
        let end = (at + 1 + chance.below(24)).min(bytes.len());
        match chance.below(5) {
            0 => bytes[at] = chance.next() as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = chance.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            3 => bytes.truncate(at),
            _ => {
                let piece = PIECES[chance.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
}

fn exercise(content: &Content, chance: &mut Chance) -> (bool, u64) {
    let Ok(view) = Sheet::view(content) else { return (false, 0) };
    let _ = sheet::check(&view);
    let tabs = &view.workbook().sheets;
    let name = || tabs.first().map(|tab| tab.name.clone()).unwrap_or_default();
    if let Ok(sheet) = view.sheet(&name()) {
        let _ = (
            sheet.hyperlinks(),
            sheet.notes(),
            sheet.threads(),
            sheet.charts(),
            sheet.page(),
            sheet.tables(),
            sheet.conditional_formats(),
        );
    }
    let at = CellRef::new(chance.below(30) as u32, chance.below(8) as u32);
    let read = |text: String| serde_json::from_str::<Edit>(&text).expect("an edit");
    let own = serde_json::Value::from(name());
    let edits = [
        Edit::SetCells {
            sheet: name(),
            cells: vec![CellChange { at, input: Input::Formula("SUM(A1:B3)".into()) }],
            seen: None,
        },
        Edit::InsertRows { sheet: name(), at: chance.below(9) as u32, count: 2 },
        Edit::DeleteColumns { sheet: name(), at: chance.below(3) as u32, count: 1 },
        Edit::RenameSheet { sheet: name(), to: "Other".into() },
        read(format!(r#"{{"op":"set_note","sheet":{own},"at":"{at}","text":"x"}}"#)),
        read(format!(r#"{{"op":"add_comment","sheet":{own},"at":"{at}","text":"x"}}"#)),
        read(format!(r#"{{"op":"set_link","sheet":{own},"area":"{at}","to":{{"place":"A1"}}}}"#)),
        read(format!(r#"{{"op":"add_table","sheet":{own},"area":"M1:N9"}}"#)),
        read(format!(
            r#"{{"op":"add_chart","sheet":{own},"area":"M1:S9","chart":{{"kind":"line","series":[{{"values":"B2:B9"}}]}}}}"#
        )),
        read(format!(r##"{{"op":"delete_drawing","sheet":{own},"drawing":"#1"}}"##)),
        read(format!(r#"{{"op":"set_page","sheet":{own},"page":{{"landscape":true,"areas":["A1:B2"]}}}}"#)),
        read(format!(r#"{{"op":"remove_notes","sheet":{own},"areas":["A1:XFD1048576"]}}"#)),
        read(format!(r#"{{"op":"set_array","sheet":{own},"area":"M1:N3","formula":"A1:B3*2"}}"#)),
        read(format!(r#"{{"op":"set_data_table","sheet":{own},"area":"{at}:Z40","row_input":"AB1"}}"#)),
        read(format!(
            r#"{{"op":"add_conditional_format","sheet":{own},"areas":["{at}:J40"],"rule":{{"kind":"icon_set","icons":"3Arrows"}}}}"#
        )),
        read(format!(r#"{{"op":"remove_conditional_formats","sheet":{own},"areas":["A1:F20"]}}"#)),
    ];
    let mut done = 0;
    for _ in 0..3 {
        let edit = edits[chance.below(edits.len())].clone();
        let base = RevisionId { number: 0, digest: 0 };
        let cx = Context { author: String::new(), now: 0, seed: 1 };
        let Ok(batch) = edit::plan::<Sheet>(content, view.clone(), base, std::slice::from_ref(&edit), &cx)
        else {
            continue;
        };
        let inverse = batch.plan.patch().invert(content).expect("an applied patch can be undone");
        assert!(
            inverse.apply(&batch.content).as_ref() == Ok(content),
            "undo restores every byte after {edit:?}"
        );
        done += 1;
    }
    (true, done)
}

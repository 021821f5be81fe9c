//! Damaged workbooks: real ones with bytes changed, cut and doubled are opened, edited and undone, or refused.
//!
//! `SHEET_FUZZ_SECONDS=300 cargo test -p sheet --test it mutated` goes on that long; otherwise a second or two. The
//! damage is the same for the same seed (`SHEET_FUZZ_SEED`), which a failure names.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{Content, Context, Format, PartName, Patch, RevisionId};
use sheet::Sheet;
use testkit::Chance;

use crate::corpus::workbooks;
use crate::everything;

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
            chance.number();
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
            0 => bytes[at] = chance.number() as u8,
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
    everything::read(&view);
    let name = view.workbook().sheets.first().map(|tab| tab.name.clone()).unwrap_or_default();
    let mut done = 0;
    for _ in 0..3 {
        let edit = everything::random_edit(&name, chance);
        let base = RevisionId { number: 0, digest: 0 };
        let cx = Context::new("", 0, 1);
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

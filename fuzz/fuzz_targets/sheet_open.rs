//! A workbook, damaged in its parts, or any bytes as the rows of one: all of it is read, then edited and undone.
#![no_main]

/// Shared with the test of damaged workbooks, which runs on every change.
#[path = "../../crates/sheet/tests/it/everything.rs"]
mod everything;

use edit::{Content, Format};
use fuzz::Bundle;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sheet::Sheet;
use testkit::Chance;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| match Bundle::read(bytes) {
    Some(bundle) => exercise(&bundle.content(), &mut Chance::from_bytes(bundle.choices())),
    None => exercise(&fuzz::workbook(bytes), &mut Chance::from_bytes(bytes)),
});

fn exercise(content: &Content, chance: &mut Chance) {
    let Ok(view) = Sheet::view(content) else { return };
    everything::read(&view);
    let name = chance.pick(&view.workbook().sheets).map(|tab| tab.name.clone()).unwrap_or_default();
    let edit = everything::random_edit(&name, chance);
    match testkit::check::<Sheet>(content, std::slice::from_ref(&edit)) {
        Ok(_) => {}
        Err(refusal) => assert!(!fuzz::is_ours(&refusal), "{edit:?}: {refusal}"),
    }
}

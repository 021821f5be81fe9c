//! A workbook, damaged in its parts, or any bytes as the rows of one: its first sheets and their charts are drawn.
#![no_main]

/// Shared with the test of damaged workbooks, which runs on every change.
#[path = "../../crates/render/tests/it/everything.rs"]
mod everything;

use edit::{Content, Format};
use fuzz::Bundle;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use render::PictureFormat;
use sheet::Sheet;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| match Bundle::read(bytes) {
    Some(bundle) => exercise(&bundle.content(), bundle.choices().first().is_some_and(|byte| byte % 4 == 0)),
    None => exercise(&fuzz::workbook(bytes), false),
});

fn exercise(content: &Content, as_svg: bool) {
    let Ok(view) = Sheet::view(content) else { return };
    let format = if as_svg { PictureFormat::Svg } else { PictureFormat::Png };
    everything::draw(&view, 2, format, &mut |drawn| {
        let (everything::Drawn::Range(_, answer) | everything::Drawn::Chart(_, _, answer)) = drawn;
        if let Ok(picture) = answer {
            assert!(!picture.bytes.is_empty());
        }
    });
}

//! Real workbooks, drawn. Every sixteenth of the corpus by default; `RENDER_WHOLE=1` takes all of them, and
//! `DOCWRIGHT_PICTURES=DIR` keeps the pictures to look at.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use edit::Format;
use render::PictureFormat;
use sheet::Sheet;

use crate::everything::{Drawn, draw};

/// No picture of a page may take so long, even in a test that nobody optimised.
const MOST_SECONDS: f64 = 60.0;

/// Ranges are drawn or refused, charts are drawn or there is a reason; both the same a second time.
#[test]
fn workbooks_are_drawn() {
    let Some(samples) = testkit::corpus::samples("xlsx") else { return };
    let keep = std::env::var_os("DOCWRIGHT_PICTURES").map(PathBuf::from);
    let step = if std::env::var_os("RENDER_WHOLE").is_some() { 1 } else { 16 };
    let sheets = if step == 1 { usize::MAX } else { 3 };
    let (mut ranges, mut charts, mut reasons) = (0, 0, BTreeMap::<String, usize>::new());
    let mut slowest = (0.0, String::new());
    for sample in samples.iter().step_by(step) {
        let Ok((_, content)) = Sheet::unpack(Arc::new(sample.bytes()), &sheet::limits()) else { continue };
        let Ok(view) = Sheet::view(&content) else { continue };
        let stem = sample.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut started = Instant::now();
        let mut pictures = Vec::new();
        draw(&view, sheets, PictureFormat::Png, &mut |drawn| {
            let took = started.elapsed().as_secs_f64();
            assert!(took < MOST_SECONDS, "{}: {took} s", sample.path.display());
            if took > slowest.0 {
                slowest = (took, sample.path.display().to_string());
            }
            let (count, name, answer) = match drawn {
                Drawn::Range(sheet, answer) => (&mut ranges, sheet.name().to_owned(), answer),
                Drawn::Chart(sheet, object, answer) => {
                    (&mut charts, format!("{}-chart{}", sheet.name(), object.place), answer)
                }
            };
            match answer {
                Ok(picture) => {
                    *count += 1;
                    assert!(picture.bytes.starts_with(b"\x89PNG"), "{}", sample.path.display());
                    if let Some(folder) = &keep {
                        std::fs::create_dir_all(folder).expect("a folder");
                        let name = format!("{stem}-{name}.png").replace(['/', '\\'], "_");
                        std::fs::write(folder.join(name), &picture.bytes).expect("written");
                    }
                    pictures.push(picture.bytes);
                }
                Err(refusal) => {
                    let why = refusal.to_string();
                    *reasons.entry(why.rsplit(": ").next().unwrap_or_default().to_owned()).or_default() += 1;
                }
            }
            started = Instant::now();
        });
        if sample.bytes().len() < 20_000 {
            let mut again = Vec::new();
            draw(&view, sheets, PictureFormat::Png, &mut |drawn| {
                let (Drawn::Range(_, answer) | Drawn::Chart(_, _, answer)) = drawn;
                again.extend(answer.ok().map(|picture| picture.bytes));
            });
            assert!(pictures == again, "{}: another picture", sample.path.display());
        }
    }
    println!("{ranges} ranges and {charts} charts drawn; slowest {:.2} s: {}", slowest.0, slowest.1);
    println!("not drawn: {reasons:#?}");
    assert!(ranges > 0);
}

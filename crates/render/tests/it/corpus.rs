//! Every workbook of the corpus is drawn. `DOCWRIGHT_PICTURES=DIR` keeps the pictures to look at.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use edit::{Context, Format};
use sheet::{Area, Sheet};

/// A range with content: the used one, cut at a page.
fn page(extent: Area) -> Area {
    Area {
        bottom: extent.bottom.min(extent.top + render::PAGE_ROWS - 1),
        right: extent.right.min(extent.left + render::PAGE_COLUMNS - 1),
        ..extent
    }
}

#[test]
fn every_workbook_is_drawn() {
    let Some(samples) = testkit::corpus::samples("xlsx") else { return };
    let keep = std::env::var_os("DOCWRIGHT_PICTURES").map(PathBuf::from);
    let (mut drawn, mut refused, mut slowest) = (0, 0, (0.0, String::new()));
    for sample in &samples {
        let Ok((_, content)) = Sheet::unpack(Arc::new(sample.bytes()), &sheet::limits()) else { continue };
        let Ok(view) = Sheet::view(&content) else { continue };
        for (index, found) in view.worksheets().enumerate() {
            let Ok(found) = found else { continue };
            let Ok(extent) = found.extent() else { continue };
            let extent = extent.unwrap_or(Area { top: 0, left: 0, bottom: 30, right: 12 });
            let started = Instant::now();
            let answer =
                render::range(&found, page(extent), &render::Options::default(), &Context::new("", 0, 0));
            let took = started.elapsed().as_secs_f64();
            if took > slowest.0 {
                slowest = (took, format!("{} {}", sample.path.display(), found.name()));
            }
            match answer {
                Ok(picture) => {
                    drawn += 1;
                    assert!(picture.bytes.starts_with(b"\x89PNG"));
                    if let Some(folder) = &keep {
                        let name = sample.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                        std::fs::create_dir_all(folder).expect("a folder");
                        std::fs::write(folder.join(format!("{name}-{index}.png")), &picture.bytes)
                            .expect("written");
                        for told in &picture.not_drawn {
                            println!("{name}-{index}: not drawn: {told}");
                        }
                    }
                }
                Err(refusal) => {
                    refused += 1;
                    println!("{} {}: {refusal}", sample.path.display(), found.name());
                }
            }
        }
    }
    println!("{drawn} sheets drawn, {refused} refused; slowest {:.2} s: {}", slowest.0, slowest.1);
    assert!(drawn > 0);
}

/// Every chart alone: drawn, or a reason why not.
#[test]
fn every_chart_is_drawn_or_refused_with_a_reason() {
    let Some(samples) = testkit::corpus::samples("xlsx") else { return };
    let keep = std::env::var_os("DOCWRIGHT_PICTURES").map(PathBuf::from);
    let (mut drawn, mut reasons) = (0, std::collections::BTreeMap::<String, usize>::new());
    for sample in &samples {
        let Ok((_, content)) = Sheet::unpack(Arc::new(sample.bytes()), &sheet::limits()) else { continue };
        let Ok(view) = Sheet::view(&content) else { continue };
        for (index, found) in view.worksheets().enumerate() {
            let Ok(found) = found else { continue };
            let Ok(placed) = found.placed() else { continue };
            let charts = placed.iter().filter(|object| object.kind == sheet::resolved::PlacedKind::Chart);
            for (number, object) in charts.enumerate() {
                let options = render::Options::default();
                let cx = Context::new("", 0, 0);
                match render::chart(&found, object, &options, 1.0, &cx) {
                    Ok(picture) => {
                        drawn += 1;
                        let again = render::chart(&found, object, &options, 1.0, &cx).expect("drawn again");
                        assert_eq!(picture.bytes, again.bytes, "{}", sample.path.display());
                        if let Some(folder) = &keep {
                            let name = sample.path.file_stem().unwrap_or_default().to_string_lossy();
                            let file = folder.join(format!("chart-{name}-{index}-{number}.png"));
                            std::fs::create_dir_all(folder).expect("a folder");
                            std::fs::write(file, &picture.bytes).expect("written");
                        }
                    }
                    Err(refusal) => {
                        let why = refusal.to_string();
                        let why = why.rsplit(": ").next().unwrap_or_default().to_owned();
                        *reasons.entry(why).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{drawn} charts drawn; not drawn: {reasons:#?}");
    assert!(drawn > 0);
}

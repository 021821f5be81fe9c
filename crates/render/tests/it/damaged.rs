//! Real workbooks with bytes of their parts changed, drawn or refused. `RENDER_FUZZ_SECONDS=300` goes on that long,
//! otherwise a few seconds; a failure names its seed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{Format, PartName, Patch};
use render::PictureFormat;
use sheet::Sheet;
use testkit::Chance;

use crate::everything::draw;

const PIECES: [&str; 14] = [
    "0",
    "-1",
    "99999999999",
    "1e308",
    "NaN",
    "",
    "\"",
    "<",
    "/>",
    "val=\"4294967295\"",
    "sz=\"40900\"",
    "ref=\"A1:XFD1048576\"",
    "<c:logBase val=\"1\"/>",
    "<a:noFill/>",
];

#[test]
fn damaged_workbooks_are_drawn_or_refused() {
    let Some(samples) = testkit::corpus::samples("xlsx") else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = Duration::from_secs(number("RENDER_FUZZ_SECONDS").unwrap_or(3));
    let mut seed = number("RENDER_FUZZ_SEED").unwrap_or(1);
    let small: Vec<_> =
        samples.iter().filter(|sample| sample.path.metadata().is_ok_and(|f| f.len() < 15_000)).collect();
    let (started, mut drawn) = (Instant::now(), 0u64);
    while started.elapsed() < time && !small.is_empty() {
        let sample = small[Chance(seed).below(small.len())];
        let outcome = std::panic::catch_unwind(|| one(sample.bytes(), &mut Chance(seed)));
        drawn += outcome.unwrap_or_else(|_| panic!("RENDER_FUZZ_SEED={seed}: {}", sample.path.display()));
        seed += 1;
    }
    println!("{drawn} pictures of damaged workbooks");
}

fn one(file: Vec<u8>, chance: &mut Chance) -> u64 {
    chance.number();
    let Ok((_, content)) = Sheet::unpack(Arc::new(file), &sheet::limits()) else { return 0 };
    // What says how something looks, not how it is packed.
    let telling = ["sheets/", "charts/", "drawings/", "styles", "theme", "media/", "tables/"];
    let is_telling = |name: &&PartName| telling.iter().any(|part| name.as_str().contains(part));
    let names: Vec<PartName> = content.names().filter(is_telling).cloned().collect();
    let mut patch = Patch::new();
    let Some(name) = chance.pick(&names) else { return 0 };
    let Ok(Some(blob)) = content.read(name) else { return 0 };
    let mut bytes = blob.bytes().into_owned();
    for _ in 0..1 + chance.below(6) {
        // Numbers matter most: places, sizes, counts.
        let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
        let Some(at) = chance.pick(&digits).copied() else { break };
        let end = (at..bytes.len()).find(|at| !bytes[*at].is_ascii_digit()).unwrap_or(bytes.len());
        let piece = chance.pick(&PIECES).copied().unwrap_or("0");
        bytes.splice(at..end, piece.bytes());
    }
    patch.put(name, bytes);
    let Ok(content) = patch.apply(&content) else { return 0 };
    let Ok(view) = Sheet::view(&content) else { return 0 };
    let mut count = 0;
    let format = if chance.below(4) == 0 { PictureFormat::Svg } else { PictureFormat::Png };
    draw(&view, 1, format, &mut |_| count += 1);
    count
}

//! Figures for a large part: `cargo run --release -p ooxml --example bench [MB]`.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "measuring reads the clock and prints"
)]

use std::time::{Duration, Instant};

use edit::{Blob, PartName, Patch};
use ooxml::xml::{Tree, XmlLimits, find_spans};
use ooxml::{Limits, Package, new_package};

const ROUNDS: usize = 7;

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(38);
    let source = document(megabytes << 20);
    let size = source.len();
    let limits = XmlLimits::default();
    println!("document.xml: {:.1} MB", size as f64 / 1e6);

    let (tree, time) = best(|| Tree::parse(&source, &limits).unwrap());
    println!("parse         {:8.1} ms  {:6.0} MB/s  {} nodes", ms(time), rate(size, time), tree.len());
    let mut spare = Some(tree);
    let (_, time) = best(|| {
        spare = Some(Tree::parse_reusing(spare.take().unwrap(), &source, &limits).unwrap());
    });
    println!("parse, reused {:8.1} ms  {:6.0} MB/s", ms(time), rate(size, time));
    let (spans, time) = best(|| find_spans(&source, b"w:p", &limits).unwrap());
    println!("find_spans    {:8.1} ms  {:6.0} MB/s  {} paragraphs", ms(time), rate(size, time), spans.len());

    let types = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
    let part = PartName::new("word/document.xml");
    let (file, time) =
        best(|| new_package(&[("[Content_Types].xml", types.as_bytes()), (part.as_str(), &source)]).unwrap());
    println!("deflate all   {:8.1} ms  {:6.0} MB/s  {} bytes", ms(time), rate(size, time), file.len());

    let wide = Limits { entry_bytes: 1 << 30, total_bytes: 1 << 30, ..Limits::default() };
    let (_, time) = best(|| Package::open(file.clone(), &wide).unwrap().1.read(&part).unwrap().unwrap());
    println!("open, inflate {:8.1} ms  {:6.0} MB/s", ms(time), rate(size, time));
    for edits in [1, 10, 100] {
        let (saved, time) = best(|| {
            let (package, content) = Package::open(file.clone(), &wide).unwrap();
            let blob: Blob = content.read(&part).unwrap().unwrap();
            let bytes = blob.bytes();
            let spans = find_spans(&bytes, b"w:t", &limits).unwrap();
            let mut patch = Patch::new();
            for index in 0..edits {
                let span = spans[(index * 2 + 1) * spans.len() / (edits * 2)].clone();
                patch.splice(&part, span, "<w:t>Something else, and longer</w:t>").unwrap();
            }
            package.save(&patch.apply(&content).unwrap()).unwrap()
        });
        println!("open, edit {edits:3}, save {:8.1} ms  {} bytes", ms(time), saved.len());
    }
}

fn best<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut fastest = Duration::MAX;
    let mut result = None;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        result = Some(run());
        fastest = fastest.min(start.elapsed());
    }
    (result.unwrap(), fastest)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// Paragraphs such as Word writes them, with words that differ enough to compress like text.
fn document(size: usize) -> Vec<u8> {
    const WORDS: [&str; 16] = [
        "agreement",
        "party",
        "shall",
        "the",
        "of",
        "termination",
        "notice",
        "hereby",
        "and",
        "confidential",
        "information",
        "days",
        "written",
        "liability",
        "under",
        "Section",
    ];
    let mut seed = 42u32;
    let mut next = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize
    };
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:document \
         xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
         xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w:body>",
    );
    while out.len() < size {
        out += &format!(
            "<w:p w14:paraId=\"{:08X}\" w14:textId=\"77777777\" w:rsidR=\"00{:06X}\" w:rsidRDefault=\"00C2374B\">\
             <w:pPr><w:pStyle w:val=\"BodyText\"/><w:jc w:val=\"both\"/></w:pPr>",
            next(),
            next() & 0xFFFFFF
        );
        for _ in 0..1 + next() % 4 {
            let bold = if next() % 4 == 0 { "<w:b/><w:bCs/>" } else { "" };
            out += &format!("<w:r><w:rPr>{bold}<w:sz w:val=\"22\"/></w:rPr><w:t xml:space=\"preserve\">");
            for _ in 0..3 + next() % 20 {
                out += WORDS[next() % WORDS.len()];
                out.push(' ');
            }
            out += "</w:t></w:r>";
        }
        out += "</w:p>";
    }
    out += "</w:body></w:document>";
    out.into_bytes()
}

//! How long opening, reading and editing take: `measure FILE`, or `measure make PARAGRAPHS FILE`. For
//! comparing with other programs, `measure labels FILE...` prints label and text of each body paragraph.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a tool for the command line")]

use std::sync::Arc;
use std::time::Instant;

use edit::{Context, Format, RevisionId};
use word::read::Request;
use word::{PieceKind, Search, Side, Word};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["make", count, file] => make(count.parse().expect("a number"), file),
        ["labels", files @ ..] => files.iter().for_each(|file| labels(file)),
        [file] => measure(file),
        _ => println!("measure FILE | measure make PARAGRAPHS FILE"),
    }
}

fn make(count: usize, file: &str) {
    let mut body = String::new();
    for number in 0..count {
        let id = if number % 2 == 0 { format!(" w14:paraId=\"{:08X}\"", number + 1) } else { String::new() };
        body += &format!(
            "<w:p w:rsidR=\"00A77B3E\" w:rsidRDefault=\"00A77B3E\"{id}><w:pPr><w:pStyle w:val=\"BodyText\"/><w:spacing w:before=\"120\" w:after=\"120\"/><w:jc w:val=\"both\"/></w:pPr>\
             <w:r w:rsidRPr=\"00B83C21\"><w:rPr><w:b/><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\"/></w:rPr><w:t>Clause {number}.</w:t></w:r>\
             <w:r><w:rPr><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\"/><w:sz w:val=\"22\"/></w:rPr><w:t xml:space=\"preserve\"> The supplier shall notify the customer within </w:t></w:r>\
             <w:r><w:rPr><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\"/><w:u w:val=\"single\"/></w:rPr><w:t>thirty days</w:t></w:r>\
             <w:r><w:rPr><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\"/><w:sz w:val=\"22\"/></w:rPr><w:t xml:space=\"preserve\"> of each incident numbered {number}, however small.</w:t></w:r></w:p>"
        );
    }
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w:body>{body}<w:sectPr/></w:body></w:document>"
    );
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let rels = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let parts =
        [("[Content_Types].xml", types), ("_rels/.rels", rels), ("word/document.xml", document.as_str())];
    let package = ooxml::new_package(&parts).expect("packs");
    println!("{} bytes of XML, {} packed", document.len(), package.len());
    std::fs::write(file, package).expect("writes");
}

fn labels(file: &str) {
    let bytes = Arc::new(std::fs::read(file).expect("reads"));
    let opened = Word::unpack(bytes, &ooxml::Limits::default()).and_then(|(_, content)| Word::view(&content));
    let Ok(view) = opened else { return };
    let rows: Vec<(String, String)> = view
        .body()
        .map(|place| {
            let text = view.paragraph(place).expect("reads").text(Side::Final).text;
            (view.label(place, Side::Final).unwrap_or_default().to_owned(), text)
        })
        .collect();
    println!("{}", serde_json::to_string(&(file, rows)).expect("serializes"));
}

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let (start, before) = (Instant::now(), on_processor());
    let result = run();
    let (wall, busy) = (start.elapsed().as_secs_f64() * 1000.0, on_processor() - before);
    println!("{what:<40} {busy:>9.2} ms of processor, {wall:>9.2} ms by the clock");
    result
}

/// Milliseconds this thread has run; on a busy machine the clock says more about the others.
fn on_processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

fn measure(file: &str) {
    let limits = ooxml::Limits::default();
    let bytes = Arc::new(std::fs::read(file).expect("reads"));
    let (package, content) = timed("unpack", || Word::unpack(bytes, &limits).expect("unpacks"));
    let main = ooxml::main_part(&content).expect("a document").name;
    timed("inflate the main part", || content.read(&main).expect("loads").map(|blob| blob.len()));
    let view = timed("view", || Word::view(&content).expect("views"));
    println!("{} paragraphs", view.places().count());
    timed("first page", || view.page(&Request::default()).expect("reads").nodes.len());
    timed("second page", || {
        view.page(&Request { offset: 400, ..Request::default() }).expect("reads").nodes.len()
    });
    timed("all text", || {
        view.places()
            .map(|place| view.paragraph(place).expect("reads").text(Side::Final).text.len())
            .sum::<usize>()
    });
    let search = Search { patterns: vec!["incident numbered 77".into()], ..Search::default() };
    timed("grep", || view.grep(&search).expect("searches").total);
    let places: Vec<_> = view.places().collect();
    let edits: Vec<word::Edit> = (0..1000)
        .filter_map(|number| {
            let place = *places.get(number * places.len() / 1000)?;
            let paragraph = view.paragraph(place).ok()?;
            let text = paragraph.text(Side::Final);
            let piece = text.pieces.iter().find(|piece| piece.kind == PieceKind::Characters)?;
            let old = text.text.get(piece.range.clone())?.to_owned();
            replace(&view, place, &old)
        })
        .collect();
    let base = RevisionId { number: 0, digest: 0 };
    let cx = Context::new("A", 0, 1);
    let first = edits.get(..1).unwrap_or_default();
    let one =
        timed("one edit", || edit::plan::<Word>(&content, view.clone(), base, first, &cx).expect("plans"));
    timed("save after one edit", || Word::pack(&package, &one.content).expect("packs").len());
    let many =
        timed("1000 edits", || edit::plan::<Word>(&content, view.clone(), base, &edits, &cx).expect("plans"));
    timed("save after 1000 edits", || Word::pack(&package, &many.content).expect("packs").len());
    let tracked: Vec<word::Edit> = edits
        .iter()
        .cloned()
        .map(|mut edit| {
            if let word::Edit::ReplaceText(edit) = &mut edit {
                edit.markup = word::Markup::Tracked;
            }
            edit
        })
        .collect();
    let tracked = timed("1000 tracked edits", || {
        edit::plan::<Word>(&content, view.clone(), base, &tracked, &cx).expect("plans")
    });
    timed("save after 1000 tracked edits", || Word::pack(&package, &tracked.content).expect("packs").len());
    timed("lint", || word::lint(&content).expect("lints").len());
    timed("what 1000 tracked edits damaged", || {
        word::new_problems(&content, &tracked.content).expect("lints").len()
    });
}

fn replace(view: &word::View, place: word::Place, old: &str) -> Option<word::Edit> {
    Some(word::Edit::ReplaceText(word::ReplaceText {
        paragraph: view.id(place),
        old: old.to_owned(),
        new: "Changed".to_owned(),
        expect: None,
        markup: word::Markup::Plain,
        clear_highlight: false,
    }))
}

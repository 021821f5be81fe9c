//! A document, damaged in its parts: read in every way there is, with the same ids each time, or refused.
#![no_main]

use edit::Format;
use fuzz::Bundle;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use word::read::{Request, simple, toon};
use word::{Search, Side, Word};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    let Some(bundle) = Bundle::read(bytes) else { return };
    let content = bundle.content();
    let Ok(view) = Word::view(&content) else { return };
    for side in [Side::Final, Side::Original, Side::Redline] {
        let request = Request { side, show_formatting: side == Side::Final, ..Request::default() };
        if let Ok(page) = view.page(&request) {
            let _ = (toon(&page), simple(&page));
        }
    }
    let again = Word::view(&content).expect("what was read is read again");
    assert!(
        view.places().map(|place| view.id(place)).eq(again.places().map(|place| again.id(place))),
        "ids differ"
    );
    for place in view.places() {
        let _ = (
            view.resolved(place),
            view.fingerprint(place),
            view.enclosures(place),
            view.label(place, Side::Final),
        );
        let span = view.span(place);
        let Ok(paragraph) = view.paragraph(place) else { continue };
        for atom in &paragraph.atoms {
            assert!(
                span.start <= atom.span.start && atom.span.end <= span.end,
                "an atom outside its paragraph"
            );
        }
        for side in [Side::Final, Side::Original] {
            let text = paragraph.text(side);
            for piece in &text.pieces {
                assert!(text.text.get(piece.range.clone()).is_some(), "a piece that is no text");
            }
        }
    }
    let _ = view.grep(&Search { patterns: vec!["the".to_owned(), "a.*b".to_owned()], ..Search::default() });
    let _ = (word::lint(&content), word::changes(&view), view.comments(), word::controls(&view));
    for table in view.tables() {
        let _ = view.table(table.id);
    }
});

//! Documents of the corpus with something broken at random: opening, reading, searching, checking and editing them
//! answers or refuses, and what is edited obeys the laws.
//!
//! A moment by default; `DOCWRIGHT_FUZZ_SECONDS=300` for longer, with `DOCWRIGHT_FUZZ_SEED` for another start.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{Blob, Content, Format, PartName};
use ooxml::Limits;
use word::read::Request;
use word::{DeleteParagraph, Edit, InsertParagraphs, Markup, Position, ReplaceText, Search, Side, Word};

use crate::editing::Dice;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn broken_documents_are_read_or_refused() {
    let Some(samples) = testkit::corpus::samples("docx") else { return };
    let limits = Limits { total_bytes: 8 << 20, entry_bytes: 4 << 20, ..Limits::default() };
    let seed = number("DOCWRIGHT_FUZZ_SEED", 1);
    let mut dice = Dice(seed);
    let end = Instant::now() + Duration::from_secs(number("DOCWRIGHT_FUZZ_SECONDS", 2));
    let (mut rounds, mut opened, mut viewed, mut edited) = (0, 0, 0, 0);
    while Instant::now() < end {
        rounds += 1;
        let sample = &samples[dice.roll(samples.len())];
        let mut bytes = sample.bytes();
        if bytes.len() > 300_000 {
            continue;
        }
        // Half of them are broken as files, half in the XML of a part.
        let as_file = dice.roll(2) == 0;
        if as_file {
            (0..=dice.roll(4)).for_each(|_| harm(&mut bytes, &mut dice));
        }
        let Ok((package, mut content)) = Word::unpack(Arc::new(bytes), &limits) else { continue };
        opened += 1;
        if !as_file {
            let names: Vec<PartName> =
                content.names().filter(|name| name.as_str().ends_with(".xml")).cloned().collect();
            let main = names.iter().find(|name| name.as_str() == "word/document.xml");
            let victim = match (main, dice.roll(3)) {
                (Some(main), 1..) => main.clone(),
                _ => names[dice.roll(names.len())].clone(),
            };
            let Ok(Some(part)) = content.read(&victim) else { continue };
            let mut part = part.bytes().into_owned();
            (0..=dice.roll(3)).for_each(|_| harm(&mut part, &mut dice));
            content.insert(victim, Blob::from(part));
        }
        let name = format!("seed {seed}, round {rounds}, {}", sample.path.display());
        if look(&content, &mut dice, &name, &mut edited) {
            viewed += 1;
            let _ = Word::pack(&package, &content);
        }
    }
    eprintln!("{rounds} broken documents: {opened} opened, {viewed} read, {edited} edited");
}

fn look(content: &Content, dice: &mut Dice, name: &str, edited: &mut usize) -> bool {
    let Ok(view) = Word::view(content) else { return false };
    let _ = view.page(&Request::default());
    let _ = view.grep(&Search { patterns: vec!["the".to_owned()], ..Search::default() });
    let _ = word::lint(content);
    let _ = word::changes(&view);
    let _ = view.comments();
    let places: Vec<_> = view.places().collect();
    for _ in 0..3.min(places.len()) {
        let place = places[dice.roll(places.len())];
        let Ok(paragraph) = view.paragraph(place) else { continue };
        let text = paragraph.text(Side::Final).text;
        let words: Vec<&str> = text.split_whitespace().collect();
        let old = words.get(dice.roll(words.len())).copied().unwrap_or("x").to_owned();
        let markup = if dice.roll(2) == 0 { Markup::Plain } else { Markup::Tracked };
        let id = view.id(place);
        let edit = match dice.roll(3) {
            0 => Edit::DeleteParagraph(DeleteParagraph { paragraph: id, expect: None, markup }),
            1 => Edit::InsertParagraphs(InsertParagraphs {
                anchor: id,
                position: Position::After,
                text: "one\n\ntwo".to_owned(),
                style_source: None,
                markup,
            }),
            _ => Edit::ReplaceText(ReplaceText {
                paragraph: id,
                old,
                new: "new".to_owned(),
                expect: None,
                markup,
                clear_highlight: false,
            }),
        };
        let said = format!("{name}: {edit:?}");
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            testkit::check::<Word>(content, &[edit]).map(|done| word::new_problems(content, &done.content))
        }));
        match checked {
            Ok(Ok(Ok(new))) => {
                assert_eq!(new, [], "{said}");
                *edited += 1;
            }
            Ok(_) => {}
            // What went wrong was printed when it happened.
            Err(_) => panic!("panicked: {said}"),
        }
    }
    true
}

/// One thing wrong: bytes changed, lost, doubled or moved, mostly between tags.
fn harm(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let place = |dice: &mut Dice| {
        let at = dice.roll(bytes.len());
        // Tags make better accidents than letters.
        match dice.roll(3) {
            0 => at,
            _ => at + bytes[at..].iter().position(|byte| *byte == b'<').unwrap_or(0),
        }
    };
    let (a, b) = (place(dice), place(dice));
    let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 2000));
    match dice.roll(6) {
        0 => bytes[start] = dice.roll(256) as u8,
        1 => drop(bytes.drain(start..end)),
        2 => {
            let copy = bytes[start..end].to_vec();
            bytes.splice(start..start, copy);
        }
        3 => {
            let moved: Vec<u8> = bytes.drain(start..end).collect();
            let to = dice.roll(bytes.len() + 1);
            bytes.splice(to..to, moved);
        }
        4 => bytes.truncate(start + 1),
        _ => {
            let length = bytes.len().min(start + 4);
            bytes[start..length].fill(b"\0\xFF<\"&"[dice.roll(5)]);
        }
    }
}

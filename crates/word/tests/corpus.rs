//! Real files: each opens and reads, or says clearly why not; a save without edits changes nothing.
#![allow(clippy::disallowed_methods, reason = "tests read files; the engine under test does not")]

use std::collections::BTreeMap;
use std::sync::Arc;

use edit::{Content, Format, Gravity, Patch, Refusal};
use testkit::corpus::{each, samples};
use word::read::{Request, Stories};
use word::{Language, PieceKind, Search, Side, View, Word};

fn open(bytes: &[u8]) -> Result<(ooxml::Package, Content, View), Refusal> {
    let (package, content) = Word::unpack(Arc::new(bytes.to_vec()), &ooxml::Limits::default())?;
    let view = Word::view(&content)?;
    Ok((package, content, view))
}

#[test]
fn every_file_opens_and_reads_or_is_refused_with_a_reason() {
    let Some(samples) = samples("docx") else { return };
    let (mut read, mut refused, mut paragraphs) = (0, BTreeMap::<String, usize>::new(), 0);
    let failed = each(&samples, |_, sample| {
        let name = sample.path.display();
        let bytes = sample.bytes();
        let (package, content, view) = match open(&bytes) {
            Ok(opened) => opened,
            Err(Refusal::Internal { why }) => panic!("{name}: {why}"),
            Err(refusal) => {
                let reason = refusal.to_string();
                println!("refused {name}: {reason}");
                *refused.entry(reason).or_default() += 1;
                return;
            }
        };
        assert!(
            Word::pack(&package, &content).expect("packs") == bytes,
            "{name}: a save without edits differs"
        );
        for side in [Side::Final, Side::Original, Side::Redline] {
            let request = Request { side, stories: Stories::All, budget: usize::MAX, ..Request::default() };
            let page = view.page(&request).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            assert!(!page.has_more);
            if side == Side::Final {
                paragraphs += page.nodes.len();
                let toon = word::read::toon(&page);
                for line in toon.lines().filter(|line| !line.starts_with('#')) {
                    assert_eq!(columns(line), 5, "{name}: {line}");
                }
            }
        }
        every_character_has_its_bytes(&view, &format!("{name}"));
        view.grep(&Search { patterns: vec![r"\w+".into()], language: Language::Regex, ..Search::default() })
            .unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        read += 1;
    });
    println!(
        "{read} files read with {paragraphs} paragraphs, {} refused: {refused:#?}",
        samples.len() - read
    );
    assert_eq!(failed, Vec::<String>::new());
    assert!(read * 100 >= samples.len() * 90, "only {read} of {} could be read", samples.len());
}

/// Bars that part columns, escaped ones not counted.
fn columns(line: &str) -> usize {
    let plain = line.replace("\\\\", "").replace("\\|", "");
    plain.matches('|').count() + 1
}

fn every_character_has_its_bytes(view: &View, name: &str) {
    for place in view.places() {
        let paragraph = view.paragraph(place).expect("reads");
        let text = paragraph.text(Side::Redline);
        for piece in text.pieces.iter().filter(|piece| piece.kind == PieceKind::Characters) {
            let said = &text.text[piece.range.clone()];
            let from = paragraph.source_of(piece.atom, 0).expect("a start");
            let to = paragraph.source_of(piece.atom, said.len()).expect("an end");
            let raw = String::from_utf8(paragraph.bytes(from..to).to_vec()).expect("UTF-8");
            let decoded = ooxml::xml::decode_text(&raw).replace(['\n', '\r'], " ");
            assert!(decoded == said || raw == said, "{name}: {raw:?} reads {said:?}");
            assert_eq!(paragraph.atoms[piece.atom].span, from..to, "{name}");
        }
    }
}

#[test]
fn ids_are_unique_and_the_same_when_a_file_is_opened_again() {
    let Some(samples) = samples("docx") else { return };
    let failed = each(&samples, |_, sample| {
        let bytes = sample.bytes();
        let Ok((_, _, view)) = open(&bytes) else { return };
        let Ok((_, _, again)) = open(&bytes) else { panic!("opens once") };
        let ids = |view: &View| view.places().map(|place| view.id(place)).collect::<Vec<_>>();
        let mut all = ids(&view);
        assert_eq!(all, ids(&again), "{}", sample.path.display());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), view.places().count(), "{}", sample.path.display());
    });
    assert_eq!(failed, Vec::<String>::new());
}

/// Puts a new paragraph in front of a few, and a word into others, and compares with reading from scratch.
#[test]
fn an_edit_renumbers_nobody_and_a_carried_view_says_what_a_fresh_one_says() {
    let Some(samples) = samples("docx") else { return };
    let mut edits = 0;
    let failed = each(&samples, |_, sample| {
        let name = sample.path.display();
        let Ok((_, mut content, mut view)) = open(&sample.bytes()) else { return };
        if view.places().count() > 300 {
            return;
        }
        for step in 0..4usize {
            let places: Vec<_> = view.places().collect();
            let Some(place) = places.get((step * 7919 + 13) % places.len().max(1)).copied() else { break };
            let part = view.part_of(place).expect("a part").clone();
            let paragraph = view.paragraph(place).expect("reads");
            let mut patch = Patch::new();
            let text = paragraph.text(Side::Final);
            let word = text.pieces.iter().find(|piece| piece.kind == PieceKind::Characters);
            match (step % 2, word) {
                (0, Some(piece)) => {
                    let at = paragraph.source_of(piece.atom, 0).expect("a start");
                    patch.splice(&part, at..at, "edited ").expect("fits");
                }
                _ => {
                    let prefix = &paragraph.prefix;
                    let new =
                        format!("<{prefix}p><{prefix}r><{prefix}t>new</{prefix}t></{prefix}r></{prefix}p>");
                    patch.splice(&part, paragraph.span.start..paragraph.span.start, new).expect("fits");
                }
            }
            let before: Vec<_> = places
                .iter()
                .map(|place| (view.part_of(*place).cloned(), view.span(*place), view.id(*place)))
                .collect();
            let after = patch.apply(&content).expect("applies");
            view =
                Word::view_after(view, &patch, &after).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let fresh = Word::view(&after).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let request = Request { stories: Stories::All, budget: usize::MAX, ..Request::default() };
            let said = |view: &View| {
                let page = view.page(&request).expect("reads");
                let rows = page.nodes.into_iter().map(|node| {
                    (
                        node.list_label,
                        node.header,
                        node.style_fingerprint,
                        node.text,
                        node.story,
                        node.numbering,
                    )
                });
                rows.collect::<Vec<_>>()
            };
            assert_eq!(said(&view), said(&fresh), "{name}");
            for (owner, span, id) in before {
                let owner = owner.expect("a part");
                let start = patch.map(&owner, span.start, Gravity::Right);
                let now = view
                    .places()
                    .find(|place| view.part_of(*place) == Some(&owner) && view.span(*place).start == start);
                assert_eq!(now.map(|place| view.id(place)), Some(id), "{name}");
            }
            content = after;
            edits += 1;
        }
    });
    println!("{edits} edits compared");
    assert_eq!(failed, Vec::<String>::new());
}

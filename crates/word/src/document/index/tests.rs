use std::sync::Arc;

use edit::{Blob, Content, Format, PartName, Patch};
use proptest::prelude::*;

use super::{Block, Part};
use crate::testing::{document, p, r};
use crate::{View, Word};

/// All that an index says, apart from ids and from how properties and scopes are numbered.
fn facts(view: &View) -> Vec<String> {
    let mut facts = Vec::new();
    for place in view.places() {
        let part = view.part(place).expect("a part");
        let index = place.index as usize;
        let boxed = part.paragraphs.boxed.get(index).expect("a box");
        let around: Vec<Block> = part.around(boxed).map(|(_, block)| block).collect();
        let boxes: Vec<String> = around
            .iter()
            .map(|block| {
                format!(
                    "{:?} {} {} {} {} {:?}",
                    block.kind, block.start, block.inner, block.inner_end, block.end, block.props
                )
            })
            .collect();
        let paragraph = view.paragraph(place).expect("reads");
        facts.push(format!(
            "{:?} {} {:?} in {boxes:?} {:?}",
            part.paragraphs.span(index),
            part.paragraphs.flags.get(index).expect("flags"),
            paragraph.properties,
            paragraph.text(crate::Side::Redline).text
        ));
        let spelled = paragraph.properties.clone().map(|span| paragraph.bytes(span).to_vec());
        assert_eq!(view.spelling(place), spelled.unwrap_or_default(), "properties of {place:?}");
    }
    facts
}

fn ids_are_unique(view: &View) {
    let mut ids: Vec<_> = view.places().map(|place| view.id(place)).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id stands for two paragraphs");
}

fn main_part(content: &Content) -> (PartName, String) {
    let name = PartName::new("word/document.xml");
    let blob = content.read(&name).expect("loads").expect("is there");
    (name, String::from_utf8(blob.bytes().into_owned()).expect("UTF-8"))
}

/// Applies a patch both ways and compares.
fn check(content: &Content, view: View, patch: &Patch) -> (Content, View) {
    let after = patch.apply(content).expect("applies");
    let carried = Word::view_after(view, patch, &after).expect("carries");
    let fresh = Word::view(&after).expect("reads");
    assert_eq!(facts(&carried), facts(&fresh));
    ids_are_unique(&carried);
    ids_are_unique(&fresh);
    let (name, source) = main_part(&after);
    let signed = source.contains("author=");
    assert!(!signed || carried.is_signed(&name), "an author is overlooked");
    assert_eq!(fresh.is_signed(&name), signed);
    (after, carried)
}

fn block() -> impl Strategy<Value = String> {
    let text = "[a-c <&]{0,6}";
    let paragraph = prop_oneof![
        text.prop_map(|text| p(&r(&text))),
        text.prop_map(|text| p(&format!("<w:pPr><w:jc w:val=\"center\"/></w:pPr>{}", r(&text)))),
        (text, "[0-9A-F]{6}")
            .prop_map(|(text, id)| { format!("<w:p w14:paraId=\"00{id}\">{}{}</w:p>", r(&text), r("more")) }),
        Just("<w:p/>".to_owned()),
        text.prop_map(|text| p(&format!(
            "<w:r><w:pict><v:textbox><w:txbxContent>{}{}</w:txbxContent></v:textbox></w:pict></w:r>{}",
            p(&r(&text)),
            p(&r("b")),
            r("host")
        ))),
        text.prop_map(|text| p(&format!("<w:ins w:id=\"7\" w:author=\"A\">{}</w:ins>", r(&text)))),
        Just(p("<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>")),
        Just(p("<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>")),
    ];
    paragraph.prop_recursive(3, 12, 3, |inner| {
        let cell = proptest::collection::vec(inner.clone(), 1..3)
            .prop_map(|blocks| format!("<w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>{}</w:tc>", blocks.concat()));
        let row = proptest::collection::vec(cell, 1..3).prop_map(|cells| format!("<w:tr>{}</w:tr>", cells.concat()));
        prop_oneof![
            proptest::collection::vec(row, 1..3)
                .prop_map(|rows| format!("<w:tbl><w:tblPr/><w:tblGrid/>{}</w:tbl>", rows.concat())),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|blocks| format!(
                "<w:sdt><w:sdtPr><w:tag w:val=\"t\"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
                blocks.concat()
            )),
            proptest::collection::vec(inner, 1..2).prop_map(|blocks| format!(
                "<mc:AlternateContent><mc:Choice Requires=\"wps\">{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>",
                blocks.concat()
            )),
        ]
    })
}

/// Places where whole blocks may be put in: before each paragraph and table, and at the ends of their boxes.
fn seams(part: &Part) -> Vec<usize> {
    let starts = part.paragraphs.start.iter().map(|start| start as usize);
    let ends = part.paragraphs.end.iter().map(|end| end as usize);
    let tables = part
        .boxes
        .iter()
        .filter(|block| matches!(block.kind, super::BoxKind::Table | super::BoxKind::Control));
    let mut all: Vec<usize> = starts.chain(ends).chain(tables.map(|block| block.start as usize)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[derive(Debug, Clone)]
enum Move {
    Insert(prop::sample::Index, String),
    Remove(prop::sample::Index),
    Retype(prop::sample::Index, String),
    Restyle(prop::sample::Index),
    RetypeMany(Vec<prop::sample::Index>, String),
    Unwrap(prop::sample::Index),
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        (any::<prop::sample::Index>(), block()).prop_map(|(at, block)| Move::Insert(at, block)),
        any::<prop::sample::Index>().prop_map(Move::Remove),
        (any::<prop::sample::Index>(), "[x-z]{0,5}").prop_map(|(at, text)| Move::Retype(at, text)),
        any::<prop::sample::Index>().prop_map(Move::Restyle),
        (proptest::collection::vec(any::<prop::sample::Index>(), 1..5), "[x-z]{0,5}")
            .prop_map(|(at, text)| Move::RetypeMany(at, text)),
        any::<prop::sample::Index>().prop_map(Move::Unwrap),
    ]
}

fn patch_for(view: &View, source: &str, name: &PartName, wanted: &Move) -> Patch {
    let part = view.part(view.places().next().expect("a paragraph")).expect("a part");
    let mut patch = Patch::new();
    let retype = |patch: &mut Patch, index: usize, text: &str| {
        let span = part.paragraphs.span(index);
        let run = source[span.clone()].find("<w:t xml:space=\"preserve\">").map(|at| span.start + at + 26);
        if let Some(from) = run.filter(|from| *from < span.end) {
            let to = from + source[from..].find("</w:t>").expect("closed");
            // Two choices of one paragraph are one splice.
            let _ = patch.splice(name, from..to, text);
        }
    };
    match wanted {
        Move::Insert(at, block) => {
            let seams = seams(part);
            patch.splice(name, at.get(&seams).to_owned()..*at.get(&seams), block.as_str()).expect("fits");
        }
        Move::Remove(at) => {
            let span = part.paragraphs.span(at.index(part.paragraphs.len()));
            if part.paragraphs.len() > 1 {
                patch.splice(name, span, "").expect("fits");
            }
        }
        Move::Retype(at, text) => retype(&mut patch, at.index(part.paragraphs.len()), text),
        Move::RetypeMany(at, text) => {
            for at in at {
                retype(&mut patch, at.index(part.paragraphs.len()), text);
            }
        }
        Move::Restyle(at) => {
            let span = part.paragraphs.span(at.index(part.paragraphs.len()));
            let tag = span.start + source[span.start..].find('>').expect("a tag") + 1;
            if source.as_bytes()[tag - 2] != b'/' {
                let from = source[tag..]
                    .starts_with("<w:pPr>")
                    .then(|| tag..tag + source[tag..].find("</w:pPr>").expect("closed") + 8);
                patch.splice(name, from.unwrap_or(tag..tag), "<w:pPr><w:keepNext/></w:pPr>").expect("fits");
            }
        }
        Move::Unwrap(at) => {
            let boxes: Vec<Block> =
                part.boxes.iter().filter(|block| block.kind == super::BoxKind::Control).collect();
            if !boxes.is_empty() {
                let block = at.get(&boxes);
                patch.splice(name, block.start as usize..block.inner as usize, "").expect("fits");
                patch.splice(name, block.inner_end as usize..block.end as usize, "").expect("fits");
            }
        }
    }
    patch
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn an_index_that_is_carried_is_the_index_that_is_read(
        blocks in proptest::collection::vec(block(), 1..6),
        moves in proptest::collection::vec(moves(), 1..8),
    ) {
        let mut content = document(&blocks.concat());
        let mut view = Word::view(&content).expect("reads");
        prop_assume!(view.places().next().is_some());
        for wanted in &moves {
            if view.places().next().is_none() {
                break;
            }
            let (name, source) = main_part(&content);
            let patch = patch_for(&view, &source, &name, wanted);
            let before: Vec<_> = view.places().map(|place| (view.span(place), view.id(place))).collect();
            let (next, carried) = check(&content, view, &patch);
            for (span, id) in before {
                // A paragraph that was left alone keeps its id.
                if let Some(moved) = patch.carry(&name, span)
                    && let Some(place) = carried.places().find(|place| carried.span(*place) == moved)
                {
                    prop_assert_eq!(carried.id(place), id);
                }
            }
            (content, view) = (next, carried);
        }
    }
}

#[test]
fn a_splice_through_the_root_is_read_from_scratch() {
    let content = document(&p(&r("a")));
    let view = Word::view(&content).expect("reads");
    let (name, source) = main_part(&content);
    let at = source.find(" xmlns:w14").expect("a declaration");
    let mut patch = Patch::new();
    patch.splice(&name, at..at, " xmlns:x=\"urn:x\"").expect("fits");
    check(&content, view, &patch);
}

#[test]
fn an_edit_that_breaks_the_part_is_refused() {
    let content = document(&p(&r("a")));
    let view = Word::view(&content).expect("reads");
    let (name, source) = main_part(&content);
    let mut patch = Patch::new();
    let at = source.find("</w:p>").expect("an end");
    patch.splice(&name, at..at + 6, "").expect("fits");
    let after = patch.apply(&content).expect("applies");
    assert!(Word::view_after(view, &patch, &after).is_err());
}

#[test]
fn parts_that_come_and_go_are_followed() {
    let content = document(&p(&r("a")));
    let view = Word::view(&content).expect("reads");
    let rels = PartName::new("word/_rels/document.xml.rels");
    let (main, source) = main_part(&content);
    let mut patch = Patch::new();
    let blob = content.read(&rels).expect("loads").expect("is there");
    let at = String::from_utf8(blob.bytes().into_owned()).expect("UTF-8").find("</Rel").expect("an end");
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes";
    patch
        .splice(&rels, at..at, format!("<Relationship Id=\"rId9\" Type=\"{kind}\" Target=\"notes.xml\"/>"))
        .expect("fits");
    let w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let notes = format!(
        "<w:footnotes xmlns:w=\"{w}\"><w:footnote w:id=\"1\">{}</w:footnote></w:footnotes>",
        p(&r("n"))
    );
    patch.put(&PartName::new("word/notes.xml"), Blob::from(Arc::new(notes.into_bytes())));
    let at = source.find("</w:t>").expect("a text");
    patch.splice(&main, at..at, "!").expect("fits");
    let (after, view) = check(&content, view, &patch);
    assert_eq!(crate::testing::lines(&view, crate::Side::Final), ["a!", "n"]);
    let undo = patch.invert(&content).expect("inverts");
    let (_, view) = check(&after, view, &undo);
    assert_eq!(crate::testing::lines(&view, crate::Side::Final), ["a"]);
}

/// A run, well formed, in one of the spellings that programs and mischief make.
fn spelled_run() -> impl Strategy<Value = String> {
    let name = prop_oneof![6 => Just("w"), 1 => Just("q")];
    let attributes = prop_oneof![
        3 => Just(""),
        2 => Just(" w:rsidR=\"00A77B3E\""),
        1 => Just(" xmlns:w=\"urn:x\""),
        1 => Just(" xmlns:q=\"urn:x\""),
    ];
    let properties = prop_oneof![
        3 => Just(""),
        3 => Just("<w:rPr><w:b/></w:rPr>"),
        1 => Just("<w:rPr/>"),
        1 => Just("<w:rPr><q:ins xmlns:q=\"urn:y\"/></w:rPr>"),
        1 => Just("<q:rPr><q:footnoteReference/></q:rPr>"),
        1 => Just("<w:bookmarkStart w:name=\"a\"/>"),
        1 => Just("<w:sym w:char=\"F0A7\"/>"),
    ];
    let text = prop_oneof![
        4 => Just("words"),
        1 => Just(""),
        1 => Just("xmlns"),
        1 => Just("<![CDATA[</w:t>]]>"),
        1 => Just("a<!-- </w:t> -->b"),
        1 => Just("<w:br/>"),
    ];
    (name, attributes, properties, text, 0u8..12).prop_map(|(name, attributes, properties, text, around)| {
        let run = format!(
            "<{name}:r{attributes}>{properties}<{name}:t xml:space=\"preserve\">{text}</{name}:t></{name}:r>"
        );
        match around {
            0 => format!("<w:ins w:id=\"1\">{run}</w:ins>"),
            1 => format!("{run}\n"),
            2 => format!("<w:r>{run}</w:r>"),
            3 => format!("<w:r><w:pict><w:txbxContent><w:p>{run}{run}</w:p></w:txbxContent></w:pict></w:r>"),
            _ => run,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]
    #[test]
    fn markup_that_was_walked_before_means_the_same(
        paragraphs in proptest::collection::vec(
            (proptest::collection::vec(spelled_run(), 0..7), any::<bool>(), 0usize..6), 1..6,
        ),
        damage in proptest::option::weighted(0.5, (any::<prop::sample::Index>(), 0usize..6)),
    ) {
        let w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let body: Vec<String> = paragraphs
            .into_iter()
            .map(|(runs, named, properties)| {
                let id = if named { " w14:paraId=\"0A0B0C0D\"" } else { "" };
                let properties = [
                    "",
                    "<w:pPr><w:jc w:val=\"left\"/></w:pPr>",
                    "<w:pPr><w:rPr><w:b/></w:rPr></w:pPr>",
                    "<w:pPr/>",
                    "<w:pPr><w:jc w:val=\"left\"/></w:pPr><w:pPr><w:keepNext/></w:pPr>",
                    "<q:pPr><q:r xmlns:q=\"urn:y\"/></q:pPr>",
                ][properties];
                format!("<w:p{id}>{properties}{}</w:p>", runs.concat())
            })
            .collect();
        let mut source =
            format!("<w:document xmlns:w=\"{w}\" xmlns:q=\"{w}\"><w:body>{}</w:body></w:document>", body.concat());
        if let Some((at, length)) = damage {
            let at = at.index(source.len());
            let end = source.len().min(at + length);
            source.replace_range(at..end, "");
        }
        let walked = |remembered: usize| {
            let mut spellings = super::Spellings::default();
            let scope = Arc::new(crate::document::names::Scope::default());
            format!("{:?}", super::blocks::walk(source.as_bytes(), 0, &scope, &mut spellings, remembered))
        };
        prop_assert_eq!(walked(super::between::MOST), walked(0));
        prop_assert_eq!(walked(1), walked(0));
    }
}

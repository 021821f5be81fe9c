use edit::{Blob, PartName};
use proptest::prelude::*;

use super::*;

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn part(body: &str) -> Part {
    let source = format!(r#"<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>"#);
    let name = PartName::new("word/document.xml");
    Part::read(name, Blob::from(source.into_bytes()), &mut Spellings::default()).unwrap()
}

/// The dominant properties of each paragraph, as written.
fn dominant(part: &Part, most: usize) -> Vec<String> {
    let mut dominant = Dominant::remembering(most);
    let numbers: Vec<u32> = (0..part.paragraphs.len()).map(|index| dominant.of(part, index)).collect();
    numbers.into_iter().map(|number| String::from_utf8(dominant.spelling(number).to_vec()).unwrap()).collect()
}

#[test]
fn most_characters_decide_and_the_first_of_equals() {
    let bold = "<w:rPr><w:b/></w:rPr>";
    let part = part(&format!(
        "<w:p><w:r>{bold}<w:t>ab</w:t></w:r><w:r><w:t>abc</w:t></w:r></w:p>\
         <w:p><w:r>{bold}<w:t>abc</w:t></w:r><w:r><w:t>abc</w:t></w:r></w:p>\
         <w:p><w:r>{bold}<w:t>ab</w:t><w:tab/><w:t>ab</w:t></w:r><w:r><w:t>abc</w:t></w:r></w:p>\
         <w:p/>"
    ));
    assert_eq!(dominant(&part, MOST), ["", bold, bold, ""]);
}

#[test]
fn what_is_deleted_does_not_count() {
    let part = part(
        "<w:p><w:del><w:r><w:rPr><w:i/></w:rPr><w:t>long enough</w:t></w:r></w:del><w:r><w:t>a</w:t></w:r></w:p>",
    );
    assert_eq!(dominant(&part, MOST), [""]);
}

#[test]
fn the_same_bytes_mean_something_else_where_a_prefix_does() {
    let runs = "<x:r><x:rPr><x:b/></x:rPr><x:t>ab</x:t></x:r>";
    let part = part(&format!(r#"<w:p xmlns:x="{W}">{runs}</w:p><w:p xmlns:x="urn:other">{runs}</w:p>"#));
    assert_eq!(dominant(&part, MOST), ["<x:rPr><x:b/></x:rPr>", ""]);
}

fn run() -> impl Strategy<Value = String> {
    let properties = prop_oneof![
        Just(""),
        Just("<w:rPr><w:b/></w:rPr>"),
        Just("<w:rPr><w:i/><w:rPrChange w:id=\"1\"><w:rPr><w:b/></w:rPr></w:rPrChange></w:rPr>"),
        Just("<w:rPr/>"),
    ];
    let text = prop_oneof![
        "[a-z &&[^&]]{0,6}".prop_map(|text| format!("<w:t>{text}</w:t>")),
        Just("<w:t>ab<!-- c -->d</w:t>".to_owned()),
        Just("<w:t>a<![CDATA[<b>]]>c</w:t>".to_owned()),
        Just("<w:t>ab</w:t><w:tab/><w:t xml:space=\"preserve\"> c</w:t>".to_owned()),
        Just("<w:t/>".to_owned()),
        Just("<w:instrText>PAGE</w:instrText>".to_owned()),
        Just(
            "<w:pict><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></w:pict>".to_owned()
        ),
    ];
    let around = prop_oneof![
        8 => Just(("", "")),
        1 => Just(("<w:ins w:id=\"1\">", "</w:ins>")),
        1 => Just(("<w:del w:id=\"1\">", "</w:del>")),
        1 => Just(("<w:p>", "</w:p> ")),
    ];
    (properties, text, around).prop_map(|(properties, text, (before, after))| {
        format!("{before}<w:r>{properties}{text}</w:r>{after}")
    })
}

proptest! {
    /// Remembering changes nothing but the time it takes.
    #[test]
    fn memory_makes_no_difference(
        paragraphs in prop::collection::vec((prop::collection::vec(run(), 0..5), prop::bool::ANY), 1..8),
    ) {
        let body: Vec<String> = paragraphs
            .iter()
            .map(|(runs, styled)| {
                let properties = if *styled { "<w:pPr><w:rPr><w:u/></w:rPr></w:pPr>" } else { "" };
                format!("<w:p>{properties}{}</w:p>", runs.concat())
            })
            .collect();
        let part = part(&body.concat());
        let walked = dominant(&part, 0);
        prop_assert_eq!(dominant(&part, MOST), walked.clone());
        prop_assert_eq!(dominant(&part, 2), walked);
    }
}

//! Random edits of random small documents, as the fuzzer makes them, in every test run.

use edit::{Blob, Content, Format, PartName};
use proptest::prelude::*;
use word::{
    DeleteParagraph, Edit, InsertParagraphs, Markup, Position, ReplaceText, Resolution, ResolveChanges, Side,
    View, Which, Word,
};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn run() -> impl Strategy<Value = String> {
    ("[a-c é&<]{1,8}", 0..3usize).prop_map(|(text, look)| {
        let look = ["", "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:i/><w:u w:val=\"single\"/></w:rPr>"][look];
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        format!("<w:r>{look}<w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    })
}

fn inline() -> impl Strategy<Value = String> {
    (run(), 0..12u8).prop_map(|(run, kind)| {
        let by = |author: &str| format!("w:id=\"ID\" w:author=\"{author}\" w:date=\"2024-01-01T00:00:00Z\"");
        let deleted = run.replace("<w:t ", "<w:delText ").replace("</w:t>", "</w:delText>");
        match kind {
            0 => format!("<w:ins {}>{run}</w:ins>", by("Tester")),
            1 => format!("<w:ins {}>{run}</w:ins>", by("Other")),
            2 => format!("<w:del {}>{deleted}</w:del>", by("Other")),
            3 => format!("<w:hyperlink w:anchor=\"x\">{run}</w:hyperlink>"),
            4 => format!("<w:sdt><w:sdtPr/><w:sdtContent>{run}</w:sdtContent></w:sdt>"),
            5 => "<w:r><w:tab/></w:r>".to_owned(),
            6 => format!("<w:bookmarkStart w:id=\"ID\" w:name=\"b\"/>{run}"),
            7 => format!("<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>REF a</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{run}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"),
            _ => run,
        }
    })
}

fn paragraph() -> impl Strategy<Value = String> {
    (proptest::collection::vec(inline(), 0..5), 0..8u8).prop_map(|(inner, mark)| {
        let by = "w:id=\"ID\" w:author=\"Other\" w:date=\"2024-01-01T00:00:00Z\"";
        let properties = match mark {
            0 => format!("<w:pPr><w:rPr><w:ins {by}/></w:rPr></w:pPr>"),
            1 => format!("<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:del {by}/></w:rPr></w:pPr>"),
            2 => "<w:pPr><w:jc w:val=\"right\"/></w:pPr>".to_owned(),
            _ => String::new(),
        };
        format!("<w:p>{properties}{}</w:p>", inner.concat())
    })
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => paragraph(),
        1 => (paragraph(), paragraph()).prop_map(|(a, b)| {
            format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>{a}</w:tc><w:tc><w:tcPr/>{b}</w:tc></w:tr></w:tbl>")
        }),
    ]
}

fn document() -> impl Strategy<Value = Content> {
    (proptest::collection::vec(block(), 0..4), paragraph()).prop_map(|(blocks, last)| {
        let mut body = format!("{}{last}", blocks.concat());
        let mut id = 0;
        while let Some(at) = body.find("\"ID\"") {
            id += 1;
            body.replace_range(at..at + 4, &format!("\"{id}\""));
        }
        let mut content = Content::new();
        let mut put = |name: &str, text: String| content.insert(PartName::new(name), Blob::from(text));
        put(
            "word/document.xml",
            format!("<w:document xmlns:w=\"{W}\"><w:body>{body}<w:sectPr/></w:body></w:document>"),
        );
        put("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>".to_owned());
        put("_rels/.rels", "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>".to_owned());
        content
    })
}

/// More of them with `PROPTEST_CASES`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(192)
}

fn lines(view: &View, side: Side) -> Vec<String> {
    view.places().map(|place| view.paragraph(place).expect("reads").text(side).text).collect()
}

fn resolve(content: &Content, resolution: Resolution, which: Which) -> View {
    let edit = Edit::ResolveChanges(ResolveChanges { resolution, which });
    testkit::check::<Word>(content, &[edit]).expect("resolved").view
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn a_tracked_edit_is_the_plain_one_once_accepted_and_nothing_once_rejected(
        content in document(), which in any::<prop::sample::Index>(), cut in (0..40usize, 0..40usize),
        new in "[a-d é]{0,10}", kind in 0..3u8,
    ) {
        let view = Word::view(&content).expect("viewed");
        let places: Vec<_> = view.places().collect();
        let place = *which.get(&places);
        let text = view.paragraph(place).expect("reads").text(Side::Final).text;
        let bound = |at: usize| (0..=at % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (a, b) = (bound(cut.0), bound(cut.1));
        let paragraph = view.id(place);
        let edit = |markup| match kind {
            0 => Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup }),
            1 => Edit::InsertParagraphs(InsertParagraphs {
                anchor: paragraph, position: if cut.0 % 2 == 0 { Position::Before } else { Position::After },
                text: format!("{new}x\n\ny"), style_source: None, markup,
            }),
            _ => Edit::ReplaceText(ReplaceText {
                paragraph, old: text[a.min(b)..a.max(b)].to_owned(), new: new.clone(), expect: None, markup,
                clear_highlight: false,
            }),
        };
        let plain = testkit::check::<Word>(&content, &[edit(Markup::Plain)]);
        let tracked = testkit::check::<Word>(&content, &[edit(Markup::Tracked)]);
        prop_assert_eq!(plain.is_ok(), tracked.is_ok());
        let (Ok(plain), Ok(tracked)) = (plain, tracked) else { return Ok(()) };
        for done in [&plain, &tracked] {
            prop_assert_eq!(word::new_problems(&content, &done.content).expect("linted"), []);
        }
        if kind == 2 {
            prop_assert_eq!(lines(&tracked.view, Side::Final), lines(&plain.view, Side::Final));
            // What others proposed is still there, and all of the original with it.
            prop_assert_eq!(lines(&tracked.view, Side::Original).concat(), lines(&view, Side::Original).concat());
        }
        if kind == 1 {
            let mine = Which::Author("Tester".to_owned());
            let before = resolve(&content, Resolution::Reject, mine.clone());
            let after = resolve(&tracked.content, Resolution::Reject, mine);
            prop_assert_eq!(lines(&after, Side::Final), lines(&before, Side::Final));
        }
        // Resolving everything leaves nothing to resolve, and a document that is whole.
        for resolution in [Resolution::Accept, Resolution::Reject] {
            let resolved = resolve(&tracked.content, resolution, Which::All);
            prop_assert_eq!(word::changes(&resolved).expect("listed"), []);
            prop_assert_eq!(word::new_problems(&content, resolved.content()).expect("linted"), []);
        }
    }
}

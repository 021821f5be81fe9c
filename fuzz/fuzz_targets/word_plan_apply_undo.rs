//! Random edits of random paragraphs: each is refused, or it obeys the laws and brings no new problem.
#![no_main]

use edit::{Blob, Content, Format, PartName};
use libfuzzer_sys::fuzz_target;
use word::{
    AddComment, DeleteParagraph, Edit, InsertParagraphs, Markup, Position, ReplaceText, Resolution, ResolveChanges,
    Side, Which, Word,
};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fuzz_target!(|input: &[u8]| {
    let (shape, choices) = input.split_at(input.len() / 2);
    let content = document(shape);
    let Ok(view) = Word::view(&content) else { return };
    let mut choices = choices.iter().copied();
    let mut next = move || usize::from(choices.next().unwrap_or_default());
    let places: Vec<_> = view.places().collect();
    if places.is_empty() {
        return;
    }
    let place = places[next() % places.len()];
    let paragraph = view.id(place);
    let text = view.paragraph(place).expect("reads").text(Side::Final).text;
    let bound = |wanted: usize| (0..=wanted % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (a, b) = (bound(next()), bound(next()));
    let old = text[a.min(b)..a.max(b)].to_owned();
    let new = ["", "x", " new words", "<b>bold</b>", "a\tb\nc", "\"T\" means u", "one\n\ntwo", "<i>"][next() % 8].to_owned();
    let markup = if next() % 2 == 0 { Markup::Plain } else { Markup::Tracked };
    let edit = match next() % 6 {
        0 | 1 => Edit::ReplaceText(ReplaceText { paragraph, old, new, expect: None, markup }),
        2 => {
            let position = if next() % 2 == 0 { Position::Before } else { Position::After };
            Edit::InsertParagraphs(InsertParagraphs { anchor: paragraph, position, text: new, style_source: None, markup })
        }
        3 => Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup }),
        4 => Edit::AddComment(AddComment { paragraph, quote: Some(old), text: new }),
        _ => {
            let resolution = if next() % 2 == 0 { Resolution::Accept } else { Resolution::Reject };
            Edit::ResolveChanges(ResolveChanges { resolution, which: Which::All })
        }
    };
    if let Ok(done) = testkit::check::<Word>(&content, &[edit]) {
        let new = word::new_problems(&content, &done.content).expect("linted");
        assert!(new.is_empty(), "{new:?}");
    }
});

fn document(shape: &[u8]) -> Content {
    let mut body = String::from("<w:p>");
    let mut ids = 0;
    for byte in shape {
        ids += 1;
        let by = format!("w:id=\"{ids}\" w:author=\"{}\" w:date=\"2024-01-01T00:00:00Z\"", if byte & 64 == 0 { "Tester" } else { "Other" });
        let word = ["alpha", "beta ", " gamma", "&amp;", "d\u{e9}", " "][usize::from(byte >> 3) % 6];
        let run = format!("<w:r><w:t xml:space=\"preserve\">{word}</w:t></w:r>");
        body += &match byte % 16 {
            0 | 1 => "</w:p><w:p>".to_owned(),
            2 => format!("<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">{word}</w:t></w:r>"),
            3 => format!("<w:ins {by}>{run}</w:ins>"),
            4 => format!("<w:del {by}><w:r><w:delText>{word}</w:delText></w:r></w:del>"),
            5 => format!("<w:hyperlink w:anchor=\"x\">{run}</w:hyperlink>"),
            6 => format!("<w:bookmarkStart w:id=\"{ids}\" w:name=\"b{ids}\"/>{run}<w:bookmarkEnd w:id=\"{ids}\"/>"),
            7 => format!("<w:r><w:fldChar w:fldCharType=\"begin\"/><w:instrText>REF a</w:instrText><w:fldChar w:fldCharType=\"separate\"/></w:r>{run}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"),
            8 => format!("</w:p><w:p><w:pPr><w:rPr><w:ins {by}/></w:rPr></w:pPr><w:ins {by}>{run}</w:ins>"),
            9 => format!("</w:p><w:p><w:pPr><w:jc w:val=\"left\"/><w:rPr><w:del {by}/></w:rPr></w:pPr>{run}"),
            10 => format!("</w:p><w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/><w:p>{run}</w:p></w:tc></w:tr></w:tbl><w:p>"),
            11 => format!("<w:sdt><w:sdtPr><w:lock w:val=\"{}\"/></w:sdtPr><w:sdtContent>{run}</w:sdtContent></w:sdt>", if byte & 128 == 0 { "unlocked" } else { "sdtContentLocked" }),
            12 => "<w:r><w:tab/><w:br/><w:noBreakHyphen/></w:r>".to_owned(),
            13 => format!("<w:fldSimple w:instr=\"PAGE\">{run}</w:fldSimple>"),
            _ => run,
        };
    }
    body += "</w:p>";
    let mut content = Content::new();
    let mut put = |name: &str, text: String| content.insert(PartName::new(name), Blob::from(text));
    put("word/document.xml", format!("<w:document xmlns:w=\"{W}\"><w:body>{body}<w:sectPr/></w:body></w:document>"));
    put("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>".to_owned());
    put("_rels/.rels", "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>".to_owned());
    content
}

//! Headers and footers.

use super::*;
use crate::testing::document_with;

fn set(content: &Content, edge: Edge, pages: Pages, text: &str) -> Result<Checked<Word>, Refusal> {
    let (section, markup) = (1, Markup::Plain);
    check(content, Edit::SetRunningText(SetRunningText { edge, pages, section, text: text.into(), markup }))
}

fn said(checked: &Checked<Word>, story: crate::Story) -> Vec<String> {
    let view = &checked.view;
    view.story(story).map(|place| view.paragraph(place).expect("read").text(Side::Final).text).collect()
}

#[test]
fn a_header_holds_as_many_paragraphs_as_it_is_given() {
    let before = with_header(&(p(&r("Acme Ltd")) + &p("") + &p(&r("Confidential"))));
    for (text, wanted) in [
        ("One line", &["", "One line"][..]),
        ("Acme Inc\n\nSecret", &["Acme Inc", "", "Secret"]),
        ("Acme Inc\n\nSecret\n\n<i>Draft</i>", &["Acme Inc", "", "Secret", "Draft"]),
        ("", &["", ""]),
    ] {
        for markup in [Markup::Plain, Markup::Tracked] {
            let (edge, pages, section) = (Edge::Header, Pages::Default, 1);
            let edit = SetRunningText { edge, pages, section, text: text.into(), markup };
            let mut done = check(&before, Edit::SetRunningText(edit)).expect("set");
            sound(&before, &done.content);
            if markup == Markup::Tracked {
                let accept = ResolveChanges { resolution: Resolution::Accept, which: crate::Which::All };
                done = check(&done.content, Edit::ResolveChanges(accept)).expect("accepted");
            }
            assert_eq!(said(&done, crate::Story::Header(1)), wanted, "{text}");
        }
    }
    let made =
        set(&document(&p(&r("body"))), Edge::Footer, Pages::Default, "Acme\n\nPage {PAGE}").expect("made");
    assert_eq!(said(&made, crate::Story::Footer(1)), ["Acme", "Page 1"]);
}

fn with_header(header: &str) -> Content {
    let mut before = document_with(&p(&r("body")), &[("header1", header)]);
    let main = part(&before, "word/document.xml");
    let referred = main
        .replace("<w:sectPr/>", "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr>");
    before.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(referred));
    before
}

#[test]
fn page_numbers_take_the_place_of_what_a_footer_said_and_go_with_it() {
    let field = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let numbered = with_header(&p(&(rr("<w:i/>", "Page ") + field)));
    let plain = with_header(&(p(&rr("<w:i/>", "Acme Ltd")) + &p(&r("Confidential"))));
    for (before, text, wanted) in [
        (&plain, "Page {PAGE} of {NUMPAGES}", &["Page 1 of 1"][..]),
        (&plain, "Acme\n\nSecret\n\nPage {PAGE}", &["Acme", "Secret", "Page 1"]),
        (&numbered, "Page {PAGE} of {NUMPAGES}", &["Page 1 of 1"]),
        (&numbered, "Draft", &["Draft"]),
    ] {
        for markup in [Markup::Plain, Markup::Tracked] {
            let (edge, pages, section) = (Edge::Header, Pages::Default, 1);
            let edit = SetRunningText { edge, pages, section, text: text.into(), markup };
            let mut done = check(before, Edit::SetRunningText(edit)).expect("set");
            sound(before, &done.content);
            if markup == Markup::Tracked {
                let reject = ResolveChanges { resolution: Resolution::Reject, which: crate::Which::All };
                let back = check(&done.content, Edit::ResolveChanges(reject)).expect("rejected");
                let old = View::read(before).expect("viewed");
                assert_eq!(lines(&back.view, Side::Final), lines(&old, Side::Final), "{text}");
                let accept = ResolveChanges { resolution: Resolution::Accept, which: crate::Which::All };
                done = check(&done.content, Edit::ResolveChanges(accept)).expect("accepted");
            }
            assert_eq!(said(&done, crate::Story::Header(1)), wanted, "{text}");
            assert!(text == "Draft" || part(&done.content, "word/header1.xml").contains(" PAGE "));
        }
    }
    let kept = set(&plain, Edge::Header, Pages::Default, "Page {PAGE}").expect("set");
    let header = part(&kept.content, "word/header1.xml");
    assert!(header.contains("<w:fldChar") && !header.contains("Acme"), "{header}");
}

/// Two sections, each with these references.
fn two_sections(first: &str, second: &str, parts: &[(&str, &str)]) -> Content {
    let body = p(&r("one")) + &p(&format!("<w:pPr><w:sectPr>{first}</w:sectPr></w:pPr>")) + &p(&r("two"));
    let mut before = document_with(&body, parts);
    let main = part(&before, "word/document.xml");
    let referred = main.replace("<w:sectPr/>", &format!("<w:sectPr>{second}</w:sectPr>"));
    before.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(referred));
    before
}

fn reference(pages: &str, id: usize) -> String {
    format!("<w:headerReference w:type=\"{pages}\" r:id=\"rId{id}\"/>")
}

#[test]
fn a_header_that_two_sections_share_changes_in_the_one_that_is_named() {
    let header = "<w:p w14:paraId=\"00000001\"><w:bookmarkStart w:id=\"1\" w:name=\"top\"/><w:r><w:rPr><w:b/></w:rPr>\
        <w:t>Acme Ltd</w:t></w:r><w:bookmarkEnd w:id=\"1\"/></w:p>";
    let before = two_sections(&reference("default", 1), &reference("default", 1), &[("header1", header)]);
    for markup in [Markup::Plain, Markup::Tracked] {
        let (edge, pages, section, text) = (Edge::Header, Pages::Default, 2, "Acme Inc".into());
        let edit = SetRunningText { edge, pages, section, text, markup };
        let done = check(&before, Edit::SetRunningText(edit)).expect("set");
        sound(&before, &done.content);
        assert_eq!(part(&done.content, "word/header1.xml"), part(&before, "word/header1.xml"));
        assert_eq!(said(&done, crate::Story::Header(2)), ["Acme Inc"]);
        let copy = part(&done.content, "word/header2.xml");
        assert!(copy.contains("<w:b/>") && !copy.contains("bookmark") && !copy.contains("paraId"), "{copy}");
        let main = part(&done.content, "word/document.xml");
        assert!(main.contains(&reference("default", 1)) && main.contains(&reference("default", 2)), "{main}");
        let Outcome::Inserted { paragraphs } = done.outcomes.first().expect("one") else {
            panic!("{:?}", done.outcomes)
        };
        let place = done.view.story(crate::Story::Header(2)).next().expect("a paragraph");
        assert_eq!(paragraphs, &[done.view.id(place)]);
    }
}

#[test]
fn it_is_told_which_other_pages_change_with_a_header() {
    let before = two_sections(&reference("default", 1), "", &[("header1", &p(&r("Acme")))]);
    let view = View::read(&before).expect("views");
    let notes = |edge, pages| {
        let (section, text, markup) = (1, "Other".into(), Markup::Plain);
        let edit = Edit::SetRunningText(SetRunningText { edge, pages, section, text, markup });
        let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
        planned.step.notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("; ")
    };
    let heirs = notes(Edge::Header, Pages::Default);
    assert_eq!(heirs, "section 2 has no header of its own and shows this one too");
    let cover = notes(Edge::Footer, Pages::First);
    assert!(cover.contains("now has a header of its own too, which is empty"), "{cover}");
    let even = notes(Edge::Header, Pages::Even);
    assert!(even.contains("in every section"), "{even}");
}

fn in_section(
    content: &Content,
    section: usize,
    text: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    let (edge, pages) = (Edge::Header, Pages::Default);
    check(content, Edit::SetRunningText(SetRunningText { edge, pages, section, text: text.into(), markup }))
}

fn resolved(content: &Content, resolution: Resolution) -> Checked<Word> {
    let all = ResolveChanges { resolution, which: crate::Which::All };
    check(content, Edit::ResolveChanges(all)).expect("resolved")
}

const LOGO: &str = "<w:r><w:drawing><wp:inline><wp:extent cx=\"9\" cy=\"9\"/><wp:docPr id=\"1\" name=\"Logo\" descr=\"Acme\"/>\
    <a:graphic xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><a:blip r:embed=\"rId1\"/></a:graphic>\
    </wp:inline></w:drawing></w:r>";
const PAGE: &str = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>\
    <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";

/// The picture that `LOGO` shows.
fn with_logo(mut content: Content) -> Content {
    let rels = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/image\" \
        Target=\"media/image1.png\"/></Relationships>";
    let types = part(&content, "[Content_Types].xml")
        .replace("<Override", "<Default Extension=\"png\" ContentType=\"image/png\"/><Override");
    for (name, bytes) in [
        ("word/_rels/header1.xml.rels", rels),
        ("word/media/image1.png", "a picture"),
        ("[Content_Types].xml", &types),
    ] {
        content.insert(edit::PartName::new(name), edit::Blob::from(bytes.to_owned()));
    }
    content
}

#[test]
fn a_section_that_shows_the_header_of_another_gets_one_that_looks_the_same() {
    let header = p(&(LOGO.to_owned() + &rr("<w:b/>", "Acme Ltd")));
    let before = with_logo(two_sections(&reference("default", 1), "", &[("header1", &header)]));
    for markup in [Markup::Plain, Markup::Tracked] {
        let done = in_section(&before, 2, "Acme Inc", markup).expect("set");
        sound(&before, &done.content);
        assert_eq!(part(&done.content, "word/header1.xml"), part(&before, "word/header1.xml"));
        let copy = part(&done.content, "word/header2.xml");
        assert!(copy.contains("r:embed=\"rId1\"") && copy.contains("<w:b/>"), "{copy}");
        assert_eq!(said(&resolved(&done.content, Resolution::Accept), crate::Story::Header(2)), ["Acme Inc"]);
        let rels = |n: usize| part(&done.content, &format!("word/_rels/header{n}.xml.rels"));
        assert_eq!(rels(1), rels(2));
        assert_eq!(done.content.names().filter(|name| name.as_str().contains("media/")).count(), 1);
        let main = part(&done.content, "word/document.xml");
        assert!(
            main.contains(&format!("<w:sectPr>{}</w:sectPr></w:body>", reference("default", 2))),
            "{main}"
        );
        let Outcome::Inserted { paragraphs } = done.outcomes.first().expect("one") else {
            panic!("{:?}", done.outcomes)
        };
        let place = done.view.story(crate::Story::Header(2)).next().expect("a paragraph");
        assert_eq!(paragraphs, &[done.view.id(place)]);
    }
}

#[test]
fn a_logo_stays_when_the_text_beside_it_is_set() {
    let text_box = "<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>Seal</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>";
    let both = LOGO.replace("</w:r>", "<w:t>Acme Ltd</w:t></w:r>");
    for (header, text, wanted) in [
        (p(&(LOGO.to_owned() + &r("Acme Ltd"))), "New", &["New"][..]),
        (p(&(r("Acme") + LOGO + &r("Ltd"))), "New", &["New"]),
        (p(LOGO), "New", &["New"]),
        (p(LOGO) + &p(""), "New", &["", "New"]),
        (p(LOGO) + &p(&r("Acme")), "New", &["", "New"]),
        (p(&(LOGO.to_owned() + &r("Acme"))) + &p(&r("Secret")), "New", &["", "New"]),
        (p(&(LOGO.to_owned() + &r("Page ") + PAGE)), "New", &["New"]),
        (p(&(r("Page ") + PAGE + LOGO)), "New", &["New"]),
        (p(&(LOGO.to_owned() + &r("Acme"))), "Page {PAGE}", &["Page 1"]),
        (p(LOGO), "One\n\nPage {PAGE}", &["One", "Page 1"]),
        (p(&both), "New", &["New"]),
        (p(&(both.clone() + PAGE)), "New", &["New"]),
        (p(&(text_box.to_owned() + PAGE)), "One\n\nTwo", &["One", "Seal", "Two"]),
    ] {
        let before = with_logo(with_header(&header));
        for markup in [Markup::Plain, Markup::Tracked] {
            let done = match in_section(&before, 1, text, markup) {
                Ok(done) => done,
                // A run that is a picture and text at once is not tracked in part.
                Err(Refusal::Unsafe { why, .. }) if markup == Markup::Tracked && header.contains(&both) => {
                    assert!(why.contains("a picture"), "{why}");
                    continue;
                }
                Err(refusal) => panic!("{header}: {refusal}"),
            };
            sound(&before, &done.content);
            let accepted = resolved(&done.content, Resolution::Accept);
            assert_eq!(said(&accepted, crate::Story::Header(1)), wanted, "{header}");
            let after = part(&accepted.content, "word/header1.xml");
            assert!(after.contains("wp:docPr") || after.contains("Seal"), "{after}");
            assert!(text.contains("PAGE") || !after.contains("fldChar"), "{after}");
            if markup == Markup::Tracked {
                let back = resolved(&done.content, Resolution::Reject);
                let old = View::read(&before).expect("viewed");
                assert_eq!(lines(&back.view, Side::Final), lines(&old, Side::Final), "{header}");
            }
        }
    }
}

#[test]
fn texts_of_a_table_in_a_header_are_set_one_for_one() {
    let cell = |text: &str| format!("<w:tc><w:tcPr/>{}</w:tc>", p(&r(text)));
    let table = format!(
        "<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{}{}</w:tr></w:tbl>",
        cell("Acme Ltd"),
        cell("Confidential")
    );
    let before = two_sections(&reference("default", 1), "", &[("header1", &(table + &p("")))]);
    let Err(Refusal::Unsafe { why, instead: Some(instead) }) = in_section(&before, 2, "Draft", Markup::Plain)
    else {
        panic!("not refused");
    };
    assert!(why.starts_with("section 2 shows the header of section 1, and"), "{why}");
    assert!(instead.contains("2 paragraphs") && instead.contains("`Acme Ltd`, `Confidential`"), "{instead}");
    assert!(instead.ends_with("which are shown in section 1 too"), "{instead}");
    for markup in [Markup::Plain, Markup::Tracked] {
        let done = in_section(&before, 2, "Acme Inc\n\nPage {PAGE}", markup).expect("set");
        sound(&before, &done.content);
        let done = resolved(&done.content, Resolution::Accept);
        assert_eq!(said(&done, crate::Story::Header(1)), ["Acme Ltd", "Confidential", ""]);
        assert_eq!(said(&done, crate::Story::Header(2)), ["Acme Inc", "Page 1", ""]);
    }
}

#[test]
fn a_reference_to_a_header_that_is_lost_is_the_one_that_is_mended() {
    let lost = |body: &str, rows: &str| {
        let mut before = two_sections(&reference("default", 1), body, &[("header1", &p(&r("Acme")))]);
        let rels = part(&before, "word/_rels/document.xml.rels")
            .replace("</Relationships>", &format!("{rows}</Relationships>"));
        before.insert(edit::PartName::new("word/_rels/document.xml.rels"), edit::Blob::from(rels));
        before
    };
    let row = "<Relationship Id=\"rId7\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/header\" \
        Target=\"header2.xml\"/>";
    let nameless = "<w:headerReference w:type=\"default\"/>";
    for (references, rows) in [
        (reference("default", 7), row),
        (reference("default", 7), ""),
        (nameless.to_owned(), ""),
        (reference("default", 7) + &reference("default", 8), row),
        (reference("default", 7) + &reference("first", 7), row),
    ] {
        let before = lost(&references, rows);
        let done = in_section(&before, 2, "Draft", Markup::Plain).expect("set");
        let main = part(&done.content, "word/document.xml");
        let second = main.rsplit_once("<w:sectPr>").expect("a section").1;
        assert_eq!(second.matches("w:type=\"default\"").count(), 1, "{second}");
        let rels = part(&done.content, "word/_rels/document.xml.rels");
        // Another reference still names the lost one, which must not come to show this text.
        let named = references.contains("first");
        assert_eq!(rels.contains("rId7"), named && rows == row, "{rels}");
        assert_eq!(said(&done, crate::Story::Header(2)), ["Draft"]);
        assert_eq!(said(&done, crate::Story::Header(1)), ["Acme"]);
        let problems = crate::lint(&done.content);
        assert!(named || !format!("{problems:?}").contains("header"), "{problems:?}");
    }
}

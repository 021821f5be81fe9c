use super::*;
use crate::testing::{document_with, lines, p, r, rr, view};
use crate::{View, Word};
use edit::Format;

fn only(inner: &str) -> Paragraph {
    let view = view(&p(inner));
    let place = view.body().next().expect("a paragraph");
    view.paragraph(place).expect("reads")
}

fn text(inner: &str) -> String {
    only(inner).text(Side::Final).text
}

#[test]
fn the_bytes_behind_each_character_are_known() {
    let paragraph = only("<w:r><w:t>a &lt; b &amp; &#x20AC;1</w:t></w:r><w:r><w:tab/><w:t>plain</w:t></w:r>");
    let text = paragraph.text(Side::Final);
    assert_eq!(text.text, "a < b & €1\tplain");
    for piece in &text.pieces {
        if piece.kind != PieceKind::Characters {
            continue;
        }
        let said = &text.text[piece.range.clone()];
        for (at, character) in said.char_indices() {
            let from = paragraph.source_of(piece.atom, at).expect("a boundary");
            let to = paragraph.source_of(piece.atom, at + character.len_utf8()).expect("a boundary");
            let raw = String::from_utf8(paragraph.bytes(from..to).to_vec()).expect("UTF-8");
            assert_eq!(ooxml::xml::decode_text(&raw), character.to_string());
        }
    }
    assert_eq!(paragraph.source_of(text.pieces[0].atom, 9), None, "inside the euro sign");
}

#[test]
fn blanks_count_only_where_the_file_says_so() {
    assert_eq!(text("<w:r><w:t> a </w:t></w:r><w:r><w:t xml:space=\"preserve\"> b </w:t></w:r>"), "a b ");
    assert_eq!(text("<w:r><w:t>a\nb</w:t></w:r>"), "a b");
    assert_eq!(text("<w:r><w:t>a<!-- no -->b<![CDATA[<c>]]></w:t></w:r>"), "ab<c>");
}

#[test]
fn elements_that_are_characters_read_as_such() {
    let all = "<w:r><w:t>a</w:t><w:tab/><w:br/><w:br w:type=\"page\"/><w:noBreakHyphen/><w:softHyphen/><w:cr/>\
               <w:sym w:font=\"Wingdings\" w:char=\"F0E0\"/></w:r>";
    assert_eq!(text(all), "a\t\n\u{C}\u{2011}\u{AD}\n→");
}

#[test]
fn revisions_have_two_sides() {
    let paragraph = only(&format!(
        "{}<w:del w:id=\"1\" w:author=\"Ann\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:delText>old</w:delText></w:r></w:del>\
         <w:ins w:id=\"2\" w:author=\"Bob\">{}<w:del w:id=\"3\" w:author=\"Cy\"><w:r><w:delText>x</w:delText></w:r></w:del></w:ins>",
        r("A "),
        r("new")
    ));
    assert_eq!(paragraph.text(Side::Final).text, "A new");
    assert_eq!(paragraph.text(Side::Original).text, "A old");
    assert_eq!(paragraph.text(Side::Redline).text, "A oldnewx");
    let authors: Vec<&str> = paragraph
        .wraps
        .iter()
        .filter_map(|wrap| match &wrap.kind {
            WrapKind::Inserted(revision) | WrapKind::Deleted(revision) => Some(revision.author.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(authors, ["Ann", "Bob", "Cy"]);
}

fn field(kind: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>")
}

fn instruction(text: &str) -> String {
    format!("<w:r><w:instrText xml:space=\"preserve\">{text}</w:instrText></w:r>")
}

#[test]
fn of_a_field_its_result_is_read_also_when_nested() {
    let inner = [field("begin"), instruction("REF a"), field("separate"), r("hidden"), field("end")].concat();
    let paragraph = only(
        &[
            r("see "),
            field("begin"),
            instruction(" IF "),
            inner,
            instruction(" = 1 "),
            field("separate"),
            r("shown"),
            field("end"),
            r("."),
        ]
        .concat(),
    );
    assert_eq!(paragraph.text(Side::Final).text, "see shown.");
    assert_eq!(paragraph.fields.len(), 2);
    assert_eq!(paragraph.fields[0].instruction, " IF  = 1 ");
    assert_eq!(paragraph.fields[1].parent, Some(0));
    assert_eq!(text("<w:fldSimple w:instr=\"PAGE\"><w:r><w:t>7</w:t></w:r></w:fldSimple>"), "7");
}

#[test]
fn a_field_over_several_paragraphs_hides_what_is_in_its_instruction() {
    let body = [
        p(&[r("a"), field("begin"), instruction("TOC")].concat()),
        p(&r("not shown")),
        p(&[field("separate"), r("entry 1")].concat()),
        p(&r("entry 2")),
        p(&[field("end"), r("z")].concat()),
        p(&[r("b"), field("begin"), instruction("never closed")].concat()),
        p(&r("still here")),
    ]
    .concat();
    let seen = lines(&view(&body), Side::Final);
    assert_eq!(seen, ["a", "", "entry 1", "entry 2", "z", "b", "still here"]);
}

#[test]
fn a_text_box_is_read_once_and_apart() {
    let shape = format!("<w:txbxContent>{}</w:txbxContent>", p(&r("in the box")));
    let body = p(&format!(
        "{}<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:anchor><wp:docPr id=\"1\" descr=\"a box\"/>\
         <wps:txbx>{shape}</wps:txbx></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{shape}</v:textbox></w:pict>\
         </mc:Fallback></mc:AlternateContent></w:r>{}",
        r("before "),
        r("after")
    ));
    let view = view(&body);
    assert_eq!(lines(&view, Side::Final), ["before after", "in the box"]);
    let host = view.paragraph(view.body().next().expect("first")).expect("reads");
    assert!(
        host.atoms.iter().any(|atom| atom.kind == AtomKind::Drawing { alt: "a box".into(), text_box: true })
    );
}

#[test]
fn a_branch_for_something_newer_leaves_the_fallback_to_be_read() {
    let inner = format!(
        "<mc:AlternateContent><mc:Choice Requires=\"future\">{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>",
        r("no"),
        r("yes")
    );
    assert_eq!(text(&inner), "yes");
}

#[test]
fn wraps_are_transparent_and_known() {
    let inner = format!(
        "<w:hyperlink r:id=\"rId4\" w:anchor=\"x\">{}</w:hyperlink><w:sdt><w:sdtPr><w:alias w:val=\"Name\"/><w:tag w:val=\"n\"/>\
         <w:lock w:val=\"contentLocked\"/><w:text/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt><w:smartTag>{}</w:smartTag>",
        r("link "),
        r("control "),
        rr("<w:b/>", "tag")
    );
    let paragraph = only(&inner);
    assert_eq!(paragraph.text(Side::Final).text, "link control tag");
    let WrapKind::Control(control) = &paragraph.wraps[1].kind else { panic!("a control") };
    assert_eq!((control.title.as_deref(), control.tag.as_deref()), (Some("Name"), Some("n")));
    assert_eq!((control.lock, control.kind), (Lock::Content, ControlKind::PlainText));
    let run = &paragraph.runs[1];
    assert_eq!(paragraph.bytes(paragraph.wraps[1].content.clone()), paragraph.bytes(run.span.clone()));
    let properties = paragraph.runs[2].properties.clone().expect("rPr");
    assert_eq!(paragraph.bytes(properties), b"<w:rPr><w:b/></w:rPr>");
}

#[test]
fn every_story_is_found() {
    let note = |id: &str, text: &str| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", p(&r(text)));
    let content = document_with(
        &format!("{}<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p(&r("body")), p(&r("cell"))),
        &[
            ("footnotes", &note("1", "note")),
            ("header1", &p(&r("head"))),
            ("comments", &format!("<w:comment w:id=\"0\" w:author=\"A\">{}</w:comment>", p(&r("remark")))),
        ],
    );
    let view: View = Word::view(&content).expect("views");
    assert_eq!(lines(&view, Side::Final), ["body", "cell", "head", "note", "remark"]);
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let content = crate::testing::document("<w:p><w:r>");
    assert!(Word::view(&content).is_err());
}

#[test]
fn a_paragraph_is_found_by_bookmark_and_knows_what_it_stands_in() {
    let body = format!(
        "{}<w:sdt><w:sdtPr><w:tag w:val=\"party\"/><w:lock w:val=\"sdtContentLocked\"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
        p(&r("a")),
        p(&format!(
            "<w:bookmarkStart w:id=\"1\" w:name=\"_bk_clause\"/>{}<w:bookmarkEnd w:id=\"1\"/>",
            r("b")
        ))
    );
    let view = view(&body);
    let place = view.find_named("_bk_clause").expect("a bookmark");
    assert_eq!(view.paragraph(place).expect("reads").text(Side::Final).text, "b");
    assert_eq!(view.find_named(&view.id(place).to_string().replace("jr_para_", "_bk_")), Ok(place));
    assert!(view.find_named("_bk_other").is_err());
    let around = view.enclosures(place);
    let control = around[0].control.clone().expect("a control");
    assert_eq!((control.tag.as_deref(), control.lock), (Some("party"), Lock::Both));
    assert_eq!(
        around.iter().map(|enclosure| enclosure.kind).collect::<Vec<_>>(),
        [crate::BoxKind::Control, crate::BoxKind::Body, crate::BoxKind::Root]
    );
}

#[test]
fn an_equation_reads_as_people_type_it() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let el = |name: &str, inner: String| format!("<m:{name}>{inner}</m:{name}>");
    let base = |text: &str| el("e", run(text));
    let fraction = |over: &str, under: &str| el("f", el("num", run(over)) + &el("den", run(under)));
    let properties = |name: &str, inner: &str| format!("<m:{name}><m:ctrlPr/>{inner}</m:{name}>");
    for (equation, line) in [
        (fraction("1", "2"), "1/2"),
        (fraction("a+b", "12"), "(a+b)/12"),
        (run("E=m") + &el("sSup", base("c") + &el("sup", run("2"))), "E=mc^2"),
        (el("sSubSup", base("ab") + &el("sub", run("i")) + &el("sup", run("n+1"))), "(ab)_i^(n+1)"),
        (
            el("rad", properties("radPr", "<m:degHide m:val=\"1\"/>") + "<m:deg/>" + &base("x+1")),
            "\u{221A}(x+1)",
        ),
        (run("f") + &el("d", base("x")), "f(x)"),
        (
            el(
                "d",
                properties("dPr", "<m:begChr m:val=\"[\"/><m:endChr m:val=\"\"/>") + &base("a") + &base("b"),
            ),
            "[a|b",
        ),
        (
            el(
                "nary",
                properties("naryPr", "<m:chr m:val=\"\u{2211}\"/>")
                    + &el("sub", run("i=1"))
                    + &el("sup", run("n"))
                    + &base("i"),
            ),
            "\u{2211}_(i=1)^n i",
        ),
    ] {
        let paragraph = only(&format!("<m:oMath>{equation}</m:oMath>"));
        let math = paragraph.atoms.iter().find_map(|atom| match &atom.kind {
            AtomKind::Math { text, before: None } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(math, Some(line));
    }
}

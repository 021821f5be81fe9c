use super::*;
use crate::testing::{document_with, p, r, rr};
use crate::{Word, read};
use edit::Format;

const STYLES: &str = "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"22\"/></w:rPr></w:rPrDefault></w:docDefaults>\
     <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>\
     <w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>\
     <w:style w:type=\"character\" w:styleId=\"Strong\"><w:name w:val=\"Strong\"/><w:rPr><w:b/></w:rPr></w:style>";

fn view_with(body: &str, parts: &[(&str, &str)]) -> View {
    let mut all = vec![("styles", STYLES)];
    all.extend_from_slice(parts);
    Word::view(&document_with(body, &all)).expect("views")
}

fn page(body: &str, request: &Request) -> Page {
    view_with(body, &[]).page(request).expect("reads")
}

fn first(body: &str) -> Node {
    page(body, &Request::default()).nodes.remove(0)
}

fn columns(node: &Node) -> (&str, &str) {
    (&node.header, &node.text)
}

#[test]
fn a_header_stands_in_its_own_column_and_nowhere_else() {
    let node = first(&p(&(rr("<w:b/>", "Security Incidents:") + &r(" The supplier shall tell."))));
    assert_eq!(columns(&node), ("Security Incidents", "The supplier shall tell."));
    assert_eq!(
        node.header_formatting,
        Some(HeaderFormatting { bold: true, italic: false, underline: false })
    );
    let node = first(&p(&(rr("<w:u w:val=\"single\"/><w:i/>", "Term") + &r(". This agreement"))));
    assert_eq!(columns(&node), ("Term", "This agreement"));
    assert!(node.header_formatting.is_some_and(|formatting| formatting.underline && formatting.italic));
    let node =
        first(&p(&(rr("<w:rStyle w:val=\"Strong\"/>", "Scope") + &rr("<w:b/>", " of work. ") + &r("All"))));
    assert_eq!(columns(&node), ("Scope of work", "All"));
    let node = first(&p(&(rr("<w:b/>", "“Security Incidents:”") + &r(" rest"))));
    assert_eq!(columns(&node), ("Security Incidents", "rest"));
    let node = first(&p(&(rr("<w:b/><w:u w:val=\"single\"/>", "Fees.") + &rr("<w:b/>", " All in bold"))));
    assert_eq!(columns(&node), ("Fees", "All in bold"));
}

#[test]
fn a_header_keeps_quotes_that_are_not_around_all_of_it() {
    for (opening, header) in [
        ("Definition of “Fees”.", "Definition of “Fees”"),
        ("Definition of “Fees.”", "Definition of “Fees”"),
        ("“Fees” and “Costs”:", "“Fees” and “Costs”"),
        ("“Fees”:", "Fees"),
        ("Tenants’ Duties.", "Tenants’ Duties"),
    ] {
        let node = first(&p(&(rr("<w:b/>", opening) + &r(" rest"))));
        assert_eq!(columns(&node), (header, "rest"));
    }
}

#[test]
fn a_header_may_end_in_a_wide_stop() {
    for body in [rr("<w:b/>", "収入：") + &r("本文"), rr("<w:b/>", "収入") + &r("：本文")] {
        assert_eq!(columns(&first(&p(&body))), ("収入", "本文"));
    }
}

#[test]
fn a_plain_line_has_the_header_as_the_paragraph_has_it() {
    let body = p(&(rr("<w:b/>", "Term") + &r(".  Two years")));
    let simple = read::simple(&page(&body, &Request::default()));
    assert!(simple.ends_with("] Term. Two years\n"), "{simple}");
}

#[test]
fn a_redline_marks_headers_too() {
    let redline = Request { side: Side::Redline, ..Request::default() };
    let ins = |runs: &str| format!("<w:ins w:id=\"1\" w:author=\"A\">{runs}</w:ins>");
    let del = |text: &str| {
        format!(
            "<w:del w:id=\"2\" w:author=\"A\"><w:r><w:rPr><w:b/></w:rPr><w:delText>{text}</w:delText></w:r></w:del>"
        )
    };
    let new = ins(&rr("<w:b/>", "New."));
    for (body, header, text) in [
        (new.clone() + &r(" rest"), "{+New+}", "rest"),
        (del("Old.") + &r(" rest"), "[-Old-]", "rest"),
        (del("Old.") + &new + &r(" rest"), "", "[-Old.-]{+New.+} rest"),
        (rr("<w:b/>", "Same.") + &ins(&r(" more")) + &r(" rest"), "Same", "{+more+} rest"),
    ] {
        let page = page(&p(&body), &redline);
        assert_eq!(columns(&page.nodes[0]), (header, text));
        assert!(!read::toon(&page).contains("view=redline"), "it is what was read");
    }
}

#[test]
fn what_is_no_header_stays_in_the_text() {
    for (body, text) in [
        (p(&(r("Plain start: ") + &rr("<w:b/>", "bold"))), "Plain start: bold"),
        (p(&rr("<w:b/>", "All of it is bold.")), "All of it is bold."),
        (p(&(rr("<w:b/>", "THE SUPPLIER") + &r(" shall deliver."))), "THE SUPPLIER shall deliver."),
        (p(&r("SECURITY INCIDENTS. The supplier")), "SECURITY INCIDENTS. The supplier"),
        (p(&(r("“") + &rr("<w:b/>", "Affiliate") + &r("” means …"))), "“Affiliate” means …"),
        (p(&(rr("<w:b/>", "1.5") + &r(" times."))), "1.5 times."),
    ] {
        let node = first(&body);
        assert_eq!(columns(&node), ("", text));
    }
}

#[test]
fn rows_have_five_columns_whatever_the_text() {
    let body = p(&r("a | b \\ c\td")) + &p("<w:r><w:t>x</w:t><w:br/><w:t>y</w:t></w:r>");
    let toon = read::toon(&page(&body, &Request::default()));
    let lines: Vec<&str> = toon.lines().collect();
    assert_eq!(lines[0], "#SCHEMA id | list_label | header | style | text");
    assert!(lines[1].starts_with("jr_para_"), "{toon}");
    assert!(lines[1].ends_with(" |  |  | body_1 | a \\| b \\\\ c\\td"), "{toon}");
    assert!(lines[2].ends_with(" | x\\ny"), "{toon}");
}

fn texts(page: &Page) -> Vec<&str> {
    page.nodes.iter().map(|node| node.text.as_str()).collect()
}

#[test]
fn pages_are_counted_from_either_end() {
    let body: String = (1..=10).map(|number| p(&r(&number.to_string()))).collect();
    let at =
        |offset: i64, limit: Option<usize>| page(&body, &Request { offset, limit, ..Request::default() });
    assert_eq!(at(0, Some(3)), at(1, Some(3)));
    assert_eq!(texts(&at(0, Some(2))), ["1", "2"]);
    assert_eq!((at(0, Some(2)).has_more, at(0, Some(2)).next_offset), (true, Some(3)));
    assert_eq!(texts(&at(9, None)), ["9", "10"]);
    assert_eq!(at(9, None).next_offset, None);
    assert_eq!(texts(&at(-2, None)), ["9", "10"]);
    assert_eq!(texts(&at(-99, Some(1))), ["1"]);
    assert_eq!(texts(&at(99, None)), Vec::<&str>::new());
    assert_eq!(at(5, Some(1)).total_paragraphs, 10);
}

#[test]
fn a_page_keeps_to_its_budget_and_goes_on_where_it_stopped() {
    let body: String = (0..100).map(|_| p(&r(&"word ".repeat(40)))).collect();
    let view = view_with(&body, &[]);
    let (mut offset, mut seen, mut pages) = (0, 0, 0);
    loop {
        let page = view.page(&Request { offset, budget: 500, ..Request::default() }).expect("reads");
        assert!(tokens(&read::toon(&page)) < 800);
        seen += page.nodes.len();
        pages += 1;
        match page.next_offset {
            Some(next) => offset = next as i64,
            None => break,
        }
    }
    assert_eq!(seen, 100);
    assert!(pages > 5);
}

#[test]
fn paragraphs_can_be_asked_for_by_id() {
    let view = view_with(&(p(&r("a")) + &p(&r("b")) + &p(&r("c"))), &[]);
    let ids: Vec<ParagraphId> = view.body().map(|place| view.id(place)).collect();
    let request = Request { ids: vec![ids[2], ids[0]], ..Request::default() };
    assert_eq!(texts(&view.page(&request).expect("reads")), ["c", "a"]);
    let unknown = Request { ids: vec!["jr_para_000000000001".parse().expect("an id")], ..Request::default() };
    assert!(matches!(view.page(&unknown), Err(Refusal::NotFound { .. })));
}

#[test]
fn volatile_attributes_make_no_difference_to_styles() {
    let plain = p("<w:pPr><w:jc w:val=\"left\"/></w:pPr><w:r><w:t>x</w:t></w:r>");
    let noisy = "<w:p w:rsidR=\"00AA\" w14:paraId=\"1234ABCD\"><w:pPr><w:rPr><w:ins w:id=\"4\" w:author=\"A\" w:date=\"2020-01-01T00:00:00Z\"/></w:rPr></w:pPr>\
         <w:r w:rsidR=\"00BB\"><w:rPr><w:lang w:val=\"de-DE\"/></w:rPr><w:t>x</w:t></w:r></w:p>";
    let (plain, noisy) = (first(&plain), first(noisy));
    assert_eq!(plain.style_fingerprint, noisy.style_fingerprint);
    assert_eq!(plain.style, noisy.style);
    assert_ne!(plain.style_fingerprint, first(&p(&rr("<w:b/>", "x"))).style_fingerprint);
}

#[test]
fn names_of_styles_follow_their_role_and_stay() {
    let heading = p(&format!("<w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>{}", r("One")));
    let center = p(&format!("<w:pPr><w:jc w:val=\"center\"/></w:pPr>{}", r("c")));
    let body = [heading, center, p(&r("a")), p(&r("b"))].concat();
    let view = view_with(&body, &[]);
    let styles = |view: &View| -> Vec<String> { view.body().map(|place| view.style_name(place)).collect() };
    assert_eq!(styles(&view), ["section", "body_2", "body_1", "body_1"]);
    // An edit that brings a new look leaves the known names alone.
    let part = edit::PartName::new("word/document.xml");
    let mut patch = edit::Patch::new();
    let second = view.body().nth(1).expect("a paragraph");
    let new = p(&format!("<w:pPr><w:jc w:val=\"right\"/></w:pPr>{}", r("new"))).repeat(5);
    patch.splice(&part, view.span(second).start..view.span(second).start, new).expect("fits");
    let after = patch.apply(view.content()).expect("applies");
    let view = Word::view_after(view, &patch, &after).expect("carries");
    assert_eq!(styles(&view)[5..], ["body_3", "body_2", "body_1", "body_1"]);
}

#[test]
fn both_sides_of_a_change_can_be_shown() {
    let body = p(&format!(
        "{}<w:del w:id=\"1\" w:author=\"A\"><w:r><w:delText>old</w:delText></w:r></w:del><w:ins w:id=\"2\" w:author=\"A\">{}</w:ins>",
        r("a "),
        r("new")
    ));
    let shown = |side| page(&body, &Request { side, ..Request::default() }).nodes[0].text.clone();
    assert_eq!(shown(Side::Final), "a new");
    assert_eq!(shown(Side::Original), "a old");
    assert_eq!(shown(Side::Redline), "a [-old-]{+new+}");
    assert!(page(&body, &Request::default()).tracked_changes);
}

#[test]
fn a_redline_shows_rows_and_ends_of_paragraphs_that_changed() {
    let by = "w:id=\"1\" w:author=\"A\"";
    let mark = |kind: &str| format!("<w:pPr><w:rPr><w:{kind} {by}/></w:rPr></w:pPr>");
    let row = |kind: &str, text: &str| {
        format!("<w:tr><w:trPr><w:{kind} {by}/></w:trPr><w:tc>{}</w:tc></w:tr>", p(&r(text)))
    };
    let inserted = format!("{}<w:ins {by}>{}</w:ins>", mark("ins"), r("whole"));
    let body = p(&(mark("del") + &r("joined ")))
        + &p(&r("with this"))
        + &p(&(mark("ins") + &r("divided")))
        + &p(&inserted)
        + &p(&mark("ins"))
        + &format!("<w:tbl>{}{}</w:tbl>", row("ins", "new"), row("del", "old"));
    let page = page(&body, &Request { side: Side::Redline, ..Request::default() });
    let shown: Vec<&str> = page.nodes.iter().map(|node| node.text.as_str()).collect();
    let wanted = [
        "joined [-\u{B6}-]",
        "with this",
        "divided{+\u{B6}+}",
        "{+whole+}",
        "{+\u{B6}+}",
        "{+new+}",
        "[-old-]",
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn formatting_shows_as_tags_where_it_differs_from_the_paragraph() {
    let body = p(&(r("a ")
        + &rr("<w:b/>", "b")
        + &rr("<w:b/><w:i/>", "c")
        + &rr("<w:highlight w:val=\"red\"/>", "<b>")))
        + &p(&format!("<w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>{}", r("bold anyway")));
    let page = page(&body, &Request { show_formatting: true, ..Request::default() });
    assert_eq!(texts(&page), ["a <b>b<i>c</i></b><highlight color=\"red\">\\<b></highlight>", "bold anyway"]);
}

#[test]
fn tables_show_their_grid() {
    let cell = |span: u8, text: &str| {
        format!("<w:tc><w:tcPr><w:gridSpan w:val=\"{span}\"/></w:tcPr>{}</w:tc>", p(&r(text)))
    };
    let body = format!(
        "{}<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{}{}</w:tr><w:sdt><w:sdtContent><w:tr>{}{}{}</w:tr></w:sdtContent></w:sdt></w:tbl>{}",
        p(&r("before")),
        cell(2, "wide"),
        cell(1, "right"),
        cell(1, "a"),
        cell(1, "b"),
        cell(1, "c"),
        p(&r("after"))
    );
    let page = page(&body, &Request::default());
    let grid: Vec<Option<(usize, usize)>> =
        page.nodes.iter().map(|node| node.cell.map(|cell| (cell.row, cell.column))).collect();
    assert_eq!(grid, [None, Some((1, 1)), Some((1, 3)), Some((2, 1)), Some((2, 2)), Some((2, 3)), None]);
    assert_eq!((page.tables[0].rows, page.tables[0].columns), (2, 3));
    let toon = read::toon(&page);
    assert!(toon.contains("#TABLE tbl_") && toon.contains(" 2x3\n#CELL r1c1\n"), "{toon}");
    assert!(toon.contains("#END TABLE\n"), "{toon}");
}

#[test]
fn notes_and_comments_are_marked_once_and_told() {
    let reference = |id: u8| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
    let body = p(&format!(
        "{}{}{}<w:commentRangeStart w:id=\"3\"/>{}<w:commentRangeEnd w:id=\"3\"/><w:r><w:commentReference w:id=\"3\"/></w:r>",
        r("one"),
        reference(7),
        reference(4),
        r(" two")
    ));
    let note = |id: i8, kind: &str, text: &str| {
        format!(
            "<w:footnote {kind} w:id=\"{id}\">{}</w:footnote>",
            p(&(String::from("<w:r><w:footnoteRef/></w:r>") + &r(text)))
        )
    };
    let notes = note(-1, "w:type=\"separator\"", "") + &note(4, "", " four") + &note(7, "", " seven");
    let comment = format!("<w:comment w:id=\"3\" w:author=\"Ann\">{}</w:comment>", p(&r("really?")));
    let view = view_with(&body, &[("footnotes", &notes), ("comments", &comment)]);
    let page = view.page(&Request::default()).expect("reads");
    assert_eq!(texts(&page), ["one[^1][^2] two[c3]"]);
    let told: Vec<(&str, &str)> =
        page.notes.iter().map(|note| (note.mark.as_str(), note.text.as_str())).collect();
    assert_eq!(told, [("[^1]", "seven"), ("[^2]", "four"), ("[c3]", "really?")]);
    let page =
        view.page(&Request { stories: Stories::One(Story::Footnotes), ..Request::default() }).expect("reads");
    let rows: Vec<(&str, &str)> =
        page.nodes.iter().map(|node| (node.list_label.as_str(), node.text.as_str())).collect();
    assert_eq!(rows, [("[^2]", " four"), ("[^1]", " seven")]);
    assert!(page.other_stories.iter().any(|facts| facts.story == "body"));
}

#[test]
fn a_redline_shows_the_changes_of_a_note_beside_the_page() {
    let body = p("<w:r><w:t>one</w:t><w:footnoteReference w:id=\"4\"/></w:r>");
    let changed = "<w:del w:id=\"1\" w:author=\"A\"><w:r><w:delText>old</w:delText></w:r></w:del>\
                   <w:ins w:id=\"2\" w:author=\"A\"><w:r><w:t>new</w:t></w:r></w:ins>";
    let note = format!("<w:footnote w:id=\"4\">{}</w:footnote>", p(&(r("the ") + changed)));
    let view = view_with(&body, &[("footnotes", &note)]);
    for (side, text) in
        [(Side::Redline, "the [-old-]{+new+}"), (Side::Final, "the new"), (Side::Original, "the old")]
    {
        let page = view.page(&Request { side, ..Request::default() }).expect("reads");
        assert_eq!(page.notes[0].text, text);
    }
}

#[test]
fn the_last_page_tells_of_headers_and_one_beyond_it_of_the_end() {
    let body = p(&r("one")) + &p(&r("two"));
    let view = view_with(&body, &[("header1", &p(&r("Draft"))), ("footer1", &p(&r("Page")))]);
    let toon = |request: &Request| read::toon(&view.page(request).expect("reads"));
    let told = "#NOTE not shown: headers and footers (2); read with all_stories\n";
    assert!(toon(&Request::default()).ends_with(told));
    assert!(!toon(&Request { limit: Some(1), ..Request::default() }).contains(told));
    assert!(!toon(&Request { stories: Stories::All, ..Request::default() }).contains(told));
    let ids = view.places().take(1).map(|place| view.id(place)).collect();
    assert!(!toon(&Request { ids, ..Request::default() }).contains(told));
    assert!(
        toon(&Request { offset: 9, ..Request::default() })
            .ends_with("#NOTE nothing here; total_paragraphs=2\n")
    );
}

#[test]
fn what_people_cannot_see_is_warned_of() {
    let body = [
        p(&rr("<w:vanish/>", "psst")),
        p(&rr("<w:color w:val=\"ffffff\"/>", "ghost")),
        p(&r("a\u{200B}b\u{202E}c")),
        p(&rr("<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"000000\"/>", "white on black")),
    ]
    .concat();
    let page = page(&body, &Request::default());
    let warnings: Vec<&[Warning]> = page.nodes.iter().map(|node| node.warnings.as_slice()).collect();
    assert_eq!(warnings[0], [Warning::HiddenText]);
    assert_eq!(warnings[1], [Warning::WhiteText]);
    assert_eq!(warnings[2], [Warning::InvisibleCharacters, Warning::BidiControls]);
    assert_eq!(warnings[3], []);
    assert!(read::toon(&page).contains("#WARNING jr_para_"));
}

#[test]
fn white_text_on_a_dark_ground_is_not_hidden() {
    let white = rr("<w:color w:val=\"FFFFFF\"/>", "Total");
    let cell = |shading: &str| {
        format!("<w:tbl><w:tr><w:tc><w:tcPr>{shading}</w:tcPr>{}</w:tc></w:tr></w:tbl>", p(&white))
    };
    let dark = cell("<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>");
    let light = cell("<w:shd w:val=\"clear\" w:fill=\"auto\"/>");
    let paragraph =
        "<w:p><w:pPr><w:shd w:val=\"clear\" w:fill=\"000080\"/></w:pPr>".to_owned() + &white + "</w:p>";
    let page = page(&(dark + &p("") + &light + &paragraph), &Request::default());
    let warned: Vec<bool> =
        page.nodes.iter().map(|node| node.warnings.contains(&Warning::WhiteText)).collect();
    assert_eq!(warned, [false, false, true, false]);
}

#[test]
fn a_page_as_json_has_the_promised_fields() {
    let node = first(&p(&(rr("<w:b/>", "Fees.") + &r(" None"))));
    let json = serde_json::to_value(&node).expect("serializes");
    for field in ["id", "list_label", "header", "style", "text", "style_fingerprint", "header_formatting"] {
        assert!(json.get(field).is_some(), "{field}");
    }
    assert_eq!(json["header_formatting"]["bold"], true);
}

#[test]
fn text_beside_a_table_goes_beside_the_paragraph_next_to_it() {
    use crate::Position::{After, Before};
    let table = |cells: &str| {
        format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>{cells}</w:tc></w:tr></w:tbl>")
    };
    let inner = table(&p(&r("inner")));
    let view = crate::testing::view(
        &(table(&(inner + &p(&r("outer"))))
            + &p(&r("between"))
            + &table(&p(&r("second")))
            + &table(&p(&r("third")))),
    );
    let said = |which: usize, position| {
        let table = view.tables().nth(which).expect("that many").id;
        let crate::document::tables::Neighbour::Paragraph(id, side) =
            view.beside_table(table, position).ok()?
        else {
            return None;
        };
        let place = view.find(id).expect("there");
        Some((view.paragraph(place).expect("reads").text(Side::Final).text, side))
    };
    let at = |text: &str, side| Some((text.to_owned(), side));
    assert_eq!([said(0, Before), said(0, After)], [None, at("between", Before)]);
    assert_eq!([said(1, Before), said(1, After)], [None, at("outer", Before)]);
    assert_eq!([said(2, Before), said(2, After)], [at("between", After), None]);
    assert_eq!([said(3, Before), said(3, After)], [None, None]);
}

#[test]
fn text_that_word_would_import_is_told_of_at_the_end() {
    let body = p(&r("one")) + "<w:altChunk r:id=\"rId9\"/>" + &p(&r("two"));
    let first = page(&body, &Request { limit: Some(1), ..Request::default() });
    assert!(!first.imports && !read::toon(&first).contains("#WARNING"));
    let all = page(&body, &Request::default());
    assert!(read::toon(&all).contains("#WARNING more text is in files or web pages"));
    assert!(read::simple(&all).ends_with("it is not shown)\n"));
    assert!(!page(&p(&r("one")), &Request::default()).imports);
}

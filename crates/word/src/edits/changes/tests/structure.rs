//! Changes of what holds text: controls, rows, cells, equations, text boxes, numbering.

use super::*;

fn mark(name: &str, id: usize) -> String {
    format!("<w:{name} w:id=\"{id}\" {BY}/>")
}

fn around(name: &str, id: usize, inner: &str) -> String {
    format!("<w:{name} w:id=\"{id}\" {BY}>{inner}</w:{name}>")
}

fn end(name: &str, id: usize) -> String {
    format!("<w:{name} w:id=\"{id}\"/>")
}

/// A control that came or goes, as Word writes it: one range around each of its tags.
fn control(what: &str, id: usize, inner: &str) -> String {
    let (start, stop) = (format!("customXml{what}RangeStart"), format!("customXml{what}RangeEnd"));
    format!(
        "{}<w:sdt><w:sdtPr/><w:sdtContent>{}{inner}{}</w:sdtContent></w:sdt>{}",
        mark(&start, id),
        end(&stop, id),
        mark(&start, id + 1),
        end(&stop, id + 1)
    )
}

fn plain_control(inner: &str) -> String {
    format!("<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>")
}

fn one(xml: &str, resolution: Resolution, id: &str) -> String {
    body(&resolve(&document(xml), resolution, Which::Ids(vec![id.into()])).expect("resolved"))
}

#[test]
fn a_control_that_came_or_goes_leaves_what_it_holds() {
    let inserted = p(&control("Ins", 1, &r("text")));
    assert_eq!(both(&inserted), (p(&plain_control(&r("text"))), p(&r("text"))));
    let deleted = p(&control("Del", 1, &around("del", 3, "<w:r><w:delText>text</w:delText></w:r>")));
    assert_eq!(both(&deleted), (p(""), p(&plain_control("<w:r><w:t>text</w:t></w:r>"))));
    // Around paragraphs, one of which is joined with what follows the control.
    let gone = "<w:pPr><w:rPr><w:del w:id=\"7\" w:author=\"A\"/></w:rPr></w:pPr>";
    let blocks = control("Del", 1, &(p(&r("one")) + &p(&format!("{gone}{}", r("two"))))) + &p(&r("three"));
    assert_eq!(both(&blocks).0, p(&r("one")) + &p(&format!("{}{}", r("two"), r("three"))));
}

#[test]
fn both_ranges_of_a_control_are_one_decision() {
    let xml = p(&control("Ins", 1, &r("text")));
    for id in ["1", "2"] {
        assert_eq!(one(&xml, Resolution::Accept, id), p(&plain_control(&r("text"))));
        assert_eq!(one(&xml, Resolution::Reject, id), p(&r("text")));
    }
    let view = View::read(&document(&xml)).expect("viewed");
    let listed = changes(&view).expect("listed");
    assert_eq!(listed[0].kind, ChangeKind::ControlInsertion);
    assert_eq!((listed[0].text.as_str(), listed.len()), ("text", 2));
    assert_eq!(authors(&view, None).expect("counted")["A"], 2);
}

#[test]
fn a_control_is_moved_with_its_paragraph() {
    let half = |what: &str, other: &str, id: usize| {
        let inner =
            format!("<w:pPr><w:rPr>{}</w:rPr></w:pPr>{}", mark(what, id), around(what, id + 1, &r("moved")));
        format!(
            "<w:{what}RangeStart w:id=\"{}\" w:name=\"m\" {BY}/>{}{}",
            id + 2,
            control(other, id + 3, &p(&inner)),
            end(&format!("{what}RangeEnd"), id + 2)
        )
    };
    let xml = half("moveFrom", "MoveFrom", 10) + &p(&r("middle")) + &half("moveTo", "MoveTo", 20) + &p("");
    let moved = plain_control(&p(&r("moved")));
    let wanted = (p(&r("middle")) + &moved + &p(""), moved + &p(&r("middle")) + &p(""));
    assert_eq!(both(&xml), wanted);
    for id in ["10", "13", "21", "24"] {
        assert_eq!(one(&xml, Resolution::Accept, id), wanted.0, "{id}");
        assert_eq!(one(&xml, Resolution::Reject, id), wanted.1, "{id}");
    }
}

/// As Word writes a row that was dragged elsewhere.
#[test]
fn a_moved_row_is_in_one_place() {
    let row = |cells: &str| format!("<w:tr>{cells}</w:tr>");
    let cell = |inner: &str| format!("<w:tc><w:tcPr/>{}</w:tc>", p(inner));
    let moved = |what: &str, id: usize| {
        let one = |number: usize, start: &str, text: &str| {
            let properties = format!("<w:pPr><w:rPr>{}</w:rPr></w:pPr>", mark(what, number));
            cell(&format!("{properties}{start}{}", around(what, number + 1, &r(text))))
        };
        let start = format!("<w:{what}RangeStart w:id=\"{id}\" w:name=\"m\" {BY}/>");
        row(&(one(id + 1, &start, "a") + &one(id + 3, "", "b"))) + &end(&format!("{what}RangeEnd"), id)
    };
    let table = |rows: &str| format!("<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>");
    let (stays, goes) = (row(&(cell(&r("x")) + &cell(&r("y")))), row(&(cell(&r("a")) + &cell(&r("b")))));
    let xml = table(&(moved("moveFrom", 1) + &stays + &moved("moveTo", 11))) + &p("");
    let wanted = (table(&format!("{stays}{goes}")) + &p(""), table(&format!("{goes}{stays}")) + &p(""));
    assert_eq!(both(&xml), wanted);
    assert_eq!(one(&xml, Resolution::Accept, "12"), wanted.0);
    // A whole table.
    let tables = table(&moved("moveFrom", 1)) + &p(&r("x")) + &table(&moved("moveTo", 11)) + &p("");
    assert_eq!(both(&tables).0, p(&r("x")) + &table(&goes) + &p(""));
    // What somebody else wrote there keeps the row, and so does a move of what the cells hold.
    let kept = xml.replacen("</w:p>", &format!("{}</w:p>", around("ins", 31, &r("new"))), 1);
    assert!(both(&kept).0.contains("new") && both(&kept).0.matches("<w:tr>").count() == 3);
    let inside = xml.replacen(
        "</w:p></w:tc></w:tr><w:moveFromRangeEnd w:id=\"1\"/>",
        "<w:moveFromRangeEnd w:id=\"1\"/></w:p></w:tc></w:tr>",
        1,
    );
    assert_eq!(both(&inside).0.matches("<w:tr>").count(), 3);
}

#[test]
fn cells_that_are_divided_or_come_and_go_are_read_and_decided() {
    let cell =
        |properties: &str, text: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(&r(text)));
    let table = |cells: &str| format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cells}</w:tr></w:tbl>{}", p(""));
    let split = format!("<w:cellMerge w:id=\"1\" {BY} w:vMergeOrig=\"cont\"/>");
    let (accepted, rejected) = both(&table(&cell(&split, "a")));
    assert_eq!(accepted, table(&cell("", "a")).replace("<w:tcPr></w:tcPr>", ""));
    assert_eq!(rejected, table(&cell("<w:vMerge/>", "a")));
    let record = format!(
        "{split}<w:tcPrChange w:id=\"2\" {BY}><w:tcPr><w:tcW w:w=\"9\"/><w:vAlign w:val=\"top\"/></w:tcPr></w:tcPrChange>"
    );
    let (_, rejected) = both(&table(&cell(&record, "a")));
    assert_eq!(rejected, table(&cell("<w:tcW w:w=\"9\"/><w:vMerge/><w:vAlign w:val=\"top\"/>", "a")));
    let view = View::read(&document(&table(
        &(cell(&mark("cellIns", 1), "new") + &cell(&mark("cellDel", 2), "old") + &cell("", "both")),
    )))
    .expect("viewed");
    let shown = |side| -> Vec<String> {
        let rows = view.page(&crate::text::read::Request { side, ..Default::default() }).expect("read");
        rows.nodes.into_iter().map(|node| node.text).filter(|text| !text.is_empty()).collect()
    };
    assert_eq!(shown(Side::Final), ["new", "both"]);
    assert_eq!(shown(Side::Original), ["old", "both"]);
    assert_eq!(shown(Side::Redline), ["{+new+}", "[-old-]", "both"]);
}

#[test]
fn an_equation_is_read_on_the_side_that_is_asked_for() {
    let run = |inner: &str| format!("<m:r>{inner}</m:r>");
    let text = |text: &str| format!("<m:t>{text}</m:t>");
    let math = |inner: &str| p(&format!("<m:oMath>{inner}</m:oMath>"));
    let kept = run(&text("A="));
    // The mark around the text, around the run, before the text, and without anything in it.
    let forms = [
        |change: &str| format!("<m:r><w:{change} w:id=\"1\" {BY}><m:t>x</m:t></w:{change}></m:r>"),
        |change: &str| format!("<w:{change} w:id=\"1\" {BY}><m:r><m:t>x</m:t></m:r></w:{change}>"),
        |change: &str| format!("<m:r><w:{change} w:id=\"1\" {BY}><w:rPr/></w:{change}><m:t>x</m:t></m:r>"),
        |change: &str| format!("<m:r><w:{change} w:id=\"1\" {BY}/><m:t>x</m:t></m:r>"),
    ];
    for (number, form) in forms.iter().enumerate() {
        for (change, sides) in [("ins", ["A=x", "A="]), ("del", ["A=", "A=x"])] {
            let content = document(&math(&(kept.clone() + &form(change))));
            let read = |content: &Content, side| {
                let view = View::read(content).expect("viewed");
                let rows =
                    view.page(&crate::text::read::Request { side, ..Default::default() }).expect("read");
                rows.nodes[0].text.clone()
            };
            let wanted = sides.map(|side| format!("[equation: {side}]"));
            let seen = [Side::Final, Side::Original].map(|side| read(&content, side));
            assert_eq!(seen, wanted, "{change} {number}");
            let redline = format!("[equation: [-{}-]{{+{}+}}]", sides[1], sides[0]);
            assert_eq!(read(&content, Side::Redline), redline, "{change} {number}");
            let decided = [Resolution::Accept, Resolution::Reject].map(|resolution| {
                read(&resolve(&content, resolution, Which::All).expect("resolved"), Side::Final)
            });
            assert_eq!(decided, wanted, "{change} {number}");
        }
    }
}

#[test]
fn an_object_of_an_equation_goes_with_what_it_holds() {
    let root = |change: &str, inner: &str| {
        p(&format!(
            "<m:oMath><m:rad><m:radPr><m:ctrlPr>{change}</m:ctrlPr></m:radPr><m:e>{inner}</m:e></m:rad></m:oMath>"
        ))
    };
    let change = format!("<w:ins w:id=\"1\" {BY}><w:rPr/></w:ins>");
    let (accepted, rejected) = both(&root(&change, &around("ins", 2, "<m:r><m:t>x</m:t></m:r>")));
    assert_eq!(accepted, root("<w:rPr/>", "<m:r><m:t>x</m:t></m:r>"));
    assert_eq!(rejected, p("<m:oMath></m:oMath>"));
    // Nobody decided about what it holds.
    let (_, kept) = both(&root(&change, "<m:r><m:t>x</m:t></m:r>"));
    assert_eq!(kept, root("", "<m:r><m:t>x</m:t></m:r>"));
}

#[test]
fn nothing_of_a_field_stays_whose_ends_go() {
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>";
    let rest = "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:delText>1</w:delText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let code = "<w:r><w:instrText>MERGEFORMAT</w:instrText></w:r>";
    let (accepted, _) = both(&p(&format!("{}{code}{}", around("del", 1, begin), around("del", 2, rest))));
    assert_eq!(accepted, p("<w:r></w:r>"));
}

#[test]
fn numbering_that_was_inserted_goes_and_its_label_with_it() {
    let list = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/>";
    let xml = p(&format!("<w:pPr>{list}{}</w:numPr></w:pPr>{}", mark("ins", 1), r("item")));
    assert_eq!(both(&xml).1, p(&r("item")));
    let was = format!("{list}{}</w:numPr>", mark("numberingChange", 2));
    let changed = format!(
        "<w:pPr><w:jc w:val=\"left\"/>{}</w:pPr>",
        around("pPrChange", 1, &format!("<w:pPr>{was}</w:pPr>"))
    );
    // Marks inside a record must not come to life.
    assert_eq!(
        both(&p(&(changed + &r("item")))).1,
        p(&format!("<w:pPr>{list}</w:numPr></w:pPr>{}", r("item")))
    );
    let definitions = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let record = around("pPrChange", 3, "<w:pPr/>");
    let recorded = p(&format!("<w:pPr>{list}</w:numPr>{record}</w:pPr>{}", r("again")));
    let content = document_with(&(xml + &recorded), &[("numbering", definitions)]);
    let view = View::read(&content).expect("viewed");
    let labels = |side| -> Vec<_> { view.places().map(|place| view.label(place, side)).collect() };
    assert_eq!(labels(Side::Final), [Some("1."), Some("2.")]);
    assert_eq!(labels(Side::Original), [None, None]);
}

#[test]
fn what_one_inserted_and_another_deleted_was_never_there() {
    let row = format!(
        "<w:tr><w:trPr>{}{}</w:trPr><w:tc>{}</w:tc></w:tr>",
        mark("ins", 1),
        mark("del", 2),
        p(&r("row"))
    );
    let text = format!(
        "<w:pPr><w:rPr>{}{}</w:rPr></w:pPr>{}",
        mark("ins", 3),
        mark("del", 4),
        around("ins", 5, &around("del", 6, "<w:r><w:delText>text</w:delText></w:r>"))
    );
    let xml = format!("<w:tbl><w:tblPr/><w:tblGrid/>{row}</w:tbl>{}{}", p(&text), p(&r("end")));
    let content = document(&xml);
    assert_eq!(both(&xml), (p(&r("end")), p(&r("end"))));
    let view = View::read(&content).expect("viewed");
    for side in [Side::Final, Side::Original] {
        let rows = view.page(&crate::text::read::Request { side, ..Default::default() }).expect("read");
        assert_eq!(rows.nodes.iter().map(|node| node.text.as_str()).collect::<Vec<_>>(), ["end"]);
    }
}

/// Word writes the text of a box twice; a decision about one must not leave the other.
#[test]
fn a_change_in_a_text_box_is_decided_in_its_copy_too() {
    let inner = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", p(text));
    let boxed = |text: &str| {
        format!(
            "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:inline><wps:wsp><wps:txbx>{0}</wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{0}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            inner(text)
        )
    };
    let theirs = format!("<w:ins w:id=\"2\" w:author=\"B\">{}</w:ins>", r("b"));
    let xml = p(&(boxed(&(around("ins", 1, &r("a")) + &theirs)) + &around("ins", 3, &r("outside"))));
    let wanted = p(&(boxed(&(r("a") + &theirs)) + &around("ins", 3, &r("outside"))));
    for id in ["1", "1#2"] {
        assert_eq!(one(&xml, Resolution::Accept, id), wanted);
    }
    let view = View::read(&document(&xml)).expect("viewed");
    let listed = changes(&view).expect("listed");
    let inside = listed[0].paragraph.expect("a paragraph");
    assert_eq!(listed.iter().filter(|change| change.paragraph == Some(inside)).count(), 4);
    let outside = listed[4].paragraph.expect("a paragraph");
    let only =
        resolve(&document(&xml), Resolution::Accept, Which::Paragraphs(vec![outside])).expect("resolved");
    assert_eq!(body(&only), p(&(boxed(&(around("ins", 1, &r("a")) + &theirs)) + &r("outside"))));
}

/// A list item that was divided is one item on the other side, and those behind it count on from there.
#[test]
fn paragraphs_that_are_one_have_one_label() {
    let definitions = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let item = |change: &str, text: &str| {
        let list = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
        p(&format!(
            "<w:pPr>{list}<w:rPr>{change}</w:rPr></w:pPr>{}",
            if text.is_empty() { String::new() } else { r(text) }
        ))
    };
    let divided = mark("ins", 1);
    let xml = item("", "a") + &item(&divided, "b") + &item(&divided, "") + &item("", "c") + &item("", "d");
    let content = document_with(&xml, &[("numbering", definitions)]);
    let view = View::read(&content).expect("viewed");
    let labels = |view: &View, side| -> Vec<Option<String>> {
        view.places().map(|place| view.label(place, side).map(str::to_owned)).collect()
    };
    let some = |label: &str| Some(label.to_owned());
    let now = [some("1."), some("2."), some("3."), some("4."), some("5.")];
    assert_eq!(labels(&view, Side::Final), now);
    assert_eq!(labels(&view, Side::Original), [some("1."), some("2."), None, None, some("3.")]);
    let rejected = resolve(&content, Resolution::Reject, Which::All).expect("resolved");
    let rejected = View::read(&rejected).expect("viewed");
    assert_eq!(labels(&rejected, Side::Final), [some("1."), some("2."), some("3.")]);
    // What an item became that went into plain text is plain text.
    let plain = item(&divided, "a") + &p(&r("b")) + &item("", "c");
    let content = document_with(&plain, &[("numbering", definitions)]);
    let view = View::read(&content).expect("viewed");
    assert_eq!(labels(&view, Side::Original), [None, None, some("1.")]);
}

//! Content controls of every kind, in text and around blocks.

use super::*;

fn control(properties: &str, inner: &str) -> String {
    format!(
        "<w:sdt><w:sdtPr><w:tag w:val=\"x\"/>{properties}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"
    )
}

#[test]
fn a_control_around_paragraphs_holds_as_many_as_its_value_has() {
    let three = p(&rr("<w:b/>", "one")) + &p(&r("two")) + &p(&r("three"));
    for before in
        [control("", &three), control("", &p(&r("one"))), control("<w:showingPlcHdr/>", &p(&r("Click")))]
    {
        let before = document(&(before + &p(&r("behind"))));
        for (value, wanted) in [
            ("first\n\nsecond", &["first", "second"][..]),
            ("a <b> & b", &["a <b> & b"]),
            ("one\n\ntwo\nlines\n\nthree\n\nfour", &["one", "two\nlines", "three", "four"]),
        ] {
            for markup in [Markup::Plain, Markup::Tracked] {
                let done = fill(&before, &[("x", value)], markup).expect("filled");
                sound(&before, &done.content);
                let accepted = match markup {
                    Markup::Plain => lines(&done.view, Side::Final),
                    Markup::Tracked => {
                        let resolve = |resolution| {
                            let edit = ResolveChanges { resolution, which: crate::Which::All };
                            check(&done.content, Edit::ResolveChanges(edit)).expect("resolved")
                        };
                        let rejected = resolve(Resolution::Reject);
                        if !body(&before).contains("showingPlcHdr") {
                            let old = View::read(&before).expect("viewed");
                            assert_eq!(
                                lines(&rejected.view, Side::Final),
                                lines(&old, Side::Final),
                                "{value}"
                            );
                        }
                        lines(&resolve(Resolution::Accept).view, Side::Final)
                    }
                };
                let (last, held) = accepted.split_last().expect("lines");
                assert_eq!(
                    (held, last.as_str()),
                    (&wanted.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>()[..], "behind"),
                    "{value}"
                );
                assert_eq!(body(&done.content).matches("<w:sdt>").count(), 1);
            }
        }
    }
    // A table inside is not for a text to replace.
    let table =
        format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>{}</w:tc></w:tr></w:tbl>", p(&r("cell")));
    let before = document(&control("", &(p(&r("one")) + &table + &p(&r("two")))));
    let Err(Refusal::Unsafe { instead: Some(instead), .. }) = fill(&before, &[("x", "y")], Markup::Plain)
    else {
        panic!("not refused");
    };
    assert!(instead.contains(&id(&before, 1).to_string()));
}

fn typed(properties: &str, inner: &str, old: &str, new: &str) -> Result<String, Refusal> {
    let before = document(&p(&(r("Say: ") + &control(properties, inner) + &r(" end"))));
    let done = replace(&before, 0, old, new, Markup::Plain)?;
    sound(&before, &done.content);
    Ok(body(&done.content))
}

#[test]
fn text_typed_into_a_list_a_box_or_a_date_agrees_with_what_the_control_remembers() {
    let list = "<w:dropDownList><w:listItem w:displayText=\"Net 30\" w:value=\"30\"/><w:listItem w:displayText=\"Net 60\" w:value=\"60\"/></w:dropDownList>";
    assert!(typed(list, &r("Net 30"), "30", "60").expect("typed").contains(&r("Net 60")));
    let refusal = typed(list, &r("Net 30"), "Net 30", "Net 90").expect_err("refused");
    assert!(
        matches!(&refusal, Refusal::Unsafe { instead: Some(instead), .. } if instead.contains("Net 30, Net 60"))
    );
    let state = |on: &str| {
        format!(
            "<w14:checkbox><w14:checked w14:val=\"{on}\"/><w14:checkedState w14:val=\"2612\"/><w14:uncheckedState w14:val=\"2610\"/></w14:checkbox>"
        )
    };
    let ticked = typed(&state("0"), &r("\u{2610}"), "\u{2610}", "\u{2612}").expect("typed");
    assert!(ticked.contains(&state("1")) && ticked.contains('\u{2612}'), "{ticked}");
    assert!(matches!(typed(&state("0"), &r("\u{2610}"), "\u{2610}", "yes"), Err(Refusal::Unsafe { .. })));
    let date = "<w:date w:fullDate=\"2024-01-02T00:00:00Z\"><w:dateFormat w:val=\"d MMMM yyyy\"/></w:date>";
    let later = typed(date, &r("2 January 2024"), "January 2024", "March 2025").expect("typed");
    assert!(later.contains("<w:date><w:dateFormat") && later.contains("2 March 2025"), "{later}");
    // Beside the control nothing is told.
    assert!(typed(date, &r("2 January 2024"), "Say", "On").expect("typed").contains("fullDate"));
}

const STORE: &str = "{0A1B2C3D-0000-4444-8888-0123456789AB}";
const CORE: &str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}";

/// A document with data, its body, and the properties of the document.
fn with_data(body: &str) -> Content {
    let mut content = document(body);
    let mut put =
        |name: &str, text: String| content.insert(edit::PartName::new(name), edit::Blob::from(text));
    let rels = |rows: &str| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{rows}</Relationships>"
        )
    };
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    put(
        "customXml/item1.xml",
        "<d:deal xmlns:d=\"urn:deal\"><d:party>Acme</d:party><d:party/><d:day/><d:kind>a</d:kind><d:agreed>0</d:agreed></d:deal>".into(),
    );
    put(
        "customXml/itemProps1.xml",
        format!(
            "<ds:datastoreItem xmlns:ds=\"http://schemas.openxmlformats.org/officeDocument/2006/customXml\" ds:itemID=\"{}\"/>",
            STORE.to_lowercase()
        ),
    );
    put(
        "customXml/_rels/item1.xml.rels",
        rels(&format!(
            "<Relationship Id=\"rId1\" Type=\"{office}/customXmlProps\" Target=\"itemProps1.xml\"/>"
        )),
    );
    put(
        "word/_rels/document.xml.rels",
        rels(&format!(
            "<Relationship Id=\"rId1\" Type=\"{office}/customXml\" Target=\"../customXml/item1.xml\"/>"
        )),
    );
    put(
        "docProps/core.xml",
        format!(
            "<cp:coreProperties xmlns:cp=\"{package}/metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title></dc:title></cp:coreProperties>"
        ),
    );
    put(
        "_rels/.rels",
        rels(&format!(
            "<Relationship Id=\"rId1\" Type=\"{office}/officeDocument\" Target=\"word/document.xml\"/>\
             <Relationship Id=\"rId2\" Type=\"{package}/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>"
        )),
    );
    content
}

fn bound(tag: &str, store: &str, path: &str, more: &str, content: &str) -> String {
    format!(
        "<w:sdt><w:sdtPr><w:tag w:val=\"{tag}\"/><w:dataBinding w:prefixMappings=\"xmlns:d='urn:deal' \
         xmlns:cp='http://schemas.openxmlformats.org/package/2006/metadata/core-properties' xmlns:dc='http://purl.org/dc/elements/1.1/' \" \
         w:xpath=\"{path}\" w:storeItemID=\"{store}\"/>{more}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"
    )
}

#[test]
fn a_control_that_shows_data_is_filled_in_the_data_too() {
    let list = "<w:dropDownList><w:listItem w:displayText=\"Alpha\" w:value=\"a\"/><w:listItem w:displayText=\"Beta\" w:value=\"b\"/></w:dropDownList>";
    let day = "<w:date><w:dateFormat w:val=\"d MMMM yyyy\"/><w:storeMappedDataAs w:val=\"date\"/></w:date>";
    let tick = "<w14:checkbox><w14:checked w14:val=\"0\"/></w14:checkbox>";
    let prompt = "<w:showingPlcHdr/><w:text/>";
    let content = with_data(
        &(p(&bound("first", STORE, "/d:deal[1]/d:party[1]", "<w:text/>", &r("Acme")))
            + &p(&bound("second", STORE, "/d:deal[1]/d:party[2]", prompt, &r("Click here")))
            + &bound("day", STORE, "/d:deal[1]/d:day[1]", day, &p(&r("someday")))
            + &p(&bound("kind", STORE, "/d:deal/d:kind", list, &r("Alpha")))
            + &p(&bound("agreed", STORE, "/d:deal[1]/d:agreed[1]", tick, &r("\u{2610}")))
            + &p(&bound("title", CORE, "/cp:coreProperties[1]/dc:title[1]", prompt, &r("[Title]")))),
    );
    let values = [
        ("first", "Smith & Sons"),
        ("second", "Jones"),
        ("day", "2026-02-28"),
        ("kind", "Beta"),
        ("agreed", "yes"),
        ("title", "Lease"),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let edit = Edit::FillTemplate(FillTemplate { values, markup: Markup::Plain });
    let view = View::read(&content).expect("views");
    let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
    assert!(planned.step.notes.is_empty(), "{:?}", planned.step.notes);
    let done = check(&content, edit).expect("filled");
    assert_eq!(
        part(&done.content, "customXml/item1.xml"),
        "<d:deal xmlns:d=\"urn:deal\"><d:party>Smith &amp; Sons</d:party><d:party>Jones</d:party><d:day>2026-02-28</d:day>\
         <d:kind>b</d:kind><d:agreed>1</d:agreed></d:deal>"
    );
    assert!(part(&done.content, "docProps/core.xml").contains("<dc:title>Lease</dc:title>"));
    sound(&content, &done.content);
}

#[test]
fn a_property_of_the_document_that_nobody_has_set_is_made() {
    const EXTENDED: &str = "{6668398D-A668-4E3E-A5EB-62B293D839F1}";
    let company = bound("company", EXTENDED, "/ep:Properties[1]/ep:Company[1]", "<w:text/>", &r("[Company]"))
        .replace(
            "xmlns:d='urn:deal'",
            "xmlns:ep='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'",
        );
    let core = |tag: &str, path: &str| {
        p(&bound(tag, CORE, &format!("/cp:coreProperties[1]/{path}[1]"), "<w:text/>", &r("[Say]")))
    };
    let body = core("subject", "dc:subject")
        + &core("status", "cp:contentStatus")
        + &core("made", "dc:date")
        + &p(&company);
    let whole = with_data(&body);
    let mut lone = Content::new();
    for name in whole.names().filter(|name| name.as_str() != "docProps/core.xml") {
        lone.insert(name.clone(), whole.read(name).expect("read").expect("there"));
    }
    let rels = part(&whole, "_rels/.rels");
    let row = rels.split("<Relationship ").find(|row| row.contains("core-properties")).expect("a row");
    let rels = rels.replace(&format!("<Relationship {}", row.trim_end_matches("</Relationships>")), "");
    lone.insert(edit::PartName::new("_rels/.rels"), edit::Blob::from(rels));
    for content in [whole, lone] {
        let values = [("subject", "Lease & more"), ("status", "Draft"), ("company", "Acme")];
        let done = fill(&content, &values, Markup::Plain).expect("filled");
        sound(&content, &done.content);
        let core = part(&done.content, "docProps/core.xml");
        assert!(core.contains("subject") && core.contains(">Lease &amp; more</"), "{core}");
        assert!(core.contains(">Draft</"), "{core}");
        let app = part(&done.content, "docProps/app.xml");
        assert!(app.contains(">Acme</Company>"), "{app}");
        let rels = part(&done.content, "_rels/.rels");
        assert_eq!(rels.matches("core-properties\"").count(), 1, "{rels}");
        assert_eq!(rels.matches("extended-properties\"").count(), 1, "{rels}");
        let again = fill(&done.content, &[("subject", "Other")], Markup::Plain).expect("filled");
        let core = part(&again.content, "docProps/core.xml");
        assert!(core.contains(">Other</") && !core.contains("Lease"), "{core}");
        let view = View::read(&content).expect("views");
        let told = |name: &str| {
            let values = [(name.to_owned(), "x".to_owned())].into();
            let edit = Edit::FillTemplate(FillTemplate { values, markup: Markup::Plain });
            crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned").step.notes.len()
        };
        assert_eq!((told("status"), told("made")), (0, 1));
    }
}

#[test]
fn text_that_shows_data_is_changed_alone_unless_its_control_is_filled() {
    let path = "/d:deal[1]/d:party[1]";
    let shown = |tag: &str, path: &str, more: &str| bound(tag, STORE, path, more, &r("Acme"));
    let content = with_data(
        &(p(&shown("x", path, "<w:text/>"))
            + &p(&shown("y", path, "<w:text/>"))
            + &p(&shown("z", path, ""))
            + &p(&shown("x", "/d:deal[1]/d:nothing[1]", "<w:text/>"))
            + &p(&shown("", "/d:deal[1]/d:party[2]", "<w:alias w:val=\"Party\"/><w:text/>"))),
    );
    let view = View::read(&content).expect("views");
    let notes = |edit: &Edit| {
        let planned = crate::vocabulary::plan(&view, edit, &testkit::context()).expect("planned");
        planned.step.notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("; ")
    };
    let replaced = |index| notes(&replacing(&content, index, "Acme", "Jones", Markup::Plain));
    assert!(replaced(0).contains("unless the control `x` is filled"), "{}", replaced(0));
    assert!(replaced(4).contains("unless the control `Party` is filled"), "{}", replaced(4));
    for index in [2, 3] {
        assert!(replaced(index).ends_with("Word may show the old value again"), "{}", replaced(index));
    }
    let fill = |markup| {
        let values = [("y".to_owned(), "Jones".to_owned())].into();
        Edit::FillTemplate(FillTemplate { values, markup })
    };
    assert!(notes(&fill(Markup::Plain)).contains("2 more places"), "{}", notes(&fill(Markup::Plain)));
    for markup in [Markup::Plain, Markup::Tracked] {
        let typed = replace(&content, 0, "Acme", "Jones", markup).expect("replaced");
        assert_eq!(part(&typed.content, "customXml/item1.xml"), part(&content, "customXml/item1.xml"));
        let done = check(&content, fill(markup)).expect("filled");
        assert!(part(&done.content, "customXml/item1.xml").contains("<d:party>Jones</d:party><d:party/>"));
        if markup == Markup::Tracked {
            let reject = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
            let back = check(&done.content, Edit::ResolveChanges(reject)).expect("rejected");
            assert_eq!(part(&back.content, "customXml/item1.xml"), part(&content, "customXml/item1.xml"));
        }
    }
}

/// A box, a list and a text of a form from before there were content controls.
fn form() -> Content {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |data: &str, code: &str, result: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:instrText> {code} </w:instrText></w:r>{}{result}{}",
            mark("separate"),
            mark("end")
        )
    };
    let boxed = "<w:name w:val=\"urgent\"/><w:enabled/><w:checkBox><w:sizeAuto/><w:default w:val=\"0\"/></w:checkBox>";
    let list = "<w:name w:val=\"team\"/><w:enabled/><w:ddList><w:listEntry w:val=\"Pick\"/><w:listEntry w:val=\"Law\"/></w:ddList>";
    let text = "<w:name w:val=\"when\"/><w:enabled/><w:textInput><w:maxLength w:val=\"8\"/></w:textInput>";
    let body = p(&(field(boxed, "FORMCHECKBOX", "") + &r(" Urgent")))
        + &p(&(field(list, "FORMDROPDOWN", "") + &r(" team")))
        + &p(&(r("Date: ") + &field(text, "FORMTEXT", &r("\u{2002}\u{2002}"))));
    document(&body)
}

#[test]
fn old_form_fields_are_read_listed_and_filled_by_name() {
    let before = form();
    let page = |view: &View| {
        let page = view.page(&crate::read::Request::default()).expect("reads");
        page.nodes.into_iter().map(|node| node.text).collect::<Vec<_>>()
    };
    let view = View::read(&before).expect("viewed");
    assert_eq!(page(&view)[..2], ["\u{2610} Urgent", "Pick team"]);
    let values = [("urgent", "true"), ("team", "Law"), ("when", "12 May")];
    let done = fill(&before, &values, Markup::Plain).expect("filled");
    sound(&before, &done.content);
    assert_eq!(page(&done.view), ["\u{2612} Urgent", "Law team", "Date: 12 May"]);
    let listed = crate::controls(&done.view).expect("listed");
    let names: Vec<_> =
        listed.iter().map(|one| (one.name.as_deref(), one.text.as_str(), one.checked)).collect();
    let expected = [
        (Some("urgent"), "\u{2612}", Some(true)),
        (Some("team"), "Law", None),
        (Some("when"), "12 May", None),
    ];
    assert_eq!(names, expected);
    for (name, value) in [("urgent", "maybe"), ("team", "Nobody"), ("when", "longer than eight")] {
        assert!(
            matches!(fill(&before, &[(name, value)], Markup::Plain), Err(Refusal::Invalid { .. })),
            "{name}"
        );
    }
    // The text is tracked, the box is not.
    let tracked = fill(&before, &values, Markup::Tracked).expect("filled");
    let edit = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
    let back = check(&tracked.content, Edit::ResolveChanges(edit)).expect("rejected");
    assert_eq!(page(&back.view), ["\u{2612} Urgent", "Law team", "Date: \u{2002}\u{2002}"]);
    // What is drawn for a box is no text.
    let refused = replace(&before, 0, "\u{2610} Urgent", "\u{2612} Urgent", Markup::Plain);
    let Err(Refusal::Unsafe { instead, .. }) = refused else { panic!("a sign was edited") };
    assert!(instead.expect("a hint").contains("urgent"));
}

#[test]
fn a_tick_whose_change_is_rejected_is_taken_back() {
    let boxed = "<w:sdt><w:sdtPr><w:id w:val=\"9\"/><w14:checkbox xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w14:checked w14:val=\"0\"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>\u{2610}</w:t></w:r></w:sdtContent></w:sdt>";
    let before = document(&p(&(boxed.to_owned() + &r(" Tea"))));
    // A control without tag and title is called by its number.
    let ticked = fill(&before, &[("9", "true")], Markup::Tracked).expect("ticked");
    assert!(body(&ticked.content).contains("w14:val=\"1\""));
    let decided = |resolution| {
        let edit = ResolveChanges { resolution, which: Which::All };
        body(&check(&ticked.content, Edit::ResolveChanges(edit)).expect("decided").content)
    };
    assert_eq!(decided(Resolution::Reject), body(&before));
    assert!(decided(Resolution::Accept).contains("w14:val=\"1\""));
}

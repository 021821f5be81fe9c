use super::*;
use crate::Side as Reading;

fn style(op: ApplyStyle) -> Op {
    Op::ApplyStyle(op)
}

#[test]
fn the_documented_example_formats_the_selection() {
    let before = document(&p(&r("one two three")));
    let op = ApplyStyle {
        character: CharacterFormat {
            bold: Some(true),
            font_size: Some(12.0),
            color: Some(Color::rgb(0x33, 0x33, 0x33)),
            ..Default::default()
        },
        paragraph: ParagraphFormat {
            alignment: Some(Alignment::Justify),
            line_spacing: Some(1.15),
            ..Default::default()
        },
        named_style: Some("Normal".into()),
        ..ApplyStyle::default()
    };
    let done = act(&before, style(op), selecting(&before, "two"), Markup::Plain).expect("safe");
    assert_eq!(
        body(&done.content),
        p(&format!(
            "<w:pPr><w:spacing w:line=\"276\" w:lineRule=\"auto\"/><w:jc w:val=\"both\"/></w:pPr>{}{}{}",
            r("one "),
            rr("<w:b/><w:bCs/><w:color w:val=\"333333\"/><w:sz w:val=\"24\"/><w:szCs w:val=\"24\"/>", "two"),
            r(" three")
        ))
    );
    let Answer::Styled { range } = answer(&done) else { panic!() };
    assert_eq!(under(&done.view, range), "two");
}

#[test]
fn a_kept_range_survives_the_cut_of_its_run() {
    let before = document(&p("<w:r><w:t>one two three</w:t></w:r>"));
    let kept = selecting(&before, "two").selection.expect("selected");
    let op = ApplyStyle {
        character: CharacterFormat { italic: Some(true), ..Default::default() },
        ..ApplyStyle::default()
    };
    for around in ["two", "one two three", "two three", "wo"] {
        let done = act(&before, style(op.clone()), selecting(&before, around), Markup::Plain).expect("safe");
        assert_eq!(lines(&done.view, Reading::Final), ["one two three"]);
        let carried = kept.carried(&done.patch).expect("the text is untouched");
        assert_eq!(under(&done.view, &carried), "two", "{around}");
    }
}

#[test]
fn properties_stand_in_the_order_of_the_schema_and_others_stay() {
    let run = "<w:rStyle w:val=\"S\"/><w:rFonts w:eastAsia=\"MS Mincho\" w:hint=\"eastAsia\"/><w:caps/><w:lang w:val=\"de-DE\"/>";
    let before = document(&p(&format!(
        "<w:pPr><w:keepNext/><w:spacing w:after=\"10\" w:line=\"200\"/><w:rPr><w:i/></w:rPr></w:pPr>{}",
        rr(run, "x")
    )));
    let op = ApplyStyle {
        scope: Scope::Document,
        character: CharacterFormat {
            underline: Some(Underline::Double),
            font_name: Some("Arial".into()),
            highlight: Some(Highlight::Color(Color::rgb(255, 255, 0))),
            bold: Some(false),
            ..Default::default()
        },
        paragraph: ParagraphFormat {
            space_before: Some(6.0),
            alignment: Some(Alignment::Center),
            ..Default::default()
        },
        ..ApplyStyle::default()
    };
    let done = plain(&before, style(op));
    let after = body(&done.content);
    assert!(after.contains("<w:rPr><w:rStyle w:val=\"S\"/><w:rFonts w:ascii=\"Arial\" w:hAnsi=\"Arial\" w:cs=\"Arial\" w:hint=\"eastAsia\" w:eastAsia=\"MS Mincho\"/><w:b w:val=\"0\"/><w:bCs w:val=\"0\"/><w:caps/><w:highlight w:val=\"yellow\"/><w:u w:val=\"double\"/><w:lang w:val=\"de-DE\"/></w:rPr>"), "{after}");
    assert!(after.contains("<w:pPr><w:keepNext/><w:spacing w:after=\"10\" w:line=\"200\" w:before=\"120\"/><w:jc w:val=\"center\"/><w:rPr>"), "{after}");
    let colour =
        CharacterFormat { highlight: Some(Highlight::Color(Color::rgb(1, 2, 3))), ..Default::default() };
    let done =
        plain(&before, style(ApplyStyle { scope: Scope::Document, character: colour, ..Default::default() }));
    assert!(body(&done.content).contains("<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"010203\"/>"));
}

#[test]
fn a_named_style_is_written_down_when_it_is_missing() {
    let before = document(&format!("{}{}", p(&r("Title here")), p(&r("Text"))));
    let op = ApplyStyle {
        scope: Scope::Found("Title".into()),
        named_style: Some("Heading 1".into()),
        ..Default::default()
    };
    let done = plain(&before, style(op));
    assert!(body(&done.content).starts_with("<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>"));
    let styles = done.content.read("word/styles.xml").unwrap().unwrap();
    let styles = String::from_utf8(styles.bytes().into_owned()).unwrap();
    assert!(
        styles
            .contains("<w:name w:val=\"heading 1\"/><w:basedOn w:val=\"Normal\"/><w:next w:val=\"Normal\"/>"),
        "{styles}"
    );
    let named = |name: &str| ApplyStyle {
        scope: Scope::Found("here".into()),
        named_style: Some(name.into()),
        ..Default::default()
    };
    let again = testkit::check::<Word>(
        &done.content,
        &[Edit::Op(Box::new(Operation {
            op: style(named("strong")),
            places: Places::default(),
            markup: Markup::Plain,
        }))],
    )
    .expect("safe");
    assert!(
        body(&again.content)
            .contains("<w:rPr><w:rStyle w:val=\"Strong\"/></w:rPr><w:t xml:space=\"preserve\">here</w:t>"),
        "{}",
        body(&again.content)
    );
    let refused = act(&before, style(named("Hedding 1")), Places::default(), Markup::Plain);
    assert!(matches!(refused, Err(Refusal::NotFound { what: "style", .. })));
    let refused = act(&before, style(named("Table Grid")), Places::default(), Markup::Plain);
    assert!(refused.is_err());
}

#[test]
fn lists_are_numbering_and_end_again() {
    let before = document(&format!("{}{}", p(&r("a")), p(&r("b"))));
    let list = |list| ApplyStyle {
        scope: Scope::Document,
        paragraph: ParagraphFormat { list: Some(list), ..Default::default() },
        ..Default::default()
    };
    let done = plain(&before, style(list(List::Number)));
    assert_eq!(
        body(&done.content).matches("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>").count(),
        2
    );
    let bulleted = testkit::check::<Word>(
        &done.content,
        &[Edit::Op(Box::new(Operation {
            op: style(list(List::Bullet)),
            places: Places::default(),
            markup: Markup::Plain,
        }))],
    )
    .expect("safe");
    assert_eq!(body(&bulleted.content).matches("<w:numId w:val=\"2\"/>").count(), 2);
    let numbering = bulleted.content.read("word/numbering.xml").unwrap().unwrap();
    let numbering = String::from_utf8(numbering.bytes().into_owned()).unwrap();
    assert!(numbering.rfind("<w:abstractNum ").unwrap() < numbering.find("<w:num ").unwrap(), "{numbering}");
    let ended = testkit::check::<Word>(
        &bulleted.content,
        &[Edit::Op(Box::new(Operation {
            op: style(list(List::None)),
            places: Places::default(),
            markup: Markup::Plain,
        }))],
    )
    .expect("safe");
    assert!(!body(&ended.content).contains("numPr"));
}

#[test]
fn tracked_formatting_keeps_what_it_was() {
    let before = document(&p(&format!("<w:pPr><w:jc w:val=\"right\"/></w:pPr>{}", rr("<w:i/>", "one two"))));
    let op = ApplyStyle {
        character: CharacterFormat { bold: Some(true), ..Default::default() },
        paragraph: ParagraphFormat { alignment: Some(Alignment::Left), ..Default::default() },
        ..ApplyStyle::default()
    };
    let done = act(&before, style(op), selecting(&before, "two"), Markup::Tracked).expect("safe");
    let after = body(&done.content);
    assert!(
        after.contains("<w:rPr><w:b/><w:bCs/><w:i/><w:rPrChange ")
            && after.contains("<w:rPr><w:i/></w:rPr></w:rPrChange>"),
        "{after}"
    );
    assert!(
        after.contains("<w:jc w:val=\"left\"/><w:pPrChange ")
            && after.contains("<w:pPr><w:jc w:val=\"right\"/></w:pPr></w:pPrChange>"),
        "{after}"
    );
}

#[test]
fn styles_are_known_by_their_names_in_other_languages() {
    let with = |styles: &str| crate::testing::document_with(&p(&r("x")), &[("styles", styles)]);
    let apply = |content: &Content, name: &str| {
        let op = ApplyStyle { scope: Scope::Document, named_style: Some(name.into()), ..Default::default() };
        act(content, style(op), Places::default(), Markup::Plain)
    };
    let german = "<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"de-DE\" w:eastAsia=\"en-US\"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Standard\"><w:name w:val=\"Normal\"/></w:style><w:style w:type=\"paragraph\" w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>";
    let german = with(german);
    for name in ["Überschrift 1", "Titre 1", "Heading 1", "見出し 1"] {
        let done = apply(&german, name).expect("known");
        assert!(body(&done.content).contains("<w:pStyle w:val=\"berschrift1\"/>"), "{name}");
    }
    // What is missing is made under the name that every Word reads.
    let done = apply(&german, "Überschrift 2").expect("known");
    let styles = done.content.read("word/styles.xml").expect("read").expect("there").bytes().into_owned();
    let styles = String::from_utf8(styles).expect("UTF-8");
    assert!(styles.contains("w:styleId=\"Heading2\"><w:name w:val=\"heading 2\"/>"), "{styles}");
    let view = View::read(&german).expect("viewed");
    let list = |op: ListStyles| match read(&view, &Op::ListStyles(op), &Places::default()) {
        Some(Ok((Answer::Styles(styles), _))) => styles.paragraph_styles,
        other => panic!("{other:?}"),
    };
    let found = list(ListStyles { query: Some("überSCHRIFT 1".into()), ..ListStyles::default() });
    assert_eq!(
        found,
        [StyleName {
            name: "Heading 1".into(),
            localized_name: Some("Überschrift 1".into()),
            built_in: true
        }]
    );
    let plain_names = list(ListStyles { include_localized: false, ..ListStyles::default() });
    assert!(plain_names.iter().all(|style| style.localized_name.is_none()));
    // A style of the document's own comes before what some other language calls so.
    let own = with(
        "<w:style w:type=\"paragraph\" w:customStyle=\"1\" w:styleId=\"Own\"><w:name w:val=\"Citation\"/></w:style>",
    );
    assert!(body(&apply(&own, "Citation").expect("known").content).contains("<w:pStyle w:val=\"Own\"/>"));
    match apply(&own, "Hedaing 1") {
        Err(Refusal::NotFound { nearest, .. }) => {
            assert_eq!(nearest.first().map(String::as_str), Some("Heading 1"))
        }
        other => panic!("{:?}", other.map(|done| body(&done.content))),
    }
}

#[test]
fn list_styles_bring_their_lists() {
    let before = document(&p(&r("x")));
    for (name, format) in [("List Bullet", "bullet"), ("Listennummer", ""), ("List Number", "decimal")] {
        let op = ApplyStyle { scope: Scope::Document, named_style: Some(name.into()), ..Default::default() };
        let done = act(&before, style(op), Places::default(), Markup::Plain);
        if format.is_empty() {
            assert!(matches!(done, Err(Refusal::NotFound { .. })));
            continue;
        }
        let done = done.unwrap_or_else(|refusal| panic!("{refusal}"));
        let read = |part: &str| {
            let bytes = done.content.read(part).expect("read").expect("there").bytes().into_owned();
            String::from_utf8(bytes).expect("UTF-8")
        };
        assert!(read("word/styles.xml").contains("<w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr>"));
        assert!(read("word/numbering.xml").contains(&format!("<w:numFmt w:val=\"{format}\"/>")));
    }
}

use edit::{Content, Refusal};
use testkit::Checked;

use super::*;
use crate::testing::{document, lines, p, r, rr};
use crate::{Side, Which, Word};

fn id(content: &Content, index: usize) -> ParagraphId {
    let view = View::read(content).expect("viewed");
    let place = view.places().nth(index).expect("there are that many");
    view.id(place)
}

fn body(content: &Content) -> String {
    let blob = content.read("word/document.xml").expect("read").expect("there");
    let text = String::from_utf8(blob.bytes().into_owned()).expect("UTF-8");
    let start = text.find("<w:body>").expect("a body") + 8;
    text[start..text.find("<w:sectPr/></w:body>").expect("a body")].to_owned()
}

fn check(content: &Content, edit: Edit) -> Result<Checked<Word>, Refusal> {
    testkit::check::<Word>(content, &[edit])
}

fn replacing(content: &Content, index: usize, old: &str, new: &str, markup: Markup) -> Edit {
    let (paragraph, expect) = (id(content, index), None);
    Edit::ReplaceText(ReplaceText { paragraph, old: old.into(), new: new.into(), expect, markup })
}

fn replace(
    content: &Content,
    index: usize,
    old: &str,
    new: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    check(content, replacing(content, index, old, new, markup))
}

fn insert(
    content: &Content,
    index: usize,
    position: Position,
    text: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    let anchor = id(content, index);
    let edit = InsertParagraphs { anchor, position, text: text.into(), style_source: None, markup };
    check(content, Edit::InsertParagraphs(edit))
}

fn delete(content: &Content, index: usize, markup: Markup) -> Result<Checked<Word>, Refusal> {
    check(
        content,
        Edit::DeleteParagraph(DeleteParagraph { paragraph: id(content, index), expect: None, markup }),
    )
}

#[test]
fn smart_edit_preserves_mixed_run_formatting() {
    let before =
        document(&p(&format!("{}{}{}", r("The "), rr("<w:u w:val=\"single\"/>", "quick"), r(" fox"))));
    let done = replace(&before, 0, "The quick", "A slow", Markup::Plain).expect("safe");
    assert_eq!(
        body(&done.content),
        p(&format!("{}{}{}", r("A "), rr("<w:u w:val=\"single\"/>", "slow"), r(" fox")))
    );
}

#[test]
fn an_auto_tagged_explicit_definition_gets_role_model_styling() {
    let definition =
        |term: &str| p(&format!("{}{}{}", r("\u{201C}"), rr("<w:b/>", term), r("\u{201D} means money.")));
    let before = document(&format!("{}{}{}", definition("Cash"), definition("Debt"), p(&r("Next."))));
    let done =
        insert(&before, 2, Position::Before, "\"Closing Cash\" means the cash at closing.", Markup::Plain)
            .expect("safe");
    let after = body(&done.content);
    assert!(after.contains("<w:r><w:t>\"</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Closing Cash</w:t></w:r><w:r><w:t>\" means the cash at closing.</w:t></w:r>"), "{after}");
}

#[test]
fn a_defined_term_gets_the_look_of_its_role_and_no_tag_reaches_the_file() {
    let definition = |term: &str| {
        p(&format!("{}{}", rr("<w:b/><w:i/>", &format!("\u{201C}{term}\u{201D}")), r(" means money.")))
    };
    let before = document(&format!("{}{}", definition("Cash"), p(&r("Old text."))));
    let done = replace(
        &before,
        1,
        "Old text.",
        "\u{201C}<definition>Term</definition>\u{201D} means x < y.",
        Markup::Plain,
    )
    .expect("safe");
    let after = body(&done.content);
    assert!(!after.contains("definition"));
    assert!(
        after.contains("<w:rPr><w:b/><w:i/></w:rPr><w:t xml:space=\"preserve\">\u{201C}Term\u{201D}</w:t>"),
        "{after}"
    );
    assert!(after.contains("means x &lt; y."), "{after}");
}

#[test]
fn header_tags_become_a_run_in_header_with_the_look_of_the_document() {
    let model = p(&format!("{}{}", rr("<w:u w:val=\"single\"/>", "Fees."), r(" The Tenant pays.")));
    let before = document(&format!("{model}{}", p(&r("End."))));
    for text in [
        "<header>Security Incidents.</header> Report them.",
        "<RunInHeader>Security Incidents</RunInHeader>. Report them.",
        "<header>Security Incidents</header> Report them.",
    ] {
        let done = insert(&before, 0, Position::After, text, Markup::Plain).expect("safe");
        let after = body(&done.content);
        assert!(after.contains("<w:p><w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:t>Security Incidents.</w:t></w:r><w:r><w:t xml:space=\"preserve\"> Report them.</w:t></w:r></w:p>"), "{after}");
    }
}

#[test]
fn an_inserted_paragraph_clones_no_identity() {
    let anchor = "<w:p w14:paraId=\"11111111\" w:rsidR=\"00AA\"><w:pPr><w:pStyle w:val=\"S\"/><w:numPr><w:numId w:val=\"3\"/></w:numPr><w:rPr><w:ins w:id=\"4\" w:author=\"You\" w:date=\"d\"/><w:b/></w:rPr><w:sectPr/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"b\"/><w:commentRangeStart w:id=\"2\"/><w:r><w:rPr><w:i/><w:rPrChange w:id=\"5\" w:author=\"You\" w:date=\"d\"><w:rPr/></w:rPrChange></w:rPr><w:t>Item</w:t></w:r><w:bookmarkEnd w:id=\"1\"/><w:commentRangeEnd w:id=\"2\"/></w:p>";
    let mut before = document(anchor);
    let declared =
        part(&before, "word/document.xml").replacen("<w:document ", "<w:document mc:Ignorable=\"w14\" ", 1);
    before.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(declared));
    let done = insert(&before, 0, Position::After, "One\nline\n\nTwo", Markup::Plain).expect("safe");
    let after = body(&done.content);
    let new = after.strip_prefix(anchor).expect("the anchor is untouched");
    for kept in ["sectPr", "bookmark", "comment", "11111111", "rPrChange", "w:ins", "rsid"] {
        assert!(!new.contains(kept), "{kept} in {new}");
    }
    assert_eq!(new.matches("<w:numId w:val=\"3\"/>").count(), 2);
    assert_eq!(new.matches("w14:paraId=\"").count(), 2);
    assert!(new.contains("<w:rPr><w:i/></w:rPr><w:t>One</w:t><w:br/><w:t>line</w:t>"), "{new}");
    let Outcome::Inserted { paragraphs } = &done.outcomes[0] else { panic!("inserted") };
    let places: Vec<_> = paragraphs.iter().map(|id| done.view.find(*id).expect("named")).collect();
    let texts: Vec<_> =
        places.iter().map(|place| done.view.paragraph(*place).unwrap().text(Side::Final).text).collect();
    assert_eq!(texts, ["One\nline", "Two"]);
}

#[test]
fn a_tracked_insertion_is_rejected_without_a_trace() {
    let before = document(&format!("{}{}", p(&r("One")), p(&r("Two"))));
    let done = insert(&before, 0, Position::After, "New", Markup::Tracked).expect("safe");
    assert_eq!(lines(&done.view, Side::Final), ["One", "New", "Two"]);
    let after = body(&done.content);
    assert!(after.contains("<w:p><w:pPr><w:rPr><w:ins w:id="), "{after}");
}

#[test]
fn a_tracked_insertion_at_the_end_takes_over_the_last_mark() {
    let before = document(&p(&format!("<w:pPr><w:jc w:val=\"left\"/></w:pPr>{}", r("One"))));
    let done = insert(&before, 0, Position::After, "New", Markup::Tracked).expect("safe");
    let after = body(&done.content);
    assert!(after.starts_with("<w:p><w:pPr><w:jc w:val=\"left\"/><w:rPr><w:ins"), "{after}");
    assert!(after.contains("</w:p><w:p><w:pPr><w:jc w:val=\"left\"/></w:pPr><w:ins"), "{after}");
    assert_eq!(lines(&done.view, Side::Final), ["One", "New"]);
}

#[test]
fn deleting_keeps_marks_whose_other_half_is_elsewhere() {
    let before = document(&format!(
        "{}{}",
        p(&format!(
            "<w:bookmarkStart w:id=\"1\" w:name=\"a\"/><w:bookmarkStart w:id=\"2\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"2\"/>",
            r("One")
        )),
        p(&format!("{}<w:bookmarkEnd w:id=\"1\"/>", r("Two")))
    ));
    let done = delete(&before, 0, Markup::Plain).expect("safe");
    assert!(
        body(&done.content).starts_with("<w:bookmarkStart w:id=\"1\" w:name=\"a\"/><w:p>"),
        "{}",
        body(&done.content)
    );
}

#[test]
fn the_last_paragraph_of_a_cell_stays_without_its_text() {
    let cell = |inner: &str| {
        format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>{inner}</w:tc></w:tr></w:tbl>")
    };
    let before = document(&format!("{}{}", cell(&p(&r("only"))), p("")));
    let done = delete(&before, 0, Markup::Plain).expect("safe");
    assert_eq!(body(&done.content), format!("{}{}", cell("<w:p></w:p>"), p("")));
    let two = document(&format!("{}{}", cell(&format!("{}{}", p(&r("a")), p(&r("b")))), p("")));
    let done = delete(&two, 1, Markup::Plain).expect("safe");
    assert_eq!(body(&done.content), format!("{}{}", cell(&p(&r("a"))), p("")));
}

#[test]
fn a_paragraph_that_ends_a_section_stays_without_its_text() {
    let before = document(&format!("<w:p><w:pPr><w:sectPr/></w:pPr>{}</w:p>{}", r("One"), p(&r("Two"))));
    let done = delete(&before, 0, Markup::Plain).expect("safe");
    assert!(body(&done.content).starts_with("<w:p><w:pPr><w:sectPr/></w:pPr></w:p>"));
}

#[test]
fn a_tracked_deletion_marks_text_and_paragraph() {
    let before = document(&format!("{}{}", p(&r("One")), p(&r("Two"))));
    let done = delete(&before, 0, Markup::Tracked).expect("safe");
    let after = body(&done.content);
    assert!(
        after.contains("<w:pPr><w:rPr><w:del ")
            && after.contains("<w:delText xml:space=\"preserve\">One</w:delText>"),
        "{after}"
    );
    assert_eq!(lines(&done.view, Side::Final), ["", "Two"]);
}

#[test]
fn text_may_be_quoted_as_a_row_prints_it() {
    let before = document(&p("<w:r><w:t>a|b</w:t><w:tab/><w:t>C:\\new</w:t></w:r>"));
    let done = replace(&before, 0, "a\\|b\\tC:\\\\new", "z\\|b\\tC:\\\\old", Markup::Plain).expect("found");
    assert_eq!(lines(&done.view, Side::Final), ["z|b\tC:\\old"]);
    // What stands there as it is written needs no other reading.
    let done = replace(&before, 0, "C:\\new", "D:\\new", Markup::Plain).expect("found");
    assert_eq!(lines(&done.view, Side::Final), ["a|b\tD:\\new"]);
    let refusal = replace(&before, 0, "a\\|c", "x", Markup::Plain).err().expect("a refusal");
    assert!(matches!(refusal, Refusal::NotFound { what: "text", id, .. } if id.contains('\\')));
    // Where it is found and cannot be, the reason counts.
    let twice = document(&p(&r("a|b and a|b")));
    let refusal = replace(&twice, 0, "a\\|b", "x", Markup::Plain).err().expect("a refusal");
    assert!(matches!(refusal, Refusal::Ambiguous { count: 2, .. }), "{refusal:?}");
}

#[test]
fn a_blank_line_in_a_replacement_is_told_to_begin_no_paragraph() {
    let before = document(&p(&r("One two")));
    let view = View::read(&before).expect("viewed");
    let told = |new: &str| {
        let edit = replacing(&before, 0, "One", new, Markup::Plain);
        plan(&view, &edit, &testkit::context()).expect("planned").step.notes.len()
    };
    assert_eq!([told("1\n\n2"), told("1\n2"), told("1")], [1, 0, 0]);
}

#[test]
fn an_expectation_that_fails_refuses() {
    let before = document(&p(&r("One")));
    let edit = ReplaceText {
        paragraph: id(&before, 0),
        old: "One".into(),
        new: "Two".into(),
        expect: Some(Expect { text_hash: text_hash("Other") }),
        markup: Markup::Plain,
    };
    assert!(matches!(
        check(&before, Edit::ReplaceText(edit.clone())),
        Err(Refusal::Rule { code: "TEXT_CHANGED", .. })
    ));
    let edit = ReplaceText { expect: Some(Expect { text_hash: text_hash("One") }), ..edit };
    assert!(check(&before, Edit::ReplaceText(edit)).is_ok());
}

#[test]
fn curly_quotes_of_the_document_survive_a_straight_quotation() {
    let before = document(&p(&r("the \u{201C}Seller\u{201D} pays  now")));
    let done = replace(&before, 0, "the \"Seller\" pays now", "the \"Seller\" pays later", Markup::Plain)
        .expect("found");
    assert_eq!(lines(&done.view, Side::Final), ["the \u{201C}Seller\u{201D} pays  later"]);
}

#[test]
fn a_comment_inside_the_quoted_text_stays_whether_it_is_quoted_or_not() {
    let reference = "<w:r><w:commentReference w:id=\"3\"/></w:r>";
    let before = document(&p(&format!("{}{reference}{}", r("one "), r("two"))));
    for old in ["one two", "one [c3]two"] {
        let new = old.replace("two", "three");
        let done = replace(&before, 0, old, &new, Markup::Plain).expect("found");
        assert_eq!(body(&done.content), p(&format!("{}{reference}{}", r("one "), r("three"))));
    }
    assert!(replace(&before, 0, "one [c3]two", "one two", Markup::Plain).is_err());
}

#[test]
fn text_goes_behind_an_equation() {
    let equation = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>";
    let before = document(&p(&format!("{}{equation}", r("let "))));
    let done = replace(&before, 0, "[equation: x]", "[equation: x] be", Markup::Plain).expect("safe");
    assert_eq!(
        body(&done.content),
        p(&format!("{}{equation}<w:r><w:t xml:space=\"preserve\"> be</w:t></w:r>", r("let ")))
    );
    assert!(replace(&before, 0, "let [equation: x]", "let y", Markup::Plain).is_err());
}

fn after(before: &str, old: &str, new: &str) -> String {
    let before = document(before);
    let done = replace(&before, 0, old, new, Markup::Plain).expect("replaced");
    sound(&before, &done.content);
    lines(&done.view, Side::Final).remove(0)
}

#[test]
fn what_was_forgiven_in_the_quoted_text_is_written_as_the_document_has_it() {
    let quotes = p(&r("the \u{201C}quoted\u{201D} it\u{2019}s"));
    assert_eq!(after(&quotes, "\"quoted\" it's", "\"cited\" it is"), "the \u{201C}cited\u{201D} it is");
    let blanks = p(&r("after 10\u{A0}days, 5\u{2013}6"));
    assert_eq!(after(&blanks, "10 days, 5-6", "30 weeks, 7-8"), "after 30\u{A0}weeks, 7\u{2013}8");
}

#[test]
fn a_header_that_takes_the_place_of_one_looks_like_it() {
    let bold = p(&(rr("<w:b/>", "Notices.") + &r(" In writing.")));
    let before = p(&(rr("<w:u w:val=\"single\"/>", "Breaches:") + &r(" The Supplier."))) + &bold + &bold;
    let before = document(&before);
    let new = "<header>Incidents:</header> The";
    let done = replace(&before, 0, "Breaches: The", new, Markup::Plain).expect("replaced");
    assert!(
        body(&done.content)
            .starts_with(&p(&(rr("<w:u w:val=\"single\"/>", "Incidents:") + &r(" The Supplier.")))),
        "{}",
        body(&done.content)
    );
    let styled = document(&p(&(rr("<w:b/>", "Notices:") + &rr("<w:b/>", " All"))));
    assert!(replace(&styled, 0, "Notices", "<header>Terms</header>", Markup::Plain).is_ok());
}

#[test]
fn a_label_that_the_list_prints_is_not_written_again() {
    let numbering = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let clause = |text: &str| {
        p(&format!(
            "<w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr>{}",
            r(text)
        ))
    };
    let body = clause("One") + &clause("Two") + &p(&r("plain"));
    let before = crate::testing::document_with(&body, &[("numbering", numbering)]);
    let lines_after = |index: usize, text: &str| {
        let done = insert(&before, index, Position::After, text, Markup::Tracked).expect("inserted");
        lines(&done.view, Side::Final)
    };
    assert_eq!(lines_after(1, "3. Three\n\n4. Four"), ["One", "Two", "Three", "Four", "plain"]);
    assert_eq!(lines_after(0, "2.\tNew"), ["One", "New", "Two", "plain"]);
    // Another number, an abbreviation and a paragraph that nobody numbers are what they say.
    assert_eq!(lines_after(1, "7. Seven"), ["One", "Two", "7. Seven", "plain"]);
    assert_eq!(lines_after(1, "No. 3 is next"), ["One", "Two", "No. 3 is next", "plain"]);
    assert_eq!(lines_after(2, "3. Typed"), ["One", "Two", "plain", "3. Typed"]);
    assert_eq!(lines_after(1, "3."), ["One", "Two", "3.", "plain"]);
}

fn sound(before: &Content, after: &Content) {
    assert_eq!(crate::new_problems(before, after).expect("linted"), []);
}

#[test]
fn a_comment_tells_where_it_hangs_what_it_answers_and_whether_it_is_resolved() {
    let before = document(&p(&format!("{}{}", r("one "), rr("<w:b/>", "two three"))));
    let made = comment(&before, Some("one two"), "Why?");
    let first = made.view.comments().expect("listed")[0].id.clone();
    let reply = ReplyToComment { comment: first.clone(), text: "Because.".into() };
    let made = check(&made.content, Edit::ReplyToComment(reply)).expect("answered");
    let done = ResolveComment { comment: first.clone(), done: true };
    let made = check(&made.content, Edit::ResolveComment(done)).expect("resolved");
    let threads = made.view.threads().expect("told");
    let ids: Vec<String> = made.view.comments().expect("listed").into_iter().map(|one| one.id).collect();
    let (asked, answer) = (&threads[&ids[0]], &threads[&ids[1]]);
    assert_eq!((asked.paragraph, asked.quote.as_str()), (Some(id(&before, 0)), "one two"));
    assert_eq!((asked.resolved, asked.parent.as_deref()), (true, None));
    assert_eq!((answer.paragraph, answer.parent.as_deref()), (Some(id(&before, 0)), Some(first.as_str())));
}

fn comment(content: &Content, quote: Option<&str>, text: &str) -> Checked<Word> {
    let edit = AddComment { paragraph: id(content, 0), quote: quote.map(Into::into), text: text.into() };
    check(content, Edit::AddComment(edit)).expect("commented")
}

fn part(content: &Content, name: &str) -> String {
    let blob = content.read(name).expect("read").unwrap_or_default();
    String::from_utf8(blob.bytes().into_owned()).expect("UTF-8")
}

#[test]
fn a_comment_stands_exactly_around_what_it_quotes() {
    let before = document(&p(&rr("<w:b/>", "one two three")));
    let done = comment(&before, Some("two"), "Why & how?\nSay.");
    sound(&before, &done.content);
    let bold = |text: &str| format!("<w:r><w:rPr><w:b/></w:rPr>{text}</w:r>");
    assert_eq!(
        body(&done.content),
        p(&format!(
            "{}<w:commentRangeStart w:id=\"1\"/>{}<w:commentRangeEnd w:id=\"1\"/><w:r><w:commentReference w:id=\"1\"/></w:r>{}",
            bold("<w:t xml:space=\"preserve\">one </w:t>"),
            bold("<w:t>two</w:t>"),
            bold("<w:t xml:space=\"preserve\"> three</w:t>"),
        ))
    );
    let comments = done.view.comments().expect("read");
    assert_eq!(comments[0].text, "Why & how?\nSay.");
    assert_eq!(comments[0].author, "Tester");
}

#[test]
fn a_whole_paragraph_and_an_empty_one_can_be_commented_on() {
    for inner in [r("x"), String::new()] {
        let before = document(&p(&inner));
        let done = comment(&before, None, "Note");
        sound(&before, &done.content);
        assert_eq!(
            body(&done.content),
            p(&format!(
                "<w:commentRangeStart w:id=\"1\"/>{inner}<w:commentRangeEnd w:id=\"1\"/><w:r><w:commentReference w:id=\"1\"/></w:r>"
            ))
        );
    }
}

#[test]
fn a_thread_is_answered_resolved_and_deleted() {
    let before = document(&p(&r("one two")));
    let first = comment(&before, Some("two"), "Why?").content;
    let reply = Edit::ReplyToComment(ReplyToComment { comment: "1".into(), text: "Because.".into() });
    let answered = check(&first, reply).expect("answered");
    sound(&before, &answered.content);
    assert_eq!(answered.view.comments().expect("read").len(), 2);
    assert!(part(&answered.content, "word/commentsExtended.xml").contains("w15:paraIdParent=\""));
    let resolve = Edit::ResolveComment(ResolveComment { comment: "1".into(), done: true });
    let resolved = check(&answered.content, resolve).expect("resolved");
    assert_eq!(part(&resolved.content, "word/commentsExtended.xml").matches("w15:done=\"1\"").count(), 2);
    let again = Edit::ResolveComment(ResolveComment { comment: "1".into(), done: false });
    let open = check(&resolved.content, again).expect("reopened");
    assert_eq!(
        part(&open.content, "word/commentsExtended.xml"),
        part(&answered.content, "word/commentsExtended.xml")
    );
    let deleted = check(&resolved.content, Edit::DeleteComment(DeleteComment { comment: "1".into() }))
        .expect("deleted");
    sound(&before, &deleted.content);
    assert!(!body(&deleted.content).contains("comment"));
    assert_eq!(deleted.view.comments().expect("read"), []);
    assert!(!part(&deleted.content, "word/commentsExtended.xml").contains("commentEx "));
    let missing = check(&first, Edit::DeleteComment(DeleteComment { comment: "9".into() }));
    assert!(matches!(missing, Err(Refusal::NotFound { .. })));
}

fn fill(content: &Content, pairs: &[(&str, &str)], markup: Markup) -> Result<Checked<Word>, Refusal> {
    let values = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    check(content, Edit::FillTemplate(FillTemplate { values, markup }))
}

#[test]
fn placeholders_are_filled_across_runs_and_keep_their_look() {
    let before = document(&p(&format!(
        "{}{}{}",
        r("Dear {{fir"),
        rr("<w:b/>", "st name}}"),
        r(", {{ city }} & {{other}}")
    )));
    for markup in [Markup::Plain, Markup::Tracked] {
        let done = fill(&before, &[("first name", "Ann <b>"), ("city", "Bonn"), ("zip", "1")], markup)
            .expect("filled");
        assert_eq!(lines(&done.view, Side::Final), ["Dear Ann <b>, Bonn & {{other}}"]);
        sound(&before, &done.content);
        let Outcome::Filled { filled, unused, missing } = &done.outcomes[0] else { panic!("filled") };
        assert_eq!(
            (filled.len(), unused.as_slice(), missing.as_slice()),
            (2, &["zip".to_owned()][..], &["other".to_owned()][..])
        );
    }
}

#[test]
fn content_controls_are_filled_by_tag_and_lose_their_prompt() {
    let control = |properties: &str, inner: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:tag w:val=\"who\"/>{properties}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"
        )
    };
    let prompt = rr("<w:rStyle w:val=\"PlaceholderText\"/>", "Click here");
    let before = document(&p(&format!(
        "{}{}",
        control("<w:showingPlcHdr/>", &prompt),
        control("", &rr("<w:b/>", "Old Name"))
    )));
    let done = fill(&before, &[("who", "New Name")], Markup::Plain).expect("filled");
    assert_eq!(
        body(&done.content),
        p(&format!(
            "{}{}",
            control("", "<w:r><w:t>New Name</w:t></w:r>"),
            control("", &rr("<w:b/>", "New Name"))
        ))
    );
    let locked = document(&p(&control("<w:lock w:val=\"contentLocked\"/>", &r("x"))));
    assert!(matches!(fill(&locked, &[("who", "y")], Markup::Plain), Err(Refusal::Unsafe { .. })));
}

#[test]
fn a_footnote_is_added_at_its_place_and_deleted_again() {
    let before = document(&p(&r("one two")));
    for (kind, name) in [(NoteKind::Footnote, "footnote"), (NoteKind::Endnote, "endnote")] {
        for markup in [Markup::Plain, Markup::Tracked] {
            let edit = AddNote {
                paragraph: id(&before, 0),
                after: Some("one".into()),
                kind,
                text: "Said & done\nTwice".into(),
                markup,
            };
            let done = check(&before, Edit::AddNote(edit.clone())).expect("noted");
            sound(&before, &done.content);
            let after = body(&done.content);
            assert!(after.contains(&format!("<w:{name}Reference w:id=\"1\"/>")), "{after}");
            assert!(part(&done.content, &format!("word/{name}s.xml")).contains("Said &amp; done"));
            assert_eq!(lines(&done.view, Side::Final)[0], "one two");
            let second =
                check(&done.content, Edit::AddNote(AddNote { paragraph: id(&done.content, 0), ..edit }))
                    .expect("noted");
            sound(&before, &second.content);
            let gone = check(
                &done.content,
                Edit::DeleteNote(DeleteNote { kind, note: "1".into(), markup: Markup::Plain }),
            )
            .expect("deleted");
            sound(&before, &gone.content);
            assert!(!body(&gone.content).contains("Reference"));
            assert!(
                check(
                    &before,
                    Edit::DeleteNote(DeleteNote { kind, note: "1".into(), markup: Markup::Plain })
                )
                .is_err()
            );
        }
    }
}

#[test]
fn a_text_becomes_a_link_or_a_bookmark_without_losing_its_look() {
    let before = document(&p(&format!("{}{}", r("see "), rr("<w:b/>", "the site now"))));
    let link = |quote: &str, target: &str| {
        Edit::AddHyperlink(AddHyperlink {
            paragraph: id(&before, 0),
            quote: quote.into(),
            target: target.into(),
        })
    };
    let done = check(&before, link("the site", "https://example.org/?a=1&b=2")).expect("linked");
    sound(&before, &done.content);
    let bold = |text: &str| format!("<w:r><w:rPr><w:b/></w:rPr><w:t{text}</w:t></w:r>");
    assert_eq!(
        body(&done.content),
        p(&format!(
            "{}<w:hyperlink r:id=\"rId1\">{}</w:hyperlink>{}",
            r("see "),
            bold(">the site"),
            bold(" xml:space=\"preserve\"> now")
        ))
    );
    assert!(part(&done.content, "word/_rels/document.xml.rels").contains("https://example.org/?a=1&amp;b=2"));
    let inner = check(&before, link("see the", "#_top")).expect("linked");
    assert!(body(&inner.content).starts_with("<w:p><w:hyperlink w:anchor=\"_top\">"));
    let paragraph = id(&done.content, 0);
    let again = AddHyperlink { paragraph, quote: "site now".into(), target: "#_top".into() };
    assert!(matches!(check(&done.content, Edit::AddHyperlink(again)), Err(Refusal::Unsafe { .. })));
    let mark =
        |name: &str| AddBookmark { paragraph: id(&before, 0), quote: Some("site".into()), name: name.into() };
    let marked = check(&before, Edit::AddBookmark(mark("place"))).expect("marked");
    sound(&before, &marked.content);
    assert!(body(&marked.content).contains("<w:bookmarkStart w:id=\"1\" w:name=\"place\"/>"));
    assert!(check(&before, Edit::AddBookmark(mark("a place"))).is_err());
    let taken = AddBookmark { paragraph: id(&marked.content, 0), ..mark("Place") };
    assert!(check(&marked.content, Edit::AddBookmark(taken)).is_err());
}

#[test]
fn halves_of_a_run_with_a_record_of_its_formatting_have_ids_of_their_own() {
    let run = "<w:r><w:rPr><w:b/><w:rPrChange w:id=\"7\" w:author=\"Other\" w:date=\"2024-01-01T00:00:00Z\"><w:rPr/></w:rPrChange></w:rPr><w:t>one two three</w:t></w:r>";
    let before = document(&p(run));
    let ids = |content: &Content| {
        let body = body(content);
        let ids = body.match_indices(" w:id=\"").filter_map(|(at, _)| body[at + 7..].split('"').next());
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    let quote = Some("two".to_owned());
    let comment = Edit::AddComment(AddComment { paragraph: id(&before, 0), quote, text: "?".into() });
    let done = check(&before, comment).expect("commented");
    let body_of = body(&done.content);
    let records: Vec<&str> =
        body_of.match_indices("<w:rPrChange w:id=").map(|(at, _)| &body_of[at..at + 22]).collect();
    assert_eq!(records.iter().collect::<std::collections::BTreeSet<_>>().len(), 3, "{records:?}");
    for (new, markup) in [("2", Markup::Tracked), ("<i>2</i>", Markup::Plain), ("<i>2</i>", Markup::Tracked)]
    {
        let done = replace(&before, 0, "two", new, markup).expect("replaced");
        sound(&before, &done.content);
        let all = ids(&done.content);
        let unique: std::collections::BTreeSet<&String> = all.iter().collect();
        assert!(all.contains(&"7".to_owned()) && unique.len() == all.len(), "{new}: {all:?}");
        assert!(all.len() > 1, "{new}: the run was not cut");
    }
}

#[test]
fn a_tracked_deletion_takes_a_text_box_along_as_it_is() {
    let boxed = format!(
        "<w:r><w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></w:r>",
        p(&r("boxed"))
    );
    let before = document(&(p(&(r("around") + &boxed)) + &p(&r("behind"))));
    let done = delete(&before, 0, Markup::Tracked).expect("deleted");
    sound(&before, &done.content);
    assert!(body(&done.content).contains(&p(&r("boxed"))), "{}", body(&done.content));
}

#[test]
fn a_new_paragraph_has_each_property_of_its_mark_once() {
    let before = document(&p(&format!(
        "<w:pPr><w:rPr><w:sz w:val=\"20\"/><w:b/><w:sz w:val=\"22\"/></w:rPr></w:pPr>{}",
        r("a")
    )));
    let edit = InsertParagraphs {
        anchor: id(&before, 0),
        position: Position::After,
        text: "b".into(),
        style_source: None,
        markup: Markup::Plain,
    };
    let done = check(&before, Edit::InsertParagraphs(edit)).expect("inserted");
    let mark = "<w:pPr><w:rPr><w:b/><w:sz w:val=\"22\"/></w:rPr></w:pPr>";
    assert!(body(&done.content).contains(mark), "{}", body(&done.content));
}

#[test]
fn a_tracked_deletion_of_the_last_paragraph_says_that_it_stays() {
    let before = document(&(p(&r("one")) + &p(&r("two"))));
    for (markup, stays) in [(Markup::Plain, false), (Markup::Tracked, true)] {
        let done = delete(&before, 1, markup).expect("deleted");
        assert!(matches!(done.outcomes[..], [Outcome::Deleted { kept, .. }] if kept == stays), "{markup:?}");
    }
}

#[test]
fn a_deleted_paragraph_takes_its_comments_along() {
    let before = document(&format!("{}{}", p(&r("one two")), p(&r("three"))));
    let first = comment(&before, Some("two"), "Why?").content;
    let reply = Edit::ReplyToComment(ReplyToComment { comment: "1".into(), text: "Because.".into() });
    let answered = check(&first, reply).expect("answered").content;
    let done = delete(&answered, 0, Markup::Plain).expect("deleted");
    sound(&before, &done.content);
    assert_eq!(body(&done.content), p(&r("three")));
    assert_eq!(done.view.comments().expect("read"), []);
    let tracked = delete(&answered, 0, Markup::Tracked).expect("deleted");
    sound(&before, &tracked.content);
    assert_eq!(tracked.view.comments().expect("read").len(), 2);
}

#[test]
fn accents_that_are_spelled_otherwise_are_found_and_stay_as_they_are() {
    let before = document(&p(&(r("Le cafe\u{301} ") + &rr("<w:b/>", "ferme\u{301}") + &r(" tard"))));
    let done =
        replace(&before, 0, "caf\u{e9} ferm\u{e9} tard", "caf\u{e9} ferm\u{e9} t\u{f4}t", Markup::Plain);
    let after = p(&(r("Le cafe\u{301} ") + &rr("<w:b/>", "ferme\u{301}") + &r(" t\u{f4}t")));
    assert_eq!(body(&done.expect("replaced").content), after);
    // Who quotes a text as it is, and asks for the other spelling, gets it.
    let done = replace(&before, 0, "ferme\u{301}", "ferm\u{e9}", Markup::Plain).expect("replaced");
    assert!(body(&done.content).contains(">ferm\u{e9}<"), "{}", body(&done.content));
    let done = comment(&before, Some("caf\u{e9}"), "Why?");
    assert_eq!(done.view.threads().expect("read").values().next().expect("one").quote, "cafe\u{301}");
}

mod bookmarks;
mod comments;
mod controls;
mod deletions;
mod links;
mod notes;
mod refusals;
mod running;
mod staging;
mod tables;

#[test]
fn a_deletion_takes_phonetic_text_with_the_run_that_holds_it() {
    let ruby = |text: &str| {
        format!(
            "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:{text}>above</w:{text}></w:r></w:rt><w:rubyBase><w:r><w:{text}>base</w:{text}></w:r></w:rubyBase></w:ruby></w:r>"
        )
    };
    let content = document(&format!("{}{}", p(&ruby("t")), p(&r("next"))));
    let deleted = delete(&content, 0, Markup::Tracked).expect("deleted").content;
    assert_eq!(body(&deleted).matches("<w:del ").count(), 2, "the run and the mark");
    assert!(body(&deleted).contains(&format!(">{}</w:del>", ruby("delText"))), "{}", body(&deleted));
    let edit = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
    let rejected = check(&deleted, Edit::ResolveChanges(edit)).expect("rejected").content;
    assert_eq!(body(&rejected), body(&content));
}

#[test]
fn what_is_written_anew_is_in_order_where_the_file_is_not() {
    let torn = "<w:pPr><w:jc w:val=\"left\"/><w:spacing w:after=\"0\"/><w:jc w:val=\"right\"/></w:pPr>";
    let content = document(&format!("<w:p>{torn}{}</w:p>", r("only")));
    for markup in [Markup::Plain, Markup::Tracked] {
        let after = insert(&content, 0, Position::After, "new", markup).expect("inserted").content;
        assert_eq!(crate::new_problems(&content, &after).expect("linted"), []);
        let new = "<w:spacing w:after=\"0\"/><w:jc w:val=\"right\"/>";
        assert!(body(&after).contains(new) && !body(&after).contains("pPrChange"), "{}", body(&after));
    }
}

/// Some programs put a table into a paragraph, and Word reads it.
#[test]
fn a_table_in_a_paragraph_is_edited_and_never_torn() {
    let inner = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p(&r("inner")));
    let outer = p(&format!("{}{inner}{}", r("outer text"), r(" behind")));
    let content = document(&format!("<w:tbl><w:tr><w:tc>{outer}</w:tc></w:tr></w:tbl>{}", p(&r("last"))));
    for (index, word) in ["behind", "inner", "last"].into_iter().enumerate() {
        for markup in [Markup::Plain, Markup::Tracked] {
            let edits = [
                replace(&content, index, word, "new words", markup),
                insert(&content, index, Position::After, "one\n\ntwo", markup),
                insert(&content, index, Position::Before, "one\n\ntwo", markup),
                delete(&content, index, markup),
            ];
            for (number, edit) in edits.into_iter().enumerate() {
                let told = format!("edit {number} of {word}, {markup:?}");
                if (index, number) == (0, 3) {
                    assert!(matches!(edit, Err(Refusal::Unsafe { .. })), "{told}");
                    continue;
                }
                let after = edit.unwrap_or_else(|refusal| panic!("{told}: {refusal}"));
                assert_eq!(crate::new_problems(&content, &after.content).expect("linted"), [], "{told}");
                let fresh = View::read(&after.content).expect("viewed");
                assert_eq!(lines(&after.view, Side::Final), lines(&fresh, Side::Final), "{told}");
            }
        }
    }
}

#[test]
fn a_break_outside_runs_is_deleted_with_its_paragraph() {
    let content = document(&format!("{}{}", p(&format!("<w:br/>{}", r("one"))), p(&r("two"))));
    let deleted = delete(&content, 0, Markup::Tracked).expect("deleted");
    assert_eq!(lines(&deleted.view, Side::Final).concat(), "two");
    assert_eq!(lines(&deleted.view, Side::Original).concat(), "\nonetwo");
}

#[test]
fn what_is_added_to_a_strict_document_is_strict() {
    let plain = document(&p(&r("one two")));
    let names: Vec<edit::PartName> = plain.names().cloned().collect();
    let mut content = Content::new();
    let office = "http://schemas.openxmlformats.org/";
    let loose =
        [format!("{office}wordprocessingml/2006/main"), format!("{office}officeDocument/2006/relationships")];
    let strict = ["wordprocessingml/main", "officeDocument/relationships"];
    for name in names {
        let text = String::from_utf8(plain.read(&name).expect("read").expect("there").bytes().into_owned());
        let mut text = text.expect("UTF-8");
        for (loose, strict) in loose.iter().zip(strict) {
            text = text.replace(loose, &format!("http://purl.oclc.org/ooxml/{strict}"));
        }
        content.insert(name, edit::Blob::from(text));
    }
    let paragraph = id(&content, 0);
    let edits = [
        Edit::AddComment(AddComment { paragraph, quote: Some("one".into()), text: "Why?".into() }),
        Edit::AddNote(AddNote {
            paragraph,
            after: Some("two".into()),
            text: "A note".into(),
            kind: NoteKind::Footnote,
            markup: Markup::Plain,
        }),
        Edit::AddHyperlink(AddHyperlink {
            paragraph,
            quote: "two".into(),
            target: "https://example.org/".into(),
        }),
        Edit::SetRunningText(SetRunningText {
            edge: Edge::Header,
            pages: Pages::Even,
            section: 1,
            text: "Page {PAGE}".into(),
            markup: Markup::Plain,
        }),
    ];
    for edit in edits {
        let told = format!("{edit:?}");
        let after = check(&content, edit).unwrap_or_else(|refusal| panic!("{told}: {refusal}")).content;
        for name in after.names() {
            let blob = after.read(name).expect("read").expect("there");
            let text = String::from_utf8_lossy(&blob.bytes()).into_owned();
            assert!(!loose.iter().any(|loose| text.contains(loose)), "{told}: {name}: {text}");
        }
    }
}

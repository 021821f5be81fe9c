//! What cannot be done is said so that a caller can go on, and nothing is planned.

use super::*;

fn refused(content: &Content, edit: Edit) -> Refusal {
    check(content, edit).err().expect("a refusal")
}

#[test]
fn text_not_found_names_the_paragraphs_that_have_it() {
    let content = document(&(p(&r("Nothing here")) + &p(&r("pay the rent")) + &p(&r("also pay the rent"))));
    let refusal = refused(&content, replacing(&content, 0, "pay the rent", "x", Markup::Plain));
    let Refusal::NotFound { what: "text", nearest, .. } = &refusal else { panic!("{refusal}") };
    let has = |index| format!("paragraph {} has this text", id(&content, index));
    assert_eq!(*nearest, [has(1), has(2)]);
    assert!(refusal.hint().is_some_and(|hint| hint.contains(&has(1))));
}

#[test]
fn a_wrong_id_is_answered_with_ids_that_are_like_it() {
    let content = document(&(p(&r("one")) + &p(&r("two"))));
    let right = id(&content, 1).to_string();
    let last = if right.ends_with('0') { "1" } else { "0" };
    let wrong: ParagraphId = format!("{}{last}", &right[..right.len() - 1]).parse().expect("an id");
    let edit =
        Edit::DeleteParagraph(DeleteParagraph { paragraph: wrong, expect: None, markup: Markup::Plain });
    let Refusal::NotFound { what: "paragraph", nearest, .. } = refused(&content, edit) else {
        panic!("found");
    };
    assert_eq!(nearest, [right]);
}

fn text_box(inner: &str) -> String {
    p(&format!(
        "<w:r><w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></w:r>"
    ))
}

#[test]
fn a_tracked_edit_in_a_text_box_is_refused_and_a_plain_one_is_made() {
    let content = document(&(text_box(&p(&(r("boxed ") + &rr("<w:b/>", "words")))) + &p(&r("outside"))));
    let boxed = (0..3).find(|index| {
        let view = View::read(&content).expect("viewed");
        let place = view.place_of(id(&content, *index)).expect("a paragraph");
        view.paragraph(place).expect("read").text(crate::Side::Final).text == "boxed words"
    });
    let boxed = boxed.expect("the paragraph in the box");
    let insert = Edit::InsertParagraphs(InsertParagraphs {
        anchor: id(&content, boxed),
        position: Position::Before,
        text: "more".into(),
        style_source: None,
        markup: Markup::Tracked,
    });
    let delete = Edit::DeleteParagraph(DeleteParagraph {
        paragraph: id(&content, boxed),
        expect: None,
        markup: Markup::Tracked,
    });
    for edit in [replacing(&content, boxed, "words", "text", Markup::Tracked), insert, delete] {
        let Refusal::Unsafe { why, instead } = refused(&content, edit) else { panic!("not refused") };
        assert!(why.contains("text box") && instead.is_some(), "{why}");
    }
    let done = check(&content, replacing(&content, boxed, "words", "text", Markup::Plain)).expect("made");
    assert!(body(&done.content).contains("<w:b/></w:rPr><w:t xml:space=\"preserve\">text</w:t>"));
}

#[test]
fn ids_of_tracked_changes_stay_unique_over_a_batch() {
    let content = document(
        &(0..30)
            .map(|number| p(&format!("<w:bookmarkStart w:id=\"{number}\" w:name=\"b{number}\"/>{}<w:bookmarkEnd w:id=\"{number}\"/>", r("old words"))))
            .collect::<String>(),
    );
    let edits: Vec<Edit> =
        (0..30).map(|index| replacing(&content, index, "old", "new", Markup::Tracked)).collect();
    let done = testkit::check::<Word>(&content, &edits).expect("made");
    assert_eq!(crate::new_problems(&content, &done.content).expect("linted"), []);
    let changes = crate::changes(&done.view).expect("listed");
    let ids: std::collections::BTreeSet<&str> = changes.iter().map(|change| change.id.as_str()).collect();
    assert_eq!((changes.len(), ids.len()), (60, 60));
    assert_eq!(done.view.highest_id(), View::read(&done.content).expect("viewed").highest_id());
    let authors = crate::authors(&done.view, None).expect("counted");
    assert_eq!(authors.values().sum::<usize>(), 60);
    // Counting on from another state comes to the same, forwards and backwards.
    let before = View::read(&content).expect("viewed");
    let none = crate::authors(&before, None).expect("counted");
    let known = |content: &Content, counts| edit::Undecided { content: content.clone(), counts };
    let forwards = crate::authors(&done.view, Some(&known(&content, none.clone()))).expect("counted");
    let backwards = crate::authors(&before, Some(&known(&done.content, authors.clone()))).expect("counted");
    assert_eq!((forwards, backwards), (authors, none));
}

#[test]
fn the_copy_of_a_text_box_for_older_programs_stays_and_is_told_of() {
    let boxed = |inner: &str, copy: &str| {
        let content = |inner: &str| format!("<w:txbxContent>{inner}</w:txbxContent>");
        p(&format!(
            "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:inline><wps:wsp><wps:txbx>{}</wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            content(inner),
            content(copy)
        ))
    };
    let old = p(&r("Secret words"));
    let before = document(&(boxed(&old, &old) + &p(&r("end"))));
    let done = replace(&before, 1, "Secret", "Open", Markup::Plain).expect("replaced");
    assert_eq!(body(&done.content), boxed(&p(&r("Open words")), &old) + &p(&r("end")));
    let view = View::read(&before).expect("views");
    let told = |edit: Edit| {
        let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
        let told = planned.step.notes.iter().filter(|note| note.text.contains("keeps the old words"));
        (told.count(), planned.step.notes.len())
    };
    let replaced = |index, old| told(replacing(&before, index, old, "x", Markup::Plain));
    assert_eq!((replaced(1, "Secret"), replaced(2, "end")), ((1, 1), (0, 0)));
    let operation = |op| Operation { op, places: op::Places::default(), markup: Markup::Plain };
    let insert = |found: &str, text: &str| {
        let scope = op::Scope::Found(found.into());
        operation(op::Op::InsertText(op::InsertText { text: text.into(), scope, ..Default::default() }))
    };
    let query = |query: &str| {
        let (query, matching, scope) = (query.to_owned(), op::Matching::default(), op::Scope::Document);
        let target = op::Target::Query { query, matching, scope };
        operation(op::Op::Replace(op::Replace { target, with: "x".into(), mode: op::ReplaceMode::All }))
    };
    for (operation, wanted) in [
        (insert("Secret", "Open"), 1),
        (insert("Secret", "Open\nand shut"), 1),
        (query("words"), 1),
        (query("end"), 0),
        (insert("end", "End"), 0),
    ] {
        let op = format!("{:?}", operation.op);
        assert_eq!(told(Edit::Op(Box::new(operation))), (wanted, wanted), "{op}");
    }
    let operations = vec![insert("Secret", "Open"), insert("words", "doors")];
    assert_eq!(told(Edit::Ops { operations }), (1, 1));
}

#[test]
fn comments_and_notes_hang_on_the_body_and_the_place_to_use_is_told() {
    let boxed = format!(
        "<w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r>",
        p(&r("boxed"))
    );
    let reference = "<w:r><w:footnoteReference w:id=\"1\"/></w:r>";
    let end = "<w:r><w:endnoteReference w:id=\"1\"/></w:r>";
    let body =
        p(&r("plain")) + &p(&(r("host") + &boxed)) + &p(&(r("noted") + reference)) + &p(&(r("last") + end));
    let note = |kind: &str| format!("<w:{kind} w:id=\"1\">{}</w:{kind}>", p(&r(kind)));
    let comment = format!("<w:comment w:id=\"1\" w:author=\"A\">{}</w:comment>", p(&r("said")));
    let content = crate::testing::document_with(
        &body,
        &[
            ("header1", &p(&r("header"))),
            ("footer1", &p(&r("footer"))),
            ("footnotes", &note("footnote")),
            ("endnotes", &note("endnote")),
            ("comments", &comment),
        ],
    );
    let view = View::read(&content).expect("viewed");
    let named = |text: &str| {
        let place =
            view.places().find(|place| view.paragraph(*place).expect("read").text(Side::Final).text == text);
        view.id(place.unwrap_or_else(|| panic!("{text}")))
    };
    let in_body = "use a paragraph of the body".to_owned();
    for (text, within, comment, note) in [
        ("boxed", "a text box", format!("use paragraph {}, which holds the text box", named("host")), None),
        ("header", "a header", in_body.clone(), None),
        ("footer", "a footer", in_body.clone(), None),
        (
            "footnote",
            "a footnote",
            format!("use paragraph {}, which refers to the note", named("noted")),
            None,
        ),
        ("endnote", "an endnote", format!("use paragraph {}, which refers to the note", named("last")), None),
        ("said", "a comment", "answer the comment instead".to_owned(), Some(in_body.clone())),
    ] {
        let paragraph = named(text);
        let add = AddComment { paragraph, quote: None, text: "Why?".into() };
        let (kind, markup) = (NoteKind::Footnote, Markup::Plain);
        let add_note = AddNote { paragraph, after: None, kind, text: "x".into(), markup };
        let note = note.unwrap_or_else(|| comment.clone());
        for (edit, named, hint) in
            [(Edit::AddComment(add), "a comment", comment), (Edit::AddNote(add_note), "a note", note)]
        {
            let refusal = refused(&content, edit);
            assert_eq!(refusal.hint().as_deref(), Some(hint.as_str()), "{text}");
            let said = format!("{named} in {within}, where Word does not show it, is not supported");
            assert_eq!(refusal.to_string(), said);
        }
    }
    let add = AddComment { paragraph: named("host"), quote: Some("host".into()), text: "Why?".into() };
    check(&content, Edit::AddComment(add)).expect("commented");
}

#[test]
fn the_loss_of_a_bookmark_that_others_point_at_is_told() {
    let marked = |id: usize, name: &str, text: &str| {
        p(&format!(
            "<w:bookmarkStart w:id=\"{id}\" w:name=\"{name}\"/>{}<w:bookmarkEnd w:id=\"{id}\"/>",
            r(text)
        ))
    };
    let field = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText xml:space=\"preserve\"> REF _Ref1 \\h </w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>Fees</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let before = document(
        &(marked(1, "_Ref1", "Fees")
            + &marked(2, "Fees", "Costs")
            + &marked(3, "_Ref11", "Term")
            + &p(field)
            + &p(&format!("<w:hyperlink w:anchor=\"Fees\">{}</w:hyperlink>", r("Fees")))
            + &p(&r("Fees _Ref11"))),
    );
    let view = View::read(&before).expect("views");
    let told = |index, markup| {
        let edit =
            Edit::DeleteParagraph(DeleteParagraph { paragraph: id(&before, index), expect: None, markup });
        let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
        planned.step.notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("; ")
    };
    let said = |name: &str, index| {
        format!(
            "links or cross references point at what is deleted (bookmark {name}) and have no target any more: {}",
            id(&before, index)
        )
    };
    assert_eq!(told(0, Markup::Plain), said("_Ref1", 3));
    assert_eq!(told(1, Markup::Plain), said("Fees", 4));
    for (index, markup) in [(2, Markup::Plain), (3, Markup::Plain), (0, Markup::Tracked)] {
        assert_eq!(told(index, markup), "");
    }
}

#[test]
fn text_behind_the_end_of_a_section_is_told_to_be_in_the_next() {
    let end = p(&format!("<w:pPr><w:sectPr/></w:pPr>{}", r("one")));
    let before = document(&(end + &p(&r("two"))));
    let view = View::read(&before).expect("views");
    let told = |index, position| {
        let (anchor, text) = (id(&before, index), "new".to_owned());
        let edit = InsertParagraphs { anchor, position, text, style_source: None, markup: Markup::Plain };
        let planned = crate::vocabulary::plan(&view, &Edit::InsertParagraphs(edit), &testkit::context());
        planned.expect("planned").step.notes.len()
    };
    assert_eq!([told(0, Position::After), told(0, Position::Before), told(1, Position::Before)], [1, 0, 0]);
}

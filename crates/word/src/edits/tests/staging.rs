//! Edits that wait while others change the document: every kind of edit, over changes elsewhere and at its place.

use serde_json::{Value, json};

use super::*;
use crate::testing::document_with;

fn edit(value: Value) -> Edit {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// A document with something of everything: numbered from 0 are the paragraphs of the body.
fn everything() -> Content {
    let cell = |text: &str| format!("<w:tc><w:tcPr/>{}</w:tc>", p(&r(text)));
    let row = |a: &str, b: &str| format!("<w:tr>{}{}</w:tr>", cell(a), cell(b));
    let table = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid>{}{}{}</w:tbl>",
        row("Name", "Age"),
        row("Ann", "30"),
        row("Bob", "40")
    );
    let tracked = "<w:ins w:id=\"71\" w:author=\"Ann\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:t> added</w:t></w:r></w:ins>";
    let deleted = "<w:del w:id=\"72\" w:author=\"Bob\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:delText> gone</w:delText></w:r></w:del>";
    let commented = "<w:commentRangeStart w:id=\"5\"/><w:r><w:t>Commented words</w:t></w:r><w:commentRangeEnd w:id=\"5\"/><w:r><w:commentReference w:id=\"5\"/></w:r>";
    let marked = "<w:bookmarkStart w:id=\"9\" w:name=\"Place\"/><w:r><w:t>Marked words</w:t></w:r><w:bookmarkEnd w:id=\"9\"/>";
    let body = [
        p(&r("Opening words")),
        p(&r("The fee is 30 days after the fee was due.")),
        p(&format!("{}{tracked}{deleted}", r("Tracked"))),
        p(commented),
        p(&format!("{}<w:r><w:footnoteReference w:id=\"1\"/></w:r>", r("Noted words"))),
        p(marked),
        p(&r("Dear {{name}}, pay {{sum}}.")),
        table,
        p(&r("Closing words")),
    ]
    .concat();
    let comments = format!("<w:comment w:id=\"5\" w:author=\"Ann\">{}</w:comment>", p(&r("Is this so?")));
    let notes = format!("<w:footnote w:id=\"1\">{}</w:footnote>", p(&r("A note")));
    let header = p(&r("Old header"));
    let styles = "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>";
    let parts = [("comments", &*comments), ("footnotes", &notes), ("header1", &header), ("styles", styles)];
    let content = document_with(&body, &parts);
    let main = content.read("word/document.xml").expect("read").expect("there");
    let text = String::from_utf8(main.bytes().into_owned()).expect("text");
    let reference = "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId3\"/></w:sectPr>";
    let mut content = content;
    content.insert(
        edit::PartName::new("word/document.xml"),
        edit::Blob::from(text.replace("<w:sectPr/>", reference)),
    );
    content
}

fn op(op: Value) -> Value {
    json!({"edit": "op", "op": op, "places": {}, "markup": "plain"})
}

/// One of each kind, and of each operation.
fn samples(content: &Content) -> Vec<Edit> {
    let at = |index: usize| id(content, index).to_string();
    let view = View::read(content).expect("a view");
    let table = view.tables().next().expect("a table").id.to_string();
    let nth = json!({"Nth": 0});
    let matching =
        json!({"regex": false, "wildcards": false, "case": false, "whole_word": false, "prefix": false});
    let found = |text: &str| json!({"Found": text});
    let samples = vec![
        json!({"edit": "replace_text", "paragraph": at(1), "old": "30 days", "new": "60 days"}),
        json!({"edit": "replace_text", "paragraph": at(1), "old": "30 days", "new": "60 days", "markup": "tracked"}),
        json!({"edit": "insert_paragraphs", "anchor": at(4), "position": "after", "text": "New words"}),
        json!({"edit": "insert_beside_table", "table": table, "position": "before", "text": "Above it"}),
        json!({"edit": "insert_table", "anchor": at(4), "position": "after", "rows": [["x", "y"]]}),
        json!({"edit": "delete_paragraph", "paragraph": at(1)}),
        json!({"edit": "resolve_changes", "resolution": "accept", "which": "all"}),
        json!({"edit": "resolve_changes", "resolution": "reject", "which": {"ids": ["72"]}}),
        json!({"edit": "resolve_changes", "resolution": "accept", "which": {"author": "Ann"}}),
        json!({"edit": "resolve_changes", "resolution": "accept", "which": {"paragraphs": [at(2)]}}),
        json!({"edit": "add_comment", "paragraph": at(1), "quote": "30 days", "text": "Why?"}),
        json!({"edit": "reply_to_comment", "comment": "5", "text": "It is."}),
        json!({"edit": "resolve_comment", "comment": "5", "done": true}),
        json!({"edit": "delete_comment", "comment": "5"}),
        json!({"edit": "fill_template", "values": {"name": "Ann", "sum": "5"}}),
        json!({"edit": "add_note", "paragraph": at(1), "after": "30 days", "kind": "footnote", "text": "By law"}),
        json!({"edit": "delete_note", "kind": "footnote", "note": "1"}),
        json!({"edit": "update_note", "kind": "footnote", "note": "1", "text": "Said otherwise"}),
        json!({"edit": "add_bookmark", "paragraph": at(1), "name": "Fee"}),
        json!({"edit": "rename_bookmark", "name": "Place", "new": "Spot"}),
        json!({"edit": "delete_bookmark", "name": "Place"}),
        json!({"edit": "add_hyperlink", "paragraph": at(1), "quote": "30 days", "target": "https://example.org/"}),
        json!({"edit": "set_running_text", "edge": "header", "section": 1, "text": "New header"}),
        op(
            json!({"InsertText": {"text": "!", "scope": found("30 days"), "location": "After", "new_paragraph": false, "keep_formatting": true}}),
        ),
        op(
            json!({"InsertText": {"text": "sixty", "scope": found("is 30"), "location": "Replace", "new_paragraph": false, "keep_formatting": true}}),
        ),
        op(
            json!({"Replace": {"target": {"Query": {"query": "fee", "matching": matching, "scope": "Document"}}, "with": "price", "mode": "All"}}),
        ),
        op(
            json!({"TableCreate": {"rows": 1, "cols": 2, "scope": found("Noted words"), "location": "After", "data": [], "header": false}}),
        ),
        op(json!({"TableInsertRows": {"table": nth, "at": 1, "count": 1, "side": "After"}})),
        op(json!({"TableInsertColumns": {"table": nth, "at": 0, "count": 1, "side": "After"}})),
        op(json!({"TableDeleteRows": {"table": nth, "indexes": [1]}})),
        op(json!({"TableDeleteColumns": {"table": nth, "indexes": [1]}})),
        op(json!({"TableSetCellText": {"table": nth, "row": 1, "col": 1, "text": "31"}})),
        op(
            json!({"TableMergeCells": {"table": nth, "start_row": 1, "start_col": 0, "row_span": 1, "col_span": 2}}),
        ),
        op(json!({"TableApplyStyle": {"table": nth, "style": {"first_row": true}}})),
    ];
    let bold = crate::op::ApplyStyle {
        scope: crate::op::Scope::Found("Closing text".into()),
        character: crate::op::CharacterFormat { bold: Some(true), ..Default::default() },
        ..Default::default()
    };
    let words = json!({"Replace": {"target": {"Query": {"query": "words", "matching": matching, "scope": "Document"}}, "with": "text", "mode": "All"}});
    let operations = [serde_json::from_value(words).expect("an operation"), crate::op::Op::ApplyStyle(bold)];
    let operation = |op| Operation { op, places: Default::default(), markup: Markup::Plain };
    let both = Edit::Ops { operations: operations.map(operation).into() };
    let mut samples: Vec<Edit> = samples.into_iter().map(edit).collect();
    samples.push(both);
    samples.extend(comparison(content, &view));
    samples
}

/// With a document in which a fee is another and a paragraph is new.
fn comparison(content: &Content, view: &View) -> Vec<Edit> {
    let at = |index: usize| id(content, index).to_string();
    let fee = json!({"edit": "replace_text", "paragraph": at(1), "old": "30 days", "new": "60 days"});
    let new = json!({"edit": "insert_paragraphs", "anchor": at(4), "position": "after", "text": "New words"});
    let revised = testkit::check::<Word>(content, &[edit(fee), edit(new)]).expect("revised");
    let formatting = crate::Formatting::Kept;
    let stop = edit::Stop::never();
    crate::compare(view, &revised.view, Markup::Tracked, formatting, &stop).expect("compared").edits
}

/// A new kind of edit gets its line here, and its sample above.
fn kind(edit: &Edit) -> usize {
    match edit {
        Edit::Op(_) => 0,
        Edit::Ops { .. } => 1,
        Edit::ReplaceText(_) => 2,
        Edit::InsertParagraphs(_) => 3,
        Edit::InsertBesideTable(_) => 4,
        Edit::InsertTable(_) => 5,
        Edit::DeleteParagraph(_) => 6,
        Edit::ResolveChanges(_) => 7,
        Edit::AddComment(_) => 8,
        Edit::ReplyToComment(_) => 9,
        Edit::ResolveComment(_) => 10,
        Edit::DeleteComment(_) => 11,
        Edit::FillTemplate(_) => 12,
        Edit::AddNote(_) => 13,
        Edit::DeleteNote(_) => 14,
        Edit::AddBookmark(_) => 15,
        Edit::RenameBookmark(_) => 16,
        Edit::DeleteBookmark(_) => 17,
        Edit::AddHyperlink(_) => 18,
        Edit::SetRunningText(_) => 19,
        // Made by anchoring each of the others.
        Edit::Anchored { .. } => 21,
        Edit::UpdateNote(_) => 20,
        Edit::Redline(_) => 22,
    }
}

const KINDS: usize = 21;

#[test]
fn every_kind_of_edit_can_wait_for_what_happens_elsewhere() {
    let before = everything();
    let samples = samples(&before);
    for number in (0..KINDS).chain([22]) {
        assert!(samples.iter().any(|sample| kind(sample) == number), "no sample of kind {number}");
    }
    let others = [
        json!({"edit": "replace_text", "paragraph": id(&before, 0).to_string(), "old": "Opening", "new": "First and foremost"}),
        json!({"edit": "insert_paragraphs", "anchor": id(&before, 0).to_string(), "position": "before", "text": "A title"}),
        json!({"edit": "insert_paragraphs", "anchor": id(&before, 0).to_string(), "position": "after", "text": "More"}),
        json!({"edit": "delete_paragraph", "paragraph": id(&before, 0).to_string()}),
    ];
    let mut refused = Vec::new();
    for sample in samples {
        if let Err(refusal) = check(&before, sample.clone()) {
            panic!("{refusal}: {sample:?}");
        }
        for other in &others {
            // This one speaks of every paragraph with these words.
            if matches!(sample, Edit::Ops { .. }) && !other.to_string().contains("insert") {
                continue;
            }
            if let Err(refusal) = testkit::check_carried::<Word>(&before, &sample, &edit(other.clone())) {
                refused.push(format!("{sample:?}\n    over {other}\n    {refusal} ({:?})", refusal.hint()));
            }
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn what_was_changed_since_is_not_touched() {
    let before = everything();
    let at = |index: usize| id(&before, index).to_string();
    let nth = json!({"Nth": 0});
    let replace = |index: usize, old: &str, new: &str| json!({"edit": "replace_text", "paragraph": at(index), "old": old, "new": new});
    let tracked = |index: usize, old: &str, new: &str| json!({"edit": "replace_text", "paragraph": at(index), "old": old, "new": new, "markup": "tracked"});
    let all = json!({"edit": "resolve_changes", "resolution": "accept", "which": "all"});
    let matching =
        json!({"regex": false, "wildcards": false, "case": false, "whole_word": false, "prefix": false});
    let fees = op(
        json!({"Replace": {"target": {"Query": {"query": "fee", "matching": matching, "scope": "Document"}}, "with": "price", "mode": "All"}}),
    );
    let row = op(json!({"TableInsertRows": {"table": nth, "at": 0, "count": 1, "side": "After"}}));
    for (staged, other) in [
        (replace(1, "30 days", "60 days"), replace(1, "30 days", "45 days")),
        (json!({"edit": "delete_paragraph", "paragraph": at(1)}), replace(1, "30", "31")),
        (all, tracked(9, "Ann", "Anna")),
        (
            json!({"edit": "resolve_changes", "resolution": "reject", "which": {"author": "Tester"}}),
            tracked(1, "30", "31"),
        ),
        (
            json!({"edit": "delete_comment", "comment": "5"}),
            json!({"edit": "reply_to_comment", "comment": "5", "text": "No"}),
        ),
        (json!({"edit": "fill_template", "values": {"name": "Ann"}}), replace(0, "Opening", "{{name}}")),
        (
            json!({"edit": "set_running_text", "edge": "header", "section": 1, "text": "x"}),
            json!({"edit": "set_running_text", "edge": "header", "section": 1, "text": "y"}),
        ),
        (fees, replace(0, "Opening", "fee")),
        (op(json!({"TableDeleteRows": {"table": nth, "indexes": [1]}})), row.clone()),
        (op(json!({"TableDeleteRows": {"table": nth, "indexes": [1]}})), replace(10, "30", "31")),
        (op(json!({"TableSetCellText": {"table": nth, "row": 2, "col": 1, "text": "41"}})), row),
        (
            op(
                json!({"InsertText": {"text": "x", "scope": {"Found": "The fee is 30 days"}, "location": "Replace", "new_paragraph": false, "keep_formatting": true}}),
            ),
            replace(1, "30", "31"),
        ),
    ] {
        let made = testkit::check_carried::<Word>(&before, &edit(staged.clone()), &edit(other.clone()));
        if let Ok(after) = made {
            panic!("{staged}\n    over {other}\n    was made: {}", body(&after));
        }
    }
}

/// What a reader finds, whatever the bytes.
fn reading(content: &Content) -> Vec<String> {
    let view = View::read(content).expect("a view");
    let mut found: Vec<String> = view
        .places()
        .map(|place| {
            let text = view.paragraph(place).expect("read").text(Side::Final).text;
            let cells = view.enclosures(place).iter().map(|around| around.kind).collect::<Vec<_>>();
            format!("{text} {cells:?} {:?}", view.fingerprint(place))
        })
        .collect();
    found.extend(
        view.tables()
            .map(|table| format!("{:?}", table.rows.iter().map(|r| r.cells.len()).collect::<Vec<_>>())),
    );
    found
}

#[test]
fn a_tracked_form_can_be_rejected_and_leaves_nothing() {
    let before = everything();
    // What is tracked already is decided first, so that rejecting all means all of the edit.
    let accept = edit(json!({"edit": "resolve_changes", "resolution": "accept", "which": "all"}));
    let before = check(&before, accept).expect("accepted").content;
    let reject = edit(json!({"edit": "resolve_changes", "resolution": "reject", "which": "all"}));
    let mut without = Vec::new();
    for sample in samples(&before) {
        if matches!(sample, Edit::ResolveChanges(_)) {
            continue;
        }
        let Some(tracked) = crate::vocabulary::tracked(&sample) else {
            without.push(kind(&sample));
            continue;
        };
        assert_eq!(crate::vocabulary::tracked(&tracked).as_ref(), Some(&tracked));
        let made = match check(&before, tracked.clone()) {
            Ok(made) => made.content,
            Err(refusal) => panic!("{tracked:?}: {refusal}"),
        };
        assert!(
            !crate::edits::changes::changes(&View::read(&made).expect("a view")).expect("listed").is_empty(),
            "{tracked:?}"
        );
        let rejected = check(&made, reject.clone()).expect("rejected").content;
        assert_eq!(reading(&rejected), reading(&before), "{tracked:?}");
        // Accepted, it is the edit itself.
        let accepted =
            check(&made, edit(json!({"edit": "resolve_changes", "resolution": "accept", "which": "all"})));
        let plain = check(&before, sample.clone()).expect("made").content;
        assert_eq!(reading(&accepted.expect("accepted").content), reading(&plain), "{tracked:?}");
    }
    without.dedup();
    assert_eq!(without, [8, 9, 10, 11, 12, 15, 16, 17, 18, 19]);
}

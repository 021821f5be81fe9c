use edit::{Content, Format};
use serde_json::{Value, json};

use crate::testing::{document_with, p, r, rr};
use crate::{View, Word};

fn id(content: &Content, index: usize) -> String {
    let view = View::read(content).expect("viewed");
    let place = view.places().nth(index).expect("there are that many");
    view.id(place).to_string()
}

/// What people see of an edit, without the ids.
fn shown(content: &Content, edit: Value) -> Vec<[String; 3]> {
    let edit = serde_json::from_value(edit.clone()).unwrap_or_else(|error| panic!("{error}: {edit}"));
    let done = testkit::check::<Word>(content, &[edit]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let before = View::read(content).expect("viewed");
    let all = Word::shown(&before, &done.view, &done.patch).expect("shown");
    // A view that was read anew calls paragraphs otherwise and shows the same.
    let fresh =
        Word::shown(&before, &View::read(&done.content).expect("viewed"), &done.patch).expect("shown");
    let texts =
        |list: &[edit::Shown]| list.iter().map(|s| (s.before.clone(), s.after.clone())).collect::<Vec<_>>();
    assert_eq!(texts(&all), texts(&fresh));
    let bare = |place: &str| {
        let words = place.split(' ').filter(|word| !word.starts_with("jr_para") && !word.starts_with("tbl_"));
        words.collect::<Vec<_>>().join(" ")
    };
    all.into_iter().map(|shown| [bare(&shown.place), shown.before, shown.after]).collect()
}

fn one(place: &str, before: &str, after: &str) -> Vec<[String; 3]> {
    vec![[place.to_owned(), before.to_owned(), after.to_owned()]]
}

fn sample() -> Content {
    let cell = |text: &str| format!("<w:tc><w:tcPr/>{}</w:tc>", p(&r(text)));
    let row = |a: &str, b: &str| format!("<w:tr>{}{}</w:tr>", cell(a), cell(b));
    let table = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"9\"/><w:gridCol w:w=\"9\"/></w:tblGrid>{}{}</w:tbl>",
        row("Ann", "30"),
        row("Bob", "40")
    );
    let noted = format!("{}<w:r><w:footnoteReference w:id=\"1\"/></w:r>", r("Noted"));
    let note = format!("<w:footnote w:id=\"1\">{}</w:footnote>", p(&r("By law")));
    let body = [p(&r("The fee is 30 days.")), p(&rr("<w:b/>", "Bold words")), table, p(&noted), p(&r("End"))]
        .concat();
    document_with(&body, &[("footnotes", &note)])
}

#[test]
fn text_is_shown_with_tracked_changes_accepted() {
    let content = sample();
    for markup in ["plain", "tracked"] {
        let edit = json!({"edit": "replace_text", "paragraph": id(&content, 0), "old": "30", "new": "60", "markup": markup});
        let wanted = one("paragraph (The fee is 60 days.)", "The fee is 30 days.", "The fee is 60 days.");
        assert_eq!(shown(&content, edit), wanted);
        let gone = json!({"edit": "delete_paragraph", "paragraph": id(&content, 0), "markup": markup});
        assert_eq!(shown(&content, gone), one("paragraph (The fee is 30 days.)", "The fee is 30 days.", ""));
        let new = json!({"edit": "insert_paragraphs", "anchor": id(&content, 0), "position": "after", "text": "One\n\nTwo", "markup": markup});
        let wanted = [one("paragraph (One)", "", "One"), one("paragraph (Two)", "", "Two")].concat();
        assert_eq!(shown(&content, new), wanted);
    }
}

#[test]
fn looks_are_told_in_words() {
    let content = sample();
    let op = |op: Value| json!({"edit": "op", "op": op, "places": {}, "markup": "plain"});
    let comment = json!({"edit": "add_comment", "paragraph": id(&content, 6), "text": "Why?"});
    let found = shown(&content, comment);
    assert!(
        found.iter().any(|[_, before, after]| before == "comments: 0" && after == "comments: 1"),
        "{found:?}"
    );
    assert!(
        found.iter().any(|[place, _, after]| place.starts_with("comment ") && after.contains("Why?")),
        "{found:?}"
    );
    let bookmark = json!({"edit": "add_bookmark", "paragraph": id(&content, 7), "name": "Finish"});
    assert_eq!(shown(&content, bookmark), one("paragraph (End)", "bookmarks: none", "bookmarks: Finish"));
    let row = op(json!({"TableInsertRows": {"table": {"Nth": 0}, "at": 0, "count": 1, "side": "After"}}));
    assert_eq!(shown(&content, row), one("row 2 of table", "", "(an empty row)"));
    let less = op(json!({"TableDeleteRows": {"table": {"Nth": 0}, "indexes": [1]}}));
    assert_eq!(shown(&content, less), one("row 2 of table", "Bob | 40", ""));
    let cell = op(json!({"TableSetCellText": {"table": {"Nth": 0}, "row": 1, "col": 1, "text": "41"}}));
    assert_eq!(shown(&content, cell), one("paragraph (41)", "40", "41"));
}

#[test]
fn formatting_shows_what_became_of_it() {
    let content = sample();
    let style = crate::op::ApplyStyle {
        scope: crate::op::Scope::Found("30 days".into()),
        character: crate::op::CharacterFormat { bold: Some(true), ..Default::default() },
        ..Default::default()
    };
    let markup = crate::Markup::Plain;
    let operation =
        crate::op::Operation { op: crate::op::Op::ApplyStyle(style), places: Default::default(), markup };
    let edit = serde_json::to_value(crate::Edit::Op(Box::new(operation))).expect("written");
    let wanted = one(
        "paragraph (The fee is 30 days.)",
        "text: The fee is 30 days.",
        "text: The fee is <b>30 days</b>.",
    );
    assert_eq!(shown(&content, edit), wanted);
}

#[test]
fn headers_and_notes_are_named_as_such() {
    let content = sample();
    let header = json!({"edit": "set_running_text", "edge": "header", "section": 1, "text": "Draft"});
    assert_eq!(shown(&content, header), one("header, paragraph (Draft)", "", "Draft"));
    let note =
        json!({"edit": "replace_text", "paragraph": id(&content, 8), "old": "By law", "new": "By custom"});
    assert_eq!(shown(&content, note), one("note 1, paragraph (By custom)", "By law", "By custom"));
    let changed = json!({"edit": "delete_note", "kind": "footnote", "note": "1"});
    assert!(
        shown(&content, changed).iter().any(|[place, before, after]| place.starts_with("note 1")
            && before == "By law"
            && after.is_empty())
    );
}

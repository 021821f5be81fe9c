//! Bookmarks that are renamed and deleted.

use super::*;
use crate::testing::document_with;

const BOOKMARK: &str = "<w:bookmarkStart w:id=\"7\" w:name=\"Total\"/>";
const END: &str = "<w:bookmarkEnd w:id=\"7\"/>";

fn field(instruction: &str) -> String {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!("{}{instruction}{}{}{}", mark("begin"), mark("separate"), r("12"), mark("end"))
}

fn code(text: &str) -> String {
    format!("<w:r><w:instrText xml:space=\"preserve\">{text}</w:instrText></w:r>")
}

fn rename(content: &Content, name: &str, new: &str) -> Result<Checked<Word>, Refusal> {
    check(content, Edit::RenameBookmark(RenameBookmark { name: name.into(), new: new.into() }))
}

fn delete(content: &Content, name: &str) -> Result<Checked<Word>, Refusal> {
    check(content, Edit::DeleteBookmark(DeleteBookmark { name: name.into() }))
}

fn pointed_at() -> Content {
    let body = [
        p(&(BOOKMARK.to_owned() + &r("Total") + END)),
        p(&field(&code(" REF Total \\h "))),
        p(&field(&(code(" PAGEREF To") + &code("tal \\h")))),
        p(&field(&(code(" HYPERLINK \\l &quot;total&quot; \\o &quot;Total&quot;")))),
        p("<w:fldSimple w:instr=\" REF Total \"><w:r><w:t>12</w:t></w:r></w:fldSimple>"),
        p("<w:hyperlink w:anchor=\"Total\"><w:r><w:t>see</w:t></w:r></w:hyperlink>"),
        p(&field(&code(" MERGEFIELD Total "))),
        // The result of a field is no instruction, and neither is text.
        p(&r("REF Total")),
    ];
    let note = "<w:footnote w:id=\"2\"><w:p><w:hyperlink w:anchor=\"Total\"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p></w:footnote>";
    document_with(&body.concat(), &[("footnotes", note)])
}

#[test]
fn a_new_name_is_carried_to_all_that_points_at_it() {
    let before = pointed_at();
    let done = rename(&before, "Total", "Sum").expect("renamed");
    sound(&before, &done.content);
    let main = part(&done.content, "word/document.xml");
    for wanted in [
        "w:name=\"Sum\"",
        " REF Sum \\h ",
        "<w:instrText xml:space=\"preserve\"> PAGEREF Sum</w:instrText>",
        "<w:instrText xml:space=\"preserve\"> \\h</w:instrText>",
        " HYPERLINK \\l \"Sum\" \\o \"Total\"",
        "w:instr=\" REF Sum \"",
        "w:anchor=\"Sum\"",
        " MERGEFIELD Total ",
        "REF Total",
    ] {
        assert!(main.contains(wanted), "{wanted}: {main}");
    }
    assert!(part(&done.content, "word/footnotes.xml").contains("w:anchor=\"Sum\""));
    let view = View::read(&before).expect("views");
    let edit = Edit::RenameBookmark(RenameBookmark { name: "Total".into(), new: "Sum".into() });
    let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
    let notes: Vec<&str> = planned.step.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(notes, ["6 links and cross references point at the new name"]);
    let spelled = rename(&before, "Total", "TOTAL").expect("another spelling");
    assert!(part(&spelled.content, "word/document.xml").contains("w:name=\"TOTAL\""));
}

#[test]
fn a_bookmark_goes_and_its_text_stays() {
    let before = pointed_at();
    let done = delete(&before, "total").expect("deleted");
    sound(&before, &done.content);
    let main = part(&done.content, "word/document.xml");
    assert!(!main.contains("bookmark") && main.contains(&p(&r("Total"))), "{main}");
    let view = View::read(&before).expect("views");
    let edit = Edit::DeleteBookmark(DeleteBookmark { name: "Total".into() });
    let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
    let note = planned.step.notes.first().expect("a note");
    assert!(note.text.contains("have no target any more"), "{}", note.text);
    // Around paragraphs, its two ends stand between them.
    let around = document(&(BOOKMARK.to_owned() + &p(&r("a")) + &p(&r("b")) + END));
    let done = delete(&around, "Total").expect("deleted");
    assert!(!part(&done.content, "word/document.xml").contains("bookmark"));
    let again = AddBookmark { paragraph: id(&around, 0), quote: None, name: "total".into() };
    assert!(matches!(check(&around, Edit::AddBookmark(again)), Err(Refusal::Invalid { .. })));
}

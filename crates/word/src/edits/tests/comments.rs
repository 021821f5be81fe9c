//! Comments with answers.

use edit::{Blob, PartName};

use super::*;
use crate::testing::document_with;

/// A thread of two comments and a comment beside it, with all the parts that Word writes of them.
fn threaded() -> Content {
    let comment = |id: usize| {
        let inner = format!("<w:p w14:paraId=\"0000000{id}\">{}</w:p>", r(&format!("said {id}")));
        format!("<w:comment w:id=\"{id}\" w:author=\"Ann\">{inner}</w:comment>")
    };
    let start = |id: usize| format!("<w:commentRangeStart w:id=\"{id}\"/>");
    let end = |id: usize| {
        format!("<w:commentRangeEnd w:id=\"{id}\"/><w:r><w:commentReference w:id=\"{id}\"/></w:r>")
    };
    let body =
        p(&(start(1) + &start(2) + &r("one") + &end(1) + &end(2))) + &p(&(start(3) + &r("two") + &end(3)));
    let comments = comment(1) + &comment(2) + &comment(3);
    let mut content = document_with(&body, &[("comments", &comments)]);
    // The answer is recorded before what it answers.
    let records = "<x:commentEx x:paraId=\"00000002\" x:paraIdParent=\"00000001\" x:done=\"0\"/>\
                   <x:commentEx x:paraId=\"00000001\" x:done=\"0\"/>\
                   <x:commentEx x:paraId=\"00000003\" x:done=\"0\"/>";
    let numbers = |row: &dyn Fn(usize) -> String| (1..=3).map(row).collect::<String>();
    let ids = numbers(&|id| format!("<x:commentId x:paraId=\"0000000{id}\" x:durableId=\"1000000{id}\"/>"));
    let dates = numbers(&|id| format!("<x:commentExtensible x:durableId=\"1000000{id}\" x:dateUtc=\"d\"/>"));
    let mut rows = String::new();
    for (name, root, kind, namespace, inner) in [
        ("commentsExtended", "commentsEx", "2011", "2012/wordml", records),
        ("commentsIds", "commentsIds", "2016/09", "2016/wordml/cid", &ids),
        ("commentsExtensible", "commentsExtensible", "2018/08", "2018/wordml/cex", &dates),
    ] {
        let namespace = format!("http://schemas.microsoft.com/office/word/{namespace}");
        let text = format!("<x:{root} xmlns:x=\"{namespace}\">{inner}</x:{root}>");
        content.insert(PartName::new(format!("word/{name}.xml")), Blob::from(text));
        let kind = format!("http://schemas.microsoft.com/office/{kind}/relationships/{name}");
        rows += &format!("<Relationship Id=\"{name}\" Type=\"{kind}\" Target=\"{name}.xml\"/>");
    }
    let related = part(&content, "word/_rels/document.xml.rels").replace("</Rel", &(rows + "</Rel"));
    content.insert(PartName::new("word/_rels/document.xml.rels"), Blob::from(related));
    content
}

#[test]
fn an_answer_to_an_answer_belongs_to_the_thread() {
    let before = threaded();
    let reply = ReplyToComment { comment: "2".into(), text: "Indeed".into() };
    let done = check(&before, Edit::ReplyToComment(reply)).expect("answered");
    sound(&before, &done.content);
    assert_eq!(done.view.threads().expect("told")["4"].parent.as_deref(), Some("1"));
    let marks = "<w:commentReference w:id=\"2\"/></w:r><w:r><w:commentReference w:id=\"4\"/></w:r></w:p>";
    assert!(body(&done.content).contains(marks), "{}", body(&done.content));
}

#[test]
fn a_thread_is_resolved_and_opened_again_as_one() {
    let before = threaded();
    for comment in ["1", "2"] {
        let resolve = ResolveComment { comment: comment.into(), done: true };
        let resolved = check(&before, Edit::ResolveComment(resolve)).expect("resolved");
        sound(&before, &resolved.content);
        let threads = resolved.view.threads().expect("told");
        assert!(threads["1"].resolved && threads["2"].resolved && !threads["3"].resolved);
        let open = ResolveComment { comment: comment.into(), done: false };
        let opened = check(&resolved.content, Edit::ResolveComment(open)).expect("opened");
        assert_eq!(
            part(&opened.content, "word/commentsExtended.xml"),
            part(&before, "word/commentsExtended.xml")
        );
    }
}

#[test]
fn a_deleted_thread_leaves_nothing_in_any_part() {
    let before = threaded();
    let all = |content: &Content, name: &str| part(content, &format!("word/comments{name}.xml"));
    let done = check(&before, Edit::DeleteComment(DeleteComment { comment: "1".into() })).expect("deleted");
    sound(&before, &done.content);
    for name in ["", "Extended", "Ids", "Extensible"] {
        let left = all(&done.content, name);
        assert!(left.contains("00000003") || left.contains("10000003"), "{left}");
        assert!(!left.contains("0000001\"") && !left.contains("0000002\""), "{left}");
    }
    let answer = check(&before, Edit::DeleteComment(DeleteComment { comment: "2".into() })).expect("deleted");
    assert!(all(&answer.content, "Extensible").contains("10000001"));
    assert!(!all(&answer.content, "Extensible").contains("10000002"));
}

#[test]
fn a_comment_on_several_paragraphs_tells_what_it_is_about() {
    let comments = format!("<w:comment w:id=\"1\" w:author=\"Ann\">{}</w:comment>", p(&r("said")));
    let (start, end) = ("<w:commentRangeStart w:id=\"1\"/>", "<w:commentRangeEnd w:id=\"1\"/>");
    let reference = "<w:r><w:commentReference w:id=\"1\"/></w:r>";
    let first = p(&format!("{}{start}{}", r("not "), r("this")));
    let last = p(&format!("{}{end}{reference}{}", r("those"), r(" others")));
    let content = document_with(&(first + &p(&r("that")) + &last), &[("comments", &comments)]);
    let threads = View::read(&content).expect("viewed").threads().expect("told");
    assert_eq!(threads["1"].quote, "this\nthat\nthose");
}

#[test]
fn an_empty_paragraph_that_closes_itself_takes_marks() {
    let before = document_with("<w:p/>", &[]);
    let paragraph = id(&before, 0);
    let comment = AddComment { paragraph, quote: None, text: "Why empty?".into() };
    let done = check(&before, Edit::AddComment(comment)).expect("commented");
    sound(&before, &done.content);
    let marks = "<w:p><w:commentRangeStart w:id=\"1\"/><w:commentRangeEnd w:id=\"1\"/>";
    assert!(body(&done.content).contains(marks), "{}", body(&done.content));

    let bookmark = AddBookmark { paragraph, quote: None, name: "Here".into() };
    let done = check(&before, Edit::AddBookmark(bookmark)).expect("marked");
    let marks = "<w:p><w:bookmarkStart w:id=\"1\" w:name=\"Here\"/><w:bookmarkEnd w:id=\"1\"/></w:p>";
    assert!(body(&done.content).contains(marks), "{}", body(&done.content));
}

//! What the engine promises, a test for each promise, by its name: how documents are read and edited, what other
//! programs get wrong, and what makes Word refuse a file.

mod peers;
mod promises;
mod refused;

use edit::{Content, Format, Refusal};
use testkit::Checked;

use crate::testing::{document, lines, p, r, rr};
use crate::text::read::{Node, Request};
use crate::{
    Edit, InsertParagraphs, Markup, ParagraphId, Position, ReplaceText, Side, View, Word, new_problems,
};

fn nodes(content: &Content) -> Vec<Node> {
    Word::view(content).expect("viewed").page(&Request::default()).expect("read").nodes
}

fn id(content: &Content, index: usize) -> ParagraphId {
    let view = Word::view(content).expect("viewed");
    view.id(view.places().nth(index).expect("there are that many"))
}

fn main_part(content: &Content) -> String {
    let blob = content.read("word/document.xml").expect("read").expect("there");
    String::from_utf8(blob.bytes().into_owned()).expect("UTF-8")
}

/// The edit with all its laws; nothing may be wrong afterwards that was not before.
fn made(content: &Content, edit: Edit) -> Result<Checked<Word>, Refusal> {
    let done = testkit::check::<Word>(content, &[edit])?;
    assert_eq!(new_problems(content, &done.content).expect("linted"), []);
    Ok(done)
}

fn smart_edit(
    content: &Content,
    index: usize,
    old: &str,
    new: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    let (paragraph, expect) = (id(content, index), None);
    made(
        content,
        Edit::ReplaceText(ReplaceText {
            paragraph,
            old: old.into(),
            new: new.into(),
            expect,
            markup,
            clear_highlight: false,
        }),
    )
}

fn smart_insert(content: &Content, index: usize, text: &str, markup: Markup) -> Checked<Word> {
    let (anchor, position, text, style_source) = (id(content, index), Position::After, text.into(), None);
    let edit = InsertParagraphs { anchor, position, text, style_source, markup };
    made(content, Edit::InsertParagraphs(edit)).expect("inserted")
}

fn field(kind: &str, result: &str) -> String {
    format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {kind} x </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        r(result)
    )
}

use edit::{Content, Refusal};
use testkit::Checked;

use super::*;
use crate::edits::{Markup, Outcome};
use crate::testing::{document, lines, p, r, rr};
use crate::vocabulary::Edit;
use crate::{View, Word};

mod formats;
mod lives;
mod pictures;
mod tables;
mod texts;
mod tracked_tables;

/// Plans, applies and checks the laws.
fn act(content: &Content, op: Op, places: Places, markup: Markup) -> Result<Checked<Word>, Refusal> {
    testkit::check::<Word>(content, &[Edit::Op(Box::new(Operation { op, places, markup }))])
}

fn plain(content: &Content, op: Op) -> Checked<Word> {
    act(content, op, Places::default(), Markup::Plain).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn answer(done: &Checked<Word>) -> &Answer<Span> {
    match done.outcomes.first() {
        Some(Outcome::Op { answer }) => answer,
        other => panic!("{other:?}"),
    }
}

fn body(content: &Content) -> String {
    let blob = content.read("word/document.xml").expect("read").expect("there");
    let text = String::from_utf8(blob.bytes().into_owned()).expect("UTF-8");
    let start = text.find("<w:body>").expect("a body") + 8;
    text[start..text.find("<w:sectPr/></w:body>").expect("a body")].to_owned()
}

/// The text under a span.
fn under(view: &View, span: &Span) -> String {
    place::Ground::under(view, span).and_then(|ground| ground.text(view)).expect("the span holds text")
}

/// A selection of the first place of `text`.
fn selecting(content: &Content, text: &str) -> Places {
    let view = View::read(content).expect("viewed");
    let ground = place::Ground::of(&view, &Scope::First(text.into()), &Places::default()).expect("found");
    Places { selection: Some(ground.span(&view).expect("a span")), ..Places::default() }
}

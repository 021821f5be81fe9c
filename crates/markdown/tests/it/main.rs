//! The Markdown engine from outside: real files, laws, and cases.
#![allow(clippy::disallowed_methods, reason = "tests read files; the engine under test does not")]

mod corpus;
mod laws;
mod moved;
mod notation;
mod random;
mod specification;
mod staging;
mod structure;

use std::sync::Arc;

use edit::{Content, Format};
use markdown::{Limits, Markdown, PART, View};

fn content(text: &str) -> Content {
    let (_, content) = Markdown::unpack(Arc::new(text.as_bytes().to_vec()), &Limits::default()).unwrap();
    content
}

fn view(text: &str) -> View {
    Markdown::view(&content(text)).unwrap()
}

fn text(content: &Content) -> String {
    String::from_utf8(content.read(PART).unwrap().unwrap().bytes().into_owned()).unwrap()
}

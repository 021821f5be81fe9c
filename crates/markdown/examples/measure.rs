//! Ten megabytes: what opening, searching and editing cost.
//!
//! `cargo run --release -p markdown --example measure`
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "time is what is measured and printed here"
)]

use std::time::Instant;

use edit::{Blob, Content, Format, PartName};
use markdown::{Case, Edit, Markdown};

fn document() -> String {
    let part = "## Section\n\nSome *prose* with a [link](https://example.com/a) and `code`, long enough to be a \
                paragraph that somebody\nwould write by hand, 漢字 included.\n\n- one\n- two **bold**\n  - three\n\n\
                | a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n> quoted\n> text\n\n";
    let mut text = String::with_capacity(10_500_000);
    let mut number = 0;
    while text.len() < 10_000_000 {
        number += 1;
        text.push_str(&part.replace("Section", &format!("Section {number}")));
    }
    text
}

fn main() {
    let source = document();
    let before = Content::single(PartName::new(markdown::PART), Blob::from(source));
    let timed = |name: &str, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        println!("{name}: {:?}", start.elapsed());
    };
    let mut view = None;
    timed("open", &mut || view = Some(Markdown::view(&before).unwrap()));
    let view = view.unwrap();
    timed("search", &mut || assert!(markdown::find(&view, "Section 20000", Case::Sensitive).len() == 1));
    timed("search again, across formatting", &mut || {
        assert!(markdown::find(&view, "two bold", Case::Insensitive).len() > 1000);
    });
    let cx = testkit::context();
    let edit = Edit::Update { node: "p-60000".parse().unwrap(), content: "Other text.".to_owned() };
    let mut planned = None;
    timed("plan one edit", &mut || planned = Some(Markdown::plan(&view, &edit, &cx).unwrap()));
    let planned = planned.unwrap();
    let after = planned.step.patch.apply(&before).unwrap();
    timed("carry the view", &mut || {
        let next = Markdown::view_after(view.clone(), &planned.step.patch, &after).unwrap();
        assert!(next.len() < view.len());
    });
    timed("positions", &mut || {
        let chars = view.char_of_byte(view.len() / 2);
        assert!(view.byte_of_char(chars).is_some());
    });
}

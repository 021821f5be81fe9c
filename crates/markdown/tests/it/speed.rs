//! Ten megabytes. What is meant is well under 0.2 s for each step of an optimised build on a quiet machine, and
//! the times are printed; the limits are ten times that, because tests share their machine.
#![expect(clippy::disallowed_methods, reason = "time is what is measured here")]

use std::time::{Duration, Instant};

use edit::{Content, Format};
use markdown::{Case, Edit, Markdown};

use crate::content;

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

#[test]
fn ten_megabytes_open_search_and_edit_at_once() {
    let source = document();
    let before: Content = content(&source);
    let timed = |name: &str, limit: u64, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        let took = start.elapsed();
        println!("{name}: {took:?}");
        if cfg!(not(debug_assertions)) {
            assert!(took < Duration::from_millis(10 * limit), "{name} took {took:?}");
        }
    };
    let mut view = None;
    timed("open", 200, &mut || view = Some(Markdown::view(&before).unwrap()));
    let view = view.unwrap();
    timed("search", 200, &mut || assert!(markdown::find(&view, "Section 20000", Case::Sensitive).len() == 1));
    timed("search again, across formatting", 200, &mut || {
        assert!(markdown::find(&view, "two bold", Case::Insensitive).len() > 1000);
    });
    let cx = testkit::context();
    let edit = Edit::Update { node: "p-60000".parse().unwrap(), content: "Other text.".to_owned() };
    let mut planned = None;
    timed("plan one edit", 100, &mut || planned = Some(Markdown::plan(&view, &edit, &cx).unwrap()));
    let planned = planned.unwrap();
    let after = planned.step.patch.apply(&before).unwrap();
    timed("carry the view", 100, &mut || {
        let next = Markdown::view_after(view.clone(), &planned.step.patch, &after).unwrap();
        assert!(next.len() < view.len());
    });
    timed("positions", 20, &mut || {
        let chars = view.char_of_byte(view.len() / 2);
        assert!(view.byte_of_char(chars).is_some());
    });
}

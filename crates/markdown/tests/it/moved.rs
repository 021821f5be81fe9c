//! What another program did to a file, and what becomes of edits that waited meanwhile.

use edit::{Content, Format as _, Patch};
use markdown::{Edit, Markdown, difference, found_again};

use crate::{content, text};

const OLD: &str = "# T\n\n## A\n\nSame words here.\n\nonly a\n\n## B\n\nSame words here.\n\nonly b\n";
const SWAPPED: &str = "# T\n\n## B\n\nSame words here.\n\nonly b\n\n## A\n\nSame words here.\n\nonly a\n";

fn waiting(before: &Content, range: std::ops::Range<usize>, with: &str) -> Edit {
    let edit = Edit::Replace { range, expect: None, with: with.to_owned() };
    Markdown::anchor(&Markdown::view(before).unwrap(), &edit).unwrap()
}

/// What the edit makes of the file that another program wrote; nothing if it has lost its place.
fn after(old: &str, new: &str, find: &str, nth: usize, with: &str) -> Option<String> {
    let (before, now) = (content(old), content(new));
    let start = old.match_indices(find).nth(nth).unwrap().0;
    let edit = waiting(&before, start..start + find.len(), with);
    let patch: Patch = difference(&before, &now).unwrap();
    assert_eq!(text(&patch.apply(&before).unwrap()), new);
    let (view, now_view) = (Markdown::view(&before).unwrap(), Markdown::view(&now).unwrap());
    let edit = Markdown::carry(&edit, &patch).ok().or_else(|| found_again(&edit, &view, &now_view))?;
    let done = testkit::check::<Markdown>(&now, &[edit]).unwrap();
    Some(text(&done.content))
}

#[test]
fn an_edit_goes_with_the_section_it_is_in() {
    for nth in 0..2 {
        let heading = ["## A", "## B"][nth];
        let done = after(OLD, SWAPPED, "Same", nth, "Other").unwrap();
        assert_eq!(done.matches("Other words").count(), 1, "{done}");
        let section = &done[done.find(heading).unwrap()..];
        assert!(section[5..].trim_start().starts_with("Other words"), "{done}");
    }
    assert!(after(OLD, SWAPPED, "only a", 0, "x").unwrap().ends_with("Same words here.\n\nx\n"));
}

#[test]
fn what_could_be_two_places_is_stale() {
    // The section is there twice now, below headings that say the same.
    let doubled = "# T\n\n## B\n\nx\n\n## A\n\nSame words here.\n\n## A\n\nSame words here.\n";
    assert_eq!(after(OLD, doubled, "Same", 0, "Other"), None);
    // Its heading is gone, and another section says the same.
    let gone = "# T\n\n## B\n\nSame words here.\n\nonly b\n";
    assert_eq!(after(OLD, gone, "Same", 0, "Other"), None);
}

#[test]
fn a_renamed_section_keeps_what_waits_in_it() {
    let renamed = OLD.replace("## A", "## First");
    assert!(after(OLD, &renamed, "Same", 0, "Other").unwrap().contains("## First\n\nOther words"));
}

#[test]
fn other_line_endings_leave_edits_alive() {
    let crlf = OLD.replace('\n', "\r\n");
    for (old, new) in [(OLD, crlf.as_str()), (crlf.as_str(), OLD)] {
        let done = after(old, new, "only a", 0, "x").unwrap();
        assert_eq!(done, new.replace("only a", "x"));
        let eol = if old.contains('\r') { "\r\n" } else { "\n" };
        let lines = format!("here.{eol}{eol}only a");
        let done = after(old, new, &lines, 0, &format!("x{eol}y")).unwrap();
        assert_eq!(done.replace('\r', ""), OLD.replace("here.\n\nonly a", "x\ny"));
        assert_eq!(done.contains('\r'), new.contains('\r'));
        assert!(!new.contains('\r') || !done.replace("\r\n", "").contains('\n'), "{done:?}");
    }
}

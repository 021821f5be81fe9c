//! The functions that users know, held against those that there are.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_function_of_the_page_is_there() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/design/script-api.md");
    let Ok(page) = std::fs::read_to_string(page) else {
        eprintln!("SKIPPED: no ../shared/design/script-api.md beside the repository");
        return;
    };
    let listed: BTreeSet<&str> = page.lines().filter_map(functions_of_row).flatten().collect();
    assert!(listed.len() > 60, "the page is read: {listed:?}");
    let known: BTreeSet<&str> = super::super::names().collect();
    let missing: Vec<_> = listed.difference(&known).collect();
    assert!(missing.is_empty(), "no function {missing:?}");
    let unlisted: Vec<_> = known.difference(&listed).collect();
    assert!(unlisted.is_empty(), "the page does not have {unlisted:?}");
}

/// The names in the first column of a table.
fn functions_of_row(line: &str) -> Option<impl Iterator<Item = &str>> {
    let first = line.strip_prefix('|')?.split('|').next()?;
    // Every second piece stands between back quotes.
    Some(first.split('`').skip(1).step_by(2))
}

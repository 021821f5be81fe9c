//! Any text as a formula: it parses or says where not, prints to what parses to the same, and is calculated in a small
//! sheet and moved with its rows without harm.
#![no_main]

use edit::{Context, Format, RevisionId};
use formula::Notation;
use libfuzzer_sys::fuzz_target;
use sheet::{CellChange, CellRef, Edit, Input, Sheet};

/// A value of each kind.
const ROWS: &[u8] = br#"<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="inlineStr"><is><t>two</t></is></c><c r="C1" t="b"><v>1</v></c></row><row r="2"><c r="A2"><v>-3.5</v></c><c r="B2" t="e"><v>#N/A</v></c></row>"#;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if text.len() > 300 {
        return;
    }
    let Ok(parsed) = formula::parse(text) else { return };
    let printed = formula::print(&parsed.expr, Notation::A1);
    let again = formula::parse(&printed);
    let again = again.unwrap_or_else(|error| panic!("`{text}` prints as `{printed}`: {error}"));
    assert_eq!(formula::print(&again.expr, Notation::A1), printed, "{text}");

    let content = fuzz::workbook(ROWS);
    let Ok(view) = Sheet::view(&content) else { return };
    let cells = vec![CellChange { at: CellRef::new(4, 1), input: Input::Formula(text.to_owned()) }];
    let edits = [
        Edit::SetCells { sheet: "S".into(), cells, seen: None },
        Edit::InsertRows { sheet: "S".into(), at: 1, count: 2 },
    ];
    let base = RevisionId { number: 0, digest: 0 };
    let cx = Context::new("", 0, 1);
    if let Ok(batch) = edit::plan::<Sheet>(&content, view, base, &edits, &cx) {
        let inverse = batch.plan.patch().invert(&content).expect("an applied patch can be undone");
        assert!(inverse.apply(&batch.content).as_ref() == Ok(&content), "undo restores every byte");
    }
});

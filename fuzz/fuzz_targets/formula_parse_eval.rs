//! Any text as a formula: it parses or says where not, prints to what parses to the same, and is calculated in a small
//! sheet and moved with its rows without harm.

#![no_main]

use edit::{Content, Context, Format, PartName, Patch, RevisionId};
use formula::Notation;
use libfuzzer_sys::fuzz_target;
use sheet::{CellChange, CellRef, Edit, Input, Sheet};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

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

    let content = workbook();
    let Ok(view) = Sheet::view(&content) else { return };
    let cells = vec![CellChange { at: CellRef::new(4, 1), input: Input::Formula(text.to_owned()) }];
    let edits = [
        Edit::SetCells { sheet: "S".into(), cells, seen: None },
        Edit::InsertRows { sheet: "S".into(), at: 1, count: 2 },
    ];
    let base = RevisionId { number: 0, digest: 0 };
    let cx = Context { author: String::new(), now: 0, seed: 1 };
    if let Ok(batch) = edit::plan::<Sheet>(&content, view, base, &edits, &cx) {
        let inverse = batch.plan.patch().invert(&content).expect("an applied patch can be undone");
        assert!(inverse.apply(&batch.content).as_ref() == Ok(&content), "undo restores every byte");
    }
});

/// A sheet with a value of each kind.
fn workbook() -> Content {
    let relationship = |kind: &str, target: &str| {
        format!(
            r#"<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    let parts = [
        ("[Content_Types].xml", format!(r#"<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>"#)),
        ("_rels/.rels", relationship("officeDocument", "w.xml")),
        ("_rels/w.xml.rels", relationship("worksheet", "s.xml")),
        ("w.xml", format!(r#"<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>"#)),
        ("s.xml", format!(r#"<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1" t="inlineStr"><is><t>two</t></is></c><c r="C1" t="b"><v>1</v></c></row><row r="2"><c r="A2"><v>-3.5</v></c><c r="B2" t="e"><v>#N/A</v></c></row></sheetData></worksheet>"#)),
    ];
    let mut patch = Patch::new();
    for (name, text) in parts {
        patch.put(&PartName::new(name), text);
    }
    patch.apply(&Content::new()).expect("parts that are new")
}

//! Any bytes as a sheet of a workbook, or as a whole workbook: read all of it, write a cell, insert a row, read again.

#![no_main]

use std::sync::Arc;

use edit::{Content, Context, Format, PartName, Patch, RevisionId};
use libfuzzer_sys::fuzz_target;
use sheet::{CellChange, CellRef, Edit, Input, Sheet};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

fuzz_target!(|bytes: &[u8]| {
    if let Ok((_, content)) = Sheet::unpack(Arc::new(bytes.to_vec()), &sheet::limits()) {
        exercise(&content);
    }
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
    ];
    let mut patch = Patch::new();
    for (name, text) in parts {
        patch.put(&PartName::new(name), text);
    }
    let mut sheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>").into_bytes();
    sheet.extend_from_slice(bytes);
    sheet.extend_from_slice(b"</sheetData></worksheet>");
    patch.put(&PartName::new("s.xml"), sheet);
    if let Ok(content) = patch.apply(&Content::new()) {
        exercise(&content);
    }
});

fn exercise(content: &Content) {
    let Ok(view) = Sheet::view(content) else { return };
    let _ = sheet::check(&view);
    let cx = Context { author: String::new(), now: 0, seed: 1 };
    let name = view.workbook().sheets.first().map(|tab| tab.name.clone()).unwrap_or_default();
    let at = CellRef::new(3, 2);
    let edits = [
        Edit::SetCells { sheet: name.clone(), cells: vec![CellChange { at, input: Input::Number(1.5) }], seen: None },
        Edit::InsertRows { sheet: name.clone(), at: 1, count: 2 },
        Edit::DeleteColumns { sheet: name, at: 0, count: 1 },
    ];
    for edit in edits {
        let base = RevisionId { number: 0, digest: 0 };
        let Ok(batch) = edit::plan::<Sheet>(content, view.clone(), base, &[edit], &cx) else { continue };
        let inverse = batch.plan.patch().invert(content).expect("an applied patch can be undone");
        assert!(inverse.apply(&batch.content).as_ref() == Ok(content), "undo restores every byte");
    }
}

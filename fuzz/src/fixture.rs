//! The smallest packages around a part that the fuzzer writes.

use edit::{Content, PartName, Patch};

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

/// A workbook with one sheet, `S`, and these rows.
pub fn workbook(rows: &[u8]) -> Content {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let sheet =
        [format!("<worksheet xmlns=\"{MAIN}\"><sheetData>").as_bytes(), rows, b"</sheetData></worksheet>"]
            .concat();
    package(
        "spreadsheetml.sheet.main",
        "w.xml",
        format!(
            r#"<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>"#
        ),
        &[("_rels/w.xml.rels", relationship("worksheet", "s.xml").into_bytes()), ("s.xml", sheet)],
    )
}

/// A document with this body.
pub fn document(body: &str) -> Content {
    const MAIN: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let text = format!("<w:document xmlns:w=\"{MAIN}\"><w:body>{body}<w:sectPr/></w:body></w:document>");
    package("wordprocessingml.document.main", "word/document.xml", text, &[])
}

fn relationship(kind: &str, target: &str) -> String {
    format!(
        r#"<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>"#
    )
}

fn package(kind: &str, main: &str, text: String, others: &[(&str, Vec<u8>)]) -> Content {
    let types = format!(
        r#"<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/{main}" ContentType="application/vnd.openxmlformats-officedocument.{kind}+xml"/></Types>"#
    );
    let mut patch = Patch::new();
    patch.put(&PartName::new("[Content_Types].xml"), types);
    patch.put(&PartName::new("_rels/.rels"), relationship("officeDocument", main));
    patch.put(&PartName::new(main), text);
    for (name, text) in others {
        patch.put(&PartName::new(*name), text.clone());
    }
    patch.apply(&Content::new()).expect("parts that are new")
}

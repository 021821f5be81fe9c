//! Cell metadata, which is how a file says that a formula spills.

use edit::{Blob, Patch, Refusal};
use formula::Expr;
use ooxml::xml::ns;
use ooxml::{ContentTypes, NewRelationship, NewTarget};

use crate::file::workbook::{number, string};
use crate::read::book::Book;

const TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml";

/// What Excel writes for a workbook whose only metadata is that of spilling formulas.
const PART: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n",
    "<metadata xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" ",
    "xmlns:xda=\"http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray\">",
    "<metadataTypes count=\"1\"><metadataType name=\"XLDAPR\" minSupportedVersion=\"120000\" copy=\"1\" ",
    "pasteAll=\"1\" pasteValues=\"1\" merge=\"1\" splitFirst=\"1\" rowColShift=\"1\" clearFormats=\"1\" ",
    "clearComments=\"1\" assign=\"1\" coerce=\"1\" cellMeta=\"1\"/></metadataTypes>",
    "<futureMetadata name=\"XLDAPR\" count=\"1\"><bk><extLst><ext ",
    "uri=\"{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}\"><xda:dynamicArrayProperties fDynamic=\"1\" ",
    "fCollapsed=\"0\"/></ext></extLst></bk></futureMetadata>",
    "<cellMetadata count=\"1\"><bk><rc t=\"1\" v=\"0\"/></bk></cellMetadata></metadata>"
);

/// Functions whose answer is usually an array, so that a formula which uses them is meant to spill.
const SPILLING: &[&str] = &[
    "BYCOL",
    "BYROW",
    "CHOOSECOLS",
    "CHOOSEROWS",
    "DROP",
    "EXPAND",
    "FILTER",
    "GROUPBY",
    "HSTACK",
    "MAKEARRAY",
    "MAP",
    "PIVOTBY",
    "RANDARRAY",
    "SCAN",
    "SEQUENCE",
    "SORT",
    "SORTBY",
    "TAKE",
    "TEXTSPLIT",
    "TOCOL",
    "TOROW",
    "TRIMRANGE",
    "UNIQUE",
    "VSTACK",
    "WRAPCOLS",
    "WRAPROWS",
];

/// Whether a formula that somebody types would spill.
pub(crate) fn spills(text: &str) -> bool {
    let Ok(parsed) = formula::parse(text) else { return false };
    let mut found = false;
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Call { name, .. } => {
            let name = formula::plain_name(name).to_ascii_uppercase();
            found |= SPILLING.contains(&name.as_str());
        }
        Expr::Spill(_) => found = true,
        _ => {}
    });
    found
}

/// The value of `cm` that marks a cell as spilling; the part is made where the workbook has none. `None` where
/// it has one that knows nothing of spilling.
pub(crate) fn dynamic_mark(book: &Book, patch: &mut Patch) -> Result<Option<u32>, Refusal> {
    let workbook = &book.workbook;
    let kind = format!("{}/sheetMetadata", ns::R);
    let known = workbook
        .relationships
        .of_kind(&kind)
        .find_map(|r| r.part.clone())
        .filter(|part| book.content.contains(part));
    let Some(part) = known else {
        let folder =
            workbook.part.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let part = edit::PartName::new(format!("{folder}metadata.xml"));
        patch.put(&part, Blob::from(PART));
        workbook
            .relationships
            .add(patch, &[NewRelationship { kind: &kind, target: NewTarget::Part(&part) }])?;
        ContentTypes::read(&book.content)?.declare(patch, &[(&part, TYPE)])?;
        return Ok(Some(1));
    };
    let document = ooxml::read_xml(&book.content, &part)?;
    let root = document.root();
    let types = root.child(ns::S, "metadataTypes");
    let own = types
        .and_then(|list| list.elements().position(|node| string(&node, "name").as_deref() == Some("XLDAPR")));
    let Some(own) = own.map(|index| index as u32 + 1) else { return Ok(None) };
    let marks = root.child(ns::S, "cellMetadata");
    let mark = marks.and_then(|list| {
        list.elements().position(|block| block.elements().any(|record| number(&record, "t") == Some(own)))
    });
    Ok(mark.map(|index| index as u32 + 1))
}

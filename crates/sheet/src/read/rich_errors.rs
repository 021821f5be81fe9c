//! Errors that are younger than the format. Excel stores `#SPILL!`, `#CALC!` and their kin as `#VALUE!`, and says in the
//! metadata of the value which one is meant.

use formula::ErrorKind;
use ooxml::xml::ns;

use crate::file::workbook::{number, string};
use crate::read::book::Book;

pub(crate) const KIND: &str = "http://schemas.microsoft.com/office/2017/06/relationships/";

/// The error that stands behind each number that `vm` of a cell may have, from one on.
pub(crate) fn read(book: &Book) -> Vec<Option<ErrorKind>> {
    // Without the part, or with one of another shape, the stored errors stay as they are written.
    known(book).unwrap_or_default()
}

fn known(book: &Book) -> Option<Vec<Option<ErrorKind>>> {
    let part = |kind: &str| {
        let part = book.workbook.relationships.of_kind(kind).find_map(|r| r.part.clone())?;
        ooxml::read_xml(&book.content, &part).ok()
    };
    let values = part(&format!("{KIND}rdRichValue"))?;
    let structures = part(&format!("{KIND}rdRichValueStructure"))?;
    let metadata = part(&format!("{}/sheetMetadata", ns::R))?;
    // Where the kind of error stands in values of a structure.
    let places: Vec<Option<usize>> = structures
        .root()
        .elements()
        .map(|structure| {
            let keys = structure.elements().position(|key| string(&key, "n").as_deref() == Some("errorType"));
            keys.filter(|_| string(&structure, "t").as_deref() == Some("_error"))
        })
        .collect();
    let errors: Vec<Option<ErrorKind>> = values
        .root()
        .elements()
        .map(|value| {
            let place = (*places.get(number(&value, "s")? as usize)?)?;
            let field = value.elements().filter(|field| field.name().local == "v").nth(place)?;
            let code: u8 = field.text().trim().parse().ok()?;
            // Numbered as ERROR.TYPE does, from zero on.
            ErrorKind::numbered(code.checked_add(1)?)
        })
        .collect();
    let root = metadata.root();
    let types = root.child(ns::S, "metadataTypes")?;
    let own =
        types.elements().position(|node| string(&node, "name").as_deref() == Some("XLRICHVALUE"))? as u32 + 1;
    let futures = root.elements().filter(|node| node.is(ns::S, "futureMetadata"));
    let future = futures.into_iter().find(|node| string(node, "name").as_deref() == Some("XLRICHVALUE"))?;
    let rich: Vec<Option<ErrorKind>> = future
        .elements()
        .map(|block| {
            let record = block.descendants().find(|node| node.name().local == "rvb")?;
            *errors.get(number(&record, "i")? as usize)?
        })
        .collect();
    let marks = root.child(ns::S, "valueMetadata")?;
    let found = marks.elements().map(|block| {
        let record = block.elements().find(|record| number(record, "t") == Some(own))?;
        *rich.get(number(&record, "v")? as usize)?
    });
    Some(found.collect())
}

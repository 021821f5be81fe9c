//! Cell metadata, which is how a file says that a formula spills.

use edit::{Blob, Patch, Refusal};
use formula::{Formula, Mode, NameUse};
use ooxml::xml::ns;
use ooxml::{ContentTypes, NewRelationship, NewTarget};

use crate::file::formula_text::{Singles, formula_for_file};
use crate::file::workbook::{number, same_name, string};
use crate::file::xml_edit::Xml;
use crate::read::book::Book;

/// What the type of spilling formulas does when cells are copied, merged and so on.
const TYPE_ATTRIBUTES: &str = concat!(
    "name=\"XLDAPR\" minSupportedVersion=\"120000\" copy=\"1\" pasteAll=\"1\" pasteValues=\"1\" merge=\"1\" ",
    "splitFirst=\"1\" rowColShift=\"1\" clearFormats=\"1\" clearComments=\"1\" assign=\"1\" coerce=\"1\" ",
    "cellMeta=\"1\""
);
const ARRAYS: &str = "http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray";

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

/// Elements of metadata in the order of the schema.
const ORDER: &[&str] = &[
    "metadataTypes",
    "metadataStrings",
    "mdxMetadata",
    "futureMetadata",
    "cellMetadata",
    "valueMetadata",
    "extLst",
];

/// How a formula that somebody types into a cell of a sheet is kept: as an ordinary one, or as one that spills.
pub(crate) fn kept(book: &Book, home: usize, body: &str) -> Mode {
    let Ok(parsed) = formula::parse(body) else { return Mode::Plain };
    formula::entered(&parsed.expr, &|name| meaning(book, home, name))
}

/// What a name stands for, seen from a sheet.
fn meaning(book: &Book, home: usize, used: &NameUse) -> Option<Formula> {
    let from = match &used.sheet {
        Some(sheet) if sheet.book.is_some() => return None,
        Some(sheet) => book.workbook.position(&sheet.first).unwrap_or(home),
        None => home,
    };
    let names = || book.workbook.names.iter().filter(|known| same_name(&known.name, &used.name));
    let own = names().find(|known| known.scope == Some(from));
    let known = own.or_else(|| names().find(|known| known.scope.is_none()))?;
    formula::parse(&known.formula).ok()
}

/// A formula that somebody typed as the file has it, where arrays are computed whole.
pub(crate) fn for_file(book: &Book, body: &str) -> String {
    formula_for_file(body, Singles::Told, &|name| is_defined(book, name))
}

/// The same, as an ordinary formula.
pub(crate) fn ordinary_for_file(book: &Book, body: &str) -> String {
    formula_for_file(body, Singles::Implied, &|name| is_defined(book, name))
}

/// Whether a name means something in the workbook, so that no function is meant by it.
fn is_defined(book: &Book, name: &str) -> bool {
    book.workbook.names.iter().any(|known| same_name(&known.name, name))
        || book
            .worksheets()
            .filter_map(|sheet| sheet.ok()?.tables().ok())
            .flatten()
            .any(|table| same_name(&table.name, name))
}

/// The value of `cm` that marks a cell as spilling; what the workbook lacks for it is made.
pub(crate) fn dynamic_mark(book: &Book, patch: &mut Patch) -> Result<u32, Refusal> {
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
        return Ok(1);
    };
    let document = ooxml::read_xml(&book.content, &part)?;
    let xml = Xml::new(&part, &document);
    let root = document.root();
    let types = root.child(ns::S, "metadataTypes");
    let known: Vec<_> = types.iter().flat_map(|list| list.elements()).collect();
    let own = known.iter().position(|node| string(node, "name").as_deref() == Some("XLDAPR"));
    let prefix = xml.prefix();
    let own = match own {
        Some(index) => index as u32 + 1,
        None => {
            add_type(&xml, patch, &prefix, known.len() + 1)?;
            known.len() as u32 + 1
        }
    };
    let futures = root.elements().filter(|node| node.is(ns::S, "futureMetadata"));
    let blocks = futures
        .filter(|node| string(node, "name").as_deref() == Some("XLDAPR"))
        .flat_map(|node| node.elements().filter(|block| block.is(ns::S, "bk")).collect::<Vec<_>>());
    // A block may also say that an array was collapsed; only a plain one will do.
    let plain = blocks.collect::<Vec<_>>();
    let plain = plain.iter().position(|block| {
        let properties = block.descendants().find(|node| node.name().local == "dynamicArrayProperties");
        let flag = |name| properties.as_ref().and_then(|node| string(node, name));
        flag("fDynamic").as_deref() == Some("1") && flag("fCollapsed").is_none_or(|flag| flag == "0")
    });
    let wanted = plain.unwrap_or(0) as u32;
    let marks = root.child(ns::S, "cellMetadata");
    let blocks: Vec<_> = marks.iter().flat_map(|list| list.elements()).collect();
    let mark = blocks.iter().position(|block| {
        block
            .elements()
            .any(|record| number(&record, "t") == Some(own) && number(&record, "v") == Some(wanted))
    });
    if let Some(mark) = mark {
        return Ok(mark as u32 + 1);
    }
    let block = format!("<{prefix}bk><{prefix}rc t=\"{own}\" v=\"{wanted}\"/></{prefix}bk>");
    match &marks {
        Some(list) => {
            xml.set_attribute(patch, list, "count", &(blocks.len() + 1).to_string())?;
            xml.append(patch, list, &block)?;
        }
        None => {
            let markup = format!("<{prefix}cellMetadata count=\"1\">{block}</{prefix}cellMetadata>");
            xml.insert(patch, ORDER, "cellMetadata", &markup)?;
        }
    }
    Ok(blocks.len() as u32 + 1)
}

/// Makes the type of dynamic arrays known to metadata that speak of other things only.
fn add_type(xml: &Xml<'_>, patch: &mut Patch, prefix: &str, count: usize) -> Result<(), Refusal> {
    let entry = format!("<{prefix}metadataType {TYPE_ATTRIBUTES}/>");
    match xml.root().child(ns::S, "metadataTypes") {
        Some(list) => {
            xml.set_attribute(patch, &list, "count", &count.to_string())?;
            xml.append(patch, &list, &entry)?;
        }
        None => {
            let markup = format!("<{prefix}metadataTypes count=\"1\">{entry}</{prefix}metadataTypes>");
            xml.insert(patch, ORDER, "metadataTypes", &markup)?;
        }
    }
    let markup = format!(
        "<{prefix}futureMetadata name=\"XLDAPR\" count=\"1\"><{prefix}bk><{prefix}extLst><{prefix}ext \
         uri=\"{{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}}\"><xda:dynamicArrayProperties xmlns:xda=\"{ARRAYS}\" \
         fDynamic=\"1\" fCollapsed=\"0\"/></{prefix}ext></{prefix}extLst></{prefix}bk></{prefix}futureMetadata>"
    );
    xml.insert(patch, ORDER, "futureMetadata", &markup)
}

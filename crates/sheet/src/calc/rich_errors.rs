//! Errors that are younger than the format, written as Excel writes them: `#VALUE!` in the cell, and in the metadata of
//! the value which error is meant. A name that readers of the format do not know would make Excel repair the file.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Blob, PartName, Patch, Refusal};
use formula::ErrorKind;
use ooxml::xml::{Node, ns};
use ooxml::{ContentTypes, NewRelationship, NewTarget};

use crate::file::workbook::string;
use crate::file::xml_edit::Xml;
use crate::read::book::Book;
use crate::read::rich_errors::{self, KIND};

/// The value of `vm` for each error, by its number in `ERROR.TYPE`.
pub(crate) type Marks = BTreeMap<u8, u32>;

/// The last error that files have a name for.
const LAST_NAMED: u8 = 8;

const RICH: &str = "http://schemas.microsoft.com/office/spreadsheetml/2017/richdata";
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n";
const METADATA: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml";
const TYPE: &str = concat!(
    "metadataType name=\"XLRICHVALUE\" minSupportedVersion=\"120000\" copy=\"1\" pasteAll=\"1\" pasteValues=\"1\" ",
    "merge=\"1\" splitFirst=\"1\" rowColShift=\"1\" clearFormats=\"1\" clearComments=\"1\" assign=\"1\" coerce=\"1\"/>"
);
const STRUCTURE: &str = "<s t=\"_error\"><k n=\"errorType\" t=\"i\"/><k n=\"subType\" t=\"i\"/></s>";

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

/// Whether an error has no name of its own in files.
pub(crate) fn is_young(kind: ErrorKind) -> bool {
    kind.number() > LAST_NAMED
}

/// Marks for the errors of a calculation; what the workbook lacks for them is made.
pub(crate) fn marks(book: &Book, kinds: &BTreeSet<u8>, patch: &mut Patch) -> Result<Marks, Refusal> {
    if kinds.is_empty() {
        return Ok(Marks::new());
    }
    let known = rich_errors::read(book);
    let place = |kind: u8| known.iter().position(|error| error.is_some_and(|error| error.number() == kind));
    let mut marks: Marks = kinds.iter().filter_map(|kind| Some((*kind, place(*kind)? as u32 + 1))).collect();
    let new: Vec<u8> = kinds.iter().copied().filter(|kind| !marks.contains_key(kind)).collect();
    if !new.is_empty() {
        let values = add_values(book, &new, patch)?;
        let first = add_marks(book, values, new.len() as u32, patch)?;
        marks.extend(new.iter().zip(first + 1..).map(|(kind, mark)| (*kind, mark)));
    }
    Ok(marks)
}

fn part_of(book: &Book, kind: &str) -> Option<PartName> {
    let known = book.workbook.relationships.of_kind(kind).find_map(|r| r.part.clone());
    known.filter(|part| book.content.contains(part))
}

/// New values, one for each error; the number of the first.
fn add_values(book: &Book, kinds: &[u8], patch: &mut Patch) -> Result<u32, Refusal> {
    let (values_kind, structures_kind) =
        (format!("{KIND}rdRichValue"), format!("{KIND}rdRichValueStructure"));
    let value = |kind: &u8, structure: usize| {
        // Numbered as ERROR.TYPE does, from zero on.
        format!("<rv s=\"{structure}\"><v>{}</v><v>0</v></rv>", kind - 1)
    };
    let (Some(values), Some(structures)) = (part_of(book, &values_kind), part_of(book, &structures_kind))
    else {
        let written: String = kinds.iter().map(|kind| value(kind, 0)).collect();
        let types_kind = format!("{KIND}rdRichValueTypes");
        let parts = [
            (
                "rdrichvalue.xml",
                values_kind,
                "application/vnd.ms-excel.rdrichvalue+xml",
                format!("<rvData xmlns=\"{RICH}\" count=\"{}\">{written}</rvData>", kinds.len()),
            ),
            (
                "rdrichvaluestructure.xml",
                structures_kind,
                "application/vnd.ms-excel.rdrichvaluestructure+xml",
                format!("<rvStructures xmlns=\"{RICH}\" count=\"1\">{STRUCTURE}</rvStructures>"),
            ),
            (
                "rdRichValueTypes.xml",
                types_kind,
                "application/vnd.ms-excel.rdrichvaluetypes+xml",
                types_info(),
            ),
        ];
        let mut made = Vec::new();
        for (name, kind, content_type, markup) in parts {
            let part = PartName::new(format!("{}richData/{name}", folder(book)));
            patch.put(&part, Blob::from(format!("{DECLARATION}{markup}")));
            made.push((part, kind, content_type));
        }
        return declare(book, &made, patch).map(|()| 0);
    };
    let document = ooxml::read_xml(&book.content, &structures)?;
    let list = document.root();
    let keys = |node: &Node<'_>| node.elements().map(|key| string(&key, "n")).collect::<Vec<_>>();
    let wanted = [Some("errorType".to_owned()), Some("subType".to_owned())];
    let all: Vec<Node<'_>> = list.elements().collect();
    let own =
        all.iter().position(|node| string(node, "t").as_deref() == Some("_error") && keys(node) == wanted);
    if own.is_none() {
        let xml = Xml::new(&structures, &document);
        xml.set_attribute(patch, &list, "count", &(all.len() + 1).to_string())?;
        xml.append(patch, &list, STRUCTURE)?;
    }
    let structure = own.unwrap_or(all.len());
    let document = ooxml::read_xml(&book.content, &values)?;
    let (list, xml) = (document.root(), Xml::new(&values, &document));
    let first = list.elements().filter(|node| node.name().local == "rv").count();
    let written: String = kinds.iter().map(|kind| value(kind, structure)).collect();
    xml.set_attribute(patch, &list, "count", &(first + kinds.len()).to_string())?;
    xml.append(patch, &list, &written)?;
    Ok(first as u32)
}

/// Marks for values from the given one on; how many marks there were before.
fn add_marks(book: &Book, first: u32, count: u32, patch: &mut Patch) -> Result<u32, Refusal> {
    let block = |prefix: &str, index: u32| {
        format!(
            "<{prefix}bk><{prefix}extLst><{prefix}ext uri=\"{{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}}\">\
             <xlrd:rvb xmlns:xlrd=\"{RICH}\" i=\"{index}\"/></{prefix}ext></{prefix}extLst></{prefix}bk>"
        )
    };
    let record = |prefix: &str, kind: usize, future: usize| {
        format!("<{prefix}bk><{prefix}rc t=\"{kind}\" v=\"{future}\"/></{prefix}bk>")
    };
    let kind = format!("{}/sheetMetadata", ns::R);
    let Some(part) = part_of(book, &kind) else {
        let part = PartName::new(format!("{}metadata.xml", folder(book)));
        let blocks: String = (first..first + count).map(|index| block("", index)).collect();
        let records: String = (0..count as usize).map(|future| record("", 1, future)).collect();
        let markup = format!(
            "{DECLARATION}<metadata xmlns=\"{}\"><metadataTypes count=\"1\"><{TYPE}</metadataTypes>\
             <futureMetadata name=\"XLRICHVALUE\" count=\"{count}\">{blocks}</futureMetadata>\
             <valueMetadata count=\"{count}\">{records}</valueMetadata></metadata>",
            ns::S
        );
        patch.put(&part, Blob::from(markup));
        return declare(book, &[(part, kind, METADATA)], patch).map(|()| 0);
    };
    let document = ooxml::read_xml(&book.content, &part)?;
    let (root, xml) = (document.root(), Xml::new(&part, &document));
    let prefix = xml.prefix();
    let named = |node: &Node<'_>| string(node, "name").as_deref() == Some("XLRICHVALUE");
    let grown = |patch: &mut Patch, list: &Node<'_>, by: usize, markup: &str| -> Result<usize, Refusal> {
        let before = list.elements().count();
        xml.set_attribute(patch, list, "count", &(before + by).to_string())?;
        xml.append(patch, list, markup)?;
        Ok(before)
    };
    let own = match root.child(ns::S, "metadataTypes") {
        Some(list) => match list.elements().position(|node| named(&node)) {
            Some(index) => index + 1,
            None => grown(patch, &list, 1, &format!("<{prefix}{TYPE}"))? + 1,
        },
        None => {
            let markup =
                format!("<{prefix}metadataTypes count=\"1\"><{prefix}{TYPE}</{prefix}metadataTypes>");
            xml.insert(patch, ORDER, "metadataTypes", &markup)?;
            1
        }
    };
    let blocks: String = (first..first + count).map(|index| block(&prefix, index)).collect();
    let future = root.elements().find(|node| node.is(ns::S, "futureMetadata") && named(node));
    let futures = match future {
        Some(list) => grown(patch, &list, count as usize, &blocks)?,
        None => {
            let markup = format!(
                "<{prefix}futureMetadata name=\"XLRICHVALUE\" count=\"{count}\">{blocks}</{prefix}futureMetadata>"
            );
            xml.insert(patch, ORDER, "futureMetadata", &markup)?;
            0
        }
    };
    let records: String =
        (futures..futures + count as usize).map(|future| record(&prefix, own, future)).collect();
    match root.child(ns::S, "valueMetadata") {
        Some(list) => Ok(grown(patch, &list, count as usize, &records)? as u32),
        None => {
            let markup =
                format!("<{prefix}valueMetadata count=\"{count}\">{records}</{prefix}valueMetadata>");
            xml.insert(patch, ORDER, "valueMetadata", &markup)?;
            Ok(0)
        }
    }
}

fn folder(book: &Book) -> String {
    book.workbook.part.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

fn declare(book: &Book, made: &[(PartName, String, &str)], patch: &mut Patch) -> Result<(), Refusal> {
    let added: Vec<NewRelationship<'_>> =
        made.iter().map(|(part, kind, _)| NewRelationship { kind, target: NewTarget::Part(part) }).collect();
    book.workbook.relationships.add(patch, &added)?;
    let types: Vec<(&PartName, &str)> = made.iter().map(|(part, _, kind)| (part, *kind)).collect();
    ContentTypes::read(&book.content)?.declare(patch, &types)
}

/// What Excel says of the keys of all values, beside the first of them.
fn types_info() -> String {
    let flag = "<flag name=\"ExcludeFromCalcComparison\" value=\"1\"/>";
    let keys = ["_DisplayString", "_Flags", "_Format", "_SubLabel", "_Attribution", "_Icon", "_Display"];
    let more = ["_CanonicalPropertyNames", "_ClassificationId"];
    let keys: String =
        keys.iter().chain(&more).map(|key| format!("<key name=\"{key}\">{flag}</key>")).collect();
    format!(
        "<rvTypesInfo xmlns=\"http://schemas.microsoft.com/office/spreadsheetml/2017/richdata2\" \
         xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" mc:Ignorable=\"x\" \
         xmlns:x=\"{}\"><global><keyFlags><key name=\"_Self\">\
         <flag name=\"ExcludeFromFile\" value=\"1\"/>{flag}</key>{keys}</keyFlags></global></rvTypesInfo>",
        ns::S
    )
}

//! `calcChain.xml`: the order in which Excel last calculated.
//!
//! Excel rebuilds it when it is missing, and takes a formula it does not list in its stride; but an entry for
//! a cell without a formula makes it repair the file. So entries go with their formulas, new formulas are
//! appended, and a chain that would end up empty is removed with its relationship and content type.

use std::collections::BTreeSet;

use edit::{Patch, Refusal};
use ooxml::ContentTypes;
use ooxml::xml::ns;

use crate::file::a1::CellRef;
use crate::file::workbook::{number, string};
use crate::file::xml_edit::Xml;
use crate::read::book::Book;

/// Formulas gained and lost, by the id of their sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChainChange {
    pub(crate) gone: BTreeSet<(u32, CellRef)>,
    pub(crate) new: BTreeSet<(u32, CellRef)>,
}

pub(crate) fn apply(book: &Book, patch: &mut Patch, change: &ChainChange) -> Result<(), Refusal> {
    let Some((_, part)) = &book.workbook.calc_chain else { return Ok(()) };
    if change.gone.is_empty() && change.new.is_empty() {
        return Ok(());
    }
    let Ok(document) = ooxml::read_xml(&book.content, part) else { return drop_chain(book, patch) };
    let xml = Xml::new(part, &document);
    let root = document.root();
    let mut sheet = 0;
    let mut left = 0usize;
    let mut last_sheet = None;
    let mut known = BTreeSet::new();
    // An entry without a sheet is on the sheet of the entry before; one that follows a removed entry has to
    // say it itself.
    let mut said = None;
    for node in root.elements().filter(|node| node.is(ns::S, "c")) {
        let own = number(&node, "i");
        sheet = own.unwrap_or(sheet);
        let at = string(&node, "r").and_then(|text| text.parse::<CellRef>().ok());
        let Some(at) = at else { continue };
        if change.gone.contains(&(sheet, at)) && !change.new.contains(&(sheet, at)) {
            xml.remove(patch, &node)?;
            continue;
        }
        if own.is_none() && said != Some(sheet) {
            xml.set_attribute(patch, &node, "i", &sheet.to_string())?;
        }
        said = Some(sheet);
        left += 1;
        last_sheet = Some(sheet);
        known.insert((sheet, at));
    }
    let fresh: Vec<&(u32, CellRef)> = change.new.iter().filter(|entry| !known.contains(entry)).collect();
    if left + fresh.len() == 0 {
        return drop_chain(book, patch);
    }
    if !fresh.is_empty() {
        let prefix = xml.prefix();
        let mut markup = String::new();
        for (sheet, at) in fresh {
            let own = if last_sheet == Some(*sheet) { String::new() } else { format!(" i=\"{sheet}\"") };
            markup.push_str(&format!("<{prefix}c r=\"{at}\"{own}/>"));
            last_sheet = Some(*sheet);
        }
        xml.append(patch, &root, &markup)?;
    }
    Ok(())
}

/// Removes the chain; Excel makes a new one.
pub(crate) fn drop_chain(book: &Book, patch: &mut Patch) -> Result<(), Refusal> {
    let Some((id, part)) = &book.workbook.calc_chain else { return Ok(()) };
    // What was planned for the part before goes with it.
    patch.remove(part);
    book.workbook.relationships.remove(patch, id)?;
    ContentTypes::read(&book.content)?.forget(patch, part)
}

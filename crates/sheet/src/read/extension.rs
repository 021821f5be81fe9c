//! Rules that Excel keeps in the extension list of a sheet: formats and validations that the first version of the file
//! format could not tell, such as those that look at other sheets.

use edit::OrEmpty;
use ooxml::xml::{Node, ns};

use crate::file::a1::{Area, read_areas};

pub(crate) const X14: &str = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main";
pub(crate) const XM: &str = "http://schemas.microsoft.com/office/excel/2006/main";

/// The items of a list in the extension of a sheet.
pub(crate) fn items<'a>(
    root: Node<'a>,
    list: &'a str,
    item: &'a str,
) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let extensions = root.child(ns::S, "extLst").into_iter().flat_map(|list| list.elements());
    let lists = extensions.flat_map(|one| one.elements()).filter(move |node| node.is(X14, list));
    lists.flat_map(|list| list.elements()).filter(move |node| node.is(X14, item))
}

pub(crate) fn areas(item: &Node<'_>) -> Vec<Area> {
    item.child(XM, "sqref").map(|node| read_areas(&node.text())).or_empty()
}

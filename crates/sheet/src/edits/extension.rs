//! Rules that Excel keeps in the extension list of a sheet: formats and validations that the first version of the file
//! format could not tell, such as those that look at other sheets.

use edit::{Patch, Refusal};
use ooxml::xml::{Node, ns};

use crate::edits::validation::{sqref, without};
use crate::file::a1::{Area, read_areas};
use crate::file::xml_edit::Xml;
use crate::read::sheet_view::SheetView;

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
    item.child(XM, "sqref").map(|node| read_areas(&node.text())).unwrap_or_default()
}

/// Takes areas out of the items of a list, and takes off what is then empty.
pub(crate) fn cut(
    sheet: &SheetView<'_>,
    patch: &mut Patch,
    list: &str,
    item: &str,
    cuts: &[Area],
) -> Result<(), Refusal> {
    let xml = Xml::frame(sheet.worksheet);
    let found: Vec<Node<'_>> = items(sheet.root(), list, item).collect();
    let mut gone = Vec::new();
    for node in &found {
        let before = areas(node);
        let after: Vec<Area> = cuts
            .iter()
            .fold(before.clone(), |known, cut| known.iter().flat_map(|area| without(area, cut)).collect());
        if after == before {
            continue;
        }
        match (after.is_empty(), node.child(XM, "sqref")) {
            (false, Some(place)) => xml.splice(patch, place.content_span(), sqref(&after)?)?,
            _ => gone.push(*node),
        }
    }
    let list = gone.first().and_then(|node| node.parent());
    let Some(list) = list.filter(|list| list.elements().count() == gone.len()) else {
        if let Some(list) = list.filter(|list| list.attribute(ns::NONE, "count").is_some()) {
            let left = list.elements().count().saturating_sub(gone.len());
            xml.set_attribute(patch, &list, "count", &left.to_string())?;
        }
        return gone.iter().try_for_each(|node| xml.remove(patch, node));
    };
    // The last item takes its list along, the last list its extension, and the last extension the list of those.
    let mut top = list;
    while let Some(parent) = top.parent().filter(|parent| !parent.is(ns::S, "worksheet")) {
        if parent.elements().count() > 1 {
            break;
        }
        top = parent;
    }
    xml.remove(patch, &top)
}

//! Areas taken out of the rules in the extension list of a sheet.

use edit::{Patch, Refusal};
use ooxml::xml::{Node, ns};

use crate::file::a1::{Area, sqref, without};
use crate::file::xml_edit::Xml;
use crate::read::extension::{XM, areas, items};
use crate::read::sheet_view::SheetView;

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

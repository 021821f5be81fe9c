//! Links on cells: to addresses outside, and to places in the workbook.

use edit::{Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_attribute, ns};
use ooxml::{Conformance, NewRelationship, NewTarget, Relationships};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::objects::attached;
use crate::file::a1::Area;
use crate::file::workbook::{same_name, string};
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

/// Links that a sheet may have, and characters of an address, in Excel.
const MOST_LINKS: usize = 65_530;
const LONGEST: usize = 2_079;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTo {
    /// `https://…`, `mailto:…` or a file.
    Address(String),
    /// `Sheet2!A1`, or a name.
    Place(String),
}

pub(crate) fn set(
    view: &View,
    name: &str,
    area: Area,
    to: &LinkTo,
    tooltip: Option<&str>,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let list = xml.root().child(ns::S, "hyperlinks");
    let nodes = links(&sheet);
    let mut old = Vec::new();
    for (node, known) in &nodes {
        if !known.intersects(&area) {
            continue;
        }
        if known.hull(&area) != area {
            return Err(Refusal::Unsafe {
                why: format!("{area} overlaps the link over {known}"),
                instead: Some(format!("remove the link over {known} first, or set all of it")),
            });
        }
        old.push(*node);
    }
    if nodes.len() + 1 - old.len() > MOST_LINKS {
        return Err(crate::edits::entry::rule(
            "TOO_MANY_LINKS",
            format!("the sheet would have {} links", nodes.len() + 1),
            format!("Excel takes {MOST_LINKS} on a sheet; use the function HYPERLINK for more"),
        ));
    }
    if let Some(found) = tooltip.map(|text| text.encode_utf16().count()).filter(|found| *found > 255) {
        return Err(crate::edits::entry::over("TEXT_TOO_LONG", "the tooltip of the link", found, 255));
    }
    let mut patch = Patch::new();
    let relationships = Relationships::of_part(&view.content, &sheet.worksheet.part)?;
    forget(&relationships, &nodes, &old, &mut patch)?;
    let mut attributes = format!(" ref=\"{area}\"");
    let mut add = |name: &str, value: &str| {
        attributes.push_str(&format!(" {name}=\"{}\"", escape_attribute(value)));
    };
    match to {
        LinkTo::Address(address) => {
            let (target, fragment) = check_address(address)?;
            let kind = attached::kind(view, "hyperlink");
            let new = NewRelationship { kind: &kind, target: NewTarget::External(target) };
            let ids = relationships.add(&mut patch, &[new])?;
            let strict = view.workbook.conformance == Conformance::Strict;
            let attribute = attached::relationship_attribute(&xml.root(), strict);
            add(&attribute, ids.first().map_or("", |id| id));
            if let Some(fragment) = fragment {
                add("location", fragment);
            }
        }
        LinkTo::Place(place) => add("location", &check_place(view, &sheet, place)?),
    }
    if let Some(tooltip) = tooltip {
        add("tooltip", tooltip);
    }
    let prefix = &sheet.worksheet.spelling().prefix;
    let markup = format!("<{prefix}hyperlink{attributes}/>");
    for node in &old {
        xml.remove(&mut patch, node)?;
    }
    match list {
        Some(list) => xml.append(&mut patch, &list, &markup)?,
        None => {
            let whole = format!("<{prefix}hyperlinks>{markup}</{prefix}hyperlinks>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "hyperlinks", &whole)?;
        }
    }
    let (LinkTo::Address(shown) | LinkTo::Place(shown)) = to;
    let summary = format!("Link {}!{area} to {shown}", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, vec![area]))
}

pub(crate) fn remove(view: &View, name: &str, areas: &[Area]) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let nodes = links(&sheet);
    let old: Vec<Node<'_>> = nodes
        .iter()
        .filter(|(_, known)| areas.iter().any(|area| area.intersects(known)))
        .map(|(node, _)| *node)
        .collect();
    let mut patch = Patch::new();
    let relationships = Relationships::of_part(&view.content, &sheet.worksheet.part)?;
    forget(&relationships, &nodes, &old, &mut patch)?;
    let list = xml.root().child(ns::S, "hyperlinks");
    match list.filter(|list| list.elements().count() == old.len()) {
        Some(list) if !old.is_empty() => xml.remove(&mut patch, &list)?,
        _ => {
            for node in &old {
                xml.remove(&mut patch, node)?;
            }
        }
    }
    let shown: Vec<String> = areas.iter().take(3).map(ToString::to_string).collect();
    let summary = format!("Remove links of {}!{}", sheet.name(), shown.join(", "));
    Ok(attached::planned(&sheet, patch, summary, areas.to_vec()))
}

fn links<'a>(sheet: &SheetView<'a>) -> Vec<(Node<'a>, Area)> {
    let list = sheet.root().child(ns::S, "hyperlinks");
    let nodes = list.into_iter().flat_map(|list| list.elements());
    nodes
        .filter(|node| node.is(ns::S, "hyperlink"))
        .filter_map(|node| Some((node, string(&node, "ref")?.parse().ok()?)))
        .collect()
}

/// Relationships that no link uses any more.
fn forget(
    relationships: &Relationships,
    all: &[(Node<'_>, Area)],
    gone: &[Node<'_>],
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let id = |node: &Node<'_>| node.value(ns::R, "id").map(|id| id.into_owned());
    let kept: Vec<String> = all
        .iter()
        .filter(|(node, _)| !gone.iter().any(|other| other.id() == node.id()))
        .filter_map(|(node, _)| id(node))
        .collect();
    let mut done: Vec<String> = Vec::new();
    for own in gone.iter().filter_map(id) {
        if !kept.contains(&own) && !done.contains(&own) && relationships.get(&own).is_some() {
            relationships.remove(patch, &own)?;
            done.push(own);
        }
    }
    Ok(())
}

/// The address, and the place in it that follows a `#`, which files keep apart.
fn check_address(address: &str) -> Result<(&str, Option<&str>), Refusal> {
    let wrong = |why: &str| Err(Refusal::invalid("address", format!("`{address}`"), why.to_owned()));
    let found = address.encode_utf16().count();
    if found > LONGEST {
        return Err(crate::edits::entry::over("TEXT_TOO_LONG", "the address of the link", found, LONGEST));
    }
    if address.trim().is_empty() || address.chars().any(|c| c.is_control() || c == ' ') {
        return wrong("an address without blanks, such as https://example.com or mailto:a@example.com");
    }
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    if matches!(scheme.as_deref(), Some("javascript" | "vbscript" | "data")) {
        return wrong("an address that Office follows: https, mailto, ftp or a file");
    }
    if scheme.as_deref() == Some("mailto") && !address.contains('@') {
        return wrong("an address such as mailto:a@example.com");
    }
    Ok(match address.split_once('#') {
        Some((target, fragment)) if !target.is_empty() && !fragment.is_empty() => (target, Some(fragment)),
        Some(("", _)) => return wrong("an address; a place in the workbook is given as `place`"),
        _ => (address, None),
    })
}

/// A place as files write it; one that is not there would be a link that leads nowhere.
fn check_place(view: &View, sheet: &SheetView<'_>, place: &str) -> Result<String, Refusal> {
    let place = place.strip_prefix('#').unwrap_or(place);
    if let Some((tab, cells)) = place.rsplit_once('!') {
        let tab = tab.strip_prefix('\'').and_then(|tab| tab.strip_suffix('\'')).unwrap_or(tab);
        let position = view.workbook.position(&tab.replace("''", "'"));
        let Some(tab) = position.and_then(|position| view.workbook.sheets.get(position)) else {
            return Err(view.no_sheet(tab));
        };
        let area: Area = cells.parse()?;
        return Ok(format!("{}!{area}", formula::quote_sheet(&tab.name)));
    }
    if let Ok(area) = place.parse::<Area>() {
        return Ok(format!("{}!{area}", formula::quote_sheet(sheet.name())));
    }
    match view.workbook.names.iter().find(|known| same_name(&known.name, place)) {
        Some(known) => Ok(known.name.clone()),
        None => Err(view.no_name(place)),
    }
}

//! What lies on a sheet, changed: pictures put there, pictures and charts moved and taken away.

use edit::{Blob, PartName, Patch, Planned, Refusal};
use ooxml::picture::{self, Image};
use ooxml::xml::{Document, Node, escape_attribute, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::objects::attached::{self, NewPart, Stage};
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{number, string};
use crate::file::xml_edit::{DECLARATION, WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

const DRAWING_TYPE: &str = "application/vnd.openxmlformats-officedocument.drawing+xml";
/// English metric units in a pixel of 96 to the inch.
const EMU: f64 = 9_525.0;
/// Excel draws nothing longer.
const LONGEST: f64 = 30_000.0;

/// Where the corners of an object lie: points right of and below the upper left of their cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offsets {
    pub from: (f64, f64),
    #[serde(default)]
    pub to: (f64, f64),
}

impl Offsets {
    /// Both corners as markup, if they are apart.
    pub(crate) fn corners(&self, first: CellRef, last: CellRef) -> Result<String, Refusal> {
        let apart = |from: u32, to: u32, near: f64, far: f64| to > from || to == from && far > near;
        if !apart(first.col, last.col, self.from.0, self.to.0)
            || !apart(first.row, last.row, self.from.1, self.to.1)
        {
            return Err(Refusal::invalid(
                "to",
                last,
                format!("a corner below and right of the one in {first}"),
            ));
        }
        Ok(format!("{}{}", corner_at("from", first, self.from)?, corner_at("to", last, self.to)?))
    }
}

/// A picture to be put on a sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewImage {
    /// A PNG, JPEG or GIF picture in base64.
    pub data: String,
    /// In pixels; where one is left out the picture keeps its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For people who cannot see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The cell with its other corner; it then grows with its cells and has no size of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<CellRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offsets: Option<Offsets>,
    /// The heading of the description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// It may be stretched in one direction by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free_shape: bool,
}

pub(crate) fn add_image(
    view: &View,
    name: &str,
    at: CellRef,
    image: &NewImage,
) -> Result<Planned<Outcome>, Refusal> {
    attached::refuse_strict(view, "a new picture")?;
    let own = view.sheet(name)?.name().to_owned();
    let bytes = picture::decode(&image.data)?;
    let read = Image::read(&bytes)?;
    let (width, height) = size(&read, image)?;
    let offsets = image.offsets.unwrap_or_default();
    let (anchor, corners) = match image.to {
        Some(_) if image.width.is_some() || image.height.is_some() => {
            return Err(Refusal::invalid("to", "given with a size", "the other corner or a size, not both"));
        }
        Some(to) => ("twoCellAnchor", offsets.corners(at, to)?),
        None => {
            let from = corner_at("from", at, offsets.from)?;
            ("oneCellAnchor", format!("{from}<xdr:ext cx=\"{width}\" cy=\"{height}\"/>"))
        }
    };
    let lock = if image.free_shape { "" } else { "<a:picLocks noChangeAspect=\"1\"/>" };
    let mut stage = Stage::new(view);
    let part = drawing_part(&mut stage, &own)?;
    let view = stage.view();
    let media = same_media(view, &read, &bytes)?.unwrap_or_else(|| {
        ooxml::free_name(
            &view.content,
            &format!("{}media/image", attached::folder(view)),
            read.kind.extension(),
        )
    });
    let mut patch = Patch::new();
    let kind = format!("{}/image", ns::R);
    let new = NewPart { part: &media, kind: &kind, content_type: read.kind.mime(), bytes: Blob::from(bytes) };
    let ids = attached::attach(view, &mut patch, &part, vec![new])?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let id = shape_id(&document);
    let shown = image.name.clone().unwrap_or_else(|| format!("Picture {id}"));
    let description = image
        .description
        .as_deref()
        .map_or(String::new(), |text| format!(" descr=\"{}\"", escape_attribute(text)));
    let heading = image.heading.as_deref();
    let heading = heading.map_or(String::new(), |text| format!(" title=\"{}\"", escape_attribute(text)));
    let markup = format!(
        "<xdr:{anchor} xmlns:xdr=\"{}\" xmlns:a=\"{}\" xmlns:r=\"{}\">{corners}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id=\"{id}\" name=\"{}\"{description}{heading}/><xdr:cNvPicPr>\
         {lock}</xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed=\"{}\"/>\
         <a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/>\
         <a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></xdr:spPr>\
         </xdr:pic><xdr:clientData/></xdr:{anchor}>",
        ns::XDR,
        ns::A,
        ns::R,
        escape_attribute(&shown),
        ids.first().map_or("", |id| id),
    );
    Xml::new(&part, &document).append(&mut patch, &document.root(), &markup)?;
    stage.then(&patch)?;
    let sheet = stage.view().sheet(&own)?;
    let summary = format!("Put {shown} on {own}!{at}");
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![Area::cell(at)]))
}

fn size(read: &Image, image: &NewImage) -> Result<(u64, u64), Refusal> {
    let (width, height) = read.points();
    let (width, height) = (width * 96.0 / 72.0, height * 96.0 / 72.0);
    let (width, height) = match (image.width, image.height) {
        (Some(width), Some(height)) => (width, height),
        (Some(wanted), None) => (wanted, height * wanted / width),
        (None, Some(wanted)) => (width * wanted / height, wanted),
        (None, None) => (width, height),
    };
    for (field, found) in [("width", width), ("height", height)] {
        if !(1.0..=LONGEST).contains(&found) {
            return Err(Refusal::invalid(field, found, format!("1 to {LONGEST} pixels")));
        }
    }
    Ok(((width * EMU) as u64, (height * EMU) as u64))
}

/// A picture that is in the workbook already.
fn same_media(view: &View, read: &Image, bytes: &[u8]) -> Result<Option<PartName>, Refusal> {
    let ending = format!(".{}", read.kind.extension());
    for part in view.content.names() {
        if !part.as_str().contains("/media/") || !part.as_str().to_ascii_lowercase().ends_with(&ending) {
            continue;
        }
        let blob = view.content.existing(part)?;
        if blob.len() == bytes.len() && *blob.bytes() == *bytes {
            return Ok(Some(part.clone()));
        }
    }
    Ok(None)
}

pub(crate) fn corner_at(name: &str, at: CellRef, offset: (f64, f64)) -> Result<String, Refusal> {
    Ok(format!(
        "<xdr:{name}><xdr:col>{}</xdr:col><xdr:colOff>{}</xdr:colOff><xdr:row>{}</xdr:row><xdr:rowOff>{}</xdr:rowOff></xdr:{name}>",
        at.col,
        units(offset.0)?,
        at.row,
        units(offset.1)?
    ))
}

/// Points in the units of drawings.
fn units(points: f64) -> Result<i64, Refusal> {
    match (0.0..=LONGEST).contains(&points) {
        true => Ok((points * 12_700.0).round() as i64),
        false => Err(Refusal::invalid("offset", points, format!("0 to {LONGEST} points"))),
    }
}

/// The number of a new shape: one that no other of the drawing has.
pub(crate) fn shape_id(document: &Document) -> u32 {
    let shapes = document.root().descendants().filter(|node| node.name().local == "cNvPr");
    shapes.filter_map(|node| number(&node, "id")).max().unwrap_or(1).saturating_add(1)
}

/// The drawing of a sheet, which comes to be where it has none.
pub(crate) fn drawing_part(stage: &mut Stage, name: &str) -> Result<PartName, Refusal> {
    let view = stage.view();
    let sheet = view.sheet(name)?;
    if let Some((_, part)) = own_drawing(&sheet)? {
        return Ok(part);
    }
    let part = ooxml::free_name(&view.content, &format!("{}drawings/drawing", attached::folder(view)), "xml");
    let bytes = format!("{DECLARATION}<xdr:wsDr xmlns:xdr=\"{}\" xmlns:a=\"{}\"></xdr:wsDr>", ns::XDR, ns::A);
    let mut patch = Patch::new();
    let kind = attached::kind(view, "drawing");
    let new = NewPart { part: &part, kind: &kind, content_type: DRAWING_TYPE, bytes: Blob::from(bytes) };
    let ids = attached::attach(view, &mut patch, &sheet.worksheet.part, vec![new])?;
    let xml = Xml::frame(sheet.worksheet);
    let prefix = &sheet.worksheet.spelling().prefix;
    let attribute = attached::relationship_attribute(&xml.root(), false);
    let markup = format!("<{prefix}drawing {attribute}=\"{}\"/>", ids.first().map_or("", |id| id));
    match xml.root().child(ns::S, "drawing") {
        // One that leads nowhere.
        Some(node) => xml.splice(&mut patch, node.span(), markup)?,
        None => xml.insert(&mut patch, WORKSHEET_ORDER, "drawing", &markup)?,
    }
    stage.then(&patch)?;
    Ok(part)
}

/// The drawing that a sheet shows, with the id of the relationship.
fn own_drawing(sheet: &SheetView<'_>) -> Result<Option<(String, PartName)>, Refusal> {
    let Some(node) = sheet.root().child(ns::S, "drawing") else { return Ok(None) };
    let Some(id) = node.value(ns::R, "id").map(|id| id.into_owned()) else { return Ok(None) };
    let part = sheet.relationships()?.get(&id).and_then(|found| found.part.clone());
    Ok(part.filter(|part| sheet.book.content.contains(part)).map(|part| (id, part)))
}

/// A drawing by its name, or by its place as `#1`; the part it is in and its anchor there.
fn find<'a>(document: &'a Document, wanted: &str) -> Result<Node<'a>, Refusal> {
    let anchors = || document.root().elements().filter(|node| node.name().local.ends_with("Anchor"));
    if let Some(index) = wanted.strip_prefix('#').and_then(|text| text.parse::<usize>().ok()) {
        let found = index.checked_sub(1).and_then(|index| anchors().nth(index));
        return found.ok_or_else(|| Refusal::NotFound {
            what: "drawing",
            id: wanted.to_owned(),
            nearest: (1..=anchors().count().min(5)).map(|index| format!("#{index}")).collect(),
        });
    }
    let named = |node: &Node<'_>| {
        let shape = node.descendants().find(|inner| inner.name().local == "cNvPr")?;
        string(&shape, "name")
    };
    let found: Vec<Node<'_>> = anchors().filter(|node| named(node).as_deref() == Some(wanted)).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let names: Vec<String> = anchors().filter_map(|node| named(&node)).collect();
            Err(Refusal::NotFound {
                what: "drawing",
                id: wanted.to_owned(),
                nearest: crate::read::nearest::nearest(wanted, names.iter().map(String::as_str)),
            })
        }
        many => Err(Refusal::Ambiguous {
            text: wanted.to_owned(),
            count: many.len(),
            within: "the drawings of the sheet; name one by its place, such as #1".to_owned(),
            contexts: Vec::new(),
        }),
    }
}

fn no_drawing(wanted: &str) -> Refusal {
    Refusal::not_found("drawing", wanted)
}

/// The part of the chart that a drawing shows.
pub(crate) fn chart_part(sheet: &SheetView<'_>, wanted: &str) -> Result<PartName, Refusal> {
    let (_, part) = own_drawing(sheet)?.ok_or_else(|| no_drawing(wanted))?;
    let document = ooxml::read_xml(&sheet.book.content, &part)?;
    let anchor = find(&document, wanted)?;
    let chart = anchor.descendants().find(|node| node.is(ns::CHART, "chart"));
    let id = chart.and_then(|node| node.value(ns::R, "id").map(|id| id.into_owned()));
    let relationships = ooxml::Relationships::of_part(&sheet.book.content, &part)?;
    let target = id.and_then(|id| relationships.get(&id)?.part.clone());
    target.filter(|part| sheet.book.content.contains(part)).ok_or_else(|| {
        Refusal::invalid("drawing", format!("`{wanted}`"), "a chart; this is something else".to_owned())
    })
}

/// Moves a drawing so that its first corner lies on `at`; `to` is its other corner, where it has one.
pub(crate) fn shift(
    view: &View,
    name: &str,
    wanted: &str,
    at: CellRef,
    to: Option<CellRef>,
    offsets: Option<&Offsets>,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let (_, part) = own_drawing(&sheet)?.ok_or_else(|| no_drawing(wanted))?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let xml = Xml::new(&part, &document);
    let anchor = find(&document, wanted)?;
    let child = |name: &str| anchor.elements().find(|node| node.name().local == name);
    let Some(from) = child("from") else {
        return Err(Refusal::Unsupported {
            what: format!("moving `{wanted}`, which is not fixed to cells,"),
            instead: Some("delete it and add it again".to_owned()),
        });
    };
    let line = |node: &Node<'_>, name: &str| {
        let node = node.elements().find(|inner| inner.name().local == name)?;
        node.text().trim().parse::<u32>().ok()
    };
    let place = |node: &Node<'_>| Some(CellRef::new(line(node, "row")?, line(node, "col")?));
    let before = place(&from).unwrap_or(CellRef::new(0, 0));
    let mut patch = Patch::new();
    let mut put = |node: &Node<'_>, cell: CellRef, offset: Option<(f64, f64)>| -> Result<(), Refusal> {
        let mut wanted = vec![("row", i64::from(cell.row)), ("col", i64::from(cell.col))];
        if let Some((x, y)) = offset {
            wanted.extend([("colOff", units(x)?), ("rowOff", units(y)?)]);
        }
        for (name, value) in wanted {
            let inner = node.elements().find(|inner| inner.name().local == name && !inner.closes_itself());
            if let Some(inner) = inner.filter(|inner| inner.text().trim() != value.to_string()) {
                xml.splice(&mut patch, inner.content_span(), value.to_string())?;
            }
        }
        Ok(())
    };
    put(&from, at, offsets.map(|offsets| offsets.from))?;
    match (child("to"), to) {
        (Some(corner), to) => {
            let known = place(&corner).unwrap_or(before);
            let rows = known.row.saturating_sub(before.row);
            let columns = known.col.saturating_sub(before.col);
            let stretched = to.is_some();
            let to = to.unwrap_or(CellRef::new(at.row + rows, at.col + columns));
            if to.row < at.row
                || to.col < at.col
                || to.row >= formula::MAX_ROWS
                || to.col >= formula::MAX_COLS
            {
                return Err(Refusal::invalid(
                    "to",
                    to,
                    format!("a cell below and right of {at}, on the sheet"),
                ));
            }
            put(&corner, to, offsets.map(|offsets| offsets.to).filter(|_| stretched))?;
        }
        (None, Some(to)) => {
            let size = child("ext").filter(|_| anchor.name().local == "oneCellAnchor");
            let Some(size) = size.filter(|_| to.row >= at.row && to.col >= at.col) else {
                return Err(Refusal::invalid(
                    "to",
                    to,
                    format!("a cell below and right of {at}, on the sheet"),
                ));
            };
            // From now on it grows with its cells.
            let (own, corner) =
                (anchor.qualified(), corner_at("to", to, offsets.map_or((0.0, 0.0), |offsets| offsets.to))?);
            let two = own.replace("oneCellAnchor", "twoCellAnchor");
            let prefix = own.strip_suffix("oneCellAnchor").unwrap_or_default();
            xml.splice(&mut patch, size.span(), corner.replace("xdr:", prefix))?;
            for start in [anchor.tag_span().start + 1, anchor.end_tag_span().start + 2] {
                xml.splice(&mut patch, start..start + own.len(), two.as_str())?;
            }
        }
        (None, None) => {}
    }
    let summary = format!("Move {wanted} to {}!{at}", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, Vec::new()))
}

/// A change of what an object is called; an empty text takes a description away.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawingChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The heading of the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Of a picture: it may be stretched in one direction by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_shape: Option<bool>,
}

pub(crate) fn describe(
    view: &View,
    name: &str,
    wanted: &str,
    change: &DrawingChange,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let (_, part) = own_drawing(&sheet)?.ok_or_else(|| no_drawing(wanted))?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let xml = Xml::new(&part, &document);
    let anchor = find(&document, wanted)?;
    let mut patch = Patch::new();
    let Some(shape) = anchor.descendants().find(|node| node.name().local == "cNvPr") else {
        return Err(Refusal::unsupported("naming an object without properties"));
    };
    if let Some(new) = &change.name {
        let taken = document.root().descendants().any(|node| {
            node.name().local == "cNvPr"
                && node.span() != shape.span()
                && string(&node, "name").as_ref() == Some(new)
        });
        if new.trim().is_empty() || taken {
            return Err(Refusal::invalid(
                "name",
                format!("`{new}`"),
                "a name that no other object of the sheet has",
            ));
        }
        xml.set_attribute(&mut patch, &shape, "name", new)?;
    }
    for (attribute, text) in [("descr", &change.description), ("title", &change.heading)] {
        match text {
            Some(text) if text.is_empty() => xml.remove_attribute(&mut patch, &shape, attribute)?,
            Some(text) => xml.set_attribute(&mut patch, &shape, attribute, text)?,
            None => {}
        }
    }
    if let Some(free) = change.free_shape {
        let own = anchor.descendants().find(|node| node.name().local == "cNvPicPr");
        let own = own.ok_or_else(|| Refusal::unsupported("the shape of an object that is no picture"))?;
        match own.child(ns::A, "picLocks") {
            Some(locks) => {
                xml.set_attribute(&mut patch, &locks, "noChangeAspect", if free { "0" } else { "1" })?
            }
            None if free => {}
            None => {
                let markup = format!("<a:picLocks xmlns:a=\"{}\" noChangeAspect=\"1\"/>", ns::A);
                xml.append(&mut patch, &own, &markup)?;
            }
        }
    }
    let summary = format!("Describe {wanted} of {}", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, Vec::new()))
}

pub(crate) fn delete(view: &View, name: &str, wanted: &str) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let (id, part) = own_drawing(&sheet)?.ok_or_else(|| no_drawing(wanted))?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let anchor = find(&document, wanted)?;
    let summary = format!("Delete {wanted} from {}", sheet.name());
    let mut patch = Patch::new();
    // The part goes with its last drawing.
    if document.root().elements().count() == 1 {
        let xml = Xml::frame(sheet.worksheet);
        if let Some(node) = xml.root().child(ns::S, "drawing") {
            xml.remove(&mut patch, &node)?;
        }
        attached::detach(view, &mut patch, &sheet.worksheet.part, &id)?;
        return Ok(attached::planned(&sheet, patch, summary, Vec::new()));
    }
    let used = |node: &Node<'_>| {
        let nodes = std::iter::once(*node).chain(node.descendants());
        let ids = nodes.filter(Node::is_element).flat_map(|node| {
            let own = node.attributes().filter(|attribute| attribute.namespace() == ns::R);
            own.map(|attribute| attribute.value().into_owned()).collect::<Vec<_>>()
        });
        ids.collect::<Vec<String>>()
    };
    let others: Vec<String> = document
        .root()
        .elements()
        .filter(|node| node.id() != anchor.id())
        .flat_map(|node| used(&node))
        .collect();
    Xml::new(&part, &document).remove(&mut patch, &anchor)?;
    let mut stage = Stage::new(view);
    stage.then(&patch)?;
    let mut gone = used(&anchor);
    gone.sort_unstable();
    gone.dedup();
    let known = ooxml::Relationships::of_part(&view.content, &part)?;
    for id in gone.iter().filter(|id| !others.contains(id) && known.get(id).is_some()) {
        let mut patch = Patch::new();
        attached::detach(stage.view(), &mut patch, &part, id)?;
        stage.then(&patch)?;
    }
    let sheet = view.sheet(name)?;
    Ok(attached::planned(&sheet, stage.patch(), summary, Vec::new()))
}

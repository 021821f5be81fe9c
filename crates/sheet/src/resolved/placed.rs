//! Where pictures, charts and shapes lie on a sheet, to the point, and what of a picture is cut off.

use std::collections::BTreeMap;

use edit::{OrEmpty, PartName, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Node, ns};
use serde::Serialize;

use crate::file::a1::CellRef;
use crate::file::workbook::{flag, number, string};
use crate::read::book::Book;
use crate::read::sheet_view::SheetView;

/// An object on a sheet. In the order in which they cover each other, the lowest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Placed {
    pub name: Option<String>,
    /// Its number in the drawing.
    pub id: Option<u32>,
    /// Among all drawings of its sheet, counted from 1.
    pub place: usize,
    /// For people who cannot see it.
    pub description: Option<String>,
    /// The heading of that.
    pub heading: Option<String>,
    pub kind: PlacedKind,
    pub anchor: Anchor,
    /// The part with the picture or chart.
    pub part: Option<String>,
    pub crop: Crop,
    /// In degrees, clockwise.
    pub rotation: f64,
    /// What is written in a shape.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlacedKind {
    Picture,
    Chart,
    /// Charts of the newer kind: waterfall, histogram, funnel and so on.
    NewerChart,
    /// `rect`, `textBox` and so on.
    Shape(String),
    Group,
    Connector,
    Slicer,
    Control,
    /// Whatever else; called as the file calls it.
    Other(String),
}

/// Lengths are in English metric units, of which a point has 12,700.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// Moves and grows with its cells.
    Between {
        from: Corner,
        to: Corner,
    },
    /// Moves with its cell.
    At {
        from: Corner,
        width: i64,
        height: i64,
    },
    Fixed {
        x: i64,
        y: i64,
        width: i64,
        height: i64,
    },
}

/// A cell and how far in from its upper left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Corner {
    pub cell: CellRef,
    pub x: i64,
    pub y: i64,
}

/// Parts of a picture that are not shown, from each side; negative where room is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Crop {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl SheetView<'_> {
    /// The objects on the sheet that are not hidden.
    pub fn placed(&self) -> Result<Vec<Placed>, Refusal> {
        let mut found = Vec::new();
        let relationships = self.relationships()?;
        let parts = relationships.iter().filter(|r| r.kind.rsplit('/').next() == Some("drawing"));
        for part in parts.filter_map(|r| r.part.clone()).filter(|part| self.book.content.contains(part)) {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            let relationships = Relationships::of_part(&self.book.content, &part)?;
            let anchors = document.root().elements().filter(|node| node.name().local.ends_with("Anchor"));
            for (place, node) in (1..).zip(anchors) {
                found.extend(read(&node, place, &relationships));
            }
        }
        Ok(found)
    }

    /// Buttons, boxes to tick and the like, which lie in no drawing; where each is, if the sheet says it.
    pub fn controls(&self) -> Vec<(String, Option<Anchor>)> {
        let mut found: BTreeMap<u32, (String, Option<Anchor>)> = BTreeMap::new();
        for node in self.root().descendants().filter(|node| node.name().local == "control") {
            let Some(id) = number(&node, "shapeId") else { continue };
            let place = node.descendants().find(|node| node.name().local == "anchor");
            let place = place.and_then(|place| {
                Some(Anchor::Between { from: corner(&place, "from")?, to: corner(&place, "to")? })
            });
            let name = string(&node, "name").unwrap_or_else(|| format!("Control {id}"));
            // The same control stands there a second time for older versions.
            let slot = found.entry(id).or_insert((name, None));
            slot.1 = slot.1.or(place);
        }
        found.into_values().collect()
    }

    /// The bytes of a part that an object names.
    pub fn object_bytes(&self, part: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let blob = self.book.content.read(PartName::new(part))?;
        Ok(blob.map(|blob| blob.bytes().to_vec()))
    }
}

impl Book {
    /// A chart by its name, or by its place among the charts as `#1`, on one sheet or on any; the sheet's position
    /// and the chart.
    pub fn chart_named(&self, sheet: Option<usize>, wanted: &str) -> Result<(usize, Placed), Refusal> {
        let mut charts = Vec::new();
        for found in self.worksheets() {
            let found = found?;
            if sheet.is_none_or(|sheet| sheet == found.position) {
                let placed = found.placed()?.into_iter();
                let own = placed.filter(|one| matches!(one.kind, PlacedKind::Chart | PlacedKind::NewerChart));
                charts.extend(own.map(|one| (found.position, one)));
            }
        }
        if let Some(number) = wanted.strip_prefix('#').and_then(|text| text.parse::<usize>().ok())
            && let Some(found) = number.checked_sub(1).and_then(|index| charts.get(index))
        {
            return Ok(found.clone());
        }
        let same = |one: &&(usize, Placed)| {
            one.1.name.as_deref().is_some_and(|name| name.to_lowercase() == wanted.to_lowercase())
        };
        let mut found: Vec<&(usize, Placed)> = charts.iter().filter(same).collect();
        if found.len() > 1 && found.iter().any(|one| one.1.name.as_deref() == Some(wanted)) {
            found.retain(|one| one.1.name.as_deref() == Some(wanted));
        }
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            [] => {
                let names = || charts.iter().filter_map(|(_, one)| one.name.as_deref());
                let mut nearest = crate::read::nearest::nearest(wanted, names());
                if nearest.is_empty() {
                    nearest = names().take(5).map(str::to_owned).collect();
                }
                Err(Refusal::NotFound { what: "chart", id: wanted.to_owned(), nearest })
            }
            many => Err(Refusal::Ambiguous {
                text: wanted.to_owned(),
                count: many.len(),
                within: "the charts of the workbook; name the sheet too, or its place such as #1".to_owned(),
                contexts: Vec::new(),
            }),
        }
    }
}

fn read(node: &Node<'_>, place: usize, relationships: &Relationships) -> Option<Placed> {
    let anchor = anchor(node)?;
    // An object of a newer version stands beside something that older ones can show.
    let content = node.elements().find_map(|child| match child.name().local {
        "from" | "to" | "ext" | "pos" | "clientData" => None,
        "AlternateContent" => child
            .elements()
            .find(|one| one.name().local == "Choice")
            .and_then(|choice| choice.elements().next()),
        _ => Some(child),
    })?;
    let inside = |name: &str| content.descendants().find(|node| node.name().local == name);
    let properties = inside("cNvPr");
    if properties.is_some_and(|node| flag(&node, "hidden", false)) {
        return None;
    }
    let linked = |node: Option<Node<'_>>, attribute: &str| {
        let id = node?.value(ns::R, attribute)?.into_owned();
        relationships.get(&id)?.part.as_ref().map(ToString::to_string)
    };
    let (kind, part) = match content.name().local {
        "pic" => (PlacedKind::Picture, linked(inside("blip"), "embed")),
        "graphicFrame" => {
            let uri = inside("graphicData").and_then(|node| string(&node, "uri")).or_empty();
            match (uri.rsplit('/').next().unwrap_or(&uri), inside("chart")) {
                ("chartex", chart) => (PlacedKind::NewerChart, linked(chart, "id")),
                (_, Some(chart)) => (PlacedKind::Chart, linked(Some(chart), "id")),
                ("slicer" | "timeslicer", None) => (PlacedKind::Slicer, None),
                (other, None) => (PlacedKind::Other(other.to_owned()), None),
            }
        }
        "sp" => {
            let geometry = inside("prstGeom").and_then(|node| string(&node, "prst"));
            (PlacedKind::Shape(geometry.unwrap_or_else(|| "shape".to_owned())), None)
        }
        "grpSp" => (PlacedKind::Group, None),
        "cxnSp" => (PlacedKind::Connector, None),
        "control" => (PlacedKind::Control, None),
        other => (PlacedKind::Other(other.to_owned()), None),
    };
    let share = |node: &Node<'_>, name: &str| {
        let text = string(node, name)?;
        text.trim().parse::<f64>().ok().filter(|share| share.is_finite()).map(|share| share / 100_000.0)
    };
    let crop = inside("srcRect").map(|node| Crop {
        left: share(&node, "l").unwrap_or(0.0),
        right: share(&node, "r").unwrap_or(0.0),
        top: share(&node, "t").unwrap_or(0.0),
        bottom: share(&node, "b").unwrap_or(0.0),
    });
    let turned = inside("xfrm").and_then(|node| string(&node, "rot")?.trim().parse::<f64>().ok());
    let paragraphs = content.descendants().filter(|node| node.is(ns::A, "p"));
    let lines = paragraphs.map(|paragraph| {
        let runs = paragraph.descendants().filter(|node| node.is(ns::A, "t"));
        runs.map(|node| node.text().into_owned()).collect::<String>()
    });
    Some(Placed {
        name: properties.and_then(|node| string(&node, "name")),
        place,
        id: properties.and_then(|node| number(&node, "id")),
        description: properties.and_then(|node| string(&node, "descr")),
        heading: properties.and_then(|node| string(&node, "title")),
        text: lines.collect::<Vec<_>>().join("\n"),
        rotation: turned.unwrap_or(0.0) / 60_000.0,
        crop: crop.unwrap_or_default(),
        kind,
        anchor,
        part,
    })
}

/// A corner of an anchor, `from` or `to`.
fn corner(anchor: &Node<'_>, name: &str) -> Option<Corner> {
    let node = anchor.elements().find(|node| node.name().local == name)?;
    let text = |name: &str| {
        let node = node.elements().find(|node| node.name().local == name)?;
        Some(node.text().trim().to_owned())
    };
    let line = |name: &str, most: u32| Some(text(name)?.parse::<u32>().ok()?.min(most - 1));
    let offset = |name: &str| text(name).and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
    let cell = CellRef::new(line("row", formula::MAX_ROWS)?, line("col", formula::MAX_COLS)?);
    Some(Corner { cell, x: offset("colOff"), y: offset("rowOff") })
}

fn anchor(node: &Node<'_>) -> Option<Anchor> {
    let child = |name: &str| node.elements().find(|node| node.name().local == name);
    let corner = |name: &str| corner(node, name);
    let pair = |name: &str, first: &str, second: &str| {
        let node = child(name)?;
        let length = |name: &str| string(&node, name)?.trim().parse::<i64>().ok();
        Some((length(first)?, length(second)?))
    };
    Some(match node.name().local {
        "twoCellAnchor" => Anchor::Between { from: corner("from")?, to: corner("to")? },
        "oneCellAnchor" => {
            let (width, height) = pair("ext", "cx", "cy")?;
            Anchor::At { from: corner("from")?, width, height }
        }
        "absoluteAnchor" => {
            let (x, y) = pair("pos", "x", "y")?;
            let (width, height) = pair("ext", "cx", "cy")?;
            Anchor::Fixed { x, y, width, height }
        }
        _ => return None,
    })
}

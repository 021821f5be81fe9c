//! What lies on a sheet, read: notes, threads of comments, pictures and charts.

use std::collections::BTreeMap;

use edit::{OrEmpty, PartName, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Node, ns};
use serde::Serialize;

use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{flag, number, string};
use crate::read::sheet_view::SheetView;

/// A note on a cell. Excel keeps one beside each thread as well, for older versions; those are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteOnCell {
    pub at: CellRef,
    pub author: Option<String>,
    pub text: String,
}

/// A conversation on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thread {
    pub at: CellRef,
    pub resolved: bool,
    pub comments: Vec<ThreadComment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadComment {
    pub id: String,
    pub author: Option<String>,
    pub time: Option<String>,
    pub text: String,
}

/// A picture, chart or shape and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawing {
    pub name: Option<String>,
    pub kind: DrawingKind,
    /// The cells it lies over; only the first for one that keeps its size.
    pub area: Option<Area>,
    /// The part with the picture or chart.
    pub part: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawingKind {
    Picture,
    Chart,
    Shape,
}

/// A chart and what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chart {
    /// What the drawing is called, and the cells it lies over.
    pub name: Option<String>,
    pub area: Option<Area>,
    pub part: String,
    /// `barChart`, `lineChart` and so on; several where they are combined.
    pub kinds: Vec<String>,
    pub title: Option<String>,
    pub series: Vec<crate::read::chart_series::ChartSeries>,
    /// All its references, as formulas.
    pub references: Vec<String>,
}

impl SheetView<'_> {
    fn parts_of(&self, kind: &str) -> Result<Vec<PartName>, Refusal> {
        let found = self.relationships()?;
        let parts =
            found.iter().filter(|r| r.kind.rsplit('/').next() == Some(kind)).filter_map(|r| r.part.clone());
        Ok(parts.filter(|part| self.book.content.contains(part)).collect())
    }

    pub fn notes(&self) -> Result<Vec<NoteOnCell>, Refusal> {
        let mut notes = Vec::new();
        for part in self.parts_of("comments")? {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            let root = document.root();
            let authors: Vec<String> = root
                .child(ns::S, "authors")
                .map_or_else(Vec::new, |list| list.elements().map(|node| node.text().into_owned()).collect());
            let list = root.child(ns::S, "commentList");
            for node in list.iter().flat_map(|list| list.elements()).filter(|node| node.is(ns::S, "comment"))
            {
                let author = number(&node, "authorId").and_then(|index| authors.get(index as usize).cloned());
                if author.as_deref().is_some_and(|author| author.starts_with("tc={")) {
                    continue;
                }
                let Some(at) = string(&node, "ref").and_then(|text| text.parse().ok()) else { continue };
                let text = node.child(ns::S, "text").map(|text| texts(&text)).unwrap_or_default();
                notes.push(NoteOnCell { at, author, text });
            }
        }
        Ok(notes)
    }

    pub fn threads(&self) -> Result<Vec<Thread>, Refusal> {
        let parts = self.parts_of("threadedComment")?;
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        let people = self.people()?;
        let mut threads: Vec<Thread> = Vec::new();
        for part in parts {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            let mut heads: BTreeMap<String, usize> = BTreeMap::new();
            for node in document.root().elements().filter(|node| node.name().local == "threadedComment") {
                let id = string(&node, "id").or_empty();
                let text = node.elements().find(|child| child.name().local == "text");
                let comment = ThreadComment {
                    author: string(&node, "personId").and_then(|person| people.get(&person).cloned()),
                    time: string(&node, "dT"),
                    text: text.map(|node| node.text().into_owned()).or_empty(),
                    id: id.clone(),
                };
                let head = string(&node, "parentId").and_then(|parent| heads.get(&parent).copied());
                if let Some(thread) = head.and_then(|index| threads.get_mut(index)) {
                    thread.comments.push(comment);
                    continue;
                }
                let Some(at) = string(&node, "ref").and_then(|text| text.parse().ok()) else { continue };
                heads.insert(id, threads.len());
                threads.push(Thread { at, resolved: flag(&node, "done", false), comments: vec![comment] });
            }
        }
        Ok(threads)
    }

    fn people(&self) -> Result<BTreeMap<String, String>, Refusal> {
        let content = &self.book.content;
        let mut people = BTreeMap::new();
        for part in content
            .names()
            .filter(|name| name.as_str().contains("/persons/") && !name.as_str().ends_with(".rels"))
        {
            let document = ooxml::read_xml(content, part)?;
            for node in document.root().elements() {
                if let (Some(id), Some(name)) = (string(&node, "id"), string(&node, "displayName")) {
                    people.insert(id, name);
                }
            }
        }
        Ok(people)
    }

    pub fn drawings(&self) -> Result<Vec<Drawing>, Refusal> {
        let mut drawings = Vec::new();
        for part in self.parts_of("drawing")? {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            let relationships = Relationships::of_part(&self.book.content, &part)?;
            for anchor in document.root().elements() {
                let corner = |name: &str| {
                    let node = anchor.elements().find(|node| node.name().local == name)?;
                    let line = |name: &str| {
                        let node = node.elements().find(|node| node.name().local == name)?;
                        node.text().trim().parse::<u32>().ok()
                    };
                    Some(CellRef::new(line("row")?, line("col")?))
                };
                let area = corner("from").map(|from| Area::new(from, corner("to").unwrap_or(from)));
                let find = |name: &str| anchor.descendants().find(|node| node.name().local == name);
                let linked = |node: Option<Node<'_>>, attribute: &str| {
                    let id = node?.value(ns::R, attribute)?.into_owned();
                    relationships.get(&id)?.part.as_ref().map(ToString::to_string)
                };
                let (kind, target) = match (find("chart"), find("blip")) {
                    (Some(chart), _) => (DrawingKind::Chart, linked(Some(chart), "id")),
                    (None, Some(blip)) => (DrawingKind::Picture, linked(Some(blip), "embed")),
                    (None, None) => (DrawingKind::Shape, None),
                };
                if !anchor.name().local.ends_with("Anchor") {
                    continue;
                }
                let name = find("cNvPr").and_then(|node| string(&node, "name"));
                drawings.push(Drawing { name, kind, area, part: target });
            }
        }
        Ok(drawings)
    }

    pub fn charts(&self) -> Result<Vec<Chart>, Refusal> {
        let mut charts = Vec::new();
        for drawing in self.drawings()?.into_iter().filter(|drawing| drawing.kind == DrawingKind::Chart) {
            let Some(part) = drawing.part.filter(|part| self.book.content.contains(part)) else { continue };
            let document = ooxml::read_xml(&self.book.content, &PartName::new(part.as_str()))?;
            let root = document.root();
            let plot = root.descendants().find(|node| node.name().local == "plotArea");
            let kinds = plot.iter().flat_map(|plot| plot.elements()).map(|node| node.name().local);
            let title = root.child(ns::CHART, "chart").and_then(|chart| chart.child(ns::CHART, "title"));
            charts.push(Chart {
                name: drawing.name,
                area: drawing.area,
                series: crate::read::chart_series::read_series(&document),
                kinds: kinds.filter(|kind| kind.ends_with("Chart")).map(str::to_owned).collect(),
                title: title.map(|node| {
                    node.descendants()
                        .filter(|node| node.name().local == "t")
                        .map(|node| node.text().into_owned())
                        .collect()
                }),
                references: root
                    .descendants()
                    .filter(|node| node.name().local == "f" && node.elements().next().is_none())
                    .map(|node| node.text().into_owned())
                    .collect(),
                part,
            });
        }
        Ok(charts)
    }
}

fn texts(node: &Node<'_>) -> String {
    let pieces = node.descendants().filter(|node| node.is(ns::S, "t")).map(|node| node.text().into_owned());
    crate::file::strings::decode(&pieces.collect::<String>()).into_owned()
}

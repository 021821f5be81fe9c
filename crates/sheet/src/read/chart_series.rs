//! The series of a chart: where its names, categories and values stand.

use edit::{PartName, Refusal};
use ooxml::xml::{Document, Node, ns};
use serde::Serialize;

use crate::file::workbook::string;
use crate::read::sheet_view::SheetView;

/// A series as a chart has it; references as formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChartSeries {
    pub name: Option<String>,
    pub categories: Option<String>,
    pub values: Option<String>,
}

/// Series that are drawn in one way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChartGroup {
    /// `column`, `bar`, `line` and so on; what has no name of ours is called as the file calls it.
    pub kind: String,
    /// `clustered`, `standard`, `stacked` or `percentStacked`.
    pub grouping: Option<String>,
    /// On the second axes.
    pub second: bool,
    pub series: Vec<ChartSeries>,
}

impl SheetView<'_> {
    /// The groups of a chart, by its part.
    pub fn chart_groups(&self, part: &str) -> Result<Vec<ChartGroup>, Refusal> {
        let document = ooxml::read_xml(&self.book.content, &PartName::new(part))?;
        let plot = document.root().descendants().find(|node| node.is(ns::CHART, "plotArea"));
        let groups = plot.into_iter().flat_map(|plot| plot.elements());
        let groups = groups.filter(|node| node.name().local.ends_with("Chart"));
        let value = |node: &Node<'_>, name: &str| string(&node.child(ns::CHART, name)?, "val");
        let mut first: Option<Vec<String>> = None;
        let read = |node: Node<'_>| {
            let axes = node.elements().filter(|inner| inner.is(ns::CHART, "axId"));
            let axes: Vec<String> = axes.filter_map(|inner| string(&inner, "val")).collect();
            let known = first.get_or_insert_with(|| axes.clone());
            let second = !axes.is_empty() && !axes.iter().any(|id| known.contains(id));
            let kind = match (node.name().local, value(&node, "barDir").as_deref()) {
                ("barChart", Some("bar")) => "bar",
                ("barChart", _) => "column",
                (local, _) => local.strip_suffix("Chart").unwrap_or(local),
            };
            let own = node.elements().filter(|inner| inner.is(ns::CHART, "ser"));
            ChartGroup {
                kind: kind.to_owned(),
                grouping: value(&node, "grouping"),
                second,
                series: own.map(|inner| one_series(&inner)).collect(),
            }
        };
        Ok(groups.map(read).collect())
    }
}

pub(crate) fn read_series(document: &Document) -> Vec<ChartSeries> {
    series(document).iter().map(one_series).collect()
}

fn one_series(node: &Node<'_>) -> ChartSeries {
    let formula = |node: Option<Node<'_>>| {
        let found = node?.descendants().find(|inner| inner.is(ns::CHART, "f"))?;
        Some(found.text().into_owned())
    };
    let child = |names: &[&str]| node.elements().find(|inner| names.contains(&inner.name().local));
    let name = child(&["tx"]);
    let literal = name.and_then(|tx| tx.child(ns::CHART, "v")).map(|value| value.text().into_owned());
    ChartSeries {
        name: formula(name).map(|text| format!("={text}")).or(literal),
        categories: formula(child(&["cat", "xVal"])),
        values: formula(child(&["val", "yVal"])),
    }
}

pub(crate) fn series(document: &Document) -> Vec<Node<'_>> {
    let plot = document.root().descendants().find(|node| node.is(ns::CHART, "plotArea"));
    let groups = plot.into_iter().flat_map(|plot| plot.elements());
    groups.flat_map(|group| group.elements()).filter(|node| node.is(ns::CHART, "ser")).collect()
}

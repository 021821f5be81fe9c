//! The series of a chart: where its names, categories and values stand.

use ooxml::xml::{Document, Node, ns};
use serde::Serialize;

/// A series as a chart has it; references as formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChartSeries {
    pub name: Option<String>,
    pub categories: Option<String>,
    pub values: Option<String>,
}

pub(crate) fn read_series(document: &Document) -> Vec<ChartSeries> {
    let formula = |node: Option<Node<'_>>| {
        let found = node?.descendants().find(|inner| inner.is(ns::CHART, "f"))?;
        Some(found.text().into_owned())
    };
    let read = |node: Node<'_>| {
        let child = |names: &[&str]| node.elements().find(|inner| names.contains(&inner.name().local));
        let name = child(&["tx"]);
        let literal = name.and_then(|tx| tx.child(ns::CHART, "v")).map(|value| value.text().into_owned());
        ChartSeries {
            name: formula(name).map(|text| format!("={text}")).or(literal),
            categories: formula(child(&["cat", "xVal"])),
            values: formula(child(&["val", "yVal"])),
        }
    };
    series(document).into_iter().map(read).collect()
}

pub(crate) fn series(document: &Document) -> Vec<Node<'_>> {
    let plot = document.root().descendants().find(|node| node.is(ns::CHART, "plotArea"));
    let groups = plot.into_iter().flat_map(|plot| plot.elements());
    groups.flat_map(|group| group.elements()).filter(|node| node.is(ns::CHART, "ser")).collect()
}

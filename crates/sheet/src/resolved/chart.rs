//! Charts of the plain kinds, with the values that their cells have now.
//!
//! A chart is given only if it is understood whole as far as its shapes go; otherwise the reason is. What is written on
//! it beside that (labels, trend lines, error bars) is named, so that whoever draws it can say what is missing.

use std::collections::BTreeMap;

use edit::PartName;
use formula::Value;
use ooxml::xml::{Node, ns};

use super::palette::{Ink, Palette, Rgb};
use super::references::area_of;
use crate::file::workbook::string;
use crate::read::sheet_view::SheetView;

/// Points of a series that are read.
const MOST_POINTS: u64 = 20_000;

/// A chart that can be drawn.
#[derive(Clone, Debug)]
pub struct PlainChart {
    pub title: Option<String>,
    /// `r`, `l`, `t`, `b` or `tr`.
    pub legend: Option<String>,
    pub groups: Vec<PlainGroup>,
    pub value_axis: PlainAxis,
    pub category_axis: PlainAxis,
    /// Colours of slices, in turn.
    pub slice_colors: Vec<Rgb>,
    /// What is on the chart and not told here.
    pub left_out: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    Column,
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    Scatter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacking {
    Beside,
    Stacked,
    Percent,
}

/// Series that are drawn in one way.
#[derive(Clone, Debug)]
pub struct PlainGroup {
    pub kind: PlainKind,
    pub stacking: Stacking,
    /// Between the bars of two categories, in parts of a bar.
    pub gap: f64,
    /// How far bars of one category lie over each other, in parts of a bar.
    pub overlap: f64,
    /// In degrees, clockwise from the top.
    pub first_angle: f64,
    /// In parts of the ring's size.
    pub hole: f64,
    pub series: Vec<PlainSeries>,
}

#[derive(Clone, Debug)]
pub struct PlainSeries {
    pub name: Option<String>,
    pub categories: Vec<String>,
    /// Of a scatter chart.
    pub xs: Vec<Option<f64>>,
    pub values: Vec<Option<f64>>,
    /// Of its shapes, or of its line.
    pub ink: Ink,
    pub points: BTreeMap<usize, Ink>,
    /// In pixels; `None` draws no line.
    pub line: Option<f64>,
    pub markers: bool,
}

#[derive(Clone, Debug, Default)]
pub struct PlainAxis {
    pub hidden: bool,
    pub title: Option<String>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub step: Option<f64>,
    pub gridlines: bool,
    pub number_format: Option<String>,
}

impl SheetView<'_> {
    /// The chart of a part, or why it is not one of the plain ones.
    pub fn plain_chart(&self, part: &str, palette: &Palette) -> Result<PlainChart, String> {
        let document = ooxml::read_xml(&self.book.content, &PartName::new(part))
            .map_err(|refusal| format!("it cannot be read: {refusal}"))?;
        let chart = document.root().child(ns::CHART, "chart").ok_or("it has no chart")?;
        if chart.child(ns::CHART, "view3D").is_some() {
            return Err("it is three-dimensional".to_owned());
        }
        let plot = chart.child(ns::CHART, "plotArea").ok_or("it has no plot")?;
        let axes: Vec<Node<'_>> = plot.elements().filter(|node| node.name().local.ends_with("Ax")).collect();
        let mut groups = Vec::new();
        for node in plot.elements().filter(|node| node.name().local.ends_with("Chart")) {
            groups.push(self.group(&node, palette)?);
        }
        if groups.iter().all(|group| group.series.iter().all(|one| one.values.iter().all(Option::is_none))) {
            return Err("it has no values".to_owned());
        }
        let round = |group: &PlainGroup| matches!(group.kind, PlainKind::Pie | PlainKind::Doughnut);
        let turned = groups.iter().filter(|group| group.kind == PlainKind::Bar).count();
        let mixed = groups.iter().any(round) || groups.iter().any(|group| group.kind == PlainKind::Scatter);
        if axes.len() > 2 || groups.len() > 1 && (mixed || turned > 0) {
            return Err("it has a second axis, or kinds that are not drawn together".to_owned());
        }
        let scatter = groups.iter().any(|group| group.kind == PlainKind::Scatter);
        let values = axes.iter().filter(|node| node.is(ns::CHART, "valAx"));
        // Of the two axes of a scatter chart the one at the bottom is for x.
        let is_bottom =
            |node: &&Node<'_>| scatter && matches!(value(node, "axPos").as_deref(), Some("b" | "t"));
        let value_axis = values.clone().find(|node| !is_bottom(node));
        let category_axis = match scatter {
            true => values.clone().find(is_bottom),
            false => axes.iter().find(|node| !node.is(ns::CHART, "valAx")),
        };
        for node in &axes {
            let scaling = node.child(ns::CHART, "scaling");
            if scaling.is_some_and(|node| node.child(ns::CHART, "logBase").is_some()) {
                return Err("it has a logarithmic axis".to_owned());
            }
            if scaling.and_then(|node| value(&node, "orientation")).as_deref() == Some("maxMin") {
                return Err("it has an axis that runs backwards".to_owned());
            }
        }
        let has = |name: &str| plot.descendants().any(|node| node.is(ns::CHART, name));
        if has("multiLvlStrRef") {
            return Err("its categories have several levels".to_owned());
        }
        let labels = plot.descendants().any(|node| {
            matches!(node.name().local, "showVal" | "showPercent" | "showCatName" | "showSerName")
                && string(&node, "val").as_deref() != Some("0")
        });
        let smooth = plot
            .descendants()
            .any(|node| node.is(ns::CHART, "smooth") && string(&node, "val").as_deref() != Some("0"));
        let left_out = [
            (labels, "data labels"),
            (has("trendline"), "trend lines"),
            (has("errBars"), "error bars"),
            (has("dTable"), "the table of data"),
            (has("explosion"), "slices that are pulled out"),
            (smooth, "smooth lines"),
        ];
        let title = chart.child(ns::CHART, "title").map(|node| texts(&node));
        let automatic = || {
            let deleted = value(&chart, "autoTitleDeleted").as_deref() == Some("1");
            let only = groups.iter().flat_map(|group| &group.series).collect::<Vec<_>>();
            match (deleted, only.as_slice()) {
                (false, [series]) => series.name.clone(),
                _ => None,
            }
        };
        let has_title = title.is_some();
        let title = title.filter(|text| !text.is_empty()).or_else(|| has_title.then(automatic).flatten());
        Ok(PlainChart {
            title,
            legend: chart
                .child(ns::CHART, "legend")
                .map(|node| value(&node, "legendPos").unwrap_or_else(|| "r".to_owned())),
            value_axis: value_axis.map(axis).unwrap_or_default(),
            category_axis: category_axis.map(axis).unwrap_or_default(),
            left_out: left_out.iter().filter(|(on, _)| *on).map(|(_, what)| *what).collect(),
            slice_colors: (0..6).map(|index| palette.accent(index)).collect(),
            groups,
        })
    }

    fn group(&self, node: &Node<'_>, palette: &Palette) -> Result<PlainGroup, String> {
        let kind = match node.name().local {
            "barChart" if value(node, "barDir").as_deref() == Some("bar") => PlainKind::Bar,
            "barChart" => PlainKind::Column,
            "lineChart" => PlainKind::Line,
            "areaChart" => PlainKind::Area,
            "pieChart" => PlainKind::Pie,
            "doughnutChart" => PlainKind::Doughnut,
            "scatterChart" => PlainKind::Scatter,
            other => return Err(format!("its kind is {other}")),
        };
        let number = |name: &str| value(node, name).and_then(|text| text.parse::<f64>().ok());
        let stacking = match value(node, "grouping").as_deref() {
            Some("stacked") => Stacking::Stacked,
            Some("percentStacked") => Stacking::Percent,
            _ => Stacking::Beside,
        };
        let usual = if stacking == Stacking::Beside { 0.0 } else { 100.0 };
        let series = node.elements().filter(|node| node.is(ns::CHART, "ser"));
        let shown_markers = value(node, "marker").as_deref() == Some("1");
        let straight = value(node, "scatterStyle").is_none_or(|style| style != "marker");
        Ok(PlainGroup {
            kind,
            stacking,
            gap: number("gapWidth").unwrap_or(150.0).clamp(0.0, 500.0) / 100.0,
            overlap: number("overlap").unwrap_or(usual).clamp(-100.0, 100.0) / 100.0,
            first_angle: number("firstSliceAng").unwrap_or(0.0),
            hole: number("holeSize").unwrap_or(50.0).clamp(10.0, 90.0) / 100.0,
            series: series.map(|node| self.series(&node, kind, palette, shown_markers, straight)).collect(),
        })
    }

    fn series(
        &self,
        node: &Node<'_>,
        kind: PlainKind,
        palette: &Palette,
        markers: bool,
        straight: bool,
    ) -> PlainSeries {
        let child = |name: &str| node.child(ns::CHART, name);
        let index = value(node, "idx").and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        let shapes = child("spPr");
        let is_line = matches!(kind, PlainKind::Line | PlainKind::Scatter);
        let ink = |shapes: Option<Node<'_>>| {
            let shapes = shapes?;
            let holder = if is_line { shapes.child(ns::A, "ln")? } else { shapes };
            holder.child(ns::A, "solidFill").and_then(|fill| palette.ink_inside(&fill))
        };
        let stroke = shapes.and_then(|shapes| shapes.child(ns::A, "ln"));
        let width =
            stroke.and_then(|node| string(&node, "w")?.parse::<f64>().ok()).unwrap_or(28_575.0) / 9_525.0;
        let invisible = stroke.is_some_and(|node| node.child(ns::A, "noFill").is_some());
        let points = node.elements().filter(|node| node.is(ns::CHART, "dPt")).filter_map(|point| {
            let index = value(&point, "idx")?.parse().ok()?;
            let fill = point.child(ns::CHART, "spPr")?.child(ns::A, "solidFill")?;
            Some((index, palette.ink_inside(&fill)?))
        });
        let symbol = child("marker").and_then(|node| value(&node, "symbol"));
        let categories = child("cat").or_else(|| child("xVal"));
        PlainSeries {
            name: child("tx")
                .and_then(|node| self.texts_of(&node).into_iter().next())
                .filter(|name| !name.is_empty()),
            categories: categories.map(|node| self.texts_of(&node)).unwrap_or_default(),
            xs: child("xVal").map(|node| self.numbers_of(&node)).unwrap_or_default(),
            values: child("val")
                .or_else(|| child("yVal"))
                .map(|node| self.numbers_of(&node))
                .unwrap_or_default(),
            ink: ink(shapes).unwrap_or_else(|| palette.accent(index).into()),
            points: points.collect(),
            line: (is_line && !invisible && straight).then_some(width.clamp(0.5, 20.0)),
            markers: is_line && symbol.as_deref() != Some("none") && (kind == PlainKind::Scatter || markers),
        }
    }

    /// Cells that a reference leads to, by their place in it; `None` if it leads nowhere here.
    fn referred(&self, node: &Node<'_>) -> Option<Vec<(Value, u32)>> {
        let text = node.descendants().find(|node| node.is(ns::CHART, "f"))?.text().into_owned();
        let (position, area) = area_of(self.book, self.position, &text)?;
        if area.count() > MOST_POINTS {
            return None;
        }
        let mut found = vec![(Value::Blank, 0); area.count() as usize];
        let width = area.right - area.left + 1;
        let sheet = self.book.sheet_at(position).ok()?;
        let read = sheet.each_cell(area, &mut |cell| {
            let index = (cell.at.row - area.top) * width + (cell.at.col - area.left);
            if let Some(slot) = found.get_mut(index as usize) {
                *slot = (cell.value, cell.style);
            }
        });
        read.ok().map(|()| found)
    }

    fn numbers_of(&self, node: &Node<'_>) -> Vec<Option<f64>> {
        let number = |value: &Value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        };
        match self.referred(node) {
            Some(cells) => cells.iter().map(|(value, _)| number(value)).collect(),
            None => cached(node).into_iter().map(|text| text?.parse().ok()).collect(),
        }
    }

    fn texts_of(&self, node: &Node<'_>) -> Vec<String> {
        if let Some(literal) = node.child(ns::CHART, "v") {
            return vec![literal.text().into_owned()];
        }
        match self.referred(node) {
            Some(cells) => {
                cells.iter().map(|(value, style)| self.book.text(value, *style).unwrap_or_default()).collect()
            }
            None => cached(node).into_iter().map(Option::unwrap_or_default).collect(),
        }
    }
}

/// The points that the file remembers.
fn cached(node: &Node<'_>) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for point in node.descendants().filter(|node| node.is(ns::CHART, "pt")) {
        let index = string(&point, "idx").and_then(|text| text.parse::<usize>().ok()).unwrap_or(found.len());
        if index as u64 >= MOST_POINTS {
            continue;
        }
        if found.len() <= index {
            found.resize(index + 1, None);
        }
        if let (Some(slot), Some(text)) = (found.get_mut(index), point.child(ns::CHART, "v")) {
            *slot = Some(text.text().into_owned());
        }
    }
    found
}

fn value(node: &Node<'_>, name: &str) -> Option<String> {
    string(&node.child(ns::CHART, name)?, "val")
}

fn texts(node: &Node<'_>) -> String {
    let runs = node.descendants().filter(|node| node.is(ns::A, "t") || node.is(ns::CHART, "v"));
    runs.map(|node| node.text().into_owned()).collect::<Vec<_>>().join("")
}

fn axis(node: &Node<'_>) -> PlainAxis {
    let scaling = node.child(ns::CHART, "scaling");
    let limit = |name: &str| value(&scaling?, name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let format = node.child(ns::CHART, "numFmt").and_then(|node| string(&node, "formatCode"));
    PlainAxis {
        hidden: value(node, "delete").as_deref() == Some("1")
            || value(node, "tickLblPos").as_deref() == Some("none"),
        title: node.child(ns::CHART, "title").map(|node| texts(&node)).filter(|text| !text.is_empty()),
        low: limit("min"),
        high: limit("max"),
        step: value(node, "majorUnit").and_then(|text| text.parse().ok()).filter(|step: &f64| *step > 0.0),
        gridlines: node.child(ns::CHART, "majorGridlines").is_some(),
        number_format: format,
    }
}

/// A number of an axis by a format code.
pub fn axis_text(number: f64, code: &str, from_1904: bool) -> String {
    let dates = if from_1904 { formula::DateSystem::D1904 } else { formula::DateSystem::D1900 };
    let shown = formula::numfmt::format(&Value::Number(number), code, dates);
    shown.map_or_else(|| formula::numfmt::general(number), |shown| shown.text.trim().to_owned())
}

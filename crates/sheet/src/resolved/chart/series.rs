//! The series of a chart with the values that their cells have now.

use std::collections::{BTreeMap, BTreeSet};

use edit::OrEmpty;
use formula::Value;
use ooxml::xml::{Node, ns};

use super::super::palette::{Ink, Palette};
use super::super::references::area_of;
use super::marks::{LabelText, Labels, Marker, MarkerShape, Trend, label_of_point, labels, trend};
use super::shapes::{ChartText, Stroke, fill};
use super::{PlainKind, automatic, value};
use crate::file::a1::Area;
use crate::file::workbook::string;
use crate::read::sheet_view::SheetView;

/// Points of a series that are read.
const MOST_POINTS: u64 = 20_000;

#[derive(Clone, Debug)]
pub struct PlainSeries {
    pub name: Option<String>,
    pub categories: Vec<String>,
    /// What stands over the categories: the first point of each, and its name.
    pub outer: Vec<(usize, String)>,
    /// The categories as numbers, or the x of a scatter chart.
    pub xs: Vec<Option<f64>>,
    pub x_format: Option<String>,
    pub values: Vec<Option<f64>>,
    pub value_format: Option<String>,
    /// Of its shapes, its markers or its line.
    pub ink: Ink,
    /// Its shapes are clear.
    pub clear: bool,
    /// Colours of single points.
    pub points: BTreeMap<usize, Ink>,
    /// Lines around single shapes; nothing where one has none.
    pub point_lines: BTreeMap<usize, Option<Stroke>>,
    /// Around its shapes, or the line itself.
    pub line: Option<Stroke>,
    pub smooth: bool,
    pub marker: Option<Marker>,
    /// Markers of single points; nothing where one has none.
    pub point_markers: BTreeMap<usize, Option<Marker>>,
    pub labels: Option<Labels>,
    pub point_labels: BTreeMap<usize, LabelText>,
    pub trends: Vec<Trend>,
    /// How far slices are pulled out, in parts of the radius; of all and of single ones.
    pub pulled: f64,
    pub pulled_points: BTreeMap<usize, f64>,
}

/// A cell that a reference leads to.
struct ReferredCell {
    value: Value,
    style: u32,
}

pub(super) struct SeriesReader<'a> {
    pub(super) sheet: SheetView<'a>,
    pub(super) palette: &'a Palette,
    pub(super) text: &'a ChartText,
    /// Cells of hidden rows and columns are left out.
    pub(super) only_visible: bool,
}

impl SeriesReader<'_> {
    pub(super) fn all(&self, group: &Node<'_>, kind: PlainKind) -> Vec<PlainSeries> {
        let nodes: Vec<Node<'_>> = group.elements().filter(|node| node.is(ns::CHART, "ser")).collect();
        let group_labels = group.child(ns::CHART, "dLbls");
        let usual = group_labels.and_then(|node| labels(&node, None, self.text, self.palette));
        // Without a word slices differ in colour, and bars do not.
        let varies = value(group, "varyColors")
            .map_or(kind == PlainKind::Pie || kind == PlainKind::Doughnut, |on| on == "1" || on == "true");
        let is_round = matches!(kind, PlainKind::Pie | PlainKind::Doughnut);
        let vary = varies && (is_round || nodes.len() == 1);
        let shown_markers = matches!(value(group, "marker").as_deref(), Some("1" | "true"));
        let style = value(group, "scatterStyle");
        let smooth = style.as_deref() == Some("smooth") || style.as_deref() == Some("smoothMarker");
        let mut list: Vec<(u32, PlainSeries)> = nodes
            .iter()
            .map(|node| {
                let order = value(node, "order").and_then(|text| text.parse().ok()).unwrap_or(u32::MAX);
                (order, self.series(node, kind, usual.as_ref(), vary, shown_markers, smooth))
            })
            .collect();
        list.sort_by_key(|(order, _)| *order);
        list.into_iter().map(|(_, series)| series).collect()
    }

    pub(super) fn name(&self, node: &Node<'_>) -> Option<String> {
        let name = node.elements().find(|child| child.name().local == "tx")?;
        // A name of several cells is written one after the other.
        let name =
            self.texts_of(&name).into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then_some(name)
    }

    fn series(
        &self,
        node: &Node<'_>,
        kind: PlainKind,
        usual_labels: Option<&Labels>,
        vary: bool,
        shown_markers: bool,
        smooth: bool,
    ) -> PlainSeries {
        let child = |name: &str| node.child(ns::CHART, name);
        let palette = self.palette;
        let index = value(node, "idx").and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        let is_line = matches!(kind, PlainKind::Line | PlainKind::Scatter);
        let shapes = child("spPr");
        let own: Ink = automatic(palette, index).into();
        let filled = shapes.and_then(|shapes| fill(&shapes, palette));
        let usual = Stroke { ink: own, width: if is_line { 3.0 } else { 1.0 }, dash: Vec::new() };
        let line = match shapes.and_then(|shapes| shapes.child(ns::A, "ln")) {
            Some(line) => Stroke::read(&line, &usual, palette),
            None => is_line.then(|| usual.clone()),
        };
        let ink = match (is_line, filled, &line) {
            (true, _, Some(line)) => line.ink,
            (false, Some(Some(ink)), _) => ink,
            _ => own,
        };
        let values = child("val").or_else(|| child("yVal"));
        let (values, value_format) = self.numbers_of(values.as_ref());
        let mut points: BTreeMap<usize, Ink> = BTreeMap::new();
        if vary {
            points.extend((0..values.len()).map(|at| (at, automatic(palette, at).into())));
        }
        let mut pulled_points = BTreeMap::new();
        let marker = is_line.then(|| self.marker(node, kind, index, ink, shown_markers)).flatten();
        let mut point_markers = BTreeMap::new();
        let mut point_lines = BTreeMap::new();
        for point in node.elements().filter(|node| node.is(ns::CHART, "dPt")) {
            let Some(at) = value(&point, "idx").and_then(|text| text.parse::<usize>().ok()) else { continue };
            if let Some(own) = point.child(ns::CHART, "spPr").and_then(|shape| fill(&shape, palette)) {
                // One that is said to be clear covers nothing.
                points.insert(at, own.unwrap_or(Ink { cover: 0.0, ..ink }));
            }
            if let Some(line) = point.child(ns::CHART, "spPr").and_then(|shape| shape.child(ns::A, "ln")) {
                point_lines.insert(at, Stroke::read(&line, &usual, palette));
            }
            if let Some(own) = point.child(ns::CHART, "marker").filter(|_| is_line) {
                let own_ink = points.get(&at).copied().unwrap_or(ink);
                point_markers.insert(at, Marker::read(Some(&own), marker.clone(), own_ink, palette));
            }
            if let Some(far) = value(&point, "explosion").and_then(|text| text.parse::<f64>().ok()) {
                pulled_points.insert(at, far.clamp(0.0, 100.0) / 100.0);
            }
        }
        let categories = child("cat").or_else(|| child("xVal"));
        let (mut xs, mut x_format) = self.numbers_of(categories.as_ref());
        // Excel takes texts as x for 1, 2, 3 and so on.
        if kind == PlainKind::Scatter && categories.is_some_and(|node| self.has_texts(&node)) {
            (xs, x_format) = ((1..=values.len()).map(|at| Some(at as f64)).collect(), None);
        }
        let (categories, outer) = categories.map(|node| self.categories_of(&node)).unwrap_or_default();
        let own_labels = child("dLbls");
        let labels = match own_labels {
            Some(node) => labels(&node, None, self.text, palette),
            None => usual_labels.cloned(),
        };
        let single =
            own_labels.iter().flat_map(|node| node.elements()).filter(|node| node.is(ns::CHART, "dLbl"));
        let point_labels =
            single.filter_map(|node| label_of_point(&node, labels.as_ref(), self.text, palette)).collect();
        PlainSeries {
            name: self.name(node),
            marker,
            point_markers,
            point_lines,
            smooth: value(node, "smooth").map_or(smooth, |on| on == "1" || on == "true"),
            clear: filled == Some(None) && !is_line,
            trends: node
                .elements()
                .filter(|node| node.is(ns::CHART, "trendline"))
                .filter_map(|node| trend(&node, ink, palette))
                .collect(),
            pulled: value(node, "explosion")
                .and_then(|text| text.parse::<f64>().ok())
                .map_or(0.0, |far| far.clamp(0.0, 100.0) / 100.0),
            categories,
            outer,
            xs,
            x_format,
            values,
            value_format,
            ink,
            points,
            line,
            labels,
            point_labels,
            pulled_points,
        }
    }

    fn marker(
        &self,
        node: &Node<'_>,
        kind: PlainKind,
        index: usize,
        ink: Ink,
        shown: bool,
    ) -> Option<Marker> {
        const TURN: [MarkerShape; 9] = [
            MarkerShape::Diamond,
            MarkerShape::Square,
            MarkerShape::Triangle,
            MarkerShape::Cross,
            MarkerShape::Star,
            MarkerShape::Circle,
            MarkerShape::Plus,
            MarkerShape::Dot,
            MarkerShape::Dash,
        ];
        let automatic = (kind == PlainKind::Scatter || shown).then(|| Marker {
            shape: TURN.get(index % TURN.len()).copied().unwrap_or(MarkerShape::Circle),
            size: 7.0 * 96.0 / 72.0,
            fill: Some(ink),
            line: Some(Stroke { ink, width: 1.0, dash: Vec::new() }),
        });
        Marker::read(node.child(ns::CHART, "marker").as_ref(), automatic, ink, self.palette)
    }

    /// Cells that a reference leads to, in their order; `None` if it leads nowhere here.
    fn referred(&self, node: &Node<'_>) -> Option<Vec<ReferredCell>> {
        let text = node.descendants().find(|node| node.is(ns::CHART, "f"))?.text().into_owned();
        let (position, area) = area_of(self.sheet.book, self.sheet.position, &text)?;
        if area.count() > MOST_POINTS {
            return None;
        }
        let sheet = self.sheet.book.sheet_at(position).ok()?;
        let mut found: Vec<Option<ReferredCell>> = Vec::new();
        found.resize_with(area.count() as usize, || None);
        let width = area.right - area.left + 1;
        let read = sheet.each_cell(area, &mut |cell| {
            let index = (cell.at.row - area.top) * width + (cell.at.col - area.left);
            if let Some(slot) = found.get_mut(index as usize) {
                *slot = Some(ReferredCell { value: cell.value, style: cell.style });
            }
        });
        read.ok()?;
        let hidden = if self.only_visible { hidden_cells(&sheet, area) } else { BTreeSet::new() };
        let blank = || ReferredCell { value: Value::Blank, style: 0 };
        let kept = found.into_iter().enumerate().filter(|(index, _)| !hidden.contains(index));
        Some(kept.map(|(_, cell)| cell.unwrap_or_else(blank)).collect())
    }

    /// Numbers, and the format of the first.
    fn numbers_of(&self, node: Option<&Node<'_>>) -> (Vec<Option<f64>>, Option<String>) {
        let Some(node) = node else { return (Vec::new(), None) };
        let number = |value: &Value| match value {
            Value::Number(number) if number.is_finite() => Some(*number),
            _ => None,
        };
        match self.referred(node) {
            Some(cells) => {
                let first = cells.iter().find(|cell| number(&cell.value).is_some());
                let format =
                    first.and_then(|cell| Some(self.sheet.book.number_format(cell.style).ok()?.to_owned()));
                (cells.iter().map(|cell| number(&cell.value)).collect(), format)
            }
            None => {
                let code = node.descendants().find(|node| node.is(ns::CHART, "formatCode"));
                let parsed =
                    |text: Option<String>| text?.parse().ok().filter(|number: &f64| number.is_finite());
                (cached(node).into_iter().map(parsed).collect(), code.map(|code| code.text().into_owned()))
            }
        }
    }

    fn has_texts(&self, node: &Node<'_>) -> bool {
        match self.referred(node) {
            Some(cells) => {
                cells.iter().any(|cell| matches!(&cell.value, Value::Text(text) if !text.trim().is_empty()))
            }
            None => ["strRef", "strLit", "multiLvlStrRef"]
                .iter()
                .any(|kind| node.child(ns::CHART, kind).is_some()),
        }
    }

    pub(super) fn texts_of(&self, node: &Node<'_>) -> Vec<String> {
        if let Some(literal) = node.child(ns::CHART, "v") {
            return vec![literal.text().into_owned()];
        }
        match self.referred(node) {
            Some(cells) => cells
                .iter()
                .map(|cell| {
                    // A chart is drawn without the text that broken styles keep from being written.
                    self.sheet
                        .book
                        .text(&cell.value, cell.style)
                        .unwrap_or_else(|_| String::new())
                        .trim()
                        .to_owned()
                })
                .collect(),
            None => cached(node).into_iter().map(Option::unwrap_or_default).collect(),
        }
    }

    /// Names of the points, and of a level over them.
    fn categories_of(&self, node: &Node<'_>) -> (Vec<String>, Vec<(usize, String)>) {
        let Some(levels) = node.child(ns::CHART, "multiLvlStrRef") else {
            return (self.texts_of(node), Vec::new());
        };
        let cache = levels.descendants().filter(|node| node.is(ns::CHART, "lvl"));
        let lists: Vec<Vec<Option<String>>> = cache.map(|level| cached(&level)).collect();
        let inner = lists.first().cloned().or_empty();
        // The level next to the points is the first in the file.
        let outer = lists.get(1).into_iter().flatten().enumerate();
        let outer = outer.filter_map(|(at, name)| Some((at, name.clone().filter(|name| !name.is_empty())?)));
        (inner.into_iter().map(Option::unwrap_or_default).collect(), outer.collect())
    }
}

/// Places in an area, counted row by row, that lie in hidden rows or columns.
fn hidden_cells(sheet: &SheetView<'_>, area: Area) -> BTreeSet<usize> {
    let columns = sheet.columns();
    let hidden_column = |col: u32| {
        columns.iter().any(|columns| columns.hidden && (columns.first..=columns.last).contains(&col))
    };
    let mut hidden = BTreeSet::new();
    let width = (area.right - area.left + 1) as usize;
    for row in area.top..=area.bottom {
        let row_hidden = sheet.row_properties(row).is_ok_and(|row| row.hidden);
        for col in area.left..=area.right {
            if row_hidden || hidden_column(col) {
                hidden.insert((row - area.top) as usize * width + (col - area.left) as usize);
            }
        }
    }
    hidden
}

/// The points that the file remembers.
fn cached(node: &Node<'_>) -> Vec<Option<String>> {
    let mut found = Vec::new();
    let count = node.descendants().find(|node| node.is(ns::CHART, "ptCount"));
    let count = count.and_then(|node| string(&node, "val")?.parse::<u64>().ok()).unwrap_or(0);
    found.resize(count.min(MOST_POINTS) as usize, None);
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

//! Charts of the plain kinds, with the values that their cells have now.
//!
//! A chart is given only if it is understood whole as far as its shapes go; otherwise the reason is. What is on it
//! beside that (error bars, a table of data) is named, so that whoever draws it can say what is missing.

mod axis;
mod marks;
mod series;
mod shapes;

use edit::{OrEmpty, PartName};
use ooxml::xml::{Node, ns};

use super::palette::{Ink, Palette, Rgb};
use crate::file::workbook::string;
use crate::read::sheet_view::SheetView;

pub use axis::{AxisDates, Crossing, DateUnit, PlainAxis, TickLabels, TickMarks};
pub use marks::{LabelPlace, LabelText, Labels, Marker, MarkerShape, Trend, TrendKind};
pub use series::PlainSeries;
pub use shapes::{ChartText, Stroke, Words};

use series::SeriesReader;
pub(crate) use shapes::fill as shape_fill;
use shapes::{fill, texts};

/// A chart that can be drawn.
#[derive(Clone, Debug)]
pub struct PlainChart {
    pub title: Option<Words>,
    pub legend: Option<PlainLegend>,
    pub groups: Vec<PlainGroup>,
    pub value_axis: PlainAxis,
    pub category_axis: PlainAxis,
    /// Of the groups that stand on the second axes.
    pub second_value_axis: Option<PlainAxis>,
    pub second_category_axis: Option<PlainAxis>,
    pub blanks: Blanks,
    /// Behind everything, and behind the plot; nothing where it is clear.
    pub ground: Option<Ink>,
    pub plot_ground: Option<Ink>,
    pub plot_frame: Option<Stroke>,
    /// Around everything.
    pub frame: Option<Stroke>,
    /// Where somebody put the plot, in parts of the chart.
    pub plot_layout: Option<PlotLayout>,
    pub from_1904: bool,
    /// What is on the chart and not told here.
    pub left_out: Vec<&'static str>,
}

/// A place in parts of the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotLayout {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Without the labels of its axes.
    pub inner: bool,
}

#[derive(Clone, Debug)]
pub struct PlainLegend {
    pub side: LegendSide,
    /// The plot does not make room for it.
    pub overlay: bool,
    /// Entries that are not listed.
    pub hidden: Vec<usize>,
    /// Where somebody put it.
    pub layout: Option<PlotLayout>,
    pub text: ChartText,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendSide {
    Right,
    Left,
    Top,
    Bottom,
    TopRight,
}

/// What becomes of a point without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blanks {
    Gap,
    Zero,
    /// Its neighbours are joined.
    Span,
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
    /// On the second axes.
    pub second: bool,
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

impl PlainGroup {
    pub fn is_round(&self) -> bool {
        matches!(self.kind, PlainKind::Pie | PlainKind::Doughnut)
    }
}

/// The colour that a series or slice has where nothing is said: the accents in turn, each round in other shades.
pub(super) fn automatic(palette: &Palette, index: usize) -> Rgb {
    let accent = palette.accent(index);
    let shaded = |times: f64, plus: f64| accent.with_hsl(|h, s, l| (h, s, (l * times + plus).min(1.0)));
    match index / 6 % 6 {
        0 => accent,
        1 => shaded(0.6, 0.0),
        2 => shaded(0.8, 0.2),
        3 => shaded(0.8, 0.0),
        4 => shaded(0.6, 0.4),
        _ => shaded(0.5, 0.0),
    }
}

impl SheetView<'_> {
    /// The chart of a part, or why it is not one of the plain ones.
    pub fn plain_chart(&self, part: &str, palette: &Palette) -> Result<PlainChart, String> {
        let document = ooxml::read_xml(&self.book.content, &PartName::new(part))
            .map_err(|refusal| format!("it cannot be read: {refusal}"))?;
        let root = document.root();
        let chart = root.child(ns::CHART, "chart").ok_or("it has no chart")?;
        let plot = chart.child(ns::CHART, "plotArea").ok_or("it has no plot")?;
        let axes: Vec<Node<'_>> = plot.elements().filter(|node| node.name().local.ends_with("Ax")).collect();
        let text = ChartText::plain(palette).over(root.child(ns::CHART, "txPr").as_ref(), palette);
        let only_visible = value(&chart, "plotVisOnly").as_deref() != Some("0");
        let reader = SeriesReader { sheet: *self, palette, text: &text, only_visible };
        let mut groups = Vec::new();
        let mut second = None;
        for node in plot.elements().filter(|node| node.name().local.ends_with("Chart")) {
            let mut group = group(&reader, &node)?;
            // The axes that the first group stands on are the first axes.
            let own = axis_ids(&node);
            let first = second.get_or_insert_with(|| own.clone());
            group.second = !own.is_empty() && !own.iter().any(|id| first.contains(id));
            groups.push(group);
        }
        let series = || groups.iter().flat_map(|group| &group.series);
        if series().all(|one| one.values.iter().all(Option::is_none)) {
            return Err(nothing_to_draw(&groups, only_visible));
        }
        check_mixture(&groups)?;
        let flat = plot.elements().any(|node| node.name().local.ends_with("3DChart"));
        let (mut primary, mut secondary) = ((None, None), (None, None));
        let first_ids = second.unwrap_or_default();
        for node in &axes {
            let id = value(node, "axId").or_empty();
            let of_first = first_ids.contains(&id);
            let group = groups.iter().find(|group| group.second != of_first);
            let is_value = match group.map(|group| group.kind) {
                Some(PlainKind::Scatter) => !is_for_x(node, &axes, of_first, &first_ids),
                _ => node.is(ns::CHART, "valAx"),
            };
            let pair = if of_first { &mut primary } else { &mut secondary };
            let slot = if is_value { &mut pair.0 } else { &mut pair.1 };
            slot.get_or_insert(axis::read(node, &text, palette));
        }
        let left_out = [
            (flat, "the third dimension"),
            (has(&plot, "errBars"), "error bars"),
            (has(&plot, "dTable"), "the table of data"),
            (has(&plot, "upDownBars"), "bars between lines"),
            (has(&plot, "hiLowLines"), "lines from the highest to the lowest"),
            (has(&plot, "dropLines"), "drop lines"),
            (root.child(ns::CHART, "userShapes").is_some(), "shapes on top"),
            (
                has_mixed_fills(&root),
                "gradients, patterns and pictures of fills (one colour stands for each)",
            ),
        ];
        let (ground, frame) = backgrounds(&root, palette);
        let has_second = groups.iter().any(|group| group.second);
        Ok(PlainChart {
            title: title(self, &chart, &groups, &text, palette),
            legend: chart.child(ns::CHART, "legend").map(|node| legend(&node, &text, palette)),
            value_axis: primary.0.unwrap_or_default(),
            category_axis: primary.1.unwrap_or_default(),
            second_value_axis: secondary.0.filter(|_| has_second),
            second_category_axis: secondary.1.filter(|_| has_second),
            blanks: match value(&chart, "dispBlanksAs").as_deref() {
                Some("zero") => Blanks::Zero,
                Some("span") => Blanks::Span,
                _ => Blanks::Gap,
            },
            ground,
            frame,
            plot_ground: plot
                .child(ns::CHART, "spPr")
                .and_then(|shape| fill(&shape, palette))
                .and_then(|filled| filled),
            plot_frame: plot
                .child(ns::CHART, "spPr")
                .and_then(|shape| Stroke::read(&shape.child(ns::A, "ln")?, &plain_line(), palette)),
            plot_layout: layout(&plot),
            from_1904: self.book.workbook.dates == formula::DateSystem::D1904,
            left_out: left_out.iter().filter(|(on, _)| *on).map(|(_, what)| *what).collect(),
            groups,
        })
    }

    /// The names of a chart's series, for one that is not drawn.
    pub fn chart_series_names(&self, part: &str) -> Vec<String> {
        let Ok(document) = ooxml::read_xml(&self.book.content, &PartName::new(part)) else {
            return Vec::new();
        };
        let palette = Palette::default();
        let text = ChartText::plain(&palette);
        let reader = SeriesReader { sheet: *self, palette: &palette, text: &text, only_visible: false };
        let names = document.root().descendants().filter(|node| node.name().local == "ser");
        names.take(50).filter_map(|node| reader.name(&node)).collect()
    }
}

fn axis_ids(group: &Node<'_>) -> Vec<String> {
    let ids = group.elements().filter(|node| node.is(ns::CHART, "axId"));
    ids.filter_map(|node| string(&node, "val")).collect()
}

fn nothing_to_draw(groups: &[PlainGroup], only_visible: bool) -> String {
    let points: usize = groups.iter().flat_map(|group| &group.series).map(|one| one.values.len()).sum();
    match only_visible && points == 0 && groups.iter().any(|group| !group.series.is_empty()) {
        true => "it has no values in rows and columns that are shown".to_owned(),
        false => "it has no values".to_owned(),
    }
}

/// Of the two axes of a scatter chart the one at the bottom is for x. Where both say that they stand at the left, as some
/// programs write, it is the one that is named first.
fn is_for_x(node: &Node<'_>, axes: &[Node<'_>], of_first: bool, first_ids: &[String]) -> bool {
    let lies = |node: &Node<'_>| matches!(value(node, "axPos").as_deref(), Some("b" | "t"));
    let id = |node: &Node<'_>| value(node, "axId").or_empty();
    let mut pair = axes.iter().filter(|other| first_ids.contains(&id(other)) == of_first);
    if pair.clone().filter(|other| lies(other)).count() == 1 {
        return lies(node);
    }
    match of_first {
        true => first_ids.first() == Some(&id(node)),
        false => pair.next().is_some_and(|first| id(first) == id(node)),
    }
}

/// Kinds that no axes have in common are not drawn together.
fn check_mixture(groups: &[PlainGroup]) -> Result<(), String> {
    let round = groups.iter().any(PlainGroup::is_round);
    let bars = groups.iter().any(|group| group.kind == PlainKind::Bar);
    let others = groups.iter().any(|group| group.kind != PlainKind::Bar);
    match groups.len() > 1 && (round || bars && others) {
        true => Err("it combines kinds that are not drawn together".to_owned()),
        false => Ok(()),
    }
}

fn backgrounds(root: &Node<'_>, palette: &Palette) -> (Option<Ink>, Option<Stroke>) {
    let shape = root.child(ns::CHART, "spPr");
    let ground = match shape.and_then(|shape| fill(&shape, palette)) {
        Some(said) => said,
        None => Some(Rgb::WHITE.into()),
    };
    let frame = match shape.and_then(|shape| shape.child(ns::A, "ln")) {
        Some(line) => Stroke::read(&line, &plain_line(), palette),
        None => Some(plain_line()),
    };
    (ground, frame)
}

/// Axes, lines of the grid and frames where nothing is said.
fn plain_line() -> Stroke {
    Stroke { ink: Rgb(0x86, 0x86, 0x86).into(), width: 1.0, dash: Vec::new() }
}

/// Whether something is filled with more than one colour.
fn has_mixed_fills(root: &Node<'_>) -> bool {
    let mixed = |node: &Node<'_>| {
        ["gradFill", "pattFill", "blipFill"].iter().any(|name| node.child(ns::A, name).is_some())
    };
    root.descendants().any(|node| node.is(ns::CHART, "spPr") && mixed(&node))
}

fn layout(node: &Node<'_>) -> Option<PlotLayout> {
    let manual = node.child(ns::CHART, "layout")?.child(ns::CHART, "manualLayout")?;
    let part = |name: &str| {
        let number = value(&manual, name)?.parse::<f64>().ok()?;
        (0.0..=1.0).contains(&number).then_some(number)
    };
    Some(PlotLayout {
        x: part("x")?,
        y: part("y")?,
        width: part("w").filter(|part| *part > 0.0)?,
        height: part("h").filter(|part| *part > 0.0)?,
        inner: value(&manual, "layoutTarget").as_deref() == Some("inner"),
    })
}

fn title(
    sheet: &SheetView<'_>,
    chart: &Node<'_>,
    groups: &[PlainGroup],
    text: &ChartText,
    palette: &Palette,
) -> Option<Words> {
    let deleted = value(chart, "autoTitleDeleted").as_deref() == Some("1");
    let series: Vec<&PlainSeries> = groups.iter().flat_map(|group| &group.series).collect();
    let only = match series.as_slice() {
        [series] => series.name.clone(),
        _ => None,
    };
    let usual = ChartText { size: text.size * 1.8, bold: true, ..text.clone() };
    match chart.child(ns::CHART, "title") {
        Some(node) => {
            let style = usual.over(Some(&node), palette);
            let linked = node.child(ns::CHART, "tx").filter(|tx| tx.child(ns::CHART, "strRef").is_some());
            let reader = SeriesReader { sheet: *sheet, palette, text, only_visible: false };
            let words = match linked {
                Some(tx) => reader.texts_of(&tx).into_iter().next().or_empty(),
                None => texts(&node),
            };
            let automatic = || only.unwrap_or_else(|| "Chart Title".to_owned());
            let has_text = node.child(ns::CHART, "tx").is_some();
            let words = if words.is_empty() && !has_text { automatic() } else { words };
            let overlay = value(&node, "overlay").as_deref() == Some("1");
            (!words.trim().is_empty()).then_some(Words { words, text: style, overlay })
        }
        // Excel puts the name of the only series above its chart, unless somebody took it away.
        None if !deleted && value(chart, "autoTitleDeleted").is_some() => {
            only.map(|words| Words { words, text: usual, overlay: false })
        }
        None => None,
    }
}

fn legend(node: &Node<'_>, text: &ChartText, palette: &Palette) -> PlainLegend {
    let entries = node.elements().filter(|node| node.is(ns::CHART, "legendEntry"));
    let hidden = entries.filter(|entry| value(entry, "delete").as_deref() == Some("1"));
    PlainLegend {
        side: match value(node, "legendPos").as_deref() {
            Some("l") => LegendSide::Left,
            Some("t") => LegendSide::Top,
            Some("b") => LegendSide::Bottom,
            Some("tr") => LegendSide::TopRight,
            _ => LegendSide::Right,
        },
        overlay: value(node, "overlay").as_deref() == Some("1"),
        hidden: hidden.filter_map(|entry| value(&entry, "idx")?.parse().ok()).collect(),
        layout: layout(node),
        text: text.over(node.child(ns::CHART, "txPr").as_ref(), palette),
    }
}

fn group(reader: &SeriesReader<'_>, node: &Node<'_>) -> Result<PlainGroup, String> {
    let kind = match node.name().local {
        "barChart" | "bar3DChart" if value(node, "barDir").as_deref() == Some("bar") => PlainKind::Bar,
        "barChart" | "bar3DChart" => PlainKind::Column,
        "lineChart" | "line3DChart" => PlainKind::Line,
        "areaChart" | "area3DChart" => PlainKind::Area,
        "pieChart" | "pie3DChart" => PlainKind::Pie,
        "doughnutChart" => PlainKind::Doughnut,
        "scatterChart" => PlainKind::Scatter,
        other => return Err(format!("its kind is {}", other.trim_end_matches("Chart"))),
    };
    let number = |name: &str| value(node, name).and_then(|text| text.parse::<f64>().ok());
    let stacking = match value(node, "grouping").as_deref() {
        Some("stacked") => Stacking::Stacked,
        Some("percentStacked") => Stacking::Percent,
        _ => Stacking::Beside,
    };
    Ok(PlainGroup {
        kind,
        stacking,
        second: false,
        gap: number("gapWidth").unwrap_or(150.0).clamp(0.0, 500.0) / 100.0,
        overlap: number("overlap").unwrap_or(0.0).clamp(-100.0, 100.0) / 100.0,
        first_angle: number("firstSliceAng").unwrap_or(0.0).clamp(0.0, 360.0),
        hole: number("holeSize").unwrap_or(50.0).clamp(10.0, 90.0) / 100.0,
        series: reader.all(node, kind),
    })
}

fn value(node: &Node<'_>, name: &str) -> Option<String> {
    let node = node.child(ns::CHART, name)?;
    // What stands without a value is on.
    Some(string(&node, "val").unwrap_or_else(|| "1".to_owned()))
}

fn has(node: &Node<'_>, name: &str) -> bool {
    node.descendants().any(|node| node.is(ns::CHART, name))
}

/// A number of an axis by a format code.
pub fn axis_text(number: f64, code: &str, from_1904: bool) -> String {
    let dates = if from_1904 { formula::DateSystem::D1904 } else { formula::DateSystem::D1900 };
    let shown = formula::numfmt::format(&formula::Value::Number(number), code, dates);
    shown.map_or_else(|| formula::numfmt::general(number), |shown| shown.text.trim().to_owned())
}

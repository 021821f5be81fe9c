//! What stands beside the shapes of a series: markers, labels and trend lines.

use ooxml::xml::{Node, ns};

use super::super::palette::{Ink, Palette};
use super::shapes::{ChartText, Stroke, fill, texts};
use super::value;
use crate::file::workbook::string;

#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub shape: MarkerShape,
    /// In pixels.
    pub size: f64,
    pub fill: Option<Ink>,
    pub line: Option<Stroke>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerShape {
    Circle,
    Square,
    Diamond,
    Triangle,
    Cross,
    Plus,
    Star,
    Dash,
    Dot,
}

/// What is written beside points.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    pub value: bool,
    pub percent: bool,
    pub category: bool,
    pub series: bool,
    pub separator: String,
    pub place: LabelPlace,
    pub number_format: Option<String>,
    pub text: ChartText,
    /// How far somebody moved it, in parts of the chart: to the right and down.
    pub moved: (f64, f64),
    /// How wide somebody made it, in parts of the chart.
    pub width: Option<f64>,
}

/// The label of one point, where it differs from those of its series.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelText {
    None,
    Words(String, Labels),
    Like(Labels),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPlace {
    /// As the kind of chart has it.
    Usual,
    Center,
    InsideEnd,
    InsideBase,
    OutsideEnd,
    Above,
    Below,
    Left,
    Right,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    pub kind: TrendKind,
    pub name: Option<String>,
    pub forward: f64,
    pub backward: f64,
    pub intercept: Option<f64>,
    pub equation: bool,
    pub r_squared: bool,
    pub line: Stroke,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrendKind {
    Linear,
    Logarithmic,
    Exponential,
    Power,
    Polynomial(usize),
    MovingAverage(usize),
}

impl Marker {
    /// The marker of a series or point; `usual` where it is left to the program.
    pub(super) fn read(
        node: Option<&Node<'_>>,
        usual: Option<Marker>,
        ink: Ink,
        palette: &Palette,
    ) -> Option<Marker> {
        let Some(node) = node else { return usual };
        let symbol = value(node, "symbol");
        let shape = match symbol.as_deref() {
            Some("none") => return None,
            Some("circle") => MarkerShape::Circle,
            Some("square") => MarkerShape::Square,
            Some("diamond") => MarkerShape::Diamond,
            Some("triangle") => MarkerShape::Triangle,
            Some("x") => MarkerShape::Cross,
            Some("plus") => MarkerShape::Plus,
            Some("star") => MarkerShape::Star,
            Some("dash") => MarkerShape::Dash,
            Some("dot") => MarkerShape::Dot,
            _ => usual.as_ref().map_or(MarkerShape::Circle, |usual| usual.shape),
        };
        let size = value(node, "size").and_then(|text| text.parse::<f64>().ok()).unwrap_or(7.0);
        let shapes = node.child(ns::CHART, "spPr");
        let own_line = Stroke { ink, width: 1.0, dash: Vec::new() };
        Some(Marker {
            shape,
            size: size.clamp(2.0, 72.0) * 96.0 / 72.0,
            fill: shapes.and_then(|shapes| fill(&shapes, palette)).unwrap_or(Some(ink)),
            line: match shapes.and_then(|shapes| shapes.child(ns::A, "ln")) {
                Some(line) => Stroke::read(&line, &own_line, palette),
                None => Some(own_line),
            },
        })
    }
}

/// The labels of a group or series; nothing where none are shown.
pub(super) fn labels(
    node: &Node<'_>,
    usual: Option<&Labels>,
    text: &ChartText,
    palette: &Palette,
) -> Option<Labels> {
    if value(node, "delete").as_deref() == Some("1") {
        return None;
    }
    let labels = read_labels(node, usual, text, palette);
    (labels.value || labels.percent || labels.category || labels.series).then_some(labels)
}

fn read_labels(node: &Node<'_>, usual: Option<&Labels>, text: &ChartText, palette: &Palette) -> Labels {
    let base = usual.cloned().unwrap_or(Labels {
        value: false,
        percent: false,
        category: false,
        series: false,
        separator: ", ".to_owned(),
        place: LabelPlace::Usual,
        number_format: None,
        text: text.clone(),
        moved: (0.0, 0.0),
        width: None,
    });
    let on =
        |name: &str, before: bool| value(node, name).map_or(before, |flag| flag == "1" || flag == "true");
    let format = node
        .child(ns::CHART, "numFmt")
        .filter(|format| !matches!(string(format, "sourceLinked").as_deref(), Some("1" | "true")))
        .and_then(|format| string(&format, "formatCode"));
    Labels {
        value: on("showVal", base.value),
        percent: on("showPercent", base.percent),
        category: on("showCatName", base.category),
        series: on("showSerName", base.series),
        separator: node
            .child(ns::CHART, "separator")
            .map_or(base.separator, |separator| separator.text().into_owned()),
        place: match value(node, "dLblPos").as_deref() {
            Some("ctr") => LabelPlace::Center,
            Some("inEnd") => LabelPlace::InsideEnd,
            Some("inBase") => LabelPlace::InsideBase,
            Some("outEnd") => LabelPlace::OutsideEnd,
            Some("t") => LabelPlace::Above,
            Some("b") => LabelPlace::Below,
            Some("l") => LabelPlace::Left,
            Some("r") => LabelPlace::Right,
            _ => base.place,
        },
        number_format: format.or(base.number_format),
        text: base.text.over(node.child(ns::CHART, "txPr").as_ref(), palette),
        moved: node.child(ns::CHART, "layout").map_or(base.moved, |layout| {
            (part(&layout, "x").unwrap_or(0.0), part(&layout, "y").unwrap_or(0.0))
        }),
        width: later_layout(node).and_then(|layout| part(&layout, "w")).filter(|width| *width > 0.0),
    }
}

/// A number of a layout that somebody made by hand, in parts of the chart.
fn part(layout: &Node<'_>, name: &str) -> Option<f64> {
    let number = value(&layout.child(ns::CHART, "manualLayout")?, name)?.parse::<f64>().ok()?;
    (-1.0..=1.0).contains(&number).then_some(number)
}

/// The size of a label stands in an extension.
fn later_layout<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let extensions = node.child(ns::CHART, "extLst")?;
    extensions.descendants().find(|node| node.name().local == "layout" && !node.is(ns::CHART, "layout"))
}

/// A label of one point, and which.
pub(super) fn label_of_point(
    node: &Node<'_>,
    usual: Option<&Labels>,
    text: &ChartText,
    palette: &Palette,
) -> Option<(usize, LabelText)> {
    let index = value(node, "idx")?.parse().ok()?;
    if value(node, "delete").as_deref() == Some("1") {
        return Some((index, LabelText::None));
    }
    let labels = read_labels(node, usual, text, palette);
    let words = node.child(ns::CHART, "tx").map(|tx| texts(&tx)).filter(|words| !words.is_empty());
    Some((
        index,
        match words {
            Some(words) => LabelText::Words(words, labels),
            None if labels.value || labels.percent || labels.category || labels.series => {
                LabelText::Like(labels)
            }
            None => LabelText::None,
        },
    ))
}

pub(super) fn trend(node: &Node<'_>, ink: Ink, palette: &Palette) -> Option<Trend> {
    let number = |name: &str| value(node, name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let order = |name: &str| number(name).map_or(2, |order| order.clamp(2.0, 255.0) as usize);
    let kind = match value(node, "trendlineType").as_deref()? {
        "linear" => TrendKind::Linear,
        "log" => TrendKind::Logarithmic,
        "exp" => TrendKind::Exponential,
        "power" => TrendKind::Power,
        "poly" => TrendKind::Polynomial(order("order").min(6)),
        "movingAvg" => TrendKind::MovingAverage(order("period")),
        _ => return None,
    };
    let on = |name: &str| matches!(value(node, name).as_deref(), Some("1" | "true"));
    let usual = Stroke { ink, width: 1.0, dash: Vec::new() };
    let line = node.child(ns::CHART, "spPr").and_then(|shape| shape.child(ns::A, "ln"));
    let name = node.child(ns::CHART, "name").map(|name| name.text().into_owned());
    Some(Trend {
        kind,
        name: name.filter(|name| !name.is_empty()),
        forward: number("forward").unwrap_or(0.0).clamp(0.0, 1e6),
        backward: number("backward").unwrap_or(0.0).clamp(0.0, 1e6),
        intercept: number("intercept"),
        equation: on("dispEq"),
        r_squared: on("dispRSqr"),
        line: match line {
            Some(line) => Stroke::read(&line, &usual, palette)?,
            None => usual,
        },
    })
}

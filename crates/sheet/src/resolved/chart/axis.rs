//! Axes as the file describes them.

use ooxml::xml::{Node, ns};

use super::super::palette::Palette;
use super::shapes::{ChartText, Stroke, Words, texts};
use super::{plain_line, value};
use crate::file::workbook::string;

#[derive(Clone, Debug)]
pub struct PlainAxis {
    /// It has neither a line nor labels.
    pub deleted: bool,
    pub labels: TickLabels,
    pub title: Option<Words>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub step: Option<f64>,
    pub log_base: Option<f64>,
    pub reversed: bool,
    pub gridlines: Option<Stroke>,
    pub line: Option<Stroke>,
    pub marks: TickMarks,
    /// A format code that does not come from the cells.
    pub number_format: Option<String>,
    pub text: ChartText,
    /// Where it crosses the other axis, in the values of that one.
    pub crossing: Crossing,
    /// Points stand between its marks, not on them.
    pub between: bool,
    /// Categories between two labels.
    pub label_every: Option<usize>,
    /// Of dates; the categories stand where their days are.
    pub dates: Option<AxisDates>,
    /// Labels are divided by it, and what it is called.
    pub unit: Option<(f64, Option<String>)>,
    /// At the right or at the top.
    pub far_side: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisDates {
    pub unit: Option<DateUnit>,
    pub step: Option<(f64, DateUnit)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateUnit {
    Days,
    Months,
    Years,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickLabels {
    None,
    /// At the axis.
    NextTo,
    /// At the lower and the upper end of the other axis.
    Low,
    High,
}

/// Short lines where labels stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickMarks {
    None,
    Inside,
    Outside,
    Across,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    Zero,
    Low,
    High,
    At(f64),
}

impl Default for PlainAxis {
    fn default() -> PlainAxis {
        PlainAxis {
            deleted: true,
            labels: TickLabels::None,
            title: None,
            low: None,
            high: None,
            step: None,
            log_base: None,
            reversed: false,
            gridlines: None,
            line: None,
            marks: TickMarks::None,
            number_format: None,
            text: ChartText::plain(&Palette::default()),
            crossing: Crossing::Zero,
            between: true,
            label_every: None,
            dates: None,
            unit: None,
            far_side: false,
        }
    }
}

pub(super) fn read(node: &Node<'_>, text: &ChartText, palette: &Palette) -> PlainAxis {
    let scaling = node.child(ns::CHART, "scaling");
    let inside = |name: &str| scaling.and_then(|scaling| value(&scaling, name));
    let limit = |name: &str| inside(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let number = |name: &str| value(node, name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let own_text = text.over(node.child(ns::CHART, "txPr").as_ref(), palette);
    let (low, high) = match (limit("min"), limit("max")) {
        (Some(low), Some(high)) if low >= high => (None, None),
        both => both,
    };
    let line = |holder: Option<Node<'_>>| {
        let usual = plain_line();
        let shape = holder.and_then(|holder| holder.child(ns::CHART, "spPr"));
        match shape.and_then(|shape| shape.child(ns::A, "ln")) {
            Some(line) => Stroke::read(&line, &usual, palette),
            None => Some(usual),
        }
    };
    let grid = node.child(ns::CHART, "majorGridlines");
    // Deleted axes say how the values run all the same.
    let deleted = value(node, "delete").as_deref() == Some("1");
    PlainAxis {
        deleted,
        labels: match value(node, "tickLblPos").as_deref() {
            _ if deleted => TickLabels::None,
            Some("none") => TickLabels::None,
            Some("low") => TickLabels::Low,
            Some("high") => TickLabels::High,
            _ => TickLabels::NextTo,
        },
        title: title(node, text, palette),
        low,
        high,
        step: number("majorUnit").filter(|step| *step > 0.0),
        log_base: limit("logBase").filter(|base| (2.0..=1000.0).contains(base)),
        reversed: inside("orientation").as_deref() == Some("maxMin"),
        gridlines: grid.and_then(|grid| line(Some(grid))),
        line: line(Some(*node)).filter(|_| !deleted),
        marks: match value(node, "majorTickMark").as_deref() {
            Some("none") => TickMarks::None,
            Some("in") => TickMarks::Inside,
            Some("cross") => TickMarks::Across,
            _ => TickMarks::Outside,
        },
        number_format: node
            .child(ns::CHART, "numFmt")
            .filter(|format| !matches!(string(format, "sourceLinked").as_deref(), Some("1" | "true")))
            .and_then(|format| string(&format, "formatCode")),
        text: own_text,
        crossing: match (number("crossesAt"), value(node, "crosses").as_deref()) {
            (Some(at), _) => Crossing::At(at),
            (None, Some("min")) => Crossing::Low,
            (None, Some("max")) => Crossing::High,
            _ => Crossing::Zero,
        },
        between: value(node, "crossBetween").as_deref() != Some("midCat"),
        label_every: number("tickLblSkip").filter(|every| *every >= 1.0).map(|every| every as usize),
        dates: node.is(ns::CHART, "dateAx").then(|| AxisDates {
            unit: value(node, "baseTimeUnit").and_then(|name| date_unit(&name)),
            step: number("majorUnit").filter(|step| *step >= 1.0).map(|step| {
                let unit = value(node, "majorTimeUnit").and_then(|name| date_unit(&name));
                (step, unit.unwrap_or(DateUnit::Days))
            }),
        }),
        unit: node.child(ns::CHART, "dispUnits").and_then(|units| display_unit(&units)),
        far_side: matches!(value(node, "axPos").as_deref(), Some("r" | "t")),
    }
}

fn title(node: &Node<'_>, text: &ChartText, palette: &Palette) -> Option<Words> {
    let title = node.child(ns::CHART, "title")?;
    let words = match title.child(ns::CHART, "tx") {
        Some(_) => texts(&title),
        None => "Axis Title".to_owned(),
    };
    let text = ChartText { bold: true, ..text.clone() }.over(Some(&title), palette);
    (!words.trim().is_empty()).then_some(Words { words, text, overlay: false })
}

fn date_unit(name: &str) -> Option<DateUnit> {
    match name {
        "days" => Some(DateUnit::Days),
        "months" => Some(DateUnit::Months),
        "years" => Some(DateUnit::Years),
        _ => None,
    }
}

fn display_unit(node: &Node<'_>) -> Option<(f64, Option<String>)> {
    let custom = value(node, "custUnit").and_then(|text| text.parse::<f64>().ok()).filter(|unit| *unit > 0.0);
    let built_in = value(node, "builtInUnit");
    let (unit, name) = match (custom, built_in.as_deref()?) {
        (Some(unit), _) => (unit, None),
        (None, "hundreds") => (1e2, Some("Hundreds")),
        (None, "thousands") => (1e3, Some("Thousands")),
        (None, "tenThousands") => (1e4, Some("x 10000")),
        (None, "hundredThousands") => (1e5, Some("x 100000")),
        (None, "millions") => (1e6, Some("Millions")),
        (None, "tenMillions") => (1e7, Some("x 10000000")),
        (None, "hundredMillions") => (1e8, Some("x 100000000")),
        (None, "billions") => (1e9, Some("Billions")),
        (None, "trillions") => (1e12, Some("Trillions")),
        _ => return None,
    };
    let label = node.child(ns::CHART, "dispUnitsLbl");
    Some((
        unit,
        label.and_then(|label| {
            let own = texts(&label);
            if own.is_empty() { name.map(str::to_owned) } else { Some(own) }
        }),
    ))
}

//! What is changed of a chart that is there: its axes, its legend, and what belongs to the whole. What nobody speaks of
//! stays as it is, byte for byte.

use edit::{Patch, Refusal};
use ooxml::xml::{Node, escape_attribute, ns};

use crate::calc::view::View;
use crate::edits::objects::chart_markup::{blanks_word, gridlines_markup, legend_markup, legend_place};
use crate::edits::objects::chart_spec::{AxisLook, ChartAxes, Legend};
use crate::edits::objects::charts::{ChartChange, name_markup, title_markup};
use crate::file::numbers::show_number;
use crate::file::workbook::number;
use crate::file::xml_edit::Xml;

const AXIS_ORDER: &[&str] = &[
    "axId",
    "scaling",
    "delete",
    "axPos",
    "majorGridlines",
    "minorGridlines",
    "title",
    "numFmt",
    "majorTickMark",
    "minorTickMark",
    "tickLblPos",
    "spPr",
    "txPr",
    "crossAx",
    "crosses",
    "crossesAt",
    "crossBetween",
    "auto",
    "lblAlgn",
    "lblOffset",
    "tickLblSkip",
    "tickMarkSkip",
    "noMultiLvlLbl",
    "baseTimeUnit",
    "majorUnit",
    "majorTimeUnit",
    "minorUnit",
    "minorTimeUnit",
    "dispUnits",
    "extLst",
];
const SCALING_ORDER: &[&str] = &["logBase", "orientation", "max", "min", "extLst"];
const CHART_ORDER: &[&str] = &[
    "title",
    "autoTitleDeleted",
    "pivotFmts",
    "view3D",
    "floor",
    "sideWall",
    "backWall",
    "plotArea",
    "legend",
    "plotVisOnly",
    "dispBlanksAs",
    "showDLblsOverMax",
    "extLst",
];
const SPACE_ORDER: &[&str] = &[
    "date1904",
    "lang",
    "roundedCorners",
    "AlternateContent",
    "style",
    "clrMapOvr",
    "pivotSource",
    "protection",
    "chart",
    "spPr",
    "txPr",
    "externalData",
    "printSettings",
    "userShapes",
    "extLst",
];

/// Everything of a change but its title and its series.
pub(crate) fn surroundings(
    view: &View,
    home: &str,
    xml: &Xml<'_>,
    patch: &mut Patch,
    change: &ChartChange,
) -> Result<(), Refusal> {
    let root = xml.root();
    let c = xml.prefix();
    let chart = root.child(ns::CHART, "chart").ok_or_else(|| missing(xml, "chart"))?;
    if let Some(cell) = &change.title_from {
        if change.title.is_some() || change.title_overlay.is_some() {
            return Err(Refusal::invalid("title_from", "given with title", "a text or a cell, not both"));
        }
        let text = name_markup(view, home, &format!("={cell}"), &c)?;
        let markup = format!("<{c}title>{text}<{c}overlay val=\"0\"/></{c}title>");
        put(xml, patch, &chart, CHART_ORDER, "title", &markup)?;
        if let Some(flag) = chart.child(ns::CHART, "autoTitleDeleted") {
            xml.set_attribute(patch, &flag, "val", "0")?;
        }
    }
    if let Some(over) = change.title_overlay {
        let title = chart.child(ns::CHART, "title").filter(|title| !title.closes_itself());
        let title =
            title.ok_or_else(|| Refusal::unsupported("where the title lies of a chart that has none"))?;
        let word = if over { "1" } else { "0" };
        match title.child(ns::CHART, "overlay") {
            Some(known) => xml.set_attribute(patch, &known, "val", word)?,
            None => {
                let markup = format!("<{c}overlay val=\"{word}\"/>");
                put(
                    xml,
                    patch,
                    &title,
                    &["tx", "layout", "overlay", "spPr", "txPr", "extLst"],
                    "overlay",
                    &markup,
                )?;
            }
        }
    }
    if let Some(style) = change.style {
        let markup = style_markup(style, &c)?;
        put(xml, patch, &root, SPACE_ORDER, "style", &markup)?;
    }
    if let Some(legend) = change.legend {
        set_legend(xml, patch, &chart, legend, &c)?;
    }
    if let Some(blanks) = change.blanks {
        let markup = format!("<{c}dispBlanksAs val=\"{}\"/>", blanks_word(Some(blanks)));
        put(xml, patch, &chart, CHART_ORDER, "dispBlanksAs", &markup)?;
    }
    let plot = chart.child(ns::CHART, "plotArea").ok_or_else(|| missing(xml, "plot area"))?;
    if let Some(axes) = &change.axes {
        set_axes(view, home, xml, patch, &plot, axes)?;
    }
    Ok(())
}

pub(crate) fn style_markup(style: u32, c: &str) -> Result<String, Refusal> {
    match style {
        1..=48 => Ok(format!("<{c}style val=\"{style}\"/>")),
        other => Err(Refusal::invalid("style", other, "1 to 48")),
    }
}

fn missing(xml: &Xml<'_>, what: &str) -> Refusal {
    Refusal::Corrupt { what: xml.part.to_string(), why: format!("it has no {what}") }
}

/// Puts a child in the place of the one of its name, or where the schema wants it.
fn put(
    xml: &Xml<'_>,
    patch: &mut Patch,
    parent: &Node<'_>,
    order: &[&str],
    name: &str,
    markup: &str,
) -> Result<(), Refusal> {
    if let Some(known) = parent.elements().find(|node| node.name().local == name) {
        return xml.splice(patch, known.span(), markup);
    }
    let rank = |local: &str| order.iter().position(|known| *known == local);
    let own = rank(name);
    match parent.elements().find(|node| rank(node.name().local) > own) {
        Some(later) => {
            let start = later.span().start;
            xml.splice(patch, start..start, markup)
        }
        None => xml.append(patch, parent, markup),
    }
}

fn set_legend(
    xml: &Xml<'_>,
    patch: &mut Patch,
    chart: &Node<'_>,
    legend: Legend,
    c: &str,
) -> Result<(), Refusal> {
    match (chart.child(ns::CHART, "legend"), legend_place(legend)) {
        (None, None) => Ok(()),
        (Some(known), None) => xml.remove(patch, &known),
        (None, Some(_)) => put(xml, patch, chart, CHART_ORDER, "legend", &legend_markup(legend, c)),
        (Some(known), Some(place)) => {
            // A place of its own that somebody dragged it to would win over the side.
            if let Some(layout) =
                known.child(ns::CHART, "layout").filter(|node| node.elements().next().is_some())
            {
                xml.remove(patch, &layout)?;
            }
            match known.child(ns::CHART, "legendPos") {
                Some(side) => xml.set_attribute(patch, &side, "val", place),
                None if known.closes_itself() => xml.splice(patch, known.span(), legend_markup(legend, c)),
                None => {
                    let start = known.content_span().start;
                    xml.splice(patch, start..start, format!("<{c}legendPos val=\"{place}\"/>"))
                }
            }
        }
    }
}

/// The axes of the first groups, and of those that stand on the second ones.
fn set_axes(
    view: &View,
    home: &str,
    xml: &Xml<'_>,
    patch: &mut Patch,
    plot: &Node<'_>,
    axes: &ChartAxes,
) -> Result<(), Refusal> {
    let ids = |group: &Node<'_>| -> Vec<u32> {
        group
            .elements()
            .filter(|node| node.name().local == "axId")
            .filter_map(|node| number(&node, "val"))
            .collect()
    };
    let groups: Vec<Vec<u32>> =
        plot.elements().filter(|node| node.name().local.ends_with("Chart")).map(|node| ids(&node)).collect();
    let first = groups.first().cloned().unwrap_or_default();
    let second = groups.iter().find(|ids| **ids != first).cloned().unwrap_or_default();
    let places = [
        ("category", &axes.category, first.first()),
        ("value", &axes.value, first.get(1)),
        ("secondaryCategory", &axes.second_category, second.first()),
        ("secondaryValue", &axes.second_value, second.get(1)),
    ];
    for (name, look, id) in places {
        if *look == AxisLook::default() {
            continue;
        }
        let axis = plot.elements().find(|node| {
            let own = node.child(ns::CHART, "axId").and_then(|node| number(&node, "val"));
            node.name().local.ends_with("Ax") && own.is_some() && own == id.copied()
        });
        let axis = axis.ok_or_else(|| Refusal::Unsupported {
            what: format!("setting the {name} axis of a chart that has none"),
            instead: Some("give `groups` to make the chart anew".to_owned()),
        })?;
        let markup = changed_axis(view, home, &axis, look, &xml.prefix())?;
        xml.splice(patch, axis.content_span(), markup)?;
    }
    Ok(())
}

/// The children of an element, each with its text.
struct Children {
    order: &'static [&'static str],
    list: Vec<(String, String)>,
}

impl Children {
    fn of(node: Option<&Node<'_>>, order: &'static [&'static str]) -> Self {
        let told = |child: Node<'_>| {
            (child.name().local.to_owned(), String::from_utf8_lossy(child.source()).into_owned())
        };
        Self { order, list: node.into_iter().flat_map(|node| node.elements().map(told)).collect() }
    }

    fn put(&mut self, name: &str, markup: String) {
        self.drop(name);
        let rank = |local: &str| self.order.iter().position(|known| *known == local);
        let own = rank(name);
        let at = self.list.iter().position(|(other, _)| rank(other) > own).unwrap_or(self.list.len());
        self.list.insert(at, (name.to_owned(), markup));
    }

    fn drop(&mut self, name: &str) {
        self.list.retain(|(other, _)| other != name);
    }

    fn has(&self, name: &str) -> bool {
        self.list.iter().any(|(other, _)| other == name)
    }

    fn text(&self) -> String {
        self.list.iter().map(|(_, text)| text.as_str()).collect()
    }
}

fn changed_axis(
    view: &View,
    home: &str,
    axis: &Node<'_>,
    look: &AxisLook,
    c: &str,
) -> Result<String, Refusal> {
    let mut all = Children::of(Some(axis), AXIS_ORDER);
    let scaling = axis.child(ns::CHART, "scaling");
    let mut scale = Children::of(scaling.as_ref(), SCALING_ORDER);
    let value = |name: &str, value: f64| format!("<{c}{name} val=\"{}\"/>", show_number(value));
    for (name, given) in [("logBase", look.log_base), ("max", look.max), ("min", look.min)] {
        match given {
            Some(given) if !given.is_finite() => return Err(Refusal::invalid("axis", given, "a number")),
            Some(given) if name == "logBase" && !(2.0..=1000.0).contains(&given) => {
                return Err(Refusal::invalid("log_base", given, "2 to 1000"));
            }
            Some(given) => scale.put(name, value(name, given)),
            None => {}
        }
    }
    if let (Some(low), Some(high)) = (look.min, look.max)
        && low >= high
    {
        return Err(Refusal::invalid("min", low, format!("a number below max, {high}")));
    }
    if let Some(reversed) = look.reversed {
        let word = if reversed { "maxMin" } else { "minMax" };
        scale.put("orientation", format!("<{c}orientation val=\"{word}\"/>"));
    }
    all.put("scaling", format!("<{c}scaling>{}</{c}scaling>", scale.text()));
    if let Some(hidden) = look.hidden {
        all.put("delete", format!("<{c}delete val=\"{}\"/>", u8::from(hidden)));
    }
    match look.gridlines {
        Some(true) if !all.has("majorGridlines") => all.put("majorGridlines", gridlines_markup(c)),
        Some(false) => all.drop("majorGridlines"),
        _ => {}
    }
    match (&look.title, &look.title_from) {
        (_, Some(cell)) => {
            let text = name_markup(view, home, &format!("={cell}"), c)?;
            all.put("title", format!("<{c}title>{text}<{c}overlay val=\"0\"/></{c}title>"));
        }
        (Some(text), None) if text.is_empty() => all.drop("title"),
        (Some(text), None) => all.put("title", title_markup(text, c)),
        (None, None) => {}
    }
    if let Some(code) = &look.number_format {
        let code = escape_attribute(code);
        all.put("numFmt", format!("<{c}numFmt formatCode=\"{code}\" sourceLinked=\"0\"/>"));
    }
    match look.major_unit {
        Some(unit) if unit <= 0.0 || !unit.is_finite() => {
            return Err(Refusal::invalid("major_unit", unit, "a number over 0"));
        }
        Some(_) if matches!(axis.name().local, "catAx" | "serAx") => {
            return Err(Refusal::unsupported("a major unit of an axis of names"));
        }
        Some(unit) => all.put("majorUnit", value("majorUnit", unit)),
        None => {}
    }
    if look.dates.is_some() {
        return Err(Refusal::Unsupported {
            what: "changing the kind of categories of a chart that is there".to_owned(),
            instead: Some("give `groups` to make the chart anew".to_owned()),
        });
    }
    Ok(all.text())
}

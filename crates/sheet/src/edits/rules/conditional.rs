//! Conditional formats: every kind of rule that Excel offers, read and written.

use edit::{OrEmpty, Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_attribute, escape_text, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::looks::style_change::StyleChange;
use crate::edits::looks::style_edit::{NewStyles, color_markup};
use crate::edits::looks::style_values;
use crate::edits::rules::rule_formula::RuleFormulas;
use crate::edits::rules::validation::{OPERATORS, done, one_of};
use crate::file::a1::{Area, read_areas, sqref, without};
use crate::file::styles::Color;
use crate::file::workbook::{decimal, flag, number, string};
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::extension::{self, X14, XM};
use crate::read::sheet_view::SheetView;

/// A rule of a sheet, as its file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConditionalFormat {
    pub areas: Vec<Area>,
    /// `cellIs`, `expression`, `colorScale`, `dataBar`, `iconSet`, `top10`, `aboveAverage`, `duplicateValues`,
    /// `containsText`, `timePeriod` and so on.
    pub kind: String,
    pub operator: Option<String>,
    pub priority: i64,
    pub formulas: Vec<String>,
    pub stop_if_true: bool,
    /// Index of the differential format.
    pub format: Option<u32>,
    /// What a text rule looks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Top>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<Average>,
    /// The colours of a scale, or the one of a bar.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colors: Vec<Color>,
    /// Where the colours, the ends of a bar or the icons of a set stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<String>,
    /// Bars and icons without the number beside them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hides_values: bool,
    /// The icons of a set the other way round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
}

/// The highest or lowest values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Top {
    /// How many, 1 to 1000, or how many in a hundred.
    pub rank: u32,
    #[serde(default)]
    pub percent: bool,
    #[serde(default)]
    pub bottom: bool,
}

/// Values on one side of the average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Average {
    pub below: bool,
    /// The average itself too.
    pub or_equal: bool,
    /// So many standard deviations away, 1 to 3.
    pub deviations: Option<u32>,
}

/// A place on the scale of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// `min`, `max`, `num`, `percent`, `percentile` or `formula`.
    pub kind: String,
    /// A number or formula; `min` and `max` have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Which cells a text rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextMatch {
    Contains,
    NotContains,
    BeginsWith,
    EndsWith,
}

/// A property that cells have without being compared with anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellsThat {
    AreBlank,
    AreNotBlank,
    AreErrors,
    AreNotErrors,
    Repeat,
    AreUnique,
}

/// When a conditional format applies, and how it looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum FormatRule {
    /// Compares the cell: `greaterThan`, `between` and so on.
    CellIs {
        operator: String,
        formulas: Vec<String>,
        style: StyleChange,
    },
    /// A formula, written for the first cell of the first area.
    Expression {
        formula: String,
        style: StyleChange,
    },
    /// Two or three colours from the lowest to the highest value, or at the points given.
    ColorScale {
        colors: Vec<Color>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        points: Vec<Point>,
    },
    /// From the lowest to the highest value, or between two points.
    DataBar {
        color: Color,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        points: Vec<Point>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hide_values: bool,
    },
    /// `3Arrows`, `4Rating`, `5Quarters` and so on; the points say where each icon starts, the first at the lowest.
    IconSet {
        icons: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        points: Vec<Point>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reverse: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hide_values: bool,
    },
    Top {
        top: Top,
        style: StyleChange,
    },
    Average {
        average: Average,
        style: StyleChange,
    },
    Text {
        matches: TextMatch,
        text: String,
        style: StyleChange,
    },
    /// `today`, `yesterday`, `tomorrow`, `last7Days`, `lastWeek`, `thisWeek`, `nextWeek`, `lastMonth`, `thisMonth` or
    /// `nextMonth`.
    Date {
        period: String,
        style: StyleChange,
    },
    Cells {
        that: CellsThat,
        style: StyleChange,
    },
}

const POINTS: &[&str] = &["min", "max", "num", "percent", "percentile", "formula"];
const ICONS: &[&str] = &[
    "3Arrows",
    "3ArrowsGray",
    "3Flags",
    "3TrafficLights1",
    "3TrafficLights2",
    "3Signs",
    "3Symbols",
    "3Symbols2",
    "4Arrows",
    "4ArrowsGray",
    "4RedToBlack",
    "4Rating",
    "4TrafficLights",
    "5Arrows",
    "5ArrowsGray",
    "5Rating",
    "5Quarters",
];
pub(crate) const PERIODS: &[(&str, &str)] = &[
    ("today", "FLOOR(@,1)=TODAY()"),
    ("yesterday", "FLOOR(@,1)=TODAY()-1"),
    ("tomorrow", "FLOOR(@,1)=TODAY()+1"),
    ("last7Days", "AND(TODAY()-FLOOR(@,1)<=6,FLOOR(@,1)<=TODAY())"),
    (
        "lastWeek",
        "AND(TODAY()-ROUNDDOWN(@,0)>=(WEEKDAY(TODAY())),TODAY()-ROUNDDOWN(@,0)<(WEEKDAY(TODAY())+7))",
    ),
    (
        "thisWeek",
        "AND(TODAY()-ROUNDDOWN(@,0)<=WEEKDAY(TODAY())-1,ROUNDDOWN(@,0)-TODAY()<=7-WEEKDAY(TODAY()))",
    ),
    (
        "nextWeek",
        "AND(ROUNDDOWN(@,0)-TODAY()>(7-WEEKDAY(TODAY())),ROUNDDOWN(@,0)-TODAY()<(15-WEEKDAY(TODAY())))",
    ),
    ("lastMonth", "AND(MONTH(@)=MONTH(EDATE(TODAY(),0-1)),YEAR(@)=YEAR(EDATE(TODAY(),0-1)))"),
    ("thisMonth", "AND(MONTH(@)=MONTH(TODAY()),YEAR(@)=YEAR(TODAY()))"),
    ("nextMonth", "AND(MONTH(@)=MONTH(EDATE(TODAY(),0+1)),YEAR(@)=YEAR(EDATE(TODAY(),0+1)))"),
];

pub(crate) fn add(
    view: &View,
    name: &str,
    areas: &[Area],
    rule: &FormatRule,
    stop_if_true: bool,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let prefix = &sheet.worksheet.spelling().prefix;
    let mut patch = Patch::new();
    let mut styles = view.styles()?.map(|styles| NewStyles::new(styles));
    let priority = sheet.conditional_formats().iter().map(|known| known.priority).max().unwrap_or(0) + 1;
    let first = areas.first().map_or_else(String::new, |area| area.first().to_string());
    let formulas = RuleFormulas { view, home: sheet.position };
    let written = Writer { prefix, first, formulas }.rule(rule)?;
    let format = match style(rule) {
        None => String::new(),
        Some(style) => match &mut styles {
            Some(styles) => format!(" dxfId=\"{}\"", styles.differential(style)?),
            None => {
                return Err(Refusal::unsupported("a conditional format in a workbook without a styles part"));
            }
        },
    };
    let stop = if stop_if_true { " stopIfTrue=\"1\"" } else { "" };
    let markup = format!(
        "<{prefix}conditionalFormatting sqref=\"{}\"><{prefix}cfRule type=\"{}\"{format} priority=\"{priority}\"{stop}{}>{}</{prefix}cfRule></{prefix}conditionalFormatting>",
        sqref(areas)?,
        written.kind,
        written.attributes,
        written.inside
    );
    let xml = Xml::frame(sheet.worksheet);
    xml.insert(&mut patch, WORKSHEET_ORDER, "conditionalFormatting", &markup)?;
    if let Some(styles) = styles {
        styles.finish(&mut patch)?;
    }
    done(&sheet, patch, format!("Format {}!{} by rule", sheet.name(), sqref(areas)?), areas)
}

fn style(rule: &FormatRule) -> Option<&StyleChange> {
    match rule {
        FormatRule::CellIs { style, .. }
        | FormatRule::Expression { style, .. }
        | FormatRule::Top { style, .. }
        | FormatRule::Average { style, .. }
        | FormatRule::Text { style, .. }
        | FormatRule::Date { style, .. }
        | FormatRule::Cells { style, .. } => Some(style),
        FormatRule::ColorScale { .. } | FormatRule::DataBar { .. } | FormatRule::IconSet { .. } => None,
    }
}

/// A rule in the words of the file.
struct Written {
    kind: &'static str,
    attributes: String,
    inside: String,
}

struct Writer<'a> {
    prefix: &'a str,
    /// The cell that formulas are written for.
    first: String,
    formulas: RuleFormulas<'a>,
}

impl Writer<'_> {
    fn rule(&self, rule: &FormatRule) -> Result<Written, Refusal> {
        let plain = |kind, attributes: String, inside| Ok(Written { kind, attributes, inside });
        match rule {
            FormatRule::CellIs { operator, formulas, .. } => self.compared(operator, formulas),
            FormatRule::Expression { formula, .. } => {
                plain("expression", String::new(), self.formula(formula)?)
            }
            FormatRule::ColorScale { colors, points } => {
                colors.iter().try_for_each(style_values::check_color)?;
                let usual: &[(&str, Option<&str>)] = match colors.len() {
                    2 => &[("min", None), ("max", None)],
                    3 => &[("min", None), ("percentile", Some("50")), ("max", None)],
                    other => return Err(Refusal::invalid("colors", other, "two or three colours")),
                };
                let points = self.points(points, usual)?;
                plain(
                    "colorScale",
                    String::new(),
                    self.element("colorScale", "", &(points + &self.colors(colors))),
                )
            }
            FormatRule::DataBar { color, points, hide_values } => {
                style_values::check_color(color)?;
                let points = self.points(points, &[("min", None), ("max", None)])?;
                let color = self.colors(std::slice::from_ref(color));
                let hidden = if *hide_values { " showValue=\"0\"" } else { "" };
                plain("dataBar", String::new(), self.element("dataBar", hidden, &(points + &color)))
            }
            FormatRule::IconSet { icons, points, reverse, hide_values } => {
                one_of("icons", icons, ICONS)?;
                let shares: &[&str] = match icons.as_bytes().first() {
                    Some(b'3') => &["0", "33", "67"],
                    Some(b'4') => &["0", "25", "50", "75"],
                    _ => &["0", "20", "40", "60", "80"],
                };
                let usual: Vec<_> = shares.iter().map(|share| ("percent", Some(*share))).collect();
                let hidden = if *hide_values { " showValue=\"0\"" } else { "" };
                let turned = if *reverse { " reverse=\"1\"" } else { "" };
                let attributes = format!(" iconSet=\"{icons}\"{hidden}{turned}");
                plain(
                    "iconSet",
                    String::new(),
                    self.element("iconSet", &attributes, &self.points(points, &usual)?),
                )
            }
            FormatRule::Top { top, .. } => {
                let most = if top.percent { 100 } else { 1000 };
                if !(1..=most).contains(&top.rank) {
                    return Err(Refusal::invalid("rank", top.rank, format!("1 to {most}")));
                }
                let percent = if top.percent { " percent=\"1\"" } else { "" };
                let bottom = if top.bottom { " bottom=\"1\"" } else { "" };
                plain("top10", format!("{percent}{bottom} rank=\"{}\"", top.rank), String::new())
            }
            FormatRule::Average { average, .. } => {
                if average.deviations.is_some_and(|deviations| !(1..=3).contains(&deviations)) {
                    return Err(Refusal::invalid("deviations", average.deviations.unwrap_or(0), "1 to 3"));
                }
                let below = if average.below { " aboveAverage=\"0\"" } else { "" };
                let equal = if average.or_equal { " equalAverage=\"1\"" } else { "" };
                let away = average.deviations.map_or_else(String::new, |d| format!(" stdDev=\"{d}\""));
                plain("aboveAverage", format!("{below}{equal}{away}"), String::new())
            }
            FormatRule::Text { matches, text, .. } => self.text(*matches, text),
            FormatRule::Date { period, .. } => {
                let Some((_, formula)) = PERIODS.iter().find(|(known, _)| known == period) else {
                    let known: Vec<&str> = PERIODS.iter().map(|(known, _)| *known).collect();
                    return Err(Refusal::invalid("period", format!("`{period}`"), known.join(", ")));
                };
                plain("timePeriod", format!(" timePeriod=\"{period}\""), self.own(formula)?)
            }
            FormatRule::Cells { that, .. } => match that {
                CellsThat::AreBlank => plain("containsBlanks", String::new(), self.own("LEN(TRIM(@))=0")?),
                CellsThat::AreNotBlank => {
                    plain("notContainsBlanks", String::new(), self.own("LEN(TRIM(@))>0")?)
                }
                CellsThat::AreErrors => plain("containsErrors", String::new(), self.own("ISERROR(@)")?),
                CellsThat::AreNotErrors => {
                    plain("notContainsErrors", String::new(), self.own("NOT(ISERROR(@))")?)
                }
                CellsThat::Repeat => plain("duplicateValues", String::new(), String::new()),
                CellsThat::AreUnique => plain("uniqueValues", String::new(), String::new()),
            },
        }
    }

    fn compared(&self, operator: &str, formulas: &[String]) -> Result<Written, Refusal> {
        one_of("operator", operator, OPERATORS)?;
        let wanted = if matches!(operator, "between" | "notBetween") { 2 } else { 1 };
        if formulas.len() != wanted {
            return Err(Refusal::invalid(
                "formulas",
                format!("{} formulas", formulas.len()),
                format!("{wanted} for {operator}"),
            ));
        }
        let inside = formulas
            .iter()
            .map(|text| Ok(self.element("formula", "", &self.formulas.compared(text)?)))
            .collect::<Result<String, Refusal>>()?;
        Ok(Written { kind: "cellIs", attributes: format!(" operator=\"{operator}\""), inside })
    }

    /// Excel writes what it looks for twice: for itself, and as a formula for programs that know no text rules.
    fn text(&self, matches: TextMatch, text: &str) -> Result<Written, Refusal> {
        let length = text.encode_utf16().count();
        if !(1..=255).contains(&length) {
            return Err(Refusal::invalid("text", format!("{length} characters"), "1 to 255"));
        }
        let quoted = format!("\"{}\"", text.replace('"', "\"\""));
        let (kind, operator, formula) = match matches {
            TextMatch::Contains => {
                ("containsText", "containsText", format!("NOT(ISERROR(SEARCH({quoted},@)))"))
            }
            TextMatch::NotContains => {
                ("notContainsText", "notContains", format!("ISERROR(SEARCH({quoted},@))"))
            }
            TextMatch::BeginsWith => ("beginsWith", "beginsWith", format!("LEFT(@,{length})={quoted}")),
            TextMatch::EndsWith => ("endsWith", "endsWith", format!("RIGHT(@,{length})={quoted}")),
        };
        // The text itself may hold the mark that stands for the cell.
        let inside = match formula.split_once(&quoted) {
            Some((before, after)) => {
                format!("{}{quoted}{}", before.replace('@', &self.first), after.replace('@', &self.first))
            }
            None => formula,
        };
        Ok(Written {
            kind,
            attributes: format!(" operator=\"{operator}\" text=\"{}\"", escape_attribute(text)),
            inside: self.element("formula", "", &escape_text(&inside)),
        })
    }

    fn formula(&self, text: &str) -> Result<String, Refusal> {
        Ok(self.element("formula", "", &self.formulas.formula(text)?))
    }

    /// A formula of Excel's own, with `@` for the cell.
    fn own(&self, formula: &str) -> Result<String, Refusal> {
        self.formula(&formula.replace('@', &self.first))
    }

    fn colors(&self, colors: &[Color]) -> String {
        colors.iter().map(|color| color_markup(color, "color", self.prefix)).collect()
    }

    fn points(&self, given: &[Point], usual: &[(&str, Option<&str>)]) -> Result<String, Refusal> {
        if !given.is_empty() && given.len() != usual.len() {
            return Err(Refusal::invalid(
                "points",
                format!("{} points", given.len()),
                format!("{}, one for each, or none", usual.len()),
            ));
        }
        let mut markup = String::new();
        for point in given {
            one_of("points", &point.kind, POINTS)?;
            let value = match (point.kind.as_str(), &point.value) {
                ("min" | "max", _) => String::new(),
                (_, Some(value)) => format!(" val=\"{}\"", self.value(&point.kind, value)?),
                (kind, None) => {
                    return Err(Refusal::invalid("points", format!("`{kind}` without a value"), "a value"));
                }
            };
            markup += &format!("<{}cfvo type=\"{}\"{value}/>", self.prefix, point.kind);
        }
        if given.is_empty() {
            for (kind, value) in usual {
                let value = value.map_or_else(String::new, |value| format!(" val=\"{value}\""));
                markup += &format!("<{}cfvo type=\"{kind}\"{value}/>", self.prefix);
            }
        }
        Ok(markup)
    }

    /// A number, or a formula where the kind of point allows one.
    fn value(&self, kind: &str, text: &str) -> Result<String, Refusal> {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match number {
            Some(number) if kind.starts_with("percent") && !(0.0..=100.0).contains(&number) => {
                Err(Refusal::invalid("points", format!("{number} as {kind}"), "0 to 100"))
            }
            Some(_) => Ok(text.trim().to_owned()),
            None => self.formulas.formula(text).map(|text| text.replace('"', "&quot;")),
        }
    }

    fn element(&self, name: &str, attributes: &str, inside: &str) -> String {
        let prefix = self.prefix;
        format!("<{prefix}{name}{attributes}>{inside}</{prefix}{name}>")
    }
}

pub(crate) fn remove(view: &View, name: &str, areas: &[Area]) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let mut patch = Patch::new();
    for node in xml.root().elements().filter(|node| node.is(ns::S, "conditionalFormatting")) {
        let before = read_areas(&string(&node, "sqref").or_empty());
        let after: Vec<Area> = areas
            .iter()
            .fold(before.clone(), |known, cut| known.iter().flat_map(|area| without(area, cut)).collect());
        if after.is_empty() {
            xml.remove(&mut patch, &node)?;
        } else if after != before {
            if after.first().map(Area::first) != before.first().map(Area::first) {
                return Err(Refusal::Unsafe {
                    why: format!(
                        "a rule over {} is written for its first cell, which would go",
                        sqref(&before)?
                    ),
                    instead: Some(format!("remove all of {}", sqref(&before)?)),
                });
            }
            xml.set_attribute(&mut patch, &node, "sqref", &sqref(&after)?)?;
        }
    }
    crate::edits::rules::extension::cut(
        &sheet,
        &mut patch,
        "conditionalFormattings",
        "conditionalFormatting",
        areas,
    )?;
    done(&sheet, patch, format!("Remove conditional formats of {}!{}", sheet.name(), sqref(areas)?), areas)
}

impl SheetView<'_> {
    /// The rules of the sheet; those that Excel keeps in its extension come last.
    pub fn conditional_formats(&self) -> Vec<ConditionalFormat> {
        let root = self.root();
        let mut found = Vec::new();
        for block in root.elements().filter(|node| node.is(ns::S, "conditionalFormatting")) {
            let areas = read_areas(&string(&block, "sqref").or_empty());
            for rule in block.elements().filter(|node| node.is(ns::S, "cfRule")) {
                found.push(with_finer(read(&rule, areas.clone(), ns::S), &rule, root));
            }
        }
        for block in extension::items(root, "conditionalFormattings", "conditionalFormatting") {
            let areas = extension::areas(&block);
            for rule in block.elements().filter(|node| node.is(X14, "cfRule")) {
                // A bar of the first version has its finer points here, and no priority.
                if string(&rule, "priority").is_some() {
                    found.push(read(&rule, areas.clone(), X14));
                }
            }
        }
        found
    }
}

/// A bar has ends that the first version knows no word for in its second half.
fn with_finer(mut format: ConditionalFormat, rule: &Node<'_>, root: Node<'_>) -> ConditionalFormat {
    if format.kind != "dataBar" {
        return format;
    }
    let Some(id) = rule.descendants().find(|node| node.is(X14, "id")) else { return format };
    let id = id.text().trim().to_ascii_uppercase();
    let blocks = extension::items(root, "conditionalFormattings", "conditionalFormatting");
    let mut rules = blocks.flat_map(|block| block.elements()).filter(|node| node.is(X14, "cfRule"));
    let own = rules.find(|node| string(node, "id").is_some_and(|known| known.to_ascii_uppercase() == id));
    if let Some(finer) = own.map(|node| read(&node, Vec::new(), X14)) {
        format.hides_values |= finer.hides_values;
        if finer.points.len() == format.points.len() {
            format.points = finer.points;
        }
    }
    format
}

pub(crate) fn read(rule: &Node<'_>, areas: Vec<Area>, space: &str) -> ConditionalFormat {
    let texts = |space: &str, name: &str| -> Vec<String> {
        rule.elements().filter(|node| node.is(space, name)).map(|node| node.text().into_owned()).collect()
    };
    let kind = string(rule, "type").or_empty();
    let shape = ["colorScale", "dataBar", "iconSet"].iter().find_map(|name| rule.child(space, name));
    let inside = |name: &'static str| {
        shape.into_iter().flat_map(|node| node.elements()).filter(move |node| node.is(space, name))
    };
    let points = inside("cfvo").map(|node| Point {
        kind: string(&node, "type").or_empty(),
        value: string(&node, "val").or_else(|| node.child(XM, "f").map(|node| node.text().into_owned())),
    });
    let colors = inside("color").chain(inside("fillColor"));
    ConditionalFormat {
        operator: string(rule, "operator"),
        priority: string(rule, "priority").and_then(|text| text.parse().ok()).unwrap_or(0),
        formulas: if space == X14 { texts(XM, "f") } else { texts(space, "formula") },
        stop_if_true: flag(rule, "stopIfTrue", false),
        format: number(rule, "dxfId"),
        text: string(rule, "text"),
        period: string(rule, "timePeriod"),
        top: (kind == "top10").then(|| Top {
            rank: number(rule, "rank").unwrap_or(10),
            percent: flag(rule, "percent", false),
            bottom: flag(rule, "bottom", false),
        }),
        average: (kind == "aboveAverage").then(|| Average {
            below: !flag(rule, "aboveAverage", true),
            or_equal: flag(rule, "equalAverage", false),
            deviations: decimal(rule, "stdDev").map(|number| number as u32).filter(|number| *number > 0),
        }),
        points: points.collect(),
        colors: colors.filter_map(|node| crate::file::styles::color(&node)).collect(),
        icons: shape
            .filter(|_| kind == "iconSet")
            .map(|node| string(&node, "iconSet").unwrap_or_else(|| "3TrafficLights1".to_owned())),
        hides_values: shape.is_some_and(|node| !flag(&node, "showValue", true)),
        reversed: shape.is_some_and(|node| flag(&node, "reverse", false)),
        areas,
        kind,
    }
}

//! Conditional formats: the rules of a sheet, read, added and taken off.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sheet::{
    Area, Average, CellsThat, ConditionalFormat, Edit, FormatRule, Point, StyleChange, TextMatch, Top,
};

use super::style::{self, Style};
use super::validation::{ClearOption, areas, operator_read, operator_told};
use super::write::known_sheet;
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::sheet_position;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<GetConditionalFormatting>(),
        entry::<SetConditionalFormatting>(),
        entry::<RemoveConditionalFormatting>(),
    ]
}

/// A rule; which fields it has follows from its `type`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FormatInfo {
    /// Among the rules of the sheet, from 0; told, not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(rename = "type")]
    kind: FormatKind,
    /// `"B2:B99"`, or several with commas.
    address: String,
    /// Orders the rules of one call; they come after those that are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stop_if_true: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    style: Option<Style>,
    /// Of `cellValue`: `Between`, `GreaterThan` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
    /// Of `cellValue` and `expression`; written for the first cell of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formula: Option<Operand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formula2: Option<Operand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Of `top` and `bottom`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    percent: bool,
    /// Of `top`: the last ones, as `bottom` says too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bottom: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    std_dev: Option<u32>,
    /// Of `aboveAverage` and `belowAverage`: the average itself too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    equal_average: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    low_value: Option<ScalePoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mid_value: Option<ScalePoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    high_value: Option<ScalePoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data_bar: Option<DataBar>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    icon_set: Option<IconSet>,
    /// `today`, `yesterday`, `tomorrow`, `last7Days`, `lastWeek`, `thisWeek`, `nextWeek`, `lastMonth`, `thisMonth` or
    /// `nextMonth`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_period: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FormatKind {
    CellValue,
    ContainsText,
    NotContainsText,
    BeginsWith,
    EndsWith,
    ContainsBlanks,
    NotContainsBlanks,
    ContainsErrors,
    NotContainsErrors,
    #[default]
    Expression,
    TimePeriod,
    Top,
    Bottom,
    AboveAverage,
    BelowAverage,
    DuplicateValues,
    UniqueValues,
    TwoColorScale,
    ThreeColorScale,
    DataBar,
    IconSet,
}

/// A number, or a formula such as `=$B$1`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Operand {
    Number(f64),
    Formula(String),
}

/// A place on a scale. `min` and `max` have no value.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScalePoint {
    #[serde(rename = "type")]
    kind: PointKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PointKind {
    Min,
    Max,
    Num,
    Percent,
    Percentile,
    Formula,
    /// Read only.
    AutoMin,
    /// Read only.
    AutoMax,
}

/// A bar between `lowValue` and `highValue` of the rule, or between the lowest and the highest.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DataBar {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// The number beside the bar; it is usually shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    show_value: Option<bool>,
}

/// `3Arrows`, `3TrafficLights1`, `4Rating`, `5Quarters` and so on, with a place from which each icon is shown.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct IconSet {
    style: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<Vec<ScalePoint>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reverse: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    show_value: Option<bool>,
}

function! {
    /// The conditional formats of a sheet.
    "getConditionalFormatting" GetConditionalFormatting { sheet: String } -> Vec<FormatInfo> => get_formats
}

fn get_formats(host: &mut Host, call: GetConditionalFormatting) -> Result<Vec<FormatInfo>, Fault> {
    let position = sheet_position(host.view(), &call.sheet)?;
    let rules = host.sheet(position)?.conditional_formats();
    rules.iter().enumerate().map(|(index, rule)| told(host, index, rule)).collect()
}

fn told(host: &Host, index: usize, rule: &ConditionalFormat) -> Result<FormatInfo, Fault> {
    let palette = host.view().palette()?;
    let kind = match (rule.kind.as_str(), &rule.top, &rule.average, rule.colors.len()) {
        ("cellIs", ..) => FormatKind::CellValue,
        ("containsText", ..) => FormatKind::ContainsText,
        ("notContainsText", ..) => FormatKind::NotContainsText,
        ("beginsWith", ..) => FormatKind::BeginsWith,
        ("endsWith", ..) => FormatKind::EndsWith,
        ("containsBlanks", ..) => FormatKind::ContainsBlanks,
        ("notContainsBlanks", ..) => FormatKind::NotContainsBlanks,
        ("containsErrors", ..) => FormatKind::ContainsErrors,
        ("notContainsErrors", ..) => FormatKind::NotContainsErrors,
        ("timePeriod", ..) => FormatKind::TimePeriod,
        ("top10", Some(top), ..) if top.bottom => FormatKind::Bottom,
        ("top10", ..) => FormatKind::Top,
        ("aboveAverage", _, Some(average), _) if average.below => FormatKind::BelowAverage,
        ("aboveAverage", ..) => FormatKind::AboveAverage,
        ("duplicateValues", ..) => FormatKind::DuplicateValues,
        ("uniqueValues", ..) => FormatKind::UniqueValues,
        ("colorScale", _, _, 3) => FormatKind::ThreeColorScale,
        ("colorScale", ..) => FormatKind::TwoColorScale,
        ("dataBar", ..) => FormatKind::DataBar,
        ("iconSet", ..) => FormatKind::IconSet,
        _ => FormatKind::Expression,
    };
    let color =
        |index: usize| rule.colors.get(index).and_then(|color| palette.color(color)).map(|c| c.to_string());
    let mut points = rule.points.iter().enumerate().map(|(index, point)| {
        let paint = if rule.kind == "colorScale" { color(index) } else { None };
        point_told(point, paint)
    });
    let mut info = FormatInfo {
        index: Some(index),
        kind,
        address: rule.areas.iter().map(Area::to_string).collect::<Vec<_>>().join(","),
        priority: Some(rule.priority),
        stop_if_true: rule.stop_if_true,
        style: match rule.format {
            Some(format) => host.view().rule_style(format)?.map(|change| style::of_change(&change, &palette)),
            None => None,
        },
        operator: rule.operator.as_deref().filter(|_| kind == FormatKind::CellValue).map(operator_told),
        text: rule.text.clone(),
        rank: rule.top.map(|top| top.rank),
        percent: rule.top.is_some_and(|top| top.percent),
        bottom: rule.top.is_some_and(|top| top.bottom),
        std_dev: rule.average.and_then(|average| average.deviations),
        equal_average: rule.average.is_some_and(|average| average.or_equal),
        time_period: rule.period.clone(),
        ..FormatInfo::default()
    };
    let operand = |text: &String| match text.parse::<f64>() {
        Ok(number) => Operand::Number(number),
        Err(_) => Operand::Formula(format!("={text}")),
    };
    if matches!(kind, FormatKind::CellValue | FormatKind::Expression) {
        info.formula = rule.formulas.first().map(operand);
        info.formula2 = rule.formulas.get(1).map(operand);
    }
    let show_value = rule.hides_values.then_some(false);
    match kind {
        FormatKind::TwoColorScale => (info.low_value, info.high_value) = (points.next(), points.next()),
        FormatKind::ThreeColorScale => {
            (info.low_value, info.mid_value, info.high_value) = (points.next(), points.next(), points.next());
        }
        FormatKind::DataBar => {
            (info.low_value, info.high_value) = (points.next(), points.next());
            info.data_bar = Some(DataBar { color: color(0), show_value });
        }
        FormatKind::IconSet => {
            let style = rule.icons.clone().unwrap_or_default();
            let reverse = rule.reversed.then_some(true);
            info.icon_set = Some(IconSet { style, points: Some(points.collect()), reverse, show_value });
        }
        _ => {}
    }
    Ok(info)
}

fn point_told(point: &Point, color: Option<String>) -> ScalePoint {
    let kind = serde_json::from_value(Json::String(point.kind.clone())).unwrap_or(PointKind::Num);
    let number = point.value.as_deref().and_then(|value| value.parse::<f64>().ok());
    let bare = matches!(kind, PointKind::Min | PointKind::Max | PointKind::AutoMin | PointKind::AutoMax);
    ScalePoint {
        kind,
        value: number.filter(|_| !bare),
        formula: point.value.clone().filter(|_| number.is_none() && !bare).map(|text| format!("={text}")),
        color,
    }
}

function! {
    /// Add conditional formats, after those that are there (or in place of all, with `clear`); answers all of the sheet.
    "setConditionalFormatting" SetConditionalFormatting { sheet: String, rules: Vec<FormatInfo>, options: Option<ClearOption> }
        -> Vec<FormatInfo> => set_formats
}

fn set_formats(host: &mut Host, call: SetConditionalFormatting) -> Result<Vec<FormatInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let position = sheet_position(host.view(), &sheet)?;
    let mut edits = Vec::new();
    if call.options.unwrap_or_default().clear {
        let known = host.sheet(position)?.conditional_formats();
        let rules: Vec<u32> = (0..known.len() as u32).collect();
        if !rules.is_empty() {
            let areas = known.into_iter().flat_map(|rule| rule.areas).collect();
            edits.push(Edit::RemoveConditionalFormats { sheet: sheet.clone(), areas, rules });
        }
    }
    let mut rules: Vec<(usize, &FormatInfo)> = call.rules.iter().enumerate().collect();
    rules.sort_by_key(|(_, rule)| rule.priority.unwrap_or(i64::MAX));
    for (index, rule) in rules {
        let within = |fault: Fault| Fault { message: format!("rules[{index}]: {}", fault.message), ..fault };
        if rule.index.is_some() {
            return Err(within(Fault::invalid("`index` is told, not taken; leave it out")));
        }
        edits.push(Edit::AddConditionalFormat {
            sheet: sheet.clone(),
            areas: areas(&sheet, &rule.address).map_err(within)?,
            rule: engine_rule(rule).map_err(within)?,
            stop_if_true: rule.stop_if_true,
        });
    }
    if !edits.is_empty() {
        host.write(edits)?;
    }
    get_formats(host, GetConditionalFormatting { sheet })
}

fn engine_rule(rule: &FormatInfo) -> Result<FormatRule, Fault> {
    let needs =
        |field: &str| Fault::invalid(format!("a rule of the type {} takes `{field}`", name(rule.kind)));
    unwanted(rule)?;
    let style = || -> Result<StyleChange, Fault> {
        let style = rule.style.as_ref().ok_or_else(|| needs("style"))?;
        if style.alignment.is_some() || style.center_continuous_span.is_some() || style.rich_text.is_some() {
            return Err(Fault::invalid(
                "a conditional format has `font`, `fill`, `border` and `numberFormat` only",
            ));
        }
        style::change(style)
    };
    let formula = |operand: &Operand| match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Formula(text) => text.clone(),
    };
    let text = |matches| -> Result<FormatRule, Fault> {
        let text = rule.text.clone().ok_or_else(|| needs("text"))?;
        Ok(FormatRule::Text { matches, text, style: style()? })
    };
    let cells = |that| -> Result<FormatRule, Fault> { Ok(FormatRule::Cells { that, style: style()? }) };
    let top = |bottom| -> Result<FormatRule, Fault> {
        let top = Top { rank: rule.rank.ok_or_else(|| needs("rank"))?, percent: rule.percent, bottom };
        Ok(FormatRule::Top { top, style: style()? })
    };
    let average = |below| -> Result<FormatRule, Fault> {
        let average = Average { below, or_equal: rule.equal_average, deviations: rule.std_dev };
        Ok(FormatRule::Average { average, style: style()? })
    };
    match rule.kind {
        FormatKind::CellValue => Ok(FormatRule::CellIs {
            operator: operator_read(rule.operator.as_deref().ok_or_else(|| needs("operator"))?)?,
            formulas: rule.formula.iter().chain(&rule.formula2).map(formula).collect(),
            style: style()?,
        }),
        FormatKind::Expression => {
            let formula = formula(rule.formula.as_ref().ok_or_else(|| needs("formula"))?);
            Ok(FormatRule::Expression { formula, style: style()? })
        }
        FormatKind::ContainsText => text(TextMatch::Contains),
        FormatKind::NotContainsText => text(TextMatch::NotContains),
        FormatKind::BeginsWith => text(TextMatch::BeginsWith),
        FormatKind::EndsWith => text(TextMatch::EndsWith),
        FormatKind::ContainsBlanks => cells(CellsThat::AreBlank),
        FormatKind::NotContainsBlanks => cells(CellsThat::AreNotBlank),
        FormatKind::ContainsErrors => cells(CellsThat::AreErrors),
        FormatKind::NotContainsErrors => cells(CellsThat::AreNotErrors),
        FormatKind::DuplicateValues => cells(CellsThat::Repeat),
        FormatKind::UniqueValues => cells(CellsThat::AreUnique),
        FormatKind::TimePeriod => {
            let period = rule.time_period.clone().ok_or_else(|| needs("timePeriod"))?;
            Ok(FormatRule::Date { period, style: style()? })
        }
        FormatKind::Top => top(rule.bottom),
        FormatKind::Bottom => top(true),
        FormatKind::AboveAverage => average(false),
        FormatKind::BelowAverage => average(true),
        FormatKind::TwoColorScale => scale(&[("lowValue", &rule.low_value), ("highValue", &rule.high_value)]),
        FormatKind::ThreeColorScale => scale(&[
            ("lowValue", &rule.low_value),
            ("midValue", &rule.mid_value),
            ("highValue", &rule.high_value),
        ]),
        FormatKind::DataBar => {
            let bar = rule.data_bar.as_ref();
            let color = style::color(bar.and_then(|bar| bar.color.as_deref()).unwrap_or("#638EC6"))?;
            let points = match (&rule.low_value, &rule.high_value) {
                (Some(low), Some(high)) => vec![point(low)?, point(high)?],
                (None, None) => Vec::new(),
                _ => return Err(Fault::invalid("a bar takes both `lowValue` and `highValue`, or neither")),
            };
            let hide_values = bar.and_then(|bar| bar.show_value) == Some(false);
            Ok(FormatRule::DataBar { color, points, hide_values })
        }
        FormatKind::IconSet => {
            let set = rule.icon_set.as_ref().ok_or_else(|| needs("iconSet"))?;
            let points = set.points.iter().flatten().map(point).collect::<Result<_, _>>()?;
            Ok(FormatRule::IconSet {
                icons: set.style.clone(),
                points,
                reverse: set.reverse == Some(true),
                hide_values: set.show_value == Some(false),
            })
        }
    }
}

/// Fields that the type of a rule has no use for are mistakes.
fn unwanted(rule: &FormatInfo) -> Result<(), Fault> {
    use FormatKind as K;
    let scale = matches!(rule.kind, K::TwoColorScale | K::ThreeColorScale);
    let drawn = scale || matches!(rule.kind, K::DataBar | K::IconSet);
    let texts = matches!(rule.kind, K::ContainsText | K::NotContainsText | K::BeginsWith | K::EndsWith);
    let average = matches!(rule.kind, K::AboveAverage | K::BelowAverage);
    let ranked = matches!(rule.kind, K::Top | K::Bottom);
    let fields = [
        ("style", rule.style.is_some(), !drawn),
        ("operator", rule.operator.is_some(), rule.kind == K::CellValue),
        ("formula", rule.formula.is_some(), matches!(rule.kind, K::CellValue | K::Expression)),
        ("formula2", rule.formula2.is_some(), rule.kind == K::CellValue),
        ("text", rule.text.is_some(), texts),
        ("rank", rule.rank.is_some(), ranked),
        ("percent", rule.percent, ranked),
        ("stdDev", rule.std_dev.is_some(), average),
        ("equalAverage", rule.equal_average, average),
        ("lowValue", rule.low_value.is_some(), scale || rule.kind == K::DataBar),
        ("midValue", rule.mid_value.is_some(), rule.kind == K::ThreeColorScale),
        ("highValue", rule.high_value.is_some(), scale || rule.kind == K::DataBar),
        ("dataBar", rule.data_bar.is_some(), rule.kind == K::DataBar),
        ("iconSet", rule.icon_set.is_some(), rule.kind == K::IconSet),
        ("timePeriod", rule.time_period.is_some(), rule.kind == K::TimePeriod),
    ];
    match fields.iter().find(|(_, given, wanted)| *given && !wanted) {
        Some((field, ..)) => {
            Err(Fault::invalid(format!("a rule of the type {} has no `{field}`", name(rule.kind))))
        }
        None => Ok(()),
    }
}

fn name(kind: FormatKind) -> String {
    serde_json::to_string(&kind).expect("a kind is a word").replace('"', "`")
}

fn scale(points: &[(&str, &Option<ScalePoint>)]) -> Result<FormatRule, Fault> {
    let mut colors = Vec::new();
    let mut places = Vec::new();
    for (field, given) in points {
        let missing = || Fault::invalid(format!("a scale takes `{field}` with `type` and `color`"));
        let given = given.as_ref().ok_or_else(missing)?;
        colors.push(style::color(given.color.as_deref().ok_or_else(missing)?)?);
        places.push(point(given)?);
    }
    Ok(FormatRule::ColorScale { colors, points: places })
}

fn point(given: &ScalePoint) -> Result<Point, Fault> {
    let kind = match given.kind {
        PointKind::Min => "min",
        PointKind::Max => "max",
        PointKind::Num => "num",
        PointKind::Percent => "percent",
        PointKind::Percentile => "percentile",
        PointKind::Formula => "formula",
        PointKind::AutoMin | PointKind::AutoMax => {
            return Err(Fault::new(
                "UNSUPPORTED",
                "`autoMin` and `autoMax` are read and not written; use `min` and `max`",
            ));
        }
    };
    let value = match (given.value, &given.formula) {
        (Some(number), None) => Some(number.to_string()),
        (None, Some(formula)) => Some(formula.clone()),
        (None, None) => None,
        (Some(_), Some(_)) => return Err(Fault::invalid("a point has either `value` or `formula`")),
    };
    Ok(Point { kind: kind.to_owned(), value })
}

function! {
    /// Take conditional formats off by their indices, as getConditionalFormatting counts them; answers those left.
    "removeConditionalFormatting" RemoveConditionalFormatting { sheet: String, indices: Vec<u32> }
        -> Vec<FormatInfo> => remove_formats
}

fn remove_formats(host: &mut Host, call: RemoveConditionalFormatting) -> Result<Vec<FormatInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let known = host.sheet(sheet_position(host.view(), &sheet)?)?.conditional_formats();
    let mut places = Vec::new();
    for index in &call.indices {
        let rule = known.get(*index as usize).ok_or_else(|| {
            Fault::new("NOT_FOUND", format!("there is no rule {index}; `{sheet}` has {}", known.len()))
        })?;
        places.extend(rule.areas.iter().copied());
    }
    if !call.indices.is_empty() {
        let edit =
            Edit::RemoveConditionalFormats { sheet: sheet.clone(), areas: places, rules: call.indices };
        host.write(vec![edit])?;
    }
    get_formats(host, GetConditionalFormatting { sheet })
}

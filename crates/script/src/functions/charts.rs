//! Charts: listed, made as real parts, changed and deleted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::{Blanks, LegendSide, Placed, PlacedKind, PlainAxis, PlainKind};
use sheet::{Area, ChartChange, ChartGroup, Edit, NewChart, SeriesChange};

use super::chart_spec::{
    self, AxesSpec, BlanksAs, ChartSpec, ChartUpdate, GroupSpec, LegendPlace, LegendSpec, Position, TextArg,
    address, blank_cells, cell_of, linked_text, plain_text,
};
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::sheet_position;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<ListCharts>(),
        entry::<GetChart>(),
        entry::<AddChart>(),
        entry::<SetChart>(),
        entry::<DeleteChart>(),
    ]
}

/// A chart as it is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChartInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    sheet: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    groups: Vec<GroupInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legend: Option<LegendInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    axes: Option<AxesInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_blanks_as: Option<BlanksAs>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LegendInfo {
    visible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<LegendPlace>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AxesInfo {
    category: AxisInfo,
    value: AxisInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_category: Option<AxisInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_value: Option<AxisInfo>,
}

/// An axis as it is; `min` and `max` where somebody fixed them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AxisInfo {
    visible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    major_unit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log_base: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_format: Option<String>,
    reversed: bool,
    major_gridlines: bool,
}

impl AxisInfo {
    fn of(axis: &PlainAxis) -> Self {
        Self {
            visible: !axis.deleted,
            title: axis.title.as_ref().map(|title| title.words.clone()).filter(|words| !words.is_empty()),
            min: axis.low,
            max: axis.high,
            major_unit: axis.step,
            log_base: axis.log_base,
            number_format: axis.number_format.clone(),
            reversed: axis.reversed,
            major_gridlines: axis.gridlines.is_some(),
        }
    }
}

/// What is told of a chart that can be drawn.
fn surroundings(host: &Host, sheet: usize, part: &str) -> Option<(LegendInfo, Option<AxesInfo>, BlanksAs)> {
    let palette = host.view().palette().ok()?;
    // Of other kinds only the series are known.
    let chart = host.sheet(sheet).ok()?.plain_chart(part, &palette).ok()?;
    let legend = LegendInfo {
        visible: chart.legend.is_some(),
        position: chart.legend.as_ref().and_then(|legend| match legend.side {
            LegendSide::Right => Some(LegendPlace::Right),
            LegendSide::Left => Some(LegendPlace::Left),
            LegendSide::Top => Some(LegendPlace::Top),
            LegendSide::Bottom => Some(LegendPlace::Bottom),
            LegendSide::TopRight => None,
        }),
    };
    let round = chart.groups.iter().all(|group| matches!(group.kind, PlainKind::Pie | PlainKind::Doughnut));
    let axes = (!round).then(|| AxesInfo {
        category: AxisInfo::of(&chart.category_axis),
        value: AxisInfo::of(&chart.value_axis),
        secondary_category: chart.second_category_axis.as_ref().map(AxisInfo::of),
        secondary_value: chart.second_value_axis.as_ref().map(AxisInfo::of),
    });
    let blanks = match chart.blanks {
        Blanks::Gap => BlanksAs::Gap,
        Blanks::Zero => BlanksAs::Zero,
        Blanks::Span => BlanksAs::Span,
    };
    Some((legend, axes, blanks))
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GroupInfo {
    #[serde(rename = "type")]
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grouping: Option<String>,
    axis: String,
    series: Vec<SeriesInfo>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeriesInfo {
    /// A text, or a cell written `=Sheet!B1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnSheet {
    sheet: Option<String>,
}

impl OnSheet {
    /// The sheets that are meant.
    pub(super) fn positions(&self, host: &Host) -> Result<Vec<usize>, Fault> {
        match &self.sheet {
            Some(name) => Ok(vec![sheet_position(host.view(), name)?]),
            None => {
                let sheets = host.view().worksheets().map(|sheet| sheet.map(|sheet| sheet.position));
                Ok(sheets.collect::<Result<_, _>>()?)
            }
        }
    }
}

function! {
    /// The charts of the workbook, or of one sheet.
    "listCharts" ListCharts { options: Option<OnSheet> } -> Vec<ChartInfo> => list_charts
}

fn list_charts(host: &mut Host, call: ListCharts) -> Result<Vec<ChartInfo>, Fault> {
    let mut found = Vec::new();
    for sheet in call.options.unwrap_or_default().positions(host)? {
        for object in host.sheet(sheet)?.placed()? {
            if matches!(object.kind, PlacedKind::Chart | PlacedKind::NewerChart) {
                found.push(info(host, sheet, &object)?);
            }
        }
    }
    Ok(found)
}

function! {
    /// A chart by its name, or by its place on the sheet as `#1`.
    "getChart" GetChart { sheet: String, name: String } -> ChartInfo => get_chart
}

fn get_chart(host: &mut Host, call: GetChart) -> Result<ChartInfo, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let (sheet, object) = host.view().chart_named(Some(sheet), &call.name)?;
    info(host, sheet, &object)
}

fn info(host: &Host, sheet: usize, object: &Placed) -> Result<ChartInfo, Fault> {
    let view = host.sheet(sheet)?;
    let groups = match &object.part {
        Some(part) => view.chart_groups(part)?,
        None => Vec::new(),
    };
    let charts = view.charts()?;
    let own = charts.into_iter().find(|chart| Some(&chart.part) == object.part.as_ref());
    let group = |group: ChartGroup| GroupInfo {
        kind: group.kind,
        grouping: group.grouping,
        axis: if group.second { "secondary" } else { "primary" }.to_owned(),
        series: group
            .series
            .into_iter()
            .map(|one| SeriesInfo { name: one.name, categories: one.categories, values: one.values })
            .collect(),
    };
    let around = object.part.as_deref().and_then(|part| surroundings(host, sheet, part));
    let (legend, axes, blanks) = match around {
        Some((legend, axes, blanks)) => (Some(legend), axes, Some(blanks)),
        None => (None, None, None),
    };
    Ok(ChartInfo {
        legend,
        axes,
        display_blanks_as: blanks,
        name: object.name.clone(),
        sheet: host.sheet_name(sheet),
        position: Position::of(&object.anchor),
        title: own.and_then(|chart| chart.title).filter(|title| !title.is_empty()),
        groups: groups.into_iter().map(group).collect(),
    })
}

function! {
    /// Make a chart: column, bar, line, area, pie, doughnut or scatter; stacked, in percent, or several groups with a
    /// second axis.
    "addChart" AddChart { sheet: String, spec: ChartSpec } -> ChartInfo => add_chart
}

fn add_chart(host: &mut Host, call: AddChart) -> Result<ChartInfo, Fault> {
    let AddChart { sheet, spec } = call;
    let sheet = sheet_position(host.view(), &sheet)?;
    let (from, to, offsets) = spec.position.cells(host, sheet)?;
    let Some(to) = to else {
        return Err(Fault::invalid("position.to is missing; a chart needs both corners"));
    };
    if let Some(name) = &spec.name
        && host.sheet(sheet)?.placed()?.iter().any(|object| object.name.as_ref() == Some(name))
    {
        return Err(Fault::invalid(format!("spec.name: there is a `{name}` on the sheet already")));
    }
    let chart = NewChart { offsets: Some(offsets), ..spec.chart(host)? };
    let name = host.sheet_name(sheet);
    host.write(vec![Edit::AddChart { sheet: name, area: Area::new(from, to), chart }])?;
    newest(host, sheet)
}

/// The chart that was put there last.
fn newest(host: &Host, sheet: usize) -> Result<ChartInfo, Fault> {
    let placed = host.sheet(sheet)?.placed()?;
    let made = placed.iter().rfind(|object| object.kind == PlacedKind::Chart);
    let made = made.ok_or_else(|| Fault::new("EXEC_RUNTIME_ERROR", "the chart is not on the sheet"))?;
    info(host, sheet, made)
}

function! {
    /// Change the title, series, legend, axes or place of a chart; what is not named stays. With `groups` it is made anew.
    "setChart" SetChart { sheet: String, name: String, spec: ChartUpdate } -> ChartInfo => set_chart
}

fn set_chart(host: &mut Host, call: SetChart) -> Result<ChartInfo, Fault> {
    let SetChart { sheet, name, spec } = call;
    let sheet = sheet_position(host.view(), &sheet)?;
    let (_, object) = host.view().chart_named(Some(sheet), &name)?;
    if let Some(groups) = spec.groups {
        if spec.series.is_some() {
            return Err(Fault::invalid("spec: give either `groups` or `series`, not both"));
        }
        let anew = Anew {
            title: spec.title,
            position: spec.position,
            legend: spec.legend,
            axes: spec.axes,
            blanks: spec.display_blanks_as,
            style: spec.style_id,
        };
        return made_anew(host, sheet, &object, groups, anew);
    }
    let drawing = drawing_name(host, sheet, &object)?;
    let sheet_name = host.sheet_name(sheet);
    let mut edits = Vec::new();
    let title = spec.title.as_ref().and_then(plain_text);
    let title_from = spec.title.as_ref().map(|title| cell_of(host, title)).transpose()?.flatten();
    let overlay = spec.title.as_ref().and_then(TextArg::overlay);
    let axes = spec.axes.as_ref().map(|axes| chart_spec::axes(host, axes)).transpose()?;
    let legend = spec.legend.as_ref().map(|legend| chart_spec::legend(Some(legend)));
    let mut series = Vec::new();
    for (index, one) in spec.series.into_iter().flatten().enumerate() {
        let change = SeriesChange {
            index,
            values: one.values.as_ref().map(|range| address(host, range)).transpose()?,
            categories: one.categories.as_ref().map(|range| address(host, range)).transpose()?,
            name: one.name.as_ref().map(|name| linked_text(host, name)).transpose()?,
        };
        if change.values.is_some() || change.categories.is_some() || change.name.is_some() {
            series.push(change);
        }
    }
    let blanks = spec.display_blanks_as.map(blank_cells);
    let style = spec.style_id;
    let change =
        ChartChange { title, title_from, series, legend, axes, blanks, style, ..ChartChange::default() };
    // Where the title lies is said of the one that is there by then.
    let over = ChartChange { title_overlay: overlay, ..ChartChange::default() };
    for change in [change, over].into_iter().filter(|change| *change != ChartChange::default()) {
        edits.push(Edit::SetChart { sheet: sheet_name.clone(), drawing: drawing.clone(), change });
    }
    if let Some(position) = &spec.position {
        let (at, to, offsets) = position.cells(host, sheet)?;
        edits.push(Edit::MoveDrawing { sheet: sheet_name, drawing, at, to, offsets: Some(offsets) });
    }
    if edits.is_empty() {
        return Err(Fault::invalid(
            "nothing is to change; give `title`, `series`, `legend`, `axes`, `position` or `groups`",
        ));
    }
    host.write(edits)?;
    let placed = host.sheet(sheet)?.placed()?;
    let known = placed.iter().find(|one| one.place == object.place);
    let known = known.ok_or_else(|| Fault::new("EXEC_RUNTIME_ERROR", "the chart is gone"))?;
    info(host, sheet, known)
}

/// What a chart that is made anew does not keep.
struct Anew {
    title: Option<TextArg>,
    position: Option<Position>,
    legend: Option<LegendSpec>,
    axes: Option<AxesSpec>,
    blanks: Option<BlanksAs>,
    style: Option<u32>,
}

fn made_anew(
    host: &mut Host,
    sheet: usize,
    object: &Placed,
    groups: Vec<GroupSpec>,
    anew: Anew,
) -> Result<ChartInfo, Fault> {
    let before = info(host, sheet, object)?;
    let position = anew.position.or(before.position).ok_or_else(|| {
        Fault::new("UNSUPPORTED", "the chart is not fixed to cells; give its `position` too")
    })?;
    let spec = ChartSpec {
        name: object.name.clone(),
        groups,
        title: anew.title.or(before.title.map(TextArg::Plain)),
        legend: anew.legend,
        axes: anew.axes.unwrap_or_default(),
        display_blanks_as: anew.blanks,
        style_id: anew.style,
        ..ChartSpec::at(position)
    };
    let (from, to, offsets) = spec.position.cells(host, sheet)?;
    let Some(to) = to else {
        return Err(Fault::invalid("position.to is missing; a chart needs both corners"));
    };
    let chart = NewChart { offsets: Some(offsets), ..spec.chart(host)? };
    let drawing = drawing_name(host, sheet, object)?;
    let name = host.sheet_name(sheet);
    host.write(vec![
        Edit::DeleteDrawing { sheet: name.clone(), drawing },
        Edit::AddChart { sheet: name, area: Area::new(from, to), chart },
    ])?;
    newest(host, sheet)
}

/// How edits name an object: its name, or its place where others are called the same.
pub(super) fn drawing_name(host: &Host, sheet: usize, object: &Placed) -> Result<String, Fault> {
    let drawings = host.sheet(sheet)?.drawings()?;
    let same = drawings.iter().filter(|other| other.name == object.name).count();
    Ok(match &object.name {
        Some(name) if same == 1 && !name.starts_with('#') => name.clone(),
        _ => format!("#{}", object.place),
    })
}

function! {
    /// Delete a chart, and what only it used.
    "deleteChart" DeleteChart { sheet: String, name: String } -> () => delete_chart
}

fn delete_chart(host: &mut Host, call: DeleteChart) -> Result<(), Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let (_, object) = host.view().chart_named(Some(sheet), &call.name)?;
    let drawing = drawing_name(host, sheet, &object)?;
    host.write(vec![Edit::DeleteDrawing { sheet: host.sheet_name(sheet), drawing }])?;
    Ok(())
}

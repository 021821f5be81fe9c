//! A chart as a script asks for it, and the edit that it comes to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::{Anchor, Corner};
use sheet::{
    Area, AxisLook, BlankCells, CellRef, ChartAxes, ChartKind, Legend, NewChart, NewGroup, NewLabels,
    NewSeries, Offsets,
};

use crate::host::{Fault, Host, Range};
use crate::reference::{self, CellArg, RangeArg};

/// English metric units in a point.
const UNITS: f64 = 12_700.0;

/// A corner of an object: a cell, and how far in from its upper left.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CornerAt {
    cell: String,
    #[serde(default)]
    x_offset_pts: f64,
    #[serde(default)]
    y_offset_pts: f64,
}

/// Both corners of an object; `to` is left out for one that keeps its size.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    from: CornerAt,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<CornerAt>,
}

impl Position {
    pub(super) fn of(anchor: &Anchor) -> Option<Position> {
        let corner = |corner: &Corner| CornerAt {
            cell: corner.cell.to_string(),
            x_offset_pts: corner.x as f64 / UNITS,
            y_offset_pts: corner.y as f64 / UNITS,
        };
        match anchor {
            Anchor::Between { from, to } => Some(Position { from: corner(from), to: Some(corner(to)) }),
            Anchor::At { from, .. } => Some(Position { from: corner(from), to: None }),
            Anchor::Fixed { .. } => None,
        }
    }

    /// The cells from the first to the last that it reaches into, and how far.
    pub(super) fn cells(
        &self,
        host: &Host,
        sheet: usize,
    ) -> Result<(CellRef, Option<CellRef>, Offsets), Fault> {
        let cell = |corner: &CornerAt, which: &str| {
            let text = match corner.cell.contains('!') {
                true => corner.cell.clone(),
                false => host.address(sheet, &corner.cell),
            };
            let (found, at) = reference::cell(host, &CellArg::Text(text)).map_err(|fault| Fault {
                message: format!("position.{which}.cell: {}", fault.message),
                ..fault
            })?;
            match found == sheet {
                true => Ok(at),
                false => {
                    Err(Fault::invalid(format!("position.{which}.cell: {} is on another sheet", corner.cell)))
                }
            }
        };
        let from = cell(&self.from, "from")?;
        let to = self.to.as_ref().map(|corner| cell(corner, "to")).transpose()?;
        if let Some(to) = to
            && (to.row < from.row || to.col < from.col)
        {
            return Err(Fault::invalid(format!("position.to: {to} is not below and right of {from}")));
        }
        let offsets = Offsets {
            from: (self.from.x_offset_pts, self.from.y_offset_pts),
            to: self.to.as_ref().map_or((0.0, 0.0), |corner| (corner.x_offset_pts, corner.y_offset_pts)),
        };
        Ok((from, to, offsets))
    }
}

/// A text, `{text}`, or `{ref}` to a cell.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum TextArg {
    Plain(String),
    Text(TextOf),
    Ref(RefOf),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextOf {
    text: String,
    /// Of a title: it lies over the plot, which makes no room for it.
    overlay: Option<bool>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefOf {
    #[serde(rename = "ref")]
    place: CellArg,
    /// Of a title: it lies over the plot, which makes no room for it.
    overlay: Option<bool>,
}

impl TextArg {
    pub(super) fn overlay(&self) -> Option<bool> {
        match self {
            TextArg::Plain(_) => None,
            TextArg::Text(TextOf { overlay, .. }) | TextArg::Ref(RefOf { overlay, .. }) => *overlay,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Kind {
    Column,
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    Scatter,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Grouping {
    #[default]
    Clustered,
    Standard,
    Stacked,
    PercentStacked,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AxisOf {
    #[default]
    Primary,
    Secondary,
}

/// Series that are drawn in one way. Scatter charts have `xValues` and `yValues`, others `categories` and `values`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GroupSpec {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(default)]
    grouping: Grouping,
    #[serde(default)]
    axis: AxisOf,
    /// 0 to 500, in percent of a bar.
    gap_width: Option<i32>,
    /// -100 to 100.
    overlap: Option<i32>,
    vary_colors: Option<bool>,
    #[serde(default)]
    smooth: bool,
    /// Points alone if nothing is said.
    scatter_style: Option<ScatterStyle>,
    first_slice_angle: Option<i32>,
    hole_size: Option<i32>,
    data_labels: Option<LabelSpec>,
    series: Vec<SeriesSpec>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ScatterStyle {
    Marker,
    Line,
    LineMarker,
    Smooth,
    SmoothMarker,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum BlanksAs {
    Gap,
    Zero,
    Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CategoryType {
    Category,
    Date,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LabelSpec {
    #[serde(default)]
    show_value: bool,
    #[serde(default)]
    show_percent: bool,
    #[serde(default)]
    show_category_name: bool,
    #[serde(default)]
    show_series_name: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SeriesSpec {
    name: Option<TextArg>,
    categories: Option<RangeArg>,
    values: Option<RangeArg>,
    x_values: Option<RangeArg>,
    y_values: Option<RangeArg>,
    /// `#RRGGBB`
    fill_color: Option<String>,
    line_color: Option<String>,
    /// In points.
    line_width: Option<f64>,
    /// solid, dash, dashDot, lgDash, lgDashDot, sysDash, sysDashDot or sysDot.
    line_dash_style: Option<String>,
    data_labels: Option<LabelSpec>,
    /// none, circle, square, diamond, triangle, x, plus, star, dash or dot.
    marker: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AxisSpec {
    title: Option<TextArg>,
    min: Option<f64>,
    max: Option<f64>,
    major_unit: Option<f64>,
    log_base: Option<f64>,
    number_format: Option<String>,
    reversed: Option<bool>,
    major_gridlines: Option<bool>,
    visible: Option<bool>,
    /// Whether dates are days on a scale or names side by side; on a scale if nothing is said.
    category_type: Option<CategoryType>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AxesSpec {
    #[serde(default)]
    category: AxisSpec,
    #[serde(default)]
    value: AxisSpec,
    #[serde(default)]
    secondary_value: AxisSpec,
    /// Not shown unless `visible` is true.
    #[serde(default)]
    secondary_category: AxisSpec,
}

/// The ground behind the plot.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PlotSpec {
    /// `#RRGGBB`
    pub(super) fill_color: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LegendSpec {
    visible: Option<bool>,
    position: Option<LegendPlace>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum LegendPlace {
    Right,
    Left,
    Top,
    Bottom,
}

/// A chart to be made: `groups`, or one `range` with names above and categories at the left, and its `type`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChartSpec {
    pub(super) name: Option<String>,
    pub(super) position: Position,
    #[serde(default)]
    pub(super) groups: Vec<GroupSpec>,
    pub(super) range: Option<RangeArg>,
    #[serde(rename = "type")]
    pub(super) kind: Option<Kind>,
    /// Of a `range`.
    #[serde(default)]
    pub(super) grouping: Grouping,
    /// Of a `range`: series in rows. If nothing is said, the longer side has the points.
    pub(super) by_rows: Option<bool>,
    pub(super) title: Option<TextArg>,
    pub(super) legend: Option<LegendSpec>,
    #[serde(default)]
    pub(super) axes: AxesSpec,
    pub(super) plot_area: Option<PlotSpec>,
    pub(super) display_blanks_as: Option<BlanksAs>,
    /// One of Excel's built-in styles, 1 to 48.
    pub(super) style_id: Option<u32>,
}

/// What is to change of a chart. Series are counted through all groups; what is left out of one stays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChartUpdate {
    pub(super) title: Option<TextArg>,
    pub(super) position: Option<Position>,
    /// In their order; more than there are is refused.
    pub(super) series: Option<Vec<SeriesUpdate>>,
    /// A whole new chart in the place of the old one, which keeps its name, place and title; needs no other field.
    pub(super) groups: Option<Vec<GroupSpec>>,
    pub(super) legend: Option<LegendSpec>,
    /// What is left out of an axis stays.
    pub(super) axes: Option<AxesSpec>,
    pub(super) display_blanks_as: Option<BlanksAs>,
    /// One of Excel's built-in styles, 1 to 48.
    pub(super) style_id: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SeriesUpdate {
    pub(super) name: Option<TextArg>,
    pub(super) categories: Option<RangeArg>,
    pub(super) values: Option<RangeArg>,
}

impl ChartSpec {
    pub(super) fn at(position: Position) -> ChartSpec {
        ChartSpec {
            name: None,
            position,
            groups: Vec::new(),
            range: None,
            kind: None,
            grouping: Grouping::default(),
            by_rows: None,
            title: None,
            legend: None,
            axes: AxesSpec::default(),
            plot_area: None,
            display_blanks_as: None,
            style_id: None,
        }
    }

    /// The chart without its place.
    pub(super) fn chart(self, host: &mut Host) -> Result<NewChart, Fault> {
        let range = self.range.as_ref().map(|range| selected(host, range)).transpose()?;
        match (&range, self.groups.is_empty()) {
            (None, true) => return Err(Fault::invalid("spec: give `groups`, or `range` and `type`")),
            (Some(_), false) => {
                return Err(Fault::invalid("spec: give either `groups` or `range`, not both"));
            }
            (None, false)
                if self.kind.is_some() || self.by_rows.is_some() || self.grouping != Grouping::Clustered =>
            {
                return Err(Fault::invalid(
                    "spec: `type`, `grouping` and `byRows` belong to `range`; groups have their own",
                ));
            }
            _ => {}
        }
        let groups = new_groups(host, self.groups)?;
        let (title, title_from) = match &self.title {
            None => (None, None),
            Some(TextArg::Ref(_)) => {
                let cell = self.title.as_ref().map(|title| linked_text(host, title)).transpose()?;
                (None, cell)
            }
            Some(text) => (plain_text(text), None),
        };
        Ok(NewChart {
            kind: self.kind.map(new_kind).unwrap_or_default(),
            range,
            by_rows: self.by_rows,
            stacked: self.grouping == Grouping::Stacked,
            percent: self.grouping == Grouping::PercentStacked,
            groups,
            title,
            title_from,
            title_overlay: self.title.as_ref().and_then(TextArg::overlay) == Some(true),
            legend: legend(self.legend.as_ref()),
            name: self.name,
            axes: axes(host, &self.axes)?,
            plot_fill: self.plot_area.and_then(|plot| plot.fill_color),
            blanks: self.display_blanks_as.map(blank_cells),
            style: self.style_id,
            ..NewChart::default()
        })
    }
}

pub(super) fn blank_cells(blanks: BlanksAs) -> BlankCells {
    match blanks {
        BlanksAs::Gap => BlankCells::Gap,
        BlanksAs::Zero => BlankCells::Zero,
        BlanksAs::Span => BlankCells::Span,
    }
}

pub(super) fn new_groups(host: &mut Host, groups: Vec<GroupSpec>) -> Result<Vec<NewGroup>, Fault> {
    let mut made = Vec::new();
    for (index, group) in groups.into_iter().enumerate() {
        let within = |fault: Fault| Fault { message: format!("groups[{index}]: {}", fault.message), ..fault };
        made.push(new_group(host, group).map_err(within)?);
    }
    Ok(made)
}

pub(super) fn axes(host: &mut Host, axes: &AxesSpec) -> Result<ChartAxes, Fault> {
    Ok(ChartAxes {
        category: new_axis(host, &axes.category)?,
        value: new_axis(host, &axes.value)?,
        second_value: new_axis(host, &axes.secondary_value)?,
        second_category: new_axis(host, &axes.secondary_category)?,
    })
}

pub(super) fn legend(spec: Option<&LegendSpec>) -> Legend {
    match spec {
        Some(LegendSpec { visible: Some(false), .. }) => Legend::None,
        Some(LegendSpec { position: Some(place), .. }) => match place {
            LegendPlace::Right => Legend::Right,
            LegendPlace::Left => Legend::Left,
            LegendPlace::Top => Legend::Top,
            LegendPlace::Bottom => Legend::Bottom,
        },
        _ => Legend::Right,
    }
}

/// A range as it is selected: of a table that is called by its name, the names of the columns too.
fn selected(host: &mut Host, range: &RangeArg) -> Result<String, Fault> {
    if let RangeArg::Text(text) = range {
        let tables = host.view().tables()?;
        let wanted = text.trim().to_lowercase();
        if let Some((sheet, table)) = tables.iter().find(|(_, table)| table.name.to_lowercase() == wanted) {
            let bottom = table.area.bottom.saturating_sub(table.totals_rows);
            let found = Range { sheet: *sheet, area: Area { bottom, ..table.area } };
            host.read(found);
            return Ok(host.address(found.sheet, found.area));
        }
    }
    address(host, range)
}

pub(super) fn new_kind(kind: Kind) -> ChartKind {
    match kind {
        Kind::Column => ChartKind::Column,
        Kind::Bar => ChartKind::Bar,
        Kind::Line => ChartKind::Line,
        Kind::Area => ChartKind::Area,
        Kind::Pie => ChartKind::Pie,
        Kind::Doughnut => ChartKind::Doughnut,
        Kind::Scatter => ChartKind::Scatter,
    }
}

fn new_group(host: &mut Host, group: GroupSpec) -> Result<NewGroup, Fault> {
    let style = group.scatter_style;
    if style.is_some() && group.kind != Kind::Scatter {
        return Err(Fault::invalid("scatterStyle is of scatter charts only"));
    }
    if group.series.is_empty() {
        return Err(Fault::invalid("series is empty; a group has at least one"));
    }
    let mut series = Vec::new();
    for (index, one) in group.series.iter().enumerate() {
        let within = |fault: Fault| Fault { message: format!("series[{index}]: {}", fault.message), ..fault };
        let mut made = new_series(host, group.kind, one).map_err(within)?;
        if matches!(style, Some(ScatterStyle::Line | ScatterStyle::Smooth)) && made.marker.is_none() {
            made.marker = Some("none".to_owned());
        }
        series.push(made);
    }
    Ok(NewGroup {
        kind: new_kind(group.kind),
        series,
        stacked: group.grouping == Grouping::Stacked,
        percent: group.grouping == Grouping::PercentStacked,
        second_axis: group.axis == AxisOf::Secondary,
        gap_width: group.gap_width,
        overlap: group.overlap,
        vary_colors: group.vary_colors,
        lines: style.is_some_and(|style| style != ScatterStyle::Marker),
        smooth: group.smooth || matches!(style, Some(ScatterStyle::Smooth | ScatterStyle::SmoothMarker)),
        first_angle: group.first_slice_angle,
        hole_size: group.hole_size,
        labels: group.data_labels.as_ref().map(new_labels),
    })
}

fn new_labels(labels: &LabelSpec) -> NewLabels {
    NewLabels {
        value: labels.show_value,
        percent: labels.show_percent,
        category: labels.show_category_name,
        series: labels.show_series_name,
    }
}

fn new_series(host: &mut Host, kind: Kind, one: &SeriesSpec) -> Result<NewSeries, Fault> {
    let (values, categories, wanted) = match kind {
        Kind::Scatter => (&one.y_values, &one.x_values, "yValues"),
        _ => (&one.values, &one.categories, "values"),
    };
    let other = match kind {
        Kind::Scatter => one.values.is_some() || one.categories.is_some(),
        _ => one.y_values.is_some() || one.x_values.is_some(),
    };
    if other {
        return Err(Fault::invalid(
            "a scatter chart has xValues and yValues, others have categories and values",
        ));
    }
    let values = values.as_ref().ok_or_else(|| Fault::invalid(format!("{wanted} is missing")))?;
    Ok(NewSeries {
        values: address(host, values)?,
        categories: categories.as_ref().map(|range| address(host, range)).transpose()?,
        name: one.name.as_ref().map(|name| linked_text(host, name)).transpose()?,
        fill: one.fill_color.clone(),
        line: one.line_color.clone(),
        line_width: one.line_width,
        dash: one.line_dash_style.clone(),
        marker: one.marker.clone(),
        labels: one.data_labels.as_ref().map(new_labels),
    })
}

fn new_axis(host: &mut Host, axis: &AxisSpec) -> Result<AxisLook, Fault> {
    Ok(AxisLook {
        title: axis.title.as_ref().and_then(plain_text),
        title_from: axis.title.as_ref().map(|title| cell_of(host, title)).transpose()?.flatten(),
        min: axis.min,
        max: axis.max,
        major_unit: axis.major_unit,
        log_base: axis.log_base,
        number_format: axis.number_format.clone(),
        reversed: axis.reversed,
        gridlines: axis.major_gridlines,
        hidden: axis.visible.map(|visible| !visible),
        dates: axis.category_type.map(|kind| kind == CategoryType::Date),
    })
}

/// A range as a formula writes it.
pub(super) fn address(host: &mut Host, range: &RangeArg) -> Result<String, Fault> {
    let found = reference::range(host, range)?;
    host.read(found);
    Ok(host.address(found.sheet, found.area))
}

/// A text, or `=Sheet!B1`.
pub(super) fn linked_text(host: &mut Host, text: &TextArg) -> Result<String, Fault> {
    match text {
        TextArg::Plain(text) | TextArg::Text(TextOf { text, .. }) => Ok(text.clone()),
        TextArg::Ref(of) => {
            let (sheet, at) = reference::cell(host, &of.place)?;
            host.read(Range { sheet, area: Area::cell(at) });
            Ok(format!("={}", host.address(sheet, at)))
        }
    }
}

/// A text that follows no cell.
pub(super) fn plain_text(text: &TextArg) -> Option<String> {
    match text {
        TextArg::Plain(text) | TextArg::Text(TextOf { text, .. }) => Some(text.clone()),
        TextArg::Ref(_) => None,
    }
}

/// The cell that a text follows.
pub(super) fn cell_of(host: &mut Host, text: &TextArg) -> Result<Option<String>, Fault> {
    let TextArg::Ref(of) = text else { return Ok(None) };
    let (sheet, at) = reference::cell(host, &of.place)?;
    host.read(Range { sheet, area: Area::cell(at) });
    Ok(Some(host.address(sheet, at)))
}

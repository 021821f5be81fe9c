//! A chart as somebody asks for it: its kind, its series and how it looks.

use serde::{Deserialize, Serialize};

use crate::edits::objects::drawings::Offsets;

/// A chart to be made: of `series`, of one `range`, or of `groups` where kinds are combined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewChart {
    #[serde(default)]
    pub kind: ChartKind,
    #[serde(default)]
    pub series: Vec<NewSeries>,
    /// Cells as people select them: names of series in the first row, categories in the first column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Series in rows of the range, not in columns. Otherwise the longer side has the points, as in Excel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rows: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<NewGroup>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A cell whose text is the title, now and later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y_title: Option<String>,
    #[serde(default)]
    pub stacked: bool,
    /// Stacked, and each stack is a hundred percent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub percent: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<NewLabels>,
    #[serde(default, skip_serializing_if = "ChartAxes::is_plain")]
    pub axes: ChartAxes,
    #[serde(default)]
    pub legend: Legend,
    /// The title lies over the plot, which makes no room for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub title_overlay: bool,
    /// One of Excel's built-in styles, 1 to 48.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<u32>,
    /// Behind the plot, `#RRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plot_fill: Option<String>,
    /// What becomes of blank cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<BlankCells>,
    /// What the drawing is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the corners lie within the first and the last cell; without it the chart covers whole cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offsets: Option<Offsets>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// Upright bars.
    #[default]
    Column,
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    /// Points with two values, joined by no line.
    Scatter,
}

impl ChartKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ChartKind::Column => "column",
            ChartKind::Bar => "bar",
            ChartKind::Line => "line",
            ChartKind::Area => "area",
            ChartKind::Pie => "pie",
            ChartKind::Doughnut => "doughnut",
            ChartKind::Scatter => "scatter",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Legend {
    None,
    #[default]
    Right,
    Left,
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlankCells {
    Gap,
    Zero,
    /// Lines go on over them.
    Span,
}

/// Series that are drawn in one way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGroup {
    pub kind: ChartKind,
    pub series: Vec<NewSeries>,
    pub stacked: bool,
    pub percent: bool,
    /// On an axis of its own at the other side.
    pub second_axis: bool,
    /// Between bars, in percent of their width.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_width: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<i32>,
    /// A colour for every point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vary_colors: Option<bool>,
    /// The points of a scatter chart are joined.
    pub lines: bool,
    pub smooth: bool,
    /// Where the first slice begins, in degrees from the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_angle: Option<i32>,
    /// In percent of the ring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hole_size: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<NewLabels>,
}

/// One series; areas are written `Sheet!B2:B9` and are one row or one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSeries {
    pub values: String,
    /// What stands below the bars, or the first value of each point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<String>,
    /// A text, or a cell written `=Sheet!B1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `#RRGGBB`; of a line, its colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// In points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_width: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<NewLabels>,
}

/// What is written at the points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewLabels {
    pub value: bool,
    pub percent: bool,
    pub category: bool,
    pub series: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChartAxes {
    /// Of categories, or of x.
    pub category: AxisLook,
    pub value: AxisLook,
    pub second_value: AxisLook,
    #[serde(skip_serializing_if = "AxisLook::is_plain")]
    pub second_category: AxisLook,
}

impl ChartAxes {
    /// The cells that titles follow.
    pub(crate) fn titles_from(&mut self) -> impl Iterator<Item = &mut String> {
        [&mut self.category, &mut self.value, &mut self.second_value, &mut self.second_category]
            .into_iter()
            .filter_map(|axis| axis.title_from.as_mut())
    }

    fn is_plain(&self) -> bool {
        *self == ChartAxes::default()
    }
}

/// What is left out is as Excel chooses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AxisLook {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A cell whose text is the title, now and later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub major_unit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_base: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gridlines: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    /// Whether categories are days on a scale, or names side by side; without it, days where all of them are dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<bool>,
}

impl AxisLook {
    fn is_plain(&self) -> bool {
        *self == AxisLook::default()
    }
}

//! Sparklines: small charts in cells, with the values they show.

use edit::Refusal;
use formula::Value;
use ooxml::xml::Node;
use serde::Serialize;

use super::palette::{Palette, Rgb};
use crate::file::a1::{Area, CellRef};
use crate::file::styles;
use crate::file::workbook::{decimal, flag, string};
use crate::read::extension::{self, X14, XM};
use crate::read::sheet_view::SheetView;

/// Points that a sparkline shows; more do not fit into a cell.
const MOST_POINTS: u64 = 10_000;

/// One sparkline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sparkline {
    pub at: CellRef,
    /// `None` where the cell is empty.
    pub values: Vec<Option<f64>>,
    pub looks: SparklineLooks,
    pub range: SparklineRange,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SparklineKind {
    #[default]
    Line,
    Column,
    WinLoss,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SparklineLooks {
    pub kind: SparklineKind,
    pub color: Rgb,
    /// In points.
    pub weight: f64,
    pub negative: Option<Rgb>,
    pub markers: Option<Rgb>,
    pub first: Option<Rgb>,
    pub last: Option<Rgb>,
    pub high: Option<Rgb>,
    pub low: Option<Rgb>,
    /// A line at zero.
    pub axis: Option<Rgb>,
    /// Empty cells join their neighbours, or count as zero; a gap otherwise.
    pub empty_as: Option<f64>,
    pub spans_gaps: bool,
    pub right_to_left: bool,
}

/// The least and greatest value of the vertical axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SparklineRange {
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl SheetView<'_> {
    /// The sparklines whose cells lie in an area.
    pub fn sparklines(&self, area: Area, palette: &Palette) -> Result<Vec<Sparkline>, Refusal> {
        let mut found = Vec::new();
        for group in extension::items(self.root(), "sparklineGroups", "sparklineGroup") {
            let looks = looks(&group, palette);
            let items = group.child(X14, "sparklines").into_iter().flat_map(|list| list.elements());
            let mut members = Vec::new();
            for item in items.filter(|node| node.is(X14, "sparkline")) {
                let text = |name| item.child(XM, name).map(|node| node.text().trim().to_owned());
                let (Some(place), Some(source)) = (text("sqref"), text("f")) else { continue };
                let Ok(at) = place.parse::<CellRef>() else { continue };
                members.push((at, self.numbers(&source)?));
            }
            // An axis that all of a group share needs the values of all.
            let all = || members.iter().flat_map(|(_, values)| values.iter().flatten().copied());
            let limit = |kind: &str, manual: &str, shared: Option<f64>| match string(&group, kind).as_deref()
            {
                Some("group") => shared,
                Some("custom") => decimal(&group, manual),
                _ => None,
            };
            let range = SparklineRange {
                low: limit("minAxisType", "manualMin", all().reduce(f64::min)),
                high: limit("maxAxisType", "manualMax", all().reduce(f64::max)),
            };
            let wanted = members.into_iter().filter(|(at, _)| area.contains(*at));
            found.extend(wanted.map(|(at, values)| Sparkline { at, values, looks: looks.clone(), range }));
        }
        Ok(found)
    }

    /// The numbers of a reference such as `Sheet1!A1:F1`; none where it does not lead to one line of cells.
    fn numbers(&self, source: &str) -> Result<Vec<Option<f64>>, Refusal> {
        let Some((position, area)) = super::references::area_of(self.book, self.position, source) else {
            return Ok(Vec::new());
        };
        if area.count() > MOST_POINTS {
            return Ok(Vec::new());
        }
        let mut values = vec![None; area.count() as usize];
        let width = area.right - area.left + 1;
        self.book.sheet_at(position)?.each_cell(area, &mut |cell| {
            let index = (cell.at.row - area.top) * width + (cell.at.col - area.left);
            if let (Value::Number(number), Some(slot)) = (&cell.value, values.get_mut(index as usize)) {
                *slot = Some(*number);
            }
        })?;
        Ok(values)
    }
}

fn looks(group: &Node<'_>, palette: &Palette) -> SparklineLooks {
    let color = |name: &str| {
        let node = group.child(X14, name)?;
        styles::color(&node).and_then(|color| palette.color(&color))
    };
    let shown =
        |switch: &str, name: &str| flag(group, switch, false).then(|| color(name).unwrap_or(Rgb(0xD0, 0, 0)));
    let empty = string(group, "displayEmptyCellsAs");
    SparklineLooks {
        kind: match string(group, "type").as_deref() {
            Some("column") => SparklineKind::Column,
            Some("stacked") => SparklineKind::WinLoss,
            _ => SparklineKind::Line,
        },
        color: color("colorSeries").unwrap_or(Rgb(0x37, 0x60, 0x92)),
        weight: decimal(group, "lineWeight").filter(|weight| (0.0..=100.0).contains(weight)).unwrap_or(0.75),
        negative: shown("negative", "colorNegative"),
        markers: shown("markers", "colorMarkers"),
        first: shown("first", "colorFirst"),
        last: shown("last", "colorLast"),
        high: shown("high", "colorHigh"),
        low: shown("low", "colorLow"),
        axis: shown("displayXAxis", "colorAxis"),
        empty_as: (empty.as_deref() == Some("zero")).then_some(0.0),
        spans_gaps: empty.as_deref() == Some("span"),
        right_to_left: flag(group, "rightToLeft", false),
    }
}

//! The series of a chart from one range, as people select it: names above, categories at the left.

use std::collections::BTreeMap;

use edit::Refusal;
use formula::Value;

use crate::calc::view::View;
use crate::edits::objects::chart_spec::{ChartKind, NewChart, NewGroup, NewSeries};
use crate::edits::objects::charts::place;
use crate::file::a1::{Area, CellRef};

/// Cells that are looked at to tell names from values.
const MOST_CELLS: u64 = 500_000;

/// The groups that a chart is to have, ranges taken apart, if they can stand together.
pub(crate) fn groups(view: &View, home: &str, chart: &NewChart) -> Result<Vec<NewGroup>, Refusal> {
    let own = match (&chart.range, chart.series.is_empty()) {
        (Some(_), false) => {
            return Err(Refusal::invalid(
                "range",
                "given with series",
                "either one range or a list of series",
            ));
        }
        (Some(range), true) => series_of(view, home, range, chart)?,
        (None, _) => chart.series.clone(),
    };
    let mut groups = Vec::new();
    if !own.is_empty() || chart.groups.is_empty() {
        groups.push(NewGroup {
            kind: chart.kind,
            series: own,
            stacked: chart.stacked,
            percent: chart.percent,
            labels: chart.labels.clone(),
            ..NewGroup::default()
        });
    }
    groups.extend(chart.groups.iter().cloned());
    check(&groups)?;
    Ok(groups)
}

fn check(groups: &[NewGroup]) -> Result<(), Refusal> {
    let kinds = || groups.iter().map(|group| group.kind);
    let alone = |kind: ChartKind| matches!(kind, ChartKind::Pie | ChartKind::Doughnut | ChartKind::Scatter);
    if groups.len() > 1
        && let Some(kind) = kinds().find(|kind| alone(*kind))
    {
        return Err(Refusal::invalid(
            "groups",
            kind.name(),
            "kinds that go together: column, line and area, or bars",
        ));
    }
    if kinds().any(|kind| kind == ChartKind::Bar) && kinds().any(|kind| kind != ChartKind::Bar) {
        return Err(Refusal::invalid("groups", "bar", "column instead of bar beside lines and areas"));
    }
    for group in groups.iter().filter(|group| alone(group.kind)) {
        // A pie that was asked for as stacked by older callers stays a pie.
        if group.percent || group.second_axis {
            let field = if group.percent { "percent" } else { "second_axis" };
            return Err(Refusal::invalid(field, group.kind.name(), "column, bar, line or area"));
        }
    }
    if groups.iter().all(|group| group.second_axis) {
        return Err(Refusal::invalid("second_axis", "every group", "at least one group on the first axis"));
    }
    Ok(())
}

/// The cells of a range, which may be read with rows and columns changed over.
struct Selection {
    cells: BTreeMap<(u32, u32), (Value, bool)>,
    area: Area,
    by_rows: bool,
}

impl Selection {
    /// Places along the series, and series.
    fn size(&self) -> (u32, u32) {
        let (rows, columns) = (self.area.bottom - self.area.top + 1, self.area.right - self.area.left + 1);
        if self.by_rows { (columns, rows) } else { (rows, columns) }
    }

    fn at(&self, along: u32, across: u32) -> CellRef {
        let (row, col) = if self.by_rows { (across, along) } else { (along, across) };
        CellRef::new(self.area.top + row, self.area.left + col)
    }

    fn cell(&self, along: u32, across: u32) -> Option<&(Value, bool)> {
        let at = self.at(along, across);
        self.cells.get(&(at.row, at.col)).filter(|(value, _)| !value.is_blank())
    }

    fn is_text(&self, along: u32, across: u32) -> bool {
        matches!(self.cell(along, across), Some((Value::Text(_), _)))
    }

    fn is_date(&self, along: u32, across: u32) -> bool {
        matches!(self.cell(along, across), Some((_, true)))
    }

    /// Numbers that count up through the years: they name what stands below them.
    fn years(&self, mut places: impl Iterator<Item = (u32, u32)>) -> bool {
        let year = |(along, across)| match self.cell(along, across) {
            Some((Value::Number(year), false)) if year.fract() == 0.0 && (1900.0..=2100.0).contains(year) => {
                Some(*year)
            }
            _ => None,
        };
        let Some(mut last) = places.next().and_then(year) else { return false };
        let mut count = 1;
        for place in places {
            match year(place) {
                Some(next) if next == last + 1.0 => last = next,
                _ => return false,
            }
            count += 1;
        }
        count > 1
    }
}

/// The series of a range.
fn series_of(view: &View, home: &str, range: &str, chart: &NewChart) -> Result<Vec<NewSeries>, Refusal> {
    let (sheet_name, area) = place(view, home, range)?;
    let sheet = view.sheet(&sheet_name)?;
    let area = match sheet.extent()? {
        // Whole lines end where the sheet does.
        Some(used) if area.is_whole_columns() => Area { bottom: used.bottom.max(area.top), ..area },
        Some(used) if area.is_whole_rows() => Area { right: used.right.max(area.left), ..area },
        _ => area,
    };
    if area.count() > MOST_CELLS {
        return Err(Refusal::Limit {
            what: format!("the cells of {range}").into(),
            found: area.count().to_string(),
            limit: MOST_CELLS.to_string(),
        });
    }
    let mut cells = BTreeMap::new();
    for cell in sheet.cells(area)? {
        let is_date = view.is_date(&cell)?;
        cells.insert((cell.at.row, cell.at.col), (cell.value, is_date));
    }
    let mut selection = Selection { cells, area, by_rows: chart.by_rows.unwrap_or(false) };
    let mut parts = parts(&selection, chart.kind);
    if chart.by_rows.is_none() && chart.kind != ChartKind::Scatter {
        // As in Excel, the longer side has the points.
        let (along, across) = selection.size();
        if across - parts.categories > along - parts.header {
            selection.by_rows = true;
            parts = self::parts(&selection, chart.kind);
        }
    }
    listed(&selection, &parts, &sheet_name, range, chart)
}

/// How many lines are names, and how many categories.
#[derive(Clone, Copy)]
struct Parts {
    header: u32,
    categories: u32,
}

fn parts(selection: &Selection, kind: ChartKind) -> Parts {
    let (along, across) = selection.size();
    let corner_blank = across > 1 && selection.cell(0, 0).is_none();
    let first_value = u32::from(across > 1);
    let heads = || (first_value..across).map(|at| (0, at));
    let below_dates = heads().any(|(_, at)| (1..along).any(|place| selection.is_date(place, at)));
    let header = along > 1
        && (heads().any(|(place, at)| selection.is_text(place, at))
            || corner_blank && heads().any(|(place, at)| selection.cell(place, at).is_some())
            || selection.years(heads())
            || !below_dates && heads().all(|(place, at)| selection.is_date(place, at)));
    let header = u32::from(header);
    let names = |at: u32| {
        let mut filled = (header..along).filter(|place| selection.cell(*place, at).is_some()).peekable();
        let some = filled.peek().is_some();
        let texts = filled.all(|place| selection.is_text(place, at) || selection.is_date(place, at));
        some && texts
    };
    let mut categories = 0;
    while categories + 1 < across && names(categories) {
        categories += 1;
    }
    let is_first = across > 1 && categories == 0;
    if is_first
        && (kind == ChartKind::Scatter
            || corner_blank && header == 1
            || selection.years((header..along).map(|place| (place, 0))))
    {
        categories = 1;
    }
    Parts { header, categories }
}

fn listed(
    selection: &Selection,
    parts: &Parts,
    sheet: &str,
    range: &str,
    chart: &NewChart,
) -> Result<Vec<NewSeries>, Refusal> {
    let (along, across) = selection.size();
    let written = |area: Area| crate::edits::book::sheet_edit::sheet_area(sheet, &area);
    let lines = |first: u32, last: u32| {
        written(Area::new(selection.at(parts.header, first), selection.at(along - 1, last)))
    };
    let mut series = Vec::new();
    for at in parts.categories..across {
        let numbers = (parts.header..along)
            .any(|place| matches!(selection.cell(place, at), Some((Value::Number(_), _))));
        if !numbers {
            let cell = selection.at(0, at);
            let line = match selection.by_rows {
                true => format!("row {}", cell.row + 1),
                false => format!("column {}", formula::column_letters(cell.col)),
            };
            return Err(Refusal::Invalid {
                field: "range".into(),
                found: format!("{range}, where {line} has no numbers,"),
                expected: "names in the first row, categories in the first column and numbers in all others"
                    .into(),
            });
        }
        let head = selection.at(0, at);
        let named = parts.header == 1 && selection.cell(0, at).is_some();
        series.push(NewSeries {
            values: lines(at, at),
            categories: (parts.categories > 0).then(|| lines(0, parts.categories - 1)),
            name: named.then(|| format!("={}", written(Area::cell(head)))),
            ..NewSeries::default()
        });
    }
    if chart.kind == ChartKind::Pie && series.len() > 1 {
        return Err(Refusal::invalid(
            "range",
            format!("{range} with {} series", series.len()),
            "one series for a pie: categories and one column of numbers; a doughnut shows several",
        ));
    }
    Ok(series)
}

/// Whether the categories are days.
pub(crate) fn are_dates(view: &View, home: &str, groups: &[NewGroup]) -> Result<bool, Refusal> {
    let mut all = groups.iter().flat_map(|group| &group.series);
    let Some(categories) = all.find_map(|one| one.categories.as_ref()) else { return Ok(false) };
    let (sheet, area) = place(view, home, categories)?;
    if area.count() > 32_000 || area.top != area.bottom && area.left != area.right {
        return Ok(false);
    }
    let cells = view.sheet(&sheet)?.cells(area)?;
    let mut some = false;
    for cell in cells.iter().filter(|cell| !cell.value.is_blank()) {
        some = true;
        if !view.is_date(cell)? {
            return Ok(false);
        }
    }
    Ok(some)
}

//! Where an edit speaks of sheets, cells, lines and formulas: one walk over every kind of edit, to look or to write.

use std::collections::{BTreeMap, BTreeSet};

use edit::Refusal;
use formula::{Expr, Target};

use crate::edits::edit::Edit;
use crate::edits::input::{CellChange, Input};
use crate::edits::objects::chart_spec::NewSeries;
use crate::edits::objects::charts::ChartChange;
use crate::edits::objects::links::LinkTo;
use crate::edits::objects::table_edit::{TableChange, Total};
use crate::edits::rules::conditional::{FormatRule, Point};
use crate::file::a1::{Area, CellRef};

/// Looks at, or changes, what an edit speaks of. Sheets are called as the edit calls them throughout; `sheet` comes
/// last.
pub(in crate::edits) trait Visit {
    fn sheet(&mut self, name: &mut String) -> Result<(), Refusal>;
    fn area(&mut self, sheet: &str, area: &mut Area) -> Result<(), Refusal>;
    /// A line that something is put before, or that ends something.
    fn row(&mut self, sheet: &str, row: &mut u32) -> Result<(), Refusal>;
    fn column(&mut self, sheet: &str, column: &mut u32) -> Result<(), Refusal>;
    /// With or without a leading `=`, on a sheet.
    fn formula(&mut self, sheet: &str, text: &mut String) -> Result<(), Refusal>;

    fn cell(&mut self, sheet: &str, at: &mut CellRef) -> Result<(), Refusal> {
        let mut area = Area::cell(*at);
        self.area(sheet, &mut area)?;
        *at = area.first();
        Ok(())
    }

    fn areas(&mut self, sheet: &str, areas: &mut [Area]) -> Result<(), Refusal> {
        areas.iter_mut().try_for_each(|area| self.area(sheet, area))
    }

    /// So many rows from one on.
    fn rows(&mut self, sheet: &str, at: &mut u32, count: u32) -> Result<(), Refusal> {
        let (right, bottom) = (formula::MAX_COLS - 1, at.saturating_add(count.max(1) - 1));
        let mut area = Area { top: *at, left: 0, bottom, right };
        self.area(sheet, &mut area)?;
        *at = area.top;
        Ok(())
    }

    fn columns(&mut self, sheet: &str, at: &mut u32, count: u32) -> Result<(), Refusal> {
        let (bottom, right) = (formula::MAX_ROWS - 1, at.saturating_add(count.max(1) - 1));
        let mut area = Area { top: 0, left: *at, bottom, right };
        self.area(sheet, &mut area)?;
        *at = area.left;
        Ok(())
    }

    fn formulas<'a>(
        &mut self,
        sheet: &str,
        texts: impl IntoIterator<Item = &'a mut String>,
    ) -> Result<(), Refusal>
    where
        Self: Sized,
    {
        texts.into_iter().try_for_each(|text| self.formula(sheet, text))
    }
}

/// Walks over all that an edit speaks of. `table_on` is the sheet with the table it names.
pub(in crate::edits) fn visit(
    edit: &mut Edit,
    table_on: Option<&str>,
    v: &mut impl Visit,
) -> Result<(), Refusal> {
    places(edit, table_on, v)?;
    sheets(edit, table_on, v)
}

fn places(edit: &mut Edit, table_on: Option<&str>, v: &mut impl Visit) -> Result<(), Refusal> {
    match edit {
        Edit::Anchored { .. } | Edit::Run(_) | Edit::Calculate | Edit::SetWorkbook { .. } => {}
        Edit::SetCells { sheet, cells, .. } => {
            cells.iter_mut().try_for_each(|change| cell(sheet, change, v))?
        }
        Edit::SortRange { sheet, area, keys } => {
            for key in keys {
                let mut head = CellRef::new(area.top, key.column);
                v.cell(sheet, &mut head)?;
                key.column = head.col;
            }
            v.area(sheet, area)?;
        }
        Edit::SetArray { sheet, area, formula } => {
            v.area(sheet, area)?;
            v.formula(sheet, formula)?;
        }
        Edit::SetDataTable { sheet, area, row_input, column_input } => {
            v.area(sheet, area)?;
            row_input.iter_mut().chain(column_input).try_for_each(|at| v.cell(sheet, at))?;
        }
        Edit::SetStyle { sheet, areas, .. }
        | Edit::RemoveValidations { sheet, areas }
        | Edit::RemoveConditionalFormats { sheet, areas, .. }
        | Edit::RemoveLinks { sheet, areas }
        | Edit::RemoveNotes { sheet, areas } => v.areas(sheet, areas)?,
        Edit::InsertRows { sheet, at, .. } => v.row(sheet, at)?,
        Edit::InsertColumns { sheet, at, .. } => v.column(sheet, at)?,
        Edit::DeleteRows { sheet, at, count } => v.rows(sheet, at, *count)?,
        Edit::DeleteColumns { sheet, at, count } => v.columns(sheet, at, *count)?,
        Edit::SetRows { sheet, first, last, .. } => {
            lines(first, last, |first, count| v.rows(sheet, first, count))?
        }
        Edit::SetColumns { sheet, first, last, .. } => {
            lines(first, last, |first, count| v.columns(sheet, first, count))?
        }
        Edit::Freeze { sheet, rows, columns } => kept_in_sight(sheet, *rows, *columns, v)?,
        Edit::AddSheet { .. }
        | Edit::DeleteName { .. }
        | Edit::DeleteTable { .. }
        | Edit::DeleteSheet { .. }
        | Edit::RenameSheet { .. }
        | Edit::MoveSheet { .. }
        | Edit::ShowSheet { .. }
        | Edit::SetSheet { .. }
        | Edit::Protect { .. }
        | Edit::DescribeDrawing { .. }
        | Edit::DeleteDrawing { .. } => {}
        Edit::Merge { sheet, area } | Edit::Unmerge { sheet, area } | Edit::AddTable { sheet, area, .. } => {
            v.area(sheet, area)?
        }
        Edit::SetValidation { sheet, areas, rule } => {
            v.areas(sheet, areas)?;
            v.formulas(sheet, rule.formula1.iter_mut().chain(&mut rule.formula2))?;
        }
        Edit::AddConditionalFormat { sheet, areas, rule, .. } => {
            v.areas(sheet, areas)?;
            rule_formulas(rule, &mut |text| v.formula(sheet, text))?;
        }
        Edit::SetPage { sheet, page } => {
            let areas = page.areas.iter_mut().chain(&mut page.titles).flatten();
            areas.into_iter().try_for_each(|area| v.area(sheet, area))?;
        }
        Edit::SetFilter { sheet, area, .. } => area.iter_mut().try_for_each(|area| v.area(sheet, area))?,
        Edit::SetTable { change, .. } => table_on.map_or(Ok(()), |sheet| table(sheet, change, v))?,
        Edit::SetLink { sheet, area, to, .. } => {
            v.area(sheet, area)?;
            if let LinkTo::Place(place) = to {
                v.formula(sheet, place)?;
            }
        }
        Edit::SetNote { sheet, at, .. }
        | Edit::AddComment { sheet, at, .. }
        | Edit::ResolveThread { sheet, at, .. }
        | Edit::DeleteThread { sheet, at } => v.cell(sheet, at)?,
        Edit::AddImage { sheet, at, image } => {
            v.cell(sheet, at)?;
            image.to.iter_mut().try_for_each(|to| v.cell(sheet, to))?;
        }
        Edit::AddChart { sheet, area, chart } => {
            v.area(sheet, area)?;
            let titles = chart.axes.titles_from().chain(&mut chart.title_from);
            v.formulas(sheet, chart.range.iter_mut().chain(titles))?;
            let grouped = chart.groups.iter_mut().flat_map(|group| &mut group.series);
            chart.series.iter_mut().chain(grouped).try_for_each(|series| new_series(sheet, series, v))?;
        }
        Edit::SetChart { sheet, change, .. } => chart(sheet, change, v)?,
        Edit::MoveDrawing { sheet, at, to, .. } => {
            v.cell(sheet, at)?;
            to.iter_mut().try_for_each(|to| v.cell(sheet, to))?;
        }
        Edit::DefineName { scope, formula, .. } => v.formula(scope.as_deref().unwrap_or(""), formula)?,
    }
    Ok(())
}

/// The sheets that an edit is about, by name.
fn sheets(edit: &mut Edit, table_on: Option<&str>, v: &mut impl Visit) -> Result<(), Refusal> {
    match edit {
        Edit::Anchored { .. } | Edit::Run(_) | Edit::Calculate | Edit::SetWorkbook { .. } => Ok(()),
        Edit::AddSheet { before, .. } => before.iter_mut().try_for_each(|sheet| v.sheet(sheet)),
        Edit::DefineName { scope, .. } | Edit::DeleteName { scope, .. } => {
            scope.iter_mut().try_for_each(|sheet| v.sheet(sheet))
        }
        Edit::SetTable { .. } | Edit::DeleteTable { .. } => {
            table_on.map_or(Ok(()), |sheet| v.sheet(&mut sheet.to_owned()))
        }
        Edit::SetCells { sheet, .. }
        | Edit::SortRange { sheet, .. }
        | Edit::SetArray { sheet, .. }
        | Edit::SetDataTable { sheet, .. }
        | Edit::SetStyle { sheet, .. }
        | Edit::RemoveValidations { sheet, .. }
        | Edit::RemoveConditionalFormats { sheet, .. }
        | Edit::RemoveLinks { sheet, .. }
        | Edit::RemoveNotes { sheet, .. }
        | Edit::InsertRows { sheet, .. }
        | Edit::InsertColumns { sheet, .. }
        | Edit::DeleteRows { sheet, .. }
        | Edit::DeleteColumns { sheet, .. }
        | Edit::SetRows { sheet, .. }
        | Edit::SetColumns { sheet, .. }
        | Edit::Freeze { sheet, .. }
        | Edit::DeleteSheet { sheet, .. }
        | Edit::RenameSheet { sheet, .. }
        | Edit::MoveSheet { sheet, .. }
        | Edit::ShowSheet { sheet, .. }
        | Edit::SetSheet { sheet, .. }
        | Edit::Protect { sheet, .. }
        | Edit::DescribeDrawing { sheet, .. }
        | Edit::DeleteDrawing { sheet, .. }
        | Edit::Merge { sheet, .. }
        | Edit::Unmerge { sheet, .. }
        | Edit::AddTable { sheet, .. }
        | Edit::SetValidation { sheet, .. }
        | Edit::AddConditionalFormat { sheet, .. }
        | Edit::SetPage { sheet, .. }
        | Edit::SetFilter { sheet, .. }
        | Edit::SetLink { sheet, .. }
        | Edit::SetNote { sheet, .. }
        | Edit::AddComment { sheet, .. }
        | Edit::ResolveThread { sheet, .. }
        | Edit::DeleteThread { sheet, .. }
        | Edit::AddImage { sheet, .. }
        | Edit::AddChart { sheet, .. }
        | Edit::SetChart { sheet, .. }
        | Edit::MoveDrawing { sheet, .. } => v.sheet(sheet),
    }
}

fn cell(sheet: &str, change: &mut CellChange, v: &mut impl Visit) -> Result<(), Refusal> {
    v.cell(sheet, &mut change.at)?;
    if let Input::Formula(text) = &mut change.input {
        v.formula(sheet, text)?;
    }
    Ok(())
}

/// Lines from the first to the last, which stay together.
fn lines(
    first: &mut u32,
    last: &mut u32,
    visit: impl FnOnce(&mut u32, u32) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let count = last.saturating_sub(*first).saturating_add(1);
    visit(first, count)?;
    *last = first.saturating_add(count - 1);
    Ok(())
}

fn kept_in_sight(sheet: &str, rows: u32, columns: u32, v: &mut impl Visit) -> Result<(), Refusal> {
    let (mut top, mut left) = (0, 0);
    if rows > 0 {
        v.rows(sheet, &mut top, rows)?;
    }
    if columns > 0 {
        v.columns(sheet, &mut left, columns)?;
    }
    if top > 0 || left > 0 {
        let why = format!("what is to be kept in sight no longer starts at the edge of `{sheet}`");
        return Err(super::stale(why, super::AGAIN));
    }
    Ok(())
}

fn table(sheet: &str, change: &mut TableChange, v: &mut impl Visit) -> Result<(), Refusal> {
    change.area.iter_mut().try_for_each(|area| v.area(sheet, area))?;
    for column in &mut change.calculated {
        v.formula(sheet, &mut column.formula)?;
    }
    for total in &mut change.column_totals {
        if let Total::Formula(text) = &mut total.total {
            v.formula(sheet, text)?;
        }
    }
    Ok(())
}

fn chart(sheet: &str, change: &mut ChartChange, v: &mut impl Visit) -> Result<(), Refusal> {
    let titles = change.axes.iter_mut().flat_map(|axes| axes.titles_from());
    v.formulas(sheet, titles.chain(&mut change.title_from))?;
    for series in &mut change.series {
        let named = series.name.as_mut().filter(|name| name.starts_with('='));
        v.formulas(sheet, series.values.iter_mut().chain(&mut series.categories).chain(named))?;
    }
    change.add_series.iter_mut().try_for_each(|series| new_series(sheet, series, v))
}

fn new_series(sheet: &str, series: &mut NewSeries, v: &mut impl Visit) -> Result<(), Refusal> {
    let named = series.name.as_mut().filter(|name| name.starts_with('='));
    v.formula(sheet, &mut series.values)?;
    v.formulas(sheet, series.categories.iter_mut().chain(named))
}

fn rule_formulas(
    rule: &mut FormatRule,
    each: &mut dyn FnMut(&mut String) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let of_points = |points: &mut Vec<Point>, each: &mut dyn FnMut(&mut String) -> Result<(), Refusal>| {
        points.iter_mut().filter_map(|point| point.value.as_mut()).try_for_each(each)
    };
    match rule {
        FormatRule::CellIs { formulas, .. } => formulas.iter_mut().try_for_each(each),
        FormatRule::Expression { formula, .. } => each(formula),
        FormatRule::ColorScale { points, .. }
        | FormatRule::DataBar { points, .. }
        | FormatRule::IconSet { points, .. } => of_points(points, each),
        FormatRule::Top { .. }
        | FormatRule::Average { .. }
        | FormatRule::Text { .. }
        | FormatRule::Date { .. }
        | FormatRule::Cells { .. } => Ok(()),
    }
}

/// The lines that an edit names, by sheet.
#[derive(Default)]
pub(in crate::edits) struct Named {
    pub(in crate::edits) sheets: BTreeMap<String, Lines>,
}

#[derive(Default)]
pub(in crate::edits) struct Lines {
    pub(in crate::edits) rows: BTreeSet<u32>,
    pub(in crate::edits) columns: BTreeSet<u32>,
}

impl Named {
    /// Sheets are called the same in any case.
    fn of(&mut self, sheet: &str) -> &mut Lines {
        let known = self.sheets.keys().find(|known| crate::file::workbook::same_name(known, sheet)).cloned();
        self.sheets.entry(known.unwrap_or_else(|| sheet.to_owned())).or_default()
    }
}

impl Visit for Named {
    fn sheet(&mut self, name: &mut String) -> Result<(), Refusal> {
        self.of(name);
        Ok(())
    }

    fn area(&mut self, sheet: &str, area: &mut Area) -> Result<(), Refusal> {
        let lines = self.of(sheet);
        if !area.is_whole_columns() {
            lines.rows.extend([area.top, area.bottom]);
        }
        if !area.is_whole_rows() {
            lines.columns.extend([area.left, area.right]);
        }
        Ok(())
    }

    fn row(&mut self, sheet: &str, row: &mut u32) -> Result<(), Refusal> {
        self.of(sheet).rows.insert(*row);
        Ok(())
    }

    fn column(&mut self, sheet: &str, column: &mut u32) -> Result<(), Refusal> {
        self.of(sheet).columns.insert(*column);
        Ok(())
    }

    fn formula(&mut self, sheet: &str, text: &mut String) -> Result<(), Refusal> {
        // What is no formula is refused where the edit is planned.
        let Ok(parsed) = formula::parse(text.strip_prefix('=').unwrap_or(text)) else { return Ok(()) };
        let mut named: Vec<(String, Target)> = Vec::new();
        parsed.expr.walk(&mut |expr| {
            let Expr::Reference(reference) = expr else { return };
            let on = match &reference.sheet {
                Some(spec) if spec.book.is_some() => return,
                Some(spec) => spec.first.to_string(),
                None => sheet.to_owned(),
            };
            named.push((on, reference.target));
        });
        for (on, target) in named.into_iter().filter(|(on, _)| !on.is_empty()) {
            let lines = self.of(&on);
            match target {
                Target::Cell(at) => {
                    lines.rows.insert(at.row.at);
                    lines.columns.insert(at.col.at);
                }
                Target::Area(first, last) => {
                    lines.rows.extend([first.row.at, last.row.at]);
                    lines.columns.extend([first.col.at, last.col.at]);
                }
                Target::Rows(first, last) => lines.rows.extend([first.at, last.at]),
                Target::Cols(first, last) => lines.columns.extend([first.at, last.at]),
                Target::Lost => {}
            }
        }
        Ok(())
    }
}

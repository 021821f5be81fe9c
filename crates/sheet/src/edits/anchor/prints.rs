//! What an edit would overwrite or take away, in short.
//!
//! Only that: whether others changed cells that an edit merely looks at, or makes bold, is none of its business. Values
//! of formulas are left out, because they change without anybody's doing; so are addresses, which the tags hold.

use std::collections::BTreeSet;

use edit::{Print, Refusal};
use formula::Value;

use crate::calc::affected::without_references;
use crate::calc::view::View;
use crate::edits::edit::Edit;
use crate::edits::input::CellChange;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::same_name;
use crate::read::sheet_view::{Cell, SheetView};

/// How much of a formula counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::edits) enum Form {
    Exact,
    /// References follow lines that come and go, so they are no sign that somebody changed the formula.
    WithoutReferences,
}

/// What an edit takes away.
#[derive(Debug, Default)]
pub(in crate::edits) struct Taken {
    pub(in crate::edits) print: String,
    /// Some of the formulas in it, each with the sheet it is on: what they refer to tells whether lines have moved.
    pub(in crate::edits) formulas: Vec<(String, String)>,
}

/// So many formulas tell as much as all.
const MOST_FORMULAS: usize = 100;

/// `None` for an edit that takes nothing away.
pub(in crate::edits) fn of(view: &View, edit: &Edit, form: Form) -> Result<Option<Taken>, Refusal> {
    let mut seen = Seen { view, form, print: Print::new(), home: String::new(), formulas: Vec::new() };
    match edit {
        Edit::SetCells { sheet, cells, .. } => seen.cells(sheet, cells)?,
        Edit::SetArray { sheet, area, .. }
        | Edit::SetDataTable { sheet, area, .. }
        | Edit::SortRange { sheet, area, .. } => seen.area(sheet, *area)?,
        Edit::DeleteRows { sheet, at, count } => seen.rows(sheet, *at, *count)?,
        Edit::DeleteColumns { sheet, at, count } => seen.columns(sheet, *at, *count)?,
        Edit::DeleteSheet { sheet } => seen.everything(sheet)?,
        Edit::RenameSheet { sheet, .. } => seen.name_of(sheet),
        Edit::MoveSheet { .. } => seen.order(),
        Edit::ShowSheet { sheet, .. } => seen.visibility(sheet),
        Edit::Unmerge { sheet, area } => seen.merges(sheet, *area)?,
        Edit::SetValidation { sheet, areas, .. } | Edit::RemoveValidations { sheet, areas } => {
            seen.validations(sheet, areas)?
        }
        Edit::RemoveConditionalFormats { sheet, areas, .. } => seen.conditional_formats(sheet, areas)?,
        Edit::SetFilter { sheet, .. } => seen.filter(sheet)?,
        Edit::Protect { sheet, .. } => seen.protection(sheet)?,
        Edit::SetTable { table, .. } | Edit::DeleteTable { table } => seen.table(table)?,
        Edit::SetLink { sheet, area, .. } => seen.links(sheet, &[*area])?,
        Edit::RemoveLinks { sheet, areas } => seen.links(sheet, areas)?,
        Edit::SetNote { sheet, at, .. } => seen.notes(sheet, &[Area::cell(*at)])?,
        Edit::RemoveNotes { sheet, areas } => seen.notes(sheet, areas)?,
        Edit::AddComment { sheet, at, .. } => seen.thread(sheet, *at, Replies::First)?,
        Edit::ResolveThread { sheet, at, .. } | Edit::DeleteThread { sheet, at } => {
            seen.thread(sheet, *at, Replies::All)?
        }
        Edit::SetChart { sheet, drawing, .. }
        | Edit::MoveDrawing { sheet, drawing, .. }
        | Edit::DescribeDrawing { sheet, drawing, .. }
        | Edit::DeleteDrawing { sheet, drawing } => seen.drawing(sheet, drawing)?,
        Edit::SetWorkbook { .. } => seen.workbook()?,
        Edit::DefineName { name, scope, .. } | Edit::DeleteName { name, scope } => {
            seen.name(name, scope.as_deref());
        }
        // These add, or say how something is from now on, and the tags hold the place.
        Edit::SetStyle { .. }
        | Edit::InsertRows { .. }
        | Edit::InsertColumns { .. }
        | Edit::AddSheet { .. }
        | Edit::Merge { .. }
        | Edit::SetRows { .. }
        | Edit::SetColumns { .. }
        | Edit::Freeze { .. }
        | Edit::AddConditionalFormat { .. }
        | Edit::SetSheet { .. }
        | Edit::SetPage { .. }
        | Edit::AddTable { .. }
        | Edit::AddImage { .. }
        | Edit::AddChart { .. }
        | Edit::Calculate
        | Edit::Run(_)
        | Edit::Anchored { .. } => return Ok(None),
    }
    Ok(Some(Taken { print: seen.print.finish(), formulas: seen.formulas }))
}

/// What an edit speaks of, for a refusal.
pub(in crate::edits) fn what(edit: &Edit) -> String {
    let listed =
        |areas: &[Area]| areas.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match edit {
        Edit::SetCells { sheet, cells, .. } => {
            let at: Vec<Area> = cells.iter().map(|change| Area::cell(change.at)).collect();
            format!("{sheet}!{} or its row", listed(&at))
        }
        Edit::SetArray { sheet, area, .. }
        | Edit::SetDataTable { sheet, area, .. }
        | Edit::SortRange { sheet, area, .. }
        | Edit::Unmerge { sheet, area }
        | Edit::SetLink { sheet, area, .. } => format!("{sheet}!{area}"),
        Edit::DeleteRows { sheet, at, count } => format!("{sheet}!{}:{}", at + 1, at + count),
        Edit::DeleteColumns { sheet, at, count } => {
            let letters = formula::column_letters;
            format!("{sheet}!{}:{}", letters(*at), letters((at + count).saturating_sub(1)))
        }
        Edit::RemoveValidations { sheet, areas }
        | Edit::SetValidation { sheet, areas, .. }
        | Edit::RemoveConditionalFormats { sheet, areas, .. }
        | Edit::RemoveLinks { sheet, areas }
        | Edit::RemoveNotes { sheet, areas } => format!("{sheet}!{}", listed(areas)),
        Edit::SetNote { sheet, at, .. }
        | Edit::AddComment { sheet, at, .. }
        | Edit::ResolveThread { sheet, at, .. }
        | Edit::DeleteThread { sheet, at } => format!("{sheet}!{at}"),
        Edit::SetTable { table, .. } | Edit::DeleteTable { table } => format!("table `{table}`"),
        Edit::SetChart { sheet, drawing, .. }
        | Edit::MoveDrawing { sheet, drawing, .. }
        | Edit::DescribeDrawing { sheet, drawing, .. }
        | Edit::DeleteDrawing { sheet, drawing } => format!("drawing `{drawing}` of `{sheet}`"),
        Edit::DefineName { name, .. } | Edit::DeleteName { name, .. } => format!("name `{name}`"),
        Edit::DeleteSheet { sheet }
        | Edit::RenameSheet { sheet, .. }
        | Edit::ShowSheet { sheet, .. }
        | Edit::SetFilter { sheet, .. }
        | Edit::Protect { sheet, .. } => format!("sheet `{sheet}`"),
        _ => "the workbook".to_owned(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Replies {
    First,
    All,
}

struct Seen<'a> {
    view: &'a View,
    form: Form,
    print: Print,
    /// The sheet that is looked at.
    home: String,
    formulas: Vec<(String, String)>,
}

impl<'a> Seen<'a> {
    /// A sheet that is yet to come holds nothing.
    fn sheet(&mut self, name: &str) -> Result<Option<SheetView<'a>>, Refusal> {
        name.clone_into(&mut self.home);
        match self.view.workbook.position(name) {
            Some(position) => self.view.sheet_at(position).map(Some),
            None => Ok(None),
        }
    }

    /// The cells, and the first text of each of their rows, which is what a reader takes for the row's label.
    fn cells(&mut self, sheet: &str, cells: &[CellChange]) -> Result<(), Refusal> {
        let sheet = self.sheet(sheet)?;
        let at: BTreeSet<CellRef> = cells.iter().map(|change| change.at).collect();
        let rows: BTreeSet<u32> = at.iter().map(|at| at.row).collect();
        for row in rows {
            self.print.text("row");
            let Some(sheet) = sheet else { continue };
            let mut labelled = false;
            let area = Area { top: row, bottom: row, left: 0, right: formula::MAX_COLS - 1 };
            sheet.each_cell(area, &mut |cell| {
                let label = !labelled && cell.formula.is_none() && matches!(cell.value, Value::Text(_));
                labelled |= label;
                if label || at.contains(&cell.at) {
                    self.print.number(u64::from(label));
                    self.cell(&cell);
                }
            })?;
        }
        Ok(())
    }

    fn area(&mut self, sheet: &str, area: Area) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        sheet.each_cell(area, &mut |cell| {
            self.print.number(u64::from(cell.at.row - area.top));
            self.print.number(u64::from(cell.at.col - area.left));
            self.cell(&cell);
        })
    }

    /// Columns may come and go beside the cells of a row that goes.
    fn rows(&mut self, sheet: &str, at: u32, count: u32) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let bottom = at.saturating_add(count.max(1) - 1).min(formula::MAX_ROWS - 1);
        let area = Area { top: at.min(bottom), bottom, left: 0, right: formula::MAX_COLS - 1 };
        sheet.each_cell(area, &mut |cell| {
            if cell.formula.is_some() || !cell.value.is_blank() {
                self.print.number(u64::from(cell.at.row - area.top));
                self.cell(&cell);
            }
        })
    }

    fn columns(&mut self, sheet: &str, at: u32, count: u32) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let right = at.saturating_add(count.max(1) - 1).min(formula::MAX_COLS - 1);
        let area = Area { left: at.min(right), right, top: 0, bottom: formula::MAX_ROWS - 1 };
        sheet.each_cell(area, &mut |cell| {
            if cell.formula.is_some() || !cell.value.is_blank() {
                self.print.number(u64::from(cell.at.col - area.left));
                self.cell(&cell);
            }
        })
    }

    fn everything(&mut self, name: &str) -> Result<(), Refusal> {
        let Ok(Some(sheet)) = self.sheet(name) else {
            // One that has no cells is known by its bytes.
            return self.part(name);
        };
        let whole = Area { top: 0, left: 0, bottom: formula::MAX_ROWS - 1, right: formula::MAX_COLS - 1 };
        self.area(name, whole)?;
        self.notes(name, &[whole])?;
        for table in sheet.tables()? {
            self.print.text(&table.name);
        }
        for drawing in sheet.drawings()? {
            self.print.maybe(drawing.name.as_deref());
        }
        Ok(())
    }

    fn part(&mut self, name: &str) -> Result<(), Refusal> {
        let tab = self.view.workbook.position(name).and_then(|at| self.view.workbook.sheets.get(at));
        if let Some(tab) = tab
            && let Some(blob) = self.view.content.read(&tab.part)?
        {
            self.print.bytes(&blob.bytes());
        }
        Ok(())
    }

    fn name_of(&mut self, sheet: &str) {
        let tab = self.view.workbook.position(sheet).and_then(|at| self.view.workbook.sheets.get(at));
        self.print.maybe(tab.map(|tab| tab.name.as_str()));
    }

    fn order(&mut self) {
        for tab in &self.view.workbook.sheets {
            self.print.text(tab.part.as_str());
        }
    }

    fn visibility(&mut self, sheet: &str) {
        let tab = self.view.workbook.position(sheet).and_then(|at| self.view.workbook.sheets.get(at));
        self.print.number(tab.map_or(0, |tab| match tab.visibility {
            crate::file::workbook::Visibility::Visible => 1,
            crate::file::workbook::Visibility::Hidden => 2,
            crate::file::workbook::Visibility::VeryHidden => 3,
        }));
    }

    fn merges(&mut self, sheet: &str, area: Area) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        for merge in sheet.merges().into_iter().filter(|merge| merge.intersects(&area)) {
            self.place(&merge, area.first());
        }
        Ok(())
    }

    fn validations(&mut self, sheet: &str, areas: &[Area]) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let Some(first) = areas.first().map(Area::first) else { return Ok(()) };
        for found in sheet.validations().into_iter().filter(|found| touch(&found.areas, areas)) {
            found.areas.iter().for_each(|area| self.place(area, first));
            self.print.text(&found.kind);
            self.print.maybe(found.operator.as_deref());
            self.maybe_formula(found.formula1.as_deref());
            self.maybe_formula(found.formula2.as_deref());
        }
        Ok(())
    }

    fn conditional_formats(&mut self, sheet: &str, areas: &[Area]) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let Some(first) = areas.first().map(Area::first) else { return Ok(()) };
        for found in sheet.conditional_formats().into_iter().filter(|found| touch(&found.areas, areas)) {
            found.areas.iter().for_each(|area| self.place(area, first));
            self.print.text(&found.kind);
            self.print.maybe(found.operator.as_deref());
            self.print.maybe(found.text.as_deref());
            for formula in &found.formulas {
                self.formula(formula);
            }
        }
        Ok(())
    }

    fn filter(&mut self, sheet: &str) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        self.print.number(u64::from(sheet.auto_filter().is_some()));
        for column in sheet.filter_columns() {
            self.print.number(u64::from(column.column));
            self.print.number(u64::from(column.blanks));
            column.values.iter().for_each(|value| self.print.text(value));
        }
        Ok(())
    }

    fn protection(&mut self, sheet: &str) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        self.print.number(u64::from(sheet.is_protected()));
        Ok(())
    }

    fn table(&mut self, name: &str) -> Result<(), Refusal> {
        for sheet in self.view.worksheets() {
            // A sheet that cannot be read has nothing to say, and must not keep others from being edited.
            let Ok(sheet) = sheet else { continue };
            for table in sheet.tables()?.iter().filter(|table| same_name(&table.name, name)) {
                self.print.text(table.part.as_str());
                self.print.number(table.area.count());
                self.print.number(u64::from(table.header_rows));
                self.print.number(u64::from(table.totals_rows));
                table.columns.iter().for_each(|column| self.print.text(column));
            }
        }
        Ok(())
    }

    fn links(&mut self, sheet: &str, areas: &[Area]) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let Some(first) = areas.first().map(Area::first) else { return Ok(()) };
        for link in sheet.hyperlinks()?.into_iter().filter(|link| touch(&[link.area], areas)) {
            self.place(&link.area, first);
            self.print.maybe(link.target.as_deref());
            self.maybe_formula(link.location.as_deref());
        }
        Ok(())
    }

    fn notes(&mut self, sheet: &str, areas: &[Area]) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let Some(first) = areas.first().map(Area::first) else { return Ok(()) };
        for note in sheet.notes()?.into_iter().filter(|note| touch(&[Area::cell(note.at)], areas)) {
            self.place(&Area::cell(note.at), first);
            self.print.text(&note.text);
        }
        Ok(())
    }

    fn thread(&mut self, sheet: &str, at: CellRef, replies: Replies) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        for thread in sheet.threads()?.into_iter().filter(|thread| thread.at == at) {
            let told = if replies == Replies::All { thread.comments.len() } else { 1 };
            for comment in thread.comments.iter().take(told) {
                self.print.text(&comment.id);
                self.print.text(&comment.text);
            }
        }
        Ok(())
    }

    /// One that is counted is known by its name and what it shows.
    fn drawing(&mut self, sheet: &str, wanted: &str) -> Result<(), Refusal> {
        let Some(sheet) = self.sheet(sheet)? else { return Ok(()) };
        let drawings = sheet.drawings()?;
        let counted = wanted.strip_prefix('#').and_then(|text| text.parse::<usize>().ok());
        let found = match counted {
            Some(number) => number.checked_sub(1).and_then(|index| drawings.get(index)),
            None => drawings.iter().find(|drawing| drawing.name.as_deref() == Some(wanted)),
        };
        let Some(found) = found else { return Ok(()) };
        self.print.maybe(found.name.as_deref());
        self.print.maybe(found.part.as_deref());
        for chart in sheet.charts()?.iter().filter(|chart| Some(&chart.part) == found.part.as_ref()) {
            self.print.maybe(chart.title.as_deref());
            for series in &chart.series {
                self.maybe_formula(series.name.as_deref());
                self.maybe_formula(series.categories.as_deref());
                self.maybe_formula(series.values.as_deref());
            }
        }
        Ok(())
    }

    fn workbook(&mut self) -> Result<(), Refusal> {
        let how = &self.view.workbook.calculation;
        self.print.number(u64::from(how.automatic));
        self.print.number(u64::from(how.iterate));
        self.print.number(u64::from(how.iterations));
        self.print.number(how.delta.to_bits());
        self.print.number(u64::from(self.view.workbook.dates == formula::DateSystem::D1904));
        let properties = self.view.properties()?;
        for text in [
            &properties.title,
            &properties.subject,
            &properties.author,
            &properties.keywords,
            &properties.description,
            &properties.category,
        ] {
            self.print.maybe(text.as_deref());
        }
        Ok(())
    }

    fn name(&mut self, name: &str, scope: Option<&str>) {
        scope.unwrap_or_default().clone_into(&mut self.home);
        let scope = scope.and_then(|scope| self.view.workbook.position(scope));
        let names = self.view.workbook.names.iter();
        for found in names.filter(|found| found.scope == scope && same_name(&found.name, name)) {
            self.formula(&found.formula);
        }
    }

    fn cell(&mut self, cell: &Cell) {
        match (&cell.formula, &cell.value) {
            (Some(formula), _) => {
                self.print.text("formula");
                self.formula(&formula.text);
            }
            (None, Value::Blank) => self.print.text("blank"),
            (None, Value::Number(number)) => {
                self.print.text("number");
                self.print.number(number.to_bits());
            }
            (None, Value::Text(text)) => {
                self.print.text("text");
                self.print.text(text);
            }
            (None, Value::Bool(flag)) => {
                self.print.text("logical");
                self.print.number(u64::from(*flag));
            }
            (None, Value::Error(kind)) => {
                self.print.text("error");
                self.print.text(kind.text());
            }
        }
    }

    fn place(&mut self, area: &Area, from: CellRef) {
        for (line, from) in
            [(area.top, from.row), (area.bottom, from.row), (area.left, from.col), (area.right, from.col)]
        {
            self.print.number((i64::from(line) - i64::from(from)).cast_unsigned());
        }
    }

    fn maybe_formula(&mut self, text: Option<&str>) {
        self.print.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.formula(text);
        }
    }

    fn formula(&mut self, text: &str) {
        if self.formulas.len() < MOST_FORMULAS {
            self.formulas.push((self.home.clone(), text.to_owned()));
        }
        match self.form {
            Form::Exact => self.print.text(text),
            Form::WithoutReferences => self.print.text(&without_references(text)),
        }
    }
}

fn touch(some: &[Area], others: &[Area]) -> bool {
    some.iter().any(|area| others.iter().any(|other| area.intersects(other)))
}

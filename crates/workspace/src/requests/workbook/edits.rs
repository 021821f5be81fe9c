//! The edits that a step means in a workbook as it stands, and what has to be said about them.

use std::collections::BTreeSet;

use edit::{Cut, Refusal};
use planner::{CellLook, Condition, Entry, Far, Lines, SheetRef, SheetStep, Summary};
use sheet::{
    AlignmentChange, Area, BorderChange, Cell, CellChange, CellRef, Color, Edge, EdgeChange, Edit,
    FillChange, FilterColumn, FontChange, Input, LineChange, StyleChange, Value, View, Visibility,
};

use super::cells::{column, data, meant};
use super::holds::{check, entry_fits, goes};
use super::{arrange, home, rows};
use crate::requests::{Found, rule};
use crate::targets::Cells;

/// Cells that one step may fill.
pub(super) const MOST_FILLED: u64 = 10_000;

pub(super) struct Work {
    pub(super) edits: Vec<Edit>,
    pub(super) told: Found,
    pub(super) remarks: Vec<String>,
}

impl Work {
    fn new(edit: Edit, told: String) -> Self {
        Self { edits: vec![edit], told: Found::Told(vec![told]), remarks: Vec::new() }
    }
}

pub(super) fn edits_of_step(view: &View, step: &SheetStep) -> Result<Work, Refusal> {
    let told = step.to_string();
    Ok(match step {
        SheetStep::Set { at, entry, only_if, towards } => set(view, at, entry, only_if.as_ref(), *towards)?,
        SheetStep::Clear { at } => put(view, &meant(view, at)?, &Input::Clear)?,
        SheetStep::Total { what, of, into } => total(view, *what, of, into)?,
        SheetStep::TotalBelow { what, of } => total_below(view, *what, of)?,
        SheetStep::AddRow { at, cells } => rows::add(view, at, cells)?,
        SheetStep::AddColumn { at, name } => rows::add_column(view, at, name)?,
        SheetStep::DeleteWhere { at, condition } => rows::delete(view, at, condition)?,
        SheetStep::Scale { at, factor } => scale(view, &data(view, at)?, &|number| number * factor)?,
        SheetStep::Shift { at, by } => scale(view, &data(view, at)?, &|number| number + by)?,
        SheetStep::Replace { text, with, at } => replace(view, text, with, at.as_ref())?,
        SheetStep::Look { at, look } if look.border == Some(Lines::Around) => {
            arrange::framed(view, &meant(view, at)?, style(look))?
        }
        SheetStep::Look { at, look } if look.decimals.is_some() => {
            arrange::decimals(view, &meant(view, at)?, look, style(look))?
        }
        SheetStep::Look { at, look } => formatted(view, at, look)?,
        SheetStep::ClearLook { at } => without_format(view, at)?,
        SheetStep::Sort { at, by } => arrange::sorted(view, at, by)?,
        SheetStep::Filter { at, column: name, values } => filtered(view, at, name, values, told)?,
        SheetStep::ClearFilter { at } => {
            Work::new(Edit::SetFilter { sheet: sheet_of(view, at)?, area: None, columns: Vec::new() }, told)
        }
        SheetStep::SetWhere { column, entry, at, condition } => {
            rows::set(view, column, entry, at, condition)?
        }
        SheetStep::LookWhere { at, condition, rows: whole, look } => {
            formatted_where(view, at, condition, *whole, look)?
        }
        SheetStep::RenameColumn { at, to } => column_renamed(view, at, to)?,
        SheetStep::Fit { at } => arrange::fitted(view, &meant(view, at)?)?,
        SheetStep::Round { at, digits } => rounded(view, at, *digits)?,
        SheetStep::Copy { from, to, takes: false } => {
            arrange::copied(view, &meant(view, from)?, &meant(view, to)?)?
        }
        SheetStep::InsertLines { rows: true, at, after, count, header: Some(header) } => {
            row_inserted(view, at, *after, *count, header, told)?
        }
        SheetStep::InsertLines { rows: false, at, after, count, header: Some(header) } => {
            column_inserted(view, at, *after, *count, header, told)?
        }
        SheetStep::InsertLines { rows, at, after, count, .. } => {
            lines_inserted(view, *rows, at, *after, *count, told)?
        }
        SheetStep::DeleteLines { at } => lines_deleted(view, at, &told)?,
        SheetStep::AddSheet { name, place } => sheet_added(view, name, place, told)?,
        SheetStep::RenameSheet { sheet, to } => sheet_renamed(view, sheet, to, told)?,
        SheetStep::DeleteSheet { sheet } => {
            Work::new(Edit::DeleteSheet { sheet: view.sheet(sheet)?.name().to_owned() }, told)
        }
        SheetStep::ShowSheet { sheet, visible } => sheet_shown(view, sheet, *visible, told)?,
        SheetStep::MoveSheet { sheet, place } => sheet_moved(view, sheet, place, told)?,
        SheetStep::Merge { at } => {
            let place = meant(view, at)?;
            Work::new(Edit::Merge { sheet: place.sheet, area: place.area }, told)
        }
        SheetStep::Unmerge { at } => {
            let place = meant(view, at)?;
            Work::new(Edit::Unmerge { sheet: place.sheet, area: place.area }, told)
        }
        SheetStep::Size { at, size } => {
            lines(at, meant(view, at)?, LineChange { size: Some(*size), ..LineChange::default() }, told)
        }
        SheetStep::Hide { at, hidden } => {
            lines(at, meant(view, at)?, LineChange { hidden: Some(*hidden), ..LineChange::default() }, told)
        }
        SheetStep::Freeze { at, rows, columns } => {
            Work::new(Edit::Freeze { sheet: sheet_of(view, at)?, rows: *rows, columns: *columns }, told)
        }
        SheetStep::FreezeAt { at } => frozen_at(view, at, told)?,
        SheetStep::Note { at, text } => note(view, at, text)?,
        SheetStep::RemoveNotes { at } => {
            let place = meant(view, at)?;
            Work::new(Edit::RemoveNotes { sheet: place.sheet, areas: vec![place.area] }, told)
        }
        SheetStep::Name { name, at } => name_defined(view, name, at, told)?,
        SheetStep::Copy { .. } => {
            return Err(Refusal::Unsupported {
                what: "copying and moving cells in a plain request".to_owned(),
                instead: Some("set the cells, or copy them with the tools for workbooks".to_owned()),
            });
        }
        _ => return Err(Refusal::internal("a question changes nothing")),
    })
}

fn set(
    view: &View,
    at: &SheetRef,
    entry: &Entry,
    only_if: Option<&Entry>,
    towards: Option<planner::Towards>,
) -> Result<Work, Refusal> {
    let place = super::cells::below_header(view, at, data(view, at)?)?;
    if let Some(was) = only_if {
        check(view, &place, was)?;
    }
    if let Some(way) = towards {
        goes(view, &place, entry, way)?;
    }
    cell_meant(view, at, &place, entry)?;
    entry_fits(view, &place, entry)?;
    quarter_meant(view, at, &place)?;
    put(view, &place, &input(entry))
}

fn total(view: &View, what: Summary, of: &SheetRef, into: &SheetRef) -> Result<Work, Refusal> {
    let (of, into) = (meant(view, of)?, meant(view, into)?);
    if of.sheet == into.sheet && of.area.contains(into.area.first()) {
        return Err(Refusal::Unsafe {
            why: format!("{into} is one of the cells of {of}, so the formula would speak of itself"),
            instead: Some("name a cell outside them, or the cells one by one as B2:B9".to_owned()),
        });
    }
    let named = if of.sheet == into.sheet { of.area.to_string() } else { of.to_string() };
    put(view, &into, &Input::Formula(rows::figure(what, &named)?))
}

fn total_below(view: &View, what: Summary, of: &SheetRef) -> Result<Work, Refusal> {
    let (into, formula) = rows::below(view, what, of)?;
    put(view, &into, &Input::Formula(formula))
}

fn formatted(view: &View, at: &SheetRef, look: &CellLook) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    Ok(Work::new(
        Edit::SetStyle { sheet: place.sheet.clone(), areas: vec![place.area], style: style(look) },
        format!("format {place}: {look}"),
    ))
}

fn without_format(view: &View, at: &SheetRef) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let style = StyleChange {
        number_format: Some("General".to_owned()),
        font: Some(FontChange {
            bold: Some(false),
            italic: Some(false),
            strike: Some(false),
            underline: Some("none".to_owned()),
            ..FontChange::default()
        }),
        fill: Some(FillChange::None),
        ..StyleChange::default()
    };
    Ok(Work::new(
        Edit::SetStyle { sheet: place.sheet.clone(), areas: vec![place.area], style },
        format!("clear the formatting of {place}"),
    ))
}

fn filtered(
    view: &View,
    at: &SheetRef,
    name: &str,
    values: &[String],
    told: String,
) -> Result<Work, Refusal> {
    // A total below the list stays in sight.
    let place = data(view, at)?;
    let sheet = view.sheet(&place.sheet)?;
    let (col, _) = match (name.is_empty(), values.first()) {
        (true, Some(value)) => rows::column_of(view, &place, value)?,
        _ => column(view, &sheet, name)?,
    };
    let Some(offset) = col.checked_sub(place.area.left) else {
        return Err(Refusal::not_found("column", name));
    };
    // A value that nothing has would hide every row.
    let below = Area { top: place.area.top + 1, left: col, right: col, ..place.area };
    let texts: Vec<String> = sheet
        .cells(below)?
        .iter()
        .map(|cell| view.text(&cell.value, cell.style))
        .collect::<Result<_, _>>()?;
    let mut exact = Vec::new();
    for value in values {
        match texts.iter().find(|text| text.eq_ignore_ascii_case(value)) {
            Some(text) => exact.push(text.clone()),
            None => {
                let known: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
                let nearest = sheet::nearest(value, known.into_iter());
                return Err(Refusal::NotFound { what: "value", id: value.clone(), nearest });
            }
        }
    }
    let columns = vec![FilterColumn { column: offset, values: exact, blanks: false }];
    Ok(Work::new(Edit::SetFilter { sheet: place.sheet.clone(), area: Some(place.area), columns }, told))
}

fn formatted_where(
    view: &View,
    at: &SheetRef,
    condition: &Condition,
    whole: bool,
    look: &CellLook,
) -> Result<Work, Refusal> {
    let (place, areas, lines) = rows::areas(view, at, condition, whole)?;
    let mut said = vec![format!("{look}:")];
    said.extend(lines);
    Ok(Work {
        edits: vec![Edit::SetStyle { sheet: place.sheet, areas, style: style(look) }],
        told: Found::Told(said),
        remarks: Vec::new(),
    })
}

fn column_renamed(view: &View, at: &SheetRef, to: &str) -> Result<Work, Refusal> {
    let SheetRef::Column { sheet, name, .. } = at else {
        return Err(Refusal::internal("a column is renamed"));
    };
    let sheet = home(view, sheet.as_ref())?;
    let (col, header) = column(view, &sheet, name)?;
    let row = match header {
        Some(row) => row,
        None => super::cells::used(&sheet)?.top,
    };
    let place = Cells { sheet: sheet.name().to_owned(), area: Area::cell(CellRef { row, col }) };
    put(view, &place, &Input::Text(to.to_owned()))
}

fn rounded(view: &View, at: &SheetRef, digits: i32) -> Result<Work, Refusal> {
    let unit = 10f64.powi(digits);
    scale(view, &data(view, at)?, &|number| (number * unit).round() / unit)
}

/// Columns whose first gets a header.
fn column_inserted(
    view: &View,
    at: &SheetRef,
    after: bool,
    count: u32,
    header: &str,
    told: String,
) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let col = if after { place.area.right + 1 } else { place.area.left };
    let sheet = view.sheet(&place.sheet)?;
    let row = super::cells::used(&sheet)?.top;
    let cell = CellChange { at: CellRef { row, col }, input: Input::Text(header.to_owned()) };
    Ok(Work {
        edits: vec![
            Edit::InsertColumns { sheet: place.sheet.clone(), at: col, count },
            Edit::SetCells { sheet: place.sheet.clone(), cells: vec![cell], seen: None },
        ],
        told: Found::Told(vec![told]),
        remarks: Vec::new(),
    })
}

/// A row with its name in the first cell.
fn row_inserted(
    view: &View,
    at: &SheetRef,
    after: bool,
    count: u32,
    header: &str,
    told: String,
) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let row = if after { place.area.bottom + 1 } else { place.area.top };
    let cell =
        CellChange { at: CellRef { row, col: place.area.left }, input: Input::Text(header.to_owned()) };
    Ok(Work {
        edits: vec![
            Edit::InsertRows { sheet: place.sheet.clone(), at: row, count },
            Edit::SetCells { sheet: place.sheet.clone(), cells: vec![cell], seen: None },
        ],
        told: Found::Told(vec![told]),
        remarks: Vec::new(),
    })
}

fn lines_inserted(
    view: &View,
    rows: bool,
    at: &SheetRef,
    after: bool,
    count: u32,
    told: String,
) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let at = match (rows, after) {
        (true, false) => place.area.top,
        (true, true) => place.area.bottom + 1,
        (false, false) => place.area.left,
        (false, true) => place.area.right + 1,
    };
    let sheet = place.sheet;
    Ok(Work::new(
        if rows { Edit::InsertRows { sheet, at, count } } else { Edit::InsertColumns { sheet, at, count } },
        told,
    ))
}

fn lines_deleted(view: &View, at: &SheetRef, told: &str) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let area = place.area;
    let says = said(view, &place)?;
    let edit = match at.is_rows() {
        true => Edit::DeleteRows { sheet: place.sheet, at: area.top, count: area.bottom - area.top + 1 },
        false => Edit::DeleteColumns { sheet: place.sheet, at: area.left, count: area.right - area.left + 1 },
    };
    Ok(Work::new(edit, format!("{told}: {says}")))
}

fn sheet_added(view: &View, name: &str, place: &Far, told: String) -> Result<Work, Refusal> {
    let before = match place {
        Far::First => view.workbook().sheets.first().map(|tab| tab.name.clone()),
        Far::Last => None,
        Far::Before(other) => Some(view.sheet(other)?.name().to_owned()),
        Far::After(other) => {
            let at = view.sheet(other)?.position;
            view.workbook().sheets.get(at + 1).map(|tab| tab.name.clone())
        }
    };
    Ok(Work::new(Edit::AddSheet { name: name.to_owned(), before }, told))
}

fn sheet_renamed(view: &View, sheet: &str, to: &str, told: String) -> Result<Work, Refusal> {
    if view.sheet(sheet).is_err()
        && let Some(place) = super::cells::only_text(view, sheet)?
    {
        return put(view, &place, &Input::Text(to.to_owned()));
    }
    Ok(Work::new(Edit::RenameSheet { sheet: view.sheet(sheet)?.name().to_owned(), to: to.to_owned() }, told))
}

fn sheet_shown(view: &View, sheet: &str, visible: bool, told: String) -> Result<Work, Refusal> {
    let visibility = if visible { Visibility::Visible } else { Visibility::Hidden };
    Ok(Work::new(Edit::ShowSheet { sheet: view.sheet(sheet)?.name().to_owned(), visibility }, told))
}

fn sheet_moved(view: &View, sheet: &str, place: &Far, told: String) -> Result<Work, Refusal> {
    let own = view.sheet(sheet)?;
    let last = view.workbook().sheets.len().saturating_sub(1);
    let to = match place {
        Far::First => 0,
        Far::Last => last,
        Far::Before(other) | Far::After(other) => {
            let other = view.sheet(other)?.position;
            let behind = usize::from(matches!(place, Far::After(_)));
            let target = other + behind;
            if own.position < target { target - 1 } else { target }
        }
    };
    Ok(Work::new(Edit::MoveSheet { sheet: own.name().to_owned(), to }, told))
}

fn frozen_at(view: &View, at: &SheetRef, told: String) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    Ok(Work::new(Edit::Freeze { sheet: place.sheet, rows: place.area.top, columns: place.area.left }, told))
}

fn note(view: &View, at: &SheetRef, text: &str) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    if !place.area.is_cell() {
        return Err(Refusal::invalid("note", place.to_string(), "one cell"));
    }
    Ok(Work::new(
        Edit::SetNote {
            sheet: place.sheet.clone(),
            at: place.area.first(),
            text: text.to_owned(),
            author: None,
        },
        format!("note on {place}: \"{text}\""),
    ))
}

fn name_defined(view: &View, name: &str, at: &SheetRef, told: String) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let sheet = place.sheet.replace('\'', "''");
    let (first, last) = (place.area.first(), place.area.last());
    let fixed = |cell: CellRef| {
        let text = cell.to_string();
        let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        format!("${}${}", text.part(..digits), text.part(digits..))
    };
    let cells = if place.area.is_cell() { fixed(first) } else { format!("{}:{}", fixed(first), fixed(last)) };
    Ok(Work::new(
        Edit::DefineName { name: name.to_owned(), scope: None, formula: format!("'{sheet}'!{cells}") },
        told,
    ))
}

fn sheet_of(view: &View, at: &SheetRef) -> Result<String, Refusal> {
    Ok(match at {
        SheetRef::Used { sheet } => home(view, sheet.as_ref())?.name().to_owned(),
        at => meant(view, at)?.sheet,
    })
}

fn lines(at: &SheetRef, place: Cells, properties: LineChange, told: String) -> Work {
    let (sheet, area) = (place.sheet, place.area);
    Work::new(
        match at.is_rows() {
            true => Edit::SetRows { sheet, first: area.top, last: area.bottom, properties },
            false => Edit::SetColumns { sheet, first: area.left, last: area.right, properties },
        },
        told,
    )
}

/// What cells say, for people.
pub(super) fn said(view: &View, place: &Cells) -> Result<String, Refusal> {
    let mut texts = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        texts.push(view.text(&cell.value, cell.style)?);
        if texts.len() == 8 {
            texts.push("…".to_owned());
            break;
        }
    }
    Ok(if texts.is_empty() { "empty".to_owned() } else { texts.join(" | ") })
}

pub(super) fn limited(place: &Cells, most: u64) -> Result<(), Refusal> {
    let size = place.area.count();
    match size <= most {
        true => Ok(()),
        false => Err(Refusal::Limit {
            what: format!("the cells of {place}").into(),
            found: size.to_string(),
            limit: most.to_string(),
        }),
    }
}

pub(super) fn input(entry: &Entry) -> Input {
    match entry {
        // As somebody types it, so that 7 is 7 % where per cents are.
        Entry::Number(number) => Input::Typed(number.to_string()),
        Entry::Typed(text) => Input::Typed(text.clone()),
        Entry::Text(text) | Entry::Words(text) => Input::Text(text.clone()),
        Entry::Bool(value) => Input::Bool(*value),
        Entry::Formula(formula) => Input::Formula(formula.clone()),
        Entry::Date(date) => Input::Date(date.clone()),
    }
}

/// "Set Apple to Granny Smith" may speak of the word or of the number beside it: a text over the number of a label is
/// neither's clear meaning.
fn cell_meant(view: &View, at: &SheetRef, place: &Cells, entry: &Entry) -> Result<(), Refusal> {
    let by_label = match at {
        SheetRef::Label { .. } => true,
        SheetRef::Cells(address) => !address.cells.contains(|c: char| c.is_ascii_digit() || c == ':'),
        _ => false,
    };
    let (Entry::Text(text) | Entry::Words(text), true, true) = (entry, by_label, place.area.is_cell()) else {
        return Ok(());
    };
    let value = view.sheet(&place.sheet)?.value(place.area.first())?;
    if !matches!(value, Value::Number(_)) {
        return Ok(());
    }
    let label = match at {
        SheetRef::Label { text, .. } => text.clone(),
        SheetRef::Cells(address) => address.cells.clone(),
        _ => String::new(),
    };
    Err(crate::requests::two_readings(
        &label,
        &format!("replace '{label}' with '{text}'"),
        &format!("set {place} to '{text}', where a number is"),
    ))
}

/// "Set Q1 to 5" may speak of the first quarter: a cell away from all data is not taken where a cell says its name.
fn quarter_meant(view: &View, at: &SheetRef, place: &Cells) -> Result<(), Refusal> {
    let SheetRef::Cells(address) = at else { return Ok(()) };
    if address.sheet.is_some() || !place.area.is_cell() {
        return Ok(());
    }
    let own = view.sheet(&place.sheet)?;
    if own.extent()?.is_some_and(|used| used.contains(place.area.first())) {
        return Ok(());
    }
    match super::cells::only_text(view, &address.cells)? {
        None => Ok(()),
        Some(label) => Err(Refusal::Ambiguous {
            text: address.cells.clone(),
            count: 2,
            within: "the workbook".to_owned(),
            contexts: vec![
                format!("the cell {place}, which is away from the data: name it so"),
                format!("what stands at \"{}\" in {label}: name the cell beside or below it", address.cells),
            ],
        }),
    }
}

/// Puts the same into all cells, and says what was there.
fn put(view: &View, place: &Cells, input: &Input) -> Result<Work, Refusal> {
    limited(place, MOST_FILLED)?;
    let first = place.area.first();
    // A formula for several cells speaks of each cell's own neighbours, as in a spreadsheet program.
    let of = |at| match input {
        Input::Formula(formula) => Input::Formula(sheet::formula_moved(formula, first, at)),
        input => input.clone(),
    };
    let cells: Vec<CellChange> = place.area.cells().map(|at| CellChange { at, input: of(at) }).collect();
    let remarks = overwritten(view, place, &cells)?;
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells, seen: None }],
        told: Found::Written(place.clone()),
        remarks,
    })
}

/// Formulas that go.
pub(super) fn overwritten(
    view: &View,
    place: &Cells,
    changes: &[CellChange],
) -> Result<Vec<String>, Refusal> {
    let mut remarks = Vec::new();
    let sheet = view.sheet(&place.sheet)?;
    for cell in sheet.cells(place.area)? {
        if let Some(formula) = &cell.formula
            && changes.iter().any(|change| change.at == cell.at)
        {
            remarks.push(format!(
                "the formula ={} in {}!{} was overwritten",
                formula.shown(),
                place.sheet,
                cell.at
            ));
        }
    }
    let more = remarks.len().saturating_sub(5);
    remarks.truncate(5);
    if more > 0 {
        remarks.push(format!("and {more} more formulas were overwritten"));
    }
    Ok(remarks)
}

fn scale(view: &View, place: &Cells, change: &dyn Fn(f64) -> f64) -> Result<Work, Refusal> {
    limited(place, MOST_FILLED)?;
    let mut cells = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        match (&cell.value, &cell.formula) {
            (Value::Number(number), None) => {
                // As many digits as people see, so that 1.1 times 100 is 110.
                let scaled = (change(*number) * 1e10).round() / 1e10;
                cells.push(CellChange { at: cell.at, input: Input::Number(scaled) });
            }
            (_, Some(_)) => {
                return Err(Refusal::Unsafe {
                    why: format!("{}!{} holds a formula", place.sheet, cell.at),
                    instead: Some("change what the formula is calculated from, or set the cell".to_owned()),
                });
            }
            _ => {}
        }
    }
    if cells.is_empty() {
        return Err(Refusal::not_found("a number", place.to_string()));
    }
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells, seen: None }],
        told: Found::Written(place.clone()),
        remarks: Vec::new(),
    })
}

fn replace(view: &View, text: &str, with: &str, at: Option<&SheetRef>) -> Result<Work, Refusal> {
    let mut places = Vec::new();
    match at {
        Some(at) => places.push(meant(view, at)?),
        None => {
            for sheet in view.worksheets() {
                let sheet = sheet?;
                if let Some(area) = sheet.extent()? {
                    places.push(Cells { sheet: sheet.name().to_owned(), area });
                }
            }
        }
    }
    let mut cells: Vec<(String, Cell, String)> = Vec::new();
    for place in &places {
        for cell in view.sheet(&place.sheet)?.cells(place.area)? {
            let own = match &cell.value {
                Value::Text(own) => own.to_string(),
                Value::Number(_) => view.text(&cell.value, cell.style)?,
                _ => continue,
            };
            cells.push((place.sheet.clone(), cell, own));
        }
    }
    // A number is replaced whole; of a text, the words.
    let places = |cell: &Cell, own: &str, looked: rule::Looked| -> Vec<std::ops::Range<usize>> {
        let mut places = rule::places(own, text, looked);
        places.retain(|range| matches!(cell.value, Value::Text(_)) || *range == (0..own.len()));
        places
    };
    let hits = rule::hits(text, |looked| {
        let found = cells.iter().enumerate().map(|(at, (_, cell, own))| (at, places(cell, own, looked)));
        Ok(found.filter(|(_, found)| !found.is_empty()).collect::<Vec<_>>())
    })?;
    if hits.kept.is_empty() {
        return Err(Refusal::not_found("text", text));
    }
    let mut remarks: Vec<String> = hits.remark(text).into_iter().collect();
    let (mut edits, mut lines, mut formulas): (Vec<Edit>, Vec<String>, usize) = (Vec::new(), Vec::new(), 0);
    for (at, found) in hits.kept {
        let Some((sheet, cell, own)) = cells.get(at) else { continue };
        if cell.formula.is_some() {
            formulas += 1;
            continue;
        }
        let mut new = own.clone();
        for range in found.iter().rev() {
            let own = new.cut(range.clone())?.to_owned();
            new.replace_range(range.clone(), &rule::adapted(&own, text, with));
        }
        let whole = found.first().is_some_and(|range| *range == (0..own.len()));
        let number = new.parse::<f64>().ok().filter(|number| number.is_finite() && whole);
        let input = match number {
            // A number that was typed as a text stays one.
            Some(number) if matches!(cell.value, Value::Number(_)) => Input::Number(number),
            _ if new.is_empty() => Input::Clear,
            _ => Input::Text(new.clone()),
        };
        lines.push(format!("{sheet}!{}: {own} → {new}", cell.at));
        let change = CellChange { at: cell.at, input };
        match edits.last_mut() {
            Some(Edit::SetCells { sheet: last, cells, .. }) if last == sheet => cells.push(change),
            _ => edits.push(Edit::SetCells { sheet: sheet.clone(), cells: vec![change], seen: None }),
        }
    }
    if edits.is_empty() {
        return Err(Refusal::Unsafe {
            why: format!("\"{text}\" is shown only by {formulas} cells with formulas"),
            instead: Some("change the cells that they read".to_owned()),
        });
    }
    let count = lines.len();
    lines.truncate(10);
    lines.insert(0, format!("replaced \"{text}\" with \"{with}\" in {count} cells"));
    if formulas > 0 {
        remarks.push(format!("{formulas} cells with formulas show it too and were left alone"));
    }
    Ok(Work { edits, told: Found::Told(lines), remarks })
}

fn style(look: &CellLook) -> StyleChange {
    let color = |color: word::op::Color| {
        Color::Rgb(format!("FF{:02X}{:02X}{:02X}", color.red, color.green, color.blue))
    };
    let font = FontChange {
        name: look.font.clone(),
        size: look.size,
        bold: look.bold,
        italic: look.italic,
        underline: look.underline.map(|on| if on { "single" } else { "none" }.to_owned()),
        color: look.color.map(color),
        ..FontChange::default()
    };
    let alignment = AlignmentChange {
        horizontal: look.align.map(str::to_owned),
        wrap: look.wrap,
        ..AlignmentChange::default()
    };
    let edge = |style: &str| EdgeChange::Line(Edge { style: style.to_owned(), color: None });
    let border = look.border.map(|lines| match lines {
        Lines::None => BorderChange {
            left: Some(EdgeChange::None),
            right: Some(EdgeChange::None),
            top: Some(EdgeChange::None),
            bottom: Some(EdgeChange::None),
            ..BorderChange::default()
        },
        Lines::Below => BorderChange { bottom: Some(edge("thin")), ..BorderChange::default() },
        Lines::Each | Lines::Around => BorderChange {
            left: Some(edge("thin")),
            right: Some(edge("thin")),
            top: Some(edge("thin")),
            bottom: Some(edge("thin")),
            ..BorderChange::default()
        },
    });
    StyleChange {
        border,
        number_format: look.format.clone(),
        font: (font != FontChange::default()).then_some(font),
        fill: look.fill.map(|fill| FillChange::Solid(color(fill))),
        alignment: (alignment != AlignmentChange::default()).then_some(alignment),
        ..StyleChange::default()
    }
}

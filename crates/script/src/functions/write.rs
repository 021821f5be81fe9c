//! Writing cells. Every write is calculated before it answers, and the answer tells what came of it.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{Area, CellChange, CellOnSheet, CellRef, Edit, FormulaKind, Input, LinkTo, StyleChange, Value};

use super::cell_value::Around;
use super::typed_text::looks_like;
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range, Written, quoted};
use crate::reference::{self, CellArg, RangeArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<SetCells>(),
        entry::<ScaleRange>(),
        entry::<CopyRange>(),
        entry::<AddSheet>(),
        entry::<DeleteSheet>(),
        entry::<RenameSheet>(),
        entry::<AddDefinedName>(),
        entry::<DeleteDefinedName>(),
    ]
}

/// The most cells whose new text is told one by one.
const MOST_TOUCHED: usize = 1_000;
/// Of one call: more would not fit into the memory of a run as JSON, as edits and as a workbook at once.
const MOST_CELLS: usize = 250_000;
const MOST_NOTES: usize = 100;

/// What a write did, after calculation: the shown text of every cell that was written or calculated anew, the cells
/// whose value changed, and formulas that came to an error.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WriteResult {
    touched: BTreeMap<String, String>,
    /// How many there are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    touched_total: Option<u64>,
    changed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_total: Option<usize>,
    pub(crate) errors: Vec<Diag>,
    /// Entries that a data validation of their cell does not allow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    /// Always empty: kept for scripts that look for it.
    invalidated_tiles: Vec<String>,
    updated_sheets: Vec<UpdatedSheet>,
}

/// A formula that came to an error.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Diag {
    code: String,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdatedSheet {
    name: String,
    used_range: Option<String>,
}

/// What is to be told of a write.
pub(crate) fn told(host: &Host, written: &Written) -> Result<WriteResult, Fault> {
    let mut told = WriteResult::default();
    let mut places: Vec<CellOnSheet> = Vec::new();
    let mut total = 0;
    let mut sheets: Vec<usize> = Vec::new();
    for outcome in &written.outcomes {
        let Some(sheet) = host.view().workbook().position(&outcome.sheet) else { continue };
        sheets.push(sheet);
        // Whole lines that came or went are told by the call itself.
        let cells = outcome.touched.iter().filter(|area| !area.is_whole_rows() && !area.is_whole_columns());
        for area in cells {
            total += area.count();
            let room = (MOST_TOUCHED + 1).saturating_sub(places.len());
            places.extend(area.cells().take(room).map(|at| CellOnSheet { sheet, at }));
        }
    }
    let settled = &written.settled;
    let known: HashSet<CellOnSheet> = places.iter().copied().collect();
    let others: Vec<CellOnSheet> =
        settled.changed.iter().copied().filter(|place| !known.contains(place)).collect();
    total += others.len() as u64;
    places.extend(others);
    places.truncate(MOST_TOUCHED);
    for place in &places {
        let text = match host.sheet(place.sheet)?.cell(place.at)? {
            Some(cell) => host.text(&cell.value, cell.style)?,
            None => String::new(),
        };
        told.touched.insert(host.place(*place), text);
    }
    told.touched_total = (total as usize > told.touched.len()).then_some(total);
    let entered: HashSet<CellOnSheet> = written.entered.iter().copied().collect();
    let others = settled.changed.iter().filter(|place| !entered.contains(place));
    let changed: Vec<CellOnSheet> = written.entered.iter().chain(others).copied().collect();
    told.changed = changed.iter().take(MOST_TOUCHED).map(|place| host.place(*place)).collect();
    told.changed_total = (changed.len() > MOST_TOUCHED).then_some(changed.len());
    let mut failed: Vec<CellOnSheet> = settled.errors.clone();
    let known: HashSet<CellOnSheet> = failed.iter().copied().collect();
    for place in &places {
        if !known.contains(place) && matches!(host.sheet(place.sheet)?.value(place.at)?, Value::Error(_)) {
            failed.push(*place);
        }
    }
    for place in failed.iter().take(MOST_TOUCHED) {
        if let Some(cell) = host.sheet(place.sheet)?.cell(place.at)?
            && let Value::Error(error) = &cell.value
        {
            told.errors.push(Diag {
                code: error.to_string(),
                address: host.place(*place),
                formula: cell.formula.map(|formula| format!("={}", formula.shown())),
                detail: None,
            });
        }
    }
    // A workbook that iterates means its circles.
    let iterates = host.view().workbook().calculation.iterate;
    let circular = settled.circular.iter().filter(|_| !iterates).take(MOST_TOUCHED).map(|place| Diag {
        code: "CIRCULAR".to_owned(),
        address: host.place(*place),
        formula: None,
        detail: Some("the formula refers to itself in a circle: it is 0 until the circle is broken, or keeps its last value".to_owned()),
    });
    told.errors.extend(circular);
    let behind = settled.behind_circles.iter().take(MOST_TOUCHED).map(|place| Diag {
        code: "CIRCULAR".to_owned(),
        address: host.place(*place),
        formula: None,
        detail: Some(
            "it depends on formulas that refer to themselves in a circle, so its value means nothing"
                .to_owned(),
        ),
    });
    told.errors.extend(behind);
    let unanswered = settled.unanswerable.iter().take(MOST_TOUCHED).map(|(place, why)| Diag {
        code: "NOT_CALCULATED".to_owned(),
        address: host.place(*place),
        formula: None,
        detail: Some(why.to_string()),
    });
    told.errors.extend(unanswered);
    sheets.extend(settled.changed.iter().map(|place| place.sheet));
    sheets.sort_unstable();
    sheets.dedup();
    for sheet in sheets {
        let used = host.extent(sheet)?;
        told.updated_sheets.push(UpdatedSheet {
            name: host.sheet_name(sheet),
            used_range: used.map(|area| area.to_string()),
        });
    }
    Ok(told)
}

/// What goes into a cell. `value: null` clears it; a formula is given as `formula`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CellInput {
    address: CellArg,
    #[serde(default, deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    value: Option<Given>,
    formula: Option<String>,
    /// A number format such as `0.0%`.
    format: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    note: Option<Option<NoteInput>>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    link: Option<Option<LinkInput>>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    thread: Option<Option<ThreadInput>>,
}

/// Tells null from what is left out.
pub(crate) fn given<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A value of a cell: a number, a text, true or false, or a Date.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Given {
    Number(f64),
    Bool(bool),
    Text(String),
    Date(DateInput),
    Nothing(()),
}

impl Given {
    /// So many milliseconds since 1970.
    pub(crate) fn date(date: f64) -> Self {
        Self::Date(DateInput { date })
    }

    /// A text that is a formula, where formulas may stand among values.
    pub(crate) fn formula(&self) -> Option<&str> {
        match self {
            Given::Text(text) if text.starts_with('=') && text.len() > 1 => Some(text),
            _ => None,
        }
    }
}

/// A JavaScript Date.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DateInput {
    /// Milliseconds since 1970.
    #[serde(rename = "$date")]
    date: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteInput {
    text: String,
    author: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkInput {
    url: Option<String>,
    /// A place in the workbook, such as `Sheet2!A1`.
    #[serde(rename = "ref")]
    place: Option<String>,
    tooltip: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadInput {
    #[serde(default)]
    add: Vec<CommentInput>,
    resolved: Option<bool>,
    #[serde(default)]
    delete: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommentInput {
    text: String,
    author: Option<String>,
}

function! {
    /// Put values, formulas, formats, notes, links and comments into cells, and calculate. A sheet that is named and
    /// not there is made.
    "setCells" SetCells { cells: Vec<CellInput>, options: Option<SetOptions> } -> WriteResult => set_cells
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetOptions {
    #[serde(default)]
    validation_mode: ValidationMode,
}

/// What becomes of entries that a data validation does not allow: they are told of in `notes`, or nothing is written.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ValidationMode {
    #[default]
    Ignore,
    Reject,
}

fn set_cells(host: &mut Host, call: SetCells) -> Result<WriteResult, Fault> {
    if call.cells.is_empty() {
        return Err(Fault::invalid("the list of cells is empty"));
    }
    if call.cells.len() > MOST_CELLS {
        return Err(Fault::new(
            "LIMIT_EXCEEDED",
            format!(
                "{} cells in one call; {MOST_CELLS} are possible: give them in several calls",
                call.cells.len()
            ),
        ));
    }
    let mut edits = new_sheets(host, &call.cells)?;
    let made: Vec<String> = edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::AddSheet { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect();
    let mode = call.options.unwrap_or_default().validation_mode;
    let mut notes: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<CellChange>> = BTreeMap::new();
    let mut formats: BTreeMap<(String, String), Vec<Area>> = BTreeMap::new();
    let mut others: Vec<Edit> = Vec::new();
    for (index, cell) in call.cells.into_iter().enumerate() {
        let within = |fault: Fault| Fault { message: format!("cells[{index}]: {}", fault.message), ..fault };
        let (sheet, at) = place(host, &cell.address, &made).map_err(within)?;
        let input = input(&cell).map_err(within)?;
        if input.is_none()
            && cell.format.is_none()
            && cell.note.is_none()
            && cell.link.is_none()
            && cell.thread.is_none()
        {
            return Err(within(Fault::invalid(
                "nothing is said of the cell; give `value`, `formula`, `format`, `note`, `link` or `thread`",
            )));
        }
        if let Some(input) = input {
            if let Some(why) = super::validation::broken(host, &sheet, at, &input)? {
                if mode == ValidationMode::Reject {
                    return Err(within(Fault::new("VALIDATION_FAILED", why)));
                }
                notes.push(why);
            }
            if let Input::Text(text) = &input
                && let Some(kind) = looks_like(text)
                && cell.format.as_deref() != Some("@")
            {
                let place = format!("{}!{at}", crate::host::quoted(&sheet));
                notes.push(format!("{place} holds the text `{text}`, which looks like {kind}"));
            }
            values.entry(sheet.clone()).or_default().push(CellChange { at, input });
        }
        if let Some(format) = cell.format {
            formats.entry((sheet.clone(), format)).or_default().push(Area::cell(at));
        }
        others.extend(attached(&sheet, at, cell.note, cell.link, cell.thread).map_err(within)?);
    }
    edits.extend(values.into_iter().map(|(sheet, cells)| Edit::SetCells { sheet, cells, seen: None }));
    edits.extend(formats.into_iter().map(|((sheet, format), areas)| {
        let style = StyleChange { number_format: Some(format), ..StyleChange::default() };
        Edit::SetStyle { sheet, areas: joined(areas), style }
    }));
    edits.extend(others);
    let written = host.write(edits)?;
    let mut told = told(host, &written)?;
    notes.truncate(MOST_NOTES);
    told.notes = notes;
    Ok(told)
}

/// What lies on a cell: given it, or taken off.
fn attached(
    sheet: &str,
    at: CellRef,
    note: Option<Option<NoteInput>>,
    link: Option<Option<LinkInput>>,
    thread: Option<Option<ThreadInput>>,
) -> Result<Vec<Edit>, Fault> {
    let mut others = Vec::new();
    match note {
        Some(Some(note)) => {
            others.push(Edit::SetNote { sheet: sheet.to_owned(), at, text: note.text, author: note.author })
        }
        Some(None) => others.push(Edit::RemoveNotes { sheet: sheet.to_owned(), areas: vec![Area::cell(at)] }),
        None => {}
    }
    match link {
        Some(Some(link)) => {
            let to = match (link.url, link.place) {
                (Some(url), None) => LinkTo::Address(url),
                (None, Some(place)) => LinkTo::Place(place),
                _ => return Err(Fault::invalid("`link` takes either `url` or `ref`")),
            };
            others.push(Edit::SetLink {
                sheet: sheet.to_owned(),
                area: Area::cell(at),
                to,
                tooltip: link.tooltip,
            });
        }
        Some(None) => others.push(Edit::RemoveLinks { sheet: sheet.to_owned(), areas: vec![Area::cell(at)] }),
        None => {}
    }
    match thread {
        Some(Some(thread)) => others.extend(thread_edits(sheet, at, thread)),
        Some(None) => others.push(Edit::DeleteThread { sheet: sheet.to_owned(), at }),
        None => {}
    }
    Ok(others)
}

/// Sheets that are named and not there yet.
fn new_sheets(host: &Host, cells: &[CellInput]) -> Result<Vec<Edit>, Fault> {
    let mut names: Vec<String> = Vec::new();
    for cell in cells {
        let name = match &cell.address {
            CellArg::At(at) => Some(at.sheet.clone()),
            CellArg::Text(text) => reference::split(text).map(|(sheet, _)| sheet),
        };
        if let Some(name) = name
            && host.view().workbook().position(&name).is_none()
            && !names.iter().any(|known| known.to_lowercase() == name.to_lowercase())
        {
            let known = host.view().workbook().sheets.iter().map(|tab| tab.name.as_str());
            if let Some(near) = edit::nearest(&name, known) {
                return Err(Fault::new(
                    "SHEET_NOT_FOUND",
                    format!(
                        "there is no sheet `{name}`; did you mean `{near}`? To make a new one of that name, call addSheet first"
                    ),
                ));
            }
            names.push(name);
        }
    }
    Ok(names.into_iter().map(|name| Edit::AddSheet { name, before: None }).collect())
}

fn place(host: &Host, address: &CellArg, made: &[String]) -> Result<(String, CellRef), Fault> {
    let new = |sheet: &str| made.iter().find(|name| name.to_lowercase() == sheet.to_lowercase()).cloned();
    match address {
        CellArg::At(at) => {
            if let Some(sheet) = new(&at.sheet) {
                return Ok((sheet, CellRef::new(at.row.saturating_sub(1), at.col.index()?)));
            }
        }
        CellArg::Text(text) => {
            if let Some((sheet, cell)) = reference::split(text)
                && let Some(sheet) = new(&sheet)
            {
                let at = cell.to_ascii_uppercase().parse::<CellRef>();
                return Ok((
                    sheet,
                    at.map_err(|refusal| Fault::new("ADDRESS_PARSE_ERROR", refusal.to_string()))?,
                ));
            }
        }
    }
    let (sheet, at) = reference::cell(host, address)?;
    Ok((host.sheet_name(sheet), at))
}

fn input(cell: &CellInput) -> Result<Option<Input>, Fault> {
    match (&cell.value, &cell.formula) {
        (Some(_), Some(_)) => Err(Fault::invalid("`value` and `formula` exclude one another")),
        (None, Some(formula)) => Ok(Some(Input::Formula(formula.clone()))),
        (Some(value), None) => as_input(value).map(Some),
        (None, None) => Ok(None),
    }
}

pub(crate) fn as_input(value: &Given) -> Result<Input, Fault> {
    Ok(match value {
        Given::Nothing(()) => Input::Clear,
        Given::Number(number) => Input::Number(*number),
        Given::Bool(truth) => Input::Bool(*truth),
        Given::Text(text) if text.starts_with('=') && text.len() > 1 => {
            return Err(Fault::invalid(format!("the value `{text}` begins with `=`; give it as `formula`")));
        }
        Given::Text(text) => Input::Text(text.clone()),
        Given::Date(date) => Input::Date(iso(date.date)),
    })
}

impl DateInput {
    /// As `2024-02-29`.
    pub(crate) fn day(&self) -> String {
        iso(self.date).chars().take(10).collect()
    }
}

/// Milliseconds since 1970 as `2024-02-29T13:30:00`, or the day alone at midnight.
fn iso(milliseconds: f64) -> String {
    let text = edit::utc((milliseconds / 1000.0).round() as i64);
    let text = text.trim_end_matches('Z');
    text.strip_suffix("T00:00:00").unwrap_or(text).to_owned()
}

fn thread_edits(sheet: &str, at: CellRef, thread: ThreadInput) -> Vec<Edit> {
    let mut edits = Vec::new();
    if thread.delete {
        edits.push(Edit::DeleteThread { sheet: sheet.to_owned(), at });
    }
    let comments = thread.add.into_iter().map(|comment| Edit::AddComment {
        sheet: sheet.to_owned(),
        at,
        text: comment.text,
        author: comment.author,
    });
    edits.extend(comments);
    if let Some(resolved) = thread.resolved {
        edits.push(Edit::ResolveThread { sheet: sheet.to_owned(), at, resolved });
    }
    edits
}

/// Neighbouring cells of a column as one area, because an edit of a thousand cells one by one costs a thousand.
pub(crate) fn joined(mut areas: Vec<Area>) -> Vec<Area> {
    areas.sort_unstable_by_key(|area| (area.left, area.right, area.top));
    let mut all: Vec<Area> = Vec::new();
    for area in areas {
        match all.last_mut() {
            Some(last)
                if last.left == area.left && last.right == area.right && last.bottom + 1 == area.top =>
            {
                last.bottom = area.bottom;
            }
            _ => all.push(area),
        }
    }
    all
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ScaleOptions {
    /// Leave formulas as they are; the default.
    skip_formulas: Option<bool>,
}

function! {
    /// Multiply the numbers of a range. Dates, texts and, unless asked for, formulas stay.
    "scaleRange" ScaleRange { range: RangeArg, factor: f64, options: Option<ScaleOptions> } -> WriteResult => scale_range
}

fn scale_range(host: &mut Host, call: ScaleRange) -> Result<WriteResult, Fault> {
    let range = reference::range(host, &call.range)?;
    let skip = call.options.and_then(|options| options.skip_formulas).unwrap_or(true);
    let view = host.view();
    let sheet = host.sheet(range.sheet)?;
    let mut cells = Vec::new();
    for cell in sheet.cells(range.area)? {
        let Value::Number(number) = cell.value else { continue };
        if view.is_date(&cell)? {
            continue;
        }
        match &cell.formula {
            None => cells.push(CellChange { at: cell.at, input: Input::Number(number * call.factor) }),
            Some(_) if skip => {}
            Some(formula) => {
                let text = format!("=({})*{}", formula.shown(), call.factor);
                cells.push(CellChange { at: cell.at, input: Input::Formula(text) });
            }
        }
    }
    if cells.is_empty() {
        return Err(Fault::new(
            "NOT_FOUND",
            format!("{} has no numbers to scale", host.address(range.sheet, range.area)),
        ));
    }
    let written =
        host.write(vec![Edit::SetCells { sheet: host.sheet_name(range.sheet), cells, seen: None }])?;
    told(host, &written)
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PasteType {
    #[default]
    All,
    Values,
    Formulas,
    Formats,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CopyOptions {
    #[serde(default)]
    paste_type: PasteType,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Copied {
    destination: String,
    cells_copied: u64,
    pub(crate) errors: Vec<Diag>,
}

function! {
    /// Copy cells to where the first of them goes; references in formulas move along.
    "copyRange" CopyRange { range: RangeArg, to: CellArg, options: Option<CopyOptions> } -> Copied => copy_range
}

fn copy_range(host: &mut Host, call: CopyRange) -> Result<Copied, Fault> {
    let from = reference::range(host, &call.range)?;
    let (sheet, at) = reference::cell(host, &call.to)?;
    let kind = call.options.unwrap_or_default().paste_type;
    if from.area.count() > MOST_CELLS as u64 {
        return Err(Fault::new(
            "RANGE_TOO_LARGE",
            format!("{} cells in one call; {MOST_CELLS} are possible", from.area.count()),
        ));
    }
    let beyond = || Fault::new("RANGE_PARSE_ERROR", "the copy would reach beyond the sheet");
    let moved = |cell: CellRef| {
        let row = at.row.checked_add(cell.row - from.area.top).filter(|row| *row < 1_048_576)?;
        let col = at.col.checked_add(cell.col - from.area.left).filter(|col| *col < 16_384)?;
        Some(CellRef::new(row, col))
    };
    let destination = Area::new(at, moved(from.area.last()).ok_or_else(beyond)?);
    let to_name = host.sheet_name(sheet);
    let source = host.sheet(from.sheet)?;
    let found = source.cells(from.area)?;
    let mut edits = Vec::new();
    if kind != PasteType::Formats {
        let mut cells: BTreeMap<CellRef, Input> =
            destination.cells().map(|cell| (cell, Input::Clear)).collect();
        for cell in &found {
            let Some(target) = moved(cell.at) else { continue };
            if matches!(kind, PasteType::All | PasteType::Formulas)
                && let Some((_, array, FormulaKind::Array(_))) = source.array_at(cell.at)?
                && !array.is_cell()
            {
                return Err(Fault::new(
                    "UNSUPPORTED",
                    format!(
                        "{} is one array formula; copy its values (pasteType \"values\"), or write it anew with setCells",
                        host.address(from.sheet, array)
                    ),
                ));
            }
            // What a formula of the range spills comes with its copy, and would be in its way.
            if matches!(kind, PasteType::All | PasteType::Formulas)
                && let Some((head, _, FormulaKind::Dynamic(_))) = source.array_at(cell.at)?
                && head != cell.at
                && from.area.contains(head)
            {
                continue;
            }
            let input = match (&cell.formula, kind) {
                (Some(formula), PasteType::All | PasteType::Formulas) => {
                    Input::Formula(sheet::formula_moved(&formula.shown(), cell.at, target))
                }
                _ => match &host.valued(from.sheet, cell.clone())?.value {
                    Value::Blank => Input::Clear,
                    Value::Number(number) => Input::Number(*number),
                    Value::Bool(truth) => Input::Bool(*truth),
                    Value::Text(text) => Input::Text(text.to_string()),
                    Value::Error(error) => Input::Error(error.to_string()),
                },
            };
            cells.insert(target, input);
        }
        let cells = cells.into_iter().map(|(at, input)| CellChange { at, input }).collect();
        edits.push(Edit::SetCells { sheet: to_name.clone(), cells, seen: None });
    }
    if matches!(kind, PasteType::All | PasteType::Formats) {
        edits.extend(formats(host, from, &moved)?.into_iter().map(|(like, areas)| {
            let style = StyleChange { like: Some(like), ..StyleChange::default() };
            Edit::SetStyle { sheet: to_name.clone(), areas: joined(areas), style }
        }));
    }
    host.read(from);
    let written = host.write(edits)?;
    let errors = told(host, &written)?.errors;
    Ok(Copied { destination: host.address(sheet, destination), cells_copied: from.area.count(), errors })
}

pub(crate) fn edited(host: &mut Host, edit: Edit) -> Result<WriteResult, Fault> {
    let written = host.write(vec![edit])?;
    told(host, &written)
}

pub(crate) fn known_sheet(host: &Host, name: &str) -> Result<String, Fault> {
    Ok(host.sheet_name(sheet_position(host.view(), name)?))
}

function! {
    /// A new sheet, last; answers its name.
    "addSheet" AddSheet { name: String } -> String => add_sheet
}

fn add_sheet(host: &mut Host, call: AddSheet) -> Result<String, Fault> {
    host.write(vec![Edit::AddSheet { name: call.name.clone(), before: None }])?;
    known_sheet(host, &call.name)
}

function! {
    /// Delete a sheet; formulas that read it come to #REF!.
    "deleteSheet" DeleteSheet { name: String } -> WriteResult => delete_sheet
}

fn delete_sheet(host: &mut Host, call: DeleteSheet) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.name)?;
    edited(host, Edit::DeleteSheet { sheet })
}

function! {
    /// Rename a sheet; formulas follow. Answers the new name.
    "renameSheet" RenameSheet { name: String, to: String } -> String => rename_sheet
}

fn rename_sheet(host: &mut Host, call: RenameSheet) -> Result<String, Fault> {
    let sheet = known_sheet(host, &call.name)?;
    host.write(vec![Edit::RenameSheet { sheet, to: call.to.clone() }])?;
    known_sheet(host, &call.to)
}

/// Which formats the cells of a range have, with the places that they go to.
fn formats(
    host: &Host,
    from: Range,
    moved: &dyn Fn(CellRef) -> Option<CellRef>,
) -> Result<BTreeMap<u32, Vec<Area>>, Fault> {
    let around = Around::new(host, from.sheet)?;
    let found = host.sheet(from.sheet)?.cells(from.area)?;
    let mut cells = found.iter().peekable();
    let mut formats: BTreeMap<u32, Vec<Area>> = BTreeMap::new();
    for at in from.area.cells() {
        let style = match cells.next_if(|cell| cell.at == at) {
            Some(cell) => cell.style,
            None => around.style_of_blank(host, at)?,
        };
        if let Some(target) = moved(at) {
            formats.entry(style).or_default().push(Area::cell(target));
        }
    }
    Ok(formats)
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Named {
    name: String,
    range: String,
    scope: Option<String>,
}

function! {
    /// Define a name for a range or a formula (`=…`), for the workbook or for one sheet.
    "addDefinedName" AddDefinedName { name: String, range: RangeArg, scope: Option<String> } -> Named => add_name
}

fn add_name(host: &mut Host, call: AddDefinedName) -> Result<Named, Fault> {
    let formula = match &call.range {
        RangeArg::Text(text) if text.starts_with('=') => text.trim_start_matches('=').to_owned(),
        range => {
            let Range { sheet, area } = reference::exact_range(host, range)?;
            format!("{}!{}", quoted(&host.sheet_name(sheet)), fixed(area))
        }
    };
    let scope = call.scope.as_deref().map(|name| known_sheet(host, name)).transpose()?;
    host.write(vec![Edit::DefineName { name: call.name.clone(), scope: scope.clone(), formula }])?;
    let book = host.view().workbook();
    let position = scope.as_deref().and_then(|scope| book.position(scope));
    let made = book
        .names
        .iter()
        .find(|name| name.name.to_lowercase() == call.name.to_lowercase() && name.scope == position);
    let made = made.ok_or_else(|| Fault::new("NOT_FOUND", format!("the name {} was not made", call.name)))?;
    Ok(Named { name: made.name.clone(), range: made.formula.clone(), scope })
}

/// `$A$1:$B$2`, which does not move when it is read from elsewhere.
fn fixed(area: Area) -> String {
    let corner = |text: &str| {
        let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let (letters, digits) = text.split_at(digits);
        let dollar = |part: &str| if part.is_empty() { String::new() } else { format!("${part}") };
        format!("{}{}", dollar(letters), dollar(digits))
    };
    area.to_string().split(':').map(corner).collect::<Vec<_>>().join(":")
}

function! {
    /// Delete a defined name.
    "deleteDefinedName" DeleteDefinedName { name: String, scope: Option<String> } -> WriteResult => delete_name
}

fn delete_name(host: &mut Host, call: DeleteDefinedName) -> Result<WriteResult, Fault> {
    let scope = call.scope.as_deref().map(|name| known_sheet(host, name)).transpose()?;
    edited(host, Edit::DeleteName { name: call.name, scope })
}

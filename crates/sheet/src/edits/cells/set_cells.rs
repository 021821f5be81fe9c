//! Values and formulas into cells.
//!
//! Cells of one row are merged into the row in one pass; a row that is not there is put between its
//! neighbours. Nothing else of the sheet moves, except the hints that would otherwise be wrong: `spans` of
//! the row, `dimension` of the sheet, the counts of shared strings.

mod writer;

use std::borrow::Cow;
use std::collections::BTreeMap;

use edit::{Context, Note, OrEmpty, Planned, Refusal, Step};
use formula::{ErrorKind, Region};
use ooxml::xml::ns;

use crate::calc::view::View;
use crate::edits::cells::entered_text;
use crate::edits::cells::rich;
use crate::edits::cells::typed::{self, Typing};
use crate::edits::entry::{self, rule};
use crate::edits::input::{CellChange, Input, Outcome};
use crate::file::a1::{Area, CellRef};
use crate::file::strings::encode;
use crate::file::worksheet::ArrayKind;
use crate::file::xml_edit::Xml;
use crate::read::sheet_view::SheetView;

use writer::Writer;

/// Cells that one edit may set.
const MOST_CELLS: usize = 2_000_000;

pub(crate) fn plan(view: &View, sheet: &str, changes: &[CellChange]) -> Result<Planned<Outcome>, Refusal> {
    plan_with(view, &view.sheet(sheet)?, changes, None)
}

/// The same, with what was typed in a language and a year.
pub(crate) fn plan_typed(
    view: &View,
    sheet: &str,
    changes: &[CellChange],
    typing: Typing,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(sheet)?;
    let mut notes = Vec::new();
    let typed = read_typed(view, &sheet, changes, typing, &mut notes)?;
    let changes = typed.as_deref().unwrap_or(changes);
    let mut planned = plan_with(view, &sheet, changes, None)?;
    notes.extend(crate::edits::rules::validity::misfits(view, &sheet, changes, cx)?);
    notes.extend(beside_table(&sheet, changes)?);
    planned.step.notes.extend(notes.into_iter().take(5));
    Ok(planned)
}

/// The same, with a formula for one of the cells that no input can tell: the head of an array or of a data table.
pub(crate) fn plan_with(
    view: &View,
    sheet: &SheetView<'_>,
    changes: &[CellChange],
    head: Option<(CellRef, String)>,
) -> Result<Planned<Outcome>, Refusal> {
    let inputs: BTreeMap<CellRef, &Input> = changes.iter().map(|change| (change.at, &change.input)).collect();
    if changes.len() > MOST_CELLS {
        return Err(entry::too_many_cells(changes.len() as u64, MOST_CELLS as u64));
    }
    let mut notes: Vec<Note> = Vec::new();
    for (at, input) in &inputs {
        check_input(*at, input)?;
        if let Input::Formula(text) = input {
            let found = crate::edits::cells::mentions::check(
                view,
                text.strip_prefix('=').unwrap_or(text),
                sheet.position,
            )?;
            notes.extend(found.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
        }
    }
    check_places(sheet, &inputs)?;
    notes.extend(under_pivot_table(sheet, &inputs)?);
    let mut writer = Writer::new(sheet)?;
    writer.head = head;
    writer.release_shared(&inputs)?;
    writer.clear_spills(&inputs)?;
    let mut rows: BTreeMap<u32, Vec<(CellRef, &Input)>> = BTreeMap::new();
    for (at, input) in &inputs {
        rows.entry(at.row).or_default().push((*at, input));
    }
    for (row, cells) in &rows {
        writer.row(*row, cells)?;
    }
    let mut step = writer.finish()?;
    rename_columns(view, sheet, &inputs, &mut step)?;
    step.summary = summary(sheet, &inputs);
    step.notes.extend(notes.into_iter().take(5));
    let outcome = Outcome { sheet: sheet.name().to_owned(), touched: areas(&inputs), ..Outcome::default() };
    Ok(Planned { step, outcome })
}

/// Excel lets a table grow over what a person types right below or beside it; what is written here stays outside.
fn beside_table(sheet: &SheetView<'_>, changes: &[CellChange]) -> Result<Option<Note>, Refusal> {
    let filled = || changes.iter().filter(|change| !matches!(change.input, Input::Clear));
    for table in sheet.tables()? {
        let area = table.area;
        let below = filled().find(|change| {
            table.totals_rows == 0
                && change.at.row == area.bottom + 1
                && (area.left..=area.right).contains(&change.at.col)
        });
        let beside = || {
            filled().find(|change| {
                change.at.col == area.right + 1 && (area.top..=area.bottom).contains(&change.at.row)
            })
        };
        if let Some(change) = below.or_else(beside) {
            let grown = area.hull(&Area::cell(change.at));
            let text = format!(
                "{} lies right beside table `{}` ({area}) and is no part of it; set_table with the area {grown} makes it one",
                change.at, table.name
            );
            return Ok(Some(Note { level: edit::Level::Info, text }));
        }
    }
    Ok(None)
}

/// Entries as they were typed, read, and formulas as they are entered; a cell whose format is text takes what is typed
/// as text.
fn read_typed(
    view: &View,
    sheet: &SheetView<'_>,
    changes: &[CellChange],
    typing: Typing,
    notes: &mut Vec<Note>,
) -> Result<Option<Vec<CellChange>>, Refusal> {
    if !changes.iter().any(|change| matches!(change.input, Input::Typed(_) | Input::Formula(_))) {
        return Ok(None);
    }
    let read = |change: &CellChange| -> Result<CellChange, Refusal> {
        let input = match &change.input {
            Input::Typed(text) => typed_input(view, sheet, change.at, text, typing, notes)?,
            input => input.clone(),
        };
        let Input::Formula(text) = input else { return Ok(CellChange { at: change.at, input }) };
        let entered = entered_text::entered(view, sheet.position, change.at, &text)?;
        notes.extend(entered.notes);
        Ok(CellChange { at: change.at, input: Input::Formula(format!("={}", entered.body)) })
    };
    changes.iter().map(read).collect::<Result<Vec<_>, _>>().map(Some)
}

fn typed_input(
    view: &View,
    sheet: &SheetView<'_>,
    at: CellRef,
    text: &str,
    typing: Typing,
    notes: &mut Vec<Note>,
) -> Result<Input, Refusal> {
    let style = sheet.cell(at)?.map_or(0, |cell| cell.style);
    let code = sheet.book.number_format(style)?;
    if code == "@" && !text.is_empty() && !text.starts_with('\'') {
        return Ok(Input::Text(text.to_owned()));
    }
    let region = Region { dates: sheet.book.workbook.dates, locale: typing.locale };
    let input = match typed::read(text, region, typing.year) {
        // Into a cell that shows per cent, 55 is typed for 55 %; 0.55 is the same.
        Input::Number(number) if number.abs() >= 1.0 && is_percent(code) => Input::Number(number / 100.0),
        Input::Text(text) => match signed_formula(view, sheet.position, &text) {
            Some(formula) => Input::Formula(formula),
            None => Input::Text(text),
        },
        read => read,
    };
    if matches!(input, Input::Number(_) | Input::Formatted { .. }) {
        notes.extend(lost_digits(at, text.trim()));
    }
    Ok(input)
}

/// `+A1*2` and `-B2`, which are formulas to Excel, and `@SUM(A1:A9)`. Everything in it has to be known: a dash may begin
/// a line of text, and signs between numbers alone are more often those of a telephone than a sum.
fn signed_formula(view: &View, home: usize, text: &str) -> Option<String> {
    let trimmed = text.trim();
    let body = match trimmed.strip_prefix('@') {
        Some(call) if call.contains('(') => call,
        _ => trimmed.strip_prefix(['+', '-']).map(|_| trimmed)?,
    };
    crate::edits::cells::mentions::knows_all(view, home, body).then(|| format!("={body}"))
}

/// What a number does not keep of what was typed.
fn lost_digits(at: CellRef, text: &str) -> Option<Note> {
    let digits = text.trim_start_matches(['+', '-']);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let bare = digits.trim_start_matches('0');
    let why = if bare.trim_end_matches('0').len() > 15 {
        "has more digits than the 15 that a number keeps"
    } else if digits.len() > 1 && bare.len() < digits.len() && !bare.is_empty() {
        "lost the zeros before it"
    } else {
        return None;
    };
    let text = format!("{at}: `{text}` became a number and {why}; an apostrophe before it keeps it as text");
    Some(Note { level: edit::Level::Warning, text })
}

/// Whether a format shows numbers as per cent.
fn is_percent(code: &str) -> bool {
    code.split('"').step_by(2).any(|part| part.replace("\\%", "").contains('%'))
}

/// What a pivot table shows is made anew whenever it is refreshed, and nobody is told what stood there.
fn under_pivot_table(
    sheet: &SheetView<'_>,
    inputs: &BTreeMap<CellRef, &Input>,
) -> Result<Option<Note>, Refusal> {
    let areas = crate::read::pivot_areas::pivot_areas(sheet)?;
    let covered = inputs.keys().find(|at| areas.iter().flatten().any(|area| area.contains(**at)));
    Ok(covered.map(|at| Note {
        level: edit::Level::Warning,
        text: format!("{at} lies in a pivot table, which writes over it when it is refreshed"),
    }))
}

/// The header cells of a table are the names of its columns: writing one renames the column, here and in the
/// formulas that use it.
fn rename_columns(
    view: &View,
    sheet: &SheetView<'_>,
    inputs: &BTreeMap<CellRef, &Input>,
    step: &mut Step,
) -> Result<(), Refusal> {
    for table in sheet.tables()?.iter().filter(|table| table.header_rows > 0) {
        let header = Area { bottom: table.area.top, ..table.area };
        let mut names = table.columns.clone();
        let mut renamed = Vec::new();
        for (at, input) in inputs_in(inputs, &header) {
            let index = (at.col - header.left) as usize;
            let Some(text) = plain_text(input) else {
                return Err(Refusal::Unsafe {
                    why: format!(
                        "{at} is the header of a column of table `{}` and has to be text",
                        table.name
                    ),
                    instead: Some("write a text, or delete the table first".to_owned()),
                });
            };
            let Some(name) = names.get_mut(index) else { continue };
            if *name != *text {
                renamed.push((index, std::mem::replace(name, text.clone().into_owned()), text.into_owned()));
            }
        }
        let clash = names.iter().enumerate().find(|(index, name)| {
            name.is_empty()
                || names.iter().skip(index + 1).any(|other| crate::file::workbook::same_name(other, name))
        });
        if let (Some((_, name)), false) = (clash, renamed.is_empty()) {
            return Err(Refusal::Unsafe {
                why: format!("two columns of table `{}` would be called `{name}`", table.name),
                instead: Some("give the column another name".to_owned()),
            });
        }
        for (index, from, to) in renamed {
            let content = step.patch.apply(&view.content)?;
            let now = view.clone().after(&step.patch, &content)?;
            let change = formula::Change::RenameColumn { table: table.name.clone(), from, to: to.clone() };
            let mut follow = crate::edits::lines::follow::Follow::new(&now, change, None);
            follow.everything()?;
            let document = ooxml::read_xml(&content, &table.part)?;
            let xml = Xml::new(&table.part, &document);
            let list = document.root().child(ns::S, "tableColumns");
            let node =
                list.and_then(|list| list.elements().filter(|node| node.is(ns::S, "tableColumn")).nth(index));
            if let Some(node) = node {
                xml.set_attribute(&mut follow.patch, &node, "name", &encode_header(&to))?;
            }
            step.patch = step.patch.then(&follow.patch);
        }
    }
    Ok(())
}

/// Line breaks in the names of columns are written as escapes, since attributes cannot hold them.
pub(crate) fn encode_header(text: &str) -> String {
    encode(text).replace('\n', "_x000a_")
}

/// The text that an input puts into a cell, if it is one.
fn plain_text(input: &Input) -> Option<Cow<'_, str>> {
    match input {
        Input::Text(text) => Some(Cow::Borrowed(text)),
        Input::Rich(runs) => Some(Cow::Owned(rich::text(runs))),
        _ => None,
    }
}

fn summary(sheet: &SheetView<'_>, inputs: &BTreeMap<CellRef, &Input>) -> String {
    let mut places = inputs.iter();
    match (places.next(), inputs.len()) {
        (Some((at, input)), 1) => {
            let what = match input {
                Input::Clear => return format!("Clear {}!{at}", sheet.name()),
                Input::Number(number) | Input::Formatted { number, .. } => number.to_string(),
                Input::Text(_) | Input::Rich(_) => {
                    let text = plain_text(input).or_empty();
                    format!("\"{}\"", text.chars().take(40).collect::<String>())
                }
                Input::Shared(_) => "a text that moved".to_owned(),
                Input::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
                Input::Error(text) | Input::Date(text) | Input::Typed(text) => text.clone(),
                Input::Formula(text) => {
                    format!("={}", text.trim_start_matches('=').chars().take(60).collect::<String>())
                }
            };
            format!("Set {}!{at} to {what}", sheet.name())
        }
        (_, count) => format!("Set {count} cells of {}", sheet.name()),
    }
}

/// The touched cells as few areas: runs in a row, and equal runs below one another.
fn areas(inputs: &BTreeMap<CellRef, &Input>) -> Vec<Area> {
    let mut runs: Vec<Area> = Vec::new();
    for at in inputs.keys() {
        match runs.last_mut() {
            Some(run) if run.bottom == at.row && run.top == at.row && run.right + 1 == at.col => {
                run.right = at.col
            }
            _ => runs.push(Area::cell(*at)),
        }
    }
    let mut areas: Vec<Area> = Vec::new();
    for run in runs {
        match areas
            .iter_mut()
            .rev()
            .take(16)
            .find(|a| a.left == run.left && a.right == run.right && a.bottom + 1 == run.top)
        {
            Some(area) => area.bottom = run.bottom,
            None => areas.push(run),
        }
    }
    areas
}

fn check_input(at: CellRef, input: &Input) -> Result<(), Refusal> {
    match input {
        Input::Number(number) | Input::Formatted { number, .. } if !number.is_finite() => {
            Err(Refusal::invalid("number", format!("{number} for {at}"), "a finite number"))
        }
        Input::Text(text) => entry::check_text(text, at),
        Input::Rich(runs) => rich::check(runs, at),
        Input::Error(text) if ErrorKind::parse(text).is_none() => {
            Err(Refusal::invalid("error", format!("`{text}` for {at}"), "an error value such as #N/A"))
        }
        Input::Formula(text) => entry::check_formula(text, at).map(drop),
        _ => Ok(()),
    }
}

/// Refuses what Excel refuses: parts of arrays and data tables, cells hidden under a merge.
fn check_places(sheet: &SheetView<'_>, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
    for merge in sheet.merges() {
        for (at, input) in inputs_in(inputs, &merge) {
            if at != merge.first() && !matches!(input, Input::Clear) {
                return Err(rule(
                    "MERGED_CELL",
                    format!("{at} is covered by the merged cells {merge}, so its value would not be seen"),
                    format!("set {} instead, or unmerge {merge} first", merge.first()),
                ));
            }
        }
    }
    if !sheet.worksheet.has_formulas() {
        return Ok(());
    }
    for array in sheet.worksheet.arrays()? {
        let covered = inputs_in(inputs, &array.area).count() as u64;
        if covered == 0 || covered == array.area.count() {
            continue;
        }
        let anchor = inputs.contains_key(&array.at);
        let (area, head) = (array.area, array.at);
        let refusal = match array.kind {
            ArrayKind::Fixed => rule(
                "ARRAY_MEMBER",
                format!("part of an array formula over {area} cannot be changed"),
                format!("set or clear all of {area} in one edit"),
            ),
            ArrayKind::DataTable => rule(
                "DATA_TABLE",
                format!("part of a data table over {area} cannot be changed"),
                format!("clear all of {area} in one edit, or change the cells that its formulas read"),
            ),
            // Another formula at the head of a spill replaces it whole; a value inside would block it.
            ArrayKind::Dynamic if anchor => continue,
            ArrayKind::Dynamic => rule(
                "SPILL_RANGE",
                format!("part of the spilled array over {area} cannot be changed"),
                format!("change or clear its formula in {head}"),
            ),
        };
        return Err(refusal);
    }
    Ok(())
}

fn inputs_in<'a>(
    inputs: &'a BTreeMap<CellRef, &'a Input>,
    area: &Area,
) -> impl Iterator<Item = (CellRef, &'a Input)> + use<'a> {
    let area = *area;
    inputs
        .range(CellRef::new(area.top, 0)..=area.last())
        .filter(move |(at, _)| area.contains(**at))
        .map(|(at, input)| (*at, *input))
}

//! Rows, columns and sheets that come and go.

use edit::{Blob, Level, Note, Patch, Planned, Refusal, Step};
use formula::Change;
use ooxml::xml::{Node, escape_attribute, ns};
use ooxml::{Conformance, ContentTypes, NewRelationship, NewTarget};

use crate::calc::view::View;
use crate::edits::anchor;
use crate::edits::cells::calc_chain;
use crate::edits::input::{CellChange, Input, Outcome};
use crate::edits::lines::follow::{Axis, Follow, Shift};
use crate::edits::lines::new_lines::{self, NewLines};
use crate::edits::objects::attached::{self, Stage};
use crate::edits::objects::query_fields;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{Visibility, number, same_name, string};
use crate::file::worksheet::{ArrayFormula, ArrayKind};
use crate::file::xml_edit::{DECLARATION, Xml};
use crate::read::pivot_areas::pivot_areas;
use crate::read::query::Query;
use crate::read::sheet_view::SheetView;

const WORKSHEET_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml";

/// Inserts or deletes lines.
pub(crate) fn shift_lines(
    view: &View,
    name: &str,
    axis: Axis,
    at: u32,
    count: u32,
    deletes: bool,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let what = if axis == Axis::Rows { "rows" } else { "columns" };
    if count == 0 || at.checked_add(count).is_none_or(|end| end > axis.size()) {
        let found = format!("{count} {what} from {}", at + 1);
        return Err(Refusal::invalid(what, found, format!("lines within the {} of a sheet", axis.size())));
    }
    let shift = Shift { sheet: sheet.position, axis, at, count, deletes };
    if let Some(stage) = without_spills(view, &sheet, &shift)? {
        let mut planned = shift_lines(stage.view(), name, axis, at, count, deletes)?;
        planned.step.patch = stage.patch().then(&planned.step.patch);
        return Ok(planned);
    }
    check_shift(&sheet, &shift)?;
    let own = sheet.name().to_owned();
    let change = match (axis, deletes) {
        (Axis::Rows, false) => Change::InsertRows { sheet: own.clone(), at, count },
        (Axis::Rows, true) => Change::DeleteRows { sheet: own.clone(), at, count },
        (Axis::Columns, false) => Change::InsertColumns { sheet: own.clone(), at, count },
        (Axis::Columns, true) => Change::DeleteColumns { sheet: own.clone(), at, count },
    };
    let mut follow = Follow::new(view, change, Some(shift));
    follow.everything()?;
    let (mut patch, mut notes) = (follow.patch, follow.notes);
    calc_chain::drop_chain(view, &mut patch)?;
    anchor::mark(sheet.worksheet, axis, &mut patch)?;
    let headers = table_columns(&sheet, &shift, &mut patch)?;
    if !headers.is_empty() {
        // New columns of a table need their names in the cells too, which stand where they stand only after
        // the columns were moved.
        let after = patch.apply(&view.content)?;
        let moved = view.clone().after(&patch, &after)?;
        let named = crate::edits::cells::set_cells::plan(&moved, &own, &headers)?;
        patch = patch.then(&named.step.patch);
    }
    for change in lost_columns(&sheet, &shift)? {
        notes.extend(lose(
            view,
            &change,
            "formulas that named the deleted columns have lost them (#REF!, or fewer columns)",
            &mut patch,
        )?);
    }
    if !deletes {
        let mut stage = Stage::new(view);
        stage.then(&patch)?;
        new_lines::dress(&mut stage, &own, &NewLines { axis, at, count })?;
        patch = stage.patch();
    }
    let (verb, last) = (if deletes { "Delete" } else { "Insert" }, at + count - 1);
    let lines = match axis {
        Axis::Rows => Area { top: at, bottom: last, left: 0, right: formula::MAX_COLS - 1 },
        Axis::Columns => Area { left: at, right: last, top: 0, bottom: formula::MAX_ROWS - 1 },
    };
    let summary = format!("{verb} {what} {lines} of {own}");
    let touched = if deletes { Vec::new() } else { vec![lines] };
    Ok(Planned {
        step: Step { patch, summary, notes },
        outcome: Outcome { sheet: own, touched, ..Outcome::default() },
    })
}

/// The workbook without the formulas that spill over the edge of what is deleted: what they filled goes with them.
fn without_spills(view: &View, sheet: &SheetView<'_>, shift: &Shift) -> Result<Option<Stage>, Refusal> {
    if !shift.deletes {
        return Ok(None);
    }
    let lines = |area: &Area| match shift.axis {
        Axis::Rows => (area.top, area.bottom),
        Axis::Columns => (area.left, area.right),
    };
    let goes = |array: &&ArrayFormula| {
        let (first, last) = lines(&array.area);
        let gone = shift.at..shift.at + shift.count;
        array.kind == ArrayKind::Dynamic && gone.contains(&first) && !gone.contains(&last)
    };
    let cleared = |array: &ArrayFormula| CellChange { at: array.at, input: Input::Clear };
    let cells: Vec<CellChange> = sheet.worksheet.arrays()?.iter().filter(goes).map(cleared).collect();
    if cells.is_empty() {
        return Ok(None);
    }
    let mut stage = Stage::new(view);
    stage.then(&crate::edits::cells::set_cells::plan(view, sheet.name(), &cells)?.step.patch)?;
    Ok(Some(stage))
}

/// Refuses what would tear something apart, as Excel does.
fn check_shift(sheet: &SheetView<'_>, shift: &Shift) -> Result<(), Refusal> {
    if !shift.deletes
        && let Some(last) = last_line(sheet, shift.axis)?
        && last >= shift.at
        && last + shift.count >= shift.axis.size()
    {
        let what = if shift.axis == Axis::Rows { "row" } else { "column" };
        return Err(Refusal::Rule {
            code: "PUSHED_OFF_SHEET",
            why: format!("cells at the end of the sheet (up to {what} {}) would be pushed off it", last + 1),
            instead: Some("delete or clear the last rows or columns first".to_owned()),
        });
    }
    let ends = |area: &Area| match shift.axis {
        Axis::Rows => (area.top, area.bottom),
        Axis::Columns => (area.left, area.right),
    };
    let end = shift.at + shift.count;
    let torn = |area: &Area| {
        let (first, last) = ends(area);
        match shift.deletes {
            false => first < shift.at && shift.at <= last,
            true => {
                let touched = shift.at <= last && first < end;
                touched && !(shift.at <= first && last < end)
            }
        }
    };
    // A formula that spills stays where it is and fills its neighbours anew, as long as it is not deleted itself.
    let spills_on = |array: &ArrayFormula| array.kind == ArrayKind::Dynamic && shift.cell(array.at).is_some();
    let mut torn_arrays = sheet.worksheet.arrays()?.iter().filter(|array| torn(&array.area));
    if let Some(array) = torn_arrays.find(|array| !spills_on(array)) {
        let what = match array.kind {
            ArrayKind::Fixed => "an array formula",
            ArrayKind::Dynamic => "a spilled array",
            ArrayKind::DataTable => "a data table",
        };
        return Err(Refusal::Rule {
            code: "CUTS_ARRAY",
            why: format!("this would cut through {what} over {}", array.area),
            instead: Some("clear it first, or choose lines outside of it".to_owned()),
        });
    }
    for pivot in pivot_areas(sheet)? {
        let Some(area) = pivot.into_iter().reduce(|whole, more| whole.hull(&more)) else { continue };
        // Excel deletes a pivot table only whole, and lets no line into it.
        if torn(&area) || shift.deletes && shift.area(&area).is_none() {
            return Err(Refusal::Rule {
                code: "CUTS_PIVOT_TABLE",
                why: format!("this would cut through a pivot table over {area}"),
                instead: Some("choose lines outside of it".to_owned()),
            });
        }
    }
    for table in sheet.tables()? {
        let gone = shift.deletes && shift.area(&table.area).is_none();
        if gone {
            return Err(Refusal::Rule {
                code: "CUTS_TABLE",
                why: format!("this would delete all of table `{}` ({})", table.name, table.area),
                instead: Some("delete the table first, or keep one of its lines".to_owned()),
            });
        }
        let header = table.area.top;
        let hits = |row: u32| shift.deletes && shift.axis == Axis::Rows && (shift.at..end).contains(&row);
        if table.header_rows > 0 && hits(header) {
            return Err(Refusal::Rule {
                code: "CUTS_TABLE",
                why: format!("row {} is the header of table `{}`", header + 1, table.name),
                instead: Some("keep the header row, or delete the table first".to_owned()),
            });
        }
        let all_data = table.data_rows().is_some_and(|(top, bottom)| shift.at <= top && end > bottom);
        if shift.deletes && shift.axis == Axis::Rows && all_data {
            return Err(Refusal::Rule {
                code: "CUTS_TABLE",
                why: format!("this would delete every data row of table `{}`", table.name),
                instead: Some("keep one row and clear its cells".to_owned()),
            });
        }
        if table.totals_rows > 0 && hits(table.area.bottom) {
            return Err(Refusal::Rule {
                code: "CUTS_TABLE",
                why: format!("row {} is the totals row of table `{}`", table.area.bottom + 1, table.name),
                instead: Some("keep the totals row".to_owned()),
            });
        }
    }
    Ok(())
}

/// The last row or column with a cell. Rows say their numbers, so that their cells need not be read for it.
fn last_line(sheet: &SheetView<'_>, axis: Axis) -> Result<Option<u32>, Refusal> {
    if axis == Axis::Columns {
        return Ok(sheet.extent()?.map(|extent| extent.right));
    }
    let mut last = None;
    sheet.worksheet.each_row(0, formula::MAX_ROWS - 1, &mut |_, _, row| {
        if !row.cells.is_empty() {
            last = last.max(Some(row.row));
        }
        Ok(())
    })?;
    Ok(last)
}

/// The columns of tables that are widened or narrowed; answers the header cells that have to be named.
fn table_columns(
    sheet: &SheetView<'_>,
    shift: &Shift,
    patch: &mut Patch,
) -> Result<Vec<CellChange>, Refusal> {
    let mut headers = Vec::new();
    if shift.axis != Axis::Columns {
        return Ok(headers);
    }
    for table in sheet.tables()? {
        let xml = Xml::new(&table.part, &table.document);
        let Some(list) = xml.root().child(ns::S, "tableColumns") else { continue };
        let nodes: Vec<Node<'_>> = list.elements().filter(|node| node.is(ns::S, "tableColumn")).collect();
        let first = table.area.left;
        if shift.deletes {
            let gone = |index: usize| shift.line(first + index as u32).is_none();
            let left = (0..nodes.len()).filter(|index| !gone(*index)).count();
            if left == nodes.len() {
                continue;
            }
            let lost: Vec<Node<'_>> =
                nodes.iter().enumerate().filter(|(index, _)| gone(*index)).map(|(_, node)| *node).collect();
            for node in &lost {
                xml.remove(patch, node)?;
            }
            if let Some(query) = Query::of(sheet.book, &table)? {
                query.lose(&lost, patch)?;
            }
            xml.set_attribute(patch, &list, "count", &left.to_string())?;
        } else if first < shift.at && shift.at <= table.area.right {
            let Some(before) = nodes.get((shift.at - first) as usize) else { continue };
            let mut id = nodes.iter().filter_map(|node| number(node, "id")).max().unwrap_or(0);
            let (mut markup, mut names) = (String::new(), table.columns.clone());
            let prefix = xml.prefix();
            let fields = match Query::of(sheet.book, &table)? {
                Some(query) => query.gain(Some(before), id + 1..id + 1 + shift.count, patch)?,
                None => None,
            };
            for offset in 0..shift.count {
                let name = fresh_name("Column", &names);
                id += 1;
                let field = query_fields::attributes(id, fields.map(|first| first + offset));
                markup.push_str(&format!("<{prefix}tableColumn id=\"{id}\" name=\"{name}\"{field}/>"));
                if table.header_rows > 0 {
                    let at = CellRef::new(table.area.top, shift.at + offset);
                    headers.push(CellChange { at, input: Input::Text(name.clone()) });
                }
                names.push(name);
            }
            let at = before.span().start;
            xml.splice(patch, at..at, markup)?;
            xml.set_attribute(patch, &list, "count", &(nodes.len() + shift.count as usize).to_string())?;
        }
    }
    Ok(headers)
}

/// The columns of tables that a shift takes away.
fn lost_columns(sheet: &SheetView<'_>, shift: &Shift) -> Result<Vec<Change>, Refusal> {
    if shift.axis != Axis::Columns || !shift.deletes {
        return Ok(Vec::new());
    }
    let lost = sheet.tables()?.into_iter().filter_map(|table| {
        let columns = table.columns.iter().zip(table.area.left..);
        let gone: Vec<String> =
            columns.filter(|(_, line)| shift.line(*line).is_none()).map(|(name, _)| name.clone()).collect();
        let change =
            Change::DeleteTableColumns { table: table.name.clone(), gone, order: table.columns.clone() };
        matches!(&change, Change::DeleteTableColumns { gone, .. } if !gone.is_empty()).then_some(change)
    });
    Ok(lost.collect())
}

/// References to what is gone become `#REF!`; says in which cells.
fn lose(view: &View, change: &Change, what: &str, patch: &mut Patch) -> Result<Option<Note>, Refusal> {
    let after = patch.apply(&view.content)?;
    let now = view.clone().after(patch, &after)?;
    let mut cells = Vec::new();
    for sheet in now.worksheets() {
        let Ok(sheet) = sheet else { continue };
        let Some(extent) = sheet.extent()?.filter(|_| sheet.worksheet.has_formulas()) else { continue };
        let name = formula::quote_sheet(sheet.name());
        sheet.each_cell(extent, &mut |cell| {
            let parsed = cell.formula.as_ref().and_then(|formula| formula::parse(&formula.text).ok());
            if parsed.is_some_and(|parsed| formula::rewrite(&parsed, sheet.name(), None, change).is_some()) {
                cells.push(format!("{name}!{}", cell.at));
            }
        })?;
    }
    let mut follow = Follow::new(&now, change.clone(), None);
    follow.everything()?;
    *patch = patch.then(&follow.patch);
    let Some(first) = cells.get(..cells.len().min(10)).filter(|first| !first.is_empty()) else {
        return Ok(None);
    };
    let more = if cells.len() > first.len() {
        format!(" and {} more", cells.len() - first.len())
    } else {
        String::new()
    };
    let text = format!("{what}: {}{more}", first.join(", "));
    Ok(Some(Note { level: Level::Warning, text }))
}

/// `Column1`, `Column2` and so on, the first that is free.
pub(crate) fn fresh_name(stem: &str, taken: &[String]) -> String {
    let mut number = 1;
    loop {
        let name = format!("{stem}{number}");
        if !taken.iter().any(|known| same_name(known, &name)) {
            return name;
        }
        number += 1;
    }
}

/// Refuses names that Excel would not take for a sheet.
fn check_sheet_name(view: &View, name: &str, except: Option<usize>) -> Result<(), Refusal> {
    let others = view.workbook.sheets.iter().enumerate().filter(|(at, _)| Some(*at) != except);
    check_name_among(name, others.map(|(_, tab)| tab.name.as_str()))
}

pub(crate) fn check_name_among<'a>(
    name: &str,
    mut others: impl Iterator<Item = &'a str>,
) -> Result<(), Refusal> {
    let wrong = |why: &str| {
        Err(crate::edits::entry::rule(
            "BAD_SHEET_NAME",
            format!("`{name}` is no name for a sheet"),
            format!("it has to be {why}"),
        ))
    };
    if name.is_empty() || name.encode_utf16().count() > 31 {
        return wrong("1 to 31 characters long");
    }
    if name.contains([':', '\\', '/', '?', '*', '[', ']']) || name.chars().any(|c| c < ' ') {
        return wrong("a name without : \\ / ? * [ ]");
    }
    if name.starts_with('\'') || name.ends_with('\'') || same_name(name, "History") {
        return wrong("a name that is not `History` and has no apostrophe at either end");
    }
    if others.any(|other| same_name(other, name)) {
        return Err(crate::edits::entry::rule(
            "SHEET_NAME_TAKEN",
            format!("the workbook has a sheet `{name}` already"),
            "choose another name; case makes no difference",
        ));
    }
    Ok(())
}

fn sheet_node<'a>(view: &'a View, position: usize) -> Result<Node<'a>, Refusal> {
    let tab = view.workbook.sheets.get(position);
    let list = view.workbook.document.root().child(ns::S, "sheets");
    let node = list.zip(tab).and_then(|(list, tab)| {
        list.elements().find(|node| node.value(ns::R, "id").is_some_and(|id| id == tab.relationship))
    });
    node.ok_or_else(|| Refusal::internal("a sheet that the workbook does not list"))
}

pub(crate) fn rename_sheet(view: &View, from: &str, to: &str) -> Result<Planned<Outcome>, Refusal> {
    let position = view.workbook.position(from).ok_or_else(|| view.no_sheet(from))?;
    check_sheet_name(view, to, Some(position))?;
    let own = view.workbook.tab(position)?.name.clone();
    let change = Change::RenameSheet { from: own.clone(), to: to.to_owned() };
    let mut follow = Follow::new(view, change, None);
    follow.everything()?;
    let xml = Xml::new(&view.workbook.part, &view.workbook.document);
    xml.set_attribute(&mut follow.patch, &sheet_node(view, position)?, "name", to)?;
    let step =
        Step { patch: follow.patch, summary: format!("Rename sheet {own} to {to}"), notes: follow.notes };
    Ok(Planned { step, outcome: Outcome { sheet: to.to_owned(), touched: Vec::new(), ..Outcome::default() } })
}

pub(crate) fn add_sheet(view: &View, name: &str, before: Option<&str>) -> Result<Planned<Outcome>, Refusal> {
    check_sheet_name(view, name, None)?;
    let workbook = &view.workbook;
    let mut patch = Patch::new();
    let part = ooxml::free_name(&view.content, &format!("{}worksheets/sheet", attached::folder(view)), "xml");
    let namespace = attached::namespace(view);
    patch.put(
        &part,
        Blob::from(format!(
            "{DECLARATION}<worksheet xmlns=\"{namespace}\"><dimension ref=\"A1\"/><sheetData/></worksheet>"
        )),
    );
    let kind = attached::kind(view, "worksheet");
    let new = NewRelationship { kind: &kind, target: NewTarget::Part(&part) };
    let ids = workbook.relationships.add(&mut patch, &[new])?;
    ContentTypes::read(&view.content)?.declare(&mut patch, &[(&part, WORKSHEET_TYPE)])?;
    let xml = Xml::new(&workbook.part, &workbook.document);
    let list =
        xml.root().child(ns::S, "sheets").ok_or_else(|| Refusal::internal("a workbook without sheets"))?;
    let id = list.elements().filter_map(|node| number(&node, "sheetId")).max().unwrap_or(0) + 1;
    let prefix = xml.prefix();
    let attribute = attached::relationship_attribute(&list, workbook.conformance == Conformance::Strict);
    let markup = format!(
        "<{prefix}sheet name=\"{}\" sheetId=\"{id}\" {attribute}=\"{}\"/>",
        escape_attribute(name),
        ids.first().map_or("", |id| id)
    );
    match before {
        None => xml.append(&mut patch, &list, &markup)?,
        Some(before) => {
            let position = workbook.position(before).ok_or_else(|| view.no_sheet(before))?;
            let at = sheet_node(view, position)?.span().start;
            xml.splice(&mut patch, at..at, markup)?;
            renumber(view, &mut patch, &|index| Some(if index >= position { index + 1 } else { index }))?;
        }
    }
    let step = Step { patch, summary: format!("Add sheet {name}"), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: name.to_owned(), touched: Vec::new(), ..Outcome::default() },
    })
}

pub(crate) fn delete_sheet(view: &View, name: &str) -> Result<Planned<Outcome>, Refusal> {
    let workbook = &view.workbook;
    let position = workbook.position(name).ok_or_else(|| view.no_sheet(name))?;
    let tab = workbook.sheets.get(position).ok_or_else(|| view.no_sheet(name))?;
    let others = workbook.sheets.iter().enumerate().filter(|(at, _)| *at != position);
    if others.filter(|(_, tab)| tab.visibility == Visibility::Visible).count() == 0 {
        return Err(Refusal::Rule {
            code: "LAST_VISIBLE_SHEET",
            why: "a workbook must keep one visible sheet".to_owned(),
            instead: Some("add or show another sheet first".to_owned()),
        });
    }
    let order = workbook.sheets.iter().map(|tab| tab.name.clone()).collect();
    let mut follow = Follow::new(view, Change::DeleteSheet { name: tab.name.clone(), order }, None);
    follow.without = Some(position);
    follow.everything()?;
    let lost = follow.lost.get();
    let (mut patch, mut notes) = (follow.patch, follow.notes);
    // Tables go with their sheet.
    let tables: Vec<String> =
        view.tables()?.into_iter().filter(|(at, _)| *at == position).map(|(_, table)| table.name).collect();
    let xml = Xml::new(&workbook.part, &workbook.document);
    xml.remove(&mut patch, &sheet_node(view, position)?)?;
    workbook.relationships.remove(&mut patch, &tab.relationship)?;
    let types = ContentTypes::read(&view.content)?;
    for part in attached::own_parts(view, &tab.part, &workbook.part)? {
        attached::drop_part(view, &mut patch, &types, &part)?;
    }
    renumber(view, &mut patch, &|index| match index.cmp(&position) {
        std::cmp::Ordering::Less => Some(index),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(index - 1),
    })?;
    calc_chain::drop_chain(view, &mut patch)?;
    if !tables.is_empty() {
        let what = format!("formulas that named tables of `{}` have lost them (#REF!)", tab.name);
        notes.extend(lose(view, &Change::DeleteTables { tables }, &what, &mut patch)?);
    }
    if lost {
        let text = format!("formulas that referred to `{}` now show #REF!", tab.name);
        notes.push(Note { level: Level::Info, text });
    }
    let step = Step { patch, summary: format!("Delete sheet {}", tab.name), notes };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: tab.name.clone(), touched: Vec::new(), ..Outcome::default() },
    })
}

/// Positions of sheets are written in names and views; `place` says where each goes, `None` that it is gone.
fn renumber(view: &View, patch: &mut Patch, place: &dyn Fn(usize) -> Option<usize>) -> Result<(), Refusal> {
    let workbook = &view.workbook;
    let xml = Xml::new(&workbook.part, &workbook.document);
    if let Some(list) = xml.root().child(ns::S, "definedNames") {
        let nodes: Vec<Node<'_>> = list.elements().filter(|node| node.is(ns::S, "definedName")).collect();
        let scope = |node: &Node<'_>| number(node, "localSheetId").map(|index| index as usize);
        let gone = |node: &Node<'_>| scope(node).is_some_and(|index| place(index).is_none());
        if !nodes.is_empty() && nodes.iter().all(gone) {
            xml.remove(patch, &list)?;
        } else {
            for node in nodes {
                let Some(index) = scope(&node) else { continue };
                match place(index) {
                    Some(now) => xml.set_attribute(patch, &node, "localSheetId", &now.to_string())?,
                    None => xml.remove(patch, &node)?,
                }
            }
        }
    }
    let Some(views) = xml.root().child(ns::S, "bookViews") else { return Ok(()) };
    for node in views.elements().filter(|node| node.is(ns::S, "workbookView")) {
        for name in ["activeTab", "firstSheet"] {
            let Some(index) = number(&node, name) else { continue };
            let now = place(index as usize).unwrap_or_else(|| {
                // The neighbour that takes the place of a sheet that goes has to be a visible one.
                let visible = workbook
                    .sheets
                    .iter()
                    .enumerate()
                    .position(|(at, tab)| at != index as usize && tab.visibility == Visibility::Visible);
                visible.and_then(place).unwrap_or(0)
            });
            xml.set_attribute(patch, &node, name, &now.to_string())?;
        }
    }
    Ok(())
}

pub(crate) fn move_sheet(view: &View, name: &str, to: usize) -> Result<Planned<Outcome>, Refusal> {
    let workbook = &view.workbook;
    let from = workbook.position(name).ok_or_else(|| view.no_sheet(name))?;
    let count = workbook.sheets.len();
    if to >= count {
        return Err(Refusal::invalid("position", to, format!("0 to {}", count - 1)));
    }
    let own = workbook.tab(from)?.name.clone();
    let mut patch = Patch::new();
    if from != to {
        let xml = Xml::new(&workbook.part, &workbook.document);
        let node = sheet_node(view, from)?;
        let markup = String::from_utf8_lossy(node.source()).into_owned();
        let other = sheet_node(view, to)?.span();
        let at = if to < from { other.start } else { other.end };
        xml.splice(&mut patch, at..at, markup)?;
        xml.remove(&mut patch, &node)?;
        renumber(view, &mut patch, &|index| {
            Some(if index == from {
                to
            } else if from < index && index <= to {
                index - 1
            } else if to <= index && index < from {
                index + 1
            } else {
                index
            })
        })?;
    }
    let step = Step { patch, summary: format!("Move sheet {own} to position {}", to + 1), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome { sheet: own, touched: Vec::new(), ..Outcome::default() } })
}

pub(crate) fn show_sheet(
    view: &View,
    name: &str,
    visibility: Visibility,
) -> Result<Planned<Outcome>, Refusal> {
    let workbook = &view.workbook;
    let position = workbook.position(name).ok_or_else(|| view.no_sheet(name))?;
    let visible = workbook
        .sheets
        .iter()
        .enumerate()
        .filter(|(at, tab)| *at != position && tab.visibility == Visibility::Visible);
    if visibility != Visibility::Visible && visible.count() == 0 {
        return Err(Refusal::Rule {
            code: "LAST_VISIBLE_SHEET",
            why: "a workbook must keep one visible sheet".to_owned(),
            instead: Some("add or show another sheet first".to_owned()),
        });
    }
    let own = workbook.tab(position)?.name.clone();
    let xml = Xml::new(&workbook.part, &workbook.document);
    let node = sheet_node(view, position)?;
    let mut patch = Patch::new();
    match visibility {
        Visibility::Visible if string(&node, "state").is_some() => {
            xml.remove_attribute(&mut patch, &node, "state")?
        }
        Visibility::Visible => {}
        Visibility::Hidden => xml.set_attribute(&mut patch, &node, "state", "hidden")?,
        Visibility::VeryHidden => xml.set_attribute(&mut patch, &node, "state", "veryHidden")?,
    }
    let verb = if visibility == Visibility::Visible { "Show" } else { "Hide" };
    let step = Step { patch, summary: format!("{verb} sheet {own}"), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome { sheet: own, touched: Vec::new(), ..Outcome::default() } })
}

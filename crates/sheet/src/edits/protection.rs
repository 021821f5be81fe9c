//! Protected sheets and workbooks: what their owner locked stays as it is until it is unlocked.

use edit::{Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use crate::edits::attached;
use crate::edits::edit::{Edit, Outcome};
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::flag;
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;
use crate::read::view::View;

/// Refuses what Excel would ask to unprotect a sheet or the workbook for.
pub(crate) fn check(view: &View, edit: &Edit) -> Result<(), Refusal> {
    match edit {
        Edit::SetCells { sheet, cells, .. } => locked_cells(view, sheet, cells.iter().map(|cell| cell.at)),
        Edit::SetArray { sheet, area, .. } | Edit::SetDataTable { sheet, area, .. } => {
            locked_cells(view, sheet, area.cells().take(100_000))
        }
        Edit::SetStyle { sheet, .. }
        | Edit::Merge { sheet, .. }
        | Edit::Unmerge { sheet, .. }
        | Edit::AddConditionalFormat { sheet, .. }
        | Edit::RemoveConditionalFormats { sheet, .. } => locked(view, sheet, "formatCells", "formatting"),
        Edit::SetRows { sheet, .. } => locked(view, sheet, "formatRows", "changing rows"),
        Edit::SetColumns { sheet, .. } => locked(view, sheet, "formatColumns", "changing columns"),
        Edit::InsertRows { sheet, .. } => locked(view, sheet, "insertRows", "inserting rows"),
        Edit::InsertColumns { sheet, .. } => locked(view, sheet, "insertColumns", "inserting columns"),
        Edit::DeleteRows { sheet, .. } => locked(view, sheet, "deleteRows", "deleting rows"),
        Edit::DeleteColumns { sheet, .. } => locked(view, sheet, "deleteColumns", "deleting columns"),
        Edit::SetLink { sheet, .. } | Edit::RemoveLinks { sheet, .. } => {
            locked(view, sheet, "insertHyperlinks", "changing links")
        }
        Edit::SetFilter { sheet, .. } => locked(view, sheet, "autoFilter", "filtering"),
        Edit::SetValidation { sheet, .. }
        | Edit::RemoveValidations { sheet, .. }
        | Edit::AddTable { sheet, .. } => locked(view, sheet, "", "changing rules and tables"),
        Edit::SetNote { sheet, .. }
        | Edit::RemoveNotes { sheet, .. }
        | Edit::AddImage { sheet, .. }
        | Edit::AddChart { sheet, .. }
        | Edit::SetChart { sheet, .. }
        | Edit::MoveDrawing { sheet, .. }
        | Edit::DeleteDrawing { sheet, .. } => locked(view, sheet, "objects", "changing objects"),
        Edit::AddSheet { .. }
        | Edit::DeleteSheet { .. }
        | Edit::RenameSheet { .. }
        | Edit::MoveSheet { .. }
        | Edit::ShowSheet { .. } => locked_structure(view),
        // Tables are found by name, and check the sheet they are on themselves.
        Edit::SetTable { .. }
        | Edit::DeleteTable { .. }
        | Edit::SetSheet { .. }
        | Edit::SetPage { .. }
        | Edit::Protect { .. }
        | Edit::AddComment { .. }
        | Edit::ResolveThread { .. }
        | Edit::DeleteThread { .. }
        | Edit::Freeze { .. }
        | Edit::SetWorkbook { .. }
        | Edit::Calculate
        | Edit::DefineName { .. }
        | Edit::DeleteName { .. } => Ok(()),
        // Asked again once it is known what it means now.
        Edit::Anchored { .. } => Ok(()),
    }
}

fn protection<'a>(sheet: &SheetView<'a>) -> Option<Node<'a>> {
    sheet.root().child(ns::S, "sheetProtection").filter(|node| flag(node, "sheet", false))
}

/// Whether a sheet forbids a kind of change; the attributes say 1 for forbidden. Objects are free unless said.
pub(crate) fn locked(view: &View, name: &str, attribute: &str, what: &str) -> Result<(), Refusal> {
    let Ok(sheet) = view.sheet(name) else { return Ok(()) };
    match protection(&sheet) {
        Some(node) if flag(&node, attribute, attribute != "objects") => Err(denied(&sheet, what.to_owned())),
        _ => Ok(()),
    }
}

fn locked_cells(view: &View, name: &str, cells: impl Iterator<Item = CellRef>) -> Result<(), Refusal> {
    let Ok(sheet) = view.sheet(name) else { return Ok(()) };
    if protection(&sheet).is_none() {
        return Ok(());
    }
    let columns = sheet.column_styles();
    for at in cells {
        let style = match sheet.cell(at)? {
            Some(cell) => cell.style,
            None => match sheet.row_properties(at.row)?.style {
                Some(style) => style,
                None => columns
                    .iter()
                    .find(|(first, last, _)| (*first..=*last).contains(&at.col))
                    .map_or(0, |(_, _, style)| *style),
            },
        };
        if view.style(style)?.locked {
            return Err(denied(&sheet, format!("changing the locked cell {at}")));
        }
    }
    Ok(())
}

fn denied(sheet: &SheetView<'_>, what: String) -> Refusal {
    Refusal::Denied {
        what,
        why: format!("`{}` is protected", sheet.name()),
        instead: Some(
            "change cells that are not locked, or unprotect the sheet first if its owner agrees".to_owned(),
        ),
    }
}

fn locked_structure(view: &View) -> Result<(), Refusal> {
    let node = view.workbook.document.root().child(ns::S, "workbookProtection");
    match node.is_some_and(|node| flag(&node, "lockStructure", false)) {
        false => Ok(()),
        true => Err(Refusal::Denied {
            what: "changing the sheets".to_owned(),
            why: "the structure of the workbook is protected".to_owned(),
            instead: Some("ask its owner to unprotect it in Excel".to_owned()),
        }),
    }
}

/// Protects a sheet, or takes a protection off that has no password.
pub(crate) fn protect(view: &View, name: &str, on: bool) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let known = xml.root().child(ns::S, "sheetProtection");
    let mut patch = Patch::new();
    match (known, on) {
        (None, false) => {}
        (Some(node), true) => xml.set_attribute(&mut patch, &node, "sheet", "1")?,
        (None, true) => {
            let prefix = &sheet.worksheet.spelling().prefix;
            let markup = format!("<{prefix}sheetProtection sheet=\"1\" objects=\"1\" scenarios=\"1\"/>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "sheetProtection", &markup)?;
        }
        (Some(node), false) => {
            let secret = ["password", "hashValue"];
            if secret.iter().any(|name| node.value(ns::NONE, name).is_some_and(|hash| !hash.is_empty())) {
                return Err(Refusal::Denied {
                    what: format!("unprotecting `{}`", sheet.name()),
                    why: "it is protected with a password".to_owned(),
                    instead: Some("ask its owner to unprotect it in Excel".to_owned()),
                });
            }
            xml.remove(&mut patch, &node)?;
        }
    }
    let verb = if on { "Protect" } else { "Unprotect" };
    let summary = format!("{verb} {}", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, Vec::<Area>::new()))
}

//! Protected sheets and workbooks: what their owner locked stays as it is until it is unlocked.

use edit::{Patch, Planned, Refusal};
use ooxml::xml::ns;

use crate::calc::view::View;
use crate::edits::edit::Edit;
use crate::edits::input::Outcome;
use crate::edits::objects::attached;
use crate::file::a1::Area;
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::protection::{locked, locked_cells, locked_structure};

/// Refuses what Excel would ask to unprotect a sheet or the workbook for.
pub(crate) fn check(view: &View, edit: &Edit) -> Result<(), Refusal> {
    match edit {
        Edit::SetCells { sheet, cells, .. } => locked_cells(view, sheet, cells.iter().map(|cell| cell.at)),
        Edit::SetArray { sheet, area, .. }
        | Edit::SetDataTable { sheet, area, .. }
        | Edit::SortRange { sheet, area, .. } => locked_cells(view, sheet, area.cells().take(100_000)),
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
        | Edit::DescribeDrawing { sheet, .. }
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
        // Asked again for what it stands for.
        Edit::Anchored { .. } | Edit::Run(_) => Ok(()),
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

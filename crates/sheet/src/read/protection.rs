//! What protected sheets and workbooks forbid.

use edit::Refusal;
use ooxml::xml::{Node, ns};

use crate::file::a1::CellRef;
use crate::file::workbook::flag;
use crate::read::book::Book;
use crate::read::sheet_view::SheetView;

fn protection<'a>(sheet: &SheetView<'a>) -> Option<Node<'a>> {
    sheet.root().child(ns::S, "sheetProtection").filter(|node| flag(node, "sheet", false))
}

/// Whether a sheet forbids a kind of change; the attributes say 1 for forbidden. Objects are free unless said.
pub(crate) fn locked(book: &Book, name: &str, attribute: &str, what: &str) -> Result<(), Refusal> {
    let Ok(sheet) = book.sheet(name) else { return Ok(()) };
    match protection(&sheet) {
        Some(node) if flag(&node, attribute, attribute != "objects") => Err(denied(&sheet, what.to_owned())),
        _ => Ok(()),
    }
}

pub(crate) fn locked_cells(
    book: &Book,
    name: &str,
    cells: impl Iterator<Item = CellRef>,
) -> Result<(), Refusal> {
    let Ok(sheet) = book.sheet(name) else { return Ok(()) };
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
        if book.style(style)?.locked {
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

pub(crate) fn locked_structure(book: &Book) -> Result<(), Refusal> {
    let node = book.workbook.document.root().child(ns::S, "workbookProtection");
    match node.is_some_and(|node| flag(&node, "lockStructure", false)) {
        false => Ok(()),
        true => Err(Refusal::Denied {
            what: "changing the sheets".to_owned(),
            why: "the structure of the workbook is protected".to_owned(),
            instead: Some("ask its owner to unprotect it in Excel".to_owned()),
        }),
    }
}

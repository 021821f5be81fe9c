//! Everything that a view says of a workbook, line by line, to compare two views of one content.

use std::fmt::Debug;

use edit::Refusal;

use crate::file::a1::Area;
use crate::file::workbook::TabKind;
use crate::read::book::Book;
use crate::read::sheet_view::SheetView;

pub(crate) fn inventory(book: &Book) -> Result<Vec<String>, Refusal> {
    let workbook = &book.workbook;
    let mut lines = Vec::new();
    for name in &workbook.names {
        lines.push(format!("{name:?}"));
    }
    lines.push(format!("{:?} {:?} active {}", workbook.calculation, workbook.dates, workbook.active));
    for (position, tab) in workbook.sheets.iter().enumerate() {
        let (name, kind) = (&tab.name, tab.kind);
        lines.push(format!("sheet {name} {kind:?} {:?} {}", tab.visibility, tab.part));
        if tab.kind != TabKind::Worksheet {
            continue;
        }
        match book.sheet_at(position) {
            Ok(sheet) => of_sheet(book, &sheet, &mut lines)?,
            Err(refusal) => lines.push(format!("{name} cannot be read: {refusal}")),
        }
    }
    Ok(lines)
}

fn of_sheet(book: &Book, sheet: &SheetView<'_>, lines: &mut Vec<String>) -> Result<(), Refusal> {
    let name = sheet.name().to_owned();
    let whole = Area { top: 0, left: 0, bottom: formula::MAX_ROWS - 1, right: formula::MAX_COLS - 1 };
    for cell in sheet.cells(whole)? {
        let looks = book.style(cell.style)?;
        let shown = book.text(&cell.value, cell.style)?;
        lines.push(format!("{name}!{} {:?} {:?} {shown} {looks:?}", cell.at, cell.value, cell.formula));
    }
    // Indexes that are taken over from book to book.
    for group in sheet.worksheet.shared()? {
        lines.push(format!("{name} shared {} {} {} {}", group.index, group.at, group.area, group.text));
    }
    listed(lines, &name, "array", sheet.worksheet.arrays()?);
    let mut rows = Vec::new();
    sheet.worksheet.each_row(0, formula::MAX_ROWS - 1, &mut |_, _, row| {
        rows.push(row.row);
        Ok(())
    })?;
    for row in rows {
        let mut properties = sheet.row_properties(row)?;
        let looks = properties.style.take().map(|style| book.style(style)).transpose()?;
        lines.push(format!("{name} row {} {properties:?} {looks:?}", row + 1));
    }
    listed(lines, &name, "merge", &sheet.merges());
    for mut columns in sheet.columns() {
        let looks = columns.style.take().map(|style| book.style(style)).transpose()?;
        lines.push(format!("{name} {columns:?} {looks:?}"));
    }
    listed(lines, &name, "validation", &sheet.validations());
    for found in sheet.conditional_formats() {
        lines.push(format!("{name} conditional {found:?}"));
    }
    listed(lines, &name, "link", &sheet.hyperlinks()?);
    listed(lines, &name, "note", &sheet.notes()?);
    for thread in sheet.threads()? {
        let comments: Vec<&str> = thread.comments.iter().map(|comment| comment.text.as_str()).collect();
        lines.push(format!("{name} thread {} {} {comments:?}", thread.at, thread.resolved));
    }
    listed(lines, &name, "drawing", &sheet.drawings()?);
    listed(lines, &name, "chart", &sheet.charts()?);
    for table in sheet.tables()? {
        let (columns, style) = (&table.columns, &table.style);
        lines.push(format!("{name} table {} {} {columns:?} {style:?}", table.name, table.area));
    }
    listed(lines, &name, "filter", &sheet.filter_columns());
    let (frozen, filter, colour) = (sheet.frozen(), sheet.auto_filter(), sheet.tab_color());
    lines.push(format!(
        "{name} {frozen:?} {filter:?} {colour:?} {} {:?}",
        sheet.is_protected(),
        sheet.page()
    ));
    Ok(())
}

fn listed<T: Debug>(lines: &mut Vec<String>, sheet: &str, what: &str, all: &[T]) {
    lines.extend(all.iter().map(|one| format!("{sheet} {what} {one:?}")));
}

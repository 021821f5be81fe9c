//! Whether a workbook hangs together: what must hold of a file that Excel opens without repairing it.
//!
//! Run by the workspace after edits and by `docwright check`. It reads everything, so it is not part of
//! planning.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Cut, Refusal};
use ooxml::xml::ns;
use ooxml::{ContentTypes, Relationships};
use serde::Serialize;

use crate::file::a1::{Area, CellRef};
use crate::file::scan::{CellType, Rows};
use crate::file::workbook::{number, same_name, string};
use crate::read::book::Book;
use crate::read::query::Query;
use crate::read::sheet_view::{SheetView, shared_index};

/// Something Excel would repair or refuse.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// A short name of the rule, such as `cell-order`.
    pub rule: &'static str,
    /// The part, and the cell where there is one.
    pub place: String,
    pub what: String,
}

/// Everything wrong with a workbook, as far as it can be read.
pub fn check(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut formulas: BTreeSet<(u32, CellRef)> = BTreeSet::new();
    for tab in &book.workbook.sheets {
        if !names.insert(tab.name.to_lowercase()) {
            problems.push(problem(
                "sheet-name",
                book.workbook.part.as_str(),
                format!("two sheets are called {}", tab.name),
            ));
        }
    }
    for (position, _) in book.workbook.sheets.iter().enumerate() {
        match book.sheet_at(position) {
            Ok(sheet) => {
                if let Err(refusal) = check_sheet(&sheet, &mut formulas, &mut problems) {
                    problems.push(problem("readable", sheet.tab.part.as_str(), refusal.to_string()));
                }
            }
            Err(Refusal::Unsupported { .. }) => {}
            Err(refusal) => problems.push(problem("readable", "workbook", refusal.to_string())),
        }
    }
    check_chain(book, &formulas, &mut problems);
    if let Err(refusal) = check_package(book, &mut problems) {
        problems.push(problem("readable", "package", refusal.to_string()));
    }
    let tables = table_names(book);
    for name in &book.workbook.names {
        if let Some(table) = unknown_table(&name.formula, &tables) {
            let what = format!("names the table `{table}`, which is not there");
            problems.push(problem("table-name", &name.name, what));
        }
        if name.scope.is_some_and(|index| index >= book.workbook.sheets.len()) {
            problems.push(problem("name-scope", &name.name, "local to a sheet that is not there".to_owned()));
        }
    }
    problems.sort();
    problems
}

/// The names of all tables that can be read.
fn table_names(book: &Book) -> Vec<String> {
    let sheets = (0..book.workbook.sheets.len()).filter_map(|position| book.sheet_at(position).ok());
    sheets.flat_map(|sheet| sheet.sound_tables()).map(|table| table.name).collect()
}

/// A table that a formula names and this workbook does not have.
fn unknown_table(text: &str, tables: &[String]) -> Option<String> {
    if !text.contains('[') {
        return None;
    }
    let mut unknown = None;
    formula::parse(text).ok()?.expr.walk(&mut |expr| {
        if let formula::Expr::Structured(used) = expr
            && used.sheet.as_ref().is_none_or(|sheet| sheet.book.is_none())
            && let Some(name) = &used.table
            && !tables.iter().any(|known| same_name(known, name))
        {
            unknown.get_or_insert_with(|| name.to_string());
        }
    });
    unknown
}

fn problem(rule: &'static str, place: &str, what: String) -> Problem {
    Problem { rule, place: place.to_owned(), what }
}

fn check_sheet(
    sheet: &SheetView<'_>,
    formulas: &mut BTreeSet<(u32, CellRef)>,
    problems: &mut Vec<Problem>,
) -> Result<(), Refusal> {
    let book = sheet.book;
    let worksheet = sheet.worksheet;
    let strings = book.strings()?.map_or(0, |strings| strings.len());
    let styles = book.styles()?.map_or(0, |styles| styles.xfs.len());
    let bytes = worksheet.blob.slice(worksheet.data.clone());
    let refuse = |broken: crate::file::scan::Broken| worksheet.broken(broken.after(worksheet.data.start));
    let mut rows = Rows::new(&bytes, 0..bytes.len(), worksheet.spelling(), 0);
    let mut last_row: Option<u32> = None;
    let mut found = |rule, at: String, what: String| {
        if problems.len() < 1_000 {
            problems.push(problem(rule, &format!("{}!{at}", sheet.name()), what));
        }
    };
    let tables = table_names(book);
    let groups: BTreeSet<u32> = worksheet.shared()?.iter().map(|group| group.index).collect();
    while let Some(row) = rows.next().map_err(refuse)? {
        if last_row.is_some_and(|last| last >= row.row) {
            found("row-order", format!("row {}", row.row + 1), "comes twice or out of order".to_owned());
        }
        last_row = Some(row.row);
        let mut last: Option<CellRef> = None;
        let mut cells = worksheet.cells(&bytes, &row);
        while let Some(cell) = cells.next().map_err(refuse)? {
            let at = cell.at.to_string();
            if last.is_some_and(|last| last >= cell.at) {
                found("cell-order", at.clone(), "comes twice or out of order".to_owned());
            }
            last = Some(cell.at);
            if cell.style != 0 && cell.style as usize >= styles {
                found("style-index", at.clone(), format!("has format {}, which is not there", cell.style));
            }
            let text = cell.value.clone().map_or(&b""[..], |span| bytes.part(span));
            if cell.kind == CellType::Shared && !text.trim_ascii().is_empty() {
                let index = shared_index(&bytes, &cell);
                if index.is_none_or(|index| index as usize >= strings) {
                    found("string-index", at.clone(), "names a shared string that is not there".to_owned());
                }
            }
            if let Some((element, inside)) = &cell.formula {
                formulas.insert((sheet.tab.id, cell.at));
                let text = bytes.part(inside.clone());
                if text.contains(&b'[')
                    && let Some(name) = unknown_table(&crate::file::scan::text(text), &tables)
                {
                    found("table-name", at.clone(), format!("names the table `{name}`, which is not there"));
                }
                let value = |name| {
                    crate::file::scan::Attributes::of(&bytes, element.start)
                        .find(name)
                        .and_then(|span| bytes.get(span))
                };
                let index = value("si").and_then(crate::file::a1::read_number);
                if value("t") == Some(b"shared")
                    && inside.is_empty()
                    && !index.is_some_and(|index| groups.contains(&index))
                {
                    found(
                        "shared-formula",
                        at,
                        "belongs to a shared formula that is nowhere written".to_owned(),
                    );
                }
            }
        }
    }
    check_frame(sheet, problems)
}

fn check_frame(sheet: &SheetView<'_>, problems: &mut Vec<Problem>) -> Result<(), Refusal> {
    let merges = sheet.merges();
    let mut sorted = merges.clone();
    sorted.sort_by_key(|area| area.top);
    for (index, area) in sorted.iter().enumerate() {
        let below = sorted.iter().skip(index + 1).take_while(|other| other.top <= area.bottom);
        for other in below.filter(|other| other.intersects(area)) {
            let what = format!("the merged cells {area} and {other} overlap");
            problems.push(problem("merge-overlap", sheet.name(), what));
        }
    }
    let mut columns: Vec<(u32, u32)> = sheet.columns().iter().map(|run| (run.first, run.last)).collect();
    columns.sort_unstable();
    for pair in columns.windows(2) {
        if let [(_, last), (first, _)] = pair
            && last >= first
        {
            problems.push(problem(
                "column-overlap",
                sheet.name(),
                format!("column {} is described twice", first + 1),
            ));
        }
    }
    let relationships = sheet.relationships()?;
    for node in sheet.root().descendants().filter(|node| node.is_element()) {
        for attribute in node.attributes().filter(|a| a.namespace() == ns::R) {
            let id = attribute.value();
            if !id.is_empty() && relationships.get(&id).is_none() {
                let what =
                    format!("{} refers to {id}, which is no relationship of the sheet", node.qualified());
                problems.push(problem("relationship", sheet.tab.part.as_str(), what));
            }
        }
    }
    for table in sheet.tables()? {
        let width = (table.area.right - table.area.left + 1) as usize;
        if table.columns.len() != width {
            let what = format!("has {} columns over {} ({width})", table.columns.len(), table.area);
            problems.push(problem("table-columns", &table.name, what));
        }
        if let Some(query) = Query::of(sheet.book, &table)?
            && let Some(what) = query.problem(&table)
        {
            problems.push(problem("query-fields", &table.name, what));
        }
        if table.header_rows > 0 {
            check_headers(sheet, &table.name, table.area, &table.columns, problems)?;
        }
    }
    Ok(())
}

/// The names of a table's columns have to be the texts of its header cells.
fn check_headers(
    sheet: &SheetView<'_>,
    table: &str,
    area: Area,
    columns: &[String],
    problems: &mut Vec<Problem>,
) -> Result<(), Refusal> {
    let header = Area { bottom: area.top, ..area };
    let cells: BTreeMap<u32, String> = sheet
        .cells(header)?
        .into_iter()
        .filter_map(|cell| match cell.value {
            formula::Value::Text(text) => Some((cell.at.col, text.to_string())),
            _ => None,
        })
        .collect();
    for (col, name) in (area.left..).zip(columns) {
        if cells.get(&col).is_some_and(|text| !same_name(text.trim(), name.trim())) {
            let at = CellRef::new(area.top, col);
            let what = format!("column `{name}` of table `{table}` has another text in its header cell");
            problems.push(problem("table-header", &format!("{}!{at}", sheet.name()), what));
        }
    }
    Ok(())
}

fn check_chain(book: &Book, formulas: &BTreeSet<(u32, CellRef)>, problems: &mut Vec<Problem>) {
    let Some((_, part)) = &book.workbook.calc_chain else { return };
    let Ok(document) = ooxml::read_xml(&book.content, part) else { return };
    let mut sheet = 0;
    for node in document.root().elements() {
        sheet = number(&node, "i").unwrap_or(sheet);
        let at = string(&node, "r").and_then(|text| text.parse::<CellRef>().ok());
        // Members of arrays are listed by some writers although the first cell alone has the formula.
        let array = string(&node, "a").is_some();
        if let Some(at) = at.filter(|at| !array && !formulas.contains(&(sheet, *at))) {
            problems.push(problem(
                "calc-chain",
                part.as_str(),
                format!("lists {at} of sheet {sheet}, which has no formula"),
            ));
        }
    }
}

fn check_package(book: &Book, problems: &mut Vec<Problem>) -> Result<(), Refusal> {
    let types = ContentTypes::read(&book.content)?;
    for (name, _) in types.overrides() {
        if ooxml::find_part(&book.content, name).is_none() {
            problems.push(problem("content-type", name, "has a content type and is not there".to_owned()));
        }
    }
    for name in book.content.names() {
        let text = name.as_str();
        if text == "[Content_Types].xml" || text.ends_with('/') {
            continue;
        }
        if types.of(name).is_none() {
            problems.push(problem("content-type", text, "has no content type".to_owned()));
        }
        if text.ends_with(".rels") {
            continue;
        }
        for relationship in Relationships::of_part(&book.content, name)?.iter() {
            if let Some(target) = relationship.part.as_ref().filter(|part| !book.content.contains(part)) {
                let what = format!("{} points at {target}, which is not there", relationship.id);
                problems.push(problem("relationship", text, what));
            }
        }
    }
    Ok(())
}

//! `docwright xlsx sort` and `autofit`.

use serde_json::json;
use workspace::sheet::resolved::FitOptions;
use workspace::sheet::{Area, CellRef, Edit, LineChange, Sheet, SheetView, SortKey, View};
use workspace::targets::{self, Region};
use workspace::{Clock as _, Context, Refusal, SystemClock};

use super::{make, open};
use crate::cli::xlsx::{XlsxAutofit, XlsxSort};
use crate::report::{self, Failure, Verdict};

/// Whether the first row of what is sorted stays.
#[derive(Clone, Copy, PartialEq)]
enum Header {
    Stays,
    Sorted,
    Unsaid,
}

pub(super) fn sort(arguments: &XlsxSort, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let header = match (arguments.header, arguments.no_header) {
        (true, _) => Header::Stays,
        (_, true) => Header::Sorted,
        _ => Header::Unsaid,
    };
    let edit = desk.read::<Sheet, _>(|view| sorting(view, &arguments.range, &arguments.by, header))??;
    make(&desk, vec![edit], &arguments.into, json)
}

fn sorting(view: &View, range: &str, by: &[String], header: Header) -> Result<Edit, Refusal> {
    let (sheet, area) = cells(view, range)?;
    let table = sheet.tables()?.into_iter().find(|table| table.name.eq_ignore_ascii_case(range));
    let above = area.top.checked_sub(1).filter(|_| table.is_some_and(|table| table.header_rows > 0));
    let (header, area) = match (above, header) {
        (Some(above), _) => (Some(above), area),
        (None, Header::Stays) => (Some(area.top), Area { top: area.top + 1, ..area }),
        (None, Header::Sorted) => (None, area),
        (None, Header::Unsaid) => {
            return Err(Refusal::Unsafe {
                why: format!("row {} may be a heading of the rows below it, or one of them", area.top + 1),
                instead: Some("say --header to leave it where it is, or --no-header to sort it too".into()),
            });
        }
    };
    if area.top > area.bottom {
        return Err(Refusal::invalid("--range", range, "rows below the heading"));
    }
    let keys = by.iter().map(|key| sort_key(view, &sheet, area, header, key));
    let keys = keys.collect::<Result<_, _>>()?;
    Ok(Edit::SortRange { sheet: sheet.name().to_owned(), area, keys })
}

fn cells<'v>(view: &'v View, range: &str) -> Result<(SheetView<'v>, Area), Refusal> {
    match targets::region(view, range)? {
        Region::Sheet(name) => {
            let sheet = view.sheet(&name)?;
            let extent = sheet.extent()?.ok_or_else(|| Refusal::not_found("cells", name))?;
            Ok((sheet, extent))
        }
        Region::Cells(cells) => Ok((view.sheet(&cells.sheet)?, cells.area)),
    }
}

/// `Amount:desc`, `C`, `C:asc`.
fn sort_key(
    view: &View,
    sheet: &SheetView<'_>,
    area: Area,
    header: Option<u32>,
    key: &str,
) -> Result<SortKey, Refusal> {
    let (column, descending) = match key.rsplit_once(':') {
        Some((column, way)) if way.eq_ignore_ascii_case("desc") => (column, true),
        Some((column, way)) if way.eq_ignore_ascii_case("asc") => (column, false),
        _ => (key, false),
    };
    let column = column.trim();
    let mut headings = Vec::new();
    if let Some(row) = header {
        for cell in sheet.cells(Area { top: row, bottom: row, ..area })? {
            headings.push((cell.at.col, view.text(&cell.value, cell.style)?));
        }
    }
    let named: Vec<u32> = headings
        .iter()
        .filter(|(_, text)| text.trim().eq_ignore_ascii_case(column))
        .map(|(column, _)| *column)
        .collect();
    let lettered = format!("{column}1").parse::<CellRef>().ok().map(|at| at.col);
    match (named.as_slice(), lettered) {
        ([only], _) => Ok(SortKey { column: *only, descending }),
        ([], Some(column)) if (area.left..=area.right).contains(&column) => {
            Ok(SortKey { column, descending })
        }
        ([], _) => {
            let letters = format!("{} to {}", letters(area.left), letters(area.right));
            let texts: Vec<&str> = headings.iter().map(|(_, text)| text.as_str()).collect();
            let known =
                if texts.is_empty() { letters } else { format!("{letters}, or {}", texts.join(", ")) };
            Err(Refusal::invalid("--by", format!("`{column}`"), format!("a column: {known}")))
        }
        (several, _) => Err(Refusal::invalid(
            "--by",
            format!("`{column}`, which heads {} columns", several.len()),
            "the letter of one column",
        )),
    }
}

fn letters(column: u32) -> String {
    CellRef::new(0, column).to_string().trim_end_matches('1').to_owned()
}

pub(super) fn autofit(arguments: &XlsxAutofit, json: bool) -> Result<Verdict, Failure> {
    let (least, most) = (arguments.least, arguments.most);
    if !(0.0..=255.0).contains(&least) || !(0.0..=255.0).contains(&most) || least > most {
        return Err(Failure::new("INVALID_ARGUMENT", format!("--least {least} and --most {most}"))
            .with_hint("a column is 0 to 255 characters wide"));
    }
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let cx = Context::new(arguments.into.author(), SystemClock.now(), 0);
    let edits = desk.read::<Sheet, _>(|view| -> Result<Vec<Edit>, Refusal> {
        let (sheet, columns) = match &arguments.range {
            Some(range) => cells(view, range)?,
            None => {
                let sheet = view.sheet_at(view.workbook().active)?;
                let extent = sheet.extent()?;
                let name = sheet.name().to_owned();
                (sheet, extent.ok_or_else(|| Refusal::not_found("cells", name))?)
            }
        };
        let columns: Vec<u32> = (columns.left..=columns.right).collect();
        let fitted = sheet.fitted(&columns, &FitOptions { least, most, padding: 0.0 }, &cx)?;
        let wider = fitted.iter().filter(|fitted| fitted.width != fitted.previous);
        Ok(wider
            .map(|fitted| Edit::SetColumns {
                sheet: sheet.name().to_owned(),
                first: fitted.column,
                last: fitted.column,
                properties: LineChange { size: Some(fitted.width), ..LineChange::default() },
            })
            .collect())
    })??;
    if edits.is_empty() {
        let answer = json!({ "summary": "every column has the width it needs", "saved": null });
        report::answer(json, &answer, |_| "every column has the width it needs; nothing written\n".into())?;
        return Ok(Verdict::Done);
    }
    make(&desk, edits, &arguments.into, json)
}

//! The tables of sheets, and the cells in them by their labels.

use std::collections::BTreeMap;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{Area, CellRef, Value};

use super::layout::{Block, Layout};
use super::matcher::{Fit, Matcher, MatcherArg, One};
use super::search::{ShortCell, day_of, short};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::sheet_position;

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<DescribeSheet>(), entry::<DetectTables>(), entry::<TableLookup>()]
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TableInfo {
    address: String,
    header_rows: u32,
    header_cols: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table_name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Described {
    tables: BTreeMap<String, TableInfo>,
    /// One character a cell: H header, L text, # number, F formula, D date, . blank; equal rows folded.
    structure: String,
}

function! {
    /// The tables of a sheet and a map of its cells.
    "describeSheet" DescribeSheet { sheet: String } -> Described => describe_sheet
}

fn describe_sheet(host: &mut Host, call: DescribeSheet) -> Result<Described, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let layout = host.layout(sheet)?;
    if let Some(area) = layout.extent() {
        host.read(Range { sheet, area });
    }
    Ok(Described { tables: infos(host, sheet, &layout), structure: layout.map() })
}

fn infos(host: &Host, sheet: usize, layout: &Layout) -> BTreeMap<String, TableInfo> {
    let tables = layout.blocks.iter().map(|block| {
        let info = TableInfo {
            address: host.address(sheet, block.area),
            header_rows: block.header_rows,
            header_cols: Some(block.header_cols).filter(|columns| *columns > 0),
            table_name: block.table_name.clone(),
        };
        (block.name.clone(), info)
    });
    tables.collect()
}

function! {
    /// The tables of a sheet, or by sheet those of all.
    "detectTables" DetectTables { sheet: Option<String> } -> BTreeMap<String, BTreeMap<String, TableInfo>> => detect_tables
}

fn detect_tables(
    host: &mut Host,
    call: DetectTables,
) -> Result<BTreeMap<String, BTreeMap<String, TableInfo>>, Fault> {
    let sheets: Vec<usize> = match &call.sheet {
        Some(name) => vec![sheet_position(host.view(), name)?],
        None => host
            .view()
            .worksheets()
            .map(|sheet| sheet.map(|sheet| sheet.position))
            .collect::<Result<_, _>>()?,
    };
    let mut found = BTreeMap::new();
    for sheet in sheets {
        host.cx().stop.check()?;
        let layout = host.layout(sheet)?;
        found.insert(host.sheet_name(sheet), infos(host, sheet, &layout));
    }
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Lookup {
    /// The title of a table, its name, or the sheet that it is on.
    table: String,
    row_label: One,
    /// A heading, or several that stand over each other: `"2024 Q3"`. Without it every filled cell of the row is answered.
    column_label: Option<One>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookedUp {
    #[serde(flatten)]
    cell: ShortCell,
    row_label_found_at: String,
    row_label_found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    column_label_found_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column_label_found: Option<String>,
}

function! {
    /// The cells where a row and a column of a table meet, both named by their labels.
    "tableLookup" TableLookup { lookup: Lookup } -> Vec<LookedUp> => table_lookup
}

/// A table that may be meant.
struct Candidate {
    sheet: usize,
    layout: Rc<Layout>,
    block: Block,
}

/// A label that matched: how well, and where it stands with what text.
struct Label {
    fit: Fit,
    at: CellRef,
    text: String,
}

fn table_lookup(host: &mut Host, call: TableLookup) -> Result<Vec<LookedUp>, Fault> {
    let Lookup { table, row_label, column_label } = call.lookup;
    let candidates = candidates(host, &table)?;
    let rows = Matcher::new(&MatcherArg::Single(row_label.clone()))?;
    let columns = column_label.clone().map(|label| Matcher::new(&MatcherArg::Single(label))).transpose()?;
    let mut found: Vec<((Fit, Fit), LookedUp)> = Vec::new();
    let (mut known_rows, mut known_columns) = (Vec::new(), Vec::new());
    let (mut row_found, mut column_found) = (false, false);
    for candidate in &candidates {
        let row_labels = row_labels(host, candidate, &mut known_rows)?;
        let row_hits: Vec<Label> = row_labels.into_iter().filter_map(|label| matched(label, &rows)).collect();
        row_found |= !row_hits.is_empty();
        let column_hits = match &columns {
            None => None,
            Some(matcher) => Some(columns_matching(host, candidate, matcher, &mut known_columns)?),
        };
        column_found |= column_hits.as_ref().is_none_or(|hits| !hits.is_empty());
        for row in &row_hits {
            match &column_hits {
                None => {
                    let body = candidate.block.body();
                    for col in body.left..=body.right {
                        let at = CellRef::new(row.at.row, col);
                        if col != row.at.col && host.sheet(candidate.sheet)?.cell(at)?.is_some() {
                            found.push((
                                (row.fit, Fit::Whole),
                                looked_up(host, candidate.sheet, at, row, None)?,
                            ));
                        }
                    }
                }
                Some(hits) => {
                    for (col, column) in hits.iter().filter(|(col, _)| *col != row.at.col) {
                        let at = CellRef::new(row.at.row, *col);
                        let cell = looked_up(host, candidate.sheet, at, row, Some(column))?;
                        found.push(((row.fit, column.fit), cell));
                    }
                }
            }
        }
    }
    let nearest = found.iter().map(|(fit, _)| *fit).min();
    found.retain(|(fit, _)| Some(*fit) == nearest);
    if found.is_empty() {
        let column = column_label.as_ref().filter(|_| !column_found);
        let missing = match (row_found, column) {
            (false, _) => format!("no row {row_label}; its rows are {}", listed(&known_rows)),
            (true, Some(_)) if known_columns.is_empty() => {
                "no headings; leave out columnLabel to get the cells of the row".to_owned()
            }
            (true, Some(label)) => format!("no column {label}; its columns are {}", listed(&known_columns)),
            (true, None) => "no other cell in that row".to_owned(),
        };
        return Err(Fault::new("NOT_FOUND", format!("table `{table}` has {missing}")));
    }
    Ok(found.into_iter().map(|(_, cell)| cell).collect())
}

/// The tables that a name fits best: their titles, and those of a sheet of that name.
fn candidates(host: &Host, wanted: &str) -> Result<Vec<Candidate>, Fault> {
    let matcher = Matcher::new(&MatcherArg::Single(One::Text(wanted.to_owned())))?;
    let mut fitting: Vec<(Fit, Candidate)> = Vec::new();
    let mut names = Vec::new();
    let sheets: Vec<(usize, String)> = host
        .view()
        .worksheets()
        .map(|sheet| sheet.map(|sheet| (sheet.position, sheet.name().to_owned())))
        .collect::<Result<_, _>>()?;
    for (sheet, sheet_name) in sheets {
        host.cx().stop.check()?;
        let of_sheet = matcher.fit(&Value::Blank, &sheet_name, None);
        let layout = host.layout(sheet)?;
        for block in &layout.blocks {
            names.push(format!("{} (on {sheet_name})", block.name));
            let fit = [matcher.fit(&Value::Blank, &block.name, None), of_sheet].into_iter().flatten().min();
            if let Some(fit) = fit {
                fitting.push((fit, Candidate { sheet, layout: Rc::clone(&layout), block: block.clone() }));
            }
        }
    }
    let Some(best) = fitting.iter().map(|(fit, _)| *fit).min() else {
        return Err(Fault::new(
            "NOT_FOUND",
            format!("no table is called `{wanted}`. Tables: {}", listed(&names)),
        ));
    };
    Ok(fitting.into_iter().filter(|(fit, _)| *fit == best).map(|(_, candidate)| candidate).collect())
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    let names: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    format!("{}{more}", names.join(", "))
}

/// A text that may name a row or a column, with the value that it is of and the day, if it is one.
struct Named {
    at: CellRef,
    value: Value,
    text: String,
    day: Option<String>,
}

fn matched(label: Named, matcher: &Matcher) -> Option<Label> {
    let fit = matcher.fit(&label.value, &label.text, label.day.as_deref())?;
    Some(Label { fit, at: label.at, text: label.text })
}

fn named(host: &Host, sheet: usize, at: CellRef) -> Result<Option<Named>, Fault> {
    let Some(cell) = host.sheet(sheet)?.cell(at)? else { return Ok(None) };
    let cell = host.valued(sheet, cell)?;
    let text = host.text(&cell.value, cell.style)?;
    let day = day_of(host, &cell)?;
    Ok((!text.trim().is_empty()).then_some(Named { at, value: cell.value, text, day }))
}

/// What names the rows of a table: its label columns, or all columns of texts and the first where it has none.
fn row_labels(host: &Host, candidate: &Candidate, known: &mut Vec<String>) -> Result<Vec<Named>, Fault> {
    let Candidate { sheet, layout, block } = candidate;
    let body = block.body();
    let mut columns: Vec<u32> = (body.left..body.left + block.header_cols).collect();
    if columns.is_empty() {
        columns = layout.text_columns(block);
        if !columns.contains(&body.left) {
            columns.insert(0, body.left);
        }
    }
    let mut found = Vec::new();
    for row in body.top..=body.bottom {
        for col in &columns {
            found.extend(named(host, *sheet, CellRef::new(row, *col))?);
        }
    }
    known.extend(found.iter().map(|label| label.text.clone()));
    Ok(found)
}

/// The columns whose headings fit, one by one or read together from the top.
fn columns_matching(
    host: &Host,
    candidate: &Candidate,
    matcher: &Matcher,
    known: &mut Vec<String>,
) -> Result<Vec<(u32, Label)>, Fault> {
    let Candidate { sheet, layout, block } = candidate;
    let mut found = Vec::new();
    for col in block.area.left..=block.area.right {
        let mut headings = Vec::new();
        for at in layout.headings(block, col) {
            headings.extend(named(host, *sheet, at)?);
        }
        let together = headings.iter().map(|label| label.text.trim()).collect::<Vec<_>>().join(" ");
        let Some(last) = headings.last() else { continue };
        if col >= block.area.left + block.header_cols {
            known.push(together.clone());
        }
        let whole = Named { at: last.at, value: Value::Blank, text: together, day: None };
        let all = headings.len() > 1;
        let fits =
            headings.into_iter().chain(all.then_some(whole)).filter_map(|label| matched(label, matcher));
        if let Some(best) = fits.min_by_key(|label| label.fit) {
            found.push((col, best));
        }
    }
    Ok(found)
}

fn looked_up(
    host: &mut Host,
    sheet: usize,
    at: CellRef,
    row: &Label,
    column: Option<&Label>,
) -> Result<LookedUp, Fault> {
    host.read(Range { sheet, area: Area::cell(at) });
    Ok(LookedUp {
        cell: short(host, sheet, at)?,
        row_label_found_at: host.address(sheet, row.at),
        row_label_found: row.text.clone(),
        column_label_found_at: column.map(|column| host.address(sheet, column.at)),
        column_label_found: column.map(|column| column.text.clone()),
    })
}

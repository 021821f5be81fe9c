//! How a sheet is laid out: which blocks of cells are tables, where their headers are, and what a cell is in them.
//!
//! Sheets are cut at blank rows and columns into blocks. In each, rows with a single text at the top are its title, rows
//! of texts above numbers its header, and columns of texts before numbers its labels. What Excel itself calls a table is
//! taken as it is.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{Area, Cell, CellRef, Value};

use super::matcher::{Fit, Matcher, MatcherArg, One};
use super::search::{ShortCell, short};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::sheet_position;

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<DescribeSheet>(), entry::<DetectTables>(), entry::<TableLookup>()]
}

/// The most cells that are looked at to understand a sheet.
const MOST_CELLS: usize = 300_000;
/// The most lines of the map.
const MOST_LINES: usize = 200;

/// What a cell seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Header,
    Label,
    Input,
    Formula,
    Total,
    Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Text,
    Number,
    Formula,
    Date,
}

/// A block of cells that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) area: Area,
    pub(crate) header_rows: u32,
    pub(crate) header_cols: u32,
    /// The name that Excel knows it by.
    pub(crate) table_name: Option<String>,
}

pub(crate) struct Structure {
    cells: BTreeMap<CellRef, Class>,
    /// Whole numbers that may be years.
    years: BTreeMap<CellRef, u32>,
    pub(crate) blocks: Vec<Block>,
}

impl Structure {
    pub(crate) fn of(host: &Host, sheet: usize) -> Result<Self, Fault> {
        let view = host.sheet(sheet)?;
        let mut cells = BTreeMap::new();
        let mut texts = BTreeMap::new();
        let mut years = BTreeMap::new();
        let whole = Area { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };
        view.each_cell(whole, &mut |cell| {
            if cells.len() >= MOST_CELLS {
                return;
            }
            let class = match (&cell.formula, &cell.value) {
                (Some(_), _) => Class::Formula,
                (None, Value::Number(number))
                    if number.fract() == 0.0 && (1900.0..=2100.0).contains(number) =>
                {
                    years.insert(cell.at, *number as u32);
                    Class::Number
                }
                (None, Value::Number(_)) => match host.view().is_date(&cell) {
                    Ok(true) => Class::Date,
                    _ => Class::Number,
                },
                (None, Value::Text(text)) if text.trim().is_empty() => return,
                (None, Value::Text(text)) => {
                    texts.insert(cell.at, text.trim().to_owned());
                    Class::Text
                }
                (None, Value::Bool(_) | Value::Error(_)) => Class::Number,
                (None, Value::Blank) => return,
            };
            cells.insert(cell.at, class);
        })?;
        // A merged cell fills its whole area.
        for merge in view.merges() {
            if let Some(class) = cells.get(&merge.first()).copied()
                && merge.count() < 1_000
            {
                cells.extend(merge.cells().map(|at| (at, class)));
            }
        }
        let mut structure = Self { cells, years, blocks: Vec::new() };
        let mut known: Vec<Block> = Vec::new();
        for table in view.tables()? {
            let header_cols =
                structure.label_columns(&Area { top: table.area.top + table.header_rows, ..table.area });
            known.push(Block {
                name: table.name.clone(),
                area: table.area,
                header_rows: table.header_rows,
                header_cols,
                table_name: Some(table.name),
            });
        }
        let extent = structure.extent();
        let mut number = 0;
        for area in extent.map(|extent| structure.cut(extent, 0)).unwrap_or_default() {
            if known.iter().any(|block| overlaps(&block.area, &area)) {
                continue;
            }
            if let Some(block) = structure.block(area, &texts, &mut number) {
                structure.blocks.push(block);
            }
        }
        structure.blocks.extend(known);
        structure.blocks.sort_by_key(|block| (block.area.top, block.area.left));
        // Two tables of one title are told apart by a number.
        let mut taken: BTreeMap<String, u32> = BTreeMap::new();
        for block in &mut structure.blocks {
            let count = taken.entry(block.name.to_lowercase()).or_default();
            *count += 1;
            if *count > 1 {
                block.name = format!("{} ({count})", block.name);
            }
        }
        Ok(structure)
    }

    fn extent(&self) -> Option<Area> {
        self.cells.keys().map(|at| Area::cell(*at)).reduce(|all, one| all.hull(&one))
    }

    fn filled<'a>(&'a self, area: &Area) -> impl Iterator<Item = (&'a CellRef, &'a Class)> + use<'a> {
        let inside = *area;
        let (first, last) = (CellRef::new(area.top, 0), CellRef::new(area.bottom, 16_383));
        self.cells.range(first..=last).filter(move |(at, _)| inside.contains(**at))
    }

    /// Cut at blank rows and columns, in turn, until nothing more falls apart.
    fn cut(&self, area: Area, depth: u32) -> Vec<Area> {
        let mut rows = vec![false; (area.bottom - area.top + 1) as usize];
        let mut columns = vec![false; (area.right - area.left + 1) as usize];
        for (at, _) in self.filled(&area) {
            rows[(at.row - area.top) as usize] = true;
            columns[(at.col - area.left) as usize] = true;
        }
        let rows = runs(&rows, area.top);
        let columns = runs(&columns, area.left);
        if (rows.len() <= 1 && columns.len() <= 1) || depth > 40 {
            return match (rows.first(), columns.first()) {
                (Some((top, bottom)), Some((left, right))) => {
                    vec![Area { top: *top, bottom: *bottom, left: *left, right: *right }]
                }
                _ => Vec::new(),
            };
        }
        // Rows first: a title above two tables side by side must not hold them together.
        let parts: Vec<Area> = if rows.len() > 1 {
            rows.iter().map(|(top, bottom)| Area { top: *top, bottom: *bottom, ..area }).collect()
        } else {
            columns.iter().map(|(left, right)| Area { left: *left, right: *right, ..area }).collect()
        };
        parts.into_iter().flat_map(|part| self.cut(part, depth + 1)).collect()
    }

    fn row(&self, area: &Area, row: u32) -> Vec<Class> {
        self.filled(&Area { top: row, bottom: row, ..*area }).map(|(_, class)| *class).collect()
    }

    /// A block as a table, if it is one.
    fn block(&self, area: Area, texts: &BTreeMap<CellRef, String>, number: &mut u32) -> Option<Block> {
        let mut body = area;
        let mut title = None;
        // A single text above a wider block is its title; several are notes, of which the first names it.
        while body.top < body.bottom && body.left < body.right {
            let mut row = self.filled(&Area { bottom: body.top, ..body });
            let (first, more) = (row.next(), row.next());
            let merged = more.is_some_and(|(at, class)| *class == Class::Text && !texts.contains_key(at));
            match first {
                Some((at, Class::Text)) if more.is_none() || merged => {
                    title = title.or_else(|| texts.get(at).cloned());
                    body.top += 1;
                }
                _ => break,
            }
        }
        if body.top == body.bottom || (body.left == body.right && self.filled(&body).count() < 2) {
            return None;
        }
        let header_rows = self.header_rows(&body);
        let data = Area { top: body.top + header_rows, ..body };
        if data.top > body.bottom {
            return None;
        }
        let header_cols = self.label_columns(&data);
        *number += 1;
        let name =
            title.or_else(|| self.title_above(&body, texts)).unwrap_or_else(|| format!("Table {number}"));
        Some(Block { name, area: body, header_rows, header_cols, table_name: None })
    }

    /// A lone text within three rows above a block.
    fn title_above(&self, body: &Area, texts: &BTreeMap<CellRef, String>) -> Option<String> {
        (body.top.saturating_sub(3)..body.top).rev().find_map(|row| {
            let line = Area { top: row, bottom: row, left: body.left, right: body.right };
            let mut found = self.filled(&line);
            let (at, class) = found.next()?;
            (found.next().is_none() && *class == Class::Text).then(|| texts.get(at).cloned()).flatten()
        })
    }

    /// Rows of texts and dates at the top, if something else comes below them.
    fn header_rows(&self, body: &Area) -> u32 {
        let mut rows = 0;
        for row in body.top..body.bottom.min(body.top + 5) {
            let classes = self.row(body, row);
            let texts = classes.iter().filter(|class| **class == Class::Text).count();
            let numbers =
                classes.iter().filter(|class| matches!(class, Class::Number | Class::Formula)).count();
            // Years and month ends stand in headers too.
            let like_header = texts > 0
                && texts + classes.iter().filter(|class| **class == Class::Date).count() == classes.len();
            let years = rows == 0 && numbers > 0 && texts <= 1 && self.is_series(body, row);
            if !(like_header || years) {
                break;
            }
            rows += 1;
            if years {
                break;
            }
        }
        let below = Area { top: body.top + rows, ..*body };
        let all_text = self.filled(&below).all(|(_, class)| *class == Class::Text);
        match rows {
            0 => 0,
            // A list of texts alone has one row of headings.
            _ if all_text => 1,
            rows => rows,
        }
    }

    /// A row of years one after the other, which is a heading and no data.
    fn is_series(&self, body: &Area, row: u32) -> bool {
        let line = Area { top: row, bottom: row, ..*body };
        let numbers: Vec<Option<u32>> = self
            .filled(&line)
            .filter(|(_, class)| **class != Class::Text)
            .map(|(at, _)| self.years.get(at).copied())
            .collect();
        numbers.len() > 1 && numbers.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a + 1 == *b))
    }

    /// Columns of texts before the first that holds mostly something else.
    fn label_columns(&self, data: &Area) -> u32 {
        let mut columns = 0;
        for col in data.left..data.right.min(data.left + 5) {
            let line = Area { left: col, right: col, ..*data };
            let (mut texts, mut others) = (0, 0);
            for (_, class) in self.filled(&line) {
                if *class == Class::Text { texts += 1 } else { others += 1 }
            }
            if texts == 0 || others > texts / 4 {
                break;
            }
            columns += 1;
        }
        let rest = Area { left: data.left + columns, ..*data };
        let all_text = columns > 0
            && rest.left <= rest.right
            && self.filled(&rest).all(|(_, class)| *class == Class::Text);
        if all_text { 1 } else { columns }
    }

    pub(crate) fn role(&self, at: CellRef, cell: &Cell, date: bool) -> Role {
        let block = self.blocks.iter().find(|block| block.area.contains(at));
        let total = |text: &str| {
            let text = text.to_lowercase();
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| matches!(word, "total" | "totals" | "sum" | "subtotal"))
        };
        match (&cell.formula, &cell.value, block) {
            (_, Value::Text(_), Some(block)) if at.row < block.area.top + block.header_rows => Role::Header,
            (None, _, Some(block)) if date && at.row < block.area.top + block.header_rows => Role::Header,
            (None, Value::Text(text), _) if total(text) => Role::Total,
            (None, Value::Text(_), Some(_)) => Role::Label,
            (None, Value::Text(text), None) if text.len() > 60 => Role::Note,
            (None, Value::Text(_), None) => Role::Label,
            (Some(formula), _, _)
                if formula.text.to_ascii_uppercase().starts_with("SUM(")
                    || formula.text.to_ascii_uppercase().starts_with("SUBTOTAL(") =>
            {
                Role::Total
            }
            (Some(_), _, _) => Role::Formula,
            (None, _, _) => Role::Input,
        }
    }

    /// One character a cell, equal rows folded.
    fn map(&self) -> String {
        let Some(extent) = self.extent() else { return String::new() };
        let mut lines: Vec<(u32, u32, String)> = Vec::new();
        for row in extent.top..=extent.bottom {
            let header = |at: CellRef| {
                self.blocks
                    .iter()
                    .any(|block| block.area.contains(at) && at.row < block.area.top + block.header_rows)
            };
            let line: String = (extent.left..=extent.right.min(extent.left + 99))
                .map(|col| {
                    let at = CellRef::new(row, col);
                    match self.cells.get(&at) {
                        None => '.',
                        Some(_) if header(at) => 'H',
                        Some(Class::Text) => 'L',
                        Some(Class::Number) => '#',
                        Some(Class::Formula) => 'F',
                        Some(Class::Date) => 'D',
                    }
                })
                .collect();
            match lines.last_mut() {
                Some((_, last, known)) if *known == line => *last = row,
                _ => lines.push((row, row, line)),
            }
        }
        let more = lines.len().saturating_sub(MOST_LINES);
        let mut text = format!("{extent}\n");
        for (first, last, line) in lines.into_iter().take(MOST_LINES) {
            match first == last {
                true => text.push_str(&format!("{}: {line}\n", first + 1)),
                false => text.push_str(&format!("{}-{}: {line}\n", first + 1, last + 1)),
            }
        }
        if more > 0 {
            text.push_str(&format!("and {more} more lines\n"));
        }
        text
    }
}

fn overlaps(a: &Area, b: &Area) -> bool {
    a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right
}

/// The stretches that are filled.
fn runs(filled: &[bool], from: u32) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (index, _) in filled.iter().enumerate().filter(|(_, filled)| **filled) {
        let at = from + index as u32;
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => runs.push((at, at)),
        }
    }
    runs
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
    let structure = Structure::of(host, sheet)?;
    if let Some(area) = structure.extent() {
        host.read(Range { sheet, area });
    }
    Ok(Described { tables: infos(host, sheet, &structure), structure: structure.map() })
}

fn infos(host: &Host, sheet: usize, structure: &Structure) -> BTreeMap<String, TableInfo> {
    let tables = structure.blocks.iter().map(|block| {
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
        let structure = Structure::of(host, sheet)?;
        found.insert(host.sheet_name(sheet), infos(host, sheet, &structure));
    }
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Lookup {
    /// The title of a table, its name, or the sheet that it is on.
    table: String,
    row_label: One,
    column_label: One,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookedUp {
    #[serde(flatten)]
    cell: ShortCell,
    row_label_found_at: String,
    row_label_found: String,
    column_label_found_at: String,
    column_label_found: String,
}

function! {
    /// The cells where a row and a column of a table meet, both named by their labels.
    "tableLookup" TableLookup { lookup: Lookup } -> Vec<LookedUp> => table_lookup
}

fn table_lookup(host: &mut Host, call: TableLookup) -> Result<Vec<LookedUp>, Fault> {
    let Lookup { table, row_label, column_label } = call.lookup;
    let by_name = Matcher::new(&MatcherArg::Single(One::Text(table.clone())))?;
    let mut candidates: Vec<(Fit, usize, Block)> = Vec::new();
    let mut names = Vec::new();
    let sheets: Vec<(usize, String)> = host
        .view()
        .worksheets()
        .map(|sheet| sheet.map(|sheet| (sheet.position, sheet.name().to_owned())))
        .collect::<Result<_, _>>()?;
    for (sheet, sheet_name) in sheets {
        let of_sheet = by_name.fit(&Value::Blank, &sheet_name);
        for block in Structure::of(host, sheet)?.blocks {
            names.push(block.name.clone());
            let fit = [by_name.fit(&Value::Blank, &block.name), of_sheet].into_iter().flatten().min();
            if let Some(fit) = fit {
                candidates.push((fit, sheet, block));
            }
        }
    }
    let Some(best) = candidates.iter().map(|(fit, ..)| *fit).min() else {
        let listed = names.iter().take(30).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        return Err(Fault::new("NOT_FOUND", format!("no table is called `{table}`. Tables: {listed}")));
    };
    let (rows, columns) =
        (Matcher::new(&MatcherArg::Single(row_label))?, Matcher::new(&MatcherArg::Single(column_label))?);
    let mut found: Vec<(Fit, Fit, LookedUp)> = Vec::new();
    for (_, sheet, block) in candidates.into_iter().filter(|(fit, ..)| *fit == best) {
        let body = Area { top: block.area.top + block.header_rows, ..block.area };
        let labels = Area { right: block.area.left + block.header_cols.max(1) - 1, ..body };
        let heads = Area {
            bottom: (block.area.top + block.header_rows.max(1) - 1).min(block.area.bottom),
            ..block.area
        };
        let row_hits = labels_in(host, sheet, labels, &rows)?;
        let column_hits = labels_in(host, sheet, heads, &columns)?;
        for (row_fit, row_at, row_text) in &row_hits {
            for (column_fit, column_at, column_text) in &column_hits {
                let at = CellRef::new(row_at.row, column_at.col);
                if labels.contains(at) && block.header_cols > 0 {
                    continue;
                }
                host.read(Range { sheet, area: Area::cell(at) });
                found.push((
                    *row_fit,
                    *column_fit,
                    LookedUp {
                        cell: short(host, sheet, at)?,
                        row_label_found_at: host.address(sheet, *row_at),
                        row_label_found: row_text.clone(),
                        column_label_found_at: host.address(sheet, *column_at),
                        column_label_found: column_text.clone(),
                    },
                ));
            }
        }
    }
    let nearest = found.iter().map(|(row, column, _)| (*row, *column)).min();
    found.retain(|(row, column, _)| Some((*row, *column)) == nearest);
    if found.is_empty() {
        return Err(Fault::new(
            "NOT_FOUND",
            format!("table `{table}` has no row and column of those labels; describeSheet shows its headers"),
        ));
    }
    Ok(found.into_iter().map(|(.., cell)| cell).collect())
}

fn labels_in(
    host: &Host,
    sheet: usize,
    area: Area,
    matcher: &Matcher,
) -> Result<Vec<(Fit, CellRef, String)>, Fault> {
    let mut found = Vec::new();
    for cell in host.sheet(sheet)?.cells(area)? {
        let cell = host.valued(sheet, cell)?;
        let text = host.view().text(&cell.value, cell.style)?;
        if let Some(fit) = matcher.fit(&cell.value, &text) {
            found.push((fit, cell.at, text));
        }
    }
    Ok(found)
}

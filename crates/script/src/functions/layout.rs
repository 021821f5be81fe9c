//! How a sheet is laid out: which blocks of cells are tables, where their headers and labels are, what a cell is in them.
//!
//! Sheets are cut at blank rows and columns. What was cut and goes on alike is joined again: rows behind a blank line
//! that have no header of their own, figures behind a blank column that have no labels of their own. In each block, rows
//! with a single text at the top are its title, rows that differ from the data below them its header, columns of texts
//! before figures its labels. What Excel itself calls a table is taken as it is.

mod cutting;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use sheet::{Area, Cell, CellRef, Value};

use crate::host::{Fault, Host};

/// The most cells that are looked at to understand a sheet.
const MOST_CELLS: usize = 300_000;
/// The most lines of the map.
const MOST_LINES: usize = 200;
/// Rows of a header, and columns of labels.
const MOST_HEADERS: u32 = 5;

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

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Text,
    Number,
    Date,
}

/// A cell that is not blank.
#[derive(Debug, Clone)]
struct Filled {
    class: Class,
    is_formula: bool,
    /// A whole number, which may count something.
    whole: Option<i64>,
    /// Where its content stands: the first cell of a merged area.
    origin: CellRef,
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

impl Block {
    pub(crate) fn body(&self) -> Area {
        Area { top: self.area.top + self.header_rows, ..self.area }
    }
}

#[derive(Debug)]
pub(crate) struct Layout {
    cells: BTreeMap<CellRef, Filled>,
    texts: BTreeMap<CellRef, String>,
    pub(crate) blocks: Vec<Block>,
}

impl Layout {
    pub(crate) fn of(host: &Host, sheet: usize) -> Result<Self, Fault> {
        let view = host.sheet(sheet)?;
        let mut layout = Self { cells: BTreeMap::new(), texts: BTreeMap::new(), blocks: Vec::new() };
        let whole = Area { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };
        view.each_cell(whole, &mut |cell| {
            if layout.cells.len() < MOST_CELLS {
                layout.take(host, &cell);
            }
        })?;
        // A merged cell fills its whole area.
        for merge in view.merges() {
            if let Some(filled) = layout.cells.get(&merge.first()).cloned()
                && merge.count() < 1_000
            {
                layout.cells.extend(merge.cells().map(|at| (at, filled.clone())));
            }
        }
        for table in view.tables()? {
            let data = Area { top: table.area.top + table.header_rows, ..table.area };
            layout.blocks.push(Block {
                name: table.name.clone(),
                area: table.area,
                header_rows: table.header_rows,
                header_cols: layout.label_columns(&data),
                table_name: Some(table.name),
            });
        }
        layout.find_blocks();
        Ok(layout)
    }

    fn take(&mut self, host: &Host, cell: &Cell) {
        let is_formula = cell.formula.is_some();
        let class = match &cell.value {
            Value::Number(_) if host.view().is_date(cell).unwrap_or(false) => Class::Date,
            Value::Number(_) | Value::Bool(_) | Value::Error(_) => Class::Number,
            Value::Text(text) if text.trim().is_empty() && !is_formula => return,
            Value::Text(text) => {
                self.texts.insert(cell.at, text.trim().to_owned());
                Class::Text
            }
            // A formula that the file has no value for.
            Value::Blank if is_formula => Class::Number,
            Value::Blank => return,
        };
        let whole = match &cell.value {
            Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(*number as i64),
            _ => None,
        };
        self.cells.insert(cell.at, Filled { class, is_formula, whole, origin: cell.at });
    }

    fn find_blocks(&mut self) {
        let Some(extent) = self.extent() else { return };
        let known: Vec<Area> = self.blocks.iter().map(|block| block.area).collect();
        let mut number = 0;
        for area in self.pieces(extent) {
            if known.iter().any(|table| table.intersects(&area)) {
                continue;
            }
            if let Some(block) = self.block(area, &mut number) {
                self.blocks.push(block);
            }
        }
        self.blocks.sort_by_key(|block| (block.area.top, block.area.left));
        // Two tables of one title are told apart by a number.
        let mut taken: BTreeMap<String, u32> = BTreeMap::new();
        for block in &mut self.blocks {
            let count = taken.entry(block.name.to_lowercase()).or_default();
            *count += 1;
            if *count > 1 {
                block.name = format!("{} ({count})", block.name);
            }
        }
    }

    pub(crate) fn extent(&self) -> Option<Area> {
        self.cells.keys().map(|at| Area::cell(*at)).reduce(|all, one| all.hull(&one))
    }

    fn filled<'a>(&'a self, area: &Area) -> impl Iterator<Item = (&'a CellRef, &'a Filled)> + use<'a> {
        let inside = *area;
        let (first, last) = (CellRef::new(area.top, 0), CellRef::new(area.bottom, 16_383));
        self.cells.range(first..=last).filter(move |(at, _)| inside.contains(**at))
    }

    /// The cells of a row by what stands in them, merged ones once.
    fn row(&self, area: &Area, row: u32) -> Vec<(CellRef, &Filled)> {
        let line = Area { top: row, bottom: row, ..*area };
        let mut cells: Vec<(CellRef, &Filled)> = Vec::new();
        for (at, filled) in self.filled(&line) {
            if cells.last().is_none_or(|(_, last)| last.origin != filled.origin) {
                cells.push((*at, filled));
            }
        }
        cells
    }

    /// The text that a row consists of, if it is one at the beginning of an area that is wider.
    fn title(&self, area: &Area, row: u32) -> Option<&str> {
        let line = Area { top: row, bottom: row, ..*area };
        let cells = self.row(area, row);
        let [(at, only)] = cells.as_slice() else { return None };
        let width = self.filled(&line).count() as u32;
        let begins = at.col == area.left || width == area.right - area.left + 1;
        (only.class == Class::Text && begins && area.right > area.left)
            .then(|| self.texts.get(&only.origin).map(|text| text.trim()))
            .flatten()
            .filter(|text| !text.is_empty())
    }

    /// A block as a table, if it is one.
    fn block(&self, area: Area, number: &mut u32) -> Option<Block> {
        let mut body = area;
        let mut title = None;
        while body.top < body.bottom
            && let Some(text) = self.title(&body, body.top)
        {
            title = title.or_else(|| Some(text.to_owned()));
            body.top += 1;
        }
        if body.top == body.bottom || (body.left == body.right && self.filled(&body).count() < 2) {
            return None;
        }
        let header_rows = match self.header_rows(&body) {
            0 if self.has_headings_apart(&body) => {
                body.top -= 2;
                2
            }
            rows => rows,
        };
        let data = Area { top: body.top + header_rows, ..body };
        if data.top > body.bottom {
            return None;
        }
        let header_cols = self.label_columns(&data);
        *number += 1;
        let name = title.or_else(|| self.title_above(&body)).unwrap_or_else(|| format!("Table {number}"));
        Some(Block { name, area: body, header_rows, header_cols, table_name: None })
    }

    /// The first of the lone texts that stand right above a block, up to two blank rows away.
    fn title_above(&self, body: &Area) -> Option<String> {
        let mut found = None;
        let mut blank = 0;
        for row in (body.top.saturating_sub(6)..body.top).rev() {
            let cells = self.row(&Area { left: 0, right: body.right, ..*body }, row);
            match cells.as_slice() {
                [] => {
                    blank += 1;
                    // Above a title comes another matter.
                    if blank > 2 || found.is_some() {
                        break;
                    }
                }
                [(at, only)] if only.class == Class::Text && at.col <= body.right => {
                    let text = self.texts.get(&only.origin).map(|text| text.trim().to_owned());
                    found = text.filter(|text| !text.is_empty()).or(found);
                }
                _ => break,
            }
        }
        found
    }

    /// Rows at the top that are texts, dates or counted years where something else comes below them.
    fn header_rows(&self, body: &Area) -> u32 {
        if self.is_form(body) {
            return 0;
        }
        let mut rows = 0;
        let mut counted = false;
        for row in body.top..body.bottom.min(body.top + MOST_HEADERS) {
            let kind = self.heading(body, row);
            let heads_figures = || self.stands_over_figures(body, row);
            // Below years come quarters or months, more than there are years.
            let is_finer = || self.row(body, row).len() > self.row(body, row.saturating_sub(1)).len();
            match kind {
                Heading::Words if counted && !is_finer() => break,
                Heading::Words if rows == 0 || heads_figures() => rows += 1,
                Heading::Counted if !counted && (rows == 0 || self.has_years(body, row)) => {
                    rows += 1;
                    counted = true;
                }
                Heading::No if rows > 0 && self.has_headings_below(body, row) => rows += 1,
                _ => break,
            }
        }
        let below = Area { top: body.top + rows, ..*body };
        let all_text = self.filled(&below).all(|(_, filled)| filled.class == Class::Text);
        // A list of texts alone has one row of headings.
        if all_text { rows.min(1) } else { rows }
    }

    /// Whether the row below a mixed one has a text over each column, as pivot tables have it.
    fn has_headings_below(&self, body: &Area, row: u32) -> bool {
        let texts =
            |row: u32| self.row(body, row).iter().filter(|(_, cell)| cell.class == Class::Text).count();
        let next = row + 1;
        let whole = (body.right - body.left + 1) as usize;
        next < body.bottom && texts(row) > 0 && texts(next) == whole && self.stands_over_figures(body, next)
    }

    /// Whether a text stands over each column with one blank row between, and nothing above that.
    fn has_headings_apart(&self, body: &Area) -> bool {
        let Some(top) = body.top.checked_sub(2) else { return false };
        let line = |row: u32| self.row(&Area { top: row, bottom: row, ..*body }, row);
        let headings = line(top);
        let figures = headings.iter().all(|(_, filled)| filled.class == Class::Text)
            && headings.len() as u32 == body.right - body.left + 1;
        figures
            && body.right > body.left
            && line(top + 1).is_empty()
            && top.checked_sub(1).is_none_or(|above| line(above).is_empty())
            && self.stands_over_figures(&Area { top, ..*body }, top)
    }

    fn heading(&self, body: &Area, row: u32) -> Heading {
        let cells = self.row(body, row);
        let is = |class: Class| cells.iter().filter(move |(_, filled)| filled.class == class).count();
        let (texts, numbers) = (is(Class::Text), is(Class::Number));
        let dates = is(Class::Date);
        match () {
            () if cells.is_empty() => Heading::No,
            () if numbers == 0 && (texts > 0 || dates > 1) => Heading::Words,
            () if numbers > 1 && texts <= 2 && dates == 0 && self.is_counted(body, row) => Heading::Counted,
            () => Heading::No,
        }
    }

    /// A row of years, or of more than three numbers, one after the other, with no such row below it.
    fn is_counted(&self, body: &Area, row: u32) -> bool {
        let counted = |row: u32| {
            let numbers: Vec<Option<i64>> = self
                .row(body, row)
                .iter()
                .filter(|(_, filled)| filled.class == Class::Number)
                .map(|(_, filled)| filled.whole)
                .collect();
            let steps = numbers.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a + 1 == *b));
            let years = numbers.iter().all(|year| year.is_some_and(|year| (1900..=2100).contains(&year)));
            steps && (years && numbers.len() > 1 || numbers.len() > 3)
        };
        counted(row) && !counted(row + 1)
    }

    fn has_years(&self, body: &Area, row: u32) -> bool {
        let cells = self.row(body, row);
        let mut numbers = cells.iter().filter(|(_, filled)| filled.class == Class::Number);
        numbers.all(|(_, filled)| filled.whole.is_some_and(|year| (1900..=2100).contains(&year)))
    }

    /// Whether a text of the row stands over a column of mostly figures, or a date over one of numbers.
    fn stands_over_figures(&self, body: &Area, row: u32) -> bool {
        self.row(body, row).iter().any(|(at, filled)| {
            let below = Area { top: row + 1, bottom: body.bottom, left: at.col, right: at.col };
            let (texts, figures) = self.counted_classes(&below);
            let dates = self.filled(&below).filter(|(_, filled)| filled.class == Class::Date).count();
            match filled.class {
                Class::Text => figures > texts,
                Class::Date => figures > texts && dates * 2 < figures,
                Class::Number => false,
            }
        })
    }

    /// Two columns of labels and values of several kinds, one under the other, as on a form.
    fn is_form(&self, body: &Area) -> bool {
        if body.right != body.left + 1 || body.bottom - body.top > 40 {
            return false;
        }
        let (labels, others) = self.counted_classes(&Area { right: body.left, ..*body });
        let values: Vec<&Filled> =
            self.filled(&Area { left: body.right, ..*body }).map(|(_, filled)| filled).collect();
        let has = |class: Class| values.iter().any(|filled| filled.class == class);
        let first_is_text = self.row(body, body.top).iter().all(|(_, filled)| filled.class == Class::Text);
        let mixed = has(Class::Date) && has(Class::Number);
        // A date at the top heads figures alone; over other things it is one value of the list.
        let below: Vec<Class> = values.iter().skip(1).map(|filled| filled.class).collect();
        let leads = values.first().is_some_and(|filled| filled.class == Class::Date)
            && below.iter().any(|class| below.first().is_some_and(|first| first != class));
        labels > 1 && others == 0 && (first_is_text && mixed || leads)
    }

    /// Two columns of labels and values in which a row is one more value: a date that is no heading, a text that is a
    /// number or one among values of several kinds.
    fn is_value_of_list(&self, area: &Area, row: u32) -> bool {
        if area.right != area.left + 1 {
            return false;
        }
        let (labels, others) = self.counted_classes(&Area { right: area.left, ..*area });
        if labels < 2 || others > 0 {
            return false;
        }
        let at = CellRef::new(row, area.right);
        match self.cells.get(&at).map(|filled| filled.class) {
            Some(Class::Date) => true,
            Some(Class::Text) => {
                let words = self.texts.get(&at).is_some_and(|text| text.contains(char::is_alphabetic));
                let values = Area { left: area.right, ..*area };
                let has_date = self.filled(&values).any(|(_, filled)| filled.class == Class::Date);
                !words || has_date
            }
            _ => false,
        }
    }

    /// Texts and other cells of an area.
    fn counted_classes(&self, area: &Area) -> (usize, usize) {
        self.filled(area).fold((0, 0), |(texts, others), (_, filled)| match filled.class {
            Class::Text => (texts + 1, others),
            Class::Number | Class::Date => (texts, others + 1),
        })
    }

    /// Columns of texts before the first that holds mostly something else.
    fn label_columns(&self, data: &Area) -> u32 {
        let mut columns = 0;
        for col in data.left..data.right.min(data.left + MOST_HEADERS) {
            let (texts, others) = self.counted_classes(&Area { left: col, right: col, ..*data });
            if texts == 0 || others > texts / 4 {
                break;
            }
            columns += 1;
        }
        let rest = Area { left: data.left + columns, ..*data };
        let all_text = columns > 0
            && rest.left <= rest.right
            && self.filled(&rest).all(|(_, filled)| filled.class == Class::Text);
        if all_text { 1 } else { columns }
    }

    /// Columns of mostly texts, wherever they stand in a block.
    pub(crate) fn text_columns(&self, block: &Block) -> Vec<u32> {
        let body = block.body();
        let columns = body.left..=body.right;
        let is_text = |col: &u32| {
            let (texts, others) = self.counted_classes(&Area { left: *col, right: *col, ..body });
            texts > others
        };
        columns.filter(is_text).collect()
    }

    /// What stands over a column, one text for each row of the header; what is written once over several columns
    /// counts for each of them.
    pub(crate) fn headings(&self, block: &Block, col: u32) -> Vec<CellRef> {
        let rows = block.area.top..block.area.top + block.header_rows;
        let last = (block.area.top + block.header_rows).saturating_sub(1);
        let heading = |row: u32| {
            let at = CellRef::new(row, col);
            if let Some(filled) = self.cells.get(&at) {
                return Some(filled.origin);
            }
            // Over the last row a heading goes on until the next one begins.
            let columns = (block.area.left + block.header_cols..col).rev();
            let mut left = columns.map(|col| CellRef::new(row, col));
            (row < last)
                .then(|| left.find_map(|at| self.cells.get(&at)).map(|filled| filled.origin))
                .flatten()
        };
        rows.filter_map(heading).collect()
    }

    pub(crate) fn role(&self, at: CellRef, cell: &Cell) -> Role {
        let block = self.blocks.iter().find(|block| block.area.contains(at));
        let in_header = block.is_some_and(|block| at.row < block.body().top);
        let function = cell.formula.as_ref().map(|formula| formula.text.to_ascii_uppercase());
        match (&function, &cell.value) {
            (_, Value::Text(_)) if in_header => Role::Header,
            (None, _) if in_header => Role::Header,
            (None, Value::Text(text)) if is_total(text) => Role::Total,
            (None, Value::Text(text)) if block.is_none() && text.chars().count() > 60 => Role::Note,
            (None, Value::Text(_)) => Role::Label,
            (Some(text), _) if text.starts_with("SUM(") || text.starts_with("SUBTOTAL(") => Role::Total,
            (Some(_), _) => Role::Formula,
            (None, _) => Role::Input,
        }
    }

    /// One character a cell, equal rows folded.
    pub(crate) fn map(&self) -> String {
        let Some(extent) = self.extent() else { return String::new() };
        let mut lines: Vec<(u32, u32, String)> = Vec::new();
        for row in extent.top..=extent.bottom {
            let in_header = |at: CellRef| {
                self.blocks.iter().any(|block| block.area.contains(at) && at.row < block.body().top)
            };
            let columns = extent.left..=extent.right.min(extent.left + 99);
            let letter = |col: u32| {
                let at = CellRef::new(row, col);
                match self.cells.get(&at) {
                    None => '.',
                    Some(_) if in_header(at) => 'H',
                    Some(filled) if filled.is_formula => 'F',
                    Some(Filled { class: Class::Text, .. }) => 'L',
                    Some(Filled { class: Class::Number, .. }) => '#',
                    Some(Filled { class: Class::Date, .. }) => 'D',
                }
            };
            let line: String = columns.map(letter).collect();
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

/// What a row looks like as a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    /// Texts and dates only.
    Words,
    /// Years, or numbers one after the other.
    Counted,
    No,
}

/// Words for totals, in the languages that most workbooks are in.
fn is_total(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "total",
        "totals",
        "subtotal",
        "sum",
        "summe",
        "gesamt",
        "zwischensumme",
        "somme",
        "suma",
        "totale",
        "totaal",
        "итого",
        "всего",
        "合計",
        "小計",
        "合计",
        "小计",
        "总计",
    ];
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

//! One worksheet as it can be read.

use std::sync::Arc;

use edit::{Cut, Refusal};
use formula::{ErrorKind, Value};

use crate::file::a1::{Area, CellRef};
use crate::file::formula_text;
use crate::file::refs;
use crate::file::scan;
use crate::file::scan::{Attributes, Cell as RawCell, CellType};
use crate::file::strings::{RichRun, rich_runs, string_text};
use crate::file::workbook::Tab;
use crate::file::worksheet::{ArrayKind, Worksheet};
use crate::read::book::Book;

/// A worksheet of a view.
#[derive(Clone, Copy, Debug)]
pub struct SheetView<'a> {
    pub(crate) book: &'a Book,
    /// Where it stands among the sheets.
    pub position: usize,
    pub tab: &'a Tab,
    pub(crate) worksheet: &'a Arc<Worksheet>,
}

/// A cell that is in the file. Cells that are not are blank and have the style of their row or column.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub at: CellRef,
    /// For a formula, the value it last had.
    pub value: Value,
    pub formula: Option<CellFormula>,
    /// Index of the cell format; see [`Book::style`](crate::read::book::Book::style).
    pub style: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFormula {
    /// As written in the file, without a leading `=`; shared formulas as they read in this cell.
    pub text: String,
    pub kind: FormulaKind,
}

/// A what-if table: where its results stand, and where the values along its edges go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataTable {
    pub area: Area,
    pub row_input: Option<CellRef>,
    pub column_input: Option<CellRef>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    Normal,
    /// One of a group that is written once.
    Shared,
    /// Entered over a fixed range.
    Array(Area),
    /// Spills over the range.
    Dynamic(Area),
    /// A what-if table over the range.
    DataTable(Area),
}

impl CellFormula {
    /// As people read it: without the prefixes that files put before young functions, and with `@` where an ordinary
    /// formula takes one value of a range.
    pub fn shown(&self) -> String {
        match self.kind {
            FormulaKind::Normal | FormulaKind::Shared => formula_text::ordinary_for_people(&self.text),
            FormulaKind::DataTable(_) => "TABLE()".to_owned(),
            _ => formula_text::formula_for_people(&self.text),
        }
    }
}

impl<'a> SheetView<'a> {
    pub fn name(&self) -> &'a str {
        &self.tab.name
    }

    /// The cell, if the file has it. Reads one row.
    pub fn cell(&self, at: CellRef) -> Result<Option<Cell>, Refusal> {
        match self.worksheet.find_cell(at)? {
            Some((_, bytes, raw)) => self.decode(&bytes, &raw).map(Some),
            None => Ok(None),
        }
    }

    pub fn value(&self, at: CellRef) -> Result<Value, Refusal> {
        Ok(self.cell(at)?.map_or(Value::Blank, |cell| cell.value))
    }

    /// The cells of an area that are in the file, row by row.
    pub fn cells(&self, area: Area) -> Result<Vec<Cell>, Refusal> {
        let mut found = Vec::new();
        self.each_cell(area, &mut |cell| found.push(cell))?;
        Ok(found)
    }

    /// Calls `each` with every cell of an area that is in the file.
    pub fn each_cell(&self, area: Area, each: &mut dyn FnMut(Cell)) -> Result<(), Refusal> {
        let worksheet = self.worksheet;
        worksheet.each_row(area.top, area.bottom, &mut |bytes, offset, row| {
            let mut cells = worksheet.cells(bytes, row);
            while let Some(raw) = cells.next().map_err(|broken| worksheet.broken(broken.after(offset)))? {
                if area.contains(raw.at) {
                    each(self.decode(bytes, &raw)?);
                }
            }
            Ok(())
        })
    }

    /// The smallest area that holds all cells of the file, found by reading all of them.
    pub fn extent(&self) -> Result<Option<Area>, Refusal> {
        let mut extent: Option<Area> = None;
        let worksheet = self.worksheet;
        worksheet.each_row(0, formula::MAX_ROWS - 1, &mut |bytes, offset, row| {
            let mut cells = worksheet.cells(bytes, row);
            while let Some(raw) = cells.next().map_err(|broken| worksheet.broken(broken.after(offset)))? {
                let one = Area::cell(raw.at);
                extent = Some(extent.map_or(one, |known| known.hull(&one)));
            }
            Ok(())
        })?;
        Ok(extent)
    }

    /// The pieces of a cell's text, if they have looks of their own.
    pub fn rich_text(&self, at: CellRef) -> Result<Option<Vec<RichRun>>, Refusal> {
        let Some((_, bytes, raw)) = self.worksheet.find_cell(at)? else { return Ok(None) };
        match raw.kind {
            CellType::Shared => {
                let index = shared_index(&bytes, &raw);
                Ok(self.book.strings()?.zip(index).and_then(|(strings, index)| strings.rich(index)))
            }
            CellType::Inline => {
                let inline = raw.inline.map_or(&b""[..], |span| bytes.part(span));
                Ok(rich_runs(inline, &self.worksheet.spelling().prefix))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn decode(&self, bytes: &[u8], raw: &RawCell) -> Result<Cell, Refusal> {
        Ok(Cell {
            at: raw.at,
            value: self.raw_value(bytes, raw)?,
            formula: self.raw_formula(bytes, raw)?,
            style: raw.style,
        })
    }

    pub(crate) fn raw_value(&self, bytes: &[u8], raw: &RawCell) -> Result<Value, Refusal> {
        let text = raw.value.clone().and_then(|span| bytes.get(span));
        Ok(match (raw.kind, text) {
            (CellType::Inline, _) => match &raw.inline {
                Some(span) => {
                    let prefix = &self.worksheet.spelling().prefix;
                    Value::from(string_text(bytes.cut(span.clone())?, prefix))
                }
                None => text.map_or(Value::Blank, |text| Value::from(&*scan::text(text))),
            },
            (_, None) => Value::Blank,
            (CellType::Shared, Some(text)) if text.trim_ascii().is_empty() => Value::Blank,
            (CellType::Shared, Some(_)) => {
                let strings = self.book.strings()?;
                let found = shared_index(bytes, raw).and_then(|index| strings?.get(index));
                Value::Text(found.ok_or_else(|| Refusal::Corrupt {
                    what: format!("{}!{}", self.tab.name, raw.at),
                    why: "it names a shared string that is not there".to_owned(),
                })?)
            }
            (CellType::Text, Some(text)) => Value::from(&*crate::file::strings::decode(&scan::text(text))),
            (CellType::Number, Some(text)) => match read_f64(text) {
                Some(number) => Value::Number(number),
                None if text.trim_ascii().is_empty() => Value::Blank,
                None => Value::from(&*scan::text(text)),
            },
            (CellType::Bool, Some(text)) => Value::Bool(matches!(text.trim_ascii(), b"1" | b"true")),
            (CellType::Error, Some(text)) => {
                let plain = ErrorKind::parse(&scan::text(text)).unwrap_or(ErrorKind::Unknown);
                let mark = Attributes::of(bytes, raw.tag.start).find("vm").and_then(|span| bytes.get(span));
                let mark = mark.filter(|_| plain == ErrorKind::Value).and_then(crate::file::a1::read_number);
                Value::Error(mark.and_then(|mark| self.book.rich_error(mark)).unwrap_or(plain))
            }
            (CellType::Date, Some(text)) => {
                let text = scan::text(text);
                match crate::file::dates::serial_of_iso(&text, self.book.workbook.dates) {
                    Some(serial) => Value::Number(serial),
                    None => Value::from(&*text),
                }
            }
        })
    }

    pub(crate) fn raw_formula(&self, bytes: &[u8], raw: &RawCell) -> Result<Option<CellFormula>, Refusal> {
        let Some((element, inside)) = raw.formula.clone() else { return Ok(None) };
        let value = |name| Attributes::of(bytes, element.start).find(name).and_then(|span| bytes.get(span));
        let text = scan::text(bytes.cut(inside)?).into_owned();
        let area = || {
            let area = value("ref").and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
            area.unwrap_or(Area::cell(raw.at))
        };
        let kind = match value("t") {
            Some(b"shared") => {
                if !text.is_empty() {
                    return Ok(Some(CellFormula { text, kind: FormulaKind::Shared }));
                }
                let index = value("si").and_then(crate::file::a1::read_number);
                let groups = self.worksheet.shared()?;
                let master =
                    groups.iter().rev().find(|group| Some(group.index) == index && group.at <= raw.at);
                let Some(master) = master else { return Ok(None) };
                let text = refs::translate(&master.text, master.at, raw.at);
                return Ok(Some(CellFormula { text, kind: FormulaKind::Shared }));
            }
            Some(b"array") => match Attributes::of(bytes, raw.tag.start).find("cm") {
                Some(_) => FormulaKind::Dynamic(area()),
                None => FormulaKind::Array(area()),
            },
            Some(b"dataTable") => FormulaKind::DataTable(area()),
            // Excel takes an empty formula for none.
            _ if text.is_empty() => return Ok(None),
            _ => FormulaKind::Normal,
        };
        Ok(Some(CellFormula { text, kind }))
    }

    /// The what-if tables with their input cells.
    pub fn data_table_inputs(&self) -> Result<Vec<DataTable>, Refusal> {
        let mut found = Vec::new();
        for array in self.worksheet.arrays()?.iter().filter(|array| array.kind == ArrayKind::DataTable) {
            let Some((_, bytes, raw)) = self.worksheet.find_cell(array.at)? else { continue };
            let Some((element, _)) = raw.formula.clone() else { continue };
            let value = |name| {
                let span = Attributes::of(&bytes, element.start).find(name)?;
                std::str::from_utf8(bytes.get(span)?).ok().map(str::to_owned)
            };
            let on = |name| matches!(value(name).as_deref(), Some("1" | "true"));
            let cell = |name| value(name).and_then(|text| text.parse::<CellRef>().ok());
            let (row_input, column_input) = match (on("dt2D"), on("dtr")) {
                (true, _) => (cell("r1"), cell("r2")),
                (false, true) => (cell("r1"), None),
                (false, false) => (None, cell("r1")),
            };
            found.push(DataTable { area: array.area, row_input, column_input });
        }
        Ok(found)
    }

    /// The areas of the what-if tables.
    pub fn data_tables(&self) -> Result<Vec<Area>, Refusal> {
        let tables =
            self.worksheet.arrays()?.iter().filter(|array| matches!(array.kind, ArrayKind::DataTable));
        Ok(tables.map(|array| array.area).collect())
    }

    /// The array formula, spill or data table that fills a cell.
    pub fn array_at(&self, at: CellRef) -> Result<Option<(CellRef, Area, FormulaKind)>, Refusal> {
        let arrays = self.worksheet.arrays()?;
        Ok(arrays.iter().find(|array| array.area.contains(at)).map(|array| {
            let kind = match array.kind {
                ArrayKind::Fixed => FormulaKind::Array(array.area),
                ArrayKind::Dynamic => FormulaKind::Dynamic(array.area),
                ArrayKind::DataTable => FormulaKind::DataTable(array.area),
            };
            (array.at, array.area, kind)
        }))
    }
}

pub(crate) fn shared_index(bytes: &[u8], raw: &RawCell) -> Option<u32> {
    crate::file::a1::read_number(bytes.get(raw.value.clone()?)?.trim_ascii())
}

/// A number as sheets write it. Short whole numbers, the bulk of most sheets, are read by hand.
pub(crate) fn read_f64(text: &[u8]) -> Option<f64> {
    if text.len() < 9
        && let Some(whole) = crate::file::a1::read_number(text)
    {
        return Some(f64::from(whole));
    }
    std::str::from_utf8(text).ok()?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

//! Values of all sheets, packed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use edit::Refusal;
use formula::{Area, CellRef, Cells, ErrorKind, RowState, SheetId, Store, Value};
use ooxml::xml::ns;

use crate::scan::{Attributes, Cell, CellType, Row};
use crate::sheet_view::{SheetView, read_f64, shared_index};
use crate::strings::Strings;
use crate::styles::Styles;
use crate::view::View;

#[derive(Debug)]
pub(crate) struct Grid {
    sheets: Vec<Sheet>,
    strings: Option<Arc<Strings>>,
    styles: Option<Arc<Styles>>,
    /// Texts that are not shared strings.
    texts: Vec<Arc<str>>,
    /// Formulas as people read them, for `FORMULATEXT`.
    formulas: HashMap<CellRef, Arc<str>>,
}

#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// Row and the index of its first cell.
    rows: Vec<(u32, u32)>,
    cells: Vec<Packed>,
    /// Cells that were not in the file.
    over: BTreeMap<(u32, u32), Value>,
    hidden: HashMap<u32, RowState>,
    /// First column, last column, width.
    widths: Vec<(u32, u32, f64)>,
    extent: (u32, u32),
    /// Texts on the way in.
    texts: Vec<Arc<str>>,
}

#[derive(Clone, Copy, Debug)]
struct Packed {
    bits: u64,
    col: u16,
    style: u16,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Blank,
    Number,
    /// Index of a shared string.
    Shared,
    /// Index into the grid's own texts.
    Text,
    Bool,
    Error,
}

const ERRORS: [ErrorKind; 16] = [
    ErrorKind::Null,
    ErrorKind::Div0,
    ErrorKind::Value,
    ErrorKind::Ref,
    ErrorKind::Name,
    ErrorKind::Num,
    ErrorKind::NotAvailable,
    ErrorKind::GettingData,
    ErrorKind::Spill,
    ErrorKind::Connect,
    ErrorKind::Blocked,
    ErrorKind::Unknown,
    ErrorKind::Field,
    ErrorKind::Calc,
    ErrorKind::Busy,
    ErrorKind::Python,
];

impl Grid {
    pub(super) fn new(view: &View) -> Result<Grid, Refusal> {
        Ok(Grid {
            sheets: Vec::new(),
            strings: view.strings()?.cloned(),
            styles: view.styles()?.cloned(),
            texts: Vec::new(),
            formulas: HashMap::new(),
        })
    }

    /// Remembers the text of a formula, with its `=` and an array's braces.
    pub(super) fn remember(&mut self, at: CellRef, shown: &str) {
        self.formulas.insert(at, Arc::from(shown));
    }

    pub(super) fn add_nothing(&mut self) {
        self.sheets.push(Sheet::default());
    }

    pub(super) fn add(&mut self, mut sheet: Sheet) {
        let first = self.texts.len() as u64;
        self.texts.append(&mut sheet.texts);
        for cell in sheet.cells.iter_mut().filter(|cell| cell.kind == Kind::Text) {
            cell.bits += first;
        }
        self.sheets.push(sheet);
    }

    fn unpack(&self, cell: &Packed) -> Value {
        match cell.kind {
            Kind::Blank => Value::Blank,
            Kind::Number => Value::Number(f64::from_bits(cell.bits)),
            Kind::Bool => Value::Bool(cell.bits != 0),
            Kind::Error => ERRORS.get(cell.bits as usize).map_or(Value::Blank, |kind| Value::Error(*kind)),
            Kind::Text => {
                self.texts.get(cell.bits as usize).map_or(Value::Blank, |text| Value::Text(text.clone()))
            }
            Kind::Shared => {
                let text = self.strings.as_ref().and_then(|strings| strings.get(cell.bits as u32));
                text.map_or(Value::Blank, Value::Text)
            }
        }
    }

    fn sheet(&self, sheet: SheetId) -> Option<&Sheet> {
        self.sheets.get(sheet.0 as usize)
    }
}

impl Sheet {
    fn row(&self, index: usize) -> &[Packed] {
        let start = self.rows.get(index).map_or(0, |(_, start)| *start as usize);
        let end = self.rows.get(index + 1).map_or(self.cells.len(), |(_, start)| *start as usize);
        self.cells.get(start..end).unwrap_or_default()
    }

    fn find(&self, row: u32, col: u32) -> Option<usize> {
        let index = self.rows.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        let start = self.rows.get(index)?.1 as usize;
        let at = self.row(index).binary_search_by_key(&col, |cell| u32::from(cell.col)).ok()?;
        Some(start + at)
    }
}

impl Cells for Grid {
    fn value(&self, cell: CellRef) -> Value {
        let Some(sheet) = self.sheet(cell.sheet) else { return Value::Blank };
        match sheet.find(cell.row, cell.col).and_then(|at| sheet.cells.get(at)) {
            Some(packed) => self.unpack(packed),
            None => sheet.over.get(&(cell.row, cell.col)).cloned().unwrap_or_default(),
        }
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let Some(sheet) = self.sheet(area.sheet) else { return };
        let mut over = sheet
            .over
            .range((area.top, 0)..=(area.bottom, u32::MAX))
            .filter(|((_, col), value)| (area.left..=area.right).contains(col) && !value.is_blank())
            .peekable();
        let first = sheet.rows.partition_point(|(row, _)| *row < area.top);
        for (index, (row, _)) in sheet.rows.iter().enumerate().skip(first) {
            if *row > area.bottom {
                break;
            }
            let cells = sheet.row(index);
            let from = cells.partition_point(|cell| u32::from(cell.col) < area.left);
            for cell in cells.iter().skip(from).take_while(|cell| u32::from(cell.col) <= area.right) {
                let at = (*row, u32::from(cell.col));
                while let Some(((row, col), value)) = over.next_if(|(other, _)| **other < at) {
                    each(*row, *col, value);
                }
                if cell.kind != Kind::Blank {
                    each(at.0, at.1, &self.unpack(cell));
                }
            }
        }
        for ((row, col), value) in over {
            each(*row, *col, value);
        }
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        self.sheet(sheet).map_or((0, 0), |sheet| sheet.extent)
    }

    fn row_state(&self, sheet: SheetId, row: u32) -> RowState {
        self.sheet(sheet).and_then(|sheet| sheet.hidden.get(&row).copied()).unwrap_or(RowState::Visible)
    }

    fn formula_text(&self, cell: CellRef) -> Option<String> {
        self.formulas.get(&cell).map(|text| text.to_string())
    }

    fn number_format(&self, cell: CellRef) -> Option<Arc<str>> {
        let sheet = self.sheet(cell.sheet)?;
        let style =
            sheet.find(cell.row, cell.col).and_then(|at| sheet.cells.get(at)).map_or(0, |cell| cell.style);
        Some(Arc::from(self.styles.as_ref()?.number_format(u32::from(style))))
    }

    fn column_width(&self, sheet: SheetId, col: u32) -> Option<f64> {
        let widths = &self.sheet(sheet)?.widths;
        widths.iter().find(|(first, last, _)| (*first..=*last).contains(&col)).map(|(_, _, width)| *width)
    }
}

impl Store for Grid {
    fn set(&mut self, cell: CellRef, value: Value) {
        let next_text = self.texts.len() as u64;
        let Some(sheet) = self.sheets.get_mut(cell.sheet.0 as usize) else { return };
        let Some(at) = sheet.find(cell.row, cell.col) else {
            sheet.extent = (sheet.extent.0.max(cell.row + 1), sheet.extent.1.max(cell.col + 1));
            match value {
                Value::Blank => drop(sheet.over.remove(&(cell.row, cell.col))),
                value => drop(sheet.over.insert((cell.row, cell.col), value)),
            }
            return;
        };
        let Some(packed) = sheet.cells.get_mut(at) else { return };
        (packed.kind, packed.bits) = match value {
            Value::Blank => (Kind::Blank, 0),
            Value::Number(number) => (Kind::Number, number.to_bits()),
            Value::Bool(flag) => (Kind::Bool, u64::from(flag)),
            Value::Error(kind) => {
                (Kind::Error, ERRORS.iter().position(|known| *known == kind).unwrap_or(2) as u64)
            }
            Value::Text(text) => {
                self.texts.push(text);
                (Kind::Text, next_text)
            }
        };
    }
}

/// Fills the cells of one sheet.
pub(super) struct Loader<'a, 'b> {
    view: &'b SheetView<'a>,
    sheet: Sheet,
    filtered: Option<crate::a1::Area>,
}

impl<'a, 'b> Loader<'a, 'b> {
    pub(super) fn new(view: &'b SheetView<'a>) -> Loader<'a, 'b> {
        let root = view.root();
        let filter = root.child(ns::S, "autoFilter").filter(|node| node.elements().next().is_some());
        let filtered = filter.and_then(|node| crate::workbook::string(&node, "ref")?.parse().ok());
        let widths =
            view.columns().iter().filter_map(|run| Some((run.first, run.last, run.width?))).collect();
        Loader { view, sheet: Sheet { widths, ..Sheet::default() }, filtered }
    }

    pub(super) fn row(&mut self, bytes: &[u8], row: &Row) -> Result<(), Refusal> {
        if self.sheet.rows.last().is_some_and(|(last, _)| *last >= row.row) {
            return Err(Refusal::Corrupt {
                what: self.view.worksheet.part.to_string(),
                why: format!("row {} comes twice or out of order", row.row + 1),
            });
        }
        let hidden = Attributes::of(bytes, row.tag.start).find("hidden").and_then(|span| bytes.get(span));
        if matches!(hidden, Some(b"1" | b"true")) {
            let filtered = self.filtered.is_some_and(|area| (area.top..=area.bottom).contains(&row.row));
            let state = if filtered { RowState::Filtered } else { RowState::Hidden };
            self.sheet.hidden.insert(row.row, state);
        }
        self.sheet.rows.push((row.row, self.sheet.cells.len() as u32));
        Ok(())
    }

    pub(super) fn cell(&mut self, bytes: &[u8], cell: &Cell) -> Result<(), Refusal> {
        let sheet = &mut self.sheet;
        let row_start = sheet.rows.last().map_or(0, |(_, start)| *start as usize);
        let last = sheet.cells.get(row_start..).and_then(<[Packed]>::last);
        if last.is_some_and(|last| u32::from(last.col) >= cell.at.col) {
            return Err(Refusal::Corrupt {
                what: self.view.worksheet.part.to_string(),
                why: format!("cell {} comes twice or out of order", cell.at),
            });
        }
        let text = cell.value.clone().and_then(|span| bytes.get(span));
        let (kind, bits) = match (cell.kind, text) {
            (CellType::Number, Some(text)) if let Some(number) = read_f64(text) => {
                (Kind::Number, number.to_bits())
            }
            (CellType::Shared, Some(_)) if let Some(index) = shared_index(bytes, cell) => {
                (Kind::Shared, u64::from(index))
            }
            (CellType::Bool, Some(text)) => {
                (Kind::Bool, u64::from(matches!(text.trim_ascii(), b"1" | b"true")))
            }
            (CellType::Inline, None) if cell.inline.is_none() => (Kind::Blank, 0),
            (kind, None) if kind != CellType::Inline => (Kind::Blank, 0),
            _ => match self.view.raw_value(bytes, cell)? {
                Value::Blank => (Kind::Blank, 0),
                Value::Number(number) => (Kind::Number, number.to_bits()),
                Value::Bool(flag) => (Kind::Bool, u64::from(flag)),
                Value::Error(kind) => {
                    (Kind::Error, ERRORS.iter().position(|known| *known == kind).unwrap_or(2) as u64)
                }
                Value::Text(text) => {
                    sheet.texts.push(text);
                    (Kind::Text, sheet.texts.len() as u64 - 1)
                }
            },
        };
        let style = u16::try_from(cell.style).unwrap_or(0);
        sheet.cells.push(Packed { bits, col: cell.at.col as u16, style, kind });
        if kind != Kind::Blank || cell.formula.is_some() {
            sheet.extent = (sheet.extent.0.max(cell.at.row + 1), sheet.extent.1.max(cell.at.col + 1));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Sheet {
        self.sheet
    }
}

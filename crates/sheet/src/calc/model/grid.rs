//! Values of all sheets, packed by column, because formulas look up and down more than across.
//!
//! A copy shares the pages that neither side has written since.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use edit::{Cut, Refusal, Stop};
use formula::{Area, CellRef, Cells, ErrorKind, Pages, RowState, Shards, SheetId, Store, Value};
use ooxml::xml::ns;

use super::ModelFormula;
use super::widths::Widths;
use crate::file::scan::{Attributes, Cell, CellType, Row};
use crate::file::strings::Strings;
use crate::file::styles::Styles;
use crate::read::book::Book;
use crate::read::sheet_view::{SheetView, read_f64, shared_index};

#[derive(Clone, Debug)]
pub(crate) struct Grid {
    sheets: Vec<Sheet>,
    strings: Option<Arc<Strings>>,
    styles: Option<Arc<Styles>>,
    /// Texts that are not shared strings.
    texts: Pages<Arc<str>>,
    /// Styles of cells that were not in the file.
    worn: Arc<BTreeMap<CellRef, u16>>,
    pub(super) formulas: Shards<CellRef, ModelFormula>,
    /// Of the calculation under way.
    pub(crate) stop: Stop,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    /// In order, each with its number.
    columns: Vec<(u32, Column)>,
    /// Cells that were not in the file, by column and row; columns in order.
    over: Vec<(u32, Lying)>,
    hidden: Arc<HashMap<u32, RowState>>,
    merged: Arc<[crate::file::a1::Area]>,
    widths: Arc<Widths>,
    extent: (u32, u32),
}

/// Cells of one column by row.
type Lying = Arc<BTreeMap<u32, Value>>;

/// The cells of one column, each kind of thing in a list of its own, so that formulas are given numbers where
/// they lie.
#[derive(Clone, Debug, Default)]
struct Column {
    /// In order, one for each cell.
    rows: Arc<Vec<u32>>,
    kinds: Pages<Kind>,
    /// What a number is, or whatever else the kind says.
    numbers: Pages<f64>,
    styles: Pages<u16>,
}

/// What is in a cell and which one. Indexes are whole numbers far below those that a float cannot hold.
type Packed = (Kind, f64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The first, so that a column of nothing but numbers is one of nothing but zeros.
    Number = 0,
    Blank,
    /// Index of a shared string.
    Shared,
    /// Index into the grid's own texts.
    Text,
    /// Zero or one.
    Bool,
    /// Index of an error.
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
    pub(super) fn new(view: &Book) -> Result<Grid, Refusal> {
        Ok(Grid {
            sheets: Vec::new(),
            strings: view.strings()?.cloned(),
            styles: view.styles()?.cloned(),
            texts: Pages::default(),
            worn: Arc::default(),
            formulas: Shards::default(),
            stop: Stop::never(),
        })
    }

    pub(super) fn add_nothing(&mut self) {
        self.sheets.push(Sheet::default());
    }

    pub(super) fn add(&mut self, loader: Loader<'_, '_>) {
        let first = self.texts.len() as f64;
        loader.texts.into_iter().for_each(|text| self.texts.push(text));
        let columns = loader.columns.into_iter().enumerate().filter(|(_, column)| !column.rows.is_empty());
        let columns = columns.map(|(number, mut column)| {
            for (kind, index) in column.kinds.iter().zip(&mut column.numbers) {
                if *kind == Kind::Text {
                    *index += first;
                }
            }
            let Loading { rows, kinds, numbers, styles } = column;
            let (kinds, numbers, styles) = (kinds.into(), numbers.into(), styles.into());
            (number as u32, Column { rows: Arc::new(rows), kinds, numbers, styles })
        });
        self.sheets.push(Sheet {
            columns: columns.collect(),
            hidden: Arc::new(loader.hidden),
            merged: loader.view.merges().into(),
            widths: Arc::new(loader.widths),
            extent: loader.extent,
            ..Sheet::default()
        });
    }

    /// Takes over looks that changed.
    pub(super) fn restyle(&mut self, view: &Book, styles: &[(CellRef, u32)]) -> Result<(), Refusal> {
        self.styles = view.styles()?.cloned();
        for (at, style) in styles {
            let style = u16::try_from(*style).unwrap_or(0);
            let known = self.column_mut(*at).and_then(|(column, index)| column.styles.get_mut(index));
            match known {
                Some(known) => *known = style,
                None => {
                    Arc::make_mut(&mut self.worn).insert(*at, style);
                }
            }
        }
        Ok(())
    }

    /// Where a cell of the file is.
    fn column_mut(&mut self, at: CellRef) -> Option<(&mut Column, usize)> {
        let sheet = self.sheets.get_mut(at.sheet.0 as usize)?;
        let place = sheet.place(at.col)?;
        let (_, column) = sheet.columns.get_mut(place)?;
        let index = column.find(at.row)?;
        Some((column, index))
    }

    fn unpack(&self, (kind, number): Packed) -> Value {
        match kind {
            Kind::Blank => Value::Blank,
            Kind::Number => Value::Number(number),
            Kind::Bool => Value::Bool(number != 0.0),
            Kind::Error => Value::Error(error(number)),
            Kind::Text => {
                self.texts.get(number as usize).map_or(Value::Blank, |text| Value::Text(text.clone()))
            }
            Kind::Shared => {
                let text = self.strings.as_ref().and_then(|strings| strings.get(number as u32));
                text.map_or(Value::Blank, Value::Text)
            }
        }
    }

    fn sheet(&self, sheet: SheetId) -> Option<&Sheet> {
        self.sheets.get(sheet.0 as usize)
    }

    /// The cells of one column, with what lies on top of them.
    fn visit_column(&self, column: &Column, number: u32, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let from = column.from(area.top);
        let to = column.from(area.bottom.saturating_add(1));
        let rows = column.rows.part(from..to);
        let mut rows = rows.iter();
        for (kinds, numbers) in column.slices(from..to) {
            for ((kind, value), row) in kinds.iter().zip(numbers).zip(rows.by_ref()) {
                match kind {
                    Kind::Blank => {}
                    Kind::Number => each(*row, number, &Value::Number(*value)),
                    _ => each(*row, number, &self.unpack((*kind, *value))),
                }
            }
        }
    }
}

impl Column {
    fn find(&self, row: u32) -> Option<usize> {
        let at = self.from(row);
        (self.rows.get(at) == Some(&row)).then_some(at)
    }

    /// The place of the first cell not above a row. Columns are mostly without gaps, so look there first.
    fn from(&self, row: u32) -> usize {
        let first = self.rows.first().copied().unwrap_or(0);
        let guess = row.saturating_sub(first) as usize;
        match self.rows.get(guess) {
            Some(found) if *found == row => guess,
            _ => {
                let end = guess.saturating_add(1).min(self.rows.len());
                let (Some(before), true) = (self.rows.get(..end), row > first) else { return 0 };
                before.partition_point(|known| *known < row)
            }
        }
    }

    fn packed(&self, at: usize) -> Option<Packed> {
        Some((*self.kinds.get(at)?, *self.numbers.get(at)?))
    }

    /// The cells from one place up to another, as they lie.
    fn slices(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (&[Kind], &[f64])> {
        self.kinds.slices(range.clone()).zip(self.numbers.slices(range))
    }

    /// Mostly a cell stays what it is, and only its number is written.
    fn set(&mut self, at: usize, (kind, number): Packed) {
        if self.kinds.get(at) != Some(&kind)
            && let Some(known) = self.kinds.get_mut(at)
        {
            *known = kind;
        }
        if let Some(known) = self.numbers.get_mut(at) {
            *known = number;
        }
    }
}

impl Sheet {
    /// Where a column stands among those in use.
    fn place(&self, col: u32) -> Option<usize> {
        match self.columns.get(col as usize) {
            Some((number, _)) if *number == col => Some(col as usize),
            _ => self.columns.binary_search_by_key(&col, |(number, _)| *number).ok(),
        }
    }

    /// The cells of a column that were not in the file.
    fn lying(&self, col: u32) -> Option<&BTreeMap<u32, Value>> {
        let at = self.over.binary_search_by_key(&col, |(number, _)| *number).ok()?;
        self.over.get(at).map(|(_, cells)| &**cells)
    }

    fn find(&self, row: u32, col: u32) -> Option<(&Column, usize)> {
        let (_, column) = self.columns.get(self.place(col)?)?;
        Some((column, column.find(row)?))
    }

    fn packed(&self, row: u32, col: u32) -> Option<Packed> {
        let (column, at) = self.find(row, col)?;
        column.packed(at)
    }
}

/// The columns of an area, of a list in order. Mostly there is no gap before them.
fn between<T>(list: &[(u32, T)], area: Area) -> &[(u32, T)] {
    let first = match list.get(area.left as usize) {
        Some((number, _)) if *number == area.left => area.left as usize,
        _ => list.partition_point(|(number, _)| *number < area.left),
    };
    let rest = list.part(first..);
    let count = match rest.get((area.right - area.left) as usize) {
        Some((number, _)) if *number == area.right => (area.right - area.left) as usize + 1,
        _ => rest.partition_point(|(number, _)| *number <= area.right),
    };
    rest.part(..count)
}

/// The error of an index.
fn error(index: f64) -> ErrorKind {
    ERRORS.get(index as usize).copied().unwrap_or(ErrorKind::Value)
}

impl Cells for Grid {
    fn value(&self, cell: CellRef) -> Value {
        let Some(sheet) = self.sheet(cell.sheet) else { return Value::Blank };
        match sheet.packed(cell.row, cell.col) {
            Some(packed) => self.unpack(packed),
            None => {
                sheet.lying(cell.col).and_then(|cells| cells.get(&cell.row)).cloned().unwrap_or(Value::Blank)
            }
        }
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let Some(sheet) = self.sheet(area.sheet) else { return };
        let (columns, over) = (between(&sheet.columns, area), between(&sheet.over, area));
        let mut lying: Vec<((u32, u32), &Value)> = Vec::new();
        for (col, cells) in over {
            lying.extend(cells.range(area.top..=area.bottom).map(|(row, value)| ((*row, *col), value)));
        }
        if over.len() > 1 {
            lying.sort_unstable_by_key(|(at, _)| *at);
        }
        let mut lying = lying.into_iter().peekable();
        match columns {
            [] => {}
            [(number, column)] if lying.peek().is_none() => {
                return self.visit_column(column, *number, area, each);
            }
            _ => {
                let mut places: Vec<usize> =
                    columns.iter().map(|(_, column)| column.from(area.top)).collect();
                loop {
                    let next =
                        columns.iter().zip(&places).filter_map(|((_, column), at)| column.rows.get(*at));
                    let Some(row) = next.copied().min().filter(|row| *row <= area.bottom) else { break };
                    for ((number, column), at) in columns.iter().zip(&mut places) {
                        if column.rows.get(*at) != Some(&row) {
                            continue;
                        }
                        let cell = column.packed(*at);
                        *at += 1;
                        while let Some(((row, col), value)) =
                            lying.next_if(|(other, _)| *other < (row, *number))
                        {
                            each(row, col, value);
                        }
                        if let Some(cell) = cell.filter(|(kind, _)| *kind != Kind::Blank) {
                            each(row, *number, &self.unpack(cell));
                        }
                    }
                }
            }
        }
        for ((row, col), value) in lying {
            each(row, col, value);
        }
    }

    fn number(&self, cell: CellRef) -> Option<f64> {
        let sheet = self.sheet(cell.sheet)?;
        match sheet.packed(cell.row, cell.col) {
            Some((kind, number)) => (kind == Kind::Number).then_some(number),
            None => match sheet.lying(cell.col)?.get(&cell.row) {
                Some(Value::Number(number)) => Some(*number),
                _ => None,
            },
        }
    }

    fn numbers(&self, area: Area, each: &mut dyn FnMut(&[f64])) -> Option<Result<(), ErrorKind>> {
        let sheet = self.sheet(area.sheet)?;
        if !sheet.over.is_empty() && !between(&sheet.over, area).is_empty() {
            return None;
        }
        let column = match between(&sheet.columns, area) {
            [(_, column)] => column,
            // A row is read cell by cell.
            columns if area.top == area.bottom => {
                let mut wrong = Ok(());
                for (_, column) in columns {
                    match column.find(area.top).and_then(|at| column.packed(at)) {
                        Some((Kind::Number, number)) => each(&[number]),
                        Some((Kind::Error, index)) if wrong.is_ok() => wrong = Err(error(index)),
                        _ => {}
                    }
                }
                return Some(wrong);
            }
            _ => return None,
        };
        let (from, to) = (column.from(area.top), column.from(area.bottom.saturating_add(1)));
        let mut wrong = Ok(());
        for (kinds, numbers) in column.slices(from..to) {
            // Mostly there is nothing but numbers, which are handed over where they lie. All kinds are looked at
            // together, which takes fewer steps than to stop at the first that is another.
            if kinds.iter().fold(0, |all, kind| all | *kind as u8) == Kind::Number as u8 {
                each(numbers);
                continue;
            }
            let mut from = 0;
            for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| **kind != Kind::Number) {
                each(numbers.part(from..at));
                from = at + 1;
                if *kind == Kind::Error && wrong.is_ok() {
                    wrong = numbers.get(at).map_or(Ok(()), |index| Err(error(*index)));
                }
            }
            each(numbers.part(from..));
        }
        Some(wrong)
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        self.sheet(sheet).map_or((0, 0), |sheet| sheet.extent)
    }

    fn is_merged(&self, area: formula::Area) -> bool {
        let wanted =
            crate::file::a1::Area { top: area.top, left: area.left, bottom: area.bottom, right: area.right };
        self.sheet(area.sheet).is_some_and(|sheet| sheet.merged.iter().any(|merge| merge.intersects(&wanted)))
    }

    fn row_state(&self, sheet: SheetId, row: u32) -> RowState {
        self.sheet(sheet).and_then(|sheet| sheet.hidden.get(&row).copied()).unwrap_or(RowState::Visible)
    }

    fn formula_text(&self, cell: CellRef) -> Option<String> {
        let formula = self.formulas.get(&cell)?;
        let shown = crate::file::formula_text::formula_for_people(&formula.text(cell));
        Some(if formula.mode == formula::Mode::Array { format!("{{={shown}}}") } else { format!("={shown}") })
    }

    fn number_format(&self, cell: CellRef) -> Option<Arc<str>> {
        let place = self.sheet(cell.sheet)?.find(cell.row, cell.col);
        let style = match place {
            Some((column, at)) => column.styles.get(at),
            None => self.worn.get(&cell),
        };
        let style = style.copied().unwrap_or(0);
        Some(Arc::from(self.styles.as_ref()?.number_format(u32::from(style))))
    }

    fn column_width(&self, sheet: SheetId, col: u32) -> (f64, bool) {
        self.sheet(sheet).map_or((8.43, true), |sheet| sheet.widths.of(col))
    }
}

impl Store for Grid {
    fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    fn set(&mut self, cell: CellRef, value: Value) {
        let packed = match &value {
            Value::Text(_) => (Kind::Text, self.texts.len() as f64),
            other => plain(other),
        };
        if let Some((column, at)) = self.column_mut(cell) {
            column.set(at, packed);
            if let Value::Text(text) = value {
                self.texts.push(text);
            }
            return;
        }
        let Some(sheet) = self.sheets.get_mut(cell.sheet.0 as usize) else { return };
        let place = sheet.over.binary_search_by_key(&cell.col, |(number, _)| *number);
        match (value, place) {
            (Value::Blank, Ok(at)) => {
                if let Some((_, cells)) =
                    sheet.over.get_mut(at).filter(|(_, cells)| cells.contains_key(&cell.row))
                {
                    Arc::make_mut(cells).remove(&cell.row);
                    if cells.is_empty() {
                        sheet.over.remove(at);
                    }
                }
            }
            (Value::Blank, Err(_)) => {}
            (value, place) => {
                sheet.extent = (sheet.extent.0.max(cell.row + 1), sheet.extent.1.max(cell.col + 1));
                let at = place.unwrap_or_else(|at| {
                    sheet.over.insert(at, (cell.col, Arc::default()));
                    at
                });
                if let Some((_, cells)) = sheet.over.get_mut(at) {
                    Arc::make_mut(cells).insert(cell.row, value);
                }
            }
        }
    }

    fn replace(&mut self, cell: CellRef, value: Value) -> bool {
        // Numbers in cells of the file, by far the most common, are found once and written where they stand.
        if let Value::Number(number) = value
            && let Some((column, at)) = self.column_mut(cell)
            && let Some(known) = column.packed(at)
        {
            let other = known != (Kind::Number, number);
            if other {
                column.set(at, (Kind::Number, number));
            }
            return other;
        }
        let other = self.value(cell) != value;
        if other {
            self.set(cell, value);
        }
        other
    }
}

/// Fills the cells of one sheet.
pub(super) struct Loader<'a, 'b> {
    view: &'b SheetView<'a>,
    columns: Vec<Loading>,
    hidden: HashMap<u32, RowState>,
    widths: Widths,
    extent: (u32, u32),
    texts: Vec<Arc<str>>,
    /// Where hidden rows are hidden by a filter.
    filtered: Vec<crate::file::a1::Area>,
    last_row: Option<u32>,
    last_col: Option<u32>,
}

/// A column as it fills.
#[derive(Default)]
struct Loading {
    rows: Vec<u32>,
    kinds: Vec<Kind>,
    numbers: Vec<f64>,
    styles: Vec<u16>,
}

/// A value that is no text.
fn plain(value: &Value) -> Packed {
    match value {
        Value::Blank | Value::Text(_) => (Kind::Blank, 0.0),
        Value::Number(number) => (Kind::Number, *number),
        Value::Bool(flag) => (Kind::Bool, f64::from(u8::from(*flag))),
        Value::Error(kind) => {
            (Kind::Error, ERRORS.iter().position(|known| known == kind).unwrap_or(2) as f64)
        }
    }
}

/// The area of a filter that hides something.
fn filter_area(root: &ooxml::xml::Node<'_>) -> Option<crate::file::a1::Area> {
    let filter = root.child(ns::S, "autoFilter").filter(|node| node.elements().next().is_some())?;
    crate::file::workbook::string(&filter, "ref")?.parse().ok()
}

impl<'a, 'b> Loader<'a, 'b> {
    pub(super) fn new(view: &'b SheetView<'a>) -> Loader<'a, 'b> {
        let root = view.root();
        let mut filtered: Vec<crate::file::a1::Area> = filter_area(&root).into_iter().collect();
        let tables = view.sound_tables();
        filtered.extend(tables.iter().filter_map(|table| filter_area(&table.document.root())));
        // A filter by criteria in cells leaves only the remark that there is one.
        let mode =
            root.child(ns::S, "sheetPr").and_then(|node| crate::file::workbook::string(&node, "filterMode"));
        if filtered.is_empty() && matches!(mode.as_deref(), Some("1" | "true")) {
            let (bottom, right) = (formula::MAX_ROWS - 1, formula::MAX_COLS - 1);
            filtered.push(crate::file::a1::Area { top: 0, left: 0, bottom, right });
        }
        Loader {
            view,
            columns: Vec::new(),
            hidden: HashMap::new(),
            // A broken theme or broken styles keep nobody from calculating.
            widths: Widths::of_sheet(view).unwrap_or_default(),
            extent: (0, 0),
            texts: Vec::new(),
            filtered,
            last_row: None,
            last_col: None,
        }
    }

    pub(super) fn row(&mut self, bytes: &[u8], row: &Row) -> Result<(), Refusal> {
        if self.last_row.is_some_and(|last| last >= row.row) {
            return Err(Refusal::Corrupt {
                what: self.view.worksheet.part.to_string(),
                why: format!("row {} comes twice or out of order", row.row + 1),
            });
        }
        let hidden = Attributes::of(bytes, row.tag.start).find("hidden").and_then(|span| bytes.get(span));
        if matches!(hidden, Some(b"1" | b"true")) {
            let filtered = self.filtered.iter().any(|area| (area.top..=area.bottom).contains(&row.row));
            let state = if filtered { RowState::Filtered } else { RowState::Hidden };
            self.hidden.insert(row.row, state);
        }
        (self.last_row, self.last_col) = (Some(row.row), None);
        Ok(())
    }

    pub(super) fn cell(&mut self, bytes: &[u8], cell: &Cell) -> Result<(), Refusal> {
        if self.last_col.is_some_and(|last| last >= cell.at.col) {
            return Err(Refusal::Corrupt {
                what: self.view.worksheet.part.to_string(),
                why: format!("cell {} comes twice or out of order", cell.at),
            });
        }
        self.last_col = Some(cell.at.col);
        let text = cell.value.clone().and_then(|span| bytes.get(span));
        let (kind, number) = match (cell.kind, text) {
            (CellType::Number, Some(text)) if let Some(number) = read_f64(text) => (Kind::Number, number),
            (CellType::Shared, Some(_)) if let Some(index) = shared_index(bytes, cell) => {
                (Kind::Shared, f64::from(index))
            }
            (CellType::Bool, Some(text)) => plain(&Value::Bool(matches!(text.trim_ascii(), b"1" | b"true"))),
            (CellType::Inline, None) if cell.inline.is_none() => (Kind::Blank, 0.0),
            (kind, None) if kind != CellType::Inline => (Kind::Blank, 0.0),
            _ => match self.view.raw_value(bytes, cell)? {
                Value::Text(text) => {
                    self.texts.push(text);
                    (Kind::Text, (self.texts.len() - 1) as f64)
                }
                other => plain(&other),
            },
        };
        let style = u16::try_from(cell.style).unwrap_or(0);
        let col = cell.at.col as usize;
        if self.columns.len() <= col {
            self.columns.resize_with(col + 1, Default::default);
        }
        if let Some(column) = self.columns.get_mut(col) {
            column.rows.push(cell.at.row);
            column.kinds.push(kind);
            column.numbers.push(number);
            column.styles.push(style);
        }
        if kind != Kind::Blank || cell.formula.is_some() {
            self.extent = (self.extent.0.max(cell.at.row + 1), self.extent.1.max(cell.at.col + 1));
        }
        Ok(())
    }
}

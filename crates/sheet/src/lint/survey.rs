//! A workbook as the rules see it: its cells in order, its formulas, and facts about ranges that many formulas share.

use std::cell::Cell as Counter;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use edit::{Context, Cut, Refusal};
use formula::{Expr, Notation, Value};

use super::uses;
use crate::calc::calculator::Calculator;
use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::calc::view::View;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{TabKind, Visibility};
use crate::read::sheet_view::FormulaKind;
use crate::read::tables::Table;

/// The most cells of a workbook that are looked at.
const MOST_CELLS: usize = 1_000_000;
/// The most that ranges of formulas are gone through, all together, in cells.
const MOST_VISITS: u64 = 30_000_000;

pub(crate) struct Survey<'a> {
    pub(crate) view: &'a View,
    pub(crate) cx: &'a Context,
    /// Nothing in a workbook without formulas and validations.
    pub(crate) calculator: Option<Calculator>,
    /// By position; sheets of charts have no cells.
    pub(crate) sheets: Vec<SheetCells>,
    pub(crate) tables: Vec<(usize, Table)>,
    units: HashMap<u32, Unit>,
    range_facts: HashMap<AreaOnSheet, Rc<RangeFacts>>,
    pub(crate) key_facts: HashMap<AreaOnSheet, Rc<super::lookups::KeyFacts>>,
    visits: Counter<u64>,
    all_read: bool,
    /// Function, sheet: the first cell and how many.
    pub(crate) volatile: BTreeMap<(usize, String), (CellRef, usize)>,
    /// Whether some formula decides what it reads while it is calculated.
    pub(crate) dynamic: bool,
    /// A hidden sheet: the first visible formula that reads it, and how many do.
    pub(crate) hidden_reads: BTreeMap<usize, (CellOnSheet, usize)>,
    /// Another workbook by its number: the first formula that reads it, and how many do.
    pub(crate) external_reads: BTreeMap<String, (CellOnSheet, usize)>,
}

#[derive(Default)]
pub(crate) struct SheetCells {
    /// Row by row.
    pub(crate) cells: Vec<LintCell>,
    pub(crate) merges: Vec<Area>,
    pub(crate) hidden: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct LintCell {
    pub(crate) at: CellRef,
    pub(crate) value: Value,
    pub(crate) style: u32,
    pub(crate) formula: Option<Arc<str>>,
    /// One of an array or a what-if table.
    pub(crate) in_array: bool,
}

impl LintCell {
    pub(crate) fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn constant(&self) -> Option<f64> {
        self.number().filter(|_| self.formula.is_none() && !self.in_array)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the function that the formula is a call of, in capitals.
    pub(crate) fn outer_function(&self) -> Option<String> {
        let text = self.formula.as_deref()?;
        let (name, _) = text.split_once('(')?;
        Some(formula::plain_name(name.trim()).to_ascii_uppercase())
    }
}

/// A formula with what it says.
pub(crate) struct FormulaCell {
    pub(crate) place: CellOnSheet,
    pub(crate) text: Arc<str>,
    pub(crate) expr: Expr,
    /// As it reads relative to its cell, the same for all cells it was filled into.
    pub(crate) shape: Rc<str>,
    pub(crate) in_array: bool,
}

impl FormulaCell {
    pub(crate) fn area(&self) -> AreaOnSheet {
        self.place.into()
    }

    /// The formula in a message, not longer than a line.
    pub(crate) fn shown(&self) -> String {
        format!("={}", edit::excerpt(&crate::file::formula_text::formula_for_people(&self.text), 80))
    }
}

pub(crate) struct Unparsed {
    place: CellOnSheet,
    text: Arc<str>,
    in_array: bool,
}

impl Unparsed {
    pub(crate) fn parsed(self) -> Option<FormulaCell> {
        let parsed = formula::parse(&self.text).ok()?;
        let notation = Notation::R1C1 { row: self.place.at.row, col: self.place.at.col };
        let shape = Rc::from(formula::renotate(&parsed, notation));
        Some(FormulaCell {
            place: self.place,
            text: self.text,
            expr: parsed.expr,
            shape,
            in_array: self.in_array,
        })
    }
}

/// What a number is a number of, as far as its format says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Plain,
    Currency(String),
    Percent,
    Date,
    Text,
}

/// What the numbers of a range are.
#[derive(Debug, Default)]
pub(crate) struct RangeFacts {
    pub(crate) numbers: usize,
    /// Texts that read as numbers, and how many there are.
    pub(crate) text_numbers: (Vec<CellRef>, usize),
    pub(crate) truths: (Vec<CellRef>, usize),
    /// The first cell of each unit.
    pub(crate) units: BTreeMap<Unit, CellRef>,
    /// The first plain number that is larger than a share is.
    pub(crate) large_plain: Option<CellRef>,
    /// Cells that are totals, with the one range that each adds up.
    pub(crate) totals: Vec<(CellRef, AreaOnSheet)>,
}

impl<'a> Survey<'a> {
    pub(crate) fn new(view: &'a View, cx: &'a Context) -> Result<Survey<'a>, Refusal> {
        let mut validated = false;
        for sheet in view.worksheets() {
            validated = validated || sheet.is_ok_and(|sheet| !sheet.validations().is_empty());
        }
        let calculator = match validated || view.has_formulas()? {
            true => Some(Calculator::new(view, cx)?),
            false => None,
        };
        let mut survey = Survey {
            view,
            cx,
            calculator,
            sheets: Vec::new(),
            tables: view.tables()?,
            units: HashMap::new(),
            range_facts: HashMap::new(),
            key_facts: HashMap::new(),
            visits: Counter::new(0),
            all_read: true,
            volatile: BTreeMap::new(),
            dynamic: false,
            hidden_reads: BTreeMap::new(),
            external_reads: BTreeMap::new(),
        };
        let mut left = MOST_CELLS;
        for (position, tab) in view.workbook().sheets.iter().enumerate() {
            cx.stop.check()?;
            let cells = match tab.kind {
                TabKind::Worksheet => survey.read(position, &mut left)?,
                _ => Vec::new(),
            };
            let merges = match tab.kind {
                TabKind::Worksheet => view.sheet_at(position)?.merges(),
                _ => Vec::new(),
            };
            let hidden = tab.visibility != Visibility::Visible;
            survey.sheets.push(SheetCells { cells, merges, hidden });
        }
        Ok(survey)
    }

    fn read(&mut self, position: usize, left: &mut usize) -> Result<Vec<LintCell>, Refusal> {
        let sheet = self.view.sheet_at(position)?;
        let mut cells: Vec<LintCell> = Vec::new();
        let whole = Area { top: 0, left: 0, bottom: formula::MAX_ROWS - 1, right: formula::MAX_COLS - 1 };
        let mut arrays: Vec<Area> = Vec::new();
        let calculator = self.calculator.as_ref();
        let mut over = false;
        sheet.each_cell(whole, &mut |cell| {
            if cell.formula.is_none() && cell.value.is_blank() {
                return;
            }
            if *left == 0 {
                over = true;
                return;
            }
            *left -= 1;
            let kind = cell.formula.as_ref().map(|formula| formula.kind);
            if let Some(FormulaKind::Array(area) | FormulaKind::Dynamic(area) | FormulaKind::DataTable(area)) = kind
                && !area.is_cell()
            {
                arrays.push(area);
            }
            let place = CellOnSheet { sheet: position, at: cell.at };
            let value = match (calculator, &cell.value) {
                (Some(calculator), Value::Blank) => calculator.value(place),
                _ => cell.value,
            };
            let formula = cell.formula.map(|formula| Arc::from(formula.text.as_str()));
            let in_array = arrays.iter().any(|area| area.contains(cell.at));
            cells.push(LintCell { at: cell.at, value, style: cell.style, formula, in_array });
        })?;
        self.all_read &= !over;
        Ok(cells)
    }

    pub(crate) fn unfinished(&self) -> Option<String> {
        if !self.all_read {
            return Some(format!(
                "only the first {MOST_CELLS} cells were looked at; name ranges to look at others"
            ));
        }
        (self.visits.get() > MOST_VISITS).then(|| {
            "the ranges of the formulas are too large to be gone through whole; some were left out".to_owned()
        })
    }

    pub(crate) fn formula_cells(&self, sheet: usize) -> Vec<Unparsed> {
        let cells = self.sheets.get(sheet).map_or(&[][..], |sheet| &sheet.cells);
        let formulas = cells.iter().filter_map(|cell| {
            let text = Arc::clone(cell.formula.as_ref()?);
            Some(Unparsed { place: CellOnSheet { sheet, at: cell.at }, text, in_array: cell.in_array })
        });
        formulas.collect()
    }

    /// A cell that is not blank.
    pub(crate) fn cell(&self, place: CellOnSheet) -> Option<&LintCell> {
        let cells = &self.sheets.get(place.sheet)?.cells;
        let at = cells
            .binary_search_by_key(&(place.at.row, place.at.col), |cell| (cell.at.row, cell.at.col))
            .ok()?;
        cells.get(at)
    }

    pub(crate) fn beside(&self, place: CellOnSheet, rows: i64, cols: i64) -> Option<&LintCell> {
        let row = u32::try_from(i64::from(place.at.row) + rows).ok()?;
        let col = u32::try_from(i64::from(place.at.col) + cols).ok()?;
        self.cell(CellOnSheet { sheet: place.sheet, at: CellRef::new(row, col) })
    }

    /// The cells of an area that are not blank, row by row. Nothing once too much was looked at.
    pub(crate) fn cells_in(&self, at: AreaOnSheet) -> impl Iterator<Item = &LintCell> {
        let cells = self.sheets.get(at.sheet).map_or(&[][..], |sheet| &sheet.cells);
        let start = cells.partition_point(|cell| cell.at.row < at.area.top);
        let end = cells.partition_point(|cell| cell.at.row <= at.area.bottom);
        let rows = if self.visits.get() > MOST_VISITS { &[][..] } else { cells.part(start..end) };
        self.visits.set(self.visits.get() + rows.len() as u64);
        rows.iter().filter(move |cell| at.area.contains(cell.at))
    }

    pub(crate) fn unit(&mut self, style: u32) -> Unit {
        if let Some(known) = self.units.get(&style) {
            return known.clone();
        }
        let code = self.view.number_format(style).unwrap_or("General");
        let unit = unit_of(code);
        self.units.insert(style, unit.clone());
        unit
    }

    pub(crate) fn facts(&mut self, at: AreaOnSheet) -> Rc<RangeFacts> {
        if let Some(known) = self.range_facts.get(&at) {
            return Rc::clone(known);
        }
        let cells: Vec<LintCell> = self.cells_in(at).cloned().collect();
        let mut facts = RangeFacts::default();
        for cell in cells {
            match &cell.value {
                Value::Number(number) => {
                    facts.numbers += 1;
                    let unit = self.unit(cell.style);
                    if unit == Unit::Plain && number.abs() > 1.0 && facts.large_plain.is_none() {
                        facts.large_plain = Some(cell.at);
                    }
                    facts.units.entry(unit).or_insert(cell.at);
                }
                Value::Text(text)
                    if cell.formula.is_none() && !is_year(text) && number_in_text(text).is_some() =>
                {
                    note(&mut facts.text_numbers, cell.at);
                }
                Value::Bool(_) if cell.formula.is_none() => note(&mut facts.truths, cell.at),
                _ => {}
            }
            if cell.outer_function().as_deref() == Some("SUM")
                && let Some(text) = &cell.formula
                && let Some(area) = uses::lone_sum(self, text, CellOnSheet { sheet: at.sheet, at: cell.at })
            {
                facts.totals.push((cell.at, area));
            }
        }
        let facts = Rc::new(facts);
        self.range_facts.insert(at, Rc::clone(&facts));
        facts
    }

    pub(crate) fn address(&self, at: impl Into<AreaOnSheet>) -> String {
        super::address(self.view, at.into())
    }
}

fn note(list: &mut (Vec<CellRef>, usize), at: CellRef) {
    if list.0.len() < 3 {
        list.0.push(at);
    }
    list.1 += 1;
}

fn is_year(text: &str) -> bool {
    text.trim().parse::<u32>().is_ok_and(|year| (1900..=2100).contains(&year))
}

/// The number that a text spells: digits with separators, a sign, brackets, a currency sign or a percent sign.
pub(crate) fn number_in_text(text: &str) -> Option<f64> {
    let bare = text.trim().trim_start_matches('\'').trim();
    let negative = bare.starts_with('(') && bare.ends_with(')');
    let bare = bare.trim_matches(['(', ')', '$', '€', '£', '¥', '%', ' ', '\u{a0}']);
    let digits = bare.strip_prefix(['-', '+']).unwrap_or(bare);
    // A leading zero is a code of its own, as in 007 or a post code, and so is a very long number.
    let code =
        digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") && !digits.starts_with("0,");
    let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',')
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits.matches('.').count() <= 1;
    let count = digits.chars().filter(char::is_ascii_digit).count();
    let grouped = digits.split('.').next().is_none_or(|whole| {
        let mut groups = whole.split(',');
        groups.next().is_some_and(|first| first.len() <= 3 || !whole.contains(','))
            && groups.all(|group| group.len() == 3)
    });
    if code || !plain || !grouped || count > 15 {
        return None;
    }
    let number: f64 = bare.replace(',', "").parse().ok()?;
    Some(if negative { -number } else { number })
}

/// Codes and signs of one currency are one.
const CURRENCIES: &[(&str, &[&str])] = &[
    ("$", &["$", "USD", "US$"]),
    ("€", &["€", "EUR", "EURO"]),
    ("£", &["£", "GBP"]),
    ("¥", &["¥", "JPY", "CNY", "RMB", "円", "元"]),
    ("₹", &["₹", "INR", "RS", "RS."]),
    ("CHF", &["CHF", "SFR."]),
    ("₩", &["₩", "KRW"]),
    ("₽", &["₽", "RUB"]),
    ("₺", &["₺", "TRY", "TL"]),
    ("₪", &["₪", "ILS"]),
    ("zł", &["ZŁ", "PLN"]),
    ("kr", &["KR", "KR."]),
    ("SEK", &["SEK"]),
    ("NOK", &["NOK"]),
    ("DKK", &["DKK"]),
    ("CAD", &["CAD", "C$", "CA$"]),
    ("AUD", &["AUD", "A$", "AU$"]),
    ("HKD", &["HKD", "HK$"]),
    ("SGD", &["SGD", "S$"]),
    ("BRL", &["BRL", "R$"]),
    ("ZAR", &["ZAR"]),
    ("MXN", &["MXN"]),
];

fn currency(text: &str) -> Option<String> {
    let text = text.trim().to_uppercase();
    CURRENCIES
        .iter()
        .find(|(_, spelled)| spelled.contains(&text.as_str()))
        .map(|(name, _)| (*name).to_owned())
}

/// The unit that a format code gives to positive numbers.
fn unit_of(code: &str) -> Unit {
    if formula::numfmt::is_date(code) {
        return Unit::Date;
    }
    if code.trim() == "@" {
        return Unit::Text;
    }
    let mut letters = code.chars().peekable();
    let mut percent = false;
    while let Some(letter) = letters.next() {
        let piece: Option<String> = match letter {
            ';' => break,
            '"' => Some(letters.by_ref().take_while(|c| *c != '"').collect()),
            '[' => {
                let inside: String = letters.by_ref().take_while(|c| *c != ']').collect();
                inside.strip_prefix('$').map(|rest| rest.split('-').next().unwrap_or("").to_owned())
            }
            '\\' => letters.next().map(String::from),
            // The character behind these is a measure of room, or a filler.
            '_' | '*' => {
                letters.next();
                None
            }
            '%' => {
                percent = true;
                None
            }
            other => Some(other.to_string()),
        };
        if let Some(found) = piece.and_then(|piece| currency(&piece)) {
            return Unit::Currency(found);
        }
    }
    if percent { Unit::Percent } else { Unit::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_numbers_are_of() {
        let money = |sign: &str| Unit::Currency(sign.to_owned());
        for (code, unit) in [
            ("General", Unit::Plain),
            ("#,##0.00", Unit::Plain),
            ("0.0%", Unit::Percent),
            ("\"$\"#,##0", money("$")),
            ("_($* #,##0.00_);_($* (#,##0.00)", money("$")),
            ("[$€-407] #,##0", money("€")),
            ("#,##0.00 [$EUR]", money("€")),
            ("#,##0\\ \"CHF\"", money("CHF")),
            ("[$-409]d/m/yyyy", Unit::Date),
            ("0;\"$\"0", Unit::Plain),
            ("@", Unit::Text),
        ] {
            assert_eq!(unit_of(code), unit, "{code}");
        }
    }

    #[test]
    fn texts_that_spell_numbers() {
        for (text, number) in [
            ("12", Some(12.0)),
            (" 1,234.50 ", Some(1234.5)),
            ("(5)", Some(-5.0)),
            ("$5", Some(5.0)),
            ("-3", Some(-3.0)),
            ("007", None),
            ("0.5", Some(0.5)),
            ("1.2.3", None),
            ("12,34", None),
            ("5 apples", None),
            ("-", None),
            ("", None),
            ("4111111111111111", None),
        ] {
            assert_eq!(number_in_text(text), number, "{text}");
        }
    }
}

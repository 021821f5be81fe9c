//! Values and formulas into cells.
//!
//! Cells of one row are merged into the row in one pass; a row that is not there is put between its
//! neighbours. Nothing else of the sheet moves, except the hints that would otherwise be wrong: `spans` of
//! the row, `dimension` of the sheet, the counts of shared strings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use edit::{Note, Patch, Planned, Refusal, Step};
use formula::ErrorKind;
use ooxml::xml::{escape_text, ns};

use crate::a1::{Area, CellRef};
use crate::calc_chain::{self, ChainChange};
use crate::edits::{CellChange, Input, Outcome};
use crate::entry::{self, rule};
use crate::refs;
use crate::rich;
use crate::scan::{Attributes, Cell, CellType, Row};
use crate::sheet_view::SheetView;
use crate::strings::{NewStrings, encode, text_element};
use crate::view::View;
use crate::worksheet::{ArrayKind, RowSpot};
use crate::xml_edit::Xml;

/// Cells that one edit may set.
const MOST_CELLS: usize = 2_000_000;

pub(crate) fn plan(view: &View, sheet: &str, changes: &[CellChange]) -> Result<Planned<Outcome>, Refusal> {
    plan_with(view, &view.sheet(sheet)?, changes, None)
}

/// The same, with a formula for one of the cells that no input can tell: the head of an array or of a data table.
pub(crate) fn plan_with(
    view: &View,
    sheet: &SheetView<'_>,
    changes: &[CellChange],
    head: Option<(CellRef, String)>,
) -> Result<Planned<Outcome>, Refusal> {
    let inputs: BTreeMap<CellRef, &Input> = changes.iter().map(|change| (change.at, &change.input)).collect();
    if changes.len() > MOST_CELLS {
        return Err(entry::too_many_cells(changes.len() as u64, MOST_CELLS as u64));
    }
    let mut notes: Vec<Note> = Vec::new();
    for (at, input) in &inputs {
        check_input(*at, input)?;
        if let Input::Formula(text) = input {
            let found = crate::mentions::check(view, text.strip_prefix('=').unwrap_or(text), sheet.position)?;
            notes.extend(found.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
        }
    }
    check_places(sheet, &inputs)?;
    notes.extend(under_pivot_table(sheet, &inputs)?);
    let mut writer = Writer::new(sheet)?;
    writer.head = head;
    writer.release_shared(&inputs)?;
    writer.clear_spills(&inputs)?;
    let mut rows: BTreeMap<u32, Vec<(CellRef, &Input)>> = BTreeMap::new();
    for (at, input) in &inputs {
        rows.entry(at.row).or_default().push((*at, input));
    }
    for (row, cells) in &rows {
        writer.row(*row, cells)?;
    }
    let mut step = writer.finish()?;
    rename_columns(view, sheet, &inputs, &mut step)?;
    step.summary = summary(sheet, &inputs);
    step.notes.extend(notes.into_iter().take(5));
    let outcome = Outcome { sheet: sheet.name().to_owned(), touched: areas(&inputs) };
    Ok(Planned { step, outcome })
}

/// What a pivot table shows is made anew whenever it is refreshed, and nobody is told what stood there.
fn under_pivot_table(
    sheet: &SheetView<'_>,
    inputs: &BTreeMap<CellRef, &Input>,
) -> Result<Option<Note>, Refusal> {
    let areas = crate::structure::pivot_areas(sheet)?;
    let covered = inputs.keys().find(|at| areas.iter().flatten().any(|area| area.contains(**at)));
    Ok(covered.map(|at| Note {
        level: edit::Level::Warning,
        text: format!("{at} lies in a pivot table, which writes over it when it is refreshed"),
    }))
}

/// The header cells of a table are the names of its columns: writing one renames the column, here and in the
/// formulas that use it.
fn rename_columns(
    view: &View,
    sheet: &SheetView<'_>,
    inputs: &BTreeMap<CellRef, &Input>,
    step: &mut Step,
) -> Result<(), Refusal> {
    for table in sheet.tables()?.iter().filter(|table| table.header_rows > 0) {
        let header = Area { bottom: table.area.top, ..table.area };
        let mut names = table.columns.clone();
        let mut renamed = Vec::new();
        for (at, input) in inputs_in(inputs, &header) {
            let index = (at.col - header.left) as usize;
            let Some(text) = plain_text(input) else {
                return Err(Refusal::Unsafe {
                    why: format!(
                        "{at} is the header of a column of table `{}` and has to be text",
                        table.name
                    ),
                    instead: Some("write a text, or delete the table first".to_owned()),
                });
            };
            let Some(name) = names.get_mut(index) else { continue };
            if *name != *text {
                renamed.push((index, std::mem::replace(name, text.clone().into_owned()), text.into_owned()));
            }
        }
        let clash = names.iter().enumerate().find(|(index, name)| {
            name.is_empty()
                || names.iter().skip(index + 1).any(|other| crate::workbook::same_name(other, name))
        });
        if let (Some((_, name)), false) = (clash, renamed.is_empty()) {
            return Err(Refusal::Unsafe {
                why: format!("two columns of table `{}` would be called `{name}`", table.name),
                instead: Some("give the column another name".to_owned()),
            });
        }
        for (index, from, to) in renamed {
            let content = step.patch.apply(&view.content)?;
            let now = view.clone().after(&step.patch, &content)?;
            let change = formula::Change::RenameColumn { table: table.name.clone(), from, to: to.clone() };
            let mut follow = crate::follow::Follow::new(&now, change, None);
            follow.everything()?;
            let document = ooxml::read_xml(&content, &table.part)?;
            let xml = Xml::new(&table.part, &document);
            let list = document.root().child(ns::S, "tableColumns");
            let node =
                list.and_then(|list| list.elements().filter(|node| node.is(ns::S, "tableColumn")).nth(index));
            if let Some(node) = node {
                xml.set_attribute(&mut follow.patch, &node, "name", &encode_header(&to))?;
            }
            step.patch = step.patch.then(&follow.patch);
        }
    }
    Ok(())
}

/// Line breaks in the names of columns are written as escapes, since attributes cannot hold them.
pub(crate) fn encode_header(text: &str) -> String {
    encode(text).replace('\n', "_x000a_")
}

/// The text that an input puts into a cell, if it is one.
fn plain_text(input: &Input) -> Option<Cow<'_, str>> {
    match input {
        Input::Text(text) => Some(Cow::Borrowed(text)),
        Input::Rich(runs) => Some(Cow::Owned(rich::text(runs))),
        _ => None,
    }
}

fn summary(sheet: &SheetView<'_>, inputs: &BTreeMap<CellRef, &Input>) -> String {
    let mut places = inputs.iter();
    match (places.next(), inputs.len()) {
        (Some((at, input)), 1) => {
            let what = match input {
                Input::Clear => return format!("Clear {}!{at}", sheet.name()),
                Input::Number(number) => number.to_string(),
                Input::Text(_) | Input::Rich(_) => {
                    let text = plain_text(input).unwrap_or_default();
                    format!("\"{}\"", text.chars().take(40).collect::<String>())
                }
                Input::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
                Input::Error(text) | Input::Date(text) => text.clone(),
                Input::Formula(text) => {
                    format!("={}", text.trim_start_matches('=').chars().take(60).collect::<String>())
                }
            };
            format!("Set {}!{at} to {what}", sheet.name())
        }
        (_, count) => format!("Set {count} cells of {}", sheet.name()),
    }
}

/// The touched cells as few areas: runs in a row, and equal runs below one another.
fn areas(inputs: &BTreeMap<CellRef, &Input>) -> Vec<Area> {
    let mut runs: Vec<Area> = Vec::new();
    for at in inputs.keys() {
        match runs.last_mut() {
            Some(run) if run.bottom == at.row && run.top == at.row && run.right + 1 == at.col => {
                run.right = at.col
            }
            _ => runs.push(Area::cell(*at)),
        }
    }
    let mut areas: Vec<Area> = Vec::new();
    for run in runs {
        match areas
            .iter_mut()
            .rev()
            .take(16)
            .find(|a| a.left == run.left && a.right == run.right && a.bottom + 1 == run.top)
        {
            Some(area) => area.bottom = run.bottom,
            None => areas.push(run),
        }
    }
    areas
}

fn check_input(at: CellRef, input: &Input) -> Result<(), Refusal> {
    match input {
        Input::Number(number) if !number.is_finite() => {
            Err(Refusal::invalid("number", format!("{number} for {at}"), "a finite number"))
        }
        Input::Text(text) => entry::check_text(text, at),
        Input::Rich(runs) => rich::check(runs, at),
        Input::Error(text) if ErrorKind::parse(text).is_none() => {
            Err(Refusal::invalid("error", format!("`{text}` for {at}"), "an error value such as #N/A"))
        }
        Input::Formula(text) => entry::check_formula(text, at).map(drop),
        _ => Ok(()),
    }
}

/// Refuses what Excel refuses: parts of arrays and data tables, cells hidden under a merge.
fn check_places(sheet: &SheetView<'_>, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
    for merge in sheet.merges() {
        for (at, input) in inputs_in(inputs, &merge) {
            if at != merge.first() && !matches!(input, Input::Clear) {
                return Err(rule(
                    "MERGED_CELL",
                    format!("{at} is covered by the merged cells {merge}, so its value would not be seen"),
                    format!("set {} instead, or unmerge {merge} first", merge.first()),
                ));
            }
        }
    }
    if !sheet.worksheet.has_formulas() {
        return Ok(());
    }
    for array in sheet.worksheet.arrays()? {
        let covered = inputs_in(inputs, &array.area).count() as u64;
        if covered == 0 || covered == array.area.count() {
            continue;
        }
        let anchor = inputs.contains_key(&array.at);
        let (area, head) = (array.area, array.at);
        let refusal = match array.kind {
            ArrayKind::Fixed => rule(
                "ARRAY_MEMBER",
                format!("part of an array formula over {area} cannot be changed"),
                format!("set or clear all of {area} in one edit"),
            ),
            ArrayKind::DataTable => rule(
                "DATA_TABLE",
                format!("part of a data table over {area} cannot be changed"),
                format!("clear all of {area} in one edit, or change the cells that its formulas read"),
            ),
            // Another formula at the head of a spill replaces it whole; a value inside would block it.
            ArrayKind::Dynamic if anchor => continue,
            ArrayKind::Dynamic => rule(
                "SPILL_RANGE",
                format!("part of the spilled array over {area} cannot be changed"),
                format!("change or clear its formula in {head}"),
            ),
        };
        return Err(refusal);
    }
    Ok(())
}

fn inputs_in<'a>(
    inputs: &'a BTreeMap<CellRef, &'a Input>,
    area: &Area,
) -> impl Iterator<Item = (CellRef, &'a Input)> + use<'a> {
    let area = *area;
    inputs
        .range(CellRef::new(area.top, 0)..=area.last())
        .filter(move |(at, _)| area.contains(**at))
        .map(|(at, input)| (*at, *input))
}

/// Plans the splices of one sheet.
struct Writer<'a> {
    sheet: SheetView<'a>,
    patch: Patch,
    strings: Option<NewStrings<'a>>,
    chain: ChainChange,
    columns: Vec<(u32, u32, u32)>,
    styles: Option<crate::style_edit::NewStyles<'a>>,
    /// Around the cells that were added.
    grown: Option<Area>,
    fresh_rows: bool,
    /// A cell whose formula is written as given.
    head: Option<(CellRef, String)>,
    /// How cells are marked that spill, once one was asked for.
    dynamic: Option<Option<u32>>,
}

impl<'a> Writer<'a> {
    fn new(sheet: &SheetView<'a>) -> Result<Writer<'a>, Refusal> {
        let view = sheet.view;
        Ok(Writer {
            sheet: *sheet,
            patch: Patch::new(),
            strings: view.strings()?.map(|strings| NewStrings::new(strings)),
            chain: ChainChange::default(),
            columns: sheet.column_styles(),
            styles: view.styles()?.map(|styles| crate::style_edit::NewStyles::new(styles)),
            grown: None,
            fresh_rows: false,
            head: None,
            dynamic: None,
        })
    }

    fn prefix(&self) -> &'a str {
        &self.sheet.worksheet.spelling().prefix
    }

    /// A group of shared formulas whose first cell is overwritten gets the next one as its first.
    fn release_shared(&mut self, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
        let worksheet = self.sheet.worksheet;
        if !worksheet.has_formulas() {
            return Ok(());
        }
        for group in worksheet.shared()? {
            if !inputs.contains_key(&group.at) {
                continue;
            }
            // Where the formula of the next cell stands, what else its tag says, and how it reads there.
            let mut heir: Option<(std::ops::Range<usize>, String, String)> = None;
            let mut members: Option<Area> = None;
            let area = group.area;
            worksheet.each_row(area.top, area.bottom, &mut |bytes, offset, row| {
                let mut cells = worksheet.cells(bytes, row);
                while let Some(cell) = cells.next().map_err(|b| worksheet.broken(b.after(offset)))? {
                    if !is_member(bytes, &cell, group.index) || inputs.contains_key(&cell.at) {
                        continue;
                    }
                    let one = Area::cell(cell.at);
                    members = Some(members.map_or(one, |known| known.hull(&one)));
                    if let (None, Some((element, _))) = (&heir, &cell.formula) {
                        let kept = other_attributes(bytes, element.start, &["t", "ref", "si"]);
                        let text = refs::translate(&group.text, group.at, cell.at);
                        heir = Some((offset + element.start..offset + element.end, kept, text));
                    }
                }
                Ok(())
            })?;
            if let (Some((span, kept, text)), Some(members)) = (heir, members) {
                let (prefix, index) = (self.prefix(), group.index);
                let text = escape_text(&text);
                let markup = format!(
                    "<{prefix}f t=\"shared\" ref=\"{members}\" si=\"{index}\"{kept}>{text}</{prefix}f>"
                );
                self.patch.splice(&worksheet.part, span, markup)?;
            }
        }
        Ok(())
    }

    /// Cells that a replaced dynamic array had spilled into go blank.
    fn clear_spills(&mut self, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
        let worksheet = self.sheet.worksheet;
        if !worksheet.has_formulas() {
            return Ok(());
        }
        for array in worksheet.arrays()? {
            if array.kind != ArrayKind::Dynamic || !inputs.contains_key(&array.at) {
                continue;
            }
            let mut rows: BTreeMap<u32, Vec<CellRef>> = BTreeMap::new();
            for at in array.area.cells().filter(|at| !inputs.contains_key(at)) {
                rows.entry(at.row).or_default().push(at);
            }
            for (row, cells) in rows {
                let RowSpot::Found(range, found) = worksheet.find_row(row)? else { continue };
                let bytes = worksheet.blob.slice(range.clone());
                let mut scan = worksheet.cells(&bytes, &found);
                while let Some(cell) = scan.next().map_err(|b| worksheet.broken(b.after(range.start)))? {
                    let filled = cell.formula.is_none() || cell.is_filled(&bytes);
                    if cells.contains(&cell.at) && filled {
                        let with = blank_cell(&bytes, &cell, self.prefix());
                        let span = range.start + cell.tag.start..range.start + cell.end;
                        self.patch.splice(&worksheet.part, span, with)?;
                        self.count_string(&cell);
                    }
                }
            }
        }
        Ok(())
    }

    fn row(&mut self, row: u32, cells: &[(CellRef, &Input)]) -> Result<(), Refusal> {
        let worksheet = self.sheet.worksheet;
        match worksheet.find_row(row)? {
            RowSpot::Found(range, found) => {
                let bytes = worksheet.blob.slice(range.clone());
                self.merge_row(range.start, &bytes, &found, cells)
            }
            RowSpot::Missing(at) => {
                let mut markup = String::new();
                for (at, input) in cells {
                    markup.push_str(&self.fresh_cell(*at, input, None)?);
                }
                if markup.is_empty() {
                    return Ok(());
                }
                let prefix = self.prefix();
                let row_markup = format!("<{prefix}row r=\"{}\">{markup}</{prefix}row>", row + 1);
                // A row without a number follows the one before it, so none can come after a row that is missing.
                if worksheet.frame.data_closes_itself {
                    // The tag is opened by `finish`; rows pile up in front of its end.
                    self.fresh_rows = true;
                    let end = worksheet.frame.data_tag.end;
                    return self.patch.splice(&worksheet.part, end..end, row_markup);
                }
                self.patch.splice(&worksheet.part, at..at, row_markup)
            }
        }
    }

    fn merge_row(
        &mut self,
        offset: usize,
        bytes: &[u8],
        row: &Row,
        inputs: &[(CellRef, &Input)],
    ) -> Result<(), Refusal> {
        let worksheet = self.sheet.worksheet;
        let part = &worksheet.part;
        let row_style = row_style(bytes, row);
        let mut pending = inputs.iter().peekable();
        let mut scan = worksheet.cells(bytes, row);
        let mut unaddressed = Vec::new();
        let mut inserted = false;
        while let Some(cell) = scan.next().map_err(|b| worksheet.broken(b.after(offset)))? {
            let mut before = String::new();
            while let Some((at, input)) = pending.next_if(|(at, _)| at.col < cell.at.col) {
                before.push_str(&self.fresh_cell(*at, input, row_style)?);
            }
            if !before.is_empty() {
                inserted = true;
                let start = offset + cell.tag.start;
                self.patch.splice(part, start..start, before)?;
            }
            if let Some((at, input)) = pending.next_if(|(at, _)| at.col == cell.at.col) {
                let with = self.changed_cell(bytes, &cell, *at, input)?;
                self.patch.splice(part, offset + cell.tag.start..offset + cell.end, with)?;
            } else if !cell.addressed {
                unaddressed.push((cell.at, offset + cell.tag.start + 2 + self.prefix().len()));
            }
        }
        let mut rest = String::new();
        for (at, input) in pending {
            rest.push_str(&self.fresh_cell(*at, input, row_style)?);
        }
        if inserted {
            for (at, start) in unaddressed {
                self.patch.splice(part, start..start, format!(" r=\"{at}\""))?;
            }
        }
        if !rest.is_empty() {
            let prefix = self.prefix();
            if row.tag.closes_itself {
                let end = offset + row.tag.end;
                self.patch.splice(part, end - 2..end, format!(">{rest}</{prefix}row>"))?;
            } else {
                let mut end = row.cells.end;
                // An extension list stays last.
                let extension = format!("<{prefix}extLst");
                if let Some(at) = memchr::memmem::rfind(
                    bytes.get(row.cells.clone()).unwrap_or_default(),
                    extension.as_bytes(),
                ) {
                    let behind_cells = memchr::memmem::rfind(
                        bytes.get(row.cells.clone()).unwrap_or_default(),
                        format!("</{prefix}c>").as_bytes(),
                    );
                    if behind_cells.is_none_or(|cell| cell < at) {
                        end = row.cells.start + at;
                    }
                }
                self.patch.splice(part, offset + end..offset + end, rest)?;
            }
        }
        self.widen_spans(offset, bytes, row, inputs)
    }

    /// `spans="1:3"` tells readers which columns to expect.
    fn widen_spans(
        &mut self,
        offset: usize,
        bytes: &[u8],
        row: &Row,
        inputs: &[(CellRef, &Input)],
    ) -> Result<(), Refusal> {
        let Some(value) = Attributes::of(bytes, row.tag.start).find("spans") else { return Ok(()) };
        let text = String::from_utf8_lossy(bytes.get(value.clone()).unwrap_or_default()).into_owned();
        let Some((first, last)) = text.split_once(':') else { return Ok(()) };
        let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else { return Ok(()) };
        let written =
            inputs.iter().filter(|(_, input)| !matches!(input, Input::Clear)).map(|(at, _)| at.col + 1);
        let (low, high) = written.fold((first, last), |(low, high), col| (low.min(col), high.max(col)));
        if (low, high) == (first, last) {
            return Ok(());
        }
        let span = offset + value.start..offset + value.end;
        self.patch.splice(&self.sheet.worksheet.part, span, format!("{low}:{high}"))
    }

    /// A cell that was not there: it takes the style of its row, else of its column.
    fn fresh_cell(&mut self, at: CellRef, input: &Input, row_style: Option<u32>) -> Result<String, Refusal> {
        if matches!(input, Input::Clear) {
            return Ok(String::new());
        }
        let column = self.columns.iter().find(|(first, last, _)| (*first..=*last).contains(&at.col));
        let style = row_style.or(column.map(|(_, _, style)| *style)).unwrap_or(0);
        let style = self.style_for(style, input)?;
        let one = Area::cell(at);
        self.grown = Some(self.grown.map_or(one, |known| known.hull(&one)));
        let attribute = if style == 0 { String::new() } else { format!(" s=\"{style}\"") };
        self.cell(at, &format!(" r=\"{at}\"{attribute}"), style, input)
    }

    fn changed_cell(
        &mut self,
        bytes: &[u8],
        cell: &Cell,
        at: CellRef,
        input: &Input,
    ) -> Result<String, Refusal> {
        self.count_string(cell);
        let sheet_id = self.sheet.tab.id;
        if cell.formula.is_some() {
            self.chain.gone.insert((sheet_id, at));
        }
        if matches!(input, Input::Clear) {
            return Ok(blank_cell(bytes, cell, self.prefix()));
        }
        let mut kept = other_attributes(bytes, cell.tag.start, &["t", "cm", "vm"]);
        if !cell.addressed {
            kept = format!(" r=\"{at}\"{kept}");
        }
        let style = self.style_for(cell.style, input)?;
        if style != cell.style {
            kept = other_attributes(bytes, cell.tag.start, &["t", "cm", "vm", "s", "r"]);
            kept = format!(" r=\"{at}\" s=\"{style}\"{kept}");
        }
        self.cell(at, &kept, style, input)
    }

    /// A use of a shared string that goes away.
    fn count_string(&mut self, cell: &Cell) {
        if let (CellType::Shared, Some(_), Some(strings)) = (cell.kind, &cell.value, &mut self.strings) {
            strings.uses -= 1;
        }
    }

    /// A date in a cell that does not show dates gets a format that does.
    fn style_for(&mut self, style: u32, input: &Input) -> Result<u32, Refusal> {
        let (Input::Date(text), Some(styles)) = (input, &mut self.styles) else { return Ok(style) };
        if crate::display::is_date_format(styles.number_format(style)) {
            return Ok(style);
        }
        let code = match (text.contains('-'), text.contains(':')) {
            (true, true) => "yyyy\\-mm\\-dd\\ hh:mm",
            (true, false) => "yyyy\\-mm\\-dd",
            _ => "h:mm:ss",
        };
        styles.with_number_format(style, code)
    }

    fn cell(&mut self, at: CellRef, attributes: &str, style: u32, input: &Input) -> Result<String, Refusal> {
        let prefix = self.prefix();
        let cell = |kind: &str, inside: String| {
            let kind = if kind.is_empty() { String::new() } else { format!(" t=\"{kind}\"") };
            format!("<{prefix}c{attributes}{kind}>{inside}</{prefix}c>")
        };
        let value = |text: &str| format!("<{prefix}v>{text}</{prefix}v>");
        if let Some((_, formula)) = self.head.as_ref().filter(|(head, _)| *head == at) {
            return Ok(cell("", format!("{formula}{}", value("0"))));
        }
        Ok(match input {
            Input::Clear => String::new(),
            Input::Number(number) => cell("", value(&show_number(*number))),
            Input::Bool(flag) => cell("b", value(if *flag { "1" } else { "0" })),
            Input::Error(text) => cell("e", value(&escape_text(&text.to_ascii_uppercase()))),
            Input::Text(text) => match &mut self.strings {
                Some(strings) => cell("s", value(&strings.index(text).to_string())),
                None => cell("inlineStr", format!("<{prefix}is>{}</{prefix}is>", text_element(prefix, text))),
            },
            Input::Rich(runs) => {
                let font = self.styles.as_ref().and_then(|styles| styles.font(style));
                match &mut self.strings {
                    Some(strings) => {
                        let runs = rich::markup(runs, font, strings.prefix());
                        cell("s", value(&strings.rich_index(&runs).to_string()))
                    }
                    None => {
                        let runs = rich::markup(runs, font, prefix);
                        cell("inlineStr", format!("<{prefix}is>{runs}</{prefix}is>"))
                    }
                }
            }
            Input::Date(text) => {
                let serial =
                    crate::dates::serial_of_iso(text, self.sheet.view.workbook.dates).ok_or_else(|| {
                        Refusal::invalid(
                            "date",
                            format!("`{text}` for {at}"),
                            "a date such as 2024-02-29 or 2024-02-29T13:30:00",
                        )
                    })?;
                cell("", value(&show_number(serial)))
            }
            Input::Formula(text) => {
                let body = text.strip_prefix('=').unwrap_or(text);
                self.chain.gone.remove(&(self.sheet.tab.id, at));
                self.chain.new.insert((self.sheet.tab.id, at));
                let stored = crate::stored::formula_for_file(body);
                let text = escape_text(&encode(&stored)).into_owned();
                if crate::metadata::spills(body)
                    && let Some(mark) = self.dynamic_mark()?
                {
                    // How far it spills is known when it has been calculated.
                    let formula = format!("<{prefix}f t=\"array\" ref=\"{at}\">{text}</{prefix}f>");
                    return Ok(format!("<{prefix}c{attributes} cm=\"{mark}\">{formula}</{prefix}c>"));
                }
                cell("", format!("<{prefix}f>{text}</{prefix}f>"))
            }
        })
    }

    fn dynamic_mark(&mut self) -> Result<Option<u32>, Refusal> {
        if let Some(known) = self.dynamic {
            return Ok(known);
        }
        let mark = crate::metadata::dynamic_mark(self.sheet.view, &mut self.patch)?;
        self.dynamic = Some(mark);
        Ok(mark)
    }

    fn finish(mut self) -> Result<Step, Refusal> {
        let worksheet = self.sheet.worksheet;
        if self.fresh_rows {
            // `<sheetData/>` becomes a pair of tags around the rows.
            let tag = worksheet.frame.data_tag.clone();
            let name = format!("{}sheetData", self.prefix());
            let rows: String = self
                .patch
                .splices(&worksheet.part)
                .iter()
                .filter(|splice| splice.range == (tag.end..tag.end))
                .map(|splice| String::from_utf8_lossy(&splice.with.bytes()).into_owned())
                .collect();
            let mut patch = Patch::new();
            patch.splice(&worksheet.part, tag.end - 2..tag.end, format!(">{rows}</{name}>"))?;
            // What was planned for other parts, such as metadata, stays.
            for (part, change) in self.patch.parts().filter(|(part, _)| *part != &worksheet.part) {
                match change {
                    edit::PartChange::Put(blob) => patch.put(part, blob.clone()),
                    edit::PartChange::Remove => patch.remove(part),
                    edit::PartChange::Splices(splices) => {
                        for splice in splices {
                            patch.splice(part, splice.range.clone(), splice.with.clone())?;
                        }
                    }
                }
            }
            self.patch = patch;
        }
        self.widen_dimension()?;
        if let Some(strings) = self.strings.take() {
            strings.finish(&mut self.patch)?;
        }
        if let Some(styles) = self.styles.take() {
            styles.finish(&mut self.patch)?;
        }
        calc_chain::apply(self.sheet.view, &mut self.patch, &self.chain)?;
        Ok(Step { patch: self.patch, ..Step::default() })
    }

    fn widen_dimension(&mut self) -> Result<(), Refusal> {
        let Some(grown) = self.grown else { return Ok(()) };
        let worksheet = self.sheet.worksheet;
        let xml = Xml::frame(worksheet);
        let Some(node) = xml.root().child(ns::S, "dimension") else { return Ok(()) };
        let Some(known) = node.value(ns::NONE, "ref").and_then(|text| text.parse::<Area>().ok()) else {
            return Ok(());
        };
        // An empty sheet says A1, whether or not that cell is there.
        let empty = worksheet.data.is_empty();
        let wanted = if empty { grown } else { known.hull(&grown) };
        if wanted == known {
            return Ok(());
        }
        xml.set_attribute(&mut self.patch, &node, "ref", &wanted.to_string())
    }
}

pub(crate) fn is_member(bytes: &[u8], cell: &Cell, index: u32) -> bool {
    let Some((element, _)) = &cell.formula else { return false };
    let value = |name| Attributes::of(bytes, element.start).find(name).and_then(|span| bytes.get(span));
    value("t") == Some(b"shared") && value("si").and_then(crate::a1::read_number) == Some(index)
}

/// The attributes of a tag as written, each with a blank before it, without the given ones.
pub(crate) fn other_attributes(bytes: &[u8], start: usize, without: &[&str]) -> String {
    let mut attributes = Attributes::of(bytes, start);
    let mut kept = String::new();
    while let Ok(Some((name, value))) = attributes.next() {
        let local = bytes.get(name.clone()).unwrap_or_default();
        if without.iter().any(|other| other.as_bytes() == local) {
            continue;
        }
        kept.push(' ');
        kept.push_str(&String::from_utf8_lossy(bytes.get(name.start..value.end + 1).unwrap_or_default()));
    }
    kept
}

/// What is left of a cell that is cleared: its format, or nothing.
fn blank_cell(bytes: &[u8], cell: &Cell, prefix: &str) -> String {
    let mut kept = other_attributes(bytes, cell.tag.start, &["t", "cm", "vm"]);
    if cell.style == 0 {
        return String::new();
    }
    if !cell.addressed {
        kept = format!(" r=\"{}\"{kept}", cell.at);
    }
    format!("<{prefix}c{kept}/>")
}

fn row_style(bytes: &[u8], row: &Row) -> Option<u32> {
    let value = |name| Attributes::of(bytes, row.tag.start).find(name).and_then(|span| bytes.get(span));
    let custom = matches!(value("customFormat"), Some(b"1" | b"true"));
    custom.then(|| value("s").and_then(crate::a1::read_number)).flatten()
}

/// A number as Excel writes it: the shortest digits that read back the same.
pub(crate) fn show_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs();
    if (1e-5..1e21).contains(&magnitude) {
        return number.to_string();
    }
    // 1e21 becomes 1E+21, as Excel spells it.
    let text = format!("{number:E}");
    match text.split_once('E') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}E+{power}"),
        _ => text,
    }
}

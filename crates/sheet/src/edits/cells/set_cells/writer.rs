//! The splices that put inputs into the rows of one sheet, and the hints around them that would otherwise be wrong.

use std::collections::BTreeMap;

use edit::{Cut, Patch, Refusal, Step};
use formula::ErrorKind;
use ooxml::xml::{escape_text, ns};

use crate::edits::cells::calc_chain::{self, ChainChange};
use crate::edits::cells::formula_format;
use crate::edits::cells::mentions;
use crate::edits::cells::metadata;
use crate::edits::cells::rich;
use crate::edits::input::Input;
use crate::file::a1::{Area, CellRef};
use crate::file::numbers::show_number;
use crate::file::refs;
use crate::file::scan::{Attributes, Cell, CellType, Row, is_member, other_attributes, row_style};
use crate::file::strings::{NewStrings, encode, text_element};
use crate::file::worksheet::{ArrayKind, RowSpot};
use crate::file::xml_edit::Xml;
use crate::read::sheet_view::SheetView;

/// Plans the splices of one sheet.
pub(super) struct Writer<'a> {
    sheet: SheetView<'a>,
    patch: Patch,
    strings: Option<NewStrings<'a>>,
    chain: ChainChange,
    columns: Vec<(u32, u32, u32)>,
    styles: Option<crate::edits::looks::style_edit::NewStyles<'a>>,
    /// Around the cells that were added.
    grown: Option<Area>,
    fresh_rows: bool,
    /// A cell whose formula is written as given.
    pub(super) head: Option<(CellRef, String)>,
    /// How cells are marked that spill, once one was asked for.
    dynamic: Option<u32>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(sheet: &SheetView<'a>) -> Result<Writer<'a>, Refusal> {
        let view = sheet.book;
        Ok(Writer {
            sheet: *sheet,
            patch: Patch::new(),
            strings: view.strings()?.map(|strings| NewStrings::new(strings)),
            chain: ChainChange::default(),
            columns: sheet.column_styles(),
            styles: view.styles()?.map(|styles| crate::edits::looks::style_edit::NewStyles::new(styles)),
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
    pub(super) fn release_shared(&mut self, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
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
    pub(super) fn clear_spills(&mut self, inputs: &BTreeMap<CellRef, &Input>) -> Result<(), Refusal> {
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

    pub(super) fn row(&mut self, row: u32, cells: &[(CellRef, &Input)]) -> Result<(), Refusal> {
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
                // The tag itself stays: edits that wait know their columns by the tags of cells.
                let name = format!("<{}c", self.prefix());
                let (kept, with) = match with.strip_prefix(&name) {
                    Some(rest) => (name.len(), rest),
                    None => (0, with.as_str()),
                };
                self.patch.splice(part, offset + cell.tag.start + kept..offset + cell.end, with)?;
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
                if let Some(at) = memchr::memmem::rfind(bytes.cut(row.cells.clone())?, extension.as_bytes()) {
                    let behind_cells = memchr::memmem::rfind(
                        bytes.cut(row.cells.clone())?,
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
        let text = String::from_utf8_lossy(bytes.cut(value.clone())?).into_owned();
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
        let style = self.style_for(at, style, input)?;
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
        let style = self.style_for(at, cell.style, input)?;
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
    fn style_for(&mut self, at: CellRef, style: u32, input: &Input) -> Result<u32, Refusal> {
        if let (Input::Formatted { format, .. }, Some(styles)) = (input, &mut self.styles) {
            return match styles.number_format(style) {
                "General" => styles.with_number_format(style, format),
                _ => Ok(style),
            };
        }
        if let (Input::Formula(text), Some(styles)) = (input, &mut self.styles)
            && styles.number_format(style) == "General"
        {
            let body = text.strip_prefix('=').unwrap_or(text);
            return match formula_format::format(&self.sheet, at, body) {
                Some(code) => styles.with_number_format(style, &code),
                None => Ok(style),
            };
        }
        let (Input::Date(text), Some(styles)) = (input, &mut self.styles) else { return Ok(style) };
        if crate::read::display::is_date_format(styles.number_format(style)) {
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
            Input::Number(number) | Input::Formatted { number, .. } => cell("", value(&show_number(*number))),
            Input::Typed(text) => {
                return Err(Refusal::Unsafe {
                    why: format!("`{text}` was not read before it was written"),
                    instead: None,
                });
            }
            Input::Bool(flag) => cell("b", value(if *flag { "1" } else { "0" })),
            // A constant has no calculation to say more of it: what files have no name for is a #VALUE!.
            Input::Error(text) if ErrorKind::parse(text).is_some_and(|kind| kind.number() > 8) => {
                cell("e", value("#VALUE!"))
            }
            Input::Error(text) => cell("e", value(&escape_text(&text.to_ascii_uppercase()))),
            Input::Text(text) => match &mut self.strings {
                Some(strings) => cell("s", value(&strings.index(text).to_string())),
                None => cell("inlineStr", format!("<{prefix}is>{}</{prefix}is>", text_element(prefix, text))),
            },
            Input::Shared(index) => {
                if let Some(strings) = &mut self.strings {
                    strings.uses += 1;
                }
                cell("s", value(&index.to_string()))
            }
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
                let serial = crate::file::dates::serial_of_iso(text, self.sheet.book.workbook.dates)
                    .ok_or_else(|| {
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
                let book = self.sheet.book;
                if mentions::calls_nothing_known(book, body, self.sheet.position) {
                    // Nobody can calculate it, so it keeps this value, which those that depend on it see.
                    let text = escape_text(&encode(&metadata::ordinary_for_file(book, body))).into_owned();
                    return Ok(cell("e", format!("<{prefix}f>{text}</{prefix}f>{}", value("#NAME?"))));
                }
                let spills = metadata::kept(book, self.sheet.position, body) == formula::Mode::Dynamic;
                let stored = match spills {
                    true => metadata::for_file(book, body),
                    false => metadata::ordinary_for_file(book, body),
                };
                let text = escape_text(&encode(&stored)).into_owned();
                if spills {
                    let mark = self.dynamic_mark()?;
                    // How far it spills is known when it has been calculated.
                    let formula = format!("<{prefix}f t=\"array\" ref=\"{at}\">{text}</{prefix}f>");
                    return Ok(format!("<{prefix}c{attributes} cm=\"{mark}\">{formula}</{prefix}c>"));
                }
                cell("", format!("<{prefix}f>{text}</{prefix}f>"))
            }
        })
    }

    fn dynamic_mark(&mut self) -> Result<u32, Refusal> {
        if let Some(known) = self.dynamic {
            return Ok(known);
        }
        let mark = crate::edits::cells::metadata::dynamic_mark(self.sheet.book, &mut self.patch)?;
        self.dynamic = Some(mark);
        Ok(mark)
    }

    pub(super) fn finish(mut self) -> Result<Step, Refusal> {
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
        calc_chain::apply(self.sheet.book, &mut self.patch, &self.chain)?;
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

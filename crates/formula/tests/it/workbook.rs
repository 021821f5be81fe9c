//! A workbook as a test needs it: values, formulas, names, tables, external caches.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use formula::{
    Area, Book, CellRef, Cells, DateSystem, ErrorKind, ExternalBook, ExternalSheet, Mode, RowState, SheetId,
    Table, Value,
};

use crate::xml::{Event, attribute, events, unescape};

pub(crate) struct FormulaCell {
    pub(crate) at: CellRef,
    pub(crate) text: String,
    pub(crate) mode: Mode,
    /// The cell the text was written for, when it is shared.
    pub(crate) base: CellRef,
    /// The range of an array formula.
    pub(crate) area: Option<Area>,
    /// Whether Excel left a value.
    pub(crate) cached: bool,
}

#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) rows: BTreeMap<u32, Vec<(u32, Value)>>,
    pub(crate) hidden: HashMap<u32, RowState>,
    pub(crate) styles: HashMap<(u32, u32), usize>,
}

pub(crate) struct Workbook {
    pub(crate) book: Book,
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) formulas: Vec<FormulaCell>,
    pub(crate) texts: HashMap<CellRef, String>,
    pub(crate) formats: Vec<Arc<str>>,
    pub(crate) spills: HashMap<CellRef, Area>,
    pub(crate) iterate: Option<(u32, f64)>,
}

impl Sheet {
    pub(crate) fn get(&self, row: u32, col: u32) -> Value {
        let Some(cells) = self.rows.get(&row) else { return Value::Blank };
        cells.binary_search_by_key(&col, |(col, _)| *col).map_or(Value::Blank, |at| cells[at].1.clone())
    }

    pub(crate) fn set(&mut self, row: u32, col: u32, value: Value) {
        let cells = self.rows.entry(row).or_default();
        match cells.binary_search_by_key(&col, |(col, _)| *col) {
            Ok(at) => cells[at].1 = value,
            Err(at) => cells.insert(at, (col, value)),
        }
    }
}

impl formula::Store for Workbook {
    fn set(&mut self, cell: CellRef, value: Value) {
        if let Some(sheet) = self.sheets.get_mut(cell.sheet.0 as usize) {
            sheet.set(cell.row, cell.col, value);
        }
    }
}

impl Cells for Workbook {
    fn value(&self, cell: CellRef) -> Value {
        self.sheets.get(cell.sheet.0 as usize).map_or(Value::Blank, |sheet| sheet.get(cell.row, cell.col))
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let Some(sheet) = self.sheets.get(area.sheet.0 as usize) else { return };
        for (row, cells) in sheet.rows.range(area.top..=area.bottom) {
            let from = cells.partition_point(|(col, _)| *col < area.left);
            for (col, value) in cells[from..].iter().take_while(|(col, _)| *col <= area.right) {
                if !value.is_blank() {
                    each(*row, *col, value);
                }
            }
        }
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        let Some(sheet) = self.sheets.get(sheet.0 as usize) else { return (0, 0) };
        let rows = sheet.rows.last_key_value().map_or(0, |(row, _)| row + 1);
        let cols =
            sheet.rows.values().filter_map(|cells| cells.last().map(|(col, _)| col + 1)).max().unwrap_or(0);
        (rows, cols)
    }

    fn row_state(&self, sheet: SheetId, row: u32) -> RowState {
        self.sheets
            .get(sheet.0 as usize)
            .and_then(|sheet| sheet.hidden.get(&row).copied())
            .unwrap_or(RowState::Visible)
    }

    fn is_subtotal(&self, cell: CellRef) -> bool {
        self.texts.get(&cell).is_some_and(|text| {
            let upper = text.to_ascii_uppercase();
            upper.contains("SUBTOTAL(") || upper.contains("AGGREGATE(")
        })
    }

    fn formula_text(&self, cell: CellRef) -> Option<String> {
        self.texts.get(&cell).map(|text| {
            let mut shown = text.clone();
            for prefix in ["_xlfn.", "_xlws.", "_xlpm."] {
                shown = shown.replace(prefix, "");
            }
            let area = self.formulas.iter().find(|formula| formula.at == cell);
            match area {
                Some(formula) if formula.mode == Mode::Array => format!("{{={shown}}}"),
                _ => format!("={shown}"),
            }
        })
    }

    fn number_format(&self, cell: CellRef) -> Option<Arc<str>> {
        let style =
            self.sheets.get(cell.sheet.0 as usize)?.styles.get(&(cell.row, cell.col)).copied().unwrap_or(0);
        self.formats.get(style).cloned()
    }

    fn spill(&self, cell: CellRef) -> Option<Area> {
        self.spills.get(&cell).copied()
    }
}

type Archive = zip::ZipArchive<std::io::Cursor<Vec<u8>>>;

fn part(archive: &mut Archive, name: &str) -> Option<String> {
    let mut file = archive.by_name(name.trim_start_matches('/')).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    if let Some(rest) = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]) {
        bytes = rest.to_vec();
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Relations of a part: id to (type, target).
fn relations(archive: &mut Archive, of: &str) -> HashMap<String, (String, String)> {
    let (directory, name) = of.rsplit_once('/').unwrap_or(("", of));
    let Some(text) = part(archive, &format!("{directory}/_rels/{name}.rels")) else { return HashMap::new() };
    let mut found = HashMap::new();
    for event in events(&text) {
        if let Event::Start { name: "Relationship", attributes, .. } = event {
            let (Some(id), Some(target)) = (attribute(attributes, "Id"), attribute(attributes, "Target"))
            else {
                continue;
            };
            let target = match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => {
                    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
                    for step in target.split('/') {
                        match step {
                            ".." => {
                                parts.pop();
                            }
                            "." => {}
                            other => parts.push(other),
                        }
                    }
                    parts.join("/")
                }
            };
            found.insert(id, (attribute(attributes, "Type").unwrap_or_default(), target));
        }
    }
    found
}

fn coordinates(text: &str) -> Option<(u32, u32)> {
    let text = text.replace('$', "");
    let split = text.find(|c: char| c.is_ascii_digit())?;
    let row: u32 = text[split..].parse().ok()?;
    Some((row.checked_sub(1)?, formula::column_index(&text[..split])?))
}

fn area(sheet: SheetId, text: &str) -> Option<Area> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    Some(Area::new(sheet, coordinates(first)?, coordinates(last)?))
}

pub(crate) fn read(path: &Path) -> Option<Workbook> {
    let bytes = std::fs::read(path).ok()?;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).ok()?;
    let root = relations(&mut archive, "");
    let main = root
        .values()
        .find(|(kind, _)| kind.ends_with("/officeDocument"))
        .map_or("xl/workbook.xml".to_owned(), |(_, target)| target.clone());
    let text = part(&mut archive, &main)?;
    let links = relations(&mut archive, &main);
    let mut book = Book::default();
    let mut parts = Vec::new();
    let mut externals = Vec::new();
    let mut names: Vec<(Option<SheetId>, String, String)> = Vec::new();
    let mut iterate = None;
    let mut name: Option<(Option<SheetId>, String)> = None;
    let mut body = String::new();
    for event in events(&text) {
        match event {
            Event::Start { name: "workbookPr", attributes, .. } => {
                if matches!(attribute(attributes, "date1904").as_deref(), Some("1" | "true")) {
                    book.dates = DateSystem::D1904;
                }
            }
            Event::Start { name: "calcPr", attributes, .. } => {
                if matches!(attribute(attributes, "iterate").as_deref(), Some("1" | "true")) {
                    let count =
                        attribute(attributes, "iterateCount").and_then(|n| n.parse().ok()).unwrap_or(100);
                    let delta =
                        attribute(attributes, "iterateDelta").and_then(|n| n.parse().ok()).unwrap_or(0.001);
                    iterate = Some((count, delta));
                }
            }
            Event::Start { name: "sheet", attributes, .. } => {
                let Some(title) = attribute(attributes, "name") else { continue };
                book.add_sheet(&title);
                parts.push(
                    attribute(attributes, "id")
                        .and_then(|id| links.get(&id).map(|(_, target)| target.clone())),
                );
            }
            Event::Start { name: "externalReference", attributes, .. } => {
                externals.push(
                    attribute(attributes, "id")
                        .and_then(|id| links.get(&id).map(|(_, target)| target.clone())),
                );
            }
            Event::Start { name: "definedName", attributes, empty: false } => {
                let scope = attribute(attributes, "localSheetId").and_then(|id| id.parse().ok()).map(SheetId);
                name = attribute(attributes, "name").map(|name| (scope, name));
                body.clear();
            }
            Event::Text(text) if name.is_some() => body.push_str(text),
            Event::End("definedName") => {
                if let Some((scope, name)) = name.take() {
                    names.push((scope, name, unescape(&body)));
                }
            }
            _ => {}
        }
    }
    for (scope, name, text) in names {
        let _ = book.define(scope, &name, &text);
    }
    for (number, target) in externals.iter().enumerate() {
        if let Some(external) =
            target.as_ref().and_then(|target| read_external(&mut archive, target, number + 1))
        {
            book.add_external(external);
        }
    }
    let find = |ending: &str| {
        links.values().find(|(kind, _)| kind.ends_with(ending)).map(|(_, target)| target.clone())
    };
    let strings = find("/sharedStrings")
        .and_then(|target| part(&mut archive, &target))
        .map_or(Vec::new(), |text| shared_strings(&text));
    let formats = find("/styles")
        .and_then(|target| part(&mut archive, &target))
        .map_or(Vec::new(), |text| cell_formats(&text));
    let mut workbook = Workbook {
        book,
        sheets: Vec::new(),
        formulas: Vec::new(),
        texts: HashMap::new(),
        formats,
        spills: HashMap::new(),
        iterate,
    };
    for (index, target) in parts.iter().enumerate() {
        workbook.sheets.push(Sheet::default());
        let Some(target) = target else { continue };
        let Some(text) = part(&mut archive, target) else { continue };
        read_sheet(&mut workbook, SheetId(index as u32), &text, &strings);
        for (kind, table) in relations(&mut archive, target).values() {
            if kind.ends_with("/table")
                && let Some(text) = part(&mut archive, table)
                && let Some(table) = read_table(SheetId(index as u32), &text)
            {
                workbook.book.add_table(table);
            }
        }
    }
    Some(workbook)
}

fn read_external(archive: &mut Archive, target: &str, number: usize) -> Option<ExternalBook> {
    let text = part(archive, target)?;
    let mut external = ExternalBook { key: number.to_string(), ..ExternalBook::default() };
    let (mut sheet, mut cell, mut kind) = (None, None, String::new());
    let mut body = String::new();
    for event in events(&text) {
        match event {
            Event::Start { name: "sheetName", attributes, .. } => {
                external.sheets.push(ExternalSheet { name: attribute(attributes, "val")?, cells: None });
            }
            Event::Start { name: "definedName", attributes, .. } => {
                if let (Some(name), Some(refers)) =
                    (attribute(attributes, "name"), attribute(attributes, "refersTo"))
                {
                    external.names.insert(name, refers);
                }
            }
            Event::Start { name: "sheetData", attributes, .. } => {
                sheet = attribute(attributes, "sheetId").and_then(|id| id.parse::<usize>().ok());
                let failed = attribute(attributes, "refreshError").is_some();
                if let Some(found) = sheet.filter(|_| !failed).and_then(|id| external.sheets.get_mut(id)) {
                    found.cells.get_or_insert_default();
                }
            }
            Event::Start { name: "cell", attributes, .. } => {
                cell = attribute(attributes, "r").and_then(|r| coordinates(&r));
                kind = attribute(attributes, "t").unwrap_or_default();
                body.clear();
            }
            Event::Text(text) if cell.is_some() => body.push_str(text),
            Event::End("cell") => {
                if let (Some(at), Some(found)) =
                    (cell.take(), sheet.and_then(|id| external.sheets.get_mut(id)))
                {
                    let text = unescape(body.trim_matches(['\n', '\r']));
                    found.cells.get_or_insert_default().insert(at, typed(&kind, &text, &[]));
                }
            }
            _ => {}
        }
    }
    Some(external)
}

fn typed(kind: &str, text: &str, strings: &[Arc<str>]) -> Value {
    match kind {
        "s" => text
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|at| strings.get(at))
            .map_or(Value::Blank, |text| Value::Text(text.clone())),
        "str" | "inlineStr" => Value::text(&unescape_control(text)),
        "b" => Value::Bool(text.trim() == "1" || text.trim() == "true"),
        "e" => ErrorKind::parse(text.trim()).map_or(Value::Blank, Value::Error),
        _ => text.trim().parse().map_or(Value::Blank, Value::Number),
    }
}

/// `_x000D_` stands for a control character.
fn unescape_control(text: &str) -> String {
    if !text.contains("_x") {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[at + 7..];
            }
            None => {
                out.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn shared_strings(text: &str) -> Vec<Arc<str>> {
    let mut strings = Vec::new();
    let mut current = String::new();
    let (mut inside, mut phonetic) = (false, false);
    for event in events(text) {
        match event {
            Event::Start { name: "si", empty, .. } => {
                current.clear();
                if empty {
                    strings.push(Arc::from(""));
                }
            }
            Event::Start { name: "t", empty, .. } => inside = !empty && !phonetic,
            Event::End("t") => inside = false,
            Event::Start { name: "rPh", empty, .. } => phonetic = !empty,
            Event::End("rPh") => phonetic = false,
            Event::Text(text) if inside => current.push_str(&unescape(text)),
            Event::End("si") => strings.push(Arc::from(unescape_control(&current))),
            _ => {}
        }
    }
    strings
}

fn cell_formats(text: &str) -> Vec<Arc<str>> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut formats = Vec::new();
    let mut inside = false;
    for event in events(text) {
        match event {
            Event::Start { name: "numFmt", attributes, .. } => {
                if let (Some(id), Some(code)) =
                    (attribute(attributes, "numFmtId"), attribute(attributes, "formatCode"))
                {
                    codes.insert(id.parse().unwrap_or(0), code);
                }
            }
            Event::Start { name: "cellXfs", .. } => inside = true,
            Event::End("cellXfs") => inside = false,
            Event::Start { name: "xf", attributes, .. } if inside => {
                let id = attribute(attributes, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
                let code = codes
                    .get(&id)
                    .map(String::as_str)
                    .or_else(|| formula::numfmt::builtin(id))
                    .unwrap_or("General");
                formats.push(Arc::from(code));
            }
            _ => {}
        }
    }
    formats
}

fn read_table(sheet: SheetId, text: &str) -> Option<Table> {
    let mut table: Option<Table> = None;
    for event in events(text) {
        match event {
            Event::Start { name: "table", attributes, .. } if table.is_none() => {
                table = Some(Table {
                    name: attribute(attributes, "displayName")
                        .or_else(|| attribute(attributes, "name"))?
                        .into(),
                    area: area(sheet, &attribute(attributes, "ref")?)?,
                    header_rows: attribute(attributes, "headerRowCount")
                        .and_then(|n| n.parse().ok())
                        .unwrap_or(1),
                    totals_rows: attribute(attributes, "totalsRowCount")
                        .and_then(|n| n.parse().ok())
                        .unwrap_or(0),
                    columns: Vec::new(),
                });
            }
            Event::Start { name: "tableColumn", attributes, .. } => {
                if let (Some(table), Some(name)) = (&mut table, attribute(attributes, "name")) {
                    table.columns.push(unescape_control(&name).into());
                }
            }
            _ => {}
        }
    }
    table
}

fn read_sheet(workbook: &mut Workbook, id: SheetId, text: &str, strings: &[Arc<str>]) {
    let filtered = text.contains("<autoFilter") || text.contains(":autoFilter");
    let mut shared: HashMap<String, (String, CellRef)> = HashMap::new();
    let (mut row, mut col) = (0u32, 0u32);
    let mut next_row = 0u32;
    let mut cell: Option<(CellRef, String, bool)> = None;
    let mut formula: Option<(String, String)> = None;
    let (mut in_value, mut in_formula, mut in_text) = (false, false, false);
    let mut value = String::new();
    let mut has_value = false;
    let mut values: BTreeMap<u32, Vec<(u32, Value)>> = BTreeMap::new();
    for event in events(text) {
        match event {
            Event::Start { name: "row", attributes, .. } => {
                row = attribute(attributes, "r")
                    .and_then(|r| r.parse::<u32>().ok())
                    .map_or(next_row, |r| r - 1);
                next_row = row + 1;
                col = 0;
                if matches!(attribute(attributes, "hidden").as_deref(), Some("1" | "true")) {
                    let state = if filtered { RowState::Filtered } else { RowState::Hidden };
                    workbook.sheets[id.0 as usize].hidden.insert(row, state);
                }
            }
            Event::Start { name: "c", attributes, empty } => {
                let at = attribute(attributes, "r").and_then(|r| coordinates(&r)).unwrap_or((row, col));
                col = at.1 + 1;
                if let Some(style) = attribute(attributes, "s").and_then(|s| s.parse().ok()) {
                    workbook.sheets[id.0 as usize].styles.insert(at, style);
                }
                if !empty {
                    let kind = attribute(attributes, "t").unwrap_or_default();
                    let dynamic = attribute(attributes, "cm").is_some();
                    cell = Some((CellRef::new(id, at.0, at.1), kind, dynamic));
                    value.clear();
                    has_value = false;
                    formula = None;
                }
            }
            Event::Start { name: "f", attributes, empty } if cell.is_some() => {
                formula = Some((attributes.to_owned(), String::new()));
                in_formula = !empty;
            }
            Event::End("f") => in_formula = false,
            Event::Start { name: "v", empty, .. } if cell.is_some() => {
                in_value = !empty;
                has_value = true;
            }
            Event::End("v") => in_value = false,
            Event::Start { name: "t", empty, .. } if cell.is_some() => {
                in_text = !empty;
                has_value = true;
            }
            Event::End("t") => in_text = false,
            Event::Text(text) if in_formula => {
                if let Some((_, body)) = &mut formula {
                    body.push_str(text);
                }
            }
            Event::Text(text) if in_value || in_text => value.push_str(text),
            Event::End("c") => {
                let Some((at, kind, dynamic)) = cell.take() else { continue };
                let found = if has_value { typed(&kind, &unescape(&value), strings) } else { Value::Blank };
                let cached = has_value && !(found.is_blank());
                if !found.is_blank() {
                    values.entry(at.row).or_default().push((at.col, found));
                }
                if let Some((attributes, body)) = formula.take() {
                    add_formula(workbook, at, &attributes, &unescape(&body), dynamic, cached, &mut shared);
                }
            }
            _ => {}
        }
    }
    for cells in values.values_mut() {
        cells.sort_by_key(|(col, _)| *col);
    }
    workbook.sheets[id.0 as usize].rows = values;
}

fn add_formula(
    workbook: &mut Workbook,
    at: CellRef,
    attributes: &str,
    body: &str,
    dynamic: bool,
    cached: bool,
    shared: &mut HashMap<String, (String, CellRef)>,
) {
    let kind = attribute(attributes, "t").unwrap_or_default();
    let range = attribute(attributes, "ref").and_then(|text| area(at.sheet, &text));
    let (text, base) = match kind.as_str() {
        "shared" => {
            let key = attribute(attributes, "si").unwrap_or_default();
            if !body.is_empty() {
                shared.insert(key.clone(), (body.to_owned(), at));
            }
            match shared.get(&key) {
                Some((text, base)) if body.is_empty() => (text.clone(), *base),
                _ => (body.to_owned(), at),
            }
        }
        "dataTable" => return,
        _ => (body.to_owned(), at),
    };
    if text.is_empty() {
        return;
    }
    let mode = match (kind.as_str(), dynamic) {
        ("array", true) => Mode::Dynamic,
        ("array", false) => Mode::Array,
        _ => Mode::Plain,
    };
    if mode == Mode::Dynamic
        && let Some(range) = range
    {
        workbook.spills.insert(at, range);
    }
    let shown = if base == at {
        text.clone()
    } else {
        formula::shift(&text, at.row as i64 - base.row as i64, at.col as i64 - base.col as i64)
    };
    workbook.texts.insert(at, shown);
    workbook.formulas.push(FormulaCell {
        at,
        text,
        mode,
        base,
        area: range.filter(|_| mode != Mode::Plain),
        cached,
    });
}

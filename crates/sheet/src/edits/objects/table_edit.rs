//! Tables that come, change and go.

use edit::{Blob, OrEmpty, Patch, Planned, Refusal};
use formula::Change;
use ooxml::Conformance;
use ooxml::xml::{Node, escape_attribute, escape_text, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::book::names::check_name;
use crate::edits::input::{CellChange, Input, Outcome};
use crate::edits::lines::follow::Follow;
use crate::edits::lines::structure::fresh_name;
use crate::edits::objects::attached::{self, NewPart, Stage};
use crate::edits::objects::query_fields;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::{flag, number, same_name, string};
use crate::file::worksheet::ArrayKind;
use crate::file::xml_edit::{DECLARATION, WORKSHEET_ORDER, Xml};
use crate::read::query::Query;
use crate::read::sheet_view::SheetView;
use crate::read::tables::Table;

const TABLE_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml";

/// A change of a table; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableChange {
    /// Formulas follow the new name.
    pub name: Option<String>,
    /// With the header and, where there is one, the totals row. The header stays in its row.
    pub area: Option<Area>,
    /// `TableStyleMedium2` and so on; `none` for none.
    pub style: Option<String>,
    pub first_column: Option<bool>,
    pub last_column: Option<bool>,
    pub row_stripes: Option<bool>,
    pub column_stripes: Option<bool>,
    /// Buttons in the header.
    pub filter: Option<bool>,
    /// A totals row below the data, or none.
    pub totals: Option<bool>,
    /// What the totals row says of columns; makes the row where there is none.
    pub column_totals: Vec<ColumnTotal>,
    /// Formulas of whole columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calculated: Vec<CalculatedColumn>,
}

/// A column whose rows all have one formula, which new rows get too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalculatedColumn {
    /// Its name.
    pub column: String,
    pub formula: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnTotal {
    /// Its name.
    pub column: String,
    pub total: Total,
}

/// What a totals row says of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Total {
    None,
    Sum,
    Average,
    /// Cells that are not blank.
    Count,
    CountNumbers,
    Max,
    Min,
    StdDev,
    Var,
    Label(String),
    Formula(String),
}

impl Total {
    /// How the file calls it, and the number that `SUBTOTAL` knows it by.
    fn function(&self) -> Option<(&'static str, u32)> {
        Some(match self {
            Total::Sum => ("sum", 109),
            Total::Average => ("average", 101),
            Total::Count => ("count", 103),
            Total::CountNumbers => ("countNums", 102),
            Total::Max => ("max", 104),
            Total::Min => ("min", 105),
            Total::StdDev => ("stdDev", 107),
            Total::Var => ("var", 110),
            Total::None | Total::Label(_) | Total::Formula(_) => return None,
        })
    }
}

impl View {
    /// A table of the workbook by its name, in any case.
    pub(crate) fn table_named(&self, name: &str) -> Result<Option<Table>, Refusal> {
        Ok(self.tables()?.into_iter().map(|(_, table)| table).find(|table| same_name(&table.name, name)))
    }

    /// All tables, with the position of their sheet.
    pub fn tables(&self) -> Result<Vec<(usize, Table)>, Refusal> {
        let mut found = Vec::new();
        // A sheet that cannot be read has no tables that anybody could use.
        for sheet in self.worksheets().filter_map(Result::ok) {
            found.extend(sheet.tables()?.into_iter().map(|table| (sheet.position, table)));
        }
        Ok(found)
    }

    /// The name of the sheet that a table is on; `None` where there is no such table.
    pub(crate) fn sheet_of_table(&self, name: &str) -> Result<Option<String>, Refusal> {
        let found = self.tables()?.into_iter().find(|(_, table)| same_name(&table.name, name));
        let tab = found.and_then(|(position, _)| self.workbook.sheets.get(position));
        Ok(tab.map(|tab| tab.name.clone()))
    }

    fn table(&self, name: &str) -> Result<(SheetView<'_>, Table), Refusal> {
        let tables = self.tables()?;
        let known: Vec<String> = tables.iter().map(|(_, table)| table.name.clone()).collect();
        match tables.into_iter().find(|(_, table)| same_name(&table.name, name)) {
            Some((position, table)) => Ok((self.sheet_at(position)?, table)),
            None => Err(Refusal::NotFound {
                what: "table",
                id: name.to_owned(),
                nearest: crate::read::nearest::nearest(name, known.iter().map(String::as_str)),
            }),
        }
    }
}

pub(crate) fn add(
    view: &View,
    sheet: &str,
    area: Area,
    name: Option<&str>,
    style: Option<&str>,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(sheet)?;
    let own = sheet.name().to_owned();
    if area.top == area.bottom {
        return Err(Refusal::invalid("range", area, "a header row and at least one row below it"));
    }
    check_ground(&sheet, &area, None)?;
    let tables = view.tables()?;
    let name = match name {
        Some(name) => {
            check_table_name(view, name, None)?;
            name.to_owned()
        }
        None => {
            let mut taken: Vec<String> = tables.iter().map(|(_, table)| table.name.clone()).collect();
            taken.extend(view.workbook.names.iter().map(|name| name.name.clone()));
            fresh_name("Table", &taken)
        }
    };
    let mut stage = Stage::new(view);
    let columns = name_headers(&mut stage, &own, area, &[])?;
    let ids = tables.iter().filter_map(|(_, table)| number(&table.document.root(), "id"));
    let id = ids.max().unwrap_or(0) + 1;
    let view = stage.view();
    let sheet = view.sheet(&own)?;
    let part = ooxml::free_name(&view.content, &format!("{}tables/table", attached::folder(view)), "xml");
    let listed: String = columns
        .iter()
        .enumerate()
        .map(|(index, column)| column_markup(index as u32 + 1, column, "", None))
        .collect();
    let style = match style.unwrap_or("TableStyleMedium2") {
        "none" => String::new(),
        style => format!(" name=\"{}\"", escape_attribute(style)),
    };
    let bytes = format!(
        "{DECLARATION}<table xmlns=\"{}\" id=\"{id}\" name=\"{name}\" displayName=\"{name}\" ref=\"{area}\" totalsRowShown=\"0\">\
         <autoFilter ref=\"{area}\"/><tableColumns count=\"{}\">{listed}</tableColumns>\
         <tableStyleInfo{style} showFirstColumn=\"0\" showLastColumn=\"0\" showRowStripes=\"1\" showColumnStripes=\"0\"/></table>",
        attached::namespace(view),
        columns.len(),
        name = escape_attribute(&name),
    );
    let kind = attached::kind(view, "table");
    let mut patch = Patch::new();
    let new = NewPart { part: &part, kind: &kind, content_type: TABLE_TYPE, bytes: Blob::from(bytes) };
    let ids = attached::attach(view, &mut patch, &sheet.worksheet.part, vec![new])?;
    let xml = Xml::frame(sheet.worksheet);
    let prefix = &sheet.worksheet.spelling().prefix;
    let strict = view.workbook.conformance == Conformance::Strict;
    let attribute = attached::relationship_attribute(&xml.root(), strict);
    let markup = format!("<{prefix}tablePart {attribute}=\"{}\"/>", ids.first().map_or("", |id| id));
    match xml.root().child(ns::S, "tableParts") {
        Some(list) => {
            let count = list.elements().count() + 1;
            xml.set_attribute(&mut patch, &list, "count", &count.to_string())?;
            xml.append(&mut patch, &list, &markup)?;
        }
        None => {
            let whole = format!("<{prefix}tableParts count=\"1\">{markup}</{prefix}tableParts>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "tableParts", &whole)?;
        }
    }
    stage.then(&patch)?;
    let sheet = stage.view().sheet(&own)?;
    let summary = format!("Make {own}!{area} the table {name}");
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![area]))
}

fn column_markup(id: u32, name: &str, prefix: &str, field: Option<u32>) -> String {
    let name = crate::edits::cells::set_cells::encode_header(name);
    let field = query_fields::attributes(id, field);
    format!("<{prefix}tableColumn id=\"{id}\" name=\"{}\"{field}/>", escape_attribute(&name))
}

/// A table's name is one that formulas can use and nothing else has.
fn check_table_name(view: &View, name: &str, except: Option<&str>) -> Result<(), Refusal> {
    check_name(name)?;
    let table = view.table_named(name)?.is_some_and(|known| Some(known.name.as_str()) != except);
    let defined = view.workbook.names.iter().any(|known| same_name(&known.name, name));
    match table || defined {
        true => Err(Refusal::invalid("name", format!("`{name}`"), "a name that no other table or range has")),
        false => Ok(()),
    }
}

/// Refuses areas where a table cannot lie.
fn check_ground(sheet: &SheetView<'_>, area: &Area, except: Option<&str>) -> Result<(), Refusal> {
    let refuse = |why: String, instead: &str| Err(Refusal::Unsafe { why, instead: Some(instead.to_owned()) });
    for table in sheet.tables()? {
        if Some(table.name.as_str()) != except && table.area.intersects(area) {
            let why = format!("{area} overlaps table `{}` ({})", table.name, table.area);
            return refuse(why, "choose cells outside the other table");
        }
    }
    if let Some(merge) = sheet.merges().into_iter().find(|merge| merge.intersects(area)) {
        return refuse(format!("{area} has merged cells ({merge})"), "unmerge them first");
    }
    if let Some(filter) = sheet.auto_filter().filter(|filter| filter.intersects(area)) {
        return refuse(format!("{area} overlaps the filter over {filter}"), "remove the filter first");
    }
    if sheet.worksheet.has_formulas() {
        let array = sheet.worksheet.arrays()?.iter().find(|array| {
            array.area.intersects(area) && (array.kind != ArrayKind::Fixed || !array.area.is_cell())
        });
        if let Some(array) = array {
            let why = format!("{area} has an array over {}, which a table cannot hold", array.area);
            return refuse(why, "clear the array first");
        }
    }
    Ok(())
}

/// Writes names into the header cells that have none or one that another has, and answers all of them. `known`
/// are names of the first columns that stay.
fn name_headers(
    stage: &mut Stage,
    sheet: &str,
    area: Area,
    known: &[String],
) -> Result<Vec<String>, Refusal> {
    let view = stage.view();
    let found = view.sheet(sheet)?;
    let mut names: Vec<String> = known.to_vec();
    let mut written = Vec::new();
    for col in area.left + known.len() as u32..=area.right {
        let at = CellRef::new(area.top, col);
        let cell = found.cell(at)?;
        let text = match &cell {
            Some(cell) => match &cell.value {
                formula::Value::Text(text) => text.to_string(),
                value => view.text(value, cell.style)?,
            },
            None => String::new(),
        };
        let taken = |name: &str| names.iter().any(|known| same_name(known, name));
        let name = match text.trim().is_empty() {
            true => fresh_name("Column", &names),
            false if taken(&text) => {
                let mut number = 2;
                while taken(&format!("{text}{number}")) {
                    number += 1;
                }
                format!("{text}{number}")
            }
            false => text.clone(),
        };
        let plain =
            cell.is_some_and(|cell| cell.formula.is_none() && matches!(cell.value, formula::Value::Text(_)));
        if !plain || name != text {
            written.push(CellChange { at, input: Input::Text(name.clone()) });
        }
        names.push(name);
    }
    if !written.is_empty() {
        let planned = crate::edits::cells::set_cells::plan(view, sheet, &written)?;
        stage.then(&planned.step.patch)?;
    }
    Ok(names)
}

pub(crate) fn set(view: &View, name: &str, change: &TableChange) -> Result<Planned<Outcome>, Refusal> {
    let (sheet, table) = view.table(name)?;
    crate::read::protection::locked(view, sheet.name(), "", "changing tables")?;
    let own = sheet.name().to_owned();
    let mut current = table.name.clone();
    let mut stage = Stage::new(view);
    if let Some(to) = change.name.as_deref().filter(|to| *to != current) {
        check_table_name(view, to, Some(&current))?;
        rename(&mut stage, &current, to)?;
        current = to.to_owned();
    }
    let wants_totals = change.column_totals.iter().any(|column| column.total != Total::None);
    let totals = change.totals.or((wants_totals && table.totals_rows == 0).then_some(true));
    if let Some(on) = totals.filter(|on| *on != (table.totals_rows > 0)) {
        set_totals(&mut stage, &current, on)?;
    }
    if let Some(area) = change.area {
        resize(&mut stage, &current, area)?;
    }
    if !change.column_totals.is_empty() {
        column_totals(&mut stage, &current, &change.column_totals)?;
    }
    if !change.calculated.is_empty() {
        calculated_columns(&mut stage, &current, &change.calculated)?;
    }
    let patch = looks(stage.view(), &current, change)?;
    stage.then(&patch)?;
    let (sheet, table) = stage.view().table(&current)?;
    let summary = match current == name {
        true => format!("Change table {current} of {own}"),
        false => format!("Change table {name} of {own}, now {current}"),
    };
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![table.area]))
}

fn rename(stage: &mut Stage, from: &str, to: &str) -> Result<(), Refusal> {
    let change = Change::RenameTable { from: from.to_owned(), to: to.to_owned() };
    let mut follow = Follow::new(stage.view(), change, None);
    follow.everything()?;
    let (_, table) = stage.view().table(from)?;
    let mut patch = follow.patch;
    let xml = Xml::new(&table.part, &table.document);
    for name in ["name", "displayName"] {
        if table.document.root().attribute(ns::NONE, name).is_some() {
            xml.set_attribute(&mut patch, &table.document.root(), name, to)?;
        }
    }
    stage.then(&patch)
}

/// The data of a table with its header, which is what its filter covers.
fn filtered(table: &Table, totals: u32) -> Area {
    Area { bottom: table.area.bottom - totals, ..table.area }
}

fn set_totals(stage: &mut Stage, name: &str, on: bool) -> Result<(), Refusal> {
    let (sheet, table) = stage.view().table(name)?;
    let own = sheet.name().to_owned();
    let xml = Xml::new(&table.part, &table.document);
    let root = table.document.root();
    let mut patch = Patch::new();
    if on {
        let row = table.area.bottom + 1;
        if row >= formula::MAX_ROWS {
            return Err(Refusal::invalid("totals", table.area, "a table with a row below it"));
        }
        let below = Area { top: row, bottom: row, ..table.area };
        let mut full = None;
        sheet.each_cell(below, &mut |cell| {
            if cell.formula.is_some() || !cell.value.is_blank() {
                full.get_or_insert(cell.at);
            }
        })?;
        if let Some(at) = full {
            return Err(Refusal::Unsafe {
                why: format!("the totals row would overwrite {at}"),
                instead: Some(format!("insert a row at {} first", row + 1)),
            });
        }
        let area = Area { bottom: row, ..table.area };
        check_ground(&sheet, &area, Some(name))?;
        xml.set_attribute(&mut patch, &root, "ref", &area.to_string())?;
        xml.set_attribute(&mut patch, &root, "totalsRowCount", "1")?;
        xml.remove_attribute(&mut patch, &root, "totalsRowShown")?;
        stage.then(&patch)?;
        let label = ColumnTotal {
            column: table.columns.first().cloned().or_empty(),
            total: Total::Label("Total".to_owned()),
        };
        return column_totals(stage, name, &[label]);
    }
    let area = filtered(&table, table.totals_rows);
    xml.set_attribute(&mut patch, &root, "ref", &area.to_string())?;
    xml.remove_attribute(&mut patch, &root, "totalsRowCount")?;
    for node in column_nodes(&table) {
        for attribute in ["totalsRowFunction", "totalsRowLabel"] {
            xml.remove_attribute(&mut patch, &node, attribute)?;
        }
        if let Some(formula) = node.child(ns::S, "totalsRowFormula") {
            xml.remove(&mut patch, &formula)?;
        }
    }
    let cells: Vec<CellChange> = (table.area.left..=table.area.right)
        .map(|col| CellChange { at: CellRef::new(table.area.bottom, col), input: Input::Clear })
        .collect();
    stage.then(&patch)?;
    let cleared = crate::edits::cells::set_cells::plan(stage.view(), &own, &cells)?;
    stage.then(&cleared.step.patch)
}

fn column_nodes<'a>(table: &'a Table) -> Vec<Node<'a>> {
    let list = table.document.root().child(ns::S, "tableColumns");
    list.into_iter().flat_map(|list| list.elements()).filter(|node| node.is(ns::S, "tableColumn")).collect()
}

fn column_totals(stage: &mut Stage, name: &str, totals: &[ColumnTotal]) -> Result<(), Refusal> {
    let (sheet, table) = stage.view().table(name)?;
    let own = sheet.name().to_owned();
    let xml = Xml::new(&table.part, &table.document);
    let nodes = column_nodes(&table);
    let prefix = xml.prefix();
    let mut patch = Patch::new();
    let mut cells = Vec::new();
    for wanted in totals {
        let index = table.columns.iter().position(|column| same_name(column, &wanted.column));
        let Some((index, node)) = index.and_then(|index| Some((index, nodes.get(index)?))) else {
            return Err(Refusal::NotFound {
                what: "column",
                id: wanted.column.clone(),
                nearest: crate::read::nearest::nearest(
                    &wanted.column,
                    table.columns.iter().map(String::as_str),
                ),
            });
        };
        let at = CellRef::new(table.area.bottom, table.area.left + index as u32);
        let column = table.columns[index].as_str();
        let escaped = escape_column(column);
        let input = match (&wanted.total, wanted.total.function()) {
            (_, Some((_, code))) => Input::Formula(format!("SUBTOTAL({code},{}[{escaped}])", table.name)),
            (Total::Label(label), _) => Input::Text(label.clone()),
            (Total::Formula(text), _) => Input::Formula(text.clone()),
            (_, None) => Input::Clear,
        };
        let known = node.child(ns::S, "totalsRowFormula");
        if let Some(known) = known {
            xml.remove(&mut patch, &known)?;
        }
        let function = wanted.total.function().map(|(name, _)| name);
        let (function, label, formula) = match &wanted.total {
            Total::Label(label) => (None, Some(label.as_str()), None),
            Total::Formula(text) => (Some("custom"), None, Some(text.as_str())),
            _ => (function, None, None),
        };
        for (attribute, value) in [("totalsRowFunction", function), ("totalsRowLabel", label)] {
            match value {
                Some(value) => xml.set_attribute(&mut patch, node, attribute, value)?,
                None => xml.remove_attribute(&mut patch, node, attribute)?,
            }
        }
        if let Some(text) = formula {
            let body = text.strip_prefix('=').unwrap_or(text);
            let stored =
                escape_text(&crate::edits::cells::metadata::for_file(stage.view(), body)).into_owned();
            let markup = format!("<{prefix}totalsRowFormula>{stored}</{prefix}totalsRowFormula>");
            match node.elements().find(|node| matches!(node.name().local, "xmlColumnPr" | "extLst")) {
                Some(later) => {
                    let start = later.span().start;
                    xml.splice(&mut patch, start..start, markup)?;
                }
                None => xml.append(&mut patch, node, &markup)?,
            }
        }
        cells.push(CellChange { at, input });
    }
    stage.then(&patch)?;
    let planned = crate::edits::cells::set_cells::plan(stage.view(), &own, &cells)?;
    stage.then(&planned.step.patch)
}

/// Gives every row of columns a formula, and the table the formula for rows to come.
fn calculated_columns(stage: &mut Stage, name: &str, columns: &[CalculatedColumn]) -> Result<(), Refusal> {
    let (sheet, table) = stage.view().table(name)?;
    let own = sheet.name().to_owned();
    let xml = Xml::new(&table.part, &table.document);
    let nodes = column_nodes(&table);
    let prefix = xml.prefix();
    let (top, bottom) = table
        .data_rows()
        .ok_or_else(|| Refusal::invalid("table", table.area, "a table with a row of data"))?;
    let mut patch = Patch::new();
    let mut cells = Vec::new();
    for wanted in columns {
        let index = table.columns.iter().position(|column| same_name(column, &wanted.column));
        let Some((index, node)) = index.and_then(|index| Some((index, nodes.get(index)?))) else {
            return Err(Refusal::NotFound {
                what: "column",
                id: wanted.column.clone(),
                nearest: crate::read::nearest::nearest(
                    &wanted.column,
                    table.columns.iter().map(String::as_str),
                ),
            });
        };
        // A file names the table where a person may leave it out.
        let body = this_row(wanted.formula.strip_prefix('=').unwrap_or(&wanted.formula), &table.name);
        crate::edits::entry::check_formula(&body, &wanted.column)?;
        let col = table.area.left + index as u32;
        cells.extend((top..=bottom).map(|row| {
            let at = CellRef::new(row, col);
            CellChange {
                at,
                input: Input::Formula(crate::file::refs::translate(&body, CellRef::new(top, col), at)),
            }
        }));
        let stored = escape_text(&crate::edits::cells::metadata::for_file(stage.view(), &body)).into_owned();
        let markup = format!("<{prefix}calculatedColumnFormula>{stored}</{prefix}calculatedColumnFormula>");
        match (node.child(ns::S, "calculatedColumnFormula"), node.elements().next()) {
            (Some(known), _) => xml.splice(&mut patch, known.span(), markup)?,
            (None, Some(first)) => {
                let start = first.span().start;
                xml.splice(&mut patch, start..start, markup)?;
            }
            (None, None) => xml.append(&mut patch, node, &markup)?,
        }
    }
    stage.then(&patch)?;
    let planned = crate::edits::cells::set_cells::plan(stage.view(), &own, &cells)?;
    stage.then(&planned.step.patch)
}

/// `[@Price]` and `[@[Unit price]]` as files write them: `Sales[[#This Row],[Price]]`.
fn this_row(formula: &str, table: &str) -> String {
    let mut out = String::with_capacity(formula.len());
    let mut rest = formula;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        quoted ^= c == '"';
        let column =
            rest.strip_prefix("[@").filter(|_| !quoted).and_then(|inside| match inside.strip_prefix('[') {
                Some(inside) => inside.split_once("]]"),
                None => inside.split_once(']'),
            });
        if let Some((column, after)) = column {
            let named =
                out.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
            out += &format!("{}[[#This Row],[{column}]]", if named { "" } else { table });
            rest = after;
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Brackets, apostrophes and number signs are quoted inside `Table[…]`.
fn escape_column(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '[' | ']' | '#' | '\'' | '@') {
            out.push('\'');
        }
        out.push(c);
    }
    out
}

fn resize(stage: &mut Stage, name: &str, area: Area) -> Result<(), Refusal> {
    let (sheet, table) = stage.view().table(name)?;
    let own = sheet.name().to_owned();
    if area == table.area {
        return Ok(());
    }
    let rows = area.bottom - area.top + 1;
    if area.top != table.area.top
        || area.left != table.area.left
        || rows <= table.header_rows + table.totals_rows
    {
        return Err(Refusal::invalid(
            "area",
            area,
            format!("an area from {} on, with a row of data", table.area.first()),
        ));
    }
    if table.totals_rows > 0 && area.bottom != table.area.bottom {
        return Err(Refusal::Unsafe {
            why: format!("the totals row of table `{name}` stands in the way"),
            instead: Some("take the totals row off first, or insert rows inside the table".to_owned()),
        });
    }
    check_ground(&sheet, &area, Some(name))?;
    let kept = table.columns.len().min((area.right - area.left + 1) as usize);
    for column in table.columns.iter().skip(kept) {
        // Renaming it finds out whether anything uses it.
        let change = Change::RenameColumn {
            table: table.name.clone(),
            from: column.clone(),
            to: format!("{column}?"),
        };
        let mut follow = Follow::new(stage.view(), change, None);
        follow.everything()?;
        if !follow.patch.is_empty() {
            return Err(Refusal::Unsafe {
                why: format!("formulas use the column `{column}`, which would leave table `{name}`"),
                instead: Some("change those formulas first".to_owned()),
            });
        }
    }
    let known: Vec<String> = table.columns.iter().take(kept).cloned().collect();
    let names = match table.header_rows {
        0 => {
            let mut names = known.clone();
            for _ in kept..(area.right - area.left + 1) as usize {
                names.push(fresh_name("Column", &names));
            }
            names
        }
        _ => name_headers(stage, &own, area, &known)?,
    };
    let (_, table) = stage.view().table(name)?;
    let xml = Xml::new(&table.part, &table.document);
    let root = table.document.root();
    let mut patch = Patch::new();
    xml.set_attribute(&mut patch, &root, "ref", &area.to_string())?;
    if let Some(filter) = root.child(ns::S, "autoFilter") {
        let covered = Area { bottom: area.bottom - table.totals_rows, ..area };
        xml.set_attribute(&mut patch, &filter, "ref", &covered.to_string())?;
    }
    if let Some(list) = root.child(ns::S, "tableColumns") {
        let nodes = column_nodes(&table);
        let mut id = nodes.iter().filter_map(|node| number(node, "id")).max().unwrap_or(0);
        for node in nodes.iter().skip(kept) {
            xml.remove(&mut patch, node)?;
        }
        let more = names.len().saturating_sub(kept) as u32;
        let mut fields = None;
        if let Some(query) = Query::of(stage.view(), &table)? {
            match nodes.get(kept..) {
                Some(gone @ [_, ..]) => query.lose(gone, &mut patch)?,
                _ if more > 0 => fields = query.gain(None, id + 1..id + 1 + more, &mut patch)?,
                _ => {}
            }
        }
        let fresh: String = names
            .iter()
            .skip(kept)
            .zip(0..)
            .map(|(name, offset)| {
                id += 1;
                column_markup(id, name, &xml.prefix(), fields.map(|first| first + offset))
            })
            .collect();
        if !fresh.is_empty() {
            xml.append(&mut patch, &list, &fresh)?;
        }
        xml.set_attribute(&mut patch, &list, "count", &names.len().to_string())?;
    }
    stage.then(&patch)
}

/// Style, stripes and the buttons of the filter.
fn looks(view: &View, name: &str, change: &TableChange) -> Result<Patch, Refusal> {
    let (_, table) = view.table(name)?;
    let xml = Xml::new(&table.part, &table.document);
    let root = table.document.root();
    let mut patch = Patch::new();
    let known = root.child(ns::S, "autoFilter");
    match (known, change.filter) {
        (Some(node), Some(false)) => {
            if node.elements().next().is_some() {
                return Err(Refusal::Unsafe {
                    why: format!("table `{name}` is filtered, and its hidden rows would stay hidden"),
                    instead: Some("clear the filter in Excel first".to_owned()),
                });
            }
            xml.remove(&mut patch, &node)?;
        }
        (None, Some(true)) => {
            let markup =
                format!("<{}autoFilter ref=\"{}\"/>", xml.prefix(), filtered(&table, table.totals_rows));
            let start = root.content_span().start;
            xml.splice(&mut patch, start..start, markup)?;
        }
        _ => {}
    }
    let switches = [
        ("showFirstColumn", change.first_column),
        ("showLastColumn", change.last_column),
        ("showRowStripes", change.row_stripes),
        ("showColumnStripes", change.column_stripes),
    ];
    if change.style.is_none() && switches.iter().all(|(_, on)| on.is_none()) {
        return Ok(patch);
    }
    let node = root.child(ns::S, "tableStyleInfo");
    let style = match change.style.as_deref() {
        Some("none") => None,
        Some(style) => Some(style.to_owned()),
        None => node.and_then(|node| string(&node, "name")),
    };
    let mut attributes =
        style.map_or(String::new(), |style| format!(" name=\"{}\"", escape_attribute(&style)));
    for (attribute, on) in switches {
        let usual = attribute == "showRowStripes" && node.is_none();
        let on = on.unwrap_or_else(|| node.map_or(usual, |node| flag(&node, attribute, false)));
        attributes.push_str(&format!(" {attribute}=\"{}\"", u8::from(on)));
    }
    let markup = format!("<{}tableStyleInfo{attributes}/>", xml.prefix());
    match (node, root.child(ns::S, "extLst")) {
        (Some(node), _) => xml.splice(&mut patch, node.span(), markup)?,
        (None, Some(last)) => {
            let start = last.span().start;
            xml.splice(&mut patch, start..start, markup)?;
        }
        (None, None) => xml.append(&mut patch, &root, &markup)?,
    }
    Ok(patch)
}

/// Turns a table back into plain cells; refuses while formulas use its name.
pub(crate) fn delete(view: &View, name: &str) -> Result<Planned<Outcome>, Refusal> {
    let (sheet, table) = view.table(name)?;
    crate::read::protection::locked(view, sheet.name(), "", "deleting tables")?;
    let change = Change::RenameTable { from: table.name.clone(), to: format!("{}_", table.name) };
    let mut follow = Follow::new(view, change, None);
    follow.everything()?;
    // The formulas of its own columns go with it.
    if follow.patch.parts().any(|(part, _)| *part != table.part) {
        return Err(Refusal::Unsafe {
            why: format!("formulas, names, charts or pivots use the name `{}`", table.name),
            instead: Some("make them use plain ranges first".to_owned()),
        });
    }
    let id = number(&table.document.root(), "id").unwrap_or(0);
    let mark = format!("tableId=\"{id}\"");
    for part in view.content.names().filter(|part| part.as_str().contains("slicerCache")) {
        let blob = view.content.existing(part)?;
        if memchr::memmem::find(&blob.bytes(), mark.as_bytes()).is_some() {
            return Err(Refusal::Unsafe {
                why: format!("a slicer filters table `{}`", table.name),
                instead: Some("delete the slicer in Excel first".to_owned()),
            });
        }
    }
    let mut patch = Patch::new();
    let relationships = sheet.relationships()?;
    let own = relationships.iter().find(|found| found.part.as_ref() == Some(&table.part));
    let Some(own) = own.map(|found| found.id.clone()) else {
        return Err(Refusal::internal("a table that its sheet does not point at"));
    };
    attached::detach(view, &mut patch, &sheet.worksheet.part, &own)?;
    let xml = Xml::frame(sheet.worksheet);
    if let Some(list) = xml.root().child(ns::S, "tableParts") {
        let nodes: Vec<Node<'_>> = list.elements().collect();
        let node = nodes.iter().find(|node| node.value(ns::R, "id").is_some_and(|id| id == own));
        match (node, nodes.len()) {
            (Some(_), 1) => xml.remove(&mut patch, &list)?,
            (Some(node), count) => {
                xml.remove(&mut patch, node)?;
                xml.set_attribute(&mut patch, &list, "count", &(count - 1).to_string())?;
            }
            (None, _) => {}
        }
    }
    let summary = format!("Turn table {} of {} into plain cells", table.name, sheet.name());
    Ok(attached::planned(&sheet, patch, summary, vec![table.area]))
}

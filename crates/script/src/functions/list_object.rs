//! Tables (list objects) and what-if data tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sheet::{
    Area, CalculatedColumn, CellChange, CellRef, ColumnTotal, Edit, Input, Table, TableChange, Total,
};

use super::write::{Given, as_input, known_sheet};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, RangeArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<GetListObject>(),
        entry::<AddListObject>(),
        entry::<SetListObject>(),
        entry::<DeleteListObject>(),
        entry::<GetDataTable>(),
        entry::<AddDataTable>(),
        entry::<DeleteDataTable>(),
    ]
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListObject {
    name: String,
    sheet: String,
    /// With its header and its totals row.
    #[serde(rename = "ref")]
    place: String,
    /// The rows of data, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    show_header_row: bool,
    show_totals_row: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<String>,
    columns: Vec<ListColumn>,
}

/// A column; `totalsRowFunction` is `sum`, `average`, `count`, `countNums`, `max`, `min`, `stdDev`, `var`, `none` or a
/// formula that begins with `=`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListColumn {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    totals_row_label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    totals_row_function: Option<String>,
    /// The formula of every row, such as `=[@Price]*[@Count]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calculated_column_formula: Option<String>,
}

function! {
    /// A table by its name: where it is, its columns, their totals and formulas.
    "getListObject" GetListObject { name: String } -> ListObject => get_table
}

fn get_table(host: &mut Host, call: GetListObject) -> Result<ListObject, Fault> {
    let (sheet, table) = found(host, &call.name)?;
    host.read(Range { sheet, area: table.area });
    Ok(told(host, sheet, &table))
}

fn found(host: &Host, name: &str) -> Result<(usize, Table), Fault> {
    let tables = host.view().tables()?;
    let wanted = name.to_lowercase();
    let names: Vec<String> = tables.iter().map(|(_, table)| table.name.clone()).collect();
    tables.into_iter().find(|(_, table)| table.name.to_lowercase() == wanted).ok_or_else(|| {
        let listed = if names.is_empty() {
            "the workbook has none".to_owned()
        } else {
            format!("tables: {}", names.join(", "))
        };
        let near = edit::nearest(name, names.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Fault::new("NOT_FOUND", format!("there is no table `{name}`{near}; {listed}"))
    })
}

fn told(host: &Host, sheet: usize, table: &Table) -> ListObject {
    let columns = table.column_details().into_iter().map(|column| ListColumn {
        name: column.name,
        totals_row_label: column.totals_label,
        totals_row_function: match column.totals_formula {
            Some(formula) => Some(format!("={formula}")),
            None => column.totals_function,
        },
        calculated_column_formula: column.formula.map(|formula| format!("={formula}")),
    });
    ListObject {
        name: table.name.clone(),
        sheet: host.sheet_name(sheet),
        place: host.address(sheet, table.area),
        data: reference::body(table).map(|body| host.address(sheet, body)),
        show_header_row: table.header_rows > 0,
        show_totals_row: table.totals_rows > 0,
        style: table.style.clone(),
        columns: columns.collect(),
    }
}

/// `ref` has the header in its first row; with `rows` it may be the first cell alone. The totals row comes below it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListInput {
    name: Option<String>,
    #[serde(rename = "ref")]
    place: String,
    #[serde(default)]
    show_totals_row: bool,
    /// One for each column of `ref`; their names are written into the header.
    #[serde(default)]
    columns: Vec<ListColumn>,
    /// What the rows hold, row by row; texts that begin with `=` are formulas.
    #[serde(default)]
    rows: Vec<Vec<Option<Given>>>,
    /// `TableStyleMedium2` and so on; `none` for none.
    style: Option<String>,
}

function! {
    /// Make cells a table, with what its header, rows and totals hold where that is given; answers the table.
    "addListObject" AddListObject { sheet: String, table: ListInput } -> ListObject => add_table
}

fn add_table(host: &mut Host, call: AddListObject) -> Result<ListObject, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let position = sheet_position(host.view(), &sheet)?;
    let mut input = call.table;
    input.rows = spread(std::mem::take(&mut input.rows), &input.columns);
    let mut area = on_sheet(&sheet, &input.place)?;
    let width = input.rows.iter().map(Vec::len).chain([input.columns.len()]).max().unwrap_or(0) as u32;
    if area.is_cell() && width > 0 {
        let rows = (input.rows.len() as u32).max(1);
        area.right = area.left + width - 1;
        area.bottom = area.top + rows;
    }
    let columns = area.right - area.left + 1;
    if !input.columns.is_empty() && input.columns.len() as u32 != columns {
        return Err(Fault::invalid(format!(
            "{} columns are given, and {area} has {columns}",
            input.columns.len()
        )));
    }
    if let Some(row) = input.rows.iter().position(|row| row.len() as u32 != columns) {
        return Err(Fault::invalid(format!(
            "rows[{row}] has another number of values than {area} has columns"
        )));
    }
    let body = area.bottom - area.top;
    if !input.rows.is_empty() && input.rows.len() as u32 != body {
        return Err(Fault::invalid(format!(
            "{} rows are given, and {area} has {body} below its header",
            input.rows.len()
        )));
    }
    let mut edits = Vec::new();
    let header = input.columns.iter().zip(area.left..).map(|(column, col)| CellChange {
        at: CellRef::new(area.top, col),
        input: Input::Text(column.name.clone()),
    });
    let mut cells: Vec<CellChange> = header.collect();
    cells.extend(row_cells(&area, area.top + 1, &input.rows, &[])?);
    if !cells.is_empty() {
        edits.push(Edit::SetCells { sheet: sheet.clone(), cells, seen: None });
    }
    let before: Vec<String> = host.sheet(position)?.tables()?.into_iter().map(|table| table.name).collect();
    edits.push(Edit::AddTable {
        sheet: sheet.clone(),
        area,
        name: input.name.clone(),
        style: input.style.clone(),
    });
    host.write(edits)?;
    let made = host.sheet(position)?.tables()?.into_iter().find(|table| !before.contains(&table.name));
    let made = made.ok_or_else(|| Fault::new("NOT_FOUND", "the table was not made"))?;
    let change = TableChange {
        totals: input.show_totals_row.then_some(true),
        column_totals: totals(&input.columns)?,
        calculated: formulas(&input.columns),
        ..TableChange::default()
    };
    if change != TableChange::default() {
        host.write(vec![Edit::SetTable { table: made.name.clone(), change }])?;
    }
    get_table(host, GetListObject { name: made.name })
}

fn on_sheet(sheet: &str, place: &str) -> Result<Area, Fault> {
    match super::validation::areas(sheet, place)?.as_slice() {
        [area] => Ok(*area),
        _ => Err(Fault::new("RANGE_PARSE_ERROR", format!("`{place}` is no single range"))),
    }
}

/// Rows that leave out the columns that calculate themselves.
fn spread(rows: Vec<Vec<Option<Given>>>, columns: &[ListColumn]) -> Vec<Vec<Option<Given>>> {
    let entered = columns.iter().filter(|column| column.calculated_column_formula.is_none()).count();
    if entered == columns.len() || rows.iter().any(|row| row.len() != entered) {
        return rows;
    }
    let whole = |row: Vec<Option<Given>>| {
        let mut values = row.into_iter();
        let value = |column: &ListColumn| match column.calculated_column_formula {
            Some(_) => None,
            None => values.next().flatten(),
        };
        columns.iter().map(value).collect()
    };
    rows.into_iter().map(whole).collect()
}

/// What goes into the cells; a column that calculates itself has its formula where nothing else is given.
fn row_cells(
    area: &Area,
    top: u32,
    rows: &[Vec<Option<Given>>],
    known: &[ListColumn],
) -> Result<Vec<CellChange>, Fault> {
    let mut cells = Vec::new();
    for (values, row) in rows.iter().zip(top..) {
        for (value, col) in values.iter().zip(area.left..) {
            let at = CellRef::new(row, col);
            let Some(value) = value else {
                let column = known.get((col - area.left) as usize);
                let own = column.and_then(|column| column.calculated_column_formula.clone());
                cells.extend(own.map(|formula| CellChange { at, input: Input::Formula(formula) }));
                continue;
            };
            let input = match value.formula() {
                Some(formula) => Input::Formula(formula.to_owned()),
                None => as_input(value)?,
            };
            cells.push(CellChange { at, input });
        }
    }
    Ok(cells)
}

fn totals(columns: &[ListColumn]) -> Result<Vec<ColumnTotal>, Fault> {
    let mut totals = Vec::new();
    for column in columns {
        let total = match (&column.totals_row_function, &column.totals_row_label) {
            (None, None) => continue,
            (Some(_), Some(_)) => {
                return Err(Fault::invalid(format!(
                    "column `{}` has either a totalsRowLabel or a totalsRowFunction",
                    column.name
                )));
            }
            (None, Some(label)) => Total::Label(label.clone()),
            (Some(function), None) => match function.as_str() {
                "sum" => Total::Sum,
                "average" => Total::Average,
                "count" => Total::Count,
                "countNums" => Total::CountNumbers,
                "max" => Total::Max,
                "min" => Total::Min,
                "stdDev" => Total::StdDev,
                "var" => Total::Var,
                "none" => Total::None,
                formula if formula.starts_with('=') => Total::Formula(formula.to_owned()),
                other => {
                    return Err(Fault::invalid(format!(
                        "`{other}` is no totalsRowFunction; use sum, average, count, countNums, max, min, stdDev, var, none or a formula that begins with `=`"
                    )));
                }
            },
        };
        totals.push(ColumnTotal { column: column.name.clone(), total });
    }
    Ok(totals)
}

fn formulas(columns: &[ListColumn]) -> Vec<CalculatedColumn> {
    let with = columns.iter().filter_map(|column| {
        let formula = column.calculated_column_formula.clone()?;
        Some(CalculatedColumn { column: column.name.clone(), formula })
    });
    with.collect()
}

/// What is left out stays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListChange {
    /// The table that is meant.
    name: String,
    new_name: Option<String>,
    /// Its new size, with the header in the row where it is.
    #[serde(rename = "ref")]
    place: Option<String>,
    show_totals_row: Option<bool>,
    /// Columns by their names, as far as something of them changes.
    #[serde(default)]
    columns: Vec<ListColumn>,
    /// Rows to put below the last one; the table grows over them.
    #[serde(default)]
    rows: Vec<Vec<Option<Given>>>,
    style: Option<String>,
}

function! {
    /// Rename, resize or restyle a table, add rows, or set totals and formulas of its columns; answers the table.
    "setListObject" SetListObject { sheet: String, table: ListChange } -> ListObject => set_table
}

fn set_table(host: &mut Host, call: SetListObject) -> Result<ListObject, Fault> {
    let mut input = call.table;
    let sheet = known_sheet(host, &call.sheet)?;
    let (position, table) = found(host, &input.name)?;
    if host.sheet_name(position) != sheet {
        let own = host.sheet_name(position);
        return Err(Fault::invalid(format!("table `{}` is on `{own}`, not on `{sheet}`", table.name)));
    }
    let mut edits = Vec::new();
    let known = told(host, position, &table).columns;
    input.rows = spread(std::mem::take(&mut input.rows), &known);
    if !input.rows.is_empty() {
        let columns = table.area.right - table.area.left + 1;
        if let Some(row) = input.rows.iter().position(|row| row.len() as u32 != columns) {
            return Err(Fault::invalid(format!(
                "rows[{row}] has another number of values than the table has columns"
            )));
        }
        if input.place.is_some() {
            return Err(Fault::invalid("`rows` let the table grow, so `ref` cannot be given beside them"));
        }
        let count = input.rows.len() as u32;
        let below = table.area.bottom + 1 - table.totals_rows;
        if table.totals_rows > 0 {
            edits.push(Edit::InsertRows { sheet: sheet.clone(), at: below, count });
        } else {
            let area = Area { bottom: table.area.bottom + count, ..table.area };
            let room = host.sheet(position)?.cells(Area { top: below, ..area })?;
            if let Some(cell) = room.iter().find(|cell| cell.formula.is_some() || !cell.value.is_blank()) {
                return Err(Fault::new(
                    "UNSAFE_EDIT",
                    format!(
                        "the new rows would overwrite {}; insert rows first",
                        host.address(position, cell.at)
                    ),
                ));
            }
            let change = TableChange { area: Some(area), ..TableChange::default() };
            edits.push(Edit::SetTable { table: table.name.clone(), change });
        }
        let cells = row_cells(&table.area, below, &input.rows, &known)?;
        edits.push(Edit::SetCells { sheet: sheet.clone(), cells, seen: None });
    }
    let change = TableChange {
        name: input.new_name.clone(),
        area: input.place.as_deref().map(|place| on_sheet(&sheet, place)).transpose()?,
        style: input.style.clone(),
        totals: input.show_totals_row,
        column_totals: totals(&input.columns)?,
        calculated: formulas(&input.columns),
        ..TableChange::default()
    };
    if change != TableChange::default() {
        edits.push(Edit::SetTable { table: table.name.clone(), change });
    }
    if edits.is_empty() {
        return Err(Fault::invalid(
            "nothing is said of the table; give `newName`, `ref`, `showTotalsRow`, `columns`, `rows` or `style`",
        ));
    }
    host.write(edits)?;
    get_table(host, GetListObject { name: input.new_name.unwrap_or(table.name) })
}

function! {
    /// Turn a table into plain cells; what they hold stays.
    "deleteListObject" DeleteListObject { sheet: String, name: String } -> () => delete_table
}

fn delete_table(host: &mut Host, call: DeleteListObject) -> Result<(), Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let (position, table) = found(host, &call.name)?;
    if host.sheet_name(position) != sheet {
        let own = host.sheet_name(position);
        return Err(Fault::invalid(format!("table `{}` is on `{own}`, not on `{sheet}`", table.name)));
    }
    host.write(vec![Edit::DeleteTable { table: table.name }])?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DataTableKind {
    /// Values down the left column, formulas along the top.
    OneVariableColumn,
    /// Values along the top, formulas down the left column.
    OneVariableRow,
    /// Values down and along, one formula in the corner.
    TwoVariable,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataTableInfo {
    sheet: String,
    #[serde(rename = "type")]
    kind: DataTableKind,
    /// With the values and formulas along its edges.
    #[serde(rename = "ref")]
    place: String,
    /// The cells that are calculated.
    results: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    column_input_cell: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_input_cell: Option<String>,
    /// The values along the edge; of a table of two variables two lists, down and along.
    input_values: Vec<Value>,
    formulas: Vec<String>,
}

function! {
    /// The what-if data table that a range touches.
    "getDataTable" GetDataTable { range: RangeArg } -> DataTableInfo => get_data_table
}

fn get_data_table(host: &mut Host, call: GetDataTable) -> Result<DataTableInfo, Fault> {
    let Range { sheet, area } = reference::range(host, &call.range)?;
    data_table(host, sheet, &area)
}

fn data_table(host: &Host, sheet: usize, area: &Area) -> Result<DataTableInfo, Fault> {
    let view = host.sheet(sheet)?;
    let found = view.data_table_inputs()?.into_iter().find(|table| {
        let whole = Area {
            top: table.area.top.saturating_sub(1),
            left: table.area.left.saturating_sub(1),
            ..table.area
        };
        super::validation::overlap(&whole, area)
    });
    let found = found.ok_or_else(|| {
        Fault::new("NOT_FOUND", format!("{} touches no data table", host.address(sheet, *area)))
    })?;
    let whole =
        Area { top: found.area.top.saturating_sub(1), left: found.area.left.saturating_sub(1), ..found.area };
    let kind = match (found.row_input, found.column_input) {
        (Some(_), Some(_)) => DataTableKind::TwoVariable,
        (Some(_), None) => DataTableKind::OneVariableRow,
        _ => DataTableKind::OneVariableColumn,
    };
    let [down, along] = edges(&whole);
    let value = |at: &CellRef| Ok(super::cell_value::plain(&view.value(*at)?));
    let values = |places: &[CellRef]| places.iter().map(value).collect::<Result<Vec<Value>, Fault>>();
    let (input_values, formulas) = match kind {
        DataTableKind::OneVariableColumn => (values(&down)?, along),
        DataTableKind::OneVariableRow => (values(&along)?, down),
        DataTableKind::TwoVariable => {
            (vec![Value::Array(values(&down)?), Value::Array(values(&along)?)], vec![whole.first()])
        }
    };
    let formula = |at: &CellRef| {
        let cell = view.cell(*at)?;
        let formula = cell.and_then(|cell| cell.formula);
        Ok(formula.map_or(String::new(), |formula| format!("={}", formula.shown())))
    };
    Ok(DataTableInfo {
        sheet: host.sheet_name(sheet),
        kind,
        input_values,
        formulas: formulas.iter().map(formula).collect::<Result<_, Fault>>()?,
        place: host.address(sheet, whole),
        results: host.address(sheet, found.area),
        column_input_cell: found.column_input.map(|at| host.address(sheet, at)),
        row_input_cell: found.row_input.map(|at| host.address(sheet, at)),
    })
}

/// `ref` is the whole table, with the values and formulas along its edges. Those are written where they are given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DataTableInput {
    #[serde(rename = "type")]
    kind: DataTableKind,
    #[serde(rename = "ref")]
    place: String,
    /// Where the values of the left column go.
    column_input_cell: Option<String>,
    /// Where the values of the top row go.
    row_input_cell: Option<String>,
    #[serde(default)]
    input_values: Vec<InputValues>,
    /// One for each row or column of results; a table of two variables has one.
    #[serde(default)]
    formulas: Vec<String>,
}

/// A value; a table of two variables takes two lists, down and along.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum InputValues {
    One(f64),
    List(Vec<f64>),
}

function! {
    /// Make a what-if table: what formulas would answer for each of the values in the input cell.
    "addDataTable" AddDataTable { sheet: String, table: DataTableInput } -> DataTableInfo => add_data_table
}

fn add_data_table(host: &mut Host, call: AddDataTable) -> Result<DataTableInfo, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let position = sheet_position(host.view(), &sheet)?;
    let input = call.table;
    let whole = on_sheet(&sheet, &input.place)?;
    if whole.top == whole.bottom || whole.left == whole.right {
        return Err(Fault::invalid(format!(
            "{whole} has no room for values along its edges and results inside"
        )));
    }
    let results = Area { top: whole.top + 1, left: whole.left + 1, ..whole };
    let cell = |text: &Option<String>| -> Result<Option<CellRef>, Fault> {
        let area = text.as_deref().map(|text| on_sheet(&sheet, text)).transpose()?;
        match area.filter(|area| !area.is_cell()) {
            Some(area) => {
                Err(Fault::invalid(format!("{area} is no input cell; name one cell of the sheet `{sheet}`")))
            }
            None => Ok(area.map(|area| area.first())),
        }
    };
    let (column_input, row_input) = (cell(&input.column_input_cell)?, cell(&input.row_input_cell)?);
    let wanted = match input.kind {
        DataTableKind::OneVariableColumn => (true, false),
        DataTableKind::OneVariableRow => (false, true),
        DataTableKind::TwoVariable => (true, true),
    };
    if (column_input.is_some(), row_input.is_some()) != wanted {
        return Err(Fault::invalid(match input.kind {
            DataTableKind::OneVariableColumn => "a oneVariableColumn table takes `columnInputCell` alone",
            DataTableKind::OneVariableRow => "a oneVariableRow table takes `rowInputCell` alone",
            DataTableKind::TwoVariable => "a twoVariable table takes `columnInputCell` and `rowInputCell`",
        }));
    }
    let cells = edge_cells(&input, &whole)?;
    let mut edits = Vec::new();
    if !cells.is_empty() {
        edits.push(Edit::SetCells { sheet: sheet.clone(), cells, seen: None });
    }
    edits.push(Edit::SetDataTable { sheet, area: results, row_input, column_input });
    host.write(edits)?;
    data_table(host, position, &results)
}

/// What stands along the edges of a table.
/// The cells of the left column and of the top row, without the corner.
fn edges(whole: &Area) -> [Vec<CellRef>; 2] {
    let down = (whole.top + 1..=whole.bottom).map(|row| CellRef::new(row, whole.left)).collect();
    let along = (whole.left + 1..=whole.right).map(|col| CellRef::new(whole.top, col)).collect();
    [down, along]
}

fn edge_cells(input: &DataTableInput, whole: &Area) -> Result<Vec<CellChange>, Fault> {
    let [down, along] = edges(whole);
    let mut cells = Vec::new();
    let mut values = |places: &[CellRef], values: &[f64]| {
        if values.len() != places.len() {
            return Err(Fault::invalid(format!(
                "{} values are given, and there is room for {}",
                values.len(),
                places.len()
            )));
        }
        cells.extend(
            places.iter().zip(values).map(|(at, value)| CellChange { at: *at, input: Input::Number(*value) }),
        );
        Ok(())
    };
    let single: Option<Vec<f64>> = input
        .input_values
        .iter()
        .map(|value| match value {
            InputValues::One(number) => Some(*number),
            InputValues::List(_) => None,
        })
        .collect();
    let formulas: Vec<CellRef> = match input.kind {
        DataTableKind::OneVariableColumn => along.clone(),
        DataTableKind::OneVariableRow => down.clone(),
        DataTableKind::TwoVariable => vec![whole.first()],
    };
    match (input.kind, single, input.input_values.as_slice()) {
        (_, _, []) => {}
        (DataTableKind::OneVariableColumn, Some(given), _) => values(&down, &given)?,
        (DataTableKind::OneVariableRow, Some(given), _) => values(&along, &given)?,
        (DataTableKind::TwoVariable, None, [InputValues::List(first), InputValues::List(second)]) => {
            values(&down, first)?;
            values(&along, second)?;
        }
        _ => {
            return Err(Fault::invalid(
                "`inputValues` is a list of numbers, or two lists for a twoVariable table: [[down], [along]]",
            ));
        }
    }
    if !input.formulas.is_empty() {
        if input.formulas.len() != formulas.len() {
            return Err(Fault::invalid(format!(
                "{} formulas are given, and there is room for {}",
                input.formulas.len(),
                formulas.len()
            )));
        }
        let given = formulas.iter().zip(&input.formulas);
        cells.extend(given.map(|(at, text)| CellChange { at: *at, input: Input::Formula(text.clone()) }));
    }
    Ok(cells)
}

function! {
    /// Clear the results of a what-if table that a range touches; its values and formulas stay.
    "deleteDataTable" DeleteDataTable { sheet: String, range: String } -> () => delete_data_table
}

fn delete_data_table(host: &mut Host, call: DeleteDataTable) -> Result<(), Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let area = on_sheet(&host.sheet_name(sheet), &call.range)?;
    let known = data_table(host, sheet, &area)?;
    let results = reference::exact_range(host, &RangeArg::Text(known.results))?;
    let cells = results.area.cells().map(|at| CellChange { at, input: Input::Clear }).collect();
    host.write(vec![Edit::SetCells { sheet: host.sheet_name(sheet), cells, seen: None }])?;
    Ok(())
}

//! Properties of the workbook, its sheets, rows and columns, read and set.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::Palette;
use sheet::{Area, CellRef, Edit, LineChange, SheetChange, TabColor, WorkbookChange};

use super::cell_value::letters;
use super::style;
use super::write::{given, known_sheet};
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::{Column, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<GetWorkbookProperties>(),
        entry::<SetWorkbookProperties>(),
        entry::<GetSheetProperties>(),
        entry::<SetSheetProperties>(),
        entry::<SetRowProperties>(),
        entry::<SetColumnProperties>(),
    ]
}

/// The most rows that are looked at for properties of their own.
const MOST_ROWS: u32 = 100_000;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkbookProperties {
    /// Counted from zero.
    active_sheet_index: usize,
    default_font: FontInfo,
    iterative_calculation: Iterative,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
    theme_colors: ThemeColors,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FontInfo {
    name: String,
    size: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Iterative {
    enabled: bool,
    max_iterations: u32,
    max_change: f64,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    company: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ThemeColors {
    dark1: String,
    light1: String,
    dark2: String,
    light2: String,
    accent1: String,
    accent2: String,
    accent3: String,
    accent4: String,
    accent5: String,
    accent6: String,
    hyperlink: String,
    followed_hyperlink: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    major_font: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minor_font: Option<String>,
}

impl ThemeColors {
    fn of(palette: &Palette) -> Self {
        let color = |name: &str| palette.scheme(name).unwrap_or_default().to_string();
        Self {
            dark1: color("dk1"),
            light1: color("lt1"),
            dark2: color("dk2"),
            light2: color("lt2"),
            accent1: color("accent1"),
            accent2: color("accent2"),
            accent3: color("accent3"),
            accent4: color("accent4"),
            accent5: color("accent5"),
            accent6: color("accent6"),
            hyperlink: color("hlink"),
            followed_hyperlink: color("folHlink"),
            major_font: palette.major_font.clone(),
            minor_font: palette.minor_font.clone(),
        }
    }
}

function! {
    /// The active sheet, the default font, iterative calculation, the theme, and what the workbook says of itself.
    "getWorkbookProperties" GetWorkbookProperties {} -> WorkbookProperties => workbook_properties
}

fn workbook_properties(host: &mut Host, _: GetWorkbookProperties) -> Result<WorkbookProperties, Fault> {
    let view = host.view();
    let book = view.workbook();
    let font = view.look(0)?.font;
    let known = view.properties()?;
    let metadata = Metadata {
        author: known.author,
        title: known.title,
        subject: known.subject,
        company: known.company,
        created: known.created,
        modified: known.modified,
    };
    Ok(WorkbookProperties {
        active_sheet_index: book.active,
        default_font: FontInfo { name: font.name, size: font.size },
        iterative_calculation: Iterative {
            enabled: book.calculation.iterate,
            max_iterations: book.calculation.iterations,
            max_change: book.calculation.delta,
        },
        metadata: (metadata != Metadata::default()).then_some(metadata),
        theme_colors: ThemeColors::of(&view.palette()?),
    })
}

/// What is left out stays. The font, the theme and the dates of the file are only read.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct WorkbookInput {
    active_sheet_index: Option<usize>,
    iterative_calculation: Option<IterativeInput>,
    metadata: Option<MetadataInput>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct IterativeInput {
    enabled: Option<bool>,
    #[schemars(range(min = 1, max = 32_767))]
    max_iterations: Option<u32>,
    max_change: Option<f64>,
}

/// An empty text takes a property away.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MetadataInput {
    author: Option<String>,
    title: Option<String>,
    subject: Option<String>,
}

function! {
    /// Set the active sheet, iterative calculation, author, title or subject; answers all properties.
    "setWorkbookProperties" SetWorkbookProperties { properties: WorkbookInput } -> WorkbookProperties => set_workbook
}

fn set_workbook(host: &mut Host, call: SetWorkbookProperties) -> Result<WorkbookProperties, Fault> {
    let iterative = call.properties.iterative_calculation.unwrap_or_default();
    let metadata = call.properties.metadata.unwrap_or_default();
    let properties = WorkbookChange {
        active: call.properties.active_sheet_index,
        iterate: iterative.enabled,
        iterations: iterative.max_iterations,
        delta: iterative.max_change,
        author: metadata.author,
        title: metadata.title,
        subject: metadata.subject,
        ..WorkbookChange::default()
    };
    if properties == WorkbookChange::default() {
        return Err(Fault::invalid(
            "nothing is said of the workbook; give `activeSheetIndex`, `iterativeCalculation` or `metadata`",
        ));
    }
    host.write(vec![Edit::SetWorkbook { properties }])?;
    workbook_properties(host, GetWorkbookProperties {})
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SheetProperties {
    visibility: SheetVisibility,
    view: SheetLook,
    outline: Outline,
    format: SheetFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    tab_color: Option<String>,
    /// By their letters: those that have a width, are hidden or grouped.
    columns: BTreeMap<String, LineInfo>,
    /// By their number.
    rows: BTreeMap<u32, LineInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    merges: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SheetVisibility {
    Visible,
    Hidden,
    VeryHidden,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SheetLook {
    show_grid_lines: bool,
    zoom_scale: u32,
    frozen_rows: u32,
    frozen_columns: u32,
}

/// On which side of grouped lines their totals stand, and whether the marks of groups are shown.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outline {
    summary_rows_below: bool,
    summary_columns_right: bool,
    show_symbols: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SheetFormat {
    /// In points.
    #[serde(skip_serializing_if = "Option::is_none")]
    default_row_height: Option<f64>,
    /// In characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    default_col_width: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    col: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outline_level: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    collapsed: bool,
}

/// Which columns and rows to tell of; those that have properties of their own if nothing is said.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lines {
    columns: Option<Vec<Column>>,
    rows: Option<Vec<u32>>,
}

function! {
    /// How a sheet is shown: visibility, gridlines, zoom, outline, widths, heights and merged cells.
    "getSheetProperties" GetSheetProperties { sheet: String, options: Option<Lines> } -> SheetProperties => sheet_properties
}

fn sheet_properties(host: &mut Host, call: GetSheetProperties) -> Result<SheetProperties, Fault> {
    let position = sheet_position(host.view(), &call.sheet)?;
    let view = host.sheet(position)?;
    let wanted = call.options.unwrap_or_default();
    let (rows, frozen) = (row_lines(host, position, wanted.rows)?, view.frozen());
    let (summary_rows_below, summary_columns_right) = view.summaries();
    let tab_color = view.tab_color().map(|color| host.view().palette().map(|palette| palette.color(&color)));
    Ok(SheetProperties {
        visibility: match view.tab.visibility {
            sheet::Visibility::Visible => SheetVisibility::Visible,
            sheet::Visibility::Hidden => SheetVisibility::Hidden,
            sheet::Visibility::VeryHidden => SheetVisibility::VeryHidden,
        },
        view: SheetLook {
            show_grid_lines: view.gridlines(),
            zoom_scale: view.zoom(),
            frozen_rows: frozen.map_or(0, |frozen| frozen.rows),
            frozen_columns: frozen.map_or(0, |frozen| frozen.columns),
        },
        outline: Outline { summary_rows_below, summary_columns_right, show_symbols: view.outline_symbols() },
        format: SheetFormat {
            default_row_height: view.shape().row_height,
            default_col_width: Some(view.usual_column_width()?),
        },
        tab_color: tab_color.transpose()?.flatten().map(|color| color.to_string()),
        columns: column_lines(host, position, wanted.columns.as_deref())?,
        rows,
        merges: view.merges().iter().map(Area::to_string).collect(),
    })
}

fn column_lines(
    host: &Host,
    sheet: usize,
    wanted: Option<&[Column]>,
) -> Result<BTreeMap<String, LineInfo>, Fault> {
    let view = host.sheet(sheet)?;
    let known = view.columns();
    let usual = view.usual_column_width()?;
    let line = |col: u32| {
        let column = known.iter().find(|columns| (columns.first..=columns.last).contains(&col));
        LineInfo {
            col: Some(col + 1),
            row: None,
            width: column.and_then(|column| column.width).or(wanted.map(|_| usual)),
            height: None,
            hidden: column.is_some_and(|column| column.hidden),
            outline_level: column.map(|column| column.outline).filter(|level| *level > 0),
            collapsed: column.is_some_and(|column| column.collapsed),
        }
    };
    let columns: Vec<u32> = match wanted {
        Some(columns) => columns.iter().map(Column::index).collect::<Result<_, _>>()?,
        None => {
            let last = view.extent()?.map_or(0, |area| area.right);
            known
                .iter()
                .flat_map(|columns| columns.first..=columns.last.min(last.max(columns.first)))
                .collect()
        }
    };
    Ok(columns.into_iter().map(|col| (letters(col), line(col))).collect())
}

fn row_lines(host: &Host, sheet: usize, wanted: Option<Vec<u32>>) -> Result<BTreeMap<u32, LineInfo>, Fault> {
    let view = host.sheet(sheet)?;
    let extent = view.extent()?.unwrap_or(Area::cell(CellRef::new(0, 0)));
    let asked = wanted.is_some();
    let rows: Vec<u32> = match wanted {
        Some(rows) => rows.into_iter().filter_map(|row| row.checked_sub(1)).collect(),
        None => (extent.top..=extent.bottom.min(extent.top + MOST_ROWS)).collect(),
    };
    let mut told = BTreeMap::new();
    for row in rows {
        let properties = view.row_properties(row)?;
        // What is asked for by name is told, whether or not it is special.
        if asked
            || properties.height.is_some()
            || properties.hidden
            || properties.outline > 0
            || properties.collapsed
        {
            let line = LineInfo {
                col: None,
                row: Some(row + 1),
                width: None,
                height: properties.height.or(asked.then(|| view.shape().row_height).flatten()),
                hidden: properties.hidden,
                outline_level: Some(properties.outline).filter(|level| *level > 0),
                collapsed: properties.collapsed,
            };
            told.insert(row + 1, line);
        }
    }
    Ok(told)
}

/// What is left out stays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SheetInput {
    visibility: Option<SheetVisibility>,
    view: Option<SheetLookInput>,
    outline: Option<OutlineInput>,
    format: Option<SheetFormatInput>,
    /// `#RRGGBB`; `null` takes it away.
    #[serde(default, deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    tab_color: Option<Option<String>>,
    /// By their letters.
    #[serde(default)]
    columns: BTreeMap<String, ColumnInput>,
    /// By their number.
    #[serde(default)]
    rows: BTreeMap<String, RowInput>,
    /// All merged cells that the sheet has from now on, such as `["A1:C1"]`; those that it had otherwise are taken apart.
    merges: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SheetLookInput {
    show_grid_lines: Option<bool>,
    #[schemars(range(min = 10, max = 400))]
    zoom_scale: Option<u32>,
    /// Rows at the top that stay in sight.
    frozen_rows: Option<u32>,
    frozen_columns: Option<u32>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct OutlineInput {
    summary_rows_below: Option<bool>,
    summary_columns_right: Option<bool>,
    show_symbols: Option<bool>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SheetFormatInput {
    default_row_height: Option<f64>,
    default_col_width: Option<f64>,
}

/// `height` in points, up to 409.5.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RowInput {
    height: Option<f64>,
    hidden: Option<bool>,
    #[schemars(range(min = 0, max = 7))]
    outline_level: Option<u32>,
    /// The group that ends above (or below) this row is closed.
    collapsed: Option<bool>,
}

/// `width` in characters of the default font, up to 255.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ColumnInput {
    width: Option<f64>,
    hidden: Option<bool>,
    #[schemars(range(min = 0, max = 7))]
    outline_level: Option<u32>,
    collapsed: Option<bool>,
}

impl RowInput {
    fn change(&self) -> Result<LineChange, Fault> {
        something(LineChange {
            size: self.height,
            hidden: self.hidden,
            outline: self.outline_level,
            collapsed: self.collapsed,
        })
    }
}

impl ColumnInput {
    fn change(&self) -> Result<LineChange, Fault> {
        something(LineChange {
            size: self.width,
            hidden: self.hidden,
            outline: self.outline_level,
            collapsed: self.collapsed,
        })
    }
}

fn something(change: LineChange) -> Result<LineChange, Fault> {
    match change == LineChange::default() {
        true => Err(Fault::invalid(
            "nothing is said of the lines; give `height` or `width`, `hidden`, `outlineLevel` or `collapsed`",
        )),
        false => Ok(change),
    }
}

function! {
    /// Set how a sheet is shown: visibility, view, outline, default sizes, lines and merged cells; answers all properties.
    "setSheetProperties" SetSheetProperties { sheet: String, properties: SheetInput } -> SheetProperties => set_sheet
}

fn set_sheet(host: &mut Host, call: SetSheetProperties) -> Result<SheetProperties, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let input = call.properties;
    let look = input.view.unwrap_or_default();
    let outline = input.outline.unwrap_or_default();
    let format = input.format.unwrap_or_default();
    let mut edits = Vec::new();
    if let Some(visibility) = input.visibility {
        let visibility = match visibility {
            SheetVisibility::Visible => sheet::Visibility::Visible,
            SheetVisibility::Hidden => sheet::Visibility::Hidden,
            SheetVisibility::VeryHidden => sheet::Visibility::VeryHidden,
        };
        edits.push(Edit::ShowSheet { sheet: sheet.clone(), visibility });
    }
    let properties = SheetChange {
        tab_color: match &input.tab_color {
            None => None,
            Some(None) => Some(TabColor::None),
            Some(Some(text)) => Some(TabColor::Color(style::color(text)?)),
        },
        zoom: look.zoom_scale,
        gridlines: look.show_grid_lines,
        column_width: format.default_col_width,
        row_height: format.default_row_height,
        summary_below: outline.summary_rows_below,
        summary_right: outline.summary_columns_right,
        outline_symbols: outline.show_symbols,
        ..SheetChange::default()
    };
    if properties != SheetChange::default() {
        edits.push(Edit::SetSheet { sheet: sheet.clone(), properties });
    }
    if look.frozen_rows.is_some() || look.frozen_columns.is_some() {
        let known = host.sheet(sheet_position(host.view(), &sheet)?)?.frozen();
        edits.push(Edit::Freeze {
            sheet: sheet.clone(),
            rows: look.frozen_rows.or(known.map(|known| known.rows)).unwrap_or(0),
            columns: look.frozen_columns.or(known.map(|known| known.columns)).unwrap_or(0),
        });
    }
    for (column, line) in &input.columns {
        let column = Column::Letters(column.clone()).index()?;
        let properties = line.change()?;
        edits.push(Edit::SetColumns { sheet: sheet.clone(), first: column, last: column, properties });
    }
    for (row, line) in &input.rows {
        let row = row.parse::<u32>().ok().and_then(|row| row.checked_sub(1));
        let row = row.ok_or_else(|| Fault::invalid("`rows` are named by their numbers from 1"))?;
        edits.push(Edit::SetRows { sheet: sheet.clone(), first: row, last: row, properties: line.change()? });
    }
    if let Some(merges) = &input.merges {
        edits.extend(merge_edits(host, &sheet, merges)?);
    } else if edits.is_empty() {
        return Err(Fault::invalid(
            "nothing is said of the sheet; give `visibility`, `view`, `outline`, `format`, `tabColor`, `columns`, `rows` or `merges`",
        ));
    }
    if !edits.is_empty() {
        host.write(edits)?;
    }
    sheet_properties(host, GetSheetProperties { sheet, options: None })
}

/// From the merged cells that are there to those that are asked for.
fn merge_edits(host: &Host, sheet: &str, wanted: &[String]) -> Result<Vec<Edit>, Fault> {
    let known = host.sheet(sheet_position(host.view(), sheet)?)?.merges();
    let mut areas = Vec::new();
    for text in wanted {
        let cells = crate::reference::split(text).map_or_else(|| text.clone(), |(_, cells)| cells);
        let area = cells.to_ascii_uppercase().replace('$', "").parse::<Area>();
        areas.push(area.map_err(|refusal| Fault::new("RANGE_PARSE_ERROR", format!("merges: {refusal}")))?);
    }
    let going = known.iter().filter(|area| !areas.contains(area));
    let coming = areas.iter().filter(|area| !known.contains(area));
    let apart = going.map(|area| Edit::Unmerge { sheet: sheet.to_owned(), area: *area });
    let together = coming.map(|area| Edit::Merge { sheet: sheet.to_owned(), area: *area });
    Ok(apart.chain(together).collect())
}

function! {
    /// Set height, visibility and outline of rows `from` to `to`; answers those rows.
    "setRowProperties" SetRowProperties {
        sheet: String,
        #[schemars(range(min = 1, max = 1_048_576))] from: u32,
        #[schemars(range(min = 1, max = 1_048_576))] to: u32,
        properties: RowInput,
    } -> BTreeMap<u32, LineInfo> => set_rows
}

fn set_rows(host: &mut Host, call: SetRowProperties) -> Result<BTreeMap<u32, LineInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let (first, last) = (call.from.saturating_sub(1), call.to.saturating_sub(1));
    let edit = Edit::SetRows { sheet: sheet.clone(), first, last, properties: call.properties.change()? };
    host.write(vec![edit])?;
    let rows = (call.from..=call.to).take(1_000).collect();
    row_lines(host, sheet_position(host.view(), &sheet)?, Some(rows))
}

function! {
    /// Set width, visibility and outline of columns `from` to `to`; answers those columns.
    "setColumnProperties" SetColumnProperties { sheet: String, from: Column, to: Column, properties: ColumnInput }
        -> BTreeMap<String, LineInfo> => set_columns
}

fn set_columns(host: &mut Host, call: SetColumnProperties) -> Result<BTreeMap<String, LineInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let (first, last) = (call.from.index()?, call.to.index()?);
    let edit = Edit::SetColumns { sheet: sheet.clone(), first, last, properties: call.properties.change()? };
    host.write(vec![edit])?;
    let columns: Vec<Column> = (first..=last).take(1_000).map(|col| Column::Number(col + 1)).collect();
    column_lines(host, sheet_position(host.view(), &sheet)?, Some(&columns))
}

//! How a sheet presents itself: the colour of its tab, zoom, gridlines, its filter.

use edit::{Context, Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_attribute, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::{LineChange, Outcome};
use crate::edits::looks::style_edit::color_markup;
use crate::edits::objects::attached::{self, Stage};
use crate::file::a1::Area;
use crate::file::styles::Color;
use crate::file::workbook::{flag, number};
use crate::file::xml_edit::{self, WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

/// A change of a sheet's own properties; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SheetChange {
    pub tab_color: Option<TabColor>,
    /// Per cent, 10 to 400.
    pub zoom: Option<u32>,
    pub gridlines: Option<bool>,
    /// Letters of columns and numbers of rows.
    pub headings: Option<bool>,
    pub right_to_left: Option<bool>,
    /// In characters.
    pub column_width: Option<f64>,
    /// In points.
    pub row_height: Option<f64>,
    /// Totals of grouped rows stand below them, as they usually do.
    pub summary_below: Option<bool>,
    /// Totals of grouped columns stand on their right.
    pub summary_right: Option<bool>,
    /// The marks of groups beside rows and columns.
    pub outline_symbols: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabColor {
    None,
    Color(Color),
}

/// Rows of a filter whose cell in `column` shows one of `values`; blank cells where `blanks`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilterColumn {
    /// Counted from zero, from the first column of the filter.
    pub column: u32,
    pub values: Vec<String>,
    pub blanks: bool,
}

/// Children of `sheetPr`.
const PROPERTIES_ORDER: &[&str] = &["tabColor", "outlinePr", "pageSetUpPr"];
/// Rows that one filter may hide.
const MOST_ROWS: u32 = 100_000;

impl SheetView<'_> {
    /// Per cent.
    pub fn zoom(&self) -> u32 {
        self.first_view().and_then(|view| number(&view, "zoomScale")).unwrap_or(100)
    }

    pub fn headings(&self) -> bool {
        self.first_view().is_none_or(|view| flag(&view, "showRowColHeaders", true))
    }

    pub fn right_to_left(&self) -> bool {
        self.first_view().is_some_and(|view| flag(&view, "rightToLeft", false))
    }

    pub fn outline_symbols(&self) -> bool {
        self.first_view().is_none_or(|view| flag(&view, "showOutlineSymbols", true))
    }

    /// Whether totals stand below grouped rows, and right of grouped columns.
    pub fn summaries(&self) -> (bool, bool) {
        let outline = self.root().child(ns::S, "sheetPr").and_then(|node| node.child(ns::S, "outlinePr"));
        let side = |name| outline.is_none_or(|node| flag(&node, name, true));
        (side("summaryBelow"), side("summaryRight"))
    }

    fn first_view(&self) -> Option<Node<'_>> {
        self.root().child(ns::S, "sheetViews")?.child(ns::S, "sheetView")
    }

    /// What the filter of the sheet lets through.
    pub fn filter_columns(&self) -> Vec<FilterColumn> {
        let Some(filter) = self.root().child(ns::S, "autoFilter") else { return Vec::new() };
        let columns = filter.elements().filter(|node| node.is(ns::S, "filterColumn"));
        columns
            .filter_map(|node| {
                let list = node.child(ns::S, "filters")?;
                let values = list.elements().filter(|node| node.is(ns::S, "filter"));
                Some(FilterColumn {
                    column: number(&node, "colId")?,
                    values: values.filter_map(|node| crate::file::workbook::string(&node, "val")).collect(),
                    blanks: flag(&list, "blank", false),
                })
            })
            .collect()
    }
}

pub(crate) fn set_sheet(view: &View, name: &str, change: &SheetChange) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    if let Some(found) = change.zoom.filter(|zoom| !(10..=400).contains(zoom)) {
        return Err(Refusal::invalid("zoom", found, "10 to 400 per cent"));
    }
    for (field, size, most) in
        [("column_width", change.column_width, 255.0), ("row_height", change.row_height, 409.5)]
    {
        if let Some(found) = size.filter(|size| !(0.0..=most).contains(size)) {
            return Err(Refusal::invalid(field, found, format!("0 to {most}")));
        }
    }
    let xml = Xml::frame(sheet.worksheet);
    let prefix = sheet.worksheet.spelling().prefix.clone();
    let mut patch = Patch::new();
    let mut properties = Vec::new();
    match &change.tab_color {
        Some(TabColor::None) => {
            let known = xml.root().child(ns::S, "sheetPr");
            if let Some(node) = known.and_then(|node| node.child(ns::S, "tabColor")) {
                xml.remove(&mut patch, &node)?;
            }
        }
        Some(TabColor::Color(color)) => {
            crate::edits::looks::style_values::check_color(color)?;
            properties.push(("tabColor", color_markup(color, "tabColor", &prefix)));
        }
        None => {}
    }
    let bit = |flag: bool| if flag { "1" } else { "0" }.to_owned();
    let mut attributes: Vec<(&str, String)> = Vec::new();
    attributes.extend(change.zoom.map(|zoom| ("zoomScale", zoom.to_string())));
    attributes.extend(change.zoom.map(|zoom| ("zoomScaleNormal", zoom.to_string())));
    attributes.extend(change.gridlines.map(|on| ("showGridLines", bit(on))));
    attributes.extend(change.headings.map(|on| ("showRowColHeaders", bit(on))));
    attributes.extend(change.right_to_left.map(|on| ("rightToLeft", bit(on))));
    attributes.extend(change.outline_symbols.map(|on| ("showOutlineSymbols", bit(on))));
    set_view(&xml, &mut patch, &attributes, &prefix)?;
    set_sizes(&xml, &mut patch, change)?;
    properties.extend(set_summaries(&xml, &mut patch, change, &prefix)?.map(|markup| ("outlinePr", markup)));
    match xml.root().child(ns::S, "sheetPr") {
        Some(_) => {
            for (name, markup) in &properties {
                put_property(&xml, &mut patch, name, markup, &prefix)?;
            }
        }
        None if properties.is_empty() => {}
        None => {
            let inside: String = properties.into_iter().map(|(_, markup)| markup).collect();
            let whole = format!("<{prefix}sheetPr>{inside}</{prefix}sheetPr>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "sheetPr", &whole)?;
        }
    }
    let summary = format!("Set how {} is shown", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, Vec::new()))
}

/// Puts an element into `sheetPr`, in place of one of its name.
pub(crate) fn put_property(
    xml: &Xml<'_>,
    patch: &mut Patch,
    name: &str,
    markup: &str,
    prefix: &str,
) -> Result<(), Refusal> {
    let Some(properties) = xml.root().child(ns::S, "sheetPr") else {
        let whole = format!("<{prefix}sheetPr>{markup}</{prefix}sheetPr>");
        return xml.insert(patch, WORKSHEET_ORDER, "sheetPr", &whole);
    };
    if let Some(known) = properties.child(ns::S, name) {
        return xml.splice(patch, known.span(), markup);
    }
    let rank = |name: &str| PROPERTIES_ORDER.iter().position(|known| *known == name);
    let later = properties.elements().find(|node| rank(node.name().local) > rank(name));
    match later {
        Some(later) => {
            let at = later.span().start;
            xml.splice(patch, at..at, markup)
        }
        None => xml.append(patch, &properties, markup),
    }
}

/// On which side of a group its totals stand: changed where it is said already, answered where it is new.
fn set_summaries(
    xml: &Xml<'_>,
    patch: &mut Patch,
    change: &SheetChange,
    prefix: &str,
) -> Result<Option<String>, Refusal> {
    let sides = [("summaryBelow", change.summary_below), ("summaryRight", change.summary_right)];
    let wanted: Vec<(&str, &str)> =
        sides.iter().filter_map(|(name, on)| Some((*name, if (*on)? { "1" } else { "0" }))).collect();
    let known = xml.root().child(ns::S, "sheetPr").and_then(|node| node.child(ns::S, "outlinePr"));
    match known {
        _ if wanted.is_empty() => Ok(None),
        Some(node) => xml.set_attributes(patch, &node, &wanted).map(|()| None),
        None => Ok(Some(format!("<{prefix}outlinePr{}/>", xml_edit::attributes(&wanted)))),
    }
}

fn set_view(
    xml: &Xml<'_>,
    patch: &mut Patch,
    attributes: &[(&str, String)],
    prefix: &str,
) -> Result<(), Refusal> {
    if attributes.is_empty() {
        return Ok(());
    }
    match xml.root().child(ns::S, "sheetViews").and_then(|views| views.child(ns::S, "sheetView")) {
        Some(node) => xml.set_attributes(patch, &node, attributes),
        None => {
            let attributes = xml_edit::attributes(attributes);
            let whole = format!(
                "<{prefix}sheetViews><{prefix}sheetView{attributes} workbookViewId=\"0\"/></{prefix}sheetViews>"
            );
            xml.insert(patch, WORKSHEET_ORDER, "sheetViews", &whole)
        }
    }
}

fn set_sizes(xml: &Xml<'_>, patch: &mut Patch, change: &SheetChange) -> Result<(), Refusal> {
    let mut attributes: Vec<(&str, String)> = Vec::new();
    attributes.extend(change.column_width.map(|width| ("defaultColWidth", width.to_string())));
    if let Some(height) = change.row_height {
        attributes.push(("defaultRowHeight", height.to_string()));
        attributes.push(("customHeight", "1".to_owned()));
    }
    let there = xml.root().child(ns::S, "sheetFormatPr").is_some();
    if !there && !attributes.is_empty() && change.row_height.is_none() {
        // The schema wants a height, and this is what Excel takes without one.
        attributes.push(("defaultRowHeight", "15".to_owned()));
    }
    xml.set_on_child(patch, WORKSHEET_ORDER, "sheetFormatPr", &attributes)
}

/// Sets the filter of a sheet, hides the rows it keeps back and shows the others; no area takes it off.
pub(crate) fn set_filter(
    view: &View,
    name: &str,
    area: Option<Area>,
    columns: &[FilterColumn],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    let old = sheet.auto_filter();
    if let Some(area) = area {
        if let Some(table) = sheet.tables()?.into_iter().find(|table| table.area.intersects(&area)) {
            return Err(Refusal::Unsafe {
                why: format!("{area} overlaps table `{}`, which has a filter of its own", table.name),
                instead: Some("filter cells outside the table".to_owned()),
            });
        }
        for column in columns {
            if column.column > area.right - area.left {
                return Err(Refusal::invalid(
                    "column",
                    column.column,
                    format!("0 to {} in {area}", area.right - area.left),
                ));
            }
        }
        if !columns.is_empty() && area.bottom - area.top > MOST_ROWS {
            return Err(Refusal::Limit {
                what: "the rows of a filter".into(),
                found: (area.bottom - area.top).to_string(),
                limit: MOST_ROWS.to_string(),
            });
        }
    }
    let xml = Xml::frame(sheet.worksheet);
    let prefix = sheet.worksheet.spelling().prefix.clone();
    let markup = area.map(|area| filter_markup(area, columns, &prefix));
    let mut patch = Patch::new();
    match (xml.root().child(ns::S, "autoFilter"), markup) {
        (Some(node), Some(markup)) => xml.splice(&mut patch, node.span(), markup)?,
        (Some(node), None) => xml.remove(&mut patch, &node)?,
        (None, Some(markup)) => xml.insert(&mut patch, WORKSHEET_ORDER, "autoFilter", &markup)?,
        (None, None) => return Err(Refusal::not_found("filter on", own)),
    }
    let filtered = xml.root().child(ns::S, "sheetPr").filter(|node| flag(node, "filterMode", false));
    match (xml.root().child(ns::S, "sheetPr"), columns.is_empty()) {
        (Some(node), false) => xml.set_attribute(&mut patch, &node, "filterMode", "1")?,
        (None, false) => {
            let whole = format!("<{prefix}sheetPr filterMode=\"1\"/>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "sheetPr", &whole)?;
        }
        (_, true) => {
            if let Some(node) = filtered {
                xml.remove_attribute(&mut patch, &node, "filterMode")?;
            }
        }
    }
    let mut stage = Stage::new(view);
    stage.then(&patch)?;
    // What an old filter hid is shown before the new one hides its rows.
    if let Some(old) = old.filter(|_| filtered.is_some()) {
        show_rows(&mut stage, &own, data_rows(&old), &|_, _| Ok(true))?;
    }
    if let Some(area) = area.filter(|_| !columns.is_empty()) {
        let read = view.readable([(sheet.position, area)], cx)?;
        let read = read.sheet_at(sheet.position)?;
        show_rows(&mut stage, &own, data_rows(&area), &|_, row| passes(&read, area, columns, row))?;
    }
    // Excel keeps the area under a hidden name too, which other programs go by.
    let sheet = stage.view().sheet(&own)?;
    let patch = crate::edits::book::names::built_in(
        stage.view(),
        "_xlnm._FilterDatabase",
        sheet.position,
        area.map(|area| sheet_area(&own, &area)),
    )?;
    stage.then(&patch)?;
    let summary = match area {
        Some(area) => format!("Filter {own}!{area}"),
        None => format!("Remove the filter of {own}"),
    };
    let sheet = stage.view().sheet(&own)?;
    Ok(attached::planned(&sheet, stage.patch(), summary, area.into_iter().collect()))
}

/// `Sheet!$A$1:$C$9`.
pub(crate) fn sheet_area(sheet: &str, area: &Area) -> String {
    let dollars = |text: &str| {
        let split = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let (letters, digits) = text.split_at(split);
        let mark = |part: &str| if part.is_empty() { String::new() } else { format!("${part}") };
        format!("{}{}", mark(letters), mark(digits))
    };
    let shown = area.to_string();
    let cells = match shown.split_once(':') {
        Some((first, last)) => format!("{}:{}", dollars(first), dollars(last)),
        None => dollars(&shown),
    };
    format!("{}!{cells}", formula::quote_sheet(sheet))
}

fn filter_markup(area: Area, columns: &[FilterColumn], prefix: &str) -> String {
    if columns.is_empty() {
        return format!("<{prefix}autoFilter ref=\"{area}\"/>");
    }
    let mut sorted: Vec<&FilterColumn> = columns.iter().collect();
    sorted.sort_by_key(|column| column.column);
    let inside: String = sorted
        .iter()
        .map(|column| {
            let blank = if column.blanks { " blank=\"1\"" } else { "" };
            let values: String = column
                .values
                .iter()
                .map(|value| format!("<{prefix}filter val=\"{}\"/>", escape_attribute(value)))
                .collect();
            format!(
                "<{prefix}filterColumn colId=\"{}\"><{prefix}filters{blank}>{values}</{prefix}filters></{prefix}filterColumn>",
                column.column
            )
        })
        .collect();
    format!("<{prefix}autoFilter ref=\"{area}\">{inside}</{prefix}autoFilter>")
}

fn data_rows(area: &Area) -> std::ops::RangeInclusive<u32> {
    area.top + 1..=area.bottom
}

type Passes<'a> = dyn Fn(&SheetView<'_>, u32) -> Result<bool, Refusal> + 'a;

fn show_rows(
    stage: &mut Stage,
    name: &str,
    rows: std::ops::RangeInclusive<u32>,
    passes: &Passes<'_>,
) -> Result<(), Refusal> {
    let mut runs: Vec<(u32, u32, bool)> = Vec::new();
    let sheet = stage.view().sheet(name)?;
    for row in rows {
        let hidden = !passes(&sheet, row)?;
        match runs.last_mut() {
            Some((_, last, known)) if *known == hidden && *last + 1 == row => *last = row,
            _ => runs.push((row, row, hidden)),
        }
    }
    let mut patch = Patch::new();
    for (first, last, hidden) in runs {
        let change = LineChange { hidden: Some(hidden), ..LineChange::default() };
        crate::edits::looks::appearance::change_rows(&sheet, first, last, &change, &mut patch)?;
    }
    stage.then(&patch)
}

fn passes(sheet: &SheetView<'_>, area: Area, columns: &[FilterColumn], row: u32) -> Result<bool, Refusal> {
    for column in columns {
        let at = crate::file::a1::CellRef::new(row, area.left + column.column);
        let text = match sheet.cell(at)? {
            Some(cell) => sheet.book.text(&cell.value, cell.style)?,
            None => String::new(),
        };
        let through = match text.trim().is_empty() {
            true => column.blanks,
            false => {
                column.values.iter().any(|value| value.trim().to_lowercase() == text.trim().to_lowercase())
            }
        };
        if !through {
            return Ok(false);
        }
    }
    Ok(true)
}

//! Charts: read, made with the values they show, and changed.

use std::borrow::Cow;

use edit::{Blob, Context, Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_attribute, escape_text, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::objects::attached::{self, NewPart, Stage};
use crate::edits::objects::chart_change;
use crate::edits::objects::chart_markup::{chart_markup, series_markup};
use crate::edits::objects::chart_range;
use crate::edits::objects::chart_spec::{
    BlankCells, ChartAxes, ChartKind, Legend, NewChart, NewGroup, NewSeries,
};
use crate::edits::objects::drawings::{Offsets, chart_part, corner_at, drawing_part, shape_id};
use crate::file::a1::{Area, CellRef};
use crate::file::numbers::show_number;
use crate::file::workbook::number;
use crate::file::xml_edit::Xml;
use crate::read::chart_series::series;

const CHART_TYPE: &str = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
/// Series of one chart, and points of one series, in Excel.
const MOST_SERIES: usize = 255;
const MOST_POINTS: u64 = 32_000;

/// A change of a chart; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChartChange {
    /// Empty for none.
    pub title: Option<String>,
    /// A cell whose text is the title, now and later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_from: Option<String>,
    /// Whether the title that is there lies over the plot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_overlay: Option<bool>,
    pub series: Vec<SeriesChange>,
    /// Positions, counted from zero.
    pub remove_series: Vec<usize>,
    pub add_series: Vec<NewSeries>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legend: Option<Legend>,
    /// What is left out of an axis stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axes: Option<ChartAxes>,
    /// What becomes of blank cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blanks: Option<BlankCells>,
    /// One of Excel's built-in styles, 1 to 48.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesChange {
    /// Position, counted from zero.
    pub index: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

pub(crate) fn add(
    view: &View,
    name: &str,
    area: Area,
    chart: &NewChart,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    attached::refuse_strict(view, "a new chart")?;
    let own = view.sheet(name)?.name().to_owned();
    let corners = corners(area, chart.offsets.as_ref())?;
    let mut sources = titles(&chart.title_from, Some(&chart.axes));
    sources.extend(&chart.range);
    chart.series.iter().chain(chart.groups.iter().flat_map(|group| &group.series)).for_each(|series| {
        sources.extend(sources_of(series));
    });
    let read = read_for(view, &own, &sources, cx)?;
    let groups = chart_range::groups(&read, &own, chart)?;
    let count: usize = groups.iter().map(|group| group.series.len()).sum();
    if groups.iter().any(|group| group.series.is_empty()) || count > MOST_SERIES {
        return Err(Refusal::invalid("series", count, format!("1 to {MOST_SERIES} series in every group")));
    }
    let bytes = Blob::from(chart_markup(&read, &own, chart, &groups)?);
    let mut stage = Stage::new(view);
    let drawing = drawing_part(&mut stage, &own)?;
    let view = stage.view();
    let part = ooxml::free_name(&view.content, &format!("{}charts/chart", attached::folder(view)), "xml");
    let mut patch = Patch::new();
    let kind = format!("{}/chart", ns::R);
    let new = NewPart { part: &part, kind: &kind, content_type: CHART_TYPE, bytes };
    let ids = attached::attach(view, &mut patch, &drawing, vec![new])?;
    let document = ooxml::read_xml(&view.content, &drawing)?;
    let id = shape_id(&document);
    let shown = chart.name.clone().unwrap_or_else(|| format!("Chart {id}"));
    let markup = format!(
        "<xdr:twoCellAnchor xmlns:xdr=\"{}\" xmlns:a=\"{}\">{corners}<xdr:graphicFrame macro=\"\"><xdr:nvGraphicFramePr>\
         <xdr:cNvPr id=\"{id}\" name=\"{}\"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm>\
         <a:off x=\"0\" y=\"0\"/><a:ext cx=\"0\" cy=\"0\"/></xdr:xfrm><a:graphic><a:graphicData uri=\"{chart}\">\
         <c:chart xmlns:c=\"{chart}\" xmlns:r=\"{}\" r:id=\"{}\"/></a:graphicData></a:graphic></xdr:graphicFrame>\
         <xdr:clientData/></xdr:twoCellAnchor>",
        ns::XDR,
        ns::A,
        escape_attribute(&shown),
        ns::R,
        ids.first().map_or("", |id| id),
        chart = ns::CHART,
    );
    Xml::new(&drawing, &document).append(&mut patch, &document.root(), &markup)?;
    stage.then(&patch)?;
    let sheet = stage.view().sheet(&own)?;
    let summary = format!("Put the chart {shown} on {own}!{area}");
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![area]))
}

/// Both corners of a chart: around whole cells, or from and to a place within the first and the last.
fn corners(area: Area, offsets: Option<&Offsets>) -> Result<String, Refusal> {
    if area.is_whole_columns() || area.is_whole_rows() || offsets.is_none() && area.is_cell() {
        return Err(Refusal::invalid("area", area, "the cells that the chart lies over, such as E2:L18"));
    }
    match offsets {
        None => {
            let last = CellRef::new(area.bottom + 1, area.right + 1);
            Ok(format!(
                "{}{}",
                corner_at("from", area.first(), (0.0, 0.0))?,
                corner_at("to", last, (0.0, 0.0))?
            ))
        }
        Some(offsets) => offsets.corners(area.first(), area.last()),
    }
}

pub(crate) fn set(
    view: &View,
    name: &str,
    wanted: &str,
    change: &ChartChange,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name();
    let mut sources = titles(&change.title_from, change.axes.as_ref());
    change.add_series.iter().for_each(|series| sources.extend(sources_of(series)));
    for series in &change.series {
        sources.extend([&series.values, &series.categories, &series.name].into_iter().flatten());
    }
    let read = read_for(view, own, &sources, cx)?;
    let part = chart_part(&sheet, wanted)?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let xml = Xml::new(&part, &document);
    let mut patch = Patch::new();
    if let Some(title) = &change.title {
        set_title(&xml, &mut patch, title)?;
    }
    chart_change::surroundings(&read, own, &xml, &mut patch, change)?;
    let nodes = series(&document);
    let series_at = |index: usize| {
        nodes.get(index).copied().ok_or_else(|| {
            Refusal::invalid("series", index, format!("0 to {}", nodes.len().saturating_sub(1)))
        })
    };
    let prefix = xml.prefix();
    for wanted in &change.series {
        let node = series_at(wanted.index)?;
        if change.remove_series.contains(&wanted.index) {
            return Err(Refusal::invalid("series", wanted.index, "a series that is not removed as well"));
        }
        change_series(&xml, &mut patch, &read, own, &node, wanted, &prefix)?;
    }
    let mut gone = change.remove_series.clone();
    gone.sort_unstable();
    gone.dedup();
    for index in &gone {
        xml.remove(&mut patch, &series_at(*index)?)?;
    }
    if nodes.len() + change.add_series.len() == gone.len() {
        return Err(Refusal::Unsafe {
            why: "a chart without a series shows nothing".to_owned(),
            instead: Some("delete the chart, or add a series in the same edit".to_owned()),
        });
    }
    if !change.add_series.is_empty() {
        let Some(last) = nodes.last() else {
            return Err(Refusal::unsupported("adding a series to a chart that has none"));
        };
        let kind = last
            .parent()
            .and_then(|group| kind_of(&group))
            .ok_or_else(|| Refusal::unsupported("adding a series to a chart of this kind"))?;
        let number_of = |node: &Node<'_>, name: &str| number(&node.child(ns::CHART, name)?, "val");
        let highest = nodes.iter().filter_map(|node| number_of(node, "idx").max(number_of(node, "order")));
        let first = highest.max().map_or(0, |last| last as usize + 1);
        let group = NewGroup { kind, ..NewGroup::default() };
        let mut markup = String::new();
        for (index, series) in (first..).zip(&change.add_series) {
            markup.push_str(&series_markup(&read, own, &group, index, series, &prefix)?);
        }
        let end = last.span().end;
        xml.splice(&mut patch, end..end, markup)?;
    }
    let summary = format!("Change {wanted} of {own}");
    Ok(attached::planned(&sheet, patch, summary, Vec::new()))
}

/// The texts that may name cells: a name that is no reference leads nowhere.
fn sources_of(series: &NewSeries) -> impl Iterator<Item = &String> {
    [Some(&series.values), series.categories.as_ref(), series.name.as_ref()].into_iter().flatten()
}

fn titles<'a>(own: &'a Option<String>, axes: Option<&'a ChartAxes>) -> Vec<&'a String> {
    let mut all: Vec<&String> = own.iter().collect();
    if let Some(ChartAxes { category, value, second_value, second_category }) = axes {
        let looks = [category, value, second_value, second_category];
        all.extend(looks.into_iter().filter_map(|look| look.title_from.as_ref()));
    }
    all
}

/// The workbook with values for the cells that a chart takes its own from.
fn read_for<'a>(
    view: &'a View,
    home: &str,
    sources: &[&String],
    cx: &Context,
) -> Result<Cow<'a, View>, Refusal> {
    let found = sources.iter().filter_map(|text| place(view, home, text).ok());
    let cells = found.filter_map(|(sheet, area)| Some((view.workbook.position(&sheet)?, area)));
    view.readable(cells, cx)
}

fn kind_of(group: &Node<'_>) -> Option<ChartKind> {
    Some(match group.name().local {
        "barChart" | "bar3DChart" => ChartKind::Column,
        "lineChart" | "line3DChart" => ChartKind::Line,
        "areaChart" | "area3DChart" | "radarChart" => ChartKind::Area,
        "pieChart" | "pie3DChart" | "ofPieChart" => ChartKind::Pie,
        "doughnutChart" => ChartKind::Doughnut,
        "scatterChart" => ChartKind::Scatter,
        _ => return None,
    })
}

fn change_series(
    xml: &Xml<'_>,
    patch: &mut Patch,
    view: &View,
    home: &str,
    node: &Node<'_>,
    change: &SeriesChange,
    prefix: &str,
) -> Result<(), Refusal> {
    let child = |names: &[&str]| node.elements().find(|inner| names.contains(&inner.name().local));
    let scatter =
        node.parent().is_some_and(|group| matches!(group.name().local, "scatterChart" | "bubbleChart"));
    let (x, y) = if scatter { ("xVal", "yVal") } else { ("cat", "val") };
    if let Some(name) = &change.name {
        let markup = name_markup(view, home, name, prefix)?;
        match (child(&["tx"]), child(&["order"])) {
            (Some(known), _) => xml.splice(patch, known.span(), markup)?,
            (None, Some(order)) => {
                let end = order.span().end;
                xml.splice(patch, end..end, markup)?;
            }
            (None, None) => return Err(Refusal::unsupported("a series without its order")),
        }
    }
    let values = child(&[y]);
    if let Some(categories) = &change.categories {
        let markup = points(view, home, categories, x, Points::Categories, prefix)?;
        match (child(&[x]), values) {
            (Some(known), _) => xml.splice(patch, known.span(), markup)?,
            (None, Some(values)) => {
                let start = values.span().start;
                xml.splice(patch, start..start, markup)?;
            }
            (None, None) => return Err(Refusal::unsupported("categories of a series without values")),
        }
    }
    if let Some(text) = &change.values {
        let markup = points(view, home, text, y, Points::Values, prefix)?;
        match values {
            Some(known) => xml.splice(patch, known.span(), markup)?,
            None => return Err(Refusal::unsupported("values of a series that has none")),
        }
    }
    Ok(())
}

fn set_title(xml: &Xml<'_>, patch: &mut Patch, text: &str) -> Result<(), Refusal> {
    let root = xml.root();
    let Some(chart) = root.child(ns::CHART, "chart") else {
        return Err(Refusal::Corrupt { what: xml.part.to_string(), why: "it has no chart".to_owned() });
    };
    let prefix = xml.prefix();
    let title = chart.child(ns::CHART, "title");
    let deleted = chart.child(ns::CHART, "autoTitleDeleted");
    let flag = if text.is_empty() { "1" } else { "0" };
    match &deleted {
        Some(node) => xml.set_attribute(patch, node, "val", flag)?,
        None => {
            let markup = format!("<{prefix}autoTitleDeleted val=\"{flag}\"/>");
            let at = title.map_or(chart.content_span().start, |title| title.span().end);
            if title.is_some() || text.is_empty() {
                xml.splice(patch, at..at, markup)?;
            } else {
                let both = format!("{}{markup}", title_markup(text, &prefix));
                return xml.splice(patch, at..at, both);
            }
        }
    }
    match (title, text.is_empty()) {
        (Some(title), true) => xml.remove(patch, &title),
        (None, true) => Ok(()),
        (None, false) => {
            let start = chart.content_span().start;
            xml.splice(patch, start..start, title_markup(text, &prefix))
        }
        (Some(title), false) => {
            // Only the words change: the looks of the title stay.
            let runs: Vec<Node<'_>> = title.descendants().filter(|node| node.is(ns::A, "t")).collect();
            match runs.split_first() {
                Some((first, rest)) if !first.closes_itself() => {
                    xml.splice(patch, first.content_span(), escape_text(text).into_owned())?;
                    for node in rest.iter().filter(|node| !node.closes_itself()) {
                        xml.splice(patch, node.content_span(), "")?;
                    }
                    Ok(())
                }
                _ => match title.child(ns::CHART, "tx") {
                    Some(known) => xml.splice(patch, known.span(), title_text(text, &prefix)),
                    None if title.closes_itself() => {
                        xml.splice(patch, title.span(), title_markup(text, &prefix))
                    }
                    None => {
                        let start = title.content_span().start;
                        xml.splice(patch, start..start, title_text(text, &prefix))
                    }
                },
            }
        }
    }
}

pub(crate) fn title_text(text: &str, c: &str) -> String {
    format!(
        "<{c}tx><{c}rich><a:bodyPr xmlns:a=\"{a}\"/><a:p xmlns:a=\"{a}\"><a:r><a:rPr lang=\"en-US\"/><a:t>{}</a:t></a:r></a:p></{c}rich></{c}tx>",
        escape_text(text),
        a = ns::A
    )
}

pub(crate) fn title_markup(text: &str, c: &str) -> String {
    format!("<{c}title>{}<{c}overlay val=\"0\"/></{c}title>", title_text(text, c))
}

pub(crate) fn name_markup(view: &View, home: &str, name: &str, c: &str) -> Result<String, Refusal> {
    let Some(reference) = name.strip_prefix('=') else {
        return Ok(format!("<{c}tx><{c}v>{}</{c}v></{c}tx>", escape_text(name)));
    };
    let (sheet, area) = place(view, home, reference)?;
    if !area.is_cell() {
        return Err(Refusal::invalid("name", format!("`={reference}`"), "one cell, or a text"));
    }
    let formula = crate::edits::book::sheet_edit::sheet_area(&sheet, &area);
    let found = view.sheet(&sheet)?;
    let text = match found.cell(area.first())? {
        Some(cell) => view.text(&cell.value, cell.style)?,
        None => String::new(),
    };
    Ok(format!(
        "<{c}tx><{c}strRef><{c}f>{}</{c}f><{c}strCache><{c}ptCount val=\"1\"/><{c}pt idx=\"0\"><{c}v>{}</{c}v></{c}pt></{c}strCache></{c}strRef></{c}tx>",
        escape_text(&formula),
        escape_text(&text)
    ))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Points {
    Values,
    /// Texts, unless all of them are numbers.
    Categories,
}

/// A reference with the values its cells have now, so that a reader who cannot calculate sees the chart.
pub(crate) fn points(
    view: &View,
    home: &str,
    text: &str,
    element: &str,
    role: Points,
    c: &str,
) -> Result<String, Refusal> {
    let (sheet, area) = place(view, home, text)?;
    let levels = area.top != area.bottom && area.left != area.right;
    if levels && (role == Points::Values || element == "xVal") {
        return Err(Refusal::invalid("series", format!("`{text}`"), "one row or one column of cells"));
    }
    if area.count() > MOST_POINTS {
        return Err(Refusal::Limit {
            what: "the points of a series".into(),
            found: area.count().to_string(),
            limit: MOST_POINTS.to_string(),
        });
    }
    let found = view.sheet(&sheet)?;
    if levels {
        return levels_markup(view, &sheet, area, element, c);
    }
    let mut cells = Vec::new();
    found.each_cell(area, &mut |cell| {
        let index = (cell.at.row - area.top) + (cell.at.col - area.left);
        if !cell.value.is_blank() {
            cells.push((index, cell.value, cell.style));
        }
    })?;
    let formula = crate::edits::book::sheet_edit::sheet_area(&sheet, &area);
    let formula = escape_text(&formula).into_owned();
    let count = area.count();
    let numbers = role == Points::Values
        || !cells.is_empty() && cells.iter().all(|(_, value, _)| matches!(value, formula::Value::Number(_)));
    let mut listed = String::new();
    let mut code = None;
    for (index, value, style) in &cells {
        let shown = match (numbers, value) {
            (true, formula::Value::Number(number)) => {
                if code.is_none() {
                    code = Some(view.number_format(*style)?.to_owned());
                }
                show_number(*number)
            }
            (true, _) => continue,
            (false, value) => escape_text(&view.text(value, *style)?).into_owned(),
        };
        listed.push_str(&format!("<{c}pt idx=\"{index}\"><{c}v>{shown}</{c}v></{c}pt>"));
    }
    Ok(match numbers {
        true => {
            let code = escape_text(code.as_deref().unwrap_or("General")).into_owned();
            format!(
                "<{c}{element}><{c}numRef><{c}f>{formula}</{c}f><{c}numCache><{c}formatCode>{code}</{c}formatCode>\
                 <{c}ptCount val=\"{count}\"/>{listed}</{c}numCache></{c}numRef></{c}{element}>"
            )
        }
        false => format!(
            "<{c}{element}><{c}strRef><{c}f>{formula}</{c}f><{c}strCache><{c}ptCount val=\"{count}\"/>{listed}</{c}strCache></{c}strRef></{c}{element}>"
        ),
    })
}

/// Categories of several levels, the innermost first; the shorter side of the area has the levels.
fn levels_markup(view: &View, sheet: &str, area: Area, element: &str, c: &str) -> Result<String, Refusal> {
    let (rows, columns) = (area.bottom - area.top + 1, area.right - area.left + 1);
    let in_rows = rows < columns;
    let mut levels: Vec<String> = vec![String::new(); rows.min(columns) as usize];
    for cell in view.sheet(sheet)?.cells(area)? {
        let (down, right) = (cell.at.row - area.top, cell.at.col - area.left);
        let (level, index) = if in_rows { (down, right) } else { (right, down) };
        if let Some(level) = levels.get_mut(level as usize).filter(|_| !cell.value.is_blank()) {
            let shown = view.text(&cell.value, cell.style)?;
            level.push_str(&format!("<{c}pt idx=\"{index}\"><{c}v>{}</{c}v></{c}pt>", escape_text(&shown)));
        }
    }
    let listed: String = levels.iter().rev().map(|level| format!("<{c}lvl>{level}</{c}lvl>")).collect();
    let formula = crate::edits::book::sheet_edit::sheet_area(sheet, &area);
    Ok(format!(
        "<{c}{element}><{c}multiLvlStrRef><{c}f>{}</{c}f><{c}multiLvlStrCache><{c}ptCount val=\"{}\"/>{listed}\
         </{c}multiLvlStrCache></{c}multiLvlStrRef></{c}{element}>",
        escape_text(&formula),
        rows.max(columns),
    ))
}

/// `Sheet!A1:A9`, or `A1:A9` of the sheet the chart lies on.
pub(crate) fn place(view: &View, home: &str, text: &str) -> Result<(String, Area), Refusal> {
    let text = text.strip_prefix('=').unwrap_or(text);
    let (sheet, cells) = match text.rsplit_once('!') {
        Some((sheet, cells)) => {
            let bare = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\'')).unwrap_or(sheet);
            (view.sheet(&bare.replace("''", "'"))?.name().to_owned(), cells)
        }
        None => (home.to_owned(), text),
    };
    Ok((sheet, cells.parse()?))
}

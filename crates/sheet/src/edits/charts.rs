//! Charts: read, made with the values they show, and changed.

use edit::{Blob, Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_attribute, escape_text, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::attached::{self, NewPart, Stage};
use crate::edits::drawings::{chart_part, corner, drawing_part, shape_id};
use crate::edits::input::Outcome;
use crate::file::a1::Area;
use crate::file::numbers::show_number;
use crate::file::workbook::number;
use crate::file::xml_edit::{DECLARATION, Xml};
use crate::read::chart_series::series;

const CHART_TYPE: &str = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
/// Series of one chart, and points of one series, in Excel.
const MOST_SERIES: usize = 255;
const MOST_POINTS: u64 = 32_000;

/// A chart to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewChart {
    pub kind: ChartKind,
    pub series: Vec<NewSeries>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y_title: Option<String>,
    #[serde(default)]
    pub stacked: bool,
    #[serde(default)]
    pub legend: Legend,
    /// What the drawing is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// Upright bars.
    Column,
    Bar,
    Line,
    Area,
    Pie,
    Doughnut,
    /// Points with two values, joined by no line.
    Scatter,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Legend {
    None,
    #[default]
    Right,
    Left,
    Top,
    Bottom,
}

/// One series; areas are written `Sheet!B2:B9` and are one row or one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSeries {
    pub values: String,
    /// What stands below the bars, or the first value of each point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<String>,
    /// A text, or a cell written `=Sheet!B1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A change of a chart; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChartChange {
    /// Empty for none.
    pub title: Option<String>,
    pub series: Vec<SeriesChange>,
    /// Positions, counted from zero.
    pub remove_series: Vec<usize>,
    pub add_series: Vec<NewSeries>,
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
) -> Result<Planned<Outcome>, Refusal> {
    attached::refuse_strict(view, "a new chart")?;
    let own = view.sheet(name)?.name().to_owned();
    if chart.series.is_empty() || chart.series.len() > MOST_SERIES {
        return Err(Refusal::invalid("series", chart.series.len(), format!("1 to {MOST_SERIES} series")));
    }
    if area.is_cell() || area.is_whole_columns() || area.is_whole_rows() {
        return Err(Refusal::invalid("area", area, "the cells that the chart lies over, such as E2:L18"));
    }
    let mut listed = String::new();
    for (index, series) in chart.series.iter().enumerate() {
        listed.push_str(&series_markup(view, &own, chart.kind, index, series, "c:")?);
    }
    let mut stage = Stage::new(view);
    let drawing = drawing_part(&mut stage, &own)?;
    let view = &stage.view;
    let part = ooxml::free_name(&view.content, &format!("{}charts/chart", attached::folder(view)), "xml");
    let mut patch = Patch::new();
    let kind = format!("{}/chart", ns::R);
    let bytes = Blob::from(chart_markup(chart, &listed));
    let new = NewPart { part: &part, kind: &kind, content_type: CHART_TYPE, bytes };
    let ids = attached::attach(view, &mut patch, &drawing, vec![new])?;
    let document = ooxml::read_xml(&view.content, &drawing)?;
    let id = shape_id(&document);
    let shown = chart.name.clone().unwrap_or_else(|| format!("Chart {id}"));
    let markup = format!(
        "<xdr:twoCellAnchor xmlns:xdr=\"{}\" xmlns:a=\"{}\">{}{}<xdr:graphicFrame macro=\"\"><xdr:nvGraphicFramePr>\
         <xdr:cNvPr id=\"{id}\" name=\"{}\"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm>\
         <a:off x=\"0\" y=\"0\"/><a:ext cx=\"0\" cy=\"0\"/></xdr:xfrm><a:graphic><a:graphicData uri=\"{chart}\">\
         <c:chart xmlns:c=\"{chart}\" xmlns:r=\"{}\" r:id=\"{}\"/></a:graphicData></a:graphic></xdr:graphicFrame>\
         <xdr:clientData/></xdr:twoCellAnchor>",
        ns::XDR,
        ns::A,
        corner("from", area.first()),
        corner("to", crate::file::a1::CellRef::new(area.bottom + 1, area.right + 1)),
        escape_attribute(&shown),
        ns::R,
        ids.first().map_or("", |id| id),
        chart = ns::CHART,
    );
    Xml::new(&drawing, &document).append(&mut patch, &document.root(), &markup)?;
    stage.then(&patch)?;
    let sheet = stage.view.sheet(&own)?;
    let summary = format!("Put the chart {shown} on {own}!{area}");
    Ok(attached::planned(&sheet, stage.patch.clone(), summary, vec![area]))
}

pub(crate) fn set(
    view: &View,
    name: &str,
    wanted: &str,
    change: &ChartChange,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name();
    let part = chart_part(&sheet, wanted)?;
    let document = ooxml::read_xml(&view.content, &part)?;
    let xml = Xml::new(&part, &document);
    let mut patch = Patch::new();
    if let Some(title) = &change.title {
        set_title(&xml, &mut patch, title)?;
    }
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
        change_series(&xml, &mut patch, view, own, &node, wanted, &prefix)?;
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
        let mut markup = String::new();
        for (index, series) in (first..).zip(&change.add_series) {
            markup.push_str(&series_markup(view, own, kind, index, series, &prefix)?);
        }
        let end = last.span().end;
        xml.splice(&mut patch, end..end, markup)?;
    }
    let summary = format!("Change {wanted} of {own}");
    Ok(attached::planned(&sheet, patch, summary, Vec::new()))
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

fn title_text(text: &str, c: &str) -> String {
    format!(
        "<{c}tx><{c}rich><a:bodyPr xmlns:a=\"{a}\"/><a:p xmlns:a=\"{a}\"><a:r><a:rPr lang=\"en-US\"/><a:t>{}</a:t></a:r></a:p></{c}rich></{c}tx>",
        escape_text(text),
        a = ns::A
    )
}

fn title_markup(text: &str, c: &str) -> String {
    format!("<{c}title>{}<{c}overlay val=\"0\"/></{c}title>", title_text(text, c))
}

fn chart_markup(chart: &NewChart, series: &str) -> String {
    let grouping = match (chart.stacked, chart.kind) {
        (true, _) => "stacked",
        (false, ChartKind::Column | ChartKind::Bar) => "clustered",
        (false, _) => "standard",
    };
    let axes = "<c:axId val=\"111111111\"/><c:axId val=\"222222222\"/>";
    let bars = |direction: &str| {
        let overlap = if chart.stacked { "<c:overlap val=\"100\"/>" } else { "" };
        format!(
            "<c:barChart><c:barDir val=\"{direction}\"/><c:grouping val=\"{grouping}\"/><c:varyColors val=\"0\"/>\
             {series}<c:gapWidth val=\"150\"/>{overlap}{axes}</c:barChart>"
        )
    };
    let plot = match chart.kind {
        ChartKind::Column => bars("col"),
        ChartKind::Bar => bars("bar"),
        ChartKind::Line => format!(
            "<c:lineChart><c:grouping val=\"{grouping}\"/><c:varyColors val=\"0\"/>{series}<c:marker val=\"1\"/>{axes}</c:lineChart>"
        ),
        ChartKind::Area => format!(
            "<c:areaChart><c:grouping val=\"{grouping}\"/><c:varyColors val=\"0\"/>{series}{axes}</c:areaChart>"
        ),
        ChartKind::Pie => {
            format!("<c:pieChart><c:varyColors val=\"1\"/>{series}<c:firstSliceAng val=\"0\"/></c:pieChart>")
        }
        ChartKind::Doughnut => format!(
            "<c:doughnutChart><c:varyColors val=\"1\"/>{series}<c:firstSliceAng val=\"0\"/><c:holeSize val=\"50\"/></c:doughnutChart>"
        ),
        ChartKind::Scatter => format!(
            "<c:scatterChart><c:scatterStyle val=\"lineMarker\"/><c:varyColors val=\"0\"/>{series}{axes}</c:scatterChart>"
        ),
    };
    let title = |text: &Option<String>| {
        text.as_deref().filter(|text| !text.is_empty()).map_or(String::new(), |text| title_markup(text, "c:"))
    };
    let axes = match chart.kind {
        ChartKind::Pie | ChartKind::Doughnut => String::new(),
        ChartKind::Scatter => format!(
            "{}{}",
            axis("valAx", 111_111_111, 222_222_222, "b", &title(&chart.x_title)),
            axis("valAx", 222_222_222, 111_111_111, "l", &title(&chart.y_title))
        ),
        kind => {
            let (below, beside) = if kind == ChartKind::Bar { ("l", "b") } else { ("b", "l") };
            format!(
                "{}{}",
                axis("catAx", 111_111_111, 222_222_222, below, &title(&chart.x_title)),
                axis("valAx", 222_222_222, 111_111_111, beside, &title(&chart.y_title))
            )
        }
    };
    let legend = match chart.legend {
        Legend::None => None,
        Legend::Right => Some("r"),
        Legend::Left => Some("l"),
        Legend::Top => Some("t"),
        Legend::Bottom => Some("b"),
    };
    let legend = legend.map_or(String::new(), |place| {
        format!("<c:legend><c:legendPos val=\"{place}\"/><c:overlay val=\"0\"/></c:legend>")
    });
    let heading = title(&chart.title);
    let untitled = u8::from(heading.is_empty());
    format!(
        "{DECLARATION}<c:chartSpace xmlns:c=\"{}\" xmlns:a=\"{}\" xmlns:r=\"{}\"><c:roundedCorners val=\"0\"/><c:chart>{heading}\
         <c:autoTitleDeleted val=\"{untitled}\"/><c:plotArea><c:layout/>{plot}{axes}</c:plotArea>{legend}\
         <c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"gap\"/></c:chart></c:chartSpace>",
        ns::CHART,
        ns::A,
        ns::R
    )
}

fn axis(kind: &str, id: u32, other: u32, place: &str, title: &str) -> String {
    let lines = if kind == "valAx" && id == 222_222_222 { "<c:majorGridlines/>" } else { "" };
    let end = match kind {
        "catAx" => {
            "<c:auto val=\"1\"/><c:lblAlgn val=\"ctr\"/><c:lblOffset val=\"100\"/><c:noMultiLvlLbl val=\"0\"/>"
        }
        _ => "<c:crossBetween val=\"between\"/>",
    };
    format!(
        "<c:{kind}><c:axId val=\"{id}\"/><c:scaling><c:orientation val=\"minMax\"/></c:scaling><c:delete val=\"0\"/>\
         <c:axPos val=\"{place}\"/>{lines}{title}<c:numFmt formatCode=\"General\" sourceLinked=\"1\"/>\
         <c:majorTickMark val=\"out\"/><c:minorTickMark val=\"none\"/><c:tickLblPos val=\"nextTo\"/>\
         <c:crossAx val=\"{other}\"/><c:crosses val=\"autoZero\"/>{end}</c:{kind}>"
    )
}

fn series_markup(
    view: &View,
    home: &str,
    kind: ChartKind,
    index: usize,
    series: &NewSeries,
    c: &str,
) -> Result<String, Refusal> {
    let name = match &series.name {
        Some(name) => name_markup(view, home, name, c)?,
        None => String::new(),
    };
    let (x, y) = if kind == ChartKind::Scatter { ("xVal", "yVal") } else { ("cat", "val") };
    let categories = match &series.categories {
        Some(text) => points(view, home, text, x, Points::Categories, c)?,
        None => String::new(),
    };
    let values = points(view, home, &series.values, y, Points::Values, c)?;
    let (looks, end) = match kind {
        ChartKind::Line => {
            (format!("<{c}marker><{c}symbol val=\"none\"/></{c}marker>"), format!("<{c}smooth val=\"0\"/>"))
        }
        ChartKind::Scatter => (
            format!("<{c}spPr><a:ln xmlns:a=\"{}\" w=\"19050\"><a:noFill/></a:ln></{c}spPr>", ns::A),
            format!("<{c}smooth val=\"0\"/>"),
        ),
        ChartKind::Column | ChartKind::Bar => (format!("<{c}invertIfNegative val=\"0\"/>"), String::new()),
        ChartKind::Area | ChartKind::Pie | ChartKind::Doughnut => (String::new(), String::new()),
    };
    Ok(format!(
        "<{c}ser><{c}idx val=\"{index}\"/><{c}order val=\"{index}\"/>{name}{looks}{categories}{values}{end}</{c}ser>"
    ))
}

fn name_markup(view: &View, home: &str, name: &str, c: &str) -> Result<String, Refusal> {
    let Some(reference) = name.strip_prefix('=') else {
        return Ok(format!("<{c}tx><{c}v>{}</{c}v></{c}tx>", escape_text(name)));
    };
    let (sheet, area) = place(view, home, reference)?;
    if !area.is_cell() {
        return Err(Refusal::invalid("name", format!("`={reference}`"), "one cell, or a text"));
    }
    let formula = crate::edits::sheet_edit::sheet_area(&sheet, &area);
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
enum Points {
    Values,
    /// Texts, unless all of them are numbers.
    Categories,
}

/// A reference with the values its cells have now, so that a reader who cannot calculate sees the chart.
fn points(
    view: &View,
    home: &str,
    text: &str,
    element: &str,
    role: Points,
    c: &str,
) -> Result<String, Refusal> {
    let (sheet, area) = place(view, home, text)?;
    if area.top != area.bottom && area.left != area.right {
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
    let mut cells = Vec::new();
    found.each_cell(area, &mut |cell| {
        let index = (cell.at.row - area.top) + (cell.at.col - area.left);
        if !cell.value.is_blank() {
            cells.push((index, cell.value, cell.style));
        }
    })?;
    let formula = crate::edits::sheet_edit::sheet_area(&sheet, &area);
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

/// `Sheet!A1:A9`, or `A1:A9` of the sheet the chart lies on.
fn place(view: &View, home: &str, text: &str) -> Result<(String, Area), Refusal> {
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

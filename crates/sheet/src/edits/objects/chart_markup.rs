//! A new chart as markup: its groups, its axes and how they look.

use edit::Refusal;
use ooxml::xml::{escape_attribute, ns};

use crate::calc::view::View;
use crate::edits::objects::chart_change::style_markup;
use crate::edits::objects::chart_range::are_dates;
use crate::edits::objects::chart_spec::{
    AxisLook, BlankCells, ChartKind, Legend, NewChart, NewGroup, NewLabels, NewSeries,
};
use crate::edits::objects::charts::{Points, name_markup, points, title_markup};
use crate::file::numbers::show_number;
use crate::file::xml_edit::DECLARATION;

const FIRST: [u32; 2] = [111_111_111, 222_222_222];
const SECOND: [u32; 2] = [333_333_333, 444_444_444];
/// The pale grey of lines that stand behind.
const PALE: &str = "<a:solidFill><a:srgbClr val=\"D9D9D9\"/></a:solidFill>";

pub(crate) fn gridlines_markup(c: &str) -> String {
    let line = format!("<a:ln xmlns:a=\"{}\" w=\"9525\">{PALE}</a:ln>", ns::A);
    format!("<{c}majorGridlines><{c}spPr>{line}</{c}spPr></{c}majorGridlines>")
}

/// What a side is called in a file.
pub(crate) fn legend_place(legend: Legend) -> Option<&'static str> {
    match legend {
        Legend::None => None,
        Legend::Right => Some("r"),
        Legend::Left => Some("l"),
        Legend::Top => Some("t"),
        Legend::Bottom => Some("b"),
    }
}

pub(crate) fn legend_markup(legend: Legend, c: &str) -> String {
    legend_place(legend).map_or(String::new(), |place| {
        format!("<{c}legend><{c}legendPos val=\"{place}\"/><{c}overlay val=\"0\"/></{c}legend>")
    })
}

pub(crate) fn blanks_word(blanks: Option<BlankCells>) -> &'static str {
    match blanks {
        None | Some(BlankCells::Gap) => "gap",
        Some(BlankCells::Zero) => "zero",
        Some(BlankCells::Span) => "span",
    }
}

/// The part of a chart whose groups are known to fit together.
pub(crate) fn chart_markup(
    view: &View,
    home: &str,
    chart: &NewChart,
    groups: &[NewGroup],
) -> Result<String, Refusal> {
    let dates = match chart.axes.category.dates {
        Some(dates) => dates,
        None => are_dates(view, home, groups)?,
    };
    let mut plot = String::new();
    let mut index = 0;
    for group in groups {
        let mut listed = String::new();
        for series in &group.series {
            listed.push_str(&series_markup(view, home, group, index, series, "c:")?);
            index += 1;
        }
        plot.push_str(&group_markup(group, &listed)?);
    }
    let heading = match (&chart.title_from, chart.title.as_deref().filter(|text| !text.is_empty())) {
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid("title", "given with title_from", "a text or a cell, not both"));
        }
        (Some(cell), None) => {
            let cell = format!("={}", cell.strip_prefix('=').unwrap_or(cell));
            format!("<c:title>{}<c:overlay val=\"0\"/></c:title>", name_markup(view, home, &cell, "c:")?)
        }
        (None, Some(text)) => title_markup(text, "c:"),
        (None, None) => String::new(),
    };
    let heading = match chart.title_overlay {
        true => heading.replace("<c:overlay val=\"0\"/>", "<c:overlay val=\"1\"/>"),
        false => heading,
    };
    let style = chart.style.map(|style| style_markup(style, "c:")).transpose()?.unwrap_or_default();
    let ground = match &chart.plot_fill {
        Some(color) => format!("<c:spPr>{}</c:spPr>", solid(color)?),
        None => String::new(),
    };
    let untitled = u8::from(heading.is_empty());
    let legend = legend_markup(chart.legend, "c:");
    let blanks = blanks_word(chart.blanks);
    Ok(format!(
        "{DECLARATION}<c:chartSpace xmlns:c=\"{}\" xmlns:a=\"{}\" xmlns:r=\"{}\"><c:roundedCorners val=\"0\"/>{style}<c:chart>{heading}\
         <c:autoTitleDeleted val=\"{untitled}\"/><c:plotArea><c:layout/>{plot}{}{ground}</c:plotArea>{legend}\
         <c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"{blanks}\"/></c:chart><c:txPr><a:bodyPr/><a:p><a:pPr>\
         <a:defRPr sz=\"900\"><a:solidFill><a:srgbClr val=\"595959\"/></a:solidFill></a:defRPr></a:pPr>\
         <a:endParaRPr lang=\"en-US\"/></a:p></c:txPr></c:chartSpace>",
        ns::CHART,
        ns::A,
        ns::R,
        axes_markup(view, home, chart, groups, dates)?,
    ))
}

fn group_markup(group: &NewGroup, series: &str) -> Result<String, Refusal> {
    let stacked = group.stacked || group.percent;
    let grouping = match (group.percent, group.stacked, group.kind) {
        (true, ..) => "percentStacked",
        (false, true, _) => "stacked",
        (false, false, ChartKind::Column | ChartKind::Bar) => "clustered",
        (false, false, _) => "standard",
    };
    let [one, other] = if group.second_axis { SECOND } else { FIRST };
    let axes = format!("<c:axId val=\"{one}\"/><c:axId val=\"{other}\"/>");
    let within = |field: &'static str, given: Option<i32>, low: i32, high: i32| match given {
        Some(found) if !(low..=high).contains(&found) => {
            Err(Refusal::invalid(field, found, format!("{low} to {high}")))
        }
        found => Ok(found),
    };
    let gap = within("gap_width", group.gap_width, 0, 500)?.unwrap_or(150);
    let overlap = within("overlap", group.overlap, -100, 100)?.or(stacked.then_some(100));
    let overlap = overlap.map_or(String::new(), |overlap| format!("<c:overlap val=\"{overlap}\"/>"));
    let angle = within("first_angle", group.first_angle, 0, 360)?.unwrap_or(0);
    let hole = within("hole_size", group.hole_size, 10, 90)?.unwrap_or(50);
    let round = matches!(group.kind, ChartKind::Pie | ChartKind::Doughnut);
    let vary = format!("<c:varyColors val=\"{}\"/>", u8::from(group.vary_colors.unwrap_or(round)));
    let bars = |direction: &str| {
        format!(
            "<c:barChart><c:barDir val=\"{direction}\"/><c:grouping val=\"{grouping}\"/>{vary}\
             {series}<c:gapWidth val=\"{gap}\"/>{overlap}{axes}</c:barChart>"
        )
    };
    Ok(match group.kind {
        ChartKind::Column => bars("col"),
        ChartKind::Bar => bars("bar"),
        ChartKind::Line => format!(
            "<c:lineChart><c:grouping val=\"{grouping}\"/>{vary}{series}<c:marker val=\"1\"/>{axes}</c:lineChart>"
        ),
        ChartKind::Area => {
            format!("<c:areaChart><c:grouping val=\"{grouping}\"/>{vary}{series}{axes}</c:areaChart>")
        }
        ChartKind::Pie => {
            format!("<c:pieChart>{vary}{series}<c:firstSliceAng val=\"{angle}\"/></c:pieChart>")
        }
        ChartKind::Doughnut => format!(
            "<c:doughnutChart>{vary}{series}<c:firstSliceAng val=\"{angle}\"/><c:holeSize val=\"{hole}\"/></c:doughnutChart>"
        ),
        ChartKind::Scatter => format!(
            "<c:scatterChart><c:scatterStyle val=\"lineMarker\"/>{vary}{series}{axes}</c:scatterChart>"
        ),
    })
}

fn axes_markup(
    view: &View,
    home: &str,
    chart: &NewChart,
    groups: &[NewGroup],
    dates: bool,
) -> Result<String, Refusal> {
    let axis = |kind, ids, place, look: &AxisLook, side| axis(view, home, kind, ids, place, look, side);
    let Some(first) = groups.first() else { return Ok(String::new()) };
    let axes = &chart.axes;
    let titled = |axis: &AxisLook, title: &Option<String>| AxisLook {
        title: axis.title.clone().or_else(|| title.clone()),
        ..axis.clone()
    };
    let category = titled(&axes.category, &chart.x_title);
    let value = titled(&axes.value, &chart.y_title);
    let second = groups.iter().any(|group| group.second_axis);
    let names = if dates { "dateAx" } else { "catAx" };
    Ok(match first.kind {
        ChartKind::Pie | ChartKind::Doughnut => String::new(),
        ChartKind::Scatter => format!(
            "{}{}",
            axis("valAx", FIRST, "b", &category, Side::Across)?,
            axis("valAx", [FIRST[1], FIRST[0]], "l", &value, Side::Near)?
        ),
        kind => {
            let (below, beside, far) = if kind == ChartKind::Bar { ("l", "b", "t") } else { ("b", "l", "r") };
            let mut markup = format!(
                "{}{}",
                axis(names, FIRST, below, &category, Side::Across)?,
                axis("valAx", [FIRST[1], FIRST[0]], beside, &value, Side::Near)?
            );
            if second {
                markup += &axis("valAx", [SECOND[1], SECOND[0]], far, &axes.second_value, Side::Far)?;
                markup += &axis(names, SECOND, below, &axes.second_category, Side::Hidden)?;
            }
            markup
        }
    })
}

/// Where an axis stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Of the categories, or of x.
    Across,
    Near,
    Far,
    Hidden,
}

fn axis(
    view: &View,
    home: &str,
    kind: &str,
    [id, other]: [u32; 2],
    place: &str,
    look: &AxisLook,
    side: Side,
) -> Result<String, Refusal> {
    if let (Some(low), Some(high)) = (look.min, look.max)
        && low >= high
    {
        return Err(Refusal::invalid("min", low, format!("a number below max, {high}")));
    }
    let number = |field: &'static str, given: Option<f64>| match given {
        Some(found) if !found.is_finite() => Err(Refusal::invalid(field, found, "a number")),
        found => Ok(found),
    };
    let element = |name: &str, value: Option<f64>| {
        value.map_or(String::new(), |value| format!("<c:{name} val=\"{}\"/>", show_number(value)))
    };
    let log = match look.log_base {
        Some(base) if !(2.0..=1000.0).contains(&base) => {
            return Err(Refusal::invalid("log_base", base, "2 to 1000"));
        }
        base => element("logBase", base),
    };
    let unit = match number("major_unit", look.major_unit)? {
        Some(unit) if unit <= 0.0 => return Err(Refusal::invalid("major_unit", unit, "a number over 0")),
        unit => element("majorUnit", unit),
    };
    let lines = match look.gridlines.unwrap_or(side == Side::Near) {
        true => gridlines_markup("c:"),
        false => String::new(),
    };
    let title = match (look.title.as_deref().filter(|text| !text.is_empty()), &look.title_from) {
        (_, Some(cell)) => {
            let text = name_markup(view, home, &format!("={cell}"), "c:")?;
            format!("<c:title>{text}<c:overlay val=\"0\"/></c:title>")
        }
        (Some(text), None) => title_markup(text, "c:"),
        (None, None) => String::new(),
    };
    let (code, linked) = match &look.number_format {
        Some(code) => (escape_attribute(code).into_owned(), 0),
        None => ("General".to_owned(), 1),
    };
    let crosses = if side == Side::Far { "max" } else { "autoZero" };
    let end = match kind {
        "catAx" => {
            "<c:auto val=\"1\"/><c:lblAlgn val=\"ctr\"/><c:lblOffset val=\"100\"/><c:noMultiLvlLbl val=\"0\"/>".to_owned()
        }
        "dateAx" => format!("<c:auto val=\"1\"/><c:lblOffset val=\"100\"/>{unit}"),
        _ => format!("<c:crossBetween val=\"{}\"/>{unit}", if side == Side::Across { "midCat" } else { "between" }),
    };
    Ok(format!(
        "<c:{kind}><c:axId val=\"{id}\"/><c:scaling>{log}<c:orientation val=\"{}\"/>{}{}</c:scaling><c:delete val=\"{}\"/>\
         <c:axPos val=\"{place}\"/>{lines}{title}<c:numFmt formatCode=\"{code}\" sourceLinked=\"{linked}\"/>\
         <c:majorTickMark val=\"out\"/><c:minorTickMark val=\"none\"/><c:tickLblPos val=\"nextTo\"/>\
         <c:crossAx val=\"{other}\"/><c:crosses val=\"{crosses}\"/>{end}</c:{kind}>",
        if look.reversed == Some(true) { "maxMin" } else { "minMax" },
        element("max", number("max", look.max)?),
        element("min", number("min", look.min)?),
        u8::from(look.hidden.unwrap_or(side == Side::Hidden)),
    ))
}

/// One series of a group.
pub(crate) fn series_markup(
    view: &View,
    home: &str,
    group: &NewGroup,
    index: usize,
    series: &NewSeries,
    c: &str,
) -> Result<String, Refusal> {
    let kind = group.kind;
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
    let shape = shape_markup(group, series, c)?;
    let labels = series.labels.as_ref().or(group.labels.as_ref());
    let labels = labels.map_or(String::new(), |labels| labels_markup(labels, c));
    let marker = marker_markup(kind, series, c)?;
    let smooth = u8::from(group.smooth);
    let (looks, end) = match kind {
        ChartKind::Line | ChartKind::Scatter => (marker, format!("<{c}smooth val=\"{smooth}\"/>")),
        ChartKind::Column | ChartKind::Bar => (format!("<{c}invertIfNegative val=\"0\"/>"), String::new()),
        ChartKind::Area | ChartKind::Pie | ChartKind::Doughnut => (String::new(), String::new()),
    };
    Ok(format!(
        "<{c}ser><{c}idx val=\"{index}\"/><{c}order val=\"{index}\"/>{name}{shape}{looks}{labels}{categories}{values}{end}</{c}ser>"
    ))
}

/// What a colour is called in a file.
fn solid(color: &str) -> Result<String, Refusal> {
    let digits = color.strip_prefix('#').unwrap_or(color);
    match digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        true => {
            Ok(format!("<a:solidFill><a:srgbClr val=\"{}\"/></a:solidFill>", digits.to_ascii_uppercase()))
        }
        false => Err(Refusal::invalid("color", format!("`{color}`"), "#RRGGBB, such as #4472C4")),
    }
}

fn shape_markup(group: &NewGroup, series: &NewSeries, c: &str) -> Result<String, Refusal> {
    const DASHES: [&str; 8] =
        ["solid", "dash", "dashDot", "lgDash", "lgDashDot", "sysDash", "sysDashDot", "sysDot"];
    let is_line = matches!(group.kind, ChartKind::Line | ChartKind::Scatter);
    let bare = group.kind == ChartKind::Scatter
        && !group.lines
        && series.line.is_none()
        && series.line_width.is_none();
    // The colour of a line is its line; people call it fill all the same.
    let line = series.line.as_ref().or(series.fill.as_ref().filter(|_| is_line && !bare));
    let line = line.map(|color| solid(color)).transpose()?;
    let filled = series.fill.as_ref().filter(|_| !is_line).map(|color| solid(color)).transpose()?;
    let width = match series.line_width {
        Some(width) if !(0.0..=1584.0).contains(&width) => {
            return Err(Refusal::invalid("line_width", width, "0 to 1584 points"));
        }
        Some(width) => format!(" w=\"{}\"", (width * 12_700.0) as u64),
        None if group.kind == ChartKind::Scatter => " w=\"19050\"".to_owned(),
        None => String::new(),
    };
    let dash = match &series.dash {
        Some(dash) if !DASHES.contains(&dash.as_str()) => {
            return Err(Refusal::invalid("dash", format!("`{dash}`"), DASHES.join(", ")));
        }
        Some(dash) => format!("<a:prstDash val=\"{dash}\"/>"),
        None => String::new(),
    };
    let a = format!(" xmlns:a=\"{}\"", ns::A);
    let line = match line {
        _ if bare => format!("<a:ln{a}{width}><a:noFill/></a:ln>"),
        None if width.is_empty() && dash.is_empty() => String::new(),
        line => format!("<a:ln{a}{width}>{}{dash}</a:ln>", line.unwrap_or_default()),
    };
    // The part may not declare the prefix where it was made elsewhere.
    let filled =
        filled.map_or(String::new(), |fill| fill.replacen("<a:solidFill", &format!("<a:solidFill{a}"), 1));
    Ok(match filled.is_empty() && line.is_empty() {
        true => String::new(),
        false => format!("<{c}spPr>{filled}{line}</{c}spPr>"),
    })
}

fn marker_markup(kind: ChartKind, series: &NewSeries, c: &str) -> Result<String, Refusal> {
    const KNOWN: [&str; 10] =
        ["none", "circle", "square", "diamond", "triangle", "x", "plus", "star", "dash", "dot"];
    let is_line = matches!(kind, ChartKind::Line | ChartKind::Scatter);
    let symbol = match (series.marker.as_deref(), kind) {
        (Some(_), _) if !is_line => {
            return Err(Refusal::invalid("marker", kind.name(), "a line or scatter chart"));
        }
        (Some(symbol), _) if !KNOWN.contains(&symbol) => {
            return Err(Refusal::invalid("marker", format!("`{symbol}`"), KNOWN.join(", ")));
        }
        (Some(symbol), _) => symbol,
        (None, ChartKind::Line) => "none",
        // Points that are not joined have the colour of their series at the marker.
        (None, ChartKind::Scatter) if series.fill.is_some() => "circle",
        (None, _) => return Ok(String::new()),
    };
    let color = series.fill.as_ref().or(series.line.as_ref()).filter(|_| symbol != "none");
    let color = match color {
        Some(color) => {
            let a = format!("<a:solidFill xmlns:a=\"{}\"", ns::A);
            let fill = solid(color)?.replacen("<a:solidFill", &a, 1);
            format!("<{c}spPr>{fill}<a:ln xmlns:a=\"{}\">{}</a:ln></{c}spPr>", ns::A, solid(color)?)
        }
        None => String::new(),
    };
    Ok(format!("<{c}marker><{c}symbol val=\"{symbol}\"/>{color}</{c}marker>"))
}

fn labels_markup(labels: &NewLabels, c: &str) -> String {
    let flag = |name: &str, on: bool| format!("<{c}{name} val=\"{}\"/>", u8::from(on));
    format!(
        "<{c}dLbls>{}{}{}{}{}{}</{c}dLbls>",
        flag("showLegendKey", false),
        flag("showVal", labels.value),
        flag("showCatName", labels.category),
        flag("showSerName", labels.series),
        flag("showPercent", labels.percent),
        flag("showBubbleSize", false),
    )
}

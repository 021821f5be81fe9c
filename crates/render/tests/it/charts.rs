//! Charts, and objects that somebody broke, in small workbooks of our own.

use edit::{Content, Context, Format};
use render::Options;
use sheet::Sheet;

use crate::workbook::{draw, hold, workbook_with};

const C: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";
const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const X: &str = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Twelve months of sales, a rate and days.
fn rows() -> String {
    let rows: String = (1..=8)
        .map(|row| {
            let (sales, rate, day) = (row * row * 7 % 40 + 5, f64::from(row) * 0.013, 45_292 + row * 3);
            format!(
                r#"<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>Item {row}</t></is></c><c r="B{row}"><v>{sales}</v></c><c r="C{row}"><v>{}</v></c><c r="D{row}"><v>{rate}</v></c><c r="E{row}"><v>{day}</v></c></row>"#,
                row * 4 - 10
            )
        })
        .collect();
    format!(r#"<sheetData>{rows}</sheetData><drawing r:id="rId1"/>"#)
}

fn series(index: usize, values: char, across: &str, more: &str) -> String {
    format!(
        r#"<c:ser><c:idx val="{index}"/><c:order val="{index}"/><c:tx><c:v>Series {values}</c:v></c:tx>{more}{across}<c:val><c:numRef><c:f>Sheet1!${values}$1:${values}$8</c:f></c:numRef></c:val></c:ser>"#
    )
}

const NAMES: &str = "<c:cat><c:strRef><c:f>Sheet1!$A$1:$A$8</c:f></c:strRef></c:cat>";
const DAYS: &str = "<c:cat><c:numRef><c:f>Sheet1!$E$1:$E$8</c:f></c:numRef></c:cat>";

fn axes(first: usize, category: &str, value: &str) -> String {
    let second = first + 1;
    format!(
        r#"<c:{category}><c:axId val="{first}"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="{second}"/></c:{category}><c:valAx><c:axId val="{second}"/>{value}<c:axPos val="l"/><c:majorGridlines/><c:crossAx val="{first}"/></c:valAx>"#
    )
}

fn of(plot: &str, more: &str) -> Content {
    let chart = format!(
        r#"<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart>{more}<c:plotArea><c:layout/>{plot}</c:plotArea><c:legend><c:legendPos val="r"/></c:legend><c:plotVisOnly val="1"/></c:chart></c:chartSpace>"#
    );
    let frame = format!(
        r#"<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Sales"/></xdr:nvGraphicFramePr><a:graphic><a:graphicData uri="{C}"><c:chart xmlns:c="{C}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>"#
    );
    placed(&frame, vec![("xl/charts/chart1.xml", "chart", chart.into_bytes())])
}

/// A sheet with one object on it.
fn placed(object: &str, parts: Vec<(&'static str, &'static str, Vec<u8>)>) -> Content {
    let drawing = format!(
        r#"<xdr:wsDr xmlns:xdr="{X}" xmlns:a="{A}" xmlns:r="{R}"><xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="3600000" cy="2200000"/>{object}<xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>"#
    );
    let mut all = vec![("xl/drawings/drawing1.xml", "drawing", drawing.into_bytes())];
    all.extend(parts);
    workbook_with(&rows(), "", all)
}

fn chart(content: &Content, dpr: f32) -> Result<render::Picture, edit::Refusal> {
    let view = Sheet::view(content).expect("a view");
    let sheet = view.sheet("Sheet1").expect("a sheet");
    let objects = sheet.placed().expect("objects");
    let options = Options { dpr, ..Options::default() };
    render::chart(&sheet, objects.first().expect("a chart"), &options, 1.0, &Context::new("", 0, 0))
}

fn kinds() -> Vec<(&'static str, Content)> {
    let label = r#"<c:dLbls><c:showVal val="1"/></c:dLbls>"#;
    let columns = format!(
        r#"<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>{}<c:axId val="1"/><c:axId val="2"/></c:barChart><c:lineChart><c:grouping val="standard"/>{}<c:marker val="1"/><c:axId val="3"/><c:axId val="4"/></c:lineChart>{}{}"#,
        series(0, 'B', "", label).replace("<c:val>", &format!("{NAMES}<c:val>")),
        series(1, 'D', NAMES, ""),
        axes(1, "catAx", r#"<c:scaling/>"#),
        axes(3, "catAx", r#"<c:scaling/><c:numFmt formatCode="0%" sourceLinked="0"/>"#)
            .replace(r#"<c:axPos val="l"/>"#, r#"<c:axPos val="r"/><c:crosses val="max"/>"#)
    );
    let bars = format!(
        r#"<c:barChart><c:barDir val="bar"/><c:grouping val="percentStacked"/>{}{}<c:overlap val="100"/><c:axId val="1"/><c:axId val="2"/></c:barChart>{}"#,
        series(0, 'B', NAMES, ""),
        series(1, 'C', NAMES, ""),
        axes(1, "catAx", "<c:scaling/>")
    );
    let dates = format!(
        r#"<c:areaChart><c:grouping val="stacked"/>{}{}<c:axId val="1"/><c:axId val="2"/></c:areaChart>{}"#,
        series(0, 'B', DAYS, ""),
        series(1, 'E', DAYS, ""),
        axes(1, "dateAx", r#"<c:scaling><c:logBase val="10"/></c:scaling>"#).replace(
            "<c:crossAx val=\"2\"/>",
            r#"<c:numFmt formatCode="d mmm" sourceLinked="0"/><c:crossAx val="2"/>"#
        )
    );
    let pie = format!(
        r#"<c:pieChart><c:varyColors val="1"/>{}</c:pieChart>"#,
        series(
            0,
            'B',
            NAMES,
            r#"<c:dPt><c:idx val="2"/><c:explosion val="20"/></c:dPt><c:dLbls><c:showPercent val="1"/></c:dLbls>"#
        )
    );
    let rings = format!(
        r#"<c:doughnutChart>{}{}<c:holeSize val="40"/></c:doughnutChart>"#,
        series(0, 'B', NAMES, ""),
        series(1, 'D', NAMES, "")
    );
    let dots = format!(
        r#"<c:scatterChart><c:scatterStyle val="lineMarker"/>{}<c:axId val="1"/><c:axId val="2"/></c:scatterChart>{}"#,
        series(0, 'B', "<c:xVal><c:numRef><c:f>Sheet1!$C$1:$C$8</c:f></c:numRef></c:xVal>", r#"<c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:trendline><c:trendlineType val="poly"/><c:order val="2"/><c:dispRSqr val="1"/><c:dispEq val="1"/></c:trendline>"#).replace("c:val>", "c:yVal>"),
        axes(1, "valAx", "<c:scaling/>")
    );
    let title =
        r#"<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales and rate</a:t></a:r></a:p></c:rich></c:tx></c:title>"#;
    vec![
        ("chart-columns-and-line", of(&columns, title)),
        ("chart-bars", of(&bars, "")),
        ("chart-areas-of-days", of(&dates, "")),
        ("chart-pie", of(&pie, "")),
        ("chart-rings", of(&rings, "")),
        ("chart-dots", of(&dots, "")),
    ]
}

#[test]
fn charts_are_as_they_were() {
    for (name, content) in kinds() {
        hold(name, &chart(&content, 1.0).expect(name).bytes);
    }
}

#[test]
fn other_kinds_are_refused_alone_and_framed_among_cells() {
    let content = of("<c:radarChart><c:ser><c:tx><c:v>North</c:v></c:tx></c:ser></c:radarChart>", "");
    let refusal = chart(&content, 1.0).expect_err("no radar");
    assert!(refusal.to_string().contains("its kind is radar") && refusal.hint().is_some(), "{refusal}");
    let picture = draw(&content, "A1:H20", &Options::default()).expect("drawn");
    assert!(
        picture.not_drawn.iter().any(|told| told.contains("Sales") && told.contains("radar")),
        "{:?}",
        picture.not_drawn
    );
}

#[test]
fn form_controls_are_framed_and_told() {
    let controls = r#"<controls><control shapeId="1025" name="Option Button 1"><controlPr><anchor><from><col>1</col><colOff>0</colOff><row>2</row><rowOff>0</rowOff></from><to><col>3</col><colOff>0</colOff><row>4</row><rowOff>0</rowOff></to></anchor></controlPr></control><control shapeId="1026" name="Old"/></controls>"#;
    let sheet = rows().replace(r#"<drawing r:id="rId1"/>"#, controls);
    let content = workbook_with(&sheet, "", Vec::new());
    let told = draw(&content, "A1:H20", &Options::default()).expect("drawn").not_drawn;
    assert!(told[0].contains("form control `Option Button 1`") && told[1].contains("`Old`"), "{told:?}");
    assert_eq!(draw(&content, "F10:H20", &Options::default()).expect("drawn").not_drawn.len(), 1);
}

/// A picture that is none, one that claims more pixels than there are, and one cut off.
#[test]
fn broken_pictures_are_framed_and_told() {
    let pic = r#"<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic>"#;
    let mut huge = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    huge.extend([0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 8, 6, 0, 0, 0]);
    let whole = draw(&placed("", Vec::new()), "A1:B2", &Options::default()).expect("drawn").bytes;
    let half = whole.get(..whole.len() / 2).unwrap_or_default().to_vec();
    for bytes in [b"no picture".to_vec(), huge, half, Vec::new(), b"\xFF\xD8\xFF\xE0".to_vec()] {
        let content = placed(pic, vec![("xl/media/image1.png", "image", bytes)]);
        let picture = draw(&content, "A1:H20", &Options::default()).expect("drawn");
        assert!(picture.not_drawn.iter().any(|told| told.contains("Logo")), "{:?}", picture.not_drawn);
    }
    let content = placed(pic, vec![("xl/media/image1.png", "image", whole)]);
    assert!(draw(&content, "A1:H20", &Options::default()).expect("drawn").not_drawn.is_empty());
}

#[test]
fn strange_fonts_are_drawn() {
    for (name, size) in [
        ("", "11"),
        ("Calibri", "0"),
        ("Calibri", "409"),
        ("Calibri", "1e9"),
        ("\u{202E}../etc/passwd", "-5"),
    ] {
        let styles = format!(
            r#"<fonts><font><sz val="{size}"/><name val="{name}"/></font></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/></cellXfs>"#
        );
        let content = workbook_with(&rows().replace(r#"<drawing r:id="rId1"/>"#, ""), &styles, Vec::new());
        // Letters of 409 points make rows that no picture has room for.
        if let Err(refusal) = draw(&content, "A1:D8", &Options::default()) {
            assert!(size == "409" && refusal.hint().is_some(), "{name} {size}: {refusal}");
        }
    }
}

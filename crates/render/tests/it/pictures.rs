//! Small workbooks of our own against the pictures in `ref`. `UPDATE_PICTURES=1` writes them, for you to look at before
//! you keep them. A picture that differs is kept beside the target folder with what changed framed.

use std::path::PathBuf;
use std::sync::Arc;

use edit::{Content, Context, Format};
use render::{Options, PictureFormat};
use sheet::{Area, Sheet};

const S: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const STYLES: &str = r#"<fonts><font><sz val="11"/><color theme="1"/><name val="Calibri"/></font><font><b/><sz val="14"/><color rgb="FFC00000"/><name val="Arial"/></font><font><i/><u/><sz val="11"/><name val="Cambria"/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor theme="4" tint="0.6"/></patternFill></fill><fill><gradientFill degree="45"><stop position="0"><color rgb="FFFFFF00"/></stop><stop position="1"><color rgb="FF00B050"/></stop></gradientFill></fill><fill><patternFill patternType="darkUp"><fgColor rgb="FF7030A0"/><bgColor rgb="FFFFFFFF"/></patternFill></fill></fills>
<borders><border/><border><left style="thin"/><right style="medium"/><top style="double"/><bottom style="thick"><color rgb="FFFF0000"/></bottom></border><border diagonalUp="1" diagonalDown="1"><bottom style="mediumDashDot"/><diagonal style="thin"/></border></borders>
<cellXfs><xf/><xf fontId="1"/><xf fontId="2" fillId="2"/><xf fillId="3" borderId="1"/><xf fillId="4"/><xf borderId="2"/><xf numFmtId="44"/><xf numFmtId="3"/><xf><alignment wrapText="1" vertical="top"/></xf><xf><alignment textRotation="45"/></xf><xf><alignment horizontal="center" textRotation="255"/></xf><xf><alignment horizontal="centerContinuous"/></xf><xf><alignment shrinkToFit="1"/></xf><xf><alignment horizontal="right" indent="2"/></xf></cellXfs>"#;

fn workbook(inside: &str) -> Content {
    let relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
    let main = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let files = [
        (
            "[Content_Types].xml",
            format!(
                r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{main}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{main}.worksheet+xml"/></Types>"#
            ),
        ),
        (
            "_rels/.rels",
            format!(
                r#"<Relationships xmlns="{relationships}"><Relationship Id="rId1" Type="{R}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                r#"<Relationships xmlns="{relationships}"><Relationship Id="rId1" Type="{R}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{R}/styles" Target="styles.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                r#"<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        ),
        ("xl/styles.xml", format!(r#"<styleSheet xmlns="{S}">{STYLES}</styleSheet>"#)),
        ("xl/worksheets/sheet1.xml", format!(r#"<worksheet xmlns="{S}" xmlns:r="{R}">{inside}</worksheet>"#)),
    ];
    let file = ooxml::new_package(&files).expect("a package");
    Sheet::unpack(Arc::new(file), &sheet::limits()).expect("opens").1
}

fn draw(content: &Content, area: &str, options: &Options) -> Result<render::Picture, edit::Refusal> {
    let view = Sheet::view(content).expect("a view");
    let sheet = view.sheet("Sheet1").expect("a sheet");
    render::range(&sheet, area.parse::<Area>().expect("an area"), options, &Context::new("", 0, 0))
}

fn text(cell: &str, style: u32, text: &str) -> String {
    format!(r#"<c r="{cell}" s="{style}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

/// Formats of cells, one of each kind.
fn formats() -> Content {
    workbook(&formats_inside())
}

fn formats_inside() -> String {
    format!(
        r#"<cols><col min="2" max="2" width="16.7109375" customWidth="1"/><col min="4" max="4" hidden="1"/></cols><sheetData><row r="1">{}{}<c r="C1" s="3"/></row><row r="2"><c r="A2" s="4"/><c r="B2" s="6"><v>-1234.5</v></c><c r="C2" s="5"/></row><row r="3">{}<c r="B3" s="7"><v>123456789012</v></c><c r="C3" s="7"><v>123456789012</v></c></row><row r="4" ht="60" customHeight="1">{}{}{}</row><row r="5">{}<c r="B5" s="11"/><c r="C5"><v>0.333333333333</v></c></row><row r="6">{}{}<c r="C6" t="b"><v>1</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="E1:F2"/></mergeCells>"#,
        text("A1", 1, "Large and long enough to run over"),
        "",
        text("A3", 2, "Cambria"),
        text("A4", 9, "slanted"),
        text("B4", 8, "wrapped over as many lines as it takes"),
        text("C4", 10, "up"),
        text("A5", 11, "centred across"),
        text("A6", 12, "shrunk until it fits"),
        text("B6", 13, "indented"),
    )
}

/// Scales, bars and icons.
fn rules() -> Content {
    workbook(&rules_inside())
}

fn rules_inside() -> String {
    let rows: String = (1..=6)
        .map(|row| {
            let value = row * row - 10;
            format!(
                r#"<row r="{row}"><c r="A{row}"><v>{value}</v></c><c r="B{row}"><v>{row}</v></c><c r="C{row}"><v>{row}</v></c><c r="D{row}"><v>{row}</v></c></row>"#
            )
        })
        .collect();
    let points =
        r#"<cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/>"#;
    format!(
        r#"<sheetData>{rows}</sheetData><conditionalFormatting sqref="A1:A6"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="FFF8696B"/><color rgb="FFFFFFFF"/><color rgb="FF63BE7B"/></colorScale></cfRule></conditionalFormatting><conditionalFormatting sqref="B1:B6"><cfRule type="dataBar" priority="2"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule></conditionalFormatting><conditionalFormatting sqref="C1:C6"><cfRule type="iconSet" priority="3"><iconSet iconSet="3Arrows">{points}</iconSet></cfRule></conditionalFormatting><conditionalFormatting sqref="D1:D6"><cfRule type="iconSet" priority="4"><iconSet iconSet="3Symbols" showValue="0">{points}</iconSet></cfRule></conditionalFormatting>"#
    )
}

fn hold(name: &str, found: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ref").join(format!("{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&path, found).expect("written");
    }
    let wanted = std::fs::read(&path).unwrap_or_default();
    if wanted == found {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(format!("{name}-now.png")), found).expect("written");
    let told = match render::difference(&wanted, found) {
        Ok(difference) => {
            std::fs::write(folder.join(format!("{name}-changed.png")), &difference.png).expect("written");
            format!("{} pixels differ, in {:?}", difference.changed, difference.places)
        }
        Err(refusal) => refusal.to_string(),
    };
    panic!("{name} is not as in ref: {told}; see {}", folder.display());
}

#[test]
fn pictures_are_as_they_were() {
    let large = Options { dpr: 2.0, headings: true, ..Options::default() };
    hold("formats", &draw(&formats(), "A1:F6", &Options::default()).expect("drawn").bytes);
    hold("formats-large", &draw(&formats(), "A1:C3", &large).expect("drawn").bytes);
    hold("rules", &draw(&rules(), "A1:D6", &Options::default()).expect("drawn").bytes);
}

#[test]
fn a_second_picture_has_the_same_bytes() {
    for format in [PictureFormat::Png, PictureFormat::Svg] {
        let options = Options { format, ..Options::default() };
        let first = draw(&formats(), "A1:F6", &options).expect("drawn").bytes;
        assert_eq!(first, draw(&formats(), "A1:F6", &options).expect("drawn").bytes);
    }
    let svg = Options { format: PictureFormat::Svg, ..Options::default() };
    let text = String::from_utf8(draw(&formats(), "A1:F6", &svg).expect("drawn").bytes).expect("UTF-8");
    assert!(text.starts_with("<svg ") && text.contains("aria-label=\"Cambria\""));
}

#[test]
fn what_changed_is_found() {
    let one = workbook(r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>"#);
    let two = workbook(r#"<sheetData><row r="1"><c r="A1"><v>2</v></c></row></sheetData>"#);
    let [before, after] =
        [&one, &two].map(|book| draw(book, "A1:H20", &Options::default()).expect("drawn").bytes);
    let found = render::difference(&before, &after).expect("compared");
    assert!(found.changed > 0 && found.places.len() == 1, "{:?}", found.places);
    assert_eq!(render::difference(&before, &before).expect("compared").changed, 0);
    assert!(render::difference(b"no picture", &after).is_err());
}

#[test]
fn what_cannot_be_drawn_is_refused_with_advice() {
    let book = formats();
    for dpr in [0.0, 0.5, 4.0, f32::NAN, f32::INFINITY] {
        assert!(draw(&book, "A1:B2", &Options { dpr, ..Options::default() }).is_err(), "{dpr}");
    }
    for area in ["A1:XFD1048576", "A:Z", "A1:XFD9", "A1:B60000", "D1:D6"] {
        let refusal = draw(&book, area, &Options::default()).expect_err(area);
        assert!(refusal.hint().is_some(), "{area}: {refusal}");
    }
}

#[test]
fn other_fonts_and_unknown_letters_are_told() {
    let book = workbook(&format!(r#"<sheetData><row r="1">{}</row></sheetData>"#, text("A1", 0, "中 שלום")));
    let picture = draw(&book, "A1:B2", &Options::default()).expect("drawn");
    assert_eq!(picture.missing_characters, "中");
    assert!(picture.substituted.is_empty());
}

/// Every number of the sheets in turn becomes one that no sheet should have.
#[test]
fn strange_numbers_are_drawn_or_refused() {
    for inside in [formats_inside(), rules_inside()] {
        let digits = |c: char| c.is_ascii_digit();
        let mut at = 0;
        while let Some(start) = inside[at..].find(digits).map(|found| at + found) {
            let end = inside[start..].find(|c| !digits(c)).map_or(inside.len(), |found| start + found);
            for strange in ["0", "-1", "4294967295", "1e308", "NaN", ""] {
                let damaged = format!("{}{strange}{}", &inside[..start], &inside[end..]);
                // A sheet that cannot be read is refused before anybody draws it.
                let book = workbook(&damaged);
                let Ok(view) = Sheet::view(&book) else { continue };
                let Ok(sheet) = view.sheet("Sheet1") else { continue };
                let area = "A1:F6".parse::<Area>().expect("an area");
                if let Ok(picture) = render::range(&sheet, area, &Options::default(), &Context::new("", 0, 0))
                {
                    assert!(picture.bytes.starts_with(b"\x89PNG"));
                }
            }
            at = end;
        }
    }
}

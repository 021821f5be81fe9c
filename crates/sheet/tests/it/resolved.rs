//! The look of cells, decided.

use edit::{Content, Context, Format};
use sheet::resolved::{LineStyle, LookFill, Resolved, ResolvedCell, Rgb};
use sheet::{CellRef, Sheet};

use crate::book::{book_with, rows};

const STYLES: &str = r##"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<fonts><font><sz val="11"/><color theme="1"/><name val="Calibri"/></font><font><b/><sz val="14"/><color theme="4" tint="-0.25"/><name val="Arial"/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill><fill><gradientFill degree="90"><stop position="0"><color rgb="FFFF0000"/></stop><stop position="1"><color rgb="FF0000FF"/></stop></gradientFill></fill></fills>
<borders><border/><border diagonalDown="1"><bottom style="thick"><color indexed="10"/></bottom><diagonal style="thin"/></border></borders>
<cellXfs><xf/><xf fontId="1"/><xf fillId="2"/><xf fillId="3" borderId="1"/><xf numFmtId="6"/></cellXfs>
<dxfs><dxf><fill><patternFill><bgColor rgb="FF00FF00"/></patternFill></fill></dxf><dxf><font><b/><color rgb="FFFF0000"/></font></dxf></dxfs>
</styleSheet>"##;

fn resolved(content: &Content, area: &str) -> Resolved {
    let view = Sheet::view(content).expect("a view");
    let sheet = view.sheet("Sheet1").expect("a sheet");
    sheet.resolved(area.parse().expect("an area"), &Context::new("test", 0, 0)).expect("resolves")
}

fn at<'a>(resolved: &'a Resolved, cell: &str) -> &'a ResolvedCell {
    resolved.cell(cell.parse::<CellRef>().expect("a cell")).expect("inside")
}

fn styled(inside: &str) -> Content {
    book_with(&[("Sheet1", inside)], "", &[("xl/styles.xml", STYLES)])
}

#[test]
fn formats_of_cells_rows_and_columns() {
    let content = styled(
        r#"<cols><col min="2" max="2" style="2"/></cols><sheetData><row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="3"/></row><row r="2" s="1" customFormat="1"><c r="C2" s="4"><v>-5</v></c></row></sheetData>"#,
    );
    let found = resolved(&content, "A1:C3");
    let a1 = &at(&found, "A1").look;
    assert_eq!((a1.font.name.as_str(), a1.font.size, a1.font.bold), ("Arial", 14.0, true));
    assert_eq!(a1.font.color, Some(Rgb(0x44, 0x72, 0xC4).tinted(-0.25)));
    let b1 = &at(&found, "B1").look;
    assert!(matches!(&b1.fill, LookFill::Gradient(gradient) if gradient.stops.len() == 2));
    assert_eq!(
        b1.border.bottom.map(|line| (line.style, line.color)),
        Some((LineStyle::Thick, Rgb(255, 0, 0)))
    );
    assert!(b1.border.down && !b1.border.up && b1.border.diagonal.is_some());
    // A column's format shows where neither the cell nor its row has one.
    assert_eq!(at(&found, "B3").look.fill, LookFill::Solid(Rgb(255, 255, 0)));
    assert_eq!(at(&found, "B2").look.fill, LookFill::None);
    assert!(at(&found, "B2").look.font.bold);
    let red = at(&found, "C2");
    assert_eq!((red.shown.text.as_str(), red.shown.color), ("($5)", Some(Rgb(255, 0, 0))));
}

#[test]
fn rules_by_priority_until_one_stops() {
    let content = styled(
        r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>5</v></c></row><row r="3"><c r="A3"><v>9</v></c></row></sheetData>
        <conditionalFormatting sqref="A1:A3"><cfRule type="expression" dxfId="1" priority="2"><formula>A1&gt;2</formula></cfRule></conditionalFormatting>
        <conditionalFormatting sqref="A1:A3"><cfRule type="cellIs" operator="greaterThan" dxfId="0" priority="1" stopIfTrue="1"><formula>6</formula></cfRule></conditionalFormatting>"#,
    );
    let found = resolved(&content, "A1:A3");
    assert_eq!(at(&found, "A1").look.fill, LookFill::None);
    assert_eq!((at(&found, "A2").look.font.bold, &at(&found, "A2").look.fill), (true, &LookFill::None));
    let a3 = &at(&found, "A3").look;
    assert_eq!((a3.font.bold, &a3.fill), (false, &LookFill::Solid(Rgb(0, 255, 0))));
}

#[test]
fn scales_bars_and_icons() {
    let cells: String = [0, 5, 10].iter().enumerate().map(|(row, value)| {
        let row = row + 1;
        format!(r#"<row r="{row}"><c r="A{row}"><v>{value}</v></c><c r="B{row}"><v>{value}</v></c><c r="C{row}"><v>{value}</v></c></row>"#)
    }).collect();
    let content = styled(&format!(
        r#"<sheetData>{cells}</sheetData>
        <conditionalFormatting sqref="A1:A3"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FF000000"/><color rgb="FFFFFFFF"/></colorScale></cfRule></conditionalFormatting>
        <conditionalFormatting sqref="B1:B3"><cfRule type="dataBar" priority="2"><dataBar showValue="0"><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule></conditionalFormatting>
        <conditionalFormatting sqref="C1:C3"><cfRule type="iconSet" priority="3"><iconSet iconSet="3Arrows" reverse="1"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/></iconSet></cfRule></conditionalFormatting>"#
    ));
    let found = resolved(&content, "A1:C3");
    assert_eq!(at(&found, "A2").look.fill, LookFill::Solid(Rgb(128, 128, 128)));
    let bar = at(&found, "B3").bar.as_ref().expect("a bar");
    assert_eq!((bar.from, bar.to, at(&found, "B3").hides_value), (0.0, 0.9, true));
    let icons: Vec<usize> =
        ["C1", "C2", "C3"].iter().filter_map(|cell| Some(at(&found, cell).icon.as_ref()?.index)).collect();
    assert_eq!(icons, [2, 1, 0]);
}

#[test]
fn a_table_lies_under_its_cells() {
    let table = r#"<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B3"><tableColumns count="2"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/></tableColumns><tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>"#;
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>"#;
    let content = book_with(
        &[(
            "Sheet1",
            r#"<sheetData><row r="2"><c r="B2" s="2"/></row></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts>"#,
        )],
        "",
        &[
            ("xl/styles.xml", STYLES),
            ("xl/tables/table1.xml", table),
            ("xl/worksheets/_rels/sheet1.xml.rels", rels),
        ],
    );
    let found = resolved(&content, "A1:C3");
    let head = &at(&found, "A1").look;
    assert_eq!((&head.fill, head.font.color), (&LookFill::Solid(Rgb(0x44, 0x72, 0xC4)), Some(Rgb::WHITE)));
    assert!(matches!(at(&found, "A2").look.fill, LookFill::Solid(_)));
    assert_eq!(at(&found, "A3").look.fill, LookFill::None);
    assert_eq!(at(&found, "B2").look.fill, LookFill::Solid(Rgb(255, 255, 0)));
    assert_eq!(at(&found, "C1").look.fill, LookFill::None);
}

#[test]
fn a_rule_that_cannot_be_decided_is_told() {
    let mut content = rows(r#"<row r="1"><c r="A1"><v>1</v></c></row>"#);
    assert!(resolved(&content, "A1").notes.is_empty());
    content = styled(
        r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><conditionalFormatting sqref="A1"><cfRule type="expression" dxfId="0" priority="1"><formula>A1&gt;&gt;(</formula></cfRule></conditionalFormatting>"#,
    );
    let found = resolved(&content, "A1");
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert!(found.notes[0].contains("expression"));
}

//! Small workbooks of our own against the pictures in `ref`. `UPDATE_PICTURES=1` writes them, for you to look at before
//! you keep them. A picture that differs is kept beside the target folder with what changed framed.

use edit::{Content, Context, Format};
use render::{Options, PictureFormat};
use sheet::{Area, Sheet};

use crate::workbook::{draw, hold, text, workbook, workbook_with};

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

#[test]
fn pictures_are_as_they_were() {
    let large = Options { dpr: 2.0, headings: true, ..Options::default() };
    hold("formats", &draw(&formats(), "A1:F6", &Options::default()).expect("drawn").bytes);
    hold("formats-large", &draw(&formats(), "A1:C3", &large).expect("drawn").bytes);
    hold("rules", &draw(&rules(), "A1:D6", &Options::default()).expect("drawn").bytes);
}

/// The same test again, where another language and another clock are set.
#[test]
fn another_locale_makes_the_same_pictures() {
    if std::env::var_os("RENDER_ELSEWHERE").is_some() {
        return;
    }
    let done = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["are_as_they_were", "--test-threads", "1"])
        .envs([
            ("LC_ALL", "de_DE.UTF-8"),
            ("LANG", "de_DE.UTF-8"),
            ("TZ", "Asia/Kathmandu"),
            ("RENDER_ELSEWHERE", "1"),
        ])
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
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

/// Programs write an empty code for the format 0, and Excel shows the numbers all the same.
#[test]
fn a_format_that_says_nothing_hides_nothing() {
    let inside = r#"<sheetData><row r="1"><c r="A1" s="0"><v>4711</v></c></row></sheetData>"#;
    let [plain, empty] = ["", r#"<numFmts><numFmt numFmtId="0" formatCode=""/></numFmts>"#].map(|formats| {
        let book =
            workbook_with(inside, &format!("{formats}<cellXfs><xf numFmtId=\"0\"/></cellXfs>"), Vec::new());
        draw(&book, "A1:A1", &Options::default()).expect("drawn").bytes
    });
    assert_eq!(plain, empty);
}

/// Digits that a column of Excel is just wide enough for, whose letters are whole pixels wide.
#[test]
fn a_number_that_fits_in_excel_is_no_row_of_hashes() {
    // Fifteen digits of seven pixels, and five for the margins.
    let sheet = |number: &str| {
        let inside = format!(
            r#"<cols><col min="1" max="1" width="15.7109375" customWidth="1"/></cols><sheetData><row r="1"><c r="A1" s="3"><v>{number}</v></c></row></sheetData>"#
        );
        let styles = r#"<cellXfs><xf/><xf/><xf/><xf numFmtId="1"/></cellXfs>"#;
        let svg = Options { format: PictureFormat::Svg, ..Options::default() };
        let picture = draw(&workbook_with(&inside, styles, Vec::new()), "A1:A1", &svg).expect("drawn");
        String::from_utf8(picture.bytes).expect("UTF-8")
    };
    assert!(sheet("123456789012345").contains("aria-label=\"123456789012345\""));
    assert!(sheet("1234567890123450").contains("aria-label=\"####"));
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
            let all = ["0", "-1", "4294967295", "1e308", "NaN", ""];
            // One for each number, another for the next; all of them where there is time.
            let whole = std::env::var_os("RENDER_WHOLE").is_some();
            for strange in all.into_iter().enumerate().filter(|(index, _)| whole || (start + index) % 24 == 0)
            {
                let strange = strange.1;
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

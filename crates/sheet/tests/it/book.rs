//! Small workbooks to test with.

use std::sync::Arc;

use edit::{Content, Format, Refusal};
use sheet::{CellChange, Edit, Input, Sheet, View};
use testkit::Checked;

const S: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A workbook with the given sheets: name, and what follows the start tag of `worksheet`.
pub(crate) fn book(sheets: &[(&str, &str)]) -> Content {
    book_with(sheets, "", &[])
}

/// The same with more children of `workbook`, and more parts. Parts named `*.rels` need no content type.
pub(crate) fn book_with(sheets: &[(&str, &str)], more: &str, parts: &[(&str, &str)]) -> Content {
    let mut list = String::new();
    let mut rels = String::new();
    let mut types = String::from(
        r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>"#,
    );
    let mut files: Vec<(String, String)> = Vec::new();
    for (index, (name, inside)) in sheets.iter().enumerate() {
        let number = index + 1;
        list += &format!(r#"<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>"#);
        rels += &format!(
            r#"<Relationship Id="rId{number}" Type="{R}/worksheet" Target="worksheets/sheet{number}.xml"/>"#
        );
        types += &format!(
            r#"<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#
        );
        let xml = format!(r#"<worksheet xmlns="{S}" xmlns:r="{R}">{inside}</worksheet>"#);
        files.push((format!("xl/worksheets/sheet{number}.xml"), xml));
    }
    for (name, kind) in [("sharedStrings", "sharedStrings"), ("styles", "styles"), ("calcChain", "calcChain")]
    {
        if parts.iter().any(|(part, _)| *part == format!("xl/{name}.xml")) {
            rels += &format!(r#"<Relationship Id="r{name}" Type="{R}/{kind}" Target="{name}.xml"/>"#);
        }
    }
    files.push((
        "xl/workbook.xml".into(),
        format!(r#"<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{list}</sheets>{more}</workbook>"#),
    ));
    let relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
    files.push((
        "xl/_rels/workbook.xml.rels".into(),
        format!(r#"<Relationships xmlns="{relationships}">{rels}</Relationships>"#),
    ));
    files.push((
        "_rels/.rels".into(),
        format!(
            r#"<Relationships xmlns="{relationships}"><Relationship Id="rId1" Type="{R}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
        ),
    ));
    files.push((
        "[Content_Types].xml".into(),
        format!(
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>"#
        ),
    ));
    files.extend(parts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
    let file = ooxml::new_package(&files).expect("a package");
    Sheet::unpack(Arc::new(file), &sheet::limits()).expect("opens").1
}

/// One sheet called `Sheet1` with the given rows.
pub(crate) fn rows(rows: &str) -> Content {
    book(&[("Sheet1", &format!("<sheetData>{rows}</sheetData>"))])
}

pub(crate) fn set(cells: &[(&str, Input)]) -> Edit {
    let cells =
        cells.iter().map(|(at, input)| CellChange { at: at.parse().expect("a cell"), input: input.clone() });
    Edit::SetCells { sheet: "Sheet1".into(), cells: cells.collect(), seen: None }
}

pub(crate) fn text_of(content: &Content, part: &str) -> String {
    let blob = content.read(part).expect("loads").unwrap_or_else(|| panic!("{part} is not there"));
    String::from_utf8(blob.bytes().into_owned()).expect("UTF-8")
}

/// What stands between the tags of `sheetData` of the first sheet.
pub(crate) fn data(content: &Content) -> String {
    let xml = text_of(content, "xl/worksheets/sheet1.xml");
    match xml.split_once("<sheetData>") {
        Some((_, rest)) => rest.split("</sheetData>").next().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}

#[track_caller]
pub(crate) fn edited(before: &Content, edits: &[Edit]) -> Checked<Sheet> {
    match testkit::check::<Sheet>(before, edits) {
        Ok(checked) => checked,
        Err(refusal) => panic!("refused: {refusal}"),
    }
}

#[track_caller]
pub(crate) fn refused(before: &Content, edits: &[Edit]) -> Refusal {
    match testkit::check::<Sheet>(before, edits) {
        Ok(checked) => panic!("was made: {}", checked.summary),
        Err(refusal) => refusal,
    }
}

/// The formula of a cell as `sheet!address`.
pub(crate) fn formula(view: &View, at: &str) -> String {
    let (sheet, cell) = at.split_once('!').unwrap_or(("Sheet1", at));
    let sheet = view.sheet(sheet).expect("a sheet");
    let cell = sheet.cell(cell.parse().expect("a cell")).expect("reads");
    cell.and_then(|cell| cell.formula).map(|formula| formula.text).unwrap_or_default()
}

//! Workbooks in the binary format of old (`.xls`), read into a new one.
//!
//! Sheets, values, formulas with their last values, names, merged cells and dates come over; looks, charts,
//! pictures, comments and macros do not, and the notes say so. Values are read by a library, which has been seen to
//! panic, to abort and to ask for gigabytes on broken files: whoever takes files from others runs this where that
//! does no harm, in a process of its own with limits. Formulas and names are read by ourselves, because the library
//! mistakes references to other sheets.

mod compound;
mod formulas;
mod table;
mod tokens;

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Range, Reader, SheetType, SheetVisible, Xls, XlsError};
use edit::Refusal;
use ooxml::xml::{escape_attribute, escape_text, ns};

use self::formulas::{Formulas, Old, OldName};
use crate::file::a1::{Area, CellRef};
use crate::file::formula_text::{Singles, formula_for_file};
use crate::file::numbers::show_number;
use crate::file::strings::{encode, text_element};
use crate::file::xml_edit::DECLARATION;

/// An old workbook as a new one.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The bytes of an `.xlsx` file.
    pub file: Vec<u8>,
    /// What did not come over.
    pub notes: Vec<String>,
}

/// Cells of one workbook.
const MOST_CELLS: usize = 20_000_000;

/// Whether a file starts as old Office files do.
pub fn is_old(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
}

/// Reads an old workbook. It may panic or abort on a broken one; see the module.
pub fn from_xls(bytes: &[u8]) -> Result<Converted, Refusal> {
    if has_password(bytes) {
        return Err(Refusal::Encrypted);
    }
    if !compound::is_finite(bytes) {
        let why = "it claims to hold more than the file has".to_owned();
        return Err(Refusal::Corrupt { what: "the workbook".to_owned(), why });
    }
    let mut book: Xls<Cursor<&[u8]>> = Xls::new(Cursor::new(bytes)).map_err(refuse)?;
    let mut sheets = Vec::new();
    let mut skipped = Vec::new();
    let mut lost = 0usize;
    let mut cells = 0usize;
    // What is older has other tokens: its values stay, without formulas.
    let read = formulas::read(bytes);
    let older = read.is_none();
    let Formulas { sheets: mut formulas, names, iterations } = read.unwrap_or_default();
    for sheet in book.sheets_metadata().to_vec() {
        if !matches!(sheet.typ, SheetType::WorkSheet) {
            skipped.push(sheet.name);
            continue;
        }
        let values = book.worksheet_range(&sheet.name).map_err(refuse)?;
        // Formulas that cannot be told are left out; their values stay.
        let formulas = formulas.remove(&sheet.name).unwrap_or_default();
        cells += values.used_cells().count();
        if cells > MOST_CELLS {
            return Err(Refusal::Limit {
                what: "the number of cells".into(),
                found: format!("more than {MOST_CELLS}"),
                limit: MOST_CELLS.to_string(),
            });
        }
        let merges = book.merge_cells_by_sheet_name(&sheet.name).unwrap_or_default();
        let merges: Vec<Area> = merges
            .iter()
            .map(|merge| Area {
                top: merge.start.0,
                left: merge.start.1,
                bottom: merge.end.0,
                right: merge.end.1,
            })
            .filter(|area| !area.is_cell())
            .collect();
        let xml = sheet_markup(&values, &formulas, &merges, &mut lost);
        sheets.push((sheet.name, sheet.visible, xml));
    }
    if sheets.is_empty() {
        return Err(Refusal::Corrupt {
            what: "the workbook".to_owned(),
            why: "it has no sheet with cells".to_owned(),
        });
    }
    let written: Vec<&String> = sheets.iter().map(|(name, _, _)| name).collect();
    let names: Vec<OldName> = names
        .into_iter()
        .filter(|name| {
            (name.name.starts_with("_xlnm.") || crate::edits::book::names::check_name(&name.name).is_ok())
                && formula::parse(&name.text).is_ok()
                && name.sheet.as_ref().is_none_or(|sheet| written.contains(&sheet))
        })
        .collect();
    let mut notes = vec![
        "values, formulas, names, merged cells and dates were read; looks, charts, pictures, comments and macros \
         were not"
            .to_owned(),
    ];
    if older {
        notes.push(
            "the workbook is older than Excel 97: its formulas were left out, their values kept".to_owned(),
        );
    }
    if lost > 0 {
        notes.push(format!("{lost} formulas could not be read; their values were kept"));
    }
    if !skipped.is_empty() {
        notes.push(format!("left out, because they hold no cells: {}", skipped.join(", ")));
    }
    let file = package(&sheets, &names, book.has_1904_epoch(), iterations)?;
    Ok(Converted { file, notes })
}

/// Whether the workbook stream, which starts with a sector of the container, says behind its first record that what
/// follows is encrypted. The reader underneath takes the weakest of the three ways for plain text.
fn has_password(bytes: &[u8]) -> bool {
    const SECTOR: usize = 512;
    let said = |sector: &[u8]| match sector {
        [0x09, 0x08, 16, 0, rest @ ..] => rest.get(16..18) == Some(&[0x2F, 0]),
        [0x09, 0x08, 8, 0, rest @ ..] => rest.get(8..10) == Some(&[0x2F, 0]),
        _ => false,
    };
    bytes.chunks(SECTOR).skip(1).any(said)
}

fn refuse(error: XlsError) -> Refusal {
    match error {
        XlsError::Password => Refusal::Encrypted,
        other => Refusal::Corrupt { what: "the workbook".to_owned(), why: other.to_string() },
    }
}

/// Formats of cells: general, date, date with time, time, duration.
const STYLES: &str = concat!(
    "<fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font></fonts>",
    "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>",
    "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>",
    "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>",
    "<cellXfs count=\"5\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>",
    "<xf numFmtId=\"14\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>",
    "<xf numFmtId=\"22\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>",
    "<xf numFmtId=\"21\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>",
    "<xf numFmtId=\"46\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs>",
    "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>"
);

fn sheet_markup(
    values: &Range<Data>,
    formulas: &BTreeMap<(u32, u32), Old>,
    merges: &[Area],
    lost: &mut usize,
) -> String {
    let (top, left) = values.start().unwrap_or((0, 0));
    let mut formula_at = |at: CellRef| match formulas.get(&(at.row, at.col))? {
        Old::Plain(text) | Old::Array(text, _) if formula::parse(text).is_err() => {
            *lost += 1;
            None
        }
        Old::Plain(text) => Some(format!("<f>{}</f>", formula_text(text))),
        Old::Array(text, area) => Some(format!("<f t=\"array\" ref=\"{area}\">{}</f>", formula_text(text))),
        Old::Table { area, two, row, first, second } => Some(match two {
            true => format!(
                "<f t=\"dataTable\" ref=\"{area}\" dt2D=\"1\" dtr=\"1\" r1=\"{first}\" r2=\"{second}\"/>"
            ),
            false => format!(
                "<f t=\"dataTable\" ref=\"{area}\" dt2D=\"0\" dtr=\"{}\" r1=\"{first}\"/>",
                u8::from(*row)
            ),
        }),
        Old::Member => None,
        Old::Lost => {
            *lost += 1;
            None
        }
    };
    let mut rows = String::new();
    let mut open: Option<u32> = None;
    let mut extent: Option<Area> = None;
    for (row, col, value) in values.used_cells() {
        let at = CellRef::new(top + row as u32, left + col as u32);
        let Some(cell) = cell_markup(at, value, formula_at(at)) else { continue };
        if open != Some(at.row) {
            if open.is_some() {
                rows.push_str("</row>");
            }
            rows.push_str(&format!("<row r=\"{}\">", at.row + 1));
            open = Some(at.row);
        }
        rows.push_str(&cell);
        let one = Area::cell(at);
        extent = Some(extent.map_or(one, |known| known.hull(&one)));
    }
    if open.is_some() {
        rows.push_str("</row>");
    }
    let extent = extent.unwrap_or(Area::cell(CellRef::new(0, 0)));
    let listed: String = merges.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect();
    let merged = match merges.len() {
        0 => String::new(),
        count => format!("<mergeCells count=\"{count}\">{listed}</mergeCells>"),
    };
    format!("<dimension ref=\"{extent}\"/><sheetData>{rows}</sheetData>{merged}")
}

fn formula_text(text: &str) -> String {
    escape_text(&encode(&formula_for_file(text, Singles::Told, &|_| true))).into_owned()
}

fn cell_markup(at: CellRef, value: &Data, formula: Option<String>) -> Option<String> {
    let (attributes, inside) = match value {
        Data::Empty if formula.is_none() => return None,
        Data::Empty => (String::new(), String::new()),
        Data::Int(number) => (String::new(), format!("<v>{number}</v>")),
        Data::Float(number) if number.is_finite() => {
            (String::new(), format!("<v>{}</v>", show_number(*number)))
        }
        Data::Float(_) => (" t=\"e\"".to_owned(), "<v>#NUM!</v>".to_owned()),
        Data::Bool(flag) => (" t=\"b\"".to_owned(), format!("<v>{}</v>", u8::from(*flag))),
        Data::Error(error) => (" t=\"e\"".to_owned(), format!("<v>{}</v>", escape_text(&error.to_string()))),
        Data::DateTime(time) => {
            let serial = time.as_f64();
            let style = match (time.is_duration(), serial.fract() == 0.0, serial.abs() < 1.0) {
                (true, _, _) => 4,
                (false, true, _) => 1,
                (false, false, true) => 3,
                (false, false, false) => 2,
            };
            (format!(" s=\"{style}\""), format!("<v>{}</v>", show_number(serial)))
        }
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => match formula {
            Some(_) => (" t=\"str\"".to_owned(), format!("<v>{}</v>", escape_text(&encode(text)))),
            None => (" t=\"inlineStr\"".to_owned(), format!("<is>{}</is>", text_element("", text))),
        },
    };
    let formula = formula.unwrap_or_default();
    Some(format!("<c r=\"{at}\"{attributes}>{formula}{inside}</c>"))
}

type OldSheet = (String, SheetVisible, String);

/// A workbook whose sheets are empty.
pub(crate) fn empty(names: &[&str]) -> Result<Vec<u8>, Refusal> {
    let sheet = |name: &&str| ((*name).to_owned(), SheetVisible::Visible, "<sheetData/>".to_owned());
    package(&names.iter().map(sheet).collect::<Vec<_>>(), &[], false, None)
}

fn package(
    sheets: &[OldSheet],
    names: &[OldName],
    from_1904: bool,
    iterations: Option<(u16, f64)>,
) -> Result<Vec<u8>, Refusal> {
    const MAIN: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let (mut listed, mut targets, mut types) = (String::new(), String::new(), String::new());
    let mut files: Vec<(String, String)> = Vec::new();
    for (index, (name, visible, inside)) in sheets.iter().enumerate() {
        let number = index + 1;
        let state = match visible {
            SheetVisible::Visible => "",
            SheetVisible::Hidden => " state=\"hidden\"",
            SheetVisible::VeryHidden => " state=\"veryHidden\"",
        };
        listed += &format!(
            "<sheet name=\"{}\" sheetId=\"{number}\"{state} r:id=\"rId{number}\"/>",
            escape_attribute(&encode(name))
        );
        targets += &format!(
            "<Relationship Id=\"rId{number}\" Type=\"{}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>",
            ns::R
        );
        types += &format!(
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"{MAIN}.worksheet+xml\"/>"
        );
        files.push((
            format!("xl/worksheets/sheet{number}.xml"),
            format!("{DECLARATION}<worksheet xmlns=\"{}\">{inside}</worksheet>", ns::S),
        ));
    }
    let styles = sheets.len() + 1;
    let defined: String = names
        .iter()
        .map(|name| {
            let sheet =
                name.sheet.as_ref().and_then(|sheet| sheets.iter().position(|(name, _, _)| name == sheet));
            let local = sheet.map_or(String::new(), |index| format!(" localSheetId=\"{index}\""));
            let hidden = if name.hidden { " hidden=\"1\"" } else { "" };
            format!(
                "<definedName name=\"{}\"{local}{hidden}>{}</definedName>",
                escape_attribute(&name.name),
                formula_text(&name.text)
            )
        })
        .collect();
    let defined =
        if defined.is_empty() { defined } else { format!("<definedNames>{defined}</definedNames>") };
    let calculation = iterations.map_or(String::new(), |(count, delta)| {
        format!("<calcPr iterate=\"1\" iterateCount=\"{count}\" iterateDelta=\"{}\"/>", show_number(delta))
    });
    let dates = if from_1904 { "<workbookPr date1904=\"1\"/>" } else { "" };
    files.push((
        "xl/workbook.xml".to_owned(),
        format!(
            "{DECLARATION}<workbook xmlns=\"{}\" xmlns:r=\"{}\">{dates}<sheets>{listed}</sheets>{defined}{calculation}</workbook>",
            ns::S,
            ns::R
        ),
    ));
    files.push((
        "xl/_rels/workbook.xml.rels".to_owned(),
        format!(
            "{DECLARATION}<Relationships xmlns=\"{}\">{targets}<Relationship Id=\"rId{styles}\" Type=\"{}/styles\" Target=\"styles.xml\"/></Relationships>",
            ns::RELATIONSHIPS,
            ns::R
        ),
    ));
    files.push((
        "xl/styles.xml".to_owned(),
        format!("{DECLARATION}<styleSheet xmlns=\"{}\">{STYLES}</styleSheet>", ns::S),
    ));
    files.insert(
        0,
        (
            "_rels/.rels".to_owned(),
            format!(
                "{DECLARATION}<Relationships xmlns=\"{}\"><Relationship Id=\"rId1\" Type=\"{}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
                ns::RELATIONSHIPS,
                ns::R
            ),
        ),
    );
    files.insert(
        0,
        (
            "[Content_Types].xml".to_owned(),
            format!(
                "{DECLARATION}<Types xmlns=\"{}\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{MAIN}.sheet.main+xml\"/>\
                 <Override PartName=\"/xl/styles.xml\" ContentType=\"{MAIN}.styles+xml\"/>{types}</Types>",
                ns::CONTENT_TYPES
            ),
        ),
    );
    ooxml::new_package(&files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_seen_whatever_the_cipher() {
        let file = |second: u8| {
            let mut bytes = vec![0; 1024];
            let stream = [0x09, 0x08, 16, 0, 0, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, second, 0, 6, 0];
            bytes.splice(512..512 + stream.len(), stream);
            bytes
        };
        assert!(matches!(from_xls(&file(0x2F)), Err(Refusal::Encrypted)));
        assert!(!has_password(&file(0x42)));
    }
}

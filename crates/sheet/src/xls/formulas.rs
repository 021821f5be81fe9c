//! The formulas and names of an old workbook, from its records.

use std::collections::BTreeMap;

use super::compound::{self, u16_at};
use super::tokens::{self, Names, Origin, ReferenceBase};
use crate::file::a1::{Area, CellRef};

/// A formula as it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Old {
    Plain(String),
    Array(String, Area),
    /// A data table: its cells, whether it has two inputs, whether its one input is for a row, and the inputs.
    Table {
        area: Area,
        two: bool,
        row: bool,
        first: CellRef,
        second: CellRef,
    },
    /// Told by the first cell of an array or a data table.
    Member,
    /// A formula that we cannot say.
    Lost,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OldName {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) sheet: Option<String>,
    pub(super) hidden: bool,
}

#[derive(Debug, Default)]
pub(super) struct Formulas {
    /// By the name of the sheet, then by row and column.
    pub(super) sheets: BTreeMap<String, BTreeMap<(u32, u32), Old>>,
    pub(super) names: Vec<OldName>,
    /// Iterations at most, when the workbook iterates.
    pub(super) iterations: Option<(u16, f64)>,
}

/// One record: its kind and its bytes.
struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<(u16, &'a [u8])> {
        let kind = u16_at(self.bytes, self.at)?;
        let length = usize::from(u16_at(self.bytes, self.at + 2)?);
        let start = self.at + 4;
        let data = self.bytes.get(start..start + length)?;
        self.at = start + length;
        Some((kind, data))
    }
}

const BOF: u16 = 0x0809;
const EOF: u16 = 0x000A;

/// Reads all formulas, or `None` for a workbook older than the last of the old formats.
pub(super) fn read(file: &[u8]) -> Option<Formulas> {
    let stream = compound::stream(file, "Workbook")?;
    let mut names = Names::default();
    let mut sheets: Vec<usize> = Vec::new();
    let mut raw: Vec<(u16, u16, Vec<u8>)> = Vec::new();
    let mut iterations = (100u16, 0.001f64, false);
    let mut records = Records { bytes: &stream, at: 0 };
    let (kind, start) = records.next()?;
    if kind != BOF || u16_at(start, 0)? != 0x0600 {
        return None;
    }
    for (kind, data) in records {
        match kind {
            EOF => break,
            0x0085 => {
                let (name, _) = tokens::letters_at(data.get(7..)?, usize::from(*data.get(6)?))?;
                names.sheets.push(name);
                sheets.push(tokens::long(data, 0)?);
            }
            0x01AE => names.books.push(match (data.len(), u16_at(data, 2)) {
                (4, Some(0x0401)) => Origin::Own,
                (_, Some(0x3A01)) => Origin::AddIn(Vec::new()),
                _ => Origin::Other,
            }),
            0x0023 => {
                if let Some(Origin::AddIn(functions)) = names.books.last_mut() {
                    let (name, _) = tokens::letters_at(data.get(7..)?, usize::from(*data.get(6)?))?;
                    functions.push(name);
                }
            }
            0x0017 => {
                let count = usize::from(u16_at(data, 0)?);
                for index in 0..count {
                    let at = 2 + 6 * index;
                    names.spans.push((u16_at(data, at)?, u16_at(data, at + 2)?, u16_at(data, at + 4)?));
                }
            }
            0x0018 => {
                let flags = u16_at(data, 0)?;
                let (letters, sheet) = (usize::from(*data.get(3)?), u16_at(data, 8)?);
                let (name, length) = tokens::letters_at(data.get(14..)?, letters)?;
                let name = if flags & 0x20 != 0 { built_in(&name)? } else { name };
                names.defined.push((name, usize::from(sheet).checked_sub(1)));
                let tokens_length = usize::from(u16_at(data, 4)?);
                raw.push((flags, tokens_length as u16, data.get(14 + length..)?.to_vec()));
            }
            _ => {}
        }
    }
    let mut found = Formulas::default();
    for (index, start) in sheets.iter().enumerate() {
        // A sheet whose formulas cannot be told keeps its values, without them.
        let cells = sheet(&stream, *start, &names, &mut iterations).unwrap_or_default();
        if let Some(name) = names.sheets.get(index) {
            found.sheets.insert(name.clone(), cells);
        }
    }
    for ((name, sheet), (flags, length, data)) in names.defined.iter().zip(&raw) {
        let (tokens, extra) = data.split_at_checked(usize::from(*length)).unwrap_or((data, &[]));
        // Names of macros and of functions to come are no ranges.
        if flags & 0x0E != 0 || name.starts_with("_xlfn") || tokens.is_empty() {
            continue;
        }
        if let Some(text) = tokens::text(tokens, extra, &names, ReferenceBase::Name) {
            let sheet = sheet.and_then(|sheet| names.sheets.get(sheet)).cloned();
            found.names.push(OldName { name: name.clone(), text, sheet, hidden: flags & 1 != 0 });
        }
    }
    found.iterations = iterations.2.then_some((iterations.0, iterations.1));
    Some(found)
}

fn built_in(name: &str) -> Option<String> {
    let known = [
        "Consolidate_Area",
        "Auto_Open",
        "Auto_Close",
        "Extract",
        "Database",
        "Criteria",
        "Print_Area",
        "Print_Titles",
        "Recorder",
        "Data_Form",
        "Auto_Activate",
        "Auto_Deactivate",
        "Sheet_Title",
        "_FilterDatabase",
    ];
    known.get(name.chars().next()? as usize).map(|name| format!("_xlnm.{name}"))
}

/// Cells of one array; a sheet of old has sixteen million.
const MOST_MEMBERS: u64 = 1 << 18;

type Cells = BTreeMap<(u32, u32), Old>;

fn sheet(stream: &[u8], start: usize, names: &Names, iterations: &mut (u16, f64, bool)) -> Option<Cells> {
    let mut cells = Cells::new();
    // Formulas that stand elsewhere, by where they do.
    let mut waiting: Vec<((u16, u16), (u16, u16))> = Vec::new();
    let mut shared: BTreeMap<(u16, u16), (Vec<u8>, Vec<u8>)> = BTreeMap::new();
    let mut first: Option<(u16, u16)> = None;
    let mut depth = 0usize;
    for (kind, data) in (Records { bytes: stream, at: start }) {
        match kind {
            BOF => depth += 1,
            EOF => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            // Charts inside a sheet have records of their own.
            _ if depth > 1 => {}
            0x000C => iterations.0 = u16_at(data, 0).unwrap_or(100),
            0x0010 => {
                let delta = data.get(..8).and_then(|bytes| bytes.try_into().ok()).map(f64::from_le_bytes);
                iterations.1 = delta.unwrap_or(0.001);
            }
            0x0011 => iterations.2 |= u16_at(data, 0) == Some(1),
            0x0006 => {
                let at = (u16_at(data, 0)?, u16_at(data, 2)?);
                let length = usize::from(u16_at(data, 20)?);
                let (code, extra) = data.get(22..)?.split_at_checked(length)?;
                if let Some(place) = tokens::elsewhere(code) {
                    waiting.push((at, place));
                    first = Some(place);
                } else {
                    let text = tokens::text(code, extra, names, ReferenceBase::Cell);
                    cells.insert((u32::from(at.0), u32::from(at.1)), text.map_or(Old::Lost, Old::Plain));
                }
            }
            0x04BC => {
                let length = usize::from(u16_at(data, 8)?);
                let (code, extra) = data.get(10..)?.split_at_checked(length)?;
                if let Some(first) = first {
                    shared.insert(first, (code.to_vec(), extra.to_vec()));
                }
            }
            0x0221 => {
                let area = area(data)?;
                let length = usize::from(u16_at(data, 12)?);
                let (code, extra) = data.get(14..)?.split_at_checked(length)?;
                let base = (area.top as u16, area.left as u16);
                let text = tokens::text(code, extra, names, ReferenceBase::Shared(base.0, base.1));
                fill(&mut cells, area, text.map_or(Old::Lost, |text| Old::Array(text, area)));
            }
            0x0236 => {
                let area = area(data)?;
                let flags = u16_at(data, 6)?;
                let cell = |at: usize| {
                    Some(CellRef::new(u32::from(u16_at(data, at)?), u32::from(u16_at(data, at + 2)?)))
                };
                let table = Old::Table {
                    area,
                    two: flags & 0x08 != 0,
                    row: flags & 0x04 != 0,
                    first: cell(8)?,
                    second: cell(12)?,
                };
                fill(&mut cells, area, table);
            }
            _ => {}
        }
    }
    for (at, place) in waiting {
        let key = (u32::from(at.0), u32::from(at.1));
        if cells.contains_key(&key) {
            continue;
        }
        let text = shared
            .get(&place)
            .and_then(|(code, extra)| tokens::text(code, extra, names, ReferenceBase::Shared(at.0, at.1)));
        cells.insert(key, text.map_or(Old::Lost, Old::Plain));
    }
    Some(cells)
}

fn area(data: &[u8]) -> Option<Area> {
    Some(Area {
        top: u32::from(u16_at(data, 0)?),
        bottom: u32::from(u16_at(data, 2)?),
        left: u32::from(*data.get(4)?),
        right: u32::from(*data.get(5)?),
    })
}

/// The first cell of an area tells the formula, the others are members of it.
fn fill(cells: &mut Cells, area: Area, formula: Old) {
    let lost = formula == Old::Lost;
    if area.bottom < area.top || area.right < area.left || area.count() > MOST_MEMBERS {
        return;
    }
    for cell in area.cells() {
        let old = if lost { Old::Lost } else { Old::Member };
        cells.insert((cell.row, cell.col), old);
    }
    cells.insert((area.top, area.left), formula);
}

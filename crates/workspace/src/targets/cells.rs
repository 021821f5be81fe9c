//! Cells of a workbook: by address, by a defined name, by a table.

use std::fmt;

use edit::Refusal;
use sheet::{Area, DefinedName, Table, View};

pub use planner::Address;

/// Cells that the workbook has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    pub sheet: String,
    pub area: Area,
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.sheet.chars().all(|c| c.is_alphanumeric() || c == '_');
        match plain {
            true => write!(f, "{}!{}", self.sheet, self.area),
            false => write!(f, "'{}'!{}", self.sheet.replace('\'', "''"), self.area),
        }
    }
}

/// Cells, or all that a sheet holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    Sheet(String),
    Cells(Cells),
}

/// `Sheet!A1:B2`, `'My Sheet'!A1`, or without a sheet.
pub fn address(text: &str) -> Address {
    match text.rsplit_once('!') {
        Some((sheet, cells)) => Address { sheet: Some(unquoted(sheet)), cells: cells.to_owned() },
        None => Address { sheet: None, cells: text.to_owned() },
    }
}

/// The cells behind an address. Without a sheet it is about the one that is shown when the workbook is opened, unless it
/// is a name, which says itself where its cells are.
pub fn cells(view: &View, address: &Address) -> Result<Cells, Refusal> {
    let Address { sheet, cells } = address;
    let home = match sheet {
        Some(sheet) => view.sheet(sheet)?.position,
        None => view.workbook().active,
    };
    if let Some(name) = defined(view, home, sheet.is_none(), cells)? {
        return named(view, name);
    }
    match cells.to_ascii_uppercase().parse::<Area>() {
        Ok(area) => Ok(Cells { sheet: view.sheet_at(home)?.name().to_owned(), area }),
        // Only now, because every sheet has to be read to know its tables.
        Err(refusal) => table(view, sheet.as_ref().map(|_| home), cells)?.ok_or(refusal),
    }
}

/// A whole sheet by its name, or cells. A sheet called `Q1` comes before the cell of that name.
pub fn region(view: &View, text: &str) -> Result<Region, Refusal> {
    // A name in quotes is one too, as it stands before the `!` of a cell.
    let quoted = || text.starts_with('\'').then(|| view.workbook().position(&unquoted(text))).flatten();
    match view.workbook().position(text).or_else(quoted) {
        Some(position) => Ok(Region::Sheet(view.sheet_at(position)?.name().to_owned())),
        None => cells(view, &address(text)).map(Region::Cells),
    }
}

fn unquoted(sheet: &str) -> String {
    let bare = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\''));
    bare.unwrap_or(sheet).replace("''", "'")
}

/// A name as Excel reads it on a sheet: that sheet's own before the workbook's. `anywhere` also takes the only one of
/// another sheet.
fn defined<'v>(
    view: &'v View,
    home: usize,
    anywhere: bool,
    name: &str,
) -> Result<Option<&'v DefinedName>, Refusal> {
    let wanted = name.to_lowercase();
    let names = view.workbook().names.iter();
    let same: Vec<&DefinedName> = names.filter(|known| known.name.to_lowercase() == wanted).collect();
    let of = |scope: Option<usize>| same.iter().find(|known| known.scope == scope).copied();
    match (of(Some(home)).or_else(|| of(None)), same.as_slice()) {
        (Some(found), _) => Ok(Some(found)),
        (None, []) => Ok(None),
        (None, [only]) if anywhere => Ok(Some(only)),
        (None, _) if !anywhere => Ok(None),
        (None, several) => Err(Refusal::Ambiguous {
            text: name.to_owned(),
            count: several.len(),
            within: "the names of other sheets".to_owned(),
            contexts: several.iter().map(|name| format!("={}", name.formula)).collect(),
        }),
    }
}

fn named(view: &View, name: &DefinedName) -> Result<Cells, Refusal> {
    let unsupported = || Refusal::Unsupported {
        what: format!("the name {}, which stands for ={}", name.name, name.formula),
        instead: Some("name the cells themselves".to_owned()),
    };
    let (sheet, cells) = name.formula.rsplit_once('!').ok_or_else(unsupported)?;
    let position = view.workbook().position(&unquoted(sheet)).ok_or_else(unsupported)?;
    let area = cells.parse::<Area>().map_err(|_| unsupported())?;
    Ok(Cells { sheet: view.sheet_at(position)?.name().to_owned(), area })
}

/// The rows of a table without its header and totals, as its name means in a formula.
fn table(view: &View, home: Option<usize>, name: &str) -> Result<Option<Cells>, Refusal> {
    let wanted = name.to_lowercase();
    let is_meant = |position: usize, table: &Table| {
        home.is_none_or(|home| home == position) && table.name.to_lowercase() == wanted
    };
    let tables = view.tables()?;
    let Some((position, table)) = tables.iter().find(|(position, table)| is_meant(*position, table)) else {
        return Ok(None);
    };
    let Some((top, bottom)) = table.data_rows() else {
        return Err(Refusal::not_found("a row of table", table.name.as_str()));
    };
    let area = Area { top, bottom, ..table.area };
    Ok(Some(Cells { sheet: view.sheet_at(*position)?.name().to_owned(), area }))
}

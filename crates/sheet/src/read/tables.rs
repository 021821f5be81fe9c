//! Tables (list objects) of a sheet.

use edit::{OrEmpty, PartName, Refusal};
use ooxml::xml::{Document, ns};

use crate::file::a1::Area;
use crate::file::workbook::{number, string};
use crate::read::sheet_view::SheetView;

/// A table with its header and totals rows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name formulas use.
    pub name: String,
    pub area: Area,
    pub header_rows: u32,
    pub totals_rows: u32,
    pub columns: Vec<String>,
    pub style: Option<String>,
    pub(crate) part: PartName,
    pub(crate) document: Document,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableColumn {
    pub name: String,
    pub totals_label: Option<String>,
    /// `sum`, `average` and so on, as the file calls it.
    pub totals_function: Option<String>,
    pub totals_formula: Option<String>,
    /// The formula that its rows have.
    pub formula: Option<String>,
}

impl Table {
    /// The first and the last row between header and totals, if there is one.
    pub fn data_rows(&self) -> Option<(u32, u32)> {
        let top = self.area.top.checked_add(self.header_rows)?;
        let bottom = self.area.bottom.checked_sub(self.totals_rows)?;
        (top <= bottom).then_some((top, bottom))
    }

    /// Whether header and totals have room in the table.
    fn fits(&self) -> bool {
        let rows = u64::from(self.area.bottom - self.area.top) + 1;
        u64::from(self.header_rows) + u64::from(self.totals_rows) <= rows
    }

    /// What is said of each column.
    pub fn column_details(&self) -> Vec<TableColumn> {
        let list = self.document.root().child(ns::S, "tableColumns");
        let nodes = list.into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
        let columns = nodes.filter(|node| node.is(ns::S, "tableColumn")).map(|node| {
            let formula = |name: &str| node.child(ns::S, name).map(|node| node.text().into_owned());
            TableColumn {
                name: crate::file::strings::decode(&string(&node, "name").or_empty()).into_owned(),
                totals_label: string(&node, "totalsRowLabel"),
                totals_function: string(&node, "totalsRowFunction"),
                totals_formula: formula("totalsRowFormula"),
                formula: formula("calculatedColumnFormula"),
            }
        });
        columns.collect()
    }
}

impl SheetView<'_> {
    /// The tables of the sheet; refuses one whose header and totals have no room in it, as Excel does.
    pub fn tables(&self) -> Result<Vec<Table>, Refusal> {
        let mut tables = Vec::new();
        for part in self.table_parts()? {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            tables.extend(read(part, document));
        }
        match tables.iter().find(|table| !table.fits()) {
            None => Ok(tables),
            Some(table) => Err(Refusal::invalid(
                "table",
                format!("{} ({})", table.name, table.area),
                format!(
                    "a table with room for its {} header rows and {} totals rows",
                    table.header_rows, table.totals_rows
                ),
            )),
        }
    }

    /// The tables of the sheet that can be calculated with. A broken one keeps nobody from the others.
    pub(crate) fn sound_tables(&self) -> Vec<Table> {
        let Ok(parts) = self.table_parts() else { return Vec::new() };
        let tables = parts.into_iter().filter_map(|part| {
            let document = ooxml::read_xml(&self.book.content, &part).ok()?;
            read(part, document).filter(Table::fits)
        });
        tables.collect()
    }

    fn table_parts(&self) -> Result<Vec<PartName>, Refusal> {
        if self.root().child(ns::S, "tableParts").is_none() {
            return Ok(Vec::new());
        }
        let kind = format!("{}/table", ns::R);
        let relationships = self.relationships()?;
        let parts = relationships.of_kind(&kind).filter_map(|relationship| relationship.part.clone());
        Ok(parts.filter(|part| self.book.content.contains(part)).collect())
    }
}

fn read(part: PartName, document: Document) -> Option<Table> {
    let root = document.root();
    let columns = root.child(ns::S, "tableColumns")?;
    let names = columns.elements().filter(|node| node.is(ns::S, "tableColumn"));
    Some(Table {
        name: string(&root, "displayName").or_else(|| string(&root, "name"))?,
        area: string(&root, "ref")?.parse().ok()?,
        header_rows: number(&root, "headerRowCount").unwrap_or(1),
        totals_rows: number(&root, "totalsRowCount").unwrap_or(0),
        columns: names
            .map(|node| crate::file::strings::decode(&string(&node, "name").or_empty()).into_owned())
            .collect(),
        style: root.child(ns::S, "tableStyleInfo").and_then(|node| string(&node, "name")),
        part,
        document,
    })
}

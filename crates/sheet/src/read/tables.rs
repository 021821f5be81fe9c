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
    pub fn tables(&self) -> Result<Vec<Table>, Refusal> {
        if self.root().child(ns::S, "tableParts").is_none() {
            return Ok(Vec::new());
        }
        let kind = format!("{}/table", ns::R);
        let mut tables = Vec::new();
        for relationship in self.relationships()?.of_kind(&kind) {
            let Some(part) = relationship.part.clone().filter(|part| self.book.content.contains(part)) else {
                continue;
            };
            let document = ooxml::read_xml(&self.book.content, &part)?;
            tables.extend(read(part, document));
        }
        Ok(tables)
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

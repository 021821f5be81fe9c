//! Tables (list objects) of a sheet.

use edit::{PartName, Refusal};
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
            .map(|node| crate::file::strings::decode(&string(&node, "name").unwrap_or_default()).into_owned())
            .collect(),
        style: root.child(ns::S, "tableStyleInfo").and_then(|node| string(&node, "name")),
        part,
        document,
    })
}

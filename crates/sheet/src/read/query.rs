//! Tables that come from a query: each of their columns is a field of the query as well, and Excel takes the query out
//! of a file where the two are not in step.

use std::collections::BTreeSet;

use edit::{OrEmpty, PartName, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Document, Node, ns};

use crate::file::workbook::{number, string};
use crate::read::book::Book;
use crate::read::tables::Table;

/// The query behind a table.
pub(crate) struct Query {
    pub(crate) part: PartName,
    pub(crate) document: Document,
}

impl Query {
    pub(crate) fn of(book: &Book, table: &Table) -> Result<Option<Query>, Refusal> {
        let kind = format!("{}/queryTable", ns::R);
        let relationships = Relationships::of_part(&book.content, &table.part)?;
        let part = relationships.of_kind(&kind).find_map(|relationship| relationship.part.clone());
        let Some(part) = part.filter(|part| book.content.contains(part)) else { return Ok(None) };
        let document = ooxml::read_xml(&book.content, &part)?;
        Ok(Some(Query { part, document }))
    }

    pub(crate) fn refresh(&self) -> Option<Node<'_>> {
        self.document.root().child(ns::S, "queryTableRefresh")
    }

    pub(crate) fn list(&self) -> Option<Node<'_>> {
        self.refresh()?.child(ns::S, "queryTableFields")
    }

    pub(crate) fn fields(&self) -> Vec<Node<'_>> {
        let list = self.list().into_iter().flat_map(|list| list.elements());
        list.filter(|node| node.is(ns::S, "queryTableField")).collect()
    }

    /// What is not in step with the columns of the table.
    pub(crate) fn problem(&self, table: &Table) -> Option<String> {
        self.list()?;
        let list = table.document.root().child(ns::S, "tableColumns")?;
        let columns: BTreeSet<u32> = list.elements().filter_map(|node| number(&node, "id")).collect();
        let fields: BTreeSet<u32> =
            self.fields().iter().filter_map(|field| number(field, "tableColumnId")).collect();
        if let Some(id) = fields.difference(&columns).next() {
            return Some(format!(
                "{} has a field for column {id} of table `{}`, which is not there",
                self.part, table.name
            ));
        }
        let missing =
            list.elements().find(|node| number(node, "id").is_some_and(|id| !fields.contains(&id)))?;
        let name = string(&missing, "name").or_empty();
        Some(format!("{} has no field for column `{name}` of table `{}`", self.part, table.name))
    }
}

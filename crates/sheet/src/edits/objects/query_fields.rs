//! Fields of a query that come and go with the columns of its table.

use std::collections::BTreeSet;

use edit::{Patch, Refusal};
use ooxml::xml::{Node, escape_attribute, ns};

use crate::file::workbook::{number, string};
use crate::file::xml_edit::Xml;
use crate::read::query::Query;

impl Query {
    /// Takes the fields of columns away that go, and remembers their names as Excel does.
    pub(crate) fn lose(&self, columns: &[Node<'_>], patch: &mut Patch) -> Result<(), Refusal> {
        let (Some(refresh), Some(list)) = (self.refresh(), self.list()) else { return Ok(()) };
        let xml = Xml::new(&self.part, &self.document);
        let gone: BTreeSet<u32> = columns.iter().filter_map(|node| number(node, "id")).collect();
        let of_gone = |field: &&Node<'_>| number(field, "tableColumnId").is_some_and(|id| gone.contains(&id));
        let fields = self.fields();
        let mut names = String::new();
        let (mut lost, prefix) = (0, xml.prefix());
        for field in fields.iter().filter(of_gone) {
            xml.remove(patch, field)?;
            lost += 1;
            if let Some(name) = string(field, "name") {
                names.push_str(&format!("<{prefix}deletedField name=\"{}\"/>", escape_attribute(&name)));
            }
        }
        if lost == 0 {
            return Ok(());
        }
        xml.set_attribute(patch, &list, "count", &(fields.len() - lost).to_string())?;
        let deleted = names.matches("<").count();
        match refresh.child(ns::S, "queryTableDeletedFields") {
            _ if deleted == 0 => Ok(()),
            Some(known) => {
                xml.append(patch, &known, &names)?;
                let before = known.elements().count();
                xml.set_attribute(patch, &known, "count", &(before + deleted).to_string())
            }
            None => {
                let end = list.span().end;
                let markup = format!(
                    "<{prefix}queryTableDeletedFields count=\"{deleted}\">{names}</{prefix}queryTableDeletedFields>"
                );
                xml.splice(patch, end..end, markup)
            }
        }
    }

    /// Fields for new columns with these ids, before the one of a column that was there; answers the id of the first.
    pub(crate) fn gain(
        &self,
        before: Option<&Node<'_>>,
        ids: std::ops::Range<u32>,
        patch: &mut Patch,
    ) -> Result<Option<u32>, Refusal> {
        let (Some(refresh), Some(list)) = (self.refresh(), self.list()) else { return Ok(None) };
        let xml = Xml::new(&self.part, &self.document);
        let fields = self.fields();
        let highest = fields.iter().filter_map(|field| number(field, "id")).max().unwrap_or(0);
        let first = number(&refresh, "nextId").unwrap_or(0).max(highest + 1);
        let prefix = xml.prefix();
        let markup: String = ids
            .clone()
            .zip(first..)
            .map(|(column, id)| {
                format!("<{prefix}queryTableField id=\"{id}\" dataBound=\"0\" tableColumnId=\"{column}\"/>")
            })
            .collect();
        let place = before.and_then(|column| number(column, "id"));
        let next = fields.iter().find(|field| place.is_some() && number(field, "tableColumnId") == place);
        match next {
            Some(field) => {
                let at = field.span().start;
                xml.splice(patch, at..at, markup)?;
            }
            None => xml.append(patch, &list, &markup)?,
        }
        let count = ids.len() as u32;
        xml.set_attribute(patch, &list, "count", &(fields.len() as u32 + count).to_string())?;
        xml.set_attribute(patch, &refresh, "nextId", &(first + count).to_string())?;
        Ok(Some(first))
    }
}

/// What a new column of such a table has besides its id and its name.
pub(crate) fn attributes(id: u32, field: Option<u32>) -> String {
    field.map_or(String::new(), |field| format!(" uniqueName=\"{id}\" queryTableFieldId=\"{field}\""))
}

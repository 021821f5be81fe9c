//! What pivot tables show and where, for `GETPIVOTDATA`.
//!
//! A definition tells the lines of the table by numbers: fields by their place, items by their place in the field,
//! and those by their place in the cache. Here they become names and values again.

use edit::{OrEmpty, PartName};
use formula::{Book as FormulaBook, DateSystem, Pivot, PivotLine, Value};
use ooxml::xml::{Node, ns};

use crate::file::a1::Area;
use crate::file::dates::serial_of_iso;
use crate::file::strings::decode;
use crate::file::workbook::{TabKind, decimal, number, string};
use crate::read::book::Book;
use crate::read::sheet_view::SheetView;

/// The place of data fields among the fields of an axis.
const DATA: i64 = -2;

/// Adds the pivot tables of a workbook whose formulas ask for them.
pub(crate) fn read_all(view: &Book, book: &mut FormulaBook) {
    if !view.content.names().any(|name| name.as_str().contains("/pivotTable")) {
        return;
    }
    let sheets: Vec<SheetView<'_>> = view
        .workbook
        .sheets
        .iter()
        .enumerate()
        .filter(|(_, tab)| tab.kind == TabKind::Worksheet)
        .filter_map(|(position, _)| view.sheet_at(position).ok())
        .collect();
    let asks = |sheet: &SheetView<'_>| {
        let bytes = sheet.worksheet.blob.slice(sheet.worksheet.data.clone());
        bytes.windows(12).any(|word| word == b"GETPIVOTDATA")
    };
    if !sheets.iter().any(asks) {
        return;
    }
    for sheet in &sheets {
        let Ok(relationships) = sheet.relationships() else { continue };
        for found in relationships.iter().filter(|found| found.kind.ends_with("/pivotTable")) {
            // One that cannot be read stays unknown.
            if let Some(pivot) = found.part.as_ref().and_then(|part| read(sheet, part)) {
                book.add_pivot(pivot);
            }
        }
    }
}

struct Field {
    names: Vec<String>,
    /// By the place of an item in the field.
    items: Vec<Option<Value>>,
}

fn read(sheet: &SheetView<'_>, part: &PartName) -> Option<Pivot> {
    let content = &sheet.book.content;
    let dates = sheet.book.workbook.dates;
    let relationships = ooxml::Relationships::of_part(content, part).ok()?;
    let cache = relationships.iter().find(|found| found.kind.ends_with("/pivotCacheDefinition"))?;
    let cache = ooxml::read_xml(content, cache.part.as_ref()?).ok()?;
    let document = ooxml::read_xml(content, part).ok()?;
    let root = document.root();
    let fields = fields(&root, &cache.root(), dates)?;
    let location = root.child(ns::S, "location")?;
    let area: Area = string(&location, "ref")?.parse().ok()?;
    let offset = |name: &str| number(&location, name);
    let sources =
        root.child(ns::S, "dataFields").into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
    let data = sources
        .map(|node| {
            let source = number(&node, "fld").and_then(|at| fields.get(at as usize));
            let mut names: Vec<String> = string(&node, "name").into_iter().collect();
            names.extend(source.into_iter().flat_map(|field| field.names.clone()));
            names
        })
        .collect();
    let first = (area.top + offset("firstDataRow")?, area.left + offset("firstDataCol")?);
    let rows = lines(&root, "rowFields", "rowItems", &fields);
    let columns = lines(&root, "colFields", "colItems", &fields);
    // Some programs do not tell the lines; then nobody knows which is which.
    if first.0 + rows.len() as u32 != area.bottom + 1 || first.1 + columns.len() as u32 != area.right + 1 {
        return None;
    }
    Some(Pivot {
        area: Some(crate::calc::place::area_on(sheet.position, area)),
        first,
        rows,
        columns,
        fields: fields.into_iter().map(|field| field.names).collect(),
        data,
    })
}

fn fields(root: &Node<'_>, cache: &Node<'_>, dates: DateSystem) -> Option<Vec<Field>> {
    let shown = root.child(ns::S, "pivotFields")?;
    let sources = cache.child(ns::S, "cacheFields")?;
    let mut fields = Vec::new();
    for (node, source) in shown.elements().zip(sources.elements()) {
        // A field of groups has items of its own.
        let group = source.child(ns::S, "fieldGroup").and_then(|group| group.child(ns::S, "groupItems"));
        let shared = group.or_else(|| source.child(ns::S, "sharedItems"));
        let values: Vec<Value> = shared
            .into_iter()
            .flat_map(|list| list.elements().map(|item| of(&item, dates)).collect::<Vec<_>>())
            .collect();
        let items =
            node.child(ns::S, "items").into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
        let items = items
            .map(|item| match string(&item, "n") {
                // Renamed in the table.
                Some(name) => Some(Value::from(&*decode(&name))),
                None => values.get(number(&item, "x")? as usize).cloned(),
            })
            .collect();
        let names = [string(&source, "name"), string(&node, "name")];
        let names = names.into_iter().flatten().map(|name| decode(&name).into_owned()).collect();
        fields.push(Field { names, items });
    }
    Some(fields)
}

fn of(item: &Node<'_>, dates: DateSystem) -> Value {
    let text = || string(item, "v").or_empty();
    match item.name().local {
        "n" => decimal(item, "v").map_or(Value::Blank, Value::Number),
        "d" => serial_of_iso(&text(), dates).map_or(Value::Blank, Value::Number),
        "b" => Value::Bool(matches!(text().as_str(), "1" | "true")),
        "m" => Value::Blank,
        _ => Value::from(&*decode(&text())),
    }
}

/// The lines of an axis in the order they lie. A line says only what differs from the one before.
fn lines(root: &Node<'_>, axis: &str, list: &str, fields: &[Field]) -> Vec<PivotLine> {
    let axis = root.child(ns::S, axis).into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
    let axis: Vec<i64> = axis.map(|node| decimal(&node, "x").unwrap_or(0.0) as i64).collect();
    let Some(list) = root.child(ns::S, list) else { return vec![PivotLine::default()] };
    let mut before: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for line in list.elements() {
        before.truncate(number(&line, "r").unwrap_or(0) as usize);
        before.extend(line.elements().map(|item| number(&item, "v").unwrap_or(0) as usize));
        let kind = string(&line, "t").unwrap_or_else(|| "data".to_owned());
        let mut shown =
            PivotLine { data: number(&line, "i").map(|data| data as usize), ..PivotLine::default() };
        for (field, item) in axis.iter().zip(&before) {
            if *field == DATA {
                shown.data = shown.data.or(Some(*item));
            } else if kind != "grand"
                && let Some(at) = usize::try_from(*field).ok()
                && let Some(value) = fields.get(at).and_then(|field| field.items.get(*item)?.clone())
            {
                shown.items.push((at, value));
            }
        }
        if kind == "blank" {
            // A line that shows nothing is about nothing.
            shown.data = Some(usize::MAX);
        }
        found.push(shown);
    }
    found
}

#[cfg(test)]
mod tests {
    use ooxml::xml::Document;

    use super::*;

    #[test]
    fn lines_say_what_they_are_about() {
        let wrap = |inside: &str| format!("<r xmlns=\"{}\">{inside}</r>", ns::S);
        let parse = |text: String| {
            Document::parse(&edit::Blob::from(text.into_bytes()), &ooxml::xml::XmlLimits::default())
                .expect("parses")
        };
        let cache = parse(wrap(
            "<cacheFields><cacheField name=\"Kind\"><sharedItems><s v=\"a\"/><s v=\"b\"/></sharedItems></cacheField>\
             <cacheField name=\"Day\"><sharedItems><d v=\"2020-01-01T00:00:00\"/><m/></sharedItems></cacheField>\
             <cacheField name=\"Sum\"/></cacheFields>",
        ));
        let table = parse(wrap(
            "<pivotFields><pivotField><items><item x=\"1\"/><item x=\"0\"/><item t=\"default\"/></items></pivotField>\
             <pivotField><items><item x=\"0\"/><item x=\"1\"/></items></pivotField><pivotField/></pivotFields>\
             <rowFields><field x=\"0\"/><field x=\"1\"/></rowFields>\
             <rowItems><i><x/></i><i r=\"1\"><x v=\"1\"/></i><i><x v=\"1\"/></i><i r=\"1\"><x/></i><i t=\"grand\"><x/></i></rowItems>\
             <colFields><field x=\"-2\"/></colFields><colItems><i><x/></i><i i=\"1\"><x v=\"1\"/></i></colItems>",
        ));
        let fields = fields(&table.root(), &cache.root(), DateSystem::D1900).expect("fields");
        let rows = lines(&table.root(), "rowFields", "rowItems", &fields);
        let (kind, day) = (|name: &str| (0, Value::text(name)), (1, Value::Number(43_831.0)));
        let expected = [
            vec![kind("b")],
            vec![kind("b"), (1, Value::Blank)],
            vec![kind("a")],
            vec![kind("a"), day],
            Vec::new(),
        ];
        assert_eq!(rows.into_iter().map(|row| row.items).collect::<Vec<_>>(), expected);
        let columns = lines(&table.root(), "colFields", "colItems", &fields);
        assert_eq!(columns.iter().map(|column| column.data).collect::<Vec<_>>(), [Some(0), Some(1)]);
    }
}

//! `table.applyStyle`: a named style, and which of its parts show.

use edit::{Context, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::place::Places;
use super::super::properties::change;
use super::super::styles::{self, Kind};
use super::super::{TableApplyStyle, TableStyle};
use super::{Table, check_locks, resolve};
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::dialect::Dialect;
use crate::edits::schema::{Parent, written};
use crate::edits::{Markup, Outcome};

/// Each part of a style with its bit in `w:val` and its own attribute; the bands are said to be absent.
const PARTS: [(&str, u32, bool); 6] = [
    ("firstRow", 0x0020, false),
    ("lastRow", 0x0040, false),
    ("firstColumn", 0x0080, false),
    ("lastColumn", 0x0100, false),
    ("noHBand", 0x0200, true),
    ("noVBand", 0x0400, true),
];

pub(super) fn apply(
    view: &View,
    op: &TableApplyStyle,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let wanted = wanted(&op.style);
    if op.style.name.is_none() && wanted.iter().all(Option::is_none) {
        return Err(Refusal::invalid(
            "style",
            "nothing",
            "the name of a table style, or flags such as bandedRows",
        ));
    }
    let mut draft = Draft::new(view, markup, cx);
    let span = resolve(view, &op.table, places)?;
    let style = match &op.style.name {
        Some(name) => Some(styles::ensure(&mut draft, name, &[Kind::Table])?),
        None => None,
    };
    let table = Table::open(draft.view(), &span)?;
    check_locks(view, &table)?;
    let (node, dialect) = (table.node()?, &table.dialect);
    let properties = node.child(ns::W, "tblPr");
    let mut changes = Vec::new();
    if let Some(style) = &style {
        changes.push(("tblStyle", Some(dialect.empty("tblStyle", &[("val", &style.id)]))));
    }
    if wanted.iter().any(Option::is_some) {
        changes.push(("tblLook", Some(look(properties, &wanted, dialect))));
    }
    if let Some(stamp) = draft.stamp() {
        let recorded = properties.is_some_and(|properties| properties.child(ns::W, "tblPrChange").is_some());
        if !recorded {
            let old = dialect.wrap("tblPr", "", &written(Parent::Table, properties, |_| true));
            let record = dialect.wrap("tblPrChange", &stamp.attributes(&dialect.attribute), &old);
            changes.push(("tblPrChange", Some(record)));
        }
    }
    let mut patch = Patch::new();
    table.add_to(&mut patch, change(node, Parent::Table, changes, dialect))?;
    let summary = match &op.style.name {
        Some(name) => format!("Give a table the style {name}"),
        None => "Change which parts of its style a table shows".to_owned(),
    };
    table.finish(draft, &patch, summary)
}

/// In the order of [`PARTS`].
fn wanted(style: &TableStyle) -> [Option<bool>; 6] {
    [
        style.first_row,
        style.last_row,
        style.first_column,
        style.last_column,
        style.banded_rows,
        style.banded_columns,
    ]
}

fn look(properties: Option<Node<'_>>, wanted: &[Option<bool>; 6], dialect: &Dialect) -> String {
    let old = properties.and_then(|properties| properties.child(ns::W, "tblLook"));
    let bits = old.and_then(|old| u32::from_str_radix(&old.value(ns::W, "val")?, 16).ok()).unwrap_or(0x04A0);
    let mut flags = Vec::new();
    let mut value = 0;
    for ((name, bit, absent), wanted) in PARTS.iter().zip(wanted) {
        let stated = old.and_then(|old| old.value(ns::W, name));
        let before = stated.map_or(bits & bit != 0, |stated| matches!(&*stated, "1" | "true" | "on"));
        let now = wanted.map_or(before, |wanted| wanted != *absent);
        if now {
            value |= bit;
        }
        flags.push((*name, if now { "1" } else { "0" }));
    }
    let value = format!("{value:04X}");
    let mut attributes = vec![("val", value.as_str())];
    attributes.extend(flags);
    dialect.empty("tblLook", &attributes)
}

//! Bringing formulas up to date after edits.

use edit::{Context, Patch, Refusal, Step};
use ooxml::xml::ns;

use crate::view::View;
use crate::xml_edit::{WORKBOOK_ORDER, Xml};

pub(crate) fn settle(view: &View, _cx: &Context) -> Result<Option<Step>, Refusal> {
    if view.dirt.is_empty() {
        return Ok(None);
    }
    let mut has_formulas = false;
    for sheet in view.worksheets() {
        has_formulas |= sheet?.worksheet.has_formulas();
    }
    if !has_formulas {
        return Ok(None);
    }
    let mut patch = Patch::new();
    calculate_on_load(view, &mut patch)?;
    let _ = view.settled.set(Some(patch.clone()));
    Ok((!patch.is_empty()).then(|| Step { patch, ..Step::default() }))
}

/// Asks whoever opens the workbook to calculate it.
pub(crate) fn calculate_on_load(view: &View, patch: &mut Patch) -> Result<(), Refusal> {
    let workbook = &view.workbook;
    let xml = Xml::new(&workbook.part, &workbook.document);
    match xml.root().child(ns::S, "calcPr") {
        Some(node) => xml.set_attribute(patch, &node, "fullCalcOnLoad", "1"),
        None => {
            let markup = format!("<{}calcPr fullCalcOnLoad=\"1\"/>", workbook.prefix());
            xml.insert(patch, WORKBOOK_ORDER, "calcPr", &markup)
        }
    }
}

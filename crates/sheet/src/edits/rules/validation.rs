//! Rules of what may be entered into areas of a sheet.

use edit::{OrEmpty, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, escape_attribute, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::rules::rule_formula::RuleFormulas;
use crate::file::a1::{Area, read_areas, sqref, without};
use crate::file::workbook::string;
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

/// What may be entered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValidationRule {
    /// `list`, `whole`, `decimal`, `date`, `time`, `textLength` or `custom`.
    pub kind: String,
    /// `between` (the default), `notBetween`, `equal`, `notEqual`, `greaterThan`, `lessThan`,
    /// `greaterThanOrEqual` or `lessThanOrEqual`.
    pub operator: Option<String>,
    /// A number, day or time as it is typed, or a formula with `=`; for a list the cells, or the choices as `Yes,No`.
    pub formula1: Option<String>,
    pub formula2: Option<String>,
    pub allow_blank: bool,
    /// A list without its button in the cell.
    pub hide_choices: bool,
    /// `stop` (the default), `warning` or `information`.
    pub error_style: Option<String>,
    pub error_title: Option<String>,
    pub error: Option<String>,
    pub prompt_title: Option<String>,
    pub prompt: Option<String>,
}

const KINDS: &[&str] = &["list", "whole", "decimal", "date", "time", "textLength", "custom"];
pub(crate) const OPERATORS: &[&str] = &[
    "between",
    "notBetween",
    "equal",
    "notEqual",
    "greaterThan",
    "lessThan",
    "greaterThanOrEqual",
    "lessThanOrEqual",
];

pub(crate) fn one_of(field: &'static str, found: &str, known: &[&str]) -> Result<(), Refusal> {
    match known.contains(&found) {
        true => Ok(()),
        false => Err(Refusal::invalid(field, format!("`{found}`"), known.join(", "))),
    }
}

pub(crate) fn set_validation(
    view: &View,
    name: &str,
    areas: &[Area],
    rule: &ValidationRule,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    one_of("kind", &rule.kind, KINDS)?;
    if let Some(operator) = &rule.operator {
        one_of("operator", operator, OPERATORS)?;
    }
    if let Some(style) = &rule.error_style {
        one_of("error_style", style, &["stop", "warning", "information"])?;
    }
    let formula1 = rule
        .formula1
        .as_deref()
        .ok_or_else(|| Refusal::invalid("formula1", "nothing", "a value or formula"))?;
    let ranged = matches!(rule.operator.as_deref(), None | Some("between" | "notBetween"));
    if ranged && !matches!(rule.kind.as_str(), "list" | "custom") && rule.formula2.is_none() {
        return Err(Refusal::invalid("formula2", "nothing", "the upper bound of the range"));
    }
    let formulas = RuleFormulas { view, home: sheet.position };
    let formula1 = operand(&formulas, rule, formula1)?;
    let formula2 = rule.formula2.as_deref().map(|text| operand(&formulas, rule, text)).transpose()?;
    if ranged
        && let (Ok(least), Some(Ok(most))) =
            (formula1.parse::<f64>(), formula2.as_deref().map(str::parse::<f64>))
        && least > most
    {
        return Err(Refusal::invalid(
            "formula2",
            most,
            format!("{least} or more: Excel wants the lower bound first"),
        ));
    }
    for (field, text, most) in [
        ("error_title", &rule.error_title, 32),
        ("prompt_title", &rule.prompt_title, 32),
        ("error", &rule.error, 255),
        ("prompt", &rule.prompt, 255),
    ] {
        if let Some(found) =
            text.as_deref().map(|text| text.encode_utf16().count()).filter(|found| *found > most)
        {
            return Err(crate::edits::entry::over("TEXT_TOO_LONG", field, found, most));
        }
    }
    let prefix = &sheet.worksheet.spelling().prefix;
    let mut attributes = format!(" type=\"{}\"", rule.kind);
    let mut add = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            attributes.push_str(&format!(" {name}=\"{}\"", escape_attribute(value)));
        }
    };
    add("errorStyle", rule.error_style.as_deref().filter(|style| *style != "stop"));
    add("operator", rule.operator.as_deref().filter(|operator| *operator != "between"));
    add("allowBlank", rule.allow_blank.then_some("1"));
    // Excel's own name for it says the opposite.
    add("showDropDown", rule.hide_choices.then_some("1"));
    add("showInputMessage", Some("1"));
    add("showErrorMessage", Some("1"));
    add("errorTitle", rule.error_title.as_deref());
    add("error", rule.error.as_deref());
    add("promptTitle", rule.prompt_title.as_deref());
    add("prompt", rule.prompt.as_deref());
    add("sqref", Some(&sqref(areas)?));
    let mut inside = format!("<{prefix}formula1>{formula1}</{prefix}formula1>");
    if let Some(formula2) = &formula2 {
        inside.push_str(&format!("<{prefix}formula2>{formula2}</{prefix}formula2>"));
    }
    let markup = format!("<{prefix}dataValidation{attributes}>{inside}</{prefix}dataValidation>");

    let xml = Xml::frame(sheet.worksheet);
    let mut patch = Patch::new();
    // A cell has one validation at most, so the areas are taken from those that had them.
    let left = cut_areas(&sheet, &mut patch, "dataValidations", areas, KeepList::Yes)?;
    crate::edits::rules::extension::cut(&sheet, &mut patch, "dataValidations", "dataValidation", areas)?;
    match xml.root().child(ns::S, "dataValidations") {
        Some(list) => {
            xml.set_attribute(&mut patch, &list, "count", &(left + 1).to_string())?;
            xml.append(&mut patch, &list, &markup)?;
        }
        None => {
            let whole = format!("<{prefix}dataValidations count=\"1\">{markup}</{prefix}dataValidations>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "dataValidations", &whole)?;
        }
    }
    done(&sheet, patch, format!("Validate {}!{}", sheet.name(), sqref(areas)?), areas)
}

/// A bound or the choices, in the words of the file.
fn operand(formulas: &RuleFormulas<'_>, rule: &ValidationRule, text: &str) -> Result<String, Refusal> {
    match rule.kind.as_str() {
        "custom" => formulas.formula(text),
        "list" => formulas.choices(text),
        _ => formulas.bound(text),
    }
}

pub(crate) fn remove_validations(
    view: &View,
    name: &str,
    areas: &[Area],
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let mut patch = Patch::new();
    cut_areas(&sheet, &mut patch, "dataValidations", areas, KeepList::No)?;
    crate::edits::rules::extension::cut(&sheet, &mut patch, "dataValidations", "dataValidation", areas)?;
    done(&sheet, patch, format!("Remove validations of {}!{}", sheet.name(), sqref(areas)?), areas)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeepList {
    Yes,
    No,
}

/// Takes `areas` out of the rules of a list; answers how many rules are left.
fn cut_areas(
    sheet: &SheetView<'_>,
    patch: &mut Patch,
    list: &str,
    areas: &[Area],
    keep: KeepList,
) -> Result<usize, Refusal> {
    let xml = Xml::frame(sheet.worksheet);
    let Some(list) = xml.root().child(ns::S, list) else { return Ok(0) };
    let nodes: Vec<Node<'_>> = list.elements().collect();
    let mut gone = Vec::new();
    for node in &nodes {
        let before = read_areas(&string(node, "sqref").or_empty());
        let after = areas
            .iter()
            .fold(before.clone(), |known, cut| known.iter().flat_map(|area| without(area, cut)).collect());
        if after.is_empty() {
            gone.push(*node);
        } else if after != before {
            xml.set_attribute(patch, node, "sqref", &sqref(&after)?)?;
        }
    }
    let left = nodes.len() - gone.len();
    if left == 0 && keep == KeepList::No && !nodes.is_empty() {
        xml.remove(patch, &list)?;
        return Ok(0);
    }
    for node in &gone {
        xml.remove(patch, node)?;
    }
    if keep == KeepList::No && !gone.is_empty() && list.attribute(ns::NONE, "count").is_some() {
        xml.set_attribute(patch, &list, "count", &left.to_string())?;
    }
    Ok(left)
}

pub(crate) fn done(
    sheet: &SheetView<'_>,
    patch: Patch,
    summary: String,
    areas: &[Area],
) -> Result<Planned<Outcome>, Refusal> {
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: areas.to_vec(), ..Outcome::default() },
    })
}

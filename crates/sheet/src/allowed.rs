//! Whether a data validation allows a value.

use edit::OrEmpty;
use formula::Value;

use crate::calc::calculator::Calculator;
use crate::calc::place::CellOnSheet;
use crate::file::a1::CellRef;
use crate::file::refs::translate;
use crate::read::features::Validation;

/// Whether a rule that was written for the cell `first` allows a value in `place`; nothing where it cannot be told.
/// For a formula of one's own the calculator has to hold the value in that cell already.
pub fn fits(
    calculator: &Calculator,
    rule: &Validation,
    first: CellRef,
    place: CellOnSheet,
    value: &Value,
) -> Option<bool> {
    let moved =
        |formula: &Option<String>| formula.as_ref().map(|formula| translate(formula, first, place.at));
    let (one, two) = (moved(&rule.formula1), moved(&rule.formula2));
    let computed = |text: &str| -> Option<Value> {
        calculator.evaluate(text, place).ok()?.into_iter().next()?.into_iter().next()
    };
    match rule.kind.as_str() {
        "none" => Some(true),
        "list" => listed(calculator, one.as_deref()?, place, value),
        "custom" => match computed(one.as_deref()?)? {
            Value::Bool(truth) => Some(truth),
            Value::Number(number) => Some(number != 0.0),
            _ => None,
        },
        kind => {
            let number = |text: Option<&str>| match text?.parse::<f64>() {
                Ok(number) => Some(number),
                Err(_) => match computed(text?)? {
                    Value::Number(number) => Some(number),
                    _ => None,
                },
            };
            let (one, two) = (number(one.as_deref()), number(two.as_deref()));
            compared(kind, rule.operator.as_deref().unwrap_or("between"), value, one, two)
        }
    }
}

/// A rule in a few words.
pub fn told(rule: &Validation) -> String {
    let formula = |formula: &Option<String>| formula.clone().or_empty();
    match rule.kind.as_str() {
        "list" => match choices(&formula(&rule.formula1)) {
            Some(choices) => format!("one of {}", choices.join(", ")),
            None => format!("one of the values of {}", formula(&rule.formula1)),
        },
        "custom" => format!("={} must be true", formula(&rule.formula1)),
        kind => {
            let kind = match kind {
                "whole" => "a whole number",
                "decimal" => "a number",
                "textLength" => "a text with a length",
                "date" => "a date",
                "time" => "a time",
                other => other,
            };
            let bounds = match (&rule.formula2, rule.operator.as_deref()) {
                (Some(two), None | Some("between" | "notBetween")) => {
                    format!("{} and {two}", formula(&rule.formula1))
                }
                _ => formula(&rule.formula1),
            };
            let operator = match rule.operator.as_deref().unwrap_or("between") {
                "between" => "between",
                "notBetween" => "not between",
                "equal" => "equal to",
                "notEqual" => "other than",
                "greaterThan" => "greater than",
                "lessThan" => "less than",
                "greaterThanOrEqual" => "of at least",
                "lessThanOrEqual" => "of at most",
                other => other,
            };
            format!("{kind} {operator} {bounds}")
        }
    }
}

/// The choices of a list that are written into the rule itself.
pub fn choices(formula: &str) -> Option<Vec<String>> {
    let inside = formula.strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.replace("\"\"", "\"").split(',').map(|choice| choice.trim().to_owned()).collect())
}

fn listed(calculator: &Calculator, source: &str, place: CellOnSheet, value: &Value) -> Option<bool> {
    let shown = match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Text(text) => text.to_string(),
        _ => return Some(false),
    };
    if let Some(choices) = choices(source) {
        return Some(choices.contains(&shown));
    }
    let values: Vec<Value> = calculator.evaluate(source, place).ok()?.into_iter().flatten().collect();
    // A list whose cells are gone or computed elsewhere says nothing about entries.
    if values.iter().all(|known| matches!(known, Value::Error(_) | Value::Blank)) {
        return None;
    }
    // Choices that stand in cells are compared without case.
    Some(values.iter().any(|known| match (known, value) {
        (Value::Text(known), Value::Text(text)) => known.to_lowercase() == text.to_lowercase(),
        (known, value) => known == value,
    }))
}

fn compared(kind: &str, operator: &str, value: &Value, one: Option<f64>, two: Option<f64>) -> Option<bool> {
    let number = match (kind, value) {
        ("textLength", Value::Text(text)) => text.encode_utf16().count() as f64,
        ("textLength", Value::Number(number)) => number.to_string().chars().count() as f64,
        (_, Value::Number(number)) => *number,
        _ => return Some(false),
    };
    if kind == "whole" && number.fract() != 0.0 {
        return Some(false);
    }
    let one = one?;
    Some(match operator {
        "between" => (one..=two?).contains(&number),
        "notBetween" => !(one..=two?).contains(&number),
        "equal" => number == one,
        "notEqual" => number != one,
        "greaterThan" => number > one,
        "lessThan" => number < one,
        "greaterThanOrEqual" => number >= one,
        "lessThanOrEqual" => number <= one,
        _ => return None,
    })
}

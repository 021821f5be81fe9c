//! Whether a rule applies to a cell.

use std::cmp::Ordering;

use edit::Refusal;
use formula::Value;

use super::{Drawing, Formulas, Rule};
use crate::edits::rules::conditional::PERIODS;
use crate::file::a1::CellRef;

impl Rule {
    pub(super) fn applies(
        &self,
        at: CellRef,
        value: &Value,
        formulas: &Formulas<'_>,
    ) -> Result<bool, Refusal> {
        let format = &self.format;
        let formula = |index: usize| match format.formulas.get(index) {
            Some(text) => formulas.value(text, self.base(), at).map(Some),
            None => Ok(None),
        };
        if !matches!(self.drawing, Drawing::Look) {
            return Ok(matches!(value, Value::Number(_)));
        }
        Ok(match format.kind.as_str() {
            "cellIs" => {
                let Some(first) = formula(0)? else { return Ok(false) };
                compare(value, format.operator.as_deref().unwrap_or(""), &first, formula(1)?.as_ref())
            }
            "containsText" | "notContainsText" | "beginsWith" | "endsWith" => {
                match plain_text(format.text.as_deref()) {
                    Some(wanted) => text_matches(&format.kind, value, wanted),
                    None => formula(0)?.is_some_and(|value| is_true(&value)),
                }
            }
            "containsBlanks" => is_empty(value),
            "notContainsBlanks" => !is_empty(value),
            "containsErrors" => matches!(value, Value::Error(_)),
            "notContainsErrors" => !matches!(value, Value::Error(_)),
            "duplicateValues" => self.figures(formulas).count(value) > 1,
            "uniqueValues" => self.figures(formulas).count(value) == 1,
            "top10" => {
                let (Value::Number(number), Some(top)) = (value, format.top) else { return Ok(false) };
                let limit = self.figures(formulas).ranked(top.rank, top.percent, top.bottom);
                limit.is_some_and(|limit| if top.bottom { *number <= limit } else { *number >= limit })
            }
            "aboveAverage" => {
                let (Value::Number(number), Some(average)) = (value, format.average) else {
                    return Ok(false);
                };
                let figures = self.figures(formulas);
                let Some(mean) = figures.average() else { return Ok(false) };
                let away = figures.deviation() * f64::from(average.deviations.unwrap_or(0));
                let limit = if average.below { mean - away } else { mean + away };
                match (average.below, average.or_equal) {
                    (true, true) => *number <= limit,
                    (true, false) => *number < limit,
                    (false, true) => *number >= limit,
                    (false, false) => *number > limit,
                }
            }
            "timePeriod" if format.formulas.is_empty() => {
                let period = format.period.as_deref().unwrap_or("");
                let Some((_, text)) = PERIODS.iter().find(|(known, _)| *known == period) else {
                    return Ok(false);
                };
                let text = text.replace('@', &at.to_string());
                matches!(value, Value::Number(_)) && is_true(&formulas.value(&text, at, at)?)
            }
            "timePeriod" if !matches!(value, Value::Number(_)) => false,
            _ => formula(0)?.is_some_and(|value| is_true(&value)),
        })
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::Number(number) => *number != 0.0,
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Blank => true,
        Value::Text(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// A text that is looked for as it is; one with wildcards is left to the formula beside it.
fn plain_text(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty() && !text.contains(['*', '?', '~']))
}

fn text_matches(kind: &str, value: &Value, wanted: &str) -> bool {
    let text = match value {
        Value::Text(text) => text.to_lowercase(),
        Value::Number(number) => formula::numfmt::general(*number),
        Value::Bool(flag) => if *flag { "true" } else { "false" }.to_owned(),
        Value::Blank => String::new(),
        Value::Error(_) => return kind == "notContainsText",
    };
    let wanted = wanted.to_lowercase();
    match kind {
        "containsText" => text.contains(&wanted),
        "notContainsText" => !text.contains(&wanted),
        "beginsWith" => text.starts_with(&wanted),
        _ => text.ends_with(&wanted),
    }
}

fn compare(value: &Value, operator: &str, first: &Value, second: Option<&Value>) -> bool {
    let with = |other: &Value| order(value, other);
    let between = || {
        let second = second?;
        let (low, high) = if order(first, second)?.is_gt() { (second, first) } else { (first, second) };
        Some(with(low)?.is_ge() && with(high)?.is_le())
    };
    let found = match operator {
        "between" => between(),
        "notBetween" => between().map(|inside| !inside),
        "equal" => with(first).map(Ordering::is_eq),
        "notEqual" => Some(with(first).is_none_or(Ordering::is_ne)),
        "greaterThan" => with(first).map(Ordering::is_gt),
        "lessThan" => with(first).map(Ordering::is_lt),
        "greaterThanOrEqual" => with(first).map(Ordering::is_ge),
        "lessThanOrEqual" => with(first).map(Ordering::is_le),
        _ => None,
    };
    found.unwrap_or(false)
}

/// Numbers come before texts and those before truth values; a blank is as it suits the other.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    let rank = |value: &Value| match value {
        Value::Number(_) => Some(0),
        Value::Text(_) => Some(1),
        Value::Bool(_) => Some(2),
        Value::Blank | Value::Error(_) => None,
    };
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Text(b)) => Some(a.to_lowercase().cmp(&b.to_lowercase())),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Blank, Value::Blank) => Some(Ordering::Equal),
        (Value::Blank, Value::Text(b)) => Some("".cmp(b)),
        (Value::Blank, Value::Number(b)) => 0.0.partial_cmp(b),
        (Value::Blank, Value::Bool(b)) => Some(false.cmp(b)),
        (_, Value::Blank) => order(b, a).map(Ordering::reverse),
        _ => Some(rank(a)?.cmp(&rank(b)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_compared_as_in_excel() {
        let number = Value::Number;
        assert!(compare(&number(5.0), "between", &number(7.0), Some(&number(3.0))));
        assert!(compare(&Value::from("A"), "equal", &Value::from("a"), None));
        assert!(compare(&Value::from("x"), "greaterThan", &number(1e9), None));
        assert!(compare(&Value::Blank, "lessThan", &number(5.0), None));
        assert!(!compare(&Value::Blank, "greaterThan", &number(5.0), None));
        assert!(compare(&Value::Error(formula::ErrorKind::Div0), "notEqual", &number(5.0), None));
        assert!(!compare(&Value::Error(formula::ErrorKind::Div0), "equal", &number(5.0), None));
    }
}

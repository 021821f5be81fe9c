//! The rules by their ids.
//!
//! `D…` are the ids that users of the script API know; `DW…` are our own.

use edit::Refusal;

use super::Severity::{self, Error, Info, Warning};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    pub severity: Severity,
    /// What it finds, in a few words.
    pub about: &'static str,
}

const fn rule_of(id: &'static str, severity: Severity, about: &'static str) -> Rule {
    Rule { id, severity, about }
}

/// Every rule there is.
pub const RULES: &[Rule] = &[
    rule_of("D001", Warning, "ranges that are added overlap, or hold a total beside what it adds up"),
    rule_of("D002", Warning, "an approximate match looks in keys that are not sorted"),
    rule_of("D003", Warning, "an empty cell is calculated with as 0"),
    rule_of("D004", Error, "a cell is an error"),
    rule_of("D005", Warning, "a sum or average passes over numbers that are text, or TRUE and FALSE"),
    rule_of("D006", Warning, "one cell is taken for every row of a range, where a column of cells stands"),
    rule_of("D007", Warning, "a lookup finds the first of several rows with one key"),
    rule_of("D008", Error, "amounts in different currencies are added"),
    rule_of("D009", Warning, "percentages and other numbers are added"),
    rule_of("D023", Warning, "amounts of money are added to percentages, dates or cells formatted as text"),
    rule_of("D030", Warning, "a formula reads a merged cell that is not the first, which is always empty"),
    rule_of("D032", Warning, "a number is shown as ###, or a text is cut off by the next cell"),
    rule_of("D034", Info, "a wrapped text is higher than its row"),
    rule_of("D041", Warning, "a chart or picture covers cells that hold something"),
    rule_of("D042", Warning, "a chart or picture covers another"),
    rule_of("D043", Error, "a value is not allowed by the data validation of its cell"),
    rule_of("DW001", Warning, "a formula differs from those on both sides of it"),
    rule_of("DW002", Warning, "a number stands where the formulas on both sides are the same"),
    rule_of("DW003", Warning, "a sum stops short of the numbers beside it"),
    rule_of("DW004", Warning, "a number is stored as text among numbers"),
    rule_of("DW005", Info, "a number is written into a formula"),
    rule_of("DW006", Info, "an input that nothing reads, among others that are read"),
    rule_of("DW007", Info, "functions that calculate anew at every change"),
    rule_of("DW008", Error, "formulas that go round in a circle"),
    rule_of("DW009", Warning, "a defined name that stands for nothing"),
    rule_of("DW010", Info, "values from another workbook"),
    rule_of("DW011", Info, "a hidden sheet that visible results come from"),
];

/// Rules that users know and that are not looked for yet.
const LATER: &[&str] =
    &["D100", "D101", "D102", "D103", "D104", "D105", "D106", "D107", "D108", "D109", "D110"];

/// A rule by its id, in any case.
pub fn rule(id: &str) -> Result<&'static Rule, Refusal> {
    if let Some(rule) = RULES.iter().find(|rule| rule.id.eq_ignore_ascii_case(id.trim())) {
        return Ok(rule);
    }
    if LATER.iter().any(|later| later.eq_ignore_ascii_case(id.trim())) {
        return Err(Refusal::Unsupported {
            what: format!("the rule {id}, which is known but not looked for"),
            instead: None,
        });
    }
    let known = RULES.iter().map(|rule| rule.id).collect::<Vec<_>>().join(", ");
    Err(Refusal::invalid("rule", format!("`{id}`"), format!("one of {known}")))
}

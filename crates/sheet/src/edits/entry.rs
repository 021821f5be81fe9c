//! What Excel takes as an entry, and what it refuses: each of its limits and rules with a code of its own, so that a
//! caller can tell them apart.
//!
//! A formula over one of them would not only be refused when typed: Excel repairs a file that holds it, and the
//! formula is gone.

use std::fmt::Display;

use edit::Refusal;
use formula::{Expr, Operator};

/// Characters of one cell, as Excel counts them: UTF-16 units.
const MAX_TEXT: usize = 32_767;
const MAX_FORMULA: usize = 8_192;
const MAX_QUOTED: usize = 255;
const MAX_ARGUMENTS: usize = 255;
const MAX_NESTED: usize = 64;

pub(crate) fn rule(code: &'static str, why: String, instead: impl Into<String>) -> Refusal {
    Refusal::Rule { code, why, instead: Some(instead.into()) }
}

/// A length or number that Excel caps and nobody can raise.
pub(crate) fn over(code: &'static str, what: impl Display, found: impl Display, most: usize) -> Refusal {
    rule(code, format!("{what} has {found} characters"), format!("Excel takes {most} at most"))
}

/// More cells than one edit may name.
pub(crate) fn too_many_cells(found: u64, most: u64) -> Refusal {
    rule(
        "TOO_MANY_CELLS",
        format!("the edit names {found} cells, more than the {most} that one edit may touch"),
        "name only the cells in use, whole rows or columns, or split the edit",
    )
}

pub(crate) fn check_text(text: &str, of: impl Display) -> Result<(), Refusal> {
    match text.encode_utf16().count() {
        0..=MAX_TEXT => Ok(()),
        found => Err(over("TEXT_TOO_LONG", format!("the text of {of}"), found, MAX_TEXT)),
    }
}

/// The body of a formula that Excel would take, without its `=`.
pub(crate) fn check_formula(text: &str, of: impl Display) -> Result<&str, Refusal> {
    let body = text.strip_prefix('=').unwrap_or(text);
    let found = body.encode_utf16().count();
    if found > MAX_FORMULA {
        return Err(over("FORMULA_TOO_LONG", format!("the formula of {of}"), found, MAX_FORMULA));
    }
    let parsed = formula::parse(body).map_err(|error| Refusal::Rule {
        code: "FORMULA_SYNTAX",
        why: format!("`={}` for {of} is no formula: {error}", shortened(body)),
        instead: Some("arguments are separated by commas, texts stand in double quotes, sheet names with blanks in single ones".to_owned()),
    })?;
    check_calls(&parsed.expr, &of)?;
    check_depth(&parsed.expr, 0, &of)?;
    Ok(body)
}

/// The start of a text that may be long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// As many arguments as the function takes, and quoted texts that Excel reads.
fn check_calls(expr: &Expr, of: &impl Display) -> Result<(), Refusal> {
    let mut refusal = None;
    expr.walk(&mut |expr| {
        if refusal.is_some() {
            return;
        }
        match expr {
            Expr::Text(text) => {
                let found = text.encode_utf16().count();
                if found > MAX_QUOTED {
                    refusal = Some(rule(
                        "FORMULA_TEXT_TOO_LONG",
                        format!("a quoted text in the formula of {of} has {found} characters"),
                        format!(
                            "Excel takes {MAX_QUOTED} at most; join shorter ones with & or put it into a cell"
                        ),
                    ));
                }
            }
            Expr::Number(number) if !number.is_finite() => {
                refusal = Some(rule(
                    "FORMULA_SYNTAX",
                    format!("a number in the formula of {of} is larger than any that Excel knows"),
                    "the largest is 9.99999999999999E+307",
                ));
            }
            Expr::Array(array) if array.values().iter().any(|value| matches!(value, formula::Value::Number(number) if !number.is_finite())) => {
                refusal = Some(rule(
                    "FORMULA_SYNTAX",
                    format!("a number in the formula of {of} is larger than any that Excel knows"),
                    "the largest is 9.99999999999999E+307",
                ));
            }
            Expr::Single(inner, _) if is_no_reference(inner) || matches!(**inner, Expr::Single(..)) => {
                refusal = Some(rule(
                    "FORMULA_SYNTAX",
                    format!("the formula of {of} has an @ before what is no range"),
                    "@ takes one value of a range, such as @A1:A9",
                ));
            }
            Expr::Call { name, args, .. } => {
                let plain = formula::plain_name(name);
                refusal = wrong_count(plain, args, of).or_else(|| wrong_variables(plain, args, of));
            }
            Expr::Chain { first, rest } => {
                let between_references = |operator: &Operator| {
                    matches!(operator, Operator::Range | Operator::Intersect | Operator::Union)
                };
                let joins = rest.first().is_some_and(|(operator, _)| between_references(operator));
                let mut operands = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                if joins && operands.any(is_no_reference) {
                    refusal = Some(rule(
                        "FORMULA_SYNTAX",
                        format!("the formula of {of} joins values with a comma, a blank or a colon as if they were ranges"),
                        "decimals have a point, arguments stand in the brackets of a function, and values are joined by + or &",
                    ));
                }
            }
            Expr::Apply { callee, .. } if matches!(&**callee, Expr::Paren(inner) if is_no_reference(inner)) => {
                refusal = Some(rule(
                    "FORMULA_SYNTAX",
                    format!("the formula of {of} has brackets behind a value, as if it were a function"),
                    "multiplication is written with *",
                ));
            }
            _ => {}
        }
    });
    refusal.map_or(Ok(()), Err)
}

/// What LET and LAMBDA call their variables has to be a name, and each another.
fn wrong_variables(name: &str, args: &[Expr], of: &impl Display) -> Option<Refusal> {
    let upper = name.to_ascii_uppercase();
    let named = args.iter().enumerate().filter(|(index, _)| match upper.as_str() {
        "LET" => index % 2 == 0 && index + 1 < args.len(),
        "LAMBDA" => index + 1 < args.len(),
        _ => false,
    });
    let mut seen: Vec<String> = Vec::new();
    for (_, arg) in named {
        let variable = match arg {
            Expr::Name(name) if name.sheet.is_none() => name.name.to_lowercase(),
            // One that may be left out stands in brackets.
            Expr::Structured(used) if upper == "LAMBDA" && used.table.is_none() => {
                format!("{:?}", used.columns)
            }
            _ => {
                return Some(rule(
                    "FORMULA_SYNTAX",
                    format!("{upper} in the formula of {of} gives a value to what is no name"),
                    "names of variables are words that are no cell, such as rate or x_1",
                ));
            }
        };
        if seen.contains(&variable) {
            return Some(rule(
                "FORMULA_SYNTAX",
                format!("{upper} in the formula of {of} names `{variable}` twice"),
                "each variable has a name of its own",
            ));
        }
        seen.push(variable);
    }
    None
}

/// A value that cannot stand for a range.
fn is_no_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_)
        | Expr::Text(_)
        | Expr::Bool(_)
        | Expr::Array(_)
        | Expr::Percent(_)
        | Expr::Negate(_) => true,
        Expr::Paren(inner) => is_no_reference(inner),
        _ => false,
    }
}

fn wrong_count(name: &str, args: &[Expr], of: &impl Display) -> Option<Refusal> {
    let found = args.len();
    let known = formula::functions().iter().find(|known| known.name.eq_ignore_ascii_case(name));
    let most = known.map_or(MAX_ARGUMENTS, |known| usize::from(known.max)).min(MAX_ARGUMENTS);
    if found > most {
        return Some(rule(
            "TOO_MANY_ARGUMENTS",
            format!("{} in the formula of {of} has {found} arguments", name.to_uppercase()),
            format!("it takes {most} at most; a range counts as one"),
        ));
    }
    let least = match name.to_ascii_uppercase().as_str() {
        // Names and values in pairs, and what to make of them.
        "LET" if found >= 3 && found.is_multiple_of(2) => found + 1,
        "LET" => 3,
        "LAMBDA" => 1,
        _ => known.map_or(0, |known| usize::from(known.min)),
    };
    (found < least).then(|| {
        rule(
            "TOO_FEW_ARGUMENTS",
            format!("{} in the formula of {of} has {found} arguments", name.to_uppercase()),
            format!("it takes {least} at least"),
        )
    })
}

/// Functions inside functions; the parser has bounded how deep an expression can be.
fn check_depth(expr: &Expr, calls: usize, of: &impl Display) -> Result<(), Refusal> {
    if calls > MAX_NESTED {
        return Err(rule(
            "FORMULA_TOO_DEEP",
            format!("the formula of {of} nests functions more than {MAX_NESTED} deep"),
            "Excel takes no more; put a part of it into a cell of its own",
        ));
    }
    let inner = |one: &Expr| check_depth(one, calls, of);
    match expr {
        Expr::Negate(one)
        | Expr::Plus(one)
        | Expr::Single(one, _)
        | Expr::Percent(one)
        | Expr::Spill(one, _)
        | Expr::Paren(one) => inner(one),
        Expr::Chain { first, rest } => {
            inner(first)?;
            rest.iter().try_for_each(|(_, one)| inner(one))
        }
        Expr::Call { args, .. } => args.iter().try_for_each(|one| check_depth(one, calls + 1, of)),
        Expr::Apply { callee, args } => {
            check_depth(callee, calls + 1, of)?;
            args.iter().try_for_each(|one| check_depth(one, calls + 1, of))
        }
        _ => Ok(()),
    }
}

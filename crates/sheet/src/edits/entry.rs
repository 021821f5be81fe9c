//! What Excel takes as an entry, and what it refuses: each of its limits and rules with a code of its own, so that a
//! caller can tell them apart.
//!
//! A formula over one of them would not only be refused when typed: Excel repairs a file that holds it, and the
//! formula is gone.

use std::fmt::Display;

use edit::Refusal;
use formula::Expr;

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
            Expr::Call { name, args, .. } => refusal = wrong_count(formula::plain_name(name), args, of),
            _ => {}
        }
    });
    refusal.map_or(Ok(()), Err)
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
    let least = known.map_or(0, |known| usize::from(known.min));
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

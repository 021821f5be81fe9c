//! How the file spells formulas that people type: functions younger than the format carry a prefix.

use edit::Cut;
use formula::{Expr, Span, Structured, TableColumns, Trim};

use crate::file::refs::splice_text;

/// Functions that files write with `_xlfn.` before them.
const PREFIXED: &[&str] = &[
    "ACOT",
    "ACOTH",
    "AGGREGATE",
    "ARABIC",
    "ARRAYTOTEXT",
    "BASE",
    "BETA.DIST",
    "BETA.INV",
    "BINOM.DIST",
    "BINOM.DIST.RANGE",
    "BINOM.INV",
    "BITAND",
    "BITLSHIFT",
    "BITOR",
    "BITRSHIFT",
    "BITXOR",
    "BYCOL",
    "BYROW",
    "CEILING.MATH",
    "CEILING.PRECISE",
    "CHISQ.DIST",
    "CHISQ.DIST.RT",
    "CHISQ.INV",
    "CHISQ.INV.RT",
    "CHISQ.TEST",
    "CHOOSECOLS",
    "CHOOSEROWS",
    "COMBINA",
    "CONCAT",
    "CONFIDENCE.NORM",
    "CONFIDENCE.T",
    "COT",
    "COTH",
    "COVARIANCE.P",
    "COVARIANCE.S",
    "CSC",
    "CSCH",
    "DAYS",
    "DECIMAL",
    "DROP",
    "ECMA.CEILING",
    "ERF.PRECISE",
    "ERFC.PRECISE",
    "EXPAND",
    "EXPON.DIST",
    "F.DIST",
    "F.DIST.RT",
    "F.INV",
    "F.INV.RT",
    "F.TEST",
    "FIELDVALUE",
    "FILTERXML",
    "FLOOR.MATH",
    "FLOOR.PRECISE",
    "FORECAST.ETS",
    "FORECAST.ETS.CONFINT",
    "FORECAST.ETS.SEASONALITY",
    "FORECAST.ETS.STAT",
    "FORECAST.LINEAR",
    "FORMULATEXT",
    "GAMMA",
    "GAMMA.DIST",
    "GAMMA.INV",
    "GAMMALN.PRECISE",
    "GAUSS",
    "GROUPBY",
    "HSTACK",
    "HYPGEOM.DIST",
    "IFNA",
    "IFS",
    "IMAGE",
    "IMCOSH",
    "IMCOT",
    "IMCSC",
    "IMCSCH",
    "IMSEC",
    "IMSECH",
    "IMSINH",
    "IMTAN",
    "ISFORMULA",
    "ISO.CEILING",
    "ISOMITTED",
    "ISOWEEKNUM",
    "LAMBDA",
    "LET",
    "LOGNORM.DIST",
    "LOGNORM.INV",
    "MAKEARRAY",
    "MAP",
    "MAXIFS",
    "MINIFS",
    "MODE.MULT",
    "MODE.SNGL",
    "MUNIT",
    "NEGBINOM.DIST",
    "NETWORKDAYS.INTL",
    "NORM.DIST",
    "NORM.INV",
    "NORM.S.DIST",
    "NORM.S.INV",
    "NUMBERVALUE",
    "PDURATION",
    "PERCENTILE.EXC",
    "PERCENTILE.INC",
    "PERCENTOF",
    "PERCENTRANK.EXC",
    "PERCENTRANK.INC",
    "PERMUTATIONA",
    "PHI",
    "PIVOTBY",
    "POISSON.DIST",
    "QUARTILE.EXC",
    "QUARTILE.INC",
    "QUERYSTRING",
    "RANDARRAY",
    "RANK.AVG",
    "RANK.EQ",
    "REDUCE",
    "REGEXEXTRACT",
    "REGEXREPLACE",
    "REGEXTEST",
    "RRI",
    "SCAN",
    "SEC",
    "SECH",
    "SEQUENCE",
    "SHEET",
    "SHEETS",
    "SINGLE",
    "SKEW.P",
    "SORTBY",
    "STDEV.P",
    "STDEV.S",
    "SWITCH",
    "T.DIST",
    "T.DIST.2T",
    "T.DIST.RT",
    "T.INV",
    "T.INV.2T",
    "T.TEST",
    "TAKE",
    "TEXTAFTER",
    "TEXTBEFORE",
    "TEXTJOIN",
    "TEXTSPLIT",
    "TOCOL",
    "TOROW",
    "TRIMRANGE",
    "UNICHAR",
    "UNICODE",
    "UNIQUE",
    "VALUETOTEXT",
    "VAR.P",
    "VAR.S",
    "VSTACK",
    "WEBSERVICE",
    "WEIBULL.DIST",
    "WORKDAY.INTL",
    "WRAPCOLS",
    "WRAPROWS",
    "XLOOKUP",
    "XMATCH",
    "XOR",
    "Z.TEST",
    "ENCODEURL",
    "STOCKHISTORY",
    "DETECTLANGUAGE",
    "TRANSLATE",
    "IMPORTCSV",
    "IMPORTTEXT",
    "ANCHORARRAY",
];

/// Functions that carry a second prefix.
const WORKSHEET: &[&str] = &["FILTER", "SORT"];

/// How a formula is written down that takes one value where a range stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Singles {
    /// As an ordinary formula, which does so by itself.
    Implied,
    /// With a function that says so.
    Told,
}

/// The formula as the file has it: prefixes of young functions and of their variables added, operators that the file
/// has no sign for as functions, the rest as it was typed. `defined` says which names mean something, and no function.
pub(crate) fn formula_for_file(text: &str, singles: Singles, defined: &dyn Fn(&str) -> bool) -> String {
    let body = text.strip_prefix('=').unwrap_or(text);
    let Ok(parsed) = formula::parse(body) else { return body.to_owned() };
    let needless = match singles {
        Singles::Implied => formula::needless_singles(&parsed.expr),
        Singles::Told => Vec::new(),
    };
    let mut changes = Vec::new();
    let mut variables: Vec<String> = Vec::new();
    let mut given: Vec<usize> = Vec::new();
    parsed.expr.walk(&mut |expr| {
        let (Expr::Call { args, .. } | Expr::Apply { args, .. }) = expr else { return };
        given.extend(args.iter().filter_map(|arg| match arg {
            Expr::Name(name) => Some(name.span.start),
            _ => None,
        }));
        let Expr::Call { name, .. } = expr else { return };
        let upper = formula::plain_name(name).to_ascii_uppercase();
        let names = args.iter().enumerate().filter(|(index, _)| match upper.as_str() {
            "LET" => index % 2 == 0 && index + 1 < args.len(),
            "LAMBDA" => index + 1 < args.len(),
            _ => false,
        });
        for (_, arg) in names {
            match arg {
                Expr::Name(name) => variables.push(bare(&name.name).to_lowercase()),
                // An argument that may be left out.
                Expr::Structured(Structured {
                    table: None, columns: TableColumns::One(name), span, ..
                }) => {
                    variables.push(bare(name).to_lowercase());
                    changes.push((span.clone(), format!("_xlop.{}", bare(name))));
                }
                _ => {}
            }
        }
    });
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Name(name) if name.sheet.is_none() => {
            if variables.contains(&name.name.to_lowercase()) {
                changes.push((name.span.start..name.span.start, "_xlpm.".to_owned()));
            } else if given.contains(&name.span.start) && is_function(&name.name) && !defined(&name.name) {
                changes.push((name.span.clone(), format!("_xleta.{}", name.name.to_ascii_uppercase())));
            }
        }
        Expr::Call { name, span, .. } => {
            let upper = name.to_ascii_uppercase();
            let prefix = if variables.contains(&name.to_lowercase()) {
                "_xlpm."
            } else if WORKSHEET.contains(&upper.as_str()) {
                "_xlfn._xlws."
            } else if PREFIXED.contains(&upper.as_str()) {
                "_xlfn."
            } else {
                return;
            };
            changes.push((span.start..span.start, prefix.to_owned()));
        }
        Expr::Single(_, span) => {
            let (before, behind) =
                if needless.contains(&span.start) { ("", "") } else { ("_xlfn.SINGLE(", ")") };
            changes.push((span.start..span.start + 1, before.to_owned()));
            changes.push((span.end..span.end, behind.to_owned()));
        }
        Expr::Spill(_, span) => {
            changes.push((span.start..span.start, "_xlfn.ANCHORARRAY(".to_owned()));
            changes.push((span.end - 1..span.end, ")".to_owned()));
        }
        Expr::Trimmed(range, trim) => {
            let Expr::Reference(reference) = &**range else { return };
            let written = parsed.text.part(reference.span.clone());
            let plain = written.replacen(trim.symbol(), ":", 1);
            changes.push((reference.span.clone(), format!("_xlfn.{}({plain})", trim.function())));
        }
        _ => {}
    });
    splice_text(&parsed.text, changes).unwrap_or_else(|| body.to_owned())
}

fn bare(name: &str) -> &str {
    name.strip_prefix("_xlpm.").or_else(|| name.strip_prefix("_xlop.")).unwrap_or(name)
}

fn is_function(name: &str) -> bool {
    formula::functions().iter().any(|function| function.name.eq_ignore_ascii_case(name))
}

/// An ordinary formula as people read it, with `@` where it takes one value of a range. Typed without, it would spill.
pub(crate) fn ordinary_for_people(text: &str) -> String {
    if text.contains([':', '['])
        && let Ok(parsed) = formula::parse(text)
    {
        let singles = formula::implied_singles(&parsed.expr);
        let marks = singles.into_iter().map(|at| (at..at, "@".to_owned())).collect();
        if let Some(marked) = splice_text(&parsed.text, marks) {
            return formula_for_people(&marked);
        }
    }
    formula_for_people(text)
}

/// The formula as people read it: prefixes of functions and variables taken off, operators as they are typed.
pub(crate) fn formula_for_people(text: &str) -> String {
    if !text.contains("_xl") {
        return text.to_owned();
    }
    let Ok(parsed) = formula::parse(text) else { return text.to_owned() };
    let mut changes = Vec::new();
    parsed.expr.walk(&mut |expr| {
        let (name, span) = match expr {
            Expr::Call { name, span, args } => {
                if let [only] = args.as_slice() {
                    let operator = as_operator(text, formula::plain_name(name), span.clone(), only);
                    if !operator.is_empty() {
                        changes.extend(operator);
                        return;
                    }
                }
                (name, span)
            }
            Expr::Name(name) if name.sheet.is_none() => (&name.name, &name.span),
            _ => return,
        };
        let lower = name.to_ascii_lowercase();
        if lower.starts_with("_xlop.") {
            changes.push((span.clone(), format!("[{}]", bare(name))));
            return;
        }
        let length = ["_xlfn._xlws.", "_xlfn.", "_xlpm.", "_xlws.", "_xleta."]
            .iter()
            .find(|prefix| lower.starts_with(**prefix));
        if let Some(prefix) = length {
            changes.push((span.start..span.start + prefix.len(), String::new()));
        }
    });
    splice_text(&parsed.text, changes).unwrap_or_else(|| text.to_owned())
}

/// What turns a function that stands for an operator into that operator.
fn as_operator(text: &str, name: &str, span: Span, arg: &Expr) -> Vec<(Span, String)> {
    let Some(close) = closing(text, span.end) else { return Vec::new() };
    let opening = span.start..span.end + 1;
    let plain = matches!(arg, Expr::Reference(_) | Expr::Name(_) | Expr::Structured(_) | Expr::Call { .. });
    match name.to_ascii_uppercase().as_str() {
        "SINGLE" if plain => vec![(opening, "@".to_owned()), (close..close + 1, String::new())],
        "SINGLE" => vec![(opening, "@(".to_owned())],
        "ANCHORARRAY" => vec![(opening, String::new()), (close..close + 1, "#".to_owned())],
        name => {
            let trims = [Trim::Leading, Trim::Trailing, Trim::All];
            let trim = trims.into_iter().find(|trim| trim.function() == name);
            let (Some(trim), Expr::Reference(reference)) = (trim, arg) else { return Vec::new() };
            // The colon between the corners; one before it may stand between sheets.
            let written = text.part(reference.sheet_span.end..reference.span.end);
            let Some(colon) = written.find(':') else { return Vec::new() };
            let colon = reference.sheet_span.end + colon;
            vec![
                (opening, String::new()),
                (colon..colon + 1, trim.symbol().to_owned()),
                (close..close + 1, String::new()),
            ]
        }
    }
}

/// Where the parenthesis closes that opens at a byte.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match (quote, byte) {
            (Some(mark), byte) if mark == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn young_functions_carry_their_prefix_in_files() {
        for (typed, stored) in [
            ("SUM(A1)", "SUM(A1)"),
            ("xlookup(A1,B:B,C:C)", "_xlfn.xlookup(A1,B:B,C:C)"),
            ("SORT(FILTER(A:A,B:B>0))", "_xlfn._xlws.SORT(_xlfn._xlws.FILTER(A:A,B:B>0))"),
            ("LET(x,1,x+y)", "_xlfn.LET(_xlpm.x,1,_xlpm.x+y)"),
            ("_xlfn.XLOOKUP(A1,B:B,C:C)", "_xlfn.XLOOKUP(A1,B:B,C:C)"),
            ("SUM(A1#) + 1", "SUM(_xlfn.ANCHORARRAY(A1)) + 1"),
            ("SUM(Sheet1!A1:.A9)", "SUM(_xlfn._TRO_TRAILING(Sheet1!A1:A9))"),
            ("SUM(A.:.C)", "SUM(_xlfn._TRO_ALL(A:C))"),
            ("BYCOL(A1:B2,sum)", "_xlfn.BYCOL(A1:B2,_xleta.SUM)"),
            ("LET(sum,1,sum)", "_xlfn.LET(_xlpm.sum,1,_xlpm.sum)"),
            ("rate*2", "rate*2"),
            (
                "LAMBDA(a,[b],IF(ISOMITTED(b),a,b))",
                "_xlfn.LAMBDA(_xlpm.a,_xlop.b,IF(_xlfn.ISOMITTED(_xlpm.b),_xlpm.a,_xlpm.b))",
            ),
            ("SUM(@A1:A9*B1:B9)", "SUM(_xlfn.SINGLE(A1:A9)*B1:B9)"),
        ] {
            assert_eq!(formula_for_file(typed, Singles::Told, &|name| name == "rate"), stored);
            let people = formula_for_people(stored);
            if !typed.starts_with("_xlfn") {
                assert!(people.eq_ignore_ascii_case(typed), "{people} for {typed}");
            }
        }
        for (typed, stored) in [("@A1:A9*2", "A1:A9*2"), ("SUM(@A1:A9)", "SUM(_xlfn.SINGLE(A1:A9))")] {
            assert_eq!(formula_for_file(typed, Singles::Implied, &|_| false), stored);
        }
        assert_eq!(formula_for_people("_xlfn.LET(_xlpm.x,1,_xlpm.x+y)"), "LET(x,1,x+y)");
        assert_eq!(formula_for_people("_xlfn._xlws.SORT(A1)"), "SORT(A1)");
    }
}

//! How the file spells formulas that people type: functions younger than the format carry a prefix.

use formula::Expr;

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
    "ANCHORARRAY",
];

/// Functions that carry a second prefix.
const WORKSHEET: &[&str] = &["FILTER", "SORT"];

/// The formula as the file has it: prefixes of young functions and of their variables added, the rest as it
/// was typed.
pub(crate) fn formula_for_file(text: &str) -> String {
    let body = text.strip_prefix('=').unwrap_or(text);
    let Ok(parsed) = formula::parse(body) else { return body.to_owned() };
    let mut changes = Vec::new();
    let mut variables: Vec<String> = Vec::new();
    parsed.expr.walk(&mut |expr| {
        let Expr::Call { name, span, args } = expr else { return };
        let upper = name.to_ascii_uppercase();
        let prefix = if WORKSHEET.contains(&upper.as_str()) {
            "_xlfn._xlws."
        } else if PREFIXED.contains(&upper.as_str()) {
            "_xlfn."
        } else {
            ""
        };
        if !prefix.is_empty() {
            changes.push((span.start..span.start, prefix.to_owned()));
        }
        let bare = upper.trim_start_matches("_XLFN.");
        let names = args.iter().enumerate().filter(|(index, _)| match bare {
            "LET" => index % 2 == 0 && index + 1 < args.len(),
            "LAMBDA" => index + 1 < args.len(),
            _ => false,
        });
        for (_, arg) in names {
            if let Expr::Name(name) = arg {
                variables.push(name.name.to_lowercase());
            }
        }
    });
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Name(name) if name.sheet.is_none() && variables.contains(&name.name.to_lowercase()) => {
            changes.push((name.span.start..name.span.start, "_xlpm.".to_owned()));
        }
        Expr::Call { name, span, .. } if variables.contains(&name.to_lowercase()) => {
            changes.push((span.start..span.start, "_xlpm.".to_owned()));
        }
        _ => {}
    });
    splice_text(&parsed.text, changes).unwrap_or_else(|| body.to_owned())
}

/// The formula as people read it: prefixes of functions and variables taken off.
pub(crate) fn formula_for_people(text: &str) -> String {
    if !text.contains("_xl") {
        return text.to_owned();
    }
    let Ok(parsed) = formula::parse(text) else { return text.to_owned() };
    let mut changes = Vec::new();
    parsed.expr.walk(&mut |expr| {
        let (name, span) = match expr {
            Expr::Call { name, span, .. } => (name, span),
            Expr::Name(name) if name.sheet.is_none() => (&name.name, &name.span),
            _ => return,
        };
        let lower = name.to_ascii_lowercase();
        let length =
            ["_xlfn._xlws.", "_xlfn.", "_xlpm.", "_xlws."].iter().find(|prefix| lower.starts_with(**prefix));
        if let Some(prefix) = length {
            changes.push((span.start..span.start + prefix.len(), String::new()));
        }
    });
    splice_text(&parsed.text, changes).unwrap_or_else(|| text.to_owned())
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
        ] {
            assert_eq!(formula_for_file(typed), stored);
        }
        assert_eq!(formula_for_people("_xlfn.LET(_xlpm.x,1,_xlpm.x+y)"), "LET(x,1,x+y)");
        assert_eq!(formula_for_people("_xlfn._xlws.SORT(A1)"), "SORT(A1)");
    }
}

//! Which language a workbook's values were calculated in.
//!
//! A file does not say it. But `TEXT(A1,"mmmm")` left the name of a month, and `TEXT(A1,"0,00")` a comma: the language in
//! which formulas come to the values that are stored is the one that whoever saved the workbook uses.

use std::collections::BTreeSet;

use formula::{CellRef as FormulaCell, Clock, Locale, Outcome, Value};

use super::Model;

/// Functions that read or write texts as a language does.
const ASK_LANGUAGE: [&str; 5] = ["TEXT(", "FIXED(", "DOLLAR(", "VALUE(", "DATEVALUE("];
/// Formulas that are tried.
const MOST_TRIED: usize = 48;
/// Steps that each of them may take.
const MOST_STEPS: u64 = 100_000;

/// The values of `stale` cells are those of before an edit: they tell a language only by their words.
pub(super) fn of_values(model: &Model, stale: &BTreeSet<FormulaCell>) -> Locale {
    let english = Locale::default();
    let (mut tried, mut words) = (Vec::new(), Vec::new());
    let mut last: Option<std::sync::Arc<str>> = None;
    for at in model.formula_cells() {
        let Some(formula) = model.formula(at) else { continue };
        let source = formula.source();
        let seen = last.as_ref().is_some_and(|last| std::sync::Arc::ptr_eq(last, source));
        if seen && tried.len() > 8 || !asks_language(source) {
            continue;
        }
        last = Some(std::sync::Arc::clone(source));
        let stored = model.value(at);
        if stored.is_blank() || model.unvalued.contains(&at) {
            continue;
        }
        if let Value::Text(text) = &stored {
            words.push(std::sync::Arc::clone(text));
        }
        if stale.contains(&at) {
            continue;
        }
        if let Ok(parsed) = formula::parse(&formula.text(at)) {
            tried.push((at, parsed.expr, formula.mode, stored));
        }
        if tried.len() == MOST_TRIED || words.len() == 4 * MOST_TRIED {
            break;
        }
    }
    let right = |locale: Locale| {
        let clock = Clock { locale, ..Clock::default() };
        let same = |(at, expr, mode, stored): &&(_, _, _, Value)| {
            let found = model.engine.evaluate_within(expr, *at, *mode, &model.grid, clock, MOST_STEPS);
            match found {
                Outcome::Value(value) => value == *stored,
                Outcome::Array(array) => array.get(0, 0) == Some(stored),
                Outcome::Unanswerable(_) => false,
            }
        };
        tried.iter().filter(same).count()
    };
    let (mut best, mut most) = (english, right(english));
    if most < tried.len() {
        for locale in Locale::all().skip(1) {
            let count = right(locale);
            if count > most {
                (best, most) = (locale, count);
            }
        }
    }
    if most > 0 {
        return best;
    }
    // Whatever the cells say by now, the name of a month is from one language.
    let months = |locale: Locale| {
        let words = words.iter().flat_map(|text| text.split([' ', '-', '/', '.', ',']));
        words.filter(|word| word.len() > 2 && locale.month_of(word).is_some()).count()
    };
    let (mut best, mut most) = (english, months(english));
    for locale in Locale::all().skip(1) {
        let count = months(locale);
        if count > most {
            (best, most) = (locale, count);
        }
    }
    best
}

fn asks_language(source: &str) -> bool {
    let upper = source.to_ascii_uppercase();
    ASK_LANGUAGE.iter().any(|function| upper.contains(function))
}

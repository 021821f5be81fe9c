//! Lookups that find another row than the one that is meant.

use std::collections::HashMap;
use std::rc::Rc;

use formula::{Expr, Value};

use super::FindingList;
use super::survey::{FormulaCell, Survey};
use super::uses::{area_of, function};
use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::file::a1::{Area, CellRef};

/// What is known of the keys that lookups go through.
#[derive(Debug, Default)]
pub(crate) struct KeyFacts {
    /// The first two keys of one kind that go down, and up.
    falls: Option<(CellRef, CellRef)>,
    rises: Option<(CellRef, CellRef)>,
    /// Where keys stand that occur more than once.
    repeated: HashMap<String, Vec<CellRef>>,
}

/// How a lookup goes through its keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Approximate, in keys that go up, or down.
    Rising,
    Falling,
    Exact,
}

/// A lookup with its keys, a line of cells.
struct Lookup<'e> {
    name: String,
    wanted: &'e Expr,
    keys: AreaOnSheet,
    search: Search,
    /// Where the answers stand, in a line beside the keys.
    answers: Option<AreaOnSheet>,
}

pub(super) fn of_formula(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    if !found.wants("D002") && !found.wants("D007") {
        return;
    }
    let mut lookups = Vec::new();
    cell.expr.walk(&mut |expr| {
        if let Expr::Call { name, args, .. } = expr {
            lookups.extend(lookup(survey, function(name), args, cell.place));
            lookups.extend(indexed(survey, &function(name), args, cell.place));
        }
    });
    for lookup in &lookups {
        let facts = key_facts(survey, lookup.keys);
        match lookup.search {
            Search::Exact => repeated(survey, cell, lookup, &facts, found),
            search => unsorted(survey, cell, lookup, search, &facts, found),
        }
    }
}

fn lookup<'e>(survey: &Survey<'_>, name: String, args: &'e [Expr], home: CellOnSheet) -> Option<Lookup<'e>> {
    let area = |index: usize| args.get(index).and_then(|arg| area_of(survey, arg, home));
    let number = |index: usize| args.get(index).and_then(constant);
    let wanted = args.first()?;
    let (keys, search, answers) = match name.as_str() {
        "VLOOKUP" | "HLOOKUP" => {
            let table = area(1)?;
            let whole = table.area;
            let down = name == "VLOOKUP";
            let line = |n: u32| match down {
                true => Area { left: whole.left + n, right: whole.left + n, ..whole },
                false => Area { top: whole.top + n, bottom: whole.top + n, ..whole },
            };
            let width = if down { whole.right - whole.left } else { whole.bottom - whole.top };
            let answers = number(2).map(|n| n as u32).filter(|n| (1..=width + 1).contains(n));
            let search = match args.get(3) {
                None => Search::Rising,
                // An argument left empty is FALSE.
                Some(Expr::Missing) => Search::Exact,
                Some(_) => {
                    if number(3)? == 0.0 {
                        Search::Exact
                    } else {
                        Search::Rising
                    }
                }
            };
            let on = |area| AreaOnSheet { sheet: table.sheet, area };
            (on(line(0)), search, answers.map(|n| on(line(n - 1))))
        }
        "MATCH" => {
            let search = match args.get(2) {
                None => Search::Rising,
                Some(Expr::Missing) => Search::Exact,
                Some(_) => match number(2)? {
                    n if n > 0.0 => Search::Rising,
                    n if n < 0.0 => Search::Falling,
                    _ => Search::Exact,
                },
            };
            (area(1)?, search, None)
        }
        "XMATCH" => {
            let exact = args.get(2).is_none_or(|arg| constant(arg) == Some(0.0) || *arg == Expr::Missing);
            exact.then_some((area(1)?, Search::Exact, None))?
        }
        "LOOKUP" => {
            let keys = area(1)?;
            (args.len() == 3).then_some((keys, Search::Rising, area(2)))?
        }
        "XLOOKUP" => {
            let exact = args.get(4).is_none_or(|arg| constant(arg) == Some(0.0) || *arg == Expr::Missing);
            exact.then_some((area(1)?, Search::Exact, area(2)))?
        }
        _ => return None,
    };
    let Area { top, left, bottom, right } = keys.area;
    (top == bottom || left == right).then_some(Lookup { name, wanted, keys, search, answers })
}

/// `INDEX(answers, MATCH(key, keys, 0))`, down or across, and of a table the column or the row that is named.
fn indexed<'e>(survey: &Survey<'_>, name: &str, args: &'e [Expr], home: CellOnSheet) -> Option<Lookup<'e>> {
    if name != "INDEX" {
        return None;
    }
    let table = area_of(survey, args.first()?, home)?;
    let whole = table.area;
    let matched = |index: usize| match args.get(index)? {
        Expr::Call { name, args, .. } => lookup(survey, function(name), args, home),
        _ => None,
    };
    let line = |index: usize| args.get(index).and_then(constant).map(|n| n as u32).filter(|n| *n > 0);
    let is_down = |found: &Lookup<'_>| found.keys.area.left == found.keys.area.right;
    let (found, answers) = match (matched(1), args.len()) {
        (Some(found), 2) if is_down(&found) && whole.left == whole.right => (found, whole),
        (Some(found), 2) if !is_down(&found) && whole.top == whole.bottom => (found, whole),
        (Some(found), 3) if is_down(&found) => {
            let col = (whole.left + line(2)? - 1).min(whole.right);
            (found, Area { left: col, right: col, ..whole })
        }
        (None, 3) => {
            let found = matched(2).filter(|found| !is_down(found))?;
            let row = (whole.top + line(1)? - 1).min(whole.bottom);
            (found, Area { top: row, bottom: row, ..whole })
        }
        _ => return None,
    };
    // The bare MATCH is looked at for itself as well; what it says of its keys is not said twice.
    (found.search == Search::Exact && answers.count() == found.keys.area.count())
        .then_some(Lookup { answers: Some(AreaOnSheet { sheet: table.sheet, area: answers }), ..found })
}

fn constant(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Number(number) => Some(*number),
        Expr::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Expr::Negate(inner) => constant(inner).map(|number| -number),
        Expr::Paren(inner) | Expr::Plus(inner) => constant(inner),
        _ => None,
    }
}

fn key_facts(survey: &mut Survey<'_>, keys: AreaOnSheet) -> Rc<KeyFacts> {
    if let Some(known) = survey.key_facts.get(&keys) {
        return Rc::clone(known);
    }
    let mut facts = KeyFacts::default();
    let mut last: [Option<(CellRef, Value)>; 2] = [None, None];
    let mut first: HashMap<String, CellRef> = HashMap::new();
    for cell in survey.cells_in(keys) {
        let kind = match &cell.value {
            Value::Number(_) => 0,
            Value::Text(text) if !text.is_empty() => 1,
            _ => continue,
        };
        if let Some((at, before)) = &last[kind] {
            match order(before, &cell.value) {
                std::cmp::Ordering::Greater => facts.falls = facts.falls.or(Some((*at, cell.at))),
                std::cmp::Ordering::Less => facts.rises = facts.rises.or(Some((*at, cell.at))),
                std::cmp::Ordering::Equal => {}
            }
        }
        last[kind] = Some((cell.at, cell.value.clone()));
        if let Some(key) = key(&cell.value) {
            match first.get(&key).copied() {
                None => {
                    first.insert(key, cell.at);
                }
                Some(one) => facts.repeated.entry(key).or_insert_with(|| vec![one]).push(cell.at),
            }
        }
    }
    let facts = Rc::new(facts);
    survey.key_facts.insert(keys, Rc::clone(&facts));
    facts
}

/// Excel passes over hyphens and apostrophes when it sorts texts.
fn order(one: &Value, other: &Value) -> std::cmp::Ordering {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
        (Value::Text(a), Value::Text(b)) => {
            let bare = |text: &str| text.to_lowercase().replace(['-', '\''], "");
            bare(a).cmp(&bare(b))
        }
        _ => std::cmp::Ordering::Equal,
    }
}

fn key(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Text(text) if !text.is_empty() => Some(format!("\"{}", text.to_lowercase())),
        _ => None,
    }
}

/// D002: an approximate match that goes through keys which are not in order.
fn unsorted(
    survey: &Survey<'_>,
    cell: &FormulaCell,
    lookup: &Lookup<'_>,
    search: Search,
    facts: &KeyFacts,
    found: &mut FindingList,
) {
    // Looking for more than there can be finds the last, whatever the order.
    let beyond = match lookup.wanted {
        Expr::Text(text) => text.to_lowercase().starts_with("zz") || text.starts_with('Ω'),
        Expr::Call { name, .. } => function(name) == "REPT",
        other => constant(other).is_some_and(|number| number >= 1e9),
    };
    let broken = if search == Search::Falling { facts.rises } else { facts.falls };
    let Some((one, other)) = broken.filter(|_| !beyond) else { return };
    let shown = |at: CellRef| {
        let cell = survey.cell(CellOnSheet { sheet: lookup.keys.sheet, at });
        cell.map_or_else(String::new, |cell| {
            survey.view.text(&cell.value, cell.style).unwrap_or_else(|_| String::new())
        })
    };
    let exact = match lookup.name.as_str() {
        "VLOOKUP" | "HLOOKUP" => "; FALSE as its last argument looks for exactly the key",
        "MATCH" => "; 0 as its last argument looks for exactly the key",
        _ => "",
    };
    let message = format!(
        "{} in {} takes the nearest key, which needs keys in {} order, but {} ({}) comes before {} ({}): it may find a wrong row{exact}.",
        lookup.name,
        cell.shown(),
        if search == Search::Falling { "falling" } else { "rising" },
        one,
        shown(one),
        other,
        shown(other),
    );
    found.formula("D002", cell, message);
}

/// D007: the key that is looked for stands in several rows, and their answers differ.
fn repeated(
    survey: &Survey<'_>,
    cell: &FormulaCell,
    lookup: &Lookup<'_>,
    facts: &KeyFacts,
    found: &mut FindingList,
) {
    if facts.repeated.is_empty() {
        return;
    }
    let wanted = match lookup.wanted {
        Expr::Text(text) => Value::Text(std::sync::Arc::clone(text)),
        Expr::Number(number) => Value::Number(*number),
        other => match super::uses::cell_of(survey, other, cell.place).and_then(|at| survey.cell(at)) {
            Some(cell) => cell.value.clone(),
            None => return,
        },
    };
    let Some(places) = key(&wanted).and_then(|key| facts.repeated.get(&key)) else { return };
    // Rows that are answered alike do no harm, and of a bare position nobody knows the answer.
    let Some(answers) = lookup.answers else { return };
    let down = lookup.keys.area.left == lookup.keys.area.right;
    let answer = |at: &CellRef| {
        let at = match down {
            true => CellRef::new(answers.area.top + (at.row - lookup.keys.area.top), answers.area.left),
            false => CellRef::new(answers.area.top, answers.area.left + (at.col - lookup.keys.area.left)),
        };
        survey.cell(CellOnSheet { sheet: answers.sheet, at }).map(|cell| &cell.value)
    };
    let first = places.first().and_then(answer);
    let Some(other) = places.iter().skip(1).find(|at| answer(at) != first) else { return };
    let Some(one) = places.first() else { return };
    let text = match &wanted {
        Value::Text(text) => format!("\"{text}\""),
        Value::Number(number) => number.to_string(),
        _ => return,
    };
    let message = format!(
        "{} in {} finds {text} at {}, but {} has the same key with another answer ({} rows have it).",
        lookup.name,
        cell.shown(),
        survey.address(CellOnSheet { sheet: lookup.keys.sheet, at: *one }),
        other,
        places.len()
    );
    found.formula("D007", cell, message);
}

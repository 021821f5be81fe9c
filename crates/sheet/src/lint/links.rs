//! What concerns the workbook as a whole: circles, names, other workbooks, hidden sheets, functions that never rest.

use std::collections::BTreeMap;

use edit::Refusal;
use formula::{ErrorKind, Expr, Target};

use super::FindingList;
use super::survey::Survey;
use crate::calc::place::CellOnSheet;

pub(super) fn of_book(survey: &mut Survey<'_>, found: &mut FindingList) -> Result<(), Refusal> {
    if found.wants("DW008") {
        circles(survey, found);
    }
    if found.wants("DW009") {
        names(survey, found);
    }
    for ((sheet, function), (at, count)) in &survey.volatile {
        let place = CellOnSheet { sheet: *sheet, at: *at };
        let message = format!(
            "{function} is used in {}; it calculates anew at every change, so results move without an edit.",
            counted(survey, place, *count)
        );
        found.push("DW007", Some(place.into()), None, message);
    }
    for (sheet, (place, count)) in &survey.hidden_reads {
        let name = survey.view.workbook().sheets.get(*sheet).map_or("?", |tab| tab.name.as_str());
        let message = format!(
            "the hidden sheet {} is read by {} on sheets that are seen: their numbers come from where nobody looks.",
            formula::quote_sheet(name),
            counted(survey, *place, *count)
        );
        found.push("DW011", Some((*place).into()), None, message);
    }
    for (book, (place, count)) in &survey.external_reads {
        let link = survey.view.workbook().external_links.iter().find(|link| link.index.to_string() == *book);
        let target = link.and_then(|link| link.target.clone()).unwrap_or_else(|| format!("[{book}]"));
        let message = format!(
            "another workbook ({target}) is read by {}: the values are as they were when it was last open.",
            counted(survey, *place, *count)
        );
        found.push("DW010", Some((*place).into()), None, message);
    }
    Ok(())
}

/// `Model!B2`, or `Model!B2 and 4 more formulas`.
fn counted(survey: &Survey<'_>, place: CellOnSheet, count: usize) -> String {
    let address = survey.address(place);
    match count {
        1 => address,
        2 => format!("{address} and one more formula"),
        count => format!("{address} and {} more formulas", count - 1),
    }
}

/// DW008: formulas that read themselves through others, where the workbook does not iterate.
fn circles(survey: &mut Survey<'_>, found: &mut FindingList) {
    if survey.view.workbook().calculation.iterate {
        return;
    }
    let Some(calculator) = survey.calculator.as_mut() else { return };
    let cells = calculator.circular();
    let Some(first) = cells.first().copied() else { return };
    let listed: Vec<String> = cells.iter().take(5).map(|cell| survey.address(*cell)).collect();
    let more = if cells.len() > 5 { format!(" and {} more", cells.len() - 5) } else { String::new() };
    let message = format!(
        "{}{more} go round in a circle, which Excel shows as 0 with a warning; the workbook does not iterate.",
        listed.join(", ")
    );
    found.push("DW008", Some(first.into()), None, message);
}

/// DW009: a name whose formula has lost its cells, or names a sheet that is not there.
fn names(survey: &Survey<'_>, found: &mut FindingList) {
    let book = survey.view.workbook();
    let mut broken: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for name in book.names.iter().filter(|name| !name.hidden && !name.is_built_in()) {
        let why = match formula::parse(&name.formula) {
            Err(_) => Some("which is no formula".to_owned()),
            Ok(parsed) => {
                let mut why = None;
                parsed.expr.walk(&mut |expr| match expr {
                    Expr::Error(ErrorKind::Ref) => why = Some("whose cells were deleted".to_owned()),
                    Expr::Reference(reference) if reference.target == Target::Lost => {
                        why = Some("whose cells were deleted".to_owned());
                    }
                    Expr::Reference(reference) => {
                        if let Some(spec) = reference.sheet.as_ref().filter(|spec| spec.book.is_none())
                            && book.position(&spec.first).is_none()
                        {
                            why = Some(format!("but there is no sheet {}", spec.first));
                        }
                    }
                    _ => {}
                });
                why
            }
        };
        if let Some(why) = why {
            broken.entry(why).or_default().push((&name.name, &name.formula));
        }
    }
    for (why, names) in broken {
        let message = match names.as_slice() {
            [(name, formula)] => format!("the name {name} stands for ={formula}, {why}."),
            names => {
                let listed: Vec<&str> = names.iter().take(10).map(|(name, _)| *name).collect();
                let more =
                    if names.len() > 10 { format!(" and {} more", names.len() - 10) } else { String::new() };
                format!("the names {}{more} stand for formulas {why}.", listed.join(", "))
            }
        };
        found.push("DW009", None, None, message);
    }
}

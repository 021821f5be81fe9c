//! What a child does and what the parent makes of it are the same, on workbooks that nobody here wrote.
//!
//! Some of the corpus in every run; `SCRIPT_WHOLE=1` takes all of it, `SCRIPT_ONLY` those with a name, and
//! `SCRIPT_SEED` other scripts.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value, json};
use testkit::Chance;
use testkit::corpus::{Sample, each, samples};

use super::{again, context};
use crate::host::Host;

/// Calls of one script.
const CALLS: usize = 12;
/// Workbooks of a run that does not take all.
const SOME: usize = 20;
/// Of files that a debug build takes long to calculate.
const MOST_BYTES: u64 = 300_000;

#[test]
fn replay_equals_the_child() {
    let Some(all) = samples("xlsx") else { return };
    let set = |name: &str| std::env::var(name).ok();
    let (whole, only) = (set("SCRIPT_WHOLE").is_some(), set("SCRIPT_ONLY"));
    let seed: u64 = set("SCRIPT_SEED").and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let size = |sample: &Sample| std::fs::metadata(&sample.path).map_or(u64::MAX, |found| found.len());
    let fitting = all.into_iter().filter(|sample| {
        let name = sample.path.display().to_string();
        match &only {
            Some(part) => name.contains(part.as_str()),
            None => !name.ends_with(".xls") && (whole || size(sample) < MOST_BYTES),
        }
    });
    let fitting: Vec<Sample> = fitting.collect();
    let step = if whole || only.is_some() { 1 } else { (fitting.len() / SOME).max(1) };
    let chosen: Vec<Sample> = fitting.into_iter().step_by(step).collect();
    let (mut made, mut refused, mut unopened) = (0, 0, 0);
    let failed = each(&chosen, |number, sample| {
        let file = Arc::new(sample.bytes());
        let Ok(host) = Host::open(Arc::clone(&file), context()) else {
            unopened += 1;
            return;
        };
        let host = Rc::new(RefCell::new(host));
        let mut chance = Chance(seed.wrapping_mul(1_000_003) ^ number as u64);
        let mut done = Vec::new();
        for _ in 0..CALLS {
            let Some((name, arguments)) = call(&host, &mut chance) else { break };
            let told = super::super::call(&host, name, &arguments.to_string());
            match told.starts_with("{\"error\"") {
                true => refused += 1,
                false => made += 1,
            }
            done.push(format!("{name} {arguments}"));
        }
        let finished = host.borrow_mut().finish().expect("it ends");
        if let Err(refusal) = again(&file, finished) {
            panic!("{refusal}\n{}", done.join("\n"));
        }
    });
    eprintln!(
        "{} workbooks, {unopened} of them not opened; {made} calls made, {refused} refused",
        chosen.len()
    );
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(made > chosen.len() * 2, "too much is refused for this to prove anything");
}

/// A call somewhere in what the workbook holds.
fn call(host: &Rc<RefCell<Host>>, chance: &mut Chance) -> Option<(&'static str, Value)> {
    let host = host.borrow();
    let sheets: Vec<(String, sheet::Area)> = host
        .view()
        .worksheets()
        .filter_map(Result::ok)
        .filter_map(|sheet| Some((sheet.name().to_owned(), sheet.extent().ok()??)))
        .collect();
    let (sheet, area) = chance.pick(&sheets)?.clone();
    let row = u64::from(area.top) + chance.below((area.bottom - area.top + 2).min(400) as usize) as u64 + 1;
    let col = u64::from(area.left) + chance.below((area.right - area.left + 2).min(40) as usize) as u64 + 1;
    let at = |row: u64, col: u64| json!({ "sheet": sheet, "row": row, "col": col });
    let range = |rows: u64, cols: u64| json!({ "sheet": sheet, "from": { "row": row, "col": col }, "to": { "row": row + rows, "col": col + cols } });
    let number = chance.below(1000) as f64 / 8.0;
    Some(match chance.below(14) {
        0 | 1 => ("setCells", json!([[{ "address": at(row, col), "value": number }]])),
        2 => {
            let cells: Vec<Value> = (0..5)
                .map(|more| json!({ "address": at(row + more, col), "value": format!("text {more}") }))
                .collect();
            ("setCells", json!([cells]))
        }
        3 => {
            let formulas = ["=SUM(A1:C9)", "=A1&\"x\"", "=SEQUENCE(2,2)", "=IFERROR(1/A2,0)", "=TODAY()"];
            let formula = chance.pick(&formulas).copied().unwrap_or("=1");
            ("setCells", json!([[{ "address": at(row, col), "formula": formula, "format": "0.00" }]]))
        }
        4 => ("insertRowAfter", json!([sheet, row, 1 + chance.below(3)])),
        5 => ("deleteRows", json!([sheet, row, 1 + chance.below(2)])),
        6 => ("insertColumnAfter", json!([sheet, col, 1])),
        7 => ("deleteColumns", json!([sheet, col, 1])),
        8 => ("setStyle", json!([range(2, 1), { "font": { "bold": true }, "fill": { "color": "#FFEE00" } }])),
        9 => ("copyRange", json!([range(1, 1), at(row + 3, col + 1), { "pasteType": "all" }])),
        10 => ("findAndReplace", json!(["a", "ä", { "in": sheet, "limit": 5 }])),
        11 => ("setColumnProperties", json!([sheet, col, col + 1, { "width": 14 }])),
        12 => ("sortRange", json!([range(5, 2), [{ "col": col }], { "hasHeader": false }])),
        _ => ("scaleRange", json!([range(3, 3), 1.5])),
    })
}

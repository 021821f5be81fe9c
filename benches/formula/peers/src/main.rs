//! Calculation engines on the same workbooks.
//!
//! `peers time ENGINE FILE` prints milliseconds for loading, a full calculation and one changed input.
//! `peers truth ENGINE` reads paths from standard input and counts, for each workbook, the formula cells whose
//! value equals the one in the file. What no engine can know is left out for all of them alike.
//! `peers dump FILE` prints a workbook as JSON for engines that read no files.

mod truth;

use std::sync::Arc;
use std::time::Instant;

use edit::Format;
use sheet::{Calculator, CellRef, Place, Sheet, Value, View};

pub fn context() -> edit::Context {
    edit::Context { author: "bench".into(), now: 1_700_000_000, seed: 1 }
}

pub fn open(path: &str) -> Option<View> {
    let bytes = std::fs::read(path).ok()?;
    let (_, content) = Sheet::unpack(Arc::new(bytes), &sheet::limits()).ok()?;
    Sheet::view(&content).ok()
}

/// The workbook ready to calculate, calculated once, and again after A1 became 5.
struct Times {
    load: f64,
    full: f64,
    again: f64,
    /// The last formula's value, so that nobody is fast by doing nothing.
    probe: String,
}

fn since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn ours(path: &str) -> Times {
    let start = Instant::now();
    let view = open(path).expect("a workbook");
    let mut calculator = Calculator::new(&view, &context()).expect("a model");
    let load = since(start);
    let start = Instant::now();
    calculator.calculate();
    let full = since(start);
    let start = Instant::now();
    let first = Place { sheet: 0, at: CellRef::new(0, 0) };
    calculator.suppose(&[(first, Value::Number(5.0))]);
    let again = since(start);
    let probe = format!("{:?}", calculator.value(Place { sheet: 0, at: probe_cell(path) }));
    Times { load, full, again, probe }
}

fn probe_cell(path: &str) -> CellRef {
    let name = path.rsplit('/').next().unwrap_or_default();
    match name {
        "chain.xlsx" => CellRef::new(100_000, 0),
        "sums.xlsx" => CellRef::new(0, 1),
        "lookups.xlsx" => CellRef::new(99_998, 4),
        "sumifs.xlsx" => CellRef::new(99_999, 6),
        _ => CellRef::new(99, 2),
    }
}

fn ironcalc(path: &str) -> Times {
    let start = Instant::now();
    let mut model = ironcalc::import::load_from_xlsx(path, "en", "UTC", "en").expect("a workbook");
    let load = since(start);
    let start = Instant::now();
    model.evaluate();
    let full = since(start);
    let start = Instant::now();
    model.update_cell_with_number(0, 1, 1, 5.0).expect("a number");
    model.evaluate();
    let again = since(start);
    let at = probe_cell(path);
    let probe = format!("{:?}", model.get_cell_value_by_index(0, at.row as i32 + 1, at.col as i32 + 1));
    Times { load, full, again, probe }
}

fn formualizer(path: &str) -> Times {
    use formualizer::workbook::LiteralValue;
    let start = Instant::now();
    let mut book = truth::load_formualizer(path).expect("a workbook");
    let load = since(start);
    let start = Instant::now();
    book.evaluate_all().expect("values");
    let full = since(start);
    let start = Instant::now();
    book.set_value("Sheet1", 1, 1, LiteralValue::Number(5.0)).expect("a number");
    book.evaluate_all().expect("values");
    let again = since(start);
    let at = probe_cell(path);
    let probe = format!("{:?}", book.get_value("Sheet1", at.row + 1, at.col + 1));
    Times { load, full, again, probe }
}

/// One edit through the whole road: plan, recalculate, write back, carry the view.
fn edits(path: &str) {
    use sheet::{CellChange, Edit, Input};
    let bytes = std::fs::read(path).expect("a file");
    let (_, mut content) = Sheet::unpack(Arc::new(bytes), &sheet::limits()).expect("a workbook");
    let mut view = Sheet::view(&content).expect("a workbook");
    let base = edit::RevisionId { number: 0, digest: 0 };
    for number in 0..8 {
        // Far from every formula's inputs but a few: a new formula beside the data, and its input.
        let cells = vec![
            CellChange { at: CellRef::new(3, 20), input: Input::Number(f64::from(number)) },
            CellChange { at: CellRef::new(3, 21), input: Input::Formula("=U4*2".into()) },
        ];
        let edits = [Edit::SetCells { sheet: "Sheet1".into(), cells, seen: None }];
        let start = Instant::now();
        let batch = edit::plan::<Sheet>(&content, view, base, &edits, &context()).expect("an edit");
        eprintln!("edit {number}: {:.3} ms", since(start));
        (content, view) = (batch.content, batch.view);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["time", engine, path] => {
            let times = match *engine {
                "ours" => ours(path),
                "ironcalc" => ironcalc(path),
                "formualizer" => formualizer(path),
                other => panic!("no engine {other}"),
            };
            let Times { load, full, again, probe } = times;
            println!("{}", serde_json::json!({ "load": load, "full": full, "again": again, "probe": probe }));
        }
        ["edits", path] => edits(path),
        ["truth", engine] => truth::run(engine),
        ["dump", path] => truth::dump(path),
        _ => panic!("time ENGINE FILE, edits FILE, truth ENGINE, dump FILE"),
    }
}

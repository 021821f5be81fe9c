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
    edit::Context::new("bench", 1_700_000_000, 1)
}

pub fn open(path: &str) -> Option<View> {
    let bytes = std::fs::read(path).ok()?;
    let (_, content) = Sheet::unpack(Arc::new(bytes), &sheet::limits()).ok()?;
    Sheet::view(&content).ok()
}

/// What is measured, in milliseconds. The same for every engine, as far as it has such a step:
/// `load` ends with the file read, its formulas parsed and what depends on what known;
/// `full` calculates every formula, values in memory;
/// `again` puts 5 into A1, whatever hangs on it, and calculates until every value is right;
/// `few` is the middle of five changes of an input on which ten formulas hang at most.
/// For us `few` is the whole road of an edit: planned as a patch of the file, dependents calculated, their values
/// written into the file's cells, the view of the next revision made. The others change their memory alone.
struct Times {
    load: f64,
    full: f64,
    again: f64,
    few: f64,
    /// The last formula's value, so that nobody is fast by doing nothing.
    probe: String,
}

fn since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The middle of five runs, each given another number to put into the cell.
fn middle(mut change: impl FnMut(f64)) -> f64 {
    let mut times: Vec<f64> = (0..5)
        .map(|round| {
            let start = Instant::now();
            change(f64::from(round) + 17.0);
            since(start)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[2]
}

fn shape(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.strip_suffix(".xlsx")).unwrap_or_default()
}

fn probe_cell(path: &str) -> CellRef {
    match shape(path) {
        "chain" => CellRef::new(100_000, 0),
        "sums" => CellRef::new(0, 1),
        "lookups" => CellRef::new(99_998, 4),
        "sumifs" => CellRef::new(99_999, 6),
        _ => CellRef::new(99, 2),
    }
}

/// A cell on which few formulas hang: ten at the end of the chain, one in the next three, and none beside the arrays.
fn few_cell(path: &str) -> CellRef {
    match shape(path) {
        "chain" => CellRef::new(99_990, 0),
        "sums" => CellRef::new(0, 0),
        "lookups" => CellRef::new(4, 3),
        "sumifs" => CellRef::new(4, 5),
        _ => CellRef::new(3, 200),
    }
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
    drop((view, calculator));
    Times { load, full, again, few: edits(path), probe }
}

/// One edit through the whole road. The first one, not counted, reads the workbook for calculation.
fn edits(path: &str) -> f64 {
    use sheet::{CellChange, Edit, Input};
    let bytes = std::fs::read(path).expect("a file");
    let (_, content) = Sheet::unpack(Arc::new(bytes), &sheet::limits()).expect("a workbook");
    let view = Sheet::view(&content).expect("a workbook");
    let base = edit::RevisionId { number: 0, digest: 0 };
    let mut head = Some((content, view));
    let mut set = |number: f64| {
        let (content, view) = head.take().expect("a revision");
        let cells = vec![CellChange { at: few_cell(path), input: Input::Number(number) }];
        let edits = [Edit::SetCells { sheet: "Sheet1".into(), cells, seen: None }];
        let batch = edit::plan::<Sheet>(&content, view, base, &edits, &context()).expect("an edit");
        head = Some((batch.content, batch.view));
    };
    set(1.0);
    middle(set)
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
    let few = middle(|number| {
        let at = few_cell(path);
        model.update_cell_with_number(0, at.row as i32 + 1, at.col as i32 + 1, number).expect("a number");
        model.evaluate();
    });
    Times { load, full, again, few, probe }
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
    let few = middle(|number| {
        let at = few_cell(path);
        book.set_value("Sheet1", at.row + 1, at.col + 1, LiteralValue::Number(number)).expect("a number");
        book.evaluate_all().expect("values");
    });
    Times { load, full, again, few, probe }
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
            let Times { load, full, again, few, probe } = times;
            println!(
                "{}",
                serde_json::json!({ "load": load, "full": full, "again": again, "few": few, "probe": probe })
            );
        }
        ["truth", engine] => truth::run(engine),
        ["dump", path] => truth::dump(path),
        _ => panic!("time ENGINE FILE, truth ENGINE, dump FILE"),
    }
}

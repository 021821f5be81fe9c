//! A large workbook: what opening, reading, setting a cell, inserting a row and saving cost.
//!
//! `cargo run --release -p sheet --example measure -- FILE`; `benches/sheet/run.py` makes such files.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "time is what is measured and printed here"
)]

use std::sync::Arc;
use std::time::Instant;

use edit::{Context, Format, RevisionId};
use sheet::{CellChange, CellRef, Edit, Input, Sheet};

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let file = Arc::new(std::fs::read(path).expect("reads"));
    let start = Instant::now();
    let (package, content) = Sheet::unpack(Arc::clone(&file), &sheet::limits()).expect("a package");
    let view = Sheet::view(&content).expect("a workbook");
    let name = view.workbook().sheets.first().map(|tab| tab.name.clone()).expect("a sheet");
    println!("open: {:?}", start.elapsed());
    let at = CellRef::new(499, 2);
    let start = Instant::now();
    let value = view.sheet(&name).and_then(|sheet| sheet.value(at)).expect("reads");
    println!("read {at}: {:?} ({value:?})", start.elapsed());
    let set = Edit::SetCells {
        sheet: name.clone(),
        cells: vec![CellChange { at, input: Input::Number(4242.0) }],
        seen: None,
    };
    let insert = Edit::InsertRows { sheet: name, at: 9, count: 1 };
    for (what, edit) in [("set one cell", set), ("insert a row", insert)] {
        let base = RevisionId { number: 0, digest: 0 };
        let cx = Context::new("", 0, 1);
        let start = Instant::now();
        let batch = edit::plan::<Sheet>(&content, view.clone(), base, &[edit], &cx).expect("a plan");
        println!("{what}: {:?}", start.elapsed());
        let start = Instant::now();
        let saved = Sheet::pack(&package, &batch.content).expect("packs");
        println!("save: {:?} ({} bytes)", start.elapsed(), saved.len());
    }
    let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", memory.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown"));
}

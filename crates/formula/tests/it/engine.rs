//! Recalculation: order, circles, spills, and that a part equals the whole.

use formula::{
    Area, Book, CellRef, Cells, Clock, DataTable, DateSystem, Engine, ErrorKind, Iteration, Mode, SheetId,
    Store, Value,
};
use proptest::prelude::*;

use crate::grid::Grid;

fn cell(row: u32, col: u32) -> CellRef {
    CellRef::new(SheetId(0), row, col)
}

fn engine() -> Engine {
    Engine::new(Book::new(&["Sheet1"], DateSystem::D1900))
}

fn put(engine: &mut Engine, row: u32, col: u32, text: &str, mode: Mode) {
    let formula = formula::parse(text).expect(text);
    engine.set(cell(row, col), &formula, mode, None);
}

#[test]
fn a_long_chain_backwards() {
    let (mut engine, mut grid) = (engine(), Grid::default());
    let last = 100_000;
    for row in 0..last {
        put(&mut engine, row, 0, &format!("A{}+1", row + 2), Mode::Plain);
    }
    grid.set(cell(last, 0), Value::Number(1.0));
    engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(grid.value(cell(0, 0)), Value::Number(f64::from(last) + 1.0));
    grid.set(cell(last, 0), Value::Number(5.0));
    let report = engine.recalculate(&[cell(last, 0)], &mut grid, Clock::default());
    assert_eq!(report.changed.len(), last as usize);
    assert_eq!(grid.value(cell(0, 0)), Value::Number(f64::from(last) + 5.0));
}

#[test]
fn only_what_depends() {
    let (mut engine, mut grid) = (engine(), Grid::from_text("1\t2\t3"));
    put(&mut engine, 1, 0, "A1*2", Mode::Plain);
    put(&mut engine, 1, 1, "B1*2", Mode::Plain);
    put(&mut engine, 1, 2, "SUM(A2:B2)", Mode::Plain);
    engine.recalculate_all(&mut grid, Clock::default());
    grid.set(cell(0, 0), Value::Number(10.0));
    let report = engine.recalculate(&[cell(0, 0)], &mut grid, Clock::default());
    assert_eq!(report.evaluated, 2);
    assert_eq!(report.changed, [cell(1, 0), cell(1, 2)]);
    assert_eq!(engine.dependents(cell(1, 1)), [cell(1, 2)]);
    assert_eq!(engine.precedents(cell(1, 2)).map(<[Area]>::len), Some(1));
}

#[test]
fn circles() {
    let (mut engine, mut grid) = (engine(), Grid::default());
    put(&mut engine, 0, 0, "B1+1", Mode::Plain);
    put(&mut engine, 0, 1, "A1/2", Mode::Plain);
    put(&mut engine, 0, 2, "A1*10", Mode::Plain);
    let report = engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(report.circular, [cell(0, 0), cell(0, 1)]);
    assert_eq!(grid.value(cell(0, 0)), Value::Number(0.0));
    engine.iteration = Some(Iteration { max: 100, change: 1e-9 });
    engine.recalculate_all(&mut grid, Clock::default());
    let Value::Number(found) = grid.value(cell(0, 0)) else { panic!("no number") };
    assert!((found - 2.0).abs() < 1e-6, "{found}");
    let Value::Number(found) = grid.value(cell(0, 2)) else { panic!("no number") };
    assert!((found - 20.0).abs() < 1e-5, "{found}");
}

#[test]
fn spills() {
    let (mut engine, mut grid) = (engine(), Grid::default());
    grid.set(cell(0, 5), Value::Number(3.0));
    put(&mut engine, 0, 0, "SEQUENCE(F1)", Mode::Dynamic);
    put(&mut engine, 0, 1, "SUM(A1#)", Mode::Plain);
    put(&mut engine, 0, 2, "A3*10", Mode::Plain);
    engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(grid.value(cell(2, 0)), Value::Number(3.0));
    assert_eq!(grid.value(cell(0, 1)), Value::Number(6.0));
    assert_eq!(grid.value(cell(0, 2)), Value::Number(30.0));
    // Shrinking clears what is left over.
    grid.set(cell(0, 5), Value::Number(2.0));
    engine.recalculate(&[cell(0, 5)], &mut grid, Clock::default());
    assert_eq!(grid.value(cell(2, 0)), Value::Blank);
    assert_eq!(grid.value(cell(0, 2)), Value::Number(0.0));
    // A value in the way blocks it, and taking it away frees it.
    grid.set(cell(1, 0), Value::text("in the way"));
    engine.recalculate(&[cell(1, 0)], &mut grid, Clock::default());
    assert_eq!(grid.value(cell(0, 0)), Value::Error(ErrorKind::Spill));
    grid.set(cell(1, 0), Value::Blank);
    engine.recalculate(&[cell(1, 0)], &mut grid, Clock::default());
    assert_eq!(grid.value(cell(1, 0)), Value::Number(2.0));
    assert_eq!(grid.value(cell(0, 1)), Value::Number(3.0));
}

#[test]
fn references_made_while_running() {
    let (mut engine, mut grid) = (engine(), Grid::default());
    // The reader comes first; what it reads is not among its written references.
    put(&mut engine, 0, 0, "SUM(OFFSET(D1,0,0,2,1))", Mode::Plain);
    put(&mut engine, 0, 1, "INDIRECT(\"D\"&2)", Mode::Plain);
    put(&mut engine, 0, 3, "5", Mode::Plain);
    put(&mut engine, 1, 3, "D1+1", Mode::Plain);
    engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(grid.value(cell(0, 0)), Value::Number(11.0));
    assert_eq!(grid.value(cell(0, 1)), Value::Number(6.0));
}

#[test]
fn shared_formulas_move() {
    let (mut engine, mut grid) = (engine(), Grid::from_text("1\n2\n3"));
    let formula = formula::parse("A1*$A$1").expect("formula");
    engine.set_shared(cell(0, 1), &formula, &[cell(0, 1), cell(1, 1), cell(2, 1)]);
    engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(grid.value(cell(2, 1)), Value::Number(3.0));
}

#[test]
fn assumptions() {
    let (mut engine, mut grid) = (engine(), Grid::from_text("2\t3"));
    put(&mut engine, 0, 2, "A1*B1", Mode::Plain);
    put(&mut engine, 0, 3, "C1+1", Mode::Plain);
    engine.recalculate_all(&mut grid, Clock::default());
    let before = grid.clone();
    let found = engine.what_if(
        &[(cell(0, 0), Value::Number(10.0))],
        &[cell(0, 3), cell(0, 1)],
        &grid,
        Clock::default(),
    );
    assert_eq!(found, [Value::Number(31.0), Value::Number(3.0)]);
    assert_eq!(grid, before);
}

#[test]
fn data_tables() {
    // Inputs A1 and B1; the formula at the corner A3, row values B3:C3, column values A4:A5.
    let (mut engine, mut grid) = (engine(), Grid::from_text("2\t3\n\n\t10\t20\n1\n2"));
    put(&mut engine, 2, 0, "A1*100+B1", Mode::Plain);
    put(&mut engine, 5, 0, "SUM(B4:C5)", Mode::Plain);
    let area = Area::new(SheetId(0), (3, 1), (4, 2));
    engine.add_data_table(DataTable { area, row_input: Some(cell(0, 1)), column_input: Some(cell(0, 0)) });
    engine.recalculate_all(&mut grid, Clock::default());
    assert_eq!(grid.value(cell(3, 1)), Value::Number(110.0));
    assert_eq!(grid.value(cell(4, 2)), Value::Number(220.0));
    assert_eq!(grid.value(cell(5, 0)), Value::Number(660.0));
}

/// A formula over a small block, by numbers.
fn formula_text(kind: u8, a: u8, b: u8) -> String {
    let name = |n: u8| formula::a1(u32::from(n / 4 % 6), u32::from(n % 4));
    match kind % 11 {
        0 => format!("{}+{}", name(a), name(b)),
        1 => format!("SUM({}:{})", name(a), name(b)),
        2 => format!("IF({}>2,{},1)", name(a), name(b)),
        3 => format!("OFFSET({},{},0)", name(a), b % 3),
        4 => format!("COUNTIF({}:{},\">1\")", name(a), name(b)),
        5 => format!("MAX({},3)*2", name(a)),
        6 => format!("INDEX({}:{},1,1)", name(a), name(b)),
        7 => format!("-({}-{})*2^{}/{}", name(a), name(b), name(b), name(a)),
        8 => format!("SUMIFS($A$1:$A$2,$B$1:$B$2,{})", a % 3),
        9 => format!("COUNTIF($A$1:$B$2,{})", name(b)),
        _ => format!("{}", a % 5),
    }
}

/// Without circles: a formula may only read cells above and before it.
fn is_forward(text: &str, at: CellRef) -> bool {
    let parsed = formula::parse(text).expect("formula");
    let mut forward = true;
    parsed.expr.walk(&mut |expr| {
        if let formula::Expr::Reference(reference) = expr {
            let corners: Vec<formula::CellCoord> = match reference.target {
                formula::Target::Cell(cell) => vec![cell],
                formula::Target::Area(first, last) => vec![first, last],
                _ => Vec::new(),
            };
            // OFFSET in these formulas steps down two rows at most.
            forward &= corners.iter().all(|corner| {
                corner.row.at + 2 < at.row || (corner.row.at < at.row && !text.contains("OFFSET"))
            });
        }
    });
    forward
}

proptest! {
    // PROPTEST_CASES asks for more.
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn a_part_equals_the_whole(
        formulas in prop::collection::vec((0u8..11, 0u8..24, 0u8..24, 0u32..6, 0u32..4), 1..30),
        edits in prop::collection::vec((0u32..6, 0u32..4, -5i32..9), 1..6),
    ) {
        let (mut engine, mut grid) = (engine(), Grid::default());
        for (kind, a, b, row, col) in &formulas {
            let text = formula_text(*kind, *a, *b);
            if is_forward(&text, cell(*row, *col)) {
                put(&mut engine, *row, *col, &text, Mode::Plain);
            }
        }
        engine.recalculate_all(&mut grid, Clock::default());
        for (row, col, number) in edits {
            let at = cell(row, col);
            engine.remove(at);
            grid.set(at, Value::Number(f64::from(number)));
            engine.recalculate(&[at], &mut grid, Clock::default());
        }
        let mut whole = grid.clone();
        engine.recalculate_all(&mut whole, Clock::default());
        prop_assert_eq!(grid, whole);
    }

    #[test]
    fn arithmetic_on_cells_has_no_answer_of_its_own(
        values in prop::collection::vec(0usize..12, 6),
        steps in prop::collection::vec((0usize..5, 0usize..9, 0u8..4), 1..6),
    ) {
        const VALUES: [&str; 12] =
            ["1", "-2.5", "0", "1E+200", "1E-300", "0.1", "0.30000000000000004", "", "x", "7", "TRUE", "#N/A"];
        let mut text = "A1".to_owned();
        for (operator, operand, form) in steps {
            let operator = ["+", "-", "*", "/", "^"][operator];
            let operand = ["A1", "B1", "C1", "D1", "E1", "F1", "2", "0.1", "10"][operand];
            text = match form {
                0 => format!("({text}){operator}{operand}"),
                1 => format!("-{text}{operator}{operand}"),
                2 => format!("{operand}{operator}({text})"),
                _ => format!("{text}{operator}{operand}"),
            };
        }
        let row: Vec<&str> = values.iter().map(|at| VALUES[*at]).collect();
        let (mut engine, mut grid) = (engine(), Grid::from_text(&row.join("\t")));
        put(&mut engine, 3, 0, &text, Mode::Plain);
        engine.recalculate_all(&mut grid, Clock::default());
        let formula = formula::parse(&text).expect("formula");
        let book = Book::new(&["Sheet1"], DateSystem::D1900);
        let proper = formula::evaluate(&formula.expr, &book, &grid, cell(3, 0), Mode::Plain, Clock::default());
        prop_assert_eq!(formula::Outcome::Value(grid.value(cell(3, 0))), proper, "{}", text);
    }

    #[test]
    fn anything_parses_or_says_why(text in "[-A-C1-3()+*/:, \"'!#@%&<>={};\\[\\]$.^]{0,40}") {
        if let Ok(formula) = formula::parse(&text) {
            let book = Book::new(&["Sheet1"], DateSystem::D1900);
            let grid = Grid::from_text("1\t2\n3\tx");
            let _ = formula::evaluate(&formula.expr, &book, &grid, cell(5, 5), Mode::Dynamic, Clock::default());
            let printed = formula::print(&formula.expr, formula::Notation::A1);
            let again = formula::parse(&printed);
            prop_assert!(again.is_ok(), "{} printed as {}", text, printed);
            prop_assert_eq!(formula::print(&again.expect("parsed").expr, formula::Notation::A1), printed);
        }
    }

    #[test]
    fn every_call_answers(index in 0usize..600, args in prop::collection::vec(0usize..14, 0..6)) {
        const ARGS: [&str; 14] =
            ["1", "-1", "0", "\"x\"", "A1:B2", "{1,2;3,4}", "TRUE", "", "1E+300", "0.5", "#N/A", "C9", "\"2020-01-31\"", "40000"];
        let functions = formula::functions();
        let function = &functions[index % functions.len()];
        let args: Vec<&str> = args.iter().map(|at| ARGS[*at]).collect();
        let text = format!("{}({})", function.name, args.join(","));
        let formula = formula::parse(&text).expect("call");
        let book = Book::new(&["Sheet1"], DateSystem::D1900);
        let grid = Grid::from_text("1\t2\n3\tx");
        for mode in [Mode::Plain, Mode::Dynamic] {
            let _ = formula::evaluate(&formula.expr, &book, &grid, cell(5, 5), mode, Clock::default());
        }
    }

    #[test]
    fn any_format_shows(code in "[0#?.,%E+yYmdhs:/\\[\\]$@;\"_* A-Z-]{0,24}", number in any::<f64>()) {
        for value in [Value::Number(number), Value::Number(43_831.5), Value::Number(-1.5), Value::text("x")] {
            let _ = formula::numfmt::format(&value, &code, DateSystem::D1900);
        }
    }
}

//! Databases, and pivot tables asked for their values.

use formula::{Book, CellRef, Clock, DateSystem, ErrorKind, Mode, Outcome, SheetId, Value};

use super::DATA;
use crate::grid::Grid;

#[test]
fn databases() {
    let book = Book::new(&["Sheet1"], DateSystem::D1900);
    let grid = Grid::from_text(
        "Tree\tHeight\tAge\tYield\tProfit\tHeight\tOther\tOther
=Apple\t>10\t\t\t\t<16\tFALSE\tTRUE
=Pear
Tree\tHeight\tAge\tYield\tProfit
Apple\t18\t20\t14\t105
Pear\t12\t12\t10\t96
Cherry\t13\t14\t9\t105
Apple\t14\t15\t10\t75
Pear\t9\t8\t8\t77
Apple\t8\t9\t6\t45",
    );
    for (formula, expected) in [
        ("DCOUNT(A4:E10,\"Age\",A1:F2)", 1.0),
        ("DMAX(A4:E10,\"Profit\",A1:F3)", 96.0),
        ("DMIN(A4:E10,\"Profit\",A1:B2)", 75.0),
        ("DSUM(A4:E10,\"Profit\",A1:F2)", 75.0),
        ("DSUM(A4:E10,\"Profit\",A1:A3)", 398.0),
        ("DAVERAGE(A4:E10,3,A4:E10)", 13.0),
        ("DSUM(A4:E10,\"Profit\",G1:G2)", 0.0),
        ("DSUM(A4:E10,\"Profit\",H1:H2)", 503.0),
    ] {
        let parsed = formula::parse(formula).expect(formula);
        let at = CellRef::new(SheetId(0), 19, 9);
        let found = formula::evaluate(&parsed.expr, &book, &grid, at, Mode::Plain, Clock::default());
        assert_eq!(found, Outcome::Value(Value::Number(expected)), "{formula}");
    }
}

#[test]
fn one_record_is_got_by_headings_of_any_kind_and_empty_ones_do_not_count() {
    let book = Book::new(&["Sheet1"], DateSystem::D1900);
    let grid = Grid::from_text(
        "One\t2\tThree\tOne\tOne\t2
a\t1\t\ta\tb\t1
a\t2\ttext\t\t\t
b\t3\t\t\t\t",
    );
    for (formula, expected) in [
        ("DGET(A1:C4,\"Three\",D1:D2)", Value::text("text")),
        ("DGET(A1:C4,\"Three\",E1:E2)", Value::Error(ErrorKind::Value)),
        ("DGET(A1:C4,\"2\",D1:D2)", Value::Error(ErrorKind::Num)),
        ("DGET(A1:C4,\"2\",F1:F2)", Value::Number(1.0)),
    ] {
        let parsed = formula::parse(formula).expect(formula);
        let at = CellRef::new(SheetId(0), 19, 9);
        let found = formula::evaluate(&parsed.expr, &book, &grid, at, Mode::Plain, Clock::default());
        assert_eq!(found, Outcome::Value(expected), "{formula}");
    }
}

#[test]
fn pivot_tables_are_asked_by_their_items() {
    use formula::{Area, Pivot, PivotLine};
    let mut book = Book::new(&["Sheet1"], DateSystem::D1900);
    // The cells of the examples as a table: kinds down, two values across.
    let line = |items: &[&str], data: Option<usize>| PivotLine {
        items: items.iter().map(|item| (0, Value::text(item))).collect(),
        data,
    };
    book.add_pivot(Pivot {
        area: Some(Area::new(SheetId(0), (0, 0), (4, 3))),
        first: (1, 0),
        fields: vec![vec!["Kind".to_owned()], vec!["Size".to_owned()]],
        data: vec![vec!["Sum of Size".to_owned(), "Size".to_owned()], vec!["Name".to_owned()]],
        rows: vec![line(&["x"], None), line(&["y"], None), line(&[], None)],
        columns: vec![line(&[], Some(0)), line(&[], Some(1))],
    });
    let grid = Grid::from_text(DATA);
    for (formula, expected) in [
        ("GETPIVOTDATA(\"Sum of Size\",$A$1,\"Kind\",\"X\")", Value::Number(2.0)),
        ("GETPIVOTDATA(\"size\",B2)", Value::Number(4.0)),
        ("GETPIVOTDATA(\"Name\",A1,\"Kind\",\"y\")", Value::text("Cherry")),
        ("GETPIVOTDATA(\"Size\",A1,\"Kind\",\"z\")", Value::Error(formula::ErrorKind::Ref)),
        ("GETPIVOTDATA(\"Size\",F9)", Value::Error(formula::ErrorKind::Ref)),
    ] {
        let parsed = formula::parse(formula).expect(formula);
        let at = CellRef::new(SheetId(0), 19, 9);
        let found = formula::evaluate(&parsed.expr, &book, &grid, at, Mode::Plain, Clock::default());
        assert_eq!(found, Outcome::Value(expected), "{formula}");
    }
}

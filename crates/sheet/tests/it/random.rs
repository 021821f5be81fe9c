//! Random edits against a plain model of a sheet.

use std::collections::BTreeMap;

use edit::Format;
use proptest::prelude::*;
use sheet::{Area, CellChange, CellRef, Edit, Input, Sheet, Value};

use crate::book::book;

#[derive(Clone, Debug)]
enum Op {
    Set(Vec<(u32, u32, Content)>),
    Rows { at: u32, count: u32, deletes: bool },
    Columns { at: u32, count: u32, deletes: bool },
}

#[derive(Clone, Debug)]
enum Content {
    Number(i32),
    Text(String),
    Clear,
    /// The sum of the cells of a row from A to the column before.
    Sum,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let content = prop_oneof![
        any::<i32>().prop_map(Content::Number),
        "[ a-z<&\u{e9}_x0]{0,8}".prop_map(Content::Text),
        Just(Content::Clear),
        Just(Content::Sum),
    ];
    let cell = (0u32..12, 0u32..8, content);
    let lines = (0u32..10, 1u32..3, any::<bool>());
    prop::collection::vec(
        prop_oneof![
            3 => prop::collection::vec(cell, 1..6).prop_map(Op::Set),
            1 => lines.clone().prop_map(|(at, count, deletes)| Op::Rows { at, count, deletes }),
            1 => lines.prop_map(|(at, count, deletes)| Op::Columns { at, count, deletes }),
        ],
        1..12,
    )
}

/// What a cell holds: a value, or a sum that is only checked to follow its cells.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    Value(Value),
    Sum,
}

fn shifted(line: u32, at: u32, count: u32, deletes: bool) -> Option<u32> {
    match deletes {
        _ if line < at => Some(line),
        false => Some(line + count),
        true if line < at + count => None,
        true => Some(line - count),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_sheet_is_a_map_of_cells(ops in ops()) {
        let mut content = book(&[("Sheet1", "<sheetData/>")]);
        let mut view = Sheet::view(&content).unwrap();
        let mut model: BTreeMap<CellRef, Held> = BTreeMap::new();
        let cx = testkit::context();
        let base = edit::RevisionId { number: 0, digest: 0 };
        for op in ops {
            let sheet = || "Sheet1".to_owned();
            let edit = match &op {
                Op::Set(cells) => {
                    let mut changes: Vec<CellChange> = Vec::new();
                    for (row, col, what) in cells {
                        let at = CellRef::new(*row, *col);
                        let (input, held) = match what {
                            Content::Number(number) => {
                                (Input::Number(f64::from(*number)), Some(Held::Value(Value::Number(f64::from(*number)))))
                            }
                            Content::Text(text) => (Input::Text(text.clone()), Some(Held::Value(Value::text(text)))),
                            Content::Clear => (Input::Clear, None),
                            Content::Sum if *col == 0 => (Input::Clear, None),
                            Content::Sum => {
                                let cells = Area::new(CellRef::new(*row, 0), CellRef::new(*row, col - 1));
                                (Input::Formula(format!("=SUM({cells})")), Some(Held::Sum))
                            }
                        };
                        match held {
                            Some(held) => drop(model.insert(at, held)),
                            None => drop(model.remove(&at)),
                        }
                        changes.push(CellChange { at, input });
                    }
                    Edit::SetCells { sheet: sheet(), cells: changes, seen: None }
                }
                Op::Rows { at, count, deletes } => {
                    model = model
                        .into_iter()
                        .filter_map(|(cell, held)| {
                            Some((CellRef::new(shifted(cell.row, *at, *count, *deletes)?, cell.col), held))
                        })
                        .collect();
                    match deletes {
                        true => Edit::DeleteRows { sheet: sheet(), at: *at, count: *count },
                        false => Edit::InsertRows { sheet: sheet(), at: *at, count: *count },
                    }
                }
                Op::Columns { at, count, deletes } => {
                    model = model
                        .into_iter()
                        .filter_map(|(cell, held)| {
                            Some((CellRef::new(cell.row, shifted(cell.col, *at, *count, *deletes)?), held))
                        })
                        .collect();
                    match deletes {
                        true => Edit::DeleteColumns { sheet: sheet(), at: *at, count: *count },
                        false => Edit::InsertColumns { sheet: sheet(), at: *at, count: *count },
                    }
                }
            };
            let batch = edit::plan::<Sheet>(&content, view, base, &[edit], &cx).unwrap();
            let undone = batch.plan.patch().invert(&content).unwrap().apply(&batch.content).unwrap();
            prop_assert_eq!(&undone, &content);
            (content, view) = (batch.content, batch.view);
            for view in [&view, &Sheet::view(&content).unwrap()] {
                let everything: Area = "A1:ZZ999".parse().unwrap();
                let sheet = view.sheet("Sheet1").unwrap();
                let found: BTreeMap<CellRef, sheet::Cell> =
                    sheet.cells(everything).unwrap().into_iter().map(|cell| (cell.at, cell)).collect();
                prop_assert_eq!(found.keys().collect::<Vec<_>>(), model.keys().collect::<Vec<_>>());
                for (at, held) in &model {
                    let cell = &found[at];
                    prop_assert_eq!(sheet.cell(*at).unwrap(), Some(cell.clone()));
                    match held {
                        Held::Value(value) => prop_assert_eq!(&cell.value, value),
                        Held::Sum => {
                            let text = &cell.formula.as_ref().unwrap().text;
                            if let Some(inside) = text.strip_prefix("SUM(").and_then(|rest| rest.strip_suffix(')'))
                                && let Ok(area) = inside.parse::<Area>()
                            {
                                // A sum whose cells were deleted is an error, and so is a sum of it.
                                let cells = sheet.cells(area).unwrap();
                                let error = cells.iter().find(|cell| matches!(cell.value, Value::Error(_)));
                                let sum: f64 = cells.iter().map(|cell| match cell.value {
                                    Value::Number(number) => number,
                                    _ => 0.0,
                                }).sum();
                                let expected = error.map_or(Value::Number(sum), |cell| cell.value.clone());
                                prop_assert_eq!(&cell.value, &expected, "{}", text);
                            }
                        }
                    }
                }
                prop_assert_eq!(sheet::check(view), vec![]);
            }
        }
    }
}

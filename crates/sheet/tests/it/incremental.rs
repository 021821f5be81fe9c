//! The calculation that is kept from one edit to the next gives what a fresh one gives.

use edit::{Format, Patch};
use proptest::prelude::*;
use sheet::{Area, CellChange, CellRef, Edit, Input, LineChange, Sheet, StyleChange, View};

use crate::book::book;

#[derive(Clone, Debug)]
enum Op {
    Set(Vec<(u32, u32, Content)>),
    Insert(u32),
    Delete(u32),
    Hide(u32, bool),
    Style(u32, u32),
    Name(u32),
    Undo,
}

#[derive(Clone, Debug)]
enum Content {
    Number(i16),
    Text(&'static str),
    Clear,
    /// A formula over cells above.
    Formula(usize, u32, u32),
}

/// Formulas that share a text, and an array, for edits to come near.
const START: &str = r#"<sheetData>
<row r="3"><c r="I3"><f t="shared" ref="I3:I9" si="0">A3*2</f><v>0</v></c></row>
<row r="5"><c r="I5"><f t="shared" si="0"/><v>0</v></c><c r="J5"><f t="array" ref="J5:J6">A5:A6*2</f><v>0</v></c></row>
<row r="6"><c r="I6"><f t="shared" si="0"/><v>0</v></c><c r="J6"><v>0</v></c></row>
<row r="9"><c r="I9"><f t="shared" si="0"/><v>0</v></c></row>
<row r="15"><c r="K15"><f t="shared" ref="K15:K16" si="1">SUM(I3:I9)</f><v>0</v></c></row>
<row r="16"><c r="K16"><f t="shared" si="1"/><v>0</v></c></row></sheetData>"#;

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let content = prop_oneof![
        3 => any::<i16>().prop_map(Content::Number),
        1 => prop::sample::select(vec!["a", "b", "3", "", "A1"]).prop_map(Content::Text),
        1 => Just(Content::Clear),
        6 => (0usize..14, 0u32..10, 0u32..6).prop_map(|(kind, row, col)| Content::Formula(kind, row, col)),
    ];
    let col = prop_oneof![6 => 0u32..6, 1 => 8u32..11];
    let cells = prop::collection::vec((0u32..14, col, content), 1..6);
    prop::collection::vec(
        prop_oneof![
            8 => cells.prop_map(Op::Set),
            1 => (0u32..10).prop_map(Op::Insert),
            1 => (0u32..10).prop_map(Op::Delete),
            1 => ((0u32..14), any::<bool>()).prop_map(|(row, hidden)| Op::Hide(row, hidden)),
            1 => ((0u32..14), 0u32..6).prop_map(|(row, col)| Op::Style(row, col)),
            1 => (0u32..10).prop_map(Op::Name),
            2 => Just(Op::Undo),
        ],
        1..16,
    )
}

/// A formula for a cell, looking only upwards, so that nothing runs in a circle.
fn formula(at: CellRef, kind: usize, row: u32, col: u32) -> String {
    let top = CellRef::new(row.min(at.row.saturating_sub(1)), col);
    let above = Area::new(CellRef::new(0, 0), CellRef::new(at.row.saturating_sub(1), 5));
    let column = Area::new(CellRef::new(0, col), CellRef::new(at.row.saturating_sub(1), col));
    match kind {
        0 => format!("={top}+1"),
        1 => format!("=SUM({above})"),
        2 => format!("=SUMIF({column},\">0\")"),
        3 => format!("=IFERROR(VLOOKUP({top},{above},2,FALSE),\"none\")"),
        4 => format!("=COUNTA({above})&{top}"),
        5 => format!("=IF(ISNUMBER({top}),{top}*2,\"t\")"),
        6 => format!("=INDIRECT(\"{top}\")"),
        7 => format!("=SUBTOTAL(109,{column})"),
        8 => "=SEQUENCE(2,2)".to_owned(),
        9 => format!("=SUMPRODUCT(({column}>0)*1)"),
        10 => format!("=OFFSET({top},0,0)"),
        11 => "=mark".to_owned(),
        12 => format!("=CELL(\"format\",{top})"),
        _ => format!("=MATCH({top},{column},0)"),
    }
}

fn edit(op: &Op) -> Option<Edit> {
    let sheet = "Sheet1".to_owned();
    Some(match op {
        Op::Set(cells) => {
            let cells = cells
                .iter()
                .map(|(row, col, content)| {
                    let at = CellRef::new(*row, *col);
                    let input = match content {
                        Content::Number(number) => Input::Number(f64::from(*number)),
                        Content::Text(text) => Input::Text((*text).to_owned()),
                        Content::Clear => Input::Clear,
                        Content::Formula(..) if *row == 0 => Input::Number(1.0),
                        Content::Formula(kind, r, c) => Input::Formula(formula(at, *kind, *r, *c)),
                    };
                    CellChange { at, input }
                })
                .collect();
            Edit::SetCells { sheet, cells, seen: None }
        }
        Op::Insert(at) => Edit::InsertRows { sheet, at: *at, count: 1 },
        Op::Delete(at) => Edit::DeleteRows { sheet, at: *at, count: 1 },
        Op::Hide(row, hidden) => {
            let properties = LineChange { hidden: Some(*hidden), ..LineChange::default() };
            Edit::SetRows { sheet, first: *row, last: *row, properties }
        }
        Op::Style(row, col) => Edit::SetStyle {
            sheet,
            areas: vec![Area::cell(CellRef::new(*row, *col))],
            style: StyleChange { number_format: Some("0.00".to_owned()), ..StyleChange::default() },
        },
        Op::Name(row) => Edit::DefineName {
            name: "mark".to_owned(),
            scope: None,
            formula: format!("Sheet1!$A${}", row + 1),
        },
        Op::Undo => return None,
    })
}

proptest! {
    // Each case is a whole session of edits, so fewer than usual; PROPTEST_CASES asks for more.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept_gives_what_is_fresh(ops in ops()) {
        let mut content = book(&[("Sheet1", START), ("Two", "<sheetData><row r=\"1\"><c r=\"A1\"><f>SUM(Sheet1!A1:C20)</f><v>0</v></c></row></sheetData>")]);
        let mut view: View = Sheet::view(&content).unwrap();
        let cx = testkit::context();
        let base = edit::RevisionId { number: 0, digest: 0 };
        let mut undo: Vec<Patch> = Vec::new();
        // The last edit has everything calculated that waits for the next calculation.
        let last = Op::Set(vec![(21, 11, Content::Number(1))]);
        let mut styled = false;
        for op in ops.iter().chain([&last]) {
            styled |= matches!(op, Op::Style(..));
            match edit(op) {
                Some(edit) => {
                    // A refused edit, such as one into an array, changes nothing.
                    let Ok(batch) = edit::plan::<Sheet>(&content, view.clone(), base, &[edit], &cx) else { continue };
                    undo.push(batch.plan.patch().invert(&content).unwrap());
                    (content, view) = (batch.content, batch.view);
                }
                None => {
                    let Some(back) = undo.pop() else { continue };
                    content = back.apply(&content).unwrap();
                    view = Sheet::view_after(view, &back, &content).unwrap();
                }
            }
            let fresh = Sheet::view(&content).unwrap();
            let found = sheet::verify(&fresh, &cx).unwrap();
            // As in Excel, a look that changes is no reason to calculate; who asks for it hears of it the next time.
            let waits = styled
                && !std::ptr::eq(op, &last)
                && found.different.iter().any(|cell| cell.formula.starts_with("CELL("));
            prop_assert!(waits || found.different.is_empty(), "after {:?}: {:?}", op, found.different);
            prop_assert_eq!(found.uncached, 0);
            let (kept, fresh) = (view.sheet("Sheet1").unwrap(), fresh.sheet("Sheet1").unwrap());
            for (row, col) in (0..22).flat_map(|row| (0..12).map(move |col| (row, col))) {
                let at = CellRef::new(row, col);
                prop_assert_eq!(kept.cell(at).unwrap(), fresh.cell(at).unwrap(), "{} after {:?}", at, op);
                prop_assert_eq!(kept.array_at(at).unwrap(), fresh.array_at(at).unwrap(), "{} after {:?}", at, op);
            }
        }
    }
}

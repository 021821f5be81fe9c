//! Edits that wait while others change the workbook: every kind of edit, over every kind of change around it.

use edit::{Content, Format};
use serde_json::{Value, json};
use sheet::{Edit, Sheet};

use crate::book::{book, data, edited, rows};

fn edit(value: Value) -> Edit {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// A workbook with something of everything: figures in rows 3 to 8 of `Data` with blank rows around and between, a
/// table in `List`, and hangers on both.
fn workbook() -> Content {
    let mut cells = String::from(
        r#"<row r="3"><c r="B3" t="inlineStr"><is><t>Item</t></is></c><c r="C3" t="inlineStr"><is><t>Price</t></is></c><c r="D3" t="inlineStr"><is><t>Count</t></is></c><c r="E3" t="inlineStr"><is><t>Sum</t></is></c></row>"#,
    );
    for (row, item) in [(4, "Apples"), (5, "Pears"), (7, "Plums"), (8, "Figs")] {
        cells += &format!(
            r#"<row r="{row}"><c r="B{row}" t="inlineStr"><is><t>{item}</t></is></c><c r="C{row}"><v>{row}</v></c><c r="D{row}"><v>2</v></c><c r="E{row}"><f>C{row}*D{row}</f><v>{}</v></c></row>"#,
            row * 2
        );
    }
    let list = r#"<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Size</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>one</t></is></c><c r="B2"><v>1</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>two</t></is></c><c r="B3"><v>2</v></c></row></sheetData>"#;
    let before = book(&[
        ("Data", &format!("<sheetData>{cells}</sheetData>")),
        ("List", list),
        ("Spare", "<sheetData/>"),
    ]);
    let setup = [
        json!({"op": "add_table", "sheet": "List", "area": "A1:B3", "name": "Sizes"}),
        json!({"op": "set_note", "sheet": "Data", "at": "C4", "text": "checked"}),
        json!({"op": "set_note", "sheet": "Data", "at": "C8", "text": "doubtful"}),
        json!({"op": "add_comment", "sheet": "Data", "at": "D5", "text": "sure?"}),
        json!({"op": "set_link", "sheet": "Data", "area": "B7", "to": {"address": "https://example.org/"}}),
        json!({"op": "set_validation", "sheet": "Data", "areas": ["D4:D8"], "rule": {"kind": "whole", "operator": "greaterThan", "formula1": "0"}}),
        json!({"op": "add_conditional_format", "sheet": "Data", "areas": ["E4:E8"], "rule": {"kind": "color_scale", "colors": [{"rgb": "FFFFFFFF"}, {"rgb": "FFFF0000"}]}}),
        json!({"op": "merge", "sheet": "Data", "area": "B10:C10"}),
        json!({"op": "define_name", "name": "Prices", "formula": "Data!$C$4:$C$8"}),
        json!({"op": "add_chart", "sheet": "Data", "area": "H3:M12", "chart": {"kind": "column", "series": [{"values": "C4:C8", "categories": "B4:B8"}]}}),
        json!({"op": "set_filter", "sheet": "Data", "area": "B3:E8"}),
    ];
    edited(&before, &setup.map(edit)).content
}

/// One of each kind, and more where places are spoken of in more than one way.
fn samples() -> Vec<Edit> {
    let lines = include_str!("staging/samples.jsonl").lines();
    lines
        .map(|line| edit(serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))))
        .collect()
}

/// A new kind of edit gets its line here, and its sample above.
fn kind(edit: &Edit) -> usize {
    match edit {
        Edit::SetCells { .. } => 0,
        Edit::SetArray { .. } => 1,
        Edit::SetDataTable { .. } => 2,
        Edit::SetStyle { .. } => 3,
        Edit::InsertRows { .. } => 4,
        Edit::DeleteRows { .. } => 5,
        Edit::InsertColumns { .. } => 6,
        Edit::DeleteColumns { .. } => 7,
        Edit::AddSheet { .. } => 8,
        Edit::DeleteSheet { .. } => 9,
        Edit::RenameSheet { .. } => 10,
        Edit::MoveSheet { .. } => 11,
        Edit::ShowSheet { .. } => 12,
        Edit::Merge { .. } => 13,
        Edit::Unmerge { .. } => 14,
        Edit::SetRows { .. } => 15,
        Edit::SetColumns { .. } => 16,
        Edit::Freeze { .. } => 17,
        Edit::SetValidation { .. } => 18,
        Edit::RemoveValidations { .. } => 19,
        Edit::AddConditionalFormat { .. } => 20,
        Edit::RemoveConditionalFormats { .. } => 21,
        Edit::SetSheet { .. } => 22,
        Edit::SetPage { .. } => 23,
        Edit::SetFilter { .. } => 24,
        Edit::Protect { .. } => 25,
        Edit::AddTable { .. } => 26,
        Edit::SetTable { .. } => 27,
        Edit::DeleteTable { .. } => 28,
        Edit::SetLink { .. } => 29,
        Edit::RemoveLinks { .. } => 30,
        Edit::SetNote { .. } => 31,
        Edit::RemoveNotes { .. } => 32,
        Edit::AddComment { .. } => 33,
        Edit::ResolveThread { .. } => 34,
        Edit::DeleteThread { .. } => 35,
        Edit::AddImage { .. } => 36,
        Edit::AddChart { .. } => 37,
        Edit::SetChart { .. } => 38,
        Edit::MoveDrawing { .. } => 39,
        Edit::DeleteDrawing { .. } => 40,
        Edit::DescribeDrawing { .. } => 47,
        Edit::SetWorkbook { .. } => 41,
        Edit::Calculate => 42,
        Edit::DefineName { .. } => 43,
        Edit::DeleteName { .. } => 44,
        Edit::Run(_) => 45,
        Edit::SortRange { .. } => 46,
        // Made by anchoring each of the others.
        Edit::Anchored { .. } => 48,
    }
}

const KINDS: usize = 48;

#[test]
fn every_kind_of_edit_can_wait() {
    let before = workbook();
    let samples = samples();
    for number in 0..KINDS {
        assert!(samples.iter().any(|sample| kind(sample) == number), "no sample of kind {number}");
    }
    for sample in samples {
        if let Err(refusal) = testkit::check::<Sheet>(&before, std::slice::from_ref(&sample)) {
            panic!("{refusal}: {sample:?}");
        }
    }
}

#[test]
fn what_happens_elsewhere_does_not_matter() {
    let before = workbook();
    let mut refused = Vec::new();
    // A run is held by its sheets whole: nobody knows what its program would have done on others.
    for sample in samples().into_iter().filter(|sample| !matches!(sample, Edit::Run(_))) {
        for other in [
            json!({"op": "set_cells", "sheet": "Data", "cells": [{"at": "Z40", "input": {"number": 1}}]}),
            json!({"op": "set_cells", "sheet": "Data", "cells": [{"at": "C4", "input": {"number": 7}}]}),
            json!({"op": "insert_rows", "sheet": "Data", "at": 0, "count": 2}),
            json!({"op": "insert_rows", "sheet": "Data", "at": 2, "count": 1}),
            json!({"op": "delete_rows", "sheet": "Data", "at": 0, "count": 1}),
            json!({"op": "insert_columns", "sheet": "Data", "at": 0, "count": 1}),
            json!({"op": "insert_columns", "sheet": "Data", "at": 1, "count": 1}),
            json!({"op": "delete_columns", "sheet": "Data", "at": 0, "count": 1}),
            json!({"op": "rename_sheet", "sheet": "Data", "to": "Fruit & Co"}),
            json!({"op": "rename_sheet", "sheet": "List", "to": "Data 2"}),
            json!({"op": "insert_rows", "sheet": "List", "at": 0, "count": 1}),
            json!({"op": "set_style", "sheet": "Data", "areas": ["B3:E3"], "style": {"font": {"italic": true}}}),
        ] {
            let other = edit(other);
            // Inserting lines leaves what is frozen as it is, so what a staged edit would freeze is not certain.
            let shifts = matches!(kind(&other), 4..=7) && written(&other).contains("Data");
            if matches!(sample, Edit::Freeze { .. }) && shifts {
                assert!(testkit::check_carried::<Sheet>(&before, &sample, &other).is_err());
                continue;
            }
            if let Err(refusal) = testkit::check_carried::<Sheet>(&before, &sample, &other) {
                refused.push(format!(
                    "{}\n    over {}\n    {refusal} ({:?})",
                    written(&sample),
                    written(&other),
                    refusal.hint()
                ));
            }
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

fn written(edit: &Edit) -> String {
    serde_json::to_string(edit).expect("can be written")
}

#[test]
fn a_row_deletion_follows_its_row() {
    let row = |n: u32| format!(r#"<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>"#);
    let before = rows(&(1..=9).map(row).collect::<String>());
    let delete = edit(json!({"op": "delete_rows", "sheet": "Sheet1", "at": 6, "count": 1}));
    let insert = edit(json!({"op": "insert_rows", "sheet": "Sheet1", "at": 2, "count": 1}));
    let after = testkit::check_carried::<Sheet>(&before, &delete, &insert).expect("made");
    assert!(!data(&after).contains("<v>7</v>"), "{}", data(&after));
    let view = Sheet::view(&after).expect("a view");
    let value = view.sheet("Sheet1").unwrap().value("A8".parse().unwrap()).unwrap();
    assert_eq!(value, sheet::Value::Number(8.0));
}

/// Why a staged edit is refused after another one.
fn stale(before: &Content, staged: Value, other: Value) -> String {
    match testkit::check_carried::<Sheet>(before, &edit(staged), &edit(other)) {
        Ok(after) => panic!("was made: {}", data(&after)),
        Err(refusal) => format!("{refusal} {:?}", refusal.hint()),
    }
}

#[test]
fn a_row_of_a_long_sheet_is_followed_too() {
    let cells = |n: u32| ["A", "B", "C"].map(|c| format!(r#"<c r="{c}{n}"><v>{n}</v></c>"#)).concat();
    let row = |n: u32| format!(r#"<row r="{n}">{}</row>"#, cells(n));
    let before = rows(&(1..=900).map(row).collect::<String>());
    let insert = edit(json!({"op": "insert_rows", "sheet": "Sheet1", "at": 20, "count": 3}));
    for staged in [
        json!({"op": "delete_rows", "sheet": "Sheet1", "at": 699, "count": 1}),
        json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": "B700", "input": {"formula": "A700+A2"}}]}),
    ] {
        let after = testkit::check_carried::<Sheet>(&before, &edit(staged), &insert).expect("made");
        let view = Sheet::view(&after).expect("a view");
        let value = |at: &str| view.sheet("Sheet1").unwrap().value(at.parse().unwrap()).unwrap();
        assert_eq!(value("A702"), sheet::Value::Number(699.0));
        assert!(value("A703") == sheet::Value::Number(701.0) || value("B703") == sheet::Value::Number(702.0));
    }
}

#[test]
fn what_was_changed_is_not_overwritten() {
    let before = workbook();
    let set =
        |at: &str| json!({"op": "set_cells", "sheet": "Data", "cells": [{"at": at, "input": {"number": 1}}]});
    for (staged, other, why) in [
        (set("C5"), set("C5"), "Data!C5 or its row no longer holds"),
        (
            set("E7"),
            json!({"op": "set_cells", "sheet": "Data", "cells": [{"at": "E7", "input": {"formula": "C7+D7"}}]}),
            "no longer holds",
        ),
        (
            set("C5"),
            json!({"op": "delete_rows", "sheet": "Data", "at": 4, "count": 1}),
            "row 5 of `Data` is gone",
        ),
        (
            json!({"op": "delete_rows", "sheet": "Data", "at": 6, "count": 1}),
            set("C7"),
            "Data!7:7 no longer holds",
        ),
        (
            json!({"op": "delete_rows", "sheet": "Data", "at": 6, "count": 2}),
            json!({"op": "insert_rows", "sheet": "Data", "at": 7, "count": 1}),
            "inside 7:8",
        ),
        (json!({"op": "delete_columns", "sheet": "Data", "at": 3, "count": 1}), set("D8"), "no longer holds"),
        (
            json!({"op": "set_note", "sheet": "Data", "at": "C8", "text": "x"}),
            json!({"op": "set_note", "sheet": "Data", "at": "C8", "text": "y"}),
            "Data!C8 no longer",
        ),
        (
            json!({"op": "delete_thread", "sheet": "Data", "at": "D5"}),
            json!({"op": "add_comment", "sheet": "Data", "at": "D5", "text": "no"}),
            "no longer",
        ),
        (
            json!({"op": "delete_drawing", "sheet": "Data", "drawing": "#1"}),
            json!({"op": "set_chart", "sheet": "Data", "drawing": "#1", "change": {"title": "New"}}),
            "drawing `#1`",
        ),
        (
            json!({"op": "delete_sheet", "sheet": "List"}),
            json!({"op": "set_cells", "sheet": "List", "cells": [{"at": "B2", "input": {"number": 3}}]}),
            "sheet `List`",
        ),
        (
            json!({"op": "delete_name", "name": "Prices"}),
            json!({"op": "define_name", "name": "Prices", "formula": "Data!$C$4"}),
            "name `Prices`",
        ),
        (
            json!({"op": "move_sheet", "sheet": "List", "to": 2}),
            json!({"op": "add_sheet", "name": "New"}),
            "the workbook no longer",
        ),
        (
            json!({"op": "set_table", "table": "Sizes", "change": {"totals": true}}),
            json!({"op": "set_table", "table": "Sizes", "change": {"area": "A1:B4"}}),
            "table `Sizes`",
        ),
        (
            json!({"op": "set_workbook", "properties": {"title": "a"}}),
            json!({"op": "set_workbook", "properties": {"title": "b"}}),
            "the workbook",
        ),
        (
            set("B6"),
            json!({"op": "insert_rows", "sheet": "Data", "at": 6, "count": 1}),
            "can no longer be told from others",
        ),
    ] {
        let shown = format!("{staged} over {other}");
        let found = stale(&before, staged, other);
        assert!(found.contains(why), "{shown}: {found}");
    }
}

#[test]
fn a_column_keeps_its_place_when_its_only_cell_is_set_anew() {
    let before = rows(r#"<row r="9"><c r="Z9" s="0"><v>1</v></c></row>"#);
    let set = |at: &str, number: u32| {
        edit(
            json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": at, "input": {"number": number}}]}),
        )
    };
    let after = testkit::check_carried::<Sheet>(&before, &set("Z12", 2), &set("Z9", 3)).expect("made");
    assert!(data(&after).contains(r#"<c r="Z12"><v>2</v></c>"#), "{}", data(&after));
    assert!(data(&after).contains("<v>3</v>"), "{}", data(&after));
}

/// The staged edit carried over each patch in turn, and made.
fn made_after(before: &Content, staged: &Value, others: &[Value], undone: bool) -> Result<Content, String> {
    let told = |refusal: &edit::Refusal| refusal.to_string();
    let mut content = before.clone();
    let mut staged = Sheet::anchor(&Sheet::view(&content).unwrap(), &edit(staged.clone())).unwrap();
    let mut patches = Vec::new();
    for other in others {
        let (step, after) = edited_by(&content, &edit(other.clone()));
        patches.push((step.invert(&content).unwrap(), content.clone()));
        staged = Sheet::carry(&staged, &step).map_err(|lost| lost.why)?;
        content = after;
    }
    if undone {
        for (back, was) in patches.into_iter().rev() {
            staged = Sheet::carry(&staged, &back).map_err(|lost| lost.why)?;
            content = back.apply(&content).unwrap();
            assert_eq!(content, was);
        }
    }
    let view = Sheet::view(&content).unwrap();
    let planned = Sheet::plan(&view, &staged, &testkit::context()).map_err(|refusal| told(&refusal))?;
    Ok(planned.step.patch.apply(&content).unwrap())
}

fn edited_by(before: &Content, other: &Edit) -> (edit::Patch, Content) {
    let view = Sheet::view(before).unwrap();
    let patch = Sheet::plan(&view, other, &testkit::context()).unwrap().step.patch;
    let after = patch.apply(before).unwrap();
    (patch, after)
}

#[test]
fn lines_keep_their_place_while_none_came_or_went() {
    let before = rows(r#"<row r="5"><c r="B5"><v>1</v></c></row><row r="9"><c r="Z9"><v>1</v></c></row>"#);
    let set = |at: &str, input: Value| json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": at, "input": input}]});
    let clear = |at: &str| set(at, json!("clear"));
    let number = |at: &str| set(at, json!({"number": 7}));
    let shift = |op: &str, at: u32| json!({"op": op, "sheet": "Sheet1", "at": at, "count": 1});
    let staged = number("Z12");
    let at = |others: &[Value], undone| {
        let after =
            made_after(&before, &staged, others, undone).unwrap_or_else(|why| panic!("{why}: {others:?}"));
        let view = Sheet::view(&after).unwrap();
        let sheet = view.sheet("Sheet1").unwrap();
        let cells = ["Z12", "AA12", "Z13", "AA13", "Y12"];
        let found = cells
            .into_iter()
            .find(|at| sheet.value(at.parse().unwrap()).unwrap() == sheet::Value::Number(7.0));
        found.unwrap_or("nowhere")
    };
    assert_eq!(at(&[clear("Z9")], false), "Z12");
    assert_eq!(at(&[clear("Z9"), clear("B5")], false), "Z12");
    assert_eq!(at(&[clear("Z9"), clear("B5"), number("C40")], true), "Z12");
    // Undoing lines that came and went leaves the tags where they were.
    assert_eq!(at(&[shift("insert_columns", 1)], false), "AA12");
    assert_eq!(at(&[shift("insert_columns", 1), shift("insert_rows", 2)], true), "Z12");
    assert_eq!(at(&[clear("Z9"), shift("insert_rows", 2)], false), "Z13");

    let stale = |others: &[Value]| made_after(&before, &staged, others, false).expect_err("stale");
    assert!(stale(&[shift("delete_columns", 25)]).contains("column Z"));
    // Where the column went is known by nothing but the cell that is gone.
    assert!(stale(&[shift("insert_columns", 1), clear("AA9")]).contains("column Z"));
    assert!(stale(&[clear("Z9"), shift("insert_columns", 1)]).contains("column Z"));
}

#[test]
fn a_row_that_an_undo_takes_away_keeps_its_place() {
    let before = rows(r#"<row r="2"><c r="A2"><v>1</v></c></row>"#);
    let set = |at: &str, number: u32| {
        edit(
            json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": at, "input": {"number": number}}]}),
        )
    };
    let (patch, after) = edited_by(&before, &set("Z12", 1));
    let staged = Sheet::anchor(&Sheet::view(&after).unwrap(), &set("Y12", 2)).unwrap();
    let staged = Sheet::carry(&staged, &patch.invert(&before).unwrap()).unwrap();
    let view = Sheet::view(&before).unwrap();
    let made = Sheet::plan(&view, &staged, &testkit::context()).unwrap().step.patch.apply(&before).unwrap();
    assert!(data(&made).contains(r#"<c r="Y12"><v>2</v></c>"#), "{}", data(&made));
}

#[test]
fn another_program_may_have_moved_lines() {
    let before = rows(r#"<row r="9"><c r="Z9"><v>1</v></c></row>"#);
    let staged =
        edit(json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": "Z12", "input": {"number": 2}}]}));
    let staged = Sheet::anchor(&Sheet::view(&before).unwrap(), &staged).unwrap();
    // As a comparison of the two files finds it.
    let (mut theirs, after) = edited_by(
        &before,
        &edit(json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": "Z9", "input": "clear"}]})),
    );
    sheet::mark_lines(&before, &mut theirs).unwrap();
    assert_eq!(theirs.apply(&before).unwrap(), after);
    assert!(Sheet::carry(&staged, &theirs).unwrap_err().why.contains("column Z"));
}

#[test]
fn a_batch_may_speak_of_a_sheet_that_it_makes() {
    let before = rows("");
    let view = Sheet::view(&before).expect("a view");
    let cells = json!({"op": "set_cells", "sheet": "New", "cells": [{"at": "A1", "input": {"number": 1}}]});
    let together = |first: Value| {
        let edits =
            [edit(first), edit(cells.clone())].map(|edit| Sheet::anchor(&view, &edit).expect("anchored"));
        let draft = edit::Draft::<Sheet>::new(before.clone(), view.clone());
        draft.make_together(&edits, &testkit::context()).map(|(draft, _)| draft.content().clone())
    };
    assert!(together(json!({"op": "add_sheet", "name": "New"})).is_ok());
    // The sheet has a name in the revision that was read, and is to be called by it.
    let refusal =
        together(json!({"op": "rename_sheet", "sheet": "Sheet1", "to": "New"})).expect_err("refused");
    assert!(refusal.to_string().contains("`New` was not there"), "{refusal}");
}

#[test]
fn an_edit_staged_by_an_earlier_version_is_stale() {
    let before = rows(r#"<row r="1"><c r="A1"><v>1</v></c></row>"#);
    let old = edit(
        json!({"op": "set_cells", "sheet": "Sheet1", "cells": [{"at": "A1", "input": {"number": 2}}], "seen": 7}),
    );
    let refusal =
        Sheet::plan(&Sheet::view(&before).unwrap(), &old, &testkit::context()).expect_err("refused");
    assert!(refusal.to_string().contains("earlier version"), "{refusal}");
}

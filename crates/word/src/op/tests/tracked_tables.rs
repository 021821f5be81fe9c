//! A tracked change of a table's shape: accepting it gives what the plain operation gives, rejecting it what was there.

use super::tables::{doc, shape};
use super::*;
use crate::{Resolution, ResolveChanges, Which};

fn resolve(content: &Content, resolution: Resolution, which: Which) -> Content {
    let edit = Edit::ResolveChanges(ResolveChanges { resolution, which });
    testkit::check::<Word>(content, &[edit]).unwrap_or_else(|refusal| panic!("{refusal}")).content
}

fn columns(content: &Content) -> usize {
    let body = body(content);
    let grid = body.split("</w:tblGrid>").next().expect("a grid");
    grid.matches("<w:gridCol ").count()
}

/// Checks the law and answers the tracked document.
fn law(before: &Content, op: &Op) -> Content {
    let tracked = act(before, op.clone(), Places::default(), Markup::Tracked)
        .unwrap_or_else(|refusal| panic!("{op:?}: {refusal}"));
    assert!(matches!(answer(&tracked), Answer::TableChanged { .. }), "{op:?}");
    let tracked = tracked.content;
    let plainly = plain(before, op.clone()).content;
    let accepted = resolve(&tracked, Resolution::Accept, Which::All);
    if body(&plainly).contains("<w:tbl>") {
        assert_eq!(shape(&accepted), shape(&plainly), "accepting {op:?}");
        assert_eq!(columns(&accepted), columns(&plainly), "the grid after accepting {op:?}");
    } else {
        assert!(!body(&accepted).contains("<w:tbl>"), "accepting {op:?}");
    }
    let rejected = resolve(&tracked, Resolution::Reject, Which::All);
    assert_eq!(body(&rejected), body(before), "rejecting {op:?}");
    // One author decides about everything there is, the grid included.
    let author = testkit::context().author;
    assert_eq!(body(&resolve(&tracked, Resolution::Reject, Which::Author(author))), body(before));
    for left in ["w:cellIns", "w:cellDel", "w:cellMerge", "Change"] {
        assert!(!body(&accepted).contains(left), "{left} after accepting {op:?}");
    }
    tracked
}

fn insert(at: usize, count: usize, side: Side) -> Op {
    Op::TableInsertColumns(TableInsert { table: TableRef::Current, at: Some(at), count, side })
}

fn delete(indexes: &[usize]) -> Op {
    Op::TableDeleteColumns(TableDelete { table: TableRef::Current, indexes: indexes.to_vec() })
}

fn merge(start_row: usize, start_col: usize, row_span: usize, col_span: usize) -> Op {
    Op::TableMergeCells(TableMergeCells {
        table: TableRef::Current,
        start_row,
        start_col,
        row_span,
        col_span,
    })
}

#[test]
fn columns_come_and_go_tracked() {
    let plain_table = doc(&[&["a", "b", "c"], &["d", "e", "f"]]);
    let spanned = doc(&[&["a", "b", "c"], &["2:wide", "d"], &["e", "2:broad"]]);
    let upright = doc(&[&["v:a", "b", "c"], &["^", "d", "e"]]);
    for before in [&plain_table, &spanned, &upright] {
        for side in [Side::Before, Side::After] {
            for at in 0..3 {
                law(before, &insert(at, 1, side));
                law(before, &insert(at, 2, side));
            }
        }
        for gone in [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]] {
            law(before, &delete(gone));
        }
    }
    let tracked = body(&law(&plain_table, &insert(1, 1, Side::After)));
    assert_eq!(tracked.matches("<w:cellIns ").count(), 2);
    assert!(tracked.contains("<w:tblGridChange w:id="));
    assert_eq!(tracked.matches("<w:tcPrChange ").count(), 6, "old widths are on record");
    let tracked = body(&law(&plain_table, &delete(&[1])));
    assert_eq!(tracked.matches("<w:cellDel ").count(), 2);
    assert_eq!(tracked.matches("<w:delText").count(), 2);
    assert!(body(&law(&plain_table, &delete(&[0, 1, 2]))).contains("<w:trPr><w:del "));
}

#[test]
fn cells_merge_tracked_and_keep_what_they_say() {
    let before = doc(&[&["a", "b", "c"], &["d", "", "f"], &["", "h", "i"]]);
    for op in [
        merge(0, 0, 1, 2),
        merge(0, 0, 2, 1),
        merge(0, 0, 2, 2),
        merge(1, 1, 2, 2),
        merge(0, 0, 3, 3),
        merge(2, 0, 1, 3),
    ] {
        law(&before, &op);
    }
    let tracked = body(&law(&before, &merge(0, 0, 2, 2)));
    assert_eq!(tracked.matches("w:vMerge=\"rest\"").count(), 1);
    assert_eq!(tracked.matches("w:vMerge=\"cont\"").count(), 1);
    assert_eq!(tracked.matches("<w:cellDel ").count(), 2);
    // An area that takes in a merge there is already.
    let before = doc(&[&["v:a", "b"], &["^", "d"], &["e", "f"]]);
    law(&before, &merge(0, 0, 2, 2));
    law(&before, &merge(0, 0, 3, 1));
}

#[test]
fn a_merge_begins_anew_where_its_first_row_goes() {
    let rows = |indexes: &[usize]| {
        Op::TableDeleteRows(TableDelete { table: TableRef::Current, indexes: indexes.to_vec() })
    };
    let before = doc(&[&["v:a", "b"], &["^", "d"], &["^", "f"], &["g", "h"]]);
    for gone in [&[0][..], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]] {
        law(&before, &rows(gone));
    }
    let before = doc(&[&["2:v:a", "b"], &["2:^", "d"], &["2:^", "f"]]);
    law(&before, &rows(&[0]));
}

/// The cell that a merge takes in is still there until somebody decides, but not in a row that comes in between.
#[test]
fn a_row_comes_into_a_merge_that_waits() {
    let before = doc(&[&["a", "b", "c"], &["d", "e", "f"], &["g", "h", "i"]]);
    let row = Op::TableInsertRows(TableInsert {
        table: TableRef::Current,
        at: Some(0),
        count: 1,
        side: Side::After,
    });
    let run = |markup: Markup| {
        let merged = act(&before, merge(0, 0, 2, 2), Places::default(), markup).expect("safe").content;
        act(&merged, row.clone(), Places::default(), markup).expect("safe").content
    };
    let accepted = resolve(&run(Markup::Tracked), Resolution::Accept, Which::All);
    assert_eq!(shape(&accepted), shape(&run(Markup::Plain)));
    let rejected = resolve(&run(Markup::Tracked), Resolution::Reject, Which::All);
    assert_eq!(body(&rejected), body(&before));
}

#[test]
fn looks_of_moved_paragraphs_are_on_record() {
    let centred = |text: &str| p(&format!("<w:pPr><w:jc w:val=\"center\"/></w:pPr>{}", r(text)));
    let cell =
        |inner: &str| format!("<w:tc><w:tcPr><w:tcW w:w=\"9\" w:type=\"dxa\"/></w:tcPr>{inner}</w:tc>");
    for first in [p(""), p(&r("a")), "<w:p/>".to_owned(), format!("{}{}", p(&r("a")), centred("b"))] {
        let row =
            format!("<w:tr>{}{}</w:tr>", cell(&first), cell(&format!("{}{}", centred("x"), centred("y"))));
        let grid = "<w:tblGrid><w:gridCol w:w=\"9\"/><w:gridCol w:w=\"9\"/></w:tblGrid>";
        let before = document(&format!("<w:tbl><w:tblPr/>{grid}{row}</w:tbl>{}", p("")));
        let tracked =
            act(&before, merge(0, 0, 1, 2), Places::default(), Markup::Tracked).expect("safe").content;
        assert_eq!(shape(&resolve(&tracked, Resolution::Accept, Which::All)).len(), 1);
        let accepted = body(&resolve(&tracked, Resolution::Accept, Which::All));
        assert_eq!(
            accepted.matches("<w:jc w:val=\"center\"/>").count(),
            2 + usize::from(first.contains("jc"))
        );
        let rejected = body(&resolve(&tracked, Resolution::Reject, Which::All));
        assert_eq!(rejected.replace("<w:p></w:p>", "<w:p/>"), body(&before).replace("<w:p></w:p>", "<w:p/>"));
    }
}

#[test]
fn own_pending_columns_go_at_once_and_those_of_others_are_left_alone() {
    let before = doc(&[&["a", "b"], &["c", "d"]]);
    let tracked = law(&before, &insert(0, 1, Side::After));
    let done = act(&tracked, delete(&[1]), Places::default(), Markup::Tracked).expect("safe").content;
    assert_eq!(shape(&done), ["a|b", "c|d"]);
    assert!(!body(&done).contains("cellDel"));
    let cells = "<w:tc><w:tcPr><w:cellIns w:id=\"3\" w:author=\"Somebody\"/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc>";
    let theirs = document(&format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"9\"/><w:gridCol w:w=\"9\"/></w:tblGrid><w:tr>{cells}</w:tr></w:tbl>{}",
        p("")
    ));
    for op in [delete(&[0]), merge(0, 0, 1, 2)] {
        let refused = act(&theirs, op, Places::default(), Markup::Tracked);
        assert!(matches!(refused, Err(Refusal::Unsafe { .. })));
    }
}

#[test]
fn cells_merged_in_the_old_way_are_read_and_written_in_the_new() {
    let cell = |merge: &str, inner: &str| {
        format!("<w:tc><w:tcPr><w:tcW w:w=\"1000\" w:type=\"dxa\"/>{merge}</w:tcPr>{}</w:tc>", p(inner))
    };
    let (restart, goes) = ("<w:hMerge w:val=\"restart\"/>", "<w:hMerge w:val=\"continue\"/>");
    let grid = "<w:gridCol w:w=\"1000\"/>".repeat(3);
    let old = |hidden: &str| {
        document(&format!(
            "<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid><w:tr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr></w:tbl>{}",
            cell(restart, &r("wide")),
            cell(goes, hidden),
            cell("", &r("c")),
            cell("", &r("d")),
            cell("", &r("e")),
            cell("", &r("f")),
            p("")
        ))
    };
    let before = old("");
    assert_eq!(shape(&plain(&before, insert(2, 1, Side::After)).content), ["2:wide|c|", "d|e|f|"]);
    assert_eq!(shape(&plain(&before, delete(&[0])).content), ["wide|c", "e|f"]);
    let set = Op::TableSetCellText(TableSetCellText {
        table: TableRef::Current,
        row: 0,
        col: 1,
        text: "new".into(),
    });
    let done = plain(&before, set);
    assert_eq!(shape(&done.content), ["2:new|c", "d|e|f"]);
    assert!(body(&done.content).contains("<w:tcW w:w=\"2000\" w:type=\"dxa\"/>"));
    let tracked = act(&before, delete(&[2]), Places::default(), Markup::Tracked).expect("safe").content;
    assert_eq!(shape(&resolve(&tracked, Resolution::Reject, Which::All)), ["2:wide|c", "d|e|f"]);
    let refused = act(&old(&r("hidden")), delete(&[0]), Places::default(), Markup::Plain);
    assert!(matches!(refused, Err(Refusal::Unsafe { .. })));
}

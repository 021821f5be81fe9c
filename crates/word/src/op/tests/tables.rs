use super::*;
use crate::Side as Reading;

/// Each row is its cells; `2:text` covers two columns, `^` goes on with the cell above, `v:text` begins that.
pub(super) fn table(rows: &[&[&str]]) -> String {
    let columns = rows[0].iter().map(|cell| cell.strip_prefix("2:").map_or(1, |_| 2)).sum::<usize>();
    let grid = "<w:gridCol w:w=\"1000\"/>".repeat(columns);
    let cell = |text: &&str| {
        let (facts, text) = match (text.strip_prefix("2:"), text.strip_prefix("v:"), *text) {
            (Some(text), _, _) => ("<w:tcW w:w=\"2000\" w:type=\"dxa\"/><w:gridSpan w:val=\"2\"/>", text),
            (_, Some(text), _) => ("<w:tcW w:w=\"1000\" w:type=\"dxa\"/><w:vMerge w:val=\"restart\"/>", text),
            (_, _, "^") => ("<w:tcW w:w=\"1000\" w:type=\"dxa\"/><w:vMerge/>", ""),
            (_, _, text) => ("<w:tcW w:w=\"1000\" w:type=\"dxa\"/>", text),
        };
        let inner = if text.is_empty() { String::new() } else { r(text) };
        format!("<w:tc><w:tcPr>{facts}</w:tcPr>{}</w:tc>", p(&inner))
    };
    let rows: String =
        rows.iter().map(|row| format!("<w:tr>{}</w:tr>", row.iter().map(cell).collect::<String>())).collect();
    format!(
        "<w:tbl><w:tblPr><w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"
    )
}

pub(super) fn doc(rows: &[&[&str]]) -> Content {
    document(&format!("{}{}", table(rows), p("")))
}

/// The rows of the first table, in the notation of [`table`].
pub(super) fn shape(content: &Content) -> Vec<String> {
    let body = body(content);
    let table = body.split("</w:tbl>").next().expect("a table");
    let rows = table.split("<w:tr>").skip(1);
    rows.map(|row| {
        let cells = row.split("<w:tc>").skip(1).map(|cell| {
            let texts: Vec<&str> = cell
                .split("<w:t")
                .skip(1)
                .filter(|piece| piece.starts_with('>') || piece.starts_with(" xml"))
                .map(|piece| piece.split_once('>').expect("a tag").1.split("</w:t>").next().expect("text"))
                .collect();
            let span = match cell.split_once("<w:gridSpan w:val=\"") {
                Some((_, rest)) => format!("{}:", rest.split('"').next().expect("a number")),
                None => String::new(),
            };
            let merge = match (cell.contains("<w:vMerge w:val=\"restart\"/>"), cell.contains("<w:vMerge/>")) {
                (true, _) => "v:",
                (_, true) => "^",
                _ => "",
            };
            format!("{span}{merge}{}", texts.join("/"))
        });
        cells.collect::<Vec<_>>().join("|")
    })
    .collect()
}

fn the_table() -> TableRef {
    TableRef::Current
}

#[test]
fn a_table_is_made_with_a_header_and_what_it_says() {
    let before = document(&p(&r("Text")));
    let op = TableCreate {
        rows: 3,
        cols: 3,
        header: true,
        data: vec![vec!["Name".into(), "A & B".into()], vec!["x\ny".into()]],
        ..TableCreate::default()
    };
    let done = plain(&before, Op::TableCreate(op.clone()));
    let after = body(&done.content);
    assert_eq!(shape(&done.content), ["Name|A &amp; B|", "x/y||", "||"]);
    assert!(after.starts_with("<w:p><w:r>") && after.ends_with("</w:tbl><w:p/>"), "{after}");
    assert_eq!(after.matches("<w:trPr><w:tblHeader/></w:trPr>").count(), 1);
    assert!(after.contains("<w:tblStyle w:val=\"TableGrid\"/>"));
    assert!(done.content.contains("word/styles.xml"));
    let Answer::Table { table, .. } = answer(&done) else { panic!() };
    let found = done.view.content().read("word/document.xml").unwrap().unwrap();
    assert!(
        found.slice(table.range()).starts_with(b"<w:tbl>")
            && found.slice(table.range()).ends_with(b"</w:tbl>")
    );
    let done = act(&before, Op::TableCreate(op), Places::default(), Markup::Tracked).expect("safe");
    assert_eq!(body(&done.content).matches("<w:ins ").count(), 3 + 5);
}

#[test]
fn rows_come_after_the_one_that_is_named() {
    let before = doc(&[&["a", "b"], &["c", "d"]]);
    let insert = |at, count, side| Op::TableInsertRows(TableInsert { table: the_table(), at, count, side });
    let done = plain(&before, insert(Some(0), 2, Side::After));
    assert_eq!(shape(&done.content), ["a|b", "|", "|", "c|d"]);
    assert!(matches!(answer(&done), Answer::TableChanged { rows: 4, cols: 2, .. }));
    assert_eq!(shape(&plain(&before, insert(Some(0), 1, Side::Before)).content), ["|", "a|b", "c|d"]);
    assert_eq!(shape(&plain(&before, insert(None, 1, Side::After)).content), ["a|b", "c|d", "|"]);
    let done =
        act(&before, insert(Some(1), 1, Side::After), Places::default(), Markup::Tracked).expect("safe");
    assert!(body(&done.content).contains("<w:trPr><w:ins "), "{}", body(&done.content));
    for (at, count) in [(Some(2), 1), (Some(0), 0)] {
        let refused = act(&before, insert(at, count, Side::After), Places::default(), Markup::Plain);
        assert!(matches!(refused, Err(Refusal::Invalid { .. })));
    }
}

#[test]
fn deleted_rows_hand_their_merges_on() {
    let before = doc(&[&["v:a", "b"], &["^", "d"], &["^", "f"]]);
    let delete = |indexes: &[usize]| {
        Op::TableDeleteRows(TableDelete { table: the_table(), indexes: indexes.to_vec() })
    };
    assert_eq!(shape(&plain(&before, delete(&[0])).content), ["v:a|d", "^|f"]);
    assert_eq!(shape(&plain(&before, delete(&[0, 1, 1])).content), ["a|f"]);
    assert_eq!(shape(&plain(&before, delete(&[2])).content), ["v:a|b", "^|d"]);
    let done = plain(&before, delete(&[0, 1, 2]));
    assert_eq!(body(&done.content), p(""));
    assert_eq!(answer(&done), &Answer::TableGone { deleted: true });
    assert!(matches!(
        act(&before, delete(&[3]), Places::default(), Markup::Plain),
        Err(Refusal::Invalid { .. })
    ));
    assert!(matches!(
        act(&before, delete(&[]), Places::default(), Markup::Plain),
        Err(Refusal::Invalid { .. })
    ));
    let done = act(&before, delete(&[1]), Places::default(), Markup::Tracked).expect("safe");
    assert!(body(&done.content).contains("<w:trPr><w:del "));
    assert_eq!(lines(&done.view, Reading::Final), ["a", "b", "", "", "", "f", ""]);
    assert_eq!(lines(&done.view, Reading::Original), ["a", "b", "", "d", "", "f", ""]);
}

#[test]
fn deleted_columns_narrow_what_spans_them() {
    let before = doc(&[&["a", "b", "c"], &["2:wide", "d"]]);
    let delete = |indexes: &[usize]| {
        Op::TableDeleteColumns(TableDelete { table: the_table(), indexes: indexes.to_vec() })
    };
    assert_eq!(shape(&plain(&before, delete(&[0])).content), ["b|c", "wide|d"]);
    assert_eq!(shape(&plain(&before, delete(&[2])).content), ["a|b", "2:wide"]);
    assert_eq!(shape(&plain(&before, delete(&[1, 0])).content), ["c", "d"]);
    assert_eq!(answer(&plain(&before, delete(&[0, 1, 2]))), &Answer::TableGone { deleted: true });
}

#[test]
fn the_text_of_a_cell_changes_and_its_looks_do_not() {
    let cell = format!(
        "<w:tc><w:tcPr><w:shd w:val=\"clear\" w:fill=\"FF0000\"/></w:tcPr><w:p><w:pPr><w:jc w:val=\"right\"/></w:pPr>{}</w:p>{}</w:tc>",
        rr("<w:b/>", "old text"),
        p(&r("more"))
    );
    let before = document(&format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"100\"/></w:tblGrid><w:tr>{cell}</w:tr></w:tbl>{}",
        p("")
    ));
    let set = |text: &str| {
        Op::TableSetCellText(TableSetCellText { table: the_table(), row: 0, col: 0, text: text.into() })
    };
    let done = plain(&before, set("Title"));
    assert_eq!(lines(&done.view, Reading::Final), ["Title", ""]);
    assert!(body(&done.content).contains("<w:pPr><w:jc w:val=\"right\"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Title</w:t></w:r></w:p></w:tc>"), "{}", body(&done.content));
    let done = plain(&before, set("one\ntwo"));
    assert_eq!(lines(&done.view, Reading::Final), ["one", "two", ""]);
    let done = act(&before, set("Title"), Places::default(), Markup::Tracked).expect("safe");
    assert_eq!(lines(&done.view, Reading::Original), ["old text", "more", ""]);
    let empty = doc(&[&["", "v:b"], &["c", "^"]]);
    let set = |row, col| {
        Op::TableSetCellText(TableSetCellText { table: TableRef::Nth(0), row, col, text: "X".into() })
    };
    assert_eq!(shape(&plain(&empty, set(0, 0)).content), ["X|v:b", "c|^"]);
    assert_eq!(shape(&plain(&empty, set(1, 1)).content), ["|v:X", "c|^"]);
    assert!(matches!(act(&empty, set(0, 2), Places::default(), Markup::Plain), Err(Refusal::Invalid { .. })));
}

#[test]
fn a_table_id_follows_its_table() {
    let before = document(&format!("{}{}{}{}", table(&[&["a"]]), p("x"), table(&[&["b"]]), p("")));
    let view = View::read(&before).expect("viewed");
    let span = super::super::table::resolve(&view, &TableRef::Nth(1), &Places::default()).expect("there");
    let named = [("tbl_1".to_owned(), span)].into();
    let places = Places { named, ..Places::default() };
    let set = TableSetCellText { table: TableRef::Table("tbl_1".into()), row: 0, col: 0, text: "new".into() };
    let done = act(&before, Op::TableSetCellText(set.clone()), places.clone(), Markup::Plain).expect("safe");
    assert_eq!(lines(&done.view, Reading::Final), ["a", "", "new", ""]);
    let operation = Operation { op: Op::TableSetCellText(set), places, markup: Markup::Plain };
    let carried = carry(&operation, &done.patch).expect("it is still there");
    assert!(plan(&done.view, &carried, &testkit::context()).is_ok());
    let missing =
        TableInsert { table: TableRef::Table("tbl_9".into()), at: None, count: 1, side: Side::After };
    assert!(matches!(
        act(&before, Op::TableInsertRows(missing), Places::default(), Markup::Plain),
        Err(Refusal::NotFound { .. })
    ));
}

//! Texts in pieces, the workbook's own properties, and looks that Excel does not know.

use edit::{Format, Refusal, RevisionId};
use sheet::{CalculationMode, Edit, Input, Sheet, StyleChange, WorkbookChange};
use testkit::Checked;

use crate::book::{book_with, data, edited, refused, rows, set, text_of};

const S: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

fn rich(runs: serde_json::Value) -> Input {
    serde_json::from_value(serde_json::json!({ "rich": runs })).expect("an input")
}

fn red_word() -> Input {
    rich(serde_json::json!([
        {"text": "Net "},
        {"text": "pro", "font": {"bold": true, "color": {"rgb": "FF0000"}}},
        {"text": "fit", "font": {"bold": true, "color": {"rgb": "FF0000"}}},
        {"text": "2", "font": {"name": "Arial", "size": 8.0, "italic": true, "strike": true, "underline": "double", "vertical": "superscript"}},
        {"text": " a year"},
    ]))
}

/// A workbook with shared strings, a rich one among them, and a cell in Calibri 11 and one in bold red.
fn shared() -> edit::Content {
    let strings = format!(
        r#"<x:sst xmlns:x="{S}" count="2" uniqueCount="2"><x:si><x:t>old</x:t></x:si><x:si><x:r><x:rPr><x:b/><x:sz val="9"/><x:rFont val="Arial"/></x:rPr><x:t>was</x:t></x:r><x:r><x:t> rich</x:t></x:r></x:si></x:sst>"#
    );
    let styles = format!(
        r#"<styleSheet xmlns="{S}"><fonts count="2"><font><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font><font><b/><sz val="14"/><color rgb="FF0000"/><name val="Cambria"/></font></fonts><cellXfs count="2"><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>"#
    );
    book_with(
        &[(
            "Sheet1",
            r#"<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c></row></sheetData>"#,
        )],
        "",
        &[("xl/sharedStrings.xml", &strings), ("xl/styles.xml", &styles)],
    )
}

fn runs(checked: &Checked<sheet::Sheet>, at: &str) -> Vec<sheet::RichRun> {
    let sheet = checked.view.sheet("Sheet1").expect("a sheet");
    sheet.rich_text(at.parse().expect("a cell")).expect("reads").unwrap_or_default()
}

#[test]
fn pieces_become_a_shared_string_and_read_back() {
    let before = shared();
    let after = edited(&before, &[set(&[("A1", red_word()), ("C1", red_word())])]);
    // Both cells share one string; what was there stays as it was, the uses are counted.
    let cells = data(&after.content);
    assert!(
        cells.contains(r#"<c r="A1" t="s"><v>2</v></c>"#)
            && cells.contains(r#"<c r="C1" t="s"><v>2</v></c>"#),
        "{cells}"
    );
    let strings = text_of(&after.content, "xl/sharedStrings.xml");
    let base = r#"<x:rFont val="Calibri"/><x:family val="2"/><x:scheme val="minor"/>"#;
    let wanted = format!(
        concat!(
            r#"<x:si><x:r><x:t xml:space="preserve">Net </x:t></x:r>"#,
            r#"<x:r><x:rPr><x:b/><x:sz val="11"/><x:color rgb="FFFF0000"/>{base}</x:rPr><x:t>profit</x:t></x:r>"#,
            r#"<x:r><x:rPr><x:i/><x:strike/><x:u val="double"/><x:vertAlign val="superscript"/><x:sz val="8"/><x:color theme="1"/><x:rFont val="Arial"/></x:rPr><x:t>2</x:t></x:r>"#,
            r#"<x:r><x:rPr><x:sz val="11"/><x:color theme="1"/>{base}</x:rPr><x:t xml:space="preserve"> a year</x:t></x:r></x:si></x:sst>"#
        ),
        base = base
    );
    assert!(strings.ends_with(&wanted), "{strings}");
    assert!(strings.contains(r#"count="3" uniqueCount="3""#), "{strings}");
    let found = runs(&after, "A1");
    let texts: Vec<&str> = found.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(texts, ["Net ", "profit", "2", " a year"]);
    assert!(found[0].font.is_none());
    let font = found[2].font.clone().expect("a font");
    assert_eq!(
        (font.name.as_deref(), font.size, font.italic, font.strike),
        (Some("Arial"), Some(8.0), true, true)
    );
    assert_eq!((font.underline.as_deref(), font.vertical.as_deref()), (Some("double"), Some("superscript")));
    // The same once more finds the string that is there.
    let again = edited(&after.content, &[set(&[("D1", red_word())])]);
    assert!(data(&again.content).contains(r#"<c r="D1" t="s"><v>2</v></c>"#));
    assert_eq!(runs(&again, "B1")[0].font.as_ref().and_then(|font| font.size), Some(9.0));
}

#[test]
fn pieces_that_look_alike_are_a_plain_text_and_inline_without_shared_strings() {
    let plain = rich(serde_json::json!([{"text": "a"}, {"text": "b"}]));
    let bold = rich(serde_json::json!([{"text": "_x00"}, {"text": "41_", "font": {"bold": true}}]));
    let after = edited(&rows(""), &[set(&[("A1", plain), ("A2", bold)])]);
    let cells = data(&after.content);
    assert!(cells.contains(r#"<is><t>ab</t></is>"#), "{cells}");
    assert!(cells.contains(r#"<is><r><t>_x00</t></r><r><rPr><b/></rPr><t>41_</t></r></is>"#), "{cells}");
    // What reads as an escape across two pieces is none.
    let sheet = after.view.sheet("Sheet1").unwrap();
    let cell = sheet.cell("A2".parse().unwrap()).unwrap().unwrap();
    assert_eq!(cell.value, sheet::Value::Text("_x0041_".into()));
}

#[track_caller]
fn invalid(refusal: Refusal, field: &str) -> String {
    match refusal {
        Refusal::Invalid { field: found, expected, .. } => {
            assert_eq!(found, field, "{expected}");
            expected
        }
        other => panic!("another refusal: {other}"),
    }
}

#[test]
fn pieces_that_cannot_be_are_refused() {
    for runs in [serde_json::json!([]), serde_json::json!([{"text": "a"}, {"text": ""}])] {
        assert!(invalid(refused(&shared(), &[set(&[("A1", rich(runs))])]), "rich text").contains("clear"));
    }
    let long = rich(serde_json::json!([{"text": "a".repeat(20_000)}, {"text": "b".repeat(20_000)}]));
    assert!(refused(&shared(), &[set(&[("A1", long)])]).to_string().contains("40000"));
    let wavy = rich(serde_json::json!([{"text": "a", "font": {"underline": "wavy"}}]));
    assert!(invalid(refused(&shared(), &[set(&[("A1", wavy)])]), "underline").contains("singleAccounting"));
    let typo = serde_json::json!({"rich": [{"text": "a", "font": {"blod": true}}]});
    assert!(serde_json::from_value::<Input>(typo).is_err());
}

#[test]
fn looks_that_excel_does_not_know_are_refused() {
    let style = |text: &str| -> StyleChange { serde_json::from_str(text).expect("a style") };
    let cases = [
        (r#"{"font":{"underline":"wavy"}}"#, "underline"),
        (r#"{"font":{"vertical":"up"}}"#, "vertical position"),
        (r#"{"font":{"color":{"rgb":"zzz"}}}"#, "colour"),
        (r#"{"fill":{"solid":{"rgb":"F00"}}}"#, "colour"),
        (r#"{"font":{"color":{"indexed":400}}}"#, "colour of the palette"),
        (r#"{"font":{"color":{"theme":{"index":40,"tint":0}}}}"#, "colour of the theme"),
        (r#"{"font":{"color":{"theme":{"index":4,"tint":3}}}}"#, "tint"),
        (r#"{"font":{"size":-5}}"#, "size of a font"),
        (r#"{"font":{"size":410}}"#, "size of a font"),
        (r#"{"font":{"name":""}}"#, "name of a font"),
        (r#"{"border":{"top":{"line":{"style":"foo","color":null}}}}"#, "line of a border"),
        (r#"{"alignment":{"horizontal":"middle"}}"#, "horizontal alignment"),
        (r#"{"alignment":{"vertical":"middle"}}"#, "vertical alignment"),
        (r#"{"alignment":{"rotation":181}}"#, "rotation"),
        (r#"{"alignment":{"indent":251}}"#, "indent"),
        (r#"{"number_format":"0.0 \"h"}"#, "number format"),
        (r#"{"number_format":"[Red"}"#, "number format"),
        (r#"{"number_format":"0;0;0;@;0"}"#, "number format"),
        (r#"{"number_format":"0_"}"#, "number format"),
    ];
    let area = vec!["A1".parse().expect("an area")];
    for (text, field) in cases {
        let edit = Edit::SetStyle { sheet: "Sheet1".into(), areas: area.clone(), style: style(text) };
        invalid(refused(&shared(), &[edit]), field);
    }
    let known = r##"{"number_format":"[$-409]d\\ \"[of]\" mmm;[Red]-0_);\"\";@","font":{"vertical":"subscript","color":{"rgb":"#80ff8800"}},"alignment":{"rotation":255}}"##;
    edited(&shared(), &[Edit::SetStyle { sheet: "Sheet1".into(), areas: area.clone(), style: style(known) }]);
    let rules = [
        r#"{"kind":"color_scale","colors":[{"rgb":"red"},{"rgb":"00FF00"}]}"#,
        r#"{"kind":"data_bar","color":{"rgb":"12"}}"#,
    ];
    for rule in rules {
        let rule = serde_json::from_str(rule).expect("a rule");
        let edit = Edit::AddConditionalFormat {
            sheet: "Sheet1".into(),
            areas: area.clone(),
            rule,
            stop_if_true: false,
        };
        invalid(refused(&shared(), &[edit]), "colour");
    }
    let tab = r#"{"op":"set_sheet","sheet":"Sheet1","properties":{"tab_color":{"color":{"rgb":"FF"}}}}"#;
    invalid(refused(&shared(), &[serde_json::from_str(tab).expect("an edit")]), "colour");
}

fn change(text: &str) -> Edit {
    let properties: WorkbookChange = serde_json::from_str(text).expect("a change");
    Edit::SetWorkbook { properties }
}

#[test]
fn a_workbook_says_when_it_is_calculated() {
    let before = book_with(
        &[("Sheet1", r#"<sheetData><row r="1"><c r="A1"><f>A1+1</f><v>0</v></c></row></sheetData>"#)],
        r#"<calcPr calcId="191029"/>"#,
        &[],
    );
    let after =
        edited(&before, &[change(r#"{"calculation":"manual","iterate":true,"iterations":5,"delta":0.5}"#)]);
    let xml = text_of(&after.content, "xl/workbook.xml");
    assert!(
        xml.contains(
            r#"<calcPr calcId="191029" calcMode="manual" iterate="1" iterateCount="5" iterateDelta="0.5"/>"#
        ),
        "{xml}"
    );
    assert_eq!(after.view.calculation_mode(), CalculationMode::Manual);
    // A circle that may go round goes round.
    assert!(data(&after.content).contains("<v>5</v>"), "{}", data(&after.content));
    let back = edited(&after.content, &[change(r#"{"calculation":"auto_except_tables"}"#)]);
    assert_eq!(back.view.calculation_mode(), CalculationMode::AutoExceptTables);
    let none = edited(&rows(""), &[change(r#"{"iterate":true}"#)]);
    assert!(text_of(&none.content, "xl/workbook.xml").contains(r#"</sheets><calcPr iterate="1"/>"#));
    invalid(refused(&before, &[change(r#"{"iterations":0}"#)]), "iterations");
    invalid(refused(&before, &[change(r#"{"delta":-1}"#)]), "delta");
}

#[test]
fn the_date_system_changes_only_where_no_date_would() {
    let after =
        edited(&rows(r#"<row r="1"><c r="A1"><v>5</v></c></row>"#), &[change(r#"{"date_1904":true}"#)]);
    let xml = text_of(&after.content, "xl/workbook.xml");
    assert!(xml.contains(r#"<workbookPr date1904="1"/><sheets>"#), "{xml}");
    let styles = format!(
        r#"<styleSheet xmlns="{S}"><cellXfs count="2"><xf/><xf numFmtId="14"/></cellXfs></styleSheet>"#
    );
    let dated = r#"<sheetData><row r="1"><c r="B1" s="1"><v>45000</v></c></row></sheetData>"#;
    let shown = book_with(&[("Sheet1", dated)], "", &[("xl/styles.xml", &styles)]);
    let computed = rows(r#"<row r="1"><c r="A1"><f>YEAR(45000)</f><v>2023</v></c></row>"#);
    let written = rows(r#"<row r="1"><c r="A1" t="d"><v>2024-02-29</v></c></row>"#);
    for (before, place) in [(shown, "B1"), (computed, "A1"), (written, "A1")] {
        let refusal = refused(&before, &[change(r#"{"date_1904":true}"#)]).to_string();
        assert!(refusal.contains(&format!("Sheet1!{place}")), "{refusal}");
        edited(&before, &[change(r#"{"date_1904":false,"title":"Dates"}"#)]);
    }
}

#[test]
fn a_workbook_has_a_title_and_an_author() {
    let made = edited(&rows(""), &[change(r#"{"title":"A & B","author":"Ann","keywords":"x"}"#)]);
    let xml = text_of(&made.content, "docProps/core.xml");
    assert!(
        xml.contains(
            "<dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator><cp:keywords>x</cp:keywords>"
        ),
        "{xml}"
    );
    assert!(text_of(&made.content, "[Content_Types].xml").contains("/docProps/core.xml"));
    let said = made.view.properties().unwrap();
    assert_eq!((said.title.as_deref(), said.author.as_deref()), (Some("A & B"), Some("Ann")));
    let changed =
        edited(&made.content, &[change(r#"{"title":"C","author":"","subject":"S","category":"K"}"#)]);
    let xml = text_of(&changed.content, "docProps/core.xml");
    assert!(xml.contains("<dc:title>C</dc:title><cp:keywords>x</cp:keywords><dc:subject>S</dc:subject><cp:category>K</cp:category></cp:coreProperties>"), "{xml}");
    assert_eq!(changed.view.properties().unwrap().author, None);
    invalid(refused(&made.content, &[change("{\"title\":\"a\\u0001\"}")]), "property");
}

#[test]
fn an_edit_says_which_sheet_could_not_be_calculated() {
    let broken = r#"<sheetData><row r="0"><c r="A0"><v>1</v></c></row><row r="2"><c r="A2"><f>1+1</f><v>2</v></c></row></sheetData>"#;
    let before = book_with(&[("Sheet1", "<sheetData/>"), ("Bad", broken)], "", &[]);
    let view = Sheet::view(&before).unwrap();
    let edits = [set(&[("A1", Input::Formula("1+2".into()))])];
    let base = RevisionId { number: 0, digest: 0 };
    let batch = edit::plan::<Sheet>(&before, view, base, &edits, &testkit::context()).unwrap();
    assert!(data(&batch.content).contains("<f>1+2</f><v>3</v>"));
    let notes: Vec<&str> =
        batch.plan.steps.iter().flat_map(|step| &step.notes).map(|note| note.text.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("`Bad`") && note.contains("1 to 1048576")), "{notes:?}");
}

#[test]
fn a_workbook_without_formats_gets_them_when_one_is_asked_for() {
    let before = rows(r#"<row r="1"><c r="A1"><v>5</v></c></row>"#);
    let style = serde_json::from_str(r#"{"font":{"bold":true}}"#).expect("a style");
    let bold = Edit::SetStyle { sheet: "Sheet1".into(), areas: vec!["A1".parse().unwrap()], style };
    let made = edited(&before, &[bold, set(&[("B1", Input::Date("2024-02-29".into()))])]);
    let sheet = made.view.sheet("Sheet1").unwrap();
    let cell = |at: &str| sheet.cell(at.parse().unwrap()).unwrap().unwrap();
    assert!(made.view.style(cell("A1").style).unwrap().font.bold);
    assert_eq!(made.view.text(&cell("B1").value, cell("B1").style).unwrap(), "2024-02-29");
    assert!(text_of(&made.content, "[Content_Types].xml").contains("/xl/styles.xml"));
    assert_eq!(sheet::check(&made.view), []);
    // A number needs none.
    let plain = edited(&before, &[set(&[("B1", Input::Number(1.0))])]);
    assert!(!plain.content.contains("xl/styles.xml"));
}

//! Conditional formats of every kind, written, read back, moved with their cells and taken off.

use sheet::{Area, Edit};

use crate::book::{book_with, edited, refused, text_of};

const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf/></cellXfs></styleSheet>"#;

fn ground() -> edit::Content {
    book_with(&[("Sheet1", "<sheetData/>")], "", &[("xl/styles.xml", STYLES)])
}

fn add(rule: &str) -> Edit {
    let text =
        format!(r#"{{"op":"add_conditional_format","sheet":"Sheet1","areas":["B2:B9"],"rule":{rule}}}"#);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{rule}: {error}"))
}

fn written(rule: &str) -> (String, sheet::ConditionalFormat) {
    let after = edited(&ground(), &[add(rule)]);
    assert_eq!(sheet::check(&after.view), [], "{rule}");
    let xml = text_of(&after.content, "xl/worksheets/sheet1.xml");
    let start = xml.find("<cfRule").expect("a rule");
    let end = xml.find("</conditionalFormatting>").expect("its end");
    let read = after.view.sheet("Sheet1").unwrap().conditional_formats();
    assert_eq!(read.len(), 1);
    (xml[start..end].to_owned(), read[0].clone())
}

const RED: &str = r##""style":{"font":{"color":{"rgb":"FF0000"}}}"##;

#[test]
fn every_kind_of_rule_is_written_as_excel_writes_it_and_read_back() {
    let cases = [
        (
            r#"{"kind":"top","top":{"rank":10},RED}"#,
            r#"<cfRule type="top10" dxfId="0" priority="1" rank="10"></cfRule>"#,
        ),
        (
            r#"{"kind":"top","top":{"rank":5,"percent":true,"bottom":true},RED}"#,
            r#"<cfRule type="top10" dxfId="0" priority="1" percent="1" bottom="1" rank="5"></cfRule>"#,
        ),
        (
            r#"{"kind":"average","average":{},RED}"#,
            r#"<cfRule type="aboveAverage" dxfId="0" priority="1"></cfRule>"#,
        ),
        (
            r#"{"kind":"average","average":{"below":true,"or_equal":true},RED}"#,
            r#"<cfRule type="aboveAverage" dxfId="0" priority="1" aboveAverage="0" equalAverage="1"></cfRule>"#,
        ),
        (
            r#"{"kind":"cells","that":"repeat",RED}"#,
            r#"<cfRule type="duplicateValues" dxfId="0" priority="1"></cfRule>"#,
        ),
        (
            r#"{"kind":"cells","that":"are_blank",RED}"#,
            r#"<cfRule type="containsBlanks" dxfId="0" priority="1"><formula>LEN(TRIM(B2))=0</formula></cfRule>"#,
        ),
        (
            r#"{"kind":"text","matches":"contains","text":"a\"@<",RED}"#,
            r#"<cfRule type="containsText" dxfId="0" priority="1" operator="containsText" text="a&quot;@&lt;"><formula>NOT(ISERROR(SEARCH("a""@&lt;",B2)))</formula></cfRule>"#,
        ),
        (
            r#"{"kind":"text","matches":"begins_with","text":"abc",RED}"#,
            r#"<cfRule type="beginsWith" dxfId="0" priority="1" operator="beginsWith" text="abc"><formula>LEFT(B2,3)="abc"</formula></cfRule>"#,
        ),
        (
            r#"{"kind":"date","period":"yesterday",RED}"#,
            r#"<cfRule type="timePeriod" dxfId="0" priority="1" timePeriod="yesterday"><formula>FLOOR(B2,1)=TODAY()-1</formula></cfRule>"#,
        ),
        (
            r#"{"kind":"icon_set","icons":"3Arrows"}"#,
            r#"<cfRule type="iconSet" priority="1"><iconSet iconSet="3Arrows"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/></iconSet></cfRule>"#,
        ),
        (
            r##"{"kind":"color_scale","colors":[{"rgb":"FF0000"},{"rgb":"00FF00"}],"points":[{"kind":"num","value":"0"},{"kind":"formula","value":"=$A$1*2"}]}"##,
            r#"<cfRule type="colorScale" priority="1"><colorScale><cfvo type="num" val="0"/><cfvo type="formula" val="$A$1*2"/><color rgb="FFFF0000"/><color rgb="FF00FF00"/></colorScale></cfRule>"#,
        ),
        (
            r##"{"kind":"data_bar","color":{"rgb":"638EC6"},"hide_values":true}"##,
            r#"<cfRule type="dataBar" priority="1"><dataBar showValue="0"><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule>"#,
        ),
    ];
    for (rule, expected) in cases {
        assert_eq!(written(&rule.replace("RED", RED)).0, expected, "{rule}");
    }
    let read = |rule: &str| written(&rule.replace("RED", RED)).1;
    let top = read(r#"{"kind":"top","top":{"rank":5,"percent":true,"bottom":true},RED}"#).top.unwrap();
    assert_eq!((top.rank, top.percent, top.bottom), (5, true, true));
    let text = read(r#"{"kind":"text","matches":"ends_with","text":"é\"",RED}"#);
    assert_eq!((text.text.as_deref(), text.formulas[0].as_str()), (Some("é\""), r#"RIGHT(B2,2)="é""""#));
    let icons = read(r#"{"kind":"icon_set","icons":"5Rating","reverse":true}"#);
    assert_eq!((icons.icons.as_deref(), icons.points.len()), (Some("5Rating"), 5));
    assert_eq!(icons.points[4].value.as_deref(), Some("80"));
    for period in
        ["today", "tomorrow", "last7Days", "lastWeek", "thisWeek", "nextWeek", "lastMonth", "nextMonth"]
    {
        let rule = read(&format!(r#"{{"kind":"date","period":"{period}",RED}}"#));
        assert_eq!(rule.period.as_deref(), Some(period));
        assert!(formula::parse(&rule.formulas[0]).is_ok(), "{}", rule.formulas[0]);
    }
}

#[test]
fn rules_move_with_their_cells_and_come_off() {
    let after = edited(
        &ground(),
        &[
            add(&format!(r#"{{"kind":"text","matches":"contains","text":"x",{RED}}}"#)),
            add(r#"{"kind":"icon_set","icons":"4Rating"}"#),
            Edit::InsertRows { sheet: "Sheet1".into(), at: 0, count: 3 },
        ],
    );
    let rules = after.view.sheet("Sheet1").unwrap().conditional_formats();
    let moved: Area = "B5:B12".parse().unwrap();
    assert!(rules.iter().all(|rule| rule.areas == [moved]));
    assert_eq!(rules.iter().map(|rule| rule.priority).max(), Some(2));
    assert!(rules.iter().any(|rule| rule.formulas == [r#"NOT(ISERROR(SEARCH("x",B5)))"#]));
    let off = Edit::RemoveConditionalFormats { sheet: "Sheet1".into(), areas: vec![moved], rules: vec![] };
    let off = edited(&after.content, &[off]);
    assert_eq!(off.view.sheet("Sheet1").unwrap().conditional_formats(), []);
}

#[test]
fn what_excel_would_not_take_is_refused() {
    for (rule, word) in [
        (r#"{"kind":"top","top":{"rank":0},RED}"#, "1 to 1000"),
        (r#"{"kind":"top","top":{"rank":101,"percent":true},RED}"#, "1 to 100"),
        (r#"{"kind":"average","average":{"deviations":4},RED}"#, "1 to 3"),
        (r#"{"kind":"text","matches":"contains","text":"",RED}"#, "1 to 255"),
        (r#"{"kind":"date","period":"sometime",RED}"#, "last7Days"),
        (r#"{"kind":"icon_set","icons":"3Cats"}"#, "3Arrows"),
        (r#"{"kind":"icon_set","icons":"3Flags","points":[{"kind":"num","value":"1"}]}"#, "3, one for each"),
        (
            r##"{"kind":"data_bar","color":{"rgb":"638EC6"},"points":[{"kind":"percent","value":"-1"},{"kind":"max"}]}"##,
            "0 to 100",
        ),
        (
            r##"{"kind":"data_bar","color":{"rgb":"638EC6"},"points":[{"kind":"num"},{"kind":"max"}]}"##,
            "a value",
        ),
        (r#"{"kind":"expression","formula":"=1+",RED}"#, "expected a value"),
    ] {
        let refusal = refused(&ground(), &[add(&rule.replace("RED", RED))]);
        assert!(refusal.to_string().contains(word), "{rule}: {refusal}");
    }
}

/// The corpus has rules in the extension too, which Excel shows like any other.
#[test]
fn rules_of_real_workbooks_are_read() {
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for sample in crate::corpus::workbooks() {
        let Ok((_, _, view)) = crate::corpus::open(&sample) else { continue };
        for sheet in view.worksheets().flatten() {
            for rule in sheet.conditional_formats() {
                assert!(!rule.kind.is_empty(), "{}", sample.path.display());
                if rule.kind == "iconSet" {
                    assert!(rule.points.len() >= 3, "{}: {rule:?}", sample.path.display());
                }
                *kinds.entry(rule.kind).or_default() += 1;
            }
        }
    }
    println!("{kinds:?}");
}

/// Rules and choices that look at other sheets stand in the extension, where Excel finds them and so do we.
#[test]
fn rules_of_the_extension_are_read_cut_and_taken_off() {
    let extension = concat!(
        r#"<sheetData/><extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings>"#,
        r#"<x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="expression" priority="3" id="{A}"><xm:f>Other!A1&gt;1</xm:f></x14:cfRule><xm:sqref>B2:B9</xm:sqref></x14:conditionalFormatting>"#,
        r#"</x14:conditionalFormattings></ext><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"><x14:dataValidations xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main" count="1">"#,
        r#"<x14:dataValidation type="list" allowBlank="1"><x14:formula1><xm:f>Other!$A$1:$A$3</xm:f></x14:formula1><xm:sqref>C1:C9</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>"#
    );
    let before =
        book_with(&[("Sheet1", extension), ("Other", "<sheetData/>")], "", &[("xl/styles.xml", STYLES)]);
    let view = <sheet::Sheet as edit::Format>::view(&before).unwrap();
    let sheet = view.sheet("Sheet1").unwrap();
    let (rule, choice) = (&sheet.conditional_formats()[0], &sheet.validations()[0]);
    assert_eq!((rule.priority, rule.formulas[0].as_str()), (3, "Other!A1>1"));
    assert_eq!((choice.kind.as_str(), choice.formula1.as_deref()), ("list", Some("Other!$A$1:$A$3")));

    let area = |text: &str| vec![text.parse::<Area>().unwrap()];
    let formats = |areas| Edit::RemoveConditionalFormats { sheet: "Sheet1".into(), areas, rules: vec![] };
    let choices = |areas| Edit::RemoveValidations { sheet: "Sheet1".into(), areas };
    let xml = |edits: &[Edit]| text_of(&edited(&before, edits).content, "xl/worksheets/sheet1.xml");
    assert!(xml(&[formats(area("B5:B9"))]).contains("<xm:sqref>B2:B4</xm:sqref>"));
    let one = xml(&[formats(area("B:B"))]);
    assert!(!one.contains("conditionalFormatting") && one.contains("<xm:sqref>C1:C9</xm:sqref>"), "{one}");
    let none = xml(&[formats(area("B:B")), choices(area("C1:D20"))]);
    assert!(!none.contains("extLst"), "{none}");
}

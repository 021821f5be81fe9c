//! Tables, links, notes, threads, pictures, charts, pages and protection: made, read back, changed, taken away.

use edit::Refusal;
use sheet::{
    ChartChange, ChartKind, ColumnTotal, DrawingKind, Edit, FilterColumn, Input, Legend, LinkTo, NewChart,
    NewImage, NewSeries, PageChange, SeriesChange, SheetChange, TabColor, TableChange, Total, Value,
};

use crate::book::{book, book_with, edited, formula, refused, set, text_of};

const DATA: &str = concat!(
    r#"<dimension ref="A1:C4"/><sheetData><row r="1"><c r="A1" t="str"><v>Region</v></c><c r="B1" t="str"><v>Units</v></c><c r="C1" t="str"><v>Price</v></c></row>"#,
    r#"<row r="2"><c r="A2" t="str"><v>North</v></c><c r="B2"><v>3</v></c><c r="C2"><v>1.5</v></c></row>"#,
    r#"<row r="3"><c r="A3" t="str"><v>South</v></c><c r="B3"><v>4</v></c><c r="C3"><v>2.5</v></c></row>"#,
    r#"<row r="4"><c r="A4" t="str"><v>East</v></c><c r="B4"><v>5</v></c><c r="C4"><v>3.5</v></c></row></sheetData>"#,
    r#"<pageMargins left="1" right="1" top="1" bottom="1" header="0" footer="0"/>"#
);

/// The smallest picture: one white pixel.
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

fn data() -> edit::Content {
    book(&[("Sheet1", DATA), ("My Sheet", "<sheetData/>")])
}

fn sheet() -> String {
    "Sheet1".to_owned()
}

fn at(text: &str) -> sheet::CellRef {
    text.parse().expect("a cell")
}

fn area(text: &str) -> sheet::Area {
    text.parse().expect("an area")
}

/// Nothing of a workbook is wrong, and taking away what was added leaves what was there before.
#[track_caller]
fn sound(checked: &testkit::Checked<sheet::Sheet>) {
    assert_eq!(sheet::check(&checked.view), [], "{}", checked.summary);
}

#[track_caller]
fn comes_and_goes(before: &edit::Content, come: &[Edit], go: &[Edit]) {
    let there = edited(before, come);
    sound(&there);
    let gone = edited(&there.content, go);
    sound(&gone);
    for name in before.names() {
        assert_eq!(text_of(&gone.content, name.as_str()), text_of(before, name.as_str()), "{name}");
    }
    for name in gone.content.names().filter(|name| !before.contains(name)) {
        assert!(
            name.as_str().ends_with(".rels") || name.as_str().contains("persons"),
            "{name} was left behind"
        );
    }
}

#[test]
fn a_table_is_made_of_cells_and_turned_back() {
    let add = |name: Option<&str>, cells: &str| Edit::AddTable {
        sheet: sheet(),
        area: area(cells),
        name: name.map(str::to_owned),
        style: None,
    };
    let made = edited(
        &data(),
        &[add(Some("Sales"), "A1:C4"), set(&[("E1", Input::Formula("SUM(Sales[Units])".into()))])],
    );
    sound(&made);
    let table = &made.view.sheet("Sheet1").unwrap().tables().unwrap()[0];
    assert_eq!((table.name.as_str(), table.area, table.columns.len()), ("Sales", area("A1:C4"), 3));
    assert_eq!(made.view.sheet("Sheet1").unwrap().value(at("E1")).unwrap(), Value::Number(12.0));
    comes_and_goes(&data(), &[add(None, "A1:C4")], &[Edit::DeleteTable { table: "table1".into() }]);

    // Blank and doubled headers get names.
    let wide = edited(
        &data(),
        &[
            set(&[("E1", Input::Text("Units".into())), ("F1", Input::Text("units".into()))]),
            add(None, "D1:G3"),
        ],
    );
    sound(&wide);
    let table = &wide.view.sheet("Sheet1").unwrap().tables().unwrap()[0];
    assert_eq!(table.columns, ["Column1", "Units", "units2", "Column2"]);
    assert_eq!(wide.view.sheet("Sheet1").unwrap().value(at("G1")).unwrap(), Value::text("Column2"));

    refused(&data(), &[add(Some("Sales"), "A1:C1")]);
    refused(&data(), &[add(Some("A1"), "A1:C4")]);
    refused(&data(), &[add(Some("one"), "A1:C4"), add(Some("two"), "C2:D9")]);
    refused(&data(), &[add(Some("one"), "A1:C4"), add(Some("ONE"), "E1:F3")]);
    refused(&data(), &[Edit::Merge { sheet: sheet(), area: area("D1:D2") }, add(None, "A1:D4")]);
    let Refusal::NotFound { nearest, .. } =
        refused(&made.content, &[Edit::DeleteTable { table: "Sale".into() }])
    else {
        panic!("another refusal")
    };
    assert_eq!(nearest, ["Sales"]);
    refused(&made.content, &[Edit::DeleteTable { table: "Sales".into() }]);
}

#[test]
fn a_table_is_renamed_resized_and_totalled() {
    let made = edited(
        &data(),
        &[
            Edit::AddTable { sheet: sheet(), area: area("A1:C4"), name: Some("Sales".into()), style: None },
            set(&[("E1", Input::Formula("SUM(Sales[Units])".into()))]),
            Edit::DefineName { name: "all_units".into(), scope: None, formula: "Sales[Units]".into() },
        ],
    );
    let change = |change: TableChange| Edit::SetTable { table: "Sales".into(), change };
    let renamed = edited(
        &made.content,
        &[change(TableChange { name: Some("Orders".into()), ..TableChange::default() })],
    );
    sound(&renamed);
    assert_eq!(formula(&renamed.view, "E1"), "SUM(Orders[Units])");
    assert_eq!(renamed.view.workbook().names[0].formula, "Orders[Units]");
    assert_eq!(renamed.view.sheet("Sheet1").unwrap().value(at("E1")).unwrap(), Value::Number(12.0));

    let totals = TableChange {
        column_totals: vec![
            ColumnTotal { column: "units".into(), total: Total::Sum },
            ColumnTotal { column: "Price".into(), total: Total::Average },
        ],
        ..TableChange::default()
    };
    let totalled = edited(&made.content, &[change(totals)]);
    sound(&totalled);
    let sheet1 = totalled.view.sheet("Sheet1").unwrap();
    assert_eq!(sheet1.value(at("A5")).unwrap(), Value::text("Total"));
    assert_eq!(sheet1.value(at("B5")).unwrap(), Value::Number(12.0));
    assert_eq!(sheet1.value(at("C5")).unwrap(), Value::Number(2.5));
    assert_eq!(formula(&totalled.view, "B5"), "SUBTOTAL(109,Sales[Units])");
    let table = &sheet1.tables().unwrap()[0];
    assert_eq!((table.area, table.totals_rows), (area("A1:C5"), 1));
    assert!(text_of(&totalled.content, "xl/tables/table1.xml").contains(r#"<autoFilter ref="A1:C4"/>"#));
    let off =
        edited(&totalled.content, &[change(TableChange { totals: Some(false), ..TableChange::default() })]);
    sound(&off);
    assert_eq!(off.view.sheet("Sheet1").unwrap().value(at("B5")).unwrap(), Value::Blank);
    assert_eq!(off.view.sheet("Sheet1").unwrap().tables().unwrap()[0].area, area("A1:C4"));

    let grown =
        edited(&made.content, &[change(TableChange { area: Some(area("A1:D6")), ..TableChange::default() })]);
    sound(&grown);
    let table = &grown.view.sheet("Sheet1").unwrap().tables().unwrap()[0];
    assert_eq!(table.columns, ["Region", "Units", "Price", "Column1"]);
    let narrow = |cells: &str| change(TableChange { area: Some(area(cells)), ..TableChange::default() });
    sound(&edited(&made.content, &[narrow("A1:B3")]));
    refused(&made.content, &[narrow("A1:A3")]);
    refused(&made.content, &[narrow("A2:C4")]);
    refused(
        &made.content,
        &[
            set(&[("A5", Input::Number(1.0))]),
            change(TableChange { totals: Some(true), ..TableChange::default() }),
        ],
    );

    let looks = TableChange {
        style: Some("TableStyleLight1".into()),
        column_stripes: Some(true),
        filter: Some(false),
        ..TableChange::default()
    };
    let looked = edited(&made.content, &[change(looks)]);
    sound(&looked);
    let xml = text_of(&looked.content, "xl/tables/table1.xml");
    assert!(xml.contains(r#"<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="1"/>"#), "{xml}");
    assert!(!xml.contains("autoFilter"));
}

#[test]
fn links_lead_out_and_inside() {
    let link = |cells: &str, to: LinkTo| Edit::SetLink {
        sheet: sheet(),
        area: area(cells),
        to,
        tooltip: Some("tip".into()),
    };
    let out = |address: &str| LinkTo::Address(address.into());
    let made = edited(
        &data(),
        &[
            link("A1", out("https://example.com/a?b=1&c=2#part")),
            link("A2", LinkTo::Place("My Sheet!B2".into())),
            link("A3", out("mailto:a@example.com")),
        ],
    );
    sound(&made);
    let links = made.view.sheet("Sheet1").unwrap().hyperlinks().unwrap();
    assert_eq!(links[0].target.as_deref(), Some("https://example.com/a?b=1&c=2"));
    assert_eq!(links[0].location.as_deref(), Some("part"));
    assert_eq!(links[1].location.as_deref(), Some("'My Sheet'!B2"));
    assert_eq!(links[2].target.as_deref(), Some("mailto:a@example.com"));
    let moved = edited(&made.content, &[Edit::RenameSheet { sheet: "My Sheet".into(), to: "Other".into() }]);
    assert_eq!(
        moved.view.sheet("Sheet1").unwrap().hyperlinks().unwrap()[1].location.as_deref(),
        Some("Other!B2")
    );
    comes_and_goes(
        &data(),
        &[link("A1:B2", out("https://example.com")), link("C3", LinkTo::Place("A1".into()))],
        &[Edit::RemoveLinks { sheet: sheet(), areas: vec![area("A1:Z9")] }],
    );
    let again = edited(&made.content, &[link("A1", out("https://example.org"))]);
    assert_eq!(again.view.sheet("Sheet1").unwrap().hyperlinks().unwrap().len(), 3);
    refused(&made.content, &[link("A1", out("javascript:alert(1)"))]);
    refused(&made.content, &[link("A1", out(&format!("https://example.com/{}", "x".repeat(2_080))))]);
    refused(&made.content, &[link("A1", LinkTo::Place("Nowhere!A1".into()))]);
    refused(&made.content, &[link("A1", LinkTo::Place("no_such_name".into()))]);
    refused(
        &edited(&data(), &[link("A1:B2", out("https://example.com"))]).content,
        &[link("B2", out("https://example.org"))],
    );
}

#[test]
fn notes_have_a_text_and_a_box() {
    let note = |cell: &str, text: &str| Edit::SetNote {
        sheet: sheet(),
        at: at(cell),
        text: text.into(),
        author: None,
    };
    let made = edited(
        &data(),
        &[note("B2", "first\nsecond line "), note("A1", "before it"), note("B2", "now & then")],
    );
    sound(&made);
    let notes = made.view.sheet("Sheet1").unwrap().notes().unwrap();
    assert_eq!(
        notes.iter().map(|note| (note.at, note.text.as_str())).collect::<Vec<_>>(),
        [(at("A1"), "before it"), (at("B2"), "now & then")]
    );
    assert_eq!(notes[0].author.as_deref(), Some("Tester"));
    let vml = text_of(&made.content, "xl/drawings/vmlDrawing1.vml");
    assert_eq!(vml.matches("<v:shape ").count(), 2);
    assert_eq!(vml.matches("<v:shapetype ").count(), 1);
    // Rows that are inserted take their notes along.
    let moved = edited(&made.content, &[Edit::InsertRows { sheet: sheet(), at: 1, count: 2 }]);
    assert_eq!(moved.view.sheet("Sheet1").unwrap().notes().unwrap()[1].at, at("B4"));
    comes_and_goes(
        &data(),
        &[note("B2", "x"), note("C9", "y")],
        &[Edit::RemoveNotes { sheet: sheet(), areas: vec![area("A1:C9")] }],
    );
    let one = edited(&made.content, &[Edit::RemoveNotes { sheet: sheet(), areas: vec![area("A1")] }]);
    sound(&one);
    assert_eq!(one.view.sheet("Sheet1").unwrap().notes().unwrap().len(), 1);
    assert_eq!(text_of(&one.content, "xl/drawings/vmlDrawing1.vml").matches("<v:shape ").count(), 1);
    refused(&data(), &[note("A1", "  ")]);
    refused(&data(), &[note("A1", &"x".repeat(32_768))]);
}

/// Python's XML writer declares a prefix only where it is used, so the root of the drawing knows none.
#[test]
fn a_box_of_a_note_brings_its_own_prefixes() {
    let note = |cell: &str| Edit::SetNote { sheet: sheet(), at: at(cell), text: "n".into(), author: None };
    let made = edited(&data(), &[note("B2")]);
    let part = edit::PartName::new("xl/drawings/vmlDrawing1.vml");
    let mut foreign = made.content.clone();
    let bare = r#"<xml><ns0:shapelayout xmlns:ns0="urn:schemas-microsoft-com:office:office" xmlns:ns1="urn:schemas-microsoft-com:vml" ns1:ext="edit"/></xml>"#;
    foreign.insert(part, edit::Blob::from(bare.to_owned()));
    let more = edited(&foreign, &[note("B3"), note("B4")]);
    sound(&more);
    let vml = text_of(&more.content, "xl/drawings/vmlDrawing1.vml");
    assert_eq!(vml.matches("<v:shape ").count(), 2, "{vml}");
    let gone = edited(&more.content, &[Edit::RemoveNotes { sheet: sheet(), areas: vec![area("B3")] }]);
    assert_eq!(gone.view.sheet("Sheet1").unwrap().notes().unwrap().len(), 2);
}

#[test]
fn threads_are_started_answered_resolved_and_deleted() {
    let say = |cell: &str, text: &str| Edit::AddComment {
        sheet: sheet(),
        at: at(cell),
        text: text.into(),
        author: None,
    };
    let made = edited(&data(), &[say("B2", "why 3?"), say("B2", "because"), say("C3", "other")]);
    sound(&made);
    let threads = made.view.sheet("Sheet1").unwrap().threads().unwrap();
    assert_eq!(threads.len(), 2);
    assert_eq!(
        threads[0].comments.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(),
        ["why 3?", "because"]
    );
    assert_eq!(threads[0].comments[0].author.as_deref(), Some("Tester"));
    assert_eq!(threads[0].comments[0].time.as_deref(), Some("2023-11-14T22:13:20.00"));
    assert!(made.view.sheet("Sheet1").unwrap().notes().unwrap().is_empty(), "stand-ins are no notes");
    assert!(text_of(&made.content, "xl/comments1.xml").contains("Comment:\n    why 3?\nReply:\n    because"));
    let done = edited(&made.content, &[Edit::ResolveThread { sheet: sheet(), at: at("B2"), resolved: true }]);
    assert!(done.view.sheet("Sheet1").unwrap().threads().unwrap()[0].resolved);
    let open =
        edited(&done.content, &[Edit::ResolveThread { sheet: sheet(), at: at("B2"), resolved: false }]);
    assert_eq!(
        text_of(&open.content, "xl/threadedComments/threadedComment1.xml"),
        text_of(&made.content, "xl/threadedComments/threadedComment1.xml")
    );
    let note = Edit::SetNote { sheet: sheet(), at: at("B2"), text: "x".into(), author: None };
    refused(&made.content, std::slice::from_ref(&note));
    refused(&data(), &[note, say("B2", "y")]);
    refused(&data(), &[Edit::DeleteThread { sheet: sheet(), at: at("A1") }]);
    let gone = edited(&made.content, &[Edit::DeleteThread { sheet: sheet(), at: at("B2") }]);
    sound(&gone);
    assert_eq!(gone.view.sheet("Sheet1").unwrap().threads().unwrap().len(), 1);
    let delete = |cell: &str| Edit::DeleteThread { sheet: sheet(), at: at(cell) };
    let none = edited(&gone.content, &[delete("C3")]);
    sound(&none);
    assert!(!none.content.contains("xl/comments1.xml"));
    assert!(!none.content.contains("xl/drawings/vmlDrawing1.vml"));
}

#[test]
fn a_drawing_that_a_broken_file_names_twice_moves_once() {
    let image = NewImage { data: GIF.into(), ..NewImage::default() };
    let mut content = edited(&data(), &[Edit::AddImage { sheet: sheet(), at: at("E9"), image }]).content;
    let name = "xl/worksheets/_rels/sheet1.xml.rels";
    let text = text_of(&content, name);
    let one = &text[text.find("<Relationship ").unwrap()..text.find("</Relationships>").unwrap()];
    let twice = text.replace(one, &one.repeat(2));
    content.insert(edit::PartName::new(name), edit::Blob::from(twice));
    let moved = edited(&content, &[Edit::DeleteRows { sheet: sheet(), at: 1, count: 1 }]);
    assert_eq!(moved.view.sheet("Sheet1").unwrap().drawings().unwrap()[0].area, Some(area("E8")));
}

#[test]
fn pictures_are_put_moved_and_taken_away() {
    let image = NewImage {
        data: GIF.into(),
        width: Some(40.0),
        height: None,
        name: Some("Logo".into()),
        description: Some("a <dot>".into()),
        ..NewImage::default()
    };
    let add = |cell: &str| Edit::AddImage { sheet: sheet(), at: at(cell), image: image.clone() };
    let made = edited(&data(), &[add("E2")]);
    sound(&made);
    let drawing = &made.view.sheet("Sheet1").unwrap().drawings().unwrap()[0];
    assert_eq!(
        (drawing.kind, drawing.name.as_deref(), drawing.area),
        (DrawingKind::Picture, Some("Logo"), Some(area("E2")))
    );
    assert!(text_of(&made.content, "xl/drawings/drawing1.xml").contains(r#"cx="381000" cy="381000""#));
    let twice = edited(&made.content, &[add("E9")]);
    sound(&twice);
    assert_eq!(
        twice.content.names().filter(|name| name.as_str().contains("media")).count(),
        1,
        "one picture, used twice"
    );
    let delete = |name: &str| Edit::DeleteDrawing { sheet: sheet(), drawing: name.into() };
    assert!(matches!(refused(&twice.content, &[delete("Logo")]), Refusal::Ambiguous { .. }));
    let one = edited(&twice.content, &[delete("#1")]);
    sound(&one);
    assert!(one.content.contains("xl/media/image1.gif"));
    let moved = edited(
        &made.content,
        &[Edit::MoveDrawing {
            sheet: sheet(),
            drawing: "Logo".into(),
            at: at("B7"),
            to: None,
            offsets: None,
        }],
    );
    assert_eq!(moved.view.sheet("Sheet1").unwrap().drawings().unwrap()[0].area, Some(area("B7")));
    let stretch = |to: &str| Edit::MoveDrawing {
        sheet: sheet(),
        drawing: "Logo".into(),
        at: at("B7"),
        to: Some(at(to)),
        offsets: None,
    };
    let stretched = edited(&made.content, &[stretch("C9")]);
    sound(&stretched);
    assert_eq!(stretched.view.sheet("Sheet1").unwrap().drawings().unwrap()[0].area, Some(area("B7:C9")));
    refused(&made.content, &[stretch("A9")]);
    let there = edited(&data(), &[add("E2")]);
    let gone = edited(&there.content, &[delete("Logo")]);
    sound(&gone);
    assert!(
        gone.content
            .names()
            .all(|name| !name.as_str().contains("drawing") && !name.as_str().contains("media"))
    );
    refused(&data(), &[delete("Logo")]);
    refused(
        &data(),
        &[Edit::AddImage { sheet: sheet(), at: at("A1"), image: NewImage { data: "AAAA".into(), ..image } }],
    );
}

fn chart(kind: ChartKind) -> NewChart {
    NewChart {
        kind,
        series: vec![
            NewSeries {
                values: "B2:B4".into(),
                categories: Some("A2:A4".into()),
                name: Some("=B1".into()),
                ..NewSeries::default()
            },
            NewSeries {
                values: "Sheet1!$C$2:$C$4".into(),
                categories: Some("A2:A4".into()),
                name: Some("Price & tax".into()),
                ..NewSeries::default()
            },
        ],
        title: Some("Sales <2024>".into()),
        y_title: Some("pieces".into()),
        stacked: false,
        legend: Legend::Bottom,
        name: Some("Overview".into()),
        ..NewChart::default()
    }
}

#[test]
fn charts_of_every_kind_are_made_with_their_values() {
    for kind in [
        ChartKind::Column,
        ChartKind::Bar,
        ChartKind::Line,
        ChartKind::Area,
        ChartKind::Pie,
        ChartKind::Doughnut,
        ChartKind::Scatter,
    ] {
        let add = Edit::AddChart { sheet: sheet(), area: area("E2:L16"), chart: chart(kind) };
        let made = edited(&data(), &[add]);
        sound(&made);
        let found = &made.view.sheet("Sheet1").unwrap().charts().unwrap()[0];
        assert_eq!((found.title.as_deref(), found.name.as_deref()), (Some("Sales <2024>"), Some("Overview")));
        assert_eq!(found.series[0].values.as_deref(), Some("Sheet1!$B$2:$B$4"));
        assert_eq!(found.series[1].name.as_deref(), Some("Price & tax"));
        let xml = text_of(&made.content, "xl/charts/chart1.xml");
        assert!(xml.contains(r#"<c:ptCount val="3"/><c:pt idx="0"><c:v>3</c:v></c:pt>"#), "{xml}");
        assert!(xml.contains(r#"<c:pt idx="1"><c:v>South</c:v></c:pt>"#), "{xml}");
        let gone =
            edited(&made.content, &[Edit::DeleteDrawing { sheet: sheet(), drawing: "Overview".into() }]);
        sound(&gone);
        assert!(
            gone.content
                .names()
                .all(|name| !name.as_str().contains("chart") && !name.as_str().contains("drawing"))
        );
    }
}

#[test]
fn charts_change_and_follow_their_cells() {
    let add = Edit::AddChart { sheet: sheet(), area: area("E2:L16"), chart: chart(ChartKind::Column) };
    let made = edited(&data(), &[add]);
    let change = |change: ChartChange| Edit::SetChart { sheet: sheet(), drawing: "Overview".into(), change };
    let changed = edited(
        &made.content,
        &[change(ChartChange {
            title: Some("New".into()),
            series: vec![SeriesChange {
                index: 0,
                values: Some("C2:C3".into()),
                categories: None,
                name: Some("Half".into()),
            }],
            remove_series: vec![1],
            add_series: vec![NewSeries { values: "B2:B4".into(), ..NewSeries::default() }],
            ..ChartChange::default()
        })],
    );
    sound(&changed);
    let found = &changed.view.sheet("Sheet1").unwrap().charts().unwrap()[0];
    assert_eq!(found.title.as_deref(), Some("New"));
    let values: Vec<_> =
        found.series.iter().map(|series| series.values.as_deref().unwrap_or_default()).collect();
    assert_eq!(values, ["Sheet1!$C$2:$C$3", "Sheet1!$B$2:$B$4"]);
    assert_eq!(found.series[0].name.as_deref(), Some("Half"));
    let untitled = edited(
        &changed.content,
        &[change(ChartChange { title: Some(String::new()), ..ChartChange::default() })],
    );
    assert_eq!(untitled.view.sheet("Sheet1").unwrap().charts().unwrap()[0].title, None);
    let titled = edited(
        &untitled.content,
        &[change(ChartChange { title: Some("Back".into()), ..ChartChange::default() })],
    );
    assert_eq!(titled.view.sheet("Sheet1").unwrap().charts().unwrap()[0].title.as_deref(), Some("Back"));
    let followed = edited(&made.content, &[Edit::InsertRows { sheet: sheet(), at: 2, count: 1 }]);
    assert_eq!(
        followed.view.sheet("Sheet1").unwrap().charts().unwrap()[0].series[0].values.as_deref(),
        Some("Sheet1!$B$2:$B$5")
    );
    refused(&made.content, &[change(ChartChange { remove_series: vec![0, 1], ..ChartChange::default() })]);
    refused(&made.content, &[change(ChartChange { remove_series: vec![2], ..ChartChange::default() })]);
    let bad = |values: &str| Edit::AddChart {
        sheet: sheet(),
        area: area("E2:L16"),
        chart: NewChart {
            series: vec![NewSeries { values: values.into(), ..NewSeries::default() }],
            ..chart(ChartKind::Line)
        },
    };
    for values in ["A1:B4", "Nowhere!A1:A3", "A1:A40000", "x"] {
        refused(&data(), &[bad(values)]);
    }
}

#[test]
fn sheets_say_how_they_are_shown_and_printed() {
    let shown = edited(
        &data(),
        &[
            Edit::SetSheet {
                sheet: sheet(),
                properties: SheetChange {
                    tab_color: Some(TabColor::Color(sheet::Color::Rgb("00FF00".into()))),
                    zoom: Some(150),
                    gridlines: Some(false),
                    column_width: Some(12.5),
                    ..SheetChange::default()
                },
            },
            Edit::SetPage {
                sheet: sheet(),
                page: PageChange {
                    landscape: Some(true),
                    paper: Some(9),
                    fit: Some((1, 0)),
                    header: Some("&CPage &P".into()),
                    footer: Some("&Lx & y".into()),
                    areas: Some(vec![area("A1:C4")]),
                    titles: Some(vec![area("1:1"), area("A:A")]),
                    center_horizontally: Some(true),
                    ..PageChange::default()
                },
            },
        ],
    );
    sound(&shown);
    let found = shown.view.sheet("Sheet1").unwrap();
    assert_eq!((found.zoom(), found.gridlines(), found.default_column_width()), (150, false, Some(12.5)));
    assert_eq!(found.tab_color(), Some(sheet::Color::Rgb("FF00FF00".into())));
    let page = found.page();
    assert_eq!((page.landscape, page.paper, page.fit), (true, Some(9), Some((1, 0))));
    assert_eq!((page.header.as_deref(), page.footer.as_deref()), (Some("&CPage &P"), Some("&Lx & y")));
    assert_eq!((page.areas, page.titles), (vec![area("A1:C4")], vec![area("A:A"), area("1:1")]));
    let xml = text_of(&shown.content, "xl/worksheets/sheet1.xml");
    assert!(
        xml.contains(r#"<sheetPr><tabColor rgb="FF00FF00"/><pageSetUpPr fitToPage="1"/></sheetPr>"#),
        "{xml}"
    );
    let off = PageChange {
        areas: Some(vec![]),
        titles: Some(vec![]),
        header: Some(String::new()),
        ..PageChange::default()
    };
    let off = edited(&shown.content, &[Edit::SetPage { sheet: sheet(), page: off }]);
    sound(&off);
    assert!(off.view.workbook().names.is_empty());
    assert_eq!(off.view.sheet("Sheet1").unwrap().page().header, None);
    for bad in [
        PageChange { scale: Some(500), ..PageChange::default() },
        PageChange { titles: Some(vec![area("A1:B2")]), ..PageChange::default() },
        PageChange { header: Some("x".repeat(256)), ..PageChange::default() },
        PageChange { scale: Some(50), fit: Some((1, 1)), ..PageChange::default() },
    ] {
        refused(&data(), &[Edit::SetPage { sheet: sheet(), page: bad }]);
    }
    refused(
        &data(),
        &[Edit::SetSheet {
            sheet: sheet(),
            properties: SheetChange { zoom: Some(5), ..SheetChange::default() },
        }],
    );
}

#[test]
fn a_filter_hides_the_rows_it_keeps_back() {
    let filter = |cells: Option<&str>, values: &[&str]| Edit::SetFilter {
        sheet: sheet(),
        area: cells.map(area),
        columns: match values {
            [] => vec![],
            values => vec![FilterColumn {
                column: 0,
                values: values.iter().map(|v| (*v).to_owned()).collect(),
                blanks: false,
            }],
        },
    };
    let hidden = |checked: &testkit::Checked<sheet::Sheet>| {
        let found = checked.view.sheet("Sheet1").unwrap();
        (1..4).filter(|row| found.row_properties(*row).unwrap().hidden).collect::<Vec<u32>>()
    };
    let made = edited(&data(), &[filter(Some("A1:C4"), &["north", "East"])]);
    sound(&made);
    assert_eq!(hidden(&made), [2]);
    assert_eq!(made.view.sheet("Sheet1").unwrap().auto_filter(), Some(area("A1:C4")));
    assert_eq!(made.view.workbook().names[0].formula, "Sheet1!$A$1:$C$4");
    assert!(made.view.workbook().names[0].hidden);
    let other = edited(&made.content, &[filter(Some("A1:C4"), &["South"])]);
    assert_eq!(hidden(&other), [1, 3]);
    comes_and_goes(&data(), &[filter(Some("A1:C4"), &[])], &[filter(None, &[])]);
    let off = edited(&other.content, &[filter(None, &[])]);
    sound(&off);
    assert_eq!(hidden(&off), [0; 0]);
    refused(&data(), &[filter(None, &[])]);
    refused(
        &data(),
        &[Edit::SetFilter {
            sheet: sheet(),
            area: Some(area("A1:C4")),
            columns: vec![FilterColumn { column: 3, ..FilterColumn::default() }],
        }],
    );
}

#[test]
fn what_is_protected_stays() {
    let protect = |protected| Edit::Protect { sheet: sheet(), protected };
    let locked = edited(&data(), &[protect(true)]);
    sound(&locked);
    let denied = |edit: Edit| assert!(matches!(refused(&locked.content, &[edit]), Refusal::Denied { .. }));
    denied(set(&[("A1", Input::Number(1.0))]));
    denied(Edit::InsertRows { sheet: sheet(), at: 0, count: 1 });
    denied(Edit::SetColumns {
        sheet: sheet(),
        first: 0,
        last: 0,
        properties: sheet::LineChange { size: Some(9.0), ..Default::default() },
    });
    denied(Edit::AddTable { sheet: sheet(), area: area("A1:C4"), name: None, style: None });
    denied(Edit::SetNote { sheet: sheet(), at: at("A1"), text: "x".into(), author: None });
    edited(&locked.content, &[protect(false), set(&[("A1", Input::Number(1.0))])]);
    comes_and_goes(&data(), &[protect(true)], &[protect(false)]);
    let secret = book(&[("Sheet1", r#"<sheetData/><sheetProtection password="CC1A" sheet="1"/>"#)]);
    assert!(matches!(refused(&secret, &[protect(false)]), Refusal::Denied { .. }));
    let frozen = book_with(&[("Sheet1", "<sheetData/>")], r#"<workbookProtection lockStructure="1"/>"#, &[]);
    assert!(matches!(
        refused(&frozen, &[Edit::AddSheet { name: "x".into(), before: None }]),
        Refusal::Denied { .. }
    ));
    edited(&frozen, &[set(&[("A1", Input::Number(1.0))])]);
}

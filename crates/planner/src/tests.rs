mod readings;
mod variations;

use proptest::prelude::*;
use word::op::{
    Alignment, ApplyStyle, CharacterFormat, Color, Highlight, InsertPicture, InsertText, List, ListStyles,
    Location, Matching, Op, ParagraphFormat, PictureSource, Replace, ReplaceMode, Scope, Search, Side,
    StyleCategory, TableApplyStyle, TableCreate, TableDelete, TableInsert, TableMergeCells, TableRef,
    TableSetCellText, TableStyle, Target, Underline, Wrap,
};

use crate::{
    Address, Entry, Format, MarkdownStep, Place, Plan, SheetRef, SheetStep, Step, WordAct, WordStep,
    understand,
};

#[track_caller]
fn word(request: &str) -> Op {
    let plan = understand(request, Format::Word);
    assert!(plan.rest.is_empty(), "{request}: {:?}", plan.rest);
    match <[Step; 1]>::try_from(plan.steps) {
        Ok([Step::Word(WordStep { act: WordAct::Op(op), .. })]) => op,
        other => panic!("{request}: {other:?}"),
    }
}

fn reading(request: &str) -> String {
    let plan = understand(request, Format::Word);
    match plan.steps.as_slice() {
        [Step::Word(step)] if plan.rest.is_empty() => step.to_string(),
        _ => panic!("{request}: {plan:?}"),
    }
}

fn insert(text: &str, scope: Scope, location: Location) -> InsertText {
    InsertText { text: text.into(), scope, location, ..InsertText::default() }
}

fn table(id: &str) -> TableRef {
    TableRef::Table(id.into())
}

#[test]
fn the_published_authoring_tips_for_text() {
    assert_eq!(
        word("Insert 'Hello' at the start of the document"),
        Op::InsertText(insert("Hello", Scope::Document, Location::Start))
    );
    assert_eq!(
        word("Replace current selection with 'OK'"),
        Op::InsertText(insert("OK", Scope::Selection, Location::Replace))
    );
    assert_eq!(
        word("Append a new paragraph 'Thanks'"),
        Op::InsertText(InsertText {
            new_paragraph: true,
            ..insert("Thanks", Scope::Document, Location::End)
        })
    );
    assert_eq!(word("Get current selection"), Op::GetSelection);
    assert_eq!(
        word("Find all 'Invoice' (whole word)"),
        Op::Search(Search {
            query: "Invoice".into(),
            matching: Matching { whole_word: true, ..Matching::default() },
            ..Search::default()
        })
    );
    assert_eq!(
        word("Case-sensitive search for 'Total' in selection"),
        Op::Search(Search {
            query: "Total".into(),
            scope: Scope::Selection,
            matching: Matching { case: true, ..Matching::default() },
            ..Search::default()
        })
    );
}

fn replace(query: &str, with: &str, scope: Scope, mode: ReplaceMode) -> Op {
    let target = Target::Query { query: query.into(), matching: Matching::default(), scope };
    Op::Replace(Replace { target, with: with.into(), mode })
}

#[test]
fn the_published_authoring_tips_for_replacing() {
    assert_eq!(
        word("Replace all 2024 with 2025 in the document"),
        replace("2024", "2025", Scope::Document, ReplaceMode::All)
    );
    assert_eq!(
        word("Replace the first match of 'foo' with 'bar' in the selection"),
        replace("foo", "bar", Scope::Selection, ReplaceMode::First)
    );
}

#[test]
fn the_published_authoring_tips_for_pictures() {
    let picture = |source, scope, location, width| InsertPicture {
        source,
        scope,
        location,
        width,
        height: None,
        lock_aspect_ratio: true,
        alt_text: None,
        wrap: Wrap::Inline,
    };
    assert_eq!(
        word("Insert logo from URL https://example.com/logo.png at cursor, width 120pt"),
        Op::InsertPicture(picture(
            PictureSource::Url("https://example.com/logo.png".into()),
            Scope::Selection,
            Location::Replace,
            Some(120.0)
        ))
    );
    assert_eq!(
        word("Insert base64 image data:image/png;base64,iVBORw0KGgo= at end of document"),
        Op::InsertPicture(picture(
            PictureSource::Base64("iVBORw0KGgo=".into()),
            Scope::Document,
            Location::End,
            None
        ))
    );
    let plan = understand("Insert logo from URL at cursor, width 120pt", Format::Word);
    assert!(plan.steps.is_empty() && plan.rest[0].why.contains("https"), "{plan:?}");
}

#[test]
fn the_published_authoring_tips_for_tables() {
    assert_eq!(
        word("Create a 3x3 table with header at cursor"),
        Op::TableCreate(TableCreate { rows: 3, cols: 3, header: true, ..TableCreate::default() })
    );
    assert_eq!(
        word("Set row 0 col 0 to 'Title' for tableId:123"),
        Op::TableSetCellText(TableSetCellText { table: table("123"), row: 0, col: 0, text: "Title".into() })
    );
    assert_eq!(
        word("Insert 2 rows after row 1 for tableId:123"),
        Op::TableInsertRows(TableInsert { table: table("123"), at: Some(1), count: 2, side: Side::After })
    );
    assert_eq!(
        word("Merge a 2x2 area from (1,1) for tableId:123"),
        Op::TableMergeCells(TableMergeCells {
            table: table("123"),
            start_row: 1,
            start_col: 1,
            row_span: 2,
            col_span: 2
        })
    );
}

#[test]
fn the_published_authoring_tips_for_formatting() {
    assert_eq!(
        word("Make selection bold, 12pt, dark gray, justified"),
        Op::ApplyStyle(ApplyStyle {
            character: CharacterFormat {
                bold: Some(true),
                font_size: Some(12.0),
                color: Some(Color::rgb(0x33, 0x33, 0x33)),
                ..CharacterFormat::default()
            },
            paragraph: ParagraphFormat { alignment: Some(Alignment::Justify), ..ParagraphFormat::default() },
            ..ApplyStyle::default()
        })
    );
    assert_eq!(
        word("Apply Heading 1 to selection"),
        Op::ApplyStyle(ApplyStyle { named_style: Some("Heading 1".into()), ..ApplyStyle::default() })
    );
}

#[test]
fn people_say_the_same_in_other_words() {
    assert_eq!(
        word("please change \"Acme Corp\" to \"Globex\" everywhere"),
        replace("Acme Corp", "Globex", Scope::Document, ReplaceMode::All)
    );
    assert_eq!(
        word("Find and replace foo with bar"),
        replace("foo", "bar", Scope::Document, ReplaceMode::All)
    );
    assert_eq!(
        word("put 'Draft' after 'Report'"),
        Op::InsertText(insert("Draft", Scope::Found("Report".into()), Location::After))
    );
    assert_eq!(
        word("add a table with 2 rows and 4 columns at the end of the document"),
        Op::TableCreate(TableCreate {
            rows: 2,
            cols: 4,
            scope: Scope::Document,
            location: Location::End,
            ..TableCreate::default()
        })
    );
    assert_eq!(
        word("add a row to the table"),
        Op::TableInsertRows(TableInsert { table: TableRef::Current, at: None, count: 1, side: Side::After })
    );
    assert_eq!(
        word("insert three columns before column 0 in the second table"),
        Op::TableInsertColumns(TableInsert {
            table: TableRef::Nth(1),
            at: Some(0),
            count: 3,
            side: Side::Before
        })
    );
    assert_eq!(
        word("Delete rows 1, 3 and 5 of tableId:t9"),
        Op::TableDeleteRows(TableDelete { table: table("t9"), indexes: vec![1, 3, 5] })
    );
    assert_eq!(
        word("remove columns 2-4 from table 1"),
        Op::TableDeleteColumns(TableDelete { table: TableRef::Nth(0), indexes: vec![1, 2, 3] })
    );
    assert_eq!(
        word("merge cells (0,0) to (1,2) in the table"),
        Op::TableMergeCells(TableMergeCells {
            table: TableRef::Current,
            start_row: 0,
            start_col: 0,
            row_span: 2,
            col_span: 3
        })
    );
    assert_eq!(
        word("apply the style 'Table Grid' to tableId:7"),
        Op::TableApplyStyle(TableApplyStyle {
            table: table("7"),
            style: TableStyle { name: Some("Table Grid".into()), ..TableStyle::default() }
        })
    );
    assert_eq!(
        word("Highlight 'urgent' in yellow"),
        Op::ApplyStyle(ApplyStyle {
            scope: Scope::Found("urgent".into()),
            character: CharacterFormat {
                highlight: Some(Highlight::Color(Color::rgb(0xFF, 0xFF, 0))),
                ..CharacterFormat::default()
            },
            ..ApplyStyle::default()
        })
    );
    assert_eq!(
        word("underline 'Total'"),
        Op::ApplyStyle(ApplyStyle {
            scope: Scope::Found("Total".into()),
            character: CharacterFormat { underline: Some(Underline::Single), ..CharacterFormat::default() },
            ..ApplyStyle::default()
        })
    );
    assert_eq!(
        word("make the selection a bulleted list"),
        Op::ApplyStyle(ApplyStyle {
            paragraph: ParagraphFormat { list: Some(List::Bullet), ..ParagraphFormat::default() },
            ..ApplyStyle::default()
        })
    );
    assert_eq!(
        word("make 'Introduction' a Heading 2"),
        Op::ApplyStyle(ApplyStyle {
            scope: Scope::Found("Introduction".into()),
            named_style: Some("Heading 2".into()),
            ..ApplyStyle::default()
        })
    );
    assert_eq!(
        word("list all table styles containing 'Grid'"),
        Op::ListStyles(ListStyles {
            category: StyleCategory::Table,
            query: Some("Grid".into()),
            ..ListStyles::default()
        })
    );
    assert_eq!(word("What is selected?"), Op::GetSelection);
}

#[test]
fn rows_columns_and_cells_are_counted_as_people_do() {
    let rows =
        |table, indexes: &[usize]| Op::TableDeleteRows(TableDelete { table, indexes: indexes.to_vec() });
    assert_eq!(word("delete the second row of the first table"), rows(TableRef::Nth(0), &[1]));
    assert_eq!(word("remove the first and third rows from the table"), rows(TableRef::Current, &[0, 2]));
    assert_eq!(word("delete the 2nd row in table 3"), rows(TableRef::Nth(2), &[1]));
    assert_eq!(
        word("add a row below the header row"),
        Op::TableInsertRows(TableInsert {
            table: TableRef::Current,
            at: Some(0),
            count: 1,
            side: Side::After
        })
    );
    assert_eq!(
        word("insert two columns to the left of the third column in table 1"),
        Op::TableInsertColumns(TableInsert {
            table: TableRef::Nth(0),
            at: Some(2),
            count: 2,
            side: Side::Before
        })
    );
    assert_eq!(
        word("add a row at the top of the table"),
        Op::TableInsertRows(TableInsert {
            table: TableRef::Current,
            at: Some(0),
            count: 1,
            side: Side::Before
        })
    );
    let cell = |row, col| {
        Op::TableSetCellText(TableSetCellText { table: TableRef::Nth(0), row, col, text: "x".into() })
    };
    assert_eq!(word("set the second cell of the first row to 'x' in the first table"), cell(0, 1));
    assert_eq!(word("put 'x' in the third row, second column of the first table"), cell(2, 1));
    assert_eq!(reading("delete the last row"), "delete row last");
}

#[test]
fn the_names_of_a_table_s_columns_are_its_first_row() {
    let table = |rows, scope, location| {
        Op::TableCreate(TableCreate {
            rows,
            cols: 2,
            scope,
            location,
            data: vec![vec!["Item".into(), "Unit price".into()]],
            header: true,
        })
    };
    let made = table(3, Scope::Found("Payment".into()), Location::After);
    assert_eq!(word("insert a 3x2 table after \"Payment\" with headers Item, Unit price"), made);
    assert_eq!(
        word("create a table with 4 rows and the headers 'Item' and 'Unit price'"),
        table(4, Scope::Selection, Location::Replace)
    );
    let plan = understand("insert a 3x3 table with headers Item, Price", Format::Word);
    assert!(plan.rest[0].why.contains("2 headers for 3 columns"), "{plan:?}");
    assert_eq!(
        word("create a 2x2 table with headers at the end"),
        Op::TableCreate(TableCreate {
            rows: 2,
            cols: 2,
            scope: Scope::Document,
            location: Location::End,
            data: Vec::new(),
            header: true
        })
    );
}

#[test]
fn text_is_named_by_its_place_or_kind() {
    assert_eq!(
        word("insert 'Draft' before the heading Scope"),
        Op::InsertText(insert("Draft", Scope::Paragraph("Scope".into()), Location::Before))
    );
    let bold = |scope| {
        let character = CharacterFormat { bold: Some(true), ..CharacterFormat::default() };
        Op::ApplyStyle(ApplyStyle { scope, character, ..ApplyStyle::default() })
    };
    assert_eq!(word("make the heading 'Scope of work' bold"), bold(Scope::Paragraph("Scope of work".into())));
    assert_eq!(word("make the first 'Total' bold"), bold(Scope::First("Total".into())));
    assert_eq!(word("bold the word 'Total'"), bold(Scope::Found("Total".into())));
    let gone = |target| Op::Replace(Replace { target, with: String::new(), mode: ReplaceMode::All });
    assert_eq!(word("delete 'very '"), gone(Target::Whole(Scope::Found("very ".into()))));
    assert_eq!(
        word("remove every occurrence of 'draft' from the document"),
        gone(Target::Query { query: "draft".into(), matching: Matching::default(), scope: Scope::Document })
    );
    assert_eq!(reading("make the title bold"), "format the title: bold");
    assert_eq!(reading("turn the third paragraph into a bullet list"), "format paragraph 3: bullets");
}

#[test]
fn several_steps_in_one_request_keep_their_order() {
    let plan = understand(
        "Replace 2024 with 2025 in the document, then make the selection bold and insert 'Done.' at the end. Find all 'Total'",
        Format::Word,
    );
    assert!(plan.rest.is_empty(), "{:?}", plan.rest);
    let names: Vec<_> = plan
        .steps
        .iter()
        .map(|step| match step {
            Step::Word(step) => step.name(),
            _ => "?",
        })
        .collect();
    assert_eq!(names, ["replace", "applyStyle", "insertText", "search"]);
}

#[test]
fn what_is_not_understood_is_said_and_never_guessed() {
    for request in [
        "fold the page in half",
        "insert a page break at the end",
        "make the selection sparkle",
        "replace the logo with a picture of a cat",
        "delete rows some of them",
        "make the selection bold and sparkling",
    ] {
        let plan = understand(request, Format::Word);
        assert!(plan.steps.is_empty(), "{request}: {:?}", plan.steps);
        assert_eq!(plan.rest.len(), 1, "{request}");
        assert!(!plan.rest[0].why.is_empty());
    }
    assert_eq!(understand("  ", Format::Word), Plan::default());
}

fn sheet(request: &str) -> SheetStep {
    let plan = understand(request, Format::Sheet);
    match plan.steps.as_slice() {
        [Step::Sheet(step)] => step.clone(),
        _ => panic!("{request}: {plan:?}"),
    }
}

#[test]
fn cells_are_set_and_read() {
    let at = |sheet: Option<&str>, cells: &str| {
        SheetRef::Cells(Address { sheet: sheet.map(str::to_owned), cells: cells.into() })
    };
    assert_eq!(
        sheet("set B5 on Inputs to 1.1"),
        SheetStep::Set {
            only_if: None,
            towards: None,
            at: at(Some("Inputs"), "B5"),
            entry: Entry::Number(1.1)
        }
    );
    assert_eq!(sheet("what is Summary!A1"), SheetStep::Read { at: at(Some("Summary"), "A1") });
    assert_eq!(sheet("What is Summary!A1?"), SheetStep::Read { at: at(Some("Summary"), "A1") });
    assert_eq!(
        sheet("set 'My Sheet'!C3 to 'hello there'"),
        SheetStep::Set {
            only_if: None,
            towards: None,
            at: at(Some("My Sheet"), "C3"),
            entry: Entry::Text("hello there".into())
        }
    );
    assert_eq!(
        sheet("put =SUM(A1:A3, B2) in B4 on Model"),
        SheetStep::Set {
            only_if: None,
            towards: None,
            at: at(Some("Model"), "B4"),
            entry: Entry::Formula("=SUM(A1:A3, B2)".into())
        }
    );
    assert_eq!(
        sheet("set GrowthRate to 5%"),
        SheetStep::Set {
            only_if: None,
            towards: None,
            at: at(None, "GrowthRate"),
            entry: Entry::Typed("5%".into())
        }
    );
    assert_eq!(
        sheet("set B2 to 1,250.5"),
        SheetStep::Set { only_if: None, towards: None, at: at(None, "B2"), entry: Entry::Number(1250.5) }
    );
    assert_eq!(sheet("clear B2:C9 on Inputs"), SheetStep::Clear { at: at(Some("Inputs"), "B2:C9") });
}

#[test]
fn sections_are_added_and_moved() {
    let markdown = |request: &str| match understand(request, Format::Markdown).steps.as_slice() {
        [Step::Markdown(step)] => step.clone(),
        other => panic!("{request}: {other:?}"),
    };
    assert_eq!(
        markdown("add a section Risks after Scope"),
        MarkdownStep::AddSection {
            title: "Risks".into(),
            level: None,
            place: Place::After("Scope".into()),
            content: None
        }
    );
    assert_eq!(
        markdown("Add a section 'Open points' at level 3 before 'Next steps' with the text 'None yet.'"),
        MarkdownStep::AddSection {
            title: "Open points".into(),
            level: Some(3),
            place: Place::Before("Next steps".into()),
            content: Some("None yet.".into())
        }
    );
    assert_eq!(
        markdown("move section On-call after Severity"),
        MarkdownStep::MoveSection { title: "On-call".into(), place: Place::After("Severity".into()) }
    );
    assert_eq!(
        markdown("rename section Scope to 'What it covers'"),
        MarkdownStep::RenameSection { title: "Scope".into(), to: "What it covers".into() }
    );
    assert_eq!(markdown("delete the section Scope"), MarkdownStep::DeleteSection { title: "Scope".into() });
}

proptest! {
    #[test]
    fn no_request_breaks_the_planner(request in "\\PC{0,80}") {
        for format in [Format::Word, Format::Sheet, Format::Markdown] {
            understand(&request, format);
        }
    }

    #[test]
    fn requests_made_of_our_own_words_do_not_break_it_either(
        words in proptest::collection::vec(proptest::sample::select(vec![
            "insert", "replace", "with", "'a b'", "table", "rows", "3x3", "(", ")", ",", "1", "at", "the", "end", "of",
            "document", "selection", "bold", "and", "then", "merge", "from", "to", "=A1", "tableId:1", "apply", "in", "“", "'",
        ]), 0..14)
    ) {
        for format in [Format::Word, Format::Sheet, Format::Markdown] {
            understand(&words.join(" "), format);
        }
    }
}

#[test]
fn a_line_may_end_in_a_full_stop() {
    let plan = understand("Replace \"a b\" with \"c d\".\nReplace \"e f\" with \"g h\".", Format::Word);
    assert_eq!((plan.steps.len(), plan.rest.len()), (2, 0));
}

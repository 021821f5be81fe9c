//! The same request in the words of different people. The first sentence of a group is pinned down elsewhere or right
//! beside it; the others have to come to the same operation.

use super::*;

#[track_caller]
fn same(format: Format, sentence: &str, others: &[&str]) {
    let meant = understand(sentence, format);
    assert!(meant.rest.is_empty() && !meant.steps.is_empty(), "{sentence}: {meant:?}");
    let otherwise: Vec<_> = others
        .iter()
        .map(|other| (*other, understand(other, format)))
        .filter(|(_, plan)| *plan != meant)
        .collect();
    assert!(otherwise.is_empty(), "{sentence}: {meant:?}, but {otherwise:#?}");
}

#[track_caller]
fn unclear(format: Format, sentences: &[(&str, &str)]) {
    for (sentence, hint) in sentences {
        let plan = understand(sentence, format);
        assert_eq!(plan.rest.len(), 1, "{sentence}: {plan:?}");
        assert!(plan.rest[0].why.contains(hint), "{sentence}: {}", plan.rest[0].why);
    }
}

#[test]
fn inserting() {
    same(
        Format::Word,
        "Insert 'Hello' at the start of the document",
        &[
            "Insert \"Hello\" at the beginning of the document",
            "Add 'Hello' to the beginning of the document",
            "Please write 'Hello' at the top.",
            "Prepend 'Hello'",
            "Prepend 'Hello' to the document",
            "Could you put “Hello” at the very beginning",
        ],
    );
    same(
        Format::Word,
        "Append a new paragraph 'Thanks'",
        &[
            "Add a paragraph at the end saying 'Thanks'",
            "Append 'Thanks' as a new paragraph",
            "Append the following paragraph: 'Thanks'",
            "Add 'Thanks' on a new line at the end of the document",
            "Insert a new paragraph with the text 'Thanks' at the end of the document",
            "append a paragraph reading 'Thanks' to the document",
            "Write 'Thanks' as a new paragraph at the bottom",
        ],
    );
    same(
        Format::Word,
        "Replace current selection with 'OK'",
        &[
            "Replace the selection with 'OK'",
            "Replace the selected text by \"OK\"",
            "Overwrite the selection with 'OK'",
            "Insert 'OK' at the cursor",
            "Type 'OK'",
            "change the selection to 'OK'",
        ],
    );
    assert_eq!(
        word("Insert a line 'Signed' below 'Definitions'"),
        Op::InsertText(InsertText {
            new_paragraph: true,
            ..insert("Signed", Scope::Found("Definitions".into()), Location::After)
        })
    );
    same(
        Format::Word,
        "Insert a line 'Signed' below 'Definitions'",
        &["Add a line 'Signed' below 'Definitions'", "Insert a new paragraph 'Signed' after 'Definitions'"],
    );
    unclear(
        Format::Word,
        &[
            ("Insert a page break", "page break"),
            ("Insert today's date", "today's date"),
            ("Insert Hello at the start of the document", "quotation marks"),
            ("Add 12pt space after the selection", "12pt"),
        ],
    );
}

#[test]
fn finding() {
    same(
        Format::Word,
        "Find 'Invoice'",
        &[
            "Find all 'Invoice'",
            "Find every occurrence of 'Invoice'",
            "Search the document for 'Invoice'",
            "search for Invoice",
            "Look for 'Invoice'",
            "Where is 'Invoice'?",
            "Where does 'Invoice' appear?",
            "Locate the word 'Invoice'",
            "Count all 'Invoice'",
        ],
    );
    same(
        Format::Word,
        "Find all 'Invoice' (whole word)",
        &[
            "find 'Invoice' as a whole word",
            "Find 'Invoice', whole words only",
            "Find all 'Invoice' as whole words",
        ],
    );
    same(
        Format::Word,
        "Case-sensitive search for 'Total' in selection",
        &[
            "search for 'Total' in the selection, matching case",
            "Find 'Total' in the selected text (case-sensitive)",
            "find Total in the selection, match case",
        ],
    );
    let prefix = Matching { prefix: true, ..Matching::default() };
    assert_eq!(
        word("Find words starting with 'Pay'"),
        Op::Search(Search { query: "Pay".into(), matching: prefix, ..Search::default() })
    );
    same(Format::Word, "Find words starting with 'Pay'", &["find all words that begin with 'Pay'"]);
    same(
        Format::Word,
        "Get current selection",
        &[
            "Show me the selection",
            "what text is selected?",
            "What is selected?",
            "read the current selection",
        ],
    );
}

#[test]
fn replacing_and_deleting() {
    same(
        Format::Word,
        "Replace all 2024 with 2025 in the document",
        &[
            "Replace 2024 with 2025",
            "replace every \"2024\" by \"2025\" throughout the document",
            "Change '2024' to '2025'",
            "change all instances of '2024' to '2025' everywhere",
            "Swap '2024' for '2025'",
            "Find and replace 2024 with 2025",
            "Please replace each occurrence of 2024 with 2025.",
            "Could you please replace every mention of '2024' with '2025'?",
            "In the document, replace 2024 with 2025",
            "substitute 2024 by 2025 in the whole document",
        ],
    );
    same(
        Format::Word,
        "Replace the first match of 'foo' with 'bar' in the selection",
        &[
            "Replace the first 'foo' in the selection with 'bar'",
            "In the selection, replace the first foo with bar",
            "Replace 'foo' with 'bar' in the selection only once",
        ],
    );
    let matching = Matching { case: true, whole_word: true, ..Matching::default() };
    let target = Target::Query { query: "Customer".into(), matching, scope: Scope::Document };
    assert_eq!(
        word("Replace \"Customer\" with \"Client\", case sensitive, whole words only"),
        Op::Replace(Replace { target, with: "Client".into(), mode: ReplaceMode::All })
    );
    let matching = Matching { regex: true, ..Matching::default() };
    let target = Target::Query { query: "(\\d+) days".into(), matching, scope: Scope::Document };
    assert_eq!(
        word("use regex to replace '(\\d+) days' with '$1 weeks'"),
        Op::Replace(Replace { target, with: "$1 weeks".into(), mode: ReplaceMode::All })
    );
    let everywhere = replace("Draft", "", Scope::Document, ReplaceMode::All);
    assert_eq!(word("delete all occurrences of 'Draft'"), everywhere);
    same(
        Format::Word,
        "delete all occurrences of 'Draft'",
        &[
            "Remove every 'Draft'",
            "Remove the text 'Draft' from the document",
            "Replace 'Draft' with nothing",
            "Replace 'Draft' with an empty string",
        ],
    );
    let only = Target::Whole(Scope::Found("Draft".into()));
    assert_eq!(
        word("Delete 'Draft'"),
        Op::Replace(Replace { target: only, with: String::new(), mode: ReplaceMode::All })
    );
    same(Format::Word, "Delete 'Draft'", &["Remove the word 'Draft'", "please erase 'Draft'"]);
    assert_eq!(
        word("Delete the selection"),
        Op::Replace(Replace {
            target: Target::Whole(Scope::Selection),
            with: String::new(),
            mode: ReplaceMode::All
        })
    );
    unclear(
        Format::Word,
        &[
            ("Delete the document", "whole documents"),
            ("Change 'Fees' to blue", "quotation marks"),
            ("Change 'Fees' to Heading 1", "quotation marks"),
        ],
    );
}

#[test]
fn pictures() {
    same(
        Format::Word,
        "Insert logo from URL https://example.com/logo.png at cursor, width 120pt",
        &[
            "Insert the picture https://example.com/logo.png, 120pt wide",
            "Add the image from https://example.com/logo.png here, 120 pt wide",
            "Insert a 120pt wide picture from https://example.com/logo.png",
            "place the logo https://example.com/logo.png at the cursor with width 120",
        ],
    );
    same(
        Format::Word,
        "Insert image https://example.com/a.png with alt text 'Company logo' square wrap",
        &[
            "Insert image https://example.com/a.png with alt text 'Company logo' wrapped square",
            "Insert the image https://example.com/a.png with square wrapping and alt text 'Company logo'",
        ],
    );
    unclear(
        Format::Word,
        &[
            ("Insert the logo at the end", "https"),
            ("Insert a picture of a cat https://example.com/a.png", "cat"),
        ],
    );
}

#[test]
fn tables() {
    same(
        Format::Word,
        "Create a 3x3 table with header at cursor",
        &[
            "Create a table with 3 rows and 3 columns and a header row",
            "make a table 3 x 3 with a header row",
            "insert a three by three table with a header",
            "Add a 3 by 3 table with headers at the cursor",
        ],
    );
    same(
        Format::Word,
        "Insert 2 rows after row 1 for tableId:123",
        &[
            "Add 2 rows below row 1 of tableId:123",
            "insert two new rows under row 1 in tableId:123",
            "Insert 2 rows after the second row in tableId:123",
        ],
    );
    same(
        Format::Word,
        "add a row to the table",
        &[
            "Add a row",
            "insert one row at the end of the table",
            "Add a new row at the bottom",
            "insert a row after the last row",
        ],
    );
    let top = TableInsert { table: TableRef::Current, at: Some(0), count: 1, side: Side::Before };
    assert_eq!(word("Add a row at the top of the table"), Op::TableInsertRows(top.clone()));
    assert_eq!(word("Insert a row above the first row"), Op::TableInsertRows(top.clone()));
    assert_eq!(word("Add a column to the left"), Op::TableInsertColumns(top));
    let second = TableDelete { table: TableRef::Current, indexes: vec![1] };
    assert_eq!(word("Delete the second row"), Op::TableDeleteRows(second.clone()));
    assert_eq!(word("delete row 2 in the table"), Op::TableDeleteRows(second.clone()));
    assert_eq!(word("remove the second column from the table"), Op::TableDeleteColumns(second));
    same(
        Format::Word,
        "Set row 0 col 0 to 'Title' for tableId:123",
        &[
            "Set cell (0,0) to 'Title' in tableId:123",
            "Put 'Title' in row 0 column 0 of tableId:123",
            "Write 'Title' into cell (0, 0) of tableId:123",
            "Set the first cell of tableId:123 to 'Title'",
            "Set the cell at row 0, column 0 to 'Title' for tableId:123",
            "Set the text of the cell in row 0 column 0 to 'Title' in tableId:123",
        ],
    );
    same(
        Format::Word,
        "Merge a 2x2 area from (1,1) for tableId:123",
        &[
            "Merge cells (1,1) to (2,2) in tableId:123",
            "merge the cells from (1,1) through (2,2) of tableId:123",
        ],
    );
    same(Format::Word, "Merge cells (0,0) to (0,1)", &["Merge the first two cells of row 0"]);
    same(
        Format::Word,
        "Apply the table style 'Grid Table 4'",
        &[
            "Style the table as Grid Table 4",
            "Apply Grid Table 4 to the table",
            "Set the table style to Grid Table 4",
        ],
    );
    unclear(
        Format::Word,
        &[
            ("Merge the first row", "say which cells"),
            ("Create a table with the columns Name, Age and City", "how large"),
            ("Insert a row before the total", "by its number"),
        ],
    );
}

#[test]
fn looks() {
    same(
        Format::Word,
        "Make selection bold, 12pt, dark gray, justified",
        &[
            "Make the selection bold, 12 pt, dark grey and justified",
            "Format the selection as bold 12pt dark gray justified",
            "Apply bold, 12pt, dark gray and justified to the selection",
            "set the selection to bold, size 12, color dark gray, justified",
        ],
    );
    same(
        Format::Word,
        "Apply Heading 1 to selection",
        &[
            "Apply the Heading 1 style to the selection",
            "Set the style of the selection to Heading 1",
            "Make the selection a Heading 1",
            "Make the selection a level 1 heading",
            "Style the selection as Heading 1",
            "Change the style of the selection to Heading 1",
        ],
    );
    same(
        Format::Word,
        "Make 'Total' bold",
        &[
            "Bold 'Total'",
            "make the word 'Total' bold",
            "Set 'Total' in bold",
            "Format 'Total' as bold",
            "turn 'Total' bold",
        ],
    );
    same(
        Format::Word,
        "Make 'Total' red, bold and underlined",
        &["Make 'Total' red and bold and underline", "make 'Total' underlined, color red and bold"],
    );
    same(
        Format::Word,
        "Make 'Total' not bold",
        &["Unbold 'Total'", "Remove bold from 'Total'", "remove the bold formatting from 'Total'"],
    );
    same(
        Format::Word,
        "Make 'Total' no highlight",
        &["Remove the highlight from 'Total'", "Clear the highlighting of 'Total'"],
    );
    same(
        Format::Word,
        "make the selection no list",
        &["Remove the bullets from the selection", "remove the numbering from the selection"],
    );
    same(
        Format::Word,
        "Set the font of the selection to 'Times New Roman' and size 12",
        &[
            "Set the font of the selection to Times New Roman, 12pt",
            "Make the selection font Times New Roman, 12 points",
        ],
    );
    same(Format::Word, "Set the font size to 14", &["Change the font size to 14"]);
    same(
        Format::Word,
        "Color 'Total' red",
        &["Make 'Total' red", "Colour 'Total' in red", "set the color of 'Total' to red"],
    );
    same(
        Format::Word,
        "Make the whole document justified",
        &["Justify the whole document", "Justify the document", "Make the entire document justified"],
    );
    same(
        Format::Word,
        "Align the selection right",
        &["Right-align the selection", "Make the selection right-aligned"],
    );
    same(
        Format::Word,
        "Make the document double-spaced",
        &[
            "Double space the document",
            "Double-space the whole document",
            "Set line spacing to 2 for the whole document",
        ],
    );
    same(
        Format::Word,
        "make the selection a bulleted list",
        &[
            "Turn the selection into a bullet list",
            "Format the selection as bullets",
            "Convert the selection to bullet points",
        ],
    );
    same(Format::Word, "Clear all formatting", &["Remove all formatting", "clear the formatting"]);
    let green = Highlight::Color(Color::rgb(0, 0xFF, 0));
    let character = CharacterFormat { highlight: Some(green), ..CharacterFormat::default() };
    assert_eq!(
        word("Highlight the selection in green"),
        Op::ApplyStyle(ApplyStyle { character, ..ApplyStyle::default() })
    );
    unclear(
        Format::Word,
        &[
            ("Make 'Interest' larger", "larger"),
            ("Make 'Definitions' a heading", "Heading 1 to Heading 9"),
            ("Create a 2x2 table and make it bold", "instead of `it`"),
            ("Undo", "docwright undo"),
            ("Save the document", "no change of the document"),
        ],
    );
    for (sentence, scope) in [
        ("Select 'Total' and make it bold", Scope::Selection),
        ("Find 'Total' and make it bold", Scope::Found("Total".into())),
        ("Append 'Total' and then make it bold", Scope::Found("Total".into())),
        ("Replace 'Sum' with 'Total' and make it bold", Scope::Found("Total".into())),
        ("Center the heading 'Total' and make it bold", Scope::Paragraph("Total".into())),
        ("Make the first 'Total' red. Make it bold.", Scope::First("Total".into())),
        ("Make it bold", Scope::Selection),
    ] {
        let plan = understand(sentence, Format::Word);
        assert!(plan.rest.is_empty(), "{sentence}: {plan:?}");
        match plan.steps.last() {
            Some(Step::Word(WordStep { act: WordAct::Op(Op::ApplyStyle(style)), .. })) => {
                assert_eq!((&style.scope, style.character.bold), (&scope, Some(true)), "{sentence}");
            }
            other => panic!("{sentence}: {other:?}"),
        }
    }
    same(
        Format::Word,
        "List all styles",
        &["What styles are available?", "Show me all styles", "which styles are there"],
    );
}

#[test]
fn workbooks() {
    same(
        Format::Sheet,
        "set B5 on Inputs to 1.1",
        &[
            "Set Inputs!B5 to 1.1",
            "Set cell B5 in the Inputs sheet to 1.1",
            "Set cell B5 of sheet Inputs to 1.1",
            "Change B5 on the Inputs sheet to 1.1",
            "Put 1.1 into B5 on Inputs",
            "Put 1.1 in B5 in Inputs",
            "Enter 1.1 in Inputs!B5",
            "Type 1.1 into B5 on Inputs",
            "Write 1.1 to Inputs!B5",
            "please set the value of B5 on Inputs to 1.1",
            "Set Inputs!B5 = 1.1",
        ],
    );
    same(
        Format::Sheet,
        "what is Summary!A1",
        &[
            "What is in cell A1 on the Summary sheet?",
            "What's the value of A1 on Summary?",
            "Show me Summary!A1",
            "get A1 from Summary",
            "Read A1 in Summary",
            "How much is Summary!A1?",
        ],
    );
    same(
        Format::Sheet,
        "Clear B4 on Inputs",
        &["Delete the contents of Inputs!B4", "Empty cell B4 on Inputs", "Remove the value in B4 on Inputs"],
    );
    same(Format::Sheet, "Set B9 to =B1*2", &["Set B9 to the formula =B1*2", "put =B1*2 in B9"]);
    same(Format::Sheet, "Set B3 to 1250.5", &["Set B3 to 1,250.50", "Set B3 to $1,250.50"]);
    same(Format::Sheet, "Set B3 to '007'", &["Set B3 to the text '007'"]);
    let at = SheetRef::Cells(Address { sheet: None, cells: "B3".into() });
    let entry = Entry::Date("2026-01-15".into());
    assert_eq!(sheet("Set B3 to 2026-01-15"), SheetStep::Set { at, entry, only_if: None, towards: None });
    unclear(Format::Sheet, &[("Set B3 to 1.250,50", "did not understand"), ("Set B3 to 15/01/2026", "DATE")]);
}

#[test]
fn sections() {
    same(
        Format::Markdown,
        "add a section Risks after Scope",
        &[
            "Add a section called Risks after Scope",
            "Insert a new section 'Risks' after the section Scope",
            "Create a chapter Risks after 'Scope'",
            "Add a heading Risks after Scope",
            "Please add a section titled Risks after the heading Scope.",
        ],
    );
    same(
        Format::Markdown,
        "Add a section Risks at the end",
        &["add a section Risks at the end of the document", "Add a section Risks"],
    );
    same(
        Format::Markdown,
        "Add a section Risks after Scope with the text 'None.'",
        &[
            "Add section Risks with the text 'None.' after Scope",
            "Add a section Risks after Scope saying 'None.'",
        ],
    );
    same(
        Format::Markdown,
        "Rename section Scope to Coverage",
        &[
            "Rename the heading Scope to Coverage",
            "Change the heading Scope to Coverage",
            "rename Scope to Coverage",
        ],
    );
    same(
        Format::Markdown,
        "Delete the section Scope",
        &["Remove section 'Scope'", "delete the heading Scope and everything in it"],
    );
    same(Format::Markdown, "Move section Scope to the end", &["Move Scope to the end of the document"]);
    same(
        Format::Markdown,
        "Replace '5 minutes' with '10 minutes'",
        &[
            "Change '5 minutes' to '10 minutes'",
            "Replace all occurrences of '5 minutes' by '10 minutes' everywhere",
        ],
    );
    same(
        Format::Markdown,
        "Delete 'order service'",
        &["Replace 'order service' with nothing", "Remove the text 'order service'"],
    );
    unclear(
        Format::Markdown,
        &[
            ("Add a section Risks between Scope and On-call", "after or before"),
            ("Move section Scope to the top", "where to"),
        ],
    );
}

//! What names mean: the same in every tool and on the command line.

use workspace::markdown::Markdown;
use workspace::sheet::{Edit, Sheet};
use workspace::targets::{self, Argument, Cells, Chosen, Insertion, Region};
use workspace::word::{self, Markup, Position, Which, Word};
use workspace::{DocId, EditRequest, Mode, Refusal};

use crate::Bench;

const REF: Argument<'_> = Argument { field: "--id", name: "_Ref1" };

fn cells(bench: &Bench, book: DocId, text: &str) -> Result<String, Refusal> {
    let address = targets::address(text);
    let found = bench.workspace.read::<Sheet, _>(book, |view| targets::cells(view, &address)).unwrap();
    found.map(|cells| cells.to_string())
}

fn edit(bench: &Bench, book: DocId, edits: serde_json::Value) {
    let edits: Vec<Edit> = serde_json::from_value(edits).unwrap();
    bench.workspace.edit::<Sheet>(book, EditRequest::new(edits, Mode::Apply)).unwrap();
}

#[test]
fn a_bookmark_names_the_paragraph_that_it_starts_in() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let view = bench.workspace.snapshot::<Word>(contract).unwrap().view;
    let id = targets::paragraph(&view, REF).unwrap();
    let named = id.to_string();
    assert_eq!(targets::paragraph(&view, Argument { name: &named, ..REF }).unwrap(), id);
    for (name, expected) in [("_Ref2", "bookmark"), ("tbl_0123456789ab", "inserted beside")] {
        let refusal = targets::paragraph(&view, Argument { name, ..REF }).unwrap_err();
        assert!(matches!(&refusal, Refusal::Invalid { field, .. } if field == "--id"), "{refusal}");
        assert!(refusal.to_string().contains(expected), "{refusal}");
    }
}

#[test]
fn text_is_inserted_beside_a_bookmark_or_a_table() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let view = bench.workspace.snapshot::<Word>(contract).unwrap().view;
    let beside = |name| Insertion {
        beside: Argument { name, ..REF },
        position: Position::After,
        text: "New.".to_owned(),
        style_source: Some(REF),
        markup: Markup::Plain,
    };
    let id = targets::paragraph(&view, REF).unwrap();
    let edit = targets::insertion(&view, beside("_Ref1")).unwrap();
    assert!(
        matches!(&edit, word::Edit::InsertParagraphs(edit) if edit.anchor == id && edit.style_source == Some(id))
    );
    let edit = targets::insertion(&view, beside("tbl_0123456789ab")).unwrap();
    assert!(matches!(edit, word::Edit::InsertBesideTable(_)), "{edit:?}");
}

#[test]
fn changes_are_chosen_in_exactly_one_way() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let view = bench.workspace.snapshot::<Word>(contract).unwrap().view;
    let which = |chosen: Chosen<'_>| targets::changes(&view, chosen).unwrap();
    let none = Chosen::default();
    assert_eq!(which(none.clone()), None, "choosing none is not choosing all");
    assert_eq!(which(Chosen { all: true, ..none.clone() }), Some(Which::All));
    let author = Some("Ann".to_owned());
    assert_eq!(which(Chosen { all: true, author, ..none.clone() }), None, "two ways are not clear");
    let id = targets::paragraph(&view, REF).unwrap();
    assert_eq!(which(Chosen { paragraphs: vec![REF], ..none }), Some(Which::Paragraphs(vec![id])));
}

#[test]
fn cells_without_a_sheet_are_those_of_the_active_one() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    assert_eq!(cells(&bench, book, "B1").unwrap(), "Summary!B1", "it is the third, and shown on opening");
    assert_eq!(cells(&bench, book, "$b$1:c2").unwrap(), "Summary!B1:C2");
    assert_eq!(cells(&bench, book, "inputs!B3").unwrap(), "Inputs!B3");
    assert!(matches!(cells(&bench, book, "Input!B3"), Err(Refusal::NotFound { what: "sheet", .. })));
    assert!(matches!(cells(&bench, book, "Nothing"), Err(Refusal::Invalid { .. })));
}

#[test]
fn names_and_tables_say_where_their_cells_are() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    assert_eq!(cells(&bench, book, "costshare").unwrap(), "Inputs!B4");
    assert_eq!(cells(&bench, book, "Model!CostShare").unwrap(), "Inputs!B4", "the name is the workbook's");
    edit(
        &bench,
        book,
        serde_json::json!([
            {"op": "add_sheet", "name": "My list"},
            {"op": "set_cells", "sheet": "My list", "cells": [{"at": "A1", "input": {"text": "Item"}}, {"at": "A2", "input": {"number": 1}}]},
            {"op": "add_table", "sheet": "My list", "area": "A1:A3", "name": "Costs"},
            {"op": "define_name", "name": "Rate", "formula": "=0.3"}
        ]),
    );
    assert_eq!(cells(&bench, book, "Costs").unwrap(), "'My list'!A2:A3", "without the header");
    assert_eq!(cells(&bench, book, "'My list'!A1").unwrap(), "'My list'!A1");
    let refusal = cells(&bench, book, "Rate").unwrap_err();
    assert!(matches!(refusal, Refusal::Unsupported { .. }), "{refusal}");
}

#[test]
fn a_sheet_called_like_a_cell_is_a_sheet_only_where_one_may_be_meant() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    edit(&bench, book, serde_json::json!([{"op": "rename_sheet", "sheet": "Model", "to": "Q1"}]));
    let region = |text: &str| {
        bench.workspace.read::<Sheet, _>(book, |view| targets::region(view, text)).unwrap().unwrap()
    };
    assert_eq!(region("q1"), Region::Sheet("Q1".to_owned()));
    assert!(matches!(region("Q2"), Region::Cells(Cells { sheet, .. }) if sheet == "Summary"));
    assert_eq!(cells(&bench, book, "Q1").unwrap(), "Summary!Q1");
}

#[test]
fn a_section_is_found_by_its_title_unless_several_have_it() {
    let bench = Bench::new();
    let text = "# Title\n\n## Scope\n\na\n\n## scope\n\nb\n\n## Risks\n\nc\n\n## Risks\n\nd\n";
    let document = bench.open_text("handbook.md", text);
    let view = bench.workspace.snapshot::<Markdown>(document).unwrap().view;
    let section = |title: &str| targets::section(&view, title).map(|id| id.to_string());
    assert_eq!(section("Scope").unwrap(), "h-1", "the very text comes first");
    assert_eq!(section("## scope").unwrap(), "h-2");
    assert_eq!(section("TITLE").unwrap(), "h-0");
    let refusal = section("Risks").unwrap_err();
    assert!(
        matches!(&refusal, Refusal::Ambiguous { contexts, .. } if contexts == &["h-3", "h-4"]),
        "{refusal:?}"
    );
    assert!(matches!(section("SCOPE"), Err(Refusal::Ambiguous { count: 2, .. })));
    assert!(matches!(section("Nowhere"), Err(Refusal::NotFound { .. })));
    assert!(matches!(section(" "), Err(Refusal::NotFound { .. })));
    let block = |name: &str| targets::block(&view, name).map(|id| id.to_string());
    assert_eq!((block("p-0").unwrap(), block("Title").unwrap()), ("p-0".to_owned(), "h-0".to_owned()));
    assert!(matches!(block("Nowhere"), Err(Refusal::NotFound { .. })));
    assert!(matches!(block("p-x"), Err(Refusal::Invalid { .. })));
}

//! Plain requests, from the sentence to the document.

use workspace::operations::OperationError;
use workspace::requests::{self, Answer, Conclusion, Found, Request, RequestError};
use workspace::word::{Markup, Word};
use workspace::{DocId, Ending, Mode, Refusal, Standing, Stop};

use crate::Bench;

fn plain(text: &str) -> Request<'_> {
    Request { text, session: None, markup: Markup::Plain, mode: Mode::Apply, standing: Standing::default() }
}

fn ask(bench: &Bench, document: DocId, text: &str) -> Answer {
    requests::carry_out(&bench.workspace, document, &plain(text)).unwrap()
}

/// Which of the steps was refused, and why.
fn refused(error: RequestError) -> (Option<usize>, Refusal) {
    match error {
        RequestError::Refused { at, why, .. } => match *why {
            OperationError::Refused(refusal) => (at, refusal),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn later_steps_speak_of_what_the_earlier_ones_left_and_all_are_one_change() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    let number = |answer: &Answer| match answer.steps.last().and_then(|step| step.found.clone()) {
        Some(Found::Read(cells, read)) => (cells.to_string(), read[0].text.clone()),
        other => panic!("{other:?}"),
    };
    let before = ask(&bench, book, "What is B1");
    assert_eq!(before.conclusion, Conclusion::Answered);
    let after = ask(&bench, book, "Set B3 on Inputs to 1.1, then what is Summary!B1");
    assert_eq!(after.conclusion, Conclusion::Changed(Ending::Applied));
    assert!(matches!(&after.steps[0].found, Some(Found::Written(cells)) if cells.to_string() == "Inputs!B3"));
    assert_eq!(number(&after).0, "Summary!B1");
    assert_ne!(number(&after).1, number(&before).1);
    assert_eq!(bench.workspace.revisions(book).unwrap().len(), 1);
    bench.workspace.undo(book).unwrap();
    assert_eq!(number(&ask(&bench, book, "what is B1")).1, number(&before).1);
}

#[test]
fn a_value_that_is_misspelt_is_answered_with_the_likeliest_first() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    let request = plain("filter the data on Inputs to Assumption = Yearly growth facto");
    let (_, refusal) = refused(requests::carry_out(&bench.workspace, book, &request).unwrap_err());
    let Refusal::NotFound { what: "value", nearest, .. } = refusal else { panic!("{refusal}") };
    assert_eq!(nearest[0], "Yearly growth factor");
}

#[test]
fn nothing_is_done_unless_all_is_understood() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let answer = ask(&bench, contract, "Append a new paragraph 'Thanks', then fold the page in half");
    let Conclusion::NotUnderstood(rest) = &answer.conclusion else { panic!("{answer:?}") };
    assert_eq!(rest[0].text, "fold the page in half");
    assert!(matches!(answer.steps.as_slice(), [only] if only.found.is_none()), "{answer:?}");
    assert!(!bench.workspace.status(contract).unwrap().dirty);
    assert!(
        matches!(ask(&bench, contract, " ").conclusion, Conclusion::NotUnderstood(rest) if rest.len() == 1)
    );
}

#[test]
fn a_step_that_is_refused_is_named_and_none_is_made() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    let request = plain("Set B3 on Inputs to 2, then set B3 on Nowhere to 2");
    let error = requests::carry_out(&bench.workspace, book, &request).unwrap_err();
    assert!(matches!(&error, RequestError::Refused { steps, .. } if steps.len() == 2), "{error:?}");
    let (at, refusal) = refused(error);
    assert_eq!(at, Some(1));
    assert!(matches!(refusal, Refusal::NotFound { what: "sheet", .. }), "{refusal}");
    assert!(!bench.workspace.status(book).unwrap().dirty);
}

#[test]
fn a_request_can_be_tried_staged_and_stopped() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let request =
        |mode| Request { mode, ..plain("Append a new paragraph 'Thanks', then make 'Thanks' bold") };
    let tried = requests::carry_out(&bench.workspace, contract, &request(Mode::DryRun)).unwrap();
    assert_eq!(tried.conclusion, Conclusion::Changed(Ending::Previewed));
    let staged = requests::carry_out(&bench.workspace, contract, &request(Mode::Suggest)).unwrap();
    let Conclusion::Changed(Ending::Suggested(id)) = &staged.conclusion else { panic!("{staged:?}") };
    assert_eq!(staged.revision, tried.revision, "nothing is changed until somebody accepts");
    bench.person.accept(contract, id).unwrap();
    let text = |text: &str| {
        let search = workspace::word::Search { patterns: vec![text.to_owned()], ..Default::default() };
        bench.workspace.read::<Word, _>(contract, |view| view.grep(&search)).unwrap().unwrap().total
    };
    assert_eq!(text("Thanks"), 1);
    let stopped = bench.workspace.until(Stop::when(|| true));
    let error = requests::carry_out(&stopped, contract, &request(Mode::Apply)).unwrap_err();
    assert_eq!(refused(error).1, Refusal::Cancelled);
}

#[test]
fn what_no_request_can_ask_of_a_document_is_refused() {
    let bench = Bench::new();
    let book = bench.open_sample("budget.xlsx");
    let tracked = Request { markup: Markup::Tracked, ..plain("Set A1 to 2") };
    let error = requests::carry_out(&bench.workspace, book, &tracked).unwrap_err();
    assert!(matches!(refused(error).1, Refusal::Unsupported { .. }));
    let long = "very ".repeat(1_000);
    assert!(requests::carry_out(&bench.workspace, book, &plain(&long)).is_err());
    let table = bench.open_text("values.csv", "a,b\n");
    let error = requests::carry_out(&bench.workspace, table, &plain("Append 'c'")).unwrap_err();
    assert!(matches!(error, RequestError::Format { .. }), "{error:?}");
}

//! Word operations on a document of the workspace: ranges get ids, the selection stays, pictures need the network.

use workspace::operations::{self, Done, OperationError, Site};
use workspace::word::Markup;
use workspace::word::op::{
    Answer, InsertPicture, InsertText, Location, Op, PictureSource, Scope, Search, SetSelection,
};
use workspace::{DocId, Ending, Mode, Refusal};

use crate::Bench;

fn site(bench: &Bench, document: DocId, mode: Mode) -> Site {
    let session = bench.workspace.working_session(document).unwrap();
    assert_eq!(bench.workspace.working_session(document).unwrap(), session, "one is enough");
    let cursor = operations::cursor(&bench.workspace, document, &session);
    Site { document, cursor, mode, markup: Markup::Plain, standing: workspace::Standing::default() }
}

fn run(bench: &Bench, site: &Site, op: Op) -> Done {
    operations::carry_out(&bench.workspace, site, &[op]).unwrap()
}

fn insert(scope: Scope) -> Op {
    let text = "NEW ".to_owned();
    Op::InsertText(InsertText { text, scope, location: Location::Before, ..InsertText::default() })
}

#[test]
fn a_range_has_an_id_once_it_stands_in_the_document() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let apply = site(&bench, contract, Mode::Apply);
    let search = Op::Search(Search { query: "Supplier".to_owned(), ..Search::default() });
    let found = run(&bench, &apply, search);
    assert!(found.ending.is_none() && found.revision.is_none(), "it only read");
    let Answer::Found { results } = &found.answers[0] else { panic!("{found:?}") };
    let range = results[0].range.clone().unwrap();

    let tried = site(&bench, contract, Mode::DryRun);
    let would = run(&bench, &tried, insert(Scope::Range(range.to_string())));
    assert_eq!(would.ending, Some(Ending::Previewed));
    assert!(matches!(would.answers[0], Answer::Text { range: None, length: 4 }), "{would:?}");
    let done = run(&bench, &apply, insert(Scope::Range(range.to_string())));
    assert_eq!(done.ending, Some(Ending::Applied));
    assert!(matches!(done.answers[0], Answer::Text { range: Some(_), .. }), "{done:?}");
    assert_eq!(done.summary, "Insert \"NEW \"");

    let whole = Op::SetSelection(SetSelection {
        scope: Scope::Range(range.to_string()),
        location: Location::Replace,
    });
    run(&bench, &apply, whole);
    let selected = run(&bench, &apply, Op::GetSelection);
    assert!(
        matches!(&selected.answers[0], Answer::Selection { text, .. } if text == "Supplier"),
        "{selected:?}"
    );
}

#[test]
fn a_picture_is_fetched_only_where_the_caller_may() {
    let bench = Bench::new();
    let contract = bench.open_sample("contract.docx");
    let picture = InsertPicture {
        source: PictureSource::Url("https://example.com/logo.png".to_owned()),
        scope: Scope::Document,
        location: Location::End,
        width: None,
        height: None,
        lock_aspect_ratio: true,
        alt_text: None,
        wrap: Default::default(),
    };
    let site = site(&bench, contract, Mode::Apply);
    let error = operations::carry_out(&bench.workspace, &site, &[Op::InsertPicture(picture)]).unwrap_err();
    assert!(matches!(error, OperationError::Refused(Refusal::Denied { .. })), "{error:?}");
}

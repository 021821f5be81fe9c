//! Suggestions and the ways an edit can end.

use workspace::{
    ChangeKind, Closing, EditRequest, Ending, Event, Mode, Overwrite, Reading, Refusal, Status, Text,
    TextEdit,
};

use crate::Bench;

#[test]
fn accepting_is_one_undo_step_and_undo_brings_the_suggestion_back() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let suggestion = bench.suggest(document, "two", "2");
    assert_eq!(bench.text(document), "one two three");
    let listed = bench.workspace.suggestions(document).unwrap();
    let change = &listed[0].changes[0];
    assert_eq!((change.kind(), change.range.clone()), (ChangeKind::Replace, 4..7));
    assert_eq!((&*change.original.bytes(), &*change.new.bytes()), (&b"two"[..], &b"2"[..]));
    bench.apply(document, "one", "number one");
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "number one 2 three");
    assert!(bench.workspace.suggestions(document).unwrap().is_empty());
    assert!(matches!(bench.person.accept(document, &suggestion), Err(Refusal::Gone { .. })));
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "number one two three");
    assert_eq!(bench.workspace.suggestions(document).unwrap().len(), 1);
    bench.person.redo(document).unwrap();
    assert_eq!(bench.text(document), "number one 2 three");
    assert!(bench.workspace.suggestions(document).unwrap().is_empty());
    bench.person.undo(document).unwrap();
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "one two three");
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "one 2 three");
}

#[test]
fn a_suggestion_whose_text_is_gone_is_stale_and_never_applied() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let suggestion = bench.suggest(document, "two", "2");
    bench.apply(document, "two three", "nothing");
    let listed = bench.workspace.suggestions(document).unwrap();
    assert!(matches!(listed[0].status, Status::Stale { .. }));
    assert!(matches!(bench.person.accept(document, &suggestion), Err(Refusal::Stale { .. })));
    let all = bench.person.accept_all(document).unwrap();
    assert!(all.accepted.is_empty());
    assert_eq!(bench.text(document), "one nothing");
    bench.person.undo(document).unwrap();
    assert_eq!(bench.workspace.suggestions(document).unwrap()[0].status, Status::Pending);
    bench.person.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "one 2 three");
}

#[test]
fn what_a_suggestion_would_change_can_be_read_also_when_it_is_stale() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "zero\none two\nthree\n");
    bench.suggest(document, "two", "2");
    let readable = || {
        let listed = bench.workspace.suggestions(document).unwrap();
        let shown = &listed[0].shown[0];
        (shown.place.clone(), shown.before.clone(), shown.after.clone())
    };
    assert_eq!(readable(), ("line 2".into(), "one two".into(), "one 2".into()));
    // What is shown of a pending one is what would happen now.
    bench.apply(document, "zero\none", "1");
    assert_eq!(readable(), ("line 1".into(), "1 two".into(), "1 2".into()));
    bench.apply(document, "1 two", "nothing");
    assert_eq!(readable(), ("line 2".into(), "one two".into(), "one 2".into()));
}

#[test]
fn rejecting_leaves_nothing_in_the_history_and_the_agent_is_told_once() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let suggestion = bench.suggest(document, "two", "2");
    let before = bench.workspace.revision(document).unwrap();
    bench.person.reject(document, &suggestion).unwrap();
    assert_eq!(bench.workspace.revision(document).unwrap(), before);
    assert!(bench.person.undo(document).unwrap().is_none());
    let told = bench.workspace.notices();
    let expected = Event::Rejected {
        client: bench.workspace.caller().id.to_string(),
        id: suggestion.clone(),
        by: "Ann".into(),
    };
    assert_eq!(told.iter().map(|notice| &notice.event).collect::<Vec<_>>(), [&expected]);
    assert!(bench.workspace.notices().is_empty());
    assert!(bench.workspace.notices().is_empty());
    let status = bench.workspace.suggestion(document, &suggestion).unwrap().status;
    assert!(matches!(status, Status::Rejected(decision) if decision.by == "Ann"));
}

#[test]
fn a_stale_suggestion_that_was_rejected_does_not_come_back() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let suggestion = bench.suggest(document, "two", "2");
    bench.apply(document, "two", "zwei");
    bench.person.reject(document, &suggestion).unwrap();
    bench.person.undo(document).unwrap();
    assert!(bench.workspace.suggestions(document).unwrap().is_empty());
    bench.person.accept_all(document).unwrap();
    assert_eq!(bench.text(document), "one two three");
}

#[test]
fn all_are_accepted_in_document_order_as_one_step() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    bench.suggest(document, "three", "3");
    let overlapping = bench.suggest(document, "two three", "rest");
    bench.suggest(document, "one", "1");
    let all = bench.person.accept_all(document).unwrap();
    assert_eq!(all.accepted.len(), 2);
    assert_eq!(bench.text(document), "1 rest");
    assert!(all.accepted.contains(&overlapping));
    assert_eq!(all.left.len(), 1);
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "one two three");
    assert_eq!(bench.workspace.suggestions(document).unwrap().len(), 3);
    assert!(bench.workspace.suggestions(document).unwrap().iter().all(|one| one.status == Status::Pending));
}

#[test]
fn a_group_is_decided_as_one() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let staged: Vec<_> = [(0..3, "1"), (4..7, "2")]
        .into_iter()
        .map(|(range, with)| {
            let mut request = EditRequest::new(vec![TextEdit::new(range, with)], Mode::Suggest);
            request.group = Some("g".into());
            bench.workspace.edit::<Text>(document, request).unwrap().ending
        })
        .collect();
    let Ending::Suggested(first) = &staged[0] else { panic!() };
    let accepted = bench.person.accept(document, first).unwrap();
    assert_eq!(accepted.accepted.len(), 2);
    assert_eq!(bench.text(document), "1 2 three");
    bench.person.undo(document).unwrap();
    assert_eq!(bench.person.reject(document, first).unwrap().len(), 2);
    assert!(bench.workspace.suggestions(document).unwrap().is_empty());
}

#[test]
fn who_may_accept_is_a_policy() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let suggestion = bench.suggest(document, "one", "two");
    assert!(matches!(bench.workspace.accept(document, &suggestion), Err(Refusal::Denied { .. })));
    assert_eq!(bench.text(document), "one");
    let bench = Bench::with(|caller, _| caller.approval.agents_may_accept = true);
    let document = bench.open_text("a.cfg", "one");
    let suggestion = bench.suggest(document, "one", "two");
    bench.workspace.accept(document, &suggestion).unwrap();
    assert_eq!(bench.text(document), "two");
    // Where nothing waits by itself, what is asked to wait does.
    let bench = Bench::with(|caller, _| caller.approval = workspace::Approval::auto());
    let document = bench.open_text("a.cfg", "one");
    let outcome = bench.edit(document, TextEdit::new(0..3, "two"), Mode::Suggest).unwrap();
    assert!(matches!(outcome.ending, Ending::Suggested(_)));
    bench.apply(document, "one", "three");
    assert_eq!(bench.text(document), "three");
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let outcome = bench.edit(document, TextEdit::new(0..3, "two"), Mode::DryRun).unwrap();
    assert_eq!(outcome.ending, Ending::Previewed);
    assert_eq!(&*outcome.changes[0].new.bytes(), b"two");
    assert_eq!(bench.text(document), "one");
    assert!(!bench.workspace.status(document).unwrap().dirty);
    let outcome = bench.edit(document, TextEdit::new(0..3, "one"), Mode::Apply).unwrap();
    assert_eq!(outcome.ending, Ending::Unchanged);
    assert_eq!(outcome.revision.number, 0);
}

#[test]
fn an_edit_of_an_older_revision_is_carried_or_refused() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let base = bench.workspace.revision(document).unwrap().revision;
    bench.apply(document, "one", "number one");
    let at_base =
        |edit: TextEdit| EditRequest { base: Some(base), ..EditRequest::new(vec![edit], Mode::Apply) };
    bench.workspace.edit::<Text>(document, at_base(TextEdit::new(4..7, "2"))).unwrap();
    assert_eq!(bench.text(document), "number one 2 three");
    let current = bench.workspace.revision(document).unwrap().revision;
    let refusal = bench.workspace.edit::<Text>(document, at_base(TextEdit::new(2..5, "x"))).unwrap_err();
    assert!(
        matches!(refusal, Refusal::Stale { expected, current: now, .. } if expected == base && now == current)
    );
    let unknown = EditRequest {
        base: Some("rev-1-00000000".parse().unwrap()),
        ..EditRequest::new(vec![TextEdit::new(0..0, "x")], Mode::Apply)
    };
    assert!(matches!(bench.workspace.edit::<Text>(document, unknown), Err(Refusal::Stale { .. })));
}

#[test]
fn a_batch_speaks_of_one_reading_and_is_all_or_none() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let batch = |edits, reading| EditRequest { reading, ..EditRequest::new(edits, Mode::Apply) };
    let edits = vec![TextEdit::new(0..3, "number one"), TextEdit::new(8..13, "3")];
    let outcome = bench.workspace.edit::<Text>(document, batch(edits.clone(), Reading::Together)).unwrap();
    assert_eq!(bench.text(document), "number one two 3");
    assert_eq!(outcome.outcomes.len(), 2);
    bench.person.undo(document).unwrap();
    assert_eq!(bench.text(document), "one two three");
    bench.workspace.edit::<Text>(document, batch(edits, Reading::InTurn)).unwrap();
    assert_eq!(bench.text(document), "number o3o three");
    bench.person.undo(document).unwrap();
    let clash = vec![TextEdit::new(0..7, "x"), TextEdit::new(4..13, "y")];
    let refusal = bench.workspace.edit::<Text>(document, batch(clash, Reading::Together)).unwrap_err();
    assert!(matches!(refusal, Refusal::InBatch { index: 1, count: 2, .. }), "{refusal:?}");
    assert_eq!(bench.text(document), "one two three");
}

#[test]
fn a_request_sent_twice_is_made_once() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let request = |with: &str| EditRequest {
        request: Some("r1".into()),
        ..EditRequest::new(vec![TextEdit::new(0..0, with)], Mode::Apply)
    };
    let first = bench.workspace.edit::<Text>(document, request("x")).unwrap();
    let second = bench.workspace.edit::<Text>(document, request("x")).unwrap();
    assert_eq!(bench.text(document), "xone");
    assert_eq!(first.revision, second.revision);
    assert!(matches!(bench.workspace.edit::<Text>(document, request("y")), Err(Refusal::Invalid { .. })));
    assert_eq!(bench.text(document), "xone");
}

#[test]
fn a_decision_is_known_to_whoever_asks_later() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let suggestion = bench.suggest(document, "one", "two");
    let ids = [suggestion.clone()];
    let stands = || bench.workspace.decisions(&ids).unwrap().remove(0).1;
    assert_eq!(stands(), Status::Pending);
    bench.person.accept(document, &suggestion).unwrap();
    assert!(matches!(stands(), Status::Accepted(decision) if decision.by == "Ann"));
    bench.person.save(document, Overwrite::Refuse).unwrap();
    for number in 0..12 {
        let name = format!("{number}.cfg");
        bench.open_text(&name, "other");
        bench.workspace.close_tab(None, None, Closing::Careful).unwrap();
    }
    bench.workspace.close_tab(None, None, Closing::Careful).unwrap();
    assert!(matches!(stands(), Status::Accepted(decision) if decision.by == "Ann"));
}

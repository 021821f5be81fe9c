//! Several callers at one desk: documents are shared, places are not, and agents touch only what is their own.

use workspace::{
    Approval, Caller, Closing, Desk, EditRequest, Ending, Gate, Kind, Mode, OpenIn, Overwrite, Refusal, Text,
    TextEdit, Workspace,
};

use crate::Bench;

fn other(bench: &Bench) -> Workspace {
    let caller = Caller { approval: Approval::auto(), ..Caller::agent("Bot", bench.root()) };
    bench.seat(caller)
}

fn not_found<T: std::fmt::Debug>(result: Result<T, Refusal>) {
    assert!(matches!(result, Err(Refusal::NotFound { .. })), "{result:?}");
}

#[test]
fn each_caller_edits_the_document_in_front_of_itself() {
    let bench = Bench::new();
    let (one, two) = (&bench.workspace, other(&bench));
    bench.file("a.cfg", "a");
    bench.file("b.cfg", "b");
    let a = one.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    let b = two.open("b.cfg", OpenIn::Tab(None)).unwrap().document;
    assert_eq!(one.active(None).unwrap().1, a);
    assert_eq!(two.active(None).unwrap().1, b);
    assert_eq!(one.windows().len(), 1);
    assert_eq!(one.tabs(None).unwrap().len(), 1);
    two.new_window();
    assert_eq!(one.windows().len(), 1);
}

#[test]
fn a_document_is_one_for_all_and_each_has_its_own_tab_of_it() {
    let bench = Bench::new();
    let (one, two) = (&bench.workspace, other(&bench));
    let document = bench.open_text("a.cfg", "text");
    let again = two.open("a.cfg", OpenIn::Tab(None)).unwrap();
    assert_eq!((again.document, again.was_open), (document, true));
    assert_ne!(one.tab(None, None).unwrap().id, two.tab(None, None).unwrap().id);
    bench.apply(document, "text", "word");
    assert_eq!(two.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap(), b"word");
    // Not the last to close it, so nothing is given up.
    two.close_tab(None, None, Closing::Careful).unwrap();
    assert!(one.status(document).unwrap().dirty);
    assert!(matches!(one.close_tab(None, None, Closing::Careful), Err(Refusal::Unsaved { .. })));
}

#[test]
fn what_is_anothers_is_not_there() {
    let bench = Bench::new();
    std::fs::create_dir(bench.root().join("sub")).unwrap();
    let hostile = bench.seat(Caller::agent("Eve", bench.root().join("sub")));
    let document = bench.open_text("a.cfg", "secret");
    let suggestion = bench.suggest(document, "secret", "open");
    let session = bench.workspace.begin_session(document).unwrap();
    let tab = bench.workspace.tab(None, None).unwrap().id;
    let untitled = bench.workspace.create(None, Kind::Markdown, OpenIn::Tab(None)).unwrap().document;
    not_found(hostile.status(document));
    not_found(hostile.read::<Text, _>(document, |_| ()));
    not_found(hostile.snapshot::<Text>(document));
    not_found(hostile.edit::<Text>(document, EditRequest::new(vec![TextEdit::new(0..0, "x")], Mode::DryRun)));
    not_found(hostile.undo(document));
    not_found(hostile.save(document, Overwrite::Allow));
    not_found(hostile.suggestions(document));
    not_found(hostile.suggestion(document, &suggestion));
    not_found(hostile.document_of(&suggestion));
    not_found(hostile.decisions(std::slice::from_ref(&suggestion)));
    not_found(hostile.reject(document, &suggestion));
    not_found(hostile.session(&session));
    not_found(hostile.tab(None, Some(tab)));
    not_found(hostile.switch_tab(None, tab));
    not_found(hostile.status(untitled));
    not_found(hostile.meant(Some(&document.to_string())));
    assert!(hostile.documents().is_empty());
    assert!(hostile.notices().is_empty());
    assert!(hostile.recent().is_empty());
    // Another agent with the same folder sees the document, and neither the session nor what has no file.
    let bot = other(&bench);
    assert_eq!(bot.status(document).unwrap().title, "a.cfg");
    not_found(bot.session(&session));
    not_found(bot.status(untitled));
    assert_eq!(bot.session_of(document), None);
    assert!(matches!(bot.accept(document, &suggestion), Err(Refusal::Denied { .. })));
    assert!(matches!(bot.reject(document, &suggestion), Err(Refusal::Denied { .. })));
    assert!(bot.accept_all(document).unwrap().accepted.is_empty());
    assert!(bot.reject_all(document).unwrap().is_empty());
    // A person sees both.
    assert_eq!(bench.person.status(untitled).unwrap().title, "Untitled-1");
    bench.person.accept(document, &suggestion).unwrap();
}

#[test]
fn a_window_is_named_by_its_label_a_document_or_a_path() {
    let bench = Bench::new();
    let workspace = &bench.workspace;
    bench.file("b.cfg", "b");
    let a = bench.open_text("a.cfg", "a");
    assert_eq!(workspace.meant(None).unwrap().1, a);
    assert_eq!(workspace.meant(Some("main")).unwrap().1, a);
    let b = workspace.meant(Some("b.cfg")).unwrap().1;
    assert_ne!(a, b);
    assert_eq!(workspace.meant(Some(&b.to_string())).unwrap().1, b);
    assert_eq!(workspace.meant(None).unwrap().1, a, "naming a document does not bring it to the front");
    not_found(workspace.meant(Some("window-7")));
    not_found(workspace.meant(Some("doc-999")));
    assert!(matches!(workspace.meant(Some("/etc/passwd")), Err(Refusal::Denied { .. })));
}

#[test]
fn the_gate_is_the_callers_and_the_formats() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    let ending = |approval: Approval, mode: Mode| {
        let workspace = bench.seat(Caller { approval, ..Caller::agent("Bot", bench.root()) });
        let request = EditRequest::new(vec![TextEdit::new(0..0, "x")], mode);
        let outcome = workspace.edit::<Text>(document, request).unwrap();
        (outcome.ending, outcome.notes.len())
    };
    assert_eq!(ending(Approval::auto(), Mode::Apply), (Ending::Applied, 0));
    assert!(matches!(ending(Approval::auto(), Mode::Suggest), (Ending::Suggested(_), 0)));
    assert!(matches!(ending(Approval::default(), Mode::Apply), (Ending::Suggested(_), 0)));
    assert_eq!(ending(Approval::default(), Mode::DryRun), (Ending::Previewed, 0));
    // Text has no tracked changes, so it waits, and the answer says so.
    assert!(matches!(ending(Approval::all(Gate::Track), Mode::Apply), (Ending::Suggested(_), 1)));
}

#[test]
fn a_request_id_is_its_callers() {
    let bench = Bench::new();
    let bot = other(&bench);
    let document = bench.open_text("a.cfg", "one");
    let request = |with: &str| EditRequest {
        request: Some("r1".to_owned()),
        ..EditRequest::new(vec![TextEdit::new(0..0, with)], Mode::Apply)
    };
    bench.workspace.edit::<Text>(document, request("x")).unwrap();
    bot.edit::<Text>(document, request("y")).unwrap();
    assert_eq!(bench.text(document), "yxone");
}

#[test]
fn a_caller_that_comes_back_finds_its_places_and_a_new_desk_keeps_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("docs");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.cfg"), "one").unwrap();
    let config = || workspace::Config { state: Some(folder.path().join("state")), ..Default::default() };
    let caller = Caller { approval: Approval::auto(), ..Caller::agent("Bot", &root) };
    let desk = Desk::new(config()).unwrap();
    let seat = desk.seat(caller.clone()).unwrap();
    let opened = seat.open("a.cfg", OpenIn::Tab(None)).unwrap();
    let session = seat.begin_session(opened.document).unwrap();
    let window = seat.new_window();
    seat.focus(&workspace::WindowLabel::new("main")).unwrap();
    drop(seat);
    let seat = desk.seat(caller.clone()).unwrap();
    assert_eq!(seat.active(None).unwrap().1, opened.document);
    assert_eq!(seat.session(&session).unwrap(), opened.document);
    let edit = EditRequest::new(vec![TextEdit::new(0..3, "two")], Mode::Apply);
    seat.edit::<Text>(opened.document, edit).unwrap();
    drop((seat, desk));
    // Another process, on the same folder.
    let desk = Desk::new(config()).unwrap();
    let stranger = desk.seat(Caller::agent("Eve", &root)).unwrap();
    not_found(stranger.active(None));
    not_found(stranger.session(&session));
    let seat = desk.seat(caller).unwrap();
    assert_eq!(seat.session(&session).unwrap(), opened.document);
    assert_eq!(seat.active(None).unwrap().1, opened.document);
    assert_eq!(seat.tab(None, None).unwrap().id, opened.tab.unwrap().1);
    assert_eq!(seat.read::<Text, _>(opened.document, |view| view.bytes().into_owned()).unwrap(), b"two");
    assert!(seat.windows().iter().any(|status| status.label == window));
    std::fs::write(root.join("b.cfg"), "b").unwrap();
    let new = seat.open("b.cfg", OpenIn::Tab(None)).unwrap();
    assert_ne!(new.document, opened.document);
}

#[test]
fn a_seat_that_nobody_takes_again_is_cleared_and_its_work_kept() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    let bench = Bench::of(&folder.path().join("state"), &folder.path().join("docs"));
    std::fs::write(folder.path().join("docs/a.cfg"), "one").unwrap();
    let caller = Caller { approval: Approval::auto(), ..Caller::agent("Bot", folder.path().join("docs")) };
    let bot = bench.seat(caller.clone());
    let document = bot.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    bot.edit::<Text>(document, EditRequest::new(vec![TextEdit::new(0..3, "two")], Mode::Apply)).unwrap();
    drop(bot);
    bench.clock.advance(3600);
    let bot = bench.seat(caller);
    not_found(bot.active(None));
    not_found(bench.person.status(document));
    let again = bot.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    assert_ne!(again, document, "an id is not used twice");
    assert_eq!(bot.read::<Text, _>(again, |view| view.bytes().into_owned()).unwrap(), b"two");
}

#[test]
fn an_agent_undoes_and_redoes_only_its_own() {
    let bench = Bench::new();
    let bot = other(&bench);
    let document = bench.open_text("a.cfg", "one");
    let edit = |workspace: &Workspace, with: &str| {
        let edit = EditRequest::new(vec![TextEdit::new(0..0, with)], Mode::Apply);
        workspace.edit::<Text>(document, edit).unwrap();
    };
    let refused = |result: Result<Option<workspace::Revision>, Refusal>, whose: &str| match result {
        Err(Refusal::Denied { why, .. }) => assert!(why.contains(whose), "{why}"),
        other => panic!("{other:?}"),
    };
    edit(&bench.workspace, "a");
    edit(&bot, "b");
    refused(bench.workspace.undo(document), "made by Bot");
    bot.undo(document).unwrap().unwrap();
    bench.workspace.undo(document).unwrap().unwrap();
    refused(bot.redo(document), "made by Agent");
    bench.workspace.redo(document).unwrap().unwrap();
    bench.person.undo(document).unwrap().unwrap();
    refused(bench.workspace.redo(document), "taken back by Ann");
    bench.person.redo(document).unwrap().unwrap();
    // What came from outside is a person's.
    bench.person.save(document, Overwrite::Refuse).unwrap();
    bench.file("a.cfg", "aone, says Ann");
    bench.workspace.refresh(document).unwrap();
    assert_eq!(bench.text(document), "aone, says Ann");
    refused(bench.workspace.undo(document), "made by another program");
    bench.person.undo(document).unwrap().unwrap();
    // Nor does it put others' unsaved work away.
    edit(&bot, "b");
    assert!(matches!(bench.workspace.reload(document), Err(Refusal::Denied { .. })));
    bench.person.reload(document).unwrap();
}

#[test]
fn an_agent_reloads_over_what_an_earlier_run_of_it_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    let bench = Bench::of(&folder.path().join("state"), &docs);
    std::fs::write(docs.join("a.cfg"), "one").unwrap();
    let caller = |id: &str| Caller {
        id: workspace::CallerId::new(id),
        approval: Approval::auto(),
        ..Caller::agent("Bot", docs.clone())
    };
    let earlier = bench.seat(caller("earlier"));
    let document = earlier.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    earlier.edit::<Text>(document, EditRequest::new(vec![TextEdit::new(0..3, "two")], Mode::Apply)).unwrap();
    let bot = bench.seat(caller("later"));
    let document = bot.open("a.cfg", OpenIn::Tab(None)).unwrap().document;
    // Another client of the same name that is still here keeps its work.
    assert!(matches!(bot.reload(document), Err(Refusal::Denied { .. })));
    drop(earlier);
    bot.reload(document).unwrap();
    assert_eq!(bot.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap(), b"one");
}

#[test]
fn an_untitled_document_and_a_named_range_come_back_to_their_caller_under_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("docs");
    std::fs::create_dir(&root).unwrap();
    let config = || workspace::Config { state: Some(folder.path().join("state")), ..Default::default() };
    let caller = Caller { approval: Approval::auto(), ..Caller::agent("Bot", &root) };
    let desk = Desk::new(config()).unwrap();
    let seat = desk.seat(caller.clone()).unwrap();
    let document = seat.create(None, Kind::Text, OpenIn::Tab(None)).unwrap().document;
    let edit = |with: &str| EditRequest::new(vec![TextEdit::new(0..0, with)], Mode::Apply);
    seat.edit::<Text>(document, edit("one")).unwrap();
    let place = workspace::Selection { part: workspace::PartName::new(workspace::TEXT), range: 0..3 };
    let range = seat.name_range(document, place, "one").unwrap();
    seat.edit::<Text>(document, edit("before ")).unwrap();
    let revision = seat.revision(document).unwrap().revision;
    drop((seat, desk));
    let desk = Desk::new(config()).unwrap();
    not_found(desk.seat(Caller::agent("Eve", &root)).unwrap().status(document));
    let seat = desk.seat(caller).unwrap();
    assert_eq!(seat.active(None).unwrap().1, document);
    assert_eq!(seat.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap(), b"before one");
    assert_eq!(seat.range(document, &range).unwrap().range, 7..10);
    assert_eq!(seat.revision(document).unwrap().revision, revision);
    not_found(desk.seat(Caller::person("Ann", &root)).unwrap().range(document, &range));
    seat.undo(document).unwrap().unwrap();
    assert_eq!(seat.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap(), b"one");
}

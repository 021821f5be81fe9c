//! Windows, tabs, sessions, selections.

use workspace::{Closing, Kind, Mode, OpenIn, PartName, Refusal, Selection, TEXT, TextEdit, WindowLabel};

use crate::Bench;

#[test]
fn opening_an_open_file_goes_to_it_and_keeps_what_is_unsaved() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    bench.apply(document, "one", "two");
    bench.open_text("b.cfg", "b");
    let again = bench.workspace.open(bench.root().join("a.cfg"), OpenIn::Tab(None)).unwrap();
    assert!(again.was_open);
    assert_eq!(again.document, document);
    assert_eq!(bench.workspace.active(None).unwrap().1, document);
    assert_eq!(bench.text(document), "two");
    assert_eq!(bench.workspace.tabs(None).unwrap().len(), 2);
}

#[test]
fn closing_needs_force_when_dirty_and_reopening_restores_the_text() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one");
    bench.apply(document, "one", "two");
    let refusal = bench.workspace.close_tab(None, None, Closing::Careful).unwrap_err();
    assert_eq!(refusal, Refusal::Unsaved { what: "a.cfg".into() });
    bench.workspace.close_tab(None, None, Closing::Force).unwrap();
    assert!(bench.workspace.active(None).is_err());
    let reopened = bench.workspace.reopen_closed(None).unwrap().unwrap();
    assert_eq!(bench.text(reopened.document), "two");
    assert!(bench.workspace.reopen_closed(None).unwrap().is_none());
}

#[test]
fn a_window_remembers_ten_closed_tabs() {
    let bench = Bench::new();
    for index in 0..12 {
        bench.open_text(&format!("{index}.cfg"), "x");
        bench.workspace.close_tab(None, None, Closing::Careful).unwrap();
    }
    let mut titles = Vec::new();
    while let Some(opened) = bench.workspace.reopen_closed(None).unwrap() {
        titles.push(bench.workspace.status(opened.document).unwrap().title);
    }
    assert_eq!(titles.len(), 10);
    assert_eq!((titles[0].as_str(), titles[9].as_str()), ("11.cfg", "2.cfg"));
}

#[test]
fn windows_have_labels_and_the_focused_one_is_meant() {
    let bench = Bench::new();
    bench.open_text("a.cfg", "a");
    let second = bench.workspace.new_window();
    assert_eq!(second.as_str(), "window-2");
    assert_eq!(bench.workspace.focused(), second);
    let document = bench.open_text("b.cfg", "b");
    assert_eq!(bench.workspace.active(None).unwrap(), (second.clone(), document));
    let labels: Vec<String> =
        bench.workspace.windows().iter().map(|window| window.label.to_string()).collect();
    assert_eq!(labels, ["main", "window-2"]);
    let unknown = bench.workspace.focus(&WindowLabel::new("window-9")).unwrap_err();
    assert_eq!(unknown.hint().unwrap(), "nearest: main, window-2");
    bench.apply(document, "b", "B");
    assert!(bench.workspace.close_window(None, Closing::Careful).is_err());
    bench.workspace.close_window(None, Closing::Force).unwrap();
    assert_eq!(bench.workspace.focused().as_str(), "main");
    let reopened = bench.workspace.reopen_closed(None).unwrap().unwrap();
    assert_eq!(bench.text(reopened.document), "B");
}

#[test]
fn recent_files_are_newest_first_once_each_and_survive() {
    let state = tempfile::tempdir().unwrap();
    let bench = Bench::with(|_, config| config.state = Some(state.path().to_owned()));
    for index in 0..12 {
        bench.clock.advance(1);
        bench.open_text(&format!("{index}.cfg"), "x");
    }
    bench.clock.advance(1);
    bench.open("5.cfg");
    let names =
        |files: Vec<workspace::RecentFile>| files.into_iter().map(|file| file.name).collect::<Vec<_>>();
    let expected =
        ["5.cfg", "11.cfg", "10.cfg", "9.cfg", "8.cfg", "7.cfg", "6.cfg", "4.cfg", "3.cfg", "2.cfg"];
    assert_eq!(names(bench.workspace.recent()), expected);
    // What somebody has done who is still there is that caller's own; what an earlier run has left is everybody's.
    assert!(bench.person.recent().is_empty());
    let other = Bench::of(state.path(), &bench.root());
    assert_eq!(names(other.workspace.recent()), expected);
    assert!(
        Bench::with(|_, config| config.state = Some(state.path().to_owned())).workspace.recent().is_empty()
    );
}

#[test]
fn a_session_lives_an_hour_after_its_last_use() {
    let bench = Bench::new();
    bench.file("a.cfg", "one");
    let document = bench.workspace.open("a.cfg", OpenIn::Background).unwrap().document;
    let session = bench.workspace.begin_session(document).unwrap();
    assert!(session.to_string().starts_with("ses_"));
    bench.clock.advance(3600);
    assert_eq!(bench.workspace.session(&session).unwrap(), document);
    bench.clock.advance(3600);
    assert_eq!(bench.workspace.session(&session).unwrap(), document);
    bench.clock.advance(3601);
    let refusal = bench.workspace.session(&session).unwrap_err();
    assert_eq!(refusal, Refusal::Gone { what: "session", id: session.to_string(), last: "a.cfg".into() });
    assert!(bench.workspace.status(document).is_err());
}

#[test]
fn selections_follow_the_text_and_undo_puts_them_back() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let window = WindowLabel::new("main");
    let place = |range| Selection { part: PartName::new(TEXT), range };
    bench.workspace.select(document, &window, place(4..7)).unwrap();
    bench.apply(document, "one", "number one");
    assert_eq!(bench.workspace.selection(document, &window).unwrap(), Some(place(11..14)));
    bench.apply(document, "two", "twenty");
    assert_eq!(bench.workspace.selection(document, &window).unwrap(), Some(place(11..17)));
    bench.person.undo(document).unwrap();
    assert_eq!(bench.workspace.selection(document, &window).unwrap(), Some(place(11..14)));
    bench.workspace.select(document, &window, place(3..3)).unwrap();
    bench.edit(document, TextEdit::new(3..3, "xyz"), Mode::Apply).unwrap();
    assert_eq!(bench.workspace.selection(document, &window).unwrap(), Some(place(6..6)));
    assert!(bench.workspace.select(document, &window, place(0..1000)).is_err());
}

#[test]
fn a_named_range_lives_while_its_text_does() {
    let bench = Bench::new();
    let document = bench.open_text("a.cfg", "one two three");
    let place = |range| Selection { part: PartName::new(TEXT), range };
    let range = bench.workspace.name_range(document, place(4..7), "two").unwrap();
    bench.apply(document, "one ", "");
    assert_eq!(bench.workspace.range(document, &range).unwrap().range, 0..3);
    bench.apply(document, "two", "second");
    let found = bench.workspace.range(document, &range).unwrap();
    assert_eq!((found.range, found.touched), (0..6, true));
    bench.apply(document, "nd three", "");
    let refusal = bench.workspace.range(document, &range).unwrap_err();
    assert_eq!(refusal, Refusal::Gone { what: "range", id: range.to_string(), last: "two".into() });
    let unknown = "rng_0".parse().unwrap();
    assert!(matches!(bench.workspace.range(document, &unknown), Err(Refusal::NotFound { .. })));
}

#[test]
fn new_documents_have_tabs_and_titles() {
    let bench = Bench::new();
    let first = bench.workspace.create(None, Kind::Text, OpenIn::Tab(None)).unwrap();
    bench.workspace.create(Some("Plan"), Kind::Text, OpenIn::Tab(None)).unwrap();
    let tabs = bench.workspace.tabs(None).unwrap();
    let titles: Vec<&str> = tabs.iter().map(|tab| tab.document.title.as_str()).collect();
    assert_eq!(titles, ["Untitled-1", "Plan"]);
    assert_eq!(tabs.iter().map(|tab| tab.active).collect::<Vec<_>>(), [false, true]);
    let (window, tab) = first.tab.unwrap();
    bench.workspace.switch_tab(Some(&window), tab).unwrap();
    assert_eq!(bench.workspace.tab(None, None).unwrap().id, tab);
}

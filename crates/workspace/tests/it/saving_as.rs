//! Saving under another name: what becomes of the document for others, and of a file that is there already.

use workspace::word::{self, Word};
use workspace::{
    Approval, Caller, DocId, EditRequest, Ending, Gate, Kind, Mode, OpenIn, Overwrite, Refusal, Status, Text,
    TextEdit, Workspace,
};

use crate::Bench;

fn insert(workspace: &Workspace, document: DocId, text: &str) {
    let request = EditRequest::new(vec![TextEdit::new(0..0, text)], Mode::Apply);
    workspace.edit::<Text>(document, request).unwrap();
}

fn text(workspace: &Workspace, document: DocId) -> String {
    let bytes = workspace.read::<Text, _>(document, |view| view.bytes().into_owned()).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn others_keep_the_document_that_somebody_saves_under_another_name() {
    let bench = Bench::new();
    let ben = bench.seat(Caller { approval: Approval::auto(), ..Caller::agent("Ben", bench.root()) });
    let ann = &bench.workspace;
    let document = bench.open_text("a.cfg", "aaa");
    let session = ann.begin_session(document).unwrap();
    ben.open("a.cfg", OpenIn::Tab(None)).unwrap();
    insert(&ben, document, "BEN ");
    let request = EditRequest::new(vec![TextEdit::new(0..3, "Ben")], Mode::Suggest);
    let Ending::Suggested(suggestion) = ben.edit::<Text>(document, request).unwrap().ending else {
        panic!("it was to be staged")
    };
    let saved = ann.save_as(document, "b.cfg", Overwrite::Refuse).unwrap();
    assert!(saved.notes.iter().any(|note| note.text.contains("others have a.cfg open")), "{:?}", saved.notes);
    assert_eq!(bench.on_disk("b.cfg"), "BEN aaa");

    // Ben notices nothing.
    assert!(ben.status(document).unwrap().dirty);
    assert_eq!(ben.active(None).unwrap().1, document);
    assert_eq!(ben.decisions(std::slice::from_ref(&suggestion)).unwrap()[0].1, Status::Pending);
    ben.save(document, Overwrite::Refuse).unwrap();
    assert_eq!(bench.on_disk("a.cfg"), "BEN aaa");

    // Ann goes on in a document of her own, in the same tab and session.
    let own = ann.active(None).unwrap().1;
    assert_ne!(own, document);
    assert_eq!(ann.session(&session).unwrap(), own);
    assert_eq!(ann.status(own).unwrap().title, "b.cfg");
    assert_eq!(ann.tabs(None).unwrap().len(), 1);
    insert(ann, own, "ANN ");
    ann.save(own, Overwrite::Refuse).unwrap();
    assert_eq!((bench.on_disk("a.cfg"), bench.on_disk("b.cfg")), ("BEN aaa".into(), "ANN BEN aaa".into()));
    assert_eq!(text(&ben, document), "BEN aaa");

    // Who has it for himself takes it along.
    let alone = ann.save_as(own, "c.cfg", Overwrite::Refuse).unwrap();
    assert_eq!(ann.active(None).unwrap().1, own);
    assert!(alone.notes.is_empty(), "{:?}", alone.notes);
}

#[test]
fn where_edits_wait_no_other_file_is_written_over() {
    let bench = Bench::new();
    let denied = |result: Result<workspace::SaveReport, Refusal>| {
        assert!(matches!(result, Err(Refusal::Denied { .. })), "{result:?}");
    };
    for gate in [Gate::Suggest, Gate::Track] {
        let caller = Caller { approval: Approval::all(gate), ..Caller::agent("Bot", bench.root()) };
        let bot = bench.seat(caller);
        for (sample, taken) in
            [("contract.docx", "w.docx"), ("budget.xlsx", "x.xlsx"), ("handbook.md", "m.md")]
        {
            bench.open_sample(sample);
            std::fs::copy(bench.root().join(sample), bench.root().join(taken)).unwrap();
            let before = std::fs::read(bench.root().join(taken)).unwrap();
            let document = bot.open(sample, OpenIn::Tab(None)).unwrap().document;
            denied(bot.save_as(document, taken, Overwrite::Allow));
            denied(bot.save_copy(document, taken, Overwrite::Allow));
            if sample == "contract.docx" {
                denied(bot.save_clean(document, taken, Overwrite::Allow));
            }
            if sample == "budget.xlsx" {
                let revision = bot.revision(document).unwrap().revision;
                denied(bot.save_run(document, None, revision, taken, Overwrite::Allow));
                assert!(bot.may_write(taken).is_err(), "it is said before a script runs");
                assert!(bot.may_write("new.xlsx").is_ok());
            }
            assert_eq!(std::fs::read(bench.root().join(taken)).unwrap(), before);
            // A new name is free, and what one wrote oneself is one's own, until somebody else changes it.
            let own = format!("{}-{sample}", gate.name());
            bot.save_copy(document, &own, Overwrite::Allow).unwrap();
            bot.save_copy(document, &own, Overwrite::Allow).unwrap();
            std::fs::write(bench.root().join(&own), "theirs").unwrap();
            denied(bot.save_copy(document, &own, Overwrite::Allow));
            // Where edits are applied, and for people, it is as it was.
            bench.person.save_copy(document, taken, Overwrite::Allow).unwrap();
            bench.workspace.save_copy(document, taken, Overwrite::Allow).unwrap();
        }
    }
}

#[test]
fn a_word_suggestion_that_others_overtook_is_stale_for_who_waits_as_for_who_lists() {
    let bench = Bench::new();
    let document = bench.open_sample("contract.docx");
    let paragraph = bench
        .workspace
        .read::<Word, _>(document, |view| {
            let found = view.body().find(|place| {
                view.paragraph(*place)
                    .is_ok_and(|open| open.text(word::Side::Final).text.contains("Services"))
            });
            view.id(found.unwrap())
        })
        .unwrap();
    let suggest = |with: &str| {
        let edit = word::Edit::ReplaceText(word::ReplaceText {
            paragraph,
            old: "Services".to_owned(),
            new: with.to_owned(),
            expect: None,
            markup: word::Markup::Plain,
            clear_highlight: false,
        });
        match bench
            .workspace
            .edit::<Word>(document, EditRequest::new(vec![edit], Mode::Suggest))
            .unwrap()
            .ending
        {
            Ending::Suggested(id) => id,
            other => panic!("{other:?}"),
        }
    };
    let ids = ["Works", "Goods", "Supplies"].map(suggest);
    bench.person.accept(document, &ids[0]).unwrap();
    let stands = bench.workspace.decisions(&ids).unwrap();
    assert!(matches!(stands[0].1, Status::Accepted(_)));
    let listed = bench.workspace.suggestions(document).unwrap();
    for (id, status) in &stands[1..] {
        assert!(matches!(status, Status::Stale { .. }), "{stands:?}");
        assert_eq!(listed.iter().find(|one| one.id == *id).unwrap().status, *status);
    }
    // The document is whole again, and so are they.
    bench.person.undo(document).unwrap().unwrap();
    for (_, status) in bench.workspace.decisions(&ids).unwrap() {
        assert_eq!(status, Status::Pending);
    }
    assert_eq!(bench.workspace.status(document).unwrap().kind, Kind::Word);
}

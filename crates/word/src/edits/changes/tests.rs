use edit::Content;

use super::*;
use crate::testing::{document, document_with, lines, p, r};
use crate::{Edit, Side, Word};

fn body(content: &Content) -> String {
    let blob = content.read("word/document.xml").expect("read").expect("there");
    let text = String::from_utf8(blob.bytes().into_owned()).expect("UTF-8");
    let start = text.find("<w:body>").expect("a body") + 8;
    text[start..text.find("<w:sectPr/></w:body>").expect("a body")].to_owned()
}

fn resolve(content: &Content, resolution: Resolution, which: Which) -> Result<Content, Refusal> {
    let edit = Edit::ResolveChanges(ResolveChanges { resolution, which });
    testkit::check::<Word>(content, &[edit]).map(|done| done.content)
}

fn both(xml: &str) -> (String, String) {
    let content = document(xml);
    let of = |resolution| body(&resolve(&content, resolution, Which::All).expect("resolved"));
    (of(Resolution::Accept), of(Resolution::Reject))
}

const BY: &str = "w:author=\"A\" w:date=\"d\"";

#[test]
fn insertions_and_deletions_are_resolved_both_ways() {
    let xml = p(&format!(
        "{}<w:ins w:id=\"1\" {BY}>{}</w:ins><w:del w:id=\"2\" {BY}><w:r><w:delText xml:space=\"preserve\">c</w:delText></w:r></w:del>",
        r("a"),
        r("b")
    ));
    let (accepted, rejected) = both(&xml);
    assert_eq!(accepted, p(&format!("{}{}", r("a"), r("b"))));
    assert_eq!(rejected, p(&format!("{}{}", r("a"), r("c"))));
}

#[test]
fn a_nested_deletion_inside_an_insertion_is_resolved() {
    let xml = p(&format!(
        "<w:ins w:id=\"1\" {BY}>{}<w:del w:id=\"2\" {BY}><w:r><w:delText>c</w:delText></w:r></w:del></w:ins>",
        r("b")
    ));
    assert_eq!(both(&xml), (p(&r("b")), p("")));
    let only = resolve(&document(&xml), Resolution::Reject, Which::Ids(vec!["2".into()])).expect("resolved");
    assert_eq!(body(&only), p(&format!("<w:ins w:id=\"1\" {BY}>{}<w:r><w:t>c</w:t></w:r></w:ins>", r("b"))));
}

#[test]
fn other_authors_stay_byte_for_byte() {
    let theirs = format!("<w:ins w:id=\"2\" w:author=\"B\" w:date=\"d\">{}</w:ins>", r("b"));
    let xml = p(&format!("<w:ins w:id=\"1\" {BY}>{}</w:ins>{theirs}", r("a")));
    let done = resolve(&document(&xml), Resolution::Accept, Which::Author("A".into())).expect("resolved");
    assert_eq!(body(&done), p(&format!("{}{theirs}", r("a"))));
}

#[test]
fn a_record_of_formatting_stays_as_it_is_in_text_that_comes_back() {
    let look =
        "<w:rPr><w:i/><w:rPrChange w:id=\"2\" w:author=\"B\" w:date=\"d\"><w:rPr/></w:rPrChange></w:rPr>";
    let run = |name: &str| format!("<w:r>{look}<w:{name}>x</w:{name}></w:r>");
    let plain = |name: &str| format!("<w:r><w:rPr></w:rPr><w:{name}>y</w:{name}></w:r>");
    let gone = run("delText") + &plain("delText");
    let content = document(&p(&format!("<w:del w:id=\"1\" w:author=\"A\" w:date=\"d\">{gone}</w:del>")));
    let back = resolve(&content, Resolution::Reject, Which::Author("A".into())).expect("resolved");
    assert_eq!(body(&back), p(&(run("t") + &plain("t"))));
}

#[test]
fn a_mark_that_goes_joins_the_paragraphs() {
    let mark = |kind: &str| {
        format!("<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:{kind} w:id=\"1\" {BY}/></w:rPr></w:pPr>")
    };
    let tail = format!("<w:p w:x=\"k\"><w:pPr><w:jc w:val=\"right\"/></w:pPr>{}</w:p>", r("two"));
    let xml = format!(
        "{}<w:bookmarkStart w:id=\"9\" w:name=\"n\"/>{tail}",
        p(&format!("{}{}", mark("del"), r("one")))
    );
    let (accepted, rejected) = both(&xml);
    assert_eq!(
        accepted,
        format!(
            "<w:p w:x=\"k\"><w:pPr><w:jc w:val=\"right\"/></w:pPr>{}<w:bookmarkStart w:id=\"9\" w:name=\"n\"/>{}</w:p>",
            r("one"),
            r("two")
        )
    );
    assert_eq!(
        rejected,
        format!(
            "{}<w:bookmarkStart w:id=\"9\" w:name=\"n\"/>{tail}",
            p(&format!("<w:pPr><w:jc w:val=\"left\"/></w:pPr>{}", r("one")))
        )
    );
}

#[test]
fn a_paragraph_that_was_inserted_whole_goes_without_touching_its_neighbours() {
    let new = p(&format!(
        "<w:pPr><w:rPr><w:ins w:id=\"1\" {BY}/></w:rPr></w:pPr><w:ins w:id=\"2\" {BY}>{}</w:ins>",
        r("new")
    ));
    let xml = format!("{}{new}{}", p(&r("one")), p(&r("two")));
    let (accepted, rejected) = both(&xml);
    assert_eq!(rejected, format!("{}{}", p(&r("one")), p(&r("two"))));
    assert_eq!(accepted, format!("{}{}{}", p(&r("one")), p(&r("new")), p(&r("two"))));
}

#[test]
fn formatting_goes_back_to_what_the_record_says() {
    let xml = p(&format!(
        "<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:b/></w:rPr><w:pPrChange w:id=\"1\" {BY}><w:pPr><w:jc w:val=\"right\"/></w:pPr></w:pPrChange></w:pPr><w:r><w:rPr><w:b/><w:rPrChange w:id=\"2\" {BY}><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>x</w:t></w:r><w:r><w:rPr><w:b/><w:rPrChange w:id=\"3\" {BY}><w:rPr/></w:rPrChange></w:rPr><w:t>y</w:t></w:r>"
    ));
    let (accepted, rejected) = both(&xml);
    assert_eq!(
        accepted,
        "<w:p><w:pPr><w:jc w:val=\"left\"/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>y</w:t></w:r></w:p>"
    );
    assert_eq!(
        rejected,
        "<w:p><w:pPr><w:jc w:val=\"right\"/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>x</w:t></w:r><w:r><w:t>y</w:t></w:r></w:p>"
    );
}

#[test]
fn rows_and_tables_come_and_go() {
    let row = |mark: &str, text: &str| format!("<w:tr>{mark}<w:tc><w:tcPr/>{}</w:tc></w:tr>", p(&r(text)));
    let ins = format!("<w:trPr><w:ins w:id=\"1\" {BY}/></w:trPr>");
    let table = |rows: &str| format!("<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>");
    let xml = format!("{}{}", table(&format!("{}{}", row("", "a"), row(&ins, "b"))), p(""));
    let (accepted, rejected) = both(&xml);
    assert_eq!(accepted, format!("{}{}", table(&format!("{}{}", row("", "a"), row("", "b"))), p("")));
    assert_eq!(rejected, format!("{}{}", table(&row("", "a")), p("")));
    let (_, gone) = both(&format!("{}{}", table(&row(&ins, "b")), p("")));
    assert_eq!(gone, p(""));
}

#[test]
fn a_move_is_resolved_as_one() {
    let xml = format!(
        "{}{}",
        p(&format!(
            "<w:moveFromRangeStart w:id=\"1\" w:name=\"m\" {BY}/><w:moveFrom w:id=\"2\" {BY}>{}</w:moveFrom><w:moveFromRangeEnd w:id=\"1\"/>",
            r("x")
        )),
        p(&format!(
            "<w:moveToRangeStart w:id=\"3\" w:name=\"m\" {BY}/><w:moveTo w:id=\"4\" {BY}>{}</w:moveTo><w:moveToRangeEnd w:id=\"3\"/>",
            r("x")
        ))
    );
    let (accepted, rejected) = both(&xml);
    assert_eq!(accepted, format!("{}{}", p(""), p(&r("x"))));
    assert_eq!(rejected, format!("{}{}", p(&r("x")), p("")));
    let one = resolve(&document(&xml), Resolution::Accept, Which::Ids(vec!["4".into()])).expect("resolved");
    assert_eq!(body(&one), accepted);
}

#[test]
fn changes_are_listed_with_where_they_are() {
    let xml = p(&format!(
        "{}<w:ins w:id=\"7\" {BY}>{}</w:ins><w:ins w:id=\"7\" {BY}>{}</w:ins>",
        r("a"),
        r("bee"),
        r("c")
    ));
    let view = View::read(&document(&xml)).expect("viewed");
    let found = changes(&view).expect("listed");
    let shown: Vec<_> =
        found.iter().map(|change| (change.id.as_str(), change.kind, change.text.as_str())).collect();
    assert_eq!(shown, [("7", ChangeKind::Insertion, "bee"), ("7#2", ChangeKind::Insertion, "c")]);
    assert!(found[0].paragraph.is_some());
    let missing = resolve(&document(&xml), Resolution::Accept, Which::Ids(vec!["8".into()]));
    assert!(matches!(missing, Err(Refusal::NotFound { .. })));
    assert_eq!(lines(&view, Side::Original), ["a"]);
}

/// Pandoc loses both of these when it rejects.
#[test]
fn a_deletion_inside_a_formula_or_a_move_comes_back_when_it_is_rejected() {
    let math = |run: &str| {
        p(&format!("<m:oMath><m:r><m:t>A=</m:t></m:r><m:r>{run}</m:r><m:r><m:t>r</m:t></m:r></m:oMath>"))
    };
    let deleted = math(&format!("<w:del w:id=\"1\" {BY}><m:t>π</m:t></w:del>"));
    let rejected = resolve(&document(&deleted), Resolution::Reject, Which::All).expect("resolved");
    assert_eq!(body(&rejected), math("<m:t>π</m:t>"));
    let gone = format!("<w:del w:id=\"3\" {BY}><w:r><w:delText>Name</w:delText></w:r></w:del>");
    for (kind, wanted) in [("moveFrom", p("<w:r><w:t>Name</w:t></w:r>")), ("moveTo", p(""))] {
        let (accepted, rejected) = both(&p(&format!("<w:{kind} w:id=\"2\" {BY}>{gone}</w:{kind}>")));
        assert_eq!((accepted, rejected), (p(""), wanted), "{kind}");
    }
}

#[test]
fn a_field_whose_beginning_goes_takes_its_end_along() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let head = |text: &str, instruction: &str| {
        let code = format!("<w:r><w:{instruction}>PAGE</w:{instruction}></w:r>");
        format!("{}{code}{}<w:r><w:{text}>1</w:{text}></w:r>", mark("begin"), mark("separate"))
    };
    let torn = p(&format!(
        "{}<w:del w:id=\"1\" {BY}>{}</w:del>{}{}",
        r("a"),
        head("delText", "delInstrText"),
        mark("end"),
        r("b")
    ));
    let (accepted, rejected) = both(&torn);
    assert_eq!(accepted, p(&format!("{}<w:r></w:r>{}", r("a"), r("b"))));
    assert_eq!(rejected, p(&format!("{}{}{}{}", r("a"), head("t", "instrText"), mark("end"), r("b"))));
}

#[test]
fn a_comment_goes_with_the_text_it_hangs_on() {
    let comment = |id: u8| format!("<w:comment w:id=\"{id}\" {BY}>{}</w:comment>", p(&r("Really?")));
    let reference = |id: u8| format!("<w:r><w:commentReference w:id=\"{id}\"/></w:r>");
    let xml = p(&format!(
        "<w:commentRangeStart w:id=\"7\"/>{}<w:del w:id=\"1\" {BY}><w:r><w:delText>b</w:delText></w:r>\
         <w:commentRangeEnd w:id=\"7\"/>{}</w:del>{}",
        r("a"),
        reference(7),
        reference(8),
    ));
    let content = document_with(&xml, &[("comments", &(comment(7) + &comment(8)))]);
    let ids = |content: &Content| -> Vec<String> {
        let comments = View::read(content).expect("viewed").comments().expect("read");
        comments.into_iter().map(|comment| comment.id).collect()
    };
    let accepted = resolve(&content, Resolution::Accept, Which::All).expect("accepted");
    assert_eq!(body(&accepted), p(&format!("{}{}", r("a"), reference(8))));
    assert_eq!(ids(&accepted), ["8"]);
    let rejected = resolve(&content, Resolution::Reject, Which::All).expect("rejected");
    assert_eq!(ids(&rejected), ["7", "8"]);
}

#[test]
fn a_row_is_listed_with_what_it_says_and_resolved_by_its_first_paragraph() {
    let row = |mark: &str, id: usize, text: &str| {
        format!(
            "<w:tr><w:trPr><w:{mark} w:id=\"{id}\" {BY}/></w:trPr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>",
            p(&r(text)),
            p(&r("x"))
        )
    };
    let content = document(&format!(
        "<w:tbl><w:tblPr/><w:tblGrid/>{}{}</w:tbl>{}",
        row("ins", 1, "new"),
        row("del", 2, "old"),
        p("")
    ));
    let view = View::read(&content).expect("viewed");
    let listed = changes(&view).expect("listed");
    let ids: Vec<ParagraphId> = view.places().map(|place| view.id(place)).collect();
    assert_eq!(listed.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["new x", "old x"]);
    assert_eq!(listed.iter().map(|c| c.paragraph).collect::<Vec<_>>(), [Some(ids[0]), Some(ids[2])]);
    let which = Which::Paragraphs(vec![ids[2]]);
    let accepted = resolve(&content, Resolution::Accept, which).expect("resolved");
    assert!(!body(&accepted).contains("old") && body(&accepted).contains("w:id=\"1\""));
}

#[test]
fn choosing_what_is_not_there_is_told() {
    let content = document(&p(&format!("<w:ins w:id=\"1\" {BY}>{}</w:ins>", r("a"))));
    let unknown = "jr_para_000000000001".parse().expect("an id");
    let refusal =
        resolve(&content, Resolution::Accept, Which::Paragraphs(vec![unknown])).expect_err("refused");
    assert!(matches!(refusal, Refusal::NotFound { what: "paragraph", .. }), "{refusal}");
    let view = View::read(&content).expect("viewed");
    let edit = ResolveChanges { resolution: Resolution::Accept, which: Which::Author("B".into()) };
    let planned = plan(&view, &edit, &testkit::context()).expect("planned");
    assert!(planned.step.patch.is_empty() && planned.step.notes[0].text.ends_with("of: A"));
}

#[test]
fn both_halves_of_a_move_are_told_when_one_is_named() {
    let half = |kind: &str, id: usize| {
        format!(
            "<w:{kind}RangeStart w:id=\"{id}\" w:name=\"m\" {BY}/><w:{kind} w:id=\"{}\" {BY}>{}</w:{kind}><w:{kind}RangeEnd w:id=\"{id}\"/>",
            id + 1,
            r("moved")
        )
    };
    let content = document(&(p(&half("moveFrom", 1)) + &p(&half("moveTo", 3)) + &p(&r("end"))));
    let view = View::read(&content).expect("viewed");
    let edit = ResolveChanges { resolution: Resolution::Accept, which: Which::Ids(vec!["2".into()]) };
    let planned = plan(&view, &edit, &testkit::context()).expect("planned");
    let Outcome::Resolved { changes, .. } = planned.outcome else { panic!("another outcome") };
    assert_eq!(changes, ["2", "4"]);
}

/// As Word writes the move of a whole paragraph: the range begins behind the properties, which hold the mark.
#[test]
fn a_moved_paragraph_goes_back_with_its_end() {
    let half = |kind: &str, id: usize| {
        let properties = format!("<w:pPr><w:rPr><w:{kind} w:id=\"{id}\" {BY}/></w:rPr></w:pPr>");
        let start = format!("<w:{kind}RangeStart w:id=\"{}\" w:name=\"m\" {BY}/>", id + 1);
        let text = format!("<w:{kind} w:id=\"{}\" {BY}>{}</w:{kind}>", id + 2, r("moved"));
        p(&format!("{properties}{start}{text}")) + &format!("<w:{kind}RangeEnd w:id=\"{}\"/>", id + 1)
    };
    let xml = half("moveFrom", 1) + &p(&r("between")) + &half("moveTo", 4) + &p(&r("end"));
    for named in ["1", "3", "4", "6"] {
        let which = || Which::Ids(vec![named.into()]);
        let rejected = resolve(&document(&xml), Resolution::Reject, which()).expect("rejected");
        assert_eq!(body(&rejected), p(&r("moved")) + &p(&r("between")) + &p(&r("end")), "{named}");
        let accepted = resolve(&document(&xml), Resolution::Accept, which()).expect("accepted");
        assert_eq!(body(&accepted), p(&r("between")) + &p(&r("moved")) + &p(&r("end")), "{named}");
    }
}

mod steps;
mod structure;

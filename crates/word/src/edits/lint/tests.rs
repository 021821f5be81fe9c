use edit::{Blob, PartName};

use super::*;
use crate::testing::{document, document_with, p, r};

fn kinds(content: &Content) -> Vec<ProblemKind> {
    let mut kinds: Vec<_> = lint(content).expect("linted").into_iter().map(|problem| problem.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn a_sound_document_has_no_problem() {
    assert_eq!(kinds(&document(&p(&r("x")))), []);
}

#[test]
fn each_kind_of_damage_is_found() {
    let cell = "<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/></w:tc></w:tr></w:tbl>";
    for (body, kind) in [
        (p("<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>"), ProblemKind::UnbalancedField),
        (p("<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"), ProblemKind::UnbalancedField),
        (cell.to_owned(), ProblemKind::CellWithoutParagraph),
        ("<w:tbl><w:tblPr/><w:tblGrid/></w:tbl>".to_owned(), ProblemKind::EmptyTable),
        (
            p(
                "<w:bookmarkStart w:id=\"1\" w:name=\"a\"/><w:bookmarkEnd w:id=\"1\"/><w:ins w:id=\"1\" w:author=\"A\"><w:r/></w:ins>",
            ),
            ProblemKind::DuplicateId,
        ),
        ("<w:p w14:paraId=\"00000001\"/><w:p w14:paraId=\"00000001\"/>".to_owned(), ProblemKind::ParagraphId),
        ("<w:p w14:paraId=\"80000001\"/>".to_owned(), ProblemKind::ParagraphId),
        (p("<w:bookmarkStart w:id=\"1\" w:name=\"a\"/>"), ProblemKind::UnpairedRange),
        (p("<w:r><w:footnoteReference w:id=\"2\"/></w:r>"), ProblemKind::MissingNote),
        (p("<w:r><w:commentReference w:id=\"2\"/></w:r>"), ProblemKind::MissingNote),
        (p("<w:r><w:ins w:id=\"1\" w:author=\"A\"/></w:r>"), ProblemKind::MisplacedRevision),
        (
            p("<w:del w:id=\"1\" w:author=\"A\"><w:r><w:t>x</w:t></w:r></w:del>"),
            ProblemKind::MisplacedRevision,
        ),
        (p("<w:r><w:rPr><w:i/><w:b/></w:rPr></w:r>"), ProblemKind::PropertyOrder),
        (p("<w:hyperlink r:id=\"rId9\"/>"), ProblemKind::MissingRelationship),
    ] {
        assert_eq!(kinds(&document(&body)), [kind], "{body}");
    }
}

#[test]
fn a_part_that_nobody_points_at_and_one_that_is_missing_are_found() {
    let mut content = document(&p(""));
    content.insert(PartName::new("word/comments.xml"), Blob::from("<x/>"));
    assert_eq!(kinds(&content), [ProblemKind::OrphanPart]);
    let mut content = document_with(&p(""), &[("styles", "")]);
    content.insert(PartName::new("word/_rels/document.xml.rels"), Blob::from(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"x\" Target=\"gone.xml\"/></Relationships>"));
    assert_eq!(kinds(&content), [ProblemKind::MissingPart, ProblemKind::OrphanPart]);
    let mut content = document(&p(""));
    content.insert(PartName::new("[trash]/0000.dat"), Blob::from("\0\0"));
    assert_eq!(kinds(&content), []);
}

#[test]
fn relationships_that_cannot_be_read_are_the_file_s_own_fault() {
    for part in ["styles", "header1"] {
        let broken = |body: &str| {
            let mut content = document_with(body, &[(part, "")]);
            let rels = PartName::new(format!("word/_rels/{part}.xml.rels"));
            content.insert(rels, Blob::from(vec![0xFF, 0xFE]));
            content
        };
        let (before, after) = (broken(&p(&r("x"))), broken(&p(&r("y"))));
        assert_eq!(kinds(&after), [ProblemKind::NotWellFormed], "{part}");
        assert_eq!(new_problems(&before, &after).expect("linted"), [], "{part}");
    }
}

#[test]
fn only_what_is_new_counts() {
    let broken = p("<w:bookmarkStart w:id=\"1\" w:name=\"a\"/>");
    let before = document(&broken);
    assert_eq!(new_problems(&before, &before).expect("linted"), []);
    let after = document(&format!("{broken}{}", p("<w:bookmarkStart w:id=\"2\" w:name=\"b\"/>")));
    assert_eq!(new_problems(&before, &after).expect("linted").len(), 1);
    let torn = |text: &str| document(&(p(&r(text)) + "<w:p w:x=\"<\"/>"));
    assert_eq!(new_problems(&torn("a"), &torn("longer")).expect("linted"), []);
}

/// Long enough that what is near is not everything.
fn long_document() -> Content {
    let row = |text: &str| {
        format!("<w:tr><w:tc><w:tcPr/>{}</w:tc><w:tc><w:tcPr/>{}</w:tc></w:tr>", p(&r(text)), p(&r("b")))
    };
    let field = "<w:r><w:fldChar w:fldCharType=\"begin\"/><w:t>f</w:t></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    document(&format!(
        "{}<w:bookmarkStart w:id=\"7\" w:name=\"a\"/>{}<w:tbl><w:tblPr/><w:tblGrid/>{}{}</w:tbl><w:bookmarkEnd w:id=\"7\"/>{}{}{}{}",
        p(&r("first")),
        p(&r("second")),
        row("cell one"),
        row("cell two"),
        p(&(r("opens") + field)),
        p(&(r("closes") + end)),
        p(&format!(
            "<w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r>",
            p(&r("boxed"))
        )),
        p(&r("last")),
    ))
}

/// `text` replaced, at its first place.
fn spliced(content: &Content, old: &str, new: &str) -> Content {
    let part = PartName::new("word/document.xml");
    let bytes = content.read(&part).expect("reads").expect("is there").bytes().into_owned();
    let at = memchr::memmem::find(&bytes, old.as_bytes()).expect("stands there");
    let mut patch = edit::Patch::new();
    patch.splice(&part, at..at + old.len(), new).expect("fits");
    patch.apply(content).expect("applies")
}

#[test]
fn what_an_edit_brought_is_found_beside_it() {
    let content = long_document();
    let ins = |id: u32| {
        format!(
            "first</w:t></w:r><w:ins w:id=\"{id}\" w:author=\"A\"><w:r><w:t>x</w:t></w:r></w:ins><w:r><w:t>"
        )
    };
    for (old, new, count) in [
        ("first", "1st", 0),
        ("second", "2nd", 0),
        ("cell two", "cell 2", 0),
        ("boxed", "in a box", 0),
        ("opens", "begins", 0),
        ("first", ins(3).as_str(), 0),
        ("last</w:t></w:r></w:p>", "last</w:t></w:r></w:p><w:p><w:r><w:t>more</w:t></w:r></w:p>", 0),
        (
            "<w:t xml:space=\"preserve\">closes",
            "<w:rPr><w:i/><w:b/></w:rPr><w:t xml:space=\"preserve\">closes",
            1,
        ),
        (
            "<w:t xml:space=\"preserve\">cell one",
            "<w:ins w:id=\"9\" w:author=\"A\"/><w:t xml:space=\"preserve\">cell one",
            1,
        ),
    ] {
        let after = spliced(&content, old, new);
        let near = nearby::new_problems(&content, &after).expect("linted");
        // The last paragraph has none behind it to end at.
        if !old.starts_with("last") {
            assert!(near.is_some(), "{old} -> {new}");
        }
        assert_eq!(new_problems(&content, &after).expect("linted").len(), count, "{old} -> {new}");
    }
}

#[test]
fn what_concerns_the_whole_story_is_never_judged_from_nearby() {
    let content = long_document();
    let clash = "first</w:t></w:r><w:ins w:id=\"7\" w:author=\"A\"><w:r><w:t>x</w:t></w:r></w:ins><w:r><w:t>";
    for (old, new) in [
        ("first", clash),
        ("<w:fldChar w:fldCharType=\"begin\"/>", ""),
        ("<w:fldChar w:fldCharType=\"end\"/>", ""),
        (
            "<w:t xml:space=\"preserve\">first",
            "<w:footnoteReference w:id=\"2\"/><w:t xml:space=\"preserve\">first",
        ),
        (
            "<w:t xml:space=\"preserve\">first",
            "<w:commentReference w:id=\"2\"/><w:t xml:space=\"preserve\">first",
        ),
        ("<w:bookmarkEnd w:id=\"7\"/>", ""),
        (&format!("<w:tcPr/>{}</w:tc></w:tr></w:tbl>", p(&r("b"))), "<w:tcPr/></w:tc></w:tr></w:tbl>"),
        ("</w:tbl>", ""),
        ("<w:t xml:space=\"preserve\">second", "<w:t"),
    ] {
        let after = spliced(&content, old, new);
        assert_eq!(nearby::new_problems(&content, &after).expect("linted"), None, "{old} -> {new}");
        assert!(!new_problems(&content, &after).expect("linted").is_empty(), "{old} -> {new}");
    }
}

/// Each stretch is judged by itself, however many there are: what one broke is not made good by another.
#[test]
fn of_many_changes_each_is_looked_at_by_itself() {
    let body: String = (0..60).map(|number| p(&r(&format!("Text {number}.")))).collect();
    let content = document(&body);
    let changed = |damage: &[(usize, &str)]| {
        (0..60).step_by(2).fold(content.clone(), |content, number| {
            let damage = damage.iter().find(|(at, _)| *at == number).map_or("New", |(_, damage)| damage);
            spliced(&content, &format!("Text {number}."), damage)
        })
    };
    let near = |after: &Content| nearby::new_problems(&content, after).expect("linted");
    assert_eq!(near(&changed(&[])), Some(Vec::new()));
    let late = "x</w:t></w:r><w:r><w:rPr><w:i/><w:b/></w:rPr><w:t>";
    for damage in [&[(20, late)][..], &[(20, late), (22, late)], &[(0, late), (58, late)]] {
        let after = changed(damage);
        assert_eq!(near(&after).map(|problems| problems.len()), Some(damage.len()));
        assert_eq!(near(&after), Some(new_problems(&content, &after).expect("linted")));
    }
    let run = |inside: &str| format!("x</w:t></w:r>{inside}<w:r><w:t>");
    let field = |kind: &str| run(&format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>"));
    for (first, second) in [
        (run("<w:bookmarkStart w:id=\"1\" w:name=\"a\"/>"), run("<w:bookmarkEnd w:id=\"1\"/>")),
        (field("begin"), field("end")),
        ("x</w:t></w:r></w:p>".to_owned(), "<w:p><w:r><w:t>".to_owned()),
        ("<w:t a=\"".to_owned(), "\">".to_owned()),
        ("</w:t></w:r></w:p></w:document>".to_owned(), "<w:document><w:p><w:r><w:t>".to_owned()),
    ] {
        assert_eq!(near(&changed(&[(20, &first), (22, &second)])), None, "{first} and {second}");
        assert_eq!(near(&changed(&[(20, &first), (40, &second)])), None, "{first} and {second}");
    }
}

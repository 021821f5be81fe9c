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
}

#[test]
fn only_what_is_new_counts() {
    let broken = p("<w:bookmarkStart w:id=\"1\" w:name=\"a\"/>");
    let before = document(&broken);
    assert_eq!(new_problems(&before, &before).expect("linted"), []);
    let after = document(&format!("{broken}{}", p("<w:bookmarkStart w:id=\"2\" w:name=\"b\"/>")));
    assert_eq!(new_problems(&before, &after).expect("linted").len(), 1);
}

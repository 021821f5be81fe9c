use std::borrow::Cow;

use ooxml::xml::{Namespaces, Tree, XmlLimits, ns};
use proptest::prelude::*;

use super::*;
use crate::document::names::Scope;
use crate::document::paragraph::{AtomKind, Paragraph, Side, Text};
use crate::edits::rewrite;
use crate::text::{ladder, tags};

fn namespaces() -> Namespaces {
    Namespaces::declare(&[("w", ns::W), ("w14", ns::W14), ("r", ns::R), ("mc", ns::MC)]).expect("declared")
}

fn read(xml: &str) -> Paragraph {
    let scope = std::sync::Arc::new(Scope::usual());
    Paragraph::read(xml.as_bytes(), 0, scope, false, &[]).expect("a paragraph")
}

fn shown(paragraph: &Paragraph) -> Text {
    paragraph.text_with(Side::Final, |atom| match &atom.kind {
        AtomKind::FootnoteReference { id, .. } => Some(format!("[^{id}]")),
        _ => None,
    })
}

struct Done {
    xml: String,
    notes: Vec<Note>,
}

fn edit(xml: &str, old: &str, new: &str, author: Option<&str>) -> Result<Done, Refusal> {
    let tree =
        Tree::parse_fragment(xml.as_bytes(), &namespaces(), &XmlLimits::default()).expect("well-formed");
    let paragraph = tree.document(xml.as_bytes()).elements().next().expect("a paragraph");
    let dialect = Dialect::of(&namespaces()).expect("prefixes");
    let source = read(xml);
    let anatomy = Anatomy::of(paragraph, &source, shown(&source));
    let hit = ladder::find(&anatomy.text, old, "p")?;
    let new = tags::parse(new)?;
    let mut acts = rewrite::rewrite(&anatomy.text[hit.range.clone()], &new, Cow::Borrowed);
    rewrite::shift(&mut acts, hit.range.start);
    let stamp = author.map(|author| Stamp::new(author, 0, 100));
    let tools = Tools { dialect: &dialect, stamp: stamp.as_ref(), results: Results::Rewritten };
    let operation = operate(&anatomy, &acts, tools)?;
    let mut out = xml.to_owned();
    for (range, with) in operation.splices.iter().rev() {
        out.replace_range(range.clone(), with);
    }
    Tree::parse_fragment(out.as_bytes(), &namespaces(), &XmlLimits::default()).expect("still well-formed");
    Ok(Done { xml: out, notes: operation.notes })
}

fn text_of(xml: &str) -> String {
    shown(&read(xml)).text
}

fn plain(xml: &str, old: &str, new: &str) -> String {
    edit(xml, old, new, None).unwrap_or_else(|refusal| panic!("{refusal}")).xml
}

fn tracked(xml: &str, old: &str, new: &str) -> String {
    let stamp = " w:author=\"Me\" w:date=\"1970-01-01T00:00:00Z\"";
    edit(xml, old, new, Some("Me")).unwrap_or_else(|refusal| panic!("{refusal}")).xml.replace(stamp, "")
}

const MIXED: &str = r#"<w:p><w:r><w:t xml:space="preserve">The </w:t></w:r><w:r w:rsidR="1"><w:rPr><w:u w:val="single"/></w:rPr><w:t>quick</w:t></w:r><w:r><w:t xml:space="preserve"> fox</w:t></w:r></w:p>"#;

#[test]
fn a_replacement_across_two_runs_keeps_the_formatting_of_each() {
    assert_eq!(
        plain(MIXED, "The quick", "A slow"),
        r#"<w:p><w:r><w:t xml:space="preserve">A </w:t></w:r><w:r w:rsidR="1"><w:rPr><w:u w:val="single"/></w:rPr><w:t>slow</w:t></w:r><w:r><w:t xml:space="preserve"> fox</w:t></w:r></w:p>"#
    );
}

#[test]
fn a_tracked_replacement_across_two_runs_keeps_the_formatting_of_each() {
    assert_eq!(
        tracked(MIXED, "The quick", "A slow"),
        r#"<w:p><w:del w:id="100"><w:r><w:delText xml:space="preserve">The </w:delText></w:r></w:del><w:ins w:id="101"><w:r><w:t xml:space="preserve">A </w:t></w:r></w:ins><w:del w:id="102"><w:r w:rsidR="1"><w:rPr><w:u w:val="single"/></w:rPr><w:delText>quick</w:delText></w:r></w:del><w:ins w:id="103"><w:r w:rsidR="1"><w:rPr><w:u w:val="single"/></w:rPr><w:t>slow</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> fox</w:t></w:r></w:p>"#
    );
}

#[test]
fn blanks_at_an_edge_are_marked_to_be_kept() {
    let xml = "<w:p><w:r><w:t>one two</w:t></w:r></w:p>";
    assert_eq!(plain(xml, " two", " "), "<w:p><w:r><w:t xml:space=\"preserve\">one </w:t></w:r></w:p>");
}

#[test]
fn tabs_and_breaks_become_elements() {
    let xml = "<w:p><w:r><w:t>a b</w:t></w:r></w:p>";
    assert_eq!(
        plain(xml, "a b", "a\tx\nb"),
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>x</w:t><w:br/><w:t>b</w:t></w:r></w:p>"
    );
}

#[test]
fn references_that_stay_are_spelled_as_they_were() {
    let xml = "<w:p><w:r><w:t>a &#38; b &lt;c&gt; d</w:t></w:r></w:p>";
    assert_eq!(plain(xml, "d", "e & f"), "<w:p><w:r><w:t>a &#38; b &lt;c&gt; e &amp; f</w:t></w:r></w:p>");
}

#[test]
fn a_run_that_loses_all_its_text_goes_and_takes_its_empty_hyperlink_along() {
    let xml = r#"<w:p><w:r><w:t>a </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:bookmarkEnd w:id="1"/></w:p>"#;
    assert_eq!(plain(xml, "link", ""), r#"<w:p><w:r><w:t>a </w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>"#);
}

#[test]
fn new_text_beside_a_hyperlink_stays_outside() {
    let xml = r#"<w:p><w:r><w:t xml:space="preserve">see </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>here</w:t></w:r></w:hyperlink></w:p>"#;
    let after = plain(xml, "here", "here now");
    assert!(
        after.ends_with("</w:hyperlink><w:r><w:t xml:space=\"preserve\"> now</w:t></w:r></w:p>"),
        "{after}"
    );
    assert!(plain(xml, "here", "there").contains("<w:t>there</w:t></w:r></w:hyperlink></w:p>"));
}

const FIELD: &str = r#"<w:p><w:r><w:t xml:space="preserve">see Section </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF a \h </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>4.2</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t xml:space="preserve"> above</w:t></w:r></w:p>"#;

#[test]
fn text_beside_a_field_is_edited_and_the_field_stays() {
    let after = plain(FIELD, "see Section 4.2 above", "in Clause 4.2 below");
    assert_eq!(text_of(&after), "in Clause 4.2 below");
    let machinery = &FIELD[FIELD.find("<w:r><w:fldChar").unwrap()..FIELD.rfind("<w:r><w:t").unwrap()];
    assert!(after.contains(machinery));
}

#[test]
fn an_edit_that_would_cut_into_a_field_is_refused_with_what_is_safe() {
    let refusal = edit(FIELD, "see Section 4.2 above", "see it", None).map(|_| ()).expect_err("unsafe");
    assert!(refusal.to_string().contains("REF field"), "{refusal}");
    assert_eq!(
        refusal.hint().as_deref(),
        Some(
            "quote the field whole and say `4.2` or <field/> where it is to stay; or edit only `see Section`"
        )
    );
    assert!(edit(FIELD, "4.2", "", None).is_err());
}

#[test]
fn the_result_of_a_field_can_be_edited_with_a_warning() {
    let done = edit(FIELD, "4.2", "5", None).expect("inside the result");
    assert_eq!(text_of(&done.xml), "see Section 5 above");
    assert_eq!(done.notes.len(), 1);
}

#[test]
fn nested_fields_are_understood() {
    let xml = r#"<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>hidden</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:instrText> = 1</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>yes</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>!</w:t></w:r></w:p>"#;
    assert_eq!(text_of(xml), "yes!");
}

#[test]
fn a_locked_content_control_is_refused() {
    let xml = r#"<w:p><w:sdt><w:sdtPr><w:lock w:val="sdtContentLocked"/></w:sdtPr><w:sdtContent><w:r><w:t>fixed</w:t></w:r></w:sdtContent></w:sdt></w:p>"#;
    let refusal = edit(xml, "fixed", "free", None).map(|_| ()).expect_err("locked");
    assert!(refusal.to_string().contains("locked"), "{refusal}");
    let open = xml.replace("sdtContentLocked", "sdtLocked");
    assert!(edit(&open, "fixed", "free", None).is_ok());
}

#[test]
fn bookmarks_and_comment_ranges_inside_the_match_stay() {
    let xml = r#"<w:p><w:bookmarkStart w:id="0" w:name="b"/><w:r><w:t>one</w:t></w:r><w:commentRangeStart w:id="3"/><w:r><w:t xml:space="preserve"> two</w:t></w:r><w:bookmarkEnd w:id="0"/><w:commentRangeEnd w:id="3"/></w:p>"#;
    let after = plain(xml, "one two", "uno dos");
    assert_eq!(text_of(&after), "uno dos");
    for marker in ["bookmarkStart", "commentRangeStart", "bookmarkEnd", "commentRangeEnd"] {
        assert!(after.contains(marker));
    }
}

#[test]
fn a_note_reference_is_never_deleted_by_a_text_edit() {
    let xml = r#"<w:p><w:r><w:t>claim</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r></w:p>"#;
    assert_eq!(text_of(&plain(xml, "claim[^2].", "thesis[^2]!")), "thesis[^2]!");
    assert!(edit(xml, "claim[^2].", "thesis.", None).is_err());
    let beside = plain(xml, "[^2].", "[^2] and more.");
    assert!(beside.contains("<w:t xml:space=\"preserve\"> and more.</w:t>"), "{beside}");
}

#[test]
fn explicit_tags_override_and_keep_the_schema_order() {
    let xml =
        r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="20"/></w:rPr><w:t>a b</w:t></w:r></w:p>"#;
    assert_eq!(
        plain(xml, "b", "<b><i>c</i></b>"),
        r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="20"/></w:rPr><w:t xml:space="preserve">a </w:t></w:r><w:r><w:rPr><w:rFonts w:ascii="A"/><w:b/><w:bCs/><w:i/><w:iCs/><w:sz w:val="20"/></w:rPr><w:t>c</w:t></w:r></w:p>"#
    );
}

#[test]
fn tagging_text_that_stays_records_a_tracked_format_change() {
    let xml = "<w:p><w:r><w:t>a b</w:t></w:r></w:p>";
    assert_eq!(
        tracked(xml, "b", "<b>b</b>"),
        r#"<w:p><w:r><w:t xml:space="preserve">a </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/><w:rPrChange w:id="100"><w:rPr/></w:rPrChange></w:rPr><w:t>b</w:t></w:r></w:p>"#
    );
}

const THEIRS: &str = r#"<w:p><w:ins w:id="1" w:author="You" w:date="2020-01-01T00:00:00Z"><w:r><w:t>alpha beta</w:t></w:r></w:ins></w:p>"#;

#[test]
fn a_tracked_deletion_inside_another_authors_insertion_is_nested() {
    let after = tracked(THEIRS, "alpha beta", "alpha");
    assert!(after.starts_with(r#"<w:p><w:ins w:id="1" w:author="You" w:date="2020-01-01T00:00:00Z"><w:r><w:t>alpha</w:t></w:r><w:del"#), "{after}");
    assert!(after.ends_with("</w:del></w:ins></w:p>"));
}

#[test]
fn a_tracked_insertion_inside_another_authors_insertion_divides_it() {
    let after = tracked(THEIRS, "alpha beta", "alpha new beta");
    assert_eq!(
        after,
        r#"<w:p><w:ins w:id="1" w:author="You" w:date="2020-01-01T00:00:00Z"><w:r><w:t xml:space="preserve">alpha </w:t></w:r></w:ins><w:ins w:id="100"><w:r><w:t xml:space="preserve">new </w:t></w:r></w:ins><w:ins w:id="101" w:author="You" w:date="2020-01-01T00:00:00Z"><w:r><w:t>beta</w:t></w:r></w:ins></w:p>"#
    );
    let behind = tracked(THEIRS, "alpha beta", "alpha beta new");
    assert!(behind.contains(r#"<w:r><w:t>alpha beta</w:t></w:r></w:ins><w:ins w:id="100"><w:r><w:t xml:space="preserve"> new</w:t>"#), "{behind}");
    let front = tracked(THEIRS, "alpha beta", "new alpha beta");
    assert!(
        front.starts_with(
            r#"<w:p><w:ins w:id="100"><w:r><w:t xml:space="preserve">new </w:t></w:r></w:ins><w:ins w:id="1""#
        ),
        "{front}"
    );
}

#[test]
fn ones_own_insertion_is_changed_in_place() {
    let mine = THEIRS.replace("You", "Me");
    assert_eq!(
        edit(&mine, "alpha beta", "alpha gamma", Some("Me")).unwrap().xml,
        mine.replace("alpha beta", "alpha gamma")
    );
    assert_eq!(edit(&mine, "alpha beta", "", Some("Me")).unwrap().xml, "<w:p></w:p>");
}

#[test]
fn text_can_be_put_into_an_empty_paragraph() {
    let xml = r#"<w:p><w:pPr><w:rPr><w:i/></w:rPr></w:pPr></w:p>"#;
    let tree = Tree::parse_fragment(xml.as_bytes(), &namespaces(), &XmlLimits::default()).unwrap();
    let paragraph = tree.document(xml.as_bytes()).elements().next().unwrap();
    let dialect = Dialect::of(&namespaces()).unwrap();
    let source = read(xml);
    let anatomy = Anatomy::of(paragraph, &source, shown(&source));
    let acts = [Act::Put { text: "hi".into(), marks: Marks::default(), place: Place::Between(0) }];
    let tools = Tools { dialect: &dialect, stamp: None, results: Results::Rewritten };
    let splices = operate(&anatomy, &acts, tools).unwrap().splices;
    assert_eq!(splices[0].1, "<w:r><w:rPr><w:i/></w:rPr><w:t>hi</w:t></w:r>");
}

#[test]
fn the_tracked_text_between_two_runs_of_one_word_is_whole() {
    let xml = "<w:p><w:r><w:t>qu</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ick fox</w:t></w:r></w:p>";
    assert_eq!(text_of(&plain(xml, "quick", "slow")), "slow fox");
    assert_eq!(text_of(&tracked(xml, "quick", "slow")), "slow fox");
}

fn paragraph() -> impl Strategy<Value = String> {
    let text = "[ab &.]{1,8}".prop_map(|text| ooxml::xml::escape_text(&text).into_owned());
    let run = (text, 0..3u8).prop_map(|(text, look)| {
        let properties =
            ["", "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:rStyle w:val=\"S\"/><w:u w:val=\"single\"/></w:rPr>"]
                [look as usize];
        format!("<w:r>{properties}<w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    });
    let block = (run, 0..8u8).prop_map(|(run, around)| match around {
        0 => format!("<w:hyperlink r:id=\"r1\">{run}</w:hyperlink>"),
        1 => format!("<w:ins w:id=\"1\" w:author=\"You\" w:date=\"d\">{run}</w:ins>"),
        2 => format!("<w:ins w:id=\"2\" w:author=\"Me\" w:date=\"d\">{run}</w:ins>"),
        3 => format!("<w:bookmarkStart w:id=\"9\" w:name=\"x\"/>{run}<w:bookmarkEnd w:id=\"9\"/>"),
        4 => format!(
            "<w:del w:id=\"3\" w:author=\"You\" w:date=\"d\">{}</w:del>",
            run.replace("w:t>", "w:delText>").replace("<w:t ", "<w:delText ")
        ),
        _ => run,
    });
    proptest::collection::vec(block, 0..6).prop_map(|blocks| format!("<w:p>{}</w:p>", blocks.concat()))
}

proptest! {
    #[test]
    fn any_edit_gives_the_wanted_text(xml in paragraph(), cut in (0usize..40, 0usize..40), new in "[ab &<.]{0,8}", by in any::<bool>()) {
        let text = text_of(&xml);
        let n = text.len() + 1;
        let range = (cut.0 % n).min(cut.1 % n)..(cut.0 % n).max(cut.1 % n);
        let tree = Tree::parse_fragment(xml.as_bytes(), &namespaces(), &XmlLimits::default()).expect("well-formed");
        let node = tree.document(xml.as_bytes()).elements().next().expect("a paragraph");
        let dialect = Dialect::of(&namespaces()).expect("prefixes");
        let source = read(&xml);
        let anatomy = Anatomy::of(node, &source, shown(&source));
        let wanted = [tags::Tagged { text: new.clone(), marks: Marks::default() }];
        let mut acts = rewrite::rewrite(&text[range.clone()], &wanted, Cow::Borrowed);
        rewrite::shift(&mut acts, range.start);
        let stamp = by.then(|| Stamp::new("Me", 0, 100));
        let tools = Tools { dialect: &dialect, stamp: stamp.as_ref(), results: Results::Rewritten };
        let operation = operate(&anatomy, &acts, tools).expect("no fields here");
        let mut out = xml.clone();
        let mut end = xml.len();
        for (range, with) in operation.splices.iter().rev() {
            prop_assert!(range.end <= end, "splices overlap");
            end = range.start;
            out.replace_range(range.clone(), with);
        }
        prop_assert_eq!(text_of(&out), format!("{}{}{}", &text[..range.start], new, &text[range.end..]));
        prop_assert_eq!(out.matches("bookmarkEnd").count(), xml.matches("bookmarkEnd").count());
        prop_assert!(!out.contains("<w:r></w:r>") && !out.contains("<w:t></w:t>"));
    }
}

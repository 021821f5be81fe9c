//! Reading and safe editing.

use super::*;
use crate::testing::document_with;
use crate::text::read::toon;

const NUMBERING: &str = "<w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum><w:num w:numId=\"3\"><w:abstractNumId w:val=\"1\"/></w:num>";

fn listed(text: &str) -> String {
    let numbered = "<w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"3\"/></w:numPr></w:pPr>";
    p(&format!("{numbered}{}{}", rr("<w:b/>", "Fees."), r(text)))
}

fn contract() -> Content {
    document_with(&(p(&r("Preamble")) + &listed(" The Tenant pays.")), &[("numbering", NUMBERING)])
}

#[test]
fn read_file_returns_toon_schema_with_structure_columns() {
    let content = contract();
    let view = Word::view(&content).expect("viewed");
    let text = toon(&view.page(&Request::default()).expect("read"));
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("#SCHEMA id | list_label | header | style | text"));
    let rows: Vec<Vec<&str>> =
        rows.filter(|row| row.starts_with("jr_para_")).map(|row| row.split(" | ").collect()).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert_eq!((rows[0][1].trim(), rows[0][2].trim(), rows[0][4]), ("", "", "Preamble"));
    assert_eq!((rows[1][1], rows[1][2], rows[1][4]), ("1.", "Fees", "The Tenant pays."));
    assert!(rows.iter().all(|row| row.len() == 5 && !row[3].is_empty()), "{text}");
}

#[test]
fn smart_insert_preserves_header_and_definition_semantics() {
    let defined = |term: &str| p(&(r("“") + &rr("<w:b/>", term) + &r("” means money.")));
    let header = p(&(rr("<w:u w:val=\"single\"/>", "Fees.") + &r(" All of them.")));
    let before = document(&(defined("Cash") + &defined("Debt") + &header));
    let done = smart_insert(
        &before,
        2,
        "<header>Term.</header> One year.\n\n“Closing Cash” means the cash at closing.",
        Markup::Plain,
    );
    let nodes = nodes(&done.content);
    assert_eq!((nodes[3].header.as_str(), nodes[3].text.as_str()), ("Term", "One year."));
    assert!(main_part(&done.content).contains("<w:rPr><w:b/></w:rPr><w:t>Closing Cash</w:t>"));
}

#[test]
fn read_file_json_mode_returns_node_metadata() {
    let json = serde_json::to_value(nodes(&contract())).expect("serialized");
    for field in ["id", "list_label", "header", "style", "text", "style_fingerprint"] {
        assert!(json[1][field].as_str().is_some_and(|value| !value.is_empty()), "{field} in {json}");
    }
    assert_eq!(json[1]["header_formatting"]["bold"], true);
    assert_eq!((&json[1]["numbering"]["numId"], &json[1]["numbering"]["ilvl"]), (&3.into(), &0.into()));
    assert!(json[0].get("header_formatting").is_none() && json[0].get("numbering").is_none());
}

#[test]
fn fingerprint_ignores_volatile_attributes() {
    let calm = document(&p(&rr("<w:b/>", "x")));
    let noisy = document(
        "<w:p w:rsidR=\"00AA\" w:rsidRDefault=\"00AB\" w14:paraId=\"1234ABCD\"><w:pPr><w:rPr><w:ins w:id=\"4\" w:author=\"A\" w:date=\"2020-01-01T00:00:00Z\"/></w:rPr></w:pPr><w:r w:rsidR=\"00BB\"><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r></w:p>",
    );
    let (calm, noisy) = (nodes(&calm), nodes(&noisy));
    assert_eq!(calm[0].style_fingerprint, noisy[0].style_fingerprint);
    assert_eq!(calm[0].style, noisy[0].style);
}

#[test]
fn stable_style_ids_within_a_session() {
    let centred = p(&format!("<w:pPr><w:jc w:val=\"center\"/></w:pPr>{}", r("Title")));
    let before = document(&(centred + &p(&r("one")) + &p(&r("two"))));
    let view = Word::view(&before).expect("viewed");
    let styles = |view: &View| -> Vec<(ParagraphId, String)> {
        let page = view.page(&Request::default()).expect("read");
        page.nodes.into_iter().map(|node| (node.id, node.style)).collect()
    };
    let first = styles(&view);
    assert_eq!(styles(&view), first);
    // Two more centred paragraphs than others: a document opened so would number its styles otherwise.
    let edit = Edit::InsertParagraphs(InsertParagraphs {
        anchor: id(&before, 0),
        position: Position::After,
        text: "Another title\n\nAnd another".into(),
        style_source: None,
        markup: Markup::Plain,
    });
    let base = edit::RevisionId { number: 0, digest: 0 };
    let done = edit::plan::<Word>(&before, view, base, &[edit], &testkit::context()).expect("planned");
    let after: Vec<_> = styles(&done.view);
    assert!(first.iter().all(|row| after.contains(row)), "{first:?} {after:?}");
}

#[test]
fn formatting_based_header_detection() {
    let node = &nodes(&document(&p(
        &(rr("<w:b/><w:u w:val=\"single\"/>", "Security Incidents:") + &r(" Tell us."))
    )))[0];
    assert_eq!((node.header.as_str(), node.text.as_str()), ("Security Incidents", "Tell us."));
    assert!(node.header_formatting.is_some_and(|look| look.bold && look.underline && !look.italic));
}

#[test]
fn header_semantics_accepted_via_tags_for_backward_compatibility() {
    let before = document(&(p(&(rr("<w:i/><w:b/>", "Fees.") + &r(" The Tenant pays."))) + &p(&r("End."))));
    for tagged in ["<RunInHeader>Term</RunInHeader>. One year.", "<header>Term.</header> One year."] {
        let done = smart_insert(&before, 0, tagged, Markup::Plain);
        let node = &nodes(&done.content)[1];
        assert_eq!((node.header.as_str(), node.text.as_str()), ("Term", "One year."));
        assert!(node.header_formatting.is_some_and(|look| look.bold && look.italic), "{tagged}");
    }
}

#[test]
fn pagination_rules_deterministic_for_zero_offset() {
    let content = document(&(0..20).map(|number| p(&r(&format!("line {number}")))).collect::<String>());
    let view = Word::view(&content).expect("viewed");
    let page = |offset: i64| {
        view.page(&Request { offset, limit: Some(7), ..Request::default() }).expect("read").nodes
    };
    let omitted = view.page(&Request { limit: Some(7), ..Request::default() }).expect("read").nodes;
    assert_eq!(page(0), omitted);
    assert_eq!(page(0), page(1));
    assert_ne!(page(0), page(2));
}

use crate::testing::{document_with, p, r};
use crate::{Side, View, Word};
use edit::Format;

fn level(ilvl: u8, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{ilvl}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>{more}<w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

fn list(id: u32, levels: &str) -> String {
    format!("<w:abstractNum w:abstractNumId=\"{id}\">{levels}</w:abstractNum>")
}

fn num(id: u32, of: u32, more: &str) -> String {
    format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{of}\"/>{more}</w:num>")
}

fn item(num: u32, ilvl: u8) -> String {
    p(&format!(
        "<w:pPr><w:numPr><w:ilvl w:val=\"{ilvl}\"/><w:numId w:val=\"{num}\"/></w:numPr></w:pPr>{}",
        r("x")
    ))
}

fn styled(style: &str, more: &str) -> String {
    p(&format!("<w:pPr><w:pStyle w:val=\"{style}\"/>{more}</w:pPr>{}", r("x")))
}

fn labels_with(body: &[String], numbering: &str, styles: &str, side: Side) -> Vec<String> {
    let content = document_with(&body.concat(), &[("numbering", numbering), ("styles", styles)]);
    let view: View = Word::view(&content).expect("views");
    view.body().map(|place| view.label(place, side).unwrap_or("-").to_owned()).collect()
}

fn labels(body: &[String], numbering: &str) -> Vec<String> {
    labels_with(body, numbering, "", Side::Final)
}

fn outline() -> String {
    list(
        0,
        &[
            level(0, "decimal", "%1.", ""),
            level(1, "lowerLetter", "%1.%2)", ""),
            level(2, "upperRoman", "%1-%2-%3", ""),
        ]
        .concat(),
    )
}

#[test]
fn levels_count_and_restart_below_a_higher_one() {
    let body = [0, 1, 1, 2, 0, 1, 2].map(|level| item(1, level));
    let seen = labels(&body, &(outline() + &num(1, 0, "")));
    assert_eq!(seen, ["1.", "1.a)", "1.b)", "1-b-I", "2.", "2.a)", "2-a-I"]);
}

#[test]
fn a_level_that_is_skipped_counts_as_if_it_had_been_there() {
    let seen = labels(&[item(1, 1), item(1, 0), item(1, 2), item(1, 1)], &(outline() + &num(1, 0, "")));
    assert_eq!(seen, ["1.a)", "2.", "2-a-I", "2.b)"]);
    let over =
        |ilvl| format!("<w:lvlOverride w:ilvl=\"{ilvl}\"><w:startOverride w:val=\"1\"/></w:lvlOverride>");
    let numbering = outline() + &num(1, 0, &(over(0) + &over(1)));
    assert_eq!(labels(&[item(1, 1), item(1, 0), item(1, 0)], &numbering), ["1.a)", "2.", "3."]);
}

/// LibreOffice prints `I.1`, `第1章` and a decimal number in the place of these.
#[test]
fn labels_that_libreoffice_prints_otherwise() {
    let articles = level(0, "upperRoman", "ARTICLE %1", "") + &level(1, "decimal", "%1.%2", "<w:isLgl/>");
    let seen = labels(&[item(1, 0), item(1, 1)], &(list(0, &articles) + &num(1, 0, "")));
    assert_eq!(seen, ["ARTICLE I", "1.1"]);
    let wide = list(0, &level(0, "decimalFullWidth", "第%1章", "")) + &num(1, 0, "");
    assert_eq!(labels(&[item(1, 0)], &wide), ["第１章"]);
    let greek = "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><mc:AlternateContent xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\"><mc:Choice Requires=\"w14\"><w:numFmt w:val=\"custom\" w:format=\"α, β, γ, ...\"/></mc:Choice><mc:Fallback><w:numFmt w:val=\"decimal\"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val=\"No-%1-\"/></w:lvl>";
    assert_eq!(labels(&[item(1, 0), item(1, 0)], &(list(0, greek) + &num(1, 0, ""))), ["No-α-", "No-β-"]);
    // The list has no such level; LibreOffice makes one up.
    let one = list(0, &level(0, "bullet", "·", "")) + &num(1, 0, "");
    assert_eq!(labels(&[item(1, 1)], &one), ["-"]);
}

#[test]
fn lists_that_share_a_definition_continue_each_other_unless_told_to_start() {
    let over = "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"5\"/></w:lvlOverride>";
    let numbering = outline() + &num(1, 0, "") + &num(2, 0, "") + &num(3, 0, over);
    let body = [item(1, 0), item(2, 0), item(3, 0), item(3, 0), item(1, 0)];
    assert_eq!(labels(&body, &numbering), ["1.", "2.", "5.", "6.", "7."]);
}

#[test]
fn a_level_of_its_own_replaces_the_shared_one() {
    let over = format!("<w:lvlOverride w:ilvl=\"0\">{}</w:lvlOverride>", level(0, "upperLetter", "(%1)", ""));
    assert_eq!(
        labels(&[item(1, 0), item(2, 0)], &(outline() + &num(1, 0, "") + &num(2, 0, &over))),
        ["1.", "(B)"]
    );
}

#[test]
fn restarting_follows_what_the_level_says() {
    let never = level(1, "decimal", "%2", "<w:lvlRestart w:val=\"0\"/>");
    let after_first = level(2, "decimal", "%3", "<w:lvlRestart w:val=\"1\"/>");
    let numbering = list(0, &(level(0, "decimal", "%1", "") + &never + &after_first)) + &num(1, 0, "");
    let body = [0, 1, 2, 1, 2, 0, 1, 2].map(|level| item(1, level));
    assert_eq!(labels(&body, &numbering), ["1", "1", "1", "2", "2", "2", "3", "1"]);
}

#[test]
fn legal_numbering_writes_all_levels_in_digits() {
    let numbering = list(
        0,
        &(level(0, "upperRoman", "Article %1", "") + &level(1, "decimal", "Section %1.%2", "<w:isLgl/>")),
    ) + &num(1, 0, "");
    assert_eq!(labels(&[item(1, 0), item(1, 1)], &numbering), ["Article I", "Section 1.1"]);
}

#[test]
fn numbering_comes_through_styles_and_their_levels() {
    let numbering = list(
        0,
        &(level(0, "decimal", "%1", "<w:pStyle w:val=\"H1\"/>")
            + &level(1, "decimal", "%1.%2", "<w:pStyle w:val=\"H2\"/>")),
    ) + &num(7, 0, "");
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:pPr><w:numPr><w:numId w:val=\"7\"/></w:numPr></w:pPr></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:basedOn w:val=\"H1\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"H2b\"><w:basedOn w:val=\"H2\"/></w:style>";
    let off = "<w:numPr><w:numId w:val=\"0\"/></w:numPr>";
    let deeper = "<w:numPr><w:ilvl w:val=\"1\"/></w:numPr>";
    let body =
        [styled("H1", ""), styled("H2", ""), styled("H2b", ""), styled("H1", off), styled("H1", deeper)];
    assert_eq!(labels_with(&body, &numbering, styles, Side::Final), ["1", "1.1", "1.2", "-", "1.3"]);
    // A style that no level belongs to says its level itself.
    let own = "<w:style w:type=\"paragraph\" w:styleId=\"Own\"><w:basedOn w:val=\"H1\"/><w:pPr><w:numPr><w:ilvl w:val=\"1\"/></w:numPr></w:pPr></w:style>";
    let body = [styled("H1", ""), styled("Own", "")];
    assert_eq!(labels_with(&body, &numbering, &format!("{styles}{own}"), Side::Final), ["1", "1.1"]);
}

#[test]
fn a_definition_may_hand_over_to_a_numbering_style() {
    let linked = "<w:abstractNum w:abstractNumId=\"1\"><w:numStyleLink w:val=\"L\"/></w:abstractNum>";
    let numbering = list(0, &level(0, "decimal", "§%1", "")) + linked + &num(1, 1, "") + &num(2, 0, "");
    let styles = "<w:style w:type=\"numbering\" w:styleId=\"L\"><w:pPr><w:numPr><w:numId w:val=\"2\"/></w:numPr></w:pPr></w:style>";
    let seen = labels_with(&[item(1, 0), item(2, 0)], &numbering, styles, Side::Final);
    assert_eq!(seen, ["§1", "§2"]);
    // The style may be missing; the list that defines it says the same.
    let own = format!("<w:styleLink w:val=\"L\"/>{}", level(0, "decimal", "§%1", ""));
    let numbering = list(0, &own) + linked + &num(1, 1, "");
    assert_eq!(labels_with(&[item(1, 0)], &numbering, "", Side::Final), ["§1"]);
}

#[test]
fn bullets_are_shown_as_they_look() {
    let font = "<w:rPr><w:rFonts w:ascii=\"Symbol\"/></w:rPr>";
    let numbering = list(0, &level(0, "bullet", "\u{F0B7}", font)) + &num(1, 0, "");
    assert_eq!(labels(&[item(1, 0)], &numbering), ["•"]);
}

#[test]
fn a_deleted_item_is_not_counted_in_the_end_and_an_inserted_one_was_not_before() {
    let marked = |mark: &str, inner: &str| {
        p(&format!(
            "<w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:rPr><w:{mark} w:id=\"1\" w:author=\"A\"/></w:rPr></w:pPr>\
             <w:{mark} w:id=\"2\" w:author=\"A\"><w:r>{inner}</w:r></w:{mark}>"
        ))
    };
    let body = [
        item(1, 0),
        marked("del", "<w:delText>gone</w:delText>"),
        marked("ins", "<w:t>new</w:t>"),
        item(1, 0),
    ];
    let numbering = outline() + &num(1, 0, "");
    assert_eq!(labels_with(&body, &numbering, "", Side::Final), ["1.", "-", "2.", "3."]);
    assert_eq!(labels_with(&body, &numbering, "", Side::Original), ["1.", "2.", "-", "3."]);
}

#[test]
fn a_hidden_item_is_not_counted() {
    let hidden = p(&format!(
        "<w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:rPr><w:vanish/></w:rPr></w:pPr>{}",
        crate::testing::rr("<w:vanish/>", "x")
    ));
    assert_eq!(labels(&[item(1, 0), hidden, item(1, 0)], &(outline() + &num(1, 0, ""))), ["1.", "-", "2."]);
}

#[test]
fn a_list_that_is_not_defined_prints_nothing() {
    assert_eq!(labels(&[item(9, 0), item(1, 5)], &(outline() + &num(1, 0, ""))), ["-", "-"]);
}

#[test]
fn a_section_break_that_stands_alone_is_not_numbered() {
    let broken = |inner: &str| {
        p(&format!(
            "<w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:sectPr/></w:pPr>{inner}"
        ))
    };
    let body = [item(1, 0), broken(""), broken(&r("text")), item(1, 0)];
    assert_eq!(labels(&body, &(outline() + &num(1, 0, ""))), ["1.", "-", "2.", "3."]);
}

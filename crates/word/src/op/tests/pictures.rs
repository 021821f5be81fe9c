use super::*;
use crate::Side as Reading;

/// One pixel.
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

fn picture(data: &str) -> InsertPicture {
    InsertPicture {
        source: PictureSource::Base64(data.into()),
        scope: Scope::Selection,
        location: Location::Replace,
        width: None,
        height: None,
        lock_aspect_ratio: true,
        alt_text: None,
        wrap: Wrap::Inline,
    }
}

#[test]
fn a_picture_goes_in_with_its_part_and_its_words() {
    let before = document(&p(&r("See LOGO here")));
    let op = InsertPicture { width: Some(120.0), alt_text: Some("Company \"Logo\"".into()), ..picture(GIF) };
    let done = act(&before, Op::InsertPicture(op), selecting(&before, "LOGO"), Markup::Plain).expect("safe");
    assert_eq!(lines(&done.view, Reading::Final), ["See  here"]);
    let after = body(&done.content);
    assert!(
        after.contains("cx=\"1524000\" cy=\"1524000\"")
            && after.contains("descr=\"Company &quot;Logo&quot;\""),
        "{after}"
    );
    assert!(done.content.contains("word/media/image1.gif"));
    let rels = done.content.read("word/_rels/document.xml.rels").unwrap().unwrap();
    assert!(String::from_utf8_lossy(&rels.bytes()).contains("Target=\"media/image1.gif\""));
    let types = done.content.read("[Content_Types].xml").unwrap().unwrap();
    assert!(String::from_utf8_lossy(&types.bytes()).contains("image/gif"));
    let Answer::Picture { shape, range } = answer(&done) else { panic!() };
    assert_eq!(shape, "1");
    let part = done.content.read("word/document.xml").unwrap().unwrap();
    assert!(
        part.slice(range.range()).starts_with(b"<w:r>") && part.slice(range.range()).ends_with(b"</w:r>")
    );
}

#[test]
fn every_place_and_wrapping_takes_a_picture() {
    for before in
        [document("<w:p/>"), document(&p(&r("text"))), document(&p("<w:pPr><w:jc w:val=\"left\"/></w:pPr>"))]
    {
        for location in [Location::Start, Location::End, Location::Replace] {
            for wrap in [Wrap::Inline, Wrap::Square, Wrap::Tight, Wrap::Behind, Wrap::InFront] {
                let op = InsertPicture { scope: Scope::Document, location, wrap, ..picture(GIF) };
                for markup in [Markup::Plain, Markup::Tracked] {
                    let done =
                        act(&before, Op::InsertPicture(op.clone()), Places::default(), markup).expect("safe");
                    assert!(body(&done.content).contains("<w:drawing>"));
                }
            }
        }
    }
}

#[test]
fn what_is_no_picture_is_refused_and_nothing_is_fetched() {
    let before = document(&p(&r("x")));
    let refuse =
        |op: InsertPicture| act(&before, Op::InsertPicture(op), Places::default(), Markup::Plain).err();
    assert!(matches!(refuse(picture("!!!")), Some(Refusal::Invalid { .. })));
    assert!(matches!(refuse(picture("aGVsbG8gd29ybGQ=")), Some(Refusal::Invalid { .. })));
    assert!(matches!(refuse(picture("PHN2Zy8+")), Some(Refusal::Invalid { .. })));
    assert!(matches!(refuse(picture("UklGRgAAAABXRUJQVlA4IA==")), Some(Refusal::Unsupported { .. })));
    let huge = "A".repeat(60 << 20);
    assert!(matches!(refuse(picture(&huge)), Some(Refusal::Limit { .. })));
    assert!(matches!(refuse(picture(&GIF[..40])), Some(Refusal::Invalid { .. })));
    assert!(matches!(
        refuse(InsertPicture { width: Some(0.0), ..picture(GIF) }),
        Some(Refusal::Invalid { .. })
    ));
    let url =
        InsertPicture { source: PictureSource::Url("https://example.com/logo.png".into()), ..picture("") };
    assert!(matches!(refuse(url), Some(Refusal::Denied { .. })));
}

fn svg(inner: &str) -> InsertPicture {
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'>{inner}</svg>");
    InsertPicture { source: PictureSource::Url(format!("data:image/svg+xml,{text}")), ..picture("") }
}

#[test]
fn a_drawing_comes_with_a_bitmap_for_those_who_cannot_draw() {
    let before = document(&p(&r("x")));
    let op = svg("<rect width='200' height='100' fill='%23f00'/><circle cx='50' cy='50' r='40'/>");
    let done = act(&before, Op::InsertPicture(op), Places::default(), Markup::Plain).expect("safe");
    let after = body(&done.content);
    assert!(after.contains("cx=\"1905000\" cy=\"952500\""), "{after}");
    assert!(after.contains("{96DAC541-7B7A-43D3-8B79-37D633B846F1}") && after.contains("<asvg:svgBlip "));
    let png = done.content.read("word/media/image1.png").unwrap().expect("a bitmap").bytes().into_owned();
    assert!(png.starts_with(b"\x89PNG") && png.get(16..24) == Some(&[0, 0, 1, 144, 0, 0, 0, 200]));
    assert!(done.content.contains("word/media/image1.svg"));
    let types = done.content.read("[Content_Types].xml").unwrap().unwrap();
    let types = String::from_utf8_lossy(&types.bytes()).into_owned();
    assert!(types.contains("image/svg+xml") && types.contains("image/png"));
}

#[test]
fn a_drawing_that_is_a_trap_is_refused_or_harmless() {
    let before = document(&p(&r("x")));
    let run = |op: InsertPicture| act(&before, Op::InsertPicture(op), Places::default(), Markup::Plain);
    let deep = format!("{}{}", "<g>".repeat(5_000), "</g>".repeat(5_000));
    assert!(matches!(run(svg(&deep)), Err(Refusal::Invalid { .. })));
    let many: String = (0..9)
        .map(|n| format!("<g id='a{}'>{}</g>", n + 1, format!("<use href='%23a{n}'/>").repeat(10)))
        .collect();
    let bomb = format!("<rect id='a0' width='1' height='1'/>{many}");
    assert!(matches!(run(svg(&bomb)), Err(Refusal::Limit { .. })));
    assert!(matches!(run(svg("<g id='a'><use href='%23a'/></g>")), Err(Refusal::Limit { .. })));
    let entities =
        "data:image/svg+xml,<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'/>";
    let entities = InsertPicture { source: PictureSource::Url(entities.into()), ..picture("") };
    assert!(matches!(run(entities), Err(Refusal::Unsupported { .. })));
    // A file that is asked for is not read.
    let reads = run(svg("<image href='/etc/hostname' width='10' height='10'/><rect width='9' height='9'/>"));
    assert!(reads.is_ok());
}

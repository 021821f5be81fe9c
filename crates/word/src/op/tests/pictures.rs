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
    assert!(matches!(refuse(picture("PHN2Zy8+")), Some(Refusal::Unsupported { .. })));
    assert!(matches!(refuse(picture(&GIF[..40])), Some(Refusal::Corrupt { .. })));
    assert!(matches!(
        refuse(InsertPicture { width: Some(0.0), ..picture(GIF) }),
        Some(Refusal::Invalid { .. })
    ));
    let url =
        InsertPicture { source: PictureSource::Url("https://example.com/logo.png".into()), ..picture("") };
    assert!(matches!(refuse(url), Some(Refusal::Denied { .. })));
}

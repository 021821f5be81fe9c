//! The text of a paragraph that holds nothing but text.
//!
//! To find what is most like a text that is nowhere, all that a document says has to be gone through. Most paragraphs
//! are runs of text and no more, and what they say is what stands between their tags. Whatever else there is, or is
//! spelled in another way than Word does, takes the atoms to read.

use memchr::{memchr, memmem};

use crate::document::names::{El, Scope};

/// What the paragraph that `source` is says, after any change. It has to stand in no field.
pub(crate) fn plain_text(source: &[u8], scope: &Scope, keeps_blanks: bool) -> Option<String> {
    if scope.element(b"w:t") != El::T {
        return None;
    }
    let mut text = String::with_capacity(source.len() / 4);
    let mut at = after_tag(source, source.strip_prefix(b"<w:p")?)?;
    loop {
        at += memchr(b'<', source.get(at..)?)?;
        let rest = source.get(at..)?;
        let behind = match rest {
            [b'<', b'w', b':', b't', b'>', ..] => said(rest, b"<w:t>".len(), keeps_blanks, &mut text)?,
            [b'<', b'w', b':', b't', b' ', ..] => {
                const KEEPS: &[u8] = b"<w:t xml:space=\"preserve\">";
                rest.starts_with(KEEPS).then_some(())?;
                said(rest, KEEPS.len(), true, &mut text)?
            }
            [b'<', b'/', b'w', b':', b'r', b'>', ..] => rest.get(b"</w:r>".len()..)?,
            [b'<', b'w', b':', b'r', b'>', ..] => rest.get(b"<w:r>".len()..)?,
            [b'<', b'w', b':', b'r', b'P', b'r', b'>', ..] => skipped(rest, b"</w:rPr>")?,
            [b'<', b'w', b':', b'p', b'P', b'r', b'>', ..] => skipped(rest, b"</w:pPr>")?,
            [b'<', b'/', b'w', b':', b'p', b'>'] => return Some(text),
            _ => {
                // Of these, only a run has something in it.
                const NOTHING: [&[u8]; 4] = [b"<w:r", b"<w:proofErr", b"<w:bookmarkStart", b"<w:bookmarkEnd"];
                let name = NOTHING
                    .iter()
                    .find(|name| rest.strip_prefix(**name).is_some_and(|rest| rest.first() == Some(&b' ')))?;
                let end = after_tag(source, rest.strip_prefix(*name)?)?;
                let closes_itself = source.get(..end)?.ends_with(b"/>");
                (closes_itself || *name == b"<w:r").then_some(())?;
                source.get(end..)?
            }
        };
        at = source.len() - behind.len();
    }
}

/// The place in `source` behind a tag without surprises, of which `rest` follows the name.
fn after_tag(source: &[u8], rest: &[u8]) -> Option<usize> {
    let length = memchr(b'>', rest)?;
    let attributes = rest.get(..length)?;
    let quotes = attributes.iter().filter(|byte| **byte == b'"').count();
    // A declaration, blanks that are kept, or a bracket in a value.
    let surprising = !quotes.is_multiple_of(2)
        || attributes.contains(&b'\'')
        || memmem::find(attributes, b"xml").is_some()
        || !matches!(attributes.first(), None | Some(b' '));
    (!surprising).then_some(source.len() - rest.len() + length + 1)
}

/// Takes the characters of the `w:t` that `rest` begins with, and returns what follows it.
fn said<'a>(rest: &'a [u8], tag: usize, keeps_blanks: bool, text: &mut String) -> Option<&'a [u8]> {
    let rest = rest.get(tag..)?;
    let (characters, behind) = rest.split_at_checked(memchr(b'<', rest)?)?;
    let behind = behind.strip_prefix(b"</w:t>")?;
    if memchr::memchr3(b'&', b'\n', b'\r', characters).is_some() {
        return None;
    }
    let characters = std::str::from_utf8(characters).ok()?;
    text.push_str(if keeps_blanks { characters } else { characters.trim_matches([' ', '\t']) });
    Some(behind)
}

/// What follows properties. They may hold others only where a change of them is recorded.
fn skipped<'a>(rest: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let length = memmem::find(rest, end)?;
    let inside = rest.get(..length)?;
    let surprising = memmem::find(inside, b"Change").is_some() || memchr(b'!', inside).is_some();
    rest.get(length + end.len()..).filter(|_| !surprising)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::paragraph::{Paragraph, Side};
    use crate::testing::{p, r};
    use crate::{View, Word};
    use edit::Format;
    use proptest::prelude::*;

    fn fully(source: &str, keeps_blanks: bool) -> Option<String> {
        let paragraph = Paragraph::read(source.as_bytes(), 0, Scope::usual().into(), keeps_blanks, &[]);
        paragraph.ok().map(|paragraph| paragraph.text(Side::Final).text)
    }

    #[test]
    fn runs_of_text_need_no_more() {
        for source in [
            p(&(r("The \u{201C}Fee\u{201D} ") + &r("is due"))),
            "<w:p></w:p>".to_owned(),
            "<w:p w:rsidR=\"00A77B3E\"><w:pPr><w:jc w:val=\"left\"/><w:rPr><w:b/></w:rPr></w:pPr><w:r w:rsidR=\"1\"><w:rPr><w:b/></w:rPr><w:t> a b </w:t></w:r><w:proofErr w:type=\"x\"/><w:r><w:t>c</w:t></w:r></w:p>".to_owned(),
        ] {
            for keeps_blanks in [false, true] {
                let text = plain_text(source.as_bytes(), &Scope::usual(), keeps_blanks);
                assert!(text.is_some(), "{source}");
                assert_eq!(text, fully(&source, keeps_blanks), "{source}");
            }
        }
        assert_eq!(plain_text(p(&r("x")).as_bytes(), &Scope::default(), false), None);
    }

    #[test]
    fn every_paragraph_of_every_file_says_the_same() {
        let Some(samples) = testkit::corpus::samples("docx") else { return };
        let (mut plain, mut all) = (0, 0);
        for sample in samples.iter().step_by(2) {
            let Ok((_, content)) = ooxml::Package::open(sample.bytes(), &ooxml::Limits::default()) else {
                continue;
            };
            let Ok(view) = Word::view(&content) else { continue };
            for place in view.places() {
                let (Ok(said), Ok(paragraph)) = (view.said(place), view.paragraph(place)) else { continue };
                assert_eq!(said, paragraph.text(Side::Final).text, "{}", sample.path.display());
                all += 1;
                plain += usize::from(is_plain(&view, place));
            }
        }
        assert!(plain * 3 > all, "{plain} of {all}");
    }

    fn is_plain(view: &View, place: crate::document::view::Place) -> bool {
        let part = view.part(place).unwrap();
        let scope = part.scope(place.index as usize);
        view.source(place).is_some_and(|source| plain_text(&source, &scope, part.keeps_blanks).is_some())
    }

    /// Some of these and nothing else.
    fn any_of(all: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(all), 0..=most).prop_map(|all| all.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn what_is_not_plain_is_left_to_the_reader(
            tag in prop::sample::select(vec![
                "<w:p>", "<w:p w:rsidR=\"1\">", "<w:p xml:space=\"preserve\">", "<w:p a='>'>", "<w:p\n>",
            ]),
            runs in prop::collection::vec((
                prop::sample::select(vec![
                    "<w:r>", "<w:r>", "<w:r>", "<w:r w:rsidR=\"1\">", "<w:r a=\"x>y\">", "<w:r a='b'>", "<w:r xml:space=\"preserve\">",
                    "<w:r xmlns:w=\"urn:x\">",
                ]),
                any_of(&["<w:rPr><w:b/></w:rPr>", "<w:rPr/>", "<w:rPr><w:rPrChange><w:rPr/></w:rPrChange></w:rPr>", "x"], 1),
                prop::sample::select(vec![
                    "<w:t>", "<w:t>", "<w:t xml:space=\"preserve\">", "<w:t xml:space='preserve'>", "<w:t a=\"\">", "<w:t >",
                ]),
                any_of(&[" a ", "b", "  ", "\u{e9}", "\t", "&amp;", "\n", "<![CDATA[c]]>", "<!-- - -->", "<w:t>d</w:t>"], 3),
                any_of(&[
                    "<w:t/>", "<w:tab/>", "<w:br/>", "<w:sym w:char=\"F0A7\"/>", "<w:delText>e</w:delText>", "y",
                    "<w:fldChar w:fldCharType=\"begin\"/>", "<w:instrText>f</w:instrText>",
                    "<w:fldChar w:fldCharType=\"end\"/>", "<w:t>g</w:t>",
                ], 2),
                any_of(&[
                    "<w:bookmarkStart w:name=\">\"/>", "<w:bookmarkEnd w:id=\"1\"/>", "<w:proofErr w:type=\"a\"/>", "<w:r/>", "<w:r />",
                    "<w:proofErr w:a=\"\"><w:r><w:t>h</w:t></w:r></w:proofErr>", "<!-- <w:t>i</w:t> -->", "<m:t>j</m:t>", "\n  ",
                    "<w:del><w:r><w:t>k</w:t></w:r></w:del>", "<w:ins><w:r><w:t>l</w:t></w:r></w:ins>", "<w:pPr><w:jc/></w:pPr>",
                    "<w:hyperlink><w:r><w:t>m</w:t></w:r></w:hyperlink>", "<w:p><w:r><w:t>n</w:t></w:r></w:p>", "<w:p/>",
                ], 1),
            ), 0..4),
            keeps_blanks in any::<bool>(),
        ) {
            let runs = runs.iter().map(|(run, properties, t, said, more, behind)| {
                format!("{run}{properties}{t}{said}</w:t>{more}</w:r>{behind}")
            });
            let source = format!("{tag}{}</w:p>", runs.collect::<String>());
            let read = fully(&source, keeps_blanks);
            prop_assert!(read.is_some(), "{}", source);
            if let Some(text) = plain_text(source.as_bytes(), &Scope::usual(), keeps_blanks) {
                prop_assert_eq!(Some(text), read, "{}", source);
            }
        }
    }
}

//! The paragraph that a quoted text stands in, where the caller did not say.

use edit::{Cut, Refusal};

use crate::document::ids::ParagraphId;
use crate::document::layout::Story;
use crate::document::paragraph::Side;
use crate::document::view::{Place, View};
use crate::text::accents::Respelled;
use crate::text::ladder::{self, Quoted, Rung};
use crate::text::near::Near;

/// A paragraph that has the text, how closely, and the text with what is around it.
type TextHit = (Rung, Place, String);

/// How much a paragraph has in common with the text, of a thousand, and where.
type Alike = (usize, Place, String);

/// So many texts are shown in place of one that is nowhere.
const SHOWN: usize = 3;

/// The one paragraph with this text, found as forgivingly as an edit finds it. The body comes first: what stands there
/// once may also stand in a header. Text that is nowhere comes back with what is nearest to it.
pub fn locate(view: &View, text: &str) -> Result<ParagraphId, Refusal> {
    ladder::check(text)?;
    // Most text stands there as it was quoted, and then few paragraphs have to be read.
    let mut found = exactly(view, text)?;
    let mut nearest = Vec::new();
    if found.is_empty() {
        (found, nearest) = somehow(view, text)?;
    }
    let Some(best) = found.iter().map(|(rung, ..)| *rung).min() else {
        let nearest =
            nearest.into_iter().map(|(_, place, near)| format!("{}: {near}", view.id(place))).collect();
        return Err(Refusal::NotFound { what: "text", id: text.to_owned(), nearest });
    };
    found.retain(|(rung, ..)| *rung == best);
    let in_body = |place: &Place| view.story_of(*place) == Story::Body;
    if found.iter().any(|(_, place, _)| in_body(place)) {
        found.retain(|(_, place, _)| in_body(place));
    }
    match found.as_slice() {
        [(_, place, _)] => Ok(view.id(*place)),
        many => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count: many.len(),
            within: "the document".to_owned(),
            contexts: many
                .iter()
                .take(5)
                .map(|(_, place, shown)| format!("{}: {shown}", view.id(*place)))
                .collect(),
        }),
    }
}

fn exactly(view: &View, text: &str) -> Result<Vec<TextHit>, Refusal> {
    let mut found = Vec::new();
    for place in view.that_may_hold(text) {
        let said = view.paragraph(place)?.text(Side::Final).text;
        if let Some(at) = said.find(text) {
            found.push((Rung::Exact, place, ladder::context(&said, &(at..at + text.len()))));
        }
    }
    Ok(found)
}

/// The paragraphs that have the text, or else those with what is most like it, best first.
fn somehow(view: &View, text: &str) -> Result<(Vec<TextHit>, Vec<Alike>), Refusal> {
    let (respelled, mut near) = (Respelled::of(text), Near::to(text));
    let (quoted, composed) = (Quoted::new(text), respelled.quoted());
    let mut found = Vec::new();
    let mut nearest: Vec<Alike> = Vec::new();
    for place in view.places() {
        let said = view.said(place)?;
        match quoted.search(&said, "").or_else(|| respelled.search(&composed, &said, "")) {
            None if !found.is_empty() => {}
            None => {
                // Only what is better than the last of them gets in between.
                let last = nearest.get(SHOWN - 1).map(|(likeness, ..)| *likeness);
                if let Some(like) = near.in_text(&said, last) {
                    let at = nearest.partition_point(|(likeness, ..)| *likeness >= like.likeness);
                    let near = said.cut(like.range)?.to_owned();
                    nearest.insert(at, (like.likeness, place, near));
                    nearest.truncate(SHOWN);
                }
            }
            Some((rung, Ok(hit))) => found.push((rung, place, ladder::context(&said, &hit.range))),
            Some((rung, Err(Refusal::Ambiguous { contexts, .. }))) => {
                found.push((rung, place, contexts.into_iter().next().unwrap_or_default()));
            }
            Some((_, Err(refusal))) => return Err(refusal),
        }
    }
    Ok((found, nearest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;
    use crate::testing::{document_with, p, r};
    use crate::text::near::tests::{sentence, slowly};
    use edit::Format;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn what_is_nearest_in_a_document_is_what_a_slow_search_of_all_of_it_finds(
            texts in prop::collection::vec(sentence(), 1..12),
            wanted in sentence(),
        ) {
            let said = |text: &str| text.replace(['<', '>', '&'], "").replace('\t', " ");
            let body: String = texts.iter().map(|text| p(&r(&said(text)))).collect();
            let view = Word::view(&document_with(&body, &[])).expect("views");
            let mut slow: Vec<(usize, String)> = view.places().filter_map(|place| {
                let said = view.paragraph(place).expect("reads").text(Side::Final).text;
                let like = slowly(&said, &wanted)?;
                Some((like.likeness, format!("{}: {}", view.id(place), &said[like.range])))
            }).collect();
            slow.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
            let slow: Vec<String> = slow.into_iter().take(SHOWN).map(|(_, shown)| shown).collect();
            if let Err(Refusal::NotFound { nearest, .. }) = locate(&view, &wanted) {
                prop_assert_eq!(nearest, slow);
            }
        }
    }

    #[test]
    fn a_text_says_where_it_stands_or_what_is_near() {
        let body = p(&r("The \u{201C}Fee\u{201D} is due")) + &p(&r("Second half")) + &p(&r("Second part"));
        let header = p(&r("Second half of the draft"));
        let view = Word::view(&document_with(&body, &[("header1", &header)])).expect("views");
        let ids: Vec<ParagraphId> = view.places().map(|place| view.id(place)).collect();
        assert_eq!(locate(&view, "\"Fee\" is").expect("found"), ids[0]);
        assert_eq!(locate(&view, "<b>Second</b> half").expect("found"), ids[1]);
        let accents =
            Word::view(&document_with(&(p(&r("cafe\u{301}")) + &p(&r("th\u{e9}"))), &[])).expect("views");
        let found = |text: &str| locate(&accents, text).map(|id| accents.find(id).expect("there").index);
        assert_eq!((found("caf\u{e9}"), found("the\u{301}")), (Ok(0), Ok(1)));
        assert_eq!(locate(&view, "of the draft").expect("found"), ids[3]);
        assert!(matches!(locate(&view, "Second"), Err(Refusal::Ambiguous { count: 2, .. })));
        assert!(matches!(locate(&view, ""), Err(Refusal::Invalid { .. })));
        let twice = p(&r("\u{201C}Fee\u{201D} or \u{201C}Fee\u{201D}")) + &p(&r("\u{201C}Fee\u{201D}"));
        let twice = Word::view(&document_with(&twice, &[])).expect("views");
        assert!(matches!(locate(&twice, "\"Fee\""), Err(Refusal::Ambiguous { count: 2, .. })));
        let Err(Refusal::NotFound { nearest, .. }) = locate(&view, "secnod hafl") else { panic!("found") };
        assert_eq!(nearest[0], format!("{}: Second half", ids[1]));
        let Err(Refusal::NotFound { nearest, .. }) = locate(&view, "zzz") else { panic!("found") };
        assert_eq!(nearest, Vec::<String>::new());
    }
}

//! The paragraph that a quoted text stands in, where the caller did not say.

use edit::Refusal;

use crate::ids::ParagraphId;
use crate::ladder::{self, Rung};
use crate::layout::Story;
use crate::paragraph::Side;
use crate::view::{Place, View};

/// A paragraph that has the text, how closely, and the text with what is around it.
type Found = (Rung, Place, String);

/// The one paragraph with this text, found as forgivingly as an edit finds it. The body comes first: what stands there
/// once may also stand in a header. Text that is nowhere comes back with what is nearest to it.
pub fn locate(view: &View, text: &str) -> Result<ParagraphId, Refusal> {
    ladder::check(text)?;
    // Most text stands there as it was quoted, and then few paragraphs have to be read.
    let mut found = exactly(view, text)?;
    if found.is_empty() {
        found = somehow(view, text)?;
    }
    let Some(best) = found.iter().map(|(rung, ..)| *rung).min() else {
        return Err(Refusal::NotFound { what: "text", id: text.to_owned(), nearest: nearest(view, text)? });
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

fn exactly(view: &View, text: &str) -> Result<Vec<Found>, Refusal> {
    let mut found = Vec::new();
    for place in view.that_may_hold(text) {
        let said = view.paragraph(place)?.text(Side::Final).text;
        if let Some(at) = said.find(text) {
            found.push((Rung::Exact, place, ladder::context(&said, &(at..at + text.len()))));
        }
    }
    Ok(found)
}

fn somehow(view: &View, text: &str) -> Result<Vec<Found>, Refusal> {
    let mut found = Vec::new();
    for place in view.places() {
        let said = view.paragraph(place)?.text(Side::Final).text;
        let (rung, shown) = match ladder::search(&said, text, "") {
            None => continue,
            Some((rung, Ok(hit))) => (rung, ladder::context(&said, &hit.range)),
            Some((rung, Err(Refusal::Ambiguous { contexts, .. }))) => {
                (rung, contexts.into_iter().next().unwrap_or_default())
            }
            Some((_, Err(refusal))) => return Err(refusal),
        };
        found.push((rung, place, shown));
    }
    Ok(found)
}

/// What is most like a text that is nowhere, and in which paragraphs.
fn nearest(view: &View, text: &str) -> Result<Vec<String>, Refusal> {
    let mut near: Vec<(usize, Place, String)> = Vec::new();
    for place in view.places() {
        let said = view.paragraph(place)?.text(Side::Final).text;
        if let Some(found) = ladder::near(&said, text) {
            near.push((ladder::likeness(&found, text), place, found));
        }
    }
    near.sort_by_key(|(likeness, ..)| std::cmp::Reverse(*likeness));
    Ok(near.into_iter().take(3).map(|(_, place, near)| format!("{}: {near}", view.id(place))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;
    use crate::testing::{document_with, p, r};
    use edit::Format;

    #[test]
    fn a_text_says_where_it_stands_or_what_is_near() {
        let body = p(&r("The \u{201C}Fee\u{201D} is due")) + &p(&r("Second half")) + &p(&r("Second part"));
        let header = p(&r("Second half of the draft"));
        let view = Word::view(&document_with(&body, &[("header1", &header)])).expect("views");
        let ids: Vec<ParagraphId> = view.places().map(|place| view.id(place)).collect();
        assert_eq!(locate(&view, "\"Fee\" is").expect("found"), ids[0]);
        assert_eq!(locate(&view, "<b>Second</b> half").expect("found"), ids[1]);
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

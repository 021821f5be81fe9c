//! The paragraph that a quoted text stands in, where the caller did not say.

use edit::Refusal;

use crate::ids::ParagraphId;
use crate::ladder::{self, Rung};
use crate::layout::Story;
use crate::paragraph::Side;
use crate::view::{Place, View};

/// The one paragraph with this text, found as forgivingly as an edit finds it. The body comes first: what stands there
/// once may also stand in a header. Text that is nowhere comes back with what is nearest to it.
pub fn locate(view: &View, text: &str) -> Result<ParagraphId, Refusal> {
    let mut found: Vec<(Rung, Place, String)> = Vec::new();
    let mut near: Vec<(usize, String)> = Vec::new();
    for place in view.places() {
        let said = view.paragraph(place)?.text(Side::Final).text;
        match ladder::find(&said, text, "") {
            Ok(hit) => found.push((hit.rung, place, ladder::context(&said, &hit.range))),
            Err(Refusal::Ambiguous { contexts, .. }) => {
                found.push((Rung::Exact, place, contexts.into_iter().next().unwrap_or_default()));
            }
            Err(Refusal::NotFound { nearest, .. }) => {
                for nearest in nearest.into_iter().filter(|near| !near.starts_with(ladder::INSTEAD)) {
                    near.push((ladder::likeness(&nearest, text), format!("{}: {nearest}", view.id(place))));
                }
            }
            Err(refusal) => return Err(refusal),
        }
    }
    let Some(best) = found.iter().map(|(rung, ..)| *rung).min() else {
        near.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
        let nearest = near.into_iter().take(3).map(|(_, near)| near).collect();
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
        let Err(Refusal::NotFound { nearest, .. }) = locate(&view, "secnod hafl") else { panic!("found") };
        assert_eq!(nearest[0], format!("{}: Second half", ids[1]));
        let Err(Refusal::NotFound { nearest, .. }) = locate(&view, "zzz") else { panic!("found") };
        assert_eq!(nearest, Vec::<String>::new());
    }
}

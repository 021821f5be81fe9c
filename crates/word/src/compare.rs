//! The edits that take one document to another, so that their difference can be shown as tracked changes.
//!
//! Paragraphs are matched by what they say; those that say nearly the same are rewritten word by word, the
//! others come and go. The original keeps its formatting: only text is compared.

use std::borrow::Cow;
use std::collections::BTreeSet;

use edit::Refusal;

use crate::edit::{DeleteParagraph, Edit, InsertParagraphs, Markup, Position, ReplaceText};
use crate::ids::ParagraphId;
use crate::paragraph::Side;
use crate::tokens::{compare as diff, is_word, tokens};
use crate::view::{Place, View};

/// The edits on `original` that make its body say what `revised` says.
pub fn compare(original: &View, revised: &View, markup: Markup) -> Result<Vec<Edit>, Refusal> {
    let old = texts(original)?;
    let new = texts(revised)?;
    let mut edits = Vec::new();
    let mut last: Option<ParagraphId> = None;
    let keys = |texts: &[(Place, String)]| -> Vec<Cow<'static, str>> {
        texts.iter().map(|(_, text)| Cow::Owned(text.clone())).collect()
    };
    for hunk in diff(&keys(&old), &keys(&new)) {
        let (before, after) = (old.get(hunk.old).unwrap_or_default(), new.get(hunk.new).unwrap_or_default());
        if !hunk.same {
            replace(original, before, after, last, old.first().map(|(place, _)| *place), markup, &mut edits);
        }
        if let Some((place, _)) = before.last() {
            last = Some(original.id(*place));
        }
    }
    Ok(edits)
}

/// Without the marks of notes, comments and pictures: they are counted anew in each document, so a further
/// footnote would make every later paragraph another one.
fn texts(view: &View) -> Result<Vec<(Place, String)>, Refusal> {
    view.body().map(|place| Ok((place, view.paragraph(place)?.text(Side::Final).text))).collect()
}

fn replace(
    view: &View,
    before: &[(Place, String)],
    after: &[(Place, String)],
    last: Option<ParagraphId>,
    first: Option<Place>,
    markup: Markup,
    edits: &mut Vec<Edit>,
) {
    let mut waiting = after.iter().peekable();
    let mut anchor = last;
    for (index, (place, text)) in before.iter().enumerate() {
        let paragraph = view.id(*place);
        // The first of the new paragraphs that says nearly what this one says; those before it are new.
        let left = before.len() - index;
        let ahead = waiting.len().saturating_sub(left.saturating_sub(1));
        let twin = waiting.clone().take(ahead.max(1)).position(|(_, candidate)| is_alike(text, candidate));
        match twin {
            Some(skipped) => {
                for _ in 0..skipped {
                    if let Some((_, text)) = waiting.next() {
                        insert(anchor, Some(paragraph), text, markup, edits);
                    }
                }
                if let Some((_, new)) = waiting.next().filter(|(_, new)| new != text) {
                    edits.push(rewrite(paragraph, text, new, markup));
                }
            }
            // The last one becomes another text rather than going: a story must not end without its mark.
            None if left == 1
                && !text.is_empty()
                && waiting.peek().is_some_and(|(_, new)| !new.is_empty()) =>
            {
                if let Some((_, new)) = waiting.next() {
                    edits.push(rewrite(paragraph, text, new, markup));
                }
            }
            None => edits.push(Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup })),
        }
        anchor = Some(paragraph);
    }
    // Those that are left stand behind the last one, the nearest to it inserted last.
    let rest: Vec<&(Place, String)> = waiting.collect();
    for (_, text) in rest.into_iter().rev() {
        insert(anchor, first.map(|first| view.id(first)), text, markup, edits);
    }
}

fn rewrite(paragraph: ParagraphId, old: &str, new: &str, markup: Markup) -> Edit {
    Edit::ReplaceText(ReplaceText { paragraph, old: old.to_owned(), new: literal(new), expect: None, markup })
}

fn insert(
    after: Option<ParagraphId>,
    before: Option<ParagraphId>,
    text: &str,
    markup: Markup,
    edits: &mut Vec<Edit>,
) {
    if text.trim().is_empty() {
        return;
    }
    let (anchor, position) = match (after, before) {
        (_, Some(before)) if after.is_none() => (before, Position::Before),
        (Some(after), _) => (after, Position::After),
        _ => return,
    };
    let text = literal(text);
    edits.push(Edit::InsertParagraphs(InsertParagraphs {
        anchor,
        position,
        text,
        style_source: None,
        markup,
    }));
}

/// Text that holds what looks like a tag says so literally.
fn literal(text: &str) -> String {
    if crate::tags::strip(text) == text { text.to_owned() } else { text.replace('<', "\\<") }
}

/// Whether two paragraphs share a third of their words.
fn is_alike(old: &str, new: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let all = tokens(text).into_iter().filter_map(|range| text.get(range).map(str::to_lowercase));
        all.filter(|token| is_word(token)).collect()
    };
    let (old, new) = (words(old), words(new));
    let shared = old.intersection(&new).count();
    shared > 0 && shared * 3 >= old.len().max(new.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{document, lines, p, r};
    use crate::{Resolution, ResolveChanges, Which, Word};

    fn paragraphs(texts: &[&str]) -> edit::Content {
        document(&texts.iter().map(|text| p(&r(text))).collect::<String>())
    }

    #[test]
    fn a_redline_reads_as_either_document() {
        for (old, new) in [
            (
                &["One fine day.", "Two is company.", "Three."][..],
                &["One fine day.", "Two are company.", "Three."][..],
            ),
            (&["Alpha beta", "Gamma delta", "End"], &["Alpha beta", "End"]),
            (&["Alpha beta", "End"], &["Alpha beta", "New here", "And here", "End"]),
            (&["Alpha beta gamma", "End"], &["Start", "Alpha beta GAMMA now", "End", "Behind <b>it</b>"]),
            (&["All", "of", "it"], &["Something else entirely"]),
        ] {
            let (before, after) = (paragraphs(old), paragraphs(new));
            let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
            let edits = compare(&first, &second, Markup::Tracked).expect("compared");
            let done = testkit::check::<Word>(&before, &edits).expect("made");
            for (resolution, wanted) in [(Resolution::Accept, new), (Resolution::Reject, old)] {
                let edit = Edit::ResolveChanges(ResolveChanges { resolution, which: Which::All });
                let resolved = testkit::check::<Word>(&done.content, &[edit]).expect("resolved");
                assert_eq!(lines(&resolved.view, Side::Final), wanted, "{resolution:?} {old:?} {new:?}");
            }
        }
    }

    #[test]
    fn the_same_document_needs_no_edit() {
        let view = View::read(&paragraphs(&["a", "b", "", "a"])).expect("viewed");
        assert_eq!(compare(&view, &view, Markup::Tracked).expect("compared"), []);
    }
}

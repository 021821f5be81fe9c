//! The edits that take one document to another, so that their difference can be shown as tracked changes.
//!
//! Paragraphs are matched by what they say; those that say nearly the same are rewritten word by word, the
//! others come and go. The original keeps its formatting: only text is compared.

use std::borrow::Cow;
use std::collections::BTreeSet;

use edit::Refusal;

use crate::edit::{DeleteParagraph, Edit, InsertParagraphs, Markup, Position, ReplaceText};
use crate::ids::ParagraphId;
use crate::index::{BoxKind, NOWHERE};
use crate::layout::Story;
use crate::paragraph::Side;
use crate::tokens::{compare as diff, is_word, tokens};
use crate::view::{Place, View};

/// The edits on `original` that make it say what `revised` says. Beside the body, headers, footers and notes are
/// compared where both have as many paragraphs; [`uncompared`] says what else differs.
pub fn compare(original: &View, revised: &View, markup: Markup) -> Result<Vec<Edit>, Refusal> {
    let old = body(original, markup)?;
    let new = body(revised, markup)?;
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
    for (_, pairs) in beside(original, revised)? {
        for ((place, old), (_, new)) in pairs.iter().flatten() {
            if old != new && !old.is_empty() && !in_text_box(original, *place) {
                edits.push(rewrite(original.id(*place), old, new, markup));
            }
        }
    }
    Ok(edits)
}

/// The texts that differ and that [`compare`] leaves as they are.
pub fn uncompared(original: &View, revised: &View, markup: Markup) -> Result<Vec<String>, Refusal> {
    let mut left = Vec::new();
    let boxed = |view: &View| -> Result<Vec<String>, Refusal> {
        let all = texts(view, view.places())?.into_iter();
        Ok(all.filter(|(place, _)| in_text_box(view, *place)).map(|(_, text)| text).collect())
    };
    if markup == Markup::Tracked && boxed(original)? != boxed(revised)? {
        left.push("text boxes".to_owned());
    }
    for (story, pairs) in beside(original, revised)? {
        let told = |pair: &(Told, Told)| pair.0.1 == pair.1.1 || !pair.0.1.is_empty();
        if pairs.is_none_or(|pairs| !pairs.iter().all(told)) {
            left.push(story.to_string());
        }
    }
    let comments = |view: &View| -> Result<Vec<String>, Refusal> {
        Ok(texts(view, view.story(Story::Comments))?.into_iter().map(|(_, text)| text).collect())
    };
    if comments(original)? != comments(revised)? {
        left.push(Story::Comments.to_string());
    }
    Ok(left)
}

/// A paragraph and what it says.
type Told = (Place, String);

/// Paragraphs of one story side by side.
type Pairs = Vec<(Told, Told)>;

/// The paragraphs of headers, footers and notes side by side; `None` where there are more in one document.
fn beside(original: &View, revised: &View) -> Result<Vec<(Story, Option<Pairs>)>, Refusal> {
    let stories = original.layout().stories.iter().chain(&revised.layout().stories);
    let mut all: Vec<Story> = stories.map(|(story, _)| *story).collect();
    all.retain(|story| !matches!(story, Story::Body | Story::Comments));
    all.sort_unstable();
    all.dedup();
    let mut out = Vec::new();
    for story in all {
        let old = texts(original, original.story(story))?;
        let new = texts(revised, revised.story(story))?;
        let said = |texts: &[Told]| texts.iter().any(|(_, text)| !text.is_empty());
        let pairs = match old.len() == new.len() {
            true => Some(old.into_iter().zip(new).collect()),
            // Paragraphs without a word are no difference.
            false if !said(&old) && !said(&new) => Some(Vec::new()),
            false => None,
        };
        out.push((story, pairs));
    }
    Ok(out)
}

/// What the body says. Where changes are tracked, text boxes are left out: Word refuses tracked changes there.
fn body(view: &View, markup: Markup) -> Result<Vec<Told>, Refusal> {
    let keep = |place: &Place| markup == Markup::Plain || !in_text_box(view, *place);
    texts(view, view.body().filter(keep))
}

fn in_text_box(view: &View, place: Place) -> bool {
    let Some(part) = view.part(place) else { return false };
    let boxed = part.paragraphs.boxed.get(place.index as usize).copied().unwrap_or(NOWHERE);
    part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox)
}

/// Without the marks of notes, comments and pictures: they are counted anew in each document, so a further
/// footnote would make every later paragraph another one.
fn texts(view: &View, places: impl Iterator<Item = Place>) -> Result<Vec<Told>, Refusal> {
    places.map(|place| Ok((place, view.paragraph(place)?.text(Side::Final).text))).collect()
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
    fn headers_and_notes_are_compared_where_they_correspond() {
        let with = |header: &str, notes: &[&str], boxed: &str| {
            let notes: String = (1..)
                .zip(notes)
                .map(|(id, text)| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", p(&r(text))))
                .collect();
            let text_box = format!(
                "<w:r><w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></w:r>",
                p(&r(boxed))
            );
            let body = p(&r("Body")) + &p(&text_box);
            View::read(&crate::testing::document_with(
                &body,
                &[("header1", &p(&r(header))), ("footnotes", &notes)],
            ))
            .expect("viewed")
        };
        let old = with("Draft 1", &["See above."], "boxed");
        let edits =
            compare(&old, &with("Draft 2", &["See below."], "boxed"), Markup::Tracked).expect("compared");
        let done = testkit::check::<Word>(old.content(), &edits).expect("made");
        assert_eq!(lines(&done.view, Side::Final), ["Body", "", "boxed", "Draft 2", "See below."]);
        assert_eq!(lines(&done.view, Side::Original), lines(&old, Side::Final));
        let other = with("Draft 1", &["See above.", "And more."], "another");
        assert_eq!(compare(&old, &other, Markup::Tracked).expect("compared"), []);
        assert_eq!(uncompared(&old, &other, Markup::Tracked).expect("told"), ["text boxes", "footnotes"]);
        assert_eq!(uncompared(&old, &old, Markup::Tracked).expect("told"), Vec::<String>::new());
    }

    #[test]
    fn the_same_document_needs_no_edit() {
        let view = View::read(&paragraphs(&["a", "b", "", "a"])).expect("viewed");
        assert_eq!(compare(&view, &view, Markup::Tracked).expect("compared"), []);
    }
}

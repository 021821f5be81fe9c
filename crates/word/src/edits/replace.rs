//! Replacing text inside one paragraph.

use std::ops::Range;

use edit::{Context, Cut, Level, Note, Patch, Planned, Refusal, Step};

use super::{
    Draft, Markup, Outcome, ReplaceText, check_controls, check_expected, clean, excerpt, gone_fields,
    kept_fields, kept_marks, operate_telling, told_of_marks,
};
use crate::document::ids::ParagraphId;
use crate::document::view::{Place, View};
use crate::edits::anatomy::{Anatomy, Field};
use crate::edits::emphasis;
use crate::edits::kept_fields::Misplaced;
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::quoted_ranges::{PlacedXml, insert_at, insert_tracked};
use crate::edits::rewrite::Act;
use crate::edits::roles;
use crate::edits::surgeon::{Results, Tools};
use crate::text::accents;
use crate::text::grep::Search;
use crate::text::ladder::{self, Hit};
use crate::text::read::unescape;
use crate::text::tags::{self, Role, Tagged};

pub(crate) fn plan(view: &View, edit: &ReplaceText, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let planned = as_written(view, edit, cx);
    let unescaped = unescape(&edit.old).zip(unescape(&edit.new).or_else(|| Some(edit.new.clone())));
    match (planned, unescaped) {
        // A row of a page was quoted as it was printed, with bars and breaks escaped.
        (Err(refusal @ Refusal::NotFound { what: "text", .. }), Some((old, new))) => {
            match as_written(view, &ReplaceText { old, new, ..edit.clone() }, cx) {
                Err(Refusal::NotFound { what: "text", .. }) => Err(refusal),
                planned => planned,
            }
        }
        (planned, _) => planned,
    }
}

fn as_written(view: &View, edit: &ReplaceText, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let place = view.find(edit.paragraph)?;
    let opened = OpenParagraph::open(view, place)?;
    let anatomy = opened.anatomy()?;
    check_expected(view, place, edit.expect.as_ref(), &anatomy.text)?;
    check_controls(view, place)?;
    let old = edit.old.replace("\r\n", "\n");
    let within = edit.paragraph.to_string();
    let (anatomy, found) = match accents::find(&anatomy.text, &old, &within) {
        Ok(found) => (anatomy, found),
        Err(refusal) => {
            let bare = opened.bare_anatomy()?;
            let found = accents::find(&bare.text, &old, &within)
                .map_err(|_| elsewhere(view, edit.paragraph, &old, refusal))?;
            (bare, found)
        }
    };
    carry_out((view, place), (&opened, &anatomy), &found, edit, Results::Rewritten, cx)
}

/// Replaces all text of a paragraph and leaves what else is in it, such as a logo. The new text has to last, so it is
/// refused where a field may compute it again.
pub(super) fn whole(
    view: &View,
    paragraph: ParagraphId,
    new: String,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let place = view.find(paragraph)?;
    let opened = OpenParagraph::open(view, place)?;
    let anatomy = opened.bare_anatomy()?;
    check_controls(view, place)?;
    let old = anatomy.text.clone();
    let found = accents::find(&old, &old, &paragraph.to_string())?;
    let edit = ReplaceText { paragraph, old, new, expect: None, markup, clear_highlight: false };
    carry_out((view, place), (&opened, &anatomy), &found, &edit, Results::Kept, cx)
}

fn carry_out(
    (view, place): (&View, Place),
    (opened, anatomy): (&OpenParagraph, &Anatomy<'_>),
    found: &accents::RespelledHit,
    edit: &ReplaceText,
    results: Results,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let old = edit.old.replace("\r\n", "\n");
    let hit = &found.hit;
    let mut new = tags::parse_over(&clean("new_string", &edit.new)?)?;
    kept_fields::resolve(anatomy, &hit.range, &mut new)?;
    let new = trim(new, hit);
    let (matched, behind) = (anatomy.text.cut(hit.range.clone())?, anatomy.text.part(hit.range.end..));
    let before = anatomy.text.part(..hit.range.start);
    let new = ladder::agree(new, &tags::strip(&old), matched, before);
    roles::check_headers(&new, before)?;
    let new = roles::dress(view, place, new, behind, Some((before, &hit.range)));
    let target = Target { place: (view, place), opened, anatomy, range: &hit.range, found };
    let misplaced = match results {
        Results::Rewritten => kept_fields::misplaced(anatomy, &hit.range, &new),
        Results::Kept => Misplaced::default(),
    };
    let mut refused = None;
    if misplaced.moved.is_empty() {
        match rewritten(&target, edit, new.clone(), results, cx) {
            Err(refusal @ Refusal::Unsafe { .. }) if !misplaced.unnamed.is_empty() => refused = Some(refusal),
            planned => return planned,
        }
    } else if let Ok(planned) = rearranged(&target, edit, &new, &misplaced.moved, &[], cx) {
        return Ok(planned);
    }
    rearranged(&target, edit, &new, &misplaced.moved, &misplaced.unnamed, cx)
        .map_err(|refusal| refused.unwrap_or(refusal))
}

/// A stretch of a paragraph that is rewritten.
struct Target<'a> {
    place: (&'a View, Place),
    opened: &'a OpenParagraph,
    anatomy: &'a Anatomy<'a>,
    range: &'a Range<usize>,
    found: &'a accents::RespelledHit,
}

/// The rewrite in strokes: fields that move or go are taken out, the rest is rewritten, and those that move are put in.
fn rearranged(
    target: &Target<'_>,
    edit: &ReplaceText,
    new: &[Tagged],
    moved: &[(&Field, Range<usize>)],
    unnamed: &[&Field],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let Target { place: (view, _), opened, anatomy, range, found } = *target;
    let mut draft = Draft::new(view, edit.markup, cx);
    let going: Vec<&Field> = moved.iter().map(|(field, _)| *field).chain(unnamed.iter().copied()).collect();
    let removed = gone_fields::remove(opened, anatomy, &going, draft.stamp().as_ref())?;
    let mut patch = Patch::new();
    opened.add_to(&mut patch, removed.splices)?;
    draft.apply(&patch)?;
    let (rest, shorter) = gone_fields::without(&anatomy.text, range, &going)?;
    let mut left: Vec<Tagged> = Vec::new();
    let mut from = 0;
    let length = new.iter().map(|tagged| tagged.text.len()).sum();
    for (_, named) in moved {
        left.extend(kept_marks::slice(new, &(from..named.start)));
        from = named.end;
    }
    left.extend(kept_marks::slice(new, &(from..length)));
    let again = Reopened::open(draft.view(), edit.paragraph, &rest)?;
    let target = Target {
        place: (draft.view(), again.place),
        opened: &again.opened,
        anatomy: &again.anatomy()?,
        range: &shorter,
        found,
    };
    let Planned { step, outcome } = rewritten(&target, edit, left, Results::Rewritten, cx)?;
    let Outcome::Replaced { after: mut text, .. } = outcome else {
        return Err(Refusal::internal("a rewrite with another outcome"));
    };
    draft.apply(&step.patch)?;
    // From the last to the first, so that places further in front stay where they are.
    let mut shifts = Vec::new();
    let mut lost = 0;
    for (field, named) in moved {
        shifts.push((range.start + named.start - lost, anatomy.text.cut(field.result.clone())?));
        lost += named.len();
    }
    for ((at, shown), copy) in shifts.into_iter().zip(&removed.copies).rev() {
        let again = Reopened::open(draft.view(), edit.paragraph, &text)?;
        let splices = match draft.stamp() {
            None => insert_at(&again.opened, &again.anatomy()?, &[PlacedXml::mark(at, copy)]),
            Some(stamp) => insert_tracked(&again.opened, &again.anatomy()?, at, copy, &stamp),
        };
        let mut patch = Patch::new();
        again.opened.add_to(&mut patch, splices)?;
        draft.apply(&patch)?;
        text.insert_str(at, shown);
    }
    let mut notes = step.notes;
    for field in unnamed {
        let shown = anatomy.text.cut(field.result.clone())?;
        let text =
            format!("the new text does not name `{shown}`, so {} went with the old text", field.named());
        notes.push(Note { level: Level::Warning, text });
    }
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let matched = anatomy.text.cut(range.clone())?;
    let summary = format!("Replace \"{}\" with \"{}\"", excerpt(matched), excerpt(&whole));
    let Step { patch, .. } = draft.finish(String::new());
    Ok(Planned {
        step: Step { patch, summary, notes },
        outcome: Outcome::Replaced { paragraph: edit.paragraph, before: anatomy.text.clone(), after: text },
    })
}

/// The paragraph between two strokes.
struct Reopened {
    place: Place,
    opened: OpenParagraph,
    text: String,
}

impl Reopened {
    /// It has to say `text`, with or without the marks of notes and comments.
    fn open(view: &View, paragraph: ParagraphId, text: &str) -> Result<Self, Refusal> {
        let place = view.find(paragraph)?;
        let opened = OpenParagraph::open(view, place)?;
        let known = opened.text() == text || opened.bare_anatomy()?.text == text;
        match known {
            true => Ok(Self { place, opened, text: text.to_owned() }),
            false => Err(Refusal::internal("a paragraph says something else after a field was taken out")),
        }
    }

    fn anatomy(&self) -> Result<Anatomy<'_>, Refusal> {
        if self.opened.text() == self.text { self.opened.anatomy() } else { self.opened.bare_anatomy() }
    }
}

fn rewritten(
    target: &Target<'_>,
    edit: &ReplaceText,
    new: Vec<Tagged>,
    results: Results,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let Target { place: (view, place), opened, anatomy, range, found } = *target;
    let matched = anatomy.text.cut(range.clone())?;
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let segments = kept_fields::divide(anatomy, range, new);
    let mut acts: Vec<Act> = Vec::new();
    for segment in &segments {
        acts.extend(segment.acts(anatomy, &whole, &|token| found.key(token))?);
    }
    settle_roles(&mut acts);
    if edit.clear_highlight {
        clear_highlight(&mut acts);
    }
    let (acts, dropped) = emphasis::settle(anatomy, acts);
    let marks = acts.iter().find_map(|act| match act {
        Act::Put { text, .. } => told_of_marks(text),
        Act::Keep { .. } | Act::Cut { .. } => None,
    });
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let after = after(&anatomy.text, range, &acts);
    let tools = Tools { dialect: &opened.dialect, stamp: stamp.as_ref(), results };
    let mut patch = Patch::new();
    let mut notes = operate_telling((view, place), opened, anatomy, acts, tools, &mut patch)?;
    notes.extend(marks);
    notes.extend(dropped);
    let blank_lines = |text: &str| text.matches("\n\n").count();
    if blank_lines(&after) > blank_lines(&anatomy.text) {
        let text =
            "the blank line is two line breaks in the same paragraph; insert paragraphs to have new ones";
        notes.push(Note { level: Level::Info, text: text.to_owned() });
    }
    let summary = format!("Replace \"{}\" with \"{}\"", excerpt(matched), excerpt(&whole));
    Ok(Planned {
        step: Step { patch, summary, notes },
        outcome: Outcome::Replaced { paragraph: edit.paragraph, before: anatomy.text.clone(), after },
    })
}

/// A text that was not found, with the paragraphs that do have it.
fn elsewhere(view: &View, here: ParagraphId, old: &str, refusal: Refusal) -> Refusal {
    let Refusal::NotFound { what: "text", id, mut nearest } = refusal else { return refusal };
    let search =
        Search { patterns: vec![tags::strip(old)], match_case: true, limit: 20, ..Search::default() };
    let mut ids: Vec<ParagraphId> = Vec::new();
    for hit in view.grep(&search).map(|found| found.hits).unwrap_or_default() {
        if hit.id != here && !ids.contains(&hit.id) {
            ids.push(hit.id);
        }
    }
    // Where it is, is better advice than what stands here instead.
    nearest.retain(|near| ids.is_empty() || !near.starts_with(ladder::INSTEAD));
    nearest.extend(ids.into_iter().take(3).map(|id| format!("paragraph {id} has this text")));
    Refusal::NotFound { what: "text", id, nearest }
}

/// Takes blanks from the ends of the new text that the document did not have at the ends of the old.
fn trim(mut new: Vec<Tagged>, hit: &Hit) -> Vec<Tagged> {
    if hit.trimmed.0
        && let Some(first) = new.first_mut()
    {
        first.text = first.text.trim_start().to_owned();
    }
    if hit.trimmed.1
        && let Some(last) = new.last_mut()
    {
        last.text = last.text.trim_end().to_owned();
    }
    new.retain(|tagged| !tagged.text.is_empty());
    new
}

/// A definition that was only found does not restyle a term that was there before.
fn settle_roles(acts: &mut [Act]) {
    for act in acts {
        match act {
            Act::Keep { marks, .. } if marks.role == Some(Role::FoundDefinition) => {
                *marks = crate::text::tags::Marks::default();
            }
            Act::Keep { marks, .. } | Act::Put { marks, .. } => marks.role = None,
            Act::Cut { .. } => {}
        }
    }
}

fn clear_highlight(acts: &mut [Act]) {
    for act in acts {
        match act {
            Act::Keep { marks, .. } | Act::Put { marks, .. } => marks.unhighlighted = true,
            Act::Cut { .. } => {}
        }
    }
}

fn after(text: &str, range: &Range<usize>, acts: &[Act]) -> String {
    let mut after = text.part(..range.start).to_owned();
    for act in acts {
        match act {
            Act::Keep { old, .. } => after.push_str(text.part(old.clone())),
            Act::Put { text, .. } => after.push_str(text),
            Act::Cut { .. } => {}
        }
    }
    after.push_str(text.part(range.end..));
    after
}

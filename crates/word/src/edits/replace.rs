//! Replacing text inside one paragraph.

use edit::{Context, Cut, Level, Note, Patch, Planned, Refusal, Step};

use super::{
    Markup, Outcome, ReplaceText, check_controls, check_expected, clean, excerpt, kept_fields,
    operate_telling, told_of_marks,
};
use crate::document::ids::ParagraphId;
use crate::document::view::{Place, View};
use crate::edits::anatomy::Anatomy;
use crate::edits::emphasis;
use crate::edits::open_paragraph::{OpenParagraph, stamp};
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
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let segments = kept_fields::divide(anatomy, &hit.range, new);
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
    let after = after(&anatomy.text, hit, &acts);
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
    let summary = format!("Replace \"{}\" with \"{}\"", excerpt(matched), excerpt(&tags::strip(&edit.new)));
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

fn after(text: &str, hit: &Hit, acts: &[Act]) -> String {
    let mut after = text.part(..hit.range.start).to_owned();
    for act in acts {
        match act {
            Act::Keep { old, .. } => after.push_str(text.part(old.clone())),
            Act::Put { text, .. } => after.push_str(text),
            Act::Cut { .. } => {}
        }
    }
    after.push_str(text.part(hit.range.end..));
    after
}

//! `replace`: every match, the first one, or all of a scope's text.

use std::borrow::Cow;

use edit::{Context, Level, Patch, Planned, Refusal};

use super::codes::pair;
use super::place::{Ground, Places, Stretch};
use super::search::{Matcher, TextMatch, elsewhere, matches};
use super::text::{Look, replace_ground};
use super::{Replace, ReplaceMode, Scope, Target};
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::kept_marks;
use crate::edits::open_paragraph::stamp;
use crate::edits::outcome::Answer;
use crate::edits::surgeon::{Results, Tools};
use crate::edits::{Markup, Outcome, check_controls, clean, operate_telling};
use crate::text::quotation::excerpt;
use crate::text::tags::{Marks, Tagged};

pub(crate) fn plan(
    view: &View,
    op: &Replace,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let with = clean("replaceWith", &op.with)?;
    let mut draft = Draft::new(view, markup, cx);
    match &op.target {
        Target::Whole(scope) => {
            let insert = super::InsertText { text: with.clone(), scope: scope.clone(), ..Default::default() };
            let planned = super::text::plan(view, &insert, places, markup, cx)?;
            let outcome = Outcome::Op { answer: Answer::Replaced { replaced: 1 } };
            Ok(Planned { outcome, ..planned })
        }
        Target::Query { query, matching, scope } => {
            let ground = Ground::of(view, scope, places)?;
            let plain = !matching.regex && !matching.wildcards;
            let (coded, with) = match plain {
                true => pair(query, &with)?,
                false => (query.clone(), with),
            };
            let matcher = Matcher::to_the_end(&coded, *matching)?;
            let most = if op.mode == ReplaceMode::First { 1 } else { usize::MAX };
            let found = matches(view, &ground, &matcher, Some(&with), most)?;
            if *scope == Scope::Document && op.mode == ReplaceMode::All {
                note_elsewhere(&mut draft, &matcher)?;
            }
            let replaced = replace_all(&mut draft, found)?;
            let summary = match replaced {
                1 => format!("Replace \"{}\" with \"{}\"", excerpt(query), excerpt(&with)),
                count => format!("Replace \"{}\" with \"{}\" {count} times", excerpt(query), excerpt(&with)),
            };
            Ok(draft.done(summary, Answer::Replaced { replaced }))
        }
    }
}

/// Replacements that stay in their paragraphs are one patch; those that bring paragraph marks come after, from
/// the end, so that the places of the others hold.
fn replace_all(draft: &mut Draft<'_>, found: Vec<(Place, Vec<TextMatch>)>) -> Result<usize, Refusal> {
    let stamp = (draft.markup == Markup::Tracked).then(|| stamp(draft.view(), draft.cx));
    let mut patch = Patch::new();
    let mut count = 0;
    let mut broken: Vec<(Place, Vec<TextMatch>)> = Vec::new();
    for (place, found) in found {
        draft.cx.stop.check()?;
        let breaks = found.iter().any(|found| found.with.contains(['\n', '\r']));
        if breaks {
            broken.push((place, found));
            continue;
        }
        check_controls(draft.view(), place)?;
        let opened = draft.open(place)?;
        let anatomy = opened.bare_anatomy()?;
        let mut acts = Vec::new();
        for TextMatch { range, with } in &found {
            let new = Tagged { text: with.clone(), marks: Marks::default() };
            let new: Vec<Tagged> = if with.is_empty() { Vec::new() } else { vec![new] };
            acts.extend(kept_marks::acts(&anatomy, range, &new, &|token| Cow::Borrowed(token))?);
            count += 1;
        }
        let tools = Tools { dialect: &opened.dialect, stamp: stamp.as_ref(), results: Results::Rewritten };
        for note in operate_telling((draft.view(), place), &opened, &anatomy, acts, tools, &mut patch)? {
            draft.note(note.level, note.text);
        }
    }
    draft.apply(&patch)?;
    for (place, found) in broken.into_iter().rev() {
        for TextMatch { range, with } in found.into_iter().rev() {
            draft.cx.stop.check()?;
            let stretch = Stretch { place, range, whole: false };
            let ground = Ground::stretches(vec![stretch]);
            let with = with.replace('\r', "\n");
            let lines: Vec<&str> = with.split('\n').collect();
            replace_ground(draft, &ground, &lines, Look::Kept)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The document means its body, as it does for Word's own interface; what stands elsewhere is at least told.
fn note_elsewhere(draft: &mut Draft<'_>, matcher: &Matcher) -> Result<(), Refusal> {
    let count = elsewhere(draft.view(), matcher)?;
    if count > 0 {
        let text = format!("{count} more matches in headers, footers, notes or comments were left alone");
        draft.note(Level::Info, text);
    }
    Ok(())
}

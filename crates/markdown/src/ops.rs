//! Each edit as the splices it means.

use std::ops::Range;

pub(crate) use blocks::content;
pub(crate) use edit::line_excerpt;
use edit::{Content, Patch, Refusal, Step, Stop, summed_up};

use crate::format::{Markdown, finish, part};
use crate::view::View;
use crate::vocabulary::{Edit, Fixed, ListOperation, Match};

mod anchored;
pub(crate) mod as_given;
mod blocks;
mod cells;
mod cjk;
mod definitions;
pub(crate) mod find;
mod in_marks;
mod kept_words;
mod line_starts;
mod list;
mod lists_apart;
mod marks;
pub(crate) mod node;
mod numbers;
mod reads_as_asked;
pub(crate) mod section;
mod table;
mod text;

/// The splices of one edit, before anything is checked: what becomes a step. Edits that follow each other go through
/// `edit::Draft` ([`in_turn`]), which this cannot be, since it has nothing to show yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) splices: Vec<(Range<usize>, String)>,
    /// What the edit refers to beside what it changes.
    pub(crate) guards: Vec<Range<usize>>,
    pub(crate) summary: String,
    pub(crate) matches: Vec<Match>,
    pub(crate) replaced: usize,
    /// What of the matches is replaced, in order.
    pub(crate) chosen: Vec<Range<usize>>,
    /// What has to be in the document afterwards, as it is by itself.
    pub(crate) asked: Vec<Asked>,
}

/// Markdown that a splice puts into a document as blocks of their own.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Which splice.
    pub(crate) splice: usize,
    pub(crate) content: String,
}

impl Draft {
    pub(crate) fn new(summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..Self::default() }
    }

    pub(crate) fn splice(mut self, range: Range<usize>, with: impl Into<String>) -> Self {
        self.splices.push((range, with.into()));
        self
    }

    /// A splice that puts in these blocks, and nothing else but blank lines.
    pub(crate) fn asking(mut self, (range, with): (Range<usize>, String), content: &str) -> Self {
        self.asked.push(Asked { splice: self.splices.len(), content: content.to_owned() });
        self.splice(range, with)
    }

    pub(crate) fn guard(mut self, range: Range<usize>) -> Self {
        self.guards.push(range);
        self
    }

    /// The patch without what is there already: a heading that gets its own level is no change.
    pub(crate) fn changes(&self, view: &View) -> Result<Patch, Refusal> {
        let mut patch = Patch::new();
        for (range, with) in &self.splices {
            if *view.slice(range.clone()) != **with {
                patch.splice(&part(), range.clone(), with.as_str())?;
            }
        }
        Ok(patch)
    }

    pub(crate) fn patch(&self) -> Result<Patch, Refusal> {
        let mut patch = Patch::new();
        for (range, with) in &self.splices {
            patch.splice(&part(), range.clone(), with.as_str())?;
        }
        Ok(patch)
    }
}

/// What an edit does to the source, as long as somebody wants it.
pub(crate) fn draft(view: &View, edit: &Edit, stop: &Stop) -> Result<Draft, Refusal> {
    let draft = drafted(view, edit, stop)?;
    stop.check()?;
    let draft = match edit {
        Edit::Delete { .. } | Edit::InsertAfter { .. } | Edit::InsertBefore { .. } | Edit::Move { .. } => {
            let lists = lists_of(view, edit)?;
            numbers::restored(view, draft, &lists)?
        }
        _ => draft,
    };
    match edit {
        // These mean what they do to rows, or were looked at before.
        Edit::Table { .. } | Edit::Group { .. } | Edit::Fixed(_) => Ok(draft),
        Edit::List { operations, .. }
            if operations.iter().any(|operation| matches!(operation, ListOperation::DeleteItem { .. })) =>
        {
            lists_apart::kept(view, draft)
        }
        // These mean what they do to lists.
        Edit::ToggleList { .. } | Edit::Indent { .. } | Edit::Outdent { .. } | Edit::List { .. } => Ok(draft),
        Edit::Write { .. }
        | Edit::Update { .. }
        | Edit::ToggleMark { .. }
        | Edit::SetLink { .. }
        | Edit::Format { .. } => lists_apart::kept(view, cells::contained(view, draft)?),
        _ => {
            let draft = cells::contained(view, draft)?;
            stop.check()?;
            let draft = match edit {
                Edit::Substitute { .. } | Edit::ReplaceAnchored { .. } => {
                    line_starts::kept(view, definitions::kept(view, draft)?, line_starts::Words::Words)?
                }
                Edit::Replace { .. } => {
                    line_starts::kept(view, definitions::kept(view, draft)?, line_starts::Words::Markdown)?
                }
                _ => draft,
            };
            stop.check()?;
            let draft = in_marks::fitted(view, draft)?;
            stop.check()?;
            let draft = lists_apart::kept(view, draft)?;
            stop.check()?;
            match edit {
                Edit::Substitute { with, .. } | Edit::ReplaceAnchored { with, .. } => {
                    reads_as_asked::checked(view, draft, with)
                }
                _ => Ok(draft),
            }
        }
    }
}

fn drafted(view: &View, edit: &Edit, stop: &Stop) -> Result<Draft, Refusal> {
    match edit {
        Edit::Write { content } => text::write(view, content),
        Edit::Replace { range, expect, with } => text::replace(view, range, expect.as_deref(), with),
        Edit::Substitute { find, with, which, case, within } => {
            find::substitute(view, find, with, *which, *case, *within)
        }
        Edit::ReplaceAnchored { text, before, after, with } => {
            anchored::replace(view, text, before, after, with)
        }
        Edit::Update { node, content } => node::update(view, *node, content),
        Edit::InsertAfter { node, content } => node::insert_after(view, *node, content),
        Edit::InsertBefore { node, content } => node::insert_before(view, *node, content),
        Edit::SetFrontMatter { content } => node::set_front_matter(view, content),
        Edit::InsertBlock { at, content } => node::insert_block(view, *at, content),
        Edit::Delete { node } => node::delete(view, *node),
        Edit::Move { node, after } => node::move_after(view, *node, *after),
        Edit::UpdateSection { heading, content } => section::update(view, *heading, content),
        Edit::InsertSection { after, level, title, content } => {
            section::insert(view, *after, *level, title, content)
        }
        Edit::MoveSection { heading, after } => section::move_after(view, *heading, *after),
        Edit::Format { node, mark } => marks::format_node(view, *node, *mark),
        Edit::ToggleMark { range, mark } => marks::toggle(view, range, *mark),
        Edit::SetLink { range, href, title } => marks::set_link(view, range, href, title.as_deref()),
        Edit::RemoveLink { range } => marks::remove_link(view, range),
        Edit::ClearFormatting { range } => marks::clear(view, range),
        Edit::SetBlock { range, to } => blocks::set(view, range, to),
        Edit::ToggleBlock { range, to } => blocks::toggle(view, range, to),
        Edit::ToggleList { range, to } => list::toggle(view, range, *to),
        Edit::Indent { range } => list::indent_at(view, range),
        Edit::Outdent { range } => list::outdent_at(view, range),
        Edit::List { node, operations } => list::modify(view, *node, operations),
        Edit::InsertTable { at, rows, columns, header } => table::insert(view, *at, *rows, *columns, *header),
        Edit::Table { table, operations } => table::modify(view, table, operations),
        Edit::DeleteTable { table } => table::delete(view, table),
        Edit::CjkPunctuation { range, to } => cjk::punctuation(view, range.as_ref(), *to),
        Edit::CjkSpacing { range, action } => cjk::spacing(view, range.as_ref(), *action),
        Edit::Group { edits } => group(view, edits, stop),
        Edit::Fixed(fixed) => again(view, fixed),
    }
}

/// Several edits as one, each speaking of the document as it is before the first.
fn group(view: &View, edits: &[Edit], stop: &Stop) -> Result<Draft, Refusal> {
    let count = edits.len();
    let mut all = Patch::new();
    let mut joined = Draft::default();
    let mut summaries = Vec::new();
    let mut lists = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let in_batch = |cause: Refusal| cause.in_batch(index, count);
        let draft = match edit {
            Edit::Delete { node } => neighbours(view, edits, *node).map_err(in_batch)?,
            _ => draft(view, edit, stop).map_err(in_batch)?,
        };
        lists.extend(lists_of(view, edit).map_err(in_batch)?);
        let patch = draft.patch().map_err(in_batch)?;
        let patch = patch.rebase(&all).ok_or_else(|| {
            in_batch(Refusal::Unsafe {
                why: "it changes text that another edit of the batch changes".to_owned(),
                instead: Some("join both into one edit".to_owned()),
            })
        })?;
        all = all.then(&patch);
        joined.guards.extend(draft.guards);
        joined.matches.extend(draft.matches);
        joined.replaced += draft.replaced;
        summaries.push(draft.summary);
    }
    joined.summary = summed_up(summaries.iter().map(String::as_str));
    joined.splices = splices_of(&all)?;
    lists.dedup();
    joined = numbers::restored(view, joined, &lists)?;
    let all = joined.patch()?;
    let touched = |guard: &Range<usize>| all.carry(crate::PART, guard.clone()).is_none();
    joined.guards.retain(|guard| !touched(guard));
    finish(view, &joined, stop)?;
    Ok(joined)
}

/// Blocks that stand beside each other go together: each alone would take the blank lines between them.
fn neighbours(view: &View, edits: &[Edit], id: crate::block::NodeId) -> Result<Draft, Refusal> {
    let node = view.node(id)?;
    let goes = |other: &crate::view::Node<'_>| {
        other
            .id()
            .is_some_and(|id| edits.iter().any(|edit| matches!(edit, Edit::Delete { node } if *node == id)))
    };
    let draft = Draft::new(format!("Delete {id} \"{}\"", line_excerpt(&node.source(), 40)));
    if node.previous().is_some_and(|previous| goes(&previous)) {
        return Ok(draft);
    }
    let mut last = node;
    while let Some(next) = last.next().filter(goes) {
        last = next;
    }
    let (range, with) = node::removal(&node, &last);
    lists_apart::kept(view, cells::contained(view, draft.splice(range, with))?)
}

/// The lists whose items an edit of blocks adds or takes away.
fn lists_of(view: &View, edit: &Edit) -> Result<Vec<numbers::Counted>, Refusal> {
    let ids = match edit {
        Edit::Delete { node } | Edit::InsertAfter { node, .. } | Edit::InsertBefore { node, .. } => {
            vec![*node]
        }
        Edit::Move { node, after } => vec![*node, *after],
        _ => Vec::new(),
    };
    let mut lists = Vec::new();
    for id in ids {
        let node = view.node(id)?;
        if let (crate::block::Kind::Item(_), Some(list)) = (node.kind(), node.parent()) {
            lists.extend(numbers::around(&list)?);
        }
    }
    Ok(lists)
}

/// What stands before an item on its line, with the markers of what is around it as blanks.
pub(super) fn prefix_of_line(item: &crate::view::Node<'_>) -> String {
    let view = item.view();
    let start = item.range().start;
    let before = view.slice(view.line_start(start)..start);
    before.chars().map(|c| if matches!(c, '>' | '\t') { c } else { ' ' }).collect()
}

fn splices_of(patch: &Patch) -> Result<Vec<(Range<usize>, String)>, Refusal> {
    let splices = patch.splices(crate::PART).iter().map(|splice| {
        let with = String::from_utf8(splice.with.bytes().into_owned())
            .map_err(|_| Refusal::internal("an edit cut a character in two"))?;
        Ok((splice.range.clone(), with))
    });
    splices.collect()
}

/// Steps that each speak of what the one before left, as one draft.
pub(super) fn in_turn<T>(
    view: &View,
    summary: String,
    operations: &[T],
    mut step: impl FnMut(&View, &T) -> Result<Draft, Refusal>,
) -> Result<Draft, Refusal> {
    let content = Content::single(part(), view.blob().clone());
    let mut made = edit::Draft::<Markdown>::new(content, view.clone());
    for (index, operation) in operations.iter().enumerate() {
        let patch = step(made.view(), operation).and_then(|draft| draft.patch());
        let taken =
            patch.and_then(|patch| made.take(Step { patch, summary: String::new(), notes: Vec::new() }));
        made = taken.map_err(|cause| cause.in_batch(index, operations.len()))?;
    }
    Ok(Draft { splices: splices_of(&made.patch())?, ..Draft::new(summary) })
}

/// A fixed edit, if what it expects is still there.
fn again(view: &View, fixed: &Fixed) -> Result<Draft, Refusal> {
    let mut draft = Draft::new(fixed.summary.clone());
    for spot in &fixed.spots {
        text::expect(view, &spot.range, &spot.original)?;
        draft.splices.push((spot.range.clone(), spot.with.clone()));
    }
    for guard in &fixed.guards {
        if crate::format::hash(view.slice(guard.range.clone()).as_bytes()) != guard.hash {
            return Err(Refusal::Unsafe {
                why: "the block it refers to has changed".to_owned(),
                instead: Some("read the document again and repeat the edit".to_owned()),
            });
        }
        draft.guards.push(guard.range.clone());
    }
    Ok(draft)
}

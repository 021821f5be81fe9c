//! Requests about Word documents: operations of the common vocabulary, and edits of places that people name.

mod acts;
mod clauses;
mod fits;
mod ground;
mod named;
mod questions;
mod review;
mod sentences;
mod tables;

use edit::{Note, Refusal};
use planner::{Beside, Inserted, Mention, Target, Which, WordAct, WordStep};
use word::op::{Location, Op, Places, Scope, Span, Target as Aim};
use word::{Edit, Markup, View, Word};

use super::{Conclusion, Found, Request, Step, Stumble, Work, misplaced, note};
use crate::desk::rehearsal::Rehearsal;
use crate::desk::workspace::Workspace;
use crate::document::edits::{EditRequest, Reading};
use crate::ids::{DocId, RangeId, SessionId};
use crate::operations::{self, Done, Site, cursor};
use ground::{Ground, no_selection};

pub(super) fn carry_out(
    workspace: &Workspace,
    document: DocId,
    session: &SessionId,
    request: &Request<'_>,
    steps: &[Step],
) -> Result<Work, Stumble> {
    let steps: Vec<WordStep> = steps
        .iter()
        .map(|step| match step {
            Step::Word(step) => Ok(meant(step)),
            other => Err(misplaced(other)),
        })
        .collect::<Result<_, _>>()?;
    workspace.still_wanted()?;
    let steps = by_the_rule(workspace, document, steps)?;
    let cursor = cursor(workspace, document, session);
    let selection = workspace.selection(document, &cursor)?.map(|at| Span::new(&at.part, at.range));
    let Request { mode, markup, standing, .. } = *request;
    let site = Site { document, cursor, mode, markup, standing };
    let plain: Option<Vec<Op>> = steps
        .iter()
        .map(|step| match &step.act {
            WordAct::Op(op) if step.within.is_empty() && !step.tracked => Some(op.clone()),
            _ => None,
        })
        .collect();
    if let Some(ops) = plain {
        check_selection(&ops, selection.is_some())?;
        let view = workspace.rehearsal::<Word>(document)?.view().clone();
        let mut notes = Vec::new();
        let ops = ops.into_iter().map(|op| strict(&view, op, &mut notes)).collect::<Result<Vec<_>, _>>()?;
        let mut work = published(workspace, &site, &ops)?;
        work.notes.extend(notes);
        return Ok(work);
    }
    let cx = Cx { workspace, document, selection, markup: request.markup };
    let mut rehearsal = workspace.rehearsal::<Word>(document)?;
    let (mut edits, mut found, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        workspace.still_wanted()?;
        let located = Stumble::at(index);
        let told = cx.step(step, &mut rehearsal, &mut edits, &mut notes).map_err(&located)?;
        found.push(told);
    }
    if edits.is_empty() && steps.iter().all(WordStep::only_reads) {
        return Ok(Work { notes, ..Work::answered(found) });
    }
    let shown = rehearsal.shown()?;
    if edits.is_empty() {
        // Who asked for a change and got none should know why.
        let why = found.iter().flat_map(|found| match found {
            Found::Told(lines) => lines.clone(),
            _ => Vec::new(),
        });
        let why: Vec<String> = why.collect();
        return Err(super::unchanged(&why.join("; ")).into());
    }
    let only_looks = |step: &WordStep| matches!(step.act, WordAct::Format { .. }) || step.only_reads();
    if shown.is_empty() && steps.iter().all(only_looks) {
        return Err(super::unchanged("it looks so already").into());
    }
    let edit =
        EditRequest { reading: Reading::InTurn, ..EditRequest::new(edits, request.mode).standing(standing) };
    let outcome = workspace.edit::<Word>(document, edit)?;
    let mut work = Work::changed(found, outcome);
    work.notes.extend(notes);
    work.shown = shown;
    Ok(work)
}

/// Operations of the published vocabulary, as agents send them.
fn published(workspace: &Workspace, site: &Site, ops: &[Op]) -> Result<Work, Stumble> {
    let rehearsed =
        !ops.iter().all(Op::only_reads) && !ops.iter().any(|op| matches!(op, Op::InsertPicture(_)));
    let mut shown = Vec::new();
    if rehearsed {
        let mut rehearsal = workspace.rehearsal::<Word>(site.document)?;
        let operations = operations::prepared(workspace, site, ops)?;
        if let word::Outcome::Ops { answers, .. } = rehearsal.make(&Edit::Ops { operations })? {
            ops.iter().zip(&answers).try_for_each(|(op, answer)| found_something(op, answer))?;
        }
        shown = rehearsal.shown()?;
        if shown.is_empty() && ops.iter().all(|op| matches!(op, Op::ApplyStyle(_)) || op.only_reads()) {
            return Err(Stumble::from(super::unchanged("it looks so already")));
        }
    }
    let Done { answers, ending, summary, notes, revision } = operations::carry_out(workspace, site, ops)?;
    Ok(Work {
        found: answers.into_iter().map(Found::Operation).collect(),
        conclusion: ending.map_or(Conclusion::Answered, Conclusion::Changed),
        summary,
        notes,
        revision,
        shown,
    })
}

/// A step as people mean it where the vocabulary's word for it does less: what is put at an end of the document is a
/// paragraph of its own, and a text that goes takes a blank with it.
fn meant(step: &WordStep) -> WordStep {
    let mut step = step.clone();
    let bare = step.within.is_empty() && step.except.is_empty() && step.only_if.is_none();
    let gone = match &mut step.act {
        WordAct::Op(Op::InsertText(insert)) if insert.scope == Scope::Document => {
            insert.new_paragraph = true;
            None
        }
        // Text beside a heading is a paragraph below it, and no more of the heading.
        WordAct::Op(Op::InsertText(insert))
            if bare
                && !insert.new_paragraph
                && insert.location == Location::After
                && matches!(insert.scope, Scope::Paragraph(_)) =>
        {
            if let Scope::Paragraph(name) = &insert.scope {
                let (text, target) = (insert.text.clone(), Target::Heading(name.clone()));
                step.act = WordAct::Insert { text, kind: Inserted::Paragraph, side: Beside::After, target };
            }
            return step;
        }
        // Words beside words, with a blank between them.
        WordAct::Op(Op::InsertText(insert)) if bare && !insert.new_paragraph => {
            let side = match insert.location {
                Location::Before => Beside::Before,
                Location::After => Beside::After,
                _ => return step,
            };
            let (text, which) = match &insert.scope {
                Scope::Found(text) => (text.clone(), Which::Only),
                Scope::First(text) => (text.clone(), Which::Nth(0)),
                _ => return step,
            };
            let target = Target::Text(Mention { text, which, matching: Default::default() });
            step.act = WordAct::Insert { text: insert.text.clone(), kind: Inserted::Text, side, target };
            return step;
        }
        // A paragraph beside a heading is text, and no second heading.
        WordAct::Op(Op::InsertText(insert)) if insert.new_paragraph => {
            let side = match insert.location {
                Location::Before => Beside::Before,
                Location::After => Beside::After,
                _ => return step,
            };
            if let Scope::Paragraph(name) = &insert.scope {
                let (text, target) = (insert.text.clone(), Target::Heading(name.clone()));
                step.act = WordAct::Insert { text, kind: Inserted::Paragraph, side, target };
            }
            return step;
        }
        WordAct::Op(Op::Replace(replace)) if bare && replace.with.is_empty() => match &replace.target {
            Aim::Whole(Scope::Found(text)) => Some((text.clone(), Which::Only)),
            Aim::Whole(Scope::First(text)) => Some((text.clone(), Which::Nth(0))),
            Aim::Query { query, matching, scope: Scope::Document } if *matching == Default::default() => {
                Some((query.clone(), Which::All))
            }
            _ => None,
        },
        _ => None,
    };
    if let Some((text, which)) = gone {
        let target = Target::Text(Mention { text, which, matching: Default::default() });
        step.act = WordAct::Delete { target };
    }
    step
}

/// Replacements whose words stand inside longer words or numbers too, which the vocabulary's way to look would change with
/// them: "400" in "1,400".
fn by_the_rule(
    workspace: &Workspace,
    document: DocId,
    mut steps: Vec<WordStep>,
) -> Result<Vec<WordStep>, Stumble> {
    let view = workspace.rehearsal::<Word>(document)?.view().clone();
    let ground = Ground { view: &view, selection: None, ranges: Places::default() };
    for step in &mut steps {
        if let WordAct::Op(Op::ApplyStyle(style)) = &step.act {
            let (text, which) = match &style.scope {
                Scope::Found(text) => (text.clone(), Which::Only),
                Scope::First(text) => (text.clone(), Which::Nth(0)),
                _ => continue,
            };
            let mention = Mention { text, which, matching: Default::default() };
            let all = ground.mentions(&mention, None, &[])?.len();
            let kept = ground.ruled(&mention, None, &[]).map_or(0, |found| found.kept.len());
            if all > 0 && kept != all {
                let style = word::op::ApplyStyle { scope: Scope::Document, ..style.clone() };
                step.act = WordAct::Format { target: Target::Text(mention), style };
            }
            continue;
        }
        let WordAct::Op(Op::Replace(replace)) = &step.act else { continue };
        let Aim::Query { query, matching, scope: Scope::Document } = &replace.target else { continue };
        if *matching != Default::default() || replace.mode != word::op::ReplaceMode::All {
            continue;
        }
        let find = Mention { text: query.clone(), which: Which::All, matching: *matching };
        let Ok(found) = ground.ruled(&find, None, &[]) else { continue };
        let known = Mention { matching: ground::matching(found.looked), ..find.clone() };
        if ground.mentions(&known, None, &[])?.len() != found.kept.len() {
            step.act = WordAct::Replace { find, with: replace.with.clone() };
        }
    }
    Ok(steps)
}

/// A replacement of a text that is found by the rule for texts that change.
fn strict(view: &View, op: Op, notes: &mut Vec<Note>) -> Result<Op, Refusal> {
    let Op::Replace(mut replace) = op else { return Ok(op) };
    let Aim::Query { query, matching, scope } = &mut replace.target else { return Ok(Op::Replace(replace)) };
    if *matching != Default::default() || *scope != Scope::Document {
        return Ok(Op::Replace(replace));
    }
    let ground = Ground { view, selection: None, ranges: Places::default() };
    let mention = |matching| Mention { text: query.clone(), which: Which::All, matching };
    let found = ground.ruled(&mention(*matching), None, &[])?;
    notes.extend(found.remark(query).map(note));
    *matching = ground::matching(found.looked);
    Ok(Op::Replace(replace))
}

/// Replacing what is not there is no success.
fn found_something<R>(op: &Op, answer: &word::op::Answer<R>) -> Result<(), Refusal> {
    match (op, answer) {
        (Op::Replace(replace), word::op::Answer::Replaced { replaced: 0 }) => match &replace.target {
            Aim::Query { query, .. } => Err(Refusal::not_found("text", query.as_str())),
            Aim::Whole(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Who speaks of the selection must have one: a cursor that nobody has set says nothing.
fn check_selection(ops: &[Op], mut selected: bool) -> Result<(), Refusal> {
    for op in ops {
        let needs = match op {
            Op::InsertText(op) => op.scope == Scope::Selection,
            Op::InsertPicture(op) => op.scope == Scope::Selection,
            Op::TableCreate(op) => op.scope == Scope::Selection,
            Op::ApplyStyle(op) => op.scope == Scope::Selection,
            Op::Search(op) => op.scope == Scope::Selection,
            Op::Replace(op) => match &op.target {
                Aim::Whole(scope) | Aim::Query { scope, .. } => *scope == Scope::Selection,
            },
            Op::GetSelection => true,
            Op::SetSelection(op) => {
                selected |= op.scope != Scope::Selection;
                false
            }
            _ => false,
        };
        if needs && !selected {
            return Err(match op {
                Op::InsertText(_) | Op::InsertPicture(_) | Op::TableCreate(_) => Refusal::NotFound {
                    what: "cursor",
                    id: "the place to insert at".to_owned(),
                    nearest: [
                        "at the end of the document",
                        "after 'some text'",
                        "before clause 2",
                        "after the second paragraph",
                    ]
                    .map(str::to_owned)
                    .to_vec(),
                },
                _ => no_selection(),
            });
        }
    }
    Ok(())
}

/// What steps are carried out with.
struct Cx<'a> {
    workspace: &'a Workspace,
    document: DocId,
    selection: Option<Span>,
    markup: Markup,
}

impl Cx<'_> {
    /// Makes a step on what those before it left, and notes the edits it came to.
    fn step(
        &self,
        step: &WordStep,
        rehearsal: &mut Rehearsal<Word>,
        edits: &mut Vec<Edit>,
        notes: &mut Vec<Note>,
    ) -> Result<Found, Refusal> {
        let view: View = rehearsal.view().clone();
        // After the first change the selection may stand somewhere else.
        let selection = self.selection.clone().filter(|_| edits.is_empty());
        let ground = Ground { view: &view, selection, ranges: self.ranges(step)? };
        if step.only_reads() {
            return questions::answer(&ground, step).map(Found::Told);
        }
        let markup = if step.tracked { Markup::Tracked } else { self.markup };
        let before = edits.len();
        let content = rehearsal.changes()?.len();
        let mut make = |edit: Edit| -> Result<(View, word::Outcome), Refusal> {
            let outcome = rehearsal.make(&edit)?;
            edits.push(edit);
            Ok((rehearsal.view().clone(), outcome))
        };
        let lines = acts::carry_out(&ground, step, markup, &mut make, notes)?;
        let unchanged = edits.len() == before || rehearsal.changes()?.len() == content && content == 0;
        if unchanged {
            notes.push(note(format!("nothing changed: {step}")));
        }
        Ok(Found::Told(lines))
    }

    /// The ranges that a step names by their ids.
    fn ranges(&self, step: &WordStep) -> Result<Places, Refusal> {
        let mut names = Vec::new();
        let mut targets: Vec<&Target> = step.within.iter().chain(&step.except).collect();
        match &step.act {
            WordAct::Format { target, .. }
            | WordAct::SetText { target, .. }
            | WordAct::Delete { target }
            | WordAct::Insert { target, .. }
            | WordAct::Comment { target, .. }
            | WordAct::Footnote { after: target, .. }
            | WordAct::Sort { table: target, .. }
            | WordAct::Read { target } => targets.push(target),
            WordAct::InsertRows { table, .. } | WordAct::InsertColumns { table, .. } => targets.extend(table),
            _ => {}
        }
        while let Some(target) = targets.pop() {
            match target {
                Target::Range(id) | Target::TableId(id) => names.push(id.clone()),
                Target::Inside(inner, outer) => targets.extend([&**inner, &**outer]),
                Target::From(target) => targets.push(target),
                _ => {}
            }
        }
        let mut places = Places::default();
        for name in names {
            let id: RangeId = name.parse().map_err(|_| Refusal::not_found("range", name.as_str()))?;
            let range = self.workspace.range(self.document, &id)?;
            places.named.insert(name, Span::new(&range.part, range.range));
        }
        Ok(places)
    }
}

//! Requests about a Word document.
//!
//! What stands around the core of a sentence is read first ([`modify`]); then the core has to fit one of the sentences
//! that follow, to its last word.

mod modify;
pub(crate) mod order;
mod place;
mod step;
mod target;

mod insert;
mod question;
mod review;
mod style;
mod table;
mod text;

use word::op::{
    ApplyStyle, InsertText, ListStyles, Location, Op, Replace, ReplaceMode, Scope, Search, SetSelection,
    StyleCategory, Target as Aim,
};

use crate::Unclear;
use crate::phrase::Words;
use modify::Modifiers;
pub use step::{
    Beside, CommentAct, CommentPick, Countable, Decided, Inserted, Line, Look, Mention, Pick, Target, Which,
    WordAct, WordStep, looks,
};

/// `None` when a sentence is not of a pattern's kind; `Some(Err)` when it is, and something is unclear.
type Attempt = Option<Result<Op, Unclear>>;
/// The same, of sentences that can have modifiers.
type Act = Option<Result<WordAct, Unclear>>;

pub(crate) fn step(mut words: Words) -> Result<WordStep, Unclear> {
    let said = words.clone();
    words.from_zero = words.counts_from_zero();
    // Sentences that become operations of the published vocabulary as they are.
    let published: [fn(Words) -> Attempt; 5] =
        [list_styles, get_selection, select, table::attempt, text::picture];
    let mut unclear: Option<Unclear> = None;
    for pattern in published {
        match pattern(words.clone()) {
            Some(Ok(op)) => return Ok(WordStep::plain(WordAct::Op(op))),
            Some(Err(why)) => unclear = unclear.or(Some(why)),
            None => {}
        }
    }
    // A text that goes to the end is no place to look for modifiers.
    if let Some(said) = review::saying(&words) {
        return said;
    }
    if let Some(told) = insert::told(&words) {
        return told.map(WordStep::plain);
    }
    let whole = words.clone();
    let mut modifiers = modify::peel(&mut words);
    text::pull(&mut words, &mut modifiers);
    let acts: [fn(&Words, &Modifiers) -> Act; 9] = [
        review::act,
        question::act,
        table::act,
        style::removal,
        text::delete,
        style::act,
        text::replace,
        insert::act,
        question::read,
    ];
    let mut why: Option<Unclear> = None;
    for (core, modifiers) in [(&words, &modifiers), (&whole, &Modifiers::default())] {
        for act in acts {
            match act(core, modifiers) {
                Some(Ok(act)) => return finish(act, modifiers.clone()),
                Some(Err(unclear)) => why = why.or(Some(unclear)),
                None => {}
            }
        }
    }
    Err(unclear.or(why).unwrap_or_else(|| {
        crate::beyond::unknown(&said, "replace 'a' with 'b', delete clause 4.2, make the title bold, accept all changes, what does clause 2 say")
    }))
}

/// Puts an act and what stands around it together, and into the published vocabulary where that says the same.
fn finish(act: WordAct, modifiers: Modifiers) -> Result<WordStep, Unclear> {
    let Modifiers { mut within, except, only_if, tracked, matching, everywhere, once } = modifiers;
    let mut act = act;
    // "Clear the formatting in clause 2": the place is what is meant.
    if let WordAct::Format { target: target @ Target::Implied, .. } = &mut act {
        if !within.is_empty() {
            *target = within.remove(0);
        } else if everywhere {
            *target = Target::Document;
        }
    }
    // "Remove 'x' from the document" is about all of them.
    if let (WordAct::Delete { target: Target::Text(mention) }, true) = (&mut act, everywhere)
        && mention.which == Which::Only
    {
        mention.which = Which::All;
    }
    if let (WordAct::Format { target: Target::Text(mention), .. }, true) = (&mut act, everywhere)
        && mention.which == Which::Only
    {
        mention.which = Which::All;
    }
    let mut step = WordStep { act, within, except, only_if, tracked, towards: None };
    match &mut step.act {
        WordAct::Replace { find, .. } if once => find.which = Which::Nth(0),
        _ if once => return Err("I did not understand `once` here".to_owned()),
        _ => {}
    }
    let matches = match &mut step.act {
        WordAct::Replace { find, .. } => Some(&mut find.matching),
        WordAct::Find { what } => Some(&mut what.matching),
        WordAct::Delete { target: Target::Text(mention) }
        | WordAct::Format { target: Target::Text(mention), .. } => Some(&mut mention.matching),
        _ => None,
    };
    match matches {
        Some(known) => modify::merge(known, matching),
        None if matching != word::op::Matching::default() => {
            return Err("how text is matched can be said where text is found or replaced".to_owned());
        }
        None => {}
    }
    if step.only_if.is_some()
        && !matches!(
            &step.act,
            WordAct::Replace { .. }
                | WordAct::Find { .. }
                | WordAct::Where { .. }
                | WordAct::Delete { target: Target::Text(_) }
                | WordAct::Format { target: Target::Text(_), .. }
        )
    {
        return Err(
            "I can look at how text looks where it is found, replaced, deleted or formatted by its words"
                .to_owned(),
        );
    }
    let takes_except = matches!(
        &step.act,
        WordAct::Replace { .. }
            | WordAct::Find { .. }
            | WordAct::Where { .. }
            | WordAct::Format { .. }
            | WordAct::Delete { target: Target::Text(_) }
    );
    if let (false, Some(except)) = (takes_except, step.except.first()) {
        return Err(format!("I did not understand `except in {except}` here"));
    }
    Ok(published(step))
}

/// The same as an operation, where it is one: so it is told, staged and carried out as agents know it.
fn published(step: WordStep) -> WordStep {
    match as_operation(&step) {
        Some(op) => WordStep::plain(WordAct::Op(op)),
        None => step,
    }
}

fn as_operation(step: &WordStep) -> Option<Op> {
    if !step.except.is_empty() || step.only_if.is_some() || step.tracked {
        return None;
    }
    if let Some(op) = published_table(step) {
        return Some(op);
    }
    let scope = match step.within.as_slice() {
        [] => Scope::Document,
        [Target::Selection] => Scope::Selection,
        [Target::Range(id)] => Scope::Range(id.clone()),
        _ => return None,
    };
    let bare = step.within.is_empty();
    Some(match &step.act {
        WordAct::Replace { find, with } => {
            let mode = match find.which {
                Which::All | Which::Only => ReplaceMode::All,
                Which::Nth(0) => ReplaceMode::First,
                _ => return None,
            };
            let target = Aim::Query { query: find.text.clone(), matching: find.matching, scope };
            Op::Replace(Replace { target, with: with.clone(), mode })
        }
        WordAct::Find { what } => {
            let max_results = match what.which {
                Which::Nth(0) => 1,
                Which::Nth(_) | Which::Last => return None,
                _ => Search::default().max_results,
            };
            Op::Search(Search { query: what.text.clone(), scope, matching: what.matching, max_results })
        }
        WordAct::Delete { target: Target::Text(mention) } => text_deleted(mention, scope, bare)?,
        WordAct::Delete { target: Target::Selection } if bare => Op::Replace(Replace {
            target: Aim::Whole(Scope::Selection),
            with: String::new(),
            mode: ReplaceMode::All,
        }),
        WordAct::SetText { target: Target::Selection, text } if bare => {
            Op::InsertText(InsertText { text: text.clone(), ..InsertText::default() })
        }
        WordAct::Format { target, style } if bare => formatted(target, style)?,
        WordAct::Insert { text, kind: kind @ (Inserted::Text | Inserted::Paragraph), side, target }
            if bare =>
        {
            let scope = inserted_at(target)?;
            let location = match (side, target) {
                (_, Target::Implied) => Location::Replace,
                (Beside::Before, _) => Location::Before,
                (Beside::After, _) => Location::After,
                (Beside::Start, _) => Location::Start,
                (Beside::End, _) => Location::End,
            };
            let new_paragraph = *kind == Inserted::Paragraph;
            Op::InsertText(InsertText {
                text: text.clone(),
                scope,
                location,
                new_paragraph,
                ..InsertText::default()
            })
        }
        _ => return None,
    })
}

fn inserted_at(target: &Target) -> Option<Scope> {
    Some(match target {
        Target::Document => Scope::Document,
        Target::Selection | Target::Implied => Scope::Selection,
        Target::Range(id) => Scope::Range(id.clone()),
        Target::Heading(text) => Scope::Paragraph(text.clone()),
        Target::Text(Mention { text, which: Which::Only, .. }) => Scope::Found(text.clone()),
        Target::Text(Mention { text, which: Which::Nth(0), .. }) => Scope::First(text.clone()),
        _ => return None,
    })
}

fn text_deleted(mention: &Mention, scope: Scope, bare: bool) -> Option<Op> {
    let target = match mention.which {
        Which::All => Aim::Query { query: mention.text.clone(), matching: mention.matching, scope },
        Which::Only if bare && mention.matching == Default::default() => {
            Aim::Whole(Scope::Found(mention.text.clone()))
        }
        Which::Only if !bare => Aim::Query { query: mention.text.clone(), matching: mention.matching, scope },
        Which::Nth(0) if bare => Aim::Whole(Scope::First(mention.text.clone())),
        _ => return None,
    };
    Some(Op::Replace(Replace { target, with: String::new(), mode: ReplaceMode::All }))
}

fn formatted(target: &Target, style: &ApplyStyle) -> Option<Op> {
    let scope = match target {
        Target::Document => Scope::Document,
        Target::Selection => Scope::Selection,
        Target::Range(id) => Scope::Range(id.clone()),
        Target::Heading(text) => Scope::Paragraph(text.clone()),
        Target::Text(Mention { text, which: Which::Only, matching }) if *matching == Default::default() => {
            Scope::Found(text.clone())
        }
        Target::Text(Mention { text, which: Which::Nth(0), matching }) if *matching == Default::default() => {
            Scope::First(text.clone())
        }
        _ => return None,
    };
    Some(Op::ApplyStyle(ApplyStyle { scope, ..style.clone() }))
}

/// Rows, columns and cells that are counted, of a table that is counted or has an id.
fn published_table(step: &WordStep) -> Option<Op> {
    use word::op::{Side, TableDelete, TableInsert, TableRef, TableSetCellText};
    let table_of = |outer: Option<&Target>| -> Option<TableRef> {
        let table = match (outer, step.within.as_slice()) {
            (Some(table), []) => Some(table),
            (None, [table]) => Some(table),
            (None, []) => None,
            _ => return None,
        };
        match table {
            None | Some(Target::Table(None)) => Some(TableRef::Current),
            Some(Target::TableId(id)) => Some(TableRef::Table(id.clone())),
            Some(Target::Range(id)) => Some(TableRef::Range(id.clone())),
            Some(Target::Table(Some(Pick::Nth(index)))) => Some(TableRef::Nth(*index)),
            _ => None,
        }
    };
    let inside = |target: &Target| match target {
        Target::Inside(inner, outer) => Some(((**inner).clone(), table_of(Some(outer))?)),
        target => Some((target.clone(), table_of(None)?)),
    };
    let index = |pick: &Pick| match pick {
        Pick::Nth(index) => Some(*index),
        Pick::Last | Pick::FromEnd(_) => None,
    };
    match &step.act {
        WordAct::InsertRows { table, beside, side, count, cells } if cells.is_empty() => {
            let table = table_of(table.as_ref())?;
            let side = if *side == Beside::Before { Side::Before } else { Side::After };
            let at = beside.as_ref().and_then(index);
            (at.is_some() || side == Side::After).then_some(())?;
            Some(Op::TableInsertRows(TableInsert { table, at, count: *count, side }))
        }
        WordAct::InsertColumns { table, beside, side, count, header: None } => {
            let table = table_of(table.as_ref())?;
            let side = if *side == Beside::Before { Side::Before } else { Side::After };
            let at = beside.as_ref().and_then(index);
            (at.is_some() || side == Side::After).then_some(())?;
            Some(Op::TableInsertColumns(TableInsert { table, at, count: *count, side }))
        }
        WordAct::Delete { target } => match inside(target)? {
            (Target::Rows(picks), table) => {
                let indexes = picks.iter().map(index).collect::<Option<_>>()?;
                Some(Op::TableDeleteRows(TableDelete { table, indexes }))
            }
            (Target::Columns(lines), table) => {
                let indexes = lines.iter().map(|line| match line {
                    Line::At(pick) => index(pick),
                    Line::Named(_) => None,
                });
                Some(Op::TableDeleteColumns(TableDelete { table, indexes: indexes.collect::<Option<_>>()? }))
            }
            _ => None,
        },
        WordAct::SetText { target, text } => match inside(target)? {
            (Target::Cell { row, column: Line::At(column) }, table) => {
                let (row, col) = (index(&row)?, index(&column)?);
                Some(Op::TableSetCellText(TableSetCellText { table, row, col, text: text.clone() }))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The step with what `it` stands for: what the step before it spoke of, or brought.
pub(crate) fn referring(mut step: WordStep, before: &WordStep) -> Result<WordStep, Unclear> {
    use word::op::Target as Aim;
    let only = |text: &str| Some(target::only(text.to_owned()));
    let of_scope = |scope: &Scope| match scope {
        Scope::Selection => Some(Target::Selection),
        Scope::Document => Some(Target::Document),
        Scope::Range(id) | Scope::Table(id) => Some(Target::Range(id.clone())),
        Scope::Found(text) => only(text),
        Scope::First(text) => {
            let (text, matching) = (text.clone(), Default::default());
            Some(Target::Text(Mention { text, which: Which::Nth(0), matching }))
        }
        Scope::Paragraph(text) => Some(Target::Heading(text.clone())),
    };
    let meant = match &before.act {
        WordAct::Op(Op::ApplyStyle(before)) => of_scope(&before.scope),
        WordAct::Op(Op::SetSelection(_) | Op::GetSelection) => Some(Target::Selection),
        WordAct::Op(Op::InsertText(before)) => only(&before.text),
        WordAct::Op(Op::Search(before)) => only(&before.query),
        WordAct::Op(Op::Replace(before)) => match &before.target {
            Aim::Query { .. } => only(&before.with),
            Aim::Whole(_) => None,
        },
        WordAct::Format { target, .. } | WordAct::Read { target } => Some(target.clone()),
        WordAct::SetText { target, .. } => Some(target.clone()),
        WordAct::Insert { text, .. } => only(text),
        WordAct::Replace { with, .. } => only(with),
        WordAct::Find { what } => Some(Target::Text(what.clone())),
        WordAct::Comment { target, .. } => Some(target.clone()),
        _ => None,
    };
    let unclear = || "say what is meant instead of `it`, in quotation marks".to_owned();
    let slot = match &mut step.act {
        WordAct::Format { target, .. }
        | WordAct::SetText { target, .. }
        | WordAct::Delete { target }
        | WordAct::Comment { target, .. }
        | WordAct::Read { target }
        | WordAct::Insert { target, .. } => target,
        _ => return Err(unclear()),
    };
    if *slot != Target::It {
        // `It` stood somewhere else in the sentence, or is part of a text.
        return if slot_mentions(slot) { Err(unclear()) } else { Ok(step) };
    }
    match (meant, before.within.is_empty()) {
        (Some(meant), true) => *slot = meant,
        _ => return Err(unclear()),
    }
    Ok(published(step))
}

fn slot_mentions(target: &Target) -> bool {
    match target {
        Target::It => true,
        Target::Inside(inner, outer) => slot_mentions(inner) || slot_mentions(outer),
        Target::From(target) => slot_mentions(target),
        _ => false,
    }
}

/// Whether a step that nothing stands before speaks of `it`.
pub(crate) fn mentions_it(step: &WordStep) -> bool {
    let of_act = match &step.act {
        WordAct::Format { target, .. }
        | WordAct::SetText { target, .. }
        | WordAct::Delete { target }
        | WordAct::Comment { target, .. }
        | WordAct::Read { target }
        | WordAct::Footnote { after: target, .. }
        | WordAct::Insert { target, .. } => slot_mentions(target),
        _ => false,
    };
    of_act || step.within.iter().chain(&step.except).any(slot_mentions)
}

fn list_styles(mut words: Words) -> Attempt {
    if !words.eats("list|show|show me|get|what|which") || words.position(&["styles"]).is_none() {
        return None;
    }
    let mut list = ListStyles::default();
    words.eats("me");
    words.drop_articles();
    words.eats("available|named");
    for (name, category) in [
        ("paragraph", StyleCategory::Paragraph),
        ("character", StyleCategory::Character),
        ("table", StyleCategory::Table),
    ] {
        if words.eats(name) {
            list.category = category;
        }
    }
    if !words.eats("styles") {
        return None;
    }
    words.eats("are there|are available|can i use|are in the document|does it have|do we have");
    words.eats("in the document|of the document|in this document");
    if words.eats("containing|named|called|matching|with") {
        let name = words.value();
        return Some(name.map(|name| Op::ListStyles(ListStyles { query: Some(name), ..list })));
    }
    Some(words.done().map(|()| Op::ListStyles(list)))
}

fn get_selection(mut words: Words) -> Attempt {
    if words.eats("what text is selected|what have i selected|what is selected|what's selected|what is currently selected") {
        return Some(words.done().map(|()| Op::GetSelection));
    }
    if !words.eats("get|show me|show|read|what is|what's") {
        return None;
    }
    words.eats("the|my");
    words.eats("current");
    words
        .eats("selection|selected|selected text|currently selected")
        .then(|| words.done().map(|()| Op::GetSelection))
}

fn select(mut words: Words) -> Attempt {
    if words.begins("put the cursor|place the cursor|move the cursor") {
        return cursor_place(words).map(|place| Ok(Op::SetSelection(place)));
    }
    if !words.eats("select") {
        return None;
    }
    if words.eats("all|everything|the document|the whole document|all text|the entire document") {
        let whole = SetSelection { scope: Scope::Document, location: Location::Replace };
        return Some(words.done().map(|()| Op::SetSelection(whole)));
    }
    let Some(scope) = place::scope(&mut words).or_else(|| place::quoted(&mut words)) else {
        return Some(Err("say which text to select, in quotation marks".to_owned()));
    };
    let selection = SetSelection { scope, location: Location::Replace };
    Some(words.done().map(|()| Op::SetSelection(selection)))
}

/// "put the cursor after 'Terms'"
fn cursor_place(mut words: Words) -> Option<SetSelection> {
    words.eats("put the cursor|place the cursor|move the cursor");
    let (scope, location) = place::place(&mut words)?;
    words.is_empty().then_some(SetSelection { scope, location })
}

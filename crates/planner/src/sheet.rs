//! Requests about a workbook: "set B5 on Inputs to 1.1", "what is the sum of Model!B2:E2", "sort Data by Amount".

mod act;
mod ask;
mod described;
mod entry;
mod look;
mod refer;
mod rows;
mod step;
mod structure;

use crate::phrase::Words;
use crate::{Step, Unclear};
pub use step::{
    Address, CellLook, Condition, Entry, Far, Lines, SheetRef, SheetStep, Summary, Test, Towards,
};

type Attempt = Option<Result<SheetStep, Unclear>>;

pub(crate) fn step(mut words: Words) -> Result<SheetStep, Unclear> {
    // "On sheet Inputs, set B2 to 5": the sheet stands before the rest.
    let mut home = None;
    let mut ahead = words.clone();
    if let Some(sheet) = refer::sheet(&mut ahead)
        && ahead.eats(",|please") | ahead.clone().begins_step()
    {
        home = Some(sheet);
        words = ahead;
    }
    let patterns: [fn(Words) -> Attempt; 20] = [
        rows::rows,
        described::acts,
        described::questions,
        ask::questions,
        structure::columns,
        structure::sheets,
        act::new_lines,
        act::fewer_lines,
        act::hidden_lines,
        act::line_sizes,
        act::order,
        act::set,
        look::looks,
        act::text,
        act::clearing,
        act::merging,
        act::freezing,
        act::notes,
        act::naming,
        act::copying,
    ];
    let mut why = None;
    for pattern in patterns {
        match pattern(words.clone()) {
            Some(Ok(step)) => return Ok(step.at_home(home)),
            Some(Err(unclear)) => why = why.or(Some(unclear)),
            None => {}
        }
    }
    Err(why.unwrap_or_else(|| {
        crate::beyond::unknown(
            &words,
            "set B5 to 7, the total of Amount, sort by Price, delete the rows where Status is closed",
        )
    }))
}

/// "Set B2 to 5, B3 to 6 and B4 to 7": one request for each cell, if every part names a cell and a value.
pub(crate) fn several(words: &Words) -> Option<Vec<Words>> {
    let mut rest = words.clone();
    let verb = rest.word()?;
    let parts: Vec<Words> = rest
        .parts()
        .into_iter()
        .map(|mut part| {
            part.push_front(&verb);
            part
        })
        .collect();
    let whole = |part: &Words| matches!(step(part.clone()), Ok(SheetStep::Set { .. }));
    (parts.len() > 1 && parts.iter().all(whole)).then_some(parts)
}

/// The step with what `it` stands for.
pub(crate) fn referring(mut step: SheetStep, before: Option<&SheetStep>) -> Result<SheetStep, Unclear> {
    let meant = before.and_then(|before| before.clone().place().cloned());
    match (step.place(), meant) {
        (Some(place), Some(meant)) if *place == SheetRef::It && meant != SheetRef::It => *place = meant,
        (Some(place), _) if *place == SheetRef::It => {
            return Err("say which cells are meant instead of `it`".to_owned());
        }
        _ => {}
    }
    Ok(step)
}

/// The sheet that is named at the end of a part, in words.
pub(crate) fn behind(words: &Words) -> Option<String> {
    ask::label_sheet(&mut words.clone())
}

/// A step on that sheet, unless it names one itself.
pub(crate) fn at_home(step: Step, home: Option<&String>) -> Step {
    match step {
        Step::Sheet(step) => Step::Sheet(step.at_home(home.cloned())),
        step => step,
    }
}

/// Why a sheet at the end of a part may be meant for the parts before it too, which name none.
pub(crate) fn only_the_last_is_placed(words: &Words, steps: &[Step], done: usize) -> Option<String> {
    let named = behind(words)?;
    let (before, last) = steps.split_at_checked(done)?;
    let own = last.iter().find_map(|step| match step {
        Step::Sheet(step) => step.clone().named_sheet().filter(|sheet| *sheet == named),
        _ => None,
    })?;
    let placeless = before.iter().find_map(|step| match step {
        Step::Sheet(step) => {
            step.clone().place().filter(|place| place.lacks_sheet()).map(|_| step.to_string())
        }
        _ => None,
    })?;
    Some(format!(
        "either all of it is on the sheet {own}, or `{placeless}` is on the sheet that is shown: name the sheet in each part"
    ))
}

/// A step that names no sheet, behind one that does, may mean that sheet or the one that is shown; neither is guessed.
pub(crate) fn on_a_named_sheet(step: Step, before: &[Step]) -> Result<Step, Unclear> {
    let Step::Sheet(mut step) = step else { return Ok(step) };
    let named = before.iter().rev().find_map(|before| match before {
        Step::Sheet(before) => before.clone().named_sheet(),
        _ => None,
    });
    if let (Some(sheet), Some(place)) = (named, step.place())
        && place.lacks_sheet()
    {
        return Err(format!(
            "a part before it speaks of the sheet {sheet}; name the sheet here too, as in {sheet}!B5"
        ));
    }
    Ok(Step::Sheet(step))
}

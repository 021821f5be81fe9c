//! Sheets and columns as such: names, order, and what comes and goes.

use super::refer::{looks_like_cells, reference, sheet};
use super::{Attempt, Far, SheetRef, SheetStep};
use crate::phrase::Words;

/// Columns by their header: other names, and as wide as what they show.
pub(super) fn columns(mut words: Words) -> Attempt {
    let widens = words.begins("widen")
        && words.eats_last("so the text fits|so that the text fits|to fit the text|to fit its content|to fit|so it fits|so everything fits|so that it fits");
    let fits = words.eats("autofit|auto-fit|auto fit|fit|auto-size|autosize|resize")
        || widens && words.eats("widen");
    if fits || words.begins("make|adjust|set|change") && words.position(&["fit"]).is_some() {
        if !fits {
            words.eats("make|adjust|set|change");
            words.eats_last("fit the content|fit the contents|fit their content|fit their contents|fit the text|fit|fit its content|fit what they show")
                .then_some(())?;
            words.eats_last("to|wide enough to");
        }
        words.eats_last("to the content|to the contents|to their content|to their contents|to fit|to what they show|to its content");
        words.eats("the width of|the widths of");
        let home = |words: &mut Words| {
            let at = SheetRef::Used { sheet: None };
            sheet(words).map_or(at.clone(), |name| at.on(name))
        };
        let at = match () {
            () if words.eats("all the columns|all columns|every column|the columns|columns|all column widths|the column widths|column widths|everything") => home(&mut words),
            () => reference(&mut words).filter(|at| matches!(at, SheetRef::Column { .. }))?,
        };
        return Some(words.done().map(|()| SheetStep::Fit { at }));
    }
    let renamed = words.begins("rename|call");
    words.eats("rename|change|call|update|set").then_some(())?;
    let named = words.eats("the header of|the heading of|the name of|the title of|the header in|header of");
    let headed = words.eats("the header|the column header|the heading|the column heading");
    let mut at = None;
    let mut ahead = words.clone();
    if let Some(found @ SheetRef::Column { to: None, .. }) = reference(&mut ahead)
        && ahead.eats("to|into|as")
    {
        at = Some((found, ahead));
    } else if headed {
        let mut name = words.clone();
        let to = name.cut("to|into|as")?;
        at = Some((SheetRef::Column { sheet: None, name: name.value().ok()?, to: None }, to));
    }
    let (at, to) = at?;
    // "set column C to 5" fills it.
    (renamed || named || headed).then(|| to.value().map(|to| SheetStep::RenameColumn { at, to }))
}

/// Sheets that come, go, move and get other names.
pub(super) fn sheets(mut words: Words) -> Attempt {
    const NOUN: &str =
        "sheet called|sheet named|sheet|tab called|tab named|tab|worksheet called|worksheet named|worksheet";
    if words.eats("add|create|insert|make") {
        words.eats("a|an|another|the");
        words.eats("new|empty|blank");
        if !words.eats(NOUN) {
            return None;
        }
        words.eats("called|named|with the name");
        let place = far(&mut words).unwrap_or(Far::Last);
        return Some(match words.is_empty() {
            true => Err("say what the sheet is called: add a sheet called Forecast".to_owned()),
            false => words.value().map(|name| SheetStep::AddSheet { name, place }),
        });
    }
    if words.eats("rename") {
        words.eats("the");
        let named = words.eats(NOUN);
        let Some(to) = words.cut("to|as|into") else {
            return Some(Err("say the new name: rename Sheet1 to Inputs".to_owned()));
        };
        words.eats_last("sheet|tab|worksheet");
        if !named
            && words.len() == 1
            && matches!(words.peek(), Some(crate::token::Kind::Word(word)) if looks_like_cells(word))
        {
            return Some(Err("I rename sheets; a cell gets a name with: name B2 Price".to_owned()));
        }
        return Some(words.value().and_then(|sheet| Ok(SheetStep::RenameSheet { sheet, to: to.value()? })));
    }
    let delete = words.begins("delete|remove|drop");
    let visible = words.begins("unhide|show");
    if words.eats("delete|remove|drop|hide|unhide|show|unhide again|show again") {
        words.eats("the");
        let mut name = words.clone();
        let sheet = match name.eats(NOUN) {
            true => name.value(),
            false => {
                name.eats_last("sheet|tab|worksheet").then_some(())?;
                name.value()
            }
        };
        return Some(sheet.map(|sheet| match delete {
            true => SheetStep::DeleteSheet { sheet },
            false => SheetStep::ShowSheet { sheet, visible },
        }));
    }
    if words.eats("move") {
        words.eats("the");
        let named = words.eats(NOUN);
        let place = far(&mut words)?;
        let named = words.eats_last("sheet|tab|worksheet") || named;
        return named.then(|| words.value().map(|sheet| SheetStep::MoveSheet { sheet, place }));
    }
    None
}

fn far(words: &mut Words) -> Option<Far> {
    if words.eats_last("to the front|to the start|to the beginning|at the front|at the start|at the beginning|first|as the first sheet|as the first one") {
        return Some(Far::First);
    }
    if words.eats_last("to the end|at the end|last|as the last sheet|as the last one") {
        return Some(Far::Last);
    }
    for cut in 1..words.len() {
        let (head, mut tail) = words.split_at(cut);
        let before = tail.begins("before|in front of|to before");
        if tail.eats("before|in front of|to before|after|behind|to after") {
            tail.eats("the sheet|sheet|the");
            tail.eats_last("sheet|tab");
            let name = tail.value().ok()?;
            *words = head;
            return Some(if before { Far::Before(name) } else { Far::After(name) });
        }
    }
    None
}

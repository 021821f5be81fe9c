//! Questions about cells.

use super::refer::reference;
use super::{Attempt, SheetRef, SheetStep, Summary};
use crate::phrase::Words;

pub(super) fn questions(words: Words) -> Attempt {
    summaries(words.clone())
        .or_else(|| counts(words.clone()))
        .or_else(|| origin(words.clone()))
        .or_else(|| find(words.clone()))
        .or_else(|| read(words))
}

/// "Where does Summary!B1 come from?", "how is B3 calculated?": its formula.
fn origin(mut words: Words) -> Attempt {
    words.eats("where does|how is|how does|where is").then_some(())?;
    words.eats_last("come from|calculated|computed|worked out|taken from").then_some(())?;
    let at = reference(&mut words)?;
    Some(words.done().map(|()| SheetStep::Formula { at }))
}

pub(super) fn summary(words: &mut Words) -> Option<Summary> {
    let nouns = [
        ("sum|total|sum total|grand total|overall total", Summary::Sum),
        ("average|mean", Summary::Average),
        (
            "maximum|max|largest value|highest value|biggest value|largest number|highest number|biggest number|largest|highest|biggest|greatest value|greatest|top value",
            Summary::Maximum,
        ),
        (
            "minimum|min|smallest value|lowest value|smallest number|lowest number|smallest|lowest|least",
            Summary::Minimum,
        ),
        ("number of entries|count|number of values|number of filled cells", Summary::Count),
        ("number of blank cells|number of empty cells", Summary::Blanks),
    ];
    nouns.iter().find_map(|(names, what)| words.eats(names).then_some(*what))
}

fn summaries(mut words: Words) -> Attempt {
    if words.eats("count the blank cells in|count the empty cells in|how many blank cells are in|how many empty cells are in|how many cells are empty in|how many cells are blank in") {
        return Some(ended(words, |at| SheetStep::Summarise { what: Summary::Blanks, at }));
    }
    if words.eats("how many cells are filled in|count the filled cells in|count the entries in|how many entries are in|how many values are in|count the values in") {
        return Some(ended(words, |at| SheetStep::Summarise { what: Summary::Count, at }));
    }
    words.eats_last("over the year|for the year|over the whole year|across all quarters|across the quarters|in total|overall|altogether|over all quarters|of the year");
    let asks = words.eats("what was the|what is the|what's the|what are the|tell me the|give me the|show me the|calculate the|compute the|what is|calculate|compute|tell me|find the|get the|show the");
    let bare = words.clone();
    let what = summary(&mut words);
    match what {
        Some(what) if words.eats("of|in|for|over|across|value in|value of") => {
            if !asks
                && !bare.begins(
                    "sum|average|total|mean|maximum|minimum|max|min|biggest|largest|highest|smallest|lowest",
                )
            {
                return None;
            }
            Some(ended(words, |at| SheetStep::Summarise { what, at }))
        }
        _ => {
            if words.eats("sum up|add up|sum") && !asks && reference(&mut words.clone()).is_some() {
                return Some(ended(words, |at| SheetStep::Summarise { what: Summary::Sum, at }));
            }
            None
        }
    }
}

/// The rest is a reference and nothing else.
fn ended(mut words: Words, make: impl Fn(SheetRef) -> SheetStep) -> Result<SheetStep, String> {
    let Some(at) = reference(&mut words) else {
        return Err(format!(
            "say which cells, such as Inputs!B2:B9 or column C; I did not understand `{}`",
            words.shown()
        ));
    };
    words.done().map(|()| make(at))
}

/// The rows of a sheet or a table by its name, which is no cell's.
fn rows_of(at: SheetRef) -> SheetStep {
    SheetStep::CountRows {
        at: match at {
            SheetRef::Cells(address)
                if address.sheet.is_none() && !super::refer::looks_like_cells(&address.cells) =>
            {
                SheetRef::Used { sheet: Some(address.cells) }
            }
            at => at,
        },
    }
}

fn counts(mut words: Words) -> Attempt {
    if words.eats("how many sheets are there|how many sheets|how many tabs|how many worksheets are there|how many sheets are there in this workbook|how many sheets do we have|name the sheets|name all sheets|list the tabs|list all the sheets|list all tabs|show the sheets|what tabs are there|which tabs are there|how many sheets are in this workbook|how many sheets does it have|how many sheets does this workbook have|how many tabs are there|count the sheets|list the sheets|which sheets are there|list all sheets|what sheets are there|show me the sheets|how many sheets are in the workbook|what are the sheets|show all sheets") {
        return Some(words.done().map(|()| SheetStep::CountSheets));
    }
    if words.eats("how many rows are in|how many rows are there in|how many rows are there on|how many rows are on|count the rows in|count the rows on|count the rows of") {
        return Some(ended(words, rows_of));
    }
    if words.eats("how many rows does|how many rows has") {
        words.eats_last("have|contain|got");
        return Some(ended(words, rows_of));
    }
    if words.eats("how many rows are there|how many rows are there in total|how many rows do we have|how many rows|how many rows of data are there|count the rows|how many rows does it have|how many rows are in it") {
        return Some(words.done().map(|()| SheetStep::CountRows { at: SheetRef::Used { sheet: None } }));
    }
    None
}

fn find(mut words: Words) -> Attempt {
    if !words.eats("find every cell that contains|find all cells that contain|find all cells containing|find cells containing|find every cell with|find all cells with|find the cell with|find the cells with|find all|find every|find|search for|look for|locate|where does|where is|where do|which cells contain|which cells say|which cell contains|where can i find|search") {
        return None;
    }
    words.eats("every mention of|all mentions of|mentions of|occurrences of|the word|the text|the value|cells with|the phrase|mention of|the label|the term");
    let mut text = words.clone();
    let mut at = None;
    // Where to look stands at the end.
    for cut in 1..words.len() {
        let (mut head, mut tail) = words.split_at(cut);
        let place = super::refer::sheet(&mut tail.clone()).map(|sheet| SheetRef::Used { sheet: Some(sheet) });
        let found = match place {
            Some(place)
                if {
                    super::refer::sheet(&mut tail);
                    tail.is_empty()
                } =>
            {
                Some(place)
            }
            _ => {
                let (_, mut tail) = words.split_at(cut);
                tail.eats("in|on|within").then(|| reference(&mut tail)).flatten().filter(|_| tail.is_empty())
            }
        };
        if found.is_some() {
            head.eats_last("appear|occur|appears|occurs|stand|mentioned|used");
            (text, at) = (head, found);
            break;
        }
    }
    text.eats_last("appear|occur|appears|occurs|stand|mentioned|used");
    if text.begins("the|a|any|errors|error") && !text.has_quotation() {
        return Some(Err(format!("put the text to find in quotation marks: `{}`", text.shown())));
    }
    Some(text.value().map(|text| SheetStep::Find { text, at }))
}

fn read(mut words: Words) -> Attempt {
    if words.eats("give me all formulas|give me the formulas|list all formulas|list the formulas|show all formulas|show me all formulas|show me the formulas|which formulas are|what formulas are|what are the formulas") {
        words.eats("there");
        let at = SheetRef::Used { sheet: None };
        let at = super::refer::sheet(&mut words).map_or(at.clone(), |name| at.on(name));
        return Some(words.done().map(|()| SheetStep::Formula { at }));
    }
    if words.eats("what is the formula in|what formula does|which formula does|what formula do we have in|what formula sits in|formula in|what's the formula in|show me the formula in|what formula is in|which formula is in|show the formula in|what is the formula of|show me the formula of|read the formula in") {
        words.eats_last("have|contain|hold|use");
        return Some(ended(words, |at| SheetStep::Formula { at }));
    }
    let asks = words.eats(
        "what was the value of|what was|what were|what is the value of|what is the value in|what is in|what is|what's the value of|what's the value in|what's in|what's|what are|how much is|how large is|\
         read|show me|show|get the value of|get|tell me the value of|tell me the value in|tell me what is in|tell me|give me|what does|display|print|what value is in|what stands in|give me the value of|what is currently in|what is stored in|tell me what's in",
    );
    if !asks {
        return None;
    }
    words.eats_last("say|show|contain|hold|now|currently|right now|again");
    if let Some(at) = reference(&mut words.clone()) {
        reference(&mut words);
        return Some(words.done().map(|()| SheetStep::Read { at }));
    }
    // "what is the growth rate": a label.
    if words.begins("show|display") || words.position(&["as"]).is_some() {
        return None;
    }
    if words.is_empty() || words.begins("all|every|if|whether|how|which|where|why") {
        return Some(Err("say which cell, such as Inputs!B5".to_owned()));
    }
    Some(super::rows::named(words).map(|at| SheetStep::Read { at }))
}

/// A sheet at the end: "the growth rate on Inputs".
pub(super) fn label_sheet(words: &mut Words) -> Option<String> {
    for cut in 1..words.len() {
        let (head, mut tail) = words.split_at(cut);
        // "The price of Widget" speaks of a row; "of the sheet Data" of a sheet.
        if tail.begins("of")
            && !["sheet", "tab", "worksheet"].iter().any(|noun| tail.position(&[noun]).is_some())
        {
            continue;
        }
        if let Some(sheet) = super::refer::sheet(&mut tail)
            && tail.is_empty()
        {
            *words = head;
            return Some(sheet);
        }
    }
    None
}

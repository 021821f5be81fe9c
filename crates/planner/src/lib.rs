//! Plain requests to operations, without a model.
//!
//! "Replace all 2024 with 2025 in the document" is clear enough for a grammar, and a grammar is fast, free,
//! offline and the same every time. What the grammar does not cover it says plainly: every word of a step
//! must have been understood, or the step is handed back. Nothing is guessed.
//!
//! ```
//! use planner::{Format, Step, understand};
//!
//! let plan = understand("Make the selection bold. Then fold the page in half.", Format::Word);
//! assert!(matches!(plan.steps[..], [Step::Word(_)]));
//! assert_eq!(plan.rest[0].text, "fold the page in half");
//! ```

mod doubt;
mod phrase;
mod split;
mod token;
mod verbs;

mod colour;
mod markdown;
mod sheet;
mod word;

pub use markdown::{BlockAct, BlockKind, Count, Flavour, MarkdownStep, Picked, Place, Row};
pub use sheet::{Address, CellLook, Condition, Entry, Far, SheetRef, SheetStep, Summary};
pub use word::{
    Beside, CommentAct, CommentPick, Countable, Decided, Inserted, Line, Look, Mention, Pick, Target, Which,
    WordAct, WordStep, looks,
};

/// What kind of document the request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Word,
    Sheet,
    Markdown,
}

/// What was understood of a request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// What was not, in order.
    pub rest: Vec<NotUnderstood>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Word(WordStep),
    Sheet(SheetStep),
    Markdown(MarkdownStep),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    pub text: String,
    pub why: String,
}

/// Why one step could not be turned into an operation.
type Unclear = String;

/// Turn a request into operations.
pub fn understand(request: &str, format: Format) -> Plan {
    let tokens = token::tokens(request);
    let mut plan = Plan::default();
    let parts = split::steps(&tokens);
    let several = parts.len() > 1;
    let mut scope = None;
    for part in parts {
        let mut words = phrase::Words::new(part);
        verbs::plain(&mut words, format);
        if words.is_empty() {
            continue;
        }
        let unclear = |why| NotUnderstood { text: token::source(request, part), why };
        // "In clause 2, replace A with B, then C with D": the place at the front is that of every part.
        match (words.leading_place(), &scope) {
            (Some((place, rest)), None) if several && format != Format::Sheet && plan.steps.is_empty() => {
                scope = Some(place);
                words = rest;
                verbs::plain(&mut words, format);
            }
            _ => {}
        }
        if let Some(place) = &scope {
            if ["in", "within", "under", "throughout", "everywhere"]
                .iter()
                .any(|lead| words.position(&[lead]).is_some())
            {
                plan.rest.push(unclear(
                    "the place at the front may be meant for this part too, which names another; say the place in each part"
                        .to_owned(),
                ));
                continue;
            }
            let mut placed = place.clone();
            placed.push_mark(',');
            placed.append(words);
            words = placed;
        }
        if let Some(why) = doubt::falls_short(&words.plain_words()) {
            plan.rest.push(unclear(why));
            continue;
        }
        for words in several_of(&words, format) {
            let understood = match format {
                Format::Word => word::step(words).map(Step::Word),
                Format::Sheet => sheet::step(words).map(Step::Sheet),
                Format::Markdown => markdown::step(words).map(Step::Markdown),
            };
            let understood = understood
                .and_then(|step| referring(step, plan.steps.last()))
                .and_then(|step| sheet::on_a_named_sheet(step, &plan.steps));
            match understood {
                Ok(step) => plan.steps.push(step),
                Err(why) => plan.rest.push(unclear(why)),
            }
        }
    }
    plan
}

/// One verb for several things: "replace "a" with "b" and "c" with "d"", "set B2 to 5 and B3 to 6".
fn several_of(words: &phrase::Words, format: Format) -> Vec<phrase::Words> {
    let pairs = match () {
        () if words.begins("replace|substitute") => words.pairs(&["with", "by"]),
        () if words.begins("swap") => words.pairs(&["for", "with"]),
        () if words.begins("change|rename") => words.pairs(&["to", "into"]),
        () if words.begins("set|change|put|enter|write") && format == Format::Sheet => sheet::several(words),
        () => None,
    };
    pairs.unwrap_or_else(|| vec![words.clone()])
}

/// "Center 'Total' and make it red": the step with what `it` stands for, which the step before says.
fn referring(step: Step, before: Option<&Step>) -> Result<Step, Unclear> {
    match (step, before) {
        (Step::Word(step), Some(Step::Word(before))) if word::mentions_it(&step) => {
            word::referring(step, before).map(Step::Word)
        }
        // With nothing said before, what is selected is meant.
        (Step::Word(step), None) if word::mentions_it(&step) => {
            word::referring(step, &WordStep::plain(WordAct::Op(::word::op::Op::GetSelection))).map(Step::Word)
        }
        (Step::Sheet(step), before) => {
            let before = before.and_then(|before| match before {
                Step::Sheet(before) => Some(before),
                _ => None,
            });
            sheet::referring(step, before).map(Step::Sheet)
        }
        (step, _) => Ok(step),
    }
}

#[cfg(test)]
mod tests;

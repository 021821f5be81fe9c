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

mod colour;
mod markdown;
mod sheet;
mod word;

pub use markdown::{Count, Flavour, MarkdownStep, Place, Row};
pub use sheet::{Address, CellLook, Entry, Far, SheetRef, SheetStep, Summary};
pub use word::{
    Beside, Countable, Inserted, Line, Look, Mention, Pick, Target, Which, WordAct, WordStep, looks,
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
    let steps = split::steps(&tokens);
    let several = steps.len() > 1;
    for (number, step) in steps.into_iter().enumerate() {
        let mut words = phrase::Words::new(step);
        words.drop_politeness();
        if words.is_empty() {
            continue;
        }
        let plain = words.plain_words();
        if let Some(why) = doubt::falls_short(&plain).or_else(|| scope_for_all(format, number, several, step))
        {
            plan.rest.push(NotUnderstood { text: token::source(request, step), why });
            continue;
        }
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
            Err(why) => plan.rest.push(NotUnderstood { text: token::source(request, step), why }),
        }
    }
    plan
}

/// "In clause 2, replace A with B, then C with D": the place is read for one part only, and may be meant for all.
fn scope_for_all(format: Format, number: usize, several: bool, step: &[token::Token]) -> Option<String> {
    let leads = matches!(step.first().map(|token| &token.kind), Some(token::Kind::Word(word)) if matches!(word.to_lowercase().as_str(), "in" | "within" | "under"));
    let comma = step.iter().any(|token| token.kind == token::Kind::Mark(','));
    (format != Format::Sheet && number == 0 && several && leads && comma)
        .then(|| "the place at the front may be meant for every part; say it in each of them".to_owned())
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

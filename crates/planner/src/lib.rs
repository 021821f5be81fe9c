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

mod phrase;
mod split;
mod token;

mod colour;
mod markdown;
mod sheet;
mod word;

pub use markdown::{MarkdownStep, Place};
pub use sheet::{Address, Entry, SheetStep};

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
    Word(::word::op::Op),
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
    for step in split::steps(&tokens) {
        let mut words = phrase::Words::new(step);
        words.drop_politeness();
        if words.is_empty() {
            continue;
        }
        let understood = match format {
            Format::Word => word::step(words).map(Step::Word),
            Format::Sheet => sheet::step(words).map(Step::Sheet),
            Format::Markdown => markdown::step(words).map(Step::Markdown),
        };
        let understood = match (plan.steps.last(), points_back(step)) {
            (Some(before), true) => understood.and_then(|step| referring(step, before)),
            _ => understood,
        };
        match understood {
            Ok(step) => plan.steps.push(step),
            Err(why) => plan.rest.push(NotUnderstood { text: token::source(request, step), why }),
        }
    }
    plan
}

/// Whether a step speaks of what the one before it was about.
fn points_back(step: &[token::Token]) -> bool {
    let backward = ["it", "them", "these", "those", "this", "that"];
    step.iter().any(|token| match &token.kind {
        token::Kind::Word(word) => backward.iter().any(|known| word.eq_ignore_ascii_case(known)),
        _ => false,
    })
}

/// "Center 'Total' and make it red": the step with what `it` stands for. Text that the step before speaks of is looked
/// for, and refused where it stands in several places.
fn referring(step: Step, before: &Step) -> Result<Step, Unclear> {
    use ::word::op::{Op, Scope, Target};
    let meant = match before {
        Step::Word(Op::ApplyStyle(before)) => Some(before.scope.clone()),
        Step::Word(Op::SetSelection(_) | Op::GetSelection) => Some(Scope::Selection),
        Step::Word(Op::InsertText(before)) => Some(Scope::Found(before.text.clone())),
        Step::Word(Op::Search(before)) => Some(Scope::Found(before.query.clone())),
        Step::Word(Op::Replace(before)) => match &before.target {
            Target::Query { .. } => Some(Scope::Found(before.with.clone())),
            Target::Whole(_) => None,
        },
        _ => None,
    };
    match (step, meant) {
        (Step::Word(Op::ApplyStyle(mut style)), Some(scope)) if style.scope == Scope::Selection => {
            style.scope = scope;
            Ok(Step::Word(Op::ApplyStyle(style)))
        }
        _ => Err("say what is meant instead of `it`, in quotation marks".to_owned()),
    }
}

#[cfg(test)]
mod tests;

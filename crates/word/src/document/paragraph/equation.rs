//! An equation in one line, on both sides of the changes tracked inside it.
//!
//! A half reads `1/2` and not `12`: fractions, scripts, roots, brackets and sums are written as people type them.
//! What stands in columns and what stands above a letter is left to the characters themselves.

use crate::document::names::El;

#[derive(Debug, Default)]
pub(super) struct Equation {
    /// As if all changes were accepted.
    pub(super) text: String,
    /// As if all were rejected.
    pub(super) before: String,
    /// Runs, changes and objects that are open.
    open: Vec<Open>,
    /// What the run that is open says of itself.
    run: (bool, bool),
}

#[derive(Debug)]
struct Open {
    depth: usize,
    el: El,
    /// Where it began in either text.
    text: usize,
    before: usize,
    signs: Signs,
    /// How many bases it has had.
    bases: usize,
}

/// The characters around and between what an object holds, where it names its own.
#[derive(Debug, Default)]
struct Signs {
    opening: Option<String>,
    closing: Option<String>,
    separator: Option<String>,
    operator: Option<String>,
}

impl Equation {
    pub(super) fn is_about(&self, el: El) -> bool {
        is_change(el)
            || matches!(
                el,
                El::MathRun
                    | El::MathNumerator
                    | El::MathDenominator
                    | El::MathSup
                    | El::MathSub
                    | El::MathSuperscript
                    | El::MathSubscript
                    | El::MathScripts
                    | El::MathPrescripts
                    | El::MathRoot
                    | El::MathBrackets
                    | El::MathOperator
                    | El::MathBase
            )
    }

    pub(super) fn began(&mut self, el: El, depth: usize) {
        match el {
            El::MathRun => self.run = (false, false),
            _ => self.marked(el),
        }
        if el == El::MathBase
            && let Some(around) = self.open.last_mut()
        {
            around.bases += 1;
        }
        let (text, before) = (self.text.len(), self.before.len());
        self.open.push(Open { depth, el, text, before, signs: Signs::default(), bases: 0 });
    }

    /// A mark in a run is about the run, wherever its text stands.
    pub(super) fn marked(&mut self, el: El) {
        if is_change(el) && self.open.iter().any(|open| open.el == El::MathRun) {
            self.run.0 |= matches!(el, El::Ins | El::MoveTo);
            self.run.1 |= matches!(el, El::Del | El::MoveFrom);
        }
    }

    /// Whether this names a character of the object it stands in.
    pub(super) fn is_sign(&self, el: El) -> bool {
        matches!(el, El::MathOpening | El::MathClosing | El::MathSeparator | El::MathCharacter)
    }

    pub(super) fn sign(&mut self, el: El, value: String) {
        let Some(Open { el: object, signs, .. }) = self.open.last_mut() else { return };
        match (el, object) {
            (El::MathOpening, El::MathBrackets) => signs.opening = Some(value),
            (El::MathClosing, El::MathBrackets) => signs.closing = Some(value),
            (El::MathSeparator, El::MathBrackets) => signs.separator = Some(value),
            (El::MathCharacter, El::MathOperator) => signs.operator = Some(value),
            _ => {}
        }
    }

    pub(super) fn ended(&mut self, depth: usize) {
        let Some(open) = self.open.pop_if(|open| open.depth == depth) else { return };
        if open.el == El::MathRun {
            self.run = (false, false);
        }
        let around = self.open.last();
        for (text, from) in [(&mut self.text, open.text), (&mut self.before, open.before)] {
            let Some(said) = text.get(from..).filter(|said| !said.is_empty()) else { continue };
            let line = in_line(&open, around, said);
            text.replace_range(from.., &line);
        }
    }

    pub(super) fn say(&mut self, said: &str) {
        let within = |some: [El; 2]| self.open.iter().any(|open| some.contains(&open.el));
        if !self.run.1 && !within([El::Del, El::MoveFrom]) {
            self.text.push_str(said);
        }
        if !self.run.0 && !within([El::Ins, El::MoveTo]) {
            self.before.push_str(said);
        }
    }
}

fn is_change(el: El) -> bool {
    matches!(el, El::Ins | El::Del | El::MoveFrom | El::MoveTo)
}

fn in_line(open: &Open, around: Option<&Open>, said: &str) -> String {
    let sign = |sign: &Option<String>, usual: &str| sign.as_deref().unwrap_or(usual).to_owned();
    match (open.el, around.map(|around| (around.el, around))) {
        (El::MathNumerator, _) => grouped(said),
        (El::MathDenominator, _) => format!("/{}", grouped(said)),
        (El::MathSup, _) => format!("^{}", grouped(said)),
        (El::MathSub, _) => format!("_{}", grouped(said)),
        (El::MathBrackets, _) => {
            format!("{}{said}{}", sign(&open.signs.opening, "("), sign(&open.signs.closing, ")"))
        }
        (El::MathOperator, _) => format!("{}{said}", sign(&open.signs.operator, "\u{222B}")),
        (El::MathBase, Some((El::MathRoot, _))) => format!("\u{221A}{}", grouped(said)),
        (
            El::MathBase,
            Some((El::MathSuperscript | El::MathSubscript | El::MathScripts | El::MathPrescripts, _)),
        ) => grouped(said),
        // What is summed is told apart from the bounds.
        (El::MathBase, Some((El::MathOperator, _))) => format!(" {said}"),
        (El::MathBase, Some((El::MathBrackets, brackets))) if brackets.bases > 1 => {
            format!("{}{said}", sign(&brackets.signs.separator, "|"))
        }
        _ => said.to_owned(),
    }
}

/// In brackets, if it is more than one letter or number.
fn grouped(said: &str) -> String {
    let one = said.chars().count() == 1 || said.chars().all(|c| c.is_ascii_digit());
    if one { said.to_owned() } else { format!("({said})") }
}

//! The characters of an equation, on both sides of the changes tracked inside it.

use crate::names::El;

#[derive(Debug, Default)]
pub(super) struct Equation {
    /// As if all changes were accepted.
    pub(super) text: String,
    /// As if all were rejected.
    pub(super) before: String,
    /// Runs and changes that are open, by the depth they began at.
    open: Vec<(usize, El)>,
    /// What the run that is open says of itself.
    run: (bool, bool),
}

impl Equation {
    pub(super) fn is_about(&self, el: El) -> bool {
        matches!(el, El::MathRun | El::Ins | El::Del | El::MoveFrom | El::MoveTo)
    }

    pub(super) fn began(&mut self, el: El, depth: usize) {
        match el {
            El::MathRun => self.run = (false, false),
            _ => self.marked(el),
        }
        self.open.push((depth, el));
    }

    /// A mark in a run is about the run, wherever its text stands.
    pub(super) fn marked(&mut self, el: El) {
        if self.open.iter().any(|(_, open)| *open == El::MathRun) {
            self.run.0 |= matches!(el, El::Ins | El::MoveTo);
            self.run.1 |= matches!(el, El::Del | El::MoveFrom);
        }
    }

    pub(super) fn ended(&mut self, depth: usize) {
        if let Some((_, el)) = self.open.pop_if(|(began, _)| *began == depth)
            && el == El::MathRun
        {
            self.run = (false, false);
        }
    }

    pub(super) fn say(&mut self, said: &str) {
        let within = |some: [El; 2]| self.open.iter().any(|(_, el)| some.contains(el));
        if !self.run.1 && !within([El::Del, El::MoveFrom]) {
            self.text.push_str(said);
        }
        if !self.run.0 && !within([El::Ins, El::MoveTo]) {
            self.before.push_str(said);
        }
    }
}

//! Functions as values: lambdas with what they see around them, and functions by their bare name.

use std::sync::Arc;

use super::{Answer, Cx, Operand, Stop};
use crate::bind::{LambdaNode, Node};
use crate::functions::Function;
use crate::value::ErrorKind;

#[derive(Debug)]
pub(crate) struct Lambda {
    pub(super) code: Code,
    pub(super) captured: Vec<Operand>,
}

#[derive(Debug)]
pub(super) enum Code {
    Lambda(Arc<LambdaNode>),
    /// A function by its bare name, as in `BYROW(A1:B2, SUM)`.
    Function(&'static Function),
}

impl Lambda {
    /// `LAMBDA(a, b, VSTACK(a, …))`, where `a` is used nowhere else: whether it stacks downwards, and what is added.
    pub(crate) fn stacks(&self) -> Option<(bool, &[Node])> {
        let Code::Lambda(node) = &self.code else { return None };
        let Node::Call(function, args) = &node.body else { return None };
        let down = match function.name {
            "VSTACK" => true,
            "HSTACK" => false,
            _ => return None,
        };
        let (first, rest) = args.split_first()?;
        let own = node.captured;
        let used = rest.iter().any(|arg| arg.uses(own));
        (node.optional.len() == 2 && matches!(first, Node::Local(slot) if *slot == own) && !used)
            .then_some((down, rest))
    }

    /// How many arguments it cannot do without.
    pub(crate) fn least(&self) -> usize {
        match &self.code {
            Code::Lambda(node) => node.optional.iter().filter(|optional| !**optional).count(),
            Code::Function(function) => usize::from(function.min),
        }
    }
}

impl Cx<'_> {
    pub(crate) fn invoke(&self, lambda: &Lambda, args: Vec<Operand>) -> Answer {
        let node = match &lambda.code {
            Code::Lambda(node) => node,
            Code::Function(function) => return self.invoke_function(function, args),
        };
        let wanted = node.optional.len();
        if args.len() > wanted || node.optional.iter().skip(args.len()).any(|optional| !optional) {
            return Err(ErrorKind::Value.into());
        }
        self.charge(20)?;
        self.enter()?;
        let height = self.frame.borrow().len();
        let given = args.len();
        {
            let mut frame = self.frame.borrow_mut();
            frame.extend(lambda.captured.iter().cloned());
            frame.extend(args);
            frame.extend(std::iter::repeat_n(Operand::Missing, wanted - given));
        }
        let base = self.base.replace(height);
        // Lambdas are younger than formulas that take one cell of a range.
        let entered = self.entered.replace(true);
        let result = self.eval(&node.body);
        self.entered.set(entered);
        self.base.set(base);
        self.frame.borrow_mut().truncate(height);
        self.leave();
        result
    }

    /// Parts of a lambda's body that do not use its first argument.
    pub(crate) fn invoke_parts(
        &self,
        lambda: &Lambda,
        parts: &[Node],
        second: &Operand,
    ) -> Result<Vec<Operand>, Stop> {
        self.charge(20)?;
        self.enter()?;
        let height = self.frame.borrow().len();
        {
            let mut frame = self.frame.borrow_mut();
            frame.extend(lambda.captured.iter().cloned());
            frame.extend([Operand::Missing, second.clone()]);
        }
        let base = self.base.replace(height);
        let result = parts.iter().map(|part| self.argument(part)).collect();
        self.base.set(base);
        self.frame.borrow_mut().truncate(height);
        self.leave();
        result
    }

    fn invoke_function(&self, function: &'static Function, args: Vec<Operand>) -> Answer {
        if args.len() < usize::from(function.min) || args.len() > usize::from(function.max) {
            return Err(ErrorKind::Value.into());
        }
        self.enter()?;
        let nodes: Vec<Node> = (0..args.len()).map(Node::Local).collect();
        let height = self.frame.borrow().len();
        self.frame.borrow_mut().extend(args);
        let base = self.base.replace(height);
        let result = self.call(function, &nodes);
        self.base.set(base);
        self.frame.borrow_mut().truncate(height);
        self.leave();
        result
    }
}

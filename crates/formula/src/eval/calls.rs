//! Calls: arguments by their class, and once for each element where arrays stand in the place of one value.

use std::sync::Arc;

use super::args::Args;
use super::references::{self, References, makes_references};
use super::{Answer, Cx, Operand, Stop, check_size};
use crate::bind::Node;
use crate::coerce;
use crate::functions::{Function, Run};
use crate::value::{Array, ErrorKind, Value};

impl Cx<'_> {
    pub(super) fn call(&self, function: &'static Function, nodes: &[Node]) -> Answer {
        self.charge(3)?;
        match function.run {
            Run::Unanswerable => Err(Stop::Unanswerable(Arc::from(function.name))),
            Run::Lazy(body) => {
                self.enter()?;
                let result = body(self, nodes);
                self.leave();
                result
            }
            Run::Eager(body) => {
                self.enter()?;
                let result = self.eager(function, body, nodes);
                self.leave();
                if let Ok(Operand::Array(array)) = &result {
                    self.charge(array.len())?;
                }
                result
            }
        }
    }

    fn eager(&self, function: &'static Function, body: fn(&Args<'_>) -> Answer, nodes: &[Node]) -> Answer {
        // Few have more than eight, so these lie where they cost no memory.
        let (mut few, mut several, mut many): ([Operand; 4], [Operand; 8], Vec<Operand>);
        let ops: &mut [Operand] = match nodes.len() {
            0..=4 => {
                few = [const { Operand::Missing }; 4];
                &mut few[..nodes.len()]
            }
            5..=8 => {
                several = [const { Operand::Missing }; 8];
                &mut several[..nodes.len()]
            }
            _ => {
                many = vec![Operand::Missing; nodes.len()];
                &mut many
            }
        };
        let mut lifted = false;
        for (index, (slot, node)) in ops.iter_mut().zip(nodes).enumerate() {
            let class = function.class(index);
            let operand = match class {
                b'A' => self.eval_array(node)?,
                _ => self.argument(node)?,
            };
            *slot = self.dereferenced(function, class, operand);
            lifted |= matches!(slot, Operand::References(_)) && references::one_by_one(function.name);
            if matches!(class, b'V' | b'E') {
                match slot {
                    Operand::Value(_) | Operand::Missing => {}
                    Operand::Area(area) if area.is_cell() => {
                        *slot = Operand::Value(self.cell(area.top_left()))
                    }
                    // The old add-in takes a cell, but no range; `+A1:A9` is an array.
                    Operand::Area(_) if function.addin && self.array.get() => {
                        *slot = Operand::Value(Value::Error(ErrorKind::Value));
                    }
                    Operand::Area(area) if !self.array.get() => {
                        *slot = Operand::Value(match self.intersected(*area) {
                            Some(cell) => self.cell(cell),
                            None => Value::Error(ErrorKind::Value),
                        });
                    }
                    Operand::Area(_) | Operand::Array(_) | Operand::Tall(_) => match self.elements(slot)? {
                        Operand::Array(array) if array.len() == 1 => *slot = Operand::Value(array.corner()),
                        other => {
                            *slot = other;
                            lifted = true;
                        }
                    },
                    Operand::References(_) | Operand::Areas(_) => {
                        *slot = Operand::Value(Value::Error(ErrorKind::Value))
                    }
                    Operand::Lambda(_) => *slot = Operand::Value(Value::Error(ErrorKind::Value)),
                }
            }
        }
        if !lifted {
            if let Some(kind) = self.wrong(function, ops) {
                return Err(kind.into());
            }
            return body(&Args { cx: self, ops });
        }
        self.lift(function, body, ops)
    }

    /// The error that an argument is, before any other is looked at. Of several the first is the answer, and a text
    /// where a number is wanted is one of them.
    fn wrong(&self, function: &'static Function, ops: &[Operand]) -> Option<ErrorKind> {
        let plain = |index: usize| function.class(index) == b'V';
        if function.addin {
            let truth = |(index, operand): (usize, &Operand)| {
                // The last argument of ACCRINT is one.
                matches!(operand, Operand::Value(Value::Bool(_)))
                    && plain(index)
                    && !(index == 7 && function.name == "ACCRINT")
            };
            let first = ops.iter().enumerate().position(truth);
            let error = ops.iter().position(|operand| matches!(operand, Operand::Value(Value::Error(_))));
            if first.is_some_and(|first| error.is_none_or(|error| first < error)) {
                return Some(ErrorKind::Value);
            }
        }
        let (at, kind) = ops.iter().enumerate().find_map(|(index, operand)| match operand {
            Operand::Value(Value::Error(kind)) if plain(index) => Some((index, *kind)),
            _ => None,
        })?;
        let text = |(index, operand): (usize, &Operand)| match operand {
            Operand::Value(value @ Value::Text(_)) => {
                function.wants_number(index) && coerce::number(value, self.region()).is_err()
            }
            _ => false,
        };
        match ops.iter().take(at).enumerate().any(text) {
            true => Some(ErrorKind::Value),
            false => Some(kind),
        }
    }

    /// Call once for each element of the arrays that stand where one value is wanted, and for each reference where
    /// there are several.
    fn lift(&self, function: &'static Function, body: fn(&Args<'_>) -> Answer, ops: &[Operand]) -> Answer {
        let several = |index: usize, operand: &Operand| match operand {
            Operand::References(_) => references::one_by_one(function.name),
            Operand::Array(_) | Operand::Tall(_) => matches!(function.class(index), b'V' | b'E'),
            _ => false,
        };
        let places: Vec<usize> = ops
            .iter()
            .enumerate()
            .filter(|(index, operand)| several(*index, operand))
            .map(|(index, _)| index)
            .collect();
        let lifted: Vec<Operand> = places.iter().filter_map(|at| ops.get(*at).cloned()).collect();
        let mut scalars = ops.to_vec();
        // References of an array stay an array of references.
        if makes_references(function.name) {
            let (rows, cols, found) = self.one_by_one(function, body, &places, &lifted, &mut scalars)?;
            let mut items = Vec::with_capacity(found.len());
            for operand in found {
                items.push(match operand {
                    Operand::Area(area) => Ok(area),
                    Operand::Value(Value::Error(kind)) => Err(kind),
                    _ => Err(ErrorKind::Value),
                });
            }
            return Ok(Operand::References(Arc::new(References { rows, cols, items })));
        }
        self.by_parts(&lifted, false, &mut |lifted| {
            let (rows, cols, found) = self.one_by_one(function, body, &places, lifted, &mut scalars)?;
            let values = found.into_iter().map(|operand| match operand {
                Operand::Value(value) => value,
                Operand::Area(area) => self.cell(area.top_left()),
                Operand::Array(array) => array.corner(),
                Operand::Tall(tall) => tall.head.corner(),
                Operand::Missing => Value::Blank,
                Operand::Lambda(_) | Operand::Areas(_) | Operand::References(_) => {
                    Value::Error(ErrorKind::Value)
                }
            });
            Ok(Arc::new(Array::new(rows, cols, values.collect())))
        })
    }

    /// What a function answers to each combination of the arrays at some of its arguments, row by row.
    fn one_by_one(
        &self,
        function: &'static Function,
        body: fn(&Args<'_>) -> Answer,
        places: &[usize],
        lifted: &[Operand],
        scalars: &mut [Operand],
    ) -> Result<(usize, usize, Vec<Operand>), Stop> {
        let mut arrays = Vec::with_capacity(lifted.len());
        for operand in lifted {
            arrays.push(match operand {
                Operand::References(references) => Lifted::References(references.clone()),
                other => Lifted::Values(self.array_of(other)?),
            });
        }
        let rows = arrays.iter().map(Lifted::rows).max().unwrap_or(1);
        let cols = arrays.iter().map(Lifted::cols).max().unwrap_or(1);
        check_size(rows, cols)?;
        self.charge(rows * cols)?;
        let mut found: Vec<Operand> = Vec::with_capacity(rows * cols);
        // Of whole rows most cells are empty, and what comes of one comes of all.
        let mut of_blanks = None;
        for row in 0..rows {
            for col in 0..cols {
                for (place, array) in places.iter().zip(&arrays) {
                    if let Some(slot) = scalars.get_mut(*place) {
                        *slot = array.broadcast(row, col);
                    }
                }
                let blank = |place: &usize| matches!(scalars.get(*place), Some(Operand::Value(Value::Blank)));
                let blank = !function.volatile && places.iter().all(blank);
                if blank && let Some(known) = of_blanks.and_then(|at: usize| found.get(at)).cloned() {
                    found.push(known);
                    continue;
                }
                if blank {
                    of_blanks = Some(found.len());
                }
                if let Some(kind) = self.wrong(function, scalars) {
                    found.push(Operand::Value(Value::Error(kind)));
                    continue;
                }
                found.push(match body(&Args { cx: self, ops: scalars }) {
                    Ok(operand) => operand,
                    Err(Stop::Error(kind)) => Operand::Value(Value::Error(kind)),
                    Err(stop) => return Err(stop),
                });
                // Loops inside the function cannot say themselves that it was too much.
                self.charge(0)?;
            }
        }
        Ok((rows, cols, found))
    }
}

/// What is taken apart element by element.
enum Lifted {
    Values(Arc<Array>),
    References(Arc<References>),
}

impl Lifted {
    fn rows(&self) -> usize {
        match self {
            Lifted::Values(array) => array.rows(),
            Lifted::References(references) => references.rows,
        }
    }

    fn cols(&self) -> usize {
        match self {
            Lifted::Values(array) => array.cols(),
            Lifted::References(references) => references.cols,
        }
    }

    fn broadcast(&self, row: usize, col: usize) -> Operand {
        match self {
            Lifted::Values(array) => Operand::Value(array.broadcast(row, col)),
            Lifted::References(references) => references.broadcast(row, col),
        }
    }
}

//! What a function sees of its arguments.

use std::sync::Arc;

use super::{Answer, Cx, Operand, Stop};
use crate::address::Area;
use crate::coerce;
use crate::value::{Array, ErrorKind, Value};

pub(crate) struct Args<'a> {
    pub(crate) cx: &'a Cx<'a>,
    pub(crate) ops: &'a [Operand],
}

/// Where a value came from decides how aggregates treat it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Written into the formula or computed: text that reads as a number counts.
    Direct,
    /// An element of a range or array: only numbers count.
    Element,
}

pub(crate) fn num(number: f64) -> Answer {
    // Excel has no negative zero.
    if number.is_finite() {
        Ok(Operand::Value(Value::Number(number + 0.0)))
    } else {
        Err(ErrorKind::Num.into())
    }
}

pub(crate) fn flag(flag: bool) -> Answer {
    Ok(Operand::Value(Value::Bool(flag)))
}

pub(crate) fn text(text: impl Into<String>) -> Answer {
    let text: String = text.into();
    if text.len() > 32_767 && text.chars().map(char::len_utf16).sum::<usize>() > 32_767 {
        return Err(ErrorKind::Value.into());
    }
    Ok(Operand::Value(Value::Text(Arc::from(text))))
}

pub(crate) fn value(value: Value) -> Answer {
    Ok(Operand::Value(value))
}

pub(crate) fn array(array: Array) -> Answer {
    Ok(Operand::Array(Arc::new(array)))
}

pub(crate) fn fail<T>(kind: ErrorKind) -> Result<T, Stop> {
    Err(Stop::Error(kind))
}

impl<'a> Args<'a> {
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    pub(crate) fn op(&self, index: usize) -> &'a Operand {
        const MISSING: &Operand = &Operand::Missing;
        self.ops.get(index).unwrap_or(MISSING)
    }

    /// Whether the argument was given at all, even empty.
    pub(crate) fn has(&self, index: usize) -> bool {
        index < self.ops.len()
    }

    /// Whether the argument was given and is not empty.
    pub(crate) fn given(&self, index: usize) -> bool {
        !matches!(self.op(index), Operand::Missing)
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        match self.op(index) {
            Operand::Value(value) => value.clone(),
            other => self.cx.scalar(other),
        }
    }

    /// The value, with an error as a stop.
    pub(crate) fn sound(&self, index: usize) -> Result<Value, Stop> {
        match self.value(index) {
            Value::Error(kind) => Err(kind.into()),
            value => Ok(value),
        }
    }

    pub(crate) fn number(&self, index: usize) -> Result<f64, Stop> {
        if let Operand::Value(Value::Number(number)) = self.op(index) {
            return Ok(*number);
        }
        Ok(coerce::number(&self.value(index), self.cx.region())?)
    }

    /// The number, or a default when left out altogether; empty is zero.
    pub(crate) fn number_or(&self, index: usize, default: f64) -> Result<f64, Stop> {
        if self.has(index) { self.number(index) } else { Ok(default) }
    }

    /// The number, or a default when left out or empty.
    pub(crate) fn number_default(&self, index: usize, default: f64) -> Result<f64, Stop> {
        if self.given(index) { self.number(index) } else { Ok(default) }
    }

    /// The number without its fraction.
    pub(crate) fn int(&self, index: usize) -> Result<f64, Stop> {
        Ok(self.number(index)?.trunc())
    }

    pub(crate) fn int_default(&self, index: usize, default: f64) -> Result<f64, Stop> {
        Ok(self.number_default(index, default)?.trunc())
    }

    pub(crate) fn text(&self, index: usize) -> Result<Arc<str>, Stop> {
        if let Operand::Value(Value::Text(text)) = self.op(index) {
            return Ok(text.clone());
        }
        Ok(coerce::text(&self.value(index), self.cx.region())?)
    }

    pub(crate) fn flag(&self, index: usize) -> Result<bool, Stop> {
        Ok(coerce::logical(&self.value(index))?)
    }

    pub(crate) fn flag_default(&self, index: usize, default: bool) -> Result<bool, Stop> {
        if self.given(index) { self.flag(index) } else { Ok(default) }
    }

    pub(crate) fn array(&self, index: usize) -> Result<Arc<Array>, Stop> {
        if let Operand::Value(Value::Error(kind)) = self.op(index) {
            return Err((*kind).into());
        }
        self.cx.array_of(self.op(index))
    }

    /// The argument as an array with all its rows, where those that are empty count as well.
    pub(crate) fn every_row(&self, index: usize) -> Result<Arc<Array>, Stop> {
        self.cx.array_of(&self.elements(index)?)
    }

    /// The same, without writing out the empty end of a whole column.
    pub(crate) fn elements(&self, index: usize) -> Answer {
        if let Operand::Value(Value::Error(kind)) = self.op(index) {
            return Err((*kind).into());
        }
        self.cx.elements(self.op(index))
    }

    /// The areas of a reference; anything else is no reference.
    pub(crate) fn areas(&self, index: usize) -> Result<&'a [Area], Stop> {
        match self.op(index) {
            Operand::Area(area) => Ok(std::slice::from_ref(area)),
            Operand::Areas(areas) => Ok(areas),
            Operand::Value(Value::Error(kind)) => Err((*kind).into()),
            _ => Err(ErrorKind::Value.into()),
        }
    }

    pub(crate) fn area(&self, index: usize) -> Result<Area, Stop> {
        match self.areas(index)? {
            [area] => Ok(*area),
            _ => Err(ErrorKind::Value.into()),
        }
    }

    /// Every value that is not blank, of the arguments from `from` on.
    pub(crate) fn each(&self, from: usize, each: &mut dyn FnMut(&Value, Origin)) {
        for operand in self.ops.iter().skip(from) {
            self.cx.each(operand, each);
        }
    }

    /// The numbers of the arguments from `from` on, as `SUM` sees them.
    pub(crate) fn each_number(&self, from: usize, each: &mut dyn FnMut(f64)) -> Result<(), Stop> {
        self.each_numbers(from, &mut |numbers| numbers.iter().for_each(|number| each(*number)))
    }

    /// The same, as many at a time as there are at hand.
    pub(crate) fn each_numbers(&self, from: usize, each: &mut dyn FnMut(&[f64])) -> Result<(), Stop> {
        let mut wrong = None;
        let region = self.cx.region();
        for operand in self.ops.iter().skip(from) {
            let areas = match operand {
                Operand::Area(area) => std::slice::from_ref(area),
                Operand::Areas(areas) => areas,
                _ => &[],
            };
            for area in areas {
                if let Err(kind) = self.cx.numbers(*area, each) {
                    wrong.get_or_insert(kind);
                }
            }
            if !areas.is_empty() {
                continue;
            }
            self.cx.each(operand, &mut |value, origin| match (value, origin) {
                (Value::Number(number), _) => each(&[*number]),
                (Value::Error(kind), _) => {
                    wrong.get_or_insert(*kind);
                }
                (_, Origin::Element) => {}
                (value, Origin::Direct) => match coerce::number(value, region) {
                    Ok(number) => each(&[number]),
                    Err(kind) => {
                        wrong.get_or_insert(kind);
                    }
                },
            });
        }
        match wrong {
            Some(kind) => Err(kind.into()),
            None => Ok(()),
        }
    }

    pub(crate) fn numbers(&self, from: usize) -> Result<Vec<f64>, Stop> {
        let mut numbers = Vec::new();
        self.each_number(from, &mut |number| numbers.push(number))?;
        Ok(numbers)
    }

    /// The numbers of one argument alone.
    pub(crate) fn numbers_of(&self, index: usize) -> Result<Vec<f64>, Stop> {
        let ops = self.ops.get(index).map_or(&[][..], std::slice::from_ref);
        Args { cx: self.cx, ops }.numbers(0)
    }
}

impl Cx<'_> {
    /// Every value of an operand that is not blank; an empty argument counts as a direct zero.
    pub(crate) fn each(&self, operand: &Operand, each: &mut dyn FnMut(&Value, Origin)) {
        match operand {
            Operand::Area(area) => self.visit(*area, &mut |_, _, value| each(value, Origin::Element)),
            Operand::Areas(areas) => {
                for area in areas.iter() {
                    self.visit(*area, &mut |_, _, value| each(value, Origin::Element));
                }
            }
            Operand::Array(array) => {
                for value in array.values().iter().filter(|value| !value.is_blank()) {
                    each(value, Origin::Element);
                }
            }
            Operand::Tall(tall) => tall.each(each),
            Operand::References(references) => {
                for value in self.values_of(references).values().iter().filter(|value| !value.is_blank()) {
                    each(value, Origin::Element);
                }
            }
            Operand::Value(value) => each(value, Origin::Direct),
            Operand::Missing => each(&Value::Blank, Origin::Direct),
            Operand::Lambda(_) => each(&Value::Error(ErrorKind::Calc), Origin::Direct),
        }
    }
}

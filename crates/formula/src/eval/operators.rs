//! Operators between two operands, value by value and over arrays.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Answer, Cx, Operand, Stop, check_size};
use crate::address::Area;
use crate::ast::Operator;
use crate::coerce;
use crate::value::{Array, ErrorKind, Value};

/// Excel's longest text.
pub(crate) const MAX_TEXT: usize = 32_767;

impl Cx<'_> {
    pub(super) fn binary(&self, operator: Operator, left: Operand, right: Operand, snap: bool) -> Answer {
        match operator {
            Operator::Range => return self.range(&left, &right),
            Operator::Union => return self.union(&left, &right),
            Operator::Intersect => return self.intersection(&left, &right),
            _ => {}
        }
        let left = self.plain(left)?;
        let right = self.plain(right)?;
        match (&left, &right) {
            (Operand::Value(a), Operand::Value(b)) => Ok(Operand::Value(self.apply(operator, a, b, snap))),
            _ => {
                let monotone = !matches!(operator, Operator::Equal | Operator::NotEqual);
                self.by_parts(&[left, right], monotone, &mut |ops| match ops {
                    [left, right] => self.paired(operator, left, right, snap),
                    _ => Err(ErrorKind::Value.into()),
                })
            }
        }
    }

    /// Element by element.
    fn paired(
        &self,
        operator: Operator,
        left: &Operand,
        right: &Operand,
        snap: bool,
    ) -> Result<Arc<Array>, Stop> {
        let (a, b) = (self.array_of(left)?, self.array_of(right)?);
        let (rows, cols) = (a.rows().max(b.rows()), a.cols().max(b.cols()));
        check_size(rows, cols)?;
        self.charge(rows * cols)?;
        Ok(Arc::new(Array::from_fn(rows, cols, |row, col| {
            self.apply(operator, &a.broadcast(row, col), &b.broadcast(row, col), snap)
        })))
    }

    /// An operand as a value or an array, by the cell's mode.
    fn plain(&self, operand: Operand) -> Answer {
        Ok(match operand {
            Operand::Value(_) | Operand::Array(_) | Operand::Tall(_) => operand,
            Operand::References(references) => Operand::Array(Arc::new(self.values_of(&references))),
            Operand::Area(area) if area.is_cell() => Operand::Value(self.cell(area.top_left())),
            Operand::Area(_) if self.in_array() => self.elements(&operand)?,
            other => Operand::Value(self.scalar(&other)),
        })
    }

    pub(crate) fn apply(&self, operator: Operator, a: &Value, b: &Value, snap: bool) -> Value {
        let compared = |keep: fn(Ordering) -> bool| match coerce::compare(a, b) {
            Ok(order) => Value::Bool(keep(order)),
            Err(kind) => Value::Error(kind),
        };
        match operator {
            Operator::Equal => compared(Ordering::is_eq),
            Operator::NotEqual => compared(Ordering::is_ne),
            Operator::Less => compared(Ordering::is_lt),
            Operator::LessEqual => compared(Ordering::is_le),
            Operator::Greater => compared(Ordering::is_gt),
            Operator::GreaterEqual => compared(Ordering::is_ge),
            Operator::Concat => {
                let (a, b) = match (coerce::text(a, self.region()), coerce::text(b, self.region())) {
                    (Ok(a), Ok(b)) => (a, b),
                    (Err(kind), _) | (_, Err(kind)) => return Value::Error(kind),
                };
                let text = [&*a, &*b].concat();
                if text.len() > MAX_TEXT && text.chars().count() > MAX_TEXT {
                    return Value::Error(ErrorKind::Value);
                }
                Value::Text(Arc::from(text))
            }
            _ => {
                let (x, y) = match (coerce::number(a, self.region()), coerce::number(b, self.region())) {
                    (Ok(x), Ok(y)) => (x, y),
                    (Err(kind), _) | (_, Err(kind)) => return Value::Error(kind),
                };
                arithmetic(operator, x, y, snap)
            }
        }
    }

    fn areas<'o>(&self, operand: &'o Operand) -> Result<&'o [Area], ErrorKind> {
        match operand {
            Operand::Area(area) => Ok(std::slice::from_ref(area)),
            Operand::Areas(areas) => Ok(areas),
            Operand::Value(Value::Error(kind)) => Err(*kind),
            _ => Err(ErrorKind::Value),
        }
    }

    fn range(&self, left: &Operand, right: &Operand) -> Answer {
        let mut all = self.areas(left)?.iter().chain(self.areas(right)?);
        let Some(first) = all.next() else { return Err(ErrorKind::Value.into()) };
        let mut hull = *first;
        for area in all {
            if area.sheet != hull.sheet {
                return Err(ErrorKind::Value.into());
            }
            hull = hull.hull(area);
        }
        Ok(Operand::Area(hull))
    }

    fn union(&self, left: &Operand, right: &Operand) -> Answer {
        let areas: Vec<Area> = self.areas(left)?.iter().chain(self.areas(right)?).copied().collect();
        Ok(Operand::Areas(areas.into()))
    }

    fn intersection(&self, left: &Operand, right: &Operand) -> Answer {
        let mut found = Vec::new();
        for a in self.areas(left)? {
            for b in self.areas(right)? {
                found.extend(a.intersect(b));
            }
        }
        match found.as_slice() {
            [] => Err(ErrorKind::Null.into()),
            [only] => Ok(Operand::Area(*only)),
            _ => Ok(Operand::Areas(found.into())),
        }
    }
}

pub(super) fn arithmetic(operator: Operator, x: f64, y: f64, snap: bool) -> Value {
    let result = match operator {
        Operator::Add => settled(x + y, x, snap),
        Operator::Subtract => settled(x - y, x, snap),
        Operator::Multiply => x * y,
        Operator::Divide if y == 0.0 => return Value::Error(ErrorKind::Div0),
        Operator::Divide => x / y,
        _ => return power(x, y),
    };
    finite(result)
}

/// When nearly all digits cancel, Excel takes what is left for noise.
fn settled(result: f64, x: f64, snap: bool) -> f64 {
    if snap && result != 0.0 && result.abs() < x.abs() * NOISE { 0.0 } else { result }
}

const NOISE: f64 = 8.881_784_197_001_252e-16;

pub(crate) fn power(x: f64, y: f64) -> Value {
    if x == 0.0 && y == 0.0 {
        return Value::Error(ErrorKind::Num);
    }
    if x == 0.0 && y < 0.0 {
        return Value::Error(ErrorKind::Div0);
    }
    finite(if y == 2.0 { x * x } else { x.powf(y) })
}

pub(crate) fn finite(number: f64) -> Value {
    if number.is_finite() { Value::Number(number) } else { Value::Error(ErrorKind::Num) }
}

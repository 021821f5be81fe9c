//! Conditions, and the functions that take functions.

use std::sync::Arc;

use super::{Function, MANY, def, lazy};
use crate::bind::Node;
use crate::coerce;
use crate::eval::args::{Args, Origin, array, fail, flag};
use crate::eval::{Answer, Cx, Operand, Stop, Tail, check_size};
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    lazy("IF", 1, 3, |cx, nodes| cx.as_entered(|| if_(cx, nodes))),
    lazy("IFS", 2, 254, ifs),
    lazy("SWITCH", 3, 254, switch),
    lazy("IFERROR", 2, 2, |cx, nodes| cx.as_entered(|| if_error(cx, nodes, |_| true))),
    lazy("IFNA", 2, 2, |cx, nodes| {
        cx.as_entered(|| if_error(cx, nodes, |kind| kind == ErrorKind::NotAvailable))
    }),
    lazy("CHOOSE", 2, 255, choose).category(super::Category::Lookup),
    def("AND", "R", 1, MANY, |a| fold_flags(a, |flags| flags.iter().all(|flag| *flag))),
    def("OR", "R", 1, MANY, |a| fold_flags(a, |flags| flags.iter().any(|flag| *flag))),
    def("XOR", "R", 1, MANY, |a| fold_flags(a, |flags| flags.iter().filter(|flag| **flag).count() % 2 == 1)),
    def("NOT", "V", 1, 1, |a| flag(!a.flag(0)?)),
    def("TRUE", "V", 0, 0, |_| flag(true)),
    def("FALSE", "V", 0, 0, |_| flag(false)),
    def("ISOMITTED", "R", 1, 1, |a| flag(matches!(a.op(0), Operand::Missing)))
        .category(super::Category::Information),
];

/// A condition: one flag, or an array of them.
fn condition(cx: &Cx<'_>, node: &Node) -> Result<Operand, Stop> {
    Ok(match cx.argument(node)? {
        Operand::Area(area) if area.is_cell() => Operand::Value(cx.cell(area.top_left())),
        Operand::Array(array) if array.len() == 1 => Operand::Value(array.corner()),
        operand @ (Operand::Array(_) | Operand::Tall(_)) => operand,
        operand @ Operand::References(_) => Operand::Array(cx.array_of(&operand)?),
        operand @ Operand::Area(_) if cx.in_array() => cx.elements(&operand)?,
        operand => Operand::Value(cx.scalar(&operand)),
    })
}

/// The same with all rows written out, for those that take their branches one by one.
fn conditions(cx: &Cx<'_>, node: &Node) -> Result<Operand, Stop> {
    match condition(cx, node)? {
        tall @ Operand::Tall(_) => Ok(Operand::Array(cx.array_of(&tall)?)),
        other => Ok(other),
    }
}

fn branch(cx: &Cx<'_>, node: Option<&Node>, otherwise: Value) -> Answer {
    match node {
        Some(node) => match cx.argument(node)? {
            Operand::Missing => Ok(Operand::Value(Value::Number(0.0))),
            operand => Ok(operand),
        },
        None => Ok(Operand::Value(otherwise)),
    }
}

fn if_(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    let Some(test) = nodes.first() else { return fail(ErrorKind::Value) };
    match condition(cx, test)? {
        tests @ (Operand::Array(_) | Operand::Tall(_)) => {
            let some = any(&tests, |test| coerce::logical(test) == Ok(true));
            let others = any(&tests, |test| coerce::logical(test) == Ok(false));
            let missing = Operand::Value(Value::Error(ErrorKind::NotAvailable));
            let (mut yes, mut no) = (missing.clone(), missing);
            if some {
                let operand = branch(cx, nodes.get(1), Value::Bool(true))?;
                yes = elements(cx, operand)?;
            }
            if others {
                let operand = branch(cx, nodes.get(2), Value::Bool(false))?;
                no = elements(cx, operand)?;
            }
            cx.by_parts(&[tests, yes, no], true, &mut |ops| match ops {
                [tests, yes, no] => chosen(cx, tests, yes, no),
                _ => fail(ErrorKind::Value),
            })
        }
        operand => {
            if coerce::logical(&cx.scalar(&operand))? {
                branch(cx, nodes.get(1), Value::Bool(true))
            } else {
                branch(cx, nodes.get(2), Value::Bool(false))
            }
        }
    }
}

/// Whether a value of an array is so.
fn any(tests: &Operand, so: impl Fn(&Value) -> bool) -> bool {
    match tests {
        Operand::Array(array) => array.values().iter().any(so),
        Operand::Tall(tall) => {
            let below = match &tall.tail {
                Tail::Alike(tail) => tail.values().iter().any(&so),
                Tail::Counting(first) => so(&Value::Number(*first)),
            };
            below || tall.head.values().iter().any(so)
        }
        _ => false,
    }
}

/// Each element of one array or the other.
fn chosen(cx: &Cx<'_>, tests: &Operand, yes: &Operand, no: &Operand) -> Result<Arc<Array>, Stop> {
    let (tests, yes, no) = (cx.array_of(tests)?, cx.array_of(yes)?, cx.array_of(no)?);
    let rows = tests.rows().max(yes.rows()).max(no.rows());
    let cols = tests.cols().max(yes.cols()).max(no.cols());
    check_size(rows, cols)?;
    cx.charge(rows * cols)?;
    Ok(Arc::new(Array::from_fn(rows, cols, |row, col| match coerce::logical(&tests.broadcast(row, col)) {
        Ok(true) => yes.broadcast(row, col),
        Ok(false) => no.broadcast(row, col),
        Err(kind) => Value::Error(kind),
    })))
}

/// An operand as the elements an array formula pairs up; outside array formulas a range is one value.
fn elements(cx: &Cx<'_>, operand: Operand) -> Answer {
    match operand {
        Operand::Area(area) if !area.is_cell() && !cx.in_array() => {
            cx.elements(&Operand::Value(cx.scalar(&operand)))
        }
        operand => cx.elements(&operand),
    }
}

fn ifs(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    if !nodes.len().is_multiple_of(2) {
        return fail(ErrorKind::NotAvailable);
    }
    let mut tests = Vec::new();
    for pair in nodes.chunks(2) {
        let [test, result] = pair else { break };
        match conditions(cx, test)? {
            Operand::Array(array) => tests.push((array, result)),
            operand if tests.is_empty() => {
                if coerce::logical(&cx.scalar(&operand))? {
                    return branch(cx, Some(result), Value::Blank);
                }
            }
            operand => tests.push((cx.array_of(&operand)?, result)),
        }
    }
    if tests.is_empty() {
        return fail(ErrorKind::NotAvailable);
    }
    let mut arrays = Vec::new();
    for (test, result) in tests {
        let operand = branch(cx, Some(result), Value::Blank)?;
        let results = elements(cx, operand)?;
        arrays.push((test, cx.array_of(&results)?));
    }
    let rows = arrays.iter().map(|(test, result)| test.rows().max(result.rows())).max().unwrap_or(1);
    let cols = arrays.iter().map(|(test, result)| test.cols().max(result.cols())).max().unwrap_or(1);
    check_size(rows, cols)?;
    array(Array::from_fn(rows, cols, |row, col| {
        for (test, result) in &arrays {
            match coerce::logical(&test.broadcast(row, col)) {
                Ok(true) => return result.broadcast(row, col),
                Ok(false) => {}
                Err(kind) => return Value::Error(kind),
            }
        }
        Value::Error(ErrorKind::NotAvailable)
    }))
}

fn switch(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    let Some((subject, cases)) = nodes.split_first() else { return fail(ErrorKind::Value) };
    let subject = conditions(cx, subject)?;
    if let Operand::Array(subjects) = &subject {
        let mut results = Vec::new();
        for subject in subjects.values() {
            let operand = switch_on(cx, subject, cases);
            results.push(match operand {
                Ok(operand) => cx.scalar(&operand),
                Err(Stop::Error(kind)) => Value::Error(kind),
                Err(stop) => return Err(stop),
            });
        }
        return array(Array::new(subjects.rows(), subjects.cols(), results));
    }
    switch_on(cx, &cx.scalar(&subject), cases)
}

fn switch_on(cx: &Cx<'_>, subject: &Value, cases: &[Node]) -> Answer {
    if let Value::Error(kind) = subject {
        return fail(*kind);
    }
    // An empty cell is zero here, and no empty text.
    let zero = Value::Number(0.0);
    let filled = |value: &Value| if value.is_blank() { zero.clone() } else { value.clone() };
    let subject = filled(subject);
    let mut pairs = cases.chunks_exact(2);
    for pair in pairs.by_ref() {
        let [wanted, result] = pair else { break };
        let wanted = cx.argument(wanted)?;
        if coerce::compare(&filled(&cx.scalar(&wanted)), &subject)?.is_eq() {
            return branch(cx, Some(result), Value::Blank);
        }
    }
    match pairs.remainder() {
        [otherwise] => branch(cx, Some(otherwise), Value::Blank),
        _ => fail(ErrorKind::NotAvailable),
    }
}

fn if_error(cx: &Cx<'_>, nodes: &[Node], caught: fn(ErrorKind) -> bool) -> Answer {
    let [first, second] = nodes else { return fail(ErrorKind::Value) };
    let operand = match cx.argument(first)? {
        Operand::Area(area) if area.is_cell() => Operand::Value(cx.cell(area.top_left())),
        operand @ Operand::Area(_) if cx.in_array() => cx.elements(&operand)?,
        operand @ Operand::References(_) => Operand::Array(cx.array_of(&operand)?),
        operand @ (Operand::Area(_) | Operand::Areas(_)) => Operand::Value(cx.scalar(&operand)),
        Operand::Missing => Operand::Value(Value::Blank),
        other => other,
    };
    match operand {
        Operand::Value(Value::Error(kind)) if caught(kind) => branch(cx, Some(second), Value::Blank),
        // Whatever passes through is a value: an empty cell comes out as zero.
        Operand::Value(Value::Blank) => Ok(Operand::Value(Value::Number(0.0))),
        values @ (Operand::Array(_) | Operand::Tall(_)) => {
            if !any(&values, |value| matches!(value, Value::Error(kind) if caught(*kind))) {
                return Ok(values);
            }
            let operand = branch(cx, Some(second), Value::Blank)?;
            let other = elements(cx, operand)?;
            cx.by_parts(&[values, other], true, &mut |ops| {
                let [values, other] = ops else { return fail(ErrorKind::Value) };
                let (values, other) = (cx.array_of(values)?, cx.array_of(other)?);
                let (rows, cols) = (values.rows().max(other.rows()), values.cols().max(other.cols()));
                check_size(rows, cols)?;
                Ok(Arc::new(Array::from_fn(rows, cols, |row, col| match values.broadcast(row, col) {
                    Value::Error(kind) if caught(kind) => other.broadcast(row, col),
                    value => value,
                })))
            })
        }
        other => Ok(other),
    }
}

fn choose(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    let Some((index, choices)) = nodes.split_first() else { return fail(ErrorKind::Value) };
    let pick = |value: &Value| -> Answer {
        let at = coerce::number(value, cx.region())?.trunc();
        if at < 1.0 || at > choices.len() as f64 {
            return fail(ErrorKind::Value);
        }
        branch(cx, choices.get(at as usize - 1), Value::Blank)
    };
    match conditions(cx, index)? {
        Operand::Array(indexes) => {
            let mut picked = Vec::new();
            for index in indexes.values() {
                let array = match pick(index) {
                    Ok(operand) => cx.array_of(&operand)?,
                    Err(Stop::Error(kind)) => Arc::new(Array::filled(1, 1, Value::Error(kind))),
                    Err(stop) => return Err(stop),
                };
                picked.push(array);
            }
            // CHOOSE({1,2}, a, b) sets ranges side by side.
            let rows = picked.iter().map(|array| array.rows()).max().unwrap_or(1).max(indexes.rows());
            let cols = picked.iter().map(|array| array.cols()).max().unwrap_or(1).max(indexes.cols());
            check_size(rows, cols)?;
            array(Array::from_fn(rows, cols, |row, col| {
                let at_row = if indexes.rows() == 1 { 0 } else { row };
                let at_col = if indexes.cols() == 1 { 0 } else { col };
                if at_row >= indexes.rows() || at_col >= indexes.cols() {
                    return Value::Error(ErrorKind::NotAvailable);
                }
                picked
                    .get(at_row * indexes.cols() + at_col)
                    .map_or(Value::Blank, |array| array.broadcast(row, col))
            }))
        }
        operand => pick(&cx.scalar(&operand)),
    }
}

/// `AND` and its kin: text in ranges is passed over, text given directly must be a condition.
fn fold_flags(a: &Args<'_>, fold: fn(&[bool]) -> bool) -> Answer {
    let mut flags = Vec::new();
    let mut wrong = None;
    a.each(0, &mut |value, origin| match (value, origin) {
        (Value::Bool(flag), _) => flags.push(*flag),
        (Value::Number(number), _) => flags.push(*number != 0.0),
        (Value::Error(kind), _) => {
            wrong.get_or_insert(*kind);
        }
        (Value::Blank, Origin::Direct) => flags.push(false),
        (value, Origin::Direct) => match direct_flag(value, a) {
            Ok(flag) => flags.push(flag),
            Err(kind) => {
                wrong.get_or_insert(kind);
            }
        },
        (_, Origin::Element) => {}
    });
    match wrong {
        Some(kind) => fail(kind),
        None if flags.is_empty() => fail(ErrorKind::Value),
        None => flag(fold(&flags)),
    }
}

/// Text that is written into the formula counts where it reads as a truth or as a number.
fn direct_flag(value: &Value, a: &Args<'_>) -> Result<bool, ErrorKind> {
    coerce::logical(value).or_else(|_| coerce::number(value, a.cx.region()).map(|number| number != 0.0))
}

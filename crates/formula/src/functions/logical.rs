//! Conditions, and the functions that take functions.

use std::sync::Arc;

use super::{Function, MANY, def, lazy};
use crate::bind::Node;
use crate::coerce;
use crate::eval::args::{Args, Origin, array, fail, flag, value};
use crate::eval::{Answer, Cx, Lambda, Operand, Stop, check_size};
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
    def("MAP", "A", 2, MANY, map),
    def("REDUCE", "A", 3, 3, reduce),
    def("SCAN", "A", 3, 3, scan),
    def("BYROW", "A", 2, 2, |a| by_line(a, Line::Row)),
    def("BYCOL", "A", 2, 2, |a| by_line(a, Line::Column)),
    def("MAKEARRAY", "VVA", 3, 3, make_array),
    def("ISOMITTED", "R", 1, 1, |a| flag(matches!(a.op(0), Operand::Missing)))
        .category(super::Category::Information),
];

/// A condition: one flag, or an array of them.
fn condition(cx: &Cx<'_>, node: &Node) -> Result<Operand, Stop> {
    Ok(match cx.argument(node)? {
        Operand::Area(area) if area.is_cell() => Operand::Value(cx.cell(area.top_left())),
        Operand::Array(array) if array.len() == 1 => Operand::Value(array.corner()),
        operand @ Operand::Array(_) => operand,
        operand @ Operand::Area(_) if cx.in_array() => Operand::Array(cx.array_of(&operand)?),
        operand => Operand::Value(cx.scalar(&operand)),
    })
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
        Operand::Array(tests) => {
            let (mut yes, mut no) = (None, None);
            let flags: Vec<Result<bool, ErrorKind>> = tests.values().iter().map(coerce::logical).collect();
            if flags.contains(&Ok(true)) {
                let operand = branch(cx, nodes.get(1), Value::Bool(true))?;
                yes = Some(elements(cx, operand)?);
            }
            if flags.contains(&Ok(false)) {
                let operand = branch(cx, nodes.get(2), Value::Bool(false))?;
                no = Some(elements(cx, operand)?);
            }
            let shape = |pick: fn(&Array) -> usize| {
                [Some(&tests), yes.as_ref(), no.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|array| pick(array))
                    .max()
                    .unwrap_or(1)
            };
            let (rows, cols) = (shape(Array::rows), shape(Array::cols));
            check_size(rows, cols)?;
            array(Array::from_fn(rows, cols, |row, col| {
                let side = match coerce::logical(&tests.broadcast(row, col)) {
                    Ok(true) => &yes,
                    Ok(false) => &no,
                    Err(kind) => return Value::Error(kind),
                };
                side.as_ref().map_or(Value::Error(ErrorKind::NotAvailable), |array| array.broadcast(row, col))
            }))
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

/// An operand as the elements an array formula pairs up; outside array formulas a range is one value.
fn elements(cx: &Cx<'_>, operand: Operand) -> Result<Arc<Array>, Stop> {
    match operand {
        Operand::Area(area) if !area.is_cell() && !cx.in_array() => {
            cx.array_of(&Operand::Value(cx.scalar(&operand)))
        }
        operand => cx.array_of(&operand),
    }
}

fn ifs(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    if !nodes.len().is_multiple_of(2) {
        return fail(ErrorKind::NotAvailable);
    }
    let mut tests = Vec::new();
    for pair in nodes.chunks(2) {
        let [test, result] = pair else { break };
        match condition(cx, test)? {
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
        arrays.push((test, elements(cx, operand)?));
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
    let subject = condition(cx, subject)?;
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
        operand @ Operand::Area(_) if cx.in_array() => Operand::Array(cx.array_of(&operand)?),
        operand @ (Operand::Area(_) | Operand::Areas(_)) => Operand::Value(cx.scalar(&operand)),
        Operand::Missing => Operand::Value(Value::Blank),
        other => other,
    };
    match operand {
        Operand::Value(Value::Error(kind)) if caught(kind) => branch(cx, Some(second), Value::Blank),
        // Whatever passes through is a value: an empty cell comes out as zero.
        Operand::Value(Value::Blank) => Ok(Operand::Value(Value::Number(0.0))),
        Operand::Array(values)
            if values.values().iter().any(|value| matches!(value, Value::Error(kind) if caught(*kind))) =>
        {
            let operand = branch(cx, Some(second), Value::Blank)?;
            let other = elements(cx, operand)?;
            let (rows, cols) = (values.rows().max(other.rows()), values.cols().max(other.cols()));
            array(Array::from_fn(rows, cols, |row, col| match values.broadcast(row, col) {
                Value::Error(kind) if caught(kind) => other.broadcast(row, col),
                value => value,
            }))
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
    match condition(cx, index)? {
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

fn lambda_at<'a>(a: &Args<'a>, index: usize) -> Result<&'a Arc<Lambda>, Stop> {
    match a.op(index) {
        Operand::Lambda(lambda) => Ok(lambda),
        Operand::Value(Value::Error(kind)) => fail(*kind),
        _ => fail(ErrorKind::Value),
    }
}

/// What a helper's lambda answers must be one value.
fn single(a: &Args<'_>, answer: Answer) -> Result<Value, Stop> {
    match answer {
        Ok(Operand::Value(value)) => Ok(value),
        Ok(Operand::Missing) => Ok(Value::Blank),
        Ok(Operand::Area(area)) if area.is_cell() => Ok(a.cx.cell(area.top_left())),
        Ok(Operand::Array(array)) if array.len() == 1 => Ok(array.corner()),
        Ok(_) => Ok(Value::Error(ErrorKind::Calc)),
        Err(Stop::Error(kind)) => Ok(Value::Error(kind)),
        Err(stop) => Err(stop),
    }
}

fn map(a: &Args<'_>) -> Answer {
    let last = a.len() - 1;
    let lambda = lambda_at(a, last)?;
    let arrays = (0..last).map(|index| a.array(index)).collect::<Result<Vec<_>, _>>()?;
    let rows = arrays.iter().map(|array| array.rows()).max().unwrap_or(1);
    let cols = arrays.iter().map(|array| array.cols()).max().unwrap_or(1);
    let mut values = Vec::with_capacity(rows * cols);
    for row in 0..rows {
        for col in 0..cols {
            let args = arrays.iter().map(|array| Operand::Value(array.broadcast(row, col))).collect();
            values.push(single(a, a.cx.invoke(lambda, args))?);
        }
    }
    array(Array::new(rows, cols, values))
}

fn reduce(a: &Args<'_>) -> Answer {
    let lambda = lambda_at(a, 2)?;
    // Stacks that grow by a piece at each step are piled up at the end, not copied each time.
    if let Some((down, pieces)) = lambda.stacks() {
        let mut parts = Vec::new();
        super::dynamic::stacked(a, a.op(0), &mut parts)?;
        for element in a.array(1)?.values() {
            for piece in a.cx.invoke_parts(lambda, pieces, element)? {
                super::dynamic::stacked(a, &piece, &mut parts)?;
            }
        }
        return array(super::dynamic::piled(&parts, down)?);
    }
    let mut total = a.op(0).clone();
    for element in a.array(1)?.values() {
        total = match a.cx.invoke(lambda, vec![total, Operand::Value(element.clone())]) {
            Err(Stop::Error(kind)) => Operand::Value(Value::Error(kind)),
            other => other?,
        };
    }
    Ok(total)
}

fn scan(a: &Args<'_>) -> Answer {
    let lambda = lambda_at(a, 2)?;
    let elements = a.array(1)?;
    let mut total = if a.given(0) { a.value(0) } else { Value::Blank };
    let mut values = Vec::with_capacity(elements.len());
    for (index, element) in elements.values().iter().enumerate() {
        if index == 0 && !a.given(0) {
            total = element.clone();
        } else {
            let answer = a.cx.invoke(lambda, vec![Operand::Value(total), Operand::Value(element.clone())]);
            total = single(a, answer)?;
        }
        values.push(total.clone());
    }
    array(Array::new(elements.rows(), elements.cols(), values))
}

enum Line {
    Row,
    Column,
}

fn by_line(a: &Args<'_>, line: Line) -> Answer {
    let lambda = lambda_at(a, 1)?;
    let elements = a.array(0)?;
    let count = match line {
        Line::Row => elements.rows(),
        Line::Column => elements.cols(),
    };
    let mut values = Vec::with_capacity(count);
    for at in 0..count {
        let slice = match line {
            Line::Row => Array::row(elements.row_values(at).to_vec()),
            Line::Column => Array::from_fn(elements.rows(), 1, |row, _| elements.value_at(row, at)),
        };
        let answer = a.cx.invoke(lambda, vec![Operand::Array(Arc::new(slice))]);
        values.push(single(a, answer)?);
    }
    match line {
        Line::Row => array(Array::column(values)),
        Line::Column => array(Array::row(values)),
    }
}

fn make_array(a: &Args<'_>) -> Answer {
    let (rows, cols) = (a.int(0)?, a.int(1)?);
    let lambda = lambda_at(a, 2)?;
    if rows < 1.0 || cols < 1.0 {
        return fail(ErrorKind::Value);
    }
    let (rows, cols) = (rows as usize, cols as usize);
    check_size(rows, cols)?;
    let mut values = Vec::with_capacity(rows * cols);
    for row in 1..=rows {
        for col in 1..=cols {
            let args =
                vec![Operand::Value(Value::Number(row as f64)), Operand::Value(Value::Number(col as f64))];
            values.push(single(a, a.cx.invoke(lambda, args))?);
        }
    }
    if let [only] = values.as_slice() {
        return value(only.clone());
    }
    array(Array::new(rows, cols, values))
}

//! Arithmetic, rounding, trigonometry and counting.

pub(super) mod criteria;
pub(super) mod subtotal;

use std::sync::Arc;

use super::{Function, MANY, def};
use crate::eval::args::{Args, fail, num, text, value};
use crate::eval::index::Fold;
use crate::eval::{Answer, Operand, Stop, Tail, Tall, operators};
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("ABS", "V", 1, 1, |a| num(a.number(0)?.abs())),
    def("ACOS", "V", 1, 1, |a| num(a.number(0)?.acos())),
    def("ACOSH", "V", 1, 1, |a| num(a.number(0)?.acosh())),
    def("ACOT", "V", 1, 1, |a| num(std::f64::consts::FRAC_PI_2 - a.number(0)?.atan())),
    def("ACOTH", "V", 1, 1, |a| num((1.0 / a.number(0)?).atanh())),
    def("ASIN", "V", 1, 1, |a| num(a.number(0)?.asin())),
    def("ASINH", "V", 1, 1, |a| num(asinh(a.number(0)?))),
    def("ATAN", "V", 1, 1, |a| num(a.number(0)?.atan())),
    def("ATAN2", "V", 2, 2, |a| match (a.number(0)?, a.number(1)?) {
        (0.0, 0.0) => fail(ErrorKind::Div0),
        (x, y) => num(y.atan2(x)),
    }),
    def("ATANH", "V", 1, 1, |a| num(a.number(0)?.atanh())),
    def("COS", "V", 1, 1, |a| num(angle(a)?.cos())),
    def("COSH", "V", 1, 1, |a| num(a.number(0)?.cosh())),
    def("COT", "V", 1, 1, |a| inverse(angle(a)?.tan())),
    def("COTH", "V", 1, 1, |a| inverse(a.number(0)?.tanh())),
    def("CSC", "V", 1, 1, |a| inverse(angle(a)?.sin())),
    def("CSCH", "V", 1, 1, |a| inverse(a.number(0)?.sinh())),
    def("SEC", "V", 1, 1, |a| num(1.0 / angle(a)?.cos())),
    def("SECH", "V", 1, 1, |a| num(1.0 / a.number(0)?.cosh())),
    def("SIN", "V", 1, 1, |a| num(angle(a)?.sin())),
    def("SINH", "V", 1, 1, |a| num(a.number(0)?.sinh())),
    def("TAN", "V", 1, 1, |a| num(angle(a)?.tan())),
    def("TANH", "V", 1, 1, |a| num(a.number(0)?.tanh())),
    def("DEGREES", "V", 1, 1, |a| num(a.number(0)? * 180.0 / std::f64::consts::PI)),
    def("RADIANS", "V", 1, 1, |a| num(a.number(0)? * std::f64::consts::PI / 180.0)),
    def("PI", "V", 0, 0, |_| num(std::f64::consts::PI)),
    def("EXP", "V", 1, 1, |a| num(a.number(0)?.exp())),
    def("LN", "V", 1, 1, |a| num(positive(a.number(0)?)?.ln())),
    def("LOG10", "V", 1, 1, |a| num(positive(a.number(0)?)?.log10())),
    def("LOG", "V", 1, 2, log),
    def("POWER", "V", 2, 2, |a| value(operators::power(a.number(0)?, a.number(1)?))),
    def("SQRT", "V", 1, 1, |a| num(a.number(0)?.sqrt())),
    def("SQRTPI", "V", 1, 1, |a| num((a.number(0)? * std::f64::consts::PI).sqrt())),
    def("SIGN", "V", 1, 1, |a| num(sign(a.number(0)?))),
    def("INT", "V", 1, 1, |a| num(a.number(0)?.floor())),
    def("TRUNC", "V", 1, 2, |a| match (a.number(0)?, a.int_default(1, 0.0)?) {
        // Without digits the noise of the last bit counts, as it does for INT.
        (x, 0.0) => num(x.trunc()),
        (x, digits) => num(round_toward(x, digits, Toward::Zero)),
    }),
    def("ROUND", "V", 2, 2, |a| num(round(a.number(0)?, a.int(1)?))),
    def("ROUNDDOWN", "V", 2, 2, |a| num(round_toward(a.number(0)?, a.int(1)?, Toward::Zero))),
    def("ROUNDUP", "V", 2, 2, |a| num(round_toward(a.number(0)?, a.int(1)?, Toward::Away))),
    def("MROUND", "V", 2, 2, mround),
    def("CEILING", "V", 2, 2, ceiling),
    def("FLOOR", "V", 2, 2, floor),
    def("CEILING.MATH", "V", 1, 3, |a| step_math(a, true)),
    def("FLOOR.MATH", "V", 1, 3, |a| step_math(a, false)),
    def("CEILING.PRECISE", "V", 1, 2, |a| step_precise(a, true)),
    def("ISO.CEILING", "V", 1, 2, |a| step_precise(a, true)),
    def("FLOOR.PRECISE", "V", 1, 2, |a| step_precise(a, false)),
    def("EVEN", "V", 1, 1, |a| num(even(a.number(0)?))),
    def("ODD", "V", 1, 1, |a| num(odd(a.number(0)?))),
    def("MOD", "V", 2, 2, modulo),
    def("QUOTIENT", "V", 2, 2, |a| {
        let (n, d) = (a.number(0)?, a.number(1)?);
        if d == 0.0 { fail(ErrorKind::Div0) } else { num((n / d).trunc()) }
    }),
    def("GCD", "R", 1, MANY, |a| num(whole_numbers(a)?.into_iter().fold(0.0, gcd))),
    def("LCM", "R", 1, MANY, |a| {
        let numbers = whole_numbers(a)?;
        if numbers.contains(&0.0) {
            return num(0.0);
        }
        let mut multiple = 1.0;
        for number in numbers {
            multiple = multiple / gcd(multiple, number) * number;
            if multiple >= 9_007_199_254_740_992.0 {
                return fail(ErrorKind::Num);
            }
        }
        num(multiple)
    }),
    def("FACT", "V", 1, 1, |a| match a.int(0)? {
        n if !(0.0..171.0).contains(&n) => fail(ErrorKind::Num),
        n => num(factorial(n)),
    }),
    def("FACTDOUBLE", "V", 1, 1, |a| match a.int(0)? {
        n if !(-1.0..301.0).contains(&n) => fail(ErrorKind::Num),
        n => num(std::iter::successors(Some(n), |n| Some(n - 2.0)).take_while(|n| *n > 1.0).product()),
    }),
    def("COMBIN", "V", 2, 2, |a| {
        let (n, k) = (a.int(0)?, a.int(1)?);
        if n < 0.0 || k < 0.0 || k > n { fail(ErrorKind::Num) } else { num(combinations(n, k)) }
    }),
    def("COMBINA", "V", 2, 2, |a| {
        let (n, k) = (a.int(0)?, a.int(1)?);
        if n < 0.0 || k < 0.0 || (n == 0.0 && k > 0.0) {
            return fail(ErrorKind::Num);
        }
        num(if k == 0.0 { 1.0 } else { combinations(n + k - 1.0, k) })
    }),
    def("PERMUT", "V", 2, 2, |a| {
        let (n, k) = (a.int(0)?, a.int(1)?);
        if n <= 0.0 || k < 0.0 || k > n {
            fail(ErrorKind::Num)
        } else {
            // Beyond 200 factors of two or more there is no number for it; factors of one change nothing.
            let factors = (0..k.min(200.0) as u64).map(|i| n - i as f64);
            num(if k > 200.0 { f64::INFINITY } else { factors.product() })
        }
    })
    .category(super::Category::Statistical),
    def("PERMUTATIONA", "V", 2, 2, |a| {
        let (n, k) = (a.int(0)?, a.int(1)?);
        if n < 0.0 || k < 0.0 { fail(ErrorKind::Num) } else { num(n.powf(k)) }
    })
    .category(super::Category::Statistical),
    def("MULTINOMIAL", "R", 1, MANY, |a| {
        let numbers = whole_numbers(a)?;
        let mut total = 0.0;
        let mut result = 1.0;
        for n in numbers {
            total += n;
            result *= combinations(total, n);
        }
        num(result.round())
    }),
    def("SUM", "R", 1, MANY, sum).folds(Fold::Total),
    def("SUMSQ", "R", 1, MANY, |a| {
        let mut total = 0.0;
        a.each_number(0, &mut |n| total += n * n)?;
        num(total)
    }),
    def("PRODUCT", "R", 1, MANY, |a| {
        let (mut product, mut any) = (1.0, false);
        for index in 0..a.len() {
            // An empty argument is passed over, unlike in SUM where adding zero is harmless.
            if a.given(index) {
                for n in a.numbers_of(index)? {
                    product *= n;
                    any = true;
                }
            }
        }
        num(if any { product } else { 0.0 })
    }),
    def("SUMPRODUCT", "A", 1, MANY, sum_product),
    def("SUMX2MY2", "A", 2, 2, |a| sum_pairs(a, |x, y| x * x - y * y)),
    def("SUMX2PY2", "A", 2, 2, |a| sum_pairs(a, |x, y| x * x + y * y)),
    def("SUMXMY2", "A", 2, 2, |a| sum_pairs(a, |x, y| (x - y) * (x - y))),
    def("SERIESSUM", "VVVR", 4, 4, |a| {
        let (x, n, m) = (a.number(0)?, a.number(1)?, a.number(2)?);
        let mut total = 0.0;
        for (index, c) in a.numbers_of(3)?.into_iter().enumerate() {
            total += c * x.powf(n + m * index as f64);
        }
        num(total)
    }),
    def("ROMAN", "V", 1, 2, roman),
    def("ARABIC", "V", 1, 1, arabic),
    def("BASE", "V", 2, 3, base),
    def("DECIMAL", "V", 2, 2, decimal),
    def("RAND", "V", 0, 0, |a| num(a.cx.random())).moving(),
    def("RANDBETWEEN", "V", 2, 2, |a| {
        let (low, high) = (a.number(0)?.ceil(), a.number(1)?.floor());
        if low > high {
            fail(ErrorKind::Num)
        } else {
            num(low + (a.cx.random() * (high - low + 1.0)).floor())
        }
    })
    .moving(),
];

/// Excel refuses angles it cannot reduce.
fn angle(a: &Args<'_>) -> Result<f64, Stop> {
    let x = a.number(0)?;
    if x.abs() >= 134_217_728.0 { fail(ErrorKind::Num) } else { Ok(x) }
}

fn positive(x: f64) -> Result<f64, Stop> {
    if x > 0.0 { Ok(x) } else { fail(ErrorKind::Num) }
}

fn inverse(x: f64) -> Answer {
    if x == 0.0 { fail(ErrorKind::Div0) } else { num(1.0 / x) }
}

fn asinh(x: f64) -> f64 {
    // The library's formula loses digits for large negative numbers.
    x.signum() * x.abs().asinh()
}

pub(super) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn log(a: &Args<'_>) -> Answer {
    let x = positive(a.number(0)?)?;
    let base = positive(a.number_or(1, 10.0)?)?;
    if base == 1.0 {
        return fail(ErrorKind::Div0);
    }
    num(if base == 10.0 {
        x.log10()
    } else if base == 2.0 {
        x.log2()
    } else {
        x.ln() / base.ln()
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toward {
    Zero,
    Away,
}

fn power_of_ten(digits: f64) -> f64 {
    10f64.powi(digits.clamp(-400.0, 400.0) as i32)
}

/// Half away from zero, by the digits a person sees: 2.675 to two places is 2.68.
pub(crate) fn round(x: f64, digits: f64) -> f64 {
    if x == 0.0 || digits > 300.0 {
        return x;
    }
    if digits < -308.0 {
        return 0.0;
    }
    let scale = power_of_ten(digits.abs());
    let magnitude = x.abs();
    let scaled = if digits >= 0.0 { magnitude * scale } else { magnitude / scale };
    if !scaled.is_finite() || scaled >= 9e15 {
        return x;
    }
    let whole = scaled.floor();
    let up = scaled - whole >= 0.5 - scaled * 4e-16;
    let rounded = if up { whole + 1.0 } else { whole };
    x.signum() * if digits >= 0.0 { rounded / scale } else { rounded * scale }
}

pub(crate) fn round_toward(x: f64, digits: f64, toward: Toward) -> f64 {
    if x == 0.0 || digits > 300.0 {
        return x;
    }
    if digits < -308.0 && toward == Toward::Zero {
        return 0.0;
    }
    let scale = power_of_ten(digits.abs());
    let magnitude = x.abs();
    let scaled = settle(if digits >= 0.0 { magnitude * scale } else { magnitude / scale });
    if !scaled.is_finite() || (scaled >= 9e15 && digits >= 0.0) {
        return x;
    }
    let rounded = if toward == Toward::Zero { scaled.floor() } else { scaled.ceil() };
    x.signum() * if digits >= 0.0 { rounded / scale } else { rounded * scale }
}

/// A quotient that misses a whole number by the noise of its last digit is that number.
fn settle(x: f64) -> f64 {
    let nearest = x.round();
    if (x - nearest).abs() <= x.abs() * 5e-16 { nearest } else { x }
}

fn mround(a: &Args<'_>) -> Answer {
    let (x, step) = (a.number(0)?, a.number(1)?);
    if step == 0.0 || x == 0.0 {
        return num(0.0);
    }
    if x.signum() != step.signum() {
        return fail(ErrorKind::Num);
    }
    num(round(x / step, 0.0) * step)
}

fn ceiling(a: &Args<'_>) -> Answer {
    let (x, step) = (a.number(0)?, a.number(1)?);
    if x == 0.0 || step == 0.0 {
        return num(0.0);
    }
    if x > 0.0 && step < 0.0 {
        return fail(ErrorKind::Num);
    }
    num(settle(x / step).ceil() * step)
}

fn floor(a: &Args<'_>) -> Answer {
    let (x, step) = (a.number(0)?, a.number(1)?);
    if x == 0.0 {
        return num(0.0);
    }
    if step == 0.0 {
        return fail(ErrorKind::Div0);
    }
    if x > 0.0 && step < 0.0 {
        return fail(ErrorKind::Num);
    }
    num(settle(x / step).floor() * step)
}

fn step_math(a: &Args<'_>, up: bool) -> Answer {
    let x = a.number(0)?;
    let step = a.number_default(1, 1.0)?.abs();
    let mode = a.number_default(2, 0.0)?;
    if step == 0.0 || x == 0.0 {
        return num(0.0);
    }
    let quotient = settle(x.abs() / step);
    // For negative numbers the mode turns the direction round.
    let away = if x > 0.0 { up } else { up == (mode != 0.0) };
    num(x.signum() * step * if away { quotient.ceil() } else { quotient.floor() })
}

fn step_precise(a: &Args<'_>, up: bool) -> Answer {
    let x = a.number(0)?;
    let step = a.number_default(1, 1.0)?.abs();
    if step == 0.0 || x == 0.0 {
        return num(0.0);
    }
    let quotient = settle(x / step);
    num(step * if up { quotient.ceil() } else { quotient.floor() })
}

fn even(x: f64) -> f64 {
    sign(x) * (x.abs() / 2.0).ceil() * 2.0
}

fn odd(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    sign(x) * ((((x.abs() - 1.0) / 2.0).ceil() * 2.0) + 1.0).max(1.0)
}

fn modulo(a: &Args<'_>) -> Answer {
    let (n, d) = (a.number(0)?, a.number(1)?);
    if d == 0.0 {
        return fail(ErrorKind::Div0);
    }
    let quotient = n / d;
    if quotient.abs() >= 1_125_900_000_000_000.0 {
        return fail(ErrorKind::Num);
    }
    num(n - d * quotient.floor())
}

/// Whole numbers for `GCD` and its kin, which still behave as the add-in they came from: blanks inside a range
/// are zero, a blank cell on its own is passed over, dates written as text and logicals are refused.
fn whole_numbers(a: &Args<'_>) -> Result<Vec<f64>, Stop> {
    let mut numbers = Vec::new();
    let mut take = |value: &Value| -> Result<(), Stop> {
        let number = match value {
            Value::Number(number) => *number,
            Value::Blank => 0.0,
            Value::Bool(_) => return fail(ErrorKind::Value),
            Value::Error(kind) => return fail(*kind),
            // Spaces round a date are not forgiven here, round a number they are.
            Value::Text(text) => crate::coerce::plain_number(text)
                .or_else(|| {
                    let date = crate::coerce::text_to_number(text, a.cx.region());
                    date.filter(|_| text.trim() == &**text)
                })
                .ok_or(Stop::Error(ErrorKind::Value))?,
        };
        if !(0.0..9_007_199_254_740_992.0).contains(&number) {
            return fail(ErrorKind::Num);
        }
        numbers.push(number.trunc());
        Ok(())
    };
    let mut any = false;
    for index in 0..a.len() {
        match a.op(index) {
            Operand::Missing => return fail(ErrorKind::NotAvailable),
            Operand::Area(area) if area.is_cell() => {
                let value = a.cx.cell(area.top_left());
                if !value.is_blank() {
                    any = true;
                    take(&value)?;
                }
            }
            Operand::Areas(areas) => {
                for area in areas.iter() {
                    any = true;
                    a.cx.array_of(&Operand::Area(*area))?.values().iter().try_for_each(&mut take)?;
                }
            }
            _ => {
                any = true;
                a.array(index)?.values().iter().try_for_each(&mut take)?;
            }
        }
    }
    if any { Ok(numbers) } else { fail(ErrorKind::Value) }
}

fn gcd(mut x: f64, mut y: f64) -> f64 {
    while y != 0.0 {
        (x, y) = (y, x % y);
    }
    x
}

pub(crate) fn factorial(n: f64) -> f64 {
    (2..=n as u64).fold(1.0, |product, i| product * i as f64)
}

pub(crate) fn combinations(n: f64, k: f64) -> f64 {
    let k = k.min(n - k);
    if k > 1e6 {
        return f64::INFINITY;
    }
    let mut result = 1.0f64;
    for i in 1..=k as u64 {
        result = result * (n - k + i as f64) / i as f64;
        if !result.is_finite() {
            break;
        }
    }
    if result < 9e15 { result.round() } else { result }
}

fn sum(a: &Args<'_>) -> Answer {
    let mut total = 0.0;
    a.each_numbers(0, &mut |numbers| numbers.iter().for_each(|n| total += n))?;
    num(total)
}

fn sum_product(a: &Args<'_>) -> Answer {
    if a.len() == 1
        && let Operand::Area(area) = a.op(0)
    {
        let mut total = 0.0;
        let mut wrong = None;
        a.cx.visit(*area, &mut |_, _, value| match value {
            Value::Number(n) => total += n,
            Value::Error(kind) => {
                wrong.get_or_insert(*kind);
            }
            _ => {}
        });
        return match wrong {
            Some(kind) => fail(kind),
            None => num(total),
        };
    }
    // A truth or a text that is written into the formula is no array and no number.
    if (0..a.len()).any(|index| matches!(a.op(index), Operand::Value(Value::Bool(_) | Value::Text(_)))) {
        return fail(ErrorKind::Value);
    }
    let mut factors = Vec::with_capacity(a.len());
    let mut talls = Vec::new();
    for index in 0..a.len() {
        match a.elements(index)? {
            Operand::Tall(tall) => talls.push(tall),
            other => factors.push(a.cx.array_of(&other)?),
        }
    }
    if talls.is_empty() {
        // Single cells are values, and text is none.
        let text = |array: &Arc<Array>| array.len() == 1 && matches!(array.corner(), Value::Text(_));
        if factors.iter().any(text) {
            return fail(ErrorKind::Value);
        }
        return num(products(&factors)?);
    }
    // Whole columns: what is filled, and the row that stands for all others as often as there are.
    if let [first, rest @ ..] = talls.as_slice() {
        let held = talls.iter().map(|tall| tall.head.rows()).max().unwrap_or(1);
        let same = |tall: &Arc<Tall>| tall.rows == first.rows && tall.cols() == first.cols();
        if !rest.iter().all(same) {
            return fail(ErrorKind::Value);
        }
        let alike = talls.iter().all(|tall| matches!(tall.tail, Tail::Alike(_)));
        if factors.is_empty() && held < first.rows && alike {
            let heads: Vec<Arc<Array>> = talls.iter().map(|tall| tall.top(held)).collect();
            let tails: Vec<Arc<Array>> = talls.iter().map(|tall| tall.row(held)).collect();
            let below = (first.rows - held) as f64;
            return num(products(&heads)? + products(&tails)? * below);
        }
    }
    for tall in talls {
        factors.push(a.cx.array_of(&Operand::Tall(tall))?);
    }
    num(products(&factors)?)
}

/// The sum of the products of elements that stand at the same place.
fn products(arrays: &[Arc<Array>]) -> Result<f64, Stop> {
    let Some(first) = arrays.first() else { return fail(ErrorKind::Value) };
    if arrays.iter().any(|array| array.rows() != first.rows() || array.cols() != first.cols()) {
        return fail(ErrorKind::Value);
    }
    let mut total = 0.0;
    for at in 0..first.len() {
        let mut product = 1.0;
        for array in arrays {
            match array.values().get(at) {
                Some(Value::Number(n)) => product *= n,
                Some(Value::Error(kind)) => return fail(*kind),
                _ => product = 0.0,
            }
        }
        total += product;
    }
    Ok(total)
}

fn sum_pairs(a: &Args<'_>, each: fn(f64, f64) -> f64) -> Answer {
    let (xs, ys) = (a.array(0)?, a.array(1)?);
    if xs.len() != ys.len() {
        return fail(ErrorKind::NotAvailable);
    }
    let mut total = None;
    for (x, y) in xs.values().iter().zip(ys.values()) {
        match (x, y) {
            (Value::Error(kind), _) | (_, Value::Error(kind)) => return fail(*kind),
            (Value::Number(x), Value::Number(y)) => *total.get_or_insert(0.0) += each(*x, *y),
            _ => {}
        }
    }
    match total {
        Some(total) => num(total),
        None => fail(ErrorKind::Div0),
    }
}

fn roman(a: &Args<'_>) -> Answer {
    const LETTERS: [char; 7] = ['M', 'D', 'C', 'L', 'X', 'V', 'I'];
    const VALUES: [i64; 7] = [1000, 500, 100, 50, 10, 5, 1];
    let number = a.int(0)?;
    let form = match a.op(1) {
        Operand::Value(Value::Bool(classic)) => {
            if *classic {
                0.0
            } else {
                4.0
            }
        }
        _ => a.int_default(1, 0.0)?,
    };
    if !(0.0..4000.0).contains(&number) || !(0.0..=4.0).contains(&form) {
        return fail(ErrorKind::Value);
    }
    let letter = |at: usize| LETTERS.get(at).copied().unwrap_or('I');
    let worth = |at: usize| VALUES.get(at).copied().unwrap_or(1);
    let mut rest = number as i64;
    let mut out = String::new();
    for half in 0..=3usize {
        let mut index = 2 * half;
        let digit = rest / worth(index);
        if digit % 5 == 4 {
            let larger = if digit == 4 { index - 1 } else { index - 2 };
            // A looser form may subtract a smaller letter as long as it still covers the rest.
            let mut steps = 0.0;
            while steps < form && index < 6 {
                steps += 1.0;
                if worth(larger) - worth(index + 1) <= rest { index += 1 } else { steps = form }
            }
            out.push(letter(index));
            out.push(letter(larger));
            rest += worth(index);
            rest -= worth(larger);
        } else {
            if digit > 4 {
                out.push(letter(index - 1));
            }
            for _ in 0..digit % 5 {
                out.push(letter(index));
            }
            rest %= worth(index);
        }
    }
    text(out)
}

fn arabic(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let trimmed = source.trim();
    let (negative, letters) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed),
    };
    if letters.len() > 255 {
        return fail(ErrorKind::Value);
    }
    let mut total = 0.0;
    let mut previous = 0.0;
    for letter in letters.chars().rev() {
        let worth = match letter.to_ascii_uppercase() {
            'I' => 1.0,
            'V' => 5.0,
            'X' => 10.0,
            'L' => 50.0,
            'C' => 100.0,
            'D' => 500.0,
            'M' => 1000.0,
            _ => return fail(ErrorKind::Value),
        };
        if worth < previous {
            total -= worth;
        } else {
            total += worth;
            previous = worth;
        }
    }
    num(if negative { -total } else { total })
}

fn base(a: &Args<'_>) -> Answer {
    let (number, radix, length) = (a.int(0)?, a.int(1)?, a.int_default(2, 0.0)?);
    if !(0.0..9_007_199_254_740_992.0).contains(&number)
        || !(2.0..=36.0).contains(&radix)
        || !(0.0..=255.0).contains(&length)
    {
        return fail(ErrorKind::Num);
    }
    text(format!("{:0>width$}", in_radix(number as u64, radix as u64), width = length as usize))
}

pub(super) fn in_radix(mut number: u64, radix: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(
            char::from_digit((number % radix) as u32, radix as u32).unwrap_or('0').to_ascii_uppercase(),
        );
        number /= radix;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

fn decimal(a: &Args<'_>) -> Answer {
    let (source, radix) = (a.text(0)?, a.int(1)?);
    if !(2.0..=36.0).contains(&radix) || source.len() > 255 {
        return fail(ErrorKind::Num);
    }
    let mut body = source.trim();
    if radix == 16.0 {
        body = body
            .strip_prefix("0x")
            .or_else(|| body.strip_prefix("0X"))
            .or_else(|| body.strip_prefix(['x', 'X']))
            .unwrap_or(body);
        body = body.strip_suffix(['h', 'H']).unwrap_or(body);
    } else if radix == 2.0 {
        body = body.strip_suffix(['b', 'B']).unwrap_or(body);
    }
    let mut total = 0.0;
    for letter in body.chars() {
        match letter.to_digit(radix as u32) {
            Some(digit) => total = total * radix + f64::from(digit),
            None => return fail(ErrorKind::Num),
        }
    }
    num(total)
}

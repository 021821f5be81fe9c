//! Number bases, bits, units, error functions. Complex numbers and Bessel functions have their own files.

pub(super) mod bessel;
pub(super) mod complex;
mod units;

use super::math::in_radix;
use super::statistical::special::{erf, erfc};
use super::{Function, def};
use crate::eval::args::{Args, fail, num, text};
use crate::eval::{Answer, Operand, Stop};
use crate::value::{ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("BIN2DEC", "V", 1, 1, |a| num(from_radix(a, 2)? as f64)),
    def("BIN2HEX", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 2), 16)),
    def("BIN2OCT", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 2), 8)),
    def("OCT2BIN", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 8), 2)),
    def("OCT2DEC", "V", 1, 1, |a| num(from_radix(a, 8)? as f64)),
    def("OCT2HEX", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 8), 16)),
    def("HEX2BIN", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 16), 2)),
    def("HEX2DEC", "V", 1, 1, |a| num(from_radix(a, 16)? as f64)),
    def("HEX2OCT", "V", 1, 2, |a| to_radix(a, |a| from_radix(a, 16), 8)),
    def("DEC2BIN", "V", 1, 2, |a| to_radix(a, decimal, 2)),
    def("DEC2HEX", "V", 1, 2, |a| to_radix(a, decimal, 16)),
    def("DEC2OCT", "V", 1, 2, |a| to_radix(a, decimal, 8)),
    def("BITAND", "V", 2, 2, |a| num((bits(a, 0)? & bits(a, 1)?) as f64)),
    def("BITOR", "V", 2, 2, |a| num((bits(a, 0)? | bits(a, 1)?) as f64)),
    def("BITXOR", "V", 2, 2, |a| num((bits(a, 0)? ^ bits(a, 1)?) as f64)),
    def("BITLSHIFT", "V", 2, 2, |a| shift(bits(a, 0)?, a.int(1)?)),
    def("BITRSHIFT", "V", 2, 2, |a| shift(bits(a, 0)?, -a.int(1)?)),
    def("DELTA", "V", 1, 2, |a| num(f64::from(u8::from(strict(a, 0)? == a.number_default(1, 0.0)?)))),
    def("GESTEP", "V", 1, 2, |a| num(f64::from(u8::from(strict(a, 0)? >= a.number_default(1, 0.0)?)))),
    def("ERF", "V", 1, 2, |a| {
        let low = strict(a, 0)?;
        if a.given(1) { num(erf(strict(a, 1)?) - erf(low)) } else { num(erf(low)) }
    }),
    def("ERF.PRECISE", "V", 1, 1, |a| num(erf(strict(a, 0)?))),
    def("ERFC", "V", 1, 1, |a| num(erfc(strict(a, 0)?))),
    def("ERFC.PRECISE", "V", 1, 1, |a| num(erfc(strict(a, 0)?))),
    def("CONVERT", "V", 3, 3, |a| match units::convert(a.number(0)?, &a.text(1)?, &a.text(2)?) {
        Some(converted) => num(converted),
        None => fail(ErrorKind::NotAvailable),
    }),
];

/// A number where a logical is refused.
fn strict(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    match a.value(index) {
        Value::Bool(_) => fail(ErrorKind::Value),
        _ => a.number(index),
    }
}

/// A number written in a base, ten digits at most, the highest bit a sign.
fn from_radix(a: &Args<'_>, radix: u32) -> Result<i64, Stop> {
    let source = match a.op(0) {
        Operand::Value(Value::Bool(_)) => return fail(ErrorKind::Value),
        _ => a.text(0)?,
    };
    let source = source.trim();
    if source.len() > 10 {
        return fail(ErrorKind::Num);
    }
    if source.is_empty() {
        return Ok(0);
    }
    let Ok(number) = i64::from_str_radix(source, radix) else { return fail(ErrorKind::Num) };
    if source.starts_with(['-', '+']) {
        return fail(ErrorKind::Num);
    }
    let range = i64::from(radix).pow(10);
    Ok(if source.len() == 10 && number >= range / 2 { number - range } else { number })
}

fn decimal(a: &Args<'_>) -> Result<i64, Stop> {
    let number = strict(a, 0)?.trunc();
    if number.abs() > 1e13 { fail(ErrorKind::Num) } else { Ok(number as i64) }
}

fn to_radix(a: &Args<'_>, number: fn(&Args<'_>) -> Result<i64, Stop>, radix: u64) -> Answer {
    // A wrong number of places counts before a wrong number.
    let places = if a.given(1) { Some(strict(a, 1)?.trunc()) } else { None };
    if let Some(places) = places
        && !(1.0..=10.0).contains(&places)
    {
        return fail(ErrorKind::Num);
    }
    let number = number(a)?;
    let range = (radix as i64).pow(10);
    if number < -range / 2 || number >= range / 2 {
        return fail(ErrorKind::Num);
    }
    if number < 0 {
        return text(in_radix((number + range) as u64, radix));
    }
    let digits = in_radix(number as u64, radix);
    match places {
        Some(places) if (digits.len() as f64) > places => fail(ErrorKind::Num),
        Some(places) => text(format!("{digits:0>width$}", width = places as usize)),
        None => text(digits),
    }
}

fn bits(a: &Args<'_>, index: usize) -> Result<u64, Stop> {
    let number = a.number(index)?;
    if number != number.trunc() || !(0.0..281_474_976_710_656.0).contains(&number) {
        fail(ErrorKind::Num)
    } else {
        Ok(number as u64)
    }
}

fn shift(number: u64, by: f64) -> Answer {
    if by.abs() > 53.0 {
        return fail(ErrorKind::Num);
    }
    let shifted =
        if by >= 0.0 { number as f64 * 2f64.powf(by) } else { (number as f64 / 2f64.powf(-by)).floor() };
    if shifted >= 281_474_976_710_656.0 { fail(ErrorKind::Num) } else { num(shifted) }
}

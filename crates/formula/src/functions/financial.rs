//! Annuities, rates of return and conversions of rates. Bonds and depreciation have files of their own.

pub(super) mod bond;
pub(super) mod depreciation;

use super::{Function, MANY, def};
use crate::coerce;
use crate::eval::args::{Args, Origin, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::{ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("PV", "V", 3, 5, |a| {
        let (rate, n, pmt, fv, due) =
            (a.number(0)?, a.number(1)?, a.number(2)?, a.number_or(3, 0.0)?, due(a, 4)?);
        if rate == 0.0 {
            return num(-fv - pmt * n);
        }
        if rate == -1.0 {
            return fail(ErrorKind::Div0);
        }
        let growth = (1.0 + rate).powf(n);
        num(-(fv + pmt * (1.0 + rate * due) * (growth - 1.0) / rate) / growth)
    }),
    def("FV", "V", 3, 5, |a| {
        let (rate, n, pmt, pv, due) =
            (a.number(0)?, a.number(1)?, a.number(2)?, a.number_or(3, 0.0)?, due(a, 4)?);
        if rate == -1.0 && n <= 0.0 {
            fail(ErrorKind::Div0)
        } else {
            num(future_value(rate, n, pmt, pv, due))
        }
    }),
    def("PMT", "V", 3, 5, |a| {
        let (rate, n) = (a.number(0)?, a.number(1)?);
        if n == 0.0 || rate <= -1.0 {
            return fail(ErrorKind::Num);
        }
        num(payment(rate, n, a.number(2)?, a.number_or(3, 0.0)?, due(a, 4)?))
    }),
    def("NPER", "V", 3, 5, |a| {
        let (rate, pmt, pv, fv, due) =
            (a.number(0)?, a.number(1)?, a.number(2)?, a.number_or(3, 0.0)?, due(a, 4)?);
        if rate == 0.0 {
            return if pmt == 0.0 { fail(ErrorKind::Num) } else { num(-(pv + fv) / pmt) };
        }
        let paid = pmt * (1.0 + rate * due);
        num(((paid - fv * rate) / (paid + pv * rate)).ln() / (1.0 + rate).ln())
    }),
    def("RATE", "V", 3, 6, rate),
    def("IPMT", "V", 4, 6, |a| {
        let (rate, per, n, pv, fv, due) =
            (a.number(0)?, a.number(1)?, a.number(2)?, a.number(3)?, a.number_or(4, 0.0)?, due(a, 5)?);
        if per < 1.0 || per >= n + 1.0 {
            fail(ErrorKind::Num)
        } else {
            num(interest(rate, per, n, pv, fv, due))
        }
    }),
    def("PPMT", "V", 4, 6, |a| {
        let (rate, per, n, pv, fv, due) =
            (a.number(0)?, a.number(1)?, a.number(2)?, a.number(3)?, a.number_or(4, 0.0)?, due(a, 5)?);
        if per < 1.0 || per >= n + 1.0 {
            return fail(ErrorKind::Num);
        }
        num(payment(rate, n, pv, fv, due) - interest(rate, per, n, pv, fv, due))
    }),
    def("CUMIPMT", "V", 6, 6, |a| {
        cumulative(a, |rate, per, n, pv, due| interest(rate, per, n, pv, 0.0, due))
    }),
    def("CUMPRINC", "V", 6, 6, |a| {
        cumulative(a, |rate, per, n, pv, due| {
            payment(rate, n, pv, 0.0, due) - interest(rate, per, n, pv, 0.0, due)
        })
    }),
    def("ISPMT", "V", 4, 4, |a| {
        let (rate, per, n, pv) = (a.number(0)?, a.number(1)?, a.number(2)?, a.number(3)?);
        if n == 0.0 { fail(ErrorKind::Div0) } else { num(pv * rate * (per / n - 1.0)) }
    }),
    def("NPV", "VR", 2, MANY, |a| {
        let rate = a.number(0)?;
        if rate == -1.0 {
            return fail(ErrorKind::Div0);
        }
        let mut total = 0.0;
        for (index, flow) in a.numbers(1)?.into_iter().enumerate() {
            total += flow / (1.0 + rate).powi(index as i32 + 1);
        }
        num(total)
    }),
    def("IRR", "RV", 1, 2, irr),
    def("MIRR", "RVV", 3, 3, mirr),
    def("XNPV", "VRR", 3, 3, |a| {
        let rate = a.number(0)?;
        let flows = dated(a, 1, 2)?;
        if rate <= 0.0 {
            return fail(ErrorKind::Num);
        }
        num(net_value(&flows, rate))
    }),
    def("XIRR", "RRV", 2, 3, xirr),
    def("EFFECT", "V", 2, 2, |a| {
        let (rate, n) = (a.number(0)?, a.int(1)?);
        if rate <= 0.0 || n < 1.0 { fail(ErrorKind::Num) } else { num((1.0 + rate / n).powf(n) - 1.0) }
    }),
    def("NOMINAL", "V", 2, 2, |a| {
        let (rate, n) = (a.number(0)?, a.int(1)?);
        if rate <= 0.0 || n < 1.0 {
            fail(ErrorKind::Num)
        } else {
            num(n * ((1.0 + rate).powf(1.0 / n) - 1.0))
        }
    }),
    def("FVSCHEDULE", "VR", 2, 2, |a| {
        let mut total = a.number(0)?;
        let mut wrong = None;
        a.each(1, &mut |value, _: Origin| match value {
            Value::Number(rate) => total *= 1.0 + rate,
            Value::Blank => {}
            other => {
                wrong.get_or_insert(coerce::number(other, a.cx.region()).err().unwrap_or(ErrorKind::Value));
            }
        });
        match wrong {
            Some(kind) => fail(kind),
            None => num(total),
        }
    }),
    def("RRI", "V", 3, 3, |a| {
        let (n, pv, fv) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if n <= 0.0 || pv == 0.0 { fail(ErrorKind::Num) } else { num((fv / pv).powf(1.0 / n) - 1.0) }
    }),
    def("PDURATION", "V", 3, 3, |a| {
        let (rate, pv, fv) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if rate <= 0.0 || pv <= 0.0 || fv <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num((fv.ln() - pv.ln()) / (1.0 + rate).ln())
        }
    }),
    def("DOLLARDE", "V", 2, 2, |a| dollar_fraction(a, true)),
    def("DOLLARFR", "V", 2, 2, |a| dollar_fraction(a, false)),
];

/// Whether payments fall at the beginning of a period; any number but zero says so.
fn due(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    Ok(f64::from(u8::from(a.number_or(index, 0.0)? != 0.0)))
}

fn future_value(rate: f64, n: f64, pmt: f64, pv: f64, due: f64) -> f64 {
    if rate == 0.0 {
        return -pv - pmt * n;
    }
    let growth = (1.0 + rate).powf(n);
    -(pv * growth + pmt * (1.0 + rate * due) * (growth - 1.0) / rate)
}

fn payment(rate: f64, n: f64, pv: f64, fv: f64, due: f64) -> f64 {
    if rate == 0.0 {
        return -(pv + fv) / n;
    }
    let growth = (1.0 + rate).powf(n);
    -(pv * growth + fv) * rate / ((1.0 + rate * due) * (growth - 1.0))
}

fn interest(rate: f64, per: f64, n: f64, pv: f64, fv: f64, due: f64) -> f64 {
    let pmt = payment(rate, n, pv, fv, due);
    if per == 1.0 {
        return if due == 0.0 { -pv * rate } else { 0.0 };
    }
    if due == 0.0 {
        future_value(rate, per - 1.0, pmt, pv, 0.0) * rate
    } else {
        (future_value(rate, per - 2.0, pmt, pv, 1.0) - pmt) * rate
    }
}

/// Periods are gone through one by one, and a formula may ask for billions.
fn charge_periods(a: &Args<'_>, periods: f64) -> Result<(), Stop> {
    // About what a step with a power in it costs beside a reference.
    a.cx.charge((periods * 20.0) as usize)
}

fn cumulative(a: &Args<'_>, each: fn(f64, f64, f64, f64, f64) -> f64) -> Answer {
    let (rate, n, pv) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let (from, to, due) = (a.int(3)?, a.int(4)?, a.number(5)?);
    if rate <= 0.0 || n <= 0.0 || pv <= 0.0 || from < 1.0 || to < from || to > n || (due != 0.0 && due != 1.0)
    {
        return fail(ErrorKind::Num);
    }
    charge_periods(a, to - from)?;
    let mut total = 0.0;
    let mut per = from;
    while per <= to {
        total += each(rate, per, n, pv, due);
        per += 1.0;
    }
    num(total)
}

fn rate(a: &Args<'_>) -> Answer {
    let (n, pmt, pv, fv) = (a.number(0)?, a.number(1)?, a.number(2)?, a.number_or(3, 0.0)?);
    let (due, guess) = (due(a, 4)?, a.number_default(5, 0.1)?);
    if n <= 0.0 {
        return fail(ErrorKind::Num);
    }
    let value = |rate: f64| {
        if rate.abs() < 1e-11 {
            return pv + pmt * n + fv;
        }
        let growth = (1.0 + rate).powf(n);
        pv * growth + pmt * (1.0 + rate * due) * (growth - 1.0) / rate + fv
    };
    match root(value, guess, -0.999_999_999) {
        Some(rate) => num(rate),
        None => fail(ErrorKind::Num),
    }
}

/// A zero of a smooth function near a guess: secant steps, then a search outward and bisection.
pub(super) fn root(f: impl Fn(f64) -> f64, guess: f64, floor: f64) -> Option<f64> {
    let mut x0 = guess.max(floor + 1e-6);
    let mut x1 = x0 * 1.01 + 1e-4;
    let (mut y0, mut y1) = (f(x0), f(x1));
    for _ in 0..100 {
        if y1 == 0.0 {
            return Some(x1);
        }
        if !y0.is_finite() || !y1.is_finite() || y1 == y0 {
            break;
        }
        let mut x2 = x1 - y1 * (x1 - x0) / (y1 - y0);
        if x2 <= floor {
            x2 = (x1 + floor) / 2.0;
        }
        (x0, y0) = (x1, y1);
        x1 = x2;
        y1 = f(x1);
        if (x1 - x0).abs() <= 1e-15 * x1.abs().max(1e-3) || y1 == 0.0 {
            // Steps that were held back by the floor end there without having found anything.
            if !y1.is_finite() || x1 - floor < 1e-6 {
                break;
            }
            return Some(x1);
        }
    }
    // Brackets grow from the guess.
    let mut step = 0.01;
    let (mut low, mut high) = (guess.max(floor + 1e-6), guess.max(floor + 1e-6));
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..200 {
        if f_low.is_finite() && f_high.is_finite() && f_low * f_high <= 0.0 && low < high {
            for _ in 0..200 {
                let middle = (low + high) / 2.0;
                let value = f(middle);
                if value == 0.0 || (high - low).abs() < 1e-16 * middle.abs().max(1e-3) {
                    return Some(middle);
                }
                if f_low * value <= 0.0 {
                    high = middle;
                } else {
                    low = middle;
                    f_low = value;
                }
            }
            return Some((low + high) / 2.0);
        }
        low = (low - step).max((low + floor) / 2.0);
        high += step;
        step *= 1.3;
        f_low = f(low);
        f_high = f(high);
    }
    None
}

fn irr(a: &Args<'_>) -> Answer {
    let flows = a.numbers_of(0)?;
    let guess = a.number_default(1, 0.1)?;
    if !flows.iter().any(|flow| *flow > 0.0) || !flows.iter().any(|flow| *flow < 0.0) || guess <= -1.0 {
        return fail(ErrorKind::Num);
    }
    let value = |rate: f64| {
        let step = 1.0 / (1.0 + rate);
        flows.iter().rev().fold(0.0, |total, flow| total * step + flow)
    };
    match root(value, guess, -0.999_999_999) {
        Some(rate) => num(rate),
        None => fail(ErrorKind::Num),
    }
}

fn mirr(a: &Args<'_>) -> Answer {
    let flows = a.numbers_of(0)?;
    let (finance, reinvest) = (a.number(1)?, a.number(2)?);
    let n = flows.len() as f64;
    let (mut gains, mut losses) = (0.0, 0.0);
    for (index, flow) in flows.iter().enumerate() {
        if *flow > 0.0 {
            gains += flow / (1.0 + reinvest).powi(index as i32);
        } else {
            losses += flow / (1.0 + finance).powi(index as i32);
        }
    }
    if losses == 0.0 {
        return fail(ErrorKind::Div0);
    }
    num((-gains * (1.0 + reinvest).powf(n - 1.0) / losses).powf(1.0 / (n - 1.0)) - 1.0)
}

/// Payments with their distance in years from the first.
fn dated(a: &Args<'_>, values: usize, dates: usize) -> Result<Vec<(f64, f64)>, Stop> {
    let (flows, days) = (a.array(values)?, a.array(dates)?);
    if flows.len() != days.len() {
        return fail(ErrorKind::Num);
    }
    let mut list = Vec::with_capacity(flows.len());
    let mut first = None;
    // Empty rows behind the last are not there.
    let filled = |(flow, day): (&Value, &Value)| !flow.is_blank() || !day.is_blank();
    let count = flows.values().iter().zip(days.values()).rposition(filled).map_or(0, |last| last + 1);
    for (flow, day) in flows.values().iter().zip(days.values()).take(count) {
        let flow = coerce::number(flow, a.cx.region())?;
        let day = coerce::number(day, a.cx.region())?.floor();
        let start = *first.get_or_insert(day);
        if day < start || day < 0.0 {
            return fail(ErrorKind::Num);
        }
        list.push((flow, (day - start) / 365.0));
    }
    Ok(list)
}

fn net_value(flows: &[(f64, f64)], rate: f64) -> f64 {
    flows.iter().map(|(flow, years)| flow / (1.0 + rate).powf(*years)).sum()
}

fn xirr(a: &Args<'_>) -> Answer {
    let flows = dated(a, 0, 1)?;
    let guess = a.number_default(2, 0.1)?;
    if guess <= -1.0
        || !flows.iter().any(|(flow, _)| *flow > 0.0)
        || !flows.iter().any(|(flow, _)| *flow < 0.0)
    {
        return fail(ErrorKind::Num);
    }
    match root(|rate| net_value(&flows, rate), guess, -0.999_999_999) {
        Some(rate) => num(rate),
        None => fail(ErrorKind::Num),
    }
}

fn dollar_fraction(a: &Args<'_>, to_decimal: bool) -> Answer {
    let (price, fraction) = (a.number(0)?, a.int(1)?);
    if fraction < 0.0 {
        return fail(ErrorKind::Num);
    }
    if fraction == 0.0 {
        return fail(ErrorKind::Div0);
    }
    let whole = price.trunc();
    let rest = price - whole;
    // Two digits for sixteenths, one for eighths.
    let scale = 10f64.powf(fraction.log10().ceil());
    num(if to_decimal { whole + rest * scale / fraction } else { whole + rest * fraction / scale })
}

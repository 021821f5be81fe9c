//! Depreciation: straight, by digits, declining, and the French methods.

use super::super::date::{Basis, year_fraction};
use super::super::{Function, def};
use super::charge_periods;
use crate::eval::Answer;
use crate::eval::args::{Args, fail, num};
use crate::value::ErrorKind;

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("SLN", "V", 3, 3, |a| {
        let (cost, salvage, life) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if life == 0.0 { fail(ErrorKind::Div0) } else { num((cost - salvage) / life) }
    }),
    def("SYD", "V", 4, 4, |a| {
        let (cost, salvage, life, per) = (a.number(0)?, a.number(1)?, a.number(2)?, a.number(3)?);
        if salvage < 0.0 || life <= 0.0 || per <= 0.0 || per > life {
            return fail(ErrorKind::Num);
        }
        num((cost - salvage) * (life - per + 1.0) * 2.0 / (life * (life + 1.0)))
    }),
    def("DB", "V", 4, 5, db),
    def("DDB", "V", 4, 5, |a| {
        let (cost, salvage, life, per) = (a.number(0)?, a.number(1)?, a.number(2)?, a.number(3)?);
        let factor = a.number_default(4, 2.0)?;
        if cost < 0.0 || salvage < 0.0 || life <= 0.0 || per <= 0.0 || per > life || factor <= 0.0 {
            return fail(ErrorKind::Num);
        }
        num(declining(cost, salvage, life, per, factor))
    }),
    def("VDB", "V", 5, 7, vdb),
    def("AMORLINC", "V", 6, 7, amor_linear),
    def("AMORDEGRC", "V", 6, 7, amor_degressive),
];

fn db(a: &Args<'_>) -> Answer {
    let (cost, salvage, life, per) = (a.number(0)?, a.number(1)?, a.int(2)?, a.int(3)?);
    let month = a.int_default(4, 12.0)?;
    if cost < 0.0 || salvage < 0.0 || life <= 0.0 || per < 1.0 || !(1.0..=12.0).contains(&month) {
        return fail(ErrorKind::Num);
    }
    if per > life + f64::from(u8::from(month < 12.0)) {
        return fail(ErrorKind::Num);
    }
    if cost == 0.0 {
        return num(0.0);
    }
    let rate = ((1.0 - (salvage / cost).powf(1.0 / life)) * 1000.0).round() / 1000.0;
    let first = cost * rate * month / 12.0;
    if per == 1.0 {
        return num(first);
    }
    charge_periods(a, per)?;
    let mut total = first;
    let mut period = 2.0;
    loop {
        let share =
            if period > life { (cost - total) * rate * (12.0 - month) / 12.0 } else { (cost - total) * rate };
        if period == per {
            return num(share);
        }
        total += share;
        period += 1.0;
    }
}

fn declining(cost: f64, salvage: f64, life: f64, per: f64, factor: f64) -> f64 {
    let rate = (factor / life).min(1.0);
    let before =
        if rate >= 1.0 { if per <= 1.0 { cost } else { 0.0 } } else { cost * (1.0 - rate).powf(per - 1.0) };
    let after = cost * (1.0 - rate).powf(per);
    let share = if after < salvage { before - salvage } else { before - after };
    share.max(0.0)
}

fn vdb(a: &Args<'_>) -> Answer {
    let (cost, salvage, life) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let (start, end) = (a.number(3)?, a.number(4)?);
    let factor = a.number_default(5, 2.0)?;
    let no_switch = a.flag_default(6, false)?;
    if cost < 0.0 || salvage < 0.0 || life <= 0.0 || start < 0.0 || end < start || end > life || factor < 0.0
    {
        return fail(ErrorKind::Num);
    }
    charge_periods(a, end)?;
    let first = start.floor();
    let last = end.ceil();
    if no_switch {
        let mut total = 0.0;
        let mut period = first + 1.0;
        while period <= last {
            let mut share = declining(cost, salvage, life, period, factor);
            if period == first + 1.0 {
                share *= end.min(first + 1.0) - start;
            } else if period == last {
                share *= end + 1.0 - last;
            }
            total += share;
            period += 1.0;
        }
        return num(total);
    }
    // What is written off up to the start lowers the base; then straight line wins once it is larger.
    let written = |from_cost: f64, life: f64, periods: f64| {
        let mut total = 0.0;
        let mut rest = from_cost - salvage;
        let whole = periods.ceil();
        let mut straight = false;
        let mut linear = 0.0;
        let mut period = 1.0;
        while period <= whole {
            let mut share;
            if straight {
                share = linear;
            } else {
                let fast = declining(from_cost, salvage, life, period, factor);
                linear = rest / (life - (period - 1.0));
                if linear > fast {
                    share = linear;
                    straight = true;
                } else {
                    share = fast;
                    rest -= fast;
                }
            }
            if period == whole {
                share *= periods + 1.0 - whole;
            }
            total += share;
            period += 1.0;
        }
        total
    };
    num(written(cost, life, end) - written(cost, life, start))
}

fn amor_linear(a: &Args<'_>) -> Answer {
    let (cost, bought, first) =
        (a.number(0)?, super::super::date::serial(a, 1)?, super::super::date::serial(a, 2)?);
    let (salvage, period, rate, basis) = (a.number(3)?, a.int(4)?, a.number(5)?, Basis::read(a, 6)?);
    if cost < 0.0 || salvage < 0.0 || period < 0.0 || rate <= 0.0 || bought > first {
        return fail(ErrorKind::Num);
    }
    let yearly = cost * rate;
    let total = cost - salvage;
    let opening = yearly * year_fraction(bought, first, basis, a.cx.dates());
    let full = ((total - opening) / yearly).trunc();
    num(if period == 0.0 {
        opening
    } else if period <= full {
        yearly
    } else if period == full + 1.0 {
        total - yearly * full - opening
    } else {
        0.0
    })
}

fn amor_degressive(a: &Args<'_>) -> Answer {
    let (cost, bought, first) =
        (a.number(0)?, super::super::date::serial(a, 1)?, super::super::date::serial(a, 2)?);
    let (salvage, period, rate, basis) = (a.number(3)?, a.int(4)?, a.number(5)?, Basis::read(a, 6)?);
    if cost < 0.0 || salvage < 0.0 || period < 0.0 || rate <= 0.0 || bought > first {
        return fail(ErrorKind::Num);
    }
    charge_periods(a, period)?;
    let life = 1.0 / rate;
    let factor = if life < 3.0 {
        1.0
    } else if life < 5.0 {
        1.5
    } else if life <= 6.0 {
        2.0
    } else {
        2.5
    };
    let rate = rate * factor;
    let mut share = (year_fraction(bought, first, basis, a.cx.dates()) * rate * cost).round();
    let mut left = cost - share;
    let mut rest = left - salvage;
    for step in 0..period as u64 {
        share = (rate * left).round();
        rest -= share;
        if rest < 0.0 {
            // The last two years share what is left.
            return num(match period as u64 - step {
                1 | 2 => (left * 0.5).round(),
                _ => 0.0,
            });
        }
        left -= share;
    }
    num(share)
}

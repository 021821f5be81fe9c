//! Bonds, bills and their coupons.

use super::super::date::{Basis, bond_days360, months_on, serial, year_fraction};
use super::super::{Function, def};
use super::root;
use crate::date::{DateSystem, days_in_month};
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::ErrorKind;

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("COUPDAYBS", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.days_before())),
    def("COUPDAYS", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.days())),
    def("COUPDAYSNC", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.days_to_next())),
    def("COUPNCD", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.next as f64)),
    def("COUPPCD", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.previous as f64)),
    def("COUPNUM", "V", 3, 4, |a| num(Coupons::read(a, 2, 3)?.count)),
    def("PRICE", "V", 6, 7, |a| {
        let coupons = Coupons::read(a, 5, 6)?;
        let (rate, yld, redemption) = (a.number(2)?, a.number(3)?, a.number(4)?);
        if rate < 0.0 || yld < 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num(coupons.price(rate, yld, redemption))
        }
    }),
    def("YIELD", "V", 6, 7, |a| {
        let coupons = Coupons::read(a, 5, 6)?;
        let (rate, price, redemption) = (a.number(2)?, a.number(3)?, a.number(4)?);
        if rate < 0.0 || price <= 0.0 || redemption <= 0.0 {
            return fail(ErrorKind::Num);
        }
        // With one coupon left the yield has a closed form.
        if coupons.count <= 1.0 {
            let f = coupons.frequency;
            let (before, to_next, days) = (coupons.days_before(), coupons.days_to_next(), coupons.days());
            let coupon = 100.0 * rate / f;
            let paid = price + before / days * coupon;
            return num((redemption + coupon - paid) / paid * f * days / to_next);
        }
        solve(|yld| coupons.price(rate, yld, redemption) - price, 0.1)
    }),
    def("DURATION", "V", 5, 6, |a| num(duration(a)?.0)),
    def("MDURATION", "V", 5, 6, |a| {
        let (duration, yld, frequency) = duration(a)?;
        num(duration / (1.0 + yld / frequency))
    }),
    def("DISC", "V", 4, 5, |a| {
        let (years, price, redemption) = (term(a, 4)?, a.number(2)?, a.number(3)?);
        if price <= 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num((redemption - price) / redemption / years)
        }
    }),
    def("INTRATE", "V", 4, 5, |a| {
        let (years, paid, redemption) = (term(a, 4)?, a.number(2)?, a.number(3)?);
        if paid <= 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num((redemption - paid) / paid / years)
        }
    }),
    def("RECEIVED", "V", 4, 5, |a| {
        let (years, paid, discount) = (term(a, 4)?, a.number(2)?, a.number(3)?);
        if paid <= 0.0 || discount <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num(paid / (1.0 - discount * years))
        }
    }),
    def("PRICEDISC", "V", 4, 5, |a| {
        let (years, discount, redemption) = (term(a, 4)?, a.number(2)?, a.number(3)?);
        if discount <= 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num(redemption - discount * redemption * years)
        }
    }),
    def("YIELDDISC", "V", 4, 5, |a| {
        let (years, price, redemption) = (term(a, 4)?, a.number(2)?, a.number(3)?);
        if price <= 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num((redemption / price - 1.0) / years)
        }
    }),
    def("PRICEMAT", "V", 5, 6, |a| {
        let (issued, to_maturity, whole) = issue_terms(a, 5)?;
        let (rate, yld) = (a.number(3)?, a.number(4)?);
        if rate < 0.0 || yld < 0.0 {
            return fail(ErrorKind::Num);
        }
        num((100.0 + whole * rate * 100.0) / (1.0 + to_maturity * yld) - issued * rate * 100.0)
    }),
    def("YIELDMAT", "V", 5, 6, |a| {
        let (issued, to_maturity, whole) = issue_terms(a, 5)?;
        let (rate, price) = (a.number(3)?, a.number(4)?);
        if rate < 0.0 || price <= 0.0 {
            return fail(ErrorKind::Num);
        }
        num(((1.0 + whole * rate) / (price / 100.0 + issued * rate) - 1.0) / to_maturity)
    }),
    def("ACCRINTM", "V", 3, 5, |a| {
        let (issue, settlement) = (serial(a, 0)?, serial(a, 1)?);
        let (rate, par, basis) = (a.number(2)?, a.number_default(3, 1000.0)?, Basis::read(a, 4)?);
        if rate <= 0.0 || par <= 0.0 || issue >= settlement {
            return fail(ErrorKind::Num);
        }
        num(par * rate * year_fraction(issue, settlement, basis, a.cx.dates()))
    }),
    def("ACCRINT", "V", 6, 8, accrued),
    def("TBILLEQ", "V", 3, 3, |a| {
        let (days, discount) = (bill_days(a)?, a.number(2)?);
        if discount <= 0.0 {
            return fail(ErrorKind::Num);
        }
        if days <= 182.0 {
            return num(365.0 * discount / (360.0 - discount * days));
        }
        let price = (100.0 - discount * 100.0 * days / 360.0) / 100.0;
        let year = if days == 366.0 { 366.0 } else { 365.0 };
        let t = days / year;
        num((-2.0 * t + 2.0 * (t * t - (2.0 * t - 1.0) * (1.0 - 1.0 / price)).sqrt()) / (2.0 * t - 1.0))
    }),
    def("TBILLPRICE", "V", 3, 3, |a| {
        let (days, discount) = (bill_days(a)?, a.number(2)?);
        let price = 100.0 * (1.0 - discount * days / 360.0);
        if discount <= 0.0 || price < 0.0 { fail(ErrorKind::Num) } else { num(price) }
    }),
    def("TBILLYIELD", "V", 3, 3, |a| {
        let (days, price) = (bill_days(a)?, a.number(2)?);
        if price <= 0.0 { fail(ErrorKind::Num) } else { num((100.0 - price) / price * 360.0 / days) }
    }),
    def("ODDFPRICE", "V", 8, 9, |a| {
        let odd = OddFirst::read(a)?;
        let (rate, yld, redemption) = (a.number(4)?, a.number(5)?, a.number(6)?);
        if rate < 0.0 || yld < 0.0 || redemption <= 0.0 {
            fail(ErrorKind::Num)
        } else {
            num(odd.price(rate, yld, redemption))
        }
    }),
    def("ODDFYIELD", "V", 8, 9, |a| {
        let odd = OddFirst::read(a)?;
        let (rate, price, redemption) = (a.number(4)?, a.number(5)?, a.number(6)?);
        if rate < 0.0 || price <= 0.0 || redemption <= 0.0 {
            return fail(ErrorKind::Num);
        }
        solve(|yld| odd.price(rate, yld, redemption) - price, 0.1)
    }),
    def("ODDLPRICE", "V", 7, 8, |a| {
        let odd = odd_last(a)?;
        let (rate, yld, redemption) = (a.number(3)?, a.number(4)?, a.number(5)?);
        if rate < 0.0 || yld < 0.0 || redemption <= 0.0 {
            return fail(ErrorKind::Num);
        }
        let coupon = 100.0 * rate / odd.frequency;
        let paid = redemption + odd.whole * coupon;
        num(paid / (1.0 + odd.left * yld / odd.frequency) - odd.accrued * coupon)
    }),
    def("ODDLYIELD", "V", 7, 8, |a| {
        let odd = odd_last(a)?;
        let (rate, price, redemption) = (a.number(3)?, a.number(4)?, a.number(5)?);
        if rate < 0.0 || price <= 0.0 || redemption <= 0.0 {
            return fail(ErrorKind::Num);
        }
        let coupon = 100.0 * rate / odd.frequency;
        let (paid, got) = (redemption + odd.whole * coupon, price + odd.accrued * coupon);
        num((paid - got) / got * odd.frequency / odd.left)
    }),
];

fn solve(f: impl Fn(f64) -> f64, guess: f64) -> Answer {
    match root(f, guess, -0.999_999) {
        Some(found) => num(found),
        None => fail(ErrorKind::Num),
    }
}

/// Settlement and maturity, in order.
fn dates(a: &Args<'_>) -> Result<(f64, f64), Stop> {
    let (settlement, maturity) = (serial(a, 0)?, serial(a, 1)?);
    if settlement >= maturity { fail(ErrorKind::Num) } else { Ok((settlement, maturity)) }
}

/// The years from settlement to maturity.
fn term(a: &Args<'_>, basis: usize) -> Result<f64, Stop> {
    let (settlement, maturity) = dates(a)?;
    let basis = Basis::read(a, basis)?;
    Ok(year_fraction(settlement, maturity, basis, a.cx.dates()))
}

/// Years from issue to settlement, settlement to maturity, issue to maturity.
fn issue_terms(a: &Args<'_>, basis: usize) -> Result<(f64, f64, f64), Stop> {
    let (settlement, maturity) = dates(a)?;
    let issue = serial(a, 2)?;
    let basis = Basis::read(a, basis)?;
    if issue > settlement {
        return fail(ErrorKind::Num);
    }
    let years = |from, to| year_fraction(from, to, basis, a.cx.dates());
    Ok((years(issue, settlement), years(settlement, maturity), years(issue, maturity)))
}

fn bill_days(a: &Args<'_>) -> Result<f64, Stop> {
    let (settlement, maturity) = dates(a)?;
    let days = maturity - settlement;
    if days > 366.0 || maturity as i64 > months_on(a.cx.dates(), settlement as i64, 12) {
        fail(ErrorKind::Num)
    } else {
        Ok(days)
    }
}

fn frequency(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    match a.int(index)? {
        f if f == 1.0 || f == 2.0 || f == 4.0 => Ok(f),
        _ => fail(ErrorKind::Num),
    }
}

/// Days between two dates in a basis.
fn days_between(system: DateSystem, basis: Basis, from: i64, to: i64) -> f64 {
    match basis {
        Basis::Us30360 => bond_days360(system, from, to, false),
        Basis::European30360 => bond_days360(system, from, to, true),
        _ => (to - from) as f64,
    }
}

/// The coupon dates around a settlement.
struct Coupons {
    settlement: i64,
    previous: i64,
    next: i64,
    count: f64,
    frequency: f64,
    basis: Basis,
    system: DateSystem,
}

/// A coupon date so many periods before maturity; the end of a month stays the end.
fn coupon_date(system: DateSystem, maturity: i64, months: i64) -> i64 {
    let day = system.day(maturity);
    let total = day.year * 12 + i64::from(day.month) - 1 + months;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u32 + 1);
    let last = days_in_month(system, year, month);
    let at_end = day.day == days_in_month(system, day.year, day.month);
    system.serial(year, i64::from(month), i64::from(if at_end { last } else { day.day.min(last) }))
}

impl Coupons {
    fn read(a: &Args<'_>, frequency_at: usize, basis_at: usize) -> Result<Coupons, Stop> {
        let (settlement, maturity) = dates(a)?;
        let frequency = frequency(a, frequency_at)?;
        let basis = Basis::read(a, basis_at)?;
        Ok(Coupons::around(a.cx.dates(), settlement as i64, maturity as i64, frequency, basis))
    }

    fn around(system: DateSystem, settlement: i64, maturity: i64, frequency: f64, basis: Basis) -> Coupons {
        let step = 12 / frequency as i64;
        let mut periods = 0;
        let mut next = maturity;
        loop {
            periods += 1;
            let date = coupon_date(system, maturity, -step * periods);
            if date <= settlement {
                return Coupons {
                    settlement,
                    previous: date,
                    next,
                    count: periods as f64,
                    frequency,
                    basis,
                    system,
                };
            }
            next = date;
        }
    }

    fn days_before(&self) -> f64 {
        days_between(self.system, self.basis, self.previous, self.settlement)
    }

    fn days(&self) -> f64 {
        match self.basis {
            Basis::Actual => (self.next - self.previous) as f64,
            Basis::Actual365 => 365.0 / self.frequency,
            _ => 360.0 / self.frequency,
        }
    }

    fn days_to_next(&self) -> f64 {
        match self.basis {
            Basis::Us30360 | Basis::European30360 => self.days() - self.days_before(),
            _ => (self.next - self.settlement) as f64,
        }
    }

    fn price(&self, rate: f64, yld: f64, redemption: f64) -> f64 {
        let coupon = 100.0 * rate / self.frequency;
        let share = self.days_to_next() / self.days();
        let accrued = coupon * self.days_before() / self.days();
        if self.count <= 1.0 {
            return (redemption + coupon) / (1.0 + share * yld / self.frequency) - accrued;
        }
        let growth = 1.0 + yld / self.frequency;
        let mut total = redemption / growth.powf(self.count - 1.0 + share);
        for k in 0..self.count as u64 {
            total += coupon / growth.powf(k as f64 + share);
        }
        total - accrued
    }
}

fn duration(a: &Args<'_>) -> Result<(f64, f64, f64), Stop> {
    let coupons = Coupons::read(a, 4, 5)?;
    let (rate, yld) = (a.number(2)?, a.number(3)?);
    if rate < 0.0 || yld < 0.0 {
        return fail(ErrorKind::Num);
    }
    let f = coupons.frequency;
    let share = coupons.days_to_next() / coupons.days();
    let growth = 1.0 + yld / f;
    let coupon = 100.0 * rate / f;
    let (mut weighted, mut total) = (0.0, 0.0);
    for k in 0..coupons.count as u64 {
        let t = k as f64 + share;
        let flow = if k as f64 + 1.0 == coupons.count { coupon + 100.0 } else { coupon } / growth.powf(t);
        weighted += t * flow;
        total += flow;
    }
    Ok((weighted / total / f, yld, f))
}

fn accrued(a: &Args<'_>) -> Answer {
    let (issue, first, settlement) = (serial(a, 0)? as i64, serial(a, 1)? as i64, serial(a, 2)? as i64);
    let (rate, par) = (a.number(3)?, a.number_default(4, 1000.0)?);
    let (frequency, basis) = (frequency(a, 5)?, Basis::read(a, 6)?);
    let from_issue = a.flag_default(7, true)?;
    if rate <= 0.0 || par <= 0.0 || issue >= settlement {
        return fail(ErrorKind::Num);
    }
    let system = a.cx.dates();
    let step = 12 / frequency as i64;
    let start = if !from_issue && settlement > first { first } else { issue };
    // Quasi-coupon periods run backwards and forwards from the first interest date.
    let mut periods = 0;
    while coupon_date(system, first, -step * periods) > start {
        periods += 1;
    }
    let mut from = coupon_date(system, first, -step * periods);
    let mut total = 0.0;
    let mut index = -periods;
    while from < settlement {
        index += 1;
        let to = coupon_date(system, first, step * index);
        let (low, high) = (from.max(start), to.min(settlement));
        if low < high {
            let length = match basis {
                Basis::Actual => (to - from) as f64,
                Basis::Actual365 => 365.0 / frequency,
                _ => 360.0 / frequency,
            };
            total += days_between(system, basis, low, high) / length;
        }
        from = to;
    }
    num(par * rate / frequency * total)
}

/// A bond whose first period is longer or shorter than the others.
struct OddFirst {
    settlement: i64,
    issue: i64,
    first: i64,
    maturity: i64,
    frequency: f64,
    basis: Basis,
    system: DateSystem,
}

impl OddFirst {
    fn read(a: &Args<'_>) -> Result<OddFirst, Stop> {
        let (settlement, maturity) = dates(a)?;
        let (issue, first) = (serial(a, 2)?, serial(a, 3)?);
        if !(maturity > first && first > settlement && settlement > issue) {
            return fail(ErrorKind::Num);
        }
        Ok(OddFirst {
            settlement: settlement as i64,
            issue: issue as i64,
            first: first as i64,
            maturity: maturity as i64,
            frequency: frequency(a, 7)?,
            basis: Basis::read(a, 8)?,
            system: a.cx.dates(),
        })
    }

    fn days(&self, from: i64, to: i64) -> f64 {
        days_between(self.system, self.basis, from, to)
    }

    fn length(&self, from: i64, to: i64) -> f64 {
        match self.basis {
            Basis::Actual => (to - from) as f64,
            Basis::Actual365 => 365.0 / self.frequency,
            _ => 360.0 / self.frequency,
        }
    }

    fn price(&self, rate: f64, yld: f64, redemption: f64) -> f64 {
        let f = self.frequency;
        let step = 12 / f as i64;
        let coupon = 100.0 * rate / f;
        let growth = 1.0 + yld / f;
        // Whole coupons after the first one.
        let mut later = 0.0;
        while coupon_date(self.system, self.maturity, -step * (later as i64 + 1)) >= self.first {
            later += 1.0;
        }
        // Quasi periods back from the first coupon to the issue.
        let (mut whole, mut before, mut to_first) = (0.0, 0.0, 0.0);
        let mut index = 0;
        let mut end = self.first;
        loop {
            index += 1;
            let start = coupon_date(self.system, self.first, -step * index);
            let length = self.length(start, end);
            let low = start.max(self.issue);
            whole += self.days(low, end) / length;
            if self.settlement > low {
                before += self.days(low, self.settlement.min(end)) / length;
            }
            if self.settlement < end {
                to_first += if self.settlement > start {
                    match self.basis {
                        Basis::Us30360 | Basis::European30360 => {
                            1.0 - self.days(start, self.settlement) / length
                        }
                        _ => self.days(self.settlement, end) / length,
                    }
                } else {
                    1.0
                };
            }
            if start <= self.issue {
                break;
            }
            end = start;
        }
        let mut total = redemption / growth.powf(later + to_first) + coupon * whole / growth.powf(to_first);
        for k in 1..=later as u64 {
            total += coupon / growth.powf(k as f64 + to_first);
        }
        total - coupon * before
    }
}

/// The last odd period in parts of a regular one.
struct OddLast {
    whole: f64,
    accrued: f64,
    left: f64,
    frequency: f64,
}

fn odd_last(a: &Args<'_>) -> Result<OddLast, Stop> {
    let (settlement, maturity) = dates(a)?;
    let last = serial(a, 2)?;
    let frequency = frequency(a, 6)?;
    let basis = Basis::read(a, 7)?;
    if last >= settlement {
        return fail(ErrorKind::Num);
    }
    let system = a.cx.dates();
    let (settlement, maturity, last) = (settlement as i64, maturity as i64, last as i64);
    let step = 12 / frequency as i64;
    let mut odd = OddLast { whole: 0.0, accrued: 0.0, left: 0.0, frequency };
    let mut start = last;
    let mut index = 0;
    while start < maturity {
        index += 1;
        let end = coupon_date(system, last, step * index);
        let length = match basis {
            Basis::Actual => (end - start) as f64,
            Basis::Actual365 => 365.0 / frequency,
            _ => 360.0 / frequency,
        };
        let high = end.min(maturity);
        odd.whole += days_between(system, basis, start, high) / length;
        if settlement > start {
            odd.accrued += days_between(system, basis, start, settlement.min(high)) / length;
        }
        if settlement < high {
            odd.left += days_between(system, basis, settlement.max(start), high) / length;
        }
        start = end;
    }
    Ok(odd)
}
